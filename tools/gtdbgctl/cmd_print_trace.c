// SPDX-License-Identifier: MIT
#include "cmd.h"

#include "debugger.h"
#include "gpu.h"
#include "hang.h"
#include "message.h"
#include "prompt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "WHERE EXPR[,EXPR...]" */
static int place(struct debugger *debugger, const char *text)
{
	size_t len = strcspn(text, " ");
	char *where = strndup(text, len);
	int ret;

	if (!where)
		return -1;
	ret = prompt_message(debugger, where,
			     message_create_values(debugger, where, text + len));
	free(where);
	return ret;
}

/* What stops for another reason is shown, and runs on. */
static int follow(struct debugger *debugger)
{
	for (;;) {
		enum wait_result result = wait_stop(debugger, NULL, -1);

		if (result == WAIT_EXITED)
			debugger_report_exit(debugger);
		if (wait_is_ended)
			return 128 + wait_is_ended;
		if (result == WAIT_EXITED || result == WAIT_INTERRUPTED)
			return CMD_OK;
		prompt_report(debugger, result);
		resume_all(debugger);
	}
}

static int session(int pid, char **places, int count)
{
	struct debugger debugger = { 0 };
	int fd, ret, i;

	if (cmd_client_open(pid, &debugger.gtdbg, &fd))
		return CMD_FAILED;
	debugger.seeks_saveareas = gpu_is_debuggable();
	ret = debugger_attach(&debugger, fd, pid, 0);
	close(fd);
	interrupt_catch();
	for (i = 0; !ret && i < count; i++)
		ret = place(&debugger, places[i]);
	ret = ret ? CMD_FAILED : follow(&debugger);
	debugger_fini(&debugger);
	return ret;
}

int cmd_print_trace(int argc, char **argv)
{
	struct hang *hang;
	int ret;

	if (argc > 1 && strcmp(argv[1], "-p") != 0)
		return cmd_usage("print-trace", argv[1]);
	if (argc > 2 && cmd_pid_parse(argv[2]) < 0)
		return cmd_usage("print-trace", argv[2]);
	if (argc < 4)
		return cmd_usage("print-trace", NULL);
	for (int i = 3; i < argc; i++)
		if (!strchr(argv[i], ' '))
			return cmd_usage("print-trace", argv[i]);
	hang = hang_disable_for(cmd_pid_parse(argv[2]));
	ret = session(cmd_pid_parse(argv[2]), argv + 3, argc - 3);
	hang_restore(hang);
	return ret;
}
