// SPDX-License-Identifier: MIT
/* Waiting no longer than was said, however often the program's signals interrupt it. */
#include "hook.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#define NS_PER_MS	1000000ull

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 * NS_PER_MS + time.tv_nsec;
}

uint64_t gtdbg_hook_deadline(uint64_t timeout_ms)
{
	const uint64_t most_ms = INT64_MAX / NS_PER_MS;

	if (timeout_ms > most_ms)
		timeout_ms = most_ms;
	return now() + timeout_ms * NS_PER_MS;
}

uint64_t gtdbg_hook_left(uint64_t deadline_ns)
{
	uint64_t at = now();

	return at < deadline_ns ? deadline_ns - at : 0;
}

int gtdbg_hook_await(int fd, unsigned int timeout_ms)
{
	uint64_t end_ns = gtdbg_hook_deadline(timeout_ms), left_ns;
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	int ret;

	do {
		left_ns = gtdbg_hook_left(end_ns);
		ret = poll(&wait, 1, (left_ns + NS_PER_MS - 1) / NS_PER_MS);
	} while (ret < 0 && errno == EINTR && left_ns);
	if (ret > 0)
		return 0;
	return ret && errno != EINTR ? -errno : -ETIMEDOUT;
}
