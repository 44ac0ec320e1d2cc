// SPDX-License-Identifier: GPL-2.0-only
#include "ggtt.h"
#include "hw.h"

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "gt.h"

#define GGTT_PAGE_BYTES 4096
#define GGTT_PRESENT BIT_ULL(0)
#define GGTT_ADDRESS GENMASK_ULL(45, 12)

int gtdbg_ggtt_read(struct gtdbg_gt *gt, u64 address, void *buf, u32 len_bytes)
{
	u32 done = 0;

	lockdep_assert_held(&gt->lock);
	while (done < len_bytes) {
		u64 at = address + done, entry;
		u32 offset = at % GGTT_PAGE_BYTES;
		u32 bytes = min_t(u32, len_bytes - done,
				  GGTT_PAGE_BYTES - offset);
		int ret;

		ret = gtdbg_hw_ggtt_read(gt, at / GGTT_PAGE_BYTES, &entry);
		if (ret)
			return ret;
		if (!(entry & GGTT_PRESENT))
			return -EFAULT;
		ret = gtdbg_hw_memory_read(gt, (entry & GGTT_ADDRESS) + offset,
					   buf + done, bytes);
		if (ret)
			return ret;
		done += bytes;
	}
	return 0;
}
