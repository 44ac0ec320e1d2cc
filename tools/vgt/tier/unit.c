// SPDX-License-Identifier: MIT
#include "tier/unit.h"

#include "eu/handler.h"
#include "tier/branch.h"
#include "tier/compute.h"
#include "tier/content.h"
#include "tier/kept.h"
#include "tier/operand.h"
#include "tier/store.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "region"

static void reload_flags(struct vgt_emit *e)
{
	struct llvm_value *field;

	field = vgt_emit_field(e, offsetof(struct vgt_eu_thread, reg) +
			       VGT_REG_F, e->i64);
	e->llvm->BuildStore(e->builder, vgt_emit_load(e, e->i64, field),
			    e->flags);
}

/* What a handler may have written is loaded anew. */
static void emit_call(struct vgt_emit *e, const struct vgt_node *node)
{
	struct llvm_value *next, *same;
	struct llvm_block *on, *out;
	bool units[VGT_UNITS];

	vgt_kept_touched(&node->inst, units);
	vgt_emit_flush(e);
	vgt_emit_flush_state(e);
	next = vgt_emit_handler(e, node);
	for (uint32_t i = 0; i < VGT_UNITS; i++)
		if (units[i])
			e->unit[i] = NULL;
	vgt_emit_width_forget(e);
	reload_flags(e);
	if (vgt_handler_goes_on(&node->inst))
		return;
	on = vgt_emit_block(e);
	out = vgt_emit_block(e);
	same = VGT_BUILD(e, ICmp, LLVM_EQ, next,
			 vgt_emit_origin(e, node, sizeof(node->inst)));
	VGT_BUILD_VOID(e, CondBr, same, on, out);
	vgt_emit_at(e, out);
	vgt_emit_exit_with(e, next);
	vgt_emit_at(e, on);
}

/* False: the block has ended. */
static bool emit_node(struct vgt_emit *e, const struct vgt_node *node)
{
	if (node->label)
		vgt_branch_label(e, node);
	e->count++;
	switch (node->kind) {
	case VGT_NODE_PLAIN:
		vgt_compute(e, &node->inst);
		return true;
	case VGT_NODE_NOTHING:
		return true;
	case VGT_NODE_CALL:
		emit_call(e, node);
		return true;
	case VGT_NODE_JUMP:
		vgt_branch_jump(e, node);
		return false;
	default:
		vgt_branch_part(e, node);
		return false;
	}
}

/* All blocks, with masks or without. */
static void emit_nodes(struct vgt_emit *e, bool full)
{
	const struct vgt_graph *graph = e->graph;

	e->full = full;
	e->count = 0;
	for (uint32_t i = 0; i < graph->count; i++) {
		const struct vgt_node *node = &graph->node[i], *next;
		uint32_t after = node->inst.ip + node->inst.bytes;

		if (node->leader) {
			vgt_emit_begin(e, e->block[full][i]);
			vgt_kept_begin(e, node);
		}
		if (!emit_node(e, node))
			continue;
		next = vgt_graph_find(graph, after);
		if (!next || next->leader)
			vgt_branch_go(e, node->inst.ip, after);
	}
}

static void emit_variables(struct vgt_emit *e)
{
	e->flags = VGT_BUILD(e, Alloca, e->i64);
	e->enabled = VGT_BUILD(e, Alloca, e->i32);
	e->left = VGT_BUILD(e, Alloca, e->i64);
	e->next = VGT_BUILD(e, Alloca, e->pointer);
}

static void emit_entry(struct vgt_emit *e)
{
	const struct vgt_node *head = vgt_graph_find(e->graph, e->graph->head);
	struct llvm_value *enabled, *need, *left;

	emit_variables(e);
	vgt_kept_find(e);
	need = vgt_emit_int(e, e->i32, e->need);
	reload_flags(e);
	left = VGT_BUILD(e, BitCast, e->call,
			 e->llvm->PointerType(e->i64, 0));
	e->llvm->BuildStore(e->builder, vgt_emit_load(e, e->i64, left),
			    e->left);
	enabled = vgt_emit_field(e, offsetof(struct vgt_eu_thread, enabled),
				 e->i32);
	enabled = vgt_emit_load(e, e->i32, enabled);
	e->llvm->BuildStore(e->builder, enabled, e->enabled);
	vgt_kept_edge(e, head);
	if (!e->masks || !e->fulls) {
		VGT_BUILD_VOID(e, Br,
			       e->block[e->fulls][head - e->graph->node]);
		return;
	}
	enabled = VGT_BUILD(e, And, enabled, need);
	VGT_BUILD_VOID(e, CondBr, VGT_BUILD(e, ICmp, LLVM_EQ, enabled, need),
		       e->block[1][head - e->graph->node],
		       e->block[0][head - e->graph->node]);
}

