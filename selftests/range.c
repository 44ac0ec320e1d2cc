// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps over a range: what the module has the SIP do, what it does itself under one that
 * cannot, and both with a program that runs.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define SLOT 3
#define FIRST (PEER_KERNEL_IP + 16)
#define END (PEER_KERNEL_IP + 160)
#define OLDER ((GTDBG_SIP_VERSION & 0xffff0000) | GTDBG_SIP_MINOR_ITEM)
#define COUNTED 30 /* steps, of straight code */

static int clear(struct rig *rig, int id)
{
	struct gtdbg_breakpoint_clear request = { .breakpoint = id };

	return ioctl(rig->session, GTDBG_IOC_BREAKPOINT_CLEAR, &request) ?
		       -errno : 0;
}

/* The next stop of @thread's slot. */
static int next_stop(struct rig *rig, struct gtdbg_thread_info *thread)
{
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	int ret;

	do {
		ret = rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event);
		if (ret)
			return ret;
		stop = event.payload;
	} while (stop->thread.slot != thread->slot);
	*thread = stop->thread;
	return 0;
}

/* For the thread alone, whose bit is put into a mask. */
static struct gtdbg_thread_resume request_of(const struct gtdbg_thread_info *thread,
					     uint8_t mask[84], uint32_t flags)
{
	memset(mask, 0, 84);
	mask[thread->slot / 8] = 1 << thread->slot % 8;
	return (struct gtdbg_thread_resume){
		.device = thread->device,
		.flags = flags,
		.command = GTDBG_RESUME_STEP_RANGE,
		.slots = thread->slot + 1,
		.mask = (uintptr_t)mask,
		.ip_first = FIRST,
		.ip_end = END,
	};
}

/* How many threads were resumed, or a negative errno. */
static int ask(struct rig *rig, const struct gtdbg_thread_resume *resume)
{
	int ret = ioctl(rig->session, GTDBG_IOC_THREAD_RESUME, resume);

	return ret < 0 ? -errno : ret;
}

static int step_range(struct rig *rig, const struct gtdbg_thread_info *thread,
		      uint64_t first, uint64_t end, uint32_t steps,
		      uint32_t flags)
{
	uint8_t mask[84];
	struct gtdbg_thread_resume resume = request_of(thread, mask, flags);

	resume.ip_first = first;
	resume.ip_end = end;
	resume.steps = steps;
	return ask(rig, &resume);
}

FIXTURE(step_range)
{
	struct target target;
	struct gtdbg_thread_info thread;
	struct gtdbg_sip_step_range *command; /* of its slot */
};

FIXTURE_VARIANT(step_range)
{
	uint32_t version;
};

FIXTURE_VARIANT_ADD(step_range, on_eu) { .version = GTDBG_SIP_VERSION };
FIXTURE_VARIANT_ADD(step_range, older) { .version = OLDER };

FIXTURE_SETUP(step_range)
{
	struct target *target = &self->target;
	struct rig_event event;
	uint32_t context;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_init(target));
	peer_sip(&target->peer, variant->version);
	ASSERT_EQ(0, target_offer(target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_context(target, &context));
	ASSERT_EQ(0, target_submit(target, SLOT, &event));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 1));
	self->command = peer_at(&target->peer, PEER_SAVE_AREA +
				GTDBG_SIP_SLOT_OFFSET + SLOT *
				GTDBG_SIP_SLOT_BYTES + GTDBG_SIP_SLOT_COMMAND);
	self->thread.slot = SLOT;
	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel, 16));
	peer_stop(&target->peer, SLOT, FIRST, PEER_BREAK);
	ASSERT_EQ(0, next_stop(&target->rig, &self->thread));
}

FIXTURE_TEARDOWN(step_range)
{
	target_stop(&self->target);
}

/*
 * A SIP that can is told just that in @seen; an older one is told nothing, and the module says
 * that it cannot. False: there is no more to see.
 */
