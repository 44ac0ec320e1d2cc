// SPDX-License-Identifier: GPL-2.0-only
#include "act.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>
#include <linux/gtdbg_vgt.h>

#include "../target.h"
#include "call.h"
#include "world.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A thread stops. */
static void act_stop(struct input *input, struct target *target)
{
	static const uint32_t causes[] = {
		PEER_BREAK, PEER_HALT, 1U << 28, 0, 1U << 29, PEER_BREAK | PEER_HALT,
	};
	uint32_t slot = world_slots[input_take(input, 1) % WORLD_SLOTS];
	uint8_t pick = input_take(input, 1);
	uint32_t ip = pick < 128 ? PEER_KERNEL_IP + pick * 16 :
				   (uint32_t)input_take(input, 4);

	pick = input_take(input, 1);
	peer_stop(&target->peer, slot, ip,
		  pick < 240 ? causes[pick % COUNT(causes)] :
			       (uint32_t)input_take(input, 4));
}

/* A register has another value, or is said to. */
static void act_register(struct input *input, struct target *target)
{
	static const uint32_t registers[] = {
		0x0d84, 0x130044, 0x2240, 0x2034, 0x2074, 0x205c, 0x2358,
		0x235c, 0xcec4, 0xceb8, 0xcebc, 0x20d8,
		GTDBG_VGT_WINDOW_BANK(0, 0), GTDBG_VGT_WINDOW_BANK(0, 0) + 0x70,
		GTDBG_VGT_WINDOW_BANK(0, 2) + 0x74,
		GTDBG_VGT_WINDOW_BANK(0, 5) + 0x70,
	};
	uint32_t offset = registers[input_take(input, 1) % COUNT(registers)];

	peer_register(&target->peer, offset, (uint32_t)input_take(input, 4));
}

/* Something in the device's memory changes: as peer.c has laid it out. */
static void act_memory(struct input *input, struct target *target)
{
	static const struct {
		uint32_t start, bytes;
	} regions[] = {
		{ 0x100000, 512 }, { 0x200000, 0x2000 }, { 0x2010c0, 16 },
		{ 0x210000, 4096 }, { 0x300000, 4096 }, { 0x301000, 0x8000 },
		{ 0x500000, 4096 }, { 0x510000, 1024 }, { 0x520000, 1024 },
		{ 0x800000, 0x1000 }, { 0x801000, 2 * GTDBG_SIP_SLOT_BYTES },
		{ 0x800000 + GTDBG_SIP_CONTROL_OFFSET, 64 },
	};
	uint8_t which = input_take(input, 1) % COUNT(regions);
	uint8_t pick = input_take(input, 1);
	uint32_t at = input_take(input, 2) % regions[which].bytes & ~7U;
	uint64_t value = input_take(input, 8);

	memcpy(target->peer.memory + regions[which].start + at, &value,
	       1 << pick % 4);
}

static void act_launch(struct input *input, struct target *target)
{
	struct peer_walker walker = {
		.end = { input_take(input, 1), input_take(input, 1), 1 },
		.simd = 8 << input_take(input, 1) % 3,
		.threads = 1 + input_take(input, 1) % 8,
		.right_mask = 0xff,
	};
	uint8_t which = input_take(input, 1) % PEER_WALKERS;

	peer_walker(&target->peer, which, &walker);
	peer_position(&target->peer, input_take(input, 1) & ~3U,
		      peer_walker_address(which));
}

/* A device that idles, or has another context. */
static void act_engine(struct input *input, struct target *target)
{
	uint8_t pick = input_take(input, 1);

	if (pick < 128)
		peer_busy(&target->peer, pick & 1);
	else if (pick < 192)
		peer_walker_slm(&target->peer, pick % 8);
	else
		usleep(pick % 8 * 200);
}

static void act_read(struct input *input, struct target *target)
{
	size_t len = input_take(input, 2);
	ssize_t ret;

	(void)target;
	ret = read(call_descriptor(input_take(input, 1)), arena,
		   len < 1024 ? ARENA_BYTES : len);
	if (ret > 0)
		call_events(arena, ret);
}

static void act_at(struct input *input, struct target *target)
{
	int fd = call_descriptor(input_take(input, 1));
	uint8_t pick = input_take(input, 1);
	size_t len = pick / 2 * 8;
	uint64_t at = PEER_CODE + input_take(input, 2);

	(void)target;
	if (pick >= 224)
		at = input_take(input, 8);
	if (pick & 1)
		pread(fd, arena, len, at);
	else
		pwrite(fd, arena, len, at);
}

/* An answer that the peer would not give. */
static void act_acknowledge(struct input *input, struct target *target)
{
	struct gtdbg_vgt_ack ack = { .seqno = input_take(input, 1) };
	uint8_t pick = input_take(input, 1);

	if (pick >= 224)
		ack.seqno = input_take(input, 8);
	write(target->peer.fd, &ack, pick < 240 ? sizeof(ack) : pick % 16);
}

static void act_close(struct input *input, struct target *target)
{
	(void)target;
	call_close(input_take(input, 1));
}

void act(struct input *input, struct target *target)
{
	static void (*const acts[])(struct input *input,
				    struct target *target) = {
		act_stop, act_stop, act_register, act_memory, act_memory,
		act_launch, act_engine, act_read, act_read, act_at,
		act_acknowledge, act_close,
	};

	acts[input_take(input, 1) % COUNT(acts)](input, target);
}
