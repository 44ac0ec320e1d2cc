// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows: what programs may load of where pointers lead to, with a peer whose launch has
 * two buffers. When one is open, for which of them, and which operations name one.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define RING 12 /* behind the one command in the peer's ring */
#define FIRST 5 /* thread to reach the entry first */
#define SECOND 16 /* instruction, with the program */
#define SURFACES 0x400 /* in the dynamic state, as is the descriptor */
#define SURFACE_BYTES 64
#define DESCRIPTOR 0x100
#define BATCH_SURFACE_BASE (28 + 16)
#define BUFFER 0x40000000ULL
#define OTHER 0x48000000ULL
#define MAPPED 0x2000 /* of each, which is a page larger */
#define BUFFER_PHYS 0x600000

static const struct peer_walker walker = {
	.end = { 5, 3, 2 }, .simd = 16, .threads = 3, .right_mask = ~0U,
};

static const struct gtdbg_sip_op follow[] = {
	{ GTDBG_SIP_OP_REGISTER, 64, 0, 0 },
	{ GTDBG_SIP_OP_KEEP, 0, 0, 0 },
	{ GTDBG_SIP_OP_ADDRESS, 1024, 0, 0 },
	{ GTDBG_SIP_OP_FOLLOW, 0, 0, 0 },
	{ GTDBG_SIP_OP_GLOBAL, 0, 1000, 4 << GTDBG_SIP_GLOBAL_BYTES_SHIFT |
					GTDBG_SIP_GLOBAL_INDEX | 4 },
	{ GTDBG_SIP_OP_EQUAL, 1234, 0, 0 },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
};

/* The launch's buffer @number is at @address, as far as @bytes, and maybe no buffer. */
static void surface_put(struct peer *peer, uint32_t number, uint64_t address,
			uint32_t bytes)
{
	uint32_t dword[SURFACE_BYTES / 4] = {
		[0] = bytes ? 4U << 29 | 0x1ff << 18 : 0,
		[2] = ((bytes - 1) & 0x7f) | ((bytes - 1) >> 7 & 0x3fff) << 16,
		[8] = (uint32_t)address, [9] = (uint32_t)(address >> 32),
	};

	memcpy(peer_at(peer, PEER_DYNAMIC + SURFACES + number * SURFACE_BYTES),
	       dword, sizeof(dword));
}

static void surfaces_put(struct peer *peer)
{
	const uint32_t table = SURFACES + 2 * SURFACE_BYTES;
	const uint32_t entries[2] = { SURFACES, SURFACES + SURFACE_BYTES };
	const uint64_t base = PEER_DYNAMIC | 1;

	memcpy(peer_at(peer, PEER_BATCH + BATCH_SURFACE_BASE), &base,
	       sizeof(base));
	memcpy(peer_at(peer, PEER_DYNAMIC + DESCRIPTOR + 16), &table,
	       sizeof(table));
	memcpy(peer_at(peer, PEER_DYNAMIC + table), entries, sizeof(entries));
	surface_put(peer, 0, OTHER, MAPPED + 4096);
	surface_put(peer, 1, BUFFER, MAPPED + 4096);
	for (uint64_t at = 0; at < MAPPED; at += 4096) {
		peer_map(peer, BUFFER + at, BUFFER_PHYS + at);
		peer_map(peer, OTHER + at, BUFFER_PHYS + MAPPED + at);
	}
}

FIXTURE(window)
{
	struct target target;
	struct rig_event submit;
	int breakpoint;
};

static int begin(struct target *target, struct rig_event *submit)
{
	struct gtdbg_event_mask masks = { RIG_ALL_EVENTS, RIG_ACK_SUBMIT };
	struct gtdbg_sip_control *control;
	int ret = target_init(target);

	if (ret)
		return ret;
	control = peer_at(&target->peer, PEER_SAVE_AREA +
			  GTDBG_SIP_CONTROL_OFFSET);
	control->version = GTDBG_SIP_VERSION;
	control->flags = GTDBG_SIP_CONTROL_F_ACTIVE;
	peer_walker(&target->peer, 0, &walker);
	peer_walker(&target->peer, 1, &walker);
	surfaces_put(&target->peer);
	if (peer_serve(&target->peer, target->client) < 0)
		return -1;
	peer_busy(&target->peer, false);
	peer_position(&target->peer, RING, peer_walker_address(0));
	target->peer.starting = true;
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	if (target->rig.session < 0 ||
	    ioctl(target->rig.session, GTDBG_IOC_EVENT_MASK, &masks))
		return -1;
	return target_submit(target, FIRST, submit);
}

