// SPDX-License-Identifier: MIT
/*
 * A server in this process and clients that send it what no runtime would.
 * After each the connection must be closed or work, a line must say what was
 * wrong, and another connection must not have noticed.
 */
#include "gt/device.h"
#include "host/log.h"
#include "host/server.h"
#include "tap.h"
#include "wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct vgt_server *server;
static struct wire neighbour;
static uint32_t neighbour_tag;
static FILE *log_file;
static char log_lines[65536];

/* Standard error goes to a file, so that log lines can be looked at. */
static bool logged(const char *text)
{
	size_t len;

	rewind(log_file);
	len = fread(log_lines, 1, sizeof(log_lines) - 1, log_file);
	log_lines[len] = 0;
	return strstr(log_lines, text);
}

static void forget_log(void)
{
	if (ftruncate(fileno(log_file), 0))
		abort();
	lseek(STDERR_FILENO, 0, SEEK_SET);
}

static void open_client(struct wire *wire)
{
	forget_log();
	/* Room for the next one: ThreadSanitizer has little. */
	vgt_server_reap(server);
	if (wire_open(wire, vgt_server_port(server))) {
		tap_result(false, "connect", strerror(errno));
		exit(tap_finish());
	}
}

static bool neighbour_works(void)
{
	return wire_ping(&neighbour, ++neighbour_tag);
}

/* The client must be thrown out with @line in the log. */
static void expect_closed(struct wire *wire, const char *name,
			  const char *line)
{
	char why[400];
	bool closed = wire_closed(wire), said = logged(line);
	bool works = neighbour_works();

	snprintf(why, sizeof(why), "%s, others %s, want \"%s\", log: %.200s",
		 closed ? "closed" : "not closed", works ? "work" : "hang",
		 line, log_lines);
	tap_result(closed && said && works, name, why);
	wire_close(wire);
}

static void test_works(void)
{
	struct wire wire;
	uint32_t value = 0, i;
	bool ok = true;

	open_client(&wire);
	wire_start(&wire);
	tap_result(wire_ping(&wire, 1), "a batch buffer writes its tag", NULL);
	wire_reg_write(&wire, 0x4000, 0x12345678);
	tap_result(wire_reg_read(&wire, 0x4000, &value) && value == 0x12345678,
		   "a register reads back", NULL);
	for (i = 2; i < 300; i++)
		ok = ok && wire_ping(&wire, i);
	tap_result(ok, "300 submissions", NULL);
	wire_close(&wire);
}

/* The same session, with every message sent one byte at a time or in halves. */
static void test_split(void)
{
	uint8_t bytes[256], expected[64], got[64] = {};
	struct wire wire;
	size_t len, at;
	bool ok = true;

	for (at = 0; at < sizeof(expected); at++)
		expected[at] = at * 3;
	open_client(&wire);
	len = wire_write(bytes, wire.trans_id++, 0x5000, expected,
			 sizeof(expected));
	for (at = 0; at < len; at++)
		ok = ok && wire_send(&wire, bytes + at, 1);
	ok = ok && wire_get(&wire, 0x5000, got, sizeof(got)) &&
	     !memcmp(got, expected, sizeof(got));
	tap_result(ok, "a message byte by byte", NULL);
	for (at = 1; at < len; at++) {
		expected[5] = at;
		wire_write(bytes, wire.trans_id++, 0x6000 + at, expected,
			   sizeof(expected));
		ok = ok && wire_send(&wire, bytes, at);
		usleep(200);
		ok = ok && wire_send(&wire, bytes + at, len - at) &&
		     wire_get(&wire, 0x6000 + at, got, sizeof(got)) &&
		     !memcmp(got, expected, sizeof(got));
	}
	tap_result(ok, "a message split at every byte", NULL);
	wire_close(&wire);
}

static void send_header(struct wire *wire, uint32_t type, uint32_t size)
{
	const uint32_t header[7] = { type, wire->trans_id++, size };

	wire_send(wire, header, sizeof(header));
}

static void test_messages(void)
{
	struct wire wire;
	uint8_t bytes[64] = {};

	open_client(&wire);
	send_header(&wire, 3, 12);
	expect_closed(&wire, "unknown message", "unknown message type 3");
	open_client(&wire);
	send_header(&wire, 0xffffffff, 0xffffffff);
	expect_closed(&wire, "all ones", "unknown message type");
	open_client(&wire);
	send_header(&wire, 4, 0x10000000);
	expect_closed(&wire, "oversized body", "WRITE message: body");
	open_client(&wire);
	wire_read(bytes, 0, 0, 0xfffffff0);
	wire_send(&wire, bytes, 24);
	expect_closed(&wire, "oversized read", "too many");
	open_client(&wire);
	wire_put(&wire, 0xffffffff00, bytes, 64);
	wire_send(&wire, bytes, wire_gtt(bytes, 3, 0xffffffff, 1));
	expect_closed(&wire, "GTT entry outside of the table",
		      "outside of memory");
}

