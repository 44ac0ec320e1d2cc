/* SPDX-License-Identifier: MIT */
/* The few instructions with 64-bit results that the compiler makes. */
#ifndef VGT_INT64_H
#define VGT_INT64_H

#include "eu/inst.h"

/* NULL if @inst is not one of them. */
vgt_exec vgt_int64_handler(const struct vgt_inst *inst);

#endif
