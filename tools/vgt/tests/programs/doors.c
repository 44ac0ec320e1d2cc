// SPDX-License-Identifier: MIT
/* usage: doors CASE: how programs use a GPU beside launching kernels. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 1024
#define BYTES (ITEMS * sizeof(cl_uint))
#define THREADS 10
#define TURNS 100
/* What the runtime uses in place, and does not copy. */
#define ALIGN 64
#define ALIGNED __attribute__((aligned(ALIGN)))

struct gpu {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_kernel kernel;
};

static ALIGNED cl_uint data_items[3 * ITEMS] = { 1 };
static const ALIGNED cl_uint constant_items[3 * ITEMS] = { [0 ... 3 * ITEMS - 1] = 7 };

static void need(bool holds, const char *what)
{
	if (holds)
		return;
	printf("failed: %s\n", what);
	exit(1);
}

static cl_kernel kernel_make(const struct gpu *gpu, unsigned int summand)
{
	char text[200];
	const char *source = text;
	cl_program program;
	cl_kernel kernel;

	snprintf(text, sizeof(text),
		 "__kernel void add(__global uint *a) { a[get_global_id(0)] += %u; }",
		 summand);
	program = clCreateProgramWithSource(gpu->context, 1, &source, NULL,
					    NULL);
	need(!clBuildProgram(program, 1, &gpu->device, "", NULL, NULL),
	     "building");
	kernel = clCreateKernel(program, "add", NULL);
	clReleaseProgram(program);
	return kernel;
}

static void gpu_open(struct gpu *gpu)
{
	cl_platform_id platform;

	need(!clGetPlatformIDs(1, &platform, NULL) &&
	     !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &gpu->device,
			     NULL), "finding a GPU");
	gpu->context = clCreateContext(NULL, 1, &gpu->device, NULL, NULL, NULL);
	gpu->queue = clCreateCommandQueue(gpu->context, gpu->device, 0, NULL);
	gpu->kernel = kernel_make(gpu, 1);
}

static void add(cl_command_queue queue, cl_kernel kernel, cl_mem buffer)
{
	size_t items = ITEMS;

	need(!clSetKernelArg(kernel, 0, sizeof(buffer), &buffer) &&
	     !clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, NULL) && !clFinish(queue),
	     "launching");
}

/* A buffer of the pages around @items, which are used as well. */
static void pointer_test(const struct gpu *gpu, cl_uint *items,
			 const char *what)
{
	cl_uint before = items[0];
	cl_mem buffer = clCreateBuffer(gpu->context, CL_MEM_USE_HOST_PTR, BYTES,
				       items, NULL);

	need(buffer, what);
	add(gpu->queue, gpu->kernel, buffer);
	clEnqueueReadBuffer(gpu->queue, buffer, CL_TRUE, 0, BYTES, items, 0,
			    NULL, NULL);
	clReleaseMemObject(buffer);
	need(items[0] == before + 1 && items[ITEMS - 1] == items[1], what);
}

static void pointers(const struct gpu *gpu)
{
	ALIGNED cl_uint stack[3 * ITEMS] = { 0 }, read[ITEMS];
	cl_uint *heap = aligned_alloc(ALIGN, 3 * BYTES);
	cl_mem buffer = clCreateBuffer(gpu->context, 0, BYTES, NULL, NULL);

	memset(heap, 0, 3 * BYTES);
	for (int i = 0; i < 3; i++) {
		pointer_test(gpu, heap + ITEMS, "the heap");
		pointer_test(gpu, stack + ITEMS, "the stack");
		pointer_test(gpu, data_items + ITEMS, "data");
	}
	need(!clEnqueueWriteBuffer(gpu->queue, buffer, CL_TRUE, 0, BYTES,
				   constant_items + ITEMS, 0, NULL, NULL),
	     "constants");
	add(gpu->queue, gpu->kernel, buffer);
	clEnqueueReadBuffer(gpu->queue, buffer, CL_TRUE, 0, BYTES, read, 0,
			    NULL, NULL);
	need(read[0] == 8 && read[ITEMS - 1] == 8, "constants");
	need(heap[0] == 0 && stack[0] == 0 && data_items[0] == 1, "neighbours");
	clReleaseMemObject(buffer);
	free(heap);
}

struct neighbour {
	volatile cl_ulong count;
	_Atomic bool end;
	ALIGNED cl_uint items[ITEMS];
};

