/* SPDX-License-Identifier: GPL-2.0-only */
/* What of the module an input reaches, in counters of libFuzzer. */
#ifndef FUZZ_COVERAGE_H
#define FUZZ_COVERAGE_H

/*
 * In this order: the first in the thread that then starts the fuzzing one, for
 * the module's own threads; the second in that one. 0 or -errno.
 */
int coverage_start_remote(void);
int coverage_start(void);

/* Around each input. */
void coverage_begin(void);
void coverage_end(void);

#endif
