// SPDX-License-Identifier: MIT
/*
 * An ordinary OpenCL program: it knows nothing of debuggers.
 * usage: compute [LAUNCHES [PAUSE_MS]]
 * SIGTERM: no launch after this one.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ITEMS 64

static const char *source =
	"__kernel void compute(__global const int *in, __global int *out) {\n"
	"  size_t index = get_global_id(0);\n"
	"  int point = in[index];\n"
	"  if (index % 2 == 0)\n"
	"    point = point + 1000;\n"
	"  else\n"
	"    point = -1;\n"
	"  out[index] = point;\n"
	"}\n";

static volatile sig_atomic_t is_last;

static void end(int number)
{
	(void)number;
	is_last = 1;
}

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "compute: %s: OpenCL error %d\n", what, status);
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
	kernel = clCreateKernel(program, "compute", &status);
	check(status, "kernel");
	return kernel;
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_mem out,
		   cl_int *result)
{
	const size_t items = ITEMS;

	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, NULL), "launch");
	check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0,
				  ITEMS * sizeof(cl_int), result, 0, NULL,
				  NULL), "result");
}

int main(int argc, char **argv)
{
	long launches = argc > 1 ? atol(argv[1]) : 1;
	long pause_ms = argc > 2 ? atol(argv[2]) : 0;
	const struct timespec pause = {
		pause_ms / 1000, pause_ms % 1000 * 1000000
	};
	cl_int in[ITEMS], result[ITEMS], status;
	cl_command_queue queue;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_mem in_buffer, out_buffer;
	cl_kernel kernel;
	int i;

	for (i = 0; i < ITEMS; i++)
		in[i] = i + 100;
	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL),
	      "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "context");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	check(status, "queue");
	kernel = build(context, device);
	in_buffer = clCreateBuffer(context,
				   CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
				   sizeof(in), in, &status);
	check(status, "buffer");
	out_buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(result),
				    NULL, &status);
	check(status, "buffer");
	check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &in_buffer), "in");
	check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out_buffer), "out");
	signal(SIGTERM, end);
	while (launches-- && !is_last) {
		launch(queue, kernel, out_buffer, result);
		if (pause_ms)
			nanosleep(&pause, NULL);
	}
	for (i = 0; i < ITEMS; i++)
		printf("%d%c", result[i], i == ITEMS - 1 ? '\n' : ' ');
	return 0;
}
