// SPDX-License-Identifier: MIT
/*
 * 64-bit divisions that the engine takes at once, against the same engine without
 * that: random numbers, of all sizes, and random channels. Both stop after the
 * same number of instructions, anywhere, and everything that a debugger could see
 * must be the same. It must be the same, too, of loops that do almost the same:
 * each has one instruction less, or (division_near.c) some more.
 */
#include "division_near.h"
#include "division_text.h"
#include "engine_rig.h"
#include "eu/code.h"
#include "eu/division.h"
#include "eu/icache.h"
#include "eu/inst.h"
#include "generate.h"
#include "same.h"
#include "tap.h"
#include "tier/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 40000
#define LENGTH_MAX 60000 /* some eight divisions */
#define REPLAYS 40
#define REPLAYS_LESS 3
#define REPLAYS_NEAR 6
#define NOWHERE SIZE_MAX
#define LINES_MAX 200
#define NOP_BYTES 16
#define FULL 1000 /* regions: more than a page may have */

/* Registers of channels' numbers, low and high: dividend, divisor. */
struct half {
	unsigned int n[2], d[2];
};

struct loop {
	const char *name, *const *line, *end;
	unsigned int halves, channels; /* of a half */
	struct half half[2];
};

#define WIDE { { { 74, 70 }, { 28, 34 } }, { { 72, 68 }, { 30, 32 } } }

static const struct loop loops[] = {
	{ "quotient", division_quotient, DIVISION_QUOTIENT_END, 2, 16, WIDE },
	{ "remainder", division_remainder, DIVISION_REMAINDER_END, 2, 16, WIDE },
	{ "quotient of 16 channels", division_quotient16,
	  DIVISION_QUOTIENT16_END, 1, 16, { { { 11, 13 }, { 15, 17 } } } },
	{ "remainder of 16 channels", division_remainder16,
	  DIVISION_REMAINDER16_END, 1, 16, { { { 11, 13 }, { 15, 17 } } } },
	{ "quotient of 8 channels", division_quotient8,
	  DIVISION_QUOTIENT8_END, 1, 8, { { { 30, 31 }, { 32, 33 } } } },
};

static uint64_t random_state = 1;

static unsigned int below(unsigned int limit)
{
	return generate_random(&random_state) % limit;
}

/* Behind the loop: other numbers, and then it divides again. */
static int again(const struct loop *loop, char *text)
{
	int len = 0;

	for (unsigned int h = 0; h < loop->halves; h++) {
		const struct half *half = &loop->half[h];

		len += sprintf(text + len,
			       "add (%u|M%u) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
			       loop->channels, 16 * h, half->n[0], half->n[0], half->d[0]);
		len += sprintf(text + len,
			       "xor (%u|M%u) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
			       loop->channels, 16 * h, half->n[1], half->n[1], half->n[0]);
		len += sprintf(text + len,
			       "shr (%u|M%u) r%u.0<1>:ud r%u.0<8;8,1>:ud 1:w\n",
			       loop->channels, 16 * h, half->d[0], half->d[0]);
	}
	return len + sprintf(text + len, "(W) jmpi (1|M0) AGAIN\n");
}

/* Without line @less, and behind so many instructions that do nothing. */
static uint8_t *assemble(const struct loop *loop, size_t less, size_t nops,
			 size_t *bytes_out)
{
	char *text = calloc(1, TEXT_BYTES);
	uint8_t *code;
	size_t len = 0, i;

	if (!text)
		abort();
	for (i = 0; i < nops; i++)
		len += sprintf(text + len, "nop\n");
	len += sprintf(text + len, "AGAIN:\n");
	for (i = 0; loop->line[i]; i++)
		if (i != less)
			len += sprintf(text + len, "%s\n", loop->line[i]);
	len += sprintf(text + len, "%s:\n", loop->end);
	again(loop, text + len);
	code = engine_assemble(text, "", bytes_out);
	free(text);
	return code;
}

static uint8_t *make_code(const struct loop *loop, size_t less,
			  size_t *bytes_out)
{
	return assemble(loop, less, 0, bytes_out);
}

/* The next page begins in its middle. */
static uint8_t *make_code_across(const struct loop *loop, size_t *bytes_out)
{
	size_t bytes;

	free(make_code(loop, NOWHERE, &bytes));
	return assemble(loop, NOWHERE, (VGT_CODE_BYTES - bytes / 2) / NOP_BYTES,
			bytes_out);
}

