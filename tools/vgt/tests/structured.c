// SPDX-License-Identifier: MIT
#include "structured.h"

#include "engine_rig.h"
#include "eu/code.h"
#include "generate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTILE_LINE 300
#define CROSSING (VGT_CODE_BYTES - 800) /* where a program starts that crosses pages */

unsigned int structured_below(struct structured *source, unsigned int limit)
{
	return generate_random(&source->random) % limit;
}

static void __attribute__((format(printf, 2, 3)))
line(struct structured *source, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	source->len += vsnprintf(source->text + source->len,
				 STRUCTURED_TEXT_BYTES - source->len, format, args);
	va_end(args);
	source->len += snprintf(source->text + source->len,
				STRUCTURED_TEXT_BYTES - source->len, "\n");
}

static void move_operand(struct model_operand *operand, bool few)
{
	unsigned int reg = operand->place / 32, sub = operand->place % 32;

	if (operand->kind != MODEL_GRF)
		return;
	reg = model_type_float(operand->type) ? 80 + reg % (few ? 4 : 38) :
						8 + reg % (few ? 6 : 70);
	operand->place = reg * 32 + sub;
}

/* What has no place among the others: bits of floats as integers. */
static bool mixes(const struct model_inst *inst)
{
	bool number = model_type_float(inst->dst.type);
	unsigned int i;

	if (inst->dst.kind != MODEL_NULL && inst->op == MODEL_CMP && number)
		return true;
	for (i = 0; i < inst->sources; i++)
		if (inst->src[i].kind == MODEL_ACC &&
		    !model_type_float(inst->src[i].type))
			return true;
	return false;
}

/* What is translated, mostly. */
static bool is_usual(const struct model_inst *inst)
{
	static const uint64_t ops = 1ULL << MODEL_MOV | 1ULL << MODEL_NOT |
		1ULL << MODEL_ADD | 1ULL << MODEL_AND | 1ULL << MODEL_OR |
		1ULL << MODEL_XOR | 1ULL << MODEL_SHL | 1ULL << MODEL_SHR |
		1ULL << MODEL_ROL | 1ULL << MODEL_CMP | 1ULL << MODEL_SEL |
		1ULL << MODEL_ADDC;

	for (unsigned int i = 0; i < inst->sources; i++)
		if (inst->src[i].kind != MODEL_GRF &&
		    inst->src[i].kind != MODEL_IMM)
			return false;
	return ops >> inst->op & 1 &&
	       inst->dst.kind == MODEL_GRF && inst->dst.type >= MODEL_UW &&
	       inst->dst.type != MODEL_HF;
}

static void arithmetic(struct structured *source)
{
	struct model_inst inst;
	char text[300];
	unsigned int i;

	for (;;) {
		const struct generate_row *row =
			&generate_rows[structured_below(source, source->rows)];
		enum model_type type = structured_below(source, MODEL_F + 1);

		if (!(row->dst >> type & 1) ||
		    !generate_inst(&inst, row, type, 1 << structured_below(source, 6),
				   &source->random) || mixes(&inst) ||
		    (source->few && !is_usual(&inst)))
			continue;
		break;
	}
	move_operand(&inst.dst, source->few);
	for (i = 0; i < inst.sources; i++)
		move_operand(&inst.src[i], source->few);
	generate_text(&inst, text, sizeof(text));
	line(source, "%s", text);
}

