// SPDX-License-Identifier: MIT
#include "tier/content.h"

#include "host/hash.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BASE (1U << 30) /* where all regions begin */
#define UNUSED_MAX 64 /* contents that are kept for users that may come */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Protected by @lock. */
static struct vgt_content *contents; /* the newest first */
static uint32_t unused;

static bool is_near(uint32_t ip, uint32_t shift)
{
	return ip == VGT_IP_NONE || ip - shift < 2 * BASE;
}

/*
 * How far the region is moved: its first instruction to BASE, so that what lies before
 * it still does. Not at all if something leads too far.
 */
static uint32_t shift_of(const struct vgt_graph *graph)
{
	uint32_t shift = graph->node[0].inst.ip - BASE;

	for (uint32_t i = 0; i < graph->count; i++)
		if (!is_near(graph->node[i].inst.jip, shift) ||
		    !is_near(graph->node[i].inst.uip, shift))
			return 0;
	return shift;
}

static uint32_t moved(uint32_t ip, uint32_t shift)
{
	return ip == VGT_IP_NONE ? ip : ip - shift;
}

/* What is not the code's: where it is, and what threads have left there. */
static void node_strip(struct vgt_node *node, uint32_t shift)
{
	struct vgt_inst *inst = &node->inst;

	inst->ip = moved(inst->ip, shift);
	inst->jip = moved(inst->jip, shift);
	inst->uip = moved(inst->uip, shift);
	atomic_store(&inst->flags, 0);
	atomic_store(&inst->heat, 0);
	atomic_store(&inst->unit, NULL);
	atomic_store(&inst->division, NULL);
	node->origin = NULL;
}

/* Its first instruction is the first one of its page, wherever that was. */
static void move(struct vgt_graph *graph, uint32_t shift)
{
	const uint32_t base = graph->node[0].inst.ip;
	const uint32_t places = (base - graph->base) / 8;

	for (uint32_t i = 0; i < graph->count; i++)
		node_strip(&graph->node[i], shift);
	memmove(graph->at, graph->at + places,
		(VGT_CODE_PLACES - places) * sizeof(graph->at[0]));
	memset(graph->at + VGT_CODE_PLACES - places, 0,
	       places * sizeof(graph->at[0]));
	graph->base = base - shift;
	graph->head -= shift;
}

struct vgt_content *vgt_content_create(const struct vgt_graph *graph, bool masks,
				       enum vgt_unit_level level)
{
	struct vgt_content *content = calloc(1, sizeof(*content));

	if (!content)
		return NULL;
	content->graph = vgt_graph_copy(graph, &content->graph_bytes);
	if (!content->graph) {
		free(content);
		return NULL;
	}
	move(content->graph, shift_of(graph));
	content->hash = vgt_hash(VGT_HASH_START, content->graph, content->graph_bytes);
	content->masks = masks;
	content->level = level;
	content->users = 1;
	return content;
}

void vgt_content_destroy(struct vgt_content *content)
{
	if (!content)
		return;
	vgt_image_fini(&content->image);
	vgt_graph_destroy(content->graph);
	free(content);
}

vgt_unit_run vgt_content_run(const struct vgt_content *content)
{
	return (vgt_unit_run)(content->image.code + content->image.entry);
}

static bool is_same(const struct vgt_content *a, const struct vgt_content *b)
{
	return a->hash == b->hash && a->masks == b->masks &&
	       a->level == b->level && a->graph_bytes == b->graph_bytes &&
	       !memcmp(a->graph, b->graph, a->graph_bytes);
}

struct vgt_content *vgt_content_find(const struct vgt_content *content)
{
	struct vgt_content *at;

	pthread_mutex_lock(&lock);
	at = contents;
	while (at && !is_same(at, content))
		at = at->next;
	if (at && !at->users++)
		unused--;
	pthread_mutex_unlock(&lock);
	return at;
}

void vgt_content_get(struct vgt_content *content)
{
	pthread_mutex_lock(&lock);
	content->users++;
	pthread_mutex_unlock(&lock);
}

/* The oldest of those that nobody uses, if they are too many. */
static struct vgt_content *take_unused_locked(void)
{
	struct vgt_content **link, **oldest = NULL, *content;

	if (unused <= UNUSED_MAX)
		return NULL;
	for (link = &contents; *link; link = &(*link)->next)
		if (!(*link)->users)
			oldest = link;
	content = *oldest;
	*oldest = content->next;
	unused--;
	return content;
}

void vgt_content_put(struct vgt_content *content)
{
	struct vgt_content *gone = NULL;

	pthread_mutex_lock(&lock);
	if (!--content->users) {
		unused++;
		gone = take_unused_locked();
	}
	pthread_mutex_unlock(&lock);
	vgt_content_destroy(gone);
}

void vgt_content_publish(struct vgt_content *content)
{
	pthread_mutex_lock(&lock);
	content->next = contents;
	contents = content;
	pthread_mutex_unlock(&lock);
}
