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
#include "tier/tier.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAMS 14
#define REPLAYS 40
#define LENGTH_MAX 8000

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

int main(void)
{
	const char *why;
	unsigned int i;

	if (vgt_tier_start(VGT_TIER_ALWAYS, &why)) {
		printf("ok 1 - compiled regions # SKIP %s\n1..1\n", why);
		return 0;
	}
	for (i = 0; i < PROGRAMS; i++)
		run_program(i);
	run_stop();
	return tap_finish();
}
