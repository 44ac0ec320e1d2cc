// SPDX-License-Identifier: MIT
/*
 * Programs that the SIP decides by. One thread stands between two instructions
 * that do not jump and send nothing: at a stop before the first one all its
 * registers are made random, and the program is bound to the second one. It
 * stops there, or before the third one. What it should do is computed here, in C, and
 * all registers are compared with those of a run without program.
 */
#include "binding.h"
#include "model.h"
#include "program_make.h"
#include "stage.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/gtdbg_sip.h>

#include "code.h"
#include "eu/eu.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/pool.h"

#define ROUNDS 1500
#define TWICE_ROUNDS 50
#define CONDITION_MAX 150 /* instructions, of one comparison in memory */

/*
 * What programs come to
 */

/* What the thread's group has; NULL: none. */
static uint8_t *local_memory(void)
{
	return vgt_pool_slot(stage.rig.driver.device->pool, stage.stop.slot)->group->slm;
}

static struct model model(void)
{
	return (struct model){
		.registers = stage.seen,
		.memory = stage.scratch,
		.address = stage.rig.driver.area + SCRATCH,
		.len = SCRATCH_BYTES,
		.local = local_memory(),
	};
}

/* The channels for which it stops, or writes records. */
static uint32_t program_lanes(const struct program *program)
{
	uint32_t none[GTDBG_SIP_CAPTURES_MAX], lanes = 0;
	const struct model now = model();

	for (uint32_t lane = 0; lane < 32; lane++)
		if (stage.lanes >> lane & 1 &&
		    model_stops(&now, program->op, lane, none))
			lanes |= 1U << lane;
	return lanes;
}

static bool program_records(const struct program *program)
{
	const struct gtdbg_sip_op *op = program->op;

	while (op->op != GTDBG_SIP_OP_END && op->op != GTDBG_SIP_OP_RECORD)
		op++;
	return op->op == GTDBG_SIP_OP_RECORD;
}

static struct gtdbg_sip_ring ring_read(void)
{
	struct gtdbg_sip_ring ring;

	stage_area_read(GTDBG_SIP_RING_OFFSET, &ring, sizeof(ring));
	return ring;
}

/* All records have been read. */
static void ring_drain(void)
{
	uint32_t read = ring_read().written;

	stage_area_write(GTDBG_SIP_RING_OFFSET + offsetof(struct gtdbg_sip_ring, read),
			 &read, sizeof(read));
}

/* How many times a thread has run on from a program. */
static uint32_t count_read(void)
{
	uint32_t count = 0;

	stage_area_read(GTDBG_SIP_COUNT_OFFSET + NUMBER * sizeof(count), &count,
			sizeof(count));
	return count;
}

/*
 * The record @number, after @turn others, is what @program makes of the eight channels from
 * @first on.
 */
static bool record_is(const struct program *program, uint32_t number,
		      uint32_t turn, uint32_t first, uint32_t lanes)
{
	uint32_t dword[32], sum = 0, want[GTDBG_SIP_CAPTURES_MAX];
	struct gtdbg_sip_record record;
	const struct model now = model();

	stage_area_read(GTDBG_SIP_RECORD_OFFSET + number % GTDBG_SIP_RECORDS_MAX *
			GTDBG_SIP_RECORD_BYTES, &record, sizeof(record));
	memcpy(dword, &record, sizeof(dword));
	for (uint32_t i = 0; i < 32; i++)
		sum ^= dword[i];
	if (sum != GTDBG_SIP_RECORD_MAGIC || record.number != number ||
	    record.lanes != lanes || record.first != first ||
	    record.turn != turn || !record.time ||
	    record.tag != 77 || record.ip != code.ip[stage.first + 1])
		return false;
	for (uint32_t i = 0; i < 8; i++) {
		if (!(lanes >> i & 1))
			continue;
		for (uint32_t k = 0; k < GTDBG_SIP_CAPTURES_MAX; k++)
			want[k] = record.value[k][i];
		model_stops(&now, program->op, first + i, want);
		for (uint32_t k = 0; k < GTDBG_SIP_CAPTURES_MAX; k++)
			if (want[k] != record.value[k][i])
				return false;
	}
	return true;
}

