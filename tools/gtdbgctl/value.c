// SPDX-License-Identifier: MIT
#include "value.h"

#include "debugger.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Larger values are mistakes, if not an attack on the debugger. */
#define VALUE_BYTES_MAX	(1u << 20)

#define REGISTER_BYTES	32

struct value *value_create(const struct gtdbg_type *type)
{
	struct value *value = NULL;

	if (type->size_bytes <= VALUE_BYTES_MAX)
		value = calloc(1, sizeof(*value) + type->size_bytes);
	if (value)
		value->type = type;
	return value;
}

struct value *value_part(const struct value *value,
			 const struct gtdbg_type *type, uint64_t offset)
{
	struct value *out = value_create(type);

	if (!out)
		return NULL;
	out->place = value->place;
	out->address = value->address + offset;
	out->unavailable = value->unavailable;
	if (offset <= value->type->size_bytes &&
	    type->size_bytes <= value->type->size_bytes - offset)
		memcpy(out->bytes, value->bytes + offset, type->size_bytes);
	return out;
}

struct value *value_member(const struct value *value,
			   const struct gtdbg_member *member)
{
	struct value *out = value_part(value, member->type,
				       member->offset_bytes);
	uint64_t bits = 0;

	if (!out || !member->bit_count)
		return out;
	memcpy(&bits, out->bytes, member->type->size_bytes);
	bits >>= member->bit_offset;
	bits <<= 64 - member->bit_count;
	bits = value_is_signed(out) ?
	       (uint64_t)((int64_t)bits >> (64 - member->bit_count)) :
	       bits >> (64 - member->bit_count);
	memcpy(out->bytes, &bits, member->type->size_bytes);
	out->place = VALUE_NOWHERE;
	return out;
}

struct value *value_copy(const struct value *value)
{
	struct value *copy = value_create(value->type);

	if (copy)
		memcpy(copy, value, sizeof(*value) + value->type->size_bytes);
	return copy;
}

struct value *value_number(const struct gtdbg_type *type, int64_t number)
{
	struct value *value = value_create(type);

	if (value)
		memcpy(value->bytes, &number, type->size_bytes < 8 ?
					      type->size_bytes : 8);
	return value;
}

struct value *value_integer(const char *name, int64_t number)
{
	const struct gtdbg_type *type;

	gtdbg_type_find_name(NULL, name, &type);
	return value_number(type, number);
}

struct value *value_float(const char *name, double number)
{
	const float single = (float)number;
	const struct gtdbg_type *type;
	struct value *value;

	gtdbg_type_find_name(NULL, name, &type);
	value = value_create(type);
	if (value && type->size_bytes == sizeof(single))
		memcpy(value->bytes, &single, sizeof(single));
	else if (value)
		memcpy(value->bytes, &number, sizeof(number));
	return value;
}

struct value *value_unavailable(const struct gtdbg_type *type,
				const char *reason)
{
	struct value *value = value_create(type);

	if (value)
		value->unavailable = reason;
	return value;
}

int value_fail_memory(struct debugger *debugger, int ret, uint64_t address)
{
	switch (ret) {
	case -EOPNOTSUPP:
		return fail(debugger, "Cannot access local memory: it needs gtdbg's system routine.");
	case -ENXIO:
		return fail(debugger, "Cannot access local memory: the work-group has none.");
	case -ETIMEDOUT:
		return fail(debugger, "Cannot access local memory: the thread does not answer.");
	default:
		return fail(debugger, "Cannot access memory at address 0x%llx",
			    (unsigned long long)address);
	}
}

