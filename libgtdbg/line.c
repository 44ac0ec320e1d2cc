// SPDX-License-Identifier: MIT
/*
 * Source lines. A *row* is one entry of the line table; it covers the code up
 * to the next row's address.
 */
#include "symbols.h"

#include <errno.h>
#include <string.h>

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

struct find {
	uint64_t pc;
	struct gtdbg_line *out;
};

static void line_fill(struct gtdbg_line *out, const struct row *row,
		      uint64_t start, uint64_t end)
{
	out->file = row->file;
	out->line = row->line;
	out->column = row->column;
	out->start = start;
	out->end = end;
	out->is_statement = row->is_statement;
}

/* Rows of one line that follow each other make one range. */
static int unit_find_line(Dwarf_Die *unit, void *context)
{
	struct find *find = context;
	struct row row, next;
	Dwarf_Lines *lines;
	size_t count, i;

	if (dwarf_getsrclines(unit, &lines, &count) || !count)
		return 0;
	row_read(lines, 0, &row);
	for (i = 1; i < count; i++, row = next) {
		uint64_t start = row.address;

		row_read(lines, i, &next);
		if (row.is_sequence_end)
			continue;
		while (i + 1 < count && next.line == row.line &&
		       !next.is_statement && !next.is_sequence_end)
			row_read(lines, ++i, &next);
		if (find->pc >= start && find->pc < next.address) {
			line_fill(find->out, &row, start, next.address);
			return 1;
		}
	}
	return 0;
}

int gtdbg_line_find(struct gtdbg_symbols *symbols, uint64_t pc,
		    struct gtdbg_line *out)
{
	struct gtdbg_line line;
	struct find find = { .pc = pc, .out = &line };

	if (!gtdbg_unit_each(symbols, unit_find_line, &find))
		return -ENOENT;
	*out = line;
	return 0;
}

struct search {
	struct gtdbg_symbols *symbols;
	const char *file;
	uint32_t line;	/* wanted */
	uint32_t best;	/* lowest line at or after it that has code */
	uint64_t *pcs;
	uint64_t *functions;
	size_t capacity;
	size_t count;
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
 * the function begins, it belongs to something else.
 */
static bool row_stands_for(const struct search *search, const struct row *row)
{
	struct gtdbg_function function;

	if ((uint32_t)row->line == search->line)
		return true;
	return (uint32_t)row->line > search->line &&
	       !gtdbg_function_find(search->symbols, row->address, &function) &&
	       function.line <= search->line;
}

static int unit_best_line(Dwarf_Die *unit, void *context)
{
	struct search *search = context;
	Dwarf_Lines *lines;
	size_t count, i;
	struct row row;

	if (dwarf_getsrclines(unit, &lines, &count))
		return 0;
	for (i = 0; i < count; i++) {
		row_read(lines, i, &row);
		if (row_matches(search, &row) &&
		    row_stands_for(search, &row) &&
		    (!search->best || (uint32_t)row.line < search->best))
			search->best = row.line;
	}
	return 0;
}

/* One address per function: the lowest, but behind the function's prologue. */
static void search_add(struct search *search, uint64_t pc)
{
	struct gtdbg_function function = { 0 };
	size_t i;

	if (!gtdbg_function_find(search->symbols, pc, &function) &&
	    pc < function.body)
		pc = function.body;
	for (i = 0; i < search->count; i++) {
		if (search->functions[i] != function.start)
			continue;
		if (pc < search->pcs[i])
			search->pcs[i] = pc;
		return;
	}
	if (search->count == search->capacity)
		return;
	search->functions[search->count] = function.start;
	search->pcs[search->count++] = pc;
}

static int unit_line_addresses(Dwarf_Die *unit, void *context)
{
	struct search *search = context;
	Dwarf_Lines *lines;
	size_t count, i;
	struct row row;

	if (dwarf_getsrclines(unit, &lines, &count))
		return 0;
	for (i = 0; i < count; i++) {
		row_read(lines, i, &row);
		if (row_matches(search, &row) &&
		    (uint32_t)row.line == search->best)
			search_add(search, row.address);
	}
	return 0;
}

int gtdbg_line_addresses(struct gtdbg_symbols *symbols, const char *file,
			 uint32_t line, uint32_t *line_out, uint64_t *pcs,
			 size_t capacity)
{
	uint64_t functions[64];
	struct search search = {
		.symbols = symbols, .file = file, .line = line,
		.pcs = pcs, .functions = functions, .capacity = capacity,
	};

	if (search.capacity > 64)
		search.capacity = 64;
	gtdbg_unit_each(symbols, unit_best_line, &search);
	if (!search.best)
		return -ENOENT;
	gtdbg_unit_each(symbols, unit_line_addresses, &search);
	if (line_out)
		*line_out = search.best;
	return search.count;
}
