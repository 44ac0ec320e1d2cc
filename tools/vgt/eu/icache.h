/* SPDX-License-Identifier: MIT */
/*
 * Instruction cache of a device: pages of decoded instructions. As on hardware
 * it holds stale code until somebody invalidates it. Invalidation is cheap: a
 * page whose bytes did not change stays, and is compared at its next use.
 *
 * Readers take no lock. What is replaced is freed when no reader can still be
 * in it: each reader publishes the epoch at which it entered.
 */
#ifndef VGT_ICACHE_H
#define VGT_ICACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_code_page;
struct vgt_eu_thread;
struct vgt_icache;
struct vgt_inst;

/* One per host thread that runs EU threads; all zero before its first use. */
struct vgt_icache_reader {
	_Atomic uint64_t entered; /* epoch at entry; 0: not in the cache */
	struct vgt_icache *cache;
	struct vgt_icache_reader *next;
	struct vgt_code_page *page; /* last one used, while entered */
};

struct vgt_icache *vgt_icache_create(void);
/* Nobody may be inside. Readers that were there are forgotten. */
void vgt_icache_destroy(struct vgt_icache *cache);

/* Before a reader's memory goes away. */
void vgt_icache_reader_fini(struct vgt_icache_reader *reader);

/*
 * Everything, as PIPE_CONTROL bit 11 or CS_DEBUG_MODE2 bit 6 do; also what the
 * TBX host does when it writes. Any thread may call it at any time.
 */
void vgt_icache_invalidate(struct vgt_icache *cache);

/* Pages that are kept from one walker to the next. */
#define VGT_ICACHE_PAGES 1024

/*
 * Between walkers, as no thread waits anywhere: where there are more pages, all go. An
 * address space may have ended long ago, and nobody says so.
 */
void vgt_icache_trim(struct vgt_icache *cache);

/*
 * The end of an era, which is returned: what was taken out of readers' way may be
 * freed when the oldest one that a reader may be in is a later one.
 */
uint64_t vgt_icache_era_end(struct vgt_icache *cache);
uint64_t vgt_icache_era_oldest(struct vgt_icache *cache);

/* Number of the last invalidation: a thread that sees it move looks up again. */
uint64_t vgt_icache_epoch(const struct vgt_icache *cache);
/* Where it is, for code that looks at it by itself. */
const _Atomic uint64_t *vgt_icache_epoch_place(const struct vgt_icache *cache);

/*
 * Put code into the cache that is in no memory: for tests of the engine. @ip
 * is an offset from instruction base, a multiple of 4096.
 */
void vgt_icache_load(struct vgt_icache *cache, uint32_t ip, const void *code,
		     size_t len_bytes);

/* The engine's side. */
void vgt_icache_enter(struct vgt_icache *cache,
		      struct vgt_icache_reader *reader);
void vgt_icache_leave(struct vgt_icache_reader *reader);

/*
 * The instruction at thread->ip; decodes it and what follows if need be. NULL
 * after vgt_eu_fail() if nothing is mapped there.
 */
const struct vgt_inst *vgt_icache_fetch(struct vgt_eu_thread *thread,
					uint32_t ip);

/* Up to 16 bytes of code at @ip as the cache has them; returns their number. */
size_t vgt_icache_code(struct vgt_eu_thread *thread, uint32_t ip,
		       uint8_t code[16]);

#endif
