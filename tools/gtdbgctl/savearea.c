// SPDX-License-Identifier: MIT
/*
 * Save areas of a program that was started without a debugger tell the system
 * routine not to stop its threads, and those of a session without breakpoints to let
 * them pass at kernels' entries. On the machine's GPU the module can change that
 * only while a context is on the engine, which a short kernel leaves too soon. But
 * the runtime keeps them mapped in the program: there we may write, too. Each is a
 * buffer of the driver i915, and begins with it.
 *
 * A program has several, and the one that counts may come last: the runtime makes a
 * queue's when that is first used. So they are looked for as long as the session lasts.
 *
 * All that is read there is the program's to say. Nothing but a dword of its own is
 * written for it, with the flag PASS always clear: so the module alone sets that.
 */
#include "debugger.h"

#include "gpu.h"
#include "worker.h"

#include <fcntl.h>
#include <linux/gtdbg_sip.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x0061657261737374ull	/* "tssarea" */
#define BUFFER "i915.gem"	/* in the name of its mapping */
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

static void savearea_set(int memory, uint64_t address, const struct look *look)
{
	struct gtdbg_sip_control control;
	uint64_t magic;

	if (pread(memory, &magic, sizeof(magic), address) != sizeof(magic) ||
	    magic != MAGIC ||
	    pread(memory, &control, sizeof(control),
		  address + GTDBG_SIP_CONTROL_OFFSET) != sizeof(control) ||
	    control.magic != GTDBG_SIP_CONTROL_MAGIC)
		return;
	if (control.flags & GTDBG_SIP_CONTROL_F_ACTIVE &&
	    !(look->holds && control.flags & GTDBG_SIP_CONTROL_F_PASS))
		return;
	control.flags |= GTDBG_SIP_CONTROL_F_ACTIVE;
	control.flags &= ~GTDBG_SIP_CONTROL_F_PASS;
	/* A program that ends meanwhile needs it no more, nor one that was left. */
	if (atomic_load(&sessions) != look->session ||
	    pwrite(memory, &control.flags, sizeof(control.flags),
		   address + GTDBG_SIP_CONTROL_FLAGS) < 0)
		return;
}

/* Without stdio: the tool may end while this waits, and would wait for its lock. */
static void saveareas_set(int memory, int maps, const struct look *look)
{
	unsigned long long address;
	char lines[8192], *line, *end;
	size_t kept = 0;
	ssize_t got;

	while ((got = read(maps, lines + kept, sizeof(lines) - 1 - kept)) > 0) {
		lines[kept + got] = 0;
		for (line = lines; (end = strchr(line, '\n')); line = end + 1) {
			*end = 0;
			if (strstr(line, BUFFER) &&
			    sscanf(line, "%llx-", &address) == 1)
				savearea_set(memory, address, look);
		}
		/* A line that does not end has the name of no buffer. */
		kept = strlen(line);
		if (kept == sizeof(lines) - 1)
			kept = 0;
		memmove(lines, line, kept);
	}
}

/* Its number may be another's by now. */
static bool is_there(int pidfd)
{
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };

	return poll(&ended, 1, 0) == 0;
}

static void look_make(const struct look *look)
{
	char path[64];
	int memory, maps;

	snprintf(path, sizeof(path), "/proc/%d/mem", look->pid);
	memory = open(path, O_RDWR | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/maps", look->pid);
	maps = open(path, O_RDONLY | O_CLOEXEC);
	if (memory >= 0 && maps >= 0 && is_there(look->pidfd))
		saveareas_set(memory, maps, look);
	if (maps >= 0)
		close(maps);
	if (memory >= 0)
		close(memory);
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
