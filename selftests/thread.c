// SPDX-License-Identifier: GPL-2.0-only
/* Threads of a real OpenCL program: they stop, are looked at, and go on. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "harness.h"

#include "rig.h"

#define SECOND_INSTRUCTION 16 /* behind the one with the cookie */

static int clear(struct rig *rig, int id)
{
	struct gtdbg_breakpoint_clear request = { .breakpoint = id };

	return ioctl(rig->session, GTDBG_IOC_BREAKPOINT_CLEAR, &request) ?
		       -errno : 0;
}

FIXTURE(sample)
{
	struct rig rig;
};

FIXTURE_VARIANT(sample)
{
	enum rig_sip sip;
};

FIXTURE_VARIANT_ADD(sample, own_sip) { .sip = RIG_SIP_OWN };
FIXTURE_VARIANT_ADD(sample, default_sip) { .sip = RIG_SIP_DEFAULT };
FIXTURE_VARIANT_ADD(sample, bindless_sip) { .sip = RIG_SIP_BINDLESS };

FIXTURE_SETUP(sample)
{
	if (rig_missing(variant->sip))
		SKIP(return, "%s", rig_missing(variant->sip));
	self->rig.sip = variant->sip;
	ASSERT_EQ(0, rig_start(&self->rig, "sample", "32", "8", "1"));
}

FIXTURE_TEARDOWN(sample)
{
	rig_stop(&self->rig);
}

TEST_F(sample, submit_names_kernel_and_waits_for_ack)
{
	const struct gtdbg_event_kernel_submit *submit;
	struct rig *rig = &self->rig;
	struct rig_event event;

	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	submit = event.payload;
	EXPECT_NE(0, submit->kernel);
	EXPECT_NE(0, submit->cookie);
	EXPECT_NE(0, submit->address);
	/* 32 work-items in groups of 8; unoptimised code has 8 in a thread. */
	EXPECT_EQ(4, submit->groups[0]);
	EXPECT_EQ(1, submit->groups[1]);
	EXPECT_EQ(1, submit->groups[2]);
	EXPECT_EQ(8, submit->items);
	EXPECT_EQ(8, submit->simd);
	EXPECT_EQ(1, submit->threads);
	EXPECT_TRUE(event.head->flags & GTDBG_EVENT_F_ACK);
	ASSERT_EQ(0, rig_ack(rig, &event));
	EXPECT_EQ(-ENOENT, rig_ack(rig, &event));
	EXPECT_EQ(0, rig_wait(rig));
	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_EXIT, &event));
	EXPECT_EQ(-ENODATA, rig_any(rig, &event, RIG_TIMEOUT_MS));
}

TEST_F(sample, breakpoint_stops_every_thread_once)
{
	const struct gtdbg_event_kernel_submit *submit;
	const struct gtdbg_event_thread_stop *stop;
	struct rig *rig = &self->rig;
	struct gtdbg_thread_info thread;
	struct rig_event event;
	uint64_t address;
	uint32_t r0[8];
	int id;

	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	submit = event.payload;
	address = submit->address;
	id = rig_breakpoint(rig->session, submit->kernel, SECOND_INSTRUCTION);
	ASSERT_GT(id, 0);
	ASSERT_EQ(0, rig_ack(rig, &event));
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event));
		stop = event.payload;
		thread = stop->thread;
		EXPECT_EQ(GTDBG_STOP_BREAKPOINT, thread.reasons);
		EXPECT_EQ(address + SECOND_INSTRUCTION, thread.address);
		EXPECT_EQ(id, thread.breakpoint);
		EXPECT_EQ(0xff, thread.dispatch_mask & 0xff);
		EXPECT_EQ(0, rig_registers(rig->session, false, &thread,
					   GTDBG_REGISTER_GRF, 0, 1, r0,
					   sizeof(r0)));
		EXPECT_GT(4, r0[1]);
		EXPECT_EQ(1, rig_resume(rig->session, thread.device,
					thread.slot, 1, GTDBG_RESUME_RUN));
	}
	EXPECT_EQ(0, rig_wait(rig));
	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_EXIT, &event));
}

TEST_F(sample, step_moves_by_one_instruction)
{
	const struct gtdbg_event_thread_stop *stop;
	struct gtdbg_thread_info thread;
	struct rig *rig = &self->rig;
	struct rig_event event;
	uint64_t before;
	int id;

	id = rig_stop_at_second(rig, &thread);
	ASSERT_GT(id, 0);
	ASSERT_EQ(0, clear(rig, id));
	before = thread.ip;
	for (int i = 0; i < 5; i++) {
		EXPECT_EQ(1, rig_resume(rig->session, thread.device,
					thread.slot, 1, GTDBG_RESUME_STEP));
		do {
			ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_THREAD_STOP,
					      &event));
			stop = event.payload;
		} while (stop->thread.slot != thread.slot);
		EXPECT_EQ(GTDBG_STOP_STEP, stop->thread.reasons);
		EXPECT_GT(stop->thread.ip, before);
		EXPECT_GE(before + 16, stop->thread.ip);
		before = stop->thread.ip;
	}
	EXPECT_LE(1, rig_resume(rig->session, thread.device, 0, 672,
				GTDBG_RESUME_RUN));
	EXPECT_EQ(0, rig_wait(rig));
}

