// SPDX-License-Identifier: MIT
/*
 * Conditions as programs for the system routine: comparisons of a number that a
 * thread has with one that the user has written. What is more than that is left to
 * the host, which looks at all that stop anyway: so a part of a condition is of use
 * to the routine if nothing stops less for it.
 */
#include "program.h"

#include "item.h"
#include "logic.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES	64
#define LANES_NOT	0xffu
#define SUM_MAX		(1 << 30)	/* of less than 32 bits, added to one more */

/* A number of a thread. */
struct operand {
	char name[NAME_MAX_BYTES];	/* as the user has it */
	bool is_item, is_group;
	uint32_t dimension;		/* of those; else it is a variable */
	struct item_place place;
	struct home home;
	uint64_t key[2];		/* equal for the same number */
	uint32_t bytes;
	bool is_signed;
};

/* One comparison: of @amount plus or minus the operand, or of both by ^. */
struct term {
	struct operand operand;
	bool is_minus, is_xor, is_sum;
	int64_t amount;
	char operator[3];
	int64_t number;
};

struct terms {
	struct compiler *compiler;
	struct term term[LOGIC_TERMS_MAX];
	uint32_t count;
	bool is_partial;	/* one was refused, and why is said */
};

/*
 * Operations
 */

static int emit_place(struct compiler *compiler, const struct home *home)
{
	int ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADDRESS,
				     home->byte, 0, 0);

	if (!ret && (home->delta || home->step))
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADD,
					 (uint32_t)home->delta,
					 (uint16_t)home->step, 0);
	return ret;
}

static int emit_value(struct compiler *compiler, const struct operand *operand)
{
	uint32_t op = operand->bytes == 1 ? GTDBG_SIP_OP_LOAD_BYTE :
		      operand->bytes == 2 ? GTDBG_SIP_OP_LOAD_WORD :
		      GTDBG_SIP_OP_LOAD;
	uint32_t group = gtdbg_group_byte(operand->dimension);

	if (operand->is_item)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_ITEM,
					  operand->place.local, group << 16 |
					  operand->place.size,
					  operand->place.first);
	if (operand->is_group)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_UNIFORM,
					  group, 0, 0);
	if (!operand->home.is_memory)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_REGISTER,
					  operand->home.byte, 0, 0);
	return gtdbg_program_emit(compiler, op, 0, 0, 0);
}

/* Unless all lanes have it. */
static int emit_load(struct compiler *compiler, const struct operand *operand)
{
	bool is_same = compiler->has_found &&
		       !memcmp(compiler->found, operand->key,
			       sizeof(operand->key));
	int ret = 0;

	if (is_same && compiler->has_value)
		return 0;
	if (operand->home.is_memory && !is_same)
		ret = emit_place(compiler, &operand->home);
	if (!ret)
		ret = emit_value(compiler, operand);
	compiler->has_found = true;
	compiler->has_value = true;
	compiler->has_place = operand->home.is_memory;
	memcpy(compiler->found, operand->key, sizeof(operand->key));
	return ret;
}

/* Numbers compare as signed ones: the sign of others is turned over on both sides. */
static int emit_term(struct compiler *compiler, const struct term *term,
		     bool is_not)
{
	uint32_t sign = 1u << (8 * term->operand.bytes - 1);
	uint32_t bias = term->operand.is_signed ?
			(term->operand.bytes < 4 ? sign : 0) :
			(term->operand.bytes < 4 ? 0 : sign);
	uint32_t number = (uint32_t)term->number, op = GTDBG_SIP_OP_EQUAL;
	bool invert = is_not;
	int ret = emit_load(compiler, &term->operand);

	if (term->operand.bytes < 4)
		number &= 2 * sign - 1;
	if (term->operator[0] == '<')
		op = term->operator[1] ? GTDBG_SIP_OP_GREATER :
		     GTDBG_SIP_OP_LESS;
	else if (term->operator[0] == '>')
		op = term->operator[1] ? GTDBG_SIP_OP_LESS :
		     GTDBG_SIP_OP_GREATER;
	invert ^= term->operator[0] == '!' ||
		  (op != GTDBG_SIP_OP_EQUAL && term->operator[1]);
	return ret ? ret : gtdbg_program_emit(compiler, op, number ^ bias, bias,
					      invert ? LANES_NOT : 0);
}

static int emit_form(const struct terms *terms, const struct logic_form *form)
{
	struct compiler *compiler = terms->compiler;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < form->count; i++) {
		const struct logic_clause *clause = &form->clause[i];

		if (i) {
			/* Lanes that were out already have not loaded it. */
			compiler->has_value = !compiler->has_place;
			ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_OR, 0,
						 0, 0);
		}
		for (uint32_t j = 0; !ret && j < clause->count; j++)
			ret = emit_term(compiler, &terms->term[clause->term[j]],
					clause->is_not[j]);
	}
	return ret;
}

