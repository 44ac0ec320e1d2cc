// SPDX-License-Identifier: GPL-2.0-only
/* Threads of a real OpenCL program: they stop, are looked at, and go on. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "kselftest_harness.h"

#include "rig.h"

#define SECOND_INSTRUCTION 16 /* behind the one with the cookie */

FIXTURE(sample)
{
	struct rig rig;
};

FIXTURE_SETUP(sample)
{
	if (rig_missing())
		SKIP(return, "%s", rig_missing());
	ASSERT_EQ(0, rig_start(&self->rig, "sample", "32", "8", "1"));
}

FIXTURE_TEARDOWN(sample)
{
	rig_stop(&self->rig);
}

TEST_F_TIMEOUT(sample, submit_tells_kernel_and_waits_for_ack, 120)
{
	const struct gtdbg_event_kernel_submit *submit;
	struct rig *rig = &self->rig;
	struct rig_event event;

	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	submit = event.payload;
	EXPECT_NE(0, submit->kernel);
	EXPECT_NE(0, submit->cookie);
	EXPECT_NE(0, submit->address);
	EXPECT_TRUE(event.head->flags & GTDBG_EVENT_F_ACK);
	ASSERT_EQ(0, rig_ack(rig, &event));
	EXPECT_EQ(-ENOENT, rig_ack(rig, &event));
	EXPECT_EQ(0, rig_wait(rig));
	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_EXIT, &event));
	EXPECT_EQ(-ENODATA, rig_any(rig, &event, 1000));
}

TEST_F_TIMEOUT(sample, breakpoint_stops_every_thread_once, 120)
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

TEST_HARNESS_MAIN
