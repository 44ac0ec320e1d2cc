// SPDX-License-Identifier: MIT
/*
 * Messages that move elements for each lane, against a model of memory. Every
 * descriptor is made here, from the fields that Mesa's brw_eu.h writes (and the
 * structures MDC_CMASK, MDC_SM3, MDC_DS and MDC_A64_DS of Intel's manuals, which
 * it names), with what it must do; nothing is shared with the code under test.
 */
#include "message_rig.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 100

/* Message types, of data port 0 (byte) and 1. */
enum type {
	BYTE_READ = 0x04,
	BYTE_WRITE = 0x0c,
	UNTYPED_READ = 0x01,
	UNTYPED_WRITE = 0x09,
	A64_READ = 0x10,
	A64_WRITE = 0x1a,
	A64_UNTYPED_READ = 0x11,
	A64_UNTYPED_WRITE = 0x19,
};

struct scattered {
	char name[80];
	uint32_t sfid, type, control;
	bool write, a64;
	uint32_t lanes, element_bytes, slot_bytes, count, at[8];
};

struct traffic {
	enum rig_target target;
	uint64_t offset[16];
	uint32_t mask;
	bool answered;
};

static uint32_t address_grfs(const struct scattered *row)
{
	return row->lanes * (row->a64 ? 8 : 4) / VGT_GRF_BYTES;
}

static uint32_t data_grfs(const struct scattered *row)
{
	return row->count * row->lanes * row->slot_bytes / VGT_GRF_BYTES;
}

/* So that elements lie on both sides of the end of a page or of the buffer. */
static uint32_t before_an_end(const struct traffic *traffic, uint32_t size)
{
	uint32_t begin = traffic->target <= RIG_BINDLESS ? RIG_BUFFER_OFFSET : 0;
	uint32_t end = rig_below(2) ? size :
		       4096 * (1 + rig_below(size / 4096)) - begin;

	return end - rig_below(80);
}

/* Offsets of all lanes, in one of the ways in which programs make them. */
static void make_offsets(struct traffic *traffic, const struct scattered *row)
{
	uint32_t size = traffic->target <= RIG_BINDLESS ? RIG_BUFFER_BYTES :
			RIG_BYTES;
	uint32_t first = rig_below(size), way = rig_below(9);
	uint32_t span = row->at[row->count - 1] + row->element_bytes;
	uint32_t step = rig_below(2) ? span : row->element_bytes;
	uint32_t odd = 1 + rig_below(row->lanes - 1);
	uint64_t tag = rig_offset(traffic->target, 0);

	if (way == 6 || way == 8)
		first = before_an_end(traffic, size);
	if (way < 4)
		first &= ~3U;
	for (uint32_t i = 0; i < row->lanes; i++) {
		switch (way) {
		case 0: /* a run, which may leave the page or the buffer */
		case 4:
		case 6:
			traffic->offset[i] = first + i * step;
			break;
		case 7: /* nearly a run */
			traffic->offset[i] = first + i * step + (i == odd) * 4;
			break;
		case 1: /* all the same */
		case 8:
			traffic->offset[i] = first;
			break;
		case 2:
			traffic->offset[i] = (first & ~4095U) +
					     rig_below(1024) * 4;
			break;
		default: /* anywhere, and somewhat beyond */
			traffic->offset[i] = rig_below(size + 64);
		}
		traffic->offset[i] += tag;
	}
}

static void put_addresses(struct rig *rig, const struct scattered *row,
			  const struct traffic *traffic)
{
	uint32_t bytes = row->a64 ? 8 : 4;

	for (uint32_t i = 0; i < row->lanes; i++)
		memcpy(rig->payload + i * bytes, &traffic->offset[i], bytes);
}

