// SPDX-License-Identifier: MIT
/*
 * Elements that conditions take, by indices that are as wild as their types allow: a
 * model of the routine's operations loads what 64 bits say, or it stops.
 */
#include "support/kernel_file.h"
#include "support/tap.h"

#include <linux/gtdbg_sip.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LINE		27	/* all variables have values there */
#define VIEWED_LINE	42	/* of another kernel */
#define LINKED_LINE	70	/* and of one more */
#define STATES		100000	/* of each element */
#define BASE		0x100000000ULL
#define STRIDE		0x1000	/* from one register's address to the next */
#define WINDOW		0x700000000000ULL
#define LOCAL_POINTER	32	/* what no variable has, and "mine" leads to */
#define LOCAL_ARRAY	128	/* bytes of the one in local memory */
#define KEPT_BITS	0xffff

/* Of the kernel, as its types have them. */
static struct {
	int32_t i, j;
	uint32_t u;
	int64_t w;
	uint64_t s;
	int16_t n;
} now;

static const struct variable {
	const char *name;
	const void *value;
	uint32_t bytes;
} variables[] = {
	{ "i", &now.i, 4 }, { "j", &now.j, 4 }, { "u", &now.u, 4 },
	{ "w", &now.w, 8 }, { "s", &now.s, 8 }, { "n", &now.n, 2 },
};

#define VARIABLES (sizeof(variables) / sizeof(variables[0]))

/* One that is soon left, and the largest one: pointers lead into the middle of it. */
static const struct window {
	int64_t bytes, before;
} windows[] = { { 4096, 1024 }, { 0xfffff000, 0x7ffff000 } };

static const struct window *window;
static uint64_t pointer, array;
static const char *const pointers[] = {
	"in", "table", "trio", "bytes", "words", "node", "list", "longs", "cube",
};

#define POINTERS (sizeof(pointers) / sizeof(pointers[0]))

/*
 * Where pointers lie in them; beside these, nothing leads into the window. The kernel's
 * array of ends has four of them.
 */
static struct {
	uint64_t view[3], views[2][3], ways[4], ends[64];
} held;

#define APART	64	/* what one of the ends leads to from what the next one does */
#define TIMES	3	/* as far as it lies behind the pointer it leads to */

static struct gtdbg_symbols *symbols;
static uint64_t pc;
static struct { uint64_t address; const void *value; uint32_t bytes; } memory[16];
static size_t memory_count;

/* Of a variable in memory; 0: it is not there. */
static uint64_t address_of(const char *name)
{
	struct kernel_file_state state = { BASE, STRIDE };
	struct gtdbg_location location = { 0 };

	return kernel_file_locate(symbols, &state, pc, name, 0, &location) ||
	       location.kind != GTDBG_LOCATION_MEMORY ? 0 : location.address;
}

static void memory_add(const char *name, const void *value, uint32_t bytes)
{
	uint64_t address = address_of(name);

	if (!address)
		return;
	memory[memory_count].address = address;
	memory[memory_count].value = value;
	memory[memory_count++].bytes = bytes;
}

static uint64_t memory_at(uint64_t address, uint32_t len)
{
	uint64_t value = 0;

	if (address - WINDOW < (uint64_t)window->bytes)
		return pointer + TIMES * (address - pointer);
	for (size_t i = 0; i < memory_count; i++) {
		uint64_t offset = address - memory[i].address;

		if (offset >= memory[i].bytes || offset + len > memory[i].bytes)
			continue;
		memcpy(&value, (const uint8_t *)memory[i].value + offset, len);
		return value;
	}
	return LOCAL_POINTER;
}

/*
 * Programs, as Documentation/sip.rst and linux/gtdbg_sip.h have them
 */

struct lane {
	uint32_t value, kept;
	uint64_t place;
	int64_t loaded; /* where it has loaded from last */
};

static bool longs(uint32_t left, uint32_t right)
{
	return left <= INT32_MAX && right <= INT32_MAX;
}

