// SPDX-License-Identifier: GPL-2.0-only
/* Sessions: who may attach, what is reported, how each ending is survived. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "target.h"

#define SECOND_INSTRUCTION 16
#define ADD "module-add" /* argument of this program: see added() */

static uint32_t code_dword0(struct target *target, uint32_t offset)
{
	uint32_t dword0;

	memcpy(&dword0, peer_at(&target->peer, PEER_CODE + offset), 4);
	return dword0;
}

static int attach(int control, struct gtdbg_session_attach *request)
{
	int ret = ioctl(control, GTDBG_IOC_SESSION_ATTACH, request);

	return ret < 0 ? -errno : ret;
}

FIXTURE(session_attach)
{
	struct target target;
};

FIXTURE_SETUP(session_attach)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS,
				  RIG_ACK_SUBMIT));
}

FIXTURE_TEARDOWN(session_attach)
{
	target_stop(&self->target);
}

TEST_F(session_attach, second_controller_learns_the_holder)
{
	struct gtdbg_session_attach request = {
		.client_fd = self->target.client,
	};

	EXPECT_EQ(-EBUSY, attach(self->target.rig.control, &request));
	EXPECT_EQ(GTDBG_REFUSAL_CONTROLLED, request.refusal);
	EXPECT_EQ(getpid(), request.holder_pid);
}

TEST_F(session_attach, refusals_name_their_reason)
{
	struct gtdbg_session_attach request = { .client_fd = 0 };
	int control = self->target.rig.control;

	request.client_fd = open("/dev/null", O_RDONLY);
	EXPECT_EQ(-EBADF, attach(control, &request));
	EXPECT_EQ(GTDBG_REFUSAL_BAD_FD, request.refusal);
	close(request.client_fd);
	request.client_fd = control;
	EXPECT_EQ(-EINVAL, attach(control, &request));
	EXPECT_EQ(GTDBG_REFUSAL_NOT_CLIENT, request.refusal);
	request.client_fd = -1;
	request.pid = 0x7ffffff;
	EXPECT_EQ(-ESRCH, attach(control, &request));
	EXPECT_EQ(GTDBG_REFUSAL_NO_PROCESS, request.refusal);
	request.pid = getpid();
	EXPECT_EQ(-EPERM, attach(control, &request));
	EXPECT_EQ(GTDBG_REFUSAL_NOT_TRACER, request.refusal);
	request.pid = fork();
	if (!request.pid)
		pause();
	ASSERT_EQ(0, ptrace(PTRACE_SEIZE, request.pid, NULL, NULL));
	EXPECT_EQ(-ENOENT, attach(control, &request));
	EXPECT_EQ(GTDBG_REFUSAL_NO_CLIENT, request.refusal);
	kill(request.pid, SIGKILL);
	waitpid(request.pid, NULL, 0);
}

TEST_F(session_attach, observer_sees_but_does_not_touch)
{
	struct gtdbg_event_ack ack = { .seqno = 1 };
	struct gtdbg_breakpoint_clear clear = { .breakpoint = 1 };
	struct target *target = &self->target;
	struct gtdbg_event head[64];
	struct rig_event event;
	int observer;

	observer = target_attach(target, GTDBG_SESSION_F_OBSERVER,
				 RIG_ALL_EVENTS);
	ASSERT_LT(0, observer);
	EXPECT_LT(0, read(observer, head, sizeof(head)));
	EXPECT_EQ(GTDBG_EVENT_CLIENT_ADD, head[0].kind);
	EXPECT_EQ(-1, ioctl(observer, GTDBG_IOC_EVENT_ACK, &ack));
	EXPECT_EQ(EPERM, errno);
	EXPECT_EQ(-1, ioctl(observer, GTDBG_IOC_BREAKPOINT_CLEAR, &clear));
	EXPECT_EQ(EPERM, errno);
	EXPECT_EQ(-EPERM, rig_breakpoint(observer, target->kernel, 16));
	EXPECT_EQ(-EPERM, rig_resume(observer, target->peer.device, 0, 1,
				     GTDBG_RESUME_RUN));
	ASSERT_EQ(0, target_submit(target, 0, &event));
	EXPECT_LT(0, read(observer, head, sizeof(head)));
	/* Its end changes nothing. */
	close(observer);
	EXPECT_TRUE(target->peer.waiting[0]);
	EXPECT_EQ(0, rig_ack(&target->rig, &event));
}

