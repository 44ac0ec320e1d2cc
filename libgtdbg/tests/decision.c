// SPDX-License-Identifier: MIT
/*
 * Random conditions, each compiled for the GPU's routine and carried out by a model of
 * its operations, beside an evaluator that knows the tree the text was made of.
 */
#include "support/kernel_file.h"
#include "support/tap.h"

#include <linux/gtdbg_sip.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINE		17	/* all variables but "pair" have values there */
#define LANES		8
#define CONDITIONS	3000
#define STATES		4	/* of each; times LANES */
#define NODES_MAX	16
#define BASE		0x100000000ULL
#define STRIDE		0x1000	/* from one register's address to the next */

static const struct operand {
	const char *text;
	int bytes;		/* negative: signed */
	const char *variable;	/* NULL: a work-item's number */
	uint32_t offset;
} operands[] = {
	{ "number", -4, "number", 0 },
	{ "plain", 4, "plain", 0 },
	{ "narrow", -2, "narrow", 0 },
	{ "natural", 2, "natural", 0 },
	{ "small", -1, "small", 0 },
	{ "byte", 1, "byte", 0 },
	{ "pair.whole", 0, NULL, 5 }, /* refused: it has no value there */
	{ "$item.x", 4, NULL, 0 },
	{ "$item.z", 4, NULL, 2 },
	{ "$group.x", 4, NULL, 3 },
	{ "$group.y", 4, NULL, 4 },
	{ "number / number", 0, NULL, 5 }, /* refused */
};

#define OPERANDS (sizeof(operands) / sizeof(operands[0]))

struct node {
	char kind;		/* & | ! or t, a term */
	int left, right;
	const struct operand *operand;
	const char *operator;	/* "" if the operand alone is the term */
	int64_t number;
};

static struct gtdbg_symbols *symbols;
static uint64_t pc;
static uint8_t registers[128 * GTDBG_GRF_BYTES];
static struct { uint64_t address; uint8_t bytes[16]; } memory[LANES * 8];
static size_t memory_count;
static struct node nodes[NODES_MAX];
static int node_count;

static int register_read(void *context, uint32_t offset, void *buf, size_t len)
{
	(void)context;
	memcpy(buf, registers + offset, len);
	return 0;
}

static int nothing_read(void *context, uint64_t address, void *buf, size_t len)
{
	(void)context;
	(void)address;
	(void)buf;
	(void)len;
	return -EFAULT;
}

static const struct gtdbg_machine machine = {
	.register_read = register_read, .memory_read = nothing_read,
};

/* Of a variable in a lane, as the library finds it. */
static uint64_t address_of(const char *name, uint32_t lane)
{
	struct gtdbg_location location = { 0 };
	struct gtdbg_variable variable;
	struct gtdbg_frame frame;

	if (gtdbg_frame_unwind(symbols, &machine, pc, 1, 0, &frame, 1) != 1 ||
	    gtdbg_variable_find(symbols, &frame, name, &variable) ||
	    gtdbg_variable_locate(symbols, &frame, &variable, &machine, lane,
				  &location) ||
	    location.kind != GTDBG_LOCATION_MEMORY)
		return 0;
	return location.address;
}

static uint64_t memory_at(uint64_t address, uint32_t len)
{
	uint64_t value = 0;

	for (size_t i = 0; i < memory_count; i++) {
		uint64_t offset = address - memory[i].address;

		if (offset + len <= sizeof(memory[i].bytes)) {
			memcpy(&value, memory[i].bytes + offset, len);
			return value;
		}
	}
	/* What no variable has is no number that comes up elsewhere. */
	return 0x5a5a5a5a;
}

static uint32_t dword_at(uint32_t byte)
{
	uint32_t value;

	memcpy(&value, registers + byte, sizeof(value));
	return value;
}

/* Registers are addresses, far from each other, but for the first ones. */
static void state_make(void)
{
	static const char *const names[] = {
		"number", "plain", "narrow", "natural", "small", "byte",
	};
	uint64_t at;

	for (uint32_t i = 0; i < sizeof(registers); i += 8) {
		at = BASE + STRIDE * i;
		memcpy(registers + i, &at, sizeof(at));
	}
	for (uint32_t i = 0; i < 7 * GTDBG_GRF_BYTES; i++)
		registers[i] = (uint8_t)(i % 4 ? 0 : rand() % 4);
	memory_count = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (uint32_t lane = 0; lane < LANES; lane++) {
			memory[memory_count].address = address_of(names[i],
								  lane);
			for (int k = 0; k < 16; k++)
				memory[memory_count].bytes[k] = (uint8_t)(
					rand() & 1 ? rand() : rand() & 1 ?
					0 : 0xff);
			memory_count++;
		}
	}
}

