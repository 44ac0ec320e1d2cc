// SPDX-License-Identifier: MIT
/*
 * Records as programs for the system routine: numbers are captured for all lanes,
 * then those are chosen for which the condition holds.
 */
#include "formula.h"
#include "program.h"

#include <errno.h>

/* What the operations so far have made of the place. */
struct place {
	bool is_known;
	struct home home;
};

/* The place is the variable's, but for lanes and @more bytes. */
static int emit_capture(struct compiler *compiler, struct place *place,
			const struct home *home, uint32_t more, uint32_t index)
{
	int64_t delta = home->delta + more, step = home->step;
	int ret;

	if (!home->is_memory)
		return gtdbg_program_emit(compiler,
					  GTDBG_SIP_OP_CAPTURE_REGISTER,
					  home->byte, 0, index);
	if (!place->is_known || place->home.byte != home->byte ||
	    step != (int16_t)(step - place->home.step) + place->home.step) {
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADDRESS,
					 home->byte, 0, 0);
		if (ret)
			return ret;
		place->home.delta = 0;
		place->home.step = 0;
	}
	ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_CAPTURE,
				 (uint32_t)(delta - place->home.delta),
				 (uint16_t)(step - place->home.step), index);
	place->is_known = true;
	place->home.byte = home->byte;
	place->home.delta = delta;
	place->home.step = step;
	return ret;
}

static bool type_fits(const struct gtdbg_type *type)
{
	switch (type->kind) {
	case GTDBG_TYPE_INTEGER:
	case GTDBG_TYPE_UNSIGNED:
	case GTDBG_TYPE_FLOAT:
	case GTDBG_TYPE_ENUM:
	case GTDBG_TYPE_POINTER:
		return type->size_bytes == 4 || type->size_bytes == 8;
	default:
		return false;
	}
}

/* Variables of less than 32 bits, members, and what is computed. */
static int capture_formula(struct compiler *compiler,
			   struct gtdbg_capture *capture)
{
	struct formula formula;
	int ret = gtdbg_formula_parse(compiler, capture->name, &formula);

	if (!ret)
		ret = gtdbg_formula_emit_value(compiler, &formula);
	if (!ret)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_CAPTURE_VALUE,
					 0, 0, capture->first);
	capture->is_unsigned = !ret && gtdbg_formula_is_unsigned(&formula);
	return ret;
}

/* Is there a variable that is captured as it is? */
static bool variable_fits(struct compiler *compiler, const char *name,
			  struct gtdbg_variable *variable)
{
	return !gtdbg_variable_find(compiler->symbols, &compiler->frame, name,
				    variable) && type_fits(variable->type);
}

static int capture(struct compiler *compiler, struct place *place,
		   struct gtdbg_capture *capture, uint32_t first)
{
	struct gtdbg_variable variable;
	struct home home;
	bool is_variable = variable_fits(compiler, capture->name, &variable);
	int ret;

	capture->type = is_variable ? variable.type : NULL;
	capture->first = first;
	capture->count = is_variable ? variable.type->size_bytes / 4 : 1;
	if (first + capture->count > GTDBG_SIP_CAPTURES_MAX)
		return gtdbg_program_refuse(compiler,
					    "it is more than %u values of 32 bits",
					    GTDBG_SIP_CAPTURES_MAX);
	if (!is_variable) {
		place->is_known = false;
		return capture_formula(compiler, capture);
	}
	ret = gtdbg_program_home(compiler, &variable, &home);
	if (!ret && !home.is_memory && capture->count > 1)
		ret = gtdbg_program_refuse(compiler,
					   "%s is where the GPU's routine does not look",
					   capture->name);
	for (uint32_t i = 0; !ret && i < capture->count; i++)
		ret = emit_capture(compiler, place, &home, 4 * i, first + i);
	/* A condition that begins with it need not load it again. */
	compiler->has_found = capture->count == 1;
	compiler->has_value = true;
	compiler->has_place = home.is_memory;
	compiler->found[0] = variable.id;
	compiler->found[1] = 4; /* bytes, of no member */
	return ret;
}

int gtdbg_record_compile(struct gtdbg_symbols *symbols, uint64_t pc,
			 struct gtdbg_capture *captures, size_t count,
			 const char *condition, uint32_t tag, void *program,
			 size_t capacity, char *why, size_t why_bytes)
{
	struct place place = { .is_known = false };
	struct compiler compiler;
	uint32_t first = 0;
	int ret = gtdbg_program_begin(&compiler, symbols, pc, why, why_bytes);

	for (size_t i = 0; !ret && i < count; i++) {
		ret = capture(&compiler, &place, &captures[i], first);
		first += captures[i].count;
	}
	if (!ret && condition)
		ret = gtdbg_condition_emit(&compiler, condition, true);
	if (!ret)
		ret = gtdbg_program_emit(&compiler, GTDBG_SIP_OP_RECORD, tag, 0,
					 0);
	return ret ? ret : gtdbg_program_finish(&compiler, program, capacity);
}
