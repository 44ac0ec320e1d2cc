// SPDX-License-Identifier: MIT
/* Random conditions, and what C makes of them. */
#include "decide.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
	"number", "plain", "narrow", "natural", "small", "byte", "few",
	"number", "plain", "narrow", "natural", "small", "byte", "few",
	"pair.whole", "pair.middle", "pair.quarter", "pair.sign", "pair.last",
	"index", "turn", "h", "wide", "huge", "real", "near", "$item.x", "$group.x",
	"row[5]", "row[few]", "row[7 - few]", "row[few + 2]", "*led", "led[few]",
	"in[index]", "in[few]", "in[7 - few]", "in[few + 2]", "*in", "in[9]",
	"broad[few]", "broad[few + 2]", "*broad", "broad[5]", "spot", "back",
	"in[spot]", "in[spot + 2]", "in[back - 2]", "in[1 + back]", "row[spot]",
	"row[ back]", "led[spot]", "broad[spot]", "in[few * 4 + few]",
	"in[index / 2 + few]", "in[(index ^ few) & 255]", "in[byte]",
	"in[row[few] & 7]", "in[in[few]]", "row[in[few] & 7]", "row[*led & 7]",
	"row[(few + turn) % 8]", "led[few * 2 - few]", "led[spot - 1]",
	"led[turn & few]", "broad[few * 2 + few]", "table[few][few]",
	"table[few + 1][index & 3]", "table[2][few]", "table[few][-2 + 3]",
	"grid[few & 1][few]", "grid[few >> 1][turn % 4]", "grid[1][few]",
	"grid[turn & 1][0x2]", "trio[few].of[few & 1]", "trio[index / 8].of[2]",
	"own[few]", "own[7 - few]", "own[spot]", "own[back - 2]", "own[few + few]",
	"own[own[few] & 7]", "own[in[few] & 7]", "in[own[few] & 7]", "own[5]",
	"view.whole", "view.from[few]", "*view.from", "view.from[spot - few]", "view.from[back - 1]",
	"cells[few & 1][few]", "cells[turn & 1][3]", "cells[1][few]",
	"quad.x", "quad.w", "quad.s1", "quad.z", "rows[few].y",
	"rows[few & 1].s3", "rows[2].x", "mood", "depth",
	"link->value", "link->next->value", "link->next->next->id",
	"link->next->from[few]", "*link->next->from", "link[few & 1].next->value",
	"ends[few]->value", "ends[turn & 3]->next->id", "*ends[few]->from",
	"list[few & 1]->value", "list[1]->next->from[few]", "list[0]->id",
	"sizes[few]", "sizes[7 - few]", "cube[few >> 1][few & 1][few]",
	"cube[few][1][turn & 3]", "block[few & 1][turn & 1][few]",
	"block[1][few & 1][few]", "pile[turn & 1][few & 1][few]",
};

#define NAMES (sizeof(names) / sizeof(names[0]))

static uint32_t hash(uint32_t index, uint32_t turn)
{
	uint32_t h = index * 2654435761U + turn * 40503U;

	h = (h ^ h >> 15) * 2246822519U;
	return h ^ h >> 13;
}

/* What launch.c has filled the buffer with. */
static const int *inputs(void)
{
	static int input[INPUTS];

	for (int i = *input ? INPUTS : 0; i < INPUTS; i++)
		input[i] = 7 * i + 3;
	return input;
}

