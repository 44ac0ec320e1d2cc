// SPDX-License-Identifier: MIT
/*
 * What a division does: R and N are shifted by a number that depends on the counter alone, masked
 * with constants, and joined; the sum of the two is compared with D, half by half, and
 * from it D is subtracted, or nothing; bits that depend on the counter are added
 * to Q. What the compares say together, no more and no less than whether R has
 * reached D, decides what is written. All this is linear, or concerns one bit at a time, so
 * that random numbers show it wherever it is something else. What else a turn
 * has found it may only move elsewhere, as it does with flags that are put aside.
 */
#include "eu/origin.h"

#include "eu/division.h"
#include "eu/handler.h"
#include "eu/icache.h"
#include "eu/vector.h"

#include <string.h>

/* What a bit comes from. */
enum {
	FOUND = 1 << 0, /* what the turn has found, and is no variable */
	R = 1 << 1,
	N = 1 << 2,
	D = 1 << 3,
	Q = 1 << 4,
	SUM = 1 << 5, /* sums and differences, and what they carry */
	REACHED = 1 << 6, /* whether R has reached D, or a part of the answer */
	RUNS = 1 << 7, /* which channels execute */
};

#define NUMBERS (R | N | D | Q | SUM)
#define FLAGS (8 * VGT_REG_MME) /* their first bit in vgt_origin.of */

/* What an instruction leaves. */
struct result {
	uint8_t bits[32][32]; /* of each lane's number */
	uint8_t flag[32], acc[32];
};

/* The first bit of lane @lane. */
static uint32_t bit_of(const struct vgt_operand *operand, uint32_t lane)
{
	uint32_t at = operand->offset +
		      (lane / operand->width * operand->vstride +
		       lane % operand->width * operand->hstride) *
		      operand->bytes;

	return 8 * (at < VGT_REG_MME ? at : at - VGT_REG_F + VGT_REG_MME);
}

static bool is_kept(const struct vgt_operand *operand)
{
	return operand->kind == VGT_OPERAND_REG &&
	       operand->arf != VGT_ARF_NULL;
}

/* Nothing is known of other registers, which a region may lead to. */
static bool is_inside(const struct vgt_operand *operand, uint32_t lanes)
{
	uint32_t end;

	if (!is_kept(operand))
		return true;
	end = operand->offset + vgt_operand_span(operand, lanes);
	return end <= VGT_REG_MME ||
	       (operand->offset >= VGT_REG_F && end <= VGT_REG_F + 8);
}

/* What is illegal may name any flag. */
static bool are_inside(const struct vgt_inst *inst)
{
	if (inst->op == VGT_OP_ILLEGAL)
		return false;
	for (uint32_t i = 0; i < inst->sources; i++)
		if (!is_inside(&inst->src[i], inst->exec_size))
			return false;
	return is_inside(&inst->dst, inst->exec_size);
}

/* Everything that any of @bits bits, a multiple of 8, comes from. */
static uint8_t join(const uint8_t *of, uint32_t bits)
{
	uint64_t all = 0, some;

	for (uint32_t i = 0; i < bits; i += 8) {
		memcpy(&some, of + i, 8);
		all |= some;
	}
	all |= all >> 32;
	all |= all >> 16;
	return all | all >> 8;
}

static uint8_t source(const struct vgt_origin *origin,
		      const struct vgt_operand *operand, uint32_t lane)
{
	return is_kept(operand) ? join(origin->of + bit_of(operand, lane),
				       8 * operand->bytes) : 0;
}

static uint8_t *flag_of(struct vgt_origin *origin, const struct vgt_inst *inst,
			uint32_t lane)
{
	return origin->of + FLAGS + inst->flag_bit + inst->chan + lane;
}

static uint8_t *acc_of(struct vgt_origin *origin, uint32_t lane)
{
	return origin->of + 8 * (VGT_REG_ACC + 4 * (lane % 16));
}

static bool flag_value(const struct vgt_eu_thread *thread, uint32_t bit)
{
	return thread->reg[VGT_REG_F + bit / 8] >> bit % 8 & 1;
}

