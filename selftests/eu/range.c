// SPDX-License-Identifier: MIT
/*
 * Steps over ranges, which the SIP makes. One thread is stepped through its kernel by
 * single steps, and all its registers are kept for each instruction that it comes
 * to. Then it is put back to the beginning, again and again, and goes the same way in
 * ranges: where each one ends follows from the way, and what the registers are there.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/gtdbg_sip.h>

#include "code.h"
#include "gt/device.h"

#define ROUNDS 40
#define WAY_MAX 1000
#define STEP_MAX 90 /* instructions of the SIP for each one that is stepped */
#define TURNS 20000 /* instructions, long enough to be in a loop for good */
#define HALTS 60
#define WATCH_STEP_MAX 105 /* with addresses that are watched, and no message */
#define WATCH_MESSAGE_MAX 185 /* for 16 channels */
#define MESSAGES_64_BIT 0xffff0000 /* types of data cache 1: all such messages are among them */
#define MESSAGES_WRITING (1U << 0x12 | 1U << 0x19 | 1U << 0x1a)
#define ADDRESS_BITS 48

struct way {
	struct rig rig;
	struct stop stop;
	uint32_t length; /* to the last stop */
	uint32_t last; /* index in code of the last stop: before the end */
	uint32_t index[WAY_MAX]; /* in code */
	uint8_t state[WAY_MAX][GTDBG_SIP_SLOT_DBG];
};

/* What of the way a range watches. */
struct watch {
	uint32_t messages; /* 0: nothing */
	uint32_t bytes;
	uint64_t first;
};

/* How often ranges did what they are tested for. */
struct counts {
	uint32_t ranges;
	uint32_t waits; /* instructions behind the range, without a lane that steps */
	uint32_t watched; /* messages that ended one */
	uint32_t passed; /* and those that are elsewhere */
};

static struct stop stops[DRIVER_THREADS];
static struct way way;
static struct code code;

static bool stopped(void)
{
	return rig_stopped(&way.rig, &way.stop);
}

static bool start(const struct rig_options *options)
{
	uint32_t n;

	if (!rig_start(&way.rig, options) ||
	    !rig_stops(&way.rig, 1, stops, &n) ||
	    !rig_lift(&way.rig, &stops[0]))
		return false;
	way.stop = stops[0];
	if (!tap_expect(code_read(&way.rig.driver, stops[0].ip, &code),
			"the code has no end"))
		return false;
	/* Nothing stops at the instruction that ends the thread. */
	way.last = code.end - 1;
	return true;
}

static bool step(struct gtdbg_sip_step_range *range)
{
	if (!tap_expect(driver_step_range(&way.rig.driver, way.stop.slot,
					  range), "the slot is not mapped"))
		return false;
	driver_release(&way.rig.driver, &way.stop, 1);
	return true;
}

static bool step_range(uint32_t first, uint32_t end, uint32_t steps)
{
	struct gtdbg_sip_step_range range = {
		.ip_first = first, .bytes = end - first, .steps = steps,
	};

	return step(&range);
}

/* The whole way, to the last stop. */
static bool way_learn(void)
{
	int index;

	for (way.length = 0; way.length < WAY_MAX; way.length++) {
		index = code_find(&code, way.stop.ip);
		if (!tap_expect(index >= 0, "stopped at 0x%x", way.stop.ip) ||
		    !rig_registers(&way.rig, &way.stop, way.state[way.length]))
			return false;
		way.index[way.length] = (uint32_t)index;
		if (way.index[way.length] == way.last)
			return tap_expect(way.length > 50, "%u instructions",
					  way.length);
		if (!rig_go(&way.rig, &way.stop, 1, true) || !stopped())
			return false;
	}
	return tap_expect(false, "the thread does not end");
}

/* Back to the beginning, from any stop. */
static bool way_again(void)
{
	return driver_slot_write(&way.rig.driver, way.stop.slot, 0,
				 way.state[0], sizeof(way.state[0]));
}

static bool breakpoint(uint32_t index, bool set)
{
	driver_breakpoint(&way.rig.driver,
			  way.rig.driver.base + code.ip[index], set);
	driver_invalidate(&way.rig.driver);
	return true;
}

