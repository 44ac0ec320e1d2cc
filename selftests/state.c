// SPDX-License-Identifier: GPL-2.0-only
/* Registers and memory of a stopped thread of a real OpenCL program. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness.h"

#include "rig.h"

#define SECOND_INSTRUCTION 16

FIXTURE(stopped)
{
	struct rig rig;
	struct gtdbg_thread_info thread;
	uint64_t code; /* address of the kernel */
	int breakpoint;
};

FIXTURE_SETUP(stopped)
{
	const struct gtdbg_event_kernel_submit *submit;
	struct rig *rig = &self->rig;
	struct rig_event event;

	if (rig_missing(RIG_SIP_OWN))
		SKIP(return, "%s", rig_missing(RIG_SIP_OWN));
	ASSERT_EQ(0, rig_start(rig, "sample", "8", "8", "1"));
	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	submit = event.payload;
	self->code = submit->address;
	self->breakpoint = rig_breakpoint(rig->session, submit->kernel,
					  SECOND_INSTRUCTION);
	ASSERT_GT(self->breakpoint, 0);
	ASSERT_EQ(0, rig_ack(rig, &event));
	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event));
	self->thread =
		((const struct gtdbg_event_thread_stop *)event.payload)->thread;
}

FIXTURE_TEARDOWN(stopped)
{
	rig_stop(&self->rig);
}

TEST_F(stopped, register_write_is_read_back)
{
	uint32_t old[8], new[8], seen[8];
	int session = self->rig.session;

	ASSERT_EQ(0, rig_registers(session, false, &self->thread,
				   GTDBG_REGISTER_GRF, 100, 1, old, 32));
	for (int i = 0; i < 8; i++)
		new[i] = ~old[i];
	ASSERT_EQ(0, rig_registers(session, true, &self->thread,
				   GTDBG_REGISTER_GRF, 100, 1, new, 32));
	ASSERT_EQ(0, rig_registers(session, false, &self->thread,
				   GTDBG_REGISTER_GRF, 100, 1, seen, 32));
	EXPECT_EQ(0, memcmp(new, seen, 32));
	ASSERT_EQ(0, rig_registers(session, true, &self->thread,
				   GTDBG_REGISTER_GRF, 100, 1, old, 32));
	EXPECT_EQ(1, rig_resume(session, self->thread.device,
				self->thread.slot, 1, GTDBG_RESUME_RUN));
	EXPECT_EQ(0, rig_wait(&self->rig));
}

TEST_F(stopped, register_refuses_what_is_not_there)
{
	struct gtdbg_thread_info other = self->thread;
	int session = self->rig.session;
	uint8_t buf[4096];

	EXPECT_EQ(-EINVAL, rig_registers(session, false, &other,
					 GTDBG_REGISTER_GRF, 128, 1, buf, 32));
	EXPECT_EQ(-EINVAL, rig_registers(session, false, &other,
					 GTDBG_REGISTER_GRF, 127, 2, buf, 64));
	EXPECT_EQ(-EINVAL, rig_registers(session, false, &other,
					 GTDBG_REGISTER_GRF, 0, 1, buf, 31));
	EXPECT_EQ(-EOPNOTSUPP, rig_registers(session, false, &other, 13, 0, 1,
					     buf, 128));
	EXPECT_EQ(-EOPNOTSUPP, rig_registers(session, false, &other, 99, 0, 1,
					     buf, 32));
	EXPECT_EQ(-EPERM, rig_registers(session, true, &other,
					GTDBG_REGISTER_CE, 0, 1, buf, 4));
	other.generation++;
	EXPECT_EQ(-ESRCH, rig_registers(session, false, &other,
					GTDBG_REGISTER_GRF, 0, 1, buf, 32));
	other = self->thread;
	other.slot ^= 1;
	other.generation = 0;
	EXPECT_EQ(-ESRCH, rig_registers(session, false, &other,
					GTDBG_REGISTER_GRF, 0, 1, buf, 32));
	other.slot = 672;
	EXPECT_EQ(-EINVAL, rig_registers(session, false, &other,
					 GTDBG_REGISTER_GRF, 0, 1, buf, 32));
}

