/* SPDX-License-Identifier: MIT */
/*
 * Which regions are compiled, when, and when a thread runs them. The run loop
 * asks at heads (VGT_INST_HEAD): wherever it has to look an instruction up, and
 * where code jumps back to. See Documentation/vgt.rst, "Compiled regions".
 */
#ifndef VGT_TIER_H
#define VGT_TIER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_code_page;
struct vgt_division;
struct vgt_eu_thread;
struct vgt_icache;
struct vgt_inst;
struct vgt_unit;

enum vgt_tier_mode {
	VGT_TIER_OFF = 0,
	VGT_TIER_HOT = 1, /* in the background, what runs often */
	VGT_TIER_ALWAYS = 2, /* at once, whatever is reached: for tests */
};

/* Set once, before threads run. */
extern enum vgt_tier_mode vgt_tier_mode;

/*
 * 0, or a negative errno and the reason: -ENOSYS if something is not there; others if
 * the system refuses what a compiler needs, and all is left to the interpreter.
 */
int vgt_tier_start(enum vgt_tier_mode mode, const char **why_out);

/* Regions have @count instructions at most from now on; for tests. */
void vgt_tier_limit(uint32_t count);

/* Regions that threads have entered, and turns of divisions; for tests. */
uint64_t vgt_tier_entered(void);
uint64_t vgt_tier_turns(void);

/* What compiling took. */
struct vgt_tier_spent {
	_Atomic uint64_t ns; /* of the processor */
	_Atomic uint64_t lanes; /* of all instructions */
	_Atomic uint32_t regions;
	_Atomic uint32_t reused; /* others, that this process had compiled before */
	_Atomic uint32_t stored; /* others, that an earlier one had (store.h) */
};

const struct vgt_tier_spent *vgt_tier_spent(void);

/* The run loop will ask at @inst. */
void vgt_tier_mark(const struct vgt_inst *inst);

/*
 * At a head, with nothing pending: false if the run loop has to execute *@inst
 * itself. Else *@inst is what follows, or NULL as after a handler.
 */
bool vgt_tier_run(struct vgt_eu_thread *thread, const struct vgt_inst **inst,
		  uint64_t *budget);

/*
 * One turn of a division's loop is compiled, too, if that was not asked before. It
 * is in division->unit when it is there.
 */
void vgt_tier_turn_ask(struct vgt_eu_thread *thread,
		       struct vgt_division *division);

/*
 * Run it: false if it is not there, or the thread is in a state that it does not
 * know. Else as many instructions were executed, and thread->ip is what follows.
 */
bool vgt_tier_turn(struct vgt_eu_thread *thread,
		   const struct vgt_division *division, uint64_t *executed_out);

/* The end of a page, and of a cache: nothing of it is compiled any more (job.c). */
void vgt_tier_destroy(struct vgt_unit *units);
void vgt_tier_forget(const struct vgt_icache *cache);

#endif
