// SPDX-License-Identifier: GPL-2.0-only
/* Contexts that follow each other on one GT. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define PML4 0x300000 /* the peer's own */
#define OTHER_PML4 0x2000000 /* room for many more */
#define IMAGE_PML4 0x2010cc /* where the context image names it */
#define SLOTS 0x801000
#define CONTROL (0x800000 + GTDBG_SIP_CONTROL_OFFSET)
#define SLOT 5
#define CONTEXTS_MANY 300
#define CONTEXTS_MAX 256 /* that a GT knows at a time */

/*
 * From here on context number @number runs: the same pages below a top table of
 * its own, and a save area in which no thread has stopped yet.
 */
static void context_enter(struct peer *peer, int number)
{
	uint32_t pml4 = OTHER_PML4 + 4096 * number;

	pthread_mutex_lock(&peer->lock);
	memset(peer->waiting, 0, sizeof(peer->waiting));
	for (int subslice = 0; subslice < 6; subslice++)
		for (int dword = 0; dword < 2; dword++)
			peer_register(peer, 0x140000 + 0x100 * subslice + 0x70 +
						    4 * dword, 0);
	memset(peer->memory + SLOTS, 0, PEER_SLOTS * GTDBG_SIP_SLOT_BYTES);
	memcpy(peer->memory + pml4, peer->memory + PML4, 4096);
	memcpy(peer->memory + IMAGE_PML4, &pml4, 4);
	pthread_mutex_unlock(&peer->lock);
}

static int next_in(struct rig *rig, uint16_t kind, struct rig_event *event)
{
	int ret;

	do {
		ret = rig_any(rig, event, RIG_TIMEOUT_MS);
	} while (!ret && event->head->kind != kind);
	return ret;
}

/* The next stop, and the context it is in; 0: there is none. */
static uint32_t stop_context(struct target *target)
{
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;

	if (next_in(&target->rig, GTDBG_EVENT_THREAD_STOP, &event))
		return 0;
	stop = event.payload;
	return stop->thread.slot == SLOT ? stop->thread.context : 0;
}

FIXTURE(context)
{
	struct target target;
	uint32_t first;
};

FIXTURE_SETUP(context)
{
	struct target *target = &self->target;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(target, RIG_ALL_EVENTS, 0));
	peer_stop(&target->peer, SLOT, 0x20000, PEER_HALT);
	self->first = stop_context(target);
	ASSERT_NE(0, self->first);
}

FIXTURE_TEARDOWN(context)
{
	target_stop(&self->target);
}

/* Each save area counts its threads' stops from the same number. */
TEST_F(context, first_stop_is_reported_in_each)
{
	struct target *target = &self->target;
	uint32_t second;

	ASSERT_EQ(1, rig_resume(target->rig.session, target->peer.device, SLOT,
				1, GTDBG_RESUME_RUN));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 1));
	context_enter(&target->peer, 1);
	peer_stop(&target->peer, SLOT, 0x20000, PEER_HALT);
	second = stop_context(target);
	EXPECT_NE(0, second);
	EXPECT_NE(self->first, second);
}

/* A program that is reset leaves stops behind that nobody resumes. */
TEST_F(context, stop_that_was_never_resumed_gives_way)
{
	struct gtdbg_thread_list list = { .device = self->target.peer.device };
	struct target *target = &self->target;
	uint32_t second;

	context_enter(&target->peer, 1);
	peer_stop(&target->peer, SLOT, 0x20000, PEER_HALT);
	second = stop_context(target);
	EXPECT_NE(0, second);
	EXPECT_NE(self->first, second);
	EXPECT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list));
	EXPECT_EQ(1, list.count);
	EXPECT_EQ(1, rig_resume(target->rig.session, target->peer.device, SLOT,
				1, GTDBG_RESUME_RUN));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
}

TEST_F(context, there_may_be_any_number_in_a_row)
{
	struct target *target = &self->target;
	const struct gtdbg_event_context_remove *remove;
	struct rig_event event;
	uint32_t last = self->first, next, removed = 0;

	for (int i = 1; i <= CONTEXTS_MANY; i++) {
		context_enter(&target->peer, i);
		do {
			ASSERT_EQ(0, rig_any(&target->rig, &event, RIG_TIMEOUT_MS));
			remove = event.payload;
			if (event.head->kind != GTDBG_EVENT_CONTEXT_REMOVE)
				continue;
			EXPECT_EQ(self->first + removed, remove->context);
			removed++;
		} while (event.head->kind != GTDBG_EVENT_CONTEXT_ADD);
	}
	/* The first ones made room, and in the end the one of that time. */
	EXPECT_EQ(CONTEXTS_MANY + 1 - CONTEXTS_MAX, removed);
	peer_stop(&target->peer, SLOT, 0x20000, PEER_HALT);
	next = stop_context(target);
	EXPECT_LT(last, next);
}

static struct gtdbg_sip_control *control_of(struct target *target)
{
	return (void *)(target->peer.memory + CONTROL);
}

/* The process becomes another client. */
static int client_again(struct target *target, uint32_t flags)
{
	struct gtdbg_client_register request = { .flags = flags };

	close(target->client);
	target->client = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	if (ioctl(target->client, GTDBG_IOC_CLIENT_REGISTER, &request))
		return -errno;
	target->token = request.token;
	return 0;
}

TEST_F(context, next_client_of_a_process_has_nothing_of_the_last)
{
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, client_again(target, 0));
	close(target->rig.session);
	target->rig.at = target->rig.fill = 0;
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	ASSERT_LT(0, target->rig.session);
	do {
		ASSERT_EQ(0, rig_any(&target->rig, &event, RIG_TIMEOUT_MS));
		EXPECT_NE(GTDBG_EVENT_DEVICE_ADD, event.head->kind);
	} while (event.head->kind != GTDBG_EVENT_SYNCED);
}

/* Its save areas start active: without a debugger no one may wait in them. */
TEST_F(context, armed_client_is_let_go_in_each)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	uint64_t before;

	ASSERT_EQ(0, client_again(target, GTDBG_CLIENT_F_ARMED));
	close(target->rig.session);
	peer_fini(peer);
	ASSERT_EQ(0, peer_init(peer, target->token));
	ASSERT_LT(0, peer_serve(peer, target->client));
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	ASSERT_LT(0, target->rig.session);
	close(target->rig.session);
	target->rig.session = -1;
	for (int i = 1; i <= 3; i++) {
		ASSERT_TRUE(peer_wait_inactive(peer));
		/* Before anyone can know of the context, as the runtime does. */
		control_of(target)->flags |= GTDBG_SIP_CONTROL_F_ACTIVE;
		context_enter(peer, i);
		before = peer->resumes;
		peer_stop(peer, SLOT, PEER_KERNEL_IP, PEER_BREAK);
		EXPECT_TRUE(peer_wait_resumes(peer, before + 1));
	}
	EXPECT_TRUE(peer_wait_inactive(peer));
}

TEST_HARNESS_MAIN
