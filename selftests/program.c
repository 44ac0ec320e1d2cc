// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of breakpoints: which are refused, and what of them is in the table
 * that the SIP reads, whatever happens to breakpoints, sessions and save area. The
 * reader below is written anew from gtdbg_sip.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>

#include "harness.h"

#include "target.h"
#include "trace.h"

#define MANY 1024 /* what there is room for */
#define PAGES (PEER_CODE + PEER_KERNEL_BYTES) /* behind the kernel */
#define PAGES_AT 0x501000 /* where the test puts them */
#define NOWHERE 0x7fffffffff000ULL /* where the peer has no memory */
#define BEYOND (1ULL << 32) /* no ip is so far from the base */
#define SECOND 16

static const struct gtdbg_sip_op simple[] = {
	{ GTDBG_SIP_OP_ADDRESS, 1024, 0, 0 },
	{ GTDBG_SIP_OP_LOAD, 0, 0, 0 },
	{ GTDBG_SIP_OP_EQUAL, 1234, 0, 0 },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
};

static const struct gtdbg_sip_op sum[] = {
	{ GTDBG_SIP_OP_FETCH, 4 << 16 | 1024, 8, 0xfffffff0 },
	{ GTDBG_SIP_OP_KEEP, 0, 0, 0 },
	{ GTDBG_SIP_OP_REGISTER, 64, 0, 0 },
	{ GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_ADD,
	  GTDBG_SIP_COMPUTE_KEPT },
	{ GTDBG_SIP_OP_EQUAL, 1234, 0, 0 },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
};

FIXTURE(program)
{
	struct target target;
	uint32_t context;
};

FIXTURE_SETUP(program)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_enter(&self->target, GTDBG_SIP_VERSION,
				  &self->context));
}

FIXTURE_TEARDOWN(program)
{
	target_stop(&self->target);
}

static int place(struct target *target,
		 struct gtdbg_breakpoint_set *request)
{
	int ret = ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_SET,
			request);

	return ret < 0 ? -errno : ret;
}

static int set(struct target *target, uint64_t offset)
{
	struct gtdbg_breakpoint_set request = {
		.kernel = target->kernel, .offset = offset,
	};

	return place(target, &request);
}

/* Where no kernel is known: the page of it is mapped first. */
static int set_at(struct target *target, uint32_t context, uint64_t address,
		  uint64_t page)
{
	struct gtdbg_breakpoint_set request = {
		.device = target->peer.device, .context = context,
		.offset = address,
	};

	peer_map(&target->peer, address & ~0xfffULL, page);
	/* What no one has written is not there. */
	target->peer.memory[page + 4095] = 0;
	return place(target, &request);
}

static int clear(struct target *target, uint32_t id)
{
	struct gtdbg_breakpoint_clear request = { .breakpoint = id };

	return ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_CLEAR, &request);
}

/* All breakpoints are brought up to date when a thread stops that was new. */
static int synced(struct target *target)
{
	struct rig_event event;

	peer_stop(&target->peer, 9, PEER_KERNEL_IP + SECOND, PEER_BREAK);
	return rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);
}

/* Is that what decides there, whole and with its checksum? */
static bool decides(struct target *target, uint64_t offset,
		    const struct gtdbg_sip_op *op, uint32_t count)
{
	uint32_t ip = PEER_KERNEL_IP + (uint32_t)offset, sum = ip;
	uint32_t number = target_look_up(target, offset), dword[32];
	struct gtdbg_sip_program program;

	if (number >= GTDBG_SIP_PROGRAMS_MAX)
		return false;
	program = *target_program_at(target, number);
	memcpy(dword, &program, sizeof(dword));
	for (int i = 0; i < 32; i++)
		sum ^= dword[i];
	return sum == GTDBG_SIP_PROGRAM_MAGIC &&
	       !memcmp(program.op, op, count * sizeof(*op));
}

TEST_F(program, is_where_the_sip_looks)
{
	struct target *target = &self->target;
	int id = set(target, SECOND);

	ASSERT_LT(0, id);
	EXPECT_EQ(TARGET_NOT_FOUND, target_look_up(target, SECOND));
	EXPECT_EQ(1, target_program(target, id, simple, 4));
	EXPECT_TRUE(decides(target, SECOND, simple, 4));
	EXPECT_EQ(0, target_program(target, id, NULL, 0));
	EXPECT_EQ(TARGET_NOT_FOUND, target_look_up(target, SECOND));
	EXPECT_EQ(1, target_program(target, id, simple, 4));
	EXPECT_EQ(0, clear(target, id));
	EXPECT_EQ(TARGET_NOT_FOUND, target_look_up(target, SECOND));
	EXPECT_EQ(-ENOENT, target_program(target, id, simple, 4));
}

