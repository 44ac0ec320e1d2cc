// SPDX-License-Identifier: MIT
/* Shared local memory, read and written by a stopped thread for its host. */
#include "test.h"

#include <string.h>
#include <time.h>

#include <linux/gtdbg_sip.h>

#define DEADLINE_MS 300000
#define GROUP_ITEMS 32
#define TILE_BYTES (4 * GROUP_ITEMS)

static struct stop stops[DRIVER_THREADS];

/* Wake the thread until it is READY: the bytes that it says it has copied. */
static bool wait_ready(const struct rig *rig, const struct stop *stop,
		       uint32_t *done_out)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	uint64_t deadline = rig_now_ms() + DEADLINE_MS;
	uint32_t head[2] = { 0 };

	while (rig_now_ms() < deadline) {
		driver_release(&rig->driver, stop, 1);
		nanosleep(&nap, NULL);
		driver_slot_read(&rig->driver, stop->slot,
				 GTDBG_SIP_SLOT_COMMAND, head, sizeof(head));
		if (head[0] == GTDBG_SIP_COMMAND_READY) {
			*done_out = head[1];
			return true;
		}
	}
	return tap_expect(false, "slot %u: command %u was not done",
			  stop->slot, head[0]);
}

/* Give an SLM command as it is; @bytes is all of the buffer, in and out. */
static bool command(const struct rig *rig, const struct stop *stop,
		    struct gtdbg_sip_command *command)
{
	uint32_t number = command->command;

	command->command = GTDBG_SIP_COMMAND_READY;
	driver_slot_write(&rig->driver, stop->slot, GTDBG_SIP_SLOT_COMMAND,
			  command, sizeof(*command));
	driver_slot_write(&rig->driver, stop->slot, GTDBG_SIP_SLOT_COMMAND,
			  &number, sizeof(number));
	if (!wait_ready(rig, stop, &command->size_bytes))
		return false;
	return driver_slot_read(&rig->driver, stop->slot,
				GTDBG_SIP_SLOT_COMMAND, command,
				sizeof(*command));
}

static bool access(const struct rig *rig, const struct stop *stop,
		   uint32_t number, uint64_t offset, void *bytes, uint32_t size)
{
	struct gtdbg_sip_command block = {
		.command = number, .size_bytes = size, .offset = offset,
	};

	memset(block.buffer, 0x5a, sizeof(block.buffer));
	memcpy(block.buffer, bytes, size);
	if (!command(rig, stop, &block) ||
	    !tap_expect(block.size_bytes == size,
			"slot %u: %u of %u bytes at 0x%llx", stop->slot,
			block.size_bytes, size, (unsigned long long)offset))
		return false;
	memcpy(bytes, block.buffer, size);
	for (uint32_t i = size; i < sizeof(block.buffer); i++)
		if (!tap_expect(block.buffer[i] == 0x5a,
				"byte %u of the buffer, behind %u", i, size))
			return false;
	return true;
}

static bool tile_read(const struct rig *rig, const struct stop *stop,
		      int32_t tile[GROUP_ITEMS])
{
	return access(rig, stop, GTDBG_SIP_COMMAND_SLM_READ, 0, tile, 64) &&
	       access(rig, stop, GTDBG_SIP_COMMAND_SLM_READ, 64, tile + 16, 64);
}

static uint32_t group_of(const struct rig *rig, const struct stop *stop)
{
	uint32_t r0[2];

	driver_slot_read(&rig->driver, stop->slot, GTDBG_SIP_SLOT_GRF, r0,
			 sizeof(r0));
	return r0[1];
}

/* Does a group's memory hold what launch gave the group as its input? */
static bool tile_is_full(const int32_t tile[GROUP_ITEMS], uint32_t group)
{
	for (int32_t i = 0; i < GROUP_ITEMS; i++)
		if (tile[i] != ((int32_t)group * GROUP_ITEMS + i) * 7 + 3)
			return false;
	return true;
}

/* Step @count threads of "reverse" until they have written all memory. */
static bool fill(struct rig *rig, uint32_t count)
{
	uint64_t deadline = rig_now_ms() + 60000;
	int32_t tile[GROUP_ITEMS];
	uint32_t n = count, full;

	do {
		if (n && !rig_go(rig, stops, n, true))
			return false;
		n = rig_look(rig, stops);
		full = 0;
		for (uint32_t i = 0; i < n; i++) {
			if (!tile_read(rig, &stops[i], tile))
				return false;
			full += tile_is_full(tile, group_of(rig, &stops[i]));
		}
		if (!tap_expect(!rig_ended_now(rig) &&
				rig_now_ms() < deadline,
				"no thread has seen all values"))
			return false;
	} while (!n || full < n);
	return true;
}

static bool begin(struct rig *rig, const struct rig_options *options)
{
	uint32_t count = options->items / 8, n;

	return rig_start(rig, options) &&
	       rig_stops(rig, (int)count, stops, &n) &&
	       rig_lift(rig, &stops[0]) && fill(rig, count);
}

/* Each group reads its own, whatever runs beside it. */
static void values(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 64, .local = 32,
	};
	struct rig rig;

	if (begin(&rig, &options))
		rig_end(&rig, 0);
	rig_stop(&rig);
}

