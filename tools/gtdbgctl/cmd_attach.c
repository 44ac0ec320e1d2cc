// SPDX-License-Identifier: MIT
#include "cmd.h"

#include "debugger.h"
#include "prompt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cmd_pid_parse(const char *text)
{
	char *end;
	long pid = strtol(text, &end, 10);

	return *text && !*end && pid > 0 && pid <= 1 << 22 ? pid : -1;
}

int cmd_client_open(int pid, int *fd_out)
{
	int ret = gtdbg_client_find(pid, fd_out);

	if (!ret)
		return 0;
	if (ret == -ENOENT)
		fprintf(stderr, "gtdbgctl: cannot attach to process %d: it does not use the GPU under gtdbg\n",
			pid);
	else if (ret == -EPERM || ret == -EACCES)
		fprintf(stderr, "gtdbgctl: cannot attach to process %d: you may not trace it\n",
			pid);
	else
		cmd_fail(ret, "cannot attach to process %d", pid);
	return ret;
}

static int session(int pid, const struct prompt_options *options)
{
	struct debugger debugger = { 0 };
	int fd, ret;

	ret = gtdbg_open(NULL, &debugger.gtdbg);
	if (ret)
		return cmd_fail_open(ret);
	if (cmd_client_open(pid, &fd)) {
		gtdbg_close(debugger.gtdbg);
		return CMD_FAILED;
	}
	ret = debugger_attach(&debugger, fd, pid, 0);
	close(fd);
	if (ret) {
		debugger_fini(&debugger);
		return CMD_FAILED;
	}
	interrupt_catch();
	printf("Attached to process %d (%s).\n", pid, debugger.comm);
	ret = prompt_run(&debugger, options);
	debugger_fini(&debugger);
	return ret;
}

int cmd_attach(int argc, char **argv)
{
	struct prompt_options options = { 0 };
	int at = 1, ret;

	options.first = calloc(argc, sizeof(*options.first));
	if (!options.first)
		return cmd_fail(-ENOMEM, "attach");
	while (at < argc && prompt_parse(argc, argv, &at, &options))
		;
	if (at + 1 != argc || cmd_pid_parse(argv[at]) < 0) {
		free(options.first);
		return cmd_usage("attach");
	}
	ret = session(cmd_pid_parse(argv[at]), &options);
	free(options.first);
	return ret;
}
