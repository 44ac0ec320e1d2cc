// SPDX-License-Identifier: MIT
/*
 * Variables in local memory, and pointers to them, in tests/local_pointer.cl. The
 * compiler puts what it declares one behind the other from offset 0 on.
 */
#include "support/kernel_file.h"
#include "support/tap.h"

#include <errno.h>
#include <string.h>

#define TAG		0x0a00000000000000ull
#define NOT_NULL	0x10000000ull	/* in addresses that may be compared */

static struct gtdbg_symbols *symbols;

static int locate(uint32_t line, const char *name, uint32_t lane,
		  struct gtdbg_location *out)
{
	struct kernel_file_state state = { 0x10000000, 0x100 };
	uint64_t pc;

	if (gtdbg_line_addresses(symbols, NULL, line, NULL, &pc, 1) != 1)
		return -ERANGE;
	return kernel_file_locate(symbols, &state, pc, name, lane, out);
}

static bool is_at(uint32_t line, const char *name, uint64_t offset)
{
	struct gtdbg_location location = { 0 };

	for (uint32_t lane = 0; lane < 8; lane++)
		if (locate(line, name, lane, &location) ||
		    location.kind != GTDBG_LOCATION_MEMORY ||
		    (location.address & ~NOT_NULL) != (TAG | offset))
			return false;
	return true;
}

static void test_variables(void)
{
	tap_check(is_at(20, "row", 0), "an array");
	tap_check(is_at(20, "total", 32), "a scalar behind it");
	tap_check(is_at(20, "both", 36), "a struct behind that");
	tap_check(is_at(12, "total", 32), "they are there from the beginning");
}

/*
 * By the rule of the test's machine each lane has its own address for the
 * pointer's place, 0x100 above the last one's, and finds that address there.
 */
static void test_pointer(void)
{
	struct gtdbg_location location = { 0 };
	uint64_t first = 0, value = 0;

	tap_check(locate(11, "mine", 0, &location) == -EAGAIN,
		  "a pointer does not exist before its line");
	tap_check(!locate(13, "mine", 0, &location) &&
		  location.kind == GTDBG_LOCATION_VALUE &&
		  location.value_len_bytes == 8, "it exists behind it");
	memcpy(&first, location.value, 8);
	tap_check(first >> 56 == 0x0a && !(first & 0xffffffff0000ull),
		  "it is an address in local memory");
	tap_check(!locate(13, "mine", 5, &location),
		  "it exists in another lane");
	memcpy(&value, location.value, 8);
	tap_check(value == first + 5 * 0x100, "each lane has its own");
	tap_check(locate(13, "mine", 16, &location) == -EOPNOTSUPP,
		  "beyond 16 lanes it is unknown");
}

int main(void)
{
	puts("TAP version 13");
	symbols = kernel_file_symbols("local_pointer.cl", 0, "share");
	test_variables();
	test_pointer();
	gtdbg_symbols_destroy(symbols);
	return tap_end();
}
