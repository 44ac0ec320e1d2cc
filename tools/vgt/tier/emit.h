/* SPDX-License-Identifier: MIT */
/*
 * What is known while a region becomes LLVM's code. All register files are
 * units of 32 bytes (struct vgt_eu_thread, reg). A block loads the units that it
 * needs, and stores what it wrote at its end, and before a handler is called:
 * there the region may be left, and then nothing is left to do. In some loops units
 * stay in registers of the host from block to block, if code is made well (kept.h).
 */
#ifndef VGT_TIER_EMIT_H
#define VGT_TIER_EMIT_H

#include "eu/eu.h"
#include "tier/graph.h"
#include "tier/llvm.h"

#define VGT_UNIT_BYTES 32
#define VGT_UNIT_HIGH (VGT_REG_MME / VGT_UNIT_BYTES) /* behind GRF, a0, acc: acc_hi */
#define VGT_UNITS (VGT_UNIT_HIGH + 2)
#define VGT_PART 8 /* lanes that are computed at a time */
#define VGT_PARTS 4 /* of an instruction */
#define VGT_LOOPS 16 /* of a region that keep units */

/* What a compiled region gets beside the thread. */
struct vgt_unit_call {
	uint64_t left; /* instructions that it may still execute */
	uint64_t epoch; /* at entry */
	const _Atomic uint64_t *epoch_now;
	uint64_t parted; /* left since it was compiled without masks only */
	uint64_t ip; /* of the head */
	const struct vgt_inst *const *origin; /* by number of the node */
	void (*arrive)(struct vgt_eu_thread *thread, uint32_t ip); /* vgt_flow_arrive() */
};

struct vgt_kept_loop {
	uint32_t first, last; /* numbers of nodes */
	bool keeps[VGT_UNITS];
	struct llvm_block *leave; /* its only way out of the region */
};

struct vgt_emit {
	const struct vgt_llvm *llvm;
	const struct vgt_graph *graph;
	struct llvm_context *context;
	struct llvm_module *module;
	struct llvm_builder *builder;
	struct llvm_value *function, *thread, *call;

	struct llvm_type *i1, *i8, *i16, *i32, *i64, *f32, *pointer;
	struct llvm_type *vector, *floats; /* a part: 8 x i32, 8 x float */
	struct llvm_type *longs; /* every second lane of it: 4 x i64 */
	struct llvm_type *bits; /* 8 x i1 */
	struct llvm_type *handler;

	struct llvm_value *unit[VGT_UNITS]; /* in this block; NULL: not loaded */
	bool dirty[VGT_UNITS]; /* written in this block, and not stored since */
	/* Variables of loops, of those that there are and of that which is emitted. */
	struct llvm_value *kept[VGT_UNITS];
	struct vgt_kept_loop loops_found[VGT_LOOPS], *loop;
	uint32_t loops;
	struct vgt_emit_width {
		size_t offset; /* in the thread */
		struct llvm_value *bits; /* in this block; NULL: not loaded */
		bool dirty;
	} wide, sign; /* the thread's acc_wide and acc_signed */
	uint32_t wide_known; /* elements whose bit in @wide is known to be set */
	struct llvm_value *flags, *enabled, *left, *next; /* variables */
	struct llvm_block *leave; /* the only way out, with @next */

	/* For each node that leads a block: with masks, without masks. */
	struct llvm_block *block[2][VGT_GRAPH_MAX];
	uint32_t need; /* channels that executing without masks takes */
	bool full; /* now without masks: all of @need are enabled */
	bool masks, fulls; /* there are blocks with masks, and without */
	bool quick; /* VGT_UNIT_QUICK */
	uint32_t count; /* instructions since @left was last set */
};

