/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

/* A figure, as a line of CSV. */
void line(const char *figure, double value, const char *unit,
	  const char *limit);

/* The value below which @percent of them are; they are sorted. */
uint64_t percentile(uint64_t *value, size_t count, int percent);

/* Breakpoints in number; a target of their own. */
void bench_breakpoints(void);

/* Records that threads write; likewise. */
void bench_records(void);

#endif
