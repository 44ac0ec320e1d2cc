// SPDX-License-Identifier: MIT
#include "tier/emit.h"

#include "tier/kept.h"

#include <stddef.h>
#include <string.h>

void vgt_emit_types(struct vgt_emit *e)
{
	const struct vgt_llvm *llvm = e->llvm;
	struct llvm_type *two[2];

	e->i1 = llvm->IntTypeInContext(e->context, 1);
	e->i8 = llvm->IntTypeInContext(e->context, 8);
	e->i16 = llvm->IntTypeInContext(e->context, 16);
	e->i32 = llvm->IntTypeInContext(e->context, 32);
	e->i64 = llvm->IntTypeInContext(e->context, 64);
	e->f32 = llvm->FloatTypeInContext(e->context);
	e->pointer = llvm->PointerType(e->i8, 0);
	e->vector = llvm->VectorType(e->i32, VGT_PART);
	e->floats = llvm->VectorType(e->f32, VGT_PART);
	e->longs = llvm->VectorType(e->i64, VGT_PART / 2);
	e->bits = llvm->VectorType(e->i1, VGT_PART);
	two[0] = e->pointer;
	two[1] = e->pointer;
	e->handler = llvm->FunctionType(e->pointer, two, 2, 0);
}

struct llvm_block *vgt_emit_block(struct vgt_emit *e)
{
	return e->llvm->AppendBasicBlockInContext(e->context, e->function, "");
}

void vgt_emit_at(struct vgt_emit *e, struct llvm_block *block)
{
	e->llvm->PositionBuilderAtEnd(e->builder, block);
}

static struct llvm_value *at(struct vgt_emit *e, struct llvm_value *base,
			     size_t offset, struct llvm_type *type)
{
	struct llvm_value *index = vgt_emit_int(e, e->i64, offset);
	struct llvm_value *byte;

	byte = VGT_BUILD(e, GEP2, e->i8, base, &index, 1);
	return VGT_BUILD(e, BitCast, byte, e->llvm->PointerType(type, 0));
}

struct llvm_value *vgt_emit_field(struct vgt_emit *e, size_t offset,
				  struct llvm_type *type)
{
	return at(e, e->thread, offset, type);
}

struct llvm_value *vgt_emit_load(struct vgt_emit *e, struct llvm_type *type,
				 struct llvm_value *pointer)
{
	return VGT_BUILD(e, Load2, type, pointer);
}

struct llvm_value *vgt_emit_call_field(struct vgt_emit *e, size_t offset,
				       struct llvm_type *type)
{
	return vgt_emit_load(e, type, at(e, e->call, offset, type));
}

struct llvm_value *vgt_emit_origin(struct vgt_emit *e,
				   const struct vgt_node *node, size_t offset)
{
	struct llvm_value *origin, *index = vgt_emit_int(e, e->i64, offset);
	uint32_t number = node - e->graph->node;

	origin = vgt_emit_call_field(e, offsetof(struct vgt_unit_call, origin),
				     e->pointer);
	origin = at(e, origin, number * sizeof(void *), e->pointer);
	origin = vgt_emit_load(e, e->pointer, origin);
	return VGT_BUILD(e, GEP2, e->i8, origin, &index, 1);
}

struct llvm_value *vgt_emit_ip(struct vgt_emit *e, uint32_t ip)
{
	struct llvm_value *head;

	head = vgt_emit_call_field(e, offsetof(struct vgt_unit_call, ip), e->i32);
	return VGT_BUILD(e, Add, head,
			 vgt_emit_int(e, e->i32, ip - e->graph->head));
}

struct llvm_value *vgt_emit_word(struct vgt_emit *e, const char *text)
{
	return e->llvm->MetadataAsValue(e->context,
			e->llvm->MDStringInContext2(e->context, text,
						    strlen(text)));
}

struct llvm_value *vgt_emit_intrinsic(struct vgt_emit *e, const char *name,
				      struct llvm_type **types, size_t count,
				      struct llvm_value **arguments, uint32_t n)
{
	unsigned int id = e->llvm->LookupIntrinsicID(name, strlen(name));
	struct llvm_value *function;