/* Item 26 of each group takes what lies in place 31 - 26. */
static void effect(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 32, .local = 32,
	};
	int32_t got[GROUP_ITEMS], value = 424242;
	struct rig rig;

	if (begin(&rig, &options) &&
	    access(&rig, &stops[0], GTDBG_SIP_COMMAND_SLM_WRITE, 4 * 5, &value,
		   4) &&
	    rig_end(&rig, 1) && rig_result(&rig, got, GROUP_ITEMS))
		for (int i = 0; i < GROUP_ITEMS; i++)
			if (!tap_expect(got[i] == (i == 26 ? 424242 :
						   (31 - i) * 7 + 3),
					"item %d is %d", i, got[i]))
				break;
	rig_stop(&rig);
}

/*
 * Pieces of all lengths at all alignments, against a model of what the group
 * has beside its variables: 1 KiB is the least that hardware gives.
 */
static bool pieces(const struct rig *rig)
{
	static uint8_t model[1024 - TILE_BYTES];
	uint8_t bytes[GTDBG_SIP_SLM_BYTES_MAX];
	const struct stop *stop = &stops[0];
	uint32_t at = 0;

	memset(model, 0, sizeof(model));
	for (uint32_t size = 1; size <= sizeof(bytes); size++) {
		if (at + size > sizeof(model))
			at = size;
		for (uint32_t i = 0; i < size; i++)
			bytes[i] = (uint8_t)(i * 29 + size);
		memcpy(model + at, bytes, size);
		if (!access(rig, stop, GTDBG_SIP_COMMAND_SLM_WRITE,
			    TILE_BYTES + at, bytes, size))
			return false;
		/* Overlaps the one before by a few bytes. */
		at += size - size / 8;
	}
	for (at = 0; at < sizeof(model); at += 64) {
		if (!access(rig, stop, GTDBG_SIP_COMMAND_SLM_READ,
			    TILE_BYTES + at, bytes, 64) ||
		    !tap_expect(!memcmp(bytes, model + at, 64),
				"64 bytes at 0x%x differ", TILE_BYTES + at))
			return false;
	}
	return true;
}

static void lengths(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 32, .local = 32,
	};
	struct rig rig;

	if (begin(&rig, &options) && pieces(&rig))
		rig_end(&rig, 0);
	rig_stop(&rig);
}

/* A refused command names itself, copies nothing, and the next is taken. */
static bool refuses(const struct rig *rig, uint32_t number, uint64_t offset,
		    uint32_t size)
{
	struct gtdbg_sip_command block = {
		.command = number, .size_bytes = size, .offset = offset,
		.buffer = "untouched",
	};
	uint32_t refused, zero = 0;
	uint8_t byte = 0;

	if (!command(rig, &stops[0], &block))
		return false;
	driver_slot_read(&rig->driver, stops[0].slot, GTDBG_SIP_SLOT_REFUSED,
			 &refused, 4);
	driver_slot_write(&rig->driver, stops[0].slot, GTDBG_SIP_SLOT_REFUSED,
			  &zero, 4);
	return tap_expect(refused == number && !block.size_bytes &&
			  !strcmp((char *)block.buffer, "untouched"),
			  "command %u of %u bytes at 0x%llx: refused %u, %u bytes",
			  number, size, (unsigned long long)offset, refused,
			  block.size_bytes) &&
	       access(rig, &stops[0], GTDBG_SIP_COMMAND_SLM_READ,
		      GTDBG_SIP_SLM_END - 1, &byte, 1);
}

static void refused(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 32, .local = 32,
	};
	struct rig rig;
	bool ok = begin(&rig, &options);

	for (uint32_t number = GTDBG_SIP_COMMAND_SLM_READ;
	     ok && number <= GTDBG_SIP_COMMAND_SLM_WRITE; number++)
		ok = refuses(&rig, number, 0, 0) &&
		     refuses(&rig, number, 0, GTDBG_SIP_SLM_BYTES_MAX + 1) &&
		     refuses(&rig, number, 0, UINT32_MAX) &&
		     refuses(&rig, number, GTDBG_SIP_SLM_END, 1) &&
		     refuses(&rig, number, GTDBG_SIP_SLM_END - 1, 2) &&
		     refuses(&rig, number, UINT32_MAX, 2) &&
		     refuses(&rig, number, 1ULL << 32, 4);
	if (ok && refuses(&rig, 4, 0, 4))
		rig_end(&rig, 0);
	rig_stop(&rig);
}

/* A group without local memory reads zeroes and goes on unharmed. */
static void none(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	uint64_t bytes = ~0ULL;
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 1, stops, &n) &&
	    rig_lift(&rig, &stops[0]) &&
	    access(&rig, &stops[0], GTDBG_SIP_COMMAND_SLM_WRITE, 0, &bytes,
		   8) &&
	    access(&rig, &stops[0], GTDBG_SIP_COMMAND_SLM_READ, 0, &bytes, 8) &&
	    tap_expect(!bytes, "0x%llx", (unsigned long long)bytes))
		rig_end(&rig, 0);
	rig_stop(&rig);
}

const struct test slm_tests[] = {
	{ "local memory holds what the group wrote", values, TEST_OURS },
	{ "a write to local memory is what the group reads", effect,
	  TEST_OURS },
	{ "local memory by bytes, in pieces of all lengths", lengths,
	  TEST_OURS },
	{ "local memory out of range is refused", refused, TEST_OURS },
	{ "a group without local memory", none, TEST_OURS },
	{ 0 },
};
