/* SPDX-License-Identifier: MIT */
/*
 * A region, or a turn of a division's loop, on its way to code that threads find: in the
 * background, one after the other, or at once.
 */
#ifndef VGT_TIER_JOB_H
#define VGT_TIER_JOB_H

#include "tier/graph.h"
#include "tier/unit.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_code_page;
struct vgt_division;
struct vgt_icache;

struct vgt_job {
	/* Of job.c, as vgt_job_create() got it. */
	struct vgt_job *next;
	struct vgt_code_page *page; /* pinned */
	struct vgt_icache *cache;
	struct vgt_graph *graph;
	uint32_t labels;
	bool published;

	/* What it is for: one of these two. */
	struct vgt_inst *head;
	struct vgt_division *division; /* a turn of it, instead of a region */

	/* May be set as well. */
	bool only_finds; /* what was compiled before, here or by an earlier process */
	bool masks; /* for channels that are not all enabled, too */
	enum vgt_unit_level level; /* VGT_UNIT_QUICK, if it is not */
};

/* Start what works in the background: 0, or a negative errno. Once is enough. */
int vgt_job_start(void);

/*
 * Is there room for one region more, in the page and among those that wait? Those that
 * only find wait in places of their own.
 */
bool vgt_job_has_room(struct vgt_code_page *page, struct vgt_icache *cache,
		      bool only_finds);

/*
 * @graph, made when the page had @labels, becomes the job's, or is freed. NULL if that
 * is NULL, or for want of memory. The job ends with vgt_job_queue() or vgt_job_do().
 */
struct vgt_job *vgt_job_create(struct vgt_code_page *page,
			       struct vgt_icache *cache, uint32_t labels,
			       struct vgt_graph *graph);

void vgt_job_queue(struct vgt_job *job);
/* At once: what threads find now, or NULL. */
struct vgt_unit *vgt_job_do(struct vgt_job *job);

/* Is @inst in a region that waits, or in one that begins elsewhere and can be entered so? */
bool vgt_job_awaits(const struct vgt_code_page *page, const struct vgt_inst *inst);
bool vgt_job_inside(const struct vgt_code_page *page, const struct vgt_inst *inst,
		    uint32_t enabled);

/* The run loop does not ask at @head any more; or does not, if there is nothing of it. */
void vgt_job_give_up(struct vgt_inst *head, struct vgt_icache *cache);
void vgt_job_give_up_new(struct vgt_inst *head, struct vgt_icache *cache);
/* There is nothing of it any more, and the run loop asks as if there never had been. */
void vgt_job_forget(struct vgt_inst *head, struct vgt_icache *cache);

#endif
