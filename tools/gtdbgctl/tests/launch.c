// SPDX-License-Identifier: MIT
/*
 * Runs one kernel of a file, in[i] = i + 100, and prints out[0] to out[63];
 * the buffers are as large as the launch.
 * usage: launch [--binary] [--twice] [--leave] [--check] [--devices] [--task]
 *	[--loop N] [--options TEXT]
 *	FILE KERNEL [WIDTH [HEIGHT LOCAL]]
 *	launch --each FILE KERNEL,KERNEL... [ITEMS]
 * --devices: on each GPU of several, one after the other, in each loop
 * --task: of one item, whatever the width
 * --leave: never asks for the result, and never ends
 * --each: one after another, whatever their arguments are; one thread of each, or a
 *	group of so many items
 * --check: prints how many assertions have failed, as it asks itself
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* tasks */
#include <gtdbg_assert_host.h>

#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ITEMS 64
#define TEXT_MAX 65536
#define ARGUMENTS_MAX 16
#define DEVICES_MAX 4
#define EACH_BYTES 65536
#define TYPE_MAX 64
#define IMAGE_SIZE 16	/* in each direction: with four numbers in each place EACH_BYTES */

struct request {
	bool is_binary;
	bool is_twice;
	bool leaves;
	bool is_task;
	bool checks;
	bool is_each;
	bool has_devices;
	long loops;
	const char *options;
	const char *file;
	const char *kernel;
	size_t size[2];
	size_t local;
};

/* A GPU, and what is on it. */
struct place {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
};

static cl_context context;
static cl_device_id device;

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "launch: %s: OpenCL error %d\n", what, status);
	exit(1);
}

static cl_program from_source(const struct request *request)
{
	static char text[TEXT_MAX];
	const char *source = text;
	cl_program program;
	cl_int status;
	FILE *file = fopen(request->file, "r");

	if (!file || !fread(text, 1, sizeof(text) - 1, file)) {
		perror(request->file);
		exit(1);
	}
	fclose(file);
	program = clCreateProgramWithSource(context, 1, &source, NULL,
					    &status);
	check(status, "source");
	check(clBuildProgram(program, 1, &device, request->options, NULL,
			     NULL), "build");
	return program;
}

static cl_program from_binary(cl_program program)
{
	const unsigned char *bytes;
	cl_int status, of_binary;
	unsigned char *binary;
	size_t len;

	check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(len),
			       &len, NULL), "size");
	binary = malloc(len);
	check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary),
			       &binary, NULL), "binary");
	check(clReleaseProgram(program), "release");
	bytes = binary;
	program = clCreateProgramWithBinary(context, 1, &device, &len, &bytes,
					    &of_binary, &status);
	check(status, "from binary");
	check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
	return program;
}

static void run(const struct request *request, cl_program program,
		cl_command_queue queue, cl_int *result)
{
	const size_t local[2] = { request->local, request->local };
	cl_uint dimensions = request->size[1] ? 2 : 1;
	size_t items = request->size[0] * (dimensions == 2 ?
					   request->size[1] : 1), i;
	cl_int *in, status;
	cl_mem buffers[2];
	cl_kernel kernel;

	if (items < ITEMS)
		items = ITEMS;
	in = calloc(items, sizeof(*in));
	for (i = 0; i < items; i++)
		in[i] = i + 100;
	kernel = clCreateKernel(program, request->kernel, &status);
	check(status, "kernel");
	for (i = 0; i < 2; i++) {
		buffers[i] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR,
					    items * sizeof(*in), in, &status);
		check(status, "buffer");
		check(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]),
		      "argument");
	}
	check(request->is_task ? clEnqueueTask(queue, kernel, 0, NULL, NULL) :
	      clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL,
				     request->size,
				     request->local ? local : NULL, 0, NULL,
				     NULL), "launch");
	if (request->leaves && !clFlush(queue))
		for (;;)
			pause();
	check(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0,
				  ITEMS * sizeof(*in), result, 0, NULL, NULL), "result");
	if (request->checks)
		printf("failed: %lld\n",
		       (long long)gtdbg_assert_check(queue, program));
	free(in);
	clReleaseMemObject(buffers[0]);
	clReleaseMemObject(buffers[1]);
	clReleaseKernel(kernel);
}