/* Of 64 bits: the thread stops if there are more than 31. */
static uint64_t computed(const struct gtdbg_sip_op *op, const struct lane *lane)
{
	uint32_t other = op->c & GTDBG_SIP_COMPUTE_KEPT ? lane->kept : op->a;
	bool is_turned = op->c & GTDBG_SIP_COMPUTE_TURNED;
	uint32_t left = is_turned ? other : lane->value;
	uint32_t right = is_turned ? lane->value : other;

	switch (op->b) {
	case GTDBG_SIP_COMPUTE_ADD:
		return left + right;
	case GTDBG_SIP_COMPUTE_SUBTRACT:
		return left - right;
	case GTDBG_SIP_COMPUTE_AND:
		return left & right;
	case GTDBG_SIP_COMPUTE_OR:
		return left | right;
	case GTDBG_SIP_COMPUTE_MULTIPLY:
		return left * right;
	case GTDBG_SIP_COMPUTE_SHIFT_LEFT:
		return left << (right & 31);
	case GTDBG_SIP_COMPUTE_SHIFT_SIGNED:
		return (uint32_t)((int32_t)left >> (right & 31));
	case GTDBG_SIP_COMPUTE_LESS:
		return (int32_t)left < (int32_t)right;
	case GTDBG_SIP_COMPUTE_SHIFT_RIGHT:
		return left >> (right & 31);
	case GTDBG_SIP_COMPUTE_REMAINDER:
		return (uint32_t)((int32_t)left % (int32_t)right);
	case GTDBG_SIP_COMPUTE_ADD_LONG:
		return longs(left, right) ? (uint64_t)left + right : UINT64_MAX;
	case GTDBG_SIP_COMPUTE_SUBTRACT_LONG:
		return longs(left, right) ? (uint64_t)left - right : UINT64_MAX;
	case GTDBG_SIP_COMPUTE_MULTIPLY_LONG:
		return (uint64_t)left * right;
	default:
		printf("Bail out! the model does not know how to compute %u\n",
		       op->b);
		exit(1);
	}
}

static bool local_loads(const struct gtdbg_sip_op *op, struct lane *lane)
{
	int64_t index = (int32_t)lane->value;
	uint32_t offset = op->a;

	if (op->c & GTDBG_SIP_LOCAL_KEPT)
		offset += lane->kept & KEPT_BITS;
	if (op->c & GTDBG_SIP_LOCAL_INDEX) {
		if (index > GTDBG_SIP_SLM_END || index < -GTDBG_SIP_SLM_END)
			return false;
		offset += (uint32_t)index * (op->c & UINT16_MAX);
	}
	if (offset > op->b)
		return false;
	lane->loaded = offset - (int64_t)array;
	lane->value = 0;
	return true;
}

static bool global_loads(const struct gtdbg_sip_op *op, struct lane *lane)
{
	uint32_t bytes = op->c >> GTDBG_SIP_GLOBAL_BYTES_SHIFT & 0xff;
	int64_t index = op->c & GTDBG_SIP_GLOBAL_UNSIGNED ?
			(int64_t)lane->kept : (int32_t)lane->kept;
	int64_t first;

	if (!(op->c & GTDBG_SIP_GLOBAL_INDEX))
		index = 0;
	else if (index > op->b || index < -(int64_t)op->b)
		return false;
	lane->place += (uint64_t)(index * (op->c & UINT16_MAX));
	if (op->c & GTDBG_SIP_GLOBAL_OWN) {
		lane->loaded = (int64_t)(lane->place - array);
		lane->value = 0;
		return true;
	}
	first = (int64_t)(lane->place - WINDOW);
	if (first < 0 || first + bytes > window->bytes)
		return false;
	lane->loaded = first - window->before;
	lane->value = 0;
	return true;
}

