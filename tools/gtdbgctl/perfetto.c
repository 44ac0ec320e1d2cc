// SPDX-License-Identifier: MIT
/*
 * Written by hand: of the format's thousand messages these few are needed, its
 * description is not part of Debian, and a message is but fields with a number, each
 * an integer of variable length or bytes with a length before them. That of a message
 * gets four bytes, as it is known last.
 */
#include "perfetto.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull
#define LENGTH_BYTES 4
#define VARINT_BYTES 10 /* at most */

/* How a field is laid out: the lower three bits of its key. */
#define WIRE_VARINT 0
#define WIRE_FIXED64 1
#define WIRE_BYTES 2

/* Numbers of fields. */
#define TRACE_PACKET 1
#define PACKET_CLOCK_SNAPSHOT 6
#define PACKET_TIMESTAMP 8
#define PACKET_SEQUENCE 10
#define PACKET_TRACK_EVENT 11
#define PACKET_TIMESTAMP_CLOCK 58
#define PACKET_TRACK_DESCRIPTOR 60
#define SNAPSHOT_CLOCK 1
#define SNAPSHOT_PRIMARY 2
#define CLOCK_ID 1
#define CLOCK_TIMESTAMP 2
#define TRACK_UUID 1
#define TRACK_NAME 2
#define TRACK_PROCESS 3
#define TRACK_THREAD 4
#define TRACK_PARENT 5
#define TRACK_COUNTER 8
#define PROCESS_PID 1
#define PROCESS_NAME 6
#define THREAD_PID 1
#define THREAD_TID 2
#define THREAD_NAME 5
#define EVENT_ANNOTATION 4
#define EVENT_TYPE 9
#define EVENT_TRACK 11
#define EVENT_NAME 23
#define EVENT_COUNTER 30
#define EVENT_FLOW 47
#define EVENT_FLOW_LAST 48
#define ANNOTATION_UINT 3
#define ANNOTATION_STRING 6
#define ANNOTATION_POINTER 7
#define ANNOTATION_NAME 10

/* Numbers of clocks. */
#define CLOCK_ID_REALTIME 1
#define CLOCK_ID_MONOTONIC 3
#define CLOCK_ID_BOOTTIME 6

#define SEQUENCE 1 /* all packets are of one writer */

static void put(struct perfetto *perfetto, const void *bytes, size_t len)
{
	if (len > sizeof(perfetto->buf) - perfetto->len) {
		perfetto->has_overrun = true;
		return;
	}
	memcpy(perfetto->buf + perfetto->len, bytes, len);
	perfetto->len += len;
}

static void put_varint(struct perfetto *perfetto, uint64_t value)
{
	uint8_t *at = perfetto->buf + perfetto->len;

	if (sizeof(perfetto->buf) - perfetto->len < VARINT_BYTES) {
		perfetto->has_overrun = true;
		return;
	}
	for (; value >= 0x80; value >>= 7)
		*at++ = (uint8_t)value | 0x80;
	*at++ = (uint8_t)value;
	perfetto->len = at - perfetto->buf;
}

static void put_key(struct perfetto *perfetto, uint32_t field, uint32_t wire)
{
	put_varint(perfetto, field << 3 | wire);
}

static void put_uint(struct perfetto *perfetto, uint32_t field, uint64_t value)
{
	put_key(perfetto, field, WIRE_VARINT);
	put_varint(perfetto, value);
}

/* What sort of row it is are its upper bits; as lower ones they make a number shorter. */
static void put_row(struct perfetto *perfetto, uint32_t field, uint64_t row)
{
	put_uint(perfetto, field, row << 4 | row >> 60);
}

static void put_string(struct perfetto *perfetto, uint32_t field,
		       const char *text)
{
	size_t len = strlen(text);

	put_key(perfetto, field, WIRE_BYTES);
	put_varint(perfetto, len);
	put(perfetto, text, len);
}

static void message_begin(struct perfetto *perfetto, uint32_t field)
{
	static const uint8_t nothing[LENGTH_BYTES];

	put_key(perfetto, field, WIRE_BYTES);
	put(perfetto, nothing, sizeof(nothing));
	perfetto->open[perfetto->depth++] = perfetto->len;
}

