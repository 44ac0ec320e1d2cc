// SPDX-License-Identifier: MIT
#include "tier/tier.h"

#include "eu/code.h"
#include "eu/division.h"
#include "eu/handler.h"
#include "eu/icache.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "host/log.h"
#include "tier/unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/*
 * Visits of a head before it is compiled, which takes as long as to interpret it
 * some 200,000 times, but mostly on a CPU that has nothing else to do.
 */
#define HEAT 50000
#define TICKS 16 /* one visit of so many is counted: the counts are shared */
#define TRIES 64 /* entries that are looked at, of each region */
#define WORTH 12 /* instructions that an entry has to execute */
#define NICER 5
#define QUEUE 32 /* regions that wait for the compiler */
#define PAGE_UNITS 64 /* regions of a page, also those that are out of date */
#define UNITS 4096 /* regions of all pages */
#define CR0_ACC_DISABLE 2U

struct job {
	struct job *next;
	struct vgt_code_page *page; /* pinned */
	const struct vgt_icache *cache;
	struct vgt_inst *head;
	struct vgt_division *division; /* a turn of it, instead of a region */
	struct vgt_graph *graph;
	uint32_t labels;
	bool masks; /* for channels that are not all enabled, too */
};

enum vgt_tier_mode vgt_tier_mode;

static const struct vgt_llvm *llvm;
static uint32_t limit = VGT_GRAPH_MAX;
static _Atomic uint64_t entered, turns;
static _Atomic uint32_t units;
static struct vgt_tier_spent spent;

/* What is not compiled, be it that LLVM refused or that there are too many. */
static struct vgt_unit none;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Protected by @lock. */
static struct job *queue, *running;
static uint32_t queued;

static void job_destroy(struct job *job)
{
	atomic_fetch_sub(&job->page->pins, 1);
	vgt_graph_destroy(job->graph);
	free(job);
}

static bool room(const struct vgt_code_page *page)
{
	return atomic_load(&page->unit_count) < PAGE_UNITS &&
	       atomic_load(&units) < UNITS;
}

/* @graph becomes the job's, or is freed. */
static struct job *job_create(struct vgt_code_page *page,
			      const struct vgt_icache *cache,
			      struct vgt_graph *graph)
{
	struct job *job = graph ? calloc(1, sizeof(*job)) : NULL;

	if (!job) {
		vgt_graph_destroy(graph);
		return NULL;
	}
	job->page = page;
	job->cache = cache;
	job->labels = atomic_load(&page->labels);
	job->graph = graph;
	atomic_fetch_add(&page->pins, 1);
	atomic_fetch_add(&page->unit_count, 1);
	return job;
}

/*
 * Mostly all channels are enabled. What takes others as well is twice the work, and
 * is done where channels of @enabled are missing, or were missing before.
 */
static struct job *job_create_region(struct vgt_code_page *page,
				     struct vgt_inst *head, uint32_t enabled,
				     const struct vgt_icache *cache)
{
	struct job *job;

	job = job_create(page, cache, room(page) ?
			 vgt_graph_create(page, head, limit) : NULL);
	if (!job)
		return NULL;
	job->head = head;
	job->masks = atomic_load(&head->unit) ||
		     vgt_graph_need(job->graph) & ~enabled;
	return job;
}

/* The run loop does not ask at @head any more. */
static void give_up(struct vgt_inst *head)
{
	atomic_store(&head->unit, &none);
	atomic_fetch_and(&head->flags, ~(uint32_t)VGT_INST_HEAD);
}

static void publish_turn(struct job *job, struct vgt_unit *unit)
{
	if (!unit)
		return;
	unit->graph = job->graph;
	job->graph = NULL;
	atomic_fetch_add(&units, 1);
	atomic_store_explicit(&job->division->unit, unit,
			      memory_order_release);
}

/* What there is of it, if anything, stays. */
static void give_up_new(struct vgt_inst *head)
{
	if (!atomic_load(&head->unit))
		give_up(head);
}

/* Threads find the region from here on. */
static struct vgt_unit *publish(struct job *job, struct vgt_unit *unit)
{
	if (job->division) {
		publish_turn(job, unit);
		return unit;
	}
	if (unit) {
		unit->page = job->page;
		unit->labels = job->labels;
		atomic_fetch_add(&units, 1);
		pthread_mutex_lock(&lock);
		unit->next = job->page->units;
		job->page->units = unit;
		pthread_mutex_unlock(&lock);
	}
	atomic_store_explicit(&job->head->heat, 0, memory_order_relaxed);
	if (!unit)
		give_up_new(job->head);
	else
		atomic_store_explicit(&job->head->unit, unit,
				      memory_order_release);
	return unit;
}

