// SPDX-License-Identifier: MIT
#include "message.h"

#include "debugger.h"
#include "expression.h"
#include "value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPEC_MAX 32
#define INTEGERS "diuxXoc"
#define FLOATS "fFeEgGaA"

/* A conversion: from its % to behind its letter. */
struct spec {
	const char *first, *end;
	char letter;
};

/* The next conversion from @at on; false: there is none. "%%" is none. */
static bool spec_next(const char *at, struct spec *spec)
{
	while ((at = strchr(at, '%')) && at[1] == '%')
		at += 2;
	if (!at)
		return false;
	spec->first = at++;
	at += strspn(at, "-+ #0123456789.");
	at += strspn(at, "hlqjzt");
	spec->letter = *at;
	spec->end = at + !!*at;
	return true;
}

static int format_check(struct debugger *debugger, const struct message *message)
{
	const char *at = message->format;
	struct spec spec;
	size_t count = 0;

	while (spec_next(at, &spec)) {
		if (!spec.letter ||
		    !strchr(message->is_natural ? "v" : INTEGERS FLOATS "p",
			    spec.letter))
			return fail(debugger, "Format \"%.*s\" is not supported.",
				    (int)(spec.end - spec.first), spec.first);
		if (spec.end - spec.first >= SPEC_MAX - 2)
			return fail(debugger, "Format \"%.*s\" is too long.",
				    (int)(spec.end - spec.first), spec.first);
		at = spec.end;
		count++;
	}
	if (count == message->count)
		return 0;
	return fail(debugger, "Wrong number of arguments for specified format-string: it has %zu, and there are %zu.",
		    count, message->count);
}

/*
 * Parsing
 */

