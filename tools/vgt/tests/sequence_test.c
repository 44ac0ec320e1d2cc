// SPDX-License-Identifier: MIT
/*
 * Short programs: what takes more than one instruction to see. Products of 64
 * bits through the accumulator, and control flow in which the channels part
 * and meet again. Each program leaves its results in r20 and r21; what they
 * must be is worked out here channel by channel, in plain C.
 */
#include "engine_rig.h"
#include "eu/icache.h"
#include "generate.h"
#include "tap.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 50
#define LANES 16

struct lane {
	uint32_t a, b; /* r10, r12 */
	uint32_t x, y; /* r20, r22: results */
};

struct program {
	const char *name;
	const char *text; /* ends at its last instruction */
	void (*want)(struct lane *lane);
	uint32_t mask; /* operands are cut to these bits */
};

static void want_signed_high(struct lane *lane)
{
	int64_t product = (int64_t)(int32_t)lane->a * (int32_t)lane->b;

	lane->x = product >> 32;
	lane->y = product;
}

static void want_unsigned_high(struct lane *lane)
{
	uint64_t product = (uint64_t)lane->a * lane->b;

	lane->x = product >> 32;
	lane->y = product;
}

/* Where a is less, the product becomes a number of 32 bits before it is completed. */
static void want_mixed(struct lane *lane)
{
	int32_t a = lane->a, b = lane->b;
	int64_t sum = (int64_t)a * (uint16_t)b;

	if (a < b)
		sum = a;
	sum += (int64_t)a * (b >> 16) * 65536;
	lane->x = sum >> 32;
	lane->y = sum;
}

static void want_low(struct lane *lane)
{
	lane->x = lane->a * lane->b;
	lane->y = 0;
}

static void want_sum(struct lane *lane)
{
	uint64_t sum = ((uint64_t)lane->b << 32 | lane->a) +
		       ((uint64_t)lane->a << 32 | lane->b);

	lane->x = sum;
	lane->y = sum >> 32;
}

static void want_if(struct lane *lane)
{
	if ((int32_t)lane->a < (int32_t)lane->b) {
		lane->x = lane->a + 1;
		if (lane->a & 1)
			lane->y = 5;
		else
			lane->y = 6;
	} else {
		lane->x = lane->b;
	}
	lane->x += 100;
}

static void want_while(struct lane *lane)
{
	uint32_t i = 0;

	do {
		lane->x += i;
		i++;
		if (lane->x > 40)
			break;
	} while (i < lane->a);
	lane->y = i;
}

static void want_nested(struct lane *lane)
{
	uint32_t i = 0, j;

	do {
		j = 0;
		do {
			lane->x += lane->b;
			j++;
		} while (j <= i);
		i++;
	} while (i < lane->a);
	lane->y = j;
}

static void want_goto(struct lane *lane)
{
	if (lane->a > 7) {
		lane->x = 1;
		if (lane->b <= 5)
			lane->x = 2;
	}
	lane->y = lane->a;
}

static void want_call(struct lane *lane)
{
	lane->x = lane->a > 7 ? lane->a * 2 + lane->b : lane->b;
	lane->y = lane->a > 7 ? 9 : 0;
}

static void want_jump(struct lane *lane)
{
	lane->x = 77;
}

static void want_first(struct lane *lane)
{
	lane->x = lane->a;
	lane->y = -lane->b;
}

