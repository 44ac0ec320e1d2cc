// SPDX-License-Identifier: MIT
#include "gt/context.h"

#include "gt/command.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/engine.h"
#include "gt/lrc.h"
#include "gt/mmio.h"
#include "host/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DESCRIPTOR_LRCA 0xfffff000U
#define CCID_VALID 1U

static struct vgt_context *add(struct vgt_device *device, uint32_t lrca)
{
	uint32_t room = device->contexts_room ? 2 * device->contexts_room : 16;
	struct vgt_context **array, *context;

	if (device->contexts == device->contexts_room) {
		if (room > VGT_CONTEXTS)
			return NULL;
		array = realloc(device->context, room * sizeof(*array));
		if (!array)
			return NULL;
		device->context = array;
		device->contexts_room = room;
	}
	context = calloc(1, sizeof(*context));
	if (!context)
		return NULL;
	context->device = device;
	context->lrca = lrca;
	device->context[device->contexts++] = context;
	return context;
}

static struct vgt_context *find(struct vgt_device *device, uint32_t lrca)
{
	for (uint32_t i = 0; i < device->contexts; i++)
		if (device->context[i]->lrca == lrca)
			return device->context[i];
	return add(device, lrca);
}

void vgt_context_run(struct vgt_device *device,
		     const struct vgt_submission *submission)
{
	uint64_t descriptor = submission->descriptor;
	struct vgt_engine *engine = &device->engine[VGT_RCS];
	struct vgt_context *context;
	uint32_t lrca = (uint32_t)descriptor & DESCRIPTOR_LRCA;

	if (!(descriptor & VGT_CONTEXT_VALID)) {
		vgt_device_fail(device, "context descriptor 0x%llx: not valid",
				(unsigned long long)descriptor);
		return;
	}
	context = find(device, lrca);
	if (!context) {
		vgt_device_fail(device, "no room for context 0x%x", lrca);
		return;
	}
	if (submission->tail != VGT_TAIL_OF_IMAGE)
		vgt_lrc_tail_set(context, submission->tail);
	if (vgt_lrc_load(engine, context))
		return;
	vgt_log(VGT_LOG_DEBUG, "device %u: context 0x%x: ring 0x%x to 0x%x",
		device->number, lrca, context->ring_head, context->ring_tail);
	vgt_driver_context(device, lrca);
	vgt_command_run(engine, context);
	vgt_lrc_save(engine, context);
	vgt_driver_context(device, 0);
}

/* What a driver reads of an engine that runs, and of one that has stopped. */
static void ring_show(struct vgt_engine *engine,
		      const struct vgt_context *context, bool running)
{
	vgt_engine_set(engine, VGT_ENGINE_START, context->ring_start);
	vgt_engine_set(engine, VGT_ENGINE_HEAD, context->ring_head);
	vgt_engine_set(engine, VGT_ENGINE_TAIL, context->ring_tail);
	vgt_engine_set(engine, VGT_ENGINE_CCID,
		       context->lrca | (running ? CCID_VALID : 0));
	if (vgt_engine_is_render(engine))
		vgt_driver_context(engine->device,
				   running ? context->lrca : 0);
}

int vgt_context_execute(struct vgt_engine *engine, struct vgt_context *context,
			uint64_t descriptor)
{
	int ret;

	memset(context, 0, sizeof(*context));
	context->device = engine->device;
	context->lrca = (uint32_t)descriptor & DESCRIPTOR_LRCA;
	ret = vgt_lrc_load(engine, context);
	if (ret)
		return ret;
	vgt_log(VGT_LOG_DEBUG, "device %u: %s: context 0x%x: ring 0x%x to 0x%x",
		engine->device->number, engine->kind->name, context->lrca,
		context->ring_head, context->ring_tail);
	ring_show(engine, context, true);
	ret = vgt_command_run(engine, context);
	ring_show(engine, context, false);
	/* What was reset leaves its image as the driver has it. */
	if (!ret || ret == -EAGAIN)
		vgt_lrc_save(engine, context);
	return ret;
}
