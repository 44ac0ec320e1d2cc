// SPDX-License-Identifier: GPL-2.0-only
#include "pool.h"

#include <string.h>

#define POOLS_MAX 512
#define VALUES_MAX 16

static struct {
	uint64_t value[VALUES_MAX];
	uint8_t count, next;
} pools[POOLS_MAX];

void pool_clear(void)
{
	memset(pools, 0, sizeof(pools));
}

/* The oldest gives way. */
void pool_add(unsigned int pool, uint64_t value)
{
	if (pool >= POOLS_MAX)
		return;
	pools[pool].value[pools[pool].next] = value;
	pools[pool].next = (pools[pool].next + 1) % VALUES_MAX;
	if (pools[pool].count < VALUES_MAX)
		pools[pool].count++;
}

bool pool_take(unsigned int pool, uint8_t which, uint64_t *value_out)
{
	if (pool >= POOLS_MAX || !pools[pool].count)
		return false;
	*value_out = pools[pool].value[which % pools[pool].count];
	return true;
}

bool pool_remove(unsigned int pool, uint8_t which, uint64_t *value_out)
{
	uint8_t last;

	if (!pool_take(pool, which, value_out))
		return false;
	last = --pools[pool].count;
	pools[pool].value[which % (last + 1)] = pools[pool].value[last];
	pools[pool].next = last;
	return true;
}
