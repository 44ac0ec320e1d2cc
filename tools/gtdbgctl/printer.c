// SPDX-License-Identifier: MIT
/*
 * One call per value; the form of the line, words or JSON, is decided here, so
 * commands cannot print one and forget the other. Text of the debuggee is
 * escaped: it may hold anything.
 */
#include "printer.h"

#include "field.h"

#include <stdio.h>
#include <string.h>

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

static void put_escaped(unsigned char byte)
{
	if (byte == '"' || byte == '\\')
		printf("\\%c", byte);
	else if (byte < ' ' || byte == 0x7f)
		printf("\\u%04x", byte);
	else
		putchar(byte);
}

void put_text(const struct printer *to, const char *name, const char *text)
{
	size_t left = strlen(text), len;

	printf(to->is_json ? ",\"%s\":\"" : " %s=\"", name);
	for (; left; text += len, left -= len) {
		len = text_character(text, left);
		if (len > 1)
			fwrite(text, 1, len, stdout);
		else if (len || !to->is_json)
			put_escaped(*text);
		else
			fputs(TEXT_REPLACEMENT, stdout);
		len += !len;
	}
	putchar('"');
}
