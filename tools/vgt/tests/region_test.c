// SPDX-License-Identifier: MIT
/*
 * Compiled regions against the interpreter: random programs (structured.h), from
 * random registers and masks. Both engines stop after the same number of
 * instructions, anywhere, and everything that a debugger could see must be the
 * same. The compiled one gets there in one run or in several.
 */
#include "engine_rig.h"
#include "eu/handler.h"
#include "generate.h"
#include "message_rig.h"
#include "port/message.h"
#include "same.h"
#include "structured.h"
#include "tap.h"
#include "tier/kept.h"
#include "tier/llvm.h"
#include "tier/tier.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CR0_FLOAT_DENORMALS (1U << 7)
#define PROGRAMS 12
#define PROGRAMS_ELSEWHERE 6
#define PROGRAMS_SHORT 10
#define PROGRAMS_NARROW 4
#define REPLAYS 40
#define LENGTH_MAX 8000
#define SHORT 50 /* instructions: more than a text of few lines has */
#define HOSTILE 600 /* instructions: more than a region has, and than a page */
#define HOSTILE_NS 5000000000ULL /* a region: some 6 ms for an instruction were seen */
#define HOSTILE_BYTES (64ULL << 20)

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

/* Denormals are zeros, or are not. */
static void load(struct engine_rig *rig, const struct model_state *state)
{
	uint8_t *cr0 = rig->thread.reg + VGT_REG_CR;

	engine_rig_load(rig, state, 0);
	if (state->flags & 1)
		vgt_store32(cr0, vgt_load32(cr0) & ~CR0_FLOAT_DENORMALS);
	rig->thread.mxcsr = vgt_eu_float_mode(&rig->thread);
	rig->thread.dispatch_mask = state->enabled;
	memset(rig->thread.acc_hi, 0, sizeof(rig->thread.acc_hi));
}

/* One thread with code of its own, which the caller frees behind it. */
static struct engine_rig *rig_of(const char *text, uint32_t enabled,
				 uint8_t **code_out)
{
	struct model_state state = { .enabled = enabled };
	struct engine_rig *rig;
	size_t bytes;

	*code_out = engine_assemble(text, "", &bytes);
	if (!*code_out)
		abort();
	rig = engine_rig_create(*code_out, bytes, false);
	load(rig, &state);
	return rig;
}

static void set_mode(enum vgt_tier_mode mode)
{
	const char *why;

	vgt_tier_start(mode, &why);
}

/* A link to other code takes of what may be executed, and counts for nothing. */
static void run_to(struct vgt_eu_thread *thread, uint64_t instructions)
{
	while (instructions > thread->instructions)
		if (vgt_eu_run(thread, instructions - thread->instructions) !=
		    VGT_EU_YIELD)
			return;
}

/* To the same instruction on both engines; at times with @all channels. */
static bool replay(struct engine_rig *compiled, struct engine_rig *plain,
		   struct structured *source, bool all, char *why, size_t size)
{
	uint64_t length = 1 + structured_below(source, LENGTH_MAX), part, left;
	struct model_state state;
	char what[300];

	if (structured_below(source, 4) == 0)
		length = 1 + length % 100;
	structured_state(&state, source->lanes, &source->random);
	if (all)
		state.enabled = UINT32_MAX >> (32 - source->lanes);
	load(compiled, &state);
	load(plain, &state);
	compiled->thread.ip = source->start;
	plain->thread.ip = source->start;
	set_mode(VGT_TIER_ALWAYS);
	for (left = length; left; left -= part) {
		part = structured_below(source, 2) ? left :
		       1 + generate_random(&source->random) % left;
		vgt_eu_run(&compiled->thread, part);
	}
	set_mode(VGT_TIER_OFF);
	run_to(&plain->thread, compiled->thread.instructions);
	snprintf(what, sizeof(what), "it executed %llu",
		 (unsigned long long)compiled->thread.instructions);
	if (compiled->thread.instructions <= length &&
	    (source->crosses || compiled->thread.instructions == length) &&
	    same_thread(&compiled->thread, &plain->thread, what,
			sizeof(what)))
		return true;
	snprintf(why, size, "%llu instructions, channels 0x%x: %s",
		 (unsigned long long)length, state.enabled, what);
	return false;
}