/* Where the numbers of groups and items are: Documentation/sip.rst. */
static int64_t number_of(const struct operand *operand, uint32_t lane)
{
	uint32_t dimension = operand->offset, out = 0;
	uint64_t bits;

	if (!operand->variable && dimension < 3) {
		gtdbg_item_read(symbols, pc, &machine, lane, dimension, &out);
		return out;
	}
	if (!operand->variable)
		return dword_at(dimension == 3 ? 4 : 24);
	bits = memory_at(address_of(operand->variable, lane) + operand->offset,
			 (uint32_t)abs(operand->bytes));
	return operand->bytes == -4 ? (int32_t)bits :
	       operand->bytes == -2 ? (int16_t)bits :
	       operand->bytes == -1 ? (int8_t)bits : (int64_t)bits;
}

static bool term_holds(const struct node *node, uint32_t lane)
{
	int64_t value = number_of(node->operand, lane);

	if (!*node->operator)
		return value;
	if (strcmp(node->operator, "==") == 0)
		return value == node->number;
	if (strcmp(node->operator, "!=") == 0)
		return value != node->number;
	if (strcmp(node->operator, "<") == 0)
		return value < node->number;
	if (strcmp(node->operator, "<=") == 0)
		return value <= node->number;
	if (strcmp(node->operator, ">") == 0)
		return value > node->number;
	return value >= node->number;
}

static bool node_holds(int at, uint32_t lane)
{
	const struct node *node = &nodes[at];

	switch (node->kind) {
	case '&':
		return node_holds(node->left, lane) &&
		       node_holds(node->right, lane);
	case '|':
		return node_holds(node->left, lane) ||
		       node_holds(node->right, lane);
	case '!':
		return !node_holds(node->left, lane);
	default:
		return term_holds(node, lane);
	}
}

/*
 * Programs, as Documentation/sip.rst and linux/gtdbg_sip.h have them
 */

static uint32_t item_at(const struct gtdbg_sip_op *op, uint32_t lane)
{
	uint16_t word;

	memcpy(&word, registers + op->a + 2 * lane, sizeof(word));
	return word + dword_at(op->b & 0xffff) * dword_at(op->b >> 16) +
	       dword_at(op->c);
}

static bool op_holds(const struct gtdbg_sip_op *op, uint32_t value)
{
	int32_t left = (int32_t)(value ^ op->b), right = (int32_t)op->a;
	bool result = op->op == GTDBG_SIP_OP_EQUAL ? left == right :
		      op->op == GTDBG_SIP_OP_LESS ? left < right : left > right;

	return result != !!op->c;
}

static uint64_t qword_at(uint32_t byte)
{
	return dword_at(byte) | (uint64_t)dword_at(byte + 4) << 32;
}

static uint64_t moved(uint64_t place, uint32_t delta, uint32_t lane,
		      uint32_t step)
{
	return place + (uint64_t)((int32_t)delta +
				  (int64_t)(int32_t)lane * (int16_t)step);
}

static bool program_stops(const struct gtdbg_sip_op *op, uint32_t lane)
{
	bool active = true;
	uint32_t value = 0;
	uint64_t place = 0;

	for (; op->op != GTDBG_SIP_OP_END; op++) {
		switch (op->op) {
		case GTDBG_SIP_OP_OR:
			if (active)
				return true;
			active = true;
			break;
		case GTDBG_SIP_OP_ADD:
			place = moved(place, op->a, lane, op->b);
			break;
		case GTDBG_SIP_OP_ADDRESS:
			place = qword_at(op->a + 8 * lane);
			break;
		case GTDBG_SIP_OP_FETCH:
			place = moved(qword_at((op->a & 0xffff) + 8 * lane),
				      op->c, lane, op->b);
			if (active)
				value = (uint32_t)memory_at(place, op->a >> 16);
			break;
		case GTDBG_SIP_OP_LOAD:
		case GTDBG_SIP_OP_LOAD_WORD:
		case GTDBG_SIP_OP_LOAD_BYTE:
			if (active)
				value = (uint32_t)memory_at(place,
					op->op == GTDBG_SIP_OP_LOAD ? 4 :
					op->op == GTDBG_SIP_OP_LOAD_WORD ? 2 :
					1);
			break;
		case GTDBG_SIP_OP_UNIFORM:
			value = dword_at(op->a);
			break;
		case GTDBG_SIP_OP_ITEM:
			value = item_at(op, lane);
			break;
		default:
			active = active && op_holds(op, value);
		}
	}
	return active;
}

