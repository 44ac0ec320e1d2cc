// SPDX-License-Identifier: MIT
/*
 * Compiled regions against the interpreter: random programs with branches and
 * loops in which channels part and meet, from random registers and masks. Both
 * engines stop after the same number of instructions, anywhere, and everything
 * that a debugger could see must be the same. The compiled one gets there in one
 * run or in several.
 *
 * Which of two NaNs survives an operation depends on the order of its sources,
 * which no compiler keeps. So floats have registers of their own, where a NaN
 * is a NaN, and no integer is made of them but by conversion.
 */
#include "engine_rig.h"
#include "generate.h"
#include "same.h"
#include "tap.h"
#include "tier/tier.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAMS 14
#define REPLAYS 40
#define LENGTH_MAX 8000
#define TEXT_BYTES 200000

struct source {
	char text[TEXT_BYTES];
	size_t len;
	unsigned int labels, depth, lanes, rows;
	uint64_t random;
};

static unsigned int below(struct source *source, unsigned int limit)
{
	return generate_random(&source->random) % limit;
}

static void __attribute__((format(printf, 2, 3)))
line(struct source *source, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	source->len += vsnprintf(source->text + source->len,
				 TEXT_BYTES - source->len, format, args);
	va_end(args);
	source->len += snprintf(source->text + source->len,
				TEXT_BYTES - source->len, "\n");
}

static void move_operand(struct model_operand *operand)
{
	unsigned int reg = operand->place / 32, sub = operand->place % 32;

	if (operand->kind != MODEL_GRF)
		return;
	reg = model_type_float(operand->type) ? 80 + reg % 38 : 8 + reg % 70;
	operand->place = reg * 32 + sub;
}

/* What has no place among the others: bits of floats as integers. */
static bool mixes(const struct model_inst *inst)
{
	bool number = model_type_float(inst->dst.type);
	unsigned int i;

	if (inst->dst.kind != MODEL_NULL && inst->op == MODEL_CMP && number)
		return true;
	for (i = 0; i < inst->sources; i++)
		if (inst->src[i].kind == MODEL_ACC &&
		    !model_type_float(inst->src[i].type))
			return true;
	return false;
}

static void arithmetic(struct source *source)
{
	struct model_inst inst;
	char text[300];
	unsigned int i;

	for (;;) {
		const struct generate_row *row =
			&generate_rows[below(source, source->rows)];
		enum model_type type = below(source, MODEL_F + 1);

		if (!(row->dst >> type & 1) ||
		    !generate_inst(&inst, row, type, 1 << below(source, 6),
				   &source->random) || mixes(&inst))
			continue;
		break;
	}
	move_operand(&inst.dst);
	for (i = 0; i < inst.sources; i++)
		move_operand(&inst.src[i]);
	generate_text(&inst, text, sizeof(text));
	line(source, "%s", text);
}

static void compare(struct source *source, const char *flag)
{
	static const char *const conds[] = { "lt", "ge", "eq", "ne", "gt" };

	line(source, "cmp (%u|M0) (%s)%s null<1>:w r%u.0<16;16,1>:w r%u.0<16;16,1>:w",
	     source->lanes, conds[below(source, 5)], flag,
	     8 + below(source, 60), 8 + below(source, 60));
}

static void block(struct source *source, unsigned int items);

static void some_if(struct source *source)
{
	unsigned int label = source->labels++;
	bool has_else = below(source, 2);

	compare(source, "f0.0");
	line(source, "(%sf0.0) if (%u|M0) %s%u END%u",
	     below(source, 2) ? "~" : "", source->lanes,
	     has_else ? "ELSE" : "END", label, label);
	block(source, 1 + below(source, 4));
	if (has_else) {
		line(source, "else (%u|M0) END%u END%u", source->lanes, label,
		     label);
		line(source, "ELSE%u:", label);
		block(source, 1 + below(source, 4));
	}
	line(source, "END%u:", label);
	line(source, "endif (%u|M0) AFTER%u", source->lanes, label);
	line(source, "AFTER%u:", label);
}

