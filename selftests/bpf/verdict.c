// SPDX-License-Identifier: GPL-2.0-only
/* Stops that a BPF program decides about, with the registers that it sees. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "../harness.h"
#include "../target.h"
#include "verdict.skel.h"

#define SECOND_IP (PEER_KERNEL_IP + 16)
#define THIRD_IP (PEER_KERNEL_IP + 32)
#define WANTED 1234

/* The peer claims to have a SIP with programs. */
static void sip_decides(struct peer *peer)
{
	uint32_t version = GTDBG_SIP_VERSION;

	memcpy(peer_at(peer, PEER_SAVE_AREA + GTDBG_SIP_CONTROL_OFFSET +
		       offsetof(struct gtdbg_sip_control, version)),
	       &version, sizeof(version));
}

FIXTURE(verdict)
{
	struct target target;
	struct verdict_bpf *bpf;
};

FIXTURE_SETUP(verdict)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_init(&self->target));
	sip_decides(&self->target.peer);
	ASSERT_EQ(0, target_offer(&self->target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_engage(&self->target));
	self->bpf = verdict_bpf__open_and_load();
	ASSERT_NE(NULL, self->bpf);
	self->bpf->bss->pid = getpid();
	self->bpf->bss->wanted = WANTED;
	ASSERT_EQ(0, verdict_bpf__attach(self->bpf));
}

FIXTURE_TEARDOWN(verdict)
{
	verdict_bpf__destroy(self->bpf);
	target_stop(&self->target);
}

/* The thread of @slot stops, with @value in r10.0. */
static void stop_with(struct peer *peer, uint32_t slot, uint32_t value,
		      uint32_t ip, uint32_t cause)
{
	memcpy(peer_at(peer, PEER_SAVE_AREA + GTDBG_SIP_SLOT_OFFSET +
			     slot * GTDBG_SIP_SLOT_BYTES + 10 * 32),
	       &value, sizeof(value));
	peer_stop(peer, slot, ip, cause);
}

/* The slot of the next stop that is reported. */
static int next_slot(struct target *target)
{
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	int ret = rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);

	stop = event.payload;
	return ret ? ret : (int)stop->thread.slot;
}

/* Where the SIP decides, BPF is asked about what it lets through. */
TEST_F(verdict, stops_of_a_breakpoint_with_a_program_are_decided)
{
	static const struct gtdbg_sip_op op[] = {
		{ GTDBG_SIP_OP_REGISTER, 10 * 32, 0, 0 },
		{ GTDBG_SIP_OP_GREATER, 0, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	};
	struct gtdbg_breakpoint_program request = {
		.program = (uintptr_t)op, .len_bytes = sizeof(op),
		.version = GTDBG_PROGRAM_VERSION,
	};
	struct target *target = &self->target;
	uint64_t resumes = target->peer.resumes;

	request.breakpoint = rig_breakpoint(target->rig.session,
					    target->kernel, 32);
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_PROGRAM,
			   &request));
	EXPECT_EQ(1, request.decided);
	stop_with(&target->peer, 10, 1, THIRD_IP, PEER_BREAK);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, resumes + 1));
	stop_with(&target->peer, 11, WANTED, THIRD_IP, PEER_BREAK);
	EXPECT_EQ(11, next_slot(target));
	EXPECT_EQ(2, self->bpf->bss->asked);
}

TEST_F(verdict, only_what_is_wanted_is_reported)
{
	struct target *target = &self->target;
	uint64_t resumes = target->peer.resumes;

	for (uint32_t slot = 10; slot < 20; slot++)
		stop_with(&target->peer, slot, slot == 15 ? WANTED : slot,
			  SECOND_IP, PEER_BREAK);
	EXPECT_EQ(15, next_slot(target));
	/* All others have run on, without a command of this session. */
	for (int tries = RIG_TIMEOUT_MS; tries && target->peer.resumes < resumes + 9;
	     tries--)
		usleep(500);
	EXPECT_EQ(resumes + 9, target->peer.resumes);
	EXPECT_EQ(10, self->bpf->bss->asked);
	EXPECT_EQ(1, rig_resume(target->rig.session, target->peer.device, 15, 1,
				GTDBG_RESUME_RUN));
}

