// SPDX-License-Identifier: MIT
/*
 * Another process that writes into a program's save areas, wherever that has them mapped,
 * whatever their threads have saved there: numbers that a header or a slot may have, and
 * such that none has. Ends with its input or with the program, and says how often it has
 * written; exits with 1 if it never did.
 *
 * usage: scribble PID
 */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AREAS_MAX	16
#define HEAD_BYTES	4096	/* of an area: its header, and what commands threads */
#define BURST		64
#define PAUSE_US	200
#define REPORT		(64 * BURST)

struct area {
	uint64_t address, bytes;
	unsigned char head[HEAD_BYTES];
};

static struct area areas[AREAS_MAX];
static int area_count;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Buffers of the driver's that begin as a save area does. */
static void areas_find(int pid, int memory)
{
	char path[64], line[512];
	uint64_t first, end;
	struct area *area;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		die(path);
	while (area_count < AREAS_MAX && fgets(line, sizeof(line), maps)) {
		area = &areas[area_count];
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &end) != 2 ||
		    !strstr(line, "i915.gem") || end - first < HEAD_BYTES ||
		    pread(memory, area->head, HEAD_BYTES, (off_t)first) !=
			    HEAD_BYTES ||
		    memcmp(area->head, "tssarea", sizeof("tssarea")) != 0)
			continue;
		area->address = first;
		area->bytes = end - first;
		area_count++;
	}
	fclose(maps);
}

static uint32_t number_any(void)
{
	static const uint32_t likely[] = {
		0, 1, 2, 7, 0x80, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
	};

	if (random() % 2)
		return likely[(size_t)random() %
			      (sizeof(likely) / sizeof(likely[0]))];
	return (uint32_t)random() << 1;
}

/* Mostly its first page; now and then that is as it was, so that there is more to spoil. */
static bool area_write(int memory, const struct area *area)
{
	uint64_t bytes = random() % 4 ? HEAD_BYTES : area->bytes;
	uint64_t at = (uint64_t)random() % (bytes / 4) * 4;
	uint32_t number = number_any();

	if (random() % 8 == 0)
		return pwrite(memory, area->head, HEAD_BYTES,
			      (off_t)area->address) == HEAD_BYTES;
	return pwrite(memory, &number, sizeof(number),
		      (off_t)(area->address + at)) == sizeof(number);
}

static bool input_has_ended(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };

	return poll(&input, 1, 0) != 0;
}

int main(int argc, char **argv)
{
	unsigned long writes = 0;
	bool is_there = true;
	char path[64];
	int memory, i;

	if (argc != 2) {
		fprintf(stderr, "usage: scribble PID\n");
		return 2;
	}
	snprintf(path, sizeof(path), "/proc/%d/mem", atoi(argv[1]));
	memory = open(path, O_RDWR | O_CLOEXEC);
	if (memory < 0)
		die(path);
	areas_find(atoi(argv[1]), memory);
	setlinebuf(stdout);
	printf("areas: %d\n", area_count);
	srandom(1);
	while (area_count && is_there && !input_has_ended()) {
		for (i = 0; i < BURST && is_there; i++)
			is_there = area_write(memory,
					      &areas[random() % area_count]);
		writes += (unsigned long)i;
		if (writes % REPORT == 0)
			printf("writes: %lu\n", writes);
		usleep(PAUSE_US);
	}
	return writes ? 0 : 1;
}
