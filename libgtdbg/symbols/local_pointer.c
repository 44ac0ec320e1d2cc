// SPDX-License-Identifier: MIT
/*
 * Two expressions are known byte for byte: the one that the compiler emits for
 * a pointer to local memory, and the one it emits for any other variable. The
 * first is recognised and replaced by the second, for the same register.
 */
#include "local_pointer.h"

#include "symbols.h"

#include <dwarf.h>
#include <string.h>

#define OFFSET_MASK	0xffffu
#define TAG		0x0a00000000000000ull

/* Four bytes of the register, of which 16 bits are the offset, and the tag. */
static const uint8_t tail[] = {
	DW_OP_deref_size, 4, DW_OP_const2u, 0xff, 0xff, DW_OP_and,
	DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0x0a, DW_OP_plus,
	DW_OP_stack_value,
};

/* An address per lane, four in a register. */
static const uint8_t place_head[] = {
	DW_OP_INTEL_push_simd_lane, DW_OP_lit2, DW_OP_shr, DW_OP_plus_uconst,
};

static const uint8_t place_tail[] = {
	DW_OP_INTEL_regs, DW_OP_INTEL_push_simd_lane, DW_OP_lit3, DW_OP_and,
	DW_OP_const1u, 64, DW_OP_mul, DW_OP_const1u, 64,
	DW_OP_INTEL_push_bit_piece_stack,
};

/* The register's number as an operand: its bytes, or 0. */
static size_t register_operand(const uint8_t *bytes, size_t len_bytes,
			       size_t *consumed_out, uint8_t operand[2])
{
	if (bytes[0] >= DW_OP_reg0 && bytes[0] <= DW_OP_reg31) {
		operand[0] = bytes[0] - DW_OP_reg0;
		*consumed_out = 1;
		return 1;
	}
	if (bytes[0] != DW_OP_regx || len_bytes < 3)
		return 0;
	operand[0] = bytes[1];
	operand[1] = bytes[2];
	*consumed_out = bytes[1] & 0x80 ? 3 : 2;
	return *consumed_out - 1;
}

size_t gtdbg_local_pointer_expression(const uint8_t *bytes, size_t len_bytes,
				      uint8_t out[LOCAL_EXPRESSION_MAX])
{
	size_t consumed, operand_len;
	uint8_t operand[2];

	if (len_bytes <= sizeof(tail))
		return 0;
	operand_len = register_operand(bytes, len_bytes, &consumed, operand);
	if (!operand_len || len_bytes != consumed + sizeof(tail) ||
	    memcmp(bytes + consumed, tail, sizeof(tail)) != 0)
		return 0;
	memcpy(out, place_head, sizeof(place_head));
	memcpy(out + sizeof(place_head), operand, operand_len);
	memcpy(out + sizeof(place_head) + operand_len, place_tail,
	       sizeof(place_tail));
	return sizeof(place_head) + operand_len + sizeof(place_tail);
}

int gtdbg_local_pointer_load(const struct gtdbg_machine *machine,
			     struct gtdbg_location *location)
{
	uint64_t value;
	uint32_t pointer;
	int ret;

	ret = machine->memory_read(machine->context, location->address,
				   &pointer, sizeof(pointer));
	if (ret)
		return ret;
	value = TAG | (pointer & OFFSET_MASK);
	memset(location, 0, sizeof(*location));
	location->kind = GTDBG_LOCATION_VALUE;
	memcpy(location->value, &value, sizeof(value));
	location->value_len_bytes = sizeof(value);
	return 0;
}
