// SPDX-License-Identifier: MIT
#include "tier/tier.h"

#include "eu/code.h"
#include "eu/division.h"
#include "eu/handler.h"
#include "eu/icache.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "tier/image.h"
#include "tier/job.h"
#include "tier/store.h"
#include "tier/unit.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

/*
 * Visits of a head before it is compiled, which takes as long as to interpret it
 * some 70,000 times, but only once.
 */
#define HEAT 16000
#define HEAT_INSIDE (4 * HEAT) /* of one that a region has which begins elsewhere */
#define HEAT_STORED 64 /* before it is looked for among what is stored */
/* What a region leads to is likely to run as often, and begins with so much heat. */
#define WARM (HEAT / TICKS * 15 / 16)
#define GOOD 2000000 /* executions of a region before it is compiled well */
#define TICKS 16 /* one visit of so many is counted: the counts are shared */
#define TRIES 64 /* entries that are looked at, of each region */
#define WORTH 12 /* instructions that an entry has to execute */
/* Processor's time that vgtd has taken before it loads LLVM, which takes half as long. */
#define LOAD_MS 200
#define CR0_ACC_DISABLE 2U

enum vgt_tier_mode vgt_tier_mode;

static atomic_bool worth_it; /* to load it */
static uint32_t limit = VGT_GRAPH_MAX;
static _Atomic uint64_t entered, turns;

/* Or does a policy of the system refuse it? */
static bool may_make_code(void)
{
	struct vgt_image image;
	bool may = vgt_image_copy(&image, "", 1, 0);

	vgt_image_fini(&image);
	return may;
}

/* In the background it is loaded when there is something to compile. */
static bool may_load(enum vgt_tier_mode mode, const char **why_out)
{
	if (mode == VGT_TIER_HOT && vgt_llvm_is_there())
		return true;
	atomic_store(&worth_it, vgt_llvm_get(why_out));
	return atomic_load(&worth_it);
}

