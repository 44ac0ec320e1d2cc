// SPDX-License-Identifier: MIT
/*
 * Atomic messages: every operation on every way to memory, for lanes that meet
 * at few addresses. The model takes the lanes in order. Descriptors are made
 * from the fields that Mesa's brw_eu.h writes; the operations' numbers are its
 * BRW_AOP_*.
 */
#include "message_rig.h"
#include "tap.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 200
#define CELLS 5

enum type { TABLE_INT = 0x02, A64_INT = 0x12, TABLE_FLOAT = 0x1b,
	    A64_FLOAT = 0x1d };

struct operation {
	const char *name;
	uint32_t code, operands;
	bool is_float;
};

static const struct operation operations[] = {
	{ "and", 1, 1, false },
	{ "or", 2, 1, false },
	{ "xor", 3, 1, false },
	{ "exchange", 4, 1, false },
	{ "increment", 5, 0, false },
	{ "decrement", 6, 0, false },
	{ "add", 7, 1, false },
	{ "subtract", 8, 1, false },
	{ "subtract from", 9, 1, false },
	{ "signed maximum", 10, 1, false },
	{ "signed minimum", 11, 1, false },
	{ "unsigned maximum", 12, 1, false },
	{ "unsigned minimum", 13, 1, false },
	{ "compare and exchange", 14, 2, false },
	{ "decrement, new value", 15, 0, false },
	{ "float maximum", 1, 1, true },
	{ "float minimum", 2, 1, true },
	{ "float compare and exchange", 3, 2, true },
};

struct atomics {
	const struct operation *op;
	enum rig_target target;
	uint32_t lanes, bytes; /* 4 or 8 */
	uint32_t mask;
	bool answered;
	uint64_t offset[16], a[16], b[16];
};

static float number(uint64_t bits)
{
	uint32_t low = bits;
	float value;

	memcpy(&value, &low, sizeof(value));
	return value;
}

static uint64_t model_float(uint32_t code, uint64_t old, uint64_t a,
			    uint64_t b)
{
	if (code == 3)
		return number(old) == number(a) ? b : old;
	if (isnan(number(old)) || isnan(number(a)))
		return isnan(number(old)) ? a : old;
	if (code == 1)
		return number(a) > number(old) ? a : old;
	return number(a) < number(old) ? a : old;
}

static uint64_t model_int(uint32_t code, uint64_t old, uint64_t a, uint64_t b,
			  uint32_t bytes)
{
	/* The sign of a shorter value moves to where the longer has it. */
	uint32_t shift = 64 - 8 * bytes;
	int64_t x = (int64_t)(old << shift), y = (int64_t)(a << shift);
	const uint64_t after[] = {
		0, old & a, old | a, old ^ a, a, old + 1, old - 1, old + a,
		old - a, a - old, y > x ? a : old, y < x ? a : old,
		a > old ? a : old, a < old ? a : old, old == a ? b : old,
		old - 1,
	};

	return after[code];
}

/* Each value is likely to be met again, by itself or as its neighbour. */
static uint64_t value(const struct atomics *atomics)
{
	static const uint32_t floats[] = {
		0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
		0x40490fdb, 0x00800000, 0x42280000,
	};
	uint64_t wide = (uint64_t)(rig_random() & 3) << 62 | rig_below(4);

	if (atomics->op->is_float)
		return floats[rig_below(8)];
	if (rig_below(2))
		wide = (uint64_t)rig_random() << 32 | rig_random();
	return atomics->bytes == 8 ? wide : (uint32_t)(wide ^ wide >> 32);
}

static void atomics_make(struct rig *rig, struct atomics *atomics)
{
	bool bounded = atomics->target <= RIG_BINDLESS;
	uint32_t address = atomics->target == RIG_FLAT ? 8 : 4;
	uint32_t plane = atomics->lanes * atomics->bytes;
	uint8_t *data = rig->payload + atomics->lanes * address;

	rig_garble(rig);
	for (uint32_t i = 0; i < atomics->lanes; i++) {
		uint32_t cell = 0xff8 + 8 * rig_below(CELLS);

		if (bounded && !rig_below(8))
			cell = RIG_BUFFER_BYTES + 4; /* beyond the end */
		atomics->offset[i] = rig_offset(atomics->target, cell);
		atomics->a[i] = value(atomics);
		atomics->b[i] = value(atomics);
		memcpy(rig->payload + address * i, &atomics->offset[i],
		       address);
		memcpy(data + atomics->bytes * i, &atomics->a[i],
		       atomics->bytes);
		if (atomics->op->operands == 2)
			memcpy(data + plane + atomics->bytes * i,
			       &atomics->b[i], atomics->bytes);
	}
}

static uint32_t descriptor(const struct atomics *atomics, uint32_t index)
{
	bool flat = atomics->target == RIG_FLAT;
	uint32_t type = atomics->op->is_float ?
			(flat ? A64_FLOAT : TABLE_FLOAT) :
			(flat ? A64_INT : TABLE_INT);
	uint32_t rlen = atomics->lanes * atomics->bytes / VGT_GRF_BYTES;
	uint32_t mlen = atomics->lanes * (flat ? 8 : 4) / VGT_GRF_BYTES;
	/* Bit 12: of a table's, eight lanes; of 64-bit addresses', 64 bits. */
	bool bit12 = flat ? atomics->bytes == 8 : atomics->lanes == 8;

	return index | atomics->op->code << 8 | (uint32_t)bit12 << 12 |
	       (uint32_t)atomics->answered << 13 | type << 14 |
	       (atomics->answered ? rlen : 0) << 20 | mlen << 25;
}