/* Does the thread stand at step @at of its way, as it did in single steps? */
static bool stands(uint32_t at)
{
	static uint8_t seen[GTDBG_SIP_SLOT_DBG];
	uint32_t i = 0;

	if (!stopped() || !rig_registers(&way.rig, &way.stop, seen) ||
	    !tap_expect(way.stop.ip == code.ip[way.index[at]],
			"stopped at 0x%x, not at 0x%x, step %u of %u",
			way.stop.ip, code.ip[way.index[at]], at, way.length))
		return false;
	while (i < sizeof(seen) && seen[i] == way.state[at][i])
		i++;
	return tap_expect(i == sizeof(seen), "byte 0x%x of the slot at step %u",
			  i, at);
}

/* Is one of @lanes enabled where the thread stands at step @at? */
static bool has_lane(uint32_t at, uint32_t lanes)
{
	uint32_t enabled;

	memcpy(&enabled, way.state[at] + GTDBG_SIP_SLOT_EMASK, sizeof(enabled));
	return !lanes || enabled & lanes;
}

/*
 * Is the thread at a message of one of these types to data cache 1 at step @at? As the
 * instruction's bits say it; the addresses are in registers, one for each channel.
 */
static uint32_t message(uint32_t at, uint32_t messages, uint32_t *source_out)
{
	uint32_t dword[4], type;

	if (!driver_read(&way.rig.driver,
			 way.rig.driver.base + code.ip[way.index[at]], dword,
			 sizeof(dword)))
		return 0;
	type = dword[3] >> 20 & 0x1f;
	if ((dword[0] & 0x7f) != CODE_SEND || dword[2] >> 28 != 0xc ||
	    !(messages >> type & 1))
		return 0;
	*source_out = dword[2] >> 8 & 0xff;
	return 1U << (dword[0] >> 16 & 7);
}

static uint64_t message_address(uint32_t at, uint32_t source, uint32_t channel)
{
	uint64_t address;

	memcpy(&address, way.state[at] + GTDBG_SIP_SLOT_GRF + 32 * source +
	       sizeof(address) * channel, sizeof(address));
	return address & ((1ull << ADDRESS_BITS) - 1);
}

/* Does the way stop at step @at for what is watched? */
static bool is_watched(uint32_t at, const struct watch *watch,
		       struct counts *counts)
{
	uint32_t source, channels = message(at, watch->messages, &source);
	bool found = channels && source < 4;

	for (uint32_t i = 0; i < channels && !found; i++)
		found = ((message_address(at, source, i) - watch->first) &
			 ((1ull << ADDRESS_BITS) - 1)) < watch->bytes;
	counts->watched += found;
	counts->passed += channels && !found;
	return found;
}

/* Around an address that is on the way, or with the same low bits, or anywhere. */
static struct watch random_watch(void)
{
	static const uint32_t messages[] = {
		MESSAGES_64_BIT, MESSAGES_WRITING, 1U << 0x11, 1U << 0x19,
	};
	struct watch watch = { .bytes = 1 + (uint32_t)rand() % 64 };
	uint32_t at, source, channels;

	for (uint32_t i = 0; i < 100 && !watch.messages; i++) {
		at = (uint32_t)rand() % way.length;
		channels = message(at, MESSAGES_64_BIT, &source);
		if (!channels)
			continue;
		watch.messages = messages[rand() % 4];
		watch.first = message_address(at, source,
					      (uint32_t)rand() % channels);
		watch.first += (uint32_t)rand() % 3 * watch.bytes;
		watch.first -= watch.bytes;
		if (rand() % 4 == 0)
			watch.first ^= 1ull << rand() % ADDRESS_BITS;
		watch.first &= (1ull << ADDRESS_BITS) - 1;
	}
	return watch;
}

/* None, or one of the thread's; now and then one that it does not have. */
static uint32_t random_lane(void)
{
	uint32_t enabled, count;

	memcpy(&enabled, way.state[0] + GTDBG_SIP_SLOT_EMASK, sizeof(enabled));
	count = rand() % 16 ? (uint32_t)__builtin_popcount(enabled) : 32;
	return rand() % 2 ? 0 : 1U << (uint32_t)rand() % count;
}

/*
 * From step @at of the way over a random range, for some lanes or with something that is
 * watched, perhaps, and a breakpoint.
 */
