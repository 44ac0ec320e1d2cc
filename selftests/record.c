// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that threads write and run on: the peer's memory holds them, and the test
 * plays the SIP, from gtdbg_sip.h alone. What is read is compared with what was
 * written; each record that is not read is to be counted as lost.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define SECOND 16
#define FEW 10000 /* more than the ring has room for */
#define MANY 150000 /* more than may wait anywhere */
#define TAG 77

static const struct gtdbg_sip_op program[] = {
	{ GTDBG_SIP_OP_CAPTURE_REGISTER, 1024, 0, 0 },
	{ GTDBG_SIP_OP_RECORD, TAG, 0, 0 },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
};

/* What the session has heard of records. */
struct heard {
	uint64_t records, lost, wrong;
	uint32_t last; /* number that the last one carried as its value */
};

FIXTURE(record)
{
	struct target target;
	int breakpoint;
};

static int set(struct target *target)
{
	struct gtdbg_breakpoint_set request = {
		.kernel = target->kernel, .offset = SECOND,
	};

	return ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_SET, &request);
}

/* A thread of a client whose routine has @sip_version stands at its kernel's entry. */
static bool begin(struct target *target, uint32_t sip_version)
{
	struct rig_event event;
	uint32_t context;

	if (target_init(target))
		return false;
	peer_sip(&target->peer, sip_version);
	return !target_offer(target, RIG_ALL_EVENTS, 0) &&
	       !target_context(target, &context) &&
	       !target_submit(target, 3, &event);
}

FIXTURE_SETUP(record)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_TRUE(begin(&self->target, GTDBG_SIP_VERSION));
	self->breakpoint = set(&self->target);
	ASSERT_LT(0, self->breakpoint);
}

FIXTURE_TEARDOWN(record)
{
	target_stop(&self->target);
}

static volatile struct gtdbg_sip_ring *ring_of(struct target *target)
{
	return (volatile void *)peer_at(&target->peer, PEER_SAVE_AREA +
					GTDBG_SIP_RING_OFFSET);
}

static struct gtdbg_sip_record *place_of(struct target *target, uint32_t number)
{
	return (void *)peer_at(&target->peer, PEER_SAVE_AREA +
			       GTDBG_SIP_RECORD_OFFSET +
			       number % GTDBG_SIP_RECORDS_MAX *
			       GTDBG_SIP_RECORD_BYTES);
}

static void fill(struct gtdbg_sip_record *record, uint32_t number,
		 uint32_t serial)
{
	memset(record, 0, sizeof(*record));
	record->ip = PEER_KERNEL_IP + SECOND;
	record->slot = (GTDBG_SIP_SLOT_OFFSET +
			serial % PEER_SLOTS * GTDBG_SIP_SLOT_BYTES) / 16;
	record->lanes = 0x81;
	record->first = 8;
	record->time = 1000 + serial;
	record->tag = TAG;
	record->number = number;
	record->value[0][0] = serial;
	record->value[0][7] = ~serial;
	peer_record_seal(record);
}

/* As a thread does it; @serial is what it captures. */
static void write_one(struct target *target, uint32_t serial)
{
	volatile struct gtdbg_sip_ring *ring = ring_of(target);
	uint32_t number;

	if (ring->written - ring->read >= GTDBG_SIP_RECORDS_LIMIT) {
		__atomic_fetch_add(&ring->lost, 1, __ATOMIC_SEQ_CST);
		return;
	}
	number = __atomic_fetch_add(&ring->written, 1, __ATOMIC_SEQ_CST);
	fill(place_of(target, number), number, serial);
}

static bool is_right(const struct gtdbg_thread_record *record, uint32_t last)
{
	uint32_t serial = record->value[0][0];

	return serial > last && record->value[0][7] == ~serial &&
	       record->time == 1000 + serial && record->tag == TAG &&
	       record->slot == serial % PEER_SLOTS && record->lanes == 0x81 &&
	       record->first == 8 && record->kernel &&
	       record->address == PEER_CODE + SECOND;
}

