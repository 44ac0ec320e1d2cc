// SPDX-License-Identifier: MIT
#include "port/atomic.h"

#include "eu/eu.h"
#include "port/message.h"
#include "port/scattered.h"
#include "port/space.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum op {
	OP_AND = 1,
	OP_OR = 2,
	OP_XOR = 3,
	OP_EXCHANGE = 4,
	OP_INC = 5,
	OP_DEC = 6,
	OP_ADD = 7,
	OP_SUB = 8,
	OP_REVERSE_SUB = 9,
	OP_SMAX = 10,
	OP_SMIN = 11,
	OP_UMAX = 12,
	OP_UMIN = 13,
	OP_COMPARE_EXCHANGE = 14,
	OP_PRE_DEC = 15,
	/* Operations 1 to 3 of the float messages. */
	OP_FLOAT = 16,
	OP_FMAX = OP_FLOAT + 1,
	OP_FMIN = OP_FLOAT + 2,
	OP_FCOMPARE_WRITE = OP_FLOAT + 3,
};

struct job {
	enum op op;
	uint32_t lanes; /* of the payload: 8 or 16 */
	uint32_t bytes; /* per operand and lane */
	uint32_t operands;
	const uint8_t *operand[2];
	bool a64;
};

static uint32_t op_operands(enum op op)
{
	switch (op) {
	case OP_INC:
	case OP_DEC:
	case OP_PRE_DEC:
		return 0;
	case OP_COMPARE_EXCHANGE:
	case OP_FCOMPARE_WRITE:
		return 2;
	default:
		return 1;
	}
}

static float as_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* What memory holds afterwards if it held @old; a NaN loses against a number. */
static uint32_t next_float(enum op op, uint32_t old, uint32_t a, uint32_t b)
{
	float x = as_float(old), y = as_float(a);

	switch (op) {
	case OP_FMAX:
		return y > x || x != x ? a : old;
	case OP_FMIN:
		return y < x || x != x ? a : old;
	default:
		return x == y ? b : old;
	}
}

/* Values of 4 bytes have zeros above; of the result only 4 bytes count. */
static inline __attribute__((always_inline)) uint64_t
next(enum op op, uint64_t old, uint64_t a, uint64_t b, const uint32_t bytes)
{
	const uint32_t unused = 64 - 8 * bytes;
	int64_t is = (int64_t)(old << unused), other = (int64_t)(a << unused);

	switch (op) {
	case OP_AND:
		return old & a;
	case OP_OR:
		return old | a;
	case OP_XOR:
		return old ^ a;
	case OP_EXCHANGE:
		return a;
	case OP_INC:
		return old + 1;
	case OP_DEC:
	case OP_PRE_DEC:
		return old - 1;
	case OP_ADD:
		return old + a;
	case OP_SUB:
		return old - a;
	case OP_REVERSE_SUB:
		return a - old;
	case OP_SMAX:
		return other > is ? a : old;
	case OP_SMIN:
		return other < is ? a : old;
	case OP_UMAX:
		return a > old ? a : old;
	case OP_UMIN:
		return a < old ? a : old;
	case OP_COMPARE_EXCHANGE:
		return old == a ? b : old;
	default:
		return next_float(op, old, a, b);
	}
}

static uint32_t apply32(enum op op, uint32_t *at, uint32_t a, uint32_t b,
			bool local)
{
	uint32_t old;

	if (local) {
		old = *at;
		*at = next(op, old, a, b, 4);
		return old;
	}
	if (op == OP_EXCHANGE)
		return __atomic_exchange_n(at, a, __ATOMIC_SEQ_CST);
	old = __atomic_load_n(at, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(at, &old, next(op, old, a, b, 4),
					    true, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED))
		;
	return old;
}

static uint64_t apply64(enum op op, uint64_t *at, uint64_t a, uint64_t b,
			bool local)
{
	uint64_t old;

	if (local) {
		old = *at;
		*at = next(op, old, a, b, 8);
		return old;
	}
	old = __atomic_load_n(at, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(at, &old, next(op, old, a, b, 8),
					    true, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED))
		;
	return old;
}

/* @bytes is a constant where this is expanded, so that copies are moves. */
static inline __attribute__((always_inline)) uint64_t
operand(const struct job *job, uint32_t n, uint32_t lane, const uint32_t bytes)
{
	uint64_t value = 0;

	if (n < job->operands)
		memcpy(&value, job->operand[n] + lane * bytes, bytes);
	return value;
}

/* Atomics are naturally aligned: the low address bits do not count. */
static inline __attribute__((always_inline)) uint64_t
lane_apply(const struct job *job, struct vgt_space *space, uint64_t offset,
	   uint32_t lane, const uint32_t bytes)
{
	uint64_t misaligned = (space->base + offset) & (bytes - 1);
	uint8_t *at = vgt_space_at(space, offset - misaligned, bytes);
	uint64_t a = operand(job, 0, lane, bytes);
	uint64_t b = operand(job, 1, lane, bytes), old;

	if (!at)
		return 0;
	if (bytes == 4)
		old = apply32(job->op, (uint32_t *)at, a, b, space->local);
	else
		old = apply64(job->op, (uint64_t *)at, a, b, space->local);
	return job->op == OP_PRE_DEC ? old - 1 : old;
}

/* What each lane adds to a dword; false: @job does something else. */
static bool addends(const struct job *job, uint32_t out[VGT_SCATTERED_LANES])
{
	uint32_t sign = job->op == OP_SUB ? UINT32_MAX : 1;

	if (job->bytes != 4)
		return false;
	switch (job->op) {
	case OP_INC:
	case OP_DEC:
		for (uint32_t i = 0; i < VGT_SCATTERED_LANES; i++)
			out[i] = job->op == OP_INC ? 1 : UINT32_MAX;
		return true;
	case OP_ADD:
	case OP_SUB:
		memcpy(out, job->operand[0], job->lanes * sizeof(out[0]));
		for (uint32_t i = 0; i < job->lanes; i++)
			out[i] *= sign;
		return true;
	default:
		return false;
	}
}

