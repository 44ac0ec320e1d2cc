// SPDX-License-Identifier: MIT
/*
 * The program of Documentation/tutorial-trace.rst: pieces of work go to two queues in
 * turn, so that the GPU has the next one while the host checks this one. It has not.
 * usage: relay [ahead]
 * ahead: the next piece is enqueued before this one is waited for.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECES 8
#define ITEMS 64
#define ROUNDS 200

static const char *source =
	"__kernel void piece(__global uint *out, uint first, uint rounds)\n"
	"{\n"
	"  uint value = first + get_global_id(0);\n"
	"\n"
	"  for (uint i = 0; i < rounds; i++)\n"
	"    value = value * 1664525 + 1013904223;\n"
	"  out[get_global_id(0)] = value;\n"
	"}\n";

/* A piece's place, and the queue that it goes to. */
struct lane {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem out;
};

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "relay: %s: OpenCL error %d\n", what, status);
	exit(1);
}

static cl_program build(cl_context context, cl_device_id device)
{
	cl_program program;
	cl_int status;

	program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
	check(status, "source");
	check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
	return program;
}

static void lane_init(struct lane *lane, cl_context context, cl_device_id device,
		      cl_program program)
{
	const cl_uint rounds = ROUNDS;
	cl_int status;

	lane->queue = clCreateCommandQueueWithProperties(context, device, NULL,
							 &status);
	check(status, "queue");
	lane->kernel = clCreateKernel(program, "piece", &status);
	check(status, "kernel");
	lane->out = clCreateBuffer(context, CL_MEM_WRITE_ONLY,
				   ITEMS * sizeof(cl_uint), NULL, &status);
	check(status, "buffer");
	check(clSetKernelArg(lane->kernel, 0, sizeof(cl_mem), &lane->out), "out");
	check(clSetKernelArg(lane->kernel, 2, sizeof(rounds), &rounds), "rounds");
}

static void piece_begin(struct lane *lanes, cl_uint piece)
{
	const struct lane *lane = &lanes[piece % 2];
	const cl_uint first = piece * ITEMS;
	const size_t items = ITEMS;

	check(clSetKernelArg(lane->kernel, 1, sizeof(first), &first), "first");
	check(clEnqueueNDRangeKernel(lane->queue, lane->kernel, 1, NULL, &items,
				     NULL, 0, NULL, NULL), "launch");
	check(clFlush(lane->queue), "flush");
}

/* How many of its items are wrong. */
static int piece_end(struct lane *lanes, cl_uint piece)
{
	const struct lane *lane = &lanes[piece % 2];
	cl_uint out[ITEMS], value, item, i;
	int wrong = 0;

	check(clEnqueueReadBuffer(lane->queue, lane->out, CL_TRUE, 0,
				  sizeof(out), out, 0, NULL, NULL), "result");
	for (item = 0; item < ITEMS; item++) {
		value = piece * ITEMS + item;
		for (i = 0; i < ROUNDS; i++)
			value = value * 1664525 + 1013904223;
		wrong += out[item] != value;
	}
	return wrong;
}

static int pieces(struct lane *lanes, bool is_ahead)
{
	cl_uint piece;
	int wrong = 0;

	if (is_ahead)
		piece_begin(lanes, 0);
	for (piece = 0; piece < PIECES; piece++) {
		if (!is_ahead)
			piece_begin(lanes, piece);
		else if (piece + 1 < PIECES)
			piece_begin(lanes, piece + 1);
		wrong += piece_end(lanes, piece);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	cl_platform_id platform;
	struct lane lanes[2];
	cl_device_id device;
	cl_program program;
	cl_context context;
	cl_int status;
	int i, wrong;

	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL),
	      "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "context");
	program = build(context, device);
	for (i = 0; i < 2; i++)
		lane_init(&lanes[i], context, device, program);
	wrong = pieces(lanes, argc > 1 && !strcmp(argv[1], "ahead"));
	printf("%d of %d items are wrong\n", wrong, PIECES * ITEMS);
	return wrong != 0;
}
