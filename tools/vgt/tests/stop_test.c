// SPDX-License-Identifier: MIT
/*
 * Stops of compiled code against the interpreter's: random programs (structured.h)
 * are halted, stepped and run into breakpoints, which are written and taken back
 * while they run, by their own thread's host and by another one. What another one
 * does takes effect at some instruction or other; the interpreter is told to do it
 * there, by the count of instructions. Then all that a debugger could see must be
 * the same.
 */
#include "engine_rig.h"
#include "eu/icache.h"
#include "generate.h"
#include "gt/attention.h"
#include "gt/driver.h"
#include "gt/mmio.h"
#include "gt/pool.h"
#include "message_rig.h"
#include "same.h"
#include "structured.h"
#include "tap.h"
#include "tier/tier.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROGRAMS 4 /* if nothing else is asked */
#define EVENTS 40 /* of a program */
#define ROUND 10 /* events from one start of a program */
#define LENGTH_MAX 1500
#define SPIN_MAX 20000
#define ITEMS 2
#define RATE_LENGTH 20000000
#define RATE_TURNS 5
#define RARELY 20 /* one event of so many writes a breakpoint: all is compiled anew */
#define SIP_IP (RIG_BYTES - 4096)
#define SIP_FIRST 1 /* instruction of it, before a thread waits for the host */
#define DEBUG_MODE2_ENABLE (1U << 5)
#define BREAK_BIT (1U << 30)
#define CR_SUPPRESS (1U << 15) /* cr0.0 */
#define CR_BREAK (1U << 31) /* cr0.1; so is a step */
#define CR_HALT (1U << 30)

/* What another thread of the host does meanwhile. */
enum deed { NOTHING = 0, HALT = 1, BREAK = 2 };

struct both {
	struct rig *compiled, *plain;
	struct structured *source;
	uint8_t *sip;
	size_t bytes, sip_bytes;
	uint32_t places; /* instructions */

	enum deed deed;
	uint32_t place, spin;
	sem_t go, done;

	uint32_t halts, breaks, steps;
	bool was_in_sip, step; /* when this event began, and asked for by it */
};

static uint32_t *control(struct rig *rig, unsigned int dword)
{
	return (uint32_t *)(rig->thread->reg + VGT_REG_CR + 4 * dword);
}

static uint32_t *code_of(struct rig *rig, uint32_t place)
{
	return (uint32_t *)rig_at(rig, RIG_VA + 16 * place);
}

static void toggle(struct rig *rig, uint32_t place)
{
	__atomic_fetch_xor(code_of(rig, place), BREAK_BIT, __ATOMIC_RELAXED);
	/* As CS_DEBUG_MODE2 does. */
	vgt_icache_invalidate(rig->device->icache);
	atomic_fetch_or(&rig->thread->pending, VGT_EU_PENDING_FETCH);
}

static void do_deed(struct rig *rig, enum deed deed, uint32_t place)
{
	if (deed == HALT)
		atomic_fetch_or(&rig->thread->pending, VGT_EU_PENDING_HALT);
	else if (deed == BREAK)
		toggle(rig, place);
}

static void *other_thread(void *arg)
{
	struct both *both = arg;

	for (;;) {
		sem_wait(&both->go);
		if (both->deed == NOTHING)
			return NULL;
		for (volatile uint32_t i = 0; i < both->spin; i++)
			;
		do_deed(both->compiled, both->deed, both->place);
		sem_post(&both->done);
	}
}

static void set_mode(enum vgt_tier_mode mode)
{
	const char *why;

	vgt_tier_start(mode, &why);
}

static void run_compiled(struct both *both, uint64_t length)
{
	set_mode(VGT_TIER_ALWAYS);
	if (both->deed != NOTHING)
		sem_post(&both->go);
	vgt_eu_run(both->compiled->thread, length);
	if (both->deed != NOTHING)
		sem_wait(&both->done);
}

/* Has the deed stopped the compiled thread where it is? */
static bool was_deed(const struct both *both)
{
	struct rig *rig = both->compiled;

	if (rig->thread->status != VGT_EU_HOST)
		return false;
	if (both->deed == HALT)
		return *control(rig, 1) & CR_HALT;
	return *control(rig, 1) & CR_BREAK &&
	       *control(rig, 2) == 16 * both->place;
}

/* What is forced on a thread in its system routine has no effect once it leaves. */
static bool was_lost(const struct both *both)
{
	struct rig *rig = both->compiled;

	return both->deed == HALT && both->was_in_sip && !was_deed(both) &&
	       !(atomic_load(&rig->thread->pending) & VGT_EU_PENDING_HALT);
}

