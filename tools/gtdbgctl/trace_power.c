// SPDX-License-Identifier: MIT
/*
 * Frequency and power, which nobody reports when they change: files that are read ten
 * times a second. Drivers of GPUs have a frequency each; what the processor has counted
 * of energy (RAPL) gives power since the time before. Only root may read the latter.
 */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROW_GAUGE (13ull << 60)
#define NS_PER_MS 1000000ull

struct trace_gauge {
	struct trace_gauge *next;
	uint32_t kind;		/* TRACE_FREQUENCY or TRACE_POWER */
	uint32_t place;		/* its number, from 0 on */
	char name[TRACE_GAUGE_BYTES];
	int fd;
	uint64_t range_uj;	/* where the count of energy begins again, 0: nowhere */
	uint64_t last, last_ns;	/* of energy */
	uint64_t count, sum, min, max;	/* of what was seen */
};

static bool file_number(int fd, uint64_t *out)
{
	char text[32], *end;
	ssize_t len = pread(fd, text, sizeof(text) - 1, 0);

	if (len <= 0)
		return false;
	text[len] = 0;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return end != text && !errno;
}

/* The line of a file beside the one that is open; "" if it is not there. */
static void file_word(const char *folder, const char *file, char *out, int size)
{
	char path[512];
	FILE *from;

	*out = 0;
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	from = fopen(path, "re");
	if (!from)
		return;
	if (fgets(out, size, from))
		out[strcspn(out, "\n")] = 0;
	fclose(from);
}

static void gauge_add(struct trace *trace, uint32_t kind, const char *folder,
		      const char *file)
{
	struct trace_gauge *gauge = calloc(1, sizeof(*gauge));
	char path[512], name[32];

	if (!gauge)
		return;
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	gauge->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (gauge->fd < 0) {
		free(gauge);
		return;
	}
	gauge->kind = kind;
	gauge->place = trace->gauge_count++;
	if (kind == TRACE_FREQUENCY) {
		snprintf(gauge->name, sizeof(gauge->name), "%.16s frequency, MHz",
			 strrchr(folder, '/') + 1);
	} else {
		file_word(folder, "name", name, sizeof(name));
		snprintf(gauge->name, sizeof(gauge->name), "%.16s power, mW",
			 *name ? name : strrchr(folder, '/') + 1);
		file_word(folder, "max_energy_range_uj", name, sizeof(name));
		gauge->range_uj = strtoull(name, NULL, 10);
	}
	gauge->next = trace->gauges;
	trace->gauges = gauge;
	perfetto_counter(&trace->to, ROW_GAUGE | gauge->place, 0, gauge->name);
}

static void gauges_add(struct trace *trace, uint32_t kind, const char *pattern,
		       const char *file)
{
	glob_t found;
	size_t i;

	if (glob(pattern, 0, NULL, &found) == 0)
		for (i = 0; i < found.gl_pathc; i++)
			gauge_add(trace, kind, found.gl_pathv[i], file);
	globfree(&found);
}

void trace_power_open(struct trace *trace)
{
	gauges_add(trace, TRACE_FREQUENCY, "/sys/class/drm/card[0-9]*",
		   "gt_act_freq_mhz");
	gauges_add(trace, TRACE_POWER, "/sys/class/powercap/intel-rapl:*",
		   "energy_uj");
}

/* In mW; false: it is not known yet. */
static bool gauge_power(struct trace_gauge *gauge, uint64_t now_ns,
			uint64_t *value)
{
	uint64_t last = gauge->last, passed_ns = now_ns - gauge->last_ns;
	bool is_first = !gauge->last_ns;
	uint64_t uj = *value;

	gauge->last = uj;
	gauge->last_ns = now_ns;
	if (is_first || !passed_ns || (uj < last && !gauge->range_uj))
		return false;
	uj = uj < last ? uj + gauge->range_uj - last : uj - last;
	*value = uj * NS_PER_MS / passed_ns;
	return true;
}

static void gauge_put(struct trace *trace, struct trace_gauge *gauge,
		      uint64_t now_ns, uint64_t value)
{
	struct trace_level level = {
		.head = { .kind = gauge->kind, .time_ns = now_ns },
		.place = gauge->place,
		.value = value,
	};

	if (!gauge->count || value < gauge->min)
		gauge->min = value;
	if (value > gauge->max)
		gauge->max = value;
	gauge->count++;
	gauge->sum += value;
	snprintf(level.name, sizeof(level.name), "%s", gauge->name);
	perfetto_count(&trace->to, ROW_GAUGE | gauge->place, now_ns,
		       (int64_t)value);
	if (trace->ctf)
		trace_ctf_level(trace->ctf, &level);
}

void trace_power_read(struct trace *trace)
{
	struct trace_gauge *gauge = trace->gauges;
	uint64_t now_ns, value;

	for (; gauge; gauge = gauge->next) {
		if (!file_number(gauge->fd, &value))
			continue;
		now_ns = trace_now_ns();
		if (gauge->kind == TRACE_FREQUENCY ||
		    gauge_power(gauge, now_ns, &value))
			gauge_put(trace, gauge, now_ns, value);
	}
}

static const char *power_missing(void)
{
	if (access("/sys/class/powercap/intel-rapl:0", F_OK))
		return "unknown, the processor does not count it (no RAPL)";
	return "unknown, only root may read the processor's count (RAPL)";
}

void trace_power_print(const struct trace *trace)
{
	const struct trace_gauge *gauge = trace->gauges;
	bool has_frequency = false, has_power = false;

	for (; gauge; gauge = gauge->next) {
		if (!gauge->count)
			continue;
		has_frequency |= gauge->kind == TRACE_FREQUENCY;
		has_power |= gauge->kind == TRACE_POWER;
		printf("%s: %" PRIu64 " on average, %" PRIu64 " to %" PRIu64 "\n",
		       gauge->name, gauge->sum / gauge->count, gauge->min,
		       gauge->max);
	}
	if (!has_frequency)
		puts("GPU frequency: unknown, no driver says it");
	if (!has_power)
		printf("power: %s\n", power_missing());
}

void trace_power_close(struct trace *trace)
{
	struct trace_gauge *next;

	for (; trace->gauges; trace->gauges = next) {
		next = trace->gauges->next;
		close(trace->gauges->fd);
		free(trace->gauges);
	}
}