static cl_mem buffer_create(void)
{
	static int in[EACH_BYTES / sizeof(int)];
	cl_mem buffer;
	cl_int status;
	size_t i;

	for (i = 0; i < EACH_BYTES / sizeof(int); i++)
		in[i] = i + 100;
	buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(in), in,
				&status);
	check(status, "buffer");
	return buffer;
}

/* NULL: no image has this type. */
static cl_mem image_create(const char *type)
{
	static const struct {
		const char *type;
		cl_mem_object_type number;
	} kinds[] = {
		{ "image1d_t", CL_MEM_OBJECT_IMAGE1D },
		{ "image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER },
		{ "image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY },
		{ "image2d_t", CL_MEM_OBJECT_IMAGE2D },
		{ "image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY },
		{ "image3d_t", CL_MEM_OBJECT_IMAGE3D },
	};
	static float in[EACH_BYTES / sizeof(float)];
	const cl_image_format format = { CL_RGBA, CL_FLOAT };
	cl_image_desc description = {
		.image_width = IMAGE_SIZE, .image_height = IMAGE_SIZE,
		.image_depth = IMAGE_SIZE, .image_array_size = IMAGE_SIZE,
	};
	cl_mem image = NULL;
	cl_int status;
	size_t i;

	for (i = 0; i < EACH_BYTES / sizeof(float); i++)
		in[i] = i + 100;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		bool is_buffer = kinds[i].number == CL_MEM_OBJECT_IMAGE1D_BUFFER;

		if (strcmp(type, kinds[i].type) != 0)
			continue;
		description.image_type = kinds[i].number;
		if (is_buffer)
			description.buffer = buffer_create();
		image = clCreateImage(context, is_buffer ? 0 :
				      CL_MEM_COPY_HOST_PTR, &format,
				      &description, is_buffer ? NULL : in,
				      &status);
		check(status, "image");
		if (is_buffer)
			clReleaseMemObject(description.buffer);
	}
	return image;
}

static bool sampler_set(cl_kernel kernel, cl_uint at)
{
	const cl_sampler_properties properties[] = {
		CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE,
		CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0
	};
	static cl_sampler sampler;
	cl_int status = CL_SUCCESS;

	if (!sampler)
		sampler = clCreateSamplerWithProperties(context, properties,
							&status);
	check(status, "sampler");
	return clSetKernelArg(kernel, at, sizeof(sampler), &sampler) ==
	       CL_SUCCESS;
}

/* Numbers are 3. Returns the buffer that was made for it, if any. */
static cl_mem argument_set(cl_kernel kernel, cl_uint at)
{
	static const int numbers[32] = { 3 };
	cl_kernel_arg_address_qualifier space;
	char type[TYPE_MAX] = "";
	size_t size = 1;
	cl_mem buffer;

	check(clGetKernelArgInfo(kernel, at, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
				 sizeof(space), &space, NULL), "argument");
	clGetKernelArgInfo(kernel, at, CL_KERNEL_ARG_TYPE_NAME, sizeof(type),
			   type, NULL);
	if (strcmp(type, "sampler_t") == 0 && sampler_set(kernel, at))
		return NULL;
	if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
		clSetKernelArg(kernel, at, EACH_BYTES / 16, NULL);
	while (space == CL_KERNEL_ARG_ADDRESS_PRIVATE &&
	       size <= sizeof(numbers) &&
	       clSetKernelArg(kernel, at, size, numbers))
		size *= 2;
	if (space != CL_KERNEL_ARG_ADDRESS_GLOBAL &&
	    space != CL_KERNEL_ARG_ADDRESS_CONSTANT)
		return NULL;
	buffer = image_create(type);
	if (!buffer)
		buffer = buffer_create();
	clSetKernelArg(kernel, at, sizeof(buffer), &buffer);
	return buffer;
}

/* One that cannot be launched so is left out. */
static void run_one(cl_program program, cl_command_queue queue,
		    const char *name, size_t items)
{
	cl_mem buffers[ARGUMENTS_MAX] = { NULL };
	const size_t most = 32;
	cl_uint count, i;
	cl_kernel kernel;
	cl_int status;
	size_t lanes;

	kernel = clCreateKernel(program, name, &status);
	check(status, name);
	check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count,
			      NULL), "arguments");
	for (i = 0; i < count && i < ARGUMENTS_MAX; i++)
		buffers[i] = argument_set(kernel, i);
	check(clGetKernelSubGroupInfo(kernel, device,
				      CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
				      sizeof(most), &most, sizeof(lanes),
				      &lanes, NULL), "lanes");
	if (!items)
		items = lanes;
	status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items,
					0, NULL, NULL);
	printf("%s: %d\n", name, status);
	check(clFinish(queue), "finish");
	for (i = 0; i < ARGUMENTS_MAX; i++) {
		if (buffers[i])
			clReleaseMemObject(buffers[i]);
	}
	clReleaseKernel(kernel);
}