/* Integers through the accumulator, all of its width and explicitly; and what is none. */
static void accumulate(struct structured *source)
{
	static const char *const types[] = { "d", "ud" };
	static const char *const predicates[] = { "", "(f0.0) ", "(~f1.0) " };
	static const char *const ops[] = { "and", "xor", "add", "sel" };
	unsigned int lanes = structured_below(source, 2) ? 16 : 8;
	unsigned int from = lanes < 16 ? 8 * structured_below(source, 2) : 0;
	unsigned int a = 8 + structured_below(source, 34) * 2;
	unsigned int b = 8 + structured_below(source, 34) * 2;
	unsigned int to = 8 + structured_below(source, 34) * 2;
	const char *t = types[structured_below(source, 2)];
	const char *u = types[structured_below(source, 2)];
	const char *predicate = predicates[structured_below(source, 3)];
	unsigned int op = structured_below(source, 4);
	char target[16];

	if (structured_below(source, 8) == 0)
		lanes = 1;
	if (structured_below(source, 4))
		snprintf(target, sizeof(target), "r%u.0", to);
	else
		snprintf(target, sizeof(target), "acc%u.0",
			 structured_below(source, 2));
	switch (structured_below(source, 6)) {
	case 0:
		line(source, "%smul (%u|M%u) acc0.0<1>:%s r%u.0<8;8,1>:%s r%u.0<%s>:%s",
		     predicate, lanes, from, t, a, t, b, lanes == 1 ? "0;1,0" :
		     "16;8,2", structured_below(source, 2) ? "uw" : "w");
		break;
	case 1:
		/* Every second element is the interpreter's. */
		if (lanes == 8 && structured_below(source, 2))
			snprintf(target, sizeof(target), "acc0.0<2>");
		else
			snprintf(target, sizeof(target), "acc%u.0<1>",
				 lanes < 16 ? structured_below(source, 2) : 0);
		line(source, "%s%s (%u|M%u) %s:%s r%u.0<8;8,1>:%s r%u.0<8;8,1>:%s",
		     op == 3 ? "(f0.0) " : predicate, ops[op], lanes, from,
		     target, t, a, t, b, u);
		break;
	case 2:
		line(source, "%s%s (%u|M%u) r%u.0<1>:%s acc0.0<8;8,1>:%s r%u.0<8;8,1>:%s",
		     op == 3 ? "(f0.0) " : predicate, ops[op], lanes, from, to,
		     t, t, b, u);
		break;
	case 3:
		line(source, structured_below(source, 2) ?
		     "%smov (8|M%u) acc0.0<1>:f -1.0:f" :
		     "%smov (8|M%u) acc0.1<2>:uw 0xffff:uw", predicate,
		     lanes < 16 ? from : 0);
		break;
	default:
		line(source, "%smach (%u|M%u) %s<1>:%s r%u.0<8;8,1>:%s r%u.0<8;8,1>:%s%s",
		     predicate, lanes, from, target, t, a, t, b, u,
		     structured_below(source, 3) ? " {AccWrEn}" : "");
	}
}

static void compare(struct structured *source, const char *flag)
{
	static const char *const conds[] = { "lt", "ge", "eq", "ne", "gt" };
	unsigned int most = source->few ? 6 : 60;

	line(source, "cmp (%u|M0) (%s)%s null<1>:w r%u.0<16;16,1>:w r%u.0<16;16,1>:w",
	     source->lanes, conds[structured_below(source, 5)], flag,
	     8 + structured_below(source, most), 8 + structured_below(source, most));
}

/* Flags and addresses as operands, where channels are, and what an address leads to. */
static void special(struct structured *source)
{
	static const char *const texts[] = {
		"(W) mov (1|M0) f0.0<1>:uw r%u.0<0;1,0>:uw",
		"mov (1|M0) f1.0<1>:ud r%u.1<0;1,0>:ud",
		"(W) xor (1|M0) f0.1<1>:uw f1.0<0;1,0>:uw r%u.3<0;1,0>:uw",
		"and (1|M0) r%u.2<1>:ud f0.0<0;1,0>:ud f1.0<0;1,0>:ud",
		"cmp (16|M0) (eq)f0.0 null<1>:d r%u.0<0;1,0>:d r%u.0<0;1,0>:d",
		"mov (16|M0) r%u.0<1>:uw a0.0<1;1,0>:uw",
		"mov (1|M0) r%u.0<1>:ud ce0.0<0;1,0>:ud",
		"and (16|M0) a0.0<1>:uw r%u.0<16;16,1>:uw 0x3fc:uw\n"
		"or (16|M0) a0.0<1>:uw a0.0<1;1,0>:uw 0x400:uw",
		"mov (8|M8) r[a0.2,-64]<1>:d r%u.0<8;8,1>:d",
		"(f0.0) add (16|M0) r[a0.1,32]<2>:w r%u.0<16;16,1>:w 3:w",
	};

	unsigned int reg = 8 + structured_below(source, source->few ? 6 : 60);

	line(source, texts[structured_below(source, source->few ? 5 : 10)], reg,
	     reg);
}

