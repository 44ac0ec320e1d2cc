// SPDX-License-Identifier: MIT
/*
 * Stops the GPU threads of a process once, prints where each stands and the
 * instruction there, and lets them go on.
 * usage: sample PID
 */
#include <gtdbg.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX	1024
#define TRIES		200
#define TIMEOUT_MS	1000

/* Reads events up to the end of the replay, and finds a device in them. */
static int device_find(struct gtdbg_session *session, uint32_t *device)
{
	const struct gtdbg_event_device_add *add;
	const struct gtdbg_event *event;
	int ret;

	*device = 0;
	while ((ret = gtdbg_event_next(session, TIMEOUT_MS, &event)) == 1) {
		if (event->kind == GTDBG_EVENT_DEVICE_ADD) {
			add = gtdbg_event_payload(event, sizeof(*add));
			*device = add ? add->device : 0;
		} else if (event->kind == GTDBG_EVENT_SYNCED) {
			return *device ? 0 : -ENODEV;
		}
	}
	return ret < 0 ? ret : -ESRCH;
}

static void show(struct gtdbg_session *session,
		 const struct gtdbg_thread_info *thread)
{
	uint64_t code;
	int fd;

	printf("slot %u at 0x%" PRIx64 ", lanes 0x%x", thread->slot,
	       (uint64_t)thread->address, thread->exec_mask);
	if (!gtdbg_memory_open(session, thread->device, thread->context,
			       O_RDONLY, &fd)) {
		if (pread(fd, &code, sizeof(code), thread->address) ==
		    sizeof(code))
			printf(", code 0x%016" PRIx64, code);
		close(fd);
	}
	putchar('\n');
}

/* Threads only run while a kernel does: try until one is met. */
static int sample(struct gtdbg_session *session, uint32_t device)
{
	static struct gtdbg_thread_info threads[THREADS_MAX];
	int count = -EAGAIN, tries, i;

	for (tries = 0; tries < TRIES && count <= 0; tries++) {
		count = gtdbg_thread_interrupt(session, device, TIMEOUT_MS,
					       NULL);
		if (count < 0 && count != -EAGAIN)
			return count;
		if (count <= 0)
			usleep(5000);
	}
	if (count <= 0)
		return -EAGAIN;
	count = gtdbg_thread_list(session, device, threads, THREADS_MAX);
	for (i = 0; i < count; i++)
		show(session, &threads[i]);
	return 0;
}

int main(int argc, char **argv)
{
	struct gtdbg_session_attach attach = { .event_mask = GTDBG_EVENTS_ALL };
	struct gtdbg_session *session = NULL;
	struct gtdbg *gtdbg = NULL;
	uint32_t device;
	int ret;

	if (argc != 2) {
		fputs("usage: sample PID\n", stderr);
		return 2;
	}
	ret = gtdbg_open(NULL, &gtdbg);
	if (!ret)
		ret = gtdbg_client_find(atoi(argv[1]), &attach.client_fd);
	if (!ret) {
		ret = gtdbg_session_open(gtdbg, &attach, &session);
		close(attach.client_fd);
	}
	if (!ret)
		ret = device_find(session, &device);
	if (!ret)
		ret = sample(session, device);
	if (ret)
		fprintf(stderr, "sample: %s\n", strerror(-ret));
	/* Closing the session lets all threads run. */
	gtdbg_session_close(session);
	gtdbg_close(gtdbg);
	return ret ? 1 : 0;
}
