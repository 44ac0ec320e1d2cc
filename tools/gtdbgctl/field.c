// SPDX-License-Identifier: MIT
#include "field.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct json_object *find(struct json_object *object, const char *name,
				enum json_type type)
{
	struct json_object *found;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, name, &found) ||
	    !json_object_is_type(found, type))
		return NULL;
	return found;
}

const char *field_text(struct json_object *object, const char *name)
{
	struct json_object *found = find(object, name, json_type_string);

	return found ? json_object_get_string(found) : NULL;
}

struct json_object *field_object(struct json_object *object, const char *name)
{
	return find(object, name, json_type_object);
}

struct json_object *field_array(struct json_object *object, const char *name)
{
	return find(object, name, json_type_array);
}

int64_t field_number(struct json_object *object, const char *name,
		     int64_t missing)
{
	struct json_object *found = find(object, name, json_type_int);

	return found ? json_object_get_int64(found) : missing;
}

bool field_bool(struct json_object *object, const char *name, bool missing)
{
	struct json_object *found = find(object, name, json_type_boolean);

	return found ? json_object_get_boolean(found) : missing;
}

/* Length of a character from its first byte, 0 if it is none. */
static size_t character_size(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

size_t text_character(const char *bytes, size_t left)
{
	const unsigned char *at = (const unsigned char *)bytes;
	size_t size = left ? character_size(*at) : 0, i;

	if (!size || size > left)
		return 0;
	for (i = 1; i < size; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	}
	/* Longer than needed, surrogates, and beyond the last one. */
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
	    (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
		return 0;
	return size;
}

size_t text_incomplete(const char *bytes, size_t len)
{
	size_t back;

	for (back = 1; back <= 3 && back <= len; back++) {
		unsigned char byte = bytes[len - back];

		if ((byte & 0xc0) != 0x80)
			return character_size(byte) > back ? back : 0;
	}
	return 0;
}

void field_add_bytes(struct json_object *object, const char *name,
		     const char *bytes, size_t len)
{
	char *text = malloc(len * (sizeof(TEXT_REPLACEMENT) - 1) + 1), *to = text;
	const char *end = bytes + len;

	while (text && bytes < end) {
		size_t size = text_character(bytes, end - bytes);

		if (size) {
			memcpy(to, bytes, size);
			to += size;
			bytes += size;
		} else {
			memcpy(to, TEXT_REPLACEMENT, sizeof(TEXT_REPLACEMENT) - 1);
			to += sizeof(TEXT_REPLACEMENT) - 1;
			bytes++;
		}
	}
	json_object_object_add(object, name,
			       json_object_new_string_len(text ? text : "",
							  to - text));
	free(text);
}

void field_add_text(struct json_object *object, const char *name,
		    const char *text)
{
	field_add_bytes(object, name, text, strlen(text));
}

void field_add_number(struct json_object *object, const char *name,
		      int64_t number)
{
	json_object_object_add(object, name, json_object_new_int64(number));
}

void field_add_bool(struct json_object *object, const char *name, bool is_true)
{
	json_object_object_add(object, name, json_object_new_boolean(is_true));
}

void field_add_address(struct json_object *object, const char *name,
		       uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	field_add_text(object, name, text);
}

struct json_object *field_add_object(struct json_object *object,
				     const char *name)
{
	struct json_object *added = json_object_new_object();

	json_object_object_add(object, name, added);
	return added;
}

struct json_object *field_add_array(struct json_object *object,
				    const char *name)
{
	struct json_object *added = json_object_new_array();

	json_object_object_add(object, name, added);
	return added;
}

struct json_object *array_add_object(struct json_object *array)
{
	struct json_object *added = json_object_new_object();

	json_object_array_add(array, added);
	return added;
}
