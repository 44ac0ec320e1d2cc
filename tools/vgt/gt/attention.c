// SPDX-License-Identifier: MIT
/*
 * Attention: how EU threads and a driver wait for each other. A thread that
 * executes sync.host raises a bit in TD_ATT of its sub-slice and sleeps; the
 * driver writes the bit to TD_CLR and it goes on. The bit names half of the
 * sub-slice, column and thread number, not the row: the two EUs of a fused
 * pair share it, and are released together.
 */
#include "gt/attention.h"

#include "eu/eu.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/group.h"
#include "gt/mmio.h"
#include "gt/pool.h"
#include "gt/walker.h"
#include <linux/gtdbg_vgt.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#define HALVES 2
#define ROWS 2
#define ROW_THREADS 28
#define HALF_THREADS (ROWS * ROW_THREADS)
#define COLUMN_THREADS 7

#define MCR_MULTICAST (1U << 31)
#define MCR_SLICE(selector) ((selector) >> 27 & 0xf)
#define MCR_SUBSLICE(selector) ((selector) >> 24 & 0x7)

struct vgt_attention {
	_Atomic uint32_t control[VGT_DSS];
	_Atomic uint64_t entries, exits;

	pthread_mutex_t lock;

	/* Protected by @lock. */
	uint32_t raised[VGT_DSS][HALVES];
	uint64_t stops;
};

static void publish_bank_locked(struct vgt_device *device, uint32_t dss,
				uint32_t offset, uint32_t value)
{
	vgt_mmio_publish(device->mmio, GTDBG_VGT_WINDOW_BANK(0, dss) +
			 offset - VGT_STEERED_FIRST, value);
}

void vgt_attention_reset(struct vgt_device *device)
{
	struct vgt_attention *attention = device->attention;

	pthread_mutex_lock(&attention->lock);
	for (uint32_t dss = 0; dss < VGT_DSS; dss++) {
		atomic_store(&attention->control[dss], 0);
		publish_bank_locked(device, dss, VGT_TD_CTL, 0);
	}
	pthread_mutex_unlock(&attention->lock);
	vgt_mmio_set(device->mmio, VGT_MCR_SELECTOR, MCR_MULTICAST);
}

int vgt_attention_create(struct vgt_device *device)
{
	struct vgt_attention *attention = calloc(1, sizeof(*attention));

	if (!attention)
		return -ENOMEM;
	pthread_mutex_init(&attention->lock, NULL);
	device->attention = attention;
	vgt_attention_reset(device);
	return 0;
}

void vgt_attention_destroy(struct vgt_device *device)
{
	struct vgt_attention *attention = device->attention;

	if (!attention)
		return;
	pthread_mutex_destroy(&attention->lock);
	free(attention);
	device->attention = NULL;
}

static struct vgt_device *device_of(const struct vgt_eu_thread *thread)
{
	return thread->group->walker->device;
}

static uint32_t slot_half(uint32_t slot)
{
	return slot % VGT_DSS_THREADS / HALF_THREADS;
}

static uint32_t slot_bit(uint32_t slot)
{
	uint32_t column = slot % ROW_THREADS / COLUMN_THREADS;

	return 1U << (column * 8 + slot % COLUMN_THREADS);
}

static void raise_locked(struct vgt_device *device, uint32_t slot)
{
	struct vgt_attention *attention = device->attention;
	uint32_t dss = slot / VGT_DSS_THREADS, half = slot_half(slot);

	attention->raised[dss][half] |= slot_bit(slot);
	/* A driver that sees a stop also sees about when it was. */
	vgt_mmio_publish_time(device->mmio);
	publish_bank_locked(device, dss, VGT_TD_ATT + 4 * half,
			    attention->raised[dss][half]);
}

/*
 * Under the lock from the look at @notified on: a driver that clears the bit in
 * between would leave a thread that waits without one.
 */
bool vgt_attention_wait(struct vgt_eu_thread *thread)
{
	struct vgt_device *device = device_of(thread);
	bool notified;

	if (!device)
		return false;
	pthread_mutex_lock(&device->attention->lock);
	notified = atomic_exchange(&thread->notified, 0);
	if (!notified && !atomic_exchange(&thread->attention, 1)) {
		raise_locked(device, thread->slot);
		/* One that was woken without a command waits again: no stop. */
		device->attention->stops += !thread->stopped;
		thread->stopped = true;
	}
	pthread_mutex_unlock(&device->attention->lock);
	return notified;
}

/* The thread in the other row of the pair; NULL: there is none now. */
static struct vgt_eu_thread *other_row(struct vgt_device *device, uint32_t slot)
{
	return vgt_pool_thread(device, slot % HALF_THREADS < ROW_THREADS ?
			       slot + ROW_THREADS : slot - ROW_THREADS);
}

