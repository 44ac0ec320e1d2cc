// SPDX-License-Identifier: MIT
/* Commands that set up the compute pipeline, and PIPE_CONTROL. */
#include "gt/command.h"
#include "gt/context.h"
#include "gt/device.h"
#include "gt/mmio.h"

#define BASE_MODIFY (1U << 0)
#define BASE_MASK 0xfffffffff000ULL

#define CONTROL_INVALIDATE_CODE (1U << 11)
#define CONTROL_POST_SYNC(dw) ((dw) >> 14 & 3)
#define CONTROL_GGTT (1U << 24)
#define CONTROL_STORE_INDEX (1U << 21)
#define CONTROL_INVALIDATE_TLB (1U << 18)
#define INDEX_MASK 0xffcU

enum {
	POST_SYNC_NONE = 0,
	POST_SYNC_IMMEDIATE = 1,
	POST_SYNC_DEPTH_COUNT = 2,
	POST_SYNC_TIMESTAMP = 3,
};

int vgt_pipeline_nop(struct vgt_command_stream *stream)
{
	(void)stream;
	return 0;
}

int vgt_pipeline_control(struct vgt_command_stream *stream)
{
	uint64_t va = vgt_command_address(stream, 2) & ~3ULL, value;
	uint32_t flags = stream->dw[1];
	bool ggtt = flags & CONTROL_GGTT;

	/* Walkers are complete before the next command is fetched. */
	if (flags & CONTROL_INVALIDATE_TLB)
		vgt_device_remapped(stream->device);
	else if (flags & CONTROL_INVALIDATE_CODE)
		vgt_icache_invalidate(stream->device->icache);
	switch (CONTROL_POST_SYNC(flags)) {
	case POST_SYNC_NONE:
		return 0;
	case POST_SYNC_IMMEDIATE:
		value = stream->dw[4] | (uint64_t)stream->dw[5] << 32;
		break;
	case POST_SYNC_TIMESTAMP:
		value = vgt_mmio_timestamp();
		break;
	default:
		return vgt_command_refuse(stream, "depth count not supported");
	}
	if (flags & CONTROL_STORE_INDEX) {
		ggtt = true;
		va = stream->context->lrca + (va & INDEX_MASK);
	}
	vgt_command_write(stream, va, ggtt, &value, 8);
	return 0;
}

static void base_set(const struct vgt_command_stream *stream, uint32_t index,
		     uint64_t *base)
{
	if (stream->dw[index] & BASE_MODIFY)
		*base = vgt_command_address(stream, index) & BASE_MASK;
}

int vgt_pipeline_base_address(struct vgt_command_stream *stream)
{
	struct vgt_state *state = &stream->context->state;

	base_set(stream, 1, &state->general_base);
	base_set(stream, 4, &state->surface_base);
	base_set(stream, 6, &state->dynamic_base);
	base_set(stream, 8, &state->indirect_base);
	base_set(stream, 10, &state->instruction_base);
	base_set(stream, 16, &state->bindless_base);
	return 0;
}

int vgt_pipeline_sip(struct vgt_command_stream *stream)
{
	struct vgt_state *state = &stream->context->state;

	/* May point anywhere: it is looked at when an exception comes. */
	state->sip = vgt_command_address(stream, 1) & ~15ULL;
	state->sip_valid = true;
	return 0;
}

int vgt_pipeline_vfe(struct vgt_command_stream *stream)
{
	struct vgt_state *state = &stream->context->state;

	state->scratch_base = (stream->dw[1] & ~0x3ffU) |
			      (uint64_t)(stream->dw[2] & 0xffff) << 32;
	state->scratch_code = stream->dw[1] & 0xf;
	state->fused_off = stream->dw[3] & (1U << 6);
	return 0;
}

int vgt_pipeline_descriptor_load(struct vgt_command_stream *stream)
{
	stream->context->state.idd_offset = stream->dw[3];
	return 0;
}