static void *neighbour_thread(void *argument)
{
	struct neighbour *neighbour = argument;
	uintptr_t written = 0;

	for (; !atomic_load(&neighbour->end); written++)
		neighbour->count++;
	return (void *)written;
}

/* Another thread writes to the page all the time; no write is lost. */
static void neighbours(const struct gpu *gpu)
{
	struct neighbour *neighbour = aligned_alloc(ALIGN, sizeof(*neighbour));
	pthread_t thread;
	void *written;

	memset(neighbour, 0, sizeof(*neighbour));
	pthread_create(&thread, NULL, neighbour_thread, neighbour);
	for (int i = 0; i < TURNS; i++)
		pointer_test(gpu, neighbour->items, "beside a thread");
	atomic_store(&neighbour->end, true);
	pthread_join(thread, &written);
	need(neighbour->count == (uintptr_t)written, "a lost write");
	free(neighbour);
}

static void forks(const struct gpu *gpu)
{
	cl_uint *items = memset(aligned_alloc(ALIGN, BYTES), 0, BYTES);
	cl_mem buffer = clCreateBuffer(gpu->context, CL_MEM_USE_HOST_PTR, BYTES,
				       items, NULL);
	int status = -1;
	pid_t pid;

	add(gpu->queue, gpu->kernel, buffer);
	pid = fork();
	if (!pid) {
		for (int i = 0; i < ITEMS; i++)
			items[i] += 100;
		free(malloc(1 << 20));
		_exit(items[0] != 101);
	}
	waitpid(pid, &status, 0);
	need(!status, "the child's own memory");
	need(items[0] == 1, "the parent's memory");
	need(!system("true"), "another program");
	add(gpu->queue, gpu->kernel, buffer);
	clEnqueueReadBuffer(gpu->queue, buffer, CL_TRUE, 0, BYTES, items, 0,
			    NULL, NULL);
	need(items[0] == 2, "after a fork");
}

static void *queue_thread(void *argument)
{
	const struct gpu *gpu = argument;
	cl_command_queue queue = clCreateCommandQueue(gpu->context, gpu->device,
						      0, NULL);
	cl_mem buffer = clCreateBuffer(gpu->context, 0, BYTES, NULL, NULL);
	cl_kernel kernel = kernel_make(gpu, 3);
	cl_uint items[ITEMS] = { 0 };

	clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, items, 0, NULL,
			     NULL);
	for (int i = 0; i < TURNS; i++)
		add(queue, kernel, buffer);
	clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, items, 0, NULL,
			    NULL);
	need(items[5] == 3 * TURNS, "a thread's launches");
	return NULL;
}

static void threads(struct gpu *gpu)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, queue_thread, gpu);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* Programs come and go: their code lies where others' lay. */
static void code(struct gpu *gpu)
{
	cl_mem buffer = clCreateBuffer(gpu->context, 0, BYTES, NULL, NULL);
	cl_uint items[ITEMS] = { 0 }, sum = 0;

	clEnqueueWriteBuffer(gpu->queue, buffer, CL_TRUE, 0, BYTES, items, 0,
			     NULL, NULL);
	for (unsigned int i = 1; i <= 10; i++) {
		clReleaseKernel(gpu->kernel);
		gpu->kernel = kernel_make(gpu, i);
		add(gpu->queue, gpu->kernel, buffer);
		sum += i;
	}
	clEnqueueReadBuffer(gpu->queue, buffer, CL_TRUE, 0, BYTES, items, 0,
			    NULL, NULL);
	need(items[9] == sum, "the sum of all programs");
}

/* Until it is ended, or vgtd is. */
static void endless(const struct gpu *gpu)
{
	cl_mem buffer = clCreateBuffer(gpu->context, 0, BYTES, NULL, NULL);

	printf("running\n");
	fflush(stdout);
	for (;;)
		add(gpu->queue, gpu->kernel, buffer);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	struct gpu gpu;

	gpu_open(&gpu);
	if (!strcmp(name, "pointers"))
		pointers(&gpu);
	else if (!strcmp(name, "neighbours"))
		neighbours(&gpu);
	else if (!strcmp(name, "forks"))
		forks(&gpu);
	else if (!strcmp(name, "threads"))
		threads(&gpu);
	else if (!strcmp(name, "code"))
		code(&gpu);
	else if (!strcmp(name, "endless"))
		endless(&gpu);
	else
		return 2;
	/* Nothing is released. */
	printf("done\n");
	return 0;
}
