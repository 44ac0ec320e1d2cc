/* SPDX-License-Identifier: MIT */
/*
 * A view: the memory that one message may touch, addressed by offsets. It
 * hides what lies behind (shared local memory, a bounded surface, the whole
 * address space), translates once per page, and decides what an access outside
 * of it does: reads give 0, writes are lost, unmapped pages are reported.
 */
#ifndef VGT_VIEW_H
#define VGT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ppgtt.h"

struct vgt_eu_thread;
struct vgt_message;
struct vgt_surface;

/* Offsets of local memory wrap; pointers into it carry a tag above. */
#define VGT_VIEW_SLM_MASK 0xffffULL
#define VGT_VIEW_VA_MASK ((1ULL << 48) - 1)

struct vgt_view {
	/* What an access hits without a further look: @len_bytes from @first. */
	uint64_t first, len_bytes;
	uint8_t *host;

	struct vgt_eu_thread *thread;
	uint64_t base; /* GPU address of offset 0 */
	uint64_t size_bytes;
	uint64_t mask; /* applies to offsets */
	uint64_t bad_page; /* reported already */
	enum vgt_access access;
	bool local;
	bool stopped; /* the device stops at faults, and there was one */
};

/* All of the address space, offsets being GPU addresses. */
void vgt_view_flat(struct vgt_view *view, struct vgt_eu_thread *thread,
		   enum vgt_access access);

/* What the table index of @message's descriptor names. May fail the thread. */
int vgt_view_table(struct vgt_view *view, struct vgt_eu_thread *thread,
		   const struct vgt_message *message, enum vgt_access access);

/* A surface of any type, unbounded unless it is a buffer. */
void vgt_view_surface(struct vgt_view *view, struct vgt_eu_thread *thread,
		      const struct vgt_surface *surface,
		      enum vgt_access access);

/* 0, or -EFAULT after failing the thread if a fault stopped the device. */
int vgt_view_close(struct vgt_view *view);

/*
 * Make the window cover [offset, offset + len_bytes) and return its address;
 * NULL if that is not in one page, not in bounds or not mapped.
 */
uint8_t *vgt_view_move(struct vgt_view *view, uint64_t offset,
		       size_t len_bytes);

static inline uint8_t *vgt_view_at(struct vgt_view *view, uint64_t offset,
				   size_t len_bytes)
{
	uint64_t into = offset - view->first;

	if (into < view->len_bytes && view->len_bytes - into >= len_bytes)
		return view->host + into;
	return vgt_view_move(view, offset, len_bytes);
}

/* One element: all of it is in bounds, or none. Any alignment. */
void vgt_view_read(struct vgt_view *view, uint64_t offset, void *out,
		   size_t len_bytes);
void vgt_view_write(struct vgt_view *view, uint64_t offset, const void *in,
		    size_t len_bytes);

/* A run of elements of four bytes. */
void vgt_view_read_run(struct vgt_view *view, uint64_t offset, void *out,
		       size_t len_bytes);
void vgt_view_write_run(struct vgt_view *view, uint64_t offset,
			const void *in, size_t len_bytes);

#endif