static void message_end(struct perfetto *perfetto)
{
	size_t begin = perfetto->open[--perfetto->depth], i;
	size_t len = perfetto->len - begin;

	if (perfetto->has_overrun)
		return;
	for (i = 0; i < LENGTH_BYTES; i++, len >>= 7)
		perfetto->buf[begin - LENGTH_BYTES + i] =
			(len & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0);
}

static void packet_begin(struct perfetto *perfetto)
{
	perfetto->len = 0;
	perfetto->depth = 0;
	perfetto->has_overrun = false;
	message_begin(perfetto, TRACE_PACKET);
	put_uint(perfetto, PACKET_SEQUENCE, SEQUENCE);
}

/* Nothing is written behind what could not be, nor is a part of it left there. */
static void page_write(struct perfetto *perfetto)
{
	size_t written = perfetto->page_written;
	ssize_t ret;

	while (!perfetto->error && written < perfetto->page_len) {
		ret = write(perfetto->fd, perfetto->page + written,
			    perfetto->page_len - written);
		if (ret > 0)
			written += ret;
		else if (!ret || errno != EINTR)
			perfetto->error = ret ? -errno : -EIO;
	}
	/* In a pipe it is lost. */
	if (perfetto->error && written > perfetto->page_written &&
	    ftruncate(perfetto->fd, perfetto->file_len))
		return;
	perfetto->file_len += written - perfetto->page_written;
	perfetto->page_written = written;
}

/* A packet without an event, which says nothing but whose it is, and that often. */
static void page_pad(struct perfetto *perfetto)
{
	static const uint8_t key = PACKET_SEQUENCE << 3 | WIRE_VARINT;
	uint8_t *at = perfetto->page + perfetto->page_len;
	uint8_t *end = perfetto->page + PERFETTO_PAGE;
	size_t len = end - at - 3;

	*at++ = TRACE_PACKET << 3 | WIRE_BYTES;
	*at++ = (len & 0x7f) | 0x80;
	*at++ = len >> 7;
	/* The number may have a byte too much. */
	if (len % 2) {
		*at++ = key;
		*at++ = SEQUENCE | 0x80;
		*at++ = 0;
	}
	while (at < end) {
		*at++ = key;
		*at++ = SEQUENCE;
	}
	perfetto->page_len = PERFETTO_PAGE;
}

static bool page_has_room(const struct perfetto *perfetto)
{
	size_t room = PERFETTO_PAGE - perfetto->page_len;

	return room == perfetto->len || room >= perfetto->len + PERFETTO_PADDING;
}

/* What could not be written shows at the end. */
static void packet_end(struct perfetto *perfetto)
{
	message_end(perfetto);
	if (perfetto->has_overrun || !perfetto->is_open)
		return;
	if (!page_has_room(perfetto)) {
		if (perfetto->page_len < PERFETTO_PAGE)
			page_pad(perfetto);
		page_write(perfetto);
		perfetto->page_len = 0;
		perfetto->page_written = 0;
	}
	memcpy(perfetto->page + perfetto->page_len, perfetto->buf, perfetto->len);
	perfetto->page_len += perfetto->len;
	perfetto->packets++;
}

static void snapshot_clock(struct perfetto *perfetto, uint32_t id,
			   clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	message_begin(perfetto, SNAPSHOT_CLOCK);
	put_uint(perfetto, CLOCK_ID, id);
	put_uint(perfetto, CLOCK_TIMESTAMP,
		 now.tv_sec * NS_PER_S + now.tv_nsec);
	message_end(perfetto);
}

void perfetto_begin(struct perfetto *perfetto, int fd)
{
	perfetto->is_open = true;
	perfetto->fd = fd;
	perfetto->page_len = 0;
	perfetto->page_written = 0;
	perfetto->file_len = 0;
	perfetto->packets = 0;
	perfetto->error = 0;
	packet_begin(perfetto);
	message_begin(perfetto, PACKET_CLOCK_SNAPSHOT);
	snapshot_clock(perfetto, CLOCK_ID_MONOTONIC, CLOCK_MONOTONIC);
	snapshot_clock(perfetto, CLOCK_ID_BOOTTIME, CLOCK_BOOTTIME);
	snapshot_clock(perfetto, CLOCK_ID_REALTIME, CLOCK_REALTIME);
	put_uint(perfetto, SNAPSHOT_PRIMARY, CLOCK_ID_MONOTONIC);
	message_end(perfetto);
	packet_end(perfetto);
}