static bool random_range(uint32_t *at, struct counts *counts)
{
	uint32_t from = (uint32_t)rand() % way.last;
	uint32_t to = from + 1 + (uint32_t)rand() % (way.last - from);
	uint32_t steps = rand() % 3 ? 0 : 1 + (uint32_t)rand() % 40;
	/* One that is in nobody's way is at the end. */
	uint32_t stop = rand() % 3 ? way.last : (uint32_t)rand() % way.last;
	uint32_t next = *at + 1;
	uint32_t lanes = random_lane();
	struct watch watch = { 0 };
	struct gtdbg_sip_step_range range;
	bool is_in;

	/* Most of them from here on. */
	if (rand() % 4) {
		from = way.index[*at];
		to = from + 1 + (uint32_t)rand() % (way.last - from);
	}
	if (!lanes)
		watch = random_watch();
	/* Far, so that there are messages. */
	if (watch.messages && rand() % 2) {
		from = 0;
		to = way.last;
		steps = 0;
	}
	for (;; next++) {
		is_in = way.index[next] >= from && way.index[next] < to;
		if ((!is_in && has_lane(next, lanes)) ||
		    (is_in && is_watched(next, &watch, counts)) ||
		    way.index[next] == stop || next - *at == steps ||
		    way.index[next] == way.last)
			break;
		counts->waits += !is_in;
	}
	*at = next;
	counts->ranges++;
	if (stop != way.last)
		breakpoint(stop, true);
	range = (struct gtdbg_sip_step_range){
		.ip_first = code.ip[from], .bytes = code.ip[to] - code.ip[from],
		.steps = steps, .lanes = lanes,
		.watch_messages = watch.messages, .watch_first = watch.first,
		.watch_bytes = watch.bytes,
	};
	if (!step(&range) || !stands(next))
		return false;
	if (stop != way.last)
		breakpoint(stop, false);
	return true;
}

static void random_ranges(const struct rig_options *options)
{
	bool ok = start(options) && way_learn();
	struct counts counts = { 0 };
	uint32_t at;

	srand(13);
	/* So that a range ends there, whatever lanes it is for. */
	ok = ok && breakpoint(way.last, true);
	for (uint32_t i = 0; ok && i < ROUNDS; i++) {
		ok = way_again();
		for (at = 0; ok && way.index[at] != way.last;)
			ok = random_range(&at, &counts);
	}
	ok = ok && breakpoint(way.last, false) &&
	     tap_expect(counts.waits > ROUNDS, "lanes were waited for %u times",
			counts.waits) &&
	     tap_expect(counts.watched > 10 && counts.passed > ROUNDS,
			"%u messages were watched, %u were elsewhere",
			counts.watched, counts.passed);
	/* It ends, and has computed what it should. */
	if (ok && rig_end(&way.rig, 0))
		printf("# %u ranges, %u instructions on the way, %u of them others', "
		       "%u messages watched, %u elsewhere\n", counts.ranges,
		       way.length, counts.waits, counts.watched, counts.passed);
	rig_stop(&way.rig);
}

static void ranges_simd8(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};

	random_ranges(&options);
}

static void ranges_simd32(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide32", .items = 32, .local = 32,
	};

	random_ranges(&options);
}

static uint64_t executed(void)
{
	return rig_executed(&way.rig, &way.stop);
}

/* Each step costs the same, and far less than a stop. */
static void cost(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	uint64_t spent[4] = { 0 }, before;
	/* At the first instructions a stop also writes who the thread is. */
	bool ok = start(&options) && step_range(0, UINT32_MAX, 3) && stopped();

	for (uint32_t i = 1; ok && i < 4; i++) {
		before = executed();
		ok = step_range(0, code.ip[way.last], i) && stopped();
		spent[i] = executed() - before;
	}
	if (ok) {
		printf("# %llu instructions with one step, %llu for another\n",
		       (unsigned long long)spent[1],
		       (unsigned long long)(spent[2] - spent[1]));
		tap_expect(spent[3] - spent[2] == spent[2] - spent[1],
			   "%llu instructions for three steps",
			   (unsigned long long)spent[3]);
		/* Itself, and what the SIP does. */
		tap_expect(spent[2] - spent[1] <= 1 + STEP_MAX,
			   "%llu instructions for a step",
			   (unsigned long long)(spent[2] - spent[1]));
	}
	rig_stop(&way.rig);
}

