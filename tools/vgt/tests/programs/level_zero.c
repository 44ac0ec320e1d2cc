// SPDX-License-Identifier: MIT
/*
 * level_zero FILE.spv [ROUNDS]: an ordinary Level Zero program. Launches a kernel
 * on memory of each kind, from two threads with a queue each, or once from one if
 * there is one round. Ends with 0 if all is right, 1 if a result is wrong, 2 if a
 * call failed.
 */
#include <level_zero/ze_api.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 4096
#define GROUP 64
#define ROUNDS 20
#define THREADS 2
#define FILE_MAX (1 << 20)
#define BYTES (ITEMS * sizeof(int32_t))

static ze_context_handle_t context;
static ze_device_handle_t device;
static ze_module_handle_t module;
static int rounds = ROUNDS;

static void check(ze_result_t ret, const char *what)
{
	if (ret == ZE_RESULT_SUCCESS)
		return;
	fprintf(stderr, "level_zero: %s: error 0x%x\n", what, ret);
	exit(2);
}

static void device_open(void)
{
	ze_context_desc_t wanted = { .stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC };
	ze_driver_handle_t driver;
	uint32_t count = 1;

	check(zeInit(ZE_INIT_FLAG_GPU_ONLY), "init");
	check(zeDriverGet(&count, &driver), "driver");
	count = 1;
	check(zeDeviceGet(driver, &count, &device), "device");
	check(zeContextCreate(driver, &wanted, &context), "context");
}

static void module_build(const char *path)
{
	FILE *file = fopen(path, "r");
	ze_module_desc_t wanted = {
		.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
		.format = ZE_MODULE_FORMAT_IL_SPIRV,
	};
	uint8_t *code = malloc(FILE_MAX);

	if (file && code)
		wanted.inputSize = fread(code, 1, FILE_MAX, file);
	if (!wanted.inputSize) {
		fprintf(stderr, "level_zero: cannot read %s\n", path);
		exit(2);
	}
	fclose(file);
	wanted.pInputModule = code;
	check(zeModuleCreate(context, device, &wanted, &module, NULL), "module");
	free(code);
}

enum kind { KIND_HOST, KIND_SHARED, KIND_DEVICE, KINDS };

static void *allocate(enum kind kind)
{
	ze_device_mem_alloc_desc_t there = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
	};
	ze_host_mem_alloc_desc_t here = {
		.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
	};
	void *data = NULL;

	if (kind == KIND_HOST)
		check(zeMemAllocHost(context, &here, BYTES, 64, &data), "host");
	if (kind == KIND_SHARED)
		check(zeMemAllocShared(context, &there, &here, BYTES, 64,
				       device, &data), "shared");
	if (kind == KIND_DEVICE)
		check(zeMemAllocDevice(context, &there, BYTES, 64, device,
				       &data), "device memory");
	return data;
}

struct run {
	ze_command_queue_handle_t queue;
	ze_command_list_handle_t list;
	ze_kernel_handle_t kernel;
	int32_t in[ITEMS], out[ITEMS];
	int32_t factor;
	bool ok;
};

static void run_init(struct run *run)
{
	ze_command_queue_desc_t queue = {
		.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
	};
	ze_command_list_desc_t list = {
		.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
	};
	ze_kernel_desc_t kernel = {
		.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
		.pKernelName = "scale",
	};

	check(zeCommandQueueCreate(context, device, &queue, &run->queue),
	      "queue");
	check(zeCommandListCreate(context, device, &list, &run->list), "list");
	check(zeKernelCreate(module, &kernel, &run->kernel), "kernel");
	check(zeKernelSetGroupSize(run->kernel, GROUP, 1, 1), "group");
}

static void once(struct run *run, enum kind kind)
{
	ze_group_count_t groups = { ITEMS / GROUP, 1, 1 };
	void *data = allocate(kind);

	run->factor++;
	check(zeKernelSetArgumentValue(run->kernel, 0, sizeof(data), &data),
	      "data");
	check(zeKernelSetArgumentValue(run->kernel, 1, sizeof(run->factor),
				       &run->factor), "factor");
	check(zeCommandListReset(run->list), "reset");
	check(zeCommandListAppendMemoryCopy(run->list, data, run->in, BYTES,
					    NULL, 0, NULL), "copy in");
	check(zeCommandListAppendBarrier(run->list, NULL, 0, NULL), "barrier");
	check(zeCommandListAppendLaunchKernel(run->list, run->kernel, &groups,
					      NULL, 0, NULL), "launch");
	check(zeCommandListAppendBarrier(run->list, NULL, 0, NULL), "barrier");
	check(zeCommandListAppendMemoryCopy(run->list, run->out, data, BYTES,
					    NULL, 0, NULL), "copy out");
	check(zeCommandListClose(run->list), "close");
	check(zeCommandQueueExecuteCommandLists(run->queue, 1, &run->list,
						NULL), "execute");
	check(zeCommandQueueSynchronize(run->queue, UINT64_MAX), "wait");
	check(zeMemFree(context, data), "free");
	for (int i = 0; i < ITEMS; i++)
		if (run->out[i] != run->in[i] * run->factor + i % GROUP)
			run->ok = false;
}

static void *run_thread(void *data)
{
	struct run *run = data;

	run_init(run);
	for (int i = 0; i < ITEMS; i++)
		run->in[i] = i * 3 - 1000;
	for (int i = 0; i < rounds; i++)
		once(run, i % KINDS);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct run run[THREADS];
	pthread_t thread[THREADS];
	int threads = THREADS;
	bool ok = true;

	if (argc > 2)
		rounds = atoi(argv[2]);
	if (argc < 2 || rounds < 1)
		return 2;
	if (rounds == 1)
		threads = 1;
	device_open();
	module_build(argv[1]);
	for (int i = 0; i < threads; i++) {
		run[i].ok = true;
		run[i].factor = 100 * i;
		if (pthread_create(&thread[i], NULL, run_thread, &run[i]))
			return 2;
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		ok = ok && run[i].ok;
	}
	puts(ok ? "done" : "wrong");
	return ok ? 0 : 1;
}