int vgt_tier_start(enum vgt_tier_mode mode, const char **why_out)
{
	int ret = 0;

	if (mode != VGT_TIER_OFF && !may_load(mode, why_out))
		return -ENOSYS;
	if (mode != VGT_TIER_OFF && !may_make_code()) {
		*why_out = "the system refuses executable memory";
		return -EPERM;
	}
	if (mode == VGT_TIER_HOT)
		ret = vgt_job_start();
	if (ret) {
		*why_out = "no thread for the compiler";
		return ret;
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

/*
 * Mostly all channels are enabled. What takes others as well is twice the work, and
 * is done where channels of @enabled are missing, or were missing before.
 */
static struct vgt_job *create_region(struct vgt_code_page *page,
				     struct vgt_inst *head, uint32_t enabled,
				     struct vgt_icache *cache)
{
	uint32_t labels = atomic_load(&page->labels);
	struct vgt_job *job;

	job = vgt_job_create(page, cache, labels,
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

/* Both levels are tried, and always the same one at the same place. */
static enum vgt_unit_level level_of(const struct vgt_inst *head)
{
	return head->ip / 16 % 2 ? VGT_UNIT_GOOD : VGT_UNIT_QUICK;
}

static struct vgt_unit *compile_now(struct vgt_code_page *page,
				    struct vgt_inst *head, uint32_t enabled,
				    struct vgt_icache *cache)
{
	static pthread_mutex_t one_region = PTHREAD_MUTEX_INITIALIZER;
	struct vgt_unit *unit;
	struct vgt_job *job;

	pthread_mutex_lock(&one_region);
	unit = atomic_load(&head->unit);
	if (!unit || !vgt_unit_fits(unit, enabled)) {
		job = vgt_job_has_room(page, cache, false) ?
		      create_region(page, head, enabled, cache) : NULL;
		if (job) {
			job->level = level_of(head);
			unit = vgt_job_do(job);
		} else {
			vgt_job_give_up_new(head, cache);
		}
	}
	pthread_mutex_unlock(&one_region);
	return unit;
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
	struct vgt_job *job;

	if (!may_compile() || !vgt_job_has_room(page, cache, false)) {
		/* It will be asked for again. */
		atomic_store_explicit(&head->heat, 0, memory_order_relaxed);
		return;
	}
	job = create_region(page, head, enabled, cache);
	if (job)
		vgt_job_queue(job);
	else
		vgt_job_give_up_new(head, cache);
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
	awaited = vgt_job_awaits(page, head);
	hot = !awaited && (visits == HEAT_INSIDE ||
			   !vgt_job_inside(page, head, enabled));
	if (awaited)
		atomic_store_explicit(&head->heat, 0, memory_order_relaxed);
	return hot;
}

/* What an earlier process has compiled is looked for sooner, and again as more is decoded. */
static bool may_be_stored(const struct vgt_inst *head, uint32_t visits)
{
	return vgt_store_has_any() && !atomic_load(&head->unit) &&
	       (visits == HEAT_STORED || visits == 8 * HEAT_STORED ||
		visits == 64 * HEAT_STORED ||
		visits == TICKS * WARM);
}

static void look_later(struct vgt_code_page *page, struct vgt_inst *head,
		       struct vgt_icache *cache)
{
	struct vgt_job *job = vgt_job_has_room(page, cache, true) ?
			      create_region(page, head, UINT32_MAX, cache) : NULL;

	if (!job)
		return;
	job->only_finds = true;
	vgt_job_queue(job);
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

	if (unit && vgt_unit_fits(unit, thread->enabled))
		return unit;
	page = page_of(thread, inst);
	if (!page || !looks)
		return NULL;
	cache = thread->group->walker->icache;
	if (vgt_tier_mode == VGT_TIER_ALWAYS)
		return compile_now(page, head, thread->enabled, cache);
	visits = TICKS * atomic_fetch_add_explicit(&head->heat, 1,
						   memory_order_relaxed);
	if (is_hot(head, page, visits, thread->enabled))
		compile_later(page, head, thread->enabled, cache);
	else if (may_be_stored(head, visits))
		look_later(page, head, cache);
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
	       vgt_unit_fits(unit, thread->enabled) &&
	       (unit->page->loaded ||
		atomic_load_explicit(&unit->page->checked,
				     memory_order_relaxed) == epoch) &&
	       state_known(thread);
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
	struct vgt_job *job;

	if (!may_compile() || !vgt_job_has_room(unit->page, cache, false)) {
		/* It will be asked for again, when it has executed as much again. */
		atomic_store(&unit->executed, TRIES * WORTH);
		atomic_store(&unit->asked, false);
		return;
	}
	job = create_region(unit->page, head, unit->need, cache);
	if (!job)
		return;
	job->level = VGT_UNIT_GOOD;
	job->masks = !unit->need;
	vgt_job_queue(job);
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
		vgt_job_give_up(head, cache);
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
	struct vgt_unit_call call = { .arrive = vgt_flow_arrive };
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
		/* Channels may wait at instructions of which it does not know that. */
		vgt_job_forget((struct vgt_inst *)head, cache);
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
			 struct vgt_code_page *page, bool only_finds)
{
	uint32_t labels = atomic_load(&page->labels);
	struct vgt_job *job;

	job = vgt_job_create(page, thread->group->walker->icache, labels,
			     vgt_graph_create_turn(thread, division->head,
						   division->end));
	if (!job)
		return;
	job->division = division;
	job->masks = true;
	/* What divides was visited often enough for the better one. */
	job->level = vgt_tier_mode == VGT_TIER_ALWAYS ?
		     level_of(division->head) : VGT_UNIT_GOOD;
	job->only_finds = only_finds;
	if (vgt_tier_mode == VGT_TIER_ALWAYS)
		vgt_job_do(job);
	else
		vgt_job_queue(job);
}

void vgt_tier_turn_ask(struct vgt_eu_thread *thread,
		       struct vgt_division *division)
{
	const struct vgt_inst *head = division->head;
	struct vgt_code_page *page;
	atomic_bool *asked;
	bool only_finds;

	/* It is asked for again while there is no room. */
	if ((vgt_tier_mode != VGT_TIER_ALWAYS && !tick()) ||
	    vgt_icache_fetch(thread, head->ip) != head)
		return;
	page = page_of(thread, head);
	only_finds = !may_compile();
	asked = only_finds ? &division->looked : &division->asked;
	if (!page || (only_finds && !vgt_store_has_any()) || atomic_load(asked) ||
	    !vgt_job_has_room(page, thread->group->walker->icache, only_finds) ||
	    atomic_exchange(asked, true))
		return;
	if (!atomic_load(&division->unit))
		turn_compile(thread, division, page, only_finds);
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
		.arrive = vgt_flow_arrive,
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