struct value *value_read(struct debugger *debugger,
			 const struct gtdbg_type *type, enum value_place place,
			 uint64_t address)
{
	const struct gtdbg_machine *machine;
	struct value *value;
	int ret;

	/* The address may come from the history, when nothing is stopped. */
	if (debugger_need_thread(debugger))
		return NULL;
	value = value_create(type);
	if (!value) {
		fail(debugger, "value requires %llu bytes, which is more than %u",
		     (unsigned long long)type->size_bytes, VALUE_BYTES_MAX);
		return NULL;
	}
	value->place = place;
	value->address = address;
	if (!type->size_bytes || debugger_skips(debugger))
		return value;
	machine = gtdbg_stop_machine(debugger->stop);
	if (place == VALUE_MEMORY)
		ret = machine->memory_read(machine->context, address,
					   value->bytes, type->size_bytes);
	else
		ret = machine->register_read(machine->context, address,
					     value->bytes, type->size_bytes);
	/* It still has a type and an address. */
	if (ret == -EOPNOTSUPP)
		value->unavailable = "<local memory: needs gtdbg's system routine>";
	if (!ret || value->unavailable)
		return value;
	free(value);
	value_fail_memory(debugger, ret, address);
	return NULL;
}

static const char *unavailable_text(int ret)
{
	switch (ret) {
	case -ENODATA:
		return "<optimized out>";
	case -EAGAIN:
		return "<not available yet>";
	case -ESTALE:
		return "<location stale>";
	case -EOPNOTSUPP:
		return "<location not supported>";
	default:
		return "<unreadable>";
	}
}

struct value *value_of_variable(struct debugger *debugger,
				const struct gtdbg_variable *variable)
{
	struct gtdbg_location location;
	struct gtdbg_symbols *symbols;
	struct value *value;
	int ret;

	if (debugger_skips(debugger))
		return value_read(debugger, variable->type, VALUE_MEMORY, 0);
	symbols = kernel_symbols(debugger,
				 thread_kernel(debugger, &debugger->thread));
	ret = gtdbg_variable_locate(symbols, frame_current(debugger), variable,
				    gtdbg_stop_machine(debugger->stop),
				    debugger->lane, &location);
	if (!ret && (location.symbol || location.register_name[0]))
		ret = -EOPNOTSUPP;
	if (ret)
		return value_unavailable(variable->type,
					 unavailable_text(ret));
	switch (location.kind) {
	case GTDBG_LOCATION_MEMORY:
		return value_read(debugger, variable->type, VALUE_MEMORY,
				  location.address);
	case GTDBG_LOCATION_REGISTER:
		return value_read(debugger, variable->type,
				  VALUE_REGISTER_FILE,
				  location.register_offset_bytes);
	}
	if (variable->type->size_bytes > location.value_len_bytes)
		return value_unavailable(variable->type, "<optimized out>");
	value = value_create(variable->type);
	if (value)
		memcpy(value->bytes, location.value,
		       variable->type->size_bytes);
	return value;
}

static struct value *grf_value(struct debugger *debugger, uint32_t index)
{
	const struct gtdbg_type *element;
	struct gtdbg_type *type;

	gtdbg_type_find_name(NULL, "unsigned int", &element);
	/* Kept for good: values in the history refer to it. */
	type = calloc(1, sizeof(*type));
	if (!type)
		return NULL;
	type->kind = GTDBG_TYPE_ARRAY;
	type->name = "unsigned int [8]";
	type->size_bytes = REGISTER_BYTES;
	type->count = 8;
	type->target = element;
	return value_read(debugger, type, VALUE_REGISTER_FILE,
			  index * REGISTER_BYTES);
}

/* Other registers are shown by their first dword. */
struct value *value_of_register(struct debugger *debugger, const char *name)
{
	struct gtdbg_register_name found;
	struct gtdbg_register_set sets[32];
	uint8_t bytes[256] = { 0 };
	uint32_t number;
	int count, i;

