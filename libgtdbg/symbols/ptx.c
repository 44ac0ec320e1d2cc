// SPDX-License-Identifier: MIT
/*
 * Reads PTX text. Only what bears on debug information is understood: labels,
 * .file, .loc, and the data of .section; of all else, no more than where it
 * ends.
 */
#include "ptx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 1024

/* Kinds of tokens besides single characters. */
#define TOKEN_END	0
#define TOKEN_WORD	'w'
#define TOKEN_STRING	's'

struct token {
	char kind;
	const char *text;
	size_t len;
	uint32_t line;
};

struct reader {
	const char *at;
	const char *end;
	uint32_t line;		/* of @at */
	uint32_t position;	/* where the code goes on */
	int depth;		/* of braces */
	int section;		/* that is being filled, or -1 */
	struct gtdbg_ptx_elf *elf;
};

static void skip_blanks(struct reader *reader)
{
	for (; reader->at < reader->end; reader->at++) {
		if (*reader->at == '\n')
			reader->line++;
		if (strchr(" \t\r\n", *reader->at) && *reader->at)
			continue;
		if (reader->end - reader->at < 2 ||
		    memcmp(reader->at, "//", 2) != 0)
			return;
		while (reader->at + 1 < reader->end && reader->at[1] != '\n')
			reader->at++;
	}
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.' ||
	       c == '%';
}

static struct token next(struct reader *reader)
{
	struct token token = { 0 };

	skip_blanks(reader);
	token.text = reader->at;
	token.line = reader->line;
	if (reader->at == reader->end)
		return token;
	if (*reader->at == '"') {
		token.kind = TOKEN_STRING;
		token.text = ++reader->at;
		while (reader->at < reader->end && *reader->at != '"' &&
		       *reader->at != '\n')
			reader->at++;
		token.len = reader->at - token.text;
		reader->at += reader->at < reader->end && *reader->at == '"';
		return token;
	}
	token.kind = *reader->at;
	if (!is_word(*reader->at)) {
		reader->at++;
		return token;
	}
	token.kind = TOKEN_WORD;
	while (reader->at < reader->end && is_word(*reader->at))
		reader->at++;
	token.len = reader->at - token.text;
	return token;
}

static struct token peek(const struct reader *reader)
{
	struct reader copy = *reader;

	return next(&copy);
}

static bool token_is(const struct token *token, const char *word)
{
	return token->kind == TOKEN_WORD && token->len == strlen(word) &&
	       memcmp(token->text, word, token->len) == 0;
}

static int token_copy(const struct token *token, char *out)
{
	if ((token->kind != TOKEN_WORD && token->kind != TOKEN_STRING) ||
	    token->len >= WORD_MAX)
		return -EBADMSG;
	memcpy(out, token->text, token->len);
	out[token->len] = '\0';
	return 0;
}

static int token_number(const struct token *token, uint64_t *out)
{
	char word[WORD_MAX], *end;

	if (token->kind != TOKEN_WORD || token_copy(token, word) ||
	    word[0] < '0' || word[0] > '9')
		return -EBADMSG;
	*out = strtoull(word, &end, 0);
	return *end && strcmp(end, "U") ? -EBADMSG : 0;
}

/* A number behind an optional sign. */
static int signed_number(struct reader *reader, uint64_t *out)
{
	struct token token = next(reader);
	bool is_negative = token.kind == '-';
	uint64_t value;

	if (token.kind == '-' || token.kind == '+')
		token = next(reader);
	if (token_number(&token, &value))
		return -EBADMSG;
	*out = is_negative ? -value : value;
	return 0;
}

/* One operand of .b8 and so on: a number, or a symbol with an offset. */
static int read_operand(struct reader *reader, size_t width)
{
	struct token token = peek(reader), sign;
	char symbol[WORD_MAX];
	uint64_t value = 0;

	if (token.kind != TOKEN_WORD ||
	    (token.text[0] >= '0' && token.text[0] <= '9')) {
		if (signed_number(reader, &value))
			return -EBADMSG;
		gtdbg_ptx_elf_number(reader->elf, reader->section, value,
				     width);
		return 0;
	}
	next(reader);
	sign = peek(reader);
	/* The difference of two labels is nothing that PTX can express. */
	if (token_copy(&token, symbol) ||
	    ((sign.kind == '+' || sign.kind == '-') &&
	     signed_number(reader, &value)))
		return -EBADMSG;
	/* A section stands for its own start. */
	if (symbol[0] == '.')
		gtdbg_ptx_elf_number(reader->elf, reader->section, value,
				     width);
	else
		gtdbg_ptx_elf_reference(reader->elf, reader->section,
					symbol, value, width);
	return 0;
}

static int read_data(struct reader *reader, size_t width)
{
	int ret;

	do {
		ret = read_operand(reader, width);
		if (ret || peek(reader).kind != ',')
			return ret;
		next(reader);
	} while (1);
}

static size_t data_width(const struct token *token)
{
	static const char *const names[] = { ".b8", ".b16", ".b32", ".b64" };
	int i;

	for (i = 0; i < 4; i++) {
		if (token_is(token, names[i]))
			return 1u << i;
	}
	return 0;
}

