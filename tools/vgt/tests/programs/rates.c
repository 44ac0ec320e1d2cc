// SPDX-License-Identifier: MIT
/*
 * rates CASE COUNT [THREADS]: figures of an ordinary program.
 *   waited   launches a second, each waited for; a queue for each thread
 *   queued   launches a second, all of them waited for at once
 *   finish   median of a launch and its clFinish, in microseconds; on standard error
 *            the most memory that the program had
 *   memory   use COUNT MiB of buffers, say so, and stay until the input ends
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define THREADS 128
#define WARM_UP 100
#define MIB (1UL << 20)
#define BUFFER (16 * MIB)

static const char *source =
	"__kernel void count(__global uint *a) { a[get_global_id(0)] += 1; }\n";

static cl_device_id device;
static cl_context context;
static cl_program program;
static uint32_t launches;

struct run {
	pthread_t thread;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem buffer;
};

static void need(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "rates: failed: %s\n", what);
	exit(1);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void device_open(void)
{
	cl_platform_id platform;

	need(!clGetPlatformIDs(1, &platform, NULL) &&
	     !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "finding a device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	need(!clBuildProgram(program, 1, &device, "", NULL, NULL), "building");
}

static void launch(const struct run *run, size_t items)
{
	need(!clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL, &items,
				     NULL, 0, NULL, NULL), "launching");
}

static void finish(const struct run *run)
{
	need(!clFinish(run->queue), "waiting");
}

static void run_init(struct run *run, size_t bytes)
{
	cl_uint zero = 0;

	run->queue = clCreateCommandQueue(context, device, 0, NULL);
	run->kernel = clCreateKernel(program, "count", NULL);
	run->buffer = clCreateBuffer(context, 0, bytes, NULL, NULL);
	need(!clSetKernelArg(run->kernel, 0, sizeof(run->buffer), &run->buffer) &&
	     !clEnqueueFillBuffer(run->queue, run->buffer, &zero, sizeof(zero),
				  0, bytes, 0, NULL, NULL), "a buffer");
	for (int i = 0; i < WARM_UP; i++) {
		launch(run, 1);
		finish(run);
	}
}

/* No launch was lost. */
static void run_check(const struct run *run, uint32_t count)
{
	cl_uint value = 0;

	need(!clEnqueueReadBuffer(run->queue, run->buffer, CL_TRUE, 0,
				  sizeof(value), &value, 0, NULL, NULL) &&
	     value == count + WARM_UP, "the count of launches");
}

static void *waited_thread(void *argument)
{
	const struct run *run = argument;

	for (uint32_t i = 0; i < launches; i++) {
		launch(run, 1);
		finish(run);
	}
	return NULL;
}

static void waited(uint32_t threads)
{
	struct run run[THREADS];
	double start;

	for (uint32_t i = 0; i < threads; i++)
		run_init(&run[i], 4096);
	start = now_us();
	for (uint32_t i = 0; i < threads; i++)
		need(!pthread_create(&run[i].thread, NULL, waited_thread,
				     &run[i]), "a thread");
	for (uint32_t i = 0; i < threads; i++)
		pthread_join(run[i].thread, NULL);
	printf("%.0f\n", 1e6 * launches * threads / (now_us() - start));
	for (uint32_t i = 0; i < threads; i++)
		run_check(&run[i], launches);
}

static void queued(void)
{
	struct run run;
	double start;

	run_init(&run, 4096);
	start = now_us();
	for (uint32_t i = 0; i < launches; i++)
		launch(&run, 1);
	finish(&run);
	printf("%.0f\n", 1e6 * launches / (now_us() - start));
	run_check(&run, launches);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void finish_median(void)
{
	double *took = calloc(launches, sizeof(*took));
	struct rusage used;
	struct run run;

	run_init(&run, 4096);
	for (uint32_t i = 0; i < launches; i++) {
		took[i] = now_us();
		launch(&run, 1);
		finish(&run);
		took[i] = now_us() - took[i];
	}
	qsort(took, launches, sizeof(*took), by_value);
	printf("%.1f\n", took[launches / 2]);
	free(took);
	if (!getrusage(RUSAGE_SELF, &used))
		fprintf(stderr, "rates: %ld KiB at most\n", used.ru_maxrss);
}

static void memory(void)
{
	struct run run;
	char byte;

	for (size_t used = 0; used < launches * MIB; used += BUFFER) {
		run_init(&run, BUFFER);
		launch(&run, BUFFER / sizeof(cl_uint));
		finish(&run);
	}
	printf("used\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
}

int main(int argc, char **argv)
{
	const char *name = argc > 2 ? argv[1] : "";
	uint32_t threads = argc > 3 ? (uint32_t)atoi(argv[3]) : 1;

	launches = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
	if (!launches || !threads || threads > THREADS)
		return 2;
	device_open();
	if (!strcmp(name, "waited"))
		waited(threads);
	else if (!strcmp(name, "queued"))
		queued();
	else if (!strcmp(name, "finish"))
		finish_median();
	else if (!strcmp(name, "memory"))
		memory();
	else
		return 2;
	return 0;
}
