// SPDX-License-Identifier: MIT
/*
 * The runtime waits for a launch by looking at the device's memory again and
 * again, and yields between two looks. That keeps a CPU busy which the device
 * could use, and a debugger. So a thread that yields on and on, while a launch
 * is not done, sleeps for a moment each time.
 */
#include "launch.h"
#include "node.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_NS 200000 /* short launches end before */
#define NAP_NS 20000

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Has this thread done nothing else for long, and nobody launched anything? */
static bool waits_long(int64_t *last_ns)
{
	static _Thread_local uint64_t launches;
	static _Thread_local int64_t since_ns;
	uint64_t count = vgt_launch_count();
	int64_t now = now_ns();

	if (count != launches || now - *last_ns > PATIENCE_NS) {
		launches = count;
		since_ns = now;
	}
	*last_ns = now;
	return now - since_ns >= PATIENCE_NS;
}

VGT_EXPORT int sched_yield(void)
{
	static _Thread_local int64_t last_ns;
	static const struct timespec nap = { 0, NAP_NS };
	int error = errno;

	if (!vgt_launch_count() || !waits_long(&last_ns) || vgt_launch_done())
		return (int)syscall(SYS_sched_yield);
	/* Not libc's, where a thread may be cancelled. */
	syscall(SYS_nanosleep, &nap, NULL);
	errno = error;
	last_ns = now_ns();
	return 0;
}
