/* SPDX-License-Identifier: MIT */
/* Fields of JSON objects: what is missing or of another type has its default. */
#ifndef GTDBGCTL_FIELD_H
#define GTDBGCTL_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

/* NULL if there is none of that type. */
const char *field_text(struct json_object *object, const char *name);
struct json_object *field_object(struct json_object *object, const char *name);
struct json_object *field_array(struct json_object *object, const char *name);
int64_t field_number(struct json_object *object, const char *name,
		     int64_t missing);
bool field_bool(struct json_object *object, const char *name, bool missing);

/* A text may be anything; what is no UTF-8 in it is replaced. */
void field_add_text(struct json_object *object, const char *name,
		    const char *text);
void field_add_bytes(struct json_object *object, const char *name,
		     const char *bytes, size_t len);
void field_add_number(struct json_object *object, const char *name,
		      int64_t number);
void field_add_bool(struct json_object *object, const char *name, bool is_true);
/* As "0x..." */
void field_add_address(struct json_object *object, const char *name,
		       uint64_t address);
/* An empty one, which belongs to @object. */
struct json_object *field_add_object(struct json_object *object,
				     const char *name);
struct json_object *field_add_array(struct json_object *object,
				    const char *name);
/* An empty object at the end of an array. */
struct json_object *array_add_object(struct json_object *array);

#define TEXT_REPLACEMENT "\xef\xbf\xbd" /* where there is no character */

/* Length of the character in UTF-8 there, 0 if it is none or not whole. */
size_t text_character(const char *bytes, size_t left);
/* How many bytes at the end are the beginning of a character, 0 to 3. */
size_t text_incomplete(const char *bytes, size_t len);

#endif