/* Each time in another place, so that a thread may still read the last one. */
TEST_F(program, takes_the_place_of_another)
{
	struct target *target = &self->target;
	int id = set(target, SECOND);
	struct gtdbg_sip_op op[4];
	uint32_t last;

	memcpy(op, simple, sizeof(op));
	EXPECT_EQ(1, target_program(target, id, op, 4));
	for (uint32_t i = 0; i < 2 * GTDBG_SIP_PROGRAMS_MAX; i++) {
		last = target_look_up(target, SECOND);
		op[2].a = i;
		ASSERT_EQ(1, target_program(target, id, op, 4));
		ASSERT_NE(last, target_look_up(target, SECOND));
	}
	EXPECT_TRUE(decides(target, SECOND, op, 4));
}

TEST_F(program, decides_for_one_breakpoint_alone)
{
	struct target *target = &self->target;
	int id = set(target, SECOND), other;

	EXPECT_EQ(1, target_program(target, id, simple, 4));
	other = set(target, SECOND);
	EXPECT_EQ(TARGET_NOT_FOUND, target_look_up(target, SECOND));
	EXPECT_EQ(0, clear(target, other));
	EXPECT_TRUE(decides(target, SECOND, simple, 4));
	EXPECT_EQ(0, target_program(target, set(target, 0), simple, 4));
}

/* One in each place that there is. Returns the last breakpoint. */
static int fill(struct target *target, uint32_t context)
{
	int id = 0;

	for (uint64_t i = 0; i < MANY; i++) {
		id = set_at(target, context, PAGES + 16 * i,
			    PAGES_AT + (16 * i & ~0xfffULL));
		if (target_program(target, id, simple, 4) != 1)
			return -1;
	}
	return id;
}

/* And still after each was looked at again, and when one takes another's place. */
TEST_F(program, has_room_for_many)
{
	struct target *target = &self->target;
	int id = fill(target, self->context);
	struct gtdbg_sip_op op[4];

	ASSERT_LT(0, id);
	ASSERT_LT(0, set(target, SECOND));
	ASSERT_EQ(0, synced(target));
	for (uint64_t i = 0; i < MANY; i++)
		EXPECT_TRUE(decides(target, PEER_KERNEL_BYTES + 16 * i,
				    simple, 4));
	memcpy(op, simple, sizeof(op));
	op[2].a = 99;
	EXPECT_EQ(1, target_program(target, id, op, 4));
	EXPECT_TRUE(decides(target, PEER_KERNEL_BYTES + 16 * (MANY - 1), op,
			    4));
	EXPECT_EQ(0, target_program(target, set(target, 2 * SECOND), simple, 4));
}

/* Its counter has begun anew by then: what it had counted is told once. */
TEST_F(program, may_fail_to_take_the_place_of_another)
{
	const uint64_t last = PEER_KERNEL_BYTES + 16 * (MANY - 1);
	struct target *target = &self->target;
	int id = fill(target, self->context);
	struct gtdbg_sip_op op[4];
	char line[1024] = "";
	const uint32_t count = 5;
	struct trace trace;
	uint64_t number;

	if (access(TRACE_INSTANCES, W_OK))
		SKIP(return, "no tracefs: mount it, as root");
	ASSERT_LT(0, id);
	number = target_look_up(target, last);
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_COUNT_OFFSET +
		       number * sizeof(count)), &count, sizeof(count));
	peer_map(&target->peer, (PEER_SAVE_AREA + GTDBG_SIP_PROGRAM_OFFSET +
		 number * GTDBG_SIP_PROGRAM_BYTES) & ~0xfffULL, NOWHERE);
	memcpy(op, simple, sizeof(op));
	op[2].a = 99;
	EXPECT_TRUE(trace_open(&trace, "gtdbg_decision"));
	EXPECT_EQ(0, target_program(target, id, op, 4));
	EXPECT_EQ(TARGET_NOT_FOUND, target_look_up(target, last));
	/* Another one: what follows the first line is its own. */
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_COUNT_OFFSET),
	       &count, sizeof(count));
	EXPECT_EQ(0, clear(target, id - MANY + 1));
	EXPECT_TRUE(trace.pipe && fgets(line, sizeof(line), trace.pipe));
	EXPECT_NE(NULL, strstr(line, "passed=5\n"));
	EXPECT_TRUE(trace.pipe && fgets(line, sizeof(line), trace.pipe));
	EXPECT_NE(NULL, strstr(line, "passed=5\n"));
	trace_close(&trace);
}

