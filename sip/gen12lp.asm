/* SPDX-License-Identifier: MIT */
/*
 * System routine for Gen12LP. See Documentation/sip.rst.
 *
 * An EU thread comes here when it takes an exception, its registers as the
 * kernel left them and cr0.0[31] set. Every instruction is (W), that is runs
 * whatever the channel enables are, but the two that read the enables.
 *
 * dbg0.0 and dbg0.1 are the only registers that no kernel uses. The save area
 * is the bindless surface at offset 0: binding table entry 0 may be a buffer
 * of the kernel. A block message takes its place in owords of 16 bytes from
 * dword 2 of its header.
 *
 * Dependencies: an ALU instruction waits for those before it ({@1}). Sends use
 * scoreboard entry 0, which is waited for before their registers are touched.
 */
#include <linux/gtdbg_sip.h>

#define OW(bytes) ((bytes) / 16)

/* Data cache 0, bindless surface: oword block of 4, 2 or 1 registers, or half. */
#define WRITE4 0x100 0x020A04FC
#define WRITE2 0x80 0x020A03FC
#define WRITE1 0x40 0x020A02FC
#define WRITE_HALF 0x40 0x020A00FC
#define READ4 0x0 0x024804FC
#define READ2 0x0 0x022803FC
#define READ1 0x0 0x021802FC
#define READ_HALF 0x0 0x021800FC
/* Data cache 1, bindless surface: a dword per lane, offset in bytes. */
#define READ_DWORD 0x0 0x02106EFC
#define ATOMIC_INC 0x0 0x0210B5FC
#define ATOMIC_DEC 0x0 0x0210B6FC
#define ATOMIC_ADD 0x40 0x0210B7FC
/* Data cache 1, by 64-bit addresses: four bytes per lane, two, or one. */
#define READ_GLOBAL 0x0 0x041408FF
#define READ_GLOBAL_WORD 0x0 0x041404FF
#define READ_GLOBAL_BYTE 0x0 0x041400FF
/* And two dwords of each, in two registers. */
#define READ_GLOBAL_PAIR 0x0 0x042405FF

/* Data cache 0, shared local memory: a byte per lane, each in a dword, or more; fence. */
#define SLM_READ 0x0 0x021100FE
#define SLM_READ_WORD 0x0 0x021104FE
#define SLM_READ_DWORD 0x0 0x021108FE
#define SLM_WRITE 0x40 0x020300FE
#define SLM_FENCE 0x0 0x0219E0FE

/* cr0.0 */
#define CR_SIP 0x80008000 /* in the SIP; suppress the next breakpoint */
#define CR_LEAVE 0x7FFFFFFF
#define CR_SUPPRESS 0x8000
#define CR_NO_ACC 0x2
/* Denormal modes: one of a kernel's first instructions sets them. */
#define CR_PROLOG 0x4C0
#define CR_DENORMALS 0x80 /* of floats are kept */
/* cr0.1 */
#define CR_NO_CAUSE 0x03FFEFFF /* nor the enable below */
#define CR_ILLEGAL_ENABLE 0x1000
#define CR_STEP 0x80000000
#define CR_OTHER_CAUSE 0x7C000000
#define CR_ILLEGAL 0x10000000 /* its enable is the same bit of the lower word */

/* "srma", the first half of a slot's magic */
#define MAGIC 0x616D7273

/* The first dword of an instruction, whose breakpoint bit has two places. */
#define INST_COMPACT 0x20000000
#define INST_BREAK 0x40000000
#define INST_COMPACT_SHIFT 23
/* Its opcode, and of a message the port, in dword 2. */
#define INST_OPCODE 0x7F
#define INST_SEND 0x31
#define INST_SENDC 0x32
#define INST_PORT 0xF0000000
#define INST_PORT_DC1 0xC0000000
/* Where its addresses are, in dword 2; which message, in dword 3; for how many channels. */
#define INST_SOURCE 0xFF00
#define INST_SOURCE_SHIFT 3
#define INST_TYPE_SHIFT 20
#define INST_SIZE_SHIFT 16

/* A program's first operation and its last one, in the register file. */
#define OP_BYTES 16
#define PROGRAM_FIRST (4 * 32 + OP_BYTES)
/* Registers below are in the slot while a program runs. */
#define WORK_END (13 * 32)
/* Which part of a program, in what all parts have. */
#define PART_MASK (GTDBG_SIP_PARTS_MAX - 1)
/* The program is carried out once more, in r2.7; no part of it has that. */
#define PROGRAM_AGAIN (GTDBG_SIP_PROGRAM_FLAGS ^ GTDBG_SIP_PROGRAM_SURE)
#define SIGN 0x80000000

#define MOV(d, s) (W) mov (1|M0) d<1>:ud s<0;1,0>:ud {@1}
#define SET(d, imm) (W) mov (1|M0) d<1>:ud imm:ud {@1}
#define ALU(op, d, s, imm) (W) op (1|M0) d<1>:ud s<0;1,0>:ud imm:ud {@1}
#define MOV4(d, s) (W) mov (4|M0) d<1>:ud s<4;4,1>:ud {@1}
#define MOV8(d, s) (W) mov (8|M0) d<1>:ud s<8;8,1>:ud {@1}
#define ZERO8(d) (W) mov (8|M0) d<1>:ud 0:ud {@1}
#define TEST(cond, s, imm) \
	(W) cmp (1|M0) (cond)f0.0 null<1>:ud s<0;1,0>:ud imm:ud {@1}
#define TEST_BITS(s, imm) \
	(W) and (1|M0) (ne)f0.0 null<1>:ud s<0;1,0>:ud imm:ud {@1}

/* Once the general registers are saved: r1 header, r2.0 the slot in owords. */
#define SEEK(bytes) \
	(W) add (1|M0) r1.2<1>:ud r2.0<0;1,0>:ud OW(bytes):ud {$0.src}
#define PUT(size, s) (W) send.dc0 (16|M0) null r1 s size {@1,$0}
#define GET(size, d) (W) send.dc0 (16|M0) d r1 null size {@1,$0}
#define SENT (W) sync.nop null {$0.src}
#define DONE (W) sync.nop null {$0.dst}
#define SAVE4(n) SEEK(GTDBG_SIP_SLOT_GRF + 32 * n) ; PUT(WRITE4, r##n)
#define LOAD4(n) SEEK(GTDBG_SIP_SLOT_GRF + 32 * n) ; GET(READ4, r##n)

/* The channels that are enabled. Clobbered: f0. */
#define ENABLED(d) \
	SET(f0.0, 0) ; \
	cmp (16|M0) (eq)f0.0 null<1>:uw r0.0<16;16,1>:uw r0.0<16;16,1>:uw {@1} ; \
	cmp (16|M16) (eq)f0.0 null<1>:uw r0.0<16;16,1>:uw r0.0<16;16,1>:uw {@1} ; \
	MOV(d, f0.0)

/* A place in the bucket that f0.1 says, and the next operation of a program. */
#define BUCKET(offset) \
	(W) add (1|M0) r0.0<1>:ud f0.1<0;1,0>:uw (offset):ud {@1}
