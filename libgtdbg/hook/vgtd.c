// SPDX-License-Identifier: MIT
/*
 * Starting the virtual GPU. The runtime connects to it soon after it has asked
 * whether a debugger is active, and dies of a signal if no one listens.
 */
#include "hook.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define START_MS	30000

static bool is_served(uint16_t port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool served;

	if (fd < 0)
		return false;
	served = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(fd);
	return served;
}

/*
 * Detached by a second fork, so that the program gets no child of ours. What
 * vgtd reads is hung up when the program has ended: one that has never spoken
 * to it leaves nothing behind.
 */
static int spawn(const char *path, const char *address, int input, int output)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return -errno;
	if (!child) {
		setsid();
		if (fork())
			_exit(0);
		dup2(input, 0);
		dup2(output, 1);
		close_range(3, ~0u, 0);
		execl(path, path, "--once", "--with-stdin", "--listen",
		      address, (char *)NULL);
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return 0;
}

/*
 * Until vgtd has printed its port. One that ended instead may have found
 * another program's in its place.
 */
static int await_port(int output, uint16_t port)
{
	int ret = gtdbg_hook_await(output, START_MS);
	char text[16];

	if (ret)
		return ret;
	if (read(output, text, sizeof(text)) > 0 || is_served(port))
		return 0;
	return -ECONNREFUSED;
}

/* Above those three that are vgtd's, which the program may have closed. */
static int pipe_make(int ends[2])
{
	int low[2];

	if (pipe2(low, O_CLOEXEC))
		return -errno;
	for (int i = 0; i < 2; i++) {
		ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
		close(low[i]);
	}
	if (ends[0] >= 0 && ends[1] >= 0)
		return 0;
	if (ends[0] >= 0)
		close(ends[0]);
	if (ends[1] >= 0)
		close(ends[1]);
	return -EMFILE;
}

static int start(const char *path, uint16_t port)
{
	int input[2], output[2], ret;
	char address[32];

	snprintf(address, sizeof(address), "127.0.0.1:%u", port);
	ret = pipe_make(input);
	if (ret)
		return ret;
	ret = pipe_make(output);
	if (ret) {
		close(input[0]);
		close(input[1]);
		return ret;
	}
	ret = spawn(path, address, input[0], output[1]);
	close(input[0]);
	close(output[1]);
	if (!ret)
		ret = await_port(output[0], port);
	close(output[0]);
	/* Else its end stays open for as long as the program lives. */
	if (ret)
		close(input[1]);
	return ret;
}

int gtdbg_hook_vgtd_start(const struct gtdbg_hook_config *config)
{
	/* With a port the runtime will look for a virtual GPU, and only then. */
	if (!config->vgtd[0] || !config->tbx_port ||
	    is_served(config->tbx_port))
		return 0;
	if (access(config->vgtd, X_OK))
		return -errno;
	return start(config->vgtd, config->tbx_port);
}
