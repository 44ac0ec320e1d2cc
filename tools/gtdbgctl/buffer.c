// SPDX-License-Identifier: MIT
/*
 * The program's own buffers, by the table that the hook keeps of them in the launch's
 * folder. The program can write what it likes there: lines that are none are passed
 * over, there is a limit to them, and nothing follows from one but a text.
 */
#include "debugger.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_BYTES	49
#define LINES_MAX	4096
#define ADDRESS_END	(1ull << 48)

static int table_open(const struct debugger *debugger)
{
	char path[PATH_MAX];
	struct stat info;
	int fd;

	if (!debugger->launch)
		return -1;
	snprintf(path, sizeof(path), "%s/buffers.%d",
		 launch_folder(debugger->launch), debugger->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &info) || !S_ISREG(info.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool line_parse(const char *line, struct buffer *out)
{
	unsigned long long address, len;
	char kind, state;

	if (sscanf(line, "%c %10u %16llx %16llx %c", &kind, &out->number,
		   &address, &len, &state) != 5 ||
	    (kind != 'b' && kind != 's') || (state != '+' && state != '-') ||
	    !len || address >= ADDRESS_END || len > ADDRESS_END - address)
		return false;
	out->kind = kind == 'b' ? "buffer" : "SVM allocation";
	out->address = address;
	out->len_bytes = len;
	out->is_gone = state == '-';
	return true;
}

/* How far the buffer is from the address; 0 if it is in it. */
static uint64_t distance(const struct buffer *buffer, uint64_t address)
{
	if (address < buffer->address)
		return buffer->address - address;
	if (address - buffer->address < buffer->len_bytes)
		return 0;
	return address - buffer->address - buffer->len_bytes;
}

static bool is_in(const struct buffer *buffer,
		  const struct gtdbg_memory_mapping *mapping)
{
	return mapping->len_bytes && buffer->address >= mapping->address &&
	       buffer->address - mapping->address < mapping->len_bytes;
}

/* What is there now is meant, rather than what was there. */
static bool is_better(const struct buffer *buffer, const struct buffer *than)
{
	if (buffer->is_gone != than->is_gone)
		return than->is_gone;
	return buffer->distance < than->distance;
}

bool buffer_near(struct debugger *debugger, uint64_t address,
		 const struct gtdbg_memory_mapping *mapping,
		 struct buffer *out)
{
	int fd = table_open(debugger), i;
	char line[LINE_BYTES + 1] = "";
	struct buffer buffer;
	bool is_found = false;

	if (fd < 0)
		return false;
	for (i = 0; i < LINES_MAX &&
	     pread(fd, line, LINE_BYTES, i * LINE_BYTES) == LINE_BYTES; i++) {
		if (!line_parse(line, &buffer) || !is_in(&buffer, mapping))
			continue;
		buffer.distance = distance(&buffer, address);
		if (!is_found || is_better(&buffer, out))
			*out = buffer;
		is_found = true;
	}
	close(fd);
	return is_found;
}
