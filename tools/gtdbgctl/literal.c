// SPDX-License-Identifier: MIT
#include "literal.h"

#include "debugger.h"
#include "value.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* As C has it: what is no decimal number may be unsigned, and "u" always is. */
static const char *number_type(unsigned long long number, bool is_decimal,
			       bool is_unsigned, bool is_long)
{
	if (!is_long && !is_unsigned && number <= INT32_MAX)
		return "int";
	if (!is_long && (is_unsigned || !is_decimal) && number <= UINT32_MAX)
		return "unsigned int";
	if (!is_unsigned && number <= INT64_MAX)
		return "long";
	return "unsigned long";
}

/* Up to @end. */
static struct value *real(struct debugger *debugger, const char **at,
			  const char *end)
{
	size_t len = end - *at;
	double number = strtod(*at, NULL);

	/* "08" looks like one. */
	if (strcspn(*at, ".eE") >= len) {
		fail(debugger, "Invalid number \"%.*s\".", (int)len, *at);
		return NULL;
	}
	*at = end;
	if (**at != 'f' && **at != 'F')
		return value_float("double", number);
	(*at)++;
	return value_float("float", number);
}

struct value *literal_number(struct debugger *debugger, const char **at)
{
	bool is_decimal = **at != '0', is_unsigned = false;
	bool is_long = false;
	char *end, *end_float;
	unsigned long long number;

	errno = 0;
	number = strtoull(*at, &end, 0);
	strtod(*at, &end_float);
	if (end_float > end && strncmp(*at, "0x", 2) != 0)
		return real(debugger, at, end_float);
	if (errno == ERANGE && number == ULLONG_MAX) {
		fail(debugger, "Numeric constant too large.");
		return NULL;
	}
	for (*at = end; **at && strchr("uUlL", **at); (*at)++) {
		is_unsigned |= tolower((unsigned char)**at) == 'u';
		is_long |= tolower((unsigned char)**at) == 'l';
	}
	return value_integer(number_type(number, is_decimal, is_unsigned,
					 is_long), number);
}

struct value *literal_character(const char **at)
{
	char c = (*at)[1];
	int len = 3;

	if (c == '\\' && (*at)[2]) {
		c = (*at)[2] == 'n' ? '\n' : (*at)[2] == 't' ? '\t' :
		    (*at)[2] == '0' ? 0 : (*at)[2];
		len = 4;
	}
	if (!(*at)[1] || !(*at)[2] || (*at)[len - 1] != '\'')
		return NULL;
	*at += len;
	return value_integer("char", c);
}
