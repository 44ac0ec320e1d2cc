// SPDX-License-Identifier: MIT
/* Conditions that become programs, and what those read. */
#include "support/kernel_file.h"
#include "support/tap.h"

#include <linux/gtdbg_sip.h>

#include <errno.h>
#include <string.h>

static struct gtdbg_symbols *symbols;
static struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
static char why[128];

#define TEN "point == 1 || point == 2 || point == 4 || point == 5 || point == 6 || " \
	"point == 7 || point == 8 || point == 9 || point == 10 || point == 11"

#define WIDE_LINE	7	/* of wide.cl */
#define FOUR_LINE	18	/* of its other kernel */
#define LOCAL_LINE	20	/* of local_pointer.cl, behind its barrier */
#define PACKED_LINE	10	/* of packed.cl */
#define UNION_LINE	37	/* of shapes.cl, where all of it has values */

/* Of as many operations, with the one that captures it. */
#define EIGHT "point + 1 - 2 + 3 - 4 + 5 - 6"

static int compile(uint32_t line, const char *text)
{
	uint64_t pc;
	int ret;

	memset(op, 0, sizeof(op));
	why[0] = 0;
	if (gtdbg_line_addresses(symbols, NULL, line, NULL, &pc, 1) != 1)
		return -ENOENT;
	ret = gtdbg_condition_compile(symbols, pc, text, op, sizeof(op), why,
				      sizeof(why));
	return ret > 0 ? ret / (int)sizeof(op[0]) : ret;
}

/* Does the address in the program's registers lead to the variable, in @lane? */
static int leads(uint32_t line, const char *name, uint32_t lane)
{
	struct kernel_file_state state = { 0x10000000, 0x100 };
	struct gtdbg_location location = { 0 };
	uint64_t pc, place;

	if (gtdbg_line_addresses(symbols, NULL, line, NULL, &pc, 1) != 1 ||
	    kernel_file_locate(symbols, &state, pc, name, lane, &location) ||
	    op[0].op != GTDBG_SIP_OP_ADDRESS)
		return 0;
	place = state.base + state.stride * (op[0].a / 8 + lane);
	if (op[1].op == GTDBG_SIP_OP_ADD)
		place += (int32_t)op[1].a + (int64_t)lane * (int16_t)op[1].b;
	return location.kind == GTDBG_LOCATION_MEMORY &&
	       location.address == place;
}

/* Are they the same program? */
static bool is_same(uint32_t line, const char *text, const char *other)
{
	struct gtdbg_sip_op first[GTDBG_SIP_PROGRAM_OPS_MAX];
	int ret = compile(line, text);

	memcpy(first, op, sizeof(first));
	return ret > 0 && compile(line, other) == ret &&
	       !memcmp(first, op, sizeof(first));
}

static void check_refusal(uint32_t line, const char *text, const char *reason)
{
	int ret = compile(line, text);

	tap_check(ret == -EOPNOTSUPP && strstr(why, reason), text);
	if (ret != -EOPNOTSUPP || !strstr(why, reason))
		printf("# %d: %s\n", ret, why);
}

static void check_compare(uint32_t line, const char *text, uint32_t kind,
			  uint32_t number, uint32_t invert)
{
	int count = compile(line, text);
	const struct gtdbg_sip_op *last = count > 1 ? &op[count - 2] : op;

	tap_check(count > 2 && last->op == kind && last->a == number &&
		  last->c == invert, text);
}

/* What is left out of @text does not let threads pass for which it holds. */
static void check_part(uint32_t line, const char *text, const char *reason)
{
	int count = compile(line, text);

	tap_check(count > 2 && op[count - 2].op == GTDBG_SIP_OP_EQUAL &&
		  op[count - 2].a == 3 && strstr(why, reason), text);
}

/* Three operations for @text, of which @kind is the second, with @number. */
static void check_compute(const char *text, uint32_t kind, uint32_t number)
{
	int count = compile(4, text);

	tap_check(count == 4 && op[0].op == GTDBG_SIP_OP_FETCH &&
		  op[1].op == GTDBG_SIP_OP_COMPUTE && op[1].b == kind &&
		  op[1].a == number && op[3].op == GTDBG_SIP_OP_END, text);
	if (count != 4)
		printf("# %d: %s\n", count, why);
}

static void check_eight(const char *text, uint32_t low, uint32_t high,
			uint32_t how)
{
	int count = compile(4, text), at = count - 2;

	tap_check(count >= 3 && op[0].op == GTDBG_SIP_OP_ADDRESS &&
		  op[at].op == GTDBG_SIP_OP_WIDE && op[at].a == low &&
		  op[at].b == high && op[at].c == how, text);
	if (count < 3)
		printf("# %d: %s\n", count, why);
}

