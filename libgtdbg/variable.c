// SPDX-License-Identifier: MIT
#include "symbols.h"

#include "cubin.h"
#include "local.h"
#include "location.h"
#include "scope.h"
#include "slot.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Names that the compiler invents for its own bookkeeping start so. */
#define INVENTED_PREFIX "__ocl_dbg_"

struct list {
	struct gtdbg_symbols *symbols;
	uint64_t pc;
	struct gtdbg_variable *variables;
	size_t capacity;
	size_t count;
	int ret;
};

static bool list_knows(const struct list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		if (strcmp(list->variables[i].name, name) == 0)
			return true;
	}
	return false;
}

static uint32_t die_address_class(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word class;

	if (!dwarf_attr_integrate(die, DW_AT_address_class, &attribute) ||
	    dwarf_formudata(&attribute, &class))
		return 0;
	return class;
}

static int list_add(struct list *list, Dwarf_Die *die)
{
	const char *name = gtdbg_die_name(die);
	struct gtdbg_variable *variable;
	int line = 0;

	/* The innermost of several variables of one name is the one seen. */
	if (!name || strncmp(name, INVENTED_PREFIX, 10) == 0 ||
	    list_knows(list, name) || list->count == list->capacity)
		return 0;
	dwarf_decl_line(die, &line);
	variable = &list->variables[list->count++];
	variable->name = name;
	variable->is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	variable->line = line;
	variable->address_class = die_address_class(die);
	variable->id = dwarf_dieoffset(die);
	return gtdbg_type_of(list->symbols, die, &variable->type);
}

/*
 * Where the compiler puts `__local` variables: a copy of the function, said to be
 * inlined into itself, without code.
 */
static bool is_copy(Dwarf_Die *die, Dwarf_Die *scope)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin, own;

	return dwarf_tag(die) == DW_TAG_inlined_subroutine &&
	       !dwarf_hasattr(die, DW_AT_low_pc) &&
	       !dwarf_hasattr(die, DW_AT_ranges) &&
	       dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin,
					    &attribute), &origin) &&
	       dwarf_formref_die(dwarf_attr(scope, DW_AT_abstract_origin,
					    &attribute), &own) &&
	       dwarf_dieoffset(&origin) == dwarf_dieoffset(&own);
}

static bool is_inner_scope(Dwarf_Die *die, Dwarf_Die *scope, uint64_t pc)
{
	if (dwarf_tag(die) == DW_TAG_lexical_block)
		return gtdbg_die_holds(die, pc);
	return is_copy(die, scope);
}

/* Blocks first: what they declare hides what lies around them. */
static int list_scope(struct list *list, Dwarf_Die *scope)
{
	Dwarf_Die child;
	int tag, ret;

	if (dwarf_child(scope, &child))
		return 0;
	do {
		if (!is_inner_scope(&child, scope, list->pc))
			continue;
		ret = list_scope(list, &child);
		if (ret)
			return ret;
	} while (dwarf_siblingof(&child, &child) == 0);
	dwarf_child(scope, &child);
	do {
		tag = dwarf_tag(&child);
		if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
			continue;
		ret = list_add(list, &child);
		if (ret)
			return ret;
	} while (dwarf_siblingof(&child, &child) == 0);
	return 0;
}

static int unit_list(Dwarf_Die *unit, void *context)
{
	struct list *list = context;
	Dwarf_Die child;

	if (dwarf_child(unit, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_variable)
			continue;
		list->ret = list_add(list, &child);
	} while (!list->ret && dwarf_siblingof(&child, &child) == 0);
	return list->ret;
}

int gtdbg_variable_list(struct gtdbg_symbols *symbols,
			const struct gtdbg_frame *frame,
			struct gtdbg_variable *variables, size_t capacity)
{
	struct list list = {
		.symbols = symbols, .pc = frame->lookup_pc,
		.variables = variables, .capacity = capacity,
	};
	Dwarf_Die scope;
	int ret;

	if (symbols->dwarf && frame->scope &&
	    dwarf_offdie(symbols->dwarf, frame->scope, &scope)) {
		ret = list_scope(&list, &scope);
		if (ret)
			return ret;
	}
	ret = gtdbg_unit_each(symbols, unit_list, &list);
	return ret ? ret : (int)list.count;
}