/* Where nothing is: so each step is passed, and costs what it costs. */
static bool watch_spends(uint32_t at, uint64_t *spent)
{
	struct gtdbg_sip_step_range range = {
		.bytes = code.ip[way.last], .watch_messages = MESSAGES_64_BIT,
	};
	uint64_t before = executed();

	range.steps = at;
	if (!way_again() || !step(&range) || !stands(at))
		return false;
	*spent = executed() - before;
	return true;
}

/* What it costs to look for what is watched, with and without a message. */
static void watch_cost(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide16", .items = 16, .local = 16,
	};
	bool ok = start(&options) && way_learn();
	uint64_t spent[2], most[2] = { 0 };
	uint32_t source, kind;

	for (uint32_t at = 2; ok && at + 1 < way.length && at < 250; at++) {
		/* It is looked at where it has come to. */
		kind = message(at + 1, MESSAGES_64_BIT, &source) != 0;
		ok = watch_spends(at, &spent[0]) &&
		     watch_spends(at + 1, &spent[1]);
		if (ok && spent[1] - spent[0] > most[kind])
			most[kind] = spent[1] - spent[0];
	}
	if (ok) {
		printf("# at most %llu instructions for a step, %llu at a message\n",
		       (unsigned long long)most[0], (unsigned long long)most[1]);
		tap_expect(most[0] && most[0] <= 1 + WATCH_STEP_MAX,
			   "%llu for a step", (unsigned long long)most[0]);
		tap_expect(most[1] && most[1] <= 1 + WATCH_MESSAGE_MAX,
			   "%llu at a message", (unsigned long long)most[1]);
	}
	rig_stop(&way.rig);
}

/* With the message at step @at changed in one dword: does a step stop before it? */
static bool stops_changed(uint32_t at, uint32_t dword, uint32_t value)
{
	uint64_t place = way.rig.driver.base + code.ip[way.index[at]] + 4 * dword;
	struct gtdbg_sip_step_range range = {
		.bytes = code.ip[way.last], .watch_messages = MESSAGES_64_BIT,
	};
	uint32_t was;
	bool ok;

	driver_read(&way.rig.driver, place, &was, sizeof(was));
	driver_write(&way.rig.driver, place, &value, sizeof(value));
	driver_invalidate(&way.rig.driver);
	ok = way_again() && step(&range) && stopped() &&
	     tap_expect(way.stop.ip == code.ip[way.index[at]],
			"dword %u as 0x%x: stopped at 0x%x, not 0x%x", dword,
			value, way.stop.ip, code.ip[way.index[at]]);
	driver_write(&way.rig.driver, place, &was, sizeof(was));
	driver_invalidate(&way.rig.driver);
	return ok;
}

/* Where addresses are overwritten already, or are none, who watches looks by itself. */
static void watch_blind(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	bool ok = start(&options) && way_learn();
	uint32_t at = 2, source, dword[4];

	while (ok && !message(at, MESSAGES_64_BIT, &source))
		ok = tap_expect(++at < way.length, "no message");
	ok = ok && driver_read(&way.rig.driver, way.rig.driver.base +
			       code.ip[way.index[at]], dword, sizeof(dword)) &&
	     /* The second of its registers would be behind the last one. */
	     stops_changed(at, 2, dword[2] | 0xff00) &&
	     stops_changed(at, 2, (dword[2] & ~0xff00U) | 3 << 8) &&
	     stops_changed(at, 2, dword[2] & ~0xff00U) &&
	     /* A short one has no room for them. */
	     stops_changed(at, 0, dword[0] | 1U << 29);
	if (ok && way_again())
		rig_end(&way.rig, 0);
	rig_stop(&way.rig);
}

static void area_write(uint32_t offset, const void *data, size_t len)
{
	driver_write(&way.rig.driver, way.rig.driver.area + offset, data, len);
}