static void attribute(struct vgt_emit *e, const char *key, const char *value)
{
	const struct vgt_llvm *llvm = e->llvm;

	llvm->AddAttributeAtIndex(e->function, LLVM_INDEX_FUNCTION,
				  llvm->CreateStringAttribute(e->context, key,
							      strlen(key),
							      value,
							      strlen(value)));
}

static void emit_function(struct vgt_emit *e)
{
	const struct vgt_llvm *llvm = e->llvm;
	unsigned int strict = llvm->GetEnumAttributeKindForName("strictfp", 8);
	struct llvm_block *entry;

	vgt_emit_types(e);
	e->wide.offset = offsetof(struct vgt_eu_thread, acc_wide);
	e->sign.offset = offsetof(struct vgt_eu_thread, acc_signed);
	e->function = llvm->AddFunction(e->module, NAME, e->handler);
	llvm->AddAttributeAtIndex(e->function, LLVM_INDEX_FUNCTION,
				  llvm->CreateEnumAttribute(e->context, strict,
							    0));
	attribute(e, "target-cpu", llvm->cpu);
	attribute(e, "target-features", llvm->features);
	attribute(e, "prefer-vector-width", "256");
	e->thread = llvm->GetParam(e->function, 0);
	e->call = llvm->GetParam(e->function, 1);
	entry = vgt_emit_block(e);
	e->leave = vgt_emit_block(e);
	vgt_emit_at(e, entry);
	for (uint32_t full = !e->masks; full <= e->fulls; full++)
		for (uint32_t i = 0; i < e->graph->count; i++)
			if (e->graph->node[i].leader)
				e->block[full][i] = vgt_emit_block(e);
	emit_entry(e);
	if (e->masks)
		emit_nodes(e, false);
	if (e->fulls)
		emit_nodes(e, true);
	vgt_emit_leave(e);
}

static bool optimize(const struct vgt_llvm *llvm, struct llvm_module *module,
		     enum vgt_unit_level level)
{
	static const char *const passes[] = {
		[VGT_UNIT_QUICK] = "function(mem2reg)",
		[VGT_UNIT_GOOD] = "function(simplifycfg,mem2reg,early-cse,"
				  "instcombine,adce,simplifycfg)",
	};
	struct llvm_pass_options *options = llvm->CreatePassBuilderOptions();
	struct llvm_error *error;

	error = llvm->RunPasses(module, passes[level], NULL, options);
	llvm->DisposePassBuilderOptions(options);
	if (error)
		llvm->ConsumeError(error);
	return !error;
}

static void generate(const struct vgt_llvm *llvm, struct llvm_module *module,
		     struct vgt_content *content)
{
	const bool good = content->level == VGT_UNIT_GOOD;
	struct llvm_machine *machine =
		llvm->machine[good ? LLVM_LEVEL_LESS : LLVM_LEVEL_NONE];
	struct llvm_buffer *object;
	char *message = NULL;

	if (llvm->VerifyModule(module, LLVM_VERIFY_STATUS, &message) ||
	    !optimize(llvm, module, content->level) ||
	    llvm->TargetMachineEmitToMemoryBuffer(machine, module,
						  LLVM_OBJECT_FILE, &message,
						  &object)) {
		fprintf(stderr, "vgtd: a region is not compiled: %s\n",
			message);
		llvm->DisposeMessage(message);
		return;
	}
	llvm->DisposeMessage(message);
	vgt_image_link(&content->image, llvm->GetBufferStart(object),
		       llvm->GetBufferSize(object), NAME);
	llvm->DisposeMemoryBuffer(object);
}

