/* SPDX-License-Identifier: MIT */
/*
 * Kernel tests: OpenCL kernels with a reference in C. Most cases are rows of a
 * table (struct kt_case): the arguments say what the buffers hold and how they
 * are compared, the reference fills in what must be in them afterwards. Cases
 * that need more of the API than one launch have a run function of their own.
 */
#ifndef VGT_TESTS_SUITE_H
#define VGT_TESTS_SUITE_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KT_ARGS 32

enum kt_dir {
	KT_NONE, /* end of the list */
	KT_IN, /* buffer that the kernel must not change */
	KT_OUT, /* buffer full of poison */
	KT_INOUT, /* buffer with contents */
	KT_LOCAL, /* local memory of count elements */
	KT_VALUE, /* bytes at value */
};

enum kt_type {
	KT_I8, KT_U8, KT_I16, KT_U16, KT_I32, KT_U32, KT_I64, KT_U64,
	KT_F16, KT_F32,
};

enum kt_fill {
	KT_ZERO,
	KT_BITS, /* every bit random */
	KT_RANGE, /* uniform in [lo, hi] */
	KT_EDGES, /* the type's special values mixed with random bits */
	KT_INDEX, /* element number */
	KT_SHUFFLE, /* a permutation of the element numbers */
};

struct kt_arg {
	enum kt_dir dir;
	enum kt_type type;
	size_t count;
	enum kt_fill fill;
	double lo, hi;
	const void *value;
	size_t value_bytes;
	/* Above 0: want is double[], and may be missed by this many ULP. */
	double ulp;
	double abs_error; /* with ulp: this absolute error is fine as well */
};

struct kt_buffer {
	void *data; /* contents before the launch */
	void *want; /* contents expected after it */
	cl_mem mem;
};

struct kt_run {
	const struct kt_case *test;
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	struct kt_buffer arg[KT_ARGS];
	char message[400]; /* why it failed */
};

struct kt_case {
	const char *kernel; /* name of the case and of the kernel */
	const char *label; /* appended to the name if not NULL */
	void (*reference)(const struct kt_run *run);
	int (*run)(struct kt_run *run); /* instead of a plain launch */
	size_t global[3], local[3], offset[3];
	struct kt_arg arg[KT_ARGS];
	const char *extension; /* skipped where the device lacks it */
};

struct kt_group {
	const char *name; /* kernels/<name>.cl */
	const struct kt_case *cases; /* ends with a NULL kernel */
	const char *options;
};

extern const struct kt_group kt_groups[];
extern const struct kt_case kt_arith[];
extern const struct kt_case kt_wide[];
extern const struct kt_case kt_convert[];
extern const struct kt_case kt_float[];
extern const struct kt_case kt_math[];
extern const struct kt_case kt_flow[];
extern const struct kt_case kt_call[];
extern const struct kt_case kt_memory[];
extern const struct kt_case kt_place[];
extern const struct kt_case kt_local[];
extern const struct kt_case kt_atomic[];
extern const struct kt_case kt_chain[];
extern const struct kt_case kt_range[];
extern const struct kt_case kt_collective[];
extern const struct kt_case kt_scan[];
extern const struct kt_case kt_subgroup[];
extern const struct kt_case kt_block[];
extern const struct kt_case kt_image[];
extern const struct kt_case kt_layers[];
extern const struct kt_case kt_levels[];
extern const struct kt_case kt_media[];
extern const struct kt_case kt_command[];

/* In a reference: the initial and the expected contents of argument @n. */
#define KT_DATA(run, n, type) ((const type *)(run)->arg[n].data)
#define KT_WANT(run, n, type) ((type *)(run)->arg[n].want)

#define KT_BUFFER_IN(t, n, how) \
	{ .dir = KT_IN, .type = KT_##t, .count = (n), .fill = KT_##how }
#define KT_BUFFER_RANGE(t, n, from, to) \
	{ .dir = KT_IN, .type = KT_##t, .count = (n), .fill = KT_RANGE, \
	  .lo = (from), .hi = (to) }
#define KT_BUFFER_OUT(t, n) \
	{ .dir = KT_OUT, .type = KT_##t, .count = (n) }
#define KT_BUFFER_INOUT(t, n, how) \
	{ .dir = KT_INOUT, .type = KT_##t, .count = (n), .fill = KT_##how }
#define KT_BUFFER_ULP(n, error) \
	{ .dir = KT_OUT, .type = KT_F32, .count = (n), .ulp = (error) }
#define KT_BYTES(pointer) \
	{ .dir = KT_VALUE, .value = (pointer), \
	  .value_bytes = sizeof(*(pointer)) }
#define KT_SLM(t, n) { .dir = KT_LOCAL, .type = KT_##t, .count = (n) }

/* session.c: the device, programs and the launch of one case. */
struct kt_session;
struct kt_session *kt_session_create(const char *directory);
void kt_session_destroy(struct kt_session *session);
bool kt_session_has(struct kt_session *session, const char *extension);
/* Returns 0, or -1 with run->message set. */
int kt_session_run(struct kt_session *session, const struct kt_group *group,
		   const struct kt_case *test, const char *options,
		   char *message, size_t message_bytes);

/* buffer.c */
size_t kt_type_bytes(enum kt_type type);
void kt_buffer_init(struct kt_buffer *buffer, const struct kt_arg *arg,
		    uint64_t seed);
void kt_buffer_fini(struct kt_buffer *buffer);
/* Returns 0, or -1 with the first mismatch in @message. */
int kt_buffer_compare(const struct kt_buffer *buffer, const struct kt_arg *arg,
		      const void *got, char *message, size_t message_bytes);

/* For run functions: sets run->message and returns -1. */
int __attribute__((format(printf, 2, 3)))
kt_fail(struct kt_run *run, const char *format, ...);

#define KT_TRY(run, call) \
	do { \
		cl_int ret_ = (call); \
		if (ret_ != CL_SUCCESS) \
			return kt_fail(run, "%s: %d", #call, ret_); \
	} while (0)

#endif
