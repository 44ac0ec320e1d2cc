// SPDX-License-Identifier: MIT
/*
 * The program of Documentation/tutorial-core.rst: readings are counted in bins of
 * ten. One of them is in no bin.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 8
#define BINS 8

static const char *source =
	"#include \"gtdbg_assert.h\"\n"
	"\n"
	"int bin_of(int reading, int low, int high, int bins)\n"
	"{\n"
	"  return (reading - low) * bins / (high - low);\n"
	"}\n"
	"\n"
	"__kernel void tally(__global const int *in, __global int *out, int bins)\n"
	"{\n"
	"  int reading = in[get_global_id(0)];\n"
	"  int bin = bin_of(reading, 0, 80, bins);\n"
	"\n"
	"  assert(bin < bins);\n"
	"  if (bin < bins)\n"
	"    atomic_inc(&out[bin]);\n"
	"}\n";

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "tally: %s: OpenCL error %d\n", what, status);
	exit(1);
}

static cl_kernel build(cl_context context, cl_device_id device)
{
	cl_program program;
	cl_kernel kernel;
	cl_int status;

	program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
	check(status, "source");
	check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
	kernel = clCreateKernel(program, "tally", &status);
	check(status, "kernel");
	return kernel;
}

static void tally(cl_context context, cl_device_id device, cl_int *in,
		  cl_int *out)
{
	const size_t items = ITEMS;
	const cl_int bins = BINS;
	cl_kernel kernel = build(context, device);
	cl_command_queue queue;
	cl_mem from, to;
	cl_int status;

	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	check(status, "queue");
	from = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
			      ITEMS * sizeof(*in), in, &status);
	check(status, "buffer");
	to = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BINS * sizeof(*out),
			    out, &status);
	check(status, "buffer");
	check(clSetKernelArg(kernel, 0, sizeof(from), &from), "in");
	check(clSetKernelArg(kernel, 1, sizeof(to), &to), "out");
	check(clSetKernelArg(kernel, 2, sizeof(bins), &bins), "bins");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0,
				     NULL, NULL), "launch");
	check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, BINS * sizeof(*out),
				  out, 0, NULL, NULL), "result");
}

int main(void)
{
	cl_int in[ITEMS] = { 3, 17, 25, 38, 46, 80, 64, 71 };
	cl_int out[BINS] = { 0 }, counted = 0, status, i;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;

	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL),
	      "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "context");
	tally(context, device, in, out);
	for (i = 0; i < BINS; i++)
		counted += out[i];
	printf("%d of %d readings were counted\n", counted, ITEMS);
	return counted != ITEMS;
}
