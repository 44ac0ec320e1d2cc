// SPDX-License-Identifier: MIT
/*
 * Memory of contexts. Most of what a program has mapped it has never touched,
 * so pages of zeroes are not written: a piece of the file, which is a program
 * header, has pages as they are and then zeroes, up to the next page that has
 * something in it. How many pieces there will be is not known before all was
 * read, so there is room for a number of headers; once it is used up, zeroes
 * between pages become a hole of the file. Small mappings come first: with a
 * limit, a large buffer does not cost the stacks. What two contexts have at one address,
 * byte by byte the same, is memory that they share: the file has it once, and headers
 * of both.
 */
#include "core.h"

#include "debugger.h"

#include <errno.h>
#include <gtdbg_core.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_BYTES	4096
#define CHUNK_BYTES	(1 << 20)
#define MAPPINGS_AT_ONCE 1024
#define ADDRESS_END	(1ull << 48)
#define PIECES_MAX	16384	/* beside one for each mapping */
#define HEADERS_MAX	65000	/* ELF's own limit is near */
#define UNREADABLE_MAX	65536	/* pages of a mapping, then it is given up */

struct core_space {
	uint32_t device;
	uint32_t context;
	struct gtdbg_memory_mapping *mappings;
	size_t count;
};

/* A mapping that is written. */
struct piece {
	struct debugger *debugger;
	const struct core_options *options;
	struct core_memories *memories;
	struct core_output *output;
	const struct core_space *space;
	const struct gtdbg_memory_mapping *mapping;
	Elf64_Phdr *header;	/* that goes on, NULL: a new one is needed */
};

static int mappings_add(struct core_space *space,
			const struct gtdbg_memory_mapping *mappings, int count)
{
	struct gtdbg_memory_mapping *all;

	all = realloc(space->mappings, (space->count + count) * sizeof(*all));
	if (!all)
		return -ENOMEM;
	memcpy(all + space->count, mappings, count * sizeof(*all));
	space->mappings = all;
	space->count += count;
	return 0;
}

static int space_list(struct debugger *debugger, struct core_space *space)
{
	struct gtdbg_memory_mapping mappings[MAPPINGS_AT_ONCE];
	uint64_t address = 0;
	int ret = 0;

	while (address < ADDRESS_END && ret >= 0 && !wait_is_interrupted) {
		ret = gtdbg_memory_list(debugger->session, space->device,
					space->context, &address, mappings,
					MAPPINGS_AT_ONCE);
		if (ret > 0)
			ret = mappings_add(space, mappings, ret);
	}
	return ret == -ENOMEM ? ret : 0;
}

int core_memories_list(struct debugger *debugger,
		       const struct core_options *options,
		       struct core_memories *memories)
{
	struct core_space *space;
	struct context *context;
	uint64_t pages = 0;
	size_t i;
	int ret;

	memset(memories, 0, sizeof(*memories));
	for (context = debugger->contexts; context; context = context->next)
		memories->space_count++;
	space = calloc(memories->space_count + 1, sizeof(*space));
	if (!space)
		return -ENOMEM;
	memories->spaces = space;
	for (context = debugger->contexts; context;
	     context = context->next, space++) {
		space->device = context->info.device;
		space->context = context->info.context;
		ret = space_list(debugger, space);
		if (ret)
			return ret;
		memories->mapping_count += space->count;
		for (i = 0; i < space->count; i++)
			memories->mapped += space->mappings[i].len_bytes;
	}
	pages = memories->mapped / PAGE_BYTES;
	if (options->memory == CORE_MEMORY_NONE)
		pages = 0;
	/* The notes, and every other page at worst. */
	memories->header_room = 1 + memories->mapping_count +
		(pages / 2 < PIECES_MAX ? pages / 2 : PIECES_MAX);
	if (memories->header_room > HEADERS_MAX)
		memories->header_room = HEADERS_MAX;
	memories->headers = calloc(memories->header_room,
				   sizeof(*memories->headers));
	memories->header_count = 1;
	return memories->headers ? 0 : -ENOMEM;
}

void core_memories_fini(struct core_memories *memories)
{
	size_t i;

	for (i = 0; memories->spaces && i < memories->space_count; i++)
		free(memories->spaces[i].mappings);
	free(memories->spaces);
	free(memories->headers);
}

void core_notes_memories(const struct core_memories *memories,
			 struct core_notes *notes)
{
	size_t i;

	for (i = 0; i < memories->space_count; i++) {
		const struct core_space *space = &memories->spaces[i];
		const struct gtdbg_core_mappings head = {
			.device = space->device, .context = space->context,
		};

		core_note_begin(notes, GTDBG_CORE_MAPPINGS);
		core_note_add(notes, &head, sizeof(head));
		core_note_add(notes, space->mappings,
			      space->count * sizeof(*space->mappings));
		core_note_end(notes);
	}
}

