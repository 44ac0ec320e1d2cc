/* SPDX-License-Identifier: MIT */
/*
 * The command streamer: fetches commands from the ring and from batch buffers
 * and carries them out in order. Everything a command can be stands in one
 * table (command.c); what it does stands in mi.c and pipeline.c.
 */
#ifndef VGT_COMMAND_H
#define VGT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_context;
struct vgt_device;
struct vgt_worker;

/* Longest command that is looked at as a whole: MI_LOAD_REGISTER_IMM. */
#define VGT_COMMAND_DWORDS 260

/* The ring, then batch buffers that call each other. */
#define VGT_COMMAND_LEVELS 4

struct vgt_command_stream {
	struct vgt_device *device;
	struct vgt_context *context;
	struct vgt_worker *worker; /* whose TLB and EU slots are used */

	struct {
		uint64_t ip; /* next command; ring: offset from its start */
		bool ggtt;
	} level[VGT_COMMAND_LEVELS];
	uint32_t depth; /* 0: in the ring */

	uint32_t dw[VGT_COMMAND_DWORDS]; /* the current command */
	uint32_t len; /* its dwords, which may be more than are in dw[] */
	uint64_t at; /* its address */
	uint64_t executed;
};

/*
 * Carries out stream->dw. Returns 0, or a negative errno after
 * vgt_device_fail().
 */
typedef int (*vgt_command_fn)(struct vgt_command_stream *stream);

/* Run the ring of @context from its head to its tail. */
void vgt_command_run(struct vgt_context *context);

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

/* walker.c */
int vgt_walker_command(struct vgt_command_stream *stream);

#endif
