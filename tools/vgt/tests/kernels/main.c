// SPDX-License-Identifier: MIT
/*
 * Runs every case twice, optimised and as a debug build, in a child process
 * that reports over a pipe. Where the child dies or hangs (the runtime ends
 * with SIGPIPE when its GPU is gone), that case has failed and a new child
 * goes on with the next one.
 */
#include "suite.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_MS 120000

static const struct {
	const char *name;
	const char *options;
} variants[] = {
	{ "default", "" },
	{ "debug", "-g -cl-opt-disable" },
};

struct job {
	const struct kt_group *group;
	const struct kt_case *test;
	size_t variant;
};

/* What the child writes for each job. */
struct report {
	int32_t status; /* 0 ok, 1 skipped, -1 failed */
	char message[600];
};

static struct job jobs[1024];
static size_t job_count;

static void job_name(const struct job *job, char *name, size_t bytes)
{
	const char *label = job->test->label;

	snprintf(name, bytes, "%s %s%s%s %s", job->group->name,
		 job->test->kernel, label ? " " : "", label ? label : "",
		 variants[job->variant].name);
}

/* The first part has to match; of others, if there are any, one. */
static bool wanted(const char *name, char **parts)
{
	if (!parts[0])
		return true;
	if (!strstr(name, parts[0]))
		return false;
	if (!parts[1])
		return true;
	for (parts++; *parts; parts++)
		if (strstr(name, *parts))
			return true;
	return false;
}

static void add_jobs(const struct kt_group *group, size_t variant,
		     char **parts)
{
	const struct kt_case *test;
	char name[200];

	for (test = group->cases; test->kernel; test++) {
		jobs[job_count] = (struct job){ group, test, variant };
		job_name(&jobs[job_count], name, sizeof(name));
		job_count += wanted(name, parts);
	}
}

static void run_job(struct kt_session *session, const struct job *job,
		    struct report *report)
{
	const char *extension = job->test->extension;

	memset(report, 0, sizeof(*report));
	if (extension && !kt_session_has(session, extension)) {
		report->status = 1;
		snprintf(report->message, sizeof(report->message), "no %s",
			 extension);
		return;
	}
	report->status = kt_session_run(session, job->group, job->test,
					variants[job->variant].options,
					report->message,
					sizeof(report->message));
}

static void child_main(const char *directory, size_t first, int fd)
{
	struct kt_session *session = kt_session_create(directory);
	struct report report;
	size_t i;

	for (i = first; i < job_count; i++) {
		run_job(session, &jobs[i], &report);
		if (write(fd, &report, sizeof(report)) != sizeof(report))
			exit(1);
	}
	kt_session_destroy(session);
	exit(0);
}

/* Returns false when the child died or took too long. */
static bool read_report(int fd, struct report *report)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	if (poll(&poll_fd, 1, DEADLINE_MS) != 1) {
		report->status = -1;
		strcpy(report->message, "deadline passed");
		return false;
	}
	if (read(fd, report, sizeof(*report)) == sizeof(*report))
		return true;
	report->status = -1;
	strcpy(report->message, "the process died");
	return false;
}

static bool print_report(size_t i, const struct report *report)
{
	char name[200];

	job_name(&jobs[i], name, sizeof(name));
	printf("%s %zu - %s%s%s\n", report->status < 0 ? "not ok" : "ok", i + 1,
	       name, report->status > 0 ? " # SKIP " : "",
	       report->status > 0 ? report->message : "");
	if (report->status < 0)
		printf("# %s\n", report->message);
	fflush(stdout);
	return report->status >= 0;
}

/* Runs jobs from @first on; returns the first that was not run. */
static size_t run_child(const char *directory, size_t first, size_t *failed)
{
	struct report report;
	bool alive = true;
	int fds[2];
	pid_t pid;

	if (pipe(fds))
		exit(1);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		child_main(directory, first, fds[1]);
	}
	close(fds[1]);
	while (alive && first < job_count) {
		alive = read_report(fds[0], &report);
		*failed += !print_report(first, &report);
		first++;
	}
	if (!alive)
		kill(pid, SIGKILL);
	close(fds[0]);
	waitpid(pid, NULL, 0);
	return first;
}

int main(int argc, char **argv)
{
	const struct kt_group *group;
	size_t done = 0, failed = 0, variant;

	if (argc < 2) {
		fprintf(stderr, "usage: kernels DIRECTORY [PART-OF-A-NAME]...\n");
		return 2;
	}
	for (group = kt_groups; group->name; group++)
		for (variant = 0; variant < 2; variant++)
			add_jobs(group, variant, argv + 2);
	printf("TAP version 13\n1..%zu\n", job_count);
	fflush(stdout);
	while (done < job_count)
		done = run_child(argv[1], done, &failed);
	return failed ? 1 : 0;
}
