// SPDX-License-Identifier: MIT
/*
 * Engines as a driver uses them: rings, lists of contexts, their status buffer,
 * interrupts, waiting, and resets.
 */
#include "gt/device.h"
#include "gt/execlist.h"
#include "gt/interrupt.h"
#include "machine.h"
#include "tap.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define RCS 0x2000U
#define BCS 0x22000U
#define VCS0 0x1c0000U
#define VCS2 0x1d0000U
#define VECS 0x1c8000U

#define NOOP 0U
#define USER_INTERRUPT (0x02U << 23)
#define ARB_CHECK (0x05U << 23)
#define ARB_OFF (0x08U << 23)
#define BATCH_END (0x0aU << 23)
#define SEMAPHORE_EQUAL (0x1cU << 23 | 1U << 22 | 1U << 15 | 4U << 12 | 3)
#define STORE_GGTT (0x20U << 23 | 1U << 22 | 2)
#define STORE (0x20U << 23 | 2)
#define LOAD_REGISTER (0x22U << 23 | 1)
#define FLUSH_STORE_INDEX (0x26U << 23 | 1U << 21 | 1U << 14 | 2)
#define BATCH_START (0x31U << 23 | 1)
#define IN_PPGTT (1U << 8)
#define PIPE_CONTROL 0x7a000004U
#define CONTROL_WRITE (1U << 14 | 1U << 24 | 1U << 20)

#define CSB(engine, entry) (MACHINE_STATUS(engine) + 0x40 + 8 * (entry))
#define CSB_INDEX(engine) (MACHINE_STATUS(engine) + 0xbc)
#define IDLE 0x7ffU
#define ID(context) ((context) + 1U)

static struct machine machine;

static void start(uint64_t phys)
{
	static const uint32_t engine[] = { RCS, BCS, VCS0, VCS2, VECS };

	if (!machine_open(&machine, phys)) {
		tap_result(false, "a machine with a function", NULL);
		exit(tap_finish());
	}
	machine_tables(&machine);
	for (uint32_t i = 0; i < 5; i++)
		machine_engine(&machine, engine[i], i);
	for (uint32_t i = 0; i < 4; i++)
		machine_context(&machine, i);
}

static void ring(uint32_t context, const uint32_t *command, size_t len_bytes)
{
	machine_ring(&machine, context, command, (uint32_t)(len_bytes / 4));
}

/* Write @value to dword @word of the context's page of results. */
static void ring_store(uint32_t context, uint32_t word, uint32_t value)
{
	const uint32_t command[] = {
		STORE_GGTT, MACHINE_RESULT(context) + 4 * word, 0, value,
	};

	ring(context, command, sizeof(command));
}

/* Wait for dword @word of the results of context 3. */
static void ring_wait(uint32_t context, uint32_t word, uint32_t value)
{
	const uint32_t command[] = {
		SEMAPHORE_EQUAL, value, MACHINE_RESULT(3) + 4 * word, 0, 0,
	};

	ring(context, command, sizeof(command));
}

static bool result(uint32_t context, uint32_t word, uint32_t value)
{
	return machine_wait(&machine, MACHINE_RESULT(context) + 4 * word,
			    value);
}

static bool is(uint32_t offset, uint32_t value)
{
	return *machine_dwords(&machine, offset) == value;
}

/* Entry @entry of the engine's buffer is there, and says this. */
static bool csb(uint32_t engine, uint32_t entry, uint32_t to, uint32_t away,
		bool new_list)
{
	return machine_wait(&machine, CSB_INDEX(engine), entry) &&
	       is(CSB(engine, entry), to << 15 | new_list) &&
	       is(CSB(engine, entry) + 4, away << 15);
}

/* What an engine names when it hangs, or for as long as it runs. */
static bool hangs(uint32_t base, uint32_t context)
{
	return machine_reg_wait(&machine, base + 0x238, ID(context) << 5);
}

/* Contexts 0 and 1 as new, when no engine has them any more: it writes their images at last. */
static void fresh(void)
{
	machine_reg_wait(&machine, RCS + 0x238, 0);
	machine_reg_wait(&machine, BCS + 0x238, 0);
	machine_context(&machine, 0);
	machine_context(&machine, 1);
}

