// SPDX-License-Identifier: MIT
/*
 * At which lines do threads of a program stop, and how often? An example of a BPF program
 * beside a session that only looks: BPF counts places, and the session has what tells their
 * lines. Stops at breakpoints are counted, also those that another BPF program lets run on.
 * usage: lines PID
 */
#include "lines.h"
#include "lines.skel.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <gtdbg.h>
#include <gtdbg_symbols.h>

#define TEXT_BYTES 256

/* A kernel where a device has it. */
struct load {
	struct load *next;
	struct place start;
	struct gtdbg_symbols *symbols; /* NULL: it has none */
};

struct count {
	char text[TEXT_BYTES];
	unsigned long long stops;
};

struct lines {
	struct lines_bpf *bpf;
	struct gtdbg *gtdbg;
	struct gtdbg_session *session;
	struct load *loads;
};

static volatile sig_atomic_t is_ended;

static void on_signal(int signal)
{
	(void)signal;
	is_ended = 1;
}

static void load_add(struct lines *lines,
		     const struct gtdbg_event_kernel_load *info)
{
	struct load *load;
	size_t len_bytes;
	void *elf;

	/* After an overflow all are said again. */
	for (load = lines->loads; load; load = load->next)
		if (load->start.device == info->device &&
		    load->start.kernel == info->kernel &&
		    load->start.address == info->address)
			return;
	load = calloc(1, sizeof(*load));
	if (!load)
		return;
	load->start = (struct place){ info->device, info->kernel, info->address };
	/* It is gone when the program has ended. */
	if (!gtdbg_blob_read(lines->session, GTDBG_BLOB_KERNEL_ELF, info->kernel,
			     &elf, &len_bytes)) {
		if (gtdbg_symbols_create(elf, len_bytes, &load->symbols))
			load->symbols = NULL;
		free(elf);
	}
	load->next = lines->loads;
	lines->loads = load;
}

/* Until the process ends, or somebody presses Ctrl-C. */
static void follow(struct lines *lines)
{
	const struct gtdbg_event_kernel_load *info;
	struct gtdbg_event_snapshot snapshot;
	const struct gtdbg_event *event;
	int ret = 1;

	while (!is_ended && (ret > 0 || ret == -EINTR || ret == -EAGAIN)) {
		ret = gtdbg_event_next(lines->session, -1, &event);
		if (ret != 1)
			continue;
		if (event->kind == GTDBG_EVENT_SYNCED) {
			puts("counting");
			fflush(stdout);
		} else if (event->kind == GTDBG_EVENT_OVERFLOW) {
			gtdbg_event_snapshot(lines->session, &snapshot);
		} else if (event->kind == GTDBG_EVENT_KERNEL_LOAD) {
			info = gtdbg_event_payload(event, sizeof(*info));
			if (info)
				load_add(lines, info);
		}
	}
}

/* The kernel begins at the last place before it. */
static const struct load *load_find(const struct lines *lines,
				    const struct place *place)
{
	const struct load *load, *found = NULL;

	for (load = lines->loads; load; load = load->next)
		if (load->start.device == place->device &&
		    load->start.kernel == place->kernel &&
		    load->start.address <= place->address &&
		    (!found || found->start.address < load->start.address))
			found = load;
	return found;
}

static void place_text(const struct lines *lines, const struct place *place,
		       char text[TEXT_BYTES])
{
	const struct load *load = load_find(lines, place);
	struct gtdbg_line line;
	uint64_t base = 0;
	size_t len_bytes;

	/* Its lines are those of its code's place in the ELF. */
	if (load && load->symbols)
		gtdbg_symbols_text(load->symbols, &base, &len_bytes);
	if (load && load->symbols &&
	    !gtdbg_line_find(load->symbols,
			     base + place->address - load->start.address, &line))
		snprintf(text, TEXT_BYTES, "%s:%u", line.file, line.line);
	else
		snprintf(text, TEXT_BYTES, "0x%llx",
			 (unsigned long long)place->address);
	/* The program chose the file's name: no commands for the terminal. */
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}

/* Most stops first. */
static int compare(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return x->stops > y->stops ? -1 : x->stops < y->stops;
}

/* A line has several places. */
static void count_add(struct count *counts, size_t *len, const char *text,
		      unsigned long long stops)
{
	size_t i = 0;

	while (i < *len && strcmp(counts[i].text, text))
		i++;
	if (i == *len)
		strcpy(counts[(*len)++].text, text);
	counts[i].stops += stops;
}

static void lines_print(const struct lines *lines)
{
	int fd = bpf_map__fd(lines->bpf->maps.stops);
	struct count *counts = calloc(PLACES_MAX, sizeof(*counts));
	struct place place, *last = NULL;
	size_t len = 0, visits = 0, i;
	char text[TEXT_BYTES];
	__u64 stops;

	if (!counts)
		return;
	while (visits++ < PLACES_MAX && !bpf_map_get_next_key(fd, last, &place)) {
		last = &place;
		if (bpf_map_lookup_elem(fd, &place, &stops))
			continue;
		place_text(lines, &place, text);
		count_add(counts, &len, text, stops);
	}
	qsort(counts, len, sizeof(*counts), compare);
	puts("stops\tline");
	for (i = 0; i < len; i++)
		printf("%llu\t%s\n", counts[i].stops, counts[i].text);
	if (lines->bpf->bss->uncounted)
		printf("(%llu stops were not counted)\n",
		       lines->bpf->bss->uncounted);
	free(counts);
}

static int session_open(struct lines *lines, int pid)
{
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER,
		.event_mask = 1ull << GTDBG_EVENT_KERNEL_LOAD |
			      1ull << GTDBG_EVENT_SYNCED |
			      1ull << GTDBG_EVENT_OVERFLOW |
			      1ull << GTDBG_EVENT_EXIT,
	};
	int ret = gtdbg_open(NULL, &lines->gtdbg);

	if (!ret)
		ret = gtdbg_client_find(pid, &attach.client_fd);
	if (ret)
		return ret;
	ret = gtdbg_session_open(lines->gtdbg, &attach, &lines->session);
	close(attach.client_fd);
	return ret;
}

static int lines_count(struct lines *lines, int pid)
{
	int ret;

	lines->bpf = lines_bpf__open();
	if (lines->bpf)
		lines->bpf->rodata->pid = pid;
	if (!lines->bpf || lines_bpf__load(lines->bpf) ||
	    lines_bpf__attach(lines->bpf)) {
		fprintf(stderr, "lines: %s; it takes CAP_BPF and CAP_PERFMON, and the module gtdbg\n",
			strerror(errno));
		return 1;
	}
	ret = session_open(lines, pid);
	if (ret < 0) {
		fprintf(stderr, "lines: process %d: %s\n", pid, strerror(-ret));
		return 1;
	}
	follow(lines);
	lines_print(lines);
	return 0;
}

static void lines_fini(struct lines *lines)
{
	struct load *next;

	for (; lines->loads; lines->loads = next) {
		next = lines->loads->next;
		gtdbg_symbols_destroy(lines->loads->symbols);
		free(lines->loads);
	}
	gtdbg_session_close(lines->session);
	gtdbg_close(lines->gtdbg);
	lines_bpf__destroy(lines->bpf);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct lines lines = { 0 };
	int pid = argc == 2 ? atoi(argv[1]) : 0, ret;

	if (pid <= 0) {
		fputs("usage: lines PID\n", stderr);
		return 2;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	ret = lines_count(&lines, pid);
	lines_fini(&lines);
	return ret;
}