void values_compute(struct values *values, uint32_t index, uint32_t turn,
		    uint32_t group)
{
	uint32_t h = hash(index, turn);

	memset(values, 0, sizeof(*values));
	values->in = inputs();
	values->item.x = index;
	values->group.x = group;
	values->index = index;
	values->turn = turn;
	values->h = h;
	values->number = (int)((h & 7) * 0x2468acefU);
	values->plain = (h >> 3 & 7) * 0x3579bdf1U;
	values->narrow = (short)((h >> 6 & 7) * 0x2bcd);
	values->natural = (uint16_t)((h >> 9 & 7) * 0x2bcd);
	values->small = (int8_t)((h >> 12 & 7) * 0x25);
	values->byte = (uint8_t)((h >> 15 & 7) * 0x25);
	values->wide = (int64_t)(h >> 18 & 7) * 0x2468acef1357;
	values->huge = (h >> 15 & 7) * 0x2468acef13579bdfU;
	values->real = (h >> 21 & 7) == 7 ? NAN :
		       (float)((int)(h >> 21 & 7) - 3) * 0.5f;
	values->near = (float)((int)(h >> 25 & 7) - 3) * 0.5f;
	values->few = h >> 24 & 3;
	values->spot = (uint64_t)values->few + 1;
	values->back = 5 - values->few;
	for (uint32_t i = 0; i < 8; i++) {
		values->grid[i / 4][i % 4] =
			(int)(((group * 5 + turn * 3 + i) & 7) * 0x2468acefU);
		values->cells[i / 4][i % 4] =
			(int)(((h + i * 5) & 7) * 0x2468acefU);
		values->own[i] = (int)(((h + i * 3) & 7) * 0x2468acefU);
		values->row[i] = (int)(((group * 3 + turn * 5 + i) & 7) *
				       0x2468acefU);
	}
	values->pair.whole = (int)((h >> 1 & 7) * 0x2468acefU);
	values->pair.middle = (short)((h >> 4 & 7) * 0x2bcd);
	values->pair.quarter = (uint8_t)((h >> 7 & 7) * 0x25);
	values->pair.sign = (int8_t)((h >> 10 & 7) * 0x25);
	values->pair.last = (h >> 13 & 7) * 0x3579bdf1U;
	for (uint32_t i = 0; i < 4; i++)
		values->quad[i] = (int)((h >> (i + 2) & 7) * 0x2468acefU);
	for (uint32_t i = 0; i < 16; i++) {
		values->pile[i / 8][i / 4 % 2][i % 4] =
			(int)(((group + turn + i * 3) & 7) * 0x2468acefU);
		values->block[i / 8][i / 4 % 2][i % 4] =
			(int)(((h + i * 5) & 7) * 0x2468acefU);
		values->sizes[i % 8] = (uint64_t)values->few + i % 8;
		values->ends[i % 4] = &values->link[i % 4 == 1 || i % 4 == 2];
		values->list[i % 2] = &values->link[1 - i % 2];
	}
	values->link[0] = (struct link){ (int)((h >> 2 & 7) * 0x2468acefU),
		(uint64_t)values->few, &values->link[1],
		values->in + values->few };
	values->link[1] = (struct link){ (int)((h >> 5 & 7) * 0x2468acefU),
		(uint64_t)values->few + 1, &values->link[0], values->in + 5 };
	values->mood = values->few == 3 ? HOT : values->few == 2 ? COLD : WARM;
	values->depth = values->few == 3 ? DEEPEST : values->few == 2 ? DEEP : FLAT;
	values->view.whole = values->number;
	values->view.from = values->in + values->few;
}

const char *text_name(size_t number)
{
	return number < NAMES ? names[number] : NULL;
}

static bool is_float(const char *name)
{
	return !strcmp(name, "real") || !strcmp(name, "near");
}

/* Of the variable in some lane, so that lanes meet it. */
static int64_t number_like(const char *name)
{
	struct values values;

	values_compute(&values, (uint32_t)rand() % 64, (uint32_t)rand() % 64,
		       (uint32_t)rand() % 32);
	if (strstr(name, "id") || strstr(name, "sizes"))
		return rand() % 8;
	if (strstr(name, "->value"))
		return values.link[rand() % 2].value;
	if (!strncmp(name, "in[", 3) || strstr(name, "from") ||
	    strstr(name, "cube") ||
	    (*name == 't' && strchr(name, '[')))
		return values.in[rand() % 64];
	if (!strcmp(name, "spot") || !strcmp(name, "back"))
		return rand() % 6;
	if (!strcmp(name, "huge"))
		return (int64_t)values.huge;
	if (strstr(name, "broad"))
		return ((const int64_t *)values.in)[rand() % 6];
	if (!strcmp(name, "*in"))
		return *values.in;
	if (strpbrk(name, "[*"))
		return values.row[rand() % 8];
	if (is_float(name))
		return rand() % 4 - 1;
	switch (strlen(name)) {
	case 3:
		return values.few;
	case 4:
		return *name == 'b' ? values.byte : *name == 't' ?
		       (int64_t)values.turn : values.wide;
	case 5:
		return *name == 'p' ? (int64_t)values.plain :
		       *name == 's' ? values.small :
		       (int64_t)values.index;
	case 6:
		return *name == 'n' && name[1] == 'u' ? values.number :
		       values.narrow;
	case 7:
		return *name == '$' ? (int64_t)values.index : values.natural;
	case 8:
		return values.group.x;
	case 9:
		return name[5] == 's' ? values.pair.sign :
		       (int64_t)values.pair.last;
	case 10:
		return values.pair.whole;
	case 11:
		return values.pair.middle;
	default:
		return values.pair.quarter;
	}
}

