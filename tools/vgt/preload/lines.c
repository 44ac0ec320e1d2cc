// SPDX-License-Identifier: MIT
/*
 * The compiler's debug information is an ELF for each kernel, behind its name. Of
 * this the line table is read, DWARF of the versions 2 to 4 in its 32-bit format:
 * the compiler writes nothing else, and programs need no library of ours for it.
 * Its one relocation is by the address of the kernel's code, which is 0.
 */
#include "lines.h"

#include <dwarf.h>
#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FILES 256

struct debug_head {
	uint32_t magic, version, device, stepping, pointer_bytes, unused;
	uint32_t kernels;
};

/* The name follows, then the ELF, then another one that nobody makes. */
struct kernel_head {
	uint32_t name_bytes, elf_bytes, other_bytes;
};

/* What is left to read; nothing from an error on. */
struct cursor {
	const uint8_t *at, *end;
};

struct table {
	uint8_t inst_bytes, line_range, opcode_base;
	int8_t line_base;
	uint8_t operands[UINT8_MAX + 1]; /* of opcodes */
	uint32_t file[FILES]; /* where their names are */
	uint32_t files; /* from 1 */
};

struct row {
	uint64_t address;
	uint64_t line;
	uint64_t file;
};

static const uint8_t *take(struct cursor *cursor, uint64_t bytes)
{
	const uint8_t *at = cursor->at;

	if (bytes > (uint64_t)(cursor->end - at)) {
		cursor->at = cursor->end;
		return NULL;
	}
	cursor->at += bytes;
	return at;
}

static uint64_t take_number(struct cursor *cursor, uint32_t bytes)
{
	const uint8_t *at = take(cursor, bytes);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, bytes);
	return value;
}

