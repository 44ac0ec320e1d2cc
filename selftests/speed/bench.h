/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BENCH_H
#define BENCH_H

/* A figure, as a line of CSV. */
void line(const char *figure, double value, const char *unit,
	  const char *limit);

/* Breakpoints in number; a target of their own. */
void bench_breakpoints(void);

/* Records that threads write; likewise. */
void bench_records(void);

#endif
