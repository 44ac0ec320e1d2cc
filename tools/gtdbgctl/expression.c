// SPDX-License-Identifier: MIT
/* A recursive-descent evaluator: parsing and computing go hand in hand. */
#include "expression.h"

#include "convenience.h"
#include "debugger.h"
#include "literal.h"
#include "operator.h"
#include "value.h"
#include "vector.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64

struct parser {
	struct debugger *debugger;
	const char *at;
	int depth;
};

static struct value *parse_binary(struct parser *parser, int level);
static struct value *parse_unary(struct parser *parser);

static void skip_space(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

static bool accept(struct parser *parser, const char *token)
{
	size_t len = strlen(token);

	skip_space(parser);
	if (strncmp(parser->at, token, len) != 0)
		return false;
	parser->at += len;
	return true;
}

static struct value *syntax_error(struct parser *parser)
{
	if (*parser->at)
		fail(parser->debugger, "A syntax error in expression, near `%s'.",
		     parser->at);
	else
		fail(parser->debugger, "A syntax error in expression, near `'.");
	return NULL;
}

static bool read_word(struct parser *parser, char *word, size_t capacity)
{
	size_t len = 0;

	skip_space(parser);
	if (!isalpha((unsigned char)*parser->at) && *parser->at != '_')
		return false;
	while (isalnum((unsigned char)*parser->at) || *parser->at == '_') {
		if (len + 1 < capacity)
			word[len++] = *parser->at;
		parser->at++;
	}
	word[len] = 0;
	return true;
}

static struct gtdbg_symbols *symbols_current(struct parser *parser)
{
	struct debugger *debugger = parser->debugger;

	if (debugger->checked)
		return debugger->checked->symbols;
	if (!debugger->has_thread)
		return NULL;
	return kernel_symbols(debugger,
			      thread_kernel(debugger, &debugger->thread));
}

static struct value *parse_character(struct parser *parser)
{
	struct value *value = literal_character(&parser->at);

	return value ? value : syntax_error(parser);
}

static struct value *history_value(struct parser *parser, const char *name)
{
	struct debugger *debugger = parser->debugger;
	size_t count = debugger->history_count;
	size_t number = *name ? strtoul(name, NULL, 10) : count;

	if (!count && !*name) {
		fail(debugger, "The history is empty.");
		return NULL;
	}
	if (!number || number > count) {
		fail(debugger, "History has not yet reached $%s.", name);
		return NULL;
	}
	return value_copy(debugger->history[number - 1]);
}

/* A GPU address of code: as in gdb, what is added to it are bytes. */
static struct value *code_value(uint64_t address)
{
	static const struct gtdbg_type code = {
		.kind = GTDBG_TYPE_FUNCTION, .name = "void ()",
	};
	static const struct gtdbg_type pointer = {
		.kind = GTDBG_TYPE_POINTER, .name = "void (*)()",
		.size_bytes = sizeof(address), .target = &code,
	};
	struct value *value = value_create(&pointer);

	if (value)
		memcpy(value->bytes, &address, sizeof(address));
	return value;
}

/* The number of the lane's work-item, or of its group, in one dimension. */
static int number_read(struct parser *parser, bool is_group, uint32_t dimension,
		       uint32_t *out)
{
	struct debugger *debugger = parser->debugger;
	const struct place *checked = debugger->checked;
	const struct gtdbg_machine *machine = checked ? checked->machine :
		gtdbg_stop_machine(debugger->stop);
	struct gtdbg_symbols *symbols = symbols_current(parser);
	uint64_t pc = checked ? checked->frame.pc : debugger->frames[0].pc;
	int ret = -EOPNOTSUPP;

	if (debugger->skips) {
		*out = 0;
		return 0;
	}
	if (symbols && is_group)
		ret = gtdbg_group_read(symbols, machine, dimension, out);
	else if (symbols)
		ret = gtdbg_item_read(symbols, pc, machine, debugger->lane,
				      dimension, out);
	if (ret == -ENODATA && checked)
		ret = 0;
	if (ret == -ESTALE)
		fail(debugger, "Work-items have no numbers here any more: the registers were written over, or a function was called.");
	else if (ret == -EOPNOTSUPP)
		fail(debugger, "The code does not show the numbers of work-items.");
	else if (ret)
		fail(debugger, "Cannot read registers: %s.", strerror(-ret));
	return ret;
}

/* "$item.x", "$group.z", or all three of them. */
static struct value *number_value(struct parser *parser, bool is_group)
{
	static const struct gtdbg_type element = {
		.kind = GTDBG_TYPE_UNSIGNED, .name = "unsigned int",
		.size_bytes = 4,
	};
	static const struct gtdbg_type all = {
		.kind = GTDBG_TYPE_VECTOR, .name = "uint3", .size_bytes = 12,
		.count = 3, .target = &element,
	};
	const char *at = parser->at;
	bool is_one = at[0] == '.' && at[1] >= 'x' && at[1] <= 'z' &&
		      !isalnum((unsigned char)at[2]) && at[2] != '_';
	uint32_t first = is_one ? at[1] - 'x' : 0, i;
	struct value *value = value_create(is_one ? &element : &all);

	for (i = 0; value && i < (is_one ? 1 : 3); i++) {
		if (!number_read(parser, is_group, first + i,
				 (uint32_t *)value->bytes + i))
			continue;
		free(value);
		return NULL;
	}
	parser->at += is_one ? 2 : 0;
	return value;
}

/* By level of precedence; longer operators stand before their beginnings. */
static const struct {
	int level;
	const char *text;
} operators[] = {
	{ 0, "<<=" }, { 0, ">>=" }, { 0, "+=" }, { 0, "-=" }, { 0, "*=" },
	{ 0, "/=" }, { 0, "%=" }, { 0, "&=" }, { 0, "|=" }, { 0, "^=" },
	{ 0, "?" }, { 1, "||" }, { 2, "&&" }, { 6, "==" }, { 6, "!=" }, { 8, "<<" },
	{ 8, ">>" }, { 7, "<=" }, { 7, ">=" }, { 7, "<" }, { 7, ">" },
	{ 3, "|" }, { 4, "^" }, { 5, "&" }, { 10, "+" }, { 10, "-" },
	{ 9, "@" }, { 11, "*" }, { 11, "/" }, { 11, "%" }, { 0, "=" },
};

static const char *operator_peek(struct parser *parser, int *level)
{
	size_t i;

	skip_space(parser);
	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (strncmp(parser->at, operators[i].text,
			    strlen(operators[i].text)) == 0) {
			*level = operators[i].level;
			return operators[i].text;
		}
	}
	return NULL;
}

