// SPDX-License-Identifier: MIT
#include "core.h"

#include <errno.h>
#include <gtdbg_core.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_MIN	65536

static const char zeroes[8];

static void bytes_add(struct core_notes *notes, const void *bytes, size_t len)
{
	size_t room = notes->room ? notes->room : ROOM_MIN;
	char *moved;

	if (notes->error)
		return;
	while (room - notes->len < len)
		room *= 2;
	if (room != notes->room) {
		moved = realloc(notes->bytes, room);
		if (!moved) {
			notes->error = -ENOMEM;
			return;
		}
		notes->bytes = moved;
		notes->room = room;
	}
	if (len)
		memcpy(notes->bytes + notes->len, bytes, len);
	notes->len += len;
}

static size_t padding(size_t len)
{
	return -len % 4;
}

void core_note_begin(struct core_notes *notes, uint32_t type)
{
	Elf64_Nhdr head = {
		.n_namesz = sizeof(GTDBG_CORE_OWNER), .n_type = type,
	};

	notes->head = notes->len;
	bytes_add(notes, &head, sizeof(head));
	bytes_add(notes, GTDBG_CORE_OWNER, sizeof(GTDBG_CORE_OWNER));
	bytes_add(notes, zeroes, padding(sizeof(GTDBG_CORE_OWNER)));
}

void core_note_add(struct core_notes *notes, const void *bytes, size_t len)
{
	bytes_add(notes, bytes, len);
}

void core_note_end(struct core_notes *notes)
{
	size_t begin = notes->head + sizeof(Elf64_Nhdr) +
		       sizeof(GTDBG_CORE_OWNER) +
		       padding(sizeof(GTDBG_CORE_OWNER));
	size_t len = notes->len - begin;
	Elf64_Nhdr *head;

	if (notes->error)
		return;
	if (len > UINT32_MAX) {
		notes->error = -EFBIG;
		return;
	}
	head = (void *)(notes->bytes + notes->head);
	head->n_descsz = len;
	bytes_add(notes, zeroes, padding(len));
}
