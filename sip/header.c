// SPDX-License-Identifier: MIT
/*
 * Writes gen12lp_header.bin to stdout: what a fresh save area begins with. The
 * runtime copies it to the start of each area it allocates.
 */
#include <linux/gtdbg_sip.h>

#include <stddef.h>
#include <stdio.h>

#define CONTROL(member) \
	(GTDBG_SIP_CONTROL_OFFSET + offsetof(struct gtdbg_sip_control, member))
#define SLOT_END(offset, type) ((offset) + sizeof(type))

/* The assembler takes the constants; C takes the structs. */
_Static_assert(sizeof(struct gtdbg_sip_header) == GTDBG_SIP_HEADER_BYTES,
	       "size of the public header");
_Static_assert(offsetof(struct gtdbg_sip_header, regset) == 64,
	       "place of the register sets");
_Static_assert(sizeof(struct gtdbg_sip_regset) == 16,
	       "size of a register set");
_Static_assert(CONTROL(flags) == GTDBG_SIP_CONTROL_FLAGS,
	       "place of the flags");
_Static_assert(GTDBG_SIP_CONTROL_OFFSET + sizeof(struct gtdbg_sip_control) ==
	       GTDBG_SIP_FILTER_OFFSET, "size of the control block");
_Static_assert(GTDBG_SIP_FILTER_OFFSET + GTDBG_SIP_FILTER_BYTES ==
	       GTDBG_SIP_RING_OFFSET && GTDBG_SIP_RING_OFFSET +
	       sizeof(struct gtdbg_sip_ring) <= GTDBG_SIP_TABLE_OFFSET,
	       "room for filters");
_Static_assert(GTDBG_SIP_RING_OFFSET + offsetof(struct gtdbg_sip_ring, lost) ==
	       GTDBG_SIP_RING_LOST, "place of the lost records");
_Static_assert(sizeof(struct gtdbg_sip_record) == GTDBG_SIP_RECORD_BYTES,
	       "size of a record");
_Static_assert(sizeof(struct gtdbg_sip_program) == GTDBG_SIP_PROGRAM_BYTES,
	       "size of a program");
_Static_assert(GTDBG_SIP_TABLE_OFFSET + GTDBG_SIP_TABLE_BYTES <=
	       GTDBG_SIP_PROGRAM_OFFSET, "room for the table");
_Static_assert(GTDBG_SIP_RECORD_OFFSET - GTDBG_SIP_PROGRAM_OFFSET ==
	       GTDBG_SIP_PROGRAMS_MAX * GTDBG_SIP_PROGRAM_BYTES,
	       "room for programs");
_Static_assert(GTDBG_SIP_COUNT_OFFSET - GTDBG_SIP_RECORD_OFFSET ==
	       GTDBG_SIP_RECORDS_MAX * GTDBG_SIP_RECORD_BYTES,
	       "room for records");
_Static_assert(GTDBG_SIP_SLOT_OFFSET - GTDBG_SIP_COUNT_OFFSET ==
	       GTDBG_SIP_PROGRAMS_MAX * sizeof(__u32), "room for counters");
_Static_assert(offsetof(struct gtdbg_sip_program, count) == 4,
	       "place of the counter");
_Static_assert(SLOT_END(GTDBG_SIP_SLOT_COMMAND, struct gtdbg_sip_command) ==
	       GTDBG_SIP_SLOT_ACC_HIGH, "size of the command block");
_Static_assert(offsetof(struct gtdbg_sip_step_range, base) ==
	       GTDBG_SIP_COMMAND_BUFFER, "place of the steps that are left");
_Static_assert(SLOT_END(GTDBG_SIP_SLOT_IDENTITY, struct gtdbg_sip_identity) ==
	       GTDBG_SIP_SLOT_MSG, "size of the identity record");