static bool is_carried_out(struct __test_metadata *_metadata,
			   struct target *target, uint32_t version,
			   const struct gtdbg_thread_resume *resume,
			   const struct gtdbg_sip_step_range *command,
			   const struct gtdbg_sip_step_range *seen)
{
	int ret = ask(&target->rig, resume);

	if (version == OLDER) {
		EXPECT_EQ(-EOPNOTSUPP, ret);
		EXPECT_EQ(1, target->peer.resumes);
		return false;
	}
	ASSERT_EQ(1, ret);
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_EQ(0, memcmp(command, seen, sizeof(*command)));
	return true;
}

TEST_F(step_range, is_left_to_a_sip_that_can)
{
	const struct gtdbg_sip_step_range command = {
		.command = GTDBG_SIP_COMMAND_STEP_RANGE,
		.ip_first = FIRST,
		.bytes = END - FIRST,
		.base = PEER_BASE,
		.steps = 7,
	};
	struct target *target = &self->target;
	int ret = step_range(&target->rig, &self->thread, FIRST, END, 7,
			     GTDBG_RESUME_F_EU);

	if (variant->version == OLDER) {
		EXPECT_EQ(-EOPNOTSUPP, ret);
		EXPECT_EQ(1, target->peer.resumes);
		EXPECT_EQ(1, step_range(&target->rig, &self->thread, FIRST, END,
					7, 0));
		ASSERT_TRUE(peer_wait_resumes(&target->peer, 2));
		EXPECT_EQ(GTDBG_SIP_COMMAND_STEP, self->command->command);
		return;
	}
	EXPECT_EQ(1, ret);
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_EQ(0, memcmp(&command, self->command, sizeof(command)));
}

/* With the stack as it is now. */
TEST_F(step_range, over_calls_is_left_to_a_sip_that_can)
{
	const struct gtdbg_sip_step_range command = {
		.command = GTDBG_SIP_COMMAND_STEP_OVER,
		.ip_first = FIRST,
		.bytes = END - FIRST,
		.base = PEER_BASE,
		.steps = 7,
		.lanes = 0x20,
		.frame_register = GTDBG_SIP_FRAME_LAST,
		.stack = 0x1234,
		.function_first = PEER_KERNEL_IP,
		.function_bytes = END + 80 - PEER_KERNEL_IP,
	};
	struct target *target = &self->target;
	uint8_t mask[84];
	struct gtdbg_thread_resume resume =
		request_of(&self->thread, mask,
			   GTDBG_RESUME_F_EU | GTDBG_RESUME_F_OVER);

	resume.steps = 7;
	resume.function_first = command.function_first;
	resume.function_end = END + 80;
	resume.frame_register = GTDBG_SIP_FRAME_LAST;
	resume.lanes = 0x20;
	memcpy((char *)self->command - GTDBG_SIP_SLOT_COMMAND +
	       32 * GTDBG_SIP_FRAME_LAST + 8, &command.stack,
	       sizeof(command.stack));
	if (!is_carried_out(_metadata, target, variant->version, &resume,
			    &command, self->command))
		return;
	/* In a call. */
	peer_stop(&target->peer, SLOT, END + 160, PEER_BREAK);
	ASSERT_EQ(0, next_stop(&target->rig, &self->thread));
	EXPECT_EQ(GTDBG_STOP_STEP, self->thread.reasons);
	/* The next one is none over calls. */
	ASSERT_EQ(1, step_range(&target->rig, &self->thread, FIRST, END, 7,
				GTDBG_RESUME_F_EU));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 3));
	EXPECT_EQ(GTDBG_SIP_COMMAND_STEP_RANGE, self->command->command);
	EXPECT_EQ(0, self->command->frame_register);
	EXPECT_EQ(0, self->command->lanes);
}

