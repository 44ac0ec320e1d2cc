// SPDX-License-Identifier: MIT
/*
 * convert_TYPE of every type to every type, with each rounding mode, saturating
 * or not, one by one; and of vectors, whose bytes and words the compiler packs.
 * What a value becomes that the type does not have is only defined for integers,
 * and where it saturates.
 */
#include "numbers.h"
#include "tap.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMS 10
#define VECTOR_FORMS 2

struct form {
	const char *suffix;
	int mode; /* of fenv.h; -1: the type's own */
	bool saturate;
};

static const struct form forms[FORMS] = {
	{ "", -1, false },
	{ "_rte", FE_TONEAREST, false },
	{ "_rtp", FE_UPWARD, false },
	{ "_rtn", FE_DOWNWARD, false },
	{ "_rtz", FE_TOWARDZERO, false },
	{ "_sat", -1, true },
	{ "_sat_rte", FE_TONEAREST, true },
	{ "_sat_rtp", FE_UPWARD, true },
	{ "_sat_rtn", FE_DOWNWARD, true },
	{ "_sat_rtz", FE_TOWARDZERO, true },
};

struct conversion {
	enum type to, from;
	size_t count;
	uint8_t *in, *out;
};

static size_t form_count(enum type to)
{
	return types[to].is_float ? 5 : FORMS;
}

/* What vectors are tried with: the first for 16 elements, this for four. */
static const struct form *vector_form(enum type to)
{
	return &forms[types[to].is_float ? 3 : 7];
}

static size_t source_write(char *text, size_t room, enum type to,
			   enum type from)
{
	const char *d = types[to].name, *s = types[from].name;
	size_t used;

	used = snprintf(text, room,
			"kernel void from_%s(global const %s *in, global %s *out)\n"
			"{\n\tsize_t i = get_global_id(0), n = get_global_size(0);\n",
			s, s, d);
	for (size_t k = 0; k < form_count(to); k++)
		used += snprintf(text + used, room - used,
				 "\tout[%zu * n + i] = convert_%s%s(in[i]);\n",
				 k, d, forms[k].suffix);
	used += snprintf(text + used, room - used,
			 "}\nkernel void from_%s_vectors(global const %s *in, "
			 "global %s *out)\n"
			 "{\n\tsize_t i = get_global_id(0), n = get_global_size(0);\n"
			 "\tvstore16(convert_%s16(vload16(i, in)), i, out);\n"
			 "\tout += 16 * n;\n\tfor (int k = 0; k < 4; k++)\n"
			 "\t\tvstore4(convert_%s4%s(vload4(4 * i + k, in)),\n"
			 "\t\t\t4 * i + k, out);\n}\n",
			 s, s, d, d, d, vector_form(to)->suffix);
	return used;
}

static long double to_int(const struct type_info *info, const struct form *form,
			  long double value, bool *defined)
{
	uint32_t bits = 8 * info->bytes;
	long double low = info->is_signed ? -ldexpl(1, bits - 1) : 0;
	long double span = ldexpl(1, bits), high = low + span - 1;

	*defined = form->saturate;
	if (isnan(value))
		return 0;
	fesetround(form->mode < 0 ? FE_TOWARDZERO : form->mode);
	value = rintl(value);
	fesetround(FE_TONEAREST);
	if (value >= low && value <= high) {
		*defined = true;
		return value;
	}
	if (form->saturate)
		return value < low ? low : high;
	return value - floorl((value - low) / span) * span;
}

static bool right(const struct conversion *conversion, const struct form *form,
		  size_t in, size_t out)
{
	const struct type_info *to = &types[conversion->to];
	const struct type_info *from = &types[conversion->from];
	long double value, want, got;
	bool defined = true;

	value = value_load(conversion->from,
			   conversion->in + in * from->bytes);
	got = value_load(conversion->to, conversion->out + out * to->bytes);
	if (to->is_float)
		want = value_round(conversion->to, value,
				   form->mode < 0 ? FE_TONEAREST : form->mode);
	else
		want = to_int(to, form, value, &defined);
	if (!defined && from->is_float)
		return true;
	/* The compiler takes it through 32 bits, which the finite ones fit. */
	if (conversion->to == ULONG && conversion->from == HALF && isinf(value))
		return true;
	if (isnan(want) || isnan(got))
		return isnan(want) && isnan(got);
	return got == want && (!to->is_float || want != 0 ||
			       !signbit(got) == !signbit(want));
}

