// SPDX-License-Identifier: MIT
#include "logic.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16

struct parser {
	struct logic *logic;
	const char *at;
	int depth;
	int ret;
};

static void parse_any(struct parser *parser, bool is_not,
		      struct logic_form *out);

/* If either holds. */
static void form_or(struct logic_form *form, const struct logic_form *other)
{
	form->is_too_long |= other->is_too_long;
	if (!form->count || !other->count) {
		form->count = 0;
		return;
	}
	for (uint32_t i = 0; i < other->count; i++) {
		if (form->count == LOGIC_LITERALS_MAX) {
			form->is_too_long = true;
			form->count = 0;
			return;
		}
		form->clause[form->count++] = other->clause[i];
	}
}

/* What does not fit is left out, that is true. */
static void clause_and(struct logic_form *form, struct logic_clause *clause,
		       const struct logic_clause *other)
{
	for (uint32_t i = 0; i < other->count; i++) {
		if (clause->count == LOGIC_LITERALS_MAX) {
			form->is_too_long = true;
			return;
		}
		clause->term[clause->count] = other->term[i];
		clause->is_not[clause->count++] = other->is_not[i];
	}
}

/* If both hold: each alternative of one with each of the other. */
static void form_and(struct logic_form *form, const struct logic_form *other)
{
	struct logic_form product = {
		.is_too_long = form->is_too_long || other->is_too_long,
	};

	if (!other->count || !form->count) {
		if (!form->count)
			*form = *other;
		form->is_too_long = product.is_too_long;
		return;
	}
	if (form->count * other->count > LOGIC_LITERALS_MAX) {
		form->is_too_long = true;
		return;
	}
	for (uint32_t i = 0; i < form->count; i++) {
		for (uint32_t j = 0; j < other->count; j++) {
			product.clause[product.count] = form->clause[i];
			clause_and(&product, &product.clause[product.count++],
				   &other->clause[j]);
		}
	}
	*form = product;
}

static void skip_space(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

static bool take(struct parser *parser, const char *word)
{
	skip_space(parser);
	if (strncmp(parser->at, word, strlen(word)) != 0)
		return false;
	parser->at += strlen(word);
	return true;
}

/* The end of a term: what joins it to others stands there, or nothing. */
static const char *term_end(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		if (*at == '(' || *at == '[')
			depth++;
		else if ((*at == ')' || *at == ']') && !depth--)
			break;
		else if (!depth && (strncmp(at, "&&", 2) == 0 ||
				    strncmp(at, "||", 2) == 0))
			break;
	}
	return at;
}

/* Does a parenthesis here hold all of the term? */
static bool is_whole(const char *at)
{
	int depth = 0;
	const char *end = at;

	for (; *end; end++) {
		depth += (*end == '(') - (*end == ')');
		if (!depth)
			break;
	}
	if (!*end)
		return false;
	end++;
	while (isspace((unsigned char)*end))
		end++;
	return end == term_end(at);
}

static void form_set(struct logic_form *form, int term, bool is_not)
{
	memset(form, 0, sizeof(*form));
	if (term == LOGIC_TERM_NONE)
		return;
	form->count = 1;
	form->clause[0].count = 1;
	form->clause[0].term[0] = (uint8_t)term;
	form->clause[0].is_not[0] = is_not;
}

static void parse_term(struct parser *parser, bool is_not,
		       struct logic_form *out)
{
	struct logic *logic = parser->logic;
	const char *end = term_end(parser->at);
	size_t len = (size_t)(end - parser->at);
	char *other = logic->expand(logic->context, parser->at, len);
	struct parser inner = {
		.logic = logic, .at = other, .depth = parser->depth,
	};

	if (other) {
		parse_any(&inner, is_not, out);
		parser->ret = inner.ret;
		free(other);
	} else {
		form_set(out, logic->term(logic->context, parser->at, len),
			 is_not);
	}
	parser->at = end;
}

static void parse_one(struct parser *parser, bool is_not,
		      struct logic_form *out)
{
	const char *at;
	bool turn = is_not;

	skip_space(parser);
	for (at = parser->at; *at == '!' || isspace((unsigned char)*at); at++)
		turn ^= *at == '!';
	if (*at != '(' || !is_whole(at)) {
		parse_term(parser, is_not, out);
		return;
	}
	parser->at = at + 1;
	if (++parser->depth > DEPTH_MAX)
		parser->ret = -EINVAL;
	if (!parser->ret)
		parse_any(parser, turn, out);
	parser->depth--;
	if (!take(parser, ")"))
		parser->ret = -EINVAL;
}

/* Of a negation, each part is negated, and "and" turns into "or". */
static void parse_all(struct parser *parser, bool is_not,
		      struct logic_form *out)
{
	struct logic_form other;

	parse_one(parser, is_not, out);
	while (!parser->ret && take(parser, "&&")) {
		parse_one(parser, is_not, &other);
		if (is_not)
			form_or(out, &other);
		else
			form_and(out, &other);
	}
}

static void parse_any(struct parser *parser, bool is_not,
		      struct logic_form *out)
{
	struct logic_form other;

	parse_all(parser, is_not, out);
	while (!parser->ret && take(parser, "||")) {
		parse_all(parser, is_not, &other);
		if (is_not)
			form_and(out, &other);
		else
			form_or(out, &other);
	}
}

/* Operators that bind less than || and &&, and texts. */
static bool is_plain(const char *at)
{
	for (char last = 0; *at; last = *at++) {
		if (strchr("?,\"'", *at))
			return false;
		if (*at == '=' && at[1] == '=')
			last = *at++;
		else if (*at == '=' && (!last || !strchr("!<>", last)))
			return false;
	}
	return true;
}

/* All of it at once, if there is an || on the outside. */
static void parse_whole(struct parser *parser, const char *text)
{
	struct logic *logic = parser->logic;

	parser->at = text;
	logic->count = 1;
	parse_any(parser, false, &logic->form[0]);
}

int gtdbg_logic_parse(struct logic *logic, const char *text)
{
	struct parser parser = { .logic = logic, .at = text };
	struct logic_form form;

	if (!is_plain(text))
		return -EINVAL;
	logic->count = 0;
	do {
		if (logic->count == LOGIC_TERMS_MAX)
			return -EINVAL;
		parse_one(&parser, false, &form);
		logic->form[logic->count] = form;
		if (logic->count) {
			logic->form[logic->count] =
				logic->form[logic->count - 1];
			form_and(&logic->form[logic->count], &form);
		}
		logic->count++;
	} while (!parser.ret && take(&parser, "&&"));
	if (!parser.ret && take(&parser, "||"))
		parse_whole(&parser, text);
	return parser.ret || *parser.at ? -EINVAL : 0;
}
