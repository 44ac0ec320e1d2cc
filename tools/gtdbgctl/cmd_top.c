// SPDX-License-Identifier: MIT
/*
 * What GPUs do, live: on a terminal, as text or as JSON. What is not known says why.
 */
#include "cmd.h"

#include "field.h"
#include "top.h"
#include "trace.h"

#include <json-c/json.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES (4u << 20)
#define NS_PER_MS 1000000ull
#define NS_PER_S 1000000000ull
#define PERIOD_MS 500
#define PERIOD_MS_MAX 3600000
#define KEY_MS 100 /* until it is seen that a key was pressed */

static volatile sig_atomic_t is_ended;

enum format {
	FORMAT_SCREEN = 0,
	FORMAT_TEXT = 1,
	FORMAT_JSON = 2,
};

struct screen {
	enum format format;
	uint32_t period_ms;
	uint32_t left;	/* updates; 0: without end */
	struct trace_probe *probe;
	struct top top;
};

static void on_signal(int signal)
{
	(void)signal;
	is_ended = 1;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void record_put(void *data, const struct trace_head *head)
{
	top_put(data, head);
}

__attribute__((format(printf, 2, 3)))
static void line(const struct screen *screen, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (screen->format == FORMAT_SCREEN)
		vw_printw(stdscr, format, args);
	else
		vprintf(format, args);
	va_end(args);
}

static double percent(const struct top *top, uint64_t ns)
{
	uint64_t span = top->end_ns - top->begin_ns;

	return span ? 100.0 * (double)ns / (double)span : 0;
}

static double seconds(const struct top *top)
{
	uint64_t span = top->end_ns - top->begin_ns;

	return span ? (double)span / NS_PER_S : 1;
}

/* By its driver where there is one, which knows of all that the process does. */
static uint64_t process_ns(const struct top_process *process)
{
	return process->has_driver ?
	       process->driver_ns - process->driver_last_ns : process->gpu_ns;
}

static void devices_print(const struct screen *screen)
{
	const struct top *top = &screen->top;
	size_t i;

	line(screen, "%-5s %8s %6s %8s %9s %8s\n", "GPU", "PID", "BUSY%",
	     "STOPPED", "SINCE s", "HITS/s");
	for (i = 0; i < top->device_count; i++) {
		const struct top_device *device = &top->devices[i];

		line(screen, "%-5u %8u %6.1f %8u ", device->id, device->pid,
		     percent(top, device->busy_ns), device->stopped);
		if (device->stopped_ns)
			line(screen, "%9.1f ",
			     (double)(top->end_ns - device->stopped_ns) /
			     NS_PER_S);
		else
			line(screen, "%9s ", "-");
		line(screen, "%8.1f\n", (double)device->hits / seconds(top));
	}
	if (!top->device_count)
		line(screen, "(no program runs under gtdbg)\n");
}

static void processes_print(const struct screen *screen)
{
	const struct top *top = &screen->top;
	size_t i;

	line(screen, "\n%-16s %8s %6s %s\n", "PROCESS", "PID", "GPU%",
	     "SAID BY");
	for (i = 0; i < top->process_count; i++) {
		const struct top_process *process = &top->processes[i];

		line(screen, "%-16.16s %8u %6.1f %s\n", process->name,
		     process->pid, percent(top, process_ns(process)),
		     process->has_driver ? "its driver" : "launches seen");
	}
}

static void kernels_print(const struct screen *screen)
{
	const struct top *top = &screen->top;
	size_t i;

	line(screen, "\n%-32s %8s %6s %9s\n", "KERNEL", "PID", "GPU%",
	     "SEEN/s");
	for (i = 0; i < top->kernel_count; i++) {
		const struct top_kernel *kernel = &top->kernels[i];

		line(screen, "%-32.32s %8u %6.1f %9.1f\n", kernel->name,
		     kernel->pid, percent(top, kernel->gpu_ns),
		     (double)kernel->launches / seconds(top));
	}
}

static void text_print(const struct screen *screen)
{
	const struct top *top = &screen->top;
	int mhz = top_frequency();

	line(screen, "gtdbgctl top: %.1f s, %llu events of sessions lost, %llu of this program; ",
	     seconds(top), (unsigned long long)top->lost,
	     (unsigned long long)trace_probe_lost(screen->probe)->sum);
	if (mhz < 0)
		line(screen, "frequency not known: no i915 says it\n\n");
	else
		line(screen, "%d MHz\n\n", mhz);
	devices_print(screen);
	processes_print(screen);
	kernels_print(screen);
}

/* An array below @object of @count objects, to be filled in. */
static json_object *put_array(json_object *object, const char *name,
			      size_t count)
{
	json_object *array = json_object_new_array();
	size_t i;

	json_object_object_add(object, name, array);
	for (i = 0; i < count; i++)
		json_object_array_add(array, json_object_new_object());
	return array;
}

static void devices_put(json_object *object, const struct top *top)
{
	json_object *all = put_array(object, "devices", top->device_count);
	size_t i;

	for (i = 0; i < top->device_count; i++) {
		const struct top_device *device = &top->devices[i];
		json_object *one = json_object_array_get_idx(all, i);

		field_add_number(one, "device", device->id);
		field_add_number(one, "pid", device->pid);
		field_add_number(one, "busy_ns", device->busy_ns);
		field_add_number(one, "stopped", device->stopped);
		if (device->stopped_ns)
			field_add_number(one, "stopped_ns",
					 top->end_ns - device->stopped_ns);
		field_add_number(one, "hits", device->hits);
	}
}

static void processes_put(json_object *object, const struct top *top)
{
	json_object *all = put_array(object, "processes", top->process_count);
	size_t i;

	for (i = 0; i < top->process_count; i++) {
		const struct top_process *process = &top->processes[i];
		json_object *one = json_object_array_get_idx(all, i);

		field_add_number(one, "pid", process->pid);
		field_add_text(one, "name", process->name);
		field_add_number(one, "gpu_ns", process_ns(process));
		field_add_text(one, "source",
			       process->has_driver ? "driver" : "launches");
	}
}

static void kernels_put(json_object *object, const struct top *top)
{
	json_object *all = put_array(object, "kernels", top->kernel_count);
	size_t i;

	for (i = 0; i < top->kernel_count; i++) {
		const struct top_kernel *kernel = &top->kernels[i];
		json_object *one = json_object_array_get_idx(all, i);

		field_add_number(one, "pid", kernel->pid);
		field_add_text(one, "name", kernel->name);
		field_add_number(one, "launches", kernel->launches);
		field_add_number(one, "gpu_ns", kernel->gpu_ns);
	}
}

static void json_print(const struct screen *screen)
{
	json_object *object = json_object_new_object();
	const struct top *top = &screen->top;
	int mhz = top_frequency();

	field_add_number(object, "span_ns", top->end_ns - top->begin_ns);
	field_add_number(object, "events_lost", top->lost);
	field_add_number(object, "records_lost",
			 trace_probe_lost(screen->probe)->sum);
	if (mhz >= 0)
		field_add_number(object, "mhz", mhz);
	devices_put(object, top);
	processes_put(object, top);
	kernels_put(object, top);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	json_object_put(object);
}

static void show(struct screen *screen)
{
	top_sum(&screen->top, now_ns());
	if (screen->format == FORMAT_JSON) {
		json_print(screen);
	} else if (screen->format == FORMAT_TEXT) {
		text_print(screen);
		puts("");
	} else {
		erase();
		text_print(screen);
		refresh();
	}
	fflush(stdout);
	top_next(&screen->top);
}

static bool is_quit(const struct screen *screen)
{
	return is_ended || (screen->format == FORMAT_SCREEN && getch() == 'q');
}

/* Until @next, and on a terminal until keys are looked for. */
static int wait_ms(const struct screen *screen, uint64_t next)
{
	uint64_t now = now_ns();
	int ms = now < next ? (int)((next - now) / NS_PER_MS) + 1 : 0;

	return screen->format == FORMAT_SCREEN && ms > KEY_MS ? KEY_MS : ms;
}

static int follow(struct screen *screen)
{
	uint64_t next = now_ns() + screen->period_ms * NS_PER_MS;
	int ret = 0;

	screen->top.begin_ns = now_ns();
	while (ret >= 0 && !is_quit(screen)) {
		ret = trace_probe_take(screen->probe, wait_ms(screen, next));
		if (now_ns() < next)
			continue;
		show(screen);
		next = now_ns() + screen->period_ms * NS_PER_MS;
		if (screen->left && !--screen->left)
			break;
	}
	return ret < 0 ? ret : 0;
}

/* It moves the cursor, which stdout does not let through. */
static bool screen_begin(uint32_t period_ms)
{
	FILE *out = fdopen(STDOUT_FILENO, "w");

	setlocale(LC_CTYPE, "");
	if (!out || !newterm(NULL, out, stdin))
		return false;
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	curs_set(0);
	printw("gtdbgctl top: first figures in %.1f s; q ends it", period_ms / 1e3);
	refresh();
	return true;
}

static int top_run(struct screen *screen)
{
	const struct trace_probe_options options = {
		.ring_bytes = RING_BYTES,
		.put = record_put,
		.data = &screen->top,
	};
	struct sigaction action = { .sa_handler = on_signal };
	int ret;

	if (trace_probe_create(&options, &screen->probe))
		return CMD_FAILED;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (screen->format == FORMAT_SCREEN &&
	    !screen_begin(screen->period_ms)) {
		fputs("gtdbgctl: top: this terminal cannot be used (TERM): use --batch or --json\n",
		      stderr);
		trace_probe_destroy(screen->probe);
		return CMD_FAILED;
	}
	ret = follow(screen);
	if (screen->format == FORMAT_SCREEN)
		endwin();
	trace_probe_destroy(screen->probe);
	return ret ? cmd_fail(ret, "cannot read what was recorded") : CMD_OK;
}

/* A number of its own word, at least 1; 0: it is none. */
static uint32_t number_parse(const char *text, double unit, double max)
{
	char *end;
	double number = text ? strtod(text, &end) * unit : 0;

	return text && *text && !*end && number >= 1 && number <= max ?
	       (uint32_t)number : 0;
}

int cmd_top(int argc, char **argv)
{
	static struct screen screen = { .period_ms = PERIOD_MS };
	int at;

	for (at = 1; at < argc; at++) {
		if (!strcmp(argv[at], "--batch")) {
			screen.format = FORMAT_TEXT;
		} else if (!strcmp(argv[at], "--json")) {
			screen.format = FORMAT_JSON;
		} else if (!strcmp(argv[at], "-n")) {
			screen.left = number_parse(argv[++at], 1, UINT32_MAX);
			if (!screen.left)
				return cmd_usage("top", argv[at]);
		} else if (!strcmp(argv[at], "-d")) {
			screen.period_ms = number_parse(argv[++at], 1000,
							PERIOD_MS_MAX);
			if (!screen.period_ms)
				return cmd_usage("top", argv[at]);
		} else {
			return cmd_usage("top", argv[at]);
		}
	}
	if (screen.format == FORMAT_SCREEN && !isatty(STDOUT_FILENO)) {
		fputs("gtdbgctl: top: this is no terminal: use --batch or --json\n",
		      stderr);
		return CMD_USAGE;
	}
	return top_run(&screen);
}
