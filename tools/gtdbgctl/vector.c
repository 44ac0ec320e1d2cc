// SPDX-License-Identifier: MIT
#include "vector.h"

#include "debugger.h"
#include "operator.h"
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What elements are of, and what the names of vectors of them begin with. */
static const struct {
	uint32_t kind;
	uint64_t size_bytes;
	const char *name;
} elements[] = {
	{ GTDBG_TYPE_CHARACTER, 1, "char" }, { GTDBG_TYPE_INTEGER, 1, "char" },
	{ GTDBG_TYPE_UNSIGNED, 1, "uchar" }, { GTDBG_TYPE_INTEGER, 2, "short" },
	{ GTDBG_TYPE_UNSIGNED, 2, "ushort" }, { GTDBG_TYPE_INTEGER, 4, "int" },
	{ GTDBG_TYPE_UNSIGNED, 4, "uint" }, { GTDBG_TYPE_INTEGER, 8, "long" },
	{ GTDBG_TYPE_UNSIGNED, 8, "ulong" }, { GTDBG_TYPE_FLOAT, 2, "half" },
	{ GTDBG_TYPE_FLOAT, 4, "float" }, { GTDBG_TYPE_FLOAT, 8, "double" },
};

#define ELEMENTS (sizeof(elements) / sizeof(elements[0]))

/* No program need have it, and it is there as long as the tool: values refer to it. */
static const struct gtdbg_type *vector_type(const struct gtdbg_type *element,
					    uint64_t count)
{
	static struct gtdbg_type types[ELEMENTS][GTDBG_VECTOR_MAX + 1];
	static char names[ELEMENTS][GTDBG_VECTOR_MAX + 1][12];
	struct gtdbg_type *type;
	size_t i = 0;

	while (i < ELEMENTS && (elements[i].kind != element->kind ||
				elements[i].size_bytes != element->size_bytes))
		i++;
	if (i == ELEMENTS || count > GTDBG_VECTOR_MAX)
		return NULL;
	type = &types[i][count];
	if (type->kind)
		return type;
	snprintf(names[i][count], sizeof(names[i][count]), "%s%u",
		 elements[i].name, (unsigned int)count);
	gtdbg_type_find_name(NULL, elements[i].name, &type->target);
	*type = (struct gtdbg_type){
		.kind = GTDBG_TYPE_VECTOR, .name = names[i][count],
		.size_bytes = (count == 3 ? 4 : count) * element->size_bytes,
		.count = count, .target = type->target,
	};
	return type;
}

bool value_is_vector(const struct value *value)
{
	return value->type->kind == GTDBG_TYPE_VECTOR;
}

const struct gtdbg_type *vector_type_find(const char *name)
{
	static const uint32_t counts[] = { 2, 3, 4, 8, 16 };

	for (size_t i = 0; i < ELEMENTS; i++) {
		const struct gtdbg_type element = {
			.kind = elements[i].kind,
			.size_bytes = elements[i].size_bytes,
		};
		size_t len = strlen(elements[i].name);

		for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
			char number[4];

			snprintf(number, sizeof(number), "%u", counts[k]);
			if (strncmp(name, elements[i].name, len) == 0 &&
			    strcmp(name + len, number) == 0)
				return vector_type(&element, counts[k]);
		}
	}
	return NULL;
}

bool vector_takes(const struct value *left, const struct value *right)
{
	bool has_one = value_is_vector(left) || value_is_vector(right);

	return has_one && (value_is_vector(left) || value_is_number(left)) &&
	       (value_is_vector(right) || value_is_number(right));
}

static struct value *element_take(const struct value *vector, uint64_t i)
{
	const struct gtdbg_type *type = vector->type->target;

	return value_part(vector, type, i * type->size_bytes);
}

static void element_put(struct value *vector, uint64_t i,
			const struct value *number)
{
	size_t size = vector->type->target->size_bytes;

	memcpy(vector->bytes + i * size, number->bytes, size);
}

struct value *vector_member(const struct value *value, const char *name)
{
	const struct gtdbg_type *element = value->type->target, *type;
	uint8_t picked[GTDBG_VECTOR_MAX];
	int count = gtdbg_vector_components(value->type, name, picked), i;
	bool is_row = true;
	struct value *out;

	if (count == 1)
		return element_take(value, picked[0]);
	type = count > 1 ? vector_type(element, count) : NULL;
	for (i = 1; i < count; i++)
		is_row &= picked[i] == picked[0] + i;
	/* A vector of three would be written with a fourth one. */
	if (type && is_row && count != 3)
		return value_part(value, type, picked[0] * element->size_bytes);
	out = type ? value_create(type) : NULL;
	for (i = 0; out && i < count; i++)
		memcpy(out->bytes + i * element->size_bytes,
		       value->bytes + picked[i] * element->size_bytes,
		       element->size_bytes);
	if (out)
		out->unavailable = value->unavailable;
	return out;
}

int vector_begin(struct vector_maker *maker, const struct gtdbg_type *type)
{
	maker->out = value_create(type);
	maker->count = 0;
	return maker->out ? 0 : fail(maker->debugger, "Out of memory.");
}

