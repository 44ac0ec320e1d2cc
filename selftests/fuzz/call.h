/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands with arguments made of an input, by the grammar of the uapi. */
#ifndef FUZZ_CALL_H
#define FUZZ_CALL_H

#include <stddef.h>

#include "input.h"

struct target;

/* Where pointers point to; what lies behind its end cannot be used. */
#define ARENA_BYTES 65536
extern uint8_t *arena;
int arena_create(void);

/* Of a new target: what it has is known by name from here on. */
void call_target(const struct target *target);

/* One command. */
void call_command(struct input *input);

/* One of the descriptors that there are. */
int call_descriptor(uint8_t which);
void call_close(uint8_t which);
void call_close_all(void);

/* Events that were read: remember what they name. */
void call_events(const uint8_t *records, size_t len);

#endif
