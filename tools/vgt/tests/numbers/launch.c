// SPDX-License-Identifier: MIT
#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct numbers {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

const char *numbers_options = "";

static void die(const char *what, cl_int error)
{
	fprintf(stderr, "numbers: %s: %d\n", what, error);
	exit(1);
}

struct numbers *numbers_create(void)
{
	struct numbers *numbers = calloc(1, sizeof(*numbers));
	cl_platform_id platform;
	cl_int error;

	if (!numbers)
		abort();
	error = clGetPlatformIDs(1, &platform, NULL);
	if (!error)
		error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
				       &numbers->device, NULL);
	if (error)
		die("no device", error);
	numbers->context = clCreateContext(NULL, 1, &numbers->device, NULL,
					   NULL, &error);
	if (error)
		die("clCreateContext", error);
	numbers->queue = clCreateCommandQueueWithProperties(numbers->context,
							    numbers->device,
							    NULL, &error);
	if (error)
		die("clCreateCommandQueueWithProperties", error);
	return numbers;
}

void numbers_destroy(struct numbers *numbers)
{
	if (!numbers)
		return;
	clReleaseCommandQueue(numbers->queue);
	clReleaseContext(numbers->context);
	free(numbers);
}

cl_program numbers_build(struct numbers *numbers, const char *source)
{
	static char log[4000];
	cl_program program;
	cl_int error;

	program = clCreateProgramWithSource(numbers->context, 1, &source, NULL,
					    &error);
	if (error)
		die("clCreateProgramWithSource", error);
	error = clBuildProgram(program, 1, &numbers->device, numbers_options,
			       NULL, NULL);
	if (!error)
		return program;
	clGetProgramBuildInfo(program, numbers->device, CL_PROGRAM_BUILD_LOG,
			      sizeof(log), log, NULL);
	fprintf(stderr, "numbers: build: %d: %s\n", error, log);
	clReleaseProgram(program);
	return NULL;
}

static cl_int buffers_make(struct numbers *numbers, const struct launch *launch,
			   cl_kernel kernel, cl_mem mem[LAUNCH_BUFFERS])
{
	cl_int error = 0;

	for (size_t i = 0; i < launch->buffers && !error; i++) {
		mem[i] = clCreateBuffer(numbers->context, CL_MEM_COPY_HOST_PTR,
					launch->buffer[i].bytes,
					launch->buffer[i].data, &error);
		if (!error)
			error = clSetKernelArg(kernel, i, sizeof(cl_mem),
					       &mem[i]);
	}
	return error;
}

int numbers_launch(struct numbers *numbers, cl_program program,
		   const struct launch *launch)
{
	size_t last = launch->buffers - 1;
	cl_mem mem[LAUNCH_BUFFERS] = { NULL };
	cl_kernel kernel;
	cl_int error;

	kernel = clCreateKernel(program, launch->kernel, &error);
	if (error)
		die(launch->kernel, error);
	error = buffers_make(numbers, launch, kernel, mem);
	if (!error)
		error = clEnqueueNDRangeKernel(numbers->queue, kernel, 1, NULL,
					       &launch->items, NULL, 0, NULL,
					       NULL);
	if (!error)
		error = clEnqueueReadBuffer(numbers->queue, mem[last], CL_TRUE,
					    0, launch->buffer[last].bytes,
					    launch->buffer[last].data, 0, NULL,
					    NULL);
	for (size_t i = 0; i < launch->buffers; i++)
		if (mem[i])
			clReleaseMemObject(mem[i]);
	clReleaseKernel(kernel);
	if (error)
		fprintf(stderr, "numbers: %s: %d\n", launch->kernel, error);
	return error ? -1 : 0;
}