/* A link to other code takes of what may be executed, and counts for nothing. */
static void run_to(struct vgt_eu_thread *thread, uint64_t instructions)
{
	while (instructions > thread->instructions)
		if (vgt_eu_run(thread, instructions - thread->instructions) !=
		    VGT_EU_YIELD)
			return;
}

/* Was the breakpoint taken back? */
static bool was_taken(const struct both *both)
{
	return both->deed == BREAK &&
	       !(*code_of(both->compiled, both->place) & BREAK_BIT);
}

/*
 * As the compiled thread did. A breakpoint that was taken back had its effect, or
 * none.
 */
static void run_plain(struct both *both)
{
	uint64_t end = both->compiled->thread->instructions;
	bool early = was_deed(both) != was_taken(both);

	set_mode(VGT_TIER_OFF);
	if (early) {
		if (!was_taken(both))
			run_to(both->plain->thread, end - SIP_FIRST);
		do_deed(both->plain, both->deed, both->place);
	}
	run_to(both->plain->thread, end);
	if (!early && !was_lost(both))
		do_deed(both->plain, both->deed, both->place);
}

static void resume(struct rig *rig, bool pass, bool step)
{
	uint32_t *cr0 = control(rig, 0), *cr1 = control(rig, 1);

	if (rig->thread->status != VGT_EU_HOST)
		return;
	*cr0 = (*cr0 & ~CR_SUPPRESS) | (pass ? CR_SUPPRESS : 0);
	*cr1 = (*cr1 & 0xffff) | (step ? CR_BREAK : 0);
	atomic_store(&rig->thread->attention, 0);
	atomic_store(&rig->thread->notified, 1);
}

static void count(struct both *both)
{
	struct rig *rig = both->plain;

	if (rig->thread->status != VGT_EU_HOST)
		return;
	if (*control(rig, 1) & CR_HALT)
		both->halts++;
	else if (both->step)
		both->steps++;
	else
		both->breaks++;
}

static bool same(const struct both *both, char *why, size_t size)
{
	uint32_t compiled = atomic_load(&both->compiled->thread->pending);
	uint32_t plain = atomic_load(&both->plain->thread->pending);

	if (!same_thread(both->compiled->thread, both->plain->thread, why, size))
		return false;
	snprintf(why, size, "pending 0x%x, interpreter 0x%x", compiled, plain);
	return !((compiled ^ plain) & ~(uint32_t)VGT_EU_PENDING_FETCH);
}

/* Of two halts at a time one is lost. */
static enum deed choose(const struct both *both)
{
	if (structured_below(both->source, RARELY) == 0)
		return BREAK;
	if (structured_below(both->source, 2) ||
	    atomic_load(&both->plain->thread->pending) & VGT_EU_PENDING_HALT)
		return NOTHING;
	return HALT;
}

/* Anywhere, or not far behind where the thread is. */
static uint32_t some_place(const struct both *both)
{
	struct rig *rig = both->plain;
	uint32_t ip = rig->thread->in_sip ? *control(rig, 2) : rig->thread->ip;

	if (structured_below(both->source, 2))
		return structured_below(both->source, both->places);
	return (ip / 16 + structured_below(both->source, 16)) % both->places;
}

static bool event(struct both *both, char *why, size_t size)
{
	struct structured *source = both->source;
	bool pass = structured_below(source, 8);
	bool step = structured_below(source, 3) == 0;
	uint32_t place = some_place(both);
	uint64_t length = 1 + structured_below(source, LENGTH_MAX) %
			      (structured_below(source, 2) ? LENGTH_MAX : 100);

	if (structured_below(source, RARELY) == 0) {
		toggle(both->compiled, place);
		toggle(both->plain, place);
	}
	both->was_in_sip = both->plain->thread->in_sip;
	both->step = step && both->plain->thread->status == VGT_EU_HOST;
	resume(both->compiled, pass, step);
	resume(both->plain, pass, step);
	both->deed = choose(both);
	both->place = some_place(both);
	both->spin = structured_below(source, SPIN_MAX);
	run_compiled(both, length);
	run_plain(both);
	count(both);
	return same(both, why, size);
}

/* Without breakpoints. */
static void begin(struct both *both, struct rig *rig, const uint8_t *code,
		  const struct model_state *state)
{
	struct vgt_eu_thread *thread = rig->thread;

	for (size_t i = 0; i < both->bytes; i++)
		*rig_at(rig, RIG_VA + i) = code[i];
	for (size_t i = 0; i < both->sip_bytes; i++)
		*rig_at(rig, RIG_VA + SIP_IP + i) = both->sip[i];
	vgt_icache_invalidate(rig->device->icache);
	memset(thread, 0, sizeof(*thread));
	thread->group = &rig->group;
	thread->worker = rig->worker;
	thread->slot = 3;
	engine_thread_load(thread, state, 0);
	thread->dispatch_mask = state->enabled;
}