/* The first launch waits at its entry, and the program is bound. */
FIXTURE_SETUP(window)
{
	struct target *target = &self->target;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, begin(target, &self->submit));
	self->breakpoint = rig_breakpoint(target->rig.session, target->kernel,
					  SECOND);
	ASSERT_LT(0, self->breakpoint);
	ASSERT_EQ(1, target_program(target, self->breakpoint, follow,
				    ARRAY_SIZE(follow)));
}

FIXTURE_TEARDOWN(window)
{
	target_stop(&self->target);
}

/* Where the first window leads to; 0: it is closed. */
static uint64_t window_read(struct target *target, uint32_t *bytes)
{
	struct gtdbg_sip_window window;
	uint32_t dword[sizeof(window) / 4];

	memcpy(&window, peer_at(&target->peer, PEER_SAVE_AREA +
				GTDBG_SIP_WINDOW_OFFSET), sizeof(window));
	memcpy(dword, &window, sizeof(dword));
	*bytes = window.bytes;
	return (dword[0] ^ dword[1] ^ dword[2] ^ dword[3]) ==
	       GTDBG_SIP_WINDOW_MAGIC ? window.first : 0;
}

/* A thread stops, one channel of which has looked at @place. */
static int stop_outside(struct target *target, uint32_t slot, uint64_t place)
{
	struct gtdbg_sip_outside outside = {
		.op = follow[4], .place = { 1, 2, 3, 4, 5, place, 6, 7 },
	};
	struct rig_event event;

	memcpy(peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_SLOT_OFFSET +
		       slot * GTDBG_SIP_SLOT_BYTES + GTDBG_SIP_SLOT_OUTSIDE),
	       &outside, sizeof(outside));
	peer_stop(&target->peer, slot, PEER_KERNEL_IP + SECOND, PEER_BREAK);
	return rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);
}

TEST_F(window, opens_where_a_thread_looks_as_far_as_there_is_something)
{
	struct target *target = &self->target;
	/* The one in the buffer is written over by what is read next. */
	const struct gtdbg_event head = *self->submit.head;
	const struct rig_event submit = { .head = &head };
	uint32_t bytes;

	EXPECT_EQ(0, window_read(target, &bytes));
	/* A launch that waits may have been let go one by one, and be over. */
	ASSERT_EQ(0, stop_outside(target, 8, BUFFER + 0x1004));
	EXPECT_EQ(0, window_read(target, &bytes));
	EXPECT_EQ(0, rig_ack(&target->rig, &submit));
	ASSERT_EQ(0, stop_outside(target, 9, BUFFER + 0x1004));
	EXPECT_EQ(BUFFER, window_read(target, &bytes));
	EXPECT_EQ(MAPPED, bytes);
}

/* Where nothing is, nobody looks for ever; the next launch may have a buffer there. */
TEST_F(window, is_not_looked_for_without_end)
{
	struct target *target = &self->target;
	uint32_t bytes;

	EXPECT_EQ(0, rig_ack(&target->rig, &self->submit));
	for (uint32_t slot = 9; slot < 9 + 4; slot++)
		ASSERT_EQ(0, stop_outside(target, slot, BUFFER - 1));
	ASSERT_EQ(0, stop_outside(target, 13, BUFFER));
	EXPECT_EQ(0, window_read(target, &bytes));
	peer_position(&target->peer, RING, peer_walker_address(1));
	ASSERT_EQ(0, target_submit(target, FIRST + 1, &self->submit));
	EXPECT_EQ(0, rig_ack(&target->rig, &self->submit));
	ASSERT_EQ(0, stop_outside(target, 14, BUFFER));
	EXPECT_EQ(BUFFER, window_read(target, &bytes));
}

