// SPDX-License-Identifier: MIT
/*
 * Buffers at whose ends nothing is mapped. The program gets a sub-buffer of one that
 * is made of whole pages, its end at theirs: the runtime leaves at least a page free
 * behind each of its allocations, in addresses that the GPU and the process share.
 * (Memory of our own, CL_MEM_USE_HOST_PTR, gets addresses right beside each other.)
 *
 * A sub-buffer begins at a multiple of some alignment, so a few bytes behind the
 * buffer's end may be silent, and so is what is before it in its page. They hold a
 * pattern (canary.c), which is looked at whenever the host has waited for the GPU.
 */
#include "guard.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGE_BYTES	4096
#define BITS		8
#define DEVICES_MAX	64
/* The finest that the runtime takes, and what any element of four bytes needs. */
#define ALIGNMENT_MIN	4

static const cl_icd_dispatch *next;

/* Held while calls of OpenCL's are made, so never waited for. */
static pthread_mutex_t look_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Protected by the lock. What is in it goes away in looks alone. */
static struct gtdbg_guard *guards;

static const char *wanted(void)
{
	const char *name = secure_getenv("GTDBG_MEMCHECK");

	return name ? name : "";
}

bool gtdbg_hook_guards_wanted(void)
{
	return *wanted();
}

static size_t round_up(size_t value, size_t unit)
{
	return (value + unit - 1) / unit * unit;
}

/* The device, and its alignment in bytes; NULL: there are several. */
static cl_device_id device_find(cl_context context, size_t *alignment_out)
{
	cl_device_id devices[DEVICES_MAX];
	cl_uint bits = 0;
	size_t len;

	if (next->clGetContextInfo(context, CL_CONTEXT_DEVICES,
				   sizeof(devices), devices, &len) ||
	    len != sizeof(devices[0]) ||
	    next->clGetDeviceInfo(devices[0], CL_DEVICE_MEM_BASE_ADDR_ALIGN,
				  sizeof(bits), &bits, NULL))
		return NULL;
	*alignment_out = bits / BITS;
	return *alignment_out && PAGE_BYTES % *alignment_out == 0 ?
	       devices[0] : NULL;
}

/* Elements are aligned to what their size is a multiple of, and so is the whole. */
static size_t alignment_natural(size_t len_bytes, size_t most)
{
	size_t alignment = len_bytes & -len_bytes;

	if (alignment < ALIGNMENT_MIN)
		return ALIGNMENT_MIN;
	return alignment < most ? alignment : most;
}

/* A host pointer has to come with its flag, and the program's memory is its own. */
static bool is_possible(cl_mem_flags flags, size_t len_bytes, const void *host)
{
	return !(flags & CL_MEM_USE_HOST_PTR) &&
	       !(flags & CL_MEM_COPY_HOST_PTR) == !host && len_bytes &&
	       len_bytes < SIZE_MAX - PAGE_BYTES;
}

/* No call of OpenCL's may be made here: the next look lets go of the rest. */
static void CL_CALLBACK guard_gone(cl_mem memory, void *data)
{
	struct gtdbg_guard *guard = data;

	(void)memory;
	__atomic_store_n(&guard->memory, NULL, __ATOMIC_RELEASE);
}