/* One for each eight channels of @lanes follows what there was @before. */
static bool records_are(const struct program *program, uint32_t lanes,
			const struct gtdbg_sip_ring *before)
{
	struct gtdbg_sip_ring after = ring_read();
	uint32_t number = before->written;

	for (uint32_t first = 0; first < 32; first += 8) {
		if (!(lanes >> first & 0xff))
			continue;
		if (!record_is(program, number, number - before->written,
			       first, lanes >> first & 0xff))
			return false;
		number++;
	}
	return after.written == number && after.lost == before->lost;
}

/*
 * Random programs
 */

/* Without a program it stops at both: the registers at each. */
static bool round_plain(uint8_t want[GTDBG_SIP_SLOT_DBG])
{
	uint64_t spent;

	stage_shuffle();
	stage_bind(NULL);
	if (!tap_expect(stage_run(&spent) == code.ip[stage.first + 1],
			"not stopped at the second instruction"))
		return false;
	rig_registers(&stage.rig, &stage.stop, stage.seen);
	if (!tap_expect(stage_go(&spent) == code.ip[stage.first + 2],
			"not stopped at the third instruction"))
		return false;
	rig_registers(&stage.rig, &stage.stop, want);
	return true;
}

/* Before its END, for the count @number; false: it has no room. */
static bool ignore_add(struct program *program, uint32_t number)
{
	struct gtdbg_sip_op *op = program->op;

	while (op->op != GTDBG_SIP_OP_END)
		op++;
	if (op == &program->op[GTDBG_SIP_PROGRAM_OPS_MAX - 1])
		return false;
	op[1] = op[0];
	op[0] = (struct gtdbg_sip_op){
		GTDBG_SIP_OP_IGNORE, number * GTDBG_SIP_IGNORE_BYTES, 0, 0,
	};
	return true;
}

static void ignore_write(uint32_t number, struct gtdbg_sip_ignore ignore)
{
	stage_area_write(GTDBG_SIP_IGNORE_OFFSET + number * GTDBG_SIP_IGNORE_BYTES,
			 &ignore, sizeof(ignore));
}

static struct gtdbg_sip_ignore ignore_read(uint32_t number)
{
	struct gtdbg_sip_ignore ignore;

	stage_area_read(GTDBG_SIP_IGNORE_OFFSET + number * GTDBG_SIP_IGNORE_BYTES,
			&ignore, sizeof(ignore));
	return ignore;
}

/* What would stop runs on if it gets one of a few; returns whether it still stops. */
static bool round_ignore(struct program *program, bool stop,
			 struct gtdbg_sip_ignore *want)
{
	*want = (struct gtdbg_sip_ignore){
		.taken = (uint32_t)rand() % 3, .limit = (uint32_t)rand() % 3,
	};
	ignore_write(NUMBER, *want);
	if (program_records(program) || rand() % 3 ||
	    !ignore_add(program, NUMBER) || !stop || want->taken >= want->limit)
		return stop;
	want->taken++;
	return false;
}

/* If it writes records, as one that does so once it is sure; where there is room. */
static struct program sure_make(const struct program *program)
{
	struct program sure = *program;
	uint32_t count = 1;

	while (program->op[count - 1].op != GTDBG_SIP_OP_END)
		count++;
	if (count == GTDBG_SIP_PROGRAM_OPS_MAX || !program_records(program))
		return sure;
	memcpy(sure.op + 1, program->op, count * sizeof(sure.op[0]));
	sure.op[0] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_SURE, 0, 0, 0 };
	return sure;
}

