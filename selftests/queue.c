// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two queues of one address space: each has an image, a ring and a save area, and their
 * commands say which area is whose. The test plays the SIP in both.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define SECOND 16
#define TAG 77
#define QUEUES 2
#define REG_LRCA 0x2240
#define SURFACE_BASE 44 /* in a batch */
#define AREA_BYTES \
	(GTDBG_SIP_SLOT_OFFSET + PEER_SLOTS * GTDBG_SIP_SLOT_BYTES)

/* Physical addresses of the peer's, and of what the second queue has. */
#define GGTT 0x100000
#define IMAGE 0x200000
#define IMAGE_BYTES 0x2000
#define OTHER_IMAGE 0x220000 /* GGTT address 0xc000 */
#define OTHER_RING 0x230000 /* GGTT address 0x8000 */
#define EMPTY 0x3000000 /* nothing was ever written there */

static const uint32_t lrca[QUEUES] = { 0x6000, 0xc000 };
static const uint64_t area[QUEUES] = { PEER_SAVE_AREA,
				       PEER_SAVE_AREA + 0x800000 };
static const uint64_t batch[QUEUES] = { PEER_BATCH, PEER_BATCH + 0x1000 };
static const uint64_t heap[QUEUES] = { PEER_DYNAMIC + 0x1000,
				       PEER_DYNAMIC + 0x2000 };

static const struct gtdbg_sip_op program[] = {
	{ GTDBG_SIP_OP_CAPTURE_REGISTER, 1024, 0, 0 },
	{ GTDBG_SIP_OP_RECORD, TAG, 0, 0 },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
};

FIXTURE(queue)
{
	struct target target;
	int breakpoint;
};

static void put(struct peer *peer, uint64_t phys, uint64_t value, size_t bytes)
{
	memcpy(peer->memory + phys, &value, bytes);
}

/* The area is what a surface at the heap's start leads to. */
static void surface_set(struct peer *peer, int queue)
{
	uint32_t state[16] = { 0x8ffd43eb, 0x84a95c83, 0xffff807f, 0x00600000 };

	state[8] = (uint32_t)area[queue];
	state[9] = area[queue] >> 32;
	peer_map(peer, heap[queue], 0x520000 + heap[queue] - PEER_DYNAMIC);
	memcpy(peer_at(peer, heap[queue]), state, sizeof(state));
	put(peer, PEER_BATCH_PHYS + batch[queue] - PEER_BATCH + SURFACE_BASE,
	    heap[queue] | 1, 8);
}

static void queues_make(struct peer *peer)
{
	uint8_t *first = peer_at(peer, area[0]);
	uint64_t at;

	/* What was never written cannot be written by the host. */
	memset(peer_at(peer, area[1]), 0, AREA_BYTES);
	peer_sip(peer, GTDBG_SIP_VERSION);
	memcpy(peer_at(peer, area[1]), first, GTDBG_SIP_TABLE_OFFSET);
	for (at = 0; at < AREA_BYTES; at += 4096)
		peer_map(peer, area[1] + at, 0x1000000 + at);
	memcpy(peer_at(peer, batch[1]), peer_at(peer, batch[0]), 4096);
	peer_map(peer, batch[1], PEER_BATCH_PHYS + 0x1000);
	surface_set(peer, 0);
	surface_set(peer, 1);
	for (int page = 0; page < 4; page++)
		put(peer, GGTT + 8 * (8 + page),
		    (OTHER_RING + 4096ULL * page) | 1, 8);
	for (int page = 0; page < 2; page++)
		put(peer, GGTT + 8 * (12 + page),
		    (OTHER_IMAGE + 4096ULL * page) | 1, 8);
	memcpy(peer->memory + OTHER_IMAGE, peer->memory + IMAGE, IMAGE_BYTES);
	put(peer, OTHER_IMAGE + 0x1024, 0x8000, 4);
	put(peer, OTHER_RING, 0x18800101, 4);
	put(peer, OTHER_RING + 4, batch[1], 8);
}

static int give(struct target *target, int breakpoint)
{
	return target_program(target, breakpoint, program,
			      sizeof(program) / sizeof(program[0]));
}

/* Queue @queue runs, until its area is the context's. */
static int run(struct target *target, int queue)
{
	const struct gtdbg_event_context_add *context;
	struct rig_event event;
	int ret;

	peer_register(&target->peer, REG_LRCA, lrca[queue] | 1);
	do {
		ret = rig_next(&target->rig, GTDBG_EVENT_CONTEXT_UPDATE, &event);
		if (ret)
			return ret;
		context = event.payload;
	} while (context->save_area != area[queue]);
	return 0;
}