TEST_F(program, decides_only_where_threads_come)
{
	struct target *target = &self->target;
	struct gtdbg_sip_op other[4];
	int far, id = set(target, SECOND);

	memcpy(other, simple, sizeof(other));
	other[2].a = 99;
	EXPECT_EQ(1, target_program(target, id, simple, 4));
	far = set_at(target, self->context, BEYOND + PEER_CODE + SECOND,
		     PAGES_AT);
	ASSERT_LT(0, far);
	EXPECT_EQ(0, target_program(target, far, other, 4));
	EXPECT_EQ(0, target_program(target, set_at(target, self->context, PEER_BASE,
					 PAGES_AT), other, 4));
	EXPECT_TRUE(decides(target, SECOND, simple, 4));
}

/* Its pages belong to the program again, which may have put anything there. */
TEST_F(program, leaves_alone_what_is_no_area_any_more)
{
	struct target *target = &self->target;
	uint8_t *area = peer_at(&target->peer, PEER_SAVE_AREA);
	static uint8_t was[GTDBG_SIP_SLOT_OFFSET];
	int id = set(target, SECOND);

	EXPECT_EQ(1, target_program(target, id, simple, 4));
	memset(area, 0x5a, sizeof(was));
	memset(was, 0x5a, sizeof(was));
	EXPECT_EQ(0, target_program(target, id, simple, 4));
	EXPECT_EQ(0, clear(target, id));
	close(target->rig.session);
	target->rig.session = -1;
	EXPECT_EQ(0, memcmp(area, was, sizeof(was)));
}

/* Valid in all but one respect; what was there before stays. */
static void refused(struct __test_metadata *_metadata, struct target *target,
		    uint32_t id, int error, uint32_t which, uint32_t op,
		    uint32_t a, uint32_t b, uint32_t c)
{
	struct gtdbg_sip_op bad[4];

	memcpy(bad, simple, sizeof(bad));
	bad[which] = (struct gtdbg_sip_op){ op, a, b, c };
	EXPECT_EQ(error, target_program(target, id, bad, 4))
		TH_LOG("operation %u: %u 0x%x 0x%x 0x%x", which, op, a, b, c);
	EXPECT_TRUE(decides(target, SECOND, simple, 4));
}

TEST_F(program, is_checked)
{
	static struct gtdbg_sip_op too_many[GTDBG_SIP_PROGRAM_OPS_MAX + 1];
	struct target *target = &self->target;
	int id = set(target, SECOND);

	ASSERT_EQ(1, target_program(target, id, simple, 4));
#define REFUSED(...) refused(_metadata, target, id, __VA_ARGS__)
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_ADDRESS, 0, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_ADDRESS, 1028, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_ADDRESS, 4096 - 224, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_ADDRESS, 0xffffffe0, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_ADDRESS, 1024, 1, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_REGISTER, 1024, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_OR, 0, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_LOAD, 1, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_ADD, 8, 0x10000, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_ADD, 8, 8, 0);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_EQUAL, 1, 1, 0);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_EQUAL, 1, 0, 1);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_LOAD, 0, 0, 0);
	REFUSED(-EINVAL, 3, GTDBG_SIP_OP_OR, 0, 0, 0);
	REFUSED(-EINVAL, 3, GTDBG_SIP_OP_END, 1, 0, 0);
	REFUSED(-EOPNOTSUPP, 0, 0, 0, 0, 0);
	REFUSED(-EOPNOTSUPP, 1, GTDBG_SIP_OP_MORE, 0, 0, 0);
	REFUSED(-EOPNOTSUPP, 1, GTDBG_SIP_OP_IGNORE, 0, 0, 0);
	REFUSED(-EOPNOTSUPP, 1, GTDBG_SIP_OP_SURE + 1, 0, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_SURE, 0, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_SURE, 0, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_LOAD_LONG, 1, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_WIDE, 0, 0, 0);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_WIDE, 0, 0, 1);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_WIDE, 0, 0, 0x400);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_WIDE, 0, 0, 0); /* no value behind it */
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_CAPTURE_VALUE, 0, 0, 0);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_CAPTURE_VALUE, 0, 0, 0);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_CAPTURE_VALUE, 0, 0, 3);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_CAPTURE, 0, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_CAPTURE, 0, 0x10000, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_CAPTURE_REGISTER, 16, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_CAPTURE_REGISTER, 64, 0, 3);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_RECORD, 0, 0, 0);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_RECORD, 0, 1, 0);
	REFUSED(-EINVAL, 3, GTDBG_SIP_OP_RECORD, 0, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_LOAD_BYTE, 0, 1, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_LOAD_WORD, 0, 0, 0);
	REFUSED(-EINVAL, 2, GTDBG_SIP_OP_EQUAL, 1, 0x81, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_UNIFORM, 6, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_UNIFORM, 4096, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_UNIFORM, 4, 0, 1);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_ITEM, 0, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_ITEM, 4096 - 32, 0, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_ITEM, 32, 0x10000000, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_ITEM, 32, 2, 0);
	REFUSED(-EINVAL, 1, GTDBG_SIP_OP_ITEM, 32, 0, 0x80000000);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_PLACE, 20, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_PLACE, 4096, 0, 0);
	REFUSED(-EINVAL, 0, GTDBG_SIP_OP_PLACE, 16, 0x10000, 0);
