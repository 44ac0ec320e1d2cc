// SPDX-License-Identifier: MIT
/* Model instructions as the assembler wants to read them. */
#include "generate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
	char *at, *end;
};

static void __attribute__((format(printf, 2, 3)))
append(struct text *text, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text->at, text->end - text->at, format, args);
	va_end(args);
	text->at += len;
}

static const char *type_name(enum model_type type)
{
	static const char *const names[] = {
		[MODEL_UB] = "ub", [MODEL_B] = "b",   [MODEL_UW] = "uw",
		[MODEL_W] = "w",   [MODEL_UD] = "ud", [MODEL_D] = "d",
		[MODEL_HF] = "hf", [MODEL_F] = "f",   [MODEL_V] = "v",
		[MODEL_UV] = "uv", [MODEL_VF] = "vf",
	};

	return names[type];
}

static const char *mnemonic(const struct model_inst *inst)
{
	const struct generate_row *row = generate_rows;

	while (row->op != inst->op || row->sources != inst->sources)
		row++;
	return row->name;
}

static void append_predicate(struct text *text, const struct model_inst *inst)
{
	if (!inst->nomask && !inst->pred)
		return;
	append(text, "(%s", inst->nomask ? "W" : "");
	if (inst->pred) {
		append(text, "%s%sf%u.%u", inst->nomask ? "&" : "",
		       inst->pred_inverse ? "~" : "", inst->flag / 2,
		       inst->flag % 2);
		if (inst->pred > 1)
			append(text, ".%s%uh", inst->pred_all ? "all" : "any",
			       inst->pred);
	}
	append(text, ") ");
}

static void append_register(struct text *text,
			    const struct model_operand *operand)
{
	unsigned int bytes = model_type_bytes(operand->type);

	switch (operand->kind) {
	case MODEL_NULL:
		append(text, "null");
		break;
	case MODEL_INDIRECT:
	case MODEL_VXH:
		append(text, "r[a0.%u,%d]", operand->place, operand->disp);
		break;
	default:
		append(text, "%s%u.%u", operand->kind == MODEL_ACC ? "acc" : "r",
		       operand->place / 32, operand->place % 32 / bytes);
	}
}

static void append_region(struct text *text, const struct model_inst *inst,
			  unsigned int n)
{
	const struct model_operand *src = &inst->src[n];
	unsigned int stride = src->kind == MODEL_ACC ? 1 : src->vstride;

	if (src->kind == MODEL_VXH && src->width == inst->exec)
		append(text, "<%u;%u,%u>", src->width * src->hstride,
		       src->width, src->hstride);
	else if (src->kind == MODEL_VXH)
		append(text, "<%u,%u>", src->width, src->hstride);
	else if (inst->sources < 3)
		append(text, "<%u;%u,%u>", src->vstride, src->width,
		       src->hstride);
	else if (n == 2)
		append(text, "<%u>", stride);
	else if (stride == 0)
		append(text, "<0;0>");
	else
		append(text, "<%u;%u>", stride == 1 ? 4 : 8, stride);
}

static void append_source(struct text *text, const struct model_inst *inst,
			  unsigned int n)
{
	const struct model_operand *src = &inst->src[n];
	bool logic = inst->op == MODEL_AND || inst->op == MODEL_OR ||
		     inst->op == MODEL_XOR || inst->op == MODEL_NOT;

	if (src->kind == MODEL_IMM) {
		append(text, " 0x%x:%s", src->imm, type_name(src->type));
		return;
	}
	append(text, " %s%s", src->neg ? logic ? "~" : "-" : "",
	       src->abs ? "(abs)" : "");
	append_register(text, src);
	append_region(text, inst, n);
	append(text, ":%s", type_name(src->type));
}

void generate_text(const struct model_inst *inst, char *out, size_t bytes)
{
	static const char *const conds[] = {
		"", "(eq)", "(ne)", "(gt)", "(ge)", "(lt)", "(le)"
	};
	struct text text = { out, out + bytes };
	unsigned int n;

	append_predicate(&text, inst);
	append(&text, "%s (%u|M%u) ", mnemonic(inst), inst->exec, inst->first);
	if (inst->cond)
		append(&text, "%sf%u.%u ", conds[inst->cond], inst->flag / 2,
		       inst->flag % 2);
	append(&text, "%s", inst->saturate ? "(sat)" : "");
	append_register(&text, &inst->dst);
	append(&text, "<%u>:%s", inst->dst.hstride, type_name(inst->dst.type));
	for (n = 0; n < inst->sources; n++)
		append_source(&text, inst, n);
	if (inst->acc_write)
		append(&text, " {AccWrEn}");
}
