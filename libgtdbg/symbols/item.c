// SPDX-License-Identifier: MIT
/*
 * Which work-items a thread has. It is started with the number of its group in r0
 * and of its work-items in their group from r1 on, 16 bits for each lane, dimension
 * by dimension. How large a group is and the number of the first work-item lie where
 * the compiler has put them; but code that was not optimised begins with
 *
 *	mach (1) PRODUCT  SIZE  GROUP
 *	mov  (N) SUM  WORK-ITEM
 *	add  (N) SUM  SUM  PRODUCT
 *	add  (N) SUM  SUM  FIRST
 *
 * for each dimension. Optimised code has the same, without the mov or with other
 * instructions between, and GROUP is a copy of r0 there. As the program may compute
 * something alike, it is taken only if all three dimensions are there, side by side.
 * These registers are good until something else is written there, or a function is
 * called. Without a decoder nothing is known.
 */
#include "item.h"

#include "home.h"
#include "kv.h"
#include "symbols.h"

#include <errno.h>
#include <string.h>

#define DISTANCE_MAX	8	/* instructions from one of the four to the next */
#define OPTIMIZED_MAX	256	/* likewise, where it is seen what GROUP is */
#define ROWS_MAX	6	/* registers of work-items' numbers */
#define SUMS_MAX	8
#define NOWHERE		UINT32_MAX
#define ACC		0x10000u	/* above all bytes of the register file */
#define UNSEEN		3		/* the dimension of a group's number */

/* A step on the way to a number: which of its parts a register has. */
struct sum {
	uint32_t at;		/* the register; NOWHERE: no such sum */
	uint32_t row;		/* NOWHERE: not added yet */
	uint32_t size;		/* NOWHERE: the product was not added yet */
	uint32_t dimension;	/* of the product */
	uint32_t left;		/* instructions until it must have gone on */
};

struct pass {
	const struct gtdbg_kv *kv;
	const struct kv_view *view;
	uint32_t pc;
	uint32_t wide;		/* registers of a dimension */
	uint32_t copy;		/* of r0 */
	struct sum sums[SUMS_MAX];
	uint32_t next;		/* the one that is replaced */
	struct item_place *places, *optimized;
	bool has_lost_groups;	/* r0 was written to */
};

/* The first byte of a whole register, or of the accumulator. */
static uint32_t place(uint32_t type, int32_t reg, int32_t sub, uint32_t bytes)
{
	if (reg < 0 || sub < 0)
		return NOWHERE;
	if (type == KV_REGISTER_ACC)
		return ACC + (uint32_t)reg;
	if (type != KV_REGISTER_GRF)
		return NOWHERE;
	return (uint32_t)reg * GTDBG_GRF_BYTES + (uint32_t)sub * bytes;
}

static uint32_t destination(const struct pass *pass)
{
	return place(pass->kv->get_destination_register_type(pass->view,
							     pass->pc),
		     pass->kv->get_destination_register(pass->view, pass->pc),
		     pass->kv->get_destination_sub_register(pass->view,
							    pass->pc), 4);
}

static uint32_t source(const struct pass *pass, uint32_t i, uint32_t bytes)
{
	if (pass->kv->get_source_register_kind(pass->view, pass->pc, i) !=
	    KV_KIND_DIRECT ||
	    pass->kv->get_source_modifier(pass->view, pass->pc, i))
		return NOWHERE;
	return place(pass->kv->get_source_register_type(pass->view, pass->pc,
							i),
		     pass->kv->get_source_register(pass->view, pass->pc, i),
		     pass->kv->get_source_sub_register(pass->view, pass->pc, i),
		     bytes);
}

static bool is_type(const struct pass *pass, uint32_t i, uint32_t type)
{
	return pass->kv->get_source_data_type(pass->view, pass->pc, i) == type;
}

/* Which dimension's group has its number there. */
static uint32_t group_dimension(const struct pass *pass, uint32_t at)
{
	uint32_t i, r0 = at / GTDBG_GRF_BYTES == pass->copy / GTDBG_GRF_BYTES ?
			 pass->copy : 0;

	for (i = 0; i < 3; i++)
		if (at == r0 + gtdbg_group_byte(i))
			return i;
	return UNSEEN;
}

/* What the instruction adds there: a row, a sum, or something else. */
static struct sum term(const struct pass *pass, uint32_t i)
{
	struct sum none = {
		.at = NOWHERE, .row = NOWHERE, .size = NOWHERE,
		.dimension = UNSEEN,
	};
	uint32_t at = source(pass, i, is_type(pass, i, KV_TYPE_UW) ? 2 : 4), k;

	if (at == NOWHERE)
		return none;
	if (is_type(pass, i, KV_TYPE_UW)) {
		if (!(at % GTDBG_GRF_BYTES) && at >= GTDBG_GRF_BYTES &&
		    at <= ROWS_MAX * GTDBG_GRF_BYTES)
			none.row = at;
		return none;
	}
	for (k = 0; k < SUMS_MAX && is_type(pass, i, KV_TYPE_D); k++)
		if (pass->sums[k].left && pass->sums[k].at == at)
			return pass->sums[k];
	return none;
}

