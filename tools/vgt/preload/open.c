// SPDX-License-Identifier: MIT
/*
 * The calls by which libraries find GPUs. Only paths of render nodes are looked
 * at; everything else goes where it went before.
 */
#include "node.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define FOLDER "/dev/dri"
#define NODE FOLDER "/renderD128"
#define DRM_MAJOR 226
#define DRM_MINOR 128
#define DEVICE_LINK "/sys/dev/char/226:128"
#define DEVICE_PATH "../../devices/pci0000:00/0000:00:02.0/drm/renderD128"

#define NEXT(function) ((__typeof__(&(function)))next_find(NEXT_##function))

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

enum {
	NEXT_open,
	NEXT_open64,
	NEXT___open_2,
	NEXT___open64_2,
	NEXT_access,
	NEXT_opendir,
	NEXT_readlink,
	NEXT_fstat,
	NEXT_stat,
	NEXT_ioctl,
	NEXT_COUNT,
};

static const char *const next_name[NEXT_COUNT] = {
	"open", "open64", "__open_2", "__open64_2", "access", "opendir",
	"readlink", "fstat", "stat", "ioctl",
};
static _Atomic(void *) next[NEXT_COUNT];

/*
 * Once, before the program runs: dlsym() forgets what dlerror() has to say, and waits
 * for who loads a library. Others' constructors may be before that.
 */
static void *next_find(int which)
{
	void *call = atomic_load(&next[which]);

	if (call)
		return call;
	call = dlsym(RTLD_NEXT, next_name[which]);
	atomic_store(&next[which], call);
	return call;
}

static void __attribute__((constructor)) next_init(void)
{
	for (int i = 0; i < NEXT_COUNT; i++)
		next_find(i);
}

enum {
	PATH_OTHER,
	PATH_NODE,
	PATH_HIDDEN, /* another GPU, which the program is not to use */
};

static int path_kind(const char *path)
{
	size_t len = strlen(FOLDER);

	if (!path || strncmp(path, FOLDER, len) ||
	    (path[len] && path[len] != '/'))
		return PATH_OTHER;
	if (!strcmp(path, NODE))
		return PATH_NODE;
	return path[len] ? PATH_HIDDEN : PATH_OTHER;
}

static mode_t mode_get(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

/* -2: it is no path of ours. */
static int open_ours(const char *path, int flags)
{
	switch (path_kind(path)) {
	case PATH_NODE:
		return vgt_node_open(flags);
	case PATH_HIDDEN:
		errno = ENOENT;
		return -1;
	default:
		return -2;
	}
}

VGT_EXPORT int open(const char *path, int flags, ...)
{
	int fd = open_ours(path, flags);
	va_list args;
	mode_t mode;

	if (fd != -2)
		return fd;
	va_start(args, flags);
	mode = mode_get(flags, args);
	va_end(args);
	return NEXT(open)(path, flags, mode);
}

VGT_EXPORT int open64(const char *path, int flags, ...)
{
	int fd = open_ours(path, flags);
	va_list args;
	mode_t mode;

	if (fd != -2)
		return fd;
	va_start(args, flags);
	mode = mode_get(flags, args);
	va_end(args);
	return NEXT(open64)(path, flags, mode);
}

VGT_EXPORT int __open_2(const char *path, int flags)
{
	int fd = open_ours(path, flags);

	return fd != -2 ? fd : NEXT(__open_2)(path, flags);
}

VGT_EXPORT int __open64_2(const char *path, int flags)
{
	int fd = open_ours(path, flags);

	return fd != -2 ? fd : NEXT(__open64_2)(path, flags);
}

VGT_EXPORT int access(const char *path, int mode)
{
	switch (path_kind(path)) {
	case PATH_NODE:
		return 0;
	case PATH_HIDDEN:
		errno = ENOENT;
		return -1;
	default:
		return NEXT(access)(path, mode);
	}
}

VGT_EXPORT DIR *opendir(const char *path)
{
	if (path_kind(path) != PATH_HIDDEN)
		return NEXT(opendir)(path);
	errno = ENOENT;
	return NULL;
}

VGT_EXPORT ssize_t readlink(const char *path, char *out, size_t room)
{
	size_t len = strlen(DEVICE_PATH);

	if (!path || strcmp(path, DEVICE_LINK))
		return NEXT(readlink)(path, out, room);
	if (len > room)
		len = room;
	memcpy(out, DEVICE_PATH, len);
	return (ssize_t)len;
}

static void status_node(struct stat *status)
{
	memset(status, 0, sizeof(*status));
	status->st_mode = S_IFCHR | 0666;
	status->st_nlink = 1;
	status->st_rdev = makedev(DRM_MAJOR, DRM_MINOR);
}

VGT_EXPORT int fstat(int fd, struct stat *status)
{
	if (!vgt_node_is(fd))
		return NEXT(fstat)(fd, status);
	status_node(status);
	return 0;
}

VGT_EXPORT int stat(const char *path, struct stat *status)
{
	switch (path_kind(path)) {
	case PATH_NODE:
		status_node(status);
		return 0;
	case PATH_HIDDEN:
		errno = ENOENT;
		return -1;
	default:
		return NEXT(stat)(path, status);
	}
}

/* Only what is of DRM's type can be for us. */
VGT_EXPORT int ioctl(int fd, unsigned long request, ...)
{
	void *argument;
	va_list args;
	int ret, state;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (_IOC_TYPE(request) != 'd' || !vgt_node_is(fd))
		return NEXT(ioctl)(fd, request, argument);
	/* An ioctl is no place where threads are cancelled; what it does here is. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	ret = vgt_node_ioctl(request, argument);
	pthread_setcancelstate(state, NULL);
	if (!ret)
		return 0;
	errno = -ret;
	return -1;
}
