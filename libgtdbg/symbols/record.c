// SPDX-License-Identifier: MIT
/*
 * Records as programs for the system routine: numbers are captured for all lanes,
 * then those are chosen for which the condition holds. Where there are more numbers than
 * a record has, the program does so again: a thread that has not gone on has the
 * same lanes for which the condition holds.
 *
 * For what the routine does not find a thread stops, and who debugs prints for all of its
 * lanes. So what may not be there comes first, and before the first record, which is that
 * of a thread's first eight lanes; or else all is carried out twice (SURE).
 */
#include "formula.h"
#include "program.h"

#include <errno.h>
#include <string.h>

#define RECORD_LANES 8

struct recorder {
	struct compiler *compiler;
	const char *condition;	/* or NULL */
	uint32_t tag;
	uint32_t values;	/* of 32 bits, captured so far */
	bool is_sure;		/* no record is written before all has been carried out */
	bool has_place;		/* the operations so far have made this of the place: */
	struct home place;
};

/* All records of a thread are of the same lanes. */
static int emit_record(struct recorder *recorder)
{
	struct compiler *compiler = recorder->compiler;
	int ret = 0;

	compiler->must_last = recorder->values > GTDBG_SIP_CAPTURES_MAX;
	if (recorder->condition)
		ret = gtdbg_condition_emit(compiler, recorder->condition, true);
	compiler->must_last = false;
	return ret ? ret : gtdbg_program_emit(recorder->compiler,
					      GTDBG_SIP_OP_RECORD,
					      recorder->tag++, 0, 0);
}

/* Room for a value: its number in the record, which may be the next one. */
static int value_take(struct recorder *recorder, uint32_t *index)
{
	struct compiler *compiler = recorder->compiler;
	int ret = 0;

	*index = recorder->values % GTDBG_SIP_CAPTURES_MAX;
	if (recorder->values++ && !*index) {
		ret = emit_record(recorder);
		if (!ret)
			ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_OR, 0,
						 0, 0);
		recorder->has_place = false;
		compiler->has_found = false;
		compiler->must_decide = !recorder->is_sure;
	}
	return ret;
}

/* The place is the variable's, but for lanes and @more bytes. */
static int emit_capture(struct recorder *recorder, const struct home *home,
			uint32_t more)
{
	struct compiler *compiler = recorder->compiler;
	int64_t delta = home->delta + more, step = home->step;
	struct home *place = &recorder->place;
	uint32_t index;
	int ret = value_take(recorder, &index);

	if (ret)
		return ret;
	/* What a condition has looked at last is overwritten by this. */
	compiler->has_found = false;
	if (!home->is_memory)
		return gtdbg_program_emit(compiler,
					  GTDBG_SIP_OP_CAPTURE_REGISTER,
					  home->byte, 0, index);
	if (!recorder->has_place || place->byte != home->byte ||
	    step != (int16_t)(step - place->step) + place->step) {
		ret = gtdbg_program_emit(compiler, home->is_shared ?
					 GTDBG_SIP_OP_PLACE :
					 GTDBG_SIP_OP_ADDRESS, home->byte, 0, 0);
		if (ret)
			return ret;
		place->delta = 0;
		place->step = 0;
	}
	ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_CAPTURE,
				 (uint32_t)(delta - place->delta),
				 (uint16_t)(step - place->step), index);
	recorder->has_place = true;
	place->byte = home->byte;
	place->delta = delta;
	place->step = step;
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
static int capture_formula(struct recorder *recorder,
			   struct gtdbg_capture *capture)
{
	struct compiler *compiler = recorder->compiler;
	struct formula formula;
	uint32_t index;
	int ret = value_take(recorder, &index);

	recorder->has_place = false;
	if (!ret)
		ret = gtdbg_formula_parse(compiler, capture->name, &formula);
	if (!ret)
		ret = gtdbg_formula_emit_value(compiler, &formula);
	if (!ret)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_CAPTURE_VALUE,
					 0, 0, index);
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

/* Is it a number of 32 bits that is no variable, but a part of one, or led to? */
static bool element_fits(const struct compiler *compiler, const char *name,
			 struct operand *operand)
{
	struct compiler trial = *compiler;
	char why[1];

	trial.why = why;
	trial.why_bytes = sizeof(why);
	memset(operand, 0, sizeof(*operand));
	return gtdbg_operand_take(&name, operand) && !*name &&
	       *operand->name && !gtdbg_operand_find(&trial, operand) &&
	       operand->bytes == 4 && operand->type && type_fits(operand->type) &&
	       (operand->is_local || operand->is_float);
}

static int capture_element(struct recorder *recorder,
			   struct gtdbg_capture *capture)
{
	struct compiler *compiler = recorder->compiler;
	struct operand operand = { 0 };
	const char *at = capture->name;
	uint32_t index;
	int ret = value_take(recorder, &index);

