// SPDX-License-Identifier: MIT
/*
 * i915 has three settings by which it takes a context off an engine. What they were
 * stands in a file, on which each session holds a lock: the last one that lets go
 * of it puts them back. A process of its own does so (the keeper), which lives a
 * little longer than the tool, whatever ends that.
 */
#include "hang.h"

#include "debugger.h"
#include "gpu.h"
#include "leftover.h"
#include "setting.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATE_FILE "/run/gtdbg-i915"
#define LINE_BYTES 512
#define DEBUGFS "/sys/kernel/debug/dri"
#define NOTICE_MS 1000
#define ENDING_S 60 /* several times what the driver needs to end a context */
#define LOOK_MS 100
#define WARDS_MAX 16

/*
 * Each is in milliseconds, and 0: never. The last one is copied from the module's
 * parameter to the device when that is bound, and by each context when it is made.
 */
static const char *const settings[] = {
	"/sys/class/drm/card*/engine/*/heartbeat_interval_ms",
	"/sys/class/drm/card*/engine/*/preempt_timeout_ms",
	DEBUGFS "/*/i915_params/request_timeout_ms",
};

struct hang {
	int life;	/* the keeper's work begins when this is closed; takes processes */
	int answer;	/* and has been done when this ends */
};

/* Calls @act for each setting that there is. */
static int settings_each(int (*act)(const char *path, FILE *state), FILE *state)
{
	size_t i, j;
	glob_t found;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (!glob(settings[i], 0, NULL, &found))
			for (j = 0; !ret && j < found.gl_pathc; j++)
				ret = act(found.gl_pathv[j], state);
		globfree(&found);
	}
	return ret;
}

static int setting_check(const char *path, FILE *state)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	(void)state;
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Lockdown refuses all of debugfs that can be written: as if it were not there. */
static bool is_locked(const char *path)
{
	return !strncmp(path, DEBUGFS, strlen(DEBUGFS)) &&
	       setting_check(path, NULL);
}

static int setting_note(const char *path, FILE *state)
{
	char value[64];
	int ret;

	if (is_locked(path))
		return 0;
	ret = setting_read(path, value, sizeof(value));
	if (!ret)
		fprintf(state, "%s %s\n", path, value);
	return ret;
}

static int setting_clear(const char *path, FILE *state)
{
	(void)state;
	return is_locked(path) ? 0 : setting_write(path, "0");
}

bool hang_is_ours(void)
{
	return !access(DEBUGFS, X_OK) && !settings_each(setting_check, NULL);
}

/* A time-out that is set again ends what still stands on an engine. */
static void settings_restore(FILE *state)
{
	char line[LINE_BYTES], path[LINE_BYTES], value[64];

	rewind(state);
	while (fgets(line, sizeof(line), state))
		if (sscanf(line, "%511s %63s", path, value) == 2)
			setting_write(path, value);
	if (ftruncate(fileno(state), 0))
		perror(STATE_FILE);
}

static int lock_set(FILE *state, int kind, int command)
{
	struct flock lock = { .l_type = kind, .l_whence = SEEK_SET };

	return fcntl(fileno(state), command, &lock) ? -errno : 0;
}

static FILE *state_open(void)
{
	int fd = open(STATE_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		      0600);

	return fd < 0 ? NULL : fdopen(fd, "r+");
}

static bool state_is_empty(FILE *state)
{
	struct stat info;

	return fstat(fileno(state), &info) || !info.st_size;
}

/* One whose keeper was killed has left written down what it was before that. */
static int settings_clear(FILE *state)
{
	int ret = 0;

	if (state_is_empty(state)) {
		/* As after a session that could not have them switched off. */
		gpu_await_all(ENDING_S);
		ret = settings_each(setting_note, state);
	}
	if (!ret && fflush(state))
		ret = -EIO;
	if (!ret)
		ret = settings_each(setting_clear, NULL);
	/* This does not let anyone in between, as flock() would. */
	return ret ? ret : lock_set(state, F_RDLCK, F_OFD_SETLKW);
}

/* Who comes first has the lock alone until all is off. */
static int settings_disable(FILE *state)
{
	int ret;

	while (lock_set(state, F_WRLCK, F_OFD_SETLK)) {
		ret = lock_set(state, F_RDLCK, F_OFD_SETLKW);
		if (ret || !state_is_empty(state))
			return ret;
		/* The last one has let go of it in between. */
		lock_set(state, F_UNLCK, F_OFD_SETLK);
	}
	return settings_clear(state);
}

