// SPDX-License-Identifier: MIT
/*
 * Files of source, which lines of the code name in which threads stand, and which no module
 * has brought: what a program includes, or all of one that came without its source. The
 * path is the program's word, and the core file goes to others: so only such files are
 * taken that the program could have read itself, as their owner or because all may, of
 * text, and of no great size.
 */
#include "core.h"

#include "debugger.h"
#include "source_file.h"

#include <gtdbg_core.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX	256
#define FILE_BYTES_MAX	(1u << 20)
#define TOTAL_BYTES_MAX	(16u << 20)
#define PATH_BYTES_MAX	4095	/* that a reader takes */
#define STEP_BYTES	8

struct sources {
	struct debugger *debugger;
	struct core_notes *notes;
	const char *path[FILES_MAX];	/* asked for already; the symbols' own */
	size_t count;
	size_t total;
	struct source_reader reader;
};

static char *text_take(const struct sources *sources, const char *path)
{
	size_t len_max = TOTAL_BYTES_MAX - sources->total;
	char *text = NULL;

	if (len_max > FILE_BYTES_MAX)
		len_max = FILE_BYTES_MAX;
	/* What a core file names is nobody's word. */
	if (!sources->debugger->is_core)
		return source_file_take(path, &sources->reader, len_max);
	return gtdbg_core_source_read(sources->debugger->session, path, &text) ?
	       NULL : text;
}

static void source_note(struct sources *sources, const char *path)
{
	struct gtdbg_core_source head = { .path_len_bytes = strlen(path) };
	size_t i, len;
	char *text;

	for (i = 0; i < sources->count; i++)
		if (strcmp(sources->path[i], path) == 0)
			return;
	if (i == FILES_MAX || head.path_len_bytes > PATH_BYTES_MAX)
		return;
	sources->path[sources->count++] = path;
	if (source_is_module(sources->debugger, path))
		return;
	text = text_take(sources, path);
	if (!text)
		return;
	len = strlen(text);
	sources->total += len;
	core_note_begin(sources->notes, GTDBG_CORE_SOURCE);
	core_note_add(sources->notes, &head, sizeof(head));
	core_note_add(sources->notes, path, head.path_len_bytes);
	core_note_add(sources->notes, text, len);
	core_note_end(sources->notes);
	free(text);
}

static void kernel_sources(struct sources *sources, uint32_t id)
{
	struct kernel *kernel = kernel_find(sources->debugger, id);
	struct gtdbg_symbols *symbols;
	struct gtdbg_line line;
	uint64_t pc = 0, step;
	size_t left;

	symbols = kernel ? kernel_symbols(sources->debugger, kernel) : NULL;
	if (!symbols)
		return;
	/* What is left counts: the code's address is the program's word, too. */
	gtdbg_symbols_text(symbols, &pc, &left);
	for (; left && !wait_is_interrupted; pc += step, left -= step) {
		step = STEP_BYTES;
		if (!gtdbg_line_find(symbols, pc, &line) && line.end > pc) {
			if (line.file && *line.file)
				source_note(sources, line.file);
			step = line.end - pc;
		}
		if (step > left)
			step = left;
	}
}

static int kernel_compare(const void *a, const void *b)
{
	uint32_t kernel_a = ((const struct gtdbg_thread_info *)a)->kernel;
	uint32_t kernel_b = ((const struct gtdbg_thread_info *)b)->kernel;

	return kernel_a < kernel_b ? -1 : kernel_a > kernel_b;
}

void core_notes_sources(struct debugger *debugger, struct core_notes *notes)
{
	struct sources *sources = calloc(1, sizeof(*sources));
	struct gtdbg_thread_info *threads;
	int count, i;

	if (!sources || (!debugger->is_core &&
			 source_reader_find(debugger->pid, &sources->reader))) {
		free(sources);
		return;
	}
	sources->debugger = debugger;
	sources->notes = notes;
	count = thread_list(debugger, &threads);
	/* Threads of several kernels are mixed: each kernel is walked once. */
	if (count > 0)
		qsort(threads, count, sizeof(*threads), kernel_compare);
	for (i = 0; i < count; i++)
		if (!i || threads[i].kernel != threads[i - 1].kernel)
			kernel_sources(sources, threads[i].kernel);
	if (count >= 0)
		free(threads);
	free(sources);
}