	function = e->llvm->GetIntrinsicDeclaration(e->module, id, types,
						    count);
	return VGT_BUILD(e, Call2,
			 e->llvm->IntrinsicGetType(e->context, id, types,
						   count),
			 function, arguments, n);
}

struct llvm_value *vgt_emit_rounded(struct vgt_emit *e, const char *name,
				    struct llvm_type **types, size_t count,
				    struct llvm_value *const *sources,
				    uint32_t n)
{
	struct llvm_value *arguments[5];

	memcpy(arguments, sources, n * sizeof(sources[0]));
	arguments[n] = vgt_emit_word(e, "round.dynamic");
	arguments[n + 1] = vgt_emit_word(e, "fpexcept.ignore");
	return vgt_emit_intrinsic(e, name, types, count, arguments, n + 2);
}

struct llvm_value *vgt_emit_number(struct vgt_emit *e,
				   struct llvm_value *like, uint32_t value)
{
	struct llvm_type *type = e->llvm->TypeOf(like);
	struct llvm_value *lane[VGT_PART];
	bool is_long = type == e->i64 || type == e->longs;

	for (uint32_t i = 0; i < VGT_PART; i++)
		lane[i] = vgt_emit_int(e, is_long ? e->i64 : e->i32, value);
	return type == e->vector ? e->llvm->ConstVector(lane, VGT_PART) :
	       type == e->longs ? e->llvm->ConstVector(lane, VGT_PART / 2) :
	       lane[0];
}

_Static_assert(offsetof(struct vgt_eu_thread, acc_hi) % VGT_UNIT_BYTES == 0,
	       "upper halves of the accumulator are units");

static struct llvm_value *unit_field(struct vgt_emit *e, uint32_t unit)
{
	size_t offset = offsetof(struct vgt_eu_thread, reg) +
			unit * VGT_UNIT_BYTES;

	if (unit >= VGT_UNIT_HIGH)
		offset = offsetof(struct vgt_eu_thread, acc_hi) +
			 (unit - VGT_UNIT_HIGH) * VGT_UNIT_BYTES;
	return vgt_emit_field(e, offset, e->vector);
}

struct llvm_value *vgt_emit_unit_load(struct vgt_emit *e, uint32_t unit)
{
	struct llvm_value *value;

	value = vgt_emit_load(e, e->vector, unit_field(e, unit));
	e->llvm->SetAlignment(value, VGT_UNIT_BYTES);
	return value;
}

void vgt_emit_unit_store(struct vgt_emit *e, uint32_t unit,
			 struct llvm_value *value)
{
	struct llvm_value *store;

	store = e->llvm->BuildStore(e->builder, value, unit_field(e, unit));
	e->llvm->SetAlignment(store, VGT_UNIT_BYTES);
}

static void flush_unit(struct vgt_emit *e, uint32_t unit)
{
	if (e->dirty[unit])
		vgt_emit_unit_store(e, unit, e->unit[unit]);
	e->dirty[unit] = false;
}

struct llvm_value *vgt_emit_unit(struct vgt_emit *e, uint32_t unit)
{
	if (e->loop && e->loop->keeps[unit])
		return vgt_emit_load(e, e->vector, e->kept[unit]);
	if (!e->unit[unit]) {
		e->unit[unit] = vgt_emit_unit_load(e, unit);
		/*
		 * Without AVX-512 and without optimisation LLVM 14 never comes to an end
		 * where it loads the halves one by one; it takes no longer for these.
		 */
		e->llvm->SetVolatile(e->unit[unit], e->quick);
	}
	return e->unit[unit];
}

void vgt_emit_unit_write(struct vgt_emit *e, uint32_t unit,
			 struct llvm_value *value)
{
	if (e->loop && e->loop->keeps[unit]) {
		e->llvm->BuildStore(e->builder, value, e->kept[unit]);
		return;
	}
	e->unit[unit] = value;
	e->dirty[unit] = true;
}

void vgt_emit_begin(struct vgt_emit *e, struct llvm_block *block)
{
	memset(e->unit, 0, sizeof(e->unit));
	vgt_emit_width_forget(e);
	vgt_emit_at(e, block);
}

