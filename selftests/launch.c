// SPDX-License-Identifier: GPL-2.0-only
/* What is reported of launches, with a peer's batch and positions in it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness.h"

#include "target.h"
#include "trace.h"

#define RING 12 /* behind the one command in the peer's ring */
#define QUIET_MS 100
#define ARMED 0x40000061U
#define LIFTED 0x61U
#define JUMP 0x18800101U
#define CALL 0x18c00101U
#define ZEROS_PHYS 0x540000

FIXTURE(launch)
{
	struct target target;
};

FIXTURE_SETUP(launch)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS,
				  RIG_ACK_SUBMIT));
}

FIXTURE_TEARDOWN(launch)
{
	target_stop(&self->target);
}

static const struct peer_walker first = {
	.end = { 5, 3, 2 }, .simd = 16, .threads = 3, .right_mask = 0xff00ff,
};

static const struct peer_walker second = {
	.end = { 7, 1, 1 }, .simd = 32, .threads = 1, .right_mask = ~0U,
};

static uint32_t entry_dword0(struct target *target)
{
	uint32_t dword0;

	memcpy(&dword0, peer_at(&target->peer, PEER_CODE), 4);
	return dword0;
}

static bool becomes_armed(struct target *target)
{
	int tries = RIG_TIMEOUT_MS;

	while (entry_dword0(target) != ARMED && tries--)
		usleep(1000);
	return entry_dword0(target) == ARMED;
}

/* The streamer is at the walker of this number. */
static void run(struct target *target, uint32_t index)
{
	peer_position(&target->peer, RING, peer_walker_address(index));
}

/* A thread has reached the entry of the launch at walker @index. */
static const struct gtdbg_event_kernel_submit *
submit(struct target *target, uint32_t index, struct rig_event *event)
{
	run(target, index);
	return target_submit(target, 5, event) ? NULL : event->payload;
}

/* The launch at the first walker is reported, and acknowledged. */
static bool first_is_reported(struct target *target)
{
	struct rig_event event;

	peer_walker(&target->peer, 0, &first);
	return submit(target, 0, &event) && !rig_ack(&target->rig, &event);
}

/* No further launch is reported. */
static bool quiet(struct target *target)
{
	struct rig_event event;
	int ret;

	do
		ret = rig_any(&target->rig, &event, QUIET_MS);
	while (!ret && event.head->kind != GTDBG_EVENT_KERNEL_SUBMIT);
	return ret == -ETIMEDOUT;
}

TEST_F(launch, size_is_that_of_the_command)
{
	const struct gtdbg_event_kernel_submit *report;
	struct target *target = &self->target;
	struct rig_event event;

	peer_walker(&target->peer, 1, &first);
	report = submit(target, 1, &event);
	ASSERT_NE(NULL, report);
	EXPECT_EQ(5, report->slot);
	EXPECT_EQ(5, report->groups[0]);
	EXPECT_EQ(3, report->groups[1]);
	EXPECT_EQ(2, report->groups[2]);
	EXPECT_EQ(0, report->first_group[0]);
	EXPECT_EQ(16, report->simd);
	EXPECT_EQ(3, report->threads);
	/* Two full threads, and one with lanes 0 to 7; 16 has no others. */
	EXPECT_EQ(2 * 16 + 8, report->items);
	EXPECT_EQ(sizeof(*event.head) + sizeof(*report), event.head->len_bytes);
}

TEST_F(launch, size_is_zero_where_the_streamer_is_elsewhere)
{
	const struct gtdbg_event_kernel_submit *report;
	struct target *target = &self->target;
	struct rig_event event;

	peer_walker(&target->peer, 0, &first);
	peer_position(&target->peer, RING, PEER_BATCH + 0x800);
	ASSERT_EQ(0, target_submit(target, 5, &event));
	report = event.payload;
	EXPECT_EQ(PEER_CODE, report->address);
	EXPECT_EQ(0, report->groups[0]);
	EXPECT_EQ(0, report->simd);
	EXPECT_EQ(0, report->threads);
	EXPECT_EQ(0, report->items);
}

TEST_F(launch, groups_from_registers_are_not_known)
{
	const struct gtdbg_event_kernel_submit *report;
	struct target *target = &self->target;
	struct peer_walker indirect = first;
	struct rig_event event;

	indirect.flags = 1 << 10;
	peer_walker(&target->peer, 0, &indirect);
	report = submit(target, 0, &event);
	ASSERT_NE(NULL, report);
	EXPECT_EQ(0, report->groups[0]);
	EXPECT_EQ(0, report->groups[2]);
	EXPECT_EQ(40, report->items);
}

