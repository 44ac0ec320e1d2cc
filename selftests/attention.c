// SPDX-License-Identifier: GPL-2.0-only
/* What the module makes of attention bits, with a peer that sets them. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "harness.h"

#include <linux/gtdbg_sip.h>

#include "target.h"

#define SECOND_INSTRUCTION 16
#define STOPS_MANY 100000
#define STOPS_FEWER 5000 /* where each takes long */

static uint32_t code_dword0(struct target *target, uint32_t offset)
{
	uint32_t dword0;

	memcpy(&dword0, peer_at(&target->peer, PEER_CODE + offset), 4);
	return dword0;
}

static uint64_t resumes(struct target *target)
{
	uint64_t count;

	pthread_mutex_lock(&target->peer.lock);
	count = target->peer.resumes;
	pthread_mutex_unlock(&target->peer.lock);
	return count;
}

FIXTURE(attention)
{
	struct target target;
};

FIXTURE_SETUP(attention)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS,
				  RIG_ACK_SUBMIT));
}

FIXTURE_TEARDOWN(attention)
{
	target_stop(&self->target);
}

TEST_F(attention, context_reports_its_bases)
{
	const struct gtdbg_event_context_add *context;
	struct target *target = &self->target;
	struct rig_event event;

	peer_stop(&target->peer, 5, PEER_KERNEL_IP, PEER_BREAK);
	do {
		ASSERT_EQ(0, rig_next(&target->rig,
				      GTDBG_EVENT_CONTEXT_UPDATE, &event));
		context = event.payload;
	} while (!context->instruction_base);
	EXPECT_EQ(sizeof(*event.head) + sizeof(*context),
		  event.head->len_bytes);
	EXPECT_EQ(PEER_BASE, context->instruction_base);
	EXPECT_EQ(PEER_GENERAL, context->general_base);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT,
			      &event));
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
}

TEST_F(attention, entry_is_lifted_after_the_first_thread)
{
	const struct gtdbg_event_kernel_submit *submit;
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, target_submit(target, 5, &event));
	submit = event.payload;
	EXPECT_EQ(target->kernel, submit->kernel);
	EXPECT_EQ(PEER_COOKIE, submit->cookie);
	EXPECT_EQ(PEER_CODE, submit->address);
	EXPECT_EQ(5, submit->slot);
	/* Nothing gets past it before the acknowledgement. */
	EXPECT_EQ(0x40000061, code_dword0(target, 0));
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	EXPECT_EQ(0x61, code_dword0(target, 0));
	/* One that was on its way there when it was lifted goes on by itself. */
	peer_stop(&target->peer, 6, PEER_KERNEL_IP, PEER_BREAK);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
}

TEST_F(attention, entry_is_armed_again_when_idle)
{
	struct target *target = &self->target;
	struct rig_event event;
	int tries = RIG_TIMEOUT_MS;

	ASSERT_EQ(0, target_submit(target, 0, &event));
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	peer_busy(&target->peer, false);
	while (code_dword0(target, 0) == 0x61 && tries--)
		usleep(1000);
	EXPECT_EQ(0x40000061, code_dword0(target, 0));
	peer_busy(&target->peer, true);
	ASSERT_EQ(0, target_submit(target, 0, &event));
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
}