/*
 * Of those that let go at once, one gets it afterwards. What a killed program has
 * left on the engine, the driver ends now; a session that began before that would
 * switch its detection off again, and wait for the engine for ever. So the next one
 * gets the lock when the engine takes other work.
 */
static void settings_leave(FILE *state, int answer)
{
	bool is_last;

	lock_set(state, F_UNLCK, F_OFD_SETLK);
	is_last = !lock_set(state, F_WRLCK, F_OFD_SETLK);
	if (is_last)
		settings_restore(state);
	close(answer);
	if (is_last)
		gpu_await_all(ENDING_S);
}

/* Neither a signal for the terminal's group nor a descriptor keeps it. */
static void keeper_detach(int life, int answer)
{
	int null = open("/dev/null", O_RDWR), low, high;

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	setsid();
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	low = life < answer ? life : answer;
	high = life < answer ? answer : life;
	close_range(3, low - 1, 0);
	close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0U, 0);
}

/* A program of the session. */
struct ward {
	pid_t pid;
	int fd; /* of the process; -1: it is gone */
	struct leftover leftover;
};

struct wards {
	struct ward ward[WARDS_MAX];
	int count;
	bool are_killed;
};

static void wards_add(struct wards *wards, pid_t pid)
{
	int fd = syscall(SYS_pidfd_open, pid, 0);

	if (wards->count < WARDS_MAX && (fd >= 0 || errno == ESRCH))
		wards->ward[wards->count++] = (struct ward){
			.pid = pid, .fd = fd,
		};
	else if (fd >= 0)
		close(fd);
}

static void wards_remove(struct wards *wards, int at)
{
	if (wards->ward[at].fd >= 0)
		close(wards->ward[at].fd);
	wards->ward[at] = wards->ward[--wards->count];
}

static bool ward_is_gone(struct ward *ward)
{
	struct pollfd gone = { .fd = ward->fd, .events = POLLIN };

	if (ward->fd >= 0 && poll(&gone, 1, 0) > 0) {
		close(ward->fd);
		ward->fd = -1;
	}
	return ward->fd < 0;
}

/* Of those that are gone, and leave nothing, nobody has to know any more. */
static void wards_look(struct wards *wards)
{
	struct ward *ward;

	for (int i = wards->count - 1; i >= 0; i--) {
		ward = &wards->ward[i];
		if (ward_is_gone(ward) &&
		    !leftover_end(&ward->leftover, ward->pid))
			wards_remove(wards, i);
	}
}

/* Those that a debugger has let go of run on. */
static void wards_release(struct wards *wards)
{
	for (int i = wards->count - 1; i >= 0; i--)
		if (!ward_is_gone(&wards->ward[i]) && !wards->are_killed)
			wards_remove(wards, i);
}

/* False: the session has ended. */
static bool wards_hear(struct wards *wards, int life)
{
	pid_t pid;

	if (recv(life, &pid, sizeof(pid), 0) != sizeof(pid))
		return false;
	if (pid)
		wards_add(wards, pid);
	else
		wards->are_killed = true;
	return true;
}

/* Until something happens, or it is time to look again. True: somebody has something to say. */
static bool wards_wait(const struct wards *wards, int life)
{
	struct pollfd wait[WARDS_MAX + 1] = {
		{ .fd = life, .events = POLLIN },
	};
	int timeout = -1;

	for (int i = 0; i < wards->count; i++) {
		wait[i + 1].fd = wards->ward[i].fd;
		wait[i + 1].events = POLLIN;
		if (wards->ward[i].fd < 0)
			timeout = LOOK_MS;
	}
	return poll(wait, wards->count + 1, timeout) > 0 && wait[0].revents;
}

static void wards_keep(struct wards *wards, int life)
{
	while (!wards_wait(wards, life) || wards_hear(wards, life))
		wards_look(wards);
	wards_release(wards);
}

/*
 * While others are on nobody else ends what is left. The lock is kept meanwhile, so that
 * nobody puts the settings back before; when the others have gone that is done here. Two that
 * see something there which is none of their wards' do not wait for each other for ever.
 */