/*
 * Operands
 */

static int operand_item(struct compiler *compiler, struct operand *operand)
{
	int ret = 0;

	operand->bytes = 4;
	operand->key[0] = UINT64_MAX;
	operand->key[1] = 4 * operand->is_group + operand->dimension;
	if (operand->is_item)
		ret = gtdbg_item_place(compiler->symbols, compiler->frame.pc,
				       operand->dimension, &operand->place);
	if (!ret)
		return 0;
	return gtdbg_program_refuse(compiler, ret == -ESTALE ?
				    "work-items have no numbers there any more" :
				    "code does not show the numbers of work-items");
}

/* One more of the variable's members; NULL: there is no such one. */
static const struct gtdbg_type *member_find(const struct gtdbg_type *type,
					    const char *name, size_t len,
					    int64_t *delta)
{
	if (type->kind != GTDBG_TYPE_STRUCT && type->kind != GTDBG_TYPE_UNION)
		return NULL;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct gtdbg_member *member = &type->members[i];

		if (!member->name || strlen(member->name) != len ||
		    strncmp(member->name, name, len) != 0)
			continue;
		*delta += (int64_t)member->offset_bytes;
		return member->type;
	}
	return NULL;
}

static bool type_fits(const struct gtdbg_type *type)
{
	switch (type->kind) {
	case GTDBG_TYPE_INTEGER:
	case GTDBG_TYPE_UNSIGNED:
	case GTDBG_TYPE_BOOLEAN:
	case GTDBG_TYPE_CHARACTER:
	case GTDBG_TYPE_ENUM:
		return type->size_bytes == 1 || type->size_bytes == 2 ||
		       type->size_bytes == 4;
	default:
		return false;
	}
}

static int operand_type(struct compiler *compiler, struct operand *operand,
			const struct gtdbg_type *type)
{
	if (!type)
		return gtdbg_program_refuse(compiler, "%s is no member",
					    operand->name);
	if (!type_fits(type))
		return gtdbg_program_refuse(compiler,
					    "%s is no number of 8, 16 or 32 bits",
					    operand->name);
	operand->bytes = (uint32_t)type->size_bytes;
	operand->is_signed = type->kind == GTDBG_TYPE_INTEGER ||
			     type->kind == GTDBG_TYPE_CHARACTER ||
			     type->kind == GTDBG_TYPE_ENUM;
	return 0;
}

static int operand_variable(struct compiler *compiler, struct operand *operand)
{
	size_t len = strcspn(operand->name, ".");
	const char *at = operand->name + len;
	struct gtdbg_variable variable;
	const struct gtdbg_type *type;
	char name[NAME_MAX_BYTES];
	int64_t delta = 0;
	int ret;

	memcpy(name, operand->name, len);
	name[len] = 0;
	ret = gtdbg_program_variable(compiler, name, &variable);
	if (ret)
		return ret;
	for (type = variable.type; type && *at; at += len) {
		len = strcspn(++at, ".");
		type = member_find(type, at, len, &delta);
	}
	ret = operand_type(compiler, operand, type);
	if (!ret)
		ret = gtdbg_program_home(compiler, &variable, &operand->home);
	if (!ret && !operand->home.is_memory &&
	    (operand->bytes < 4 || variable.type != type))
		ret = gtdbg_program_refuse(compiler,
					   "%s is where the GPU's routine does not look",
					   operand->name);
	operand->home.delta += delta;
	operand->key[0] = variable.id;
	operand->key[1] = (uint64_t)delta;
	return ret;
}

/*
 * The text
 */

static void skip_space(const char **at)
{
	while (isspace((unsigned char)**at))
		(*at)++;
}

static bool take(const char **at, const char *word)
{
	skip_space(at);
	if (strncmp(*at, word, strlen(word)) != 0)
		return false;
	*at += strlen(word);
	return true;
}

/* $item.x, $group.z */
static bool take_item(const char **at, struct operand *operand)
{
	operand->is_item = take(at, "$item.");
	operand->is_group = !operand->is_item && take(at, "$group.");
	if (!(operand->is_item || operand->is_group) || **at < 'x' ||
	    **at > 'z' || isalnum((unsigned char)(*at)[1]))
		return false;
	operand->dimension = (uint32_t)(*(*at)++ - 'x');
	return true;
}