static void test_engines(void)
{
	static const uint32_t base[] = { RCS, BCS, VCS0, VCS2, VECS };
	bool good = true;

	for (uint32_t i = 0; i < 5; i++) {
		ring_store(0, i, 100 + i);
		machine_submit(&machine, base[i], 0, -1);
		good = good && result(0, i, 100 + i) &&
		       csb(i, 1, IDLE, ID(0), false) &&
		       is(CSB(i, 0), ID(0) << 15 | 1) &&
		       is(CSB(i, 0) + 4, IDLE << 15);
	}
	tap_result(good, "a ring on each engine, and what its buffer says",
		   NULL);
	tap_result(is(MACHINE_IMAGE(0) + 0x1014, 5 * 16),
		   "the image has the ring's head", NULL);
}

static void test_order(void)
{
	ring_wait(0, 0, 1);
	ring_store(0, 8, 5);
	ring_store(1, 8, 6);
	machine_submit(&machine, RCS, 0, 1);
	ring_store(2, 8, 7);
	machine_submit(&machine, BCS, 2, -1);
	tap_result(result(2, 8, 7) && is(MACHINE_RESULT(1) + 32, 0),
		   "an engine that waits holds up no other, nor MMIO", NULL);
	*machine_dwords(&machine, MACHINE_RESULT(3)) = 1;
	tap_result(result(0, 8, 5) && result(1, 8, 6),
		   "when it goes on, the list's second context follows", NULL);
	machine_wait(&machine, CSB_INDEX(0), 4);
	tap_result(is(CSB(0, 3), ID(1) << 15) &&
		   is(CSB(0, 3) + 4, ID(0) << 15) &&
		   csb(0, 4, IDLE, ID(1), false),
		   "the buffer has both ends", NULL);
}

static void test_preemption(void)
{
	ring_wait(0, 1, 1);
	ring_store(0, 9, 5);
	machine_submit(&machine, RCS, 0, -1);
	/* A driver submits again only when the last list was accepted. */
	machine_wait(&machine, CSB_INDEX(0), 5);
	ring_store(1, 9, 6);
	machine_submit(&machine, RCS, 1, 0);
	tap_result(result(1, 9, 6) && is(MACHINE_RESULT(0) + 36, 0),
		   "a context that waits is taken off for another", NULL);
	machine_wait(&machine, CSB_INDEX(0), 7);
	tap_result(is(CSB(0, 6), ID(1) << 15 | 1) &&
		   is(CSB(0, 6) + 4, ID(0) << 15) &&
		   csb(0, 7, ID(0), ID(1), false),
		   "the buffer says which, and that it is on again", NULL);
	machine_dwords(&machine, MACHINE_RESULT(3))[1] = 1;
	tap_result(result(0, 9, 5), "it goes on where it was", NULL);
	machine_wait(&machine, CSB_INDEX(0), 8);
}

static void test_status_page(void)
{
	const uint32_t render[] = {
		PIPE_CONTROL, 1U << 21 | CONTROL_WRITE, 0xd0, 0, 11, 12,
	};
	const uint32_t copy[] = { FLUSH_STORE_INDEX, 0xd8, 0, 13 };

	ring(0, render, sizeof(render));
	machine_submit(&machine, RCS, 0, -1);
	machine_dwords(&machine, MACHINE_IMAGE(1) + 0xdc)[0] = 99;
	ring(1, copy, sizeof(copy));
	machine_submit(&machine, BCS, 1, -1);
	tap_result(machine_wait(&machine, MACHINE_IMAGE(0) + 0xd0, 11) &&
		   is(MACHINE_IMAGE(0) + 0xd4, 12),
		   "PIPE_CONTROL writes to the context's status page", NULL);
	tap_result(machine_wait(&machine, MACHINE_IMAGE(1) + 0xd8, 13) &&
		   is(MACHINE_IMAGE(1) + 0xdc, 99),
		   "MI_FLUSH_DW too, and one dword if it is told one", NULL);
}