static bool form_check(const struct conversion *conversion,
		       const struct form *form, size_t place)
{
	const struct type_info *from = &types[conversion->from];
	size_t count = conversion->count, wrong = 0, first = 0;
	uint64_t bits = 0, got = 0;

	for (size_t i = 0; i < count; i++) {
		if (!right(conversion, form, i, place * count + i) &&
		    !wrong++)
			first = i;
	}
	if (!wrong)
		return true;
	memcpy(&bits, conversion->in + first * from->bytes, from->bytes);
	memcpy(&got, conversion->out + (place * count + first) *
	       types[conversion->to].bytes, types[conversion->to].bytes);
	tap_note("convert_%s%s(%s 0x%llx) is 0x%llx; %zu of %zu are wrong",
		 types[conversion->to].name, form->suffix, from->name,
		 (unsigned long long)bits, (unsigned long long)got, wrong,
		 count);
	return false;
}

static bool launch(struct numbers *numbers, cl_program program,
		   const struct conversion *conversion, bool vectors)
{
	const struct type_info *to = &types[conversion->to];
	const struct type_info *from = &types[conversion->from];
	size_t places = vectors ? VECTOR_FORMS : form_count(conversion->to);
	char name[40];
	struct launch launch = {
		.kernel = name,
		.items = conversion->count / (vectors ? 16 : 1),
		.buffers = 2,
		.buffer = {
			{ conversion->in, conversion->count * from->bytes },
			{ conversion->out,
			  places * conversion->count * to->bytes },
		},
	};

	snprintf(name, sizeof(name), "from_%s%s", from->name,
		 vectors ? "_vectors" : "");
	return !numbers_launch(numbers, program, &launch);
}

static void conversion_run(struct numbers *numbers, cl_program program,
			   struct conversion *conversion)
{
	char name[80];
	bool ok;

	conversion->count = value_count(conversion->from);
	value_fill(conversion->from, conversion->in, conversion->count, 0);
	ok = launch(numbers, program, conversion, false);
	for (size_t k = 0; k < form_count(conversion->to) && ok; k++)
		ok = form_check(conversion, &forms[k], k);
	snprintf(name, sizeof(name), "%s from %s, all modes",
		 types[conversion->to].name, types[conversion->from].name);
	tap_result(ok, name, NULL);
	ok = launch(numbers, program, conversion, true) &&
	     form_check(conversion, &forms[0], 0) &&
	     form_check(conversion, vector_form(conversion->to), 1);
	snprintf(name, sizeof(name), "%s from %s, vectors",
		 types[conversion->to].name, types[conversion->from].name);
	tap_result(ok, name, NULL);
}

static cl_program program_make(struct numbers *numbers, enum type to)
{
	static char source[40000];
	size_t used;

	used = snprintf(source, sizeof(source),
			"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
	for (enum type from = 0; from < TYPES; from++)
		used += source_write(source + used, sizeof(source) - used, to,
				     from);
	return numbers_build(numbers, source);
}

void convert_run(struct numbers *numbers)
{
	size_t most = value_count(LONG) > value_count(SHORT) ?
		      value_count(LONG) : value_count(SHORT);
	struct conversion conversion = {
		.in = malloc(most * 8),
		.out = malloc(most * 8 * FORMS),
	};
	enum type from;

	if (!conversion.in || !conversion.out)
		abort();
	for (conversion.to = 0; conversion.to < TYPES; conversion.to++) {
		cl_program program = program_make(numbers, conversion.to);

		if (!program) {
			tap_result(false, types[conversion.to].name, "build");
			continue;
		}
		for (from = 0; from < TYPES; from++) {
			conversion.from = from;
			conversion_run(numbers, program, &conversion);
		}
		clReleaseProgram(program);
	}
	free(conversion.in);
	free(conversion.out);
}
