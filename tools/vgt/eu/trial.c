// SPDX-License-Identifier: MIT
/*
 * A loop is believed to divide if each of its 64 turns does what a division's
 * turn does, to numbers that are random or just at the edge of what decides, if
 * nothing else decides anything (origin.h), and if nothing else that it leaves
 * depends on what turns before it have left. To see that, each turn is run twice, from registers that differ in every bit but those
 * of the variables and those that no turn changes. What is the same afterwards
 * was written; what is as it was before was not. What is neither was computed
 * from something that the turn before may have left: a flag that is put aside.
 */
#include "eu/trial.h"

#include "eu/division.h"
#include "eu/handler.h"
#include "eu/loop.h"
#include "eu/origin.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define TURNS VGT_DIVISION_TURNS
#define ROUNDS 3
#define GUESSES 8 /* turns by which the variables are found */

/* Which channels' quotients get a bit. */
enum { NONE, FIRST, LAST, ALL, SOME, CASES };

/* What a turn may change. */
struct image {
	uint8_t reg[VGT_REG_MME];
	uint64_t flags;
	int32_t acc_hi[16];
	uint32_t acc_wide, acc_signed;
};

#define WORDS (sizeof(struct image) / 8)

struct lane {
	uint64_t n, d, r, q;
};

struct trial {
	struct vgt_eu_thread *thread;
	struct vgt_division *division;
	uint32_t enabled;
	uint32_t first, end; /* channels whose variables are known */
	uint64_t random;
	struct lane lane[32];
	union bits {
		struct image image;
		uint64_t word[WORDS];
	} a, b, after_a, after_b;
	union bits variables, kept; /* bits of variables; that no turn changes */
	union bits written[TURNS][CASES];
	union bits odd[TURNS][CASES]; /* neither written nor not */
	union bits mixed[TURNS]; /* now written, now not */
	uint8_t group[WORDS * 64]; /* of each bit */
	bool copies[TURNS];
	struct vgt_origin origin;
};

static uint64_t rnd(struct trial *trial)
{
	trial->random ^= trial->random << 13;
	trial->random ^= trial->random >> 7;
	trial->random ^= trial->random << 17;
	return trial->random;
}

static void get(const struct vgt_eu_thread *thread, struct image *image)
{
	memcpy(image->reg, thread->reg, VGT_REG_MME);
	memcpy(&image->flags, thread->reg + VGT_REG_F, 8);
	memcpy(image->acc_hi, thread->acc_hi, sizeof(image->acc_hi));
	image->acc_wide = thread->acc_wide;
	image->acc_signed = thread->acc_signed;
}

static void put(struct vgt_eu_thread *thread, const struct image *image)
{
	memcpy(thread->reg, image->reg, VGT_REG_MME);
	memcpy(thread->reg + VGT_REG_F, &image->flags, 8);
	memcpy(thread->acc_hi, image->acc_hi, sizeof(image->acc_hi));
	thread->acc_wide = image->acc_wide;
	thread->acc_signed = image->acc_signed;
}

/* A turn with all the channels there, at whose end they are together again. */
static bool turn_seen(struct trial *trial, uint32_t i, const union bits *from,
		      union bits *to, struct vgt_division_count *count,
		      struct vgt_origin *origin)
{
	struct vgt_eu_thread *thread = trial->thread;
	const struct vgt_division *division = trial->division;
	const struct vgt_inst *next;

	put(thread, &from->image);
	thread->enabled = trial->enabled;
	thread->waits = 0;
	next = vgt_division_turn(thread, division, count, origin);
	if (!next || next->ip != (i ? division->head->ip : division->end))
		return false;
	vgt_flow_arrive(thread, next->ip);
	get(thread, &to->image);
	return thread->enabled == trial->enabled && !thread->waits;
}

static bool turn(struct trial *trial, uint32_t i, const union bits *from,
		 union bits *to, struct vgt_division_count *count)
{
	return turn_seen(trial, i, from, to, count, NULL);
}

static void model(struct lane *lane, uint32_t i)
{
	lane->r = lane->r << 1 | (lane->n >> i & 1);
	if (lane->r < lane->d)
		return;
	lane->r -= lane->d;
	lane->q |= 1ULL << i;
}

static uint64_t load(const union bits *from, const uint16_t place[2],
		     uint32_t lane)
{
	uint32_t at = 4 * (lane % 16);

	return vgt_load32(from->image.reg + place[0] + at) |
	       (uint64_t)vgt_load32(from->image.reg + place[1] + at) << 32;
}

