// SPDX-License-Identifier: GPL-2.0-only
/*
 * Launches whose threads the SIP counts, with a peer that claims to have such a
 * SIP: when the module begins to count, and what it lets pass.
 */
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define RING 12 /* behind the one command in the peer's ring */
#define FIRST 5 /* thread to reach the entry first */
#define THREADS (5 * 3 * 2 * 3) /* of the launch */
#define TRIES RIG_TIMEOUT_MS
#define PAGE_AT 0x505000 /* of code where no kernel is */

static const struct peer_walker walker = {
	.end = { 5, 3, 2 }, .simd = 16, .threads = 3, .right_mask = ~0U,
};

static void control_write(struct target *target, size_t offset, uint32_t value)
{
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA +
		       GTDBG_SIP_CONTROL_OFFSET + offset),
	       &value, sizeof(value));
}

FIXTURE(count)
{
	struct target target;
};

/* The device is offered and idle, and no one is attached. */
FIXTURE_SETUP(count)
{
	struct target *target = &self->target;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_init(target));
	control_write(target, offsetof(struct gtdbg_sip_control, version),
		      GTDBG_SIP_VERSION);
	peer_walker(&target->peer, 0, &walker);
	ASSERT_LT(0, peer_serve(&target->peer, target->client));
	peer_busy(&target->peer, false);
	peer_position(&target->peer, RING, peer_walker_address(0));
}

FIXTURE_TEARDOWN(count)
{
	target_stop(&self->target);
}

static bool attach(struct target *target)
{
	struct gtdbg_event_mask masks = { RIG_ALL_EVENTS, RIG_ACK_SUBMIT };

	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	return target->rig.session >= 0 &&
	       !ioctl(target->rig.session, GTDBG_IOC_EVENT_MASK, &masks);
}

/* How many may pass at the entry; false: they are not counted. */
static bool counted(struct target *target, int32_t *count_out)
{
	struct gtdbg_sip_bucket bucket;

	memcpy(&bucket, peer_at(&target->peer, PEER_SAVE_AREA +
				GTDBG_SIP_TABLE_OFFSET +
				(PEER_KERNEL_IP & GTDBG_SIP_TABLE_MASK)),
	       sizeof(bucket));
	*count_out = (int32_t)bucket.value;
	return bucket.tag == (PEER_KERNEL_IP | GTDBG_SIP_TABLE_LAUNCH);
}

/* Threads of the context stop from its first launch on: the first scan is in it. */
TEST_F(count, begins_with_the_first_launch_on_an_idle_device)
{
	struct target *target = &self->target;
	struct gtdbg_sip_command block;
	struct rig_event event;
	int32_t count;
	int tries = TRIES;

	control_write(target, offsetof(struct gtdbg_sip_control, flags),
		      GTDBG_SIP_CONTROL_F_ACTIVE);
	target->peer.starting = true;
	ASSERT_TRUE(attach(target));
	ASSERT_EQ(0, target_submit(target, FIRST, &event));
	EXPECT_TRUE(counted(target, &count));
	EXPECT_EQ(-1, count);
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
	while (!target->peer.resumes && tries--)
		usleep(1000);
	memcpy(&block, peer_at(&target->peer, PEER_SAVE_AREA +
			       GTDBG_SIP_SLOT_OFFSET +
			       FIRST * GTDBG_SIP_SLOT_BYTES +
			       GTDBG_SIP_SLOT_COMMAND), sizeof(block));
	EXPECT_EQ(GTDBG_SIP_COMMAND_ADMIT, block.command);
	EXPECT_EQ(THREADS, block.size_bytes);
}

/* Its groups are 2^64 + 4: what 64 bits hold of that is no number of threads. */
TEST_F(count, leaves_out_a_launch_of_more_threads_than_can_be)
{
	const struct peer_walker vast = {
		.end = { 769546, 494770, 48448661 }, .simd = 16, .threads = 1,
		.right_mask = ~0U,
	};
	struct target *target = &self->target;
	struct rig_event event;
	int32_t count;

	control_write(target, offsetof(struct gtdbg_sip_control, flags),
		      GTDBG_SIP_CONTROL_F_ACTIVE);
	peer_walker(&target->peer, 0, &vast);
	target->peer.starting = true;
	ASSERT_TRUE(attach(target));
	ASSERT_EQ(0, target_submit(target, FIRST, &event));
	EXPECT_FALSE(counted(target, &count));
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
}