static bool round_run(uint32_t *stopped)
{
	static uint8_t want[GTDBG_SIP_SLOT_DBG], got[GTDBG_SIP_SLOT_DBG];
	struct program program, bound;
	struct gtdbg_sip_ring ring;
	struct model now;
	struct gtdbg_sip_ignore ignore, ignored;
	uint32_t ip, lanes, count;
	uint64_t spent;
	bool stop, ignores;

	if (!round_plain(want))
		return false;
	now = model();
	program_make(&now, stage.lanes, program.op);
	lanes = program_lanes(&program);
	stop = lanes && !program_records(&program);
	ignores = stop;
	stop = round_ignore(&program, stop, &ignore);
	ignores = ignores && !stop;
	bound = rand() & 1 ? program : sure_make(&program);
	stage_bind(&bound);
	ring = ring_read();
	count = count_read();
	ip = stage_run(&spent);
	if (!tap_expect(count_read() == count + !stop, "%u counted",
			count_read() - count))
		return false;
	ignored = ignore_read(NUMBER);
	if (!tap_expect(ignored.taken == ignore.taken &&
			ignored.limit == ignore.limit, "taken %u, not %u, of %u",
			ignored.taken, ignore.taken, ignore.limit))
		return false;
	if (!stop && !ignores && !tap_expect(records_are(&program, lanes, &ring),
				 "wrong records: op %u 0x%x 0x%x 0x%x, lanes 0x%x",
				 program.op[0].op, program.op[0].a,
				 program.op[0].b, program.op[0].c, lanes))
		return false;
	ring_drain();
	*stopped += stop;
	if (!tap_expect(ip == code.ip[stage.first + (stop ? 1 : 2)],
			"%s, but is at 0x%x: op %u 0x%x 0x%x 0x%x, then %u",
			stop ? "should stop" : "should run on", ip,
			program.op[0].op, program.op[0].a, program.op[0].b,
			program.op[0].c, program.op[1].op))
		return false;
	rig_registers(&stage.rig, &stage.stop, got);
	for (uint32_t i = 0; i < sizeof(got); i++)
		if (!tap_expect(got[i] == (stop ? stage.seen : want)[i],
				"byte 0x%x of the slot", i))
			return false;
	return true;
}

static void random_programs(const struct rig_options *options)
{
	uint32_t stopped = 0, i = 0;

	srand(13);
	stage_fill(stage.scratch, sizeof(stage.scratch));
	if (stage_start(options)) {
		if (local_memory())
			stage_fill(local_memory(), GTDBG_SIP_SLM_END);
		while (i < ROUNDS && round_run(&stopped))
			i++;
	}
	if (i == ROUNDS)
		tap_expect(stopped > ROUNDS / 8 && stopped < ROUNDS * 7 / 8,
			   "%u of %u stopped", stopped, ROUNDS);
	rig_stop(&stage.rig);
}

static void decides_simd8(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 8, .local = 8,
	};

	random_programs(&options);
}

static void decides_simd32(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide32", .items = 32, .local = 32,
	};

	random_programs(&options);
}

static const struct program of_two = {
	.op = {
		{ GTDBG_SIP_OP_FETCH, 4 << 16 | 32 * 34, 0, 0 },
		{ GTDBG_SIP_OP_KEEP, 0, 0, 0 },
		{ GTDBG_SIP_OP_FETCH, 4 << 16 | 32 * 38, 0, 0 },
		{ GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_ADD,
		  GTDBG_SIP_COMPUTE_KEPT },
		{ GTDBG_SIP_OP_EQUAL, 1234567, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	},
};

/* Of a pair programs work with r12 only; r13 has changed since the slot was written. */
static void reads_across(enum sip sip)
{
	/* (W) mov (8|M0) r13.0<1>:ud r14.0<8;8,1>:ud, as iga64 has it */
	const uint32_t mov[4] = { 0x80030061, 0x0d050220, 0x00460e05, 0 };
	const struct gtdbg_sip_op fetch = {
		GTDBG_SIP_OP_FETCH, 4 << 16 | 32 * 12, 0, 0 };
	static uint8_t want[GTDBG_SIP_SLOT_DBG];
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 8, .local = 8,
	};
	struct program program = stage_false;
	uint64_t spent;
	bool ok = stage_start(&options);

	program.op[0].a = 32 * 12;
	ok = ok && tap_expect(code.ip[stage.first + 1] == code.ip[stage.first] +
			      sizeof(mov), "a short instruction");
	if (ok) {
		driver_write(&stage.rig.driver, stage.rig.driver.base +
			     code.ip[stage.first], mov, sizeof(mov));
		driver_invalidate(&stage.rig.driver);
		srand(14);
		stage_fill(stage.scratch, sizeof(stage.scratch));
		ok = round_plain(want);
	}
	for (uint32_t n = 0; ok && n < 16; n++) {
		const uint32_t count = n < 8 ? 2 : 1;
		const struct model now = model();

		if (n == 8) /* both at once */
			memmove(program.op, program.op + 1, 3 * sizeof(*program.op));
		if (n >= 8)
			program.op[0] = fetch;
		program.op[count].a = model_value(&now, program.op, count, n % 8);
		stage_bind(&program);
		ok = tap_expect(stage_run(&spent) == code.ip[stage.first + 1],
				"lane %u was read wrong", n % 8);
	}
	rig_stop(&stage.rig);
}