/* What a program's batch may not do is not done; the rest is. */
static void test_privilege(void)
{
	const uint32_t batch[] = {
		LOAD_REGISTER, RCS + 0x80, 0xdead000,
		LOAD_REGISTER, RCS + 0x600, 0x1234,
		STORE_GGTT, MACHINE_RESULT(2) + 40, 0, 1,
		STORE, MACHINE_VA(MACHINE_RESULT(2) + 44), 0, 2,
		/* Not in the GGTT, whatever it says: this has the end. */
		BATCH_START, MACHINE_VA(MACHINE_IMAGE(2) + 0x7000), 0,
	};
	const uint32_t command[] = {
		BATCH_START | IN_PPGTT, MACHINE_VA(MACHINE_IMAGE(2) + 0x6000),
		0,
	};

	memcpy(machine_dwords(&machine, MACHINE_IMAGE(2) + 0x6000), batch,
	       sizeof(batch));
	*machine_dwords(&machine, MACHINE_IMAGE(2) + 0x7000) = BATCH_END;
	ring(2, command, sizeof(command));
	ring_store(2, 12, 3);
	machine_submit(&machine, RCS, 2, -1);
	tap_result(result(2, 12, 3) && is(MACHINE_RESULT(2) + 44, 2),
		   "a batch in the context's address space", NULL);
	tap_result(is(MACHINE_RESULT(2) + 40, 0) &&
		   machine_reg_read(&machine, RCS + 0x80) == MACHINE_STATUS(0),
		   "it reaches neither the GGTT nor the engine's setup", NULL);
	tap_result(machine_reg_read(&machine, RCS + 0x600) == 0x1234,
		   "but the engine's general registers", NULL);
}

/* A batch that waits, with commands before and after. */
static void batch_wait(uint32_t context)
{
	const uint32_t batch[] = {
		STORE, MACHINE_VA(MACHINE_RESULT(context) + 80), 0, 1,
		SEMAPHORE_EQUAL & ~(1U << 22), 9,
		MACHINE_VA(MACHINE_RESULT(3) + 80), 0, 0,
		STORE, MACHINE_VA(MACHINE_RESULT(context) + 84), 0, 2,
		BATCH_END,
	};
	const uint32_t command[] = {
		BATCH_START | IN_PPGTT,
		MACHINE_VA(MACHINE_IMAGE(context) + 0x6000), 0,
	};

	memcpy(machine_dwords(&machine, MACHINE_IMAGE(context) + 0x6000),
	       batch, sizeof(batch));
	ring(context, command, sizeof(command));
}

/* The ring's head is behind the batch when it is taken off. */
static void test_batch_preemption(void)
{
	fresh();
	batch_wait(0);
	ring_store(0, 22, 3);
	machine_submit(&machine, RCS, 0, -1);
	result(0, 20, 1);
	ring_store(1, 22, 4);
	machine_submit(&machine, RCS, 1, -1);
	tap_result(result(1, 22, 4) && is(MACHINE_RESULT(0) + 84, 0),
		   "a batch that waits is taken off as well", NULL);
	*machine_dwords(&machine, MACHINE_RESULT(0) + 80) = 77;
	machine_submit(&machine, RCS, 0, -1);
	*machine_dwords(&machine, MACHINE_RESULT(3) + 80) = 9;
	tap_result(result(0, 22, 3) && is(MACHINE_RESULT(0) + 84, 2) &&
		   is(MACHINE_RESULT(0) + 80, 77),
		   "it goes on where it was, and the ring after it", NULL);
}

/* What was taken off inside of a batch, and then set back by the driver. */
static void test_batch_set_back(void)
{
	*machine_dwords(&machine, MACHINE_RESULT(3) + 80) = 0;
	fresh();
	batch_wait(0);
	machine_submit(&machine, RCS, 0, -1);
	result(0, 20, 1);
	ring_store(1, 22, 5);
	machine_submit(&machine, RCS, 1, -1);
	result(1, 22, 5);
	machine_dwords(&machine, MACHINE_IMAGE(0) + 0x1000)[5] = 0;
	machine_dwords(&machine, MACHINE_IMAGE(0) + 0x1000)[7] = 0;
	ring_store(0, 22, 6);
	machine_submit(&machine, RCS, 0, -1);
	tap_result(result(0, 22, 6) && is(MACHINE_RESULT(0) + 84, 0),
		   "unless the driver has set the ring back", NULL);
}

