// SPDX-License-Identifier: MIT
/*
 * Runs a kernel of asserts.cl for 64 items and a number of rounds of its loop. Of one
 * that fails it prints at SIGABRT when the kernel has said that it will and when the
 * signal came, in microseconds of CLOCK_MONOTONIC, and ends. Meanwhile it waits for the
 * kernel to finish, if the rounds are not 0, or does nothing.
 * usage: asserts FILE KERNEL ROUNDS [OPTIONS]
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <pthread.h>
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
	uint64_t now = now_ns();

	(void)signal;
	/* Who looks for it may have come too late. */
	printf("%.1f %.1f\n", (failed_ns ? failed_ns : now) / 1000.0,
	       now / 1000.0);
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

/*
 * The kernel writes where the program looks, as both share their memory. It sleeps
 * in between: in a guest whose CPUs take turns, one that spins keeps the others waiting.
 */
static void *failure_see(void *word)
{
	const struct timespec pause = { .tv_nsec = 500000 };

	while (!*(volatile cl_uint *)word)
		nanosleep(&pause, NULL);
	failed_ns = now_ns();
	return NULL;
}

static void failure_await(cl_command_queue queue, cl_uint *word, bool waits)
{
	pthread_t looker;

	check(clFlush(queue), "flush");
	if (pthread_create(&looker, NULL, failure_see, word))
		exit(1);
	if (waits)
		check(clFinish(queue), "finish");
	for (;;)
		pause();
}

static void kernel_run(cl_kernel kernel, cl_int rounds, bool fails)
{
	static float in[4 * ITEMS * ROUNDS_MAX];
	const size_t items = ITEMS;
	cl_command_queue queue;
	cl_uint *word = NULL;
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
		failure_await(queue, word, rounds);
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
		   rounds, !strncmp(argv[2], "fails", 5));
	return 0;
}
