/* SPDX-License-Identifier: MIT */
/*
 * The graphics compiler's instruction decoder (libiga64), found at run time:
 * its headers are C++ only, and the library must work where it is missing.
 */
#ifndef LIBGTDBG_KV_H
#define LIBGTDBG_KV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opcodes, operand kinds, register and data types, as libiga64 numbers them. */
#define KV_OP_ADD		1
#define KV_OP_ADDC		3
#define KV_OP_AND		4
#define KV_OP_CALL		15
#define KV_OP_CALLA		16
#define KV_OP_MACH		49
#define KV_OP_MAD		51
#define KV_OP_MOV		56
#define KV_OP_MUL		58
#define KV_OP_SEND		75
#define KV_OP_SENDC		76
#define KV_OP_SHL		82
#define KV_KIND_DIRECT		1
#define KV_KIND_IMMEDIATE	4
#define KV_REGISTER_ACC		3
#define KV_REGISTER_GRF		17
#define KV_TYPE_UB		6
#define KV_TYPE_B		7
#define KV_TYPE_UW		8
#define KV_TYPE_W		9
#define KV_TYPE_UD		10
#define KV_TYPE_D		11
#define KV_TYPE_UQ		12
#define KV_TYPE_Q		13
#define KV_TYPE_HF		14
#define KV_TYPE_F		20
#define KV_TYPE_DF		21
#define KV_TYPE_V		23
#define KV_TYPE_UV		24

struct kv_view;

/* The calls of the decoder, by their own names. */
struct gtdbg_kv {
	struct kv_view *(*create)(int platform, const void *bytes, size_t len,
				  int *status, char *errors, size_t capacity,
				  uint32_t swsb_mode);
	void (*delete)(struct kv_view *view);
	int32_t (*get_inst_size)(const struct kv_view *view, int32_t pc);
	size_t (*get_inst_syntax)(const struct kv_view *view, int32_t pc,
				  char *buf, size_t capacity, uint32_t format,
				  const char *(*label)(int32_t, void *),
				  void *context);
	uint32_t (*get_inst_targets)(const struct kv_view *view, int32_t pc,
				     int32_t *pcs);
	uint32_t (*get_opcode)(const struct kv_view *view, int32_t pc);
	uint32_t (*get_execution_size)(const struct kv_view *view, int32_t pc);
	int32_t (*get_has_destination)(const struct kv_view *view, int32_t pc);
	int32_t (*get_destination_register)(const struct kv_view *view,
					    int32_t pc);
	int32_t (*get_destination_sub_register)(const struct kv_view *view,
						int32_t pc);
	uint32_t (*get_destination_data_type)(const struct kv_view *view,
					      int32_t pc);
	uint32_t (*get_destination_register_type)(const struct kv_view *view,
						  int32_t pc);
	uint32_t (*get_destination_register_kind)(const struct kv_view *view,
						  int32_t pc);
	int32_t (*get_destination_region)(const struct kv_view *view,
					  int32_t pc, uint32_t *stride);
	int32_t (*get_number_sources)(const struct kv_view *view, int32_t pc);
	int32_t (*get_source_register)(const struct kv_view *view, int32_t pc,
				       uint32_t i);
	int32_t (*get_source_sub_register)(const struct kv_view *view,
					   int32_t pc, uint32_t i);
	uint32_t (*get_source_data_type)(const struct kv_view *view,
					 int32_t pc, uint32_t i);
	uint32_t (*get_source_register_type)(const struct kv_view *view,
					     int32_t pc, uint32_t i);
	uint32_t (*get_source_register_kind)(const struct kv_view *view,
					     int32_t pc, uint32_t i);
	int32_t (*get_source_region)(const struct kv_view *view, int32_t pc,
				     uint32_t i, uint32_t *vertical,
				     uint32_t *width, uint32_t *horizontal);
	int32_t (*get_source_immediate)(const struct kv_view *view,
					int32_t pc, uint32_t i,
					uint64_t *value);
	uint32_t (*get_source_modifier)(const struct kv_view *view,
					int32_t pc, uint32_t i);
	uint32_t (*get_message_len)(const struct kv_view *view, int32_t pc,
				    uint32_t *message, uint32_t *extended,
				    uint32_t *response);
	uint32_t (*get_predicate)(const struct kv_view *view, int32_t pc);
	uint32_t (*get_channel_offset)(const struct kv_view *view, int32_t pc);
};

struct gtdbg_code {
	const struct gtdbg_kv *kv;
	struct kv_view *view;
	size_t len_bytes;
};

#endif