/* Those that came before the area was found, in which no flag was set, did not stop. */
TEST_F(count, waits_for_whole_launches)
{
	struct gtdbg_session_stats stats = { 0 };
	struct target *target = &self->target;
	uint8_t *area = peer_at(&target->peer, PEER_SAVE_AREA);
	struct rig_event event;
	int32_t count;
	int tries = TRIES;

	area[0] ^= 0xff;
	ASSERT_TRUE(attach(target));
	while (!stats.scans && tries--) {
		ASSERT_EQ(0, ioctl(target->rig.session,
				   GTDBG_IOC_SESSION_STATS, &stats));
		usleep(1000);
	}
	ASSERT_LT(0, stats.scans);
	peer_busy(&target->peer, true);
	area[0] ^= 0xff;
	while (!peer_active(&target->peer) && tries--)
		usleep(1000);
	ASSERT_TRUE(peer_active(&target->peer));
	ASSERT_EQ(0, target_submit(target, FIRST, &event));
	EXPECT_FALSE(counted(target, &count));
}

/* What is begun anew between two launches may be gone by then, with its code. */
TEST_F(count, forgets_a_kernel_whose_code_goes_between_launches)
{
	struct gtdbg_session_stats stats = { 0 }, before = { 0 };
	struct target *target = &self->target;
	struct rig_event event;

	control_write(target, offsetof(struct gtdbg_sip_control, flags),
		      GTDBG_SIP_CONTROL_F_ACTIVE);
	ASSERT_TRUE(attach(target));
	peer_busy(&target->peer, true);
	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel, 0));
	ASSERT_EQ(0, target_submit(target, FIRST, &event));
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	EXPECT_EQ(1, rig_resume(target->rig.session, target->peer.device,
				FIRST, 1, GTDBG_RESUME_RUN));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	memset(peer_at(&target->peer, PEER_CODE), 0, 16);
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_SESSION_STATS,
			   &before));
	peer_busy(&target->peer, false);
	while (stats.scans < before.scans + 3) {
		ASSERT_EQ(0, ioctl(target->rig.session,
				   GTDBG_IOC_SESSION_STATS, &stats));
		usleep(1000);
	}
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_UNLOAD, &event));
}

/* Its bucket was left while threads may be about to take a ticket there. */
TEST_F(count, leaves_no_bucket_to_a_program)
{
	static const struct gtdbg_sip_op op[] = {
		{ GTDBG_SIP_OP_REGISTER, 1024, 0, 0 },
		{ GTDBG_SIP_OP_EQUAL, 1234, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	};
	struct gtdbg_breakpoint_program request = {
		.program = (uintptr_t)op, .len_bytes = sizeof(op),
		.version = GTDBG_PROGRAM_VERSION,
	};
	struct target *target = &self->target;
	struct gtdbg_breakpoint_set set = { 0 };
	struct rig_event event;
	int32_t count;
	int entry;

	control_write(target, offsetof(struct gtdbg_sip_control, flags),
		      GTDBG_SIP_CONTROL_F_ACTIVE);
	ASSERT_TRUE(attach(target));
	peer_busy(&target->peer, true);
	ASSERT_EQ(0, target_submit(target, FIRST, &event));
	ASSERT_TRUE(counted(target, &count));
	entry = rig_breakpoint(target->rig.session, target->kernel, 0);
	ASSERT_LT(0, entry);
	EXPECT_FALSE(counted(target, &count));
	/* One whose home is the same bucket. */
	set.device = target->peer.device;
	set.context = ((const struct gtdbg_event_kernel_submit *)
		       event.payload)->context;
	set.offset = PEER_CODE + GTDBG_SIP_TABLE_MASK + 8;
	peer_map(&target->peer, set.offset, PAGE_AT);
	memset(target->peer.memory + PAGE_AT, 0, 4096);
	request.breakpoint = ioctl(target->rig.session,
				   GTDBG_IOC_BREAKPOINT_SET, &set);
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_PROGRAM,
			   &request));
	EXPECT_EQ(1, request.decided);
	counted(target, &count);
	EXPECT_EQ(-1, count);
}

