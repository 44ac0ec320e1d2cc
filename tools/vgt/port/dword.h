/* SPDX-License-Identifier: MIT */
/*
 * Dwords of buffers, one for each lane, are most of what kernels load and store.
 * These messages have handlers of their own, chosen when the instruction is
 * decoded.
 */
#ifndef VGT_DWORD_H
#define VGT_DWORD_H

#include "eu/inst.h"

/*
 * The handler of such a send, NULL for others. What is out of bounds, not mapped,
 * in two pages or in no buffer goes on to vgt_send_exec().
 */
vgt_exec vgt_dword_handler(struct vgt_inst *inst);

#endif
