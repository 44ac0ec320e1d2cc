/* SPDX-License-Identifier: MIT */
/* Variables in local memory, from what the compiler says for debuggers. */
#ifndef VGT_LOCALS_H
#define VGT_LOCALS_H

#include "cursor.h"

struct vgt_lines;

struct vgt_dwarf {
	struct vgt_cursor info, abbrev, str;
};

/* Those of one kernel become a part of @lines. */
void vgt_locals_read(struct vgt_lines *lines, const struct vgt_dwarf *dwarf);

#endif
