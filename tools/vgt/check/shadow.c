// SPDX-License-Identifier: MIT
#include "check/shadow.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BUCKETS 4096
/* A page of shadow is up to 30 times as large as the page. */
#define PAGES_MAX 14000

/* Memory is taken, zeroed, in huge pages: kernels touch all over it. */
#define HUGE_BYTES (2U << 20)
#define CELLS_BYTES (VGT_CHECK_CELLS * sizeof(struct vgt_check_cell))
#define RESTS_BYTES (VGT_CHECK_CELLS * sizeof(struct vgt_check_rest))
/* Not all of one goes into rests. */
#define HUGES_MAX (PAGES_MAX / (HUGE_BYTES / CELLS_BYTES) + \
		   PAGES_MAX / (HUGE_BYTES / RESTS_BYTES) + 2)

_Static_assert(sizeof(struct vgt_check_cell) == 64, "a cache line");
_Static_assert(HUGE_BYTES % CELLS_BYTES == 0, "whole pages of shadow");

/* What is left of the last huge page. */
struct arena {
	uint8_t *at;
	size_t left;
};

struct vgt_check_shadow {
	/* Chains only grow at their heads: to look needs no lock. */
	_Atomic(struct vgt_check_page *) bucket[BUCKETS];

	/* Of pages: to sleep takes longer than what is done there. */
	pthread_mutexattr_t short_lock;

	pthread_mutex_t lock;
	/* Protected by @lock. */
	uint32_t pages, huges;
	struct arena cells, rests;
	void *huge[HUGES_MAX];
};

struct vgt_check_shadow *vgt_check_shadow_create(void)
{
	struct vgt_check_shadow *shadow = calloc(1, sizeof(*shadow));

	if (!shadow)
		return NULL;
	pthread_mutex_init(&shadow->lock, NULL);
	pthread_mutexattr_init(&shadow->short_lock);
	pthread_mutexattr_settype(&shadow->short_lock,
				  PTHREAD_MUTEX_ADAPTIVE_NP);
	return shadow;
}

static void page_destroy(struct vgt_check_page *page)
{
	for (uint32_t i = 0; i < VGT_CHECK_PARTS; i++)
		pthread_mutex_destroy(&page->lock[i]);
	free(page);
}

void vgt_check_shadow_destroy(struct vgt_check_shadow *shadow)
{
	struct vgt_check_page *page, *next;

	if (!shadow)
		return;
	for (uint32_t i = 0; i < BUCKETS; i++) {
		for (page = shadow->bucket[i]; page; page = next) {
			next = page->next;
			page_destroy(page);
		}
	}
	for (uint32_t i = 0; i < shadow->huges; i++)
		munmap(shadow->huge[i], HUGE_BYTES);
	pthread_mutexattr_destroy(&shadow->short_lock);
	pthread_mutex_destroy(&shadow->lock);
	free(shadow);
}

static struct vgt_check_page *page_find(struct vgt_check_shadow *shadow,
					uint64_t number)
{
	struct vgt_check_page *page;

	page = atomic_load_explicit(&shadow->bucket[number % BUCKETS],
				    memory_order_acquire);
	while (page && page->number != number)
		page = page->next;
	return page;
}

/* Aligned, or else it would be none. */
static uint8_t *huge_map(void)
{
	uint8_t *map = mmap(NULL, 2 * HUGE_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t before;

	if (map == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)map % HUGE_BYTES;
	if (before)
		munmap(map, before);
	map += before;
	munmap(map + HUGE_BYTES, HUGE_BYTES - before);
	madvise(map, HUGE_BYTES, MADV_HUGEPAGE);
	return map;
}

static void *arena_take_locked(struct vgt_check_shadow *shadow,
			       struct arena *arena, size_t bytes)
{
	if (arena->left < bytes) {
		uint8_t *huge = shadow->huges < HUGES_MAX ? huge_map() : NULL;

		if (!huge)
			return NULL;
		shadow->huge[shadow->huges++] = huge;
		*arena = (struct arena){ .at = huge, .left = HUGE_BYTES };
	}
	arena->left -= bytes;
	return arena->at + arena->left;
}

static struct vgt_check_page *page_create_locked(struct vgt_check_shadow *shadow,
						 uint64_t number)
{
	struct vgt_check_page *page = NULL;
	struct vgt_check_cells *cells;

	if (shadow->pages < PAGES_MAX)
		page = calloc(1, sizeof(*page));
	else if (shadow->pages++ == PAGES_MAX)
		fprintf(stderr, "vgtd: races: only the first %u MiB that kernels touch are looked at\n",
			PAGES_MAX * 4 / 1024);
	if (!page)
		return NULL;
	cells = &page->cells;
	cells->known = page->known;
	cells->cell = arena_take_locked(shadow, &shadow->cells, CELLS_BYTES);
	if (cells->cell)
		cells->rest = arena_take_locked(shadow, &shadow->rests,
						RESTS_BYTES);
	if (!cells->rest) {
		free(page);
		return NULL;
	}
	shadow->pages++;
	page->number = number;
	page->next = atomic_load(&shadow->bucket[number % BUCKETS]);
	for (uint32_t i = 0; i < VGT_CHECK_PARTS; i++)
		pthread_mutex_init(&page->lock[i], &shadow->short_lock);
	atomic_store_explicit(&shadow->bucket[number % BUCKETS], page,
			      memory_order_release);
	return page;
}

struct vgt_check_page *vgt_check_shadow_page(struct vgt_check_shadow *shadow,
					     uint64_t number)
{
	struct vgt_check_page *page = page_find(shadow, number);

	if (page)
		return page;
	pthread_mutex_lock(&shadow->lock);
	page = page_find(shadow, number);
	if (!page)
		page = page_create_locked(shadow, number);
	pthread_mutex_unlock(&shadow->lock);
	return page;
}
