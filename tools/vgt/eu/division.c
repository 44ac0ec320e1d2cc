// SPDX-License-Identifier: MIT
#include "eu/division.h"

#include "eu/handler.h"
#include "eu/icache.h"
#include "eu/loop.h"
#include "eu/origin.h"
#include "eu/trial.h"
#include "eu/turns.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "tier/tier.h"

#include <emmintrin.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define TURNS VGT_DIVISION_TURNS
#define TURN_MAX 400 /* instructions of a turn */
#define RUN_MAX 32 /* turns that are run: nobody is heard meanwhile */
#define MASKS_MAX 4 /* sets of channels by which a loop is known */

enum {
	WAITS = 0, /* visits are counted */
	DIVIDES = 1,
	OTHER = 2, /* it is no division */
};

/* What a turn may change, of struct vgt_eu_thread. */
#define SAVED_BYTES offsetof(struct vgt_eu_thread, dispatch_mask)

struct saved {
	uint64_t instructions;
	uint8_t state[SAVED_BYTES];
};

/* A trial takes as long as some 500 divisions. */
static uint32_t try_after = 32768;
static _Atomic uint64_t taken;

/* Held to add a loop, and to try it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void vgt_division_after(uint32_t visits)
{
	try_after = visits;
}

uint64_t vgt_division_taken(void)
{
	return atomic_load(&taken);
}

const struct vgt_inst *vgt_division_turn(struct vgt_eu_thread *thread,
					 const struct vgt_division *division,
					 struct vgt_division_count *count,
					 struct vgt_origin *origin)
{
	const struct vgt_inst *inst = division->head;

	memset(count, 0, sizeof(*count));
	do {
		uint32_t flags = atomic_load_explicit(&inst->flags,
						      memory_order_relaxed);

		if (flags & VGT_INST_BREAK || inst->ip < division->head->ip ||
		    inst->ip > division->end || count->all == TURN_MAX)
			return NULL;
		if (flags & VGT_INST_LABEL) {
			thread->ip = inst->ip;
			vgt_flow_arrive(thread, inst->ip);
		}
		if (origin && !vgt_origin_step(origin, thread, inst))
			return NULL;
		count->all++;
		count->links += inst->exec == vgt_link_exec;
		inst = inst->exec(thread, inst);
	} while (inst && inst->ip != division->head->ip &&
		 (inst->ip != division->end || inst->exec == vgt_link_exec));
	return inst;
}

static void save(const struct vgt_eu_thread *thread, struct saved *saved)
{
	memcpy(saved->state, thread, SAVED_BYTES);
	saved->instructions = thread->instructions;
}

static void restore(struct vgt_eu_thread *thread, const struct saved *saved)
{
	memcpy(thread, saved->state, SAVED_BYTES);
	thread->instructions = saved->instructions;
	thread->status = VGT_EU_YIELD;
}

static struct vgt_division *known(const struct vgt_inst *head,
				  uint32_t enabled)
{
	struct vgt_division *division;

	division = atomic_load_explicit(&head->division, memory_order_acquire);
	while (division && division->enabled != enabled)
		division = division->next;
	return division;
}

static bool full(const struct vgt_inst *head)
{
	const struct vgt_division *division;
	uint32_t count = 0;

	division = atomic_load_explicit(&head->division, memory_order_acquire);
	for (; division; division = division->next)
		count++;
	return count >= MASKS_MAX;
}

/* The run loop does not ask again, and compiled regions do not end here. */
static void not_a_loop(struct vgt_inst *head)
{
	atomic_fetch_and(&head->flags, ~(uint32_t)VGT_INST_LOOP);
}

/* Visits of the head with these channels are counted from now on. */
static void add_locked(struct vgt_eu_thread *thread, struct vgt_inst *head)
{
	struct vgt_division *division;
	struct vgt_loop loop;

	if (known(head, thread->enabled))
		return;
	division = vgt_loop_scan(thread, head, &loop) ?
		   calloc(1, sizeof(*division)) : NULL;
	if (!division) {
		not_a_loop(head);
		return;
	}
	division->head = head;
	division->end = loop.end;
	division->enabled = thread->enabled;
	division->next = atomic_load(&head->division);
	atomic_store_explicit(&head->division, division, memory_order_release);
}

static void try_locked(struct vgt_eu_thread *thread,
		       struct vgt_division *division)
{
	const struct vgt_icache *cache = thread->group->walker->icache;
	uint64_t epoch = vgt_icache_epoch(cache);
	struct vgt_loop loop;
	struct saved saved;
	bool ok;