TEST_F(attention, fused_neighbours_are_distinguished)
{
	const struct gtdbg_event_thread_stop *stop;
	struct target *target = &self->target;
	struct rig_event event;
	uint32_t slot;

	/* Slots 0 and 28 share a bit. */
	peer_stop(&target->peer, 28, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	stop = event.payload;
	slot = stop->thread.slot;
	EXPECT_EQ(28, slot);
	EXPECT_EQ(4, stop->thread.eu);
	EXPECT_EQ(0, stop->thread.thread);
	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	stop = event.payload;
	EXPECT_EQ(0, stop->thread.slot);
	EXPECT_EQ(1, rig_resume(target->rig.session, target->peer.device, 28,
				1, GTDBG_RESUME_RUN));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	EXPECT_TRUE(target->peer.waiting[0]);
	EXPECT_EQ(-ETIMEDOUT, rig_any(&target->rig, &event, 50));
	EXPECT_EQ(0, rig_resume(target->rig.session, target->peer.device, 28,
				1, GTDBG_RESUME_RUN));
}

/* The SIP turns the count odd, and only then asks for a command. */
TEST_F(attention, stop_is_seen_when_the_sip_asks_for_a_command)
{
	const struct gtdbg_event_thread_stop *stop;
	struct target *target = &self->target;
	struct rig_event event;
	uint8_t *slot;

	/* Slots 0 and 28 share a bit. */
	slot = peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_SLOT_OFFSET);
	slot[GTDBG_SIP_SLOT_COUNT] = 1;
	peer_stop(&target->peer, 28, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	stop = event.payload;
	EXPECT_EQ(28, stop->thread.slot);
	EXPECT_EQ(-ETIMEDOUT, rig_any(&target->rig, &event, 100));
	EXPECT_EQ(GTDBG_SIP_COMMAND_RESUME, slot[GTDBG_SIP_SLOT_COMMAND]);
	peer_stop(&target->peer, 0, 0x30000, PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	stop = event.payload;
	EXPECT_EQ(0, stop->thread.slot);
	EXPECT_EQ(0x30000, stop->thread.ip);
	EXPECT_EQ(1, rig_resume(target->rig.session, target->peer.device, 0,
				1, GTDBG_RESUME_RUN));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	EXPECT_FALSE(target->peer.waiting[0]);
	EXPECT_TRUE(target->peer.waiting[28]);
}

TEST_F(attention, all_672_stop_and_go_on_in_one_call)
{
	struct target *target = &self->target;
	struct rig_event event;
	int count = 0;

	pthread_mutex_lock(&target->peer.lock);
	for (uint32_t slot = 0; slot < PEER_SLOTS; slot++)
		peer_stop_locked(&target->peer, slot, 0x20000, PEER_HALT);
	pthread_mutex_unlock(&target->peer.lock);
	while (count < PEER_SLOTS &&
	       !rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event))
		count++;
	ASSERT_EQ(PEER_SLOTS, count);
	EXPECT_FALSE(event.head->flags & GTDBG_EVENT_F_MORE);
	EXPECT_EQ(PEER_SLOTS,
		  rig_resume(target->rig.session, target->peer.device, 0,
			     PEER_SLOTS, GTDBG_RESUME_RUN));
	EXPECT_EQ(PEER_SLOTS, resumes(target));
}

static int stop_next(struct target *target, uint32_t *slot_out)
{
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	int ret = rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);

	stop = event.payload;
	*slot_out = ret ? PEER_SLOTS : stop->thread.slot;
	return ret;
}

static int step(struct target *target, uint32_t slot)
{
	return rig_resume(target->rig.session, target->peer.device, slot, 1,
			  GTDBG_RESUME_STEP);
}

/* Whoever steps is looked at before all others, and may never come. */
TEST_F(attention, others_stop_while_one_steps)
{
	struct target *target = &self->target;
	struct rig_event event;
	uint32_t slot;

	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	ASSERT_EQ(0, stop_next(target, &slot));
	ASSERT_EQ(0, slot);
	for (uint32_t other = 100; other < 200; other++) {
		ASSERT_EQ(1, step(target, 0));
		peer_stop(&target->peer, other, 0x30000, PEER_HALT);
		ASSERT_EQ(0, stop_next(target, &slot));
		ASSERT_EQ(other, slot);
		/* Another one steps as well, and a third one comes before both. */
		ASSERT_EQ(1, step(target, other));
		peer_stop(&target->peer, other + 200, 0x40000, PEER_HALT);
		ASSERT_EQ(0, stop_next(target, &slot));
		ASSERT_EQ(other + 200, slot);
		peer_stop(&target->peer, 0, 0x20010, PEER_HALT);
		ASSERT_EQ(0, stop_next(target, &slot));
		ASSERT_EQ(0, slot);
		ASSERT_EQ(1, step(target, 0));
		peer_stop(&target->peer, 0, 0x20020, PEER_HALT);
		ASSERT_EQ(0, stop_next(target, &slot));
		ASSERT_EQ(0, slot);
	}
	EXPECT_EQ(-ETIMEDOUT, rig_any(&target->rig, &event, 100));
}

