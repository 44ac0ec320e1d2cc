/* SPDX-License-Identifier: MIT */
/* Half floats in software: exact, and in all four rounding modes. */
#ifndef VGT_HALF_H
#define VGT_HALF_H

#include <stdint.h>

/* As cr0.0[5:4] has them. */
enum vgt_round {
	VGT_ROUND_EVEN = 0,
	VGT_ROUND_UP = 1,
	VGT_ROUND_DOWN = 2,
	VGT_ROUND_ZERO = 3,
};

double vgt_half_to_double(uint16_t half);
uint16_t vgt_half_from_double(double value, enum vgt_round round);

#endif