static void store(union bits *to, const uint16_t place[2], uint32_t lane,
		  uint64_t value)
{
	uint32_t at = 4 * (lane % 16);

	vgt_store32(to->image.reg + place[0] + at, value);
	vgt_store32(to->image.reg + place[1] + at, value >> 32);
}

static struct lane lane_load(const struct trial *trial,
			     const union bits *from, uint32_t lane)
{
	const struct vgt_division_half *half = &trial->division->half[lane / 16];
	struct lane out = {
		.n = load(from, half->n, lane),
		.d = load(from, half->d, lane),
		.r = load(from, half->r, lane),
	};

	if (trial->division->quotient)
		out.q = load(from, half->q, lane);
	return out;
}

static void lane_store(struct trial *trial, union bits *to, uint32_t lane,
		       const struct lane *values)
{
	const struct vgt_division_half *half = &trial->division->half[lane / 16];

	store(to, half->n, lane, values->n);
	store(to, half->d, lane, values->d);
	store(to, half->r, lane, values->r);
	if (trial->division->quotient)
		store(to, half->q, lane, values->q);
}

static bool lane_equal(const struct trial *trial, const struct lane *a,
		       const struct lane *b)
{
	return a->n == b->n && a->d == b->d && a->r == b->r &&
	       (!trial->division->quotient || a->q == b->q);
}

/* Turns of what is anywhere, by which the variables are found. */
struct guess {
	uint32_t i[GUESSES];
	union bits before[GUESSES], after[GUESSES];
};

static bool guess_run(struct trial *trial, struct guess *guess)
{
	struct vgt_division_count count;

	for (uint32_t g = 0; g < GUESSES; g++) {
		union bits *before = &guess->before[g];

		for (uint32_t k = 0; k < WORDS; k++)
			before->word[k] = rnd(trial);
		guess->i[g] = 1 + rnd(trial) % (TURNS - 1);
		vgt_store32(before->image.reg + trial->division->counter,
			    guess->i[g]);
		if (!turn(trial, guess->i[g], before, &guess->after[g],
			  &count))
			return false;
	}
	return true;
}

static bool guess_fits(const struct trial *trial, const struct guess *guess,
		       uint32_t half)
{
	for (uint32_t g = 0; g < GUESSES; g++) {
		for (uint32_t k = 16 * half; k < 16 * half + 16; k++) {
			struct lane lane, after;

			if (!(trial->enabled >> k & 1))
				continue;
			lane = lane_load(trial, &guess->before[g], k);
			after = lane_load(trial, &guess->after[g], k);
			model(&lane, guess->i[g]);
			if (!lane_equal(trial, &lane, &after))
				return false;
		}
	}
	return true;
}

/* Numbers below @limit, all different, one after the other; false at the end. */
static bool next_choice(uint32_t *choice, uint32_t count, uint32_t limit)
{
	uint32_t at, twice;

	do {
		for (at = 0; at < count && ++choice[at] == limit; at++)
			choice[at] = 0;
		if (at == count)
			return false;
		twice = 0;
		for (uint32_t i = 0; i < count; i++)
			for (uint32_t k = 0; k < i; k++)
				twice += choice[i] == choice[k];
	} while (twice);
	return true;
}

static bool guess_half(struct trial *trial, const struct guess *guess,
		       const struct vgt_loop *loop, uint32_t h)
{
	struct vgt_division_half *half = &trial->division->half[h];
	const struct vgt_loop_half *from = &loop->half[h];
	uint32_t changed = trial->division->quotient ? 4 : 2;
	uint32_t c[4] = { 0 }, f[4];

	if (from->carried < changed || from->fixed < 4)
		return false;
	while (next_choice(c, changed, from->carried)) {
		for (uint32_t i = 0; i < changed; i++)
			(i < 2 ? half->r : half->q)[i % 2] = from->carry[c[i]];
		memset(f, 0, sizeof(f));
		while (next_choice(f, 4, from->fixed)) {
			for (uint32_t i = 0; i < 4; i++)
				(i < 2 ? half->n : half->d)[i % 2] =
					from->fix[f[i]];
			if (guess_fits(trial, guess, h))
				return true;
		}
	}
	return false;
}

