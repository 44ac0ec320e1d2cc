// SPDX-License-Identifier: MIT
/*
 * The code that follows is run up to its next branch in two copies of the thread, in
 * which the bytes in question have different values, their address and its complement:
 * whatever differs was made of them. Messages are not sent. A byte that differs may be
 * moved, and stored in its own place; once no other instruction may read one any more,
 * it was a merge. What was found of an instruction holds for the launch.
 */
#include "check/merge.h"

#include "check/access.h"
#include "check/live.h"
#include "eu/eu.h"
#include "eu/handler.h"
#include "eu/inst.h"
#include "port/message.h"

#include <stddef.h>
#include <string.h>

#define GRF_END (128 * VGT_GRF_BYTES)
/* Of instructions; a vector of 16 bytes takes 50. */
#define STEPS 400

struct merge {
	const struct vgt_check_access *access;
	const struct vgt_check_holes *holes;
	uint64_t kept; /* bytes that are stored in their places */
	/* The last message: does it store any, and to the same memory? */
	bool stores, same;
	struct vgt_eu_thread way[2];
};

/* The holes get values in both copies. */
static void fill(struct merge *merge, const struct vgt_inst *inst)
{
	const struct vgt_layout *layout = &merge->access->layout;
	uint32_t plane = vgt_layout_plane_grfs(layout) * VGT_GRF_BYTES;

	for (uint32_t i = 0; i < layout->lanes; i++) {
		uint64_t holes = merge->holes->byte[i];

		for (; holes; holes &= holes - 1) {
			uint32_t bit = __builtin_ctzll(holes);
			uint32_t c = bit / layout->element_bytes;
			uint32_t b = bit % layout->element_bytes;
			uint32_t at = inst->dst.offset + c * plane +
				      i * layout->lane_bytes + b;
			uint8_t value = merge->access->offset[i] +
					layout->at[c] + b;

			merge->way[0].reg[at] = value;
			merge->way[1].reg[at] = ~value;
		}
	}
}

static bool differs(const struct merge *merge, uint32_t offset, uint32_t bytes)
{
	return memcmp(merge->way[0].reg + offset, merge->way[1].reg + offset,
		      bytes);
}

/* May an instruction from @ip on read what differs? */
static bool is_read(struct merge *merge, uint32_t ip, bool strict)
{
	struct vgt_check_bytes held = { 0 }, read;
	uint64_t any = 0;

	for (uint32_t i = 0; i < GRF_END; i++) {
		if (!(i % VGT_GRF_BYTES) && !differs(merge, i, VGT_GRF_BYTES))
			i += VGT_GRF_BYTES - 1;
		else if (differs(merge, i, 1))
			vgt_check_bytes_set(&held, i, 1);
	}
	vgt_check_live_from(&merge->way[0], ip, &held, strict, &read);
	for (uint32_t i = 0; i < sizeof(read.bit) / sizeof(read.bit[0]); i++)
		any |= read.bit[i];
	return any;
}

/* As send.c makes it; registers are those of copy @way. */
static void message_get(const struct merge *merge, const struct vgt_inst *inst,
			uint32_t way, struct vgt_message *out)
{
	const struct vgt_eu_thread *thread = &merge->way[way];

	*out = (struct vgt_message){
		.sfid = inst->function,
		.desc = inst->desc, .exdesc = inst->exdesc,
		.lanes = vgt_exec_lanes(thread, inst),
		.exec_size = inst->exec_size,
		.mlen = inst->desc >> 25 & 15,
		.exlen = inst->exdesc >> 6 & 31,
		.rlen = inst->desc >> 20 & 31,
		.src0 = thread->reg + inst->src[0].offset,
		.src1 = thread->reg + (inst->src[1].kind == VGT_OPERAND_REG ?
				       inst->src[1].offset : VGT_REG_NULL),
	};
}

static bool is_in_range(const struct vgt_inst *inst)
{
	uint32_t mlen = inst->desc >> 25 & 15, exlen = inst->exdesc >> 6 & 31;
	uint32_t rlen = inst->desc >> 20 & 31;

	return inst->src[0].kind == VGT_OPERAND_REG &&
	       inst->src[0].offset + mlen * VGT_GRF_BYTES <= GRF_END &&
	       (!exlen ||
		inst->src[1].offset + exlen * VGT_GRF_BYTES <= GRF_END) &&
	       (inst->dst.kind != VGT_OPERAND_REG || inst->dst.arf ||
		inst->dst.offset + rlen * VGT_GRF_BYTES <= GRF_END);
}