/* Program @number: some are compact, some cross pages, some have small regions. */
static uint8_t *make_program(struct structured *source, unsigned int number,
			     bool is_short, size_t *bytes_out)
{
	const unsigned int kind = number % 8;

	if (kind == 1)
		source->option = "-Xautocompact";
	source->crosses = kind == 2;
	vgt_tier_limit(kind == 3 && !is_short ? 1 + number % 20 : UINT32_MAX);
	return is_short ? structured_make_short(source, number, 8, bytes_out) :
			  structured_make(source, number, 8, bytes_out);
}

/* With short loops, which keep registers, or others. */
static void run_program(unsigned int number, bool is_short)
{
	struct structured *source = calloc(1, sizeof(*source));
	struct engine_rig *compiled, *plain;
	char why[400] = "", name[100];
	uint64_t before = vgt_tier_entered();
	bool ok = true;
	uint8_t *code;
	size_t bytes;
	int i;

	if (!source)
		abort();
	code = make_program(source, number, is_short, &bytes);
	snprintf(name, sizeof(name), "program %u, %s%u channels", number,
		 is_short ? "short loops, " : "", source->lanes);
	if (!code) {
		tap_result(false, name, "not assembled");
		free(source);
		return;
	}
	compiled = engine_rig_create(code, bytes, false);
	plain = engine_rig_create(code, bytes, false);
	for (i = 0; i < REPLAYS && ok; i++)
		ok = replay(compiled, plain, source, is_short && i < REPLAYS / 2,
			    why, sizeof(why));
	if (vgt_tier_entered() == before) {
		ok = false;
		snprintf(why, sizeof(why), "no region was entered");
	}
	if (!ok && getenv("VGT_TEST_VERBOSE"))
		puts(source->text);
	tap_result(ok, name, why);
	vgt_tier_limit(UINT32_MAX);
	engine_rig_destroy(compiled);
	engine_rig_destroy(plain);
	free(code);
	free(source);
}

/* Of which some have registers that loops keep. */
static void run_short(unsigned int first, unsigned int count, const char *name)
{
	uint32_t before = vgt_kept_loops();

	for (unsigned int i = 0; i < count; i++)
		run_program(first + i, true);
	tap_result(vgt_kept_loops() >= before + count, name,
		   "fewer loops than programs were compiled like that");
	printf("# %u loops\n", vgt_kept_loops() - before);
}

#define ELSEWHERE 0x30000

/* At @ip, where the code is as well. */
static bool replay_at(struct engine_rig *compiled, struct engine_rig *plain,
		      struct structured *source, uint32_t ip, char *why,
		      size_t size)
{
	uint64_t length = 1 + structured_below(source, LENGTH_MAX);
	struct model_state state;

	structured_state(&state, source->lanes, &source->random);
	load(compiled, &state);
	load(plain, &state);
	compiled->thread.ip = ip;
	plain->thread.ip = ip;
	set_mode(VGT_TIER_OFF);
	vgt_eu_run(&plain->thread, length);
	set_mode(VGT_TIER_ALWAYS);
	vgt_eu_run(&compiled->thread, length);
	return same_thread(&compiled->thread, &plain->thread, why, size);
}

/* The same code in other pages and another cache is not compiled again, and is right. */
static void run_elsewhere(unsigned int number)
{
	const struct vgt_tier_spent *spent = vgt_tier_spent();
	struct structured *source = calloc(1, sizeof(*source));
	struct engine_rig *compiled, *plain;
	char why[400] = "nothing was compiled before", name[100];
	uint32_t reused, regions;
	uint8_t *code;
	size_t bytes;
	bool ok;

	code = source ? structured_make(source, number, 8, &bytes) : NULL;
	if (!code)
		abort();
	plain = engine_rig_create(code, bytes, false);
	vgt_icache_load(plain->walker.icache, ELSEWHERE, code, bytes);
	compiled = engine_rig_create(code, bytes, false);
	regions = atomic_load(&spent->regions);
	ok = replay_at(compiled, plain, source, 0, why, sizeof(why));
	ok = ok && atomic_load(&spent->regions) > regions;
	engine_rig_destroy(compiled);
	compiled = engine_rig_create(code, bytes, false);
	vgt_icache_load(compiled->walker.icache, ELSEWHERE, code, bytes);
	reused = atomic_load(&spent->reused);
	for (unsigned int i = 0; i < REPLAYS && ok; i++)
		ok = replay_at(compiled, plain, source, ELSEWHERE, why,
			       sizeof(why));
	reused = atomic_load(&spent->reused) - reused;
	snprintf(name, sizeof(name), "program %u elsewhere, as it was compiled",
		 number);
	tap_result(ok && reused, name, why);
	printf("# %u regions used again\n", reused);
	engine_rig_destroy(compiled);
	engine_rig_destroy(plain);
	free(code);
	free(source);
}

