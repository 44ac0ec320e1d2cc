// SPDX-License-Identifier: MIT
/* Commands of the command streamer itself: flow, registers, memory. */
#include "gt/attention.h"
#include "gt/command.h"
#include "gt/context.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/engine.h"
#include "gt/interrupt.h"
#include "gt/mmio.h"
#include "host/log.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define BATCH_PPGTT (1U << 8)
#define BATCH_SECOND_LEVEL (1U << 22)
#define USE_GGTT (1U << 22)
#define STORE_QWORD (1U << 21)
#define REGISTER_MASK 0x7ffffcU

#define SEMAPHORE_COMPARE(dw) ((dw) >> 12 & 7)
#define SEMAPHORE_REGISTER (1U << 16)
#define SEMAPHORE_WAIT_NS 50000
#define SEMAPHORE_SLOW_NS 10000000000LL

#define FLUSH_POST_SYNC(dw) ((dw) >> 14 & 3)
#define FLUSH_INVALIDATE_TLB (1U << 18)
#define FLUSH_STORE_INDEX (1U << 21)
#define INDEX_MASK 0xff8U

#define ARB_ENABLE (1U << 0)
#define ADD_ENGINE_BASE (1U << 19) /* of register loads and stores */
#define ADD_ENGINE_BASE_FROM (1U << 18) /* of the register that is copied */

int vgt_mi_arb_check(struct vgt_command_stream *stream)
{
	return vgt_command_preempted(stream) ? -EAGAIN : 0;
}

int vgt_mi_arb_on_off(struct vgt_command_stream *stream)
{
	if (!stream->depth)
		stream->context->arbitration = stream->dw[0] & ARB_ENABLE;
	return 0;
}

int vgt_mi_user_interrupt(struct vgt_command_stream *stream)
{
	vgt_interrupt_raise(stream->engine, VGT_INTERRUPT_USER);
	return 0;
}

int vgt_mi_batch_end(struct vgt_command_stream *stream)
{
	if (!stream->depth)
		return vgt_command_refuse(stream, "no batch to end");
	stream->depth--;
	return 0;
}

/* A program's batch starts others in its own address space alone. */
int vgt_mi_batch_start(struct vgt_command_stream *stream)
{
	bool ggtt = !(stream->dw[0] & BATCH_PPGTT) &&
		    vgt_command_privileged(stream);

	if (vgt_command_preempted(stream))
		return vgt_command_again(stream);
	/* Only a second-level start and one in the ring come back. */
	if (!stream->depth || (stream->dw[0] & BATCH_SECOND_LEVEL)) {
		if (stream->depth + 1 == VGT_LEVELS)
			return vgt_command_refuse(stream,
						  "batches nested too deep");
		stream->depth++;
	}
	stream->level[stream->depth].ip = vgt_command_address(stream, 1) & ~3ULL;
	stream->level[stream->depth].ggtt = ggtt;
	return 0;
}

/* What a program's own batch may write, beside registers of its streamer. */
static bool register_allowed(const struct vgt_command_stream *stream,
			     uint32_t offset)
{
	static const uint32_t shared[] = { VGT_CS_DEBUG_MODE2, VGT_TD_CTL };
	static const struct {
		uint32_t first, bytes;
	} own[] = {
		{ VGT_ENGINE_PREDICATE, 0x20 },
		{ VGT_ENGINE_DISPATCH, 12 },
		{ VGT_ENGINE_CS_CHICKEN, 4 },
		{ VGT_ENGINE_GPR, 16 * 8 },
	};
	uint32_t relative = offset - stream->engine->kind->base;

	if (vgt_command_privileged(stream))
		return true;
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		if (offset == shared[i])
			return true;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (relative - own[i].first < own[i].bytes)
			return true;
	return false;
}

/*
 * The selector that steers a driver's accesses does not concern the streamer. Under
 * a driver it neither submits nor resets: that is MMIO's.
 */
static void register_write(struct vgt_command_stream *stream, uint32_t offset,
			   uint32_t value)
{
	if (!register_allowed(stream, offset))
		return;
	if (offset >= VGT_STEERED_FIRST && offset < VGT_STEERED_END)
		vgt_attention_steered_write(stream->device, offset, value,
					    VGT_SUBSLICES_ALL);
	else if (!stream->engine->list)
		vgt_device_reg_write(stream->device, offset, value);
	else
		vgt_device_reg_store(stream->device, offset, value);
}

