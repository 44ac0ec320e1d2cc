// SPDX-License-Identifier: MIT
/*
 * Steps over calls. As in range.c one thread is stepped through its kernel by single
 * steps. At each of them its code says whether a function is called or returns, so it is
 * known how deep the thread is in calls, without its stack. Then it is put back, and
 * goes the same way in ranges that are stepped over calls.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "check/check.h"
#include "code.h"
#include "gt/device.h"

#define ROUNDS 60
#define WAY_MAX 20000
#define DEPTH_MAX 4
/* The frame register is set until then. */
#define PROLOGUE 30
#define STEP_MAX 120 /* instructions of the SIP for one in a call */
#define FRAME_STACK 8
#define FLOW_BYTES 160 /* fc0 to fc3, which have the mask of calls */

#define OPCODE 0x7fU
#define OPCODE_CALL 0x2cU
#define OPCODE_RET 0x2dU
#define COMPACT (1U << 29)

/* One stop. */
struct at {
	uint32_t ip, depth, function; /* where that begins */
	uint32_t size;
	uint64_t hash; /* of all registers */
};

static struct way {
	struct rig rig;
	struct stop stop;
	uint32_t length;
	struct at at[WAY_MAX];
	uint8_t begin[GTDBG_SIP_SLOT_DBG], flow[FLOW_BYTES];
} way;

static struct stop stops[DRIVER_THREADS];
static struct code code;

static uint64_t state_hash(void)
{
	static uint8_t state[GTDBG_SIP_SLOT_DBG];
	uint64_t hash = 0xcbf29ce484222325ULL;

	if (!rig_registers(&way.rig, &way.stop, state))
		return 0;
	for (size_t i = 0; i < sizeof(state); i++)
		hash = (hash ^ state[i]) * 0x100000001b3ULL;
	return hash;
}

static bool stopped(void)
{
	return rig_stopped(&way.rig, &way.stop);
}

static uint32_t dword_at(uint32_t ip)
{
	uint32_t dword = 0;

	driver_read(&way.rig.driver, way.rig.driver.base + ip, &dword,
		    sizeof(dword));
	return dword;
}

/* The whole way, to the instruction before the one that ends the thread. */
static bool way_learn(void)
{
	uint32_t functions[DEPTH_MAX] = { way.stop.ip }, depth = 0, dword;
	struct at *at;

	for (way.length = 0; way.length < WAY_MAX; way.length++) {
		dword = dword_at(way.stop.ip);
		at = &way.at[way.length];
		*at = (struct at){
			.ip = way.stop.ip, .depth = depth,
			.function = functions[depth],
			.size = dword & COMPACT ? 8 : 16,
			.hash = state_hash(),
		};
		/* Nothing stops behind that one. */
		if (at->ip == code.ip[code.end - 1])
			return true;
		if (!rig_go(&way.rig, &way.stop, 1, true) || !stopped())
			return false;
		/* A call that no channel makes is passed. */
		if ((dword & OPCODE) == OPCODE_CALL &&
		    way.stop.ip != at->ip + at->size && ++depth < DEPTH_MAX)
			functions[depth] = way.stop.ip;
		if ((dword & OPCODE) == OPCODE_RET)
			depth--;
		if (!tap_expect(depth < DEPTH_MAX, "depth %u", depth))
			return false;
	}
	return tap_expect(false, "the thread does not end");
}

static bool start(const struct rig_options *options, uint32_t depth_min)
{
	uint32_t n, deepest = 0;

	if (!rig_start(&way.rig, options) ||
	    !rig_stops(&way.rig, 1, stops, &n) ||
	    !rig_lift(&way.rig, &stops[0]))
		return false;
	way.stop = stops[0];
	if (!rig_registers(&way.rig, &way.stop, way.begin) ||
	    !driver_slot_read(&way.rig.driver, way.stop.slot,
			      GTDBG_SIP_SLOT_FC, way.flow, FLOW_BYTES) ||
	    !tap_expect(code_read(&way.rig.driver, stops[0].ip, &code),
			"the code has no end") || !way_learn())
		return false;
	for (uint32_t i = 0; i < way.length; i++)
		if (way.at[i].depth > deepest)
			deepest = way.at[i].depth;
	return tap_expect(deepest >= depth_min, "%u calls deep", deepest);
}