struct work {
	const struct vgt_llvm *llvm;
	struct vgt_emit *e;
	struct vgt_content *content;
};

static void compile(void *arg)
{
	const struct vgt_llvm *llvm = ((struct work *)arg)->llvm;
	struct vgt_emit *e = ((struct work *)arg)->e;
	struct vgt_content *content = ((struct work *)arg)->content;

	e->context = llvm->ContextCreate();
	e->module = llvm->ModuleCreateWithNameInContext(NAME, e->context);
	llvm->SetTarget(e->module, llvm->triple);
	llvm->SetModuleDataLayout(e->module, llvm->layout);
	e->builder = llvm->CreateBuilderInContext(e->context);
	emit_function(e);
	llvm->DisposeBuilder(e->builder);
	generate(llvm, e->module, content);
	llvm->DisposeModule(e->module);
	llvm->ContextDispose(e->context);
}

static bool make_code(const struct vgt_llvm *llvm, struct vgt_content *content)
{
	static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;
	struct vgt_emit *e = calloc(1, sizeof(*e));
	struct work work = { .llvm = llvm, .e = e, .content = content };
	bool done;

	if (!e)
		return false;
	e->llvm = llvm;
	e->graph = content->graph;
	e->masks = content->masks;
	/* Channels of a turn part as soon as it knows who subtracts. */
	e->fulls = !content->masks || !content->graph->turn;
	e->quick = content->level == VGT_UNIT_QUICK;
	e->need = vgt_graph_need(content->graph);
	pthread_mutex_lock(&library);
	done = !vgt_llvm_is_broken() && vgt_llvm_try(compile, &work);
	pthread_mutex_unlock(&library);
	free(e);
	return done && content->image.code;
}

/* With @content, of which it becomes a user; NULL if that is NULL, or for want of memory. */
static struct vgt_unit *unit_create(const struct vgt_graph *graph,
				    struct vgt_content *content)
{
	struct vgt_unit *unit;

	if (!content)
		return NULL;
	unit = calloc(1, sizeof(*unit) + graph->count * sizeof(unit->origin[0]));
	if (!unit) {
		vgt_content_put(content);
		return NULL;
	}
	unit->count = graph->count;
	unit->need = content->masks ? 0 : vgt_graph_need(graph);
	unit->level = content->level;
	unit->ip = graph->head;
	for (uint32_t i = 0; i < graph->count; i++)
		unit->origin[i] = graph->node[i].origin;
	unit->content = content;
	unit->run = vgt_content_run(content);
	return unit;
}

/* What needs no channel is made with masks, so that it is for any of them. */
static bool has_masks(const struct vgt_graph *graph, bool masks)
{
	return masks || !vgt_graph_need(graph);
}

struct vgt_unit *vgt_unit_find(const struct vgt_graph *graph, bool masks,
			       enum vgt_unit_level level, bool *stored_out)
{
	struct vgt_content *content, *known;

	*stored_out = false;
	content = vgt_content_create(graph, has_masks(graph, masks), level);
	if (!content)
		return NULL;
	known = vgt_content_find(content);
	if (!known && vgt_store_find(content)) {
		*stored_out = true;
		vgt_content_publish(content);
		return unit_create(graph, content);
	}
	vgt_content_destroy(content);
	return unit_create(graph, known);
}

struct vgt_unit *vgt_unit_compile(const struct vgt_llvm *llvm,
				  const struct vgt_graph *graph, bool masks,
				  enum vgt_unit_level level)
{
	struct vgt_content *content;

	content = vgt_content_create(graph, has_masks(graph, masks), level);
	if (!content)
		return NULL;
	if (!make_code(llvm, content)) {
		vgt_content_destroy(content);
		return NULL;
	}
	vgt_content_publish(content);
	return unit_create(graph, content);
}

void vgt_unit_destroy(struct vgt_unit *unit)
{
	if (!unit)
		return;
	vgt_content_put(unit->content);
	vgt_graph_destroy(unit->graph);
	free(unit);
}

bool vgt_unit_has(const struct vgt_unit *unit, const struct vgt_inst *inst)
{
	for (uint32_t i = 0; i < unit->count; i++)
		if (unit->origin[i] == inst)
			return true;
	return false;
}
