// SPDX-License-Identifier: MIT
#include "port/block.h"

#include "eu/eu.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/message.h"
#include "port/scattered.h"
#include "port/space.h"
#include "port/surface.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define OWORD_BYTES 16

/* Dword 5 of a header: scratch space of the thread, in 1 KiB units. */
#define HEADER_SCRATCH_MASK 0xfffffc00U

static uint32_t header_dword(const struct vgt_message *message, uint32_t n)
{
	uint32_t value;

	memcpy(&value, vgt_message_grf(message, 0) + 4 * n, sizeof(value));
	return value;
}

struct block {
	uint32_t bytes;
	uint32_t in_grf; /* first byte within the first GRF */
};

/* Bits 10:8: one oword (low or high half of a GRF), 2, 4, 8 or 16 owords. */
static int block_size(struct vgt_eu_thread *thread,
		      const struct vgt_message *message, struct block *out)
{
	uint32_t code = (message->desc >> 8) & 7;

	if (code > 5 || !(message->desc & VGT_MESSAGE_HEADER)) {
		vgt_eu_fail(thread, "block message 0x%x: size or no header",
			    message->desc);
		return -ENOSYS;
	}
	out->bytes = code < 2 ? OWORD_BYTES : OWORD_BYTES << (code - 1);
	out->in_grf = code == 1 ? OWORD_BYTES : 0;
	return 0;
}

static uint32_t block_grfs(const struct block *block)
{
	return (block->bytes + VGT_GRF_BYTES - 1) / VGT_GRF_BYTES;
}

/* The data may lie in both sources: GRF by GRF, unless they are in one. */
static void block_store(struct vgt_space *space, uint64_t offset,
			const struct vgt_message *message,
			const struct block *block)
{
	const uint8_t *data = vgt_message_grf(message, 1);
	uint32_t step = VGT_GRF_BYTES;

	if (message->mlen == 1) {
		vgt_space_write_run(space, offset, data + block->in_grf,
				    block->bytes);
		return;
	}
	for (uint32_t done = 0; done < block->bytes; done += step) {
		data = vgt_message_grf(message, 1 + done / VGT_GRF_BYTES);
		if (step > block->bytes - done)
			step = block->bytes - done;
		vgt_space_write_run(space, offset + done, data + block->in_grf,
				    step);
	}
}

static int block_read(struct vgt_eu_thread *thread,
		      const struct vgt_message *message,
		      const struct block *block, struct vgt_space *space,
		      uint64_t offset)
{
	uint8_t lost[16 * OWORD_BYTES + OWORD_BYTES];
	uint8_t *to = message->dst ? message->dst : lost;
	int ret;

	ret = vgt_message_need(thread, message, 1, block_grfs(block));
	if (ret)
		return ret;
	vgt_space_read_run(space, offset, to + block->in_grf, block->bytes);
	return vgt_space_close(space);
}

static int block_write(struct vgt_eu_thread *thread,
		       const struct vgt_message *message,
		       const struct block *block, struct vgt_space *space,
		       uint64_t offset)
{
	struct block sent = *block;
	uint32_t grfs = message->mlen + message->exlen;
	int ret;

	ret = vgt_message_need(thread, message, 2, 0);
	if (ret)
		return ret;
	/* Intel's system routine sends one GRF less than it announces. */
	if (grfs - 1 < block_grfs(block))
		sent.bytes = (grfs - 1) * VGT_GRF_BYTES;
	block_store(space, offset, message, &sent);
	return vgt_space_close(space);
}

/*
 * Dword 2 of the header counts owords, or bytes in the unaligned form.
 * Stateless accesses are relative to the thread's scratch space.
 */
static int oword_open(struct vgt_eu_thread *thread,
		      const struct vgt_message *message,
		      enum vgt_access access, struct vgt_space *space,
		      uint64_t *offset_out)
{
	uint32_t bti = message->desc & 0xff;
	bool in_bytes = ((message->desc >> 14) & 31) == 1;
	int ret;

	ret = vgt_space_table(space, thread, message, access);
	if (ret)
		return ret;
	*offset_out = header_dword(message, 2);
	if (!in_bytes)
		*offset_out *= OWORD_BYTES;
	if (bti == VGT_BTI_STATELESS || bti == VGT_BTI_STATELESS_NC)
		*offset_out += header_dword(message, 5) & HEADER_SCRATCH_MASK;
	return 0;
}

