/* SPDX-License-Identifier: MIT */
/* Threads beside the one that waits for events. */
#ifndef WORKER_H
#define WORKER_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* It takes no signals: these are for that one. An errno, or 0. */
static inline int worker_start(pthread_t *out, void *(*run)(void *),
			       void *argument)
{
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	ret = pthread_create(out, NULL, run, argument);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

#endif