static struct rig *debugged_rig(void)
{
	struct rig *rig = rig_create();

	if (!rig)
		abort();
	rig->walker.state.instruction_base = RIG_VA;
	rig->walker.state.sip = SIP_IP;
	rig->walker.state.sip_valid = true;
	vgt_mmio_set(rig->device->mmio, VGT_CS_DEBUG_MODE2, DEBUG_MODE2_ENABLE);
	vgt_attention_steered_write(rig->device, VGT_TD_CTL,
				    VGT_TD_CTL_BREAKPOINTS, 1);
	return rig;
}

/* The system routine: waits for the host, then leaves. */
static void make_sip(struct both *both)
{
	both->sip = engine_assemble("sync.host null\n"
				    "(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7fffffff:ud\n",
				    "", &both->sip_bytes);
	if (!both->sip)
		abort();
}

static bool run_events(struct both *both, const uint8_t *code,
		       unsigned int events, char *why, size_t size)
{
	struct model_state state;

	for (unsigned int i = 0; i < events; i++) {
		if (i % ROUND == 0) {
			structured_state(&state, both->source->lanes,
					 &both->source->random);
			begin(both, both->compiled, code, &state);
			begin(both, both->plain, code, &state);
		}
		if (!event(both, why, size))
			return false;
	}
	return true;
}

static void run_program(struct both *both, unsigned int number,
			unsigned int events)
{
	char name[100], why[400] = "";
	uint64_t before = vgt_tier_entered();
	uint8_t *code;
	bool ok;

	/* Regions of all sizes. */
	vgt_tier_limit(number % 4 ? 16U << number % 4 : UINT32_MAX);
	code = number % 3 == 2 ?
	       structured_make_short(both->source, number, ITEMS,
				     &both->bytes) :
	       structured_make(both->source, number, ITEMS, &both->bytes);
	if (!code || both->bytes > SIP_IP)
		abort();
	both->places = both->bytes / 16;
	ok = run_events(both, code, events, why, sizeof(why));
	if (ok && vgt_tier_entered() == before) {
		snprintf(why, sizeof(why), "no region was entered");
		ok = false;
	}
	if (!ok && getenv("VGT_TEST_VERBOSE"))
		puts(both->source->text);
	snprintf(name, sizeof(name), "program %u stops as interpreted", number);
	tap_result(ok, name, why);
	free(code);
}