/* The register that dword @index of the command names; @flag: relative to the engine. */
static uint32_t register_named(const struct vgt_command_stream *stream,
			       uint32_t index, uint32_t flag)
{
	uint32_t offset = stream->dw[index] & REGISTER_MASK;

	if (stream->dw[0] & flag)
		offset = stream->engine->kind->base +
			 offset % VGT_ENGINE_BYTES;
	return offset;
}

static uint32_t register_at(const struct vgt_command_stream *stream,
			    uint32_t index)
{
	return register_named(stream, index, ADD_ENGINE_BASE);
}

int vgt_mi_load_register_imm(struct vgt_command_stream *stream)
{
	for (uint32_t i = 1; i + 1 < stream->len; i += 2)
		register_write(stream, register_at(stream, i),
			       stream->dw[i + 1]);
	return 0;
}

int vgt_mi_load_register_reg(struct vgt_command_stream *stream)
{
	uint32_t from = register_named(stream, 1, ADD_ENGINE_BASE_FROM);

	register_write(stream, register_at(stream, 2),
		       vgt_device_reg_read(stream->device, from));
	return 0;
}

int vgt_mi_load_register_mem(struct vgt_command_stream *stream)
{
	uint32_t value;

	vgt_command_read(stream, vgt_command_address(stream, 2),
			 stream->dw[0] & USE_GGTT, &value, 4);
	register_write(stream, register_at(stream, 1), value);
	return 0;
}

int vgt_mi_store_register_mem(struct vgt_command_stream *stream)
{
	uint32_t value = vgt_device_reg_read(stream->device,
					     register_at(stream, 1));

	vgt_command_write(stream, vgt_command_address(stream, 2),
			  stream->dw[0] & USE_GGTT, &value, 4);
	return 0;
}

int vgt_mi_store_data_imm(struct vgt_command_stream *stream)
{
	size_t len_bytes = stream->dw[0] & STORE_QWORD ? 8 : 4;

	if (stream->len != 3 + len_bytes / 4)
		return vgt_command_refuse(stream, "length not supported");
	vgt_command_write(stream, vgt_command_address(stream, 1),
			  stream->dw[0] & USE_GGTT, &stream->dw[3], len_bytes);
	return 0;
}

int vgt_mi_flush_dw(struct vgt_command_stream *stream)
{
	uint64_t va = vgt_command_address(stream, 1);
	bool ggtt = stream->dw[1] & (1U << 2);
	uint64_t value = stream->dw[3];
	size_t len_bytes = 8;

	if (stream->dw[0] & FLUSH_INVALIDATE_TLB)
		vgt_device_remapped(stream->device);
	if (stream->dw[0] & FLUSH_STORE_INDEX) {
		ggtt = true;
		va = stream->context->lrca + (va & INDEX_MASK);
	}
	switch (FLUSH_POST_SYNC(stream->dw[0])) {
	case 0:
		return 0;
	case 3:
		value = vgt_mmio_timestamp();
		break;
	case 2:
		return vgt_command_refuse(stream, "reserved post-sync");
	default:
		if (stream->len > 4)
			value |= (uint64_t)stream->dw[4] << 32;
		else
			len_bytes = 4;
	}
	vgt_command_write(stream, va & ~7ULL, ggtt, &value, len_bytes);
	return 0;
}

/* The ALU of MI_MATH: operands are registers 0 to 15, or one of these. */
enum {
	ALU_SRCA = 0x20,
	ALU_SRCB = 0x21,
	ALU_ACCU = 0x31,
	ALU_ZF = 0x32,
	ALU_CF = 0x33,
	ALU_OPERANDS = 0x40,
};

enum {
	ALU_NOOP = 0x000,
	ALU_LOAD = 0x080,
	ALU_LOADINV = 0x480,
	ALU_LOAD0 = 0x081,
	ALU_LOAD1 = 0x481,
	ALU_ADD = 0x100,
	ALU_SUB = 0x101,
	ALU_AND = 0x102,
	ALU_OR = 0x103,
	ALU_XOR = 0x104,
	ALU_STORE = 0x180,
	ALU_STOREINV = 0x580,
};

static bool alu_compute(uint32_t opcode, uint64_t alu[ALU_OPERANDS])
{
	uint64_t a = alu[ALU_SRCA], b = alu[ALU_SRCB], result;
	bool carry = false;

	switch (opcode) {
	case ALU_ADD:
		carry = __builtin_add_overflow(a, b, &result);
		break;
	case ALU_SUB:
		carry = __builtin_sub_overflow(a, b, &result);
		break;
	case ALU_AND:
		result = a & b;
		break;
	case ALU_OR:
		result = a | b;
		break;
	case ALU_XOR:
		result = a ^ b;
		break;
	default:
		return false;
	}
	alu[ALU_ACCU] = result;
	alu[ALU_ZF] = result ? 0 : UINT64_MAX;
	alu[ALU_CF] = carry ? UINT64_MAX : 0;
	return true;
}