#undef REFUSED
	EXPECT_EQ(-EINVAL, target_program(target, id, too_many, ARRAY_SIZE(too_many)));
	EXPECT_EQ(-EINVAL, target_program(target, id, simple, 3));
	EXPECT_EQ(-EFAULT, target_program(target, id, (void *)8, 4));
	EXPECT_TRUE(decides(target, SECOND, simple, 4));
}

/* The same of one that computes. */
static void refused_sum(struct __test_metadata *_metadata,
			struct target *target, uint32_t id, uint32_t which,
			uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
	struct gtdbg_sip_op bad[ARRAY_SIZE(sum)];

	memcpy(bad, sum, sizeof(bad));
	bad[which] = (struct gtdbg_sip_op){ op, a, b, c };
	EXPECT_EQ(-EINVAL, target_program(target, id, bad, ARRAY_SIZE(bad)))
		TH_LOG("operation %u: %u 0x%x 0x%x 0x%x", which, op, a, b, c);
	EXPECT_TRUE(decides(target, SECOND, sum, ARRAY_SIZE(sum)));
}

/* Each with what it has captured itself, and nothing behind the last one but END. */
TEST_F(program, records_follow_each_other)
{
	const struct gtdbg_sip_op two[] = {
		{ GTDBG_SIP_OP_CAPTURE_REGISTER, 1024, 0, 0 },
		{ GTDBG_SIP_OP_ADDRESS, 1024, 0, 0 },
		{ GTDBG_SIP_OP_RECORD, 7, 0, 0 },
		{ GTDBG_SIP_OP_OR, 0, 0, 0 },
		{ GTDBG_SIP_OP_CAPTURE_REGISTER, 2048, 0, 1 },
		{ GTDBG_SIP_OP_RECORD, 8, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	};
	const struct {
		uint32_t which;
		struct gtdbg_sip_op op;
	} bad[] = {
		{ 3, { GTDBG_SIP_OP_OR, 1, 0, 0 } },
		{ 3, { GTDBG_SIP_OP_OR, 0, 0, 1 } },
		{ 3, { GTDBG_SIP_OP_RECORD, 8, 0, 0 } },
		{ 3, { GTDBG_SIP_OP_REGISTER, 1024, 0, 0 } },
		{ 4, { GTDBG_SIP_OP_EQUAL, 1, 0, 0 } },
		{ 4, { GTDBG_SIP_OP_LOAD, 0, 0, 0 } },
		{ 4, { GTDBG_SIP_OP_OR, 0, 0, 0 } },
		{ 5, { GTDBG_SIP_OP_EQUAL, 1, 0, 0 } },
	};
	struct target *target = &self->target;
	struct gtdbg_sip_op op[ARRAY_SIZE(two)];
	int id = set(target, SECOND);

	ASSERT_EQ(1, target_program(target, id, two, ARRAY_SIZE(two)));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		memcpy(op, two, sizeof(op));
		op[bad[i].which] = bad[i].op;
		EXPECT_EQ(-EINVAL, target_program(target, id, op, ARRAY_SIZE(op)))
			TH_LOG("program %zu", i);
	}
	EXPECT_TRUE(decides(target, SECOND, two, ARRAY_SIZE(two)));
}

