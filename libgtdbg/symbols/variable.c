// SPDX-License-Identifier: MIT
#include "symbols.h"

#include "cubin.h"
#include "liveness.h"
#include "local_pointer.h"
#include "location.h"
#include "home.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Names that the compiler invents for its own bookkeeping start so. */
#define INVENTED_PREFIX "__ocl_dbg_"
#define BLOCKS_MAX	64	/* in each other */

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
	int line = 0, ret;

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
	/* A type that makes no sense hides no other variable. */
	ret = gtdbg_type_of(list->symbols, die, &variable->type);
	if (ret == -EBADMSG)
		ret = gtdbg_type_find_name(list->symbols, "void",
					   &variable->type);
	return ret;
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
static int list_scope(struct list *list, Dwarf_Die *scope, int depth)
{
	Dwarf_Die child;
	int tag, ret;

	if (depth == BLOCKS_MAX || dwarf_child(scope, &child))
		return 0;
	do {
		if (!is_inner_scope(&child, scope, list->pc))
			continue;
		ret = list_scope(list, &child, depth + 1);
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
		ret = list_scope(&list, &scope, 0);
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

/* An expression, and the code that it is for; no code means all of it. */
struct description {
	const uint8_t *bytes;
	size_t len_bytes;
	uint64_t start;
	uint64_t end;
};

/* Why a list has nothing for @pc: it stands before, between or behind all. */
static int list_gap(uint64_t first, uint64_t last, uint64_t pc)
{
	if (first >= last)
		return -ENODATA;
	return pc < first ? -EAGAIN : pc >= last ? -ESTALE : -ENODATA;
}

/* A list of locations: pairs of addresses from the unit's, and expressions. */
static int list_expression(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			   uint64_t offset, uint64_t pc,
			   struct description *out)
{
	uint64_t first = UINT64_MAX, last = 0;
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
			return list_gap(first, last, pc);
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
		out->bytes = at;
		out->len_bytes = len;
		out->start = base + range[0];
		out->end = base + range[1];
		if (pc >= out->start && pc < out->end)
			return 0;
		first = out->start < first ? out->start : first;
		last = out->end > last ? out->end : last;
		at += len;
	}
	return -EBADMSG;
}

static int die_expression(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			  uint64_t pc, struct description *out)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	Dwarf_Block block;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attribute))
		return -ENODATA;
	if (dwarf_formblock(&attribute, &block) == 0) {
		out->bytes = block.data;
		out->len_bytes = block.length;
		return block.length ? 0 : -ENODATA;
	}
	if (dwarf_formudata(&attribute, &offset))
		return -EBADMSG;
	return list_expression(symbols, die, offset, pc, out);
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
			     uint32_t decl_line, struct home_request *request)
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