/* Registers by their distance from the engine's. */
#define LOAD_GPR (0x29U << 23 | 1U << 22 | 1U << 19 | 2)
#define STORE_GPR (0x24U << 23 | 1U << 22 | 1U << 19 | 2)
#define COPY_REGISTER (0x2aU << 23 | 1U << 19 | 1U << 18 | 1)
#define GPR(index) (0x600U + 8 * (index))

/*
 * As i915 has them: what a context restores goes through a register that is the
 * context's again behind it. The last commands lie behind the indirect batch's end.
 */
static void workarounds_write(uint32_t context)
{
	const uint32_t indirect[24] = {
		LOAD_GPR, GPR(0), MACHINE_RESULT(context) + 100, 0,
		COPY_REGISTER, GPR(0), GPR(1),
		LOAD_GPR, GPR(0), MACHINE_IMAGE(context) + 0x105c, 0,
		[16] = LOAD_GPR, GPR(1), MACHINE_RESULT(context) + 104, 0,
	};
	const uint32_t per_context[] = {
		STORE_GPR, GPR(1), MACHINE_RESULT(context) + 108, 0, BATCH_END,
	};
	uint32_t *image = machine_dwords(&machine, MACHINE_IMAGE(context) + 0x1000);

	memcpy(machine_dwords(&machine, MACHINE_IMAGE(context) + 0x6040),
	       indirect, sizeof(indirect));
	memcpy(machine_dwords(&machine, MACHINE_IMAGE(context) + 0x7000),
	       per_context, sizeof(per_context));
	image[19] = (MACHINE_IMAGE(context) + 0x7000) | 1;
	image[21] = (MACHINE_IMAGE(context) + 0x6040) | 1;
}

#define LRCA 0x2240U /* of the render engine: the context that runs, and a bit that one does */
#define FORCE_RESTORE (1U << 2)

/* Context 0 runs, and waits in a batch, until goes_on(); its workarounds copy a 51. */
static bool waits(void)
{
	uint32_t *words = machine_dwords(&machine, MACHINE_RESULT(0));

	fresh();
	workarounds_write(0);
	words[25] = 51;
	machine_dwords(&machine, MACHINE_RESULT(3))[20] = 0;
	batch_wait(0);
	ring_store(0, 23, 1);
	machine_submit(&machine, RCS, 0, -1);
	return result(0, 20, 1) &&
	       machine_reg_wait(&machine, RCS + 0x74,
				MACHINE_VA(MACHINE_IMAGE(0) + 0x6010));
}

static void goes_on(void)
{
	machine_dwords(&machine, MACHINE_RESULT(3))[20] = 9;
}

static uint32_t next_entry(uint32_t entry)
{
	return (entry + 1) % 12;
}

/* The engine is not left for a context that it has, nor is that restored. */
static void test_lite_restore(void)
{
	uint32_t *words = machine_dwords(&machine, MACHINE_RESULT(0));
	bool good = waits();
	uint32_t entry = *machine_dwords(&machine, CSB_INDEX(0));
	uint32_t lrca = machine_reg_read(&machine, LRCA);
	uint32_t head = machine_reg_read(&machine, RCS + 0x34);

	words[25] = 52;
	for (uint32_t i = 0; i < 200 && good; i++) {
		ring_store(0, 22, i + 1);
		machine_submit(&machine, RCS, 0, -1);
		entry = next_entry(entry);
		good = csb(0, entry, ID(0), ID(0), true) &&
		       machine_reg_read(&machine, LRCA) == lrca &&
		       machine_reg_read(&machine, RCS + 0x34) == head &&
		       machine_reg_read(&machine, RCS + 0x74) ==
			       MACHINE_VA(MACHINE_IMAGE(0) + 0x6010);
	}
	tap_result(good && lrca & 1, "a list with the context that runs lets it run", NULL);
	goes_on();
	tap_result(result(0, 22, 200) && words[23] == 1 && words[27] == 51,
		   "and it goes on to the new tail", NULL);
}