void vgt_origin_init(struct vgt_origin *origin,
		     const struct vgt_division *division)
{
	memset(origin, 0, sizeof(*origin));
	origin->division = division;
}

void vgt_origin_begin(struct vgt_origin *origin, uint32_t enabled)
{
	origin->enabled = enabled;
	origin->reached = 0;
	origin->depth = 0;
	memset(origin->of, FOUND, sizeof(origin->of));
	memset(origin->of + 8 * origin->division->counter, 0, 32);
}

void vgt_origin_channel(struct vgt_origin *origin, uint32_t channel,
			uint64_t doubled, uint64_t divisor)
{
	const struct vgt_division *division = origin->division;
	const struct vgt_division_half *half = &division->half[channel / 16];
	uint8_t *of = origin->of + 32 * (channel % 16);

	origin->doubled[channel] = doubled;
	origin->divisor[channel] = divisor;
	origin->reached |= (uint32_t)(doubled >= divisor) << channel;
	for (uint32_t h = 0; h < 2; h++) {
		memset(of + 8 * half->r[h], R, 32);
		memset(of + 8 * half->n[h], N, 32);
		memset(of + 8 * half->d[h], D, 32);
		if (division->quotient)
			memset(of + 8 * half->q[h], Q, 32);
	}
}

/*
 * A predicate that depends on what was compared is the answer to that, or its opposite, and
 * always the same of the two.
 */
static bool sense_known(struct vgt_origin *origin,
			const struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, uint32_t lane)
{
	uint32_t at = (inst->ip - origin->division->head->ip) / 8;
	uint32_t channel = inst->chan + lane;
	bool flag = flag_value(thread, inst->flag_bit + channel);

	if (at >= VGT_ORIGIN_PLACES)
		return false;
	origin->sense[at] |= 1 << (flag == (origin->reached >> channel & 1));
	return origin->sense[at] != 3;
}

/* Of selects and compares all are written that are enabled: any flag will do. */
static bool plain_known(struct vgt_origin *origin,
			const struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, uint32_t lanes)
{
	bool any = inst->op == VGT_OP_SEL || inst->op == VGT_OP_CMP;

	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);
		uint8_t of = *flag_of(origin, inst, i);

		if (of & ~REACHED ||
		    (of && !any && !sense_known(origin, thread, inst, i)))
			return false;
	}
	return true;
}

/*
 * Predicates of several channels are the same whatever these have reached: constants, or whether
 * any channel executes, where one does.
 */
static bool group_known(const struct vgt_origin *origin,
			const struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, uint32_t lane)
{
	uint32_t size = 2U << (inst->pred - VGT_PRED_ANY2H) / 2;
	bool all = (inst->pred - VGT_PRED_ANY2H) & 1, one = false;
	uint32_t first = (inst->chan + lane) & ~(size - 1);
	uint64_t channels = ((1ULL << size) - 1) << first;
	uint32_t bit = inst->flag_bit + first;
	uint8_t of = 0;

	for (uint32_t i = 0; i < size && bit + i < 64; i++) {
		of |= origin->of[FLAGS + bit + i];
		one |= flag_value(thread, bit + i);
	}
	return !of || (of == RUNS && one && !all &&
		       !(origin->enabled & ~channels));
}

static bool predicate_known(struct vgt_origin *origin,
			    const struct vgt_eu_thread *thread,
			    const struct vgt_inst *inst, uint32_t lanes)
{
	if (inst->pred == VGT_PRED_NONE)
		return true;
	if (inst->pred == VGT_PRED_PLAIN)
		return plain_known(origin, thread, inst, lanes);
	if (inst->pred < VGT_PRED_ANY2H)
		return false;
	for (; lanes; lanes &= lanes - 1)
		if (!group_known(origin, thread, inst, __builtin_ctz(lanes)))
			return false;
	return true;
}

static bool is_unsigned(const struct vgt_operand *operand)
{
	return operand->type == VGT_TYPE_UD && !operand->mod;
}

