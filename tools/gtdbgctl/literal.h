/* SPDX-License-Identifier: MIT */
/* Numbers and characters in expressions, with the types that C gives them. */
#ifndef GTDBGCTL_LITERAL_H
#define GTDBGCTL_LITERAL_H

struct debugger;
struct value;

/* Of the digit or dot at @at, which is moved behind it; NULL after saying why there is none. */
struct value *literal_number(struct debugger *debugger, const char **at);
/* Of the quote at @at. NULL: it is no character, which is not said. */
struct value *literal_character(const char **at);

#endif
