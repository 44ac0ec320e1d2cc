// SPDX-License-Identifier: MIT
#include "eu/loop.h"

#include "eu/handler.h"
#include "eu/icache.h"
#include "eu/vector.h"
#include "host/hash.h"

#include <string.h>

#define LENGTH_MAX 256
#define LENGTH_MIN 16
#define NO_COUNTER UINT16_MAX

struct scan {
	struct vgt_loop *loop;
	uint32_t length, borrows, counters;
	bool begins[2 * LENGTH_MAX]; /* an instruction, 8 bytes apart from the head on */
	bool written[VGT_REG_A0];

	/* Read before they are written, by half. */
	uint32_t reads[2];
	uint16_t read[2][2 * VGT_LOOP_VARIABLES];
};

static bool is_branch(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_IF:
	case VGT_OP_ELSE:
	case VGT_OP_ENDIF:
	case VGT_OP_BREAK:
	case VGT_OP_WHILE:
		return true;
	default:
		return false;
	}
}

static bool computes(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_ADD:
	case VGT_OP_ADDC:
	case VGT_OP_AND:
	case VGT_OP_ASR:
	case VGT_OP_CMP:
	case VGT_OP_MOV:
	case VGT_OP_NOT:
	case VGT_OP_OR:
	case VGT_OP_SEL:
	case VGT_OP_SHL:
	case VGT_OP_SHR:
	case VGT_OP_SUBB:
	case VGT_OP_XOR:
		return true;
	default:
		return false;
	}
}

/*
 * General registers, accumulators and flags: what a trial can put back. One that goes on
 * behind the last general register is refused when it is executed.
 */
static bool place_known(const struct vgt_operand *operand, uint32_t lanes)
{
	if (operand->kind == VGT_OPERAND_NONE ||
	    operand->kind == VGT_OPERAND_IMM)
		return true;
	if (operand->kind != VGT_OPERAND_REG)
		return false;
	if (operand->arf == VGT_ARF_NULL || operand->arf == VGT_ARF_ACC)
		return true;
	if (operand->offset < VGT_REG_A0 &&
	    operand->offset + vgt_operand_span(operand, lanes) > VGT_REG_A0)
		return false;
	return operand->arf == VGT_ARF_PLAIN &&
	       (operand->offset < VGT_REG_MME ||
		(operand->offset >= VGT_REG_F &&
		 operand->offset + operand->bytes <= VGT_REG_F + 8));
}

static bool places_known(const struct vgt_inst *inst)
{
	if (!place_known(&inst->dst, inst->exec_size))
		return false;
	for (uint32_t i = 0; i < inst->sources; i++)
		if (!place_known(&inst->src[i], inst->exec_size))
			return false;
	return true;
}

static void note_read(struct scan *scan, const struct vgt_inst *inst,
		      const struct vgt_operand *operand)
{
	uint32_t half = inst->chan / 16, shift = 4 * (inst->chan % 16);
	bool known = true;

	if (operand->kind != VGT_OPERAND_REG || operand->offset >= VGT_REG_A0 ||
	    operand->bytes != 4 || operand->stride != 1 ||
	    inst->exec_size < 8 || operand->offset < shift)
		return;
	for (uint32_t i = 0; i < 4U * inst->exec_size; i++)
		known &= scan->written[operand->offset + i];
	for (uint32_t i = 0; i < scan->reads[half]; i++)
		known |= scan->read[half][i] == operand->offset - shift;
	if (known)
		return;
	if (scan->reads[half] < 2 * VGT_LOOP_VARIABLES)
		scan->read[half][scan->reads[half]++] =
			operand->offset - shift;
	if (scan->loop->lanes < inst->chan + inst->exec_size)
		scan->loop->lanes = inst->chan + inst->exec_size;
}

static void note_write(struct scan *scan, const struct vgt_inst *inst)
{
	const struct vgt_operand *dst = &inst->dst;

	if (dst->kind == VGT_OPERAND_REG && dst->offset < VGT_REG_A0)
		memset(scan->written + dst->offset, true,
		       vgt_operand_span(dst, inst->exec_size));
}

