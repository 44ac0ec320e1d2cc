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
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_location location;
	struct gtdbg_variable variable;
	struct gtdbg_frame frame;
	uint64_t pc;
	int ret;

	if (gtdbg_line_addresses(symbols, NULL, line, NULL, &pc, 1) != 1)
		return -ENOENT;
	gtdbg_frame_unwind(symbols, &machine, pc, 0xff, 0, &frame, 1);
	ret = gtdbg_variable_find(symbols, &frame, name, &variable);
	if (ret)
		return ret;
	ret = gtdbg_variable_locate(symbols, &frame, &variable, &machine, 0,
				    &location);
	*address = location.address;
	return ret;
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
	return tap_end();
}