static bool part_create(struct gtdbg_guard *guard, size_t alignment)
{
	cl_buffer_region region = { .size = guard->len_bytes };
	cl_int status;

	if (strcmp(wanted(), "begin") != 0)
		region.origin = guard->whole_bytes -
				round_up(guard->len_bytes, alignment);
	guard->lead_bytes = region.origin;
	guard->memory = next->clCreateSubBuffer(
		guard->whole, guard->flags & GTDBG_GUARD_HOST_FLAGS,
		CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
	return guard->memory;
}

static bool parts_create(struct gtdbg_guard *guard, size_t alignment)
{
	size_t natural = strcmp(wanted(), "aligned") == 0 ? alignment :
			 alignment_natural(guard->len_bytes, alignment);

	if (!part_create(guard, natural) && !part_create(guard, alignment))
		return false;
	if (!next->clSetMemObjectDestructorCallback(guard->memory, guard_gone,
						    guard))
		return true;
	next->clReleaseMemObject(guard->memory);
	return false;
}

static bool whole_create(struct gtdbg_guard *guard)
{
	const cl_mem_flags not_ours = GTDBG_GUARD_HOST_FLAGS |
				      CL_MEM_COPY_HOST_PTR;
	cl_int status;

	guard->whole_bytes = round_up(guard->len_bytes, PAGE_BYTES);
	guard->whole = next->clCreateBuffer(guard->context,
					    guard->flags & ~not_ours,
					    guard->whole_bytes, NULL, &status);
	return guard->whole;
}

static void list_add(struct gtdbg_guard *guard)
{
	pthread_mutex_lock(&lock);
	guard->next = guards;
	guards = guard;
	pthread_mutex_unlock(&lock);
}

cl_mem gtdbg_hook_guard_create(cl_context context, cl_mem_flags flags,
			       size_t len_bytes, void *host, void **address_out)
{
	struct gtdbg_guard *guard;
	size_t alignment;

	if (!is_possible(flags, len_bytes, host) ||
	    !device_find(context, &alignment))
		return NULL;
	guard = calloc(1, sizeof(*guard));
	if (!guard)
		return NULL;
	*guard = (struct gtdbg_guard){
		.context = context, .flags = flags, .len_bytes = len_bytes,
	};
	if (!whole_create(guard))
		goto err_free;
	if (!parts_create(guard, alignment))
		goto err_release;
	*address_out = gtdbg_hook_canary_fill(guard, host);
	guard->is_reported = !*address_out;
	/* From here on it is the next look that frees it. */
	list_add(guard);
	if (*address_out) {
		gtdbg_hook_canary_count(guard);
		return guard->memory;
	}
	next->clReleaseMemObject(guard->memory);
	return NULL;

err_release:
	next->clReleaseMemObject(guard->whole);
err_free:
	free(guard);
	return NULL;
}

static cl_mem memory_of(const struct gtdbg_guard *guard)
{
	return __atomic_load_n(&guard->memory, __ATOMIC_ACQUIRE);
}

struct gtdbg_guard *gtdbg_hook_guard_find(cl_mem memory)
{
	struct gtdbg_guard *guard;

	pthread_mutex_lock(&lock);
	for (guard = guards; guard && memory_of(guard) != memory;
	     guard = guard->next)
		;
	pthread_mutex_unlock(&lock);
	return memory ? guard : NULL;
}

/* Takes one out of the list that the program has released. */
static struct gtdbg_guard *dead_take(void)
{
	struct gtdbg_guard **link, *guard;

	pthread_mutex_lock(&lock);
	for (link = &guards; *link && memory_of(*link); link = &(*link)->next)
		;
	guard = *link;
	if (guard)
		*link = guard->next;
	pthread_mutex_unlock(&lock);
	return guard;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* One queue for those of a context that stand in a row. */
static void check_all(const char *call)
{
	struct gtdbg_guard *guard, *first;
	cl_command_queue queue = NULL;
	cl_context context = NULL;
	uint64_t begun = now_ns();

	pthread_mutex_lock(&lock);
	first = guards;
	pthread_mutex_unlock(&lock);
	for (guard = first; guard; guard = guard->next) {
		if (guard->context != context) {
			if (queue)
				next->clReleaseCommandQueue(queue);
			context = guard->context;
			queue = gtdbg_hook_buffer_queue(context);
		}
		if (queue)
			gtdbg_hook_canary_check(guard, queue, call);
	}
	if (queue)
		next->clReleaseCommandQueue(queue);
	gtdbg_hook_canary_looked(now_ns() - begun);
}

/* What ran when others were looked at may have come to its end since. */
static void guard_free(struct gtdbg_guard *guard, const char *call)
{
	cl_command_queue queue = gtdbg_hook_buffer_queue(guard->context);

	if (queue) {
		gtdbg_hook_canary_check(guard, queue, call);
		next->clReleaseCommandQueue(queue);
	}
	next->clReleaseMemObject(guard->whole);
	free(guard);
}

/*
 * @is_waited: the host has waited for the GPU; else what runs may still be about to write.
 * All that was put into @queue is done; NULL: that is not known of any. Passed over where
 * a thread that looks gets here by a callback of the program's.
 */
static void look(cl_command_queue queue, bool is_waited, const char *call)
{
	struct gtdbg_guard *guard;

	if (pthread_mutex_trylock(&look_lock))
		return;
	if (gtdbg_hook_canary_launched(queue) && is_waited)
		check_all(call);
	gtdbg_hook_parts_sweep();
	while ((guard = dead_take()))
		guard_free(guard, call);
	pthread_mutex_unlock(&look_lock);
}

/* Behind a call that waited for its own command: those before it are done if they are in order. */
static void look_behind(cl_command_queue queue, const char *call)
{
	cl_command_queue_properties properties = 0;

	if (next->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES,
					sizeof(properties), &properties,
					NULL) ||
	    properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
		queue = NULL;
	look(queue, true, call);
}

static cl_int CL_API_CALL memory_release(cl_mem memory)
{
	cl_int ret = next->clReleaseMemObject(memory);

	look(NULL, false, "clReleaseMemObject");
	return ret;
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	cl_int ret = next->clFinish(queue);

	look(queue, true, "clFinish");
	return ret;
}

static cl_int CL_API_CALL events_wait(cl_uint count, const cl_event *events)
{
	cl_int ret = next->clWaitForEvents(count, events);

	/* There may be launches behind what they are of. */
	look(NULL, true, "clWaitForEvents");
	return ret;
}

static cl_int CL_API_CALL
buffer_read(cl_command_queue queue, cl_mem memory, cl_bool blocks,
	    size_t offset, size_t len_bytes, void *to, cl_uint wait_count,
	    const cl_event *waits, cl_event *event)
{
	cl_int ret = next->clEnqueueReadBuffer(queue, memory, blocks, offset,
					       len_bytes, to, wait_count, waits,
					       event);

	if (blocks && !ret)
		look_behind(queue, "clEnqueueReadBuffer");
	return ret;
}

static cl_int CL_API_CALL
rectangle_read(cl_command_queue queue, cl_mem memory, cl_bool blocks,
	       const size_t *buffer_origin, const size_t *host_origin,
	       const size_t *region, size_t buffer_row, size_t buffer_slice,
	       size_t host_row, size_t host_slice, void *to,
	       cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	cl_int ret = next->clEnqueueReadBufferRect(queue, memory, blocks,
						   buffer_origin, host_origin,
						   region, buffer_row,
						   buffer_slice, host_row,
						   host_slice, to, wait_count,
						   waits, event);

	if (blocks && !ret)
		look_behind(queue, "clEnqueueReadBufferRect");
	return ret;
}

static cl_int CL_API_CALL
image_read(cl_command_queue queue, cl_mem image, cl_bool blocks,
	   const size_t *origin, const size_t *region, size_t row, size_t slice,
	   void *to, cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	cl_int ret = next->clEnqueueReadImage(queue, image, blocks, origin,
					      region, row, slice, to,
					      wait_count, waits, event);

	if (blocks && !ret)
		look_behind(queue, "clEnqueueReadImage");
	return ret;
}

static cl_int CL_API_CALL
svm_map(cl_command_queue queue, cl_bool blocks, cl_map_flags flags,
	void *address, size_t len_bytes, cl_uint wait_count,
	const cl_event *waits, cl_event *event)
{
	cl_int ret = next->clEnqueueSVMMap(queue, blocks, flags, address,
					   len_bytes, wait_count, waits, event);

	if (blocks && !ret)
		look_behind(queue, "clEnqueueSVMMap");
	return ret;
}

static void *CL_API_CALL
buffer_map(cl_command_queue queue, cl_mem memory, cl_bool blocks,
	   cl_map_flags flags, size_t offset, size_t len_bytes,
	   cl_uint wait_count, const cl_event *waits, cl_event *event,
	   cl_int *status)
{
	void *address = next->clEnqueueMapBuffer(queue, memory, blocks, flags,
						 offset, len_bytes, wait_count,
						 waits, event, status);

	if (blocks && address)
		look_behind(queue, "clEnqueueMapBuffer");
	return address;
}

static cl_int CL_API_CALL
kernel_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
	      const size_t *offset, const size_t *global, const size_t *local,
	      cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	gtdbg_hook_canary_launch(queue, kernel);
	return next->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
					    global, local, wait_count, waits,
					    event);
}

