/* SPDX-License-Identifier: MIT */
/* All that a debugger can see of two threads. */
#ifndef VGT_TESTS_SAME_H
#define VGT_TESTS_SAME_H

#include "eu/eu.h"

#include <stdbool.h>
#include <stddef.h>

#define SAME_FLOATS (80 * 32) /* r80 and on: a NaN there is as good as another */

/* False, and a line on what differs; @b is the interpreter's. */
bool same_thread(const struct vgt_eu_thread *a, const struct vgt_eu_thread *b,
		 char *why, size_t size);

#endif