TEST_F(stopped, register_list_names_the_sets)
{
	struct gtdbg_register_set sets[20];
	struct gtdbg_register_list list = {
		.device = self->thread.device,
		.context = self->thread.context,
		.sets = (uintptr_t)sets,
		.count = 20,
	};
	int count = ioctl(self->rig.session, GTDBG_IOC_REGISTER_LIST, &list);

	ASSERT_LE(10, count);
	EXPECT_EQ(count, (int)list.count);
	EXPECT_EQ(GTDBG_REGISTER_GRF, sets[0].set);
	EXPECT_EQ(128, sets[0].count);
	EXPECT_EQ(256, sets[0].bits);
	EXPECT_EQ(32, sets[0].bytes);
	EXPECT_EQ(GTDBG_REGISTER_F_WRITABLE, sets[0].flags);
}

static int memory_open(const struct rig *rig,
		       const struct gtdbg_thread_info *thread, uint32_t flags)
{
	struct gtdbg_memory_open request = {
		.device = thread->device,
		.context = thread->context,
		.flags = flags,
	};

	return ioctl(rig->session, GTDBG_IOC_MEMORY_OPEN, &request);
}

TEST_F(stopped, memory_agrees_in_every_way_to_read_it)
{
	uint32_t by_call[8], by_file[8];
	int fd;

	ASSERT_EQ(32, rig_memory(self->rig.session, false, self->thread.device,
				 self->thread.context, self->code, by_call,
				 32));
	/* The compiler's breakpoint is lifted, ours is set: neither shows. */
	EXPECT_NE(0, by_call[0] & 0x40000000);
	EXPECT_EQ(0, by_call[4] & 0x40000080);
	fd = memory_open(&self->rig, &self->thread, O_RDONLY);
	ASSERT_LE(0, fd);
	EXPECT_EQ(32, pread(fd, by_file, 32, self->code));
	EXPECT_EQ(0, memcmp(by_call, by_file, 32));
	EXPECT_EQ(-1, pwrite(fd, by_file, 32, self->code));
	EXPECT_EQ(EBADF, errno);
	close(fd);
}

TEST_F(stopped, memory_reports_where_mapping_ends)
{
	uint64_t page = self->code & ~0xfffULL;
	static uint8_t buf[64 << 20];
	ssize_t len;
	int fd;

	fd = memory_open(&self->rig, &self->thread, O_RDWR);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, pread(fd, buf, 16, 0x1000));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, pwrite(fd, buf, 16, 0x1000));
	EXPECT_EQ(EFAULT, errno);
	/* Somewhere behind the kernel nothing is mapped. */
	len = pread(fd, buf, sizeof(buf), page);
	EXPECT_LT(0, len);
	EXPECT_EQ(0, len % 4096);
	if (len < (ssize_t)sizeof(buf)) {
		EXPECT_EQ(-1, pread(fd, buf, 1, page + len));
		EXPECT_EQ(8, pread(fd, buf, 100, page + len - 8));
	}
	close(fd);
}

TEST_F(stopped, memory_write_is_seen)
{
	uint32_t old, new = 0x12345678, seen = 0;
	uint64_t at = self->code + 12; /* the cookie */
	struct gtdbg_thread_info *thread = &self->thread;
	int session = self->rig.session;

	ASSERT_EQ(4, rig_memory(session, false, thread->device,
				thread->context, at, &old, 4));
	ASSERT_EQ(4, rig_memory(session, true, thread->device,
				thread->context, at, &new, 4));
	ASSERT_EQ(4, rig_memory(session, false, thread->device,
				thread->context, at, &seen, 4));
	EXPECT_EQ(new, seen);
	ASSERT_EQ(4, rig_memory(session, true, thread->device,
				thread->context, at, &old, 4));
	EXPECT_EQ(1, rig_resume(session, thread->device, thread->slot, 1,
				GTDBG_RESUME_RUN));
	EXPECT_EQ(0, rig_wait(&self->rig));
}

TEST_HARNESS_MAIN
