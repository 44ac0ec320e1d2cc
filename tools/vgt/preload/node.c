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
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define STOPPED_S 10

static struct {
	pthread_mutex_t lock;
	pid_t process; /* who is connected; 0: nobody */
	pid_t server;
	int socket;
	int memory;
	int doorbell;
	struct vgt_drm_queue *queue;
	dev_t device; /* of @memory, as a file */
	ino_t inode;
} node = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Of our own user or root's: whoever is first may take the socket's name. */
static bool is_trusted(int socket)
{
	const struct timeval look = { .tv_sec = 1 };
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len) ||
	    (peer.uid && peer.uid != geteuid()))
		return false;
	node.server = peer.pid;
	return !setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &look,
			   sizeof(look));
}

/* In the third field of its line; the second one is a name in brackets. */
static bool is_stopped(void)
{
	char path[32], text[128];
	const char *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)node.server);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	end = strrchr(text, ')');
	return end && !strncmp(end, ") T", 3);
}

/*
 * An answer may take any time, since a kernel may be at a breakpoint. But who
 * stopped vgtd itself and left it so has to know what the program waits for.
 */
static bool is_abandoned(void)
{
	static _Atomic time_t since, looked;
	bool stopped = is_stopped();
	struct timespec now;
	time_t before;

	clock_gettime(CLOCK_MONOTONIC, &now);
	before = atomic_exchange(&looked, now.tv_sec);
	/* It may have gone on while nobody looked. */
	if (!stopped || now.tv_sec - before > STOPPED_S / 2)
		atomic_store(&since, now.tv_sec);
	if (now.tv_sec - atomic_load(&since) <= STOPPED_S)
		return false;
	fprintf(stderr, "vgt: the virtual GPU is stopped: process %d\n",
		(int)node.server);
	return true;
}

/* Is there more to wait for, after a receive that brought nothing? */
static bool may_come(void)
{
	return errno == EINTR || (errno == EAGAIN && !is_abandoned());
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
		if (n < 0 && may_come())
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
	size_t count = 0;
	ssize_t n;

	if (!send_all(&head, sizeof(head)))
		return -ENODEV;
	do
		n = recvmsg(node.socket, &message,
			    MSG_CMSG_CLOEXEC | MSG_WAITALL);
	while (n < 0 && may_come());
	if (n != sizeof(head))
		return -ENODEV;
	rights = CMSG_FIRSTHDR(&message);
	if (rights && rights->cmsg_type == SCM_RIGHTS)
		count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	if (count)
		memcpy(fd, CMSG_DATA(rights), count * sizeof(int));
	if (count == 3)
		return 0;
	/* As many as the process may open. */
	while (count)
		close(fd[--count]);
	return -EMFILE;
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
	if (ret)
		goto err_close;
	ret = node_make(fd);
	if (ret)
		goto err_close_all;
	__atomic_store_n(&node.process, getpid(), __ATOMIC_RELEASE);
	return 0;

err_close_all:
	for (int i = 0; i < 3; i++)
		close(fd[i]);
err_close:
	close(node.socket);
	return ret;
}

int vgt_node_open(int flags)
{
	int ret, error = errno, state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&node.lock);
	ret = node_connect_locked();
	pthread_mutex_unlock(&node.lock);
	pthread_setcancelstate(state, NULL);
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

	return node.process == getpid() && poll(&wait, 1, 0) == 0 &&
	       !is_abandoned();
}

static int exchange_locked(struct vgt_node_call *call)
{
	struct vgt_drm_head head = {
		.number = call->number,
		.ret = call->extra ? 0 : -1,
		.argument_bytes = call->argument_bytes,
		.extra_bytes = call->extra_bytes,
	};

	if (node.process != getpid())
		return -ENODEV;
	if (!send_all(&head, sizeof(head)) ||
	    !send_all(call->argument, call->argument_bytes) ||
	    (call->extra && !send_all(call->extra, call->extra_bytes)) ||
	    !receive_all(&head, sizeof(head)) ||
	    head.argument_bytes != call->argument_bytes ||
	    head.extra_bytes > call->extra_bytes ||
	    !receive_all(call->argument, head.argument_bytes) ||
	    (head.extra_bytes && !call->answer) ||
	    !receive_all(call->answer, head.extra_bytes)) {
		/* What may still come is no answer to the next call. */
		shutdown(node.socket, SHUT_RDWR);
		return -ENODEV;
	}
	call->answer_bytes = head.extra_bytes;
	return head.ret;
}

/* Who is cancelled goes on to where nothing is locked. */
int vgt_node_call(struct vgt_node_call *call)
{
	int ret, state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&node.lock);
	ret = exchange_locked(call);
	pthread_mutex_unlock(&node.lock);
	pthread_setcancelstate(state, NULL);
	return ret;
}

struct vgt_drm_queue *vgt_node_queue(void)
{
	return node.process > 0 ? node.queue : NULL;
}

void vgt_node_ring(void)
{
	uint64_t one = 1;
	int error = errno;

	/* It fails if it has rung often enough. */
	if (write(node.doorbell, &one, sizeof(one)) < 0)
		errno = error;
}

void vgt_node_fork_prepare(void)
{
	pthread_mutex_lock(&node.lock);
}

void vgt_node_fork_parent(void)
{
	pthread_mutex_unlock(&node.lock);
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
