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
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define START_MS	5000
#define POLL_MS		10

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

/* Detached by a second fork, so that the program gets no child of ours. */
static int spawn(const char *path, const char *address)
{
	pid_t child = fork();
	int status, null;

	if (child < 0)
		return -errno;
	if (!child) {
		setsid();
		if (fork())
			_exit(0);
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(null, 1);
		execl(path, path, "--once", "--listen", address, (char *)NULL);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return 0;
}

int gtdbg_hook_vgtd_start(const struct gtdbg_hook_config *config)
{
	const struct timespec pause = { .tv_nsec = POLL_MS * 1000000 };
	char address[32];
	int waited, ret;

	/* With a port the runtime will look for a virtual GPU, and only then. */
	if (!config->vgtd[0] || !config->tbx_port ||
	    is_served(config->tbx_port))
		return 0;
	if (access(config->vgtd, X_OK))
		return -errno;
	snprintf(address, sizeof(address), "127.0.0.1:%u", config->tbx_port);
	ret = spawn(config->vgtd, address);
	if (ret)
		return ret;
	for (waited = 0; waited < START_MS; waited += POLL_MS) {
		if (is_served(config->tbx_port))
			return 0;
		nanosleep(&pause, NULL);
	}
	return -ETIMEDOUT;
}
