// SPDX-License-Identifier: MIT
/*
 * One read() takes as many records as fit into the session's buffer, in which
 * they are handed out one by one: a record is never copied, and is gone with
 * the next read(). Lengths are checked, since what they are used for is memory
 * of the caller.
 */
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int gtdbg_event_next(struct gtdbg_session *session, int timeout_ms,
		     const struct gtdbg_event **out)
{
	const struct gtdbg_event *event;
	size_t left;
	int ret;

	if (session->at == session->end) {
		ret = session->peer->events_read(session, timeout_ms);
		if (ret <= 0)
			return ret;
	}
	event = (const void *)(session->buffer + session->at);
	left = session->end - session->at;
	if (left < sizeof(*event) || event->len_bytes < sizeof(*event) ||
	    event->len_bytes > left)
		return -EBADMSG;
	session->at += event->len_bytes;
	gtdbg_session_note(session, event);
	*out = event;
	return 1;
}

const void *gtdbg_event_payload(const struct gtdbg_event *event,
				size_t len_bytes)
{
	if (event->len_bytes < sizeof(*event) + len_bytes)
		return NULL;
	return event + 1;
}

const char *gtdbg_event_string(const struct gtdbg_event *event,
			       size_t payload_len_bytes, size_t len_bytes)
{
	const char *text = (const char *)(event + 1) + payload_len_bytes;

	if (!len_bytes || event->len_bytes < sizeof(*event) +
	    payload_len_bytes + len_bytes || text[len_bytes - 1])
		return "";
	return text;
}

const char *gtdbg_event_name(uint32_t kind)
{
	static const char *const names[] = {
		[GTDBG_EVENT_SYNCED] = "synced",
		[GTDBG_EVENT_CLIENT_ADD] = "client_add",
		[GTDBG_EVENT_DEVICE_ADD] = "device_add",
		[GTDBG_EVENT_DEVICE_LOST] = "device_lost",
		[GTDBG_EVENT_CONTEXT_ADD] = "context_add",
		[GTDBG_EVENT_CONTEXT_UPDATE] = "context_update",
		[GTDBG_EVENT_MODULE_ADD] = "module_add",
		[GTDBG_EVENT_MODULE_REMOVE] = "module_remove",
		[GTDBG_EVENT_KERNEL_ADD] = "kernel_add",
		[GTDBG_EVENT_KERNEL_REMOVE] = "kernel_remove",
		[GTDBG_EVENT_KERNEL_SUBMIT] = "kernel_submit",
		[GTDBG_EVENT_THREAD_STOP] = "thread_stop",
		[GTDBG_EVENT_THREAD_UNAVAILABLE] = "thread_unavailable",
		[GTDBG_EVENT_PAGE_FAULT] = "page_fault",
		[GTDBG_EVENT_OVERFLOW] = "overflow",
		[GTDBG_EVENT_EXIT] = "exit",
		[GTDBG_EVENT_CONTEXT_REMOVE] = "context_remove",
		[GTDBG_EVENT_KERNEL_LOAD] = "kernel_load",
		[GTDBG_EVENT_KERNEL_UNLOAD] = "kernel_unload",
		[GTDBG_EVENT_THREAD_RECORD] = "thread_record",
	};

	if (kind >= sizeof(names) / sizeof(names[0]) || !names[kind])
		return "unknown";
	return names[kind];
}

int gtdbg_event_mask(struct gtdbg_session *session, uint64_t event_mask,
		     uint64_t ack_mask)
{
	struct gtdbg_event_mask mask = {
		.event_mask = event_mask, .ack_mask = ack_mask,
	};

	return gtdbg_session_call(session, GTDBG_IOC_EVENT_MASK, &mask);
}

int gtdbg_event_ack(struct gtdbg_session *session, uint64_t seqno)
{
	struct gtdbg_event_ack ack = { .seqno = seqno };

	return gtdbg_session_call(session, GTDBG_IOC_EVENT_ACK, &ack);
}

int gtdbg_event_snapshot(struct gtdbg_session *session,
			 struct gtdbg_event_snapshot *out)
{
	struct gtdbg_event_snapshot snapshot = { 0 };
	int ret = gtdbg_session_call(session, GTDBG_IOC_EVENT_SNAPSHOT,
				     &snapshot);

	if (ret >= 0)
		*out = snapshot;
	return ret;
}

int gtdbg_device_clock(struct gtdbg_session *session, uint32_t device,
		       struct gtdbg_device_clock *out)
{
	struct gtdbg_device_clock clock = { .device = device };
	int ret = gtdbg_session_call(session, GTDBG_IOC_DEVICE_CLOCK, &clock);

	if (ret >= 0)
		*out = clock;
	return ret;
}

int gtdbg_blob_open(struct gtdbg_session *session, uint32_t kind, uint32_t id,
		    int *fd_out)
{
	struct gtdbg_blob_open request = { .kind = kind, .id = id };
	int ret = gtdbg_session_call(session, GTDBG_IOC_BLOB_OPEN, &request);

	if (ret < 0)
		return ret;
	*fd_out = ret;
	return 0;
}

int gtdbg_blob_read(struct gtdbg_session *session, uint32_t kind, uint32_t id,
		    void **bytes_out, size_t *len_bytes_out)
{
	struct stat info;
	char *bytes;
	int fd, ret;

	ret = gtdbg_blob_open(session, kind, id, &fd);
	if (ret)
		return ret;
	if (fstat(fd, &info)) {
		ret = -errno;
		goto close;
	}
	bytes = malloc(info.st_size + 1);
	if (!bytes) {
		ret = -ENOMEM;
		goto close;
	}
	if (pread(fd, bytes, info.st_size, 0) != info.st_size) {
		free(bytes);
		ret = -EIO;
		goto close;
	}
	bytes[info.st_size] = 0;
	*bytes_out = bytes;
	*len_bytes_out = info.st_size;
close:
	close(fd);
	return ret;
}
