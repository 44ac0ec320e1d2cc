// SPDX-License-Identifier: MIT
#include "prompt.h"

#include "debugger.h"
#include "expression.h"
#include "message.h"
#include "operator.h"
#include "settings.h"
#include "style.h"
#include "value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXAMINE_MAX 65536
#define TEXT_MAX 4096
#define TYPE_LINES_MAX 10000
#define POINTERS_MAX 8

/* One too many if it is more than can be shown. */
static int count_parse(const char *text, char **end)
{
	unsigned long count = strtoul(text, end, 10);

	return count > EXAMINE_MAX ? EXAMINE_MAX + 1 : (int)count;
}

size_t prompt_format_length(const char *text)
{
	size_t len = *text == '/';

	if (!len)
		return 0;
	len += text[len] == '-' ? 1 : strspn(text + len, "0123456789");
	while (isalpha((unsigned char)text[len]))
		len++;
	return len;
}

int prompt_format_parse(struct debugger *debugger, const char **args,
			struct format *format)
{
	const char *at = *args, *end = at + prompt_format_length(at);
	char *letters;

	if (at == end)
		return 0;
	at++;
	if (isdigit((unsigned char)*at)) {
		format->count = count_parse(at, &letters);
		at = letters;
	}
	for (; at < end; at++) {
		if (strchr("bhwg", *at))
			format->size = *at;
		else if (strchr("xduotafcizs", *at))
			format->letter = *at;
		else
			return fail(debugger, "Undefined output format \"%c\".",
				    *at);
	}
	while (isspace((unsigned char)*at))
		at++;
	*args = at;
	return 0;
}

/* With the type of a pointer, and the name of what is there if it is code. */
static void print_whole(struct debugger *debugger, const struct value *value,
			const struct format *format)
{
	const struct gtdbg_type *type = value->type;
	bool is_pointer = type->kind == GTDBG_TYPE_POINTER && !format->letter &&
			  !value->unavailable;

	if (is_pointer)
		printf("(%s) ", type->name);
	value_print(value, format);
	if ((is_pointer && type->target->kind == GTDBG_TYPE_FUNCTION) ||
	    (format->letter == 'a' && value_is_number(value)))
		prompt_print_symbol(debugger, value_to_integer(value));
}

void prompt_print_value(struct debugger *debugger, struct value *value,
			const struct format *format)
{
	printf("$%d = ", value_remember(debugger, value));
	print_whole(debugger, value, format);
	putchar('\n');
}

int prompt_print(struct debugger *debugger, const char *args)
{
	struct format format = { 0 };
	struct value *value;

	if (prompt_format_parse(debugger, &args, &format))
		return -1;
	if (!*args)
		args = "$";
	value = expression_evaluate(debugger, args);
	if (!value)
		return -1;
	prompt_print_value(debugger, value, &format);
	return 0;
}

int prompt_output(struct debugger *debugger, const char *args)
{
	struct format format = { 0 };
	struct value *value;

	if (prompt_format_parse(debugger, &args, &format))
		return -1;
	if (!*args)
		return fail(debugger, "Argument required (expression to compute).");
	value = expression_evaluate(debugger, args);
	if (!value)
		return -1;
	print_whole(debugger, value, &format);
	free(value);
	return 0;
}

int prompt_printf(struct debugger *debugger, const char *args)
{
	struct message *message = message_create(debugger, args);
	int ret = message ? message_print_whole(debugger, message) : -1;

	message_destroy(message);
	return ret;
}

/* What needs no value to be wrong fails, and is not said for each lane. */
static int expression_look(struct debugger *debugger, const char *text)
{
	struct value *value;

	debugger->skips++;
	value = expression_evaluate(debugger, text);
	debugger->skips--;
	free(value);
	return value ? 0 : -1;
}

/* In the current lane; a lane may have none, and others do. */
static void print_or_say(struct debugger *debugger, const char *text,
			 const struct format *format)
{
	struct value *value;

	debugger->holds_errors = true;
	value = expression_evaluate(debugger, text);
	debugger->holds_errors = false;
	if (value)
		value_print(value, format);
	else
		printf("<error: %s>", debugger->held);
	free(value);
}