static cl_int CL_API_CALL task_launch(cl_command_queue queue, cl_kernel kernel,
				      cl_uint wait_count, const cl_event *waits,
				      cl_event *event)
{
	gtdbg_hook_canary_launch(queue, kernel);
	return next->clEnqueueTask(queue, kernel, wait_count, waits, event);
}

void gtdbg_hook_guards_forked(void)
{
	pthread_mutex_init(&look_lock, NULL);
	pthread_mutex_init(&lock, NULL);
	gtdbg_hook_guard_info_forked();
	gtdbg_hook_canary_forked();
}

void gtdbg_hook_guards_init(const cl_icd_dispatch *target,
			    cl_icd_dispatch *layer)
{
	next = target;
	gtdbg_hook_canary_init(target);
	gtdbg_hook_guard_info_init(target, layer);
	layer->clReleaseMemObject = memory_release;
	layer->clFinish = finish;
	layer->clWaitForEvents = events_wait;
	layer->clEnqueueReadBuffer = buffer_read;
	layer->clEnqueueMapBuffer = buffer_map;
	layer->clEnqueueReadBufferRect = rectangle_read;
	layer->clEnqueueReadImage = image_read;
	layer->clEnqueueSVMMap = svm_map;
	layer->clEnqueueNDRangeKernel = kernel_launch;
	layer->clEnqueueTask = task_launch;
}
