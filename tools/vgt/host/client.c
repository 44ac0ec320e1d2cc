// SPDX-License-Identifier: MIT
/*
 * A list of processes and descriptors. A descriptor lets its holder debug the
 * client, so the hook gives it only to a server of the program's own user or of
 * root, and it goes no further than into an offer. The last one that a process
 * has handed over counts. It is closed when the process has ended: as long as it
 * is open, it keeps the client and the kernel module.
 */
#include "host/client.h"

#include "host/log.h"
#include "host/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 64
#define WAIT_MS 1000
#define TAKING_MAX 64 /* each of them may be silent for so long */
#define TAKING_USER_MAX 8

struct client {
	struct client *next;
	pid_t pid;
	int process; /* a pidfd: readable when the process has ended */
	int fd;
};

/* Who has connected and is to hand over a client. */
struct taking {
	bool used;
	uid_t user;
	pid_t pid; /* 0: no one whom we serve */
	int socket;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct client *clients; /* protected by lock */
static int ended = -1; /* epoll of all processes; protected by lock */
static struct taking taking[TAKING_MAX]; /* protected by lock */

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

int vgt_client_ended(void)
{
	int fd;

	pthread_mutex_lock(&lock);
	if (ended < 0)
		ended = epoll_create1(EPOLL_CLOEXEC);
	fd = ended < 0 ? -errno : ended;
	pthread_mutex_unlock(&lock);
	return fd;
}

/* All of a list, without the lock: what a process has handed over may be slow to close. */
static void clients_free(struct client *list)
{
	struct client *client;

	while (list) {
		client = list;
		list = client->next;
		close(client->process);
		close(client->fd);
		free(client);
	}
}

static bool has_ended(int process)
{
	struct pollfd wait = { .fd = process, .events = POLLIN };

	return poll(&wait, 1, 0) == 1;
}

/* Takes off the list, and returns, those that have ended and that of @pid. */
static struct client *clients_take_locked(pid_t pid)
{
	struct client **at = &clients, *client, *taken = NULL;

	while (*at) {
		client = *at;
		if (client->pid != pid && !has_ended(client->process)) {
			at = &client->next;
			continue;
		}
		*at = client->next;
		client->next = taken;
		taken = client;
	}
	return taken;
}

void vgt_client_reap(void)
{
	struct client *taken;

	pthread_mutex_lock(&lock);
	taken = clients_take_locked(0);
	pthread_mutex_unlock(&lock);
	clients_free(taken);
}

/* Takes @fd and @process. */
static int client_put(pid_t pid, int process, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct client *client = malloc(sizeof(*client)), *taken;
	int ret = 0;

	if (!client) {
		close(process);
		close(fd);
		return -ENOMEM;
	}
	*client = (struct client){ .pid = pid, .process = process, .fd = fd };
	pthread_mutex_lock(&lock);
	if (has_ended(process)) { /* the number may be another one's by now */
		pthread_mutex_unlock(&lock);
		clients_free(client);
		return -ESRCH;
	}
	taken = clients_take_locked(pid);
	if (epoll_ctl(ended, EPOLL_CTL_ADD, process, &event)) {
		ret = -errno;
		client->next = taken;
		taken = client;
	} else {
		client->next = clients;
		clients = client;
	}
	pthread_mutex_unlock(&lock);
	clients_free(taken);
	return ret;
}

/* A place for one more, by the kernel's word of who it is; NULL: there are too many. */
static struct taking *taking_add(int socket)
{
	struct taking *place = NULL;
	unsigned int same = 0;
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return NULL;
	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < TAKING_MAX; i++) {
		if (!taking[i].used)
			place = &taking[i];
		else
			same += taking[i].user == peer.uid;
	}
	if (same >= TAKING_USER_MAX)
		place = NULL;
	if (place)
		*place = (struct taking){
			.used = true, .user = peer.uid, .socket = socket,
			.pid = vgt_peer_is_served(peer.uid) ? peer.pid : 0,
		};
	pthread_mutex_unlock(&lock);
	return place;
}

static void taking_remove(struct taking *one)
{
	pthread_mutex_lock(&lock);
	one->used = false;
	pthread_mutex_unlock(&lock);
}

/*
 * What comes is taken by a look, and lies in the socket as well: of what is not wanted
 * the last descriptor is closed with that.
 */
static int descriptor_look(int socket)
{
	char control[CMSG_SPACE(sizeof(int))], mark;
	struct pollfd wait = { .fd = socket, .events = POLLIN };
	struct iovec part = { &mark, sizeof(mark) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control,
		/* Not for a second one. */
		.msg_controllen = CMSG_LEN(sizeof(int)),
	};
	struct cmsghdr *head;
	int fd;

	if (poll(&wait, 1, WAIT_MS) != 1 ||
	    recvmsg(socket, &message,
		    MSG_PEEK | MSG_CMSG_CLOEXEC | MSG_DONTWAIT) < 0)
		return -EIO;
	/* An empty message may bring one, too; who has hung up has sent none. */
	head = CMSG_FIRSTHDR(&message);
	if (!head || head->cmsg_type != SCM_RIGHTS ||
	    head->cmsg_len != CMSG_LEN(sizeof(int)))
		return -EIO;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	if (!(message.msg_flags & MSG_CTRUNC))
		return fd;
	close(fd);
	return -E2BIG;
}

/* A client is the module's; anything else may be slow to close, or be somebody's secret. */
static bool is_client(int fd)
{
	struct stat of, module;

	return !fstat(fd, &of) && S_ISCHR(of.st_mode) &&
	       (stat("/dev/gtdbg", &module) || of.st_rdev == module.st_rdev);
}

static int client_receive(const struct taking *one)
{
	int process = one->pid ? vgt_peer_open(one->socket) : -EPERM, fd;
	char mark;

	if (process < 0)
		return process;
	fd = descriptor_look(one->socket);
	/* Else the answer would be lost, as of any message that is not taken. */
	if (fd >= 0 && is_client(fd) &&
	    recv(one->socket, &mark, sizeof(mark), MSG_DONTWAIT) >= 0)
		return client_put(one->pid, process, fd);
	close(process);
	if (fd < 0)
		return fd;
	close(fd);
	return -EINVAL;
}

/* The answer says that the runtime may connect now. */
static void *take(void *argument)
{
	struct taking *one = argument;
	int ret = client_receive(one);

	if (ret)
		vgt_log(VGT_LOG_WARN, "process %d handed over no client: %s",
			one->pid, strerror(-ret));
	else if (send(one->socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
		vgt_log(VGT_LOG_INFO, "process %d did not wait", one->pid);
	vgt_peer_close(one->socket);
	taking_remove(one);
	return NULL;
}

int vgt_client_take(int listener)
{
	int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct taking *one;
	pthread_t thread;

	if (socket < 0)
		return -errno;
	one = taking_add(socket);
	if (one && !pthread_create(&thread, NULL, take, one)) {
		pthread_detach(thread);
		return 0;
	}
	vgt_log(VGT_LOG_ERROR, "too many processes hand over clients");
	if (one)
		taking_remove(one);
	vgt_peer_close(socket);
	return 0;
}

int vgt_client_get(pid_t pid)
{
	struct client *client;
	int fd = -ENOENT;

	pthread_mutex_lock(&lock);
	for (client = clients; client; client = client->next) {
		if (client->pid != pid || has_ended(client->process))
			continue;
		fd = fcntl(client->fd, F_DUPFD_CLOEXEC, 0);
		if (fd < 0)
			fd = -errno;
	}
	pthread_mutex_unlock(&lock);
	return fd;
}
