// SPDX-License-Identifier: MIT
/*
 * Block messages against a model of memory, and what is common to all: faults,
 * surfaces, and what is refused.
 */
#include "message_rig.h"
#include "eu/icache.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DC0 VGT_SFID_DC0
#define DC1 VGT_SFID_DC1
#define ROUNDS 300

struct block {
	const char *name;
	uint32_t sfid, desc;
	uint32_t bytes, in_grf; /* of the data */
	uint32_t unit; /* of header dword 2; 0: 64-bit address */
	bool write;
};

#define SIZES(name, sfid, desc, unit, write) \
	{ name " x1 low", sfid, desc, 16, 0, unit, write }, \
	{ name " x1 high", sfid, (desc) | 0x100, 16, 16, unit, write }, \
	{ name " x2", sfid, (desc) | 0x200, 32, 0, unit, write }, \
	{ name " x4", sfid, (desc) | 0x300, 64, 0, unit, write }, \
	{ name " x8", sfid, (desc) | 0x400, 128, 0, unit, write }, \
	{ name " x16", sfid, (desc) | 0x500, 256, 0, unit, write }

static const struct block blocks[] = {
	SIZES("oword read", DC0, 0x02080000, 16, false),
	SIZES("unaligned oword read", DC0, 0x02084000, 1, false),
	SIZES("oword write", DC0, 0x020a0000, 16, true),
	{ "oword write x8, save routine's form", DC0, 0x020a2400, 128, 0, 16,
	  true },
	SIZES("A64 block read", DC1, 0x020d0000, 0, false),
	SIZES("A64 unaligned block read", DC1, 0x020d0800, 0, false),
	SIZES("A64 block write", DC1, 0x020d4000, 0, true),
};

static bool block_model(struct rig *rig, const struct block *row,
			enum rig_target target, uint64_t offset)
{
	uint8_t *data = rig->payload + VGT_GRF_BYTES + row->in_grf;
	uint8_t want[256];

	for (uint32_t b = 0; b < row->bytes; b++) {
		uint64_t dword = offset + (b & ~3U);
		uint8_t *byte = rig_model_at(rig, target, offset + b);

		want[b] = 0;
		if (!byte || !rig_inside(target, dword, 4))
			continue;
		if (row->write)
			*byte = data[b];
		want[b] = *byte;
	}
	return row->write ||
	       !memcmp(rig->answer + row->in_grf, want, row->bytes);
}

static bool block_round(struct rig *rig, const struct block *row,
			enum rig_target target)
{
	uint32_t size = target <= RIG_BINDLESS ? RIG_BUFFER_BYTES : RIG_BYTES;
	uint32_t data_grfs = (row->bytes + 31) / 32;
	uint32_t align = row->unit == 16 ? 16 : 4, scratch;
	uint64_t offset;

	rig_garble(rig);
	offset = rig_offset(target, rig_below(size) & ~(align - 1));
	if (row->unit) {
		/* Scratch space counts where there is no surface. */
		scratch = target == RIG_STATELESS ? offset & 0x400 : 0;
		rig_put(rig, 0, 2, (offset - scratch) / row->unit);
		rig_put(rig, 0, 5, 0x3ff | (target == RIG_STATELESS ?
					    scratch : 0xfffffc00));
	} else {
		rig_put(rig, 0, 0, offset);
		rig_put(rig, 0, 1, offset >> 32);
	}
	if (rig_send(rig, row->sfid, row->desc | rig_index(rig, target) |
		     (row->write ? 0 : data_grfs << 20),
		     row->write ? data_grfs : 0, 0xffff))
		return false;
	return block_model(rig, row, target, offset) &&
	       (row->write || row->in_grf == 0 || rig->answer[0] == 0xa5) &&
	       (row->write || row->bytes > 16 || row->in_grf ||
		rig->answer[16] == 0xa5);
}

static void test_blocks(struct rig *rig)
{
	for (size_t n = 0; n < sizeof(blocks) / sizeof(blocks[0]); n++) {
		const struct block *row = &blocks[n];
		bool ok = true;

		rig_fill(rig);
		for (int i = 0; i < ROUNDS; i++) {
			if (!row->unit) {
				ok &= block_round(rig, row, RIG_FLAT);
				continue;
			}
			ok &= block_round(rig, row, RIG_TABLE);
			ok &= block_round(rig, row, RIG_BINDLESS);
			ok &= block_round(rig, row, RIG_STATELESS);
			ok &= block_round(rig, row, RIG_LOCAL);
		}
		rig_ok(ok && rig_memory_matches(rig), row->name);
	}
}

