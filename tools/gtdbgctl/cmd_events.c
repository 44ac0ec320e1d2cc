// SPDX-License-Identifier: MIT
/* Prints a debuggee's events, as one that only looks. */
#include "cmd.h"

#include "event.h"
#include "printer.h"

#include <errno.h>
#include <gtdbg.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull

static volatile sig_atomic_t is_ended;

/* A device's clock, read beside ours once a second while there are events. */
struct device_clock {
	struct device_clock *next;
	uint32_t device;
	uint64_t read_ns;
	struct gtdbg_clock *clock; /* NULL: its frequency is not known */
};

struct events {
	struct gtdbg_session *session;
	struct printer to;
	bool has_gpu_time;
	struct device_clock *clocks;
};

static void put_client(const struct printer *to,
		       const struct gtdbg_event_client_add *info)
{
	put_number(to, "pid", info->pid);
	put_text(to, "comm", info->comm);
}

static void put_device(const struct printer *to,
		       const struct gtdbg_event_device_add *info)
{
	put_number(to, "device", info->device);
	put_number(to, "platform", info->platform);
	put_number(to, "slots", info->slots);
	put_number(to, "virtual", info->is_virtual);
	put_number(to, "timestamp_hz", info->timestamp_hz);
}

static void put_context(const struct printer *to,
			const struct gtdbg_event_context_add *info)
{
	put_number(to, "device", info->device);
	put_number(to, "context", info->context);
	put_number(to, "sip", info->sip);
	put_address(to, "save_area", info->save_area);
}

static void put_module(const struct printer *to,
		       const struct gtdbg_event *event,
		       const struct gtdbg_event_module_add *info)
{
	put_number(to, "module", info->module);
	put_text(to, "name", gtdbg_event_string(event, sizeof(*info),
						info->name_len_bytes));
	put_number(to, "source_len_bytes", info->source_len_bytes);
}

static void put_kernel(const struct printer *to,
		       const struct gtdbg_event *event,
		       const struct gtdbg_event_kernel_add *info)
{
	put_number(to, "kernel", info->kernel);
	put_number(to, "module", info->module);
	put_text(to, "name", gtdbg_event_string(event, sizeof(*info),
						info->name_len_bytes));
	put_number(to, "elf_len_bytes", info->elf_len_bytes);
	put_number(to, "isa_len_bytes", info->isa_len_bytes);
}

static void put_load(const struct printer *to,
		     const struct gtdbg_event_kernel_load *info)
{
	put_number(to, "device", info->device);
	put_number(to, "context", info->context);
	put_number(to, "kernel", info->kernel);
	put_address(to, "address", info->address);
}

static void put_submit(const struct printer *to,
		       const struct gtdbg_event_kernel_submit *info)
{
	put_number(to, "device", info->device);
	put_number(to, "context", info->context);
	put_number(to, "kernel", info->kernel);
	put_address(to, "address", info->address);
	put_number(to, "groups_x", info->groups[0]);
	put_number(to, "groups_y", info->groups[1]);
	put_number(to, "groups_z", info->groups[2]);
	put_number(to, "items", info->items);
	put_number(to, "simd", info->simd);
}

static void put_thread(const struct printer *to,
		       const struct gtdbg_thread_info *info)
{
	put_number(to, "device", info->device);
	put_number(to, "slot", info->slot);
	put_number(to, "kernel", info->kernel);
	put_number(to, "reasons", info->reasons);
	put_address(to, "address", info->address);
	put_address(to, "exec_mask", info->exec_mask);
	put_number(to, "breakpoint", info->breakpoint);
}

static void put_fault(const struct printer *to,
		      const struct gtdbg_event_page_fault *info)
{
	put_number(to, "device", info->device);
	put_address(to, "address", info->address);
}

static void put_payload(const struct printer *to,
			const struct gtdbg_event *event)
{
	const void *payload = event_payload(event);

	if (!payload)
		return;
	switch (event->kind) {
	case GTDBG_EVENT_CLIENT_ADD:
		put_client(to, payload);
		break;
	case GTDBG_EVENT_DEVICE_ADD:
		put_device(to, payload);
		break;
	case GTDBG_EVENT_CONTEXT_ADD:
	case GTDBG_EVENT_CONTEXT_UPDATE:
		put_context(to, payload);
		break;
	case GTDBG_EVENT_MODULE_ADD:
		put_module(to, event, payload);
		break;
	case GTDBG_EVENT_KERNEL_ADD:
		put_kernel(to, event, payload);
		break;
	case GTDBG_EVENT_CONTEXT_REMOVE:
		put_number(to, "device", ((const __u32 *)payload)[0]);
		put_number(to, "context", ((const __u32 *)payload)[1]);
		break;
	case GTDBG_EVENT_KERNEL_LOAD:
	case GTDBG_EVENT_KERNEL_UNLOAD:
		put_load(to, payload);
		break;
	case GTDBG_EVENT_KERNEL_SUBMIT:
		put_submit(to, payload);
		break;
	case GTDBG_EVENT_THREAD_STOP:
	case GTDBG_EVENT_THREAD_UNAVAILABLE:
		put_thread(to, payload);
		break;
	case GTDBG_EVENT_PAGE_FAULT:
		put_fault(to, payload);
		break;
	case GTDBG_EVENT_OVERFLOW:
		put_number(to, "lost", *(const __u64 *)payload);
		break;
	default:
		put_number(to, event->kind == GTDBG_EVENT_EXIT ? "reason" :
			   "id", *(const __u32 *)payload);
	}
}