/* And where it stops for that in its range it is not sent on. */
TEST_F(step_range, what_is_watched_is_left_to_a_sip_that_can)
{
	/* Gather, read, block read, and atomic operations, of four types. */
	const struct gtdbg_sip_step_range command = {
		.command = GTDBG_SIP_COMMAND_STEP_RANGE,
		.ip_first = FIRST,
		.bytes = END - FIRST,
		.watch_messages = 1 << 0x10 | 1 << 0x11 | 1 << 0x12 | 1 << 0x13 |
				  1 << 0x14 | 1 << 0x1d | 1 << 0x1e,
		.base = PEER_BASE,
		.watch_first = 0xfffffffffff0,
		.watch_bytes = 16,
	};
	struct target *target = &self->target;
	uint8_t mask[84];
	struct gtdbg_thread_resume resume =
		request_of(&self->thread, mask, GTDBG_RESUME_F_EU);

	resume.watch = GTDBG_RESUME_WATCH_READS;
	resume.watch_first = command.watch_first;
	resume.watch_bytes = command.watch_bytes;
	if (!is_carried_out(_metadata, target, variant->version, &resume,
			    &command, self->command))
		return;
	peer_stop(&target->peer, SLOT, FIRST + 16, PEER_BREAK);
	ASSERT_EQ(0, next_stop(&target->rig, &self->thread));
	EXPECT_EQ(GTDBG_STOP_STEP, self->thread.reasons);
	EXPECT_EQ(FIRST + 16, self->thread.ip);
	/* The next one watches nothing. */
	ASSERT_EQ(1, step_range(&target->rig, &self->thread, FIRST, END, 0,
				GTDBG_RESUME_F_EU));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 3));
	EXPECT_EQ(0, self->command->watch_messages);
}

TEST_F(step_range, what_is_watched_is_checked)
{
	uint8_t mask[84];
	struct gtdbg_thread_resume bad[9], good =
		request_of(&self->thread, mask, GTDBG_RESUME_F_EU);

	good.watch = GTDBG_RESUME_WATCH_WRITES;
	good.watch_first = 0x1000;
	good.watch_bytes = 4;
	for (int i = 0; i < 9; i++)
		bad[i] = good;
	bad[0].flags = 0;
	bad[1].flags |= GTDBG_RESUME_F_OVER;
	bad[1].frame_register = GTDBG_SIP_FRAME_FIRST;
	bad[1].function_first = FIRST;
	bad[1].function_end = END;
	bad[2].watch = 4;
	bad[3].watch = 0;
	bad[4].watch_bytes = 0;
	bad[5].watch_first = 1ULL << 48;
	bad[6].watch_first = (1ULL << 48) - 3;
	bad[7].lanes = 1;
	bad[8].command = GTDBG_RESUME_STEP;
	bad[8].ip_first = 0;
	bad[8].ip_end = 0;
	bad[8].flags = 0;
	for (int i = 0; i < 9; i++)
		EXPECT_EQ(-EINVAL, ask(&self->target.rig, &bad[i]));
	EXPECT_EQ(1, self->target.peer.resumes);
}

TEST_F(step_range, arguments_over_calls_are_checked)
{
	uint8_t mask[84];
	struct gtdbg_thread_resume bad[7], good =
		request_of(&self->thread, mask,
			   GTDBG_RESUME_F_EU | GTDBG_RESUME_F_OVER);

	good.function_first = FIRST;
	good.function_end = END;
	good.frame_register = GTDBG_SIP_FRAME_FIRST;
	for (int i = 0; i < 7; i++)
		bad[i] = good;
	bad[0].flags = GTDBG_RESUME_F_EU;
	bad[1].flags = GTDBG_RESUME_F_OVER;
	bad[2].frame_register = GTDBG_SIP_FRAME_FIRST + 1;
	bad[3].function_first = FIRST + 16;
	bad[4].function_end = END - 16;
	bad[5].function_end = 1ULL << 32;
	bad[6].flags = 0;
	bad[6].frame_register = 0;
	bad[6].function_first = 0;
	bad[6].function_end = 0;
	bad[6].lanes = 1;
	for (int i = 0; i < 7; i++)
		EXPECT_EQ(-EINVAL, ask(&self->target.rig, &bad[i]));
	EXPECT_EQ(1, self->target.peer.resumes);
}