/* A name, and those of members behind it. */
static bool take_name(const char **at, char name[NAME_MAX_BYTES])
{
	size_t len = 0;

	skip_space(at);
	while (isalnum((unsigned char)(*at)[len]) || (*at)[len] == '_' ||
	       (*at)[len] == '.') {
		if ((*at)[len] == '.' && !isalpha((unsigned char)(*at)[len + 1]) &&
		    (*at)[len + 1] != '_')
			return false;
		len++;
	}
	if (!len || len >= NAME_MAX_BYTES || isdigit((unsigned char)**at) ||
	    **at == '.')
		return false;
	memcpy(name, *at, len);
	name[len] = 0;
	*at += len;
	return true;
}

static bool take_operand(const char **at, struct operand *operand)
{
	const char *start;

	skip_space(at);
	start = *at;
	if (**at == '$' ? take_item(at, operand) : take_name(at, operand->name))
		return true;
	*at = start;
	return false;
}

/* As in C, without a suffix. */
static bool take_number(const char **at, int64_t *out)
{
	const char *digits;
	char *end;

	skip_space(at);
	digits = *at + (**at == '-');
	errno = 0;
	*out = strtoll(*at, &end, 0);
	if (!isdigit((unsigned char)*digits) || errno ||
	    isalnum((unsigned char)*end) || *end == '.' || *end == '_')
		return false;
	*at = end;
	return true;
}

static bool take_operator(const char **at, char operator[3])
{
	static const char *const all[] = { "==", "!=", "<=", ">=", "<", ">" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (take(at, all[i])) {
			strcpy(operator, all[i]);
			return true;
		}
	}
	return false;
}

/* + - and, in parentheses, ^, which binds less than comparisons. */
static char take_sign(const char **at, bool is_closed)
{
	skip_space(at);
	if (**at != '+' && **at != '-' && !(is_closed && **at == '^'))
		return 0;
	return *(*at)++;
}

/* ~V is -1 - V. */
static bool take_prefix(const char **at, struct term *term)
{
	const char *start = *at;
	char sign;

	skip_space(at);
	sign = **at;
	if (sign && strchr("+-~", sign)) {
		(*at)++;
		term->is_sum = true;
		term->is_minus = sign != '+';
		term->amount = sign == '~' ? -1 : 0;
		if (take_operand(at, &term->operand))
			return true;
	}
	*at = start;
	return false;
}

static bool take_amount(const char **at, struct term *term, bool is_closed)
{
	bool is_first = take_operand(at, &term->operand);
	const char *start = *at;
	char sign;

	if (!is_first && !take_number(at, &term->amount))
		return false;
	sign = take_sign(at, is_closed);
	if (!sign)
		return is_first;
	term->is_sum = true;
	term->is_xor = sign == '^';
	if (!is_first) {
		term->is_minus = sign == '-';
		return take_operand(at, &term->operand);
	}
	if (take_number(at, &term->amount)) {
		term->amount = sign == '-' ? -term->amount : term->amount;
		return true;
	}
	*at = start;
	return false;
}