static void test_forced_restore(void)
{
	uint32_t *words = machine_dwords(&machine, MACHINE_RESULT(0));
	bool good = waits();

	words[25] = 52;
	ring_store(0, 22, 1);
	machine_reg_write(&machine, RCS + 0x510, MACHINE_IMAGE(0) | FORCE_RESTORE | 1);
	machine_reg_write(&machine, RCS + 0x514, ID(0) << 5);
	machine_reg_write(&machine, RCS + 0x550, 1);
	good = good && result(0, 27, 52) && words[22] != 1;
	goes_on();
	tap_result(good && result(0, 22, 1), "unless its restore is forced", NULL);
}

/* Others behind it, and in its place. */
static void test_lite_lists(void)
{
	bool good = waits();
	uint32_t entry = *machine_dwords(&machine, CSB_INDEX(0));

	ring_store(1, 22, 2);
	machine_submit(&machine, RCS, 0, 1);
	good = good && csb(0, next_entry(entry), ID(0), ID(0), true);
	goes_on();
	entry = (entry + 3) % 12;
	tap_result(good && result(1, 22, 2) && csb(0, entry, IDLE, ID(1), false),
		   "the list's second context comes behind it", NULL);
	good = waits();
	ring_store(0, 22, 3);
	machine_submit(&machine, RCS, 0, -1);
	ring_store(1, 22, 4);
	machine_submit(&machine, RCS, 1, 0);
	good = good && result(1, 22, 4) && !is(MACHINE_RESULT(0) + 88, 3);
	goes_on();
	tap_result(good && result(0, 22, 3), "another one takes its place", NULL);
}

static void test_lite_bad(void)
{
	bool good = waits();

	machine_dwords(&machine, MACHINE_IMAGE(0) + 0x1000)[7] = 0xfffffff1;
	machine_submit(&machine, RCS, 0, -1);
	goes_on();
	/* It is named, and does not run. */
	good = good && result(0, 23, 1) && hangs(RCS, 0) &&
	       machine_reg_wait(&machine, LRCA, MACHINE_IMAGE(0));
	machine_reg_write(&machine, VGT_GDRST, 1U << 1);
	fresh();
	ring_store(0, 22, 5);
	machine_submit(&machine, RCS, 0, -1);
	tap_result(good && result(0, 22, 5), "a tail that is none hangs the engine", NULL);
}

static void workarounds_run(uint32_t base)
{
	const uint32_t command[] = {
		LOAD_REGISTER, base + GPR(0), 0x77,
		STORE_GPR, GPR(1), MACHINE_RESULT(0) + 112, 0,
	};
	const uint32_t store[] = { STORE_GPR, GPR(0), MACHINE_RESULT(0) + 116, 0 };
	uint32_t *words = machine_dwords(&machine, MACHINE_RESULT(0));

	fresh();
	workarounds_write(0);
	words[25] = 51;
	words[26] = 52;
	ring(0, command, sizeof(command));
	ring_store(0, 30, 1);
	machine_submit(&machine, base, 0, -1);
	tap_result(result(0, 30, 1) && words[27] == 51 && words[28] == 51,
		   "a context's workarounds run before its ring, to their ends",
		   NULL);
	ring_store(1, 30, 1);
	machine_submit(&machine, base, 1, -1);
	result(1, 30, 1);
	words[25] = 53;
	ring(0, store, sizeof(store));
	ring_store(0, 30, 2);
	machine_submit(&machine, base, 0, -1);
	tap_result(result(0, 30, 2) && words[27] == 53 && words[29] == 0x77,
		   "each time, and leave the ring its registers", NULL);
}