static bool page_is_zero(const char *page)
{
	return !page[0] && memcmp(page, page + 1, PAGE_BYTES - 1) == 0;
}

/* A piece that begins at @address; NULL if there is no header left. */
static Elf64_Phdr *header_add(struct piece *piece, uint64_t address)
{
	struct core_memories *memories = piece->memories;
	Elf64_Phdr *header;

	if (memories->header_count == memories->header_room)
		return NULL;
	header = &memories->headers[memories->header_count++];
	*header = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R | (piece->mapping->flags &
				   GTDBG_MAPPING_F_WRITABLE ? PF_W : 0),
		.p_offset = piece->output->at,
		.p_vaddr = address,
		.p_paddr = (uint64_t)piece->space->device << 32 |
			   piece->space->context,
		.p_align = PAGE_BYTES,
	};
	return header;
}

/* One header is kept for each mapping that may follow. */
static bool can_split(const struct piece *piece)
{
	const struct core_memories *memories = piece->memories;

	return memories->header_count + memories->mapping_count <
	       memories->header_room;
}

static bool is_full(const struct piece *piece, size_t len)
{
	return piece->options->limit_bytes &&
	       piece->memories->taken + len > piece->options->limit_bytes;
}

/* Pages of zeroes, or of something: all alike. False: there is no room. */
static bool run_add(struct piece *piece, uint64_t address, const char *bytes,
		    size_t len, bool is_zero)
{
	Elf64_Phdr *header = piece->header;

	if (header && !is_zero && header->p_memsz > header->p_filesz &&
	    can_split(piece))
		header = NULL;
	if (!is_zero && is_full(piece, len))
		return false;
	if (!header)
		header = header_add(piece, address);
	piece->header = header;
	if (!header)
		return false;
	if (!is_zero) {
		/* Zeroes that a header could not be spent on. */
		piece->output->at += header->p_memsz - header->p_filesz;
		core_output_write(piece->output, bytes, len);
		piece->memories->taken += len;
		header->p_filesz = header->p_memsz + len;
	}
	header->p_memsz += len;
	piece->memories->held += len;
	return true;
}

static bool chunk_add(struct piece *piece, uint64_t address, const char *bytes,
		      size_t len)
{
	size_t begin, end;

	for (begin = 0; begin < len; begin = end) {
		bool is_zero = page_is_zero(bytes + begin);

		for (end = begin + PAGE_BYTES; end < len &&
		     page_is_zero(bytes + end) == is_zero; end += PAGE_BYTES)
			;
		if (!run_add(piece, address + begin, bytes + begin,
			     end - begin, is_zero))
			return false;
	}
	return true;
}

/* What cannot be read ends a piece. */
static void mapping_write(struct piece *piece, char *chunk)
{
	const struct gtdbg_memory_mapping *mapping = piece->mapping;
	uint64_t at = mapping->address, end = at + mapping->len_bytes;
	unsigned int unreadable = 0;

	while (at < end && !wait_is_interrupted && !piece->output->error) {
		size_t len = end - at < CHUNK_BYTES ? end - at : CHUNK_BYTES;
		int got = gtdbg_memory_read(piece->debugger->session,
					    piece->space->device,
					    piece->space->context, at, chunk,
					    len);

		if (got < PAGE_BYTES) {
			if (++unreadable > UNREADABLE_MAX || got == -ENODEV)
				return;
			piece->header = NULL;
			at += PAGE_BYTES;
			continue;
		}
		got -= got % PAGE_BYTES;
		if (!chunk_add(piece, at, chunk, got))
			return;
		at += got;
	}
}

struct choice {
	const struct core_space *space;
	const struct gtdbg_memory_mapping *mapping;
	size_t header;		/* the first of its own, once it is written */
	size_t header_count;
};

/* Those that may be shared are neighbours. */
static int choice_compare(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	if (x->mapping->len_bytes != y->mapping->len_bytes)
		return x->mapping->len_bytes < y->mapping->len_bytes ? -1 : 1;
	if (x->mapping->address != y->mapping->address)
		return x->mapping->address < y->mapping->address ? -1 : 1;
	if (x->space->device != y->space->device)
		return x->space->device < y->space->device ? -1 : 1;
	return x->mapping < y->mapping ? -1 : x->mapping > y->mapping;
}

static size_t choices_make(const struct core_memories *memories,
			   enum core_memory which, struct choice *choices)
{
	size_t count = 0, i, k;

