// SPDX-License-Identifier: MIT
#include "same.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool both_nan(const uint8_t *a, const uint8_t *b)
{
	float x, y;

	memcpy(&x, a, 4);
	memcpy(&y, b, 4);
	return isnan(x) && isnan(y);
}

static bool both_half_nan(const uint8_t *a, const uint8_t *b)
{
	_Float16 x, y;

	memcpy(&x, a, 2);
	memcpy(&y, b, 2);
	return x != x && y != y;
}

static bool registers_equal(const uint8_t *a, const uint8_t *b, char *why,
			    size_t size)
{
	unsigned int at;

	for (at = 0; at < VGT_REG_SINK; at += 2) {
		unsigned int dword = at & ~3u;
		bool number = (at >= SAME_FLOATS && at < VGT_REG_A0) ||
			      (at >= VGT_REG_ACC && at < VGT_REG_MME);

		if (!memcmp(a + at, b + at, 2) ||
		    (number && (both_nan(a + dword, b + dword) ||
				both_half_nan(a + at, b + at))))
			continue;
		snprintf(why, size, "register byte %u (r%u.%u): 0x%02x%02x, interpreter 0x%02x%02x",
			 at, at / 32, at % 32, a[at + 1], a[at], b[at + 1],
			 b[at]);
		return false;
	}
	return true;
}

/* Where a channel is. */
static uint32_t channel_ip(const struct vgt_eu_thread *thread, unsigned int c)
{
	unsigned int i;

	if (thread->enabled >> c & 1)
		return thread->ip;
	for (i = 0; i < thread->waits; i++)
		if (thread->wait[i].channels >> c & 1)
			return thread->wait[i].ip;
	return VGT_IP_NONE;
}

static int64_t acc_high(const struct vgt_eu_thread *thread, unsigned int i)
{
	int32_t low;

	memcpy(&low, thread->reg + VGT_REG_ACC + 4 * i, 4);
	if (thread->acc_wide >> i & 1)
		return thread->acc_hi[i];
	return thread->acc_signed >> i & 1 ? low >> 31 : 0;
}

/* A channel is in one place. */
static bool channels_apart(const struct vgt_eu_thread *thread)
{
	uint32_t seen = thread->enabled;

	for (unsigned int i = 0; i < thread->waits; i++) {
		if (seen & thread->wait[i].channels)
			return false;
		seen |= thread->wait[i].channels;
	}
	return true;
}

bool same_thread(const struct vgt_eu_thread *a, const struct vgt_eu_thread *b,
		 char *why, size_t size)
{
	unsigned int i;

	if (!registers_equal(a->reg, b->reg, why, size))
		return false;
	if (!channels_apart(a)) {
		snprintf(why, size, "a channel is in two places");
		return false;
	}
	for (i = 0; i < 16; i++)
		if (acc_high(a, i) != acc_high(b, i)) {
			snprintf(why, size, "upper half of acc0, element %u", i);
			return false;
		}
	for (i = 0; i < 32; i++)
		if (channel_ip(a, i) != channel_ip(b, i)) {
			snprintf(why, size, "channel %u at 0x%x, interpreter 0x%x",
				 i, channel_ip(a, i), channel_ip(b, i));
			return false;
		}
	snprintf(why, size, "at 0x%x after %llu, status %d, enabled 0x%x; interpreter 0x%x after %llu, %d, 0x%x",
		 a->ip, (unsigned long long)a->instructions, a->status,
		 a->enabled, b->ip, (unsigned long long)b->instructions,
		 b->status, b->enabled);
	return a->ip == b->ip && a->instructions == b->instructions &&
	       a->status == b->status && a->enabled == b->enabled &&
	       a->call_mask == b->call_mask;
}