static bool way_again(void)
{
	return driver_slot_write(&way.rig.driver, way.stop.slot, 0, way.begin,
				 sizeof(way.begin)) &&
	       driver_slot_write(&way.rig.driver, way.stop.slot,
				 GTDBG_SIP_SLOT_FC, way.flow,
				 sizeof(way.flow));
}

/* Behind the code of the function that @at is in, as far as anybody has seen it. */
static uint32_t function_end(const struct at *at)
{
	uint32_t end = at->ip;

	for (uint32_t i = 0; i <= way.length; i++)
		if (way.at[i].function == at->function &&
		    way.at[i].ip + way.at[i].size > end)
			end = way.at[i].ip + way.at[i].size;
	return end;
}

static bool step_over(const struct at *at, uint32_t from, uint32_t to,
		      uint32_t steps)
{
	struct gtdbg_sip_step_range range = {
		.ip_first = from, .bytes = to - from, .steps = steps,
		.frame_register = GTDBG_SIP_FRAME_FIRST,
		.function_first = at->function,
		.function_bytes = function_end(at) - at->function,
	};

	if (!tap_expect(driver_slot_read(&way.rig.driver, way.stop.slot,
					 32 * GTDBG_SIP_FRAME_FIRST +
					 FRAME_STACK, &range.stack, 4) &&
			driver_step_range(&way.rig.driver, way.stop.slot,
					  &range), "the slot is not mapped"))
		return false;
	driver_release(&way.rig.driver, &way.stop, 1);
	return true;
}

static void breakpoint(uint32_t ip, bool set)
{
	driver_breakpoint(&way.rig.driver, way.rig.driver.base + ip, set);
	driver_invalidate(&way.rig.driver);
}

static bool stands(uint32_t i)
{
	return stopped() &&
	       tap_expect(way.stop.ip == way.at[i].ip,
			  "stopped at 0x%x, not at 0x%x, step %u of %u",
			  way.stop.ip, way.at[i].ip, i, way.length) &&
	       tap_expect(state_hash() == way.at[i].hash,
			  "other registers at step %u", i);
}

/* Where it ends: @stop is the ip of a breakpoint, or 0. */
static uint32_t way_next(uint32_t i, uint32_t from, uint32_t to, uint32_t steps,
			 uint32_t stop)
{
	uint32_t next = i + 1;

	while (next < way.length && way.at[next].ip != stop &&
	       next - i != steps &&
	       ((way.at[next].ip >= from && way.at[next].ip < to) ||
		way.at[next].depth > way.at[i].depth))
		next++;
	return next;
}

/* A piece of the function around, which is some line's perhaps. */
static bool random_over(uint32_t *i, uint32_t *calls)
{
	const struct at *at = &way.at[*i];
	uint32_t left = function_end(at) - at->ip;
	uint32_t to = at->ip + at->size + (uint32_t)rand() % left;
	uint32_t from = at->ip - (uint32_t)rand() % (at->ip - at->function + 1);
	uint32_t steps = rand() % 4 ? 0 : 1 + (uint32_t)rand() % 60;
	uint32_t stop = rand() % 3 ? 0 : way.at[rand() % way.length].ip, next;

	if (rand() % 2 && to > at->ip + 200)
		to = at->ip + 8 + (uint32_t)rand() % 192;
	/* Whole instructions: a call is in the range, or is not. */
	to = (to + 15) & ~15U;
	next = way_next(*i, from, to, steps, stop);
	for (uint32_t k = *i; k < next; k++)
		*calls += k > *i && way.at[k].depth > at->depth &&
			  way.at[k - 1].depth == at->depth &&
			  way.at[next].depth == at->depth;
	if (stop)
		breakpoint(stop, true);
	if (!step_over(at, from, to, steps) || !stands(next))
		return false;
	if (stop)
		breakpoint(stop, false);
	*i = next;
	return true;
}

