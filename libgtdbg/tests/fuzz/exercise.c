// SPDX-License-Identifier: MIT
#include "exercise.h"

#include "gtdbg_symbols.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCS_MAX		24
#define FRAMES_MAX	6
#define VARIABLES_MAX	24
#define ADDRESSES_MAX	16
#define NESTING_MAX	1000

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "broken promise: %s\n", what);
	abort();
}

/* A thread whose state is arbitrary, and partly not there. */
static int state_register_read(void *context, uint32_t offset, void *buf,
			       size_t len)
{
	(void)context;
	if (offset > 4096 || len > 4096 - offset)
		return -ERANGE;
	memset(buf, offset / 8, len);
	return 0;
}

static int state_memory_read(void *context, uint64_t address, void *buf,
			     size_t len)
{
	(void)context;
	if (address % 7 == 0)
		return -EFAULT;
	memset(buf, address >> 3, len);
	return 0;
}

static const struct gtdbg_machine machine = {
	.register_read = state_register_read,
	.memory_read = state_memory_read,
};

/* A value of the type has to fit its size, so that it can be printed. */
static void visit_type(const struct gtdbg_type *type, int depth)
{
	size_t i;

	require(type && type->kind && type->name, "a type has kind and name");
	require(depth < NESTING_MAX, "a type does not contain itself");
	(void)strlen(type->name);
	if (type->kind == GTDBG_TYPE_POINTER) {
		require(type->target && type->target->kind,
			"a pointer has a target");
		(void)strlen(type->target->name);
	}
	if (type->kind == GTDBG_TYPE_ARRAY || type->kind == GTDBG_TYPE_VECTOR) {
		require(type->target, "an array has elements");
		require(!type->count || !type->target->size_bytes ||
			type->target->size_bytes <=
			type->size_bytes / type->count,
			"elements fit their array");
		visit_type(type->target, depth + 1);
	}
	require(type->kind != GTDBG_TYPE_ENUM ||
		(type->target && (type->target->kind == GTDBG_TYPE_INTEGER ||
				  type->target->kind == GTDBG_TYPE_UNSIGNED)),
		"an enum is a number");
	for (i = 0; i < type->member_count; i++) {
		const struct gtdbg_member *member = &type->members[i];

		if (type->kind == GTDBG_TYPE_ENUM) {
			require(member->name, "an enumerator has a name");
			continue;
		}
		require(member->offset_bytes <= type->size_bytes &&
			member->type->size_bytes <=
			type->size_bytes - member->offset_bytes,
			"members fit their struct");
		visit_type(member->type, depth + 1);
	}
}

static void visit_variable(struct gtdbg_symbols *symbols,
			   const struct gtdbg_frame *frame,
			   const struct gtdbg_variable *variable)
{
	struct gtdbg_location location;
	uint32_t lane;

	require(variable->name, "a variable has a name");
	visit_type(variable->type, 0);
	for (lane = 0; lane < 32; lane += 21) {
		if (gtdbg_variable_locate(symbols, frame, variable, &machine,
					  lane, &location))
			continue;
		require(location.value_len_bytes <= sizeof(location.value),
			"a value fits its room");
	}
}

/* Conditions and records are made of whatever variables there are said to be. */
static void visit_programs(struct gtdbg_symbols *symbols, uint64_t pc)
{
	static const char *const conditions[] = {
		"index == 21 || !(point & 3)", "point < -3 && $item.x != 5",
		"small * plain == 7", "o.number.real >= 1.5", "pair.middle % 3",
	};
	struct gtdbg_capture captures[] = {
		{ .name = "index" }, { .name = "point * 2" },
	};
	char why[128], program[1024];

	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		gtdbg_condition_compile(symbols, pc, conditions[i], program,
					sizeof(program), why, sizeof(why));
	gtdbg_record_compile(symbols, pc, captures, 2, conditions[0], 1,
			     program, sizeof(program), why, sizeof(why));
}

static void visit_pc(struct gtdbg_symbols *symbols, uint64_t pc)
{
	struct gtdbg_variable variables[VARIABLES_MAX];
	struct gtdbg_frame frames[FRAMES_MAX];
	struct gtdbg_function function;
	int frame_count, count, i, j;

	if (!gtdbg_function_find(symbols, pc, &function) && function.name)
		gtdbg_function_find_name(symbols, function.name, &function);
	gtdbg_symbols_simd_width(symbols, pc);
	visit_programs(symbols, pc);
	frame_count = gtdbg_frame_unwind(symbols, &machine, pc, 0xff, 0x40,
					 frames, FRAMES_MAX);
	require(frame_count >= 1 && frame_count <= FRAMES_MAX,
		"there is a frame");
	for (i = 0; i < frame_count; i++) {
		count = gtdbg_variable_list(symbols, &frames[i], variables,
					    VARIABLES_MAX);
		for (j = 0; j < count; j++)
			visit_variable(symbols, &frames[i], &variables[j]);
	}
}

static void visit_lines(struct gtdbg_symbols *symbols)
{
	uint64_t pcs[ADDRESSES_MAX];
	uint32_t line;
	int count;

	for (line = 1; line < 24; line += 4) {
		count = gtdbg_line_addresses(symbols, line % 8 ? NULL : "a.cl",
					     line, NULL, pcs, ADDRESSES_MAX);
		require(count <= ADDRESSES_MAX && count, "addresses are counted");
	}
}

static void visit_code(struct gtdbg_symbols *symbols)
{
	struct gtdbg_code *code;
	uint32_t offset = 0, size, count = 0;
	const void *text;
	char line[128];
	size_t len;

	text = gtdbg_symbols_text(symbols, NULL, &len);
	if (!text || gtdbg_code_create(text, len, &code))
		return;
	while ((size = gtdbg_code_size(code, offset)) && count++ < 32) {
		require(offset + size <= len + 16, "code ends with its bytes");
		gtdbg_code_text(code, offset, line, sizeof(line));
		offset += size;
	}
	gtdbg_code_destroy(code);
}

static void visit_names(struct gtdbg_symbols *symbols)
{
	static const char *const names[] = { "int", "pair", "node_t", "" };
	static const char *const words[] = { "RIGHT", "BLUE", "nothing" };
	const struct gtdbg_type *type;
	uint32_t cookie;
	int64_t value;
	size_t i;

	gtdbg_symbols_cookie(symbols, &cookie);
	gtdbg_symbols_kernel(symbols);
	gtdbg_symbols_source(symbols);
	for (i = 0; i < 4; i++) {
		if (!gtdbg_type_find_name(symbols, names[i], &type))
			visit_type(type, 0);
	}
	for (i = 0; i < 3; i++) {
		if (!gtdbg_enumerator_find(symbols, words[i], &type, &value))
			visit_type(type, 0);
	}
}

void exercise_symbols(const void *bytes, size_t len_bytes)
{
	struct gtdbg_symbols *symbols;
	struct gtdbg_line line;
	uint64_t base, pc;
	size_t len;
	int i;

	if (gtdbg_symbols_create(bytes, len_bytes, &symbols))
		return;
	gtdbg_symbols_text(symbols, &base, &len);
	visit_names(symbols);
	visit_lines(symbols);
	visit_code(symbols);
	for (i = 0, pc = base; i < PCS_MAX; i++, pc = line.end) {
		visit_pc(symbols, pc);
		if (gtdbg_line_find(symbols, pc, &line))
			break;
		require(pc >= line.start && pc < line.end,
			"a line holds what it was found for");
	}
	visit_pc(symbols, base + len / 2);
	visit_pc(symbols, UINT64_MAX);
	gtdbg_symbols_destroy(symbols);
}