static int read_label(struct reader *reader, const struct token *token,
		      uint64_t value)
{
	char word[WORD_MAX];

	if (next(reader).kind != ':' || token_copy(token, word))
		return -EBADMSG;
	gtdbg_ptx_elf_define(reader->elf, word, value);
	return 0;
}

static int read_section(struct reader *reader)
{
	struct token token = next(reader);
	char name[WORD_MAX];
	size_t width;
	int ret;

	if (token_copy(&token, name) || next(reader).kind != '{')
		return -EBADMSG;
	reader->section = gtdbg_ptx_elf_section(reader->elf, name);
	if (reader->section < 0)
		return reader->section;
	for (token = next(reader); token.kind != '}'; token = next(reader)) {
		width = data_width(&token);
		if (width)
			ret = read_data(reader, width);
		else
			ret = read_label(reader, &token, gtdbg_ptx_elf_offset(
				reader->elf, reader->section));
		if (ret)
			return ret;
	}
	return 0;
}

/* .file NUMBER "PATH", or .file NUMBER "DIRECTORY" "NAME" */
static int read_file(struct reader *reader)
{
	char name[WORD_MAX], path[2 * WORD_MAX];
	struct token token = next(reader);
	uint64_t number;

	if (token_number(&token, &number))
		return -EBADMSG;
	token = next(reader);
	if (token.kind != TOKEN_STRING || token_copy(&token, path))
		return -EBADMSG;
	if (peek(reader).kind == TOKEN_STRING) {
		token = next(reader);
		if (token_copy(&token, name))
			return -EBADMSG;
		if (name[0] == '/')
			path[0] = '\0';
		else
			strcat(path, "/");
		strcat(path, name);
	}
	gtdbg_ptx_elf_file(reader->elf, number, path);
	return 0;
}

/* .loc FILE LINE COLUMN */
static int read_loc(struct reader *reader)
{
	uint64_t numbers[3];
	struct token token;
	int i;

	for (i = 0; i < 3; i++) {
		token = next(reader);
		if (token_number(&token, &numbers[i]))
			return -EBADMSG;
	}
	gtdbg_ptx_elf_row(reader->elf, reader->position, numbers[0],
			  numbers[1], numbers[2]);
	return 0;
}

static void skip_line(struct reader *reader, uint32_t line)
{
	struct token token = peek(reader);

	while (token.kind != TOKEN_END && token.line == line) {
		next(reader);
		token = peek(reader);
	}
}

/* A declaration ends at a semicolon, or at the brace that opens a function. */
static void skip_declaration(struct reader *reader)
{
	struct token token = peek(reader);
	bool has_value = false;

	while (token.kind != TOKEN_END) {
		has_value |= token.kind == '=';
		if (!has_value && (token.kind == '{' || token.kind == '}'))
			return;
		next(reader);
		if (token.kind == ';')
			return;
		token = peek(reader);
	}
}

static void skip_instruction(struct reader *reader)
{
	struct token token = next(reader);

	while (token.kind != TOKEN_END && token.kind != ';')
		token = next(reader);
	reader->position = token.line + 1;
}

static void read_brace(struct reader *reader, const struct token *token)
{
	reader->depth += token->kind == '{' ? 1 : -1;
	if (token->kind == '}' && reader->depth <= 0)
		gtdbg_ptx_elf_rows_end(reader->elf, reader->position);
	if (reader->position <= token->line)
		reader->position = token->line + 1;
}

static int read_statement(struct reader *reader, const struct token *token)
{
	int ret = 0;

	if (token->kind == '{' || token->kind == '}') {
		read_brace(reader, token);
	} else if (token_is(token, ".section")) {
		ret = read_section(reader);
	} else if (token_is(token, ".file") || token_is(token, ".loc")) {
		ret = token_is(token, ".file") ? read_file(reader) :
						 read_loc(reader);
		skip_line(reader, token->line);
	} else if (token_is(token, ".version") || token_is(token, ".target") ||
		   token_is(token, ".address_size")) {
		skip_line(reader, token->line);
	} else if (token->kind == TOKEN_WORD && peek(reader).kind == ':') {
		ret = read_label(reader, token, reader->position);
	} else if (token->kind == TOKEN_WORD && token->text[0] == '.') {
		skip_declaration(reader);
	} else if (token->kind != ';') {
		skip_instruction(reader);
	}
	return ret;
}

bool gtdbg_ptx_is_text(const char *text, size_t len_bytes)
{
	struct reader reader = { .at = text, .end = text + len_bytes };
	struct token token = next(&reader);

	return token_is(&token, ".version");
}

int gtdbg_ptx_read(const char *text, size_t len_bytes, char **elf_out,
		   size_t *elf_len_bytes_out)
{
	struct reader reader = {
		.at = text, .end = text + len_bytes, .line = 1, .position = 1,
		.elf = gtdbg_ptx_elf_create(),
	};
	struct token token;
	int ret = 0;

	if (!reader.elf)
		return -ENOMEM;
	/* A text in a C string ends with its NUL. */
	if (len_bytes && !text[len_bytes - 1])
		reader.end--;
	for (token = next(&reader); !ret && token.kind != TOKEN_END;
	     token = next(&reader))
		ret = read_statement(&reader, &token);
	if (!ret)
		ret = gtdbg_ptx_elf_finish(reader.elf, elf_out,
					   elf_len_bytes_out);
	gtdbg_ptx_elf_destroy(reader.elf);
	return ret;
}