static bool model_lane(struct rig *rig, const struct atomics *atomics,
		       uint32_t i)
{
	uint64_t old = 0, after, got = 0, want = 0;
	const struct operation *op = atomics->op;
	uint32_t bytes = atomics->bytes;

	if (rig_inside(atomics->target, atomics->offset[i], bytes)) {
		uint8_t *at = rig_model_at(rig, atomics->target,
					   atomics->offset[i]);

		memcpy(&old, at, bytes);
		after = op->is_float ?
			model_float(op->code, old, atomics->a[i],
				    atomics->b[i]) :
			model_int(op->code, old, atomics->a[i], atomics->b[i],
				  bytes);
		memcpy(at, &after, bytes);
		want = op->code == 15 ? after : old;
	}
	memcpy(&got, rig->answer + i * bytes, bytes);
	if (!atomics->answered)
		want = 0xa5a5a5a5a5a5a5a5;
	return !memcmp(&got, &want, bytes);
}

static bool atomics_round(struct rig *rig, struct atomics *atomics)
{
	uint32_t grfs = atomics->lanes * atomics->bytes / VGT_GRF_BYTES;
	bool same = true;

	atomics->mask = rig_below(3) ? 0xffff : rig_random() & 0xffff;
	atomics->answered = rig_below(4);
	atomics_make(rig, atomics);
	if (rig_send(rig, VGT_SFID_DC1,
		     descriptor(atomics, rig_index(rig, atomics->target)),
		     atomics->op->operands * grfs, atomics->mask))
		return false;
	for (uint32_t i = 0; i < atomics->lanes; i++) {
		uint64_t got = 0;

		if (atomics->mask >> i & 1) {
			same &= model_lane(rig, atomics, i);
			continue;
		}
		memcpy(&got, rig->answer + i * atomics->bytes, 4);
		same &= got == 0xa5a5a5a5;
	}
	return same;
}

/* The cells' first values: such as those that the lanes bring. */
static void cells_make(struct rig *rig, const struct atomics *atomics)
{
	rig_fill(rig);
	for (uint32_t i = 0; i <= CELLS; i++) {
		uint32_t at = 0xff8 + 8 * i;
		uint64_t first = value(atomics);

		memcpy(rig->slm + at, &first, atomics->bytes);
		memcpy(rig->slm_model + at, &first, atomics->bytes);
	}
}

static void operation_run(struct rig *rig, const struct operation *op,
			  enum rig_target target, uint32_t lanes,
			  uint32_t bytes)
{
	static const char *const names[] = {
		"a table's buffer", "a bindless buffer", "local memory",
		"stateless", "64-bit addresses",
	};
	struct atomics atomics = {
		.op = op, .target = target, .lanes = lanes, .bytes = bytes,
	};
	char name[100];
	bool ok = true;

	cells_make(rig, &atomics);
	for (int i = 0; i < ROUNDS; i++)
		ok &= atomics_round(rig, &atomics);
	snprintf(name, sizeof(name), "%s of %u bits, SIMD%u, %s", op->name,
		 8 * bytes, lanes, names[target]);
	rig_ok(ok && rig_memory_matches(rig), name);
}

static void test_operations(struct rig *rig)
{
	enum rig_target target;

	for (size_t n = 0; n < sizeof(operations) / sizeof(operations[0]);
	     n++) {
		const struct operation *op = &operations[n];

		for (target = RIG_TABLE; target <= RIG_STATELESS; target++) {
			operation_run(rig, op, target, 8, 4);
			operation_run(rig, op, target, 16, 4);
		}
		operation_run(rig, op, RIG_FLAT, 8, 4);
		if (!op->is_float)
			operation_run(rig, op, RIG_FLAT, 8, 8);
	}
}

#define RACES 100000

static void *race(void *argument)
{
	struct rig *rig = argument;
	static _Thread_local struct vgt_worker worker;
	struct vgt_eu_thread *thread = rig->thread;
	uint64_t address[8];
	struct vgt_message message = {
		.sfid = VGT_SFID_DC1, .desc = 0x040485ff, .lanes = 0xff,
		.exec_size = 8, .mlen = 2, .src0 = (uint8_t *)address,
	};
	static _Thread_local struct vgt_eu_thread mine;

	for (int i = 0; i < 8; i++)
		address[i] = RIG_VA + 0x3000 + 4 * (i % 2);
	memcpy(&mine, thread, sizeof(mine));
	worker.tlb = rig->worker->tlb;
	mine.worker = &worker;
	for (int i = 0; i < RACES; i++)
		vgt_message_execute(&mine, &message);
	return NULL;
}

static void test_atomic_race(struct rig *rig)
{
	uint32_t value[2] = { 0 };
	pthread_t other;

	memcpy(rig_at(rig, RIG_VA + 0x3000), value, 8);
	pthread_create(&other, NULL, race, rig);
	race(rig);
	pthread_join(other, NULL);
	memcpy(value, rig_at(rig, RIG_VA + 0x3000), 8);
	rig_ok(value[0] == 8 * RACES && value[1] == 8 * RACES,
	       "atomics of two workers lose no count");
}

int main(void)
{
	struct rig *rig = rig_create();

	if (!rig)
		return 1;
	test_operations(rig);
	test_atomic_race(rig);
	rig_destroy(rig);
	return tap_finish();
}
