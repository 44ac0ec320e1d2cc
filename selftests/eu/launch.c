// SPDX-License-Identifier: MIT
/*
 * launch KERNEL ITEMS LOCAL [TIMES[q]]: the debuggee. Runs a kernel of kernels.cl
 * and compares what it wrote with what C computes. With "q" all launches are
 * queued before the first wait. Ends with 0 if all is right, 1 if a result is
 * wrong, 2 if OpenCL failed.
 * EU_TEST_KERNELS is another source, EU_TEST_OPTIONS is for its compiler.
 * launch --binary FILE: compiles kernels.cl only. EU_TEST_BINARY is such a file,
 * for programs that start where the compiler would take most of their time.
 */
#include "decide.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEMS_MAX (1 << 20)
#define FILE_MAX (1 << 20)

/* In the input of "endless" and "uneven", for whoever looks for it in memory. */
#define ENDLESS_MARK 0x57a7c0de

static int input(const char *kernel, int i)
{
	if (!strcmp(kernel, "endless") || !strcmp(kernel, "uneven"))
		return i ? 1000 + i : ENDLESS_MARK;
	return i * 7 + 3;
}

static int sample(int v, int i)
{
	return i & 1 ? v * 3 + 1 : v - 7;
}

static int endless(int v, int i)
{
	(void)v;
	return 1001 + i;
}

static int collatz(int v)
{
	int n = 0;

	for (; v != 1 && n < 100; n++)
		v = v & 1 ? 3 * v + 1 : v / 2;
	return n;
}

static int diverge(int v, int i)
{
	int sum = 0;

	for (int k = 0; k < (i & 3) + 2; k++) {
		int which = (v + k) & 3;

		if (which == 0)
			sum += collatz((v & 15) + 1);
		if (which == 1) {
			sum -= k;
			continue;
		}
		if (which == 2)
			sum ^= v;
		if (which == 3)
			for (int j = 0; j < k; j++)
				sum += j * v;
		sum += 5;
	}
	return sum;
}

static int reverse(int v, int i)
{
	(void)v;
	return input("reverse", i / 32 * 32 + 31 - i % 32);
}

static int total(int v, int i)
{
	int sum = i % 32;

	(void)v;
	for (int k = 0; k < 32; k++)
		sum += input("total", i / 32 * 32 + k);
	return sum;
}

static int spill(int v, int i)
{
	int sum = 0;

	for (int k = 0; k < 40; k++)
		sum += (v * ((v + k * 7) % 40) + i) ^ k;
	return sum;
}

static int wide(int v, int i)
{
	int sum = 0;

	for (int k = 0; k < (i & 7); k++)
		sum += k & 1 ? v : i * k;
	return sum + v * 12345 - i * 6789;
}

static int product(int v, int i)
{
	int a = (int)(v * 123456789U), b = (int)(i * 98765431U);

	return (int)(((int64_t)a * b) >> 32) +
	       (int)(((int64_t)v * (i * 65537)) >> 32);
}

static int grind(int item, int i)
{
	uint32_t v = (uint32_t)item;

	(void)i;
	for (int k = 0; k < 20000; k++)
		v = (v * 1664525 + 1013904223) ^ (v >> 13);
	return (int)v;
}

static uint32_t outer(uint32_t v)
{
	return v * 3 + 1 - ((v + 2) * 3 + 1) * v;
}

static int nested(int item, int i)
{
	uint32_t v = (uint32_t)item, sum = outer(v) + (uint32_t)i * 3 + 1;

	return (int)(v & 1 ? sum + outer(sum) : sum);
}

static const struct {
	const char *name;
	int (*result)(int v, int i);
} kernels[] = {
	{ "sample", sample }, { "endless", endless }, { "diverge", diverge },
	{ "reverse", reverse }, { "total", total }, { "spill", spill },
	{ "wide16", wide }, { "wide32", wide }, { "product", product },
	{ "grind", grind }, { "uneven", endless }, { "decide", sample },
	{ "nested", nested },
};

static void check(cl_int ret, const char *what)
{
	if (ret == CL_SUCCESS)
		return;
	fprintf(stderr, "launch: %s: error %d\n", what, ret);
	exit(2);
}

static char *file_read(const char *path, size_t *bytes_out)
{
	FILE *file = fopen(path, "r");
	char *data = calloc(1, FILE_MAX + 1);

	if (file && data)
		*bytes_out = fread(data, 1, FILE_MAX, file);
	if (!file || !data || !*bytes_out) {
		fprintf(stderr, "launch: cannot read %s\n", path);
		exit(2);
	}
	fclose(file);
	return data;
}

struct run {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem in, out;
	int *data;
	size_t items, local;
};