TEST_F(session_attach, device_says_what_it_is)
{
	const struct gtdbg_event_device_add *device;
	struct target *target = &self->target;
	struct rig rig = { .session = -1 };
	struct rig_event event;

	/* As a crystal of 38.4 MHz has it, halved. */
	peer_register(&target->peer, 0xd00, 2 << 3 | 2 << 1);
	rig.session = target_attach(target, GTDBG_SESSION_F_OBSERVER,
				    RIG_ALL_EVENTS);
	ASSERT_LT(0, rig.session);
	ASSERT_EQ(0, rig_next(&rig, GTDBG_EVENT_DEVICE_ADD, &event));
	device = event.payload;
	EXPECT_EQ(target->peer.device, (int)device->device);
	EXPECT_EQ(1, device->slice_mask);
	EXPECT_EQ(0x3f, device->subslice_mask);
	EXPECT_EQ(0xffff, device->eu_mask);
	EXPECT_EQ(GTDBG_ENGINE_RENDER, device->engine_class);
	EXPECT_EQ(GTDBG_PCI_NONE, device->pci_address);
	EXPECT_EQ(-1, device->drm_minor);
	EXPECT_EQ(19200000, device->timestamp_hz);
	close(rig.session);
}

/* The peer counts 12 MHz from the same beginning, and answers late. */
TEST_F(session_attach, device_clock_is_between_two_readings_of_ours)
{
	struct target *target = &self->target;
	struct gtdbg_device_clock clock = { .device = target->peer.device };
	uint64_t before, after, later;
	struct rig_event event;

	peer_register(&target->peer, 0xd00, 2 << 1);
	target->peer.delay_ms = 20;
	before = rig_now_ns();
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_DEVICE_CLOCK,
			   &clock));
	after = rig_now_ns();
	target->peer.delay_ms = 0;
	EXPECT_EQ(12000000, clock.timestamp_hz);
	EXPECT_LE(before, clock.time_ns);
	EXPECT_GE(after, clock.time_ns + clock.span_ns);
	later = (clock.gpu_time - peer_ticks(clock.time_ns)) & PEER_TICKS_MASK;
	EXPECT_GE(peer_ticks(clock.span_ns) + 1, later);
	EXPECT_LE(peer_ticks(20000000), later);
	/* What happened since, did so since then. */
	peer_stop(&target->peer, 1, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	later = (event.head->gpu_time - clock.gpu_time) & PEER_TICKS_MASK;
	EXPECT_GE(event.head->time_ns + 1000,
		  clock.time_ns + later * 1000 / 12);
}

TEST_F(session_attach, replay_ends_with_synced)
{
	struct target *target = &self->target;
	struct rig rig = { .session = -1 };
	struct rig_event event;
	int kinds = 0;

	rig.session = target_attach(target, GTDBG_SESSION_F_OBSERVER,
				    RIG_ALL_EVENTS);
	ASSERT_LT(0, rig.session);
	do {
		ASSERT_EQ(0, rig_any(&rig, &event, RIG_TIMEOUT_MS));
		EXPECT_TRUE(event.head->flags & GTDBG_EVENT_F_REPLAY);
		kinds |= 1 << event.head->kind;
	} while (event.head->kind != GTDBG_EVENT_SYNCED);
	EXPECT_TRUE(kinds & 1 << GTDBG_EVENT_CLIENT_ADD);
	EXPECT_TRUE(kinds & 1 << GTDBG_EVENT_DEVICE_ADD);
	EXPECT_TRUE(kinds & 1 << GTDBG_EVENT_MODULE_ADD);
	EXPECT_TRUE(kinds & 1 << GTDBG_EVENT_KERNEL_ADD);
	close(rig.session);
}

/* One launch waits to be acknowledged, and another thread is stopped. */
static int state_prepare(struct target *target, struct rig_event *submit)
{
	struct rig_event event;
	int ret;

	peer_stop(&target->peer, 2, 0x20000, PEER_HALT);
	ret = rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);
	return ret ?: target_submit(target, 1, submit);
}

