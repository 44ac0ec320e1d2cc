// SPDX-License-Identifier: GPL-2.0-only
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SAVE_AREA 0x800000
#define TOKEN \
	(SAVE_AREA + GTDBG_SIP_CONTROL_OFFSET + \
	 offsetof(struct gtdbg_sip_control, token))

/* As peer.c has laid out its memory. */
static const struct {
	uint32_t start, bytes;
} ranges[] = {
	{ 0x100000, 0x1000 }, { 0x200000, 0x2000 }, { 0x210000, 0x1000 },
	{ 0x300000, 0x9000 }, { 0x500000, 0x1000 }, { 0x510000, 0x1000 },
	{ 0x520000, 0x1000 }, { SAVE_AREA, 0x1000 },
};

const uint32_t world_slots[WORLD_SLOTS] = { 0, 1, 28, 56, 112, 300, 447, 671 };
struct target world;

static uint8_t *kept[COUNT(ranges)];

int world_init(void)
{
	int ret = target_init(&world);

	if (ret)
		return ret;
	close(world.client);
	for (size_t i = 0; i < COUNT(ranges); i++) {
		kept[i] = malloc(ranges[i].bytes);
		if (!kept[i])
			return -ENOMEM;
		memcpy(kept[i], world.peer.memory + ranges[i].start,
		       ranges[i].bytes);
	}
	return 0;
}

static void memory_restore(void)
{
	uint8_t *memory = world.peer.memory;

	for (size_t i = 0; i < COUNT(ranges); i++)
		memcpy(memory + ranges[i].start, kept[i], ranges[i].bytes);
	for (size_t i = 0; i < WORLD_SLOTS; i++)
		memset(memory + SAVE_AREA + GTDBG_SIP_SLOT_OFFSET +
		       world_slots[i] * GTDBG_SIP_SLOT_BYTES, 0,
		       GTDBG_SIP_SLOT_BYTES);
	memset(world.peer.waiting, 0, sizeof(world.peer.waiting));
	memcpy(memory + TOKEN, &world.token, sizeof(world.token));
}

int world_start(void)
{
	int ret = target_register(&world);

	if (ret)
		return ret;
	memory_restore();
	world.rig.fill = 0;
	world.rig.at = 0;
	ret = target_offer(&world, RIG_ALL_EVENTS, RIG_ACK_SUBMIT);
	if (ret)
		return ret;
	return fcntl(world.rig.session, F_SETFL, O_NONBLOCK) ? -errno : 0;
}

void world_end(void)
{
	close(world.rig.session);
	peer_withdraw(&world.peer);
	close(world.client);
}
