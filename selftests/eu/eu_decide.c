// SPDX-License-Identifier: MIT
/*
 * eu_decide FOLDER [STOPS]: random conditions, decided by the SIP, by what C's compiler
 * makes of the same text, and by the tool's evaluator. All threads of a launch stop at
 * an instruction, and the next one has the program: a thread stops there if the condition
 * holds for one of its lanes, else at the third one. Then it is put back. The tool is
 * asked about all lanes of one thread each time, and about one lane of each other: that C
 * and the tool decide alike is seen lane by lane, and the SIP is compared with C.
 */
#include "binding.h"
#include "decide.h"
#include "test.h"

#include "code.h"
#include "eu/eu.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/pool.h"

#include <gtdbg_symbols.h>
#include <linux/gtdbg_sip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 40
#define ROUNDS 16 /* conditions for each launch */
#define NUMBER 9 /* of the program in the area */
#define SMALL 0xffff
#define NAMES_MAX 128
#define STOPS 3000 /* decided ones, if nothing else is wanted */

struct build {
	const char *name, *compiler;
	uint32_t width, local;
	bool is_optimised;
	uint32_t share; /* of a hundred stops */
	uint32_t least; /* of a hundred conditions, decided by the SIP */
};

static const struct build builds[] = {
	{ "8 lanes", "-DWIDTH=8", 8, 8, false, 35, 30 },
	{ "16 lanes, 13 of them in use", "-DWIDTH=16", 16, 13, false, 35, 30 },
	{ "8 lanes with arrays", "-DWIDTH=8 -DARRAYS", 8, 8, false, 6, 20 },
	{ "8 lanes with pointers", "-DWIDTH=8 -DPOINTERS", 8, 8, false, 6, 20 },
	{ "32 lanes", "-DWIDTH=32", 32, 32, false, 6, 0 },
	{ "8 lanes, optimised", "-DWIDTH=8", 8, 8, true, 6, 0 },
	{ "16 lanes, optimised", "-DWIDTH=16", 16, 16, true, 6, 0 },
	{ "32 lanes, optimised", "-DWIDTH=32", 32, 32, true, 6, 0 },
};

#define BUILDS (sizeof(builds) / sizeof(builds[0]))

struct thread {
	uint32_t slot;
	uint32_t group;
	uint32_t lanes; /* enabled */
	uint8_t saved[GTDBG_SIP_SLOT_DBG]; /* at the first instruction */
	bool holds; /* C says so */
};

static const struct build *build;
static struct rig rig;
static struct stop stops[DRIVER_THREADS];
static struct thread threads[THREADS];
static uint32_t thread_count, turn; /* the number of the launch */
static struct code code;
static struct gtdbg_symbols *symbols;
static uint32_t entry, first; /* index in code of the first of the three */
static uint8_t registers[128 * GTDBG_GRF_BYTES]; /* of the thread that is asked */
static uint32_t current; /* its slot */
static struct text *texts;
static const decide_fn *decides;
static uint32_t text_count, text_next;
static bool names_decided[NAMES_MAX];

struct counts {
	uint32_t conditions, whole, parts, refused;
	uint32_t stops, held, tool, unknown;
};

/*
 * The threads
 */

/* Of a group's work-items, those that enter the branch. */
static uint32_t lanes_of(uint32_t group)
{
	uint32_t lanes = 0;
	struct values values;

	for (uint32_t lane = 0; lane < build->local; lane++) {
		values_compute(&values, group * build->local + lane, turn,
			       group);
		if (values.h >> 26 & 1)
			lanes |= 1U << lane;
	}
	return lanes;
}

static struct thread *thread_find(uint32_t slot)
{
	for (uint32_t i = 0; i < thread_count; i++)
		if (threads[i].slot == slot)
			return &threads[i];
	return NULL;
}

/* Who has stopped in this launch: @n threads, as C has it. */
static bool threads_begin(uint32_t n)
{
	uint32_t group;

	for (uint32_t i = 0; i < n; i++) {
		struct thread *thread = &threads[i];

		driver_slot_read(&rig.driver, stops[i].slot, 4, &group,
				 sizeof(group));
		*thread = (struct thread){ .slot = stops[i].slot,
					   .group = group };
		thread->lanes = lanes_of(group);
		driver_slot_read(&rig.driver, thread->slot, 0, thread->saved,
				 sizeof(thread->saved));
		if (!tap_expect(stops[i].ip == code.ip[first] &&
				stops[i].enabled == thread->lanes,
				"group %u is at 0x%x with lanes 0x%x, not at 0x%x with 0x%x",
				group, stops[i].ip, stops[i].enabled, code.ip[first],
				thread->lanes))
			return false;
	}
	thread_count = n;
	return true;
}