static void program_create(struct run *run)
{
	const char *source = getenv("EU_TEST_KERNELS");
	const char *binary = getenv("EU_TEST_BINARY");
	size_t bytes;
	cl_int ret;
	char *data;

	if (!source)
		source = "kernels.cl";
	data = file_read(binary ? binary : source, &bytes);
	if (binary)
		run->program = clCreateProgramWithBinary(
			run->context, 1, &run->device, &bytes,
			(const unsigned char **)&data, NULL, &ret);
	else
		run->program = clCreateProgramWithSource(
			run->context, 1, (const char **)&data, &bytes, &ret);
	check(ret, "program");
	free(data);
}

static void build(struct run *run)
{
	const char *options = getenv("EU_TEST_OPTIONS");
	cl_platform_id platform;
	cl_int ret;

	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &run->device, NULL),
	      "device");
	run->context = clCreateContext(NULL, 1, &run->device, NULL, NULL, &ret);
	check(ret, "context");
	run->queue = clCreateCommandQueueWithProperties(
		run->context, run->device, NULL, &ret);
	check(ret, "queue");
	program_create(run);
	check(clBuildProgram(run->program, 1, &run->device,
			     options ? options : "", NULL, NULL), "build");
}

static int binary_write(const struct run *run, const char *path)
{
	unsigned char *data;
	size_t bytes;
	FILE *file;

	check(clGetProgramInfo(run->program, CL_PROGRAM_BINARY_SIZES,
			       sizeof(bytes), &bytes, NULL), "size");
	data = malloc(bytes);
	check(clGetProgramInfo(run->program, CL_PROGRAM_BINARIES, sizeof(data),
			       &data, NULL), "binary");
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file)) {
		fprintf(stderr, "launch: cannot write %s\n", path);
		return 2;
	}
	return 0;
}

/* See gate.h. */
static void gate_pass(void)
{
	const char *gate = getenv("EU_TEST_GATE");
	int fd = gate ? atoi(gate) : -1;
	char go;

	if (gate && (write(fd, "", 1) != 1 || read(fd, &go, 1) != 1))
		exit(2);
}

static void launch(struct run *run)
{
	gate_pass();
	check(clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL,
				     &run->items, &run->local, 0, NULL, NULL),
	      "enqueue");
}

static void read_back(struct run *run)
{
	size_t bytes = run->items * sizeof(int);

	check(clEnqueueReadBuffer(run->queue, run->out, CL_TRUE, 0, bytes,
				  run->data, 0, NULL, NULL), "read");
}

static void buffers(struct run *run, const char *name)
{
	size_t bytes = run->items * sizeof(int);
	cl_int ret;

	run->data = calloc(run->items, ITEM_BYTES);
	for (size_t i = 0; i < run->items; i++)
		run->data[i] = input(name, (int)i);
	run->in = clCreateBuffer(run->context, CL_MEM_COPY_HOST_PTR,
				 run->items * ITEM_BYTES, run->data, &ret);
	check(ret, "buffer");
	memset(run->data, 0, bytes);
	run->out = clCreateBuffer(run->context, CL_MEM_COPY_HOST_PTR, bytes,
				  run->data, &ret);
	check(ret, "buffer");
	check(clSetKernelArg(run->kernel, 0, sizeof(cl_mem), &run->in), "arg");
	check(clSetKernelArg(run->kernel, 1, sizeof(cl_mem), &run->out), "arg");
}

/* For tests that make the kernel compute something else. */
static void result_write(const struct run *run)
{
	const char *path = getenv("EU_TEST_RESULT");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fwrite(run->data, sizeof(int), run->items, file);
	fclose(file);
}

static int compare(const struct run *run, const char *name, size_t which)
{
	for (size_t i = 0; i < run->items; i++) {
		int want = kernels[which].result(input(name, (int)i), (int)i);

		if (run->data[i] == want)
			continue;
		fprintf(stderr, "launch: %s: item %zu is %d, not %d\n", name,
			i, run->data[i], want);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	size_t which = 0, times = 1;
	char *end = "";
	cl_int ret;

	if (argc == 3 && !strcmp(argv[1], "--binary")) {
		build(&run);
		return binary_write(&run, argv[2]);
	}
	if (argc < 4)
		return 2;
	while (which < sizeof(kernels) / sizeof(kernels[0]) &&
	       strcmp(kernels[which].name, argv[1]))
		which++;
	run.items = strtoul(argv[2], NULL, 0);
	run.local = strtoul(argv[3], NULL, 0);
	if (argc > 4)
		times = strtoul(argv[4], &end, 0);
	if (which == sizeof(kernels) / sizeof(kernels[0]) || !run.items ||
	    run.items > ITEMS_MAX)
		return 2;
	build(&run);
	run.kernel = clCreateKernel(run.program, argv[1], &ret);
	check(ret, "kernel");
	buffers(&run, argv[1]);
	while (times--) {
		launch(&run);
		if (*end != 'q' || !times)
			read_back(&run);
	}
	result_write(&run);
	return compare(&run, argv[1], which);
}