static bool find_variables(struct trial *trial, const struct vgt_loop *loop)
{
	struct guess *guess = malloc(sizeof(*guess));
	bool found = false;

	if (guess && guess_run(trial, guess)) {
		for (uint32_t q = 0; q < 2 && !found; q++) {
			trial->division->quotient = !q;
			found = true;
			for (uint32_t h = 0; h < 2; h++)
				if (trial->enabled >> 16 * h & 0xffff)
					found &= guess_half(trial, guess, loop,
							    h);
		}
	}
	free(guess);
	return found;
}

static uint64_t below(struct trial *trial, uint64_t limit)
{
	return limit ? rnd(trial) % limit : rnd(trial);
}

/* @sum, or a number with one of @d's halves, that is on the same side of @d. */
static uint64_t share_half(uint64_t sum, uint64_t d, bool set)
{
	uint64_t low = (sum & ~(uint64_t)UINT32_MAX) | (uint32_t)d;
	uint64_t high = (d & ~(uint64_t)UINT32_MAX) | (uint32_t)sum;

	if (sum % 2 && (high >= d) == set)
		return high;
	return (low >= d) == set ? low : sum;
}

/* Numbers of a turn that does, or does not, give the quotient a bit. */
static void choose(struct trial *trial, struct lane *lane, uint32_t i, bool set)
{
	uint64_t sum, room;

	lane->d = rnd(trial) >> rnd(trial) % 64;
	if (rnd(trial) % 8 == 0)
		lane->d <<= 32;
	if (!set)
		lane->d += !lane->d;
	else if (rnd(trial) % 16 == 0)
		lane->d = 0;
	if (set) {
		room = lane->d && lane->d < -lane->d ? lane->d : -lane->d;
		if (rnd(trial) % 4 == 0 && lane->d)
			room = room < 4 ? room : 4;
		sum = lane->d + below(trial, room);
	} else {
		sum = rnd(trial) % 4 ? below(trial, lane->d) : lane->d - 1;
	}
	if (rnd(trial) % 8 == 0)
		sum = share_half(sum, lane->d, set);
	lane->r = sum >> 1;
	lane->q = rnd(trial);
	lane->n = (rnd(trial) & ~(1ULL << i)) | (sum & 1) << i;
}

static uint32_t channels(struct trial *trial, uint32_t which)
{
	uint32_t all = trial->enabled;

	switch (which) {
	case NONE:
		return 0;
	case FIRST:
		return all & -all;
	case LAST:
		return 1U << (31 - __builtin_clz(all));
	case ALL:
		return all;
	default:
		return all & rnd(trial);
	}
}

/* Registers whose channels have the variables' halves: some are equal to others. */
static void fill_alike(struct trial *trial, uint32_t i)
{
	uint32_t which = rnd(trial) % 6;

	for (uint32_t at = 0; at < VGT_REG_MME; at += 4) {
		uint64_t random = at % 32 ? trial->random : rnd(trial);
		uint32_t k = (random >> 8) % 4 * 8 + at / 4 % 8;
		const struct lane *lane = &trial->lane[k];
		uint64_t number[6];

		if (k < trial->first || k >= trial->end || !(random >> 16 & 3))
			continue;
		number[0] = lane->n;
		number[1] = lane->d;
		number[2] = lane->r;
		number[3] = lane->q;
		number[4] = lane->r << 1 | (lane->n >> i & 1);
		number[5] = number[4] < lane->d ? number[4] :
			    number[4] - lane->d;
		vgt_store32(trial->a.image.reg + at,
			    number[which] >> (random >> 24) % 2 * 32);
	}
}

/* Two starts of turn @i that differ in all but the variables. */
static void prepare(struct trial *trial, uint32_t i, uint32_t set, bool alike)
{
	uint16_t counter = trial->division->counter;

	for (uint32_t k = trial->first; k < trial->end; k++)
		choose(trial, &trial->lane[k], i, set >> k & 1);
	for (uint32_t k = 0; k < WORDS; k++)
		trial->a.word[k] = rnd(trial);
	if (alike)
		fill_alike(trial, i);
	for (uint32_t k = 0; k < WORDS; k++)
		trial->b.word[k] = trial->a.word[k] ^ ~trial->kept.word[k];
	for (uint32_t k = trial->first; k < trial->end; k++) {
		lane_store(trial, &trial->a, k, &trial->lane[k]);
		lane_store(trial, &trial->b, k, &trial->lane[k]);
	}
	vgt_store32(trial->a.image.reg + counter, i);
	vgt_store32(trial->b.image.reg + counter, i);
}

