// SPDX-License-Identifier: MIT
/*
 * Programs that are replaced while threads run. The host side is what the module does: a
 * program goes to a place of its own, and then one dword says where it is. As long as no
 * program lets a thread stop none does; and whatever is bound, and whoever is halted,
 * stepped or killed meanwhile, the debuggee's results are right.
 */
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/gtdbg_sip.h>

#include "code.h"

#define LAUNCHES 150
#define ITEMS 512
#define COMPILER_MS 300000
/* An instruction behind those that set the modes. */
#define BOUND 12
#define KILLS 4
#define PLACES_MAX (GTDBG_SIP_PROGRAMS_MAX - 2) /* two for a long program */

enum kind {
	KIND_FALSE, /* for any value */
	KIND_LONG, /* in two places */
	KIND_TRUE,
	KIND_DAMAGED,
	KIND_UNKNOWN, /* operation */
	KIND_COUNT,
};

struct load {
	struct rig rig;
	uint32_t ip; /* that programs are bound to */
	uint32_t turn; /* the next place */
	uint64_t replaced, stopped, halted, stepped;
};

static struct stop stops[DRIVER_THREADS];
static struct code code;
static struct load load;

static void area_write(uint32_t offset, const void *data, size_t len)
{
	driver_write(&load.rig.driver, load.rig.driver.area + offset, data,
		     len);
}

static void check_make(struct gtdbg_sip_program *program)
{
	uint32_t dword[sizeof(*program) / 4];

	program->check = 0;
	memcpy(dword, program, sizeof(dword));
	program->check = GTDBG_SIP_PROGRAM_MAGIC ^ load.ip;
	for (size_t i = 0; i < sizeof(dword) / sizeof(dword[0]); i++)
		program->check ^= dword[i];
}

/* Returns its number. */
static uint32_t place_write(struct gtdbg_sip_program *program)
{
	uint32_t number = load.turn++ % GTDBG_SIP_PROGRAMS_MAX;

	check_make(program);
	area_write(GTDBG_SIP_PROGRAM_OFFSET + number * GTDBG_SIP_PROGRAM_BYTES,
		   program, sizeof(*program));
	return number;
}

static void ops_make(struct gtdbg_sip_program *program, enum kind kind)
{
	uint32_t n = (uint32_t)rand(), i = 0;

	memset(program, 0, sizeof(*program));
	if (kind != KIND_TRUE) {
		program->op[i++] = (struct gtdbg_sip_op){
			GTDBG_SIP_OP_REGISTER, 32 * (20 + n % 64), 0, 0 };
		program->op[i++] = (struct gtdbg_sip_op){
			GTDBG_SIP_OP_EQUAL, n, 0, 0 };
		program->op[i++] = (struct gtdbg_sip_op){
			GTDBG_SIP_OP_EQUAL, n + 1, 0, 0 };
	}
	if (kind == KIND_UNKNOWN)
		program->op[i++].op = 77 + n % 1000;
	program->op[i].op = GTDBG_SIP_OP_END;
}

/* As the module does it: the bucket's dword comes last. */
static void replace(enum kind kind)
{
	struct gtdbg_sip_bucket bucket = { .tag = load.ip };
	struct gtdbg_sip_program program, rest;
	uint32_t number = load.turn % GTDBG_SIP_PROGRAMS_MAX;

	ops_make(&program, kind);
	if (kind == KIND_LONG) {
		ops_make(&rest, KIND_FALSE);
		program.part = number << 2;
		rest.part = program.part | 1;
		rest.first = number;
		program.op[GTDBG_SIP_OPS_MAX - 1] = (struct gtdbg_sip_op){
			GTDBG_SIP_OP_MORE, (number + 1) %
			GTDBG_SIP_PROGRAMS_MAX, 0, 0 };
		for (int i = 3; i < GTDBG_SIP_OPS_MAX - 1; i++)
			program.op[i] = program.op[2];
	}
	bucket.value = place_write(&program);
	if (kind == KIND_LONG)
		place_write(&rest);
	if (kind == KIND_DAMAGED) {
		program.op[1].a ^= 1U << rand() % 32;
		area_write(GTDBG_SIP_PROGRAM_OFFSET +
			   bucket.value * GTDBG_SIP_PROGRAM_BYTES, &program,
			   sizeof(program));
	}
	area_write(GTDBG_SIP_TABLE_OFFSET + (load.ip & GTDBG_SIP_TABLE_MASK),
		   &bucket, sizeof(bucket));
	load.replaced++;
}

static bool start(const struct rig_options *options)
{
	uint32_t n;

	memset(&load, 0, sizeof(load));
	if (!rig_start(&load.rig, options) ||
	    (options->gated &&
	     !tap_expect(gate_reached(&load.rig.gate, COMPILER_MS) &&
			 gate_open(&load.rig.gate), "no launch")) ||
	    !rig_stops(&load.rig, -1, stops, &n) ||
	    !rig_lift(&load.rig, &stops[0]) ||
	    !tap_expect(code_read(&load.rig.driver, stops[0].ip, &code),
			"the code has no end"))
		return false;
	load.ip = code.ip[BOUND];
	replace(KIND_FALSE);
	driver_breakpoint(&load.rig.driver, load.rig.driver.base + load.ip,
			  true);
	driver_invalidate(&load.rig.driver);
	return rig_go(&load.rig, stops, n, false);
}

