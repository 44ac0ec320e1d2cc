// SPDX-License-Identifier: MIT
/*
 * TCP does not say which process is the peer. But for a connection within the
 * machine the kernel's table of sockets has an entry for the other end too,
 * with an inode number, and that is what a process's descriptor links to.
 */
#include "host/peer.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* Linux 6.5 */
#endif

bool vgt_peer_is_served(uid_t user)
{
	return !geteuid() || user == geteuid();
}

static int ends(int socket, struct sockaddr_in *ours, struct sockaddr_in *peer)
{
	socklen_t len = sizeof(*ours);

	if (getsockname(socket, (struct sockaddr *)ours, &len))
		return -ENOTCONN;
	len = sizeof(*peer);
	if (getpeername(socket, (struct sockaddr *)peer, &len) ||
	    ours->sin_family != AF_INET || peer->sin_family != AF_INET)
		return -ENOTCONN;
	return 0;
}

struct entry {
	unsigned long inode;
	uid_t user;
};

/* As the kernel's table has it: as it lies in memory, and with IPv6 behind a prefix. */
static bool is_end(const char *address, unsigned int port,
		   const struct sockaddr_in *end)
{
	static const char prefix[] = "0000000000000000FFFF0000";
	char wanted[9];

	snprintf(wanted, sizeof(wanted), "%08X", end->sin_addr.s_addr);
	if (strlen(address) == 32 && !strncmp(address, prefix, 24))
		address += 24;
	return !strcmp(address, wanted) && port == ntohs(end->sin_port);
}

/* Of the socket whose local end is @local; false: there is none. */
static bool entry_find(const char *table, const struct sockaddr_in *local,
		       const struct sockaddr_in *remote, struct entry *out)
{
	char line[512], address[2][33];
	FILE *file = fopen(table, "r");
	unsigned int port[2];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*d: %32[0-9A-F]:%x %32[0-9A-F]:%x %*x %*s %*s %*s %u %*d %lu",
			   address[0], &port[0], address[1], &port[1],
			   &out->user, &out->inode) != 6)
			continue;
		found = is_end(address[0], port[0], local) &&
			is_end(address[1], port[1], remote);
	}
	if (file)
		fclose(file);
	return found;
}

/* The other end of @socket, which a program may have made for IPv6, too. */
static int other_end(int socket, struct entry *out)
{
	struct sockaddr_in ours, peer;
	int ret = ends(socket, &ours, &peer);

	if (ret)
		return ret;
	/* One that is closed already has neither inode nor user. */
	if (entry_find("/proc/net/tcp", &peer, &ours, out) ||
	    entry_find("/proc/net/tcp6", &peer, &ours, out))
		return out->inode ? 0 : -ENOTCONN;
	return peer.sin_addr.s_addr == ours.sin_addr.s_addr ||
	       ntohl(peer.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET ?
	       -ENOTCONN : -EREMOTE;
}

static bool process_has(const char *pid, const char *target)
{
	char path[300], link[64];
	struct dirent *entry;
	bool found = false;
	DIR *folder;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	folder = opendir(path);
	while (folder && !found && (entry = readdir(folder))) {
		len = readlinkat(dirfd(folder), entry->d_name, link,
				 sizeof(link) - 1);
		if (len <= 0)
			continue;
		link[len] = 0;
		found = !strcmp(link, target);
	}
	if (folder)
		closedir(folder);
	return found;
}

/* The effective user, which the owner of its files in /proc need not be. */
static bool is_of(pid_t pid, uid_t user)
{
	unsigned int effective;
	bool same = false;
	char line[256];
	FILE *status;

	snprintf(line, sizeof(line), "/proc/%d/status", pid);
	status = fopen(line, "re");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "Uid: %*u %u", &effective) == 1)
			same = effective == user;
	if (status)
		fclose(status);
	return same;
}

/* By its number, as old kernels have it: whose that is now has to be the same. */
static int process_open(pid_t pid, uid_t user)
{
	int process = syscall(SYS_pidfd_open, pid, 0);

	if (process < 0)
		return -errno;
	if (is_of(pid, user))
		return process;
	close(process);
	return -ESRCH;
}

int vgt_peer_open(int socket)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	struct pollfd wait = { .events = POLLIN };

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return -errno;
	len = sizeof(wait.fd);
	if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &wait.fd, &len))
		wait.fd = errno == ENOPROTOOPT ?
				  process_open(peer.pid, peer.uid) :
			  errno == EINVAL ? -ESRCH : -errno;
	if (wait.fd < 0 || !poll(&wait, 1, 0))
		return wait.fd;
	close(wait.fd);
	return -ESRCH;
}

static bool is_local(int socket)
{
	int domain = AF_UNSPEC;
	socklen_t len = sizeof(domain);

	return !getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &len) &&
	       domain == AF_UNIX;
}

/* By the kernel's word, for as long as the number is that process's. */
static int local_process(int socket, pid_t *pid_out)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int process = vgt_peer_open(socket);

	if (process < 0)
		return process;
	close(process);
	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return -errno;
	*pid_out = peer.pid;
	return 0;
}

int vgt_peer_user(int socket, uid_t *user_out)
{
	struct entry entry;
	int ret = other_end(socket, &entry);

	if (!ret)
		*user_out = entry.user;
	return ret;
}

int vgt_peer_process(int socket, pid_t *pid_out)
{
	struct dirent *entry;
	struct entry other;
	char target[64];
	DIR *folder;
	int ret;

	if (is_local(socket))
		return local_process(socket, pid_out);
	ret = other_end(socket, &other);
	if (ret)
		return ret;
	snprintf(target, sizeof(target), "socket:[%lu]", other.inode);
	ret = -ESRCH;
	folder = opendir("/proc");
	while (folder && ret && (entry = readdir(folder))) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    !process_has(entry->d_name, target))
			continue;
		*pid_out = atoi(entry->d_name);
		ret = 0;
	}
	if (folder)
		closedir(folder);
	return ret;
}

/* It has all descriptors for itself, from before the socket is closed until after that. */
static void *closer_thread(void *argument)
{
	pthread_barrier_t *step = argument;

	unshare(CLONE_FILES);
	pthread_barrier_wait(step);
	pthread_barrier_wait(step);
	return NULL;
}

/* A socket that lies in this one may linger, but not for who ends: see socket(7). */
void vgt_peer_close(int socket)
{
	pthread_barrier_t step;
	pthread_t thread;

	pthread_barrier_init(&step, NULL, 2);
	if (!pthread_create(&thread, NULL, closer_thread, &step)) {
		pthread_barrier_wait(&step);
		close(socket);
		pthread_barrier_wait(&step);
		pthread_join(thread, NULL);
	} else {
		close(socket);
	}
	pthread_barrier_destroy(&step);
}