/* Did it do what a division's turn does? */
static bool divides(struct trial *trial, uint32_t i, const union bits *after)
{
	for (uint32_t k = trial->first; k < trial->end; k++) {
		struct lane want = trial->lane[k], is;

		if (trial->enabled >> k & 1)
			model(&want, i);
		is = lane_load(trial, after, k);
		if (!lane_equal(trial, &want, &is))
			return false;
	}
	return !i || vgt_load32(after->image.reg + trial->division->counter) ==
		     i - 1;
}

/* Is what no turn has changed as it was? */
static bool keeps(const struct trial *trial)
{
	uint64_t changed = 0;

	for (uint32_t k = 0; k < WORDS; k++)
		changed |= (trial->a.word[k] ^ trial->after_a.word[k]) &
			   trial->kept.word[k] & ~trial->variables.word[k];
	return !changed;
}

static bool count_equal(struct vgt_division_count *known,
			const struct vgt_division_count *count)
{
	if (!known->all)
		*known = *count;
	return known->all == count->all && known->links == count->links;
}

/* What was written, and what was not. */
static void sort(struct trial *trial, uint32_t i, uint32_t which,
		 uint32_t round)
{
	union bits *written = &trial->written[i][which];

	for (uint32_t k = 0; k < WORDS; k++) {
		uint64_t a = trial->after_a.word[k], b = trial->after_b.word[k];
		uint64_t other = ~trial->variables.word[k];
		uint64_t same = ~(a ^ b) & ~trial->kept.word[k];
		uint64_t kept = ~(a ^ trial->a.word[k]) &
				~(b ^ trial->b.word[k]);

		trial->odd[i][which].word[k] |= ~(same | kept) & other;
		if (round && which != SOME)
			trial->mixed[i].word[k] |= (written->word[k] ^ same) &
						   other;
		written->word[k] = same & other;
	}
}

/* Nothing comes from where it does not in a division: see origin.h. */
static bool origin_known(struct trial *trial, uint32_t i)
{
	struct vgt_division_count count;
	struct vgt_origin *origin = &trial->origin;

	vgt_origin_begin(origin, trial->enabled);
	for (uint32_t k = trial->first; k < trial->end; k++) {
		const struct lane *lane = &trial->lane[k];

		vgt_origin_channel(origin, k,
				   lane->r << 1 | (lane->n >> i & 1), lane->d);
	}
	return turn_seen(trial, i, &trial->a, &trial->after_a, &count,
			 origin) &&
	       vgt_origin_end(origin);
}

static bool try_turn(struct trial *trial, uint32_t i, uint32_t which,
		     uint32_t round)
{
	struct vgt_division_count count[2] = { 0 }, *known;
	uint32_t set = channels(trial, which);

	prepare(trial, i, set, round == ROUNDS - 1);
	if (!round && which != FIRST && which != LAST &&
	    !origin_known(trial, i))
		return false;
	if (!turn(trial, i, &trial->a, &trial->after_a, &count[0]) ||
	    !turn(trial, i, &trial->b, &trial->after_b, &count[1]) ||
	    !divides(trial, i, &trial->after_a) ||
	    !divides(trial, i, &trial->after_b) || !keeps(trial))
		return false;
	known = &trial->division->count[i][!set ? 0 :
					   set == trial->enabled ? 2 : 1];
	if (!count_equal(known, &count[0]) || !count_equal(known, &count[1]))
		return false;
	sort(trial, i, which, round);
	return true;
}

/* What no turn changes, whatever it finds. */
static bool find_kept(struct trial *trial)
{
	struct vgt_division_count count;

	memset(&trial->kept, -1, sizeof(trial->kept));
	for (uint32_t i = 0; i < TURNS; i++) {
		for (uint32_t which = 0; which < CASES; which++) {
			prepare(trial, i, channels(trial, which), false);
			if (!turn(trial, i, &trial->a, &trial->after_a,
				  &count))
				return false;
			for (uint32_t k = 0; k < WORDS; k++)
				trial->kept.word[k] &=
					~(trial->a.word[k] ^
					  trial->after_a.word[k]);
		}
	}
	return true;
}

