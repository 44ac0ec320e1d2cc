// SPDX-License-Identifier: MIT
#include "eu/icache.h"

#include "eu/code.h"
#include "eu/eu.h"
#include "eu/handler.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "tier/tier.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024

/*
 * @epoch counts invalidations, @era replacements. A page that was replaced in
 * era E can still be in the hands of readers that entered in E or before.
 */
struct vgt_icache {
	_Atomic uint64_t epoch;
	_Atomic uint64_t era;
	struct vgt_code_page *_Atomic bucket[BUCKETS];
	_Atomic uint32_t pages; /* in them */

	/* Taken to decode, and to replace pages. */
	pthread_mutex_t lock;
	struct vgt_code_page *retired;

	/* Protected by registry_lock. */
	struct vgt_icache_reader *readers;
};

/* Which reader is registered where; taken inside of @lock. */
static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;

struct vgt_icache *vgt_icache_create(void)
{
	struct vgt_icache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return NULL;
	pthread_mutex_init(&cache->lock, NULL);
	atomic_init(&cache->epoch, 1);
	atomic_init(&cache->era, 1);
	return cache;
}

static void retired_free(struct vgt_icache *cache, uint64_t before)
{
	struct vgt_code_page **link = &cache->retired;
	struct vgt_code_page *page;

	while (*link) {
		page = *link;
		if (page->retired_at >= before || atomic_load(&page->pins)) {
			link = &page->retired;
			continue;
		}
		*link = page->retired;
		vgt_code_destroy(page);
	}
}

