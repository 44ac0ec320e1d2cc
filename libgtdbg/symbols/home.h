/* SPDX-License-Identifier: MIT */
/*
 * Homes of variables in private memory, found in the machine code.
 *
 * Unoptimised code keeps each variable in private memory and holds its address
 * in a register, one quadword per lane, from the variable's first use to its
 * last. The debug information names the register but not that range: outside
 * it, the register is zero or holds something else. A *home map* records every
 * write of a register in the order of the text, and which of them form the
 * address of a home.
 */
#ifndef LIBGTDBG_HOME_H
#define LIBGTDBG_HOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gtdbg_code;
struct home_map;

/**
 * struct home_state - what is known of a quadword register at an instruction
 * @is_live: it holds the address
 * @is_defined: the address was there at some earlier instruction
 * @has_other: another register holds an address of the same frame now
 * @other_byte: where that one is in the register file
 * @delta: the wanted address less the other one
 * @is_ambiguous: the register is given another address of such a variable, too
 */
struct home_state {
	bool is_live;
	bool is_defined;
	bool has_other;
	uint32_t other_byte;
	int64_t delta;
	bool is_ambiguous;
};

/* Returns NULL without memory. */
struct home_map *gtdbg_home_map_create(const struct gtdbg_code *code);
void gtdbg_home_map_destroy(struct home_map *map);

/**
 * struct home_request - a variable's register, and where it is asked for
 * @byte: place of the lane's quadword in the register file
 * @lane: the lane
 * @size_bytes: size of the variable
 * @previous: start of the statement before the declaration
 * @declaration: start of the declaration
 * @end: end of the function
 * @pc: where the thread stands
 */
struct home_request {
	uint32_t byte;
	uint32_t lane;
	uint64_t size_bytes;
	uint32_t previous;
	uint32_t declaration;
	uint32_t end;
	uint32_t pc;
};

/* What the thread was started with there is still there at @pc, on any path. */
bool gtdbg_home_is_kept(const struct home_map *map, uint32_t byte, uint32_t len,
			uint32_t pc);

void gtdbg_home_query(const struct home_map *map,
		      const struct home_request *request,
		      struct home_state *out);

#endif
