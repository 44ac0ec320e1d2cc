// SPDX-License-Identifier: MIT
/*
 * When variables of different sizes exist, in tests/values.cl: from the line
 * after their initialisation on, not before it, and each in a place of its own.
 */
#include "support/kernel_file.h"
#include "support/tap.h"

#include <errno.h>

static struct gtdbg_symbols *symbols;

static int locate(uint32_t line, const char *name, uint64_t *address)
{
	struct kernel_file_state state = { 0x10000000, 0x100 };
	struct gtdbg_location location = { 0 };
	uint64_t pc;
	int ret;

	if (gtdbg_line_addresses(symbols, NULL, line, NULL, &pc, 1) != 1)
		return -ENOENT;
	ret = kernel_file_locate(symbols, &state, pc, name, 0, &location);
	*address = location.address;
	return ret;
}

/* Parameters of a kernel that has each on a line of its own. */
static void test_listed(void)
{
	uint64_t in = 0, out = 0, count = 0;

	symbols = kernel_file_symbols("values.cl", 0, "listed");
	tap_check(!locate(13, "in", &in) && !locate(13, "out", &out) &&
		  !locate(13, "count", &count) && in != out && out != count,
		  "parameters on lines of their own exist");
	tap_check(!locate(12, "count", &count),
		  "they do from the first line on");
	gtdbg_symbols_destroy(symbols);
}

int main(void)
{
	uint64_t v = 0, small = 0, wide = 0;

	puts("TAP version 13");
	symbols = kernel_file_symbols("values.cl", 0, "values");
	tap_check(locate(3, "wide", &wide) == -EAGAIN &&
		  locate(3, "small", &small) == -EAGAIN,
		  "nothing exists before it is declared");
	tap_check(!locate(4, "v", &v), "a vector exists after its line");
	tap_check(!locate(5, "small", &small), "a byte exists after its line");
	tap_check(!locate(6, "small", &small) && !locate(6, "wide", &wide) &&
		  small != wide, "a long does, in a place of its own");
	gtdbg_symbols_destroy(symbols);
	test_listed();
	return tap_end();
}