/* Where a branch is: mostly in all channels. */
static const char *window(struct structured *source)
{
	static const char *const some[] = { "(8|M0)", "(8|M8)", "(4|M4)" };

	if (structured_below(source, 6) == 0)
		return some[structured_below(source, 3)];
	if (source->lanes < 32)
		return "(16|M0)";
	return structured_below(source, 8) ? "(32|M0)" : "(16|M16)";
}

/* Channels by their own flags, mostly. */
static const char *group(struct structured *source)
{
	static const char *const some[] = {
		".any2h", ".all4h", ".any8h", ".all8h",
	};

	return structured_below(source, 8) ? "" :
					     some[structured_below(source, 4)];
}

static void block(struct structured *source, unsigned int items);

static void some_if(struct structured *source)
{
	unsigned int label = source->labels++;
	bool has_else = structured_below(source, 2);

	compare(source, "f0.0");
	line(source, "(%sf0.0%s) if %s %s%u END%u",
	     structured_below(source, 2) ? "~" : "", group(source),
	     window(source), has_else ? "ELSE" : "END", label, label);
	block(source, 1 + structured_below(source, 4));
	if (has_else) {
		line(source, "else %s END%u END%u", window(source), label,
		     label);
		line(source, "ELSE%u:", label);
		block(source, 1 + structured_below(source, 4));
	}
	line(source, "END%u:", label);
	line(source, "endif (%u|M0) AFTER%u", source->lanes, label);
	line(source, "AFTER%u:", label);
}

/* Each channel takes as many turns as r6 says. */
static void some_loop(struct structured *source)
{
	unsigned int label = source->labels++, count = 2 + 2 * source->depth;

	line(source, "mov (%u|M0) r%u.0<1>:w 0:w", source->lanes, count);
	line(source, "LOOP%u:", label);
	source->depth++;
	block(source, 1 + structured_below(source, 5));
	if (structured_below(source, 2)) {
		compare(source, "f0.0");
		line(source, "(f0.0%s) break %s TEST%u TEST%u",
		     group(source), window(source), label, label);
		block(source, 1 + structured_below(source, 3));
	}
	source->depth--;
	line(source, "add (%u|M0) r%u.0<1>:w r%u.0<16;16,1>:w 1:w",
	     source->lanes, count, count);
	line(source, "cmp (%u|M0) (lt)f1.0 null<1>:w r%u.0<16;16,1>:w r6.0<16;16,1>:w",
	     source->lanes, count);
	line(source, "TEST%u:", label);
	line(source, "(f1.0%s) while %s LOOP%u", group(source), window(source),
	     label);
}

/* At times who goes alone looks for others on the way. */
static void some_goto(struct structured *source)
{
	unsigned int label = source->labels++;
	bool near = structured_below(source, 2);

	compare(source, "f1.0");
	line(source, "(%sf1.0%s) goto %s %s%u MEET%u",
	     structured_below(source, 2) ? "~" : "", group(source),
	     window(source), near ? "NEAR" : "MEET", label, label);
	block(source, 1 + structured_below(source, 4));
	if (near) {
		line(source, "NEAR%u:", label);
		line(source, "join (%u|M0) MEET%u", source->lanes, label);
		block(source, 1 + structured_below(source, 2));
	}
	line(source, "MEET%u:", label);
	line(source, "join (%u|M0) AFTER%u", source->lanes, label);
	line(source, "AFTER%u:", label);
}

