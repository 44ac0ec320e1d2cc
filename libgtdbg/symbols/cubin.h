/* SPDX-License-Identifier: MIT */
/*
 * CUDA's modules. Each function lies in a section of its own at address 0;
 * here a pc counts from the first of these sections in the file. What is placed
 * only when the module is loaded has no address yet: relocations against it
 * leave the symbol's number in the upper bits.
 */
#ifndef LIBGTDBG_CUBIN_H
#define LIBGTDBG_CUBIN_H

#include <stdbool.h>

struct gtdbg_location;
struct gtdbg_symbols;

#define EM_CUDA_NUMBER 190

bool gtdbg_cubin_is(const struct gtdbg_symbols *symbols);
void gtdbg_cubin_load(struct gtdbg_symbols *symbols);
/* Takes the symbol's number off an address and names the symbol. */
void gtdbg_cubin_name_symbol(struct gtdbg_symbols *symbols,
			     struct gtdbg_location *location);

#endif