static void variables_mark(struct trial *trial)
{
	static const struct lane ones = { -1ULL, -1ULL, -1ULL, -1ULL };

	memset(&trial->variables, 0, sizeof(trial->variables));
	for (uint32_t k = trial->first; k < trial->end; k++)
		lane_store(trial, &trial->variables, k, &ones);
	vgt_store32(trial->variables.image.reg + trial->division->counter,
		    UINT32_MAX);
}

/* All bits of bytes that have one. */
static uint64_t whole_bytes(uint64_t word)
{
	word |= word >> 4 & 0x0f0f0f0f0f0f0f0fULL;
	word |= word >> 2 & 0x3f3f3f3f3f3f3f3fULL;
	word |= word >> 1 & 0x7f7f7f7f7f7f7f7fULL;
	return (word & 0x0101010101010101ULL) * 0xff;
}

/* Bytes of word @k that turn @i writes whoever gets a bit, and sometimes copies. */
static uint64_t copied(const struct trial *trial, uint32_t i, uint32_t k)
{
	uint64_t all = ~whole_bytes(trial->mixed[i].word[k]), some = 0;

	for (uint32_t which = NONE; which <= ALL; which++) {
		uint64_t odd = whole_bytes(trial->odd[i][which].word[k]);
		uint64_t written = trial->written[i][which].word[k];

		some |= odd;
		all &= (odd & ~whole_bytes(written)) |
		       (~odd & ~whole_bytes(~written));
	}
	return all & some;
}

/* Bits of it of which it is not known whether it writes them, and from what. */
static uint64_t unclear(const struct trial *trial, uint32_t i, uint32_t k)
{
	uint64_t odd = 0;

	for (uint32_t which = 0; which < CASES; which++)
		odd |= trial->odd[i][which].word[k];
	return (whole_bytes(odd) | trial->mixed[i].word[k]) &
	       ~copied(trial, i, k);
}

/* When turn @i writes each bit of word @k: a bit in one of @when. */
static void when_written(const struct trial *trial, uint32_t i, uint32_t k,
			 uint64_t when[VGT_DIVISION_OTHER + 1])
{
	const union bits *written = trial->written[i];
	uint64_t none = written[NONE].word[k], first = written[FIRST].word[k];
	uint64_t last = written[LAST].word[k], all = written[ALL].word[k];
	uint64_t copy = copied(trial, i, k), odd = unclear(trial, i, k);

	when[VGT_DIVISION_ALWAYS] = none & first & last & all;
	when[VGT_DIVISION_NEVER] = ~(none | first | last | all);
	when[VGT_DIVISION_ANY] = ~none & first & last & all;
	when[VGT_DIVISION_OWN] = ~none & all & ~(first & last);
	when[VGT_DIVISION_COPY] = 0;
	when[VGT_DIVISION_OTHER] = none ^ (none & first & last & all);
	when[VGT_DIVISION_OTHER] |= ~none & ~all & (first | last);
	for (uint32_t w = 0; w <= VGT_DIVISION_OTHER; w++)
		when[w] &= ~(odd | copy);
	when[VGT_DIVISION_COPY] = copy;
	when[VGT_DIVISION_OTHER] |= odd;
}

/* Some channels must not find what none, one or all did not show. */
static bool as_expected(const struct trial *trial, uint32_t i)
{
	for (uint32_t k = 0; k < WORDS; k++) {
		uint64_t when[VGT_DIVISION_OTHER + 1];
		uint64_t some = trial->written[i][SOME].word[k];

		when_written(trial, i, k, when);
		if ((some & when[VGT_DIVISION_NEVER]) |
		    (~some & when[VGT_DIVISION_ALWAYS]))
			return false;
	}
	return true;
}

/* The group of what is written so; VGT_DIVISION_GROUPS if there are too many. */
static uint32_t group_of(struct vgt_division *division,
			 const uint8_t write[TURNS])
{
	uint32_t g = 0;

	while (g < division->groups &&
	       memcmp(division->write[g], write, TURNS))
		g++;
	if (g == division->groups && g < VGT_DIVISION_GROUPS)
		memcpy(division->write[division->groups++], write, TURNS);
	return g;
}

/* Bits of word @k in @todo that are written as its first one, and how. */
static uint64_t alike(const struct trial *trial, uint32_t k, uint64_t todo,
		      uint8_t write[TURNS])
{
	uint64_t bit = todo & -todo;

	for (uint32_t i = 0; i < TURNS; i++) {
		uint64_t when[VGT_DIVISION_OTHER + 1];
		uint32_t w = 0;

		when_written(trial, i, k, when);
		while (!(when[w] & bit))
			w++;
		write[i] = w;
		todo &= when[w];
	}
	return todo;
}

