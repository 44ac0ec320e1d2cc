// SPDX-License-Identifier: GPL-2.0-only
/* Real programs whose debugger, or server, or self goes at a bad moment. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "descriptor.h"
#include "rig.h"

#define SECOND_INSTRUCTION 16

/* How far a session has come when it ends. */
enum step {
	STEP_ATTACHED = 1,
	STEP_SUBMITTED = 2,
	STEP_STOPPED = 3,
};

static int advance(struct rig *rig, enum step step)
{
	const struct gtdbg_event_kernel_submit *submit;
	struct rig_event event;
	int ret;

	if (step < STEP_SUBMITTED)
		return 0;
	ret = rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event);
	if (ret || step < STEP_STOPPED)
		return ret;
	submit = event.payload;
	ret = rig_breakpoint(rig->session, submit->kernel, SECOND_INSTRUCTION);
	if (ret < 0)
		return ret;
	return rig_ack(rig, &event) ?:
	       rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event);
}

/* Has the server taken back what it offered? Waits until it has. */
static bool is_withdrawn(pid_t vgtd)
{
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;

	while (descriptor_exists(vgtd, "/dev/gtdbg-vgt")) {
		if (rig_now_ns() > end)
			return false;
		usleep(10000);
	}
	return !kill(vgtd, 0);
}

FIXTURE(ending)
{
	struct rig rig;
};

FIXTURE_VARIANT(ending)
{
	enum step step;
};

FIXTURE_VARIANT_ADD(ending, attached) { .step = STEP_ATTACHED };
FIXTURE_VARIANT_ADD(ending, submitted) { .step = STEP_SUBMITTED };
FIXTURE_VARIANT_ADD(ending, stopped) { .step = STEP_STOPPED };

FIXTURE_SETUP(ending)
{
	if (rig_missing(RIG_SIP_OWN))
		SKIP(return, "%s", rig_missing(RIG_SIP_OWN));
	if (variant->step != STEP_STOPPED && !rig_is_patient())
		SKIP(return, "on 6.12, and in the soak");
	ASSERT_EQ(0, rig_start(&self->rig, "sample", "256", "8", "2"));
	ASSERT_EQ(0, advance(&self->rig, variant->step));
}

FIXTURE_TEARDOWN(ending)
{
	rig_stop(&self->rig);
}

TEST_F(ending, debugger_goes_and_the_program_is_right)
{
	close(self->rig.session);
	self->rig.session = -1;
	EXPECT_EQ(0, rig_wait(&self->rig));
	EXPECT_TRUE(is_withdrawn(self->rig.vgtd));
}

TEST_F(ending, program_is_killed)
{
	struct rig_event event;

	kill(self->rig.program, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, rig_wait(&self->rig));
	ASSERT_EQ(0, rig_next(&self->rig, GTDBG_EVENT_EXIT, &event));
	EXPECT_EQ(GTDBG_EXIT_EXITED, ((const struct gtdbg_event_exit *)
				      event.payload)->reason);
	EXPECT_EQ(-ENODATA, rig_any(&self->rig, &event, RIG_TIMEOUT_MS));
}

TEST_F(ending, server_is_killed)
{
	struct rig_event event;
	int ret;

	kill(self->rig.vgtd, SIGKILL);
	/* The runtime does not survive that, but the session does. */
	EXPECT_NE(0, rig_wait(&self->rig));
	do {
		ret = rig_any(&self->rig, &event, RIG_TIMEOUT_MS);
		ASSERT_EQ(0, ret);
	} while (event.head->kind != GTDBG_EVENT_EXIT);
	EXPECT_EQ(-ENODATA, rig_any(&self->rig, &event, RIG_TIMEOUT_MS));
}

FIXTURE(pair)
{
	struct rig rig[2];
};

FIXTURE_SETUP(pair)
{
	if (rig_missing(RIG_SIP_OWN))
		SKIP(return, "%s", rig_missing(RIG_SIP_OWN));
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, rig_start(&self->rig[i], "sample", "8", "8", "1"));
}

FIXTURE_TEARDOWN(pair)
{
	for (int i = 0; i < 2; i++)
		rig_stop(&self->rig[i]);
}

TEST_F(pair, one_runs_to_its_end_while_the_other_is_stopped)
{
	struct rig *rig = self->rig;
	struct rig_event event;

	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, advance(&rig[i], STEP_STOPPED));
	close(rig[1].session);
	rig[1].session = -1;
	EXPECT_EQ(0, rig_wait(&rig[1]));
	EXPECT_EQ(0, kill(rig[0].program, 0));
	EXPECT_EQ(-ETIMEDOUT, rig_any(&rig[0], &event, 100));
	close(rig[0].session);
	rig[0].session = -1;
	EXPECT_EQ(0, rig_wait(&rig[0]));
}

TEST_HARNESS_MAIN
