// SPDX-License-Identifier: MIT
/*
 * Programs that follow pointers: where a window is, and where it is none. What lies in it
 * is compared with a number that is nowhere, so a thread runs on if it has loaded it.
 */
#include "stage.h"
#include "tap.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define LANES 8
#define NOWHERE 0x13572468
#define WINDOW 3
#define POINTER_MAX 320 /* instructions; Documentation/sip.rst has how many there are */
#define FIRST 1024 /* of the window, in the scratch */
#define BYTES 1024
#define POINTERS (32 * 34) /* registers with the places of pointers */
#define INDICES (32 * 40)

enum {
	STEP_INDEX,
	STEP_KEEP,
	STEP_LESS,
	STEP_PLACE,
	STEP_FOLLOW,
	STEP_GLOBAL,
	STEP_EQUAL,
};

static struct program by_index(uint32_t bytes, uint32_t how, uint32_t limit)
{
	return (struct program){ .op = {
		[STEP_INDEX] = { GTDBG_SIP_OP_REGISTER, INDICES, 0, 0 },
		[STEP_KEEP] = { GTDBG_SIP_OP_KEEP, 0, 0, 0 },
		[STEP_LESS] = { GTDBG_SIP_OP_EQUAL, 77, 0, 0xff },
		[STEP_PLACE] = { GTDBG_SIP_OP_ADDRESS, POINTERS, 0, 0 },
		[STEP_FOLLOW] = { GTDBG_SIP_OP_FOLLOW, 0, 0, 0 },
		[STEP_GLOBAL] = { GTDBG_SIP_OP_GLOBAL, WINDOW, limit,
				  bytes << GTDBG_SIP_GLOBAL_BYTES_SHIFT |
				  GTDBG_SIP_GLOBAL_INDEX | how },
		[STEP_EQUAL] = { GTDBG_SIP_OP_EQUAL, NOWHERE, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	} };
}

static uint64_t scratch(uint64_t offset)
{
	return stage.rig.driver.area + SCRATCH + offset;
}

static struct gtdbg_sip_window window_of(uint64_t first, uint32_t bytes)
{
	return (struct gtdbg_sip_window){
		.first = first, .bytes = bytes,
		.check = GTDBG_SIP_WINDOW_MAGIC ^ (uint32_t)first ^
			 (uint32_t)(first >> 32) ^ bytes,
	};
}

static void window_put(const struct gtdbg_sip_window *window)
{
	stage_area_write(GTDBG_SIP_WINDOW_OFFSET + WINDOW *
			 GTDBG_SIP_WINDOW_BYTES, window, sizeof(*window));
}

/* Each lane has a pointer in the scratch, which leads to @to. */
static void pointers_put(uint64_t to)
{
	uint64_t place[LANES], pointer[LANES];

	for (uint32_t i = 0; i < LANES; i++) {
		place[i] = scratch(8 * i);
		pointer[i] = to;
	}
	memcpy(stage.saved + POINTERS, place, sizeof(place));
	stage_area_write(SCRATCH, pointer, sizeof(pointer));
}

/* With the index @index in @lane, and 0 in others. */
static bool stops(uint32_t lane, uint32_t index)
{
	uint32_t row[LANES] = { 0 };
	uint64_t spent;

	row[lane] = index;
	memcpy(stage.saved + INDICES, row, sizeof(row));
	return stage_run(&spent) == code.ip[stage.first + 1];
}

static bool begin(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = LANES, .local = LANES,
	};
	struct gtdbg_sip_window window;

	stage_fill(stage.scratch, sizeof(stage.scratch));
	if (!stage_start(&options))
		return false;
	stage_shuffle();
	window = window_of(scratch(FIRST), BYTES);
	window_put(&window);
	pointers_put(scratch(FIRST));
	return true;
}