/* Sums are what programs do most. */
static inline __attribute__((always_inline)) void
sums_run(struct vgt_space *space, uint32_t lanes, const uint64_t *offset,
	 const uint32_t *addend, uint64_t *old, const bool local)
{
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes), *at;
		uint64_t misaligned = (space->base + offset[i]) & 3;

		at = (uint32_t *)vgt_space_at(space, offset[i] - misaligned, 4);
		old[i] = 0;
		if (!at)
			continue;
		if (local) {
			old[i] = *at;
			*at += addend[i];
		} else {
			old[i] = __atomic_fetch_add(at, addend[i],
						    __ATOMIC_SEQ_CST);
		}
	}
}

static inline __attribute__((always_inline)) void
lanes_run(const struct job *job, const struct vgt_message *message,
	  struct vgt_space *space, const uint64_t *offset, const uint32_t bytes)
{
	uint32_t mask = message->lanes & ((1U << job->lanes) - 1);
	uint32_t addend[VGT_SCATTERED_LANES], left = mask;
	uint64_t old[VGT_SCATTERED_LANES];

	if (addends(job, addend)) {
		left = 0;
		if (space->local)
			sums_run(space, mask, offset, addend, old, true);
		else
			sums_run(space, mask, offset, addend, old, false);
	}
	for (; left; left &= left - 1) {
		uint32_t i = __builtin_ctz(left);

		old[i] = lane_apply(job, space, offset[i], i, bytes);
	}
	if (!message->dst || !(message->desc & (1U << 13)))
		return;
	/* Not before all lanes are done: the answer may replace operands. */
	for (uint32_t left = mask; left; left &= left - 1) {
		uint32_t i = __builtin_ctz(left);

		memcpy(message->dst + i * bytes, &old[i], bytes);
	}
}

static void job_run(const struct job *job, const struct vgt_message *message,
		    struct vgt_space *space)
{
	uint64_t offset[VGT_SCATTERED_LANES];

	if (job->a64)
		vgt_scattered_a64(space, message, job->lanes, offset);
	else
		vgt_scattered_a32(space, message, job->lanes, offset);
	if (job->bytes == 4)
		lanes_run(job, message, space, offset, 4);
	else
		lanes_run(job, message, space, offset, 8);
}

static int job_check(struct vgt_eu_thread *thread,
		     const struct vgt_message *message, struct job *job)
{
	uint32_t address = job->lanes * (job->a64 ? 8 : 4) / VGT_GRF_BYTES;
	uint32_t plane = job->lanes * job->bytes / VGT_GRF_BYTES;
	bool answer = message->desc & (1U << 13);

	if (job->op == 0 || job->op == OP_FLOAT ||
	    job->op > OP_FCOMPARE_WRITE ||
	    (message->desc & VGT_MESSAGE_HEADER)) {
		vgt_eu_fail(thread, "atomic message 0x%x", message->desc);
		return -ENOSYS;
	}
	job->operands = op_operands(job->op);
	/* Planes have 1 or 2 GRFs. */
	if (message->mlen < address ||
	    (message->mlen - address) & (plane - 1)) {
		vgt_eu_fail(thread, "message 0x%x split after %u GRFs",
			    message->desc, message->mlen);
		return -EINVAL;
	}
	for (uint32_t n = 0; n < job->operands; n++)
		job->operand[n] = vgt_message_grf(message, address + n * plane);
	return vgt_message_need(thread, message,
				address + job->operands * plane,
				answer ? plane : 0);
}

static int atomic_table(struct vgt_eu_thread *thread,
			const struct vgt_message *message, enum op op)
{
	struct job job = {
		.op = op,
		.lanes = message->desc & 0x1000 ? 8 : 16,
		.bytes = 4,
	};
	struct vgt_space space;
	int ret;

	ret = job_check(thread, message, &job);
	if (ret)
		return ret;
	ret = vgt_space_table(&space, thread, message, VGT_ACCESS_WRITE);
	if (ret)
		return ret;
	job_run(&job, message, &space);
	return vgt_space_close(&space);
}

static int atomic_flat(struct vgt_eu_thread *thread,
		       const struct vgt_message *message, enum op op)
{
	struct job job = {
		.op = op,
		.lanes = 8,
		.bytes = message->desc & 0x1000 && op < OP_FLOAT ? 8 : 4,
		.a64 = true,
	};
	struct vgt_space space;
	int ret;

	ret = job_check(thread, message, &job);
	if (ret)
		return ret;
	vgt_space_flat(&space, thread, VGT_ACCESS_WRITE);
	job_run(&job, message, &space);
	return vgt_space_close(&space);
}

int vgt_atomic_untyped(struct vgt_eu_thread *thread,
		       const struct vgt_message *message)
{
	return atomic_table(thread, message, (message->desc >> 8) & 15);
}

int vgt_atomic_untyped_float(struct vgt_eu_thread *thread,
			     const struct vgt_message *message)
{
	return atomic_table(thread, message,
			    OP_FLOAT + ((message->desc >> 8) & 7));
}

int vgt_atomic_a64(struct vgt_eu_thread *thread,
		   const struct vgt_message *message)
{
	return atomic_flat(thread, message, (message->desc >> 8) & 15);
}

int vgt_atomic_a64_float(struct vgt_eu_thread *thread,
			 const struct vgt_message *message)
{
	return atomic_flat(thread, message,
			   OP_FLOAT + ((message->desc >> 8) & 7));
}
