/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * gtdbg_sip.h - memory that the system routine (SIP) and its host share
 *
 * The SIP runs on the GPU when an EU thread takes an exception. It saves the
 * thread's registers to the save area, waits for a command, and restores them.
 * The save area is one allocation per context:
 *
 *	0x0000	struct gtdbg_sip_header: the public "tssarea" header that
 *		describes the register sets of a slot
 *	0x0140	struct gtdbg_sip_control: what gtdbg adds
 *	0x0200	windows: struct gtdbg_sip_window, GTDBG_SIP_WINDOWS_MAX of them
 *	0x0f00	struct gtdbg_sip_ring: which records were written, read and lost
 *	0x1000	the table of instructions that the SIP looks up before it stops
 *		a thread: struct gtdbg_sip_bucket
 *	0x5200	struct gtdbg_sip_ignore, GTDBG_SIP_IGNORES_MAX of them
 *	0x6000	struct gtdbg_sip_program, GTDBG_SIP_PROGRAMS_MAX of them
 *	0x26000	the ring: struct gtdbg_sip_record, GTDBG_SIP_RECORDS_MAX of them
 *	0xa6000	counters: a dword for each program, how many threads it let run on
 *	0xa7000	slots of GTDBG_SIP_SLOT_BYTES, one per hardware thread
 *
 * A reader takes the place of a slot from the public header, as for any SIP:
 * header.size * 8 + header.state_area_offset + thread * header.slot_bytes.
 * The file is also read by the assembler's preprocessor: the constants serve
 * both, the structs are for C alone. All fields are little endian.
 */
#ifndef _LINUX_GTDBG_SIP_H
#define _LINUX_GTDBG_SIP_H

/* From the start of the save area. */
#define GTDBG_SIP_HEADER_BYTES		0x0140
#define GTDBG_SIP_CONTROL_OFFSET	0x0140
#define GTDBG_SIP_CONTROL_FLAGS		0x0158
#define GTDBG_SIP_FILTER_OFFSET		0x0200
#define GTDBG_SIP_FILTER_BYTES		0x0d00
#define GTDBG_SIP_WINDOW_OFFSET		0x0200
#define GTDBG_SIP_WINDOW_BYTES		0x10
#define GTDBG_SIP_WINDOWS_MAX		208
#define GTDBG_SIP_RING_OFFSET		0x0f00
#define GTDBG_SIP_RING_LOST		0x0f04
#define GTDBG_SIP_TABLE_OFFSET		0x1000
#define GTDBG_SIP_TABLE_BYTES		0x4200
#define GTDBG_SIP_IGNORE_OFFSET		0x5200
#define GTDBG_SIP_IGNORE_LIMIT		4 /* in one of them */
#define GTDBG_SIP_IGNORE_BYTES		8
#define GTDBG_SIP_IGNORES_MAX		448
#define GTDBG_SIP_PROGRAM_OFFSET	0x6000
#define GTDBG_SIP_PROGRAM_BYTES		0x80
#define GTDBG_SIP_PROGRAMS_MAX		1024
#define GTDBG_SIP_RECORD_OFFSET		0x26000
#define GTDBG_SIP_RECORD_BYTES		0x80
#define GTDBG_SIP_RECORDS_MAX		4096
#define GTDBG_SIP_COUNT_OFFSET		0xa6000
#define GTDBG_SIP_SLOT_OFFSET		0xa7000
#define GTDBG_SIP_SLOT_BYTES		0x1800

/* "gtdbgsip", little endian. */
#define GTDBG_SIP_CONTROL_MAGIC		0x7069736762647467ULL
/* Major in the upper half: a reader refuses a major that it does not know. */
#define GTDBG_SIP_VERSION		0x00010012
/* Minor versions that brought something a host can ask for. */
#define GTDBG_SIP_MINOR_SLM		1
#define GTDBG_SIP_MINOR_PROGRAM		2 /* the table, programs and ADMIT */
#define GTDBG_SIP_MINOR_RECORD		3 /* the ring, CAPTURE and RECORD */
#define GTDBG_SIP_MINOR_ITEM		4 /* UNIFORM, ITEM, LOAD_BYTE and LOAD_WORD */
#define GTDBG_SIP_MINOR_STEP_RANGE	5
#define GTDBG_SIP_MINOR_COUNT		6 /* programs count */
#define GTDBG_SIP_MINOR_COMPUTE		7 /* FETCH, KEEP and COMPUTE */
#define GTDBG_SIP_MINOR_LONG		8 /* WIDE, CAPTURE_VALUE, MORE and floats */
#define GTDBG_SIP_MINOR_PASS		9 /* the flag PASS */
#define GTDBG_SIP_MINOR_LOCAL		10 /* LOCAL and PLACE */
#define GTDBG_SIP_MINOR_STEP_OVER	12
#define GTDBG_SIP_MINOR_GLOBAL		13 /* windows, FOLLOW and GLOBAL */
#define GTDBG_SIP_MINOR_IGNORE		14
#define GTDBG_SIP_MINOR_STEP_LANES	15
#define GTDBG_SIP_MINOR_STEP_WATCH	16
#define GTDBG_SIP_MINOR_LOAD_LONG	17 /* and FETCH of 8 bytes, COMPUTE_*_LONG, GLOBAL_OWN */
#define GTDBG_SIP_MINOR_SURE		18 /* PROGRAM_SURE */

