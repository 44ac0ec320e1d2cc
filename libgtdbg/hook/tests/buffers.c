// SPDX-License-Identifier: MIT
/* The table of buffers, for a program whose OpenCL is this one. Prints TAP. */
#include "../buffer.h"
#include "standin.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define HANG_S 60
#define LOOK_US 1000

static cl_icd_dispatch target, layer;
static char memory[3][64];
static unsigned int given, freed;

static void *CL_API_CALL alloc(cl_context context, cl_svm_mem_flags flags,
			       size_t len_bytes, cl_uint alignment)
{
	(void)context;
	(void)flags;
	(void)len_bytes;
	(void)alignment;
	return memory[given++];
}

typedef void CL_CALLBACK free_handler(cl_command_queue queue, cl_uint count,
				      void **addresses, void *data);

static cl_int CL_API_CALL
enqueue_free(cl_command_queue queue, cl_uint free_count, void **addresses,
	     free_handler *call, void *data, cl_uint waits,
	     const cl_event *wait, cl_event *event)
{
	(void)queue;
	(void)addresses;
	(void)call;
	(void)data;
	(void)waits;
	(void)wait;
	(void)event;
	freed += free_count;
	return CL_SUCCESS;
}

/* The last letters of the table's lines. */
static void states_read(const char *folder, char states[8])
{
	char path[128], line[128];
	size_t at = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/buffers.%d", folder, getpid());
	file = fopen(path, "r");
	while (file && at < 7 && fgets(line, sizeof(line), file))
		states[at++] = line[strlen(line) - 2];
	states[at] = 0;
	if (file)
		fclose(file);
	unlink(path);
}

static void CL_API_CALL svm_free_none(cl_context context, void *address)
{
	(void)context;
	(void)address;
}

static pid_t allocator_id;

static void *allocator(void *unused)
{
	(void)unused;
	__atomic_store_n(&allocator_id, gettid(), __ATOMIC_RELEASE);
	return layer.clSVMAlloc(NULL, 0, 64, 0);
}

/* Until the thread waits in open() of a pipe that nobody reads, with the lock. */
static void allocator_await(void)
{
	char path[64], text[256] = "";
	FILE *file;

	while (!__atomic_load_n(&allocator_id, __ATOMIC_ACQUIRE))
		usleep(LOOK_US);
	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", allocator_id);
	while (atoi(text) != SYS_openat) {
		usleep(LOOK_US);
		file = fopen(path, "r");
		if (!file || !fgets(text, sizeof(text), file))
			text[0] = 0;
		if (file)
			fclose(file);
	}
}

/* 0: a child can let go of a buffer, whatever its parent's threads were about. */
static int fork_while_locked(const char *folder)
{
	int status = 1, reader;
	char path[128];
	pthread_t thread;
	pid_t child;

	alarm(HANG_S);
	snprintf(path, sizeof(path), "%s/buffers.%d", folder, getpid());
	if (mkfifo(path, 0600) ||
	    pthread_create(&thread, NULL, allocator, NULL))
		return 1;
	allocator_await();
	child = fork();
	if (!child) {
		alarm(HANG_S);
		layer.clSVMFree(NULL, memory[0]);
		_exit(0);
	}
	waitpid(child, &status, 0);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	pthread_join(thread, NULL);
	close(reader);
	unlink(path);
	return status;
}

static void check_fork(const char *folder)
{
	pid_t child = fork();
	int status = 1;

	if (!child)
		_exit(fork_while_locked(folder) != 0);
	waitpid(child, &status, 0);
	result(!status, "a fork does not leave the table locked");
}

int main(void)
{
	char folder[] = "/tmp/gtdbg-test-XXXXXX", states[8];
	void *addresses[3];
	int i;

	puts("TAP version 13");
	if (!mkdtemp(folder) || setenv("GTDBG_BUFFERS", folder, 1))
		return 1;
	target.clSVMAlloc = alloc;
	target.clEnqueueSVMFree = enqueue_free;
	target.clSVMFree = svm_free_none;
	layer = target;
	gtdbg_hook_buffers_init(&target, &layer);
	check_fork(folder);
	for (i = 0; i < 3; i++)
		addresses[i] = layer.clSVMAlloc(NULL, 0, 64, 0);
	layer.clEnqueueSVMFree(NULL, 2, addresses + 1, NULL, NULL, 0, NULL,
			       NULL);
	layer.clEnqueueSVMFree(NULL, 0, NULL, NULL, NULL, 0, NULL, NULL);
	states_read(folder, states);
	rmdir(folder);
	expect(freed == 2);
	result(strcmp(states, "+--") == 0,
	       "shared memory is gone as soon as a queue is to free it");
	printf("1..%d\n", count);
	return failed;
}
