// SPDX-License-Identifier: MIT
#include "tier/branch.h"

#include "eu/handler.h"
#include "tier/emit.h"
#include "tier/kept.h"
#include "tier/operand.h"

#include <stddef.h>

static struct llvm_block *block_of(struct vgt_emit *e, bool full,
				   const struct vgt_node *node)
{
	return e->block[full][node - e->graph->node];
}

static struct llvm_value *thread_word(struct vgt_emit *e, size_t offset)
{
	return vgt_emit_load(e, e->i32, vgt_emit_field(e, offset, e->i32));
}

static struct llvm_value *equal(struct vgt_emit *e, struct llvm_value *a,
				struct llvm_value *b)
{
	return VGT_BUILD(e, ICmp, LLVM_EQ, a, b);
}

static struct llvm_value *is_zero(struct vgt_emit *e, struct llvm_value *value)
{
	return equal(e, value, e->llvm->ConstNull(e->llvm->TypeOf(value)));
}

static struct llvm_value *both(struct vgt_emit *e, struct llvm_value *a,
			       struct llvm_value *b)
{
	return VGT_BUILD(e, And, a, b);
}

static struct llvm_value *either(struct vgt_emit *e, struct llvm_value *a,
				 struct llvm_value *b)
{
	return VGT_BUILD(e, Or, a, b);
}

/* If @condition holds the builder is in a block for that; returns the other. */
static struct llvm_block *when(struct vgt_emit *e,
			       struct llvm_value *condition)
{
	struct llvm_block *yes = vgt_emit_block(e), *no = vgt_emit_block(e);

	VGT_BUILD_VOID(e, CondBr, condition, yes, no);
	vgt_emit_at(e, yes);
	return no;
}

/* Nothing pending, no code invalidated, and enough left for a whole turn. */
static struct llvm_value *may_go_on(struct vgt_emit *e)
{
	struct llvm_type *type = e->llvm->PointerType(e->i64, 0);
	struct llvm_value *left, *pending, *epoch, *now, *fields[2];
	struct llvm_value *base = VGT_BUILD(e, BitCast, e->call, type);

	left = VGT_BUILD(e, ICmp, LLVM_UGE,
			 vgt_emit_load(e, e->i64, e->left),
			 vgt_emit_int(e, e->i64, e->graph->count));
	pending = thread_word(e, offsetof(struct vgt_eu_thread, pending));
	e->llvm->SetOrdering(pending, LLVM_ORDER_RELAXED);
	e->llvm->SetAlignment(pending, 4);
	for (uint32_t i = 0; i < 2; i++) {
		struct llvm_value *index;

		index = vgt_emit_int(e, e->i64, 1 + i);
		fields[i] = VGT_BUILD(e, GEP2, e->i64, base, &index, 1);
	}
	epoch = vgt_emit_load(e, e->i64, fields[0]);
	now = vgt_emit_load(e, type, VGT_BUILD(e, BitCast, fields[1],
					       e->llvm->PointerType(type, 0)));
	now = vgt_emit_load(e, e->i64, now);
	e->llvm->SetOrdering(now, LLVM_ORDER_RELAXED);
	e->llvm->SetAlignment(now, 8);
	return both(e, left, both(e, is_zero(e, pending),
				  equal(e, epoch, now)));
}

/* A turn of a loop may find all channels there again. */
static void enter(struct vgt_emit *e, const struct vgt_node *node)
{
	struct llvm_value *enabled, *need = vgt_emit_int(e, e->i32, e->need);

	if (e->full) {
		VGT_BUILD_VOID(e, Br, block_of(e, true, node));
		return;
	}
	enabled = both(e, vgt_emit_load(e, e->i32, e->enabled), need);
	VGT_BUILD_VOID(e, CondBr, equal(e, enabled, need),
		       block_of(e, true, node), block_of(e, false, node));
}

