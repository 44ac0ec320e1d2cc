/* SPDX-License-Identifier: MIT */
/*
 * What the files that read symbols share; see gtdbg_symbols.h for the terms.
 * Bottom up:
 *
 * kv.h			Intel's decoder of instructions, loaded at run time
 * code.c		the decoded code of a kernel
 *
 * ptx.c		the text of CUDA's assembler
 * ptx_elf.c		an ELF made of it
 * cubin.c		CUDA's modules
 * elf_file.c		opening an ELF, with relocations applied
 * symbols.c		the symbols of a kernel, and its units
 *
 * member.c		where members of structs lie
 * type.c		types
 * vector.c		names of a vector's elements
 * line.c		source lines
 * scope.c		functions that were inlined at an address
 * function.c		functions, and where their prologues end
 * frame.c		unwinding
 *
 * home_map.c		what the code writes into which register
 * home.c		where unoptimised code keeps a variable
 * liveness.c		whether a register still has its value
 * local_pointer.c	pointers to local memory
 * description.c	what the debug information says of a variable's place
 * location.c		evaluating such an expression
 * variable.c		which variables there are
 * locate.c		where one of them is
 * item.c		which work-items a thread has
 * program.c		programs for the GPU's routine
 * operand.c		what conditions compare
 * operand_emit.c	what loads it
 * formula.c		arithmetic in them
 * logic.c		&& and || in conditions
 * condition.c		conditions as such
 * record.c		values that threads write down
 */
/*
 * Order of life: everything that is handed out (names, types, lines) points into
 * the symbols or into libdw's memory, which is freed with them; nothing of it is
 * freed alone. What is costly is made at its first use and kept.
 */
#ifndef LIBGTDBG_SYMBOLS_H
#define LIBGTDBG_SYMBOLS_H

#include "gtdbg_symbols.h"
#include "item.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>

struct home_map;
struct type_entry;

/* Names of attributes and operators that Intel's compiler adds to DWARF. */
#define DW_AT_INTEL_simd_width			0x2400
#define DW_OP_INTEL_regs			0xeb
#define DW_OP_INTEL_push_bit_piece_stack	0xec
#define DW_OP_INTEL_push_simd_lane		0xed
#define DW_OP_INTEL_piece_stack			0xee
#define DW_OP_INTEL_bit_piece_stack		0xef
#define DW_OP_INTEL_regval_bits			0xfe

/* DWARF's numbers of the first and the last register. */
#define GTDBG_DWARF_GRF0	16
#define GTDBG_DWARF_GRF_LAST	271

/* The function at a place, or that there is none. */
struct found_function {
	bool is_set, has_die, is_filled;
	uint64_t pc;
	Dwarf_Die die;
	struct gtdbg_function function;	/* if it is filled */
};

#define FOUND_COUNT 64	/* that are remembered */
#define FOUND_STEP 8	/* instructions have as many bytes, or twice */

struct gtdbg_symbols {
	/* The file, with relocations applied; libelf reads from it. */
	char *file;
	size_t file_len_bytes;
	Elf *elf;
	Dwarf *dwarf;	/* NULL if there is no debug information */
	uint64_t sections_start;	/* of their table in the file */
	uint64_t sections_end;

	const void *text;
	size_t text_len_bytes;
	uint64_t text_base;

	Elf_Data *loc;	/* .debug_loc, NULL if absent */

	struct gtdbg_code *code;	/* decoded at first use */
	struct home_map *homes;		/* made at first use */
	struct item_place items[3];	/* likewise */
	bool has_items;
	struct gtdbg_line *lines;	/* of all code, at first use */
	size_t line_count;
	bool has_lines;
	struct found_function found[FOUND_COUNT];	/* by place */
	struct type_entry *types;
	void *types_by_offset;		/* those of DIEs: a tree, see tsearch() */
	int type_depth;			/* of the type that is being made */
	char *source;
};

int gtdbg_elf_file_load(struct gtdbg_symbols *symbols);
void gtdbg_elf_file_unload(struct gtdbg_symbols *symbols);
/* May the section be written to, in the copy that libelf reads from? */
bool gtdbg_elf_is_apart(const struct gtdbg_symbols *symbols, Elf_Scn *section);

/* Calls @visit for each unit until it returns non-zero, and returns that. */
int gtdbg_unit_each(struct gtdbg_symbols *symbols,
		    int (*visit)(Dwarf_Die *unit, void *context),
		    void *context);
/* Likewise for each unit, and for each namespace behind what that is in. */
int gtdbg_namespace_each(struct gtdbg_symbols *symbols,
			 int (*visit)(Dwarf_Die *in, void *context),
			 void *context);
int gtdbg_unit_find(struct gtdbg_symbols *symbols, uint64_t pc,
		    Dwarf_Die *unit_out);
const char *gtdbg_die_file(Dwarf_Die *die);
const char *gtdbg_die_name(Dwarf_Die *die);
bool gtdbg_die_holds(Dwarf_Die *die, uint64_t pc);
/*
 * For walks through whole trees: false if @die is not behind @last, where the walk came
 * to before, as whoever made the file may have one DIE be the child of several.
 */
bool gtdbg_die_is_new(Dwarf_Die *die, Dwarf_Off *last);
int gtdbg_subprogram_find(struct gtdbg_symbols *symbols, uint64_t pc,
			  Dwarf_Die *out);

/*
 * Of a member whose type is known, in what has @len_bytes. EBADMSG: a bit-field is not in it;
 * EOPNOTSUPP: no place of its type's size has all of one.
 */
int gtdbg_member_place(Dwarf_Die *die, uint64_t len_bytes,
		       struct gtdbg_member *member);
int gtdbg_type_of(struct gtdbg_symbols *symbols, Dwarf_Die *die,
		  const struct gtdbg_type **out);
void gtdbg_types_destroy(struct gtdbg_symbols *symbols);

/* As gtdbg_variable_locate(), but 1 with where a pointer to local memory lies. */
int gtdbg_variable_place(struct gtdbg_symbols *symbols,
			 const struct gtdbg_frame *frame,
			 const struct gtdbg_variable *variable,
			 const struct gtdbg_machine *machine, uint32_t lane,
			 struct gtdbg_location *out);

/* The decoded code of the kernel, NULL without disassembler. */
const struct gtdbg_code *gtdbg_symbols_code(struct gtdbg_symbols *symbols);
/* What it writes where, likewise. */
const struct home_map *gtdbg_symbols_homes(struct gtdbg_symbols *symbols);

#endif