/* Takes the number over. */
static int number_add(struct vector_maker *maker, struct value *number)
{
	const struct gtdbg_type *type = maker->out->type;

	if (maker->count == type->count) {
		free(number);
		return fail(maker->debugger, "A %s has no more than %llu elements.",
			    type->name, (unsigned long long)type->count);
	}
	number = operator_cast(maker->debugger, number, type->target);
	if (!number)
		return -1;
	element_put(maker->out, maker->count++, number);
	free(number);
	return 0;
}

int vector_add(struct vector_maker *maker, struct value *part)
{
	struct value *number;
	int ret = 0;

	if (!value_is_vector(part))
		return number_add(maker, part);
	for (uint64_t i = 0; !ret && i < part->type->count; i++) {
		number = element_take(part, i);
		ret = number ? number_add(maker, number) :
			       fail(maker->debugger, "Out of memory.");
	}
	free(part);
	return ret;
}

struct value *vector_end(struct vector_maker *maker)
{
	struct value *out = maker->out;
	uint64_t count = out->type->count;

	for (; maker->count == 1 && count > 1; count--)
		memcpy(out->bytes + (count - 1) * out->type->target->size_bytes,
		       out->bytes, out->type->target->size_bytes);
	if (maker->count == 1 || maker->count == count)
		return out;
	fail(maker->debugger, "A %s has %llu elements, and not %llu.",
	     out->type->name, (unsigned long long)count,
	     (unsigned long long)maker->count);
	free(out);
	return NULL;
}

struct value *vector_splat(struct debugger *debugger, struct value *number,
			   const struct gtdbg_type *type)
{
	struct vector_maker maker = { .debugger = debugger };

	if (vector_begin(&maker, type)) {
		free(number);
		return NULL;
	}
	if (!number_add(&maker, number))
		return vector_end(&maker);
	free(maker.out);
	return NULL;
}

/* What becomes of a vector; NULL after saying that it is none that OpenCL has. */
static struct value *result_create(struct debugger *debugger,
				   const struct gtdbg_type *vector,
				   bool is_truth)
{
	const struct gtdbg_type integer = {
		.kind = GTDBG_TYPE_INTEGER,
		.size_bytes = vector->target->size_bytes,
	};
	const struct gtdbg_type *type = is_truth ?
		vector_type(&integer, vector->count) : vector;
	struct value *out = type ? value_create(type) : NULL;

	if (!out)
		fail(debugger, "A %s cannot be computed.", vector->name);
	return out;
}

/* What an element has become: 1 is true there, and -1 here. Takes it over. */
static int element_set(struct debugger *debugger, struct value *out, uint64_t i,
		       struct value *number, bool is_truth)
{
	if (number && is_truth)
		number = operator_unary(debugger, '-', number);
	if (number)
		number = operator_cast(debugger, number, out->type->target);
	if (!number)
		return -1;
	element_put(out, i, number);
	free(number);
	return 0;
}

struct value *vector_unary(struct debugger *debugger, char prefix,
			   struct value *value)
{
	bool is_truth = prefix == '!';
	struct value *out = result_create(debugger, value->type, is_truth);
	struct value *number;
	int ret = 0;

	for (uint64_t i = 0; out && !ret && i < value->type->count; i++) {
		number = element_take(value, i);
		if (number)
			number = operator_unary(debugger, prefix, number);
		ret = element_set(debugger, out, i, number, is_truth);
	}
	free(value);
	if (!ret)
		return out;
	free(out);
	return NULL;
}

static bool is_comparison(const char *text)
{
	return !operator_is_shift(text) &&
	       (strchr("=!<>", text[0]) || strcmp(text, "&&") == 0 ||
		strcmp(text, "||") == 0);
}

/* How far an element of so many bytes is shifted: by the lowest bits, and it is no int. */
static struct value *shift_take(const struct value *vector, uint64_t i,
				uint64_t size)
{
	struct value *by = element_take(vector, i);

	if (!by || value_is_float(by))
		return by;
	by->bytes[0] &= 8 * size - 1;
	memset(by->bytes + 1, 0, by->type->size_bytes - 1);
	return by;
}

/* Both are vectors of one length. */
static struct value *elements_compute(struct debugger *debugger,
				      const char *text,
				      const struct value *left,
				      const struct value *right)
{
	bool is_truth = is_comparison(text), is_shift = operator_is_shift(text);
	struct value *out = result_create(debugger, left->type, is_truth);
	uint64_t size = left->type->target->size_bytes;
	struct value *number;
	int ret = 0;

	for (uint64_t i = 0; out && !ret && i < left->type->count; i++) {
		number = operator_binary(debugger, text, element_take(left, i),
					 is_shift ?
					 shift_take(right, i, size) :
					 element_take(right, i));
		ret = element_set(debugger, out, i, number, is_truth);
	}
	if (!ret)
		return out;
	free(out);
	return NULL;
}

struct value *vector_binary(struct debugger *debugger, const char *text,
			    struct value *left, struct value *right)
{
	struct value *out = NULL;

	if (!value_is_vector(left))
		left = vector_splat(debugger, left, right->type);
	else if (!value_is_vector(right))
		right = vector_splat(debugger, right, left->type);
	if (left && right && left->type->count != right->type->count)
		fail(debugger, "Vectors of %llu and of %llu elements.",
		     (unsigned long long)left->type->count,
		     (unsigned long long)right->type->count);
	else if (left && right)
		out = elements_compute(debugger, text, left, right);
	free(left);
	free(right);
	return out;
}
