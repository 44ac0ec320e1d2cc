// SPDX-License-Identifier: MIT
/* Numbers of 64 bits, of which programs take 31: each one more makes the thread stop. */
#include "stage.h"
#include "tap.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define LANES 8
#define NOWHERE 0x13572468
#define PLACES (32 * 34) /* registers with addresses of numbers */
#define FIRST (32 * 40) /* with numbers */
#define SECOND (32 * 42)
#define RESULT (32 * 44)
#define ROUNDS 4000

/* Both of them stop no thread by their comparison. */
static const struct program nothing = { .op = {
	{ GTDBG_SIP_OP_REGISTER, FIRST, 0, 0 },
	{ GTDBG_SIP_OP_KEEP, 0, 0, 0 },
	{ GTDBG_SIP_OP_REGISTER, SECOND, 0, 0 },
	{ GTDBG_SIP_OP_COMPUTE, 0, 0,
	  GTDBG_SIP_COMPUTE_KEPT | GTDBG_SIP_COMPUTE_TURNED },
	{ GTDBG_SIP_OP_EQUAL, NOWHERE, 0, 0 },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
} }, equals = { .op = {
	{ GTDBG_SIP_OP_KEEP, 0, 0, 0 },
	{ GTDBG_SIP_OP_REGISTER, RESULT, 0, 0 },
	{ GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_XOR,
	  GTDBG_SIP_COMPUTE_KEPT },
	{ GTDBG_SIP_OP_EQUAL, 0, 0, 0xff },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
} };

/* Of all sizes, and often next to where a bit more begins. */
static uint64_t number(uint32_t bits)
{
	uint64_t bit = 1ULL << (uint32_t)rand() % bits;

	return rand() & 1 ? bit + (uint64_t)(rand() % 3) - 1 :
	       (uint64_t)rand() % bit;
}

static bool fits(uint64_t value)
{
	return value < 1ULL << 31;
}

/* Of numbers without a sign; what is less than none does not fit. */
static uint64_t computed(uint32_t kind, uint64_t left, uint64_t right)
{
	if (kind == GTDBG_SIP_COMPUTE_MULTIPLY_LONG)
		return left * right;
	if (!fits(left) || !fits(right))
		return UINT64_MAX;
	return kind == GTDBG_SIP_COMPUTE_ADD_LONG ? left + right : left - right;
}

static bool stops(void)
{
	uint64_t spent;

	return stage_run(&spent) == code.ip[stage.first + 1];
}

/* One lane's numbers may be anything, and those of the others are small. */
static bool round_run(uint32_t kind)
{
	uint32_t row[3][LANES], lane = (uint32_t)rand() % LANES;
	struct program program = equals;
	bool ok = true;

	for (uint32_t i = 0; i < LANES; i++) {
		uint64_t left = number(i == lane ? 32 : 15);
		uint64_t right = number(i == lane ? 32 : 14), result;

		if (i != lane)
			left += 1 << 15;
		result = computed(kind, left, right);
		ok = ok && fits(result);
		row[0][i] = (uint32_t)left;
		row[1][i] = (uint32_t)right;
		row[2][i] = (uint32_t)result;
	}
	memcpy(stage.saved + FIRST, row[0], sizeof(row[0]));
	memcpy(stage.saved + SECOND, row[1], sizeof(row[1]));
	memcpy(stage.saved + RESULT, row[2], sizeof(row[2]));
	memmove(program.op + 4, program.op, 5 * sizeof(program.op[0]));
	memcpy(program.op, nothing.op, 4 * sizeof(program.op[0]));
	program.op[3].b = kind;
	stage_bind(&program);
	if (!tap_expect(stops() == !ok, "computation %u of 0x%x and 0x%x", kind,
			row[0][lane], row[1][lane]))
		return false;
	if (ok)
		return true;
	/* That it stops was no comparison's fault. */
	program = nothing;
	program.op[3].b = kind;
	stage_bind(&program);
	return tap_expect(stops(), "computation %u of 0x%x and 0x%x runs on",
			  kind, row[0][lane], row[1][lane]);
}

static void computes(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = LANES, .local = LANES,
	};
	bool ok = stage_start(&options);

	stage_shuffle();
	srand(13);
	for (uint32_t i = 0; ok && i < ROUNDS; i++)
		ok = round_run(GTDBG_SIP_COMPUTE_ADD_LONG + i % 3);
	rig_stop(&stage.rig);
}

/* By either operation, and in lanes that are left alone. */
static void loads(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = LANES, .local = LANES,
	};
	struct program program = equals;
	uint64_t place[LANES], value[LANES];
	uint32_t low[LANES];
	bool ok = stage_start(&options);

	stage_shuffle();
	memmove(program.op + 2, program.op, 5 * sizeof(program.op[0]));
	program.op[0] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_ADDRESS, PLACES, 0,
					       0 };
	program.op[1] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0 };
	for (uint32_t i = 0; i < LANES; i++)
		place[i] = stage.rig.driver.area + SCRATCH + 8 * i;
	memcpy(stage.saved + PLACES, place, sizeof(place));
	for (uint32_t i = 0; ok && i < ROUNDS / 4; i++) {
		uint32_t lane = (uint32_t)rand() % LANES;

		for (uint32_t k = 0; k < LANES; k++) {
			value[k] = number(k == lane ? 64 : 31);
			low[k] = (uint32_t)value[k];
		}
		memcpy(stage.saved + RESULT, low, sizeof(low));
		stage_area_write(SCRATCH, value, sizeof(value));
		if (i == ROUNDS / 8) {
			program.op[0] = (struct gtdbg_sip_op){
				GTDBG_SIP_OP_FETCH, 8 << 16 | PLACES, 0, 0,
			};
			memmove(program.op + 1, program.op + 2,
				5 * sizeof(program.op[0]));
		}
		stage_bind(&program);
		ok = tap_expect(stops() == !fits(value[lane]), "0x%llx",
				(unsigned long long)value[lane]);
	}
	rig_stop(&stage.rig);
}

/* Who is out by a comparison may have any number. */
static void others(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = LANES, .local = LANES,
	};
	struct program program = nothing;
	uint32_t row[LANES] = { [3] = 0x80000000 };
	bool ok = stage_start(&options);

	stage_shuffle();
	memcpy(stage.saved + FIRST, row, sizeof(row));
	memset(row, 0, sizeof(row));
	memcpy(stage.saved + SECOND, row, sizeof(row));
	program.op[3].b = GTDBG_SIP_COMPUTE_ADD_LONG;
	stage_bind(&program);
	ok = ok && tap_expect(stops(), "it is not out");
	memmove(program.op + 1, program.op, 6 * sizeof(program.op[0]));
	program.op[1] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_EQUAL, 0, 0, 0 };
	program.op[0] = nothing.op[0];
	memmove(program.op + 3, program.op + 2, 5 * sizeof(program.op[0]));
	program.op[2] = nothing.op[0];
	stage_bind(&program);
	tap_expect(!ok || !stops(), "it is out");
	rig_stop(&stage.rig);
}

const struct test long_tests[] = {
	{ "numbers of 31 bits are computed, and others stop", computes,
	  TEST_OURS },
	{ "so are they loaded, and others stop", loads, TEST_OURS },
	{ "what is out may be larger", others, TEST_OURS },
	{ 0 },
};
