// SPDX-License-Identifier: GPL-2.0-only
/* Kernels that come and go in the memory of a context. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define SECOND_INSTRUCTION 16
#define BREAK 0x40000000
#define MOV 0x61
#define OTHER_COOKIE 0x2badcafe
#define OTHER_PLACE 0x2000 /* from PEER_CODE */

static uint32_t *code_at(struct target *target, uint32_t offset)
{
	return peer_at(&target->peer, PEER_CODE + offset);
}

/* A kernel's first instruction as the compiler makes it, and one more. */
static void code_put(struct target *target, uint32_t offset, uint32_t cookie)
{
	uint32_t *code = code_at(target, offset);

	memset(code, 0, 32);
	code[0] = MOV | BREAK;
	code[3] = cookie;
	code[4] = MOV;
}

static void code_map_other(struct target *target)
{
	peer_map(&target->peer, PEER_CODE + OTHER_PLACE,
		 0x500000 + OTHER_PLACE);
	code_put(target, OTHER_PLACE, OTHER_COOKIE);
}

static int kernel_remove(struct target *target, uint32_t kernel)
{
	struct gtdbg_kernel_remove request = { .kernel = kernel };

	return ioctl(target->client, GTDBG_IOC_KERNEL_REMOVE, &request);
}

/* A thread reaches the code at @offset; what is reported of it first. */
static int reach(struct target *target, uint32_t slot, uint32_t offset,
		 struct rig_event *event)
{
	int ret;

	peer_stop(&target->peer, slot, PEER_KERNEL_IP + offset, PEER_BREAK);
	do {
		ret = rig_any(&target->rig, event, RIG_TIMEOUT_MS);
	} while (!ret && event->head->kind != GTDBG_EVENT_KERNEL_SUBMIT &&
		 event->head->kind != GTDBG_EVENT_THREAD_STOP);
	return ret;
}

static uint32_t submitted_kernel(const struct rig_event *event)
{
	const struct gtdbg_event_kernel_submit *submit = event->payload;

	return event->head->kind == GTDBG_EVENT_KERNEL_SUBMIT ? submit->kernel :
								UINT32_MAX;
}

/* The first launch of "compute", from its submit event to its end. */
static int launch(struct target *target)
{
	struct rig_event event;

	return target_submit(target, 0, &event) ?:
	       rig_ack(&target->rig, &event) ?:
	       !peer_wait_resumes(&target->peer, 1);
}

/* The engine idles until the entry is armed again. */
static bool rearm(struct target *target, uint32_t offset)
{
	int tries = RIG_TIMEOUT_MS;

	peer_busy(&target->peer, false);
	while (*code_at(target, offset) == MOV && tries--)
		usleep(1000);
	peer_busy(&target->peer, true);
	return *code_at(target, offset) == (MOV | BREAK);
}

FIXTURE(entry)
{
	struct target target;
};

FIXTURE_SETUP(entry)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS,
				  RIG_ACK_SUBMIT));
}

FIXTURE_TEARDOWN(entry)
{
	target_stop(&self->target);
}

/* Nobody is left who knows a cookie, but threads may still be on their way. */
TEST_F(entry, late_thread_of_an_ended_client_is_let_go)
{
	struct target *target = &self->target;
	struct rig_event event;

	code_put(target, 0, OTHER_COOKIE);
	ASSERT_EQ(0, reach(target, 0, 0, &event));
	EXPECT_EQ(0, submitted_kernel(&event));
	close(target->client);
	target->client = -1;
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 1));
	peer_stop(&target->peer, 1, PEER_KERNEL_IP, PEER_BREAK);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
}

TEST_F(entry, kernel_made_again_has_its_new_id)
{
	struct target *target = &self->target;
	struct rig_event event;
	int other, again;

	ASSERT_EQ(0, launch(target));
	ASSERT_EQ(0, kernel_remove(target, target->kernel));
	other = target_kernel_add(target, "other", OTHER_COOKIE);
	again = target_kernel_add(target, "compute", PEER_COOKIE);
	ASSERT_LT(0, other);
	ASSERT_LT(0, again);
	/* A debugger may still hold the old id: it must not mean another. */
	EXPECT_NE(target->kernel, (uint32_t)other);
	EXPECT_NE(target->kernel, (uint32_t)again);
	ASSERT_TRUE(rearm(target, 0));
	ASSERT_EQ(0, reach(target, 0, 0, &event));
	EXPECT_EQ((uint32_t)again, submitted_kernel(&event));
}

