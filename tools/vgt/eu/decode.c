// SPDX-License-Identifier: MIT
/*
 * From the KV API's answers to struct vgt_inst. Register files become byte
 * offsets into thread->reg, regions become strides, and what the hardware
 * leaves implicit (regions of architecture registers, widths of three-source
 * operands) is made explicit, so that handlers need not know.
 */
#include "eu/eu.h"
#include "eu/handler.h"
#include "eu/inst.h"
#include "eu/kv.h"

#include <string.h>

#define FLAG_BITS 64 /* f0.0 to f1.1 */

static uint8_t type_bytes(uint8_t type)
{
	switch (type) {
	case VGT_TYPE_UB:
	case VGT_TYPE_B:
		return 1;
	case VGT_TYPE_UW:
	case VGT_TYPE_W:
	case VGT_TYPE_HF:
		return 2;
	case VGT_TYPE_UQ:
	case VGT_TYPE_Q:
	case VGT_TYPE_DF:
		return 8;
	default:
		return 4;
	}
}

/* Place of register @number of a file; its sub-register is added later. */
static uint32_t file_offset(uint32_t file, uint32_t number)
{
	static const uint16_t base[] = {
		[KV_REG_NULL] = VGT_REG_NULL,
		[KV_REG_A] = VGT_REG_A0,
		[KV_REG_ACC] = VGT_REG_ACC,
		[KV_REG_MME] = VGT_REG_MME,
		[KV_REG_F] = VGT_REG_F,
		[KV_REG_CE] = VGT_REG_CE,
		[KV_REG_MSG] = VGT_REG_MSG,
		[KV_REG_SP] = VGT_REG_SP,
		[KV_REG_SR] = VGT_REG_SR,
		[KV_REG_CR] = VGT_REG_CR,
		[KV_REG_N] = VGT_REG_N,
		[KV_REG_IP] = VGT_REG_IP,
		[KV_REG_TDR] = VGT_REG_TDR,
		[KV_REG_TM] = VGT_REG_TM,
		[KV_REG_FC] = VGT_REG_FC,
		[KV_REG_DBG] = VGT_REG_DBG,
		[KV_REG_GRF] = VGT_REG_GRF,
	};
	static const uint8_t pitch[] = {
		[KV_REG_ACC] = 32,
		[KV_REG_MME] = 32,
		[KV_REG_F] = 4,
		[KV_REG_MSG] = 4,
		[KV_REG_SR] = 16,
		[KV_REG_GRF] = 32,
	};

	if (file > KV_REG_GRF)
		return VGT_REG_BYTES;
	if (file == KV_REG_FC && number)
		return VGT_REG_FC + 128 + (number - 1) * 4;
	if (file == KV_REG_MME)
		number &= 7;
	return base[file] + (file < sizeof(pitch) ? pitch[file] * number : 0);
}

/* Register files whose contents are computed, or whose writes act. */
static uint8_t file_arf(uint32_t file)
{
	switch (file) {
	case KV_REG_NULL:
	case KV_REG_ACC:
	case KV_REG_CE:
	case KV_REG_SR:
	case KV_REG_CR:
	case KV_REG_IP:
	case KV_REG_TM:
	case KV_REG_FC:
		return file;
	default:
		return VGT_ARF_PLAIN;
	}
}

static void place(struct vgt_operand *operand, uint32_t kind, uint32_t file,
		  int32_t number, int32_t sub)
{
	uint32_t offset;

	if (kind == KV_KIND_INDIRECT) {
		operand->kind = VGT_OPERAND_INDIRECT;
		operand->offset = VGT_REG_A0 + 2 * sub;
		return;
	}
	operand->kind = VGT_OPERAND_REG;
	operand->arf = file_arf(file);
	offset = file_offset(file, number);
	if (operand->arf != VGT_ARF_NULL)
		offset += sub * operand->bytes;
	operand->offset = offset < VGT_REG_BYTES ? offset : VGT_REG_BYTES;
}

/* One stride that says the same as <vstride;width,hstride>, if any. */
static uint8_t linear_stride(const struct vgt_operand *operand, uint32_t lanes)
{
	if (lanes == 1)
		return 0;
	if (operand->width == 1)
		return operand->vstride;
	if (operand->width >= lanes ||
	    operand->vstride == operand->width * operand->hstride)
		return operand->hstride;
	return VGT_STRIDE_NONE;
}

