// SPDX-License-Identifier: MIT
#include "gt/command.h"

#include "gt/context.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/engine.h"
#include "gt/execlist.h"
#include "gt/ggtt.h"
#include "host/log.h"

#include <errno.h>
#include <string.h>

/* A submission of more commands than this is a loop. */
#define COMMANDS_MAX (1ULL << 22)

#define TYPE(dw) ((dw) >> 29)
#define TYPE_MI 0
#define TYPE_BLITTER 2
#define TYPE_PIPELINE 3

#define MI(opcode) ((uint32_t)(opcode) << 23)
#define MI_MASK 0xff800000U
#define PIPELINE(subtype, opcode, subop) \
	(3U << 29 | (subtype) << 27 | (opcode) << 24 | (subop) << 16)
#define PIPELINE_MASK 0xffff0000U
#define BLITTER(opcode) (2U << 29 | (uint32_t)(opcode) << 22)
#define BLITTER_MASK 0xffc00000U

/* Commands that order or flush: everything here is in order and coherent. */
static const struct command {
	uint32_t mask, value;
	uint32_t dwords; /* at least; dw[] holds that many */
	const char *name;
	vgt_command_fn run;
} commands[] = {
	{ MI_MASK, MI(0x00), 1, "MI_NOOP", vgt_pipeline_nop },
	{ MI_MASK, MI(0x02), 1, "MI_USER_INTERRUPT", vgt_mi_user_interrupt },
	{ MI_MASK, MI(0x05), 1, "MI_ARB_CHECK", vgt_mi_arb_check },
	{ MI_MASK, MI(0x08), 1, "MI_ARB_ON_OFF", vgt_mi_arb_on_off },
	{ MI_MASK, MI(0x0a), 1, "MI_BATCH_BUFFER_END", vgt_mi_batch_end },
	{ MI_MASK, MI(0x1a), 1, "MI_MATH", vgt_mi_math },
	{ MI_MASK, MI(0x1c), 4, "MI_SEMAPHORE_WAIT", vgt_mi_semaphore_wait },
	{ MI_MASK, MI(0x20), 4, "MI_STORE_DATA_IMM", vgt_mi_store_data_imm },
	{ MI_MASK, MI(0x22), 1, "MI_LOAD_REGISTER_IMM",
	  vgt_mi_load_register_imm },
	{ MI_MASK, MI(0x24), 4, "MI_STORE_REGISTER_MEM",
	  vgt_mi_store_register_mem },
	{ MI_MASK, MI(0x26), 4, "MI_FLUSH_DW", vgt_mi_flush_dw },
	{ MI_MASK, MI(0x28), 1, "MI_REPORT_PERF_COUNT", NULL },
	{ MI_MASK, MI(0x29), 4, "MI_LOAD_REGISTER_MEM",
	  vgt_mi_load_register_mem },
	{ MI_MASK, MI(0x2a), 3, "MI_LOAD_REGISTER_REG",
	  vgt_mi_load_register_reg },
	{ MI_MASK, MI(0x2f), 1, "MI_ATOMIC", NULL },
	{ MI_MASK, MI(0x31), 3, "MI_BATCH_BUFFER_START", vgt_mi_batch_start },
	{ BLITTER_MASK, BLITTER(0x42), 10, "XY_FAST_COPY_BLT",
	  vgt_blit_fast_copy },
	{ BLITTER_MASK, BLITTER(0x50), 7, "XY_COLOR_BLT", vgt_blit_fill },
	{ BLITTER_MASK, BLITTER(0x53), 10, "XY_SRC_COPY_BLT", vgt_blit_copy },
	{ PIPELINE_MASK, PIPELINE(0, 1, 1), 22, "STATE_BASE_ADDRESS",
	  vgt_pipeline_base_address },
	{ PIPELINE_MASK, PIPELINE(0, 1, 2), 3, "STATE_SIP", vgt_pipeline_sip },
	{ PIPELINE_MASK, PIPELINE(0, 1, 4), 3, "GPGPU_CSR_BASE_ADDRESS",
	  vgt_pipeline_nop },
	{ PIPELINE_MASK, PIPELINE(0, 1, 5), 2, "STATE_COMPUTE_MODE",
	  vgt_pipeline_nop },
	{ PIPELINE_MASK, PIPELINE(1, 1, 4), 1, "PIPELINE_SELECT",
	  vgt_pipeline_nop },
	{ PIPELINE_MASK, PIPELINE(2, 0, 0), 9, "MEDIA_VFE_STATE",
	  vgt_pipeline_vfe },
	{ PIPELINE_MASK, PIPELINE(2, 0, 1), 4, "MEDIA_CURBE_LOAD", NULL },
	{ PIPELINE_MASK, PIPELINE(2, 0, 2), 4,
	  "MEDIA_INTERFACE_DESCRIPTOR_LOAD", vgt_pipeline_descriptor_load },
	{ PIPELINE_MASK, PIPELINE(2, 0, 4), 2, "MEDIA_STATE_FLUSH",
	  vgt_pipeline_nop },
	{ PIPELINE_MASK, PIPELINE(2, 1, 5), 15, "GPGPU_WALKER",
	  vgt_walker_command },
	{ PIPELINE_MASK, PIPELINE(3, 2, 0), 6, "PIPE_CONTROL",
	  vgt_pipeline_control },
};

