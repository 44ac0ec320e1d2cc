// SPDX-License-Identifier: MIT
/*
 * A walk over the code by its basic blocks, each with the bytes that still hold what
 * they did at the beginning. Masks of lanes do not count: what a branch leaves out comes
 * along its other way. A write under a predicate overwrites nothing.
 */
#include "check/live.h"

#include "eu/eu.h"
#include "eu/handler.h"
#include "eu/icache.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/message.h"

#include <string.h>

#define GRF_END (128 * VGT_GRF_BYTES)
#define WORDS 64
#define BLOCKS 1024
/* Of instructions: code may be anybody's. */
#define STEPS 20000
#define DC0_OWORD_WRITE 0x08
#define CODE_COMPACTED (1U << 29)

struct block {
	uint32_t ip;
	bool todo;
	struct vgt_check_bytes held;
};

struct walk {
	struct vgt_eu_thread *thread;
	bool strict;
	struct vgt_check_bytes *read;
	uint32_t count, steps;
	struct block block[BLOCKS];
};

void vgt_check_bytes_set(struct vgt_check_bytes *bytes, uint32_t offset,
			 uint32_t count)
{
	for (uint32_t n; count && offset < GRF_END; offset += n, count -= n) {
		n = 64 - offset % 64;
		if (n > count)
			n = count;
		bytes->bit[offset / 64] |= (UINT64_MAX >> (64 - n))
					   << offset % 64;
	}
}

bool vgt_check_bytes_any(const struct vgt_check_bytes *bytes, uint32_t offset,
			 uint32_t count)
{
	for (uint32_t i = offset; i < offset + count && i < GRF_END; i++)
		if (bytes->bit[i / 64] >> i % 64 & 1)
			return true;
	return false;
}

static void join(struct vgt_check_bytes *to, const struct vgt_check_bytes *from)
{
	for (uint32_t i = 0; i < WORDS; i++)
		to->bit[i] |= from->bit[i];
}

static void drop(struct vgt_check_bytes *from,
		 const struct vgt_check_bytes *which)
{
	for (uint32_t i = 0; i < WORDS; i++)
		from->bit[i] &= ~which->bit[i];
}

static bool is_empty(const struct vgt_check_bytes *bytes)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < WORDS; i++)
		all |= bytes->bit[i];
	return !all;
}

static bool is_within(const struct vgt_check_bytes *bytes,
		      const struct vgt_check_bytes *others)
{
	uint64_t more = 0;

	for (uint32_t i = 0; i < WORDS; i++)
		more |= bytes->bit[i] & ~others->bit[i];
	return !more;
}

static void operand_bytes(const struct vgt_operand *operand,
			  const struct vgt_inst *inst, uint32_t lanes,
			  struct vgt_check_bytes *out)
{
	if (operand->kind != VGT_OPERAND_REG || operand->offset >= GRF_END)
		return;
	for (uint32_t i = 0; i < inst->exec_size; i++) {
		uint32_t at = i / operand->width * operand->vstride +
			      i % operand->width * operand->hstride;

		if (lanes >> i & 1)
			vgt_check_bytes_set(out, operand->offset +
					    at * operand->bytes,
					    operand->bytes);
	}
}

bool vgt_check_is_send(const struct vgt_inst *inst)
{
	return inst->op == VGT_OP_SEND || inst->op == VGT_OP_SENDC;
}

static bool is_indirect(const struct vgt_operand *operand)
{
	return operand->kind == VGT_OPERAND_INDIRECT ||
	       operand->kind == VGT_OPERAND_VXH;
}

bool vgt_check_sources(const struct vgt_inst *inst, uint32_t lanes,
		       struct vgt_check_bytes *out)
{
	memset(out, 0, sizeof(*out));
	if (vgt_check_is_send(inst)) {
		if (inst->src[0].kind == VGT_OPERAND_REG)
			vgt_check_bytes_set(out, inst->src[0].offset,
					    (inst->desc >> 25 & 15) *
					    VGT_GRF_BYTES);
		if (inst->src[1].kind == VGT_OPERAND_REG)
			vgt_check_bytes_set(out, inst->src[1].offset,
					    (inst->exdesc >> 6 & 31) *
					    VGT_GRF_BYTES);
		return inst->desc_reg == 255 && inst->exdesc_reg == 255;
	}
	for (uint32_t i = 0; i < inst->sources; i++) {
		if (is_indirect(&inst->src[i]))
			return false;
		operand_bytes(&inst->src[i], inst, lanes, out);
	}
	return true;
}

void vgt_check_results(const struct vgt_inst *inst, uint32_t lanes,
		       struct vgt_check_bytes *out)
{
	memset(out, 0, sizeof(*out));
	if (inst->dst.kind != VGT_OPERAND_REG || inst->dst.arf ||
	    (inst->pred && inst->op != VGT_OP_SEL))
		return;
	if (!vgt_check_is_send(inst))
		operand_bytes(&inst->dst, inst, lanes, out);
	else if (inst->desc_reg == 255)
		vgt_check_bytes_set(out, inst->dst.offset,
				    (inst->desc >> 20 & 31) * VGT_GRF_BYTES);
}

/* Registers are saved on the thread's stack. */
static bool is_spill(const struct vgt_inst *inst)
{
	uint32_t bti = inst->desc & 0xff;

	return vgt_check_is_send(inst) && inst->function == VGT_SFID_DC0 &&
	       (inst->desc >> 14 & 31) == DC0_OWORD_WRITE &&
	       (bti == VGT_BTI_STATELESS || bti == VGT_BTI_STATELESS_NC);
}

