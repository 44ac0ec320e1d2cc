// SPDX-License-Identifier: MIT
/*
 * A thread for each engine runs the list's first context without the lock. What a
 * driver submits meanwhile stands in @next until that thread takes it: at the end of
 * the ring, where commands allow it (mi.c), or between two groups of a walker. EU
 * threads are never interrupted: they keep no state that could be put back. A list with
 * the same context first is accepted at once, and leaves it alone but for its ring's tail
 * ("lite restore").
 *
 * A reset takes everything away and waits until the thread has left, so that nothing
 * of an old context is written after it.
 */
#include "gt/execlist.h"

#include "gt/context.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/engine.h"
#include "gt/field.h"
#include "gt/ggtt.h"
#include "gt/interrupt.h"
#include "gt/lrc.h"
#include "gt/pool.h"
#include "host/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PORTS 2

#define SQ_CONTROL_LOAD VGT_BIT(0)
#define MI_MODE_STOP VGT_BIT(8)
#define MI_MODE_IDLE VGT_BIT(9)
#define RESET_CTL_REQUEST VGT_BIT(0)
#define RESET_CTL_READY VGT_BIT(1)

#define DESCRIPTOR_FORCE_RESTORE VGT_BIT64(2)
#define DESCRIPTOR_ID VGT_MASK64(47, 37)

/* The context status buffer, in the engine's status page. */
#define CSB_ENTRIES 12
#define CSB_OFFSET 0x40U
#define CSB_INDEX_OFFSET 0xbcU
#define CSB_POINTER VGT_MASK(3, 0)
#define CSB_ID VGT_MASK64(25, 15)
#define CSB_ID_IDLE 0x7ffULL
#define CSB_NEW_LIST VGT_BIT64(0)
#define CSB_AWAY_SHIFT 32

struct vgt_execlist {
	struct vgt_engine *engine;
	struct vgt_context context; /* the one that runs */
	struct vgt_worker *own; /* a command streamer's without EUs */
	pthread_t thread;
	bool started;

	pthread_mutex_t lock;
	pthread_cond_t change;
	/* Protected by @lock. */
	uint64_t active[PORTS], next[PORTS]; /* descriptors; 0: none */
	uint32_t csb; /* entry that was written last */
	bool submitted; /* @next is new */
	bool running; /* the thread executes commands */
	bool follows; /* and would still see that the ring's tail has moved */
	bool tail_moved; /* it has, and was not read again */
	bool hung; /* until it is reset */
	bool ending;
};

static void list_free(struct vgt_execlist *list)
{
	if (!list)
		return;
	pthread_cond_destroy(&list->change);
	pthread_mutex_destroy(&list->lock);
	free(list->own);
	free(list);
}

static int list_create(struct vgt_engine *engine)
{
	struct vgt_execlist *list = calloc(1, sizeof(*list));

	if (!list)
		return -ENOMEM;
	list->engine = engine;
	list->csb = CSB_ENTRIES - 1;
	pthread_mutex_init(&list->lock, NULL);
	pthread_cond_init(&list->change, NULL);
	engine->list = list;
	if (vgt_engine_is_render(engine))
		return 0;
	list->own = calloc(1, sizeof(*list->own));
	if (!list->own)
		return -ENOMEM;
	list->own->device = engine->device;
	engine->worker = list->own;
	return 0;
}

int vgt_execlists_create(struct vgt_device *device)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < VGT_ENGINES; i++)
		ret = list_create(&device->engine[i]);
	if (ret)
		vgt_execlists_destroy(device);
	return ret;
}

void vgt_execlists_destroy(struct vgt_device *device)
{
	for (uint32_t i = 0; i < VGT_ENGINES; i++) {
		list_free(device->engine[i].list);
		device->engine[i].list = NULL;
	}
}

static uint64_t id_of(uint64_t descriptor)
{
	return descriptor & VGT_CONTEXT_VALID ?
	       VGT_GET(DESCRIPTOR_ID, descriptor) : CSB_ID_IDLE;
}

/* The driver reads the index first, then the entries up to it. */
static void csb_put_locked(struct vgt_execlist *list, uint64_t to,
			   uint64_t away, uint64_t flags)
{
	struct vgt_engine *engine = list->engine;
	uint32_t page = vgt_engine_get(engine, VGT_ENGINE_HWSP) &
			~(uint32_t)(VGT_PAGE_BYTES - 1);
	uint8_t *at = vgt_ggtt_host(&engine->device->memory, page);
	uint64_t entry = VGT_PUT(CSB_ID, id_of(to)) | flags |
			 VGT_PUT(CSB_ID, id_of(away)) << CSB_AWAY_SHIFT;

	if (!at) {
		vgt_engine_fail(engine, "status page 0x%x: not mapped", page);
		list->hung = true;
		return;
	}
	list->csb = (list->csb + 1) % CSB_ENTRIES;
	__atomic_store_n((uint64_t *)(at + CSB_OFFSET) + list->csb, entry,
			 __ATOMIC_RELEASE);
	__atomic_store_n((uint32_t *)(at + CSB_INDEX_OFFSET), list->csb,
			 __ATOMIC_RELEASE);
	vgt_interrupt_raise(engine, VGT_INTERRUPT_SWITCH);
}