/* Read events until as many records were heard of as @total says. */
static int hear(struct target *target, struct heard *heard, uint64_t total)
{
	const struct gtdbg_event_thread_record *head;
	const struct gtdbg_thread_record *record;
	struct rig_event event;
	int ret;

	while (heard->records + heard->lost < total) {
		ret = rig_next(&target->rig, GTDBG_EVENT_THREAD_RECORD, &event);
		if (ret)
			return ret;
		head = event.payload;
		record = (const void *)(head + 1);
		for (uint32_t i = 0; i < head->count; i++) {
			heard->wrong += !is_right(&record[i], heard->last);
			heard->last = record[i].value[0][0];
		}
		heard->records += head->count;
		heard->lost += head->lost;
	}
	return 0;
}

/* Until threads see that all was read: that is after the event. */
static void wait_room(struct target *target)
{
	while (ring_of(target)->read != ring_of(target)->written)
		usleep(1000);
}

TEST_F(record, arrives_as_it_was_written)
{
	struct target *target = &self->target;
	struct heard heard = { 0 };

	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	for (uint32_t serial = 1; serial <= FEW; serial++) {
		write_one(target, serial);
		if (serial % 1000 == 0)
			ASSERT_EQ(0, hear(target, &heard, serial));
	}
	EXPECT_EQ(0, heard.wrong);
	EXPECT_EQ(0, heard.lost);
	EXPECT_EQ(FEW, heard.records);
}

/* The reader sleeps: what it has not read and what was reported lost is all there was. */
TEST_F(record, is_counted_if_it_is_lost)
{
	struct target *target = &self->target;
	struct heard heard = { 0 };

	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	for (uint32_t serial = 1; serial <= MANY; serial++)
		write_one(target, serial);
	ASSERT_EQ(0, hear(target, &heard, MANY));
	EXPECT_EQ(0, heard.wrong);
	EXPECT_LT(0, heard.lost);
	EXPECT_EQ(ring_of(target)->lost, heard.lost);
	EXPECT_EQ(MANY, heard.lost + heard.records);
	/* And it goes on. */
	wait_room(target);
	write_one(target, MANY + 1);
	ASSERT_EQ(0, hear(target, &heard, MANY + 1));
	EXPECT_EQ(MANY + 1, heard.last);
}

/* Numbers go round, and what was there before the session is not its. */
TEST_F(record, begins_where_the_ring_is)
{
	struct target *target = &self->target;
	struct heard heard = { 0 };

	ring_of(target)->written = UINT32_MAX - 100;
	ring_of(target)->lost = 55;
	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	for (uint32_t serial = 1; serial <= 1000; serial++)
		write_one(target, serial);
	ASSERT_EQ(0, hear(target, &heard, 1000));
	EXPECT_EQ(0, heard.wrong);
	EXPECT_EQ(0, heard.lost);
	wait_room(target);
	EXPECT_EQ(899, ring_of(target)->read);
}

static void forge(struct gtdbg_sip_record *record, uint32_t how)
{
	uint32_t area = GTDBG_SIP_SLOT_OFFSET + PEER_SLOTS *
			GTDBG_SIP_SLOT_BYTES;

	record->number += how == 0;
	if (how == 1)
		record->lanes = 0;
	if (how == 2)
		record->slot++;
	if (how == 3)
		record->slot = area / 16;
	if (how == 4)
		record->slot = 1;
	if (how == 5)
		record->first = 32;
	if (how == 6)
		record->first = 3;
	peer_record_seal(record);
	record->value[1][3] ^= how == 7;
	if (how == 8)
		memset(record, 0xff, sizeof(*record));
}

/* Valid in all but one respect each; all others arrive. */
TEST_F(record, that_is_forged_counts_as_lost)
{
	struct target *target = &self->target;
	struct heard heard = { 0 };

	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	for (uint32_t number = 0; number < 100; number++) {
		fill(place_of(target, number), number, number + 1);
		if (number >= 40 && number < 49)
			forge(place_of(target, number), number - 40);
	}
	ring_of(target)->written = 100;
	ASSERT_EQ(0, hear(target, &heard, 100));
	EXPECT_EQ(0, heard.wrong);
	EXPECT_EQ(9, heard.lost);
	EXPECT_EQ(91, heard.records);
}

