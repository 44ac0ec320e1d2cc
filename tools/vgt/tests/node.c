// SPDX-License-Identifier: MIT
#include "node.h"

#include "host/server.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WAIT_S 300

struct vgt_server *node_server;

socklen_t node_address(struct sockaddr_un *address, uint16_t port)
{
	int len;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	len = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
		       VGT_DRM_SOCKET, port);
	return offsetof(struct sockaddr_un, sun_path) + 1 + len;
}

bool node_connect(struct node *node)
{
	struct sockaddr_un address;
	socklen_t len = node_address(&address, vgt_server_port(node_server));

	/* Room for the next one: ThreadSanitizer has little. */
	vgt_server_reap(node_server);
	memset(node, -1, sizeof(*node));
	node->queue = MAP_FAILED;
	node->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return !connect(node->socket, (struct sockaddr *)&address, len);
}

bool node_greet(struct node *node)
{
	struct vgt_drm_head head = { .number = VGT_DRM_HELLO };
	char control[CMSG_SPACE(3 * sizeof(int))];
	struct iovec part = { &head, sizeof(head) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};

	if (send(node->socket, &head, sizeof(head), MSG_NOSIGNAL) < 0 ||
	    recvmsg(node->socket, &message, 0) != sizeof(head) ||
	    !CMSG_FIRSTHDR(&message))
		return false;
	memcpy(&node->memory, CMSG_DATA(CMSG_FIRSTHDR(&message)),
	       3 * sizeof(int));
	node->queue = mmap(NULL, sizeof(*node->queue), PROT_READ | PROT_WRITE,
			   MAP_SHARED, node->queue_fd, 0);
	return node->queue != MAP_FAILED;
}

void node_close(struct node *node)
{
	if (node->queue != MAP_FAILED)
		munmap(node->queue, sizeof(*node->queue));
	close(node->socket);
	close(node->memory);
	close(node->queue_fd);
	close(node->doorbell);
}

void node_open(struct node *node)
{
	if (node_connect(node) && node_greet(node))
		return;
	tap_result(false, "a program opens the node", strerror(errno));
	exit(tap_finish());
}

bool node_is_closed(struct node *node)
{
	char byte;
	ssize_t n;

	do
		n = recv(node->socket, &byte, 1, 0);
	while (n > 0);
	return n == 0 || errno == ECONNRESET;
}

int node_ask(struct node *node, uint32_t number, void *argument, uint32_t bytes,
	     void *extra, int sent, uint32_t room)
{
	struct vgt_drm_head head = {
		.number = number,
		.ret = sent ? 0 : -1,
		.argument_bytes = bytes,
		.extra_bytes = sent ? (uint32_t)sent : room,
	};

	if (send(node->socket, &head, sizeof(head), MSG_NOSIGNAL) < 0 ||
	    (bytes && send(node->socket, argument, bytes, MSG_NOSIGNAL) < 0) ||
	    (sent && send(node->socket, extra, sent, MSG_NOSIGNAL) < 0) ||
	    recv(node->socket, &head, sizeof(head), MSG_WAITALL) !=
		    sizeof(head) ||
	    (bytes && recv(node->socket, argument, bytes, MSG_WAITALL) !=
		    (ssize_t)bytes) ||
	    (head.extra_bytes && recv(node->socket, extra, head.extra_bytes,
				      MSG_WAITALL) != (ssize_t)head.extra_bytes))
		return -EPIPE;
	return head.ret;
}

uint32_t node_object(struct node *node, uint64_t bytes, uint64_t *phys)
{
	struct drm_i915_gem_create create = { .size = bytes };
	struct drm_i915_gem_mmap_offset where = { 0 };

	if (NODE_ASK(node, GEM_CREATE, &create))
		return 0;
	where.handle = create.handle;
	if (NODE_ASK(node, GEM_MMAP_GTT, &where))
		return 0;
	*phys = where.offset;
	return create.handle;
}

void node_launch(struct node *node, uint32_t count, uint32_t context,
		 const struct vgt_drm_exec_object *object, uint32_t objects)
{
	uint32_t tail = atomic_load(&node->queue->tail);
	uint64_t one = 1;

	node->queue->unit[tail++ % VGT_DRM_QUEUE_UNITS].exec =
		(struct vgt_drm_exec){ .count = count, .context = context };
	for (uint32_t i = 0; i < objects; i++)
		node->queue->unit[tail++ % VGT_DRM_QUEUE_UNITS].object =
			object[i];
	atomic_store(&node->queue->tail, tail);
	if (write(node->doorbell, &one, sizeof(one)) < 0)
		tap_note("no doorbell");
}

bool node_appears(struct node *node, uint64_t phys, uint32_t wanted)
{
	time_t end = time(NULL) + WAIT_S;
	uint32_t value = 0;

	while (time(NULL) < end) {
		if (pread(node->memory, &value, 4, (off_t)phys) == 4 &&
		    value == wanted)
			return true;
		usleep(100);
	}
	return false;
}

uint64_t node_batch(struct node *node, uint32_t context, uint32_t value)
{
	struct vgt_drm_exec_object object = {
		NODE_ADDRESS, 0, EXEC_OBJECT_PINNED,
	};
	const uint32_t batch[] = {
		0x10000002, (uint32_t)NODE_ADDRESS + 256, NODE_ADDRESS >> 32,
		value, 0x05000000,
	};
	uint64_t phys = 0;

	object.handle = node_object(node, 4096, &phys);
	if (!object.handle ||
	    pwrite(node->memory, batch, sizeof(batch), (off_t)phys) < 0)
		return 0;
	node_launch(node, 1, context, &object, 1);
	return phys + 256;
}

bool node_runs_in(struct node *node, uint32_t context, uint32_t value)
{
	uint64_t phys = node_batch(node, context, value);

	return phys && node_appears(node, phys, value);
}

bool node_runs(struct node *node, uint32_t value)
{
	return node_runs_in(node, 0, value);
}

bool node_serves(void)
{
	struct node node;
	bool ok;

	node_open(&node);
	ok = node_runs(&node, 4711);
	node_close(&node);
	return ok;
}

time_t node_now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

bool node_are_gone(time_t seconds)
{
	time_t begin = node_now_s();

	while (vgt_server_reap(node_server) && node_now_s() - begin < seconds)
		usleep(1000);
	return node_now_s() - begin < seconds;
}