static uint64_t take_leb(struct cursor *cursor, bool is_signed)
{
	uint64_t value = 0;
	uint32_t shift = 0;
	uint8_t byte;

	do {
		byte = take_number(cursor, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= ~0ULL << shift;
	return value;
}

/* Never NULL; empty at the end of a list of them. */
static const char *take_string(struct cursor *cursor)
{
	const uint8_t *at = cursor->at;
	const uint8_t *zero = memchr(at, 0, cursor->end - at);

	cursor->at = zero ? zero + 1 : cursor->end;
	return zero ? (const char *)at : "";
}

/* Source that came from memory has no name but the compiler's. Folders are left out. */
static bool is_no_name(const char *name)
{
	return *name == '<' || !name[strspn(name, "0123456789")];
}

static void file_add(struct vgt_lines *lines, struct table *table,
		     const char *name)
{
	uint32_t bytes = (is_no_name(name) ? 0 : strlen(name)) + 1;
	char *files;

	if (table->files + 1 >= FILES)
		return;
	files = realloc(lines->files, lines->files_bytes + bytes);
	if (!files)
		return;
	memcpy(files + lines->files_bytes, name, bytes - 1);
	files[lines->files_bytes + bytes - 1] = 0;
	table->file[++table->files] = lines->files_bytes;
	lines->files = files;
	lines->files_bytes += bytes;
}

static void row_add(struct vgt_lines *lines, const struct table *table,
		    const struct row *row, bool is_end)
{
	uint32_t room = lines->room ? 2 * lines->room : 64;
	struct vgt_check_line *line = lines->line;

	if (lines->count == lines->room) {
		line = realloc(line, room * sizeof(*line));
		if (!line)
			return;
		lines->line = line;
		lines->room = room;
	}
	lines->line[lines->count++] = (struct vgt_check_line){
		.offset = row->address,
		.line = is_end ? 0 : row->line,
		.file = row->file && row->file <= table->files ?
			table->file[row->file] : UINT32_MAX,
	};
}

/* False: this is the compiler's no more. */
static bool head_read(struct cursor *cursor, struct vgt_lines *lines,
		      struct table *table)
{
	uint32_t version = take_number(cursor, 2);
	uint32_t bytes = take_number(cursor, 4);
	struct cursor head = { .at = cursor->at };
	const char *name;

	if (version < 2 || version > 4 || !take(cursor, bytes))
		return false;
	head.end = cursor->at;
	table->inst_bytes = take_number(&head, 1);
	if (version == 4)
		take(&head, 1);
	take(&head, 1);
	table->line_base = take_number(&head, 1);
	table->line_range = take_number(&head, 1);
	table->opcode_base = take_number(&head, 1);
	for (uint32_t i = 1; i < table->opcode_base; i++)
		table->operands[i] = take_number(&head, 1);
	while (*take_string(&head))
		;
	for (name = take_string(&head); *name; name = take_string(&head)) {
		file_add(lines, table, name);
		for (uint32_t i = 0; i < 3; i++)
			take_leb(&head, false);
	}
	return table->line_range && table->opcode_base;
}

static void extended_run(struct cursor *cursor, struct vgt_lines *lines,
			 const struct table *table, struct row *row)
{
	uint64_t bytes = take_leb(cursor, false);
	struct cursor operand = { .at = cursor->at };

	if (!bytes || !take(cursor, bytes))
		return;
	operand.end = cursor->at;
	switch (take_number(&operand, 1)) {
	case DW_LNE_end_sequence:
		row_add(lines, table, row, true);
		*row = (struct row){ .line = 1, .file = 1 };
		break;
	case DW_LNE_set_address:
		row->address = take_number(&operand, 8);
		break;
	}
}

static void standard_run(struct cursor *cursor, struct vgt_lines *lines,
			 const struct table *table, struct row *row,
			 uint8_t opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		row_add(lines, table, row, false);
		break;
	case DW_LNS_advance_pc:
		row->address += take_leb(cursor, false) * table->inst_bytes;
		break;
	case DW_LNS_advance_line:
		row->line += take_leb(cursor, true);
		break;
	case DW_LNS_set_file:
		row->file = take_leb(cursor, false);
		break;
	case DW_LNS_const_add_pc:
		row->address += (255 - table->opcode_base) /
				table->line_range * table->inst_bytes;
		break;
	case DW_LNS_fixed_advance_pc:
		row->address += take_number(cursor, 2);
		break;
	default:
		for (uint32_t i = 0; i < table->operands[opcode]; i++)
			take_leb(cursor, false);
	}
}

static void rows_read(struct cursor *cursor, struct vgt_lines *lines,
		      const struct table *table)
{
	struct row row = { .line = 1, .file = 1 };

	while (cursor->at < cursor->end) {
		uint8_t opcode = take_number(cursor, 1);

		if (!opcode) {
			extended_run(cursor, lines, table, &row);
		} else if (opcode < table->opcode_base) {
			standard_run(cursor, lines, table, &row, opcode);
		} else {
			opcode -= table->opcode_base;
			row.address += opcode / table->line_range *
				       table->inst_bytes;
			row.line += table->line_base +
				    opcode % table->line_range;
			row_add(lines, table, &row, false);
		}
	}
}

static void tables_read(struct vgt_lines *lines, struct cursor section)
{
	while (section.at < section.end) {
		uint32_t bytes = take_number(&section, 4);
		struct cursor unit = { .at = section.at };
		struct table table = { 0 };

		if (!take(&section, bytes))
			return;
		unit.end = section.at;
		if (head_read(&unit, lines, &table))
			rows_read(&unit, lines, &table);
	}
}

/* A part of @elf; an empty one if it is not all there. */
static struct cursor part(struct cursor elf, uint64_t offset, uint64_t bytes)
{
	take(&elf, offset);
	if (bytes > (uint64_t)(elf.end - elf.at))
		bytes = 0;
	elf.end = elf.at + bytes;
	return elf;
}

static Elf64_Shdr section_read(struct cursor elf, const Elf64_Ehdr *head,
			       uint32_t index)
{
	struct cursor at = part(elf, head->e_shoff + index * sizeof(Elf64_Shdr),
				sizeof(Elf64_Shdr));
	Elf64_Shdr section = { 0 };

	if (at.at < at.end)
		memcpy(&section, at.at, sizeof(section));
	return section;
}

static void elf_read(struct vgt_lines *lines, struct cursor elf)
{
	struct cursor head_part = part(elf, 0, sizeof(Elf64_Ehdr));
	Elf64_Shdr section, strings;
	Elf64_Ehdr head;

	if (head_part.at == head_part.end ||
	    memcmp(elf.at, ELFMAG, SELFMAG))
		return;
	memcpy(&head, elf.at, sizeof(head));
	strings = section_read(elf, &head, head.e_shstrndx);
	for (uint32_t i = 0; i < head.e_shnum; i++) {
		struct cursor name = part(elf, strings.sh_offset,
					  strings.sh_size);

		section = section_read(elf, &head, i);
		take(&name, section.sh_name);
		if (!strcmp(take_string(&name), ".debug_line"))
			tables_read(lines, part(elf, section.sh_offset,
						section.sh_size));
	}
}

void vgt_lines_init(struct vgt_lines *lines, const uint8_t *debug, size_t bytes,
		    const char *name, size_t name_bytes)
{
	struct cursor all = { debug, debug + bytes }, elf;
	const uint8_t *at = take(&all, sizeof(struct debug_head));
	size_t len = strnlen(name, name_bytes);
	struct kernel_head kernel;
	const char *its_name;

	memset(lines, 0, sizeof(*lines));
	while (at && (at = take(&all, sizeof(kernel)))) {
		memcpy(&kernel, at, sizeof(kernel));
		its_name = (const char *)take(&all, kernel.name_bytes);
		elf = part(all, 0, kernel.elf_bytes);
		take(&all, kernel.elf_bytes);
		take(&all, kernel.other_bytes);
		if (its_name && strnlen(its_name, kernel.name_bytes) == len &&
		    !memcmp(its_name, name, len))
			elf_read(lines, elf);
	}
}

void vgt_lines_fini(struct vgt_lines *lines)
{
	free(lines->line);
	free(lines->files);
}