/* It was there when vgtd began: the interpreter goes on with what is compiled. */
static void missing(const char *why)
{
	static atomic_bool was_said;

	if (!atomic_exchange(&was_said, true))
		vgt_log(VGT_LOG_ERROR, "no more is compiled: %s", why);
}

/* As publish() wants it, and counted. */
static struct vgt_unit *compile(const struct job *job)
{
	const struct vgt_graph *graph = job->graph;
	struct timespec before, after;
	struct vgt_unit *unit;
	const char *why;
	uint64_t ns;

	if (!llvm)
		llvm = vgt_llvm_get(&why);
	if (!llvm) {
		missing(why);
		return NULL;
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
	unit = vgt_unit_create(llvm, graph, job->masks);
	if (vgt_llvm_is_broken())
		missing("LLVM gave up, as it does without memory");
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
	ns = (after.tv_sec - before.tv_sec) * 1000000000ULL + after.tv_nsec -
	     before.tv_nsec;
	atomic_fetch_add(&spent.ns, ns);
	atomic_fetch_add(&spent.regions, 1);
	for (uint32_t i = 0; i < graph->count; i++)
		atomic_fetch_add(&spent.lanes, graph->node[i].inst.exec_size);
	return unit;
}

static void *work(void *arg)
{
	struct vgt_unit *unit;
	struct job *job;

	(void)arg;
	/* Of this thread: what runs kernels comes first. */
	if (nice(NICER) < 0)
		errno = 0;
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!queue)
			pthread_cond_wait(&changed, &lock);
		job = queue;
		queue = job->next;
		queued--;
		running = job;
		pthread_mutex_unlock(&lock);
		unit = compile(job);
		publish(job, unit);
		pthread_mutex_lock(&lock);
		running = NULL;
		job_destroy(job);
		pthread_cond_broadcast(&changed);
	}
	return NULL;
}

/* Where a policy of the system refuses code, LLVM would jump to what is none. */
static bool may_make_code(void)
{
	const size_t bytes = sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool may;

	if (page == MAP_FAILED)
		return false;
	may = !mprotect(page, bytes, PROT_READ | PROT_EXEC);
	munmap(page, bytes);
	return may;
}

/* In the background it is loaded when there is something to compile. */
static bool may_load(enum vgt_tier_mode mode, const char **why_out)
{
	if (mode == VGT_TIER_HOT && vgt_llvm_is_there())
		return true;
	llvm = vgt_llvm_get(why_out);
	return llvm;
}

int vgt_tier_start(enum vgt_tier_mode mode, const char **why_out)
{
	pthread_t thread;
	int ret;

	if (mode != VGT_TIER_OFF && !may_load(mode, why_out))
		return -ENOSYS;
	if (mode != VGT_TIER_OFF && !may_make_code()) {
		*why_out = "the system refuses executable memory";
		return -EPERM;
	}
	if (mode == VGT_TIER_HOT) {
		ret = pthread_create(&thread, NULL, work, NULL);
		if (ret) {
			*why_out = "no thread for the compiler";
			return -ret;
		}
		pthread_detach(thread);
	}
	vgt_tier_mode = mode;
	return 0;
}

void vgt_tier_limit(uint32_t count)
{
	limit = count;
}

uint64_t vgt_tier_entered(void)
{
	return atomic_load(&entered);
}

uint64_t vgt_tier_turns(void)
{
	return atomic_load(&turns);
}

const struct vgt_tier_spent *vgt_tier_spent(void)
{
	return &spent;
}

void vgt_tier_mark(const struct vgt_inst *inst)
{
	struct vgt_inst *mutable = (struct vgt_inst *)inst;

	if (!(atomic_load_explicit(&inst->flags, memory_order_relaxed) &
	      VGT_INST_HEAD))
		atomic_fetch_or(&mutable->flags, VGT_INST_HEAD);
}

/* The page that @inst is of, as the thread's worker has it. */
static struct vgt_code_page *page_of(const struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst)
{
	struct vgt_code_page *page = thread->worker->reader.page;

