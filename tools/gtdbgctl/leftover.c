// SPDX-License-Identifier: MIT
/*
 * i915 lists what is on its engines in debugfs: below the engine's name, of the request
 * that runs, "Active[0]: ... @ 500ms: name[pid]", or "name<pid>" when the context was closed,
 * as it is when its process is gone. It is asked to leave then, but only the time-out ends
 * what does not.
 *
 * So the time-out of that engine is on while the leftover is seen there, and no longer.
 * The driver resets an engine for what it has asked to leave, and only if that still runs
 * when time is up. One context is on an engine at a time: who has a stopped thread there
 * is not the leftover, and none but the leftover runs while the time-out is on. If another
 * one's turn comes just as it is set it is taken back long before it is up, which stops the
 * driver's timer.
 */
#include "leftover.h"

#include "setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CARDS_MAX 16
#define END_MS "5000" /* the driver's own for this engine is 7500 */
/* Longer than a program's name may be: those are printed as they are. */
#define RUNS "\t\tActive[0]:  ccid:"
#define SKIPPED "\t\t...skipping " /* so many requests have no line */
#define NAME_FULL 1000000 /* from this number on the driver's room may end before its '>' */
#define REST_BYTES 19 /* a line of the driver's own that ends in a number in brackets is longer */
#define NAMESPACE "/proc/self/ns/pid"
#define NAMESPACE_FIRST "pid:[4026531836]" /* the kernel's, in which the driver counts */

static bool ends_in(const char *line, const char *tail)
{
	size_t length = strlen(line), tail_length = strlen(tail);

	return length >= tail_length &&
	       !strcmp(line + length - tail_length, tail);
}

/* Is it one like rcs0, and nothing else? That becomes part of a path. */
static bool is_engine(const char *line)
{
	size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyz");
	size_t digits = strspn(line + length, "0123456789");

	return length && digits && !line[length + digits] &&
	       length + digits < LEFTOVER_ENGINE_BYTES;
}

/* What comes right behind an engine's name. */
static bool is_awake(const char *line)
{
	int value, length = 0;

	return sscanf(line, "\tAwake? %d%n", &value, &length) == 1 &&
	       line[0] == '\t' && !line[length];
}

/* Is the request of a closed context of process @pid? */
static bool is_of(const char *line, pid_t pid)
{
	char mark[16];

	snprintf(mark, sizeof(mark), "<%d>", (int)pid);
	if (ends_in(line, mark))
		return true;
	mark[strlen(mark) - 1] = 0;
	return pid >= NAME_FULL && ends_in(line, mark);
}

static enum leftover_place line_place(const char *line, pid_t pid)
{
	/* It may be among these. */
	if (!strncmp(line, SKIPPED, strlen(SKIPPED)))
		return LEFTOVER_QUEUED;
	if (!is_of(line, pid))
		return LEFTOVER_NONE;
	return strncmp(line, RUNS, strlen(RUNS)) ? LEFTOVER_QUEUED :
						   LEFTOVER_RUNS;
}

/* The rest of a name that has the end of a line in it, and the number behind that. */
static bool is_rest(const char *line)
{
	size_t length = strlen(line);

	if (!length || length >= REST_BYTES)
		return false;
	if (strchr("]>", line[length - 1]))
		return true;
	while (length && line[length - 1] >= '0' && line[length - 1] <= '9')
		length--;
	return length && strchr("[<", line[length - 1]);
}

/*
 * Programs may have names of 15 bytes, with ends of lines among them: too few to begin a
 * line like that of what runs, but enough to look like another process's number.
 */
enum leftover_place leftover_search(FILE *info, pid_t pid, char *engine)
{
	enum leftover_place found = LEFTOVER_NONE, place = LEFTOVER_NONE;
	char name[LEFTOVER_ENGINE_BYTES] = "", *line = NULL;
	size_t capacity = 0;

	engine[0] = 0;
	while (getline(&line, &capacity, info) >= 0) {
		line[strcspn(line, "\n")] = 0;
		if (place != LEFTOVER_NONE && !is_rest(line))
			found = place;
		place = LEFTOVER_NONE;
		if (found == LEFTOVER_RUNS)
			break;
		if (name[0] && is_awake(line))
			strcpy(engine, name);
		name[0] = 0;
		if (is_engine(line))
			strcpy(name, line);
		place = line_place(line, pid);
		/* Of no engine whose name is known. */
		if (place == LEFTOVER_RUNS && !engine[0])
			place = LEFTOVER_QUEUED;
	}
	free(line);
	return place == LEFTOVER_NONE ? found : place;
}

/* @setting is the time-out of the engine that it is on. */
static enum leftover_place leftover_find(pid_t pid, char *setting, size_t capacity)
{
	enum leftover_place found = LEFTOVER_NONE, place;
	char path[64], engine[LEFTOVER_ENGINE_BYTES];
	FILE *info;
	int card;

	setting[0] = 0;
	for (card = 0; found != LEFTOVER_RUNS && card < CARDS_MAX; card++) {
		snprintf(path, sizeof(path),
			 "/sys/kernel/debug/dri/%d/i915_engine_info", card);
		info = fopen(path, "re");
		if (!info)
			continue;
		place = leftover_search(info, pid, engine);
		fclose(info);
		if (place == LEFTOVER_RUNS)
			snprintf(setting, capacity,
				 "/sys/class/drm/card%d/engine/%s/preempt_timeout_ms",
				 card, engine);
		if (place != LEFTOVER_NONE)
			found = place;
	}
	return found;
}

/* Twice, as the driver may have read it just before, to start its timer just behind. */
void leftover_forget(struct leftover *leftover)
{
	if (!leftover->setting[0])
		return;
	setting_write(leftover->setting, "0");
	usleep(10000);
	setting_write(leftover->setting, "0");
	leftover->setting[0] = 0;
}

static void timeout_set(struct leftover *leftover, const char *setting,
			pid_t pid)
{
	char now[sizeof(leftover->setting)];

	/* Who has ended something else there has switched it off since. */
	if (!strcmp(leftover->setting, setting) &&
	    !setting_read(setting, now, sizeof(now)) && !strcmp(now, END_MS))
		return;
	if (setting_write(setting, END_MS))
		return;
	snprintf(leftover->setting, sizeof(leftover->setting), "%s", setting);
	leftover_find(pid, now, sizeof(now));
	if (strcmp(now, setting) != 0)
		leftover_forget(leftover);
}

/* In another namespace for processes the number may be another one's for the driver. */
static bool counts_as_driver(void)
{
	char name[sizeof(NAMESPACE_FIRST)] = "";

	return readlink(NAMESPACE, name, sizeof(name) - 1) > 0 &&
	       !strcmp(name, NAMESPACE_FIRST);
}

bool leftover_end(struct leftover *leftover, pid_t pid)
{
	char setting[sizeof(leftover->setting)];
	enum leftover_place place;

	if (!counts_as_driver())
		return false;
	place = leftover_find(pid, setting, sizeof(setting));
	if (strcmp(leftover->setting, setting) != 0)
		leftover_forget(leftover);
	if (place == LEFTOVER_RUNS)
		timeout_set(leftover, setting, pid);
	return place != LEFTOVER_NONE;
}