static bool add_word(struct trial *trial, uint32_t k)
{
	uint64_t todo = ~0ULL, like;
	uint8_t write[TURNS];

	for (; todo; todo &= ~like) {
		uint32_t g;

		like = alike(trial, k, todo, write);
		g = group_of(trial->division, write);
		if (g == VGT_DIVISION_GROUPS)
			return false;
		for (uint32_t i = 0; i < 64; i++)
			if (like >> i & 1)
				trial->group[64 * k + i] = g;
	}
	return true;
}

/* Does turn @i copy something else if the bits of @group are others? */
static bool copies_from(struct trial *trial, uint32_t i, uint32_t which,
			const union bits *group)
{
	struct vgt_division_count count;
	uint64_t changed = 0;

	prepare(trial, i, channels(trial, which), false);
	for (uint32_t k = 0; k < WORDS; k++)
		trial->b.word[k] = trial->a.word[k] ^ group->word[k];
	if (!turn(trial, i, &trial->a, &trial->after_a, &count) ||
	    !turn(trial, i, &trial->b, &trial->after_b, &count))
		return true;
	for (uint32_t k = 0; k < WORDS; k++) {
		uint64_t other = trial->after_a.word[k] ^
				 trial->after_b.word[k];

		if (other)
			changed |= other & copied(trial, i, k);
	}
	return changed;
}

static void find_readers(struct trial *trial, uint32_t g)
{
	struct vgt_division *division = trial->division;
	union bits group;

	memset(&group, 0, sizeof(group));
	for (uint32_t k = 0; k < WORDS * 64; k++)
		if (trial->group[k] == g)
			group.word[k / 64] |= 1ULL << k % 64;
	for (uint32_t k = 0; k < WORDS; k++)
		group.word[k] &= ~trial->variables.word[k];
	for (uint32_t i = 0; i < TURNS; i++)
		for (uint32_t which = 0; which < CASES; which++)
			if (trial->copies[i] && division->reads[i] >> g == 0 &&
			    copies_from(trial, i, which, &group))
				division->reads[i] |= 1U << g;
}

/* Which turns copy something, and from where: from anywhere if it is not clear. */
static void find_reads(struct trial *trial)
{
	struct vgt_division *division = trial->division;

	for (uint32_t i = 0; i < TURNS; i++) {
		uint64_t copies = 0, odd = 0;

		for (uint32_t k = 0; k < WORDS; k++) {
			copies |= copied(trial, i, k);
			odd |= unclear(trial, i, k);
		}
		division->reads[i] = odd ? UINT32_MAX : 0;
		trial->copies[i] = copies && !odd;
	}
	for (uint32_t g = 0; g < division->groups; g++)
		find_readers(trial, g);
}

static bool try_all(struct trial *trial)
{
	memset(trial->odd, 0, sizeof(trial->odd));
	memset(trial->mixed, 0, sizeof(trial->mixed));
	variables_mark(trial);
	if (!find_kept(trial))
		return false;
	for (uint32_t i = 0; i < TURNS; i++) {
		for (uint32_t which = 0; which < CASES; which++)
			for (uint32_t r = 0; r < ROUNDS; r++)
				if (!try_turn(trial, i, which, r))
					return false;
		if (!as_expected(trial, i))
			return false;
	}
	trial->division->groups = 0;
	for (uint32_t k = 0; k < WORDS; k++)
		if (!add_word(trial, k))
			return false;
	find_reads(trial);
	return true;
}

bool vgt_trial(struct vgt_eu_thread *thread, const struct vgt_loop *loop,
	       struct vgt_division *division)
{
	struct trial *trial = malloc(sizeof(*trial));
	bool ok;

	if (!trial)
		return false;
	trial->thread = thread;
	trial->division = division;
	trial->enabled = thread->enabled;
	trial->first = trial->enabled & 0xffff ? 0 : 16;
	trial->end = trial->enabled >> 16 || loop->lanes < 16 ? loop->lanes :
		     16;
	trial->random = 0x9e3779b97f4a7c15ULL;
	vgt_origin_init(&trial->origin, division);
	division->counter = loop->counter;
	division->end = loop->end;
	ok = find_variables(trial, loop) && try_all(trial);
	free(trial);
	return ok;
}