static void some_jump(struct structured *source)
{
	static const char *const how[] = {
		"W&f0.0", "W&~f1.0", "W&f0.0.any16h", "W&f1.0.all8h",
		"W&~f0.0.any8h", "W&f0.0.all2h",
	};
	unsigned int label = source->labels++, items = 1 + structured_below(source, 4);

	line(source, "(%s) jmpi (1|M0) OVER%u", how[structured_below(source, 6)], label);
	while (items--)
		arithmetic(source);
	line(source, "OVER%u:", label);
}

static void block(struct structured *source, unsigned int items)
{
	for (; items; items--) {
		switch (structured_below(source, 16)) {
		case 0:
			if (source->depth < 2 && !source->few)
				some_loop(source);
			break;
		case 1:
			some_if(source);
			break;
		case 2:
			some_goto(source);
			break;
		case 3:
			some_jump(source);
			break;
		case 4:
			special(source);
			break;
		case 5:
		case 6:
			if (!source->few)
				accumulate(source);
			break;
		default:
			arithmetic(source);
		}
	}
}

static void begin(struct structured *source, unsigned int number)
{
	const char *option = source->option;
	bool crosses = source->crosses;

	memset(source, 0, sizeof(*source));
	source->option = option ? option : "";
	source->crosses = crosses;
	source->random = number * 1000003ULL + 1;
	while (generate_rows[source->rows].name)
		source->rows++;
	source->lanes = number % 3 ? 16 : 32;
}

/* How often @source's loop @label has begun, in r@count; back to its begin by @how. */
static void turn(struct structured *source, unsigned int label,
		 unsigned int count, const char *how)
{
	line(source, "add (%u|M0) r%u.0<1>:w r%u.0<16;16,1>:w 1:w",
	     source->lanes, count, count);
	line(source, "cmp (%u|M0) (lt)f1.0 null<1>:w r%u.0<16;16,1>:w %u:w",
	     source->lanes, count, 1 + structured_below(source, 9));
	line(source, "TEST%u:", label);
	line(source, how, source->lanes, label, label);
}

/* Without a loop in it, and without what uses all registers. */
static void some_short_loop(struct structured *source, unsigned int count)
{
	static const char *const ends[] = {
		"(f1.0) while (%u|M0) LOOP%u",
		"(f1.0) goto.b (%u|M0) LOOP%u LOOP%u",
	};
	unsigned int label = source->labels++;
	bool is_while = structured_below(source, 3);

	line(source, "LOOP%u:", label);
	block(source, 1 + structured_below(source, 6));
	/* Two ways back to the begin. */
	if (structured_below(source, 4) == 0) {
		turn(source, source->labels++, count, "sync.nop null");
		line(source, "(f1.0) goto.b (%u|M0) LOOP%u LOOP%u",
		     source->lanes, label, label);
		arithmetic(source);
	}
	if (is_while && structured_below(source, 2)) {
		compare(source, "f0.0");
		line(source, "(f0.0) %s (%u|M0) TEST%u TEST%u",
		     structured_below(source, 2) ? "break" : "cont",
		     source->lanes, label, label);
		arithmetic(source);
	}
	turn(source, label, count, ends[!is_while]);
	if (!is_while)
		line(source, "join (%u|M0) BEHIND%u\nBEHIND%u:", source->lanes,
		     label, label);
}

/* At 16, which tier.c has compiled well where all is compiled at once. */
uint8_t *structured_make_short(struct structured *source, unsigned int number,
			       unsigned int items, size_t *bytes_out)
{
	begin(source, number);
	source->few = true;
	source->start = 16;
	line(source, "mov (16|M0) r7.0<1>:w 0:w");
	line(source, "FIRST:");
	while (items--) {
		line(source, "mov (%u|M0) r2.0<1>:w 0:w", source->lanes);
		line(source, "mov (%u|M0) r4.0<1>:w 0:w", source->lanes);
		some_short_loop(source, 2);
		if (structured_below(source, 2))
			some_short_loop(source, 4);
		arithmetic(source);
	}
	line(source, "(W) jmpi (1|M0) FIRST");
	return engine_assemble(source->text, source->option, bytes_out);
}

