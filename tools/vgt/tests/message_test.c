// SPDX-License-Identifier: MIT
/*
 * Messages against a model of memory: what each descriptor must do is written
 * out in tables here, so that no decoding is shared with the code under test.
 */
#include "message_rig.h"
#include "tap.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define DC0 VGT_SFID_DC0
#define DC1 VGT_SFID_DC1
#define ROUNDS 300

#define BUFFER_BTI 3
#define BUFFER_OFFSET 0x24
#define BUFFER_BYTES 0x3454

enum { A64 = 1, WRITE = 2 };

struct scattered {
	const char *name;
	uint32_t sfid, desc; /* with a table index of 0 */
	uint32_t flags, lanes, element_bytes, slot_bytes, count, at[8];
};

static const struct scattered scattered[] = {
	{ "untyped read x, SIMD16", DC1, 0x04205e00, 0, 16, 4, 4, 1, { 0 } },
	{ "untyped read x, SIMD8", DC1, 0x02106e00, 0, 8, 4, 4, 1, { 0 } },
	{ "untyped read xy, SIMD16", DC1, 0x04405c00, 0, 16, 4, 4, 2,
	  { 0, 4 } },
	{ "untyped read xz, SIMD16", DC1, 0x04405a00, 0, 16, 4, 4, 2,
	  { 0, 8 } },
	{ "untyped read w, SIMD16", DC1, 0x04205700, 0, 16, 4, 4, 1, { 12 } },
	{ "untyped read xyz, SIMD8", DC1, 0x02306800, 0, 8, 4, 4, 3,
	  { 0, 4, 8 } },
	{ "untyped read xyzw, SIMD16", DC1, 0x04805000, 0, 16, 4, 4, 4,
	  { 0, 4, 8, 12 } },
	{ "untyped write x, SIMD16", DC1, 0x04025e00, WRITE, 16, 4, 4, 1,
	  { 0 } },
	{ "untyped write x, SIMD8", DC1, 0x02026e00, WRITE, 8, 4, 4, 1, { 0 } },
	{ "untyped write xy, SIMD8", DC1, 0x02026c00, WRITE, 8, 4, 4, 2,
	  { 0, 4 } },
	{ "untyped write xyzw, SIMD16", DC1, 0x04025000, WRITE, 16, 4, 4, 4,
	  { 0, 4, 8, 12 } },
	{ "byte read 8b, SIMD16", DC0, 0x04210100, 0, 16, 1, 4, 1, { 0 } },
	{ "byte read 16b, SIMD8", DC0, 0x02110400, 0, 8, 2, 4, 1, { 0 } },
	{ "byte read 32b, SIMD16", DC0, 0x04210900, 0, 16, 4, 4, 1, { 0 } },
	{ "byte write 8b, SIMD16", DC0, 0x04030100, WRITE, 16, 1, 4, 1, { 0 } },
	{ "byte write 16b, SIMD16", DC0, 0x04030500, WRITE, 16, 2, 4, 1,
	  { 0 } },
	{ "byte write 32b, SIMD8", DC0, 0x02030800, WRITE, 8, 4, 4, 1, { 0 } },
	{ "A64 byte read 8b", DC1, 0x041400ff, A64, 8, 1, 4, 1, { 0 } },
	{ "A64 byte read 16b", DC1, 0x041404ff, A64, 8, 2, 4, 1, { 0 } },
	{ "A64 byte write 8b", DC1, 0x040680ff, A64 | WRITE, 8, 1, 4, 1,
	  { 0 } },
	{ "A64 byte write 32b", DC1, 0x040688ff, A64 | WRITE, 8, 4, 4, 1,
	  { 0 } },
	{ "A64 dword read x1, SIMD8", DC1, 0x041401ff, A64, 8, 4, 4, 1, { 0 } },
	{ "A64 dword read x2, SIMD8", DC1, 0x042405ff, A64, 8, 4, 4, 2,
	  { 0, 4 } },
	{ "A64 dword read x2, SIMD16", DC1, 0x084415ff, A64, 16, 4, 4, 2,
	  { 0, 4 } },
	{ "A64 dword read x4, SIMD16", DC1, 0x088419ff, A64, 16, 4, 4, 4,
	  { 0, 4, 8, 12 } },
	{ "A64 dword write x1, SIMD16", DC1, 0x080691ff, A64 | WRITE, 16, 4, 4, 1,
	  { 0 } },
	{ "A64 dword write x4, SIMD8", DC1, 0x040689ff, A64 | WRITE, 8, 4, 4, 4,
	  { 0, 4, 8, 12 } },
	{ "A64 qword read x1, SIMD8", DC1, 0x042402ff, A64, 8, 8, 8, 1, { 0 } },
	{ "A64 qword write x2, SIMD8", DC1, 0x040686ff, A64 | WRITE, 8, 8, 8, 2,
	  { 0, 8 } },
	{ "A64 untyped read xyz, SIMD16", DC1, 0x086458ff, A64, 16, 4, 4, 3,
	  { 0, 4, 8 } },
	{ "A64 untyped write xyz, SIMD8", DC1, 0x040668ff, A64 | WRITE, 8, 4, 4, 3,
	  { 0, 4, 8 } },
};

