/* SPDX-License-Identifier: MIT */
/*
 * The decoder of libiga64 (its "KV" C API). The library's own headers are C++,
 * so the prototypes that vgt uses are declared here; vgt_kv_check() refuses to
 * run with a library that they were not written for.
 */
#ifndef VGT_KV_H
#define VGT_KV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kv;

#define KV_PLATFORM_GEN12LP 0x01000000

enum kv_kind {
	KV_KIND_NONE = 0,
	KV_KIND_DIRECT = 1,
	KV_KIND_MACRO = 2,
	KV_KIND_INDIRECT = 3,
	KV_KIND_IMM = 4,
	KV_KIND_LABEL = 5,
};

enum kv_reg {
	KV_REG_NULL = 1,
	KV_REG_A = 2,
	KV_REG_ACC = 3,
	KV_REG_MME = 4,
	KV_REG_F = 5,
	KV_REG_CE = 6,
	KV_REG_MSG = 7,
	KV_REG_SP = 8,
	KV_REG_SR = 9,
	KV_REG_CR = 10,
	KV_REG_N = 11,
	KV_REG_IP = 12,
	KV_REG_TDR = 13,
	KV_REG_TM = 14,
	KV_REG_FC = 15,
	KV_REG_DBG = 16,
	KV_REG_GRF = 17,
};

enum kv_option {
	KV_OPTION_ACC_WRITE = 0,
	KV_OPTION_BREAKPOINT = 2,
	KV_OPTION_EOT = 4,
};

const char *iga_version_string(void);

struct kv *kv_create(int platform, const void *bytes, size_t len, int *status,
		     char *error, size_t error_cap, uint32_t swsb_mode);
void kv_delete(struct kv *kv);
int32_t kv_get_inst_size(const struct kv *kv, int32_t pc);
bool kv_has_inst_opt(const struct kv *kv, int32_t pc, uint32_t option);
uint32_t kv_get_inst_targets(const struct kv *kv, int32_t pc, int32_t *pcs);
size_t kv_get_inst_syntax(const struct kv *kv, int32_t pc, char *buf,
			  size_t cap, uint32_t format,
			  const char *(*labeler)(int32_t, void *), void *env);
uint32_t kv_get_send_descs(const struct kv *kv, int32_t pc, uint32_t *exdesc,
			   uint32_t *desc);
void kv_get_send_indirect_descs(const struct kv *kv, int32_t pc,
				uint8_t *exreg, uint8_t *exsub, uint8_t *reg,
				uint8_t *sub);
uint32_t kv_get_execution_size(const struct kv *kv, int32_t pc);
int32_t kv_get_number_sources(const struct kv *kv, int32_t pc);
uint32_t kv_get_opcode(const struct kv *kv, int32_t pc);
int kv_get_subfunction(const struct kv *kv, int32_t pc, uint32_t *out);
int32_t kv_get_has_destination(const struct kv *kv, int32_t pc);
int32_t kv_get_destination_register(const struct kv *kv, int32_t pc);
int32_t kv_get_destination_sub_register(const struct kv *kv, int32_t pc);
uint32_t kv_get_destination_data_type(const struct kv *kv, int32_t pc);
uint32_t kv_get_destination_register_type(const struct kv *kv, int32_t pc);
uint32_t kv_get_destination_register_kind(const struct kv *kv, int32_t pc);
int32_t kv_get_source_register(const struct kv *kv, int32_t pc, uint32_t i);
int32_t kv_get_source_sub_register(const struct kv *kv, int32_t pc,
				   uint32_t i);
uint32_t kv_get_source_data_type(const struct kv *kv, int32_t pc, uint32_t i);
uint32_t kv_get_source_register_type(const struct kv *kv, int32_t pc,
				     uint32_t i);
uint32_t kv_get_source_register_kind(const struct kv *kv, int32_t pc,
				     uint32_t i);
uint32_t kv_get_channel_offset(const struct kv *kv, int32_t pc);
uint32_t kv_get_mask_control(const struct kv *kv, int32_t pc);
int32_t kv_get_destination_region(const struct kv *kv, int32_t pc,
				  uint32_t *hstride);
int32_t kv_get_source_region(const struct kv *kv, int32_t pc, uint32_t i,
			     uint32_t *vstride, uint32_t *width,
			     uint32_t *hstride);
int32_t kv_get_source_immediate(const struct kv *kv, int32_t pc, uint32_t i,
				uint64_t *out);
int32_t kv_get_source_indirect_imm_off(const struct kv *kv, int32_t pc,
				       uint32_t i, int16_t *out);
int32_t kv_get_destination_indirect_imm_off(const struct kv *kv, int32_t pc,
					    int16_t *out);
uint32_t kv_get_flag_modifier(const struct kv *kv, int32_t pc);
uint32_t kv_get_source_modifier(const struct kv *kv, int32_t pc, uint32_t i);
uint32_t kv_get_destination_modifier(const struct kv *kv, int32_t pc);
int32_t kv_get_flag_register(const struct kv *kv, int32_t pc);
int32_t kv_get_flag_sub_register(const struct kv *kv, int32_t pc);
uint32_t kv_get_predicate(const struct kv *kv, int32_t pc);
uint32_t kv_get_is_inverse_predicate(const struct kv *kv, int32_t pc);
int32_t kv_get_syncfc(const struct kv *kv, int32_t pc);

/* 0, or -ENOEXEC if the library's version is not the one known here. */
int vgt_kv_check(void);

/* Text of the one instruction at @code, for messages. */
void vgt_kv_text(const void *code, size_t len_bytes, char *buf, size_t cap);

#endif
