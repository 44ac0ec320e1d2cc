// SPDX-License-Identifier: MIT
#include "tier/operand.h"

#include "eu/alu.h"
#include "eu/vector.h"
#include "tier/emit.h"
#include "tier/half.h"

#define ALL UINT32_MAX

static bool is_float_op(uint8_t op)
{
	return (op >= VGT_VECTOR_EQ_F && op <= VGT_VECTOR_LE_F) ||
	       (op >= VGT_VECTOR_F_FROM_D && op <= VGT_VECTOR_RNDZ) ||
	       op == VGT_VECTOR_HALF || op == VGT_VECTOR_ADD_F || op == VGT_VECTOR_MUL_F ||
	       op == VGT_VECTOR_MIN_F || op == VGT_VECTOR_MAX_F ||
	       op == VGT_VECTOR_MAD_F;
}

static bool in_flags(const struct vgt_operand *operand)
{
	return operand->arf == VGT_ARF_PLAIN &&
	       operand->offset >= VGT_REG_F &&
	       operand->offset + operand->bytes <= VGT_REG_F + 8;
}

static bool place_known(const struct vgt_inst *inst,
			const struct vgt_operand *operand)
{
	if (operand->kind != VGT_OPERAND_REG)
		return false;
	if (operand->arf == VGT_ARF_NULL)
		return true;
	if (operand->offset % operand->bytes)
		return false;
	if (in_flags(operand))
		return inst->exec_size == 1 && vgt_operands_single(inst);
	if (operand->arf != VGT_ARF_PLAIN && operand->arf != VGT_ARF_ACC)
		return false;
	return operand->offset + vgt_operand_span(operand, inst->exec_size) <=
	       VGT_REG_MME;
}

static bool op_known(const struct vgt_inst *inst)
{
	if (inst->vector == VGT_VECTOR_ALL_EQUAL ||
	    inst->vector == VGT_VECTOR_HALF)
		return true;
	return inst->vector > VGT_VECTOR_NONE &&
	       inst->vector < VGT_VECTOR_OPS;
}

bool vgt_operands_single(const struct vgt_inst *inst)
{
	return inst->exec_size == 1 && !is_float_op(inst->vector) &&
	       !(inst->cond && inst->dst.type == VGT_TYPE_F &&
		 inst->op != VGT_OP_CMP && inst->op != VGT_OP_SEL);
}

/* Of groups of channels only if there is one channel. */
static bool predicate_known(const struct vgt_inst *inst)
{
	return inst->pred <= VGT_PRED_PLAIN ||
	       (inst->pred >= VGT_PRED_ANY2H && inst->exec_size == 1);
}

bool vgt_operands_imply_width(const struct vgt_inst *inst)
{
	return inst->plain && vgt_acc_is_wide(&inst->dst);
}

bool vgt_operands_plain(const struct vgt_inst *inst)
{
	if (!op_known(inst) || !predicate_known(inst))
		return false;
	if (inst->vector == VGT_VECTOR_ALL_EQUAL)
		return true;
	/* A wrapped one does more: this one where it writes the accumulator. */
	if (inst->plain && (inst->exec != vgt_acc_exec ||
			    (vgt_operands_imply_width(inst) &&
			     inst->dst.stride != 1)))
		return false;
	if (!place_known(inst, &inst->dst))
		return false;
	for (uint32_t i = 0; i < inst->sources; i++)
		if (inst->src[i].kind != VGT_OPERAND_IMM &&
		    !place_known(inst, &inst->src[i]))
			return false;
	return true;
}

static struct vgt_lanes known_lanes(struct vgt_emit *e, uint32_t bits)
{
	return (struct vgt_lanes){
		true, bits, vgt_emit_int(e, e->i32, bits),
	};
}