/*
 * Flags of the control block. Without ACTIVE the SIP returns to the kernel at
 * once, a breakpoint suppressed and a step ended: no slot is written. From minor
 * version 9 on, with PASS, threads pass breakpoints at their kernel's entry and behind
 * it, until the kernel has set its modes in cr0.0, as its first instructions do. In all
 * but that they are as with ACTIVE alone. Either flag may change while threads run; a
 * step that would end there does not while PASS is set.
 */
#define GTDBG_SIP_CONTROL_F_ACTIVE	0x1
#define GTDBG_SIP_CONTROL_F_PASS	0x2

/* Generations: values of gtdbg_sip_control.generation. */
#define GTDBG_SIP_GENERATION_GEN12LP	0x0c01

/*
 * The table. An instruction's home is the bucket at byte (ip & TABLE_MASK); if
 * that is another's it is in one of those that follow, before the first empty one.
 * There is no way round from the end.
 */
#define GTDBG_SIP_TABLE_MASK		0x3ff8
#define GTDBG_SIP_TABLE_VALUE		4 /* in a bucket */
/* In the lowest bits of a bucket's tag, which are those of no ip. */
#define GTDBG_SIP_TABLE_PROGRAM		0
#define GTDBG_SIP_TABLE_LAUNCH		1
#define GTDBG_SIP_TABLE_GONE		2 /* with no ip: was in use */

/*
 * Operations of a program. It is carried out for the enabled channels, eight at a
 * time, and has a *place* and a *value* for each. It begins with all of them; who
 * fails a comparison is out, and does not load. If any is left at END, or was left at
 * an OR, the thread stops, else it runs on. OR begins anew with the others. An operation
 * that is none of these stops the thread.
 */
#define GTDBG_SIP_OP_END		1
#define GTDBG_SIP_OP_OR			2
#define GTDBG_SIP_OP_ADD		3 /* place += a + channel * b */
#define GTDBG_SIP_OP_REGISTER		4 /* value = dword at byte a of r0... */
#define GTDBG_SIP_OP_ADDRESS		5 /* place = qword at byte a of r0... */
#define GTDBG_SIP_OP_LOAD		6 /* value = four bytes at place */
/* Comparisons of (value ^ b) with a, as signed numbers; c is 0, or 0xff: not. */
#define GTDBG_SIP_OP_EQUAL		7
#define GTDBG_SIP_OP_LESS		8
#define GTDBG_SIP_OP_GREATER		9
/*
 * From minor version 3 on. A captured value waits for RECORD, which writes one record
 * with those channels that are left, or were left at an OR; they are out then. With an
 * OR behind it all begin anew, for another record, with neither place nor value.
 */
#define GTDBG_SIP_OP_CAPTURE		10 /* ADD a, b; LOAD; it is captured as c */
#define GTDBG_SIP_OP_CAPTURE_REGISTER	11 /* REGISTER a; it is captured as c */
#define GTDBG_SIP_OP_RECORD		12 /* write a record with the tag a */
/* From minor version 4 on. A LOAD of less, with zeros above it. */
#define GTDBG_SIP_OP_LOAD_BYTE		13
#define GTDBG_SIP_OP_LOAD_WORD		14
#define GTDBG_SIP_OP_UNIFORM		15 /* value = dword at byte a, in all channels */
/*
 * value = word at byte a + dword at byte b[15:0] * dword at byte b[31:16] + dword
 * at byte c: of a work-item, of the size of a group, of the group, of the first one.
 */
#define GTDBG_SIP_OP_ITEM		16
/*
 * From minor version 7 on. FETCH: ADDRESS a[15:0]; ADD c, b; LOAD of a[31:16] bytes, 1,
 * 2 or 4, or of 8, see LOAD_LONG. KEEP: the value is kept, for COMPUTE: value = value * other, by the
 * GTDBG_SIP_COMPUTE_* that b is; with COMPUTE_KEPT in c the other one is what was
 * kept, else a; with COMPUTE_TURNED it is other * value. A comparison gives 1 or 0.
 */
