// SPDX-License-Identifier: MIT
#include "message_rig.h"

#include "eu/handler.h"
#include "eu/icache.h"
#include "gt/memory.h"
#include "gt/tlb.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PML4 VGT_TABLES_BASE
#define ENTRY_FLAGS 3 /* present, writable */
#define HEAP_PHYS 0x400000ULL
#define DATA_PHYS 0x100000ULL
#define GENERAL_OFFSET 0x1000 /* of the memory, from the general base */
#define SURFACE_STATES 0x400 /* in the heap */

static const struct vgt_options options = { .threads = 1 };
static const struct vgt_device_listener listener;

static uint32_t random_state = 0x2545f491;

uint32_t rig_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

uint32_t rig_below(uint32_t end)
{
	return rig_random() % end;
}

/* Neighbours in the address space are no neighbours in memory. */
static uint64_t data_phys(uint32_t page)
{
	return DATA_PHYS + (page * 7 + 3) % RIG_PAGES * 2 * 4096;
}

static void map_page(struct rig *rig, uint64_t va, uint64_t phys)
{
	static uint64_t next_table = PML4 + 4096;
	uint64_t table = PML4;

	for (int shift = 39; shift > 12; shift -= 9) {
		uint64_t *entry = (uint64_t *)(rig->device->memory.base +
					       table) + (va >> shift & 511);

		if (!*entry) {
			*entry = next_table | ENTRY_FLAGS;
			next_table += 4096;
		}
		table = *entry & ~4095ULL;
	}
	((uint64_t *)(rig->device->memory.base + table))[va >> 12 & 511] =
		phys | ENTRY_FLAGS;
}

uint8_t *rig_at(struct rig *rig, uint64_t va)
{
	uint8_t *base = rig->device->memory.base;

	if (va >= RIG_HEAP_VA && va < RIG_HEAP_VA + RIG_HEAP_BYTES)
		return base + HEAP_PHYS + (va - RIG_HEAP_VA);
	if (va < RIG_VA || va >= RIG_VA + RIG_BYTES)
		return NULL;
	va -= RIG_VA;
	return base + data_phys(va / 4096) + va % 4096;
}

static void rig_map(struct rig *rig)
{
	struct vgt_ppgtt ppgtt = { .memory = &rig->device->memory,
				   .pml4 = PML4 };

	for (uint32_t i = 0; i < RIG_PAGES; i++)
		map_page(rig, RIG_VA + i * 4096, data_phys(i));
	for (uint32_t i = 0; i < RIG_HEAP_BYTES; i += 4096)
		map_page(rig, RIG_HEAP_VA + i, HEAP_PHYS + i);
	vgt_tlb_use(&rig->worker->tlb, &ppgtt, 1);
	rig->walker.ppgtt = ppgtt;
}

static void rig_wire(struct rig *rig)
{
	rig->walker.device = rig->device;
	rig->walker.icache = rig->device->icache;
	rig->walker.serial = 1;
	rig->walker.state.surface_base = RIG_HEAP_VA;
	rig->walker.state.bindless_base = RIG_HEAP_VA;
	rig->walker.state.dynamic_base = RIG_HEAP_VA;
	rig->walker.state.general_base = RIG_VA - GENERAL_OFFSET;
	rig->walker.binding_table = RIG_BINDING_TABLE;
	rig->walker.sampler_offset = RIG_SAMPLERS;
	rig->group.walker = &rig->walker;
	rig->group.slm = rig->slm;
	rig->worker->device = rig->device;
	rig->worker->current = rig->thread;
	rig->thread->group = &rig->group;
	rig->thread->worker = rig->worker;
}

struct rig *rig_create(void)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	if (!rig)
		return NULL;
	rig->worker = calloc(1, sizeof(*rig->worker));
	rig->thread = aligned_alloc(64, sizeof(*rig->thread));
	if (!rig->worker || !rig->thread ||
	    vgt_device_create(&options, 1, -1, &listener, &rig->device) ||
	    vgt_device_start(rig->device)) {
		perror("rig");
		return NULL;
	}
	memset(rig->thread, 0, sizeof(*rig->thread));
	rig_map(rig);
	rig_wire(rig);
	rig_buffer(rig, RIG_BUFFER_BTI, RIG_VA + RIG_BUFFER_OFFSET,
		   RIG_BUFFER_BYTES);
	/* A thread that fails names its instruction. */
	vgt_icache_enter(rig->device->icache, &rig->worker->reader);
	return rig;
}

