// SPDX-License-Identifier: MIT
/*
 * One walker runs at a time, and belongs to the caller of vgt_pool_run(), which does
 * not return before every worker has left work(): @inside counts them. Groups are
 * taken from @next without the lock; it is needed for slots, and for groups that
 * are parked or wait for a worker.
 *
 * A slot's EU thread is memory of the pool and lives as long, so a driver may set
 * @pending or @notified of a thread that ends at that moment. The next one that
 * starts there clears both.
 */
#include "gt/pool.h"

#include "check/check.h"
#include "eu/eu.h"
#include "eu/icache.h"
#include "gt/attention.h"
#include "gt/context.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/slots.h"
#include "gt/walker.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <time.h>

#define WORKERS_MAX 64

struct pool_worker {
	struct vgt_worker base; /* first: the two are one to group.c */
	struct vgt_pool *pool;
	struct vgt_group *spare; /* has slots, for the next group */
	_Atomic uint64_t instructions;
	pthread_t thread;
	bool running;
};

struct vgt_pool {
	struct vgt_device *device;
	struct pool_worker *worker;
	uint32_t workers;
	struct vgt_eu_thread *thread; /* one per slot */
	_Atomic bool resident[VGT_THREADS];
	_Atomic uint64_t walkers, run_ns;

	/* The walker that runs, for all workers. */
	const struct vgt_walker *walker;
	uint64_t groups; /* in all */
	_Atomic uint64_t next; /* first that was not taken yet */
	_Atomic int64_t since_ns; /* for the watchdog */
	_Atomic uint64_t wakes;
	_Atomic bool queued; /* @runnable is not empty */

	pthread_mutex_t lock;
	pthread_cond_t work; /* for workers that are outside: a walker, or the end */
	pthread_cond_t turn; /* inside: a group, slots, or the walker's end */
	pthread_cond_t idle; /* for vgt_pool_run(): all workers have left */

	/* Protected by @lock. */
	struct vgt_slots slots;
	struct vgt_group *runnable, *parked, *unused;
	uint32_t busy; /* workers that run a group */
	uint32_t inside; /* workers in work() */
	bool old_first; /* of @runnable and new groups */
	bool open; /* @walker may be worked on */
	bool ending;
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static bool dead(const struct vgt_pool *pool)
{
	return atomic_load_explicit(&pool->device->dead, memory_order_relaxed);
}

/* What has started ends, and nothing else starts. */
static bool draining(const struct vgt_pool *pool)
{
	return pool->walker->preempt &&
	       atomic_load_explicit(pool->walker->preempt,
				    memory_order_relaxed);
}

/* A group with slots for @walker's threads, or NULL if there are too few. */
static struct vgt_group *group_get_locked(struct vgt_pool *pool)
{
	const struct vgt_walker *walker = pool->walker;
	struct vgt_group *group = pool->unused;

	if (group)
		pool->unused = group->next;
	else
		group = calloc(1, sizeof(*group));
	if (!group)
		return NULL;
	if (walker->slm_bytes && !group->local)
		group->local = aligned_alloc(64, VGT_SLM_BYTES);
	group->reserved = walker->threads;
	if ((!walker->slm_bytes || group->local) &&
	    !vgt_slots_get(&pool->slots, walker->threads, group->slot,
			   &group->dss))
		return group;
	group->next = pool->unused;
	pool->unused = group;
	return NULL;
}

/* None is left of a group that has ended, all that stand of one that may not go on. */
static void threads_drop(struct vgt_pool *pool, struct vgt_group *group)
{
	for (uint32_t i = 0; i < group->count; i++) {
		if (!group->thread[i])
			continue;
		vgt_pool_resident(pool, group->thread[i]->slot, false);
		vgt_attention_drop(group->thread[i]);
		/* The place of it there may be that of one which has ended. */
		group->slot[group->slots++] = group->thread[i]->slot;
		group->thread[i] = NULL;
	}
}

static void group_put_locked(struct vgt_pool *pool, struct vgt_group *group)
{
	if (!group)
		return;
	threads_drop(pool, group);
	vgt_slots_put(&pool->slots, group->slot, group->reserved, group->dss);
	group->next = pool->unused;
	pool->unused = group;
	pthread_cond_broadcast(&pool->turn);
}

/* Takes turns: what yields goes to the end. */
static void queue_locked(struct vgt_pool *pool, struct vgt_group *group)
{
	struct vgt_group **end = &pool->runnable;

	while (*end)
		end = &(*end)->next;
	group->next = NULL;
	*end = group;
	atomic_store(&pool->queued, true);
	pthread_cond_signal(&pool->turn);
}

static struct vgt_group *group_new(struct vgt_pool *pool,
				   struct pool_worker *worker)
{
	struct vgt_group *group = worker->spare;
	uint64_t index;