/* Lets go what has stopped, some of it by steps. */
static bool go(bool may_step)
{
	uint32_t n = rig_look(&load.rig, stops), count = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!may_step || rand() % 4) {
			stops[count++] = stops[i];
			continue;
		}
		load.stepped++;
		if (rand() & 1 ? !rig_go(&load.rig, &stops[i], 1, true) :
		    !driver_range(&load.rig.driver, stops[i].slot, code.ip[0],
				  code.ip[code.end - 1],
				  (uint32_t)rand() % 20))
			return false;
		driver_release(&load.rig.driver, &stops[i], 1);
	}
	load.stopped += n;
	return !count || rig_go(&load.rig, stops, count, false);
}

static void halt(void)
{
	load.halted++;
	driver_control(&load.rig.driver, 0x90 | 0x40);
	driver_control(&load.rig.driver, 0x90);
}

/* Threads of the first launch may still come to their entry, which is lifted. */
static bool entries_over(void)
{
	uint32_t n;

	n = rig_look(&load.rig, stops);
	for (uint32_t i = 0; i < n; i++)
		if (!tap_expect(stops[i].ip != load.ip,
				"a thread stopped for a program that is false"))
			return false;
	return !n || rig_go(&load.rig, stops, n, false);
}

static struct rig_options options_of(enum sip sip)
{
	return (struct rig_options){
		.sip = sip, .kernel = "sample", .items = ITEMS, .local = 8,
		.times = LAUNCHES,
	};
}

/* How many threads programs have let run on; all count at one place. */
static uint32_t decided(void)
{
	uint32_t count = 0;

	driver_read(&load.rig.driver,
		    load.rig.driver.area + GTDBG_SIP_COUNT_OFFSET, &count,
		    sizeof(count));
	return count;
}

static void none_stops(enum sip sip)
{
	struct rig_options options = options_of(sip);
	bool ok, waits = false;
	uint32_t last = 0;

	/* However seldom this process runs: each launch has a program of its own. */
	options.gated = true;
	ok = start(&options);
	srand(15);
	/*
	 * Each place is used once: who has read the number of one that is written again may
	 * stop. The last program has decided for someone before the next one comes.
	 */
	while (ok && !rig_ended_now(&load.rig)) {
		waits = waits || gate_reached(&load.rig.gate, 0);
		if (decided() != last && load.turn < PLACES_MAX) {
			last = decided();
			replace(rand() & 1 ? KIND_FALSE : KIND_LONG);
		}
		ok = entries_over();
		if (!ok || !waits)
			continue;
		ok = tap_expect(gate_open(&load.rig.gate), "no launch");
		waits = false;
	}
	if (ok && tap_expect(!load.rig.status, "status 0x%x", load.rig.status) &&
	    tap_expect(load.replaced > 20, "%llu programs",
		       (unsigned long long)load.replaced))
		printf("# %llu programs\n", (unsigned long long)load.replaced);
	rig_stop(&load.rig);
}

/* Until the program ends, or @turns; false: something went wrong. */
static bool anything(uint64_t turns)
{
	bool ok = true;

	while (ok && turns-- && !rig_ended_now(&load.rig)) {
		replace((enum kind)(rand() % KIND_COUNT));
		if (!(rand() % 50))
			halt();
		ok = go(true);
	}
	return ok;
}

static void results_are_right(enum sip sip)
{
	struct rig_options options = options_of(sip);
	bool ok = start(&options);

	srand(16);
	if (ok && anything(UINT64_MAX) &&
	    tap_expect(!load.rig.status, "status 0x%x", load.rig.status) &&
	    tap_expect(load.stopped && load.stepped, "nothing stopped"))
		printf("# %llu programs, %llu stops, %llu of them stepped, %llu halts\n",
		       (unsigned long long)load.replaced,
		       (unsigned long long)load.stopped,
		       (unsigned long long)load.stepped,
		       (unsigned long long)load.halted);
	rig_stop(&load.rig);
}

/* The server ends what it ran, and another program is served. */
static void kills(enum sip sip)
{
	struct rig_options options = options_of(sip);

	srand(17);
	for (int i = 0; i < KILLS; i++) {
		bool ok = start(&options) && anything((uint64_t)rand() % 3000);

		if (load.rig.pid)
			kill(load.rig.pid, SIGKILL);
		for (int turns = 0; ok && turns < 200; turns++) {
			replace((enum kind)(rand() % KIND_COUNT));
			ok = go(true);
		}
		rig_stop(&load.rig);
		if (!ok)
			return;
	}
}

const struct test load_tests[] = {
	{ "programs that are replaced under load stop no one", none_stops,
	  TEST_OURS },
	{ "results are right whatever is replaced, halted and stepped",
	  results_are_right, TEST_OURS },
	{ "a program is killed while all of that happens", kills, TEST_OURS },
	{ 0 },
};
