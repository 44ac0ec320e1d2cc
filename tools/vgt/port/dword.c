// SPDX-License-Identifier: MIT
/*
 * Mostly all lanes are enabled and their dwords lie one behind the other in one
 * page: a run, which is copied whole; or all read the same one, a run of step 0.
 * Otherwise each enabled lane is looked up.
 * No fault is reported here, and no register is written before all is found: what
 * is not found begins anew on the general path.
 */
#include "port/dword.h"

#include "eu/handler.h"
#include "gt/device.h"
#include "port/message.h"
#include "port/surface.h"

#define READ 0x01 /* untyped, of data port 1 */
#define WRITE 0x09
#define ONLY_X 0xe /* of a lane's dwords x to w */
#define LANES 16

/* Are the addresses @step bytes apart? */
static inline __attribute__((always_inline)) bool
is_run(const uint8_t *address, const uint32_t lanes, const uint32_t step)
{
	typedef uint32_t u32x4 __attribute__((vector_size(16)));
	uint32_t first = vgt_load32(address);
	u32x4 expect = { first, first + step, first + 2 * step,
			 first + 3 * step };
	u32x4 at, wrong = { 0 };

	for (uint32_t i = 0; i < lanes; i += 4) {
		memcpy(&at, address + 4 * i, sizeof(at));
		wrong |= at ^ expect;
		expect += 4 * step;
	}
	return !(wrong[0] | wrong[1] | wrong[2] | wrong[3]);
}

/* A state that is not mapped is reported, with the instruction. */
static const struct vgt_surface *surface_of(struct vgt_eu_thread *thread,
					    const struct vgt_inst *inst)
{
	thread->ip = inst->ip;
	return vgt_surface_get(thread, inst->x[0], 0);
}

/* Where @bytes from @offset on are, or NULL. */
static inline __attribute__((always_inline)) uint8_t *
buffer_at(struct vgt_eu_thread *thread, const struct vgt_surface *surface,
	  uint64_t offset, const uint32_t bytes, enum vgt_access access)
{
	uint64_t va = surface->base + offset;

	if (surface->type != VGT_SURFACE_BUFFER ||
	    offset + bytes > surface->size_bytes ||
	    va % VGT_PAGE_BYTES > VGT_PAGE_BYTES - bytes)
		return NULL;
	return vgt_tlb_host(&thread->worker->tlb, va, access);
}

/* The same for all of @inst's lanes, if all are enabled and they are a run. */
static inline __attribute__((always_inline)) uint8_t *
run_place(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	  const uint32_t lanes, const uint32_t step, enum vgt_access access)
{
	const uint32_t all = (1U << lanes) - 1;
	const uint8_t *address = thread->reg + inst->s[0];

	if ((vgt_exec_lanes(thread, inst) & all) != all ||
	    !is_run(address, lanes, step))
		return NULL;
	return buffer_at(thread, surface_of(thread, inst), vgt_load32(address),
			 (lanes - 1) * step + 4, access);
}

/* Where the lowest of the enabled lanes' dwords is; NULL: nowhere, or not all in its page. */
static uint8_t *lowest_place(struct vgt_eu_thread *thread,
			     const struct vgt_surface *surface,
			     const uint8_t *address, uint32_t lanes,
			     enum vgt_access access, uint32_t *lowest_out)
{
	uint32_t low = UINT32_MAX, high = 0;

	for (; lanes; lanes &= lanes - 1) {
		uint32_t at = vgt_load32(address + 4 * __builtin_ctz(lanes));

		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	*lowest_out = low;
	if (high - low > VGT_PAGE_BYTES - 4)
		return NULL;
	return buffer_at(thread, surface, low, high - low + 4, access);
}

/* The same for each enabled lane; returns false if one is nowhere. */
static bool lane_places(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, uint32_t lanes,
			enum vgt_access access, uint8_t *at[LANES])
{
	const struct vgt_surface *surface = surface_of(thread, inst);
	const uint8_t *address = thread->reg + inst->s[0];
	uint8_t *lowest;
	uint32_t low;

	if (!lanes)
		return true;
	lowest = lowest_place(thread, surface, address, lanes, access, &low);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);
		uint32_t offset = vgt_load32(address + 4 * i);

		at[i] = lowest ? lowest + (offset - low) :
			buffer_at(thread, surface, offset, 4, access);
		if (!at[i])
			return false;
	}
	return true;
}

