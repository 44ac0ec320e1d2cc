// SPDX-License-Identifier: MIT
/*
 * The driver's settings, as files in a folder of our own, to which all paths of the tool's
 * lead here. With lockdown those of debugfs can be seen, and not opened.
 */
#include "../debugger.h"
#include "../gpu.h"
#include "../hang.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define DEBUGFS "/sys/kernel/debug/"
#define HEARTBEAT "/sys/class/drm/card0/engine/rcs0/heartbeat_interval_ms"
#define PREEMPT "/sys/class/drm/card0/engine/rcs0/preempt_timeout_ms"
#define REQUEST DEBUGFS "dri/0/i915_params/request_timeout_ms"

/* What the tool's other parts would say. */
volatile sig_atomic_t wait_is_interrupted;

static char folder[32] = "/tmp/hangXXXXXX";
static bool is_locked;
static int count, failed;

void gpu_await_all(unsigned int timeout_s)
{
	(void)timeout_s;
}

bool gpu_is_debuggable(void)
{
	return true;
}

static bool is_ours(const char *path)
{
	return !strncmp(path, "/sys/", 5) || !strncmp(path, "/run/", 5);
}

static const char *moved(const char *path)
{
	static char there[PATH_MAX];

	if (!is_ours(path))
		return path;
	snprintf(there, sizeof(there), "%s%s", folder, path);
	return there;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	if (is_locked && !strncmp(path, DEBUGFS, strlen(DEBUGFS))) {
		errno = EPERM;
		return -1;
	}
	return REAL(open)(moved(path), flags, mode);
}

int access(const char *path, int mode)
{
	return REAL(access)(moved(path), mode);
}

int glob(const char *pattern, int flags, int (*fails)(const char *path, int error),
	 glob_t *found)
{
	int ret = REAL(glob)(moved(pattern), flags, fails, found);
	size_t len = strlen(folder), i;

	for (i = 0; !ret && i < found->gl_pathc; i++)
		memmove(found->gl_pathv[i], found->gl_pathv[i] + len,
			strlen(found->gl_pathv[i] + len) + 1);
	return ret;
}

/* With all folders on the way. */
static void setting_make(const char *path, const char *value)
{
	char there[PATH_MAX], *at = there + strlen(folder);
	FILE *file;

	snprintf(there, sizeof(there), "%s", moved(path));
	while ((at = strchr(at + 1, '/'))) {
		*at = 0;
		mkdir(there, 0700);
		*at = '/';
	}
	file = value ? fopen(there, "w") : NULL;
	if (!file)
		return;
	fputs(value, file);
	fclose(file);
}

/* Files keep what a shorter text does not reach: the first line counts, as in sysfs. */
static bool setting_is(const char *path, const char *value)
{
	FILE *file = fopen(moved(path), "r");
	char line[64] = "";

	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = 0;
	fclose(file);
	return !strncmp(line, value, strlen(value));
}

static void check(bool is_right, const char *name)
{
	printf("%sok %d - %s\n", is_right ? "" : "not ", ++count, name);
	failed |= !is_right;
}

/* What a session that begins says on stderr. */
static struct hang *disable(char said[], size_t capacity)
{
	int saved = dup(2);
	FILE *file = tmpfile();
	struct hang *hang;
	size_t len;

	dup2(fileno(file), 2);
	hang = hang_disable();
	dup2(saved, 2);
	close(saved);
	rewind(file);
	len = fread(said, 1, capacity - 1, file);
	said[len] = 0;
	fclose(file);
	if (len)
		printf("# %s", said);
	return hang;
}

static void settings_make(void)
{
	setting_make(HEARTBEAT, "2500");
	setting_make(PREEMPT, "7500");
	setting_make(REQUEST, "20000");
	setting_make("/run/x", NULL);
}

static void test_all(void)
{
	char said[512];
	struct hang *hang;

	is_locked = false;
	settings_make();
	check(hang_is_ours(), "it can be switched off");
	hang = disable(said, sizeof(said));
	check(hang && !*said, "a session says nothing");
	check(setting_is(HEARTBEAT, "0") && setting_is(PREEMPT, "0") &&
	      setting_is(REQUEST, "0"), "and all settings are off");
	hang_restore(hang);
	check(setting_is(HEARTBEAT, "2500") && setting_is(PREEMPT, "7500") &&
	      setting_is(REQUEST, "20000"), "they are put back");
}

static void test_locked(void)
{
	char said[512];
	struct hang *hang;

	is_locked = true;
	settings_make();
	check(!hang_is_ours(), "under lockdown not all of it can");
	hang = disable(said, sizeof(said));
	check(hang && strstr(said, "more than 20 seconds"), "a session says how long is left");
	check(setting_is(HEARTBEAT, "0") && setting_is(PREEMPT, "0"),
	      "and the others are off");
	hang_restore(hang);
	check(setting_is(HEARTBEAT, "2500") && setting_is(PREEMPT, "7500") &&
	      setting_is(REQUEST, "20000"), "they are put back");
}

int main(void)
{
	char command[64];

	if (!mkdtemp(folder))
		return 1;
	printf("TAP version 13\n1..8\n");
	fflush(stdout);
	test_all();
	test_locked();
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command) || failed;
}
