// SPDX-License-Identifier: GPL-2.0-only
/* The event stream, filled by a client that registers kernels. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness.h"

#include "rig.h"

FIXTURE(event)
{
	int client, control, session;
	struct rig rig;
};

FIXTURE_SETUP(event)
{
	struct gtdbg_client_register client = { .flags = 0 };
	struct gtdbg_session_attach attach = { .event_mask = RIG_ALL_EVENTS };
	struct rig_event event;

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	self->client = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	self->control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, ioctl(self->client, GTDBG_IOC_CLIENT_REGISTER, &client));
	attach.client_fd = self->client;
	self->session = ioctl(self->control, GTDBG_IOC_SESSION_ATTACH, &attach);
	ASSERT_LT(0, self->session);
	memset(&self->rig, 0, sizeof(self->rig));
	self->rig.session = self->session;
	ASSERT_EQ(0, rig_next(&self->rig, GTDBG_EVENT_SYNCED, &event));
}

FIXTURE_TEARDOWN(event)
{
	close(self->session);
	close(self->client);
	close(self->control);
}

/* What there is to be read of each kernel: there is no room for another one in it. */
#define KERNEL_ADD_BYTES \
	(sizeof(struct gtdbg_event) + sizeof(struct gtdbg_event_kernel_add) + 8)

static int kernel_add(int client)
{
	struct gtdbg_kernel_add add = {
		.name = (uintptr_t)"kernel",
		.name_len_bytes = 6,
	};

	return ioctl(client, GTDBG_IOC_KERNEL_ADD, &add);
}

TEST_F(event, short_buffer_leaves_event_queued)
{
	union {
		struct gtdbg_event head;
		uint8_t bytes[256];
	} record;

	ASSERT_LT(0, kernel_add(self->client));
	EXPECT_EQ(-1, read(self->session, &record, sizeof(record.head)));
	EXPECT_EQ(EMSGSIZE, errno);
	ASSERT_LT(0, read(self->session, &record, sizeof(record)));
	EXPECT_EQ(GTDBG_EVENT_KERNEL_ADD, record.head.kind);
	EXPECT_EQ(0, record.head.len_bytes % 8);
}

TEST_F(event, bad_buffer_leaves_event_queued)
{
	uint8_t record[256], *volatile nowhere = (void *)8;

	ASSERT_LT(0, kernel_add(self->client));
	EXPECT_EQ(-1, read(self->session, nowhere, 4096));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_LT(0, read(self->session, record, sizeof(record)));
}

