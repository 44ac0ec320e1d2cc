// SPDX-License-Identifier: MIT
/*
 * Looks up in the map of writes whether a register holds the address of a
 * home. It may do so at a pc if the definition lies before the pc, no write of
 * the register lies between them on any path, loops included, and the
 * definition belongs to the variable: writes of neighbouring lanes are as far
 * apart as the variable is long, and what precedes the declaration must not
 * have been used by then.
 */
#include "home.h"

#include "home_map.h"

#include <string.h>

/* How far apart the two halves of an address are written, in code bytes. */
#define HALVES_MAX	(32 * 16)

static bool write_hits(const struct write *write, uint32_t byte)
{
	return write->byte < byte + 8u && write->byte + write->len_bytes > byte;
}

/*
 * Both halves of an address are written, by its lane: where lanes' lower halves lie side
 * by side, what follows one is another's. Returns the second write's pc.
 */
static uint32_t definition_end(const struct home_map *map, size_t index)
{
	const struct write *low = &map->writes[index];
	size_t i;

	for (i = index + 1; i < map->write_count; i++) {
		const struct write *write = &map->writes[i];

		if (write->pc > low->pc + HALVES_MAX)
			break;
		if (write->byte == low->byte + 4 && write->len_bytes == 4 &&
		    write->lane == low->lane && write->pc != low->pc)
			return write->pc;
	}
	return 0;
}

/* The last code that may have run after @from when a lane stands at @pc. */
static uint32_t reach(const struct home_map *map, uint32_t from, uint32_t pc)
{
	uint32_t last = pc;
	size_t i;

	for (i = 0; i < map->loop_count; i++) {
		if (map->loops[i].target <= pc && map->loops[i].source >= last &&
		    map->loops[i].target > from)
			last = map->loops[i].source + 1;
	}
	return last;
}

static bool is_overwritten(const struct home_map *map, uint32_t byte,
			   uint32_t from, uint32_t pc)
{
	uint32_t last = reach(map, from, pc);
	size_t i;

	for (i = 0; i < map->write_count; i++) {
		const struct write *write = &map->writes[i];

		if (write->pc > from && write->pc < last &&
		    write_hits(write, byte))
			return true;
	}
	return false;
}

bool gtdbg_home_is_kept(const struct home_map *map, uint32_t byte, uint32_t len,
			uint32_t pc)
{
	uint32_t last = reach(map, 0, pc);

	if (last > map->first_call)
		return false;
	for (size_t i = 0; i < map->write_count; i++) {
		const struct write *write = &map->writes[i];

		if (write->pc < last && write->byte < byte + len &&
		    write->byte + write->len_bytes > byte)
			return false;
	}
	return true;
}

static bool is_used(const struct home_map *map, uint32_t byte, uint32_t from,
		    uint32_t end)
{
	size_t i;

	for (i = 0; i < map->use_count; i++) {
		const struct use *use = &map->uses[i];

		if (use->pc > from && use->pc < end && byte >= use->byte &&
		    byte < use->byte + use->len_bytes)
			return true;
	}
	return false;
}

/*
 * Homes of neighbouring lanes are as far apart as the variable is long. What one
 * lane computes alone is a part of an address that others add theirs to.
 */
static bool stride_fits(const struct home_map *map, size_t index, uint64_t size)
{
	const struct write *write = &map->writes[index];
	size_t i = index > 32 ? index - 32 : 0;

	for (; i < map->write_count && map->writes[i].pc <= write->pc; i++) {
		const struct write *other = &map->writes[i];
		int64_t lanes = (int64_t)other->lane - write->lane;
		int64_t delta = (int64_t)other->value.constant -
				write->value.constant;

		if (other->pc == write->pc && lanes &&
		    other->value.kind == VALUE_ADDRESS)
			return delta == lanes * (int64_t)size;
	}
	return false;
}

/*
 * The address is made for the variable's first use. That is at or behind its
 * declaration, but the compiler may count the making to the statement before:
 * then nothing has used that address by the time the declaration begins.
 */
static const struct write *definition_find(const struct home_map *map,
					   const struct home_request *request,
					   uint32_t *end_out)
{
	const struct write *early = NULL;
	uint32_t end;
	size_t i;

	for (i = 0; i < map->write_count; i++) {
		const struct write *write = &map->writes[i];

		if (write->pc < request->previous || write->pc >= request->end ||
		    write->byte != request->byte || write->len_bytes != 4 ||
		    write->lane != request->lane ||
		    write->value.kind != VALUE_ADDRESS)
			continue;
		end = definition_end(map, i);
		if (!end || !stride_fits(map, i, request->size_bytes))
			continue;
		if (write->pc >= request->declaration && early)
			return early;
		if (write->pc < request->declaration &&
		    is_used(map, request->byte, end, request->declaration))
			continue;
		*end_out = end;
		if (write->pc >= request->declaration)
			return write;
		early = write;
	}
	return early;
}

/* An address of the same lane and frame that still is in a register. */
static void other_find(const struct home_map *map, const struct write *wanted,
		       uint32_t pc, struct home_state *out)
{
	size_t i;

	for (i = 0; i < map->write_count; i++) {
		const struct write *write = &map->writes[i];
		uint32_t end;

		if (write->pc >= map->first_branch || write->pc >= pc)
			return;
		if (write->value.kind != VALUE_ADDRESS ||
		    write->byte % 8 || write->lane != wanted->lane ||
		    write->value.payload != wanted->value.payload ||
		    write->value.factor != wanted->value.factor)
			continue;
		end = definition_end(map, i);
		if (!end || end >= pc ||
		    is_overwritten(map, write->byte, end, pc))
			continue;
		out->has_other = true;
		out->other_byte = write->byte;
		out->delta = (int64_t)wanted->value.constant -
			     write->value.constant;
		return;
	}
}

/* Another address of such a variable in the same register. */
static bool has_second(const struct home_map *map,
		       const struct home_request *request,
		       const struct write *definition)
{
	for (size_t i = 0; i < map->write_count; i++) {
		const struct write *write = &map->writes[i];

		if (write->pc >= request->previous &&
		    write->pc < request->end && write->byte == request->byte &&
		    write->len_bytes == 4 && write->lane == request->lane &&
		    write->value.kind == VALUE_ADDRESS &&
		    (write->value.constant != definition->value.constant ||
		     write->value.payload != definition->value.payload) &&
		    definition_end(map, i) &&
		    stride_fits(map, i, request->size_bytes))
			return true;
	}
	return false;
}

void gtdbg_home_query(const struct home_map *map,
		      const struct home_request *request,
		      struct home_state *out)
{
	const struct write *definition;
	uint32_t defined = 0;

	memset(out, 0, sizeof(*out));
	definition = definition_find(map, request, &defined);
	if (!definition)
		return;
	out->is_defined = defined < request->pc;
	if (!out->is_defined)
		return;
	out->is_ambiguous = has_second(map, request, definition);
	out->is_live = !is_overwritten(map, request->byte, defined,
				       request->pc);
	if (!out->is_live)
		other_find(map, definition, request->pc, out);
}
