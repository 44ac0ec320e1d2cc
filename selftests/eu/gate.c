// SPDX-License-Identifier: MIT
#include "gate.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

bool gate_init(struct gate *gate)
{
	int fd[2];

	gate->fd = gate->program_fd = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return false;
	fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	gate->fd = fd[0];
	gate->program_fd = fd[1];
	return true;
}

void gate_fini(struct gate *gate)
{
	if (gate->fd >= 0)
		close(gate->fd);
	gate_started(gate);
	gate->fd = -1;
}

void gate_env(const struct gate *gate)
{
	char fd[16];

	snprintf(fd, sizeof(fd), "%d", gate->program_fd);
	if (gate->program_fd >= 0)
		setenv("EU_TEST_GATE", fd, 1);
}

void gate_started(struct gate *gate)
{
	if (gate->program_fd >= 0)
		close(gate->program_fd);
	gate->program_fd = -1;
}

bool gate_reached(struct gate *gate, int timeout_ms)
{
	struct pollfd wait = { .fd = gate->fd, .events = POLLIN };
	char here;

	return poll(&wait, 1, timeout_ms) == 1 && read(gate->fd, &here, 1) == 1;
}

bool gate_open(struct gate *gate)
{
	return write(gate->fd, "", 1) == 1;
}
