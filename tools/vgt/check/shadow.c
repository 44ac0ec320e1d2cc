// SPDX-License-Identifier: MIT
#include "check/shadow.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096
/* A page of shadow is 28 times as large as the page. */
#define PAGES_MAX 15000

struct vgt_check_shadow {
	/* Chains only grow at their heads: to look needs no lock. */
	_Atomic(struct vgt_check_page *) bucket[BUCKETS];

	pthread_mutex_t lock;
	uint32_t pages; /* protected by @lock */
};

struct vgt_check_shadow *vgt_check_shadow_create(void)
{
	struct vgt_check_shadow *shadow = calloc(1, sizeof(*shadow));

	if (shadow)
		pthread_mutex_init(&shadow->lock, NULL);
	return shadow;
}

void vgt_check_shadow_destroy(struct vgt_check_shadow *shadow)
{
	struct vgt_check_page *page, *next;

	if (!shadow)
		return;
	for (uint32_t i = 0; i < BUCKETS; i++) {
		for (page = shadow->bucket[i]; page; page = next) {
			next = page->next;
			pthread_mutex_destroy(&page->lock);
			free(page);
		}
	}
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

static struct vgt_check_page *page_create_locked(struct vgt_check_shadow *shadow,
						 uint64_t number)
{
	struct vgt_check_page *page = NULL;

	if (shadow->pages < PAGES_MAX)
		page = calloc(1, sizeof(*page));
	else if (shadow->pages++ == PAGES_MAX)
		fprintf(stderr, "vgtd: races: only the first %u MiB that kernels touch are looked at\n",
			PAGES_MAX * 4 / 1024);
	if (!page)
		return NULL;
	shadow->pages++;
	page->number = number;
	page->next = atomic_load(&shadow->bucket[number % BUCKETS]);
	pthread_mutex_init(&page->lock, NULL);
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
