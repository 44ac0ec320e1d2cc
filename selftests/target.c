// SPDX-License-Identifier: GPL-2.0-only
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>

#define SECOND_INSTRUCTION 16

int target_program(struct target *target, uint32_t breakpoint,
		   const struct gtdbg_sip_op *op, uint32_t count)
{
	struct gtdbg_breakpoint_program request = {
		.breakpoint = breakpoint,
		.program = count ? (uintptr_t)op : 0,
		.len_bytes = count * sizeof(*op),
		.version = count ? GTDBG_PROGRAM_VERSION : 0,
	};

	return ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_PROGRAM,
		     &request) < 0 ? -errno : (int)request.decided;
}

int target_kernel_add(struct target *target, const char *name, uint32_t cookie)
{
	static uint8_t isa[PEER_KERNEL_BYTES];
	struct gtdbg_kernel_add add = {
		.module = target->module,
		.cookie = cookie,
		.name = (uintptr_t)name,
		.name_len_bytes = strlen(name),
		.elf = (uintptr_t)"elf",
		.elf_len_bytes = 3,
		.isa = (uintptr_t)isa,
		.isa_len_bytes = sizeof(isa),
	};
	int ret;

	peer_code(isa, cookie);
	ret = ioctl(target->client, GTDBG_IOC_KERNEL_ADD, &add);

	return ret < 0 ? -errno : ret;
}

int target_register(struct target *target)
{
	struct gtdbg_client_register client = { .flags = 0 };
	struct gtdbg_module_add module = {
		.handle = 42,
		.name = (uintptr_t)"m.cl",
		.name_len_bytes = 4,
		.source = (uintptr_t)"source",
		.source_len_bytes = 6,
	};
	int ret;

	target->client = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	if (target->client < 0 ||
	    ioctl(target->client, GTDBG_IOC_CLIENT_REGISTER, &client))
		return -errno;
	target->token = client.token;
	ret = ioctl(target->client, GTDBG_IOC_MODULE_ADD, &module);
	if (ret < 0)
		return -errno;
	target->module = ret;
	ret = target_kernel_add(target, "compute", PEER_COOKIE);
	if (ret < 0)
		return ret;
	target->kernel = ret;
	return 0;
}

int target_attach(struct target *target, uint32_t flags, uint64_t event_mask)
{
	struct gtdbg_session_attach attach = {
		.client_fd = target->client,
		.flags = flags,
		.event_mask = event_mask,
	};
	int ret = ioctl(target->rig.control, GTDBG_IOC_SESSION_ATTACH, &attach);

	return ret < 0 ? -errno : ret;
}

int target_init(struct target *target)
{
	memset(target, 0, sizeof(*target));
	target->client = -1;
	target->rig.session = -1;
	target->rig.reaped = true;
	target->rig.control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	target->peer.fd = -1;
	return target_register(target) ?:
	       peer_init(&target->peer, target->token);
}

int target_offer(struct target *target, uint64_t event_mask, uint64_t ack_mask)
{
	struct gtdbg_event_mask masks = { event_mask, ack_mask };
	int ret = peer_serve(&target->peer, target->client);

	if (ret < 0)
		return ret;
	target->rig.session = target_attach(target, 0, event_mask);
	if (target->rig.session < 0)
		return target->rig.session;
	return ioctl(target->rig.session, GTDBG_IOC_EVENT_MASK, &masks) ?
		       -errno : 0;
}

int target_start(struct target *target, uint64_t event_mask, uint64_t ack_mask)
{
	return target_init(target) ?:
	       target_offer(target, event_mask, ack_mask);
}

void target_stop(struct target *target)
{
	if (target->rig.session >= 0)
		close(target->rig.session);
	peer_fini(&target->peer);
	if (target->client >= 0)
		close(target->client);
	close(target->rig.control);
}

int target_submit(struct target *target, uint32_t slot,
		  struct rig_event *event)
{
	peer_stop(&target->peer, slot, PEER_KERNEL_IP, PEER_BREAK);
	return rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, event);
}

int target_engage(struct target *target)
{
	struct rig_event event;
	int ret;

	ret = rig_breakpoint(target->rig.session, target->kernel,
			     SECOND_INSTRUCTION);
	if (ret < 0)
		return ret;
	ret = target_submit(target, 1, &event);
	if (ret)
		return ret;
	peer_stop(&target->peer, 2, PEER_KERNEL_IP + SECOND_INSTRUCTION,
		  PEER_BREAK);
	return rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);
}

int target_context(struct target *target, uint32_t *context_out)
{
	const struct gtdbg_event_context_add *context;
	struct rig_event event;
	int ret;

	do {
		ret = rig_any(&target->rig, &event, RIG_TIMEOUT_MS);
		if (ret)
			return ret;
		context = event.payload;
	} while ((event.head->kind != GTDBG_EVENT_CONTEXT_ADD &&
		  event.head->kind != GTDBG_EVENT_CONTEXT_UPDATE) ||
		 context->sip != GTDBG_SIP_OWN);
	*context_out = context->context;
	return 0;
}

int target_enter(struct target *target, uint32_t sip, uint32_t *context)
{
	struct rig_event event;
	int ret = target_init(target);

	if (ret)
		return ret;
	peer_sip(&target->peer, sip);
	return target_offer(target, RIG_ALL_EVENTS, 0) ?:
	       target_context(target, context) ?:
	       target_submit(target, 3, &event);
}

uint32_t target_look_up(struct target *target, uint64_t offset)
{
	uint32_t ip = PEER_KERNEL_IP + (uint32_t)offset, at;
	struct gtdbg_sip_bucket bucket;

	for (at = ip & GTDBG_SIP_TABLE_MASK; at < GTDBG_SIP_TABLE_BYTES;
	     at += sizeof(bucket)) {
		memcpy(&bucket, peer_at(&target->peer, PEER_SAVE_AREA +
					GTDBG_SIP_TABLE_OFFSET + at),
		       sizeof(bucket));
		if (!bucket.tag)
			break;
		if (bucket.tag == ip)
			return bucket.value;
	}
	return TARGET_NOT_FOUND;
}

const struct gtdbg_sip_program *target_program_at(struct target *target,
						  uint32_t number)
{
	return peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_PROGRAM_OFFSET +
		       number * GTDBG_SIP_PROGRAM_BYTES);
}