void vgt_attention_drop(struct vgt_eu_thread *thread)
{
	struct vgt_device *device = device_of(thread);
	struct vgt_attention *attention = device->attention;
	uint32_t slot = thread->slot, dss = slot / VGT_DSS_THREADS;
	uint32_t half = slot_half(slot);
	const struct vgt_eu_thread *other;

	pthread_mutex_lock(&attention->lock);
	other = other_row(device, slot);
	if (atomic_exchange(&thread->attention, 0) &&
	    (!other || !atomic_load(&other->attention))) {
		attention->raised[dss][half] &= ~slot_bit(slot);
		publish_bank_locked(device, dss, VGT_TD_ATT + 4 * half,
				    attention->raised[dss][half]);
	}
	pthread_mutex_unlock(&attention->lock);
}

/* Both rows of the pair; true if a thread was waiting. */
static bool release(struct vgt_device *device, uint32_t dss, uint32_t half,
		    uint32_t column, uint32_t tid)
{
	struct vgt_eu_thread *thread;
	uint32_t slot = dss * VGT_DSS_THREADS + half * HALF_THREADS +
			column * COLUMN_THREADS + tid;
	bool released = false;

	for (uint32_t row = 0; row < ROWS; row++, slot += ROW_THREADS) {
		thread = vgt_pool_thread(device, slot);
		if (!thread || !atomic_exchange(&thread->attention, 0))
			continue;
		atomic_store(&thread->notified, 1);
		released = true;
	}
	return released;
}

/* TD_CLR: touches only bits that are up. */
static bool clear_locked(struct vgt_device *device, uint32_t dss,
			 uint32_t half, uint32_t bits)
{
	struct vgt_attention *attention = device->attention;
	bool released = false;

	bits &= attention->raised[dss][half];
	attention->raised[dss][half] &= ~bits;
	publish_bank_locked(device, dss, VGT_TD_ATT + 4 * half,
			    attention->raised[dss][half]);
	for (; bits; bits &= bits - 1) {
		uint32_t bit = (uint32_t)__builtin_ctz(bits);

		released |= release(device, dss, half, bit / 8, bit % 8);
	}
	return released;
}

static uint32_t pending_of(uint32_t control)
{
	uint32_t pending = 0;

	if (!(control & VGT_TD_CTL_FORCE_ENABLE))
		return 0;
	if (control & VGT_TD_CTL_FORCE_HALT)
		pending |= VGT_EU_PENDING_HALT;
	if (control & VGT_TD_CTL_FORCE_EXCEPTION)
		pending |= VGT_EU_PENDING_EXCEPTION;
	return pending;
}

/*
 * Sets @pending for all threads of a sub-slice: to be forced into the SIP, or to fetch
 * anew. On hardware all of them run at once, here some wait for a worker: what was
 * forced on those stays when the bits are taken back. One that waits at a barrier tries
 * again, and is forced as well.
 */
static void pend(struct vgt_device *device, uint32_t dss, uint32_t pending)
{
	for (uint32_t i = 0; i < VGT_DSS_THREADS; i++) {
		struct vgt_eu_thread *thread =
			vgt_pool_thread(device, dss * VGT_DSS_THREADS + i);

		if (thread)
			atomic_fetch_or(&thread->pending, pending);
	}
}

void vgt_attention_refetch(struct vgt_device *device)
{
	for (uint32_t dss = 0; dss < VGT_DSS; dss++)
		pend(device, dss, VGT_EU_PENDING_FETCH);
}

/* Returns true if a thread may have something to do now. */
static bool control_locked(struct vgt_device *device, uint32_t dss,
			   uint32_t value)
{
	struct vgt_attention *attention = device->attention;
	uint32_t old = atomic_exchange(&attention->control[dss], value);
	uint32_t pending = pending_of(value) & ~pending_of(old);

	publish_bank_locked(device, dss, VGT_TD_CTL, value);
	if (pending)
		pend(device, dss, pending);
	return pending;
}

static bool steered_write_locked(struct vgt_device *device, uint32_t offset,
				 uint32_t value, uint32_t dss)
{
	switch (offset) {
	case VGT_TD_CTL:
		return control_locked(device, dss, value);
	case VGT_TD_CLR:
	case VGT_TD_CLR + 4:
		return clear_locked(device, dss, (offset - VGT_TD_CLR) / 4,
				    value);
	default:
		return false;
	}
}

