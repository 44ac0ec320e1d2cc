/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values that were seen, by the name of the field that they were seen in: what
 * one command or event calls "context" is what the next one means by it.
 */
#ifndef FUZZ_POOL_H
#define FUZZ_POOL_H

#include <stdbool.h>
#include <stdint.h>

void pool_clear(void);
void pool_add(unsigned int pool, uint64_t value);

/* One of them; false: there is none yet. */
bool pool_take(unsigned int pool, uint8_t which, uint64_t *value_out);

/* Also take it out. */
bool pool_remove(unsigned int pool, uint8_t which, uint64_t *value_out);

#endif