static void count_write(struct target *target, int32_t count)
{
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA +
		       GTDBG_SIP_TABLE_OFFSET + GTDBG_SIP_TABLE_VALUE +
		       (PEER_KERNEL_IP & GTDBG_SIP_TABLE_MASK)), &count,
	       sizeof(count));
}

/* A thread comes to the entry, having found @ticket there. */
static void come(struct target *target, uint32_t slot, int32_t ticket)
{
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_SLOT_OFFSET +
		       slot * GTDBG_SIP_SLOT_BYTES + GTDBG_SIP_SLOT_TICKET),
	       &ticket, sizeof(ticket));
	peer_stop(&target->peer, slot, PEER_KERNEL_IP, PEER_BREAK);
}

/* The module has looked at all that has come. */
static bool scanned(struct target *target)
{
	struct gtdbg_session_stats stats = { 0 };
	uint64_t until = 0;

	while (!ioctl(target->rig.session, GTDBG_IOC_SESSION_STATS, &stats)) {
		until = until ?: stats.scans + 3;
		if (stats.scans >= until)
			return true;
		usleep(1000);
	}
	return false;
}

/* The first launch has been counted, and acknowledged. */
static int begin(struct target *target, struct rig_event *event)
{
	int32_t count;

	control_write(target, offsetof(struct gtdbg_sip_control, flags),
		      GTDBG_SIP_CONTROL_F_ACTIVE);
	target->peer.starting = true;
	peer_walker(&target->peer, 1, &walker);
	if (!attach(target) || target_submit(target, FIRST, event) ||
	    !counted(target, &count))
		return -1;
	return rig_ack(&target->rig, event) ||
	       !peer_wait_resumes(&target->peer, 1) ? -1 : 0;
}

/* Slots are looked at in their order, and not in that in which their threads came. */
TEST_F(count, holds_who_is_seen_before_the_first_thread_of_its_launch)
{
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, begin(target, &event));
	peer_position(&target->peer, RING, peer_walker_address(1));
	count_write(target, -2);
	come(target, FIRST + 1, -1);
	ASSERT_TRUE(scanned(target));
	EXPECT_EQ(1, target->peer.resumes);
	come(target, FIRST + 2, 0);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	EXPECT_EQ(FIRST + 2, ((const struct gtdbg_event_kernel_submit *)
			      event.payload)->slot);
	ASSERT_TRUE(scanned(target));
	EXPECT_EQ(1, target->peer.resumes);
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 3));
}

/* It has as many admitted as have come. */
TEST_F(count, lets_go_who_is_seen_after_its_launch_was_acknowledged)
{
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, begin(target, &event));
	count_write(target, THREADS - 2);
	come(target, FIRST + 1, -1);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
}

/*
 * Its debugger has let them go one by one, so none was there to admit the others when it
 * was acknowledged. Whoever comes first finds as many less than none.
 */
TEST_F(count, knows_the_first_thread_behind_a_launch_that_was_let_go)
{
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, begin(target, &event));
	peer_position(&target->peer, RING, peer_walker_address(1));
	count_write(target, -1);
	come(target, FIRST, 0);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	EXPECT_EQ(1, rig_resume(target->rig.session, target->peer.device, FIRST,
				1, GTDBG_RESUME_RUN));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
	peer_position(&target->peer, RING, peer_walker_address(0));
	count_write(target, -THREADS - 2);
	come(target, FIRST, -THREADS - 1);
	ASSERT_TRUE(scanned(target));
	EXPECT_EQ(2, target->peer.resumes);
	come(target, FIRST + 1, -THREADS);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	EXPECT_EQ(FIRST + 1, ((const struct gtdbg_event_kernel_submit *)
			      event.payload)->slot);
}

/* The program may write what it likes there, and a launch may be cut short. */
TEST_F(count, waits_for_a_first_thread_only_so_long)
{
	struct target *target = &self->target;
	struct rig_event event;
	int32_t count;

	ASSERT_EQ(0, begin(target, &event));
	peer_position(&target->peer, RING, peer_walker_address(1));
	count_write(target, -7);
	come(target, FIRST + 1, -6);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	EXPECT_FALSE(counted(target, &count));
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
}

TEST_HARNESS_MAIN