#define FETCH \
	(W) mov (4|M0) r8.0<1>:ud r[a0.0]<4;4,1>:ud {@1} ; \
	(W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw OP_BYTES:uw {@1}

/*
 * Before two registers are read from the slot, which may be r12 and r13: the latter no
 * program touches, so it is not there yet.
 */
#define SAVE_PAIR \
	SEEK(GTDBG_SIP_SLOT_GRF + 32 * 13) ; \
	PUT(WRITE1, r13) ; \
	SENT

/* d = the dword at byte r2.3 of the register file. Clobbered: r2.3, r3.3, r12, f0. */
#define FILE_DWORD(d, name) \
	ALU(and, r2.3, r2.3, 0xFFC) ; \
	ALU(add, r3.3, r2.3, -32) ; \
	TEST(lt, r3.3, WORK_END - 32) ; \
	(W&f0.0) jmpi name##_saved ; \
	(W) mov (1|M0) a0.1<1>:uw r2.6<0;1,0>:uw {@1} ; \
	(W) mov (1|M0) d<1>:ud r[a0.1]<0;1,0>:ud {@1} ; \
	(W) jmpi name##_read ; \
name##_saved: \
	ALU(shr, r3.3, r2.3, 4) ; \
	(W) add (1|M0) r1.2<1>:ud r2.0<0;1,0>:ud r3.3<0;1,0>:ud {@1} ; \
	GET(READ_HALF, r12) ; \
	ALU(and, r2.3, r2.3, 0xC) ; \
	(W) add (1|M0) a0.1<1>:uw r2.6<0;1,0>:uw (12 * 32):uw {@1} ; \
	DONE ; \
	(W) mov (1|M0) d<1>:ud r[a0.1]<0;1,0>:ud {@1} ; \
name##_read:

/* Each address plus r12, with its sign; a carry goes up. */
#define MOVE_PLACE \
	(W) add (8|M0) r9.0<2>:ud r9.0<8;4,2>:ud r12.0<8;8,1>:ud {@1} ; \
	(W) cmp (8|M0) (lt)f0.0 null<1>:ud r9.0<8;4,2>:ud r12.0<8;8,1>:ud {@1} ; \
	(W) asr (8|M0) r12.0<1>:d r12.0<8;8,1>:d 31:uw {@1} ; \
	(W) add (8|M0) r9.1<2>:d r9.1<8;4,2>:d r12.0<8;8,1>:d {@1} ; \
	(W&f0.0) add (8|M0) r9.1<2>:d r9.1<8;4,2>:d 1:d {@1}

/* Each address plus r8.1 and, for each channel, r8.2. */
#define ADD_PLACE \
	(W) mov (8|M0) r11.0<1>:uw 0x76543210:v {@1} ; \
	(W) mov (8|M0) r12.0<1>:ud r11.0<8;8,1>:uw {@1} ; \
	(W) add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r2.2<0;1,0>:ud {@1} ; \
	(W) mul (8|M0) r12.0<1>:d r12.0<8;8,1>:d r8.4<0;1,0>:w {@1} ; \
	(W) add (8|M0) r12.0<1>:d r12.0<8;8,1>:d r8.1<0;1,0>:d {@1} ; \
	MOVE_PLACE

/*
 * In: all of the kernel's registers. Out: r1 header, r2.0 slot, r1 to r4 in the
 * slot, dbg0.1 r0.2. Until they are, r0.2 is the work register, as two words.
 */
#define FIND_SLOT \
	MOV(dbg0.1, r0.2) ; \
	(W) and (1|M0) r0.4<1>:uw sr0.0<0;1,0>:uw 0x30:uw {@1} ; \
	(W) shr (1|M0) r0.4<1>:uw r0.4<0;1,0>:uw 4:uw {@1} ; \
	(W) mul (1|M0) r0.4<1>:uw r0.4<0;1,0>:uw 7:uw {@1} ; \
	(W) and (1|M0) r0.5<1>:uw sr0.0<0;1,0>:uw 7:uw {@1} ; \
	(W) add (1|M0) r0.4<1>:uw r0.4<0;1,0>:uw r0.5<0;1,0>:uw {@1} ; \
	(W) shr (1|M0) r0.5<1>:uw sr0.0<0;1,0>:uw 7:uw {@1} ; \
	(W) mul (1|M0) r0.5<1>:uw r0.5<0;1,0>:uw 28:uw {@1} ; \
	(W) add (1|M0) r0.2<1>:ud r0.4<0;1,0>:uw r0.5<0;1,0>:uw {@1} ; \
	(W) mul (1|M0) r0.2<1>:ud r0.2<0;1,0>:ud OW(GTDBG_SIP_SLOT_BYTES):uw {@1} ; \
	ALU(add, r0.2, r0.2, OW(GTDBG_SIP_SLOT_OFFSET + GTDBG_SIP_SLOT_GRF + 32)) ; \
	(W) send.dc0 (16|M0) null r0 r1 WRITE4 {@1,$0} ; \
	SENT ; \
	MOV8(r1.0, r0.0) ; \
	ALU(add, r2.0, r0.2, -OW(GTDBG_SIP_SLOT_GRF + 32)) ; \
	MOV(r0.2, dbg0.1)

/*
 * Entry. In: nothing. Leaves at once if no session is active: the flags read as
 * 0 as well if there is no save area. A stop for a breakpoint alone is looked up
 * in the table: r0.0 is the only work register, and f0.1, which follows the bucket.
 * A launch's thread passes if it takes a ticket: what has brought others is asked
 * with the tag (f0.0), by itself only where that is none of a launch. At stop all
 * entries are passed if the flags say so: a kernel sets its modes right behind.
 * What runs on in a session takes exceptions at illegal instructions; what passes
 * without one does not, as nobody would get it past one of them.
 * Out: dbg0.0 f0, dbg0.1 r0.0; for decide, f0.1 the bucket. Clobbered: dbg0.0,
 * dbg0.1, r0.0, f0.
 */
entry:
	(W) sync.allrd null
	(W) sync.allwr null
	MOV(dbg0.0, f0.0)
	MOV(dbg0.1, r0.0)
	SET(r0.0, GTDBG_SIP_CONTROL_FLAGS)
	(W) send.dc1 (1|M0) r0 r0 null READ_DWORD {@1,$0}
	(W) and (1|M0) (ne)f0.0 null<1>:ud r0.0<0;1,0>:ud GTDBG_SIP_CONTROL_F_ACTIVE:ud {$0.dst}
	(W&~f0.0) jmpi pass
	(W) and (1|M0) f0.1<1>:uw cr0.2<0;1,0>:ud GTDBG_SIP_TABLE_MASK:ud {@1}
	(W) and (1|M0) (eq)f0.0 null<1>:ud cr0.1<0;1,0>:ud CR_OTHER_CAUSE:ud {@1}
probe:
	BUCKET(GTDBG_SIP_TABLE_OFFSET)
	(W) send.dc1 (1|M0) r0 r0 null READ_DWORD {@1,$0}
	(W) xor (1|M0) r0.0<1>:ud r0.0<0;1,0>:ud cr0.2<0;1,0>:ud {$0.dst}
	(W&f0.0) cmp (1|M0) (eq)f0.0 null<1>:ud r0.0<0;1,0>:ud GTDBG_SIP_TABLE_LAUNCH:ud {@1}
	(W&f0.0) jmpi launch
	TEST_BITS(cr0.1, CR_OTHER_CAUSE)
	(W&f0.0) jmpi stop
	TEST(eq, r0.0, 0)
	(W&f0.0) jmpi decide
	(W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.0<0;1,0>:ud cr0.2<0;1,0>:ud {@1}
	(W&f0.0) jmpi stop
	(W) add (1|M0) f0.1<1>:uw f0.1<0;1,0>:uw 8:uw {@1}
	(W) cmp (1|M0) (lt)f0.0 null<1>:uw f0.1<0;1,0>:uw GTDBG_SIP_TABLE_BYTES:uw {@1}
	(W&f0.0) jmpi probe
	(W) jmpi stop
launch:
	BUCKET(GTDBG_SIP_TABLE_OFFSET + GTDBG_SIP_TABLE_VALUE)
	(W) send.dc1 (1|M0) r0 r0 null ATOMIC_DEC {@1,$0}
	(W) cmp (1|M0) (gt)f0.0 null<1>:d r0.0<0;1,0>:d 0:d {$0.dst}
	(W&~f0.0) jmpi no_ticket
run:
	MOV(r0.0, dbg0.1)
	MOV(f0.0, dbg0.0)
	ALU(and, cr0.1, cr0.1, CR_NO_CAUSE)
	ALU(or, cr0.1, cr0.1, CR_ILLEGAL_ENABLE)
	ALU(or, cr0.0, cr0.0, CR_SUPPRESS)
	ALU(and, cr0.0, cr0.0, CR_LEAVE)
	(W) nop
	(W) nop
pass:
	MOV(r0.0, dbg0.1)
	MOV(f0.0, dbg0.0)
	ALU(and, cr0.1, cr0.1, CR_NO_CAUSE)
	ALU(or, cr0.0, cr0.0, CR_SUPPRESS)
	ALU(and, cr0.0, cr0.0, CR_LEAVE)
	(W) nop
	(W) nop

/*
 * A program. In: as above. Its registers, besides a0 and f1, are r1 to r12, which
 * it saves where a stop does: r1 header, r2.0 slot, r2.1 enabled channels not
 * looked at yet, r2.2 the first of these eight, r2.3 scratch, r2.4 a0, r2.5 f1,
 * r2.6 channels for which an alternative held, r2.7 the part of the program, with
 * PROGRAM_SURE while it writes no records, and then PROGRAM_AGAIN; r3.0 not 0 if the slot keeps nothing;
 * r4 to r7 the program, a0.0 the place
 * of its next operation, r8 the current one; r9 and r10 addresses, r11 the
 * value, r12 scratch. Of r2.6 only the lower word; the upper one counts records. A
 * record is made in r9 to r12, with r3 and r8 as scratch. f1.0: of these eight channels, those for which all holds so
 * far. Whatever is not as it should be stops the thread. A thread that was told
 * to step stops as well: its command is still in the slot.
 */
decide:
	BUCKET(GTDBG_SIP_TABLE_OFFSET + GTDBG_SIP_TABLE_VALUE)
	(W) send.dc1 (1|M0) r0 r0 null READ_DWORD {@1,$0}
	(W) mov (1|M0) f0.0<1>:ud r0.0<0;1,0>:ud {$0.dst}
	MOV(r0.0, dbg0.1)
	FIND_SLOT
	SAVE4(5)
	SAVE4(9)
	/* Does it stay there? A slot that is not mapped reads as zeros. */
	SEEK(GTDBG_SIP_SLOT_GRF + 32 * 14)
	PUT(WRITE1, r1)
	GET(READ1, r3)
	(W) xor (1|M0) r3.0<1>:ud r3.2<0;1,0>:ud r1.2<0;1,0>:ud {$0.dst}
	ALU(and, r2.3, f0.0, GTDBG_SIP_PROGRAMS_MAX - 1)
	ALU(shl, r2.3, r2.3, 3)
	ALU(add, r1.2, r2.3, OW(GTDBG_SIP_PROGRAM_OFFSET))
	GET(READ4, r4)
	SEEK(GTDBG_SIP_SLOT_COMMAND)
	GET(READ_HALF, r10)
	MOV(r2.4, a0.0)
	MOV(r2.5, f1.0)
	ENABLED(r2.1)
	(W) mov (2|M0) r2.2<4>:ud 0:ud {@1} /* and r2.6 */
	DONE
	(W) xor (16|M0) r8.0<1>:ud r4.0<8;8,1>:ud r6.0<8;8,1>:ud {@1}
	(W) xor (8|M0) r8.0<1>:ud r8.0<8;8,1>:ud r9.0<8;8,1>:ud {@1}
	(W) xor (4|M0) r8.0<1>:ud r8.0<4;4,1>:ud r8.4<4;4,1>:ud {@1}
	(W) xor (2|M0) r8.0<1>:ud r8.0<2;2,1>:ud r8.2<2;2,1>:ud {@1}
	(W) xor (1|M0) r8.0<1>:ud r8.0<0;1,0>:ud r8.1<0;1,0>:ud {@1}
	(W) xor (1|M0) r8.0<1>:ud r8.0<0;1,0>:ud cr0.2<0;1,0>:ud {@1}
	(W) xor (1|M0) r8.0<1>:ud r8.0<0;1,0>:ud r3.0<0;1,0>:ud {@1}
	TEST(ne, r8.0, GTDBG_SIP_PROGRAM_MAGIC)
	(W&f0.0) jmpi stops
	/* Or over a range. */
	(W) cmp (1|M0) (eq)f0.0 null<1>:uw r10.0<0;1,0>:uw GTDBG_SIP_COMMAND_STEP:uw {@1}
	(W&f0.0) jmpi stops
	MOV(r2.7, r4.2)
	(W) and (1|M0) f1.0<1>:uw r2.2<0;1,0>:uw 0xFF:uw {@1}
	/* Whatever the program is, it ends: here, or with its parts. */
part:
	TEST(ne, r7.4, GTDBG_SIP_OP_MORE)
	(W&f0.0) mov (1|M0) r7.4<1>:ud GTDBG_SIP_OP_END:ud {@1}
turn:
	(W) mov (1|M0) a0.0<1>:uw PROGRAM_FIRST:uw {@1}
next:
	FETCH
again:
	TEST(ne, r8.0, GTDBG_SIP_OP_ADDRESS)
	(W&f0.0) jmpi no_address
	ALU(shl, r2.3, r2.2, 3)
	(W) add (1|M0) r2.3<1>:ud r2.3<0;1,0>:ud r8.1<0;1,0>:ud {@1}
	TEST(lt, r2.3, WORK_END)
	(W&f0.0) jmpi address_saved
	(W) mov (1|M0) a0.1<1>:uw r2.6<0;1,0>:uw {@1}
	(W) mov (16|M0) r9.0<1>:ud r[a0.1]<8;8,1>:ud {@1}
	FETCH
no_address:
	TEST(ne, r8.0, GTDBG_SIP_OP_LOAD)
	(W&f0.0) jmpi no_load
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL {@1,$0}
	FETCH
	DONE
no_load:
	TEST(lt, r8.0, GTDBG_SIP_OP_EQUAL)
	(W&f0.0) jmpi no_compare
	(W) xor (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud r8.2<0;1,0>:ud {@1}
	TEST(ne, r8.0, GTDBG_SIP_OP_EQUAL)
	(W&f0.0) jmpi unequal
	(W) cmp (8|M0) (eq)f0.0 null<1>:d r12.0<8;8,1>:d r8.1<0;1,0>:d {@1}
compared:
	(W) xor (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw r8.6<0;1,0>:uw {@1}
	(W) and (1|M0) f1.0<1>:uw f1.0<0;1,0>:uw f0.0<0;1,0>:uw {@1}
	FETCH
no_compare:
	TEST(eq, r8.0, GTDBG_SIP_OP_END)
	(W&f0.0) jmpi end
	TEST(eq, r8.0, GTDBG_SIP_OP_OR)
	(W&f0.0) jmpi alternative
	TEST(eq, r8.0, GTDBG_SIP_OP_ADD)
	(W&f0.0) jmpi add
	TEST(eq, r8.0, GTDBG_SIP_OP_REGISTER)
	(W&f0.0) jmpi register
	TEST(ge, r8.0, GTDBG_SIP_OP_ADDRESS)
	(W&f0.0) jmpi again
	TEST(ne, r8.0, GTDBG_SIP_OP_END)
	(W) jmpi decided

unequal:
	TEST(eq, r8.0, GTDBG_SIP_OP_LESS)
	(W&f0.0) jmpi less
	TEST(ne, r8.0, GTDBG_SIP_OP_GREATER)
	(W&f0.0) jmpi other
	(W) cmp (8|M0) (gt)f0.0 null<1>:d r12.0<8;8,1>:d r8.1<0;1,0>:d {@1}
	(W) jmpi compared
less:
	(W) cmp (8|M0) (lt)f0.0 null<1>:d r12.0<8;8,1>:d r8.1<0;1,0>:d {@1}
	(W) jmpi compared
address_saved:
	SAVE_PAIR
	ALU(shr, r2.3, r2.3, 4)
	(W) add (1|M0) r1.2<1>:ud r2.0<0;1,0>:ud r2.3<0;1,0>:ud {@1}
	GET(READ2, r9)
	DONE
	(W) jmpi next
register:
	ALU(shl, r2.3, r2.2, 2)
	(W) add (1|M0) r2.3<1>:ud r2.3<0;1,0>:ud r8.1<0;1,0>:ud {@1}
	TEST(lt, r2.3, WORK_END)
	(W&f0.0) jmpi register_saved
	(W) mov (1|M0) a0.1<1>:uw r2.6<0;1,0>:uw {@1}
	(W) mov (8|M0) r11.0<1>:ud r[a0.1]<8;8,1>:ud {@1}
	(W) jmpi next
register_saved:
	ALU(shr, r2.3, r2.3, 4)
	(W) add (1|M0) r1.2<1>:ud r2.0<0;1,0>:ud r2.3<0;1,0>:ud {@1}
	GET(READ1, r11)
	DONE
	(W) jmpi next
add:
	ADD_PLACE
	(W) jmpi next
alternative:
	(W) or (1|M0) r2.12<1>:uw r2.12<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W) not (1|M0) f1.0<1>:uw r2.12<0;1,0>:uw {@1}
	(W) and (1|M0) f1.0<1>:uw f1.0<0;1,0>:uw r2.2<0;1,0>:uw {@1}
	(W) and (1|M0) f1.0<1>:uw f1.0<0;1,0>:uw 0xFF:uw {@1}
	(W) jmpi next

/*
 * Captured values lie in the slot, a register each. In: r8.3 which one. A program
 * that was forged finds a place in the slot, too.
 */
other:
	TEST(ge, r8.0, GTDBG_SIP_OP_FETCH)
	(W&f0.0) jmpi arithmetic
	TEST(eq, r8.0, GTDBG_SIP_OP_CAPTURE)
	(W&f0.0) jmpi capture
	TEST(eq, r8.0, GTDBG_SIP_OP_RECORD)
	(W&f0.0) jmpi record
	TEST(eq, r8.0, GTDBG_SIP_OP_ITEM)
	(W&f0.0) jmpi item
	TEST(eq, r8.0, GTDBG_SIP_OP_UNIFORM)
	(W&f0.0) jmpi uniform
	TEST(eq, r8.0, GTDBG_SIP_OP_LOAD_BYTE)
	(W&f0.0) jmpi load_byte
	TEST(eq, r8.0, GTDBG_SIP_OP_LOAD_WORD)
	(W&f0.0) jmpi load_word
	TEST(ne, r8.0, GTDBG_SIP_OP_CAPTURE_REGISTER)
	(W&f0.0) jmpi decided
	ALU(shl, r2.3, r2.2, 2)
	(W) add (1|M0) r2.3<1>:ud r2.3<0;1,0>:ud r8.1<0;1,0>:ud {@1}
	TEST(lt, r2.3, WORK_END)
	(W&f0.0) jmpi capture_saved
	(W) mov (1|M0) a0.1<1>:uw r2.6<0;1,0>:uw {@1}
	(W) mov (8|M0) r11.0<1>:ud r[a0.1]<8;8,1>:ud {@1}
	(W) jmpi captured
capture_saved:
	ALU(shr, r2.3, r2.3, 4)
	(W) add (1|M0) r1.2<1>:ud r2.0<0;1,0>:ud r2.3<0;1,0>:ud {@1}
	GET(READ1, r11)
	DONE
	(W) jmpi captured
capture:
	ADD_PLACE
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL {@1,$0}
	DONE
captured:
	ALU(and, r2.3, r8.3, 3)
	ALU(shl, r2.3, r2.3, 1)
	(W) add (1|M0) r2.3<1>:ud r2.3<0;1,0>:ud r2.0<0;1,0>:ud {@1}
	ALU(add, r1.2, r2.3, OW(GTDBG_SIP_SLOT_FILTER + 32))
	PUT(WRITE1, r11)
	SENT
	(W) jmpi next

/* What the message leaves in the upper bytes is not zero everywhere. */
load_byte:
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL_BYTE {@1,$0}
loaded_byte:
	DONE
	(W) and (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 0xFF:ud {@1}
	(W) jmpi next
load_word:
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL_WORD {@1,$0}
loaded_word:
	DONE
	(W) and (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 0xFFFF:ud {@1}
	(W) jmpi next
/* What has more than 31 bits is the host's. In: r9. Out: r11. Clobbered: r3, r12. */
load_long:
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL_PAIR {@1,$0}
	DONE
	(W) asr (8|M0) r3.0<1>:d r11.0<8;8,1>:d 31:uw {@1}
	(W) or (8|M0) (ne)f0.0 null<1>:ud r3.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) jmpi long

arithmetic:
	TEST(eq, r8.0, GTDBG_SIP_OP_FETCH)
	(W&f0.0) jmpi fetch
	TEST(eq, r8.0, GTDBG_SIP_OP_COMPUTE)
	(W&f0.0) jmpi compute
	TEST(eq, r8.0, GTDBG_SIP_OP_KEEP)
	(W&f0.0) jmpi keep
	TEST(eq, r8.0, GTDBG_SIP_OP_WIDE)
	(W&f0.0) jmpi wide
	TEST(eq, r8.0, GTDBG_SIP_OP_CAPTURE_VALUE)
	(W&f0.0) jmpi captured
	TEST(eq, r8.0, GTDBG_SIP_OP_LOCAL)
	(W&f0.0) jmpi local
	TEST(eq, r8.0, GTDBG_SIP_OP_PLACE)
	(W&f0.0) jmpi place
	TEST(eq, r8.0, GTDBG_SIP_OP_GLOBAL)
	(W&f0.0) jmpi global
	TEST(eq, r8.0, GTDBG_SIP_OP_FOLLOW)
	(W&f0.0) jmpi follow
	TEST(eq, r8.0, GTDBG_SIP_OP_IGNORE)
	(W&f0.0) jmpi ignore
	TEST(eq, r8.0, GTDBG_SIP_OP_LOAD_LONG)
	(W&f0.0) jmpi load_long
	TEST(ne, r8.0, GTDBG_SIP_OP_MORE)
	(W&f0.0) jmpi decided

/*
 * The next part of the program, which must say that it is. In: r8.1 its number. At load,
 * r2.3 that of the part that r2.7 says. r3 and r12 are scratch.
 */
	ALU(add, r2.7, r2.7, 1)
	TEST_BITS(r2.7, PART_MASK)
	(W&~f0.0) jmpi stray
	MOV(r2.3, r8.1)
load:
	ALU(and, r2.3, r2.3, GTDBG_SIP_PROGRAMS_MAX - 1)
	ALU(shl, r2.3, r2.3, 3)
	ALU(add, r1.2, r2.3, OW(GTDBG_SIP_PROGRAM_OFFSET))
	GET(READ4, r4)
	DONE
	(W) xor (8|M0) r3.0<1>:ud r4.0<8;8,1>:ud r5.0<8;8,1>:ud {@1}
	(W) xor (8|M0) r12.0<1>:ud r6.0<8;8,1>:ud r7.0<8;8,1>:ud {@1}
	(W) xor (8|M0) r3.0<1>:ud r3.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) xor (4|M0) r3.0<1>:ud r3.0<4;4,1>:ud r3.4<4;4,1>:ud {@1}
	(W) xor (2|M0) r3.0<1>:ud r3.0<2;2,1>:ud r3.2<2;2,1>:ud {@1}
	(W) xor (1|M0) r3.0<1>:ud r3.0<0;1,0>:ud r3.1<0;1,0>:ud {@1}
	(W) xor (1|M0) r3.0<1>:ud r3.0<0;1,0>:ud cr0.2<0;1,0>:ud {@1}
	TEST(ne, r3.0, GTDBG_SIP_PROGRAM_MAGIC)
	(W&f0.0) jmpi decided
	(W) xor (1|M0) r2.3<1>:ud r2.7<0;1,0>:ud r4.2<0;1,0>:ud {@1}
	TEST_BITS(r2.3, ~GTDBG_SIP_PROGRAM_FLAGS)
	(W&~f0.0) jmpi part
	(W) jmpi decided
stray:
	TEST_BITS(r8.0, GTDBG_SIP_OP_MORE)
	(W) jmpi decided

/*
 * In: the place, r8.1 and r8.2 the number, r8.3 how to compare. Clobbered: r8, r11, r12,
 * f0, f1.1.
 */
wide:
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL_PAIR {@1,$0}
	TEST_BITS(r8.3, GTDBG_SIP_WIDE_UNSIGNED)
	(W&f0.0) xor (1|M0) r8.2<1>:ud r8.2<0;1,0>:ud SIGN:ud {@1}
	DONE
	(W&~f0.0) jmpi wide_kind
	(W) xor (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud SIGN:ud {@1}
wide_kind:
	TEST_BITS(r8.3, GTDBG_SIP_WIDE_LESS)
	(W&f0.0) jmpi wide_less
	(W) xor (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r8.1<0;1,0>:ud {@1}
	(W) xor (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r8.2<0;1,0>:ud {@1}
	(W) or (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r11.0<8;8,1>:ud {@1}
	(W) cmp (8|M0) (eq)f0.0 null<1>:ud r12.0<8;8,1>:ud 0:ud {@1}
	(W) jmpi compared
wide_less:
	(W) cmp (8|M0) (lt)f0.0 null<1>:d r12.0<8;8,1>:d r8.2<0;1,0>:d {@1}
	(W) cmp (8|M0) (eq)f0.1 null<1>:d r12.0<8;8,1>:d r8.2<0;1,0>:d {@1}
	(W) cmp (8|M0) (lt)f1.1 null<1>:ud r11.0<8;8,1>:ud r8.1<0;1,0>:ud {@1}
	(W) and (1|M0) f0.1<1>:uw f0.1<0;1,0>:uw f1.1<0;1,0>:uw {@1}
	(W) or (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw f0.1<0;1,0>:uw {@1}
	(W) jmpi compared

/*
 * A variable in memory at once. In: r8.1 its registers, and its size in the upper half,
 * r8.2 and r8.3 as ADD's r8.2 and r8.1. r3.0 is the size.
 */
fetch:
	ALU(shr, r3.0, r8.1, 16)
	ALU(and, r8.1, r8.1, 0xFFFF)
	ALU(shl, r2.3, r2.2, 3)
	(W) add (1|M0) r2.3<1>:ud r2.3<0;1,0>:ud r8.1<0;1,0>:ud {@1}
	MOV(r8.1, r8.3)
	TEST(lt, r2.3, WORK_END)
	(W&f0.0) jmpi fetch_saved
	(W) mov (1|M0) a0.1<1>:uw r2.6<0;1,0>:uw {@1}
	(W) mov (16|M0) r9.0<1>:ud r[a0.1]<8;8,1>:ud {@1}
fetch_place:
	ADD_PLACE
	TEST(ne, r3.0, 4)
	(W&f0.0) jmpi fetch_other
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL {@1,$0}
	DONE
	(W) jmpi next
fetch_other:
	TEST(eq, r3.0, 1)
	(W&f0.0) jmpi load_byte
	TEST(eq, r3.0, 2)
	(W&f0.0) jmpi load_word
	(W) jmpi load_long
fetch_saved:
	SAVE_PAIR
	ALU(shr, r2.3, r2.3, 4)
	(W) add (1|M0) r1.2<1>:ud r2.0<0;1,0>:ud r2.3<0;1,0>:ud {@1}
	GET(READ2, r9)
	DONE
	(W) jmpi fetch_place

/* One address for all channels, as functions that call others have it. In: r8.1 to r8.3. */
place:
	MOV(r2.3, r8.1)
	FILE_DWORD(r3.0, place_low)
	ALU(add, r2.3, r8.1, 4)
	FILE_DWORD(r3.1, place_high)
	(W) mov (8|M0) r9.0<2>:ud r3.0<0;1,0>:ud {@1}
	(W) mov (8|M0) r9.1<2>:ud r3.1<0;1,0>:ud {@1}
	MOV(r8.1, r8.3)
	(W) jmpi add

/*
 * Local memory, which does not fault. In: r8.1 to r8.3. r12 becomes the offsets, r3 is
 * scratch. Who looks where nothing of the variable is stops.
 */
local:
	(W) mov (8|M0) r12.0<1>:ud r8.1<0;1,0>:ud {@1}
	TEST_BITS(r8.3, GTDBG_SIP_LOCAL_INDEX)
	(W&~f0.0) jmpi local_kept
	(W) add (8|M0) r3.0<1>:ud r11.0<8;8,1>:ud GTDBG_SIP_SLM_END:ud {@1}
	(W) cmp (8|M0) (gt)f0.0 null<1>:ud r3.0<8;8,1>:ud (2 * GTDBG_SIP_SLM_END):ud {@1}
	(W) and (1|M0) (ne)f0.0 null<1>:uw f0.0<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W&f0.0) jmpi decided
	(W) mul (8|M0) r3.0<1>:d r11.0<8;8,1>:d r8.6<0;1,0>:w {@1}
	(W) add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r3.0<8;8,1>:ud {@1}
local_kept:
	TEST_BITS(r8.3, GTDBG_SIP_LOCAL_KEPT)
	(W&~f0.0) jmpi local_read
	SEEK(GTDBG_SIP_SLOT_FILTER + 32 + 32 * GTDBG_SIP_CAPTURES_MAX)
	GET(READ1, r3)
	DONE
	(W) and (8|M0) r3.0<1>:ud r3.0<8;8,1>:ud 0xFFFF:ud {@1}
	(W) add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r3.0<8;8,1>:ud {@1}
local_read:
	(W) cmp (8|M0) (gt)f0.0 null<1>:ud r12.0<8;8,1>:ud r8.2<0;1,0>:ud {@1}
	(W) and (1|M0) (ne)f0.0 null<1>:uw f0.0<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W&f0.0) jmpi decided
	ALU(shr, r3.0, r8.3, GTDBG_SIP_LOCAL_BYTES_SHIFT)
	ALU(and, r3.0, r3.0, 0xFF)
	TEST(eq, r3.0, 1)
	(W&f0.0) jmpi local_byte
	TEST(eq, r3.0, 2)
	(W&f0.0) jmpi local_word
	(W&f1.0) send.dc0 (8|M0) r11 r12 null SLM_READ_DWORD {@1,$0}
	DONE
	(W) jmpi next
local_byte:
	(W&f1.0) send.dc0 (8|M0) r11 r12 null SLM_READ {@1,$0}
	(W) jmpi loaded_byte
local_word:
	(W&f1.0) send.dc0 (8|M0) r11 r12 null SLM_READ_WORD {@1,$0}
	(W) jmpi loaded_word

/* Where the place leads to. Clobbered: r11, r12. */
follow:
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL_PAIR {@1,$0}
	DONE
	(W) mov (8|M0) r9.0<2>:ud r11.0<8;8,1>:ud {@1}
	(W) mov (8|M0) r9.1<2>:ud r12.0<8;8,1>:ud {@1}
	(W) jmpi next

/*
 * Memory that may fault, if it is in the window that r8.1 names, or the thread's own. In: r8.1 to r8.3. r3
 * becomes the window, r2.3 the last offset there that all bytes lie in. r11 and r12 are
 * scratch: each place as an offset, in two halves.
 */
global:
	TEST_BITS(r8.3, GTDBG_SIP_GLOBAL_INDEX)
	(W&~f0.0) jmpi global_window
	SEEK(GTDBG_SIP_SLOT_FILTER + 32 + 32 * GTDBG_SIP_CAPTURES_MAX)
	GET(READ1, r12)
	MOV(r2.3, r8.2)
	TEST_BITS(r8.3, GTDBG_SIP_GLOBAL_UNSIGNED)
	(W&f0.0) mov (1|M0) r2.3<1>:ud 0:ud {@1}
	DONE
	(W) add (8|M0) r3.0<1>:ud r12.0<8;8,1>:ud r2.3<0;1,0>:ud {@1}
	(W) add (1|M0) r2.3<1>:ud r2.3<0;1,0>:ud r8.2<0;1,0>:ud {@1}
	(W) cmp (8|M0) (gt)f0.0 null<1>:ud r3.0<8;8,1>:ud r2.3<0;1,0>:ud {@1}
	(W) and (1|M0) (ne)f0.0 null<1>:uw f0.0<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W&f0.0) jmpi decided
	(W) mul (8|M0) r12.0<1>:d r12.0<8;8,1>:d r8.6<0;1,0>:w {@1}
	MOVE_PLACE
	TEST_BITS(r8.3, GTDBG_SIP_GLOBAL_OWN)
	(W&f0.0) jmpi global_read
global_window:
	(W) cmp (1|M0) (eq)f0.0 null<1>:uw f1.0<0;1,0>:uw 0:uw {@1}
	(W&f0.0) jmpi next
	ALU(and, r2.3, r8.1, 0xFF)
	ALU(add, r1.2, r2.3, OW(GTDBG_SIP_WINDOW_OFFSET))
	GET(READ_HALF, r3)
	ALU(shr, r2.3, r8.3, GTDBG_SIP_GLOBAL_BYTES_SHIFT)
	ALU(and, r2.3, r2.3, 0xFF)
	DONE
	(W) xor (2|M0) r12.0<1>:ud r3.0<2;2,1>:ud r3.2<2;2,1>:ud {@1}
	(W) xor (1|M0) r12.0<1>:ud r12.0<0;1,0>:ud r12.1<0;1,0>:ud {@1}
	TEST(ne, r12.0, GTDBG_SIP_WINDOW_MAGIC)
	(W&f0.0) jmpi outside
	(W) add (1|M0) r2.3<1>:ud r3.2<0;1,0>:ud -r2.3<0;1,0>:ud {@1}
	(W) add (8|M0) r11.0<1>:d r9.1<8;4,2>:d -r3.1<0;1,0>:d {@1}
	(W) cmp (8|M0) (lt)f0.0 null<1>:ud r9.0<8;4,2>:ud r3.0<0;1,0>:ud {@1}
	(W&f0.0) add (8|M0) r11.0<1>:d r11.0<8;8,1>:d -1:d {@1}
	(W) add (8|M0) r12.0<1>:d r9.0<8;4,2>:d -r3.0<0;1,0>:d {@1}
	(W) cmp (8|M0) (ne)f0.0 null<1>:ud r11.0<8;8,1>:ud 0:ud {@1}
	(W) cmp (8|M0) (gt)f0.1 null<1>:ud r12.0<8;8,1>:ud r2.3<0;1,0>:ud {@1}
	(W) or (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw f0.1<0;1,0>:uw {@1}
	(W) and (1|M0) (ne)f0.0 null<1>:uw f0.0<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W&f0.0) jmpi outside
global_read:
	ALU(shr, r2.3, r8.3, GTDBG_SIP_GLOBAL_BYTES_SHIFT)
	ALU(and, r2.3, r2.3, 0xFF)
	TEST(eq, r2.3, 1)
	(W&f0.0) jmpi load_byte
	TEST(eq, r2.3, 2)
	(W&f0.0) jmpi load_word
	(W&f1.0) send.dc1 (8|M0) r11 r9 null READ_GLOBAL {@1,$0}
	DONE
	(W) jmpi next
outside:
	SEEK(GTDBG_SIP_SLOT_OUTSIDE)
	PUT(WRITE4, r8)
	SENT
	TEST(ne, r8.0, 0)
	(W) jmpi decided

/*
 * It would stop. Does it run on, as one of so many? In: r8.1 which of those counts. r3,
 * r11 and r12 are scratch, as nothing is computed behind it.
 */
ignore:
	(W) or (1|M0) (ne)f0.0 null<1>:uw r2.12<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W&~f0.0) jmpi next
	ALU(add, r3.0, r8.1, GTDBG_SIP_IGNORE_OFFSET)
	(W) send.dc1 (1|M0) r11 r3 null ATOMIC_INC {@1,$0}
	DONE
	ALU(add, r3.0, r3.0, GTDBG_SIP_IGNORE_LIMIT)
	(W) send.dc1 (1|M0) r12 r3 null READ_DWORD {@1,$0}
	DONE
	(W) cmp (1|M0) (ge)f0.0 null<1>:ud r11.0<0;1,0>:ud r12.0<0;1,0>:ud {@1}
	(W&~f0.0) jmpi pass_on
	ALU(add, r3.0, r3.0, -GTDBG_SIP_IGNORE_LIMIT)
	(W) send.dc1 (1|M0) r11 r3 null ATOMIC_DEC {@1,$0}
	DONE
	(W) jmpi decided

/*
 * Two numbers, the one on the left in r11 and the other in r12, make one. In: r8.1 a
 * number, r8.2 what is made, r8.3 where the other one comes from. What is kept lies in
 * the slot behind what is captured. r3 is scratch.
 */
keep:
	SET(r8.3, GTDBG_SIP_CAPTURES_MAX)
	(W) jmpi captured
compute:
	(W) mov (8|M0) r12.0<1>:ud r8.1<0;1,0>:ud {@1}
	TEST_BITS(r8.3, GTDBG_SIP_COMPUTE_KEPT)
	(W&~f0.0) jmpi compute_turn
	SEEK(GTDBG_SIP_SLOT_FILTER + 32 + 32 * GTDBG_SIP_CAPTURES_MAX)
	GET(READ1, r12)
	DONE
compute_turn:
	TEST_BITS(r8.3, GTDBG_SIP_COMPUTE_TURNED)
	(W&~f0.0) jmpi compute_kind
	MOV8(r3.0, r11.0)
	MOV8(r11.0, r12.0)
	MOV8(r12.0, r3.0)
compute_kind:
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_AND)
	(W&f0.0) jmpi compute_and
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_ADD)
	(W&f0.0) jmpi compute_add
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_SUBTRACT)
	(W&f0.0) jmpi compute_subtract
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_OR)
	(W&f0.0) jmpi compute_or
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_XOR)
	(W&f0.0) jmpi compute_xor
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_MULTIPLY)
	(W&f0.0) jmpi compute_multiply
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_SHIFT_LEFT)
	(W&f0.0) jmpi compute_left
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_SHIFT_RIGHT)
	(W&f0.0) jmpi compute_right
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_SHIFT_SIGNED)
	(W&f0.0) jmpi compute_signed
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_LESS)
	(W&f0.0) jmpi compute_less
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_BELOW)
	(W&f0.0) jmpi compute_below
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_QUOTIENT)
	(W&f0.0) jmpi compute_quotient
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_REMAINDER)
	(W&f0.0) jmpi compute_remainder
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_QUOTIENT_UNSIGNED)
	(W&f0.0) jmpi compute_quotient_unsigned
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_REMAINDER_UNSIGNED)
	(W&f0.0) jmpi compute_remainder_unsigned
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_FLOAT_LESS)
	(W&f0.0) jmpi compute_float
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_FLOAT_MOST)
	(W&f0.0) jmpi compute_float
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_FLOAT_EQUAL)
	(W&f0.0) jmpi compute_float
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_ADD_LONG)
	(W&f0.0) jmpi compute_add_long
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_SUBTRACT_LONG)
	(W&f0.0) jmpi compute_subtract_long
	TEST(eq, r8.2, GTDBG_SIP_COMPUTE_MULTIPLY_LONG)
	(W&f0.0) jmpi compute_multiply_long
	TEST(ne, r8.0, 0)
	(W) jmpi decided
