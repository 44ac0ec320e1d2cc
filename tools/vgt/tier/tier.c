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
 * some 70,000 times, but only once.
 */
#define HEAT 16000
#define HEAT_INSIDE (4 * HEAT) /* of one that a region has which begins elsewhere */
/* What a region leads to is likely to run as often, and begins with so much heat. */
#define WARM (HEAT / TICKS * 15 / 16)
#define GOOD 2000000 /* executions of a region before it is compiled well */
#define TICKS 16 /* one visit of so many is counted: the counts are shared */
#define TRIES 64 /* entries that are looked at, of each region */
#define WORTH 12 /* instructions that an entry has to execute */
/* Processor's time that vgtd has taken before it loads LLVM, which takes half as long. */
#define LOAD_MS 200
#define QUEUE 32 /* regions that wait for the compiler */
#define PAGE_UNITS 64 /* regions of a page, also those that wait to be freed */
#define UNITS 4096 /* regions of all pages */
#define CR0_ACC_DISABLE 2U

struct job {
	struct job *next;
	struct vgt_code_page *page; /* pinned */
	struct vgt_icache *cache;
	struct vgt_inst *head;
	struct vgt_division *division; /* a turn of it, instead of a region */
	struct vgt_graph *graph;
	uint32_t labels;
	bool published;
	bool masks; /* for channels that are not all enabled, too */
	enum vgt_unit_level level;
};

enum vgt_tier_mode vgt_tier_mode;

static const struct vgt_llvm *llvm;
static atomic_bool worth_it; /* to load it */
static uint32_t limit = VGT_GRAPH_MAX;
static _Atomic uint64_t entered, turns;
static _Atomic uint32_t units;
static struct vgt_tier_spent spent;

/* What is not compiled, be it that LLVM refused or that there are too many. */
static struct vgt_unit none;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Protected by @lock, as the units of pages are. */
static struct job *queue, *running;
static uint32_t queued;

static void job_destroy(struct job *job)
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

/* For one region more, in the page and in the queue. */
static bool room(struct vgt_code_page *page, struct vgt_icache *cache)
{
	bool is_there;

	pthread_mutex_lock(&lock);
	collect_locked(page, cache);
	is_there = queued < QUEUE && atomic_load(&units) < UNITS &&
		   atomic_load(&page->unit_count) < PAGE_UNITS;
	pthread_mutex_unlock(&lock);
	return is_there;
}

/* @graph, made when the page had @labels, becomes the job's, or is freed. */
static struct job *job_create(struct vgt_code_page *page,
			      struct vgt_icache *cache, uint32_t labels,
			      struct vgt_graph *graph)
{
	struct job *job = graph ? calloc(1, sizeof(*job)) : NULL;

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

/*
 * Mostly all channels are enabled. What takes others as well is twice the work, and
 * is done where channels of @enabled are missing, or were missing before.
 */
static struct job *job_create_region(struct vgt_code_page *page,
				     struct vgt_inst *head, uint32_t enabled,
				     struct vgt_icache *cache)
{
	uint32_t labels = atomic_load(&page->labels);
	struct job *job;

	job = job_create(page, cache, labels,
			 vgt_graph_create(page, head, limit,
					  vgt_tier_mode == VGT_TIER_ALWAYS ?
					  0 : WORTH));
	if (!job)
		return NULL;
	job->head = head;
	job->masks = atomic_load(&head->unit) ||
		     vgt_graph_need(job->graph) & ~enabled;
	return job;
}

/* The run loop does not ask at @head any more. */
static void give_up(struct vgt_inst *head, struct vgt_icache *cache)
{
	retire(atomic_exchange(&head->unit, &none), cache);
	atomic_fetch_and(&head->flags, ~(uint32_t)VGT_INST_HEAD);
}

static void publish_turn(struct job *job, struct vgt_unit *unit)
{
	if (!unit)
		return;
	unit->graph = job->graph;
	job->graph = NULL;
	job->published = true;
	atomic_fetch_add(&units, 1);
	atomic_store_explicit(&job->division->unit, unit,
			      memory_order_release);
}

/* What there is of it, if anything, stays. */
static void give_up_new(struct vgt_inst *head, struct vgt_icache *cache)
{
	if (!atomic_load(&head->unit))
		give_up(head, cache);
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
		job->published = true;
		atomic_fetch_add(&units, 1);
		pthread_mutex_lock(&lock);
		unit->next = job->page->units;
		job->page->units = unit;
		pthread_mutex_unlock(&lock);
	}
	atomic_store_explicit(&job->head->heat, 0, memory_order_relaxed);
	if (!unit)
		give_up_new(job->head, job->cache);
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

/* As publish() wants it, and counted. */
static struct vgt_unit *compile(const struct job *job)
{
	const struct vgt_graph *graph = job->graph;
	struct timespec before, after;
	struct vgt_unit *unit;
	bool compiled = false;
	const char *why;
	uint64_t ns;