static void region(struct vgt_operand *operand, uint32_t vstride,
		   uint32_t width, uint32_t hstride, uint32_t lanes)
{
	if (hstride == 15) { /* unknown: an architecture register */
		vstride = lanes > 1;
		width = 1;
		hstride = 0;
	} else if (vstride == 31 && operand->kind == VGT_OPERAND_INDIRECT) {
		operand->kind = VGT_OPERAND_VXH;
		vstride = 0;
	} else if (vstride == 63) { /* third source: <H> */
		vstride = hstride;
		width = 1;
		hstride = 0;
	} else if (width == 31) { /* three sources: <V;H> */
		width = hstride ? vstride / hstride : 1;
	}
	if (operand->arf == VGT_ARF_NULL)
		vstride = hstride = 0;
	operand->vstride = vstride;
	operand->width = width ? width : 1;
	operand->hstride = hstride;
	operand->stride = linear_stride(operand, lanes);
}

static void immediate(struct vgt_operand *operand, uint64_t value)
{
	operand->kind = VGT_OPERAND_IMM;
	operand->imm = value;
	operand->width = 1;
}

/*
 * A vector immediate is eight words of 128 bits, and the destination's place in
 * them picks: its channels lie a word apart, or a dword apart and every second
 * nibble counts. Afterwards channel i takes nibble i % 8.
 */
static void immediate_spread(struct vgt_operand *operand,
			     const struct vgt_operand *dst)
{
	uint32_t step = dst->hstride * dst->bytes / 2, imm = 0;

	if (step < 2)
		return;
	for (uint32_t i = 0; i < 8; i++)
		imm |= (operand->imm >> 4 * (i * step % 8) & 15) << 4 * i;
	operand->imm = imm;
}

static bool is_unsigned(uint8_t type)
{
	return type == VGT_TYPE_UB || type == VGT_TYPE_UW ||
	       type == VGT_TYPE_UD || type == VGT_TYPE_UQ;
}

static void decode_source(struct vgt_operand *operand, const struct kv *kv,
			  int32_t pc, uint32_t i, uint32_t lanes)
{
	uint32_t kind = kv_get_source_register_kind(kv, pc, i);
	uint32_t vstride = 63, width = 31, hstride = 15;
	uint64_t imm = 0;

	operand->type = kv_get_source_data_type(kv, pc, i);
	operand->bytes = type_bytes(operand->type);
	operand->mod = kv_get_source_modifier(kv, pc, i);
	if (is_unsigned(operand->type))
		operand->mod &= ~VGT_MOD_ABS;
	if (kind == KV_KIND_IMM) {
		kv_get_source_immediate(kv, pc, i, &imm);
		immediate(operand, imm);
	} else if (kind == KV_KIND_DIRECT || kind == KV_KIND_INDIRECT) {
		place(operand, kind, kv_get_source_register_type(kv, pc, i),
		      kv_get_source_register(kv, pc, i),
		      kv_get_source_sub_register(kv, pc, i));
		kv_get_source_indirect_imm_off(kv, pc, i, &operand->disp);
		kv_get_source_region(kv, pc, i, &vstride, &width, &hstride);
		region(operand, vstride, width, hstride, lanes);
	}
}

static void decode_destination(struct vgt_operand *operand,
			       const struct kv *kv, int32_t pc)
{
	uint32_t kind = kv_get_destination_register_kind(kv, pc);
	uint32_t hstride = 1;

	operand->type = kv_get_destination_data_type(kv, pc);
	operand->bytes = type_bytes(operand->type);
	if (kind != KV_KIND_DIRECT && kind != KV_KIND_INDIRECT)
		return;
	place(operand, kind, kv_get_destination_register_type(kv, pc),
	      kv_get_destination_register(kv, pc),
	      kv_get_destination_sub_register(kv, pc));
	kv_get_destination_indirect_imm_off(kv, pc, &operand->disp);
	if (kv_get_destination_region(kv, pc, &hstride) || !hstride ||
	    operand->arf == VGT_ARF_NULL)
		hstride = 1;
	operand->hstride = hstride;
	operand->stride = hstride;
	operand->vstride = hstride;
	operand->width = 1;
}

