// SPDX-License-Identifier: MIT
#include "drm/door.h"

#include "drm/drm.h"
#include "drm/ioctl.h"
#include "drm/wire.h"
#include "gt/device.h"
#include "host/log.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 64

struct node {
	struct vgt_drm *drm; /* once the library said hello */
	int socket;
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

/* Programs of our own user; root's server serves all. */
int vgt_drm_accept(int listener)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	    (!geteuid() || peer.uid == geteuid()))
		return fd;
	close(fd);
	return -EPERM;
}

static bool receive(int socket, void *out, size_t len_bytes)
{
	return !len_bytes ||
	       recv(socket, out, len_bytes, MSG_WAITALL) == (ssize_t)len_bytes;
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

static bool memory_send(struct node *node, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct vgt_drm_head head = { .number = VGT_DRM_HELLO };
	struct iovec part = { &head, sizeof(head) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);

	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(rights), &fd, sizeof(fd));
	return sendmsg(node->socket, &message, MSG_NOSIGNAL) == sizeof(head);
}

static bool hello(struct node *node, struct vgt_device *device)
{
	int ret = node->drm ? -EPROTO : vgt_device_start(device);

	if (!ret)
		ret = vgt_drm_create(device, &node->drm);
	if (ret)
		vgt_log(VGT_LOG_ERROR, "device %u: cannot start: %s",
			device->number, strerror(-ret));
	return !ret && memory_send(node, device->memory.fd);
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

	head->ret = vgt_drm_ioctl(node->drm, &call);
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

static void node_close(struct vgt_connection *connection)
{
	struct node *node = connection->state;

	vgt_drm_destroy(node->drm);
	free(node->extra);
	free(node);
}

static int node_open(struct vgt_connection *connection)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return -ENOMEM;
	node->extra = malloc(VGT_DRM_EXTRA_MAX);
	if (!node->extra) {
		free(node);
		return -ENOMEM;
	}
	node->socket = connection->socket;
	connection->state = node;
	return 0;
}

const struct vgt_door vgt_drm_door = {
	.open = node_open,
	.serve = node_serve,
	.close = node_close,
};