/* Who writes to a register ends what it had. */
static void sums_forget(struct pass *pass)
{
	uint32_t width = pass->kv->get_execution_size(pass->view, pass->pc);
	uint32_t at = destination(pass), i;

	for (i = 0; i < SUMS_MAX; i++) {
		if (pass->sums[i].left)
			pass->sums[i].left--;
		if (pass->sums[i].at >= at && pass->sums[i].at - at < 4 * width)
			pass->sums[i].left = 0;
	}
}

static void sum_keep(struct pass *pass, struct sum sum)
{
	sum.at = destination(pass);
	sum.left = sum.dimension == UNSEEN ? DISTANCE_MAX : OPTIMIZED_MAX;
	pass->sums[pass->next] = sum;
	pass->next = (pass->next + 1) % SUMS_MAX;
}

static void sum_is_whole(struct pass *pass, const struct sum *sum,
			 uint32_t first)
{
	uint32_t which = (sum->row / GTDBG_GRF_BYTES - 1) / pass->wide;
	struct item_place *places = sum->dimension == UNSEEN ? pass->places :
				    pass->optimized;

	if (which > 2 || places[which].size || first >= ACC ||
	    (sum->dimension != UNSEEN && sum->dimension != which))
		return;
	places[which] = (struct item_place){
		.local = sum->row, .size = sum->size, .first = first,
	};
}

static void pass_add(struct pass *pass)
{
	struct sum left = term(pass, 0), right = term(pass, 1);
	uint32_t first = NOWHERE;

	if (right.row != NOWHERE || right.size != NOWHERE) {
		struct sum other = left;

		left = right;
		right = other;
		first = source(pass, 0, 4);
	} else if (is_type(pass, 1, KV_TYPE_D)) {
		first = source(pass, 1, 4);
	}
	sums_forget(pass);
	if (left.row != NOWHERE && left.size != NOWHERE) {
		sum_is_whole(pass, &left, first);
	} else if (left.row != NOWHERE && right.size != NOWHERE &&
		   right.row == NOWHERE) {
		right.row = left.row;
		sum_keep(pass, right);
	} else if (left.size != NOWHERE && right.row != NOWHERE &&
		   right.size == NOWHERE) {
		left.row = right.row;
		sum_keep(pass, left);
	}
}

static void pass_product(struct pass *pass)
{
	struct sum sum = {
		.row = NOWHERE, .size = source(pass, 0, 4),
		.dimension = group_dimension(pass, source(pass, 1, 4)),
	};

	sums_forget(pass);
	if (sum.size < ACC)
		sum_keep(pass, sum);
}

static void pass_row(struct pass *pass)
{
	struct sum row = term(pass, 0);

	if (is_type(pass, 0, KV_TYPE_UD) && !source(pass, 0, 4))
		pass->copy = destination(pass);
	sums_forget(pass);
	if (row.row != NOWHERE && row.size == NOWHERE)
		sum_keep(pass, row);
}

/* Groups' numbers stay in r0, but in optimised code that is not promised. */
static bool is_r0_written(const struct pass *pass)
{
	uint32_t i, count = 0;

	if (!pass->kv->get_has_destination(pass->view, pass->pc) ||
	    destination(pass) >= GTDBG_GRF_BYTES)
		return false;
	/* The compiler has some that write what is there: csel r0 r0 r0 r0 */
	for (i = 0; i < 3; i++)
		count += source(pass, i, 4) == destination(pass);
	return count < 3;
}

static void pass_instruction(struct pass *pass)
{
	uint32_t opcode = pass->kv->get_opcode(pass->view, pass->pc);
	uint32_t width = pass->kv->get_execution_size(pass->view, pass->pc);

	pass->has_lost_groups |= is_r0_written(pass);
	/* The second half of 32 lanes goes beside the first one. */
	if (pass->kv->get_channel_offset(pass->view, pass->pc))
		sums_forget(pass);
	else if (opcode == KV_OP_MACH && width == 1)
		pass_product(pass);
	else if (opcode == KV_OP_MOV && width > 1)
		pass_row(pass);
	else if (opcode == KV_OP_ADD && width > 1)
		pass_add(pass);
	else
		sums_forget(pass);
}

/* Arguments that the launch brings lie side by side. */
static bool is_whole(const struct item_place *places)
{
	for (uint32_t i = 0; i < 3; i++)
		if (!places[i].size || places[i].size != places[0].size + 4 * i ||
		    places[i].first != places[0].first + 4 * i)
			return false;
	return true;
}

static void places_find(struct gtdbg_symbols *symbols)
{
	const struct gtdbg_code *code = gtdbg_symbols_code(symbols);
	uint32_t size, lanes = gtdbg_symbols_simd_width(symbols,
							symbols->text_base);
	struct item_place optimized[3] = { { 0 } };
	struct pass pass = {
		.wide = lanes > 16 ? 2 : 1, .copy = 0,
		.places = symbols->items, .optimized = optimized,
	};

	symbols->has_items = true;
	if (!code)
		return;
	pass.kv = code->kv;
	pass.view = code->view;
	while ((size = gtdbg_code_size(code, pass.pc))) {
		pass_instruction(&pass);
		pass.pc += size;
	}
	if (is_whole(optimized) && !pass.has_lost_groups)
		memcpy(symbols->items, optimized, sizeof(optimized));
}

