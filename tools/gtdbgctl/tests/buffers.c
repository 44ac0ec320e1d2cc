// SPDX-License-Identifier: MIT
/*
 * Makes buffers and sub-buffers in all ways, uses them as it may, and prints what
 * OpenCL says of them and what is in them, for buffers.sh to compare: it has to be
 * the same whether buffers are guarded or not. With an argument it makes some of each
 * kind, and prints where they are, as the hook's table should have it.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ITEMS 75 /* in bytes no multiple of 16 */
#define FLAGS_INVALID (1 << 30)

static const char source[] =
	"kernel void add(global const int *in, global int *out) {\n"
	"  out[get_global_id(0)] += in[get_global_id(0)];\n"
	"}\n"
	"kernel void last(global const char *in, global char *out, int at) {\n"
	"  out[at] = in[at];\n"
	"}\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static int gone;

static void begin(void)
{
	const char *text = source;
	cl_platform_id platform;
	cl_int status;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL))
		exit(4);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
	clBuildProgram(program, 1, &device, NULL, NULL, NULL);
}

static void CL_CALLBACK count_gone(cl_mem memory, void *data)
{
	(void)memory;
	(void)data;
	gone++;
}

/* Handles and addresses are not the same in any two runs. */
static void describe(const char *what, cl_mem memory, cl_mem of, cl_int status)
{
	static const cl_mem_info names[] = {
		CL_MEM_TYPE, CL_MEM_FLAGS, CL_MEM_SIZE, CL_MEM_MAP_COUNT,
		CL_MEM_REFERENCE_COUNT, CL_MEM_OFFSET, CL_MEM_HOST_PTR,
		CL_MEM_CONTEXT, CL_MEM_ASSOCIATED_MEMOBJECT,
		CL_MEM_USES_SVM_POINTER, CL_MEM_PROPERTIES,
	};
	cl_ulong value;
	size_t i, len;
	cl_int ret;

	printf("%s: %d", what, status);
	for (i = 0; memory && i < sizeof(names) / sizeof(names[0]); i++) {
		value = 0;
		len = 0;
		ret = clGetMemObjectInfo(memory, names[i], sizeof(value),
					 &value, &len);
		if (value == (cl_ulong)context || value == (cl_ulong)of)
			value = 1;
		else if (names[i] == CL_MEM_HOST_PTR)
			value = value ? 2 : 0;
		printf(" %d/%zu/%llx", ret, len, (unsigned long long)value);
	}
	putchar('\n');
}

static void part(cl_mem of, cl_mem_flags flags, size_t origin, size_t len)
{
	const cl_buffer_region region = { origin, len };
	cl_int status = 0, again = 0;
	cl_mem memory, below;

	memory = clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION,
				   &region, &status);
	describe(" part", memory, of, status);
	describe(" of", of, NULL, 0);
	if (!memory)
		return;
	below = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION,
				  &region, &again);
	printf(" below it: %d %d\n", !!below, again);
	clReleaseMemObject(memory);
}

static void parts(cl_mem of)
{
	static const cl_mem_flags flags[] = {
		0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY,
		CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY,
		CL_MEM_HOST_NO_ACCESS, CL_MEM_COPY_HOST_PTR,
	};
	static const size_t regions[][2] = {
		{ 128, 172 }, { 128, 173 }, { 64, 10 }, { 0, 0 }, { 301, 1 },
		{ 256, 100 }, { 2, 8 }, { -8, 16 },
	};
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		part(of, flags[i], 128, 100);
	for (i = 0; i < sizeof(regions) / sizeof(regions[0]); i++)
		part(of, 0, regions[i][0], regions[i][1]);
}

