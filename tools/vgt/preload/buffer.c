// SPDX-License-Identifier: MIT
/*
 * The program's buffers, and where they lie in the device's memory. OpenCL does not
 * say it; but here a buffer's pages are those that it has in the program, where it
 * is mapped. One of which the runtime keeps a copy is not known.
 */
#include "layer.h"

#include "drm/wire.h"
#include "maps.h"
#include "node.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define PIECES 256
/* It has what the program gives. */
#define FILLED (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)

struct buffer {
	struct buffer *next;
	cl_mem memory;
	uint32_t number;
	bool is_fresh; /* not all of it has been written */
};

static const cl_icd_dispatch *next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer *buffers; /* protected by @lock */
static uint32_t last_number;

static void note_send(struct vgt_drm_note *note, const void *extra,
		      uint32_t extra_bytes)
{
	struct vgt_node_call call = {
		.number = VGT_DRM_NOTE,
		.argument = note,
		.argument_bytes = sizeof(*note),
		.extra = extra,
		.extra_bytes = extra_bytes,
	};

	vgt_node_call(&call);
}

void vgt_buffer_add(uint32_t number, uint32_t flags, const void *address,
		    size_t bytes)
{
	struct vgt_drm_note_piece piece[PIECES];
	struct vgt_map map[PIECES];
	struct vgt_drm_note note = {
		.what = VGT_DRM_NOTE_BUFFER, .flags = flags,
		.number = number, .bytes = bytes,
	};
	uintptr_t first = (uintptr_t)address;
	int count = vgt_maps_find(first, first + bytes, map, PIECES);

	for (int i = 0; i < count; i++) {
		if (!map[i].is_node)
			return;
		piece[i].phys = map[i].offset;
		piece[i].bytes = map[i].end - map[i].first;
	}
	if (count > 0)
		note_send(&note, piece, count * sizeof(piece[0]));
}

void vgt_buffer_remove(uint32_t number, uint32_t flags)
{
	struct vgt_drm_note note = {
		.what = VGT_DRM_NOTE_GONE, .flags = flags, .number = number,
	};

	note_send(&note, NULL, 0);
}

static cl_command_queue queue_create(cl_context context)
{
	cl_device_id devices[64];
	cl_int status;
	size_t len;

	/* With several devices it is open whose memory that is. */
	if (next->clGetContextInfo(context, CL_CONTEXT_DEVICES,
				   sizeof(devices), devices, &len) ||
	    len != sizeof(devices[0]))
		return NULL;
	return next->clCreateCommandQueue(context, devices[0], 0, &status);
}

/* What the host may not access cannot be mapped to learn its place. */
static void *address_find(cl_context context, cl_mem memory, cl_mem_flags flags)
{
	cl_map_flags access = flags & CL_MEM_HOST_WRITE_ONLY ? CL_MAP_WRITE :
							       CL_MAP_READ;
	cl_command_queue queue;
	cl_int status;
	void *address;

	queue = flags & CL_MEM_HOST_NO_ACCESS ? NULL : queue_create(context);
	if (!queue)
		return NULL;
	address = next->clEnqueueMapBuffer(queue, memory, CL_TRUE, access, 0, 1,
					   0, NULL, NULL, &status);
	if (address)
		next->clEnqueueUnmapMemObject(queue, memory, address, 0, NULL,
					      NULL);
	next->clFinish(queue);
	next->clReleaseCommandQueue(queue);
	return address;
}

static void number_add(cl_mem memory, uint32_t number, bool is_fresh)
{
	struct buffer *buffer = malloc(sizeof(*buffer));

	if (!buffer)
		return;
	buffer->memory = memory;
	buffer->number = number;
	buffer->is_fresh = is_fresh;
	pthread_mutex_lock(&lock);
	buffer->next = buffers;
	buffers = buffer;
	pthread_mutex_unlock(&lock);
}

static void number_remove(uint32_t number)
{
	struct buffer **at, *buffer;

	pthread_mutex_lock(&lock);
	at = &buffers;
	while (*at && (*at)->number != number)
		at = &(*at)->next;
	buffer = *at;
	if (buffer)
		*at = buffer->next;
	pthread_mutex_unlock(&lock);
	free(buffer);
}

static struct buffer *find_locked(cl_mem memory)
{
	struct buffer *buffer = buffers;

	while (buffer && buffer->memory != memory)
		buffer = buffer->next;
	return buffer;
}

uint32_t vgt_buffer_number(cl_mem memory)
{
	const struct buffer *buffer;
	uint32_t number;

	pthread_mutex_lock(&lock);
	buffer = find_locked(memory);
	number = buffer ? buffer->number : 0;
	pthread_mutex_unlock(&lock);
	return number;
}

bool vgt_buffer_is_fresh(cl_mem memory)
{
	const struct buffer *buffer;
	bool is_fresh;

	pthread_mutex_lock(&lock);
	buffer = find_locked(memory);
	is_fresh = buffer && buffer->is_fresh;
	pthread_mutex_unlock(&lock);
	return is_fresh;
}

void vgt_buffer_filled(cl_mem memory)
{
	struct buffer *buffer;

	pthread_mutex_lock(&lock);
	buffer = find_locked(memory);
	if (buffer)
		buffer->is_fresh = false;
	pthread_mutex_unlock(&lock);
}

static void CL_CALLBACK memory_gone(cl_mem memory, void *number)
{
	(void)memory;
	number_remove((uintptr_t)number);
	vgt_buffer_remove((uintptr_t)number, 0);
}

static void buffer_made(cl_context context, cl_mem memory, cl_mem_flags flags,
			size_t bytes)
{
	uint32_t number;
	void *address;

	if (!memory)
		return;
	number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
	address = address_find(context, memory, flags);
	if (address &&
	    !next->clSetMemObjectDestructorCallback(memory, memory_gone,
						    (void *)(uintptr_t)number)) {
		number_add(memory, number, !(flags & FILLED));
		vgt_buffer_add(number, (flags & CL_MEM_USE_HOST_PTR ? 0 :
					VGT_DRM_NOTE_F_PADDED) |
			       (flags & FILLED ? 0 : VGT_DRM_NOTE_F_FRESH),
			       address, bytes);
	}
}

static cl_mem CL_API_CALL buffer_create(cl_context context, cl_mem_flags flags,
					size_t bytes, void *host,
					cl_int *status)
{
	cl_mem memory = next->clCreateBuffer(context, flags, bytes, host,
					     status);

	buffer_made(context, memory, flags, bytes);
	return memory;
}

static cl_mem CL_API_CALL
buffer_create_with(cl_context context, const cl_mem_properties *properties,
		   cl_mem_flags flags, size_t bytes, void *host, cl_int *status)
{
	cl_mem memory = next->clCreateBufferWithProperties(context, properties,
							   flags, bytes, host,
							   status);

	buffer_made(context, memory, flags, bytes);
	return memory;
}

void vgt_layer_buffers(const cl_icd_dispatch *target, cl_icd_dispatch *layer,
		       size_t bytes)
{
	next = target;
	layer->clCreateBuffer = buffer_create;
	/* Older loaders end before it. */
	if (bytes > offsetof(cl_icd_dispatch, clCreateBufferWithProperties))
		layer->clCreateBufferWithProperties = buffer_create_with;
}
