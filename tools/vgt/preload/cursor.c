// SPDX-License-Identifier: MIT
#include "cursor.h"

#include <string.h>

const uint8_t *vgt_cursor_take(struct vgt_cursor *cursor, uint64_t bytes)
{
	const uint8_t *at = cursor->at;

	if (bytes > (uint64_t)(cursor->end - at)) {
		cursor->at = cursor->end;
		return NULL;
	}
	cursor->at += bytes;
	return at;
}

uint64_t vgt_cursor_number(struct vgt_cursor *cursor, uint32_t bytes)
{
	const uint8_t *at = vgt_cursor_take(cursor, bytes);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, bytes);
	return value;
}

uint64_t vgt_cursor_leb(struct vgt_cursor *cursor, bool is_signed)
{
	uint64_t value = 0;
	uint32_t shift = 0;
	uint8_t byte;

	do {
		byte = vgt_cursor_number(cursor, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= ~0ULL << shift;
	return value;
}

const char *vgt_cursor_string(struct vgt_cursor *cursor)
{
	const uint8_t *at = cursor->at;
	const uint8_t *zero = memchr(at, 0, cursor->end - at);

	cursor->at = zero ? zero + 1 : cursor->end;
	return zero ? (const char *)at : "";
}

struct vgt_cursor vgt_cursor_part(struct vgt_cursor cursor, uint64_t offset,
				  uint64_t bytes)
{
	vgt_cursor_take(&cursor, offset);
	if (bytes > (uint64_t)(cursor.end - cursor.at))
		bytes = 0;
	cursor.end = cursor.at + bytes;
	return cursor;
}