static uint32_t stops_many(void)
{
	return rig_is_patient() ? STOPS_MANY : STOPS_FEWER;
}

static void stop_again(struct peer *peer, uint32_t slot)
{
	if (peer->stops < stops_many())
		peer_stop_locked(peer, slot, 0x20000, PEER_HALT);
}

TEST_F(attention, no_stop_of_many_is_lost_or_doubled)
{
	struct gtdbg_session_stats stats = { 0 };
	struct target *target = &self->target;
	struct rig_event event;
	uint32_t many = stops_many(), left = many;

	target->peer.left = stop_again;
	pthread_mutex_lock(&target->peer.lock);
	for (uint32_t slot = 0; slot < PEER_SLOTS; slot++)
		peer_stop_locked(&target->peer, slot, 0x20000, PEER_HALT);
	pthread_mutex_unlock(&target->peer.lock);
	while (left && !rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP,
				 &event)) {
		left--;
		/* All that stopped in one scan go on together. */
		if (!(event.head->flags & GTDBG_EVENT_F_MORE))
			rig_resume(target->rig.session, target->peer.device, 0,
				   PEER_SLOTS, GTDBG_RESUME_RUN);
	}
	EXPECT_EQ(0, left);
	EXPECT_EQ(-ETIMEDOUT, rig_any(&target->rig, &event, 100));
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_SESSION_STATS,
			   &stats));
	EXPECT_EQ(many, stats.stops);
	EXPECT_EQ(many, target->peer.stops);
	EXPECT_EQ(0, stats.events_lost);
	/* One scan finds 672 stops at most. */
	EXPECT_LE(many / PEER_SLOTS, stats.scans);
}

TEST_F(attention, breakpoints_at_one_place_are_counted)
{
	const struct gtdbg_event_thread_stop *stop;
	struct gtdbg_breakpoint_clear clear = { 0 };
	struct target *target = &self->target;
	int session = target->rig.session, first, second;
	struct rig_event event;

	first = rig_breakpoint(session, target->kernel, SECOND_INSTRUCTION);
	second = rig_breakpoint(session, target->kernel, SECOND_INSTRUCTION);
	ASSERT_LT(0, first);
	ASSERT_LT(0, second);
	EXPECT_NE(first, second);
	/* The kernel is not loaded anywhere yet. */
	EXPECT_EQ(0x61, code_dword0(target, SECOND_INSTRUCTION));
	ASSERT_EQ(0, target_submit(target, 1, &event));
	EXPECT_EQ(0x40000061, code_dword0(target, SECOND_INSTRUCTION));
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	peer_stop(&target->peer, 2, PEER_KERNEL_IP + SECOND_INSTRUCTION,
		  PEER_BREAK);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	stop = event.payload;
	EXPECT_EQ(GTDBG_STOP_BREAKPOINT, stop->thread.reasons);
	EXPECT_EQ(first, (int)stop->thread.breakpoint);
	EXPECT_EQ(target->kernel, stop->thread.kernel);
	clear.breakpoint = first;
	EXPECT_EQ(0, ioctl(session, GTDBG_IOC_BREAKPOINT_CLEAR, &clear));
	EXPECT_EQ(0x40000061, code_dword0(target, SECOND_INSTRUCTION));
	clear.breakpoint = second;
	EXPECT_EQ(0, ioctl(session, GTDBG_IOC_BREAKPOINT_CLEAR, &clear));
	EXPECT_EQ(0x61, code_dword0(target, SECOND_INSTRUCTION));
	EXPECT_EQ(-1, ioctl(session, GTDBG_IOC_BREAKPOINT_CLEAR, &clear));
	EXPECT_EQ(ENOENT, errno);
	/* A thread that hit it before it went is let go without a word. */
	peer_stop(&target->peer, 3, PEER_KERNEL_IP + SECOND_INSTRUCTION,
		  PEER_BREAK);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
}

