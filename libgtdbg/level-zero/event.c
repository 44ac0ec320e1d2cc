// SPDX-License-Identifier: MIT
/*
 * Events are translated when they are read from the session, and wait in a queue
 * that the debugger empties one by one. What a load has to say does not wait
 * there: it is given when the debugger can take it, and is left out if the
 * kernel has gone by then.
 */
#include "level_zero.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POLL_MS 1	/* where the debugger does not wait */
#define WAIT_MS 10	/* until an interrupt is seen, at most */
#define ASKS_AT_ONCE 2	/* behind an event */
#define PAGE_BYTES 4096ull

/* NULL: there is no memory for it. */
static struct ze_event *event_queue(struct ze_session *session,
				    zet_debug_event_type_t type)
{
	struct ze_event *event = calloc(1, sizeof(*event));

	if (!event)
		return NULL;
	event->event.type = type;
	*session->last = event;
	session->last = &event->next;
	return event;
}

void gtdbg_ze_event_add(struct ze_session *session, zet_debug_event_type_t type,
			const struct gtdbg_thread_info *info,
			const struct ze_module *module)
{
	struct ze_event *event = event_queue(session, type);

	if (!event)
		return;
	if (type == ZET_DEBUG_EVENT_TYPE_DETACHED)
		event->event.info.detached.reason =
			ZET_DEBUG_DETACH_REASON_HOST_EXIT;
	if (info) {
		event->info = *info;
		event->is_fault = session->is_faulting &&
				  info->reasons & GTDBG_STOP_INTERRUPT;
		event->event.info.thread.thread =
			gtdbg_ze_thread_id(gtdbg_ze_thread_place(info));
	}
	if (module)
		gtdbg_ze_module_info(module, &event->event.info.module);
}

void gtdbg_ze_event_add_unavailable(struct ze_session *session,
				    ze_device_thread_t thread)
{
	struct ze_event *event = event_queue(
		session, ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE);

	if (event)
		event->event.info.thread.thread = thread;
}

static void event_take(struct ze_session *session)
{
	struct ze_event *event = session->first;

	session->first = event->next;
	if (!session->first)
		session->last = &session->first;
	free(event);
}

static void unload(struct ze_session *session, struct ze_module *module)
{
	if (module->ack_seqno)
		gtdbg_event_ack(session->session, module->ack_seqno);
	if (module->is_announced)
		gtdbg_ze_event_add(session, ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD,
				   NULL, module);
	gtdbg_ze_module_destroy(session, module);
}

/* A kernel of 0, or a context of 0, is any. */
static void unload_some(struct ze_session *session, uint32_t kernel,
			uint32_t context)
{
	struct ze_module *module = session->modules, *next;

	for (; module; module = next) {
		next = module->next;
		if ((!kernel || module->kernel == kernel) &&
		    (!context || module->context == context))
			unload(session, module);
	}
}

void gtdbg_ze_event_fini(struct ze_session *session)
{
	unload_some(session, 0, 0);
	while (session->first)
		event_take(session);
	while (session->contexts) {
		struct ze_context *context = session->contexts;

		session->contexts = context->next;
		free(context);
	}
	while (session->kernels) {
		struct ze_kernel *kernel = session->kernels;

		session->kernels = kernel->next;
		free(kernel);
	}
}

/* Returns NULL if the debugger has no use for it. */
static struct ze_module *load(struct ze_session *session, uint32_t kernel,
			      uint32_t context, uint64_t address)
{
	struct ze_module *module =
		gtdbg_ze_module_find(session, context, address);

	if (module && module->kernel == kernel) {
		module->is_doubtful = false;
		return module;
	}
	if (module)
		unload(session, module);
	if (!kernel)
		return NULL;
	return gtdbg_ze_module_create(session, kernel, context, address);
}