static void accept_locked(struct vgt_execlist *list)
{
	csb_put_locked(list, list->next[0], list->active[0], CSB_NEW_LIST);
	memcpy(list->active, list->next, sizeof(list->active));
	list->submitted = false;
	atomic_store(&list->engine->preempt, false);
}

static void complete_locked(struct vgt_execlist *list)
{
	uint64_t done = list->active[0];

	list->active[0] = list->active[1];
	list->active[1] = 0;
	csb_put_locked(list, list->active[0], done, 0);
}

static void run_locked(struct vgt_execlist *list)
{
	uint64_t descriptor = list->active[0];
	struct vgt_engine *engine = list->engine;
	int ret;

	list->running = true;
	list->follows = true;
	list->tail_moved = false;
	pthread_mutex_unlock(&list->lock);
	ret = vgt_context_execute(engine, &list->context, descriptor);
	pthread_mutex_lock(&list->lock);
	list->running = false;
	list->follows = false;
	pthread_cond_broadcast(&list->change);
	if (vgt_engine_stopped(engine) || (ret && ret != -EAGAIN))
		list->hung = true;
	else if (!ret && !list->hung)
		complete_locked(list);
}

int vgt_execlist_follow(struct vgt_engine *engine, struct vgt_context *context)
{
	struct vgt_execlist *list = engine->list;
	int ret = 1;

	if (!list)
		return ret;
	pthread_mutex_lock(&list->lock);
	/* What the image has may be the tail of a list that waits: then this one goes on later. */
	list->follows = list->tail_moved &&
			!(list->submitted && context->arbitration);
	if (list->follows)
		ret = vgt_lrc_tail_load(engine, context);
	else if (list->tail_moved)
		ret = -EAGAIN;
	list->tail_moved = false;
	pthread_mutex_unlock(&list->lock);
	return ret;
}

static void list_serve(struct vgt_execlist *list)
{
	pthread_mutex_lock(&list->lock);
	while (!list->ending) {
		if (list->submitted && !list->hung)
			accept_locked(list);
		if (list->hung || !(list->active[0] & VGT_CONTEXT_VALID))
			pthread_cond_wait(&list->change, &list->lock);
		else
			run_locked(list);
	}
	pthread_mutex_unlock(&list->lock);
}

static void *list_thread(void *argument)
{
	list_serve(argument);
	return NULL;
}

int vgt_execlists_start(struct vgt_device *device)
{
	struct vgt_execlist *list;
	int ret;

	for (uint32_t i = 0; i < VGT_ENGINES; i++) {
		list = device->engine[i].list;
		if (!list->own)
			continue;
		ret = -pthread_create(&list->thread, NULL, list_thread, list);
		if (ret)
			return ret;
		list->started = true;
	}
	return 0;
}

void vgt_execlists_serve(struct vgt_device *device)
{
	list_serve(device->engine[VGT_RCS].list);
}

void vgt_execlists_stop(struct vgt_device *device)
{
	struct vgt_execlist *list;

	for (uint32_t i = 0; i < VGT_ENGINES; i++) {
		list = device->engine[i].list;
		atomic_store(&device->engine[i].halt, true);
		pthread_mutex_lock(&list->lock);
		list->ending = true;
		pthread_cond_broadcast(&list->change);
		pthread_mutex_unlock(&list->lock);
		if (list->started)
			pthread_join(list->thread, NULL);
		list->started = false;
	}
}

/* EU threads leave at their next turn; those that wait for a debugger, at once. */
static void walkers_abort(struct vgt_device *device)
{
	atomic_store(&device->dead, true);
	vgt_pool_wake(device);
}

static void list_reset(struct vgt_execlist *list)
{
	struct vgt_engine *engine = list->engine;
	bool render = !list->own;

	atomic_store(&engine->halt, true);
	if (render)
		walkers_abort(engine->device);
	pthread_mutex_lock(&list->lock);
	memset(list->next, 0, sizeof(list->next));
	list->submitted = false;
	while (list->running)
		pthread_cond_wait(&list->change, &list->lock);
	memset(list->active, 0, sizeof(list->active));
	list->hung = false;
	list->csb = CSB_ENTRIES - 1;
	atomic_store(&engine->preempt, false);
	atomic_store(&engine->halt, false);
	if (render)
		atomic_store(&engine->device->dead, false);
	pthread_mutex_unlock(&list->lock);
	vgt_engine_set(engine, VGT_ENGINE_RESET_CTL, 0);
	vgt_engine_set(engine, VGT_ENGINE_MI_MODE, 0);
}

