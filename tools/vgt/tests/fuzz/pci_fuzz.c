// SPDX-License-Identifier: MIT
/*
 * libFuzzer target for the PCI door. An input is what a driver that has lost its mind
 * does: accesses to registers, the GGTT and configuration space, contexts, rings and
 * page tables in its memory, submissions, other memory. Engines run meanwhile; all of
 * them are reset at the end. Sanitizers are in pci/ and gt/ alone.
 */
#include "gt/execlist.h"
#include "host/log.h"
#include "machine.h"
#include "pci/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CONTEXTS 4U
#define COMMANDS_MAX 16U

enum {
	REGISTER = 0,
	ENGINE_REGISTER = 1,
	MEMORY = 2,
	ENTRY = 3,
	RING = 4,
	SUBMIT = 5,
	CONFIG = 6,
	READ = 7,
	SYSMEM = 8,
	BATCH = 9,
	ACTIONS = 10,
};

struct input {
	const uint8_t *data;
	size_t size;
};

static struct machine machine;

static const uint32_t bases[] = { 0x2000, 0x22000, 0x1c0000, 0x1d0000,
				  0x1c8000 };

#define ENGINES (sizeof(bases) / sizeof(bases[0]))

/* What is not there is zero. */
static uint32_t take(struct input *input, size_t bytes)
{
	size_t n = bytes < input->size ? bytes : input->size;
	uint32_t value = 0;

	memcpy(&value, input->data, n);
	input->data += n;
	input->size -= n;
	return value;
}

/* Whatever the last input did to them. */
static void driver_start(void)
{
	const struct vgt_proxy_sysmem message = {
		.len_bytes[0] = MACHINE_BYTES,
	};

	if (!machine.connection && !machine_open(&machine, 0)) {
		perror("a machine");
		abort();
	}
	machine_send(&machine, VGT_PROXY_SYNC_SYSMEM, &message,
		     sizeof(message), &machine.memory, 1);
	machine_tables(&machine);
	for (uint32_t i = 0; i < ENGINES; i++)
		machine_engine(&machine, bases[i], i);
	for (uint32_t i = 0; i < CONTEXTS; i++)
		machine_context(&machine, i);
}

static void ring(struct input *input, bool batch)
{
	uint32_t context = take(input, 1) % CONTEXTS;
	uint32_t count = take(input, 1) % COMMANDS_MAX;
	uint32_t command[COMMANDS_MAX];
	const uint32_t start[] = {
		0x18800101, MACHINE_VA(MACHINE_IMAGE(context) + 0x6000), 0,
	};

	for (uint32_t i = 0; i < count; i++)
		command[i] = take(input, 4);
	if (!batch) {
		machine_ring(&machine, context, command, count);
		return;
	}
	memcpy(machine_dwords(&machine, MACHINE_IMAGE(context) + 0x6000),
	       command, 4 * count);
	machine_ring(&machine, context, start, 3);
}

static void submit(struct input *input)
{
	uint32_t engine = take(input, 1) % ENGINES;
	uint32_t context = take(input, 1);

	machine_submit(&machine, bases[engine], (int)(context % CONTEXTS),
		       (int)(context >> 4) % 5 - 1);
}

static void sysmem(struct input *input)
{
	struct vgt_proxy_sysmem message;
	uint8_t *bytes = (uint8_t *)&message;
	const int fd[] = { machine.memory, machine.memory };
	uint32_t fds = take(input, 1) % 3;

	for (size_t i = 0; i < sizeof(message); i++)
		bytes[i] = (uint8_t)take(input, 1);
	machine_send(&machine, VGT_PROXY_SYNC_SYSMEM, &message,
		     sizeof(message), fd, fds);
}

static void access(struct input *input, uint32_t action)
{
	uint32_t offset = take(input, 3), value;

	if (action == READ) {
		machine_read(&machine, MACHINE_BAR0 + (offset & ~7U),
			     1U << (offset & 3));
	} else if (action == CONFIG) {
		machine_config_read(&machine, offset % 252, 4, &value);
		/* BARs stay where they are: other addresses are the end. */
		if (offset % 252 >= 0x40)
			machine_config_write(&machine, offset % 252, 2,
					     take(input, 2));
	} else if (action == REGISTER) {
		machine_reg_write(&machine, offset % 0x800000 & ~3U,
				  take(input, 4));
	} else if (action == ENGINE_REGISTER) {
		machine_reg_write(&machine, bases[offset % ENGINES] +
				  (offset >> 8) % 0x1000 / 4 * 4,
				  take(input, 4));
	} else if (action == ENTRY) {
		machine_write(&machine, MACHINE_BAR0 + VGT_BAR0_GGTT +
			      offset % 0x1000 * 8, 8, take(input, 4));
	} else {
		*machine_dwords(&machine, offset % MACHINE_BYTES & ~3U) =
			take(input, 4);
	}
}

static void act(struct input *input)
{
	uint32_t action = take(input, 1) % ACTIONS;

	if (action == RING || action == BATCH)
		ring(input, action == BATCH);
	else if (action == SUBMIT)
		submit(input);
	else if (action == SYSMEM)
		sysmem(input);
	else
		access(input, action);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	uint32_t id;

	vgt_log_level_set(0);
	driver_start();
	while (input.size)
		act(&input);
	machine_reg_write(&machine, VGT_GDRST, 1);
	if (machine_config_read(&machine, 0, 4, &id))
		return 0;
	machine_close(&machine);
	memset(&machine, 0, sizeof(machine));
	return 0;
}
