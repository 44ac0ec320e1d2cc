/* SPDX-License-Identifier: MIT */
/* Kernels that the stock compiler makes from source when a test runs. */
#ifndef LIBGTDBG_TESTS_KERNEL_FILE_H
#define LIBGTDBG_TESTS_KERNEL_FILE_H

#include "gtdbg_symbols.h"

#include <stddef.h>
#include <stdint.h>

#define KERNEL_FILE_OPTIMIZED	1
#define KERNEL_FILE_ZEBIN	2	/* the newer container */

/*
 * Compiles tests/@source for a debugger and gives the ELF of @kernel, which is
 * the caller's to free. A missing compiler ends the test as skipped.
 */
char *kernel_file_elf(const char *source, unsigned int flags,
		      const char *kernel, size_t *len_bytes_out);

/* The symbols of that file. */
struct gtdbg_symbols *kernel_file_symbols(const char *source,
					  unsigned int flags,
					  const char *kernel);

/*
 * A thread's state made of rules: quadword i of the register file is
 * @base + @stride * i, and memory reads give the address itself.
 */
struct kernel_file_state {
	uint64_t base;
	uint64_t stride;
};

struct gtdbg_machine kernel_file_machine(struct kernel_file_state *state);

/* gtdbg_variable_locate() in the innermost frame of a thread that stands at @pc. */
int kernel_file_locate(struct gtdbg_symbols *symbols,
		       struct kernel_file_state *state, uint64_t pc,
		       const char *name, uint32_t lane,
		       struct gtdbg_location *out);

#endif