/* Instructions from entry to exit: what is more than without breakpoint. */
static void cost(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct program program = stage_false, sum = of_two;
	struct program count = { .op = { { GTDBG_SIP_OP_END, 0, 0, 0 } } };
	uint64_t spent = 0, plain = 0, two = 0, ignored = 0, second;

	if (stage_start(&options)) {
		second = stage.rig.driver.base + code.ip[stage.first + 1];
		stage_shuffle();
		stage_bind(&sum);
		tap_expect(stage_run(&two) == code.ip[stage.first + 2],
			   "the sum was equal");
		ignore_add(&count, NUMBER);
		ignore_write(NUMBER, (struct gtdbg_sip_ignore){ .limit = 1 });
		stage_bind(&count);
		tap_expect(stage_run(&ignored) == code.ip[stage.first + 2],
			   "the thread was not ignored");
		stage_bind(&program);
		tap_expect(stage_run(&spent) == code.ip[stage.first + 2],
			   "the condition held");
		driver_breakpoint(&stage.rig.driver, second, false);
		driver_invalidate(&stage.rig.driver);
		stage_run(&plain);
		spent -= plain;
		printf("# %llu instructions, of a sum %llu, of a count alone %llu\n",
		       (unsigned long long)spent,
		       (unsigned long long)(two - plain),
		       (unsigned long long)(ignored - plain));
		tap_expect(spent <= CONDITION_MAX,
			   "%llu instructions",
			   (unsigned long long)spent);
	}
	rig_stop(&stage.rig);
}

/* Without a condition all threads would stop: as many as the limit says do not. */
static void ignores(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide32", .items = 32, .local = 32,
	};
	struct program program = { .op = { { GTDBG_SIP_OP_END, 0, 0, 0 } } };
	const uint32_t last = GTDBG_SIP_IGNORES_MAX - 1;
	const struct gtdbg_sip_program first = { 0 };
	uint64_t spent = 0;
	bool ok = stage_start(&options);

	stage_shuffle();
	ignore_add(&program, last);
	stage_bind(&program);
	/* The place of the first program is the next one. */
	stage_area_write(GTDBG_SIP_PROGRAM_OFFSET, &first, sizeof(first));
	for (uint32_t limit = 3; ok && limit < 8; limit += 2) {
		ignore_write(last, (struct gtdbg_sip_ignore){
			.taken = limit - 2, .limit = limit });
		for (int i = 0; ok && i < 4; i++)
			ok = tap_expect(stage_run(&spent) ==
					code.ip[stage.first + (i < 2 ? 2 : 1)],
					"thread %d of limit %u", i, limit) &&
			     tap_expect(ignore_read(last).taken ==
					limit - (i ? 0 : 1), "%u taken",
					ignore_read(last).taken);
	}
	/* What a thread gives back is its own. */
	ignore_write(last, (struct gtdbg_sip_ignore){
		.taken = UINT32_MAX, .limit = UINT32_MAX });
	tap_expect(!ok || (stage_run(&spent) == code.ip[stage.first + 1] &&
			   ignore_read(last).taken == UINT32_MAX),
		   "the greatest number lets one pass");
	rig_stop(&stage.rig);
}

/* By an index that registers have, which is 31 in all channels. */
static const struct program in_local = {
	.op = {
		{ GTDBG_SIP_OP_REGISTER, 32 * 40, 0, 0 },
		{ GTDBG_SIP_OP_LESS, 0x7fffffff, 0, 0 },
		{ GTDBG_SIP_OP_LOCAL, 8, 8 + 31 * 4,
		  4 << GTDBG_SIP_LOCAL_BYTES_SHIFT | GTDBG_SIP_LOCAL_INDEX | 4 },
		{ GTDBG_SIP_OP_EQUAL, 1234567, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	},
};

static bool index_stops(uint32_t lane, uint32_t index)
{
	uint32_t row[8] = { 31, 31, 31, 31, 31, 31, 31, 31 };
	uint64_t spent;

	row[lane] = index;
	memcpy(stage.saved + 32 * 40, row, sizeof(row));
	return stage_run(&spent) == code.ip[stage.first + 1];
}

/* One channel that leaves the variable is enough, unless another comparison fails there. */
static void leaves(enum sip sip)
{
	static const uint32_t bad[] = { 32, -3U, 0x10001, 0xfffeffff, 1U << 30, 1U << 31 };
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 8, .local = 8,
	};
	struct program program = in_local;
	bool ok = stage_start(&options);

	stage_shuffle();
	stage_bind(&program);
	ok = ok && tap_expect(!index_stops(0, 31) && !index_stops(3, UINT32_MAX),
			      "it stops where there is something");
	for (uint32_t i = 0; ok && i < sizeof(bad) / sizeof(bad[0]); i++)
		ok = tap_expect(index_stops(i % 8, bad[i]),
				"it ran on with the index 0x%x", bad[i]);
	program.op[1].a = 32;
	stage_bind(&program);
	tap_expect(!ok || (!index_stops(5, 32) && index_stops(5, 0xfffeffff)),
		   "a channel that is out looks there");
	rig_stop(&stage.rig);
}

