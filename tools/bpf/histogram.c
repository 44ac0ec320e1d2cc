// SPDX-License-Identifier: MIT
/*
 * Which values has a register at the breakpoints of a program? An example of a
 * BPF program that decides about stops: each is counted in the kernel and runs on,
 * and no debugger is woken.
 * usage: histogram [--report] PID REGISTER[.DWORD]
 *        --report   the debugger sees the stops as well
 */
#include "histogram.skel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <linux/gtdbg.h>

#define REGISTERS 128
#define DWORDS 8 /* of a register */

static volatile sig_atomic_t is_ended;

static void on_signal(int signal)
{
	(void)signal;
	is_ended = 1;
}

/* "10" or "r10.3": the dword of all, -1 if it is none. */
static int dword_parse(const char *text)
{
	unsigned int reg, part = 0;
	int end = 0;

	text += *text == 'r';
	if (sscanf(text, "%u%n.%u%n", &reg, &end, &part, &end) < 1 ||
	    text[end] || reg >= REGISTERS || part >= DWORDS)
		return -1;
	return reg * DWORDS + part;
}

static int compare(const void *a, const void *b)
{
	const __u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void values_print(struct histogram_bpf *bpf)
{
	int fd = bpf_map__fd(bpf->maps.values);
	__u32 max = bpf_map__max_entries(bpf->maps.values), count = 0, i;
	__u32 *value = calloc(max, sizeof(*value)), *last = NULL;
	__u64 times;

	if (!value)
		return;
	while (count < max &&
	       !bpf_map_get_next_key(fd, last, &value[count])) {
		last = &value[count];
		count++;
	}
	qsort(value, count, sizeof(*value), compare);
	puts("value\tcount");
	for (i = 0; i < count; i++)
		if (!bpf_map_lookup_elem(fd, &value[i], &times))
			printf("%u\t%llu\n", value[i], times);
	if (bpf->bss->unread)
		printf("(%llu stops were not counted)\n", bpf->bss->unread);
	free(value);
}

/* Until the process ends, or somebody presses Ctrl-C. */
static void wait_end(int pidfd)
{
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };

	while (!is_ended && poll(&ended, 1, -1) < 0 && errno == EINTR)
		;
}

static int histogram(pid_t pid, int dword, int is_reporting)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0);
	struct histogram_bpf *bpf;
	int ret = 1;

	if (pidfd < 0) {
		fprintf(stderr, "histogram: process %d: %s\n", pid,
			strerror(errno));
		return 1;
	}
	bpf = histogram_bpf__open();
	if (bpf) {
		bpf->rodata->pid = pid;
		bpf->rodata->dword = dword;
		bpf->rodata->answer = is_reporting ? GTDBG_VERDICT_REPORT :
						     GTDBG_VERDICT_RUN;
	}
	if (!bpf || histogram_bpf__load(bpf) || histogram_bpf__attach(bpf)) {
		fprintf(stderr, "histogram: %s; it takes CAP_BPF and CAP_PERFMON, and the module gtdbg\n",
			strerror(errno));
	} else {
		puts("counting");
		fflush(stdout);
		wait_end(pidfd);
		values_print(bpf);
		ret = 0;
	}
	histogram_bpf__destroy(bpf);
	close(pidfd);
	return ret;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	int is_reporting = argc > 1 && !strcmp(argv[1], "--report"), dword;
	pid_t pid;

	argv += is_reporting;
	argc -= is_reporting;
	pid = argc == 3 ? atoi(argv[1]) : 0;
	dword = argc == 3 ? dword_parse(argv[2]) : -1;
	if (pid <= 0 || dword < 0) {
		fputs("usage: histogram [--report] PID REGISTER[.DWORD]\n",
		      stderr);
		return 2;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return histogram(pid, dword, is_reporting);
}
