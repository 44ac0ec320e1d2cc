// SPDX-License-Identifier: MIT
/* Programs, and letting their threads run. */
#include "dap.h"

#include "cmd.h"
#include "core.h"
#include "field.h"
#include "gpu.h"
#include "hang.h"
#include "prompt.h"

#include <errno.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void hits_add(const struct debugger *debugger, struct json_object *ids)
{
	json_object_array_add(ids, json_object_new_int(debugger->last_hit));
	for (size_t i = 0; i < debugger->further_hit_count; i++)
		json_object_array_add(ids, json_object_new_int(
						debugger->further_hits[i]));
}

static void stopped_send(struct dap *dap)
{
	struct debugger *debugger = &dap->debugger;
	const char *group = dap_breakpoint_group(dap, debugger->last_hit);
	const char *why = thread_reason(debugger);
	struct json_object *body = json_object_new_object();
	const char *reason = dap->reason ? dap->reason : "pause";

	if (dap->is_chosen) {
		reason = "goto";
	} else if (debugger->last_hit > 0) {
		reason = group && strcmp(group, "function") == 0 ?
			 "function breakpoint" :
			 group && strcmp(group, "instruction") == 0 ?
			 "instruction breakpoint" :
			 group && strcmp(group, "data") == 0 ?
			 "data breakpoint" : "breakpoint";
		hits_add(debugger, field_add_array(body, "hitBreakpointIds"));
	} else if (why && (debugger->has_fault ||
			   !thread_is_only_interrupted(debugger))) {
		reason = "exception";
		field_add_text(body, "text", why);
	}
	field_add_text(body, "reason", reason);
	field_add_number(body, "threadId",
			 dap_thread_id(dap, &debugger->thread, debugger->lane));
	field_add_bool(body, "allThreadsStopped", true);
	channel_event(&dap->channel, "stopped", body);
	dap->focus = debugger->thread;
	dap->is_chosen = false;
}

static void ended_send(struct dap *dap)
{
	struct debugger *debugger = &dap->debugger;
	struct json_object *body;

	if (dap->has_ended)
		return;
	dap->has_ended = true;
	channel_drain(&dap->channel);
	if (debugger->launch && launch_pid(debugger->launch) > 0) {
		body = json_object_new_object();
		field_add_number(body, "exitCode", debugger->exit_status);
		channel_event(&dap->channel, "exited", body);
	}
	channel_event(&dap->channel, "terminated", NULL);
}

static void wait_on(struct dap *dap);

/* What came of it: the program has ended, or stands, or runs on. */
static void settle(struct dap *dap)
{
	fflush(stdout);
	fflush(stderr);
	dap_news(dap);
	if (!dap->debugger.session)
		ended_send(dap);
	else if (dap->debugger.has_thread)
		stopped_send(dap);
	else
		dap->work = wait_on;
}

static void wait_on(struct dap *dap)
{
	struct debugger *debugger = &dap->debugger;
	enum wait_result result = wait_stop(debugger, NULL, -1);

	prompt_report(debugger, result);
	/* The one that stopped is gone, but another one may stand. */
	for (size_t i = 0; result == WAIT_UNREADABLE && !debugger->has_thread &&
	     i < debugger->stopped_count; i++)
		thread_select(debugger, &debugger->stopped[i], -1);
	settle(dap);
}

static void start(struct dap *dap)
{
	prompt_run_program(&dap->debugger, "");
	settle(dap);
}

/* Both what to debug and how are known. */
static void start_if_ready(struct dap *dap)
{
	if (!dap->has_target || !dap->is_configured || dap->has_started)
		return;
	dap->has_started = true;
	dap->work = dap->debugger.launch ? start :
		    dap->debugger.is_core ? settle : wait_on;
}

int dap_configuration_done(struct dap *dap, struct json_object *arguments,
			   struct json_object *body)
{
	(void)arguments;
	(void)body;
	dap->is_configured = true;
	start_if_ready(dap);
	return 0;
}

static int environment_set(struct json_object *variables)
{
	if (!variables)
		return 0;
	json_object_object_foreach(variables, name, value) {
		if (!*name || strchr(name, '='))
			return dap_fail("env: \"%s\" is no name of a variable",
					name);
		if (!value)
			unsetenv(name);
		else
			setenv(name, json_object_get_string(value), 1);
	}
	return 0;
}

static bool is_executable(const char *folder, int len, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%.*s/%s", len, folder, name);
	return access(path, X_OK) == 0;
}