/* A variable, or a number and it: V + 1, (5 - V), -V */
static bool take_sum(const char **at, struct term *term)
{
	const char *start = *at;
	bool is_closed = take(at, "(");

	if ((take_prefix(at, term) || take_amount(at, term, is_closed)) &&
	    (!is_closed || take(at, ")")))
		return true;
	*at = start;
	memset(term, 0, sizeof(*term));
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

/* A number alone is true unless it is zero. */
static bool take_truth(const char **at, struct term *term)
{
	const char *start = *at;
	bool is_not = take(at, "!");

	if (take_operand(at, &term->operand)) {
		skip_space(at);
		if (!**at) {
			strcpy(term->operator, is_not ? "==" : "!=");
			return true;
		}
	}
	*at = start;
	memset(term, 0, sizeof(*term));
	return false;
}

static bool take_term(const char *at, struct term *term)
{
	if (take_truth(&at, term))
		return true;
	if (take_sum(&at, term)) {
		if (!take_operator(&at, term->operator) ||
		    !take_number(&at, &term->number))
			return false;
	} else {
		char operator[3];
		int64_t number;

		if (!take_number(&at, &number) ||
		    !take_operator(&at, operator) || !take_sum(&at, term))
			return false;
		term->number = number;
		strcpy(term->operator, operator);
		turn(term->operator);
	}
	skip_space(&at);
	return !*at;
}

static int refuse_more(struct compiler *compiler)
{
	return gtdbg_program_refuse(compiler,
				    "it is more than comparisons of a variable with a number");
}

static int term_check(struct compiler *compiler, struct term *term)
{
	struct operand *operand = &term->operand;
	int64_t range = 1ll << (operand->bytes * 8 - operand->is_signed);

	if (term->number < range && term->number >= -range * operand->is_signed)
		return 0;
	return gtdbg_program_refuse(compiler, "%lld is no value of %s",
				    (long long)term->number,
				    operand->is_item || operand->is_group ?
				    "a work-item's number" : operand->name);
}

/*
 * A sum that equals a number says what the operand equals, also if it overflows. An
 * order says so only of less than 32 bits, which are an int then. The amount has to be
 * an int, as what is added to a long is one.
 */
static int term_solve(struct compiler *compiler, struct term *term)
{
	bool is_order = term->operator[0] == '<' || term->operator[0] == '>';
	bool is_wide = term->operand.bytes == 4;
	int64_t most = is_wide ? INT32_MAX : SUM_MAX, number = term->number;
	int ret = is_wide ? term_check(compiler, term) : 0;

	if (ret || !term->is_sum)
		return ret;
	if (term->amount > most || term->amount < -most || number > UINT32_MAX ||
	    number < INT32_MIN || (is_order && (is_wide || term->is_xor)))
		return gtdbg_program_refuse(compiler,
					    "the sum of %s may be too large for it",
					    term->operand.is_item ||
					    term->operand.is_group ?
					    "a work-item's number" :
					    term->operand.name);
	number = term->is_xor ? number ^ term->amount :
		 term->is_minus ? term->amount - number : number - term->amount;
	if (is_wide)
		number = term->operand.is_signed ? (int32_t)number :
			 (int64_t)(uint32_t)number;
	if (term->is_minus)
		turn(term->operator);
	term->number = number;
	return 0;
}

static int term_add(void *context, const char *text, size_t len)
{
	struct terms *terms = context;
	struct compiler *compiler = terms->compiler;
	bool is_said = terms->is_partial;
	struct term *term = &terms->term[terms->count];
	char why[128], copy[128] = "", *was = compiler->why;
	size_t was_bytes = compiler->why_bytes;
	int ret = -EOPNOTSUPP;

	/* The first reason is the one that is told. */
	if (is_said) {
		compiler->why = why;
		compiler->why_bytes = sizeof(why);
	}
	if (len < sizeof(copy) && terms->count < LOGIC_TERMS_MAX) {
		memcpy(copy, text, len);
		memset(term, 0, sizeof(*term));
	}
	if (!*copy || !take_term(copy, term))
		refuse_more(compiler);
	else if (term->operand.is_item || term->operand.is_group)
		ret = operand_item(compiler, &term->operand);
	else
		ret = operand_variable(compiler, &term->operand);
	if (!ret)
		ret = term_solve(compiler, term);
	if (!ret)
		ret = term_check(compiler, term);
	compiler->why = was;
	compiler->why_bytes = was_bytes;
	if (!ret)
		return (int)terms->count++;
	terms->is_partial = true;
	return LOGIC_TERM_NONE;
}

/* As much of it as there is room for. */
static int emit_some(struct terms *terms, const struct logic *logic,
		     bool is_exact)
{
	struct compiler *compiler = terms->compiler, start = *compiler;
	char why[128];
	int ret = -EOPNOTSUPP;

	for (uint32_t i = logic->count; ret && i-- > 0;) {
		const struct logic_form *form = &logic->form[i];

		if (form->is_too_long || i + 1 < logic->count) {
			if (!terms->is_partial)
				gtdbg_program_refuse_long(compiler);
			terms->is_partial = true;
		}
		if ((terms->is_partial && is_exact) || !form->count)
			continue;
		*compiler = start;
		if (terms->is_partial) {
			compiler->why = why;
			compiler->why_bytes = sizeof(why);
		}
		/* END and what records need room as well. */
		ret = emit_form(terms, form);
		if (!ret && compiler->count + 1 + is_exact > GTDBG_SIP_OPS_MAX)
			ret = gtdbg_program_refuse_long(compiler);
		compiler->why = start.why;
		compiler->why_bytes = start.why_bytes;
		terms->is_partial |= !!ret;
	}
	return ret;
}

int gtdbg_condition_emit(struct compiler *compiler, const char *condition,
			 bool is_exact)
{
	struct terms terms = { .compiler = compiler };
	struct logic logic = { .term = term_add, .context = &terms };

	if (gtdbg_logic_parse(&logic, condition))
		return refuse_more(compiler);
	return emit_some(&terms, &logic, is_exact);
}

int gtdbg_condition_compile(struct gtdbg_symbols *symbols, uint64_t pc,
			    const char *condition, void *program,
			    size_t capacity, char *why, size_t why_bytes)
{
	struct compiler compiler;
	int ret;

	if (why_bytes)
		*why = 0;
	ret = gtdbg_program_begin(&compiler, symbols, pc, why, why_bytes);
	if (!ret)
		ret = gtdbg_condition_emit(&compiler, condition, false);
	return ret ? ret : gtdbg_program_finish(&compiler, program, capacity);
}
