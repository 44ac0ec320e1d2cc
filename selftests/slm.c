// SPDX-License-Identifier: GPL-2.0-only
/* Shared local memory of a stopped thread's work-group. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define SLOT 300
#define POISON 0xa5

static int slm(int session, unsigned long command,
	       const struct gtdbg_thread_info *thread, uint64_t offset,
	       void *buf, uint32_t len_bytes)
{
	struct gtdbg_slm_access access = {
		.device = thread->device,
		.slot = thread->slot,
		.generation = thread->generation,
		.offset = offset,
		.buf = (uintptr_t)buf,
		.len_bytes = len_bytes,
	};
	int ret = ioctl(session, command, &access);

	return ret < 0 ? -errno : ret;
}

static int next_stop(struct rig *rig, struct gtdbg_thread_info *thread)
{
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	int ret = rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event);

	stop = event.payload;
	if (!ret)
		*thread = stop->thread;
	return ret;
}

/* A thread of the peer is stopped, and its memory filled. */
FIXTURE(slm)
{
	struct target target;
	struct gtdbg_thread_info thread;
	uint8_t buf[PEER_SLM_BYTES];
};

FIXTURE_SETUP(slm)
{
	struct target *target = &self->target;
	uint32_t context;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_context(target, &context));
	for (int i = 0; i < PEER_SLM_BYTES; i++)
		target->peer.slm[i] = i * 7 + i / 256;
	peer_stop(&target->peer, SLOT, 0x20000, PEER_HALT);
	ASSERT_EQ(0, next_stop(&target->rig, &self->thread));
	memset(self->buf, POISON, sizeof(self->buf));
}

FIXTURE_TEARDOWN(slm)
{
	target_stop(&self->target);
}

TEST_F(slm, read_gives_what_the_group_has)
{
	struct target *target = &self->target;
	int session = target->rig.session;

	EXPECT_EQ(1000, slm(session, GTDBG_IOC_SLM_READ, &self->thread, 3,
			    self->buf, 1000));
	EXPECT_EQ(0, memcmp(self->buf, target->peer.slm + 3, 1000));
	EXPECT_EQ(POISON, self->buf[1000]);
	EXPECT_EQ(PEER_SLM_BYTES, slm(session, GTDBG_IOC_SLM_READ,
				      &self->thread, 0, self->buf,
				      PEER_SLM_BYTES));
	EXPECT_EQ(0, memcmp(self->buf, target->peer.slm, PEER_SLM_BYTES));
}

TEST_F(slm, write_changes_nothing_beside)
{
	struct target *target = &self->target;
	static uint8_t model[PEER_SLM_BYTES];

	memcpy(model, target->peer.slm, sizeof(model));
	memset(model + 501, POISON, 333);
	EXPECT_EQ(333, slm(target->rig.session, GTDBG_IOC_SLM_WRITE,
			   &self->thread, 501, self->buf, 333));
	EXPECT_EQ(0, memcmp(model, target->peer.slm, sizeof(model)));
}

TEST_F(slm, thread_stays_in_its_stop)
{
	struct target *target = &self->target;
	struct rig_event event;

	EXPECT_EQ(400, slm(target->rig.session, GTDBG_IOC_SLM_READ,
			   &self->thread, 0, self->buf, 400));
	EXPECT_EQ(-ETIMEDOUT, rig_any(&target->rig, &event, 200));
	EXPECT_EQ(0, target->peer.resumes);
	EXPECT_EQ(1, rig_resume(target->rig.session, self->thread.device, SLOT,
				1, GTDBG_RESUME_RUN));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
}

TEST_F(slm, ends_with_the_memory)
{
	struct target *target = &self->target;
	int session = target->rig.session;

	EXPECT_EQ(16, slm(session, GTDBG_IOC_SLM_READ, &self->thread,
			  PEER_SLM_BYTES - 16, self->buf, 100));
	EXPECT_EQ(POISON, self->buf[16]);
	EXPECT_EQ(-EFAULT, slm(session, GTDBG_IOC_SLM_READ, &self->thread,
			       PEER_SLM_BYTES, self->buf, 1));
	EXPECT_EQ(-EFAULT, slm(session, GTDBG_IOC_SLM_READ, &self->thread,
			       ~0ULL, self->buf, 1));
}