TEST_F(window, stays_closed_beside_buffers)
{
	struct target *target = &self->target;
	uint32_t bytes;

	EXPECT_EQ(0, rig_ack(&target->rig, &self->submit));
	surface_put(&target->peer, 1, BUFFER + 64, 256);
	ASSERT_EQ(0, stop_outside(target, 9, BUFFER + 63));
	EXPECT_EQ(0, window_read(target, &bytes));
	ASSERT_EQ(0, stop_outside(target, 10, BUFFER + 64 + 256));
	EXPECT_EQ(0, window_read(target, &bytes));
	ASSERT_EQ(0, stop_outside(target, 11, BUFFER + 64 + 255));
	EXPECT_EQ(BUFFER + 64, window_read(target, &bytes));
	EXPECT_EQ(256, bytes);
	/* Which is a buffer, and nothing is there. */
	surface_put(&target->peer, 1, BUFFER + MAPPED, 4096);
	ASSERT_EQ(0, stop_outside(target, 12, BUFFER + MAPPED));
	EXPECT_EQ(BUFFER + 64, window_read(target, &bytes));
}

/* Its threads still wait when it is another launch's buffer, or none. */
TEST_F(window, leads_to_buffers_of_the_launch_that_runs_alone)
{
	struct target *target = &self->target;
	uint32_t bytes;

	EXPECT_EQ(0, rig_ack(&target->rig, &self->submit));
	ASSERT_EQ(0, stop_outside(target, 9, BUFFER));
	EXPECT_EQ(BUFFER, window_read(target, &bytes));
	peer_position(&target->peer, RING, peer_walker_address(1));
	surface_put(&target->peer, 1, OTHER + 128, 512);
	ASSERT_EQ(0, target_submit(target, FIRST + 1, &self->submit));
	EXPECT_EQ(0, window_read(target, &bytes));
	EXPECT_EQ(0, rig_ack(&target->rig, &self->submit));
	EXPECT_EQ(OTHER + 128, window_read(target, &bytes));
	EXPECT_EQ(512, bytes);
	surface_put(&target->peer, 1, 0, 0);
	peer_position(&target->peer, RING, peer_walker_address(0));
	ASSERT_EQ(0, target_submit(target, FIRST + 2, &self->submit));
	EXPECT_EQ(0, window_read(target, &bytes));
}

/* It takes no ticket; that all of the launch before have come shows that it is the first. */
TEST_F(window, closes_for_a_launch_whose_first_thread_is_halted)
{
	struct target *target = &self->target;
	const uint32_t slot = FIRST + 1, ticket = GTDBG_SIP_TICKET_NONE;
	const int32_t none = 0;
	uint32_t bytes;

	EXPECT_EQ(0, rig_ack(&target->rig, &self->submit));
	ASSERT_EQ(0, stop_outside(target, 9, BUFFER));
	EXPECT_EQ(BUFFER, window_read(target, &bytes));
	peer_position(&target->peer, RING, peer_walker_address(1));
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA +
		       GTDBG_SIP_TABLE_OFFSET + GTDBG_SIP_TABLE_VALUE +
		       (PEER_KERNEL_IP & GTDBG_SIP_TABLE_MASK)), &none,
	       sizeof(none));
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_SLOT_OFFSET +
		       slot * GTDBG_SIP_SLOT_BYTES + GTDBG_SIP_SLOT_TICKET),
	       &ticket, sizeof(ticket));
	peer_stop(&target->peer, slot, PEER_KERNEL_IP, PEER_BREAK | PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT,
			      &self->submit));
	EXPECT_EQ(0, window_read(target, &bytes));
}

/* As with a breakpoint at the entry: then the host decides, and says so. */
TEST_F(window, closes_where_launches_are_counted_no_more)
{
	struct target *target = &self->target;
	uint32_t bytes;

	EXPECT_EQ(0, rig_ack(&target->rig, &self->submit));
	ASSERT_EQ(0, stop_outside(target, 9, BUFFER));
	EXPECT_EQ(BUFFER, window_read(target, &bytes));
	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel, 0));
	EXPECT_EQ(0, window_read(target, &bytes));
	ASSERT_EQ(0, stop_outside(target, 10, BUFFER));
	EXPECT_EQ(0, window_read(target, &bytes));
	EXPECT_EQ(0, target_program(target, self->breakpoint, follow,
				    ARRAY_SIZE(follow)));
}

