// SPDX-License-Identifier: MIT
/*
 * When guarded buffers are looked at, by a stand-in for OpenCL whose kernels write behind
 * a buffer, and not before the host waits for their queue. Prints TAP.
 */
#include "../buffer.h"
#include "standin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEN_BYTES 64

typedef void CL_CALLBACK gone_handler(cl_mem memory, void *data);

struct _cl_mem {
	struct _cl_mem *whole;	/* that it is part of; NULL: of none */
	size_t origin;
	char *bytes;
	gone_handler *gone;
	void *data;
	int references;
};

struct _cl_command_queue {
	char *written;		/* by what has yet to run; NULL: nothing has */
};

static cl_icd_dispatch target, layer;
static struct _cl_command_queue queues[2], own;
static cl_mem last_whole;
static unsigned int maps;

static cl_int CL_API_CALL context_info(cl_context context, cl_context_info name,
				       size_t size, void *value, size_t *len)
{
	(void)context;
	(void)name;
	(void)size;
	*(cl_device_id *)value = (cl_device_id)&own;
	*len = sizeof(cl_device_id);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name,
				      size_t size, void *value, size_t *len)
{
	(void)device;
	(void)name;
	(void)len;
	memset(value, 0, size);
	*(cl_uint *)value = 1024;
	return CL_SUCCESS;
}

static cl_command_queue CL_API_CALL
queue_create(cl_context context, cl_device_id device,
	     cl_command_queue_properties properties, cl_int *status)
{
	(void)context;
	(void)device;
	(void)properties;
	*status = CL_SUCCESS;
	return &own;
}