/* 0 if not known, or if the sizes are no sizes. */
static uint64_t launch_threads(const struct gtdbg_event_kernel_submit *info)
{
	uint64_t threads = info->threads;
	int i;

	for (i = 0; i < 3; i++) {
		if (__builtin_mul_overflow(threads, info->groups[i], &threads))
			return 0;
	}
	return threads;
}

/* Only the first launch waits for the debugger, who has to place breakpoints. */
static void submit(struct ze_session *session, const struct gtdbg_event *event)
{
	const struct gtdbg_event_kernel_submit *info;
	struct ze_module *module;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info || info->device != session->device)
		return;
	session->launched = launch_threads(info);
	module = load(session, info->kernel, info->context, info->address);
	if (module && !module->is_announced)
		module->ack_seqno = event->seqno;
	else if (module && module->ack_seqno)
		module->ack_seqno = event->seqno;
	else
		gtdbg_event_ack(session->session, event->seqno);
}

static void kernel_load(struct ze_session *session,
			const struct gtdbg_event *event)
{
	const struct gtdbg_event_kernel_load *info;
	struct ze_module *module;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info || info->device != session->device)
		return;
	if (event->kind == GTDBG_EVENT_KERNEL_LOAD) {
		if (event->flags & GTDBG_EVENT_F_REPLAY)
			load(session, info->kernel, info->context,
			     info->address);
		return;
	}
	module = gtdbg_ze_module_find(session, info->context, info->address);
	if (module)
		unload(session, module);
}

static void kernel_add(struct ze_session *session,
		       const struct gtdbg_event *event)
{
	const struct gtdbg_event_kernel_add *info;
	struct ze_kernel *kernel = session->kernels;

	info = gtdbg_event_payload(event, sizeof(*info));
	while (info && kernel && kernel->kernel != info->kernel)
		kernel = kernel->next;
	if (!info || kernel)
		return;
	kernel = malloc(sizeof(*kernel));
	if (!kernel)
		return;
	kernel->kernel = info->kernel;
	kernel->isa_len_bytes = info->isa_len_bytes;
	kernel->next = session->kernels;
	session->kernels = kernel;
}

static void kernel_remove(struct ze_session *session,
			  const struct gtdbg_event *event)
{
	const struct gtdbg_event_kernel_remove *info;
	struct ze_kernel **at = &session->kernels, *gone;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info)
		return;
	unload_some(session, info->kernel, 0);
	while (*at && (*at)->kernel != info->kernel)
		at = &(*at)->next;
	gone = *at;
	if (gone)
		*at = gone->next;
	free(gone);
}

struct ze_context *gtdbg_ze_context_find(const struct ze_session *session,
					 uint32_t id)
{
	struct ze_context *context = session->contexts;

	while (context && context->info.context != id)
		context = context->next;
	return context;
}

static void context_add(struct ze_session *session,
			const struct gtdbg_event *event)
{
	const struct gtdbg_event_context_add *info;
	struct ze_context *context;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info || info->device != session->device)
		return;
	context = gtdbg_ze_context_find(session, info->context);
	if (!context) {
		context = malloc(sizeof(*context));
		if (!context)
			return;
		context->next = session->contexts;
		session->contexts = context;
	}
	context->info = *info;
	context->is_doubtful = false;
}

static void context_remove(struct ze_session *session,
			   const struct gtdbg_event *event)
{
	const struct gtdbg_event_context_remove *info;
	struct ze_context **at = &session->contexts, *gone;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info || info->device != session->device)
		return;
	unload_some(session, 0, info->context);
	while (*at && (*at)->info.context != info->context)
		at = &(*at)->next;
	gone = *at;
	if (gone)
		*at = gone->next;
	free(gone);
}

/* A debugger that waits for its threads learns that none will come. */
static void end(struct ze_session *session)
{
	if (session->has_ended)
		return;
	session->has_ended = true;
	gtdbg_ze_event_add_unavailable(session, gtdbg_ze_thread_all);
	gtdbg_ze_event_add(session, ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT, NULL,
			   NULL);
	gtdbg_ze_event_add(session, ZET_DEBUG_EVENT_TYPE_DETACHED, NULL, NULL);
}

