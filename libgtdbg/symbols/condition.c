// SPDX-License-Identifier: MIT
/*
 * Conditions as programs for the system routine: comparisons of a variable with
 * a number, joined by && and ||.
 */
#include "program.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES	64
#define SIGN_BIT	0x80000000u
#define LANES_NOT	0xffu

/* One comparison. */
struct term {
	char name[NAME_MAX_BYTES];
	char operator[3];
	int64_t number;
};

static int emit_load(struct compiler *compiler,
		     const struct gtdbg_variable *variable)
{
	struct home home;
	int ret = gtdbg_program_home(compiler, variable, &home);

	if (ret)
		return ret;
	compiler->has_place = home.is_memory;
	if (!home.is_memory)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_REGISTER,
					  home.byte, 0, 0);
	ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADDRESS, home.byte, 0,
				 0);
	if (!ret && (home.delta || home.step))
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADD,
					 (uint32_t)home.delta,
					 (uint16_t)home.step, 0);
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_LOAD, 0,
					      0, 0);
}

static int emit_compare(struct compiler *compiler, const struct term *term,
			const struct gtdbg_variable *variable)
{
	bool is_signed = variable->type->kind == GTDBG_TYPE_INTEGER;
	int64_t least = is_signed ? INT32_MIN : 0;
	int64_t most = is_signed ? INT32_MAX : UINT32_MAX;
	uint32_t bias = is_signed ? 0 : SIGN_BIT, op = GTDBG_SIP_OP_EQUAL;
	uint32_t invert = 0;

	if (term->number < least || term->number > most)
		return gtdbg_program_refuse(compiler, "%lld is no value of %s",
			      (long long)term->number, variable->type->name);
	if (term->operator[0] == '<')
		op = term->operator[1] ? GTDBG_SIP_OP_GREATER :
		     GTDBG_SIP_OP_LESS;
	else if (term->operator[0] == '>')
		op = term->operator[1] ? GTDBG_SIP_OP_LESS :
		     GTDBG_SIP_OP_GREATER;
	if (term->operator[0] == '!' || (op != GTDBG_SIP_OP_EQUAL &&
					 term->operator[1]))
		invert = LANES_NOT;
	return gtdbg_program_emit(compiler, op, (uint32_t)term->number ^ bias, bias, invert);
}

static int emit_term(struct compiler *compiler, const struct term *term)
{
	struct gtdbg_variable variable;
	int ret;

	ret = gtdbg_program_variable(compiler, term->name, &variable);
	if (ret)
		return ret;
	if ((variable.type->kind != GTDBG_TYPE_INTEGER &&
	     variable.type->kind != GTDBG_TYPE_UNSIGNED) ||
	    variable.type->size_bytes != 4)
		return gtdbg_program_refuse(compiler, "%s is no number of 32 bits",
			      term->name);
	if (!compiler->has_found || compiler->found != variable.id)
		ret = emit_load(compiler, &variable);
	else if (!compiler->has_value)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_LOAD, 0, 0, 0);
	if (ret)
		return ret;
	compiler->has_found = true;
	compiler->has_value = true;
	compiler->found = variable.id;
	return emit_compare(compiler, term, &variable);
}

/*
 * The text
 */

static void skip_space(struct compiler *compiler)
{
	while (isspace((unsigned char)*compiler->at))
		compiler->at++;
}

static bool take(struct compiler *compiler, const char *word)
{
	skip_space(compiler);
	if (strncmp(compiler->at, word, strlen(word)) != 0)
		return false;
	compiler->at += strlen(word);
	return true;
}

static bool take_name(struct compiler *compiler, char name[NAME_MAX_BYTES])
{
	size_t len = 0;

	skip_space(compiler);
	while (isalnum((unsigned char)compiler->at[len]) ||
	       compiler->at[len] == '_')
		len++;
	if (!len || len >= NAME_MAX_BYTES ||
	    isdigit((unsigned char)*compiler->at))
		return false;
	memcpy(name, compiler->at, len);
	name[len] = 0;
	compiler->at += len;
	return true;
}

/* As in C, without a suffix. */
static bool take_number(struct compiler *compiler, int64_t *out)
{
	const char *digits = compiler->at;
	char *end;

	skip_space(compiler);
	digits = compiler->at + (*compiler->at == '-');
	errno = 0;
	*out = strtoll(compiler->at, &end, 0);
	if (!isdigit((unsigned char)*digits) || errno ||
	    isalnum((unsigned char)*end) || *end == '.' || *end == '_')
		return false;
	compiler->at = end;
	return true;
}

static bool take_operator(struct compiler *compiler, char operator[3])
{
	static const char *const all[] = { "==", "!=", "<=", ">=", "<", ">" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (take(compiler, all[i])) {
			strcpy(operator, all[i]);
			return true;
		}
	}
	return false;
}

/* The operator with its operands exchanged. */
static void turn(char operator[3])
{
	if (operator[0] == '<')
		operator[0] = '>';
	else if (operator[0] == '>')
		operator[0] = '<';
}

static bool take_term(struct compiler *compiler, struct term *term)
{
	if (take_name(compiler, term->name))
		return take_operator(compiler, term->operator) &&
		       take_number(compiler, &term->number);
	if (!take_number(compiler, &term->number) ||
	    !take_operator(compiler, term->operator) ||
	    !take_name(compiler, term->name))
		return false;
	turn(term->operator);
	return true;
}

static int refuse_more(struct compiler *compiler)
{
	return gtdbg_program_refuse(compiler,
				    "it is more than comparisons of a variable with a number");
}

int gtdbg_condition_emit(struct compiler *compiler, const char *condition)
{
	struct term term;
	int ret;

	compiler->at = condition;
	for (;;) {
		if (!take_term(compiler, &term))
			return refuse_more(compiler);
		ret = emit_term(compiler, &term);
		if (ret)
			return ret;
		if (take(compiler, "&&"))
			continue;
		if (!take(compiler, "||"))
			break;
		/* Lanes that were out already have not loaded it. */
		compiler->has_value = !compiler->has_place;
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_OR, 0, 0, 0);
		if (ret)
			return ret;
	}
	skip_space(compiler);
	return *compiler->at ? refuse_more(compiler) : 0;
}

int gtdbg_condition_compile(struct gtdbg_symbols *symbols, uint64_t pc,
			    const char *condition, void *program,
			    size_t capacity, char *why, size_t why_bytes)
{
	struct compiler compiler;
	int ret = gtdbg_program_begin(&compiler, symbols, pc, why, why_bytes);

	if (!ret)
		ret = gtdbg_condition_emit(&compiler, condition);
	return ret ? ret : gtdbg_program_finish(&compiler, program, capacity);
}
