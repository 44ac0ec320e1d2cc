// SPDX-License-Identifier: MIT
#include "gt/walker.h"

#include "gt/command.h"
#include "gt/context.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/engine.h"
#include "gt/mmio.h"
#include "gt/pool.h"
#include "gt/savearea.h"
#include "host/log.h"

#include <errno.h>
#include <stdatomic.h>

#define SLM_CODE_MAX 7 /* 64 KiB */

/* Bits @high:@low of @value. */
static uint32_t bits(uint32_t value, uint32_t high, uint32_t low)
{
	return (value >> low) & (UINT32_MAX >> (31 - (high - low)));
}

static uint64_t serial_next(void)
{
	static _Atomic uint64_t last;

	return atomic_fetch_add(&last, 1) + 1;
}

/* Interface descriptor: what the kernel is and what it needs. */
static void read_descriptor(struct vgt_walker *walker, const uint32_t *idd)
{
	uint32_t slm_code = bits(idd[6], 20, 16);

	walker->kernel = (idd[0] & ~63U) | (uint64_t)(idd[1] & 0xffff) << 32;
	walker->sampler_offset = idd[3] & ~31U;
	walker->binding_table = idd[4] & 0xffe0;
	walker->per_thread_grfs = bits(idd[5], 31, 16);
	walker->cross_grfs = bits(idd[7], 7, 0);
	walker->barrier = bits(idd[6], 21, 21);
	/* What is more than there is, is refused. */
	walker->slm_bytes = !slm_code ? 0 : slm_code > SLM_CODE_MAX ?
			    UINT32_MAX : 512U << slm_code;
	walker->cr0 = bits(idd[2], 16, 16) | /* float mode */
		      bits(idd[2], 18, 18) << 2 | /* single program flow */
		      bits(idd[6], 23, 22) << 4; /* rounding */
	walker->exceptions = bits(idd[2], 7, 7) << 13 | /* software */
			     bits(idd[2], 13, 13) << 12 | /* illegal opcode */
			     bits(idd[2], 11, 11) << 11; /* mask stack */
}

static void read_command(struct vgt_walker *walker, const uint32_t *dw)
{
	walker->payload = walker->state.indirect_base + (dw[3] & ~63U);
	walker->threads = bits(dw[4], 5, 0) + 1;
	walker->simd = 8U << bits(dw[4], 31, 30);
	walker->start[0] = dw[5];
	walker->end[0] = dw[7];
	walker->start[1] = dw[8];
	walker->end[1] = dw[10];
	walker->start[2] = dw[11];
	walker->end[2] = dw[12];
	walker->right_mask = dw[13];
	if (walker->simd < 32)
		walker->right_mask &= (1U << walker->simd) - 1;
}

static const char *refusal(const struct vgt_command_stream *stream,
			   const struct vgt_walker *walker)
{
	if (stream->dw[0] & (1U << 10))
		return "indirect parameters not supported";
	if (stream->dw[0] & (1U << 8))
		return "predication not supported";
	if (walker->simd > 32)
		return "no such SIMD size";
	if (bits(stream->dw[4], 13, 8) || bits(stream->dw[4], 21, 16))
		return "threads in height or depth not supported";
	if (walker->slm_bytes > 65536)
		return "too much shared local memory";
	if (1 + walker->per_thread_grfs + walker->cross_grfs > 128)
		return "payload does not fit in the registers";
	return NULL;
}

/* Run it, or what is left of it; others may be let in between two groups. */
static int run(struct vgt_command_stream *stream, struct vgt_walker *walker)
{
	struct vgt_position *position = &stream->context->position;
	struct vgt_device *device = stream->device;
	uint64_t begin;
	int ret;

	if (vgt_command_preempted(stream))
		return vgt_command_again(stream);
	walker->first = position->groups;
	position->groups = 0;
	if (stream->context->arbitration)
		walker->preempt = &stream->engine->preempt;
	vgt_driver_spawner(device, true);
	begin = vgt_mmio_timestamp();
	ret = vgt_pool_run(device->pool, walker, &position->groups);
	vgt_driver_spawner(device, false);
	vgt_log(VGT_LOG_DEBUG, "device %u: walker: kernel 0x%llx ran from %llu to %llu",
		device->number, (unsigned long long)walker->kernel,
		(unsigned long long)begin,
		(unsigned long long)vgt_mmio_timestamp());
	if (ret != -EAGAIN)
		return ret;
	vgt_log(VGT_LOG_DEBUG, "device %u: walker: taken off after %llu groups",
		device->number, (unsigned long long)position->groups);
	return vgt_command_again(stream);
}

int vgt_walker_command(struct vgt_command_stream *stream)
{
	struct vgt_device *device = stream->device;
	struct vgt_state *state = &stream->context->state;
	uint32_t index = bits(stream->dw[1], 5, 0), idd[8];
	struct vgt_walker walker = {
		.serial = serial_next(),
		.device = device,
		.context = stream->context,
		.icache = device->icache,
		.ppgtt = stream->context->ppgtt,
		.state = *state,
	};
	const char *why;

	vgt_command_read(stream, state->dynamic_base + state->idd_offset +
			 32 * index, false, idd, sizeof(idd));
	read_descriptor(&walker, idd);
	read_command(&walker, stream->dw);
	why = refusal(stream, &walker);
	if (why)
		return vgt_command_refuse(stream, why);
	vgt_log(VGT_LOG_DEBUG,
		"device %u: walker: kernel 0x%llx, SIMD%u, %u threads, x %u-%u y %u-%u z %u-%u",
		device->number, (unsigned long long)walker.kernel, walker.simd,
		walker.threads, walker.start[0], walker.end[0],
		walker.start[1], walker.end[1], walker.start[2],
		walker.end[2]);
	vgt_save_area_own(stream);
	if (device->options->no_eu)
		return 0;
	return run(stream, &walker);
}
