/* SPDX-License-Identifier: MIT */
/*
 * Messages that no thread stops for: the values are written down on the GPU, and
 * what they are is known by the tag that they come with.
 */
#ifndef GTDBGCTL_RECORD_H
#define GTDBGCTL_RECORD_H

#include <stddef.h>
#include <stdint.h>

struct breakpoint;
struct debugger;
struct gtdbg_event;
struct gtdbg_symbols;
struct layout;

/* The program for a place, its length or a negative errno with breakpoint->why_host. */
int record_compile(struct debugger *debugger, struct breakpoint *breakpoint,
		   struct gtdbg_symbols *symbols, uint64_t pc, void *program,
		   size_t capacity);
void record_forget(struct breakpoint *breakpoint);

/* What threads have written down. */
void records_print(struct debugger *debugger, const struct gtdbg_event *event);
/* No thread writes any more: what they have written is read and printed. */
void records_finish(struct debugger *debugger);
/* No more will come of this session: says what that leaves over. */
void records_end(struct debugger *debugger);

#endif