/* Where a message goes. */
enum target { TABLE, LOCAL, STATELESS, FLAT };

/* The model's byte, or NULL where there is nothing. */
static uint8_t *model_at(struct rig *rig, enum target target, uint64_t offset)
{
	switch (target) {
	case LOCAL:
		return &rig->slm_model[offset & 0xffff];
	case TABLE:
		offset += BUFFER_OFFSET;
		break;
	case STATELESS:
		offset -= 0x1000;
		break;
	case FLAT:
		offset = (offset & 0xffffffffffff) - RIG_VA;
	}
	return offset < RIG_BYTES ? &rig->model[offset] : NULL;
}

static bool model_inside(enum target target, uint64_t offset, uint32_t bytes)
{
	return target != TABLE || offset + bytes <= BUFFER_BYTES;
}

static uint64_t target_offset(enum target target, uint64_t in_model)
{
	switch (target) {
	case FLAT:
		return RIG_VA + in_model + ((uint64_t)rig_random() << 48);
	case STATELESS:
		return in_model + 0x1000;
	case LOCAL:
		return in_model | 0x10000000;
	default:
		return in_model;
	}
}

/* Offsets of all lanes, in one of the ways in which programs make them. */
static void make_offsets(enum target target, const struct scattered *row,
			 uint64_t offset[16])
{
	uint32_t size = target == TABLE ? BUFFER_BYTES : RIG_BYTES;
	uint32_t first = rig_below(size), way = rig_below(6);
	uint32_t span = row->at[row->count - 1] + row->element_bytes;
	uint64_t tag = target_offset(target, 0);

	if (way < 4)
		first &= ~3U;
	for (uint32_t i = 0; i < row->lanes; i++) {
		switch (way) {
		case 0: /* a run, which may leave the page or the buffer */
		case 4:
			offset[i] = first + i * span;
			break;
		case 1:
			offset[i] = first;
			break;
		case 2:
			offset[i] = (first & ~4095U) + rig_below(1024) * 4;
			break;
		default: /* anywhere, and somewhat beyond */
			offset[i] = rig_below(size + 64);
		}
		offset[i] += tag;
	}
}

static void put_address(struct rig *rig, const struct scattered *row,
			uint32_t lane, uint64_t offset)
{
	if (row->flags & A64)
		memcpy(rig->payload + lane * 8, &offset, 8);
	else
		memcpy(rig->payload + lane * 4, &offset, 4);
}

/* What lane @lane reads or writes, carried out on the model. */
static bool model_lane(struct rig *rig, const struct scattered *row,
		       enum target target, uint32_t lane, uint64_t offset)
{
	uint32_t plane = row->lanes * row->slot_bytes;
	uint8_t *data = rig->payload + row->lanes * (row->flags & A64 ? 8 : 4);
	bool same = true;

	for (uint32_t c = 0; c < row->count; c++) {
		uint32_t slot = c * plane + lane * row->slot_bytes;
		uint8_t want[8] = { 0 };

		for (uint32_t b = 0; b < row->element_bytes; b++) {
			uint64_t at = offset + row->at[c];
			uint8_t *byte = model_at(rig, target, at + b);

			if (!byte || !model_inside(target, at,
						   row->element_bytes))
				continue;
			if (row->flags & WRITE)
				*byte = data[slot + b];
			want[b] = *byte;
		}
		same &= (row->flags & WRITE) || !memcmp(rig->answer + slot, want,
					      row->slot_bytes);
	}
	return same;
}

static bool lane_untouched(const struct rig *rig, const struct scattered *row,
			   uint32_t lane)
{
	uint32_t plane = row->lanes * row->slot_bytes;

	for (uint32_t c = 0; c < row->count; c++) {
		for (uint32_t b = 0; b < row->slot_bytes; b++) {
			if (rig->answer[c * plane + lane * row->slot_bytes +
					b] != 0xa5)
				return false;
		}
	}
	return true;
}

