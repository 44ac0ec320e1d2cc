// SPDX-License-Identifier: MIT
/*
 * Source lines. A *row* is one entry of the line table; it covers the code up
 * to the next row's address.
 */
#include "symbols.h"

#include "scope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESSES_MAX 64

struct row {
	Dwarf_Addr address;
	int line;
	int column;
	bool is_statement;
	bool is_prologue_end;
	bool is_sequence_end;
	const char *file;
};

static void row_read(Dwarf_Lines *lines, size_t index, struct row *row)
{
	Dwarf_Line *line = dwarf_onesrcline(lines, index);

	memset(row, 0, sizeof(*row));
	dwarf_lineaddr(line, &row->address);
	dwarf_lineno(line, &row->line);
	dwarf_linecol(line, &row->column);
	dwarf_linebeginstatement(line, &row->is_statement);
	dwarf_lineprologueend(line, &row->is_prologue_end);
	dwarf_lineendsequence(line, &row->is_sequence_end);
	row->file = dwarf_linesrc(line, NULL, NULL);
}

/* The ranges of all lines, in the order of their addresses. */
struct table {
	struct gtdbg_line *lines;
	size_t count;
	size_t capacity;
};

static int table_add(struct table *table, const struct row *row, uint64_t end)
{
	struct gtdbg_line *lines = table->lines;
	size_t capacity = table->capacity ? 2 * table->capacity : 256;

	/* A line program may name a file that its unit does not have. */
	if (end <= row->address || !row->file)
		return 0;
	if (table->count == table->capacity) {
		lines = realloc(lines, capacity * sizeof(*lines));
		if (!lines)
			return -ENOMEM;
		table->lines = lines;
		table->capacity = capacity;
	}
	lines[table->count++] = (struct gtdbg_line){
		.file = row->file, .line = row->line, .column = row->column,
		.start = row->address, .end = end,
		.is_statement = row->is_statement,
	};
	return 0;
}

/* Behind a row, is one the same line, by no statement of its own? */
static bool row_goes_on(const struct row *row, const struct row *next)
{
	return next->line == row->line && !next->is_statement &&
	       !next->is_sequence_end &&
	       (next->file == row->file ||
		(next->file && row->file &&
		 strcmp(next->file, row->file) == 0));
}

/* Rows of one line that follow each other make one range. */
static int unit_add_lines(Dwarf_Die *unit, void *context)
{
	struct row row, next;
	Dwarf_Lines *lines;
	size_t count, i;
	int ret = 0;

	if (dwarf_getsrclines(unit, &lines, &count) || !count)
		return 0;
	row_read(lines, 0, &row);
	for (i = 1; i < count && !ret; i++, row = next) {
		row_read(lines, i, &next);
		if (row.is_sequence_end)
			continue;
		while (i + 1 < count && row_goes_on(&row, &next))
			row_read(lines, ++i, &next);
		ret = table_add(context, &row, next.address);
	}
	return ret;
}

static int line_compare(const void *a, const void *b)
{
	uint64_t start_a = ((const struct gtdbg_line *)a)->start;
	uint64_t start_b = ((const struct gtdbg_line *)b)->start;

	return start_a < start_b ? -1 : start_a > start_b;
}

/* The table is made once: a caller that steps through a function asks for each line. */
static int table_make(struct gtdbg_symbols *symbols)
{
	struct table table = { 0 };
	int ret = gtdbg_unit_each(symbols, unit_add_lines, &table);

	if (ret) {
		free(table.lines);
		return ret;
	}
	if (table.count)
		qsort(table.lines, table.count, sizeof(*table.lines),
		      line_compare);
	symbols->lines = table.lines;
	symbols->line_count = table.count;
	symbols->has_lines = true;
	return 0;
}

int gtdbg_line_find(struct gtdbg_symbols *symbols, uint64_t pc,
		    struct gtdbg_line *out)
{
	size_t first = 0, behind, middle;
	int ret;

