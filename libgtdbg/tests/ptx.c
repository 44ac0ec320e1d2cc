// SPDX-License-Identifier: MIT
/*
 * PTX text: of clang, whose expectations are in tests/cuda.cl, and of a few
 * lines that hold each way to write it.
 */
#include "../gtdbg_symbols.h"
#include "support/cuda_file.h"
#include "support/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of a unit, and of a variable with an address class and a location. */
#define ABBREVIATIONS \
	".section .debug_abbrev { .b8 1,17,1,3,8,0,0, 2,52,0,3,8,51,11,2,10,0,0" \
	"\n.b8 0 }\n"
#define HEAD ".version 3.2\n.target sm_20, debug\n.address_size 64\n"

static int text_create(const char *text, struct gtdbg_symbols **out)
{
	return gtdbg_symbols_create(text, strlen(text), out);
}

static void test_operands(void)
{
	static const char text[] =
		"// a comment\n" HEAD ABBREVIATIONS
		".section .debug_info\n{\n.b32 36 // length\n.b16 0x2\n"
		".b32 .debug_abbrev\n.b8 0x8,\t1,0x61,0,2,97,0, 8, 11, 3\n"
		".b64 there-0x1\n.b8 35,\n 5\n.b8 0\n}\n";
	struct gtdbg_symbols *symbols = NULL;
	struct gtdbg_variable variable;
	struct gtdbg_location out;

	if (!tap_check(!text_create(text, &symbols), "a text by hand"))
		return;
	tap_check(!cuda_file_locate(symbols, 1, "a", &variable, &out) &&
		  variable.address_class == GTDBG_CUDA_SHARED &&
		  out.symbol && !strcmp(out.symbol, "there") &&
		  out.address == 4, "its variable is at its symbol");
	gtdbg_symbols_destroy(symbols);
}

static void test_malformed(void)
{
	static const char *const texts[] = {
		HEAD ".section .debug_info { .b8 1, }",
		HEAD ".section .debug_info { .b8 1",
		HEAD ".section .debug_info { .b8 0x }",
		HEAD ".section .debug_info { .b32 a-b }",
		HEAD ".section .debug_info { .b8 a }",
		HEAD ".section { }",
		HEAD ".file 0 \"name\"",
		HEAD ".file 1 name",
		HEAD ".loc 1 2",
	};
	struct gtdbg_symbols *symbols = NULL;
	bool are_refused = true;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		are_refused &= text_create(texts[i], &symbols) == -EBADMSG &&
			       !symbols;
	tap_check(are_refused, "malformed text is refused");
	tap_check(text_create("version 3.2\n", &symbols) == -EINVAL,
		  "text that is no PTX is refused");
	tap_check(!text_create(".version 3.2", &symbols),
		  "text without debug information is accepted");
	gtdbg_symbols_destroy(symbols);
}

static struct gtdbg_symbols *compile(char **text, size_t *len)
{
	struct gtdbg_symbols *symbols = NULL;

	*text = cuda_file_run("clang-14 --target=nvptx64-nvidia-cuda "
			      "-cl-std=CL2.0 -g -O0 -S -o - '" GTDBG_TESTS
			      "/cuda.cl' 2>/dev/null", len);
	if (*text)
		gtdbg_symbols_create(*text, *len, &symbols);
	return symbols;
}

/* The text of a line, numbered from 1. */
static const char *line_text(const char *text, uint64_t line)
{
	while (--line && text)
		text = strchr(text, '\n') + 1;
	return text;
}

static void test_code(struct gtdbg_symbols *symbols, const char *text)
{
	struct gtdbg_function function;
	const char *store = "\tst.shared.u32";
	struct gtdbg_line line;
	uint64_t pc = 0;

	tap_check(!strcmp(strrchr(gtdbg_symbols_source(symbols), '/'),
			  "/cuda.cl"), "the source");
	tap_check(!gtdbg_function_find_name(symbols, "compute", &function) &&
		  function.line == 14 && function.body > function.start,
		  "a kernel");
	while (strncmp(line_text(text, ++pc), store, strlen(store)))
		;
	tap_check(pc > function.body && pc < function.end &&
		  !gtdbg_line_find(symbols, pc, &line) && line.line == 20 &&
		  line.column == 15, "an instruction has its source line");
	tap_check(gtdbg_line_addresses(symbols, "cuda.cl", 11, NULL, &pc,
				       1) == 1 &&
		  !gtdbg_function_find(symbols, pc, &function) &&
		  !strcmp(function.name, "add"), "a line has its function");
}

static bool is_at(struct gtdbg_symbols *symbols, const char *name,
		  uint32_t class, const char *symbol)
{
	struct gtdbg_variable variable;
	struct gtdbg_function function;
	struct gtdbg_location out;

	return !gtdbg_function_find_name(symbols, "compute", &function) &&
	       !cuda_file_locate(symbols, function.body, name, &variable,
				 &out) &&
	       variable.address_class == class &&
	       out.kind == GTDBG_LOCATION_MEMORY && out.symbol &&
	       !strncmp(out.symbol, symbol, strlen(symbol));
}

static void test_variables(struct gtdbg_symbols *symbols)
{
	struct gtdbg_location location = { 0 }, other = { 0 };
	struct gtdbg_variable mine = { 0 }, sum = { 0 };
	struct gtdbg_function function = { 0 };

	tap_check(is_at(symbols, "table", GTDBG_CUDA_CONSTANT, "table"),
		  "a constant");
	tap_check(is_at(symbols, "tile", GTDBG_CUDA_SHARED, "compute"),
		  "a shared variable");
	tap_check(is_at(symbols, "in", GTDBG_CUDA_LOCAL, "__local_depot") &&
		  is_at(symbols, "sum", GTDBG_CUDA_LOCAL, "__local_depot"),
		  "parameters and local variables");
	gtdbg_function_find_name(symbols, "compute", &function);
	cuda_file_locate(symbols, function.body, "mine", &mine, &location);
	cuda_file_locate(symbols, function.body, "sum", &sum, &other);
	tap_check(other.address >= location.address + 16 ||
		  location.address >= other.address + 4,
		  "two local variables do not overlap");
	tap_check(mine.type && mine.type->kind == GTDBG_TYPE_STRUCT &&
		  mine.type->members[1].offset_bytes == 8, "a struct");
}

int main(void)
{
	struct gtdbg_symbols *symbols;
	char *text;
	size_t len;

	puts("TAP version 13");
	test_operands();
	test_malformed();
	symbols = compile(&text, &len);
	if (tap_check(symbols, "a text of clang")) {
		test_code(symbols, text);
		test_variables(symbols);
	}
	gtdbg_symbols_destroy(symbols);
	free(text);
	return tap_end();
}
