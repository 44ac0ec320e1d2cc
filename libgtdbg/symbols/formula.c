// SPDX-License-Identifier: MIT
/*
 * A tree is made of the text, with comparisons as numbers: what is not less is 1 without
 * it, what is equal differs by less than 1. What the routine compares with a number
 * is found again when operations are made of it.
 */
#include "formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX	160	/* of calls: 16 parentheses */
#define SIGN		0x80000000u
#define LANES_NOT	0xffu

/* Beside GTDBG_SIP_COMPUTE_*. */
enum {
	KIND_NUMBER = GTDBG_SIP_COMPUTE_LAST + 1,
	KIND_OPERAND,
};

struct parser {
	struct compiler *compiler;
	struct formula *formula;
	const char *at;
	int depth;
	int ret;
};

static int refuse_more(struct compiler *compiler)
{
	return gtdbg_program_refuse(compiler,
				    "it is more than comparisons and arithmetic of 32 bits");
}

static uint8_t refuse(struct parser *parser)
{
	if (!parser->ret)
		parser->ret = refuse_more(parser->compiler);
	return 0;
}

/*
 * Nodes
 */

static uint32_t compute(uint32_t kind, uint32_t left, uint32_t right)
{
	switch (kind) {
	case GTDBG_SIP_COMPUTE_ADD:
		return left + right;
	case GTDBG_SIP_COMPUTE_SUBTRACT:
		return left - right;
	case GTDBG_SIP_COMPUTE_AND:
		return left & right;
	case GTDBG_SIP_COMPUTE_OR:
		return left | right;
	case GTDBG_SIP_COMPUTE_XOR:
		return left ^ right;
	case GTDBG_SIP_COMPUTE_MULTIPLY:
		return left * right;
	case GTDBG_SIP_COMPUTE_SHIFT_LEFT:
		return left << (right & 31);
	case GTDBG_SIP_COMPUTE_SHIFT_RIGHT:
		return left >> (right & 31);
	case GTDBG_SIP_COMPUTE_SHIFT_SIGNED:
		return (uint32_t)((int32_t)left >> (right & 31));
	case GTDBG_SIP_COMPUTE_LESS:
		return (int32_t)left < (int32_t)right;
	default:
		return left < right;
	}
}

static const struct formula_node *node_at(const struct parser *parser,
					  uint8_t at)
{
	return &parser->formula->node[at];
}

static bool is_number(const struct parser *parser, uint8_t at)
{
	return node_at(parser, at)->kind == KIND_NUMBER;
}

static uint8_t node_add(struct parser *parser, struct formula_node node)
{
	struct formula *formula = parser->formula;

	if (parser->ret)
		return 0;
	if (formula->count == FORMULA_NODES_MAX) {
		parser->ret = gtdbg_program_refuse_long(parser->compiler);
		return 0;
	}
	formula->node[formula->count] = node;
	return formula->count++;
}

static uint8_t number_add(struct parser *parser, uint32_t number,
			  bool is_unsigned)
{
	return node_add(parser, (struct formula_node){
		.kind = KIND_NUMBER, .number = number,
		.is_unsigned = is_unsigned });
}

static uint8_t float_add(struct parser *parser, uint32_t bits)
{
	return node_add(parser, (struct formula_node){
		.kind = KIND_NUMBER, .number = bits, .is_float = true });
}

static uint8_t single_add(struct parser *parser, float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return float_add(parser, bits);
}

static uint8_t pair_add(struct parser *parser, uint8_t kind, uint8_t left,
			uint8_t right, bool is_unsigned)
{
	if (kind < KIND_NUMBER && is_number(parser, left) &&
	    is_number(parser, right))
		return number_add(parser,
				  compute(kind, node_at(parser, left)->number,
					  node_at(parser, right)->number),
				  is_unsigned);
	return node_add(parser, (struct formula_node){
		.kind = kind, .left = left, .right = right,
		.is_unsigned = is_unsigned });
}

