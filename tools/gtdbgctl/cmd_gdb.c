// SPDX-License-Identifier: MIT
/*
 * Intel's gdb starts the program, and stops it where its runtime has told our
 * hook of the GPU, or attaches to one; then a second inferior is attached to that GPU
 * through Intel's server and our Level Zero driver. All of this is a script of gdb's. What is left
 * for us is to start that server when gdb connects, and to write down the sources of
 * kernels when the runtime compiles them.
 */
#include "cmd.h"

#include "gdb_server.h"
#include "hang.h"
#include "wait.h"

#include <errno.h>
#include <gtdbg.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_MS 50
/* A function of the hook that the runtime calls once it is debugged. */
#define HOOK_FUNCTION "notifyNewDevice"
/* A variable of the runtime's: on how many GPUs a program may be. */
#define DEVICES_VARIABLE "CreateMultipleRootDevices"
#define ENVIRONMENT_MAX (1 << 20)
/* With a time to wait the program's first launch waits for the debugger. */
#define WAIT_MS "1"

extern char **environ;

struct gdb {
	struct gtdbg *gtdbg;
	struct launch *launch;
	struct gtdbg_session *session;	/* that looks on; NULL: none yet */
	pid_t pid;
	int attached;			/* process to attach to; 0: one is started */
	char gdb[PATH_MAX];
	char data[PATH_MAX + 32];	/* option for gdb */
	char server[PATH_MAX];
	char driver[PATH_MAX];
	char script[PATH_MAX];
};

/* In a folder, or in those that PATH names. */
static int program_find(const char *folders, const char *name, char *out)
{
	while (*folders) {
		int len = strcspn(folders, ":");

		snprintf(out, PATH_MAX, "%.*s/%s", len, folders, name);
		if (access(out, X_OK) == 0)
			return 0;
		folders += len;
		folders += *folders == ':';
	}
	return -ENOENT;
}

static int tools_find(struct gdb *gdb)
{
	const char *folder = getenv("INTEL_GDB");
	const char *folders = folder ? folder : getenv("PATH");

	if (!folders)
		return -ENOENT;
	if (program_find(folders, "gdbserver-ze", gdb->server) ||
	    program_find(folders, folder ? "gdb" : "gdb-oneapi", gdb->gdb))
		return -ENOENT;
	if (folder)
		snprintf(gdb->data, sizeof(gdb->data),
			 "--data-directory=%.4000s/data-directory", folder);
	if (folder && access(strchr(gdb->data, '=') + 1, R_OK))
		gdb->data[0] = 0;
	return 0;
}

/* Whether one of them begins with these bytes. */
static bool is_in(char **variables, const char *bytes, size_t len)
{
	while (*variables && strncmp(*variables, bytes, len))
		variables++;
	return *variables;
}

/* The difference that a launch makes, as commands. */
static void environment_write(const struct gdb *gdb, FILE *file)
{
	char **before, **at;
	size_t count = 0;

	while (environ[count])
		count++;
	before = calloc(count + 1, sizeof(*before));
	if (!before)
		return;
	memcpy(before, environ, count * sizeof(*before));
	launch_environment_set(gdb->launch);
	setenv("GTDBG_WAIT_MS", WAIT_MS, 1);
	for (at = environ; *at; at++) {
		size_t len = strcspn(*at, "=");

		if (!is_in(before, *at, strlen(*at) + 1))
			fprintf(file, "set environment %.*s = %s\n", (int)len,
				*at, *at + len + 1);
	}
	for (at = before; *at; at++) {
		size_t len = strcspn(*at, "=");

		if (!is_in(environ, *at, len + 1))
			fprintf(file, "unset environment %.*s\n", (int)len,
				*at);
	}
	environ = before;
}