#define GTDBG_SIP_OP_FETCH		17
#define GTDBG_SIP_OP_KEEP		18
#define GTDBG_SIP_OP_COMPUTE		19
/*
 * From minor version 8 on. WIDE compares the eight bytes at place, which is a multiple
 * of 4, with the number whose lower half is a and whose upper one b, as c says; there
 * is no value behind it. CAPTURE_VALUE: the value is captured as c. MORE, the last one
 * of its place, goes on with the operations of the program a, which belongs to the same
 * instruction: see gtdbg_sip_program.part.
 */
#define GTDBG_SIP_OP_WIDE		20
#define GTDBG_SIP_OP_CAPTURE_VALUE	21
#define GTDBG_SIP_OP_MORE		22
/*
 * From minor version 10 on: value = c[23:16] bytes, 1, 2 or 4, of the group's local
 * memory, with zeros above them. They begin at a; with LOCAL_INDEX in c, value * c[15:0]
 * behind that; with LOCAL_KEPT behind the lower half of what was kept. The thread stops
 * if they begin behind b in a channel that is left, as an unsigned number, or the value
 * that is multiplied is not between -GTDBG_SIP_SLM_END and it.
 */
#define GTDBG_SIP_OP_LOCAL		23

/* place = the qword at byte a, for all channels, + c + channel * b. */
#define GTDBG_SIP_OP_PLACE		24

/*
 * From minor version 13 on. FOLLOW: place = the qword at place, which leads anywhere
 * from then on; there is no value behind it. GLOBAL: value = c[23:16] bytes at place,
 * 1, 2 or 4, with zeros above them; with GLOBAL_INDEX in c at place + what was kept *
 * c[15:0], as signed numbers, or with GLOBAL_UNSIGNED as one without a sign. There is no
 * place behind it, but with 8 bytes, which are no value: the next operation may compare (WIDE),
 * load (LOAD_LONG) or follow (FOLLOW) them, and so may the one behind a WIDE. The thread
 * stops if in a channel that is left what was kept is not between -b and b, or is above b
 * without a sign. It stops as well if not all of these bytes lie in the window a, or that is
 * none, and what it has not loaded is in GTDBG_SIP_SLOT_OUTSIDE then.
 * From minor version 17 on, with GLOBAL_OWN beside GLOBAL_INDEX it takes any place, as LOAD
 * does, and no window: a is 0.
 */
#define GTDBG_SIP_OP_FOLLOW		25
#define GTDBG_SIP_OP_GLOBAL		26

/*
 * From minor version 14 on, right before END: if any channel is left, or was left at an
 * OR, the thread takes a number, at byte a of those at GTDBG_SIP_IGNORE_OFFSET, and runs
 * on if it is below the limit there; else it gives the number back, and stops.
 */
#define GTDBG_SIP_OP_IGNORE		27

/*
 * From minor version 17 on: value = the qword at place, which is a multiple of 4; FETCH does
 * so with 8 bytes. In a channel that is left any that is not from 0 to 0x7fffffff makes the
 * thread stop.
 */
#define GTDBG_SIP_OP_LOAD_LONG		28

/*
 * From minor version 18 on, as the first operation of a program with records: all is carried
 * out without them first, for all channels, and if the thread would not stop once more with
 * them. So who stops has written none. A thread that would stop the second time, as something
 * was changed meanwhile, runs on if it has written one, and what it lacks is counted as one
 * that was lost. The module takes it out and says so to all parts: GTDBG_SIP_PROGRAM_SURE.
 */
#define GTDBG_SIP_OP_SURE		29

#define GTDBG_SIP_GLOBAL_INDEX		0x1000000
#define GTDBG_SIP_GLOBAL_UNSIGNED	0x2000000
#define GTDBG_SIP_GLOBAL_OWN		0x4000000
#define GTDBG_SIP_GLOBAL_BYTES_SHIFT	16

#define GTDBG_SIP_LOCAL_BYTES_SHIFT	16
#define GTDBG_SIP_LOCAL_INDEX		0x1000000
#define GTDBG_SIP_LOCAL_KEPT		0x2000000

#define GTDBG_SIP_WIDE_NOT		0xff
#define GTDBG_SIP_WIDE_LESS		0x100 /* is it less? Else: is it equal? */
#define GTDBG_SIP_WIDE_UNSIGNED		0x200