static bool program_exists(const char *name)
{
	const char *folders = getenv("PATH");

	if (strchr(name, '/'))
		return access(name, X_OK) == 0;
	while (folders && *folders) {
		int len = strcspn(folders, ":");

		if (is_executable(folders, len, name))
			return true;
		folders += len;
		folders += *folders == ':';
	}
	return false;
}

static int argv_read(struct dap *dap, struct json_object *arguments)
{
	struct json_object *words = field_array(arguments, "args");
	size_t count = words ? json_object_array_length(words) : 0, i;
	const char *program = field_text(arguments, "program");
	struct json_object *word;

	if (!program || !*program)
		return dap_fail("launch: \"program\" is missing: the program to be debugged");
	if (!program_exists(program))
		return dap_fail("launch: \"%s\" is no program that can be executed",
				program);
	dap->argv = calloc(count + 2, sizeof(*dap->argv));
	if (!dap->argv)
		return dap_fail("Out of memory.");
	dap->argv[0] = strdup(program);
	for (i = 0; i < count; i++) {
		word = json_object_array_get_idx(words, i);
		if (!json_object_is_type(word, json_type_string))
			return dap_fail("launch: \"args\": word %zu is no text",
					i + 1);
		dap->argv[i + 1] = strdup(json_object_get_string(word));
	}
	return 0;
}

/* "--sip=" and the like, as on the command line. */
static int option_read(struct json_object *arguments, const char *name,
		       struct launch_options *launch)
{
	const char *value = field_text(arguments, name);
	char word[64];

	if (!value)
		return 0;
	snprintf(word, sizeof(word), "--%s=%s", name, value);
	if (cmd_launch_parse(word, launch))
		return 0;
	return dap_fail("launch: \"%s\": \"%s\" is none", name, value);
}

static void files_read(struct dap *dap, struct json_object *files)
{
	size_t count = files ? json_object_array_length(files) : 0, i;
	struct json_object *file;

	for (i = 0; i < count; i++) {
		file = json_object_array_get_idx(files, i);
		if (json_object_is_type(file, json_type_string))
			dap_file_note(dap, json_object_get_string(file));
	}
}

/* Those that launch and attach share. */
static int options_read(struct dap *dap, struct json_object *arguments)
{
	const char *lanes = field_text(arguments, "lanes");

	if (dap->has_target)
		return dap_fail("There is a program already.");
	if (lanes && strcmp(lanes, "scopes") != 0 &&
	    strcmp(lanes, "threads") != 0)
		return dap_fail("\"lanes\": \"%s\" is none: scopes or threads",
				lanes);
	dap->has_lanes_as_threads = lanes && strcmp(lanes, "threads") == 0;
	dap->threads_max = field_number(arguments, "maxThreads", 64);
	files_read(dap, field_array(arguments, "sources"));
	return 0;
}

static int module_open(struct dap *dap)
{
	int ret = gtdbg_open(NULL, &dap->debugger.gtdbg);

	if (ret)
		cmd_fail_open(ret);
	return ret ? -1 : 0;
}

static int launch_prepare_all(struct dap *dap, struct launch_options *launch)
{
	int ret;

	launch->argv = dap->argv;
	launch->door = cmd_launch_door(launch);
	if (module_open(dap) || cmd_offer_check(launch))
		return -1;
	ret = launch_create(launch, &dap->debugger.launch);
	if (ret) {
		cmd_fail(ret, "cannot find what was built or installed with gtdbgctl");
		return -1;
	}
	return 0;
}

/* Another request may bring what this one has not. */
static void target_forget(struct dap *dap)
{
	char **word;

	for (word = dap->argv; word && *word; word++)
		free(*word);
	free(dap->argv);
	dap->argv = NULL;
	gtdbg_close(dap->debugger.gtdbg);
	dap->debugger.gtdbg = NULL;
}

int dap_launch(struct dap *dap, struct json_object *arguments,
	       struct json_object *body)
{
	struct launch_options launch = { 0 };
	const char *folder = field_text(arguments, "cwd");

	(void)body;
	if (options_read(dap, arguments) || cmd_door_set(&launch) ||
	    option_read(arguments, "sip", &launch) ||
	    option_read(arguments, "door", &launch) ||
	    environment_set(field_object(arguments, "env")))
		return -1;
	if (folder && chdir(folder))
		return dap_fail("launch: \"cwd\": %s: %m", folder);
	if (argv_read(dap, arguments) || launch_prepare_all(dap, &launch)) {
		target_forget(dap);
		return -1;
	}
	dap->has_target = true;
	dap->kills = true;
	start_if_ready(dap);
	return 0;
}

