// SPDX-License-Identifier: GPL-2.0-only
/* BPF programs can use the module's functions and types. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>

#include "trace.skel.h"

static int count;
static int failed;

static void report(int passed, const char *name)
{
	printf("%s %d - %s\n", passed ? "ok" : "not ok", ++count, name);
	failed |= !passed;
}

static void observe(struct trace_bpf *trace)
{
	struct gtdbg_client_register client = { 0 };
	struct gtdbg_info info = { 0 };
	int fd = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);

	report(fd >= 0, "the device opens");
	trace->bss->pid = getpid();
	report(ioctl(fd, GTDBG_IOC_INFO, &info) == 0, "the ioctl succeeds");
	report(trace->bss->entered == 1 && trace->bss->left == 1,
	       "both programs saw the call");
	report(trace->data->last_ret == 0, "its return value was seen");
	report(trace->bss->clients == 0, "no client on a new descriptor");

	report(ioctl(fd, GTDBG_IOC_CLIENT_REGISTER, &client) == 0,
	       "the process registers as client");
	info = (struct gtdbg_info){ 0 };
	report(ioctl(fd, GTDBG_IOC_INFO, &info) == 0 &&
	       trace->bss->clients == 1, "the module's type is followed");
	close(fd);
}

int main(void)
{
	struct trace_bpf *trace;

	if (access("/sys/kernel/btf/gtdbg", R_OK)) {
		puts("1..0 # SKIP the module has no BTF in this kernel");
		return 4;
	}
	puts("TAP version 13");
	puts("1..9");
	trace = trace_bpf__open_and_load();
	report(trace != NULL, "the programs load");
	if (!trace)
		return 1;
	report(trace_bpf__attach(trace) == 0, "the programs attach");
	observe(trace);
	trace_bpf__destroy(trace);
	return failed;
}
