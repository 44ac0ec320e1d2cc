// SPDX-License-Identifier: MIT
#include "cmd.h"

#include "debugger.h"
#include "prompt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool door_find(const char *name, enum launch_door *out)
{
	if (strcmp(name, "drm") && strcmp(name, "socket"))
		return false;
	*out = strcmp(name, "drm") ? LAUNCH_DOOR_SOCKET : LAUNCH_DOOR_DRM;
	return true;
}

static int option_parse(int argc, char **argv, int *at,
			struct prompt_options *options,
			struct launch_options *launch)
{
	if (prompt_parse(argc, argv, at, options))
		return 1;
	if (strcmp(argv[*at], "--sip=own") == 0)
		launch->sip = LAUNCH_SIP_OWN;
	else if (strcmp(argv[*at], "--sip=stock") == 0)
		launch->sip = LAUNCH_SIP_STOCK;
	else if (strcmp(argv[*at], "--sip=stock-bindless") == 0)
		launch->sip = LAUNCH_SIP_BINDLESS;
	else if (strncmp(argv[*at], "--door=", 7) == 0 &&
		 door_find(argv[*at] + 7, &launch->door))
		;
	else if (strcmp(argv[*at], "--attachable") == 0)
		launch->is_free = true;
	else
		return 0;
	(*at)++;
	return 1;
}

static int free_status(int status)
{
	if (status == -ENODEV)
		return cmd_fail(status, "cannot start the virtual GPU, vgtd");
	if (status < 0)
		return cmd_fail(status, "cannot start the program");
	if (wait_is_ended)
		return 128 + wait_is_ended;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
	       WEXITSTATUS(status);
}

/* Before the program starts: what vgtd says would come too late. */
static int offer_check(void)
{
	if (access("/dev/gtdbg-vgt", R_OK | W_OK) == 0)
		return CMD_OK;
	if (errno == ENOENT)
		fputs("gtdbgctl: the kernel module for virtual GPUs is not loaded: try \"modprobe gtdbg-vgt\"\n",
		      stderr);
	else if (errno == EACCES)
		fputs("gtdbgctl: you may not use /dev/gtdbg-vgt: join the group gtdbg (\"adduser USER gtdbg\") and log in again\n",
		      stderr);
	else
		cmd_fail(-errno, "cannot use /dev/gtdbg-vgt");
	return CMD_FAILED;
}

static int session(const struct launch_options *launch_options,
		   const struct prompt_options *options)
{
	struct debugger debugger = { 0 };
	int ret;

	ret = gtdbg_open(NULL, &debugger.gtdbg);
	if (ret)
		return cmd_fail_open(ret);
	ret = offer_check();
	if (ret) {
		gtdbg_close(debugger.gtdbg);
		return ret;
	}
	ret = launch_create(launch_options, &debugger.launch);
	if (ret) {
		gtdbg_close(debugger.gtdbg);
		return cmd_fail(ret, "cannot find what was built or installed with gtdbgctl");
	}
	interrupt_catch();
	if (launch_options->is_free)
		ret = free_status(launch_run_free(debugger.launch));
	else
		ret = prompt_run(&debugger, options);
	debugger_fini(&debugger);
	return ret;
}

int cmd_run(int argc, char **argv)
{
	struct launch_options launch = { 0 };
	struct prompt_options options = { 0 };
	const char *door = getenv("VGT_DOOR");
	int at = 1, ret;

	if (door && !door_find(door, &launch.door)) {
		fprintf(stderr, "gtdbgctl: VGT_DOOR: no door '%s': drm or socket\n",
			door);
		return CMD_USAGE;
	}
	options.first = calloc(argc, sizeof(*options.first));
	if (!options.first)
		return cmd_fail(-ENOMEM, "run");
	while (at < argc && strcmp(argv[at], "--") != 0 &&
	       option_parse(argc, argv, &at, &options, &launch))
		;
	if (at < argc && strcmp(argv[at], "--") == 0)
		at++;
	if (at >= argc || argv[at][0] == '-') {
		free(options.first);
		return cmd_usage("run");
	}
	launch.argv = argv + at;
	/* In the background a program may not read from the terminal. */
	launch.keeps_stdin = options.is_batch && !isatty(0);
	ret = session(&launch, &options);
	free(options.first);
	return ret;
}
