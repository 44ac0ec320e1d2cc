// SPDX-License-Identifier: MIT
/*
 * Pages of the device are shared with a child until it has replaced them, and the stack
 * of who calls fork() may be among them: both processes would return on it at once. So
 * fork() runs on a stack that is copied as any memory. The parent comes back to its own
 * when the child has replaced it (user.c).
 */
#include "node.h"
#include "stack.h"

#include <dlfcn.h>
#include <unistd.h>

static pid_t (*next)(void);

static void __attribute__((constructor)) next_init(void)
{
	next = (__typeof__(next))dlsym(RTLD_NEXT, "fork");
}

static long run(void *argument)
{
	(void)argument;
	return next();
}

VGT_EXPORT pid_t fork(void)
{
	long pid;

	if (!next)
		next_init();
	return vgt_user_has_any() && vgt_stack_call(run, NULL, &pid) ?
	       (pid_t)pid : next();
}
