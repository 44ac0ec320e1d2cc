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
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

/* A local socket has the kernel's word for it. */
static bool local_peer(int socket, pid_t *pid_out)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int domain = AF_UNSPEC;
	socklen_t domain_len = sizeof(domain);

	if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &domain_len) ||
	    domain != AF_UNIX ||
	    getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return false;
	*pid_out = peer.pid;
	return true;
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

	if (local_peer(socket, pid_out))
		return 0;
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
