// SPDX-License-Identifier: MIT
/*
 * Runs a kernel of asserts.cl for 64 items and a number of rounds of its loop. At
 * SIGABRT it prints how many microseconds ago the kernel has said that it will fail, and
 * ends.
 * usage: asserts FILE KERNEL ROUNDS [OPTIONS]
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ITEMS 64
#define ROUNDS_MAX 64
#define TEXT_MAX 65536

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "asserts: %s: OpenCL error %d\n", what, status);
	exit(1);
}

static cl_context context;
static cl_device_id device;
static volatile uint64_t failed_ns;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Nothing else writes meanwhile. */
static void on_abort(int signal)
{
	(void)signal;
	printf("%.1f\n", (now_ns() - failed_ns) / 1000.0);
	fflush(stdout);
	_exit(0);
}

static cl_kernel kernel_build(const char *file, const char *name,
			      const char *options)
{
	static char text[TEXT_MAX];
	const char *source = text;
	cl_program program;
	cl_kernel kernel;
	cl_int status;
	FILE *from = fopen(file, "r");

	if (!from || !fread(text, 1, sizeof(text) - 1, from)) {
		perror(file);
		exit(1);
	}
	fclose(from);
	program = clCreateProgramWithSource(context, 1, &source, NULL,
					    &status);
	check(status, "source");
	check(clBuildProgram(program, 1, &device, options, NULL, NULL),
	      "build");
	kernel = clCreateKernel(program, name, &status);
	check(status, "kernel");
	return kernel;
}

/* The kernel writes where the program looks, as both share their memory. */
static void failure_await(cl_command_queue queue, volatile cl_uint *word)
{
	check(clFlush(queue), "flush");
	while (!*word)
		sched_yield();
	failed_ns = now_ns();
	for (;;)
		pause();
}

static void kernel_run(cl_kernel kernel, cl_int rounds, bool fails)
{
	static float in[4 * ITEMS * ROUNDS_MAX];
	const size_t items = ITEMS;
	cl_command_queue queue;
	volatile cl_uint *word = NULL;
	cl_mem buffers[2];
	cl_int status, i;

	for (i = 0; i < 4 * ITEMS * ROUNDS_MAX; i++)
		in[i] = i % 4 == 3 ? 1 : 1 + i % 61 * 0.5f;
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	check(status, "queue");
	for (i = 0; i < 2; i++) {
		buffers[i] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR,
					    sizeof(in), in, &status);
		check(status, "buffer");
		check(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]),
		      "argument");
	}
	if (fails) {
		word = clEnqueueMapBuffer(queue, buffers[1], CL_TRUE,
					  CL_MAP_READ | CL_MAP_WRITE, 0,
					  sizeof(*word), 0, NULL, NULL, &status);
		check(status, "map");
		*word = 0;
	}
	check(clSetKernelArg(kernel, 2, sizeof(rounds), &rounds), "rounds");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, NULL), "launch");
	if (fails)
		failure_await(queue, word);
	check(clFinish(queue), "finish");
}

int main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_int status, rounds;

	if (argc < 4) {
		fputs("usage: asserts FILE KERNEL ROUNDS [OPTIONS]\n", stderr);
		return 2;
	}
	rounds = atoi(argv[3]);
	if (rounds < 0 || rounds > ROUNDS_MAX)
		return 2;
	signal(SIGABRT, on_abort);
	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL),
	      "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "context");
	kernel_run(kernel_build(argv[1], argv[2], argc > 4 ? argv[4] : ""),
		   rounds, !strcmp(argv[2], "fails"));
	return 0;
}