/* Beside another variable, by halves, of which each is loaded. */
static void check_halves(const char *text, int alternatives)
{
	int count = compile(4, text), loads = 0, ors = 0;

	for (int i = 0; i < count; i++) {
		loads += op[i].op == GTDBG_SIP_OP_FETCH && op[i].a >> 16 == 4;
		ors += op[i].op == GTDBG_SIP_OP_OR;
	}
	tap_check(count > 0 && loads >= 4 && ors == alternatives, text);
	if (count <= 0)
		printf("# %d: %s\n", count, why);
}

/* @text begins with the number of 64 bits, and computes with it by @kind and @number. */
static void check_long(const char *text, uint32_t kind, uint32_t number)
{
	int count = compile(4, text);

	tap_check(count > 3 && op[0].op == GTDBG_SIP_OP_FETCH &&
		  op[0].a >> 16 == 8 && op[1].op == GTDBG_SIP_OP_COMPUTE &&
		  op[1].a == number && op[1].b == kind, text);
	if (count <= 0)
		printf("# %d: %s\n", count, why);
}

/* The thread stops if one of them does not fit in 31 bits, and the host computes it. */
static void check_longs(void)
{
	int count;

	check_long("index + 1 == 22", GTDBG_SIP_COMPUTE_ADD_LONG, 1);
	check_long("index - 1 == 20", GTDBG_SIP_COMPUTE_SUBTRACT_LONG, 1);
	check_long("index + -3 > 20", GTDBG_SIP_COMPUTE_SUBTRACT_LONG, 3);
	check_long("index * 3 == 20", GTDBG_SIP_COMPUTE_MULTIPLY_LONG, 3);
	check_long("(index << 4) + point == 320", GTDBG_SIP_COMPUTE_MULTIPLY_LONG,
		   16);
	check_long("index >> 1 == 20", GTDBG_SIP_COMPUTE_SHIFT_RIGHT, 1);
	check_long("index % 7 == 2", GTDBG_SIP_COMPUTE_REMAINDER_UNSIGNED, 7);
	check_long("(index & 7) == 2", GTDBG_SIP_COMPUTE_AND, 7);
	check_long("(index | 1) == 21", GTDBG_SIP_COMPUTE_OR, 1);
	tap_check(compile(4, "index - 1 == point") == 7 &&
		  op[1].b == GTDBG_SIP_COMPUTE_SUBTRACT_LONG,
		  "and they are compared with others");
	/* What was compared as 64 bits is no value. */
	count = compile(4, "index >= 2 * 16 && index != 40 && index < 3 * 64");
	tap_check(count == 6 && op[2].op == GTDBG_SIP_OP_WIDE &&
		  op[3].op == GTDBG_SIP_OP_LOAD_LONG &&
		  op[4].op == GTDBG_SIP_OP_LESS, "they are loaded again");
	check_refusal(4, "-index == 3", "has 64 bits");
	check_refusal(4, "~index == 3", "has 64 bits");
	check_refusal(4, "index + 0xffffffff > 100", "has 64 bits");
	check_refusal(4, "index - 0xffffffff < 0", "has 64 bits");
	check_refusal(4, "(index | point) == 3", "more than comparisons");
	check_refusal(4, "index * -3 == 3", "more than comparisons");
	check_refusal(4, "index / -3 == 3", "more than comparisons");
	check_refusal(4, "(index << 31) == 3", "more than comparisons");
}

/* 64 bits without a sign. */
static void check_wide(void)
{
	const uint32_t is = GTDBG_SIP_WIDE_UNSIGNED;
	const uint32_t less = is | GTDBG_SIP_WIDE_LESS;

	check_eight("index == 21", 21, 0, is);
	check_eight("index == 0x500000007", 7, 5, is);
	check_eight("index != 21", 21, 0, is | GTDBG_SIP_WIDE_NOT);
	check_eight("index < 21", 21, 0, less);
	check_eight("index <= 0xffffffff", 0, 1, less);
	check_eight("index >= 21", 21, 0, less | GTDBG_SIP_WIDE_NOT);
	check_eight("index > 21", 22, 0, less | GTDBG_SIP_WIDE_NOT);
	check_eight("!(index >= 21)", 21, 0, less);
	check_eight("index", 0, 0, is | GTDBG_SIP_WIDE_NOT);
	check_eight("index < 4294967296", 0, 1, less);
	tap_check(compile(4, "index == 21 && point == 3") >= 6,
		  "another comparison fits beside");
	check_halves("index == point", 0);
	check_halves("point != index", 1);
	check_halves("index > point", 1);
	check_refusal(4, "index\2 == 0", "more than comparisons");
	check_longs();
}