static bool is_queued(const struct ze_session *session,
		      const struct gtdbg_thread_info *info)
{
	const struct ze_event *event = session->first;

	while (event &&
	       (event->event.type != ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED ||
		event->info.slot != info->slot ||
		event->info.generation != info->generation))
		event = event->next;
	return event;
}

/* One that is reported again stands in the same stop. */
static void thread_stop(struct ze_session *session,
			const struct gtdbg_event *event)
{
	const struct gtdbg_event_thread_stop *info;
	const struct ze_thread *thread;
	int place;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info || info->thread.device != session->device)
		return;
	place = gtdbg_ze_thread_place(&info->thread);
	if (place < 0)
		return;
	thread = &session->threads[place];
	if (thread->is_reported &&
	    thread->info.generation == info->thread.generation)
		return;
	if (is_queued(session, &info->thread))
		return;
	gtdbg_ze_event_add(session, ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED,
			   &info->thread, NULL);
}

/*
 * A thread that missed a page has not stopped for that, so those that run are made to
 * stop: it is mostly among them. Only then the module may see the next fault.
 */
static void page_fault(struct ze_session *session,
		       const struct gtdbg_event *event)
{
	const struct gtdbg_event_page_fault *info;
	struct ze_event *said;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (!info || info->device != session->device)
		return;
	said = event_queue(session, ZET_DEBUG_EVENT_TYPE_PAGE_FAULT);
	if (said) {
		said->event.info.page_fault.address = info->address;
		said->event.info.page_fault.mask = ~(PAGE_BYTES - 1);
		said->event.info.page_fault.reason =
			ZET_DEBUG_PAGE_FAULT_REASON_MAPPING_ERROR;
	}
	session->is_faulting = true;
	if (event->flags & GTDBG_EVENT_F_ACK) {
		gtdbg_ze_threads_interrupt(session);
		gtdbg_event_ack(session->session, event->seqno);
	}
}

/*
 * What was lost is asked for; what waits before that is out of date. The replay
 * reports all that is still loaded.
 */
int gtdbg_ze_event_replay(struct ze_process *process)
{
	struct gtdbg_event_snapshot snapshot;
	struct ze_session *session;
	struct ze_context *context;
	struct ze_module *module;
	int ret = gtdbg_event_snapshot(process->session, &snapshot);

	if (ret)
		return ret;
	process->wants_replay = false;
	process->skip_seqno = snapshot.first_seqno;
	for (session = process->sessions; session; session = session->next) {
		session->is_doubtful = session->device;
		for (context = session->contexts; context;
		     context = context->next)
			context->is_doubtful = true;
		for (module = session->modules; module; module = module->next)
			module->is_doubtful = true;
	}
	return 0;
}

static void device_add(struct ze_session *session,
		       const struct gtdbg_event *event)
{
	const struct gtdbg_event_device_add *info;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (info && info->device == session->device)
		session->is_doubtful = false;
}

/* What the replay did not have has gone, which was said among what is not heard. */
static void synced(struct ze_session *session)
{
	struct ze_module *module = session->modules, *next;
	struct ze_context **at = &session->contexts, *context;

	for (; module; module = next) {
		next = module->next;
		if (module->is_doubtful)
			unload(session, module);
	}
	while ((context = *at)) {
		if (!context->is_doubtful) {
			at = &context->next;
			continue;
		}
		*at = context->next;
		free(context);
	}
	if (session->is_doubtful)
		end(session);
}

static void device_lost(struct ze_session *session,
			const struct gtdbg_event *event)
{
	const struct gtdbg_event_device_lost *info;

	info = gtdbg_event_payload(event, sizeof(*info));
	if (info && info->device == session->device)
		end(session);
}