static const char *pick(const char *const *words, size_t count)
{
	return words[(size_t)rand() % count];
}

static void add(char *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(char *text, const char *format, ...)
{
	size_t len = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + len, TEXT_BYTES - len, format, arguments);
	va_end(arguments);
}

/* What is one of two variables, is shifted, or is a rest. */
static void add_pair(char *text, const char *name)
{
	static const char *const operators[] = {
		"+", "-", "&", "|", "^", "*", "<", "==", ">=",
	};
	const char *other;

	switch (rand() & 3) {
	case 0:
		add(text, "(%s %s %d)", name, rand() & 1 ? "<<" : ">>",
		    rand() % 8);
		break;
	case 1:
		add(text, "(%s %s %d)", name, rand() & 1 ? "%" : "/",
		    1 + rand() % 100);
		break;
	default:
		do
			other = pick(names, NAMES);
		while (is_float(other));
		add(text, "(%s %s %s)", name, pick(operators, 9), other);
	}
}

/* A variable, or what an operator makes of it and a number. */
static void add_operand(char *text, const char *name)
{
	static const char *const operators[] = {
		"+", "-", "&", "|", "^", "*", "&", "*",
	};
	static const char *const prefixes[] = { "-", "~", "+" };
	bool is_bare = !(rand() & 3);
	int64_t number = rand() & 1 ? rand() % 256 : number_like(name);

	if (is_float(name) || rand() % 10 < 6) {
		add(text, "%s", name);
	} else if (!(rand() & 3)) {
		add_pair(text, name);
	} else if (!(rand() & 7)) {
		add(text, "%s%s", pick(prefixes, 3), name);
	} else if (rand() & 3) {
		add(text, is_bare ? "%s %s %lld" : "(%s %s %lld)", name,
		    pick(operators, 8), (long long)number);
	} else {
		add(text, is_bare ? "%lld %s %s" : "(%lld %s %s)",
		    (long long)number, pick(operators, 8), name);
	}
}

/* Some reals are halves, some no floats at all; of an enum they have names. */
static void add_number(char *text, const char *name, int64_t number)
{
	static const char *const heats[] = { "COLD", "WARM", "HOT" };
	static const char *const depths[] = { "FLAT", "DEEP", "DEEPEST" };

	if (!is_float(name) && !(rand() % 50))
		add(text, "%s", pick(depths, 3));
	else if (!strcmp(name, "mood") && rand() & 1)
		add(text, "%s", pick(heats, 3));
	else if (!strcmp(name, "depth") && rand() & 1)
		add(text, "%s", pick(depths, 3));
	else if (is_float(name) && rand() & 1)
		add(text, "%.1f%s", rand() & 1 ? (rand() % 41 - 20) * 0.1 :
		    (rand() % 9 - 4) * 0.5, rand() & 1 ? "f" : "");
	else
		add(text, "%lld", (long long)number);
}

/* Numbers of 64 bits and others, of which either may be the first one. */
static void add_wide(char *text, const char *operator)
{
	static const char *const wides[] = {
		"wide", "huge", "broad[few]", "broad[few + 2]", "*broad",
	};
	const char *wide = pick(wides, 5), *other;
	bool is_first = rand() & 1;

	do
		other = pick(names, NAMES);
	while (is_float(other));
	add(text, "%s %s %s", is_first ? wide : other, operator,
	    is_first ? other : wide);
}

