/* SPDX-License-Identifier: MIT */
/*
 * What a device's program has said of its buffers and kernels. Workers look in
 * copies of the buffers, which they renew when these have changed.
 */
#ifndef VGT_CHECK_TABLE_H
#define VGT_CHECK_TABLE_H

#include "check/answer.h"
#include "check/check.h"

#include <pthread.h>
#include <stdatomic.h>

#define VGT_CHECK_BUCKETS 1024
#define VGT_CHECK_SLOTS 8192

struct vgt_check_argument;
struct vgt_check_kernel;
struct vgt_check_shadow;
struct vgt_check_written;
struct vgt_eu_thread;
struct vgt_worker;

struct vgt_check {
	const struct vgt_memory *memory;
	_Atomic uint64_t generation; /* moves when pieces have changed */
	struct vgt_check_shadow *shadow; /* NULL: races are not looked for */
	struct vgt_check_written *written; /* NULL: nor are reads of what is not */
	_Atomic uint64_t clock; /* of atomic operations and fences */
	_Atomic uint64_t runs; /* of groups */
	_Atomic uint64_t epochs; /* of theirs */

	/* Of which something was said (report.c). */
	_Atomic uint64_t place[VGT_CHECK_SLOTS];
	_Atomic uint32_t places;
	_Atomic bool places_full;

	pthread_mutex_t lock;
	/* Protected by @lock. */
	struct vgt_check_piece *piece; /* in the order of their addresses */
	uint32_t count, capacity;
	struct vgt_check_kernel *kernels;
	uint64_t kernels_bytes;
	/* By buffers' numbers. */
	struct vgt_check_argument *arguments[VGT_CHECK_BUCKETS];
	uint32_t argument_count;
};

/* A worker's copy. */
struct vgt_check_table {
	uint64_t generation;
	struct vgt_check_piece *piece;
	uint32_t count;
	uint32_t last; /* that was found */
	bool fresh; /* one of them is */
	struct vgt_check_answers answers;
};

enum vgt_check_where {
	VGT_CHECK_UNKNOWN = 1, /* memory that nobody has said anything of */
	VGT_CHECK_INSIDE = 2,
	VGT_CHECK_PADDING = 3, /* between a buffer's end and that of its page */
};

/* @worker's copy as it is to be now; NULL: no memory for it. */
struct vgt_check_table *vgt_check_table_get(struct vgt_worker *worker);

/* Where @va is in @thread's address space; false: it is not mapped. */
bool vgt_check_phys_find(struct vgt_eu_thread *thread, uint64_t va,
			 uint64_t *phys_out);

/* What is at @phys; if it is a buffer or its padding, *@piece_out says whose. */
enum vgt_check_where
vgt_check_table_find(struct vgt_check_table *table, uint64_t phys,
		     const struct vgt_check_piece **piece_out);

#endif