static uint64_t number(const struct model_state *state,
		       const unsigned int reg[2], unsigned int lane)
{
	uint32_t word[2];

	memcpy(&word[0], state->grf + 32 * reg[0] + 4 * lane, 4);
	memcpy(&word[1], state->grf + 32 * reg[1] + 4 * lane, 4);
	return (uint64_t)word[1] << 32 | word[0];
}

/* Numbers of all sizes: 0 as well. */
static void shorten(struct model_state *state, const unsigned int reg[2],
		    unsigned int channels)
{
	unsigned int lane, bits = below(3) ? 0 : below(65);
	uint32_t word[2];
	uint64_t value;

	for (lane = 0; lane < channels; lane++) {
		value = number(state, reg, lane);
		value = bits == 64 ? 0 : value >> (bits ? bits : below(64));
		word[0] = value;
		word[1] = value >> 32;
		memcpy(state->grf + 32 * reg[0] + 4 * lane, &word[0], 4);
		memcpy(state->grf + 32 * reg[1] + 4 * lane, &word[1], 4);
	}
}

static void make_state(struct model_state *state, const struct loop *loop)
{
	static const uint32_t masks[] = {
		UINT32_MAX, UINT32_MAX, 0x0000ffff, 0x80010204, 0x00400000,
		0xffff0000,
	};
	static const struct model_inst none;
	uint32_t all = (1U << loop->channels) - 1;

	generate_state(state, &none, &random_state);
	state->enabled = masks[below(6)];
	if (loop->halves == 1)
		state->enabled = state->enabled & all ?: all;
	for (unsigned int h = 0; h < loop->halves; h++) {
		shorten(state, loop->half[h].d, loop->channels);
		if (below(2))
			shorten(state, loop->half[h].n, loop->channels);
	}
}

static void load(struct engine_rig *rig, const struct model_state *state)
{
	engine_rig_load(rig, state, 0);
	rig->thread.dispatch_mask = state->enabled;
	memset(rig->thread.acc_hi, 0, sizeof(rig->thread.acc_hi));
}

/* To the same instruction with and without. */
static bool replay_state(struct engine_rig *fast, struct engine_rig *plain,
			 const struct model_state *state, bool tiers, char *why,
			 size_t size)
{
	uint64_t length = 1 + below(LENGTH_MAX), left;
	char what[300];

	load(fast, state);
	load(plain, state);
	vgt_tier_mode = VGT_TIER_OFF;
	vgt_division_after(UINT32_MAX);
	vgt_eu_run(&plain->thread, length);
	vgt_division_after(0);
	vgt_tier_mode = tiers ? VGT_TIER_ALWAYS : VGT_TIER_OFF;
	/* Where pages meet, to look for the next one takes a part of @length, too. */
	length = plain->thread.instructions;
	while (fast->thread.instructions < length &&
	       fast->thread.status == VGT_EU_YIELD) {
		left = length - fast->thread.instructions;
		vgt_eu_run(&fast->thread, below(2) ? left : 1 + below(left));
	}
	vgt_tier_mode = VGT_TIER_OFF;
	if (same_thread(&fast->thread, &plain->thread, what, sizeof(what)))
		return true;
	snprintf(why, size, "%llu instructions, channels 0x%x: %s",
		 (unsigned long long)length, state->enabled, what);
	return false;
}

static bool replay(struct engine_rig *fast, struct engine_rig *plain,
		   const struct loop *loop, bool tiers, char *why, size_t size)
{
	struct model_state state;

	make_state(&state, loop);
	return replay_state(fast, plain, &state, tiers, why, size);
}

static bool replays(const struct loop *loop, const uint8_t *code, size_t bytes,
		    bool tiers, int count, char *why, size_t size)
{
	struct engine_rig *fast, *plain;
	bool ok = true;

	vgt_tier_mode = tiers ? VGT_TIER_ALWAYS : VGT_TIER_OFF;
	fast = engine_rig_create(code, bytes, false);
	plain = engine_rig_create(code, bytes, false);
	while (count-- && ok)
		ok = replay(fast, plain, loop, tiers, why, size);
	engine_rig_destroy(fast);
	engine_rig_destroy(plain);
	return ok;
}