/* The bit of the byte at @offset of lane @lane's memory; 0: it is not in question. */
static uint64_t hole_find(const struct merge *merge, uint32_t lane,
			  uint64_t offset)
{
	const struct vgt_layout *layout = &merge->access->layout;

	offset -= merge->access->offset[lane];
	for (uint32_t c = 0; c < layout->count; c++) {
		uint64_t at = offset - layout->at[c];

		if (at < layout->element_bytes)
			return merge->holes->byte[lane] &
			       1ULL << (c * layout->element_bytes + at);
	}
	return 0;
}

/* All of the element that differs is stored where it was. */
static bool element_returns(struct merge *merge, const uint8_t *const data[2],
			    uint32_t lane, uint64_t offset, uint32_t bytes)
{
	for (uint32_t b = 0; b < bytes; b++) {
		uint8_t own = offset + b, other = ~own;
		uint64_t hole = hole_find(merge, lane, offset + b);

		if (data[0][b] == data[1][b])
			continue;
		if (!merge->same || !hole || data[0][b] != own ||
		    data[1][b] != other)
			return false;
		merge->kept |= hole;
		merge->stores = true;
	}
	return true;
}

/* Of the vector that @lane loads something is there; is it stored elsewhere as a whole? */
static bool is_copy(const struct merge *merge,
		    const struct vgt_check_access *access, uint32_t lane)
{
	const struct vgt_layout *layout = &merge->access->layout;
	uint32_t bits = layout->count * layout->element_bytes;

	return !merge->same && layout->count > 1 &&
	       access->layout.count == layout->count &&
	       merge->holes->byte[lane] != UINT64_MAX >> (64 - bits);
}

static bool store_returns(struct merge *merge,
			  const struct vgt_message message[2],
			  const struct vgt_check_access *access)
{
	const struct vgt_layout *layout = &access->layout;
	uint32_t grf = vgt_layout_address_grfs(layout);
	uint32_t plane = vgt_layout_plane_grfs(layout);

	merge->same = access->space.local == merge->access->space.local &&
		      access->space.base == merge->access->space.base;
	for (uint32_t left = access->lanes; left; left &= left - 1) {
		uint32_t i = __builtin_ctz(left);

		for (uint32_t c = 0; c < layout->count &&
		     !is_copy(merge, access, i); c++) {
			const uint8_t *data[2];

			for (uint32_t way = 0; way < 2; way++)
				data[way] = vgt_message_grf(&message[way],
							    grf + c * plane) +
					    i * layout->lane_bytes;
			if (!element_returns(merge, data, i,
					     access->offset[i] + layout->at[c],
					     layout->element_bytes))
				return false;
		}
	}
	return true;
}

/* False: something is made of what differs but what may be. */
static bool send(struct merge *merge, const struct vgt_inst *inst)
{
	struct vgt_check_access access[2];
	struct vgt_message message[2];
	bool known = true;

	if (inst->desc_reg != 255 || inst->exdesc_reg != 255 ||
	    !is_in_range(inst))
		return false;
	for (uint32_t way = 0; way < 2; way++) {
		message_get(merge, inst, way, &message[way]);
		known &= vgt_check_access_get(&merge->way[way], &message[way],
					      &access[way]);
	}
	if (!message[0].lanes)
		return true;
	if (known && !access[0].block && !access[0].atomic) {
		for (uint32_t left = access[0].lanes; left; left &= left - 1) {
			uint32_t i = __builtin_ctz(left);

			if (access[0].offset[i] != access[1].offset[i])
				return false;
		}
		if (access[0].write &&
		    !store_returns(merge, message, &access[0]))
			return false;
	} else if (memcmp(message[0].src0, message[1].src0,
			  message[0].mlen * VGT_GRF_BYTES) ||
		   memcmp(message[0].src1, message[1].src1,
			  message[0].exlen * VGT_GRF_BYTES)) {
		return false;
	}
	if (inst->dst.kind == VGT_OPERAND_REG && !inst->dst.arf)
		for (uint32_t way = 0; way < 2; way++)
			memset(merge->way[way].reg + inst->dst.offset, 0,
			       message[0].rlen * VGT_GRF_BYTES);
	return true;
}