#define GTDBG_SIP_COMPUTE_ADD		1
#define GTDBG_SIP_COMPUTE_SUBTRACT	2
#define GTDBG_SIP_COMPUTE_AND		3
#define GTDBG_SIP_COMPUTE_OR		4
#define GTDBG_SIP_COMPUTE_XOR		5
#define GTDBG_SIP_COMPUTE_MULTIPLY	6
/* By the lowest five bits of what stands on the right. */
#define GTDBG_SIP_COMPUTE_SHIFT_LEFT	7
#define GTDBG_SIP_COMPUTE_SHIFT_RIGHT	8 /* zeros follow */
#define GTDBG_SIP_COMPUTE_SHIFT_SIGNED	9 /* the sign follows */
#define GTDBG_SIP_COMPUTE_LESS		10 /* of signed numbers */
#define GTDBG_SIP_COMPUTE_BELOW		11 /* of unsigned ones */
/* By a number that is neither 0 nor -1. */
#define GTDBG_SIP_COMPUTE_QUOTIENT	12
#define GTDBG_SIP_COMPUTE_REMAINDER	13
#define GTDBG_SIP_COMPUTE_QUOTIENT_UNSIGNED	14
#define GTDBG_SIP_COMPUTE_REMAINDER_UNSIGNED	15
/* Of floats, from minor version 8 on: none of them holds for what is no number. */
#define GTDBG_SIP_COMPUTE_FLOAT_LESS	16
#define GTDBG_SIP_COMPUTE_FLOAT_MOST	17 /* less or equal */
#define GTDBG_SIP_COMPUTE_FLOAT_EQUAL	18
/*
 * Of numbers without a sign, from minor version 17 on. In a channel that is left the thread
 * stops if the exact result is not from 0 to 0x7fffffff, and so it does, but for products, if
 * an operand is not.
 */
#define GTDBG_SIP_COMPUTE_ADD_LONG	19
#define GTDBG_SIP_COMPUTE_SUBTRACT_LONG	20
#define GTDBG_SIP_COMPUTE_MULTIPLY_LONG	21
#define GTDBG_SIP_COMPUTE_LAST		21

#define GTDBG_SIP_COMPUTE_KEPT		0x1
#define GTDBG_SIP_COMPUTE_TURNED	0x2

/* Captured values of one record. */
#define GTDBG_SIP_CAPTURES_MAX		3
/*
 * With so many records written and not read, what follows is lost. Each thread may
 * write one between another's look at that number and its own record.
 */
#define GTDBG_SIP_RECORDS_LIMIT		3072

/* In one place. The last one is taken for an END, unless it is MORE. */
#define GTDBG_SIP_OPS_MAX		7
/* Of a program in several places, each but the last one with MORE behind six others. */
#define GTDBG_SIP_PARTS_MAX		4
#define GTDBG_SIP_PROGRAM_OPS_MAX	25
/* In gtdbg_sip_program.part, of whose number all of FLAGS are no part. */
#define GTDBG_SIP_PROGRAM_SURE		0x80000000
#define GTDBG_SIP_PROGRAM_FLAGS		0xc0000000

/* Windows of a program, as a session brings it: the module says which ones they are. */
#define GTDBG_SIP_PROGRAM_WINDOWS_MAX	4
/*
 * GTDBG_SIP_SLOT_TICKET, from minor version 2 on: the count that the thread found at
 * a launch's bucket, 0 for the first thread of a launch and less for those that
 * follow; this, if it did not stop there.
 */
#define GTDBG_SIP_TICKET_NONE		1

/* Exclusive or of all dwords of a program and of its ip. */
#define GTDBG_SIP_PROGRAM_MAGIC		0x67707367
/* Exclusive or of all dwords of a window. */
#define GTDBG_SIP_WINDOW_MAGIC		0x67647767
/* Exclusive or of all dwords of a record. */
#define GTDBG_SIP_RECORD_MAGIC		0x67647267

/*
 * A slot, from its start. Up to 0x1280 it is laid out as Intel's bindless
 * debug SIP does it for this generation.
 */