compute_add:
	(W) add (8|M0) r11.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d {@1}
	(W) jmpi next
compute_subtract:
	(W) add (8|M0) r11.0<1>:d r11.0<8;8,1>:d -r12.0<8;8,1>:d {@1}
	(W) jmpi next
compute_and:
	(W) and (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) jmpi next
compute_or:
	(W) or (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) jmpi next
compute_xor:
	(W) xor (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) jmpi next
compute_multiply:
	(W) mul (8|M0) r3.0<1>:ud r11.0<8;8,1>:ud r12.1<16;8,2>:uw {@1}
	(W) shl (8|M0) r3.0<1>:ud r3.0<8;8,1>:ud 16:uw {@1}
	(W) mul (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<16;8,2>:uw {@1}
	(W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r3.0<8;8,1>:ud {@1}
	(W) jmpi next
compute_left:
	(W) shl (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) jmpi next
compute_right:
	(W) shr (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) jmpi next
compute_signed:
	(W) asr (8|M0) r11.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:ud {@1}
	(W) jmpi next
compute_quotient:
	(W) math.iqot (8|M0) r11.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d {@1,$0}
	DONE
	(W) jmpi next
compute_remainder:
	(W) math.irem (8|M0) r11.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d {@1,$0}
	DONE
	(W) jmpi next
compute_quotient_unsigned:
	(W) math.iqot (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1,$0}
	DONE
	(W) jmpi next
compute_remainder_unsigned:
	(W) math.irem (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1,$0}
	DONE
	(W) jmpi next
/*
 * Of numbers of 31 bits: who takes or makes another one stops. In a product at most one of
 * the upper halves is not 0, and neither it nor the lower halves make more than that.
 * Clobbered: r3, f0.1.
 */
compute_add_long:
	(W) add (8|M0) r3.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d {@1}
	(W) jmpi compute_sum_long
compute_subtract_long:
	(W) add (8|M0) r3.0<1>:d r11.0<8;8,1>:d -r12.0<8;8,1>:d {@1}
compute_sum_long:
	(W) or (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) or (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r3.0<8;8,1>:ud {@1}
	(W) cmp (8|M0) (lt)f0.0 null<1>:d r11.0<8;8,1>:d 0:d {@1}
	MOV8(r11.0, r3.0)
	(W) jmpi long
compute_multiply_long:
	(W) mul (8|M0) r3.0<1>:ud r11.1<16;8,2>:uw r12.1<16;8,2>:uw {@1}
	(W) cmp (8|M0) (ne)f0.0 null<1>:ud r3.0<8;8,1>:ud 0:ud {@1}
	(W) mul (8|M0) r3.0<1>:ud r11.1<16;8,2>:uw r12.0<16;8,2>:uw {@1}
	(W) cmp (8|M0) (gt)f0.1 null<1>:ud r3.0<8;8,1>:ud 0x7FFF:ud {@1}
	(W) or (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw f0.1<0;1,0>:uw {@1}
	(W) mul (8|M0) r3.0<1>:ud r11.0<16;8,2>:uw r12.0<16;8,2>:uw {@1}
	(W) cmp (8|M0) (lt)f0.1 null<1>:d r3.0<8;8,1>:d 0:d {@1}
	(W) or (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw f0.1<0;1,0>:uw {@1}
	(W) mul (8|M0) r3.0<1>:ud r11.0<8;8,1>:ud r12.1<16;8,2>:uw {@1}
	(W) cmp (8|M0) (gt)f0.1 null<1>:ud r3.0<8;8,1>:ud 0x7FFF:ud {@1}
	(W) or (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw f0.1<0;1,0>:uw {@1}
	(W) shl (8|M0) r3.0<1>:ud r3.0<8;8,1>:ud 16:uw {@1}
	(W) mul (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<16;8,2>:uw {@1}
	(W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r3.0<8;8,1>:ud {@1}
	(W) cmp (8|M0) (lt)f0.1 null<1>:d r11.0<8;8,1>:d 0:d {@1}
	(W) or (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw f0.1<0;1,0>:uw {@1}
/* Who has a number that is too large stops. In: f0.0 who has one, f1.0 who is left. */
long:
	(W) and (1|M0) (ne)f0.0 null<1>:uw f0.0<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W&f0.0) jmpi decided
	(W) jmpi next
/* Whatever the kernel takes denormals for. Clobbered: r3, f0.1, f1.1. */
compute_float:
	MOV(r3.0, cr0.0)
	ALU(or, cr0.0, cr0.0, CR_DENORMALS)
	(W) cmp (8|M0) (lt)f0.0 null<1>:f r11.0<8;8,1>:f r12.0<8;8,1>:f {@1}
	(W) cmp (8|M0) (eq)f0.1 null<1>:f r11.0<8;8,1>:f r12.0<8;8,1>:f {@1}
	MOV(cr0.0, r3.0)
	(W) cmp (1|M0) (eq)f1.1 null<1>:ud r8.2<0;1,0>:ud GTDBG_SIP_COMPUTE_FLOAT_LESS:ud {@1}
	(W&f1.1) jmpi compute_truth
	(W) cmp (1|M0) (eq)f1.1 null<1>:ud r8.2<0;1,0>:ud GTDBG_SIP_COMPUTE_FLOAT_EQUAL:ud {@1}
	(W&f1.1) mov (1|M0) f0.0<1>:uw 0:uw {@1}
	(W) or (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw f0.1<0;1,0>:uw {@1}
	(W) jmpi compute_truth
compute_less:
	(W) cmp (8|M0) (lt)f0.0 null<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d {@1}
	(W) jmpi compute_truth
compute_below:
	(W) cmp (8|M0) (lt)f0.0 null<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
compute_truth:
	ZERO8(r11.0)
	(W&f0.0) mov (8|M0) r11.0<1>:ud 1:ud {@1}
	(W) jmpi next

/*
 * Numbers of work-items and groups, as threads are started with them. In: r8.1 to
 * r8.3 their places in the register file. r3 and r12 are scratch. A product of
 * dwords needs no accumulator if one of them is taken in two halves.
 */
uniform:
	MOV(r2.3, r8.1)
	FILE_DWORD(r3.0, uniform)
	(W) mov (8|M0) r11.0<1>:ud r3.0<0;1,0>:ud {@1}
	(W) jmpi next
item:
	MOV(r2.3, r8.3)
	FILE_DWORD(r3.2, item_first)
	ALU(shr, r2.3, r8.2, 16)
	FILE_DWORD(r3.1, item_group)
	ALU(and, r2.3, r8.2, 0xFFFF)
	FILE_DWORD(r3.0, item_size)
	(W) mul (1|M0) r3.4<1>:ud r3.0<0;1,0>:ud r3.3<0;1,0>:uw {@1}
	ALU(shl, r3.4, r3.4, 16)
	(W) mul (1|M0) r3.0<1>:ud r3.0<0;1,0>:ud r3.2<0;1,0>:uw {@1}
	(W) add (1|M0) r3.0<1>:ud r3.0<0;1,0>:ud r3.4<0;1,0>:ud {@1}
	(W) add (1|M0) r3.0<1>:ud r3.0<0;1,0>:ud r3.2<0;1,0>:ud {@1}
	ALU(shl, r2.3, r2.2, 1)
	(W) add (1|M0) r2.3<1>:ud r2.3<0;1,0>:ud r8.1<0;1,0>:ud {@1}
	TEST(lt, r2.3, WORK_END)
	(W&f0.0) jmpi item_saved
	(W) mov (1|M0) a0.1<1>:uw r2.6<0;1,0>:uw {@1}
	(W) mov (8|M0) r11.0<1>:ud r[a0.1]<8;8,1>:uw {@1}
	(W) jmpi item_sum
item_saved:
	ALU(shr, r2.3, r2.3, 4)
	(W) add (1|M0) r1.2<1>:ud r2.0<0;1,0>:ud r2.3<0;1,0>:ud {@1}
	GET(READ_HALF, r12)
	DONE
	(W) mov (8|M0) r11.0<1>:ud r12.0<8;8,1>:uw {@1}
item_sum:
	(W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r3.0<0;1,0>:ud {@1}
	(W) jmpi next

/*
 * A record of the channels that are left. In: r8.1 its tag. Who is among the last to
 * find room may find it taken by as many threads as there are: hence the limit.
 */
record:
	(W) or (1|M0) (eq)f0.0 r2.6<1>:uw r2.12<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W) mov (1|M0) r2.12<1>:uw 0:uw {@1}
	(W) mov (1|M0) f1.0<1>:uw 0:uw {@1}
	(W&f0.0) jmpi next
	TEST_BITS(r2.7, GTDBG_SIP_PROGRAM_SURE)
	(W&f0.0) jmpi next
	SET(r1.2, OW(GTDBG_SIP_RING_OFFSET))
	GET(READ_HALF, r12)
	SET(r3.0, GTDBG_SIP_RING_LOST)
	DONE
	(W) add (1|M0) r12.0<1>:d r12.0<0;1,0>:d -r12.2<0;1,0>:d {@1}
	TEST(ge, r12.0, GTDBG_SIP_RECORDS_LIMIT)
	(W&f0.0) jmpi no_room
	SEEK(GTDBG_SIP_SLOT_FILTER)
	GET(READ4, r9)
	DONE
	SET(r3.0, GTDBG_SIP_RING_OFFSET)
	(W) send.dc1 (1|M0) r3 r3 null ATOMIC_INC {@1,$0}
	SET(r9.0, 0)
	MOV(r9.1, cr0.2)
	MOV(r9.2, r2.0)
	(W) shl (1|M0) r9.6<1>:uw r2.4<0;1,0>:uw 8:uw {@1}
	(W) or (1|M0) r9.6<1>:uw r9.6<0;1,0>:uw r2.6<0;1,0>:uw {@1}
	(W) mov (1|M0) r9.7<1>:uw r2.13<0;1,0>:uw {@1}
	(W) add (1|M0) r2.13<1>:uw r2.13<0;1,0>:uw 1:uw {@1}
	MOV4(r9.4, tm0.0)
	MOV(r9.6, r8.1)
	DONE
	MOV(r9.7, r3.0)
	ALU(and, r2.3, r3.0, GTDBG_SIP_RECORDS_MAX - 1)
	ALU(shl, r2.3, r2.3, 3)
	ALU(add, r1.2, r2.3, OW(GTDBG_SIP_RECORD_OFFSET))
	(W) xor (8|M0) r8.0<1>:ud r9.0<8;8,1>:ud r10.0<8;8,1>:ud {@1}
	(W) xor (8|M0) r3.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	(W) xor (8|M0) r8.0<1>:ud r8.0<8;8,1>:ud r3.0<8;8,1>:ud {@1}
	(W) xor (4|M0) r8.0<1>:ud r8.0<4;4,1>:ud r8.4<4;4,1>:ud {@1}
	(W) xor (2|M0) r8.0<1>:ud r8.0<2;2,1>:ud r8.2<2;2,1>:ud {@1}
	(W) xor (1|M0) r8.0<1>:ud r8.0<0;1,0>:ud r8.1<0;1,0>:ud {@1}
	ALU(xor, r9.0, r8.0, GTDBG_SIP_RECORD_MAGIC)
	PUT(WRITE4, r9)
	SENT
	(W) jmpi next
no_room:
	(W) send.dc1 (1|M0) r3 r3 null ATOMIC_INC {@1,$0}
	DONE
	(W) jmpi next

end:
	(W) or (1|M0) (ne)f0.0 null<1>:uw r2.12<0;1,0>:uw f1.0<0;1,0>:uw {@1}
	(W&f0.0) jmpi decided
	ALU(add, r2.2, r2.2, 8)
	(W) shr (1|M0) (ne)f0.0 r2.1<1>:ud r2.1<0;1,0>:ud 8:ud {@1}
	(W&~f0.0) jmpi pass_on
eight:
	(W) and (1|M0) f1.0<1>:uw r2.2<0;1,0>:uw 0xFF:uw {@1}
	TEST_BITS(r2.7, PART_MASK)
	(W&~f0.0) jmpi turn
	ALU(and, r2.7, r2.7, ~PART_MASK)
	MOV(r2.3, r4.3)
	(W) jmpi load

/* No channel is left that it would stop for: once more, with its records. */
sure:
	ALU(xor, r2.7, r2.7, GTDBG_SIP_PROGRAM_FLAGS)
	ENABLED(r2.1)
	(W) mov (2|M0) r2.2<4>:ud 0:ud {@1} /* and r2.6 */
	(W) jmpi eight

/* It stops, as f0.0 says, unless that has been found out too late. */
decided:
	TEST_BITS(r2.7, PROGRAM_AGAIN)
	(W&~f0.0) jmpi stops
	(W) cmp (1|M0) (eq)f0.0 null<1>:uw r2.13<0;1,0>:uw 0:uw {@1}
	(W&f0.0) jmpi settled
	SET(r3.0, GTDBG_SIP_RING_LOST)
	(W) send.dc1 (1|M0) r3 r3 null ATOMIC_INC {@1,$0}
	DONE
	(W) jmpi settled
stops:
	SET(f0.0, 1)
	(W) jmpi settled
pass_on:
	TEST_BITS(r2.7, GTDBG_SIP_PROGRAM_SURE)
	(W&f0.0) jmpi sure
	/* It runs on: that is counted. What comes back goes with r1 to r4. */
	ALU(add, r3.0, r4.1, GTDBG_SIP_COUNT_OFFSET)
	(W) send.dc1 (1|M0) r3 r3 null ATOMIC_INC {@1,$0}

/* In: f0.0 whether to stop. All is as it was before decide but dbg0.1. */
settled:
	MOV(a0.0, r2.4)
	MOV(f1.0, r2.5)
	LOAD4(5)
	LOAD4(9)
	MOV(dbg0.1, r0.2)
	ALU(add, r0.2, r2.0, OW(GTDBG_SIP_SLOT_GRF + 32))
	(W) send.dc0 (16|M0) r1 r0 null READ4 {@1,$0}
	DONE
	MOV(r0.2, dbg0.1)
	MOV(dbg0.1, r0.0)
	(W&~f0.0) jmpi run
	(W) jmpi stands

/*
 * The slot. In: dbg0.0 f0, dbg0.1 r0.0; at no_ticket, r0.0 what the launch's count
 * was. Out: r1 header, r2.0 slot, all general registers in the slot, dbg0.0 what
 * GTDBG_SIP_SLOT_TICKET will say.
 */
no_ticket:
	MOV(f0.0, dbg0.0)
	MOV(dbg0.0, r0.0)
	(W) jmpi save
stop:
	SET(r0.0, GTDBG_SIP_CONTROL_FLAGS)
	(W) send.dc1 (1|M0) r0 r0 null READ_DWORD {@1,$0}
	(W) and (1|M0) (ne)f0.0 null<1>:ud r0.0<0;1,0>:ud GTDBG_SIP_CONTROL_F_PASS:ud {$0.dst}
	(W&f0.0) and (1|M0) (eq)f0.0 null<1>:ud cr0.1<0;1,0>:ud CR_OTHER_CAUSE:ud {@1}
	(W&f0.0) and (1|M0) (eq)f0.0 null<1>:ud cr0.0<0;1,0>:ud CR_PROLOG:ud {@1}
	(W&f0.0) jmpi run
stands:
	MOV(f0.0, dbg0.0)
	SET(dbg0.0, GTDBG_SIP_TICKET_NONE)
save:
	MOV(r0.0, dbg0.1)
	FIND_SLOT
	/* Does it step over a range? */
	SEEK(GTDBG_SIP_SLOT_COMMAND)
	GET(READ1, r3)
	MOV(r2.3, f0.0)
	DONE
	TEST(eq, r3.0, GTDBG_SIP_COMMAND_STEP_RANGE)
	(W&~f0.0) cmp (1|M0) (eq)f0.0 null<1>:ud r3.0<0;1,0>:ud GTDBG_SIP_COMMAND_STEP_OVER:ud {@1}
	(W&f0.0) jmpi range
stays:
	MOV(f0.0, r2.3)
	SEEK(GTDBG_SIP_SLOT_GRF)
	PUT(WRITE1, r0)
	SAVE4(4)
	SAVE4(8)
	SAVE4(12)
	SAVE4(16)
	SAVE4(20)
	SAVE4(24)
	SAVE4(28)
	SAVE4(32)
	SAVE4(36)
	SAVE4(40)
	SAVE4(44)
	SAVE4(48)
	SAVE4(52)
	SAVE4(56)
	SAVE4(60)
	SAVE4(64)
	SAVE4(68)
	SAVE4(72)
	SAVE4(76)
	SAVE4(80)
	SAVE4(84)
	SAVE4(88)
	SAVE4(92)
	SAVE4(96)
	SAVE4(100)
	SAVE4(104)
	SAVE4(108)
	SAVE4(112)
	SAVE4(116)
	SAVE4(120)
	SAVE4(124)

/*
 * The architecture registers, 128 bytes at a time. In: r1, r2.0. Out: r2.4
 * cr0.0, r2.5 cr0.2, r2.6 sr0.2. Clobbered: r8 to r12, f0, acc0, acc1. The
 * compares run for enabled channels only and so give the enables.
 */
	SENT
	ZERO8(r12.0)
	MOV8(r8.0, a0.0)
	ZERO8(r9.0)
	MOV(r9.0, f0.0)
	MOV(r9.1, f1.0)
	SET(f0.0, 0)
	cmp (16|M0) (eq)f0.0 null<1>:uw r12.0<16;16,1>:uw 0:uw {@1}
	cmp (16|M16) (eq)f0.0 null<1>:uw r12.0<16;16,1>:uw 0:uw {@1}
	MOV(r9.7, f0.0)
	MOV4(r10.0, sr0.0)
	MOV4(r10.4, sr1.0)
	ZERO8(r11.0)
	MOV4(r11.0, cr0.0)
	ALU(or, cr0.0, cr0.0, CR_NO_ACC)
	MOV(r2.4, r11.0)
	MOV(r2.5, r11.2)
	MOV(r2.6, r10.2)
	SEEK(GTDBG_SIP_SLOT_ADDRESS)
	PUT(WRITE4, r8)

	SENT
	ZERO8(r8.0)
	ZERO8(r9.0)
	MOV(r9.0, n0.0)
	MOV(r9.1, n0.1)
	MOV(r9.2, n0.2)
	ZERO8(r10.0)
	MOV4(r10.0, tdr0.0)
	MOV8(r11.0, acc0.0)
	SEEK(GTDBG_SIP_SLOT_N - 32)
	PUT(WRITE4, r8)

	SENT
	MOV8(r8.0, acc1.0)
	MOV8(r9.0, acc2.0)
	MOV8(r10.0, acc3.0)
	MOV8(r11.0, acc4.0)
	SEEK(GTDBG_SIP_SLOT_ACC + 32)
	PUT(WRITE4, r8)

	SENT
	MOV8(r8.0, acc5.0)
	MOV8(r9.0, acc6.0)
	MOV8(r10.0, acc7.0)
	MOV8(r11.0, mme0.0)
	SEEK(GTDBG_SIP_SLOT_ACC + 160)
	PUT(WRITE4, r8)

	SENT
	MOV8(r8.0, mme1.0)
	ZERO8(r9.0)
	MOV4(r9.0, tm0.0)
	ZERO8(r10.0)
	(W) mov (1|M0) r10.0<1>:ud ce<0;1,0>:ud {@1}
	ZERO8(r11.0)
	MOV4(r11.0, sp.0)
	SEEK(GTDBG_SIP_SLOT_ACC + 288)
	PUT(WRITE4, r8)

	/* Accumulators are wider than a dword; what is above goes down twice. */
	SENT
	(W) shr (8|M0) acc0.0<1>:ud acc0.0<8;8,1>:ud 16:uw {@1}
	(W) shr (8|M0) acc0.0<1>:ud acc0.0<8;8,1>:ud 16:uw {@1}
	MOV8(r8.0, acc0.0)
	(W) shr (8|M0) acc1.0<1>:ud acc1.0<8;8,1>:ud 16:uw {@1}
	(W) shr (8|M0) acc1.0<1>:ud acc1.0<8;8,1>:ud 16:uw {@1}
	MOV8(r9.0, acc1.0)
	MOV8(r10.0, fc0.0)
	MOV8(r11.0, fc0.8)
	SEEK(GTDBG_SIP_SLOT_ACC_HIGH)
	PUT(WRITE4, r8)

	SENT
	MOV8(r8.0, fc0.16)
	MOV8(r9.0, fc0.24)
	SEEK(GTDBG_SIP_SLOT_FC + 64)
	PUT(WRITE2, r8)

	SENT
	ZERO8(r8.0)
	MOV(r8.0, fc1.0)
	MOV(r8.1, fc2.0)
	MOV(r8.2, fc3.0)
	SEEK(GTDBG_SIP_SLOT_FC + 128)
	PUT(WRITE1, r8)

	SENT
	MOV8(r8.0, msg0.0)
	SEEK(GTDBG_SIP_SLOT_MSG)
	PUT(WRITE1, r8)

	SENT
	MOV8(r8.0, mme2.0)
	MOV8(r9.0, mme3.0)
	MOV8(r10.0, mme4.0)
	MOV8(r11.0, mme5.0)
	SEEK(GTDBG_SIP_SLOT_MME)
	PUT(WRITE4, r8)

	SENT
	MOV8(r8.0, mme6.0)
	MOV8(r9.0, mme7.0)
	SEEK(GTDBG_SIP_SLOT_MME + 128)
	PUT(WRITE2, r8)

/*
 * The stop record. In: r1, r2.0. Out: r3 the record as written. The count
 * stays within its byte, odd from here on, and is another one than before also
 * where the slot's last thread was reset in its stop.
 */
	SEEK(GTDBG_SIP_SLOT_DBG)
	GET(READ1, r3)
	DONE
	SET(r3.0, 0x00FFFFFF)
	SET(r3.1, MAGIC)
	SET(r3.2, 0x00636967)
	SET(r3.3, 2)
	ALU(add, r3.4, r3.4, 1)
	ALU(or, r3.4, r3.4, 1)
	ALU(and, r3.4, r3.4, 0xFF)
	ALU(add, r3.5, r3.5, 1)
	SET(r3.6, 0)
	MOV(r3.7, dbg0.0)
	PUT(WRITE1, r3)

/*
 * The identity, if the thread has run nothing but its breakpoint. In: r0, r1,
 * r2, r3.5, r5, r6; r1 to r4 of the kernel come from the slot. Clobbered: r9
 * to r15, f0.
 */
	(W) and (1|M0) (ne)f0.0 null<1>:ud r2.4<0;1,0>:ud CR_PROLOG:ud {@1}
	(W&f0.0) jmpi ready
	SEEK(GTDBG_SIP_SLOT_GRF + 32)
	GET(READ4, r10)
	SET(r9.0, GTDBG_SIP_IDENTITY_F_VALID)
	MOV(r9.1, r2.5)
	MOV(r9.2, r2.6)
	MOV(r9.3, r3.5)
	MOV(r9.4, r0.1)
	MOV(r9.5, r0.6)
	MOV(r9.6, r0.7)
	MOV(r9.7, r0.5)
	MOV8(r14.0, r5.0)
	MOV8(r15.0, r6.0)
	DONE
	SEEK(GTDBG_SIP_SLOT_IDENTITY)
	PUT(WRITE4, r9)
	SEEK(GTDBG_SIP_SLOT_IDENTITY + 128)
	PUT(WRITE2, r13)
	SEEK(GTDBG_SIP_SLOT_IDENTITY + 192)
	PUT(WRITE1, r15)

/*
 * Wait for a command. In: r1, r2.0, r3. Out: r2.1 the step bit of cr0.1.
 * Clobbered: r8, r9, f0. A wake-up may be meant for another thread: the command
 * alone decides. Where there is no memory all reads give 0, which would be
 * RESUME with every register 0: without the record's magic the thread stays.
 * What is not known is refused and the thread waits on. At done, r9.1 is what
 * the command has copied.
 */
ready:
	SENT
	SET(r9.1, 0)
done:
	ZERO8(r8.0)
	SET(r8.0, GTDBG_SIP_COMMAND_READY)
	MOV(r8.1, r9.1)
	SEEK(GTDBG_SIP_SLOT_COMMAND)
	PUT(WRITE_HALF, r8)
	SEEK(GTDBG_SIP_SLOT_DBG)
	(W) sync.allwr null
wait:
	(W) sync.host null
	GET(READ2, r8)
	DONE
	TEST(ne, r8.1, MAGIC)
	(W&f0.0) jmpi wait
	TEST(eq, r9.0, GTDBG_SIP_COMMAND_READY)
	(W&f0.0) jmpi wait
	SET(r2.1, 0)
	TEST(eq, r9.0, GTDBG_SIP_COMMAND_RESUME)
	(W&f0.0) jmpi leave
	SET(r2.1, CR_STEP)
	TEST(eq, r9.0, GTDBG_SIP_COMMAND_STEP)
	(W&f0.0) jmpi leave
	TEST(eq, r9.0, GTDBG_SIP_COMMAND_STEP_RANGE)
	(W&f0.0) jmpi leave
	TEST(eq, r9.0, GTDBG_SIP_COMMAND_STEP_OVER)
	(W&f0.0) jmpi leave
	TEST(eq, r9.0, GTDBG_SIP_COMMAND_ADMIT)
	(W&f0.0) jmpi admit
	TEST(eq, r9.0, GTDBG_SIP_COMMAND_SLM_READ)
	(W&f0.0) jmpi slm
	TEST(eq, r9.0, GTDBG_SIP_COMMAND_SLM_WRITE)
	(W&f0.0) jmpi slm
refuse:
	MOV(r3.6, r9.0)
	SEEK(GTDBG_SIP_SLOT_DBG)
	PUT(WRITE1, r3)
	(W) jmpi ready

/*
 * Let the threads of a launch pass, as many as r9.1 says, at the bucket r9.2.
 * In: r1, r2.0, r9 the command. Out: r2.1. Clobbered: r8, r10, f0.
 */
admit:
	TEST(ge, r9.2, GTDBG_SIP_TABLE_BYTES)
	(W&f0.0) jmpi refuse
	SET(r2.1, 0)
	MOV(r10.0, r9.1)
	ALU(add, r8.0, r9.2, GTDBG_SIP_TABLE_OFFSET + GTDBG_SIP_TABLE_VALUE)
	(W) send.dc1 (1|M0) r8 r8 r10 ATOMIC_ADD {@1,$0}
	DONE
	(W) jmpi leave

/*
 * Shared local memory, 16 bytes a turn. In: r1, r2.0, r9 the command. Out:
 * r9.1 as it was. Clobbered: r2.2, r2.3, r8 to r17, f0, f1. Each lane has a
 * byte: r11 and r12 count them, f0.0 and f0.1 say which are wanted, r14 and r15
 * are their addresses, r16 and r17 the bytes. r13 is the part of the buffer,
 * which starts at oword r2.3 of the slot.
 */
slm:
	ALU(add, r2.2, r9.1, -1)
	TEST(ge, r2.2, GTDBG_SIP_SLM_BYTES_MAX)
	(W&f0.0) jmpi refuse
	TEST(ne, r9.3, 0)
	(W&f0.0) jmpi refuse
	TEST(ge, r9.2, GTDBG_SIP_SLM_END)
	(W&f0.0) jmpi refuse
	(W) add (1|M0) r2.2<1>:ud r9.2<0;1,0>:ud r9.1<0;1,0>:ud {@1}
	TEST(gt, r2.2, GTDBG_SIP_SLM_END)
	(W&f0.0) jmpi refuse
	SET(r2.3, OW(GTDBG_SIP_SLOT_COMMAND + GTDBG_SIP_COMMAND_BUFFER))
	(W) mov (8|M0) r10.0<1>:uw 0x76543210:v {@1}
	(W) mov (8|M0) r11.0<1>:ud r10.0<8;8,1>:uw {@1}
	(W) add (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud 8:ud {@1}
slm_turn:
	(W) add (1|M0) r1.2<1>:ud r2.0<0;1,0>:ud r2.3<0;1,0>:ud {@1}
	GET(READ_HALF, r13)
	(W) cmp (8|M0) (lt)f0.0 null<1>:ud r11.0<8;8,1>:ud r9.1<0;1,0>:ud {@1}
	(W) cmp (8|M0) (lt)f0.1 null<1>:ud r12.0<8;8,1>:ud r9.1<0;1,0>:ud {@1}
	(W) add (8|M0) r14.0<1>:ud r11.0<8;8,1>:ud r9.2<0;1,0>:ud {@1}
	(W) add (8|M0) r15.0<1>:ud r12.0<8;8,1>:ud r9.2<0;1,0>:ud {@1}
	(W) cmp (1|M0) (eq)f1.0 null<1>:ud r9.0<0;1,0>:ud GTDBG_SIP_COMMAND_SLM_WRITE:ud {@1}
	DONE
	(W) mov (8|M0) r16.0<1>:ud r13.0<8;8,1>:ub {@1}
	(W) mov (8|M0) r17.0<1>:ud r13.8<8;8,1>:ub {@1}
	(W&f1.0) jmpi slm_write
	(W&f0.0) send.dc0 (8|M0) r16 r14 null SLM_READ {@1,$0}
	DONE
	(W&f0.1) send.dc0 (8|M0) r17 r15 null SLM_READ {@1,$0}
	DONE
	(W) mov (8|M0) r13.0<1>:ub r16.0<4;1,0>:ub {@1}
	(W) mov (8|M0) r13.8<1>:ub r17.0<4;1,0>:ub {@1}
	PUT(WRITE_HALF, r13)
	(W) jmpi slm_next
slm_write:
	(W&f0.0) send.dc0 (8|M0) null r14 r16 SLM_WRITE {@1,$0}
	SENT
	(W&f0.1) send.dc0 (8|M0) null r15 r17 SLM_WRITE {@1,$0}
slm_next:
	SENT
	(W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 16:ud {@1}
	(W) add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 16:ud {@1}
	ALU(add, r2.3, r2.3, 1)
	(W) cmp (1|M0) (lt)f1.0 null<1>:ud r11.0<0;1,0>:ud r9.1<0;1,0>:ud {@1}
	(W&f1.0) jmpi slm_turn
	(W) send.dc0 (8|M0) r10 r1 null SLM_FENCE {@1,$0}
	DONE
	(W) jmpi done

/*
 * Restore. In: r1, r2.0, r2.1, r3. The count turns even. n0, tm and ce are the
 * hardware's: a barrier may have notified the thread while it was stopped. A thread
 * that has stopped at an illegal instruction goes on as it would without a session.
 */
leave:
	SENT
	ALU(add, r3.4, r3.4, 1)
	ALU(and, r3.4, r3.4, 0xFF)
	SEEK(GTDBG_SIP_SLOT_DBG)
	PUT(WRITE1, r3)

	SEEK(GTDBG_SIP_SLOT_MME)
	GET(READ4, r8)
	SEEK(GTDBG_SIP_SLOT_MME + 128)
	GET(READ4, r12)
	DONE
	MOV8(mme2.0, r8.0)
	MOV8(mme3.0, r9.0)
	MOV8(mme4.0, r10.0)
	MOV8(mme5.0, r11.0)
	MOV8(mme6.0, r12.0)
	MOV8(mme7.0, r13.0)

	SEEK(GTDBG_SIP_SLOT_MSG)
	GET(READ1, r8)
	SEEK(GTDBG_SIP_SLOT_ACC + 288)
	GET(READ4, r12)
	DONE
	MOV8(msg0.0, r8.0)
	MOV8(mme1.0, r12.0)
	MOV4(sp.0, r15.0)

	SEEK(GTDBG_SIP_SLOT_ACC + 160)
	GET(READ4, r8)
	SEEK(GTDBG_SIP_SLOT_ACC + 32)
	GET(READ4, r12)
	DONE
	MOV8(acc5.0, r8.0)
	MOV8(acc6.0, r9.0)
	MOV8(acc7.0, r10.0)
	MOV8(mme0.0, r11.0)
	MOV8(acc2.0, r13.0)
	MOV8(acc3.0, r14.0)
	MOV8(acc4.0, r15.0)

	/* r12: low dwords of acc1; r11: of acc0; r16 and r17: high dwords. */
	SEEK(GTDBG_SIP_SLOT_N - 32)
	GET(READ4, r8)
	SEEK(GTDBG_SIP_SLOT_ACC_HIGH)
	GET(READ4, r16)
	DONE
	MOV4(tdr0.0, r10.0)
	MOV8(acc0.0, r16.0)
	(W) shl (8|M0) acc0.0<1>:ud acc0.0<8;8,1>:ud 16:uw {@1}
	(W) shl (8|M0) acc0.0<1>:ud acc0.0<8;8,1>:ud 16:uw {@1}
	(W) add (8|M0) acc0.0<1>:ud acc0.0<8;8,1>:ud r11.0<8;8,1>:ud {@1}
	MOV8(acc1.0, r17.0)
	(W) shl (8|M0) acc1.0<1>:ud acc1.0<8;8,1>:ud 16:uw {@1}
	(W) shl (8|M0) acc1.0<1>:ud acc1.0<8;8,1>:ud 16:uw {@1}
	(W) add (8|M0) acc1.0<1>:ud acc1.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}
	MOV8(fc0.0, r18.0)
	MOV8(fc0.8, r19.0)

	SEEK(GTDBG_SIP_SLOT_FC + 64)
	GET(READ4, r8)
	SEEK(GTDBG_SIP_SLOT_ADDRESS)
	GET(READ4, r12)
	DONE
	MOV8(fc0.16, r8.0)
	MOV8(fc0.24, r9.0)
	MOV(fc2.0, r10.1)
	MOV(fc3.0, r10.2)
	MOV8(a0.0, r12.0)
	MOV(f0.0, r13.0)
	MOV(f1.0, r13.1)
	MOV(sr0.2, r14.2)
	MOV4(sr1.0, r14.4)
	MOV(cr0.2, r15.2)
	(W) and (1|M0) r2.4<1>:uw ~r15.3<0;1,0>:uw (CR_ILLEGAL >> 16):uw {@1}
	ALU(and, r15.1, r15.1, CR_NO_CAUSE)
	(W) or (1|M0) r15.2<1>:uw r15.2<0;1,0>:uw r2.4<0;1,0>:uw {@1}
	(W) or (1|M0) cr0.1<1>:ud r15.1<0;1,0>:ud r2.1<0;1,0>:ud {@1}
	ALU(or, cr0.0, r15.0, CR_SIP)

	LOAD4(4)
	LOAD4(8)
	LOAD4(12)
	LOAD4(16)
	LOAD4(20)
	LOAD4(24)
	LOAD4(28)
	LOAD4(32)
	LOAD4(36)
	LOAD4(40)
	LOAD4(44)
	LOAD4(48)
	LOAD4(52)
	LOAD4(56)
	LOAD4(60)
	LOAD4(64)
	LOAD4(68)
	LOAD4(72)
	LOAD4(76)
	LOAD4(80)
	LOAD4(84)
	LOAD4(88)
	LOAD4(92)
	LOAD4(96)
	LOAD4(100)
	LOAD4(104)
	LOAD4(108)
	LOAD4(112)
	LOAD4(116)
	LOAD4(120)
	LOAD4(124)
	SEEK(GTDBG_SIP_SLOT_GRF + 32)
	MOV8(r0.0, r1.0)
	(W) send.dc0 (16|M0) r1 r0 null READ4 {@1,$0}
	DONE
	ALU(add, r0.2, r0.2, -OW(32))
	(W) send.dc0 (16|M0) r0 r0 null READ1 {@1,$0}
	(W) sync.allrd null
	(W) sync.allwr null
	ALU(and, cr0.0, cr0.0, CR_LEAVE)
	/* Fetched, never run. */
	(W) nop
	(W) nop

/*
 * A step over a range goes on, if that is all that has brought the thread here. In: r1,
 * r2.0, r2.3 f0, r3 the command. Out, at stays: f0, r2.2, r2.4 to r2.6 and r3 clobbered.
 * The command may be that of a thread that has ended, whose slot another one was given
 * since: what stops that one is a breakpoint. At called the thread has left the range, and
 * at left one of the channels for which it steps has:
 * r3 is the second half of the command, and then the frame register from its middle on.
 */
range:
	(W) and (1|M0) (ne)f0.0 null<1>:ud cr0.1<0;1,0>:ud CR_OTHER_CAUSE:ud {@1}
	(W&f0.0) jmpi stays
	MOV(r2.2, cr0.2)
	(W) add (1|M0) r2.4<1>:ud r2.2<0;1,0>:ud -r3.1<0;1,0>:ud {@1}
	(W) cmp (1|M0) (lt)f0.0 null<1>:ud r2.4<0;1,0>:ud r3.2<0;1,0>:ud {@1}
	(W&~f0.0) jmpi called
	TEST(ne, r3.3, 0)
	(W&f0.0) jmpi watch
steps_on:
	ALU(add, r3.6, r3.6, -1)
	MOV4(r3.0, r3.4)
	SEEK(GTDBG_SIP_SLOT_COMMAND + GTDBG_SIP_COMMAND_BUFFER)
	PUT(WRITE_HALF, r3)
	TEST(eq, r3.2, 0)
	(W&f0.0) jmpi stays
	SENT
	(W) add (1|M0) r3.0<1>:ud r3.0<0;1,0>:ud r2.2<0;1,0>:ud {@1}
	(W) cmp (1|M0) (lt)f0.0 null<1>:ud r3.0<0;1,0>:ud r2.2<0;1,0>:ud {@1}
	(W&f0.0) add (1|M0) r3.1<1>:ud r3.1<0;1,0>:ud 1:ud {@1}
	(W) send.dc1 (1|M0) r3 r3 null READ_GLOBAL {@1,$0}
	DONE
	TEST_BITS(r3.0, INST_COMPACT)
	(W&f0.0) shl (1|M0) r3.0<1>:ud r3.0<0;1,0>:ud INST_COMPACT_SHIFT:uw {@1}
	TEST_BITS(r3.0, INST_BREAK)
	(W&f0.0) jmpi stays
	MOV(f0.0, r2.3)
	MOV(dbg0.1, r0.2)
	ALU(add, r0.2, r2.0, OW(GTDBG_SIP_SLOT_GRF + 32))
	(W) send.dc0 (16|M0) r1 r0 null READ4 {@1,$0}
	DONE
	MOV(r0.2, dbg0.1)
	ALU(and, cr0.1, cr0.1, CR_NO_CAUSE)
	ALU(or, cr0.1, cr0.1, CR_STEP | CR_ILLEGAL_ENABLE)
	ALU(or, cr0.0, cr0.0, CR_SUPPRESS)
	ALU(and, cr0.0, cr0.0, CR_LEAVE)
	(W) nop
	(W) nop
called:
	/* Is it none of the channels that step? In f0 are all that are enabled. */
	TEST(eq, r3.7, 0)
	(W&f0.0) jmpi left
	SET(f0.0, 0)
	cmp (16|M0) (eq)f0.0 null<1>:uw r0.0<16;16,1>:uw r0.0<16;16,1>:uw {@1}
	cmp (16|M16) (eq)f0.0 null<1>:uw r0.0<16;16,1>:uw r0.0<16;16,1>:uw {@1}
	(W) and (1|M0) (ne)f0.0 null<1>:ud f0.0<0;1,0>:ud r3.7<0;1,0>:ud {@1}
	(W&~f0.0) jmpi steps_on
left:
	TEST(eq, r3.0, GTDBG_SIP_COMMAND_STEP_OVER)
	(W&~f0.0) jmpi stays
	/* At its entry: it cannot have called. */
	(W) and (1|M0) (eq)f0.0 null<1>:ud cr0.0<0;1,0>:ud CR_PROLOG:ud {@1}
	(W&f0.0) jmpi stays
	MOV(r2.5, r3.1)
	MOV(r2.6, r3.2)
	SEEK(GTDBG_SIP_SLOT_COMMAND + 32)
	GET(READ1, r3)
	DONE
	(W) add (1|M0) r2.4<1>:ud r2.2<0;1,0>:ud -r3.2<0;1,0>:ud {@1}
	(W) cmp (1|M0) (lt)f0.0 null<1>:ud r2.4<0;1,0>:ud r3.3<0;1,0>:ud {@1}
	(W&f0.0) jmpi stays
	MOV4(r3.4, r125.0)
	TEST(eq, r3.0, GTDBG_SIP_FRAME_LAST)
	/* One by one: the other bits of f0 are the kernel's. */
	(W&f0.0) mov (1|M0) r3.4<1>:ud r127.0<0;1,0>:ud {@1}
	(W&f0.0) mov (1|M0) r3.6<1>:ud r127.2<0;1,0>:ud {@1}
	(W) cmp (1|M0) (gt)f0.0 null<1>:ud r3.6<0;1,0>:ud r3.1<0;1,0>:ud {@1}
	(W&f0.0) jmpi in_call
	(W&~f0.0) cmp (1|M0) (eq)f0.0 null<1>:ud r3.6<0;1,0>:ud r3.1<0;1,0>:ud {@1}
	(W&~f0.0) jmpi stays
	(W) add (1|M0) r2.4<1>:ud r3.4<0;1,0>:ud -r2.5<0;1,0>:ud {@1}
	ALU(add, r2.4, r2.4, -1)
	(W) cmp (1|M0) (lt)f0.0 null<1>:ud r2.4<0;1,0>:ud r2.6<0;1,0>:ud {@1}
	(W&~f0.0) jmpi stays
in_call:
	SEEK(GTDBG_SIP_SLOT_COMMAND)
	GET(READ1, r3)
	DONE
	(W) jmpi steps_on
/*
 * Is the next instruction a message whose addresses may be those that are watched? Of
 * all its channels, also those that are off. Clobbered: r1, r2.4 to r2.6, r3, a0.1; from
 * watch_ends on r1 is a header again, and a0 the kernel's.
 * At unwatched r3 is the command.
 */
watch:
	(W) mov (4|M0) r2.8<1>:uw 0xC840:uv {@1}
	(W) add (4|M0) r1.0<2>:ud r2.8<4;4,1>:uw r2.2<0;1,0>:ud {@1}
	(W) add (4|M0) r1.0<2>:ud r1.0<8;4,2>:ud r3.4<0;1,0>:ud {@1}
	(W) cmp (4|M0) (lt)f0.0 null<1>:ud r1.0<8;4,2>:ud r3.4<0;1,0>:ud {@1}
	(W) mov (4|M0) r1.1<2>:ud r3.5<0;1,0>:ud {@1}
	(W&f0.0) add (4|M0) r1.1<2>:ud r1.1<8;4,2>:ud 1:ud {@1}
	(W) send.dc1 (1|M0) r1 r1 null READ_GLOBAL {@1,$0}
	DONE
	ALU(and, r2.4, r1.0, INST_OPCODE)
	TEST(eq, r2.4, INST_SEND)
	(W&~f0.0) cmp (1|M0) (eq)f0.0 null<1>:ud r2.4<0;1,0>:ud INST_SENDC:ud {@1}
	(W&~f0.0) jmpi unwatched
	/* Behind a short one may be nothing. */
	TEST_BITS(r1.0, INST_COMPACT)
	(W&f0.0) jmpi watch_stops
	SET(f0.0, 0xE)
	(W&f0.0) send.dc1 (4|M0) r1 r1 null READ_GLOBAL {@1,$0}
	DONE
	ALU(and, r2.4, r1.2, INST_PORT)
	TEST(eq, r2.4, INST_PORT_DC1)
	(W&~f0.0) jmpi unwatched
	ALU(shr, r2.4, r1.3, INST_TYPE_SHIFT)
	ALU(and, r2.4, r2.4, 31)
	(W) shr (1|M0) r2.4<1>:ud r3.3<0;1,0>:ud r2.4<0;1,0>:ud {@1}
	TEST_BITS(r2.4, 1)
	(W&~f0.0) jmpi unwatched
	/* The bytes of its addresses, eight for each channel, and where they are. */
	ALU(shr, r2.4, r1.0, INST_SIZE_SHIFT)
	ALU(and, r2.4, r2.4, 7)
	SET(r2.6, 8)
	(W) shl (1|M0) r2.6<1>:ud r2.6<0;1,0>:ud r2.4<0;1,0>:ud {@1}
	ALU(and, r2.5, r1.2, INST_SOURCE)
	ALU(shr, r2.5, r2.5, INST_SOURCE_SHIFT)
	/* Those are in the slot, or nowhere. */
	(W) add (1|M0) r3.7<1>:ud r2.5<0;1,0>:ud r2.6<0;1,0>:ud {@1}
	TEST(lt, r2.5, 32 * 4)
	(W&~f0.0) cmp (1|M0) (gt)f0.0 null<1>:ud r3.7<0;1,0>:ud (128 * 32):ud {@1}
	(W&f0.0) jmpi watch_stops
	MOV8(r1.0, r0.0)
	SEEK(GTDBG_SIP_SLOT_COMMAND + 32)
	GET(READ1, r3)
	MOV(r2.4, a0.0)
	(W) mov (1|M0) a0.1<1>:uw r2.10<0;1,0>:uw {@1}
	DONE
watch_turn:
	(W) add (4|M0) r1.0<1>:ud r[a0.1]<8;4,2>:ud -r3.4<0;1,0>:ud {@1}
	(W) cmp (4|M0) (lt)f0.0 null<1>:ud r[a0.1]<8;4,2>:ud r3.4<0;1,0>:ud {@1}
	(W) add (4|M0) r1.4<1>:ud r[a0.1,4]<8;4,2>:ud -r3.5<0;1,0>:ud {@1}
	(W&f0.0) add (4|M0) r1.4<1>:ud r1.4<4;4,1>:ud -1:ud {@1}
	/* Without the tag that says what memory it is. */
	(W) and (4|M0) (eq)f0.0 null<1>:ud r1.4<4;4,1>:ud 0xFFFF:ud {@1}
	(W&f0.0) cmp (4|M0) (lt)f0.0 null<1>:ud r1.0<4;4,1>:ud r3.6<0;1,0>:ud {@1}
	(W) and (1|M0) (ne)f0.0 null<1>:uw f0.0<0;1,0>:uw 0xF:uw {@1}
	(W&f0.0) jmpi watch_ends
	(W) add (1|M0) a0.1<1>:uw a0.1<0;1,0>:uw 32:uw {@1}
	(W) add (1|M0) (gt)f0.0 r2.6<1>:d r2.6<0;1,0>:d -32:d {@1}
	(W&f0.0) jmpi watch_turn
	SET(f0.0, 0)
watch_ends:
	MOV(a0.0, r2.4)
	MOV8(r1.0, r0.0)
	(W&f0.0) jmpi stays
	(W) jmpi in_call
watch_stops:
	MOV8(r1.0, r0.0)
	(W) jmpi stays
unwatched:
	MOV8(r1.0, r0.0)
	(W) jmpi steps_on
