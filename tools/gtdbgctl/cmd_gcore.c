// SPDX-License-Identifier: MIT
/*
 * A core file of a program that nobody debugs: its threads are stopped, and go
 * on afterwards. Of one that somebody debugs, whatever is stopped is taken.
 */
#include "cmd.h"

#include "core.h"
#include "debugger.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* As the one who controls it, or else beside the one who does. */
static int attach(struct debugger *debugger, int fd, int pid)
{
	int ret;

	debugger->holds_errors = true;
	ret = debugger_attach(debugger, fd, pid, 0);
	debugger->holds_errors = false;
	if (!ret)
		return 0;
	debugger_detach(debugger);
	return debugger_attach(debugger, fd, pid, GTDBG_SESSION_F_OBSERVER);
}

static int dump(int pid, const struct core_options *options)
{
	struct debugger debugger = { 0 };
	int fd, ret;

	if (cmd_client_open(pid, &debugger.gtdbg, &fd))
		return CMD_FAILED;
	interrupt_catch();
	ret = attach(&debugger, fd, pid);
	close(fd);
	if (!ret && !debugger.is_observer)
		threads_interrupt(&debugger, NULL);
	if (!ret)
		ret = core_write(&debugger, options);
	debugger_fini(&debugger);
	return ret ? CMD_FAILED : CMD_OK;
}

int cmd_gcore(int argc, char **argv)
{
	struct core_options options = { 0 };
	int at = 1, pid = 0;

	while (at < argc) {
		if (core_options_parse(argc, argv, &at, &options))
			continue;
		if (pid || cmd_pid_parse(argv[at]) < 0)
			return cmd_usage("gcore", argv[at]);
		pid = cmd_pid_parse(argv[at++]);
	}
	return pid ? dump(pid, &options) : cmd_usage("gcore", NULL);
}