/* What lane @lane of a source of 32 bits is. */
static uint32_t value(const struct vgt_eu_thread *thread,
		      const struct vgt_operand *operand, uint32_t lane)
{
	return operand->kind == VGT_OPERAND_IMM ? operand->imm :
	       vgt_load32(thread->reg + bit_of(operand, lane) / 8);
}

/* Of R and D, the lower halves by their order, the upper ones in any way. */
static bool compares(const struct vgt_origin *origin,
		     const struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst, uint32_t lane,
		     const uint8_t of[2])
{
	const struct vgt_operand *a = &inst->src[0], *b = &inst->src[1];
	uint32_t channel = inst->chan + lane;
	uint64_t r = origin->doubled[channel], d = origin->divisor[channel];
	bool equal = inst->cond == VGT_COND_EQ || inst->cond == VGT_COND_NE;
	bool order = inst->cond >= VGT_COND_GT && inst->cond <= VGT_COND_LE &&
		     is_unsigned(a) && is_unsigned(b);

	if (of[0] & ~(R | N) || of[1] != D || a->bytes != 4 || b->bytes != 4 ||
	    a->mod || b->mod || inst->dst.arf != VGT_ARF_NULL)
		return false;
	return (order && value(thread, a, lane) == (uint32_t)r &&
		value(thread, b, lane) == (uint32_t)d) ||
	       ((order || equal) && value(thread, a, lane) == r >> 32 &&
		value(thread, b, lane) == d >> 32);
}

/* The lower half of D from that of R, or nothing: else it carries something else. */
static bool subtracts(const struct vgt_origin *origin,
		      const struct vgt_eu_thread *thread,
		      const struct vgt_inst *inst, uint32_t lane,
		      const uint8_t of[2])
{
	const struct vgt_operand *a = &inst->src[0], *b = &inst->src[1];
	uint32_t channel = inst->chan + lane, less;

	if (of[0] & ~(R | N) || of[1] != D || !is_unsigned(a) ||
	    !is_unsigned(b))
		return false;
	less = value(thread, b, lane);
	return value(thread, a, lane) == (uint32_t)origin->doubled[channel] &&
	       (!less || less == (uint32_t)origin->divisor[channel]);
}

static bool are_integers(const struct vgt_inst *inst)
{
	for (uint32_t i = 0; i < inst->sources; i++)
		if (vgt_type_float(inst->src[i].type))
			return false;
	return !vgt_type_float(inst->dst.type);
}

/* What a difference is negated by. */
static bool modifiers_known(const struct vgt_inst *inst)
{
	for (uint32_t i = 0; i < inst->sources; i++)
		if (inst->src[i].mod &&
		    (inst->op != VGT_OP_ADD ||
		     inst->src[i].mod != VGT_MOD_NEG))
			return false;
	return true;
}

/* Does @inst, with sources that come from @of, do with numbers what a division does? */
static bool number_known(const struct vgt_origin *origin,
			 const struct vgt_eu_thread *thread,
			 const struct vgt_inst *inst, uint32_t lane,
			 const uint8_t of[2])
{
	uint8_t all = of[0] | of[1];

	if (all & ~NUMBERS || !modifiers_known(inst) ||
	    (!are_integers(inst) && inst->op != VGT_OP_SEL) ||
	    (inst->cond && inst->op != VGT_OP_CMP))
		return false;
	switch (inst->op) {
	case VGT_OP_CMP:
		return compares(origin, thread, inst, lane, of);
	case VGT_OP_SUBB:
		return subtracts(origin, thread, inst, lane, of);
	case VGT_OP_ADD:
		return of[0] && of[1] && !(all & Q);
	case VGT_OP_SEL:
		return true;
	case VGT_OP_ASR:
	case VGT_OP_SHL:
	case VGT_OP_SHR:
		return !of[1] && !(all & SUM);
	case VGT_OP_AND:
		return (!of[0] || !of[1]) && !(all & SUM);
	case VGT_OP_OR:
		return (!of[0] || !of[1] || !(all & ~(R | N))) && !(all & SUM);
	default:
		return false;
	}
}