struct vgt_lanes vgt_operand_lanes(struct vgt_emit *e,
				   const struct vgt_inst *inst)
{
	struct llvm_value *value;

	if (inst->nomask || e->full)
		return known_lanes(e, inst->lanes);
	value = vgt_emit_load(e, e->i32, e->enabled);
	value = VGT_BUILD(e, LShr, value, vgt_emit_int(e, e->i32, inst->chan));
	value = VGT_BUILD(e, And, value, vgt_emit_int(e, e->i32, inst->lanes));
	return (struct vgt_lanes){ false, 0, value };
}

/* The first channel's, as vgt_predicate() has it: any or all of a group. */
static struct llvm_value *group_predicate(struct vgt_emit *e,
					  const struct vgt_inst *inst)
{
	uint32_t size = 2U << (inst->pred - VGT_PRED_ANY2H) / 2;
	uint32_t group = size == 32 ? UINT32_MAX : (1U << size) - 1;
	bool all = (inst->pred - VGT_PRED_ANY2H) & 1;
	struct llvm_value *bits, *out;

	bits = VGT_BUILD(e, LShr, vgt_emit_load(e, e->i64, e->flags),
			 vgt_emit_int(e, e->i64, inst->flag_bit));
	bits = VGT_BUILD(e, Trunc, bits, e->i32);
	bits = VGT_BUILD(e, LShr, bits,
			 vgt_emit_int(e, e->i32, inst->chan & ~(size - 1)));
	bits = VGT_BUILD(e, And, bits, vgt_emit_int(e, e->i32, group));
	out = VGT_BUILD(e, ICmp, all == inst->pred_inverse ? LLVM_NE : LLVM_EQ,
			bits, vgt_emit_int(e, e->i32, all ? group : 0));
	return VGT_BUILD(e, ZExt, out, e->i32);
}

struct llvm_value *vgt_operand_predicate(struct vgt_emit *e,
					 const struct vgt_inst *inst)
{
	struct llvm_value *value;

	if (!inst->pred)
		return vgt_emit_int(e, e->i32, inst->lanes);
	if (inst->pred >= VGT_PRED_ANY2H)
		return group_predicate(e, inst);
	value = VGT_BUILD(e, LShr, vgt_emit_load(e, e->i64, e->flags),
			  vgt_emit_int(e, e->i64,
				       inst->flag_bit + inst->chan));
	value = VGT_BUILD(e, Trunc, value, e->i32);
	if (inst->pred_inverse)
		value = VGT_BUILD(e, Xor, value, vgt_emit_int(e, e->i32, ALL));
	return VGT_BUILD(e, And, value, vgt_emit_int(e, e->i32, inst->lanes));
}

struct vgt_lanes vgt_operand_exec_lanes(struct vgt_emit *e,
					const struct vgt_inst *inst)
{
	struct vgt_lanes lanes = vgt_operand_lanes(e, inst);

	if (!inst->pred)
		return lanes;
	lanes.known = false;
	lanes.value = VGT_BUILD(e, And, lanes.value,
				vgt_operand_predicate(e, inst));
	return lanes;
}

struct llvm_value *vgt_operand_mask(struct vgt_emit *e,
				    const struct vgt_inst *inst,
				    struct llvm_value *bits, uint32_t part)
{
	if (vgt_operands_single(inst))
		return VGT_BUILD(e, Trunc, bits, e->i1);
	bits = VGT_BUILD(e, LShr, bits,
			 vgt_emit_int(e, e->i32, VGT_PART * part));
	return VGT_BUILD(e, BitCast, VGT_BUILD(e, Trunc, bits, e->i8), e->bits);
}

/* A unit as elements of @bytes. */
static struct llvm_type *unit_type(struct vgt_emit *e, uint32_t bytes)
{
	return e->llvm->VectorType(e->llvm->IntTypeInContext(e->context,
							     8 * bytes),
				   VGT_UNIT_BYTES / bytes);
}

static struct llvm_value *unit_read(struct vgt_emit *e, uint32_t unit,
				    uint32_t bytes)
{
	struct llvm_value *value = vgt_emit_unit(e, unit);

	return bytes == 4 ? value :
	       VGT_BUILD(e, BitCast, value, unit_type(e, bytes));
}

