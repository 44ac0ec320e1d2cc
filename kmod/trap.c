// SPDX-License-Identifier: GPL-2.0-only
#include "trap.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "context.h"
#include "entry.h"
#include "gt.h"
#include "platform.h"
#include "ppgtt.h"

struct trap {
	struct list_head node;
	u64 address;
	u32 len_bytes;
	u8 code[]; /* as it was before */
};

/* The dword at @at is replaced if it is what it is thought to be. */
static void trap_exchange(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 at, u32 old, u32 new)
{
	u32 now;

	if (!gtdbg_ppgtt_read(gt, context, at, &now, sizeof(now)) && now == old)
		gtdbg_ppgtt_write(gt, context, at, &new, sizeof(new));
}

static void trap_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       const struct trap *trap, bool set)
{
	u32 at, dword0, trapped;

	for (at = 0; at + sizeof(dword0) <= trap->len_bytes;
	     at += gtdbg_inst_len_bytes(dword0)) {
		memcpy(&dword0, trap->code + at, sizeof(dword0));
		trapped = dword0 | gtdbg_inst_break_bit(dword0);
		if (trapped == dword0)
			continue;
		trap_exchange(gt, context, trap->address + at,
			      set ? dword0 : trapped, set ? trapped : dword0);
		cond_resched();
	}
	gt->code_dirty = true;
}

static int trap_create(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       const struct gtdbg_load *load, struct list_head *traps)
{
	struct trap *trap;

	if (load->len_bytes > U32_MAX - sizeof(*trap))
		return -E2BIG;
	trap = kvmalloc(struct_size(trap, code, load->len_bytes), GFP_KERNEL);
	if (!trap)
		return -ENOMEM;
	trap->address = load->address;
	trap->len_bytes = load->len_bytes;
	if (gtdbg_ppgtt_read(gt, context, trap->address, trap->code,
			     trap->len_bytes)) {
		/* The program has freed it. */
		kvfree(trap);
		return 0;
	}
	list_add_tail(&trap->node, traps);
	trap_write(gt, context, trap, true);
	return 0;
}

int gtdbg_traps_create(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct list_head *traps)
{
	struct gtdbg_load *load;
	int ret;

	lockdep_assert_held(&gt->lock);
	gtdbg_loads_check(gt, context);
	list_for_each_entry(load, &context->loads, node) {
		ret = load->kernel ? trap_create(gt, context, load, traps) : 0;
		if (ret) {
			gtdbg_traps_destroy(gt, context, traps);
			return ret;
		}
	}
	return 0;
}

void gtdbg_traps_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct list_head *traps)
{
	struct trap *trap, *next;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry_safe(trap, next, traps, node) {
		trap_write(gt, context, trap, false);
		list_del(&trap->node);
		kvfree(trap);
	}
}
