// SPDX-License-Identifier: MIT
/*
 * Level Zero attaches to one device of a process at a time, the module to a process:
 * sessions of one process share its session there, and take its events for each other.
 * Of devices that no session is for, nothing stays stopped.
 */
#include "level_zero.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not held while the module is asked: that may take as long as a process likes. */
static pthread_mutex_t processes_lock = PTHREAD_MUTEX_INITIALIZER;
/* Of some process that is opened or closed, which others wait for who want the same. */
static pthread_cond_t processes_settled = PTHREAD_COND_INITIALIZER;
/* Protected by @processes_lock. */
static struct ze_process *processes;

/* The process that is called so now is the one, whatever has that number later. */
static int client_find(struct ze_process *process, int *fd_out)
{
	if (process->pid <= 0)
		return -ESRCH;
	process->pidfd = syscall(SYS_pidfd_open, process->pid, 0);
	if (process->pidfd < 0)
		return errno == EINVAL ? -ESRCH : -errno;
	return gtdbg_client_find_pidfd(process->pidfd, fd_out);
}

static int process_attach(struct ze_process *process)
{
	struct gtdbg_session_attach attach = {
		.event_mask = GTDBG_EVENTS_ALL,
		.ack_mask = 1ull << GTDBG_EVENT_KERNEL_SUBMIT |
			    1ull << GTDBG_EVENT_PAGE_FAULT,
	};
	struct gtdbg *gtdbg;
	int ret;

	ret = gtdbg_open(NULL, &gtdbg);
	if (ret) /* ENOENT: no such client */
		return ret == -ENOENT ? -ENOPKG : ret;
	ret = client_find(process, &attach.client_fd);
	if (!ret) {
		ret = gtdbg_session_open(gtdbg, &attach, &process->session);
		close(attach.client_fd);
	}
	gtdbg_close(gtdbg);
	return ret;
}

/* One that has ended is none: its number may be another one's. */
static struct ze_process *process_find(int pid)
{
	struct ze_process *process = processes;

	while (process && (process->pid != pid ||
			   atomic_load(&process->has_ended)))
		process = process->next;
	return process;
}

/* Nobody else uses it: all who find it wait. */
static void process_remove(struct ze_process *process)
{
	struct ze_process **at = &processes;

	pthread_mutex_lock(&processes_lock);
	while (*at != process)
		at = &(*at)->next;
	*at = process->next;
	pthread_cond_broadcast(&processes_settled);
	pthread_mutex_unlock(&processes_lock);
	pthread_mutex_destroy(&process->lock);
	if (process->pidfd >= 0)
		close(process->pidfd);
	free(process);
}

static struct ze_process *process_create(int pid)
{
	struct ze_process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	pthread_mutex_init(&process->lock, NULL);
	process->pid = pid;
	process->pidfd = -1;
	process->users = 1;
	process->is_unsettled = true;
	process->next = processes;
	processes = process;
	return process;
}

/* The first one who wants a process opens it. */
static int process_open(struct ze_process *process)
{
	int ret = process_attach(process);

	if (ret) {
		process_remove(process);
		return ret;
	}
	pthread_mutex_lock(&processes_lock);
	process->is_unsettled = false;
	pthread_cond_broadcast(&processes_settled);
	pthread_mutex_unlock(&processes_lock);
	return 0;
}

int gtdbg_ze_process_get(int pid, struct ze_process **out)
{
	struct ze_process *process;
	bool is_new;
	int ret = 0;

	pthread_mutex_lock(&processes_lock);
	while ((process = process_find(pid)) && process->is_unsettled)
		pthread_cond_wait(&processes_settled, &processes_lock);
	is_new = !process;
	if (is_new)
		process = process_create(pid);
	else
		process->users++;
	pthread_mutex_unlock(&processes_lock);
	if (!process)
		return -ENOMEM;
	if (is_new)
		ret = process_open(process);
	if (!ret)
		*out = process;
	return ret;
}