/* What stands in a core file, as if it had just stopped. */
static int core_threads(struct debugger *debugger)
{
	struct gtdbg_thread_info *threads;
	int count = thread_list(debugger, &threads), i;

	if (count < 0)
		return dap_fail("Out of memory.");
	debugger->stopped = threads;
	for (i = 0; i < count; i++) {
		if (threads[i].state == GTDBG_THREAD_STOPPED)
			threads[debugger->stopped_count++] = threads[i];
	}
	if (!debugger->stopped_count)
		return dap_fail("No GPU thread was stopped.");
	return thread_select(debugger, &threads[0], -1);
}

static int core_attach(struct dap *dap, const char *path)
{
	struct debugger *debugger = &dap->debugger;

	if (core_open(debugger, path, CORE_PLAIN_MAX) ||
	    core_threads(debugger)) {
		debugger_detach(debugger);
		debugger->is_core = false;
		debugger->is_observer = false;
		return -1;
	}
	dap->has_target = true;
	dap->focus = debugger->thread;
	start_if_ready(dap);
	return 0;
}

/* It does not run; 0 if the target is none. */
static int core_refuse(const struct dap *dap)
{
	return dap->debugger.is_core ?
	       dap_fail("A core file does not run.") : 0;
}

int dap_attach(struct dap *dap, struct json_object *arguments,
	       struct json_object *body)
{
	struct debugger *debugger = &dap->debugger;
	int64_t pid = field_number(arguments, "pid", -1);
	const char *core = field_text(arguments, "core");
	int fd, ret;

	(void)body;
	if (options_read(dap, arguments))
		return -1;
	if (core)
		return core_attach(dap, core);
	if (pid <= 0 || pid > 1 << 22)
		return dap_fail("attach: \"pid\" is missing, or no process id");
	if (cmd_client_open((int)pid, &debugger->gtdbg, &fd))
		return -1;
	debugger->seeks_saveareas = gpu_is_debuggable();
	debugger->hang = hang_disable_for((pid_t)pid);
	ret = debugger_attach(debugger, fd, (pid_t)pid, 0);
	close(fd);
	if (ret) {
		debugger_detach(debugger);
		target_forget(dap);
		hang_restore(debugger->hang);
		debugger->hang = NULL;
		return -1;
	}
	dap->has_target = true;
	start_if_ready(dap);
	return 0;
}

static void resumed(struct dap *dap)
{
	handles_fini(dap);
	dap->reason = NULL;
}

/* The lane of the thread that the editor lets go on; what it has looked at is none. */
static void lane_keep(struct dap *dap)
{
	struct debugger *debugger = &dap->debugger;

	if (dap->has_lanes_as_threads ||
	    !thread_lane_is_kept(debugger, &debugger->thread))
		thread_lane_keep(debugger);
}

int dap_continue(struct dap *dap, struct json_object *arguments,
		 struct json_object *body)
{
	int64_t id = field_number(arguments, "threadId", 0);
	bool is_missed;
	int ret = 0;

	/* Of those that stop next it is the one to look at. */
	if (core_refuse(dap) || dap_thread_select(dap, id))
		return -1;
	lane_keep(dap);
	resumed(dap);
	is_missed = wait_missed(&dap->debugger);
	if (!is_missed)
		ret = resume_all(&dap->debugger);
	if (ret && ret != -ESRCH)
		return dap_fail("Cannot resume: %s.", strerror(-ret));
	field_add_bool(body, "allThreadsContinued", true);
	dap->work = is_missed ? settle : wait_on;
	return 0;
}

void dap_settle_command(struct dap *dap, const struct gtdbg_thread_info *was,
			bool has_run)
{
	struct debugger *debugger = &dap->debugger;
	bool has_moved = was->generation != debugger->thread.generation;

	if (debugger->is_quitting)
		dap->is_over = true;
	if (!dap->has_started || (debugger->session && !has_run && !has_moved))
		return;
	handles_fini(dap);
	dap->reason = NULL;
	dap->is_chosen = !has_run;
	/* Behind the answer. */
	dap->work = settle;
}

static void settle_step(struct dap *dap)
{
	dap->reason = "step";
	if (dap->debugger.has_thread &&
	    dap->debugger.thread.reasons & GTDBG_STOP_INTERRUPT)
		dap->reason = "pause";
	settle(dap);
}

static void work_next(struct dap *dap)
{
	prompt_next(&dap->debugger, "");
	settle_step(dap);
}

static void work_step(struct dap *dap)
{
	prompt_step(&dap->debugger, "");
	settle_step(dap);
}

static void work_stepi(struct dap *dap)
{
	prompt_stepi(&dap->debugger, "");
	settle_step(dap);
}

