// SPDX-License-Identifier: MIT
/*
 * Source texts. The compiler writes the name that a text gets into what it makes of it,
 * and programs keep that for later runs, so it is a path with a hash of the text: equal
 * names mean equal texts. Users see the last part of it, which is short.
 */
#include "hook.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "/gtdbg/"
#define DIGITS 16

static struct gtdbg_hook_source *sources;

uint64_t gtdbg_hook_hash(uint64_t before, const void *bytes, size_t len)
{
	uint64_t value = before ^ 0xcbf29ce484222325ull;
	const uint8_t *at = bytes;

	while (len--)
		value = (value ^ *at++) * 0x100000001b3ull;
	return value;
}

struct gtdbg_hook_source *gtdbg_hook_source_get(const char *text, size_t len)
{
	uint64_t hash = gtdbg_hook_hash(0, text, len);
	struct gtdbg_hook_source *source;

	for (source = sources; source; source = source->next) {
		if (source->hash == hash && source->len_bytes == len &&
		    memcmp(source->text, text, len) == 0)
			return source;
	}
	source = calloc(1, sizeof(*source));
	if (!source)
		return NULL;
	source->text = malloc(len);
	if (!source->text) {
		free(source);
		return NULL;
	}
	memcpy(source->text, text, len);
	source->len_bytes = len;
	source->hash = hash;
	source->number = sources ? sources->number + 1 : 1;
	source->next = sources;
	sources = source;
	return source;
}

void gtdbg_hook_source_name(const struct gtdbg_hook_source *source, char *name,
			    size_t capacity)
{
	snprintf(name, capacity, FOLDER "%0*" PRIx64 "/%s_%u.cl", DIGITS,
		 source ? source->hash : 0, program_invocation_short_name,
		 source ? source->number : 0);
}

/* The text of a folder's name; NULL: of another run. */
static struct gtdbg_hook_source *source_of(const char *name, size_t len)
{
	struct gtdbg_hook_source *source = sources;
	char digits[DIGITS + 1] = "";
	uint64_t hash;

	if (len < DIGITS)
		return NULL;
	memcpy(digits, name, DIGITS);
	hash = strtoull(digits, NULL, 16);
	while (source && source->hash != hash)
		source = source->next;
	return source;
}

static bool is_letter(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

static bool has_word(const struct gtdbg_hook_source *source, const char *word)
{
	const char *at = source->text, *end = at + source->len_bytes;
	size_t len = strlen(word);

	while (len && (at = memmem(at, end - at, word, len))) {
		if ((at == source->text || !is_letter(at[-1])) &&
		    (at + len == end || !is_letter(at[len])))
			return true;
		at += len;
	}
	return false;
}

/* A kernel of a linked program may name the texts of others as well, its own last. */
struct gtdbg_hook_source *
gtdbg_hook_source_find(const struct gtdbg_hook_kernel *kernel,
		       struct gtdbg_hook_source *unsaid)
{
	const char *at = kernel->elf, *end = at + kernel->elf_len_bytes;

	while (at && (at = memmem(at, end - at, FOLDER, strlen(FOLDER)))) {
		at += strlen(FOLDER);
		unsaid = source_of(at, end - at);
		if (unsaid && has_word(unsaid, kernel->name))
			break;
	}
	return unsaid;
}

void gtdbg_hook_sources_forget(void)
{
	sources = NULL;
}
