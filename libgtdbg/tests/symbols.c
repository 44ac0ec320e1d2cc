// SPDX-License-Identifier: MIT
/* Lines, functions and variables of tests/compute.cl, as its text says. */
#include "support/kernel_file.h"
#include "support/tap.h"

#include <errno.h>
#include <string.h>

#define PADDING_MAX 192	/* what the runtime appends to code */

static struct gtdbg_symbols *symbols;
static struct kernel_file_state state = { 0x10000000, 0x100 };

static uint64_t line_pc(uint32_t line)
{
	uint64_t pc = 0;

	gtdbg_line_addresses(symbols, "compute.cl", line, NULL, &pc, 1);
	return pc;
}

static int locate(uint64_t pc, const char *name, uint32_t lane,
		  struct gtdbg_location *out)
{
	return kernel_file_locate(symbols, &state, pc, name, lane, out);
}

static void test_lines(void)
{
	struct gtdbg_line line;
	uint32_t used = 0;
	uint64_t pcs[4];

	tap_check(gtdbg_line_addresses(symbols, "compute.cl", 5, &used, pcs,
				       4) == 1 && used == 5,
		  "line 5 has one address");
	tap_check(gtdbg_line_find(symbols, pcs[0], &line) == 0 &&
		  line.line == 5 && line.is_statement && line.start == pcs[0],
		  "that address belongs to line 5");
	tap_check(gtdbg_line_addresses(symbols, NULL, 6, &used, pcs, 4) == 1 &&
		  used == 7, "a line without code stands for the next");
	tap_check(gtdbg_line_addresses(symbols, NULL, 50, &used, pcs, 4) ==
		  -ENOENT, "a line behind the end has none");
	tap_check(gtdbg_line_addresses(symbols, "other.cl", 5, &used, pcs,
				       4) == -ENOENT,
		  "a line of another file has none");
	tap_check(line_pc(7) < line_pc(5),
		  "the compiler places the else part first");
}

static void test_function(void)
{
	struct gtdbg_function function;
	uint64_t base;
	size_t len;

	gtdbg_symbols_text(symbols, &base, &len);
	tap_check(gtdbg_function_find(symbols, line_pc(5), &function) == 0 &&
		  strcmp(function.name, "compute") == 0 &&
		  function.start == base && function.end <= base + len &&
		  function.end + PADDING_MAX >= base + len,
		  "all code but the padding is of the kernel");
	tap_check(function.body > function.start && line_pc(1) == function.body,
		  "a breakpoint on its first line lies behind the prologue");
	tap_check(gtdbg_function_find_name(symbols, "nothing", &function) ==
		  -ENOENT, "an unknown function is not found");
	tap_check(strcmp(gtdbg_symbols_kernel(symbols), "compute") == 0,
		  "the kernel's name");
	tap_check(gtdbg_symbols_simd_width(symbols, base) == 8, "eight lanes");
}

static void test_types(void)
{
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_variable v[8];
	struct gtdbg_frame frame;
	int count;

	gtdbg_frame_unwind(symbols, &machine, line_pc(5), 0xff, 0, &frame, 1);
	count = gtdbg_variable_list(symbols, &frame, v, 8);
	tap_check(count == 4, "two parameters, two variables, nothing invented");
	tap_check(strcmp(v[0].name, "in") == 0 && v[0].is_parameter &&
		  strcmp(v[0].type->name, "const int *") == 0 &&
		  v[0].type->kind == GTDBG_TYPE_POINTER, "in is a pointer");
	tap_check(strcmp(v[2].name, "index") == 0 && !v[2].is_parameter &&
		  strcmp(v[2].type->name, "size_t") == 0 &&
		  v[2].type->kind == GTDBG_TYPE_UNSIGNED &&
		  v[2].type->size_bytes == 8, "index is a size_t");
	tap_check(strcmp(v[3].name, "point") == 0 &&
		  v[3].type->kind == GTDBG_TYPE_INTEGER &&
		  v[3].type->size_bytes == 4 && v[3].line == 3,
		  "point is an int of line 3");
}

static void test_liveness(void)
{
	struct gtdbg_location location, other;
	uint64_t body = line_pc(1);

	tap_check(locate(body, "point", 0, &location) == -EAGAIN &&
		  locate(body, "in", 0, &location) == -EAGAIN,
		  "nothing exists where the kernel begins");
	tap_check(locate(line_pc(3), "index", 0, &location) == 0,
		  "index exists at line 3");
	tap_check(locate(line_pc(3), "point", 0, &location) == -EAGAIN,
		  "point does not exist yet at line 3");
	tap_check(locate(line_pc(5), "point", 0, &location) == 0 &&
		  location.kind == GTDBG_LOCATION_MEMORY &&
		  locate(line_pc(5), "point", 2, &other) == 0 &&
		  other.address == location.address + 2 * state.stride,
		  "each lane's point is where that lane's register says");
	tap_check(locate(line_pc(8), "point", 7, &location) == 0,
		  "point still exists at line 8");
}

/*
 * The register that held the address of "in" is reused before line 5. The
 * frame of a lane is fixed, so its place follows from another variable's:
 * slots of pointers are eight bytes apart from lane to lane.
 */
static void test_recovery(void)
{
	struct gtdbg_location first, last, out;
	int ret;

	state.stride = 8;
	ret = locate(line_pc(5), "in", 0, &first);
	tap_check(ret == 0, "a parameter whose register was reused is found");
	tap_check(locate(line_pc(5), "in", 7, &last) == 0 &&
		  last.address - first.address == 7 * 8,
		  "its lanes are as far apart as those of a pointer");
	tap_check(locate(line_pc(5), "out", 0, &out) == 0 &&
		  (out.address - first.address) % 64 == 0 &&
		  out.address != first.address,
		  "it does not share its place with another parameter");
	state.stride = 0x100;
}

/* The compiler writes two formats, which say the same. */
static void test_file(unsigned int flags)
{
	symbols = kernel_file_symbols("compute.cl", flags, "compute");
	test_lines();
	test_function();
	test_types();
	test_liveness();
	test_recovery();
	gtdbg_symbols_destroy(symbols);
}

int main(void)
{
	puts("TAP version 13");
	test_file(0);
	test_file(KERNEL_FILE_ZEBIN);
	return tap_end();
}