/* The threads of a launch that come by; there are some. */
static bool launch_begin(void)
{
	uint32_t count, n;

	do {
		count = 0;
		for (uint32_t group = 0; group < THREADS; group++)
			count += !!lanes_of(group);
		turn += !count;
	} while (!count);
	return rig_stops(&rig, (int)count, stops, &n) && threads_begin(n);
}

/*
 * The program
 */

/* NULL: none. */
static void program_bind(const struct gtdbg_sip_op *op)
{
	binding_set(&rig.driver, code.ip[first + 1], NUMBER, op);
}

/* The kernel, and where its threads are to stop. */
static bool code_find_line(void)
{
	char path[128], *elf = calloc(1, 1 << 22);
	struct gtdbg_line line;
	size_t len = 0;
	FILE *file;
	int at;

	snprintf(path, sizeof(path), "%s/elf", rig.folder);
	file = fopen(path, "r");
	if (elf && file)
		len = fread(elf, 1, 1 << 22, file);
	if (file)
		fclose(file);
	if (!tap_expect(elf && !gtdbg_symbols_create(elf, len, &symbols),
			"no debug information"))
		return false;
	free(elf);
	if (!tap_expect(code_read(&rig.driver, entry, &code), "no code"))
		return false;
	for (at = 0; at < (int)code.end; at++)
		if (!gtdbg_line_find(symbols, code.ip[at] - entry, &line) &&
		    line.line == DECIDE_LINE)
			break;
	if (!tap_expect(at < (int)code.end, "no line %d", DECIDE_LINE))
		return false;
	first = (uint32_t)at;
	return true;
}

static bool session_start(const struct rig_options *options)
{
	uint32_t n;

	if (!rig_start(&rig, options) || !rig_stops(&rig, THREADS, stops, &n) ||
	    !rig_lift(&rig, &stops[0]))
		return false;
	entry = stops[0].ip;
	turn = 0;
	if (!code_find_line())
		return false;
	for (uint32_t i = 0; i < 3; i++)
		driver_breakpoint(&rig.driver, rig.driver.base +
				  code.ip[first + i], true);
	driver_invalidate(&rig.driver);
	return rig_go(&rig, stops, THREADS, false) && launch_begin();
}

/*
 * Who decides
 */

static int register_read(void *context, uint32_t offset, void *buf, size_t len)
{
	(void)context;
	if (offset + len > sizeof(registers))
		return -1;
	memcpy(buf, registers + offset, len);
	return 0;
}

static int memory_read(void *context, uint64_t address, void *buf, size_t len)
{
	const uint8_t *local = vgt_pool_slot(rig.driver.device->pool,
					     current)->group->slm;
	uint64_t offset = address & (GTDBG_SIP_SLM_END - 1);

	(void)context;
	if (address >> 56 == 0x0a && offset + len <= GTDBG_SIP_SLM_END) {
		memcpy(buf, local + offset, len);
		return 0;
	}
	return driver_read(&rig.driver, address, buf, len) ? 0 : -1;
}

static const struct gtdbg_machine machine = {
	.register_read = register_read, .memory_read = memory_read,
};

static void registers_read(uint32_t slot)
{
	driver_slot_read(&rig.driver, slot, GTDBG_SIP_SLOT_GRF, registers,
			 sizeof(registers));
	current = slot;
}

/*
 * What the module does for a launch: the buffer that the kernel has may be looked into.
 * Optimised code says nowhere where it is.
 */
static bool window_open(void)
{
	struct gtdbg_sip_window window = {
		.bytes = (uint32_t)(THREADS * build->local * ITEM_BYTES),
	};
	uint64_t at;

	registers_read(stops[0].slot);
	if (!tool_follows(symbols, &machine, code.ip[first] - entry,
			  (uint32_t)__builtin_ctz(stops[0].enabled), "in",
			  &at))
		return tap_expect(build->is_optimised, "in has no value");
	window.first = at;
	window.check = GTDBG_SIP_WINDOW_MAGIC ^ (uint32_t)at ^
		       (uint32_t)(at >> 32) ^ window.bytes;
	/* All pointers lead there, in whatever order a condition has them. */
	for (uint32_t i = 0; i < GTDBG_SIP_PROGRAM_WINDOWS_MAX; i++)
		driver_write(&rig.driver, rig.driver.area +
			     GTDBG_SIP_WINDOW_OFFSET + i * sizeof(window),
			     &window, sizeof(window));
	return true;
}

