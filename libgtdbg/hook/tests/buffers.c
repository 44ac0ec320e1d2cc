// SPDX-License-Identifier: MIT
/* The table of buffers, for a program whose OpenCL is this one. Prints TAP. */
#include "../buffer.h"
#include "standin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	layer = target;
	gtdbg_hook_buffers_init(&target, &layer);
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
