// SPDX-License-Identifier: MIT
/*
 * A device starts when the first message with a meaning arrives, since each costs
 * an address space of half a terabyte. Its connection's reader starts it and feeds
 * it; the thread here runs what was submitted, one context after the other.
 *
 * It ends from another thread than these, after the reader. The offer goes first:
 * its thread carries out the module's requests on the device. Then the mark @dead is
 * set and all that sleeps is woken, so that threads on the EUs leave at their next
 * turn. The device's thread is joined before the pool goes, whose worker 0 it
 * is, and memory goes after all that holds host addresses of it.
 */
#include "gt/device.h"

#include "check/check.h"
#include "eu/eu.h"
#include "eu/kv.h"
#include "gt/attention.h"
#include "gt/context.h"
#include "gt/driver.h"
#include "gt/group.h"
#include "gt/mmio.h"
#include "gt/pool.h"
#include "gt/walker.h"
#include "host/log.h"
#include "host/offer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAULTS_LOGGED 20

int vgt_device_create(const struct vgt_options *options, uint32_t number,
		      int socket, const struct vgt_device_listener *listener,
		      struct vgt_device **device_out)
{
	struct vgt_device *device = calloc(1, sizeof(*device));
	int ret = -ENOMEM;

	if (!device)
		return ret;
	device->options = options;
	device->listener = *listener;
	device->number = number;
	device->socket = socket;
	vgt_engines_init(device);
	pthread_mutex_init(&device->lock, NULL);
	pthread_mutex_init(&device->upload_lock, NULL);
	pthread_cond_init(&device->work, NULL);
	device->mmio = vgt_mmio_create();
	if (!device->mmio)
		goto err_free;
	device->icache = vgt_icache_create();
	if (!device->icache)
		goto err_registers;
	if (vgt_check_mode) {
		device->check = vgt_check_create(&device->memory);
		if (!device->check)
			goto err_icache;
	}
	ret = vgt_attention_create(device);
	if (ret)
		goto err_check;
	*device_out = device;
	return 0;

err_check:
	vgt_check_destroy(device->check);
err_icache:
	vgt_icache_destroy(device->icache);
err_registers:
	vgt_mmio_destroy(device->mmio);
err_free:
	free(device);
	return ret;
}

/*
 * Threads on the EUs see the mark and leave; so does ours. A device that is being
 * started by another thread has no pool yet that may be looked at: what starts
 * later sees the mark by itself.
 */
void vgt_device_abandon(struct vgt_device *device)
{
	atomic_store(&device->dead, true);
	if (atomic_load(&device->started))
		vgt_pool_wake(device);
}

static void offer_end(struct vgt_device *device)
{
	vgt_offer_destroy(atomic_exchange(&device->offer, NULL));
}

void vgt_device_stop(struct vgt_device *device)
{
	if (!atomic_exchange(&device->started, false))
		return;
	/* Before what its requests touch. */
	offer_end(device);
	atomic_store(&device->dead, true);
	vgt_pool_wake(device);
	pthread_mutex_lock(&device->lock);
	pthread_cond_broadcast(&device->work);
	pthread_mutex_unlock(&device->lock);
	if (device->listener.stop)
		device->listener.stop(device->listener.context);
	pthread_join(device->thread, NULL);
	/* A door may have been about to make it in that thread. */
	offer_end(device);
	vgt_pool_destroy(device->pool);
	device->pool = NULL;
	for (uint32_t i = 0; i < device->contexts; i++)
		free(device->context[i]);
	free(device->context);
}