bool vgt_check_is_branch(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_BREAK:
	case VGT_OP_CALL:
	case VGT_OP_CONT:
	case VGT_OP_ELSE:
	case VGT_OP_ENDIF:
	case VGT_OP_GOTO:
	case VGT_OP_IF:
	case VGT_OP_JMPI:
	case VGT_OP_JOIN:
	case VGT_OP_RET:
	case VGT_OP_WHILE:
		return true;
	default:
		return false;
	}
}

/* Nobody can say what follows: @held is read. */
static void lose(struct walk *walk, const struct vgt_check_bytes *held)
{
	if (walk->strict)
		join(walk->read, held);
}

/* The code at @ip is to be walked with @held, if it was not with as much. */
static void block_add(struct walk *walk, uint32_t ip,
		      const struct vgt_check_bytes *held)
{
	struct block *block = walk->block;
	struct block *end = walk->block + walk->count;

	if (ip == VGT_IP_NONE) {
		lose(walk, held);
		return;
	}
	while (block < end && block->ip != ip)
		block++;
	if (block == end) {
		if (walk->count == BLOCKS) {
			join(walk->read, held);
			return;
		}
		walk->count++;
		*block = (struct block){ .ip = ip };
	} else if (is_within(held, &block->held)) {
		return;
	}
	join(&block->held, held);
	block->todo = true;
}

/* Where @inst leads besides to the next one; false: not there. */
static bool branch(struct walk *walk, const struct vgt_inst *inst,
		   const struct vgt_check_bytes *held)
{
	if (inst->op == VGT_OP_CALL || inst->op == VGT_OP_RET) {
		lose(walk, held);
		return inst->op == VGT_OP_CALL;
	}
	if (inst->op == VGT_OP_ENDIF || inst->op == VGT_OP_JOIN) {
		if (inst->jip != VGT_IP_NONE)
			block_add(walk, inst->jip, held);
		return true;
	}
	block_add(walk, inst->jip, held);
	if (inst->uip != inst->jip)
		block_add(walk, inst->uip, held);
	return inst->op != VGT_OP_JMPI || inst->pred;
}

/* False: nothing of @held is left, or the code has ended. */
static bool step(struct walk *walk, const struct vgt_inst *inst,
		 struct vgt_check_bytes *held)
{
	struct vgt_check_bytes bytes;

	if (!vgt_check_sources(inst, UINT32_MAX, &bytes) && walk->strict) {
		join(walk->read, held);
		return false;
	}
	if (walk->strict || !is_spill(inst)) {
		for (uint32_t i = 0; i < WORDS; i++)
			walk->read->bit[i] |= held->bit[i] & bytes.bit[i];
		drop(held, walk->read);
	}
	vgt_check_results(inst, UINT32_MAX, &bytes);
	drop(held, &bytes);
	return !is_empty(held) && !(vgt_check_is_send(inst) && inst->eot);
}

/* Code that was loaded into the cache alone is in no memory. */
static bool is_loaded(struct vgt_eu_thread *thread, uint32_t ip)
{
	uint8_t code[16];
	size_t bytes = vgt_icache_code(thread, ip, code);

	return bytes == 16 ||
	       (bytes >= 8 && vgt_load32(code) & CODE_COMPACTED);
}

const struct vgt_inst *vgt_check_code(struct vgt_eu_thread *thread, uint32_t ip)
{
	uint64_t va = thread->group->walker->state.instruction_base + ip;
	enum vgt_eu_status status = thread->status;
	const struct vgt_inst *inst;
	uint32_t at = thread->ip;

	if (ip % 8 || (!vgt_tlb_host(&thread->worker->tlb,
				     va & ~(VGT_PAGE_BYTES - 1),
				     VGT_ACCESS_FETCH) &&
		       !is_loaded(thread, ip)))
		return NULL;
	inst = vgt_icache_fetch(thread, ip);
	/* The thread itself has not come there. */
	thread->ip = at;
	thread->status = status;
	return inst;
}

static void block_walk(struct walk *walk, struct block *block)
{
	struct vgt_check_bytes held = block->held;
	const struct vgt_inst *inst;
	uint32_t ip = block->ip;

	block->todo = false;
	drop(&held, walk->read);
	if (is_empty(&held))
		return;
	for (;; ip = inst->ip + inst->bytes) {
		inst = vgt_check_code(walk->thread, ip);
		if (!inst || inst->op == VGT_OP_ILLEGAL ||
		    walk->steps++ >= STEPS) {
			join(walk->read, &held);
			return;
		}
		if (!step(walk, inst, &held))
			return;
		if (!vgt_check_is_branch(inst))
			continue;
		if (branch(walk, inst, &held))
			block_add(walk, inst->ip + inst->bytes, &held);
		return;
	}
}

void vgt_check_live_from(struct vgt_eu_thread *thread, uint32_t ip,
			 const struct vgt_check_bytes *held, bool strict,
			 struct vgt_check_bytes *out)
{
	struct walk walk;
	bool again = true;

	memset(out, 0, sizeof(*out));
	walk.thread = thread;
	walk.strict = strict;
	walk.read = out;
	walk.count = 0;
	walk.steps = 0;
	block_add(&walk, ip, held);
	while (again) {
		again = false;
		for (uint32_t i = 0; i < walk.count; i++) {
			if (!walk.block[i].todo)
				continue;
			block_walk(&walk, &walk.block[i]);
			again = true;
		}
	}
}
