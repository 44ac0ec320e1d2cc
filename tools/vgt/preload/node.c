// SPDX-License-Identifier: MIT
/*
 * One connection per process, made as the node is opened first. A child of fork()
 * has none: its first open makes another.
 */
#include "node.h"

#include "drm/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static struct {
	pthread_mutex_t lock;
	pid_t process; /* who is connected; 0: nobody */
	int socket;
	int memory;
	dev_t device; /* of @memory, as a file */
	ino_t inode;
} node = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int server_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *port = getenv("TbxPort");
	int fd, len, ret;

	if (!port)
		return -ENOENT;
	len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
		       VGT_DRM_SOCKET, (unsigned int)atoi(port));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (!connect(fd, (struct sockaddr *)&address,
		     offsetof(struct sockaddr_un, sun_path) + 1 + len))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

static bool send_all(const void *data, size_t len_bytes)
{
	const uint8_t *at = data;
	ssize_t n;

	while (len_bytes) {
		n = send(node.socket, at, len_bytes, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len_bytes -= n;
	}
	return true;
}

static bool receive_all(void *data, size_t len_bytes)
{
	uint8_t *at = data;
	ssize_t n;

	while (len_bytes) {
		n = recv(node.socket, at, len_bytes, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len_bytes -= n;
	}
	return true;
}

/* The answer to the greeting brings the memory. */
static int memory_receive(void)
{
	char control[CMSG_SPACE(sizeof(int))];
	struct vgt_drm_head head = { .number = VGT_DRM_HELLO };
	struct iovec part = { &head, sizeof(head) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights;
	int fd;

	if (!send_all(&head, sizeof(head)) ||
	    recvmsg(node.socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL) !=
		    sizeof(head))
		return -ENODEV;
	rights = CMSG_FIRSTHDR(&message);
	if (!rights || rights->cmsg_type != SCM_RIGHTS)
		return -ENODEV;
	memcpy(&fd, CMSG_DATA(rights), sizeof(fd));
	return fd;
}

static int node_connect_locked(void)
{
	struct stat status;
	int ret;

	if (node.process == getpid())
		return 0;
	ret = server_connect();
	if (ret < 0)
		return ret;
	node.socket = ret;
	ret = memory_receive();
	if (ret < 0) {
		close(node.socket);
		return ret;
	}
	node.memory = ret;
	fstat(node.memory, &status);
	node.device = status.st_dev;
	node.inode = status.st_ino;
	__atomic_store_n(&node.process, getpid(), __ATOMIC_RELEASE);
	return 0;
}

int vgt_node_open(int flags)
{
	int ret, error = errno;

	pthread_mutex_lock(&node.lock);
	ret = node_connect_locked();
	pthread_mutex_unlock(&node.lock);
	if (ret) {
		if (ret != -ENOENT)
			fprintf(stderr, "vgt: no virtual GPU: %s\n",
				strerror(-ret));
		errno = ENOENT;
		return -1;
	}
	errno = error;
	return fcntl(node.memory, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD,
		     0);
}

bool vgt_node_is(int fd)
{
	struct stat status;
	int error = errno;
	bool is;

	if (!__atomic_load_n(&node.process, __ATOMIC_ACQUIRE))
		return false;
	is = !fstatat(fd, "", &status, AT_EMPTY_PATH) &&
	     status.st_ino == node.inode && status.st_dev == node.device;
	errno = error;
	return is;
}

bool vgt_node_has(dev_t device, ino_t inode)
{
	return inode == node.inode && device == node.device;
}

int vgt_node_memory(void)
{
	return node.memory;
}

uint64_t vgt_node_word(uint64_t phys)
{
	uint64_t value = 0;

	if (pread(node.memory, &value, sizeof(value), (off_t)phys) !=
	    sizeof(value))
		return 0;
	return value;
}

bool vgt_node_alive(void)
{
	struct pollfd wait = { .fd = node.socket, .events = POLLRDHUP };

	return node.process == getpid() && poll(&wait, 1, 0) == 0;
}

static int exchange_locked(struct vgt_node_call *call)
{
	struct vgt_drm_head head = {
		.number = call->number,
		.ret = call->extra ? 0 : -1,
		.argument_bytes = call->argument_bytes,
		.extra_bytes = call->extra_bytes,
	};

	if (node.process != getpid() || !send_all(&head, sizeof(head)) ||
	    !send_all(call->argument, call->argument_bytes) ||
	    (call->extra && !send_all(call->extra, call->extra_bytes)) ||
	    !receive_all(&head, sizeof(head)) ||
	    head.argument_bytes != call->argument_bytes ||
	    head.extra_bytes > call->extra_bytes ||
	    !receive_all(call->argument, head.argument_bytes) ||
	    (head.extra_bytes && !call->answer) ||
	    !receive_all(call->answer, head.extra_bytes))
		return -ENODEV;
	call->answer_bytes = head.extra_bytes;
	return head.ret;
}

int vgt_node_call(struct vgt_node_call *call)
{
	int ret;

	pthread_mutex_lock(&node.lock);
	ret = exchange_locked(call);
	pthread_mutex_unlock(&node.lock);
	return ret;
}