static void random_overs(const struct rig_options *options, uint32_t depth_min,
			 int status)
{
	bool ok = start(options, depth_min);
	uint32_t ranges = 0, calls = 0, i;

	srand(14);
	if (ok)
		breakpoint(way.at[way.length].ip, true);
	for (uint32_t round = 0; ok && round < ROUNDS; round++) {
		ok = way_again();
		for (i = 0; ok && i < PROLOGUE; i++)
			ok = rig_go(&way.rig, &way.stop, 1, true) && stopped();
		for (; ok && i < way.length; ranges++)
			ok = random_over(&i, &calls);
	}
	if (ok && tap_expect(calls > ROUNDS / 3, "%u calls", calls) &&
	    rig_end(&way.rig, status))
		printf("# %u ranges over %u calls, %u instructions on the way\n",
		       ranges, calls, way.length);
	rig_stop(&way.rig);
}

static void nested(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "nested", .items = 8, .local = 8,
	};

	random_overs(&options, 2, 0);
}

/* Some lanes call. */
static void diverge(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "diverge", .items = 8, .local = 8,
	};

	random_overs(&options, 1, 0);
}

/*
 * A function that lies in another allocation, and has no lines. With one thread the group
 * is too small for right results.
 */
static void barrier(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 8, .local = 8,
	};

	random_overs(&options, 1, 1);
}

/* The kernel's first call; false: there is none, or the thread does not come to it. */
static bool call_reach(uint32_t *call_out)
{
	uint32_t call = 0;

	while (call < way.length && !way.at[call + 1].depth)
		call++;
	if (!tap_expect(call < way.length, "no call") || !way_again())
		return false;
	for (uint32_t i = 0; i < call; i++)
		if (!rig_go(&way.rig, &way.stop, 1, true) || !stopped())
			return false;
	*call_out = call;
	return true;
}

static uint64_t executed(void)
{
	return rig_executed(&way.rig, &way.stop);
}

/* Of a step in a called function. */
static void cost(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "nested", .items = 8, .local = 8,
	};
	bool ok = start(&options, 2);
	uint64_t spent[2] = { 0 }, before;
	uint32_t call = 0;

	for (uint32_t n = 0; ok && n < 2; n++) {
		ok = call_reach(&call);
		before = executed();
		ok = ok && step_over(&way.at[call], way.at[call].ip,
				     way.at[call].ip + way.at[call].size,
				     10 + n) && stands(call + 10 + n);
		spent[n] = executed() - before;
	}
	if (ok && tap_expect(spent[1] - spent[0] <= 1 + STEP_MAX,
			     "%llu instructions for a step in a call",
			     (unsigned long long)(spent[1] - spent[0])) &&
	    rig_end(&way.rig, 0))
		printf("# %llu instructions for a step in a call\n",
		       (unsigned long long)(spent[1] - spent[0]));
	rig_stop(&way.rig);
}

/* A host of older days writes the first half alone, over the second one of another. */
static void half(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "nested", .items = 8, .local = 8,
	};
	struct gtdbg_sip_step_range range = {
		.command = GTDBG_SIP_COMMAND_STEP_RANGE,
	};
	uint32_t call = 0;
	bool ok = start(&options, 2) && call_reach(&call) &&
		  step_over(&way.at[call], way.at[call].ip,
			    way.at[call].ip + way.at[call].size, 10) &&
		  stands(call + 10) && call_reach(&call);

	if (ok) {
		range.ip_first = way.at[call].ip;
		range.bytes = way.at[call].size;
		range.base = (uint64_t)((int64_t)(way.rig.driver.base << 16) >>
					16);
		ok = tap_expect(driver_slot_write(&way.rig.driver,
						  way.stop.slot,
						  GTDBG_SIP_SLOT_COMMAND,
						  &range, 32),
				"the slot is not mapped");
	}
	if (ok) {
		driver_release(&way.rig.driver, &way.stop, 1);
		if (stands(call + 1))
			rig_end(&way.rig, 0);
	}
	rig_stop(&way.rig);
}

