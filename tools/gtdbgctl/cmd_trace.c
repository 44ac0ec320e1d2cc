// SPDX-License-Identifier: MIT
/* Records programs and GPUs, and says what it comes to. */
#include "cmd.h"

#include "debugger.h"
#include "gpu.h"
#include "trace.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define RING_BYTES (16u << 20)
#define TAKE_MS 100
#define FLUSH_NS 100000000ull
#define PROGRESS_NS 1000000000ull

static const char *const formats[] = { "perfetto", "ctf" };
static const char *const files[] = { TRACE_FILE_DEFAULT, "gtdbg.ctf" };
static const char *const viewers[] = {
	"Perfetto (ui.perfetto.dev)",
	"babeltrace2 or Trace Compass",
};

struct options {
	const char *file;	/* NULL: that of the format */
	enum trace_format format;
	bool has_format;
	pid_t pid;	/* 0: of all, or of a program */
	bool is_all;
	struct launch_options launch;	/* argv is NULL: no program is started */
	const char *how;	/* one of the options that say how, NULL: none */
};

struct recording {
	const struct options *options;
	struct trace trace;
	struct trace_probe *probe;
	struct launch *launch;
	int pidfd;	/* of the process that is traced, or -1 */
	uint64_t progress_ns, flushed_ns;
	bool has_progress;	/* a line of it is on the terminal */
};

static void record_put(void *data, const struct trace_head *head)
{
	trace_put(data, head);
}

/* What was lost is in the trace, and on the terminal. */
static void progress(struct recording *recording, bool is_last)
{
	struct trace *trace = &recording->trace;

	trace_output_lost(trace, trace_probe_lost(recording->probe));
	if (is_last || trace_now_ns() - recording->progress_ns < PROGRESS_NS ||
	    !isatty(STDERR_FILENO))
		return;
	recording->progress_ns = trace_now_ns();
	recording->has_progress = true;
	/* Numbers alone: past what keeps a terminal from names, for the \r. */
	dprintf(STDERR_FILENO, "\rtracing: %llu calls, %llu launches, %llu events lost ",
		(unsigned long long)trace->calls,
		(unsigned long long)trace->launches,
		(unsigned long long)trace_lost_sum(trace));
}

static bool is_over(struct recording *recording)
{
	struct pollfd ended = { .fd = recording->pidfd, .events = POLLIN };

	if (wait_is_interrupted)
		return true;
	if (recording->launch)
		return launch_has_ended(recording->launch);
	return recording->pidfd >= 0 && poll(&ended, 1, 0) > 0;
}

static int take(struct recording *recording, int timeout_ms)
{
	uint64_t complete_ns, now_ns;
	int ret;

	ret = trace_probe_take(recording->probe, timeout_ms);
	if (ret < 0)
		return ret;
	progress(recording, false);
	/* Seldom, as a packet takes the same room whatever is in it. */
	now_ns = trace_now_ns();
	if (now_ns - recording->flushed_ns < FLUSH_NS)
		return 0;
	recording->flushed_ns = now_ns;
	trace_power_read(&recording->trace);
	complete_ns = trace_probe_complete_ns(recording->probe);
	return trace_output_flush(&recording->trace, complete_ns) ? 1 : 0;
}

/* What waits in the ring when all is over still counts. */
static int follow(struct recording *recording)
{
	uint64_t end_ns;
	int ret = 0;

	while (!ret && !is_over(recording))
		ret = take(recording, TAKE_MS);
	end_ns = trace_now_ns();
	while (!ret && trace_probe_complete_ns(recording->probe) < end_ns)
		ret = take(recording, 0);
	progress(recording, true);
	trace_finish(&recording->trace);
	if (recording->has_progress)
		fputc('\n', stderr);
	if (ret < 0)
		return cmd_fail(ret, "cannot read what was recorded");
	return CMD_OK;
}

static int program_begin(struct recording *recording)
{
	int ret;

	ret = launch_create(&recording->options->launch, &recording->launch);
	if (ret)
		return cmd_fail(ret, "cannot find what was built or installed with gtdbgctl");
	ret = launch_start_free(recording->launch);
	if (ret == -ENODEV)
		return cmd_fail(ret, "cannot start the virtual GPU, vgtd");
	if (ret)
		return cmd_fail(ret, "cannot start %s",
				recording->options->launch.argv[0]);
	return CMD_OK;
}

static int process_begin(struct recording *recording)
{
	pid_t pid = recording->options->pid;

	if (!pid)
		return CMD_OK;
	recording->pidfd = syscall(SYS_pidfd_open, pid, 0);
	if (recording->pidfd < 0)
		return cmd_fail(-errno, "cannot trace process %d", pid);
	return CMD_OK;
}