TEST_F(sample, range_step_is_one_event)
{
	const struct gtdbg_event_thread_stop *stop;
	struct gtdbg_thread_info thread;
	struct rig *rig = &self->rig;
	struct rig_event event;
	uint8_t mask[84] = { 0 };
	struct gtdbg_thread_resume resume = {
		.command = GTDBG_RESUME_STEP_RANGE,
		.slots = 672,
		.mask = (uintptr_t)mask,
	};
	int id;

	id = rig_stop_at_second(rig, &thread);
	ASSERT_GT(id, 0);
	ASSERT_EQ(0, clear(rig, id));
	resume.device = thread.device;
	resume.ip_first = thread.ip;
	resume.ip_end = thread.ip + 100;
	mask[thread.slot / 8] = 1 << thread.slot % 8;
	EXPECT_EQ(1, ioctl(rig->session, GTDBG_IOC_THREAD_RESUME, &resume));
	do {
		ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event));
		stop = event.payload;
	} while (stop->thread.slot != thread.slot);
	EXPECT_EQ(GTDBG_STOP_STEP, stop->thread.reasons);
	EXPECT_LE(resume.ip_end, stop->thread.ip);
	EXPECT_LE(1, rig_resume(rig->session, thread.device, 0, 672,
				GTDBG_RESUME_RUN));
	EXPECT_EQ(0, rig_wait(rig));
}

TEST_F(sample, resume_of_running_thread_does_nothing)
{
	struct gtdbg_thread_info thread;
	struct rig *rig = &self->rig;
	uint8_t mask[84];
	int32_t results[672];
	struct gtdbg_thread_resume resume = {
		.command = GTDBG_RESUME_RUN,
		.slots = 672,
		.mask = (uintptr_t)mask,
		.results = (uintptr_t)results,
	};
	uint32_t done = 0;
	int id;

	id = rig_stop_at_second(rig, &thread);
	ASSERT_GT(id, 0);
	ASSERT_EQ(0, clear(rig, id));
	memset(mask, 0xff, sizeof(mask));
	resume.device = thread.device;
	resume.generation = thread.generation - 1;
	EXPECT_EQ(0, ioctl(rig->session, GTDBG_IOC_THREAD_RESUME, &resume));
	EXPECT_EQ(GTDBG_RESUME_STALE, results[thread.slot]);
	resume.generation = 0;
	EXPECT_LE(1, ioctl(rig->session, GTDBG_IOC_THREAD_RESUME, &resume));
	EXPECT_EQ(GTDBG_RESUME_DONE, results[thread.slot]);
	for (int slot = 0; slot < 672; slot++)
		done += results[slot] == GTDBG_RESUME_NOT_STOPPED;
	EXPECT_LE(668, done);
	EXPECT_EQ(0, rig_wait(rig));
}

FIXTURE(endless)
{
	struct rig rig;
};

FIXTURE_VARIANT(endless)
{
	enum rig_sip sip;
};

FIXTURE_VARIANT_ADD(endless, own_sip) { .sip = RIG_SIP_OWN };
FIXTURE_VARIANT_ADD(endless, default_sip) { .sip = RIG_SIP_DEFAULT };

FIXTURE_SETUP(endless)
{
	if (rig_missing(variant->sip))
		SKIP(return, "%s", rig_missing(variant->sip));
	self->rig.sip = variant->sip;
	ASSERT_EQ(0, rig_start(&self->rig, "endless", "32", "8", "1"));
}

FIXTURE_TEARDOWN(endless)
{
	rig_stop(&self->rig);
}

TEST_F(endless, interrupt_stops_all_threads)
{
	struct gtdbg_thread_info info[8];
	struct gtdbg_thread_interrupt interrupt = { .timeout_ns = 2000000000 };
	struct gtdbg_thread_list list = {
		.infos = (uintptr_t)info,
		.count = 8,
	};
	const struct gtdbg_event_kernel_submit *submit;
	struct rig *rig = &self->rig;
	struct rig_event event;

	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	submit = event.payload;
	interrupt.device = submit->device;
	list.device = submit->device;
	ASSERT_EQ(0, rig_ack(rig, &event));
	/* All four have been let go when a breakpoint could be hit. */
	do {
		ASSERT_EQ(0, ioctl(rig->session, GTDBG_IOC_THREAD_INTERRUPT,
				   &interrupt));
		EXPECT_LE(interrupt.stopped, 4);
		if (interrupt.stopped < 4)
			rig_resume(rig->session, list.device, 0, 672,
				   GTDBG_RESUME_RUN);
	} while (interrupt.stopped < 4);
	ASSERT_EQ(4, ioctl(rig->session, GTDBG_IOC_THREAD_LIST, &list));
	for (int i = 0; i < 4; i++) {
		EXPECT_EQ(GTDBG_THREAD_STOPPED, info[i].state);
		/* The launch was let go; a thread of it may only just begin. */
		EXPECT_EQ(GTDBG_STOP_INTERRUPT,
			  info[i].reasons & ~GTDBG_STOP_ENTRY);
		EXPECT_EQ(interrupt.context, info[i].context);
		EXPECT_NE(0, info[i].kernel);
	}
	EXPECT_EQ(4, rig_resume(rig->session, list.device, 0, 672,
				GTDBG_RESUME_RUN));
}

TEST_HARNESS_MAIN
