// SPDX-License-Identifier: MIT
/*
 * Many processes at once, each of which calls the OpenCL loader, for trace.sh.
 * usage: crowd COUNT [CALLS]
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* It ends when the other end of the pipe is closed: all have called by then. */
static void member(int wait_fd, int done_fd, int calls)
{
	char byte = 0;

	while (calls--)
		clFinish(NULL);
	if (write(done_fd, &byte, 1) != 1)
		_exit(1);
	while (read(wait_fd, &byte, 1) > 0)
		;
	_exit(0);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0, i, bad = 0, status;
	int calls = argc > 2 ? atoi(argv[2]) : 1;
	int wait_fds[2], done_fds[2];
	char byte;

	if (pipe(wait_fds) || pipe(done_fds))
		return 1;
	for (i = 0; i < count; i++) {
		switch (fork()) {
		case -1:
			perror("fork");
			return 1;
		case 0:
			close(wait_fds[1]);
			member(wait_fds[0], done_fds[1], calls);
		}
	}
	for (i = 0; i < count; i++)
		bad |= read(done_fds[0], &byte, 1) != 1;
	close(wait_fds[1]);
	while (wait(&status) > 0)
		bad |= status;
	return bad || count < 1;
}
