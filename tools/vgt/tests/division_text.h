/* SPDX-License-Identifier: MIT */
#ifndef VGT_TESTS_DIVISION_TEXT_H
#define VGT_TESTS_DIVISION_TEXT_H

/*
 * Lines of loops that divide, up to a NULL: two for 32 channels, two for 16, one for 8. The
 * last one goes back; what comes behind it has the label of that name.
 */
#define DIVISION_QUOTIENT_END "L4672"
#define DIVISION_REMAINDER_END "L6376"
#define DIVISION_QUOTIENT16_END "LEND"
#define DIVISION_REMAINDER16_END "LEND"
#define DIVISION_QUOTIENT8_END "LEND"

extern const char *const division_quotient[], *const division_remainder[];
extern const char *const division_quotient16[], *const division_remainder16[];
extern const char *const division_quotient8[];

#endif
