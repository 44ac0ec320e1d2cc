/* SPDX-License-Identifier: GPL-2.0-only */
/* What is no command: what the device does, and what is done to descriptors. */
#ifndef FUZZ_ACT_H
#define FUZZ_ACT_H

#include "input.h"

struct target;

/* One act, chosen by its first byte. */
void act(struct input *input, struct target *target);

#endif
