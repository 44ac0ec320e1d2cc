// SPDX-License-Identifier: MIT
/*
 * Intel's server, for the gdb that connects to a socket. gdb can start it by itself, at
 * a pipe; but then it looks for what the server has to say on standard error, by a
 * system call for each character of an answer, of which registers have ten thousand.
 */
#include "gdb_server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* As gdb does it: Ctrl-C at the terminal is not for the server. */
static void serve(const struct gdb_server *server, int fd)
{
	char pid[32] = "", devices[16];
	FILE *file;

	setsid();
	fd = accept(fd, NULL, NULL);
	file = fopen(server->pid_path, "r");
	if (fd < 0 || !file || !fgets(pid, sizeof(pid), file))
		_exit(127);
	fclose(file);
	pid[strcspn(pid, "\n")] = 0;
	setenv("ZE_ENABLE_ALT_DRIVERS", server->driver, 1);
	setenv("GTDBG_ZE_PROCESS", pid, 1);
	snprintf(devices, sizeof(devices), "%d", server->devices);
	setenv("GTDBG_ZE_DEVICES", devices, 1);
	/* From here on it ends with the connection. */
	prctl(PR_SET_PDEATHSIG, 0);
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	close(fd);
	execl(server->program, server->program, "--once", "--attach", "-", pid,
	      NULL);
	_exit(127);
}

int gdb_server_start(const struct gdb_server *server)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	pid_t parent = getpid(), pid;
	int fd, ret = 0;

	if (strlen(server->socket_path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, server->socket_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(fd, 1)) {
		ret = -errno;
		close(fd);
		return ret;
	}
	fflush(stdout);
	pid = fork();
	if (!pid) {
		/* Nobody connects any more when the tool has ended. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			serve(server, fd);
		_exit(127);
	}
	if (pid < 0)
		ret = -errno;
	close(fd);
	return ret;
}