void vgt_icache_destroy(struct vgt_icache *cache)
{
	struct vgt_code_page *page;

	if (!cache)
		return;
	vgt_tier_forget(cache);
	pthread_mutex_lock(&registry_lock);
	for (struct vgt_icache_reader *reader = cache->readers; reader;
	     reader = reader->next)
		reader->cache = NULL;
	pthread_mutex_unlock(&registry_lock);
	retired_free(cache, UINT64_MAX);
	for (uint32_t i = 0; i < BUCKETS; i++) {
		while ((page = atomic_load(&cache->bucket[i]))) {
			atomic_store(&cache->bucket[i],
				     atomic_load(&page->next));
			vgt_code_destroy(page);
		}
	}
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

static void reader_unlink_locked(struct vgt_icache_reader *reader)
{
	struct vgt_icache_reader **link;

	if (!reader->cache)
		return;
	for (link = &reader->cache->readers; *link; link = &(*link)->next) {
		if (*link == reader) {
			*link = reader->next;
			break;
		}
	}
	reader->cache = NULL;
}

void vgt_icache_reader_fini(struct vgt_icache_reader *reader)
{
	pthread_mutex_lock(&registry_lock);
	reader_unlink_locked(reader);
	pthread_mutex_unlock(&registry_lock);
}

void vgt_icache_enter(struct vgt_icache *cache,
		      struct vgt_icache_reader *reader)
{
	if (reader->cache != cache) {
		pthread_mutex_lock(&registry_lock);
		reader_unlink_locked(reader);
		reader->cache = cache;
		reader->next = cache->readers;
		cache->readers = reader;
		pthread_mutex_unlock(&registry_lock);
	}
	reader->page = NULL;
	atomic_store(&reader->entered, atomic_load(&cache->era));
}

void vgt_icache_leave(struct vgt_icache_reader *reader)
{
	reader->page = NULL;
	atomic_store_explicit(&reader->entered, 0, memory_order_release);
}

void vgt_icache_invalidate(struct vgt_icache *cache)
{
	atomic_fetch_add(&cache->epoch, 1);
}

uint64_t vgt_icache_epoch(const struct vgt_icache *cache)
{
	return atomic_load_explicit(&cache->epoch, memory_order_relaxed);
}

const _Atomic uint64_t *vgt_icache_epoch_place(const struct vgt_icache *cache)
{
	return &cache->epoch;
}

uint64_t vgt_icache_era_end(struct vgt_icache *cache)
{
	return atomic_fetch_add(&cache->era, 1);
}

uint64_t vgt_icache_era_oldest(struct vgt_icache *cache)
{
	uint64_t oldest = UINT64_MAX;

	pthread_mutex_lock(&registry_lock);
	for (struct vgt_icache_reader *reader = cache->readers; reader;
	     reader = reader->next) {
		uint64_t entered = atomic_load(&reader->entered);

		if (entered && entered < oldest)
			oldest = entered;
	}
	pthread_mutex_unlock(&registry_lock);
	return oldest;
}

static struct vgt_code_page *_Atomic *
bucket_of(struct vgt_icache *cache, const struct vgt_code_key *key)
{
	uint64_t hash = key->pml4 / VGT_CODE_BYTES * 31 + key->base / VGT_CODE_BYTES;

	hash = (hash * 31 + key->number) * 0x9e3779b97f4a7c15ULL;
	return &cache->bucket[hash >> 54];
}

static bool key_equal(const struct vgt_code_key *a,
		      const struct vgt_code_key *b)
{
	return a->number == b->number && a->base == b->base &&
	       a->pml4 == b->pml4;
}

static struct vgt_code_page *page_find(struct vgt_icache *cache,
					 const struct vgt_code_key *key)
{
	struct vgt_code_page *page;

	page = atomic_load_explicit(bucket_of(cache, key),
				    memory_order_acquire);
	while (page && !key_equal(&page->key, key))
		page = atomic_load_explicit(&page->next, memory_order_acquire);
	return page;
}

static void page_insert_locked(struct vgt_icache *cache,
			       struct vgt_code_page *page)
{
	struct vgt_code_page *_Atomic *bucket = bucket_of(cache, &page->key);

	atomic_store(&page->next, atomic_load(bucket));
	atomic_store_explicit(bucket, page, memory_order_release);
	atomic_fetch_add(&cache->pages, 1);
}

static void page_retire_locked(struct vgt_icache *cache,
			       struct vgt_code_page *page)
{
	struct vgt_code_page *_Atomic *link = bucket_of(cache, &page->key);

	while (atomic_load(link) != page)
		link = &atomic_load(link)->next;
	atomic_store(link, atomic_load(&page->next));
	atomic_fetch_sub(&cache->pages, 1);
	page->retired_at = vgt_icache_era_end(cache);
	page->retired = cache->retired;
	cache->retired = page;
	retired_free(cache, vgt_icache_era_oldest(cache));
}

void vgt_icache_trim(struct vgt_icache *cache)
{
	struct vgt_code_page *page;

	if (atomic_load_explicit(&cache->pages, memory_order_relaxed) <=
	    VGT_ICACHE_PAGES)
		return;
	pthread_mutex_lock(&cache->lock);
	for (uint32_t i = 0; i < BUCKETS; i++)
		while ((page = atomic_load(&cache->bucket[i])))
			page_retire_locked(cache, page);
	pthread_mutex_unlock(&cache->lock);
}

/* Bytes of the page that @key names, as they are in memory now; 0: unmapped. */
static uint32_t code_read(struct vgt_tlb *tlb, const struct vgt_code_key *key,
			  uint8_t code[VGT_CODE_BYTES + VGT_CODE_TAIL])
{
	uint64_t va = key->base + (uint64_t)key->number * VGT_CODE_BYTES;
	const uint8_t *host = vgt_tlb_host(tlb, va, VGT_ACCESS_FETCH);

	if (!host)
		return 0;
	memcpy(code, host, VGT_CODE_BYTES);
	host = vgt_tlb_host(tlb, va + VGT_CODE_BYTES, VGT_ACCESS_FETCH);
	if (!host)
		return VGT_CODE_BYTES;
	memcpy(code + VGT_CODE_BYTES, host, VGT_CODE_TAIL);
	return VGT_CODE_BYTES + VGT_CODE_TAIL;
}

/* The page of @key as memory has it; NULL if it is not mapped. */
static struct vgt_code_page *page_refresh_locked(struct vgt_icache *cache,
						   struct vgt_tlb *tlb,
						   const struct vgt_code_key *key)
{
	struct vgt_code_page *old = page_find(cache, key), *page;
	uint64_t epoch = atomic_load(&cache->epoch);
	uint8_t code[VGT_CODE_BYTES + VGT_CODE_TAIL];
	uint32_t valid;

	if (old && (old->loaded || atomic_load(&old->checked) == epoch))
		return old;
	valid = code_read(tlb, key, code);
	if (old && old->valid == valid && !memcmp(old->code, code, valid)) {
		atomic_store(&old->checked, epoch);
		return old;
	}
	page = valid ? vgt_code_create(key, code, valid, epoch) : NULL;
	if (page && old)
		memcpy(page->marks, old->marks, sizeof(page->marks));
	if (old)
		page_retire_locked(cache, old);
	if (page)
		page_insert_locked(cache, page);
	return page;
}

/*
 * Channels may come to wait at @ip: its instruction has to look for them. From
 * @from it may be reached again and again.
 */
static void label_locked(struct vgt_icache *cache, struct vgt_tlb *tlb,
			 struct vgt_code_page *page,
			 const struct vgt_inst *from, uint32_t ip)
{
	struct vgt_code_key key = page->key;
	uint8_t marks = VGT_INST_LABEL;

	if (ip == VGT_IP_NONE || ip % 8)
		return;
	key.number = ip / VGT_CODE_BYTES;
	if (key.number != page->key.number)
		page = page->loaded ? page_find(cache, &key) :
		       page_refresh_locked(cache, tlb, &key);
	if (vgt_tier_mode && ip <= from->ip)
		marks |= VGT_INST_HEAD;
	if (from->op == VGT_OP_WHILE && ip <= from->ip &&
	    !vgt_handler_is_slow())
		marks |= VGT_INST_LOOP;
	if (page)
		vgt_code_mark(page, ip % VGT_CODE_BYTES, marks);
}

static void labels_locked(struct vgt_icache *cache, struct vgt_tlb *tlb,
			  struct vgt_code_page *page,
			  const struct vgt_inst *inst)
{
	label_locked(cache, tlb, page, inst, inst->jip);
	label_locked(cache, tlb, page, inst, inst->uip);
	if (inst->op == VGT_OP_WHILE || inst->op == VGT_OP_CALL)
		label_locked(cache, tlb, page, inst,
			     inst->ip + inst->bytes);
}

/* Decode the straight piece at @at of @page; returns its first instruction. */
static const struct vgt_inst *piece_decode_locked(struct vgt_icache *cache,
						  struct vgt_tlb *tlb,
						  struct vgt_code_page *page,
						  uint32_t at)
{
	struct vgt_inst *first;
	struct vgt_code_run *run;
	uint32_t count;

	run = vgt_code_decode(page, at, &count, &first);
	if (!run)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		labels_locked(cache, tlb, page, &first[i]);
	vgt_code_publish(page, run, count);
	return first;
}

static const struct vgt_inst *fetch_slow(struct vgt_eu_thread *thread,
					 struct vgt_icache *cache,
					 const struct vgt_code_key *key,
					 uint32_t at)
{
	struct vgt_icache_reader *reader = &thread->worker->reader;
	struct vgt_tlb *tlb = &thread->worker->tlb;
	const struct vgt_inst *inst = NULL;
	struct vgt_code_page *page;

	pthread_mutex_lock(&cache->lock);
	page = page_refresh_locked(cache, tlb, key);
	reader->page = page;
	if (page) {
		inst = atomic_load(&page->inst[at / 8]);
		if (!inst)
			inst = piece_decode_locked(cache, tlb, page, at);
	}
	pthread_mutex_unlock(&cache->lock);
	return inst;
}

static bool page_current(const struct vgt_icache *cache,
			 const struct vgt_code_page *page)
{
	return page && (page->loaded ||
			atomic_load_explicit(&page->checked,
					     memory_order_relaxed) ==
			vgt_icache_epoch(cache));
}

static struct vgt_code_key key_of(const struct vgt_walker *walker, uint32_t ip)
{
	return (struct vgt_code_key){
		.pml4 = walker->ppgtt.pml4,
		.base = walker->state.instruction_base,
		.number = ip / VGT_CODE_BYTES,
	};
}

size_t vgt_icache_code(struct vgt_eu_thread *thread, uint32_t ip,
		       uint8_t code[16])
{
	const struct vgt_walker *walker = thread->group->walker;
	struct vgt_code_key key = key_of(walker, ip);
	struct vgt_code_page *page = page_find(walker->icache, &key);
	uint32_t at = ip % VGT_CODE_BYTES;
	uint32_t bytes;

	if (!page || at >= page->valid)
		return 0;
	bytes = page->valid - at < 16 ? page->valid - at : 16;
	memcpy(code, page->code + at, bytes);
	return bytes;
}

/*
 * A branch to nowhere: the hardware reports a page fault, as of data, and reads zeros,
 * which are an illegal instruction.
 */
static void fetch_fail(struct vgt_eu_thread *thread, uint64_t va)
{
	struct vgt_device *device = thread->group->walker->device;

	if (device && !vgt_tlb_host(&thread->worker->tlb,
				    va & ~(VGT_PAGE_BYTES - 1),
				    VGT_ACCESS_FETCH) &&
	    !vgt_device_fault(device, thread, va, VGT_ACCESS_FETCH) &&
	    vgt_exception_illegal(thread))
		return;
	vgt_eu_fail(thread, "no code is mapped here");
}

const struct vgt_inst *vgt_icache_fetch(struct vgt_eu_thread *thread,
					uint32_t ip)
{
	struct vgt_icache_reader *reader = &thread->worker->reader;
	const struct vgt_walker *walker = thread->group->walker;
	struct vgt_icache *cache = walker->icache;
	struct vgt_code_key key = key_of(walker, ip);
	struct vgt_code_page *page = reader->page;
	const struct vgt_inst *inst;

	if (!page || page->key.number != key.number) {
		page = page_find(cache, &key);
		reader->page = page;
	}
	if (page_current(cache, page)) {
		inst = atomic_load_explicit(&page->inst[ip % VGT_CODE_BYTES / 8],
					    memory_order_acquire);
		if (inst && inst->ip == ip)
			return inst;
	}
	inst = ip % 8 ? NULL : fetch_slow(thread, cache, &key, ip % VGT_CODE_BYTES);
	if (!inst) {
		thread->ip = ip;
		fetch_fail(thread, key.base + ip);
	}
	return inst;
}

void vgt_icache_load(struct vgt_icache *cache, uint32_t ip, const void *code,
		     size_t len_bytes)
{
	struct vgt_code_key key = { .number = ip / VGT_CODE_BYTES };
	const uint8_t *from = code;
	struct vgt_code_page *page;

	pthread_mutex_lock(&cache->lock);
	for (; len_bytes; key.number++) {
		uint32_t valid = len_bytes < VGT_CODE_BYTES + VGT_CODE_TAIL ?
				 len_bytes : VGT_CODE_BYTES + VGT_CODE_TAIL;
		uint32_t step = valid < VGT_CODE_BYTES ? valid : VGT_CODE_BYTES;

		page = page_find(cache, &key);
		if (page)
			page_retire_locked(cache, page);
		page = vgt_code_create(&key, from, valid, 0);
		if (!page)
			break;
		page->loaded = true;
		page_insert_locked(cache, page);
		from += step;
		len_bytes -= step;
	}
	pthread_mutex_unlock(&cache->lock);
}