/* Whatever its registers hold, a thread has called nothing before its first instruction. */
static void entry(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "nested", .items = 8, .local = 8,
	};
	struct gtdbg_sip_step_range range = {
		.bytes = 16, .function_bytes = 1,
		.frame_register = GTDBG_SIP_FRAME_FIRST,
	};
	bool ok = start(&options, 2) && way_again();
	uint32_t frame[4] = { 0 };

	ok = ok && tap_expect(driver_slot_read(&way.rig.driver, way.stop.slot,
					       32 * GTDBG_SIP_FRAME_FIRST, frame,
					       sizeof(frame)),
			      "the slot is not mapped");
	/* Another thread's function, at whose beginning these would be a call's. */
	range.ip_first = frame[0] - 8;
	range.stack = frame[FRAME_STACK / 4];
	ok = ok && tap_expect(way.at[1].ip - range.ip_first >= range.bytes,
			      "the range is 0x%x", range.ip_first) &&
	     tap_expect(driver_step_range(&way.rig.driver, way.stop.slot,
					  &range), "the slot is not mapped");
	if (ok) {
		driver_release(&way.rig.driver, &way.stop, 1);
		if (stands(1))
			rig_end(&way.rig, 0);
	}
	rig_stop(&way.rig);
}

/* The next instruction that vgt says it has executed; false: the log has no more. */
static bool log_next(FILE *log, uint32_t *ip)
{
	unsigned long long address;
	char line[300];

	if (!fgets(line, sizeof(line), log) ||
	    sscanf(line, "{\"check\":\"writes\",\"address\":\"0x%llx\"",
		   &address) != 1)
		return false;
	*ip = (uint32_t)(address - way.rig.driver.base);
	return true;
}

/* One message writes for several lanes. */
static uint32_t log_read(const char *path, uint32_t *ips, uint32_t room)
{
	FILE *log = fopen(path, "r");
	uint32_t count = 0, ip;

	while (log && count < room && log_next(log, &ip))
		if (!count || ips[count - 1] != ip)
			ips[count++] = ip;
	if (log)
		fclose(log);
	return count;
}

static bool is_in(const uint32_t *ips, uint32_t count, uint32_t ip)
{
	while (count && ips[count - 1] != ip)
		count--;
	return count;
}

/* Single steps come by each write, in the order in which vgt has carried them out. */
static void log_compare(const uint32_t *ips, uint32_t count)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < way.length; i++) {
		uint32_t ip = way.at[i].ip;

		if (!is_in(ips, count, ip) || (next && ips[next - 1] == ip))
			continue;
		if (!tap_expect(next < count && ips[next] == ip,
				"step %u of %u at 0x%x, write %u of %u at 0x%x",
				i, way.length, ip, next, count,
				next < count ? ips[next] : 0))
			return;
		next++;
	}
	if (tap_expect(next == count && count > 20, "%u writes of %u", next,
		       count))
		printf("# %u writes on the way\n", count);
}

static void logged(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "nested", .items = 8, .local = 8,
	};
	char path[] = "/tmp/eu_over.XXXXXX";
	int fd = mkstemp(path);
	static uint32_t ips[WAY_MAX];

	if (!tap_expect(fd >= 0 && !vgt_check_start(VGT_CHECK_WRITES, path),
			"there is no log"))
		return;
	if (start(&options, 2))
		log_compare(ips, log_read(path, ips, WAY_MAX));
	rig_stop(&way.rig);
	vgt_check_start(0, NULL);
	close(fd);
	unlink(path);
}

const struct test over_tests[] = {
	{ "ranges go over calls in calls", nested, TEST_OURS },
	{ "ranges go over calls of some lanes", diverge, TEST_OURS },
	{ "ranges go over barriers", barrier, TEST_OURS },
	{ "steps come by what the virtual GPU logs", logged, TEST_OURS },
	{ "half a command goes over no call", half, TEST_OURS },
	{ "a thread at its entry is in no call", entry, TEST_OURS },
	{ "a step in a call costs 120 instructions at most", cost, TEST_OURS },
	{ 0 },
};