#define GTDBG_SIP_SLOT_GRF		0x0000 /* r0 to r127, 32 bytes each */
#define GTDBG_SIP_SLOT_ADDRESS		0x1000 /* a0.0 to a0.15, 16 bits each */
#define GTDBG_SIP_SLOT_FLAG		0x1020 /* f0, f1 */
#define GTDBG_SIP_SLOT_EMASK		0x103c /* channels enabled at the stop */
#define GTDBG_SIP_SLOT_SR		0x1040 /* sr0.0-3, sr1.0-3 */
#define GTDBG_SIP_SLOT_CR		0x1060 /* cr0.0-3; cr0.2 is the IP */
#define GTDBG_SIP_SLOT_N		0x10a0 /* n0.0-2 */
#define GTDBG_SIP_SLOT_TDR		0x10c0 /* tdr0 */
#define GTDBG_SIP_SLOT_ACC		0x10e0 /* acc0 to acc7, mme0, mme1 */
#define GTDBG_SIP_SLOT_TM		0x1220 /* tm0.0-3 */
#define GTDBG_SIP_SLOT_CE		0x1240
#define GTDBG_SIP_SLOT_SP		0x1260
#define GTDBG_SIP_SLOT_DBG		0x1280 /* always 0x00ffffff */
#define GTDBG_SIP_SLOT_MAGIC		0x1284 /* "srmagic" and a zero byte */
#define GTDBG_SIP_SLOT_VERSION		0x128c
#define GTDBG_SIP_SLOT_COUNT		0x1290 /* one byte: odd while stopped */
#define GTDBG_SIP_SLOT_STOPS		0x1294 /* stops of this slot so far */
#define GTDBG_SIP_SLOT_REFUSED		0x1298 /* last refused command */
#define GTDBG_SIP_SLOT_TICKET		0x129c /* see GTDBG_SIP_TICKET_NONE */
#define GTDBG_SIP_SLOT_COMMAND		0x12a0 /* struct gtdbg_sip_command */
#define GTDBG_SIP_SLOT_ACC_HIGH		0x1320 /* bits 63:32 of acc0, acc1 */
#define GTDBG_SIP_SLOT_FC		0x1360 /* fc0.0-31, then fc1, fc2, fc3 */
#define GTDBG_SIP_SLOT_IDENTITY		0x1400 /* struct gtdbg_sip_identity */
#define GTDBG_SIP_SLOT_MSG		0x14e0 /* msg0 to msg7 */
#define GTDBG_SIP_SLOT_MME		0x1500 /* mme2 to mme7 */
#define GTDBG_SIP_SLOT_FILTER		0x15c0 /* scratch of programs */
#define GTDBG_SIP_SLOT_OUTSIDE		0x1660 /* struct gtdbg_sip_outside */
/*
 * In slot 0 of an area that is one of Intel's SIPs', which write none of a slot from
 * 0x1320 on: struct gtdbg_sip_owner, if gtdbg has had the runtime load the SIP.
 */
#define GTDBG_SIP_SLOT_OWNER		0x1700

/*
 * Commands. The SIP writes READY when all registers are saved and whenever it
 * has done or refused a command without leaving; anything it does not know, or
 * with operands that are out of range, is refused: the number goes to
 * GTDBG_SIP_SLOT_REFUSED and the thread waits on.
 * RESUME and STEP leave: registers are restored from the slot as it is then,
 * cr0.1[31:26] excepted, which the command alone decides.
 * SLM_READ and SLM_WRITE, from minor version 1 on, copy bytes of the shared
 * local memory of the thread's work-group to or from the command's buffer.
 */
#define GTDBG_SIP_COMMAND_RESUME	0
#define GTDBG_SIP_COMMAND_READY		1
#define GTDBG_SIP_COMMAND_SLM_READ	2
#define GTDBG_SIP_COMMAND_SLM_WRITE	3
#define GTDBG_SIP_COMMAND_STEP		16 /* one instruction, then stop again */
/* As RESUME, and @size_bytes threads may pass the bucket at byte @offset. */
#define GTDBG_SIP_COMMAND_ADMIT		17
/*
 * From minor version 5 on: as STEP, and again as long as struct gtdbg_sip_step_range
 * says so. Its lower half is that of STEP.
 */
#define GTDBG_SIP_COMMAND_STEP_RANGE	0x10010
/*
 * From minor version 12 on: as STEP_RANGE, over calls. Who knows STEP_RANGE alone does
 * not write the second half of its block.
 */
#define GTDBG_SIP_COMMAND_STEP_OVER	0x20010
/* Where a compiler keeps what a function needs to return: see gtdbg_sip_step_range. */
#define GTDBG_SIP_FRAME_FIRST		125
#define GTDBG_SIP_FRAME_LAST		127

/* Of one SLM_READ or SLM_WRITE, and of the memory that it can address. */
#define GTDBG_SIP_SLM_BYTES_MAX		112
#define GTDBG_SIP_SLM_END		0x10000
#define GTDBG_SIP_COMMAND_BUFFER	0x10 /* from GTDBG_SIP_SLOT_COMMAND */

/* Flags of gtdbg_sip_identity. */
#define GTDBG_SIP_IDENTITY_F_VALID	0x1

#ifndef __ASSEMBLY__
#include <linux/types.h>

/**
 * struct gtdbg_sip_regset - where a register set lies in a slot
 * @offset: from the start of the slot
 * @count: registers; 0: the set is not saved
 * @bits: width of a register
 * @bytes: distance from one register to the next
 * @__reserved: zero
 */
struct gtdbg_sip_regset {
	__u32 offset;
	__u16 count;
	__u16 bits;
	__u16 bytes;
	__u16 __reserved[3];
};