static void unit_write(struct vgt_emit *e, uint32_t unit,
		       struct llvm_value *value)
{
	vgt_emit_unit_write(e, unit, VGT_BUILD(e, BitCast, value, e->vector));
}

static uint32_t lane_offset(const struct vgt_operand *operand, uint32_t lane)
{
	uint32_t row = lane / operand->width;

	return operand->offset +
	       (row * operand->vstride +
		lane % operand->width * operand->hstride) * operand->bytes;
}

static uint32_t lanes_of(const struct vgt_inst *inst, uint32_t part)
{
	uint32_t rest = inst->exec_size - VGT_PART * part;

	return rest < VGT_PART ? rest : VGT_PART;
}

/* @count indices; those that are ALL do not matter. */
static struct llvm_value *shuffle(struct vgt_emit *e, struct llvm_value *a,
				  struct llvm_value *b, const uint32_t *index,
				  uint32_t count)
{
	struct llvm_value *mask[VGT_UNIT_BYTES];

	for (uint32_t i = 0; i < count; i++)
		mask[i] = index[i] == ALL ? e->llvm->GetUndef(e->i32) :
			  vgt_emit_int(e, e->i32, index[i]);
	if (!b)
		b = e->llvm->GetUndef(e->llvm->TypeOf(a));
	return VGT_BUILD(e, ShuffleVector, a, b,
			 e->llvm->ConstVector(mask, count));
}

/* Elements of a part as they lie in the registers: 8 x iN. */
static struct llvm_value *gather(struct vgt_emit *e,
				 const struct vgt_operand *operand,
				 uint32_t part, uint32_t count)
{
	uint32_t unit[VGT_PART], pick[VGT_PART], blend[VGT_PART];
	struct llvm_value *out = NULL, *some;
	uint32_t done = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t offset = lane_offset(operand, VGT_PART * part + i);

		unit[i] = offset / VGT_UNIT_BYTES;
		pick[i] = offset % VGT_UNIT_BYTES / operand->bytes;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t index[VGT_PART];

		if (done >> i & 1)
			continue;
		for (uint32_t k = 0; k < VGT_PART; k++) {
			bool here = k < count && unit[k] == unit[i];

			index[k] = here ? pick[k] : ALL;
			blend[k] = here ? VGT_PART + k : k;
			done |= (uint32_t)here << k;
		}
		some = unit_read(e, unit[i], operand->bytes);
		some = shuffle(e, some, NULL, index, VGT_PART);
		out = out ? shuffle(e, out, some, blend, VGT_PART) : some;
	}
	return out;
}

static bool is_whole_unit(const struct vgt_operand *operand, uint32_t part,
			  uint32_t count)
{
	return operand->bytes == 4 && operand->stride == 1 &&
	       count == VGT_PART &&
	       lane_offset(operand, VGT_PART * part) % VGT_UNIT_BYTES == 0;
}

/* As the type says, in 32 bits. */
static struct llvm_value *widen(struct vgt_emit *e, struct llvm_value *value,
				const struct vgt_operand *operand,
				struct llvm_type *type)
{
	if (operand->bytes == 4)
		return value;
	return vgt_type_signed(operand->type) ?
	       VGT_BUILD(e, SExt, value, type) :
	       VGT_BUILD(e, ZExt, value, type);
}

/* The element at @offset, as it lies in the registers. */
static struct llvm_value *element(struct vgt_emit *e, uint32_t offset,
				  uint32_t bytes)
{
	struct llvm_value *value;

	if (offset >= VGT_REG_MME) {
		value = VGT_BUILD(e, LShr, vgt_emit_load(e, e->i64, e->flags),
				  vgt_emit_int(e, e->i64,
					       8 * (offset - VGT_REG_F)));
		return VGT_BUILD(e, Trunc, value,
				 e->llvm->IntTypeInContext(e->context,
							   8 * bytes));
	}
	value = unit_read(e, offset / VGT_UNIT_BYTES, bytes);
	return VGT_BUILD(e, ExtractElement, value,
			 vgt_emit_int(e, e->i32,
				      offset % VGT_UNIT_BYTES / bytes));
}

