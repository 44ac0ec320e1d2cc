// SPDX-License-Identifier: MIT
/*
 * An ELF in the making, of the kind that CUDA's tools would make from the same
 * text: its labels are absolute symbols, what has no address is undefined.
 */
#include "ptx.h"

#include "cubin.h"

#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTIONS_MAX	32
#define FILES_MAX	65536
#define R_CUDA_32	1
#define R_CUDA_64	2
/* The symbol table, its strings, and the names of the sections. */
#define TABLES		3
#define HEADERS_MAX	(1 + 2 * SECTIONS_MAX + TABLES)

/* Bytes that are appended to. */
struct stream {
	FILE *file;
	char *bytes;
	size_t len;
};

struct section {
	char *name;
	struct stream data;
	struct stream relocations;
};

struct name {
	char *text;
	size_t index;	/* in the symbol table */
};

struct row {
	uint64_t address, file, line;
};

struct gtdbg_ptx_elf {
	struct section sections[SECTIONS_MAX];
	int section_count;
	Elf64_Sym *symbols;
	size_t symbol_count;
	struct stream strings;
	void *names;	/* a tree, see tsearch() */
	char **files;	/* from 1 */
	size_t file_count;
	struct stream rows;
	struct row row;	/* the last one, file 0 outside of functions */
	int error;
};

static int stream_init(struct stream *stream)
{
	stream->file = open_memstream(&stream->bytes, &stream->len);
	return stream->file ? 0 : -ENOMEM;
}

static void stream_fini(struct stream *stream)
{
	if (stream->file)
		fclose(stream->file);
	free(stream->bytes);
}

static void stream_add(struct stream *stream, const void *bytes, size_t len)
{
	fwrite(bytes, 1, len, stream->file);
}

static void stream_leb(struct stream *stream, int64_t value, bool is_signed)
{
	uint8_t byte;
	bool more;

	do {
		byte = value & 0x7f;
		value = is_signed ? value >> 7 : (int64_t)((uint64_t)value >> 7);
		more = is_signed ? value != (byte & 0x40 ? -1 : 0) : value != 0;
		if (more)
			byte |= 0x80;
		stream_add(stream, &byte, 1);
	} while (more);
}

/* Makes @bytes and @len valid. */
static int stream_flush(struct stream *stream)
{
	return fflush(stream->file) || ferror(stream->file) ? -ENOMEM : 0;
}

struct gtdbg_ptx_elf *gtdbg_ptx_elf_create(void)
{
	struct gtdbg_ptx_elf *elf = calloc(1, sizeof(*elf));

	if (!elf)
		return NULL;
	elf->symbols = calloc(1, sizeof(*elf->symbols));
	elf->symbol_count = 1;
	if (!elf->symbols || stream_init(&elf->strings) ||
	    stream_init(&elf->rows)) {
		gtdbg_ptx_elf_destroy(elf);
		return NULL;
	}
	stream_add(&elf->strings, "", 1);
	return elf;
}

static void name_destroy(void *node)
{
	struct name *name = node;

	free(name->text);
	free(name);
}

void gtdbg_ptx_elf_destroy(struct gtdbg_ptx_elf *elf)
{
	size_t i;

	if (!elf)
		return;
	for (i = 0; i < (size_t)elf->section_count; i++) {
		free(elf->sections[i].name);
		stream_fini(&elf->sections[i].data);
		stream_fini(&elf->sections[i].relocations);
	}
	for (i = 0; i < elf->file_count; i++)
		free(elf->files[i]);
	free(elf->files);
	tdestroy(elf->names, name_destroy);
	free(elf->symbols);
	stream_fini(&elf->strings);
	stream_fini(&elf->rows);
	free(elf);
}

int gtdbg_ptx_elf_section(struct gtdbg_ptx_elf *elf, const char *name)
{
	struct section *section;
	int i;

	for (i = 0; i < elf->section_count; i++) {
		if (strcmp(elf->sections[i].name, name) == 0)
			return i;
	}
	if (i == SECTIONS_MAX)
		return -EBADMSG;
	section = &elf->sections[i];
	elf->section_count++;
	section->name = strdup(name);
	if (!section->name || stream_init(&section->data) ||
	    stream_init(&section->relocations))
		return -ENOMEM;
	return i;
}

uint64_t gtdbg_ptx_elf_offset(struct gtdbg_ptx_elf *elf, int section)
{
	return ftell(elf->sections[section].data.file);
}

void gtdbg_ptx_elf_number(struct gtdbg_ptx_elf *elf, int section,
			  uint64_t value, size_t width)
{
	stream_add(&elf->sections[section].data, &value, width);
}

static int name_compare(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text,
		      ((const struct name *)b)->text);
}