static const struct gtdbg_sip_op sure[] = {
	{ GTDBG_SIP_OP_SURE, 0, 0, 0 },
	{ GTDBG_SIP_OP_CAPTURE_REGISTER, 1024, 0, 0 },
	{ GTDBG_SIP_OP_RECORD, 7, 0, 0 },
	{ GTDBG_SIP_OP_OR, 0, 0, 0 },
	{ GTDBG_SIP_OP_CAPTURE_REGISTER, 2048, 0, 1 },
	{ GTDBG_SIP_OP_CAPTURE_REGISTER, 3072, 0, 2 },
	{ GTDBG_SIP_OP_RECORD, 8, 0, 0 },
	{ GTDBG_SIP_OP_END, 0, 0, 0 },
};

/* What says so comes first, and goes before the routine gets the rest. */
TEST_F(program, may_be_sure_before_it_records)
{
	const struct gtdbg_sip_op none[] = {
		sure[0], simple[0], simple[1], simple[2], simple[3],
	};
	struct target *target = &self->target;
	int id = set(target, SECOND);
	const struct gtdbg_sip_program *program;
	struct gtdbg_sip_op bad[ARRAY_SIZE(sure)];
	uint32_t number;

	ASSERT_EQ(1, target_program(target, id, sure, ARRAY_SIZE(sure)));
	number = target_look_up(target, SECOND);
	ASSERT_LT(number, GTDBG_SIP_PROGRAMS_MAX);
	program = target_program_at(target, number);
	EXPECT_EQ(GTDBG_SIP_PROGRAM_SURE, program->part);
	EXPECT_TRUE(decides(target, SECOND, sure + 1, ARRAY_SIZE(sure) - 1));
	for (uint32_t i = 1; i < 4; i++) {
		const uint32_t dword[4] = { GTDBG_SIP_OP_SURE, i == 1, i == 2,
					    i == 3 };

		memcpy(bad, sure, sizeof(bad));
		memcpy(bad, dword, sizeof(dword));
		EXPECT_EQ(-EINVAL, target_program(target, id, bad,
						  ARRAY_SIZE(bad)));
	}
	bad[0] = bad[1] = sure[0];
	EXPECT_EQ(-EINVAL, target_program(target, id, bad, ARRAY_SIZE(bad)));
	EXPECT_EQ(-EINVAL, target_program(target, id, sure, 1));
	EXPECT_EQ(-EINVAL, target_program(target, id, none, ARRAY_SIZE(none)));
	EXPECT_TRUE(decides(target, SECOND, sure + 1, ARRAY_SIZE(sure) - 1));
}

/* All parts say so. */
TEST_F(program, is_sure_in_all_parts)
{
	struct gtdbg_sip_op op[2 * ARRAY_SIZE(sure) - 1];
	struct target *target = &self->target;
	int id = set(target, SECOND);
	struct gtdbg_sip_program program;
	uint32_t number, parts = 0;

	memcpy(op, sure, sizeof(sure));
	op[7] = sure[3];
	memcpy(op + 8, sure + 1, 6 * sizeof(sure[0]));
	op[14] = sure[7];
	ASSERT_EQ(1, target_program(target, id, op, ARRAY_SIZE(op)));
	number = target_look_up(target, SECOND);
	for (; number < GTDBG_SIP_PROGRAMS_MAX && parts < GTDBG_SIP_PARTS_MAX; parts++) {
		program = *target_program_at(target, number);
		EXPECT_TRUE(program.part & GTDBG_SIP_PROGRAM_SURE);
		EXPECT_EQ(parts, program.part % GTDBG_SIP_PARTS_MAX);
		number = program.op[6].op == GTDBG_SIP_OP_MORE ?
			 program.op[6].a : GTDBG_SIP_PROGRAMS_MAX;
	}
	EXPECT_LT(1, parts);
}

