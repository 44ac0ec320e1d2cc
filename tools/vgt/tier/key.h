/* SPDX-License-Identifier: MIT */
/*
 * What code depends on, as bytes that are the same in every process: this build of the
 * program, the processor, and what was compiled, with or without masks and how well. Of
 * LLVM there is nothing in it, which is only loaded where something has to be compiled.
 */
#ifndef VGT_TIER_KEY_H
#define VGT_TIER_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VGT_KEY_SUFFIX ".code"
#define VGT_KEY_NAME_BYTES (16 + sizeof(VGT_KEY_SUFFIX))

struct vgt_content;

struct vgt_key {
	uint8_t *bytes;
	size_t count;
	char name[VGT_KEY_NAME_BYTES]; /* of a file: 16 hexadecimal digits and the suffix */
};

/* Once, before all others: false if this program has no build ID. */
bool vgt_key_start(void);

/* Of @content; false for want of memory. */
bool vgt_key_init(struct vgt_key *key, const struct vgt_content *content);
void vgt_key_fini(struct vgt_key *key);

/* Is it the name of some key? */
bool vgt_key_has_name(const char *name);

#endif
