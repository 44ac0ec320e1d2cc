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
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t is_ended;

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

static void event_print(const struct printer *to,
			const struct gtdbg_event *event)
{
	const char *name = gtdbg_event_name(event->kind);

	if (to->is_json)
		printf("{\"seqno\":%llu,\"kind\":\"%s\",\"time_ns\":%llu",
		       (unsigned long long)event->seqno, name,
		       (unsigned long long)event->time_ns);
	else
		printf("%llu %s", (unsigned long long)event->seqno, name);
	put_payload(to, event);
	puts(to->is_json ? "}" : "");
	fflush(stdout);
}

static void on_signal(int signal)
{
	(void)signal;
	is_ended = 1;
}

static int follow(struct gtdbg_session *session, bool is_json)
{
	struct sigaction action = { .sa_handler = on_signal };
	const struct printer to = { .is_json = is_json };
	struct gtdbg_event_snapshot snapshot;
	const struct gtdbg_event *event;
	int ret = 1;

	sigaction(SIGINT, &action, NULL);
	while (!is_ended && ret) {
		ret = gtdbg_event_next(session, -1, &event);
		if (ret == 1) {
			event_print(&to, event);
			/* What was lost is told by all that there is now. */
			if (event->kind == GTDBG_EVENT_OVERFLOW)
				gtdbg_event_snapshot(session, &snapshot);
		} else if (ret < 0 && ret != -EINTR && ret != -EAGAIN) {
			return cmd_fail(ret, "cannot read events");
		}
	}
	return CMD_OK;
}

static int observe(int pid, bool is_json)
{
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER, .event_mask = GTDBG_EVENTS_ALL,
	};
	struct gtdbg_session *session;
	struct gtdbg *gtdbg;
	int ret;

	ret = gtdbg_open(NULL, &gtdbg);
	if (ret)
		return cmd_fail_open(ret);
	if (cmd_client_open(pid, &attach.client_fd)) {
		gtdbg_close(gtdbg);
		return CMD_FAILED;
	}
	ret = gtdbg_session_open(gtdbg, &attach, &session);
	close(attach.client_fd);
	if (ret < 0) {
		ret = cmd_fail(ret, "cannot attach to process %d", pid);
	} else {
		ret = follow(session, is_json);
		gtdbg_session_close(session);
	}
	gtdbg_close(gtdbg);
	return ret;
}

int cmd_events(int argc, char **argv)
{
	bool is_json = argc > 1 && strcmp(argv[1], "--json") == 0;

	if (argc != 2 + is_json || cmd_pid_parse(argv[1 + is_json]) < 0)
		return cmd_usage("events");
	return observe(cmd_pid_parse(argv[1 + is_json]), is_json);
}