static const struct program programs[] = {
	{ "signed 64-bit product",
	  "mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r12.0<16;8,2>:uw\n"
	  "mach (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d {AccWrEn}\n"
	  "mov (8|M0) r22.0<1>:d acc0.0<8;8,1>:d\n"
	  "mul (8|M8) acc0.0<1>:d r11.0<8;8,1>:d r13.0<16;8,2>:uw\n"
	  "mach (8|M8) r21.0<1>:d r11.0<8;8,1>:d r13.0<8;8,1>:d {AccWrEn}\n"
	  "mov (8|M8) r23.0<1>:d acc0.0<8;8,1>:d\n",
	  want_signed_high, UINT32_MAX },
	{ "unsigned 64-bit product",
	  "mul (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud r12.0<16;8,2>:uw\n"
	  "mach (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud r12.0<8;8,1>:ud {AccWrEn}\n"
	  "mov (8|M0) r22.0<1>:ud acc0.0<8;8,1>:ud\n"
	  "mul (8|M8) acc0.0<1>:ud r11.0<8;8,1>:ud r13.0<16;8,2>:uw\n"
	  "mach (8|M8) r21.0<1>:ud r11.0<8;8,1>:ud r13.0<8;8,1>:ud {AccWrEn}\n"
	  "mov (8|M8) r23.0<1>:ud acc0.0<8;8,1>:ud\n",
	  want_unsigned_high, UINT32_MAX },
	{ "a product of which some channels are replaced",
	  "mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r12.0<16;8,2>:uw\n"
	  "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"
	  "(f0.0) mov (8|M0) acc0.0<1>:d r10.0<8;8,1>:d\n"
	  "mach (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d {AccWrEn}\n"
	  "mov (8|M0) r22.0<1>:d acc0.0<8;8,1>:d\n"
	  "mul (8|M8) acc0.0<1>:d r11.0<8;8,1>:d r13.0<16;8,2>:uw\n"
	  "cmp (8|M8) (lt)f0.0 null<1>:d r11.0<8;8,1>:d r13.0<8;8,1>:d\n"
	  "(f0.0) mov (8|M8) acc0.0<1>:d r11.0<8;8,1>:d\n"
	  "mach (8|M8) r21.0<1>:d r11.0<8;8,1>:d r13.0<8;8,1>:d {AccWrEn}\n"
	  "mov (8|M8) r23.0<1>:d acc0.0<8;8,1>:d\n",
	  want_mixed, UINT32_MAX },
	{ "lower half of a product",
	  "mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r12.0<16;8,2>:uw\n"
	  "mach (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"
	  "mul (8|M8) acc0.0<1>:d r11.0<8;8,1>:d r13.0<16;8,2>:uw\n"
	  "mach (8|M8) r21.0<1>:d r11.0<8;8,1>:d r13.0<8;8,1>:d\n",
	  want_low, UINT32_MAX },
	{ "64-bit sum by carry",
	  "addc (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud r12.0<8;8,1>:ud {AccWrEn}\n"
	  "add (8|M0) r22.0<1>:ud acc0.0<8;8,1>:ud r12.0<8;8,1>:ud\n"
	  "add (8|M0) r22.0<1>:ud r22.0<8;8,1>:ud r10.0<8;8,1>:ud\n"
	  "addc (8|M8) r21.0<1>:ud r11.0<8;8,1>:ud r13.0<8;8,1>:ud {AccWrEn}\n"
	  "add (8|M8) r23.0<1>:ud acc0.0<8;8,1>:ud r13.0<8;8,1>:ud\n"
	  "add (8|M8) r23.0<1>:ud r23.0<8;8,1>:ud r11.0<8;8,1>:ud\n",
	  want_sum, UINT32_MAX },
	{ "if, else, endif, nested",
	  "cmp (16|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"
	  "(f0.0) if (16|M0) ELSE END\n"
	  "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d 1:d\n"
	  "and (16|M0) (ne)f1.0 null<1>:d r10.0<8;8,1>:d 1:d\n"
	  "(f1.0) if (16|M0) INNER_ELSE INNER_END\n"
	  "mov (16|M0) r22.0<1>:d 5:d\n"
	  "else (16|M0) INNER_END INNER_END\n"
	  "INNER_ELSE:\n"
	  "mov (16|M0) r22.0<1>:d 6:d\n"
	  "INNER_END:\n"
	  "endif (16|M0) ELSE_JOIN\n"
	  "ELSE_JOIN:\n"
	  "else (16|M0) END END\n"
	  "ELSE:\n"
	  "mov (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n"
	  "END:\n"
	  "endif (16|M0) LAST\n"
	  "LAST:\n"
	  "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d 100:d\n",
	  want_if, UINT32_MAX },
	{ "while and break",
	  "mov (16|M0) r14.0<1>:d 0:d\n"
	  "LOOP:\n"
	  "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d r14.0<8;8,1>:d\n"
	  "add (16|M0) r14.0<1>:d r14.0<8;8,1>:d 1:d\n"
	  "cmp (16|M0) (gt)f0.0 null<1>:d r20.0<8;8,1>:d 40:d\n"
	  "(f0.0) break (16|M0) TEST TEST\n"
	  "cmp (16|M0) (lt)f1.0 null<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d\n"
	  "TEST:\n"
	  "(f1.0) while (16|M0) LOOP\n"
	  "mov (16|M0) r22.0<1>:d r14.0<8;8,1>:d\n",
	  want_while, 31 },
	{ "nested loops",
	  "mov (16|M0) r14.0<1>:d 0:d\n"
	  "OUTER:\n"
	  "mov (16|M0) r16.0<1>:d 0:d\n"
	  "INNER:\n"
	  "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d r12.0<8;8,1>:d\n"
	  "add (16|M0) r16.0<1>:d r16.0<8;8,1>:d 1:d\n"
	  "cmp (16|M0) (le)f0.0 null<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d\n"
	  "(f0.0) while (16|M0) INNER\n"
	  "add (16|M0) r14.0<1>:d r14.0<8;8,1>:d 1:d\n"
	  "cmp (16|M0) (lt)f1.0 null<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d\n"
	  "(f1.0) while (16|M0) OUTER\n"
	  "mov (16|M0) r22.0<1>:d r16.0<8;8,1>:d\n",
	  want_nested, 15 },
	{ "goto and join",
	  "cmp (16|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 7:d\n"
	  "(~f0.0) goto (16|M0) MEET MEET\n"
	  "mov (16|M0) r20.0<1>:d 1:d\n"
	  "cmp (16|M0) (gt)f1.0 null<1>:d r12.0<8;8,1>:d 5:d\n"
	  "(f1.0) goto (16|M0) MEET MEET\n"
	  "mov (16|M0) r20.0<1>:d 2:d\n"
	  "MEET:\n"
	  "join (16|M0) LAST\n"
	  "LAST:\n"
	  "mov (16|M0) r22.0<1>:d r10.0<8;8,1>:d\n",
	  want_goto, 15 },
	{ "call and ret of some channels",
	  "cmp (16|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 7:d\n"
	  "(W) jmpi (1|M0) START\n"
	  "FUNCTION:\n"
	  "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r10.0<8;8,1>:d\n"
	  "mov (16|M0) r22.0<1>:d 9:d\n"
	  "ret (16|M0) r125.0\n"
	  "START:\n"
	  "(f0.0) call (16|M0) r125.0 FUNCTION\n"
	  "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d r12.0<8;8,1>:d\n",
	  want_call, 15 },
	{ "jmpi",
	  "(W) jmpi (1|M0) OVER\n"
	  "mov (16|M0) r20.0<1>:d 66:d\n"
	  "OVER:\n"
	  "mov (16|M0) r20.0<1>:d 77:d\n",
	  want_jump, UINT32_MAX },
	{ "what has no sign is its own amount",
	  "mov (16|M0) r20.0<1>:ud (abs)r10.0<8;8,1>:ud\n"
	  "add (16|M0) r22.0<1>:ud -(abs)r12.0<8;8,1>:ud 0:ud\n",
	  want_first, UINT32_MAX },
};