static size_t symbol_add(struct gtdbg_ptx_elf *elf, const char *text)
{
	struct name *name = calloc(1, sizeof(*name));
	Elf64_Sym *symbols = realloc(elf->symbols, sizeof(*symbols) *
				     (elf->symbol_count + 1));

	if (symbols)
		elf->symbols = symbols;
	if (name)
		name->text = strdup(text);
	if (!symbols || !name || !name->text ||
	    !tsearch(name, &elf->names, name_compare)) {
		if (name)
			name_destroy(name);
		elf->error = -ENOMEM;
		return 0;
	}
	name->index = elf->symbol_count++;
	symbols[name->index] = (Elf64_Sym){
		.st_name = ftell(elf->strings.file),
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
	};
	stream_add(&elf->strings, text, strlen(text) + 1);
	return name->index;
}

static size_t symbol_find(struct gtdbg_ptx_elf *elf, const char *text)
{
	const struct name key = { .text = (char *)text };
	struct name **found = tfind(&key, &elf->names, name_compare);

	return found ? (*found)->index : symbol_add(elf, text);
}

void gtdbg_ptx_elf_reference(struct gtdbg_ptx_elf *elf, int section,
			     const char *symbol, int64_t addend,
			       size_t width)
{
	Elf64_Rela rela = {
		.r_offset = gtdbg_ptx_elf_offset(elf, section),
		.r_info = ELF64_R_INFO(symbol_find(elf, symbol),
				       width == 8 ? R_CUDA_64 : R_CUDA_32),
		.r_addend = addend,
	};

	if (width < 4)
		elf->error = -EBADMSG;
	stream_add(&elf->sections[section].relocations, &rela, sizeof(rela));
	gtdbg_ptx_elf_number(elf, section, 0, width);
}

void gtdbg_ptx_elf_define(struct gtdbg_ptx_elf *elf, const char *symbol,
			  uint64_t value)
{
	size_t index = symbol_find(elf, symbol);

	elf->symbols[index].st_shndx = SHN_ABS;
	elf->symbols[index].st_value = value;
}

void gtdbg_ptx_elf_file(struct gtdbg_ptx_elf *elf, uint64_t number,
			const char *path)
{
	char **files;

	if (!number || number >= FILES_MAX) {
		elf->error = -EBADMSG;
		return;
	}
	if (number >= elf->file_count) {
		files = realloc(elf->files, (number + 1) * sizeof(*files));
		if (!files) {
			elf->error = -ENOMEM;
			return;
		}
		memset(files + elf->file_count, 0,
		       (number + 1 - elf->file_count) * sizeof(*files));
		elf->files = files;
		elf->file_count = number + 1;
	}
	free(elf->files[number]);
	elf->files[number] = strdup(path);
}

static void rows_advance(struct gtdbg_ptx_elf *elf, uint64_t address)
{
	const uint8_t start[] = { 0, 9, DW_LNE_set_address };
	const uint8_t advance = DW_LNS_advance_pc;

	if (elf->row.file) {
		stream_add(&elf->rows, &advance, 1);
		stream_leb(&elf->rows, address - elf->row.address, false);
		return;
	}
	stream_add(&elf->rows, start, sizeof(start));
	stream_add(&elf->rows, &address, 8);
	elf->row.line = 1;
}

void gtdbg_ptx_elf_row(struct gtdbg_ptx_elf *elf, uint64_t address,
		       uint64_t file, uint64_t line, uint64_t column)
{
	static const uint8_t ops[] = {
		DW_LNS_set_file, DW_LNS_set_column, DW_LNS_advance_line,
		DW_LNS_copy,
	};

	rows_advance(elf, address);
	stream_add(&elf->rows, &ops[0], 1);
	stream_leb(&elf->rows, file, false);
	stream_add(&elf->rows, &ops[1], 1);
	stream_leb(&elf->rows, column, false);
	stream_add(&elf->rows, &ops[2], 1);
	stream_leb(&elf->rows, line - elf->row.line, true);
	stream_add(&elf->rows, &ops[3], 1);
	if (!file)
		elf->error = -EBADMSG;
	elf->row = (struct row){ address, file, line };
}

void gtdbg_ptx_elf_rows_end(struct gtdbg_ptx_elf *elf, uint64_t address)
{
	const uint8_t end[] = { 0, 1, DW_LNE_end_sequence };

	if (!elf->row.file)
		return;
	rows_advance(elf, address);
	stream_add(&elf->rows, end, sizeof(end));
	elf->row.file = 0;
}

/* What DWARF 2 puts in front of the rows. */
static void line_header(struct gtdbg_ptx_elf *elf, struct stream *out)
{
	static const uint8_t fixed[] = {
		1, 1, (uint8_t)-5, 14, 10,	/* no special opcode is used */
		0, 1, 1, 1, 1, 0, 0, 0, 1,	/* operands of the standard ones */
		0,				/* no directories */
	};
	static const uint8_t no_facts[3];	/* of a file */
	size_t i;

	stream_add(out, fixed, sizeof(fixed));
	for (i = 1; i < elf->file_count; i++) {
		const char *path = elf->files[i] ? elf->files[i] : "?";

		stream_add(out, path, strlen(path) + 1);
		stream_add(out, no_facts, sizeof(no_facts));
	}
	stream_add(out, "", 1);
}