/* A launch that gives its groups 2 KiB, then one that gives them nothing. */
TEST_F(slm, ends_where_the_launch_says)
{
	static const struct peer_walker walker = {
		.end = { 1, 1, 1 },
		.simd = 8,
		.threads = 1,
		.right_mask = 0xff,
	};
	struct target *target = &self->target;
	int session = target->rig.session;

	peer_walker(&target->peer, 0, &walker);
	peer_walker_slm(&target->peer, 2);
	peer_position(&target->peer, 12, peer_walker_address(0));
	EXPECT_EQ(1024, slm(session, GTDBG_IOC_SLM_READ, &self->thread, 1024,
			    self->buf, 4096));
	EXPECT_EQ(0, memcmp(self->buf, target->peer.slm + 1024, 1024));
	EXPECT_EQ(POISON, self->buf[1024]);
	EXPECT_EQ(-EFAULT, slm(session, GTDBG_IOC_SLM_READ, &self->thread,
			       2048, self->buf, 4));
	peer_walker_slm(&target->peer, 0);
	peer_stop(&target->peer, SLOT + 1, 0x20000, PEER_HALT);
	ASSERT_EQ(0, next_stop(&target->rig, &self->thread));
	target->peer.slm_commands = 0;
	EXPECT_EQ(-ENXIO, slm(session, GTDBG_IOC_SLM_READ, &self->thread, 0,
			      self->buf, 4));
	EXPECT_EQ(-ENXIO, slm(session, GTDBG_IOC_SLM_WRITE, &self->thread, 0,
			      self->buf, 4));
	EXPECT_EQ(0, target->peer.slm_commands);
}

TEST_F(slm, refuses_what_is_not_stopped)
{
	struct gtdbg_thread_info thread = self->thread;
	struct target *target = &self->target;
	int session = target->rig.session;

	thread.slot++;
	EXPECT_EQ(-ESRCH, slm(session, GTDBG_IOC_SLM_READ, &thread, 0,
			      self->buf, 4));
	thread.slot = PEER_SLOTS;
	EXPECT_EQ(-EINVAL, slm(session, GTDBG_IOC_SLM_READ, &thread, 0,
			       self->buf, 4));
	thread = self->thread;
	thread.generation++;
	EXPECT_EQ(-ESRCH, slm(session, GTDBG_IOC_SLM_WRITE, &thread, 0,
			      self->buf, 4));
	thread.generation = 0;
	EXPECT_EQ(4, slm(session, GTDBG_IOC_SLM_READ, &thread, 0, self->buf,
			 4));
	thread.device++;
	EXPECT_EQ(-ENOENT, slm(session, GTDBG_IOC_SLM_READ, &thread, 0,
			       self->buf, 4));
	EXPECT_EQ(-EINVAL, slm(session, GTDBG_IOC_SLM_READ, &self->thread, 0,
			       self->buf, 0));
	EXPECT_EQ(1, target->peer.slm_commands);
}

TEST_F(slm, bad_pointer_writes_nothing)
{
	struct target *target = &self->target;
	int session = target->rig.session;
	uint8_t first = target->peer.slm[0];

	EXPECT_EQ(-EFAULT, slm(session, GTDBG_IOC_SLM_WRITE, &self->thread, 0,
			       NULL, 4));
	EXPECT_EQ(-EFAULT, slm(session, GTDBG_IOC_SLM_READ, &self->thread, 0,
			       NULL, 4));
	EXPECT_EQ(first, target->peer.slm[0]);
}

TEST_F(slm, observer_reads_and_does_not_write)
{
	struct target *target = &self->target;
	int observer = target_attach(target, GTDBG_SESSION_F_OBSERVER, 0);

	ASSERT_LE(0, observer);
	EXPECT_EQ(4, slm(observer, GTDBG_IOC_SLM_READ, &self->thread, 8,
			 self->buf, 4));
	EXPECT_EQ(0, memcmp(self->buf, target->peer.slm + 8, 4));
	EXPECT_EQ(-EPERM, slm(observer, GTDBG_IOC_SLM_WRITE, &self->thread, 0,
			      self->buf, 4));
	close(observer);
}

