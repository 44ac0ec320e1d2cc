// SPDX-License-Identifier: MIT
/*
 * A list of processes and descriptors. A descriptor lets its holder debug the
 * client, so the hook gives it only to a server of the program's own user or of
 * root, and it goes no further than into an offer. The last one that a process
 * has handed over counts; those of processes that have ended are closed as the
 * next one comes.
 */
#include "host/client.h"

#include "host/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 64
#define WAIT_MS 1000

struct client {
	struct client *next;
	pid_t pid;
	int fd;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct client *clients; /* protected by lock */

int vgt_client_listen(uint16_t port)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			   "gtdbg-vgtd-%u", port);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);
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

static bool is_gone(pid_t pid)
{
	return kill(pid, 0) && errno == ESRCH;
}

static void client_put(pid_t pid, int fd)
{
	struct client *client = calloc(1, sizeof(*client)), **at, *old;

	if (!client) {
		close(fd);
		return;
	}
	client->pid = pid;
	client->fd = fd;
	pthread_mutex_lock(&lock);
	for (at = &clients; *at;) {
		old = *at;
		if (old->pid != pid && !is_gone(old->pid)) {
			at = &old->next;
			continue;
		}
		*at = old->next;
		close(old->fd);
		free(old);
	}
	client->next = clients;
	clients = client;
	pthread_mutex_unlock(&lock);
}

/* Who it is, by the kernel's word; 0: no one whom we serve. */
static pid_t peer_pid(int socket)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return 0;
	return geteuid() == 0 || peer.uid == geteuid() ? peer.pid : 0;
}

static int descriptor_receive(int socket)
{
	char control[CMSG_SPACE(sizeof(int))], mark;
	struct pollfd wait = { .fd = socket, .events = POLLIN };
	struct iovec part = { &mark, sizeof(mark) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head;
	int fd;

	if (poll(&wait, 1, WAIT_MS) != 1 ||
	    recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) <= 0)
		return -EIO;
	head = CMSG_FIRSTHDR(&message);
	if (!head || head->cmsg_type != SCM_RIGHTS ||
	    head->cmsg_len != CMSG_LEN(sizeof(int)))
		return -EIO;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

/* The answer says that the runtime may connect now. */
void vgt_client_take(int listener)
{
	int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	pid_t pid = socket < 0 ? 0 : peer_pid(socket);
	int fd = pid ? descriptor_receive(socket) : -EPERM;

	if (fd >= 0)
		client_put(pid, fd);
	else
		vgt_log(VGT_LOG_WARN, "process %d handed over no client: %s",
			pid, strerror(-fd));
	if (fd >= 0 && send(socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
		vgt_log(VGT_LOG_INFO, "process %d did not wait", pid);
	if (socket >= 0)
		close(socket);
}

int vgt_client_get(pid_t pid)
{
	struct client *client;
	int fd = -ENOENT;

	pthread_mutex_lock(&lock);
	for (client = clients; client; client = client->next) {
		if (client->pid == pid)
			fd = fcntl(client->fd, F_DUPFD_CLOEXEC, 0);
	}
	pthread_mutex_unlock(&lock);
	return fd;
}