/* Take a replay: bit 1 << kind for each kind, submit and load being right. */
static uint32_t replay_take(struct target *target, struct rig *rig,
			    uint64_t *submit_out, bool *ack_out)
{
	const struct gtdbg_event_kernel_submit *submit;
	const struct gtdbg_event_thread_stop *stop;
	const struct gtdbg_event_kernel_load *load;
	struct rig_event event;
	uint32_t kinds = 0;
	bool right = true;

	do {
		if (rig_any(rig, &event, RIG_TIMEOUT_MS))
			return 0;
		if (!(event.head->flags & GTDBG_EVENT_F_REPLAY))
			continue;
		load = event.payload;
		submit = event.payload;
		stop = event.payload;
		if (event.head->kind == GTDBG_EVENT_KERNEL_LOAD)
			right &= load->kernel == target->kernel &&
				 load->address == PEER_CODE;
		if (event.head->kind == GTDBG_EVENT_THREAD_STOP)
			right &= stop->thread.slot == 2;
		if (event.head->kind == GTDBG_EVENT_KERNEL_SUBMIT) {
			right &= submit->slot == 1 &&
				 submit->address == PEER_CODE;
			*submit_out = event.head->seqno;
			*ack_out = event.head->flags & GTDBG_EVENT_F_ACK;
		}
		kinds |= 1U << event.head->kind;
	} while (event.head->kind != GTDBG_EVENT_SYNCED);
	return right ? kinds : 0;
}

#define STATE_KINDS                                                    \
	(1U << GTDBG_EVENT_CLIENT_ADD | 1U << GTDBG_EVENT_DEVICE_ADD | \
	 1U << GTDBG_EVENT_CONTEXT_ADD |                               \
	 1U << GTDBG_EVENT_MODULE_ADD | 1U << GTDBG_EVENT_KERNEL_ADD | \
	 1U << GTDBG_EVENT_KERNEL_LOAD |                               \
	 1U << GTDBG_EVENT_KERNEL_SUBMIT |                             \
	 1U << GTDBG_EVENT_THREAD_STOP | 1U << GTDBG_EVENT_SYNCED)

TEST_F(session_attach, snapshot_has_what_is_stopped_and_what_waits)
{
	struct gtdbg_event_snapshot snapshot = { .flags = 0 };
	struct target *target = &self->target;
	struct rig rig = { .session = -1 };
	struct gtdbg_event_ack ack;
	struct rig_event submit;
	uint64_t seqno = 0;
	bool waits = true;

	ASSERT_EQ(0, state_prepare(target, &submit));
	ack = (struct gtdbg_event_ack){ .seqno = submit.head->seqno };
	rig.session = target_attach(target, GTDBG_SESSION_F_OBSERVER,
				    RIG_ALL_EVENTS);
	ASSERT_LT(0, rig.session);
	EXPECT_EQ(STATE_KINDS, replay_take(target, &rig, &seqno, &waits));
	EXPECT_FALSE(waits);
	close(rig.session);
	/* The controller can let the launch go by either number. */
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_EVENT_SNAPSHOT,
			   &snapshot));
	EXPECT_EQ(STATE_KINDS, replay_take(target, &target->rig, &seqno,
					   &waits));
	EXPECT_TRUE(waits);
	EXPECT_LT(ack.seqno, seqno);
	EXPECT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_EVENT_ACK,
			   &(struct gtdbg_event_ack){ .seqno = seqno }));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 1));
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_EVENT_ACK, &ack));
	EXPECT_EQ(ENOENT, errno);
}

TEST_F(session_attach, kernel_that_is_overwritten_is_unloaded)
{
	struct target *target = &self->target;
	const struct gtdbg_event_kernel_load *load;
	struct rig_event event;

	peer_stop(&target->peer, 1, PEER_KERNEL_IP, PEER_BREAK);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_LOAD, &event));
	load = event.payload;
	EXPECT_EQ(PEER_CODE, load->address);
	EXPECT_EQ(PEER_COOKIE, load->cookie);
	EXPECT_EQ(target->kernel, load->kernel);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	ASSERT_EQ(0, rig_ack(&target->rig, &event));
	memset(peer_at(&target->peer, PEER_CODE), 0, 16);
	peer_stop(&target->peer, 3, PEER_KERNEL_IP + SECOND_INSTRUCTION,
		  PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_UNLOAD, &event));
	load = event.payload;
	EXPECT_EQ(PEER_CODE, load->address);
	EXPECT_EQ(target->kernel, load->kernel);
}

