/* SPDX-License-Identifier: MIT */
/*
 * What a device's program has said of its kernels: names, the lines of their source,
 * and variables. Code is compared, as nothing else says where the runtime has put it.
 */
#ifndef VGT_CHECK_KERNEL_H
#define VGT_CHECK_KERNEL_H

#include "check/check.h"

struct vgt_worker;

struct vgt_check_kernel {
	struct vgt_check_kernel *next;
	size_t bytes; /* of all that follows, in this order */
	const struct vgt_check_line *line;
	const struct vgt_check_local *local;
	const uint8_t *code;
	const char *name;
	const char *names; /* one behind the other */
	uint32_t lines, locals;
	size_t code_bytes, names_bytes;
	uint64_t own_bytes; /* of local memory */
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

/* The variable at @offset of local memory; NULL: none is known there. */
const char *vgt_check_kernel_local(const struct vgt_check_kernel *kernel,
				   uint64_t offset);

/* Names come from the program, and go to terminals and into JSON. */
void vgt_check_name_copy(char *to, const char *name);

#endif
