/* SPDX-License-Identifier: MIT */
/*
 * Conditions as texts, and two that know what they come to: the compiler of C, which
 * takes the same texts, and the tool's evaluator.
 */
#ifndef EU_DECIDE_H
#define EU_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gtdbg_machine;
struct gtdbg_symbols;

#define TEXT_BYTES 256
#define ITEM_BYTES 128 /* of the first buffer: a number, and behind all of these room for more */
#define INPUTS 1280 /* numbers in the buffer, of 40 groups of 32 at most */

enum heat { COLD = -3, WARM = 5, HOT };
enum depth { FLAT, DEEP = 9, DEEPEST = 0xfffffff0u };

struct link {
	int value;
	uint64_t id;
	const struct link *next;
	const int *from;
};

struct text {
	char bytes[TEXT_BYTES];
};

/* What decide.cl computes, with the same names. */
struct values {
	struct {
		uint32_t x, y, z;
	} item, group;
	uint32_t index, turn, h;
	int number;
	uint32_t plain;
	short narrow;
	uint16_t natural;
	int8_t small;
	uint8_t byte;
	int64_t wide;
	uint64_t huge;
	float real, near;
	int few;
	uint64_t spot;
	int64_t back;
	int quad[4];
	enum heat mood;
	enum depth depth;
	int row[8], grid[2][4], own[8], cells[2][4];
	int block[2][2][4], pile[2][2][4];
	uint64_t sizes[8];
	struct link link[2];
	const struct link *ends[4], *list[2];
	const int *in;
	struct {
		int whole;
		short middle;
		uint8_t quarter;
		int8_t sign;
		uint32_t last;
	} pair;
	struct {
		int whole;
		const int *from;
	} view;
};

void values_compute(struct values *values, uint32_t index, uint32_t turn,
		    uint32_t group);

/* One of the names that texts take; NULL: there are no more. */
const char *text_name(size_t number);

/* A random one, of TEXT_BYTES at most. */
void text_make(char *text);

typedef int (*decide_fn)(const struct values *values);

/* Compile @count texts, below @build; NULL: the compiler does not want them. */
const decide_fn *texts_compile(const char *build, const struct text *texts,
			       uint32_t count);

/* Where a pointer leads to; false: it has no value there. */
bool tool_follows(struct gtdbg_symbols *symbols,
		  const struct gtdbg_machine *machine, uint64_t pc,
		  uint32_t lane, const char *name, uint64_t *out);

/* Of a lane; 0 if the tool has no value, with the reason in @why. */
bool tool_decides(struct gtdbg_symbols *symbols,
		  const struct gtdbg_machine *machine, uint64_t pc,
		  uint32_t lane, const char *text, bool *holds_out,
		  const char **why);

#endif