TEST_F(entry, breakpoint_waits_for_its_own_kernel)
{
	struct target *target = &self->target;
	struct rig_event event;
	int other;

	code_map_other(target);
	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel,
				    SECOND_INSTRUCTION));
	ASSERT_EQ(0, kernel_remove(target, target->kernel));
	other = target_kernel_add(target, "other", OTHER_COOKIE);
	ASSERT_LT(0, other);
	ASSERT_EQ(0, reach(target, 0, OTHER_PLACE, &event));
	EXPECT_EQ((uint32_t)other, submitted_kernel(&event));
	EXPECT_EQ(MOV, *code_at(target, OTHER_PLACE + SECOND_INSTRUCTION));
	ASSERT_EQ(0, kernel_remove(target, other));
	ASSERT_LT(0, target_kernel_add(target, "compute", PEER_COOKIE));
	ASSERT_EQ(0, reach(target, 1, 0, &event));
	EXPECT_EQ(MOV | BREAK, *code_at(target, SECOND_INSTRUCTION));
}

TEST_F(entry, memory_of_a_freed_kernel_is_left_alone)
{
	struct target *target = &self->target;
	uint32_t *code = code_at(target, 0), context;
	int differ = 0;

	ASSERT_EQ(0, launch(target));
	close(target->rig.session);
	/* The program frees the kernel, and keeps data there. */
	for (int i = 0; i < PEER_KERNEL_BYTES / 4; i++)
		code[i] = i;
	target->rig.at = target->rig.fill = 0;
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	ASSERT_LT(0, target->rig.session);
	ASSERT_EQ(0, target_context(target, &context));
	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel,
				    SECOND_INSTRUCTION));
	for (int i = 0; i < PEER_KERNEL_BYTES / 4; i++)
		differ += code[i] != (uint32_t)i;
	EXPECT_EQ(0, differ);
}

TEST_F(entry, kernel_in_the_place_of_a_longer_one_is_seen)
{
	struct target *target = &self->target;
	struct rig_event event;
	int other;

	ASSERT_EQ(0, launch(target));
	other = target_kernel_add(target, "other", OTHER_COOKIE);
	ASSERT_LT(0, other);
	memset(code_at(target, 0), 0, PEER_KERNEL_BYTES);
	code_put(target, 0x100, OTHER_COOKIE);
	ASSERT_EQ(0, reach(target, 1, 0x100, &event));
	EXPECT_EQ((uint32_t)other, submitted_kernel(&event));
	EXPECT_EQ(0, *code_at(target, 0));
}

/* The instruction that was stepped was the thread's last. */
TEST_F(entry, launch_behind_a_step_is_a_launch)
{
	struct target *target = &self->target;
	struct rig_event event;

	peer_stop(&target->peer, 3, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	ASSERT_EQ(1, rig_resume(target->rig.session, target->peer.device, 3, 1,
				GTDBG_RESUME_STEP));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 1));
	ASSERT_EQ(0, reach(target, 3, 0, &event));
	EXPECT_EQ(target->kernel, submitted_kernel(&event));
}

/* Where its command belongs is gone when its launch is acknowledged. */
TEST_F(entry, thread_that_cannot_go_on_is_shown)
{
	const uint64_t slot = 200;
	const uint64_t command = PEER_SAVE_AREA + GTDBG_SIP_SLOT_OFFSET +
				 slot * GTDBG_SIP_SLOT_BYTES +
				 GTDBG_SIP_SLOT_COMMAND;
	const struct gtdbg_event_thread_stop *stop;
	struct target *target = &self->target;
	int controller = target->rig.session;
	struct rig_event event;
	bool shown = false;

	ASSERT_EQ(0, target_submit(target, slot, &event));
	peer_map(&target->peer, command & ~0xfffULL, 0xfff0000000);
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
	target->rig.at = target->rig.fill = 0;
	target->rig.session = target_attach(target, GTDBG_SESSION_F_OBSERVER,
					    RIG_ALL_EVENTS);
	ASSERT_LT(0, target->rig.session);
	do {
		ASSERT_EQ(0, rig_any(&target->rig, &event, RIG_TIMEOUT_MS));
		stop = event.payload;
		if (event.head->kind == GTDBG_EVENT_THREAD_STOP)
			shown |= stop->thread.slot == slot;
	} while (event.head->kind != GTDBG_EVENT_SYNCED);
	EXPECT_TRUE(shown);
	close(controller);
}

TEST_HARNESS_MAIN