static void run_loop(const struct loop *loop, bool across, bool tiers)
{
	uint64_t before = vgt_division_taken(), turns = vgt_tier_turns();
	char name[80], why[400] = "not assembled";
	size_t bytes;
	uint8_t *code = across ? make_code_across(loop, &bytes) :
			make_code(loop, NOWHERE, &bytes);
	bool ok;

	snprintf(name, sizeof(name), "%s%s%s, to any instruction", loop->name,
		 across ? " in two pages" : "", tiers ? ", compiled" : "");
	ok = code && replays(loop, code, bytes, tiers, REPLAYS, why,
			     sizeof(why));
	if (ok && vgt_division_taken() < before + REPLAYS) {
		ok = false;
		snprintf(why, sizeof(why), "only %llu divisions were taken",
			 (unsigned long long)(vgt_division_taken() - before));
	}
	if (ok && tiers && vgt_tier_turns() < turns + REPLAYS) {
		ok = false;
		snprintf(why, sizeof(why), "only %llu turns were compiled",
			 (unsigned long long)(vgt_tier_turns() - turns));
	}
	tap_result(ok, name, why);
	free(code);
}

static bool is_label(const char *line)
{
	return line[0] && line[strlen(line) - 1] == ':';
}

/* Some of these still divide: what is missing was not needed. */
static void run_less(const struct loop *loop)
{
	char name[80], why[400] = "not assembled";
	size_t i, bytes;
	bool ok = true;
	uint8_t *code;
	uint64_t before = vgt_division_taken();

	snprintf(name, sizeof(name), "%s without one of its instructions",
		 loop->name);
	for (i = 0; loop->line[i] && ok; i++) {
		if (is_label(loop->line[i]))
			continue;
		code = make_code(loop, i, &bytes);
		ok = code && replays(loop, code, bytes, false, REPLAYS_LESS, why,
				     sizeof(why));
		if (!ok)
			printf("# without %s\n", loop->line[i]);
		free(code);
	}
	printf("# %llu divisions taken\n",
	       (unsigned long long)(vgt_division_taken() - before));
	tap_result(ok, name, why);
}

/* Where the instruction in the middle begins: some have 8 bytes, others 16. */
static size_t middle(const uint8_t *code, size_t bytes)
{
	size_t at = 0;

	while (at < bytes / 2)
		at += code[at + 3] & 0x20 ? 8 : 16;
	return at;
}

/* A loop with a breakpoint is the run loop's, also if it was taken before. */
static void run_breakpoint(const struct loop *loop)
{
	uint64_t taken[3];
	struct model_state state;
	struct engine_rig *rig;
	size_t bytes;
	uint8_t *code = make_code(loop, NOWHERE, &bytes);
	int i;

	if (!code)
		abort();
	rig = engine_rig_create(code, bytes, false);
	vgt_division_after(0);
	make_state(&state, loop);
	state.enabled = UINT32_MAX;
	for (i = 0; i < 3; i++) {
		taken[i] = vgt_division_taken();
		load(rig, &state);
		vgt_eu_run(&rig->thread, LENGTH_MAX);
		taken[i] = vgt_division_taken() - taken[i];
		code[middle(code, bytes) + 3] ^= 0x40; /* the breakpoint's bit */
		vgt_icache_load(rig->walker.icache, 0, code, bytes);
		vgt_icache_invalidate(rig->walker.icache);
	}
	tap_result(taken[0] && !taken[1] && taken[2],
		   "a breakpoint in a loop that was taken", NULL);
	engine_rig_destroy(rig);
	free(code);
}

/* What the channels' remainders are at some turn, into registers @low and @high. */
static void set_remainder(struct model_state *state, const struct half *half,
			  unsigned int low, unsigned int high)
{
	for (unsigned int lane = 0; lane < 16; lane++) {
		uint64_t n = number(state, half->n, lane);
		uint64_t d = number(state, half->d, lane);

		n >>= below(64);
		n = d ? n % d : n;
		memcpy(state->grf + 32 * low + 4 * lane, &n, 4);
		n >>= 32;
		memcpy(state->grf + 32 * high + 4 * lane, &n, 4);
	}
}