/* Two records in two parts, by indices that registers have. */
static const struct program elements = {
	.op = {
		{ GTDBG_SIP_OP_SURE, 0, 0, 0 },
		{ GTDBG_SIP_OP_REGISTER, 32 * 40, 0, 0 },
		{ GTDBG_SIP_OP_LOCAL, 8, 8 + 31 * 4,
		  4 << GTDBG_SIP_LOCAL_BYTES_SHIFT | GTDBG_SIP_LOCAL_INDEX | 4 },
		{ GTDBG_SIP_OP_CAPTURE_VALUE, 0, 0, 0 },
		{ GTDBG_SIP_OP_RECORD, 77, 0, 0 },
		{ GTDBG_SIP_OP_OR, 0, 0, 0 },
		{ GTDBG_SIP_OP_REGISTER, 32 * 44, 0, 0 },
		{ GTDBG_SIP_OP_LOCAL, 8, 8 + 31 * 4,
		  4 << GTDBG_SIP_LOCAL_BYTES_SHIFT | GTDBG_SIP_LOCAL_INDEX | 4 },
		{ GTDBG_SIP_OP_CAPTURE_VALUE, 0, 0, 0 },
		{ GTDBG_SIP_OP_RECORD, 77, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	},
};

/* Whether it stops, and how many records were written by then. */
static bool elements_stop(uint32_t bad_at, uint32_t *records)
{
	struct gtdbg_sip_ring before = ring_read(), after;
	uint32_t index[64];
	uint64_t spent;
	bool stops;

	for (uint32_t i = 0; i < 64; i++)
		index[i] = i == bad_at ? 32 : i % 32;
	memcpy(stage.saved + 32 * 40, index, sizeof(index));
	stops = stage_run(&spent) == code.ip[stage.first + 1];
	after = ring_read();
	*records = after.written - before.written;
	ring_drain();
	return stops;
}

/* Whichever channel has an index that leads out, in whichever record. */
static void sure(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide32", .items = 32, .local = 32,
	};
	struct program program = elements;
	uint32_t records = 0;
	bool ok = stage_start(&options), stops;

	stage_shuffle();
	stage_bind(&program);
	for (uint32_t at = 0; ok && at < 64; at++) {
		stops = elements_stop(at, &records);
		ok = tap_expect(stops && !records,
				"%u records with a wrong index at %u", records, at);
	}
	for (int i = 0; ok && i < 2; i++) {
		stops = elements_stop(64, &records);
		ok = tap_expect(!stops && records == 8,
				"%u records of right indices", records);
	}
	/* As they are without: each eight has written when the next one stops. */
	memmove(program.op, program.op + 1, sizeof(program.op) - sizeof(program.op[0]));
	stage_bind(&program);
	stops = elements_stop(63, &records);
	tap_expect(!ok || (stops && records == 7),
		   "%u records of one that is not sure", records);
	rig_stop(&stage.rig);
}

/*
 * The index is how many records have been written since: the first time none, and then one
 * more for each eight channels. Who finds out too late runs on, and says that one is lost.
 */
