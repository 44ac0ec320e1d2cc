// SPDX-License-Identifier: GPL-2.0-only
/*
 * A whole session (attach, stop, step, write, detach), in which one of the three
 * processes is killed at its first system call, its second, and so on: whoever
 * survives ends or runs on, and the module holds nothing back. What is waited
 * for are states; how long that took is printed. A few calls are tried in each
 * run of the suite, always the same, very many with GTDBG_TEST_SOAK.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "killer.h"
#include "klog.h"
#include "rig.h"

#define CALLS_SAMPLED 1000 /* of a program that makes tens of thousands */
#define GRF_LAST 127

/* What the debugger's process returns. */
enum { WHOLE_SESSION, SESSION_ENDED, SESSION_FAILED };

static int step(struct rig *rig, struct gtdbg_thread_info *thread)
{
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	int ret = rig_resume(rig->session, thread->device, thread->slot, 1,
			     GTDBG_RESUME_STEP);

	if (ret < 0)
		return ret;
	do {
		ret = rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event);
		if (ret)
			return ret;
		stop = event.payload;
	} while (!(stop->thread.reasons & GTDBG_STOP_STEP));
	*thread = stop->thread;
	return 0;
}

/* Nothing is changed by it: the program compares its results. */
static int write_back(struct rig *rig, const struct gtdbg_thread_info *thread)
{
	uint8_t bytes[32];
	int ret;

	for (int write = 0; write < 2; write++) {
		ret = rig_registers(rig->session, write, thread,
				    GTDBG_REGISTER_GRF, GRF_LAST, 1, bytes, 32);
		if (ret < 0)
			return ret;
	}
	for (int write = 0; write < 2; write++) {
		ret = rig_memory(rig->session, write, thread->device,
				 thread->context, thread->address + 16, bytes,
				 16);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int session_use(struct rig *rig)
{
	struct gtdbg_breakpoint_clear clear = { 0 };
	struct gtdbg_thread_info thread;
	int ret;

	rig->session = rig_attach(rig, 0, RIG_ALL_EVENTS, RIG_ACK_SUBMIT);
	if (rig->session < 0)
		return rig->session;
	ret = rig_stop_at_second(rig, &thread);
	if (ret < 0)
		return ret;
	clear.breakpoint = ret;
	ret = step(rig, &thread) ?: write_back(rig, &thread);
	if (ret)
		return ret;
	if (ioctl(rig->session, GTDBG_IOC_BREAKPOINT_CLEAR, &clear))
		return -errno;
	ret = rig_resume(rig->session, thread.device, 0, 672, GTDBG_RESUME_RUN);
	return ret < 0 ? ret : 0;
}

/* Is what went wrong that the session has ended, or is about to? */
static bool session_ends(struct rig *rig)
{
	struct rig_event event;
	int ret;

	do {
		ret = rig_any(rig, &event, RIG_TIMEOUT_MS);
	} while (!ret);
	return ret == -ENODATA;
}

static int debugger(struct rig *rig)
{
	int ret = session_use(rig);

	if (ret && rig->session >= 0 && session_ends(rig))
		return SESSION_ENDED;
	if (ret == -ESRCH && rig->session < 0)
		return SESSION_ENDED;
	if (rig->session >= 0)
		close(rig->session);
	return ret ? SESSION_FAILED : WHOLE_SESSION;
}

static pid_t debugger_start(struct rig *rig, struct killer *killer)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (killer)
		killer_enter(killer);
	_exit(debugger(rig));
}

static int ending_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int references(const char *module)
{
	char path[64], text[16] = { 0 };
	int fd;

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return 0;
	close(fd);
	return atoi(text);
}

/* Of whoever holds the module, or the one that the virtual backend is in. */
static int module_references(void)
{
	return references("gtdbg") + references("gtdbg_vgt");
}

static bool module_is_let_go(int references)
{
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;

	while (module_references() > references && rig_now_ns() < end)
		usleep(1000);
	return module_references() <= references;
}

/*
 * The next number of a call to be tried. Programs and servers make tens of
 * thousands, the more alike the later.
 */
static uint64_t call_after(uint64_t call, int few, int many)
{
	int part = rig_is_soak() ? many : few;

	return call + 1 + call * 8 / part;
}

enum victim { VICTIM_PROGRAM, VICTIM_SERVER };

FIXTURE(kill)
{
	struct rig rig;
	struct klog log;
};

FIXTURE_SETUP(kill)
{
	if (rig_missing(RIG_SIP_OWN) || rig_is_sanitised() || !rig_is_patient())
		SKIP(return, "%s", rig_missing(RIG_SIP_OWN) ?:
		     "on 6.12, and on 6.1 in the soak");
	self->rig.session = -1;
	self->rig.reaped = true;
	self->rig.control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->rig.control);
	ASSERT_EQ(0, klog_open(&self->log));
}

FIXTURE_TEARDOWN(kill)
{
	klog_close(&self->log);
	rig_stop(&self->rig);
}

static int start_as(struct rig *rig, struct killer *killer, bool victim,
		    int (*start)(struct rig *rig))
{
	int ret;

	rig->starting = victim ? killer_enter : NULL;
	rig->starting_data = killer;
	ret = start(rig);
	rig->starting = NULL;
	return ret;
}

static int program_start(struct rig *rig)
{
	return rig_program_start(rig, "sample", "256", "8", "2");
}

