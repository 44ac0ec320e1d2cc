// SPDX-License-Identifier: MIT
#include "tier/job.h"

#include "eu/code.h"
#include "eu/division.h"
#include "eu/icache.h"
#include "host/log.h"
#include "tier/content.h"
#include "tier/store.h"
#include "tier/tier.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define QUEUE 32 /* regions that wait for the compiler */
#define LOOKS 8 /* that wait for what is stored */
#define PAGE_UNITS 64 /* regions of a page, also those that wait to be freed */
#define UNITS 4096 /* regions of all pages */

static _Atomic uint32_t units;
static struct vgt_tier_spent spent;

/* What is not compiled, be it that LLVM refused or that there are too many. */
static struct vgt_unit none;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Protected by @lock, as the units of pages are. */
static struct vgt_job *queue, *running;
static uint32_t queued[2]; /* and those that only find */

static void job_destroy(struct vgt_job *job)
{
	if (!job->published)
		atomic_fetch_sub(&job->page->unit_count, 1);
	atomic_fetch_sub(&job->page->pins, 1);
	vgt_graph_destroy(job->graph);
	free(job);
}

/* No thread finds @unit any more, but some may be in it. */
static void retire(struct vgt_unit *unit, struct vgt_icache *cache)
{
	if (unit && unit != &none)
		atomic_store(&unit->left_at, vgt_icache_era_end(cache));
}

/* What of the page no thread can be in any more. */
static void collect_locked(struct vgt_code_page *page,
			   struct vgt_icache *cache)
{
	const uint64_t oldest = vgt_icache_era_oldest(cache);
	struct vgt_unit **link = &page->units, *unit;

	while ((unit = *link)) {
		uint64_t left_at = atomic_load(&unit->left_at);

		if (!left_at || left_at >= oldest) {
			link = &unit->next;
			continue;
		}
		*link = unit->next;
		unit->next = NULL;
		vgt_tier_destroy(unit);
		atomic_fetch_sub(&page->unit_count, 1);
	}
}

bool vgt_job_has_room(struct vgt_code_page *page, struct vgt_icache *cache,
		      bool only_finds)
{
	bool is_there;

	pthread_mutex_lock(&lock);
	collect_locked(page, cache);
	is_there = queued[only_finds] < (only_finds ? LOOKS : QUEUE) &&
		   atomic_load(&units) < UNITS &&
		   atomic_load(&page->unit_count) < PAGE_UNITS;
	pthread_mutex_unlock(&lock);
	return is_there;
}

struct vgt_job *vgt_job_create(struct vgt_code_page *page,
			       struct vgt_icache *cache, uint32_t labels,
			       struct vgt_graph *graph)
{
	struct vgt_job *job = graph ? calloc(1, sizeof(*job)) : NULL;

	if (!job) {
		vgt_graph_destroy(graph);
		return NULL;
	}
	job->page = page;
	job->cache = cache;
	job->labels = labels;
	job->graph = graph;
	job->level = VGT_UNIT_QUICK;
	atomic_fetch_add(&page->pins, 1);
	atomic_fetch_add(&page->unit_count, 1);
	return job;
}

void vgt_job_give_up(struct vgt_inst *head, struct vgt_icache *cache)
{
	retire(atomic_exchange(&head->unit, &none), cache);
	atomic_fetch_and(&head->flags, ~(uint32_t)VGT_INST_HEAD);
}

void vgt_job_give_up_new(struct vgt_inst *head, struct vgt_icache *cache)
{
	if (!atomic_load(&head->unit))
		vgt_job_give_up(head, cache);
}

void vgt_job_forget(struct vgt_inst *head, struct vgt_icache *cache)
{
	atomic_store_explicit(&head->heat, 0, memory_order_relaxed);
	retire(atomic_exchange(&head->unit, NULL), cache);
}

static struct vgt_unit *publish_turn(struct vgt_job *job, struct vgt_unit *unit)
{
	struct vgt_unit *before = NULL;

	if (!unit)
		return NULL;
	unit->graph = job->graph;
	job->graph = NULL;
	/* One that was looked for may have been found since this one was asked for. */
	if (!atomic_compare_exchange_strong(&job->division->unit, &before, unit)) {
		vgt_unit_destroy(unit);
		return before;
	}
	job->published = true;
	atomic_fetch_add(&units, 1);
	return unit;
}

/* Threads find the region from here on. */
static struct vgt_unit *publish(struct vgt_job *job, struct vgt_unit *unit)
{
	if (!unit && job->only_finds)
		return NULL;
	if (job->division)
		return publish_turn(job, unit);
	if (unit) {
		unit->page = job->page;
		unit->labels = job->labels;
		job->published = true;
		atomic_fetch_add(&units, 1);
		pthread_mutex_lock(&lock);
		unit->next = job->page->units;
		job->page->units = unit;
		pthread_mutex_unlock(&lock);
	}
	atomic_store_explicit(&job->head->heat, 0, memory_order_relaxed);
	if (!unit)
		vgt_job_give_up_new(job->head, job->cache);
	else
		retire(atomic_exchange(&job->head->unit, unit), job->cache);
	return unit;
}

/* It was there when vgtd began: the interpreter goes on with what is compiled. */
static void missing(const char *why)
{
	static atomic_bool was_said;

	if (!atomic_exchange(&was_said, true))
		vgt_log(VGT_LOG_ERROR, "no more is compiled: %s", why);
}

static struct vgt_unit *find(const struct vgt_job *job, bool masks)
{
	enum vgt_unit_level level = job->level;
	struct vgt_unit *unit = NULL;
	bool stored = false;