/* The assembler of CUDA would make the line table from the text's rows. */
static int elf_add_lines(struct gtdbg_ptx_elf *elf)
{
	int index = gtdbg_ptx_elf_section(elf, ".debug_line");
	struct stream header = { 0 };
	struct stream *data;
	uint32_t len;
	int ret;

	if (index < 0)
		return index;
	data = &elf->sections[index].data;
	if (ftell(data->file))
		return 0;
	gtdbg_ptx_elf_rows_end(elf, elf->row.address + 1);
	ret = stream_init(&header);
	if (ret)
		return ret;
	line_header(elf, &header);
	ret = stream_flush(&header);
	if (!ret)
		ret = stream_flush(&elf->rows);
	if (!ret) {
		len = 2 + 4 + header.len + elf->rows.len;
		stream_add(data, &len, 4);
		gtdbg_ptx_elf_number(elf, index, 2, 2);
		gtdbg_ptx_elf_number(elf, index, header.len, 4);
		stream_add(data, header.bytes, header.len);
		stream_add(data, elf->rows.bytes, elf->rows.len);
	}
	stream_fini(&header);
	return ret;
}

/* An ELF being written: sections first, their headers behind them. */
struct output {
	struct stream file;
	struct stream names;
	Elf64_Shdr headers[HEADERS_MAX];
	int count;
};

static void output_add(struct output *output, const char *name,
		       const Elf64_Shdr *like, const void *bytes, size_t len)
{
	Elf64_Shdr *header = &output->headers[output->count++];

	*header = *like;
	header->sh_name = ftell(output->names.file);
	header->sh_offset = ftell(output->file.file);
	header->sh_size = len;
	header->sh_addralign = 1;
	stream_add(&output->names, name, strlen(name) + 1);
	stream_add(&output->file, bytes, len);
}

static int output_sections(struct output *output,
			   struct gtdbg_ptx_elf *elf)
{
	Elf64_Shdr rela = {
		.sh_type = SHT_RELA, .sh_entsize = sizeof(Elf64_Rela),
		.sh_link = 1 + 2 * elf->section_count,
	};
	const Elf64_Shdr data = { .sh_type = SHT_PROGBITS };
	int i;

	for (i = 0; i < elf->section_count; i++) {
		struct section *section = &elf->sections[i];

		if (stream_flush(&section->data) ||
		    stream_flush(&section->relocations))
			return -ENOMEM;
		rela.sh_info = output->count;
		output_add(output, section->name, &data, section->data.bytes,
			   section->data.len);
		output_add(output, ".rela", &rela, section->relocations.bytes,
			   section->relocations.len);
	}
	return 0;
}

static int output_tables(struct output *output, struct gtdbg_ptx_elf *elf)
{
	const Elf64_Shdr strings = { .sh_type = SHT_STRTAB };
	const Elf64_Shdr symbols = {
		.sh_type = SHT_SYMTAB, .sh_entsize = sizeof(Elf64_Sym),
		.sh_link = output->count + 1, .sh_info = 1,
	};

	output_add(output, ".symtab", &symbols, elf->symbols,
		   elf->symbol_count * sizeof(Elf64_Sym));
	if (stream_flush(&elf->strings))
		return -ENOMEM;
	output_add(output, ".strtab", &strings, elf->strings.bytes,
		   elf->strings.len);
	output_add(output, ".shstrtab", &strings, "", 0);
	if (stream_flush(&output->names))
		return -ENOMEM;
	output->headers[output->count - 1].sh_size = output->names.len;
	stream_add(&output->file, output->names.bytes, output->names.len);
	return 0;
}

static int output_write(struct output *output, struct gtdbg_ptx_elf *elf)
{
	const Elf64_Shdr none = { 0 };
	Elf64_Ehdr file = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_REL, .e_machine = EM_CUDA_NUMBER,
		.e_version = EV_CURRENT, .e_ehsize = sizeof(file),
		.e_shentsize = sizeof(Elf64_Shdr),
	};
	int ret;

	stream_add(&output->file, &file, sizeof(file));
	output_add(output, "", &none, "", 0);
	ret = output_sections(output, elf);
	if (!ret)
		ret = output_tables(output, elf);
	if (ret)
		return ret;
	file.e_shoff = ftell(output->file.file);
	file.e_shnum = output->count;
	file.e_shstrndx = output->count - 1;
	stream_add(&output->file, output->headers,
		   output->count * sizeof(Elf64_Shdr));
	ret = stream_flush(&output->file);
	if (!ret)
		memcpy(output->file.bytes, &file, sizeof(file));
	return ret;
}

int gtdbg_ptx_elf_finish(struct gtdbg_ptx_elf *elf, char **elf_out,
			 size_t *elf_len_bytes_out)
{
	struct output output = { 0 };
	int ret = elf->error;

	if (!ret)
		ret = elf_add_lines(elf);
	if (!ret && (stream_init(&output.file) || stream_init(&output.names)))
		ret = -ENOMEM;
	if (!ret)
		ret = output_write(&output, elf);
	if (!ret) {
		fclose(output.file.file);
		*elf_out = output.file.bytes;
		*elf_len_bytes_out = output.file.len;
		output.file = (struct stream){ 0 };
	}
	stream_fini(&output.file);
	stream_fini(&output.names);
	return ret;
}
