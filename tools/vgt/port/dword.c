// SPDX-License-Identifier: MIT
/*
 * Mostly all lanes are enabled and their dwords lie one behind the other, in one page or in
 * local memory: a run, which is copied whole; or all read the same one, a run of step 0.
 * Otherwise each enabled lane is looked up.
 * No fault is reported here, and no register is written before all is found: what
 * is not found begins anew on the general path.
 */
#include "port/dword.h"

#include "eu/handler.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/message.h"
#include "port/space.h"
#include "port/surface.h"

#include <emmintrin.h>

#define READ 0x01 /* untyped, of data port 1 */
#define WRITE 0x09
#define ONLY_X 0xe /* of a lane's dwords x to w */
#define LANES 16
#define OFFSETS_END (1ULL << 32)

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
	return _mm_movemask_epi8((__m128i)(wrong == 0)) == 0xffff;
}

/* A state that is not mapped is reported, with the instruction. */
static const struct vgt_surface *surface_of(struct vgt_eu_thread *thread,
					    const struct vgt_inst *inst)
{
	const struct vgt_surface *surface =
		vgt_surface_known(&thread->worker->surfaces,
				  thread->group->walker->serial, inst->x[0]);

	if (surface)
		return surface;
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
	    offset + bytes > OFFSETS_END ||
	    va % VGT_PAGE_BYTES > VGT_PAGE_BYTES - bytes)
		return NULL;
	return vgt_tlb_host(&thread->worker->tlb, va, access);
}

/* The same of local memory, where offsets wrap: what lies on both sides is nowhere. */
static inline __attribute__((always_inline)) uint8_t *
local_at(const struct vgt_eu_thread *thread, uint32_t offset,
	 const uint32_t bytes)
{
	uint8_t *slm = thread->group->slm;

	offset &= VGT_SPACE_SLM_MASK;
	return slm && offset + bytes <= VGT_SLM_BYTES ? slm + offset : NULL;
}

/* The same for all of @inst's lanes, if all are enabled and they are a run. */
static inline __attribute__((always_inline)) uint8_t *
run_place(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	  const bool local, const uint32_t lanes, const uint32_t step,
	  enum vgt_access access)
{
	const uint32_t all = (1U << lanes) - 1, bytes = (lanes - 1) * step + 4;
	const uint8_t *address = thread->reg + inst->s[0];

	if ((vgt_exec_lanes(thread, inst) & all) != all ||
	    !is_run(address, lanes, step))
		return NULL;
	if (local)
		return local_at(thread, vgt_load32(address), bytes);
	return buffer_at(thread, surface_of(thread, inst), vgt_load32(address),
			 bytes, access);
}

/* Where dwords are whose offset is one from @first on, @span more at most. */
struct window {
	uint32_t first, span;
	uint8_t *host;
};

/* Make it what of the buffer lies in the page of @offset; false: nothing does. */
static bool window_move(struct window *window, struct vgt_eu_thread *thread,
			const struct vgt_surface *surface, uint32_t offset,
			enum vgt_access access)
{
	uint8_t *host = buffer_at(thread, surface, offset, 4, access);
	uint64_t back = (surface->base + offset) % VGT_PAGE_BYTES;
	uint64_t ahead = VGT_PAGE_BYTES - back;

	if (!host)
		return false;
	back = back < offset ? back : offset;
	if (ahead > surface->size_bytes - offset)
		ahead = surface->size_bytes - offset;
	/* Offsets end there, buffers need not. */
	if (ahead > OFFSETS_END - offset)
		ahead = OFFSETS_END - offset;
	window->first = offset - back;
	window->span = back + ahead - 4;
	window->host = host - back;
	return true;
}

/* The same for each enabled lane; returns false if one is nowhere. */
static inline __attribute__((always_inline)) bool
lane_places(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	    const bool local, uint32_t lanes, enum vgt_access access,
	    uint8_t *at[LANES])
{
	const struct vgt_surface *surface = local ? NULL :
						    surface_of(thread, inst);
	const uint8_t *address = thread->reg + inst->s[0];
	struct window window = { 0 };

	/* Also where no lane is enabled: the general path says what is wrong. */
	if (!local && surface->type != VGT_SURFACE_BUFFER)
		return false;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);
		uint32_t offset = vgt_load32(address + 4 * i);

		if (local) {
			at[i] = local_at(thread, offset, 4);
			if (!at[i])
				return false;
			continue;
		}
		if ((!window.host || offset - window.first > window.span) &&
		    !window_move(&window, thread, surface, offset, access))
			return false;
		at[i] = window.host + (offset - window.first);
	}
	return true;
}