	/* Who takes whatever there is takes the best. */
	if (vgt_tier_mode == VGT_TIER_HOT)
		level = VGT_UNIT_GOOD;
	while (!unit && level >= job->level)
		unit = vgt_unit_find(job->graph, masks, level--, &stored);
	if (unit)
		atomic_fetch_add(stored ? &spent.stored : &spent.reused, 1);
	return unit;
}

/* As publish() wants it. It is counted, and *@made_out is for keep(). */
static struct vgt_unit *compile(const struct vgt_job *job,
				struct vgt_content **made_out)
{
	const struct vgt_graph *graph = job->graph;
	struct timespec before, after;
	const struct vgt_llvm *llvm;
	struct vgt_unit *unit;
	const char *why;
	uint64_t ns;

	llvm = vgt_llvm_get(&why);
	if (!llvm) {
		missing(why);
		return NULL;
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
	unit = vgt_unit_compile(llvm, graph, job->masks, job->level);
	if (vgt_llvm_is_broken())
		missing("LLVM gave up, as it does without memory or stack");
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
	ns = (after.tv_sec - before.tv_sec) * 1000000000ULL + after.tv_nsec -
	     before.tv_nsec;
	atomic_fetch_add(&spent.ns, ns);
	atomic_fetch_add(&spent.regions, 1);
	for (uint32_t i = 0; i < graph->count; i++)
		atomic_fetch_add(&spent.lanes, graph->node[i].inst.exec_size);
	if (unit) {
		vgt_content_get(unit->content);
		*made_out = unit->content;
	}
	return unit;
}

/* When threads have it, and nobody waits: the folder may be slow. */
static void keep(struct vgt_content *made)
{
	if (!made)
		return;
	vgt_store_add(made);
	vgt_content_put(made);
}

/* What is there, or is made. */
static struct vgt_unit *provide(const struct vgt_job *job,
				struct vgt_content **made_out)
{
	struct vgt_unit *unit;

	if (!job->only_finds) {
		unit = find(job, job->masks);
		return unit ? unit : compile(job, made_out);
	}
	/* Where there is code with masks, they were needed; or no other is made. */
	unit = find(job, true);
	return unit || job->graph->turn || !vgt_graph_need(job->graph) ?
	       unit : find(job, false);
}

struct vgt_unit *vgt_job_do(struct vgt_job *job)
{
	struct vgt_content *made = NULL;
	struct vgt_unit *unit = publish(job, provide(job, &made));

	job_destroy(job);
	keep(made);
	return unit;
}

static void *work(void *arg)
{
	struct vgt_content *made;
	struct vgt_job *job;

	(void)arg;
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!queue)
			pthread_cond_wait(&changed, &lock);
		job = queue;
		queue = job->next;
		queued[job->only_finds]--;
		running = job;
		pthread_mutex_unlock(&lock);
		made = NULL;
		publish(job, provide(job, &made));
		pthread_mutex_lock(&lock);
		running = NULL;
		job_destroy(job);
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		keep(made);
		pthread_mutex_lock(&lock);
	}
	return NULL;
}

int vgt_job_start(void)
{
	static bool has_worker;
	pthread_t thread;
	int ret;

	/* One at a time: who forgets code waits for what is @running. */
	if (has_worker)
		return 0;
	ret = pthread_create(&thread, NULL, work, NULL);
	if (ret)
		return -ret;
	pthread_detach(thread);
	has_worker = true;
	return 0;
}

void vgt_job_queue(struct vgt_job *job)
{
	struct vgt_job **end;

	pthread_mutex_lock(&lock);
	for (end = &queue; *end; end = &(*end)->next)
		;
	*end = job;
	queued[job->only_finds]++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

bool vgt_job_inside(const struct vgt_code_page *page, const struct vgt_inst *inst,
		    uint32_t enabled)
{
	const uint32_t labels = atomic_load(&page->labels);
	const struct vgt_unit *unit;

	pthread_mutex_lock(&lock);
	unit = page->units;
	while (unit && (atomic_load(&unit->left_at) ||
			unit->labels != labels ||
			!vgt_unit_fits(unit, enabled) ||
			!vgt_unit_has(unit, inst)))
		unit = unit->next;
	pthread_mutex_unlock(&lock);
	return unit;
}

/* Of a division's turn nobody comes to the middle, and what is looked for may not be. */
static bool job_has(const struct vgt_job *job, const struct vgt_code_page *page,
		    const struct vgt_inst *inst)
{
	return job->page == page && !job->division && !job->only_finds &&
	       vgt_graph_find(job->graph, inst->ip);
}

bool vgt_job_awaits(const struct vgt_code_page *page, const struct vgt_inst *inst)
{
	const struct vgt_job *job;
	bool awaited;

	pthread_mutex_lock(&lock);
	awaited = running && job_has(running, page, inst);
	job = queue;
	while (job && !job_has(job, page, inst))
		job = job->next;
	pthread_mutex_unlock(&lock);
	return awaited || job;
}

void vgt_tier_destroy(struct vgt_unit *list)
{
	struct vgt_unit *unit;

	while (list) {
		unit = list;
		list = unit->next;
		vgt_unit_destroy(unit);
		atomic_fetch_sub(&units, 1);
	}
}

void vgt_tier_forget(const struct vgt_icache *cache)
{
	struct vgt_job **link = &queue, *job;

	pthread_mutex_lock(&lock);
	while (*link) {
		job = *link;
		if (job->cache != cache) {
			link = &job->next;
			continue;
		}
		*link = job->next;
		queued[job->only_finds]--;
		job_destroy(job);
	}
	while (running && running->cache == cache)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

const struct vgt_tier_spent *vgt_tier_spent(void)
{
	return &spent;
}
