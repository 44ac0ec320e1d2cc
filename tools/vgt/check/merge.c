// SPDX-License-Identifier: MIT
/*
 * The code that follows is run up to its next branch in two copies of the thread, in
 * which the bytes in question have different values, their address and its complement:
 * whatever differs was made of them. Messages are not sent. A byte that differs may be
 * moved, and stored in its own place before the next barrier, or with all of its vector
 * elsewhere; once no other instruction may read one any more, it was a merge.
 *
 * Addresses and predicates are those of the thread, so nothing of that holds for others.
 * What nobody reads whatever a thread does is known without (answer.c).
 */
#include "check/merge.h"

#include "check/access.h"
#include "check/answer.h"
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
	const struct vgt_inst *load;
	const struct vgt_check_access *access;
	const struct vgt_check_holes *holes;
	struct vgt_check_holes kept; /* those that are stored in their places */
	/* Was any stored so, or with its vector elsewhere, or something else in its place? */
	bool merged;
	bool barrier; /* was passed */
	/* The last message: does it store any in its place, and to the same memory? */
	bool stores, same;
	struct vgt_eu_thread way[2];
};

/* What the first copy has in the byte @bit of @lane; the other one has the complement. */
static uint8_t hole_value(const struct merge *merge, uint32_t lane,
			  uint32_t bit)
{
	const struct vgt_layout *layout = &merge->access->layout;

	return merge->access->offset[lane] +
	       layout->at[bit / layout->element_bytes] +
	       bit % layout->element_bytes;
}

static void fill(struct merge *merge)
{
	const struct vgt_layout *layout = &merge->access->layout;
	uint32_t plane = vgt_layout_plane_grfs(layout) * VGT_GRF_BYTES;

	for (uint32_t i = 0; i < layout->lanes; i++) {
		uint64_t holes = merge->holes->byte[i];

		for (; holes; holes &= holes - 1) {
			uint32_t bit = __builtin_ctzll(holes);
			uint32_t c = bit / layout->element_bytes;
			uint32_t b = bit % layout->element_bytes;
			uint32_t at = merge->load->dst.offset + c * plane +
				      i * layout->lane_bytes + b;
			uint8_t value = hole_value(merge, i, bit);

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

/* Registers are those of copy @way. */
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
		.src0 = vgt_send_payload(thread, &inst->src[0]),
		.src1 = vgt_send_payload(thread, &inst->src[1]),
	};
}

static bool is_in_range(const struct vgt_inst *inst)
{
	return vgt_send_in_grf(&inst->src[0], inst->desc >> 25 & 15) &&
	       vgt_send_in_grf(&inst->src[1], inst->exdesc >> 6 & 31) &&
	       vgt_send_in_grf(&inst->dst, inst->desc >> 20 & 31);
}

/* The byte of @lane's that was loaded from @offset; -1: none. */
static int32_t loaded_from(const struct merge *merge, uint32_t lane,
			   uint64_t offset)
{
	const struct vgt_layout *layout = &merge->access->layout;

	offset -= merge->access->offset[lane];
	for (uint32_t c = 0; c < layout->count; c++) {
		uint64_t at = offset - layout->at[c];

		if (at < layout->element_bytes)
			return c * layout->element_bytes + at;
	}
	return -1;
}

/*
 * Of the vector that @lane loads something is there; does @access store all of such a
 * one elsewhere? Its elements may be larger ones.
 */
static bool is_copy(const struct merge *merge,
		    const struct vgt_check_access *access, uint32_t lane)
{
	const struct vgt_layout *layout = &merge->access->layout;
	uint32_t bits = layout->count * layout->element_bytes;

	return layout->count > 1 && access->layout.count > 1 &&
	       access->layout.count * access->layout.element_bytes == bits &&
	       access->layout.span_bytes == layout->span_bytes &&
	       merge->holes->byte[lane] != UINT64_MAX >> (64 - bits);
}

/*
 * Which byte of @lane's component @c of @access, in lane @from, may hold; -1: none. *@back_out
 * is set if it is the place that it was loaded from.
 */
static int32_t own_byte(const struct merge *merge,
			const struct vgt_check_access *access, uint32_t from,
			uint32_t lane, uint32_t c, uint32_t b, bool *back_out)
{
	int32_t bit = -1;

	if (merge->same && !merge->barrier)
		bit = loaded_from(merge, lane, access->offset[from] +
					       access->layout.at[c] + b);
	*back_out = bit >= 0;
	if (bit < 0 && is_copy(merge, access, lane))
		bit = loaded_from(merge, lane, merge->access->offset[lane] +
					       access->layout.at[c] + b);
	return bit >= 0 && merge->holes->byte[lane] >> bit & 1 ? bit : -1;
}

/* All that differs of component @c is where it belongs. */
static bool element_returns(struct merge *merge,
			    const struct vgt_check_access *access,
			    const uint8_t *const data[2], uint32_t from,
			    uint32_t lane, uint32_t c)
{
	for (uint32_t b = 0; b < access->layout.element_bytes; b++) {
		uint8_t own, other;
		int32_t bit = -1;
		bool back = false;

		if (lane < merge->access->layout.lanes)
			bit = own_byte(merge, access, from, lane, c, b, &back);
		if (data[0][b] == data[1][b]) {
			merge->merged |= back && bit >= 0;
			continue;
		}
		if (bit < 0)
			return false;
		own = hole_value(merge, lane, bit);
		other = ~own;
		if (data[0][b] != own || data[1][b] != other)
			return false;
		merge->merged = true;
		if (!back)
			continue;
		merge->kept.byte[lane] |= 1ULL << bit;
		merge->stores = true;
	}
	return true;
}

static bool store_returns(struct merge *merge, const struct vgt_inst *inst,
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
		/* Who loads sixteen may store eight twice. */
		uint32_t lane = i + inst->chan - merge->load->chan;

		for (uint32_t c = 0; c < layout->count; c++) {
			const uint8_t *data[2];

			for (uint32_t way = 0; way < 2; way++)
				data[way] = vgt_message_grf(&message[way],
							    grf + c * plane) +
					    i * layout->lane_bytes;
			if (!element_returns(merge, access, data, i, lane, c))
				return false;
		}
	}
	return true;
}