TEST_F(window, closes_with_its_program_and_its_session)
{
	struct target *target = &self->target;
	uint32_t bytes;

	EXPECT_EQ(0, rig_ack(&target->rig, &self->submit));
	ASSERT_EQ(0, stop_outside(target, 9, BUFFER));
	EXPECT_EQ(0, target_program(target, self->breakpoint, NULL, 0));
	EXPECT_EQ(0, window_read(target, &bytes));
	EXPECT_EQ(1, target_program(target, self->breakpoint, follow,
				    ARRAY_SIZE(follow)));
	ASSERT_EQ(0, stop_outside(target, 10, BUFFER));
	EXPECT_EQ(BUFFER, window_read(target, &bytes));
	close(target->rig.session);
	target->rig.session = -1;
	EXPECT_TRUE(peer_wait_inactive(&target->peer));
	EXPECT_EQ(0, window_read(target, &bytes));
}

static int try(struct target *target, uint32_t id, uint32_t which,
	       struct gtdbg_sip_op op)
{
	struct gtdbg_sip_op bad[ARRAY_SIZE(follow)];

	memcpy(bad, follow, sizeof(bad));
	bad[which] = op;
	return target_program(target, id, bad, ARRAY_SIZE(bad));
}

/* What a pointer leads to is loaded by one operation alone, which names a window. */
TEST_F(window, is_what_a_pointer_needs)
{
	const uint32_t four = 4 << GTDBG_SIP_GLOBAL_BYTES_SHIFT;
	const uint32_t index = four | GTDBG_SIP_GLOBAL_INDEX;
	const struct {
		uint32_t which;
		struct gtdbg_sip_op op;
	} bad[] = {
		{ 4, { GTDBG_SIP_OP_LOAD, 0, 0, 0 } },
		{ 4, { GTDBG_SIP_OP_LOAD_BYTE, 0, 0, 0 } },
		{ 4, { GTDBG_SIP_OP_WIDE, 0, 0, 0 } },
		{ 4, { GTDBG_SIP_OP_FOLLOW, 0, 0, 0 } },
		{ 4, { GTDBG_SIP_OP_ADD, 4, 0, 0 } }, /* without a value */
		{ 3, { GTDBG_SIP_OP_FOLLOW, 1, 0, 0 } },
		{ 3, { GTDBG_SIP_OP_FOLLOW, 0, 1, 0 } },
		{ 3, { GTDBG_SIP_OP_FOLLOW, 0, 0, 1 } },
		{ 2, { GTDBG_SIP_OP_KEEP, 0, 0, 0 } },
		{ 1, { GTDBG_SIP_OP_REGISTER, 64, 0, 0 } }, /* nothing kept */
		{ 4, { GTDBG_SIP_OP_GLOBAL, GTDBG_SIP_PROGRAM_WINDOWS_MAX, 0,
		       four } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 1, four } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0, four | 4 } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0,
		       four | GTDBG_SIP_GLOBAL_UNSIGNED } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0, 2 * four } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0, 0 } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0, four | 0x8000000 } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0, four | GTDBG_SIP_GLOBAL_OWN } },
		/* It would be led there. */
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0, index | GTDBG_SIP_GLOBAL_OWN } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0x80000000, index } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 0x20000000, index | 4 } },
		{ 4, { GTDBG_SIP_OP_GLOBAL, 0, 1, index | 0x4001 } },
	};
	const uint32_t eight = 8 << GTDBG_SIP_GLOBAL_BYTES_SHIFT;
	const struct gtdbg_sip_op end = { GTDBG_SIP_OP_END, 0, 0, 0 };
	struct gtdbg_sip_op wide[] = {
		follow[0], follow[1], follow[2], follow[3],
		{ GTDBG_SIP_OP_GLOBAL, 0, 0, eight },
		{ GTDBG_SIP_OP_WIDE, 1, 2, 0 },
		{ GTDBG_SIP_OP_WIDE, 1, 2, GTDBG_SIP_WIDE_LESS },
		end, end,
	};
	const struct gtdbg_sip_op good[] = {
		{ GTDBG_SIP_OP_GLOBAL, GTDBG_SIP_PROGRAM_WINDOWS_MAX - 1, 0,
		  four },
		{ GTDBG_SIP_OP_GLOBAL, 0, 0x1fffffff,
		  index | GTDBG_SIP_GLOBAL_UNSIGNED | 4 },
		{ GTDBG_SIP_OP_GLOBAL, 0, INT32_MAX, index },
	};
	struct target *target = &self->target;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, try(target, self->breakpoint, bad[i].which,
				       bad[i].op))
			TH_LOG("operation %zu of the list", i);
	}
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		EXPECT_EQ(1, try(target, self->breakpoint, 4, good[i]));
	/* A register has the pointer. */
	EXPECT_EQ(1, try(target, self->breakpoint, 3,
			 (struct gtdbg_sip_op){ GTDBG_SIP_OP_ADD, 4, 0, 0 }));
	/* What is compared is what was looked at, by the channels that have. */
	EXPECT_EQ(1, target_program(target, self->breakpoint, wide, 8));
	wide[6] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_EQUAL, 0, 0, 0 };
	EXPECT_EQ(-EINVAL, target_program(target, self->breakpoint, wide, 8));
	wide[6] = wide[5];
	wide[5] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_ADD, 8, 0, 0 };
	EXPECT_EQ(-EINVAL, target_program(target, self->breakpoint, wide, 8));
	wide[5] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_LOAD, 0, 0, 0 };
	EXPECT_EQ(-EINVAL, target_program(target, self->breakpoint, wide, 8));
	wide[5] = wide[6];
	wide[6] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_OR, 0, 0, 0 };
	wide[7] = wide[5];
	EXPECT_EQ(-EINVAL, target_program(target, self->breakpoint, wide, 9));
	wide[6] = wide[5];
	EXPECT_EQ(1, target_program(target, self->breakpoint, wide, 9));
}

