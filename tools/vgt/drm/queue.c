// SPDX-License-Identifier: MIT
#include "drm/queue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Who waits for each launch sends the next one soon. */
#define SPIN_NS 50000

static int memory_make(struct vgt_queue *queue)
{
	queue->fd = memfd_create("vgt-queue", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (queue->fd < 0 || ftruncate(queue->fd, sizeof(*queue->shared)) ||
	    fcntl(queue->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
		  F_SEAL_SEAL))
		return -errno;
	queue->shared = mmap(NULL, sizeof(*queue->shared),
			     PROT_READ | PROT_WRITE, MAP_SHARED, queue->fd, 0);
	return queue->shared == MAP_FAILED ? -errno : 0;
}

int vgt_queue_init(struct vgt_queue *queue)
{
	int ret;

	queue->shared = MAP_FAILED;
	queue->head = 0;
	queue->doorbell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	queue->ring = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	queue->stop = eventfd(0, EFD_CLOEXEC);
	ret = memory_make(queue);
	if (!ret && (queue->doorbell < 0 || queue->ring < 0 || queue->stop < 0))
		ret = -EMFILE;
	if (ret)
		vgt_queue_fini(queue);
	return ret;
}

void vgt_queue_fini(struct vgt_queue *queue)
{
	if (queue->shared != MAP_FAILED)
		munmap(queue->shared, sizeof(*queue->shared));
	if (queue->fd >= 0)
		close(queue->fd);
	if (queue->doorbell >= 0)
		close(queue->doorbell);
	if (queue->ring >= 0)
		close(queue->ring);
	if (queue->stop >= 0)
		close(queue->stop);
}

static void unit_copy(const struct vgt_queue *queue, uint32_t index, void *out)
{
	memcpy(out, &queue->shared->unit[index % VGT_DRM_QUEUE_UNITS],
	       sizeof(queue->shared->unit[0]));
}

int vgt_queue_peek(struct vgt_queue *queue, struct vgt_drm_exec *exec,
		   struct vgt_drm_exec_object *object)
{
	uint32_t head = atomic_load(&queue->head);
	uint32_t filled = atomic_load(&queue->shared->tail) - head;

	if (!filled)
		return 0;
	unit_copy(queue, head, exec);
	if (filled > VGT_DRM_QUEUE_UNITS || exec->count >= filled ||
	    !exec->count)
		return -EPROTO;
	for (uint32_t i = 0; i < exec->count; i++)
		unit_copy(queue, head + 1 + i, &object[i]);
	return 1;
}

void vgt_queue_next(struct vgt_queue *queue, const struct vgt_drm_exec *exec)
{
	uint32_t head = atomic_load(&queue->head) + 1 + exec->count;

	atomic_store(&queue->head, head);
	atomic_store(&queue->shared->head, head);
}

static bool is_empty(const struct vgt_queue *queue)
{
	return atomic_load(&queue->shared->tail) ==
	       atomic_load(&queue->head);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/*
 * The program may have read the doorbell, and let reads of it wait, which is its own
 * flag too.
 */
static void answer(int fd)
{
	uint64_t count;
	struct iovec part = { &count, sizeof(count) };

	if (preadv2(fd, &part, 1, -1, RWF_NOWAIT) < 0)
		sched_yield();
}

void vgt_queue_wait(struct vgt_queue *queue)
{
	struct pollfd wait[3] = {
		{ .fd = queue->doorbell, .events = POLLIN },
		{ .fd = queue->ring, .events = POLLIN },
		{ .fd = queue->stop, .events = POLLIN },
	};
	int64_t end = now_ns() + SPIN_NS;

	while (is_empty(queue) && now_ns() < end)
		__builtin_ia32_pause();
	if (!is_empty(queue))
		return;
	/* The order matters: who writes after this look sees the mark. */
	atomic_store(&queue->shared->asleep, 1);
	if (is_empty(queue) && poll(wait, 3, -1) > 0) {
		for (int i = 0; i < 2; i++)
			if (wait[i].revents)
				answer(wait[i].fd);
	}
	atomic_store(&queue->shared->asleep, 0);
}

void vgt_queue_ring(struct vgt_queue *queue)
{
	uint64_t one = 1;

	if (write(queue->ring, &one, sizeof(one)) < 0)
		sched_yield();
}

void vgt_queue_stop(struct vgt_queue *queue)
{
	uint64_t one = 1;

	if (write(queue->stop, &one, sizeof(one)) < 0)
		sched_yield();
}
