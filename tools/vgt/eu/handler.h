/* SPDX-License-Identifier: MIT */
/*
 * Handlers of decoded instructions, and what they share: which lanes of an
 * instruction execute, and how the next instruction is found.
 */
#ifndef VGT_HANDLER_H
#define VGT_HANDLER_H

#include "eu/eu.h"
#include "eu/inst.h"

#include <string.h>

/* Sets inst->exec; what is not implemented gets a handler that says so. */
void vgt_handler_choose(struct vgt_inst *inst);

/* Its handler always goes on with the next instruction. */
bool vgt_handler_goes_on(const struct vgt_inst *inst);

/* True: no fast handlers from now on. For comparisons. */
void vgt_handler_slow(bool slow);
bool vgt_handler_is_slow(void);

/* True: fast handlers as for a processor without AVX2. For comparisons. */
void vgt_vector_baseline(bool baseline);

/* Handlers by file. */
vgt_exec vgt_vector_handler(struct vgt_inst *inst);
vgt_exec vgt_flow_handler(const struct vgt_inst *inst);
const struct vgt_inst *vgt_arf_exec(struct vgt_eu_thread *thread,
				    const struct vgt_inst *inst);
vgt_exec vgt_math_handler(struct vgt_inst *inst);
const struct vgt_inst *vgt_send_exec(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst);
const struct vgt_inst *vgt_send_checked_exec(struct vgt_eu_thread *thread,
					     const struct vgt_inst *inst);
/* Are @grfs of a message's registers from @operand on there? */
bool vgt_send_in_grf(const struct vgt_operand *operand, uint32_t grfs);
/* A message's source: of the null register as many zeros as any asks for. */
const uint8_t *vgt_send_payload(const struct vgt_eu_thread *thread,
				const struct vgt_operand *operand);
const struct vgt_inst *vgt_sync_exec(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst);
/* At the end of a decoded piece: goes on with what lies behind it. */
const struct vgt_inst *vgt_link_exec(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst);

/* Channels that wait at @ip become enabled. */
void vgt_flow_arrive(struct vgt_eu_thread *thread, uint32_t ip);

/* Follow a write to, or prepare a read of, fc0 to fc3. */
void vgt_flow_read_fc(struct vgt_eu_thread *thread, uint32_t ip);
void vgt_flow_write_fc(struct vgt_eu_thread *thread);

/* The host's float control word that does what cr0.0 says. */
uint32_t vgt_eu_float_mode(const struct vgt_eu_thread *thread);

/* Lanes whose predicate holds. */
uint32_t vgt_predicate(const struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst);

static inline uint32_t vgt_load32(const uint8_t *from)
{
	uint32_t value;

	memcpy(&value, from, 4);
	return value;
}

static inline void vgt_store32(uint8_t *to, uint32_t value)
{
	memcpy(to, &value, 4);
}

/* Lanes that are enabled, predicate aside. */
static inline uint32_t vgt_lanes(const struct vgt_eu_thread *thread,
				 const struct vgt_inst *inst)
{
	return ((thread->enabled | inst->nomask) >> inst->chan) & inst->lanes;
}

/* Lanes that execute. */
static inline uint32_t vgt_exec_lanes(const struct vgt_eu_thread *thread,
				      const struct vgt_inst *inst)
{
	uint32_t lanes = vgt_lanes(thread, inst);

	if (__builtin_expect(inst->pred, 0))
		lanes &= vgt_predicate(thread, inst);
	return lanes;
}

/* Flag bits of the lanes in @lanes become those of @bits. */
static inline void vgt_flag_write(struct vgt_eu_thread *thread,
				  const struct vgt_inst *inst, uint32_t bits,
				  uint32_t lanes)
{
	uint32_t shift = inst->flag_bit + inst->chan;
	uint64_t flags;

	memcpy(&flags, thread->reg + VGT_REG_F, 8);
	flags &= ~((uint64_t)lanes << shift);
	flags |= (uint64_t)(bits & lanes) << shift;
	memcpy(thread->reg + VGT_REG_F, &flags, 8);
}

#endif
