// SPDX-License-Identifier: GPL-2.0-only
/* Answers for the debugger: only stops with a certain value in r10.0 concern it. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include <linux/gtdbg.h>

int pid;
__u32 wanted;
__u32 other = GTDBG_VERDICT_RUN; /* the answer for all else */
__u32 asked;
struct gtdbg_thread_info thread; /* that was asked about last */
char name[64];

SEC("raw_tp.w/gtdbg_stop_verdict")
int decide(struct bpf_raw_tracepoint_args *ctx)
{
	struct gtdbg_stop_verdict *verdict = (void *)ctx->args[0];

	if (verdict->pid != pid)
		return 0;
	thread = verdict->thread;
	__builtin_memcpy(name, verdict->name, sizeof(name));
	asked++;
	verdict->thread.slot = 671; /* changes nothing */
	if (verdict->grf_len_bytes < 4096 || verdict->grf[80] != wanted)
		verdict->verdict = other;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
