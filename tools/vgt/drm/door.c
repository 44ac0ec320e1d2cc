// SPDX-License-Identifier: MIT
#include "drm/door.h"

#include "drm/drm.h"
#include "drm/exec.h"
#include "drm/ioctl.h"
#include "drm/queue.h"
#include "drm/wire.h"
#include "gt/device.h"
#include "host/log.h"
#include "host/peer.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 64
#define ROOM_US 100

struct node {
	int socket;
	struct vgt_queue queue;

	pthread_mutex_t lock;
	/* Protected by @lock, as all that it leads to. */
	struct vgt_drm *drm; /* once the library said hello */
	struct vgt_drm_exec_object *object; /* of one entry of the queue */
	bool offered;

	/* The reader's own. */
	uint8_t *extra;
	uint8_t argument[VGT_DRM_ARGUMENT_MAX];
};

int vgt_drm_listen(uint16_t port)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			   VGT_DRM_SOCKET, port);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int ret;

	if (fd < 0)
		return -errno;
	if (!bind(fd, (struct sockaddr *)&address,
		  offsetof(struct sockaddr_un, sun_path) + 1 + len) &&
	    !listen(fd, BACKLOG))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

int vgt_drm_accept(int listener)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	    vgt_peer_is_served(peer.uid))
		return fd;
	vgt_peer_close(fd);
	return -EPERM;
}

/*
 * Looked at first: descriptors that come along, as none should, would be closed by who
 * takes the bytes, and may be slow to. They stay in the socket until that is closed.
 */
static bool receive(int socket, void *out, size_t len_bytes)
{
	struct iovec part = { out, len_bytes };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t n;

	for (; part.iov_len; part.iov_len -= n) {
		n = recvmsg(socket, &message, MSG_PEEK);
		if (n <= 0 || message.msg_flags & MSG_CTRUNC ||
		    recv(socket, part.iov_base, n, MSG_WAITALL) != n)
			return false;
		part.iov_base = (uint8_t *)part.iov_base + n;
	}
	return true;
}

static bool answer(struct node *node, const struct vgt_drm_head *head)
{
	struct iovec part[3] = {
		{ (void *)head, sizeof(*head) },
		{ node->argument, head->argument_bytes },
		{ node->extra, head->extra_bytes },
	};
	struct msghdr message = { .msg_iov = part, .msg_iovlen = 3 };
	ssize_t n, left = sizeof(*head) + head->argument_bytes +
			  head->extra_bytes;

	while (left) {
		n = sendmsg(node->socket, &message, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		left -= n;
		for (; n && (size_t)n >= message.msg_iov->iov_len;
		     message.msg_iov++, message.msg_iovlen--)
			n -= (ssize_t)message.msg_iov->iov_len;
		if (n) {
			message.msg_iov->iov_base =
				(uint8_t *)message.msg_iov->iov_base + n;
			message.msg_iov->iov_len -= n;
		}
	}
	return true;
}

static bool memory_send(struct node *node, int memory)
{
	const int fd[] = { memory, node->queue.fd, node->queue.doorbell };
	char control[CMSG_SPACE(sizeof(fd))] = { 0 };
	struct vgt_drm_head head = { .number = VGT_DRM_HELLO };
	struct iovec part = { &head, sizeof(head) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);

	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(rights), fd, sizeof(fd));
	return sendmsg(node->socket, &message, MSG_NOSIGNAL) == sizeof(head);
}

/* The device's thread looks at the queue from the start. */
static bool hello(struct node *node, struct vgt_device *device)
{
	struct vgt_drm *drm;
	int ret = node->drm ? -EPROTO : vgt_device_start(device);

	if (!ret)
		ret = vgt_drm_create(device, &drm);
	if (ret) {
		vgt_log(VGT_LOG_ERROR, "device %u: cannot start: %s",
			device->number, strerror(-ret));
		return false;
	}
	pthread_mutex_lock(&node->lock);
	node->drm = drm;
	pthread_mutex_unlock(&node->lock);
	return memory_send(node, device->memory.fd);
}

/*
 * The runtime opens the node before it looks for a debugger, which makes it a
 * client; but nothing runs before it has looked.
 */
static void offer_locked(struct node *node)
{
	if (node->offered)
		return;
	node->offered = true;
	vgt_device_offer(node->drm->device);
}

/* Submit what is in the queue. Returns how many, -EAGAIN if there is no room. */
static int launch_locked(struct node *node)
{
	struct vgt_drm_exec exec;
	int ret = 0, count = 0;

	while (node->drm && !atomic_load(&node->drm->device->dead)) {
		ret = vgt_queue_peek(&node->queue, &exec, node->object);
		if (ret > 0)
			offer_locked(node);
		if (ret > 0)
			ret = vgt_drm_exec(node->drm, &exec, node->object);
		else if (!ret)
			return count;
		if (ret)
			break;
		vgt_queue_next(&node->queue, &exec);
		count++;
	}
	if (ret && ret != -EAGAIN) {
		atomic_store(&node->queue.shared->error, ret);
		vgt_device_fail(node->drm->device, "EXECBUFFER2: %s",
				strerror(-ret));
	}
	return count ? count : ret;
}

