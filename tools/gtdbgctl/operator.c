// SPDX-License-Identifier: MIT
#include "operator.h"

#include "debugger.h"
#include "value.h"
#include "vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS_MAX 65536
#define NAMELESS_MAX 4096	/* members that are looked into for one */

static bool is_usable(struct debugger *debugger, const struct value *value)
{
	if (!value->unavailable)
		return true;
	fail(debugger, "value is not available: %s", value->unavailable);
	return false;
}

static bool is_number(struct debugger *debugger, const struct value *value)
{
	if (!is_usable(debugger, value))
		return false;
	if (value_is_number(value))
		return true;
	fail(debugger, "Argument to arithmetic operation not a number or boolean.");
	return false;
}

struct value *operator_cast(struct debugger *debugger, struct value *value,
			    const struct gtdbg_type *type)
{
	struct value *out;

	if (!is_usable(debugger, value)) {
		free(value);
		return NULL;
	}
	if (type->kind == GTDBG_TYPE_VECTOR && value_is_number(value))
		return vector_splat(debugger, value, type);
	out = value_create(type);
	if (out && value_is_number(out) && value_is_number(value)) {
		value_set_number(out, value);
	} else if (out && value_fits(out, value)) {
		memcpy(out->bytes, value->bytes, type->size_bytes);
	} else {
		free(out);
		out = NULL;
		fail(debugger, "Invalid cast.");
	}
	free(value);
	return out;
}

static struct value *part(struct value *value, const struct gtdbg_type *type,
			  uint64_t offset)
{
	struct value *out = value_part(value, type, offset);

	free(value);
	return out;
}

static struct value *index_in_memory(struct debugger *debugger,
				     struct value *value, int64_t index)
{
	const struct gtdbg_type *element = value->type->target;
	uint64_t address = value->type->kind == GTDBG_TYPE_POINTER ?
			   (uint64_t)value_to_integer(value) : value->address;

	free(value);
	return value_read(debugger, element, VALUE_MEMORY,
			  address + index * element->size_bytes);
}

struct value *operator_index(struct debugger *debugger, struct value *value,
			     struct value *index)
{
	uint32_t kind = value->type->kind;
	int64_t number;

	if (!is_usable(debugger, value) || !is_number(debugger, index)) {
		free(value);
		free(index);
		return NULL;
	}
	number = value_to_integer(index);
	free(index);
	if (kind == GTDBG_TYPE_POINTER)
		return index_in_memory(debugger, value, number);
	if (kind != GTDBG_TYPE_ARRAY && kind != GTDBG_TYPE_VECTOR) {
		fail(debugger, "cannot subscript something of type `%s'",
		     value->type->name);
		free(value);
		return NULL;
	}
	if (number >= 0 && (uint64_t)number < value->type->count)
		return part(value, value->type->target,
			    number * value->type->target->size_bytes);
	if (value->place == VALUE_MEMORY)
		return index_in_memory(debugger, value, number);
	fail(debugger, "no such vector element");
	free(value);
	return NULL;
}

/*
 * Also of what has no name itself, as in C; the place is then the one in @type. As such may
 * hold the next one twice, and that the next one, no more than @left are looked into.
 */
static bool member_find(const struct gtdbg_type *type, const char *name,
			unsigned int *left, struct gtdbg_member *out)
{
	for (size_t i = 0; i < type->member_count; i++) {
		const struct gtdbg_member *member = &type->members[i];

		if (member->name && strcmp(member->name, name) == 0) {
			*out = *member;
			return true;
		}
		if (member->name || !type_is_compound(member->type) || !*left)
			continue;
		--*left;
		if (member_find(member->type, name, left, out)) {
			out->offset_bytes += member->offset_bytes;
			return true;
		}
	}
	return false;
}

/* NULL: there is none. */
static struct value *member_take(const struct value *value, const char *name)
{
	unsigned int left = NAMELESS_MAX;
	struct gtdbg_member member;

	return member_find(value->type, name, &left, &member) ?
	       value_member(value, &member) : NULL;
}