static const struct command *command_find(uint32_t dw)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if ((dw & commands[i].mask) == commands[i].value)
			return &commands[i];
	return NULL;
}

static uint32_t mi_length(uint32_t dw)
{
	uint32_t opcode = dw >> 23 & 0x3f;

	if (opcode < 0x10)
		return 1;
	if (opcode == 0x26)
		return (dw & 0x3f) + 2;
	if (opcode == 0x20)
		return (dw & 0x3ff) + 2;
	return (dw & 0xff) + 2;
}

static uint32_t pipeline_length(uint32_t dw)
{
	uint32_t subtype = dw >> 27 & 3, opcode = dw >> 24 & 7;

	if (subtype == 1 && opcode == 1)
		return 1;
	if (subtype == 2 && opcode != 1)
		return (dw & 0xffff) + 2;
	return (dw & 0xff) + 2;
}

static uint32_t command_length(uint32_t dw)
{
	switch (TYPE(dw)) {
	case TYPE_MI:
		return mi_length(dw);
	case TYPE_BLITTER:
		return (dw & 0xff) + 2;
	default:
		return pipeline_length(dw);
	}
}

/* Who has the hardware for it? */
static bool is_of_engine(const struct vgt_command_stream *stream)
{
	switch (TYPE(stream->dw[0])) {
	case TYPE_BLITTER:
		return vgt_engine_is_copy(stream->engine);
	case TYPE_PIPELINE:
		return vgt_engine_is_render(stream->engine);
	default:
		return true;
	}
}

/* Host address of GPU memory up to the end of a page, or NULL: reported. */
static uint8_t *host(struct vgt_command_stream *stream, uint64_t va, bool ggtt,
		     enum vgt_access access)
{
	uint8_t *at;

	if (ggtt)
		at = va >> 32 || !vgt_command_privileged(stream) ? NULL :
		     vgt_ggtt_host(&stream->device->memory, (uint32_t)va);
	else
		at = vgt_tlb_host(&stream->worker->tlb, va, access);
	if (!at)
		vgt_device_fault(stream->device, NULL, va, access);
	return at;
}

static size_t page_rest(uint64_t va, size_t len_bytes)
{
	size_t n = VGT_PAGE_BYTES - va % VGT_PAGE_BYTES;

	return n < len_bytes ? n : len_bytes;
}

void vgt_command_read(struct vgt_command_stream *stream, uint64_t va,
		      bool ggtt, void *out, size_t len_bytes)
{
	uint8_t *to = out, *at;
	size_t n;

	for (; len_bytes; len_bytes -= n, va += n, to += n) {
		n = page_rest(va, len_bytes);
		at = host(stream, va, ggtt, VGT_ACCESS_READ);
		if (at)
			memcpy(to, at, n);
		else
			memset(to, 0, n);
	}
}

void vgt_command_write(struct vgt_command_stream *stream, uint64_t va,
		       bool ggtt, const void *data, size_t len_bytes)
{
	const uint8_t *from = data;
	uint8_t *at;
	size_t n;

	for (; len_bytes; len_bytes -= n, va += n, from += n) {
		n = page_rest(va, len_bytes);
		at = host(stream, va, ggtt, VGT_ACCESS_WRITE);
		if (!at)
			continue;
		memcpy(at, from, n);
		vgt_device_written(stream->device,
				   at - stream->device->memory.base);
	}
}

uint64_t vgt_command_address(const struct vgt_command_stream *stream,
			     uint32_t index)
{
	return (stream->dw[index] |
		(uint64_t)stream->dw[index + 1] << 32) & VGT_VA_MASK;
}

int vgt_command_refuse(struct vgt_command_stream *stream, const char *why)
{
	const struct command *command = command_find(stream->dw[0]);

	vgt_engine_fail(stream->engine, "%s 0x%llx: %s %08x: %s",
			stream->depth ? "batch buffer" : "ring",
			(unsigned long long)stream->at,
			command ? command->name : "command", stream->dw[0],
			why);
	return -ENOTSUP;
}

/* A dword at @ip, without the report of a fault: a failed fetch is an error. */
static int fetch(struct vgt_command_stream *stream, uint64_t ip, uint32_t *out)
{
	struct vgt_context *context = stream->context;
	const uint8_t *at;

	if (!stream->depth)
		at = vgt_ggtt_host(&stream->device->memory,
				   context->ring_start +
				   ip % context->ring_bytes);
	else if (stream->level[stream->depth].ggtt)
		at = ip >> 32 ? NULL :
		     vgt_ggtt_host(&stream->device->memory, (uint32_t)ip);
	else
		at = vgt_tlb_host(&stream->worker->tlb, ip, VGT_ACCESS_READ);
	if (!at) {
		vgt_engine_fail(stream->engine, "%s 0x%llx: not mapped",
				stream->depth ? "batch buffer" : "ring",
				(unsigned long long)ip);
		return -EFAULT;
	}
	*out = __atomic_load_n((const uint32_t *)at, __ATOMIC_RELAXED);
	return 0;
}