void vgt_attention_steered_write(struct vgt_device *device, uint32_t offset,
				 uint32_t value, uint32_t subslices)
{
	struct vgt_attention *attention = device->attention;
	bool wake = false;

	pthread_mutex_lock(&attention->lock);
	for (uint32_t dss = 0; dss < VGT_DSS; dss++)
		if (subslices >> dss & 1)
			wake |= steered_write_locked(device, offset, value,
						     dss);
	pthread_mutex_unlock(&attention->lock);
	if (wake)
		vgt_pool_wake(device);
}

/* Sub-slices that a driver's access goes to. None that exists: an empty mask. */
static uint32_t steered(struct vgt_device *device, bool write)
{
	uint32_t selector = vgt_mmio_get(device->mmio,
					 VGT_MCR_SELECTOR);

	if (write && (selector & MCR_MULTICAST))
		return VGT_SUBSLICES_ALL;
	if (MCR_SLICE(selector) || MCR_SUBSLICE(selector) >= VGT_DSS)
		return 0;
	return 1U << MCR_SUBSLICE(selector);
}

static uint32_t steered_read(struct vgt_device *device, uint32_t offset)
{
	struct vgt_attention *attention = device->attention;
	uint32_t subslices = steered(device, false), dss, value = 0;

	if (!subslices)
		return 0;
	dss = (uint32_t)__builtin_ctz(subslices);
	if (offset == VGT_TD_CTL)
		return atomic_load(&attention->control[dss]);
	if (offset != VGT_TD_ATT && offset != VGT_TD_ATT + 4)
		return 0;
	pthread_mutex_lock(&attention->lock);
	value = attention->raised[dss][(offset - VGT_TD_ATT) / 4];
	pthread_mutex_unlock(&attention->lock);
	return value;
}

bool vgt_attention_reg_read(struct vgt_device *device, uint32_t offset,
			    uint32_t *value_out)
{
	if (offset < VGT_STEERED_FIRST || offset >= VGT_STEERED_END)
		return false;
	*value_out = steered_read(device, offset);
	return true;
}

bool vgt_attention_reg_write(struct vgt_device *device, uint32_t offset,
			     uint32_t value)
{
	if (offset < VGT_STEERED_FIRST || offset >= VGT_STEERED_END)
		return false;
	vgt_attention_steered_write(device, offset, value,
				    steered(device, true));
	return true;
}

void vgt_attention_thread_start(struct vgt_eu_thread *thread)
{
	struct vgt_device *device = device_of(thread);
	uint32_t pending;

	if (!device)
		return;
	/* It is resident already: what is forced after this look reaches it. */
	pending = vgt_attention_forced(thread);
	if (pending)
		atomic_fetch_or(&thread->pending, pending);
}

uint32_t vgt_attention_control(const struct vgt_eu_thread *thread)
{
	struct vgt_device *device = device_of(thread);

	if (!device || !vgt_driver_debugs(device))
		return 0;
	return atomic_load(&device->attention->control[thread->slot /
						       VGT_DSS_THREADS]);
}

uint32_t vgt_attention_forced(const struct vgt_eu_thread *thread)
{
	return pending_of(vgt_attention_control(thread));
}

void vgt_attention_enter(struct vgt_eu_thread *thread)
{
	struct vgt_device *device = device_of(thread);

	thread->stopped = false;
	if (device)
		atomic_fetch_add(&device->attention->entries, 1);
}

void vgt_attention_leave(struct vgt_eu_thread *thread)
{
	struct vgt_device *device = device_of(thread);

	if (device)
		atomic_fetch_add(&device->attention->exits, 1);
}

void vgt_attention_totals(struct vgt_device *device,
			  struct vgt_attention_totals *out)
{
	struct vgt_attention *attention = device->attention;

	out->exits = atomic_load(&attention->exits);
	out->entries = atomic_load(&attention->entries);
	pthread_mutex_lock(&attention->lock);
	out->stops = attention->stops;
	pthread_mutex_unlock(&attention->lock);
}

void vgt_attention_publish(struct vgt_device *device,
			   volatile uint32_t *window)
{
	struct vgt_attention *attention = device->attention;

	pthread_mutex_lock(&attention->lock);
	vgt_mmio_window(device->mmio, window);
	for (uint32_t dss = 0; dss < VGT_DSS; dss++) {
		publish_bank_locked(device, dss, VGT_TD_CTL,
				    atomic_load(&attention->control[dss]));
		for (uint32_t half = 0; half < HALVES; half++)
			publish_bank_locked(device, dss,
					    VGT_TD_ATT + 4 * half,
					    attention->raised[dss][half]);
	}
	vgt_mmio_publish_time(device->mmio);
	pthread_mutex_unlock(&attention->lock);
}