/* What was compared, as numbers and flags: its parts are put together. */
static bool answer_known(const struct vgt_inst *inst, uint8_t all)
{
	switch (inst->op) {
	case VGT_OP_AND:
	case VGT_OP_CMP:
	case VGT_OP_NOT:
	case VGT_OP_OR:
	case VGT_OP_SEL:
	case VGT_OP_XOR:
		return all == REACHED;
	default:
		return false;
	}
}

/* Parts of a sum are no sums. */
static bool is_whole(const struct vgt_inst *inst)
{
	for (uint32_t i = 0; i < inst->sources; i++)
		if (inst->src[i].bytes != 4)
			return false;
	return inst->dst.bytes == 4;
}

/* A register is equal to itself where a channel executes. */
static bool finds_channels(const struct vgt_inst *inst)
{
	const struct vgt_operand *a = &inst->src[0], *b = &inst->src[1];

	return inst->op == VGT_OP_CMP && inst->cond == VGT_COND_EQ &&
	       !inst->pred && inst->dst.arf == VGT_ARF_NULL && is_kept(a) &&
	       are_integers(inst) && !memcmp(a, b, sizeof(*a));
}

static bool moves(const struct vgt_inst *inst)
{
	const struct vgt_operand *from = &inst->src[0], *to = &inst->dst;

	return inst->op == VGT_OP_MOV && is_kept(from) && !from->mod &&
	       !inst->cond && !inst->saturate && from->bytes == to->bytes &&
	       (from->type == to->type || are_integers(inst));
}

static bool lane_step(const struct vgt_origin *origin,
		      const struct vgt_eu_thread *thread,
		      const struct vgt_inst *inst, uint32_t lane,
		      struct result *result)
{
	uint8_t of[2] = { 0 }, all, flag;

	for (uint32_t i = 0; i < inst->sources && i < 2; i++)
		of[i] = source(origin, &inst->src[i], lane);
	all = of[0] | of[1];
	if (finds_channels(inst)) {
		result->flag[lane] = RUNS;
		return true;
	}
	if (all & SUM && !is_whole(inst))
		return false;
	if (moves(inst)) {
		memcpy(result->bits[lane],
		       origin->of + bit_of(&inst->src[0], lane),
		       8 * inst->dst.bytes);
		return true;
	}
	if (all && (inst->saturate ||
		    !(answer_known(inst, all) ||
		      number_known(origin, thread, inst, lane, of))))
		return false;
	flag = all ? REACHED : 0;
	if (all & NUMBERS && (inst->op == VGT_OP_ADD ||
			      inst->op == VGT_OP_SUBB))
		all |= SUM;
	memset(result->bits[lane], all, 8 * inst->dst.bytes);
	result->acc[lane] = all;
	result->flag[lane] = flag;
	return true;
}

static void add_reached(uint8_t *of, uint32_t bits)
{
	for (uint32_t i = 0; i < bits; i++)
		of[i] |= REACHED;
}

/* Whether lane @lane was written depends on what was compared. */
static void depends(struct vgt_origin *origin, const struct vgt_inst *inst,
		    uint32_t lane)
{
	if (is_kept(&inst->dst))
		add_reached(origin->of + bit_of(&inst->dst, lane),
			    8 * inst->dst.bytes);
	if (inst->cond)
		add_reached(flag_of(origin, inst, lane), 1);
	if (inst->acc_write)
		add_reached(acc_of(origin, lane), 32);
}

static void write(struct vgt_origin *origin, const struct vgt_inst *inst,
		  const struct result *result, uint32_t lanes)
{
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		if (is_kept(&inst->dst))
			memcpy(origin->of + bit_of(&inst->dst, i),
			       result->bits[i], 8 * inst->dst.bytes);
		if (inst->cond)
			*flag_of(origin, inst, i) = result->flag[i];
		if (inst->acc_write)
			memset(acc_of(origin, i), result->acc[i], 32);
	}
}

/* Enabled lanes whose predicate depends on what was compared. */
static uint32_t lanes_dependent(struct vgt_origin *origin,
				const struct vgt_inst *inst, uint32_t lanes)
{
	uint32_t out = 0;

	if (inst->pred != VGT_PRED_PLAIN)
		return 0;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		if (*flag_of(origin, inst, i) & REACHED)
			out |= 1U << i;
	}
	return out;
}

