// SPDX-License-Identifier: GPL-2.0-only
/*
 * Servers that are slow on purpose, or stand still for a while. Whoever uses
 * their devices has to wait, for a bounded time in all, and nobody else at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg_vgt.h>

#include "harness.h"

#include "target.h"

#define STATE "/sys/kernel/debug/gtdbg/state"
#define CODE_DWORD0 0x61 /* the kernel's second instruction */
#define SECOND_INSTRUCTION 16
#define DEADLINE_NS (RIG_TIMEOUT_MS * 1000000ULL)

/* What a process with a slow device and the test say to each other. */
struct shared {
	volatile bool ready, done, release;
};

static bool wait_for(volatile bool *flag)
{
	uint64_t end = rig_now_ns() + DEADLINE_NS;

	while (!*flag && rig_now_ns() < end)
		usleep(1000);
	return *flag;
}

/* The module waits for the server, with the device locked. */
static bool device_hold(struct target *target)
{
	target->peer.hold = true;
	peer_fault(&target->peer);
	return wait_for(&target->peer.holding);
}

static void do_attach(struct target *target)
{
	target_attach(target, GTDBG_SESSION_F_OBSERVER, 0);
}

static void do_detach(struct target *target)
{
	close(target->rig.session);
}

static void do_end(struct target *target)
{
	close(target->client);
}

static void do_nothing(struct target *target)
{
	(void)target;
	pause();
}

FIXTURE(slow)
{
	struct target target;
	struct shared *shared;
	pid_t child;
};

FIXTURE_VARIANT(slow)
{
	/* What the process does that has to wait for the device. */
	void (*act)(struct target *target);
};

FIXTURE_VARIANT_ADD(slow, poll) { .act = do_nothing };
FIXTURE_VARIANT_ADD(slow, attach) { .act = do_attach };
FIXTURE_VARIANT_ADD(slow, detach) { .act = do_detach };
FIXTURE_VARIANT_ADD(slow, end) { .act = do_end };

struct actor {
	struct target target;
	struct shared *shared;
	void (*act)(struct target *target);
};

static void *actor_run(void *data)
{
	struct actor *actor = data;

	actor->act(&actor->target);
	actor->shared->done = true;
	return NULL;
}

/* A process of its own, whose device keeps it waiting until it is killed. */
static void slow_process(struct shared *shared,
			 void (*act)(struct target *target))
{
	static struct actor actor;
	pthread_t thread;
	uint32_t context;

	actor.shared = shared;
	actor.act = act;
	if (target_start(&actor.target, RIG_ALL_EVENTS, 0) ||
	    target_context(&actor.target, &context) ||
	    !device_hold(&actor.target) ||
	    pthread_create(&thread, NULL, actor_run, &actor))
		_exit(1);
	/* It cannot be seen from here that it waits. */
	usleep(50000);
	shared->ready = true;
	wait_for(&shared->release);
	_exit(0);
}

FIXTURE_SETUP(slow)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS, 0));
	self->shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->shared);
	close(self->target.rig.session);
	self->target.rig.session = -1;
	self->child = fork();
	if (!self->child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		slow_process(self->shared, variant->act);
	}
}

FIXTURE_TEARDOWN(slow)
{
	self->shared->release = true;
	kill(self->child, SIGKILL);
	waitpid(self->child, NULL, 0);
	target_stop(&self->target);
}

/* A whole session: attach, a stop, a resume, and the end. */
static int session_run(struct target *target)
{
	struct rig_event event;
	int ret;

	target->rig.at = 0;
	target->rig.fill = 0;
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	if (target->rig.session < 0)
		return target->rig.session;
	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	ret = rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);
	if (!ret && rig_resume(target->rig.session, target->peer.device, 0, 1,
			       GTDBG_RESUME_RUN) != 1)
		ret = -EIO;
	close(target->rig.session);
	target->rig.session = -1;
	return ret;
}

static void state_read(void)
{
	int fd = open(STATE, O_RDONLY | O_CLOEXEC);
	char text[4096];

	if (fd < 0)
		return;
	while (read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
}

/* The other process waits from before the sessions until after them. */
TEST_F(slow, devices_of_others_hold_up_nobody)
{
	ASSERT_TRUE(wait_for(&self->shared->ready));
	ASSERT_FALSE(self->shared->done);
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(0, session_run(&self->target));
	state_read();
	EXPECT_FALSE(self->shared->done);
}

FIXTURE(server)
{
	struct target target;
};

FIXTURE_SETUP(server)
{
	uint32_t context;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_context(&self->target, &context));
}

FIXTURE_TEARDOWN(server)
{
	target_stop(&self->target);
}