struct trial {
	struct killer_report report;
	int program, debugger; /* how they ended */
	uint64_t released_ns; /* when the module could be used anew */
	uint64_t ended_ns; /* when the last survivor ended, or was seen to run */
};

/* A program and a debugger, on a server that is there or new. */
static int trial_run(struct rig *rig, enum victim victim, uint64_t call,
		     struct trial *trial)
{
	struct killer killer;
	pid_t pid;
	int ret = killer_start(&killer, call);

	/* Only the server's own trials end it. */
	if (!ret && !rig->vgtd)
		ret = start_as(rig, &killer, victim == VICTIM_SERVER,
			       rig_vgtd_start);
	if (!ret)
		ret = start_as(rig, &killer, victim == VICTIM_PROGRAM,
			       program_start);
	if (ret)
		return ret;
	pid = debugger_start(rig, NULL);
	trial->debugger = ending_of(pid);
	trial->released_ns = rig_now_ns();
	trial->program = rig_wait(rig);
	trial->ended_ns = rig_now_ns();
	if (victim == VICTIM_SERVER) {
		kill(rig->vgtd, SIGKILL);
		waitpid(rig->vgtd, NULL, 0);
		rig->vgtd = 0;
	}
	trial->report = killer_wait(&killer);
	rig_program_forget(rig);
	return 0;
}

static void trial_print(struct __test_metadata *_metadata,
			const struct trial *trial, uint64_t call)
{
	const struct killer_report *report = &trial->report;

	if (!report->killed_ns)
		TH_LOG("not killed: it has made %llu calls",
		       (unsigned long long)report->calls);
	else
		TH_LOG("killed at call %llu: session gone after %.1f ms, all ended or seen to run after %.1f",
		       (unsigned long long)call,
		       (trial->released_ns - report->killed_ns) / 1e6,
		       (trial->ended_ns - report->killed_ns) / 1e6);
}

/* The program ends, so do its session and its debugger. */
static void sweep(struct __test_metadata *_metadata, struct rig *rig,
		  struct klog *log, enum victim victim)
{
	bool soaks = rig_is_soak();
	int references = module_references();
	struct trial trial;
	uint64_t call = 1;

	do {
		ASSERT_EQ(0, trial_run(rig, victim, call, &trial));
		trial_print(_metadata, &trial, call);
		EXPECT_NE(-ETIMEDOUT, trial.program);
		EXPECT_NE(SESSION_FAILED, trial.debugger);
		EXPECT_TRUE(module_is_let_go(references));
		EXPECT_STREQ("", klog_report(log));
		call = call_after(call, 1, 160);
	} while (trial.report.killed_ns && (soaks || call <= CALLS_SAMPLED));
	if (trial.report.killed_ns)
		return;
	/* It was not reached: that session is a whole one. */
	EXPECT_EQ(0, trial.program);
	EXPECT_EQ(WHOLE_SESSION, trial.debugger);
}

TEST_F_TIMEOUT(kill, program_at_any_call, 10000)
{
	sweep(_metadata, &self->rig, &self->log, VICTIM_PROGRAM);
}

TEST_F_TIMEOUT(kill, server_at_any_call, 10000)
{
	if (!rig_is_soak())
		SKIP(return, "takes minutes: for the soak");
	sweep(_metadata, &self->rig, &self->log, VICTIM_SERVER);
}

/* Attach anew, and see the next launch: the program runs. */
static int program_runs_on(struct rig *rig, struct trial *trial)
{
	struct rig_event event;
	int ret;

	do {
		rig->session = rig_attach(rig, 0, RIG_ALL_EVENTS,
					  RIG_ACK_SUBMIT);
	} while (rig->session == -EBUSY);
	if (rig->session < 0)
		return rig->session;
	trial->released_ns = rig_now_ns();
	rig->fill = rig->at = 0;
	ret = rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event);
	close(rig->session);
	rig->session = -1;
	return ret;
}

static int debugger_trial(struct rig *rig, uint64_t call, struct trial *trial)
{
	struct killer killer;
	int ret = killer_start(&killer, call);

	if (ret)
		return ret;
	trial->debugger = ending_of(debugger_start(rig, &killer));
	trial->report = killer_wait(&killer);
	ret = program_runs_on(rig, trial);
	trial->ended_ns = rig_now_ns();
	return ret;
}

/* One program for all of them, which launches and launches. */
TEST_F_TIMEOUT(kill, debugger_at_any_call, 10000)
{
	int references = module_references();
	struct rig *rig = &self->rig;
	struct trial trial;
	uint64_t call = 1;

	ASSERT_EQ(0, rig_vgtd_start(rig));
	ASSERT_EQ(0, rig_program_start(rig, "sample", "256", "8", "100000"));
	do {
		ASSERT_EQ(0, debugger_trial(rig, call, &trial));
		trial_print(_metadata, &trial, call);
		EXPECT_STREQ("", klog_report(&self->log));
		EXPECT_FALSE(rig_has_ended(rig));
		call = call_after(call, 16, 10000);
	} while (trial.report.killed_ns);
	EXPECT_EQ(WHOLE_SESSION, trial.debugger);
	rig_stop(rig);
	/* One of them was the rig's own descriptor. */
	EXPECT_TRUE(module_is_let_go(references - 1));
	*rig = (struct rig){ .session = -1, .control = -1, .reaped = true };
}

TEST_HARNESS_MAIN