/* Some of them go from one page to the next. */
uint8_t *structured_make(struct structured *source, unsigned int number,
			 unsigned int items, size_t *bytes_out)
{
	begin(source, number);
	while (source->crosses && source->start < CROSSING) {
		line(source, "nop");
		source->start += 16;
	}
	some_loop(source);
	block(source, items);
	line(source, "LAST:");
	line(source, "(W) jmpi (1|M0) LAST");
	return engine_assemble(source->text, source->option, bytes_out);
}

/* What LLVM takes longest for: bytes in as many channels as there are. */
char *structured_hostile(unsigned int count)
{
	char *text = malloc(count * HOSTILE_LINE + HOSTILE_LINE);
	uint64_t random = 1;
	struct model_inst inst;
	size_t len = 0;

	if (!text)
		abort();
	for (unsigned int row = 0; count; row++) {
		if (!generate_rows[row].name)
			row = 0;
		if (!(generate_rows[row].dst >> MODEL_B & 1) ||
		    !generate_inst(&inst, &generate_rows[row], MODEL_B, 32,
				   &random))
			continue;
		generate_text(&inst, text + len, HOSTILE_LINE - 1);
		len += strlen(text + len);
		text[len++] = '\n';
		count--;
	}
	text[len] = 0;
	return text;
}

/* Loops with as many branches and registers as they may have to keep them. */
char *structured_branches(unsigned int count)
{
	char *text = malloc(count * HOSTILE_LINE);
	size_t len = 0;

	if (!text)
		abort();
	for (unsigned int loop = 0; loop < count / 26; loop++) {
		len += sprintf(text + len, "LOOP%u:\n", loop);
		for (unsigned int i = 0; i < 10; i++)
			len += sprintf(text + len, "(f0.0) goto (16|M0) MEET%u MEET%u\n",
				       loop, loop);
		for (unsigned int i = 0; i < 14; i++)
			len += sprintf(text + len, "add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d 1:d\n",
				       10 + 2 * i, 10 + 2 * i);
		len += sprintf(text + len, "MEET%u:\njoin (16|M0) TEST%u\nTEST%u:\n"
			       "(f1.0) while (16|M0) LOOP%u\n", loop, loop, loop, loop);
	}
	return text;
}

/* Products of which each goes on where the one before it has ended. */
char *structured_products(unsigned int count)
{
	char *text = malloc(count * HOSTILE_LINE + 1);
	size_t len = 0;

	if (!text)
		abort();
	for (unsigned int i = 0; i < count; i++) {
		unsigned int to = 8 + i * 2 % 60, a = 8 + i * 6 % 58;
		unsigned int b = 8 + i * 10 % 56;

		len += i % 8 ?
			snprintf(text + len, HOSTILE_LINE,
				 "mach (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d {AccWrEn}\n",
				 to, a, b) :
			snprintf(text + len, HOSTILE_LINE,
				 "mul (16|M0) acc0.0<1>:d r%u.0<8;8,1>:d r%u.0<16;8,2>:uw\n",
				 a, b);
	}
	return text;
}

void structured_state(struct model_state *state, unsigned int lanes,
		      uint64_t *random)
{
	static const struct model_inst none;
	unsigned int i;
	uint16_t word;

	generate_state(state, &none, random);
	for (i = 0; i < 32; i++) {
		word = 1 + generate_random(random) % 5;
		memcpy(state->grf + 6 * 32 + 2 * i, &word, 2);
	}
	/* Addresses lead to integers only. */
	for (i = 0; i < 16; i++)
		state->a0[i] = 512 + generate_random(random) % 448 * 4;
	if (generate_random(random) % 3 == 0)
		state->enabled = UINT32_MAX;
	if (lanes < 32)
		state->enabled &= (1U << lanes) - 1;
	state->enabled |= 1;
}
