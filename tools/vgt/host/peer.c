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
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

/* Inode of the socket whose local end is @local; 0: none. */
static unsigned long socket_inode(const struct sockaddr_in *local,
				  const struct sockaddr_in *remote)
{
	unsigned int address[2], port[2];
	unsigned long inode, found = 0;
	char line[512];
	FILE *file = fopen("/proc/net/tcp", "r");

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*d: %x:%x %x:%x %*x %*s %*s %*s %*d %*d %lu",
			   &address[0], &port[0], &address[1], &port[1],
			   &inode) != 5)
			continue;
		/* Addresses are printed as they lie in memory. */
		if (address[0] == local->sin_addr.s_addr &&
		    address[1] == remote->sin_addr.s_addr &&
		    port[0] == ntohs(local->sin_port) &&
		    port[1] == ntohs(remote->sin_port))
			found = inode;
	}
	if (file)
		fclose(file);
	return found;
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

int vgt_peer_process(int socket, pid_t *pid_out)
{
	struct sockaddr_in ours, peer;
	struct dirent *entry;
	unsigned long inode;
	char target[64];
	DIR *folder;
	int ret;

	if (local_peer(socket, pid_out))
		return 0;
	ret = ends(socket, &ours, &peer);
	if (ret)
		return ret;
	inode = socket_inode(&peer, &ours);
	if (!inode)
		return -ENOTCONN;
	snprintf(target, sizeof(target), "socket:[%lu]", inode);
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
