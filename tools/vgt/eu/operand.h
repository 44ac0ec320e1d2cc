/* SPDX-License-Identifier: MIT */
/*
 * Any operand, lane by lane: the general path that fast handlers are held
 * against. Integers are computed in 64 bits and floats in double, in which
 * sums and products of float are exact or round twice without harm.
 */
#ifndef VGT_OPERAND_H
#define VGT_OPERAND_H

#include "eu/handler.h"

#include <stdint.h>

#define VGT_LANES 32

/* Values of source @i of @inst for its lanes, modifiers applied. */
void vgt_source_ints(const struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst, uint32_t i,
		     int64_t out[VGT_LANES]);
void vgt_source_floats(const struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst, uint32_t i,
		       double out[VGT_LANES]);
/* Bits as they lie in the register, float modifiers applied. */
void vgt_source_bits(const struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst, uint32_t i,
		     uint32_t out[VGT_LANES]);

/* Write the destination's lanes in @lanes; bits above its type are ignored. */
void vgt_result_bits(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		     const uint32_t bits[VGT_LANES], uint32_t lanes);

/* One value as the destination's type has it, saturated if so asked. */
uint32_t vgt_result_int(const struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, int64_t value);
uint32_t vgt_result_float(const struct vgt_eu_thread *thread,
			  const struct vgt_inst *inst, double value);

/* Value of @bits as type @type. */
int64_t vgt_bits_int(uint32_t bits, uint8_t type);
double vgt_bits_float(uint32_t bits, uint8_t type);

#endif
