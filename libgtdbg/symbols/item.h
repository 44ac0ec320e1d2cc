/* SPDX-License-Identifier: MIT */
/* Where a thread has the numbers of its work-items. */
#ifndef LIBGTDBG_ITEM_H
#define LIBGTDBG_ITEM_H

#include "gtdbg_symbols.h"

/* In one dimension, as bytes of the register file; of @size 0: not known. */
struct item_place {
	uint32_t local;		/* 16 bits for each lane */
	uint32_t size;		/* of a group */
	uint32_t first;		/* number of the launch's first one */
};

/* -EOPNOTSUPP: not known; -ESTALE: not at @pc any more. */
int gtdbg_item_place(struct gtdbg_symbols *symbols, uint64_t pc,
		     uint32_t dimension, struct item_place *out);

/* Of the dword that has the number of the group, which stays. */
static inline uint32_t gtdbg_group_byte(uint32_t dimension)
{
	return dimension ? 20 + 4 * dimension : 4;
}

#endif
