// SPDX-License-Identifier: MIT
/*
 * Threads with all their registers. Local memory is taken once for each
 * work-group, through the first of its threads that can give it: which ones are
 * of one group is known from the registers that gtdbg's system routine keeps
 * from a thread's start, and no other routine reaches local memory.
 */
#include "core.h"

#include "debugger.h"

#include <errno.h>
#include <gtdbg_core.h>
#include <stdlib.h>
#include <string.h>

#define SETS_MAX	32
#define SLM_BYTES	65536
/* r0 of a new thread: in which dwords its group's number is. */
#define GROUP_X		1
#define GROUP_Y		6
#define GROUP_Z		7
#define R0_DWORDS	8

struct group {
	uint32_t device;
	uint32_t context;
	uint32_t kernel;
	uint16_t slice;
	uint16_t subslice;
	uint32_t number[3];
};

struct group_slm {
	struct group group;
	uint32_t slm;		/* 0: it has none */
};

struct threads {
	struct debugger *debugger;
	struct core_notes *parts;
	struct gtdbg_register_set sets[SETS_MAX];
	int set_count;
	uint32_t device;	/* whose sets they are */
	uint32_t context;
	char *registers[SETS_MAX];
	struct group_slm *groups;
	size_t group_count;
	uint32_t slms;
	bool has_slm_failed;	/* threads do not answer: not to be tried again */
	char slm[SLM_BYTES];
};

static void sets_find(struct threads *threads,
		      const struct gtdbg_thread_info *info)
{
	int count;

	if (threads->device == info->device &&
	    threads->context == info->context)
		return;
	count = gtdbg_register_list(threads->debugger->session, info->device,
				    info->context, threads->sets, SETS_MAX);
	threads->set_count = count > 0 ? count : 0;
	threads->device = info->device;
	threads->context = info->context;
}

/* Those that cannot be read are left out. */
static void registers_read(struct threads *threads,
			   const struct gtdbg_thread_info *info)
{
	int i;

	for (i = 0; i < threads->set_count; i++) {
		const struct gtdbg_register_set *set = &threads->sets[i];
		size_t len = (size_t)set->count * set->bytes;
		char *bytes = malloc(len ? len : 1);

		if (bytes && gtdbg_register_read(threads->debugger->session,
						 info, set->set, 0, set->count,
						 bytes, len) < 0) {
			free(bytes);
			bytes = NULL;
		}
		threads->registers[i] = bytes;
	}
}

static bool group_find(struct threads *threads,
		       const struct gtdbg_thread_info *info, struct group *out)
{
	uint32_t r0[R0_DWORDS];
	int i;

	for (i = 0; i < threads->set_count; i++) {
		const struct gtdbg_register_set *set = &threads->sets[i];

		if (set->set != GTDBG_REGISTER_IDENTITY ||
		    !threads->registers[i] || !set->count ||
		    set->bytes < sizeof(r0))
			continue;
		memcpy(r0, threads->registers[i], sizeof(r0));
		memset(out, 0, sizeof(*out));
		out->device = info->device;
		out->context = info->context;
		out->kernel = info->kernel;
		out->slice = info->slice;
		out->subslice = info->subslice;
		out->number[0] = r0[GROUP_X];
		out->number[1] = r0[GROUP_Y];
		out->number[2] = r0[GROUP_Z];
		return true;
	}
	return false;
}

/* The number of its group's memory in the file; 0: none, or not to be had. */
static uint32_t slm_take(struct threads *threads,
			 const struct gtdbg_thread_info *info, int *len_out)
{
	struct group_slm *groups;
	struct group group;
	size_t i;
	int len;

	*len_out = 0;
	if (threads->has_slm_failed || !group_find(threads, info, &group))
		return 0;
	for (i = 0; i < threads->group_count; i++) {
		if (memcmp(&threads->groups[i].group, &group,
			   sizeof(group)) == 0)
			return threads->groups[i].slm;
	}
	len = gtdbg_slm_read(threads->debugger->session, info, 0, threads->slm,
			     sizeof(threads->slm));
	threads->has_slm_failed = len == -ETIMEDOUT || len == -EOPNOTSUPP;
	/* Another thread of the group may do it. */
	if (len < 0 && len != -ENXIO)
		return 0;
	groups = realloc(threads->groups, (i + 1) * sizeof(*groups));
	if (!groups) {
		threads->parts[CORE_PART_SLM].error = -ENOMEM;
		return 0;
	}
	groups[i].group = group;
	groups[i].slm = len > 0 ? ++threads->slms : 0;
	threads->groups = groups;
	threads->group_count++;
	*len_out = len > 0 ? len : 0;
	return groups[i].slm;
}

static void thread_note(struct threads *threads,
			const struct gtdbg_thread_info *info, uint32_t slm)
{
	struct core_notes *notes = &threads->parts[CORE_PART_THREADS];
	struct gtdbg_core_thread head = { .info = *info, .slm = slm };
	int i;

	for (i = 0; i < threads->set_count; i++)
		head.set_count += threads->registers[i] != NULL;
	core_note_begin(notes, GTDBG_CORE_THREAD);
	core_note_add(notes, &head, sizeof(head));
	for (i = 0; i < threads->set_count; i++)
		if (threads->registers[i])
			core_note_add(notes, &threads->sets[i],
				      sizeof(threads->sets[i]));
	for (i = 0; i < threads->set_count; i++) {
		const struct gtdbg_register_set *set = &threads->sets[i];

		if (threads->registers[i])
			core_note_add(notes, threads->registers[i],
				      (size_t)set->count * set->bytes);
		free(threads->registers[i]);
		threads->registers[i] = NULL;
	}
	core_note_end(notes);
}

static void thread_take(struct threads *threads,
			const struct gtdbg_thread_info *info)
{
	struct core_notes *notes = &threads->parts[CORE_PART_SLM];
	struct gtdbg_core_slm head = { 0 };
	int len = 0;

	if (info->state == GTDBG_THREAD_STOPPED) {
		sets_find(threads, info);
		registers_read(threads, info);
		head.slm = slm_take(threads, info, &len);
	}
	thread_note(threads, info, head.slm);
	if (!len)
		return;
	core_note_begin(notes, GTDBG_CORE_SLM);
	core_note_add(notes, &head, sizeof(head));
	core_note_add(notes, threads->slm, len);
	core_note_end(notes);
}

int core_notes_threads(struct debugger *debugger, struct core_notes *parts)
{
	struct threads *threads = calloc(1, sizeof(*threads));
	struct gtdbg_thread_info *infos;
	int count, i;

	if (!threads)
		return -ENOMEM;
	threads->debugger = debugger;
	threads->parts = parts;
	count = thread_list(debugger, &infos);
	for (i = 0; i < count && !wait_is_interrupted &&
	     !parts[CORE_PART_THREADS].error; i++)
		thread_take(threads, &infos[i]);
	if (count >= 0)
		free(infos);
	free(threads->groups);
	free(threads);
	return count;
}
