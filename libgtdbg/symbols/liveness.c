// SPDX-License-Identifier: MIT
/*
 * Positions in the text stand for time, but a loop around the pc makes all of
 * it both earlier and later. So writes are counted by where they stand: before
 * the range, in it before the pc, in it behind the pc, in the loop or not.
 * Where that leaves a doubt, the value is taken for absent.
 */
#include "liveness.h"

#include "home_map.h"
#include "symbols.h"

#include <errno.h>

/* The writes of the bytes, by where they stand in the text. */
struct tally {
	struct gtdbg_symbols *symbols;
	const struct liveness_request *request;
	struct loop loop;		/* around the pc */
	bool has_earlier;		/* before the range */
	bool has_earlier_in_loop;
	const struct write *last_done;	/* in the range, before the pc */
	const struct write *first_due;	/* in the range, from the pc on */
	const struct write *last_due;
	/* Lines that make a value again, and may have done so by now. */
	uint32_t line;
	bool has_several_lines;
	bool has_moved;		/* one of them, from another statement */
};

/* The outermost loop around an instruction, empty if there is none. */
static struct loop loop_around(const struct home_map *map, uint32_t pc)
{
	struct loop around = { .target = pc, .source = pc };
	size_t i;

	for (i = 0; i < map->loop_count; i++) {
		const struct loop *loop = &map->loops[i];

		if (loop->target > pc || loop->source < pc)
			continue;
		if (loop->target < around.target)
			around.target = loop->target;
		if (loop->source > around.source)
			around.source = loop->source;
	}
	return around;
}

static struct gtdbg_line line_at(struct gtdbg_symbols *symbols, uint32_t offset)
{
	uint64_t pc = symbols->text_base + offset;
	struct gtdbg_line line = { .start = pc };

	gtdbg_line_find(symbols, pc, &line);
	return line;
}

/*
 * Between the rows of a statement stand those of instructions that were moved
 * there. Whether such a one has counted in the source by now cannot be known.
 */
static bool is_in_place(struct gtdbg_symbols *symbols, uint32_t offset)
{
	struct gtdbg_line line = line_at(symbols, offset), statement = line;

	while (!statement.is_statement && statement.start) {
		if (gtdbg_line_find(symbols, statement.start - 1, &statement))
			return false;
	}
	return statement.line == line.line;
}

static void tally_line(struct tally *tally, const struct write *write)
{
	uint32_t line = line_at(tally->symbols, write->pc).line;

	if (write->is_update)
		return;
	if (tally->line && tally->line != line)
		tally->has_several_lines = true;
	tally->line = line;
}

static void tally_add(struct tally *tally, const struct write *write)
{
	if (write->pc < tally->request->start) {
		tally->has_earlier = true;
		tally->has_earlier_in_loop |= write->pc >= tally->loop.target;
	} else if (write->pc < tally->request->pc) {
		tally->last_done = write;
		tally->has_moved |= !is_in_place(tally->symbols, write->pc);
		tally_line(tally, write);
	} else {
		if (!tally->first_due)
			tally->first_due = write;
		tally->last_due = write;
		if (write->pc < tally->loop.source)
			tally_line(tally, write);
	}
}

/*
 * Nothing in the range has written the bytes on the way here. If something is
 * going to, it may be what makes the value; but what counts on from what came
 * into a loop does so in each round.
 */
static int check_untouched(const struct tally *tally)
{
	if (!tally->first_due)
		return 0;
	if (tally->last_due->pc < tally->loop.source &&
	    tally->first_due->is_update && tally->has_earlier &&
	    !tally->has_earlier_in_loop)
		return 0;
	return -EAGAIN;
}

/* A statement may take several instructions, and not all in a row. */
static bool is_unfinished(const struct tally *tally)
{
	struct gtdbg_symbols *symbols = tally->symbols;
	struct gtdbg_line last = line_at(symbols, tally->last_done->pc);

	if (line_at(symbols, tally->request->pc).start == last.start)
		return true;
	return tally->first_due &&
	       line_at(symbols, tally->first_due->pc).line == last.line;
}

static bool write_hits(const struct write *write,
		       const struct liveness_request *request)
{
	return write->pc < request->end &&
	       write->byte < request->byte + request->len_bytes &&
	       write->byte + write->len_bytes > request->byte;
}

/* They are in the order of the code. */
static size_t first_write_from(const struct home_map *map, uint32_t pc)
{
	size_t low = 0, high = map->write_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (map->writes[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool gtdbg_liveness_is_written(const struct home_map *map,
			       const struct liveness_request *request)
{
	size_t i;

	for (i = first_write_from(map, request->start);
	     i < map->write_count && map->writes[i].pc < request->pc; i++) {
		if (write_hits(&map->writes[i], request))
			return true;
	}
	return false;
}

static bool is_others(const struct home_map *map, const struct tally *tally)
{
	const struct liveness_request *request = tally->request;
	const struct write *write = tally->last_done, *other;
	uint32_t pc = 0;

	if (request->len_bytes >= 4)
		return false;
	for (size_t i = 0; i < map->write_count; i++) {
		other = &map->writes[i];
		if (other->pc >= request->start && other->pc < request->pc &&
		    other->byte <= request->first &&
		    other->byte + other->len_bytes > request->first)
			pc = other->lane || other->byte != request->first ?
			     0 : other->pc;
	}
	return !pc || !write || write->pc != pc ||
	       write->byte != request->byte || write->lane != request->lane;
}

int gtdbg_liveness_check(struct gtdbg_symbols *symbols,
			 const struct home_map *map,
			 const struct liveness_request *request)
{
	struct tally tally = {
		.symbols = symbols, .request = request,
		.loop = loop_around(map, request->pc),
	};
	size_t i;

	for (i = 0; i < map->write_count; i++) {
		if (write_hits(&map->writes[i], request))
			tally_add(&tally, &map->writes[i]);
	}
	if (request->is_whole && request->byte < FILE_BYTES &&
	    map->is_payload[request->byte / 4])
		return tally.last_done || tally.line ? -ESTALE : 0;
	if (is_others(map, &tally))
		return -ESTALE;
	if (!tally.last_done)
		return check_untouched(&tally);
	if (tally.has_several_lines || tally.has_moved)
		return -ESTALE;
	return is_unfinished(&tally) ? -EAGAIN : 0;
}
