// SPDX-License-Identifier: MIT
/*
 * Conditions as programs for the system routine: comparisons of a number that a
 * thread has with one that the user has written. What is more than that is left to
 * the host, which looks at all that stop anyway: so a part of a condition is of use
 * to the routine if nothing stops less for it.
 */
#include "program.h"

#include "formula.h"
#include "logic.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES_NOT	0xffu
#define SUM_MAX		(1 << 30)	/* of less than 32 bits, added to one more */
#define HALF_BYTES	(NAME_MAX_BYTES + 16)

/* One comparison: of @amount plus or minus the operand, or of both by ^. */
struct term {
	bool is_formula;	/* it is more than that */
	struct formula formula;
	struct operand operand;
	bool is_minus, is_xor, is_sum;
	int64_t amount;
	char operator[3];
	bool is_real;		/* the number has a fraction */
	double real;
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

/* What is at most a number is less than the next one; behind the last one is the first. */
static int emit_wide(struct compiler *compiler, const struct term *term,
		     bool is_not)
{
	uint64_t number = (uint64_t)term->number;
	uint32_t how = term->operand.is_signed ? 0 : GTDBG_SIP_WIDE_UNSIGNED;
	int ret = gtdbg_operand_emit(compiler, &term->operand);
	char operator = term->operator[0];

	if (operator == '<' || operator == '>') {
		how |= GTDBG_SIP_WIDE_LESS;
		if ((operator == '<') == !!term->operator[1])
			number++;
		if (term->operand.is_signed && number == 1ULL << 63 &&
		    term->number == INT64_MAX)
			is_not = !is_not;
	}
	if (is_not != (operator == '!' || operator == '>'))
		how |= GTDBG_SIP_WIDE_NOT;
	compiler->has_value = false;
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_WIDE,
					      (uint32_t)number,
					      (uint32_t)(number >> 32), how);
}

/* A comparison that does not hold is not the opposite one: there are NaNs. */
static int emit_float(struct compiler *compiler, const struct term *term,
		      bool is_not)
{
	bool is_order = term->operator[0] == '<' || term->operator[0] == '>';
	uint32_t kind = !is_order ? GTDBG_SIP_COMPUTE_FLOAT_EQUAL :
			term->operator[1] ? GTDBG_SIP_COMPUTE_FLOAT_MOST :
			GTDBG_SIP_COMPUTE_FLOAT_LESS;
	float real = (float)term->real;
	uint32_t number;
	int ret = gtdbg_operand_emit(compiler, &term->operand);

	memcpy(&number, &real, sizeof(number));
	compiler->has_value = false;
	if (!ret)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE, number,
					 kind, term->operator[0] == '>' ?
					 GTDBG_SIP_COMPUTE_TURNED : 0);
	is_not ^= term->operator[0] == '!';
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_EQUAL, 1,
					      0, is_not ? LANES_NOT : 0);
}