/* Order of the sets in gtdbg_sip_header.regset. */
#define GTDBG_SIP_REGSET_GRF		0
#define GTDBG_SIP_REGSET_ADDRESS	1
#define GTDBG_SIP_REGSET_FLAG		2
#define GTDBG_SIP_REGSET_EMASK		3
#define GTDBG_SIP_REGSET_SR		4
#define GTDBG_SIP_REGSET_CR		5
#define GTDBG_SIP_REGSET_N		6
#define GTDBG_SIP_REGSET_TDR		7
#define GTDBG_SIP_REGSET_ACC		8
#define GTDBG_SIP_REGSET_MME		9
#define GTDBG_SIP_REGSET_CE		10
#define GTDBG_SIP_REGSET_SP		11
#define GTDBG_SIP_REGSET_COMMAND	12
#define GTDBG_SIP_REGSET_TM		13
#define GTDBG_SIP_REGSET_FC		14
#define GTDBG_SIP_REGSET_DBG		15
#define GTDBG_SIP_REGSETS		16

/**
 * struct gtdbg_sip_header - the public header of a save area
 * @magic: "tssarea" and a zero byte
 * @__reserved0: zero
 * @version_major: 2
 * @version_minor: 0
 * @version_patch: 0
 * @size: bytes of this header, divided by 8
 * @__reserved1: zero
 * @slices: slices
 * @subslices_per_slice: dual sub-slices per slice
 * @eus_per_subslice: EUs per dual sub-slice
 * @threads_per_eu: threads per EU
 * @state_area_offset: from the end of the header to slot 0
 * @slot_bytes: distance from one slot to the next
 * @slm_area_offset: zero
 * @slm_bank_bytes: zero
 * @slm_bank_valid: zero
 * @slot_magic_offset: of "srmagic", from the start of a slot
 * @regset: register sets, indexed by GTDBG_SIP_REGSET_*
 */
struct gtdbg_sip_header {
	__u8 magic[8];
	__u64 __reserved0;
	__u8 version_major;
	__u8 version_minor;
	__u16 version_patch;
	__u8 size;
	__u8 __reserved1[3];
	__u32 slices;
	__u32 subslices_per_slice;
	__u32 eus_per_subslice;
	__u32 threads_per_eu;
	__u32 state_area_offset;
	__u32 slot_bytes;
	__u32 slm_area_offset;
	__u32 slm_bank_bytes;
	__u32 slm_bank_valid;
	__u32 slot_magic_offset;
	struct gtdbg_sip_regset regset[GTDBG_SIP_REGSETS];
};

/**
 * struct gtdbg_sip_control - gtdbg's control block
 * @magic: GTDBG_SIP_CONTROL_MAGIC
 * @version: GTDBG_SIP_VERSION
 * @size_bytes: from the start of this struct to slot 0
 * @token: ties the context to a client; the host's to choose, 0 as loaded
 * @flags: GTDBG_SIP_CONTROL_F_*
 * @filters: stop filters in use; zero in this version
 * @generation: GTDBG_SIP_GENERATION_*: the GPU that the SIP is for
 * @filter_offset: of the windows, from the start of the save area; before minor version 13
 *	of room for stop filters, of which there never were any
 * @filter_bytes: what there is for them
 * @identity_offset: of struct gtdbg_sip_identity, from the start of a slot
 * @acc_high_offset: of bits 63:32 of acc0 and acc1, likewise
 * @fc_offset: of fc0 to fc3, likewise
 * @__reserved: zero
 *
 * @magic to @filters are read by the SIP as one register.
 */
struct gtdbg_sip_control {
	__u64 magic;
	__u32 version;
	__u32 size_bytes;
	__u64 token;
	__u32 flags;
	__u32 filters;
	__u32 generation;
	__u32 filter_offset;
	__u32 filter_bytes;
	__u32 identity_offset;
	__u32 acc_high_offset;
	__u32 fc_offset;
	__u32 __reserved[34];
};

/**
 * struct gtdbg_sip_owner - whose a save area without a control block is
 * @magic: GTDBG_SIP_CONTROL_MAGIC
 * @token: as in struct gtdbg_sip_control
 */
struct gtdbg_sip_owner {
	__u64 magic;
	__u64 token;
};

/**
 * struct gtdbg_sip_window - memory that does not fault
 * @first: address of its first byte, bits 63:48 as pointers have them
 * @bytes: of it, 8 or more
 * @check: such that the exclusive or of all dwords is GTDBG_SIP_WINDOW_MAGIC: else it
 *	is no window, and who looks into it stops
 *
 * The host makes one while a launch is in flight which has that memory, and takes it
 * back before a thread of the next launch has come past its kernel's entry.
 */
