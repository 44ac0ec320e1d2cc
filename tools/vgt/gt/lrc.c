// SPDX-License-Identifier: MIT
#include "gt/lrc.h"

#include "gt/context.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/engine.h"
#include "gt/ggtt.h"
#include "gt/mmio.h"

#include <errno.h>
#include <string.h>

#define REGS_OFFSET 0x1000 /* register page, from LRCA */
#define REGS_DWORDS 1024
#define LRI_MASK 0xff800000U
#define LRI 0x11000000U

#define RING_CTL_VALID 1U
#define RING_CTL_PAGES 0x1ff000U

/* Registers in the page, relative to the engine. */
enum {
	REGS_PER_CONTEXT = 0x1c0,
	REGS_INDIRECT = 0x1c4,
	REGS_CONTROL = 0x244,
	REGS_PDP0_LOW = 0x270,
	REGS_PDP0_HIGH = 0x274,
};

#define CONTROL_RESTORE_INHIBIT (1U << 0)

#define PER_CONTEXT_VALID (1U << 0)
#define PER_CONTEXT_PAGE 0xfffff000U
#define INDIRECT_LINES 0x3fU /* of 64 bytes */
#define INDIRECT_LINE_BYTES 64

#define ENGINE_MASK 0xfffU

#define STATE_OFFSET 0x2000 /* of the render engine's state, from LRCA */
#define STATE_MAGIC 0x7467765f65746174ULL
#define SCRATCH_CODE_MASK 0xfU
#define GPR_DWORDS 32

/* Registers of the render engine that each context has for itself. */
static const uint32_t private[] = {
	VGT_CS_DEBUG_MODE2, VGT_RCS_BASE + VGT_ENGINE_CS_CHICKEN,
};

#define PRIVATE (sizeof(private) / sizeof(private[0]))

/* What is no magic number was never saved: all of it is zero. */
struct image_state {
	uint64_t magic;
	struct vgt_state state;
	uint32_t sip_valid, fused_off; /* of @state: any byte may stand there */
	uint32_t private[PRIVATE];
	uint32_t gpr[GPR_DWORDS];

	/* A place in a batch: of the ring's head @head, and good once. */
	uint32_t depth, head;
	uint64_t ip[VGT_LEVELS], groups;
	uint32_t ggtt; /* bit per level */
};

_Static_assert(sizeof(struct image_state) <= VGT_PAGE_BYTES, "one page");

/* The value of register @offset in the page, or NULL. */
static uint32_t *regs_find(uint32_t *page, uint32_t offset)
{
	uint32_t i = 0, pairs;

	while (i < REGS_DWORDS) {
		if ((page[i] & LRI_MASK) != LRI) {
			i++;
			continue;
		}
		pairs = ((page[i] & 0xff) + 1) / 2;
		for (i++; pairs && i + 1 < REGS_DWORDS; pairs--, i += 2)
			if ((page[i] & ENGINE_MASK) == offset)
				return &page[i + 1];
	}
	return NULL;
}

static uint32_t regs_get(uint32_t *page, uint32_t offset)
{
	uint32_t *at = regs_find(page, offset);

	return at ? __atomic_load_n(at, __ATOMIC_ACQUIRE) : 0;
}

static void regs_set(uint32_t *page, uint32_t offset, uint32_t value)
{
	uint32_t *at = regs_find(page, offset);

	if (at)
		__atomic_store_n(at, value, __ATOMIC_RELEASE);
}

static void *page_at(const struct vgt_context *context, uint32_t offset)
{
	return vgt_ggtt_host(&context->device->memory, context->lrca + offset);
}

static bool has_state(const struct vgt_engine *engine)
{
	return engine->list && vgt_engine_is_render(engine);
}

/* A driver that sets the ring's head back does not want the batch to go on. */
static void position_load(struct vgt_context *context,
			  const struct image_state *saved)
{
	struct vgt_position *position = &context->position;

	if (saved->depth >= VGT_LEVELS || saved->head != context->ring_head)
		return;
	position->depth = saved->depth;
	position->groups = saved->groups;
	for (uint32_t i = 0; i < VGT_LEVELS; i++) {
		position->level[i].ip = saved->ip[i] & ~3ULL;
		position->level[i].ggtt = saved->ggtt >> i & 1;
	}
}

static void position_save(const struct vgt_context *context,
			  struct image_state *saved)
{
	const struct vgt_position *position = &context->position;

	saved->depth = position->depth;
	saved->head = context->ring_head;
	saved->groups = position->groups;
	for (uint32_t i = 0; i < VGT_LEVELS; i++) {
		saved->ip[i] = position->level[i].ip;
		saved->ggtt |= (uint32_t)position->level[i].ggtt << i;
	}
}

/*
 * Whoever owns the memory may write there, so no value may do harm. What is loaded
 * is gone from there until it is saved: after a reset it does not count.
 */
static void state_load(struct vgt_engine *engine, struct vgt_context *context,
		       bool inhibit)
{
	struct image_state *page = page_at(context, STATE_OFFSET);
	struct image_state saved = { 0 };

	if (page && !inhibit) {
		memcpy(&saved, page, sizeof(saved));
		page->depth = 0;
		page->groups = 0;
	}
	if (saved.magic != STATE_MAGIC)
		memset(&saved, 0, sizeof(saved));
	saved.state.sip_valid = saved.sip_valid;
	saved.state.fused_off = saved.fused_off;
	saved.state.scratch_code &= SCRATCH_CODE_MASK;
	context->state = saved.state;
	position_load(context, &saved);
	for (size_t i = 0; i < PRIVATE; i++)
		vgt_mmio_show(engine->device->mmio, private[i],
			      saved.private[i]);
	for (uint32_t i = 0; i < GPR_DWORDS; i++)
		vgt_engine_set(engine, VGT_ENGINE_GPR + 4 * i, saved.gpr[i]);
}