/* A SIP that is late spoils the command that came meanwhile; no harm is done. */
TEST_F(slm, slow_thread_times_out_and_resumes)
{
	struct target *target = &self->target;
	int session = target->rig.session;
	uint64_t begin = rig_now_ns();

	target->peer.slm_slow = true;
	EXPECT_EQ(-ETIMEDOUT, slm(session, GTDBG_IOC_SLM_READ, &self->thread, 0,
				  self->buf, 4));
	EXPECT_EQ(POISON, self->buf[0]);
	EXPECT_LE(5000000000ULL, rig_now_ns() - begin);
	EXPECT_GE(15000000000ULL, rig_now_ns() - begin);
	begin = rig_now_ns();
	EXPECT_EQ(-ETIMEDOUT, slm(session, GTDBG_IOC_SLM_READ, &self->thread, 0,
				  self->buf, 4));
	EXPECT_GE(4000000000ULL, rig_now_ns() - begin);
	EXPECT_EQ(1, rig_resume(session, self->thread.device, SLOT, 1,
				GTDBG_RESUME_RUN));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
}

/* One access, made by another thread. */
struct reader {
	pthread_t thread;
	int session, ret;
	struct gtdbg_thread_info info;
	volatile bool done;
	uint8_t buf[4];
};

static void *reader_run(void *data)
{
	struct reader *reader = data;

	reader->ret = slm(reader->session, GTDBG_IOC_SLM_READ, &reader->info, 0,
			  reader->buf, sizeof(reader->buf));
	reader->done = true;
	return NULL;
}

/* Returns when the thread has a command that it does not do. */
static bool reader_start(struct reader *reader, struct target *target,
			 const struct gtdbg_thread_info *info)
{
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;

	target->peer.slm_slow = true;
	*reader = (struct reader){
		.session = target->rig.session, .info = *info,
	};
	if (pthread_create(&reader->thread, NULL, reader_run, reader))
		return false;
	while (!target->peer.slm_busy && rig_now_ns() < end)
		usleep(100);
	return target->peer.slm_busy;
}

TEST_F(slm, server_may_die_meanwhile)
{
	struct target *target = &self->target;
	struct reader reader;

	ASSERT_TRUE(reader_start(&reader, target, &self->thread));
	peer_fini(&target->peer);
	pthread_join(reader.thread, NULL);
	EXPECT_EQ(-ENODEV, reader.ret);
}

TEST_F(slm, server_may_fall_silent_meanwhile)
{
	struct target *target = &self->target;
	struct reader reader;

	ASSERT_TRUE(reader_start(&reader, target, &self->thread));
	target->peer.hold = true;
	pthread_join(reader.thread, NULL);
	EXPECT_EQ(-ENODEV, reader.ret);
	target->peer.hold = false;
}

/* Nobody else's call takes as long as the thread does. */
TEST_F(slm, others_need_not_wait_for_a_slow_thread)
{
	struct gtdbg_thread_list list = { .device = self->thread.device };
	struct target *target = &self->target;
	struct reader reader;
	int observer;

	ASSERT_TRUE(reader_start(&reader, target, &self->thread));
	EXPECT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list));
	observer = target_attach(target, GTDBG_SESSION_F_OBSERVER, 0);
	EXPECT_LT(0, observer);
	EXPECT_EQ(0, rig_registers(observer, false, &self->thread,
				   GTDBG_REGISTER_GRF, 0, 1, self->buf, 32));
	close(observer);
	EXPECT_FALSE(reader.done);
	/* And the debugger may let the thread go. */
	EXPECT_EQ(1, rig_resume(target->rig.session, self->thread.device, SLOT,
				1, GTDBG_RESUME_RUN));
	pthread_join(reader.thread, NULL);
	EXPECT_EQ(-ESRCH, reader.ret);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
}

/* What an observer asks for takes nothing away from who controls. */
TEST_F(slm, thread_that_was_late_for_an_observer_serves_again)
{
	struct target *target = &self->target;
	int observer = target_attach(target, GTDBG_SESSION_F_OBSERVER, 0);

	target->peer.slm_slow = true;
	EXPECT_EQ(-ETIMEDOUT, slm(observer, GTDBG_IOC_SLM_READ, &self->thread,
				  0, self->buf, 4));
	target->peer.slm_slow = false;
	EXPECT_EQ(4, slm(target->rig.session, GTDBG_IOC_SLM_READ,
			 &self->thread, 8, self->buf, 4));
	EXPECT_EQ(0, memcmp(self->buf, target->peer.slm + 8, 4));
	close(observer);
}