/* The peer's instructions have 16 bytes each. */
TEST_F(attention, breakpoints_stand_where_an_instruction_begins)
{
	struct gtdbg_breakpoint_set set = { .device = self->target.peer.device };
	const struct gtdbg_event_kernel_submit *submit;
	struct target *target = &self->target;
	int session = target->rig.session;
	struct rig_event event;

	EXPECT_EQ(-EINVAL, rig_breakpoint(session, target->kernel, 8));
	EXPECT_EQ(-EINVAL, rig_breakpoint(session, target->kernel,
					  PEER_KERNEL_BYTES - 8));
	EXPECT_EQ(-EINVAL, rig_breakpoint(session, target->kernel,
					  PEER_KERNEL_BYTES));
	EXPECT_LT(0, rig_breakpoint(session, target->kernel,
				    PEER_KERNEL_BYTES - 16));
	ASSERT_EQ(0, target_submit(target, 1, &event));
	submit = event.payload;
	set.context = submit->context;
	set.offset = submit->address + 8;
	EXPECT_EQ(-1, ioctl(session, GTDBG_IOC_BREAKPOINT_SET, &set));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0x61, code_dword0(target, SECOND_INSTRUCTION));
	set.offset = submit->address + SECOND_INSTRUCTION;
	EXPECT_LT(0, ioctl(session, GTDBG_IOC_BREAKPOINT_SET, &set));
	EXPECT_EQ(0x40000061, code_dword0(target, SECOND_INSTRUCTION));
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
}

TEST_F(attention, breakpoints_follow_a_kernel_that_is_made_again)
{
	struct gtdbg_kernel_remove remove = { .kernel = self->target.kernel };
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel,
				    SECOND_INSTRUCTION));
	ASSERT_EQ(0, ioctl(target->client, GTDBG_IOC_KERNEL_REMOVE, &remove));
	ASSERT_LT(0, target_kernel_add(target, "compute", PEER_COOKIE));
	ASSERT_EQ(0, target_submit(target, 1, &event));
	EXPECT_EQ(0x40000061, code_dword0(target, SECOND_INSTRUCTION));
}

/* In the new code a short instruction moves those behind it by 8 bytes. */
TEST_F(attention, breakpoints_do_not_follow_into_an_instruction)
{
	static const uint8_t isa[PEER_KERNEL_BYTES] = {
		[SECOND_INSTRUCTION + 3] = 0x20,
	};
	struct gtdbg_kernel_remove remove = { .kernel = self->target.kernel };
	struct gtdbg_kernel_add add = {
		.module = self->target.module,
		.cookie = PEER_COOKIE,
		.name = (uintptr_t)"compute",
		.name_len_bytes = strlen("compute"),
		.isa = (uintptr_t)isa,
		.isa_len_bytes = sizeof(isa),
	};
	struct target *target = &self->target;
	int session = target->rig.session;
	struct rig_event event;

	ASSERT_LT(0, rig_breakpoint(session, target->kernel,
				    SECOND_INSTRUCTION));
	ASSERT_LT(0, rig_breakpoint(session, target->kernel,
				    2 * SECOND_INSTRUCTION));
	ASSERT_EQ(0, ioctl(target->client, GTDBG_IOC_KERNEL_REMOVE, &remove));
	ASSERT_LT(0, ioctl(target->client, GTDBG_IOC_KERNEL_ADD, &add));
	ASSERT_EQ(0, target_submit(target, 1, &event));
	EXPECT_EQ(0x40000061, code_dword0(target, SECOND_INSTRUCTION));
	EXPECT_EQ(0x61, code_dword0(target, 2 * SECOND_INSTRUCTION));
}