/* The SIP says what is left of the steps; the host counts the others. */
TEST_F(step_range, goes_on_while_steps_are_left)
{
	const bool on_eu = variant->version != OLDER;
	struct target *target = &self->target;

	ASSERT_EQ(1, step_range(&target->rig, &self->thread, FIRST, END, 3, 0));
	for (uint32_t i = 1; i < 3; i++) {
		ASSERT_TRUE(peer_wait_resumes(&target->peer, 1 + i));
		if (on_eu)
			self->command->steps = 3 - i;
		peer_stop(&target->peer, SLOT, FIRST + 16 * i, PEER_BREAK);
	}
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 4));
	if (on_eu) {
		EXPECT_EQ(1, self->command->steps);
		self->command->steps = 0;
	}
	peer_stop(&target->peer, SLOT, FIRST + 48, PEER_BREAK);
	ASSERT_EQ(0, next_stop(&target->rig, &self->thread));
	EXPECT_EQ(FIRST + 48, self->thread.ip);
	EXPECT_EQ(GTDBG_STOP_STEP, self->thread.reasons);
	EXPECT_EQ(4, target->peer.resumes);
}

TEST_F(step_range, ends_outside_at_breakpoints_and_by_interrupts)
{
	struct target *target = &self->target;
	struct rig *rig = &target->rig;

	ASSERT_EQ(1, step_range(rig, &self->thread, FIRST, END, 0, 0));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 2));
	peer_stop(&target->peer, SLOT, END, PEER_BREAK);
	ASSERT_EQ(0, next_stop(rig, &self->thread));
	EXPECT_EQ(END, self->thread.ip);
	EXPECT_EQ(GTDBG_STOP_STEP, self->thread.reasons);
	ASSERT_EQ(1, step_range(rig, &self->thread, FIRST, END, 0, 0));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 3));
	peer_stop(&target->peer, SLOT, FIRST, PEER_BREAK);
	ASSERT_EQ(0, next_stop(rig, &self->thread));
	EXPECT_EQ(GTDBG_STOP_STEP | GTDBG_STOP_BREAKPOINT, self->thread.reasons);
	ASSERT_EQ(1, step_range(rig, &self->thread, FIRST, END, 0, 0));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 4));
	peer_stop(&target->peer, SLOT, FIRST + 16, PEER_HALT);
	ASSERT_EQ(0, next_stop(rig, &self->thread));
	EXPECT_EQ(GTDBG_STOP_INTERRUPT, self->thread.reasons);
}

TEST_F(step_range, arguments_are_checked)
{
	uint8_t mask[84];
	struct gtdbg_thread_resume bad[5], good =
		request_of(&self->thread, mask, 0);
	struct rig *rig = &self->target.rig;

	good.steps = 1;
	for (int i = 0; i < 5; i++)
		bad[i] = good;
	bad[0].ip_first = END;
	bad[1].flags = GTDBG_RESUME_F_EU << 1;
	bad[2].steps = 1ULL << 32;
	/* Without a range there is nothing to count, and no one to choose. */
	bad[3] = (struct gtdbg_thread_resume){
		.device = good.device, .command = GTDBG_RESUME_STEP,
		.slots = good.slots, .mask = good.mask, .steps = 1,
	};
	bad[4] = bad[3];
	bad[4].steps = 0;
	bad[4].flags = GTDBG_RESUME_F_EU;
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(-EINVAL, ask(rig, &bad[i]));
	EXPECT_EQ(1, self->target.peer.resumes);
	EXPECT_EQ(1, ioctl(rig->session, GTDBG_IOC_THREAD_RESUME, &good));
}

