// SPDX-License-Identifier: MIT
#include "style.h"

#include "settings.h"

#include <stdio.h>

const char *style(enum style which)
{
	static const char *const codes[] = {
		[STYLE_NONE] = "\033[m",
		[STYLE_FUNCTION] = "\033[33m",
		[STYLE_FILE] = "\033[32m",
		[STYLE_VARIABLE] = "\033[36m",
		[STYLE_ADDRESS] = "\033[34m",
		[STYLE_TITLE] = "\033[1m",
	};

	return settings.is_styled ? codes[which] : "";
}

void style_print(enum style which, const char *text)
{
	printf("%s%s%s", style(which), text, style(STYLE_NONE));
}

void style_print_address(unsigned long long address)
{
	printf("%s0x%llx%s", style(STYLE_ADDRESS), address,
	       style(STYLE_NONE));
}