struct value *operator_member(struct debugger *debugger, struct value *value,
			      const char *name)
{
	const struct gtdbg_type *type = value->type;
	struct value *out = NULL;

	if (type->kind == GTDBG_TYPE_VECTOR)
		out = vector_member(value, name);
	if (type->kind == GTDBG_TYPE_POINTER && type->target &&
	    type_is_compound(type->target)) {
		value = operator_dereference(debugger, value);
		return value ? operator_member(debugger, value, name) : NULL;
	}
	if (type_is_compound(type))
		out = member_take(value, name);
	if (!out)
		fail(debugger, "There is no member named %s.", name);
	free(value);
	return out;
}

struct value *operator_dereference(struct debugger *debugger,
				   struct value *value)
{
	if (!is_usable(debugger, value)) {
		free(value);
		return NULL;
	}
	if (value->type->kind == GTDBG_TYPE_ARRAY)
		return part(value, value->type->target, 0);
	if (value->type->kind == GTDBG_TYPE_POINTER &&
	    value->type->target->size_bytes)
		return index_in_memory(debugger, value, 0);
	fail(debugger, "Attempt to take contents of a non-pointer value.");
	free(value);
	return NULL;
}

struct value *operator_address(struct debugger *debugger,
			       struct gtdbg_symbols *symbols,
			       struct value *value)
{
	const struct gtdbg_type *type;
	struct value *out = NULL;

	if (value->place == VALUE_NOWHERE && !is_usable(debugger, value)) {
		free(value);
		return NULL;
	}
	if (value->place == VALUE_REGISTER_FILE)
		fail(debugger, "Attempt to take address of value in a register.");
	else if (value->place != VALUE_MEMORY)
		fail(debugger, "Attempt to take address of value not located in memory.");
	else if (symbols && !gtdbg_type_pointer(symbols, value->type, &type))
		out = value_create(type);
	if (out)
		memcpy(out->bytes, &value->address, sizeof(value->address));
	free(value);
	return out;
}

/* As in C: a long holds all unsigned ints. */
static const char *type_common(const struct value *left,
			       const struct value *right)
{
	bool is_wide = left->type->size_bytes > 4 ||
		       right->type->size_bytes > 4;
	uint64_t size = is_wide ? 8 : 4;
	bool is_unsigned = (!value_is_signed(left) &&
			    left->type->size_bytes >= size) ||
			   (!value_is_signed(right) &&
			    right->type->size_bytes >= size);

	if (is_wide)
		return is_unsigned ? "unsigned long" : "long";
	return is_unsigned ? "unsigned int" : "int";
}

static bool is_true(const struct value *value)
{
	return value_is_float(value) ? value_to_float(value) != 0 :
	       value_to_integer(value) != 0;
}

int operator_truth(struct debugger *debugger, const struct value *value)
{
	return is_number(debugger, value) ? is_true(value) : -1;
}

int operator_integer(struct debugger *debugger, const struct value *value,
		     int64_t *out)
{
	if (!is_number(debugger, value))
		return -1;
	*out = value_to_integer(value);
	return 0;
}

bool operator_decides(const char *text, const struct value *left)
{
	if (strcmp(text, "&&") && strcmp(text, "||"))
		return false;
	return !left->unavailable && value_is_number(left) &&
	       is_true(left) == (text[0] == '|');
}

/* Two floats, or one and an integer, make a float; halves do, too. */
static bool is_double(const struct value *value)
{
	return value_is_float(value) && value->type->size_bytes > 4;
}

struct value *operator_unary(struct debugger *debugger, char prefix,
			     struct value *value)
{
	struct value *out;
	int64_t number;

	if (value_is_vector(value) && !value->unavailable)
		return vector_unary(debugger, prefix, value);
	if (!is_number(debugger, value)) {
		free(value);
		return NULL;
	}
	if (value_is_float(value) && prefix == '~') {
		fail(debugger, "Argument to complement operation not an integer, boolean.");
		free(value);
		return NULL;
	}
	number = value_to_integer(value);
	if (value_is_float(value) && prefix == '-')
		out = value_float(is_double(value) ? "double" : "float",
				  -value_to_float(value));
	else if (value_is_float(value) && prefix == '+')
		out = value_copy(value);
	else
		out = value_integer(prefix == '!' ? "int" :
				    type_common(value, value),
				    prefix == '-' ? (int64_t)-(uint64_t)number :
				    prefix == '!' ? !is_true(value) :
				    prefix == '~' ? ~number : number);
	free(value);
	return out;
}

