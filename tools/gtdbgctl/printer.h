/* SPDX-License-Identifier: MIT */
/* A line of output: words and name=value pairs, or one JSON object. */
#ifndef GTDBGCTL_PRINTER_H
#define GTDBGCTL_PRINTER_H

#include <stdbool.h>

struct printer {
	bool is_json;
};

void put_number(const struct printer *to, const char *name,
		unsigned long long number);
void put_address(const struct printer *to, const char *name,
		 unsigned long long number);
void put_text(const struct printer *to, const char *name, const char *text);

#endif
