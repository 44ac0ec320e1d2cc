// SPDX-License-Identifier: MIT
/*
 * The program's own buffers, by the table that the hook keeps of them in the launch's
 * folder, or by a core file. The program can write what it likes there: lines that are
 * none are passed over, there is a limit to them, and nothing follows from one but a text.
 */
#include "debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <gtdbg_core.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_BYTES	49
#define LINES_MAX	4096
#define ADDRESS_END	(1ull << 48)

/* Where a look at them is. */
struct table {
	struct debugger *debugger;
	int fd;			/* -1: there is none */
	unsigned int at;
};

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

static bool kind_find(char letter, enum buffer_kind *out)
{
	static const char letters[] = {
		[BUFFER_CL] = 'b', [BUFFER_SVM] = 's', [BUFFER_USM] = 'u',
	};
	size_t i;

	for (i = BUFFER_CL; i < sizeof(letters); i++) {
		if (letters[i] == letter) {
			*out = i;
			return true;
		}
	}
	return false;
}

static bool line_parse(const char *line, struct buffer *out)
{
	unsigned long long address, len;
	char kind, state;

	if (sscanf(line, "%c %10u %16llx %16llx %c", &kind, &out->number,
		   &address, &len, &state) != 5 ||
	    !kind_find(kind, &out->kind) || (state != '+' && state != '-') ||
	    !len || address >= ADDRESS_END || len > ADDRESS_END - address)
		return false;
	out->address = address;
	out->len_bytes = len;
	out->is_gone = state == '-';
	return true;
}

static bool core_next(struct table *table, struct buffer *out)
{
	struct gtdbg_core_buffer buffer;
	int ret = -EINVAL;

	while (ret == -EINVAL && table->at < LINES_MAX)
		ret = gtdbg_core_buffer_read(table->debugger->session,
					     table->at++, &buffer);
	if (ret)
		return false;
	*out = (struct buffer){
		.kind = (enum buffer_kind)buffer.kind,
		.number = buffer.number, .address = buffer.address,
		.len_bytes = buffer.len_bytes,
		.is_gone = buffer.flags & GTDBG_CORE_BUFFER_F_RELEASED,
	};
	return true;
}

static bool table_next(struct table *table, struct buffer *out)
{
	char line[LINE_BYTES + 1] = "";

	if (table->debugger->is_core)
		return core_next(table, out);
	while (table->fd >= 0 && table->at < LINES_MAX &&
	       pread(table->fd, line, LINE_BYTES,
		     table->at * LINE_BYTES) == LINE_BYTES) {
		table->at++;
		memset(out, 0, sizeof(*out));
		if (line_parse(line, out))
			return true;
	}
	return false;
}

size_t buffer_list(struct debugger *debugger, struct buffer **out)
{
	struct table table = { debugger, table_open(debugger), 0 };
	struct buffer *list = calloc(LINES_MAX, sizeof(*list));
	size_t count = 0;

	while (list && count < LINES_MAX && table_next(&table, &list[count]))
		count++;
	if (table.fd >= 0)
		close(table.fd);
	*out = list;
	return count;
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

bool buffer_has(const struct buffer *buffer, uint64_t address)
{
	return address >= buffer->address &&
	       address - buffer->address < buffer->len_bytes;
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
	struct table table = { debugger, table_open(debugger), 0 };
	struct buffer buffer;
	bool is_found = false;

	while (table_next(&table, &buffer)) {
		if (mapping && !is_in(&buffer, mapping))
			continue;
		buffer.distance = distance(&buffer, address);
		if (!is_found || (mapping ? is_better(&buffer, out) :
					    buffer.distance < out->distance))
			*out = buffer;
		is_found = true;
	}
	if (table.fd >= 0)
		close(table.fd);
	return is_found;
}