/* What lies in a window may be a pointer, or a number of 64 bits, but nothing else. */
TEST_F(window, leads_to_another_one)
{
	const uint32_t four = 4 << GTDBG_SIP_GLOBAL_BYTES_SHIFT;
	const struct gtdbg_sip_op eight = { GTDBG_SIP_OP_GLOBAL, 0, 0, 2 * four };
	const struct gtdbg_sip_op on = { GTDBG_SIP_OP_FOLLOW, 0, 0, 0 };
	const struct gtdbg_sip_op wide = { GTDBG_SIP_OP_WIDE, 1, 2, 0 };
	const struct {
		struct gtdbg_sip_op op[3];
		bool ok;
	} behind[] = {
		{ { on, { GTDBG_SIP_OP_GLOBAL, 1, 0, four }, follow[5] }, true },
		{ { on, { GTDBG_SIP_OP_GLOBAL, 1, 0, 2 * four }, wide }, true },
		{ { { GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0 }, follow[5], follow[5] }, true },
		{ { on, { GTDBG_SIP_OP_LOAD, 0, 0, 0 }, follow[5] }, false },
		{ { on, { GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0 }, follow[5] }, false },
		{ { on, on, { GTDBG_SIP_OP_GLOBAL, 1, 0, four } }, false },
		{ { on, wide, wide }, false },
		{ { { GTDBG_SIP_OP_ADD, 8, 0, 0 }, on,
		    { GTDBG_SIP_OP_GLOBAL, 1, 0, four } }, false },
		{ { { GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0 }, on,
		    { GTDBG_SIP_OP_GLOBAL, 1, 0, four } }, false },
		{ { { GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0 }, wide, follow[5] }, false },
		{ { { GTDBG_SIP_OP_LOAD_LONG, 1, 0, 0 }, follow[5], follow[5] }, false },
		{ { { GTDBG_SIP_OP_GLOBAL, 1, 0, four }, follow[5], follow[5] }, false },
	};
	struct gtdbg_sip_op op[] = {
		follow[0], follow[1], follow[2], follow[3], eight,
		eight, eight, eight, follow[5], follow[6],
	};

	for (size_t i = 0; i < ARRAY_SIZE(behind); i++) {
		memcpy(&op[5], behind[i].op, sizeof(behind[i].op));
		/* Where it is right there is a value, or there was a comparison. */
		op[8] = behind[i].op[2].op == GTDBG_SIP_OP_WIDE ? follow[6] : follow[5];
		EXPECT_EQ(behind[i].ok ? 1 : -EINVAL,
			  target_program(&self->target, self->breakpoint, op,
					 op[8].op == GTDBG_SIP_OP_END ? 9 : 10))
			TH_LOG("operations %zu behind it", i);
	}
	/* Less than a pointer leads nowhere. */
	memcpy(&op[5], behind[0].op, sizeof(behind[0].op));
	op[4].c = four;
	op[8] = follow[5];
	EXPECT_EQ(-EINVAL, target_program(&self->target, self->breakpoint, op, 10));
}