/* Each looks only at what is its device's. */
static void translate(struct ze_session *session,
		      const struct gtdbg_event *event)
{
	switch (event->kind) {
	case GTDBG_EVENT_DEVICE_ADD:
		return device_add(session, event);
	case GTDBG_EVENT_DEVICE_LOST:
		return device_lost(session, event);
	case GTDBG_EVENT_CONTEXT_ADD:
	case GTDBG_EVENT_CONTEXT_UPDATE:
		return context_add(session, event);
	case GTDBG_EVENT_CONTEXT_REMOVE:
		return context_remove(session, event);
	case GTDBG_EVENT_KERNEL_ADD:
		return kernel_add(session, event);
	case GTDBG_EVENT_KERNEL_REMOVE:
		return kernel_remove(session, event);
	case GTDBG_EVENT_KERNEL_LOAD:
	case GTDBG_EVENT_KERNEL_UNLOAD:
		return kernel_load(session, event);
	case GTDBG_EVENT_KERNEL_SUBMIT:
		return submit(session, event);
	case GTDBG_EVENT_THREAD_STOP:
		return thread_stop(session, event);
	case GTDBG_EVENT_PAGE_FAULT:
		return page_fault(session, event);
	case GTDBG_EVENT_SYNCED:
		return synced(session);
	case GTDBG_EVENT_EXIT:
		return end(session);
	}
}

static void deliver(struct ze_process *process, const struct gtdbg_event *event)
{
	struct ze_session *session;

	if (event->seqno < process->skip_seqno)
		return;
	if (event->kind == GTDBG_EVENT_DEVICE_ADD)
		gtdbg_ze_process_device_add(process, event);
	if (event->kind == GTDBG_EVENT_OVERFLOW)
		process->wants_replay = gtdbg_ze_event_replay(process) != 0;
	process->is_synced |= event->kind == GTDBG_EVENT_SYNCED;
	if (event->kind == GTDBG_EVENT_EXIT)
		atomic_store(&process->has_ended, true);
	for (session = process->sessions; session; session = session->next)
		translate(session, event);
	gtdbg_ze_process_unclaimed(process, event);
}

int gtdbg_ze_event_drain(struct ze_process *process, int timeout_ms,
			 bool to_synced)
{
	const struct gtdbg_event *event;
	struct ze_session *session;
	int ret;

	/* There may be room for it by now. */
	if (process->wants_replay)
		gtdbg_ze_event_replay(process);
	for (;;) {
		bool is_last;

		ret = gtdbg_event_next(process->session, timeout_ms, &event);
		/* A signal does not make what is there known. */
		if (ret == -EINTR && to_synced)
			continue;
		if (ret <= 0)
			break;
		is_last = to_synced && event->kind == GTDBG_EVENT_SYNCED &&
			  event->seqno >= process->skip_seqno;
		deliver(process, event);
		if (is_last)
			return 0;
	}
	if (!ret)
		atomic_store(&process->has_ended, true);
	for (session = process->sessions; session; session = session->next) {
		session->is_faulting = false;
		if (!ret)
			end(session);
	}
	return ret == -EAGAIN || ret == -EINTR ? 0 : ret;
}

static bool load_give(struct ze_session *session, zet_debug_event_t *out)
{
	struct ze_module *module = session->modules;

	while (module && module->is_announced)
		module = module->next;
	if (!module || session->withheld || session->has_ended)
		return false;
	module->is_announced = true;
	memset(out, 0, sizeof(*out));
	out->type = ZET_DEBUG_EVENT_TYPE_MODULE_LOAD;
	if (module->ack_seqno)
		out->flags = ZET_DEBUG_EVENT_FLAG_NEED_ACK;
	gtdbg_ze_module_info(module, &out->info.module);
	return true;
}

/* Whether there was one. */
static bool event_give(struct ze_session *session, zet_debug_event_t *out)
{
	const struct ze_event *event = session->first;

	if (!event)
		return load_give(session, out);
	*out = event->event;
	if (out->type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED)
		gtdbg_ze_thread_report(session, &event->info, event->is_fault);
	event_take(session);
	return true;
}

