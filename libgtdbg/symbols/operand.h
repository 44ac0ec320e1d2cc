/* SPDX-License-Identifier: MIT */
/*
 * What conditions compare: variables, their members and elements, what pointers lead
 * to, and the numbers of work-items.
 */
#ifndef GTDBG_SYMBOLS_OPERAND_H
#define GTDBG_SYMBOLS_OPERAND_H

#include "item.h"
#include "program.h"

#define NAME_MAX_BYTES	64
#define OPERAND_INDICES_MAX	3
#define OPERAND_HOPS_MAX	GTDBG_SIP_PROGRAM_WINDOWS_MAX
#define FLOAT_WHOLE_MAX	(1 << 24)	/* up to here, all whole numbers are floats */

/* Behind the name of a number of 64 bits: its lower half, or the upper one. No text has them. */
#define HALF_LOWER	'\1'
#define HALF_UPPER	'\2'

struct formula;

/* What stands between brackets, unless it is a number: a formula. */
struct operand_index {
	uint8_t at, len;	/* its text, in the name of the operand */
	bool is_unsigned;
	bool needs_both;	/* see gtdbg_formula_needs_both() */
	uint32_t scale;		/* the bytes of an element */
};

/* A number of a thread. */
struct operand {
	char name[NAME_MAX_BYTES];	/* as the user has it */
	bool is_item, is_group;
	uint32_t dimension;		/* of those; else it is a variable */
	struct item_place place;
	struct home home;
	bool is_local;			/* in local memory, */
	bool is_global;			/* or anywhere, */
	bool is_own;			/* or an element of an array of the lane's own */
	uint32_t hops;			/* pointers that lead there: home has the first one, */
	int64_t hop[OPERAND_HOPS_MAX];	/* at this offset, and next ones behind it */
	uint32_t offset, last;		/* there, and the last one that it may have */
	uint32_t room;			/* bytes up to the end of its own array */
	struct operand_index index[OPERAND_INDICES_MAX];
	uint32_t indices;
	uint32_t index_hop;		/* behind so many pointers */
	const struct gtdbg_type *type;	/* of a variable */
	uint64_t key[2];		/* equal for the same number */
	uint32_t bytes;
	bool is_signed, is_float;
	bool is_long;			/* of 64 bits, whose value is loaded */
	char half;			/* HALF_*: it is one of a larger number; 0: it is whole */
};

/* Spaces, and a word behind them if it stands there. */
void gtdbg_text_skip(const char **at);
bool gtdbg_text_take(const char **at, const char *word);
/* A number behind a digit or a sign; with a fraction or an exponent, and an f, of a float. */
bool gtdbg_text_real(const char **at, double *out);

/* The name of an operand, if one stands there. */
bool gtdbg_operand_take(const char **at, struct operand *operand);

/* What has that name: -EOPNOTSUPP with a reason, if the routine cannot get at it. */
int gtdbg_operand_find(struct compiler *compiler, struct operand *operand);

/* What stands between brackets of its. */
int gtdbg_operand_index(struct compiler *compiler, const struct operand *operand,
			const struct operand_index *index,
			struct formula *formula);

/* What its indices are multiples of; 0: there are none. */
uint32_t gtdbg_operand_element_bytes(const struct operand *operand);

/* For its type: no number, a float, or of 64 bits where these are not computed. */
int gtdbg_operand_refuse(struct compiler *compiler,
			 const struct operand *operand);

/* Is a number lost that was kept, when its value is loaded? */
bool gtdbg_operand_needs_both(const struct operand *operand);

/* Its value, unless all lanes have it already; of 64 bits its place, unless is_long. */
int gtdbg_operand_emit(struct compiler *compiler,
		       const struct operand *operand);

#endif