/* Scratch space: r0.5 gives the place, the descriptor hwords from there. */
static void test_scratch(struct rig *rig)
{
	uint8_t *model = rig->model + 0x2c00 - 0x1000 + 5 * 32;
	bool ok;

	rig_fill(rig);
	rig_put(rig, 0, 5, 0x2c00 | 0x155);
	memset(rig->payload + 32, 0x5a, 64);
	ok = !rig_send(rig, DC0, 0x020f0005, 1, 0x0f);
	memset(model, 0x5a, 16);
	rig_ok(ok && rig_memory_matches(rig),
	       "scratch write stores the dwords of enabled lanes only");

	ok = !rig_send(rig, DC0, 0x020e1005, 2, 0);
	memset(model, 0x5a, 64);
	rig_ok(ok && rig_memory_matches(rig),
	       "scratch write of whole GRFs ignores lanes");

	ok = !rig_send(rig, DC0, 0x022c1006, 0, 0xffff);
	rig_ok(ok && !memcmp(rig->answer, model + 32, 64),
	       "scratch read of two GRFs");
}

static void test_faults(struct rig *rig)
{
	uint64_t address = RIG_VA + RIG_BYTES;
	uint32_t before = atomic_load(&rig->device->faults);
	bool ok;

	rig_fill(rig);
	for (int i = 0; i < 8; i++)
		memcpy(rig->payload + 8 * i, &address, 8);
	ok = !rig_send(rig, DC1, 0x041401ff, 0, 0xff);
	rig_ok(ok && rig_get(rig, 0, 0) == 0 && rig_get(rig, 0, 7) == 0,
	       "unmapped page reads as 0");
	rig_ok(atomic_load(&rig->device->faults) == before + 1,
	       "a message reports a page once");
	ok = !rig_send(rig, DC1, 0x040681ff, 1, 0xff);
	rig_ok(ok && rig_memory_matches(rig), "unmapped page drops writes");
}

/* The thread is forced into its system routine, unless it is there or has none. */
static void test_fault_halt(struct rig *rig)
{
	static const struct vgt_options halts = { .fault_halt = true };
	const struct vgt_options *reports = rig->device->options;
	uint64_t address = RIG_VA + RIG_BYTES;
	struct vgt_eu_thread *thread = rig->thread;
	bool ok;

	memcpy(rig->payload, &address, 8);
	atomic_store(&thread->pending, 0);
	rig->walker.state.sip_valid = true;
	ok = !rig_send(rig, DC1, 0x041401ff, 0, 1) &&
	     !atomic_load(&thread->pending);
	rig->device->options = &halts;
	ok = ok && !rig_send(rig, DC1, 0x041401ff, 0, 1);
	rig_ok(ok && atomic_load(&thread->pending) == VGT_EU_PENDING_HALT,
	       "a fault halts where that is asked for");
	atomic_store(&thread->pending, 0);
	thread->in_sip = true;
	ok = !rig_send(rig, DC1, 0x041401ff, 0, 1);
	thread->in_sip = false;
	rig->walker.state.sip_valid = false;
	ok = ok && !rig_send(rig, DC1, 0x041401ff, 0, 1);
	rig_ok(ok && !atomic_load(&thread->pending),
	       "but not in the system routine, nor without one");
	rig->device->options = reports;
}

/* The page behind the memory, where a branch may lead. */
static void test_fetch(struct rig *rig)
{
	uint32_t before = atomic_load(&rig->device->faults);
	const struct vgt_inst *inst;

	rig->walker.state.instruction_base = RIG_VA;
	inst = vgt_icache_fetch(rig->thread, RIG_BYTES + 0x40);
	rig_ok(!inst && rig->thread->status == VGT_EU_ERROR &&
	       atomic_load(&rig->device->faults) == before + 1,
	       "a fetch from an unmapped page is a page fault");
	rig->thread->status = VGT_EU_YIELD;
	inst = vgt_icache_fetch(rig->thread, RIG_BYTES - 4096);
	rig_ok(inst && atomic_load(&rig->device->faults) == before + 1,
	       "one from the page before is none");
	rig->walker.state.instruction_base = 0;
}

static void test_surfaces(struct rig *rig)
{
	uint32_t bad = 0x00fff000;
	bool ok;

	rig_fill(rig);
	rig_put(rig, 0, 0, 0);
	rig_put(rig, 0, 1, 16);
	rig_buffer(rig, 9, RIG_VA + 0x100, 16);
	ok = !rig_send(rig, DC1, 0x02106e09, 0, 3);
	ok &= !memcmp(rig->answer, rig->model + 0x100, 4);
	rig_ok(ok && rig_get(rig, 0, 1) == 0, "buffer surface of 16 bytes");
	rig_buffer(rig, 9, RIG_VA + 0x200, 20);
	ok = !rig_send(rig, DC1, 0x02106e09, 0, 3);
	ok &= !memcmp(rig->answer, rig->model + 0x200, 4);
	rig_ok(ok && !memcmp(rig->answer + 4, rig->model + 0x210, 4),
	       "next walker sees the surface state rewritten");

	memcpy(rig_at(rig, RIG_HEAP_VA + RIG_BINDING_TABLE + 4 * 10), &bad, 4);
	ok = !rig_send(rig, DC1, 0x02106e0a, 0, 1);
	rig_ok(ok && rig_get(rig, 0, 0) == 0,
	       "surface state in an unmapped page is a null surface");
}