FIXTURE_SETUP(queue)
{
	struct target *target = &self->target;
	struct rig_event event;
	uint32_t context;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_init(target));
	queues_make(&target->peer);
	ASSERT_EQ(0, target_offer(target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_context(target, &context));
	ASSERT_EQ(0, target_submit(target, 3, &event));
	self->breakpoint = rig_breakpoint(target->rig.session, target->kernel,
					  SECOND);
	ASSERT_LT(0, self->breakpoint);
	ASSERT_EQ(1, give(target, self->breakpoint));
}

FIXTURE_TEARDOWN(queue)
{
	target_stop(&self->target);
}

/* A thread of @queue writes one. */
static void write_record(struct target *target, int queue, uint32_t value)
{
	uint8_t *at = peer_at(&target->peer, area[queue]);
	struct gtdbg_sip_ring *ring = (void *)(at + GTDBG_SIP_RING_OFFSET);
	struct gtdbg_sip_record record = {
		.ip = PEER_KERNEL_IP + SECOND,
		.slot = GTDBG_SIP_SLOT_OFFSET / 16,
		.lanes = 1,
		.tag = TAG,
		.value[0][0] = value,
	};

	record.number = __atomic_fetch_add(&ring->written, 1, __ATOMIC_SEQ_CST);
	peer_record_seal(&record);
	memcpy(at + GTDBG_SIP_RECORD_OFFSET + record.number %
	       GTDBG_SIP_RECORDS_MAX * GTDBG_SIP_RECORD_BYTES, &record,
	       sizeof(record));
}

/* Is the next record, if none was lost before, that of @value? */
static bool hear(struct target *target, uint32_t value)
{
	const struct gtdbg_event_thread_record *head;
	const struct gtdbg_thread_record *record;
	struct rig_event event;

	if (rig_next(&target->rig, GTDBG_EVENT_THREAD_RECORD, &event))
		return false;
	head = event.payload;
	record = (const void *)(head + 1);
	return !head->lost && head->count == 1 && record->value[0][0] == value &&
	       record->address == PEER_CODE + SECOND;
}

/* A thread may have found its program before that was taken back. */
TEST_F(queue, that_left_is_still_heard)
{
	struct target *target = &self->target;

	write_record(target, 0, 1);
	EXPECT_TRUE(hear(target, 1));
	ASSERT_EQ(0, run(target, 1));
	write_record(target, 0, 2);
	EXPECT_TRUE(hear(target, 2));
	ASSERT_EQ(0, run(target, 0));
	write_record(target, 0, 3);
	EXPECT_TRUE(hear(target, 3));
}

static int take_back(struct target *target, int id)
{
	struct gtdbg_breakpoint_clear request = { .breakpoint = id };

	return ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_CLEAR, &request) ?
		       -errno : 0;
}

/* Its area is the context's then, and has no program. */
TEST_F(queue, that_comes_back_is_heard_before_it_decides)
{
	struct target *target = &self->target;

	ASSERT_EQ(0, run(target, 1));
	ASSERT_EQ(0, take_back(target, self->breakpoint));
	ASSERT_EQ(0, run(target, 0));
	write_record(target, 0, 1);
	EXPECT_TRUE(hear(target, 1));
}

/* And to the last word. */
TEST_F(queue, that_left_is_heard_at_the_end)
{
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, run(target, 1));
	write_record(target, 0, 1);
	close(target->client);
	target->client = -1;
	EXPECT_TRUE(hear(target, 1));
	EXPECT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_EXIT, &event));
}

static uint32_t flags_of(struct target *target, int queue)
{
	volatile uint32_t *flags = peer_at(&target->peer, area[queue] +
					   GTDBG_SIP_CONTROL_FLAGS);

	return *flags;
}

static uint32_t buckets_of(struct target *target, int queue)
{
	uint8_t *table = peer_at(&target->peer, area[queue] +
				 GTDBG_SIP_TABLE_OFFSET);
	uint32_t count = 0;
	struct gtdbg_sip_bucket bucket;

	for (uint32_t at = 0; at < GTDBG_SIP_TABLE_BYTES; at += sizeof(bucket)) {
		memcpy(&bucket, table + at, sizeof(bucket));
		count += bucket.tag && bucket.tag != GTDBG_SIP_TABLE_GONE;
	}
	return count;
}

