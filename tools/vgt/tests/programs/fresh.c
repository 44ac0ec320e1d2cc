// SPDX-License-Identifier: MIT
/*
 * usage: fresh OPTIONS: makes buffers that begin with nothing, does something to each,
 * and has a kernel of that name, compiled with OPTIONS, read it.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 64
#define BYTES (ITEMS * sizeof(int))

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static const int zeros[ITEMS];

static void require(cl_int status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "fresh: %s: %d\n", what, status);
	exit(1);
}

static cl_mem buffer_create(void)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				       &status);

	require(status, "clCreateBuffer");
	return buffer;
}

static void kernel_run(const char *name, cl_mem out, cl_mem in)
{
	const size_t items = ITEMS, group = 16;
	cl_int status;
	cl_kernel kernel = clCreateKernel(program, name, &status);

	require(status, name);
	require(clSetKernelArg(kernel, 0, sizeof(out), &out), name);
	require(clSetKernelArg(kernel, 1, sizeof(in), &in), name);
	require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group,
				       0, NULL, NULL), name);
	require(clFinish(queue), name);
}

static void nothing(cl_mem buffer)
{
	(void)buffer;
}

static void write_all(cl_mem buffer)
{
	require(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, zeros, 0,
				     NULL, NULL), "write");
}

static void write_half(cl_mem buffer)
{
	require(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES / 2,
				     zeros, 0, NULL, NULL), "write");
}

static void write_halves(cl_mem buffer)
{
	write_half(buffer);
	require(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, BYTES / 2,
				     BYTES / 2, zeros, 0, NULL, NULL), "write");
}

static void write_rect(cl_mem buffer)
{
	const size_t origin[3] = { 0 }, region[3] = { BYTES / 4, 4, 1 };

	require(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, origin, origin,
					 region, 0, 0, 0, 0, zeros, 0, NULL,
					 NULL), "write of a rectangle");
}

static void fill(cl_mem buffer)
{
	require(clEnqueueFillBuffer(queue, buffer, zeros, 4, 0, BYTES, 0, NULL,
				    NULL), "fill");
}

static void map(cl_mem buffer, cl_map_flags flags)
{
	cl_int status;
	void *at = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 0, BYTES,
				      0, NULL, NULL, &status);

	require(status, "map");
	if (flags == CL_MAP_WRITE)
		memset(at, 0, BYTES);
	require(clEnqueueUnmapMemObject(queue, buffer, at, 0, NULL, NULL),
		"unmap");
}

static void map_to_write(cl_mem buffer)
{
	map(buffer, CL_MAP_WRITE);
}

static void map_to_read(cl_mem buffer)
{
	map(buffer, CL_MAP_READ);
}

/* Of what was not written itself: to copy it is not wrong. */
static void copy(cl_mem buffer)
{
	require(clEnqueueCopyBuffer(queue, buffer_create(), buffer, 0, 0, BYTES,
				    0, NULL, NULL), "copy");
}

static void write_part(cl_mem buffer)
{
	const cl_buffer_region all = { 0, BYTES };
	cl_int status;
	cl_mem part = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE,
					CL_BUFFER_CREATE_TYPE_REGION, &all,
					&status);

	require(status, "clCreateSubBuffer");
	write_all(part);
	clReleaseMemObject(part);
}

static void by_kernel(cl_mem buffer)
{
	kernel_run("number", buffer, buffer);
}

#define COPY "out[i] = in[i];"
#define FOURS "global int4 *four = (global int4 *)in + i % 16; "

static const struct {
	const char *name;
	void (*prepare)(cl_mem buffer);
	const char *code; /* what an item @i does */
} cases[] = {
	{ "never_written", nothing, COPY },
	{ "half_written", write_half, COPY },
	{ "mapped_to_read", map_to_read, COPY },
	{ "added_to", nothing, "out[i] += in[i];" },
	{ "given_twice", nothing, COPY },
	{ "no_vectors", nothing, FOURS "int4 one = *four; out[i] = one.x + one.w;" },
	{ "written", write_all, COPY },
	{ "written_twice", write_halves, COPY },
	{ "rectangle", write_rect, COPY },
	{ "filled", fill, COPY },
	{ "mapped", map_to_write, COPY },
	{ "copied", copy, COPY },
	{ "part", write_part, COPY },
	{ "from_kernel", by_kernel, COPY },
	{ "byte_of_vector", nothing,
	  "global char4 *four = (global char4 *)in; four[i].y = 1; out[i] = four[i].y;" },
	{ "int_of_vector", nothing, FOURS "out[i] = i; if (i < 16) four->y = i;" },
	{ "long_of_vector", nothing,
	  "global long2 *two = (global long2 *)in + i % 16; out[i] = i; if (i < 16) two->y = i;" },
};

#define CASES (sizeof(cases) / sizeof(cases[0]))

/* No two kernels have the same code: by that their names are found. */
static void program_make(cl_device_id device, const char *options)
{
	char text[8192] = "kernel void number(global int *out, global int *in) { out[get_global_id(0)] = 3; }\n";
	const char *source = text;
	cl_int status;

	for (size_t i = 0; i < CASES; i++)
		sprintf(text + strlen(text),
			"kernel void %s(global int *out, global int *in)\n"
			"{ int i = get_global_id(0); %s out[i] += %zu; }\n",
			cases[i].name, cases[i].code, i);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
	require(status, "clCreateProgramWithSource");
	require(clBuildProgram(program, 1, &device, options, NULL, NULL),
		"build");
}

int main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_int status;

	require(clGetPlatformIDs(1, &platform, NULL), "platform");
	require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
		"device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	require(status, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	require(status, "queue");
	program_make(device, argc > 1 ? argv[1] : "");
	for (size_t i = 0; i < CASES; i++) {
		cl_mem out = buffer_create(), in = buffer_create();

		cases[i].prepare(in);
		if (!strcmp(cases[i].name, "added_to"))
			write_all(in);
		if (!strcmp(cases[i].name, "given_twice"))
			kernel_run(cases[i].name, in, in);
		else
			kernel_run(cases[i].name, out, in);
		puts(cases[i].name);
		clReleaseMemObject(out);
		clReleaseMemObject(in);
	}
	puts("done");
	return 0;
}