static struct llvm_value *splat(struct vgt_emit *e, struct llvm_value *value)
{
	static const uint32_t zeros[VGT_PART];
	struct llvm_value *undefined = e->llvm->GetUndef(e->vector);

	value = VGT_BUILD(e, InsertElement, undefined, value,
			  vgt_emit_int(e, e->i32, 0));
	return shuffle(e, value, NULL, zeros, VGT_PART);
}

static bool is_logic(uint8_t op)
{
	return op == VGT_OP_AND || op == VGT_OP_OR || op == VGT_OP_XOR ||
	       op == VGT_OP_NOT;
}

/* As modify() of region.c. */
static struct llvm_value *modify(struct vgt_emit *e,
				 const struct vgt_inst *inst,
				 const struct vgt_operand *operand,
				 struct llvm_value *value,
				 struct llvm_value *zero)
{
	struct llvm_type *type = e->llvm->TypeOf(value);
	bool number = operand->type == VGT_TYPE_F ||
		      operand->type == VGT_TYPE_HF;
	struct llvm_value *sign = vgt_emit_int(e, e->i32, 1U << 31), *minus;

	if (is_logic(inst->op))
		return VGT_BUILD(e, Xor, value, e->llvm->ConstAllOnes(type));
	if (type == e->vector)
		sign = splat(e, sign);
	if (operand->mod & VGT_MOD_ABS) {
		minus = VGT_BUILD(e, ICmp, LLVM_SLT, value, zero);
		value = number ?
			VGT_BUILD(e, And, value,
				  VGT_BUILD(e, Xor, sign,
					    e->llvm->ConstAllOnes(type))) :
			VGT_BUILD(e, Select, minus,
				  VGT_BUILD(e, Sub, zero, value), value);
	}
	if (operand->mod & VGT_MOD_NEG)
		value = number ? VGT_BUILD(e, Xor, value, sign) :
			VGT_BUILD(e, Sub, zero, value);
	return value;
}

/* A vector immediate; its modifiers are the caller's. */
static struct llvm_value *nibbles(struct vgt_emit *e,
				  const struct vgt_operand *operand)
{
	struct llvm_value *lane[VGT_PART];

	for (uint32_t i = 0; i < VGT_PART; i++) {
		uint32_t nibble = operand->imm >> 4 * i & 15;

		if (operand->type == VGT_TYPE_V)
			nibble = (uint32_t)((int32_t)(nibble << 28) >> 28);
		lane[i] = vgt_emit_int(e, e->i32, nibble);
	}
	return e->llvm->ConstVector(lane, VGT_PART);
}

/* An opaque one comes from memory, where LLVM cannot know what it is. */
static struct llvm_value *immediate(struct vgt_emit *e,
				    const struct vgt_inst *inst, uint32_t i,
				    bool opaque)
{
	const struct vgt_node *node = (const struct vgt_node *)inst;
	struct llvm_value *pointer;

	if (!opaque)
		return vgt_emit_int(e, e->i32, inst->x[i]);
	pointer = vgt_emit_origin(e, node, offsetof(struct vgt_inst, x) +
				  i * sizeof(inst->x[0]));
	pointer = VGT_BUILD(e, BitCast, pointer,
			    e->llvm->PointerType(e->i32, 0));
	return vgt_emit_load(e, e->i32, pointer);
}

static struct llvm_value *read_register(struct vgt_emit *e,
					const struct vgt_inst *inst,
					const struct vgt_operand *operand,
					uint32_t part, bool single)
{
	uint32_t count = lanes_of(inst, part);
	struct llvm_value *value;

	if (single)
		return widen(e, element(e, operand->offset, operand->bytes),
			     operand, e->i32);
	if (operand->stride == 0) {
		value = element(e, operand->offset, operand->bytes);
		return splat(e, widen(e, value, operand, e->i32));
	}
	if (is_whole_unit(operand, part, count))
		return unit_read(e, lane_offset(operand, VGT_PART * part) /
				 VGT_UNIT_BYTES, 4);
	return widen(e, gather(e, operand, part, count), operand, e->vector);
}