static bool replays_near(const struct loop *loop, const uint8_t *code,
			 size_t bytes, char *why, size_t size)
{
	struct engine_rig *fast = engine_rig_create(code, bytes, false);
	struct engine_rig *plain = engine_rig_create(code, bytes, false);
	struct model_state state;
	bool ok = true;

	for (int i = 0; i < REPLAYS_NEAR && ok; i++) {
		make_state(&state, loop);
		set_remainder(&state, &loop->half[0], DIVISION_NEAR_LOW,
			      DIVISION_NEAR_HIGH);
		ok = replay_state(fast, plain, &state, false, why, size);
	}
	engine_rig_destroy(fast);
	engine_rig_destroy(plain);
	return ok;
}

/* What it does more happens where numbers are equal, so no trial will have met it. */
static void run_near(const struct loop *from, const char *behind,
		     const struct division_near *near)
{
	const char *line[LINES_MAX] = { NULL };
	char name[100], why[400] = "not assembled";
	uint64_t before = vgt_division_taken();
	struct loop loop = *from;
	size_t i, k, len = 0, bytes;
	uint8_t *code;
	bool ok;

	snprintf(name, sizeof(name), "%s that also %s", from->name,
		 near->does);
	for (i = 0; from->line[i]; i++) {
		line[len++] = from->line[i];
		for (k = 0; !strcmp(from->line[i], behind) && near->line[k];
		     k++)
			line[len++] = near->line[k];
	}
	loop.line = line;
	code = make_code(&loop, NOWHERE, &bytes);
	ok = code && replays_near(&loop, code, bytes, why, sizeof(why));
	if (ok && vgt_division_taken() > before) {
		ok = false;
		snprintf(why, sizeof(why), "taken for a division");
	}
	tap_result(ok, name, why);
	free(code);
}

static struct vgt_code_page *first_page(struct engine_rig *rig)
{
	struct vgt_code_page *page;

	vgt_icache_enter(rig->walker.icache, &rig->worker.reader);
	vgt_icache_fetch(&rig->thread, 0);
	page = rig->worker.reader.page;
	vgt_icache_leave(&rig->worker.reader);
	return page;
}

/* Where the page has no room for a turn it is asked for again. */
static void run_full(const struct loop *loop)
{
	struct vgt_code_page *page;
	struct model_state state;
	struct engine_rig *rig;
	uint64_t before, turns[2];
	size_t bytes;
	uint8_t *code = make_code(loop, NOWHERE, &bytes);
	const char *why;

	if (!code)
		abort();
	rig = engine_rig_create(code, bytes, false);
	vgt_division_after(0);
	make_state(&state, loop);
	/* Its first page is decoded, and all that is compiled is in it. */
	load(rig, &state);
	vgt_eu_run(&rig->thread, 1);
	page = first_page(rig);
	vgt_tier_start(VGT_TIER_ALWAYS, &why);
	for (int i = 0; i < 2; i++) {
		atomic_fetch_add(&page->unit_count, i ? -FULL : FULL);
		before = vgt_tier_turns();
		load(rig, &state);
		vgt_eu_run(&rig->thread, LENGTH_MAX);
		turns[i] = vgt_tier_turns() - before;
	}
	tap_result(!turns[0] && turns[1],
		   "a turn is compiled when there is room again", NULL);
	vgt_tier_mode = VGT_TIER_OFF;
	engine_rig_destroy(rig);
	free(code);
}

/* The first one of the page. */
static struct vgt_division *division_of(struct vgt_code_page *page)
{
	for (uint32_t i = 0; i < VGT_CODE_PLACES; i++) {
		struct vgt_inst *inst = atomic_load(&page->inst[i]);

		if (inst && atomic_load(&inst->division))
			return atomic_load(&inst->division);
	}
	abort();
}

