/* SPDX-License-Identifier: MIT */
/*
 * A page of code, and the instructions that were decoded from it. The icache
 * holds them, locks them and says which is current (icache.c); here is how code
 * is cut into runs and decoded.
 *
 * An instruction appears in a page whole: it is published by one store, after
 * all that it consists of, and is never changed but for its flags.
 */
#ifndef VGT_CODE_H
#define VGT_CODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_code_run;
struct vgt_inst;
struct vgt_unit;

#define VGT_CODE_BYTES 4096
#define VGT_CODE_PLACES (VGT_CODE_BYTES / 8)
#define VGT_CODE_TAIL 8 /* the second half of an instruction that straddles */

/* Which code a page belongs to: the same offset means different memory. */
struct vgt_code_key {
	uint64_t pml4;
	uint64_t base; /* instruction base */
	uint32_t number; /* offset from it, in pages */
};

struct vgt_code_page {
	struct vgt_code_page *_Atomic next; /* in its bucket */
	struct vgt_code_key key;
	_Atomic uint32_t pins; /* by the compiler of regions */
	_Atomic uint32_t unit_count, labels; /* regions, and marks: how many */
	_Atomic uint64_t checked; /* epoch that found the bytes up to date */
	bool loaded; /* by vgt_icache_load(): in no memory */
	uint32_t valid; /* bytes of code */
	uint8_t code[VGT_CODE_BYTES + VGT_CODE_TAIL];
	struct vgt_inst *_Atomic inst[VGT_CODE_PLACES]; /* by place / 8 */

	/* Protected by vgt_icache.lock. */
	uint8_t marks[VGT_CODE_PLACES]; /* VGT_INST_LABEL, HEAD, LOOP */
	struct vgt_code_run *runs;
	struct vgt_code_page *retired;
	uint64_t retired_at;

	/* Protected by the lock of job.c. */
	struct vgt_unit *units;
};

struct vgt_code_page *vgt_code_create(const struct vgt_code_key *key,
				      const uint8_t *code, uint32_t valid,
				      uint64_t epoch);
/* With all instructions of the page. */
void vgt_code_destroy(struct vgt_code_page *page);

/*
 * Decode what follows @at in a straight line, up to the end of the page or to
 * what is decoded already. NULL if there is no whole instruction. Nobody finds
 * it before it is published.
 */
struct vgt_code_run *vgt_code_decode(const struct vgt_code_page *page,
				     uint32_t at, uint32_t *count_out,
				     struct vgt_inst **first_out);
void vgt_code_publish(struct vgt_code_page *page, struct vgt_code_run *run,
		      uint32_t count);

/* The instruction at @at has to look at more: VGT_INST_LABEL, HEAD, LOOP. */
void vgt_code_mark(struct vgt_code_page *page, uint32_t at, uint8_t marks);

#endif
