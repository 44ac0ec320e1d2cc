// SPDX-License-Identifier: MIT
#include "tier/graph.h"

#include "eu/eu.h"
#include "eu/icache.h"
#include "eu/vector.h"
#include "tier/operand.h"

#include <stdlib.h>
#include <string.h>

enum sync_function {
	SYNC_BARRIER = 14,
	SYNC_HOST = 15,
};

struct walk {
	const struct vgt_code_page *page;
	struct vgt_graph *graph;
	uint32_t limit;
	bool in[VGT_CODE_PLACES], leader[VGT_CODE_PLACES];
	uint32_t todo[2 * VGT_GRAPH_MAX + 1], todos;
};

static bool is_branch(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_IF:
	case VGT_OP_ELSE:
	case VGT_OP_ENDIF:
	case VGT_OP_WHILE:
	case VGT_OP_GOTO:
	case VGT_OP_JOIN:
	case VGT_OP_BREAK:
	case VGT_OP_CONT:
		return true;
	default:
		return false;
	}
}

/* The run loop has to look before it, or it changes what a region relies on. */
static bool ends_region(const struct vgt_inst *inst)
{
	uint8_t arf = inst->dst.arf;

	if (atomic_load_explicit(&inst->flags, memory_order_relaxed) &
	    VGT_INST_BREAK)
		return true;
	if (inst->op == VGT_OP_CALL || inst->op == VGT_OP_RET ||
	    inst->op == VGT_OP_ILLEGAL)
		return true;
	return inst->dst.kind == VGT_OPERAND_REG &&
	       (arf == VGT_ARF_SR || arf == VGT_ARF_CR || arf == VGT_ARF_FC);
}

/* The run loop takes all of it at once (division.h), or looks for a region. */
static bool divides(const struct walk *walk, const struct vgt_inst *inst)
{
	return inst->ip != walk->graph->head &&
	       atomic_load_explicit(&inst->flags, memory_order_relaxed) &
	       VGT_INST_LOOP;
}

static enum vgt_node_kind kind_of(const struct vgt_inst *inst)
{
	if (inst->op == VGT_OP_JMPI)
		return inst->jip == VGT_IP_NONE ||
		       inst->pred == VGT_PRED_ANYV ||
		       inst->pred == VGT_PRED_ALLV ? VGT_NODE_CALL :
		       VGT_NODE_JUMP;
	if (is_branch(inst))
		return VGT_NODE_BRANCH;
	if (inst->vector == VGT_VECTOR_NOTHING ||
	    (inst->op == VGT_OP_SYNC && inst->function != SYNC_BARRIER &&
	     inst->function != SYNC_HOST))
		return VGT_NODE_NOTHING;
	return vgt_operands_plain(inst) ? VGT_NODE_PLAIN : VGT_NODE_CALL;
}

/* Where a thread goes on in the run loop: it should look for a region there. */
static void mark(const struct walk *walk, uint32_t place)
{
	struct vgt_inst *inst;

	if (place >= VGT_CODE_PLACES)
		return;
	inst = atomic_load(&walk->page->inst[place]);
	if (inst)
		atomic_fetch_or(&inst->flags, VGT_INST_HEAD);
}

static void target(struct walk *walk, uint32_t ip)
{
	uint32_t place = (ip - walk->graph->base) / 8;

	if (ip % 8 || ip < walk->graph->base || place >= VGT_CODE_PLACES)
		return;
	walk->leader[place] = true;
	if (!walk->in[place])
		walk->todo[walk->todos++] = place;
}

/* Does one of the region end in @inst, or begin in its middle? Code may be read both ways. */
static bool overlaps(const struct walk *walk, const struct vgt_inst *inst,
		     uint32_t place)
{
	const struct vgt_inst *before;

	if (inst->bytes == 16 && place + 1 < VGT_CODE_PLACES &&
	    walk->in[place + 1])
		return true;
	if (!place || !walk->in[place - 1])
		return false;
	before = atomic_load(&walk->page->inst[place - 1]);
	return before->bytes == 16;
}

/* From @place on, until the code ends that this way leads to. */
static void walk_line(struct walk *walk, uint32_t place)
{
	const struct vgt_inst *inst;

	while (place < VGT_CODE_PLACES && !walk->in[place]) {
		inst = atomic_load(&walk->page->inst[place]);
		if (!inst)
			return;
		if (ends_region(inst)) {
			mark(walk, place + inst->bytes / 8);
			return;
		}
		if (divides(walk, inst) || overlaps(walk, inst, place) ||
		    walk->graph->count == walk->limit) {
			mark(walk, place);
			return;
		}
		walk->in[place] = true;
		walk->graph->count++;
		place += inst->bytes / 8;
		if (inst->op == VGT_OP_SYNC && inst->function == SYNC_BARRIER)
			mark(walk, place);
		if (inst->op != VGT_OP_JMPI && !is_branch(inst))
			continue;
		target(walk, inst->jip);
		if (inst->uip != inst->jip && is_branch(inst))
			target(walk, inst->uip);
		if (place < VGT_CODE_PLACES)
			walk->leader[place] = true;
		if (inst->op == VGT_OP_JMPI && !inst->pred)
			return;
	}
}

static void fill(const struct walk *walk, struct vgt_graph *graph)
{
	uint32_t count = 0;

	for (uint32_t place = 0; place < VGT_CODE_PLACES; place++) {
		struct vgt_node *node = &graph->node[count];

		if (!walk->in[place])
			continue;
		node->origin = atomic_load(&walk->page->inst[place]);
		memcpy(&node->inst, node->origin, sizeof(node->inst));
		node->kind = kind_of(&node->inst);
		node->leader = walk->leader[place];
		node->label = node->inst.flags & VGT_INST_LABEL;
		graph->at[place] = ++count;
	}
}

