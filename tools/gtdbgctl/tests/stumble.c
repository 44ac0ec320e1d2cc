// SPDX-License-Identifier: MIT
/*
 * Preloaded, it has a program stumble at its call number STUMBLE_AT of those that make a
 * core file: with STUMBLE=kill it is killed, before the call where the number is odd, and
 * in the middle of it or behind it where it is even; with STUMBLE=stop it stops before
 * the call, until somebody lets it go on; else the call fails for lack of room.
 * With STUMBLE_NAMES there are no files without names. For corefile.sh and core.sh.
 *
 * With STUMBLE=thread the stopped thread that is looked at as number STUMBLE_AT is found
 * not to be stopped any more. For stepping.sh.
 */
#include "gtdbg.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int calls;

static bool is_wanted(const char *how, int call)
{
	const char *at = getenv("STUMBLE_AT"), *is = getenv("STUMBLE");

	return at && is && strcmp(is, how) == 0 && call == atoi(at);
}

static bool has_no_room(void)
{
	calls++;
	if (is_wanted("kill", calls) && calls % 2)
		raise(SIGKILL);
	if (is_wanted("stop", calls))
		raise(SIGSTOP);
	if (!is_wanted("room", calls))
		return false;
	errno = ENOSPC;
	return true;
}

static void done(void)
{
	if (is_wanted("kill", calls))
		raise(SIGKILL);
}

/* How much of it is written before the program dies. */
static size_t part(size_t len)
{
	return is_wanted("kill", calls) ? (len + 1) / 2 : len;
}

ssize_t pwrite(int fd, const void *buf, size_t len, off_t at)
{
	ssize_t ret = has_no_room() ? -1 : REAL(pwrite)(fd, buf, part(len), at);

	done();
	return ret;
}

ssize_t write(int fd, const void *buf, size_t len)
{
	ssize_t ret = has_no_room() ? -1 : REAL(write)(fd, buf, part(len));

	done();
	return ret;
}

int ftruncate(int fd, off_t len)
{
	int ret = has_no_room() ? -1 : REAL(ftruncate)(fd, len);

	done();
	return ret;
}

int fsync(int fd)
{
	int ret = has_no_room() ? -1 : REAL(fsync)(fd);

	done();
	return ret;
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
	int ret = has_no_room() ? -1 : REAL(linkat)(from, old, to, new, flags);

	done();
	return ret;
}

int renameat(int from, const char *old, int to, const char *new)
{
	int ret = has_no_room() ? -1 : REAL(renameat)(from, old, to, new);

	done();
	return ret;
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;
	int ret;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	if (!(flags & O_CREAT) && (flags & O_TMPFILE) != O_TMPFILE)
		return REAL(openat)(folder, path, flags, mode);
	if (getenv("STUMBLE_NAMES") && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	ret = has_no_room() ? -1 : REAL(openat)(folder, path, flags, mode);
	done();
	return ret;
}

int gtdbg_stop_create(struct gtdbg_session *session,
		      const struct gtdbg_thread_info *thread,
		      struct gtdbg_stop **out)
{
	static int looks;

	return is_wanted("thread", ++looks) ? -ESRCH :
	       REAL(gtdbg_stop_create)(session, thread, out);
}