TEST_F(event, nonblocking_read_finds_nothing)
{
	uint8_t record[256];

	ASSERT_EQ(0, fcntl(self->session, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-1, read(self->session, record, sizeof(record)));
	EXPECT_EQ(EAGAIN, errno);
}

TEST_F(event, mask_leaves_out_what_is_not_wanted)
{
	struct gtdbg_event_mask masks = {
		.event_mask = RIG_ALL_EVENTS &
			      ~(1ULL << GTDBG_EVENT_KERNEL_ADD),
	};
	struct rig_event event;

	ASSERT_EQ(0, ioctl(self->session, GTDBG_IOC_EVENT_MASK, &masks));
	ASSERT_LT(0, kernel_add(self->client));
	EXPECT_EQ(-ETIMEDOUT, rig_any(&self->rig, &event, 20));
	/* No kind has number 0, nor one behind the last. */
	for (int bit = 0; bit < 64; bit++) {
		bool known = RIG_ALL_EVENTS >> bit & 1;

		masks.event_mask = 1ULL << bit;
		EXPECT_EQ(known ? 0 : -1, ioctl(self->session,
						GTDBG_IOC_EVENT_MASK, &masks));
	}
	masks.event_mask = RIG_ALL_EVENTS;
	masks.ack_mask = 1ULL << GTDBG_EVENT_THREAD_STOP;
	EXPECT_EQ(-1, ioctl(self->session, GTDBG_IOC_EVENT_MASK, &masks));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(event, overflow_says_how_many_were_lost)
{
	struct gtdbg_info info = { .flags = 0 };
	struct rig_event event;
	uint64_t last = 0, seen = 0, best = ~0ULL;

	ASSERT_EQ(0, ioctl(self->control, GTDBG_IOC_INFO, &info));
	for (uint32_t i = 0; i < info.events_max + 10; i++) {
		uint64_t start = rig_now_ns();

		ASSERT_LT(0, kernel_add(self->client));
		if (i > info.events_max && rig_now_ns() - start < best)
			best = rig_now_ns() - start;
	}
	/* The slow reader does not hold up the client; the machine may. */
	EXPECT_GT(10000000ULL, best);
	do {
		ASSERT_EQ(0, rig_any(&self->rig, &event, RIG_TIMEOUT_MS));
		EXPECT_LT(last, event.head->seqno);
		last = event.head->seqno;
		seen++;
	} while (event.head->kind == GTDBG_EVENT_KERNEL_ADD);
	EXPECT_EQ(info.events_max + 1, seen);
	ASSERT_EQ(GTDBG_EVENT_OVERFLOW, event.head->kind);
	EXPECT_EQ(10, ((const struct gtdbg_event_overflow *)
		       event.payload)->lost);
	/* From here on nothing is lost again. */
	ASSERT_LT(0, kernel_add(self->client));
	ASSERT_EQ(0, rig_any(&self->rig, &event, RIG_TIMEOUT_MS));
	EXPECT_EQ(GTDBG_EVENT_KERNEL_ADD, event.head->kind);
}

/* Kernels of the snapshot, each of which is there once; -1: not as it should. */
static int snapshot_kernels(struct rig *rig,
			    const struct gtdbg_event_snapshot *snapshot)
{
	struct rig_event event;
	int count = 0;

	do {
		if (rig_any(rig, &event, RIG_TIMEOUT_MS) ||
		    event.head->seqno > snapshot->last_seqno)
			return -1;
		/* What waited before comes first, and is no part of it. */
		if (event.head->seqno < snapshot->first_seqno)
			continue;
		if (!(event.head->flags & GTDBG_EVENT_F_REPLAY))
			return -1;
		count += event.head->kind == GTDBG_EVENT_KERNEL_ADD;
	} while (event.head->kind != GTDBG_EVENT_SYNCED);
	return event.head->seqno == snapshot->last_seqno ? count : -1;
}

TEST_F(event, snapshot_has_what_an_overflow_has_lost)
{
	struct gtdbg_event_snapshot snapshot = { .flags = 1 };
	struct gtdbg_info info = { .flags = 0 };
	struct rig_event event;

	EXPECT_EQ(-1, ioctl(self->session, GTDBG_IOC_EVENT_SNAPSHOT,
			    &snapshot));
	EXPECT_EQ(EINVAL, errno);
	snapshot.flags = 0;
	ASSERT_EQ(0, ioctl(self->control, GTDBG_IOC_INFO, &info));
	EXPECT_EQ(RIG_ALL_EVENTS, info.event_kinds);
	for (uint32_t i = 0; i < info.events_max + 10; i++)
		ASSERT_LT(0, kernel_add(self->client));
	ASSERT_EQ(0, rig_next(&self->rig, GTDBG_EVENT_OVERFLOW, &event));
	ASSERT_LT(0, kernel_add(self->client));
	ASSERT_EQ(0, ioctl(self->session, GTDBG_IOC_EVENT_SNAPSHOT, &snapshot));
	EXPECT_EQ(event.head->seqno + 2, snapshot.first_seqno);
	EXPECT_EQ((int)info.events_max + 11,
		  snapshot_kernels(&self->rig, &snapshot));
	/* And it goes on from there. */
	ASSERT_LT(0, kernel_add(self->client));
	ASSERT_EQ(0, rig_any(&self->rig, &event, RIG_TIMEOUT_MS));
	EXPECT_EQ(GTDBG_EVENT_KERNEL_ADD, event.head->kind);
	EXPECT_EQ(0, event.head->flags);
	close(self->client);
	self->client = -1;
	EXPECT_EQ(-1, ioctl(self->session, GTDBG_IOC_EVENT_SNAPSHOT,
			    &snapshot));
	EXPECT_EQ(ESRCH, errno);
}

/* The reader has got as far as the overflow when there is news: that comes after it. */
TEST_F(event, overflow_that_is_being_read_is_numbered)
{
	struct gtdbg_event_snapshot snapshot = { .flags = 0 };
	struct gtdbg_info info = { .flags = 0 };
	struct rig_event event;
	uint8_t record[KERNEL_ADD_BYTES];
	uint64_t seqno;

	ASSERT_EQ(0, ioctl(self->control, GTDBG_IOC_INFO, &info));
	for (uint32_t i = 0; i < info.events_max + 10; i++)
		ASSERT_LT(0, kernel_add(self->client));
	for (uint32_t i = 0; i < info.events_max; i++)
		ASSERT_LT(0, read(self->session, record, KERNEL_ADD_BYTES));
	EXPECT_EQ(-1, read(self->session, record, sizeof(*event.head)));
	EXPECT_EQ(EMSGSIZE, errno);
	ASSERT_LT(0, kernel_add(self->client));
	ASSERT_EQ(0, ioctl(self->session, GTDBG_IOC_EVENT_SNAPSHOT, &snapshot));
	ASSERT_EQ(0, rig_any(&self->rig, &event, RIG_TIMEOUT_MS));
	ASSERT_EQ(GTDBG_EVENT_OVERFLOW, event.head->kind);
	EXPECT_EQ(10, ((const struct gtdbg_event_overflow *)
		       event.payload)->lost);
	seqno = event.head->seqno;
	ASSERT_EQ(0, rig_any(&self->rig, &event, RIG_TIMEOUT_MS));
	EXPECT_EQ(GTDBG_EVENT_KERNEL_ADD, event.head->kind);
	EXPECT_EQ(seqno + 1, event.head->seqno);
	EXPECT_EQ(seqno + 2, snapshot.first_seqno);
	EXPECT_EQ((int)info.events_max + 11,
		  snapshot_kernels(&self->rig, &snapshot));
}

TEST_F(event, exit_comes_once_then_end_of_file)
{
	struct pollfd wait = { .fd = self->session, .events = POLLIN };
	struct rig_event event;
	uint8_t record[256];

	close(self->client);
	self->client = -1;
	ASSERT_EQ(0, rig_next(&self->rig, GTDBG_EVENT_EXIT, &event));
	EXPECT_EQ(0, read(self->session, record, sizeof(record)));
	EXPECT_EQ(1, poll(&wait, 1, RIG_TIMEOUT_MS));
	EXPECT_TRUE(wait.revents & POLLHUP);
}

TEST_HARNESS_MAIN