static void test_truncated(void)
{
	uint8_t bytes[256], data[100] = {};
	struct wire wire;
	size_t len, cut;
	bool ok = true;

	for (cut = 1; cut < 124; cut += 17) {
		open_client(&wire);
		len = wire_write(bytes, 1, 0x9000, data, sizeof(data));
		ok = ok && cut < len && wire_send(&wire, bytes, cut);
		wire_close(&wire);
	}
	tap_result(ok && neighbour_works(),
		   "connections that end inside a message", NULL);
}

/* Two sessions whose messages alternate: each has a memory of its own. */
static void test_interleaved(void)
{
	struct wire a, b;
	uint32_t i, x, y;
	bool ok = true;

	open_client(&a);
	open_client(&b);
	wire_start(&a);
	wire_start(&b);
	for (i = 1; i < 40; i++) {
		x = i;
		y = ~i;
		ok = ok && wire_put(&a, 0x9000, &x, 4) &&
		     wire_put(&b, 0x9000, &y, 4) && wire_ping(&a, i) &&
		     wire_ping(&b, i + 100) && wire_get(&a, 0x9000, &x, 4) &&
		     wire_get(&b, 0x9000, &y, 4) && x == i && y == ~i;
	}
	tap_result(ok, "two sessions at the same addresses", NULL);
	wire_close(&a);
	wire_close(&b);
}

static void run_commands(const uint32_t *commands, uint32_t count,
			 const char *name, const char *line)
{
	struct wire wire;

	open_client(&wire);
	wire_start(&wire);
	wire_batch(&wire, 0, commands, count);
	wire_submit(&wire, WIRE_BATCH_VA);
	expect_closed(&wire, name, line);
}

static void test_batches(void)
{
	const uint32_t low = (uint32_t)WIRE_BATCH_VA, high = WIRE_BATCH_VA >> 32;
	const uint32_t jump[] = { 0x18800101, low, high };
	const uint32_t nested[] = { 0x18c00101, low, high };
	const uint32_t outside[] = { 0x18800101, 0x1000, 0x1234 };
	const uint32_t unknown[] = { 0x7fff0000, 0x05000000 };
	const uint32_t wait_for_ever[] = {
		0x0e00c003, 1, (uint32_t)WIRE_TAG_VA + 64, WIRE_TAG_VA >> 32,
		0, 0x05000000,
	};

	run_commands(jump, 3, "a batch buffer that jumps to itself", "commands without end");
	run_commands(nested, 3, "batch buffers that nest without end", "nest");
	run_commands(outside, 3, "a jump to where nothing is mapped",
		     "0x123400001000: not mapped");
	run_commands(unknown, 2, "an unknown command", "command");
	run_commands(wait_for_ever, 6, "a semaphore that nobody signals",
		     "nobody signals");
}

static void test_tables(void)
{
	static const struct {
		const char *name;
		uint64_t at, entry;
	} bad[] = {
		{ "a page table that is its own parent",
		  0x80000000 + (WIRE_BATCH_VA >> 21) * 8,
		  0x80000000 + (WIRE_BATCH_VA >> 30) * 4096 },
		{ "a page directory outside of memory",
		  0x40000000 + (WIRE_BATCH_VA >> 30) * 8, 0x7ffffffff000 },
		{ "the root in its own first entry",
		  0x20000000 + (WIRE_BATCH_VA >> 39) * 8, 0x20000000 },
		{ "a page outside of memory",
		  0x100000000 + (WIRE_BATCH_VA >> 12) * 8, 0x7ffffffff000 },
	};
	struct wire wire;
	uint64_t entry;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		open_client(&wire);
		wire_start(&wire);
		entry = bad[i].entry | 3;
		wire_put(&wire, bad[i].at, &entry, 8);
		wire_submit(&wire, WIRE_BATCH_VA);
		/* Pages of zeros end as well, but at their end. */
		expect_closed(&wire, bad[i].name,
			      "batch buffer 0x7f0000010000: not mapped");
	}
}