/* Is either operand unsigned? Then both are, but for a shorter one. */
static bool either_unsigned(const struct parser *parser, uint8_t left,
			    uint8_t right)
{
	const struct formula_node *one = node_at(parser, left);
	const struct formula_node *other = node_at(parser, right);
	bool is_long = one->is_long || other->is_long;

	return (one->is_unsigned && one->is_long == is_long) ||
	       (other->is_unsigned && other->is_long == is_long);
}

static bool either_long(const struct parser *parser, uint8_t left, uint8_t right)
{
	return node_at(parser, left)->is_long || node_at(parser, right)->is_long;
}

static uint8_t usual_add(struct parser *parser, uint8_t kind, uint8_t left,
			 uint8_t right)
{
	bool is_long = either_long(parser, left, right);
	uint8_t node = pair_add(parser, kind, left, right,
				either_unsigned(parser, left, right));

	parser->formula->node[node].is_long |= is_long;
	return node;
}

/* Is it a number that is not less than 0, or one of 64 bits? */
static bool is_natural(const struct parser *parser, uint8_t at)
{
	const struct formula_node *node = node_at(parser, at);

	return node->is_long ||
	       (is_number(parser, at) && (int32_t)node->number >= 0);
}

/* What has no sign, else the routine would stop each thread. */
static uint8_t long_add(struct parser *parser, uint8_t kind, uint8_t left,
			uint8_t right)
{
	const struct formula_node *node = node_at(parser, right);
	bool is_minus = kind == GTDBG_SIP_COMPUTE_SUBTRACT_LONG;

	if (kind != GTDBG_SIP_COMPUTE_MULTIPLY_LONG &&
	    is_number(parser, right) && !node->is_unsigned &&
	    !is_natural(parser, right)) {
		kind = is_minus ? GTDBG_SIP_COMPUTE_ADD_LONG :
		       GTDBG_SIP_COMPUTE_SUBTRACT_LONG;
		right = number_add(parser, -node->number, false);
	}
	if ((is_number(parser, left) && !is_natural(parser, left)) ||
	    (is_number(parser, right) && !is_natural(parser, right)))
		return refuse(parser);
	return usual_add(parser, kind, left, right);
}

static uint8_t sum_add(struct parser *parser, char operator, uint8_t left,
		       uint8_t right)
{
	if (either_long(parser, left, right))
		return long_add(parser, operator == '+' ?
				GTDBG_SIP_COMPUTE_ADD_LONG :
				GTDBG_SIP_COMPUTE_SUBTRACT_LONG, left, right);
	return usual_add(parser, operator == '+' ? GTDBG_SIP_COMPUTE_ADD :
			 GTDBG_SIP_COMPUTE_SUBTRACT, left, right);
}

/* A bit that is set in the upper half of either would be lost. */
static uint8_t bits_add(struct parser *parser, uint8_t kind, uint8_t left,
			uint8_t right)
{
	return either_long(parser, left, right) &&
	       !(is_natural(parser, left) && is_natural(parser, right)) ?
	       refuse(parser) : usual_add(parser, kind, left, right);
}

static uint8_t less_add(struct parser *parser, uint8_t left, uint8_t right)
{
	/* A long is from 0 to INT32_MAX here, so it is compared alike with either. */
	bool is_below = node_at(parser, left)->is_unsigned ||
			node_at(parser, right)->is_unsigned;

	return pair_add(parser, is_below ? GTDBG_SIP_COMPUTE_BELOW :
			GTDBG_SIP_COMPUTE_LESS, left, right, false);
}

/* 1 if it is 0, and 0 if it is not. */
static uint8_t not_add(struct parser *parser, uint8_t node)
{
	return pair_add(parser, GTDBG_SIP_COMPUTE_BELOW, node,
			number_add(parser, 1, true), false);
}

/*
 * By a number, and not one with which the quotient may be none. The kind of a remainder
 * follows that of its quotient.
 */
static uint8_t divide_add(struct parser *parser, bool is_rest, uint8_t left,
			  uint8_t right)
{
	uint32_t by = node_at(parser, right)->number;
	bool is_unsigned = either_unsigned(parser, left, right);
	uint8_t kind = is_unsigned ? GTDBG_SIP_COMPUTE_QUOTIENT_UNSIGNED :
		       GTDBG_SIP_COMPUTE_QUOTIENT;

	if (!is_number(parser, right) || is_number(parser, left) || !by ||
	    by == UINT32_MAX || (node_at(parser, left)->is_long &&
				 !is_natural(parser, right)))
		return refuse(parser);
	return usual_add(parser, kind + is_rest, left, right);
}

