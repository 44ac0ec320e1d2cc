// SPDX-License-Identifier: MIT
/*
 * Every operation with every type: random instructions are assembled in one
 * go, then each runs on the engine and on the model from the same registers,
 * and all registers are compared: with the engine's fast handlers, with the
 * slow ones that they stand in for, and some of them compiled, each as a region
 * of its own.
 */
#include "engine_rig.h"
#include "eu/handler.h"
#include "generate.h"
#include "tap.h"
#include "tier/tier.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_SHAPE 60 /* instructions of one operation, type and width */
#define MAX_TESTS 80000
#define TEXT_BYTES 200
#define COMPILED_STRIDE 53
#define HALF_STRIDE 7 /* of halves, which are rarer */

struct test {
	struct model_inst inst;
	unsigned int row;
	uint32_t ip; /* where it lies in the assembled code */
};

static struct test *tests;
static size_t test_count;
static size_t stride = 1; /* every how manieth runs */
static size_t run_count;

static void make_shape(unsigned int row, enum model_type dst,
		       unsigned int exec, uint64_t *random)
{
	struct test *test;
	unsigned int i, tries;

	for (i = 0, tries = 0; i < PER_SHAPE && tries < 200; tries++) {
		test = &tests[test_count];
		if (!generate_inst(&test->inst, &generate_rows[row], dst, exec,
				   random))
			continue;
		test->row = row;
		test_count++;
		i++;
		if (test_count == MAX_TESTS)
			abort();
	}
}

static void make_tests(void)
{
	uint64_t random = 2024;
	enum model_type dst;
	unsigned int row, exec;

	for (row = 0; generate_rows[row].name; row++)
		for (dst = MODEL_UB; dst <= MODEL_F; dst++)
			for (exec = 1; exec <= 32; exec *= 2)
				if (generate_rows[row].dst >> dst & 1)
					make_shape(row, dst, exec, &random);
}

/* All tests as one text, and where each instruction is in what comes of it. */
static uint8_t *assemble(const char *option, size_t *bytes_out)
{
	char *text = malloc(test_count * TEXT_BYTES), *at = text;
	uint32_t ip = 0, head;
	uint8_t *code;
	size_t i;

	if (!text)
		abort();
	for (i = 0; i < test_count; i++) {
		generate_text(&tests[i].inst, at, TEXT_BYTES);
		at += strlen(at);
		*at++ = '\n';
	}
	*at = 0;
	code = engine_assemble(text, option, bytes_out);
	free(text);
	for (i = 0; code && i < test_count; i++) {
		tests[i].ip = ip;
		memcpy(&head, code + ip, 4);
		ip += head >> 29 & 1 ? 8 : 16; /* compact or not */
	}
	return code;
}

static uint32_t element(const uint8_t *file, unsigned int at,
			unsigned int bytes)
{
	uint32_t raw = 0;

	memcpy(&raw, file + at, bytes);
	return raw;
}

static double as_number(uint32_t raw, enum model_type type)
{
	_Float16 half;
	float single;

	memcpy(&half, &raw, 2);
	memcpy(&single, &raw, 4);
	return type == MODEL_HF ? (double)half : single;
}

/* Bits differ: still equal as NaN, as zero, or within the tolerance? */
static bool number_close(const struct model_inst *inst, uint32_t got,
			 uint32_t want)
{
	double x = as_number(got, inst->dst.type);
	double y = as_number(want, inst->dst.type);
	double limit = model_tolerance(inst->op);

	if (!model_type_float(inst->dst.type) || inst->op == MODEL_CMP)
		return false;
	if (isnan(x) && isnan(y))
		return true;
	if (inst->saturate && x == 0 && y == 0)
		return true;
	if (!limit)
		return false;
	if (inst->dst.type == MODEL_HF)
		limit = 0x1p-9;
	return fabs(x - y) <= limit * fmax(fabs(y), 0x1p-10);
}

/* One register file, element by element of the destination's type. */
static bool file_equal(const struct model_inst *inst, const char *name,
		       const uint8_t *got, const uint8_t *want, size_t size,
		       char *why, size_t why_bytes)
{
	unsigned int bytes = model_type_bytes(inst->dst.type);
	unsigned int at;

	for (at = 0; at < size; at += bytes) {
		uint32_t x = element(got, at, bytes);
		uint32_t y = element(want, at, bytes);

		if (x == y || number_close(inst, x, y))
			continue;
		snprintf(why, why_bytes, "%s%u.%u: got 0x%x, want 0x%x", name,
			 at / 32, at % 32 / bytes, x, y);
		return false;
	}
	return true;
}

