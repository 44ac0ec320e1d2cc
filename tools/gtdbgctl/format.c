// SPDX-License-Identifier: MIT
/* Printing values, in gdb's notation. */
#include "value.h"

#include "debugger.h"
#include "settings.h"
#include "style.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDENT_MAX	64
/* What a value shows: structs that hold others twice may have 2^100, in a few bytes. */
#define PARTS_MAX	100000
#define PART_BYTES	16	/* of a name or a text that count for one */

/* How deep in structs we are, for "set print pretty". */
static int depth;
/* Parts that may still be shown, and whether the user had interrupted us before. */
static size_t parts_left;
static bool was_interrupted;

static void print_value(const struct value *value, const struct format *format);

static void print_bits(uint64_t bits, size_t size)
{
	int i = 8 * size - 1;

	while (i > 0 && !(bits >> i & 1))
		i--;
	for (; i >= 0; i--)
		putchar('0' + (bits >> i & 1));
}

/* As gdb has it. */
static void put_character(unsigned char c, char quote)
{
	if (c == quote || c == '\\')
		printf("\\%c", c);
	else if (c >= '\a' && c <= '\r')
		printf("\\%c", "abtnvfr"[c - '\a']);
	else if (c >= ' ' && c < 127)
		putchar(c);
	else
		printf("\\%03o", c);
}

static void print_character(int64_t number)
{
	printf("%" PRId64 " '", number);
	put_character(number, '\'');
	putchar('\'');
}

void value_print_unit(uint64_t bits, size_t size, char letter)
{
	int64_t number = bits;
	double wide;
	float narrow;

	if (size < 8 && bits >> (8 * size - 1) & 1)
		number |= ~0ull << (8 * size);
	switch (letter) {
	case 'd':
		printf("%" PRId64, number);
		break;
	case 'u':
		printf("%" PRIu64, bits);
		break;
	case 'o':
		printf("0%" PRIo64, bits);
		break;
	case 't':
		print_bits(bits, size);
		break;
	case 'c':
		print_character(size == 1 ? number : (int8_t)bits);
		break;
	case 'f':
		if (size == 1) {
			printf("%" PRId64, number);
			break;
		}
		if (size == 2) {
			printf("%.5g", value_half((uint16_t)bits));
			break;
		}
		memcpy(&narrow, &bits, 4);
		memcpy(&wide, &bits, 8);
		printf("%.*g", size == 4 ? 9 : 17, size == 4 ? narrow : wide);
		break;
	case 'z':
		printf("0x%0*" PRIx64, (int)(2 * size), bits);
		break;
	default:
		printf("0x%" PRIx64, bits);
	}
}

/* A value is a part, whatever is in it; long names and texts are several more. */
static void parts_count(size_t count)
{
	parts_left -= count < parts_left ? count : parts_left;
}

static void print_enum(const struct value *value)
{
	int64_t number = value_to_integer(value);
	const char *name;
	size_t i;

	for (i = 0; i < value->type->member_count; i++) {
		if (value->type->members[i].value == number) {
			name = value->type->members[i].name;
			parts_count(strlen(name) / PART_BYTES);
			fputs(name, stdout);
			return;
		}
	}
	printf("%" PRId64, number);
}

static void print_float(const struct value *value)
{
	int digits = value->type->size_bytes == 8 ? 17 :
		     value->type->size_bytes == 4 ? 9 : 5;

	printf("%.*g", digits, value_to_float(value));
}

static void print_number(const struct value *value)
{
	int64_t number = value_to_integer(value);

	switch (value->type->kind) {
	case GTDBG_TYPE_FLOAT:
		print_float(value);
		break;
	case GTDBG_TYPE_BOOLEAN:
		fputs(number ? "true" : "false", stdout);
		break;
	case GTDBG_TYPE_CHARACTER:
		print_character(number);
		break;
	case GTDBG_TYPE_ENUM:
		print_enum(value);
		break;
	case GTDBG_TYPE_POINTER:
		printf("0x%" PRIx64, number);
		break;
	case GTDBG_TYPE_INTEGER:
		printf("%" PRId64, number);
		break;
	default:
		if (value->type->size_bytes == 1)
			print_character(number);
		else
			printf("%" PRIu64, number);
	}
}

static void print_formatted(const struct value *value, char letter)
{
	size_t size = value->type->size_bytes;
	uint64_t bits = 0;

	if (letter == 'f' && value_is_float(value)) {
		print_float(value);
		return;
	}
	/* There is no float of a byte. */
	if (letter == 'f' && size == 1)
		letter = value_is_signed(value) ? 'd' : 'u';
	/* A float in an integer format is converted, in hexadecimal too. */
	if (value_is_float(value) && letter != 'f')
		bits = value_to_integer(value);
	else
		memcpy(&bits, value->bytes, size > 8 ? 8 : size);
	if (size < 8 && value_is_float(value))
		bits &= (1ull << (8 * size)) - 1;
	value_print_unit(bits, size, letter == 'a' ? 'x' : letter);
}

static void print_part(struct value *part, const struct format *format)
{
	if (part)
		print_value(part, format);
	free(part);
}