struct gtdbg_sip_window {
	__u64 first;
	__u32 bytes;
	__u32 check;
};

/**
 * struct gtdbg_sip_bucket - one of the table
 * @tag: ip of an instruction, and GTDBG_SIP_TABLE_*; 0: was never in use
 * @value: PROGRAM: number of the program. LAUNCH, a kernel's entry: how many
 *	threads may still pass. Each takes one off, below zero as well, and stops if
 *	there was none: so the first one of a launch does, and the others until
 *	that one is given ADMIT with their number
 */
struct gtdbg_sip_bucket {
	__u32 tag;
	__u32 value;
};

/**
 * struct gtdbg_sip_op - an operation of a program
 * @op: GTDBG_SIP_OP_*
 * @a: first operand
 * @b: second operand
 * @c: third operand
 *
 * Registers are named by the byte of the register file where channel 0 has its
 * value; the next channel's lies behind it.
 */
struct gtdbg_sip_op {
	__u32 op;
	__u32 a;
	__u32 b;
	__u32 c;
};

/**
 * struct gtdbg_sip_program - decides whether a breakpoint concerns the host
 * @check: such that the exclusive or of all dwords and of the ip to which it is
 *	bound is GTDBG_SIP_PROGRAM_MAGIC; else the thread stops
 * @count: its counter's place, in bytes from GTDBG_SIP_COUNT_OFFSET on: each thread
 *	that runs on adds 1 there
 * @part: in its lowest two bits which part this is, 0 the first one; above them a
 *	number that all parts have and no other program of this instruction has had
 *	lately. What MORE leads to must be the next part: so a thread stops that
 *	was on its way while the program was replaced, and after four parts. With
 *	GTDBG_SIP_PROGRAM_SURE in each, records are written when it is carried out again
 * @first: number of the first part, where the next eight channels begin
 * @op: operations
 */
struct gtdbg_sip_program {
	__u32 check;
	__u32 count;
	__u32 part;
	__u32 first;
	struct gtdbg_sip_op op[GTDBG_SIP_OPS_MAX];
};

/**
 * struct gtdbg_sip_ignore - how many threads run on where they would stop
 * @taken: by so many threads, or by some that are about to give it back. They change it
 *	by atomic messages alone; the host does before a program leads there
 * @limit: the host's: numbers below it let a thread run on
 *
 * A thread looks at @limit once it has its number: who lowers @limit and reads @taken
 * then knows of all that may have found the old one.
 */
struct gtdbg_sip_ignore {
	__u32 taken;
	__u32 limit;
};

/**
 * struct gtdbg_sip_ring - which records there are
 * @written: how many records threads have taken a place for: the number of the
 *	next one. Its place is that modulo GTDBG_SIP_RECORDS_MAX
 * @lost: how many found no place
 * @read: the host's: records before this one are of no use to it any more
 * @__reserved: zero
 *
 * Threads change @written and @lost by atomic messages alone, and the host neither.
 */
struct gtdbg_sip_ring {
	__u32 written;
	__u32 lost;
	__u32 read;
	__u32 __reserved;
};

/**
 * struct gtdbg_sip_record - what eight channels of a thread held at a breakpoint
 * @check: such that the exclusive or of all dwords is GTDBG_SIP_RECORD_MAGIC: else
 *	it is not there yet, or not whole
 * @ip: of the breakpoint
 * @slot: where the thread's slot begins, in units of 16 bytes
 * @lanes: of the eight, for which it was written
 * @first: channel of the first of them: 0, 8, 16 or 24
 * @turn: records of this thread's stop before this one
 * @time: the thread's clock, tm0
 * @tag: of the RECORD
 * @number: of the record, as in gtdbg_sip_ring.written
 * @value: captured values; what was not captured is anything
 */
struct gtdbg_sip_record {
	__u32 check;
	__u32 ip;
	__u32 slot;
	__u8 lanes;
	__u8 first;
	__u16 turn;
	__u64 time;
	__u32 tag;
	__u32 number;
	__u32 value[GTDBG_SIP_CAPTURES_MAX][8];
};

/**
 * struct gtdbg_sip_outside - what a GLOBAL has not loaded
 * @op: that operation
 * @__reserved: of no use
 * @place: where it would have looked, in eight channels, of which some may have no place
 *
 * From an earlier stop, if the thread has not stopped for that.
 */
struct gtdbg_sip_outside {
	struct gtdbg_sip_op op;
	__u32 __reserved[4];
	__u64 place[8];
};

