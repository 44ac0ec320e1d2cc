// SPDX-License-Identifier: MIT
/*
 * Which stops "top" takes for hits of breakpoints, and what it sums up of drivers' files,
 * without a GPU.
 */
#include "../top.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEVICE 7
#define CLIENTS 40

static int failures, number;

static void result(const char *name, bool ok)
{
	if (!ok)
		failures++;
	printf("%sok %d - %s\n", ok ? "" : "not ", ++number, name);
}

static void stop(const char *name, uint32_t reasons, uint64_t hits)
{
	const struct trace_event record = {
		.head = { .kind = TRACE_STOP, .time_ns = 1 },
		.value = { DEVICE, 0, 0, reasons },
	};
	static struct top top;

	top = (struct top){ 0 };
	top_put(&top, &record.head);
	result(name, top.device_count == 1 && top.devices[0].hits == hits);
}

/* A file of @client, which has used two engines, @ns each; NULL: of no GPU. */
static void file_write(unsigned int number, const char *client, uint64_t ns)
{
	char path[16];
	FILE *file;

	snprintf(path, sizeof(path), "%u", number);
	file = fopen(path, "w");
	if (!file)
		exit(1);
	fputs("pos:\t0\n", file);
	if (client)
		fprintf(file, "drm-driver:\ti915\ndrm-client-id:\t%s\n"
			"drm-engine-render:\t%llu ns\n"
			"drm-engine-copy:\t%llu ns\n"
			"drm-engine-capacity-copy:\t2\n",
			client, (unsigned long long)ns, (unsigned long long)ns);
	fclose(file);
}

/* Each client has two files. */
static void clients(void)
{
	char folder[] = "/tmp/gtdbg-top-XXXXXX", client[16];
	uint64_t ns = 1, want = 0;
	unsigned int i;

	if (!mkdtemp(folder) || chdir(folder))
		exit(1);
	file_write(0, NULL, 0);
	result("a process without a GPU has no client of one",
	       !top_clients_read(folder, &ns));
	for (i = 0; i < 2 * CLIENTS; i++) {
		snprintf(client, sizeof(client), "%u", 100 + i / 2);
		file_write(i + 1, client, 1ULL << i / 2);
	}
	for (i = 0; i < CLIENTS; i++)
		want += 2ULL << i;
	result("each client of a process counts once, however many there are",
	       top_clients_read(folder, &ns) && ns == want);
	for (i = 0; i <= 2 * CLIENTS; i++) {
		snprintf(client, sizeof(client), "%u", i);
		unlink(client);
	}
	rmdir(folder);
}

int main(void)
{
	puts("TAP version 13");
	stop("a breakpoint is hit", GTDBG_STOP_BREAKPOINT, 1);
	stop("at the kernel's first instruction",
	     GTDBG_STOP_BREAKPOINT | GTDBG_STOP_ENTRY, 1);
	stop("where a step ends", GTDBG_STOP_BREAKPOINT | GTDBG_STOP_STEP, 1);
	stop("the end of a step alone is none", GTDBG_STOP_STEP, 0);
	stop("nor is an assertion that fails",
	     GTDBG_STOP_BREAKPOINT | GTDBG_STOP_ASSERT, 0);
	clients();
	printf("1..%d\n", number);
	return failures ? 1 : 0;
}
