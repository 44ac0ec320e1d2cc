// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ignore counts: what is in the save area for threads to take from, who else takes from
 * it, and that no more are ignored than was said, whoever takes at the same time. What
 * a thread does is written anew here from gtdbg_sip.h.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"

#define SECOND 16
#define THIRD 32
#define ROUNDS 300 /* what is to be seen happens at the end of a count */
#define MANY 60
#define RUNNERS 2

static const struct gtdbg_sip_op simple[] = {
	{ GTDBG_SIP_OP_ADDRESS, 1024, 0, 0 },
	{ GTDBG_SIP_OP_LOAD, 0, 0, 0 },
	{ GTDBG_SIP_OP_EQUAL, 1234, 0, 0 },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
};

FIXTURE(ignore)
{
	struct target target;
	int id;
};

FIXTURE_SETUP(ignore)
{
	struct gtdbg_breakpoint_set request = { .offset = SECOND };
	uint32_t context;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_enter(&self->target, GTDBG_SIP_VERSION, &context));
	request.kernel = self->target.kernel;
	self->id = ioctl(self->target.rig.session, GTDBG_IOC_BREAKPOINT_SET,
			 &request);
	ASSERT_LT(0, self->id);
}

FIXTURE_TEARDOWN(ignore)
{
	target_stop(&self->target);
}

/* The breakpoint's program, or none, with a count; what came back, or -errno. */
static int give(struct target *target, uint32_t id,
		const struct gtdbg_sip_op *op, uint32_t count, uint32_t ignore,
		struct gtdbg_breakpoint_program *out)
{
	*out = (struct gtdbg_breakpoint_program){
		.breakpoint = id, .program = (uintptr_t)op,
		.len_bytes = count * sizeof(*op),
		.version = op ? GTDBG_PROGRAM_VERSION : 0, .ignore = ignore,
	};
	return ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_PROGRAM, out) ?
		       -errno : 0;
}

static int ask(int session, uint32_t id, uint32_t flags,
	       struct gtdbg_breakpoint_program *out)
{
	*out = (struct gtdbg_breakpoint_program){
		.breakpoint = id, .flags = flags,
	};
	return ioctl(session, GTDBG_IOC_BREAKPOINT_PROGRAM, out) ? -errno : 0;
}

/* Does a thread that has stopped go on, and how many were ignored so far? */
static int take(struct target *target, uint32_t id, uint64_t *ignored)
{
	struct gtdbg_breakpoint_program out;
	int ret = ask(target->rig.session, id, GTDBG_BREAKPOINT_PROGRAM_F_TAKE,
		      &out);

	*ignored = out.ignored;
	return ret ?: (int)out.taken;
}

/* What threads at @offset take from; NULL: there is none. */
static struct gtdbg_sip_ignore *ignore_find(struct target *target,
					    uint64_t offset)
{
	uint8_t *area = peer_at(&target->peer, PEER_SAVE_AREA);
	uint32_t number = target_look_up(target, offset);
	const struct gtdbg_sip_program *program;

	if (number >= GTDBG_SIP_PROGRAMS_MAX)
		return NULL;
	program = target_program_at(target, number);
	for (int i = 0; i + 1 < GTDBG_SIP_OPS_MAX; i++) {
		if (program->op[i].op == GTDBG_SIP_OP_IGNORE &&
		    program->op[i + 1].op == GTDBG_SIP_OP_END)
			return (void *)(area + GTDBG_SIP_IGNORE_OFFSET +
					program->op[i].a);
	}
	return NULL;
}

TEST_F(ignore, is_taken_from_by_threads_and_by_who_sees_stops)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_program out;
	struct gtdbg_sip_ignore *ignore;
	uint64_t ignored;

	ASSERT_EQ(0, give(target, self->id, simple, 4, 5, &out));
	EXPECT_EQ(1, out.decided);
	ignore = ignore_find(target, SECOND);
	ASSERT_NE(NULL, ignore);
	EXPECT_EQ(0, ignore->taken);
	EXPECT_EQ(5, ignore->limit);
	ignore->taken = 3;
	ASSERT_EQ(0, ask(target->rig.session, self->id,
			 GTDBG_BREAKPOINT_PROGRAM_F_QUERY, &out));
	EXPECT_EQ(3, out.ignored);
	EXPECT_EQ(1, take(target, self->id, &ignored));
	EXPECT_EQ(4, ignored);
	EXPECT_EQ(4, ignore->limit);
	EXPECT_EQ(1, take(target, self->id, &ignored));
	EXPECT_EQ(0, take(target, self->id, &ignored));
	EXPECT_EQ(5, ignored);
	EXPECT_EQ(3, ignore->limit);
}

