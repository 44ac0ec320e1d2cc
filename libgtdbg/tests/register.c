// SPDX-License-Identifier: MIT
/* Names of registers. */
#include "../gtdbg.h"
#include "support/tap.h"

#include <errno.h>
#include <stddef.h>

static bool is_found(const char *name, uint32_t set, uint32_t index)
{
	struct gtdbg_register_name found = { 0 };

	return !gtdbg_register_find_name(name, &found) && found.set == set &&
	       found.index == index;
}

int main(void)
{
	static const char *const others[] = {
		"", "r", "f", "n", "sr", "r+5", "r-0", "r 5", "r5 ", "r0x5",
		"r65536", "r5r", "5", "x5",
	};
	struct gtdbg_register_name found = { 77, 77 };
	char text[64];
	size_t i;

	puts("TAP version 13");
	tap_check(is_found("r127", GTDBG_REGISTER_GRF, 127) &&
		  is_found("acc0", GTDBG_REGISTER_ACC, 0) &&
		  is_found("emask", GTDBG_REGISTER_EMASK, 0) &&
		  is_found("identity", GTDBG_REGISTER_IDENTITY, 0) &&
		  is_found("sp", GTDBG_REGISTER_SP, 0) &&
		  is_found("sp0", GTDBG_REGISTER_SP, 0),
		  "a register is a set and a number, if that has several");
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		snprintf(text, sizeof(text), "\"%s\" is none", others[i]);
		tap_check(gtdbg_register_find_name(others[i], &found) ==
			  -ENOENT && found.set == 77 && found.index == 77,
			  text);
	}
	return tap_end();
}