static uint8_t shift_add(struct parser *parser, bool is_left, uint8_t left,
			 uint8_t right)
{
	bool is_unsigned = node_at(parser, left)->is_unsigned;
	uint32_t by = node_at(parser, right)->number;

	if (!is_number(parser, right) || by > 31)
		return refuse(parser);
	if (node_at(parser, left)->is_long && is_left)
		return by == 31 ? refuse(parser) :
		       long_add(parser, GTDBG_SIP_COMPUTE_MULTIPLY_LONG, left,
				number_add(parser, 1U << by, false));
	if (node_at(parser, left)->is_long)
		return usual_add(parser, GTDBG_SIP_COMPUTE_SHIFT_RIGHT, left,
				 right);
	return pair_add(parser, is_left ? GTDBG_SIP_COMPUTE_SHIFT_LEFT :
			is_unsigned ? GTDBG_SIP_COMPUTE_SHIFT_RIGHT :
			GTDBG_SIP_COMPUTE_SHIFT_SIGNED, left, right, is_unsigned);
}

static uint8_t refuse_float(struct parser *parser)
{
	if (!parser->ret)
		parser->ret = gtdbg_program_refuse(parser->compiler,
						   "floats are compared with floats, and nothing else");
	return 0;
}

/* The float that is the same as a whole number, which the text has. */
static uint8_t as_float(struct parser *parser, uint8_t at)
{
	const struct formula_node *node = node_at(parser, at);
	int32_t number = (int32_t)node->number;

	if (node->is_float)
		return at;
	if (!is_number(parser, at) || (node->is_unsigned && number < 0) ||
	    number > FLOAT_WHOLE_MAX || number < -FLOAT_WHOLE_MAX)
		return refuse_float(parser);
	return single_add(parser, (float)number);
}

static uint8_t join_floats(struct parser *parser, const char *operator,
			   uint8_t left, uint8_t right)
{
	bool is_turned = *operator == '>';
	uint8_t kind = strchr("=!", *operator) ? GTDBG_SIP_COMPUTE_FLOAT_EQUAL :
		       operator[1] ? GTDBG_SIP_COMPUTE_FLOAT_MOST :
		       GTDBG_SIP_COMPUTE_FLOAT_LESS, node;

	if (!strchr("=!<>", *operator) ||
	    (operator[1] == *operator && *operator != '=') ||
	    (is_number(parser, left) && is_number(parser, right)))
		return refuse_float(parser);
	left = as_float(parser, left);
	right = as_float(parser, right);
	node = pair_add(parser, kind, is_turned ? right : left,
			is_turned ? left : right, false);
	return *operator == '!' ? not_add(parser, node) : node;
}

/*
 * The text
 */

static uint8_t parse_level(struct parser *parser, int level);

/* What the text compares with a float has to be one. */
static uint8_t parse_real(struct parser *parser)
{
	double real;

	if (!gtdbg_text_real(&parser->at, &real))
		return refuse(parser);
	return (double)(float)real == real ? single_add(parser, (float)real) :
	       refuse_float(parser);
}

/* As in C, without a suffix: of 32 bits, unsigned if it is hexadecimal and large. */
static uint8_t parse_number(struct parser *parser)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(parser->at, &end, 0);
	if (*end == '.' || *end == 'e')
		return parse_real(parser);
	if (errno || isalnum((unsigned char)*end) || *end == '_' ||
	    number > UINT32_MAX ||
	    (number > INT32_MAX && *parser->at != '0'))
		return refuse(parser);
	parser->at = end;
	return number_add(parser, (uint32_t)number, number > INT32_MAX);
}

