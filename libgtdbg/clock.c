// SPDX-License-Identifier: MIT
/*
 * A device's time as CLOCK_MONOTONIC. A pair says that the counter showed g at some
 * moment between two readings of ours, L and U. If the counter runs evenly, moments
 * are a line over counts, which passes above all points (g, L) and below all points
 * (g, U). Only the upper hull of the former and the lower hull of the latter bound
 * it: they give the least and the greatest slope, and from these the earliest and
 * the latest moment of any count. How unequal the two halves of a reading are does
 * not matter. If no line fits, one of the clocks was set, or stood still: what was
 * known is forgotten.
 */
#include "gtdbg.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000ull
/* The counter has so many bits. */
#define COUNTER_BITS 36
#define COUNTER_PERIOD (1ull << COUNTER_BITS)
/* Points of a hull; the oldest are dropped when there are more. */
#define HULL_MAX 128
/* Between devices' oscillators and ours, relative; what is worse is a wrong rate. */
#define DRIFT_MAX 1e-3

/* libm is not needed for this. */
static double least(double a, double b)
{
	return a < b ? a : b;
}

static double greatest(double a, double b)
{
	return a > b ? a : b;
}

/* Counts and nanoseconds from those of the first pair. */
struct point {
	double count;
	double ns;
};

struct hull {
	struct point points[HULL_MAX];
	size_t len;
	double side; /* 1: an upper hull, -1: a lower one */
};

struct gtdbg_clock {
	uint64_t hz;
	bool has_pair;
	uint64_t first_ns;
	uint64_t first_count;
	/* The newest one, whose count has been continued beyond the counter's bits. */
	uint64_t last_ns;
	uint64_t last_count;
	struct hull earliest; /* of L: upper */
	struct hull latest; /* of U: lower */
	double slope_min, slope_max; /* ns a count */
};

int gtdbg_clock_create(uint64_t timestamp_hz, struct gtdbg_clock **out)
{
	struct gtdbg_clock *clock;

	if (!timestamp_hz || timestamp_hz > 100 * NS_PER_S)
		return -EINVAL;
	clock = calloc(1, sizeof(*clock));
	if (!clock)
		return -ENOMEM;
	clock->hz = timestamp_hz;
	*out = clock;
	return 0;
}

void gtdbg_clock_destroy(struct gtdbg_clock *clock)
{
	free(clock);
}

/* The count whose lower bits are @counter's and that is nearest to @expected. */
static uint64_t count_continue(uint64_t counter, uint64_t expected)
{
	uint64_t ahead = (counter - expected) & (COUNTER_PERIOD - 1);

	return expected + ahead -
	       (ahead > COUNTER_PERIOD / 2 ? COUNTER_PERIOD : 0);
}

/* What the counter would show at a moment, by its nominal rate. */
static uint64_t count_expected(const struct gtdbg_clock *clock, uint64_t ns)
{
	int64_t away = (int64_t)(ns - clock->last_ns);

	return clock->last_count +
	       (int64_t)((double)away * (double)clock->hz / NS_PER_S);
}

/* Whether the middle one is of no use, as the hull is bent the other way there. */
static bool is_inside(const struct hull *hull, const struct point *next)
{
	const struct point *a = &hull->points[hull->len - 2], *b = a + 1;

	return hull->side * ((b->ns - a->ns) * (next->count - a->count) -
			     (next->ns - a->ns) * (b->count - a->count)) <= 0;
}

static void hull_add(struct hull *hull, struct point point)
{
	while (hull->len > 1 && is_inside(hull, &point))
		hull->len--;
	if (hull->len == HULL_MAX) {
		hull->len = HULL_MAX / 2;
		memmove(hull->points, hull->points + HULL_MAX - hull->len,
			hull->len * sizeof(point));
	}
	hull->points[hull->len++] = point;
}

