// SPDX-License-Identifier: MIT
/* Source text: what the program gave to the compiler, else a file. */
#include "debugger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *text_find(struct debugger *debugger, const char *file)
{
	struct module *module;

	for (module = debugger->modules; module; module = module->next) {
		if (module->name && strcmp(path_base(module->name),
					   path_base(file)) == 0 &&
		    module_source(debugger, module))
			return module->source;
	}
	return NULL;
}

static char *file_read(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, 0, file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
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

/* The text, and in @from_file what the caller has to free; NULL if none. */
static const char *text_get(struct debugger *debugger, const char *file,
			    char **from_file)
{
	const char *text = text_find(debugger, file);

	*from_file = text ? NULL : file_read(file);
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