static void put(struct model_state *state, unsigned int reg, unsigned int lane,
		uint32_t value)
{
	memcpy(state->grf + 32 * reg + 4 * lane, &value, 4);
}

static uint32_t get(const struct engine_rig *rig, unsigned int reg,
		    unsigned int lane)
{
	uint32_t value;

	memcpy(&value, rig->thread.reg + 32 * reg + 4 * lane, 4);
	return value;
}

/* One set of operands; some channels are off. */
static bool run_round(struct engine_rig *rig, const struct program *program,
		      size_t bytes, uint64_t *random, char *why, size_t size)
{
	struct lane lanes[LANES] = {};
	struct model_state state = {};
	unsigned int i;

	state.enabled = generate_random(random) | 1;
	for (i = 0; i < LANES; i++) {
		lanes[i].a = generate_random(random) & program->mask;
		lanes[i].b = generate_random(random) & program->mask;
		put(&state, 10, i, lanes[i].a);
		put(&state, 12, i, lanes[i].b);
	}
	engine_rig_load(rig, &state, 0);
	rig->thread.dispatch_mask = state.enabled;
	for (i = 0; rig->thread.ip < bytes && i < 100000; i++)
		if (vgt_eu_run(&rig->thread, 1) != VGT_EU_YIELD) {
			snprintf(why, size, "%s", rig->thread.error);
			return false;
		}
	for (i = 0; i < LANES; i++) {
		if (state.enabled >> i & 1)
			program->want(&lanes[i]);
		if (get(rig, 20, i) == lanes[i].x &&
		    get(rig, 22, i) == lanes[i].y)
			continue;
		snprintf(why, size, "channel %u of 0x%x, 0x%x and 0x%x: got "
			 "0x%x 0x%x, want 0x%x 0x%x", i, state.enabled,
			 lanes[i].a, lanes[i].b, get(rig, 20, i),
			 get(rig, 22, i), lanes[i].x, lanes[i].y);
		return false;
	}
	return true;
}