void gtdbg_ze_process_put(struct ze_process *process)
{
	bool is_last;

	pthread_mutex_lock(&processes_lock);
	is_last = !--process->users;
	process->is_unsettled = is_last;
	pthread_mutex_unlock(&processes_lock);
	if (!is_last)
		return;
	gtdbg_ze_savearea_leave(process);
	gtdbg_session_close(process->session);
	gtdbg_ze_savearea_fini(process);
	process_remove(process);
}

int gtdbg_ze_process_join(struct ze_process *process,
			  struct ze_session *session)
{
	const struct ze_session *other = process->sessions;

	while (other && other->index != session->index)
		other = other->next;
	if (other)
		return -EBUSY;
	session->process = process;
	session->session = process->session;
	gtdbg_ze_process_bind(process, session);
	session->next = process->sessions;
	process->sessions = session;
	return 0;
}

void gtdbg_ze_process_leave(struct ze_session *session)
{
	struct ze_session **at = &session->process->sessions;

	while (*at != session)
		at = &(*at)->next;
	*at = session->next;
}

void gtdbg_ze_process_bind(const struct ze_process *process,
			   struct ze_session *session)
{
	if (session->device || session->index >= process->device_count)
		return;
	session->device = process->devices[session->index];
	session->slots = process->slots[session->index];
}

void gtdbg_ze_process_device_add(struct ze_process *process,
				 const struct gtdbg_event *event)
{
	const struct gtdbg_event_device_add *info;
	struct ze_session *session;
	uint32_t i;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info)
		return;
	if (!gtdbg_ze_device_fits(info)) {
		process->is_too_large = true;
		return;
	}
	for (i = 0; i < process->device_count; i++) {
		if (process->devices[i] == info->device)
			return;
	}
	if (i == ZE_DEVICES_MAX)
		return;
	process->devices[i] = info->device;
	process->slots[i] = info->slots;
	process->device_count++;
	gtdbg_ze_devices_announce(process->device_count);
	if (!info->is_virtual)
		gtdbg_ze_savearea_look(process);
	for (session = process->sessions; session; session = session->next)
		gtdbg_ze_process_bind(process, session);
}

static bool is_claimed(const struct ze_process *process, uint32_t device)
{
	const struct ze_session *session = process->sessions;

	while (session && session->device != device)
		session = session->next;
	return session;
}

static void unclaimed_stop(struct ze_process *process,
			   const struct gtdbg_thread_info *info)
{
	uint8_t mask[ZE_PLACES / 8 + 1] = { 0 };
	struct gtdbg_thread_resume resume = {
		.device = info->device,
		.command = GTDBG_RESUME_RUN,
		.mask = (uintptr_t)mask,
		.slots = info->slot + 1,
		.generation = info->generation,
	};

	if (info->slot / 8 >= sizeof(mask))
		return;
	mask[info->slot / 8] = 1u << info->slot % 8;
	gtdbg_thread_resume(process->session, &resume);
}

void gtdbg_ze_process_unclaimed(struct ze_process *process,
				const struct gtdbg_event *event)
{
	const struct gtdbg_event_thread_stop *stop;
	/* The device is the first of each of these. */
	const uint32_t *device;

	if (event->kind != GTDBG_EVENT_KERNEL_SUBMIT &&
	    event->kind != GTDBG_EVENT_PAGE_FAULT &&
	    event->kind != GTDBG_EVENT_THREAD_STOP)
		return;
	if (event->kind == GTDBG_EVENT_THREAD_STOP) {
		stop = gtdbg_event_payload(event, sizeof(*stop));
		if (stop && !is_claimed(process, stop->thread.device))
			unclaimed_stop(process, &stop->thread);
		return;
	}
	device = gtdbg_event_payload(event, sizeof(*device));
	if (!device || !is_claimed(process, *device))
		gtdbg_event_ack(process->session, event->seqno);
}
