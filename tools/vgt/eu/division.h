/* SPDX-License-Identifier: MIT */
/*
 * The loop by which the compiler divides 64-bit integers, as the GPU cannot: bit
 * by bit, in 64 turns. Turn i doubles the remainder R, adds bit i of the
 * dividend N, and if that is not less than the divisor D, subtracts D and sets
 * bit i of the quotient Q. So what a turn leaves in R and Q can be known without
 * the turns before it: R = (N >> i) mod D. What it leaves in other registers,
 * nobody needs but a debugger. Those turns are run that wrote last what is
 * there at the loop's end; all others are skipped.
 *
 * loop.c finds such a loop by what it reads and writes, and trial.c tries whether its
 * turns do that and nothing else, while origin.c looks where what they write comes
 * from. Here it is taken. See Documentation/vgt.rst.
 */
#ifndef VGT_DIVISION_H
#define VGT_DIVISION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define VGT_DIVISION_TURNS 64
#define VGT_DIVISION_GROUPS 32

struct vgt_eu_thread;
struct vgt_inst;
struct vgt_origin;
struct vgt_unit;

/* When a turn writes something. The channels are those whose quotient gets a bit. */
enum vgt_division_write {
	VGT_DIVISION_NEVER = 0,
	VGT_DIVISION_ALWAYS = 1,
	VGT_DIVISION_ANY = 2, /* if there is such a channel */
	VGT_DIVISION_OWN = 3, /* if one of a few channels is such a one; never if all must be */
	VGT_DIVISION_COPY = 4, /* always, from what the turn before has left */
	VGT_DIVISION_OTHER = 5, /* by some other rule */
};

/* Lower and upper halves of 16 channels' variables: offsets into thread->reg. */
struct vgt_division_half {
	uint16_t n[2], d[2], r[2], q[2];
};

/* How many instructions a turn has, and how many of them only find the next. */
struct vgt_division_count {
	uint16_t all, links;
};

/* One loop, as these channels run it. Does not change once it is found by others. */
struct vgt_division {
	struct vgt_division *next;
	const struct vgt_inst *head;
	uint32_t end; /* ip behind it */
	uint32_t enabled;
	_Atomic uint32_t visits; /* of the head, until it is tried */
	_Atomic uint32_t state; /* enum of division.c */
	_Atomic uint64_t epoch; /* that found the code as it was tried */
	uint64_t digest; /* of the code */
	struct vgt_unit *_Atomic unit; /* a turn, compiled; or NULL */
	_Atomic bool asked, looked; /* for that; and among what is stored */

	uint16_t counter; /* of turns, from 63 down */
	bool quotient; /* it has one */
	struct vgt_division_half half[2];

	/* Turns whose channels get no bit, some and all. */
	struct vgt_division_count count[VGT_DIVISION_TURNS][3];

	/* Bits of registers, grouped by when they are written. */
	uint32_t groups;
	uint8_t write[VGT_DIVISION_GROUPS][VGT_DIVISION_TURNS];
	uint32_t reads[VGT_DIVISION_TURNS]; /* groups that turns copy from */

	/* The same turn by turn: groups that are written in each way. */
	uint32_t writers[VGT_DIVISION_TURNS][VGT_DIVISION_OTHER + 1];

	/* Turns that count as turn i does, of which none before it does; and those i. */
	uint64_t same[VGT_DIVISION_TURNS], kinds;

	/* Of each group: turns that write it, whatever bits the quotients have or not. */
	uint64_t sure[VGT_DIVISION_GROUPS], maybe[VGT_DIVISION_GROUPS];
};

/* Loops are tried when they have been visited so often; UINT32_MAX: never. */
void vgt_division_after(uint32_t visits);

/* Loops that were taken so far; for tests. */
uint64_t vgt_division_taken(void);

/*
 * At the head of a loop, with nothing pending: false if the run loop has to
 * execute it. Else it is done, and *@inst is what follows.
 */
bool vgt_division_run(struct vgt_eu_thread *thread,
		      const struct vgt_inst **inst, uint64_t *budget);

/*
 * One turn, from the head: the head again, or what is behind the loop. NULL if it
 * is neither, or if a breakpoint is there, or by what @origin says, which may be NULL.
 */
const struct vgt_inst *vgt_division_turn(struct vgt_eu_thread *thread,
					 const struct vgt_division *division,
					 struct vgt_division_count *count,
					 struct vgt_origin *origin);

/* With the page that the head is of. */
void vgt_division_destroy(struct vgt_division *list);

#endif
