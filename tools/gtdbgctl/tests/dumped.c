// SPDX-License-Identifier: MIT
/*
 * Compares a core file with the program that it was written of, which still stands where
 * it stood: threads, each register of each, modules and kernels, all memory that is mapped
 * and local memory, byte by byte. For core.sh.
 * usage: dumped PID FILE
 */
#include <errno.h>
#include <fcntl.h>
#include <gtdbg.h>
#include <gtdbg_core.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IDS_MAX		256
#define THREADS_MAX	4096
#define SETS_MAX	32
#define SET_BYTES	65536
#define CHUNK_BYTES	(1 << 20)
#define PAGE_BYTES	4096
#define SLM_BYTES	65536
#define ADDRESS_END	(1ull << 48)

struct ids {
	uint32_t id[IDS_MAX];
	uint32_t device[IDS_MAX];	/* of contexts */
	size_t count;
};

/* What a session has said in its replay. */
struct side {
	struct gtdbg_session *session;
	struct ids devices, contexts, modules, kernels;
};

static struct side live, file;
static uint64_t differences, threads, registers, blobs, bytes, local;

static void differs(const char *what, uint64_t which, uint64_t at)
{
	if (differences++ < 10)
		printf("differs: %s %#llx at %#llx\n", what,
		       (unsigned long long)which, (unsigned long long)at);
}

static void id_add(struct ids *ids, uint32_t id, uint32_t device)
{
	if (ids->count == IDS_MAX)
		exit(1);
	ids->device[ids->count] = device;
	ids->id[ids->count++] = id;
}

static bool event_take(struct side *side, const struct gtdbg_event *event)
{
	const uint32_t *payload = gtdbg_event_payload(event, 2 * sizeof(*payload));

	switch (event->kind) {
	case GTDBG_EVENT_DEVICE_ADD:
		id_add(&side->devices, payload[0], 0);
		break;
	case GTDBG_EVENT_CONTEXT_ADD:
		id_add(&side->contexts, payload[1], payload[0]);
		break;
	case GTDBG_EVENT_MODULE_ADD:
		id_add(&side->modules, payload[0], 0);
		break;
	case GTDBG_EVENT_KERNEL_ADD:
		id_add(&side->kernels, payload[0], 0);
		break;
	}
	return event->kind != GTDBG_EVENT_SYNCED;
}

static void replay(struct side *side)
{
	const struct gtdbg_event *event;
	int ret;

	do {
		ret = gtdbg_event_next(side->session, 10000, &event);
	} while (ret == 1 && event_take(side, event));
	if (ret != 1)
		differs("replay", -ret, 0);
}

/* Of one thread that is stopped: both have the same sets, and the same in each. */
static void registers_compare(const struct gtdbg_thread_info *thread)
{
	static uint8_t a[SET_BYTES], b[SET_BYTES];
	struct gtdbg_register_set sets[SETS_MAX];
	int count = gtdbg_register_list(live.session, thread->device,
					thread->context, sets, SETS_MAX), i;

	for (i = 0; i < count; i++) {
		size_t len = (size_t)sets[i].count * sets[i].bytes;
		int ret = gtdbg_register_read(live.session, thread, sets[i].set,
					      0, sets[i].count, a, len);
		int other = gtdbg_register_read(file.session, thread,
						sets[i].set, 0, sets[i].count,
						b, len);

		if ((ret < 0) != (other < 0) || (!ret && memcmp(a, b, len)))
			differs("registers of slot", thread->slot, sets[i].set);
		registers += ret < 0 ? 0 : sets[i].count;
	}
}

static void local_compare(const struct gtdbg_thread_info *thread)
{
	static uint8_t a[SLM_BYTES], b[SLM_BYTES];
	int ret = gtdbg_slm_read(live.session, thread, 0, a, sizeof(a));
	int other = gtdbg_slm_read(file.session, thread, 0, b, sizeof(b));

	if ((ret > 0 || other > 0) && (ret != other || memcmp(a, b, ret)))
		differs("local memory of slot", thread->slot, ret);
	local += ret > 0 ? ret : 0;
}

static void threads_compare(uint32_t device,
			    void (*compare)(const struct gtdbg_thread_info *))
{
	static struct gtdbg_thread_info a[THREADS_MAX], b[THREADS_MAX];
	int count = gtdbg_thread_list(live.session, device, a, THREADS_MAX);
	int other = gtdbg_thread_list(file.session, device, b, THREADS_MAX), i;

	threads += count > 0 ? count : 0;
	if (count != other || (count > 0 && memcmp(a, b, count * sizeof(a[0]))))
		differs("threads of device", device, count);
	for (i = 0; i < count; i++)
		if (a[i].state == GTDBG_THREAD_STOPPED)
			compare(&a[i]);
}

