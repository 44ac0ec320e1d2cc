/* SPDX-License-Identifier: MIT */
/* Calls that use nothing of the caller's stack. */
#ifndef VGT_STACK_H
#define VGT_STACK_H

#include <stdbool.h>

/*
 * Call @run with @argument, which may not lie there, on a stack of its own. False: there is
 * no memory for one, and nothing was called.
 */
bool vgt_stack_call(long (*run)(void *argument), void *argument, long *ret_out);

#endif
