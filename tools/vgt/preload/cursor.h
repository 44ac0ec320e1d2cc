/* SPDX-License-Identifier: MIT */
/* What is left to read of some bytes; from what is not whole on, nothing is. */
#ifndef VGT_CURSOR_H
#define VGT_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_cursor {
	const uint8_t *at, *end;
};

/* Where the next @bytes are; NULL if there are not as many. */
const uint8_t *vgt_cursor_take(struct vgt_cursor *cursor, uint64_t bytes);

/* A number of @bytes, 8 at most; and one as DWARF packs them. 0 behind the end. */
uint64_t vgt_cursor_number(struct vgt_cursor *cursor, uint32_t bytes);
uint64_t vgt_cursor_leb(struct vgt_cursor *cursor, bool is_signed);

/* Never NULL; empty behind the end, as at the end of a list of them. */
const char *vgt_cursor_string(struct vgt_cursor *cursor);

/* A part of it; an empty one if it is not all there. */
struct vgt_cursor vgt_cursor_part(struct vgt_cursor cursor, uint64_t offset,
				  uint64_t bytes);

#endif
