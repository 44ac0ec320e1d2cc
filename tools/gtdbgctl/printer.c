// SPDX-License-Identifier: MIT
/*
 * One call per value; the form of the line, words or JSON, is decided here, so
 * commands cannot print one and forget the other. Text of the debuggee is
 * escaped: it may hold anything.
 */
#include "printer.h"

#include <stdio.h>

void put_number(const struct printer *to, const char *name,
		unsigned long long number)
{
	if (to->is_json)
		printf(",\"%s\":%llu", name, number);
	else
		printf(" %s=%llu", name, number);
}

void put_address(const struct printer *to, const char *name,
		 unsigned long long number)
{
	if (to->is_json)
		printf(",\"%s\":\"0x%llx\"", name, number);
	else
		printf(" %s=0x%llx", name, number);
}

void put_text(const struct printer *to, const char *name, const char *text)
{
	printf(to->is_json ? ",\"%s\":\"" : " %s=\"", name);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	putchar('"');
}