/* Less than 32 bits come without their sign. */
static uint8_t operand_add(struct parser *parser)
{
	struct formula *formula = parser->formula;
	struct operand *operand = &formula->operand[formula->operands];
	uint8_t node, bits;

	memset(operand, 0, sizeof(*operand));
	if (!gtdbg_operand_take(&parser->at, operand))
		return refuse(parser);
	parser->ret = gtdbg_operand_find(parser->compiler, operand);
	operand->is_long = operand->bytes == 8;
	if (!parser->ret && operand->is_long &&
	    parser->compiler->must_decide)
		parser->ret = gtdbg_operand_refuse(parser->compiler, operand);
	bits = operand->is_long ? 0 : (uint8_t)(32 - 8 * operand->bytes);
	node = node_add(parser, (struct formula_node){
		.kind = KIND_OPERAND, .number = formula->operands++,
		.is_unsigned = !operand->is_signed && !operand->is_float && !bits,
		.is_float = operand->is_float, .is_long = operand->is_long });
	if (!bits || !operand->is_signed)
		return node;
	node = pair_add(parser, GTDBG_SIP_COMPUTE_SHIFT_LEFT, node,
			number_add(parser, bits, false), false);
	return pair_add(parser, GTDBG_SIP_COMPUTE_SHIFT_SIGNED, node,
			number_add(parser, bits, false), false);
}

static uint8_t parse_primary(struct parser *parser)
{
	uint8_t node;

	gtdbg_text_skip(&parser->at);
	if (isdigit((unsigned char)*parser->at))
		return parse_number(parser);
	if (!gtdbg_text_take(&parser->at, "("))
		return parser->formula->operands == FORMULA_OPERANDS_MAX ?
		       refuse(parser) : operand_add(parser);
	node = parse_level(parser, 0);
	return gtdbg_text_take(&parser->at, ")") ? node : refuse(parser);
}

static uint8_t unary_float(struct parser *parser, char sign, uint8_t at)
{
	if (sign == '-' && is_number(parser, at))
		return float_add(parser, node_at(parser, at)->number ^ SIGN);
	return sign == '+' ? at : refuse_float(parser);
}

static uint8_t parse_unary(struct parser *parser)
{
	char sign;
	uint8_t node;

	gtdbg_text_skip(&parser->at);
	sign = *parser->at;
	if (!sign || !strchr("+-~!", sign))
		return parse_primary(parser);
	parser->at++;
	if (++parser->depth > DEPTH_MAX)
		return refuse(parser);
	node = parse_unary(parser);
	parser->depth--;
	if (!parser->ret && node_at(parser, node)->is_float)
		return unary_float(parser, sign, node);
	if (!parser->ret && node_at(parser, node)->is_long && strchr("-~", sign))
		return refuse(parser);
	switch (sign) {
	case '-':
		return usual_add(parser, GTDBG_SIP_COMPUTE_SUBTRACT,
				 number_add(parser, 0, false), node);
	case '~':
		return usual_add(parser, GTDBG_SIP_COMPUTE_XOR, node,
				 number_add(parser, UINT32_MAX, false));
	case '!':
		return not_add(parser, node);
	default:
		return node;
	}
}

/* What binds least comes first. No operator stands where one before it in a row does. */
static const char *const levels[][5] = {
	{ "|" }, { "^" }, { "&" }, { "==", "!=" }, { "<=", ">=", "<", ">" },
	{ "<<", ">>" }, { "+", "-" }, { "*", "/", "%" },
};

#define LEVELS ((int)(sizeof(levels) / sizeof(levels[0])))

/* NULL: another level's, or none. */
static const char *take_operator(struct parser *parser, int level)
{
	gtdbg_text_skip(&parser->at);
	for (const char *const *text = levels[level]; *text; text++) {
		size_t len = strlen(*text);

		if (strncmp(parser->at, *text, len) != 0 ||
		    (len == 1 && strchr("<>", **text) &&
		     parser->at[1] == **text))
			continue;
		parser->at += len;
		return *text;
	}
	return NULL;
}

