/* SPDX-License-Identifier: MIT */
/*
 * Operands of translated instructions, part by part of 8 lanes; or one lane as
 * a plain number, for instructions of one channel.
 */
#ifndef VGT_TIER_OPERAND_H
#define VGT_TIER_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

struct llvm_value;
struct vgt_emit;
struct vgt_inst;

/* Lanes that execute; a number if it is known already. */
struct vgt_lanes {
	bool known;
	uint32_t bits;
	struct llvm_value *value;
};

/* Can @inst be translated, its operands and the rest? */
bool vgt_operands_plain(const struct vgt_inst *inst);

/* Does such a one leave upper halves of the accumulator implied (eu/acc.c)? */
bool vgt_operands_imply_width(const struct vgt_inst *inst);

/* One channel of integers: plain numbers will do. */
bool vgt_operands_single(const struct vgt_inst *inst);

/* Lanes that are enabled; those of the predicate are not taken out. */
struct vgt_lanes vgt_operand_lanes(struct vgt_emit *e,
				   const struct vgt_inst *inst);
/* Lanes whose predicate holds. */
struct llvm_value *vgt_operand_predicate(struct vgt_emit *e,
					 const struct vgt_inst *inst);
struct vgt_lanes vgt_operand_exec_lanes(struct vgt_emit *e,
					const struct vgt_inst *inst);

/* Bits 8 * @part and on as 8 x i1; bit 0 as i1 for single ones. */
struct llvm_value *vgt_operand_mask(struct vgt_emit *e,
				    const struct vgt_inst *inst,
				    struct llvm_value *bits, uint32_t part);

/*
 * A source as 32-bit lanes with its modifiers, of VGT_VECTOR_HALF as floats; @opaque hides
 * immediates.
 */
struct llvm_value *vgt_operand_read(struct vgt_emit *e,
				    const struct vgt_inst *inst, uint32_t i,
				    uint32_t part, bool opaque);
/* The destination takes @value in @lanes. */
void vgt_operand_write(struct vgt_emit *e, const struct vgt_inst *inst,
		       uint32_t part, struct llvm_value *value,
		       struct vgt_lanes lanes);

/* As vgt_flag_write(): flags of @lanes become those of @bits. */
void vgt_operand_flags(struct vgt_emit *e, const struct vgt_inst *inst,
		       struct llvm_value *bits, struct vgt_lanes lanes);

#endif