/* One whose turn is there, as if it had been found before it was asked for. */
static void run_asked_again(const struct loop *loop)
{
	struct vgt_division *division;
	struct vgt_code_page *page;
	struct model_state state;
	struct engine_rig *rig;
	struct vgt_unit *unit;
	uint32_t count;
	size_t bytes;
	uint8_t *code = make_code(loop, NOWHERE, &bytes);
	const char *why;

	if (!code)
		abort();
	rig = engine_rig_create(code, bytes, false);
	vgt_division_after(0);
	make_state(&state, loop);
	vgt_tier_start(VGT_TIER_ALWAYS, &why);
	/* It is looked at once before it is taken. */
	for (int i = 0; i < 2; i++) {
		load(rig, &state);
		vgt_eu_run(&rig->thread, LENGTH_MAX);
	}
	page = first_page(rig);
	division = division_of(page);
	unit = atomic_load(&division->unit);
	count = atomic_load(&page->unit_count);
	atomic_store(&division->asked, false);
	load(rig, &state);
	vgt_eu_run(&rig->thread, LENGTH_MAX);
	tap_result(unit && atomic_load(&division->asked) &&
		   atomic_load(&division->unit) == unit &&
		   atomic_load(&page->unit_count) == count,
		   "a turn that is there is not compiled again", NULL);
	vgt_tier_mode = VGT_TIER_OFF;
	engine_rig_destroy(rig);
	free(code);
}

/*
 * A breakpoint that comes when the loop has been looked at, and its turns are run: all
 * that they have written is put back for the run loop.
 */
static void run_torn(const struct loop *loop)
{
	uint64_t before;
	char name[80], why[400] = "no division was taken";
	struct engine_rig *fast, *plain;
	struct model_state state;
	struct vgt_inst *inst;
	size_t bytes;
	uint8_t *code = make_code(loop, NOWHERE, &bytes);
	bool ok = true;

	if (!code)
		abort();
	fast = engine_rig_create(code, bytes, false);
	plain = engine_rig_create(code, bytes, false);
	before = vgt_division_taken();
	make_state(&state, loop);
	for (int i = 0; i < REPLAYS && ok && vgt_division_taken() == before;
	     i++)
		ok = replay_state(fast, plain, &state, false, why,
				  sizeof(why));
	ok &= vgt_division_taken() > before;
	fast->thread.ip = middle(code, bytes);
	vgt_icache_enter(fast->walker.icache, &fast->worker.reader);
	inst = (struct vgt_inst *)vgt_icache_fetch(&fast->thread,
						   fast->thread.ip);
	vgt_icache_leave(&fast->worker.reader);
	atomic_fetch_or(&inst->flags, VGT_INST_BREAK);
	before = vgt_division_taken();
	for (int i = 0; i < REPLAYS && ok; i++)
		ok = replay_state(fast, plain, &state, false, why,
				  sizeof(why));
	snprintf(name, sizeof(name), "%s that is given up on the way",
		 loop->name);
	tap_result(ok && vgt_division_taken() == before, name, why);
	engine_rig_destroy(fast);
	engine_rig_destroy(plain);
	free(code);
}

#define NO_CHANNEL "(W) mov (1|M0) f0.0<1>:uw 0x0:uw"
#define OUTSIDE "(f0.0) if (16|M0) OUTSIDE OUTSIDE\n" \
	"add (16|M0) r%u.0<4>:d r12.0<8;8,1>:d 1:d\n" \
	"OUTSIDE:\nendif (16|M0) INSIDE\nINSIDE:"

/* With an instruction that no channel comes to, and that would write @reg and behind it. */
static uint8_t *make_code_outside(const struct loop *from, unsigned int reg,
				  size_t *bytes_out)
{
	const char *line[LINES_MAX] = { NULL };
	struct loop loop = *from;
	char more[200];
	size_t len = 0;

	snprintf(more, sizeof(more), OUTSIDE, reg);
	for (size_t i = 0; from->line[i]; i++) {
		line[len++] = from->line[i];
		if (!strcmp(from->line[i], NO_CHANNEL) && len == i + 1)
			line[len++] = more;
	}
	loop.line = line;
	return make_code(&loop, NOWHERE, bytes_out);
}

/* No assembler writes that: an instruction behind the last register, in a loop. */
static void run_outside(const struct loop *loop)
{
	char why[400] = "not assembled";
	size_t bytes, more, at, changed = 0;
	uint8_t *code = make_code_outside(loop, 100, &bytes);
	uint8_t *next = make_code_outside(loop, 101, &more);
	bool ok;

	if (!code || !next || bytes != more)
		abort();
	for (at = 0; at < bytes; at++)
		if (code[at] == 100 && next[at] == 101) {
			code[at] = 127;
			changed++;
		}
	ok = changed == 1 && replays(loop, code, bytes, false, REPLAYS_LESS,
				     why, sizeof(why));
	tap_result(ok, "a loop that writes behind the last register", why);
	free(next);
	free(code);
}