int gtdbg_variable_find(struct gtdbg_symbols *symbols,
			const struct gtdbg_frame *frame, const char *name,
			struct gtdbg_variable *out)
{
	struct gtdbg_variable *variables;
	int count, i, ret = -ENOENT;

	variables = calloc(256, sizeof(*variables));
	if (!variables)
		return -ENOMEM;
	count = gtdbg_variable_list(symbols, frame, variables, 256);
	for (i = 0; i < count; i++) {
		if (strcmp(variables[i].name, name) == 0) {
			*out = variables[i];
			ret = 0;
			break;
		}
	}
	free(variables);
	return count < 0 ? count : ret;
}

/* A list of locations: pairs of addresses from the unit's, and expressions. */
static int list_expression(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			   uint64_t offset, uint64_t pc,
			   struct location_request *request)
{
	const uint8_t *at, *end;
	Dwarf_Addr base = 0;
	Dwarf_Die unit;
	uint64_t range[2];
	uint16_t len;

	if (!symbols->loc || offset >= symbols->loc->d_size)
		return -EBADMSG;
	if (dwarf_diecu(die, &unit, NULL, NULL))
		dwarf_lowpc(&unit, &base);
	at = (const uint8_t *)symbols->loc->d_buf + offset;
	end = (const uint8_t *)symbols->loc->d_buf + symbols->loc->d_size;
	while ((size_t)(end - at) >= sizeof(range)) {
		memcpy(range, at, sizeof(range));
		at += sizeof(range);
		if (!range[0] && !range[1])
			return -ENODATA;
		if (range[0] == UINT64_MAX) {
			base = range[1];
			continue;
		}
		if (end - at < 2)
			return -EBADMSG;
		memcpy(&len, at, 2);
		at += 2;
		if (end - at < len)
			return -EBADMSG;
		if (pc >= base + range[0] && pc < base + range[1]) {
			request->bytes = at;
			request->len_bytes = len;
			return 0;
		}
		at += len;
	}
	return -EBADMSG;
}

static int die_expression(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			  uint64_t pc, struct location_request *request)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	Dwarf_Block block;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attribute))
		return -ENODATA;
	if (dwarf_formblock(&attribute, &block) == 0) {
		request->bytes = block.data;
		request->len_bytes = block.length;
		return block.length ? 0 : -ENODATA;
	}
	if (dwarf_formudata(&attribute, &offset))
		return -EBADMSG;
	return list_expression(symbols, die, offset, pc, request);
}

/* A variable without location may be a constant. */
static int die_constant(Dwarf_Die *die, struct gtdbg_location *out)
{
	Dwarf_Attribute attribute;
	Dwarf_Block block;
	Dwarf_Sword value;

	if (!dwarf_attr_integrate(die, DW_AT_const_value, &attribute))
		return -ENODATA;
	memset(out, 0, sizeof(*out));
	out->kind = GTDBG_LOCATION_VALUE;
	if (dwarf_formblock(&attribute, &block) == 0 &&
	    block.length <= sizeof(out->value)) {
		memcpy(out->value, block.data, block.length);
		out->value_len_bytes = block.length;
		return 0;
	}
	if (dwarf_formsdata(&attribute, &value))
		return -EBADMSG;
	memcpy(out->value, &value, sizeof(value));
	out->value_len_bytes = sizeof(value);
	return 0;
}

/* Where the declaration's line begins, and the line before it in the code. */
static void declaration_find(struct gtdbg_symbols *symbols,
			     const struct gtdbg_function *function,
			     uint32_t decl_line, struct slot_request *request)
{
	uint64_t pc = function->start, previous = pc;
	struct gtdbg_line line;

	request->previous = function->start - symbols->text_base;
	request->declaration = request->previous;
	while (pc < function->end && !gtdbg_line_find(symbols, pc, &line)) {
		if (line.line >= decl_line) {
			request->previous = previous - symbols->text_base;
			request->declaration = pc - symbols->text_base;
			return;
		}
		previous = pc;
		pc = line.end;
	}
}

