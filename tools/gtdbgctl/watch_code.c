// SPDX-License-Identifier: MIT
/*
 * What instructions do to memory. Only messages write there, and most messages read: so
 * a thread that is watched need not be looked at behind each instruction, but behind
 * those that may write. What is not known for sure to leave memory alone may write.
 */
#include "watch.h"

#include "debugger.h"

#include <stdio.h>
#include <string.h>

/* How far code is looked at in each direction; beyond it is another step. */
#define RANGE_BYTES	8192

#define TEXT_BYTES	512

#define TYPE(desc)	((desc) >> 14 & 0x1f)
#define RESPONSE(desc)	((desc) >> 20 & 0x1f)

/* Reads of the data ports, and fences, by the type in the descriptor. */
#define DC0_HARMLESS	(1u << 0x00 | 1u << 0x01 | 1u << 0x02 | 1u << 0x03 | \
			 1u << 0x04 | 1u << 0x07)
#define DC1_HARMLESS	(1u << 0x01 | 1u << 0x05 | 1u << 0x10 | 1u << 0x11 | \
			 1u << 0x14)

/* Reads by 64-bit addresses, and of surfaces, of which this one is local memory. */
#define DC0_READS	(1u << 0x00 | 1u << 0x01 | 1u << 0x02 | 1u << 0x03 | \
			 1u << 0x04)
#define DC1_READS	(1u << 0x01 | 1u << 0x05 | 1u << 0x10 | 1u << 0x11 | \
			 1u << 0x14)
#define SURFACE_LOCAL	0xfe

static bool message_take(const char *text, char port[8], uint32_t *desc)
{
	return sscanf(text, "%*[a-z].%7[a-z0-9] (%*[^)]) %*s %*s %*s %*s 0x%x",
		      port, desc) == 2;
}

static bool message_reads(const char *text)
{
	uint32_t desc, reads;
	char port[8];

	if (!message_take(text, port, &desc) || (desc & 0xff) == SURFACE_LOCAL)
		return false;
	reads = !strcmp(port, "dc0") ? DC0_READS :
		!strcmp(port, "dc1") ? DC1_READS : 0;
	return reads >> TYPE(desc) & 1;
}

/* As the disassembler writes it: send.dc1 (8|M0) null r8 r10 0x80 0x04068500 {$1} */
static bool message_writes(const char *text)
{
	char port[8];
	uint32_t desc;

	if (!message_take(text, port, &desc))
		return true;
	if (!strcmp(port, "dc0"))
		return !(DC0_HARMLESS >> TYPE(desc) & 1);
	if (!strcmp(port, "dc1"))
		return !(DC1_HARMLESS >> TYPE(desc) & 1);
	if (!strcmp(port, "smpl"))
		return !RESPONSE(desc);
	return strcmp(port, "gtwy") != 0;
}

static bool code_text(struct gtdbg_code *code, uint64_t offset, char *text,
		      size_t capacity)
{
	return offset <= UINT32_MAX && gtdbg_code_size(code, offset) &&
	       !gtdbg_code_text(code, offset, text, capacity);
}

/* No thread stops before its last instruction: it is gone behind the one before. */
static bool is_end(struct gtdbg_code *code, uint64_t offset)
{
	char text[TEXT_BYTES];

	return code_text(code, offset, text, sizeof(text)) &&
	       strstr(text, "send") && strstr(text, "EOT");
}

/* Does the EU see what it accesses? */
static bool is_seen(const char *text)
{
	uint32_t bytes = access_bytes(text);

	return bytes && bytes <= WATCH_ACCESS_BYTES;
}

enum code_kind code_kind(struct gtdbg_code *code, uint64_t offset,
			 uint32_t passes)
{
	char text[TEXT_BYTES];
	const char *name;
	bool writes;

	if (is_end(code, offset))
		return CODE_ENDS;
	if (!code_text(code, offset, text, sizeof(text)))
		return CODE_WRITES;
	name = strstr(text, "send");
	writes = name && message_writes(name);
	if (is_end(code, offset + gtdbg_code_size(code, offset)))
		return writes ? CODE_ENDS_WRITING : CODE_ENDS;
	if (passes & CODE_PASS_SEEN && is_seen(text))
		return CODE_PLAIN;
	if (!writes && !(passes & CODE_PASS_READS) && name && message_reads(name))
		return CODE_READS;
	return writes ? CODE_WRITES : CODE_PLAIN;
}

/* The instruction before, if there is one. */
static bool code_before(struct gtdbg_code *code, uint64_t offset,
			uint64_t *out)
{
	for (uint32_t size = 8; size <= 16; size += 8) {
		*out = offset - size;
		if (offset >= size && gtdbg_code_size(code, *out) == size)
			return true;
	}
	return false;
}

void code_range(struct gtdbg_code *code, uint64_t offset, uint64_t stop,
		uint32_t passes, uint64_t *first_out, uint64_t *end_out)
{
	uint64_t first = offset, end = offset, before;

	do {
		end += gtdbg_code_size(code, end);
	} while (end != stop && end - offset < RANGE_BYTES &&
		 code_kind(code, end, passes) == CODE_PLAIN);
	while (offset - first < RANGE_BYTES &&
	       code_before(code, first, &before) && before != stop &&
	       code_kind(code, before, passes) == CODE_PLAIN)
		first = before;
	*first_out = first;
	*end_out = end;
}
