/* SPDX-License-Identifier: MIT */
/* Machine code that may lie anywhere, in pages of its own that nobody can write. */
#ifndef VGT_TIER_IMAGE_H
#define VGT_TIER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_image {
	uint8_t *code; /* NULL: there is none */
	size_t bytes;
	uint32_t entry; /* offset of its function */
};

/*
 * What the linker would make of @object, a relocatable ELF file of x86-64 that needs no
 * other one and has nothing to be written; it begins at a multiple of 8 bytes. The entry
 * is its function @name. False, and no code, if it is no such object, which is said on
 * standard error, or if the system refuses memory, or to execute it.
 */
bool vgt_image_link(struct vgt_image *image, const void *object, size_t bytes,
		    const char *name);

/*
 * From @code, as another image had it. False, and no code, if @entry is not within, or if
 * the system refuses memory, or to execute it.
 */
bool vgt_image_copy(struct vgt_image *image, const void *code, size_t bytes,
		    uint32_t entry);
void vgt_image_fini(struct vgt_image *image);

#endif