static const char *skip_space(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static char escape(char letter)
{
	static const char from[] = "abefnrtv", to[] = "\a\b\033\f\n\r\t\v";
	const char *at = strchr(from, letter);

	return at && *at ? to[at - from] : letter;
}

/* Returns what stands behind the format, or NULL. */
static const char *take_format(struct debugger *debugger,
			       struct message *message, const char *text)
{
	char *out;

	if (*text != '"') {
		fail(debugger, "Format string required: \"FORMAT\",EXPR...");
		return NULL;
	}
	out = message->format = malloc(strlen(text));
	for (text++; out && *text && *text != '"'; text++) {
		if (*text == '\\' && text[1])
			*out++ = escape(*++text);
		else
			*out++ = *text;
	}
	if (!out || !*text) {
		fail(debugger, "Bad format string: no closing '\"'.");
		return NULL;
	}
	*out = 0;
	return skip_space(text + 1);
}

/* How long the character constant there is; 1: there is none. */
static size_t character_length(const char *text)
{
	size_t len = text[0] != '\'' || !text[1] ? 0 :
		     text[1] == '\\' && text[2] ? 3 : 2;

	return len && text[len] == '\'' ? len + 1 : 1;
}

/* Up to the next comma that is in no parentheses. */
static size_t arg_length(const char *text)
{
	int depth = 0;
	size_t len;

	for (len = 0; text[len]; len += character_length(text + len)) {
		if (strchr("([", text[len]))
			depth++;
		else if (strchr(")]", text[len]))
			depth--;
		else if (text[len] == ',' && depth <= 0)
			break;
	}
	return len;
}

static int take_args(struct debugger *debugger, struct message *message,
		     const char *text)
{
	size_t len;

	while (*text == ',') {
		text = skip_space(text + 1);
		len = arg_length(text);
		if (message->count == MESSAGE_ARGS_MAX)
			return fail(debugger, "More than %d arguments.",
				    MESSAGE_ARGS_MAX);
		if (!len)
			return fail(debugger, "Argument %zu is empty.",
				    message->count + 1);
		message->args[message->count++] = strndup(text, len);
		text += len;
	}
	if (*text)
		return fail(debugger, "Invalid argument syntax: a comma is missing at \"%s\".",
			    text);
	return 0;
}

struct message *message_create(struct debugger *debugger, const char *text)
{
	struct message *message = calloc(1, sizeof(*message));

	if (!message)
		return NULL;
	text = skip_space(text);
	message->source = strdup(text);
	text = take_format(debugger, message, text);
	if (text && !take_args(debugger, message, text) &&
	    !format_check(debugger, message))
		return message;
	message_destroy(message);
	return NULL;
}

/* Text of a format that is not to be taken for conversions. */
static void put_text(FILE *to, const char *text, size_t len)
{
	for (; len--; text++)
		fprintf(to, *text == '%' ? "%%%%" : "%c", *text);
}

struct message *message_create_values(struct debugger *debugger,
				      const char *where, const char *expressions)
{
	struct message *message = calloc(1, sizeof(*message));
	const char *at = expressions;
	char *list = NULL;
	FILE *to = NULL;
	size_t len;
	int ret = -1;

	if (message)
		to = open_memstream(&message->format, &len);
	if (!to) {
		free(message);
		return NULL;
	}
	message->is_natural = true;
	message->has_name = true;
	message->source = strdup(expressions);
	put_text(to, where, strlen(where));
	do {
		at = skip_space(at);
		len = arg_length(at);
		fputc(' ', to);
		put_text(to, at, len);
		fputs(" = %v", to);
		at += len;
	} while (*at++ == ',');
	fputc('\n', to);
	fclose(to);
	if (asprintf(&list, ",%s", expressions) >= 0 &&
	    !take_args(debugger, message, list))
		ret = format_check(debugger, message);
	free(list);
	if (!ret)
		return message;
	message_destroy(message);
	return NULL;
}

struct message *message_create_log(const char *text)
{
	struct message *message = calloc(1, sizeof(*message));
	const char *at = text, *end;
	FILE *to = NULL;
	size_t len;

	if (message)
		to = open_memstream(&message->format, &len);
	if (!to) {
		free(message);
		return NULL;
	}
	message->is_natural = true;
	message->source = strdup(text);
	while ((end = strchr(at + strcspn(at, "{"), '}')) &&
	       message->count < MESSAGE_ARGS_MAX) {
		len = strcspn(at, "{");
		put_text(to, at, len);
		fputs("%v", to);
		at += len + 1;
		message->args[message->count++] = strndup(at, end - at);
		at = end + 1;
	}
	put_text(to, at, strlen(at));
	fputc('\n', to);
	fclose(to);
	return message;
}

void message_destroy(struct message *message)
{
	if (!message)
		return;
	for (size_t i = 0; i < message->count; i++)
		free(message->args[i]);
	free(message->source);
	free(message->format);
	free(message);
}

/*
 * Types
 */

static bool value_suits(const struct value *value, char letter)
{
	if (letter == 'v')
		return value_is_number(value) ||
		       value->type->kind == GTDBG_TYPE_POINTER;
	if (letter == 'p')
		return value->type->kind == GTDBG_TYPE_POINTER ||
		       (value_is_number(value) && !value_is_float(value));
	return value_is_number(value) &&
	       value_is_float(value) == !!strchr(FLOATS, letter);
}

static bool argument_suits(struct debugger *debugger,
			   const struct message *message, size_t i,
			   const struct spec *spec, const struct value *value)
{
	if (value_suits(value, spec->letter))
		return true;
	fail(debugger, "Argument %zu, \"%s\", is of type %s, which \"%.*s\" does not print.",
	     i + 1, message->args[i],
	     value->type->name ? value->type->name : "?",
	     (int)(spec->end - spec->first), spec->first);
	return false;
}

/*
 * Printing
 */

static void print_natural(const struct operand *operand, long long number,
			  unsigned long long bits)
{
	if (operand->is_float)
		printf("%.*g", operand->size == 4 ? 9 : 17, operand->number);
	else if (operand->is_address)
		printf("0x%llx", bits);
	else if (operand->is_signed)
		printf("%lld", number);
	else
		printf("%llu", bits);
}

static void print_operand(const struct spec *spec, const struct operand *operand)
{
	size_t len = strcspn(spec->first, "hlqjzt" INTEGERS FLOATS "pv");
	unsigned int unused = 64 - 8 * (operand->size ? operand->size : 8);
	char format[SPEC_MAX + 4];
	long long number = (long long)(operand->bits << unused) >> unused;

	memcpy(format, spec->first, len);
	format[len] = 0;
	if (operand->unavailable) {
		printf("<%s>", operand->unavailable);
	} else if (spec->letter == 'v') {
		print_natural(operand, number, operand->bits << unused >> unused);
	} else if (strchr(FLOATS, spec->letter)) {
		strncat(format, &spec->letter, 1);
		printf(format, operand->number);
	} else if (spec->letter == 'c') {
		strcat(format, "c");
		printf(format, (int)number);
	} else if (spec->letter == 'p') {
		printf("0x%" PRIx64, operand->bits << unused >> unused);
	} else {
		strcat(format, "ll");
		strncat(format, &spec->letter, 1);
		printf(format, strchr("di", spec->letter) ? number :
		       (long long)(operand->bits << unused >> unused));
	}
}

/* Text without a conversion. */
static void print_text(const char *text, const char *end)
{
	for (; text < end; text++) {
		putchar(*text);
		if (*text == '%')
			text++;
	}
}

void message_print_operands(const struct message *message,
			    const struct operand *operands)
{
	const char *at = message->format;
	struct spec spec;

	while (spec_next(at, &spec)) {
		print_text(at, spec.first);
		print_operand(&spec, operands++);
		at = spec.end;
	}
	print_text(at, at + strlen(at));
}

/* As C has it, what is smaller than an int is one. */
static struct operand operand_of(const struct value *value)
{
	struct operand operand = { .unavailable = value->unavailable };

	operand.size = value->type->size_bytes <= 8 ?
		       (uint32_t)value->type->size_bytes : 8;
	operand.is_float = value_is_float(value);
	if (!operand.is_float && operand.size < 4)
		operand.size = 4;
	operand.is_signed = value_is_signed(value);
	operand.is_address = value->type->kind == GTDBG_TYPE_POINTER;
	if (!value->unavailable && operand.is_float)
		operand.number = value_to_float(value);
	else if (!value->unavailable)
		operand.bits = (uint64_t)value_to_integer(value);
	return operand;
}

static struct operand operand_evaluate(struct debugger *debugger,
				       const char *text)
{
	struct operand operand = { .unavailable = "error" };
	struct value *value;

	debugger->holds_errors = true;
	value = expression_evaluate(debugger, text);
	debugger->holds_errors = false;
	if (value)
		operand = operand_of(value);
	free(value);
	return operand;
}

/* What the arguments are there, in the frame if there is no place. */
static int arguments_take(struct debugger *debugger,
			  const struct message *message,
			  const struct place *place, struct operand *operands)
{
	const char *at = message->format;
	struct value *value;
	struct spec spec;
	bool suits;

	for (size_t i = 0; i < message->count && spec_next(at, &spec); i++) {
		value = expression_evaluate_at(debugger, place,
					       message->args[i]);
		suits = value &&
			argument_suits(debugger, message, i, &spec, value);
		if (suits)
			operands[i] = operand_of(value);
		free(value);
		if (!suits)
			return -1;
		at = spec.end;
	}
	return 0;
}

int message_check(struct debugger *debugger, const struct message *message,
		  const struct place *place)
{
	struct operand operands[MESSAGE_ARGS_MAX];

	return arguments_take(debugger, message, place, operands);
}

int message_print_whole(struct debugger *debugger, const struct message *message)
{
	struct operand operands[MESSAGE_ARGS_MAX];

	if (arguments_take(debugger, message, NULL, operands))
		return -1;
	message_print_operands(message, operands);
	return 0;
}

void message_print(struct debugger *debugger, const struct message *message)
{
	struct operand operands[MESSAGE_ARGS_MAX];

	for (size_t i = 0; i < message->count; i++)
		operands[i] = operand_evaluate(debugger, message->args[i]);
	if (message->has_name) {
		thread_print_name(debugger, &debugger->thread,
				  (int)debugger->lane);
		putchar(' ');
	}
	message_print_operands(message, operands);
}
