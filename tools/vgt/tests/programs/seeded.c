// SPDX-License-Identifier: MIT
/*
 * usage: seeded FILE KERNEL [OPTIONS [BYTES]]: runs one of the kernels of seeded.cl,
 * compiled with OPTIONS, on buffers of so many bytes, 256 at most.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 64
#define GROUP 16

static void require(cl_int status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "seeded: %s: %d\n", what, status);
	exit(1);
}

static cl_kernel kernel_make(cl_context context, cl_device_id device,
			     char **argv, const char *options)
{
	static char text[16384];
	const char *source = text;
	FILE *file = fopen(argv[1], "r");
	cl_program program;
	cl_kernel kernel;
	cl_int status;

	require(!file || !fread(text, 1, sizeof(text) - 1, file), argv[1]);
	fclose(file);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
	require(status, "clCreateProgramWithSource");
	require(clBuildProgram(program, 1, &device, options, NULL, NULL),
		"build");
	kernel = clCreateKernel(program, argv[2], &status);
	require(status, argv[2]);
	return kernel;
}

static void buffer_set(cl_context context, cl_kernel kernel, cl_uint index,
		       size_t bytes)
{
	static int zeros[ITEMS];
	cl_int status;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR,
				       bytes, zeros, &status);

	require(status, "clCreateBuffer");
	require(clSetKernelArg(kernel, index, sizeof(buffer), &buffer),
		"clSetKernelArg");
}

int main(int argc, char **argv)
{
	const size_t items = ITEMS, group = GROUP;
	const size_t bytes = argc > 4 ? strtoul(argv[4], NULL, 0) :
			     ITEMS * sizeof(int);
	cl_platform_id platform;
	cl_command_queue queue;
	cl_context context;
	cl_device_id device;
	cl_kernel kernel;
	cl_int status;

	require(argc < 3 || bytes > ITEMS * sizeof(int), "usage");
	require(clGetPlatformIDs(1, &platform, NULL), "platform");
	require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
		"device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	require(status, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	require(status, "queue");
	kernel = kernel_make(context, device, argv, argc > 3 ? argv[3] : "");
	buffer_set(context, kernel, 0, bytes);
	buffer_set(context, kernel, 1, bytes);
	require(clSetKernelArg(kernel, 2, GROUP * sizeof(int), NULL), "local");
	require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group,
				       0, NULL, NULL), "launch");
	require(clFinish(queue), "clFinish");
	puts("done");
	return 0;
}
