// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks into the module by its own BTF: the struct below has other offsets than
 * the module's, which the loader corrects.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "gtdbg.bpf.h"

struct gtdbg_client;

struct gtdbg_file {
	char elsewhere[64];
	struct gtdbg_client *client;
} __attribute__((preserve_access_index));

int pid;
int entered;
int left;
int last_ret = -1;
int clients;
unsigned long long launches;

SEC("fentry/gtdbg_ioctl_info")
int BPF_PROG(info_enter, struct gtdbg_file *file)
{
	if (bpf_get_current_pid_tgid() >> 32 != pid)
		return 0;
	entered++;
	if (file->client)
		clients++;
	return 0;
}

SEC("fexit/gtdbg_ioctl_info")
int BPF_PROG(info_leave, struct gtdbg_file *file, void *arg, int ret)
{
	if (bpf_get_current_pid_tgid() >> 32 != pid)
		return 0;
	left++;
	last_ret = ret;
	return 0;
}

/* Of the header that is installed; while it is attached the poller looks. */
SEC("tp_btf/gtdbg_launch_begin")
int BPF_PROG(launch_begin, const struct gtdbg_watch_launch *launch)
{
	if (launch && launch->serial)
		launches++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