struct stopper {
	struct engine_rig *rig;
	uint64_t before; /* regions entered when it was made */
};

static void *set_stop(void *arg)
{
	const struct stopper *stopper = arg;

	while (vgt_tier_entered() == stopper->before)
		usleep(1000);
	atomic_fetch_or(&stopper->rig->thread.pending, VGT_EU_PENDING_STOP);
	return NULL;
}

/* A request of a driver ends a region that would run for ever. */
static void run_stop(void)
{
	struct stopper stopper;
	struct engine_rig *rig;
	pthread_t thread;
	uint8_t *code;

	rig = rig_of("LOOP:\n"
		     "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
		     "(W) jmpi (1|M0) LOOP\n", 0xffff, &code);
	stopper = (struct stopper){ .rig = rig, .before = vgt_tier_entered() };
	if (pthread_create(&thread, NULL, set_stop, &stopper))
		abort();
	vgt_eu_run(&rig->thread, UINT64_MAX);
	pthread_join(thread, NULL);
	tap_result(rig->thread.status == VGT_EU_YIELD &&
		   rig->thread.instructions < UINT64_MAX / 2,
		   "a request stops an endless region", NULL);
	engine_rig_destroy(rig);
	free(code);
}

#define TURN 4 /* instructions of the loop below */
#define ROUND (1U << 20) /* turns */
#define TURNS_MAX (1ULL << 36)

/* A round more, and whether the sums are those of all turns so far. */
static bool run_round(struct engine_rig *rig, uint64_t *turns)
{
	*turns += ROUND;
	vgt_eu_run(&rig->thread, (uint64_t)ROUND * TURN);
	for (unsigned int i = 0; i < 16; i++)
		if (vgt_load32(rig->thread.reg + 10 * VGT_GRF_BYTES + 4 * i) !=
		    (uint32_t)(3 * *turns))
			return false;
	return true;
}

/* What is executed often enough is compiled once more, while it runs. */
static void run_better(void)
{
	const struct vgt_tier_spent *spent = vgt_tier_spent();
	const uint32_t regions = atomic_load(&spent->regions);
	struct engine_rig *rig;
	uint8_t *code;
	uint64_t turns = 0;
	bool ok;

	rig = rig_of("LOOP:\n"
		     "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
		     "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
		     "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
		     "(W) jmpi (1|M0) LOOP\n", 0xffff, &code);
	set_mode(VGT_TIER_HOT);
	do {
		ok = run_round(rig, &turns);
	} while (ok && atomic_load(&spent->regions) < regions + 2 &&
		 turns < TURNS_MAX);
	for (unsigned int i = 0; i < 3 && ok; i++)
		ok = run_round(rig, &turns);
	tap_result(ok && turns < TURNS_MAX,
		   "what runs long is compiled once more", NULL);
	engine_rig_destroy(rig);
	free(code);
}

#define LOOPS 60 /* of a page that has room for 64 regions */
#define ADDS 3

/* Loops one behind the other, none of which ends. */
static uint8_t *make_loops(size_t *bytes_out)
{
	char *text = malloc(LOOPS * (ADDS + 2) * 100), *at = text;
	uint8_t *code;

	if (!text)
		abort();
	for (unsigned int i = 0; i < LOOPS; i++) {
		at += sprintf(at, "L%u:\n", i);
		for (unsigned int j = 0; j < ADDS; j++)
			at += sprintf(at, "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d %u:d\n",
				      100 + i);
		at += sprintf(at, "(W) jmpi (1|M0) L%u\n", i);
	}
	code = engine_assemble(text, "", bytes_out);
	free(text);
	return code;
}