static void late(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide32", .items = 32, .local = 32,
	};
	struct program program = {
		.op = {
			{ GTDBG_SIP_OP_SURE, 0, 0, 0 },
			{ GTDBG_SIP_OP_ADDRESS, 32 * 40, 0, 0 },
			{ GTDBG_SIP_OP_LOAD, 0, 0, 0 },
			{ GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_SUBTRACT, 0 },
			{ GTDBG_SIP_OP_LOCAL, 0, 0, 4 << GTDBG_SIP_LOCAL_BYTES_SHIFT |
			  GTDBG_SIP_LOCAL_INDEX | 4 },
			{ GTDBG_SIP_OP_CAPTURE_VALUE, 0, 0, 0 },
			{ GTDBG_SIP_OP_RECORD, 77, 0, 0 },
			{ GTDBG_SIP_OP_END, 0, 0, 0 },
		},
	};
	struct gtdbg_sip_ring before, after;
	uint64_t spent, ring;
	bool ok = stage_start(&options);

	stage_shuffle();
	ring = stage.rig.driver.area + GTDBG_SIP_RING_OFFSET;
	for (uint32_t lane = 0; lane < 32; lane++)
		memcpy(stage.saved + 32 * 40 + lane * sizeof(ring), &ring, sizeof(ring));
	for (uint32_t last = 0; ok && last < 4; last++) {
		before = ring_read();
		program.op[3].a = before.written;
		program.op[4].b = 4 * last;
		stage_bind(&program);
		ok = tap_expect(stage_run(&spent) == code.ip[stage.first + 2],
				"it stops behind %u records", last + 1);
		after = ring_read();
		ok = ok && tap_expect(after.written - before.written == last + 1 &&
				      after.lost - before.lost == (last < 3),
				      "%u written, %u lost", after.written - before.written,
				      after.lost - before.lost);
		ring_drain();
	}
	/* Else it stops there. */
	before = ring_read();
	program.op[4].b = 4;
	memmove(program.op, program.op + 1, sizeof(program.op) - sizeof(program.op[0]));
	program.op[2].a = before.written;
	stage_bind(&program);
	tap_expect(!ok || stage_run(&spent) == code.ip[stage.first + 1],
		   "one that is not sure runs on");
	rig_stop(&stage.rig);
}

static const struct program recording = {
	.op = {
		{ GTDBG_SIP_OP_ADDRESS, 32 * 34, 0, 0 },
		{ GTDBG_SIP_OP_CAPTURE, 0, 0, 0 },
		{ GTDBG_SIP_OP_RECORD, 77, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	},
};

/* Round the ring until it is full: each one that finds no room is counted, and only it. */
static void overflows(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct gtdbg_sip_ring ring = { .written = UINT32_MAX - 1000,
				       .read = UINT32_MAX - 1000 };
	struct program program = recording;
	uint64_t spent;
	uint32_t i = 0;

	if (stage_start(&options)) {
		stage_shuffle();
		stage_bind(&program);
		stage_area_write(GTDBG_SIP_RING_OFFSET, &ring, sizeof(ring));
		stage_run(&spent);
		memcpy(stage.seen, stage.saved, sizeof(stage.seen));
		printf("# %llu instructions with a record\n",
		       (unsigned long long)spent);
		for (i = 1; i < GTDBG_SIP_RECORDS_LIMIT + 5; i++)
			if (!tap_expect(stage_run(&spent) ==
					code.ip[stage.first + 2], "stopped"))
				break;
		tap_expect(ring_read().lost == 5 && ring_read().written ==
			   ring.written + GTDBG_SIP_RECORDS_LIMIT,
			   "%u written, %u lost",
			   ring_read().written - ring.written,
			   ring_read().lost);
	}
	rig_stop(&stage.rig);
}

/* Two records of those channels that have an odd number there. */
#define CHOOSE \
	{ GTDBG_SIP_OP_FETCH, 4 << 16 | 32 * 42, 0, 0 }, \
	{ GTDBG_SIP_OP_COMPUTE, 1, GTDBG_SIP_COMPUTE_AND, 0 }, \
	{ GTDBG_SIP_OP_EQUAL, 1, 0, 0 }, \
	{ GTDBG_SIP_OP_RECORD, 77, 0, 0 }

static const struct program twice[] = {
	{
		.op = {
			{ GTDBG_SIP_OP_ADDRESS, 32 * 34, 0, 0 },
			{ GTDBG_SIP_OP_CAPTURE, 0, 0, 0 },
			CHOOSE,
			{ GTDBG_SIP_OP_OR, 0, 0, 0 },
			{ GTDBG_SIP_OP_CAPTURE_REGISTER, 32 * 50, 0, 0 },
			{ GTDBG_SIP_OP_ADDRESS, 32 * 38, 0, 0 },
			{ GTDBG_SIP_OP_CAPTURE, 4, 0, 2 },
			CHOOSE,
			{ GTDBG_SIP_OP_END, 0, 0, 0 },
		},
	}, {
		.op = {
			{ GTDBG_SIP_OP_CAPTURE_REGISTER, 32 * 50, 0, 0 },
			{ GTDBG_SIP_OP_ADDRESS, 32 * 38, 0, 0 },
			{ GTDBG_SIP_OP_CAPTURE, 4, 0, 2 },
			CHOOSE,
			{ GTDBG_SIP_OP_END, 0, 0, 0 },
		},
	},
};

/* One after the other for each eight channels; returns whether some were chosen. */
static bool twice_run(bool *is_some)
{
	static uint8_t want[GTDBG_SIP_SLOT_DBG], got[GTDBG_SIP_SLOT_DBG];
	struct gtdbg_sip_ring ring;
	uint32_t lanes, turn = 0;
	uint64_t spent;

	if (!round_plain(want))
		return false;
	lanes = program_lanes(&twice[0]);
	*is_some |= lanes;
	stage_bind(&twice[0]);
	ring = ring_read();
	if (!tap_expect(stage_run(&spent) == code.ip[stage.first + 2],
			"it stops"))
		return false;
	for (uint32_t first = 0; first < 32; first += 8) {
		for (int i = 0; i < 2 && lanes >> first & 0xff; i++, turn++)
			if (!tap_expect(record_is(&twice[i],
						  ring.written + turn, turn,
						  first, lanes >> first & 0xff),
					"record %u of lanes 0x%x", turn, lanes))
				return false;
	}
	rig_registers(&stage.rig, &stage.stop, got);
	return tap_expect(ring_read().written == ring.written + turn,
			  "%u records", ring_read().written - ring.written) &&
	       tap_expect(!memcmp(got, want, sizeof(got)), "other registers");
}

static void records_twice(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide32", .items = 32, .local = 32,
	};
	bool is_some = false;

	stage_fill(stage.scratch, sizeof(stage.scratch));
	if (stage_start(&options)) {
		for (uint32_t i = 0; i < TWICE_ROUNDS && twice_run(&is_some); i++)
			;
		tap_expect(is_some, "none was chosen");
	}
	rig_stop(&stage.rig);
}