/* Stopped, and its number in a file. */
static void host_start_write(const struct gdb *gdb, FILE *file)
{
	if (gdb->attached) {
		fprintf(file, "attach %d\n", gdb->attached);
		return;
	}
	environment_write(gdb, file);
	fprintf(file,
		"tbreak " HOOK_FUNCTION "\n"
		"run\n"
		"if !$_isvoid($_exitcode) || !$_isvoid($_exitsignal)\n"
		"echo gtdbgctl: the program has ended without a GPU\\n\n"
		"else\n"
		"pipe info inferiors | sed -n 's/^\\* 1 .*process \\([0-9]*\\).*/\\1/p' >'%s/pid'\n",
		launch_folder(gdb->launch));
}

/* Breakpoints of the user's are set later, when both inferiors are there. */
static int script_write(struct gdb *gdb)
{
	const char *folder = launch_folder(gdb->launch);
	FILE *file;

	snprintf(gdb->script, sizeof(gdb->script), "%s/gdb", folder);
	file = fopen(gdb->script, "w");
	if (!file)
		return -errno;
	fprintf(file,
		"set breakpoint pending on\n"
		"set remotetimeout 60\n"
		"directory %s/sources\n"
		"set substitute-path /gtdbg %s/sources\n", folder, folder);
	host_start_write(gdb, file);
	fprintf(file,
		"add-inferior -no-connection\n"
		"inferior 2\n"
		"target remote %s/server\n"
		"set schedule-multiple on\n"
		"%s", folder, gdb->attached ? "" : "end\n");
	return fclose(file) ? -errno : 0;
}

/*
 * Where a text is written to. Only the last part of its name counts, and the hash that
 * our hook gives it: it is the program's word, so sources have a folder of their own.
 */
static bool source_place(const struct gdb *gdb, const char *name, char *path)
{
	const char *folder = launch_folder(gdb->launch);
	const char *last = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	unsigned long long hash;
	int len;

	if (!*last || *last == '.')
		return false;
	len = snprintf(path, PATH_MAX, "%s/sources", folder);
	if (sscanf(name, "/gtdbg/%16llx/", &hash) == 1) {
		len = snprintf(path, PATH_MAX, "%s/sources/%016llx", folder,
			       hash);
		mkdir(path, 0700);
	}
	snprintf(path + len, PATH_MAX - len, "/%s", last);
	return true;
}

static void source_write(struct gdb *gdb, const struct gtdbg_event *event)
{
	const struct gtdbg_event_module_add *info;
	char path[PATH_MAX];
	const char *name;
	void *text;
	size_t len;
	FILE *file;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info)
		return;
	name = gtdbg_event_string(event, sizeof(*info), info->name_len_bytes);
	if (!source_place(gdb, name, path) ||
	    gtdbg_blob_read(gdb->session, GTDBG_BLOB_MODULE_SOURCE,
			    info->module, &text, &len))
		return;
	file = fopen(path, "wx");
	if (file) {
		fwrite(text, 1, len, file);
		fclose(file);
	}
	free(text);
}

static void session_open(struct gdb *gdb)
{
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER,
		.event_mask = 1ull << GTDBG_EVENT_MODULE_ADD,
	};
	char path[PATH_MAX];
	int pid = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/pid", launch_folder(gdb->launch));
	file = fopen(path, "r");
	if (!file)
		return;
	if (fscanf(file, "%d", &pid) == 1 &&
	    !gtdbg_client_find(pid, &attach.client_fd)) {
		gtdbg_session_open(gdb->gtdbg, &attach, &gdb->session);
		close(attach.client_fd);
	}
	fclose(file);
}

static void sources_follow(struct gdb *gdb)
{
	const struct gtdbg_event *event;

	if (!gdb->session)
		session_open(gdb);
	while (gdb->session && gtdbg_event_next(gdb->session, 0, &event) > 0) {
		if (event->kind == GTDBG_EVENT_MODULE_ADD)
			source_write(gdb, event);
	}
}

