// SPDX-License-Identifier: GPL-2.0-only
#include "yama.h"

#include <fcntl.h>
#include <unistd.h>

#define SCOPE "/proc/sys/kernel/yama/ptrace_scope"

int yama_scope(void)
{
	int fd = open(SCOPE, O_RDONLY | O_CLOEXEC);
	char digit = 0;

	if (fd < 0)
		return -1;
	if (read(fd, &digit, 1) != 1)
		digit = '0' - 1;
	close(fd);
	return digit - '0';
}

bool yama_set_scope(int scope)
{
	int fd = open(SCOPE, O_WRONLY | O_CLOEXEC);
	char digit = '0' + scope;
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, &digit, 1) == 1;
	close(fd);
	return done;
}
