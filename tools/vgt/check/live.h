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

struct vgt_check_access;
struct vgt_check_table;
struct vgt_eu_thread;
struct vgt_inst;
struct vgt_message;

#define VGT_CHECK_LIVE_PLACES 64

/* Of the GRF, a bit for each byte. */
struct vgt_check_bytes {
	uint64_t bit[64];
};

void vgt_check_bytes_set(struct vgt_check_bytes *bytes, uint32_t offset,
			 uint32_t count);

/* The instruction at @ip; NULL: no code that the cache has. */
const struct vgt_inst *vgt_check_code(struct vgt_eu_thread *thread,
				      uint32_t ip);

/*
 * What @inst reads in its lanes @lanes, or sends; false: it may read any register, or it
 * is not known which.
 */
bool vgt_check_sources(const struct vgt_inst *inst, uint32_t lanes,
		       struct vgt_check_bytes *out);

/*
 * Those of @held that may be read from @ip on. Strict is who takes for read what is
 * not known; else what is saved in scratch memory, given to a function or found by an
 * address in a register is not.
 */
void vgt_check_live_from(struct vgt_eu_thread *thread, uint32_t ip,
			 const struct vgt_check_bytes *held, bool strict,
			 struct vgt_check_bytes *out);

/* What a worker remembers of an instruction. */
struct vgt_check_live_place {
	uint64_t launch; /* 0: nothing */
	uint32_t ip;
	/*
	 * Of what its message answers: a bit for each dword of a block, else for each
	 * component, which is set if it may be read; of an atomic operation bit 0.
	 */
	uint64_t live;
	/* Bytes of a lane that were found to be merged, and to be stored again (merge.c). */
	uint64_t merged, kept;
};

/* What is known for the launch; NULL: no memory for it. */
struct vgt_check_live_place *
vgt_check_live_place(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		     const struct vgt_message *message,
		     const struct vgt_check_access *access);

/* That place's @live; all bits, if there is no memory for it. */
uint64_t vgt_check_live(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst,
			const struct vgt_message *message,
			const struct vgt_check_access *access);

#endif