/* "=", or with @is_changed "+=" and the like. */
static bool is_assigned(struct parser *parser, bool is_changed)
{
	int level;
	const char *text = operator_peek(parser, &level);

	return text && !level && text[0] != '?' &&
	       (text[0] != '=') == is_changed;
}

static bool is_given(const char *name)
{
	static const char *const names[] = { "pc", "ip", "item", "group" };
	struct gtdbg_register_name found;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return !gtdbg_register_find_name(name, &found);
}

/* One of the user's own, which begins when something is assigned to it. */
static struct value *convenience_parse(struct parser *parser, const char *name)
{
	struct debugger *debugger = parser->debugger;
	struct convenience *found = convenience_find(debugger, name);
	const struct value *value = found ? convenience_value(found) : NULL;
	struct value *out;

	if (is_assigned(parser, false)) {
		if (!found)
			found = convenience_create(debugger, name);
		out = found ? value_integer("int", 0) : NULL;
		if (!out) {
			fail(debugger, "Out of memory.");
			return NULL;
		}
		out->place = VALUE_CONVENIENCE;
		out->convenience = found;
		return out;
	}
	out = value ? value_copy(value) : NULL;
	if (out && is_assigned(parser, true)) {
		out->place = VALUE_CONVENIENCE;
		out->convenience = found;
	}
	if (value)
		return out;
	fail(debugger, "$%s is no register, and nothing was assigned to it.",
	     name);
	return NULL;
}