/* The area is lost and found again, with another version in it. */
TEST_F(slm, older_sip_cannot)
{
	struct target *target = &self->target;
	const uint32_t older = GTDBG_SIP_VERSION & 0xffff0000;
	struct rig *rig = &target->rig;
	uint8_t *area = peer_at(&target->peer, PEER_SAVE_AREA);
	struct gtdbg_register_list list = {
		.device = self->thread.device,
		.context = self->thread.context,
	};
	uint32_t context;

	EXPECT_EQ(1, rig_resume(rig->session, self->thread.device, SLOT, 1,
				GTDBG_RESUME_RUN));
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 1));
	area[0] ^= 1;
	memcpy(area + GTDBG_SIP_CONTROL_OFFSET + 8, &older, sizeof(older));
	EXPECT_EQ(-1, ioctl(rig->session, GTDBG_IOC_REGISTER_LIST, &list));
	area[0] ^= 1;
	ASSERT_EQ(0, target_context(target, &context));
	peer_stop(&target->peer, SLOT, 0x20000, PEER_HALT);
	ASSERT_EQ(0, next_stop(rig, &self->thread));
	EXPECT_EQ(-EOPNOTSUPP, slm(rig->session, GTDBG_IOC_SLM_READ,
				   &self->thread, 0, self->buf, 4));
	EXPECT_EQ(0, target->peer.slm_commands);
}

/* One thread of "reverse", whose result needs what other items never wrote. */
FIXTURE(reverse)
{
	struct rig rig;
	struct gtdbg_thread_info thread;
};

FIXTURE_VARIANT(reverse)
{
	enum rig_sip sip;
};

FIXTURE_VARIANT_ADD(reverse, own_sip) { .sip = RIG_SIP_OWN };
FIXTURE_VARIANT_ADD(reverse, default_sip) { .sip = RIG_SIP_DEFAULT };
FIXTURE_VARIANT_ADD(reverse, bindless_sip) { .sip = RIG_SIP_BINDLESS };

FIXTURE_SETUP(reverse)
{
	const struct gtdbg_event_kernel_submit *submit;
	struct rig *rig = &self->rig;
	struct rig_event event;

	if (rig_missing(variant->sip))
		SKIP(return, "%s", rig_missing(variant->sip));
	/* The program's private memory alone is 24,576 pages, sent singly. */
	if (rig_is_sanitised() || !rig_is_patient())
		SKIP(return, "on 6.12, and on 6.1 in the soak");
	rig->sip = variant->sip;
	ASSERT_EQ(0, rig_start(rig, "reverse", "8", "8", "1"));
	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	submit = event.payload;
	ASSERT_LT(0, rig_breakpoint(rig->session, submit->kernel, 16));
	ASSERT_EQ(0, rig_ack(rig, &event));
	ASSERT_EQ(0, next_stop(rig, &self->thread));
}

FIXTURE_TEARDOWN(reverse)
{
	rig_stop(&self->rig);
}

/* launch's input, and what it expects of an item, are i * 7 + 3. */
TEST_F(reverse, program_and_debugger_share_the_memory)
{
	struct rig *rig = &self->rig;
	int32_t tile[8] = { 0 }, rest[8];
	int ret, steps;

	for (int i = 0; i < 8; i++)
		rest[i] = (24 + i) * 7 + 3;
	ret = slm(rig->session, GTDBG_IOC_SLM_WRITE, &self->thread, 4 * 24,
		  rest, sizeof(rest));
	if (variant->sip != RIG_SIP_OWN) {
		EXPECT_EQ(-EOPNOTSUPP, ret);
		return;
	}
	EXPECT_EQ(sizeof(rest), ret);
	for (steps = 0; steps < 1000 && tile[7] != 7 * 7 + 3; steps++) {
		ASSERT_EQ(1, rig_resume(rig->session, self->thread.device,
					self->thread.slot, 1,
					GTDBG_RESUME_STEP));
		ASSERT_EQ(0, next_stop(rig, &self->thread));
		ASSERT_EQ(sizeof(tile),
			  slm(rig->session, GTDBG_IOC_SLM_READ, &self->thread,
			      0, tile, sizeof(tile)));
	}
	for (int i = 0; i < 8; i++)
		EXPECT_EQ(i * 7 + 3, tile[i]);
	EXPECT_EQ(1, rig_resume(rig->session, self->thread.device,
				self->thread.slot, 1, GTDBG_RESUME_RUN));
	EXPECT_EQ(0, rig_wait(rig));
}

TEST_HARNESS_MAIN
