// SPDX-License-Identifier: GPL-2.0-only
/* Marks of failed assertions in code: who is to stop there, and says so. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness.h"

#include "target.h"

#define PLAIN 0x61
#define BREAK 0x40000000
#define MARK 48 /* the mark's instruction */

FIXTURE(assert)
{
	struct target target;
	uint8_t isa[PEER_KERNEL_BYTES];
};

FIXTURE_SETUP(assert)
{
	struct gtdbg_kernel_remove request = { 0 };
	const uint32_t mark = GTDBG_ASSERT_MARK;
	struct target *target = &self->target;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(target, RIG_ALL_EVENTS, 0));
	request.kernel = target->kernel;
	ASSERT_EQ(0, ioctl(target->client, GTDBG_IOC_KERNEL_REMOVE, &request));
	peer_code(memset(self->isa, 0, sizeof(self->isa)), PEER_COOKIE);
	memcpy(self->isa + MARK + 12, &mark, sizeof(mark));
	close(target->rig.session);
}

FIXTURE_TEARDOWN(assert)
{
	target_stop(&self->target);
}

static int attach(struct target *target, uint32_t flags)
{
	target->rig.session = target_attach(target, flags, RIG_ALL_EVENTS);
	target->rig.fill = 0;
	target->rig.at = 0;
	return target->rig.session;
}

static int kernel_add(struct target *target, const uint8_t *isa)
{
	static const char name[] = "asserts";
	struct gtdbg_kernel_add add = {
		.cookie = PEER_COOKIE,
		.name = (uintptr_t)name,
		.name_len_bytes = sizeof(name) - 1,
		.isa = (uintptr_t)isa,
		.isa_len_bytes = PEER_KERNEL_BYTES,
	};

	return ioctl(target->client, GTDBG_IOC_KERNEL_ADD, &add);
}

static uint32_t dword_at(struct target *target, uint64_t offset)
{
	uint32_t dword;

	memcpy(&dword, peer_at(&target->peer, PEER_CODE + offset), 4);
	return dword;
}

/* Let the kernel be seen where it is. */
static int load(struct target *target)
{
	struct rig_event event;

	return target_submit(target, 0, &event) ?:
	       !peer_wait_resumes(&target->peer, 1);
}

TEST_F(assert, kernel_that_comes_stops_where_one_fails)
{
	struct target *target = &self->target;
	const struct gtdbg_thread_info *thread;
	struct rig_event event;

	ASSERT_LT(0, attach(target, GTDBG_SESSION_F_ASSERTS));
	ASSERT_LT(0, kernel_add(target, self->isa));
	ASSERT_EQ(0, load(target));
	EXPECT_EQ(PLAIN | BREAK, dword_at(target, MARK));
	EXPECT_EQ(PLAIN, dword_at(target, MARK + 16));
	peer_stop(&target->peer, 3, PEER_KERNEL_IP + MARK, PEER_BREAK);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	thread = event.payload;
	EXPECT_EQ(3, thread->slot);
	EXPECT_EQ(GTDBG_STOP_BREAKPOINT | GTDBG_STOP_ASSERT, thread->reasons);
	close(target->rig.session);
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_EQ(PLAIN, dword_at(target, MARK));
	ASSERT_LT(0, attach(target, 0));
}

TEST_F(assert, kernel_that_is_there_does_so_too)
{
	struct target *target = &self->target;

	ASSERT_LT(0, kernel_add(target, self->isa));
	ASSERT_LT(0, attach(target, GTDBG_SESSION_F_ASSERTS));
	ASSERT_EQ(0, load(target));
	EXPECT_EQ(PLAIN | BREAK, dword_at(target, MARK));
}

TEST_F(assert, nothing_stops_for_who_does_not_ask)
{
	struct target *target = &self->target;

	ASSERT_LT(0, attach(target, 0));
	ASSERT_LT(0, kernel_add(target, self->isa));
	ASSERT_EQ(0, load(target));
	EXPECT_EQ(PLAIN, dword_at(target, MARK));
	EXPECT_EQ(-EINVAL, target_attach(target, GTDBG_SESSION_F_ASSERTS |
					 GTDBG_SESSION_F_OBSERVER,
					 RIG_ALL_EVENTS));
}

/* Its breakpoint goes with it: another of its name and length has its own. */
TEST_F(assert, kernel_that_goes_leaves_none)
{
	struct gtdbg_kernel_remove request = { 0 };
	struct target *target = &self->target;
	uint8_t plain[PEER_KERNEL_BYTES] = { 0 };

	peer_code(plain, PEER_COOKIE);
	ASSERT_LT(0, attach(target, GTDBG_SESSION_F_ASSERTS));
	request.kernel = kernel_add(target, self->isa);
	ASSERT_LT(0, (int)request.kernel);
	ASSERT_EQ(0, ioctl(target->client, GTDBG_IOC_KERNEL_REMOVE, &request));
	ASSERT_LT(0, kernel_add(target, plain));
	ASSERT_EQ(0, load(target));
	EXPECT_EQ(PLAIN, dword_at(target, MARK));
}

TEST_HARNESS_MAIN