static int block_move(struct vgt_eu_thread *thread,
		      const struct vgt_message *message,
		      const struct block *block, struct vgt_space *space,
		      uint64_t offset)
{
	if (space->access == VGT_ACCESS_WRITE)
		return block_write(thread, message, block, space, offset);
	return block_read(thread, message, block, space, offset);
}

static int oword_move(struct vgt_eu_thread *thread,
		      const struct vgt_message *message,
		      enum vgt_access access)
{
	struct vgt_space space;
	struct block block;
	uint64_t offset;
	int ret;

	ret = block_size(thread, message, &block);
	if (ret)
		return ret;
	ret = oword_open(thread, message, access, &space, &offset);
	if (ret)
		return ret;
	return block_move(thread, message, &block, &space, offset);
}

int vgt_block_oword_read(struct vgt_eu_thread *thread,
			 const struct vgt_message *message)
{
	return oword_move(thread, message, VGT_ACCESS_READ);
}

int vgt_block_oword_write(struct vgt_eu_thread *thread,
			  const struct vgt_message *message)
{
	return oword_move(thread, message, VGT_ACCESS_WRITE);
}

static uint64_t a64_address(const struct vgt_message *message)
{
	return (header_dword(message, 0) |
		(uint64_t)header_dword(message, 1) << 32) & VGT_SPACE_VA_MASK;
}

/* Bits 12:11 only say how the address is aligned: any will do. */
static int a64_move(struct vgt_eu_thread *thread,
		    const struct vgt_message *message, enum vgt_access access)
{
	struct vgt_space space;
	struct block block;
	int ret;

	ret = block_size(thread, message, &block);
	if (ret)
		return ret;
	vgt_space_flat(&space, thread, access);
	return block_move(thread, message, &block, &space,
			  a64_address(message));
}

int vgt_block_a64_read(struct vgt_eu_thread *thread,
		       const struct vgt_message *message)
{
	return a64_move(thread, message, VGT_ACCESS_READ);
}

int vgt_block_a64_write(struct vgt_eu_thread *thread,
			const struct vgt_message *message)
{
	return a64_move(thread, message, VGT_ACCESS_WRITE);
}

/* In channel mode a lane stands for its dword of each GRF pair or GRF. */
static void scratch_write_lanes(struct vgt_space *space, uint64_t offset,
				const struct vgt_message *message,
				uint32_t bytes)
{
	uint32_t lanes = message->exec_size < 8 ? 8 : message->exec_size;

	for (uint32_t d = 0; d < bytes / 4; d++) {
		const uint8_t *data = vgt_message_grf(message, 1 + d / 8);

		if (message->lanes & (1U << (d % lanes)))
			vgt_space_write(space, offset + 4 * d,
					data + d % 8 * 4, 4);
	}
}

/*
 * Bit 17 write, bit 16 channel mode, bits 13:12 log2 of the GRFs, bits 11:0
 * offset in GRFs from the thread's scratch space.
 */
int vgt_block_scratch(struct vgt_eu_thread *thread,
		      const struct vgt_message *message)
{
	struct block block = {
		.bytes = VGT_GRF_BYTES << ((message->desc >> 12) & 3),
	};
	bool write = message->desc & (1U << 17);
	bool channels = message->desc & (1U << 16);
	struct vgt_space space;
	uint64_t offset;
	int ret;

	ret = vgt_message_need(thread, message, 1, 0);
	if (ret)
		return ret;
	vgt_space_flat(&space, thread,
		       write ? VGT_ACCESS_WRITE : VGT_ACCESS_READ);
	space.base = thread->group->walker->state.general_base;
	offset = header_dword(message, 5) & HEADER_SCRATCH_MASK;
	offset += (uint64_t)(message->desc & 0xfff) * VGT_GRF_BYTES;
	if (!write)
		return block_read(thread, message, &block, &space, offset);
	if (!channels)
		return block_write(thread, message, &block, &space, offset);
	ret = vgt_message_need(thread, message, 1 + block_grfs(&block), 0);
	if (ret)
		return ret;
	scratch_write_lanes(&space, offset, message, block.bytes);
	return vgt_space_close(&space);
}
