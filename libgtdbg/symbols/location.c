// SPDX-License-Identifier: MIT
/*
 * The stack machine of DWARF with the operators of Intel's compiler. An
 * element is a number or names a register; where an expression leaves several
 * elements, the compiler has repeated itself and the first one counts.
 */
#include "location.h"

#include "symbols.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

#define STACK_MAX	32
#define STEPS_MAX	1000

struct element {
	uint64_t value;
	bool is_register;
	uint32_t home_byte;	/* see gtdbg_location_evaluate() */
};

struct machine_state {
	const struct location_request *request;
	const uint8_t *at;
	const uint8_t *end;
	struct element stack[STACK_MAX];
	int depth;
	bool is_value;		/* DW_OP_stack_value */
	uint32_t pieces;
	bool has_rest;		/* the last one ends within a byte */
	struct gtdbg_location result;
	struct location_trace trace;
};

static int push(struct machine_state *state, uint64_t value)
{
	struct element *top;

	if (state->depth == STACK_MAX)
		return -EBADMSG;
	top = &state->stack[state->depth++];
	top->value = value;
	top->is_register = false;
	top->home_byte = LOCATION_NO_BYTE;
	return 0;
}

static int push_register(struct machine_state *state, uint64_t number)
{
	int ret = push(state, number);

	if (!ret)
		state->stack[state->depth - 1].is_register = true;
	return ret;
}

static int pop(struct machine_state *state, struct element *out)
{
	if (!state->depth)
		return -EBADMSG;
	*out = state->stack[--state->depth];
	return 0;
}

static int pop_number(struct machine_state *state, uint64_t *out)
{
	struct element element;
	int ret = pop(state, &element);

	if (ret || element.is_register)
		return -EBADMSG;
	*out = element.value;
	return 0;
}

static int operand_fixed(struct machine_state *state, size_t len,
			 bool is_signed, uint64_t *out)
{
	uint64_t value = 0;

	if ((size_t)(state->end - state->at) < len)
		return -EBADMSG;
	memcpy(&value, state->at, len);
	state->at += len;
	if (is_signed && len < 8 && value >> (8 * len - 1))
		value |= ~0ull << (8 * len);
	*out = value;
	return 0;
}

static int operand_leb(struct machine_state *state, bool is_signed,
		       uint64_t *out)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		if (state->at == state->end)
			return -EBADMSG;
		byte = *state->at++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && byte & 0x40)
		value |= ~0ull << shift;
	*out = value;
	return 0;
}

static int register_byte(uint64_t number, uint32_t *out)
{
	if (number < GTDBG_DWARF_GRF0 || number > GTDBG_DWARF_GRF_LAST)
		return -EOPNOTSUPP;
	*out = (number - GTDBG_DWARF_GRF0) * GTDBG_GRF_BYTES;
	return 0;
}

/*
 * What a function kept in registers, those that it called have overwritten or
 * saved in places that only they know.
 */
static int register_claim(struct machine_state *state, uint32_t byte,
			  uint32_t len)
{
	struct location_trace *trace = &state->trace;

	if (state->request->is_caller)
		return -ESTALE;
	if (trace->read_count == LOCATION_READS_MAX)
		return -EOPNOTSUPP;
	trace->reads[trace->read_count].byte = byte;
	trace->reads[trace->read_count++].len_bytes = len;
	return 0;
}