	if (draining(pool))
		return NULL;
	index = atomic_fetch_add(&pool->next, 1);
	if (index >= pool->groups)
		return NULL;
	worker->spare = NULL;
	vgt_group_init(group, pool->walker, index);
	return group;
}

/* New groups and those that had a turn take turns, so that none starves. */
static struct vgt_group *pick_locked(struct vgt_pool *pool,
				     struct pool_worker *worker)
{
	struct vgt_group *group = NULL;

	pool->old_first = !pool->old_first && pool->runnable;
	if (!pool->old_first && atomic_load(&pool->next) < pool->groups) {
		if (!worker->spare)
			worker->spare = group_get_locked(pool);
		if (worker->spare)
			group = group_new(pool, worker);
	}
	if (!group && pool->runnable) {
		group = pool->runnable;
		pool->runnable = group->next;
		atomic_store(&pool->queued, pool->runnable);
		group_put_locked(pool, worker->spare);
		worker->spare = NULL;
	}
	return group;
}

static bool complete_locked(const struct vgt_pool *pool)
{
	return dead(pool) ||
	       (!pool->busy && !pool->runnable && !pool->parked &&
		(atomic_load(&pool->next) >= pool->groups || draining(pool)));
}

/* The next group to run, or NULL if the walker is complete. */
static struct vgt_group *take(struct vgt_pool *pool, struct pool_worker *worker)
{
	struct vgt_group *group = NULL;

	if (worker->spare && !dead(pool) && !atomic_load(&pool->queued)) {
		group = group_new(pool, worker);
		if (group)
			return group;
	}
	pthread_mutex_lock(&pool->lock);
	pool->busy--;
	while (!complete_locked(pool)) {
		group = pick_locked(pool, worker);
		if (group) {
			pool->busy++;
			break;
		}
		pthread_cond_wait(&pool->turn, &pool->lock);
	}
	if (!group)
		pthread_cond_broadcast(&pool->turn);
	pthread_mutex_unlock(&pool->lock);
	return group;
}

static void run(struct vgt_pool *pool, struct pool_worker *worker,
		struct vgt_group *group)
{
	uint64_t wakes = atomic_load(&pool->wakes);
	enum vgt_group_status status;

