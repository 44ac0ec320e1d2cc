// SPDX-License-Identifier: MIT
/*
 * One connection per process, made as the node is opened first. A child of fork()
 * has none: its first open makes another.
 */
#include "node.h"

#include "drm/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
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

#define WAIT_US 100
#define WAITS_ALIVE 1000 /* look for vgtd after so many */

static struct {
	pthread_mutex_t lock;
	pid_t process; /* who is connected; 0: nobody */
	int socket;
	int memory;
	int doorbell;
	struct vgt_drm_queue *queue;
	dev_t device; /* of @memory, as a file */
	ino_t inode;
} node = { .lock = PTHREAD_MUTEX_INITIALIZER };

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

/* Of our own user or root's: whoever is first may take the socket's name. */
static bool is_trusted(int socket)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (!peer.uid || peer.uid == geteuid());
}

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
		     offsetof(struct sockaddr_un, sun_path) + 1 + len)) {
		if (is_trusted(fd))
			return fd;
		errno = EPERM;
	}
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

/* The answer to the greeting brings the memory, the queue and its doorbell. */
static int greet(int fd[3])
{
	char control[CMSG_SPACE(3 * sizeof(int))];
	struct vgt_drm_head head = { .number = VGT_DRM_HELLO };
	struct iovec part = { &head, sizeof(head) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights;

	if (!send_all(&head, sizeof(head)) ||
	    recvmsg(node.socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL) !=
		    sizeof(head))
		return -ENODEV;
	rights = CMSG_FIRSTHDR(&message);
	if (!rights || rights->cmsg_type != SCM_RIGHTS ||
	    rights->cmsg_len != CMSG_LEN(3 * sizeof(int)))
		return -ENODEV;
	memcpy(fd, CMSG_DATA(rights), 3 * sizeof(int));
	return 0;
}

static int node_make(const int fd[3])
{
	struct stat status;

	node.queue = mmap(NULL, sizeof(*node.queue), PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd[1], 0);
	if (node.queue == MAP_FAILED || fstatat(fd[0], "", &status, AT_EMPTY_PATH))
		return -errno;
	/* A child of fork() makes launches of its own, or none. */
	madvise(node.queue, sizeof(*node.queue), MADV_DONTFORK);
	close(fd[1]);
	node.memory = fd[0];
	node.doorbell = fd[2];
	node.device = status.st_dev;
	node.inode = status.st_ino;
	return 0;
}

static int node_connect_locked(void)
{
	int fd[3];
	int ret;

	if (node.process == getpid())
		return 0;
	ret = server_connect();
	if (ret < 0)
		return ret;
	node.socket = ret;
	ret = greet(fd);
	if (!ret)
		ret = node_make(fd);
	if (ret) {
		close(node.socket);
		return ret;
	}
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

/* Room for @units in the queue: 0, or why there is none. */
static int queue_wait_locked(uint32_t units)
{
	struct vgt_drm_queue *queue = node.queue;
	uint32_t tail = atomic_load(&queue->tail);

	for (uint32_t i = 1;; i++) {
		if (node.process != getpid())
			return -ENODEV;
		if (atomic_load(&queue->error))
			return -EIO;
		if (VGT_DRM_QUEUE_UNITS - (tail - atomic_load(&queue->head)) >=
		    units)
			return 0;
		if (i % WAITS_ALIVE == 0 && !vgt_node_alive())
			return -EIO;
		usleep(WAIT_US);
	}
}

static void launch_locked(const struct vgt_drm_exec *exec,
			  const struct drm_i915_gem_exec_object2 *object)
{
	struct vgt_drm_queue *queue = node.queue;
	uint32_t tail = atomic_load(&queue->tail);
	uint64_t one = 1;

	queue->unit[tail++ % VGT_DRM_QUEUE_UNITS].exec = *exec;
	for (uint32_t i = 0; i < exec->count; i++)
		queue->unit[tail++ % VGT_DRM_QUEUE_UNITS].object =
			(struct vgt_drm_exec_object){
				.address = object[i].offset,
				.handle = object[i].handle,
				.flags = (uint32_t)object[i].flags,
			};
	atomic_store(&queue->tail, tail);
	/* The order matters: who falls asleep after this look sees the tail. */
	if (atomic_load(&queue->asleep) &&
	    write(node.doorbell, &one, sizeof(one)) < 0)
		errno = 0;
}

int vgt_node_launch(const struct vgt_drm_exec *exec,
		    const struct drm_i915_gem_exec_object2 *object)
{
	int ret;

	if (!exec->count || exec->count >= VGT_DRM_QUEUE_UNITS)
		return -EINVAL;
	pthread_mutex_lock(&queue_lock);
	ret = queue_wait_locked(1 + exec->count);
	if (!ret)
		launch_locked(exec, object);
	pthread_mutex_unlock(&queue_lock);
	return ret;
}

void vgt_node_fork_prepare(void)
{
	pthread_mutex_lock(&queue_lock);
	pthread_mutex_lock(&node.lock);
}

void vgt_node_fork_parent(void)
{
	pthread_mutex_unlock(&node.lock);
	pthread_mutex_unlock(&queue_lock);
}

/*
 * Its connection is the parent's: what is asked of the old descriptor fails. The
 * memory stays open, as that is what the descriptor is recognised by.
 */
void vgt_node_fork_child(void)
{
	if (node.process) {
		close(node.socket);
		close(node.doorbell);
	}
	node.process = -1;
	vgt_node_fork_parent();
}