static cl_int CL_API_CALL queue_release(cl_command_queue queue)
{
	(void)queue;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL queue_info(cl_command_queue queue,
				     cl_command_queue_info name, size_t size,
				     void *value, size_t *len)
{
	(void)queue;
	(void)name;
	(void)len;
	memset(value, 0, size);
	return CL_SUCCESS;
}

static cl_mem CL_API_CALL memory_create(cl_context context, cl_mem_flags flags,
					size_t len_bytes, void *host,
					cl_int *status)
{
	cl_mem memory = calloc(1, sizeof(*memory));

	(void)context;
	(void)flags;
	(void)host;
	memory->bytes = calloc(1, len_bytes);
	memory->references = 1;
	last_whole = memory;
	*status = CL_SUCCESS;
	return memory;
}

static cl_mem CL_API_CALL part_create(cl_mem whole, cl_mem_flags flags,
				      cl_buffer_create_type type,
				      const void *region, cl_int *status)
{
	cl_mem memory = calloc(1, sizeof(*memory));

	(void)flags;
	(void)type;
	memory->whole = whole;
	memory->origin = ((const cl_buffer_region *)region)->origin;
	memory->references = 1;
	*status = CL_SUCCESS;
	return memory;
}

static cl_int CL_API_CALL gone_set(cl_mem memory, gone_handler *gone, void *data)
{
	/* That of the guard comes first, and is the one that counts. */
	if (!memory->gone) {
		memory->gone = gone;
		memory->data = data;
	}
	return CL_SUCCESS;
}

static cl_int CL_API_CALL memory_release(cl_mem memory)
{
	if (--memory->references)
		return CL_SUCCESS;
	if (memory->gone)
		memory->gone(memory, memory->data);
	free(memory->bytes);
	free(memory);
	return CL_SUCCESS;
}

static void *CL_API_CALL memory_map(cl_command_queue queue, cl_mem memory,
				    cl_bool blocks, cl_map_flags flags,
				    size_t offset, size_t len_bytes,
				    cl_uint wait_count, const cl_event *waits,
				    cl_event *event, cl_int *status)
{
	(void)queue;
	(void)blocks;
	(void)flags;
	(void)len_bytes;
	(void)wait_count;
	(void)waits;
	(void)event;
	maps++;
	*status = CL_SUCCESS;
	return memory->bytes + offset;
}

static cl_int CL_API_CALL memory_unmap(cl_command_queue queue, cl_mem memory,
				       void *address, cl_uint wait_count,
				       const cl_event *waits, cl_event *event)
{
	(void)queue;
	(void)memory;
	(void)address;
	(void)wait_count;
	(void)waits;
	(void)event;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL kernel_info(cl_kernel kernel, cl_kernel_info name,
				      size_t size, void *value, size_t *len)
{
	(void)kernel;
	(void)name;
	(void)len;
	snprintf(value, size, "past");
	return CL_SUCCESS;
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel,
				 cl_uint dimensions, const size_t *offset,
				 const size_t *global, const size_t *local,
				 cl_uint wait_count, const cl_event *waits,
				 cl_event *event)
{
	(void)kernel;
	(void)dimensions;
	(void)offset;
	(void)global;
	(void)local;
	(void)wait_count;
	(void)waits;
	(void)event;
	queue->written = last_whole->bytes + LEN_BYTES;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	if (queue->written)
		*queue->written = 0;
	queue->written = NULL;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL read_blocking(cl_command_queue queue, cl_mem memory,
					cl_bool blocks, size_t offset,
					size_t len_bytes, void *to,
					cl_uint wait_count,
					const cl_event *waits, cl_event *event)
{
	(void)memory;
	(void)blocks;
	(void)offset;
	(void)len_bytes;
	(void)to;
	(void)wait_count;
	(void)waits;
	(void)event;
	return finish(queue);
}

static void target_fill(void)
{
	target.clGetContextInfo = context_info;
	target.clGetDeviceInfo = device_info;
	target.clCreateCommandQueue = queue_create;
	target.clReleaseCommandQueue = queue_release;
	target.clGetCommandQueueInfo = queue_info;
	target.clCreateBuffer = memory_create;
	target.clCreateSubBuffer = part_create;
	target.clSetMemObjectDestructorCallback = gone_set;
	target.clReleaseMemObject = memory_release;
	target.clEnqueueMapBuffer = memory_map;
	target.clEnqueueUnmapMemObject = memory_unmap;
	target.clGetKernelInfo = kernel_info;
	target.clEnqueueNDRangeKernel = launch;
	target.clEnqueueReadBuffer = read_blocking;
	target.clFinish = finish;
}

static cl_mem buffer_make(void)
{
	cl_int status;

	return layer.clCreateBuffer((cl_context)&own, CL_MEM_READ_WRITE, LEN_BYTES, NULL,
				    &status);
}

static void launch_on(int index)
{
	layer.clEnqueueNDRangeKernel(&queues[index], NULL, 1, NULL, NULL, NULL,
				     0, NULL, NULL);
}

/* How many reports there were since the last time, in the file that stderr is. */
static int reports(void)
{
	static long at;
	char line[256];
	int found = 0;
	FILE *file = fopen("/proc/self/fd/2", "r");

	if (!file)
		return -1;
	fseek(file, at, SEEK_SET);
	while (fgets(line, sizeof(line), file))
		found += strstr(line, "memcheck: up to 1 bytes past the end of") &&
			 strstr(line, "kernel past was launched before");
	at = ftell(file);
	fclose(file);
	return found;
}

static void check_release(void)
{
	cl_mem staging = buffer_make(), buffer = buffer_make();

	launch_on(0);
	layer.clReleaseMemObject(staging);
	expect(!reports());
	layer.clFinish(&queues[0]);
	result(reports() == 1, "a release before the wait is no look");
	layer.clReleaseMemObject(buffer);
}

static void check_queues(void)
{
	cl_mem buffer = buffer_make();
	unsigned int before;

	launch_on(0);
	layer.clFinish(&queues[1]);
	expect(!reports());
	layer.clFinish(&queues[0]);
	result(reports() == 1, "nor is a wait for another queue the last one");
	before = maps;
	layer.clFinish(&queues[0]);
	result(maps == before, "nothing is looked at where nothing has run");
	launch_on(1);
	layer.clEnqueueReadBuffer(&queues[1], buffer, CL_TRUE, 0, 1, NULL, 0,
				  NULL, NULL);
	before = maps;
	layer.clFinish(&queues[1]);
	result(maps == before, "a blocking read ends what was before it");
	layer.clReleaseMemObject(buffer);
}

int main(void)
{
	char path[] = "/tmp/gtdbg-test-XXXXXX";
	int fd = mkstemp(path);

	puts("TAP version 13");
	if (fd < 0 || dup2(fd, STDERR_FILENO) < 0 ||
	    setenv("GTDBG_MEMCHECK", "begin", 1))
		return 1;
	target_fill();
	layer = target;
	gtdbg_hook_buffers_init(&target, &layer);
	check_release();
	check_queues();
	unlink(path);
	printf("1..%d\n", count);
	return failed;
}
