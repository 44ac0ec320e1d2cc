// SPDX-License-Identifier: MIT
/*
 * The run loop. A handler returns its successor, so straight code and taken
 * branches cost the same; what is rare (breakpoints, waiting channels, the
 * driver's requests) hides behind one test per instruction.
 */
#include "eu/eu.h"

#include "eu/division.h"
#include "eu/handler.h"
#include "eu/kv.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "tier/tier.h"

#include <stdarg.h>
#include <stdio.h>
#include <xmmintrin.h>

#define MXCSR_MASKS 0x1f80U /* no traps */
#define MXCSR_FLUSH 0x8040U /* denormal results and sources are zero */
#define CR0_FLOAT_DENORMALS (1U << 7)

uint32_t vgt_eu_float_mode(const struct vgt_eu_thread *thread)
{
	/* cr0.0[5:4] to MXCSR[14:13]: even, up, down, zero */
	static const uint16_t round[] = { 0, 2 << 13, 1 << 13, 3 << 13 };
	uint32_t cr0 = vgt_load32(thread->reg + VGT_REG_CR);
	uint32_t mxcsr = MXCSR_MASKS | round[cr0 >> 4 & 3];

	if (!(cr0 & CR0_FLOAT_DENORMALS))
		mxcsr |= MXCSR_FLUSH;
	return mxcsr;
}

void vgt_eu_fail(struct vgt_eu_thread *thread, const char *what, ...)
{
	const struct vgt_walker *walker = thread->group->walker;
	char text[96] = "nothing", why[96];
	uint8_t code[16];
	size_t bytes = vgt_icache_code(thread, thread->ip, code);
	va_list args;

	va_start(args, what);
	vsnprintf(why, sizeof(why), what, args);
	va_end(args);
	if (bytes)
		vgt_kv_text(code, bytes, text, sizeof(text));
	snprintf(thread->error, sizeof(thread->error),
		 "kernel 0x%llx+0x%x, address 0x%llx: %s: %s",
		 (unsigned long long)walker->kernel,
		 thread->ip - (uint32_t)walker->kernel,
		 (unsigned long long)(walker->state.instruction_base +
				      thread->ip), text, why);
	thread->status = VGT_EU_ERROR;
}

/* Before @inst: true if the thread goes on elsewhere, or not at all. */
static bool attend(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		   uint32_t flags, uint32_t pending)
{
	thread->ip = inst->ip;
	if (flags & VGT_INST_LABEL && !thread->in_sip)
		vgt_flow_arrive(thread, inst->ip);
	if (pending & VGT_EU_PENDING_STOP)
		return true;
	if (pending & VGT_EU_PENDING_FETCH) {
		atomic_fetch_and(&thread->pending, ~VGT_EU_PENDING_FETCH);
		thread->worker->reader.page = NULL;
		return true;
	}
	if (flags & VGT_INST_BREAK || pending)
		return vgt_exception_check(thread, inst);
	return false;
}

/* More than the instruction at once: a division or a compiled region. */
static bool many(struct vgt_eu_thread *thread, const struct vgt_inst **inst,
		 uint64_t *budget, uint32_t flags)
{
	if (flags & VGT_INST_LOOP && vgt_division_run(thread, inst, budget))
		return true;
	return flags & VGT_INST_HEAD && vgt_tier_run(thread, inst, budget);
}

/* Runs @budget instructions at most; returns how many are left. */
static uint64_t run(struct vgt_eu_thread *thread, uint64_t budget)
{
	const struct vgt_inst *inst = NULL;
	/* Not wherever a thread happened to be when its turn was over. */
	bool head = vgt_tier_mode && !thread->instructions;

	while (budget) {
		uint32_t flags, pending;

		if (!inst) {
			if (thread->status != VGT_EU_YIELD)
				return budget;
			inst = vgt_icache_fetch(thread, thread->ip);
			if (!inst)
				return budget;
			if (head)
				vgt_tier_mark(inst);
			head = vgt_tier_mode;
		}
		flags = atomic_load_explicit(&inst->flags,
					     memory_order_relaxed);
		pending = atomic_load_explicit(&thread->pending,
					       memory_order_relaxed);
		if (__builtin_expect(flags | pending, 0) &&
		    attend(thread, inst, flags, pending)) {
			inst = NULL;
			if (pending & VGT_EU_PENDING_STOP)
				return budget;
			/* Nor where one happens to be when code changes. */
			if (pending & VGT_EU_PENDING_FETCH)
				head = false;
			continue;
		}
		if (__builtin_expect(flags & (VGT_INST_HEAD | VGT_INST_LOOP),
				     0) &&
		    !(flags & VGT_INST_BREAK) && !pending &&
		    many(thread, &inst, &budget, flags))
			continue;
		inst = inst->exec(thread, inst);
		budget--;
	}
	if (inst)
		thread->ip = inst->ip;
	return 0;
}

enum vgt_eu_status vgt_eu_run(struct vgt_eu_thread *thread, uint64_t budget)
{
	struct vgt_icache *cache = thread->group->walker->icache;
	struct vgt_icache_reader *reader = &thread->worker->reader;
	unsigned int saved = _mm_getcsr();

	if (thread->status == VGT_EU_END || thread->status == VGT_EU_ERROR)
		return thread->status;
	thread->status = VGT_EU_YIELD;
	thread->worker->current = thread;
	if (thread->mxcsr != saved)
		_mm_setcsr(thread->mxcsr);
	vgt_icache_enter(cache, reader);
	thread->instructions += budget - run(thread, budget);
	vgt_icache_leave(reader);
	_mm_setcsr(saved);
	return thread->status;
}

const struct vgt_inst *vgt_link_exec(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst)
{
	thread->instructions--; /* the run loop counts it */
	return vgt_icache_fetch(thread, inst->ip);
}
