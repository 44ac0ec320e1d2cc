/* SPDX-License-Identifier: MIT */
/* What a loop's instructions read before they write it: its variables, maybe. */
#ifndef VGT_LOOP_H
#define VGT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#define VGT_LOOP_VARIABLES 6

struct vgt_eu_thread;
struct vgt_inst;

struct vgt_loop {
	const struct vgt_inst *head;
	uint32_t end; /* ip behind it */
	uint32_t lanes; /* that it has */
	uint16_t counter; /* of turns: a register that each turn takes 1 from */

	/*
	 * Of 16 channels, dwords one behind the other: places of the first
	 * channel's, of what turns change and of what they do not.
	 */
	struct vgt_loop_half {
		uint32_t carried, fixed;
		uint16_t carry[VGT_LOOP_VARIABLES], fix[VGT_LOOP_VARIABLES];
	} half[2];
};

/* False if it cannot be a division. */
bool vgt_loop_scan(struct vgt_eu_thread *thread, const struct vgt_inst *head,
		   struct vgt_loop *loop);

/* Of the code from @head to @end; 0 if there is none. */
uint64_t vgt_loop_digest(struct vgt_eu_thread *thread,
			 const struct vgt_inst *head, uint32_t end);

#endif