static bool compute(struct vgt_origin *origin,
		    const struct vgt_eu_thread *thread,
		    const struct vgt_inst *inst)
{
	uint32_t lanes = vgt_lanes(thread, inst), dependent, done;
	struct result result;

	if (inst->dst.bytes > 4 || inst->sources > 2 || !are_inside(inst) ||
	    !predicate_known(origin, thread, inst, lanes))
		return false;
	dependent = lanes_dependent(origin, inst, lanes);
	done = inst->op == VGT_OP_SEL ? lanes : vgt_exec_lanes(thread, inst);
	for (uint32_t left = done; left; left &= left - 1)
		if (!lane_step(origin, thread, inst, __builtin_ctz(left),
			       &result))
			return false;
	write(origin, inst, &result, done);
	for (; dependent; dependent &= dependent - 1) {
		uint32_t i = __builtin_ctz(dependent);

		/* Numbers that are selected by it are D or nothing, and the like. */
		if (inst->op != VGT_OP_SEL ||
		    !(source(origin, &inst->dst, i) & NUMBERS))
			depends(origin, inst, i);
	}
	return true;
}

/* Channels part by what was compared. */
static bool part(struct vgt_origin *origin, const struct vgt_eu_thread *thread,
		 const struct vgt_inst *inst)
{
	uint32_t lanes = (thread->enabled >> inst->chan) & inst->lanes;

	if (!predicate_known(origin, thread, inst, lanes))
		return false;
	if (!lanes_dependent(origin, inst, lanes))
		return true;
	if (inst->op != VGT_OP_IF || origin->depth == VGT_ORIGIN_DEPTH)
		return false;
	origin->branch[origin->depth].first = inst->ip + inst->bytes;
	origin->branch[origin->depth++].end = inst->uip;
	return true;
}

/* Where they meet again, what some of them have written depends on it. */
static bool meet(struct vgt_origin *origin, struct vgt_eu_thread *thread,
		 const struct vgt_inst *meets)
{
	const struct vgt_inst *inst;

	if (!origin->depth ||
	    origin->branch[origin->depth - 1].end != meets->ip)
		return true;
	origin->depth--;
	for (uint32_t ip = origin->branch[origin->depth].first;
	     ip < meets->ip; ip += inst->bytes) {
		inst = vgt_icache_fetch(thread, ip);
		if (!inst || !are_inside(inst))
			return false;
		for (uint32_t i = 0; i < inst->exec_size; i++)
			if (inst->vector != VGT_VECTOR_NOTHING)
				depends(origin, inst, i);
	}
	return true;
}

bool vgt_origin_step(struct vgt_origin *origin, struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst)
{
	if (inst->exec == vgt_link_exec)
		return true;
	switch (inst->op) {
	case VGT_OP_IF:
	case VGT_OP_BREAK:
	case VGT_OP_WHILE:
		return part(origin, thread, inst);
	case VGT_OP_ELSE:
		return !inst->pred;
	case VGT_OP_ENDIF:
		return meet(origin, thread, inst);
	default:
		return inst->vector == VGT_VECTOR_NOTHING ||
		       compute(origin, thread, inst);
	}
}

static bool channel_ends(const struct vgt_origin *origin, uint32_t channel)
{
	const struct vgt_division *division = origin->division;
	const struct vgt_division_half *half = &division->half[channel / 16];
	const uint8_t *of = origin->of + 32 * (channel % 16);

	for (uint32_t h = 0; h < 2; h++) {
		if (join(of + 8 * half->r[h], 32) &
		    ~(R | N | D | SUM | REACHED) ||
		    (division->quotient &&
		     join(of + 8 * half->q[h], 32) & ~(Q | REACHED)))
			return false;
	}
	return true;
}

bool vgt_origin_end(const struct vgt_origin *origin)
{
	if (origin->depth ||
	    join(origin->of + 8 * origin->division->counter, 32))
		return false;
	for (uint32_t left = origin->enabled; left; left &= left - 1)
		if (!channel_ends(origin, __builtin_ctz(left)))
			return false;
	return true;
}