/* Each channel takes as many turns as r6 says. */
static void some_loop(struct source *source)
{
	unsigned int label = source->labels++, count = 2 + 2 * source->depth;

	line(source, "mov (%u|M0) r%u.0<1>:w 0:w", source->lanes, count);
	line(source, "LOOP%u:", label);
	source->depth++;
	block(source, 1 + below(source, 5));
	if (below(source, 2)) {
		compare(source, "f0.0");
		line(source, "(f0.0) break (%u|M0) TEST%u TEST%u",
		     source->lanes, label, label);
		block(source, 1 + below(source, 3));
	}
	source->depth--;
	line(source, "add (%u|M0) r%u.0<1>:w r%u.0<16;16,1>:w 1:w",
	     source->lanes, count, count);
	line(source, "cmp (%u|M0) (lt)f1.0 null<1>:w r%u.0<16;16,1>:w r6.0<16;16,1>:w",
	     source->lanes, count);
	line(source, "TEST%u:", label);
	line(source, "(f1.0) while (%u|M0) LOOP%u", source->lanes, label);
}

static void some_goto(struct source *source)
{
	unsigned int label = source->labels++;

	compare(source, "f1.0");
	line(source, "(%sf1.0) goto (%u|M0) MEET%u MEET%u",
	     below(source, 2) ? "~" : "", source->lanes, label, label);
	block(source, 1 + below(source, 4));
	line(source, "MEET%u:", label);
	line(source, "join (%u|M0) AFTER%u", source->lanes, label);
	line(source, "AFTER%u:", label);
}

static void some_jump(struct source *source)
{
	static const char *const how[] = {
		"W&f0.0", "W&~f1.0", "W&f0.0.any16h", "W&f1.0.all8h",
		"W&~f0.0.any8h", "W&f0.0.all2h",
	};
	unsigned int label = source->labels++, items = 1 + below(source, 4);

	line(source, "(%s) jmpi (1|M0) OVER%u", how[below(source, 6)], label);
	while (items--)
		arithmetic(source);
	line(source, "OVER%u:", label);
}

static void block(struct source *source, unsigned int items)
{
	for (; items; items--) {
		switch (below(source, 16)) {
		case 0:
			if (source->depth < 2)
				some_loop(source);
			break;
		case 1:
			some_if(source);
			break;
		case 2:
			some_goto(source);
			break;
		case 3:
			some_jump(source);
			break;
		case 4:
			line(source, "sync.nop null");
			break;
		default:
			arithmetic(source);
		}
	}
}

static uint8_t *make_program(struct source *source, unsigned int number,
			     size_t *bytes_out)
{
	memset(source, 0, sizeof(*source));
	source->random = number * 1000003ULL + 1;
	while (generate_rows[source->rows].name)
		source->rows++;
	source->lanes = number % 3 ? 16 : 32;
	some_loop(source);
	block(source, 8);
	line(source, "LAST:");
	line(source, "(W) jmpi (1|M0) LAST");
	return engine_assemble(source->text, "", bytes_out);
}

static void make_state(struct model_state *state, unsigned int lanes,
		       uint64_t *random)
{
	static const struct model_inst none;
	unsigned int i;
	uint16_t word;

	generate_state(state, &none, random);
	for (i = 0; i < 32; i++) {
		word = 1 + generate_random(random) % 5;
		memcpy(state->grf + 6 * 32 + 2 * i, &word, 2);
	}
	/* Addresses lead to integers only. */
	for (i = 0; i < 16; i++)
		state->a0[i] = 512 + generate_random(random) % 448 * 4;
	if (generate_random(random) % 3 == 0)
		state->enabled = UINT32_MAX;
	if (lanes < 32)
		state->enabled &= (1U << lanes) - 1;
	state->enabled |= 1;
}

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
		   struct source *source, char *why, size_t size)
{
	uint64_t length = 1 + below(source, LENGTH_MAX), part, left;
	struct model_state state;
	char what[300];

	if (below(source, 4) == 0)
		length = 1 + length % 100;
	make_state(&state, source->lanes, &source->random);
	load(compiled, &state);
	load(plain, &state);
	set_mode(VGT_TIER_OFF);
	vgt_eu_run(&plain->thread, length);
	set_mode(VGT_TIER_ALWAYS);
	for (left = length; left; left -= part) {
		part = below(source, 2) ? left :
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
	struct source *source = calloc(1, sizeof(*source));
	struct engine_rig *compiled, *plain;
	char why[400] = "", name[100];
	uint64_t before = vgt_tier_entered();
	bool ok = true;
	uint8_t *code;
	size_t bytes;
	int i;

	if (!source)
		abort();
	code = make_program(source, number, &bytes);
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
