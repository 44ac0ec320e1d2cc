// SPDX-License-Identifier: MIT
/*
 * A table of the program's buffers, for a debugger that has to say which of them a
 * page fault is near: a file in the folder that GTDBG_BUFFERS names, a line for each
 * buffer, of the last BUFFERS_MAX ones. What OpenCL does not tell is where a buffer
 * is on the GPU. Where that shares the program's memory and addresses, as Tiger
 * Lake does, it is where the buffer is mapped for the program; the debugger
 * believes it only if something is mapped there on the GPU as well.
 */
#include "buffer.h"

#include "guard.h"
#include "hook.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFERS_MAX 4096
#define ADDRESS_END (1ull << 48)
/* What the host may not look at cannot be mapped to learn its place. */
#define UNREADABLE (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY)

enum kind {
	KIND_BUFFER,
	KIND_SVM,
	KIND_USM,
	KIND_COUNT,
};

static const char letters[KIND_COUNT] = { 'b', 's', 'u' };

struct buffer {
	enum kind kind;
	uint32_t number;	/* of its kind, from 1; 0: none */
	uint64_t address;
	uint64_t len_bytes;
	bool is_gone;
};

static const cl_icd_dispatch *next;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Protected by the lock. */
static struct buffer buffers[BUFFERS_MAX];
static uint32_t count;
static uint32_t numbers[KIND_COUNT];
static struct gtdbg_hook_descriptor file = { .fd = -1 };
static pid_t owner;	/* a child has a file of its own, with what it makes */

/* False: nobody wants to know, or the program has closed the file. */
static bool file_open(void)
{
	const char *folder = secure_getenv("GTDBG_BUFFERS");
	char path[PATH_MAX];

	if (file.fd >= 0 && owner == getpid())
		return gtdbg_hook_descriptor_fd(&file) >= 0;
	if (!folder || !*folder)
		return false;
	gtdbg_hook_descriptor_fini(&file);
	owner = getpid();
	count = 0;
	snprintf(path, sizeof(path), "%s/buffers.%d", folder, owner);
	gtdbg_hook_descriptor_init(
		&file, open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
			    O_NOFOLLOW, 0600));
	return file.fd >= 0;
}

/* All lines are as long, so each has its place. What fails is not known, then. */
static void line_write(const struct buffer *buffer)
{
	char line[64];
	int len = snprintf(line, sizeof(line), "%c %10u %016llx %016llx %c\n",
			   letters[buffer->kind], buffer->number,
			   (unsigned long long)buffer->address,
			   (unsigned long long)buffer->len_bytes,
			   buffer->is_gone ? '-' : '+');

	if (pwrite(file.fd, line, len, (buffer - buffers) * len) != len)
		return;
}

/* Of the upper half the host has them with all upper bits set. */
static uint64_t gpu_address(const void *address)
{
	return (uintptr_t)address & (ADDRESS_END - 1);
}

static void buffer_add(enum kind kind, uint32_t number, const void *address,
		       size_t len_bytes)
{
	struct buffer *buffer;

	pthread_mutex_lock(&lock);
	if (file_open()) {
		buffer = &buffers[count++ % BUFFERS_MAX];
		*buffer = (struct buffer){
			.kind = kind, .number = number,
			.address = gpu_address(address), .len_bytes = len_bytes,
		};
		line_write(buffer);
	}
	pthread_mutex_unlock(&lock);
}

static uint32_t number_next(enum kind kind)
{
	uint32_t number;

	pthread_mutex_lock(&lock);
	number = ++numbers[kind];
	pthread_mutex_unlock(&lock);
	return number;
}

/* By its number, or that being 0 by its address. */
static void buffer_remove(enum kind kind, uint32_t number, const void *address)
{
	uint32_t known = 0, i;

	pthread_mutex_lock(&lock);
	if (owner == getpid() && gtdbg_hook_descriptor_fd(&file) >= 0)
		known = count;
	for (i = 0; i < BUFFERS_MAX && i < known; i++) {
		struct buffer *buffer = &buffers[i];

		if (buffer->kind != kind || buffer->is_gone ||
		    (number ? buffer->number != number :
			      buffer->address != gpu_address(address)))
			continue;
		buffer->is_gone = true;
		line_write(buffer);
	}
	pthread_mutex_unlock(&lock);
}

cl_command_queue gtdbg_hook_buffer_queue(cl_context context)
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

static void *address_find(cl_context context, cl_mem memory)
{
	cl_command_queue queue = gtdbg_hook_buffer_queue(context);
	cl_int status;
	void *address;

	if (!queue)
		return NULL;
	address = next->clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ,
					   0, 1, 0, NULL, NULL, &status);
	if (address)
		next->clEnqueueUnmapMemObject(queue, memory, address, 0, NULL,
					      NULL);
	next->clFinish(queue);
	next->clReleaseCommandQueue(queue);
	return address;
}

static void CL_CALLBACK memory_gone(cl_mem memory, void *number)
{
	(void)memory;
	buffer_remove(KIND_BUFFER, (uintptr_t)number, NULL);
}

