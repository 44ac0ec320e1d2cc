/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every part of the module needs: the lock order and the limits.
 */
#ifndef GTDBG_H
#define GTDBG_H

#ifdef pr_fmt
#undef pr_fmt
#endif
#define pr_fmt(fmt) "gtdbg: " fmt

#include <linux/gtdbg.h>

/* GTDBG_FEATURE_* that this build carries out. */
#define GTDBG_FEATURES 0ULL

#endif