/* An array of the lane's own is where its register says, and nothing stands behind that. */
TEST_F(window, is_not_needed_in_an_own_array)
{
	const uint32_t own = 4 << GTDBG_SIP_GLOBAL_BYTES_SHIFT | 4 |
			     GTDBG_SIP_GLOBAL_INDEX | GTDBG_SIP_GLOBAL_OWN;
	const struct gtdbg_sip_op bad[] = {
		{ GTDBG_SIP_OP_GLOBAL, 1, 7, own },
		{ GTDBG_SIP_OP_GLOBAL, 0, 0, own & ~GTDBG_SIP_GLOBAL_INDEX },
		{ GTDBG_SIP_OP_GLOBAL, 0, 0x20000000, own },
	}, behind[] = {
		{ GTDBG_SIP_OP_LOAD, 0, 0, 0 },
		{ GTDBG_SIP_OP_ADD, 4, 0, 0 },
		{ GTDBG_SIP_OP_FOLLOW, 0, 0, 0 },
		{ GTDBG_SIP_OP_GLOBAL, 0, 7, own },
	};
	struct gtdbg_sip_op op[] = {
		follow[0], follow[1], follow[2],
		{ GTDBG_SIP_OP_GLOBAL, 0, 7, own | GTDBG_SIP_GLOBAL_UNSIGNED },
		follow[5], follow[6],
	}, more[] = { op[0], op[1], op[2], op[3], op[4], op[4], op[5] };
	struct target *target = &self->target;

	EXPECT_EQ(1, target_program(target, self->breakpoint, op, ARRAY_SIZE(op)));
	EXPECT_EQ(1, target_program(target, self->breakpoint, more,
				    ARRAY_SIZE(more)));
	for (size_t i = 0; i < ARRAY_SIZE(behind); i++) {
		more[4] = behind[i];
		EXPECT_EQ(-EINVAL, target_program(target, self->breakpoint, more,
						  ARRAY_SIZE(more)))
			TH_LOG("operation %zu behind it", i);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		op[3] = bad[i];
		EXPECT_EQ(-EINVAL, target_program(target, self->breakpoint, op,
						  ARRAY_SIZE(op)))
			TH_LOG("operation %zu of the list", i);
	}
}

/* Beside a pointer it still names none, whichever windows those of the program are. */
TEST_F(window, has_no_number_in_an_own_array)
{
	const struct gtdbg_sip_op own = {
		GTDBG_SIP_OP_GLOBAL, 0, 7, 4 << GTDBG_SIP_GLOBAL_BYTES_SHIFT | 4 |
		GTDBG_SIP_GLOBAL_INDEX | GTDBG_SIP_GLOBAL_OWN,
	}, op[] = {
		follow[0], follow[1], follow[2], own, follow[5], follow[0],
		follow[1], follow[2], follow[3], follow[4], follow[5], follow[6],
	};
	struct target *target = &self->target;
	int id = rig_breakpoint(target->rig.session, target->kernel,
				SECOND + 16);
	const struct gtdbg_sip_program *program;
	uint32_t number;

	ASSERT_LT(0, id);
	ASSERT_EQ(1, target_program(target, id, op, ARRAY_SIZE(op)));
	number = target_look_up(target, SECOND + 16);
	ASSERT_LT(number, GTDBG_SIP_PROGRAMS_MAX);
	program = target_program_at(target, number);
	EXPECT_EQ(0, memcmp(&program->op[3], &own, sizeof(own)));
	number = program->op[6].a;
	ASSERT_EQ(GTDBG_SIP_OP_MORE, program->op[6].op);
	ASSERT_LT(number, GTDBG_SIP_PROGRAMS_MAX);
	program = target_program_at(target, number);
	EXPECT_EQ(GTDBG_SIP_OP_GLOBAL, program->op[3].op);
	EXPECT_NE(0, program->op[3].a);
}

TEST_HARNESS_MAIN