static void decode_send(struct vgt_inst *inst, const struct kv *kv, int32_t pc)
{
	uint8_t exreg = 255, exsub = 255, reg = 255, sub = 255;

	kv_get_send_descs(kv, pc, &inst->exdesc, &inst->desc);
	kv_get_send_indirect_descs(kv, pc, &exreg, &exsub, &reg, &sub);
	inst->desc_reg = reg == 255 ? 255 : sub;
	inst->exdesc_reg = exreg == 255 ? 255 : exsub;
	inst->eot = kv_has_inst_opt(kv, pc, KV_OPTION_EOT);
}

static void decode_flags(struct vgt_inst *inst, const struct kv *kv,
			 int32_t pc)
{
	int32_t reg = kv_get_flag_register(kv, pc);
	int32_t sub = kv_get_flag_sub_register(kv, pc);

	inst->pred = kv_get_predicate(kv, pc);
	inst->pred_inverse = kv_get_is_inverse_predicate(kv, pc);
	inst->cond = kv_get_flag_modifier(kv, pc);
	if (reg > 0)
		inst->flag_bit = 32;
	if (sub > 0)
		inst->flag_bit += 16;
	if (kv_has_inst_opt(kv, pc, KV_OPTION_BREAKPOINT))
		atomic_store_explicit(&inst->flags, VGT_INST_BREAK,
				      memory_order_relaxed);
}

static void decode_targets(struct vgt_inst *inst, const struct kv *kv,
			   int32_t pc, uint32_t base)
{
	int32_t target[3] = { 0 };
	uint32_t count = kv_get_inst_targets(kv, pc, target);

	inst->jip = inst->uip = VGT_IP_NONE;
	if (count > 0)
		inst->jip = inst->uip = base + target[0];
	if (count > 1)
		inst->uip = base + target[1];
}

/* Of channels that no thread has, or flags that there are none of. */
static bool is_illegal(const struct vgt_inst *inst)
{
	return inst->chan + inst->exec_size > 32 ||
	       ((inst->pred || inst->cond) &&
		inst->flag_bit + inst->chan + inst->exec_size > FLAG_BITS);
}

void vgt_inst_decode(struct vgt_inst *inst, const struct kv *kv, int32_t pc,
		     uint32_t base)
{
	uint32_t lanes = kv_get_execution_size(kv, pc);
	int32_t sources = kv_get_number_sources(kv, pc);
	uint32_t function = 0;

	memset(inst, 0, sizeof(*inst));
	inst->ip = base + pc;
	inst->bytes = kv_get_inst_size(kv, pc);
	inst->op = kv_get_opcode(kv, pc);
	inst->exec_size = lanes ? lanes : 1;
	inst->lanes = lanes >= 32 ? UINT32_MAX : (1U << inst->exec_size) - 1;
	inst->chan = 4 * kv_get_channel_offset(kv, pc);
	inst->nomask = kv_get_mask_control(kv, pc) ? UINT32_MAX : 0;
	inst->saturate = kv_get_destination_modifier(kv, pc);
	inst->acc_write = kv_has_inst_opt(kv, pc, KV_OPTION_ACC_WRITE);
	inst->sources = sources < 0 ? 0 : sources > 3 ? 3 : sources;
	if (!kv_get_subfunction(kv, pc, &function))
		inst->function = function;
	if (inst->op == VGT_OP_SYNC)
		inst->function = kv_get_syncfc(kv, pc);
	decode_flags(inst, kv, pc);
	if (is_illegal(inst))
		inst->op = VGT_OP_ILLEGAL;
	decode_targets(inst, kv, pc, base);
	if (kv_get_has_destination(kv, pc) == 1)
		decode_destination(&inst->dst, kv, pc);
	for (uint32_t i = 0; i < inst->sources; i++)
		decode_source(&inst->src[i], kv, pc, i, inst->exec_size);
	for (uint32_t i = 0; i < inst->sources; i++)
		if (inst->src[i].type == VGT_TYPE_V ||
		    inst->src[i].type == VGT_TYPE_UV)
			immediate_spread(&inst->src[i], &inst->dst);
	if (inst->op == VGT_OP_SEND || inst->op == VGT_OP_SENDC)
		decode_send(inst, kv, pc);
	vgt_handler_choose(inst);
}

uint32_t vgt_operand_span(const struct vgt_operand *operand, uint32_t lanes)
{
	uint32_t rows = lanes / operand->width;
	uint32_t columns = lanes < operand->width ? lanes : operand->width;

	if (!rows)
		rows = 1;
	return ((rows - 1) * operand->vstride +
		(columns - 1) * operand->hstride + 1) * operand->bytes;
}