/* More than there is room for, as no thread would do it. */
TEST_F(record, number_that_jumps_is_followed)
{
	struct target *target = &self->target;
	struct heard heard = { 0 };

	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	ring_of(target)->written = 0x80000000U;
	ASSERT_EQ(0, hear(target, &heard, 0x80000000U));
	EXPECT_EQ(0x80000000U, heard.lost);
	wait_room(target);
	ring_of(target)->lost = 7;
	write_one(target, 1);
	ASSERT_EQ(0, hear(target, &heard, 0x80000008U));
	EXPECT_EQ(1, heard.records);
	EXPECT_EQ(0, heard.wrong);
}

/* The runtime has made it anew: its numbers begin again, and nothing was lost. */
TEST_F(record, area_that_is_new_has_lost_none)
{
	struct target *target = &self->target;
	uint8_t *magic = peer_at(&target->peer, PEER_SAVE_AREA);
	struct heard heard = { 0 };

	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	for (uint32_t serial = 1; serial <= 10; serial++)
		write_one(target, serial);
	ASSERT_EQ(0, hear(target, &heard, 10));
	wait_room(target);
	*magic ^= 0xff;
	/* Its memory was looked at, so it is known to be gone. */
	ASSERT_EQ(0, target_program(target, self->breakpoint, program, 3));
	ring_of(target)->written = 0;
	ring_of(target)->read = 0;
	*magic ^= 0xff;
	while (target_program(target, self->breakpoint, program, 3) == 0)
		usleep(1000);
	write_one(target, 11);
	ASSERT_EQ(0, hear(target, &heard, 11));
	EXPECT_EQ(0, heard.lost);
	EXPECT_EQ(11, heard.records);
}

/* It was there when the record was written. */
TEST_F(record, names_its_kernel_when_that_is_gone)
{
	struct target *target = &self->target;
	struct heard heard = { 0 };

	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	memset(peer_at(&target->peer, PEER_CODE), 0, PEER_KERNEL_BYTES);
	write_one(target, 1);
	ASSERT_EQ(0, hear(target, &heard, 1));
	EXPECT_EQ(1, heard.records);
	EXPECT_EQ(0, heard.wrong);
}

/* The session ends with the client, not before all was said. */
TEST_F(record, comes_before_the_end)
{
	struct target *target = &self->target;
	struct heard heard = { 0 };
	struct rig_event event;

	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	for (uint32_t serial = 1; serial <= 2000; serial++)
		write_one(target, serial);
	close(target->client);
	target->client = -1;
	ASSERT_EQ(0, hear(target, &heard, 2000));
	EXPECT_EQ(2000, heard.records);
	EXPECT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_EXIT, &event));
}

/* Whoever is about to leave hears of all first. */
TEST_F(record, comes_before_a_snapshot_that_is_asked_for_behind_it)
{
	struct target *target = &self->target;
	struct gtdbg_event_snapshot snapshot = { 0 };
	const struct gtdbg_event_thread_record *head;
	uint64_t records = 0;
	struct rig_event event;

	ASSERT_EQ(1, target_program(target, self->breakpoint, program, 3));
	for (uint32_t serial = 1; serial <= 1000; serial++)
		write_one(target, serial);
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_EVENT_SNAPSHOT,
			   &snapshot));
	do {
		ASSERT_EQ(0, rig_any(&target->rig, &event, 0));
		if (event.head->kind != GTDBG_EVENT_THREAD_RECORD)
			continue;
		head = event.payload;
		EXPECT_EQ(0, head->lost);
		records += head->count;
	} while (event.head->seqno < snapshot.last_seqno);
	EXPECT_EQ(1000, records);
}

/* The thread stops then, and the host does it. */
TEST_F(record, is_refused_by_older_routines)
{
	struct target *target = &self->target;
	struct gtdbg_sip_op plain[] = {
		{ GTDBG_SIP_OP_REGISTER, 1024, 0, 0 },
		{ GTDBG_SIP_OP_EQUAL, 5, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	};

	target_stop(target);
	ASSERT_TRUE(begin(target, (GTDBG_SIP_VERSION & 0xffff0000) |
			  GTDBG_SIP_MINOR_PROGRAM));
	self->breakpoint = set(target);
	EXPECT_EQ(1, target_program(target, self->breakpoint, plain, 3));
	EXPECT_EQ(0, target_program(target, self->breakpoint, program, 3));
}

TEST_HARNESS_MAIN
