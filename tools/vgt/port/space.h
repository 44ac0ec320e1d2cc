/* SPDX-License-Identifier: MIT */
/*
 * A space: the memory that one message may touch, addressed by offsets. It
 * hides what lies behind (shared local memory, a bounded surface, the whole
 * address space), translates once per page, and decides what an access outside
 * of it does: reads give 0, writes are lost, unmapped pages are reported.
 */
#ifndef VGT_SPACE_H
#define VGT_SPACE_H

#include "gt/ppgtt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_eu_thread;
struct vgt_message;
struct vgt_surface;

/* Offsets of local memory wrap; pointers into it carry a tag above. */
#define VGT_SPACE_SLM_MASK 0xffffULL
#define VGT_SPACE_VA_MASK ((1ULL << 48) - 1)

struct vgt_space {
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
void vgt_space_flat(struct vgt_space *space, struct vgt_eu_thread *thread,
		    enum vgt_access access);

/* What the table index of @message's descriptor names. May fail the thread. */
int vgt_space_table(struct vgt_space *space, struct vgt_eu_thread *thread,
		    const struct vgt_message *message, enum vgt_access access);

/* A surface of any type, unbounded unless it is a buffer. */
void vgt_space_surface(struct vgt_space *space, struct vgt_eu_thread *thread,
		       const struct vgt_surface *surface,
		       enum vgt_access access);

/* 0, or -EFAULT after failing the thread if a fault stopped the device. */
int vgt_space_close(struct vgt_space *space);

/*
 * Make the window cover [offset, offset + len_bytes) and return its address;
 * NULL if that is not in one page, not in bounds or not mapped.
 */
uint8_t *vgt_space_move(struct vgt_space *space, uint64_t offset,
			size_t len_bytes);

static inline uint8_t *vgt_space_at(struct vgt_space *space, uint64_t offset,
				    size_t len_bytes)
{
	uint64_t into = offset - space->first;

	if (into < space->len_bytes && space->len_bytes - into >= len_bytes)
		return space->host + into;
	return vgt_space_move(space, offset, len_bytes);
}

/* One element: all of it is in bounds, or none. Any alignment. */
void vgt_space_read(struct vgt_space *space, uint64_t offset, void *out,
		    size_t len_bytes);
void vgt_space_write(struct vgt_space *space, uint64_t offset, const void *in,
		     size_t len_bytes);

/* A run of elements of four bytes. */
void vgt_space_read_run(struct vgt_space *space, uint64_t offset, void *out,
			size_t len_bytes);
void vgt_space_write_run(struct vgt_space *space, uint64_t offset,
			 const void *in, size_t len_bytes);

#endif
