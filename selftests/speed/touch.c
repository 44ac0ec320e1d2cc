// SPDX-License-Identifier: MIT
/*
 * A large buffer, a tenth of whose pages a launch touches: each of its items one
 * page of ten, and two items of nine another one between. As many items as a
 * device has room for at eight in a thread.
 * usage: touch FILE
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES	(256ul << 20)
#define ITEMS	((size_t)672 * 8)
#define TEXT_MAX 4096

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "touch: %s: OpenCL error %d\n", what, status);
	exit(1);
}

static cl_program program_build(cl_context context, cl_device_id device,
				const char *path)
{
	static char text[TEXT_MAX];
	const char *source = text;
	FILE *file = fopen(path, "r");
	cl_program program;
	cl_int status;

	if (!file || !fread(text, 1, sizeof(text) - 1, file)) {
		perror(path);
		exit(1);
	}
	fclose(file);
	program = clCreateProgramWithSource(context, 1, &source, NULL,
					    &status);
	check(status, "source");
	check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
	return program;
}

int main(int argc, char **argv)
{
	const size_t items = ITEMS, local = 8;
	cl_command_queue queue;
	cl_platform_id platform;
	cl_context context;
	cl_device_id device;
	cl_kernel kernel;
	cl_mem buffer;
	cl_int status;

	if (argc != 2)
		return 2;
	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL),
	      "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "context");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	check(status, "queue");
	kernel = clCreateKernel(program_build(context, device, argv[1]),
				"touch", &status);
	check(status, "kernel");
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				&status);
	check(status, "buffer");
	check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "argument");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0,
				     NULL, NULL), "launch");
	check(clFinish(queue), "end");
	return 0;
}
