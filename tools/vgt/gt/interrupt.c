// SPDX-License-Identifier: MIT
#include "gt/interrupt.h"

#include "gt/device.h"
#include "gt/engine.h"
#include "gt/field.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BANKS 2
#define BANK_BITS 32

#define MASTER_ENABLE VGT_BIT(31)

#define IDENTITY_VALID VGT_BIT(31)
#define IDENTITY_INSTANCE VGT_MASK(25, 20)
#define IDENTITY_CLASS VGT_MASK(18, 16)

struct vgt_interrupts {
	void (*message)(void *context);
	void *context;

	pthread_mutex_t lock;
	/* Protected by @lock. */
	bool enabled; /* and no message went out since */
	uint32_t enable[BANKS];
	uint32_t identity[BANKS];
	uint16_t pending[BANKS][BANK_BITS]; /* of the engine with that bit */
};

int vgt_interrupts_create(struct vgt_device *device,
			  void (*message)(void *context), void *context)
{
	struct vgt_interrupts *interrupts = calloc(1, sizeof(*interrupts));

	if (!interrupts)
		return -ENOMEM;
	pthread_mutex_init(&interrupts->lock, NULL);
	interrupts->message = message;
	interrupts->context = context;
	device->interrupts = interrupts;
	return 0;
}

void vgt_interrupts_destroy(struct vgt_device *device)
{
	if (!device->interrupts)
		return;
	pthread_mutex_destroy(&device->interrupts->lock);
	free(device->interrupts);
	device->interrupts = NULL;
}

static uint32_t bank_get(const struct vgt_interrupts *interrupts, uint32_t bank)
{
	uint32_t value = 0;

	for (uint32_t bit = 0; bit < BANK_BITS; bit++)
		if (interrupts->pending[bank][bit])
			value |= VGT_BIT(bit);
	return value;
}

static uint32_t master_get(const struct vgt_interrupts *interrupts)
{
	uint32_t value = 0;

	for (uint32_t bank = 0; bank < BANKS; bank++)
		if (bank_get(interrupts, bank))
			value |= VGT_BIT(bank);
	return value;
}

/* The message is an edge: one, until the driver enables interrupts again. */
static void message_locked(struct vgt_interrupts *interrupts)
{
	if (!interrupts->enabled || !master_get(interrupts))
		return;
	interrupts->enabled = false;
	interrupts->message(interrupts->context);
}

void vgt_interrupts_reset(struct vgt_device *device)
{
	struct vgt_interrupts *interrupts = device->interrupts;

	pthread_mutex_lock(&interrupts->lock);
	interrupts->enabled = false;
	memset(interrupts->enable, 0, sizeof(interrupts->enable));
	memset(interrupts->identity, 0, sizeof(interrupts->identity));
	memset(interrupts->pending, 0, sizeof(interrupts->pending));
	pthread_mutex_unlock(&interrupts->lock);
}

void vgt_interrupt_raise(const struct vgt_engine *engine, uint32_t bits)
{
	struct vgt_interrupts *interrupts = engine->device->interrupts;
	const struct vgt_engine_kind *kind = engine->kind;
	uint32_t enable;

	if (!interrupts)
		return;
	pthread_mutex_lock(&interrupts->lock);
	enable = interrupts->enable[(kind->enable -
				     VGT_INTERRUPT_RENDER_COPY) / 4];
	bits &= enable >> kind->enable_shift & 0xffff;
	if (bits) {
		interrupts->pending[kind->bank][kind->bit] |= (uint16_t)bits;
		message_locked(interrupts);
	}
	pthread_mutex_unlock(&interrupts->lock);
}

/* The identity takes what is pending: what comes later is pending anew. */
static void select_locked(struct vgt_device *device, uint32_t bank,
			  uint32_t value)
{
	struct vgt_interrupts *interrupts = device->interrupts;
	const struct vgt_engine_kind *kind;
	uint16_t *pending;

	for (uint32_t i = 0; i < VGT_ENGINES; i++) {
		kind = device->engine[i].kind;
		if (kind->bank != bank || value != VGT_BIT(kind->bit))
			continue;
		pending = &interrupts->pending[bank][kind->bit];
		interrupts->identity[bank] = IDENTITY_VALID |
			VGT_PUT(IDENTITY_INSTANCE, kind->instance) |
			VGT_PUT(IDENTITY_CLASS, kind->class) | *pending;
		*pending = 0;
	}
}

static uint32_t bank_of(uint32_t offset)
{
	return offset / 4 % BANKS;
}

bool vgt_interrupt_reg_read(struct vgt_device *device, uint32_t offset,
			    uint32_t *value_out)
{
	struct vgt_interrupts *interrupts = device->interrupts;
	bool found = true;

	if (!interrupts)
		return false;
	pthread_mutex_lock(&interrupts->lock);
	switch (offset) {
	case VGT_INTERRUPT_MASTER:
		*value_out = master_get(interrupts) |
			     (interrupts->enabled ? MASTER_ENABLE : 0);
		break;
	case VGT_INTERRUPT_PENDING:
	case VGT_INTERRUPT_PENDING + 4:
		*value_out = bank_get(interrupts, bank_of(offset));
		break;
	case VGT_INTERRUPT_IDENTITY:
	case VGT_INTERRUPT_IDENTITY + 4:
		*value_out = interrupts->identity[bank_of(offset)];
		break;
	case VGT_INTERRUPT_RENDER_COPY:
	case VGT_INTERRUPT_VIDEO:
		*value_out = interrupts->enable[bank_of(offset)];
		break;
	default:
		found = false;
	}
	pthread_mutex_unlock(&interrupts->lock);
	return found;
}

bool vgt_interrupt_reg_write(struct vgt_device *device, uint32_t offset,
			     uint32_t value)
{
	struct vgt_interrupts *interrupts = device->interrupts;
	bool found = true;

	if (!interrupts)
		return false;
	pthread_mutex_lock(&interrupts->lock);
	switch (offset) {
	case VGT_INTERRUPT_MASTER:
		interrupts->enabled = value & MASTER_ENABLE;
		message_locked(interrupts);
		break;
	/* A bit is up as long as something is pending: nothing to clear. */
	case VGT_INTERRUPT_PENDING:
	case VGT_INTERRUPT_PENDING + 4:
		break;
	case VGT_INTERRUPT_RENDER_COPY:
	case VGT_INTERRUPT_VIDEO:
		interrupts->enable[bank_of(offset)] = value;
		break;
	case VGT_INTERRUPT_SELECTOR:
	case VGT_INTERRUPT_SELECTOR + 4:
		select_locked(device, bank_of(offset), value);
		break;
	case VGT_INTERRUPT_IDENTITY:
	case VGT_INTERRUPT_IDENTITY + 4:
		if (value & IDENTITY_VALID)
			interrupts->identity[bank_of(offset)] = 0;
		break;
	default:
		found = false;
	}
	pthread_mutex_unlock(&interrupts->lock);
	return found;
}