static void run_program(const struct program *program, bool slow)
{
	struct engine_rig *rig;
	char why[300] = "not assembled", name[100];
	uint64_t random = 5;
	bool ok = true;
	uint8_t *code;
	size_t bytes;
	int i;

	snprintf(name, sizeof(name), "%s, %s", program->name,
		 slow ? "slow" : "fast");
	code = engine_assemble(program->text, "", &bytes);
	if (!code) {
		tap_result(false, name, why);
		return;
	}
	rig = engine_rig_create(code, bytes, slow);
	for (i = 0; i < ROUNDS && ok; i++)
		ok = run_round(rig, program, bytes, &random, why, sizeof(why));
	tap_result(ok, name, why);
	engine_rig_destroy(rig);
	free(code);
}

/* Flag registers end with f1.1, which has 16 channels; others behind them are not theirs. */
static void run_refused(bool slow)
{
	static const struct {
		const char *text, *error;
	} refused[] = {
		{ "(f1.1) mov (8|M16) r20.0<1>:ud r10.0<8;8,1>:ud\n", "illegal" },
		{ "cmp (8|M24) (lt)f1.1 null<1>:d r10.0<8;8,1>:d 1:d\n", "illegal" },
		{ "(f1.1) mov (32|M0) r20.0<1>:uw r10.0<16;16,1>:uw\n", "illegal" },
		{ "(W) mov (16|M0) f1.0<1>:ud r10.0<8;8,1>:ud\n", "outside" },
		{ "(W) mov (32|M0) sp0.0<1>:ud r10.0<8;8,1>:ud\n", "outside" },
		{ "(W) mov (16|M0) r10.0<1>:ud a0.0<8;8,1>:ud\n", "outside" },
	};
	struct model_state state = { .enabled = UINT32_MAX };
	bool ok = true;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		size_t bytes;
		uint8_t *code = engine_assemble(refused[i].text, "", &bytes);
		struct engine_rig *rig = engine_rig_create(code, bytes, slow);

		engine_rig_load(rig, &state, 0);
		ok = ok && vgt_eu_run(&rig->thread, 1) == VGT_EU_ERROR &&
		     strstr(rig->thread.error, refused[i].error);
		engine_rig_destroy(rig);
		free(code);
	}
	tap_result(ok, slow ? "registers that there are none of, slow" :
		   "registers that there are none of", NULL);
}

