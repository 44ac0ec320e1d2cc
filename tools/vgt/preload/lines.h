/* SPDX-License-Identifier: MIT */
/*
 * Which code was made of which line of source, and what lies where in local memory, as
 * far as the compiler has said it.
 */
#ifndef VGT_LINES_H
#define VGT_LINES_H

#include "check/check.h"

#include <stddef.h>
#include <stdint.h>

struct vgt_lines {
	struct vgt_check_line *line;
	uint32_t count, room;
	struct vgt_check_local *local;
	uint32_t locals;
	char *names; /* of files and variables, each with a 0 */
	uint32_t names_bytes;
};

/*
 * Lines of the kernel @name in the @bytes of @debug, what the compiler says for
 * debuggers of all of a program's kernels. None if it says nothing that makes sense.
 */
void vgt_lines_init(struct vgt_lines *lines, const uint8_t *debug, size_t bytes,
		    const char *name, size_t name_bytes);
/* Returns where it is in the names; UINT32_MAX: there is no memory for it. */
uint32_t vgt_lines_name_add(struct vgt_lines *lines, const char *name);
void vgt_lines_fini(struct vgt_lines *lines);

#endif