/* What lane @lane reads or writes, carried out on the model. */
static bool model_lane(struct rig *rig, const struct scattered *row,
		       const struct traffic *traffic, uint32_t lane)
{
	uint8_t *data = rig->payload + address_grfs(row) * VGT_GRF_BYTES;
	uint32_t plane = row->lanes * row->slot_bytes;
	bool same = true;

	for (uint32_t c = 0; c < row->count; c++) {
		uint32_t slot = c * plane + lane * row->slot_bytes;
		uint64_t at = traffic->offset[lane] + row->at[c];
		uint8_t want[8] = { 0 };

		for (uint32_t b = 0; b < row->element_bytes; b++) {
			uint8_t *byte = rig_model_at(rig, traffic->target,
						     at + b);

			if (!byte || !rig_inside(traffic->target, at,
						 row->element_bytes))
				continue;
			if (row->write)
				*byte = data[slot + b];
			want[b] = *byte;
		}
		same &= row->write || !traffic->answered ||
			!memcmp(rig->answer + slot, want, row->slot_bytes);
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

/* What is sent may lie in one source, or the data in the second one. */
static int scattered_send(struct rig *rig, const struct scattered *row,
			  const struct traffic *traffic)
{
	uint32_t mlen = address_grfs(row), exlen = 0, rlen = 0;
	uint32_t index = rig_index(rig, traffic->target);

	if (row->write && mlen + data_grfs(row) < 16 && rig_below(2))
		mlen += data_grfs(row);
	else if (row->write)
		exlen = data_grfs(row);
	if (!row->write && traffic->answered)
		rlen = data_grfs(row);
	return rig_send(rig, row->sfid, index | row->control << 8 |
			row->type << 14 | rlen << 20 | mlen << 25, exlen,
			traffic->mask);
}

static bool scattered_round(struct rig *rig, const struct scattered *row,
			    enum rig_target target)
{
	struct traffic traffic = {
		.target = target,
		.mask = rig_below(2) ? 0xffffffff : rig_random(),
		.answered = rig_below(16),
	};
	bool same = true;

	rig_garble(rig);
	make_offsets(&traffic, row);
	put_addresses(rig, row, &traffic);
	if (scattered_send(rig, row, &traffic))
		return false;
	for (uint32_t i = 0; i < row->lanes; i++)
		same &= traffic.mask >> i & 1 ?
			model_lane(rig, row, &traffic, i) :
			lane_untouched(rig, row, i);
	return same;
}

static void row_run(struct rig *rig, const struct scattered *row)
{
	enum rig_target last = row->a64 ? RIG_FLAT : RIG_STATELESS;
	enum rig_target target = row->a64 ? RIG_FLAT : RIG_TABLE;
	bool ok = true;

	rig_fill(rig);
	for (; target <= last; target++) {
		for (int i = 0; i < ROUNDS; i++)
			ok &= scattered_round(rig, row, target);
	}
	rig_ok(ok && rig_memory_matches(rig), row->name);
}

static const char *way_name(const struct scattered *row)
{
	return row->write ? "write" : "read";
}

/* Dwords x, y, z, w, of which @left says which are left out. */
static void untyped_run(struct rig *rig, uint32_t type, uint32_t lanes,
			uint32_t left)
{
	struct scattered row = {
		.sfid = VGT_SFID_DC1, .type = type, .lanes = lanes,
		.control = left | (lanes == 8 ? 2 : 1) << 4,
		.write = type == UNTYPED_WRITE || type == A64_UNTYPED_WRITE,
		.a64 = type == A64_UNTYPED_READ || type == A64_UNTYPED_WRITE,
		.element_bytes = 4, .slot_bytes = 4,
	};
	char dwords[5] = "";

	for (uint32_t c = 0; c < 4; c++) {
		if (left >> c & 1)
			continue;
		dwords[row.count] = "xyzw"[c];
		row.at[row.count++] = 4 * c;
	}
	snprintf(row.name, sizeof(row.name), "%suntyped %s %s, SIMD%u",
		 row.a64 ? "A64 " : "", way_name(&row), dwords, lanes);
	row_run(rig, &row);
}

static void byte_run(struct rig *rig, uint32_t type, uint32_t lanes,
		     uint32_t size)
{
	struct scattered row = {
		.sfid = VGT_SFID_DC0, .type = type, .lanes = lanes,
		.control = size << 2 | (lanes == 16),
		.write = type == BYTE_WRITE,
		.element_bytes = 1 << size, .slot_bytes = 4, .count = 1,
	};

	snprintf(row.name, sizeof(row.name), "byte %s of %u bits, SIMD%u",
		 way_name(&row), 8 << size, lanes);
	row_run(rig, &row);
}

/* @kind 0: up to four bytes in a dword; 1: dwords, 2: qwords, 1 << @count. */
static void a64_run(struct rig *rig, uint32_t type, uint32_t lanes,
		    uint32_t kind, uint32_t count)
{
	struct scattered row = {
		.sfid = VGT_SFID_DC1, .type = type, .lanes = lanes,
		.control = kind | count << 2 | (lanes == 16) << 4,
		.write = type == A64_WRITE, .a64 = true,
		.element_bytes = kind ? 2 << kind : 1 << count,
		.slot_bytes = kind == 2 ? 8 : 4,
		.count = kind ? 1 << count : 1,
	};
	static const char *const names[] = { "byte", "dword", "qword" };

	if (data_grfs(&row) > 31)
		return;
	for (uint32_t c = 0; c < row.count; c++)
		row.at[c] = c * row.element_bytes;
	snprintf(row.name, sizeof(row.name), "A64 %s %s x%u, SIMD%u",
		 names[kind], way_name(&row), 1 << count, lanes);
	row_run(rig, &row);
}

static void width_run(struct rig *rig, uint32_t lanes)
{
	static const enum type untyped[] = {
		UNTYPED_READ, UNTYPED_WRITE, A64_UNTYPED_READ,
		A64_UNTYPED_WRITE,
	};

	for (uint32_t n = 0; n < 4; n++)
		for (uint32_t left = 0; left < 15; left++)
			untyped_run(rig, untyped[n], lanes, left);
	for (uint32_t size = 0; size < 3; size++) {
		byte_run(rig, BYTE_READ, lanes, size);
		byte_run(rig, BYTE_WRITE, lanes, size);
	}
	for (uint32_t kind = 0; kind < 3; kind++) {
		for (uint32_t count = 0; count < (kind ? 4 : 3); count++) {
			a64_run(rig, A64_READ, lanes, kind, count);
			a64_run(rig, A64_WRITE, lanes, kind, count);
		}
	}
}

/*
 * A buffer of 8 GiB whose offsets from 4 GiB less FAR on are in the second half of a page: there
 * its bytes go on behind 4 GiB, where no offset is. Offset 0 is not mapped.
 */
#define FAR 0x400U
#define FAR_PAGE 4096

static void far_buffer(struct rig *rig)
{
	uint64_t base = RIG_VA + FAR_PAGE + 0x800 - (1ULL << 32);
	/* A buffer of pitch 4096, entries 1 + 2^21. */
	uint32_t state[16] = { 4U << 29, 0, 0, 1U << 21 | 4095 };

	state[8] = base;
	state[9] = base >> 32 & 0xffff;
	rig_surface(rig, RIG_BUFFER_BTI, state);
}

/* Lanes @step bytes apart, of which those behind the last offset read 0. */
static bool far_lanes(struct rig *rig, uint32_t lanes, uint32_t count,
		      uint32_t first, uint32_t step)
{
	uint32_t mode = lanes == 8 ? 2 : 1, left = count == 1 ? 14 : 12;
	uint32_t mlen = lanes / 8, want, got;
	bool same = true;

	rig_garble(rig);
	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t offset = first + i * step;

		memcpy(rig->payload + 4 * i, &offset, 4);
	}
	if (rig_send(rig, VGT_SFID_DC1, RIG_BUFFER_BTI | left << 8 | mode << 12 |
		     UNTYPED_READ << 14 | count * mlen << 20 | mlen << 25, 0,
		     0xffffffff))
		return false;
	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t offset = first + i * step;

		want = 0;
		if (offset >= -FAR)
			memcpy(&want, rig->model + FAR_PAGE + 0x800 + (int32_t)offset, 4);
		memcpy(&got, rig->answer + 4 * i, 4);
		same &= got == want;
	}
	return same;
}

static void test_far(struct rig *rig)
{
	bool run = true, apart = true;

	rig_fill(rig);
	far_buffer(rig);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t lanes = i % 2 ? 8 : 16, count = 1 + i / 2 % 2;

		run &= far_lanes(rig, lanes, count, -16, 4 * count);
		apart &= far_lanes(rig, lanes, count, -FAR, 0x100);
	}
	rig_ok(run, "a run that goes past the last offset goes on at the first");
	rig_ok(apart, "and so do lanes that are apart");
}

int main(void)
{
	struct rig *rig = rig_create();

	if (!rig)
		return 1;
	width_run(rig, 8);
	width_run(rig, 16);
	test_far(rig);
	rig_destroy(rig);
	return tap_finish();
}