/* It has looked after the limit was lowered, and is about to give its number back. */
TEST_F(ignore, may_be_given_back)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_program out;
	struct gtdbg_sip_ignore *ignore;
	uint64_t ignored;

	ASSERT_EQ(0, give(target, self->id, NULL, 0, 2, &out));
	ignore = ignore_find(target, SECOND);
	ASSERT_NE(NULL, ignore);
	ignore->taken = 2;
	EXPECT_EQ(0, take(target, self->id, &ignored));
	EXPECT_EQ(2, ignored);
	EXPECT_EQ(2, ignore->limit);
	ignore->taken = 1;
	EXPECT_EQ(1, take(target, self->id, &ignored));
	EXPECT_EQ(2, ignored);
}

TEST_F(ignore, is_not_what_the_area_says)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_program out;
	struct gtdbg_sip_ignore *ignore;
	uint64_t ignored;

	ASSERT_EQ(0, give(target, self->id, simple, 4, 7, &out));
	ignore = ignore_find(target, SECOND);
	ASSERT_NE(NULL, ignore);
	ignore->taken = UINT32_MAX;
	ignore->limit = UINT32_MAX;
	EXPECT_EQ(0, take(target, self->id, &ignored));
	EXPECT_EQ(7, ignored);
	ignore->taken = 0;
	EXPECT_EQ(1, take(target, self->id, &ignored));
	EXPECT_EQ(1, ignored);
}

/* The last program's threads run on no more, and the new one counts from 0. */
TEST_F(ignore, goes_with_its_program)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_program out;
	struct gtdbg_sip_ignore *ignore, *last;
	uint64_t ignored;

	ASSERT_EQ(0, give(target, self->id, simple, 4, 10, &out));
	last = ignore_find(target, SECOND);
	ASSERT_NE(NULL, last);
	last->taken = 4;
	ASSERT_EQ(0, give(target, self->id, simple, 4, 6, &out));
	EXPECT_EQ(4, out.ignored);
	EXPECT_EQ(0, last->limit);
	ignore = ignore_find(target, SECOND);
	ASSERT_NE(NULL, ignore);
	EXPECT_NE(last, ignore);
	EXPECT_EQ(6, ignore->limit);
	EXPECT_EQ(1, take(target, self->id, &ignored));
	EXPECT_EQ(5, ignored);
	ASSERT_EQ(0, give(target, self->id, simple, 4, 0, &out));
	EXPECT_EQ(1, out.decided);
	EXPECT_EQ(NULL, ignore_find(target, SECOND));
	EXPECT_EQ(0, take(target, self->id, &ignored));
	EXPECT_EQ(5, ignored);
	ASSERT_EQ(0, give(target, self->id, NULL, 0, 0, &out));
	EXPECT_EQ(0, out.decided);
}

/* Another breakpoint at the same instruction: the host decides, and has what is left. */
TEST_F(ignore, is_the_hosts_where_threads_do_not_decide)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_set request = {
		.kernel = target->kernel, .offset = SECOND,
	};
	struct gtdbg_breakpoint_program out;
	struct gtdbg_breakpoint_clear clear;
	struct gtdbg_sip_ignore *ignore;
	uint64_t ignored;
	int other;

	ASSERT_EQ(0, give(target, self->id, simple, 4, 5, &out));
	ignore = ignore_find(target, SECOND);
	ASSERT_NE(NULL, ignore);
	ignore->taken = 2;
	other = ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_SET, &request);
	ASSERT_LT(0, other);
	EXPECT_EQ(NULL, ignore_find(target, SECOND));
	EXPECT_EQ(1, take(target, self->id, &ignored));
	EXPECT_EQ(3, ignored);
	clear.breakpoint = other;
	clear.flags = 0;
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_CLEAR,
			   &clear));
	ignore = ignore_find(target, SECOND);
	ASSERT_NE(NULL, ignore);
	EXPECT_EQ(0, ignore->taken);
	EXPECT_EQ(2, ignore->limit);
	EXPECT_EQ(0, take(target, other, &ignored) + ENOENT);
}

