/* SPDX-License-Identifier: MIT */
/* What a debugger does with a file that it cannot trust. */
#ifndef LIBGTDBG_TESTS_EXERCISE_H
#define LIBGTDBG_TESTS_EXERCISE_H

#include <stddef.h>

/*
 * Reads a file and asks everything that can be asked of it. Ends the process
 * if an answer breaks a promise of the interface.
 */
void exercise_symbols(const void *bytes, size_t len_bytes);

/* The same with a core file. */
void exercise_core(const void *bytes, size_t len_bytes);

#endif