/* Registers are one string of bits: a large offset runs on into the next. */
static int bits_read(struct machine_state *state,
		     const struct element *from, uint64_t bit, uint64_t count,
		     uint64_t *out)
{
	const struct gtdbg_machine *machine = state->request->machine;
	uint8_t bytes[9] = { 0 };
	size_t len = (bit % 8 + count + 7) / 8;
	uint64_t value;
	uint32_t base;
	int ret;

	if (!count || count > 64 || bit > 1 << 16)
		return -EBADMSG;
	if (from->is_register) {
		ret = register_byte(from->value, &base);
		if (!ret)
			ret = register_claim(state, base + bit / 8, len);
		if (ret)
			return ret;
		ret = machine->register_read(machine->context, base + bit / 8,
					     bytes, len);
	} else {
		ret = machine->memory_read(machine->context,
					   from->value + bit / 8, bytes, len);
	}
	if (ret)
		return ret;
	memcpy(&value, bytes, 8);
	value >>= bit % 8;
	if (bit % 8)
		value |= (uint64_t)bytes[8] << (64 - bit % 8);
	if (count < 64)
		value &= (1ull << count) - 1;
	*out = value;
	return 0;
}

/*
 * The frame pointer of an outer frame is not in its register any more: the
 * unwinder has read it from the stack.
 */
static bool is_frame_pointer(const struct machine_state *state,
			     const struct element *from, uint64_t bit,
			     uint64_t count)
{
	uint32_t base;

	return from->is_register && !register_byte(from->value, &base) &&
	       base == state->request->frame_register && bit == 128 &&
	       count == 64;
}

static int op_push_bits(struct machine_state *state)
{
	uint64_t bit, count, value;
	struct element from;
	uint32_t base = 0;
	int ret;

	if (pop_number(state, &count) || pop_number(state, &bit) ||
	    pop(state, &from))
		return -EBADMSG;
	if (is_frame_pointer(state, &from, bit, count)) {
		if (state->request->frame_base)
			return push(state, state->request->frame_base);
		/* It is not like other registers: see frame_check(). */
		state->trace.has_frame = true;
		ret = bits_read(state, &from, bit, count, &value);
		state->trace.read_count -= !ret;
		return ret ? ret : push(state, value);
	}
	ret = bits_read(state, &from, bit, count, &value);
	if (!ret)
		ret = push(state, value);
	if (!ret && from.is_register && count == 64 && bit % 64 == 0 &&
	    !register_byte(from.value, &base))
		state->stack[state->depth - 1].home_byte = base + bit / 8;
	return ret;
}

static int op_deref(struct machine_state *state, uint64_t size)
{
	struct element from;
	uint64_t value;
	int ret = pop(state, &from);

	if (ret)
		return ret;
	ret = bits_read(state, &from, 0, size * 8, &value);
	return ret ? ret : push(state, value);
}

/*
 * Adds bytes of the current top of stack to a value made of pieces. Nothing can be
 * added to one that ends within a byte.
 */
static int piece_add(struct machine_state *state, uint64_t bit, uint64_t bits)
{
	struct gtdbg_location *result = &state->result;
	uint64_t bytes = (bits + 7) / 8;
	struct element from;
	uint64_t done;
	int ret;

	if (!state->depth)
		return -ENODATA;
	if (state->has_rest)
		return -EOPNOTSUPP;
	ret = pop(state, &from);
	if (ret || bytes > sizeof(result->value) - result->value_len_bytes)
		return -EBADMSG;
	for (done = 0; done < bits && !ret; done += 64) {
		uint64_t count = bits - done > 64 ? 64 : bits - done;
		uint64_t value = bit + done < 64 ?
				 from.value >> (bit + done) : 0;

		if (!state->is_value || from.is_register)
			ret = bits_read(state, &from, bit + done, count,
					&value);
		else if (count < 64)
			value &= (1ull << count) - 1;
		memcpy(result->value + result->value_len_bytes, &value,
		       (count + 7) / 8);
		result->value_len_bytes += (count + 7) / 8;
	}
	state->is_value = false;
	state->depth = 0;
	state->pieces++;
	state->has_rest = bits % 8;
	return ret;
}

static int op_implicit_value(struct machine_state *state)
{
	uint64_t len;

	if (operand_leb(state, false, &len) ||
	    len > sizeof(state->result.value) ||
	    len > (size_t)(state->end - state->at))
		return -EBADMSG;
	memcpy(state->result.value, state->at, len);
	state->result.value_len_bytes = len;
	state->at += len;
	state->pieces++;
	return 0;
}

