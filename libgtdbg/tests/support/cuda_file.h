/* SPDX-License-Identifier: MIT */
/* What the tests of CUDA's formats share. */
#ifndef LIBGTDBG_TESTS_CUDA_FILE_H
#define LIBGTDBG_TESTS_CUDA_FILE_H

#include "gtdbg_symbols.h"

/*
 * Runs a shell command and gives what it prints, NULL if that is nothing. The
 * bytes are the caller's to free.
 */
char *cuda_file_run(const char *command, size_t *len_bytes_out);

/*
 * Looks a variable up as a thread at @pc sees it whose registers and memory
 * cannot be read; its call frame address is 0x1000.
 */
int cuda_file_locate(struct gtdbg_symbols *symbols, uint64_t pc,
		     const char *name, struct gtdbg_variable *variable,
		     struct gtdbg_location *out);

#endif