static ze_result_t event_look(struct ze_session *session,
			      zet_debug_event_t *out)
{
	const bool had_given = session->asks_at_once == ASKS_AT_ONCE;
	int ret = 0;

	if (!session->first) {
		gtdbg_ze_interrupt_serve(session);
		if (!session->has_ended)
			ret = gtdbg_ze_event_drain(session->process, 0, false);
	}
	if (event_give(session, out)) {
		session->asks_at_once = ASKS_AT_ONCE;
		return ZE_RESULT_SUCCESS;
	}
	if (session->asks_at_once)
		session->asks_at_once--;
	if (session->withheld && !had_given)
		session->withheld--;
	return ret < 0 ? gtdbg_ze_result(ret) : ZE_RESULT_NOT_READY;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

/*
 * A debugger that asks again and again should not take a whole processor. Behind an
 * event it asks whether there is one more, before its user hears of the first; Intel's
 * server asks twice before it stops the other threads: that is answered at once.
 */
ze_result_t gtdbg_ze_debug_event_read(zet_debug_session_handle_t handle,
				      uint64_t timeout_ms,
				      zet_debug_event_t *out)
{
	struct ze_session *session = gtdbg_ze_session_get(handle);
	uint64_t start = now_ms();
	struct pollfd wait = { .events = POLLIN };
	bool has_ended, waits;
	ze_result_t ret;

	if (!session)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!out) {
		gtdbg_ze_session_put(handle);
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	}
	do {
		pthread_mutex_lock(&session->process->lock);
		waits = timeout_ms || !session->asks_at_once;
		ret = event_look(session, out);
		has_ended = session->has_ended;
		wait.fd = has_ended ? -1 : gtdbg_session_fd(session->session);
		pthread_mutex_unlock(&session->process->lock);
		if (ret != ZE_RESULT_NOT_READY || !waits)
			break;
		poll(&wait, 1, timeout_ms < WAIT_MS ? POLL_MS : WAIT_MS);
	} while (!has_ended && !atomic_load(&session->is_closing) &&
		 now_ms() - start < timeout_ms);
	gtdbg_ze_session_put(handle);
	return ret;
}

/*
 * Whoever answers cannot know that meanwhile the kernel was unloaded, or the
 * process has died: nothing waits any more, as was asked for.
 */
static ze_result_t event_ack(struct ze_session *session,
			     const zet_debug_event_t *event)
{
	const uint64_t begin = event->info.module.moduleBegin;
	struct ze_module *module = session->modules;
	uint64_t seqno;
	int ret;

	if (!(event->flags & ZET_DEBUG_EVENT_FLAG_NEED_ACK))
		return ZE_RESULT_SUCCESS;
	if (event->type != ZET_DEBUG_EVENT_TYPE_MODULE_LOAD)
		return ZE_RESULT_ERROR_INVALID_ARGUMENT;
	while (module && module->begin != begin)
		module = module->next;
	if (!module && gtdbg_ze_module_was(session, begin))
		return ZE_RESULT_SUCCESS;
	if (!module || !module->is_announced || !module->ack_seqno)
		return ZE_RESULT_ERROR_INVALID_ARGUMENT;
	seqno = module->ack_seqno;
	module->ack_seqno = 0;
	ret = gtdbg_event_ack(session->session, seqno);
	return ret == -ENOENT || ret == -ESRCH ? ZE_RESULT_SUCCESS :
	       gtdbg_ze_result(ret);
}

ze_result_t gtdbg_ze_debug_event_ack(zet_debug_session_handle_t handle,
				     const zet_debug_event_t *event)
{
	struct ze_session *session = gtdbg_ze_session_lock(handle);
	ze_result_t ret = ZE_RESULT_ERROR_INVALID_NULL_POINTER;

	if (!session)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (event)
		ret = event_ack(session, event);
	gtdbg_ze_session_unlock(handle, session);
	return ret;
}
