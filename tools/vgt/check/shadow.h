/* SPDX-License-Identifier: MIT */
/*
 * Shadow memory: who has touched each dword last, kept for pages that were touched.
 * What another launch has left in a cell is none.
 */
#ifndef VGT_CHECK_SHADOW_H
#define VGT_CHECK_SHADOW_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define VGT_CHECK_CELLS 1024 /* of a page */
#define VGT_CHECK_PARTS 16 /* of a page, each with a lock: groups lie side by side */

/* An access as others see it. */
struct vgt_check_party {
	uint64_t time; /* of the device's clock of atomic operations */
	uint32_t group; /* its number in the launch */
	uint32_t barriers; /* that the group had passed */
	uint32_t ip;
	uint8_t thread, lane;
	uint8_t bytes; /* of the dword, a bit for each; 0: nobody */
	bool all; /* no lane is meant, or several */
};

/* A cache line: most dwords have one writer or reader in a launch. */
struct vgt_check_cell {
	uint64_t launch;
	uint32_t value; /* that was written last */
	/* That has written it, as its group counts, and which bytes of it. */
	uint32_t message : 26, message_bytes : 4;
	uint32_t two_writers : 1, two_readers : 1; /* the rest has the second */
	struct vgt_check_party writer, reader;
};

/* The rest of a cell, which is nothing but for what that says. */
struct vgt_check_rest {
	struct vgt_check_party writer, reader;
};

/* Of dwords that lie side by side. */
struct vgt_check_cells {
	struct vgt_check_cell *cell;
	struct vgt_check_rest *rest;
	uint64_t *known; /* the epoch in which whole reads tell nothing more */
};

struct vgt_check_page {
	struct vgt_check_page *next;
	uint64_t number; /* of the physical page */
	/* Protect what @cells points to, each its part. */
	pthread_mutex_t lock[VGT_CHECK_PARTS];
	struct vgt_check_cells cells;
	uint64_t known[VGT_CHECK_CELLS]; /* theirs */
};

struct vgt_check_shadow *vgt_check_shadow_create(void);
void vgt_check_shadow_destroy(struct vgt_check_shadow *shadow);

/* The page, made if it is not there; NULL: there is no room. */
struct vgt_check_page *vgt_check_shadow_page(struct vgt_check_shadow *shadow,
					     uint64_t number);

/* Those from @number on. */
static inline struct vgt_check_cells
vgt_check_cells_from(const struct vgt_check_cells *cells, uint32_t number)
{
	return (struct vgt_check_cells){
		.cell = cells->cell + number, .rest = cells->rest + number,
		.known = cells->known + number,
	};
}

/* @cell as one of @launch. */
static inline void vgt_check_cell_renew(struct vgt_check_cell *cell,
					uint64_t launch)
{
	if (cell->launch != launch)
		*cell = (struct vgt_check_cell){ .launch = launch };
}

#endif
