// SPDX-License-Identifier: MIT
/*
 * Counts the values of a register at the breakpoints of a process, on the way of
 * each stop to the debugger.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include <linux/gtdbg.h>

#define VALUES_MAX 65536

const volatile __s32 pid;
const volatile __u32 dword; /* of the general registers */
const volatile __u32 answer; /* GTDBG_VERDICT_* */
__u64 unread; /* stops without registers, or beyond VALUES_MAX */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, VALUES_MAX);
	__type(key, __u32);
	__type(value, __u64);
} values SEC(".maps");

SEC("raw_tp.w/gtdbg_stop_verdict")
int count(struct bpf_raw_tracepoint_args *ctx)
{
	struct gtdbg_stop_verdict *verdict = (void *)ctx->args[0];
	__u64 *seen, one = 1;
	__u32 value;

	if (verdict->pid != pid)
		return 0;
	verdict->verdict = answer;
	if (verdict->grf_len_bytes <= 4 * dword ||
	    bpf_probe_read_kernel(&value, sizeof(value),
				  (void *)ctx->args[0] +
				  __builtin_offsetof(struct gtdbg_stop_verdict,
						     grf) + 4 * dword)) {
		__sync_fetch_and_add(&unread, 1);
		return 0;
	}
	seen = bpf_map_lookup_elem(&values, &value);
	if (seen)
		__sync_fetch_and_add(seen, 1);
	else if (bpf_map_update_elem(&values, &value, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&unread, 1);
	return 0;
}

/* As programs that write to what they were given must be. */
char LICENSE[] SEC("license") = "Dual MIT/GPL";