void rig_destroy(struct rig *rig)
{
	if (!rig)
		return;
	vgt_icache_leave(&rig->worker->reader);
	vgt_icache_reader_fini(&rig->worker->reader);
	vgt_device_destroy(rig->device);
	free(rig->thread);
	free(rig->worker);
	free(rig);
}

void rig_fill(struct rig *rig)
{
	for (uint32_t i = 0; i < RIG_BYTES; i++) {
		rig->model[i] = rig_random() >> 11;
		*rig_at(rig, RIG_VA + i) = rig->model[i];
	}
	for (uint32_t i = 0; i < VGT_SLM_BYTES; i++)
		rig->slm[i] = rig->slm_model[i] = rig_random() >> 11;
	memset(rig->answer, 0xa5, sizeof(rig->answer));
}

bool rig_memory_matches(struct rig *rig)
{
	for (uint32_t i = 0; i < RIG_BYTES; i += 4096) {
		if (memcmp(rig_at(rig, RIG_VA + i), rig->model + i, 4096))
			return false;
	}
	return !memcmp(rig->slm, rig->slm_model, VGT_SLM_BYTES);
}

void rig_surface(struct rig *rig, uint32_t bti, const uint32_t state[16])
{
	uint32_t offset = SURFACE_STATES + 64 * bti;
	uint64_t entry = RIG_HEAP_VA + RIG_BINDING_TABLE + 4 * bti;

	memcpy(rig_at(rig, entry), &offset, sizeof(offset));
	memcpy(rig_at(rig, RIG_HEAP_VA + offset), state, 64);
	rig->walker.serial++;
}

void rig_buffer(struct rig *rig, uint32_t bti, uint64_t va, uint64_t size_bytes)
{
	uint32_t n = size_bytes - 1;
	/* Garbage in bits that mean nothing here, as the runtime leaves it. */
	uint32_t state[16] = { 0x8ffd43eb, 0x84a95c83, 0xc000c080, 0x001c0000 };

	state[2] |= (n & 127) | (n >> 7 & 0x3fff) << 16;
	state[3] |= n >> 21 << 21;
	state[5] = 0xffffffff;
	state[8] = va;
	state[9] = va >> 32;
	rig_surface(rig, bti, state);
}

int rig_message(struct rig *rig, uint32_t sfid, uint32_t desc, uint32_t exlen,
		uint32_t lanes)
{
	struct vgt_message message = {
		.sfid = sfid,
		.desc = desc,
		.exdesc = rig->exdesc,
		.lanes = lanes,
		.exec_size = 16,
		.mlen = desc >> 25 & 15,
		.exlen = exlen,
		.rlen = desc >> 20 & 31,
		.src0 = rig->payload,
		.src1 = rig->payload + (desc >> 25 & 15) * VGT_GRF_BYTES,
	};

	message.dst = message.rlen ? rig->answer : NULL;
	return vgt_message_execute(rig->thread, &message);
}

#define PAYLOAD_GRF 1
#define ANSWER_GRF 64

static struct vgt_operand grf_operand(uint32_t grf)
{
	return (struct vgt_operand){
		.kind = VGT_OPERAND_REG, .type = VGT_TYPE_UD, .bytes = 4,
		.width = 1, .stride = 1, .offset = grf * VGT_GRF_BYTES,
	};
}

/* As if decoded; with the handler for such messages, or the one for all. */
static void make_send(struct vgt_inst *inst, uint32_t sfid, uint32_t desc,
		      uint32_t exdesc)
{
	uint32_t mlen = desc >> 25 & 15, rlen = desc >> 20 & 31;

	memset(inst, 0, sizeof(*inst));
	inst->op = VGT_OP_SEND;
	inst->function = sfid;
	inst->desc = desc;
	inst->exdesc = exdesc;
	inst->desc_reg = inst->exdesc_reg = 255;
	inst->lanes = 0xffff;
	inst->exec_size = 16;
	inst->sources = 2;
	inst->src[0] = grf_operand(PAYLOAD_GRF);
	inst->src[1] = grf_operand(PAYLOAD_GRF + mlen);
	if (rlen)
		inst->dst = grf_operand(ANSWER_GRF);
	vgt_handler_slow(rig_below(2));
	vgt_handler_choose(inst);
}

