// SPDX-License-Identifier: MIT
/*
 * Compiled regions against the interpreter: random programs (structured.h), from
 * random registers and masks. Both engines stop after the same number of
 * instructions, anywhere, and everything that a debugger could see must be the
 * same. The compiled one gets there in one run or in several.
 */
#include "engine_rig.h"
#include "generate.h"
#include "same.h"
#include "structured.h"
#include "tap.h"
#include "tier/llvm.h"
#include "tier/tier.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAMS 14
#define REPLAYS 40
#define LENGTH_MAX 8000
#define HOSTILE 600 /* instructions: more than a region has, and than a page */
#define HOSTILE_LINE 300
#define HOSTILE_NS 5000000000ULL /* a region: some 6 ms for an instruction were seen */
#define HOSTILE_BYTES (64ULL << 20)

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

static void load(struct engine_rig *rig, const struct model_state *state)
{
	engine_rig_load(rig, state, 0);
	rig->thread.dispatch_mask = state->enabled;
	memset(rig->thread.acc_hi, 0, sizeof(rig->thread.acc_hi));
}

static void set_mode(enum vgt_tier_mode mode)
{
	const char *why;

	vgt_tier_start(mode, &why);
}

/* To the same instruction on both engines. */
static bool replay(struct engine_rig *compiled, struct engine_rig *plain,
		   struct structured *source, char *why, size_t size)
{
	uint64_t length = 1 + structured_below(source, LENGTH_MAX), part, left;
	struct model_state state;
	char what[300];

	if (structured_below(source, 4) == 0)
		length = 1 + length % 100;
	structured_state(&state, source->lanes, &source->random);
	load(compiled, &state);
	load(plain, &state);
	set_mode(VGT_TIER_OFF);
	vgt_eu_run(&plain->thread, length);
	set_mode(VGT_TIER_ALWAYS);
	for (left = length; left; left -= part) {
		part = structured_below(source, 2) ? left :
		       1 + generate_random(&source->random) % left;
		vgt_eu_run(&compiled->thread, part);
	}
	if (same_thread(&compiled->thread, &plain->thread, what,
			sizeof(what)))
		return true;
	snprintf(why, size, "%llu instructions, channels 0x%x: %s",
		 (unsigned long long)length, state.enabled, what);
	return false;
}

static void run_program(unsigned int number)
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
	code = structured_make(source, number, 8, &bytes);
	snprintf(name, sizeof(name), "program %u, %u channels", number,
		 source->lanes);
	if (!code) {
		tap_result(false, name, "not assembled");
		free(source);
		return;
	}
	compiled = engine_rig_create(code, bytes, false);
	plain = engine_rig_create(code, bytes, false);
	for (i = 0; i < REPLAYS && ok; i++)
		ok = replay(compiled, plain, source, why, sizeof(why));
	if (vgt_tier_entered() == before) {
		ok = false;
		snprintf(why, sizeof(why), "no region was entered");
	}
	if (!ok && getenv("VGT_TEST_VERBOSE"))
		puts(source->text);
	tap_result(ok, name, why);
	engine_rig_destroy(compiled);
	engine_rig_destroy(plain);
	free(code);
	free(source);
}

static void *set_stop(void *arg)
{
	struct engine_rig *rig = arg;
	uint64_t before = vgt_tier_entered();

	while (vgt_tier_entered() == before)
		usleep(1000);
	atomic_fetch_or(&rig->thread.pending, VGT_EU_PENDING_STOP);
	return NULL;
}

/* A request of a driver ends a region that would run for ever. */
static void run_stop(void)
{
	struct model_state state = { .enabled = 0xffff };
	struct engine_rig *rig;
	pthread_t thread;
	uint8_t *code;
	size_t bytes;

	code = engine_assemble("LOOP:\n"
			       "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
			       "(W) jmpi (1|M0) LOOP\n", "", &bytes);
	if (!code)
		abort();
	rig = engine_rig_create(code, bytes, false);
	load(rig, &state);
	if (pthread_create(&thread, NULL, set_stop, rig))
		abort();
	vgt_eu_run(&rig->thread, UINT64_MAX);
	pthread_join(thread, NULL);
	tap_result(rig->thread.status == VGT_EU_YIELD &&
		   rig->thread.instructions < UINT64_MAX / 2,
		   "a request stops an endless region", NULL);
	engine_rig_destroy(rig);
	free(code);
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

/* What LLVM takes longest for: bytes in as many channels as there are. */
static char *hostile_text(unsigned int count)
{
	char *text = malloc(count * HOSTILE_LINE + HOSTILE_LINE);
	uint64_t random = 1;
	struct model_inst inst;
	size_t len = 0;

	if (!text)
		abort();
	for (unsigned int row = 0; count; row++) {
		if (!generate_rows[row].name)
			row = 0;
		if (!(generate_rows[row].dst >> MODEL_B & 1) ||
		    !generate_inst(&inst, &generate_rows[row], MODEL_B, 32,
				   &random))
			continue;
		generate_text(&inst, text + len, HOSTILE_LINE - 1);
		len += strlen(text + len);
		text[len++] = '\n';
		count--;
	}
	text[len] = 0;
	return text;
}

/* Code of anybody's takes no more than so much of the compiler's time and memory. */
static void run_hostile(void)
{
	const struct vgt_tier_spent *spent = vgt_tier_spent();
	const uint32_t regions = atomic_load(&spent->regions);
	const uint64_t ns = atomic_load(&spent->ns);
	struct model_state state = { .enabled = UINT32_MAX };
	char *text = hostile_text(HOSTILE), why[200];
	uint64_t before, grown, taken;
	struct engine_rig *rig;
	uint32_t made;
	uint8_t *code;
	size_t bytes;

	code = engine_assemble(text, "", &bytes);
	if (!code)
		abort();
	rig = engine_rig_create(code, bytes, false);
	load(rig, &state);
	before = address_space();
	set_mode(VGT_TIER_ALWAYS);
	vgt_eu_run(&rig->thread, HOSTILE - 1);
	grown = address_space() - before;
	made = atomic_load(&spent->regions) - regions;
	taken = atomic_load(&spent->ns) - ns;
	snprintf(why, sizeof(why), "%u regions, %llu ms, %llu KiB", made,
		 (unsigned long long)taken / 1000000,
		 (unsigned long long)grown / 1024);
	/* Each goes as far as it may. */
	tap_result(made && made < HOSTILE / 100 &&
		   taken < made * HOSTILE_NS && grown < made * HOSTILE_BYTES,
		   "what is hard to compile is bounded", why);
	printf("# %s\n", why);
	engine_rig_destroy(rig);
	free(code);
	free(text);
}

int main(void)
{
	const char *why;
	unsigned int i;

	if (vgt_tier_start(VGT_TIER_ALWAYS, &why)) {
		printf("ok 1 - compiled regions # SKIP %s\n1..1\n", why);
		return 0;
	}
	if (SANITIZED)
		printf("# without memory: not under sanitizers\n");
	else
		run_without_memory();
	run_hostile();
	for (i = 0; i < PROGRAMS; i++)
		run_program(i);
	run_stop();
	return tap_finish();
}