/* What comes of it is seen where programs are carried out: this is how. */
static void check_arithmetic(void)
{
	check_compute("(point & 3) == 1", GTDBG_SIP_COMPUTE_AND, 3);
	check_compute("point & 1 == 1", GTDBG_SIP_COMPUTE_AND, 1);
	check_compute("point + 3 < 1", GTDBG_SIP_COMPUTE_ADD, 3);
	check_compute("point >> 2 == 1", GTDBG_SIP_COMPUTE_SHIFT_SIGNED, 2);
	check_compute("point * 3 != 9", GTDBG_SIP_COMPUTE_MULTIPLY, 3);
	check_compute("point % 8 == -5", GTDBG_SIP_COMPUTE_REMAINDER, 8);
	check_compute("point / -7", GTDBG_SIP_COMPUTE_QUOTIENT, -7U);
	check_compute("point / 0x80000000 == 1", GTDBG_SIP_COMPUTE_QUOTIENT_UNSIGNED,
		      0x80000000);
	check_compute("point % 0x80000001 != 1", GTDBG_SIP_COMPUTE_REMAINDER_UNSIGNED,
		      0x80000001);
	tap_check(compile(4, "point * point == 9") == 5 &&
		  op[1].op == GTDBG_SIP_OP_KEEP &&
		  op[2].c & GTDBG_SIP_COMPUTE_KEPT,
		  "a number is multiplied by itself");
	check_wide();
	check_refusal(4, "point % 0 == 1", "more than comparisons");
	check_refusal(4, "point / -1 == 1", "more than comparisons");
	check_refusal(4, "8 / point == 1", "more than comparisons");
	check_refusal(4, "point << point == 1", "more than comparisons");
	check_refusal(4, "(point & 2147483648) == 0", "more than comparisons");
	check_refusal(4, "1 + 1 == 2", "more than comparisons");
	check_refusal(4, "(point + 1) * (point & 3) == (point ^ 2) * (point - 1)",
		      "two numbers at once");
}