static void run_all(unsigned int events)
{
	struct both both = { 0 };
	pthread_t thread;

	both.source = calloc(1, sizeof(*both.source));
	if (!both.source)
		abort();
	make_sip(&both);
	both.compiled = debugged_rig();
	both.plain = debugged_rig();
	sem_init(&both.go, 0, 0);
	sem_init(&both.done, 0, 0);
	if (pthread_create(&thread, NULL, other_thread, &both))
		abort();
	for (unsigned int i = 0; i * EVENTS < events; i++)
		run_program(&both, i, EVENTS);
	printf("# %u halts, %u steps, %u breakpoints\n", both.halts, both.steps,
	       both.breaks);
	tap_result(both.halts && both.steps && both.breaks,
		   "it was stopped in each way", NULL);
	both.deed = NOTHING;
	sem_post(&both.go);
	pthread_join(thread, NULL);
	rig_destroy(both.compiled);
	rig_destroy(both.plain);
	free(both.source);
	free(both.sip);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static double time_of(struct rig *rig)
{
	double start = seconds();

	vgt_eu_run(rig->thread, RATE_LENGTH);
	return seconds() - start;
}

/* A loop, and the same with a breakpoint in it that was written and taken back. */
static void print_rate(const char *engine, enum vgt_tier_mode mode,
		       struct both *both, const uint8_t *code)
{
	const struct model_state state = { .enabled = 0xffff };
	struct rig *rig = debugged_rig();
	double best[2] = { 1e9, 1e9 }, now;

	set_mode(mode);
	begin(both, rig, code, &state);
	time_of(rig);
	for (unsigned int i = 0; i < 2 * RATE_TURNS; i++) {
		if (i == RATE_TURNS) {
			toggle(rig, 0);
			time_of(rig);
			toggle(rig, 0);
			resume(rig, false, false);
			time_of(rig);
		}
		now = time_of(rig);
		if (now < best[i / RATE_TURNS])
			best[i / RATE_TURNS] = now;
	}
	printf("bench,vgt-absent,%s,%.3f\n", engine, best[1] / best[0]);
	rig_destroy(rig);
}

static void print_rates(void)
{
	struct both both = { 0 };
	uint8_t *code;

	code = engine_assemble("LOOP:\n"
			       "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
			       "xor (16|M0) r12.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"
			       "mov (16|M0) r14.0<1>:d r12.0<8;8,1>:d\n"
			       "(W) jmpi (1|M0) LOOP\n", "", &both.bytes);
	if (!code)
		abort();
	make_sip(&both);
	print_rate("interpreted", VGT_TIER_OFF, &both, code);
	print_rate("compiled", VGT_TIER_ALWAYS, &both, code);
	free(both.sip);
	free(code);
}

static uint32_t attention(struct rig *rig)
{
	vgt_device_reg_write(rig->device, VGT_MCR_SELECTOR, 0);
	return vgt_device_reg_read(rig->device, VGT_TD_ATT);
}

/* By a reset of its engine: the next one in its slot is seen again. */
static void run_drop(void)
{
	struct rig *rig = debugged_rig();
	uint32_t first, between, next;

	rig->thread->group = &rig->group;
	rig->thread->slot = 3;
	vgt_attention_wait(rig->thread);
	first = attention(rig);
	vgt_attention_drop(rig->thread);
	between = attention(rig);
	vgt_attention_wait(rig->thread);
	next = attention(rig);
	tap_result(first && !between && next == first,
		   "a thread that is taken off waits for nobody", NULL);
	rig_destroy(rig);
}

/* A thread that nothing but an exception keeps from counting in r10. */
static struct rig *counting_rig(struct both *both)
{
	static const struct model_state state = { .enabled = 0xffff };
	struct rig *rig = debugged_rig();
	uint8_t *code;

	code = engine_assemble("LOOP:\n"
			       "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d 1:d\n"
			       "(W) jmpi (1|M0) LOOP\n", "", &both->bytes);
	if (!code)
		abort();
	make_sip(both);
	begin(both, rig, code, &state);
	free(code);
	return rig;
}

/* Where no system routine is. */
static void run_alone(void)
{
	struct both both = { 0 };
	struct rig *rig = counting_rig(&both);
	enum vgt_eu_status status;
	uint32_t before, after;

	set_mode(VGT_TIER_OFF);
	rig->walker.state.sip_valid = false;
	memcpy(&before, rig->thread->reg + 10 * VGT_GRF_BYTES, sizeof(before));
	do_deed(rig, HALT, 0);
	status = vgt_eu_run(rig->thread, LENGTH_MAX);
	memcpy(&after, rig->thread->reg + 10 * VGT_GRF_BYTES, sizeof(after));
	tap_result(status == VGT_EU_ERROR && after == before,
		   "a halt without a system routine ends the thread", NULL);
	rig_destroy(rig);
	free(both.sip);
}

/* By a fault of what it is started with. */
static void run_started(void)
{
	static const struct vgt_options halting = {
		.threads = 1, .fault_halt = true,
	};
	struct both both = { 0 };
	struct rig *rig = counting_rig(&both);
	struct vgt_group *group = &rig->group;
	const struct vgt_eu_thread *thread;
	enum vgt_group_status status;

	set_mode(VGT_TIER_OFF);
	rig->device->options = &halting;
	rig->walker.simd = 8;
	rig->walker.threads = 1;
	rig->walker.payload = RIG_VA + RIG_BYTES;
	rig->walker.cross_grfs = 1;
	for (uint32_t d = 0; d < 3; d++)
		rig->walker.end[d] = 1;
	group->reserved = 1;
	vgt_group_init(group, &rig->walker, 0);
	status = vgt_group_run(group, rig->device->pool, rig->worker);
	thread = vgt_pool_slot(rig->device->pool, 0);
	tap_result(status == VGT_GROUP_PARKED && thread->in_sip &&
		   thread->status == VGT_EU_HOST,
		   "a fault at its start halts a thread", NULL);
	rig_destroy(rig);
	free(both.sip);
}

/* usage: stop_test [EVENTS]: so many in all; stop_test rate: for the bench */
int main(int argc, char **argv)
{
	unsigned int events = argc > 1 ? atoi(argv[1]) : PROGRAMS * EVENTS;
	const char *why;

	if (vgt_tier_start(VGT_TIER_ALWAYS, &why)) {
		printf("ok 1 - stops of compiled regions # SKIP %s\n1..1\n", why);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "rate")) {
		print_rates();
		return 0;
	}
	run_drop();
	run_alone();
	run_started();
	run_all(events);
	return tap_finish();
}
