// SPDX-License-Identifier: MIT
/*
 * Location expressions, on a machine whose register file holds at each byte
 * the low byte of its number, and whose memory gives back the address.
 */
#include "../symbols/location.h"
#include "support/kernel_file.h"
#include "support/tap.h"

#include <errno.h>
#include <string.h>

#define BASE 0x1000
#define STRIDE 1

static struct kernel_file_state state = { BASE, STRIDE };
static struct location_trace trace;

static int evaluate(const void *bytes, size_t len, uint32_t lane,
		    struct gtdbg_location *out)
{
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct location_request request = {
		.bytes = bytes, .len_bytes = len, .machine = &machine,
		.lane = lane,
	};

	return gtdbg_location_evaluate(&request, out, &trace);
}

#define EVALUATE(text, lane, out) \
	evaluate(text, sizeof(text) - 1, lane, out)

/* Quadword @index of the register file, as the machine makes it. */
static uint64_t quadword(uint32_t index)
{
	return BASE + STRIDE * index;
}

/* r20 and the registers behind it hold an address for each lane. */
#define LANE_ADDRESS(reg) \
	"\xed\x32\x25\x23" reg "\xeb\xed\x33\x1a\x08\x40\x1e\x08\x40\xec"

static void test_lane_address(void)
{
	struct gtdbg_location out;

	tap_check(!EVALUATE(LANE_ADDRESS("\x24"), 0, &out) &&
		  out.kind == GTDBG_LOCATION_MEMORY &&
		  out.address == quadword(20 * 4) && trace.home_byte == 20 * 32,
		  "lane 0 has its address in the first quadword");
	tap_check(!EVALUATE(LANE_ADDRESS("\x24"), 6, &out) &&
		  out.address == quadword(21 * 4 + 2) &&
		  trace.home_byte == 21 * 32 + 16,
		  "lane 6 has it in the next register");
	tap_check(!EVALUATE(LANE_ADDRESS("\x22") LANE_ADDRESS("\x30"), 1,
			    &out) && out.address == quadword(18 * 4 + 1),
		  "of a repeated expression the first one counts");
}

static void test_frame_pointer(void)
{
	struct gtdbg_location out;

	tap_check(!EVALUATE("\x90\x8d\x01\x08\x80\x08\x40\xec\x23\x10"
			    "\xed\x34\x1e\x22\x23\x60", 3, &out) &&
		  out.address == quadword(125 * 4 + 2) + 16 + 3 * 4 + 0x60 &&
		  out.kind == GTDBG_LOCATION_MEMORY,
		  "a variable of a called function is relative to its frame");
}

static void test_values(void)
{
	struct gtdbg_location out;
	uint32_t number;

	tap_check(!EVALUATE("\x9e\x04\x78\x56\x34\x12", 0, &out) &&
		  out.kind == GTDBG_LOCATION_VALUE &&
		  out.value_len_bytes == 4 &&
		  !memcmp(out.value, "\x78\x56\x34\x12", 4),
		  "an implicit value is taken from the expression");
	tap_check(!EVALUATE("\x08\x07\x9f", 0, &out) &&
		  out.kind == GTDBG_LOCATION_VALUE && out.value[0] == 7,
		  "a stack value is no address");
	tap_check(!EVALUATE("\x60\x9d\x20\x00", 0, &out) &&
		  out.kind == GTDBG_LOCATION_VALUE &&
		  out.value_len_bytes == 4, "a piece of a register has 32 bits");
	memcpy(&number, out.value, 4);
	tap_check(number == (uint32_t)quadword(0), "r0 is DWARF's number 16");
	tap_check(!EVALUATE("\x60", 0, &out) &&
		  out.kind == GTDBG_LOCATION_REGISTER &&
		  out.register_offset_bytes == 0, "a register is a place");
	tap_check(!EVALUATE("\x0a\x00\x40\x06", 0, &out) &&
		  out.address == 0x4000, "a load takes what memory holds");
}

static void test_bit_pieces(void)
{
	struct gtdbg_location out;

	tap_check(!EVALUATE("\x60\x9d\x08\x00\x60\x9d\x08\x08", 0, &out) &&
		  out.value_len_bytes == 2 && !memcmp(out.value, "\x00\x10", 2),
		  "pieces of bytes are joined");
	tap_check(!EVALUATE("\x60\x9d\x08\x00\x60\x9d\x05\x08", 0, &out) &&
		  out.value_len_bytes == 2 && out.value[1] == 0x10,
		  "the last one may end within one");
	tap_check(!EVALUATE("\x0a\xff\xff\x9f\x9d\x05\x02", 0, &out) &&
		  out.value_len_bytes == 1 && out.value[0] == 0x1f,
		  "so may one of a value");
	tap_check(EVALUATE("\x60\x9d\x04\x00\x60\x9d\x04\x04", 0, &out) ==
		  -EOPNOTSUPP, "but none may follow there");
}

/* lane >= 16 ? 9 : 5, as code for 32 lanes chooses between registers. */
static void test_branch(void)
{
	struct gtdbg_location out;
	static const char choose[] =
		"\xed\x40\x2a\x28\x04\x00\x35\x2f\x01\x00\x39";

	tap_check(!EVALUATE(choose, 3, &out) && out.address == 5,
		  "a branch is not taken for a low lane");
	tap_check(!EVALUATE(choose, 16, &out) && out.address == 9,
		  "it is for a high one");
}

static void test_malformed(void)
{
	struct gtdbg_location out = { .address = 42 };

	tap_check(EVALUATE("\x22", 0, &out) == -EBADMSG,
		  "a sum of nothing is refused");
	tap_check(EVALUATE("\x08", 0, &out) == -EBADMSG,
		  "a cut operand is refused");
	tap_check(EVALUATE("\x2f\xfd\xff", 0, &out) == -EBADMSG,
		  "an endless loop is refused");
	tap_check(EVALUATE("\x2f\x00\x70", 0, &out) == -EBADMSG,
		  "a branch out of the expression is refused");
	tap_check(EVALUATE("\x31\x30\x1b", 0, &out) == -EBADMSG,
		  "a division by zero is refused");
	tap_check(EVALUATE("\xfd", 0, &out) == -EOPNOTSUPP &&
		  EVALUATE("\x91\x10", 0, &out) == -EOPNOTSUPP,
		  "an unknown operator is refused");
	tap_check(out.address == 42, "a failure leaves the result alone");
}

int main(void)
{
	puts("TAP version 13");
	test_lane_address();
	test_frame_pointer();
	test_values();
	test_bit_pieces();
	test_branch();
	test_malformed();
	return tap_end();
}