static struct vgt_graph *allocate(uint32_t count)
{
	size_t bytes = (sizeof(struct vgt_graph) + 63) / 64 * 64 +
		       count * sizeof(struct vgt_node);
	struct vgt_graph *graph = aligned_alloc(64, bytes);

	if (graph)
		memset(graph, 0, bytes);
	return graph;
}

static bool has_loop(const struct vgt_graph *graph)
{
	for (uint32_t i = 0; i < graph->count; i++)
		if (vgt_graph_back(graph, &graph->node[i]) != &graph->node[i])
			return true;
	return false;
}

struct vgt_graph *vgt_graph_create(const struct vgt_code_page *page,
				   const struct vgt_inst *head,
				   uint32_t limit, uint32_t least)
{
	struct walk walk = { .page = page, .limit = limit };
	struct vgt_graph *graph;

	if (limit > VGT_GRAPH_MAX)
		walk.limit = VGT_GRAPH_MAX;
	graph = allocate(walk.limit);
	if (!graph)
		return NULL;
	walk.graph = graph;
	graph->head = head->ip;
	graph->base = page->key.number * VGT_CODE_BYTES;
	target(&walk, head->ip);
	while (walk.todos)
		walk_line(&walk, walk.todo[--walk.todos]);
	if (walk.in[(head->ip - graph->base) / 8]) {
		fill(&walk, graph);
		if (graph->count >= least || has_loop(graph))
			return graph;
	}
	free(graph);
	return NULL;
}

static void lead(struct vgt_graph *graph, uint32_t ip)
{
	const struct vgt_node *node = vgt_graph_find(graph, ip);

	if (node)
		graph->node[node - graph->node].leader = true;
}

/* Where code is reached from elsewhere than from the instruction before it. */
static void lead_all(struct vgt_graph *graph)
{
	lead(graph, graph->head);
	for (uint32_t i = 0; i < graph->count; i++) {
		const struct vgt_inst *inst = &graph->node[i].inst;

		if (!is_branch(inst))
			continue;
		lead(graph, inst->jip);
		lead(graph, inst->uip);
		lead(graph, inst->ip + inst->bytes);
	}
}

/* False if @inst is nothing that a turn may have. */
static bool append(struct vgt_graph *graph, const struct vgt_inst *inst)
{
	struct vgt_node *node = &graph->node[graph->count];
	uint32_t place = (inst->ip - graph->base) / 8;

	if (graph->count == VGT_GRAPH_MAX || place >= VGT_CODE_PLACES ||
	    ends_region(inst) || inst->op == VGT_OP_JMPI)
		return false;
	memcpy(&node->inst, inst, sizeof(node->inst));
	node->origin = &node->inst;
	node->kind = kind_of(inst);
	node->leader = false;
	node->label = node->inst.flags & VGT_INST_LABEL;
	graph->at[place] = ++graph->count;
	return true;
}

struct vgt_graph *vgt_graph_create_turn(struct vgt_eu_thread *thread,
					const struct vgt_inst *head,
					uint32_t end)
{
	struct vgt_graph *graph = allocate(VGT_GRAPH_MAX);
	const struct vgt_inst *inst;
	uint8_t code[16];

	if (!graph)
		return NULL;
	graph->head = head->ip;
	graph->base = head->ip;
	graph->turn = true;
	for (uint32_t ip = head->ip; ip < end; ip += inst->bytes) {
		inst = vgt_icache_code(thread, ip, code) ?
		       vgt_icache_fetch(thread, ip) : NULL;
		if (!inst || !append(graph, inst)) {
			free(graph);
			return NULL;
		}
	}
	lead_all(graph);
	return graph;
}

struct vgt_graph *vgt_graph_copy(const struct vgt_graph *graph,
				 size_t *bytes_out)
{
	struct vgt_graph *copy = allocate(graph->count);

	if (!copy)
		return NULL;
	*bytes_out = sizeof(*copy) + graph->count * sizeof(copy->node[0]);
	memcpy(copy, graph, *bytes_out);
	return copy;
}

void vgt_graph_destroy(struct vgt_graph *graph)
{
	free(graph);
}

uint32_t vgt_graph_need(const struct vgt_graph *graph)
{
	uint32_t need = 0;

	for (uint32_t i = 0; i < graph->count; i++) {
		const struct vgt_inst *inst = &graph->node[i].inst;

		if (!inst->nomask)
			need |= inst->lanes << inst->chan;
	}
	return need;
}

const struct vgt_node *vgt_graph_find(const struct vgt_graph *graph,
				      uint32_t ip)
{
	uint32_t place = (ip - graph->base) / 8;

	if (ip % 8 || ip < graph->base || place >= VGT_CODE_PLACES ||
	    !graph->at[place])
		return NULL;
	return &graph->node[graph->at[place] - 1];
}

const struct vgt_node *vgt_graph_back(const struct vgt_graph *graph,
				      const struct vgt_node *node)
{
	const uint32_t ways[] = { node->inst.jip, node->inst.uip };
	const struct vgt_node *target, *first = node;

	if (node->kind != VGT_NODE_JUMP && node->kind != VGT_NODE_BRANCH)
		return node;
	for (uint32_t i = 0; i < 2; i++) {
		target = i && node->kind == VGT_NODE_JUMP ? NULL :
			 vgt_graph_find(graph, ways[i]);
		if (target && target < first)
			first = target;
	}
	return first;
}
