// SPDX-License-Identifier: MIT
/* Access to memory where no GPU answers: failures leave results untouched. */
#include "../session.h"
#include "support/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define UNTOUCHED 0x5a

int main(void)
{
	/* A descriptor of another kind stands for the session's. */
	static struct gtdbg_session session = { .peer = &gtdbg_session_module };
	char buf[2] = { UNTOUCHED, UNTOUCHED };
	int fd = UNTOUCHED;

	session.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (session.fd < 0)
		return 1;
	printf("TAP version 13\n");
	tap_check(gtdbg_memory_open(&session, 1, 1, O_RDONLY, &fd) == -ENOTTY,
		  "memory cannot be opened");
	tap_check(fd == UNTOUCHED, "no descriptor is handed out");
	tap_check(gtdbg_memory_read(&session, 1, 1, 0, buf, 2) == -ENOTTY,
		  "memory cannot be read");
	tap_check(buf[0] == UNTOUCHED && buf[1] == UNTOUCHED,
		  "the buffer is untouched");
	close(session.fd);
	tap_check(gtdbg_memory_open(&session, 1, 1, O_RDONLY, &fd) == -EBADF &&
		  fd == UNTOUCHED, "a closed session has no memory");
	return tap_end();
}
