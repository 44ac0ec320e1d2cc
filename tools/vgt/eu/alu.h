/* SPDX-License-Identifier: MIT */
/* Handlers of arithmetic: the general ones, and those of the accumulator. */
#ifndef VGT_ALU_H
#define VGT_ALU_H

#include "eu/operand.h"

vgt_exec vgt_alu_handler(const struct vgt_inst *inst);

/* Condition flags of the result, then the result itself; the next in line. */
const struct vgt_inst *vgt_alu_finish(struct vgt_eu_thread *thread,
				      const struct vgt_inst *inst,
				      const uint32_t bits[VGT_LANES]);

/* All of thread->acc_hi is what it says, until the lower halves change. */
void vgt_acc_settle(struct vgt_eu_thread *thread);

/* Instructions that use acc0 implicitly or all of its width; else NULL. */
vgt_exec vgt_acc_handler(const struct vgt_inst *inst);

/* An operand of acc0 or acc1 whose elements have upper halves. */
bool vgt_acc_is_wide(const struct vgt_operand *operand);

/*
 * Instructions with an explicit accumulator operand, where the upper 32 bits
 * have to follow: run inst->plain and look after them.
 */
bool vgt_acc_explicit(const struct vgt_inst *inst);
const struct vgt_inst *vgt_acc_exec(struct vgt_eu_thread *thread,
				    const struct vgt_inst *inst);

#endif