void vgt_branch_go(struct vgt_emit *e, uint32_t from, uint32_t ip)
{
	const struct vgt_node *node = vgt_graph_find(e->graph, ip);
	struct llvm_block *stop;

	vgt_emit_settle(e);
	if (!node || (e->graph->turn && ip == e->graph->head)) {
		vgt_emit_exit_at(e, ip);
		return;
	}
	if (!e->full && !e->masks) {
		vgt_emit_exit_parted(e, ip);
		return;
	}
	if (ip > from) {
		vgt_kept_edge(e, node);
		VGT_BUILD_VOID(e, Br, block_of(e, e->full, node));
		return;
	}
	stop = when(e, may_go_on(e));
	vgt_kept_edge(e, node);
	enter(e, node);
	vgt_emit_at(e, stop);
	vgt_emit_exit_at(e, ip);
}

static void reload_enabled(struct vgt_emit *e)
{
	e->llvm->BuildStore(e->builder,
			    thread_word(e, offsetof(struct vgt_eu_thread,
						    enabled)),
			    e->enabled);
}

static void call_arrive(struct vgt_emit *e, uint32_t ip)
{
	struct llvm_type *types[] = { e->pointer, e->i32 };
	struct llvm_value *arguments[] = {
		e->thread, vgt_emit_ip(e, ip),
	};
	struct llvm_type *type = e->llvm->FunctionType(e->pointer, types, 2,
						       0);
	struct llvm_value *function;

	function = vgt_emit_call_field(e, offsetof(struct vgt_unit_call, arrive),
				       e->llvm->PointerType(type, 0));
	vgt_emit_flush_state(e);
	VGT_BUILD(e, Call2, type, function, arguments, 2);
	reload_enabled(e);
}

/* Channels that wait in place @i do so at @ip. */
static struct llvm_value *waits_at(struct vgt_emit *e, uint32_t i, uint32_t ip)
{
	return equal(e, thread_word(e, offsetof(struct vgt_eu_thread,
						wait[i].ip)),
		     vgt_emit_ip(e, ip));
}

void vgt_branch_label(struct vgt_emit *e, const struct vgt_node *node)
{
	struct llvm_block *on = vgt_emit_block(e), *call = vgt_emit_block(e);
	struct llvm_block *look = vgt_emit_block(e);
	struct llvm_value *waits, *here;

	waits = thread_word(e, offsetof(struct vgt_eu_thread, waits));
	VGT_BUILD_VOID(e, CondBr, is_zero(e, waits), on, look);
	vgt_emit_at(e, look);
	here = either(e, waits_at(e, 0, node->inst.ip),
		      both(e, VGT_BUILD(e, ICmp, LLVM_NE, waits,
					vgt_emit_int(e, e->i32, 1)),
			   waits_at(e, 1, node->inst.ip)));
	here = either(e, here, VGT_BUILD(e, ICmp, LLVM_UGT, waits,
					 vgt_emit_int(e, e->i32, 2)));
	VGT_BUILD_VOID(e, CondBr, here, call, on);
	vgt_emit_at(e, call);
	call_arrive(e, node->inst.ip);
	VGT_BUILD_VOID(e, Br, on);
	vgt_emit_at(e, on);
}

void vgt_branch_jump(struct vgt_emit *e, const struct vgt_node *node)
{
	const struct vgt_inst *inst = &node->inst;
	struct llvm_block *stay;

	vgt_emit_settle(e);
	if (!inst->pred) {
		vgt_branch_go(e, inst->ip, inst->jip);
		return;
	}
	stay = when(e, VGT_BUILD(e, Trunc, vgt_operand_predicate(e, inst),
				 e->i1));
	vgt_branch_go(e, inst->ip, inst->jip);
	vgt_emit_at(e, stay);
	vgt_branch_go(e, inst->ip, inst->ip + inst->bytes);
}

static struct llvm_value *taken(struct vgt_emit *e,
				const struct vgt_inst *inst)
{
	uint32_t window = inst->lanes << inst->chan;
	struct llvm_value *lanes;

	lanes = both(e, vgt_emit_load(e, e->i32, e->enabled),
		     vgt_emit_int(e, e->i32, window));
	if (!inst->pred)
		return lanes;
	return both(e, lanes,
		    VGT_BUILD(e, Shl, vgt_operand_predicate(e, inst),
			      vgt_emit_int(e, e->i32, inst->chan)));
}