TEST_F(verdict, program_sees_thread_and_kernel)
{
	struct target *target = &self->target;
	const struct gtdbg_thread_info *thread = &self->bpf->bss->thread;

	stop_with(&target->peer, 33, WANTED, SECOND_IP, PEER_BREAK);
	EXPECT_EQ(33, next_slot(target));
	EXPECT_EQ(33, thread->slot);
	EXPECT_EQ(target->peer.device, (int)thread->device);
	EXPECT_EQ(target->kernel, thread->kernel);
	EXPECT_EQ(PEER_CODE + 16, thread->address);
	EXPECT_EQ(GTDBG_STOP_BREAKPOINT, thread->reasons);
	EXPECT_LT(0, (int)thread->breakpoint);
	EXPECT_STREQ("compute", self->bpf->bss->name);
}

/* Threads that stop for anything else are none of the program's business. */
TEST_F(verdict, other_stops_are_reported)
{
	struct target *target = &self->target;
	struct gtdbg_thread_resume step = {
		.device = target->peer.device, .command = GTDBG_RESUME_STEP,
		.slots = PEER_SLOTS,
	};
	uint8_t mask[PEER_SLOTS / 8] = { 1 << 2 };

	stop_with(&target->peer, 40, 0, 0x20000, PEER_HALT);
	EXPECT_EQ(40, next_slot(target));
	/* That of the fixture, which has stopped before the program came. */
	step.mask = (uintptr_t)mask;
	ASSERT_EQ(1, ioctl(target->rig.session, GTDBG_IOC_THREAD_RESUME, &step));
	stop_with(&target->peer, 2, 0, SECOND_IP + 16, PEER_BREAK);
	EXPECT_EQ(2, next_slot(target));
	EXPECT_EQ(0, self->bpf->bss->asked);
}

TEST_F(verdict, answers_that_mean_nothing_are_reports)
{
	self->bpf->data->other = 77;
	stop_with(&self->target.peer, 50, 0, SECOND_IP, PEER_BREAK);
	EXPECT_EQ(50, next_slot(&self->target));
	EXPECT_EQ(1, self->bpf->bss->asked);
}

TEST_F(verdict, other_processes_are_not_concerned)
{
	self->bpf->bss->pid = 1;
	stop_with(&self->target.peer, 51, 0, SECOND_IP, PEER_BREAK);
	EXPECT_EQ(51, next_slot(&self->target));
	EXPECT_EQ(0, self->bpf->bss->asked);
}

TEST_F(verdict, nobody_decides_when_the_program_has_gone)
{
	verdict_bpf__detach(self->bpf);
	stop_with(&self->target.peer, 52, 0, SECOND_IP, PEER_BREAK);
	EXPECT_EQ(52, next_slot(&self->target));
	EXPECT_EQ(0, self->bpf->bss->asked);
}

/* None is lost, and none of them is asked about twice. */
TEST_F(verdict, each_of_a_thousand_stops_is_decided)
{
	struct target *target = &self->target;
	uint64_t resumes = target->peer.resumes;

	for (uint32_t i = 0; i < 1000; i++) {
		stop_with(&target->peer, 100 + i % 8, i, SECOND_IP, PEER_BREAK);
		for (int tries = RIG_TIMEOUT_MS;
		     tries && target->peer.resumes < resumes + i + 1; tries--)
			usleep(50);
	}
	EXPECT_EQ(1000, self->bpf->bss->asked);
	EXPECT_EQ(resumes + 1000, target->peer.resumes);
}

TEST_HARNESS_MAIN