static uint8_t join(struct parser *parser, const char *operator, uint8_t left,
		    uint8_t right)
{
	bool is_double = operator[1] == operator[0];

	if (node_at(parser, left)->is_float || node_at(parser, right)->is_float)
		return join_floats(parser, operator, left, right);
	switch (*operator) {
	case '|':
		return bits_add(parser, GTDBG_SIP_COMPUTE_OR, left, right);
	case '^':
		return bits_add(parser, GTDBG_SIP_COMPUTE_XOR, left, right);
	case '&':
		return usual_add(parser, GTDBG_SIP_COMPUTE_AND, left, right);
	case '+':
	case '-':
		return sum_add(parser, *operator, left, right);
	case '*':
		return either_long(parser, left, right) ?
		       long_add(parser, GTDBG_SIP_COMPUTE_MULTIPLY_LONG, left,
				right) :
		       usual_add(parser, GTDBG_SIP_COMPUTE_MULTIPLY, left, right);
	case '/':
	case '%':
		return divide_add(parser, *operator == '%', left, right);
	case '=':
		return not_add(parser, usual_add(parser, GTDBG_SIP_COMPUTE_XOR,
						 left, right));
	case '!':
		return not_add(parser, not_add(parser,
			usual_add(parser, GTDBG_SIP_COMPUTE_XOR, left, right)));
	default:
		break;
	}
	if (is_double)
		return shift_add(parser, *operator == '<', left, right);
	/* a <= b is that b < a does not hold. */
	if (operator[1])
		return not_add(parser, *operator == '<' ?
			       less_add(parser, right, left) :
			       less_add(parser, left, right));
	return *operator == '<' ? less_add(parser, left, right) :
	       less_add(parser, right, left);
}

static uint8_t parse_level(struct parser *parser, int level)
{
	const char *operator;
	uint8_t left, right;

	if (++parser->depth > DEPTH_MAX)
		return refuse(parser);
	left = level == LEVELS ? parse_unary(parser) :
	       parse_level(parser, level + 1);
	while (!parser->ret && level < LEVELS &&
	       (operator = take_operator(parser, level))) {
		right = parse_level(parser, level + 1);
		if (!parser->ret)
			left = join(parser, operator, left, right);
	}
	parser->depth--;
	return left;
}

int gtdbg_formula_parse(struct compiler *compiler, const char *text,
			struct formula *formula)
{
	struct parser parser = { .compiler = compiler, .formula = formula,
				 .at = text };

	memset(formula, 0, sizeof(*formula));
	formula->top = parse_level(&parser, 0);
	gtdbg_text_skip(&parser.at);
	if (!parser.ret && *parser.at)
		refuse(&parser);
	else if (!parser.ret && node_at(&parser, formula->top)->is_float)
		refuse_float(&parser);
	return parser.ret;
}

/*
 * Operations
 */

static int emit_node(struct compiler *compiler, const struct formula *formula,
		     uint8_t at);

static bool has_number(const struct formula *formula, uint8_t at)
{
	return formula->node[at].kind == KIND_NUMBER;
}

static bool needs_both(const struct formula *formula, uint8_t at)
{
	const struct formula_node *node = &formula->node[at];

	if (node->kind == KIND_OPERAND)
		return gtdbg_operand_needs_both(&formula->operand[node->number]);
	if (node->kind == KIND_NUMBER)
		return false;
	return (!has_number(formula, node->left) &&
		!has_number(formula, node->right)) ||
	       needs_both(formula, node->left) ||
	       needs_both(formula, node->right);
}

static int emit_compute(struct compiler *compiler, uint32_t kind,
			uint32_t number, uint32_t flags)
{
	compiler->has_value = false;
	return gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE, number, kind,
				  flags);
}

/* What comes second must leave alone what is kept. */
static int emit_both(struct compiler *compiler, const struct formula *formula,
		     const struct formula_node *node)
{
	bool is_turned = !needs_both(formula, node->right);
	uint8_t first = is_turned ? node->left : node->right;
	uint8_t second = is_turned ? node->right : node->left;
	int ret;

	if (needs_both(formula, second))
		return gtdbg_program_refuse(compiler,
					    "it takes more than two numbers at once");
	ret = emit_node(compiler, formula, first);
	if (!ret)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_KEEP, 0, 0, 0);
	if (!ret)
		ret = emit_node(compiler, formula, second);
	return ret ? ret : emit_compute(compiler, node->kind, 0,
					GTDBG_SIP_COMPUTE_KEPT |
					(is_turned ? GTDBG_SIP_COMPUTE_TURNED :
					 0));
}