/* Each has its own. */
TEST_F(ignore, belongs_to_one_breakpoint)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_set request = {
		.kernel = target->kernel, .offset = THIRD,
	};
	struct gtdbg_sip_ignore *ignore, *third;
	struct gtdbg_breakpoint_program out;
	uint64_t ignored;
	int other = ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_SET,
			  &request);

	ASSERT_LT(0, other);
	ASSERT_EQ(0, give(target, self->id, simple, 4, 5, &out));
	ASSERT_EQ(0, give(target, other, NULL, 0, 6, &out));
	ignore = ignore_find(target, SECOND);
	third = ignore_find(target, THIRD);
	ASSERT_TRUE(ignore && third && ignore != third);
	third->taken = 4;
	EXPECT_EQ(1, take(target, self->id, &ignored));
	EXPECT_EQ(1, ignored);
	EXPECT_EQ(1, take(target, other, &ignored));
	EXPECT_EQ(5, ignored);
	EXPECT_EQ(4, ignore->limit);
	EXPECT_EQ(5, third->limit);
}

TEST_F(ignore, is_checked)
{
	static const struct gtdbg_sip_op records[] = {
		{ GTDBG_SIP_OP_CAPTURE_REGISTER, 1024, 0, 0 },
		{ GTDBG_SIP_OP_RECORD, 1, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	};
	struct gtdbg_sip_op full[GTDBG_SIP_PROGRAM_OPS_MAX] = {
		{ GTDBG_SIP_OP_REGISTER, 1024, 0, 0 },
	};
	struct target *target = &self->target;
	struct gtdbg_sip_op op[4];
	struct gtdbg_breakpoint_program out;
	uint32_t take_flag = GTDBG_BREAKPOINT_PROGRAM_F_TAKE;
	int observer;

	memcpy(op, simple, sizeof(op));
	op[2].op = GTDBG_SIP_OP_IGNORE;
	EXPECT_EQ(-EOPNOTSUPP, give(target, self->id, op, 4, 0, &out));
	EXPECT_EQ(-EINVAL, give(target, self->id, simple, 4, 1U << 31, &out));
	EXPECT_EQ(-EINVAL, give(target, self->id, records, 3, 1, &out));
	for (int i = 1; i < GTDBG_SIP_PROGRAM_OPS_MAX; i++)
		full[i] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_LESS, 9, 0, 0 };
	full[GTDBG_SIP_PROGRAM_OPS_MAX - 1] = simple[3];
	EXPECT_EQ(0, give(target, self->id, full, GTDBG_SIP_PROGRAM_OPS_MAX, 0,
			  &out));
	EXPECT_EQ(-EMSGSIZE, give(target, self->id, full,
				  GTDBG_SIP_PROGRAM_OPS_MAX, 1, &out));
	EXPECT_EQ(1, out.breakpoint == (uint32_t)self->id);
	EXPECT_EQ(-EINVAL, ask(target->rig.session, self->id, take_flag |
			       GTDBG_BREAKPOINT_PROGRAM_F_QUERY, &out));
	out = (struct gtdbg_breakpoint_program){
		.breakpoint = self->id, .flags = take_flag, .ignore = 1,
	};
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_PROGRAM,
			    &out));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-ENOENT, ask(target->rig.session, 12345, take_flag, &out));
	observer = target_attach(target, GTDBG_SESSION_F_OBSERVER, 0);
	ASSERT_LE(0, observer);
	EXPECT_EQ(-EPERM, ask(observer, self->id, take_flag, &out));
	EXPECT_EQ(0, ask(observer, self->id, GTDBG_BREAKPOINT_PROGRAM_F_QUERY,
			 &out));
	close(observer);
}

/*
 * Threads at one place, and stops at others. Each runner is a thread after the other
 * until the test has taken what it could, and then until it is refused.
 */