/* What lies before slot 0, but for the table, programs and records, which are zero. */
struct area {
	struct gtdbg_sip_header header;
	struct gtdbg_sip_control control;
	__u8 filters[GTDBG_SIP_FILTER_BYTES];
	__u8 ring[GTDBG_SIP_TABLE_OFFSET - GTDBG_SIP_RING_OFFSET];
};
_Static_assert(sizeof(struct area) == GTDBG_SIP_TABLE_OFFSET,
	       "place of the table");

static const struct area area = {
	.header = {
		.magic = "tssarea",
		.version_major = 2,
		.size = GTDBG_SIP_HEADER_BYTES / 8,
		.slices = 1,
		.subslices_per_slice = 6,
		.eus_per_subslice = 16,
		.threads_per_eu = 7,
		.state_area_offset =
			GTDBG_SIP_SLOT_OFFSET - GTDBG_SIP_HEADER_BYTES,
		.slot_bytes = GTDBG_SIP_SLOT_BYTES,
		.slot_magic_offset = GTDBG_SIP_SLOT_MAGIC,
		.regset = {
			[GTDBG_SIP_REGSET_GRF] = {
				GTDBG_SIP_SLOT_GRF, 128, 256, 32, { 0 } },
			[GTDBG_SIP_REGSET_ADDRESS] = {
				GTDBG_SIP_SLOT_ADDRESS, 1, 256, 32, { 0 } },
			[GTDBG_SIP_REGSET_FLAG] = {
				GTDBG_SIP_SLOT_FLAG, 2, 32, 4, { 0 } },
			[GTDBG_SIP_REGSET_EMASK] = {
				GTDBG_SIP_SLOT_EMASK, 1, 32, 4, { 0 } },
			[GTDBG_SIP_REGSET_SR] = {
				GTDBG_SIP_SLOT_SR, 2, 128, 16, { 0 } },
			[GTDBG_SIP_REGSET_CR] = {
				GTDBG_SIP_SLOT_CR, 1, 128, 16, { 0 } },
			[GTDBG_SIP_REGSET_N] = {
				GTDBG_SIP_SLOT_N, 1, 96, 12, { 0 } },
			[GTDBG_SIP_REGSET_TDR] = {
				GTDBG_SIP_SLOT_TDR, 1, 128, 16, { 0 } },
			[GTDBG_SIP_REGSET_ACC] = {
				GTDBG_SIP_SLOT_ACC, 10, 256, 32, { 0 } },
			[GTDBG_SIP_REGSET_CE] = {
				GTDBG_SIP_SLOT_CE, 1, 32, 4, { 0 } },
			[GTDBG_SIP_REGSET_SP] = {
				GTDBG_SIP_SLOT_SP, 1, 128, 16, { 0 } },
			[GTDBG_SIP_REGSET_COMMAND] = {
				GTDBG_SIP_SLOT_COMMAND, 1, 1024, 128, { 0 } },
			[GTDBG_SIP_REGSET_TM] = {
				GTDBG_SIP_SLOT_TM, 1, 128, 16, { 0 } },
			[GTDBG_SIP_REGSET_DBG] = {
				GTDBG_SIP_SLOT_DBG, 1, 32, 4, { 0 } },
		},
	},
	.control = {
		.magic = GTDBG_SIP_CONTROL_MAGIC,
		.version = GTDBG_SIP_VERSION,
		.size_bytes = GTDBG_SIP_SLOT_OFFSET - GTDBG_SIP_CONTROL_OFFSET,
		.generation = GTDBG_SIP_GENERATION_GEN12LP,
		.filter_offset = GTDBG_SIP_FILTER_OFFSET,
		.filter_bytes = GTDBG_SIP_FILTER_BYTES,
		.identity_offset = GTDBG_SIP_SLOT_IDENTITY,
		.acc_high_offset = GTDBG_SIP_SLOT_ACC_HIGH,
		.fc_offset = GTDBG_SIP_SLOT_FC,
	},
};

int main(void)
{
	return fwrite(&area, sizeof(area), 1, stdout) != 1 || fflush(stdout);
}