/* What it has compiled already is written before gdb asks for it. */
static int attach_prepare(struct gdb *gdb)
{
	char path[PATH_MAX];
	FILE *file;
	int ret;

	snprintf(path, sizeof(path), "%s/pid", launch_folder(gdb->launch));
	file = fopen(path, "w");
	if (!file)
		return -errno;
	fprintf(file, "%d\n", gdb->attached);
	ret = fclose(file) ? -errno : 0;
	sources_follow(gdb);
	return ret;
}

static int sources_prepare(const struct gdb *gdb)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sources", launch_folder(gdb->launch));
	return mkdir(path, 0700) ? -errno : 0;
}

/* The number that a variable has which a process was started with; 0: it has none. */
static int variable_read(int pid, const char *name)
{
	char path[64], *text = calloc(1, ENVIRONMENT_MAX + 1);
	size_t len = 0, at = 0, name_len = strlen(name);
	int number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	file = text ? fopen(path, "r") : NULL;
	if (file) {
		len = fread(text, 1, ENVIRONMENT_MAX, file);
		fclose(file);
	}
	while (at < len && (strncmp(text + at, name, name_len) != 0 ||
			    text[at + name_len] != '='))
		at += strlen(text + at) + 1;
	if (at < len)
		number = atoi(text + at + name_len + 1);
	free(text);
	return number;
}

/*
 * The server is not told of GPUs that come later, and the runtime opens each when the program
 * first uses it. So it has to know before how many there may be; 0: nobody has said so.
 */
static int devices_expected(const struct gdb *gdb)
{
	const char *own = getenv(DEVICES_VARIABLE);

	if (gdb->attached)
		return variable_read(gdb->attached, DEVICES_VARIABLE);
	return own ? atoi(own) : 0;
}

static int server_start(struct gdb *gdb)
{
	char pid[PATH_MAX], path[PATH_MAX];
	const struct gdb_server server = {
		.program = gdb->server, .driver = gdb->driver,
		.pid_path = pid, .socket_path = path,
		.devices = devices_expected(gdb),
	};

	snprintf(pid, sizeof(pid), "%s/pid", launch_folder(gdb->launch));
	snprintf(path, sizeof(path), "%s/server", launch_folder(gdb->launch));
	return gdb_server_start(&server);
}

/* gdb's words: ours first, then the user's, then the program, if there is one. */
static int gdb_start(struct gdb *gdb, char **options, size_t option_count,
		     char **program)
{
	size_t count = 0, words = option_count + 8, i;
	char **argv;

	for (i = 0; program[i]; i++)
		words++;
	argv = calloc(words, sizeof(*argv));
	if (!argv)
		return -ENOMEM;
	argv[count++] = gdb->gdb;
	argv[count++] = "-q";
	if (gdb->data[0])
		argv[count++] = gdb->data;
	argv[count++] = "-x";
	argv[count++] = gdb->script;
	for (i = 0; i < option_count; i++)
		argv[count++] = options[i];
	if (program[0])
		argv[count++] = "--args";
	for (i = 0; program[i]; i++)
		argv[count++] = program[i];
	fflush(stdout);
	gdb->pid = fork();
	if (!gdb->pid) {
		execv(gdb->gdb, argv);
		_exit(127);
	}
	free(argv);
	return gdb->pid < 0 ? -errno : 0;
}

/* Ctrl-C is gdb's matter, and what ends other programs is for it to hear as well. */
static int gdb_wait(struct gdb *gdb)
{
	int status = 0;

	while (waitpid(gdb->pid, &status, WNOHANG) == 0) {
		if (wait_is_ended) {
			kill(gdb->pid, wait_is_ended);
			wait_is_ended = 0;
		}
		sources_follow(gdb);
		poll(NULL, 0, POLL_MS);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) :
	       128 + WTERMSIG(status);
}

