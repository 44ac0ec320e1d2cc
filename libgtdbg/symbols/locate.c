// SPDX-License-Identifier: MIT
/*
 * Where a variable of one lane is: its description is evaluated, then what was
 * read from registers is checked. A register may not hold the value yet, or no
 * more; rather than show what lies there by chance, the call fails.
 */
#include "symbols.h"

#include "cubin.h"
#include "description.h"
#include "home.h"
#include "liveness.h"
#include "local_pointer.h"
#include "location.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES_MAX 1024

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

/*
 * Where the declaration's line begins, and the line before it in the code. Parameters
 * are stored where the function begins, whichever line they stand on.
 */
static void declaration_find(struct gtdbg_symbols *symbols,
			     const struct gtdbg_function *function,
			     const struct gtdbg_variable *variable,
			     struct home_request *request)
{
	uint64_t pc = function->start, previous = pc;
	struct gtdbg_line line;

	request->previous = function->start - symbols->text_base;
	request->declaration = request->previous;
	if (variable->is_parameter)
		return;
	while (pc < function->end && !gtdbg_line_find(symbols, pc, &line)) {
		if (line.line >= variable->line) {
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
const struct home_map *gtdbg_symbols_homes(struct gtdbg_symbols *symbols)
{
	const struct gtdbg_code *code = gtdbg_symbols_code(symbols);

	if (!symbols->homes && code)
		symbols->homes = gtdbg_home_map_create(code);
	return symbols->homes;
}

/* Registers may not hold yet what was read from them, or no longer. */
static int reads_check(struct gtdbg_symbols *symbols,
		       const struct gtdbg_function *function,
		       const struct gtdbg_frame *frame,
		       const struct gtdbg_variable *variable,
		       const struct description *description,
		       const struct location_trace *trace,
		       const struct location_request *request)
{
	const struct home_map *homes = gtdbg_symbols_homes(symbols);
	bool has_list = description->end;
	struct liveness_request query = {
		.start = (has_list ? description->start : function->start) -
			 symbols->text_base,
		.end = (has_list ? description->end : function->end) -
		       symbols->text_base,
		.pc = frame->pc - symbols->text_base,
		.is_whole = !has_list, .lane = request->lane,
	};
	struct location_request first = *request;
	struct location_trace first_trace;
	struct gtdbg_location location;
	int ret = 0, i;

	if (!homes && trace->read_count)
		return -ESTALE;
	first.lane = 0;
	if (gtdbg_location_evaluate(&first, &location, &first_trace) ||
	    first_trace.read_count != trace->read_count)
		return -ESTALE;
	for (i = 0; i < trace->read_count && !ret; i++) {
		query.byte = trace->reads[i].byte;
		query.first = first_trace.reads[i].byte;
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
	const struct home_map *homes = gtdbg_symbols_homes(symbols);
	struct liveness_request query = {
		.byte = gtdbg_frame_register(symbols) * GTDBG_GRF_BYTES + 16,
		.len_bytes = 8,
		.start = function->body - symbols->text_base,
		.end = function->end - symbols->text_base,
		.pc = frame->pc - symbols->text_base,
	};

	if (frame->pc < function->body)
		return -EAGAIN;
	return homes && gtdbg_liveness_is_written(homes, &query) ? -ESTALE : 0;
}

/*
 * Of variables of one line it cannot be known whose address is made first, if one
 * register has several.
 */
static bool has_twin(struct gtdbg_symbols *symbols,
		     const struct gtdbg_frame *frame,
		     const struct gtdbg_variable *variable)
{
	struct gtdbg_variable *others = calloc(VARIABLES_MAX, sizeof(*others));
	int count = !others ? 0 :
		    gtdbg_variable_list(symbols, frame, others, VARIABLES_MAX);
	/* It may be among those that were not looked at. */
	bool is_found = !others || count < 0 || count == VARIABLES_MAX;

	for (int i = 0; i < count && !is_found; i++)
		is_found = others[i].id != variable->id &&
			   !others[i].is_parameter &&
			   others[i].line == variable->line &&
			   others[i].type->size_bytes ==
			   variable->type->size_bytes;
	free(others);
	return is_found;
}

/* The register that held the address may hold something else at this pc. */
static int home_check(struct gtdbg_symbols *symbols,
		      const struct gtdbg_function *function,
		      const struct gtdbg_frame *frame,
		      const struct gtdbg_variable *variable,
		      const struct location_request *request, uint32_t byte,
		      struct gtdbg_location *out)
{
	const struct home_map *homes = gtdbg_symbols_homes(symbols);
	struct home_request query = {
		.byte = byte, .lane = request->lane,
		.size_bytes = variable->type->size_bytes,
		.pc = frame->pc - symbols->text_base,
	};
	struct home_state state;

	if (!homes)
		return -ESTALE;
	declaration_find(symbols, function, variable, &query);
	query.end = function->end - symbols->text_base;
	gtdbg_home_query(homes, &query, &state);
	if (!state.is_defined)
		return -EAGAIN;
	if (state.is_ambiguous && !variable->is_parameter &&
	    has_twin(symbols, frame, variable))
		return -ESTALE;
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
			   &trace, request);
}

int gtdbg_variable_place(struct gtdbg_symbols *symbols,
			 const struct gtdbg_frame *frame,
			 const struct gtdbg_variable *variable,
			 const struct gtdbg_machine *machine, uint32_t lane,
			 struct gtdbg_location *out)
{
	struct location_request request = {
		.machine = machine, .lane = lane,
		.frame_base = frame->level ? frame->frame_base : 0,
		.frame_register = gtdbg_frame_register(symbols) *
				  GTDBG_GRF_BYTES,
		.is_caller = frame->pc != frame->lookup_pc,
	};
	uint8_t bytes[LOCAL_EXPRESSION_MAX];
	struct description description = { 0 };
	int is_local_pointer, ret;
	Dwarf_Die die;

	if (gtdbg_cubin_is(symbols))
		request.call_frame = frame->frame_base;
	if (!symbols->dwarf ||
	    !dwarf_offdie(symbols->dwarf, variable->id, &die))
		return -ENOENT;
	ret = gtdbg_description_find(symbols, &die, frame->lookup_pc, &description);
	if (ret == -ENODATA)
		return die_constant(&die, out);
	if (ret)
		return ret;
	is_local_pointer = local_pointer_place(&description, lane, bytes);
	if (is_local_pointer < 0)
		return is_local_pointer;
	ret = description_evaluate(symbols, frame, variable, &description,
				   &request, out);
	return ret ? ret : is_local_pointer;
}

int gtdbg_variable_locate(struct gtdbg_symbols *symbols,
			  const struct gtdbg_frame *frame,
			  const struct gtdbg_variable *variable,
			  const struct gtdbg_machine *machine, uint32_t lane,
			  struct gtdbg_location *out)
{
	struct gtdbg_location location;
	int ret = gtdbg_variable_place(symbols, frame, variable, machine, lane,
				       &location);

	if (ret > 0)
		ret = gtdbg_local_pointer_load(machine, &location);
	if (!ret)
		*out = location;
	return ret;
}
