/* SPDX-License-Identifier: MIT */
/* The few instructions with 64-bit results that the compiler makes. */
#ifndef VGT_QUAD_H
#define VGT_QUAD_H

#include "inst.h"

/* NULL if @inst is not one of them. */
vgt_exec vgt_quad_handler(const struct vgt_inst *inst);

#endif