/* A page has room for the better ones, too: what they replace is freed. */
static void run_page(void)
{
	const struct vgt_tier_spent *spent = vgt_tier_spent();
	const uint32_t regions = atomic_load(&spent->regions);
	const struct model_state state = { .enabled = 0xffff };
	struct engine_rig *rig;
	char why[100];
	size_t bytes;
	uint8_t *code = make_loops(&bytes);
	uint64_t turns;

	if (!code)
		abort();
	rig = engine_rig_create(code, bytes, false);
	set_mode(VGT_TIER_HOT);
	for (turns = 0; turns < TURNS_MAX; turns += (uint64_t)LOOPS * ROUND) {
		for (unsigned int i = 0; i < LOOPS; i++) {
			engine_rig_load(rig, &state, bytes / LOOPS * i);
			vgt_eu_run(&rig->thread, ROUND);
		}
		if (atomic_load(&spent->regions) >= regions + 2 * LOOPS)
			break;
	}
	snprintf(why, sizeof(why), "%u regions",
		 atomic_load(&spent->regions) - regions);
	tap_result(turns < TURNS_MAX, "all of a page is compiled once more",
		   why);
	engine_rig_destroy(rig);
	free(code);
}

#define HALF 16 /* instructions of each of two regions */
#define TINY 8 /* of such that no entry is worth what it takes */
#define PHASES 6

/* Are regions compiled for a loop that is twice as long as one, in so many turns? */
static bool compiles(unsigned int half, unsigned int number, uint32_t least,
		     uint64_t most)
{
	const struct vgt_tier_spent *spent = vgt_tier_spent();
	const uint32_t regions = atomic_load(&spent->regions);
	char text[2 * HALF * 60 + 60], *at = text;
	struct engine_rig *rig;
	uint8_t *code;
	uint64_t turns;

	at += sprintf(at, "LOOP:\n");
	for (unsigned int i = 0; i < 2 * half - 1; i++)
		at += sprintf(at, "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d %u:d\n",
			      200 + number);
	sprintf(at, "(W) jmpi (1|M0) LOOP\n");
	rig = rig_of(text, 0xffff, &code);
	for (turns = 0; turns < most; turns += ROUND / 16) {
		if (atomic_load(&spent->regions) >= regions + least)
			break;
		vgt_eu_run(&rig->thread, ROUND / 16 * 2 * half);
	}
	engine_rig_destroy(rig);
	free(code);
	return turns < most;
}

static void run_in_turns(void)
{
	bool ok = true;

	set_mode(VGT_TIER_HOT);
	vgt_tier_limit(HALF);
	for (unsigned int i = 0; i < PHASES && ok; i++)
		ok = compiles(HALF, i, 4, TURNS_MAX / PHASES);
	tap_result(ok, "regions that take turns are both compiled", NULL);
	vgt_tier_limit(TINY);
	tap_result(!compiles(TINY, PHASES, 1, 2 * ROUND),
		   "regions that are over at once are not", NULL);
	vgt_tier_limit(UINT32_MAX);
}

static uint64_t address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long long pages = 0;

	if (!file || fscanf(file, "%llu", &pages) != 1)
		abort();
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