static int slot_recover(const struct location_request *request,
			const struct slot_state *state,
			struct gtdbg_location *out)
{
	const struct gtdbg_machine *machine = request->machine;
	uint64_t address;

	if (!state->has_other ||
	    machine->register_read(machine->context, state->other_byte,
				   &address, sizeof(address)))
		return -ESTALE;
	out->address = address + state->delta;
	return 0;
}

/* The register that held the address may hold something else at this pc. */
static int slot_check(struct gtdbg_symbols *symbols,
		      const struct gtdbg_frame *frame,
		      const struct gtdbg_variable *variable,
		      const struct location_request *request, uint32_t byte,
		      struct gtdbg_location *out)
{
	const struct gtdbg_code *code = gtdbg_symbols_code(symbols);
	struct slot_request query = {
		.byte = byte, .lane = request->lane,
		.size_bytes = variable->type->size_bytes,
		.pc = frame->pc - symbols->text_base,
	};
	struct gtdbg_function function;
	struct slot_state state;

	if (!symbols->slots && code)
		symbols->slots = gtdbg_slot_map_create(code);
	if (!symbols->slots ||
	    gtdbg_function_find(symbols, frame->lookup_pc, &function))
		return -ESTALE;
	declaration_find(symbols, &function, variable->line, &query);
	query.end = function.end - symbols->text_base;
	gtdbg_slot_query(symbols->slots, &query, &state);
	if (!state.is_defined)
		return -EAGAIN;
	return state.is_live ? 0 : slot_recover(request, &state, out);
}

/*
 * Makes @request one for where a pointer to local memory lies, if the variable
 * is such a pointer: returns 1, and 0 if it is not. In optimised code, which has
 * lists, the register holds the pointer as they say, but only of the first lane.
 */
static int local_pointer_place(Dwarf_Die *die, struct location_request *request,
			       uint8_t bytes[LOCAL_EXPRESSION_MAX])
{
	size_t len = gtdbg_local_expression(request->bytes, request->len_bytes,
					    bytes);
	Dwarf_Attribute attribute;
	Dwarf_Block block;

	if (!len)
		return 0;
	if (!dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
	    dwarf_formblock(&attribute, &block))
		return request->lane ? -EOPNOTSUPP : 0;
	if (request->lane >= LOCAL_LANES)
		return -EOPNOTSUPP;
	request->bytes = bytes;
	request->len_bytes = len;
	return 1;
}

int gtdbg_variable_locate(struct gtdbg_symbols *symbols,
			  const struct gtdbg_frame *frame,
			  const struct gtdbg_variable *variable,
			  const struct gtdbg_machine *machine, uint32_t lane,
			  struct gtdbg_location *out)
{
	struct location_request request = {
		.machine = machine, .lane = lane,
		.frame_base = frame->level ? frame->frame_base : 0,
		.frame_register = gtdbg_frame_register(symbols),
	};
	bool is_cuda = gtdbg_cubin_is(symbols);
	uint8_t bytes[LOCAL_EXPRESSION_MAX];
	struct gtdbg_location location;
	int is_local_pointer, ret;
	uint32_t slot_byte;
	Dwarf_Die die;

	if (is_cuda)
		request.call_frame = frame->frame_base;

	if (!symbols->dwarf ||
	    !dwarf_offdie(symbols->dwarf, variable->id, &die))
		return -ENOENT;
	ret = die_expression(symbols, &die, frame->lookup_pc, &request);
	if (ret == -ENODATA)
		return die_constant(&die, out);
	if (ret)
		return ret;
	is_local_pointer = local_pointer_place(&die, &request, bytes);
	if (is_local_pointer < 0)
		return is_local_pointer;
	ret = gtdbg_location_evaluate(&request, &location, &slot_byte);
	if (!ret && slot_byte != LOCATION_NO_BYTE)
		ret = slot_check(symbols, frame, variable, &request, slot_byte,
				 &location);
	if (!ret && is_local_pointer)
		ret = gtdbg_local_load(machine, &location);
	if (!ret && is_cuda)
		gtdbg_cubin_name_symbol(symbols, &location);
	if (!ret)
		*out = location;
	return ret;
}
