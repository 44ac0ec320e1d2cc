// SPDX-License-Identifier: MIT
/*
 * Spans of time, and how much of it lies in two sets of them: transfers that a kernel
 * ran beside. They come in no order, and in one set they may overlap.
 */
#include "trace.h"

#include <stdlib.h>

struct trace_span {
	uint64_t begin_ns, end_ns;
};

void trace_span_add(struct trace_spans *spans, uint64_t begin_ns, uint64_t end_ns)
{
	size_t room = spans->room ? 2 * spans->room : 256;
	struct trace_span *span;

	if (end_ns <= begin_ns)
		return;
	if (spans->count == spans->room) {
		span = realloc(spans->span, room * sizeof(*span));
		if (!span)
			return;
		spans->span = span;
		spans->room = room;
	}
	spans->span[spans->count++] = (struct trace_span){ begin_ns, end_ns };
}

static int compare_begin(const void *a, const void *b)
{
	const struct trace_span *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* In order, and none overlaps another one. */
static void spans_join(struct trace_spans *spans)
{
	struct trace_span *span = spans->span;
	size_t i, last = 0;

	if (!spans->count)
		return;
	qsort(span, spans->count, sizeof(*span), compare_begin);
	for (i = 1; i < spans->count; i++) {
		if (span[i].begin_ns > span[last].end_ns)
			span[++last] = span[i];
		else if (span[i].end_ns > span[last].end_ns)
			span[last].end_ns = span[i].end_ns;
	}
	spans->count = last + 1;
}

uint64_t trace_spans_total(struct trace_spans *spans)
{
	uint64_t sum = 0;
	size_t i;

	spans_join(spans);
	for (i = 0; i < spans->count; i++)
		sum += spans->span[i].end_ns - spans->span[i].begin_ns;
	return sum;
}

uint64_t trace_spans_overlap(struct trace_spans *a, struct trace_spans *b)
{
	uint64_t begin_ns, end_ns, sum = 0;
	size_t i = 0, j = 0;

	spans_join(a);
	spans_join(b);
	while (i < a->count && j < b->count) {
		const struct trace_span *x = &a->span[i], *y = &b->span[j];

		begin_ns = x->begin_ns > y->begin_ns ? x->begin_ns : y->begin_ns;
		end_ns = x->end_ns < y->end_ns ? x->end_ns : y->end_ns;
		if (end_ns > begin_ns)
			sum += end_ns - begin_ns;
		if (x->end_ns < y->end_ns)
			i++;
		else
			j++;
	}
	return sum;
}

void trace_spans_fini(struct trace_spans *spans)
{
	free(spans->span);
	spans->span = NULL;
}
