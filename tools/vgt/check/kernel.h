/* SPDX-License-Identifier: MIT */
/*
 * What a device's program has said of its kernels: names, and the lines of their
 * source. Code is compared, as nothing else says where the runtime has put it.
 */
#ifndef VGT_CHECK_KERNEL_H
#define VGT_CHECK_KERNEL_H

#include "check/check.h"

struct vgt_worker;

struct vgt_check_kernel {
	struct vgt_check_kernel *next;
	size_t bytes; /* of all that follows, in this order */
	const struct vgt_check_line *line;
	const uint8_t *code;
	const char *name;
	const char *files; /* names, one behind the other */
	uint32_t lines;
	size_t code_bytes, files_bytes;
	uint8_t data[];
};

/* That whose code is at @va, or NULL. It stays as long as the device. */
const struct vgt_check_kernel *vgt_check_kernel_find(struct vgt_worker *worker,
						     uint64_t va);

/*
 * The line of source of @kernel's code at @offset; 0: none is known. *@file_out is
 * empty where the source has no name.
 */
uint32_t vgt_check_kernel_line(const struct vgt_check_kernel *kernel,
			       uint32_t offset, const char **file_out);

#endif