/* Up to the comparison; false: it stops on its way. */
static bool lane_loads(const struct gtdbg_sip_op *op, struct lane *lane)
{
	for (;; op++) {
		uint64_t at = BASE + STRIDE * ((op->a & UINT16_MAX) / 8);
		bool is_long = op->op == GTDBG_SIP_OP_COMPUTE ?
			       op->b >= GTDBG_SIP_COMPUTE_ADD_LONG :
			       op->a >> 16 == 8;
		uint64_t value = lane->value;

		switch (op->op) {
		case GTDBG_SIP_OP_FETCH:
			at += (uint64_t)(int32_t)op->c;
			value = memory_at(at, op->a >> 16);
			break;
		case GTDBG_SIP_OP_ADDRESS:
			lane->place = at;
			break;
		case GTDBG_SIP_OP_ADD:
			lane->place += (uint64_t)(int32_t)op->a;
			break;
		case GTDBG_SIP_OP_LOAD_LONG:
			value = 0;
			break;
		case GTDBG_SIP_OP_FOLLOW:
			lane->place = memory_at(lane->place, 8);
			break;
		case GTDBG_SIP_OP_KEEP:
			lane->kept = lane->value;
			break;
		case GTDBG_SIP_OP_COMPUTE:
			value = computed(op, lane);
			break;
		case GTDBG_SIP_OP_LOCAL:
			if (!local_loads(op, lane))
				return false;
			continue;
		case GTDBG_SIP_OP_GLOBAL:
			if (!global_loads(op, lane))
				return false;
			continue;
		case GTDBG_SIP_OP_EQUAL:
		case GTDBG_SIP_OP_WIDE:
			return true;
		default:
			printf("Bail out! the model does not know operation %u\n",
			       op->op);
			exit(1);
		}
		if (is_long && value > INT32_MAX)
			return false;
		lane->value = (uint32_t)value;
	}
}

/*
 * Elements, and where they are
 */

typedef __int128 wide_t;

#define ELEMENT(name, result) static wide_t name(void) { return result; }

ELEMENT(in_i_j, 4 * (wide_t)(int32_t)((uint32_t)now.i * 8 + (uint32_t)now.j))
ELEMENT(in_u, 4 * (wide_t)now.u)
ELEMENT(in_u_i, 4 * (wide_t)(now.u + (uint32_t)now.i))
ELEMENT(in_n, 4 * (wide_t)now.n)
ELEMENT(in_w, 4 * (wide_t)now.w)
ELEMENT(in_s, 4 * (wide_t)now.s)
ELEMENT(in_s_5, 4 * ((wide_t)now.s - 5))
ELEMENT(in_5_w, 4 * ((wide_t)now.w + 5))
ELEMENT(bytes_s, (wide_t)now.s)
ELEMENT(table_i_j, 16 * (wide_t)now.i + 4 * (wide_t)now.j)
ELEMENT(table_i_u, 16 * (wide_t)now.i + 4 * (wide_t)now.u)
ELEMENT(table_u_n, 16 * (wide_t)now.u + 4 * (wide_t)now.n)
ELEMENT(table_turned, 16 * (wide_t)now.n +
	4 * (wide_t)(int32_t)((uint32_t)now.i + (uint32_t)now.j))
ELEMENT(words_i_j, 4 * (wide_t)now.i + (wide_t)now.j)
ELEMENT(trio_i_j, 12 * (wide_t)now.i + 4 * (wide_t)now.j)
ELEMENT(trio_u_2, 12 * (wide_t)now.u + 8)
ELEMENT(grid_i_j, 16 * (wide_t)now.i + 4 * (wide_t)now.j)
ELEMENT(grid_u_j, 16 * (wide_t)now.u + 4 * (wide_t)now.j)
ELEMENT(grid_i_u, 16 * (wide_t)now.i + 4 * (wide_t)now.u)
ELEMENT(grid_s_1, 16 * (wide_t)now.s + 4)
ELEMENT(grid_w_1, 16 * ((wide_t)now.w - 3) + 8)
ELEMENT(grid_i_1, 16 * (wide_t)now.i + 4)
ELEMENT(mine_i_j, LOCAL_POINTER +
	4 * (wide_t)(int32_t)((uint32_t)now.i * 4 + (uint32_t)now.j))
ELEMENT(mine_n, LOCAL_POINTER + 4 * (wide_t)now.n)
ELEMENT(mine_s, LOCAL_POINTER + 4 * (wide_t)now.s)
ELEMENT(mine_w, LOCAL_POINTER + 4 * ((wide_t)now.w + 2))