	if (atomic_load(&division->state) != WAITS)
		return;
	atomic_store(&division->epoch, epoch);
	division->digest = vgt_loop_digest(thread, division->head,
					   division->end);
	save(thread, &saved);
	ok = division->digest &&
	     vgt_loop_scan(thread, division->head, &loop) &&
	     vgt_trial(thread, &loop, division);
	if (ok)
		vgt_turns_index(division);
	restore(thread, &saved);
	/* Code has changed meanwhile: it may not be what the digest is of. */
	if (vgt_icache_epoch(cache) != epoch) {
		atomic_store(&division->visits, 0);
		return;
	}
	atomic_store_explicit(&division->state, ok ? DIVIDES : OTHER,
			      memory_order_release);
}

/* What is known of the loop at @head with these channels, if it divides. */
static struct vgt_division *find(struct vgt_eu_thread *thread,
				 struct vgt_inst *head)
{
	struct vgt_division *division = known(head, thread->enabled);
	uint32_t state;

	if (!division) {
		/* Others, of other programs too, do not wait for a trial: they try later. */
		if (!full(head) && !pthread_mutex_trylock(&lock)) {
			add_locked(thread, head);
			pthread_mutex_unlock(&lock);
		}
		return NULL;
	}
	state = atomic_load_explicit(&division->state, memory_order_acquire);
	if (state == WAITS &&
	    atomic_fetch_add_explicit(&division->visits, 1,
				      memory_order_relaxed) >= try_after) {
		if (pthread_mutex_trylock(&lock))
			return NULL;
		try_locked(thread, division);
		pthread_mutex_unlock(&lock);
		state = atomic_load(&division->state);
	}
	return state == DIVIDES ? division : NULL;
}

/* Is the code still what was tried? Breakpoints are a part of it. */
static bool current(struct vgt_eu_thread *thread,
		    struct vgt_division *division)
{
	uint64_t epoch = vgt_icache_epoch(thread->group->walker->icache);

	if (atomic_load_explicit(&division->epoch, memory_order_relaxed) ==
	    epoch)
		return true;
	if (vgt_loop_digest(thread, division->head, division->end) !=
	    division->digest)
		return false;
	atomic_store_explicit(&division->epoch, epoch, memory_order_relaxed);
	return true;
}

/* Of 16 channels: who has none enabled in the upper one has no variables there. */
static uint32_t halves(const struct vgt_eu_thread *thread)
{
	return thread->enabled >> 16 ? 2 : 1;
}

/* A variable of 16 channels, of which some may not be enabled. */
static void load(const struct vgt_eu_thread *thread, const uint16_t place[2],
		 uint64_t out[16])
{
	const uint8_t *low = thread->reg + place[0];
	const uint8_t *high = thread->reg + place[1];

	for (uint32_t k = 0; k < 16; k += 4) {
		__m128i l = _mm_loadu_si128((const __m128i *)(low + 4 * k));
		__m128i h = _mm_loadu_si128((const __m128i *)(high + 4 * k));

		_mm_storeu_si128((__m128i *)&out[k], _mm_unpacklo_epi32(l, h));
		_mm_storeu_si128((__m128i *)&out[k + 2],
				 _mm_unpackhi_epi32(l, h));
	}
}

