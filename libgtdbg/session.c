// SPDX-License-Identifier: MIT
/*
 * A session is the descriptor of an attachment: closing it ends the
 * attachment, and so does the end of the process, so nothing has to be undone
 * in order. A context is remembered from the event that announces it to the
 * one that ends it.
 */
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ADDRESS_TOP_BIT 47

static int module_call(struct gtdbg_session *session, unsigned long command,
		       void *argument)
{
	int ret = ioctl(session->fd, command, argument);

	return ret < 0 ? -errno : ret;
}

/*
 * The module never returns part of a record; lengths are checked nevertheless,
 * where they are used.
 */
static int module_events_read(struct gtdbg_session *session, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = session->fd, .events = POLLIN };
	ssize_t len;
	int ret;

	ret = poll(&poll_fd, 1, timeout_ms);
	if (ret < 0)
		return -errno;
	if (!ret)
		return -EAGAIN;
	len = read(session->fd, session->buffer, sizeof(session->buffer));
	if (len < 0)
		return -errno;
	session->at = 0;
	session->end = len;
	return len > 0;
}

static void module_close(struct gtdbg_session *session)
{
	close(session->fd);
}

const struct session_peer gtdbg_session_module = {
	.call = module_call,
	.events_read = module_events_read,
	.close = module_close,
};

int gtdbg_session_open(struct gtdbg *gtdbg,
		       struct gtdbg_session_attach *attach,
		       struct gtdbg_session **out)
{
	struct gtdbg_session *session = calloc(1, sizeof(*session));

	if (!session)
		return -ENOMEM;
	session->fd = ioctl(gtdbg_fd(gtdbg), GTDBG_IOC_SESSION_ATTACH, attach);
	if (session->fd < 0) {
		int ret = -errno;

		free(session);
		return ret;
	}
	session->peer = &gtdbg_session_module;
	*out = session;
	return 0;
}

uint64_t gtdbg_session_address(uint64_t address)
{
	uint64_t upper = address >> ADDRESS_TOP_BIT;

	return upper == UINT64_MAX >> ADDRESS_TOP_BIT ?
	       address & ((2ull << ADDRESS_TOP_BIT) - 1) : address;
}

static struct session_context *
context_find(const struct gtdbg_session *session, uint32_t device,
	     uint32_t context)
{
	struct session_context *found = session->contexts;

	while (found && (found->device != device || found->context != context))
		found = found->next;
	return found;
}

static void context_note(struct gtdbg_session *session,
			 const struct gtdbg_event_context_add *info)
{
	struct session_context *context;

	context = context_find(session, info->device, info->context);
	if (!context) {
		context = calloc(1, sizeof(*context));
		if (!context)
			return;
		context->device = info->device;
		context->context = info->context;
		context->next = session->contexts;
		session->contexts = context;
	}
	context->general_base = info->general_base;
}

static void context_forget(struct gtdbg_session *session,
			   const struct gtdbg_event_context_remove *info)
{
	struct session_context **at = &session->contexts, *gone;

	while (*at && ((*at)->device != info->device ||
		       (*at)->context != info->context))
		at = &(*at)->next;
	gone = *at;
	if (gone)
		*at = gone->next;
	free(gone);
}

void gtdbg_session_note(struct gtdbg_session *session,
			const struct gtdbg_event *event)
{
	const struct gtdbg_event_context_remove *gone;
	const struct gtdbg_event_context_add *info;

	if (event->kind == GTDBG_EVENT_CONTEXT_REMOVE) {
		gone = gtdbg_event_payload(event, sizeof(*gone));
		if (gone)
			context_forget(session, gone);
	}
	if (event->kind != GTDBG_EVENT_CONTEXT_ADD &&
	    event->kind != GTDBG_EVENT_CONTEXT_UPDATE)
		return;
	info = gtdbg_event_payload(event, sizeof(*info));
	if (info)
		context_note(session, info);
}

uint64_t gtdbg_session_general_base(const struct gtdbg_session *session,
				    uint32_t device, uint32_t context)
{
	const struct session_context *found;

	found = context_find(session, device, context);
	return found ? found->general_base : 0;
}

void gtdbg_session_close(struct gtdbg_session *session)
{
	if (!session)
		return;
	while (session->contexts) {
		struct session_context *context = session->contexts;

		session->contexts = context->next;
		free(context);
	}
	session->peer->close(session);
	free(session);
}

int gtdbg_session_fd(struct gtdbg_session *session)
{
	return session->fd;
}

int gtdbg_session_call(struct gtdbg_session *session, unsigned long command,
		       void *argument)
{
	return session->peer->call(session, command, argument);
}

int gtdbg_session_stats(struct gtdbg_session *session,
			struct gtdbg_session_stats *out)
{
	struct gtdbg_session_stats stats = { 0 };
	int ret = gtdbg_session_call(session, GTDBG_IOC_SESSION_STATS, &stats);

	if (ret >= 0)
		*out = stats;
	return ret;
}

const char *gtdbg_refusal_text(uint32_t refusal)
{
	static const char *const texts[] = {
		[GTDBG_REFUSAL_NONE] = "not refused",
		[GTDBG_REFUSAL_BAD_FD] = "not a descriptor of /dev/gtdbg",
		[GTDBG_REFUSAL_NOT_CLIENT] =
			"it does not use the GPU under gtdbg",
		[GTDBG_REFUSAL_CLIENT_GONE] = "the process has ended",
		[GTDBG_REFUSAL_NO_PROCESS] = "no such process",
		[GTDBG_REFUSAL_NO_CLIENT] =
			"it does not use the GPU under gtdbg",
		[GTDBG_REFUSAL_NOT_TRACER] = "you are not its tracer",
		[GTDBG_REFUSAL_CONTROLLED] = "another debugger controls it",
	};

	if (refusal >= sizeof(texts) / sizeof(texts[0]))
		return "refused";
	return texts[refusal];
}