struct exchange {
	struct engine_rig *rig;
	sem_t begins;
	const uint8_t *code;
	size_t bytes;
};

static void *exchange_code(void *arg)
{
	struct exchange *exchange = arg;

	sem_wait(&exchange->begins);
	usleep(20000);
	vgt_icache_load(exchange->rig->walker.icache, 0, exchange->code,
			exchange->bytes);
	atomic_fetch_or(&exchange->rig->thread.pending, VGT_EU_PENDING_FETCH);
	return NULL;
}

/* Code that is exchanged under a thread: it has left the loop long before its turn ends. */
static void run_exchange(void)
{
	struct model_state state = { .enabled = 0xffff };
	struct exchange exchange;
	uint8_t *loop, *leave;
	pthread_t thread;
	size_t bytes;

	loop = engine_assemble("LOOP:\n"
			       "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
			       "(W) jmpi (1|M0) LOOP\n", "", &bytes);
	leave = engine_assemble("add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
				"(W) jmpi (1|M0) OUT\nOUT:\n", "",
				&exchange.bytes);
	if (!loop || !leave || bytes != exchange.bytes)
		abort();
	exchange.code = leave;
	exchange.rig = engine_rig_create(loop, bytes, false);
	engine_rig_load(exchange.rig, &state, 0);
	if (sem_init(&exchange.begins, 0, 0) ||
	    pthread_create(&thread, NULL, exchange_code, &exchange))
		abort();
	sem_post(&exchange.begins);
	vgt_eu_run(&exchange.rig->thread, 1ULL << 36);
	pthread_join(thread, NULL);
	sem_destroy(&exchange.begins);
	tap_result(exchange.rig->thread.status == VGT_EU_ERROR,
		   "code that is exchanged under a thread is the new one", NULL);
	engine_rig_destroy(exchange.rig);
	free(loop);
	free(leave);
}

/* Pages @first to @end have @code. */
static void pages_load(struct engine_rig *rig, uint32_t first, uint32_t end,
		       const uint8_t *code, size_t bytes)
{
	for (uint32_t i = first; i < end; i++)
		vgt_icache_load(rig->walker.icache, 4096 * i, code, bytes);
}

static bool page_is_there(struct engine_rig *rig, uint32_t page)
{
	uint8_t code[16];

	return vgt_icache_code(&rig->thread, 4096 * page, code);
}

static void run_trim(void)
{
	const struct model_state state = { .enabled = 0xffff };
	const uint32_t last = VGT_ICACHE_PAGES - 1;
	struct engine_rig *rig;
	uint8_t *code;
	size_t bytes;

	code = engine_assemble("add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
			       "nop\n", "", &bytes);
	if (!code)
		abort();
	rig = engine_rig_create(code, bytes, false);
	engine_rig_load(rig, &state, 0);
	pages_load(rig, 1, VGT_ICACHE_PAGES, code, bytes);
	vgt_icache_trim(rig->walker.icache);
	tap_result(page_is_there(rig, 0) && page_is_there(rig, last),
		   "as many pages of code as it may are kept", NULL);
	pages_load(rig, last + 1, last + 2, code, bytes);
	vgt_icache_trim(rig->walker.icache);
	tap_result(!page_is_there(rig, 0) && !page_is_there(rig, last),
		   "of more none is", NULL);
	pages_load(rig, 0, 1, code, bytes);
	vgt_icache_trim(rig->walker.icache);
	tap_result(page_is_there(rig, 0), "and others can come", NULL);
	engine_rig_destroy(rig);
	free(code);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		run_program(&programs[i], false);
		run_program(&programs[i], true);
	}
	run_refused(false);
	run_refused(true);
	run_exchange();
	run_trim();
	return tap_finish();
}
