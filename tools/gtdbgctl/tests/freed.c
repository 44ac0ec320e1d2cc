// SPDX-License-Identifier: MIT
/*
 * Launches a kernel twice: with a pointer to a buffer, and with the address that this one
 * had and another buffer, when it has been released. The second launch does not look
 * there; whoever does looks where nothing is.
 * usage: freed FILE
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_MAX 65536
#define BYTES (1 << 20)

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "freed: %s: OpenCL error %d\n", what, status);
	exit(1);
}

static void prepare(const char *path)
{
	static char text[TEXT_MAX];
	const char *source = text;
	FILE *file = fopen(path, "r");
	cl_platform_id platform;
	cl_program program;
	cl_device_id device;
	cl_int status;

	if (!file || !fread(text, 1, sizeof(text) - 1, file)) {
		perror(path);
		exit(1);
	}
	fclose(file);
	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL),
	      "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "context");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	check(status, "queue");
	program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
	check(status, "source");
	check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
	kernel = clCreateKernel(program, "look", &status);
	check(status, "kernel");
}

static cl_mem buffer(cl_ulong first)
{
	cl_int status;
	cl_mem memory = clCreateBuffer(context, 0, BYTES, NULL, &status);

	check(status, "buffer");
	check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof(first),
				   &first, 0, NULL, NULL), "write");
	return memory;
}

/* Where @in is, as the kernel has it. */
static cl_ulong launch(cl_mem in, cl_mem out, cl_ulong from)
{
	const size_t items = 8;
	cl_ulong where = 0;

	check(clSetKernelArg(kernel, 0, sizeof(in), &in), "argument");
	check(clSetKernelArg(kernel, 1, sizeof(out), &out), "argument");
	check(clSetKernelArg(kernel, 2, sizeof(from), &from), "argument");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, NULL), "launch");
	check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(where), &where,
				  0, NULL, NULL), "result");
	return where;
}

int main(int argc, char **argv)
{
	cl_mem first, second, out;
	cl_ulong where;

	if (argc != 2) {
		fprintf(stderr, "usage: freed FILE\n");
		return 2;
	}
	prepare(argv[1]);
	first = buffer(100);
	second = buffer(200);
	out = buffer(0);
	where = launch(first, out, 0);
	check(clReleaseMemObject(first), "release");
	check(clFinish(queue), "finish");
	launch(second, out, where);
	puts("both are through");
	return 0;
}
