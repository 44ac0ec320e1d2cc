// SPDX-License-Identifier: MIT
#include "cmd.h"

#include "debugger.h"
#include "gpu.h"
#include "prompt.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool door_find(const char *name, enum launch_door *out)
{
	static const struct {
		const char *name;
		enum launch_door door;
	} doors[] = {
		{ "drm", LAUNCH_DOOR_DRM },
		{ "socket", LAUNCH_DOOR_SOCKET },
		{ "gpu", LAUNCH_DOOR_GPU },
	};
	size_t i;

	for (i = 0; i < sizeof(doors) / sizeof(doors[0]); i++) {
		if (strcmp(name, doors[i].name) == 0) {
			*out = doors[i].door;
			return true;
		}
	}
	return false;
}

/* A GPU that is there is what the program uses without us, too. */
enum launch_door cmd_launch_door(const struct launch_options *launch)
{
	if (launch->door != LAUNCH_DOOR_ANY)
		return launch->door;
	return gpu_is_debuggable() ? LAUNCH_DOOR_GPU : LAUNCH_DOOR_DRM;
}

int cmd_door_set(struct launch_options *launch)
{
	const char *name = getenv("VGT_DOOR");

	if (!name || !*name || door_find(name, &launch->door))
		return CMD_OK;
	fprintf(stderr, "gtdbgctl: VGT_DOOR: no door '%s': drm, socket or gpu\n",
		name);
	return CMD_USAGE;
}

int cmd_assert_set(struct prompt_options *options)
{
	const char *name = getenv("GTDBG_ASSERT");

	if (!name)
		return CMD_OK;
	if (!assert_mode_parse(name, &options->assert_mode)) {
		options->has_no_prompt = options->assert_mode != ASSERT_STOP;
		return CMD_OK;
	}
	fprintf(stderr, "gtdbgctl: GTDBG_ASSERT: no way '%s': stop, abort, continue or ignore\n",
		name);
	return CMD_USAGE;
}

bool cmd_launch_parse(const char *word, struct launch_options *launch)
{
	if (strcmp(word, "--sip=own") == 0)
		launch->sip = LAUNCH_SIP_OWN;
	else if (strcmp(word, "--sip=stock") == 0)
		launch->sip = LAUNCH_SIP_STOCK;
	else if (strcmp(word, "--sip=stock-bindless") == 0)
		launch->sip = LAUNCH_SIP_BINDLESS;
	else
		return strncmp(word, "--door=", 7) == 0 &&
		       door_find(word + 7, &launch->door);
	return true;
}

static bool memcheck_parse(const char *word, struct launch_options *launch)
{
	static const char *const places[] = { "end", "aligned", "begin" };
	size_t i;

	if (strcmp(word, "--memcheck") == 0)
		word = "--memcheck=end";
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (strncmp(word, "--memcheck=", 11) == 0 &&
		    strcmp(word + 11, places[i]) == 0) {
			launch->memcheck = places[i];
			return true;
		}
	}
	return false;
}

/* Names with commas between them. */
static bool check_parse(const char *word, struct launch_options *launch)
{
	static const char *const names[] = { "bounds", "races", "uninit" };
	const char *at = word + strlen("--check=");
	size_t i, len;

	if (strncmp(word, "--check=", strlen("--check=")) != 0)
		return false;
	do {
		len = strcspn(at, ",");
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strlen(names[i]) == len &&
			    strncmp(at, names[i], len) == 0)
				break;
		if (i == sizeof(names) / sizeof(names[0]))
			return false;
		at += len;
	} while (*at++ == ',');
	launch->check = word + strlen("--check=");
	return true;
}

static int option_parse(int argc, char **argv, int *at,
			struct prompt_options *options,
			struct launch_options *launch)
{
	const char *word = argv[*at];

	if (prompt_parse(argc, argv, at, options)) {
		options->given = word;
		return 1;
	}
	if (strcmp(argv[*at], "--attachable") == 0)
		launch->is_free = true;
	else if (!memcheck_parse(argv[*at], launch) &&
		 !check_parse(argv[*at], launch) &&
		 !cmd_launch_parse(argv[*at], launch))
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

static int bind_check(void)
{
	if (gpu_is_debuggable())
		return CMD_OK;
	if (access(GPU_MODULE, F_OK))
		fputs("gtdbgctl: the kernel module for the machine's GPUs is not loaded: try \"modprobe gtdbg-pci\"\n",
		      stderr);
	else if (access(GPU_MODULE, R_OK | W_OK))
		fputs("gtdbgctl: you may not use " GPU_MODULE ": join the group render (\"adduser USER render\") and log in again\n",
		      stderr);
	else
		fputs("gtdbgctl: no GPU that can be debugged: try \"gtdbgctl list\"\n",
		      stderr);
	return CMD_FAILED;
}

/* Before the program starts: what vgtd says would come too late. */
int cmd_offer_check(const struct launch_options *launch)
{
	if (launch->door == LAUNCH_DOOR_GPU)
		return bind_check();
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

/* As execvp() looks for it: 0, or an error. */
static int program_find(const char *name)
{
	const char *at = getenv("PATH");
	char path[PATH_MAX];

	if (strchr(name, '/'))
		return access(name, X_OK) ? -errno : 0;
	while (at) {
		size_t len = strcspn(at, ":");

		snprintf(path, sizeof(path), "%.*s/%s", len ? (int)len : 1,
			 len ? at : ".", name);
		if (!access(path, X_OK))
			return 0;
		at = at[len] ? at + len + 1 : NULL;
	}
	return getenv("PATH") ? -ENOENT : 0;
}

static int session(const struct launch_options *launch_options,
		   const struct prompt_options *options)
{
	struct debugger debugger = { 0 };
	int ret;

	asserts_init(&debugger.asserts, options->assert_mode,
		     options->assert_lines_max, options->core_on_assert);
	ret = gtdbg_open(NULL, &debugger.gtdbg);
	if (ret)
		return cmd_fail_open(ret);
	ret = cmd_offer_check(launch_options);
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
	int at = 1, ret;

	if (cmd_door_set(&launch) || cmd_assert_set(&options))
		return CMD_USAGE;
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
		return cmd_usage("run", argv[at]);
	}
	if (launch.is_free && options.given) {
		fprintf(stderr, "gtdbgctl: %s: with --attachable nothing is debugged before somebody attaches\n",
			options.given);
		free(options.first);
		return CMD_USAGE;
	}
	ret = program_find(argv[at]);
	if (ret) {
		free(options.first);
		return cmd_fail(ret, "cannot start %s", argv[at]);
	}
	launch.argv = argv + at;
	if (launch.check && launch.door == LAUNCH_DOOR_ANY)
		launch.door = LAUNCH_DOOR_DRM;
	launch.door = cmd_launch_door(&launch);
	if (launch.check && launch.door != LAUNCH_DOOR_DRM) {
		free(options.first);
		fputs("gtdbgctl: --check: only a virtual GPU looks at what kernels do, and knows the program at its render node alone: use --door=drm\n",
		      stderr);
		return CMD_USAGE;
	}
	/* In the background a program may not read from the terminal. */
	launch.keeps_stdin = (options.is_batch || options.has_no_prompt) &&
			     !isatty(0);
	ret = session(&launch, &options);
	free(options.first);
	return ret;
}