static int home_recover(const struct location_request *request,
			const struct home_state *state,
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

/* What the compiler's code does to registers, NULL without disassembler. */
static const struct home_map *homes_get(struct gtdbg_symbols *symbols)
{
	const struct gtdbg_code *code = gtdbg_symbols_code(symbols);

	if (!symbols->homes && code)
		symbols->homes = gtdbg_home_map_create(code);
	return symbols->homes;
}

/* Registers may not hold yet what was read from them, or no more. */
static int reads_check(struct gtdbg_symbols *symbols,
		       const struct gtdbg_function *function,
		       const struct gtdbg_frame *frame,
		       const struct gtdbg_variable *variable,
		       const struct description *description,
		       const struct location_trace *trace)
{
	const struct home_map *homes = homes_get(symbols);
	bool has_list = description->end;
	struct liveness_request query = {
		.start = (has_list ? description->start : function->start) -
			 symbols->text_base,
		.end = (has_list ? description->end : function->end) -
		       symbols->text_base,
		.pc = frame->pc - symbols->text_base,
		.is_whole = !has_list,
	};
	int ret = 0, i;

	if (!homes && trace->read_count)
		return -ESTALE;
	for (i = 0; i < trace->read_count && !ret; i++) {
		query.byte = trace->reads[i].byte;
		query.len_bytes = trace->reads[i].len_bytes ?
				  trace->reads[i].len_bytes :
				  variable->type->size_bytes;
		ret = gtdbg_liveness_check(symbols, homes, &query);
	}
	return ret;
}

/* The prologue sets the frame pointer up, and the epilogue gives it back. */
static int frame_check(struct gtdbg_symbols *symbols,
		       const struct gtdbg_function *function,
		       const struct gtdbg_frame *frame)
{
	const struct home_map *homes = homes_get(symbols);
	struct liveness_request query = {
		.byte = gtdbg_frame_register(symbols) + 16, .len_bytes = 8,
		.start = function->body - symbols->text_base,
		.end = function->end - symbols->text_base,
		.pc = frame->pc - symbols->text_base,
	};

	if (frame->pc < function->body)
		return -EAGAIN;
	return homes && gtdbg_liveness_is_written(homes, &query) ? -ESTALE : 0;
}

/* The register that held the address may hold something else at this pc. */
static int home_check(struct gtdbg_symbols *symbols,
		      const struct gtdbg_function *function,
		      const struct gtdbg_frame *frame,
		      const struct gtdbg_variable *variable,
		      const struct location_request *request, uint32_t byte,
		      struct gtdbg_location *out)
{
	const struct home_map *homes = homes_get(symbols);
	struct home_request query = {
		.byte = byte, .lane = request->lane,
		.size_bytes = variable->type->size_bytes,
		.pc = frame->pc - symbols->text_base,
	};
	struct home_state state;

	if (!homes)
		return -ESTALE;
	declaration_find(symbols, function, variable->line, &query);
	query.end = function->end - symbols->text_base;
	gtdbg_home_query(homes, &query, &state);
	if (!state.is_defined)
		return -EAGAIN;
	return state.is_live ? 0 : home_recover(request, &state, out);
}

/*
 * Makes @description one of where a pointer to local memory lies, if it is that
 * of such a pointer: returns 1, and 0 if it is not. In optimised code, which has
 * lists, the register holds the pointer as they say, but only of the first lane.
 */
static int local_pointer_place(struct description *description, uint32_t lane,
			       uint8_t bytes[LOCAL_EXPRESSION_MAX])
{
	size_t len = gtdbg_local_pointer_expression(description->bytes,
					    description->len_bytes, bytes);

	if (!len)
		return 0;
	if (description->end)
		return lane ? -EOPNOTSUPP : 0;
	if (lane >= LOCAL_LANES)
		return -EOPNOTSUPP;
	description->bytes = bytes;
	description->len_bytes = len;
	return 1;
}

static int description_evaluate(struct gtdbg_symbols *symbols,
				const struct gtdbg_frame *frame,
				const struct gtdbg_variable *variable,
				const struct description *description,
				struct location_request *request,
				struct gtdbg_location *out)
{
	struct gtdbg_function function;
	struct location_trace trace;
	int ret;

	request->bytes = description->bytes;
	request->len_bytes = description->len_bytes;
	ret = gtdbg_location_evaluate(request, out, &trace);
	if (ret)
		return ret;
	if (gtdbg_cubin_is(symbols)) {
		gtdbg_cubin_name_symbol(symbols, out);
		return 0;
	}
	if (gtdbg_function_find(symbols, frame->lookup_pc, &function))
		return trace.read_count ? -ESTALE : 0;
	if (trace.has_frame)
		ret = frame_check(symbols, &function, frame);
	if (ret)
		return ret;
	if (!description->end && trace.home_byte != LOCATION_NO_BYTE)
		return home_check(symbols, &function, frame, variable, request,
				  trace.home_byte, out);
	return reads_check(symbols, &function, frame, variable, description,
			   &trace);
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
		.is_caller = frame->pc != frame->lookup_pc,
	};
	uint8_t bytes[LOCAL_EXPRESSION_MAX];
	struct description description = { 0 };
	struct gtdbg_location location;
	int is_local_pointer, ret;
	Dwarf_Die die;

	if (gtdbg_cubin_is(symbols))
		request.call_frame = frame->frame_base;
	if (!symbols->dwarf ||
	    !dwarf_offdie(symbols->dwarf, variable->id, &die))
		return -ENOENT;
	ret = die_expression(symbols, &die, frame->lookup_pc, &description);
	if (ret == -ENODATA)
		return die_constant(&die, out);
	if (ret)
		return ret;
	is_local_pointer = local_pointer_place(&description, lane, bytes);
	if (is_local_pointer < 0)
		return is_local_pointer;
	ret = description_evaluate(symbols, frame, variable, &description,
				   &request, &location);
	if (!ret && is_local_pointer)
		ret = gtdbg_local_pointer_load(machine, &location);
	if (!ret)
		*out = location;
	return ret;
}