	if (gtdbg_register_find_name(name, &found)) {
		fail(debugger, "Invalid register `%s'", name);
		return NULL;
	}
	if (found.set == GTDBG_REGISTER_GRF && found.index < 128)
		return grf_value(debugger, found.index);
	if (debugger_skips(debugger))
		return value_integer("unsigned int", 0);
	count = gtdbg_register_list(debugger->session, debugger->thread.device,
				    debugger->thread.context, sets, 32);
	for (i = 0; i < count; i++) {
		if (sets[i].set != found.set || found.index >= sets[i].count ||
		    sets[i].bytes > sizeof(bytes))
			continue;
		if (gtdbg_register_read(debugger->session, &debugger->thread,
					found.set, found.index, 1, bytes,
					sets[i].bytes) < 0)
			break;
		memcpy(&number, bytes, sizeof(number));
		return value_integer("unsigned int", number);
	}
	fail(debugger, "Register %s is not available.", name);
	return NULL;
}

/* Puts the bytes of a value where it came from. */
static int value_store(struct debugger *debugger, const struct value *value)
{
	size_t size = value->type->size_bytes;
	int ret;

	switch (value->place) {
	case VALUE_MEMORY:
		ret = gtdbg_stop_memory_write(debugger->stop, value->address,
					      value->bytes, size);
		break;
	case VALUE_REGISTER_FILE:
		ret = gtdbg_stop_register_write(debugger->stop, value->address,
						value->bytes, size);
		break;
	default:
		return fail(debugger, "Left operand of assignment is not an lvalue.");
	}
	if (ret == -EPERM)
		return fail(debugger, "Cannot write: a core file, or a program that is only looked at, stays as it is.");
	if (ret && value->place != VALUE_MEMORY)
		return fail(debugger, "Cannot write: %s.", strerror(-ret));
	return ret ? value_fail_memory(debugger, ret, value->address) : 0;
}

bool value_fits(const struct value *to, const struct value *from)
{
	return to->type->size_bytes == from->type->size_bytes &&
	       !(to->type->kind == GTDBG_TYPE_POINTER &&
		 from->type->kind == GTDBG_TYPE_ARRAY);
}

int value_assign(struct debugger *debugger, struct value *to,
		 const struct value *from)
{
	if (to->unavailable || from->unavailable)
		return fail(debugger, "value is not available: %s",
			    to->unavailable ? to->unavailable :
			    from->unavailable);
	if (debugger_skips(debugger))
		return 0;
	if (to->place != VALUE_NOWHERE && debugger_need_thread(debugger))
		return -1;
	if (value_is_number(to) && value_is_number(from))
		value_set_number(to, from);
	else if (value_fits(to, from))
		memcpy(to->bytes, from->bytes, to->type->size_bytes);
	else
		return fail(debugger, "Invalid cast.");
	return value_store(debugger, to);
}

bool value_is_float(const struct value *value)
{
	return value->type->kind == GTDBG_TYPE_FLOAT;
}

bool value_is_number(const struct value *value)
{
	switch (value->type->kind) {
	case GTDBG_TYPE_INTEGER:
	case GTDBG_TYPE_UNSIGNED:
	case GTDBG_TYPE_FLOAT:
	case GTDBG_TYPE_BOOLEAN:
	case GTDBG_TYPE_CHARACTER:
	case GTDBG_TYPE_POINTER:
	case GTDBG_TYPE_ENUM:
		return true;
	default:
		return false;
	}
}

bool type_is_compound(const struct gtdbg_type *type)
{
	return type->kind == GTDBG_TYPE_STRUCT || type->kind == GTDBG_TYPE_UNION;
}

bool value_is_signed(const struct value *value)
{
	const struct gtdbg_type *type = value->type;

	if (type->kind == GTDBG_TYPE_ENUM)
		type = type->target;
	return type->kind == GTDBG_TYPE_INTEGER ||
	       type->kind == GTDBG_TYPE_CHARACTER;
}

/* Half precision: 1 sign, 5 exponent, 10 mantissa bits. */
double value_half(uint16_t half)
{
	int exponent = half >> 10 & 0x1f;
	double mantissa = half & 0x3ff, number;

	if (exponent == 0x1f)
		number = mantissa ? __builtin_nan("") : __builtin_inf();
	else if (exponent)
		number = __builtin_ldexp(1024 + mantissa, exponent - 25);
	else
		number = __builtin_ldexp(mantissa, -24);
	return half & 0x8000 ? -number : number;
}