/* The numbers of groups and work-items, whatever the width. */
static void check_items(void)
{
	struct kernel_file_state state = { 0x0003000200050004, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	uint32_t item[3] = { 0 }, group = 0;
	uint64_t pc;
	int ok;

	/* 0x00050004 in every even dword, 0x00030002 in every odd one. */
	ok = gtdbg_line_addresses(symbols, NULL, 4, NULL, &pc, 1) == 1 &&
	     !gtdbg_group_read(symbols, &machine, 0, &group) &&
	     group == 0x00030002;
	tap_check(ok, "a group's number is in r0");
	for (uint32_t i = 0; i < 3; i++)
		ok = ok && !gtdbg_item_read(symbols, pc, &machine, 5, i,
					    &item[i]);
	tap_check(ok, "the numbers of work-items are found");
	tap_check(gtdbg_item_read(symbols, pc, &machine, 0, 3, &group) ==
		  -EINVAL, "in three dimensions");
	tap_check(compile(4, "$item.x == 5 && $item.y == 6 && $item.z == 7") ==
		  7, "and compared");
	check_compare(4, "$item.x == -1", GTDBG_SIP_OP_EQUAL, UINT32_MAX, 0);
}

/* In unsigned.cl other numbers are where those of the second dimension were. */
static void check_single_items(void)
{
	struct kernel_file_state state = { 0x0000000100000001, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	uint32_t local = 7, item = 7;
	uint64_t pc;

	tap_check(gtdbg_line_addresses(symbols, NULL, 4, NULL, &pc, 1) == 1 &&
		  !gtdbg_item_local_read(symbols, pc, &machine, 4, 1,
					 &local) && !local &&
		  !gtdbg_item_read(symbols, pc, &machine, 4, 1, &item) &&
		  item == 2, "a group has one item in a dimension");
	state.base = 0x0000000200000002;
	tap_check(gtdbg_item_local_read(symbols, pc, &machine, 4, 1, &local) ==
		  -ESTALE, "which of two it is, is not known there");
}

/* Optimised code, by what a launch brings: who is the fifth of a group's items? */
static void check_optimized_items(void)
{
	/* Words repeat 4, 5, 2, 3: the fifth one is 5 in every row. */
	struct kernel_file_state state = { 0x0003000200050004, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	/* Sizes and first items lie in dwords 0 to 2, groups in 1, 6 and 7. */
	const uint32_t even = 0x00050004, odd = 0x00030002;
	const uint32_t expected[] = {
		5 + even * odd + even, 5 + odd * even + odd,
		5 + even * odd + even,
	};
	uint32_t item = 0, local = 0, i;
	uint64_t pc;
	int ok;

	ok = gtdbg_line_addresses(symbols, NULL, 4, NULL, &pc, 1) == 1;
	for (i = 0; i < 3 && ok; i++)
		ok = !gtdbg_item_read(symbols, pc, &machine, 5, i, &item) &&
		     !gtdbg_item_local_read(symbols, pc, &machine, 5, i,
					    &local) &&
		     item == expected[i] && local == 5;
	tap_check(ok, "work-items of optimised code have numbers");
	if (!ok)
		printf("# dimension %u: 0x%x, 0x%x\n", i - 1, item, local);
	tap_check(gtdbg_item_local_read(symbols, pc, &machine, 32, 0, &item) ==
		  -EINVAL, "of 32 lanes at most");
}

/* @names end with NULL; returns how many operations it takes. */
static int record(uint32_t line, const char *const *names,
		  const char *condition)
{
	struct gtdbg_capture captures[16] = { { 0 } };
	size_t count = 0;
	uint64_t pc;
	int ret;

	memset(op, 0, sizeof(op));
	why[0] = 0;
	if (gtdbg_line_addresses(symbols, NULL, line, NULL, &pc, 1) != 1)
		return -ENOENT;
	for (; names[count]; count++)
		captures[count].name = names[count];
	ret = gtdbg_record_compile(symbols, pc, captures, count, condition, 7,
				   op, sizeof(op), why, sizeof(why));
	return ret > 0 ? ret / (int)sizeof(op[0]) : ret;
}

static void check_records(void)
{
	static const char *const both[] = { "index", "point", NULL };
	static const char *const none[] = { NULL };
	static const char *const one[] = { "point", NULL };
	static const char *const many[] = {
		"index", "index", "index", "index", "index", "index", "index",
		"index", NULL
	};
	static const char *const sum[] = { "point + 1", NULL };
	static const char *const wide[] = { "index + 1", NULL };
	static const char *const less[] = { "index + 1 < 5", NULL };
	static const char *const long_ones[] = { EIGHT, EIGHT, EIGHT, NULL };
	int count = record(8, both, NULL);

	tap_check(count == 7 && op[0].op == GTDBG_SIP_OP_ADDRESS &&
		  op[1].op == GTDBG_SIP_OP_CAPTURE && op[1].c == 0 &&
		  op[2].op == GTDBG_SIP_OP_CAPTURE && op[2].c == 1 &&
		  op[2].a == 4 && !op[2].b &&
		  op[3].op == GTDBG_SIP_OP_ADDRESS &&
		  op[4].op == GTDBG_SIP_OP_CAPTURE && op[4].c == 2 &&
		  op[5].op == GTDBG_SIP_OP_RECORD && op[5].a == 7,
		  "a record captures a long and an int");
	if (count != 7)
		printf("# %d: %s\n", count, why);
	tap_check(record(8, none, NULL) == 2, "or nothing but who came by");
	tap_check(record(8, none, "index % 2 == 0") > 0 &&
		  record(8, none, "8 - index > 2") > 0 &&
		  record(8, less, NULL) > 0 && record(8, wide, NULL) > 0,
		  "numbers that may be too large, before the record");
	tap_check(record(8, none, "point == 3") > 3, "and chooses lanes");
	tap_check(record(8, one, "point == 3") == 5 &&
		  op[2].op == GTDBG_SIP_OP_EQUAL,
		  "what was captured is not loaded again");
	tap_check(record(8, many, NULL) == -EOPNOTSUPP &&
		  strstr(why, "more than 25 operations"), "and not any number");
	tap_check(record(8, sum, NULL) == 5 &&
		  op[1].op == GTDBG_SIP_OP_COMPUTE &&
		  op[2].op == GTDBG_SIP_OP_CAPTURE_VALUE && !op[2].c,
		  "what is computed is one of them");
	tap_check(record(8, long_ones, "point == 3") == -EOPNOTSUPP &&
		  strstr(why, "more than 25 operations"),
		  "no room for a condition is a reason");
}

/* More values than a record has: each record chooses its lanes for itself. */
static void check_many_records(void)
{
	static const char *const names[] = {
		"index", "index", "point", "point + 1", NULL
	};
	uint32_t tags = 0, equals = 0, alternatives = 0, captures = 0;
	int count = record(8, names, "point == 3");

	for (int i = 0; i < count; i++) {
		if (op[i].op == GTDBG_SIP_OP_RECORD)
			tags = 10 * tags + op[i].a;
		equals += op[i].op == GTDBG_SIP_OP_EQUAL;
		alternatives += op[i].op == GTDBG_SIP_OP_OR;
		if (op[i].op == GTDBG_SIP_OP_CAPTURE ||
		    op[i].op == GTDBG_SIP_OP_CAPTURE_VALUE)
			captures = 10 * captures + op[i].c;
	}
	tap_check(tags == 78 && equals == 2 && alternatives == 1 &&
		  captures == 12012, "six values are two records");
	if (count <= 0)
		printf("# %d: %s\n", count, why);
}

/* Does it load a variable anew just before operation @at? */
static bool loads(int at)
{
	int place = at - 2;

	if (at >= 1 && op[at - 1].op == GTDBG_SIP_OP_FETCH)
		return true;
	if (place >= 1 && op[place].op == GTDBG_SIP_OP_ADD)
		place--;
	return place >= 0 && op[at - 1].op == GTDBG_SIP_OP_LOAD &&
	       op[place].op == GTDBG_SIP_OP_ADDRESS;
}

/* The number of 64 bits lies across two records, behind what is compared. */
static void check_split_record(const char *before, const char *name)
{
	const char *const names[] = { before, before, "index", NULL };
	int count = record(8, names, "point == 3"), equals = 0, loaded = 0;

	for (int i = 0; i < count; i++) {
		if (op[i].op != GTDBG_SIP_OP_EQUAL)
			continue;
		equals++;
		loaded += loads(i);
	}
	tap_check(equals == 2 && loaded == 2, name);
	if (equals != 2 || loaded != 2)
		printf("# %d, %d of %d: %s\n", count, loaded, equals, why);
}

/* Members of a union lie at one place, and each has a size of its own. */
static void check_unions(void)
{
	static const char *const part[] = { "o.number.real", "grid[1][2]", NULL };
	static const char *const own[] = { "grid[1][c]", NULL };
	int count = compile(UNION_LINE, "o.number.low == 1 && o.number.bits == 2");
	uint32_t bytes = 0, dwords = 0, captured = 0;

	for (int i = 0; i < count; i++) {
		if (op[i].op != GTDBG_SIP_OP_FETCH)
			continue;
		bytes += op[i].a >> 16 == 1;
		dwords += op[i].a >> 16 == 4;
	}
	tap_check(count > 0 && bytes == 1 && dwords == 1,
		  "a member of a union is not taken for another one");
	if (count <= 0)
		printf("# %d: %s\n", count, why);
	count = record(UNION_LINE, part, NULL);
	for (int i = 0; i < count; i++)
		captured += op[i].op == GTDBG_SIP_OP_CAPTURE_VALUE;
	tap_check(captured == 2, "a float in a union is captured");
	tap_check(is_same(UNION_LINE, "c == BLUE", "c == 7") &&
		  is_same(UNION_LINE, "c != RED && c+RED>GREEN",
			  "c != -1 && c + -1 > 0"),
		  "names of an enum are its numbers");
	tap_check(compile(UNION_LINE, "o.BLUE == 1") < 0 &&
		  compile(UNION_LINE, "$BLUE == 1") < 0 &&
		  compile(UNION_LINE, "c == BLUER") < 0,
		  "where they are names, and whole");
	tap_check(compile(UNION_LINE, "grid[1][c] == 3") > 0 &&
		  record(UNION_LINE, own, NULL) > 0,
		  "so is an element of the lane's own");
}

/* The last operations of @text, which take that of local memory before the comparison. */
static void check_local(const char *text, uint32_t offset, uint32_t last,
			uint32_t how)
{
	int count = compile(LOCAL_LINE, text), at = count - 3;

	while (at > 0 && op[at].op != GTDBG_SIP_OP_LOCAL)
		at--;
	tap_check(at >= 0 && op[at].op == GTDBG_SIP_OP_LOCAL &&
		  op[at].a == offset && op[at].b == last && op[at].c == how,
		  text);
	if (at < 0 || op[at].op != GTDBG_SIP_OP_LOCAL)
		printf("# %d: %s\n", count, why);
	else if (op[at].a != offset || op[at].b != last || op[at].c != how)
		printf("# 0x%x 0x%x 0x%x\n", op[at].a, op[at].b, op[at].c);
}

/* Of local_pointer.cl: an array of eight, a number and a struct lie there in a row. */
static void check_locals(void)
{
	static const char *const names[] = { "row[l]", "both.ratio", "*mine",
					     NULL };
	const uint32_t four = 4 << GTDBG_SIP_LOCAL_BYTES_SHIFT;
	const uint32_t index = four | 4 | GTDBG_SIP_LOCAL_INDEX;
	int count;

	check_local("total == 1000", 32, 32, four);
	check_local("both.member == 77", 36, 40, four);
	check_local("both.ratio > 1.5", 40, 40, four);
	check_local("row[3] == 5", 12, 28, four);
	check_local("row[l] == 5", 0, 28, index);
	check_local("row[ l - 1 ] < 5", 0, 28, index);
	check_local("row[2 + l] * 3 == 6", 0, 28, index);
	check_local("row[7-l] == 5", 0, 28, index);
	tap_check(op[2].op == GTDBG_SIP_OP_COMPUTE && op[2].a == 7 &&
		  op[2].b == GTDBG_SIP_COMPUTE_SUBTRACT &&
		  op[2].c == GTDBG_SIP_COMPUTE_TURNED, "from the end");
	check_local("mine[-1] == 5", UINT32_MAX - 3, 65532, four |
		    GTDBG_SIP_LOCAL_KEPT);
	check_local("*mine == 5", 0, 65532, four | GTDBG_SIP_LOCAL_KEPT);
	check_local("mine[2] == 5", 8, 65532, four | GTDBG_SIP_LOCAL_KEPT);
	check_local("mine[l] == 5", 0, 65532, index | GTDBG_SIP_LOCAL_KEPT);
	tap_check(compile(LOCAL_LINE, "*mine + other == 5") == 9,
		  "what a pointer leads to is one of two numbers");
	check_refusal(LOCAL_LINE, "*mine + mine[1] == 5", "two numbers at once");
	check_refusal(LOCAL_LINE, "row[8] == 5", "behind its variable");
	check_refusal(LOCAL_LINE, "mine[65535] == 5", "behind its variable");
	check_refusal(LOCAL_LINE, "mine[-65535 - 1] == 5", "behind its variable");
	check_local("row[l + item] == 5", 0, 28, index);
	check_local("row[*mine] == 5", 0, 28, index);
	check_local("mine[l * 2 + item] == 5", 0, 65532, four | 1 |
		    GTDBG_SIP_LOCAL_INDEX | GTDBG_SIP_LOCAL_KEPT);
	check_refusal(LOCAL_LINE, "mine == 5", "no number of 8");
	check_refusal(LOCAL_LINE, "total[1] == 5", "no element or member");
	check_refusal(LOCAL_LINE, "row[l][l] == 5", "no element or member");
	check_refusal(LOCAL_LINE, "both->member == 5", "no element or member");
	check_local("row[(l + (-(2 - item)))] == 5", 0, 28, index);
	check_refusal(LOCAL_LINE, "row[item / l] == 5", "more than comparisons");
	check_refusal(LOCAL_LINE, "row[] == 5", "more than comparisons");
	check_refusal(LOCAL_LINE, "row[l == 5", "more than comparisons");
	count = record(LOCAL_LINE, names, "total == 1000");
	tap_check(count == 14 && op[2].op == GTDBG_SIP_OP_LOCAL &&
		  op[3].op == GTDBG_SIP_OP_CAPTURE_VALUE,
		  "local memory is captured, floats, too");
	if (count != 14)
		printf("# %d: %s\n", count, why);
	/* Its kernel has a frame, as it calls barrier(). */
	tap_check(compile(LOCAL_LINE, "item == 5") == 4 &&
		  op[0].op == GTDBG_SIP_OP_PLACE && op[0].a % 32 == 16 &&
		  op[0].b == 4, "variables of a function that calls others");
}

/* @text compares what GLOBAL loads, whose place was moved by @delta. */
static void check_global(const char *text, uint32_t delta, uint32_t window,
			 uint32_t limit, uint32_t how)
{
	int count = compile(LOCAL_LINE, text), at = count - 3;
	uint32_t before = delta ? GTDBG_SIP_OP_ADD : GTDBG_SIP_OP_FOLLOW;

	while (at > 1 && op[at].op != GTDBG_SIP_OP_GLOBAL)
		at--;
	tap_check(at > 1 && op[at].op == GTDBG_SIP_OP_GLOBAL &&
		  op[at].a == window && op[at].b == limit && op[at].c == how &&
		  op[at - 1].op == before && (!delta || op[at - 1].a == delta) &&
		  op[at - 1 - !!delta].op == GTDBG_SIP_OP_FOLLOW, text);
	if (count <= 0)
		printf("# %d: %s\n", count, why);
}

/* Where it looks by pointers, which is before its first record. */
static bool stops_first(int count, uint32_t globals)
{
	uint32_t records = 0;

	for (int i = 0; i < count; i++) {
		records += op[i].op == GTDBG_SIP_OP_RECORD;
		if (op[i].op != GTDBG_SIP_OP_GLOBAL)
			continue;
		if (records)
			return false;
		globals--;
	}
	return records && !globals;
}

/* Its records are so many, and are written when all has been carried out once. */
static bool is_sure(uint32_t records)
{
	uint32_t i = 0;

	for (; op[i].op != GTDBG_SIP_OP_END; i++)
		records -= op[i].op == GTDBG_SIP_OP_RECORD;
	return !records && op[0].op == GTDBG_SIP_OP_SURE;
}

/* A thread that has printed for some lanes, or something for all, is not to stop any more. */
static void check_risky_records(void)
{
	static const char *const one[] = { "in[l]", NULL };
	static const char *const last[] = {
		"l", "item", "l + 1", "in[l]", NULL
	};
	static const char *const four[] = {
		"*in", "in[1]", "out[2]", "out[3]", NULL
	};
	static const char *const plain[] = { "l", "item", "l", "item", NULL };
	struct gtdbg_capture captures[5] = { { 0 } };
	uint64_t pc;

	tap_check(stops_first(record(LOCAL_LINE, one, "in[l] == 5"), 2),
		  "what pointers lead to is captured");
	tap_check(stops_first(record(LOCAL_LINE, last, "l == 1"), 1),
		  "in the first record");
	tap_check(op[0].op != GTDBG_SIP_OP_SURE, "which is written at once");
	tap_check(record(LOCAL_LINE, four, NULL) > 0 && is_sure(2) && !*why,
		  "or all are written once the thread would not stop");
	tap_check(record(LOCAL_LINE, plain, "*in == 5") == -EOPNOTSUPP &&
		  strstr(why, "*in may change between two records"),
		  "a second one cannot choose the lanes by what others change");
	tap_check(record(LOCAL_LINE, plain, "row[2] == 5") == -EOPNOTSUPP &&
		  strstr(why, "row[2] may change"), "nor by local memory");
	tap_check(record(LOCAL_LINE, plain, "l + 1 == 5") > 0 && !is_sure(2),
		  "its own variables do not change");
	for (int i = 0; i < 4; i++)
		captures[i].name = last[i];
	tap_check(gtdbg_line_addresses(symbols, NULL, LOCAL_LINE, NULL, &pc,
				       1) == 1 &&
		  gtdbg_record_compile(symbols, pc, captures, 4, NULL, 7, op,
				       sizeof(op), why, sizeof(why)) > 0 &&
		  captures[3].first == 0 && captures[0].first == 1 &&
		  captures[2].first == 3, "and says where it is");
	captures[0].name = "row[l]";
	tap_check(gtdbg_record_compile(symbols, pc, captures, 4, NULL, 7, op,
				       sizeof(op), why, sizeof(why)) > 0 &&
		  captures[0].first == 0 && captures[3].first == 1 &&
		  captures[1].first == 2 && captures[2].first == 3,
		  "so does an element of local memory");
}

/* Floats are found apart from what is computed; and what is at no multiple of 4. */
static void check_four(void)
{
	static const char *const floats[] = {
		"*in", "in[1]", "in[2]", "*out", NULL
	};
	static const char *const three[] = { "i", "*in", "in[1]", "in[2]", NULL };

	tap_check(record(FOUR_LINE, floats, NULL) > 0 && is_sure(2),
		  "four floats are one too many for one record");
	tap_check(stops_first(record(FOUR_LINE, three, NULL), 3),
		  "three of them come before a number");
	tap_check(compile(FOUR_LINE, "odd.last == 3") > 0, "a byte lies anywhere");
	check_refusal(FOUR_LINE, "odd.first == 3", "no multiple of 4");
	check_refusal(FOUR_LINE, "odd.second == 3", "no multiple of 4");
	check_refusal(FOUR_LINE, "*way.led == 3", "way.led leads where");
}

/* Pointers that are not to local memory lead anywhere. */
static void check_globals(void)
{
	const uint32_t four = 4 << GTDBG_SIP_GLOBAL_BYTES_SHIFT;
	const uint32_t index = four | 4 | GTDBG_SIP_GLOBAL_INDEX;
	const uint32_t limit = INT32_MAX / 4;

	check_global("*in == 5", 0, 0, 0, four);
	check_global("in[3] > 5", 12, 0, 0, four);
	check_global("in[-1] + 3 == 5", UINT32_MAX - 3, 0, 0, four);
	check_global("in[l] == 5", 0, 0, limit, index);
	check_global("in[l - 1] * 3 == 6", 0, 0, limit, index);
	check_global("*in == 5 && in[2] == 6", 8, 0, 0, four);
	check_global("*in == 5 || out[2] == 6", 8, 1, 0, four);
	check_global("*in + *out == 5", 0, 1, 0, four);
	check_global("in[l] + out[2] == 5", 8, 1, 0, four);
	check_refusal(LOCAL_LINE, "in[l] + out[l] == 5", "two numbers at once");
	check_global("in[l + item] == 5", 0, 0, limit, index);
	check_global("in[*mine] == 5", 0, 0, limit, index);
	check_global("in[out[item]] == 5", 0, 1, limit, index);
	check_refusal(LOCAL_LINE, "in == 5", "no number of 8");
}

/* Of sixteen lanes eight could have been printed for when others are looked at. */
static void check_wide_records(void)
{
	static const char *const element[] = { "from[3]", NULL };
	static const char *const computed[] = { "index + 1", NULL };
	static const char *const point[] = { "point", NULL };

	tap_check(compile(WIDE_LINE, "from[3] == 1 && index + 1 == 5") > 0 &&
		  record(WIDE_LINE, point, "point == 1") > 0 &&
		  op[0].op != GTDBG_SIP_OP_SURE &&
		  record(WIDE_LINE, element, NULL) > 0 && is_sure(1) &&
		  record(WIDE_LINE, computed, NULL) > 0 && is_sure(1) &&
		  record(WIDE_LINE, point, "from[3] == 1") > 0 && is_sure(1),
		  "sixteen lanes print at once only what is sure to be there");
}

/* The routine loads 64 bits as two dwords, where these lie as dwords should. */
static void check_packed(void)
{
	tap_check(compile(PACKED_LINE, "even[l].second == 7") > 0 &&
		  compile(PACKED_LINE, "even->second == 7") > 0 &&
		  compile(PACKED_LINE, "row->first == 7") > 0,
		  "numbers of 64 bits at dwords");
	check_refusal(PACKED_LINE, "odd->second == 7", "no multiple of 4");
	check_refusal(PACKED_LINE, "odd[l].second == 7", "no multiple of 4");
	check_refusal(PACKED_LINE, "row[l].first == 7", "no multiple of 4");
}

static void check_in(const char *file, const char *kernel, void (*check)(void))
{
	symbols = kernel_file_symbols(file, 0, kernel);
	check();
	gtdbg_symbols_destroy(symbols);
}

int main(void)
{
	int count, ok = 1;

	puts("TAP version 13");
	symbols = kernel_file_symbols("compute.cl", 0, "compute");
	count = compile(4, "point == 1234");
	for (uint32_t lane = 0; lane < 8; lane++)
		ok = ok && leads(4, "point", lane);
	tap_check(count >= 4 && ok, "a program reads where the variable is");
	if (count < 0)
		printf("# %d: %s\n", count, why);
	check_compare(4, "point==1234", GTDBG_SIP_OP_EQUAL, 1234, 0);
	check_compare(4, "point != -1", GTDBG_SIP_OP_EQUAL, UINT32_MAX, 0xff);
	check_compare(4, "point < 7", GTDBG_SIP_OP_LESS, 7, 0);
	check_compare(4, "7 < point", GTDBG_SIP_OP_GREATER, 7, 0);
	check_compare(4, "point <= 0x10", GTDBG_SIP_OP_GREATER, 16, 0xff);
	check_compare(4, "0 >= point", GTDBG_SIP_OP_GREATER, 0, 0xff);
	check_compare(4, "point > 3 && point < 9", GTDBG_SIP_OP_LESS, 9, 0);
	check_compare(4, "point", GTDBG_SIP_OP_EQUAL, 0, 0xff);
	check_compare(4, "!point", GTDBG_SIP_OP_EQUAL, 0, 0);
	check_compare(4, "( point == 1 )", GTDBG_SIP_OP_EQUAL, 1, 0);
	check_compare(4, "!(point >= 4 || 3 == point)", GTDBG_SIP_OP_EQUAL, 3,
		      0xff);
	check_refusal(4, "point == 1.5", "more than comparisons");
	check_refusal(4, "point == 1 ||", "more than comparisons");
	check_refusal(4, "(point == 1", "more than comparisons");
	check_compare(4, "(point) == 1", GTDBG_SIP_OP_EQUAL, 1, 0);
	check_compare(4, "point + 3 == 1", GTDBG_SIP_OP_EQUAL, -2U, 0);
	check_compare(4, "0x7fffffff == point - 1", GTDBG_SIP_OP_EQUAL,
		      0x80000000, 0);
	check_compare(4, "3 - point != 1", GTDBG_SIP_OP_EQUAL, 2, 0xff);
	check_compare(4, "(point ^ 6) == 5", GTDBG_SIP_OP_EQUAL, 3, 0);
	check_compare(4, "~point == 5", GTDBG_SIP_OP_EQUAL, -6U, 0);
	check_refusal(4, "point + 2147483648 == 1", "sum of point may be");
	check_arithmetic();
	check_refusal(4, "point == 1 ? 0 : 1", "more than comparisons");
	check_refusal(4, "point = 1", "more than comparisons");
	check_refusal(4, "$item.5 == point", "more than comparisons");
	check_refusal(4, "point.low == 1", "no member");
	check_refusal(4, "point == 5000000000", "no value of point");
	check_refusal(4, "in == 0", "no number of 8, 16 or 32 bits");
	check_refusal(4, "nothing == 0", "no variable");
	check_refusal(1, "point == 0", "no value there");
	tap_check(compile(4, "point == 1 || point == 2") > 0,
		  "two alternatives fit");
	tap_check(compile(4, "point == 1 || point == 2 || point == 3") > 7,
		  "more alternatives do, in parts");
	check_refusal(4, TEN, "more than 25 operations");
	check_part(4, "point == 3 && ~index == 0", "has 64 bits");
	check_part(4, "point == 3 && point / point == 1", "more than comparisons");
	check_part(4, "point == 3 && (" TEN ")", "more than 25 operations");
	check_items();
	check_records();
	check_many_records();
	check_split_record("point", "half a number is not what is compared");
	check_split_record("point + 1", "nor is its place");
	gtdbg_symbols_destroy(symbols);
	symbols = kernel_file_symbols("unsigned.cl", 0, "count");
	check_single_items();
	check_compare(3, "number == -1", GTDBG_SIP_OP_EQUAL, UINT32_MAX, 0);
	check_refusal(3, "number == 4294967296", "no value of number");
	/* The sign bit is turned over on both sides. */
	check_compare(3, "number > 4294967295", GTDBG_SIP_OP_GREATER, 0x7fffffff,
		      0);
	gtdbg_symbols_destroy(symbols);
	check_in("shapes.cl", "shapes", check_unions);
	check_in("local_pointer.cl", "share", check_locals);
	check_in("local_pointer.cl", "share", check_globals);
	check_in("local_pointer.cl", "share", check_risky_records);
	check_in("packed.cl", "packed", check_packed);
	check_in("wide.cl", "wide", check_wide_records);
	check_in("wide.cl", "four", check_four);
	symbols = kernel_file_symbols("compute.cl", KERNEL_FILE_OPTIMIZED,
				      "compute");
	check_optimized_items();
	gtdbg_symbols_destroy(symbols);
	return tap_end();
}