static bool is_counter(const struct vgt_inst *inst)
{
	const struct vgt_operand *from = &inst->src[0], *by = &inst->src[1];
	uint32_t minus = by->bytes == 2 ? (uint32_t)(int16_t)by->imm : by->imm;

	return inst->op == VGT_OP_ADD && inst->exec_size == 1 &&
	       inst->dst.kind == VGT_OPERAND_REG &&
	       inst->dst.offset < VGT_REG_A0 && inst->dst.bytes == 4 &&
	       from->kind == VGT_OPERAND_REG && !from->mod &&
	       from->offset == inst->dst.offset &&
	       by->kind == VGT_OPERAND_IMM && minus == UINT32_MAX;
}

static bool note(struct scan *scan, const struct vgt_inst *inst)
{
	if (atomic_load(&inst->flags) & VGT_INST_BREAK ||
	    ++scan->length > LENGTH_MAX)
		return false;
	if (is_branch(inst) || inst->vector == VGT_VECTOR_NOTHING)
		return true;
	if (!computes(inst) || !places_known(inst))
		return false;
	for (uint32_t i = 0; i < inst->sources; i++)
		note_read(scan, inst, &inst->src[i]);
	note_write(scan, inst);
	scan->borrows += inst->op == VGT_OP_SUBB;
	if (is_counter(inst)) {
		scan->loop->counter = inst->dst.offset;
		scan->counters++;
	}
	return true;
}

static bool sort(struct scan *scan, uint32_t h)
{
	struct vgt_loop_half *half = &scan->loop->half[h];

	for (uint32_t i = 0; i < scan->reads[h]; i++) {
		uint16_t place = scan->read[h][i];
		bool carried = scan->written[place];
		uint32_t *count = carried ? &half->carried : &half->fixed;

		if (*count == VGT_LOOP_VARIABLES)
			return false;
		(carried ? half->carry : half->fix)[(*count)++] = place;
	}
	return true;
}

/* NULL instead of a complaint where the cache has nothing. */
static const struct vgt_inst *look(struct vgt_eu_thread *thread, uint32_t ip,
				   uint8_t code[16], size_t *bytes)
{
	const struct vgt_inst *inst;

	if (!vgt_icache_code(thread, ip, code))
		return NULL;
	inst = vgt_icache_fetch(thread, ip);
	*bytes = vgt_icache_code(thread, ip, code);
	return inst;
}

/* Into the middle of an instruction there is code that was not looked at. */
static bool is_target(const struct scan *scan, uint32_t ip)
{
	const struct vgt_loop *loop = scan->loop;

	return ip <= loop->head->ip || ip >= loop->end ||
	       scan->begins[(ip - loop->head->ip) / 8];
}

static bool targets_known(const struct scan *scan, struct vgt_eu_thread *thread)
{
	const struct vgt_inst *inst;

	for (uint32_t ip = scan->loop->head->ip; ip < scan->loop->end;
	     ip += inst->bytes) {
		inst = vgt_icache_fetch(thread, ip);
		if (!inst || (is_branch(inst) && (!is_target(scan, inst->jip) ||
						  !is_target(scan, inst->uip))))
			return false;
	}
	return true;
}

bool vgt_loop_scan(struct vgt_eu_thread *thread, const struct vgt_inst *head,
		   struct vgt_loop *loop)
{
	struct scan scan = { .loop = loop };
	const struct vgt_inst *inst;
	uint32_t ip = head->ip;
	uint8_t code[16];
	size_t bytes;

	memset(loop, 0, sizeof(*loop));
	loop->head = head;
	do {
		inst = look(thread, ip, code, &bytes);
		if (!inst || !note(&scan, inst))
			return false;
		scan.begins[(ip - head->ip) / 8] = true;
		ip += inst->bytes;
	} while (inst->op != VGT_OP_WHILE);
	loop->end = ip;
	return inst->jip == head->ip && scan.length >= LENGTH_MIN &&
	       scan.borrows && scan.counters == 1 && sort(&scan, 0) &&
	       sort(&scan, 1) && targets_known(&scan, thread);
}

uint64_t vgt_loop_digest(struct vgt_eu_thread *thread,
			 const struct vgt_inst *head, uint32_t end)
{
	uint64_t digest = VGT_HASH_START;
	const struct vgt_inst *inst;
	uint8_t code[16];
	size_t bytes;

	for (uint32_t ip = head->ip; ip < end; ip += inst->bytes) {
		inst = look(thread, ip, code, &bytes);
		if (!inst || bytes < inst->bytes)
			return 0;
		digest = vgt_hash(digest, code, inst->bytes);
	}
	return digest | 1;
}