static void add_term(char *text)
{
	static const char *const operators[] = {
		"==", "==", "!=", "<", "<=", ">", ">=",
	};
	const char *name = pick(names, NAMES), *operator = pick(operators, 7);
	int64_t number = number_like(name) + (rand() & 1 ? rand() % 3 - 1 : 0);

	switch (rand() % 11) {
	case 10:
		add_wide(text, operator);
		break;
	case 0:
		add(text, "%s", rand() & 1 ? "" : "!");
		add(text, "%s", name);
		break;
	case 1:
		add_number(text, name, number);
		add(text, " %s ", operator);
		add_operand(text, name);
		break;
	case 2:
		add_operand(text, name);
		add(text, " %s %s", operator, !is_float(name) || rand() & 1 ?
		    pick(names, NAMES) : rand() & 1 ? "real" : "near");
		break;
	default:
		add_operand(text, name);
		add(text, "%s%s%s", rand() & 1 ? " " : "", operator,
		    rand() & 1 ? " " : "");
		add_number(text, name, number);
	}
}

static void add_condition(char *text, int depth)
{
	int choice = depth ? rand() % 8 : 7;

	if (choice >= 5) {
		add_term(text);
		return;
	}
	if (choice == 4) {
		add(text, "!(");
		add_condition(text, depth - 1);
		add(text, ")");
		return;
	}
	add(text, "(");
	add_condition(text, depth - 1);
	add(text, choice & 1 ? ") && (" : ") || (");
	add_condition(text, depth - 1);
	add(text, ")");
}

void text_make(char *text)
{
	do {
		*text = 0;
		add_condition(text, rand() % 3);
	} while (strlen(text) >= TEXT_BYTES - 1);
}

static void source_write(FILE *file, const struct text *texts, uint32_t count)
{
	fprintf(file, "#include <stdint.h>\n#include \"%s\"\n",
		"decide.h");
	fprintf(file, "#define $item (v->item)\n#define $group (v->group)\n");
	for (size_t i = 0; i < NAMES; i++)
		if (!strpbrk(names[i], "$.[*-"))
			fprintf(file, "#undef %s\n#define %s (v->%s)\n",
				names[i], names[i], names[i]);
	fprintf(file, "#define pair (v->pair)\n#define view (v->view)\n#define row (v->row)\n");
	fprintf(file, "#define in (v->in)\n#define broad ((const int64_t *)in)\n");
	fprintf(file, "#define led (row + few)\n#define grid (v->grid)\n");
	fprintf(file, "#define own (v->own)\n#define cells (v->cells)\n");
	fprintf(file, "#define link (v->link)\n#define ends (v->ends)\n#define list (v->list)\n");
	fprintf(file, "#define sizes (v->sizes)\n#define block (v->block)\n#define pile (v->pile)\n");
	fprintf(file, "#define cube ((const int (*)[2][4])in)\n");
	fprintf(file, "#define table ((const int (*)[4])in)\n");
	fprintf(file, "struct four { int x, y, z, w; };\n");
	fprintf(file, "#define s1 y\n#define s3 w\n");
	fprintf(file, "#define quad (*(const struct four *)v->quad)\n");
	fprintf(file, "#define rows ((const struct four *)in)\n");
	fprintf(file, "struct trio { int of[3]; };\n");
	fprintf(file, "#define trio ((const struct trio *)in)\n");
	for (uint32_t i = 0; i < count; i++)
		fprintf(file, "static int f%u(const struct values *v) { return !!(%s); }\n",
			i, texts[i].bytes);
	fprintf(file, "const decide_fn decides[] = {\n");
	for (uint32_t i = 0; i < count; i++)
		fprintf(file, "f%u,\n", i);
	fprintf(file, "};\n");
}

const decide_fn *texts_compile(const char *build, const struct text *texts,
			       uint32_t count)
{
	char folder[256], path[288], command[1024];
	void *library;
	FILE *file;
	int ret;

	snprintf(folder, sizeof(folder), "%s/decide-XXXXXX", build);
	if (!mkdtemp(folder))
		return NULL;
	snprintf(path, sizeof(path), "%s/decides.c", folder);
	file = fopen(path, "w");
	if (!file)
		return NULL;
	source_write(file, texts, count);
	ret = fclose(file);
	snprintf(command, sizeof(command),
		 "gcc -std=gnu11 -w -fwrapv -I%s -shared -fPIC -o %s/decides.so %s",
		 DECIDE_FOLDER, folder, path);
	if (!ret)
		ret = system(command);
	snprintf(path, sizeof(path), "%s/decides.so", folder);
	library = ret ? NULL : dlopen(path, RTLD_NOW);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ret = system(command);
	return library && !ret ? dlsym(library, "decides") : NULL;
}