TEST_F(program, arithmetic_is_checked)
{
	const uint32_t kept = GTDBG_SIP_COMPUTE_KEPT, at = 4 << 16 | 1024;
	struct target *target = &self->target;
	int id = set(target, SECOND);

	ASSERT_EQ(1, target_program(target, id, sum, ARRAY_SIZE(sum)));
#define REFUSED(...) refused_sum(_metadata, target, id, __VA_ARGS__)
	REFUSED(0, GTDBG_SIP_OP_FETCH, 1024, 8, 0);
	REFUSED(0, GTDBG_SIP_OP_FETCH, 3 << 16 | 1024, 8, 0);
	REFUSED(0, GTDBG_SIP_OP_FETCH, 16 << 16 | 1024, 8, 0);
	REFUSED(0, GTDBG_SIP_OP_FETCH, at + 8, 8, 0);
	REFUSED(0, GTDBG_SIP_OP_FETCH, 4 << 16 | (4096 - 224), 8, 0);
	REFUSED(0, GTDBG_SIP_OP_FETCH, 4 << 16, 8, 0);
	REFUSED(0, GTDBG_SIP_OP_FETCH, at, 0x10000, 0);
	REFUSED(0, GTDBG_SIP_OP_ADDRESS, 1024, 0, 0);
	REFUSED(1, GTDBG_SIP_OP_KEEP, 1, 0, 0);
	REFUSED(1, GTDBG_SIP_OP_KEEP, 0, 1, 0);
	REFUSED(1, GTDBG_SIP_OP_KEEP, 0, 0, 1);
	REFUSED(1, GTDBG_SIP_OP_LOAD, 0, 0, 0);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, 0, 0, kept);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_LAST + 1, kept);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, 1, GTDBG_SIP_COMPUTE_ADD, kept);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_ADD, 4);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_ADD, 0x101);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_QUOTIENT, 0);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_REMAINDER_UNSIGNED, kept);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, UINT32_MAX,
		GTDBG_SIP_COMPUTE_REMAINDER, 0);
	REFUSED(3, GTDBG_SIP_OP_COMPUTE, 3, GTDBG_SIP_COMPUTE_QUOTIENT_UNSIGNED,
		GTDBG_SIP_COMPUTE_TURNED);
#undef REFUSED
}

/* In the place of the product that the value and the kept one make. */
TEST_F(program, local_memory_is_checked)
{
	const uint32_t four = 4 << GTDBG_SIP_LOCAL_BYTES_SHIFT;
	const uint32_t most = four | GTDBG_SIP_LOCAL_INDEX |
			      GTDBG_SIP_LOCAL_KEPT | 0x4000;
	struct gtdbg_sip_op good[ARRAY_SIZE(sum)];
	struct target *target = &self->target;
	int id = set(target, SECOND);

	memcpy(good, sum, sizeof(good));
	good[3] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_LOCAL, UINT32_MAX,
					 GTDBG_SIP_SLM_END - 4, most };
	ASSERT_EQ(1, target_program(target, id, good, ARRAY_SIZE(good)));
	EXPECT_TRUE(decides(target, SECOND, good, ARRAY_SIZE(good)));
	ASSERT_EQ(1, target_program(target, id, sum, ARRAY_SIZE(sum)));
#define REFUSED(...) refused_sum(_metadata, target, id, __VA_ARGS__)
	REFUSED(3, GTDBG_SIP_OP_LOCAL, 0, GTDBG_SIP_SLM_END - 3, four);
	REFUSED(3, GTDBG_SIP_OP_LOCAL, 0, UINT32_MAX, four);
	REFUSED(3, GTDBG_SIP_OP_LOCAL, 0, 0, four | 4);
	REFUSED(3, GTDBG_SIP_OP_LOCAL, 0, 0, most + 1);
	REFUSED(3, GTDBG_SIP_OP_LOCAL, 0, 0, four | 0x4000000);
	REFUSED(3, GTDBG_SIP_OP_LOCAL, 0, 0, 0);
	REFUSED(3, GTDBG_SIP_OP_LOCAL, 0, 0, 2 * four);
	REFUSED(0, GTDBG_SIP_OP_LOCAL, 0, 0, four | GTDBG_SIP_LOCAL_INDEX);
	REFUSED(0, GTDBG_SIP_OP_LOCAL, 0, 0, four | GTDBG_SIP_LOCAL_KEPT);
#undef REFUSED
}

/* @count operations, as many as one comparison after the other makes. */
static void long_one(struct gtdbg_sip_op *op, uint32_t count)
{
	memcpy(op, simple, 2 * sizeof(*op));
	for (uint32_t i = 2; i < count - 1; i++)
		op[i] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_EQUAL, i, 0, 0 };
	op[count - 1] = simple[3];
}