/* A program at an instruction would let the thread run on, and lose the step. */
static void program(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct gtdbg_sip_program program = {
		.op = {
			{ GTDBG_SIP_OP_REGISTER, 32 * 20, 0, 0 },
			{ GTDBG_SIP_OP_EQUAL, 1, 0, 0 },
			{ GTDBG_SIP_OP_EQUAL, 2, 0, 0 },
			{ GTDBG_SIP_OP_END, 0, 0, 0 },
		},
	};
	struct gtdbg_sip_bucket bucket = { 0 };
	uint32_t dword[32];
	bool ok = start(&options) && rig_registers(&way.rig, &way.stop, way.state[0]);

	bucket.tag = code.ip[8];
	program.check = GTDBG_SIP_PROGRAM_MAGIC ^ bucket.tag;
	memcpy(dword, &program, sizeof(dword));
	for (uint32_t i = 1; i < 32; i++)
		program.check ^= dword[i];
	if (ok) {
		area_write(GTDBG_SIP_PROGRAM_OFFSET, &program, sizeof(program));
		area_write(GTDBG_SIP_TABLE_OFFSET +
			   (bucket.tag & GTDBG_SIP_TABLE_MASK), &bucket,
			   sizeof(bucket));
		breakpoint(8, true);
		breakpoint(10, true);
		/* Without a step it runs on, or what follows says nothing. */
		ok = rig_go(&way.rig, &way.stop, 1, false) && stopped() &&
		     tap_expect(way.stop.ip == code.ip[10],
				"the program stopped at 0x%x", way.stop.ip);
	}
	if (ok && way_again() && step_range(0, UINT32_MAX, 0) && stopped() &&
	    tap_expect(way.stop.ip == code.ip[8], "stopped at 0x%x, not 0x%x",
		       way.stop.ip, code.ip[8]))
		rig_end(&way.rig, 0);
	rig_stop(&way.rig);
}

/* What is asked for from outside ends a range that the thread never leaves. */
static void endless(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "endless", .items = 8, .local = 8,
	};
	uint64_t deadline = rig_now_ms() + 300000, before;
	bool ok = start(&options);
	uint32_t n;

	/* Whether that comes between two looks at what is forced is luck. */
	for (uint32_t i = 0; ok && i < HALTS; i++) {
		before = executed();
		ok = step_range(code.ip[0], code.ip[way.last], 0);
		while (ok && rig_executed_so_far(&way.rig, &way.stop) - before <
			     (i < 3 ? TURNS : i))
			ok = tap_expect(!rig_look(&way.rig, stops),
					"it stopped by itself") &&
			     tap_expect(rig_now_ms() < deadline, "it stands");
		driver_control(&way.rig.driver, 0x90 | 0x40);
		ok = ok && rig_stops(&way.rig, 1, stops, &n) &&
		     tap_expect(stops[0].cause & CAUSE_HALT, "cause 0x%x",
				stops[0].cause) &&
		     tap_expect(code_find(&code, stops[0].ip) >= 0,
				"stopped at 0x%x", stops[0].ip);
		driver_control(&way.rig.driver, 0x90);
	}
	/* The loop ends, and with it the range; or the thread would be gone. */
	if (ok && rig_loop_end(&way.rig) &&
	    step_range(code.ip[0], code.ip[way.last], 0) && stopped()) {
		tap_expect(way.stop.ip == code.ip[way.last],
			   "stopped at 0x%x", way.stop.ip);
		rig_end(&way.rig, 0);
	}
	rig_stop(&way.rig);
}

/* A thread ends in its range; one that gets its slot later has none. */
static void ends(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
		.times = 14,
	};
	bool ok = start(&options), again = false;
	uint32_t slot = way.stop.slot, entry = way.stop.ip;

	if (ok) {
		breakpoint(0, true);
		ok = step_range(0, UINT32_MAX, 0) && stopped();
	}
	for (uint32_t i = 2; ok && i < options.times && !again; i++) {
		again = way.stop.slot == slot;
		ok = tap_expect(way.stop.ip == entry, "stopped at 0x%x",
				way.stop.ip) &&
		     rig_go(&way.rig, &way.stop, 1, false) && stopped();
	}
	if (ok && tap_expect(again, "no other thread in slot %u", slot))
		rig_end(&way.rig, 0);
	rig_stop(&way.rig);
}

const struct test range_tests[] = {
	{ "ranges end where single steps say", ranges_simd8, TEST_OURS },
	{ "ranges end there with 32 channels, too", ranges_simd32, TEST_OURS },
	{ "each step of a range costs 90 instructions at most", cost,
	  TEST_OURS },
	{ "what is watched costs 105 instructions, 185 at a message", watch_cost,
	  TEST_OURS },
	{ "what is watched is looked for where addresses are", watch_blind,
	  TEST_OURS },
	{ "a program in a range stops the thread", program, TEST_OURS },
	{ "an endless range is halted", endless, TEST_OURS },
	{ "a range ends with its thread", ends, TEST_OURS },
	{ 0 },
};
