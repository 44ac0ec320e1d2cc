/* SPDX-License-Identifier: MIT */
/*
 * What && || ! and parentheses make of the terms between them, as alternatives each
 * of which is a list of terms. Terms that no one can make use of count as true,
 * whether they are negated or not: then the alternatives hold where the whole
 * expression does, and elsewhere, too.
 */
#ifndef LIBGTDBG_LOGIC_H
#define LIBGTDBG_LOGIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOGIC_TERMS_MAX		16
#define LOGIC_LITERALS_MAX	12
#define LOGIC_TERM_NONE		(-1)

/* An alternative. */
struct logic_clause {
	uint32_t count;
	uint8_t term[LOGIC_LITERALS_MAX];
	bool is_not[LOGIC_LITERALS_MAX];
};

struct logic_form {
	uint32_t count;		/* 0: it is true */
	struct logic_clause clause[LOGIC_LITERALS_MAX];
	bool is_too_long;	/* something was left out */
};

struct logic {
	/* The number of a term of which the text is this, or LOGIC_TERM_NONE. */
	int (*term)(void *context, const char *text, size_t len);
	/* Other terms that come to the same, to be released with free(), or NULL. */
	char *(*expand)(void *context, const char *text, size_t len);
	void *context;
	/* What is joined by && on the outside: the first, the first two and so on. */
	struct logic_form form[LOGIC_TERMS_MAX];
	uint32_t count;
};

/* -EINVAL for other operators above terms, or parentheses without a partner. */
int gtdbg_logic_parse(struct logic *logic, const char *text);

#endif
