/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between generations of the GT: all of it stands here, so that
 * everything else is common code.
 */
#ifndef GTDBG_PLATFORM_H
#define GTDBG_PLATFORM_H

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>
#include <linux/types.h>

struct gtdbg_forcewake {
	u32 request, ack;
};

/*
 * The SIP that the runtime installs by itself. It describes nothing in memory,
 * so all that is known of it stands here, and it is taken for that SIP only if
 * its code is the very same.
 */
struct gtdbg_bindful {
	u32 code_bytes, code_crc;
	u32 slot_bytes;
	u32 last_offset; /* in a slot: the last 8 bytes that the SIP saves */
	struct gtdbg_sip_regset regset[GTDBG_SIP_REGSETS];
};

struct gtdbg_platform {
	u32 id; /* GTDBG_PLATFORM_* */
	const char *name;

	u32 slices_max, subslices_max, eus, threads;

	/*
	 * Attention: dword i of a sub-slice holds four bytes, one for each
	 * column of EUs, of a bit for each thread. On platforms with fused EUs
	 * two rows share the bit: EU = i * 4 * rows + row * 4 + column.
	 */
	u32 att_dwords, att_rows;
	u32 td_att, td_clr;
	/* Threads in both halves of a sub-slice have to be resumed together. */
	bool resume_halves;

	u32 td_ctl, td_ctl_halt, td_ctl_exception;

	u32 current_lrca, timestamp_low, timestamp_high;
	u32 timestamp_config; /* 0: its frequency is not known */
	u32 ring_head, batch_low, batch_high; /* where the streamer is */
	u32 spawner, spawner_done; /* these bits: it has no threads out */
	u32 fault, fault_low, fault_high;
	u32 icache, icache_invalidate; /* masked write */
	struct gtdbg_forcewake forcewake[2];

	/* Context image, bytes from the LRCA. */
	u32 image_ring_tail, image_ring_start, image_ring_ctl;
	u32 image_pdp0; /* high half, the next register, low half */

	u32 inst_mov; /* opcode of the instruction that holds a cookie */
	u32 sip_generation; /* GTDBG_SIP_GENERATION_*, 0: gtdbg has no SIP */
	const struct gtdbg_bindful *bindful; /* NULL: not known */

	/* Selector for steering: where slice and sub-slice go. */
	u32 steer, steer_multicast, steer_slice_shift, steer_subslice_shift;
};

/* NULL: no such platform. */
const struct gtdbg_platform *gtdbg_platform_find(u32 id);

/* Instruction bits, the same on all platforms here (dword 0). */
#define GTDBG_INST_COMPACT 0x20000000
#define GTDBG_INST_BREAK_COMPACT 0x00000080
#define GTDBG_INST_BREAK_NATIVE 0x40000000
#define GTDBG_INST_OPCODE 0x7f
#define GTDBG_INST_MOV 0x61 /* from Gen12 on */
#define GTDBG_INST_MOV_GEN9 0x01

static inline u32 gtdbg_inst_len_bytes(u32 dword0)
{
	return dword0 & GTDBG_INST_COMPACT ? 8 : 16;
}

/* All 16 bytes of one; code does not say for which platform it is. */
static inline bool gtdbg_inst_is_assert(const u32 *dword)
{
	u32 opcode = dword[0] & GTDBG_INST_OPCODE;

	return dword[3] == GTDBG_ASSERT_MARK &&
	       (opcode == GTDBG_INST_MOV || opcode == GTDBG_INST_MOV_GEN9);
}

static inline u32 gtdbg_inst_break_bit(u32 dword0)
{
	return dword0 & GTDBG_INST_COMPACT ? GTDBG_INST_BREAK_COMPACT :
					     GTDBG_INST_BREAK_NATIVE;
}

#endif