ELEMENT(own_u, 4 * (wide_t)now.u)
ELEMENT(own_s, 4 * (wide_t)now.s)
ELEMENT(own_w, 4 * ((wide_t)now.w + 2))
ELEMENT(in_s_n_w, 4 * ((wide_t)now.s * 8 + (wide_t)now.w))
ELEMENT(in_w_i_u, 4 * ((wide_t)now.w * (wide_t)now.i + (wide_t)now.u))
ELEMENT(in_s_bits, 4 * (wide_t)((now.s & 12) >> 1))
ELEMENT(in_w_rest, 4 * (wide_t)(now.w % 7))
ELEMENT(table_w_j, 16 * (wide_t)now.w + 4 * (wide_t)now.j)
ELEMENT(table_i_s, 16 * (wide_t)now.i + 4 * (wide_t)now.s)
ELEMENT(own_s_5, 4 * ((wide_t)now.s - 5))
ELEMENT(own_i_j, 4 * (wide_t)(int32_t)((uint32_t)now.i + (uint32_t)now.j))
ELEMENT(cells_i_j, 16 * (wide_t)now.i + 4 * (wide_t)now.j)
ELEMENT(cells_n_u, 16 * (wide_t)now.n + 4 * (wide_t)now.u)
ELEMENT(first, 0)
ELEMENT(second, 4)
ELEMENT(pair_i_j, 12 * (wide_t)now.i + 4 * (wide_t)now.j)

ELEMENT(next_value, TIMES * 16)
ELEMENT(next_next, TIMES * (TIMES * 16 + 16))
ELEMENT(next_row, TIMES * (TIMES * (TIMES * 16 + 16) + 24) + 4)
ELEMENT(row_i, TIMES * 24 + 4 * (wide_t)now.i)
ELEMENT(row_u_n, TIMES * 24 + 4 * (wide_t)(now.u + (uint32_t)(int32_t)now.n))
ELEMENT(node_i, TIMES * (32 * (wide_t)now.i + 16))
ELEMENT(list_i, TIMES * 8 * (wide_t)now.i)
ELEMENT(list_s, TIMES * 8 * ((wide_t)now.s - 5) + 8)
ELEMENT(ends_i, APART * (wide_t)now.i)
ELEMENT(ends_u, APART * (wide_t)now.u + TIMES * (APART * (wide_t)now.u + 24) -
	APART * (wide_t)now.u + 8)
ELEMENT(ends_s, APART * ((wide_t)now.s - 5) + 8)
ELEMENT(longs_i, 8 * (wide_t)now.i)
ELEMENT(longs_s, 8 * (wide_t)now.s)
ELEMENT(node_i_id, 32 * (wide_t)now.i + 8)
ELEMENT(next_id, TIMES * 16 + 8)
ELEMENT(sizes_n, 8 * (wide_t)now.n)
ELEMENT(cube_i_j_n, 32 * (wide_t)now.i + 16 * (wide_t)now.j + 4 * (wide_t)now.n)
ELEMENT(cube_u_n_u, 32 * (wide_t)now.u + 16 * (wide_t)now.n + 4 * (wide_t)now.u)
ELEMENT(cube_n_i_sum, 32 * (wide_t)now.n + 16 * (wide_t)now.i +
	4 * (wide_t)(int32_t)((uint32_t)now.i + (uint32_t)now.j))
ELEMENT(cube_s_w_j, 32 * (wide_t)now.s + 16 * (wide_t)now.w + 4 * (wide_t)now.j)
ELEMENT(block_i_j_n, 128 * (wide_t)now.i + 32 * (wide_t)now.j + 4 * (wide_t)now.n)
ELEMENT(block_u_n_w, 128 * (wide_t)now.u + 32 * (wide_t)now.n + 4 * (wide_t)now.w)

