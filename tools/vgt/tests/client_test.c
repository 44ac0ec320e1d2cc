// SPDX-License-Identifier: MIT
/*
 * Who hands over a client, and what: only a process that still runs, and only a device. Where
 * the module is loaded that has to be its own, so there is only what is refused.
 */
#include "host/client.h"
#include "host/peer.h"
#include "linger.h"
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 600000 /* only a hang reaches it */
#define PLACE_LOOKS 300
#define PLACE_US 100000

static int listener;
static uint16_t port;

static int dial(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			   "gtdbg-vgtd-%u", port);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&address,
			      offsetof(struct sockaddr_un, sun_path) + 1 + len)) {
		perror("client_test");
		exit(1);
	}
	return fd;
}

/* Served, and answered; it is closed otherwise. */
static bool is_taken(int socket)
{
	struct pollfd wait = { .fd = socket, .events = POLLIN };
	char answer;

	vgt_client_take(listener);
	return poll(&wait, 1, WAIT_MS) == 1 && read(socket, &answer, 1) == 1;
}

static bool takes(int fd, size_t len_bytes)
{
	int socket = dial();
	bool taken;

	linger_hand(socket, fd, len_bytes);
	taken = is_taken(socket);
	close(socket);
	return taken;
}

static unsigned int descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned int count = 0;

	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	return count;
}

/* A process connects and ends, and a child of it has the connection. */
static bool orphan_is_taken(int fd)
{
	int line[2], status;
	siginfo_t info;
	char ended;
	bool taken;
	pid_t parent;

	if (pipe(line))
		return true;
	parent = fork();
	if (!parent) {
		int socket = dial();

		if (fork())
			_exit(0);
		/* When the parent has ended. */
		close(line[1]);
		if (read(line[0], &ended, 1) < 0)
			_exit(1);
		linger_hand(socket, fd, 1);
		taken = read(socket, &ended, 1) == 1;
		_exit(taken);
	}
	/* Its number is still its own. */
	waitid(P_PID, parent, &info, WEXITED | WNOWAIT);
	close(line[0]);
	close(line[1]);
	vgt_client_take(listener);
	waitpid(parent, &status, 0);
	/* The child is ours now: see main(). */
	return wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status);
}

/* As before, but the number of the process may be another's by now. */
static int orphan_process(pid_t *pid)
{
	int line[2], socket, ret;
	char ended;
	pid_t parent;

	if (pipe(line))
		return 0;
	parent = fork();
	if (!parent) {
		socket = dial();
		if (fork())
			_exit(0);
		/* When the test knows. */
		close(line[1]);
		_exit(read(line[0], &ended, 1) < 0);
	}
	waitpid(parent, NULL, 0);
	socket = accept(listener, NULL, NULL);
	ret = vgt_peer_process(socket, pid);
	close(socket);
	close(line[0]);
	close(line[1]);
	wait(NULL);
	return ret;
}

/* More than one user may have, so that some are refused at once, and many behind them. */
static bool lingers(void)
{
	struct timespec begin, end;
	int fd, ret = 0;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < 200 && !ret; i++) {
		fd = i < 12 ? linger_open() : dup(listener);
		linger_hand(dial(), fd, 1);
		/* Not the last one: that is on its way. */
		close(fd);
		ret = vgt_client_take(listener);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ret || end.tv_sec - begin.tv_sec >= LINGER_S;
}

/* Each of those before has had a place, and it is one user's all. */
static bool has_place(int fd)
{
	bool taken = false;

	for (int i = 0; i < PLACE_LOOKS && !taken; i++) {
		taken = takes(fd, 1);
		usleep(PLACE_US);
	}
	return taken;
}

int main(void)
{
	bool module = !access("/dev/gtdbg", F_OK);
	int device = open("/dev/null", O_RDWR | O_CLOEXEC), pair[2], fd;
	unsigned int before;
	bool taken = false;
	pid_t pid = 0;

	port = getpid() % 50000 + 1000;
	listener = vgt_client_listen(port);
	if (listener < 0 || device < 0 || vgt_client_ended() < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1)) {
		perror("client_test");
		return 1;
	}
	tap_result(takes(device, 1) != module, "a device is taken, if there is no module", NULL);
	fd = vgt_client_get(getpid());
	tap_result((fd >= 0) != module, "and given out as this process's", NULL);
	close(fd);
	before = descriptors();
	for (int i = 0; i < 20; i++)
		taken |= takes(pair[0], 1);
	tap_result(!taken && descriptors() <= before,
		   "a socket is not, and closed", NULL);
	for (int i = 0; i < 20; i++)
		takes(pair[0], 0);
	tap_result(descriptors() <= before,
		   "one that comes with an empty message is closed, too", NULL);
	tap_result(!orphan_is_taken(device),
		   "nor is one of a process that has ended", NULL);
	tap_result(orphan_process(&pid) == -ESRCH,
		   "nor is its connection anybody's", NULL);
	tap_result(!lingers(), "whoever hands over what is slow to close waits alone",
		   NULL);
	tap_result(has_place(device) != module, "and not for long", NULL);
	return tap_finish();
}
