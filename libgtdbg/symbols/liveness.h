/* SPDX-License-Identifier: MIT */
/*
 * What a list of locations of optimised code is worth.
 *
 * A compiler's list says in which range of code a register holds a variable.
 * The range of an Intel compiler ends with the last use of the value, but it
 * may begin too early: instructions that make the value may have been moved
 * behind its beginning. So the writes of the register are looked at, and only
 * where they leave no doubt that the value is there, it is. Without a list, a
 * register that the thread was launched with has its value until it is written.
 */
#ifndef LIBGTDBG_LIVENESS_H
#define LIBGTDBG_LIVENESS_H

#include <stdbool.h>
#include <stdint.h>

struct gtdbg_symbols;
struct home_map;

/**
 * struct liveness_request - bytes of the register file, as a list claims them
 * @byte: the first byte
 * @len_bytes: their number
 * @start: where the range of the list begins, an offset in the code
 * @end: where it ends
 * @pc: where the thread stands, in the range
 * @is_whole: the range is the function's, as there is no list
 * @lane: whose they are
 * @first: where those of lane 0 begin
 *
 * Compilers describe numbers of 8 and 16 bits as if lanes had 32 each, and pack them.
 * So less than four bytes have to be what one instruction writes for both lanes.
 */
struct liveness_request {
	uint32_t byte;
	uint32_t len_bytes;
	uint32_t start;
	uint32_t end;
	uint32_t pc;
	bool is_whole;
	uint32_t lane;
	uint32_t first;
};

/*
 * Returns 0 if the value is there, EAGAIN if it may not have been made yet,
 * and ESTALE if it may have been overwritten.
 */
int gtdbg_liveness_check(struct gtdbg_symbols *symbols,
			 const struct home_map *map,
			 const struct liveness_request *request);

/* Whether code in the range, and before the pc, writes the bytes. */
bool gtdbg_liveness_is_written(const struct home_map *map,
			       const struct liveness_request *request);

#endif
