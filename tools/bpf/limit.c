// SPDX-License-Identifier: MIT
/*
 * At most so many stops at breakpoints of a program, in each second or another time,
 * reach its debugger: the others run on in the kernel. So who prints something at a
 * breakpoint that is hit all the time gets a sample of it.
 * usage: limit PID STOPS [SECONDS]
 */
#include "limit.skel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull
#define SECONDS_MAX 1000000000ul

static volatile sig_atomic_t is_ended;

static void on_signal(int signal)
{
	(void)signal;
	is_ended = 1;
}

/* Until the process ends, or somebody presses Ctrl-C. */
static void wait_end(int pidfd)
{
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };

	while (!is_ended && poll(&ended, 1, -1) < 0 && errno == EINTR)
		;
}

static int limit(pid_t pid, unsigned long stops, unsigned long seconds)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0);
	struct limit_bpf *bpf;
	int ret = 1;

	if (pidfd < 0) {
		fprintf(stderr, "limit: process %d: %s\n", pid, strerror(errno));
		return 1;
	}
	bpf = limit_bpf__open();
	if (bpf) {
		bpf->rodata->pid = pid;
		bpf->rodata->stops_max = stops;
		bpf->rodata->period_ns = seconds * NS_PER_S;
	}
	if (!bpf || limit_bpf__load(bpf) || limit_bpf__attach(bpf)) {
		fprintf(stderr, "limit: %s; it takes CAP_BPF and CAP_PERFMON, and the module gtdbg\n",
			strerror(errno));
	} else {
		puts("counting");
		fflush(stdout);
		wait_end(pidfd);
		printf("%llu stops reported, %llu ran on\n", bpf->bss->reported,
		       bpf->bss->passed);
		ret = 0;
	}
	limit_bpf__destroy(bpf);
	close(pidfd);
	return ret;
}

/* 0: it is no number, or none from 1 to @max. */
static unsigned long number_parse(const char *text, unsigned long max)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 10);
	return errno || *end || *text < '0' || *text > '9' || number > max ?
		       0 : number;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	unsigned long pid = 0, stops = 0, seconds = 1;

	if (argc == 3 || argc == 4) {
		pid = number_parse(argv[1], 0x7fffffff);
		stops = number_parse(argv[2], ~0ul);
	}
	if (argc == 4)
		seconds = number_parse(argv[3], SECONDS_MAX);
	if (!pid || !stops || !seconds) {
		fputs("usage: limit PID STOPS [SECONDS]\n", stderr);
		return 2;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return limit(pid, stops, seconds);
}
