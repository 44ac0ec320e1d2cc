// SPDX-License-Identifier: MIT
#include "code.h"

#define OPCODE 0x7fU
#define COMPACT (1U << 29)
#define BREAKPOINT 0x40000000U
#define BREAKPOINT_COMPACT 0x80U
#define SEND_EOT (1U << 2) /* of the second dword */

bool code_read(const struct driver *driver, uint32_t ip, struct code *out)
{
	uint32_t dwords[2];

	for (out->count = 0; out->count < CODE_MAX; out->count++) {
		if (!driver_read(driver, driver->base + ip, dwords, 8) ||
		    (dwords[0] & OPCODE) == CODE_ILLEGAL)
			return false;
		dwords[0] &= ~(dwords[0] & COMPACT ? BREAKPOINT_COMPACT :
			       BREAKPOINT);
		out->ip[out->count] = ip;
		out->dword[out->count] = dwords[0];
		if ((dwords[0] & OPCODE) == CODE_SEND &&
		    (dwords[1] & SEND_EOT)) {
			out->end = out->count++;
			return true;
		}
		ip += dwords[0] & COMPACT ? 8 : 16;
	}
	return false;
}

int code_find(const struct code *code, uint32_t ip)
{
	for (uint32_t i = 0; i < code->count; i++)
		if (code->ip[i] == ip)
			return (int)i;
	return -1;
}