/* All bytes have to lie in it, whatever their number, and from wherever one looks. */
static void edges(enum sip sip)
{
	static const uint32_t bytes[] = { 1, 2, 4 };
	struct program program;
	bool ok = begin(sip);

	for (uint32_t i = 0; ok && i < 3; i++) {
		uint32_t last = BYTES - bytes[i];

		program = by_index(bytes[i], 1, INT32_MAX);
		stage_bind(&program);
		ok = tap_expect(!stops(i, last), "%u bytes at the end",
				bytes[i]) &&
		     tap_expect(stops(i + 1, last + 1), "%u bytes, one behind it",
				bytes[i]) &&
		     tap_expect(stops(i + 2, (uint32_t)-1),
				"%u bytes, one before it", bytes[i]) &&
		     tap_expect(stops(i + 3, 0x80000000), "the least index");
	}
	/* Eight, which another operation compares, and no kernel has such a number. */
	program = by_index(8, 1, INT32_MAX);
	program.op[STEP_EQUAL] = (struct gtdbg_sip_op){
		GTDBG_SIP_OP_WIDE, NOWHERE, NOWHERE, 0,
	};
	stage_bind(&program);
	ok = ok && tap_expect(!stops(3, BYTES - 8), "eight bytes at the end") &&
	     tap_expect(stops(4, BYTES - 7), "eight bytes, one behind it");
	/* Behind the pointer, and before one that leads to the end. */
	program = by_index(4, 24, INT32_MAX / 24);
	stage_bind(&program);
	ok = ok && tap_expect(!stops(7, 42), "the last struct") &&
	     tap_expect(stops(7, 43), "the one behind it");
	pointers_put(scratch(FIRST + BYTES - 4));
	ok = ok && tap_expect(!stops(0, (uint32_t)-42), "the first struct") &&
	     tap_expect(stops(0, (uint32_t)-43), "the one before it");
	/* Where 32 bits end. */
	pointers_put(scratch(FIRST) - (1ULL << 32));
	tap_expect(!ok || stops(0, 0), "4 GiB before it");
	rig_stop(&stage.rig);
}

/* An index whose product does not fit stops; what is out of it does not matter. */
static void limits(enum sip sip)
{
	struct program program = by_index(4, 4, 200);
	bool ok = begin(sip);

	stage_bind(&program);
	ok = ok && tap_expect(!stops(2, 200) && stops(2, 201) &&
			      stops(2, (uint32_t)-201),
			      "the limit of an index");
	ok = ok && tap_expect(!stops(3, 77), "the value of 77");
	program.op[STEP_GLOBAL].b = 76;
	stage_bind(&program);
	ok = ok && tap_expect(!stops(3, 77), "a channel that is out has an index");
	program = by_index(4, 0x4000, 100);
	stage_bind(&program);
	ok = ok && tap_expect(stops(3, 1) && !stops(3, 77),
			      "a channel that is out looks there");
	program = by_index(1, 1 | GTDBG_SIP_GLOBAL_UNSIGNED, INT32_MAX);
	stage_bind(&program);
	pointers_put(scratch(FIRST + 16));
	tap_expect(!ok || (!stops(1, 100) && stops(1, (uint32_t)-1)),
		   "an index without a sign");
	rig_stop(&stage.rig);
}

/* Of in[i] == N, with the index in registers. */
static void cost(enum sip sip)
{
	struct program program = by_index(4, 4, 200);
	bool ok = begin(sip);
	uint64_t spent = 0, plain = 0;

	memmove(program.op + STEP_LESS, program.op + STEP_PLACE,
		sizeof(program.op[0]) * (STEP_EQUAL - STEP_LESS + 2));
	stage_bind(&program);
	if (ok && tap_expect(!stops(2, 1), "it stopped") &&
	    tap_expect(stage_run(&spent), "it does not run")) {
		driver_breakpoint(&stage.rig.driver, stage.rig.driver.base +
				  code.ip[stage.first + 1], false);
		driver_invalidate(&stage.rig.driver);
		tap_expect(stage_run(&plain), "it does not run without it");
		printf("# %llu instructions behind a pointer, by an index\n",
		       (unsigned long long)(spent - plain));
		tap_expect(spent - plain <= POINTER_MAX, "%llu instructions",
			   (unsigned long long)(spent - plain));
	}
	rig_stop(&stage.rig);
}