/* The part @number goes on with @op, @count of them; what is right of it is cut off. */
static bool part_is(struct target *target, uint32_t *number, uint32_t part,
		    const struct gtdbg_sip_op **op, uint32_t *count)
{
	uint32_t sum = PEER_KERNEL_IP + SECOND, dword[32], here = *count;
	struct gtdbg_sip_program program;

	if (*number >= GTDBG_SIP_PROGRAMS_MAX)
		return false;
	program = *target_program_at(target, *number);
	memcpy(dword, &program, sizeof(dword));
	for (int i = 0; i < 32; i++)
		sum ^= dword[i];
	if (here > GTDBG_SIP_OPS_MAX) {
		here = GTDBG_SIP_OPS_MAX - 1;
		*number = program.op[here].a;
		if (program.op[here].op != GTDBG_SIP_OP_MORE)
			return false;
	}
	if (sum != GTDBG_SIP_PROGRAM_MAGIC ||
	    program.part % GTDBG_SIP_PARTS_MAX != part ||
	    program.first != target_look_up(target, SECOND) ||
	    memcmp(program.op, *op, here * sizeof(**op)))
		return false;
	*op += here;
	*count -= here;
	return true;
}

static bool decides_in_parts(struct target *target,
			     const struct gtdbg_sip_op *op, uint32_t count)
{
	uint32_t number = target_look_up(target, SECOND);

	for (uint32_t part = 0; count; part++)
		if (!part_is(target, &number, part, &op, &count))
			return false;
	return true;
}

/* However long, and as often as not: what is left is there for the next one. */
TEST_F(program, may_lie_in_parts)
{
	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
	struct target *target = &self->target;
	int id = set(target, SECOND);

	for (uint32_t i = 0; i < 1200; i++) {
		uint32_t count = 8 + i % 18;

		long_one(op, count);
		ASSERT_EQ(1, target_program(target, id, op, count));
		ASSERT_TRUE(decides_in_parts(target, op, count));
	}
	EXPECT_EQ(0, clear(target, id));
	EXPECT_LT(0, fill(target, self->context));
}

/* With one place left the host decides, also where one has decided before. */
TEST_F(program, may_be_too_long_for_what_is_left)
{
	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
	struct target *target = &self->target;
	int id = fill(target, self->context), first = set(target, SECOND);

	ASSERT_LT(0, id);
	long_one(op, 8);
	EXPECT_EQ(0, clear(target, id));
	EXPECT_EQ(0, target_program(target, first, op, 8));
	EXPECT_EQ(1, target_program(target, first, simple, 4));
	EXPECT_EQ(0, target_program(target, first, op, 8));
	EXPECT_EQ(TARGET_NOT_FOUND, target_look_up(target, SECOND));
	EXPECT_EQ(0, clear(target, id - 1));
	EXPECT_EQ(1, target_program(target, first, op, 8));
	EXPECT_TRUE(decides_in_parts(target, op, 8));
}

TEST_F(program, goes_with_its_session)
{
	struct target *target = &self->target;

	EXPECT_EQ(1, target_program(target, set(target, SECOND), simple, 4));
	close(target->rig.session);
	target->rig.session = -1;
	EXPECT_TRUE(peer_wait_inactive(&target->peer));
	EXPECT_EQ(TARGET_NOT_FOUND, target_look_up(target, SECOND));
}

/* One that knows programs, and not all operations of today's. */
FIXTURE(older)
{
	struct target target;
	uint32_t context;
};

FIXTURE_SETUP(older)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_enter(&self->target,
				  (GTDBG_SIP_VERSION & 0xffff0000) |
				  GTDBG_SIP_MINOR_RECORD, &self->context));
}

FIXTURE_TEARDOWN(older)
{
	target_stop(&self->target);
}

