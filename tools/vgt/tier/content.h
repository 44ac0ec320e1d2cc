/* SPDX-License-Identifier: MIT */
/*
 * Compiled code by what it was compiled of, wherever that lies: regions with the same
 * instructions share it, be they elsewhere in a page, in other pages, other contexts or
 * a program that is loaded again. What differs is in struct vgt_unit_call:
 * where the head is, and where the instructions are that handlers get.
 */
#ifndef VGT_TIER_CONTENT_H
#define VGT_TIER_CONTENT_H

#include "tier/image.h"
#include "tier/unit.h"

struct vgt_content {
	struct vgt_content *next;
	uint64_t hash;
	uint32_t users;
	bool masks;
	enum vgt_unit_level level;
	struct vgt_graph *graph; /* as if all began a page, and the same one */
	size_t graph_bytes;

	struct vgt_image image;
};

/*
 * A content of its own for @graph, without code, or NULL for want of memory; and its
 * end. Nobody else knows it before it is published.
 */
struct vgt_content *vgt_content_create(const struct vgt_graph *graph, bool masks,
				       enum vgt_unit_level level);
void vgt_content_destroy(struct vgt_content *content);

/* One with code that is the same as @content, for a user more; NULL: there is none. */
struct vgt_content *vgt_content_find(const struct vgt_content *content);
/* A user more; and one less: a few of those that have none are kept. */
void vgt_content_get(struct vgt_content *content);
void vgt_content_put(struct vgt_content *content);

/* Its function, of one that has code. */
vgt_unit_run vgt_content_run(const struct vgt_content *content);

/* Others find it. It has one user. */
void vgt_content_publish(struct vgt_content *content);

#endif
