// SPDX-License-Identifier: MIT
/* Lets the debugger see no more than some of a process's stops at breakpoints. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include <linux/gtdbg.h>

const volatile __s32 pid;
const volatile __u64 stops_max; /* in each period */
const volatile __u64 period_ns;
__u64 begin_ns; /* of the period */
__u64 stops; /* in it */
__u64 reported, passed; /* in all */

/* Devices ask one after the other, each its own: two may begin a period at once. */
SEC("raw_tp.w/gtdbg_stop_verdict")
int limit(struct bpf_raw_tracepoint_args *ctx)
{
	struct gtdbg_stop_verdict *verdict = (void *)ctx->args[0];
	__u64 now = bpf_ktime_get_ns();

	if (verdict->pid != pid)
		return 0;
	if (!begin_ns || now - begin_ns >= period_ns) {
		begin_ns = now;
		stops = 0;
	}
	if (__sync_fetch_and_add(&stops, 1) < stops_max) {
		__sync_fetch_and_add(&reported, 1);
		return 0;
	}
	verdict->verdict = GTDBG_VERDICT_RUN;
	__sync_fetch_and_add(&passed, 1);
	return 0;
}

/* As programs that write to what they were given must be. */
char LICENSE[] SEC("license") = "Dual MIT/GPL";
