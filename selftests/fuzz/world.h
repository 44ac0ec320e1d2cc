/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an input finds: a client with a module and a kernel, its device, and a
 * session that controls it. New for each input, but for the device's memory,
 * which is the slow part: what inputs can change in it is put back.
 */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include <stdint.h>

#include "../target.h"

/* Threads that inputs let stop. */
#define WORLD_SLOTS 8
extern const uint32_t world_slots[WORLD_SLOTS];

extern struct target world;

int world_init(void);
int world_start(void);
void world_end(void);

#endif