/* Channels part, or meet others: as flow.c has it. */
static void call_handler(struct vgt_emit *e, const struct vgt_node *node)
{
	const struct vgt_inst *inst = &node->inst;
	uint32_t ways[] = { inst->jip, inst->uip };
	struct llvm_value *next, *ip;
	struct llvm_block *other;
	bool full = e->full;

	vgt_emit_flush_state(e);
	next = vgt_emit_handler(e, node);
	reload_enabled(e);
	e->full = false;
	other = when(e, equal(e, next, vgt_emit_origin(e, node,
						       sizeof(*inst))));
	vgt_branch_go(e, inst->ip, inst->ip + inst->bytes);
	vgt_emit_at(e, other);
	other = when(e, is_zero(e, next));
	vgt_emit_exit_with(e, next);
	vgt_emit_at(e, other);
	ip = VGT_BUILD(e, BitCast, next, e->llvm->PointerType(e->i32, 0));
	for (uint32_t i = 0; i < 2; i++) {
		struct llvm_value *index = vgt_emit_int(e, e->i64,
				offsetof(struct vgt_inst, ip) / 4);
		struct llvm_value *there;

		if (!vgt_graph_find(e->graph, ways[i]) ||
		    (i && ways[1] == ways[0]))
			continue;
		there = VGT_BUILD(e, GEP2, e->i32, ip, &index, 1);
		there = vgt_emit_load(e, e->i32, there);
		other = when(e, equal(e, there, vgt_emit_ip(e, ways[i])));
		vgt_branch_go(e, inst->ip, ways[i]);
		vgt_emit_at(e, other);
	}
	vgt_emit_exit_with(e, next);
	e->full = full;
}

/* A word of the place where channels wait that has this number. */
static struct llvm_value *wait_word(struct vgt_emit *e,
				    struct llvm_value *number, size_t offset)
{
	struct llvm_value *base, *index;

	base = vgt_emit_field(e, offsetof(struct vgt_eu_thread, wait) + offset,
			      e->i32);
	index = VGT_BUILD(e, Mul, number,
			  vgt_emit_int(e, e->i32,
				       sizeof(struct vgt_eu_wait) / 4));
	return VGT_BUILD(e, GEP2, e->i32, base, &index, 1);
}

/*
 * As wait_add() of flow.c, where channels wait in one place at most: @leave wait at @ip, the
 * others go on, at @target. The builder is in the block for all else.
 */
static void leave_behind(struct vgt_emit *e, const struct vgt_node *node,
			 struct llvm_value *leave, uint32_t ip,
			 uint32_t target)
{
	const size_t count = offsetof(struct vgt_eu_thread, waits);
	struct llvm_value *waits = thread_word(e, count), *place, *known;
	struct llvm_value *one = vgt_emit_int(e, e->i32, 1), *channels, *stay;
	struct llvm_value *zero = vgt_emit_int(e, e->i32, 0);
	struct llvm_block *other;
	bool full = e->full;

	stay = VGT_BUILD(e, And, vgt_emit_load(e, e->i32, e->enabled),
			 VGT_BUILD(e, Xor, leave,
				   e->llvm->ConstAllOnes(e->i32)));
	other = when(e, both(e, VGT_BUILD(e, ICmp, LLVM_ULE, waits, one),
			     VGT_BUILD(e, ICmp, LLVM_NE, stay, zero)));
	known = both(e, equal(e, waits, one), waits_at(e, 0, ip));
	place = VGT_BUILD(e, Select, known, zero, waits);
	channels = wait_word(e, place, offsetof(struct vgt_eu_wait, channels));
	leave = either(e, leave, VGT_BUILD(e, Select, known,
					   vgt_emit_load(e, e->i32, channels),
					   zero));
	e->llvm->BuildStore(e->builder, leave, channels);
	e->llvm->BuildStore(e->builder, vgt_emit_ip(e, ip),
			    wait_word(e, place,
				      offsetof(struct vgt_eu_wait, ip)));
	e->llvm->BuildStore(e->builder, VGT_BUILD(e, Add, place, one),
			    vgt_emit_field(e, count, e->i32));
	e->llvm->BuildStore(e->builder, stay, e->enabled);
	e->full = false;
	vgt_branch_go(e, node->inst.ip, target);
	e->full = full;
	vgt_emit_at(e, other);
}