/* The rest of the value is not printed. */
static bool is_enough(void)
{
	return (wait_is_interrupted && !was_interrupted) || !parts_left;
}

static uint64_t repeats(const struct value *value, uint64_t first)
{
	size_t size = value->type->target->size_bytes;
	uint64_t i = first + 1;

	while (i < value->type->count &&
	       memcmp(value->bytes + i * size, value->bytes + first * size,
		      size) == 0)
		i++;
	return i - first;
}

/* Characters up to a zero, and nothing but zeroes behind it: a number is no text. */
static bool is_text(const struct value *value, const struct format *format)
{
	const struct gtdbg_type *type = value->type;
	size_t i = 0;

	if (format->letter || type->kind != GTDBG_TYPE_ARRAY ||
	    type->target->kind != GTDBG_TYPE_CHARACTER ||
	    type->target->size_bytes != 1 || type->size_bytes < 2)
		return false;
	while (i < type->size_bytes && (isprint(value->bytes[i]) ||
					isspace(value->bytes[i])))
		i++;
	if (!i)
		return false;
	while (i < type->size_bytes && !value->bytes[i])
		i++;
	return i == type->size_bytes;
}

static void print_text(const struct value *value)
{
	size_t i;

	putchar('"');
	for (i = 0; i < value->type->size_bytes && value->bytes[i]; i++) {
		if (settings.elements && i == settings.elements)
			break;
		put_character(value->bytes[i], '"');
	}
	parts_count(i / PART_BYTES);
	putchar('"');
	if (i < value->type->size_bytes && value->bytes[i])
		fputs("...", stdout);
}

static void print_array(const struct value *value, const struct format *format)
{
	const struct gtdbg_type *element = value->type->target;
	uint64_t i = 0, run, shown = 0;

	putchar('{');
	while (i < value->type->count) {
		if (is_enough() ||
		    (settings.elements && shown++ == settings.elements)) {
			fputs("...", stdout);
			break;
		}
		run = repeats(value, i);
		print_part(value_part(value, element, i * element->size_bytes),
			   format);
		if (settings.repeats && run >= settings.repeats) {
			printf(" <repeats %" PRIu64 " times>", run);
			i += run;
		} else {
			i++;
		}
		if (i < value->type->count)
			fputs(", ", stdout);
	}
	putchar('}');
}

static void print_break(int levels)
{
	printf("\n%*s", 2 * (levels < INDENT_MAX ? levels : INDENT_MAX), "");
}

static void print_name(const struct gtdbg_member *member)
{
	const char *name = member->name ? member->name : "<anonymous>";

	parts_count(strlen(name) / PART_BYTES);
	style_print(STYLE_VARIABLE, name);
	fputs(" = ", stdout);
}

static void print_members(const struct value *value,
			  const struct format *format)
{
	const struct gtdbg_type *type = value->type;
	size_t i;

	putchar('{');
	depth++;
	for (i = 0; i < type->member_count && !is_enough(); i++) {
		if (settings.is_pretty) {
			fputs(i ? "," : "", stdout);
			print_break(depth);
		} else {
			fputs(i ? ", " : "", stdout);
		}
		print_name(&type->members[i]);
		print_part(value_member(value, &type->members[i]), format);
	}
	if (i < type->member_count)
		fputs(i ? ", ..." : "...", stdout);
	depth--;
	if (settings.is_pretty)
		print_break(depth);
	putchar('}');
}

static void print_value(const struct value *value, const struct format *format)
{
	parts_count(1);
	if (value->unavailable) {
		fputs(value->unavailable, stdout);
		return;
	}
	switch (value->type->kind) {
	case GTDBG_TYPE_STRUCT:
	case GTDBG_TYPE_UNION:
		print_members(value, format);
		break;
	case GTDBG_TYPE_ARRAY:
	case GTDBG_TYPE_VECTOR:
		if (is_text(value, format))
			print_text(value);
		else
			print_array(value, format);
		break;
	case GTDBG_TYPE_VOID:
	case GTDBG_TYPE_FUNCTION:
		fputs("void", stdout);
		break;
	default:
		if (format->letter && !strchr("is", format->letter))
			print_formatted(value, format->letter);
		else
			print_number(value);
	}
}

void value_print_up_to(const struct value *value, const struct format *format,
		       size_t most)
{
	parts_left = most;
	was_interrupted = wait_is_interrupted;
	print_value(value, format);
}

void value_print(const struct value *value, const struct format *format)
{
	value_print_up_to(value, format,
			  settings.elements ? PARTS_MAX : SIZE_MAX);
}

/* In a list of arguments, arrays and structs are left out. */
void value_print_variable(struct debugger *debugger,
			  const struct gtdbg_variable *variable)
{
	const struct format format = { 0 };
	struct value *value;

	if (type_is_compound(variable->type) ||
	    variable->type->kind == GTDBG_TYPE_ARRAY) {
		fputs("...", stdout);
		return;
	}
	value = value_of_variable(debugger, variable);
	if (!value) {
		fputs("<unreadable>", stdout);
		return;
	}
	value_print(value, &format);
	free(value);
}