/*
 * Conditions
 */

static int node_make(int depth)
{
	static const char *const operators[] = {
		"==", "==", "!=", "<", "<=", ">", ">=", "",
	};
	int at = node_count++, choice = depth ? rand() % 7 : 6;
	struct node *node = &nodes[at];
	int64_t range;

	node->kind = choice < 3 ? '&' : choice < 5 ? '|' : choice < 6 ? '!' : 't';
	if (node->kind == 't') {
		node->operand = &operands[(size_t)rand() % OPERANDS];
		node->operator = operators[rand() % 8];
		node->number = number_of(node->operand, (uint32_t)rand() % LANES);
		range = 1ll << 8 * abs(node->operand->bytes);
		if (node->operand->bytes > 0 && rand() & 1)
			node->number = (node->number + rand() % 3 - 1) &
				       (range - 1);
		return at;
	}
	node->left = node_make(depth - 1);
	if (node->kind != '!')
		node->right = node_make(depth - 1);
	return at;
}

static void text_make(int at, char *text, bool is_bare)
{
	const struct node *node = &nodes[at];

	text += strlen(text);
	if (node->kind == 't') {
		if (!*node->operator)
			strcpy(text, node->operand->text);
		else
			sprintf(text, "%s%s%s %lld", node->operand->text,
				rand() & 1 ? " " : "", node->operator,
				(long long)node->number);
		return;
	}
	if (node->kind == '!') {
		strcat(text, rand() & 1 ? "!(" : "! ( ");
		text_make(node->left, text, true);
		strcat(text, ")");
		return;
	}
	strcat(text, is_bare ? "" : "(");
	text_make(node->left, text, false);
	strcat(text, node->kind == '&' ? " && " : "||");
	text_make(node->right, text, false);
	strcat(text, is_bare ? "" : " )");
}

static bool is_known(void)
{
	for (int i = 0; i < node_count; i++)
		if (nodes[i].kind == 't' && !nodes[i].operand->bytes)
			return false;
	return true;
}

/* How it is decided: counts of the GPU, of a part, and of the host. */
static bool condition_check(unsigned int *counts)
{
	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
	char text[512] = "", why[128];
	int ret;

	node_count = 0;
	node_make(2 + rand() % 2);
	text_make(0, text, true);
	ret = gtdbg_condition_compile(symbols, pc, text, op, sizeof(op), why,
				      sizeof(why));
	counts[ret < 0 ? 2 : !!*why]++;
	if (ret < 0 && (ret != -EOPNOTSUPP || !*why)) {
		printf("# %s: %d, %s\n", text, ret, why);
		return false;
	}
	for (int i = 0; ret > 0 && i < STATES * LANES; i++) {
		uint32_t lane = (uint32_t)i % LANES;
		bool stops, holds;

		if (!lane)
			state_make();
		stops = program_stops(op, lane);
		holds = is_known() && node_holds(0, lane);
		if (holds ? stops : *why || !stops)
			continue;
		printf("# %s: %s, and it %s (%s)\n", text,
		       holds ? "holds" : "does not hold",
		       stops ? "stops" : "does not stop", why);
		return false;
	}
	return true;
}

int main(void)
{
	unsigned int counts[3] = { 0 }, i = 0;

	puts("TAP version 13");
	symbols = kernel_file_symbols("decision.cl", 0, "decide");
	if (gtdbg_line_addresses(symbols, NULL, LINE, NULL, &pc, 1) != 1)
		printf("# no line %d\n", LINE);
	srand(13);
	state_make();
	tap_check(address_of("number", LANES - 1) && address_of("byte", 0),
		  "all variables are in memory");
	while (i < CONDITIONS && condition_check(counts))
		i++;
	tap_check(i == CONDITIONS, "programs decide as the tree does");
	printf("# %u by the GPU, %u in part, %u by the host\n", counts[0],
	       counts[1], counts[2]);
	tap_check(counts[0] > CONDITIONS / 10 && counts[1] > CONDITIONS / 20,
		  "many of them");
	gtdbg_symbols_destroy(symbols);
	return tap_end();
}
