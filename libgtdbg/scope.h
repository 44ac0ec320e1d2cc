/* SPDX-License-Identifier: MIT */
#ifndef LIBGTDBG_SCOPE_H
#define LIBGTDBG_SCOPE_H

#include <stdint.h>

struct gtdbg_symbols;

/* Byte offset in the register file of the register that holds the frame. */
uint32_t gtdbg_frame_register(const struct gtdbg_symbols *symbols);

#endif