/* What the EU decides by is in the area of the queue that runs. */
TEST_F(queue, that_left_decides_nothing)
{
	struct target *target = &self->target;

	for (int turn = 1; turn <= 4; turn++) {
		EXPECT_EQ(0, buckets_of(target, turn % 2));
		EXPECT_NE(0, buckets_of(target, (turn + 1) % 2));
		ASSERT_EQ(0, run(target, turn % 2));
		EXPECT_EQ(0, buckets_of(target, (turn + 1) % 2));
		while (give(target, self->breakpoint) != 1)
			usleep(1000);
	}
}

TEST_F(queue, that_left_knows_of_sessions)
{
	struct target *target = &self->target;

	ASSERT_EQ(0, run(target, 1));
	for (int queue = 0; queue < QUEUES; queue++)
		EXPECT_EQ(GTDBG_SIP_CONTROL_F_ACTIVE, flags_of(target, queue));
	close(target->rig.session);
	for (int queue = 0; queue < QUEUES; queue++)
		EXPECT_EQ(0, flags_of(target, queue));
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	ASSERT_LE(0, target->rig.session);
	for (int queue = 0; queue < QUEUES; queue++)
		EXPECT_EQ(GTDBG_SIP_CONTROL_F_ACTIVE, flags_of(target, queue));
}

/* As a driver does with what is not in use: its addresses lead to an empty page. */
TEST_F(queue, whose_area_is_away_is_told_when_it_is_back)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	uint64_t phys = (uint8_t *)peer_at(peer, area[0]) - peer->memory;

	ASSERT_EQ(0, run(target, 1));
	close(target->rig.session);
	EXPECT_EQ(0, flags_of(target, 0));
	peer_map(peer, area[0], EMPTY);
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	ASSERT_LE(0, target->rig.session);
	EXPECT_EQ(GTDBG_SIP_CONTROL_F_ACTIVE, flags_of(target, 1));
	EXPECT_EQ(0, flags_of(target, 0));
	peer_map(peer, area[0], phys);
	while (flags_of(target, 0) != GTDBG_SIP_CONTROL_F_ACTIVE)
		usleep(1000);
}

/* What its threads write when it is back is reported, as before. */
TEST_F(queue, whose_area_is_away_is_heard_when_it_is_back)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	uint64_t phys = (uint8_t *)peer_at(peer, area[0]) - peer->memory;

	ASSERT_EQ(0, run(target, 1));
	while (give(target, self->breakpoint) != 1)
		usleep(1000);
	peer_map(peer, area[0], EMPTY);
	write_record(target, 1, 1);
	EXPECT_TRUE(hear(target, 1));
	peer_map(peer, area[0], phys);
	write_record(target, 0, 2);
	EXPECT_TRUE(hear(target, 2));
}

static void *set_breakpoint(void *data)
{
	const struct target *target = data;

	rig_breakpoint(target->rig.session, target->kernel, 2 * SECOND);
	return NULL;
}

/* The module waits for the GT meanwhile, so it sees both changes at once. */
static bool leave_at_once(struct target *target)
{
	struct peer *peer = &target->peer;
	pthread_t setter;

	peer->hold = true;
	if (pthread_create(&setter, NULL, set_breakpoint, target))
		return false;
	while (!peer->holding)
		usleep(1000);
	peer_map(peer, area[0], EMPTY);
	peer_register(peer, REG_LRCA, lrca[1] | 1);
	peer->hold = false;
	return !pthread_join(setter, NULL);
}

/* It is not taken for gone as another one runs. */
TEST_F(queue, whose_area_goes_with_its_turn_is_still_heard)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	uint64_t phys = (uint8_t *)peer_at(peer, area[0]) - peer->memory;

	ASSERT_TRUE(leave_at_once(target));
	ASSERT_EQ(0, run(target, 1));
	peer_map(peer, area[0], phys);
	write_record(target, 0, 1);
	EXPECT_TRUE(hear(target, 1));
}

/*
 * Nobody looks at a GPU that is idle between sessions; but who has a queue to be told is
 * not done. The time is for those who are.
 */
TEST_F(queue, whose_area_is_away_is_told_of_the_end)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	uint64_t phys = (uint8_t *)peer_at(peer, area[0]) - peer->memory;

	ASSERT_EQ(0, run(target, 1));
	peer_map(peer, area[0], EMPTY);
	peer_register(peer, REG_LRCA, lrca[1]);
	close(target->rig.session);
	target->rig.session = -1;
	EXPECT_EQ(0, flags_of(target, 1));
	usleep(500000);
	peer_map(peer, area[0], phys);
	peer_register(peer, REG_LRCA, lrca[1] | 1);
	while (flags_of(target, 0))
		usleep(1000);
}

TEST_HARNESS_MAIN