int prompt_lanes(struct debugger *debugger, const char *args)
{
	uint32_t saved = debugger->lane, lanes, lane;
	struct format format = { 0 };

	if (prompt_format_parse(debugger, &args, &format) ||
	    debugger_need_thread(debugger))
		return -1;
	if (!*args)
		return fail(debugger, "Argument required (expression to compute).");
	if (expression_look(debugger, args))
		return -1;
	lanes = thread_lanes(debugger);
	for (lane = 0; lane < lanes; lane++) {
		bool is_active = frame_current(debugger)->lanes >> lane & 1;

		debugger->lane = lane;
		printf("%c ", lane == saved ? '*' : ' ');
		thread_print_name(debugger, &debugger->thread, lane);
		putchar('\t');
		print_or_say(debugger, args, &format);
		puts(is_active ? "" : "\t(inactive)");
	}
	debugger->lane = saved;
	return 0;
}

int prompt_assign(struct debugger *debugger, const char *args)
{
	struct value *value;

	/* The user's own variables are there without a program. */
	if (*args != '$' && debugger_need_thread(debugger))
		return -1;
	value = expression_evaluate(debugger, args);
	free(value);
	return value ? 0 : -1;
}

/* What is shown so has a size of its own; 0: any. */
static char size_of(char letter)
{
	return letter == 'c' ? 'b' : letter == 'a' ? 'g' : 0;
}

static size_t unit_size(const struct format *format)
{
	switch (format->size) {
	case 'b':
		return 1;
	case 'h':
		return 2;
	case 'g':
		return 8;
	default:
		return 4;
	}
}

/* Code before @end, from the kernel's own bytes: breakpoints do not show. */
static int examine_code(struct debugger *debugger, uint64_t address,
			uint64_t end, int count)
{
	struct kernel *kernel = kernel_find_address(debugger, address);
	struct gtdbg_code *code = kernel_code(debugger, kernel);
	uint32_t offset, size;
	char text[512];

	if (!kernel)
		return fail(debugger, "No kernel at address 0x%llx.",
			    (unsigned long long)address);
	if (!code)
		return fail(debugger, "No disassembler: install libigc1.");
	offset = address - kernel->address;
	while (count-- && address < end) {
		size = gtdbg_code_size(code, offset);
		if (!size || gtdbg_code_text(code, offset, text, sizeof(text)))
			return fail(debugger, "No instruction starts at address 0x%llx.",
				    (unsigned long long)address);
		fputs(address == debugger->thread.address ? "=> " : "   ",
		      stdout);
		style_print_address(address);
		fputs(" <", stdout);
		style_print(STYLE_FUNCTION, kernel->name);
		printf("+%u>:\t%s\n", offset, text);
		offset += size;
		address += size;
	}
	debugger->examine_address = address;
	return 0;
}

/* Escaped as in C. */
static void print_text(const char *text, size_t len)
{
	size_t i;

	putchar('"');
	for (i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c == '\n')
			fputs("\\n", stdout);
		else if (c == '\t')
			fputs("\\t", stdout);
		else if (c < ' ' || c > '~')
			printf("\\%03o", c);
		else
			putchar(c);
	}
	putchar('"');
}

/* Up to the NUL, or as much as is to be printed of a text. */
static int text_read(struct debugger *debugger, uint64_t address, char *text,
		     size_t *len_out, bool *has_ended)
{
	const struct gtdbg_machine *machine =
		gtdbg_stop_machine(debugger->stop);
	size_t limit = settings.elements && settings.elements < TEXT_MAX ?
		       settings.elements : TEXT_MAX;
	size_t len;
	int ret;

	for (len = 0; len < limit; len++) {
		ret = machine->memory_read(machine->context, address + len,
					   text + len, 1);
		if (ret)
			return value_fail_memory(debugger, ret, address + len);
		if (!text[len])
			break;
	}
	*has_ended = len < limit;
	*len_out = len;
	return 0;
}