static bool alu_step(uint32_t word, uint64_t alu[ALU_OPERANDS])
{
	uint32_t to = word >> 10 & (ALU_OPERANDS - 1);
	uint32_t from = word & (ALU_OPERANDS - 1);

	switch (word >> 20) {
	case ALU_NOOP:
		return true;
	case ALU_LOAD:
	case ALU_STORE:
		alu[to] = alu[from];
		return true;
	case ALU_LOADINV:
	case ALU_STOREINV:
		alu[to] = ~alu[from];
		return true;
	case ALU_LOAD0:
		alu[to] = 0;
		return true;
	case ALU_LOAD1:
		alu[to] = UINT64_MAX;
		return true;
	default:
		return alu_compute(word >> 20, alu);
	}
}

int vgt_mi_math(struct vgt_command_stream *stream)
{
	const struct vgt_engine *engine = stream->engine;
	uint64_t alu[ALU_OPERANDS] = { 0 };
	uint32_t gpr = VGT_ENGINE_GPR;

	for (uint32_t i = 0; i < 16; i++)
		alu[i] = vgt_engine_get(engine, gpr + 8 * i) |
			 (uint64_t)vgt_engine_get(engine, gpr + 8 * i + 4)
			 << 32;
	for (uint32_t i = 1; i < stream->len; i++)
		if (!alu_step(stream->dw[i], alu))
			return vgt_command_refuse(stream, "unknown operation");
	for (uint32_t i = 0; i < 16; i++) {
		vgt_engine_set(engine, gpr + 8 * i, (uint32_t)alu[i]);
		vgt_engine_set(engine, gpr + 8 * i + 4,
			       (uint32_t)(alu[i] >> 32));
	}
	return 0;
}

static bool semaphore_holds(uint32_t compare, uint32_t memory, uint32_t imm)
{
	switch (compare) {
	case 0:
		return memory > imm;
	case 1:
		return memory >= imm;
	case 2:
		return memory < imm;
	case 3:
		return memory <= imm;
	case 4:
		return memory == imm;
	default:
		return memory != imm;
	}
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static uint32_t semaphore_value(struct vgt_command_stream *stream)
{
	uint32_t value;

	if (stream->dw[0] & SEMAPHORE_REGISTER)
		return vgt_device_reg_read(stream->device,
					   stream->dw[2] & REGISTER_MASK);
	vgt_command_read(stream, vgt_command_address(stream, 2),
			 stream->dw[0] & USE_GGTT, &value, 4);
	return value;
}

/* For the watchdog and the log. Under a driver waiting is the driver's matter. */
static int semaphore_patience(struct vgt_command_stream *stream,
			      int64_t start_ns, bool *logged)
{
	struct vgt_device *device = stream->device;
	int64_t limit_ns = device->options->watchdog_s * 1000000000LL;
	/* By the clock: a pause is longer than what was asked for. */
	int64_t waited_ns = now_ns() - start_ns;

	if (limit_ns && waited_ns > limit_ns)
		return vgt_command_refuse(stream, "watchdog: nobody signals");
	if (*logged || waited_ns <= SEMAPHORE_SLOW_NS)
		return 0;
	*logged = true;
	vgt_log(VGT_LOG_WARN,
		"device %u: a semaphore at 0x%llx holds up the command streamer",
		device->number,
		(unsigned long long)vgt_command_address(stream, 2));
	return 0;
}

int vgt_mi_semaphore_wait(struct vgt_command_stream *stream)
{
	uint32_t compare = SEMAPHORE_COMPARE(stream->dw[0]);
	struct timespec pause = { .tv_nsec = SEMAPHORE_WAIT_NS };
	int64_t start_ns = now_ns();
	bool logged = false;
	int ret = 0;

	if (compare > 5)
		return vgt_command_refuse(stream, "mode not supported");
	while (!ret && !vgt_engine_stopped(stream->engine)) {
		if (semaphore_holds(compare, semaphore_value(stream),
				    stream->dw[1]))
			return 0;
		if (vgt_command_preempted(stream))
			return vgt_command_again(stream);
		ret = semaphore_patience(stream, start_ns, &logged);
		nanosleep(&pause, NULL);
	}
	return ret ? ret : -ECANCELED;
}