static bool c_decides(const struct thread *thread, uint32_t lane)
{
	struct values values;

	values_compute(&values, thread->group * build->local + lane,
		       turn, thread->group);
	return decides[text_next](&values);
}

/* The lanes of a thread, or one of them: the tool finds what C does. */
static bool tool_agrees(const struct thread *thread, bool is_each,
			struct counts *counts)
{
	uint32_t one = (uint32_t)rand() % build->local;
	const char *text = texts[text_next].bytes, *why;
	bool holds;

	registers_read(thread->slot);
	for (uint32_t lane = 0; lane < build->local; lane++) {
		if (!(thread->lanes >> lane & 1) || (!is_each && lane != one))
			continue;
		if (!tool_decides(symbols, &machine, code.ip[first] - entry, lane,
				  text, &holds, &why)) {
			counts->unknown++;
			continue;
		}
		counts->tool++;
		if (!tap_expect(holds == c_decides(thread, lane),
				"the tool says that %s %s", text,
				holds ? "holds" : "does not hold"))
			return false;
	}
	return true;
}

static bool threads_decide(struct counts *counts)
{
	uint32_t each = (uint32_t)rand() % thread_count;

	for (uint32_t i = 0; i < thread_count; i++) {
		struct thread *thread = &threads[i];

		thread->holds = false;
		for (uint32_t lane = 0; lane < build->local; lane++)
			thread->holds |= thread->lanes >> lane & 1 &&
					 c_decides(thread, lane);
		if (!tool_agrees(thread, i == each, counts))
			return false;
	}
	return true;
}

/*
 * Threads stop with numbers of 64 bits that do not fit in 31, whatever the condition. Those
 * that are not wide, huge or broad are small, and so are sums and products with small numbers.
 */
static bool is_exact(const struct gtdbg_sip_op *op, const char *text)
{
	bool has_large = strstr(text, "wide") || strstr(text, "huge") ||
			 strstr(text, "broad");

	for (; op->op != GTDBG_SIP_OP_END; op++) {
		if (op->op == GTDBG_SIP_OP_COMPUTE &&
		    op->b >= GTDBG_SIP_COMPUTE_ADD_LONG &&
		    (has_large || op->a > SMALL ||
		     op->b == GTDBG_SIP_COMPUTE_SUBTRACT_LONG ||
		     op->c & GTDBG_SIP_COMPUTE_KEPT))
			return false;
		if (has_large && (op->op == GTDBG_SIP_OP_LOAD_LONG ||
				  (op->op == GTDBG_SIP_OP_FETCH &&
				   op->a >> 16 == 8)))
			return false;
	}
	return true;
}

/* All stand at the second instruction, as they should, or at the third one. */
static bool threads_check(bool is_whole, struct counts *counts)
{
	struct thread *thread;

	for (uint32_t i = 0; i < thread_count; i++) {
		bool has_stopped = stops[i].ip == code.ip[first + 1];

		thread = thread_find(stops[i].slot);
		if (!tap_expect(thread && (has_stopped ||
					   stops[i].ip == code.ip[first + 2]),
				"slot %u is at 0x%x", stops[i].slot,
				stops[i].ip) ||
		    !tap_expect(has_stopped == thread->holds ||
				(has_stopped && !is_whole), "%s: a thread %s",
				texts[text_next].bytes,
				has_stopped ? "stopped" : "ran on"))
			return false;
		driver_slot_write(&rig.driver, thread->slot, 0, thread->saved,
				  sizeof(thread->saved));
		counts->held += has_stopped;
	}
	counts->stops += thread_count;
	return true;
}

/* Without a program they stop at both, and then end. */
static bool launch_end(void)
{
	uint32_t n;

	program_bind(NULL);
	for (int i = 0; i < 2; i++)
		if (!rig_go(&rig, stops, thread_count, false) ||
		    !rig_stops(&rig, (int)thread_count, stops, &n))
			return false;
	turn++;
	return rig_go(&rig, stops, thread_count, false);
}