static void answers(void)
{
	static const cl_mem_flags flags[] = {
		0, CL_MEM_READ_ONLY, CL_MEM_COPY_HOST_PTR,
		CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY,
		CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
		CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
		CL_MEM_USE_HOST_PTR, CL_MEM_READ_ONLY | CL_MEM_READ_WRITE,
		CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
		CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, FLAGS_INVALID,
	};
	static int host[ITEMS];
	cl_int status = 0;
	cl_mem memory;
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		memory = clCreateBuffer(context, flags[i], sizeof(host),
					flags[i] & (CL_MEM_COPY_HOST_PTR |
						    CL_MEM_USE_HOST_PTR) ?
					host : NULL, &status);
		describe("buffer", memory, NULL, status);
		if (!memory)
			continue;
		parts(memory);
		clSetMemObjectDestructorCallback(memory, count_gone, NULL);
		clReleaseMemObject(memory);
	}
	printf("%d are gone\n", gone);
}

static void refusals(void)
{
	const cl_mem_properties none[] = { 0 };
	cl_int status = 0;
	cl_mem memory;
	int host;

	memory = clCreateBuffer(context, 0, 0, NULL, &status);
	describe("of no size", memory, NULL, status);
	memory = clCreateBuffer(context, 0, 1ul << 50, NULL, &status);
	describe("too large", memory, NULL, status);
	memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, NULL, &status);
	describe("without a pointer", memory, NULL, status);
	memory = clCreateBuffer(context, 0, 4, &host, &status);
	describe("with one", memory, NULL, status);
	memory = clCreateBufferWithProperties(context, NULL, 0, 4, NULL,
					      &status);
	describe("properties", memory, NULL, status);
	memory = clCreateBufferWithProperties(context, none, 0, 4, NULL,
					      &status);
	describe("no properties", memory, NULL, status);
}

static void launch(const char *name, cl_mem in, cl_mem out, size_t count,
		   cl_int at)
{
	cl_int status;
	cl_kernel kernel = clCreateKernel(program, name, &status);

	clSetKernelArg(kernel, 0, sizeof(in), &in);
	clSetKernelArg(kernel, 1, sizeof(out), &out);
	if (at >= 0)
		clSetKernelArg(kernel, 2, sizeof(at), &at);
	status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0,
					NULL, NULL);
	clReleaseKernel(kernel);
	if (status)
		printf("%s: %d\n", name, status);
}

static void use(void)
{
	const cl_buffer_region region = { 128, 172 };
	const size_t len = ITEMS * sizeof(cl_int);
	cl_int host[ITEMS], status, i, *mapped;
	cl_mem in, out, tail;

	for (i = 0; i < ITEMS; i++)
		host[i] = i * i;
	in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, len, host, &status);
	out = clCreateBuffer(context, 0, len, NULL, &status);
	tail = clCreateSubBuffer(out, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
				 &status);
	clEnqueueCopyBuffer(queue, in, out, 4, 0, len - 4, 0, NULL, NULL);
	clEnqueueCopyBuffer(queue, in, out, 0, len - 4, 4, 0, NULL, NULL);
	launch("add", in, out, ITEMS, -1);
	launch("add", in, tail, region.size / sizeof(cl_int), -1);
	mapped = clEnqueueMapBuffer(queue, out, CL_TRUE, CL_MAP_READ |
				    CL_MAP_WRITE, 8, len - 8, 0, NULL, NULL,
				    &status);
	mapped[0] = -1;
	mapped[ITEMS - 3] = -2;
	clEnqueueUnmapMemObject(queue, out, mapped, 0, NULL, NULL);
	clReleaseMemObject(out);
	clEnqueueReadBuffer(queue, tail, CL_TRUE, 0, region.size, host, 0, NULL,
			    NULL);
	clReleaseMemObject(tail);
	for (i = 0; i < ITEMS; i++)
		printf("%d%c", host[i], i == ITEMS - 1 ? '\n' : ' ');
}