double value_to_float(const struct value *value)
{
	double wide;
	float narrow;
	uint16_t half;

	if (!value_is_float(value) && value_is_signed(value))
		return value_to_integer(value);
	if (!value_is_float(value))
		return (uint64_t)value_to_integer(value);
	switch (value->type->size_bytes) {
	case 2:
		memcpy(&half, value->bytes, 2);
		return value_half(half);
	case 4:
		memcpy(&narrow, value->bytes, 4);
		return narrow;
	default:
		memcpy(&wide, value->bytes, 8);
		return wide;
	}
}

/* The nearest half, of two the even one. */
static uint16_t half_of(double number)
{
	uint16_t sign = signbit(number) ? 0x8000 : 0;
	double size = fabs(number);
	int exponent;

	if (isnan(number))
		return sign | 0x7e00;
	if (size >= 65520)
		return sign | 0x7c00;
	if (size < 0x1p-14)
		return sign | (uint16_t)nearbyint(size * 0x1p24);
	exponent = ilogb(size);
	return sign + ((exponent + 14) << 10) +
	       (uint16_t)nearbyint(ldexp(size, 10 - exponent));
}

/*
 * What is too large is the largest that there is, and what is no number is 0. Below an
 * unsigned one's zero it goes on from the other end.
 */
static uint64_t integer_of(double number, size_t size, bool is_signed)
{
	unsigned int bits = size < 8 ? 8 * size : 64;
	double limit = ldexp(1, bits - is_signed);

	if (isnan(number) || !bits)
		return 0;
	if (number >= limit)
		return UINT64_MAX >> (64 - bits + is_signed);
	if (number >= 0x1p63)
		return (uint64_t)number;
	if (is_signed && number < -limit)
		number = -limit;
	return number < -0x1p63 ? INT64_MIN : (int64_t)number;
}

int64_t value_to_integer(const struct value *value)
{
	size_t size = value->type->size_bytes;
	uint64_t bits = 0;

	if (value_is_float(value))
		return integer_of(value_to_float(value), 8, true);
	memcpy(&bits, value->bytes, size > 8 ? 8 : size);
	if (value_is_signed(value) && size < 8 && size &&
	    bits >> (8 * size - 1))
		bits |= ~0ull << (8 * size);
	return bits;
}

void value_set_number(struct value *value, const struct value *number)
{
	size_t size = value->type->size_bytes;
	double wide = value_to_float(number);
	float narrow = wide;
	uint16_t half = half_of(wide);
	uint64_t integer;

	if (value->type->kind == GTDBG_TYPE_BOOLEAN)
		integer = wide != 0;
	else if (value_is_float(number))
		integer = integer_of(wide, size, value_is_signed(value));
	else
		integer = value_to_integer(number);
	if (!value_is_float(value))
		memcpy(value->bytes, &integer, size > 8 ? 8 : size);
	else if (size == 2)
		memcpy(value->bytes, &half, 2);
	else if (size == 4)
		memcpy(value->bytes, &narrow, 4);
	else if (size == 8)
		memcpy(value->bytes, &wide, 8);
}

int value_remember(struct debugger *debugger, struct value *value)
{
	struct kernel *kernel = debugger->has_thread ?
		thread_kernel(debugger, &debugger->thread) : NULL;
	size_t count = debugger->history_count;
	struct value **history;

	history = realloc(debugger->history, (count + 1) * sizeof(*history));
	if (!history)
		return 0;
	history[count] = value;
	if (kernel)
		kernel->has_values = true;
	debugger->history = history;
	debugger->history_count = count + 1;
	return count + 1;
}

void values_fini(struct debugger *debugger)
{
	size_t i;

	for (i = 0; i < debugger->history_count; i++)
		free(debugger->history[i]);
	free(debugger->history);
	debugger->history = NULL;
	debugger->history_count = 0;
}
