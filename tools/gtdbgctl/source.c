// SPDX-License-Identifier: MIT
/* Source text: what the program gave to the compiler, else a file. */
#include "debugger.h"
#include "source_file.h"

#include <gtdbg_core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Less text may be in another one by chance. */
#define MATCH_MIN 32

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Equal paths are equal texts; of what came without one, only the last part counts. */
static bool is_file_of(const struct module *module, const char *file)
{
	if (!strchr(module->name, '/') || !strchr(file, '/')) {
		file = path_base(file);
		return strcmp(path_base(module->name), file) == 0;
	}
	return strcmp(module->name, file) == 0;
}

struct module *source_module(struct debugger *debugger, const char *file)
{
	struct module *module = debugger->modules;

	while (module && (!module->name || !module->source_size ||
			  !is_file_of(module, file)))
		module = module->next;
	return module;
}

static const char *text_find(struct debugger *debugger, const char *file)
{
	struct module *module = source_module(debugger, file);

	return module ? module_source(debugger, module) : NULL;
}

bool source_is_module(struct debugger *debugger, const char *file)
{
	return text_find(debugger, file);
}

/* How many lines stand before @part in @whole; -1: it is not in there. */
static int64_t lines_before(const char *whole, const char *part)
{
	const char *found = strstr(whole, part);
	int64_t lines = 0;

	if (!found)
		return -1;
	for (; whole < found; whole++)
		lines += *whole == '\n';
	return lines;
}

bool source_match(struct debugger *debugger, struct module *module,
		  const char *file, int64_t *delta)
{
	const char *compiled = module_source(debugger, module);
	char *text = compiled ? source_file_read(file) : NULL;
	int64_t lines = -1;

	if (text && strlen(text) >= MATCH_MIN && strlen(compiled) >= MATCH_MIN) {
		lines = lines_before(text, compiled);
		*delta = lines;
		if (lines < 0) {
			lines = lines_before(compiled, text);
			*delta = -lines;
		}
	}
	free(text);
	return lines >= 0;
}

static int text_print(const char *text, uint32_t first, uint32_t last)
{
	int printed = 0;
	uint32_t line;

	for (line = 1; *text && line <= last; line++) {
		size_t len = strcspn(text, "\n");

		if (line >= first) {
			printf("%u\t%.*s\n", line, (int)len, text);
			printed++;
		}
		text += len + (text[len] == '\n');
	}
	return printed ? printed : -1;
}

/* Each stop asks for it: one that is not there is looked for again a second later. */
static char *file_get(struct debugger *debugger, const char *file)
{
	struct timespec now;
	char *text;

	if (debugger->is_core &&
	    !gtdbg_core_source_read(debugger->session, file, &text))
		return text;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if (debugger->absent_file && now.tv_sec <= debugger->absent_until &&
	    strcmp(debugger->absent_file, file) == 0)
		return NULL;
	free(debugger->absent_file);
	text = source_file_read(file);
	debugger->absent_file = text ? NULL : strdup(file);
	debugger->absent_until = now.tv_sec;
	return text;
}

/* The text, and in @from_file what the caller has to free; NULL if none. */
static const char *text_get(struct debugger *debugger, const char *file,
			    char **from_file)
{
	const char *text = text_find(debugger, file);

	*from_file = text ? NULL : file_get(debugger, file);
	return text ? text : *from_file;
}

int source_print(struct debugger *debugger, const char *file, uint32_t first,
		 uint32_t last)
{
	char *from_file;
	const char *text = text_get(debugger, file, &from_file);
	int ret = text ? text_print(text, first, last) : -1;

	free(from_file);
	return ret;
}

char *source_line(struct debugger *debugger, const char *file, uint32_t line)
{
	char *from_file, *copy = NULL;
	const char *at = text_get(debugger, file, &from_file);
	uint32_t i;

	for (i = 1; at && *at && i < line; i++) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	if (at && *at && line)
		copy = strndup(at, strcspn(at, "\n"));
	free(from_file);
	return copy;
}

int source_lines(struct debugger *debugger, const char *file)
{
	char *from_file;
	const char *at = text_get(debugger, file, &from_file);
	int lines = at ? 0 : -1;

	for (; at && *at; lines++) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	free(from_file);
	return lines;
}