/* Shorter words. */
#define VGT_BUILD(e, what, ...) \
	((e)->llvm->Build##what((e)->builder, __VA_ARGS__, ""))

#define VGT_BUILD_VOID(e, what, ...) \
	((e)->llvm->Build##what((e)->builder, __VA_ARGS__))

static inline struct llvm_value *vgt_emit_int(const struct vgt_emit *e,
					      struct llvm_type *type,
					      uint64_t value)
{
	return e->llvm->ConstInt(type, value, 0);
}

void vgt_emit_types(struct vgt_emit *e);

/* @value as a number like @like, in each of its lanes. */
struct llvm_value *vgt_emit_number(struct vgt_emit *e,
				   struct llvm_value *like, uint32_t value);

/* What intrinsics take as metadata: how to round, to compare, ... */
struct llvm_value *vgt_emit_word(struct vgt_emit *e, const char *text);
/* A call of LLVM's function @name, of which @types make one. */
struct llvm_value *vgt_emit_intrinsic(struct vgt_emit *e, const char *name,
				      struct llvm_type **types, size_t count,
				      struct llvm_value **arguments,
				      uint32_t n);
/* One that rounds: as MXCSR says when it runs. */
struct llvm_value *vgt_emit_rounded(struct vgt_emit *e, const char *name,
				    struct llvm_type **types, size_t count,
				    struct llvm_value *const *sources,
				    uint32_t n);

/* A new block; a builder's next instructions go to @block. */
struct llvm_block *vgt_emit_block(struct vgt_emit *e);
void vgt_emit_at(struct vgt_emit *e, struct llvm_block *block);
/* @block is a basic block of the region: nothing is loaded there. */
void vgt_emit_begin(struct vgt_emit *e, struct llvm_block *block);

/* What the call has at @offset. */
struct llvm_value *vgt_emit_call_field(struct vgt_emit *e, size_t offset,
				       struct llvm_type *type);

/* Pointer to @offset of the thread, for values of @type. */
struct llvm_value *vgt_emit_field(struct vgt_emit *e, size_t offset,
				  struct llvm_type *type);
struct llvm_value *vgt_emit_load(struct vgt_emit *e, struct llvm_type *type,
				 struct llvm_value *pointer);

/*
 * Code may be that of several regions of the same content: where the instruction is, at
 * @offset of it, and what @ip is, are the region's that runs.
 */
struct llvm_value *vgt_emit_origin(struct vgt_emit *e,
				   const struct vgt_node *node, size_t offset);
struct llvm_value *vgt_emit_ip(struct vgt_emit *e, uint32_t ip);

/* A unit's value here. */
struct llvm_value *vgt_emit_unit(struct vgt_emit *e, uint32_t unit);
void vgt_emit_unit_write(struct vgt_emit *e, uint32_t unit,
			 struct llvm_value *value);

/* What the thread has of it. */
struct llvm_value *vgt_emit_unit_load(struct vgt_emit *e, uint32_t unit);
void vgt_emit_unit_store(struct vgt_emit *e, uint32_t unit,
			 struct llvm_value *value);

/* acc_wide or acc_signed here. */
struct llvm_value *vgt_emit_width(struct vgt_emit *e,
				  struct vgt_emit_width *width);
void vgt_emit_width_write(struct vgt_emit_width *width,
			  struct llvm_value *bits);
/* What is stored may be another one now: both are loaded anew. */
void vgt_emit_width_forget(struct vgt_emit *e);

/* Store the units that this block has written; flags and enabled channels. */
void vgt_emit_flush(struct vgt_emit *e);
void vgt_emit_flush_state(struct vgt_emit *e);

/* The end of a block: stores its units, and counts its instructions. */
void vgt_emit_settle(struct vgt_emit *e);

/* The way out, once all else is there. */
void vgt_emit_leave(struct vgt_emit *e);

/* Leave the region: at @ip, or with what a handler returned. */
void vgt_emit_exit_at(struct vgt_emit *e, uint32_t ip);
/* The same, as channels have parted and nothing is compiled for that. */
void vgt_emit_exit_parted(struct vgt_emit *e, uint32_t ip);
void vgt_emit_exit_with(struct vgt_emit *e, struct llvm_value *next);

/* Call a function (thread, inst) that returns an instruction. */
struct llvm_value *vgt_emit_handler(struct vgt_emit *e,
				    const struct vgt_node *node);

#endif
