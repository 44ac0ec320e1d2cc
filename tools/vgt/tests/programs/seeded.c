// SPDX-License-Identifier: MIT
/*
 * usage: seeded FILE OPTIONS BYTES[KIND] GROUP KERNEL...: runs kernels of FILE, compiled
 * with OPTIONS, each on memory of so many bytes, 256 at most, and in groups of so many of
 * its 64 work-items, if it does not say itself of how many. KIND of memory is "svm",
 * "host" or "shared" (USM), or "properties", or "write", which the host does not read;
 * else it is plain buffers.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 64

static void require(cl_int status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "seeded: %s: %d\n", what, status);
	exit(1);
}

static cl_program program_make(cl_context context, cl_device_id device,
			       const char *path, const char *options)
{
	static char text[65536];
	const char *source = text;
	FILE *file = fopen(path, "r");
	cl_program program;
	cl_int status;

	require(!file || !fread(text, 1, sizeof(text) - 1, file), path);
	fclose(file);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
	require(status, "clCreateProgramWithSource");
	require(clBuildProgram(program, 1, &device, options, NULL, NULL),
		"build");
	return program;
}

static void *extension(const char *name)
{
	cl_platform_id platform;
	void *call;

	require(clGetPlatformIDs(1, &platform, NULL), "platform");
	call = clGetExtensionFunctionAddressForPlatform(platform, name);
	require(!call, name);
	return call;
}

static void *shared_make(cl_context context, const char *kind, size_t bytes)
{
	clHostMemAllocINTEL_fn host;
	clSharedMemAllocINTEL_fn shared;
	cl_int status = 0;
	void *memory;

	if (!strcmp(kind, "host")) {
		host = extension("clHostMemAllocINTEL");
		memory = host(context, NULL, bytes, 0, &status);
	} else if (!strcmp(kind, "shared")) {
		shared = extension("clSharedMemAllocINTEL");
		memory = shared(context, NULL, NULL, bytes, 0, &status);
	} else {
		memory = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
	}
	require(status || !memory, kind);
	return memory;
}

static void shared_set(cl_context context, cl_kernel kernel, cl_uint index,
		       const char *kind, size_t bytes)
{
	void *memory = shared_make(context, kind, bytes);
	clSetKernelArgMemPointerINTEL_fn set;

	if (!strcmp(kind, "svm")) {
		require(clSetKernelArgSVMPointer(kernel, index, memory),
			"clSetKernelArgSVMPointer");
		return;
	}
	set = extension("clSetKernelArgMemPointerINTEL");
	require(set(kernel, index, memory), "clSetKernelArgMemPointerINTEL");
}

static void buffer_set(cl_context context, cl_kernel kernel, cl_uint index,
		       const char *kind, size_t bytes)
{
	static int zeros[ITEMS];
	cl_mem_flags flags = CL_MEM_COPY_HOST_PTR;
	cl_int status;
	cl_mem buffer;

	if (!strcmp(kind, "write")) {
		flags |= CL_MEM_HOST_WRITE_ONLY;
	} else if (*kind && strcmp(kind, "properties")) {
		shared_set(context, kernel, index, kind, bytes);
		return;
	}
	if (!strcmp(kind, "properties"))
		buffer = clCreateBufferWithProperties(context, NULL,
						      flags, bytes, zeros,
						      &status);
	else
		buffer = clCreateBuffer(context, flags, bytes, zeros, &status);
	require(status, "clCreateBuffer");
	require(clSetKernelArg(kernel, index, sizeof(buffer), &buffer),
		"clSetKernelArg");
}

/* What the kernel requires, or else @wanted. */
static size_t group_find(cl_kernel kernel, cl_device_id device, size_t wanted)
{
	size_t required[3];

	require(clGetKernelWorkGroupInfo(kernel, device,
					 CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
					 sizeof(required), required, NULL),
		"clGetKernelWorkGroupInfo");
	return required[0] ? required[0] : wanted;
}

static void kernel_run(cl_context context, cl_device_id device,
		       cl_command_queue queue, cl_program program,
		       const char *name, const char *memory, size_t group)
{
	char *kind;
	size_t bytes = strtoul(memory, &kind, 0);
	const size_t items = ITEMS;
	cl_kernel kernel;
	cl_int status;

	kernel = clCreateKernel(program, name, &status);
	require(status, name);
	group = group_find(kernel, device, group);
	buffer_set(context, kernel, 0, kind, bytes);
	buffer_set(context, kernel, 1, kind, bytes);
	require(clSetKernelArg(kernel, 2, group * sizeof(int), NULL), "local");
	require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group,
				       0, NULL, NULL), name);
	require(clFinish(queue), name);
	puts(name);
}

int main(int argc, char **argv)
{
	size_t bytes = argc < 6 ? 0 : strtoul(argv[3], NULL, 0);
	cl_platform_id platform;
	cl_command_queue queue;
	cl_context context;
	cl_program program;
	cl_device_id device;
	cl_int status;

	require(!bytes || bytes > ITEMS * sizeof(int), "usage");
	require(clGetPlatformIDs(1, &platform, NULL), "platform");
	require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
		"device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	require(status, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	require(status, "queue");
	program = program_make(context, device, argv[1], argv[2]);
	for (int i = 5; i < argc; i++)
		kernel_run(context, device, queue, program, argv[i], argv[3],
			   strtoul(argv[4], NULL, 0));
	puts("done");
	return 0;
}