static void state_save(struct vgt_engine *engine, struct vgt_context *context)
{
	void *page = page_at(context, STATE_OFFSET);
	struct image_state saved = {
		.magic = STATE_MAGIC,
		.state = context->state,
		.sip_valid = context->state.sip_valid,
		.fused_off = context->state.fused_off,
	};

	for (size_t i = 0; i < PRIVATE; i++)
		saved.private[i] = vgt_mmio_get(engine->device->mmio,
						private[i]);
	for (uint32_t i = 0; i < GPR_DWORDS; i++)
		saved.gpr[i] = vgt_engine_get(engine, VGT_ENGINE_GPR + 4 * i);
	position_save(context, &saved);
	if (page)
		memcpy(page, &saved, sizeof(saved));
}

static int ring_check(struct vgt_engine *engine, struct vgt_context *context,
		      uint32_t ctl)
{
	if ((ctl & RING_CTL_VALID) && !(context->ring_tail % 4) &&
	    !(context->ring_head % 4) &&
	    context->ring_tail < context->ring_bytes &&
	    context->ring_head < context->ring_bytes)
		return 0;
	vgt_engine_fail(engine,
			"context 0x%x: bad ring: head 0x%x, tail 0x%x, control 0x%x",
			context->lrca, context->ring_head, context->ring_tail,
			ctl);
	return -EINVAL;
}

/* Where in the restore they are carried out does not matter here. */
static void workarounds_load(struct vgt_context *context, uint32_t *page)
{
	uint32_t indirect = regs_get(page, REGS_INDIRECT);
	uint32_t per_context = regs_get(page, REGS_PER_CONTEXT);

	context->indirect = indirect & ~INDIRECT_LINES;
	context->indirect_bytes = (indirect & INDIRECT_LINES) *
				  INDIRECT_LINE_BYTES;
	context->per_context = per_context & PER_CONTEXT_VALID ?
			       per_context & PER_CONTEXT_PAGE : 0;
}

static void regs_load(struct vgt_context *context, uint32_t *page, uint32_t ctl)
{
	context->ring_start = regs_get(page, VGT_ENGINE_START);
	context->ring_bytes = (ctl & RING_CTL_PAGES) + VGT_PAGE_BYTES;
	context->ring_tail = regs_get(page, VGT_ENGINE_TAIL);
	if (!context->loaded)
		context->ring_head = regs_get(page, VGT_ENGINE_HEAD);
	context->time = regs_get(page, VGT_ENGINE_CTX_TIMESTAMP);
	context->since = (uint32_t)vgt_mmio_timestamp();
	workarounds_load(context, page);
	context->ppgtt.memory = &context->device->memory;
	context->ppgtt.pml4 = regs_get(page, REGS_PDP0_LOW) |
		(uint64_t)regs_get(page, REGS_PDP0_HIGH) << 32;
}

void vgt_lrc_tail_set(const struct vgt_context *context, uint32_t tail)
{
	uint32_t *page = page_at(context, REGS_OFFSET);

	if (page)
		regs_set(page, VGT_ENGINE_TAIL, tail);
}

static uint32_t *regs_page(struct vgt_engine *engine,
			   const struct vgt_context *context)
{
	uint32_t *page = page_at(context, REGS_OFFSET);

	if (!page)
		vgt_engine_fail(engine, "context state at GGTT 0x%x: not mapped",
				context->lrca);
	return page;
}

int vgt_lrc_tail_load(struct vgt_engine *engine, struct vgt_context *context)
{
	uint32_t *page = regs_page(engine, context);

	if (!page)
		return -EFAULT;
	context->ring_tail = regs_get(page, VGT_ENGINE_TAIL);
	vgt_engine_set(engine, VGT_ENGINE_TAIL, context->ring_tail);
	return ring_check(engine, context, regs_get(page, VGT_ENGINE_CTL));
}

int vgt_lrc_load(struct vgt_engine *engine, struct vgt_context *context)
{
	uint32_t *page = regs_page(engine, context);
	uint32_t ctl;
	int ret;

	if (!page)
		return -EFAULT;
	ctl = regs_get(page, VGT_ENGINE_CTL);
	regs_load(context, page, ctl);
	ret = ring_check(engine, context, ctl);
	if (ret)
		return ret;
	if (has_state(engine))
		state_load(engine, context, regs_get(page, REGS_CONTROL) &
			   CONTROL_RESTORE_INHIBIT);
	context->loaded = true;
	context->arbitration = true;
	return 0;
}

/* An indirect batch uses them, and then loads from there what it has used. */
static void gpr_save(struct vgt_engine *engine, uint32_t *page)
{
	for (uint32_t i = 0; i < GPR_DWORDS; i++)
		regs_set(page, VGT_ENGINE_GPR + 4 * i,
			 vgt_engine_get(engine, VGT_ENGINE_GPR + 4 * i));
}

void vgt_lrc_save(struct vgt_engine *engine, struct vgt_context *context)
{
	uint32_t *page = page_at(context, REGS_OFFSET);

	if (!page)
		return;
	if (has_state(engine))
		state_save(engine, context);
	if (engine->list)
		regs_set(page, VGT_ENGINE_CTX_TIMESTAMP, context->time +
			 (uint32_t)vgt_mmio_timestamp() - context->since);
	if (engine->list && context->indirect_bytes)
		gpr_save(engine, page);
	regs_set(page, VGT_ENGINE_HEAD, context->ring_head);
}