static struct device_clock *clock_find(struct events *events, uint32_t device)
{
	struct device_clock *clock = events->clocks;

	while (clock && clock->device != device)
		clock = clock->next;
	if (clock)
		return clock;
	clock = calloc(1, sizeof(*clock));
	if (!clock)
		return NULL;
	clock->device = device;
	clock->next = events->clocks;
	events->clocks = clock;
	return clock;
}

static void clock_read(struct events *events, struct device_clock *clock)
{
	struct gtdbg_device_clock pair;
	struct timespec now;
	uint64_t now_ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now_ns = now.tv_sec * NS_PER_S + now.tv_nsec;
	if (clock->read_ns && now_ns - clock->read_ns < NS_PER_S)
		return;
	clock->read_ns = now_ns;
	if (gtdbg_device_clock(events->session, clock->device, &pair) < 0)
		return;
	if (!clock->clock && gtdbg_clock_create(pair.timestamp_hz,
						&clock->clock))
		return;
	gtdbg_clock_add(clock->clock, &pair);
}

/* All payloads with a device begin with its number. */
static void put_gpu_time(struct events *events, const struct gtdbg_event *event)
{
	const uint32_t *device = gtdbg_event_payload(event, sizeof(*device));
	struct device_clock *clock;
	uint64_t time_ns, error_ns;

	if (!events->has_gpu_time || !event->gpu_time || !device)
		return;
	clock = clock_find(events, *device);
	if (!clock)
		return;
	clock_read(events, clock);
	if (!clock->clock ||
	    gtdbg_clock_time(clock->clock, event->gpu_time, event->time_ns,
			     &time_ns, &error_ns))
		return;
	put_number(&events->to, "gpu_time_ns", time_ns);
	put_number(&events->to, "gpu_error_ns", error_ns);
}

static void event_print(struct events *events, const struct gtdbg_event *event)
{
	const char *name = gtdbg_event_name(event->kind);
	const struct printer *to = &events->to;

	if (to->is_json)
		printf("{\"seqno\":%llu,\"kind\":\"%s\",\"time_ns\":%llu",
		       (unsigned long long)event->seqno, name,
		       (unsigned long long)event->time_ns);
	else
		printf("%llu %s", (unsigned long long)event->seqno, name);
	put_gpu_time(events, event);
	put_payload(to, event);
	puts(to->is_json ? "}" : "");
	fflush(stdout);
}

static void on_signal(int signal)
{
	(void)signal;
	is_ended = 1;
}

static int follow(struct events *events)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct gtdbg_event_snapshot snapshot;
	const struct gtdbg_event *event;
	int ret = 1;

	sigaction(SIGINT, &action, NULL);
	while (!is_ended && ret) {
		ret = gtdbg_event_next(events->session, -1, &event);
		if (ret == 1) {
			event_print(events, event);
			/* What was lost is part of all that there is now. */
			if (event->kind == GTDBG_EVENT_OVERFLOW)
				gtdbg_event_snapshot(events->session,
						     &snapshot);
		} else if (ret < 0 && ret != -EINTR && ret != -EAGAIN) {
			return cmd_fail(ret, "cannot read events");
		}
	}
	return CMD_OK;
}

static void events_fini(struct events *events)
{
	while (events->clocks) {
		struct device_clock *clock = events->clocks;

		events->clocks = clock->next;
		gtdbg_clock_destroy(clock->clock);
		free(clock);
	}
	gtdbg_session_close(events->session);
}

static int observe(int pid, struct events *events)
{
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER, .event_mask = GTDBG_EVENTS_ALL,
	};
	struct gtdbg *gtdbg;
	int ret;

	if (cmd_client_open(pid, &gtdbg, &attach.client_fd))
		return CMD_FAILED;
	ret = gtdbg_session_open(gtdbg, &attach, &events->session);
	close(attach.client_fd);
	if (ret < 0) {
		ret = cmd_fail(ret, "cannot attach to process %d", pid);
	} else {
		ret = follow(events);
		events_fini(events);
	}
	gtdbg_close(gtdbg);
	return ret;
}

int cmd_events(int argc, char **argv)
{
	struct events events = { 0 };
	int at = 1;

	for (; at < argc; at++) {
		if (strcmp(argv[at], "--json") == 0)
			events.to.is_json = true;
		else if (strcmp(argv[at], "--gpu-time") == 0)
			events.has_gpu_time = true;
		else
			break;
	}
	if (at + 1 != argc || cmd_pid_parse(argv[at]) < 0) {
		at += at < argc && cmd_pid_parse(argv[at]) >= 0;
		return cmd_usage("events", argv[at]);
	}
	return observe(cmd_pid_parse(argv[at]), &events);
}
