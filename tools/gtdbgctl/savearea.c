// SPDX-License-Identifier: MIT
/*
 * On the machine's GPU the save areas of a program that runs already have to be told of a
 * session in the program's own memory (gtdbg_savearea_arm()). It has several, and the one that
 * counts may come last: the runtime makes a queue's when that is first used. So they are looked
 * for as long as the session lasts.
 */
#include "debugger.h"

#include "gpu.h"
#include "worker.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS 200

struct look {
	pid_t pid;
	int pidfd;
	bool holds; /* launches */
	unsigned int session;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_looking;		/* protected by lock */
static struct look *next;	/* behind that one, or NULL; protected by lock */
static atomic_uint sessions;	/* that have ended */

/* A session that has ended wants nothing any more. */
static bool look_is_wanted(void *argument)
{
	const struct look *look = argument;

	return atomic_load(&sessions) == look->session;
}

static void look_make(struct look *look)
{
	const struct gtdbg_savearea_target target = {
		.pid = look->pid, .pidfd = look->pidfd,
		.holds_launches = look->holds,
		.is_wanted = look_is_wanted, .argument = look,
	};

	gtdbg_savearea_arm(&target);
}

static void look_destroy(struct look *look)
{
	if (!look)
		return;
	if (look->pidfd >= 0)
		close(look->pidfd);
	free(look);
}

/* The one that was asked for meanwhile; NULL: none was. */
static struct look *look_next(void)
{
	struct look *look;

	pthread_mutex_lock(&lock);
	look = next;
	next = NULL;
	is_looking = look;
	pthread_mutex_unlock(&lock);
	return look;
}

static void *look_run(void *argument)
{
	struct look *look = argument;

	do {
		look_make(look);
		look_destroy(look);
		look = look_next();
	} while (look);
	return NULL;
}

static int look_detach(struct look *look)
{
	pthread_t thread;
	int ret = worker_start(&thread, look_run, look);

	if (!ret)
		pthread_detach(thread);
	return ret;
}

/*
 * In a thread of its own: a program that unmaps what a stopped kernel uses lets nobody
 * look at its memory before that goes on, for which the debugger has to be free. While
 * one waits so, the last one that is asked for waits behind it.
 */
static void look_start(const struct debugger *debugger)
{
	struct look *look = malloc(sizeof(*look)), *old = NULL;

	if (!look)
		return;
	*look = (struct look){
		.pid = debugger->pid, .holds = debugger->holds_launches,
		.pidfd = fcntl(debugger->pidfd, F_DUPFD_CLOEXEC, 0),
		.session = atomic_load(&sessions),
	};
	if (look->pidfd < 0) {
		look_destroy(look);
		return;
	}
	pthread_mutex_lock(&lock);
	if (is_looking) {
		old = next;
		next = look;
	} else if (look_detach(look)) {
		old = look;
	} else {
		is_looking = true;
	}
	pthread_mutex_unlock(&lock);
	look_destroy(old);
}

static bool looks(void)
{
	bool ret;

	pthread_mutex_lock(&lock);
	ret = is_looking;
	pthread_mutex_unlock(&lock);
	return ret;
}

static bool is_due(struct debugger *debugger)
{
	struct timespec now;
	uint64_t now_ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now_ms = now.tv_sec * 1000ull + now.tv_nsec / 1000000;
	if (now_ms - debugger->saveareas_looked_ms < LOOK_MS)
		return false;
	debugger->saveareas_looked_ms = now_ms;
	return true;
}

void saveareas_look(struct debugger *debugger)
{
	if (debugger->seeks_saveareas && debugger->pidfd > 0 &&
	    is_due(debugger) && !looks())
		look_start(debugger);
}

void saveareas_hold(struct debugger *debugger)
{
	if (debugger->holds_launches && debugger->pidfd > 0 &&
	    gpu_is_debuggable())
		look_start(debugger);
}

void saveareas_leave(void)
{
	atomic_fetch_add(&sessions, 1);
}
