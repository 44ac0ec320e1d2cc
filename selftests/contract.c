// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contract of every command: a struct that is too short, of the current
 * size, longer with a tail of zeroes, longer with something else in the tail,
 * with an unknown flag, at a bad address; with the wrong direction, and on the
 * wrong kind of descriptor. One line of TAP for each command.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"

#define POISON 0xa5
#define BAD_ADDRESS ((void *)8)

static const char *what; /* is being tried, for the report of a failure */

static unsigned int resized(unsigned int cmd, int by)
{
	return _IOC(_IOC_DIR(cmd), _IOC_TYPE(cmd), _IOC_NR(cmd),
		    _IOC_SIZE(cmd) + by);
}

static int expect(const char *step, int want, int got)
{
	if (want == got)
		return 0;
	what = step;
	printf("# %s: %d, not %d\n", step, got, want);
	return 1;
}

/* By how much it is longer than when it was new. */
static int grown(unsigned int cmd)
{
	return cmd == GTDBG_IOC_THREAD_RESUME ?
	       (int)(sizeof(struct gtdbg_thread_resume) -
		     offsetof(struct gtdbg_thread_resume, function_first)) : 0;
}

static int check_sizes(const struct command *command, int fd)
{
	unsigned int size = _IOC_SIZE(command->cmd);
	uint8_t *arg;
	int bad = 0;

	bad |= expect("too short", -EINVAL,
		      command_call(command, fd,
			   resized(command->cmd, -grown(command->cmd) - 8),
			   command_fresh(command)));
	bad |= expect("first size", command->expect,
		      command_call(command, fd,
			   resized(command->cmd, -grown(command->cmd)),
			   command_fresh(command)));
	bad |= expect("current size", command->expect,
		      command_call(command, fd, command->cmd, command_fresh(command)));
	bad |= expect("longer, zeroes", command->expect,
		      command_call(command, fd, resized(command->cmd, 16),
			   command_fresh(command)));
	arg = command_fresh(command);
	arg[size + 9] = POISON;
	bad |= expect("longer, not zeroes", -E2BIG,
		      command_call(command, fd, resized(command->cmd, 16), arg));
	return bad;
}

static int check_values(const struct command *command, int fd)
{
	unsigned int cmd = command->cmd;
	uint8_t *arg = command_fresh(command);
	int bad = 0;

	arg[command->flags + 3] |= 0x80;
	bad |= expect("unknown flag", -EINVAL, command_call(command, fd, cmd, arg));
	bad |= expect("bad pointer", -EFAULT,
		      command_call(command, fd, cmd, BAD_ADDRESS));
	cmd = _IOC(_IOC_DIR(cmd) ^ _IOC_READ, _IOC_TYPE(cmd), _IOC_NR(cmd),
		   _IOC_SIZE(cmd));
	bad |= expect("wrong direction", -ENOTTY,
		      command_call(command, fd, cmd, command_fresh(command)));
	return bad;
}

static int check(const struct command *command, const int *fds)
{
	int bad = 0;

	for (int kind = 0; kind < 3; kind++) {
		if (!(command->on & 1U << kind)) {
			bad |= expect("wrong descriptor", -ENOTTY,
				      command_call(command, fds[kind], command->cmd,
					   command_fresh(command)));
			continue;
		}
		bad |= check_sizes(command, fds[kind]);
		bad |= check_values(command, fds[kind]);
	}
	return bad;
}

static int check_unknown(const int *fds)
{
	int bad = 0;

	for (int kind = 0; kind < 3; kind++) {
		bad |= expect("unknown number", -ENOTTY,
			      ioctl(fds[kind], _IO(GTDBG_IOC_TYPE, 0xff)) ?
				      -errno : 0);
		bad |= expect("unknown type", -ENOTTY,
			      ioctl(fds[kind], _IO('x', 1)) ? -errno : 0);
	}
	return bad;
}

int main(void)
{
	int fds[3], bad, failed = 0, ret;

	printf("TAP version 13\n");
	if (access("/dev/gtdbg-vgt", F_OK)) {
		printf("1..0 # SKIP no /dev/gtdbg-vgt: load the module\n");
		return 4;
	}
	printf("1..%zu\n", command_count + 1);
	ret = command_prepare();
	if (ret) {
		printf("Bail out! no target: %d\n", ret);
		return 1;
	}
	fds[0] = command_target.client;
	fds[1] = command_target.rig.session;
	fds[2] = command_target.peer.fd;
	for (size_t i = 0; i < command_count; i++) {
		bad = check(&commands[i], fds);
		failed |= bad;
		printf("%sok %zu - %s\n", bad ? "not " : "", i + 1,
		       commands[i].name);
	}
	bad = check_unknown(fds);
	printf("%sok %zu - unknown commands\n", bad ? "not " : "",
	       command_count + 1);
	target_stop(&command_target);
	return failed | bad;
}