static inline __attribute__((always_inline)) const struct vgt_inst *
read_lanes(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	   const bool local, uint32_t lanes)
{
	uint8_t *at[LANES], *to = thread->reg + inst->d;

	lanes = vgt_exec_lanes(thread, inst) & ((1U << lanes) - 1);
	if (!lane_places(thread, inst, local, lanes, VGT_ACCESS_READ, at))
		return vgt_send_exec(thread, inst);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		memcpy(to + 4 * i, at[i], 4);
	}
	return inst + 1;
}

static inline __attribute__((always_inline)) const struct vgt_inst *
write_lanes(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	    const bool local, uint32_t lanes)
{
	const uint8_t *from = thread->reg + inst->s[1];
	uint8_t *at[LANES];

	lanes = vgt_exec_lanes(thread, inst) & ((1U << lanes) - 1);
	if (!lane_places(thread, inst, local, lanes, VGT_ACCESS_WRITE, at))
		return vgt_send_exec(thread, inst);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		memcpy(at[i], from + 4 * i, 4);
	}
	return inst + 1;
}

static __attribute__((noinline)) const struct vgt_inst *
buffer_read(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	    uint32_t lanes)
{
	return read_lanes(thread, inst, false, lanes);
}

static __attribute__((noinline)) const struct vgt_inst *
buffer_write(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	     uint32_t lanes)
{
	return write_lanes(thread, inst, false, lanes);
}

static __attribute__((noinline)) const struct vgt_inst *
local_read(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	   uint32_t lanes)
{
	return read_lanes(thread, inst, true, lanes);
}

static __attribute__((noinline)) const struct vgt_inst *
local_write(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	    uint32_t lanes)
{
	return write_lanes(thread, inst, true, lanes);
}

static inline __attribute__((always_inline)) const struct vgt_inst *
run_read(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	 const bool local, const uint32_t lanes)
{
	const uint8_t *from = run_place(thread, inst, local, lanes, 4,
					VGT_ACCESS_READ);
	uint8_t *to = thread->reg + inst->d;

	if (from) {
		memcpy(to, from, 4 * lanes);
		return inst + 1;
	}
	from = run_place(thread, inst, local, lanes, 0, VGT_ACCESS_READ);
	if (!from)
		return local ? local_read(thread, inst, lanes) :
			       buffer_read(thread, inst, lanes);
	for (uint32_t i = 0; i < lanes; i++)
		memcpy(to + 4 * i, from, 4);
	return inst + 1;
}

static inline __attribute__((always_inline)) const struct vgt_inst *
run_write(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	  const bool local, const uint32_t lanes)
{
	uint8_t *to = run_place(thread, inst, local, lanes, 4,
				VGT_ACCESS_WRITE);

	if (!to)
		return local ? local_write(thread, inst, lanes) :
			       buffer_write(thread, inst, lanes);
	memcpy(to, thread->reg + inst->s[1], 4 * lanes);
	return inst + 1;
}

#define RUN(way, local, lanes)						\
static const struct vgt_inst *						\
way##_##local##_##lanes(struct vgt_eu_thread *thread,			\
			const struct vgt_inst *inst)			\
{									\
	return run_##way(thread, inst, local, lanes);			\
}

RUN(read, 0, 8) RUN(read, 0, 16) RUN(read, 1, 8) RUN(read, 1, 16)
RUN(write, 0, 8) RUN(write, 0, 16) RUN(write, 1, 8) RUN(write, 1, 16)

/* [write?][local memory?][16 lanes?] */
static const vgt_exec handlers[2][2][2] = {
	{ { read_0_8, read_0_16 }, { read_1_8, read_1_16 } },
	{ { write_0_8, write_0_16 }, { write_1_8, write_1_16 } },
};

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
	bool local = (desc & 0xff) == VGT_BTI_SLM;

	if (inst->function != VGT_SFID_DC1 || inst->eot ||
	    inst->desc_reg != 255 || inst->exdesc_reg != 255 ||
	    (type != READ && !write) || (mode != 1 && mode != 2) ||
	    (desc >> 8 & 15) != ONLY_X || desc & VGT_MESSAGE_HEADER ||
	    ((desc & 0xff) > VGT_BTI_TABLE_LAST && !local) ||
	    !length_fits(inst, wide ? 2 : 1, write))
		return NULL;
	inst->x[0] = desc & 0xff;
	inst->s[0] = inst->src[0].offset;
	inst->s[1] = inst->src[1].offset;
	inst->d = inst->dst.offset;
	return handlers[write][local][wide];
}
