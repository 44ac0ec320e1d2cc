// SPDX-License-Identifier: MIT
#include "gt/engine.h"

#include "gt/device.h"
#include "gt/interrupt.h"
#include "gt/mmio.h"
#include "host/log.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static const struct vgt_engine_kind kinds[VGT_ENGINES] = {
	[VGT_RCS] = {
		.name = "render engine", .base = 0x2000, .reset = 1U << 1,
		.bank = 0, .bit = 0, .class = 0, .instance = 0,
		.enable = VGT_INTERRUPT_RENDER_COPY, .enable_shift = 16,
	},
	[VGT_BCS] = {
		.name = "copy engine", .base = 0x22000, .reset = 1U << 2,
		.bank = 0, .bit = 15, .class = 3, .instance = 0,
		.enable = VGT_INTERRUPT_RENDER_COPY, .enable_shift = 0,
	},
	[VGT_VCS0] = {
		.name = "video engine 0", .base = 0x1c0000, .reset = 1U << 5,
		.bank = 1, .bit = 0, .class = 1, .instance = 0,
		.enable = VGT_INTERRUPT_VIDEO, .enable_shift = 16,
	},
	[VGT_VCS2] = {
		.name = "video engine 2", .base = 0x1d0000, .reset = 1U << 7,
		.bank = 1, .bit = 2, .class = 1, .instance = 2,
		.enable = VGT_INTERRUPT_VIDEO, .enable_shift = 16,
	},
	[VGT_VECS] = {
		.name = "video enhancement", .base = 0x1c8000,
		.reset = 1U << 13, .bank = 1, .bit = 31, .class = 2,
		.instance = 0,
		.enable = VGT_INTERRUPT_VIDEO, .enable_shift = 0,
	},
};

void vgt_engines_init(struct vgt_device *device)
{
	for (uint32_t i = 0; i < VGT_ENGINES; i++) {
		device->engine[i].device = device;
		device->engine[i].kind = &kinds[i];
	}
}

struct vgt_engine *vgt_engine_find(struct vgt_device *device, uint32_t offset)
{
	for (uint32_t i = 0; i < VGT_ENGINES; i++)
		if (offset - kinds[i].base < VGT_ENGINE_BYTES)
			return &device->engine[i];
	return NULL;
}

bool vgt_engine_is_render(const struct vgt_engine *engine)
{
	return engine->kind == &kinds[VGT_RCS];
}

bool vgt_engine_is_copy(const struct vgt_engine *engine)
{
	return engine->kind == &kinds[VGT_BCS];
}

/* Under a driver EUs that failed stop the engine that they belong to. */
bool vgt_engine_stopped(const struct vgt_engine *engine)
{
	return atomic_load(&engine->halt) ||
	       ((!engine->list || vgt_engine_is_render(engine)) &&
		atomic_load(&engine->device->dead));
}

void vgt_engine_fail(struct vgt_engine *engine, const char *format, ...)
{
	char line[384];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (!engine->list)
		vgt_device_fail(engine->device, "%s", line);
	else if (!vgt_engine_stopped(engine))
		vgt_log(VGT_LOG_ERROR, "device %u: %s hangs: %s",
			engine->device->number, engine->kind->name, line);
}

uint32_t vgt_engine_get(const struct vgt_engine *engine, uint32_t offset)
{
	return vgt_mmio_get(engine->device->mmio, engine->kind->base + offset);
}

void vgt_engine_set(const struct vgt_engine *engine, uint32_t offset,
		    uint32_t value)
{
	vgt_mmio_set(engine->device->mmio, engine->kind->base + offset, value);
}