/* Programs that run, under gtdbg's SIP. */
FIXTURE(program)
{
	struct rig rig;
	struct gtdbg_thread_info thread;
};

FIXTURE_SETUP(program)
{
	if (rig_missing(RIG_SIP_OWN))
		SKIP(return, "%s", rig_missing(RIG_SIP_OWN));
	if (rig_is_sanitised() || !rig_is_patient())
		SKIP(return, "on 6.12, and on 6.1 in the soak");
}

FIXTURE_TEARDOWN(program)
{
	rig_stop(&self->rig);
}

static uint64_t stops(struct rig *rig)
{
	struct gtdbg_session_stats stats = { 0 };

	ioctl(rig->session, GTDBG_IOC_SESSION_STATS, &stats);
	return stats.stops;
}

/* One thread makes single steps, another one the same in one go. */
TEST_F(program, counted_steps_are_one_stop)
{
	struct gtdbg_thread_info other;
	struct rig *rig = &self->rig;
	uint64_t before;
	int id;

	ASSERT_EQ(0, rig_start(rig, "sample", "16", "8", "1"));
	id = rig_stop_at_second(rig, &self->thread);
	ASSERT_LT(0, id);
	other = self->thread;
	do {
		struct rig_event event;

		ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event));
		memcpy(&other, event.payload, sizeof(other));
	} while (other.slot == self->thread.slot);
	EXPECT_EQ(self->thread.ip, other.ip);
	ASSERT_EQ(0, clear(rig, id));
	for (int i = 0; i < COUNTED; i++) {
		ASSERT_EQ(1, rig_resume(rig->session, other.device, other.slot,
					1, GTDBG_RESUME_STEP));
		ASSERT_EQ(0, next_stop(rig, &other));
	}
	before = stops(rig);
	ASSERT_EQ(1, step_range(rig, &self->thread, 0, UINT64_MAX, COUNTED,
				GTDBG_RESUME_F_EU));
	ASSERT_EQ(0, next_stop(rig, &self->thread));
	EXPECT_EQ(GTDBG_STOP_STEP, self->thread.reasons);
	EXPECT_EQ(other.ip, self->thread.ip);
	EXPECT_EQ(before + 1, stops(rig));
	/* And to the end of what is known. */
	ASSERT_EQ(1, step_range(rig, &other, 0, other.ip + 160, 0,
				GTDBG_RESUME_F_EU));
	ASSERT_EQ(0, next_stop(rig, &other));
	EXPECT_LE(self->thread.ip + 160, other.ip);
	EXPECT_EQ(before + 2, stops(rig));
	EXPECT_LE(1, rig_resume(rig->session, other.device, 0, 672,
				GTDBG_RESUME_RUN));
	EXPECT_EQ(0, rig_wait(rig));
}

/* A loop that never ends, until a debugger asks for it. */
TEST_F(program, interrupt_ends_an_endless_range)
{
	struct gtdbg_thread_interrupt interrupt = {
		.timeout_ns = 9000000000ULL,
	};
	struct rig *rig = &self->rig;
	int id, ret;

	ASSERT_EQ(0, rig_start(rig, "endless", "8", "8", "1"));
	id = rig_stop_at_second(rig, &self->thread);
	ASSERT_LT(0, id);
	ASSERT_EQ(0, clear(rig, id));
	ASSERT_EQ(1, step_range(rig, &self->thread, 0, UINT64_MAX, 0,
				GTDBG_RESUME_F_EU));
	interrupt.device = self->thread.device;
	do
		ret = ioctl(rig->session, GTDBG_IOC_THREAD_INTERRUPT,
			    &interrupt);
	while (ret && errno == EAGAIN);
	ASSERT_EQ(0, ret);
	EXPECT_EQ(1, interrupt.stopped);
	ASSERT_EQ(0, next_stop(rig, &self->thread));
	EXPECT_TRUE(self->thread.reasons & GTDBG_STOP_INTERRUPT);
}

TEST_HARNESS_MAIN
