// SPDX-License-Identifier: MIT
/* Functions and types of tests/call.cl, as its text says. */
#include "support/kernel_file.h"
#include "support/tap.h"

#include <errno.h>
#include <string.h>

static struct gtdbg_symbols *symbols;
static struct gtdbg_variable variables[16];
static int count;

static void read_variables(const char *function_name)
{
	struct kernel_file_state state = { 0, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_function function;
	struct gtdbg_frame frames[2];

	gtdbg_function_find_name(symbols, function_name, &function);
	gtdbg_frame_unwind(symbols, &machine, function.body, 0xff, 0, frames,
			   2);
	count = gtdbg_variable_list(symbols, &frames[0], variables, 16);
}

static const struct gtdbg_type *type_of(const char *name)
{
	static const struct gtdbg_type none;
	int i;

	for (i = 0; i < count; i++) {
		if (strcmp(variables[i].name, name) == 0)
			return variables[i].type;
	}
	return &none;
}

static void test_kernel(void)
{
	const struct gtdbg_type *type;

	read_variables("call");
	type = type_of("s");
	tap_check(type->kind == GTDBG_TYPE_STRUCT && type->size_bytes == 8 &&
		  type->member_count == 2, "a struct of two members");
	tap_check(type->members && !strcmp(type->members[1].name, "ratio") &&
		  type->members[1].offset_bytes == 4 &&
		  type->members[1].type->kind == GTDBG_TYPE_FLOAT,
		  "its second member is a float");
	type = type_of("v");
	tap_check(type->kind == GTDBG_TYPE_VECTOR && type->count == 4 &&
		  type->size_bytes == 16 &&
		  type->target->kind == GTDBG_TYPE_FLOAT,
		  "a vector of four floats");
	type = type_of("where");
	tap_check(type->kind == GTDBG_TYPE_ENUM && type->member_count == 2 &&
		  type->members[1].value == 5, "an enum with its values");
	tap_check(type_of("i")->kind == 0 && type_of("a")->kind == 0,
		  "variables of another function are not seen");
}

static void test_function(void)
{
	const struct gtdbg_type *type;
	struct gtdbg_function kernel, function;

	read_variables("twice");
	type = type_of("a");
	tap_check(type->kind == GTDBG_TYPE_ARRAY && type->count == 4 &&
		  type->size_bytes == 16, "a private array of four");
	tap_check(type_of("p")->kind == GTDBG_TYPE_STRUCT &&
		  type_of("by")->kind == GTDBG_TYPE_INTEGER, "its parameters");
	gtdbg_function_find_name(symbols, "twice", &function);
	gtdbg_function_find_name(symbols, "call", &kernel);
	tap_check(function.start >= kernel.end && function.line == 8,
		  "a function that is not inlined has code of its own");
}

static void test_names(void)
{
	const struct gtdbg_type *type;

	tap_check(!gtdbg_type_find_name(symbols, "pair", &type) &&
		  type->kind == GTDBG_TYPE_STRUCT, "a struct by its name");
	tap_check(!gtdbg_type_find_name(symbols, "unsigned long", &type) &&
		  type->size_bytes == 8, "a basic type by its name");
	tap_check(gtdbg_type_find_name(symbols, "nonsense", &type) == -ENOENT,
		  "an unknown type");
	tap_check(!gtdbg_type_find_name(symbols, "int", &type) &&
		  !gtdbg_type_pointer(symbols, type, &type) &&
		  !strcmp(type->name, "int *"), "a pointer to a type");
}

static void test_bad_files(void)
{
	struct gtdbg_symbols *bad = NULL;
	uint64_t base;
	size_t len, cut;
	const void *text = gtdbg_symbols_text(symbols, &base, &len);

	tap_check(gtdbg_symbols_create("no ELF", 6, &bad) == -EINVAL && !bad,
		  "bytes that are no ELF are refused");
	tap_check(gtdbg_symbols_create(text, 0, &bad) == -EINVAL && !bad,
		  "an empty file is refused");
	for (cut = 1; cut < len; cut += 97) {
		if (!gtdbg_symbols_create(text, cut, &bad)) {
			gtdbg_symbols_destroy(bad);
			break;
		}
	}
	tap_check(cut >= len, "code alone is refused");
}

int main(void)
{
	puts("TAP version 13");
	symbols = kernel_file_symbols("call.cl", "", "call");
	test_kernel();
	test_function();
	test_names();
	test_bad_files();
	gtdbg_symbols_destroy(symbols);
	return tap_end();
}