	if (!page || page->key.number != inst->ip / VGT_CODE_BYTES ||
	    atomic_load(&page->inst[inst->ip % VGT_CODE_BYTES / 8]) != inst)
		return NULL;
	return page;
}

/* Is @unit compiled for the channels that are enabled? */
static bool fits(const struct vgt_unit *unit, uint32_t enabled)
{
	return !(unit->need & ~enabled);
}

static struct vgt_unit *compile_now(struct vgt_code_page *page,
				    struct vgt_inst *head, uint32_t enabled,
				    const struct vgt_icache *cache)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	struct vgt_unit *unit;
	struct job *job;

	pthread_mutex_lock(&one);
	unit = atomic_load(&head->unit);
	if (!unit || !fits(unit, enabled)) {
		job = job_create_region(page, head, enabled, cache);
		if (job) {
			unit = publish(job, compile(job));
			job_destroy(job);
		} else {
			give_up_new(head);
		}
	}
	pthread_mutex_unlock(&one);
	return unit;
}

static void queue_locked(struct job *job)
{
	struct job **end;

	for (end = &queue; *end; end = &(*end)->next)
		;
	*end = job;
	queued++;
	pthread_cond_broadcast(&changed);
}

/* One that is asked for twice is compiled twice: rare, and harmless. */
static void compile_later(struct vgt_code_page *page, struct vgt_inst *head,
			  uint32_t enabled, const struct vgt_icache *cache)
{
	struct job *job;

	pthread_mutex_lock(&lock);
	if (queued >= QUEUE) {
		/* It will be asked for again. */
		atomic_store_explicit(&head->heat, 0, memory_order_relaxed);
		pthread_mutex_unlock(&lock);
		return;
	}
	job = job_create_region(page, head, enabled, cache);
	if (!job)
		give_up_new(head);
	else
		queue_locked(job);
	pthread_mutex_unlock(&lock);
}

/* The visit is counted if it @looks. */
static struct vgt_unit *find(struct vgt_eu_thread *thread,
			     const struct vgt_inst *inst, bool looks)
{
	struct vgt_unit *unit = atomic_load_explicit(&inst->unit,
						     memory_order_acquire);
	struct vgt_inst *head = (struct vgt_inst *)inst;
	const struct vgt_icache *cache;
	struct vgt_code_page *page;

	if (unit && fits(unit, thread->enabled))
		return unit;
	page = page_of(thread, inst);
	if (!page || !looks)
		return NULL;
	cache = thread->group->walker->icache;
	if (vgt_tier_mode == VGT_TIER_ALWAYS)
		return compile_now(page, head, thread->enabled, cache);
	if (atomic_fetch_add_explicit(&head->heat, 1, memory_order_relaxed) ==
	    HEAT / TICKS)
		compile_later(page, head, thread->enabled, cache);
	return NULL;
}

/* One of so many visits, in this thread. */
static bool tick(void)
{
	static _Thread_local uint32_t ticks;

	return ++ticks % TICKS == 0;
}

/* What all code relies on, and nobody changes while it runs. */
static bool state_known(const struct vgt_eu_thread *thread)
{
	return !thread->in_sip &&
	       !(vgt_load32(thread->reg + VGT_REG_CR) & CR0_ACC_DISABLE) &&
	       !(thread->enabled & ~(thread->dispatch_mask &
				     thread->call_mask));
}

static bool may_enter(const struct vgt_eu_thread *thread,
		      const struct vgt_unit *unit, uint64_t budget,
		      uint64_t epoch)
{
	return unit->run && budget >= unit->count &&
	       fits(unit, thread->enabled) &&
	       (unit->page->loaded ||
		atomic_load_explicit(&unit->page->checked,
				     memory_order_relaxed) == epoch) &&
	       state_known(thread);
}

/* Channels may wait at instructions of which the region does not know it. */
static void outdated(const struct vgt_inst *inst)
{
	struct vgt_inst *head = (struct vgt_inst *)inst;

	atomic_store_explicit(&head->heat, 0, memory_order_relaxed);
	atomic_store(&head->unit, NULL);
}

/* A region that is left as soon as it is entered costs more than it gains. */
static void judge(const struct vgt_inst *inst, struct vgt_unit *unit,
		  uint64_t executed)
{
	uint32_t seen = atomic_fetch_add(&unit->seen, 1) + 1;
	uint64_t all = atomic_fetch_add(&unit->executed, executed) + executed;

	if (seen == TRIES && all < TRIES * WORTH)
		give_up((struct vgt_inst *)inst);
}

