// SPDX-License-Identifier: MIT
#include "eu/turns.h"

#include "eu/division.h"

#include <emmintrin.h>
#include <string.h>

#define TURNS VGT_DIVISION_TURNS

/* Groups that no later turn has written for all channels, and for which one has. */
struct cover {
	uint32_t open; /* the groups, as bits */
	uint32_t over[VGT_DIVISION_GROUPS];
};

static void index_group(struct vgt_division *division, uint32_t g, uint32_t i)
{
	uint8_t write = division->write[g][i];

	division->writers[i][write] |= 1U << g;
	if (write == VGT_DIVISION_ANY || write == VGT_DIVISION_OWN)
		division->maybe[g] |= 1ULL << i;
	else if (write != VGT_DIVISION_NEVER)
		division->sure[g] |= 1ULL << i;
}

/* Turns that count the same, as mostly all of one half do, are counted at once. */
static void index_count(struct vgt_division *division, uint32_t i)
{
	const uint64_t bit = 1ULL << i;

	for (uint32_t first = 0; first < i; first++) {
		if (memcmp(division->count[first], division->count[i],
			   sizeof(division->count[i])))
			continue;
		/* The first one that does stands for all. */
		division->same[first] |= bit;
		return;
	}
	division->same[i] = bit;
	division->kinds |= bit;
}

void vgt_turns_index(struct vgt_division *division)
{
	memset(division->writers, 0, sizeof(division->writers));
	memset(division->sure, 0, sizeof(division->sure));
	memset(division->maybe, 0, sizeof(division->maybe));
	memset(division->same, 0, sizeof(division->same));
	division->kinds = 0;
	for (uint32_t i = 0; i < TURNS; i++) {
		for (uint32_t g = 0; g < division->groups; g++)
			index_group(division, g, i);
		index_count(division, i);
	}
}

uint32_t vgt_turns_kind(const struct vgt_turns *turns, uint32_t i)
{
	return (turns->any >> i & 1) + (turns->all >> i & 1);
}

/* Which channels' quotients have bit @i. */
static uint32_t channels_set(const struct vgt_turns *turns, uint32_t enabled,
			     uint32_t i)
{
	const uint32_t channels = enabled >> 16 ? 32 : 16;
	uint32_t set = 0;

	if (turns->all >> i & 1)
		return enabled;
	for (uint32_t k = 0; k < channels; k += 2) {
		__m128i two = _mm_loadu_si128((const __m128i *)&turns->q[k]);

		/* The bit is the sign then. */
		two = _mm_sll_epi64(two, _mm_cvtsi32_si128(63 - i));
		set |= (uint32_t)_mm_movemask_pd(_mm_castsi128_pd(two)) << k;
	}
	return set;
}

/* Those of @groups of which not all of the channels of @set have been written. */
static uint32_t uncovered(const struct cover *cover, uint32_t groups,
			  uint32_t set)
{
	uint32_t out = 0;

	for (uint32_t left = groups; left; left &= left - 1) {
		uint32_t g = __builtin_ctz(left);

		if (set & ~cover->over[g])
			out |= 1U << g;
	}
	return out;
}

/* @groups are written for @set, and so may be for all of @enabled. */
static void cover_some(struct cover *cover, uint32_t groups, uint32_t set,
		       uint32_t enabled)
{
	for (uint32_t left = groups; left; left &= left - 1) {
		uint32_t g = __builtin_ctz(left);

		cover->over[g] |= set;
		if (!(enabled & ~cover->over[g]))
			cover->open &= ~(1U << g);
	}
}

/* They have to be written anew, by a turn before. */
static void reopen(struct cover *cover, uint32_t groups)
{
	for (uint32_t left = groups; left; left &= left - 1)
		cover->over[__builtin_ctz(left)] = 0;
	cover->open |= groups;
}

static uint32_t all_groups(const struct vgt_division *division)
{
	return division->groups ? UINT32_MAX >> (32 - division->groups) : 0;
}

/* Does turn @i have to be run? What is open changes if so. */
static bool take_turn(const struct vgt_division *division,
		      const struct vgt_turns *turns, uint32_t i,
		      struct cover *cover)
{
	const uint32_t *writers = division->writers[i];
	uint32_t bit = turns->any >> i & 1 ? UINT32_MAX : 0, set = 0;
	uint32_t whole = writers[VGT_DIVISION_ALWAYS] |
			 writers[VGT_DIVISION_COPY] |
			 (writers[VGT_DIVISION_ANY] & bit);
	uint32_t own = cover->open & writers[VGT_DIVISION_OWN] & bit;
	bool copies = cover->open & writers[VGT_DIVISION_COPY] ||
		      division->reads[i] == UINT32_MAX;

	if (own) {
		set = channels_set(turns, division->enabled, i);
		own = uncovered(cover, own, set);
	}
	if (i && !own &&
	    !(cover->open & (whole | writers[VGT_DIVISION_OTHER])))
		return false;
	cover->open &= ~whole;
	cover_some(cover, own, set, division->enabled);
	if (copies)
		reopen(cover, division->reads[i] & all_groups(division));
	return true;
}

/* Turns before @i that write something which is open. */
static uint64_t writers_of(const struct vgt_division *division,
			   const struct vgt_turns *turns, uint32_t open,
			   uint32_t i)
{
	uint64_t out = 0;

	for (uint32_t left = open; left; left &= left - 1) {
		uint32_t g = __builtin_ctz(left);

		out |= division->sure[g] | (division->maybe[g] & turns->any);
	}
	/* They have higher numbers. */
	return out & ~1ULL << i;
}

uint64_t vgt_turns_to_run(const struct vgt_division *division,
			  const struct vgt_turns *turns)
{
	struct cover cover = { .open = all_groups(division) };
	uint64_t out = 0, left = 1;

	while (left) {
		uint32_t i = __builtin_ctzll(left);

		if (take_turn(division, turns, i, &cover))
			out |= 1ULL << i;
		left = writers_of(division, turns, cover.open, i);
	}
	return out;
}

static void count_turns(struct vgt_turns_count *count,
			const struct vgt_division_count *of, uint64_t which)
{
	uint32_t turns = vgt_turns_number(which);

	count->all += of->all * turns;
	count->links += of->links * turns;
}

struct vgt_turns_count vgt_turns_count(const struct vgt_division *division,
				       const struct vgt_turns *turns)
{
	struct vgt_turns_count count = { 0 };

	for (uint64_t left = division->kinds; left; left &= left - 1) {
		uint32_t i = __builtin_ctzll(left);
		const struct vgt_division_count *of = division->count[i];
		uint64_t same = division->same[i];

		count_turns(&count, &of[0], same & ~turns->any);
		count_turns(&count, &of[1], same & turns->any & ~turns->all);
		count_turns(&count, &of[2], same & turns->all);
	}
	return count;
}
