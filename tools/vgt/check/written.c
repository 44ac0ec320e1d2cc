// SPDX-License-Identifier: MIT
#include "check/written.h"

#include "gt/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 4096
#define WORDS (VGT_PAGE_BYTES / 64)
/* 528 bytes each: so many are of a GiB of buffers. */
#define PAGES_MAX (1U << 18)

struct page {
	struct page *next;
	uint64_t number; /* of the physical page */
	_Atomic uint64_t word[WORDS];
};

struct vgt_check_written {
	/* Chains only grow at their heads: to look needs no lock. */
	_Atomic(struct page *) bucket[BUCKETS];
	_Atomic bool full;

	pthread_mutex_t lock;
	uint32_t pages; /* protected by @lock */
};

struct vgt_check_written *vgt_check_written_create(void)
{
	struct vgt_check_written *written = calloc(1, sizeof(*written));

	if (written)
		pthread_mutex_init(&written->lock, NULL);
	return written;
}

void vgt_check_written_destroy(struct vgt_check_written *written)
{
	struct page *page, *next;

	if (!written)
		return;
	for (uint32_t i = 0; i < BUCKETS; i++) {
		for (page = written->bucket[i]; page; page = next) {
			next = page->next;
			free(page);
		}
	}
	pthread_mutex_destroy(&written->lock);
	free(written);
}

static struct page *page_find(struct vgt_check_written *written,
			      uint64_t number)
{
	struct page *page;

	page = atomic_load_explicit(&written->bucket[number % BUCKETS],
				    memory_order_acquire);
	while (page && page->number != number)
		page = page->next;
	return page;
}

/* NULL: there is no room, or no memory. From then on, all counts as written. */
static struct page *page_create_locked(struct vgt_check_written *written,
				       uint64_t number)
{
	struct page *page = NULL;

	if (written->pages < PAGES_MAX)
		page = calloc(1, sizeof(*page));
	if (!page) {
		if (!atomic_exchange(&written->full, true))
			fprintf(stderr, "vgtd: uninit: there are too many buffers, they are looked at no more\n");
		return NULL;
	}
	written->pages++;
	page->number = number;
	page->next = atomic_load(&written->bucket[number % BUCKETS]);
	atomic_store_explicit(&written->bucket[number % BUCKETS], page,
			      memory_order_release);
	return page;
}

static struct page *page_get(struct vgt_check_written *written,
			     uint64_t number)
{
	struct page *page = page_find(written, number);

	if (page)
		return page;
	pthread_mutex_lock(&written->lock);
	page = page_find(written, number);
	if (!page)
		page = page_create_locked(written, number);
	pthread_mutex_unlock(&written->lock);
	return page;
}

/* Bits of the bytes from @first to below @end of a page that are in its word @i. */
static uint64_t mask(uint32_t i, uint32_t first, uint32_t end)
{
	uint32_t low = i * 64;
	uint64_t bits = ~0ULL;

	if (end <= low || first >= low + 64)
		return 0;
	if (first > low)
		bits <<= first - low;
	if (end < low + 64)
		bits &= ~0ULL >> (low + 64 - end);
	return bits;
}

static void page_clear(struct page *page, uint64_t phys, uint64_t end)
{
	uint64_t base = page->number * VGT_PAGE_BYTES;
	uint32_t from, to;

	if (end <= base || phys >= base + VGT_PAGE_BYTES)
		return;
	from = phys > base ? phys - base : 0;
	to = end - base < VGT_PAGE_BYTES ? end - base : VGT_PAGE_BYTES;
	for (uint32_t i = 0; i < WORDS; i++)
		atomic_fetch_and(&page->word[i], ~mask(i, from, to));
}

static uint32_t page_count(struct vgt_check_written *written)
{
	uint32_t count;

	pthread_mutex_lock(&written->lock);
	count = written->pages;
	pthread_mutex_unlock(&written->lock);
	return count;
}

/* There may be far fewer pages than the buffer has, or far more. */
void vgt_check_written_clear(struct vgt_check_written *written, uint64_t phys,
			     uint64_t bytes)
{
	uint64_t first = phys / VGT_PAGE_BYTES, end = phys + bytes;
	uint64_t count = (end + VGT_PAGE_BYTES - 1) / VGT_PAGE_BYTES - first;
	struct page *page;

	if (count < page_count(written)) {
		for (uint64_t i = 0; i < count; i++) {
			page = page_find(written, first + i);
			if (page)
				page_clear(page, phys, end);
		}
		return;
	}
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (page = atomic_load(&written->bucket[i]); page;
		     page = page->next)
			page_clear(page, phys, end);
}

void vgt_check_written_set(struct vgt_check_written *written, uint64_t phys,
			   uint64_t bytes)
{
	uint64_t end = phys + bytes, next;
	struct page *page;

	for (; phys < end; phys = next) {
		uint64_t base = phys & ~(VGT_PAGE_BYTES - 1ULL);

		next = base + VGT_PAGE_BYTES < end ? base + VGT_PAGE_BYTES :
						     end;
		page = page_get(written, phys / VGT_PAGE_BYTES);
		if (!page)
			return;
		for (uint32_t i = (phys - base) / 64; i * 64 < next - base; i++)
			atomic_fetch_or(&page->word[i],
					mask(i, phys - base, next - base));
	}
}

uint32_t vgt_check_written_count(struct vgt_check_written *written,
				 uint64_t phys, uint32_t bytes)
{
	struct page *page = page_find(written, phys / VGT_PAGE_BYTES);
	uint32_t first = phys % VGT_PAGE_BYTES, count = 0;

	if (atomic_load(&written->full))
		return bytes;
	if (!page)
		return 0;
	for (uint32_t i = first / 64; i * 64 < first + bytes; i++)
		count += __builtin_popcountll(atomic_load(&page->word[i]) &
					      mask(i, first, first + bytes));
	return count;
}