/* As the runtime cuts 10 x 30 work-items in groups of 4 x 4. */
TEST_F(launch, parts_of_a_range_are_one_launch)
{
	static const uint32_t part[PEER_WALKERS][4] = {
		{ 0, 2, 0, 7 }, { 2, 3, 0, 7 }, { 0, 2, 7, 8 }, { 2, 3, 7, 8 },
	};
	const struct gtdbg_event_kernel_submit *report;
	struct target *target = &self->target;
	struct rig_event event;

	for (uint32_t i = 0; i < PEER_WALKERS; i++) {
		struct peer_walker walker = {
			.first = { part[i][0], part[i][2], 0 },
			.end = { part[i][1], part[i][3], 1 },
			.simd = 8, .threads = 2, .right_mask = 0xff,
		};

		peer_walker(&target->peer, i, &walker);
	}
	report = submit(target, 0, &event);
	ASSERT_NE(NULL, report);
	EXPECT_EQ(3, report->groups[0]);
	EXPECT_EQ(8, report->groups[1]);
	EXPECT_EQ(1, report->groups[2]);
	EXPECT_EQ(16, report->items);
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	for (uint32_t i = 1; i < PEER_WALKERS; i++) {
		run(target, i);
		EXPECT_TRUE(quiet(target));
	}
}

TEST_F(launch, next_launch_without_pause_is_reported)
{
	const struct gtdbg_event_kernel_submit *report;
	struct target *target = &self->target;
	struct rig_event event;

	peer_walker(&target->peer, 1, &second);
	ASSERT_TRUE(first_is_reported(target));
	EXPECT_TRUE(quiet(target));
	EXPECT_EQ(LIFTED, entry_dword0(target));
	run(target, 1);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT,
			      &event));
	report = event.payload;
	EXPECT_EQ(GTDBG_SLOT_NONE, report->slot);
	EXPECT_EQ(target->kernel, report->kernel);
	EXPECT_EQ(7, report->groups[0]);
	EXPECT_EQ(32, report->items);
	EXPECT_TRUE(event.head->flags & GTDBG_EVENT_F_ACK);
	/* Those of its threads that start from now on wait. */
	EXPECT_TRUE(becomes_armed(target));
	peer_stop(&target->peer, 6, PEER_KERNEL_IP, PEER_BREAK);
	EXPECT_TRUE(quiet(target));
	EXPECT_TRUE(target->peer.waiting[6]);
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_EQ(LIFTED, entry_dword0(target));
	EXPECT_TRUE(quiet(target));
}

/* A command list that is executed twice has the same addresses. */
TEST_F(launch, same_command_started_again_is_reported)
{
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_TRUE(first_is_reported(target));
	EXPECT_TRUE(quiet(target));
	peer_ring_start(&target->peer, 16, PEER_BATCH);
	peer_position(&target->peer, RING + 16, peer_walker_address(0));
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT,
			      &event));
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	EXPECT_TRUE(quiet(target));
}

/* All its threads were past the entry when that was armed again. */
TEST_F(launch, launch_without_stopped_thread_is_reported)
{
	const struct gtdbg_event_kernel_submit *report;
	struct target *target = &self->target;
	struct rig_event event;

	peer_walker(&target->peer, 1, &second);
	ASSERT_TRUE(first_is_reported(target));
	peer_busy(&target->peer, false);
	ASSERT_TRUE(becomes_armed(target));
	run(target, 1);
	peer_busy(&target->peer, true);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT,
			      &event));
	report = event.payload;
	EXPECT_EQ(GTDBG_SLOT_NONE, report->slot);
	EXPECT_EQ(7, report->groups[0]);
	/* A thread that does come belongs to it. */
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	peer_stop(&target->peer, 6, PEER_KERNEL_IP, PEER_BREAK);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_TRUE(quiet(target));
}

/* Pages of zeros, as a driver has them where nothing is mapped. */
static void map_zeros(struct peer *peer, uint64_t va, uint32_t pages)
{
	for (uint32_t page = 0; page < pages; page++)
		peer_map(peer, va + 4096ULL * page, ZEROS_PHYS);
}

/* The walker's groups, if the streamer is at it in a batch that begins at @batch. */
static uint32_t groups_at(struct target *target, uint64_t batch)
{
	struct rig_event event;
	const struct gtdbg_event_kernel_submit *report;

	peer_walker(&target->peer, 0, &first);
	peer_position(&target->peer, 2 * RING,
		      batch + peer_walker_address(0) - PEER_BATCH);
	if (target_submit(target, 5, &event))
		return 0;
	report = event.payload;
	return report->groups[0];
}

/* One half of the batch's address is the start of a batch, in all but its length. */
TEST_F(launch, address_of_batch_is_not_taken_for_a_command)
{
	const uint64_t batch = 0x7f8918a65000ULL;
	struct peer *peer = &self->target.peer;

	peer_map(peer, batch, PEER_BATCH_PHYS);
	map_zeros(peer, 0x7f89 & ~0xfff, 8);
	peer_ring_start(peer, 0, batch);
	EXPECT_EQ(5, groups_at(&self->target, batch));
}

/* A later one in the ring has been freed: there are commands without an end. */
TEST_F(launch, batch_that_is_gone_hides_no_other)
{
	const uint64_t gone = 0x60000000;
	struct peer *peer = &self->target.peer;

	map_zeros(peer, gone, 8);
	peer_ring_start(peer, RING, gone);
	EXPECT_EQ(5, groups_at(&self->target, PEER_BATCH));
}