static void store_four(uint8_t *low, uint8_t *high, const uint64_t *value)
{
	__m128 a = _mm_loadu_ps((const float *)value);
	__m128 b = _mm_loadu_ps((const float *)(value + 2));

	_mm_storeu_ps((float *)low,
		      _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
	_mm_storeu_ps((float *)high,
		      _mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
}

/* Of those of 16 channels that are @enabled. */
static void store(struct vgt_eu_thread *thread, const uint16_t place[2],
		  uint32_t enabled, const uint64_t value[16])
{
	uint8_t *low = thread->reg + place[0], *high = thread->reg + place[1];

	for (uint32_t k = 0; k < 16; k += 4) {
		if ((enabled >> k & 15) == 15) {
			store_four(low + 4 * k, high + 4 * k, &value[k]);
			continue;
		}
		for (uint32_t left = enabled & 15U << k; left;
		     left &= left - 1) {
			uint32_t lane = __builtin_ctz(left);

			vgt_store32(low + 4 * lane, value[lane]);
			vgt_store32(high + 4 * lane, value[lane] >> 32);
		}
	}
}

/* Before the first turn, and nobody waits where the turns' channels could meet him. */
static bool at_start(const struct vgt_eu_thread *thread,
		     const struct vgt_division *division)
{
	uint64_t r[32];

	if (vgt_load32(thread->reg + division->counter) != TURNS - 1)
		return false;
	for (uint32_t i = 0; i < thread->waits; i++)
		if (thread->wait[i].ip >= division->head->ip &&
		    thread->wait[i].ip <= division->end)
			return false;
	for (uint32_t h = 0; h < halves(thread); h++)
		load(thread, division->half[h].r, r + 16 * h);
	for (uint32_t left = thread->enabled; left; left &= left - 1)
		if (r[__builtin_ctz(left)])
			return false;
	return true;
}

static void divide(const struct vgt_eu_thread *thread,
		   const struct vgt_division *division, struct vgt_turns *lanes)
{
	for (uint32_t h = 0; h < halves(thread); h++) {
		const struct vgt_division_half *half = &division->half[h];

		load(thread, half->n, lanes->n + 16 * h);
		load(thread, half->d, lanes->d + 16 * h);
		if (division->quotient)
			load(thread, half->q, lanes->q_before + 16 * h);
	}
	memset(lanes->q, 0, sizeof(lanes->q));
	lanes->any = 0;
	lanes->all = UINT64_MAX;
	for (uint32_t left = thread->enabled; left; left &= left - 1) {
		uint32_t k = __builtin_ctz(left);
		uint64_t d = lanes->d[k], q = d ? lanes->n[k] / d : UINT64_MAX;

		lanes->q[k] = q;
		lanes->any |= q;
		lanes->all &= q;
	}
}

/*
 * As it is before turn @i, which is not the first one: what the turns before it have
 * left in the variables.
 */
static void skip_to(struct vgt_eu_thread *thread,
		    const struct vgt_division *division,
		    const struct vgt_turns *lanes, uint32_t i)
{
	uint64_t r[16], q[16];

	for (uint32_t h = 0; h < halves(thread); h++) {
		const struct vgt_division_half *half = &division->half[h];
		uint32_t enabled = thread->enabled >> 16 * h & 0xffff;

		for (uint32_t k = 0; k < 16; k++) {
			uint32_t lane = 16 * h + k;
			uint64_t high = lanes->q[lane] >> (i + 1);

			r[k] = (lanes->n[lane] >> (i + 1)) -
			       high * lanes->d[lane];
			q[k] = lanes->q_before[lane] | high << (i + 1);
		}
		store(thread, half->r, enabled, r);
		if (division->quotient)
			store(thread, half->q, enabled, q);
	}
	vgt_store32(thread->reg + division->counter, i);
}

/* Turn @i, of which it is @known how many instructions it has: as expected? */
static bool run_turn(struct vgt_eu_thread *thread,
		     const struct vgt_division *division, uint32_t i,
		     const struct vgt_division_count *known)
{
	struct vgt_division_count count;
	const struct vgt_inst *next;
	uint64_t executed;

	if (vgt_tier_turn(thread, division, &executed))
		return thread->ip == (i ? division->head->ip : division->end) &&
		       executed == (uint64_t)known->all - known->links;
	/* All links are subtracted already, and vgt_link_exec() subtracts its own. */
	thread->instructions += known->links;
	next = vgt_division_turn(thread, division, &count, NULL);
	return next && (next->ip == division->end) == !i &&
	       count.all == known->all;
}

/* All of the loop; false if the code has changed meanwhile. */
static bool run(struct vgt_eu_thread *thread,
		const struct vgt_division *division,
		const struct vgt_turns *lanes, uint64_t turns)
{
	for (uint64_t left = turns, done = 0; left; left ^= done) {
		uint32_t i = TURNS - 1 - __builtin_clzll(left);
		const struct vgt_division_count *known;

		done = 1ULL << i;
		known = &division->count[i][vgt_turns_kind(lanes, i)];
		if (i + 1 < TURNS && !(turns >> (i + 1) & 1))
			skip_to(thread, division, lanes, i);
		if (!run_turn(thread, division, i, known))
			return false;
	}
	return true;
}

bool vgt_division_run(struct vgt_eu_thread *thread,
		      const struct vgt_inst **inst, uint64_t *budget)
{
	struct vgt_division *division;
	const struct vgt_inst *next;
	struct vgt_turns_count count;
	struct vgt_turns lanes;
	struct saved saved;
	uint64_t turns;

	if (try_after == UINT32_MAX)
		not_a_loop((struct vgt_inst *)*inst);
	if (try_after == UINT32_MAX || thread->in_sip || !thread->enabled)
		return false;
	division = find(thread, (struct vgt_inst *)*inst);
	if (!division || !at_start(thread, division) ||
	    !current(thread, division))
		return false;
	divide(thread, division, &lanes);
	count = vgt_turns_count(division, &lanes);
	turns = vgt_turns_to_run(division, &lanes);
	if (*budget < count.all || vgt_turns_number(turns) > RUN_MAX)
		return false;
	if (vgt_tier_mode &&
	    !atomic_load_explicit(&division->asked, memory_order_relaxed))
		vgt_tier_turn_ask(thread, division);
	save(thread, &saved);
	thread->instructions -= count.links;
	next = run(thread, division, &lanes, turns) ?
	       vgt_icache_fetch(thread, division->end) : NULL;
	if (!next) {
		restore(thread, &saved);
		return false;
	}
	atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
	if (vgt_tier_mode)
		vgt_tier_mark(next);
	*budget -= count.all;
	*inst = next;
	return true;
}

void vgt_division_destroy(struct vgt_division *list)
{
	struct vgt_division *division;

	while (list) {
		division = list;
		list = division->next;
		vgt_tier_destroy(atomic_load(&division->unit));
		free(division);
	}
}