void vgt_device_destroy(struct vgt_device *device)
{
	if (!device)
		return;
	vgt_device_stop(device);
	vgt_attention_destroy(device);
	vgt_check_destroy(device->check);
	vgt_icache_destroy(device->icache);
	vgt_memory_fini(&device->memory);
	vgt_mmio_destroy(device->mmio);
	pthread_cond_destroy(&device->work);
	pthread_mutex_destroy(&device->upload_lock);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

/* The next context to run, or false if the device is to end. */
static bool next_submission(struct vgt_device *device,
			    struct vgt_submission *out)
{
	bool found = false;

	pthread_mutex_lock(&device->lock);
	while (!device->count && !atomic_load(&device->dead)) {
		if (!device->listener.idle) {
			pthread_cond_wait(&device->work, &device->lock);
			continue;
		}
		pthread_mutex_unlock(&device->lock);
		device->listener.idle(device->listener.context);
		pthread_mutex_lock(&device->lock);
	}
	if (device->count && !atomic_load(&device->dead)) {
		*out = device->submission[device->first];
		device->first = (device->first + 1) % VGT_SUBMISSIONS;
		device->count--;
		found = true;
	}
	pthread_mutex_unlock(&device->lock);
	return found;
}

static void *device_thread(void *argument)
{
	struct vgt_device *device = argument;
	struct vgt_submission submission;

	while (next_submission(device, &submission)) {
		vgt_context_run(device, &submission);
		atomic_fetch_add(&device->completed, 1);
	}
	return NULL;
}

/* Without the module the program still runs. */
void vgt_device_offer(struct vgt_device *device)
{
	struct vgt_offer *offer;
	int ret;

	if (!device->options->offer)
		return;
	ret = vgt_offer_create(device, &offer);
	if (!ret)
		atomic_store(&device->offer, offer);
	if (ret == -ENOENT)
		vgt_log(VGT_LOG_INFO, "device %u: its program is no client",
			device->number);
	else if (ret)
		vgt_log(VGT_LOG_WARN,
			"device %u: not offered to the kernel module: %s",
			device->number, strerror(-ret));
}

int vgt_device_start(struct vgt_device *device)
{
	int ret;

	if (atomic_load(&device->started))
		return 0;
	ret = vgt_memory_init(&device->memory);
	if (ret)
		return ret;
	ret = vgt_pool_create(device, &device->pool);
	if (ret)
		goto err_memory;
	device->engine[VGT_RCS].worker = vgt_pool_worker(device->pool, 0);
	ret = -pthread_create(&device->thread, NULL, device_thread, device);
	if (ret)
		goto err_pool;
	atomic_store(&device->started, true);
	vgt_log(VGT_LOG_INFO, "device %u: started", device->number);
	return 0;

err_pool:
	vgt_pool_destroy(device->pool);
	device->pool = NULL;
err_memory:
	vgt_memory_fini(&device->memory);
	return ret;
}

/* With room for it. */
static void submission_put_locked(struct vgt_device *device,
				  const struct vgt_submission *submission)
{
	uint32_t last = (device->first + device->count - 1) % VGT_SUBMISSIONS;

	/* A later tail does for both: nothing is between them. */
	if (!device->count || device->submission[last].descriptor !=
			      submission->descriptor) {
		last = (device->first + device->count++) % VGT_SUBMISSIONS;
		atomic_fetch_add(&device->accepted, 1);
		pthread_cond_signal(&device->work);
	}
	device->submission[last] = *submission;
}

uint64_t vgt_device_submit(struct vgt_device *device,
			   const struct vgt_submission *submission)
{
	bool full;

	pthread_mutex_lock(&device->lock);
	full = device->count == VGT_SUBMISSIONS;
	if (!full)
		submission_put_locked(device, submission);
	pthread_mutex_unlock(&device->lock);
	if (full)
		vgt_device_fail(device, "more than %d contexts submitted",
				VGT_SUBMISSIONS);
	return atomic_load(&device->accepted);
}

uint64_t vgt_device_pending(const struct vgt_device *device)
{
	uint64_t completed = atomic_load(&device->completed);

	return atomic_load(&device->accepted) - completed;
}

struct vgt_memory *vgt_device_memory(struct vgt_device *device)
{
	return &device->memory;
}

uint32_t vgt_device_subslices(const struct vgt_device *device)
{
	uint32_t count = device->options->subslices;

	return (1U << (count ? count : VGT_DSS)) - 1;
}

static const char *access_name(enum vgt_access access)
{
	static const char *const names[] = {
		[VGT_ACCESS_READ] = "read",
		[VGT_ACCESS_WRITE] = "write",
		[VGT_ACCESS_FETCH] = "instruction fetch",
	};

	return names[access];
}

/* Which instruction of which kernel a thread is at. */
static void place(struct vgt_eu_thread *thread, char *buf, size_t cap)
{
	uint64_t kernel = thread->group->walker->kernel;
	char text[96] = "thread start";
	uint8_t code[16];
	size_t bytes;

	/* While its worker is in the cache, the page cannot go away. */
	if (atomic_load(&thread->worker->reader.entered)) {
		bytes = vgt_icache_code(thread, thread->ip, code);
		vgt_kv_text(code, bytes, text, sizeof(text));
	}
	snprintf(buf, cap, "thread %u, kernel 0x%llx+0x%x: %s", thread->slot,
		 (unsigned long long)kernel, thread->ip - (uint32_t)kernel,
		 text);
}

static void fault_log(struct vgt_device *device, struct vgt_eu_thread *thread,
		      uint64_t va, enum vgt_access access)
{
	uint32_t context = vgt_mmio_get(device->mmio,
					VGT_RING_CURRENT_LRCA) & ~4095U;
	char where[192] = "command streamer";

	if (thread)
		place(thread, where, sizeof(where));
	vgt_log(VGT_LOG_ERROR,
		"device %u: page fault: %s at 0x%llx, context 0x%x, %s",
		device->number, access_name(access), (unsigned long long)va,
		context, where);
}

/* As if the host had forced it at that moment. */
static void fault_halt(struct vgt_eu_thread *thread)
{
	if (!thread->in_sip && thread->group->walker->state.sip_valid)
		atomic_fetch_or(&thread->pending, VGT_EU_PENDING_HALT);
}

bool vgt_device_fault(struct vgt_device *device, struct vgt_eu_thread *thread,
		      uint64_t va, enum vgt_access access)
{
	uint32_t n = atomic_fetch_add(&device->faults, 1);
	bool stop = device->options->fault_stop;

	vgt_driver_fault(device, va, access);
	if (thread && device->options->fault_halt)
		fault_halt(thread);
	if (n < FAULTS_LOGGED || stop)
		fault_log(device, thread, va, access);
	if (n + 1 == FAULTS_LOGGED)
		vgt_log(VGT_LOG_ERROR,
			"device %u: further page faults are not logged",
			device->number);
	if (stop)
		vgt_device_fail(device, "stopped by a page fault");
	return stop;
}

void vgt_device_remapped(struct vgt_device *device)
{
	atomic_fetch_add(&device->generation, 1);
	vgt_icache_invalidate(device->icache);
}

void vgt_device_recoded(struct vgt_device *device)
{
	vgt_icache_invalidate(device->icache);
}

void vgt_device_written(struct vgt_device *device, uint64_t phys)
{
	if (device->listener.written)
		device->listener.written(device->listener.context, phys);
}

void vgt_device_fail(struct vgt_device *device, const char *format, ...)
{
	char line[512];
	va_list args;

	if (atomic_exchange(&device->dead, true))
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	vgt_log(VGT_LOG_ERROR, "device %u: %s", device->number, line);
	vgt_pool_wake(device);
	if (device->listener.failed)
		device->listener.failed(device->listener.context);
}