/**
 * struct gtdbg_sip_command - command block of a slot
 * @command: GTDBG_SIP_COMMAND_*; written last by either side
 * @size_bytes: SLM commands: bytes to copy, 1 to GTDBG_SIP_SLM_BYTES_MAX. With
 *	READY: bytes that the last command has copied, 0 if it was refused
 * @offset: SLM commands: first byte in the local memory; the last one must lie
 *	below GTDBG_SIP_SLM_END
 * @buffer: SLM commands: the bytes, the first @size_bytes of it
 *
 * The host gives an SLM command only to a thread that is READY, and the next
 * command when it is READY again. The SIP does not know how much local memory
 * the work-group has: what lies beyond is the host's to avoid.
 */
struct gtdbg_sip_command {
	__u32 command;
	__u32 size_bytes;
	__u64 offset;
	__u8 buffer[112];
};

/**
 * struct gtdbg_sip_step_range - command block of a slot, to step over a range
 * @command: GTDBG_SIP_COMMAND_STEP_RANGE or GTDBG_SIP_COMMAND_STEP_OVER
 * @ip_first: start of the range
 * @bytes: of the range: from there on, no instruction is in it
 * @watch_messages: from minor version 16 on, bit i: stop before a message of type i to data
 *	cache 1 in the range that may be for one of the bytes that are watched; 0 for
 *	older versions
 * @base: address that instruction pointers are relative to, in its canonical form:
 *	bits 63:48 repeat bit 47
 * @steps: how many are left, 0: 2^32. The SIP counts down
 * @lanes: from minor version 15 on, channels that step: the thread goes on, wherever it is,
 *	while none of them is enabled; 0: all channels do. Zero for older versions
 * @frame_register: STEP_OVER, as is what follows: the register that has the address to
 *	return to as its dword 0 and the stack pointer, which grows, as its dword 2:
 *	GTDBG_SIP_FRAME_FIRST or GTDBG_SIP_FRAME_LAST
 * @stack: the stack pointer of the function that the range is in
 * @function_first: its first instruction
 * @function_bytes: from there on, no instruction is in that function
 * @watch_first: with @watch_messages: a message is for watched bytes if the address of one of
 *	its channels is this one, or less than @watch_bytes behind it: so it is where the bytes
 *	begin, less what a channel may access before
 * @watch_bytes: from there on
 * @__reserved: zero
 *
 * The thread makes one step, and another one as long as it is in the range or has left it
 * without @lanes, no
 * breakpoint bit stands in the instruction that it has come to, nothing but a step or
 * a breakpoint was the cause, and there are steps left. The command stays in the slot,
 * also when the thread ends in the range; another one that stops in this slot before a
 * debugger has resumed it has come to a breakpoint, and stops.
 * With STEP_OVER it goes on in calls as well: outside of the function, where the
 * stack pointer is above @stack, or is @stack and the address to return to lies behind
 * @ip_first, and in the range or at its end. So does a called function before it has
 * made its frame, and after it has given it up. What has returned stops, and a thread
 * that has run nothing but its first instructions.
 * With @watch_messages it also stops before a message of theirs, but if the step begins there.
 * Those types have a 64-bit address for each channel in their first source; bits 63:48 do not
 * count. Channels that are off count as well. Where it cannot look it stops, too: at short
 * forms, and addresses in r0 to r3 or behind r127.
 */
struct gtdbg_sip_step_range {
	__u32 command;
	__u32 ip_first;
	__u32 bytes;
	__u32 watch_messages;
	__u64 base;
	__u32 steps;
	__u32 lanes;
	__u32 frame_register;
	__u32 stack;
	__u32 function_first;
	__u32 function_bytes;
	__u64 watch_first;
	__u32 watch_bytes;
	__u32 __reserved;
};

/**
 * struct gtdbg_sip_identity - which work-items a thread holds
 * @flags: GTDBG_SIP_IDENTITY_F_VALID once written
 * @ip: of the thread's first instruction
 * @lanes: channels that the thread was started with (sr0.2)
 * @stop: GTDBG_SIP_SLOT_STOPS at the time
 * @group: work-group id
 * @scratch: r0.5: scratch base and hardware thread id
 * @local: r1 to r6 as they were: local ids, 16 bits per lane, x then y then z.
 *	A dimension takes one register up to 16 lanes, else two.
 *
 * Written when a thread stops at its first instruction, before anything is
 * overwritten, and kept until the next such stop in the same slot. So it
 * belongs to the stopped thread if all threads of the launch stop there.
 */
struct gtdbg_sip_identity {
	__u32 flags;
	__u32 ip;
	__u32 lanes;
	__u32 stop;
	__u32 group[3];
	__u32 scratch;
	__u8 local[192];
};
#endif /* __ASSEMBLY__ */

#endif /* _LINUX_GTDBG_SIP_H */
