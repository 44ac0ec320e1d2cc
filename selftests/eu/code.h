/* SPDX-License-Identifier: MIT */
/* A kernel's machine code, as far as a driver must understand it. */
#ifndef EU_CODE_H
#define EU_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "driver.h"

#define CODE_MAX 4096

/* Opcodes. */
enum {
	CODE_ILLEGAL = 0x00,
	CODE_SEND = 0x31,
	CODE_CMP = 0x70,
};

struct code {
	uint32_t ip[CODE_MAX]; /* of each instruction, from instruction base */
	uint32_t dword[CODE_MAX]; /* its first, breakpoint bit aside */
	uint32_t count;
	uint32_t end; /* index of the instruction that ends the thread */
};

/* Read the kernel that starts at @ip, up to its end of thread. */
bool code_read(const struct driver *driver, uint32_t ip, struct code *out);

/* Index of the instruction at @ip; -1: none starts there. */
int code_find(const struct code *code, uint32_t ip);

#endif
