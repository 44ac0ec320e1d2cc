// SPDX-License-Identifier: MIT
/*
 * What the program shares with the GPU by its address (SVM and Intel's USM), from where
 * it is made to where it is freed. Memory of the device alone has no address in the
 * program, so it is not known.
 */
#include "layer.h"

#include "drm/wire.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shared {
	struct shared *next;
	const void *address;
	uint32_t number;
};

/* Calls of extensions are asked for by their name. */
static struct {
	clHostMemAllocINTEL_fn host_alloc;
	clSharedMemAllocINTEL_fn shared_alloc;
	clMemFreeINTEL_fn mem_free;
	clMemBlockingFreeINTEL_fn blocking_free;
	clSetKernelArgMemPointerINTEL_fn argument_set;
} real;

static const cl_icd_dispatch *next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shared *all; /* protected by @lock */
static uint32_t last_number; /* protected by @lock */

static void made(const void *address, size_t bytes)
{
	struct shared *shared = address ? malloc(sizeof(*shared)) : NULL;
	uint32_t number;

	if (!shared)
		return;
	shared->address = address;
	pthread_mutex_lock(&lock);
	number = ++last_number;
	shared->number = number;
	shared->next = all;
	all = shared;
	pthread_mutex_unlock(&lock);
	/* Nobody has the address yet who might free it. */
	vgt_buffer_add(number, VGT_DRM_NOTE_F_SVM |
		       VGT_DRM_NOTE_F_PADDED, address, bytes);
}

uint32_t vgt_shared_number(const void *address)
{
	const struct shared *shared;
	uint32_t number;

	pthread_mutex_lock(&lock);
	shared = all;
	while (shared && shared->address != address)
		shared = shared->next;
	number = shared ? shared->number : 0;
	pthread_mutex_unlock(&lock);
	return number;
}

/* Before it is: its pages may then be anybody's. */
static void freed(const void *address)
{
	struct shared **at, *shared;

	pthread_mutex_lock(&lock);
	at = &all;
	while (*at && (*at)->address != address)
		at = &(*at)->next;
	shared = *at;
	if (shared)
		*at = shared->next;
	pthread_mutex_unlock(&lock);
	if (shared)
		vgt_buffer_remove(shared->number, VGT_DRM_NOTE_F_SVM);
	free(shared);
}

static void *CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags,
				   size_t bytes, cl_uint alignment)
{
	void *address = next->clSVMAlloc(context, flags, bytes, alignment);

	made(address, bytes);
	return address;
}

static void CL_API_CALL svm_free(cl_context context, void *address)
{
	freed(address);
	next->clSVMFree(context, address);
}

typedef void CL_CALLBACK free_handler(cl_command_queue queue, cl_uint count,
				      void **address, void *data);

/* From here on, whatever still runs. */
static cl_int CL_API_CALL
enqueue_free(cl_command_queue queue, cl_uint count, void **address,
	     free_handler *call, void *data, cl_uint waits,
	     const cl_event *wait, cl_event *event)
{
	for (cl_uint i = 0; address && i < count; i++)
		freed(address[i]);
	return next->clEnqueueSVMFree(queue, count, address, call, data, waits,
				      wait, event);
}

static void *CL_API_CALL host_alloc(cl_context context,
				    const cl_mem_properties_intel *properties,
				    size_t bytes, cl_uint alignment,
				    cl_int *status)
{
	void *address = real.host_alloc(context, properties, bytes, alignment,
					status);

	made(address, bytes);
	return address;
}

static void *CL_API_CALL shared_alloc(cl_context context, cl_device_id device,
				      const cl_mem_properties_intel *properties,
				      size_t bytes, cl_uint alignment,
				      cl_int *status)
{
	void *address = real.shared_alloc(context, device, properties, bytes,
					  alignment, status);

	made(address, bytes);
	return address;
}

static cl_int CL_API_CALL mem_free(cl_context context, void *address)
{
	freed(address);
	return real.mem_free(context, address);
}

static cl_int CL_API_CALL blocking_free(cl_context context, void *address)
{
	freed(address);
	return real.blocking_free(context, address);
}

static cl_int CL_API_CALL argument_set(cl_kernel kernel, cl_uint index,
				       const void *address)
{
	cl_int ret = real.argument_set(kernel, index, address);

	if (!ret)
		vgt_argument_tell(kernel, index, address);
	return ret;
}

/* Of one platform only: another one's calls are not looked at. */
static void *looked_at(void *call, void *slot, void *mine)
{
	void *known = NULL;

	if (!call)
		return NULL;
	pthread_mutex_lock(&lock);
	memcpy(&known, slot, sizeof(known));
	if (!known) {
		memcpy(slot, &call, sizeof(call));
		known = call;
	}
	pthread_mutex_unlock(&lock);
	return known == call ? mine : call;
}

static void *CL_API_CALL extension(cl_platform_id platform, const char *name)
{
	void *call;

	call = next->clGetExtensionFunctionAddressForPlatform(platform, name);
	if (!name)
		return call;
	if (!strcmp(name, "clHostMemAllocINTEL"))
		return looked_at(call, &real.host_alloc, host_alloc);
	if (!strcmp(name, "clSharedMemAllocINTEL"))
		return looked_at(call, &real.shared_alloc, shared_alloc);
	if (!strcmp(name, "clMemFreeINTEL"))
		return looked_at(call, &real.mem_free, mem_free);
	if (!strcmp(name, "clMemBlockingFreeINTEL"))
		return looked_at(call, &real.blocking_free, blocking_free);
	if (!strcmp(name, "clSetKernelArgMemPointerINTEL"))
		return looked_at(call, &real.argument_set, argument_set);
	return call;
}

void vgt_layer_shared(const cl_icd_dispatch *target, cl_icd_dispatch *layer)
{
	next = target;
	layer->clSVMAlloc = svm_alloc;
	layer->clSVMFree = svm_free;
	layer->clEnqueueSVMFree = enqueue_free;
	layer->clGetExtensionFunctionAddressForPlatform = extension;
}