struct runner {
	pthread_t thread;
	struct gtdbg_sip_ignore *ignore;
	const bool *is_over;
	uint64_t passed;
};

static bool thread_passes(struct gtdbg_sip_ignore *ignore)
{
	uint32_t number = __atomic_fetch_add(&ignore->taken, 1,
					     __ATOMIC_SEQ_CST);

	if (number < __atomic_load_n(&ignore->limit, __ATOMIC_SEQ_CST))
		return true;
	__atomic_fetch_sub(&ignore->taken, 1, __ATOMIC_SEQ_CST);
	return false;
}

static void *runner_run(void *arg)
{
	struct runner *runner = arg;
	bool is_over, passes;

	do {
		is_over = __atomic_load_n(runner->is_over, __ATOMIC_SEQ_CST);
		passes = thread_passes(runner->ignore);
		runner->passed += passes;
		/* So that the test has a share as well. */
		if (!is_over)
			sched_yield();
	} while (passes || !is_over);
	return NULL;
}

/* How many have passed, and were taken: -1 if they could not begin. */
static int runners_race(struct target *target, uint32_t id, uint64_t *passed,
			uint64_t *taken)
{
	struct runner runner[RUNNERS] = { 0 };
	bool is_over = false;
	uint64_t ignored;
	int begun = 0;

	for (; begun < RUNNERS; begun++) {
		runner[begun].ignore = ignore_find(target, SECOND);
		runner[begun].is_over = &is_over;
		if (!runner[begun].ignore ||
		    pthread_create(&runner[begun].thread, NULL, runner_run,
				   &runner[begun]))
			break;
	}
	while (take(target, id, &ignored) == 1)
		++*taken;
	__atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
	for (int i = 0; i < begun; i++) {
		pthread_join(runner[i].thread, NULL);
		*passed += runner[i].passed;
	}
	/* What those have left that were refused while a number was about to be given back. */
	while (take(target, id, &ignored) == 1)
		++*taken;
	return begun == RUNNERS ? 0 : -1;
}

TEST_F(ignore, is_exact_whoever_takes)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_program out;
	uint64_t taken = 0, passed = 0;

	for (uint64_t i = 1; i <= ROUNDS; i++) {
		ASSERT_EQ(0, give(target, self->id, NULL, 0, MANY, &out));
		ASSERT_EQ(0, runners_race(target, self->id, &passed, &taken));
		ASSERT_EQ(i * MANY, passed + taken);
	}
	ASSERT_EQ(0, ask(target->rig.session, self->id,
			 GTDBG_BREAKPOINT_PROGRAM_F_QUERY, &out));
	EXPECT_EQ(ROUNDS * MANY, out.ignored);
	TH_LOG("%llu passed, %llu taken", (unsigned long long)passed,
	       (unsigned long long)taken);
	EXPECT_LT(0, passed);
	EXPECT_LT(0, taken);
}

/* It knows programs, and not counts. */
FIXTURE(old_sip)
{
	struct target target;
};

FIXTURE_SETUP(old_sip)
{
	uint32_t context;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_enter(&self->target,
				  (GTDBG_SIP_VERSION & 0xffff0000) |
				  (GTDBG_SIP_MINOR_IGNORE - 1), &context));
}

FIXTURE_TEARDOWN(old_sip)
{
	target_stop(&self->target);
}

TEST_F(old_sip, leaves_counts_to_the_host)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_set request = {
		.kernel = target->kernel, .offset = SECOND,
	};
	struct gtdbg_breakpoint_program out;
	uint64_t ignored;
	int id = ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_SET, &request);

	ASSERT_LT(0, id);
	ASSERT_EQ(0, give(target, id, simple, 4, 2, &out));
	EXPECT_EQ(0, out.decided);
	EXPECT_EQ(1, take(target, id, &ignored));
	EXPECT_EQ(1, take(target, id, &ignored));
	EXPECT_EQ(0, take(target, id, &ignored));
	EXPECT_EQ(2, ignored);
	ASSERT_EQ(0, give(target, id, simple, 4, 0, &out));
	EXPECT_EQ(1, out.decided);
}

TEST_HARNESS_MAIN