	for (i = 0; i < memories->space_count; i++) {
		const struct core_space *space = &memories->spaces[i];

		for (k = 0; k < space->count; k++) {
			if (which == CORE_MEMORY_WRITABLE &&
			    !(space->mappings[k].flags &
			      GTDBG_MAPPING_F_WRITABLE))
				continue;
			choices[count++] = (struct choice){
				.space = space, .mapping = &space->mappings[k],
			};
		}
	}
	qsort(choices, count, sizeof(*choices), choice_compare);
	return count;
}

static bool is_twin(const struct choice *choice, const struct choice *other)
{
	return choice->space->device == other->space->device &&
	       choice->mapping->address == other->mapping->address &&
	       choice->mapping->len_bytes == other->mapping->len_bytes &&
	       other->header_count;
}

/* Does the file have these bytes behind a header, at @at of what that stands for? */
static bool header_has(const struct core_output *output, const Elf64_Phdr *header,
		       uint64_t at, const char *bytes, char *room, size_t len)
{
	size_t written = 0;

	if (at < header->p_filesz)
		written = header->p_filesz - at < len ? header->p_filesz - at :
							len;
	if (written &&
	    (pread(output->fd, room, written, header->p_offset + at) !=
	     (ssize_t)written || memcmp(room, bytes, written)))
		return false;
	return len == written ||
	       (!bytes[written] && memcmp(bytes + written, bytes + written + 1,
					  len - written - 1) == 0);
}

/* All that a mapping has now is what its twin's headers say. */
static bool is_shared(const struct piece *piece, const struct choice *twin,
		      char *chunk)
{
	const Elf64_Phdr *header = &piece->memories->headers[twin->header];
	const Elf64_Phdr *end = header + twin->header_count;
	uint64_t at = piece->mapping->address;

	for (; header < end && !wait_is_interrupted; header++) {
		uint64_t from = 0, len;

		for (; header->p_vaddr == at - from && from < header->p_memsz;
		     from += len, at += len) {
			len = header->p_memsz - from;
			if (len > CHUNK_BYTES)
				len = CHUNK_BYTES;
			if (gtdbg_memory_read(piece->debugger->session,
					      piece->space->device,
					      piece->space->context, at, chunk,
					      len) != (int)len ||
			    !header_has(piece->output, header, from, chunk,
					chunk + CHUNK_BYTES, len))
				return false;
		}
	}
	return at == piece->mapping->address + piece->mapping->len_bytes;
}

/* Takes headers for what the file has already; false: it is to be written. */
static bool mapping_share(struct piece *piece, const struct choice *twin,
			  char *chunk)
{
	struct core_memories *memories = piece->memories;
	size_t i;

	if (memories->header_count + twin->header_count +
	    memories->mapping_count > memories->header_room ||
	    !is_shared(piece, twin, chunk))
		return false;
	for (i = 0; i < twin->header_count; i++) {
		const Elf64_Phdr *from = &memories->headers[twin->header + i];
		Elf64_Phdr *header = header_add(piece, from->p_vaddr);

		header->p_offset = from->p_offset;
		header->p_filesz = from->p_filesz;
		header->p_memsz = from->p_memsz;
		memories->held += from->p_memsz;
	}
	return true;
}

static int header_compare(const void *a, const void *b)
{
	const Elf64_Phdr *x = a, *y = b;

	if (x->p_paddr != y->p_paddr)
		return x->p_paddr < y->p_paddr ? -1 : 1;
	return x->p_vaddr < y->p_vaddr ? -1 : x->p_vaddr > y->p_vaddr;
}

void core_memories_write(struct debugger *debugger,
			 const struct core_options *options,
			 struct core_memories *memories,
			 struct core_output *output)
{
	struct piece piece = {
		.debugger = debugger, .options = options,
		.memories = memories, .output = output,
	};
	struct choice *choices = calloc(memories->mapping_count + 1,
					sizeof(*choices));
	char *chunk = malloc(2 * CHUNK_BYTES);
	size_t count = 0, i;

	if (!choices || !chunk)
		output->error = -ENOMEM;
	else if (options->memory != CORE_MEMORY_NONE)
		count = choices_make(memories, options->memory, choices);
	for (i = 0; i < count; i++) {
		piece.space = choices[i].space;
		piece.mapping = choices[i].mapping;
		piece.header = NULL;
		memories->mapping_count = count - i;
		choices[i].header = memories->header_count;
		if (!i || !is_twin(&choices[i], &choices[i - 1]) ||
		    !mapping_share(&piece, &choices[i - 1], chunk))
			mapping_write(&piece, chunk);
		choices[i].header_count = memories->header_count -
					  choices[i].header;
	}
	qsort(memories->headers + 1, memories->header_count - 1,
	      sizeof(*memories->headers), header_compare);
	free(choices);
	free(chunk);
}