static struct value *parse_dollar(struct parser *parser)
{
	char name[64];
	size_t len = 0;

	while ((isalnum((unsigned char)*parser->at) || *parser->at == '_') &&
	       len + 1 < sizeof(name))
		name[len++] = *parser->at++;
	name[len] = 0;
	if (!len || isdigit((unsigned char)name[0]))
		return history_value(parser, name);
	if (!is_given(name))
		return convenience_parse(parser, name);
	if (debugger_need_thread(parser->debugger))
		return NULL;
	if (strcmp(name, "pc") == 0 || strcmp(name, "ip") == 0)
		return code_value(frame_address(parser->debugger));
	if (strcmp(name, "item") == 0 || strcmp(name, "group") == 0)
		return number_value(parser, name[0] == 'g');
	return value_of_register(parser->debugger, name);
}

static struct value *parse_variable(struct parser *parser)
{
	struct debugger *debugger = parser->debugger;
	struct gtdbg_symbols *symbols;
	const struct gtdbg_type *type;
	struct gtdbg_variable variable;
	struct gtdbg_function function;
	char name[256];
	int64_t number;

	if (!read_word(parser, name, sizeof(name)))
		return syntax_error(parser);
	symbols = symbols_current(parser);
	if (symbols && !gtdbg_variable_find(symbols, frame_current(debugger),
					    name, &variable))
		return value_of_variable(debugger, &variable);
	if (symbols && !gtdbg_function_find_name(symbols, name, &function))
		return code_value(debugger->thread.address + function.start -
				  debugger->frames[0].pc);
	if (symbols && !gtdbg_enumerator_find(symbols, name, &type, &number))
		return value_number(type, number);
	if (!symbols)
		fail(debugger, "No symbol table is loaded.");
	else
		fail(debugger, "No symbol \"%s\" in current context.", name);
	return NULL;
}

/* Words that say nothing about the size or kind of a type. */
static bool word_is_noise(const char *word)
{
	static const char *const noise[] = {
		"const", "volatile", "struct", "union", "enum", "__global",
		"global", "__local", "local", "__private", "private",
		"__constant", "constant",
	};
	size_t i;

	for (i = 0; i < sizeof(noise) / sizeof(noise[0]); i++) {
		if (strcmp(word, noise[i]) == 0)
			return true;
	}
	return false;
}

/* A type name with its asterisks; leaves the parser alone if it is none. */
static const struct gtdbg_type *parse_type(struct parser *parser)
{
	struct gtdbg_symbols *symbols = symbols_current(parser);
	const struct gtdbg_type *type = NULL;
	const char *start = parser->at;
	char name[256] = "", word[64];

	while (read_word(parser, word, sizeof(word))) {
		if (word_is_noise(word))
			continue;
		if (strlen(name) + strlen(word) + 2 > sizeof(name))
			break;
		if (name[0])
			strcat(name, " ");
		strcat(name, word);
	}
	if (gtdbg_type_find_name(symbols, name, &type))
		type = vector_type_find(name);
	if (!type) {
		parser->at = start;
		return NULL;
	}
	while (symbols && accept(parser, "*")) {
		if (gtdbg_type_pointer(symbols, type, &type))
			return NULL;
	}
	return type;
}

/* A variable hides a type of its name. */
static bool is_variable(struct parser *parser)
{
	struct gtdbg_symbols *symbols = symbols_current(parser);
	const char *start = parser->at;
	struct gtdbg_variable variable;
	char name[256];
	bool is_one;

	is_one = symbols && read_word(parser, name, sizeof(name)) &&
		 !gtdbg_variable_find(symbols, frame_current(parser->debugger),
				      name, &variable);
	parser->at = start;
	return is_one;
}

