/* SPDX-License-Identifier: MIT */
/* Colours, the same as gdb's, where the user's terminal has them. */
#ifndef GTDBGCTL_STYLE_H
#define GTDBGCTL_STYLE_H

enum style {
	STYLE_NONE = 0,		/* ends any other */
	STYLE_FUNCTION = 1,
	STYLE_FILE = 2,
	STYLE_VARIABLE = 3,
	STYLE_ADDRESS = 4,
	STYLE_TITLE = 5,
};

/* What switches it on, "" where there are no colours. */
const char *style(enum style style);
/* Prints a text in a style. */
void style_print(enum style which, const char *text);
/* An address, as 0x... */
void style_print_address(unsigned long long address);

#endif