/* Each bit of it counts; what it was before, or is after a launch, is none. */
static void damaged(enum sip sip)
{
	struct program program = by_index(4, 4, 1000);
	struct gtdbg_sip_window window, bad;
	bool ok = begin(sip);

	stage_bind(&program);
	window = window_of(scratch(FIRST), BYTES);
	for (uint32_t bit = 0; ok && bit < 8 * sizeof(bad); bit += 3) {
		bad = window;
		((uint8_t *)&bad)[bit / 8] ^= (uint8_t)(1U << bit % 8);
		window_put(&bad);
		ok = tap_expect(stops(0, 0), "bit %u changed", bit);
	}
	window_put(&window);
	ok = ok && tap_expect(!stops(0, 0), "as it was");
	memset(&window, 0, sizeof(window));
	window_put(&window);
	ok = ok && tap_expect(stops(0, 0), "a closed one");
	/* All are out before it. */
	program.op[STEP_LESS] = (struct gtdbg_sip_op){
		GTDBG_SIP_OP_EQUAL, 1000, 0, 0,
	};
	stage_bind(&program);
	tap_expect(!ok || !stops(0, 0), "nobody looks into a closed one");
	rig_stop(&stage.rig);
}

/* The value is there, with zeros above it, and what is not loaded is said. */
static void loads(enum sip sip)
{
	const uint32_t value = 0x89abcdef;
	struct program program = by_index(2, 4, 1000);
	struct gtdbg_sip_outside outside;
	bool ok = begin(sip);

	stage_area_write(SCRATCH + FIRST + 40, &value, sizeof(value));
	program.op[STEP_EQUAL].a = 0xcdef;
	stage_bind(&program);
	ok = ok && tap_expect(stops(6, 10) && !stops(6, 11), "the value");
	ok = ok && tap_expect(stops(6, 400), "what lies behind");
	driver_slot_read(&stage.rig.driver, stage.stop.slot,
			 GTDBG_SIP_SLOT_OUTSIDE, &outside, sizeof(outside));
	tap_expect(!ok || (outside.op.op == GTDBG_SIP_OP_GLOBAL &&
			   outside.op.a == WINDOW &&
			   outside.place[6] == scratch(FIRST + 1600) &&
			   outside.place[5] == scratch(FIRST)),
		   "op %u %u, place 0x%llx", outside.op.op, outside.op.a,
		   (unsigned long long)outside.place[6]);
	rig_stop(&stage.rig);
}

/* An array of the lane's own lies wherever its register says, and has no window. */
static void own(enum sip sip)
{
	const uint32_t value = 0x89abcdef;
	struct program program = by_index(4, 12 | GTDBG_SIP_GLOBAL_OWN |
					  GTDBG_SIP_GLOBAL_UNSIGNED, 5);
	uint64_t place[LANES];
	bool ok = begin(sip);

	for (uint32_t i = 0; i < LANES; i++)
		place[i] = scratch(FIRST + BYTES + 64 * i);
	memcpy(stage.saved + POINTERS, place, sizeof(place));
	stage_area_write(SCRATCH + FIRST + BYTES + 64 * 6 + 12 * 5, &value,
			 sizeof(value));
	program.op[STEP_FOLLOW] = (struct gtdbg_sip_op){
		GTDBG_SIP_OP_ADD, 0, 0, 0,
	};
	program.op[STEP_GLOBAL].a = 0;
	program.op[STEP_EQUAL].a = value;
	stage_bind(&program);
	ok = ok && tap_expect(stops(6, 5) && !stops(6, 4) && !stops(5, 5),
			      "the last element");
	program.op[STEP_EQUAL].a = NOWHERE;
	stage_bind(&program);
	tap_expect(!ok || (!stops(6, 5) && stops(6, 6) &&
			   stops(6, (uint32_t)-1)), "what lies beside it");
	rig_stop(&stage.rig);
}

const struct test global_tests[] = {
	{ "who looks beyond the edge of a window stops", edges, TEST_OURS },
	{ "so does who has too large an index", limits, TEST_OURS },
	{ "and who finds a damaged window, or a closed one", damaged,
	  TEST_OURS },
	{ "what a pointer leads to is loaded, or where it leads is said", loads,
	  TEST_OURS },
	{ "an element of an array of the lane's own is loaded", own, TEST_OURS },
	{ "what a pointer leads to costs 320 instructions at most", cost,
	  TEST_OURS },
	{ 0 },
};