/* What does not end there hangs its engine, which a reset ends. */
static void workarounds_fail(void)
{
	const uint32_t loop[] = { BATCH_START, MACHINE_IMAGE(0) + 0x7000, 0 };
	bool hang;

	fresh();
	workarounds_write(0);
	memcpy(machine_dwords(&machine, MACHINE_IMAGE(0) + 0x7000), loop,
	       sizeof(loop));
	ring_store(0, 30, 3);
	machine_submit(&machine, BCS, 0, -1);
	workarounds_write(1);
	machine_dwords(&machine, MACHINE_IMAGE(1) + 0x1000)[21] = 0x5555003f;
	ring_store(1, 30, 3);
	machine_submit(&machine, RCS, 1, -1);
	hang = hangs(BCS, 0) && hangs(RCS, 1);
	/* Also when another engine has done something since. */
	machine_context(&machine, 2);
	ring_store(2, 31, 4);
	machine_submit(&machine, VCS0, 2, -1);
	hang = hang && result(2, 31, 4) && hangs(BCS, 0) && hangs(RCS, 1);
	machine_reg_write(&machine, VGT_GDRST, 1U << 1 | 1U << 2);
	machine_context(&machine, 2);
	ring_store(2, 30, 4);
	machine_submit(&machine, BCS, 2, -1);
	tap_result(hang && result(2, 30, 4) && is(MACHINE_RESULT(0) + 120, 0) &&
		   is(MACHINE_RESULT(1) + 120, 0),
		   "one without end, or nowhere, hangs its engine", NULL);
}

static void test_workarounds(void)
{
	workarounds_run(RCS);
	workarounds_run(BCS);
	workarounds_fail();
}

#define FAST_COPY (2U << 29 | 0x42U << 22 | 8)
#define COLOR (2U << 29 | 0x50U << 22 | 3U << 20 | 5)
#define SOURCE_COPY (2U << 29 | 0x53U << 22 | 3U << 20 | 8)
#define DEPTH_32 (3U << 24)
#define ROP(code) ((code) << 16)

#define PIXELS(row) (0x6000 + 64 * (row)) /* 16 of them, in the image */

/*
 * A rectangle of pixels 1 to 3 in rows 1 and 2 becomes @color; it is copied to pixel 5
 * of row 4, and that, a pixel before and behind and upside down, to row 10 and up.
 */
static void blit(uint32_t context, uint32_t color)
{
	uint32_t base = MACHINE_VA(MACHINE_IMAGE(context));
	const uint32_t batch[] = {
		COLOR, DEPTH_32 | ROP(0xf0U) | 64, 1U << 16 | 1, 3U << 16 | 4,
		base + PIXELS(0), 0, color,
		SOURCE_COPY, DEPTH_32 | ROP(0xccU) | 64, 4U << 16 | 5,
		6U << 16 | 8, base + PIXELS(0), 0, 1U << 16 | 1, 64,
		base + PIXELS(0), 0,
		FAST_COPY, DEPTH_32 | (uint16_t)-64, 0, 2U << 16 | 5,
		base + PIXELS(10), 0, 4U << 16 | 4, 64, base + PIXELS(0), 0,
		BATCH_END,
	};
	const uint32_t command[] = {
		BATCH_START | IN_PPGTT, base + 0x7000, 0,
	};

	memcpy(machine_dwords(&machine, MACHINE_IMAGE(context) + 0x7000), batch,
	       sizeof(batch));
	ring(context, command, sizeof(command));
}

/* What @row of the context's pixels should be: @color from @first up to @end. */
static bool row_is(uint32_t context, uint32_t row, uint32_t first, uint32_t end,
		   uint32_t color)
{
	for (uint32_t i = 0; i < 16; i++)
		if (!is(MACHINE_IMAGE(context) + PIXELS(row) + 4 * i,
			i >= first && i < end ? color : 0))
			return false;
	return true;
}

static void test_blits(void)
{
	static const struct {
		uint32_t first, end;
	} rows[] = {
		[1] = { 1, 4 }, [2] = { 1, 4 }, [4] = { 5, 8 }, [5] = { 5, 8 },
		[9] = { 1, 4 }, [10] = { 1, 4 }, [12] = { 0, 0 },
	};
	const uint32_t tiled[] = { FAST_COPY | 3U << 13, [9] = 0 };
	bool good;

	machine_context(&machine, 0);
	machine_context(&machine, 1);
	blit(0, 0xaabbccdd);
	ring_store(0, 0, 1);
	machine_submit(&machine, BCS, 0, -1);
	good = result(0, 0, 1);
	for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		good = good && row_is(0, i, rows[i].first, rows[i].end,
				      0xaabbccdd);
	tap_result(good, "the copy engine fills and copies rectangles", NULL);
	ring(1, tiled, sizeof(tiled));
	machine_submit(&machine, BCS, 1, -1);
	blit(0, 1);
	machine_submit(&machine, RCS, 0, -1);
	tap_result(hangs(BCS, 1) && hangs(RCS, 0),
		   "no tiles of other kinds, and no other engine does", NULL);
	machine_reg_write(&machine, VGT_GDRST, 1U << 1 | 1U << 2);
}

