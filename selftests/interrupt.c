// SPDX-License-Identifier: GPL-2.0-only
/* What may happen while a debugger waits for threads that do not stop. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "target.h"

#define LONG_NS 9000000000ULL /* of an interrupt, unless something ends it */
#define SHORT_NS 8000000000ULL /* what nobody may have to wait longer */

/* Physical addresses, of the peer and of what is added to it. */
#define PML4 0x300000
#define OTHER_PML4 0x3000000
#define IMAGE_PML4 0x2010cc

/* Is the halt request up? Waits until it is, for some time. */
static bool halting(struct target *target)
{
	int tries = RIG_TIMEOUT_MS;

	while (!target->peer.control && tries--)
		usleep(1000);
	return target->peer.control;
}

/* Is it taken back? Nobody waits for that any more when a caller is killed. */
static bool running(struct target *target)
{
	int tries = RIG_TIMEOUT_MS;

	while (target->peer.control && tries--)
		usleep(1000);
	return !target->peer.control;
}

FIXTURE(thread_interrupt)
{
	struct target target;
	struct rig_interrupt interrupt;
	uint64_t start;
};

FIXTURE_SETUP(thread_interrupt)
{
	uint32_t context;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_context(&self->target, &context));
	self->start = rig_now_ns();
	ASSERT_TRUE(rig_interrupt_start(&self->interrupt,
					self->target.rig.session,
					self->target.peer.device, LONG_NS));
	ASSERT_TRUE(halting(&self->target));
}

FIXTURE_TEARDOWN(thread_interrupt)
{
	target_stop(&self->target);
}

TEST_F(thread_interrupt, others_need_not_wait_for_it)
{
	struct gtdbg_thread_list list = { .device = self->target.peer.device };
	struct gtdbg_thread_interrupt second = self->interrupt.request;
	struct target *target = &self->target;
	int observer;

	EXPECT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list));
	observer = target_attach(target, GTDBG_SESSION_F_OBSERVER, 0);
	EXPECT_LT(0, observer);
	close(observer);
	/* One at a time: the request bits are the device's. */
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_THREAD_INTERRUPT,
			    &second));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(GTDBG_INTERRUPT_BUSY, second.refusal);
	EXPECT_NE(0, target->peer.control);
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	EXPECT_EQ(0, rig_interrupt_join(&self->interrupt));
	EXPECT_EQ(1, self->interrupt.request.stopped);
	EXPECT_EQ(0, target->peer.control);
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
}

/* What has nothing left to run cannot stop any more. */
TEST_F(thread_interrupt, work_may_end)
{
	struct gtdbg_thread_interrupt again = self->interrupt.request;
	struct target *target = &self->target;

	peer_busy(&target->peer, false);
	EXPECT_EQ(0, rig_interrupt_join(&self->interrupt));
	EXPECT_EQ(0, self->interrupt.request.stopped);
	EXPECT_EQ(GTDBG_INTERRUPT_DONE, self->interrupt.request.refusal);
	EXPECT_EQ(0, target->peer.control);
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_THREAD_INTERRUPT,
			    &again));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(GTDBG_INTERRUPT_IDLE, again.refusal);
}

/* Nor can a context that waits, or copies, and has no threads. */
TEST_F(thread_interrupt, no_launch_may_have_threads)
{
	struct target *target = &self->target;

	peer_spawning(&target->peer, false);
	EXPECT_EQ(0, rig_interrupt_join(&self->interrupt));
	EXPECT_EQ(0, self->interrupt.request.stopped);
	EXPECT_EQ(GTDBG_INTERRUPT_DONE, self->interrupt.request.refusal);
	EXPECT_EQ(0, target->peer.control);
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
}

/* All that there are may be stopped already, in a launch that goes on. */
TEST_F(thread_interrupt, ends_soon_where_threads_are_stopped)
{
	struct gtdbg_thread_interrupt again = self->interrupt.request;
	struct target *target = &self->target;

	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_interrupt_join(&self->interrupt));
	self->start = rig_now_ns();
	EXPECT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_THREAD_INTERRUPT,
			   &again));
	EXPECT_EQ(0, again.stopped);
	EXPECT_EQ(0, target->peer.control);
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
}