static int op_branch(struct machine_state *state, uint8_t op)
{
	uint64_t offset, condition = 1;

	if (operand_fixed(state, 2, true, &offset))
		return -EBADMSG;
	if (op == DW_OP_bra && pop_number(state, &condition))
		return -EBADMSG;
	if (!condition)
		return 0;
	if ((int64_t)offset < state->request->bytes - state->at ||
	    (int64_t)offset > state->end - state->at)
		return -EBADMSG;
	state->at += (int64_t)offset;
	return 0;
}

static int compute(uint8_t op, uint64_t a, uint64_t b, uint64_t *out)
{
	int64_t sa = a, sb = b;

	if ((op == DW_OP_div || op == DW_OP_mod) && !b)
		return -EBADMSG;
	switch (op) {
	case DW_OP_and:
		*out = a & b;
		break;
	case DW_OP_div:
		*out = sb == -1 ? -a : (uint64_t)(sa / sb);
		break;
	case DW_OP_minus:
		*out = a - b;
		break;
	case DW_OP_mod:
		*out = a % b;
		break;
	case DW_OP_mul:
		*out = a * b;
		break;
	case DW_OP_or:
		*out = a | b;
		break;
	case DW_OP_plus:
		*out = a + b;
		break;
	case DW_OP_shl:
		*out = b > 63 ? 0 : a << b;
		break;
	case DW_OP_shr:
		*out = b > 63 ? 0 : a >> b;
		break;
	case DW_OP_shra:
		*out = sa >> (b > 63 ? 63 : b);
		break;
	case DW_OP_xor:
		*out = a ^ b;
		break;
	case DW_OP_eq:
		*out = a == b;
		break;
	case DW_OP_ge:
		*out = sa >= sb;
		break;
	case DW_OP_gt:
		*out = sa > sb;
		break;
	case DW_OP_le:
		*out = sa <= sb;
		break;
	case DW_OP_lt:
		*out = sa < sb;
		break;
	case DW_OP_ne:
		*out = a != b;
		break;
	default:
		return -EOPNOTSUPP;
	}
	return 0;
}

static int op_binary(struct machine_state *state, uint8_t op)
{
	uint64_t a, b, value;
	int ret;

	if (pop_number(state, &b) || pop_number(state, &a))
		return -EBADMSG;
	ret = compute(op, a, b, &value);
	return ret ? ret : push(state, value);
}

static int op_unary(struct machine_state *state, uint8_t op)
{
	uint64_t value, addend = 0;

	if (op == DW_OP_plus_uconst && operand_leb(state, false, &addend))
		return -EBADMSG;
	if (pop_number(state, &value))
		return -EBADMSG;
	switch (op) {
	case DW_OP_abs:
		return push(state, (int64_t)value < 0 ? -value : value);
	case DW_OP_neg:
		return push(state, -value);
	case DW_OP_not:
		return push(state, ~value);
	default:
		return push(state, value + addend);
	}
}

static int op_stack(struct machine_state *state, uint8_t op)
{
	struct element top, second, third;
	uint64_t index = op == DW_OP_over ? 1 : 0;

	switch (op) {
	case DW_OP_drop:
		return pop(state, &top);
	case DW_OP_swap:
		if (pop(state, &top) || pop(state, &second))
			return -EBADMSG;
		state->stack[state->depth++] = top;
		state->stack[state->depth++] = second;
		return 0;
	case DW_OP_rot:
		if (pop(state, &top) || pop(state, &second) ||
		    pop(state, &third))
			return -EBADMSG;
		state->stack[state->depth++] = top;
		state->stack[state->depth++] = third;
		state->stack[state->depth++] = second;
		return 0;
	case DW_OP_pick:
		if (operand_fixed(state, 1, false, &index))
			return -EBADMSG;
		break;
	}
	if (index >= (uint64_t)state->depth || state->depth == STACK_MAX)
		return -EBADMSG;
	state->stack[state->depth] = state->stack[state->depth - 1 - index];
	state->depth++;
	return 0;
}