/* What has so much left, in a process that ends: 0 or 1, whether all was compiled. */
static int run_starved(struct engine_rig *rig, const struct model_state *state,
		       const struct vgt_eu_thread *want, uint64_t bytes)
{
	struct rlimit limit = { .rlim_max = RLIM_INFINITY };
	pid_t child = fork();
	char what[300];
	int status;

	if (!child) {
		limit.rlim_cur = address_space() + bytes;
		setrlimit(RLIMIT_AS, &limit);
		load(rig, state);
		set_mode(VGT_TIER_ALWAYS);
		vgt_eu_run(&rig->thread, want->instructions);
		_exit(same_thread(&rig->thread, want, what, sizeof(what)) ?
		      vgt_llvm_is_broken() : 2);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ?
	       WEXITSTATUS(status) : 3;
}

/* A compiler without memory is the end of compiling, and of nothing else. */
static void run_without_memory(void)
{
	struct structured *source = calloc(1, sizeof(*source));
	struct engine_rig *compiled, *plain;
	unsigned int seen[4] = { 0 };
	struct model_state state;
	uint8_t *code;
	size_t bytes;

	code = source ? structured_make(source, 2, 8, &bytes) : NULL;
	if (!code)
		abort();
	compiled = engine_rig_create(code, bytes, false);
	plain = engine_rig_create(code, bytes, false);
	structured_state(&state, source->lanes, &source->random);
	set_mode(VGT_TIER_OFF);
	load(plain, &state);
	vgt_eu_run(&plain->thread, LENGTH_MAX);
	/* Decoded before memory ends. */
	load(compiled, &state);
	vgt_eu_run(&compiled->thread, LENGTH_MAX);
	for (uint64_t left = 0; left < 6 << 20; left += 300000)
		seen[run_starved(compiled, &state, &plain->thread, left)]++;
	tap_result(seen[1] && !seen[2] && !seen[3],
		   "a compiler without memory gives up alone", NULL);
	printf("# compiled %u times, gave up %u times\n", seen[0], seen[1]);
	engine_rig_destroy(compiled);
	engine_rig_destroy(plain);
	free(code);
	free(source);
}

static int descend(volatile const char *above)
{
	volatile char here[1000];

	here[0] = *above;
	return here[0] ? descend(here) + here[0] : 0;
}

static void without_end(void *depth)
{
	*(int *)depth = descend("x");
}

/* Nor is one without a stack, in a process that ends. */
static void run_without_stack(void)
{
	pid_t child = fork();
	int status, depth;

	if (!child)
		_exit(vgt_llvm_try(without_end, &depth) || !vgt_llvm_is_broken());
	tap_result(waitpid(child, &status, 0) == child && WIFEXITED(status) &&
		   !WEXITSTATUS(status),
		   "a compiler without a stack gives up alone", NULL);
}

/* Code of anybody's takes no more than so much of the compiler's time and memory. */
static void run_hostile(char *text, uint32_t enabled, uint32_t most,
			const char *name)
{
	const struct vgt_tier_spent *spent = vgt_tier_spent();
	const uint32_t regions = atomic_load(&spent->regions);
	const uint64_t ns = atomic_load(&spent->ns);
	uint64_t before, after, grown, taken;
	struct engine_rig *rig;
	uint32_t made;
	uint8_t *code;
	char why[200];

	rig = rig_of(text, enabled, &code);
	before = address_space();
	set_mode(VGT_TIER_ALWAYS);
	vgt_eu_run(&rig->thread, HOSTILE - 1);
	after = address_space();
	grown = after > before ? after - before : 0;
	made = atomic_load(&spent->regions) - regions;
	taken = atomic_load(&spent->ns) - ns;
	snprintf(why, sizeof(why), "%u regions, %llu ms, %llu KiB", made,
		 (unsigned long long)taken / 1000000,
		 (unsigned long long)grown / 1024);
	/* Each goes as far as it may. */
	tap_result(made && made < most &&
		   taken < made * HOSTILE_NS && grown < made * HOSTILE_BYTES,
		   name, why);
	printf("# %s\n", why);
	engine_rig_destroy(rig);
	free(code);
	free(text);
}

/*
 * From @state, do both engines come to the same? @before, or NULL, is what both have run
 * from, interpreted, when all is decoded.
 */
static bool same_engines(const uint8_t *code, size_t bytes,
			 const struct model_state *before,
			 const struct model_state *state, char *why,
			 size_t size)
{
	const uint64_t entered = vgt_tier_entered();
	struct engine_rig *rig[2];
	bool same;

	for (int i = 0; i < 2; i++) {
		rig[i] = engine_rig_create(code, bytes, false);
		set_mode(VGT_TIER_OFF);
		if (before) {
			load(rig[i], before);
			vgt_eu_run(&rig[i]->thread, SHORT);
		}
		set_mode(i ? VGT_TIER_ALWAYS : VGT_TIER_OFF);
		load(rig[i], state);
		vgt_eu_run(&rig[i]->thread, SHORT);
	}
	snprintf(why, size, "nothing was compiled");
	same = vgt_tier_entered() > entered &&
	       same_thread(&rig[1]->thread, &rig[0]->thread, why, size);
	engine_rig_destroy(rig[0]);
	engine_rig_destroy(rig[1]);
	return same;
}

/*
 * A jump into the middle of an instruction that is one itself from there on, as is the
 * immediate behind it: the page knows all of them, and no region can have all.
 */
static void run_overlap(void)
{
	static const char *const text =
		"(W) mov (1|M0) f0.0<1>:ud r30.0<0;1,0>:ud\n"
		"(W&f0.0) jmpi (1|M0) NEXT\n"
		"(W) add (8|M0) r14.0<1>:ud r14.0<8;8,1>:ud r21.0<8;8,1>:ud\n"
		"(W) add (8|M0) r10.0<1>:ud r12.3<0;1,0>:ud 0x0c054220:ud\n"
		/* add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r21.0<8;8,1>:ud, compacted */
		"(W) mov (1|M0) r10.0<1>:q 0x240c004015000c03:q\n"
		"NEXT:\n"
		"(W) add (8|M0) r16.0<1>:ud r16.0<8;8,1>:ud r21.0<8;8,1>:ud\n"
		"LAST:\n(W) jmpi (1|M0) LAST\n";
	struct model_state jumps = { .enabled = 0xff }, stays;
	uint64_t random = 5;
	char what[300];
	uint8_t *code;
	size_t bytes;
	bool ok;

	code = engine_assemble(text, "", &bytes);
	if (!code)
		abort();
	/* From the second instruction to the second half of the fourth. */
	vgt_store32(code + 28, 40);
	structured_state(&jumps, 8, &random);
	stays = jumps;
	memset(jumps.grf + 30 * 32, 0xff, 4);
	memset(stays.grf + 30 * 32, 0, 4);
	ok = same_engines(code, bytes, &jumps, &stays, what, sizeof(what));
	tap_result(ok, "an instruction in another one", what);
	free(code);
}

/* What stands between a product and its completion, most of it the interpreter's. */
static const char *const between[] = {
	"mov (8|M0) acc0.0<2>:d r14.0<8;8,1>:d",
	"(f0.0) mov (8|M0) acc0.0<2>:ud r14.0<8;8,1>:ud",
	"mul (8|M0) acc0.0<1>:d -r14.0<8;8,1>:d r16.0<16;8,2>:w",
	"mul (8|M0) acc0.0<1>:ud r14.0<8;8,1>:ud (abs)r16.0<8;8,1>:d",
	"mov (8|M0) acc0.1<2>:uw 0xffff:uw",
	"mov (8|M0) acc0.0<1>:f -1.0:f",
	"mach (8|M0) r24.0<1>:d -r14.0<8;8,1>:d r16.0<8;8,1>:d {AccWrEn}",
	"addc (8|M0) r24.0<1>:ud r14.0<8;8,1>:ud r16.0<8;8,1>:ud {AccWrEn}",
	"(f0.0) subb (8|M0) r24.0<1>:ud r14.0<8;8,1>:ud r16.0<8;8,1>:ud {AccWrEn}",
	"add (8|M0) acc0.0<1>:d r14.0<8;8,1>:d r16.0<8;8,1>:d",
	"mov (16|M0) acc0.0<1>:d r14.0<8;8,1>:d",
};

static bool same_between(unsigned int n, uint32_t enabled, char *why,
			 size_t size)
{
	struct model_state state = { 0 };
	uint64_t random = n + 1;
	uint8_t *code;
	char text[1000];
	size_t bytes;
	bool same;

	structured_state(&state, 8, &random);
	state.enabled = enabled;
	snprintf(text, sizeof(text),
		 "mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r12.0<16;8,2>:uw\n"
		 "%s\n"
		 "mach (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d {AccWrEn}\n"
		 "mov (8|M0) r22.0<1>:d acc0.0<8;8,1>:d\n"
		 "LAST:\n(W) jmpi (1|M0) LAST\n", between[n]);
	code = engine_assemble(text, "", &bytes);
	if (!code)
		abort();
	same = same_engines(code, bytes, NULL, &state, why, size);
	free(code);
	return same;
}

static void run_between(void)
{
	char why[400] = "", what[300];
	bool ok = true;

	for (unsigned int n = 0; n < 2 * sizeof(between) / sizeof(between[0]);
	     n++) {
		if (same_between(n / 2, n % 2 ? 0xff : 0x5a, what,
				 sizeof(what)))
			continue;
		ok = false;
		snprintf(why, sizeof(why), "%s: %s", between[n / 2], what);
	}
	tap_result(ok, "what stands between a product and its completion", why);
}

#define SIP_IP (RIG_BYTES - 4096)

/* The instruction at which a thread entered the system routine after a read of nowhere. */
static uint32_t fault_place(enum vgt_tier_mode mode)
{
	static const struct vgt_options options = {
		.threads = 1, .fault_halt = true,
	};
	static const char text[] =
		"send.dc1 (8|M0) r20 r10 null 0x0 0x04146eff\n"
		"add (8|M0) r30.0<1>:d r30.0<8;8,1>:d 1:d\n"
		"add (8|M0) r30.0<1>:d r30.0<8;8,1>:d 1:d\n"
		"LAST:\n(W) jmpi (1|M0) LAST\n";
	struct model_state state = { .enabled = 0xff };
	struct rig *rig = rig_create();
	size_t bytes, sip_bytes;
	uint8_t *code = engine_assemble(text, "", &bytes);
	uint8_t *sip = engine_assemble("sync.host null\n", "", &sip_bytes);
	uint32_t place;

	if (!code || !sip || !rig)
		abort();
	rig->device->options = &options;
	rig->walker.state.instruction_base = RIG_VA;
	rig->walker.state.sip = SIP_IP;
	rig->walker.state.sip_valid = true;
	memcpy(rig_at(rig, RIG_VA), code, bytes);
	memcpy(rig_at(rig, RIG_VA + SIP_IP), sip, sip_bytes);
	free(code);
	free(sip);
	set_mode(mode);
	for (uint32_t i = 0; i < 8; i++) /* addresses of 64 bits */
		memcpy(state.grf + 32 * 10 + 8 * i, &(uint64_t){ 0xdead000 },
		       8);
	engine_thread_load(rig->thread, &state, 0);
	rig->thread->in_sip = false;
	vgt_icache_leave(&rig->worker->reader);
	vgt_eu_run(rig->thread, 1000);
	place = rig->thread->in_sip ?
		vgt_load32(rig->thread->reg + VGT_REG_CR + 8) : UINT32_MAX;
	rig_destroy(rig);
	return place;
}

static void run_fault(void)
{
	char why[100];
	uint32_t plain = fault_place(VGT_TIER_OFF);
	uint32_t compiled = fault_place(VGT_TIER_ALWAYS);

	snprintf(why, sizeof(why), "at 0x%x, interpreted at 0x%x", compiled,
		 plain);
	tap_result(plain == 16 && compiled == plain,
		   "a fault halts before the next instruction", why);
}

/* usage: region_test [FIRST COUNT]: programs of these numbers, and nothing else */
int main(int argc, char **argv)
{
	const char *why;
	unsigned int i;

	if (vgt_tier_start(VGT_TIER_ALWAYS, &why)) {
		printf("ok 1 - compiled regions # SKIP %s\n1..1\n", why);
		return 0;
	}
	if (argc > 2) {
		for (i = 0; i < (unsigned int)atoi(argv[2]); i++) {
			run_program(atoi(argv[1]) + i, false);
			run_program(atoi(argv[1]) + i, true);
		}
		return tap_finish();
	}
	if (SANITIZED)
		printf("# without memory: not under sanitizers\n");
	else
		run_without_memory();
	run_without_stack();
	run_hostile(structured_hostile(HOSTILE), UINT32_MAX, HOSTILE / 100,
		    "what is hard to compile is bounded");
	run_hostile(structured_products(HOSTILE), 0x5555, HOSTILE / 100,
		    "so are products");
	run_hostile(structured_branches(HOSTILE), 0xffff, HOSTILE / 20,
		    "so are branches");
	run_hostile(structured_branches(HOSTILE), 0x5555, HOSTILE / 20,
		    "so are branches of some channels");
	run_between();
	run_overlap();
	run_fault();
	for (i = 0; i < PROGRAMS; i++)
		run_program(i, false);
	run_short(0, PROGRAMS_SHORT, "short loops keep registers");
	for (i = 0; i < PROGRAMS_ELSEWHERE; i++)
		run_elsewhere(PROGRAMS + i);
	run_stop();
	run_better();
	run_page();
	run_in_turns();
	vgt_llvm_narrow();
	run_hostile(structured_products(HOSTILE), 0x5555, HOSTILE / 100,
		    "so are products, for a lesser processor");
	for (i = 0; i < PROGRAMS_NARROW; i++)
		run_program(PROGRAMS + PROGRAMS_ELSEWHERE + i, false);
	run_short(PROGRAMS_SHORT, PROGRAMS_NARROW,
		  "so they do on a lesser processor");
	return tap_finish();
}