/* Each answer is in time for itself, but it is the sum that counts. */
TEST_F(server, that_is_always_just_in_time_is_lost)
{
	const struct gtdbg_event_device_lost *lost;
	struct target *target = &self->target;
	struct rig_event event;
	uint32_t before;
	int ret;

	target->peer.delay_ms = 4000;
	before = target->peer.acks;
	do {
		peer_fault(&target->peer);
		ret = rig_any(&target->rig, &event, 100);
	} while (ret == -ETIMEDOUT ||
		 (!ret && event.head->kind != GTDBG_EVENT_DEVICE_LOST));
	ASSERT_EQ(0, ret);
	lost = event.payload;
	EXPECT_EQ(GTDBG_LOSS_TIMEOUT, lost->reason);
	EXPECT_GE(before + 3, target->peer.acks);
	target->peer.delay_ms = 0;
}

/* As on a machine with much to do. */
TEST_F(server, that_is_a_little_slow_is_not_lost)
{
	struct gtdbg_thread_list list = { .device = self->target.peer.device };
	struct target *target = &self->target;
	uint32_t end = target->peer.acks + 60;

	target->peer.delay_ms = 50;
	while (target->peer.acks < end) {
		peer_fault(&target->peer);
		usleep(10000);
		ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST,
				   &list));
	}
	target->peer.delay_ms = 0;
}

static uint32_t code_dword0(struct target *target)
{
	uint32_t dword0;

	memcpy(&dword0, (uint8_t *)peer_at(&target->peer, PEER_CODE) +
			SECOND_INSTRUCTION, sizeof(dword0));
	return dword0;
}

/* A breakpoint is planted and a thread waits for the host; then silence. */
static int stall(struct target *target)
{
	struct rig_event event;
	int ret = target_engage(target);

	if (ret)
		return ret;
	if (code_dword0(target) == CODE_DWORD0 || !device_hold(target))
		return -EIO;
	return rig_next(&target->rig, GTDBG_EVENT_DEVICE_LOST, &event);
}

/* Like a server that was stopped, or a machine that slept. */
TEST_F(server, that_comes_back_finds_no_trace_of_the_session)
{
	struct target *target = &self->target;

	ASSERT_EQ(0, stall(target));
	close(target->rig.session);
	target->rig.session = -1;
	EXPECT_EQ(CODE_DWORD0, code_dword0(target));
	EXPECT_FALSE(peer_active(&target->peer));
	target->peer.hold = false;
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
	/* One that was on its way into the SIP is let go as well. */
	peer_stop(&target->peer, 3, 0x20000, PEER_HALT);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 3));
	EXPECT_EQ(0, session_run(target));
}

TEST_F(server, that_comes_back_can_be_debugged_again)
{
	struct gtdbg_thread_list list = { .device = self->target.peer.device };
	struct target *target = &self->target;
	const struct gtdbg_event_device_add *device;
	const struct gtdbg_event_kernel_load *load;
	struct rig_event event;

	ASSERT_EQ(0, stall(target));
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list));
	EXPECT_EQ(ENODEV, errno);
	target->peer.hold = false;
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_DEVICE_ADD, &event));
	device = event.payload;
	EXPECT_EQ(list.device, device->device);
	/* All that a session has forgotten with it is reported again. */
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_CONTEXT_ADD, &event));
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_LOAD, &event));
	load = event.payload;
	EXPECT_EQ(target->kernel, load->kernel);
	EXPECT_EQ(PEER_CODE, load->address);
	/* What had stopped was let go; the breakpoint is planted again. */
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
	ASSERT_EQ(0, target_submit(target, 1, &event));
	EXPECT_NE(CODE_DWORD0, code_dword0(target));
	peer_stop(&target->peer, 2, PEER_KERNEL_IP + SECOND_INSTRUCTION,
		  PEER_BREAK);
	EXPECT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
}

/* First it may come back, then it may not. */
TEST_F(server, that_ends_while_it_is_lost_is_reported_as_gone)
{
	const struct gtdbg_event_device_lost *lost;
	struct target *target = &self->target;
	struct rig_event event;

	ASSERT_EQ(0, stall(target));
	peer_fini(&target->peer);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_DEVICE_LOST, &event));
	lost = event.payload;
	EXPECT_EQ(GTDBG_LOSS_GONE, lost->reason);
}

/* It answers, but does not do what it is asked for. */
TEST_F(server, that_is_lost_for_good_is_reported)
{
	struct target *target = &self->target;
	struct pollfd wait = { .fd = -1 };
	struct rig_event event;
	struct peer broken;

	ASSERT_EQ(0, peer_init(&broken, target->token));
	broken.asleep = true;
	ASSERT_LT(0, peer_serve(&broken, target->client));
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_DEVICE_LOST, &event));
	wait.fd = broken.fd;
	ASSERT_EQ(1, poll(&wait, 1, RIG_TIMEOUT_MS));
	EXPECT_TRUE(wait.revents & POLLHUP);
	peer_fini(&broken);
	close(target->rig.session);
	EXPECT_EQ(0, session_run(target));
}

TEST_HARNESS_MAIN