/* False: the line of code ends at @inst, or it is more than a move of what differs. */
static bool run(struct merge *merge, const struct vgt_inst *inst)
{
	struct vgt_check_bytes sources;
	bool known = vgt_check_sources(inst, vgt_lanes(&merge->way[0], inst),
				       &sources);
	uint8_t arf = inst->dst.arf;

	if (arf == VGT_ARF_SR || arf == VGT_ARF_CR || arf == VGT_ARF_FC ||
	    arf == VGT_ARF_IP)
		return false;
	for (uint32_t i = 0; i < GRF_END && inst->op != VGT_OP_MOV; i += 64) {
		uint64_t which = known ? sources.bit[i / 64] : UINT64_MAX;

		for (; which; which &= which - 1)
			if (differs(merge, i + __builtin_ctzll(which), 1))
				return false;
	}
	for (uint32_t way = 0; way < 2; way++)
		if (inst->exec(&merge->way[way], inst) != inst + 1)
			return false;
	/* Nor may addresses and flags depend on it. */
	return !differs(merge, GRF_END, VGT_REG_CE - GRF_END);
}

static bool goes_on(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_BREAK ... VGT_OP_CALL:
	case VGT_OP_CONT:
	case VGT_OP_ELSE:
	case VGT_OP_ENDIF:
	case VGT_OP_GOTO ... VGT_OP_JOIN:
	case VGT_OP_RET:
	case VGT_OP_WHILE:
	case 0:
		return false;
	default:
		return true;
	}
}

static bool is_send(const struct vgt_inst *inst)
{
	return inst->op == VGT_OP_SEND || inst->op == VGT_OP_SENDC;
}

static bool line_walk(struct merge *merge, const struct vgt_inst *inst)
{
	uint32_t ip = inst->ip + inst->bytes;

	for (uint32_t i = 0; i < STEPS; i++, ip += inst->bytes) {
		inst = vgt_check_code(&merge->way[0], ip);
		if (!inst || !goes_on(inst) || (is_send(inst) && inst->eot))
			return !is_read(merge, ip, false);
		merge->stores = false;
		if (inst->op != VGT_OP_SYNC &&
		    !(is_send(inst) ? send(merge, inst) : run(merge, inst)))
			return false;
		if (merge->stores && !is_read(merge, ip + inst->bytes, false))
			return true;
	}
	return false;
}

static bool merge_find(struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst,
		       const struct vgt_message *message,
		       const struct vgt_check_access *access,
		       const struct vgt_check_holes *holes, uint64_t *kept_out)
{
	struct merge merge = { .access = access, .holes = holes };
	bool is;

	for (uint32_t way = 0; way < 2; way++) {
		memcpy(&merge.way[way], thread,
		       offsetof(struct vgt_eu_thread, pending));
		memset(merge.way[way].reg + inst->dst.offset, 0,
		       message->rlen * VGT_GRF_BYTES);
	}
	fill(&merge, inst);
	is = !is_read(&merge, inst->ip + inst->bytes, true) ||
	     line_walk(&merge, inst);
	*kept_out = merge.kept;
	return is;
}

bool vgt_check_is_merge(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst,
			const struct vgt_message *message,
			const struct vgt_check_access *access,
			struct vgt_check_holes *holes)
{
	struct vgt_check_live_place *place;
	uint64_t all = 0, kept = 0;

	if (access->block || access->atomic)
		return false;
	for (uint32_t i = 0; i < VGT_SCATTERED_LANES; i++)
		all |= holes->byte[i];
	place = vgt_check_live_place(thread, inst, message, access);
	if (message->dst && (!place || all & ~place->merged)) {
		if (!merge_find(thread, inst, message, access, holes, &kept))
			return false;
		/* Looking ahead may have taken it for another instruction. */
		place = vgt_check_live_place(thread, inst, message, access);
		if (place) {
			place->merged |= all;
			place->kept |= kept;
		}
	}
	if (place)
		kept = place->kept;
	for (uint32_t i = 0; i < VGT_SCATTERED_LANES; i++)
		holes->byte[i] &= kept;
	return true;
}