/* Numbers compare as signed ones: the sign of others is turned over on both sides. */
static int emit_term(struct compiler *compiler, const struct term *term,
		     bool is_not)
{
	uint32_t number = (uint32_t)term->number, op = GTDBG_SIP_OP_EQUAL;
	bool is_short = term->operand.bytes < 4, invert = is_not;
	uint32_t sign, bias;
	int ret;

	if (term->is_formula)
		return gtdbg_formula_emit(compiler, &term->formula, is_not);
	if (term->operand.is_float)
		return emit_float(compiler, term, is_not);
	if (term->operand.bytes == 8)
		return emit_wide(compiler, term, is_not);
	sign = 1u << (8 * term->operand.bytes - 1);
	bias = term->operand.is_signed == is_short ? sign : 0;
	ret = gtdbg_operand_emit(compiler, &term->operand);
	if (is_short)
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
			compiler->has_value &= !compiler->has_place;
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
 * The text
 */

/* As in C, without a suffix. */
static bool take_number(const char **at, int64_t *out)
{
	const char *digits;
	char *end;

	gtdbg_text_skip(at);
	digits = *at + (**at == '-');
	errno = 0;
	*out = strtoll(*at, &end, 0);
	if (!isdigit((unsigned char)*digits) || errno ||
	    isalnum((unsigned char)*end) || *end == '.' || *end == '_')
		return false;
	*at = end;
	return true;
}

static bool take_real(const char **at, struct term *term)
{
	term->is_real = gtdbg_text_real(at, &term->real);
	return term->is_real;
}

static bool take_operator(const char **at, char operator[3])
{
	static const char *const all[] = { "==", "!=", "<=", ">=", "<", ">" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (gtdbg_text_take(at, all[i])) {
			strcpy(operator, all[i]);
			return true;
		}
	}
	return false;
}

/* + - and, in parentheses, ^, which binds less than comparisons. */
static char take_sign(const char **at, bool is_closed)
{
	gtdbg_text_skip(at);
	if (**at != '+' && **at != '-' && !(is_closed && **at == '^'))
		return 0;
	return *(*at)++;
}

/* ~V is -1 - V. */
static bool take_prefix(const char **at, struct term *term)
{
	const char *start = *at;
	char sign;

	gtdbg_text_skip(at);
	sign = **at;
	if (sign && strchr("+-~", sign)) {
		(*at)++;
		term->is_sum = true;
		term->is_minus = sign != '+';
		term->amount = sign == '~' ? -1 : 0;
		if (gtdbg_operand_take(at, &term->operand))
			return true;
	}
	*at = start;
	return false;
}

static bool take_amount(const char **at, struct term *term, bool is_closed)
{
	bool is_first = gtdbg_operand_take(at, &term->operand);
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
		return gtdbg_operand_take(at, &term->operand);
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
	bool is_closed = gtdbg_text_take(at, "(");

	if ((take_prefix(at, term) || take_amount(at, term, is_closed)) &&
	    (!is_closed || gtdbg_text_take(at, ")")))
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
	bool is_not = gtdbg_text_take(at, "!");

	if (gtdbg_operand_take(at, &term->operand)) {
		gtdbg_text_skip(at);
		if (!**at) {
			strcpy(term->operator, is_not ? "==" : "!=");
			return true;
		}
	}
	*at = start;
	memset(term, 0, sizeof(*term));
	return false;
}

static bool take_any_number(const char **at, struct term *term)
{
	return take_number(at, &term->number) || take_real(at, term);
}

static bool take_term(const char *at, struct term *term)
{
	struct term number = { 0 };

	if (take_truth(&at, term))
		return true;
	if (take_sum(&at, term)) {
		if (!take_operator(&at, term->operator) ||
		    !take_any_number(&at, term))
			return false;
	} else {
		if (!take_any_number(&at, &number) ||
		    !take_operator(&at, number.operator) || !take_sum(&at, term))
			return false;
		term->number = number.number;
		term->is_real = number.is_real;
		term->real = number.real;
		strcpy(term->operator, number.operator);
		turn(term->operator);
	}
	gtdbg_text_skip(&at);
	return !*at;
}

static int refuse_more(struct compiler *compiler)
{
	return gtdbg_program_refuse(compiler,
				    "it is more than comparisons and arithmetic of 32 bits");
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

static int term_check_wide(struct compiler *compiler, const struct term *term)
{
	if (term->is_sum)
		return gtdbg_operand_refuse(compiler, &term->operand);
	if (term->number >= 0 || term->operand.is_signed)
		return 0;
	return gtdbg_program_refuse(compiler, "%lld is no value of %s",
				    (long long)term->number, term->operand.name);
}

/* The float next to one that is not small. */
static float float_beside(float number, bool is_above)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	bits += (number > 0) == is_above ? 1 : -1;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

/* What is more than a number between two floats is more than the lower one of these. */
static bool term_between(struct term *term)
{
	bool is_less = term->operator[0] == '<';
	float near = (float)term->real;

	if (!strchr("<>", term->operator[0]) ||
	    (near < FLT_MIN * 2 && near > -FLT_MIN * 2))
		return false;
	term->operator[1] = 0;
	if (((double)near > term->real) != is_less)
		near = float_beside(near, is_less);
	term->real = (double)near;
	return true;
}

/* As a float is what the routine has, the number has to be one. */
static int term_check_float(struct compiler *compiler, struct term *term)
{
	if (!term->is_real)
		term->real = (double)term->number;
	if (term->is_sum)
		return gtdbg_operand_refuse(compiler, &term->operand);
	if (term->number < FLOAT_WHOLE_MAX && term->number > -FLOAT_WHOLE_MAX &&
	    ((double)(float)term->real == term->real || term_between(term)))
		return 0;
	return gtdbg_program_refuse(compiler, "%s is compared with no float",
				    term->operand.name);
}

static int term_compare(struct compiler *compiler, struct term *term)
{
	int ret = gtdbg_operand_find(compiler, &term->operand);

	if (!ret && term->operand.is_float)
		return term_check_float(compiler, term);
	if (!ret && term->is_real)
		return refuse_more(compiler);
	if (!ret && term->operand.bytes == 8)
		return term_check_wide(compiler, term);
	if (!ret)
		ret = term_solve(compiler, term);
	return ret ? ret : term_check(compiler, term);
}

/* What is no comparison that can be solved is computed. */
static int term_find(struct compiler *compiler, const char *text,
		     struct term *term)
{
	char why[128], *was = compiler->why;
	size_t was_bytes = compiler->why_bytes;
	bool is_compare = take_term(text, term);
	struct compiler trial;
	int ret = is_compare ? term_compare(compiler, term) : -EOPNOTSUPP;

	if (!ret)
		return 0;
	if (is_compare) {
		compiler->why = why;
		compiler->why_bytes = sizeof(why);
	}
	term->is_formula = true;
	ret = gtdbg_formula_parse(compiler, text, &term->formula);
	trial = *compiler;
	trial.has_exact_indices = true;
	if (!ret)
		ret = gtdbg_formula_emit(&trial, &term->formula, false);
	compiler->why = was;
	compiler->why_bytes = was_bytes;
	if (!ret && was_bytes)
		*was = 0;
	return ret;
}

static int term_add(void *context, const char *text, size_t len)
{
	struct terms *terms = context;
	struct compiler *compiler = terms->compiler;
	bool is_said = terms->is_partial;
	struct term *term = &terms->term[terms->count];
	char why[128], copy[128] = "", *was = compiler->why;
	size_t was_bytes = compiler->why_bytes;
	int ret;

	/* The first reason is the one that is told. */
	if (is_said) {
		compiler->why = why;
		compiler->why_bytes = sizeof(why);
	}
	if (len < sizeof(copy) && terms->count < LOGIC_TERMS_MAX) {
		memcpy(copy, text, len);
		memset(term, 0, sizeof(*term));
	}
	ret = *copy ? term_find(compiler, copy, term) : refuse_more(compiler);
	compiler->why = was;
	compiler->why_bytes = was_bytes;
	if (ret) {
		terms->is_partial = true;
		return LOGIC_TERM_NONE;
	}
	return (int)terms->count++;
}

/* A number of 32 bits with as many above them, as it is beside one of 64. */
static void halves_of(const char *text, int len, const struct operand *operand,
		      char upper[HALF_BYTES], char lower[HALF_BYTES])
{
	if (operand->bytes == 8) {
		snprintf(upper, HALF_BYTES, "%.*s%c", len, text, HALF_UPPER);
		snprintf(lower, HALF_BYTES, "%.*s%c", len, text, HALF_LOWER);
		return;
	}
	snprintf(upper, HALF_BYTES, operand->is_signed ? "(%.*s >> 31)" : "0",
		 len, text);
	snprintf(lower, HALF_BYTES, "%.*s", len, text);
}

/* Two numbers, one of which has 64 bits: the upper halves decide, or the lower ones do. */
static char *term_expand(void *context, const char *text, size_t len)
{
	char copy[128], why[128], operator[3], upper[2][HALF_BYTES],
		lower[2][HALF_BYTES], *out;
	struct terms *terms = context;
	struct compiler trial = *terms->compiler;
	struct operand left = { 0 }, right = { 0 };
	const char *at = copy, *second;
	int ret, first_len;

	if (len >= sizeof(copy))
		return NULL;
	memcpy(copy, text, len);
	copy[len] = 0;
	gtdbg_text_skip(&at);
	text = at;
	if (!gtdbg_operand_take(&at, &left))
		return NULL;
	first_len = (int)(at - text);
	if (!take_operator(&at, operator))
		return NULL;
	gtdbg_text_skip(&at);
	second = at;
	if (!gtdbg_operand_take(&at, &right) || left.half || right.half)
		return NULL;
	len = (size_t)(at - second);
	gtdbg_text_skip(&at);
	/* What cannot be found is refused as what it is. */
	trial.why = why;
	trial.why_bytes = sizeof(why);
	if (*at || gtdbg_operand_find(&trial, &left) ||
	    gtdbg_operand_find(&trial, &right) || left.is_float ||
	    right.is_float || (left.bytes < 8 && right.bytes < 8))
		return NULL;
	halves_of(text, first_len, &left, upper[0], lower[0]);
	halves_of(second, (int)len, &right, upper[1], lower[1]);
	if (operator[0] == '=' || operator[0] == '!')
		ret = asprintf(&out, "%s %s %s %s %s %s %s", upper[0], operator,
			       upper[1], operator[0] == '=' ? "&&" : "||",
			       lower[0], operator, lower[1]);
	else
		ret = asprintf(&out, "%s %c %s || %s == %s && %s %s %s",
			       upper[0], operator[0], upper[1], upper[0],
			       upper[1], lower[0], operator, lower[1]);
	return ret < 0 ? NULL : out;
}

/* With operations that older routines know, too, if there is room for them. */
static int emit_fit(const struct terms *terms, const struct logic_form *form,
		    bool is_exact)
{
	static const struct {
		uint32_t limit;
		bool is_fused, has_exact_indices;
	} way[] = {
		{ GTDBG_SIP_OPS_MAX, false, false },
		{ GTDBG_SIP_OPS_MAX, true, false },
		{ GTDBG_SIP_PROGRAM_OPS_MAX, true, false },
		{ GTDBG_SIP_PROGRAM_OPS_MAX, true, true },
	};
	struct compiler *compiler = terms->compiler, start = *compiler;
	/* For the longest way as well, if there is no room at all. */
	int ret = gtdbg_program_refuse_long(compiler);

	for (size_t i = 0; ret && i < sizeof(way) / sizeof(way[0]); i++) {
		if (start.count + 1 + is_exact > way[i].limit)
			continue;
		*compiler = start;
		compiler->is_fused = way[i].is_fused;
		compiler->has_exact_indices = way[i].has_exact_indices;
		/* END and what records need room as well. */
		compiler->limit = way[i].limit - 1 - is_exact;
		ret = emit_form(terms, form);
	}
	if (ret)
		*compiler = start;
	compiler->limit = start.limit;
	compiler->has_exact_indices = start.has_exact_indices;
	return ret;
}

/* As much of it as there is room for. */
static int emit_some(struct terms *terms, const struct logic *logic,
		     bool is_exact)
{
	struct compiler *compiler = terms->compiler;
	char why[128], *was = compiler->why;
	size_t was_bytes = compiler->why_bytes;
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
		if (terms->is_partial) {
			compiler->why = why;
			compiler->why_bytes = sizeof(why);
		}
		ret = emit_fit(terms, form, is_exact);
		/* What did not fit at first is no reason any more. */
		if (!ret && compiler->why == was && was_bytes)
			*was = 0;
		compiler->why = was;
		compiler->why_bytes = was_bytes;
		terms->is_partial |= !!ret;
	}
	return ret;
}

/* A name of an enum stands for its number, unless a variable has that name. */
static bool constant_find(struct compiler *compiler, const char *text,
			  size_t len, int64_t *value)
{
	const struct gtdbg_type *type;
	struct gtdbg_variable variable;
	char name[NAME_MAX_BYTES];

	if (len >= sizeof(name))
		return false;
	memcpy(name, text, len);
	name[len] = 0;
	return gtdbg_variable_find(compiler->symbols, &compiler->frame, name,
				   &variable) &&
	       !gtdbg_enumerator_find(compiler->symbols, name, &type, value) &&
	       *value >= INT32_MIN && *value <= UINT32_MAX;
}

/* Behind a dot or an arrow stands a member, and behind $ what is no name of the program's. */
static bool is_apart(const char *start, const char *at)
{
	return at == start || (at[-1] != '.' && at[-1] != '$' &&
			       !(at[-1] == '>' && at - start > 1 &&
				 at[-2] == '-'));
}

/* The text with numbers for names of enums; NULL: there is no memory. */
static char *constants_write(struct compiler *compiler, const char *text)
{
	const char *at = text;
	char *out = NULL;
	size_t bytes, len;
	int64_t value;
	FILE *to = open_memstream(&out, &bytes);

	while (to && *at) {
		for (len = 0; isalnum((unsigned char)at[len]) || at[len] == '_';)
			len++;
		if (!len || isdigit((unsigned char)*at) || !is_apart(text, at) ||
		    !constant_find(compiler, at, len, &value))
			fprintf(to, "%.*s", (int)(len ? len : 1), at);
		else
			fprintf(to, value > INT32_MAX ? " 0x%llx" : " %lld",
				(long long)value);
		at += len ? len : 1;
	}
	if (to && fclose(to)) {
		free(out);
		out = NULL;
	}
	return out;
}

int gtdbg_condition_emit(struct compiler *compiler, const char *condition,
			 bool is_exact)
{
	struct terms terms = { .compiler = compiler };
	struct logic logic = {
		.term = term_add, .expand = term_expand, .context = &terms,
	};
	char *text = constants_write(compiler, condition);
	int ret;

	if (!text)
		return -ENOMEM;
	if (strchr(text, HALF_LOWER) || strchr(text, HALF_UPPER) ||
	    gtdbg_logic_parse(&logic, text))
		ret = refuse_more(compiler);
	else
		ret = emit_some(&terms, &logic, is_exact);
	free(text);
	return ret;
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