void vgt_execlists_reset(struct vgt_device *device, uint32_t domains)
{
	struct vgt_engine *engine;

	for (uint32_t i = 0; i < VGT_ENGINES; i++) {
		engine = &device->engine[i];
		if (!(domains & (engine->kind->reset | VGT_RESET_ALL)))
			continue;
		list_reset(engine->list);
		vgt_log(VGT_LOG_DEBUG, "device %u: %s: reset", device->number,
			engine->kind->name);
	}
}

static uint64_t port_get(const struct vgt_engine *engine, uint32_t port)
{
	return vgt_engine_get(engine, VGT_ENGINE_SQ + 8 * port) |
	       (uint64_t)vgt_engine_get(engine, VGT_ENGINE_SQ + 8 * port + 4)
	       << 32;
}

/* Not where one is to be loaded anew, or another list waits already. */
static bool is_lite_locked(const struct vgt_execlist *list)
{
	uint64_t differs = list->next[0] ^ list->active[0];

	return list->follows && !list->submitted && !list->hung &&
	       !(list->next[0] & DESCRIPTOR_FORCE_RESTORE) &&
	       !(differs & ~DESCRIPTOR_FORCE_RESTORE);
}

static void submit(struct vgt_engine *engine)
{
	struct vgt_execlist *list = engine->list;

	pthread_mutex_lock(&list->lock);
	for (uint32_t port = 0; port < PORTS; port++)
		list->next[port] = port_get(engine, port);
	if (is_lite_locked(list)) {
		list->tail_moved = true;
		accept_locked(list);
	} else {
		list->submitted = true;
		atomic_store(&engine->preempt, true);
		pthread_cond_broadcast(&list->change);
	}
	pthread_mutex_unlock(&list->lock);
}

/* Of what is on the engine: also while it hangs, so that a driver finds the culprit. */
static uint32_t status_get(struct vgt_execlist *list, bool high)
{
	uint64_t descriptor;

	pthread_mutex_lock(&list->lock);
	descriptor = list->active[0];
	pthread_mutex_unlock(&list->lock);
	return high ? (uint32_t)(descriptor >> 32) : (uint32_t)descriptor;
}

static uint32_t mode_get(struct vgt_engine *engine)
{
	uint32_t value = vgt_engine_get(engine, VGT_ENGINE_MI_MODE);
	bool busy;

	pthread_mutex_lock(&engine->list->lock);
	busy = engine->list->active[0] || engine->list->submitted;
	pthread_mutex_unlock(&engine->list->lock);
	return !busy || (value & MI_MODE_STOP) ? value | MI_MODE_IDLE : value;
}

bool vgt_execlist_reg_read(struct vgt_device *device, uint32_t offset,
			   uint32_t *value_out)
{
	struct vgt_engine *engine = vgt_engine_find(device, offset);

	if (!engine || !engine->list) {
		*value_out = 0;
		return device->engine[VGT_RCS].list && offset == VGT_GDRST;
	}
	switch (offset - engine->kind->base) {
	case VGT_ENGINE_STATUS:
	case VGT_ENGINE_STATUS_HIGH:
		*value_out = status_get(engine->list, offset & 8);
		return true;
	case VGT_ENGINE_MI_MODE:
		*value_out = mode_get(engine);
		return true;
	default:
		return false;
	}
}

static void csb_set(struct vgt_execlist *list, uint32_t value)
{
	pthread_mutex_lock(&list->lock);
	list->csb = VGT_GET(CSB_POINTER, value) % CSB_ENTRIES;
	pthread_mutex_unlock(&list->lock);
}

static void reset_ctl_set(struct vgt_engine *engine, uint32_t value)
{
	value = vgt_masked(vgt_engine_get(engine, VGT_ENGINE_RESET_CTL), value);
	value &= ~RESET_CTL_READY;
	if (value & RESET_CTL_REQUEST)
		value |= RESET_CTL_READY;
	vgt_engine_set(engine, VGT_ENGINE_RESET_CTL, value);
}

bool vgt_execlist_reg_write(struct vgt_device *device, uint32_t offset,
			    uint32_t value)
{
	struct vgt_engine *engine = vgt_engine_find(device, offset);

	if (!engine || !engine->list) {
		if (!device->engine[VGT_RCS].list || offset != VGT_GDRST)
			return false;
		vgt_execlists_reset(device, value);
		return true;
	}
	switch (offset - engine->kind->base) {
	case VGT_ENGINE_SQ_CONTROL:
		if (value & SQ_CONTROL_LOAD)
			submit(engine);
		return true;
	case VGT_ENGINE_CSB_POINTER:
		csb_set(engine->list, value);
		return true;
	case VGT_ENGINE_RESET_CTL:
		reset_ctl_set(engine, value);
		return true;
	case VGT_ENGINE_MI_MODE:
		vgt_engine_set(engine, VGT_ENGINE_MI_MODE,
			       vgt_masked(vgt_engine_get(engine,
							 VGT_ENGINE_MI_MODE),
					  value));
		return true;
	default:
		return false;
	}
}