static bool compare(const char *text, int order, int64_t *out)
{
	if (strcmp(text, "==") == 0)
		*out = order == 0;
	else if (strcmp(text, "!=") == 0)
		*out = order != 0;
	else if (strcmp(text, "<=") == 0)
		*out = order <= 0;
	else if (strcmp(text, ">=") == 0)
		*out = order >= 0;
	else if (strcmp(text, "<") == 0)
		*out = order < 0;
	else if (strcmp(text, ">") == 0)
		*out = order > 0;
	else
		return false;
	return true;
}

static struct value *binary_float(struct debugger *debugger, const char *text,
				  const struct value *left,
				  const struct value *right)
{
	bool is_wide = is_double(left) || is_double(right);
	double a = value_to_float(left), b = value_to_float(right);
	int64_t truth;

	if (!is_wide) {
		a = (float)a;
		b = (float)b;
	}
	/* What is not a number has no order, and equals nothing. */
	if (compare(text, a < b ? -1 : a > b, &truth))
		return value_integer("int", isunordered(a, b) ?
				     text[0] == '!' : truth);
	/* A double has more than twice a float's digits: rounded twice is rounded once. */
	switch (text[0]) {
	case '+':
		a += b;
		break;
	case '-':
		a -= b;
		break;
	case '*':
		a *= b;
		break;
	case '/':
		a /= b;
		break;
	default:
		fail(debugger, "Operator %s needs integers.", text);
		return NULL;
	}
	return value_float(is_wide ? "double" : "float", a);
}

static bool compute(const char *text, int64_t a, int64_t b, bool is_signed,
		    int64_t *out)
{
	uint64_t ua = a, ub = b;

	switch (text[0]) {
	case '+':
		*out = ua + ub;
		return true;
	case '-':
		*out = ua - ub;
		return true;
	case '*':
		*out = ua * ub;
		return true;
	case '&':
		*out = ua & ub;
		return true;
	case '|':
		*out = ua | ub;
		return true;
	case '^':
		*out = ua ^ ub;
		return true;
	case '<':
		*out = ua << ub;
		return true;
	case '>':
		*out = is_signed ? a >> ub : (int64_t)(ua >> ub);
		return true;
	}
	if (!b)
		return false;
	if (text[0] == '/')
		*out = !is_signed ? (int64_t)(ua / ub) :
		       b == -1 ? (int64_t)-ua : a / b;
	else
		*out = !is_signed ? (int64_t)(ua % ub) : b == -1 ? 0 : a % b;
	return true;
}

bool operator_is_shift(const char *text)
{
	return strcmp(text, "<<") == 0 || strcmp(text, ">>") == 0;
}

static struct value *binary_integer(struct debugger *debugger,
				    const char *text, const struct value *left,
				    const struct value *right)
{
	int64_t a = value_to_integer(left), b = value_to_integer(right);
	bool is_shift = operator_is_shift(text);
	/* How far a number is shifted does not change what it is. */
	const char *type = type_common(left, is_shift ? left : right);
	bool is_signed = type[0] != 'u';
	int64_t out;

	/* As C has it: -1 is the largest one beside an unsigned number. */
	if (strcmp(type, "unsigned int") == 0) {
		a = (uint32_t)a;
		b = is_shift ? b : (uint32_t)b;
	}
	if (!is_shift) {
		int order = is_signed ? (a > b) - (a < b) :
			    ((uint64_t)a > (uint64_t)b) -
			    ((uint64_t)a < (uint64_t)b);

		if (compare(text, order, &out))
			return value_integer("int", out);
	}
	/* As OpenCL C has it, which takes the lowest bits. */
	if (is_shift)
		b &= strstr(type, "long") ? 63 : 31;
	/* The values of what is only checked, or skipped, mean nothing. */
	if (debugger_skips(debugger))
		return value_integer(type, 0);
	if (!compute(text, a, b, is_signed, &out)) {
		fail(debugger, "Division by zero");
		return NULL;
	}
	return value_integer(type, out);
}

/* Pointer plus or minus a number of elements, or the elements between two. */
static struct value *binary_pointer(const char *text, const struct value *left,
				    const struct value *right)
{
	int64_t size = left->type->target && left->type->target->size_bytes ?
		       left->type->target->size_bytes : 1;
	int64_t address = value_to_integer(left);
	int64_t number = value_to_integer(right);
	uint64_t delta = (uint64_t)number * size;
	struct value *out;

	if (right->type->kind == GTDBG_TYPE_POINTER && text[0] == '-')
		return value_integer("long", (address - number) / size);
	out = value_create(left->type);
	address = text[0] == '+' ? address + delta : address - delta;
	if (out)
		memcpy(out->bytes, &address, out->type->size_bytes < 8 ?
					     out->type->size_bytes : 8);
	return out;
}

