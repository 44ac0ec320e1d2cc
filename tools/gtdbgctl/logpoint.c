// SPDX-License-Identifier: MIT
/* What is said where threads come by, with values in braces: "x is {x}". */
#include "debugger.h"

#include "expression.h"
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_value(struct debugger *debugger, const char *text, size_t len)
{
	const struct format format = { 0 };
	char *expression = strndup(text, len);
	struct value *value = NULL;

	debugger->held[0] = 0;
	debugger->holds_errors = true;
	if (expression)
		value = expression_evaluate(debugger, expression);
	debugger->holds_errors = false;
	if (value)
		value_print(value, &format);
	else
		printf("<%s>", debugger->held);
	free(value);
	free(expression);
}

void logpoint_print(struct debugger *debugger, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "{");
		const char *end = strchr(text + len, '}');

		printf("%.*s", (int)(end ? len : strlen(text)), text);
		if (!end)
			break;
		print_value(debugger, text + len + 1, end - text - len - 1);
		text = end + 1;
	}
	putchar('\n');
}