/* Operators that only push a constant. */
static int op_constant(struct machine_state *state, uint8_t op)
{
	static const uint8_t lengths[] = { 1, 1, 2, 2, 4, 4, 8, 8 };
	uint64_t value;
	int ret;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
		return push(state, op - DW_OP_lit0);
	if (op == DW_OP_addr)
		ret = operand_fixed(state, 8, false, &value);
	else if (op == DW_OP_constu || op == DW_OP_consts)
		ret = operand_leb(state, op == DW_OP_consts, &value);
	else
		ret = operand_fixed(state, lengths[op - DW_OP_const1u],
				    (op - DW_OP_const1u) & 1, &value);
	return ret ? ret : push(state, value);
}

static int op_piece(struct machine_state *state, uint8_t op)
{
	uint64_t bits, bit = 0;

	switch (op) {
	case DW_OP_piece:
		if (operand_leb(state, false, &bits))
			return -EBADMSG;
		bits *= 8;
		break;
	case DW_OP_bit_piece:
		if (operand_leb(state, false, &bits) ||
		    operand_leb(state, false, &bit))
			return -EBADMSG;
		break;
	case DW_OP_INTEL_piece_stack:
		if (pop_number(state, &bits))
			return -EBADMSG;
		bits *= 8;
		break;
	default:
		if (pop_number(state, &bit) || pop_number(state, &bits))
			return -EBADMSG;
		break;
	}
	if (bits > 8 * GTDBG_LOCATION_VALUE_MAX || bit > 1 << 16)
		return -EBADMSG;
	return piece_add(state, bit, bits);
}

static int op_vendor(struct machine_state *state, uint8_t op)
{
	uint64_t number, bit, bits, value;
	struct element from;
	int ret;

	switch (op) {
	case DW_OP_INTEL_push_simd_lane:
		return push(state, state->request->lane);
	case DW_OP_INTEL_regs:
		ret = pop_number(state, &number);
		return ret ? ret : push_register(state, number);
	case DW_OP_INTEL_push_bit_piece_stack:
		return op_push_bits(state);
	default:
		if (operand_fixed(state, 1, false, &bits) ||
		    pop_number(state, &bit) || pop(state, &from))
			return -EBADMSG;
		ret = bits_read(state, &from, bit, bits, &value);
		return ret ? ret : push(state, value);
	}
}

static int op_register(struct machine_state *state, uint8_t op)
{
	uint64_t number = op - DW_OP_reg0;

	if (op == DW_OP_regx && operand_leb(state, false, &number))
		return -EBADMSG;
	return push_register(state, number);
}

/* A function's frame base is its call frame address wherever it is given. */
static int op_frame(struct machine_state *state)
{
	uint64_t offset;

	if (operand_leb(state, true, &offset))
		return -EBADMSG;
	if (!state->request->call_frame)
		return -EOPNOTSUPP;
	return push(state, state->request->call_frame + offset);
}