	vgt_tlb_use(&worker->base.tlb, &pool->walker->ppgtt,
		    atomic_load(&pool->device->generation));
	status = vgt_group_run(group, pool, &worker->base);
	worker->base.current = NULL;
	if (status == VGT_GROUP_ENDED && !worker->spare) {
		worker->spare = group;
		return;
	}
	pthread_mutex_lock(&pool->lock);
	if (status == VGT_GROUP_PARKED && wakes == atomic_load(&pool->wakes)) {
		group->next = pool->parked;
		pool->parked = group;
	} else if (status == VGT_GROUP_PARKED ||
		   status == VGT_GROUP_YIELDED) {
		queue_locked(pool, group);
	} else {
		group_put_locked(pool, group);
	}
	pthread_mutex_unlock(&pool->lock);
}

/* Called with the lock held, and again when it returns. */
static void work(struct vgt_pool *pool, struct pool_worker *worker)
{
	struct vgt_group *group;

	pool->inside++;
	pool->busy++;
	pthread_mutex_unlock(&pool->lock);

	while ((group = take(pool, worker)))
		run(pool, worker, group);

	pthread_mutex_lock(&pool->lock);
	group_put_locked(pool, worker->spare);
	worker->spare = NULL;
	if (!--pool->inside)
		pthread_cond_signal(&pool->idle);
}

static void *worker_thread(void *argument)
{
	struct pool_worker *worker = argument;
	struct vgt_pool *pool = worker->pool;

	pthread_mutex_lock(&pool->lock);
	while (!pool->ending) {
		if (pool->open && !complete_locked(pool))
			work(pool, worker);
		else
			pthread_cond_wait(&pool->work, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* Groups of a device that died on the way. */
static void sweep_locked(struct vgt_pool *pool)
{
	struct vgt_group **lists[] = { &pool->runnable, &pool->parked };
	struct vgt_group *group;

	for (int i = 0; i < 2; i++)
		while ((group = *lists[i])) {
			*lists[i] = group->next;
			group_put_locked(pool, group);
		}
}

static int count_groups(const struct vgt_walker *walker, uint64_t *out)
{
	uint64_t count = 1;

	for (int i = 0; i < 3; i++) {
		if (walker->end[i] <= walker->start[i])
			count = 0;
		else if (__builtin_mul_overflow(count, walker->end[i] -
						walker->start[i], &count))
			return -EOVERFLOW;
	}
	*out = count;
	return 0;
}

static void workers_start(struct vgt_pool *pool)
{
	for (uint32_t i = 1; i < pool->workers; i++) {
		struct pool_worker *worker = &pool->worker[i];

		if (!worker->running)
			worker->running = !pthread_create(&worker->thread, NULL,
							  worker_thread,
							  worker);
	}
}

static int outcome(const struct vgt_pool *pool, uint64_t *next_out)
{
	uint64_t next = atomic_load(&pool->next);

	if (dead(pool))
		return -ECANCELED;
	if (next >= pool->groups)
		return 0;
	*next_out = next;
	return -EAGAIN;
}

int vgt_pool_run(struct vgt_pool *pool, const struct vgt_walker *walker,
		 uint64_t *next_out)
{
	int64_t start_ns = now_ns();
	uint64_t groups;

	if (count_groups(walker, &groups)) {
		vgt_device_fail(pool->device, "walker with too many groups");
		return -ECANCELED;
	}
	if (walker->first >= groups)
		return 0;
	vgt_icache_trim(walker->icache);
	pool->walker = walker;
	pool->groups = groups;
	atomic_store(&pool->next, walker->first);
	atomic_store(&pool->since_ns, start_ns);
	if (groups > 1)
		workers_start(pool);

	pthread_mutex_lock(&pool->lock);
	pool->slots.next = walker->context->state.next_dss % VGT_DSS;
	pool->open = true;
	if (groups > 1)
		pthread_cond_broadcast(&pool->work);
	work(pool, &pool->worker[0]);
	pool->open = false;
	while (pool->inside)
		pthread_cond_wait(&pool->idle, &pool->lock);
	sweep_locked(pool);
	walker->context->state.next_dss = pool->slots.next;
	pthread_mutex_unlock(&pool->lock);

	atomic_fetch_add(&pool->walkers, 1);
	atomic_fetch_add(&pool->run_ns, now_ns() - start_ns);
	return outcome(pool, next_out);
}

void vgt_pool_wake(struct vgt_device *device)
{
	struct vgt_pool *pool = device->pool;
	struct vgt_group *group;

	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	atomic_fetch_add(&pool->wakes, 1);
	atomic_store(&pool->since_ns, now_ns());
	while ((group = pool->parked)) {
		pool->parked = group->next;
		queue_locked(pool, group);
	}
	pthread_cond_broadcast(&pool->turn);
	pthread_mutex_unlock(&pool->lock);
}

struct vgt_eu_thread *vgt_pool_thread(struct vgt_device *device, uint32_t slot)
{
	struct vgt_pool *pool = device->pool;

	if (!pool || slot >= VGT_THREADS || !atomic_load(&pool->resident[slot]))
		return NULL;
	return &pool->thread[slot];
}

struct vgt_eu_thread *vgt_pool_slot(struct vgt_pool *pool, uint32_t slot)
{
	return &pool->thread[slot];
}

void vgt_pool_resident(struct vgt_pool *pool, uint32_t slot, bool resident)
{
	/* What is asked of one that has just ended is lost either way. */
	atomic_store_explicit(&pool->resident[slot], resident,
			      resident ? memory_order_seq_cst : memory_order_release);
}

void vgt_pool_count(struct vgt_worker *worker, uint64_t instructions)
{
	struct pool_worker *own = (struct pool_worker *)worker;

	atomic_store_explicit(&own->instructions,
			      own->instructions + instructions,
			      memory_order_relaxed);
}

bool vgt_pool_patience(struct vgt_pool *pool,
		       const struct vgt_eu_thread *thread)
{
	int64_t limit_ns = pool->device->options->watchdog_s * 1000000000LL;

	if (!limit_ns || now_ns() - atomic_load(&pool->since_ns) < limit_ns)
		return true;
	vgt_device_fail(pool->device,
			"watchdog: kernel 0x%llx runs for more than %u s: thread %u at ip 0x%x",
			(unsigned long long)pool->walker->kernel,
			pool->device->options->watchdog_s, thread->slot,
			thread->ip);
	return false;
}

void vgt_pool_totals(struct vgt_pool *pool, struct vgt_pool_totals *out)
{
	out->walkers = atomic_load(&pool->walkers);
	out->run_ns = atomic_load(&pool->run_ns);
	out->instructions = 0;
	for (uint32_t i = 0; i < pool->workers; i++)
		out->instructions += atomic_load(&pool->worker[i].instructions);
}

struct vgt_worker *vgt_pool_worker(struct vgt_pool *pool, uint32_t index)
{
	return &pool->worker[index].base;
}

static int threads_create(struct vgt_pool *pool)
{
	size_t len_bytes = VGT_THREADS * sizeof(struct vgt_eu_thread);
	void *at = mmap(NULL, len_bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return -errno;
	pool->thread = at;
	for (uint32_t slot = 0; slot < VGT_THREADS; slot++) {
		uint32_t dss = slot / VGT_DSS_THREADS;
		uint32_t index = slot % VGT_DSS_THREADS;

		pool->thread[slot].slot = slot;
		pool->thread[slot].fftid = (dss * 16 + index / 7) * 8 +
					   index % 7;
	}
	return 0;
}

int vgt_pool_create(struct vgt_device *device, struct vgt_pool **pool_out)
{
	struct vgt_pool *pool = calloc(1, sizeof(*pool));
	int ret = -ENOMEM;

	if (!pool)
		return ret;
	pool->device = device;
	pool->workers = device->options->threads;
	if (!pool->workers)
		pool->workers = get_nprocs();
	if (pool->workers > WORKERS_MAX)
		pool->workers = WORKERS_MAX;
	pool->worker = calloc(pool->workers, sizeof(*pool->worker));
	if (!pool->worker)
		goto err_free;
	ret = threads_create(pool);
	if (ret)
		goto err_worker;
	for (uint32_t i = 0; i < pool->workers; i++) {
		pool->worker[i].base.device = device;
		pool->worker[i].pool = pool;
	}
	vgt_slots_init(&pool->slots, vgt_device_subslices(device));
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->turn, NULL);
	pthread_cond_init(&pool->idle, NULL);
	*pool_out = pool;
	return 0;

err_worker:
	free(pool->worker);
err_free:
	free(pool);
	return ret;
}

void vgt_pool_destroy(struct vgt_pool *pool)
{
	struct vgt_group *group;

	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->ending = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (uint32_t i = 0; i < pool->workers; i++) {
		if (pool->worker[i].running)
			pthread_join(pool->worker[i].thread, NULL);
		vgt_icache_reader_fini(&pool->worker[i].base.reader);
		vgt_check_forget(pool->worker[i].base.check);
	}
	while ((group = pool->unused)) {
		pool->unused = group->next;
		vgt_check_group_destroy(group->check);
		free(group->local);
		free(group);
	}
	pthread_cond_destroy(&pool->idle);
	pthread_cond_destroy(&pool->turn);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	munmap(pool->thread, VGT_THREADS * sizeof(struct vgt_eu_thread));
	free(pool->worker);
	free(pool);
}