/* Channels have parted, of which there are no masks: it counts as a visit. */
static void parted(const struct vgt_unit *unit, const struct vgt_inst *inst,
		   const struct vgt_icache *cache)
{
	struct vgt_inst *head = (struct vgt_inst *)inst;

	if (atomic_fetch_add_explicit(&head->heat, 1, memory_order_relaxed) ==
	    HEAT / TICKS)
		compile_later(unit->page, head, 0, cache);
}

bool vgt_tier_run(struct vgt_eu_thread *thread, const struct vgt_inst **inst,
		  uint64_t *budget)
{
	struct vgt_icache *cache = thread->group->walker->icache;
	const struct vgt_inst *head = *inst;
	bool always = vgt_tier_mode == VGT_TIER_ALWAYS, looks = tick();
	struct vgt_unit_call call = { 0 };
	struct vgt_unit *unit;

	looks |= always;
	if (!looks && !atomic_load_explicit(&head->unit, memory_order_relaxed))
		return false;
	call.left = *budget;
	call.epoch = vgt_icache_epoch(cache);
	call.epoch_now = vgt_icache_epoch_place(cache);
	unit = find(thread, head, looks);
	if (!unit || !may_enter(thread, unit, *budget, call.epoch))
		return false;
	if (atomic_load_explicit(&unit->page->labels, memory_order_relaxed) !=
	    unit->labels) {
		outdated(head);
		return false;
	}
	if (always)
		atomic_fetch_add_explicit(&entered, 1, memory_order_relaxed);
	*inst = unit->run(thread, &call);
	if (!always && call.parted)
		parted(unit, head, cache);
	else if (looks && !always && atomic_load(&unit->seen) < TRIES)
		judge(head, unit, *budget - call.left);
	*budget = call.left;
	return true;
}

static bool queue_is_full(void)
{
	bool is_full;

	pthread_mutex_lock(&lock);
	is_full = queued >= QUEUE;
	pthread_mutex_unlock(&lock);
	return is_full;
}

/* The page of the head is where the turn's code ends with its division. */
static void turn_compile(struct vgt_eu_thread *thread,
			 struct vgt_division *division,
			 struct vgt_code_page *page)
{
	const struct vgt_icache *cache = thread->group->walker->icache;
	struct job *job;

	job = job_create(page, cache, room(page) ?
			 vgt_graph_create_turn(thread, division->head,
					       division->end) : NULL);
	if (!job)
		return;
	job->division = division;
	job->masks = true;
	if (vgt_tier_mode == VGT_TIER_ALWAYS) {
		publish(job, compile(job));
		job_destroy(job);
		return;
	}
	pthread_mutex_lock(&lock);
	queue_locked(job);
	pthread_mutex_unlock(&lock);
}

void vgt_tier_turn_ask(struct vgt_eu_thread *thread,
		       struct vgt_division *division)
{
	const struct vgt_inst *head = division->head;
	struct vgt_code_page *page;

	/* It is asked for again while there is no room. */
	if (queue_is_full() || atomic_exchange(&division->asked, true) ||
	    vgt_icache_fetch(thread, head->ip) != head)
		return;
	page = page_of(thread, head);
	if (page)
		turn_compile(thread, division, page);
}

bool vgt_tier_turn(struct vgt_eu_thread *thread, const struct vgt_unit *unit,
		   uint64_t *executed_out)
{
	const struct vgt_icache *cache = thread->group->walker->icache;
	const uint64_t left = VGT_GRAPH_MAX;
	struct vgt_unit_call call = {
		.left = left,
		.epoch = vgt_icache_epoch(cache),
		.epoch_now = vgt_icache_epoch_place(cache),
	};
	const struct vgt_inst *next;

	if (!state_known(thread))
		return false;
	if (vgt_tier_mode == VGT_TIER_ALWAYS)
		atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
	next = unit->run(thread, &call);
	if (next)
		thread->ip = next->ip;
	*executed_out = left - call.left;
	return true;
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
	struct job **link = &queue, *job;

	pthread_mutex_lock(&lock);
	while (*link) {
		job = *link;
		if (job->cache != cache) {
			link = &job->next;
			continue;
		}
		*link = job->next;
		queued--;
		job_destroy(job);
	}
	while (running && running->cache == cache)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}