static int step(struct machine_state *state)
{
	uint64_t size = 8;
	uint8_t op = *state->at++;

	if (op == DW_OP_addr || (op >= DW_OP_const1u && op <= DW_OP_consts) ||
	    (op >= DW_OP_lit0 && op <= DW_OP_lit31))
		return op_constant(state, op);
	if ((op >= DW_OP_reg0 && op <= DW_OP_reg31) || op == DW_OP_regx)
		return op_register(state, op);
	switch (op) {
	case DW_OP_nop:
		return 0;
	case DW_OP_fbreg:
		return op_frame(state);
	case DW_OP_deref_size:
		if (operand_fixed(state, 1, false, &size))
			return -EBADMSG;
		return op_deref(state, size);
	case DW_OP_deref:
		return op_deref(state, size);
	case DW_OP_dup: case DW_OP_drop: case DW_OP_over: case DW_OP_pick:
	case DW_OP_swap: case DW_OP_rot:
		return op_stack(state, op);
	case DW_OP_abs: case DW_OP_neg: case DW_OP_not: case DW_OP_plus_uconst:
		return op_unary(state, op);
	case DW_OP_bra: case DW_OP_skip:
		return op_branch(state, op);
	case DW_OP_stack_value:
		state->is_value = true;
		return 0;
	case DW_OP_implicit_value:
		return op_implicit_value(state);
	case DW_OP_piece: case DW_OP_bit_piece:
	case DW_OP_INTEL_piece_stack: case DW_OP_INTEL_bit_piece_stack:
		return op_piece(state, op);
	case DW_OP_INTEL_regs: case DW_OP_INTEL_push_bit_piece_stack:
	case DW_OP_INTEL_push_simd_lane: case DW_OP_INTEL_regval_bits:
		return op_vendor(state, op);
	default:
		/* Whatever else there is, is not for GPUs. */
		if ((op >= DW_OP_abs && op <= DW_OP_xor) ||
		    (op >= DW_OP_eq && op <= DW_OP_ne))
			return op_binary(state, op);
		return -EOPNOTSUPP;
	}
}

/* CUDA's compilers number a register by the characters of its name in PTX. */
static int register_name(uint64_t number, struct gtdbg_location *out)
{
	char name[GTDBG_REGISTER_NAME_MAX + 1] = "";
	int byte, len = 0;

	for (byte = GTDBG_REGISTER_NAME_MAX - 1; byte >= 0; byte--) {
		char c = number >> 8 * byte;

		if (!c && !len)
			continue;
		if (c <= ' ' || c > '~')
			return -EOPNOTSUPP;
		name[len++] = c;
	}
	if (len < 2 || name[0] != '%')
		return -EOPNOTSUPP;
	memcpy(out->register_name, name, sizeof(name));
	out->register_offset_bytes = GTDBG_REGISTER_UNMAPPED;
	return 0;
}

static int finish(struct machine_state *state)
{
	struct gtdbg_location *result = &state->result;
	const struct element *first = &state->stack[0];

	state->trace.home_byte = LOCATION_NO_BYTE;
	if (state->pieces) {
		result->kind = GTDBG_LOCATION_VALUE;
		return 0;
	}
	if (!state->depth)
		return -ENODATA;
	if (first->is_register) {
		result->kind = GTDBG_LOCATION_REGISTER;
		if (register_byte(first->value, &result->register_offset_bytes))
			return register_name(first->value, result);
		return register_claim(state, result->register_offset_bytes, 0);
	}
	if (state->is_value) {
		first = &state->stack[state->depth - 1];
		result->kind = GTDBG_LOCATION_VALUE;
		memcpy(result->value, &first->value, sizeof(first->value));
		result->value_len_bytes = sizeof(first->value);
		return 0;
	}
	result->kind = GTDBG_LOCATION_MEMORY;
	result->address = first->value;
	state->trace.home_byte = first->home_byte;
	return 0;
}

int gtdbg_location_evaluate(const struct location_request *request,
			    struct gtdbg_location *out,
			    struct location_trace *trace_out)
{
	struct machine_state state = {
		.request = request, .at = request->bytes,
		.end = request->bytes + request->len_bytes,
	};
	unsigned int steps = 0;
	int ret;

	while (state.at < state.end) {
		if (++steps > STEPS_MAX)
			return -EBADMSG;
		ret = step(&state);
		if (ret)
			return ret;
	}
	ret = finish(&state);
	if (ret)
		return ret;
	*out = state.result;
	*trace_out = state.trace;
	return 0;
}