static int gdb_run(struct gdb *gdb, const struct launch_options *options,
		   char **words, size_t count)
{
	int ret = launch_create(options, &gdb->launch);

	if (!ret)
		ret = launch_product_find(gdb->driver,
					  "libgtdbg/level-zero/libze_gtdbg.so.1",
					  "lib/gtdbg/libze_gtdbg.so.1");
	if (ret)
		return cmd_fail(ret, "cannot find what was built or installed with gtdbgctl");
	interrupt_catch();
	ret = gdb->attached ? 0 : launch_prepare(gdb->launch);
	if (ret)
		return cmd_fail(ret, "cannot start the virtual GPU, vgtd");
	ret = sources_prepare(gdb);
	if (!ret && gdb->attached)
		ret = attach_prepare(gdb);
	if (!ret)
		ret = script_write(gdb);
	if (!ret)
		ret = server_start(gdb);
	if (!ret)
		ret = gdb_start(gdb, words, count, options->argv);
	return ret ? cmd_fail(ret, "cannot start gdb") : gdb_wait(gdb);
}

static int program_run(struct gdb *gdb, struct launch_options *launch,
		       char **words, size_t count)
{
	int ret;

	if (launch->door == LAUNCH_DOOR_GPU) {
		fputs("gtdbgctl: gdb: only on a virtual GPU: --door=drm or socket\n",
		      stderr);
		return CMD_USAGE;
	}
	if (launch->door == LAUNCH_DOOR_ANY)
		launch->door = LAUNCH_DOOR_DRM;
	ret = gtdbg_open(NULL, &gdb->gtdbg);
	if (ret)
		return cmd_fail_open(ret);
	ret = cmd_offer_check(launch);
	return ret ? ret : gdb_run(gdb, launch, words, count);
}

/* Whoever may not attach learns it before gdb is there. */
static int process_run(struct gdb *gdb, const struct launch_options *launch,
		       char **words, size_t count)
{
	struct hang *hang;
	int fd, ret;

	if (cmd_client_open(gdb->attached, &gdb->gtdbg, &fd))
		return CMD_FAILED;
	close(fd);
	hang = hang_disable_for(gdb->attached);
	ret = gdb_run(gdb, launch, words, count);
	hang_restore(hang);
	return ret;
}

/* "-p PID", as gdb has it. */
static bool pid_take(struct gdb *gdb, char **argv, int *at)
{
	if (strcmp(argv[*at], "-p") != 0 || !argv[*at + 1] ||
	    cmd_pid_parse(argv[*at + 1]) < 0)
		return false;
	gdb->attached = cmd_pid_parse(argv[++*at]);
	return true;
}

int cmd_gdb(int argc, char **argv)
{
	struct launch_options launch = { .is_free = true };
	struct gdb gdb = { 0 };
	int at = 1, count = 1, how = 0, ret;

	if (cmd_door_set(&launch))
		return CMD_USAGE;
	for (; at < argc && strcmp(argv[at], "--"); at++) {
		if (pid_take(&gdb, argv, &at))
			continue;
		if (cmd_launch_parse(argv[at], &launch))
			how = at;
		else
			argv[count++] = argv[at];
	}
	/* How a program is started is no matter of one that runs. */
	if (gdb.attached && how)
		return cmd_usage("gdb", argv[how]);
	if (gdb.attached ? at < argc : at + 1 >= argc)
		return cmd_usage("gdb", NULL);
	launch.argv = gdb.attached ? argv + argc : argv + at + 1;
	if (tools_find(&gdb)) {
		fputs("gtdbgctl: Intel's gdb was not found: INTEL_GDB names the folder with gdb and gdbserver-ze, else PATH has gdb-oneapi and gdbserver-ze\n",
		      stderr);
		return CMD_FAILED;
	}
	ret = gdb.attached ? process_run(&gdb, &launch, argv + 1, count - 1) :
	      program_run(&gdb, &launch, argv + 1, count - 1);
	gtdbg_session_close(gdb.session);
	launch_destroy(gdb.launch);
	gtdbg_close(gdb.gtdbg);
	return ret;
}