static void buffer_found(cl_mem memory, uintptr_t number, const void *address,
			 size_t len_bytes)
{
	if (address &&
	    !next->clSetMemObjectDestructorCallback(memory, memory_gone,
						    (void *)number))
		buffer_add(KIND_BUFFER, number, address, len_bytes);
}

/* NULL: none was wanted, or it has to be one as the runtime makes it. */
static cl_mem guard_create(cl_context context, cl_mem_flags flags,
			   size_t len_bytes, void *host)
{
	void *address;
	uint32_t number;
	cl_mem memory;

	if (!gtdbg_hook_guards_wanted())
		return NULL;
	memory = gtdbg_hook_guard_create(context, flags, len_bytes, host,
					 &address);
	if (!memory)
		return NULL;
	number = number_next(KIND_BUFFER);
	gtdbg_hook_guard_find(memory)->number = number;
	buffer_found(memory, number, address, len_bytes);
	return memory;
}

/*
 * As the runtime makes it. The program's own memory is where it is, or was copied, which a
 * map would undo: the program may be unable to write there, or use it otherwise.
 */
static void buffer_seen(cl_context context, cl_mem memory, cl_mem_flags flags,
			size_t len_bytes, const void *host)
{
	buffer_found(memory, number_next(KIND_BUFFER),
		     flags & CL_MEM_USE_HOST_PTR ? host :
		     flags & UNREADABLE ? NULL : address_find(context, memory),
		     len_bytes);
	if (gtdbg_hook_guards_wanted())
		gtdbg_hook_canary_count(NULL);
}

static cl_mem CL_API_CALL buffer_create(cl_context context, cl_mem_flags flags,
					size_t len_bytes, void *host,
					cl_int *status)
{
	cl_mem memory = guard_create(context, flags, len_bytes, host);

	if (memory) {
		if (status)
			*status = CL_SUCCESS;
		return memory;
	}
	memory = next->clCreateBuffer(context, flags, len_bytes, host, status);
	if (memory)
		buffer_seen(context, memory, flags, len_bytes, host);
	return memory;
}

/* OpenCL tells the program whether there was a list, also one that is empty. */
static cl_mem CL_API_CALL
buffer_create_properties(cl_context context,
			 const cl_mem_properties *properties,
			 cl_mem_flags flags, size_t len_bytes, void *host,
			 cl_int *status)
{
	cl_mem memory;

	if (!properties)
		return buffer_create(context, flags, len_bytes, host, status);
	memory = next->clCreateBufferWithProperties(context, properties, flags,
						    len_bytes, host, status);
	if (memory)
		buffer_seen(context, memory, flags, len_bytes, host);
	return memory;
}

static void *CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags,
				   size_t len_bytes, cl_uint alignment)
{
	void *address = next->clSVMAlloc(context, flags, len_bytes, alignment);

	if (address)
		buffer_add(KIND_SVM, number_next(KIND_SVM), address, len_bytes);
	return address;
}

static void CL_API_CALL svm_free(cl_context context, void *address)
{
	if (address)
		buffer_remove(KIND_SVM, 0, address);
	next->clSVMFree(context, address);
}

typedef void CL_CALLBACK free_handler(cl_command_queue queue, cl_uint count,
				      void **addresses, void *data);

/* From here on: when the queue does, a thread may get the same address at once. */
static cl_int CL_API_CALL
enqueue_free(cl_command_queue queue, cl_uint free_count, void **addresses,
	     free_handler *call, void *data, cl_uint waits,
	     const cl_event *wait, cl_event *event)
{
	for (cl_uint i = 0; addresses && i < free_count; i++)
		if (addresses[i])
			buffer_remove(KIND_SVM, 0, addresses[i]);
	return next->clEnqueueSVMFree(queue, free_count, addresses, call, data,
				      waits, wait, event);
}

void gtdbg_hook_buffer_add_usm(const void *address, size_t len_bytes)
{
	buffer_add(KIND_USM, number_next(KIND_USM), address, len_bytes);
}

void gtdbg_hook_buffer_remove_usm(const void *address)
{
	buffer_remove(KIND_USM, 0, address);
}

/* Other threads of the child's parent may have held them. */
static void locks_renew(void)
{
	pthread_mutex_init(&lock, NULL);
	gtdbg_hook_guards_forked();
}

static void forks_watch(void)
{
	pthread_atfork(NULL, NULL, locks_renew);
}

void gtdbg_hook_buffers_init(const cl_icd_dispatch *target,
			     cl_icd_dispatch *layer)
{
	static pthread_once_t watching = PTHREAD_ONCE_INIT;
	const char *folder = secure_getenv("GTDBG_BUFFERS");
	bool is_guarded = gtdbg_hook_guards_wanted();

	if ((!folder || !*folder) && !is_guarded)
		return;
	pthread_once(&watching, forks_watch);
	next = target;
	if (is_guarded)
		gtdbg_hook_guards_init(target, layer);
	layer->clCreateBuffer = buffer_create;
	layer->clCreateBufferWithProperties = buffer_create_properties;
	layer->clSVMAlloc = svm_alloc;
	layer->clSVMFree = svm_free;
	layer->clEnqueueSVMFree = enqueue_free;
	gtdbg_hook_usm_init(target, layer);
}
