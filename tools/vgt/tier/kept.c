// SPDX-License-Identifier: MIT
#include "tier/kept.h"

#include "eu/vector.h"
#include "tier/graph.h"

#include <stdatomic.h>
#include <string.h>

#define ACC_UNIT (VGT_REG_ACC / VGT_UNIT_BYTES)
#define MOST 12 /* units that a loop keeps, of 16 registers of the host */
#define MOST_WIDE 28 /* of 32, with AVX-512 */
#define BRANCHES 12 /* of a loop: each of their ways out of it stores all units */

static _Atomic uint32_t loops;

uint32_t vgt_kept_loops(void)
{
	return atomic_load(&loops);
}

static void touch(bool *units, uint32_t offset, uint32_t bytes)
{
	for (uint32_t at = offset; at < offset + bytes && at < VGT_REG_MME;
	     at++)
		units[at / VGT_UNIT_BYTES] = true;
}

static void touch_all(bool *units)
{
	memset(units, true, VGT_UNITS);
}

/* The accumulator and its upper halves. */
static void touch_acc(bool *units)
{
	for (uint32_t i = ACC_UNIT; i < VGT_UNITS; i++)
		units[i] = true;
}

static void touch_operand(bool *units, const struct vgt_operand *operand,
			  uint32_t lanes)
{
	if (operand->kind == VGT_OPERAND_REG)
		touch(units, operand->offset, vgt_operand_span(operand, lanes));
	else if (operand->kind == VGT_OPERAND_INDIRECT ||
		 operand->kind == VGT_OPERAND_VXH)
		touch_all(units);
}

static void touch_send(const struct vgt_inst *inst, bool *units)
{
	if (inst->desc_reg != 255 || inst->exdesc_reg != 255) {
		touch_all(units);
		return;
	}
	touch(units, inst->src[0].offset,
	      (inst->desc >> 25 & 15) * VGT_UNIT_BYTES);
	touch(units, inst->src[1].offset,
	      (inst->exdesc >> 6 & 31) * VGT_UNIT_BYTES);
	touch(units, inst->dst.offset,
	      (inst->desc >> 20 & 31) * VGT_UNIT_BYTES);
}

void vgt_kept_touched(const struct vgt_inst *inst, bool *units)
{
	memset(units, false, VGT_UNITS);
	if (inst->op == VGT_OP_SEND || inst->op == VGT_OP_SENDC) {
		touch_send(inst, units);
		return;
	}
	touch_acc(units);
	touch_operand(units, &inst->dst, inst->exec_size);
	for (uint32_t i = 0; i < inst->sources; i++)
		touch_operand(units, &inst->src[i], inst->exec_size);
}

/* Of an instruction that is translated; what is none of these goes through memory. */
static void touch_plain(bool *units, const struct vgt_inst *inst)
{
	if (inst->dst.arf == VGT_ARF_PLAIN)
		touch_operand(units, &inst->dst, inst->exec_size);
	for (uint32_t i = 0; i < inst->sources; i++)
		if (inst->src[i].arf == VGT_ARF_PLAIN)
			touch_operand(units, &inst->src[i], inst->exec_size);
}

/* Those that @loop's instructions use; false if it is none to keep them. */
static bool find_units(const struct vgt_graph *graph, struct vgt_kept_loop *loop)
{
	uint32_t branches = 0;

	for (uint32_t i = loop->first; i <= loop->last; i++) {
		const struct vgt_node *node = &graph->node[i];

		branches += node->kind == VGT_NODE_JUMP ||
			    node->kind == VGT_NODE_BRANCH;
		if (node->kind == VGT_NODE_CALL || branches > BRANCHES)
			return false;
		if (node->kind == VGT_NODE_PLAIN)
			touch_plain(loop->keeps, &node->inst);
	}
	return true;
}

/* Handlers write over all of the host's vector registers, of which it has few. */
static bool worth(const struct vgt_emit *e, struct vgt_kept_loop *loop)
{
	uint32_t count = 0;

	memset(loop->keeps, 0, sizeof(loop->keeps));
	if (!find_units(e->graph, loop))
		return false;
	for (uint32_t i = 0; i < VGT_UNITS; i++)
		count += loop->keeps[i];
	return count <= (strstr(e->llvm->features, "+avx512vl") ? MOST_WIDE :
			 MOST);
}

/* The innermost loops, of which none overlaps another one. */
static void find_loops(struct vgt_emit *e)
{
	const struct vgt_graph *graph = e->graph;
	struct vgt_kept_loop loop = { 0 };
	bool again;

	for (uint32_t i = 0; i < graph->count; i++) {
		uint32_t first = vgt_graph_back(graph, &graph->node[i]) -
				 graph->node;

		if (first == i || !graph->node[first].leader)
			continue;
		/* Of loops with one head the largest that is worth it. */
		again = loop.last && first == loop.first;
		if (loop.last && first <= loop.last && !again)
			continue;
		loop.first = first;
		loop.last = i;
		if (!worth(e, &loop))
			continue;
		if (!again || !e->loops ||
		    e->loops_found[e->loops - 1].first != first)
			e->loops++;
		if (e->loops > VGT_LOOPS) {
			e->loops = VGT_LOOPS;
			return;
		}
		e->loops_found[e->loops - 1] = loop;
	}
}

void vgt_kept_find(struct vgt_emit *e)
{
	/* In two variants it takes LLVM a third longer, for code that is no faster. */
	if (e->quick || e->masks || e->graph->turn)
		return;
	find_loops(e);
	atomic_fetch_add(&loops, e->loops);
	for (uint32_t n = 0; n < e->loops; n++) {
		e->loops_found[n].leave = vgt_emit_block(e);
		for (uint32_t i = 0; i < VGT_UNITS; i++)
			if (e->loops_found[n].keeps[i] && !e->kept[i])
				e->kept[i] = VGT_BUILD(e, Alloca, e->vector);
	}
}

static struct vgt_kept_loop *loop_of(struct vgt_emit *e,
				     const struct vgt_node *node)
{
	const uint32_t index = node - e->graph->node;

	for (uint32_t n = 0; n < e->loops; n++)
		if (index >= e->loops_found[n].first &&
		    index <= e->loops_found[n].last)
			return &e->loops_found[n];
	return NULL;
}

void vgt_kept_begin(struct vgt_emit *e, const struct vgt_node *node)
{
	e->loop = loop_of(e, node);
}

static void load(struct vgt_emit *e, const struct vgt_kept_loop *loop)
{
	for (uint32_t i = 0; i < VGT_UNITS; i++)
		if (loop->keeps[i])
			e->llvm->BuildStore(e->builder,
					    vgt_emit_unit_load(e, i),
					    e->kept[i]);
}

static void store(struct vgt_emit *e, const struct vgt_kept_loop *loop)
{
	for (uint32_t i = 0; i < VGT_UNITS; i++)
		if (loop->keeps[i])
			vgt_emit_unit_store(e, i, vgt_emit_load(e, e->vector,
								e->kept[i]));
}

void vgt_kept_edge(struct vgt_emit *e, const struct vgt_node *target)
{
	const struct vgt_kept_loop *loop = loop_of(e, target);

	if (loop == e->loop)
		return;
	if (e->loop)
		store(e, e->loop);
	if (loop)
		load(e, loop);
}

void vgt_kept_leave(struct vgt_emit *e)
{
	for (uint32_t n = 0; n < e->loops; n++) {
		vgt_emit_at(e, e->loops_found[n].leave);
		store(e, &e->loops_found[n]);
		VGT_BUILD_VOID(e, Br, e->leave);
	}
}