static int emit_operand(struct compiler *compiler,
			const struct operand *operand)
{
	bool was_fused = compiler->is_fused;
	int ret;

	compiler->is_fused = true;
	ret = gtdbg_operand_emit(compiler, operand);
	compiler->is_fused = was_fused;
	return ret;
}

/* Its value, in all lanes that are left. */
static int emit_node(struct compiler *compiler, const struct formula *formula,
		     uint8_t at)
{
	const struct formula_node *node = &formula->node[at];
	bool is_turned;
	int ret;

	if (node->kind == KIND_OPERAND)
		return emit_operand(compiler, &formula->operand[node->number]);
	is_turned = has_number(formula, node->left);
	if (!is_turned && !has_number(formula, node->right))
		return emit_both(compiler, formula, node);
	ret = emit_node(compiler, formula, is_turned ? node->right : node->left);
	return ret ? ret :
	       emit_compute(compiler, node->kind,
			    formula->node[is_turned ? node->left :
					  node->right].number,
			    is_turned ? GTDBG_SIP_COMPUTE_TURNED : 0);
}

/* That the value of @at is more or less than a number, or not equal to it. */
static int emit_compare(struct compiler *compiler,
			const struct formula *formula, uint8_t at, uint32_t op,
			uint32_t number, uint32_t bias, bool is_not)
{
	int ret = emit_node(compiler, formula, at);

	return ret ? ret : gtdbg_program_emit(compiler, op, number ^ bias, bias,
					      is_not ? LANES_NOT : 0);
}

static int emit_truth(struct compiler *compiler, const struct formula *formula,
		      uint8_t at, bool is_not)
{
	const struct formula_node *node = &formula->node[at];
	uint32_t left = formula->node[node->left].number;
	uint32_t right = formula->node[node->right].number, bias;
	bool has_right = has_number(formula, node->right);

	switch (node->kind) {
	case GTDBG_SIP_COMPUTE_BELOW:
		if (has_right && right == 1)
			return emit_truth(compiler, formula, node->left,
					  !is_not);
		/* fall through */
	case GTDBG_SIP_COMPUTE_LESS:
		bias = node->kind == GTDBG_SIP_COMPUTE_BELOW ? SIGN : 0;
		if (has_right)
			return emit_compare(compiler, formula, node->left,
					    GTDBG_SIP_OP_LESS, right, bias,
					    is_not);
		if (has_number(formula, node->left))
			return emit_compare(compiler, formula, node->right,
					    GTDBG_SIP_OP_GREATER, left, bias,
					    is_not);
		break;
	case GTDBG_SIP_COMPUTE_XOR:
		if (has_right)
			return emit_compare(compiler, formula, node->left,
					    GTDBG_SIP_OP_EQUAL, right, 0,
					    !is_not);
		break;
	default:
		break;
	}
	return emit_compare(compiler, formula, at, GTDBG_SIP_OP_EQUAL, 0, 0,
			    !is_not);
}

int gtdbg_formula_emit_value(struct compiler *compiler,
			     const struct formula *formula)
{
	if (has_number(formula, formula->top))
		return refuse_more(compiler);
	return emit_node(compiler, formula, formula->top);
}

bool gtdbg_formula_is_long(const struct formula *formula)
{
	return formula->node[formula->top].is_long;
}

bool gtdbg_formula_needs_both(const struct formula *formula)
{
	return needs_both(formula, formula->top);
}

bool gtdbg_formula_number(const struct formula *formula, int64_t *out)
{
	uint32_t number = formula->node[formula->top].number;

	*out = gtdbg_formula_is_unsigned(formula) ? (int64_t)number :
	       (int32_t)number;
	return has_number(formula, formula->top);
}

bool gtdbg_formula_is_unsigned(const struct formula *formula)
{
	return formula->node[formula->top].is_unsigned;
}

int gtdbg_formula_emit(struct compiler *compiler,
		       const struct formula *formula, bool is_not)
{
	if (has_number(formula, formula->top))
		return refuse_more(compiler);
	return emit_truth(compiler, formula, formula->top, is_not);
}