static void blob_compare(uint32_t kind, uint32_t id)
{
	void *a = NULL, *b = NULL;
	size_t len = 0, other_len = 0;
	int ret = gtdbg_blob_read(live.session, kind, id, &a, &len);
	int other = gtdbg_blob_read(file.session, kind, id, &b, &other_len);

	if (ret != other || len != other_len || (len && memcmp(a, b, len)))
		differs("file of kind", kind, id);
	blobs += !ret;
	free(a);
	free(b);
}

static void range_compare(uint32_t device, uint32_t context, uint64_t at,
			  uint64_t end)
{
	static uint8_t a[CHUNK_BYTES], b[CHUNK_BYTES];

	while (at < end) {
		size_t len = end - at < CHUNK_BYTES ? end - at : CHUNK_BYTES;
		int ret = gtdbg_memory_read(live.session, device, context, at,
					    a, len);
		int other = gtdbg_memory_read(file.session, device, context, at,
					      b, len);
		int i;

		if (ret != other)
			differs("readable memory", at, ret);
		for (i = 0; i < ret && i < other && a[i] == b[i]; i++)
			;
		if (i < ret)
			differs("memory of context", context, at + i);
		bytes += ret > 0 ? ret : 0;
		at += ret > 0 ? ret : PAGE_BYTES;
	}
}

static void memory_compare(uint32_t device, uint32_t context)
{
	struct gtdbg_memory_mapping a[64], b[64];
	uint64_t at = 0, other_at = 0;
	int count, i;

	do {
		count = gtdbg_memory_list(live.session, device, context, &at, a,
					  64);
		if (count != gtdbg_memory_list(file.session, device, context,
					       &other_at, b, 64) ||
		    (count > 0 && memcmp(a, b, count * sizeof(a[0]))))
			differs("mappings of context", context, at);
		for (i = 0; i < count; i++)
			range_compare(device, context, a[i].address,
				      a[i].address + a[i].len_bytes);
	} while (count > 0 && at < ADDRESS_END);
}

static int sessions_open(int pid, const char *path, struct gtdbg **gtdbg_out)
{
	struct gtdbg_session_attach attach = {
		.event_mask = GTDBG_EVENTS_ALL,
		.flags = GTDBG_SESSION_F_OBSERVER,
	};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret = fd < 0 ? -errno : gtdbg_core_open(fd, &file.session);

	if (!ret)
		ret = gtdbg_open(NULL, gtdbg_out);
	if (!ret)
		ret = gtdbg_client_find(pid, &attach.client_fd);
	return ret ? ret : gtdbg_session_open(*gtdbg_out, &attach, &live.session);
}

static void compare(void)
{
	size_t i;

	for (i = 0; i < live.devices.count; i++)
		threads_compare(live.devices.id[i], registers_compare);
	for (i = 0; i < live.contexts.count; i++)
		memory_compare(live.contexts.device[i], live.contexts.id[i]);
	for (i = 0; i < live.modules.count; i++) {
		blob_compare(GTDBG_BLOB_MODULE_SOURCE, live.modules.id[i]);
		blob_compare(GTDBG_BLOB_MODULE_ELF, live.modules.id[i]);
	}
	for (i = 0; i < live.kernels.count; i++) {
		blob_compare(GTDBG_BLOB_KERNEL_ELF, live.kernels.id[i]);
		blob_compare(GTDBG_BLOB_KERNEL_ISA, live.kernels.id[i]);
	}
	/* Last, as threads have to do something for it. */
	for (i = 0; i < live.devices.count; i++)
		threads_compare(live.devices.id[i], local_compare);
}

int main(int argc, char **argv)
{
	struct gtdbg *gtdbg = NULL;
	int ret;

	if (argc != 3) {
		fputs("usage: dumped PID FILE\n", stderr);
		return 2;
	}
	ret = sessions_open(atoi(argv[1]), argv[2], &gtdbg);
	if (ret) {
		fprintf(stderr, "dumped: %s\n", strerror(-ret));
		return 1;
	}
	replay(&live);
	replay(&file);
	if (memcmp(&live.devices, &file.devices,
		   sizeof(live) - offsetof(struct side, devices)))
		differs("what there is", 0, 0);
	compare();
	printf("compared: %llu threads, %llu registers, %llu files, %llu bytes, %llu local, in %zu contexts: %llu differences\n",
	       (unsigned long long)threads / 2, (unsigned long long)registers,
	       (unsigned long long)blobs, (unsigned long long)bytes,
	       (unsigned long long)local, live.contexts.count,
	       (unsigned long long)differences);
	gtdbg_session_close(live.session);
	gtdbg_session_close(file.session);
	gtdbg_close(gtdbg);
	return differences > 0;
}