/* 16 GiB where nothing is, faulting all the way. */
static void test_blit_reset(void)
{
	const uint32_t huge[] = {
		COLOR, DEPTH_32 | ROP(0xf0U) | 0x7fff, 0, 0xffffffff, 0x40000000,
		0, 0,
	};
	bool runs;

	machine_context(&machine, 0);
	machine_context(&machine, 1);
	ring(0, huge, sizeof(huge));
	machine_submit(&machine, BCS, 0, -1);
	runs = hangs(BCS, 0);
	machine_reg_write(&machine, VGT_GDRST, 1U << 2);
	ring_store(1, 0, 1);
	machine_submit(&machine, BCS, 1, -1);
	tap_result(runs && result(1, 0, 1),
		   "a blit without end is reset like all", NULL);
}

/* An engine hangs until it is reset; what is on it is known meanwhile. */
static void test_reset(void)
{
	const uint32_t unknown[] = { 0x0f000000 };
	const uint32_t loop[] = { BATCH_START, MACHINE_RING(1), 0 };

	machine_context(&machine, 0);
	machine_context(&machine, 1);
	ring(0, unknown, sizeof(unknown));
	ring_store(0, 0, 1);
	machine_submit(&machine, VCS0, 0, -1);
	ring(1, loop, sizeof(loop));
	machine_submit(&machine, RCS, 1, -1);
	tap_result(hangs(VCS0, 0) && hangs(RCS, 1),
		   "a hanging engine names its context", NULL);
	tap_result(is(MACHINE_RESULT(0), 0) &&
		   !(machine_reg_read(&machine, RCS + 0x9c) & 1U << 9),
		   "and does not go on; one that loops is not idle", NULL);
	machine_reg_write(&machine, VGT_GDRST, 1U << 1 | 1U << 5);
	tap_result(!machine_reg_read(&machine, VCS0 + 0x238) &&
		   machine_reg_read(&machine, RCS + 0x9c) & 1U << 9,
		   "after a reset they are idle", NULL);
	machine_context(&machine, 0);
	machine_context(&machine, 1);
	ring_store(0, 0, 2);
	ring_store(1, 0, 3);
	machine_submit(&machine, VCS0, 0, -1);
	machine_submit(&machine, RCS, 1, -1);
	tap_result(result(0, 0, 2) && result(1, 0, 3), "and work again", NULL);
}

/* All four, as above. */
static bool hostile_hang(void)
{
	bool hang = true;

	for (uint32_t i = 0; i < 2; i++) {
		hang = hang &&
		       machine_reg_wait(&machine, VECS + 0x234, 0x5555000 | 1) &&
		       hangs(BCS, 2) && hangs(VCS2, 1) && hangs(VCS0, 0);
		machine_context(&machine, 3);
		ring_store(3, i, 7);
		machine_submit(&machine, RCS, 3, -1);
		hang = hang && result(3, i, 7);
	}
	return hang;
}

/* Rings, images and status pages of a driver that has lost its mind. */
static void test_hostile(void)
{
	const uint32_t nowhere[] = { BATCH_START, 0x77777000, 0 };
	bool hang;

	machine_reg_write(&machine, VECS + 0x510, 0x5555000 | 1);
	machine_reg_write(&machine, VECS + 0x514, 0);
	machine_reg_write(&machine, VECS + 0x550, 1);
	machine_context(&machine, 2);
	machine_dwords(&machine, MACHINE_IMAGE(2) + 0x1000)[7] = 0xfffffff1;
	machine_submit(&machine, BCS, 2, -1);
	machine_reg_write(&machine, VCS2 + 0x80, 0x66666000);
	machine_submit(&machine, VCS2, 1, -1);
	machine_context(&machine, 0);
	ring(0, nowhere, sizeof(nowhere));
	machine_submit(&machine, VCS0, 0, -1);
	hang = hostile_hang();
	machine_reg_write(&machine, VGT_GDRST, 1);
	machine_engine(&machine, VCS2, 3);
	machine_context(&machine, 3);
	ring_store(3, 0, 4);
	machine_submit(&machine, VCS2, 3, -1);
	tap_result(hang && result(3, 0, 4),
		   "bad contexts, rings, pages and batches hang engines only",
		   NULL);
}