/* "(float4)(1, v.yz, 2)", from behind the second parenthesis on. */
static struct value *parse_vector(struct parser *parser,
				  const struct gtdbg_type *type)
{
	struct vector_maker maker = { .debugger = parser->debugger };
	struct value *part;

	if (vector_begin(&maker, type))
		return NULL;
	do {
		part = parse_binary(parser, 0);
		if (!part || vector_add(&maker, part)) {
			free(maker.out);
			return NULL;
		}
	} while (accept(parser, ","));
	if (accept(parser, ")"))
		return vector_end(&maker);
	free(maker.out);
	return syntax_error(parser);
}

/* An array is the address of its first element, but for "@". */
static struct value *decay(struct parser *parser, const char *text,
			   struct value *value)
{
	struct gtdbg_symbols *symbols = symbols_current(parser);
	struct value *first;

	if (!symbols || value->type->kind != GTDBG_TYPE_ARRAY ||
	    value->place != VALUE_MEMORY || text[0] == '@')
		return value;
	/* It has an address even where there is no value. */
	first = value_part(value, value->type->target, 0);
	free(value);
	return first ? operator_address(parser->debugger, symbols, first) :
	       NULL;
}

/* Of an array a pointer gets the address, and not the elements. */
static struct value *cast(struct parser *parser, struct value *value,
			  const struct gtdbg_type *type)
{
	if (value && type->kind == GTDBG_TYPE_POINTER)
		value = decay(parser, "", value);
	return value ? operator_cast(parser->debugger, value, type) : NULL;
}

static struct value *parse_parentheses(struct parser *parser)
{
	const struct gtdbg_type *type = NULL;
	const char *start = parser->at;
	struct value *value;

	if (!is_variable(parser))
		type = parse_type(parser);
	if (type && accept(parser, ")")) {
		if (type->kind == GTDBG_TYPE_VECTOR && accept(parser, "("))
			return parse_vector(parser, type);
		return cast(parser, parse_unary(parser), type);
	}
	parser->at = start;
	value = parse_binary(parser, 0);
	if (value && !accept(parser, ")")) {
		free(value);
		return syntax_error(parser);
	}
	return value;
}

static struct value *parse_primary(struct parser *parser)
{
	skip_space(parser);
	if (isdigit((unsigned char)*parser->at) ||
	    (*parser->at == '.' && isdigit((unsigned char)parser->at[1])))
		return literal_number(parser->debugger, &parser->at);
	if (*parser->at == '\'')
		return parse_character(parser);
	if (accept(parser, "$"))
		return parse_dollar(parser);
	if (accept(parser, "("))
		return parse_parentheses(parser);
	return parse_variable(parser);
}

static struct value *parse_index(struct parser *parser, struct value *value)
{
	struct value *index = parse_binary(parser, 0);

	if (!index) {
		free(value);
		return NULL;
	}
	if (!accept(parser, "]")) {
		free(value);
		free(index);
		return syntax_error(parser);
	}
	return operator_index(parser->debugger, value, index);
}

static struct value *parse_postfix(struct parser *parser)
{
	struct value *value = parse_primary(parser);
	char name[256];

	while (value) {
		if (accept(parser, "[")) {
			value = parse_index(parser, value);
			continue;
		}
		if (accept(parser, "->"))
			value = operator_dereference(parser->debugger, value);
		else if (!accept(parser, "."))
			break;
		if (!value)
			return NULL;
		if (!read_word(parser, name, sizeof(name))) {
			free(value);
			return syntax_error(parser);
		}
		value = operator_member(parser->debugger, value, name);
	}
	return value;
}

static struct value *parse_sizeof(struct parser *parser)
{
	unsigned int guesses = parser->debugger->guesses;
	const char *start = parser->at;
	const struct gtdbg_type *type = NULL;
	struct value *value, *size;