static bool scattered_round(struct rig *rig, const struct scattered *row,
			    enum target target)
{
	static const uint32_t index[] = { BUFFER_BTI, 254, 255, 255 };
	uint32_t data_grfs = row->count * row->lanes * row->slot_bytes / 32;
	uint32_t mask = rig_below(2) ? 0xffffffff : rig_random();
	uint64_t offset[16];
	bool same = true;

	for (uint32_t i = 0; i < sizeof(rig->payload); i++)
		rig->payload[i] = rig_random() >> 7;
	memset(rig->answer, 0xa5, sizeof(rig->answer));
	make_offsets(target, row, offset);
	for (uint32_t i = 0; i < row->lanes; i++)
		put_address(rig, row, i, offset[i]);
	if (rig_send(rig, row->sfid, (row->desc & ~255U) | index[target],
		     row->flags & WRITE ? data_grfs : 0, mask))
		return false;
	for (uint32_t i = 0; i < row->lanes; i++)
		same &= mask >> i & 1 ?
			model_lane(rig, row, target, i, offset[i]) :
			lane_untouched(rig, row, i);
	return same;
}

static void test_scattered(struct rig *rig)
{
	for (size_t n = 0; n < sizeof(scattered) / sizeof(scattered[0]); n++) {
		const struct scattered *row = &scattered[n];
		enum target first = row->flags & A64 ? FLAT : TABLE;
		enum target last = row->flags & A64 ? FLAT : STATELESS;
		bool ok = true;

		rig_fill(rig);
		for (enum target target = first; target <= last; target++) {
			for (int i = 0; i < ROUNDS; i++)
				ok &= scattered_round(rig, row, target);
		}
		rig_ok(ok && rig_memory_matches(rig), row->name);
	}
}

struct block {
	const char *name;
	uint32_t sfid, desc;
	uint32_t bytes, in_grf; /* of the data */
	uint32_t unit; /* of header dword 2; 0: 64-bit address */
	bool write;
};

static const struct block blocks[] = {
	{ "oword read x1 low", DC0, 0x02180000, 16, 0, 16, false },
	{ "oword read x1 high", DC0, 0x02180100, 16, 16, 16, false },
	{ "oword read x2", DC0, 0x02180200, 32, 0, 16, false },
	{ "oword read x8", DC0, 0x02480400, 128, 0, 16, false },
	{ "unaligned oword read x8", DC0, 0x02484400, 128, 0, 1, false },
	{ "oword write x1 high", DC0, 0x020a0100, 16, 16, 16, true },
	{ "oword write x2", DC0, 0x020a0200, 32, 0, 16, true },
	{ "oword write x4", DC0, 0x020a0300, 64, 0, 16, true },
	{ "oword write x8", DC0, 0x020a0400, 128, 0, 16, true },
	{ "oword write x8, save routine's form", DC0, 0x020a2400, 128, 0, 16,
	  true },
	{ "A64 block read x1", DC1, 0x021d0800, 16, 0, 0, false },
	{ "A64 block read x4", DC1, 0x022d0b00, 64, 0, 0, false },
	{ "A64 block write x1", DC1, 0x020d4000, 16, 0, 0, true },
	{ "A64 block write x8", DC1, 0x020d4400, 128, 0, 0, true },
};

static bool block_model(struct rig *rig, const struct block *row,
			enum target target, uint64_t offset)
{
	uint8_t *data = rig->payload + VGT_GRF_BYTES + row->in_grf;
	uint8_t want[128];

	for (uint32_t b = 0; b < row->bytes; b++) {
		uint64_t dword = offset + (b & ~3U);
		uint8_t *byte = model_at(rig, target, offset + b);

		want[b] = 0;
		if (!byte || !model_inside(target, dword, 4))
			continue;
		if (row->write)
			*byte = data[b];
		want[b] = *byte;
	}
	return row->write ||
	       !memcmp(rig->answer + row->in_grf, want, row->bytes);
}

static bool block_round(struct rig *rig, const struct block *row,
			enum target target)
{
	static const uint32_t index[] = { BUFFER_BTI, 254, 255, 255 };
	uint32_t size = target == TABLE ? BUFFER_BYTES : RIG_BYTES;
	uint32_t data_grfs = (row->bytes + 31) / 32;
	uint32_t align = row->unit == 16 ? 16 : 4, scratch;
	uint64_t offset;

