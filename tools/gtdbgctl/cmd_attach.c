// SPDX-License-Identifier: MIT
#include "cmd.h"

#include "debugger.h"
#include "gpu.h"
#include "hang.h"
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

static int client_find(int pid, int *fd_out)
{
	int ret = gtdbg_client_find(pid, fd_out);

	if (!ret)
		return 0;
	if (ret == -ENOENT)
		fprintf(stderr, "gtdbgctl: cannot attach to process %d: it does not use the GPU under gtdbg: start it with \"gtdbgctl run --attachable\"\n",
			pid);
	else if (ret == -EPERM || ret == -EACCES)
		fprintf(stderr, "gtdbgctl: cannot attach to process %d: you may not trace it\n",
			pid);
	else
		cmd_fail(ret, "cannot attach to process %d", pid);
	return ret;
}

int cmd_client_open(int pid, struct gtdbg **gtdbg_out, int *fd_out)
{
	int ret = gtdbg_open(NULL, gtdbg_out);

	if (ret) {
		cmd_fail_open(ret);
		return ret;
	}
	ret = client_find(pid, fd_out);
	if (ret) {
		gtdbg_close(*gtdbg_out);
		*gtdbg_out = NULL;
	}
	return ret;
}

static int session(int pid, struct hang *hang, const struct prompt_options *options)
{
	struct debugger debugger = { .hang = hang };
	int fd, ret;

	if (cmd_client_open(pid, &debugger.gtdbg, &fd))
		return CMD_FAILED;
	asserts_init(&debugger.asserts, options->assert_mode,
		     options->assert_lines_max, options->core_on_assert);
	debugger.seeks_saveareas = gpu_is_debuggable();
	ret = debugger_attach(&debugger, fd, pid, 0);
	close(fd);
	if (ret) {
		debugger_fini(&debugger);
		return CMD_FAILED;
	}
	interrupt_catch();
	if (!options->has_no_prompt)
		printf("Attached to process %d (%s).\n", pid, debugger.comm);
	ret = prompt_run(&debugger, options);
	debugger_fini(&debugger);
	return ret;
}

int cmd_attach(int argc, char **argv)
{
	struct prompt_options options = { 0 };
	struct hang *hang;
	int at = 1, ret;

	if (cmd_assert_set(&options))
		return CMD_USAGE;
	options.first = calloc(argc, sizeof(*options.first));
	if (!options.first)
		return cmd_fail(-ENOMEM, "attach");
	while (at < argc && prompt_parse(argc, argv, &at, &options))
		;
	if (at + 1 != argc || cmd_pid_parse(argv[at]) < 0) {
		free(options.first);
		at += at < argc && cmd_pid_parse(argv[at]) >= 0;
		return cmd_usage("attach", argv[at]);
	}
	hang = hang_disable_for(cmd_pid_parse(argv[at]));
	ret = session(cmd_pid_parse(argv[at]), hang, &options);
	hang_restore(hang);
	free(options.first);
	return ret;
}
