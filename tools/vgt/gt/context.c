// SPDX-License-Identifier: MIT
#include "gt/context.h"

#include "gt/command.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/ggtt.h"
#include "gt/mmio.h"
#include "host/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DESCRIPTOR_VALID 1ULL
#define DESCRIPTOR_LRCA 0xfffff000U

#define STATE_OFFSET 0x1000 /* register state page, from LRCA */
#define STATE_DWORDS 1024
#define LRI_MASK 0xff800000U
#define LRI 0x11000000U

#define RING_CTL_VALID 1U
#define RING_CTL_PAGES 0x1ff000U

/* Registers in the state page, relative to the engine. */
enum {
	REGS_RING_TAIL = 0x030,
	REGS_RING_HEAD = 0x034,
	REGS_RING_START = 0x038,
	REGS_RING_CTL = 0x03c,
	REGS_PDP0_LOW = 0x270,
	REGS_PDP0_HIGH = 0x274,
};

#define ENGINE_MASK 0xfffU

/* The value of register @offset in the state page, or NULL. */
static uint32_t *regs_find(uint32_t *page, uint32_t offset)
{
	uint32_t i = 0, pairs;

	while (i < STATE_DWORDS) {
		if ((page[i] & LRI_MASK) != LRI) {
			i++;
			continue;
		}
		pairs = ((page[i] & 0xff) + 1) / 2;
		for (i++; pairs && i + 1 < STATE_DWORDS; pairs--, i += 2)
			if ((page[i] & ENGINE_MASK) == offset)
				return &page[i + 1];
	}
	return NULL;
}

static uint32_t regs_get(uint32_t *page, uint32_t offset)
{
	uint32_t *at = regs_find(page, offset);

	return at ? __atomic_load_n(at, __ATOMIC_ACQUIRE) : 0;
}

static uint32_t *regs_page(struct vgt_context *context)
{
	return vgt_ggtt_host(&context->device->memory,
			     context->lrca + STATE_OFFSET);
}

static int regs_load(struct vgt_context *context)
{
	struct vgt_device *device = context->device;
	uint32_t *page = regs_page(context);
	uint32_t ctl;

	if (!page) {
		vgt_device_fail(device, "context state at GGTT 0x%x: not mapped",
				context->lrca);
		return -EFAULT;
	}
	ctl = regs_get(page, REGS_RING_CTL);
	context->ring_start = regs_get(page, REGS_RING_START);
	context->ring_bytes = (ctl & RING_CTL_PAGES) + VGT_PAGE_BYTES;
	context->ring_tail = regs_get(page, REGS_RING_TAIL);
	if (!context->loaded)
		context->ring_head = regs_get(page, REGS_RING_HEAD);
	context->ppgtt.memory = &device->memory;
	context->ppgtt.pml4 = regs_get(page, REGS_PDP0_LOW) |
		(uint64_t)regs_get(page, REGS_PDP0_HIGH) << 32;
	if (!(ctl & RING_CTL_VALID) || context->ring_tail % 4 ||
	    context->ring_head % 4 ||
	    context->ring_tail >= context->ring_bytes ||
	    context->ring_head >= context->ring_bytes) {
		vgt_device_fail(device,
				"context 0x%x: bad ring: head 0x%x, tail 0x%x, control 0x%x",
				context->lrca, context->ring_head,
				context->ring_tail, ctl);
		return -EINVAL;
	}
	context->loaded = true;
	return 0;
}

static void regs_save(struct vgt_context *context)
{
	uint32_t *page = regs_page(context);
	uint32_t *head = page ? regs_find(page, REGS_RING_HEAD) : NULL;

	if (head)
		__atomic_store_n(head, context->ring_head, __ATOMIC_RELEASE);
}

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

void vgt_context_run(struct vgt_device *device, uint64_t descriptor)
{
	struct vgt_context *context;
	uint32_t lrca = (uint32_t)descriptor & DESCRIPTOR_LRCA;

	if (!(descriptor & DESCRIPTOR_VALID)) {
		vgt_device_fail(device, "context descriptor 0x%llx: not valid",
				(unsigned long long)descriptor);
		return;
	}
	context = find(device, lrca);
	if (!context) {
		vgt_device_fail(device, "no room for context 0x%x", lrca);
		return;
	}
	if (regs_load(context))
		return;
	vgt_log(VGT_LOG_DEBUG, "device %u: context 0x%x: ring 0x%x to 0x%x",
		device->number, lrca, context->ring_head, context->ring_tail);
	vgt_driver_context(device, lrca);
	vgt_command_run(context);
	regs_save(context);
	vgt_driver_context(device, 0);
}