	ret = symbols->has_lines ? 0 : table_make(symbols);
	if (ret)
		return ret;
	/* The last range that begins at or before the pc. */
	behind = symbols->line_count;
	while (first < behind) {
		middle = first + (behind - first) / 2;
		if (symbols->lines[middle].start <= pc)
			first = middle + 1;
		else
			behind = middle;
	}
	if (!first || pc >= symbols->lines[first - 1].end)
		return -ENOENT;
	*out = symbols->lines[first - 1];
	return 0;
}

struct search {
	struct gtdbg_symbols *symbols;
	const char *file;
	uint32_t line;	/* wanted */
	uint32_t best;	/* lowest line at or after it that has code */
	uint64_t *pcs;
	uint64_t *scopes;	/* that they are in */
	size_t capacity;
	size_t count;
	void (*visit)(struct search *search, const struct row *row);
};

static const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool row_matches(const struct search *search, const struct row *row)
{
	if (row->is_sequence_end || !row->is_statement || row->line <= 0)
		return false;
	return !search->file || (row->file &&
	       strcmp(path_base(row->file), path_base(search->file)) == 0);
}

/*
 * A line without code stands for a later one only inside a function: before
 * the function begins, it belongs to something else. The function may have been
 * merged into another one.
 */
static bool row_stands_for(const struct search *search, const struct row *row)
{
	Dwarf_Die scopes[SCOPES_MAX];
	int count, begin;

	if ((uint32_t)row->line <= search->line)
		return (uint32_t)row->line == search->line;
	count = gtdbg_scopes_find(search->symbols, row->address, scopes);
	return count && !dwarf_decl_line(&scopes[count - 1], &begin) &&
	       (uint32_t)begin <= search->line;
}

static void search_best(struct search *search, const struct row *row)
{
	if (row_stands_for(search, row) &&
	    (!search->best || (uint32_t)row->line < search->best))
		search->best = row->line;
}

/*
 * One address per function, or per call that it was inlined for: the lowest,
 * but behind the prologue of the function that has the code.
 */
static void search_add(struct search *search, uint64_t pc)
{
	struct gtdbg_function function;
	Dwarf_Die scopes[SCOPES_MAX];
	uint64_t scope = 0;
	size_t i;
	int count;

	if (!gtdbg_function_find(search->symbols, pc, &function) &&
	    pc < function.body)
		pc = function.body;
	count = gtdbg_scopes_find(search->symbols, pc, scopes);
	if (count)
		scope = dwarf_dieoffset(&scopes[count - 1]);
	for (i = 0; i < search->count; i++) {
		if (search->scopes[i] != scope)
			continue;
		if (pc < search->pcs[i])
			search->pcs[i] = pc;
		return;
	}
	if (search->count == search->capacity)
		return;
	search->scopes[search->count] = scope;
	search->pcs[search->count++] = pc;
}

static void search_addresses(struct search *search, const struct row *row)
{
	if ((uint32_t)row->line == search->best)
		search_add(search, row->address);
}

static int unit_search(Dwarf_Die *unit, void *context)
{
	struct search *search = context;
	Dwarf_Lines *lines;
	size_t count, i;
	struct row row;

	if (dwarf_getsrclines(unit, &lines, &count))
		return 0;
	for (i = 0; i < count; i++) {
		row_read(lines, i, &row);
		if (row_matches(search, &row))
			search->visit(search, &row);
	}
	return 0;
}

int gtdbg_line_addresses(struct gtdbg_symbols *symbols, const char *file,
			 uint32_t line, uint32_t *line_out, uint64_t *pcs,
			 size_t capacity)
{
	uint64_t scopes[ADDRESSES_MAX];
	struct search search = {
		.symbols = symbols, .file = file, .line = line,
		.pcs = pcs, .scopes = scopes, .capacity = capacity,
		.visit = search_best,
	};

	if (search.capacity > ADDRESSES_MAX)
		search.capacity = ADDRESSES_MAX;
	gtdbg_unit_each(symbols, unit_search, &search);
	if (!search.best)
		return -ENOENT;
	search.visit = search_addresses;
	gtdbg_unit_each(symbols, unit_search, &search);
	if (line_out)
		*line_out = search.best;
	return search.count;
}