/* Of every length around those that decide where it lies. */
static void lengths(void)
{
	static const size_t around[] = { 4, 16, 128, 4096, 8192, 65536 };
	char *host = calloc(1, 65536 + 4), last;
	size_t i, len, sum = 0;
	cl_mem in, out;
	cl_int status;

	for (i = 0; i < 65536 + 4; i++)
		host[i] = i % 251;
	for (i = 0; i < sizeof(around) / sizeof(around[0]); i++) {
		for (len = around[i] - 3; len <= around[i] + 3; len++) {
			in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, len,
					    host, &status);
			out = clCreateBuffer(context, 0, len, NULL, &status);
			launch("last", in, out, 1, len - 1);
			clEnqueueReadBuffer(queue, out, CL_TRUE, len - 1, 1,
					    &last, 0, NULL, NULL);
			sum += (len - 1) % 251 == (unsigned char)last;
			clReleaseMemObject(in);
			clReleaseMemObject(out);
		}
	}
	printf("%zu of 42 lengths are right\n", sum);
	free(host);
}

static void *function(const char *name)
{
	cl_platform_id platform;

	clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform,
			NULL);
	return clGetExtensionFunctionAddressForPlatform(platform, name);
}

/* The GPU has 48 bits of an address. */
static void place(char kind, const void *address, size_t len, char state)
{
	printf("%c 1 %016llx %016zx %c\n", kind,
	       (unsigned long long)(uintptr_t)address & 0xffffffffffff, len,
	       state);
}

static void with_properties(void)
{
	const cl_mem_properties none[] = { 0 };
	cl_int status = 0;
	cl_mem memory = clCreateBufferWithProperties(context, none, 0, 300,
						     NULL, &status);
	void *mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ,
					  0, 300, 0, NULL, NULL, &status);

	place('b', mapped, 300, '+');
}

/* The runtime copies what begins and ends where no line of the cache does. */
static const int constants[ITEMS] = { 1, 2, 3 };

static cl_mem constants_make(void)
{
	cl_int status = 0;

	return clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
			      sizeof(constants) - sizeof(constants[0]),
			      (void *)(constants + 1), &status);
}

/* Of memory that the program cannot write. */
static void of_constants(void)
{
	const size_t len = sizeof(constants) - sizeof(constants[0]);
	cl_int status = 0, number = 0;
	cl_mem memory = constants_make();

	status = clEnqueueReadBuffer(queue, memory, CL_TRUE, 4,
				     sizeof(number), &number, 0, NULL, NULL);
	describe("of constants", memory, NULL, status);
	printf("%d of %zu bytes\n", number, len);
	clReleaseMemObject(memory);
}

/* The table has them in the order in which they were made. */
static void table(void)
{
	clHostMemAllocINTEL_fn host = function("clHostMemAllocINTEL");
	clDeviceMemAllocINTEL_fn own = function("clDeviceMemAllocINTEL");
	clSharedMemAllocINTEL_fn shared = function("clSharedMemAllocINTEL");
	clMemFreeINTEL_fn release = function("clMemFreeINTEL");
	clMemBlockingFreeINTEL_fn await = function("clMemBlockingFreeINTEL");
	cl_int status = 0;
	void *memory;

	place('u', host(context, NULL, 100, 0, &status), 100, '+');
	memory = own(context, device, NULL, 5000, 0, &status);
	place('u', memory, 5000, '-');
	release(context, memory);
	memory = shared(context, device, NULL, 64, 0, &status);
	place('u', memory, 64, '-');
	await(context, memory);
	if (own(context, device, NULL, 1ul << 50, 0, &status))
		puts("memory that is too large");
	place('s', clSVMAlloc(context, CL_MEM_READ_WRITE, 200, 0), 200, '+');
	with_properties();
	constants_make();
	printf("b 1 %016llx %016zx +\n",
	       (unsigned long long)(uintptr_t)(constants + 1),
	       sizeof(constants) - sizeof(constants[0]));
	fflush(stdout);
	/* Nothing of it is released. */
	_exit(0);
}

int main(int argc, char **argv)
{
	(void)argv;
	begin();
	if (argc > 1)
		table();
	answers();
	refusals();
	use();
	of_constants();
	lengths();
	return 0;
}
