// SPDX-License-Identifier: MIT
/* Commands of the command streamer itself: flow, registers, memory. */
#include "gt/attention.h"
#include "gt/command.h"
#include "gt/context.h"
#include "gt/device.h"
#include "gt/mmio.h"
#include "host/log.h"

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

int vgt_mi_batch_end(struct vgt_command_stream *stream)
{
	if (!stream->depth)
		return vgt_command_refuse(stream, "no batch to end");
	stream->depth--;
	return 0;
}

int vgt_mi_batch_start(struct vgt_command_stream *stream)
{
	/* Only a second-level start and one in the ring come back. */
	if (!stream->depth || (stream->dw[0] & BATCH_SECOND_LEVEL)) {
		if (stream->depth + 1 == VGT_COMMAND_LEVELS)
			return vgt_command_refuse(stream,
						  "batches nested too deep");
		stream->depth++;
	}
	stream->level[stream->depth].ip = vgt_command_address(stream, 1) & ~3ULL;
	stream->level[stream->depth].ggtt = !(stream->dw[0] & BATCH_PPGTT);
	return 0;
}

/* The selector that steers a driver's accesses does not concern the streamer. */
static void register_write(struct vgt_command_stream *stream, uint32_t offset,
			   uint32_t value)
{
	if (offset >= VGT_STEERED_FIRST && offset < VGT_STEERED_END)
		vgt_attention_steered_write(stream->device, offset, value,
					    VGT_SUBSLICES_ALL);
	else
		vgt_device_reg_write(stream->device, offset, value);
}

int vgt_mi_load_register_imm(struct vgt_command_stream *stream)
{
	for (uint32_t i = 1; i + 1 < stream->len; i += 2)
		register_write(stream, stream->dw[i] & REGISTER_MASK,
			       stream->dw[i + 1]);
	return 0;
}

int vgt_mi_load_register_reg(struct vgt_command_stream *stream)
{
	uint32_t value = vgt_device_reg_read(stream->device,
					     stream->dw[1] & REGISTER_MASK);

	register_write(stream, stream->dw[2] & REGISTER_MASK, value);
	return 0;
}

int vgt_mi_load_register_mem(struct vgt_command_stream *stream)
{
	uint32_t value;

	vgt_command_read(stream, vgt_command_address(stream, 2),
			 stream->dw[0] & USE_GGTT, &value, 4);
	register_write(stream, stream->dw[1] & REGISTER_MASK, value);
	return 0;
}

int vgt_mi_store_register_mem(struct vgt_command_stream *stream)
{
	uint32_t value = vgt_device_reg_read(stream->device,
					     stream->dw[1] & REGISTER_MASK);

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

	if (stream->len > 4)
		value |= (uint64_t)stream->dw[4] << 32;
	switch (FLUSH_POST_SYNC(stream->dw[0])) {
	case 0:
		return 0;
	case 3:
		value = vgt_mmio_timestamp();
		break;
	case 2:
		return vgt_command_refuse(stream, "reserved post-sync");
	}
	vgt_command_write(stream, va & ~7ULL, ggtt, &value, 8);
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
	struct vgt_mmio *file = stream->device->mmio;
	uint64_t alu[ALU_OPERANDS] = { 0 };

	for (uint32_t i = 0; i < 16; i++)
		alu[i] = vgt_mmio_get(file, VGT_CS_GPR + 8 * i) |
			 (uint64_t)vgt_mmio_get(file,
						VGT_CS_GPR + 8 * i + 4)
			 << 32;
	for (uint32_t i = 1; i < stream->len; i++)
		if (!alu_step(stream->dw[i], alu))
			return vgt_command_refuse(stream, "unknown operation");
	for (uint32_t i = 0; i < 16; i++) {
		vgt_mmio_set(file, VGT_CS_GPR + 8 * i, (uint32_t)alu[i]);
		vgt_mmio_set(file, VGT_CS_GPR + 8 * i + 4,
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

int vgt_mi_semaphore_wait(struct vgt_command_stream *stream)
{
	uint64_t va = vgt_command_address(stream, 2);
	uint32_t compare = SEMAPHORE_COMPARE(stream->dw[0]), value;
	struct timespec pause = { .tv_nsec = SEMAPHORE_WAIT_NS };
	int64_t start_ns = now_ns(), waited_ns, limit_ns;
	bool logged = false;

	if ((stream->dw[0] & SEMAPHORE_REGISTER) || compare > 5)
		return vgt_command_refuse(stream, "mode not supported");
	limit_ns = stream->device->options->watchdog_s * 1000000000LL;
	while (!atomic_load(&stream->device->dead)) {
		vgt_command_read(stream, va, stream->dw[0] & USE_GGTT, &value,
				 4);
		if (semaphore_holds(compare, value, stream->dw[1]))
			return 0;
		/* By the clock: a pause is longer than what was asked for. */
		waited_ns = now_ns() - start_ns;
		if (limit_ns && waited_ns > limit_ns)
			return vgt_command_refuse(stream,
						  "watchdog: nobody signals");
		if (!logged && waited_ns > SEMAPHORE_SLOW_NS) {
			logged = true;
			vgt_log(VGT_LOG_WARN,
				"device %u: a semaphore at 0x%llx holds up the command streamer",
				stream->device->number, (unsigned long long)va);
		}
		nanosleep(&pause, NULL);
	}
	return 0;
}
