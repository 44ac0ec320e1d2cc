/* SPDX-License-Identifier: MIT */
/*
 * Checkers look at each access to memory before it is carried out. They are told
 * of a program's buffers and kernels by the layer of OpenCL's loader in the
 * program (preload/layer.c). See Documentation/vgt.rst, "Checkers".
 */
#ifndef VGT_CHECK_H
#define VGT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_check_group;
struct vgt_check_table;
struct vgt_eu_thread;
struct vgt_inst;
struct vgt_memory;
struct vgt_message;

enum {
	VGT_CHECK_BOUNDS = 1 << 0,
	VGT_CHECK_RACES = 1 << 1,
	VGT_CHECK_UNINIT = 1 << 2,
	VGT_CHECK_WRITES = 1 << 3, /* which are logged */
};

/* VGT_CHECK_*; set once, before threads run. */
extern uint32_t vgt_check_mode;

/* Names with commas between them; false: there is no such checker. */
bool vgt_check_parse(const char *list, uint32_t *mode_out);

/* @path: where reports go as JSON, or NULL. Returns 0 or a negative errno. */
int vgt_check_start(uint32_t mode, const char *path);

/* What a device's program has said. Both allow NULL, for no checker. */
struct vgt_check *vgt_check_create(const struct vgt_memory *memory);
void vgt_check_destroy(struct vgt_check *check);

/* What a worker remembers. */
void vgt_check_forget(struct vgt_check_table *table);

/* What is known of a group. */
void vgt_check_group_destroy(struct vgt_check_group *group);

/* A part of a buffer: @bytes at @phys are those from @offset on. */
struct vgt_check_piece {
	uint64_t phys, bytes, offset;
	uint64_t whole_bytes; /* of the buffer */
	uint32_t number;
	bool svm;
	/* What is left of the last page is nobody's. */
	bool padded;
	/* Nothing has been written there. */
	bool fresh;
};

/* Returns 0 or a negative errno. */
int vgt_check_buffer_add(struct vgt_check *check,
			 const struct vgt_check_piece *piece);
void vgt_check_buffer_remove(struct vgt_check *check, bool svm,
			     uint32_t number);

/* The host writes @bytes at @offset of a buffer. */
void vgt_check_buffer_written(struct vgt_check *check, uint32_t number,
			      uint64_t offset, uint64_t bytes);

/* From @offset of a kernel's code on, up to the next one. */
struct vgt_check_line {
	uint32_t offset;
	uint32_t line; /* 0: what follows is of no line */
	uint32_t file; /* offset of its name in the names */
};

/* A variable in local memory. */
struct vgt_check_local {
	uint32_t offset, bytes;
	uint32_t name; /* its offset in the names */
};

struct vgt_check_source {
	const char *name;
	const void *code;
	size_t code_bytes;
	const void *line; /* struct vgt_check_line[], maybe not aligned */
	const void *local; /* struct vgt_check_local[], the same */
	uint32_t lines, locals;
	uint64_t own_bytes; /* of local memory; behind them are arguments */
	const char *names; /* of files and variables, each with a 0 */
	size_t names_bytes;
};

/* Returns 0 or a negative errno. */
int vgt_check_kernel_add(struct vgt_check *check,
			 const struct vgt_check_source *source);

/*
 * The buffer, or as number 0 local memory, is @kernel's argument @name. Returns 0 or
 * a negative errno.
 */
int vgt_check_argument_add(struct vgt_check *check, const char *kernel,
			   const char *name, bool svm, uint32_t number);

/* @inst is about to send @message. */
void vgt_check_message(struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst,
		       const struct vgt_message *message);

/* @message has been carried out. */
void vgt_check_message_done(struct vgt_eu_thread *thread,
			    const struct vgt_message *message);

/* @thread has signalled its group's barrier, which has @opened for all of them. */
void vgt_check_barrier(struct vgt_eu_thread *thread, bool opened);

#endif
