// SPDX-License-Identifier: MIT
/*
 * The compiler's debug information is an ELF for each kernel, behind its name. Of
 * this the line table is read, and by locals.c what lies in local memory: DWARF of the
 * versions 2 to 4 in its 32-bit format. The compiler writes nothing else, and programs
 * need no library of ours for it.
 * Its one relocation is by the address of the kernel's code, which is 0.
 */
#include "lines.h"

#include "cursor.h"
#include "locals.h"

#include <dwarf.h>
#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FILES 256
#define NAMES_BYTES_MAX (1U << 20) /* a quarter of what a note may have */

struct debug_head {
	uint32_t magic, version, device, stepping, pointer_bytes, unused;
	uint32_t kernels;
};

/* The name follows, then the ELF, then another one that nobody makes. */
struct kernel_head {
	uint32_t name_bytes, elf_bytes, other_bytes;
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

/* Source that came from memory has no name but the compiler's. Folders are left out. */
static bool is_no_name(const char *name)
{
	return *name == '<' || !name[strspn(name, "0123456789")];
}

uint32_t vgt_lines_name_add(struct vgt_lines *lines, const char *name)
{
	uint32_t at = lines->names_bytes;
	size_t bytes = strlen(name) + 1;
	char *names;

	/* More than can be sent is of use to nobody. */
	if (bytes > NAMES_BYTES_MAX - at)
		return UINT32_MAX;
	names = realloc(lines->names, at + bytes);
	if (!names)
		return UINT32_MAX;
	memcpy(names + at, name, bytes);
	lines->names = names;
	lines->names_bytes += bytes;
	return at;
}

static void file_add(struct vgt_lines *lines, struct table *table,
		     const char *name)
{
	if (table->files + 1 < FILES)
		table->file[++table->files] = vgt_lines_name_add(
			lines, is_no_name(name) ? "" : name);
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
static bool head_read(struct vgt_cursor *cursor, struct vgt_lines *lines,
		      struct table *table)
{
	uint32_t version = vgt_cursor_number(cursor, 2);
	uint32_t bytes = vgt_cursor_number(cursor, 4);
	struct vgt_cursor head = { .at = cursor->at };
	const char *name;

	if (version < 2 || version > 4 || !vgt_cursor_take(cursor, bytes))
		return false;
	head.end = cursor->at;
	table->inst_bytes = vgt_cursor_number(&head, 1);
	if (version == 4)
		vgt_cursor_take(&head, 1);
	vgt_cursor_take(&head, 1);
	table->line_base = vgt_cursor_number(&head, 1);
	table->line_range = vgt_cursor_number(&head, 1);
	table->opcode_base = vgt_cursor_number(&head, 1);
	for (uint32_t i = 1; i < table->opcode_base; i++)
		table->operands[i] = vgt_cursor_number(&head, 1);
	while (*vgt_cursor_string(&head))
		;
	for (name = vgt_cursor_string(&head); *name; name = vgt_cursor_string(&head)) {
		file_add(lines, table, name);
		for (uint32_t i = 0; i < 3; i++)
			vgt_cursor_leb(&head, false);
	}
	return table->line_range && table->opcode_base;
}

static void extended_run(struct vgt_cursor *cursor, struct vgt_lines *lines,
			 const struct table *table, struct row *row)
{
	uint64_t bytes = vgt_cursor_leb(cursor, false);
	struct vgt_cursor operand = { .at = cursor->at };

	if (!bytes || !vgt_cursor_take(cursor, bytes))
		return;
	operand.end = cursor->at;
	switch (vgt_cursor_number(&operand, 1)) {
	case DW_LNE_end_sequence:
		row_add(lines, table, row, true);
		*row = (struct row){ .line = 1, .file = 1 };
		break;
	case DW_LNE_set_address:
		row->address = vgt_cursor_number(&operand, 8);
		break;
	}
}

static void standard_run(struct vgt_cursor *cursor, struct vgt_lines *lines,
			 const struct table *table, struct row *row,
			 uint8_t opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		row_add(lines, table, row, false);
		break;
	case DW_LNS_advance_pc:
		row->address += vgt_cursor_leb(cursor, false) * table->inst_bytes;
		break;
	case DW_LNS_advance_line:
		row->line += vgt_cursor_leb(cursor, true);
		break;
	case DW_LNS_set_file:
		row->file = vgt_cursor_leb(cursor, false);
		break;
	case DW_LNS_const_add_pc:
		row->address += (255 - table->opcode_base) /
				table->line_range * table->inst_bytes;
		break;
	case DW_LNS_fixed_advance_pc:
		row->address += vgt_cursor_number(cursor, 2);
		break;
	default:
		for (uint32_t i = 0; i < table->operands[opcode]; i++)
			vgt_cursor_leb(cursor, false);
	}
}

static void rows_read(struct vgt_cursor *cursor, struct vgt_lines *lines,
		      const struct table *table)
{
	struct row row = { .line = 1, .file = 1 };

	while (cursor->at < cursor->end) {
		uint8_t opcode = vgt_cursor_number(cursor, 1);

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

static void tables_read(struct vgt_lines *lines, struct vgt_cursor section)
{
	while (section.at < section.end) {
		uint32_t bytes = vgt_cursor_number(&section, 4);
		struct vgt_cursor unit = { .at = section.at };
		struct table table = { 0 };

		if (!vgt_cursor_take(&section, bytes))
			return;
		unit.end = section.at;
		if (head_read(&unit, lines, &table))
			rows_read(&unit, lines, &table);
	}
}

static Elf64_Shdr section_read(struct vgt_cursor elf, const Elf64_Ehdr *head,
			       uint32_t index)
{
	uint64_t offset = head->e_shoff + index * sizeof(Elf64_Shdr);
	struct vgt_cursor at = vgt_cursor_part(elf, offset,
					       sizeof(Elf64_Shdr));
	Elf64_Shdr section = { 0 };

	if (at.at < at.end)
		memcpy(&section, at.at, sizeof(section));
	return section;
}

static struct vgt_cursor section_find(struct vgt_cursor elf,
				      const Elf64_Ehdr *head, const char *wanted)
{
	Elf64_Shdr section, strings = section_read(elf, head, head->e_shstrndx);

	for (uint32_t i = 0; i < head->e_shnum; i++) {
		struct vgt_cursor name = vgt_cursor_part(elf, strings.sh_offset,
							 strings.sh_size);

		section = section_read(elf, head, i);
		vgt_cursor_take(&name, section.sh_name);
		if (!strcmp(vgt_cursor_string(&name), wanted))
			return vgt_cursor_part(elf, section.sh_offset,
					       section.sh_size);
	}
	return (struct vgt_cursor){ elf.at, elf.at };
}

static void elf_read(struct vgt_lines *lines, struct vgt_cursor elf)
{
	struct vgt_cursor at = vgt_cursor_part(elf, 0, sizeof(Elf64_Ehdr));
	struct vgt_dwarf dwarf;
	Elf64_Ehdr head;

	if (at.at == at.end || memcmp(elf.at, ELFMAG, SELFMAG))
		return;
	memcpy(&head, elf.at, sizeof(head));
	tables_read(lines, section_find(elf, &head, ".debug_line"));
	dwarf.info = section_find(elf, &head, ".debug_info");
	dwarf.abbrev = section_find(elf, &head, ".debug_abbrev");
	dwarf.str = section_find(elf, &head, ".debug_str");
	vgt_locals_read(lines, &dwarf);
}

void vgt_lines_init(struct vgt_lines *lines, const uint8_t *debug, size_t bytes,
		    const char *name, size_t name_bytes)
{
	struct vgt_cursor all = { debug, debug + bytes }, elf;
	const uint8_t *at = vgt_cursor_take(&all, sizeof(struct debug_head));
	size_t len = strnlen(name, name_bytes);
	struct kernel_head kernel;
	const char *its_name;

	memset(lines, 0, sizeof(*lines));
	while (at && (at = vgt_cursor_take(&all, sizeof(kernel)))) {
		memcpy(&kernel, at, sizeof(kernel));
		its_name = (const char *)vgt_cursor_take(&all,
							 kernel.name_bytes);
		elf = vgt_cursor_part(all, 0, kernel.elf_bytes);
		vgt_cursor_take(&all, kernel.elf_bytes);
		vgt_cursor_take(&all, kernel.other_bytes);
		if (its_name && strnlen(its_name, kernel.name_bytes) == len &&
		    !memcmp(its_name, name, len))
			elf_read(lines, elf);
	}
}

void vgt_lines_fini(struct vgt_lines *lines)
{
	free(lines->line);
	free(lines->local);
	free(lines->names);
}