TEST_F(older, gets_what_it_knows)
{
	static const struct gtdbg_sip_op news[] = {
		{ GTDBG_SIP_OP_LOAD_BYTE, 0, 0, 0 },
		{ GTDBG_SIP_OP_LOAD_WORD, 0, 0, 0 },
		{ GTDBG_SIP_OP_UNIFORM, 4, 0, 0 },
		{ GTDBG_SIP_OP_ITEM, 32, 4, 8 },
		{ GTDBG_SIP_OP_FETCH, 4 << 16 | 1024, 8, 0 },
		{ GTDBG_SIP_OP_LOCAL, 0, 0, 4 << GTDBG_SIP_LOCAL_BYTES_SHIFT },
		{ GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0 },
	};
	static const struct gtdbg_sip_op own[] = {
		{ GTDBG_SIP_OP_REGISTER, 64, 0, 0 },
		{ GTDBG_SIP_OP_KEEP, 0, 0, 0 },
		{ GTDBG_SIP_OP_ADDRESS, 1024, 0, 0 },
		{ GTDBG_SIP_OP_GLOBAL, 0, 7, 4 << GTDBG_SIP_GLOBAL_BYTES_SHIFT |
		  4 | GTDBG_SIP_GLOBAL_INDEX | GTDBG_SIP_GLOBAL_OWN },
		{ GTDBG_SIP_OP_EQUAL, 1, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	};
	struct target *target = &self->target;
	int id = set(target, SECOND);
	struct gtdbg_sip_op op[4], many[GTDBG_SIP_OPS_MAX + 1];

	memcpy(op, simple, sizeof(op));
	for (uint32_t i = 0; i < ARRAY_SIZE(news); i++) {
		ASSERT_EQ(1, target_program(target, id, simple, 4));
		op[1] = news[i];
		EXPECT_EQ(0, target_program(target, id, op, 4));
		EXPECT_EQ(TARGET_NOT_FOUND, target_look_up(target, SECOND));
	}
	EXPECT_EQ(0, target_program(target, id, sum, ARRAY_SIZE(sum)));
	long_one(many, ARRAY_SIZE(many));
	EXPECT_EQ(0, target_program(target, id, many, ARRAY_SIZE(many)));
	memcpy(op, simple, sizeof(op));
	op[2] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_WIDE, 1, 0, 0 };
	EXPECT_EQ(0, target_program(target, id, op, 4));
	memcpy(op, simple, sizeof(op));
	op[0] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_PLACE, 16, 0, 0 };
	EXPECT_EQ(0, target_program(target, id, op, 4));
	EXPECT_EQ(0, target_program(target, id, own, ARRAY_SIZE(own)));
	EXPECT_EQ(1, target_program(target, id, simple, 4));
	EXPECT_TRUE(decides(target, SECOND, simple, 4));
}

/* What takes numbers of 64 bits is told apart from what takes others. */
TEST(long_numbers_need_a_routine_that_knows_them)
{
	const uint32_t own = 4 << GTDBG_SIP_GLOBAL_BYTES_SHIFT | 4 |
			     GTDBG_SIP_GLOBAL_INDEX | GTDBG_SIP_GLOBAL_OWN;
	const struct {
		uint32_t which;
		struct gtdbg_sip_op op;
	} news[] = {
		{ 0, { GTDBG_SIP_OP_FETCH, 8 << 16 | 1024, 8, 0 } },
		{ 2, { GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0 } },
		{ 2, { GTDBG_SIP_OP_GLOBAL, 0, 7, own } },
		{ 3, { GTDBG_SIP_OP_COMPUTE, 0, GTDBG_SIP_COMPUTE_ADD_LONG,
		       GTDBG_SIP_COMPUTE_KEPT } },
		{ 3, { GTDBG_SIP_OP_COMPUTE, 3,
		       GTDBG_SIP_COMPUTE_MULTIPLY_LONG, 0 } },
	};
	struct target target;
	uint32_t context;
	int id;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	for (uint32_t before = 0; before < 2; before++) {
		ASSERT_EQ(0, target_enter(&target,
					  (GTDBG_SIP_VERSION & 0xffff0000) |
					  (GTDBG_SIP_MINOR_SURE - before),
					  &context));
		id = set(&target, SECOND);
		EXPECT_EQ(!before, target_program(&target, id, sure,
						  ARRAY_SIZE(sure)));
		target_stop(&target);
		ASSERT_EQ(0, target_enter(&target,
					  (GTDBG_SIP_VERSION & 0xffff0000) |
					  (GTDBG_SIP_MINOR_LOAD_LONG - before),
					  &context));
		id = set(&target, SECOND);
		for (size_t i = 0; i < ARRAY_SIZE(news); i++) {
			struct gtdbg_sip_op op[ARRAY_SIZE(sum)];

			memcpy(op, sum, sizeof(op));
			EXPECT_EQ(1, target_program(&target, id, op,
						    ARRAY_SIZE(op)));
			op[news[i].which] = news[i].op;
			EXPECT_EQ(!before, target_program(&target, id, op,
							  ARRAY_SIZE(op)))
				TH_LOG("operation %zu", i);
		}
		target_stop(&target);
	}
}

TEST_HARNESS_MAIN