TEST_F(session_attach, close_leaves_the_program_as_if_never_debugged)
{
	struct target *target = &self->target;

	ASSERT_EQ(0, target_engage(target));
	EXPECT_TRUE(peer_active(&target->peer));
	close(target->rig.session);
	target->rig.session = -1;
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_FALSE(peer_active(&target->peer));
	EXPECT_EQ(0x40000061, code_dword0(target, 0));
	EXPECT_EQ(0x61, code_dword0(target, SECOND_INSTRUCTION));
	/* One that was on its way into the SIP is let go as well. */
	peer_stop(&target->peer, 3, 0x20000, PEER_HALT);
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 3));
	/* And the place is free again. */
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	EXPECT_LT(0, target->rig.session);
}

static void *close_thread(void *session)
{
	close(*(int *)session);
	return NULL;
}

static bool wait_active(struct peer *peer, bool active)
{
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;

	while (peer_active(peer) != active && rig_now_ns() < end)
		usleep(1000);
	return peer_active(peer) == active;
}

/* While the first device does not answer, so that the close takes its time. */
TEST_F(session_attach, device_that_comes_while_the_debugger_goes_is_left_alone)
{
	struct target *target = &self->target;
	pthread_t thread;
	struct peer late;

	ASSERT_EQ(0, target_engage(target));
	ASSERT_EQ(0, peer_init(&late, target->token));
	pthread_mutex_lock(&target->peer.lock);
	pthread_create(&thread, NULL, close_thread, &target->rig.session);
	usleep(200000);
	EXPECT_LT(0, peer_serve(&late, target->client));
	pthread_mutex_unlock(&target->peer.lock);
	pthread_join(thread, NULL);
	target->rig.session = -1;
	EXPECT_TRUE(wait_active(&late, false));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
	peer_fini(&late);
}

TEST_F(session_attach, client_end_is_the_last_event)
{
	struct target *target = &self->target;
	const struct gtdbg_event_exit *end;
	struct gtdbg_thread_list list = { .device = self->target.peer.device };
	struct rig_event event;

	ASSERT_EQ(0, target_engage(target));
	close(target->client);
	target->client = -1;
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_EXIT, &event));
	end = event.payload;
	EXPECT_EQ(GTDBG_EXIT_CLOSED, end->reason);
	EXPECT_EQ(-ENODATA, rig_any(&target->rig, &event, RIG_TIMEOUT_MS));
	EXPECT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_EQ(0x40000061, code_dword0(target, 0));
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list));
	EXPECT_EQ(ESRCH, errno);
}

TEST_F(session_attach, death_of_the_server_is_device_loss)
{
	struct gtdbg_thread_list list = { .device = self->target.peer.device };
	struct target *target = &self->target;
	const struct gtdbg_event_device_lost *lost;
	struct rig_event event;

	ASSERT_EQ(0, target_engage(target));
	peer_fini(&target->peer);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_DEVICE_LOST, &event));
	lost = event.payload;
	EXPECT_EQ(GTDBG_LOSS_GONE, lost->reason);
	EXPECT_EQ(list.device, lost->device);
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list));
	EXPECT_EQ(ENOENT, errno);
}