static void work_finish(struct dap *dap)
{
	prompt_finish(&dap->debugger, "");
	settle_step(dap);
}

/* Nothing has called a kernel: out of it is on. */
static void work_leave(struct dap *dap)
{
	if (wait_missed(&dap->debugger)) {
		settle(dap);
		return;
	}
	resume_all(&dap->debugger);
	wait_on(dap);
}

static int step(struct dap *dap, struct json_object *arguments, dap_work *work)
{
	const char *granularity = field_text(arguments, "granularity");

	if (core_refuse(dap) ||
	    dap_thread_select(dap, field_number(arguments, "threadId", 0)))
		return -1;
	dap->focus = dap->debugger.thread;
	lane_keep(dap);
	resumed(dap);
	dap->work = work;
	if (granularity && strcmp(granularity, "instruction") == 0 &&
	    work != work_finish)
		dap->work = work_stepi;
	if (work == work_finish && dap->debugger.frame_count < 2)
		dap->work = work_leave;
	return 0;
}

int dap_next(struct dap *dap, struct json_object *arguments,
	     struct json_object *body)
{
	(void)body;
	return step(dap, arguments, work_next);
}

int dap_step_in(struct dap *dap, struct json_object *arguments,
		struct json_object *body)
{
	(void)body;
	return step(dap, arguments, work_step);
}

int dap_step_out(struct dap *dap, struct json_object *arguments,
		 struct json_object *body)
{
	(void)body;
	return step(dap, arguments, work_finish);
}

int dap_pause(struct dap *dap, struct json_object *arguments,
	      struct json_object *body)
{
	(void)arguments;
	(void)body;
	if (core_refuse(dap))
		return -1;
	if (!dap->debugger.session)
		return dap_fail(dap->has_ended ? "The program has ended." :
				"The program does not use the GPU yet.");
	/* Ends the wait, which then stops what runs. */
	if (dap->is_at_work)
		wait_is_interrupted = 1;
	return 0;
}

int dap_exception_info(struct dap *dap, struct json_object *arguments,
		       struct json_object *body)
{
	struct debugger *debugger = &dap->debugger;
	const char *why;

	if (dap_thread_select(dap, field_number(arguments, "threadId", 0)))
		return -1;
	why = thread_reason(debugger);
	if (!why || (thread_is_only_interrupted(debugger) &&
		     !debugger->has_fault))
		return dap_fail("The thread has not stopped for an exception.");
	field_add_text(body, "exceptionId", debugger->has_fault ?
		       "fault" : "exception");
	field_add_text(body, "description", why);
	field_add_text(body, "breakMode", "always");
	return 0;
}

/* Asks it to end; what stands must go on for that. */
int dap_terminate(struct dap *dap, struct json_object *arguments,
		  struct json_object *body)
{
	struct debugger *debugger = &dap->debugger;

	(void)arguments;
	(void)body;
	if (core_refuse(dap))
		return -1;
	if (!debugger->session) {
		if (!debugger->launch || !launch_is_started(debugger->launch))
			return dap_fail("The program is not being run.");
		kill(-launch_pid(debugger->launch), SIGTERM);
		return 0;
	}
	debugger_signal(debugger, SIGTERM);
	if (!dap->is_at_work) {
		resumed(dap);
		resume_all(debugger);
		dap->work = wait_on;
	}
	return 0;
}

int dap_disconnect(struct dap *dap, struct json_object *arguments,
		   struct json_object *body)
{
	(void)body;
	dap->kills = !dap->debugger.is_core &&
		     field_bool(arguments, "terminateDebuggee",
				dap->debugger.launch);
	dap->is_over = true;
	/* Another wait than for its threads does not end otherwise. */
	if (dap->kills && dap->debugger.launch &&
	    launch_is_started(dap->debugger.launch))
		kill(-launch_pid(dap->debugger.launch), SIGKILL);
	return 0;
}

void dap_end(struct dap *dap)
{
	struct debugger *debugger = &dap->debugger;

	if (debugger->session && (dap->kills || wait_is_ended) &&
	    (dap->kills || debugger->launch))
		debugger_signal(debugger, SIGKILL);
	debugger_detach(debugger);
	if (debugger->launch && launch_is_started(debugger->launch) &&
	    !dap->kills)
		debugger_wait_exit(debugger);
	handles_fini(dap);
	dap_breakpoints_fini(dap);
	dap_modules_fini(dap);
	debugger_fini(debugger);
	debugger->gtdbg = NULL;
	hang_restore(debugger->hang);
	target_forget(dap);
}
