/* SPDX-License-Identifier: MIT */
#ifndef VGT_TESTS_DIVISION_TEXT_H
#define VGT_TESTS_DIVISION_TEXT_H

/*
 * Lines of loops that divide, up to a NULL. Of channels 0 to 15, N is in r74 and
 * r70, D in r28 and r34; of the others, in r72, r68, r30 and r32. The last line
 * but the end's own goes back; what is behind the loop has this label.
 */
#define DIVISION_QUOTIENT_END "L4672"
#define DIVISION_REMAINDER_END "L6376"

extern const char *const division_quotient[], *const division_remainder[];

#endif