static int examine_text(struct debugger *debugger, uint64_t address, int count)
{
	bool has_ended = false;
	char text[TEXT_MAX];
	size_t len = 0;

	while (count--) {
		if (text_read(debugger, address, text, &len, &has_ended))
			return -1;
		style_print_address(address);
		fputs(":\t", stdout);
		print_text(text, len);
		puts(has_ended ? "" : "...");
		address += len + has_ended;
		debugger->examine_address = address;
	}
	return 0;
}

static int examine_memory(struct debugger *debugger, uint64_t address,
			  const struct format *format)
{
	const struct gtdbg_machine *machine =
		gtdbg_stop_machine(debugger->stop);
	size_t size = unit_size(format), per_line = size == 8 ? 2 : size == 1 ?
		      8 : size == 2 ? 8 : 4, i;
	uint64_t bits;
	int ret;

	for (i = 0; i < (size_t)format->count; i++, address += size) {
		bits = 0;
		ret = machine->memory_read(machine->context, address, &bits,
					   size);
		if (ret && i % per_line)
			putchar('\n');
		if (ret)
			return value_fail_memory(debugger, ret, address);
		if (i % per_line == 0) {
			style_print_address(address);
			putchar(':');
		}
		putchar('\t');
		value_print_unit(bits, size, format->letter);
		if (i % per_line == per_line - 1 ||
		    i + 1 == (size_t)format->count)
			putchar('\n');
	}
	debugger->examine_address = address;
	return 0;
}

int prompt_address(struct debugger *debugger, const char *text, uint64_t *out)
{
	struct value *value = expression_evaluate(debugger, text);
	int64_t address = 0;
	int ret = -1;

	if (value && value_is_number(value)) {
		ret = operator_integer(debugger, value, &address);
	} else if (value && value->place != VALUE_MEMORY) {
		fail(debugger, value->unavailable ?
		     "value is not available: %s" :
		     "Value is neither a number nor in memory.",
		     value->unavailable);
	} else if (value) {
		address = (int64_t)value->address;
		ret = 0;
	}
	free(value);
	if (!ret)
		*out = (uint64_t)address;
	return ret;
}

int prompt_examine_at(struct debugger *debugger, struct format *format,
		      const char *args)
{
	if (!format->count)
		format->count = 1;
	if (!format->size)
		format->size = size_of(format->letter);
	if (format->count < 1 || format->count > EXAMINE_MAX)
		return fail(debugger, "Count must be from 1 to %d.",
			    EXAMINE_MAX);
	if (*args &&
	    prompt_address(debugger, args, &debugger->examine_address))
		return -1;
	if (format->letter == 'i')
		return examine_code(debugger, debugger->examine_address,
				    UINT64_MAX, format->count);
	if (format->letter == 's')
		return examine_text(debugger, debugger->examine_address,
				    format->count);
	return examine_memory(debugger, debugger->examine_address, format);
}

/* Without a format, the one of the last time. */
int prompt_examine(struct debugger *debugger, const char *args)
{
	struct format format = { 0 };

	if (prompt_format_parse(debugger, &args, &format) ||
	    debugger_need_thread(debugger))
		return -1;
	if (!format.size)
		format.size = size_of(format.letter);
	if (!format.letter)
		format.letter = debugger->examine_letter ?
				debugger->examine_letter : 'x';
	if (!format.size) {
		format.size = debugger->examine_size;
		/* As in gdb: of a byte there is no float. */
		if (format.letter == 'f' && format.size == 'b')
			format.size = 'g';
	}
	debugger->examine_letter = format.letter;
	debugger->examine_size = format.size;
	return prompt_examine_at(debugger, &format, args);
}

int prompt_disassemble(struct debugger *debugger, const char *args)
{
	struct gtdbg_function function;
	struct gtdbg_symbols *symbols;
	struct kernel *kernel;
	uint64_t base, start;
	size_t len;

	if (debugger_need_thread(debugger))
		return -1;
	if (*args)
		return fail(debugger, "It takes no argument: \"x/20i ADDRESS\" shows other code.");
	kernel = thread_kernel(debugger, &debugger->thread);
	symbols = kernel_symbols(debugger, kernel);
	if (!symbols || gtdbg_function_find(symbols, frame_current(debugger)->pc,
					    &function))
		return fail(debugger, "No function contains program counter for selected frame.");
	gtdbg_symbols_text(symbols, &base, &len);
	start = kernel->address + function.start - base;
	return examine_code(debugger, start, start + function.end - function.start,
			    EXAMINE_MAX);
}

