// SPDX-License-Identifier: MIT
/*
 * libFuzzer target for compiled regions. An input is code: all that is reached of it
 * is compiled, and runs, with a device around it. What it must leave alone is what a
 * debugger relies on: it executes no more than it may. Sanitizers are in tier/ and eu/
 * alone.
 */
#include "engine_rig.h"
#include "eu/icache.h"
#include "generate.h"
#include "message_rig.h"
#include "tier/tier.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LENGTH 3000
#define PARTS 3 /* runs of a thread */

static struct rig *start(void)
{
	struct rig *rig = rig_create();
	const char *why;

	if (!rig || vgt_tier_start(VGT_TIER_ALWAYS, &why))
		abort();
	rig->walker.state.instruction_base = RIG_VA;
	return rig;
}

static void load(struct rig *rig, const uint8_t *data, size_t size)
{
	static const struct model_inst none;
	struct vgt_eu_thread *thread = rig->thread;
	struct model_state state;
	uint64_t random = size;

	for (size_t i = 0; i < RIG_BYTES; i++)
		*rig_at(rig, RIG_VA + i) = i < size ? data[i] : 0;
	vgt_icache_invalidate(rig->device->icache);
	generate_state(&state, &none, &random);
	memset(thread, 0, sizeof(*thread));
	thread->group = &rig->group;
	thread->worker = rig->worker;
	engine_thread_load(thread, &state, 0);
	thread->enabled |= 1;
	thread->dispatch_mask = thread->enabled;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rig *rig;
	uint64_t before;

	if (!rig)
		rig = start();
	load(rig, data, size);
	for (int i = 0; i < PARTS; i++) {
		before = rig->thread->instructions;
		vgt_eu_run(rig->thread, LENGTH);
		if (rig->thread->instructions - before > LENGTH)
			abort();
	}
	return 0;
}
