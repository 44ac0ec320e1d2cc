/* SPDX-License-Identifier: MIT */
/*
 * PTX, the assembly text of CUDA programs, as an ELF that the reader of binary
 * modules accepts. Text has no addresses: an address of code is the number of
 * a line of the text, from 1, and that of a variable its symbol.
 */
#ifndef LIBGTDBG_PTX_H
#define LIBGTDBG_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gtdbg_ptx_elf;

bool gtdbg_ptx_is_text(const char *text, size_t len_bytes);

/* The ELF is the caller's to free. Fails with EBADMSG for malformed text. */
int gtdbg_ptx_read(const char *text, size_t len_bytes, char **elf_out,
		   size_t *elf_len_bytes_out);

/*
 * The ELF in the making. A failure is kept and returned by _finish(). A
 * section is known by its index; numbers are stored in @width bytes.
 */
struct gtdbg_ptx_elf *gtdbg_ptx_elf_create(void);
void gtdbg_ptx_elf_destroy(struct gtdbg_ptx_elf *elf);
int gtdbg_ptx_elf_section(struct gtdbg_ptx_elf *elf, const char *name);
uint64_t gtdbg_ptx_elf_offset(struct gtdbg_ptx_elf *elf, int section);
void gtdbg_ptx_elf_number(struct gtdbg_ptx_elf *elf, int section,
			  uint64_t value, size_t width);
void gtdbg_ptx_elf_reference(struct gtdbg_ptx_elf *elf, int section,
			     const char *symbol, int64_t addend,
			       size_t width);
void gtdbg_ptx_elf_define(struct gtdbg_ptx_elf *elf, const char *symbol,
			  uint64_t value);
void gtdbg_ptx_elf_file(struct gtdbg_ptx_elf *elf, uint64_t number,
			const char *path);
void gtdbg_ptx_elf_row(struct gtdbg_ptx_elf *elf, uint64_t address,
		       uint64_t file, uint64_t line, uint64_t column);
/* Ends the code that the last row stands for. */
void gtdbg_ptx_elf_rows_end(struct gtdbg_ptx_elf *elf, uint64_t address);
int gtdbg_ptx_elf_finish(struct gtdbg_ptx_elf *elf, char **elf_out,
			 size_t *elf_len_bytes_out);

#endif
