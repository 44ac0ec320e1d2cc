// SPDX-License-Identifier: MIT
/*
 * An editor starts the tool and talks to it on its standard input and output, or
 * finds it at a socket, where it has to be the same user: whoever is served can
 * start programs.
 */
#include "cmd.h"

#include "dap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int serve_standard(void)
{
	int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (in < 0 || out < 0 || null < 0)
		return cmd_fail(-errno, "dap");
	dup2(null, STDIN_FILENO);
	close(null);
	return dap_run(in, out);
}

static bool is_peer_ours(int connection)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (peer.uid == geteuid() || !peer.uid);
}

/*
 * Who is at the other end of a connection on this machine, by a file of /proc/net that
 * has addresses with @prefix in front.
 */
static bool is_listed_in(const char *path, const char *prefix,
			 const struct sockaddr_in *here,
			 const struct sockaddr_in *there)
{
	char line[512], wanted[128];
	unsigned int state, uid;
	bool is_ours = false;
	const char *found;
	FILE *file;

	snprintf(wanted, sizeof(wanted), ": %s%08X:%04X %s%08X:%04X ", prefix,
		 there->sin_addr.s_addr, ntohs(there->sin_port), prefix,
		 here->sin_addr.s_addr, ntohs(here->sin_port));
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		found = strstr(line, wanted);
		if (found && sscanf(found + strlen(wanted),
				    "%x %*x:%*x %*x:%*x %*x %u", &state,
				    &uid) == 2)
			is_ours = state == TCP_ESTABLISHED &&
				  (uid == geteuid() || !uid);
	}
	if (file)
		fclose(file);
	return is_ours;
}

/* Sockets of IPv6 that speak IPv4 are listed with the others of their kind. */
static bool is_listed_as_ours(const struct sockaddr_in *here,
			      const struct sockaddr_in *there)
{
	return is_listed_in("/proc/net/tcp", "", here, there) ||
	       is_listed_in("/proc/net/tcp6", "0000000000000000FFFF0000", here,
			    there);
}

/*
 * What its owner has closed is listed as root's: so the user that the first look
 * finds is right only if the second one finds that the connection still stands.
 */
static bool is_caller_ours(int connection)
{
	struct sockaddr_in here, there;
	socklen_t len = sizeof(here), len_there = sizeof(there);

	return !getsockname(connection, (struct sockaddr *)&here, &len) &&
	       !getpeername(connection, (struct sockaddr *)&there, &len_there) &&
	       is_listed_as_ours(&here, &there) &&
	       is_listed_as_ours(&here, &there);
}

/* The first client that may be served. @path: of the socket, or NULL. */
static int serve_socket(int listener, const char *path,
			bool (*is_ours)(int connection))
{
	int connection;

	for (;;) {
		connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (connection < 0 && errno == EINTR)
			continue;
		if (connection < 0)
			return cmd_fail(-errno, "dap: cannot accept");
		if (is_ours(connection))
			break;
		fputs("gtdbgctl: dap: another user's connection was refused\n",
		      stderr);
		close(connection);
	}
	close(listener);
	if (path)
		unlink(path);
	return dap_run(connection, connection);
}

/* A socket that nobody listens at is what a signal has left of one. */
static int bind_path(int listener, const struct sockaddr_un *address)
{
	const struct sockaddr *name = (const struct sockaddr *)address;
	struct stat file;
	int other, ret;

	if (!bind(listener, name, sizeof(*address)))
		return 0;
	if (errno != EADDRINUSE)
		return -1;
	/* Of a file that is none the kernel says that it refuses, too. */
	if (lstat(address->sun_path, &file) || !S_ISSOCK(file.st_mode)) {
		errno = EADDRINUSE;
		return -1;
	}
	other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ret = connect(other, name, sizeof(*address));
	if (ret && errno == ECONNREFUSED)
		unlink(address->sun_path);
	close(other);
	return bind(listener, name, sizeof(*address));
}

static int serve_path(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	mode_t mask;
	int listener;

	if (!*path)
		return cmd_usage("dap", "--socket=");
	if (strlen(path) >= sizeof(address.sun_path))
		return cmd_fail(-ENAMETOOLONG, "dap: %s", path);
	strcpy(address.sun_path, path);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mask = umask(0077);
	if (listener < 0 || bind_path(listener, &address) || listen(listener, 1))
		return cmd_fail(-errno, "dap: cannot listen at %s", path);
	umask(mask);
	return serve_socket(listener, path, is_peer_ours);
}

static int serve_port(const char *text)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(address);
	int listener, on = 1;
	char *end;
	unsigned long port = strtoul(text, &end, 10);

	if (end == text || *end || port > UINT16_MAX)
		return cmd_usage("dap", text);
	address.sin_port = htons(port);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, len) ||
	    listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&address, &len))
		return cmd_fail(-errno, "dap: cannot listen at port %s", text);
	printf("%u\n", ntohs(address.sin_port));
	fflush(stdout);
	return serve_socket(listener, NULL, is_caller_ours);
}

int cmd_dap(int argc, char **argv)
{
	if (argc == 1)
		return serve_standard();
	if (argc == 2 && strncmp(argv[1], "--socket=", 9) == 0)
		return serve_path(argv[1] + 9);
	if (argc == 2 && strncmp(argv[1], "--port=", 7) == 0)
		return serve_port(argv[1] + 7);
	return cmd_usage("dap", argv[argc > 2 ? 2 : 1]);
}
