// SPDX-License-Identifier: GPL-2.0-only
#include "surface.h"

#include <linux/bitfield.h>
#include <linux/errno.h>

#include "gt.h"
#include "ppgtt.h"

/* RENDER_SURFACE_STATE. Bits that a buffer does not use hold anything. */
#define SURFACE_DWORDS (GTDBG_SURFACE_STATE_BYTES / 4)
#define SURFACE_TYPE GENMASK(31, 29) /* dword 0 */
#define SURFACE_BUFFER 4
#define SURFACE_FORMAT GENMASK(26, 18)
#define SURFACE_RAW 0x1ff
/* Bytes less one, in three pieces: dwords 2 and 3. */
#define SURFACE_WIDTH GENMASK(6, 0)
#define SURFACE_HEIGHT GENMASK(29, 16)
#define SURFACE_DEPTH GENMASK(31, 21)
#define SURFACE_HEIGHT_SHIFT 7
#define SURFACE_DEPTH_SHIFT 21

int gtdbg_surface_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u64 at, struct gtdbg_surface *surface)
{
	u32 dword[SURFACE_DWORDS];

	lockdep_assert_held(&gt->lock);
	if (gtdbg_ppgtt_read(gt, context, at, dword, sizeof(dword)) ||
	    FIELD_GET(SURFACE_TYPE, dword[0]) != SURFACE_BUFFER ||
	    FIELD_GET(SURFACE_FORMAT, dword[0]) != SURFACE_RAW)
		return -ENOENT;
	surface->address = (dword[8] | (u64)dword[9] << 32) &
			   GTDBG_ADDRESS_MASK;
	surface->len_bytes =
		(FIELD_GET(SURFACE_WIDTH, dword[2]) |
		 FIELD_GET(SURFACE_HEIGHT, dword[2]) << SURFACE_HEIGHT_SHIFT |
		 FIELD_GET(SURFACE_DEPTH, dword[3]) << SURFACE_DEPTH_SHIFT) +
		1ULL;
	return 0;
}
