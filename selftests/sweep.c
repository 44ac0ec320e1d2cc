// SPDX-License-Identifier: GPL-2.0-only
/*
 * The failure sweep: every command with its first, second, third and so on
 * allocation or user copy failing, until it gets through. Nothing is expected
 * but an error and, from whoever looks at the kernel's log, silence.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg_vgt.h>

#include "command.h"

#define FAILURES_MAX 2000
#define FAIL_NTH "/proc/thread-self/fail-nth"

static int fail_set(int n)
{
	char text[16];
	int fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	int len = snprintf(text, sizeof(text), "%d", n);

	if (fd < 0)
		return -1;
	if (write(fd, text, len) != len) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Was the failure that was asked for delivered? */
static int fail_delivered(int fd)
{
	char text[16] = { 0 };
	ssize_t len = pread(fd, text, sizeof(text) - 1, 0);
	int delivered = len > 0 && atoi(text) == 0;

	if (pwrite(fd, "0", 1, 0) != 1)
		delivered = 0;
	close(fd);
	return delivered;
}

/* Has the device a thread of the module's that looks for stops? */
static bool has_poller(int device)
{
	char name[32], comm[32];
	bool found = false;
	glob_t all;
	FILE *file;

	snprintf(name, sizeof(name), "gtdbg/%d\n", device);
	if (glob("/proc/[0-9]*/comm", 0, NULL, &all))
		return false;
	for (size_t i = 0; i < all.gl_pathc && !found; i++) {
		file = fopen(all.gl_pathv[i], "r");
		if (!file)
			continue;
		found = fgets(comm, sizeof(comm), file) && !strcmp(comm, name);
		fclose(file);
	}
	globfree(&all);
	return found;
}

/*
 * One call with its nth step failing: 1: there was such a step; -1: the call made
 * something that does not work.
 */
static int fail_once(const struct command *command, int fd, int n)
{
	uint8_t *arg = command_fresh(command);
	int fail = fail_set(n), ret;

	if (fail < 0)
		return 0;
	ret = ioctl(fd, command->cmd, arg);
	n = fail_delivered(fail);
	if (ret > 0 && command->cmd == GTDBG_VGT_IOC_OFFER && !has_poller(ret))
		return -1;
	if (ret > 2 && (command->cmd == GTDBG_IOC_SESSION_ATTACH ||
			command->cmd == GTDBG_IOC_BLOB_OPEN ||
			command->cmd == GTDBG_IOC_MEMORY_OPEN))
		close(ret);
	return n;
}

/* How many steps can fail; -1: no end was found. */
static int sweep(const struct command *command, int fd)
{
	int n;

	for (n = 1; n < FAILURES_MAX; n++)
		if (!fail_once(command, fd, n))
			return n - 1;
	return -1;
}

/* Calls that can only be made once: each try on a descriptor of its own. */
static int sweep_afresh(const struct command *command, const char *path)
{
	int n;

	for (n = 1; n < FAILURES_MAX; n++) {
		int fd = open(path, O_RDWR | O_CLOEXEC);
		int delivered = fail_once(command, fd, n);

		close(fd);
		if (delivered <= 0)
			return delivered ?: n - 1;
	}
	return -1;
}

/* A process can be a client only once at a time, and this one is. */
static int sweep_register(const struct command *command)
{
	int status;
	pid_t child = fork();

	if (!child) {
		int count = sweep_afresh(command, "/dev/gtdbg");

		_exit(count < 0 || count > 254 ? 255 : count);
	}
	waitpid(child, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) == 255)
		return -1;
	return WEXITSTATUS(status);
}

/* A controller that comes and goes, stopped threads being there. */
static int sweep_controller(void)
{
	struct gtdbg_session_attach request = {
		.client_fd = command_target.client,
		.event_mask = RIG_ALL_EVENTS,
	};
	int n, fail, ret, delivered;

	for (n = 1; n < FAILURES_MAX; n++) {
		fail = fail_set(n);
		ret = ioctl(command_target.rig.control,
			    GTDBG_IOC_SESSION_ATTACH, &request);
		delivered = fail_delivered(fail);
		if (ret >= 0)
			close(ret);
		if (!delivered)
			return n - 1;
	}
	return -1;
}

static int sweep_command(const struct command *command)
{
	if (command->cmd == GTDBG_IOC_CLIENT_REGISTER)
		return sweep_register(command);
	if (command->cmd == GTDBG_VGT_IOC_OFFER)
		return sweep_afresh(command, "/dev/gtdbg-vgt");
	return sweep(command, command->on & COMMAND_CONTROL ?
				      command_target.client :
				      command_target.rig.session);
}

static int report(size_t number, const char *name, int count)
{
	printf("%sok %zu - %s: %d steps\n", count < 0 ? "not " : "", number,
	       name, count);
	return count < 0;
}

int main(void)
{
	int failed = 0, ret;
	size_t i;

	printf("TAP version 13\n");
	if (access(FAIL_NTH, W_OK) || access("/dev/gtdbg-vgt", F_OK)) {
		printf("1..0 # SKIP no %s: needs the sanitised kernel\n",
		       FAIL_NTH);
		return 4;
	}
	printf("1..%zu\n", command_count + 1);
	ret = command_prepare();
	if (ret) {
		printf("Bail out! no target: %d\n", ret);
		return 1;
	}
	for (i = 0; i < command_count; i++)
		failed |= report(i + 1, commands[i].name,
				 sweep_command(&commands[i]));
	close(command_target.rig.session);
	command_target.rig.session = -1;
	failed |= report(i + 1, "attach and detach of a controller",
			 sweep_controller());
	target_stop(&command_target);
	return failed;
}