	recorder->has_place = false;
	gtdbg_operand_take(&at, &operand);
	/* With a record that has just begun it may be too late for it. */
	if (!ret)
		ret = gtdbg_operand_find(compiler, &operand);
	capture->type = operand.type;
	if (!ret)
		ret = gtdbg_operand_emit(compiler, &operand);
	return ret ? ret : gtdbg_program_emit(compiler,
					      GTDBG_SIP_OP_CAPTURE_VALUE, 0, 0,
					      index);
}

static int captures_refuse(struct compiler *compiler)
{
	return gtdbg_program_refuse(compiler,
				    "it is more than %u values of 32 bits",
				    GTDBG_CAPTURES_MAX);
}

static int capture(struct recorder *recorder, struct gtdbg_capture *capture)
{
	struct compiler *compiler = recorder->compiler;
	struct gtdbg_variable variable;
	struct operand operand;
	struct home home;
	bool is_element = element_fits(compiler, capture->name, &operand);
	/* What stands in local memory is no place in private memory. */
	bool is_variable = !(is_element && operand.is_local) &&
			   variable_fits(compiler, capture->name, &variable);
	int ret;

	capture->type = is_variable ? variable.type : NULL;
	capture->first = recorder->values;
	capture->count = is_variable ? variable.type->size_bytes / 4 : 1;
	if (strchr(capture->name, HALF_LOWER) || strchr(capture->name, HALF_UPPER))
		return gtdbg_program_refuse(compiler, "it is no text");
	if (recorder->values + capture->count > GTDBG_CAPTURES_MAX)
		return captures_refuse(compiler);
	if (!is_variable)
		return is_element ?
		       capture_element(recorder, capture) :
		       capture_formula(recorder, capture);
	ret = gtdbg_program_home(compiler, &variable, &home);
	if (!ret && !home.is_memory && capture->count > 1)
		ret = gtdbg_program_refuse(compiler,
					   "%s is where the GPU's routine does not look",
					   capture->name);
	for (uint32_t i = 0; !ret && i < capture->count; i++)
		ret = emit_capture(recorder, &home, 4 * i);
	/* A condition that begins with it need not load it again. */
	compiler->has_found = capture->count == 1;
	compiler->has_value = true;
	compiler->has_place = home.is_memory;
	compiler->found[0] = variable.id;
	compiler->found[1] = 4; /* bytes, of no member */
	return ret;
}

/* Can it be captured if no thread is to stop for it? */
static bool is_decided(const struct recorder *recorder,
		       const struct gtdbg_capture *number)
{
	struct compiler compiler = *recorder->compiler;
	struct recorder trial = { .compiler = &compiler };
	struct gtdbg_capture copy = *number;
	char why[1];

	compiler.must_decide = true;
	compiler.why = why;
	compiler.why_bytes = sizeof(why);
	return !capture(&trial, &copy);
}

/* Those come first for which a thread may stop. */
static int captures_emit(struct recorder *recorder,
			 struct gtdbg_capture *captures, size_t count)
{
	bool decided[GTDBG_CAPTURES_MAX];
	int ret = 0;

	if (count > GTDBG_CAPTURES_MAX)
		return captures_refuse(recorder->compiler);
	for (size_t i = 0; i < count; i++)
		decided[i] = is_decided(recorder, &captures[i]);
	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; !ret && i < count; i++)
			ret = decided[i] == turn ?
			      capture(recorder, &captures[i]) : 0;
	return ret;
}

static int record_emit(struct recorder *recorder, struct gtdbg_capture *captures,
		       size_t count, void *program, size_t capacity)
{
	struct compiler *compiler = recorder->compiler;
	uint32_t lanes = gtdbg_symbols_simd_width(compiler->symbols,
						  compiler->frame.pc);
	int ret = 0;

	compiler->has_exact_indices = recorder->is_sure;
	if (recorder->is_sure)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_SURE, 0, 0, 0);
	else
		compiler->must_decide = !lanes || lanes > RECORD_LANES;
	if (!ret)
		ret = captures_emit(recorder, captures, count);
	if (!ret)
		ret = emit_record(recorder);
	return ret ? ret : gtdbg_program_finish(compiler, program, capacity);
}

/* Once only, if that is possible: older routines know that, too. */
int gtdbg_record_compile(struct gtdbg_symbols *symbols, uint64_t pc,
			 struct gtdbg_capture *captures, size_t count,
			 const char *condition, uint32_t tag, void *program,
			 size_t capacity, char *why, size_t why_bytes)
{
	struct compiler compiler, start;
	struct recorder recorder = {
		.compiler = &compiler, .condition = condition, .tag = tag,
	}, again = recorder;
	int ret = gtdbg_program_begin(&compiler, symbols, pc, why, why_bytes);

	if (ret)
		return ret;
	start = compiler;
	ret = record_emit(&recorder, captures, count, program, capacity);
	if (ret != -EOPNOTSUPP)
		return ret;
	compiler = start;
	recorder = again;
	recorder.is_sure = true;
	ret = record_emit(&recorder, captures, count, program, capacity);
	if (ret > 0 && why_bytes)
		*why = 0;
	return ret;
}