static int run_each(const struct request *request, cl_program program,
		    cl_command_queue queue)
{
	char *names = strdup(request->kernel), *rest = names, *name;

	while ((name = strsep(&rest, ",")))
		run_one(program, queue, name, request->size[0]);
	free(names);
	return 0;
}

static bool option_parse(char ***argv, struct request *request)
{
	char *word = **argv;

	if (!word || strncmp(word, "--", 2) != 0)
		return false;
	if (strcmp(word, "--binary") == 0)
		request->is_binary = true;
	else if (strcmp(word, "--twice") == 0)
		request->is_twice = true;
	else if (strcmp(word, "--leave") == 0)
		request->leaves = true;
	else if (strcmp(word, "--check") == 0)
		request->checks = true;
	else if (strcmp(word, "--task") == 0)
		request->is_task = true;
	else if (strcmp(word, "--each") == 0)
		request->is_each = true;
	else if (strcmp(word, "--devices") == 0)
		request->has_devices = true;
	else if (strcmp(word, "--loop") == 0)
		request->loops = atol(*++*argv);
	else if (strcmp(word, "--options") == 0)
		request->options = *++*argv;
	++*argv;
	return true;
}

static void parse(char **argv, struct request *request)
{
	argv++;
	while (option_parse(&argv, request))
		;
	if (!argv[0] || !argv[1]) {
		fputs("usage: launch [OPTION]... FILE KERNEL [WIDTH [HEIGHT LOCAL]]\n",
		      stderr);
		exit(2);
	}
	request->file = *argv++;
	request->kernel = *argv++;
	if (*argv)
		request->size[0] = atol(*argv++);
	if (*argv)
		request->size[1] = atol(*argv++);
	if (*argv)
		request->local = atol(*argv++);
}

/* The first GPU, or all of them; how many. */
static cl_uint devices_find(const struct request *request, cl_device_id *out)
{
	cl_platform_id platform;
	cl_uint count;

	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU,
			     request->has_devices ? DEVICES_MAX : 1, out,
			     &count), "device");
	if (!request->has_devices)
		return 1;
	return count < DEVICES_MAX ? count : DEVICES_MAX;
}

static struct place place_create(const struct request *request,
				 cl_device_id on)
{
	struct place place = { .device = on };
	cl_int status;

	device = on;
	context = clCreateContext(NULL, 1, &on, NULL, NULL, &status);
	check(status, "context");
	place.context = context;
	place.queue = clCreateCommandQueueWithProperties(context, on, NULL,
							 &status);
	check(status, "queue");
	place.program = from_source(request);
	if (request->is_binary)
		place.program = from_binary(place.program);
	return place;
}

static void run_at(const struct request *request, const struct place *place,
		   cl_int *result)
{
	context = place->context;
	device = place->device;
	run(request, place->program, place->queue, result);
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	struct request request = { .loops = 1 };
	struct place places[DEVICES_MAX];
	cl_device_id devices[DEVICES_MAX];
	cl_int result[ITEMS];
	cl_uint count, i;

	(void)argc;
	parse(argv, &request);
	if (!request.size[0] && !request.is_each)
		request.size[0] = ITEMS;
	count = devices_find(&request, devices);
	for (i = 0; i < count; i++)
		places[i] = place_create(&request, devices[i]);
	if (request.is_each)
		return run_each(&request, places[0].program, places[0].queue);
	if (request.is_twice)
		run(&request, from_source(&request), places[0].queue, result);
	while (request.loops--) {
		for (i = 0; i < count; i++)
			run_at(&request, &places[i], result);
		if (request.loops)
			nanosleep(&pause, NULL);
	}
	for (i = 0; i < ITEMS; i++)
		printf("%d%c", result[i], i == ITEMS - 1 ? '\n' : ' ');
	return 0;
}