static const struct element {
	const char *text;
	wide_t (*offset)(void);
	wide_t end; /* of local memory or of the array; 0: of the window */
	const char *array; /* it is this one, and no pointer leads there */
	bool is_own; /* of the lane: what lies beside it is not loaded */
} elements[] = {
	{ "in[i * 8 + j]", in_i_j, 0, NULL, false },
	{ "in[u]", in_u, 0, NULL, false },
	{ "in[u + i]", in_u_i, 0, NULL, false },
	{ "in[n]", in_n, 0, NULL, false },
	{ "in[w]", in_w, 0, NULL, false },
	{ "in[s]", in_s, 0, NULL, false },
	{ "in[s - 5]", in_s_5, 0, NULL, false },
	{ "in[5 + w]", in_5_w, 0, NULL, false },
	{ "bytes[s]", bytes_s, 0, NULL, false },
	{ "table[i][j]", table_i_j, 0, NULL, false },
	{ "table[i][u]", table_i_u, 0, NULL, false },
	{ "table[u][n]", table_u_n, 0, NULL, false },
	{ "in[s * 8 + w]", in_s_n_w, 0, NULL, false },
	{ "in[(s << 3) + w]", in_s_n_w, 0, NULL, false },
	{ "in[w * i + u]", in_w_i_u, 0, NULL, false },
	{ "in[(s & 12) >> 1]", in_s_bits, 0, NULL, false },
	{ "in[w % 7]", in_w_rest, 0, NULL, false },
	{ "table[w][j]", table_w_j, 0, NULL, false },
	{ "table[i][s]", table_i_s, 0, NULL, false },
	{ "table[n][i + j]", table_turned, 0, NULL, false },
	{ "words[i][j]", words_i_j, 0, NULL, false },
	{ "trio[i].of[j]", trio_i_j, 0, NULL, false },
	{ "trio[u].of[2]", trio_u_2, 0, NULL, false },
	{ "grid[i][j]", grid_i_j, LOCAL_ARRAY, "grid", false },
	{ "grid[u][j]", grid_u_j, LOCAL_ARRAY, "grid", false },
	{ "grid[i][u]", grid_i_u, LOCAL_ARRAY, "grid", false },
	{ "grid[s][1]", grid_s_1, LOCAL_ARRAY, "grid", false },
	{ "grid[w - 3][2]", grid_w_1, LOCAL_ARRAY, "grid", false },
	{ "grid[i][1]", grid_i_1, LOCAL_ARRAY, "grid", false },
	{ "mine[i * 4 + j]", mine_i_j, GTDBG_SIP_SLM_END, NULL, false },
	{ "mine[n]", mine_n, GTDBG_SIP_SLM_END, NULL, false },
	{ "mine[s]", mine_s, GTDBG_SIP_SLM_END, NULL, false },
	{ "mine[w + 2]", mine_w, GTDBG_SIP_SLM_END, NULL, false },
	{ "own[u]", own_u, 32, "own", true },
	{ "own[s]", own_s, 32, "own", true },
	{ "own[w + 2]", own_w, 32, "own", true },
	{ "own[s-5]", own_s_5, 32, "own", true },
	{ "own[i + j]", own_i_j, 32, "own", true },
	{ "cells[i][j]", cells_i_j, 64, "cells", true },
	{ "cells[n][u]", cells_n_u, 64, "cells", true },
	{ "pair[i].of[j]", pair_i_j, 48, "pair", true },
};

/* By pointers that lie in other variables. */
static const struct element viewed[] = {
	{ "view.first[i * 8 + j]", in_i_j, 0, NULL, false },
	{ "view.first[s - 5]", in_s_5, 0, NULL, false },
	{ "view.rows[n & 0][0]", first, 0, NULL, false },
	{ "views[1].rows[i][j]", table_i_j, 0, NULL, false },
	{ "views[1].rows[0][1]", second, 0, NULL, false },
	{ "*views[1].first", first, 0, NULL, false },
	{ "ways[3][n]", in_n, 0, NULL, false },
	{ "*ways[3]", first, 0, NULL, false },
	{ "*ways[n & 0 | 3]", first, 0, NULL, false },
	{ "views[n & 0 | 1].rows[0][1]", second, 0, NULL, false },
};