static void wards_end(struct wards *wards, FILE *state, int *answer)
{
	int looks = ENDING_S * 1000 / LOOK_MS;

	while (wards->count && looks-- && lock_set(state, F_WRLCK, F_OFD_SETLK)) {
		close(*answer);
		*answer = -1;
		wards_look(wards);
		poll(NULL, 0, LOOK_MS);
	}
	while (wards->count) {
		leftover_forget(&wards->ward[wards->count - 1].leftover);
		wards_remove(wards, wards->count - 1);
	}
}

static void keeper_run(int life, int answer)
{
	struct wards wards = { .count = 0 };
	FILE *state;
	int ret;

	keeper_detach(life, answer);
	state = state_open();
	ret = state ? settings_disable(state) : -errno;
	if (write(answer, &ret, sizeof(ret)) != sizeof(ret))
		ret = -EIO;
	if (!ret) {
		wards_keep(&wards, life);
		wards_end(&wards, state, &answer);
	}
	if (state)
		settings_leave(state, answer);
	_exit(0);
}

/* Nobody waits for it, so it is nobody's child. */
static void keeper_become(int life[2], int answer[2])
{
	close(life[1]);
	close(answer[0]);
	if (!fork())
		keeper_run(life[0], answer[1]);
	_exit(0);
}

/* What the driver has to end before is not ended at once. */
static int keeper_await(const struct hang *hang)
{
	struct pollfd wait = { .fd = hang->answer, .events = POLLIN };
	int ret;

	if (!poll(&wait, 1, NOTICE_MS))
		fputs("gtdbgctl: waiting for the driver to end what another program has left on the GPU\n",
		      stderr);
	while (!wait_is_interrupted && poll(&wait, 1, NOTICE_MS) <= 0)
		;
	if (wait_is_interrupted)
		return -EINTR;
	return read(hang->answer, &ret, sizeof(ret)) == sizeof(ret) ? ret :
								      -EIO;
}

static int keeper_start(struct hang *hang, int life[2], int answer[2])
{
	pid_t child = fork();

	if (!child)
		keeper_become(life, answer);
	close(life[0]);
	close(answer[1]);
	hang->life = life[1];
	hang->answer = answer[0];
	if (child < 0)
		return -EAGAIN;
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return keeper_await(hang);
}

static int hang_init(struct hang *hang)
{
	int life[2], answer[2], ret;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, life))
		return -errno;
	if (!pipe2(answer, O_CLOEXEC))
		return keeper_start(hang, life, answer);
	ret = -errno;
	close(life[0]);
	hang->life = life[1];
	return ret;
}

void hang_note(struct hang *hang, pid_t pid)
{
	/* Without a keeper there is nothing to be kept. */
	if (hang)
		send(hang->life, &pid, sizeof(pid), MSG_NOSIGNAL);
}

void hang_note_kill(struct hang *hang)
{
	hang_note(hang, 0);
}

/* All but one setting, which is in debugfs. */
static void hang_say_rest(void)
{
	if (access(DEBUGFS, F_OK))
		fputs("gtdbgctl: " DEBUGFS " is not there (mount debugfs): what is stopped for more than 20 seconds may be ended\n",
		      stderr);
	else if (!hang_is_ours())
		fputs("gtdbgctl: " DEBUGFS " is locked (by Secure Boot?): what is stopped for more than 20 seconds may be ended\n",
		      stderr);
}

struct hang *hang_disable(void)
{
	struct hang *hang = calloc(1, sizeof(*hang));
	int ret;

	if (!hang)
		return NULL;
	hang->life = -1;
	hang->answer = -1;
	ret = hang_init(hang);
	if (!ret) {
		hang_say_rest();
		return hang;
	}
	fprintf(stderr, "gtdbgctl: cannot switch off the driver's hang detection: %s; what is stopped for more than 14 to 20 seconds may be ended\n",
		strerror(-ret));
	hang_restore(hang);
	return NULL;
}

struct hang *hang_disable_for(pid_t pid)
{
	struct hang *hang = gpu_is_debuggable() ? hang_disable() : NULL;

	hang_note(hang, pid);
	return hang;
}

void hang_restore(struct hang *hang)
{
	ssize_t got;
	char byte;

	if (!hang)
		return;
	if (hang->life >= 0)
		close(hang->life);
	if (hang->answer >= 0) {
		do
			got = read(hang->answer, &byte, sizeof(byte));
		while (got > 0 || (got < 0 && errno == EINTR));
		close(hang->answer);
	}
	free(hang);
}
