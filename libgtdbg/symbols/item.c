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
 * for each dimension. These registers are good until something else is written there,
 * or a function is called. Without a decoder, or with optimised code, nothing is known.
 */
#include "item.h"

#include "home.h"
#include "kv.h"
#include "symbols.h"

#include <errno.h>
#include <string.h>

#define DISTANCE_MAX	8	/* instructions from one of the four to the next */
#define ROWS_MAX	6	/* registers of work-items' numbers */
#define NOWHERE		UINT32_MAX
#define ACC		0x10000u	/* above all bytes of the register file */

struct pass {
	const struct gtdbg_kv *kv;
	const struct kv_view *view;
	uint32_t pc;
	uint32_t wide;		/* registers of a dimension */
	/* What was found of one so far: where it is. */
	uint32_t size, product, row, sum;
	bool is_added;
	uint32_t left;		/* instructions until it must have gone on */
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

static void pass_row(struct pass *pass)
{
	uint32_t at = source(pass, 0, 2);

	if (!is_type(pass, 0, KV_TYPE_UW) || at % GTDBG_GRF_BYTES ||
	    at < GTDBG_GRF_BYTES || at > ROWS_MAX * GTDBG_GRF_BYTES)
		return;
	pass->row = at;
	pass->sum = destination(pass);
	pass->is_added = false;
	pass->left = DISTANCE_MAX;
}

/* True with the last of the four. */
static bool pass_add(struct pass *pass, uint32_t *first)
{
	uint32_t other = source(pass, 1, 4);

	if (pass->sum == NOWHERE || source(pass, 0, 4) != pass->sum ||
	    !is_type(pass, 1, KV_TYPE_D))
		return false;
	if (!pass->is_added && other != pass->product)
		return false;
	pass->sum = destination(pass);
	pass->left = DISTANCE_MAX;
	*first = other;
	if (pass->is_added && other < ACC)
		return true;
	pass->is_added = true;
	return false;
}

static void pass_instruction(struct pass *pass, struct item_place *places)
{
	uint32_t opcode = pass->kv->get_opcode(pass->view, pass->pc);
	uint32_t width = pass->kv->get_execution_size(pass->view, pass->pc);
	uint32_t first, which;

	/* The second half of 32 lanes goes beside the first one. */
	if (pass->kv->get_channel_offset(pass->view, pass->pc))
		return;
	if (!pass->left--) {
		pass->sum = NOWHERE;
		pass->product = NOWHERE;
		pass->left = DISTANCE_MAX;
	}
	if (opcode == KV_OP_MACH && width == 1) {
		pass->product = destination(pass);
		pass->size = source(pass, 0, 4);
		pass->left = DISTANCE_MAX;
	} else if (opcode == KV_OP_MOV && width > 1) {
		pass_row(pass);
	} else if (opcode == KV_OP_ADD && width > 1 && pass_add(pass, &first)) {
		which = (pass->row / GTDBG_GRF_BYTES - 1) / pass->wide;
		if (which < 3 && pass->size < ACC && !places[which].size) {
			places[which].local = pass->row;
			places[which].size = pass->size;
			places[which].first = first;
		}
		pass->sum = NOWHERE;
	}
}

static void places_find(struct gtdbg_symbols *symbols)
{
	const struct gtdbg_code *code = gtdbg_symbols_code(symbols);
	uint32_t size, lanes = gtdbg_symbols_simd_width(symbols,
							symbols->text_base);
	struct pass pass = {
		.wide = lanes > 16 ? 2 : 1, .left = DISTANCE_MAX,
		.product = NOWHERE, .sum = NOWHERE, .size = NOWHERE,
	};

	symbols->has_items = true;
	if (!code)
		return;
	pass.kv = code->kv;
	pass.view = code->view;
	while ((size = gtdbg_code_size(code, pass.pc))) {
		pass_instruction(&pass, symbols->items);
		pass.pc += size;
	}
}

static bool is_kept(struct gtdbg_symbols *symbols, uint32_t byte, uint32_t len,
		    uint64_t pc)
{
	const struct home_map *homes = gtdbg_symbols_homes(symbols);

	return homes && gtdbg_home_is_kept(homes, byte, len,
					   (uint32_t)(pc - symbols->text_base));
}

int gtdbg_item_place(struct gtdbg_symbols *symbols, uint64_t pc,
		     uint32_t dimension, struct item_place *out)
{
	const struct item_place *found = &symbols->items[dimension];
	uint32_t lanes = gtdbg_symbols_simd_width(symbols, symbols->text_base);

	if (!symbols->has_items)
		places_find(symbols);
	if (!found->size)
		return -EOPNOTSUPP;
	if (!is_kept(symbols, found->local, (lanes > 16 ? lanes : 16) * 2, pc) ||
	    !is_kept(symbols, found->size, 4, pc) ||
	    !is_kept(symbols, found->first, 4, pc))
		return -ESTALE;
	*out = *found;
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

int gtdbg_item_read(struct gtdbg_symbols *symbols, uint64_t pc,
		    const struct gtdbg_machine *machine, uint32_t lane,
		    uint32_t dimension, uint32_t *item_out)
{
	struct item_place at = { 0 };
	uint32_t group, size, first;
	uint16_t local;
	int ret = dimension > 2 || lane > 31 ? -EINVAL :
		  gtdbg_item_place(symbols, pc, dimension, &at);

	if (!ret)
		ret = gtdbg_group_read(symbols, machine, dimension, &group);
	if (!ret)
		ret = machine->register_read(machine->context,
					     at.local + 2 * lane, &local,
					     sizeof(local));
	if (!ret)
		ret = machine->register_read(machine->context, at.size, &size,
					     sizeof(size));
	if (!ret)
		ret = machine->register_read(machine->context, at.first, &first,
					     sizeof(first));
	if (!ret)
		*item_out = local + size * group + first;
	return ret;
}
