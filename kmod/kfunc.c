// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a BPF program of the type tp_btf on gtdbg_stop_verdict may call: it reads more
 * of the stopped thread than the tracepoint has copied, and answers. The kernel's
 * verifier sees to it that @stop is the tracepoint's own argument, so the GT's lock
 * is held and the thread is stopped, and that @to has @to__sz bytes. Programs do not
 * sleep: what is not in memory is not there for them.
 */
#include "kfunc.h"

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/string.h>

#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "ppgtt.h"
#include "register.h"
#include "site.h"
#include "thread.h"
#include "verdict.h"

#ifdef BTF_KFUNCS_START /* from 6.9 on; those before need a tool of their own */

#define KFUNC_BYTES_MAX 4096 /* of one call */

/* From 7.0 on all arguments are. */
#ifndef KF_TRUSTED_ARGS
#define KF_TRUSTED_ARGS 0
#endif

/* On a shared GPU what was read may have become someone else's meanwhile. */
static int kfunc_result(const struct gtdbg_stop *stop, int ret, void *to,
			u32 len_bytes)
{
	struct gtdbg_gt *gt = stop->gt;

	if (!ret && !gtdbg_context_reachable(gt, gt->threads[stop->slot].context,
					     true))
		ret = -ESRCH;
	if (ret)
		memset(to, 0, len_bytes);
	return ret;
}

__bpf_kfunc_start_defs();

/**
 * gtdbg_stop_registers - read registers of the stopped thread
 * @stop: the tracepoint's second argument
 * @set: which ones: GTDBG_REGISTER_*
 * @offset_bytes: of the first byte in the set
 * @to: where to
 * @to__sz: how many bytes
 *
 * 0 or an error, and zeroes then. -EOPNOTSUPP: the thread's SIP saves no such set.
 * -EINVAL: the set is shorter.
 */
__bpf_kfunc int gtdbg_stop_registers(const struct gtdbg_stop *stop, u32 set,
				     u32 offset_bytes, void *to, u32 to__sz)
{
	int ret = -EINVAL;

	if (to__sz <= KFUNC_BYTES_MAX)
		ret = gtdbg_register_copy(stop->gt, stop->slot, set,
					  offset_bytes, to, to__sz);
	return kfunc_result(stop, ret, to, to__sz);
}

/**
 * gtdbg_stop_memory - read GPU memory of the stopped thread's context
 * @stop: the tracepoint's second argument
 * @address: GPU address of the first byte
 * @to: where to
 * @to__sz: how many bytes, 4096 at most
 *
 * Breakpoints in code are not seen. 0 or an error, and zeroes then. -EFAULT: not all
 * of it is mapped. -EAGAIN: it was swapped out.
 */
__bpf_kfunc int gtdbg_stop_memory(const struct gtdbg_stop *stop, u64 address,
				  void *to, u32 to__sz)
{
	struct gtdbg_context *context = stop->gt->threads[stop->slot].context;
	ssize_t done = -EINVAL;
	int ret;

	address &= GTDBG_ADDRESS_MASK;
	if (to__sz <= KFUNC_BYTES_MAX)
		done = gtdbg_ppgtt_fetch(stop->gt, context, address, to, to__sz);
	ret = done < 0 ? done : done == to__sz ? 0 : -EFAULT;
	if (!ret)
		gtdbg_sites_hide(stop->gt, context, address, to, to__sz);
	return kfunc_result(stop, ret, to, to__sz);
}

/**
 * gtdbg_stop_kernel - read the name of the stopped thread's kernel
 * @stop: the tracepoint's second argument
 * @to: where to; it ends with a 0
 * @to__sz: how many bytes there are
 *
 * The name's length, 0 if it is not known, or -E2BIG if it was cut off.
 */
__bpf_kfunc int gtdbg_stop_kernel(const struct gtdbg_stop *stop, char *to,
				  u32 to__sz)
{
	return strscpy_pad(to, stop->name, to__sz);
}

/**
 * gtdbg_stop_decide - answer for the debugger
 * @stop: the tracepoint's second argument
 * @verdict: GTDBG_VERDICT_*; anything else is a report
 */
__bpf_kfunc void gtdbg_stop_decide(struct gtdbg_stop *stop, u32 verdict)
{
	stop->verdict.verdict = verdict;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(kfuncs)
BTF_ID_FLAGS(func, gtdbg_stop_registers, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, gtdbg_stop_memory, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, gtdbg_stop_kernel, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, gtdbg_stop_decide, KF_TRUSTED_ARGS)
BTF_KFUNCS_END(kfuncs)

static const struct btf_kfunc_id_set kfunc_set = {
	.owner = THIS_MODULE,
	.set = &kfuncs,
};

/* Without type information of the module there are none, and all else works. */
void gtdbg_kfunc_init(void)
{
	int ret = register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING, &kfunc_set);

	if (ret)
		pr_info("no functions for BPF programs: error %d\n", ret);
}

#else

void gtdbg_kfunc_init(void)
{
}

#endif