/* A program's status is that of the command, as with "run". */
static int program_status(struct recording *recording)
{
	int status;

	if (!recording->launch)
		return CMD_OK;
	if (wait_is_interrupted && !launch_has_ended(recording->launch))
		launch_kill(recording->launch);
	status = launch_wait(recording->launch);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

static int record(struct recording *recording)
{
	const struct options *options = recording->options;
	const struct trace_probe_options probe = {
		.pid = options->is_all ? 0 :
		       options->pid ? options->pid : getpid(),
		.ring_bytes = RING_BYTES,
		.has_calls = true,
		.put = record_put,
		.data = &recording->trace,
	};
	int ret, status;

	recording->trace.first_ns = trace_now_ns();
	ret = process_begin(recording);
	if (!ret)
		ret = trace_probe_create(&probe, &recording->probe);
	if (!ret)
		ret = trace_output_open(&recording->trace, options->format,
					options->file);
	if (ret)
		return ret;
	if (options->launch.argv)
		ret = program_begin(recording);
	if (!ret)
		ret = trace_output_begin(&recording->trace, options->file);
	if (!ret) {
		trace_power_open(&recording->trace);
		ret = follow(recording);
	}
	status = ret ? 0 : program_status(recording);
	if (!ret)
		trace_summary_print(&recording->trace);
	ret = trace_output_close(&recording->trace, options->file) || ret;
	if (!ret)
		printf("written to %s: open it in %s\n", options->file,
		       viewers[options->format]);
	return ret ? CMD_FAILED : status;
}

static int trace_run(const struct options *options)
{
	struct recording recording = { .options = options, .pidfd = -1 };
	int ret;

	if (options->launch.argv) {
		ret = cmd_offer_check(&options->launch);
		if (ret)
			return ret;
	}
	/* Whatever ends it, the trace is whole, and nothing is left behind. */
	interrupt_catch();
	ret = record(&recording);
	fflush(stdout);
	launch_destroy(recording.launch);
	trace_probe_destroy(recording.probe);
	trace_fini(&recording.trace);
	if (recording.pidfd >= 0)
		close(recording.pidfd);
	return ret;
}

static int format_parse(const char *word, struct options *options)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(word, formats[i]))
			continue;
		options->format = (enum trace_format)i;
		options->has_format = true;
		return 0;
	}
	return -1;
}

/* The name's end says it, unless somebody has. */
static void format_choose(struct options *options)
{
	const char *end = options->file ? strrchr(options->file, '.') : NULL;

	if (end && !options->has_format &&
	    (!strcmp(end, ".ctf") || !strcmp(end, ".ctf/")))
		options->format = TRACE_FORMAT_CTF;
	if (!options->file)
		options->file = files[options->format];
}

/* 1: it is one; 0: it is none; -1: it lacks what it takes. */
static int option_parse(int argc, char **argv, int *at, struct options *options)
{
	const char *word = argv[*at], *next = argv[*at + 1];
	bool has_next = *at + 1 < argc;

	if (!strcmp(word, "-a")) {
		options->is_all = true;
	} else if (!strncmp(word, "--format=", 9)) {
		if (format_parse(word + 9, options))
			return -1;
	} else if (!strcmp(word, "-o") || !strcmp(word, "-p")) {
		(*at)++;
		if (!has_next)
			return -1;
		if (word[1] == 'o')
			options->file = next;
		else
			options->pid = cmd_pid_parse(next);
		if (options->pid < 0)
			return -1;
	} else if (cmd_launch_parse(word, &options->launch)) {
		options->how = word;
	} else {
		return 0;
	}
	(*at)++;
	return 1;
}

int cmd_trace(int argc, char **argv)
{
	struct options options = { .file = NULL };
	int at = 1, ret = 1;

	if (cmd_door_set(&options.launch))
		return CMD_USAGE;
	while (ret == 1 && at < argc && strcmp(argv[at], "--"))
		ret = option_parse(argc, argv, &at, &options);
	if (ret < 0)
		return cmd_usage("trace", argv[at]);
	if (at < argc && !strcmp(argv[at], "--"))
		at++;
	else if (at < argc && argv[at][0] == '-')
		return cmd_usage("trace", argv[at]);
	if (at < argc) {
		options.launch.argv = argv + at;
		options.launch.is_free = true;
		options.launch.door = cmd_launch_door(&options.launch);
	}
	if (options.pid && (options.is_all || at < argc))
		return cmd_usage("trace", at < argc ? argv[at] : "-a");
	if (!options.pid && !options.is_all && at == argc)
		return cmd_usage("trace", NULL);
	if (options.how && at == argc)
		return cmd_usage("trace", options.how);
	format_choose(&options);
	return trace_run(&options);
}
