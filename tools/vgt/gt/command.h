/* SPDX-License-Identifier: MIT */
/*
 * The command streamer: fetches commands from the ring and from batch buffers
 * and carries them out in order. Everything a command can be stands in one
 * table (command.c); what it does stands in mi.c, pipeline.c and blit.c.
 */
#ifndef VGT_COMMAND_H
#define VGT_COMMAND_H

#include "gt/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_device;
struct vgt_engine;
struct vgt_worker;

/* Longest command that is looked at as a whole: MI_LOAD_REGISTER_IMM. */
#define VGT_COMMAND_DWORDS 260

struct vgt_command_stream {
	struct vgt_device *device;
	struct vgt_engine *engine;
	struct vgt_context *context;
	struct vgt_worker *worker; /* whose TLB and EU slots are used */

	struct vgt_level level[VGT_LEVELS];
	uint32_t depth; /* 0: in the ring */

	uint32_t dw[VGT_COMMAND_DWORDS]; /* the current command */
	uint32_t len; /* its dwords, which may be more than are in dw[] */
	uint64_t at; /* its address */
	uint64_t executed;
};

/*
 * Carries out stream->dw. Returns 0, a negative errno after vgt_engine_fail(), or
 * -EAGAIN: other contexts are to have the engine, this one goes on later.
 */
typedef int (*vgt_command_fn)(struct vgt_command_stream *stream);

/*
 * Run the ring of @context from its head to its tail, also to where a driver moves that
 * meanwhile. Returns 0 or what a command, or vgt_execlist_follow(), returned; -ECANCELED if
 * the engine was stopped.
 */
int vgt_command_run(struct vgt_engine *engine, struct vgt_context *context);

/*
 * May commands do all that the driver may? Not those in a batch in the address space
 * of a program, where a driver checks nothing.
 */
bool vgt_command_privileged(const struct vgt_command_stream *stream);

/* Others are to run, and nothing stands against it. */
bool vgt_command_preempted(const struct vgt_command_stream *stream);
/* The command was not carried out: it is the next one. Returns -EAGAIN. */
int vgt_command_again(struct vgt_command_stream *stream);

/*
 * Copy from or to GPU memory of the context (@ggtt: of the global table). A
 * fault is reported; the read is zero then and the write is dropped.
 */
void vgt_command_read(struct vgt_command_stream *stream, uint64_t va,
		      bool ggtt, void *out, size_t len_bytes);
void vgt_command_write(struct vgt_command_stream *stream, uint64_t va,
		       bool ggtt, const void *data, size_t len_bytes);

/* The address in dwords @index and @index + 1 of the command. */
uint64_t vgt_command_address(const struct vgt_command_stream *stream,
			     uint32_t index);

/* Says which command, where, and why not. Returns -ENOTSUP. */
int vgt_command_refuse(struct vgt_command_stream *stream, const char *why);

/* mi.c */
int vgt_mi_arb_check(struct vgt_command_stream *stream);
int vgt_mi_arb_on_off(struct vgt_command_stream *stream);
int vgt_mi_user_interrupt(struct vgt_command_stream *stream);
int vgt_mi_batch_end(struct vgt_command_stream *stream);
int vgt_mi_batch_start(struct vgt_command_stream *stream);
int vgt_mi_load_register_imm(struct vgt_command_stream *stream);
int vgt_mi_load_register_reg(struct vgt_command_stream *stream);
int vgt_mi_load_register_mem(struct vgt_command_stream *stream);
int vgt_mi_store_register_mem(struct vgt_command_stream *stream);
int vgt_mi_store_data_imm(struct vgt_command_stream *stream);
int vgt_mi_flush_dw(struct vgt_command_stream *stream);
int vgt_mi_math(struct vgt_command_stream *stream);
int vgt_mi_semaphore_wait(struct vgt_command_stream *stream);

/* pipeline.c */
int vgt_pipeline_nop(struct vgt_command_stream *stream);
int vgt_pipeline_control(struct vgt_command_stream *stream);
int vgt_pipeline_base_address(struct vgt_command_stream *stream);
int vgt_pipeline_sip(struct vgt_command_stream *stream);
int vgt_pipeline_vfe(struct vgt_command_stream *stream);
int vgt_pipeline_descriptor_load(struct vgt_command_stream *stream);

/* blit.c */
int vgt_blit_fill(struct vgt_command_stream *stream);
int vgt_blit_copy(struct vgt_command_stream *stream);
int vgt_blit_fast_copy(struct vgt_command_stream *stream);

/* walker.c */
int vgt_walker_command(struct vgt_command_stream *stream);

#endif
