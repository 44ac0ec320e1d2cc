/* SPDX-License-Identifier: MIT */
/*
 * GPGPU_WALKER: what all threads of one launch share. Filled by the command
 * streamer, read only from then on; the pool takes groups from it.
 */
#ifndef VGT_WALKER_H
#define VGT_WALKER_H

#include "gt/ppgtt.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_device;
struct vgt_context;
struct vgt_icache;

/* State that commands leave behind and that persists in a context. */
struct vgt_state {
	uint64_t general_base;
	uint64_t surface_base;
	uint64_t dynamic_base;
	uint64_t indirect_base;
	uint64_t instruction_base;
	uint64_t bindless_base;
	uint64_t sip; /* offset from instruction_base */
	bool sip_valid;
	bool fused_off; /* MEDIA_VFE_STATE: fused-EU dispatch is off */
	uint32_t scratch_code; /* per-thread scratch, 2^n KiB */
	uint64_t scratch_base; /* from general_base, bytes; 0: no scratch */
	uint32_t idd_offset; /* descriptor table, from dynamic_base */
	uint32_t next_dss; /* for its next group: each context begins alike */
};

struct vgt_walker {
	uint64_t serial; /* unique in the process; what is cached of memory lives as long */
	struct vgt_device *device;
	struct vgt_context *context;
	struct vgt_icache *icache; /* of the device */
	struct vgt_ppgtt ppgtt;
	struct vgt_state state; /* as it was when the command came */

	uint64_t kernel; /* first instruction: offset from instruction_base */
	uint32_t simd; /* 8, 16, 32 */
	uint32_t threads; /* per group */
	uint32_t right_mask; /* lanes of a group's last thread */
	uint32_t start[3], end[3]; /* groups, end exclusive */
	uint64_t first; /* that has not run yet, when it was taken off before */
	/* Set: no further groups are to start. */
	const _Atomic bool *preempt;

	uint64_t payload; /* GPU address: cross-thread, then per-thread blocks */
	uint32_t cross_grfs, per_thread_grfs;

	uint32_t slm_bytes;
	bool barrier;
	uint32_t sampler_offset; /* from dynamic_base: r0.3[31:5] */
	uint32_t binding_table; /* from surface_base: r0.4[31:5] */
	uint32_t cr0; /* initial cr0.0: float, rounding, denormal modes */
	uint32_t exceptions; /* initial cr0.1 enables */
};

#endif
