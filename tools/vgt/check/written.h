/* SPDX-License-Identifier: MIT */
/*
 * Which bytes of memory were written, by the host or by a kernel: a bit for each, of
 * pages in which one was.
 */
#ifndef VGT_CHECK_WRITTEN_H
#define VGT_CHECK_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_check_written *vgt_check_written_create(void);
void vgt_check_written_destroy(struct vgt_check_written *written);

/* Of memory that others have had. */
void vgt_check_written_clear(struct vgt_check_written *written, uint64_t phys,
			     uint64_t bytes);
void vgt_check_written_set(struct vgt_check_written *written, uint64_t phys,
			   uint64_t bytes);

/* How many of the bytes at @phys, all in one page, were written. */
uint32_t vgt_check_written_count(struct vgt_check_written *written,
				 uint64_t phys, uint32_t bytes);

#endif