/* Is it computed in floats? Others only move halves. */
static bool is_half(const struct vgt_inst *inst,
		    const struct vgt_operand *operand)
{
	return inst->vector == VGT_VECTOR_HALF &&
	       operand->type == VGT_TYPE_HF;
}

struct llvm_value *vgt_operand_read(struct vgt_emit *e,
				    const struct vgt_inst *inst, uint32_t i,
				    uint32_t part, bool opaque)
{
	const struct vgt_operand *operand = &inst->src[i];
	bool single = vgt_operands_single(inst);
	struct llvm_value *value, *zero;

	zero = e->llvm->ConstNull(single ? e->i32 : e->vector);
	if (operand->kind == VGT_OPERAND_IMM &&
	    inst->form[i] == VGT_FORM_IMM) {
		value = immediate(e, inst, i, opaque);
		value = single ? value : splat(e, value);
		return is_half(inst, operand) ? vgt_half_extend(e, value) :
						value;
	}
	if (operand->kind == VGT_OPERAND_IMM) {
		value = nibbles(e, operand);
		if (single)
			value = VGT_BUILD(e, ExtractElement, value,
					  vgt_emit_int(e, e->i32, 0));
	} else if (operand->arf == VGT_ARF_NULL) {
		value = zero;
	} else {
		value = read_register(e, inst, operand, part, single);
	}
	if (is_half(inst, operand))
		value = vgt_half_extend(e, value);
	return operand->mod ? modify(e, inst, operand, value, zero) : value;
}

/* What is narrower than a flag register's half stays as it is. */
static void write_flags(struct vgt_emit *e, const struct vgt_operand *dst,
			struct llvm_value *value, struct vgt_lanes lanes)
{
	uint64_t mask = dst->bytes == 4 ? UINT32_MAX :
			dst->bytes == 2 ? 0xffff : 0xff;
	uint32_t shift = 8 * (dst->offset - VGT_REG_F);
	struct llvm_value *old = vgt_emit_load(e, e->i64, e->flags), *keep;

	value = VGT_BUILD(e, And, VGT_BUILD(e, ZExt, value, e->i64),
			  vgt_emit_int(e, e->i64, mask));
	value = VGT_BUILD(e, Shl, value, vgt_emit_int(e, e->i64, shift));
	keep = VGT_BUILD(e, And, old,
			 vgt_emit_int(e, e->i64, ~(mask << shift)));
	value = VGT_BUILD(e, Or, value, keep);
	if (!lanes.known)
		value = VGT_BUILD(e, Select,
				  VGT_BUILD(e, Trunc, lanes.value, e->i1),
				  value, old);
	e->llvm->BuildStore(e->builder, value, e->flags);
}

static void write_single(struct vgt_emit *e, const struct vgt_operand *dst,
			 struct llvm_value *value, struct vgt_lanes lanes)
{
	uint32_t unit = dst->offset / VGT_UNIT_BYTES;
	struct llvm_value *whole, *index;

	if (dst->offset >= VGT_REG_MME) {
		write_flags(e, dst, value, lanes);
		return;
	}
	index = vgt_emit_int(e, e->i32,
			     dst->offset % VGT_UNIT_BYTES / dst->bytes);
	whole = unit_read(e, unit, dst->bytes);
	if (dst->bytes < 4)
		value = VGT_BUILD(e, Trunc, value,
				  e->llvm->IntTypeInContext(e->context,
							    8 * dst->bytes));
	if (!lanes.known)
		value = VGT_BUILD(e, Select,
				  VGT_BUILD(e, Trunc, lanes.value, e->i1),
				  value, element(e, dst->offset, dst->bytes));
	unit_write(e, unit, VGT_BUILD(e, InsertElement, whole, value, index));
}