static bool round_run(struct counts *counts)
{
	struct gtdbg_sip_op ops[GTDBG_SIP_PROGRAM_OPS_MAX];
	char why[128];
	bool is_whole;
	uint32_t n;
	int len = gtdbg_condition_compile(symbols, code.ip[first + 1] - entry,
					  texts[text_next].bytes, ops, sizeof(ops),
					  why, sizeof(why));

	if (getenv("EU_TEST_VERBOSE"))
		printf("# %s: %s\n", texts[text_next].bytes, why);
	counts->conditions++;
	/* The host's own are many. */
	if (len < 0 && counts->refused++ % 8)
		return tap_expect(*why, "%s: no reason", texts[text_next].bytes);
	if (!threads_decide(counts))
		return false;
	if (len < 0)
		return true;
	is_whole = !*why && is_exact(ops, texts[text_next].bytes);
	*(is_whole ? &counts->whole : &counts->parts) += 1;
	program_bind(ops);
	return rig_go(&rig, stops, thread_count, false) &&
	       rig_stops(&rig, (int)thread_count, stops, &n) &&
	       threads_check(is_whole, counts);
}

/* Which of the texts' names the SIP decides here. */
static void names_try(void)
{
	struct gtdbg_sip_op ops[GTDBG_SIP_PROGRAM_OPS_MAX];
	const char *name;
	char text[TEXT_BYTES], why[128];

	for (size_t i = 0; (name = text_name(i)) && i < NAMES_MAX; i++) {
		snprintf(text, sizeof(text), "%s == 1", name);
		names_decided[i] |= gtdbg_condition_compile(
			symbols, code.ip[first + 1] - entry, text, ops,
			sizeof(ops), why, sizeof(why)) > 0 && !*why;
		if (getenv("EU_TEST_VERBOSE") && *why)
			printf("# %s: %s: %s\n", build->name, text, why);
	}
}

/* What no build decides would be nobody's to test. */
static void names_check(void)
{
	const char *name, *why;

	for (size_t i = 0; (name = text_name(i)); i++)
		tap_expect(i < NAMES_MAX && names_decided[i],
			   "the SIP never decides %s", name);
	why = tap_reason();
	tap_point(!why, "each name is decided somewhere", why);
}

static void run(uint32_t wanted)
{
	struct rig_options options = {
		.sip = SIP_OURS, .kernel = "decide", .source = "decide.cl",
		.compiler = build->compiler, .optimise = build->is_optimised,
		.items = THREADS * build->local, .local = build->local,
		.times = UINT32_MAX,
	};
	struct counts counts = { 0 };
	bool ok = session_start(&options) && window_open();
	const char *why;

	if (ok)
		names_try();
	while (ok && counts.stops < wanted && text_next < text_count) {
		ok = (text_next % ROUNDS || (launch_end() && launch_begin())) &&
		     round_run(&counts);
		text_next++;
	}
	tap_expect(!ok || counts.stops >= wanted, "%u stops of %u decided",
		   counts.stops, wanted);
	tap_expect(!ok || counts.whole * 100 >= counts.conditions * build->least,
		   "the SIP decides %u of %u", counts.whole, counts.conditions);
	printf("# %u conditions: %u by the SIP, %u in part, %u by the host\n",
	       counts.conditions, counts.whole, counts.parts, counts.refused);
	printf("# %u times decided, %u stopped; the tool: %u lanes, %u without a value\n",
	       counts.stops, counts.held, counts.tool, counts.unknown);
	why = tap_reason();
	tap_point(!why, build->name, why);
	gtdbg_symbols_destroy(symbols);
	symbols = NULL;
	rig_stop(&rig);
}

int main(int argc, char **argv)
{
	uint32_t wanted = argc > 2 ? (uint32_t)atoi(argv[2]) : STOPS;

	if (argc < 2)
		return 2;
	rig_init(argv[1]);
	printf("TAP version 13\n");
	srand(argc > 3 ? (unsigned int)atoi(argv[3]) : 13);
	/* Some are refused: those cost no stop. */
	text_count = wanted / THREADS * 32 + 256 * BUILDS;
	texts = calloc(text_count, sizeof(*texts));
	for (uint32_t i = 0; texts && i < text_count; i++)
		text_make(texts[i].bytes);
	decides = texts ? texts_compile(argv[1], texts, text_count) : NULL;
	tap_point(decides, "C compiles the conditions", "it does not");
	for (size_t i = 0; decides && i < BUILDS; i++) {
		build = &builds[i];
		run(wanted * build->share / 100);
	}
	if (decides)
		names_check();
	return tap_end();
}
