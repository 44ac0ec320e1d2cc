/* SPDX-License-Identifier: MIT */
/* Machine code that may lie anywhere, in pages of its own that nobody can write. */
#ifndef VGT_TIER_IMAGE_H
#define VGT_TIER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_image {
	uint8_t *bytes; /* NULL: there is none */
	size_t count;
	uint32_t entry; /* of its function */
};

/*
 * What the linker would make of @object, a relocatable ELF file of x86-64 that needs no
 * other one and has nothing to be written: false if it is none, with the reason on
 * standard error, or for want of memory. The entry is function @name.
 */
bool vgt_image_link(struct vgt_image *image, const void *object, size_t bytes,
		    const char *name);

/* From @bytes, as another image had them: false for want of memory. */
bool vgt_image_copy(struct vgt_image *image, const void *bytes, size_t count,
		    uint32_t entry);
void vgt_image_destroy(struct vgt_image *image);

#endif