/* Adds what a point says together with all that lie before it. */
static void slopes_narrow(struct gtdbg_clock *clock, double count, double begin,
			  double end)
{
	size_t i;

	for (i = 0; i < clock->earliest.len; i++) {
		const struct point *point = &clock->earliest.points[i];

		clock->slope_max = least(clock->slope_max,
					 (end - point->ns) /
						 (count - point->count));
	}
	for (i = 0; i < clock->latest.len; i++) {
		const struct point *point = &clock->latest.points[i];

		clock->slope_min = greatest(clock->slope_min,
					    (begin - point->ns) /
						    (count - point->count));
	}
}

static void start(struct gtdbg_clock *clock,
		  const struct gtdbg_device_clock *pair)
{
	double nominal = (double)NS_PER_S / (double)clock->hz;

	clock->has_pair = true;
	clock->first_ns = pair->time_ns;
	clock->first_count = pair->gpu_time & (COUNTER_PERIOD - 1);
	/* So that counts from before it are none below zero. */
	clock->first_count += COUNTER_PERIOD;
	clock->last_count = clock->first_count;
	clock->last_ns = pair->time_ns;
	clock->earliest = (struct hull){ .side = 1 };
	clock->latest = (struct hull){ .side = -1 };
	clock->slope_min = nominal * (1 - DRIFT_MAX);
	clock->slope_max = nominal * (1 + DRIFT_MAX);
}

int gtdbg_clock_add(struct gtdbg_clock *clock,
		    const struct gtdbg_device_clock *pair)
{
	uint64_t count, was;
	double at, begin, end;
	int restarted = 0;

	if (pair->span_ns > NS_PER_S * 60 ||
	    (clock->has_pair && pair->time_ns < clock->last_ns))
		return -EINVAL;
	if (!clock->has_pair)
		start(clock, pair);
	was = clock->last_count;
	count = count_continue(pair->gpu_time,
			       count_expected(clock, pair->time_ns));
	at = (double)(int64_t)(count - clock->first_count);
	/* A count is what it is for a while: it has begun up to one before. */
	begin = (double)(int64_t)(pair->time_ns - clock->first_ns) -
		clock->slope_max;
	end = (double)(int64_t)(pair->time_ns - clock->first_ns) +
	      (double)pair->span_ns;
	if (count > was)
		slopes_narrow(clock, at, begin, end);
	/* Says nothing new. */
	if (count == was && clock->earliest.len)
		return 0;
	/* A count that is earlier has jumped. */
	if (count < was || clock->slope_min > clock->slope_max) {
		start(clock, pair);
		restarted = 1;
		at = 0;
		begin = -clock->slope_max;
		end = (double)pair->span_ns;
	} else {
		clock->last_count = count;
		clock->last_ns = pair->time_ns;
	}
	hull_add(&clock->earliest, (struct point){ at, begin });
	hull_add(&clock->latest, (struct point){ at, end });
	return restarted;
}

/* The greatest (least, of a lower hull) moment that lines through a hull give. */
static double hull_bound(const struct hull *hull, double at, double before,
			 double after)
{
	double bound = 0;
	size_t i;

	for (i = 0; i < hull->len; i++) {
		const struct point *point = &hull->points[i];
		double slope = at < point->count ? before : after;
		double ns = hull->side *
			    (point->ns + slope * (at - point->count));

		bound = i ? greatest(bound, ns) : ns;
	}
	return hull->side * bound;
}

int gtdbg_clock_time(const struct gtdbg_clock *clock, uint64_t gpu_time,
		     uint64_t near_ns, uint64_t *time_ns_out,
		     uint64_t *error_ns_out)
{
	double at, earliest, latest;
	uint64_t count;

	if (!clock->has_pair)
		return -ENODATA;
	count = count_continue(gpu_time, count_expected(clock, near_ns));
	at = (double)(int64_t)(count - clock->first_count);
	earliest = hull_bound(&clock->earliest, at, clock->slope_max,
			      clock->slope_min);
	latest = hull_bound(&clock->latest, at, clock->slope_min,
			    clock->slope_max);
	/* What happens at a count does so before the next one. */
	latest += clock->slope_max;
	/* Whole nanoseconds, the error rounded up. */
	*time_ns_out = clock->first_ns +
		       (int64_t)(earliest + (latest - earliest) / 2);
	*error_ns_out = (uint64_t)greatest(0, (latest - earliest) / 2) + 2;
	return 0;
}