/* In a bucket that is not its home, behind others and behind one that went. */
static void displaced(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct program program = stage_false;
	struct gtdbg_sip_bucket bucket[9] = { { 0 } };
	uint64_t spent;
	uint32_t home;

	if (stage_start(&options)) {
		stage_shuffle();
		stage_bind(&program);
		home = code.ip[stage.first + 1] & GTDBG_SIP_TABLE_MASK;
		for (uint32_t i = 0; i < 8; i++)
			bucket[i].tag = i == 3 ? GTDBG_SIP_TABLE_GONE :
					0x777000 + 8 * i;
		bucket[8].tag = code.ip[stage.first + 1];
		bucket[8].value = NUMBER;
		stage_area_write(GTDBG_SIP_TABLE_OFFSET + home, bucket,
			   sizeof(bucket));
		tap_expect(stage_run(&spent) == code.ip[stage.first + 2],
			   "the program was not found");
		bucket[5].tag = 0;
		stage_area_write(GTDBG_SIP_TABLE_OFFSET + home, bucket,
			   sizeof(bucket));
		tap_expect(stage_run(&spent) == code.ip[stage.first + 1],
			   "it was found behind an empty bucket");
	}
	rig_stop(&stage.rig);
}

const struct test program_tests[] = {
	{ "programs decide as their evaluator in C does", decides_simd8,
	  TEST_OURS },
	{ "programs decide for 32 channels, too", decides_simd32, TEST_OURS },
	{ "addresses in registers of both kinds are read", reads_across,
	  TEST_OURS },
	{ "a false condition in memory costs 150 instructions at most", cost,
	  TEST_OURS },
	{ "as many run on as its count says", ignores, TEST_OURS },
	{ "who leaves its variable in local memory stops", leaves, TEST_OURS },
	{ "a full ring loses records and counts them", overflows, TEST_OURS },
	{ "a program writes two records, each with values of its own",
	  records_twice, TEST_OURS },
	{ "one that is sure writes all records, or none and stops", sure, TEST_OURS },
	{ "a sure one that finds out too late counts a lost record", late, TEST_OURS },
	{ "a program is found behind others", displaced, TEST_OURS },
	{ 0 },
};