/* 8 x iN to where each element belongs. */
static void scatter(struct vgt_emit *e, const struct vgt_operand *dst,
		    uint32_t part, uint32_t count, struct llvm_value *value)
{
	uint32_t size = VGT_UNIT_BYTES / dst->bytes;
	uint32_t first = lane_offset(dst, VGT_PART * part) / VGT_UNIT_BYTES;
	uint32_t last = lane_offset(dst, VGT_PART * part + count - 1) /
			VGT_UNIT_BYTES;
	uint32_t index[VGT_UNIT_BYTES];

	for (uint32_t i = 0; i < size; i++)
		index[i] = i < VGT_PART ? i : ALL;
	if (size != VGT_PART)
		value = shuffle(e, value, NULL, index, size);
	for (uint32_t unit = first; unit <= last; unit++) {
		for (uint32_t i = 0; i < size; i++)
			index[i] = i;
		for (uint32_t i = 0; i < count; i++) {
			uint32_t offset = lane_offset(dst,
						      VGT_PART * part + i);

			if (offset / VGT_UNIT_BYTES == unit)
				index[offset % VGT_UNIT_BYTES / dst->bytes] =
					size + i;
		}
		unit_write(e, unit, shuffle(e, unit_read(e, unit, dst->bytes),
					    value, index, size));
	}
}

static bool all_lanes(struct vgt_lanes lanes, uint32_t part, uint32_t count)
{
	uint32_t bits = (1U << count) - 1;

	return lanes.known && (lanes.bits >> VGT_PART * part & bits) == bits;
}

void vgt_operand_write(struct vgt_emit *e, const struct vgt_inst *inst,
		       uint32_t part, struct llvm_value *value,
		       struct vgt_lanes lanes)
{
	const struct vgt_operand *dst = &inst->dst;
	uint32_t count = lanes_of(inst, part);
	struct llvm_type *narrow;
	struct llvm_value *mask;

	if (dst->arf == VGT_ARF_NULL)
		return;
	if (vgt_operands_single(inst)) {
		write_single(e, dst, value, lanes);
		return;
	}
	if (is_half(inst, dst))
		value = vgt_half_round(e, value);
	narrow = e->llvm->VectorType(e->llvm->IntTypeInContext(e->context,
							       8 * dst->bytes),
				     VGT_PART);
	if (dst->bytes < 4)
		value = VGT_BUILD(e, Trunc, value, narrow);
	if (!all_lanes(lanes, part, count)) {
		mask = vgt_operand_mask(e, inst, lanes.value, part);
		value = VGT_BUILD(e, Select, mask, value,
				  gather(e, dst, part, count));
	}
	if (is_whole_unit(dst, part, count))
		unit_write(e, lane_offset(dst, VGT_PART * part) /
			   VGT_UNIT_BYTES, value);
	else
		scatter(e, dst, part, count, value);
}

void vgt_operand_flags(struct vgt_emit *e, const struct vgt_inst *inst,
		       struct llvm_value *bits, struct vgt_lanes lanes)
{
	struct llvm_value *shift, *wide, *flags, *keep;

	shift = vgt_emit_int(e, e->i64, inst->flag_bit + inst->chan);
	flags = vgt_emit_load(e, e->i64, e->flags);
	wide = VGT_BUILD(e, Shl, VGT_BUILD(e, ZExt, lanes.value, e->i64),
			 shift);
	keep = VGT_BUILD(e, Xor, wide, e->llvm->ConstAllOnes(e->i64));
	flags = VGT_BUILD(e, And, flags, keep);
	bits = VGT_BUILD(e, And, bits, lanes.value);
	wide = VGT_BUILD(e, Shl, VGT_BUILD(e, ZExt, bits, e->i64), shift);
	e->llvm->BuildStore(e->builder, VGT_BUILD(e, Or, flags, wide),
			    e->flags);
}
