// SPDX-License-Identifier: GPL-2.0-only
/*
 * As many breakpoints as there may be, in many kernels, in many contexts: each
 * context has a top page table of its own, and all below in common, so every
 * kernel lies at an address of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"
#include "target.h"

#define CONTEXTS 100
#define KERNELS 1000
#define KERNELS_OF_CONTEXT (KERNELS / CONTEXTS)
#define ROUNDS 9
#define PLACES GTDBG_BREAKPOINT_PLACES_MAX

/* Physical addresses, of the peer and of what is added to it. */
#define IMAGE_PML4 (0x200000 + 0x10cc)
#define PML4 0x300000
#define PML4S 0x1800000
#define CODE 0x2000000
#define CODE_IP 0x1000000U

static uint32_t kernels[KERNELS];

static int kernels_make(struct target *target)
{
	struct peer *peer = &target->peer;

	for (uint32_t i = 0; i < KERNELS; i++) {
		uint64_t phys = CODE + 4096ULL * i;
		int id = target_kernel_add(target, "kernel", 1000 + i);

		if (id < 0)
			return id;
		kernels[i] = id;
		peer_code(peer->memory + phys, 1000 + i);
		peer_map(peer, PEER_BASE + CODE_IP + 4096 * i, phys);
	}
	for (uint32_t i = 0; i < CONTEXTS; i++)
		memcpy(peer->memory + PML4S + 4096 * i, peer->memory + PML4,
		       4096);
	return 0;
}

/* A thread of each kernel stops at its first instruction. */
static bool kernels_load(struct target *target)
{
	struct peer *peer = &target->peer;

	for (uint32_t i = 0; i < KERNELS; i++) {
		uint32_t pml4 = PML4S + 4096 * (i / KERNELS_OF_CONTEXT);

		memcpy(peer->memory + IMAGE_PML4, &pml4, 4);
		peer_stop(peer, 0, CODE_IP + 4096 * i, PEER_BREAK);
		if (!peer_wait_resumes(peer, i + 1))
			return false;
	}
	return true;
}

/* 0: not all were set and planted. */
static uint64_t places_set(struct target *target,
			   struct gtdbg_breakpoint_place *places)
{
	struct gtdbg_breakpoint_set_many request = {
		.places = (uintptr_t)places, .count = PLACES,
	};
	uint64_t start = rig_now_ns();
	uint32_t planted = 0;

	if (ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_SET_MANY,
		  &request) != PLACES)
		return 0;
	start = rig_now_ns() - start;
	for (uint32_t i = 0; i < PLACES; i++)
		planted += places[i].planted;
	return planted == PLACES ? start : 0;
}

static bool places_clear(struct target *target,
			 const struct gtdbg_breakpoint_place *places)
{
	static uint32_t ids[PLACES];
	struct gtdbg_breakpoint_clear_many request = {
		.breakpoints = (uintptr_t)ids, .count = PLACES,
	};

	for (uint32_t i = 0; i < PLACES; i++)
		ids[i] = places[i].breakpoint;
	return ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_CLEAR_MANY,
		     &request) == PLACES;
}

/* The first call also fills the kernel's caches, so the middle of some is printed. */
static void bench_places(struct target *target)
{
	static struct gtdbg_breakpoint_place places[PLACES];
	uint64_t took[ROUNDS];

	for (uint32_t i = 0; i < PLACES; i++) {
		places[i].kernel = kernels[i * KERNELS / PLACES];
		places[i].offset = 16 + 16 * (i % 8);
	}
	for (int i = 0; i < ROUNDS; i++) {
		took[i] = places_set(target, places);
		if (!took[i] || !places_clear(target, places))
			return;
	}
	line("set_4096_breakpoints_in_1000_kernels_in_100_contexts",
	     (double)percentile(took, ROUNDS, 50) / 1e6, "ms", "50");
}

/* The first thread of a launch stops where the bit is set, and costs a scan. */
static void launches_count(struct target *target)
{
	uint32_t armed = 0, entry;

	for (int round = 0; round < 20; round++) {
		peer_busy(&target->peer, false);
		usleep(50000);
		peer_busy(&target->peer, true);
		for (uint32_t i = 0; i < KERNELS; i++) {
			memcpy(&entry, target->peer.memory + CODE + 4096 * i, 4);
			armed += entry >> 30 & 1;
		}
	}
	line("stops_of_20000_launches_without_submit_events", armed, "count",
	     "0");
}

void bench_breakpoints(void)
{
	uint64_t events = RIG_ALL_EVENTS & ~(1ULL << GTDBG_EVENT_KERNEL_SUBMIT);
	struct target target;

	if (target_init(&target) || kernels_make(&target) ||
	    target_offer(&target, events, 0) || !kernels_load(&target)) {
		fprintf(stderr, "kmod_bench: no kernels in contexts\n");
	} else {
		launches_count(&target);
		bench_places(&target);
	}
	target_stop(&target);
}