	if (accept(parser, "(")) {
		if (!is_variable(parser))
			type = parse_type(parser);
		if (type && accept(parser, ")"))
			return value_integer("unsigned long",
					     type->size_bytes);
		parser->at = start;
	}
	parser->debugger->skips++;
	value = parse_unary(parser);
	parser->debugger->skips--;
	if (!value)
		return NULL;
	size = value_integer("unsigned long", value->type->size_bytes);
	free(value);
	if (guesses == parser->debugger->guesses)
		return size;
	free(size);
	fail(parser->debugger, "Of what 'sizeof' is asked for nothing is computed, so no number of repetitions, either.");
	return NULL;
}

/* "{int} ADDRESS": what lies there. */
static struct value *parse_contents(struct parser *parser)
{
	struct gtdbg_symbols *symbols = symbols_current(parser);
	const struct gtdbg_type *type = parse_type(parser);
	struct value *value;

	if (!type || !symbols || !accept(parser, "}") ||
	    gtdbg_type_pointer(symbols, type, &type))
		return syntax_error(parser);
	value = cast(parser, parse_unary(parser), type);
	return value ? operator_dereference(parser->debugger, value) : NULL;
}

static struct value *parse_prefix(struct parser *parser)
{
	static const char prefixes[] = "-!~*&+";
	struct debugger *debugger = parser->debugger;
	struct value *value;
	char prefix;

	skip_space(parser);
	if (strncmp(parser->at, "sizeof", 6) == 0 &&
	    !isalnum((unsigned char)parser->at[6]) && parser->at[6] != '_') {
		parser->at += 6;
		return parse_sizeof(parser);
	}
	if (accept(parser, "{"))
		return parse_contents(parser);
	if (!*parser->at || !strchr(prefixes, *parser->at))
		return parse_postfix(parser);
	prefix = *parser->at++;
	value = parse_unary(parser);
	if (!value)
		return NULL;
	switch (prefix) {
	case '*':
		return operator_dereference(debugger, value);
	case '&':
		return operator_address(debugger, symbols_current(parser),
					value);
	default:
		return operator_unary(debugger, prefix, value);
	}
}

static bool deepen(struct parser *parser)
{
	if (parser->depth == DEPTH_MAX) {
		fail(parser->debugger, "Expression is nested too deeply.");
		return false;
	}
	parser->depth++;
	return true;
}

static struct value *parse_unary(struct parser *parser)
{
	struct value *value;

	if (!deepen(parser))
		return NULL;
	value = parse_prefix(parser);
	parser->depth--;
	return value;
}

/* What stands on the right, of "x = y", or what x becomes by "x += y". */
static struct value *parse_assigned(struct parser *parser, const char *text,
				    const struct value *left)
{
	char operator[4] = "";
	struct value *right = NULL;

	memcpy(operator, text, strlen(text) - 1);
	if (deepen(parser)) {
		right = parse_binary(parser, 0);
		parser->depth--;
	}
	if (right && !operator[0] && left->type->kind == GTDBG_TYPE_POINTER)
		right = decay(parser, "", right);
	if (right && operator[0])
		right = operator_binary(parser->debugger, operator,
					value_copy(left),
					decay(parser, operator, right));
	if (right && value_is_vector(left) && !value_is_vector(right))
		right = operator_cast(parser->debugger, right, left->type);
	return right;
}

static struct value *parse_assignment(struct parser *parser, const char *text,
				      struct value *left)
{
	bool is_own = left->place == VALUE_CONVENIENCE;
	struct value *right = parse_assigned(parser, text, left);
	int ret = -1;

	if (right && is_own)
		ret = convenience_set(parser->debugger, left->convenience,
				      right);
	else if (right)
		ret = value_assign(parser->debugger, left, right);
	/* The user's own has the type of what it is given. */
	if (ret || is_own) {
		free(left);
		left = NULL;
	}
	if (!ret && is_own)
		return right;
	free(right);
	return left;
}

