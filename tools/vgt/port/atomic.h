/* SPDX-License-Identifier: MIT */
/*
 * Atomic messages. Lanes go one after the other. In global memory each is one
 * host atomic, since other workers run groups on the same memory; in local
 * memory a plain access does, as one worker runs the whole group.
 */
#ifndef VGT_ATOMIC_H
#define VGT_ATOMIC_H

#include "port/message.h"

vgt_message_fn vgt_atomic_untyped;
vgt_message_fn vgt_atomic_untyped_float;
vgt_message_fn vgt_atomic_a64;
vgt_message_fn vgt_atomic_a64_float;

#endif
