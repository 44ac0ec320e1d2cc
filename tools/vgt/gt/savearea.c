// SPDX-License-Identifier: MIT
#include "gt/savearea.h"

#include "gt/command.h"
#include "gt/context.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/engine.h"
#include "host/log.h"

/* Intel's own is 24 MiB; more than this is no save area. */
#define SAVE_AREA_MAX (64ULL << 20)

/* What is being uploaded to a page arrives before the page is the device's. */
static void pages_own(struct vgt_device *device,
		      const struct vgt_context *context)
{
	uint64_t at, phys;

	pthread_mutex_lock(&device->upload_lock);
	for (at = 0; at < context->save_area_bytes; at += VGT_PAGE_BYTES)
		if (!vgt_ppgtt_walk(&context->ppgtt, context->save_area + at,
				    VGT_ACCESS_WRITE, &phys))
			vgt_memory_flag(&device->memory, phys, VGT_PAGE_OWNED);
	pthread_mutex_unlock(&device->upload_lock);
}

void vgt_save_area_own(struct vgt_command_stream *stream)
{
	struct vgt_context *context = stream->context;
	struct vgt_device *device = stream->device;
	struct vgt_surface surface;
	uint32_t state[16];

	/* A driver uploads nothing: its memory is ours. */
	if (stream->engine->list || !vgt_driver_debugs(device))
		return;
	vgt_command_read(stream, context->state.bindless_base, false, state,
			 sizeof(state));
	vgt_surface_decode(state, &surface);
	if (surface.type != VGT_SURFACE_BUFFER ||
	    surface.size_bytes > SAVE_AREA_MAX ||
	    (surface.base == context->save_area &&
	     surface.size_bytes == context->save_area_bytes))
		return;
	context->save_area = surface.base;
	context->save_area_bytes = surface.size_bytes;
	pages_own(device, context);
	vgt_log(VGT_LOG_INFO, "device %u: save area of %llu bytes at 0x%llx",
		device->number, (unsigned long long)surface.size_bytes,
		(unsigned long long)surface.base);
}
