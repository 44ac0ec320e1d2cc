/* SPDX-License-Identifier: MIT */
/* Buffers at whose ends nothing is mapped (gtdbgctl run --memcheck). */
#ifndef GTDBG_HOOK_GUARD_H
#define GTDBG_HOOK_GUARD_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct gtdbg_guard - a buffer of the program's that is part of a larger one
 * @memory: what the program got; NULL: it has released it
 * @whole: whole pages, ours
 * @context: of both
 * @flags: as the program gave them
 * @number: in reports
 * @len_bytes: as the program asked for
 * @lead_bytes: before it
 * @whole_bytes: with what is before and behind
 * @is_reported: it was written to beyond its ends, which was said
 * @next: in the list
 */
struct gtdbg_guard {
	cl_mem memory;
	cl_mem whole;
	cl_context context;
	cl_mem_flags flags;
	uint32_t number;
	size_t len_bytes;
	size_t lead_bytes;
	size_t whole_bytes;
	bool is_reported;
	struct gtdbg_guard *next;
};

/* Does somebody want them (GTDBG_MEMCHECK)? */
bool gtdbg_hook_guards_wanted(void);

/*
 * A buffer as clCreateBuffer() makes it, for the program, or NULL: it cannot be one
 * of these. @address_out: where it is mapped for the host. Its number is 0.
 */
cl_mem gtdbg_hook_guard_create(cl_context context, cl_mem_flags flags,
			       size_t len_bytes, void *host, void **address_out);

/* Puts calls into @layer that answer for such buffers, and look after them. */
void gtdbg_hook_guards_init(const cl_icd_dispatch *target,
			    cl_icd_dispatch *layer);
/* In a child after a fork, as those of the other files: makes locks anew. */
void gtdbg_hook_guards_forked(void);

/* guard_info.c: what OpenCL tells of them, and sub-buffers that the program makes. */
void gtdbg_hook_guard_info_init(const cl_icd_dispatch *target,
				cl_icd_dispatch *layer);
void gtdbg_hook_guard_info_forked(void);
/* NULL: it is none of them. */
struct gtdbg_guard *gtdbg_hook_guard_find(cl_mem memory);
/* Lets go of buffers of which the program has released the last sub-buffer. */
void gtdbg_hook_parts_sweep(void);

#define GTDBG_GUARD_HOST_FLAGS (CL_MEM_HOST_NO_ACCESS | \
				CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)

/*
 * canary.c: the pattern around a buffer. Filling copies @host into the buffer, unless
 * it is NULL, and returns where the buffer is mapped, NULL if that failed.
 */
void gtdbg_hook_canary_init(const cl_icd_dispatch *target);
void gtdbg_hook_canary_forked(void);
void *gtdbg_hook_canary_fill(struct gtdbg_guard *guard, const void *host);
void gtdbg_hook_canary_check(struct gtdbg_guard *guard, cl_command_queue queue,
			     const char *call);
/* A kernel is launched: looks are worth while until it is done, and may name it. */
void gtdbg_hook_canary_launch(cl_command_queue queue, cl_kernel kernel);
/* Was any that was not known to be done? A look begins, after which all of @queue are. */
bool gtdbg_hook_canary_launched(cl_command_queue queue);
/* For the summary: a buffer that is none of these is NULL; and what looks took. */
void gtdbg_hook_canary_count(const struct gtdbg_guard *guard);
void gtdbg_hook_canary_looked(uint64_t ns);

#endif
