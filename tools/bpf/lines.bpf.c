// SPDX-License-Identifier: MIT
/* Counts the stops at breakpoints of a process by their place. */
#include "lines.h"

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include <linux/gtdbg.h>

const volatile __s32 pid;
__u64 uncounted; /* stops at places beyond PLACES_MAX */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PLACES_MAX);
	__type(key, struct place);
	__type(value, __u64);
} stops SEC(".maps");

/* It only looks, so it needs no right to write. */
SEC("raw_tp/gtdbg_stop_verdict")
int count(struct bpf_raw_tracepoint_args *ctx)
{
	const struct gtdbg_stop_verdict *verdict = (void *)ctx->args[0];
	struct gtdbg_thread_info thread;
	struct place place = { 0 };
	__u64 *seen, one = 1;
	__s32 whose = 0;

	bpf_probe_read_kernel(&whose, sizeof(whose), &verdict->pid);
	if (whose != pid)
		return 0;
	bpf_probe_read_kernel(&thread, sizeof(thread), &verdict->thread);
	place.device = thread.device;
	place.kernel = thread.kernel;
	place.address = thread.address;
	seen = bpf_map_lookup_elem(&stops, &place);
	if (seen)
		__sync_fetch_and_add(seen, 1);
	else if (bpf_map_update_elem(&stops, &place, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&uncounted, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
