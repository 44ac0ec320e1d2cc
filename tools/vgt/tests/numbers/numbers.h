/* SPDX-License-Identifier: MIT */
/*
 * Conformance of numbers: conversions and functions of OpenCL C over all types,
 * by kernels that are generated here, against long double on the host. Halves
 * are tried all, and of longer types corners and random bits.
 */
#ifndef VGT_TESTS_NUMBERS_H
#define VGT_TESTS_NUMBERS_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type { UCHAR, CHAR, USHORT, SHORT, UINT, INT, ULONG, LONG, HALF, FLOAT,
	    TYPES };

struct type_info {
	const char *name;
	uint32_t bytes;
	bool is_signed, is_float;
	/* Of a floating type: digits, and the exponents of its normal values. */
	int digits, lowest, highest;
};

extern const struct type_info types[TYPES];

/* How many values of @type are tried: all that there are, if they are few. */
size_t value_count(enum type type);
/* How many where they are not few. */
extern size_t value_samples;

/* value.c: numbers of a type as bits in memory, exact in a long double. */
long double value_load(enum type type, const void *at);
/* Corners and random bits; all there are of 8 and 16 bits, if they fit. */
void value_fill(enum type type, void *at, size_t count, uint64_t seed);
/* @value in @type, which is a floating one, by a rounding mode of fenv.h. */
long double value_round(enum type type, long double value, int mode);
/* Units in the last place of @type between them; both may be infinite. */
long double value_ulps(enum type type, long double got, long double want);

/* launch.c */
struct numbers;
struct numbers *numbers_create(void);
void numbers_destroy(struct numbers *numbers);
/* What all programs are built with. */
extern const char *numbers_options;
/* NULL after the build log if @source does not compile. */
cl_program numbers_build(struct numbers *numbers, const char *source);

#define LAUNCH_BUFFERS 4

struct launch {
	const char *kernel;
	size_t items, buffers;
	/* The last one is the result, which the kernel writes. */
	struct {
		void *data;
		size_t bytes;
	} buffer[LAUNCH_BUFFERS];
};

/* 0, or -1 after a message. */
int numbers_launch(struct numbers *numbers, cl_program program,
		   const struct launch *launch);

/* convert.c, math.c: print their results. */
void convert_run(struct numbers *numbers);
void math_run(struct numbers *numbers);

#endif