static void backward(struct vgt_emit *e, const struct vgt_node *node,
		     uint32_t target)
{
	const struct vgt_inst *inst = &node->inst;
	struct llvm_value *back = taken(e, inst);
	struct llvm_block *other;

	other = when(e, is_zero(e, back));
	vgt_branch_go(e, inst->ip, inst->ip + inst->bytes);
	vgt_emit_at(e, other);
	other = when(e, equal(e, back, vgt_emit_load(e, e->i32, e->enabled)));
	vgt_branch_go(e, inst->ip, target);
	vgt_emit_at(e, other);
	if (e->masks)
		leave_behind(e, node, VGT_BUILD(e, Xor, back,
				vgt_emit_load(e, e->i32, e->enabled)),
			     inst->ip + inst->bytes, target);
	call_handler(e, node);
}

/* No channels wait at @ip or @other, and in one place at most. */
static struct llvm_value *none_wait_at(struct vgt_emit *e, uint32_t ip,
				       uint32_t other)
{
	struct llvm_value *waits, *here, *elsewhere;

	waits = thread_word(e, offsetof(struct vgt_eu_thread, waits));
	here = either(e, waits_at(e, 0, ip), waits_at(e, 0, other));
	elsewhere = both(e, is_zero(e, here),
			 equal(e, waits, vgt_emit_int(e, e->i32, 1)));
	return either(e, is_zero(e, waits), elsewhere);
}

/* @leave go to @target, if all of them do so, else they wait at @ip; the others go on. */
static void forward(struct vgt_emit *e, const struct vgt_node *node,
		    struct llvm_value *leave, uint32_t target, uint32_t ip)
{
	const struct vgt_inst *inst = &node->inst;
	uint32_t next = inst->ip + inst->bytes;
	struct llvm_value *enabled = vgt_emit_load(e, e->i32, e->enabled);
	struct llvm_value *some, *all;
	struct llvm_block *other;

	some = VGT_BUILD(e, ICmp, LLVM_NE, enabled,
			 vgt_emit_int(e, e->i32, 0));
	other = when(e, both(e, some, is_zero(e, leave)));
	vgt_branch_go(e, inst->ip, next);
	vgt_emit_at(e, other);
	if (target == inst->jip && target != VGT_IP_NONE && target > next) {
		all = both(e, some, equal(e, leave, enabled));
		all = both(e, all, none_wait_at(e, next, target));
		other = when(e, all);
		vgt_branch_go(e, inst->ip, target);
		vgt_emit_at(e, other);
	}
	if (e->masks && ip != VGT_IP_NONE)
		leave_behind(e, node, leave, ip, next);
	call_handler(e, node);
}

/* Behind the end of the loop that @inst leaves, if that is in the region. */
static uint32_t behind_loop(const struct vgt_emit *e,
			    const struct vgt_inst *inst)
{
	const struct vgt_node *end = vgt_graph_find(e->graph, inst->uip);

	return end ? end->inst.ip + end->inst.bytes : VGT_IP_NONE;
}

void vgt_branch_part(struct vgt_emit *e, const struct vgt_node *node)
{
	const struct vgt_inst *inst = &node->inst;
	struct llvm_value *leave;

	vgt_emit_settle(e);
	if (inst->pred > VGT_PRED_PLAIN) {
		call_handler(e, node);
		return;
	}
	switch (inst->op) {
	case VGT_OP_WHILE:
		backward(e, node, inst->jip);
		return;
	case VGT_OP_GOTO:
		if (inst->function)
			backward(e, node, inst->uip);
		else
			forward(e, node, taken(e, inst), inst->uip, inst->uip);
		return;
	case VGT_OP_IF:
		leave = VGT_BUILD(e, Xor, taken(e, inst),
				  vgt_emit_load(e, e->i32, e->enabled));
		forward(e, node, leave, inst->jip, inst->jip);
		return;
	case VGT_OP_ELSE:
		forward(e, node, vgt_emit_load(e, e->i32, e->enabled),
			inst->uip, VGT_IP_NONE);
		return;
	case VGT_OP_BREAK:
		forward(e, node, taken(e, inst), VGT_IP_NONE,
			behind_loop(e, inst));
		return;
	case VGT_OP_CONT:
		forward(e, node, taken(e, inst), VGT_IP_NONE, inst->uip);
		return;
	default:
		forward(e, node, vgt_emit_int(e, e->i32, 0), VGT_IP_NONE,
			VGT_IP_NONE);
	}
}