/* Without acknowledgements the code is left alone. */
TEST_F(launch, observer_gets_next_launch)
{
	struct gtdbg_event_mask mask = { .event_mask = RIG_ALL_EVENTS };
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_EVENT_MASK, &mask));
	peer_walker(&target->peer, 0, &first);
	peer_walker(&target->peer, 1, &second);
	ASSERT_NE(NULL, submit(target, 0, &event));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	EXPECT_TRUE(quiet(target));
	run(target, 1);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT,
			      &event));
	EXPECT_FALSE(event.head->flags & GTDBG_EVENT_F_ACK);
	EXPECT_EQ(LIFTED, entry_dword0(target));
	EXPECT_TRUE(quiet(target));
}

/* The first one has had a report, and the next one gets it, too. */
TEST_F(launch, later_session_gets_running_launch)
{
	const struct gtdbg_event_kernel_submit *report;
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_TRUE(first_is_reported(target));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	close(target->rig.session);
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	ASSERT_LT(0, target->rig.session);
	target->rig.at = target->rig.fill = 0;
	/* By its position or by a thread, whichever the poller sees first. */
	ASSERT_EQ(0, target_submit(target, 6, &event));
	report = event.payload;
	EXPECT_EQ(5, report->groups[0]);
	EXPECT_TRUE(quiet(target));
}

FIXTURE(hostile_batch)
{
	struct target target;
};

FIXTURE_VARIANT(hostile_batch)
{
	uint32_t dword0;
	uint64_t address; /* where it leads */
};

FIXTURE_VARIANT_ADD(hostile_batch, jumps_to_itself)
{
	.dword0 = JUMP, .address = PEER_BATCH,
};
FIXTURE_VARIANT_ADD(hostile_batch, calls_itself)
{
	.dword0 = CALL, .address = PEER_BATCH,
};
FIXTURE_VARIANT_ADD(hostile_batch, leads_nowhere)
{
	.dword0 = JUMP, .address = 0xfffffffffffcULL,
};
FIXTURE_VARIANT_ADD(hostile_batch, has_huge_commands)
{
	.dword0 = 0x7000ffff, .address = 0,
};

FIXTURE_SETUP(hostile_batch)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS,
				  RIG_ACK_SUBMIT));
}

FIXTURE_TEARDOWN(hostile_batch)
{
	target_stop(&self->target);
}

/* The kernel is reported all the same, soon, and without a size. */
TEST_F(hostile_batch, has_no_size)
{
	const struct gtdbg_event_kernel_submit *report;
	struct target *target = &self->target;
	uint8_t *batch = peer_at(&target->peer, PEER_BATCH);
	struct rig_event event;
	uint64_t start;

	peer_walker(&target->peer, 0, &first);
	peer_position(&target->peer, RING, peer_walker_address(0));
	/* The bases are learned first. */
	ASSERT_EQ(0, target_submit(target, 4, &event));
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	memcpy(batch, &variant->dword0, 4);
	memcpy(batch + 4, &variant->address, 8);
	peer_busy(&target->peer, false);
	ASSERT_TRUE(becomes_armed(target));
	peer_busy(&target->peer, true);
	start = rig_now_ns();
	ASSERT_EQ(0, target_submit(target, 5, &event));
	report = event.payload;
	EXPECT_EQ(0, report->groups[0]);
	EXPECT_EQ(0, report->items);
	EXPECT_GT(5000000000ULL, rig_now_ns() - start);
}

/* A kernel of this name begins: it stands in the trace as @said. */
static void traced(struct __test_metadata *_metadata, struct target *target,
		   const char *name, const char *said)
{
	const uint32_t cookie = PEER_COOKIE + 1;
	char line[1024] = "";
	struct trace trace;
	bool is_open;

	peer_code(peer_at(&target->peer, PEER_CODE), cookie);
	ASSERT_LT(0, target_kernel_add(target, name, cookie));
	is_open = trace_open(&trace, "gtdbg_launch_begin");
	EXPECT_TRUE(is_open);
	peer_walker(&target->peer, 0, &first);
	run(target, 0);
	EXPECT_TRUE(is_open && fgets(line, sizeof(line), trace.pipe));
	EXPECT_NE(NULL, strstr(line, said));
	trace_close(&trace);
}

/* Before a thread of it is at its entry, from which the session learns of it. */
TEST_F(launch, first_one_has_its_name_in_a_trace)
{
	if (access(TRACE_INSTANCES, W_OK))
		SKIP(return, "no tracefs: mount it, as root");
	traced(_metadata, &self->target, "early", "name=early");
}

/* A program may choose any name: it is to begin no line that looks like another event. */
TEST_F(launch, name_stays_in_its_line_of_a_trace)
{
	if (access(TRACE_INSTANCES, W_OK))
		SKIP(return, "no tracefs: mount it, as root");
	traced(_metadata, &self->target, "two\nlines", "name=two?lines");
}

TEST_HARNESS_MAIN