/* By pointers that lie where others lead, or that an index chooses; and three indices. */
static const struct element linked[] = {
	{ "node->next->value", next_value, 0, NULL, false },
	{ "node->next->next->value", next_next, 0, NULL, false },
	{ "node->next->next->row[1]", next_row, 0, NULL, false },
	{ "node->row[i]", row_i, 0, NULL, false },
	{ "node->row[u + n]", row_u_n, 0, NULL, false },
	{ "node[i].next->value", node_i, 0, NULL, false },
	{ "list[i]->value", list_i, 0, NULL, false },
	{ "list[s - 5]->id", list_s, 0, NULL, false },
	{ "ends[i]->value", ends_i, 4 * APART, NULL, true },
	{ "ends[u]->row[2]", ends_u, 0, NULL, false },
	{ "ends[s - 5]->id", ends_s, 4 * APART, NULL, true },
	{ "longs[i]", longs_i, 0, NULL, false },
	{ "1 + longs[s]", longs_s, 0, NULL, false },
	{ "3 * node[i].id", node_i_id, 0, NULL, false },
	{ "2 + node->next->id", next_id, 0, NULL, false },
	{ "1 + sizes[n]", sizes_n, 64, "sizes", true },
	{ "cube[i][j][n]", cube_i_j_n, 0, NULL, false },
	{ "cube[u][n][u]", cube_u_n_u, 0, NULL, false },
	{ "cube[n][i][i + j]", cube_n_i_sum, 0, NULL, false },
	{ "cube[s][w][j]", cube_s_w_j, 0, NULL, false },
	{ "block[i][j][n]", block_i_j_n, 256, "block", true },
	{ "block[u][n][w]", block_u_n_w, 256, "block", true },
	{ "pile[i][j][n]", block_i_j_n, LOCAL_ARRAY * 2, "pile", false },
	{ "pile[u][n][w]", block_u_n_w, LOCAL_ARRAY * 2, "pile", false },
};

/* Near to where products and sums come round, or anywhere. */
static uint64_t wild(void)
{
	static const uint8_t bits[] = {
		1, 8, 14, 15, 16, 26, 27, 28, 29, 30, 31, 32, 33, 62, 63,
	};
	uint64_t near = (uint64_t)(int64_t)(rand() % 9 - 4);
	uint64_t bit = 1ULL << bits[(size_t)rand() % sizeof(bits)];

	switch (rand() % 4) {
	case 0:
		return near;
	case 1:
		return near + bit;
	case 2:
		return near - bit;
	default:
		return near * ((1ULL << rand() % 48) / (uint64_t)(1 + rand() % 12));
	}
}

/* One that is right for all elements, and for those of grid's rows. */
static uint64_t number(bool is_tame)
{
	return is_tame ? (uint64_t)(rand() % 4) : wild();
}

static void now_set(bool is_tame)
{
	now.i = (int32_t)number(is_tame);
	now.j = (int32_t)number(is_tame);
	now.u = (uint32_t)number(is_tame);
	now.w = (int64_t)number(is_tame);
	now.s = number(is_tame) + (is_tame ? 5 : 0);
	now.n = (int16_t)number(is_tame);
}

/* It loads from where the indices say, or stops; if they are right, it does not. */
static bool state_check(const struct element *element,
			const struct gtdbg_sip_op *op, bool is_tame)
{
	struct lane lane = { .loaded = INT64_MIN };
	wide_t offset, end;
	bool is_inside, loads;

	now_set(is_tame);
	offset = element->offset();
	end = element->end ? element->end : window->bytes - window->before;
	is_inside = offset >= 0 && offset + 4 <= end;
	loads = lane_loads(op, &lane);
	if (loads ? lane.loaded == offset && (is_inside || !element->is_own) :
	    !is_tame || !is_inside)
		return true;
	printf("# %s: %s at %lld, not at %lld\n", element->text,
	       loads ? "loads" : "stops", (long long)lane.loaded,
	       (long long)offset);
	printf("# i %d, j %d, u %u, w %lld, s %llu, n %d\n", now.i, now.j,
	       now.u, (long long)now.w, (unsigned long long)now.s, now.n);
	return false;
}