/* A child is the client: what becomes of it is up to @end. */
static pid_t client_child(int *fd_out, int (*end)(int fd))
{
	struct gtdbg_client_register request = { .flags = 0 };
	int ready[2];
	pid_t child;
	char byte;

	*fd_out = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	if (*fd_out < 0 || pipe(ready))
		return -1;
	child = fork();
	if (!child) {
		if (ioctl(*fd_out, GTDBG_IOC_CLIENT_REGISTER, &request) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		_exit(end(*fd_out));
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		child = -1;
	close(ready[0]);
	return child;
}

static int end_wait(int fd)
{
	struct gtdbg_client_wait wait = { .timeout_ns = 240000000000ULL };

	return ioctl(fd, GTDBG_IOC_CLIENT_WAIT, &wait) ? 1 : 0;
}

static int end_exec(int fd)
{
	if (end_wait(fd))
		return 1;
	execl("/bin/sleep", "sleep", "1", (char *)NULL);
	return 1;
}

static int end_exec_open(int fd)
{
	return fcntl(fd, F_SETFD, 0) ? 1 : end_exec(fd);
}

static int end_hang(int fd)
{
	end_wait(fd);
	pause();
	return 0;
}

static int exit_reason(int session)
{
	struct rig rig = { .session = session };
	struct rig_event event;

	if (rig_next(&rig, GTDBG_EVENT_EXIT, &event))
		return -1;
	return ((const struct gtdbg_event_exit *)event.payload)->reason;
}

static int ending_of(int (*end)(int fd), int signal)
{
	struct gtdbg_session_attach request = {
		.event_mask = RIG_ALL_EVENTS,
	};
	int session, reason, control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	pid_t child = client_child(&request.client_fd, end);

	session = attach(control, &request);
	if (signal) {
		usleep(10000);
		kill(child, signal);
	}
	/* This process keeps the descriptor: it counts for nothing. */
	reason = session < 0 ? session : exit_reason(session);
	waitpid(child, NULL, 0);
	close(session);
	close(request.client_fd);
	close(control);
	return reason;
}

TEST(client_exit_has_its_reason)
{
	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	EXPECT_EQ(GTDBG_EXIT_EXITED, ending_of(end_wait, 0));
	EXPECT_EQ(GTDBG_EXIT_EXITED, ending_of(end_hang, SIGKILL));
	EXPECT_EQ(GTDBG_EXIT_CLOSED, ending_of(end_exec, 0));
	/* Nothing is closed, and nobody asks: who waits is reported all the same. */
	EXPECT_EQ(GTDBG_EXIT_CLOSED, ending_of(end_exec_open, 0));
}

static bool has_executed(pid_t pid)
{
	char path[64], comm[16] = { 0 };
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, comm, sizeof(comm) - 1) < 0)
		comm[0] = 0;
	close(fd);
	return !strcmp(comm, "sleep\n");
}

struct sharer {
	int fd, ready, go;
};

/* It has the descriptors of its parent: to end is to close nothing. */
static int sharer_run(void *data)
{
	struct gtdbg_client_register request = { .flags = 0 };
	struct sharer *sharer = data;
	char byte;

	if (ioctl(sharer->fd, GTDBG_IOC_CLIENT_REGISTER, &request) ||
	    write(sharer->ready, "", 1) != 1)
		_exit(1);
	_exit(read(sharer->go, &byte, 1) != 1);
}

TEST(client_that_shares_its_descriptors_is_seen_to_exit)
{
	struct gtdbg_session_attach request = { .event_mask = RIG_ALL_EVENTS };
	static char stack[65536] __attribute__((aligned(16)));
	struct gtdbg_module_add add = { .flags = 0 };
	int ready[2], go[2], control, session;
	struct sharer sharer;
	pid_t child;
	char byte;

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(go));
	control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	sharer = (struct sharer){
		.fd = open("/dev/gtdbg", O_RDWR | O_CLOEXEC),
		.ready = ready[1], .go = go[0],
	};
	child = clone(sharer_run, stack + sizeof(stack), CLONE_FILES | SIGCHLD,
		      &sharer);
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	request.client_fd = sharer.fd;
	session = attach(control, &request);
	ASSERT_LT(0, session);
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(GTDBG_EXIT_EXITED, exit_reason(session));
	EXPECT_EQ(-1, ioctl(sharer.fd, GTDBG_IOC_MODULE_ADD, &add));
	waitpid(child, NULL, 0);
	close(session);
	close(sharer.fd);
	close(control);
}

static void *own_files(void *data)
{
	(void)data;
	return unshare(CLONE_FILES) ? data : NULL;
}

/* Has it been ended by a thread that ends with descriptors of its own? */
static int threaded_run(int fd, int ready, int go)
{
	struct gtdbg_client_register request = { .flags = 0 };
	struct gtdbg_module_add add = { .flags = 0 };
	pthread_t thread;
	void *failed = &add;
	char byte;

	if (ioctl(fd, GTDBG_IOC_CLIENT_REGISTER, &request) ||
	    write(ready, "", 1) != 1 || read(go, &byte, 1) != 1 ||
	    pthread_create(&thread, NULL, own_files, &add) ||
	    pthread_join(thread, &failed) || failed ||
	    ioctl(fd, GTDBG_IOC_MODULE_ADD, &add) < 0)
		return 1;
	return write(ready, "", 1) != 1 || read(go, &byte, 1) != 1;
}