/* What is read instead of the entry of the table leads to a buffer's state. */
static void test_table_unmapped(struct rig *rig)
{
	uint32_t state;
	bool ok = true;

	rig_buffer(rig, 9, RIG_VA, 4096);
	memcpy(&state, rig_at(rig, RIG_HEAP_VA + RIG_BINDING_TABLE + 4 * 9), 4);
	memcpy(rig_at(rig, RIG_HEAP_VA), rig_at(rig, RIG_HEAP_VA + state), 64);
	rig->walker.binding_table = 0x00fff000;
	for (int i = 0; i < 8; i++)
		rig_put(rig, 0, i, 4 * i);
	for (int round = 0; round < 16; round++) {
		rig->walker.serial++;
		memset(rig->answer, 0xa5, 32);
		ok &= !rig_send(rig, DC1, 0x02106e09, 0, 0xff);
		for (int i = 0; i < 8; i++)
			ok &= rig_get(rig, 0, i) == 0;
	}
	rig->walker.binding_table = RIG_BINDING_TABLE;
	rig_ok(ok, "binding table in an unmapped page gives null surfaces");
}

static void test_refusals(struct rig *rig)
{
	static const struct {
		const char *name;
		uint32_t sfid, desc, exlen;
		int error;
	} row[] = {
		{ "unknown shared function", 6, 0x02000000, 0, -ENOSYS },
		{ "unknown data-port message", DC1, 0x0201c000, 0, -ENOSYS },
		{ "SIMD4x2", DC1, 0x02104e00, 0, -ENOSYS },
		{ "atomic 0", DC1, 0x0210b003, 1, -ENOSYS },
		{ "block without a header", DC0, 0x02100200, 0, -ENOSYS },
		{ "payload too short", DC1, 0x02026e03, 0, -EINVAL },
		{ "room for half the answer", DC1, 0x04105e03, 0, -EINVAL },
	};
	char name[64];

	for (size_t n = 0; n < sizeof(row) / sizeof(row[0]); n++) {
		int ret = rig_message(rig, row[n].sfid, row[n].desc,
				      row[n].exlen, 0xff);

		snprintf(name, sizeof(name), "refused: %s", row[n].name);
		rig_ok(ret == row[n].error &&
		       rig->thread->status == VGT_EU_ERROR, name);
		rig->thread->status = 0;
		ret = rig_send(rig, row[n].sfid, row[n].desc, row[n].exlen,
			       0xff);
		snprintf(name, sizeof(name), "refused in an instruction: %s",
			 row[n].name);
		rig_ok(ret && rig->thread->status == VGT_EU_ERROR, name);
		rig->thread->status = 0;
	}
}

/* A dword of what is no buffer is refused, also where no lane loads one. */
static void test_no_buffer(struct rig *rig)
{
	const uint32_t image[16] = { 1U << 29 };
	bool ok = true;

	rig_surface(rig, RIG_BUFFER_BTI, image);
	for (uint32_t i = 0; i < 20; i++) {
		ok &= rig_send(rig, DC1, 0x02106e00 | RIG_BUFFER_BTI, 0,
			       i % 2 ? 0xff : 0) &&
		      rig->thread->status == VGT_EU_ERROR;
		rig->thread->status = 0;
	}
	rig_ok(ok, "refused: a dword of an image, of any lane and of none");
}

/* What another walker left in local memory is not there, wherever a kernel looks. */
static void test_local(struct rig *rig)
{
	uint32_t seen[3] = { 0 };

	rig->group.local = rig->slm;
	rig->walker.end[0] = rig->walker.end[1] = rig->walker.end[2] = 1;
	rig->walker.slm_bytes = 1024;
	for (uint32_t i = 0; i < 3; i++) {
		/* The second one is another group of the first one's walker. */
		rig->walker.serial += i != 1;
		memset(rig->slm, 0xff, i == 1 ? 1024 : VGT_SLM_BYTES);
		vgt_group_init(&rig->group, &rig->walker, 0);
		for (uint32_t k = 0; k < VGT_SLM_BYTES; k++)
			seen[i] += rig->slm[k] != 0;
	}
	rig_ok(!seen[0] && !seen[1] && !seen[2],
	       "local memory shows nothing of another walker's");
}

int main(void)
{
	struct rig *rig = rig_create();

	if (!rig)
		return 1;
	test_blocks(rig);
	test_scratch(rig);
	test_faults(rig);
	test_fault_halt(rig);
	test_fetch(rig);
	test_surfaces(rig);
	test_table_unmapped(rig);
	test_refusals(rig);
	test_no_buffer(rig);
	test_local(rig);
	rig_destroy(rig);
	return tap_finish();
}