static bool is_kept(struct gtdbg_symbols *symbols, uint32_t byte, uint32_t len,
		    uint64_t pc)
{
	const struct home_map *homes = gtdbg_symbols_homes(symbols);

	return homes && gtdbg_home_is_kept(homes, byte, len,
					   (uint32_t)(pc - symbols->text_base));
}

/* What the code shows; whether it is still there is another question. */
static int item_find(struct gtdbg_symbols *symbols, uint32_t dimension,
		     struct item_place *out)
{
	if (!symbols->has_items)
		places_find(symbols);
	*out = symbols->items[dimension];
	return out->size ? 0 : -EOPNOTSUPP;
}

static bool is_local_kept(struct gtdbg_symbols *symbols,
			  const struct item_place *found, uint64_t pc)
{
	uint32_t lanes = gtdbg_symbols_simd_width(symbols, symbols->text_base);

	return is_kept(symbols, found->local, (lanes > 16 ? lanes : 16) * 2,
		       pc);
}

int gtdbg_item_place(struct gtdbg_symbols *symbols, uint64_t pc,
		     uint32_t dimension, struct item_place *out)
{
	struct item_place found;
	int ret = item_find(symbols, dimension, &found);

	if (ret)
		return ret;
	if (!is_local_kept(symbols, &found, pc) ||
	    !is_kept(symbols, found.size, 4, pc) ||
	    !is_kept(symbols, found.first, 4, pc))
		return -ESTALE;
	*out = found;
	return 0;
}

int gtdbg_group_read(struct gtdbg_symbols *symbols,
		     const struct gtdbg_machine *machine,
		     uint32_t dimension, uint32_t *group_out)
{
	if (dimension > 2)
		return -EINVAL;
	if (!gtdbg_symbols_code(symbols))
		return -EOPNOTSUPP;
	return machine->register_read(machine->context,
				      gtdbg_group_byte(dimension), group_out,
				      sizeof(*group_out));
}

static int number_read(const struct gtdbg_machine *machine, uint32_t byte,
		       uint32_t *out)
{
	return machine->register_read(machine->context, byte, out,
				      sizeof(*out));
}

/* Of a group with one item in a dimension it is known without a register for it. */
static bool is_single(struct gtdbg_symbols *symbols, uint64_t pc,
		      const struct gtdbg_machine *machine,
		      const struct item_place *at)
{
	uint32_t size = 0;

	return is_kept(symbols, at->size, 4, pc) &&
	       !number_read(machine, at->size, &size) && size == 1;
}

int gtdbg_item_local_read(struct gtdbg_symbols *symbols, uint64_t pc,
			  const struct gtdbg_machine *machine, uint32_t lane,
			  uint32_t dimension, uint32_t *item_out)
{
	struct item_place at = { 0 };
	uint16_t local = 0;
	int ret = dimension > 2 || lane > 31 ? -EINVAL :
		  item_find(symbols, dimension, &at);

	if (!ret && !is_local_kept(symbols, &at, pc))
		ret = is_single(symbols, pc, machine, &at) ? 0 : -ESTALE;
	else if (!ret)
		ret = machine->register_read(machine->context,
					     at.local + 2 * lane, &local,
					     sizeof(local));
	if (!ret)
		*item_out = local;
	return ret;
}

/* To the first group it does not matter how large groups are. */
static int base_read(struct gtdbg_symbols *symbols, uint64_t pc,
		     const struct gtdbg_machine *machine, uint32_t dimension,
		     const struct item_place *at, uint32_t *base_out)
{
	uint32_t group = 0, size = 0;
	int ret = gtdbg_group_read(symbols, machine, dimension, &group);

	/* Where there are no registers to read, it has to be there for any group. */
	if ((ret || group) && !is_kept(symbols, at->size, 4, pc))
		return -ESTALE;
	if (!ret && group)
		ret = number_read(machine, at->size, &size);
	*base_out = size * group;
	return ret;
}

int gtdbg_item_read(struct gtdbg_symbols *symbols, uint64_t pc,
		    const struct gtdbg_machine *machine, uint32_t lane,
		    uint32_t dimension, uint32_t *item_out)
{
	struct item_place at = { 0 };
	uint32_t local, base, first;
	int ret = dimension > 2 ? -EINVAL :
		  item_find(symbols, dimension, &at);

	if (!ret && !is_kept(symbols, at.first, 4, pc))
		ret = -ESTALE;
	if (!ret)
		ret = base_read(symbols, pc, machine, dimension, &at, &base);
	if (ret == -ENODATA && !is_local_kept(symbols, &at, pc))
		ret = -ESTALE;
	if (!ret)
		ret = gtdbg_item_local_read(symbols, pc, machine, lane,
					    dimension, &local);
	if (!ret)
		ret = number_read(machine, at.first, &first);
	if (!ret)
		*item_out = local + base + first;
	return ret;
}
