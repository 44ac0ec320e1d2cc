// SPDX-License-Identifier: MIT
/*
 * The driver says why it resets an engine in the kernel's log, and nowhere else. Who may not
 * read that learns which of its time-outs are on.
 */
#include "reset.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOG_FILE "/dev/kmsg"
#define RECORD_BYTES 8192 /* the longest one */
#define RECORDS_MAX 65536 /* others may write as fast as we read */

int reset_log_open(void)
{
	int log = open(LOG_FILE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (log < 0)
		return -errno;
	if (lseek(log, 0, SEEK_END) < 0) {
		close(log);
		return -EIO;
	}
	return log;
}

void reset_log_close(int log)
{
	if (log >= 0)
		close(log);
}

/* In "6,123,456789,-;i915 0000:00:02.0: [drm] Resetting rcs0 for stopped heartbeat". */
static const char *record_reset(char *record, const char *slot)
{
	char *text = strchr(record, ';'), driver[64];

	if (!text)
		return NULL;
	text[strcspn(text, "\n")] = 0;
	snprintf(driver, sizeof(driver), ";i915 %s: ", slot);
	if (strncmp(text, driver, strlen(driver)) != 0)
		return NULL;
	text = strstr(text, "Resetting ");
	if (!text || (strncmp(text, "Resetting rcs", 13) != 0 &&
		      strncmp(text, "Resetting chip", 14) != 0))
		return NULL;
	return text;
}

/* The last one is the one that is told of. */
static bool log_search(int log, const char *slot, char *why, size_t capacity)
{
	char record[RECORD_BYTES + 1];
	const char *reset;
	bool found = false;
	ssize_t len;

	for (int i = 0; i < RECORDS_MAX; i++) {
		len = read(log, record, RECORD_BYTES);
		/* Some were overwritten before we came: there are later ones. */
		if (len < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (len <= 0)
			break;
		record[len] = 0;
		reset = record_reset(record, slot);
		if (!reset)
			continue;
		found = true;
		snprintf(why, capacity, "it says \"%s\"", reset);
	}
	return found;
}

/* In milliseconds; 0: off, or not known. */
static unsigned int timeout_read(const char *slot, const char *name)
{
	unsigned int ms = 0;
	char pattern[128];
	glob_t found;
	FILE *file;

	snprintf(pattern, sizeof(pattern),
		 "/sys/bus/pci/devices/%s/drm/card*/engine/rcs0/%s", slot, name);
	if (glob(pattern, 0, NULL, &found))
		return 0;
	file = fopen(found.gl_pathv[0], "re");
	globfree(&found);
	if (!file)
		return 0;
	if (fscanf(file, "%u", &ms) != 1)
		ms = 0;
	fclose(file);
	return ms;
}

void reset_explain(int log, const char *slot, char *why, size_t capacity)
{
	unsigned int heartbeat, preempt;

	if (log >= 0 && log_search(log, slot, why, capacity))
		return;
	heartbeat = timeout_read(slot, "heartbeat_interval_ms");
	preempt = timeout_read(slot, "preempt_timeout_ms");
	if (heartbeat || preempt)
		snprintf(why, capacity,
			 "its hang detection is on (heartbeat_interval_ms %u, preempt_timeout_ms %u)",
			 heartbeat, preempt);
	else
		snprintf(why, capacity, "%s",
			 log >= 0 ? "it does not say why" :
				    "the kernel's log says why, which you may not read");
}