static int qtest_listen(char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	unlink(path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(fd, 1))
		abort();
	return fd;
}

/* The next line that the device sends to QEMU is @text. */
static bool told(int fd, const char *text)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char line[100] = "";
	ssize_t n = poll(&wait, 1, MACHINE_PATIENCE_MS) == 1 ?
		    recv(fd, line, sizeof(line) - 1, 0) : 0;

	if (n > 0 && send(fd, "OK\n", 3, MSG_NOSIGNAL) != 3)
		return false;
	if (n > 0 && !strcmp(line, text))
		return true;
	tap_note("%s", line);
	return false;
}

static bool quiet(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	return !poll(&wait, 1, 200);
}

static void interrupt_raise(void)
{
	const uint32_t command[] = { USER_INTERRUPT, NOOP };

	ring(0, command, sizeof(command));
	machine_submit(&machine, VCS2, 0, -1);
}

static void test_message(int listener)
{
	uint32_t identity;
	int fd;

	machine_config_write(&machine, 0x94, 4, 0xfee01000);
	machine_config_write(&machine, 0x9c, 2, 0x4041);
	machine_config_write(&machine, 0x92, 2, 1);
	machine_reg_write(&machine, VGT_INTERRUPT_VIDEO, 0x01010101);
	interrupt_raise();
	machine_reg_write(&machine, VGT_INTERRUPT_MASTER, 1U << 31);
	fd = accept(listener, NULL, NULL);
	tap_result(told(fd, "writel 0xfee01000 0x4041\n") && quiet(fd),
		   "one message for all that is pending", NULL);
	machine_wait(&machine, CSB_INDEX(3), 1);
	tap_result(machine_reg_read(&machine, VGT_INTERRUPT_MASTER) == 2 &&
		   machine_reg_read(&machine, VGT_INTERRUPT_PENDING + 4) == 4,
		   "the bank and the engine are pending", NULL);
	machine_reg_write(&machine, VGT_INTERRUPT_SELECTOR + 4, 4);
	identity = machine_reg_read(&machine, VGT_INTERRUPT_IDENTITY + 4);
	tap_result(identity == (1U << 31 | 2U << 20 | 1U << 16 | 0x101),
		   "its identity: video, 2, a user's and a switch", NULL);
	machine_reg_write(&machine, VGT_INTERRUPT_IDENTITY + 4, 1U << 31);
	machine_reg_write(&machine, VGT_INTERRUPT_PENDING + 4, 4);
	machine_reg_write(&machine, VGT_INTERRUPT_MASTER, 1U << 31);
	tap_result(!machine_reg_read(&machine, VGT_INTERRUPT_PENDING + 4) &&
		   quiet(fd), "what was read is over", NULL);
	interrupt_raise();
	tap_result(told(fd, "writel 0xfee01000 0x4041\n"),
		   "the next one comes by itself", NULL);
	close(fd);
}

static void test_interrupts(void)
{
	char path[] = "/tmp/execlist_test.XXXXXX";
	int listener;

	if (!mkdtemp(path))
		abort();
	rmdir(path);
	listener = qtest_listen(path);
	machine_qtest = path;
	start(0);
	test_message(listener);
	machine_close(&machine);
	unlink(path);
	close(listener);
}

int main(void)
{
	start(0x180000000ULL);
	test_engines();
	test_order();
	test_preemption();
	test_status_page();
	test_privilege();
	test_batch_preemption();
	test_batch_set_back();
	test_lite_restore();
	test_forced_restore();
	test_lite_lists();
	test_lite_bad();
	test_workarounds();
	test_blits();
	test_blit_reset();
	test_reset();
	test_hostile();
	machine_close(&machine);
	test_interrupts();
	return tap_finish();
}
