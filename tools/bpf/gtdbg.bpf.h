/* SPDX-License-Identifier: MIT */
/*
 * The module's types for BPF programs, for clang. Their fields are looked up in the
 * module's own type information when a program is loaded, so that one that was built
 * against this header works with a module whose structures have grown. Programs of
 * the type tp_btf get pointers to them as arguments of tracepoints; see events.rst
 * for which:
 *
 *	SEC("tp_btf/gtdbg_launch_begin")
 *	int BPF_PROG(on_launch, const struct gtdbg_watch_launch *launch)
 *
 * Newer kernels want each pointer compared with NULL before it is used. Where the
 * module has no type information programs of the type raw_tp read the same with
 * bpf_probe_read_kernel(), and include <linux/gtdbg.h> instead.
 */
#ifndef GTDBG_BPF_H
#define GTDBG_BPF_H

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)
#include <linux/gtdbg.h>

/* A stop that programs on gtdbg_stop_verdict are asked about. */
struct gtdbg_stop {
	__u32 slot;
};
#pragma clang attribute pop

/*
 * What such a program, of the type tp_btf, may call with the tracepoint's second
 * argument (Linux 6.9 and newer): kmod/kfunc.c documents each.
 */
#ifdef __ksym
extern int gtdbg_stop_registers(const struct gtdbg_stop *stop, __u32 set,
				__u32 offset_bytes, void *to,
				__u32 to__sz) __ksym;
extern int gtdbg_stop_memory(const struct gtdbg_stop *stop, __u64 address,
			     void *to, __u32 to__sz) __ksym;
extern int gtdbg_stop_kernel(const struct gtdbg_stop *stop, char *to,
			     __u32 to__sz) __ksym;
extern void gtdbg_stop_decide(struct gtdbg_stop *stop, __u32 verdict) __ksym;
#endif

#endif