/*
 * Lanes of no work-items overwrite nothing here, but nobody reads any more what their
 * registers had before.
 */
static void others_drop(struct merge *merge, const struct vgt_inst *inst,
			uint32_t lanes)
{
	struct vgt_check_bytes bytes;

	vgt_check_results(inst, ~lanes, &bytes);
	for (uint32_t i = 0; i < GRF_END; i += 64)
		for (uint64_t which = bytes.bit[i / 64]; which;
		     which &= which - 1) {
			uint32_t at = i + __builtin_ctzll(which);

			merge->way[1].reg[at] = merge->way[0].reg[at];
		}
}

/* False: something is made of what differs but what may be. */
static bool send_walk(struct merge *merge, const struct vgt_inst *inst)
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
	if (!message[0].lanes) {
		others_drop(merge, inst, 0);
		return true;
	}
	merge->barrier |= inst->function == VGT_SFID_GATEWAY;
	if (known && !access[0].block && !access[0].atomic) {
		for (uint32_t left = access[0].lanes; left; left &= left - 1) {
			uint32_t i = __builtin_ctz(left);

			if (access[0].offset[i] != access[1].offset[i])
				return false;
		}
		if (access[0].write &&
		    !store_returns(merge, inst, message, &access[0]))
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
static bool inst_walk(struct merge *merge, const struct vgt_inst *inst)
{
	struct vgt_check_bytes sources;
	uint32_t lanes = vgt_lanes(&merge->way[0], inst);
	bool known = vgt_check_sources(inst, lanes, &sources);
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
	others_drop(merge, inst, lanes);
	/* Nor may addresses and flags depend on it; moves may go through the accumulator. */
	return !differs(merge, VGT_REG_A0, VGT_REG_ACC - VGT_REG_A0) &&
	       !differs(merge, VGT_REG_MME, VGT_REG_CE - VGT_REG_MME);
}

static bool is_end(const struct vgt_inst *inst)
{
	return !inst->op || vgt_check_is_branch(inst) ||
	       (vgt_check_is_send(inst) && inst->eot);
}

static bool line_walk(struct merge *merge)
{
	const struct vgt_inst *inst = merge->load;
	uint32_t ip = inst->ip + inst->bytes;

	for (uint32_t i = 0; i < STEPS; i++, ip += inst->bytes) {
		inst = vgt_check_code(&merge->way[0], ip);
		/* A value that was not merged may be what a function returns or gets. */
		if (!inst || is_end(inst))
			return !is_read(merge, ip, !merge->merged);
		merge->stores = false;
		if (inst->op != VGT_OP_SYNC &&
		    !(vgt_check_is_send(inst) ? send_walk(merge, inst) :
						inst_walk(merge, inst)))
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
		       const struct vgt_check_holes *holes,
		       struct vgt_check_holes *kept_out)
{
	struct merge merge = { .load = inst, .access = access, .holes = holes };
	bool is;

	for (uint32_t way = 0; way < 2; way++) {
		memcpy(&merge.way[way], thread,
		       offsetof(struct vgt_eu_thread, pending));
		memset(merge.way[way].reg + inst->dst.offset, 0,
		       message->rlen * VGT_GRF_BYTES);
	}
	fill(&merge);
	is = line_walk(&merge);
	*kept_out = merge.kept;
	return is;
}

bool vgt_check_is_merge(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst,
			const struct vgt_message *message,
			const struct vgt_check_access *access,
			struct vgt_check_holes *holes)
{
	struct vgt_check_holes kept = { 0 };
	struct vgt_check_answer answer;
	uint64_t all = 0;

	if (access->block || access->atomic)
		return false;
	for (uint32_t i = 0; i < VGT_SCATTERED_LANES; i++)
		all |= holes->byte[i];
	vgt_check_answer_get(thread, inst, message, access, &answer);
	if (all & answer.bytes &&
	    !merge_find(thread, inst, message, access, holes, &kept))
		return false;
	*holes = kept;
	return true;
}