static bool is_anonymous(const struct gtdbg_type *type)
{
	return strcmp(type->name, "(anonymous)") == 0;
}

static void print_enum(const struct gtdbg_type *type)
{
	int64_t next = 0;

	printf("enum %s%s{", is_anonymous(type) ? "" : type->name,
	       is_anonymous(type) ? "" : " ");
	for (size_t i = 0; i < type->member_count; i++) {
		printf("%s%s", i ? ", " : "", type->members[i].name);
		if (type->members[i].value != next)
			printf(" = %lld", (long long)type->members[i].value);
		next = type->members[i].value + 1;
	}
	putchar('}');
}

static void print_members(const struct gtdbg_type *type, int indent,
			  unsigned int *left);

/* What has no name stands there as it is, as long as there are lines @left. */
static void print_member(const struct gtdbg_member *member, int indent,
			 unsigned int *left)
{
	const struct gtdbg_type *type = member->type, *array;

	while (type->kind == GTDBG_TYPE_ARRAY)
		type = type->target;
	printf("%*s", indent, "");
	if (type_is_compound(type) && is_anonymous(type) && *left)
		print_members(type, indent, left);
	else if (type->kind == GTDBG_TYPE_ENUM && is_anonymous(type))
		print_enum(type);
	else
		fputs(type->name, stdout);
	if (member->name)
		printf(" %s", member->name);
	for (array = member->type; array != type; array = array->target)
		printf("[%llu]", (unsigned long long)array->count);
	if (member->bit_count)
		printf(" : %u", member->bit_count);
	puts(";");
}

static void print_members(const struct gtdbg_type *type, int indent,
			  unsigned int *left)
{
	printf("%s %s%s{\n", type->kind == GTDBG_TYPE_UNION ? "union" :
	       "struct", is_anonymous(type) ? "" : type->name,
	       is_anonymous(type) ? "" : " ");
	for (size_t i = 0; i < type->member_count; i++) {
		if (!*left) {
			printf("%*s...\n", indent + 4, "");
			break;
		}
		--*left;
		print_member(&type->members[i], indent + 4, left);
	}
	printf("%*s}", indent, "");
}

static void print_type(const struct gtdbg_type *type)
{
	const struct gtdbg_type *target = type;
	unsigned int left = TYPE_LINES_MAX;
	int pointers = 0;

	/* In a file that was made up a pointer may lead to itself. */
	while (target->kind == GTDBG_TYPE_POINTER && target->target &&
	       pointers < POINTERS_MAX) {
		target = target->target;
		pointers++;
	}
	printf("type = ");
	if (type_is_compound(target))
		print_members(target, 0, &left);
	else if (target->kind == GTDBG_TYPE_ENUM)
		print_enum(target);
	else
		fputs(type->name, stdout);
	if (type_is_compound(target) || target->kind == GTDBG_TYPE_ENUM)
		printf("%s%.*s", pointers ? " " : "", pointers, "********");
	putchar('\n');
}

static void print_name(const struct gtdbg_type *type)
{
	printf("type = %s\n", type->name);
}

static int type_show(struct debugger *debugger, const char *args,
		     void (*print)(const struct gtdbg_type *type))
{
	const struct gtdbg_type *type = expression_type(debugger, args);
	struct value *value;

	if (type) {
		print(type);
		return 0;
	}
	/* Nothing is read for it, and nothing changes. */
	debugger->skips++;
	value = expression_evaluate(debugger, args);
	debugger->skips--;
	if (!value)
		return -1;
	print(value->type);
	free(value);
	return 0;
}

int prompt_ptype(struct debugger *debugger, const char *args)
{
	return type_show(debugger, args, print_type);
}

int prompt_whatis(struct debugger *debugger, const char *args)
{
	return type_show(debugger, args, print_name);
}