static void test_context(void)
{
	struct wire wire;
	uint32_t bad = 0xfffff000;

	open_client(&wire);
	wire_start(&wire);
	wire_put(&wire, 0x701c, &bad, 4);
	wire_reg_write(&wire, 0x2510, 0x6119);
	wire_reg_write(&wire, 0x2550, 1);
	expect_closed(&wire, "a ring tail outside of the ring", "bad ring");
	open_client(&wire);
	wire_start(&wire);
	wire_reg_write(&wire, 0x2510, 0x7ffff119);
	wire_reg_write(&wire, 0x2550, 1);
	expect_closed(&wire, "a context that is not in the GGTT",
		      "context state at GGTT 0x7ffff000");
}

/*
 * EU debugging on, a surface state that says that the last page of the batch
 * buffers is the save area, and a walker of no groups, which makes it so.
 */
static void own_save_area(struct wire *wire)
{
	const uint32_t area = (uint32_t)WIRE_BATCH_VA + 3 * 4096;
	const uint32_t surface[16] = {
		[0] = 4U << 29 | 0x1ff << 18, [2] = 0x1f << 16 | 0x7f,
		[8] = area, [9] = WIRE_BATCH_VA >> 32,
	};
	const uint32_t high = WIRE_BATCH_VA >> 32;
	const uint32_t commands[47] = {
		[0] = 0x11000001, 0x20d8, 0x00200020,
		[3] = 0x61010014, /* bases: 6 dynamic, 16 bindless */
		[3 + 6] = ((uint32_t)WIRE_BATCH_VA + 8192) | 1, high,
		[3 + 16] = ((uint32_t)WIRE_BATCH_VA + 4096) | 1, high,
		[25] = 0x7105000d,
		[40] = 0x7a000004, 0x00104020, (uint32_t)WIRE_TAG_VA,
		WIRE_TAG_VA >> 32, 1, 0, 0x05000000,
	};

	wire_batch(wire, 1024, surface, 16);
	wire_batch(wire, 0, commands, 47);
	wire_submit(wire, WIRE_BATCH_VA);
}

static void test_save_area(void)
{
	const uint64_t phys = WIRE_BATCH_PHYS + 3 * 4096;
	uint32_t before = 0x1234, after = 0x5678, got[2] = {};
	struct wire wire;
	bool ok;

	open_client(&wire);
	wire_start(&wire);
	wire_put(&wire, phys + 4088, &before, 4);
	own_save_area(&wire);
	ok = wire_wait_tag(&wire, 1);
	wire_put(&wire, phys + 4088, &after, 4);
	wire_put(&wire, phys - 4, &after, 4);
	ok = ok && wire_get(&wire, phys + 4088, &got[0], 4) &&
	     wire_get(&wire, phys - 4, &got[1], 4);
	tap_result(ok && got[0] == before && got[1] == after &&
		   neighbour_works(),
		   "what comes for the save area is dropped", NULL);
	wire_close(&wire);
}

/* Random bytes after a valid beginning: nothing but an end may come of it. */
static void test_noise(void)
{
	uint32_t state = 99, i, n;
	uint8_t bytes[4096];
	struct wire wire;
	bool ok = true;

	for (i = 0; i < 40; i++) {
		open_client(&wire);
		if (i & 1)
			wire_start(&wire);
		for (n = 0; n < sizeof(bytes); n++) {
			state = state * 1664525 + 1013904223;
			bytes[n] = state >> 24;
		}
		if (i & 2)
			wire_put(&wire, WIRE_BATCH_PHYS, bytes, 4096);
		if (i & 2)
			wire_submit(&wire, WIRE_BATCH_VA);
		else
			wire_send(&wire, bytes, sizeof(bytes));
		wire_close(&wire);
		ok = ok && neighbour_works();
	}
	tap_result(ok, "noise", NULL);
}

static void run_tests(void)
{
	test_works();
	test_split();
	test_messages();
	test_truncated();
	test_interleaved();
	test_batches();
	test_tables();
	test_context();
	test_save_area();
	test_noise();
}

int main(void)
{
	const struct vgt_options options = { .threads = 2, .watchdog_s = 2 };
	int saved = dup(STDERR_FILENO);

	log_file = tmpfile();
	if (!log_file || vgt_server_create(&options, NULL, 0, &server))
		return 1;
	dup2(fileno(log_file), STDERR_FILENO);
	open_client(&neighbour);
	wire_start(&neighbour);
	tap_result(neighbour_works(), "the neighbour works", NULL);
	run_tests();
	wire_close(&neighbour);
	vgt_server_destroy(server);
	dup2(saved, STDERR_FILENO);
	fclose(log_file);
	return tap_finish();
}