static void row_begin(struct perfetto *perfetto, uint64_t row)
{
	packet_begin(perfetto);
	message_begin(perfetto, PACKET_TRACK_DESCRIPTOR);
	put_row(perfetto, TRACK_UUID, row);
}

static void row_end(struct perfetto *perfetto)
{
	message_end(perfetto);
	packet_end(perfetto);
}

void perfetto_process(struct perfetto *perfetto, uint64_t row, int pid,
		      const char *name)
{
	row_begin(perfetto, row);
	message_begin(perfetto, TRACK_PROCESS);
	put_uint(perfetto, PROCESS_PID, pid);
	put_string(perfetto, PROCESS_NAME, name);
	message_end(perfetto);
	row_end(perfetto);
}

void perfetto_thread(struct perfetto *perfetto, uint64_t row, int pid, int tid,
		     const char *name)
{
	row_begin(perfetto, row);
	message_begin(perfetto, TRACK_THREAD);
	put_uint(perfetto, THREAD_PID, pid);
	put_uint(perfetto, THREAD_TID, tid);
	put_string(perfetto, THREAD_NAME, name);
	message_end(perfetto);
	row_end(perfetto);
}

void perfetto_row(struct perfetto *perfetto, uint64_t row, uint64_t parent,
		  const char *name)
{
	row_begin(perfetto, row);
	if (parent)
		put_row(perfetto, TRACK_PARENT, parent);
	put_string(perfetto, TRACK_NAME, name);
	row_end(perfetto);
}

void perfetto_counter(struct perfetto *perfetto, uint64_t row, uint64_t parent,
		      const char *name)
{
	row_begin(perfetto, row);
	if (parent)
		put_row(perfetto, TRACK_PARENT, parent);
	put_string(perfetto, TRACK_NAME, name);
	message_begin(perfetto, TRACK_COUNTER);
	message_end(perfetto);
	row_end(perfetto);
}

void perfetto_event(struct perfetto *perfetto, enum perfetto_type type,
		    uint64_t row, uint64_t time_ns, const char *name)
{
	packet_begin(perfetto);
	put_uint(perfetto, PACKET_TIMESTAMP, time_ns);
	put_uint(perfetto, PACKET_TIMESTAMP_CLOCK, CLOCK_ID_MONOTONIC);
	message_begin(perfetto, PACKET_TRACK_EVENT);
	put_uint(perfetto, EVENT_TYPE, type);
	put_row(perfetto, EVENT_TRACK, row);
	if (name)
		put_string(perfetto, EVENT_NAME, name);
}

void perfetto_flow(struct perfetto *perfetto, uint64_t flow, bool is_last)
{
	put_key(perfetto, is_last ? EVENT_FLOW_LAST : EVENT_FLOW, WIRE_FIXED64);
	put(perfetto, &flow, sizeof(flow));
}

static void annotation(struct perfetto *perfetto, const char *name,
		       uint32_t field, uint64_t value)
{
	message_begin(perfetto, EVENT_ANNOTATION);
	put_string(perfetto, ANNOTATION_NAME, name);
	put_uint(perfetto, field, value);
	message_end(perfetto);
}

void perfetto_number(struct perfetto *perfetto, const char *name,
		     uint64_t value)
{
	annotation(perfetto, name, ANNOTATION_UINT, value);
}

void perfetto_address(struct perfetto *perfetto, const char *name,
		      uint64_t value)
{
	annotation(perfetto, name, ANNOTATION_POINTER, value);
}

void perfetto_text(struct perfetto *perfetto, const char *name,
		   const char *value)
{
	message_begin(perfetto, EVENT_ANNOTATION);
	put_string(perfetto, ANNOTATION_NAME, name);
	put_string(perfetto, ANNOTATION_STRING, value);
	message_end(perfetto);
}

void perfetto_event_end(struct perfetto *perfetto)
{
	message_end(perfetto);
	packet_end(perfetto);
}

void perfetto_count(struct perfetto *perfetto, uint64_t row, uint64_t time_ns,
		    int64_t value)
{
	perfetto_event(perfetto, PERFETTO_COUNTER, row, time_ns, NULL);
	put_uint(perfetto, EVENT_COUNTER, (uint64_t)value);
	perfetto_event_end(perfetto);
}

int perfetto_flush(struct perfetto *perfetto)
{
	if (perfetto->is_open)
		page_write(perfetto);
	return perfetto->error;
}
