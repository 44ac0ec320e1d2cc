// SPDX-License-Identifier: MIT
#include "eu/code.h"

#include "eu/division.h"
#include "eu/eu.h"
#include "eu/handler.h"
#include "eu/inst.h"
#include "eu/kv.h"
#include "tier/tier.h"

#include <stdlib.h>
#include <string.h>

/* Bits of an instruction's first dword, and of its second. */
#define WORD_OPCODE 0x7fU
#define WORD_COMPACT (1U << 29)
#define WORD_SEND 0x31U
#define WORD_SENDC 0x32U
#define WORD1_EOT (1U << 2)

/* Instructions in a row, and behind them one that finds what follows. */
struct vgt_code_run {
	struct vgt_code_run *next;
	struct vgt_inst inst[];
};

struct vgt_code_page *vgt_code_create(const struct vgt_code_key *key,
				      const uint8_t *code, uint32_t valid,
				      uint64_t epoch)
{
	struct vgt_code_page *page = calloc(1, sizeof(*page));

	if (!page)
		return NULL;
	page->key = *key;
	page->valid = valid;
	memcpy(page->code, code, valid);
	atomic_init(&page->checked, epoch);
	return page;
}

void vgt_code_destroy(struct vgt_code_page *page)
{
	struct vgt_code_run *run;
	struct vgt_inst *inst;

	for (uint32_t i = 0; i < VGT_CODE_PLACES; i++) {
		inst = atomic_load(&page->inst[i]);
		if (inst)
			vgt_division_destroy(atomic_load(&inst->division));
	}
	while (page->runs) {
		run = page->runs;
		page->runs = run->next;
		free(run);
	}
	vgt_tier_destroy(page->units);
	free(page);
}

static uint32_t word_at(const struct vgt_code_page *page, uint32_t at)
{
	return vgt_load32(page->code + at);
}

static bool ends_thread(const struct vgt_code_page *page, uint32_t at)
{
	uint32_t opcode = word_at(page, at) & WORD_OPCODE;

	return (opcode == WORD_SEND || opcode == WORD_SENDC) &&
	       word_at(page, at + 4) & WORD1_EOT;
}

/*
 * Length of the straight piece that starts at @at: up to the end of the thread
 * or of the page, code that is decoded already, or no code at all. @count_out
 * is the number of its instructions; both are 0 if not one is whole.
 */
static uint32_t piece_bytes(const struct vgt_code_page *page, uint32_t at,
			    uint32_t *count_out)
{
	uint32_t end = at, count = 0;

	while (end < VGT_CODE_BYTES && !atomic_load(&page->inst[end / 8])) {
		uint32_t bytes = word_at(page, end) & WORD_COMPACT ? 8 : 16;
		bool last = ends_thread(page, end);

		if (!(word_at(page, end) & WORD_OPCODE)) {
			bytes = 8;
			last = true;
		}
		if (end + bytes > page->valid)
			break;
		end += bytes;
		count++;
		if (last)
			break;
	}
	*count_out = count;
	return end - at;
}

/* An instruction that the decoder has no answer for. */
static void decode_none(struct vgt_inst *inst, uint32_t ip)
{
	memset(inst, 0, sizeof(*inst));
	inst->ip = ip;
	inst->bytes = 8;
	inst->exec_size = 1;
	inst->lanes = 1;
	inst->op = VGT_OP_ILLEGAL;
	vgt_handler_choose(inst);
}

static void link_init(struct vgt_inst *inst, uint32_t ip)
{
	memset(inst, 0, sizeof(*inst));
	inst->ip = ip;
	inst->exec = vgt_link_exec;
}

struct vgt_code_run *vgt_code_decode(const struct vgt_code_page *page,
				     uint32_t at, uint32_t *count_out,
				     struct vgt_inst **first_out)
{
	uint32_t ip = page->key.number * VGT_CODE_BYTES + at;
	uint32_t bytes, count, pc = 0;
	struct vgt_code_run *run;
	struct kv *kv;

	bytes = piece_bytes(page, at, &count);
	if (!count)
		return NULL;
	run = aligned_alloc(64, (sizeof(*run) + 63) / 64 * 64 +
			    (count + 1) * sizeof(run->inst[0]));
	if (!run)
		return NULL;
	kv = kv_create(KV_PLATFORM_GEN12LP, page->code + at, bytes, NULL, NULL,
		       0, 0);
	for (uint32_t i = 0; i < count; i++) {
		if (kv && kv_get_inst_size(kv, pc) > 0)
			vgt_inst_decode(&run->inst[i], kv, pc, ip);
		else
			decode_none(&run->inst[i], ip + pc);
		pc += run->inst[i].bytes;
	}
	kv_delete(kv);
	link_init(&run->inst[count], ip + pc);
	*count_out = count;
	*first_out = run->inst;
	return run;
}

void vgt_code_mark(struct vgt_code_page *page, uint32_t at, uint8_t marks)
{
	struct vgt_inst *inst = atomic_load(&page->inst[at / 8]);

	if (inst)
		atomic_fetch_or(&inst->flags, marks);
	if (marks & ~page->marks[at / 8] & VGT_INST_LABEL)
		atomic_fetch_add(&page->labels, 1);
	page->marks[at / 8] |= marks;
}

void vgt_code_publish(struct vgt_code_page *page, struct vgt_code_run *run,
		      uint32_t count)
{
	uint32_t ip = page->key.number * VGT_CODE_BYTES;

	for (uint32_t i = 0; i < count; i++)
		atomic_fetch_or(&run->inst[i].flags,
				page->marks[(run->inst[i].ip - ip) / 8]);
	run->next = page->runs;
	page->runs = run;
	for (uint32_t i = 0; i < count; i++)
		atomic_store_explicit(&page->inst[(run->inst[i].ip - ip) / 8],
				      &run->inst[i], memory_order_release);
}
