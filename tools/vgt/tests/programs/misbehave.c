// SPDX-License-Identifier: MIT
/*
 * A program whose kernel does not end, or reads and writes where nothing is.
 * usage: misbehave endless|fault|arrive; prints "done" if the kernel came to an end.
 * The last one's first threads end, the others arrive at their barrier for them.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

static const char source[] =
	"kernel void endless(global int *data, ulong nowhere)\n"
	"{\n"
	"	volatile global int *p = data;\n"
	"	while (p[0] == 0)\n"
	"		p[1]++;\n"
	"}\n"
	"kernel void fault(global int *data, ulong nowhere)\n"
	"{\n"
	"	volatile global int *p = (volatile global int *)nowhere;\n"
	"	p[0] = 5;\n"
	"	data[0] = p[0];\n"
	"	data[1] = 7;\n"
	"}\n"
	"kernel void arrive(global int *data, ulong nowhere)\n"
	"{\n"
	"	if (get_local_id(0) < 32)\n"
	"		return;\n"
	"	for (int i = 0; i < 8; i++)\n"
	"		__asm__ volatile(\"sbarrier.signal\\n\");\n"
	"	data[0] = 1;\n"
	"}\n";

static int run(cl_context context, cl_command_queue queue, cl_kernel kernel)
{
	const cl_ulong nowhere = 0x123456789000;
	const size_t items = 64;
	int data[2] = {};
	cl_mem mem;

	mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data,
			     NULL);
	clSetKernelArg(kernel, 0, sizeof(mem), &mem);
	clSetKernelArg(kernel, 1, sizeof(nowhere), &nowhere);
	if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0,
				   NULL, NULL) || clFinish(queue))
		return 1;
	if (clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(data), data, 0,
				NULL, NULL))
		return 1;
	printf("done %d %d\n", data[0], data[1]);
	return 0;
}

int main(int argc, char **argv)
{
	const char *text = source;
	cl_platform_id platform;
	cl_command_queue queue;
	cl_context context;
	cl_device_id device;
	cl_program program;
	cl_kernel kernel;

	if (argc != 2 || clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 2;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	if (clBuildProgram(program, 1, &device, "", NULL, NULL))
		return 2;
	kernel = clCreateKernel(program, argv[1], NULL);
	return kernel ? run(context, queue, kernel) : 2;
}