	for (uint32_t i = 0; i < sizeof(rig->payload); i++)
		rig->payload[i] = rig_random() >> 7;
	memset(rig->answer, 0xa5, sizeof(rig->answer));
	offset = target_offset(target, rig_below(size) & ~(align - 1));
	if (row->unit) {
		/* Scratch space counts where there is no surface. */
		scratch = target == STATELESS ? offset & 0x400 : 0;
		rig_put(rig, 0, 2, (offset - scratch) / row->unit);
		rig_put(rig, 0, 5, 0x3ff | (target == STATELESS ?
					    scratch : 0xfffffc00));
	} else {
		rig_put(rig, 0, 0, offset);
		rig_put(rig, 0, 1, offset >> 32);
	}
	if (rig_send(rig, row->sfid, row->desc | index[target],
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
				ok &= block_round(rig, row, FLAT);
				continue;
			}
			ok &= block_round(rig, row, TABLE);
			ok &= block_round(rig, row, STATELESS);
			ok &= block_round(rig, row, LOCAL);
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

struct operation {
	const char *name;
	uint32_t code, operands;
	uint64_t before, a, b, after, answer;
};

#define TOP32 0x80000000ULL
/* 32-bit cases; the 64-bit ones shift every value up by 32 bits. */
static const struct operation operations[] = {
	{ "and", 1, 1, 0xff0, 0x3fc, 0, 0x3f0, 0xff0 },
	{ "or", 2, 1, 0xf0, 0x3c, 0, 0xfc, 0xf0 },
	{ "xor", 3, 1, 0xf0, 0x3c, 0, 0xcc, 0xf0 },
	{ "exchange", 4, 1, 5, 77, 0, 77, 5 },
	{ "add", 7, 1, 40, 2, 0, 42, 40 },
	{ "sub", 8, 1, 40, 2, 0, 38, 40 },
	{ "reverse sub", 9, 1, 2, 40, 0, 38, 2 },
	{ "signed max", 10, 1, TOP32, 3, 0, 3, TOP32 },
	{ "signed max keeps", 10, 1, 4, TOP32, 0, 4, 4 },
	{ "signed min", 11, 1, 3, TOP32, 0, TOP32, 3 },
	{ "unsigned max", 12, 1, 3, TOP32, 0, TOP32, 3 },
	{ "unsigned min", 13, 1, TOP32, 3, 0, 3, TOP32 },
	{ "unsigned min keeps", 13, 1, 3, TOP32, 0, 3, 3 },
	{ "compare and swap, equal", 14, 2, 6, 6, 9, 9, 6 },
	{ "compare and swap, different", 14, 2, 6, 7, 9, 6, 6 },
};

static bool atomic32(struct rig *rig, const struct operation *op,
		     enum target target, uint32_t lane)
{
	uint32_t before = op->before, after = op->after;
	uint64_t offset = target_offset(target, 0x1234 + 4 * lane);
	uint8_t *at = target == LOCAL ? rig->slm + 0x1234 + 4 * lane :
		rig_at(rig, RIG_VA + 0x1234 + 4 * lane +
		       (target == TABLE ? BUFFER_OFFSET : 0));
	uint32_t grf = target == FLAT ? 2 : 1, desc;

	memcpy(at, &before, 4);
	memset(rig->answer, 0xa5, sizeof(rig->answer));
	memcpy(rig->payload + lane * (target == FLAT ? 8 : 4), &offset,
	       target == FLAT ? 8 : 4);
	rig_put(rig, grf, lane, op->a);
	rig_put(rig, grf + 1, lane, op->b);
	if (target == FLAT)
		desc = 0x0414a000 | 255;
	else
		desc = 0x0210b000 | (target == LOCAL ? 254 : BUFFER_BTI);
	if (rig_send(rig, DC1, desc | op->code << 8, op->operands, 1U << lane))
		return false;
	return !memcmp(at, &after, 4) && rig_get(rig, 0, lane) == op->answer &&
	       rig_get(rig, 0, lane ^ 1) == 0xa5a5a5a5;
}

static bool atomic64(struct rig *rig, const struct operation *op,
		     uint32_t lane)
{
	uint64_t before = op->before << 32, after = op->after << 32;
	uint64_t address = RIG_VA + 0x2340, a = op->a << 32, b = op->b << 32;
	uint64_t answer = op->answer << 32;

	memcpy(rig_at(rig, address), &before, 8);
	memcpy(rig->payload + lane * 8, &address, 8);
	memcpy(rig->payload + 64 + lane * 8, &a, 8);
	memcpy(rig->payload + 128 + lane * 8, &b, 8);
	if (rig_send(rig, DC1, 0x0424b0ff | op->code << 8, 2 * op->operands,
		     1U << lane))
		return false;
	return !memcmp(rig_at(rig, address), &after, 8) &&
	       !memcmp(rig->answer + lane * 8, &answer, 8);
}

static void test_atomic_operations(struct rig *rig)
{
	char name[64];

	rig_fill(rig);
	for (size_t n = 0; n < sizeof(operations) / sizeof(operations[0]);
	     n++) {
		const struct operation *op = &operations[n];
		bool ok = true;

		for (uint32_t lane = 0; lane < 8; lane++) {
			ok &= atomic32(rig, op, TABLE, lane);
			ok &= atomic32(rig, op, LOCAL, lane);
			ok &= atomic32(rig, op, FLAT, lane);
			ok &= atomic64(rig, op, lane);
		}
		snprintf(name, sizeof(name), "atomic %s", op->name);
		rig_ok(ok, name);
	}
}

/* Increment, decrement and its other form take no operand. */
static void test_atomic_counters(struct rig *rig)
{
	uint32_t at = 0x10000800, value = 100;
	bool ok = true;

	memcpy(rig->slm + 0x800, &value, 4);
	for (uint32_t i = 0; i < 8; i++)
		rig_put(rig, 0, i, at);
	ok &= !rig_send(rig, DC1, 0x0210b5fe, 0, 0xff);
	for (uint32_t i = 0; i < 8; i++)
		ok &= rig_get(rig, 0, i) == 100 + i;
	rig_ok(ok, "atomic lanes on one address go one after the other");

	ok = !rig_send(rig, DC1, 0x0210b6fe, 0, 0x3);
	ok &= rig_get(rig, 0, 0) == 108 && rig_get(rig, 0, 1) == 107;
	ok &= !rig_send(rig, DC1, 0x0210bffe, 0, 0x1);
	ok &= rig_get(rig, 0, 0) == 105;
	memcpy(&value, rig->slm + 0x800, 4);
	rig_ok(ok && value == 105, "atomic decrement, old and new value");

	rig_put(rig, 0, 0, BUFFER_BYTES);
	rig_fill(rig);
	ok = !rig_send(rig, DC1, 0x0210b500 | BUFFER_BTI, 0, 1);
	rig_ok(ok && rig_get(rig, 0, 0) == 0 && rig_memory_matches(rig),
	       "atomic beyond the buffer returns 0 and does nothing");
}

#define RACES 100000

static void *race(void *argument)
{
	struct rig *rig = argument;
	static _Thread_local struct vgt_worker worker;
	struct vgt_eu_thread *thread = rig->thread;
	uint64_t address[8];
	struct vgt_message message = {
		.sfid = DC1, .desc = 0x040485ff, .lanes = 0xff,
		.exec_size = 8, .mlen = 2, .src0 = (uint8_t *)address,
	};
	static _Thread_local struct vgt_eu_thread mine;

	for (int i = 0; i < 8; i++)
		address[i] = RIG_VA + 0x3000 + 4 * (i % 2);
	memcpy(&mine, thread, sizeof(mine));
	worker.tlb = rig->worker->tlb;
	mine.worker = &worker;
	for (int i = 0; i < RACES; i++)
		vgt_message_execute(&mine, &message);
	return NULL;
}

static void test_atomic_race(struct rig *rig)
{
	uint32_t value[2] = { 0 };
	pthread_t other;

	memcpy(rig_at(rig, RIG_VA + 0x3000), value, 8);
	pthread_create(&other, NULL, race, rig);
	race(rig);
	pthread_join(other, NULL);
	memcpy(value, rig_at(rig, RIG_VA + 0x3000), 8);
	rig_ok(value[0] == 8 * RACES && value[1] == 8 * RACES,
	       "atomics of two workers lose no count");
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
		int ret = rig_send(rig, row[n].sfid, row[n].desc, row[n].exlen,
				   0xff);

		snprintf(name, sizeof(name), "refused: %s", row[n].name);
		rig_ok(ret == row[n].error &&
		       rig->thread->status == VGT_EU_ERROR, name);
		rig->thread->status = 0;
	}
}

int main(void)
{
	struct rig *rig = rig_create();

	if (!rig)
		return 1;
	rig_buffer(rig, BUFFER_BTI, RIG_VA + BUFFER_OFFSET, BUFFER_BYTES);
	test_scattered(rig);
	test_blocks(rig);
	test_scratch(rig);
	test_atomic_operations(rig);
	test_atomic_counters(rig);
	test_atomic_race(rig);
	test_faults(rig);
	test_surfaces(rig);
	test_refusals(rig);
	rig_destroy(rig);
	return tap_finish();
}
