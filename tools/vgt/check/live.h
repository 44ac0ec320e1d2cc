/* SPDX-License-Identifier: MIT */
/*
 * What becomes of bytes in registers: whether an instruction may read them before they
 * are overwritten, whatever way the thread takes from here. Compilers load more than
 * a program asks for; what nobody reads was not asked for.
 */
#ifndef VGT_CHECK_LIVE_H
#define VGT_CHECK_LIVE_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_eu_thread;
struct vgt_inst;

/* Of the GRF, a bit for each byte. */
struct vgt_check_bytes {
	uint64_t bit[64];
};

void vgt_check_bytes_set(struct vgt_check_bytes *bytes, uint32_t offset,
			 uint32_t count);
/* Is one of them set? */
bool vgt_check_bytes_any(const struct vgt_check_bytes *bytes, uint32_t offset,
			 uint32_t count);

bool vgt_check_is_send(const struct vgt_inst *inst);
/* Does the code go on elsewhere, or may it? */
bool vgt_check_is_branch(const struct vgt_inst *inst);

/* The instruction at @ip; NULL: no code that the cache has. */
const struct vgt_inst *vgt_check_code(struct vgt_eu_thread *thread,
				      uint32_t ip);

/*
 * What @inst reads in its lanes @lanes, or sends; false: it may read any register, or it
 * is not known which.
 */
bool vgt_check_sources(const struct vgt_inst *inst, uint32_t lanes,
		       struct vgt_check_bytes *out);

/* What @inst overwrites in its lanes @lanes, a send in all; under a predicate nothing. */
void vgt_check_results(const struct vgt_inst *inst, uint32_t lanes,
		       struct vgt_check_bytes *out);

/*
 * Those of @held that may be read from @ip on. Strict is who takes for read what is
 * not known: what is saved in scratch memory, given to a function or its caller, or found
 * by an address in a register. That goes for all that bounds and races ask (answer.c), and
 * for uninit, until it has seen the bytes in question merged (merge.c).
 */
void vgt_check_live_from(struct vgt_eu_thread *thread, uint32_t ip,
			 const struct vgt_check_bytes *held, bool strict,
			 struct vgt_check_bytes *out);

#endif