#define HIDING 9
#define HIDDEN_IF "(~f0.1) if (16|M0) L1664 L1664"

/* The code with an else, and HIDING nops that nothing comes to. */
static uint8_t *make_code_hiding(const struct loop *from, size_t *bytes_out)
{
	const char *line[LINES_MAX] = { NULL };
	char more[400] = "else (16|M0) HIDDEN HIDDEN\nHIDDEN:\n";
	struct loop loop = *from;
	size_t len = 0;

	for (uint32_t i = 0; i < HIDING; i++)
		strcat(more, "nop\n");
	strcat(more, "endif (16|M0) BEHIND\nBEHIND:");
	for (size_t i = 0; from->line[i]; i++) {
		if (!strcmp(from->line[i], HIDDEN_IF))
			line[len++] = more;
		line[len++] = from->line[i];
	}
	loop.line = line;
	return make_code(&loop, NOWHERE, bytes_out);
}

static size_t nops_at(const uint8_t *code, size_t bytes)
{
	static const uint8_t nop[8] = { 0x60 };
	size_t at, k;

	for (at = 0; at + 16 * HIDING < bytes; at += 8) {
		for (k = 0; k < HIDING && !memcmp(code + at + 16 * k, nop, 8);)
			k++;
		if (k == HIDING)
			return at;
	}
	abort();
}

static void put_dword(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

/*
 * Instructions in the halves of nops that mean nothing, to which an else jumps: an if, an
 * else over a mov whose flags are behind the last flag register, an endif, and a jump out.
 */
static void hide(uint8_t *nop)
{
	static const struct {
		uint32_t nop, dword[4];
	} hidden[] = {
		{ 0, { 0x01440022, 0xc000, 0x60, 0x60 } },
		{ 1, { 0x00040024, 0xc000, 0x60, 0x50 } },
		{ 2, { 0x00fd0061, 0x50054220, 0x10000060, 0 } },
		{ 6, { 0x00040025, 0x4000, 0x60, 0x10 } },
		{ 7, { 0x80000020, 0x4000, 0x60, 0x18 } },
	};

	/* The else's targets, from itself on. */
	put_dword(nop - 16 + 8, 16 + 8);
	put_dword(nop - 16 + 12, 16 + 8);
	for (uint32_t k = 0; k < HIDING; k++) {
		put_dword(nop + 16 * k + 8, 0x60);
		put_dword(nop + 16 * k + 12, 0);
	}
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		for (uint32_t k = 0; k < 4; k++)
			put_dword(nop + 16 * hidden[i].nop + 8 + 4 * k,
				  hidden[i].dword[k]);
}

/* Nor this: a loop that branches into the middle of what lies in its line. */
static void run_hidden(const struct loop *loop)
{
	uint64_t before = vgt_division_taken();
	struct model_state state;
	struct engine_rig *rig;
	size_t bytes;
	uint8_t *code = make_code_hiding(loop, &bytes);

	if (!code)
		abort();
	hide(code + nops_at(code, bytes));
	rig = engine_rig_create(code, bytes, false);
	make_state(&state, loop);
	engine_rig_load(rig, &state, 0);
	vgt_eu_run(&rig->thread, 20000);
	tap_result(vgt_division_taken() == before,
		   "a loop that branches into the middle of an instruction",
		   rig->thread.error);
	engine_rig_destroy(rig);
	free(code);
}

int main(void)
{
	const char *why;
	size_t i;
	bool tiers;

	tiers = !vgt_tier_start(VGT_TIER_ALWAYS, &why);
	for (i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		for (int across = 0; across < 2; across++) {
			run_loop(&loops[i], across, false);
			if (tiers)
				run_loop(&loops[i], across, true);
		}
		if (!tiers)
			printf("# not compiled: %s\n", why);
		run_less(&loops[i]);
		run_torn(&loops[i]);
	}
	run_breakpoint(&loops[0]);
	run_outside(&loops[2]);
	run_hidden(&loops[2]);
	for (i = 0; i < division_near_count; i++)
		run_near(&loops[2], DIVISION_NEAR_BEHIND, &division_near[i]);
	if (tiers) {
		run_full(&loops[0]);
		run_asked_again(&loops[0]);
	}
	return tap_finish();
}