void vgt_emit_width_forget(struct vgt_emit *e)
{
	e->wide.bits = NULL;
	e->sign.bits = NULL;
	e->wide_known = 0;
}

struct llvm_value *vgt_emit_width(struct vgt_emit *e,
				  struct vgt_emit_width *width)
{
	if (!width->bits)
		width->bits = vgt_emit_load(e, e->i32,
					    vgt_emit_field(e, width->offset,
							   e->i32));
	return width->bits;
}

void vgt_emit_width_write(struct vgt_emit_width *width,
			  struct llvm_value *bits)
{
	width->bits = bits;
	width->dirty = true;
}

static void flush_width(struct vgt_emit *e, struct vgt_emit_width *width)
{
	if (width->dirty)
		e->llvm->BuildStore(e->builder, width->bits,
				    vgt_emit_field(e, width->offset, e->i32));
	width->dirty = false;
}

void vgt_emit_flush_state(struct vgt_emit *e)
{
	e->llvm->BuildStore(e->builder, vgt_emit_load(e, e->i64, e->flags),
			    vgt_emit_field(e, offsetof(struct vgt_eu_thread,
						       reg) + VGT_REG_F,
					   e->i64));
	e->llvm->BuildStore(e->builder, vgt_emit_load(e, e->i32, e->enabled),
			    vgt_emit_field(e, offsetof(struct vgt_eu_thread,
						       enabled), e->i32));
}

void vgt_emit_flush(struct vgt_emit *e)
{
	for (uint32_t unit = 0; unit < VGT_UNITS; unit++)
		flush_unit(e, unit);
	flush_width(e, &e->wide);
	flush_width(e, &e->sign);
}

static struct llvm_value *left_now(struct vgt_emit *e)
{
	return VGT_BUILD(e, Sub, vgt_emit_load(e, e->i64, e->left),
			 vgt_emit_int(e, e->i64, e->count));
}

void vgt_emit_settle(struct vgt_emit *e)
{
	vgt_emit_flush(e);
	if (e->count)
		e->llvm->BuildStore(e->builder, left_now(e), e->left);
	e->count = 0;
}

/* The way on does not come through here: @count stays as it is. */
void vgt_emit_exit_with(struct vgt_emit *e, struct llvm_value *next)
{
	e->llvm->BuildStore(e->builder, left_now(e), e->left);
	e->llvm->BuildStore(e->builder, next, e->next);
	VGT_BUILD_VOID(e, Br, e->loop ? e->loop->leave : e->leave);
}

void vgt_emit_leave(struct vgt_emit *e)
{
	vgt_kept_leave(e);
	vgt_emit_at(e, e->leave);
	vgt_emit_flush_state(e);
	e->llvm->BuildStore(e->builder, vgt_emit_load(e, e->i64, e->left),
			    at(e, e->call, offsetof(struct vgt_unit_call, left),
			       e->i64));
	e->llvm->BuildRet(e->builder, vgt_emit_load(e, e->pointer, e->next));
}

void vgt_emit_exit_at(struct vgt_emit *e, uint32_t ip)
{
	e->llvm->BuildStore(e->builder, vgt_emit_ip(e, ip),
			    vgt_emit_field(e, offsetof(struct vgt_eu_thread,
						       ip), e->i32));
	vgt_emit_exit_with(e, e->llvm->ConstNull(e->pointer));
}

void vgt_emit_exit_parted(struct vgt_emit *e, uint32_t ip)
{
	e->llvm->BuildStore(e->builder, vgt_emit_int(e, e->i64, 1),
			    at(e, e->call,
			       offsetof(struct vgt_unit_call, parted),
			       e->i64));
	vgt_emit_exit_at(e, ip);
}

struct llvm_value *vgt_emit_handler(struct vgt_emit *e,
				    const struct vgt_node *node)
{
	struct llvm_value *arguments[2], *function;

	arguments[0] = e->thread;
	arguments[1] = vgt_emit_origin(e, node, 0);
	function = at(e, arguments[1], offsetof(struct vgt_inst, exec),
		      e->llvm->PointerType(e->handler, 0));
	function = vgt_emit_load(e, e->llvm->PointerType(e->handler, 0), function);
	return VGT_BUILD(e, Call2, e->handler, function, arguments, 2);
}