TEST(thread_with_descriptors_of_its_own_ends_no_client)
{
	struct gtdbg_session_attach request = { .event_mask = RIG_ALL_EVENTS };
	int ready[2], go[2], control, session, status;
	pid_t child;
	char byte;

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(go));
	control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	request.client_fd = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	child = fork();
	if (!child) {
		close(ready[0]);
		_exit(threaded_run(request.client_fd, ready[1], go[0]));
	}
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	session = attach(control, &request);
	ASSERT_LT(0, session);
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(1, read(ready[0], &byte, 1));
	EXPECT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(GTDBG_EXIT_EXITED, exit_reason(session));
	close(session);
	close(request.client_fd);
	close(control);
}

static int end_exec_add(int fd)
{
	char number[16];

	if (fcntl(fd, F_SETFD, 0) || end_wait(fd))
		return 1;
	snprintf(number, sizeof(number), "%d", fd);
	execl("/proc/self/exe", "session", ADD, number, (char *)NULL);
	return 1;
}

/* This program, executed by end_exec_add(), does only this. */
__attribute__((constructor)) static void added(int argc, char **argv)
{
	struct gtdbg_module_add add = { .flags = 0 };

	if (argc != 3 || strcmp(argv[1], ADD))
		return;
	if (ioctl(atoi(argv[2]), GTDBG_IOC_MODULE_ADD, &add) >= 0)
		_exit(1);
	_exit(errno == ESRCH ? 0 : 2);
}

/* A program that inherits a descriptor is not the client that it was of. */
TEST(program_that_is_executed_cannot_register_for_the_last_one)
{
	struct gtdbg_session_attach request = { .event_mask = 0 };
	int control, session, status;
	pid_t child;

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	child = client_child(&request.client_fd, end_exec_add);
	session = attach(control, &request);
	ASSERT_LT(0, session);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	close(session);
	close(request.client_fd);
	close(control);
}

/* The new program may be one that the debugger may not trace. */
TEST(session_does_not_reach_the_program_that_is_executed)
{
	struct gtdbg_thread_list list = { .device = 1 };
	struct gtdbg_session_attach request = { .event_mask = 0 };
	struct gtdbg_event_ack ack = { .seqno = 1 };
	int control, session;
	pid_t child;

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	child = client_child(&request.client_fd, end_exec_open);
	session = attach(control, &request);
	ASSERT_LT(0, session);
	while (!has_executed(child) && waitpid(child, NULL, WNOHANG) != child)
		usleep(1000);
	EXPECT_EQ(-1, ioctl(session, GTDBG_IOC_EVENT_ACK, &ack));
	EXPECT_EQ(ESRCH, errno);
	EXPECT_EQ(-ESRCH, rig_breakpoint(session, 1, 16));
	EXPECT_EQ(-1, ioctl(session, GTDBG_IOC_THREAD_LIST, &list));
	EXPECT_EQ(ESRCH, errno);
	EXPECT_EQ(GTDBG_EXIT_CLOSED, exit_reason(session));
	request.flags = GTDBG_SESSION_F_OBSERVER;
	EXPECT_EQ(-ESRCH, attach(control, &request));
	EXPECT_EQ(GTDBG_REFUSAL_CLIENT_GONE, request.refusal);
	EXPECT_TRUE(has_executed(child));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(session);
	close(request.client_fd);
	close(control);
}

static int end_fork(int fd)
{
	struct gtdbg_module_add add = { .flags = 0 };
	int status = 0;
	pid_t child;

	if (end_wait(fd))
		return 1;
	child = fork();
	if (!child) {
		/* It has the descriptor, but is no client. */
		_exit(ioctl(fd, GTDBG_IOC_MODULE_ADD, &add) == -1 &&
		      errno == EPERM ? 0 : 1);
	}
	waitpid(child, &status, 0);
	/* The child's end has not ended this one. */
	return status || ioctl(fd, GTDBG_IOC_MODULE_ADD, &add) < 1;
}

TEST(fork_makes_no_client_and_ends_none)
{
	struct gtdbg_session_attach request = { .flags = 0 };
	int control, session, status;
	pid_t child;

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	child = client_child(&request.client_fd, end_fork);
	session = attach(control, &request);
	EXPECT_LT(0, session);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(GTDBG_EXIT_EXITED, exit_reason(session));
	close(session);
	close(request.client_fd);
	close(control);
}

TEST_HARNESS_MAIN
