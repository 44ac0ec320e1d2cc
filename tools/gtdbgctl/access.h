/* SPDX-License-Identifier: MIT */
/* What messages do to memory, as far as the registers of the current thread say it. */
#ifndef GTDBGCTL_ACCESS_H
#define GTDBGCTL_ACCESS_H

#include <stdint.h>

struct debugger;

#define ACCESSES_MAX 32 /* at most one for each lane */

struct access {
	uint64_t address;
	uint32_t len_bytes;
	const char *verb; /* reads, writes, changes */
	uint32_t lane;
};

/* Of the last instruction: how many; negative: that is not known, or it is no such one. */
int access_list(struct debugger *debugger, struct access *list);
/* By an instruction that it is about to execute, or has. */
int access_list_at(struct debugger *debugger, uint64_t address,
		   struct access *list);
/* Of a message, as the disassembler writes it, for each address; 0: it has none. */
uint32_t access_bytes(const char *text);

#endif