/* Whatever it has sent before that. */
static bool peer_has_gone(const struct node *node)
{
	struct pollfd wait = { .fd = node->socket, .events = POLLRDHUP };

	return poll(&wait, 1, 0) > 0;
}

/*
 * What the program launched before it asked for something else comes first. Returns
 * with the lock held; false: without, nobody waits for the answer any more.
 */
static bool launch_all(struct node *node)
{
	int ret;

	for (;;) {
		pthread_mutex_lock(&node->lock);
		ret = launch_locked(node);
		/* The device's thread sleeps at the queue. */
		if (ret > 0)
			vgt_queue_ring(&node->queue);
		if (ret != -EAGAIN)
			return true;
		pthread_mutex_unlock(&node->lock);
		if (peer_has_gone(node))
			return false;
		usleep(ROOM_US);
	}
}

static bool call(struct node *node, struct vgt_drm_head *head, uint32_t sent)
{
	struct vgt_drm_call call = {
		.number = head->number,
		.argument_bytes = head->argument_bytes,
		.extra_bytes = sent,
		.room = head->extra_bytes,
		.argument = node->argument,
		.extra = node->extra,
	};

	if (!launch_all(node))
		return false;
	head->ret = vgt_drm_ioctl(node->drm, &call);
	pthread_mutex_unlock(&node->lock);
	head->extra_bytes = call.answer_bytes;
	return answer(node, head);
}

/* One request; false: the connection is to end. */
static bool serve_one(struct node *node, struct vgt_device *device)
{
	struct vgt_drm_head head;
	uint32_t sent;

	if (!receive(node->socket, &head, sizeof(head)))
		return false;
	if (head.argument_bytes > VGT_DRM_ARGUMENT_MAX ||
	    head.extra_bytes > VGT_DRM_EXTRA_MAX) {
		vgt_log(VGT_LOG_ERROR,
			"device %u: DRM request 0x%x: %u and %u bytes are too many",
			device->number, head.number, head.argument_bytes,
			head.extra_bytes);
		return false;
	}
	memset(node->argument, 0, sizeof(node->argument));
	/* Negative: nothing follows, that is only room for the answer. */
	sent = head.ret < 0 ? 0 : head.extra_bytes;
	if (!receive(node->socket, node->argument, head.argument_bytes) ||
	    !receive(node->socket, node->extra, sent))
		return false;
	if (head.number == VGT_DRM_HELLO)
		return hello(node, device);
	if (!node->drm) {
		vgt_log(VGT_LOG_ERROR, "device %u: no DRM greeting",
			device->number);
		return false;
	}
	return call(node, &head, sent);
}

static void node_serve(struct vgt_connection *connection)
{
	struct node *node = connection->state;

	while (serve_one(node, connection->device))
		;
}

/* The device has nothing to do: wait until the program launches something. */
static void node_idle(struct vgt_connection *connection)
{
	struct node *node = connection->state;
	int ret;

	pthread_mutex_lock(&node->lock);
	ret = launch_locked(node);
	pthread_mutex_unlock(&node->lock);
	if (!ret)
		vgt_queue_wait(&node->queue);
	else if (ret == -EAGAIN) /* all is done: the program says otherwise */
		usleep(ROOM_US);
}

static void node_stop(struct vgt_connection *connection)
{
	struct node *node = connection->state;

	vgt_queue_stop(&node->queue);
}

static void node_close(struct vgt_connection *connection)
{
	struct node *node = connection->state;

	vgt_drm_destroy(node->drm);
	vgt_queue_fini(&node->queue);
	pthread_mutex_destroy(&node->lock);
	free(node->object);
	free(node->extra);
	free(node);
}

static int node_open(struct vgt_connection *connection)
{
	struct node *node = calloc(1, sizeof(*node));
	int ret = -ENOMEM;

	if (!node)
		return ret;
	node->extra = malloc(VGT_DRM_EXTRA_MAX);
	node->object = malloc(VGT_DRM_QUEUE_UNITS * sizeof(*node->object));
	if (node->extra && node->object)
		ret = vgt_queue_init(&node->queue);
	if (ret) {
		free(node->object);
		free(node->extra);
		free(node);
		return ret;
	}
	pthread_mutex_init(&node->lock, NULL);
	node->socket = connection->socket;
	connection->state = node;
	return 0;
}

const struct vgt_door vgt_drm_door = {
	.open = node_open,
	.serve = node_serve,
	.idle = node_idle,
	.stop = node_stop,
	.close = node_close,
};
