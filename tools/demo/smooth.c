// SPDX-License-Identifier: MIT
/*
 * The program of the tutorial, Documentation/tutorial.rst: each element becomes
 * the average of itself and its neighbours, on a ring. One result is wrong.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 48
#define GROUP 16

static const char *source =
	"uint left_of(uint item, uint count)\n"
	"{\n"
	"  return (item - 1) % count;\n"
	"}\n"
	"\n"
	"__kernel void smooth(__global const int *in, __global int *out,\n"
	"                     uint count)\n"
	"{\n"
	"  uint item = get_global_id(0);\n"
	"  uint left = left_of(item, count);\n"
	"  uint right = (item + 1) % count;\n"
	"  int sum = in[left] + in[item] + in[right];\n"
	"\n"
	"  out[item] = sum / 3;\n"
	"}\n";

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "smooth: %s: OpenCL error %d\n", what, status);
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
	kernel = clCreateKernel(program, "smooth", &status);
	check(status, "kernel");
	return kernel;
}

static void smooth(cl_context context, cl_device_id device, cl_int *in,
		   cl_int *out)
{
	const size_t items = ITEMS, group = GROUP, bytes = ITEMS * sizeof(*in);
	cl_kernel kernel = build(context, device);
	cl_command_queue queue;
	cl_mem from, to;
	cl_uint count = ITEMS;
	cl_int status;

	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	check(status, "queue");
	from = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
			      bytes, in, &status);
	check(status, "buffer");
	to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
	check(status, "buffer");
	check(clSetKernelArg(kernel, 0, sizeof(from), &from), "in");
	check(clSetKernelArg(kernel, 1, sizeof(to), &to), "out");
	check(clSetKernelArg(kernel, 2, sizeof(count), &count), "count");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0,
				     NULL, NULL), "launch");
	check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, bytes, out, 0, NULL,
				  NULL), "result");
}

int main(void)
{
	cl_int in[ITEMS], out[ITEMS], wanted, status;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	int i, wrong = 0;

	for (i = 0; i < ITEMS; i++)
		in[i] = 3 * i;
	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL),
	      "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "context");
	smooth(context, device, in, out);
	for (i = 0; i < ITEMS; i++) {
		wanted = (in[(i + ITEMS - 1) % ITEMS] + in[i] +
			  in[(i + 1) % ITEMS]) / 3;
		if (out[i] == wanted)
			continue;
		printf("item %d is %d, should be %d\n", i, out[i], wanted);
		wrong++;
	}
	printf("%d of %d items are wrong\n", wrong, ITEMS);
	return wrong != 0;
}