static bool rest_equal(const struct vgt_eu_thread *thread,
		       const struct model_state *want, char *why,
		       size_t why_bytes)
{
	static const uint8_t zeros[256];
	uint64_t flags;

	memcpy(&flags, thread->reg + VGT_REG_F, 8);
	if (flags != want->flags) {
		snprintf(why, why_bytes, "flags: got 0x%016llx, want 0x%016llx",
			 (unsigned long long)flags,
			 (unsigned long long)want->flags);
		return false;
	}
	if (memcmp(thread->reg + VGT_REG_A0, want->a0, sizeof(want->a0)) ||
	    memcmp(thread->reg + VGT_REG_MME, zeros, 256) ||
	    memcmp(thread->reg + VGT_REG_MSG, zeros, 64) ||
	    memcmp(thread->reg + VGT_REG_TDR, zeros, 32) ||
	    memcmp(thread->reg + VGT_REG_DBG, zeros, 32)) {
		snprintf(why, why_bytes, "a register that nothing wrote");
		return false;
	}
	return true;
}

static bool run_test(struct engine_rig *rig, size_t i, char *why, size_t why_bytes)
{
	const struct model_inst *inst = &tests[i].inst;
	struct vgt_eu_thread *thread = &rig->thread;
	struct model_state state;
	uint64_t random = i * 77 + 1;

	generate_state(&state, inst, &random);
	engine_rig_load(rig, &state, tests[i].ip);
	if (vgt_eu_run(thread, 1) != VGT_EU_YIELD) {
		snprintf(why, why_bytes, "status %d: %s", thread->status,
			 thread->error);
		return false;
	}
	model_execute(&state, inst);
	if (i + 1 < test_count && thread->ip != tests[i + 1].ip) {
		snprintf(why, why_bytes, "ip is 0x%x", thread->ip);
		return false;
	}
	return file_equal(inst, "r", thread->reg + VGT_REG_GRF, state.grf,
			  sizeof(state.grf), why, why_bytes) &&
	       file_equal(inst, "acc", thread->reg + VGT_REG_ACC, state.acc,
			  sizeof(state.acc), why, why_bytes) &&
	       rest_equal(thread, &state, why, why_bytes);
}

static bool is_taken(size_t i)
{
	const struct model_inst *inst = &tests[i].inst;
	bool half = inst->dst.type == MODEL_HF ||
		    inst->src[0].type == MODEL_HF;

	return i % (half && stride > HALF_STRIDE ? HALF_STRIDE : stride) == 0;
}

/* All instructions of one row. */
static void run_row(struct engine_rig *rig, unsigned int row, const char *engine)
{
	const char *verbose = getenv("VGT_TEST_VERBOSE");
	char why[300], text[300], name[64], first[640] = "";
	size_t i, count = 0, failed = 0;

	for (i = 0; i < test_count; i++) {
		if (tests[i].row != row || !is_taken(i))
			continue;
		count++;
		run_count++;
		if (run_test(rig, i, why, sizeof(why)))
			continue;
		generate_text(&tests[i].inst, text, sizeof(text));
		if (!failed++)
			snprintf(first, sizeof(first), "%s: %s", text, why);
		if (verbose)
			tap_note("%s: %s", text, why);
	}
	snprintf(name, sizeof(name), "%s %u, %zu instructions, %s",
		 generate_rows[row].name, row, count, engine);
	if (failed)
		tap_note("%zu of %zu failed", failed, count);
	tap_result(!failed, name, first);
}

static void run_engine(const char *engine, const char *option, bool slow)
{
	struct engine_rig *rig;
	unsigned int row;
	uint8_t *code;
	size_t bytes;

	code = assemble(option, &bytes);
	tap_result(code, "the assembler takes every instruction", NULL);
	if (!code)
		return;
	rig = engine_rig_create(code, bytes, slow);
	for (row = 0; generate_rows[row].name; row++)
		run_row(rig, row, engine);
	engine_rig_destroy(rig);
	free(code);
}

/* Compiling takes long: every operation, but not in all of its forms. */
static void run_compiled(void)
{
	uint64_t before = vgt_tier_entered();
	const char *why;

	if (vgt_tier_start(VGT_TIER_ALWAYS, &why)) {
		tap_note("not compiled: %s", why);
		return;
	}
	vgt_tier_limit(1);
	stride = COMPILED_STRIDE;
	run_count = 0;
	run_engine("compiled", "", false);
	tap_result(vgt_tier_entered() - before > run_count / 2,
		   "most of these instructions run in regions", NULL);
}

int main(void)
{
	tests = calloc(MAX_TESTS, sizeof(*tests));
	if (!tests)
		return 1;
	make_tests();
	run_engine("fast", "", false);
	run_engine("slow", "", true);
	run_engine("fast, compact", "-Xautocompact", false);
	vgt_vector_baseline(true);
	run_engine("fast without AVX2", "", false);
	vgt_vector_baseline(false);
	run_compiled();
	free(tests);
	return tap_finish();
}