static const struct vgt_inst *read_lanes(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst,
					 uint32_t lanes)
{
	uint8_t *at[LANES], *to = thread->reg + inst->d;

	lanes = vgt_exec_lanes(thread, inst) & ((1U << lanes) - 1);
	if (!lane_places(thread, inst, lanes, VGT_ACCESS_READ, at))
		return vgt_send_exec(thread, inst);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		memcpy(to + 4 * i, at[i], 4);
	}
	return inst + 1;
}

static const struct vgt_inst *write_lanes(struct vgt_eu_thread *thread,
					  const struct vgt_inst *inst,
					  uint32_t lanes)
{
	const uint8_t *from = thread->reg + inst->s[1];
	uint8_t *at[LANES];

	lanes = vgt_exec_lanes(thread, inst) & ((1U << lanes) - 1);
	if (!lane_places(thread, inst, lanes, VGT_ACCESS_WRITE, at))
		return vgt_send_exec(thread, inst);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		memcpy(at[i], from + 4 * i, 4);
	}
	return inst + 1;
}

static inline __attribute__((always_inline)) const struct vgt_inst *
run_read(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	 const uint32_t lanes)
{
	const uint8_t *from = run_place(thread, inst, lanes, 4,
					VGT_ACCESS_READ);
	uint8_t *to = thread->reg + inst->d;

	if (from) {
		memcpy(to, from, 4 * lanes);
		return inst + 1;
	}
	from = run_place(thread, inst, lanes, 0, VGT_ACCESS_READ);
	if (!from)
		return read_lanes(thread, inst, lanes);
	for (uint32_t i = 0; i < lanes; i++)
		memcpy(to + 4 * i, from, 4);
	return inst + 1;
}

static inline __attribute__((always_inline)) const struct vgt_inst *
run_write(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	  const uint32_t lanes)
{
	uint8_t *to = run_place(thread, inst, lanes, 4, VGT_ACCESS_WRITE);

	if (!to)
		return write_lanes(thread, inst, lanes);
	memcpy(to, thread->reg + inst->s[1], 4 * lanes);
	return inst + 1;
}

static const struct vgt_inst *run_read_8(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst)
{
	return run_read(thread, inst, 8);
}

static const struct vgt_inst *run_read_16(struct vgt_eu_thread *thread,
					  const struct vgt_inst *inst)
{
	return run_read(thread, inst, 16);
}

static const struct vgt_inst *run_write_8(struct vgt_eu_thread *thread,
					  const struct vgt_inst *inst)
{
	return run_write(thread, inst, 8);
}

static const struct vgt_inst *run_write_16(struct vgt_eu_thread *thread,
					   const struct vgt_inst *inst)
{
	return run_write(thread, inst, 16);
}

static bool in_grf(const struct vgt_operand *operand, uint32_t grfs)
{
	return operand->kind == VGT_OPERAND_REG &&
	       operand->arf == VGT_ARF_PLAIN &&
	       operand->offset + grfs * VGT_GRF_BYTES <= VGT_REG_A0;
}

/* Is it as long as it has to be: addresses, and one plane of data? */
static bool length_fits(const struct vgt_inst *inst, uint32_t grfs, bool write)
{
	const struct vgt_operand *data = write ? &inst->src[1] : &inst->dst;
	uint32_t data_grfs = write ? inst->exdesc >> 6 & 31 :
			     inst->desc >> 20 & 31;

	return (inst->desc >> 25 & 15) == grfs && data_grfs == grfs &&
	       in_grf(&inst->src[0], grfs) && in_grf(data, grfs);
}

vgt_exec vgt_dword_handler(struct vgt_inst *inst)
{
	uint32_t desc = inst->desc, type = desc >> 14 & 31;
	uint32_t mode = desc >> 12 & 3;
	bool write = type == WRITE, wide = mode == 1;

	if (inst->function != VGT_SFID_DC1 || inst->eot ||
	    inst->desc_reg != 255 || inst->exdesc_reg != 255 ||
	    (type != READ && !write) || (mode != 1 && mode != 2) ||
	    (desc >> 8 & 15) != ONLY_X || desc & VGT_MESSAGE_HEADER ||
	    (desc & 0xff) > VGT_BTI_TABLE_LAST ||
	    !length_fits(inst, wide ? 2 : 1, write))
		return NULL;
	inst->x[0] = desc & 0xff;
	inst->s[0] = inst->src[0].offset;
	inst->s[1] = inst->src[1].offset;
	inst->d = inst->dst.offset;
	if (write)
		return wide ? run_write_16 : run_write_8;
	return wide ? run_read_16 : run_read_8;
}