/* Whoever came in between is let go again. */
TEST_F(thread_interrupt, context_may_change)
{
	struct peer *peer = &self->target.peer;
	const uint32_t pml4 = OTHER_PML4;

	memcpy(peer->memory + OTHER_PML4, peer->memory + PML4, 4096);
	memcpy(peer->memory + IMAGE_PML4, &pml4, sizeof(pml4));
	peer_stop(peer, 0, 0x20000, PEER_HALT);
	EXPECT_EQ(-EAGAIN, rig_interrupt_join(&self->interrupt));
	EXPECT_EQ(GTDBG_INTERRUPT_SWITCHED, self->interrupt.request.refusal);
	EXPECT_EQ(0, peer->control);
	EXPECT_TRUE(peer_wait_resumes(peer, 1));
}

/* Another context comes, and one of its threads, which begins a launch. */
static int other_begins(struct target *target, struct rig_event *event)
{
	struct peer *peer = &target->peer;
	const uint32_t pml4 = OTHER_PML4;

	memcpy(peer->memory + OTHER_PML4, peer->memory + PML4, 4096);
	memcpy(peer->memory + IMAGE_PML4, &pml4, sizeof(pml4));
	/* A look that has begun before would take the thread for one of the first context. */
	if (rig_next(&target->rig, GTDBG_EVENT_CONTEXT_ADD, event))
		return -1;
	peer_stop(peer, 0, PEER_KERNEL_IP, PEER_BREAK | PEER_HALT);
	return rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, event);
}

TEST_F(thread_interrupt, context_may_change_to_one_that_begins)
{
	struct rig_event event;

	ASSERT_EQ(0, other_begins(&self->target, &event));
	EXPECT_EQ(-EAGAIN, rig_interrupt_join(&self->interrupt));
	EXPECT_EQ(GTDBG_INTERRUPT_SWITCHED, self->interrupt.request.refusal);
	EXPECT_TRUE(peer_wait_resumes(&self->target.peer, 1));
}

/* It is let go, but not past its entry before its launch may begin. */
TEST_F(thread_interrupt, context_may_change_to_one_that_waits)
{
	struct gtdbg_event_mask masks = { RIG_ALL_EVENTS, RIG_ACK_SUBMIT };
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_EVENT_MASK, &masks));
	ASSERT_EQ(0, other_begins(target, &event));
	EXPECT_EQ(-EAGAIN, rig_interrupt_join(&self->interrupt));
	EXPECT_EQ(GTDBG_INTERRUPT_SWITCHED, self->interrupt.request.refusal);
	EXPECT_EQ(0, target->peer.resumes);
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
}

/* Without one nobody could let go what has stopped. */
TEST_F(thread_interrupt, save_area_may_be_missing)
{
	struct gtdbg_thread_interrupt again = self->interrupt.request;
	struct target *target = &self->target;

	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_interrupt_join(&self->interrupt));
	*(uint8_t *)peer_at(&target->peer, PEER_SAVE_AREA) ^= 1;
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_THREAD_INTERRUPT,
			    &again));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(GTDBG_INTERRUPT_NO_SAVE_AREA, again.refusal);
	EXPECT_EQ(0, target->peer.control);
}

TEST_F(thread_interrupt, server_may_go)
{
	peer_fini(&self->target.peer);
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
	EXPECT_EQ(-ENODEV, rig_interrupt_join(&self->interrupt));
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
}

TEST_F(thread_interrupt, client_may_end)
{
	struct target *target = &self->target;

	close(target->client);
	target->client = -1;
	EXPECT_EQ(-ENODEV, rig_interrupt_join(&self->interrupt));
	EXPECT_EQ(0, target->peer.control);
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
	/* One that was hit by it at last goes on. */
	peer_stop(&target->peer, 9, 0x20000, PEER_HALT);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
}

TEST_F(thread_interrupt, debugger_may_be_killed)
{
	struct target *target = &self->target;
	int status;
	pid_t child;

	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_interrupt_join(&self->interrupt));
	ASSERT_EQ(0, target->peer.control);
	ASSERT_EQ(1, rig_resume(target->rig.session, target->peer.device, 0, 1,
				GTDBG_RESUME_RUN));
	child = fork();
	if (!child)
		_exit(ioctl(target->rig.session, GTDBG_IOC_THREAD_INTERRUPT,
			    &self->interrupt.request) ? 1 : 0);
	EXPECT_TRUE(halting(target));
	self->start = rig_now_ns();
	kill(child, SIGKILL);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_GT(SHORT_NS, rig_now_ns() - self->start);
	EXPECT_TRUE(running(target));
}

TEST_HARNESS_MAIN