int rig_send(struct rig *rig, uint32_t sfid, uint32_t desc, uint32_t exlen,
	     uint32_t lanes)
{
	struct vgt_eu_thread *thread = rig->thread;
	uint8_t *payload = thread->reg + PAYLOAD_GRF * VGT_GRF_BYTES;
	uint8_t *answer = thread->reg + ANSWER_GRF * VGT_GRF_BYTES;
	const struct vgt_inst *next;
	struct vgt_inst inst;

	make_send(&inst, sfid, desc, rig->exdesc | exlen << 6);
	thread->enabled = lanes;
	memcpy(payload, rig->payload, sizeof(rig->payload));
	memcpy(answer, rig->answer, sizeof(rig->answer));
	next = inst.exec(thread, &inst);
	memcpy(rig->answer, answer, sizeof(rig->answer));
	/* A halt has the run loop look for the next instruction. */
	return next == &inst + 1 || (!next && thread->status != VGT_EU_ERROR &&
				     thread->ip == inst.ip + inst.bytes) ?
	       0 : -EIO;
}

/* Either index of those that mean no surface. */
uint32_t rig_index(struct rig *rig, enum rig_target target)
{
	rig->exdesc = 0;
	switch (target) {
	case RIG_TABLE:
		return RIG_BUFFER_BTI;
	case RIG_BINDLESS:
		rig->exdesc = (SURFACE_STATES + 64 * RIG_BUFFER_BTI) << 6;
		return 252;
	case RIG_LOCAL:
		return 254;
	case RIG_STATELESS:
		return rig_below(2) ? 253 : 255;
	default:
		return 255;
	}
}

uint64_t rig_offset(enum rig_target target, uint64_t in_model)
{
	switch (target) {
	case RIG_FLAT:
		return RIG_VA + in_model + ((uint64_t)rig_random() << 48);
	case RIG_STATELESS:
		return in_model + GENERAL_OFFSET;
	case RIG_LOCAL:
		return in_model | 0x10000000;
	default:
		return in_model;
	}
}

uint8_t *rig_model_at(struct rig *rig, enum rig_target target, uint64_t offset)
{
	switch (target) {
	case RIG_LOCAL:
		return &rig->slm_model[offset & 0xffff];
	case RIG_STATELESS:
		offset -= GENERAL_OFFSET;
		break;
	case RIG_FLAT:
		offset = (offset & 0xffffffffffff) - RIG_VA;
		break;
	default:
		offset += RIG_BUFFER_OFFSET;
	}
	return offset < RIG_BYTES ? &rig->model[offset] : NULL;
}

bool rig_inside(enum rig_target target, uint64_t offset, uint32_t bytes)
{
	return (target != RIG_TABLE && target != RIG_BINDLESS) ||
	       offset + bytes <= RIG_BUFFER_BYTES;
}

/* For each bit of a tile's offset the bit of x, or 16 and that of y. */
static const uint8_t tile_x_bits[12] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18,
};
static const uint8_t tile_y_bits[12] = {
	0, 1, 2, 3, 16, 17, 18, 19, 20, 4, 5, 6,
};

uint32_t rig_tile_offset(enum rig_tile tile, uint32_t pitch, uint32_t x,
			 uint32_t y)
{
	const uint8_t *bit = tile == RIG_TILE_Y ? tile_y_bits : tile_x_bits;
	uint32_t wide = tile == RIG_TILE_Y ? 128 : 512, high = 4096 / wide;
	uint32_t offset = (y / high * (pitch / wide) + x / wide) * 4096;

	if (tile == RIG_LINEAR)
		return y * pitch + x;
	for (uint32_t i = 0; i < 12; i++)
		offset |= (bit[i] < 16 ? x >> bit[i] & 1 :
			   y >> (bit[i] - 16) & 1) << i;
	return offset;
}

void rig_garble(struct rig *rig)
{
	for (uint32_t i = 0; i < sizeof(rig->payload); i++)
		rig->payload[i] = rig_random() >> 7;
	memset(rig->answer, 0xa5, sizeof(rig->answer));
}

void rig_put(struct rig *rig, uint32_t grf, uint32_t lane, uint32_t value)
{
	memcpy(rig->payload + grf * VGT_GRF_BYTES + lane * 4, &value, 4);
}

uint32_t rig_get(const struct rig *rig, uint32_t grf, uint32_t lane)
{
	uint32_t value;

	memcpy(&value, rig->answer + grf * VGT_GRF_BYTES + lane * 4, 4);
	return value;
}

void rig_ok(bool ok, const char *name)
{
	tap_result(ok, name, NULL);
}
