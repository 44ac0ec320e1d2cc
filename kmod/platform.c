// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gen12LP is proven by the tests. Gen9 and Gen11 follow the same debug
 * architecture, without fused EUs and with steering and topology of their own.
 * Documentation/hardware.rst says where each value comes from.
 */
#include "platform.h"

#include <linux/gtdbg_sip.h>
#include <linux/kernel.h>

#include "gtdbg.h"

#define PLATFORM_REGISTERS                                              \
	.td_att = 0xe470, .td_clr = 0xe490, .td_ctl = 0xe400,           \
	.td_ctl_halt = 1 << 6, .td_ctl_exception = 1 << 3,              \
	.current_lrca = 0x2240, .timestamp_low = 0x2358,                \
	.timestamp_high = 0x235c, .ring_head = 0x2034,                  \
	.batch_low = 0x2074, .batch_high = 0x205c, .spawner = 0x206c,   \
	.spawner_done = 3 << 16, .icache = 0x20d8,                      \
	.icache_invalidate = 1 << 6, .steer = 0x0fdc,                   \
	.forcewake = { { 0xa278, 0x0d84 }, { 0xa188, 0x130044 } }

#define PLATFORM_IMAGE                                                  \
	.image_ring_tail = 0x101c, .image_ring_start = 0x1024,          \
	.image_ring_ctl = 0x102c, .image_pdp0 = 0x10c4

/*
 * IGC 1.0.12504.6. It saves acc2 to acc7 as well, not next to the others; a set
 * has one distance between its registers, so they are left out.
 */
static const struct gtdbg_bindful bindful_gen12lp = {
	.code_bytes = 12608,
	.code_crc = 0x6c23ed4e,
	.slot_bytes = 0x1800,
	.last_offset = 0x12b8,
	.regset = {
		[GTDBG_SIP_REGSET_GRF] = { 0x0000, 128, 256, 32 },
		[GTDBG_SIP_REGSET_ADDRESS] = { 0x1000, 1, 256, 32 },
		[GTDBG_SIP_REGSET_FLAG] = { 0x1020, 2, 32, 4 },
		[GTDBG_SIP_REGSET_EMASK] = { 0x103c, 1, 32, 4 },
		[GTDBG_SIP_REGSET_SR] = { 0x1040, 1, 128, 16 },
		[GTDBG_SIP_REGSET_CR] = { 0x1060, 1, 128, 16 },
		[GTDBG_SIP_REGSET_N] = { 0x10a0, 1, 96, 12 },
		[GTDBG_SIP_REGSET_TDR] = { 0x10c0, 1, 128, 16 },
		[GTDBG_SIP_REGSET_ACC] = { 0x10e0, 2, 256, 32 },
		[GTDBG_SIP_REGSET_MME] = { 0x1200, 2, 256, 32 },
		[GTDBG_SIP_REGSET_CE] = { 0x1240, 1, 32, 4 },
		[GTDBG_SIP_REGSET_SP] = { 0x1260, 1, 128, 16 },
		[GTDBG_SIP_REGSET_TM] = { 0x1120, 1, 128, 16 },
	},
};

static const struct gtdbg_platform platforms[] = {
	{
		.id = GTDBG_PLATFORM_GEN9,
		.name = "Gen9",
		.slices_max = 3,
		.subslices_max = 4,
		.eus = 8,
		.threads = 7,
		.att_dwords = 2,
		.att_rows = 1,
		.inst_mov = 0x01,
		.fault = 0x4094,
		.fault_low = 0x4b10,
		.fault_high = 0x4b14,
		.steer_multicast = 1U << 31,
		.steer_slice_shift = 26,
		.steer_subslice_shift = 24,
		PLATFORM_REGISTERS,
		PLATFORM_IMAGE,
	},
	{
		.id = GTDBG_PLATFORM_GEN11,
		.name = "Gen11",
		.slices_max = 1,
		.subslices_max = 8,
		.eus = 8,
		.threads = 7,
		.att_dwords = 2,
		.att_rows = 1,
		.inst_mov = 0x01,
		.fault = 0x4094,
		.fault_low = 0x4b10,
		.fault_high = 0x4b14,
		.steer_multicast = 1U << 31,
		.steer_slice_shift = 27,
		.steer_subslice_shift = 24,
		PLATFORM_REGISTERS,
		PLATFORM_IMAGE,
	},
	{
		.id = GTDBG_PLATFORM_GEN12LP,
		.name = "Gen12LP",
		.slices_max = 1,
		.subslices_max = 6,
		.eus = 16,
		.threads = 7,
		.att_dwords = 2,
		.att_rows = 2,
		.resume_halves = true,
		.inst_mov = 0x61,
		.fault = 0xcec4,
		.fault_low = 0xceb8,
		.fault_high = 0xcebc,
		.timestamp_config = 0x0d00,
		.sip_generation = GTDBG_SIP_GENERATION_GEN12LP,
		.bindful = &bindful_gen12lp,
		.steer_multicast = 1U << 31,
		.steer_slice_shift = 27,
		.steer_subslice_shift = 24,
		PLATFORM_REGISTERS,
		PLATFORM_IMAGE,
	},
};

const struct gtdbg_platform *gtdbg_platform_find(u32 id)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (platforms[i].id == id)
			return &platforms[i];
	return NULL;
}