/* The one, as what both could be. Takes them over. */
static struct value *choose(struct parser *parser, struct value *chosen,
			    struct value *other)
{
	if (other->type->kind == GTDBG_TYPE_POINTER)
		chosen = decay(parser, "", chosen);
	if (chosen && chosen->type->kind == GTDBG_TYPE_POINTER)
		other = decay(parser, "", other);
	if (chosen && other)
		return operator_choose(parser->debugger, chosen, other);
	free(chosen);
	free(other);
	return NULL;
}

/* One of two, and only that one is computed. Takes the condition over. */
static struct value *parse_choice(struct parser *parser,
				  struct value *condition)
{
	struct debugger *debugger = parser->debugger;
	int truth = operator_truth(debugger, condition);
	struct value *first, *second;

	free(condition);
	if (truth < 0 || !deepen(parser))
		return NULL;
	debugger->skips += !truth;
	first = parse_binary(parser, 0);
	debugger->skips -= !truth;
	if (first && !accept(parser, ":")) {
		free(first);
		first = syntax_error(parser);
	}
	debugger->skips += truth;
	second = first ? parse_binary(parser, 0) : NULL;
	debugger->skips -= truth;
	parser->depth--;
	/* Without a second one there is no value. */
	if (second)
		return choose(parser, truth ? first : second,
			      truth ? second : first);
	free(first);
	return NULL;
}

static struct value *parse_binary(struct parser *parser, int level)
{
	struct value *left = parse_unary(parser), *right;
	const char *text;
	bool is_decided;
	int next;

	while (left && (text = operator_peek(parser, &next)) && next >= level) {
		parser->at += strlen(text);
		if (next == 0) {
			left = text[0] == '?' ? parse_choice(parser, left) :
			       parse_assignment(parser, text, left);
			continue;
		}
		is_decided = operator_decides(text, left);
		parser->debugger->skips += is_decided;
		right = parse_binary(parser, next + 1);
		parser->debugger->skips -= is_decided;
		if (!right) {
			free(left);
			return NULL;
		}
		left = operator_binary(parser->debugger, text,
				       decay(parser, text, left),
				       decay(parser, text, right));
	}
	return left;
}

struct value *expression_evaluate(struct debugger *debugger, const char *text)
{
	struct parser parser = { .debugger = debugger, .at = text };
	struct value *value = parse_binary(&parser, 0);

	if (!value)
		return NULL;
	skip_space(&parser);
	if (*parser.at) {
		free(value);
		return syntax_error(&parser);
	}
	return value;
}

const struct gtdbg_type *expression_type(struct debugger *debugger,
					 const char *text)
{
	struct parser parser = { .debugger = debugger, .at = text };
	const struct gtdbg_type *type;

	if (is_variable(&parser))
		return NULL;
	type = parse_type(&parser);
	skip_space(&parser);
	return *parser.at ? NULL : type;
}

int expression_condition(struct debugger *debugger, const char *text,
			 bool *holds_out)
{
	struct value *value = expression_evaluate(debugger, text);
	int truth = value ? operator_truth(debugger, value) : -1;

	free(value);
	if (truth < 0)
		return -EINVAL;
	*holds_out = truth;
	return 0;
}

int expression_integer(struct debugger *debugger, const char *text,
		       int64_t *out)
{
	struct value *value = expression_evaluate(debugger, text);
	int ret = value ? operator_integer(debugger, value, out) : -1;

	free(value);
	return ret;
}

struct value *expression_evaluate_at(struct debugger *debugger,
				     const struct place *place,
				     const char *text)
{
	struct value *value;

	debugger->checked = place;
	value = expression_evaluate(debugger, text);
	debugger->checked = NULL;
	return value;
}

int expression_check(struct debugger *debugger, const struct place *place,
		     const char *text)
{
	struct value *value = expression_evaluate_at(debugger, place, text);
	int ret = -EINVAL;

	if (value && value_is_number(value))
		ret = 0;
	else if (value)
		fail(debugger, "Argument to arithmetic operation not a number or boolean.");
	free(value);
	return ret;
}
