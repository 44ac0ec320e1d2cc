/* SPDX-License-Identifier: MIT */
/*
 * What of a message's answer is read by the code that follows (live.c): strictly, so
 * that what is not known is read. It is found once for an instruction in a launch, and
 * for each descriptor of one that has it in a register.
 */
#ifndef VGT_CHECK_ANSWER_H
#define VGT_CHECK_ANSWER_H

#include <stdint.h>

struct vgt_check_access;
struct vgt_eu_thread;
struct vgt_inst;
struct vgt_message;

struct vgt_check_answer {
	uint64_t launch; /* 0: nothing */
	uint32_t ip, desc;
	/*
	 * A bit for each dword of a block, else for each component, which is set if it
	 * may be read; of an atomic operation bit 0.
	 */
	uint64_t live;
	/* Of scattered messages a bit for each byte of a lane, as struct vgt_check_holes. */
	uint64_t bytes;
};

/* What a worker remembers: it grows until the instructions of a launch have room. */
struct vgt_check_answers {
	struct vgt_check_answer *place;
	uint32_t count; /* of places, a power of two; or 0 */
};

void vgt_check_answers_fini(struct vgt_check_answers *answers);

void vgt_check_answer_get(struct vgt_eu_thread *thread,
			  const struct vgt_inst *inst,
			  const struct vgt_message *message,
			  const struct vgt_check_access *access,
			  struct vgt_check_answer *out);

/*
 * Its @live of a load of several, if anything of that is read; else all bits. Compilers
 * load more at once than is asked for: a fourth value with three, or all that lies
 * between two.
 */
uint64_t vgt_check_answer_wanted(struct vgt_eu_thread *thread,
				 const struct vgt_inst *inst,
				 const struct vgt_message *message,
				 const struct vgt_check_access *access);

#endif