TEST_F(attention, page_fault_is_reported_and_cleared)
{
	const struct gtdbg_event_page_fault *fault;
	struct target *target = &self->target;
	struct rig_event event;

	peer_register(&target->peer, 0xceb8, 0x7fc72eaa);
	peer_register(&target->peer, 0xcebc, 1);
	peer_register(&target->peer, 0xcec4, 1 | 2 << 1 | 9 << 3);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_PAGE_FAULT, &event));
	fault = event.payload;
	EXPECT_EQ(0x17fc72eaa000, fault->address);
	EXPECT_EQ(2, fault->type);
	EXPECT_EQ(9, fault->source);
	EXPECT_EQ(-ETIMEDOUT, rig_any(&target->rig, &event, 100));
}

static int acknowledge_faults(struct target *target)
{
	struct gtdbg_event_mask masks = {
		RIG_ALL_EVENTS, 1ULL << GTDBG_EVENT_PAGE_FAULT,
	};

	return ioctl(target->rig.session, GTDBG_IOC_EVENT_MASK, &masks);
}

/* The threads are made to stop, for as long as nobody acknowledges it. */
TEST_F(attention, page_fault_stops_threads_until_it_is_acknowledged)
{
	struct gtdbg_event_snapshot snapshot = { .flags = 0 };
	struct target *target = &self->target;
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	uint32_t context;

	ASSERT_EQ(0, target_context(target, &context));
	ASSERT_EQ(0, acknowledge_faults(target));
	peer_fault(&target->peer);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_PAGE_FAULT, &event));
	EXPECT_TRUE(event.head->flags & GTDBG_EVENT_F_ACK);
	peer_stop(&target->peer, 3, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	stop = event.payload;
	EXPECT_EQ(GTDBG_STOP_INTERRUPT, stop->thread.reasons);
	EXPECT_NE(0, target->peer.control);
	/* It is there again in a replay, and can be acknowledged by that. */
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_EVENT_SNAPSHOT,
			   &snapshot));
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_PAGE_FAULT, &event));
	EXPECT_LE(snapshot.first_seqno, event.head->seqno);
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
	EXPECT_EQ(-ENOENT, rig_ack(&target->rig, &event));
	EXPECT_EQ(0, target->peer.control);
	EXPECT_EQ(1, rig_resume(target->rig.session, target->peer.device, 3, 1,
				GTDBG_RESUME_RUN));
}

TEST_F(attention, page_fault_does_not_outlive_the_session)
{
	struct target *target = &self->target;
	struct rig_event event;
	uint32_t context;

	ASSERT_EQ(0, target_context(target, &context));
	ASSERT_EQ(0, acknowledge_faults(target));
	peer_fault(&target->peer);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_PAGE_FAULT, &event));
	peer_stop(&target->peer, 3, 0x20000, PEER_HALT);
	close(target->rig.session);
	target->rig.session = -1;
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	EXPECT_EQ(0, target->peer.control);
}

TEST_F(attention, save_area_of_another_client_is_not_touched)
{
	const struct gtdbg_event_thread_unavailable *report;
	struct target *target = &self->target;
	struct rig_event event;
	uint64_t token;
	uint32_t context;

	ASSERT_EQ(0, target_context(target, &context));
	close(target->rig.session);
	peer_fini(&target->peer);
	token = target->token ^ 1;
	ASSERT_EQ(0, peer_init(&target->peer, token));
	ASSERT_LT(0, peer_serve(&target->peer, target->client));
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	ASSERT_LT(0, target->rig.session);
	target->rig.at = target->rig.fill = 0;
	peer_stop(&target->peer, 9, PEER_KERNEL_IP, PEER_BREAK);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_UNAVAILABLE,
			      &event));
	report = event.payload;
	EXPECT_EQ(GTDBG_UNAVAILABLE_OTHER_CLIENT, report->thread.reasons);
	EXPECT_FALSE(peer_active(&target->peer));
	EXPECT_TRUE(target->peer.waiting[9]);
}

TEST_HARNESS_MAIN