static void element_check(const struct element *element)
{
	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
	char text[128], why[128];
	bool ok;

	snprintf(text, sizeof(text), "%s == 77", element->text);
	ok = gtdbg_condition_compile(symbols, pc, text, op, sizeof(op), why,
				     sizeof(why)) > 0 && !*why;
	if (!ok)
		printf("# %s: %s\n", text, why);
	array = element->array ? address_of(element->array) : 0;
	if (element->array && !element->is_own)
		array &= GTDBG_SIP_SLM_END - 1;
	for (int i = 0; ok && i < STATES; i++) {
		window = &windows[i / 2 % 2];
		pointer = WINDOW + (uint64_t)window->before;
		held.view[1] = held.view[2] = pointer;
		held.views[1][1] = held.views[1][2] = pointer;
		held.ways[3] = pointer;
		for (size_t end = 0; end < sizeof(held.ends) / 8; end++)
			held.ends[end] = pointer + APART * end;
		ok = state_check(element, op, i % 2);
	}
	tap_check(ok, element->text);
}

/* Pointers at places that vary, or behind their variable, and what is none. */
static void refused_check(void)
{
	static const char *const texts[] = {
		"ways[i][n]", "ways[4][0]", "ways[-1][0]", "*view", "**ways",
		"*view.len", "view.len[0]", "view.first->len", "*view.first[0]",
		"view.missing[0]", "*view.rows", "ways[i][i]", "**ways[3]",
	};
	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
	char text[128], why[128];
	bool ok = true;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(text, sizeof(text), "%s == 77", texts[i]);
		if (gtdbg_condition_compile(symbols, pc, text, op, sizeof(op),
					    why, sizeof(why)) == -EOPNOTSUPP &&
		    *why)
			continue;
		printf("# %s is taken\n", texts[i]);
		ok = false;
	}
	tap_check(ok, "what leads nowhere is refused");
}

/* Terms of the same pointer share a window, those of others have their own. */
static void windows_check(void)
{
	static const uint32_t wanted[] = { 0, 1, 0, 2 };
	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
	char why[128];
	int len = gtdbg_condition_compile(
		symbols, pc, "view.first[0] == 1 && views[1].first[0] == 2 && "
		"view.first[2] == 3 && views[1].rows[0][0] == 4", op,
		sizeof(op), why, sizeof(why));
	size_t count = 0;
	bool ok = len > 0 && !*why;

	for (size_t i = 0; ok && i < (size_t)len / sizeof(op[0]); i++) {
		if (op[i].op != GTDBG_SIP_OP_GLOBAL)
			continue;
		ok = count < 4 && op[i].a == wanted[count];
		count++;
	}
	tap_check(ok && count == 4, "each pointer has its window");
}

/* Of a kernel at a line where so many variables are in memory. */
static void begin(const char *kernel, int line, size_t count)
{
	symbols = kernel_file_symbols("element.cl", 0, kernel);
	if (gtdbg_line_addresses(symbols, NULL, line, NULL, &pc, 1) != 1)
		printf("# no line %d\n", line);
	memory_count = 0;
	for (size_t i = 0; i < VARIABLES; i++)
		memory_add(variables[i].name, variables[i].value,
			   variables[i].bytes);
	for (size_t i = 0; i < POINTERS; i++)
		memory_add(pointers[i], &pointer, sizeof(pointer));
	memory_add("view", held.view, sizeof(held.view));
	memory_add("views", held.views, sizeof(held.views));
	memory_add("ways", held.ways, sizeof(held.ways));
	memory_add("ends", held.ends, sizeof(held.ends));
	tap_check(memory_count == count, "all variables are in memory");
}

int main(void)
{
	puts("TAP version 13");
	srand(13);
	begin("element", LINE, VARIABLES + 5);
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++)
		element_check(&elements[i]);
	gtdbg_symbols_destroy(symbols);
	begin("viewed", VIEWED_LINE, 8);
	for (size_t i = 0; i < sizeof(viewed) / sizeof(viewed[0]); i++)
		element_check(&viewed[i]);
	refused_check();
	windows_check();
	gtdbg_symbols_destroy(symbols);
	begin("linked", LINKED_LINE, VARIABLES + 6);
	for (size_t i = 0; i < sizeof(linked) / sizeof(linked[0]); i++)
		element_check(&linked[i]);
	gtdbg_symbols_destroy(symbols);
	return tap_end();
}
