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
#include <unistd.h>

#define PATIENCE_NS 200000 /* short launches end before */
#define PATIENCE_PART 16 /* of what was waited for */

/* For how long this thread has done nothing else, and nobody launched anything. */
static int64_t waited_ns(int64_t *last_ns)
{
	static _Thread_local uint64_t launches;
	static _Thread_local int64_t since_ns;
	uint64_t count = vgt_launch_count();
	int64_t now = vgt_now_ns();
	int64_t patience = PATIENCE_NS + (*last_ns - since_ns) / PATIENCE_PART;

	if (count != launches || now - *last_ns > patience) {
		launches = count;
		since_ns = now;
	}
	*last_ns = now;
	return now - since_ns;
}

VGT_EXPORT int sched_yield(void)
{
	static _Thread_local int64_t last_ns;
	int error = errno;
	int64_t waited;

	if (!vgt_launch_count())
		return (int)syscall(SYS_sched_yield);
	waited = waited_ns(&last_ns);
	if (waited < PATIENCE_NS || vgt_launch_done())
		return (int)syscall(SYS_sched_yield);
	vgt_nap(waited);
	errno = error;
	last_ns = vgt_now_ns();
	return 0;
}