	if (!llvm)
		llvm = vgt_llvm_get(&why);
	if (!llvm) {
		missing(why);
		return NULL;
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
	unit = vgt_unit_create(llvm, graph, job->masks, job->level, &compiled);
	if (vgt_llvm_is_broken())
		missing("LLVM gave up, as it does without memory or stack");
	if (!compiled) {
		atomic_fetch_add(&spent.reused, unit ? 1 : 0);
		return unit;
	}
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
	atomic_store(&worth_it, llvm);
	return llvm;
}

int vgt_tier_start(enum vgt_tier_mode mode, const char **why_out)
{
	static bool has_worker;
	pthread_t thread;
	int ret;

	if (mode != VGT_TIER_OFF && !may_load(mode, why_out))
		return -ENOSYS;
	if (mode != VGT_TIER_OFF && !may_make_code()) {
		*why_out = "the system refuses executable memory";
		return -EPERM;
	}
	/* One at a time: who forgets code waits for what is @running. */
	if (mode == VGT_TIER_HOT && !has_worker) {
		ret = pthread_create(&thread, NULL, work, NULL);
		if (ret) {
			*why_out = "no thread for the compiler";
			return -ret;
		}
		pthread_detach(thread);
		has_worker = true;
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

/* Both levels are tried, and always the same one at the same place. */
static enum vgt_unit_level level_of(const struct vgt_inst *head)
{
	return head->ip / 16 % 2 ? VGT_UNIT_GOOD : VGT_UNIT_QUICK;
}

static struct vgt_unit *compile_now(struct vgt_code_page *page,
				    struct vgt_inst *head, uint32_t enabled,
				    struct vgt_icache *cache)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	struct vgt_unit *unit;
	struct job *job;

	pthread_mutex_lock(&one);
	unit = atomic_load(&head->unit);
	if (!unit || !fits(unit, enabled)) {
		job = room(page, cache) ?
		      job_create_region(page, head, enabled, cache) : NULL;
		if (job) {
			job->level = level_of(head);
			unit = publish(job, compile(job));
			job_destroy(job);
		} else {
			give_up_new(head, cache);
		}
	}
	pthread_mutex_unlock(&one);
	return unit;
}

static void queue_add(struct job *job)
{
	struct job **end;

	pthread_mutex_lock(&lock);
	for (end = &queue; *end; end = &(*end)->next)
		;
	*end = job;
	queued++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* What is done soon is done sooner without. */
static bool may_compile(void)
{
	struct timespec used;

	if (atomic_load_explicit(&worth_it, memory_order_relaxed))
		return true;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	if (used.tv_sec * 1000 + used.tv_nsec / 1000000 < LOAD_MS)
		return false;
	atomic_store(&worth_it, true);
	return true;
}

/* One that is asked for twice is compiled twice: rare, and harmless. */
static void compile_later(struct vgt_code_page *page, struct vgt_inst *head,
			  uint32_t enabled, struct vgt_icache *cache)
{
	struct job *job;

	if (!may_compile() || !room(page, cache)) {
		/* It will be asked for again. */
		atomic_store_explicit(&head->heat, 0, memory_order_relaxed);
		return;
	}
	job = job_create_region(page, head, enabled, cache);
	if (job)
		queue_add(job);
	else
		give_up_new(head, cache);
}

/* Does a region of the page have it that begins elsewhere, and may be entered so? */
static bool inside_locked(const struct vgt_code_page *page,
			  const struct vgt_inst *inst, uint32_t enabled)
{
	const uint32_t labels = atomic_load(&page->labels);
	const struct vgt_unit *unit = page->units;

	while (unit && (atomic_load(&unit->left_at) ||
			unit->labels != labels || !fits(unit, enabled) ||
			!vgt_unit_has(unit, inst)))
		unit = unit->next;
	return unit;
}

/* Of a division's turn nobody comes to the middle. */
static bool job_has(const struct job *job, const struct vgt_code_page *page,
		    const struct vgt_inst *inst)
{
	return job->page == page && !job->division &&
	       vgt_graph_find(job->graph, inst->ip);
}

/* Is one waited for? */
static bool awaited_locked(const struct vgt_code_page *page,
			   const struct vgt_inst *inst)
{
	const struct job *job = queue;

	if (running && job_has(running, page, inst))
		return true;
	while (job && !job_has(job, page, inst))
		job = job->next;
	return job;
}

/*
 * Is it time to compile it, after so many visits? Of a loop whose channels part there are
 * many heads, and one region has all of them, if it has masks.
 */
static bool is_hot(struct vgt_inst *head, const struct vgt_code_page *page,
		   uint32_t visits, uint32_t enabled)
{
	bool awaited, hot;

	if (visits != HEAT && visits != HEAT_INSIDE)
		return false;
	if (atomic_load(&head->unit))
		return visits == HEAT;
	pthread_mutex_lock(&lock);
	awaited = awaited_locked(page, head);
	hot = !awaited && (visits == HEAT_INSIDE ||
			   !inside_locked(page, head, enabled));
	pthread_mutex_unlock(&lock);
	if (awaited)
		atomic_store_explicit(&head->heat, 0, memory_order_relaxed);
	return hot;
}

/* The visit is counted if it @looks. */
static struct vgt_unit *find(struct vgt_eu_thread *thread,
			     const struct vgt_inst *inst, bool looks)
{
	struct vgt_unit *unit = atomic_load_explicit(&inst->unit,
						     memory_order_acquire);
	struct vgt_inst *head = (struct vgt_inst *)inst;
	struct vgt_code_page *page;
	struct vgt_icache *cache;
	uint32_t visits;

	if (unit && fits(unit, thread->enabled))
		return unit;
	page = page_of(thread, inst);
	if (!page || !looks)
		return NULL;
	cache = thread->group->walker->icache;
	if (vgt_tier_mode == VGT_TIER_ALWAYS)
		return compile_now(page, head, thread->enabled, cache);
	visits = atomic_fetch_add_explicit(&head->heat, 1,
					   memory_order_relaxed);
	if (is_hot(head, page, TICKS * visits, thread->enabled))
		compile_later(page, head, thread->enabled, cache);
	return NULL;
}

/*
 * One of so many visits, in this thread, at random: heads that take turns would
 * otherwise find that it is always the same one of them.
 */
static bool tick(void)
{
	static _Thread_local uint32_t random;

	random = random * 1664525 + 1013904223;
	return random < UINT32_MAX / TICKS;
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
static void outdated(const struct vgt_inst *inst, struct vgt_icache *cache)
{
	struct vgt_inst *head = (struct vgt_inst *)inst;

	atomic_store_explicit(&head->heat, 0, memory_order_relaxed);
	retire(atomic_exchange(&head->unit, NULL), cache);
}

/* One of TICKS entries executed so much: is a better one worth it, for the first time? */
static bool earns_better(struct vgt_unit *unit, uint64_t executed)
{
	uint64_t all = atomic_fetch_add(&unit->executed, executed) + executed;

	return unit->level == VGT_UNIT_QUICK &&
	       all / unit->count >= GOOD / TICKS &&
	       !atomic_exchange(&unit->asked, true);
}

static void compile_better(struct vgt_unit *unit, struct vgt_inst *head,
			   struct vgt_icache *cache)
{
	struct job *job;

	if (!room(unit->page, cache)) {
		/* It will be asked for again, when it has executed as much again. */
		atomic_store(&unit->executed, TRIES * WORTH);
		atomic_store(&unit->asked, false);
		return;
	}
	job = job_create_region(unit->page, head, unit->need, cache);
	if (!job)
		return;
	job->level = VGT_UNIT_GOOD;
	job->masks = !unit->need;
	queue_add(job);
}

/* A region that is left as soon as it is entered costs more than it gains. */
static void judge(const struct vgt_inst *inst, struct vgt_unit *unit,
		  uint64_t executed, struct vgt_icache *cache)
{
	bool better = earns_better(unit, executed);
	struct vgt_inst *head = (struct vgt_inst *)inst;

	if (better)
		compile_better(unit, head, cache);
	if (atomic_load(&unit->seen) < TRIES &&
	    atomic_fetch_add(&unit->seen, 1) + 1 == TRIES &&
	    atomic_load(&unit->executed) < TRIES * WORTH)
		give_up(head, cache);
}

/* Channels have parted, of which there are no masks: it counts as a visit. */
static void parted(const struct vgt_unit *unit, const struct vgt_inst *inst,
		   struct vgt_icache *cache)
{
	struct vgt_inst *head = (struct vgt_inst *)inst;

	if (atomic_fetch_add_explicit(&head->heat, 1, memory_order_relaxed) ==
	    HEAT / TICKS)
		compile_later(unit->page, head, 0, cache);
}

/*
 * Code goes on behind a region, be it one that was full: at @next, or at thread->ip, which
 * is fetched as the run loop would do it, with all that this may lead to.
 */
static const struct vgt_inst *lead_on(struct vgt_eu_thread *thread,
				      const struct vgt_inst *next)
{
	struct vgt_inst *head;

	if (!next && thread->status == VGT_EU_YIELD) {
		next = vgt_icache_fetch(thread, thread->ip);
		if (next)
			vgt_tier_mark(next);
	}
	head = (struct vgt_inst *)next;
	if (head && !atomic_load_explicit(&head->unit, memory_order_relaxed) &&
	    atomic_load_explicit(&head->flags, memory_order_relaxed) &
	    VGT_INST_HEAD &&
	    atomic_load_explicit(&head->heat, memory_order_relaxed) < WARM)
		atomic_store_explicit(&head->heat, WARM, memory_order_relaxed);
	return next;
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
	call.ip = unit->ip;
	call.origin = unit->origin;
	if (atomic_load_explicit(&unit->page->labels, memory_order_relaxed) !=
	    unit->labels) {
		outdated(head, cache);
		return false;
	}
	if (always)
		atomic_fetch_add_explicit(&entered, 1, memory_order_relaxed);
	*inst = unit->run(thread, &call);
	if (!always && call.parted)
		parted(unit, head, cache);
	else if (looks && !always)
		judge(head, unit, *budget - call.left, cache);
	if (looks && !always)
		*inst = lead_on(thread, *inst);
	*budget = call.left;
	return true;
}

/* The page of the head is where the turn's code ends with its division. */
static void turn_compile(struct vgt_eu_thread *thread,
			 struct vgt_division *division,
			 struct vgt_code_page *page)
{
	uint32_t labels = atomic_load(&page->labels);
	struct job *job;

	job = job_create(page, thread->group->walker->icache, labels,
			 vgt_graph_create_turn(thread, division->head,
					       division->end));
	if (!job)
		return;
	job->division = division;
	job->masks = true;
	/* What divides was visited often enough for the better one. */
	job->level = vgt_tier_mode == VGT_TIER_ALWAYS ?
		     level_of(division->head) : VGT_UNIT_GOOD;
	if (vgt_tier_mode == VGT_TIER_ALWAYS) {
		publish(job, compile(job));
		job_destroy(job);
		return;
	}
	queue_add(job);
}

void vgt_tier_turn_ask(struct vgt_eu_thread *thread,
		       struct vgt_division *division)
{
	const struct vgt_inst *head = division->head;
	struct vgt_code_page *page;

	/* It is asked for again while there is no room. */
	if ((vgt_tier_mode != VGT_TIER_ALWAYS && !tick()) ||
	    vgt_icache_fetch(thread, head->ip) != head)
		return;
	page = page_of(thread, head);
	if (page && may_compile() &&
	    room(page, thread->group->walker->icache) &&
	    !atomic_exchange(&division->asked, true))
		turn_compile(thread, division, page);
}

bool vgt_tier_turn(struct vgt_eu_thread *thread,
		   const struct vgt_division *division, uint64_t *executed_out)
{
	struct vgt_unit *unit = atomic_load_explicit(&division->unit,
						     memory_order_acquire);
	const struct vgt_icache *cache = thread->group->walker->icache;
	const uint64_t left = VGT_GRAPH_MAX;
	struct vgt_unit_call call = {
		.left = left,
		.epoch = vgt_icache_epoch(cache),
		.epoch_now = vgt_icache_epoch_place(cache),
	};
	const struct vgt_inst *next;

	if (!unit || !state_known(thread))
		return false;
	call.ip = unit->ip;
	call.origin = unit->origin;
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
