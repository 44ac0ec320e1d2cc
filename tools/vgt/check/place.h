/* SPDX-License-Identifier: MIT */
/* Who does something: a lane of a thread as a work-item, and code as a kernel's. */
#ifndef VGT_CHECK_PLACE_H
#define VGT_CHECK_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_check_access;
struct vgt_eu_thread;
struct vgt_group;
struct vgt_inst;
struct vgt_walker;

/* A lane of a thread of a walker. */
struct vgt_check_item {
	uint32_t group[3];
	uint32_t thread; /* of the group */
	uint32_t lane;
	bool all; /* the thread as a whole: no lane is meant */

	/* What the thread's payload says, if it says anything. */
	bool known, global_known;
	uint32_t local[3], global[3]; /* @global: without the launch's offset */
};

/* Index of @thread in its group. */
uint32_t vgt_check_thread_index(const struct vgt_eu_thread *thread);

/* Groups of a launch by number, and which one that is. */
uint32_t vgt_check_group_number(const struct vgt_group *group);
void vgt_check_group_id(const struct vgt_walker *walker, uint32_t number,
			uint32_t id[3]);

/* Are lanes of @access, done at @inst, those of no work-items? */
bool vgt_check_is_uniform(const struct vgt_inst *inst,
			  const struct vgt_check_access *access);

/* Who does @access at @inst in its lane @lane. */
void vgt_check_item_init(struct vgt_check_item *item,
			 const struct vgt_eu_thread *thread,
			 const struct vgt_inst *inst,
			 const struct vgt_check_access *access, uint32_t lane);

/* Fills in what the payload of @item's thread in @thread's walker says. */
void vgt_check_item_complete(struct vgt_eu_thread *thread,
			     struct vgt_check_item *item);

#endif
