// SPDX-License-Identifier: MIT
/*
 * What OpenCL tells the program of a guarded buffer, which is a sub-buffer and must not
 * look like one; and the sub-buffers that the program makes of it, as there are none of
 * a sub-buffer: they are made of the whole pages, in its place.
 */
#include "guard.h"

#include <pthread.h>
#include <stdlib.h>

struct part {
	cl_mem memory;		/* NULL: it is gone */
	cl_mem of;		/* kept for as long */
	size_t origin;
	cl_mem_flags flags;
	struct part *next;
};

static const cl_icd_dispatch *next;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Protected by the lock. */
static struct part *parts;

static cl_mem memory_of(const struct part *part)
{
	return __atomic_load_n(&part->memory, __ATOMIC_ACQUIRE);
}

static void CL_CALLBACK part_gone(cl_mem memory, void *data)
{
	struct part *part = data;

	(void)memory;
	__atomic_store_n(&part->memory, NULL, __ATOMIC_RELEASE);
}

static struct part *dead_take(void)
{
	struct part **link, *part;

	pthread_mutex_lock(&lock);
	for (link = &parts; *link && memory_of(*link); link = &(*link)->next)
		;
	part = *link;
	if (part)
		*link = part->next;
	pthread_mutex_unlock(&lock);
	return part;
}

void gtdbg_hook_parts_sweep(void)
{
	struct part *part;

	while ((part = dead_take())) {
		next->clReleaseMemObject(part->of);
		free(part);
	}
}

/* The runtime has seen none of the flags for the host, nor how long the buffer is. */
static cl_int part_check(const struct gtdbg_guard *guard, cl_mem_flags flags,
			 const cl_buffer_region *region)
{
	const cl_mem_flags reads = CL_MEM_HOST_READ_ONLY;
	const cl_mem_flags writes = CL_MEM_HOST_WRITE_ONLY;

	if ((guard->flags & CL_MEM_HOST_NO_ACCESS && flags & (reads | writes)) ||
	    (guard->flags & writes && flags & reads) ||
	    (guard->flags & reads && flags & writes) ||
	    region->origin > guard->len_bytes ||
	    region->size > guard->len_bytes - region->origin)
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

/* As this runtime has them: what was not said is the buffer's. */
static cl_mem_flags part_flags(const struct gtdbg_guard *guard,
			       cl_mem_flags flags)
{
	const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY |
				    CL_MEM_WRITE_ONLY;
	const cl_mem_flags host = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR |
				  CL_MEM_COPY_HOST_PTR;

	if (!(flags & access))
		flags |= guard->flags & access;
	if (!(flags & GTDBG_GUARD_HOST_FLAGS))
		flags |= guard->flags & GTDBG_GUARD_HOST_FLAGS;
	return flags | (guard->flags & host);
}

static cl_mem memory_create(const struct gtdbg_guard *guard, cl_mem_flags flags,
			    const cl_buffer_region *wanted, struct part *part,
			    cl_int *status)
{
	cl_buffer_region region = *wanted;
	cl_mem memory;

	*status = part_check(guard, flags, wanted);
	if (*status)
		return NULL;
	region.origin += guard->lead_bytes;
	/* What the program may not say is refused as it would be. */
	if (!(flags & GTDBG_GUARD_HOST_FLAGS))
		flags |= guard->flags & GTDBG_GUARD_HOST_FLAGS;
	memory = next->clCreateSubBuffer(guard->whole, flags,
					 CL_BUFFER_CREATE_TYPE_REGION, &region,
					 status);
	if (!memory)
		return NULL;
	*status = next->clSetMemObjectDestructorCallback(memory, part_gone,
							 part);
	if (!*status)
		return memory;
	next->clReleaseMemObject(memory);
	return NULL;
}

static cl_mem part_create(const struct gtdbg_guard *guard, cl_mem_flags flags,
			  const cl_buffer_region *region, cl_int *status)
{
	struct part *part = calloc(1, sizeof(*part));
	cl_mem memory;

	*status = CL_OUT_OF_HOST_MEMORY;
	if (!part)
		return NULL;
	memory = memory_create(guard, flags, region, part, status);
	if (!memory) {
		free(part);
		return NULL;
	}
	*part = (struct part){
		.memory = memory, .of = guard->memory,
		.origin = region->origin, .flags = part_flags(guard, flags),
	};
	next->clRetainMemObject(part->of);
	pthread_mutex_lock(&lock);
	part->next = parts;
	parts = part;
	pthread_mutex_unlock(&lock);
	return memory;
}

static cl_mem CL_API_CALL sub_buffer(cl_mem memory, cl_mem_flags flags,
				     cl_buffer_create_type type,
				     const void *region, cl_int *status)
{
	struct gtdbg_guard *guard = gtdbg_hook_guard_find(memory);
	cl_int ignored;

	if (guard && type == CL_BUFFER_CREATE_TYPE_REGION && region)
		return part_create(guard, flags, region,
				   status ? status : &ignored);
	return next->clCreateSubBuffer(guard ? guard->whole : memory, flags,
				       type, region, status);
}

static bool part_find(cl_mem memory, struct part *out)
{
	struct part *part;

	pthread_mutex_lock(&lock);
	for (part = parts; part && memory_of(part) != memory; part = part->next)
		;
	if (part)
		*out = *part;
	pthread_mutex_unlock(&lock);
	return part;
}

static cl_uint parts_count(cl_mem of)
{
	struct part *part;
	cl_uint count = 0;

	pthread_mutex_lock(&lock);
	for (part = parts; part; part = part->next)
		count += part->of == of;
	pthread_mutex_unlock(&lock);
	return count;
}

static void guard_answer(const struct gtdbg_guard *guard, cl_mem_info name,
			 void *value)
{
	if (name == CL_MEM_FLAGS)
		*(cl_mem_flags *)value = guard->flags;
	else if (name == CL_MEM_ASSOCIATED_MEMOBJECT)
		*(cl_mem *)value = NULL;
	else if (name == CL_MEM_OFFSET)
		*(size_t *)value = 0;
	else if (name == CL_MEM_REFERENCE_COUNT)
		*(cl_uint *)value -= parts_count(guard->memory);
}

static void part_answer(const struct part *part, cl_mem_info name, void *value)
{
	if (name == CL_MEM_FLAGS)
		*(cl_mem_flags *)value = part->flags;
	else if (name == CL_MEM_ASSOCIATED_MEMOBJECT)
		*(cl_mem *)value = part->of;
	else if (name == CL_MEM_OFFSET)
		*(size_t *)value = part->origin;
}

static cl_int CL_API_CALL info_get(cl_mem memory, cl_mem_info name,
				   size_t size, void *value, size_t *size_ret)
{
	cl_int ret = next->clGetMemObjectInfo(memory, name, size, value,
					      size_ret);
	struct gtdbg_guard *guard;
	struct part part;

	if (ret || !value)
		return ret;
	guard = gtdbg_hook_guard_find(memory);
	if (guard)
		guard_answer(guard, name, value);
	else if (part_find(memory, &part))
		part_answer(&part, name, value);
	return ret;
}

void gtdbg_hook_guard_info_forked(void)
{
	pthread_mutex_init(&lock, NULL);
}

void gtdbg_hook_guard_info_init(const cl_icd_dispatch *target,
				cl_icd_dispatch *layer)
{
	next = target;
	layer->clCreateSubBuffer = sub_buffer;
	layer->clGetMemObjectInfo = info_get;
}