/* Fetch the next command and step over it. */
static int fetch_command(struct vgt_command_stream *stream)
{
	uint64_t *ip = &stream->level[stream->depth].ip;
	int ret;

	stream->at = *ip;
	ret = fetch(stream, *ip, &stream->dw[0]);
	if (ret)
		return ret;
	stream->len = command_length(stream->dw[0]);
	for (uint32_t i = 1; i < stream->len && i < VGT_COMMAND_DWORDS; i++) {
		ret = fetch(stream, *ip + 4ULL * i, &stream->dw[i]);
		if (ret)
			return ret;
	}
	*ip += 4ULL * stream->len;
	if (!stream->depth)
		*ip %= stream->context->ring_bytes;
	return 0;
}

static int execute(struct vgt_command_stream *stream)
{
	const struct command *command = command_find(stream->dw[0]);

	if (!command || !command->run)
		return vgt_command_refuse(stream, "not implemented");
	if (stream->len < command->dwords)
		return vgt_command_refuse(stream, "too short");
	if (!is_of_engine(stream))
		return vgt_command_refuse(stream, "not on this engine");
	if (stream->depth && vgt_engine_is_render(stream->engine))
		vgt_driver_position(stream->device, stream->level[0].ip,
				    stream->at);
	/* A driver ends what does not end. */
	if (!stream->engine->list && ++stream->executed > COMMANDS_MAX)
		return vgt_command_refuse(stream, "commands without end");
	return command->run(stream);
}

bool vgt_command_privileged(const struct vgt_command_stream *stream)
{
	return !stream->engine->list || !stream->depth ||
	       stream->level[stream->depth].ggtt;
}

/* Only the render engine's image has room for a place in a batch. */
bool vgt_command_preempted(const struct vgt_command_stream *stream)
{
	return (!stream->depth || vgt_engine_is_render(stream->engine)) &&
	       stream->context->arbitration &&
	       atomic_load(&stream->engine->preempt);
}

int vgt_command_again(struct vgt_command_stream *stream)
{
	stream->level[stream->depth].ip = stream->at;
	return -EAGAIN;
}

static void position_load(struct vgt_command_stream *stream)
{
	struct vgt_context *context = stream->context;

	memcpy(stream->level, context->position.level, sizeof(stream->level));
	stream->depth = context->position.depth;
	stream->level[0].ip = context->ring_head;
}

static void position_save(const struct vgt_command_stream *stream, bool goes_on)
{
	struct vgt_context *context = stream->context;

	context->ring_head = stream->level[0].ip;
	memcpy(context->position.level, stream->level, sizeof(stream->level));
	context->position.depth = goes_on ? stream->depth : 0;
}

static int step(struct vgt_command_stream *stream)
{
	int ret;

	vgt_tlb_use(&stream->worker->tlb, &stream->context->ppgtt,
		    atomic_load(&stream->device->generation));
	if (vgt_engine_stopped(stream->engine))
		return -ECANCELED;
	ret = fetch_command(stream);
	return ret ? ret : execute(stream);
}

/* A batch of the driver's: @bytes of it, or (0) up to its end. */
static int workaround(struct vgt_command_stream *stream, uint32_t first,
		      uint32_t bytes)
{
	uint64_t end = (uint64_t)first + bytes;
	int ret = 0;

	stream->depth = 1;
	stream->level[1] = (struct vgt_level){ .ip = first, .ggtt = true };
	while (!ret && stream->depth &&
	       (!bytes || stream->depth > 1 || stream->level[1].ip < end))
		ret = step(stream);
	return ret;
}

/* A part of the context's restore, in which nobody else gets the engine. */
static int workarounds(struct vgt_command_stream *stream)
{
	struct vgt_context *context = stream->context;
	int ret = 0;

	if (!stream->engine->list)
		return 0;
	stream->level[0].ip = context->ring_head;
	context->arbitration = false;
	if (context->indirect_bytes)
		ret = workaround(stream, context->indirect,
				 context->indirect_bytes);
	if (!ret && context->per_context)
		ret = workaround(stream, context->per_context, 0);
	context->arbitration = true;
	return ret;
}

int vgt_command_run(struct vgt_engine *engine, struct vgt_context *context)
{
	struct vgt_command_stream stream = {
		.device = context->device,
		.engine = engine,
		.context = context,
		.worker = engine->worker,
	};
	int ret = workarounds(&stream);

	position_load(&stream);
	while (!ret)
		ret = stream.depth || stream.level[0].ip != context->ring_tail ?
			      step(&stream) : vgt_execlist_follow(engine, context);
	position_save(&stream, ret == -EAGAIN);
	return ret > 0 ? 0 : ret;
}
