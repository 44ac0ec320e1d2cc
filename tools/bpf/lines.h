/* SPDX-License-Identifier: MIT */
/* Where a thread stops, as lines.bpf.c has it for lines.c. */
#ifndef LINES_H
#define LINES_H

#include <linux/types.h>

#define PLACES_MAX 65536

struct place {
	__u32 device, kernel;
	__u64 address;
};

#endif