static struct value *repeat(struct debugger *debugger,
			    const struct value *left,
			    const struct value *right)
{
	struct gtdbg_type *type;
	int64_t count;

	if (operator_integer(debugger, right, &count))
		return NULL;
	/* Where nothing is computed there is no number. */
	if (debugger_skips(debugger) && (count < 1 || count > REPEATS_MAX)) {
		debugger->guesses++;
		count = 1;
	}
	if (left->place != VALUE_NOWHERE && (count < 1 || count > REPEATS_MAX)) {
		fail(debugger, "Invalid number %lld of repetitions: from 1 to %d.",
		     (long long)count, REPEATS_MAX);
		return NULL;
	}
	if (left->place == VALUE_NOWHERE) {
		fail(debugger, "Only values in memory can be extended with '@'.");
		return NULL;
	}
	/* Kept for good: values in the history refer to it. */
	type = calloc(1, sizeof(*type));
	if (!type)
		return NULL;
	type->kind = GTDBG_TYPE_ARRAY;
	type->name = left->type->name;
	type->count = count;
	type->target = left->type;
	type->size_bytes = count * left->type->size_bytes;
	return value_read(debugger, type, left->place, left->address);
}

static struct value *binary(struct debugger *debugger, const char *text,
			    const struct value *left,
			    const struct value *right)
{
	bool is_sum = strcmp(text, "+") == 0 || strcmp(text, "-") == 0;

	if (strcmp(text, "@") == 0)
		return repeat(debugger, left, right);
	if (!is_number(debugger, left) || !is_number(debugger, right))
		return NULL;
	if (strcmp(text, "&&") == 0)
		return value_integer("int", is_true(left) && is_true(right));
	if (strcmp(text, "||") == 0)
		return value_integer("int", is_true(left) || is_true(right));
	if (is_sum && left->type->kind == GTDBG_TYPE_POINTER)
		return binary_pointer(text, left, right);
	if (text[0] == '+' && right->type->kind == GTDBG_TYPE_POINTER)
		return binary_pointer(text, right, left);
	if (value_is_float(left) || value_is_float(right))
		return binary_float(debugger, text, left, right);
	return binary_integer(debugger, text, left, right);
}

struct value *operator_binary(struct debugger *debugger, const char *text,
			      struct value *left, struct value *right)
{
	bool is_vector = left && right && text[0] != '@' &&
			 vector_takes(left, right);
	struct value *out = NULL;

	if (is_vector && is_usable(debugger, left) &&
	    is_usable(debugger, right))
		return vector_binary(debugger, text, left, right);
	if (left && right && !is_vector)
		out = binary(debugger, text, left, right);
	free(left);
	free(right);
	return out;
}

/* What one of two becomes so that it could be the other; NULL: it stays as it is. */
static const struct gtdbg_type *type_chosen(const struct value *chosen,
					    const struct value *other)
{
	const struct gtdbg_type *type;
	bool is_wide = is_double(chosen) || is_double(other);

	if (vector_takes(chosen, other))
		return value_is_vector(chosen) ? NULL : other->type;
	if (!value_is_number(chosen) || !value_is_number(other) ||
	    chosen->type->kind == GTDBG_TYPE_POINTER ||
	    (chosen->type->kind == GTDBG_TYPE_ENUM &&
	     chosen->type == other->type))
		return NULL;
	if (other->type->kind == GTDBG_TYPE_POINTER)
		return other->type;
	gtdbg_type_find_name(NULL, !value_is_float(chosen) &&
			     !value_is_float(other) ?
			     type_common(chosen, other) :
			     is_wide ? "double" : "float", &type);
	return type;
}

struct value *operator_choose(struct debugger *debugger, struct value *chosen,
			      struct value *other)
{
	const struct gtdbg_type *type = type_chosen(chosen, other);
	struct value *out = chosen;

	if (type && chosen->unavailable) {
		out = value_unavailable(type, chosen->unavailable);
		free(chosen);
	} else if (type) {
		out = operator_cast(debugger, chosen, type);
	}
	free(other);
	return out;
}
