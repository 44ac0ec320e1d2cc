// SPDX-License-Identifier: MIT
/* What a trace comes to: a line for each kernel, and one for each question. */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS_MAX 4096
#define OTHERS "other kernels"

struct trace_kernel {
	struct trace_kernel *next;
	char name[80];
	uint64_t enqueued;
	uint64_t *ran;		/* ns, of each launch */
	size_t count, room;
	uint64_t total_ns;
	uint64_t waited, waited_ns;
};

struct trace_kernel *trace_kernel_find(struct trace *trace, const char *name)
{
	struct trace_kernel *kernel = trace->kernels;
	static struct trace_kernel spare;

	while (kernel && strncmp(kernel->name, name, TRACE_NAME_BYTES - 1))
		kernel = kernel->next;
	if (kernel)
		return kernel;
	/* Names are the programs'. */
	if (trace->kernel_count >= KERNELS_MAX && strcmp(name, OTHERS))
		return trace_kernel_find(trace, OTHERS);
	kernel = calloc(1, sizeof(*kernel));
	/* Not in the summary then. */
	if (!kernel)
		return &spare;
	trace->kernel_count++;
	snprintf(kernel->name, sizeof(kernel->name), "%s", name);
	kernel->next = trace->kernels;
	trace->kernels = kernel;
	return kernel;
}

const char *trace_kernel_name(const struct trace_kernel *kernel)
{
	return kernel->name;
}

void trace_kernel_enqueued(struct trace_kernel *kernel)
{
	kernel->enqueued++;
}

void trace_kernel_waited(struct trace_kernel *kernel, uint64_t ns)
{
	kernel->waited++;
	kernel->waited_ns += ns;
}

void trace_kernel_ran(struct trace_kernel *kernel, uint64_t ns)
{
	size_t room = kernel->room ? 2 * kernel->room : 64;
	uint64_t *ran;

	kernel->total_ns += ns;
	if (kernel->count == kernel->room) {
		ran = realloc(kernel->ran, room * sizeof(*ran));
		if (!ran)
			return;
		kernel->ran = ran;
		kernel->room = room;
	}
	kernel->ran[kernel->count++] = ns;
}

static int compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int compare_total(const void *a, const void *b)
{
	const struct trace_kernel *const *x = a, *const *y = b;

	return (*x)->total_ns > (*y)->total_ns ? -1 :
	       (*x)->total_ns < (*y)->total_ns;
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

/* That which @percent of the launches do not exceed. */
static uint64_t quantile(const struct trace_kernel *kernel, uint32_t percent)
{
	size_t at = (kernel->count * percent + 99) / 100;

	return kernel->count ? kernel->ran[at ? at - 1 : 0] : 0;
}

static void kernel_print(struct trace_kernel *kernel)
{
	qsort(kernel->ran, kernel->count, sizeof(*kernel->ran), compare_ns);
	printf("%-24s %8llu %8zu %11.3f %9.3f %9.3f ", kernel->name,
	       (unsigned long long)kernel->enqueued, kernel->count,
	       ms(kernel->total_ns), ms(quantile(kernel, 50)),
	       ms(quantile(kernel, 99)));
	if (kernel->waited)
		printf("%9.3f\n", ms(kernel->waited_ns / kernel->waited));
	else
		puts("        -");
}

static void kernels_print(const struct trace *trace)
{
	struct trace_kernel *kernel, **all;
	size_t count = 0, i = 0;

	for (kernel = trace->kernels; kernel; kernel = kernel->next)
		count++;
	all = calloc(count + 1, sizeof(struct trace_kernel *));
	if (!all)
		return;
	for (kernel = trace->kernels; kernel; kernel = kernel->next)
		all[i++] = kernel;
	qsort(all, count, sizeof(struct trace_kernel *), compare_total);
	printf("%-24s %8s %8s %11s %9s %9s %9s\n", "kernel", "enqueued",
	       "seen", "total ms", "p50 ms", "p99 ms", "waits ms");
	for (i = 0; i < count; i++)
		if (all[i]->enqueued || all[i]->count)
			kernel_print(all[i]);
	free(all);
}

static void lost_print(const struct trace *trace)
{
	const char *sep = "lost on ";
	uint32_t cpu;

	printf("%llu events lost\n", (unsigned long long)trace_lost_sum(trace));
	for (cpu = 0; trace->lost && cpu < trace->lost->cpus; cpu++) {
		if (!trace->lost->on[cpu])
			continue;
		printf("%sCPU %u: %llu", sep, cpu,
		       (unsigned long long)trace->lost->on[cpu]);
		sep = ", ";
	}
	if (*sep == ',')
		putchar('\n');
}

void trace_summary_print(struct trace *trace)
{
	uint64_t span = trace->last_ns - trace->first_ns;
	uint64_t busy = trace_spans_total(&trace->busy);

	kernels_print(trace);
	printf("%llu calls, %llu launches seen, %llu too short to be seen, ",
	       (unsigned long long)trace->calls,
	       (unsigned long long)trace->launches,
	       (unsigned long long)trace->unseen);
	printf("%llu stops, %llu page faults in %.3f ms\n",
	       (unsigned long long)trace->stops,
	       (unsigned long long)trace->faults, ms(span));
	if (trace->devices)
		printf("GPU busy %.3f ms, idle %.3f ms; calls waited %.3f ms for transfers, beside kernels %.3f ms\n",
		       ms(busy), ms(span > busy ? span - busy : 0),
		       ms(trace->transfer_ns),
		       ms(trace_spans_overlap(&trace->transfers, &trace->busy)));
	trace_calls_print(trace);
	if (trace->decided)
		printf("%llu threads ran on from a breakpoint by the EU's decision\n",
		       (unsigned long long)trace->decided);
	if (trace->prints)
		printf("%llu records of dprintf and tracepoints\n",
		       (unsigned long long)trace->prints);
	if (trace->requests)
		printf("%llu requests to i915\n",
		       (unsigned long long)trace->requests);
	trace_power_print(trace);
	if (trace_error_ns(trace))
		printf("GPU time is right within %.1f us\n",
		       (double)trace_error_ns(trace) / 1e3);
	lost_print(trace);
}

void trace_kernels_fini(struct trace *trace)
{
	struct trace_kernel *next;

	for (; trace->kernels; trace->kernels = next) {
		next = trace->kernels->next;
		free(trace->kernels->ran);
		free(trace->kernels);
	}
}
