// SPDX-License-Identifier: MIT
#include "stage.h"

#include "binding.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "gt/device.h"

static struct stop stops[DRIVER_THREADS];
struct stage stage;
struct code code;

const struct program stage_false = {
	.op = {
		{ GTDBG_SIP_OP_ADDRESS, 32 * 34, 0, 0 },
		{ GTDBG_SIP_OP_LOAD, 0, 0, 0 },
		{ GTDBG_SIP_OP_EQUAL, 1234567, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	},
};

uint32_t stage_area_write(uint32_t offset, const void *data, size_t len)
{
	return driver_write(&stage.rig.driver, stage.rig.driver.area + offset,
			    data, len);
}

bool stage_area_read(uint32_t offset, void *data, size_t len)
{
	return driver_read(&stage.rig.driver, stage.rig.driver.area + offset,
			   data, len);
}

static bool is_plain(uint32_t index)
{
	uint32_t opcode = code.dword[index] & 0x7f;

	/* Moves and arithmetic: neither branches nor messages. */
	return opcode >= 0x40 || opcode == 0x61;
}

bool stage_start(const struct rig_options *options)
{
	uint32_t n, i = 2;

	if (!rig_start(&stage.rig, options) ||
	    !rig_stops(&stage.rig, 1, stops, &n) ||
	    !rig_lift(&stage.rig, &stops[0]) ||
	    !tap_expect(code_read(&stage.rig.driver, stops[0].ip, &code),
			"the code has no end"))
		return false;
	while (i < code.end && (!is_plain(i) || !is_plain(i + 1)))
		i++;
	stage.first = i;
	stage.lanes = stops[0].enabled;
	for (uint32_t k = 0; k < 3; k++)
		driver_breakpoint(&stage.rig.driver, stage.rig.driver.base +
				  code.ip[i + k], true);
	driver_invalidate(&stage.rig.driver);
	if (!rig_go(&stage.rig, stops, 1, false) ||
	    !rig_stops(&stage.rig, 1, stops, &n))
		return false;
	stage.stop = stops[0];
	return tap_expect(stops[0].ip == code.ip[i], "stopped at 0x%x",
			  stops[0].ip) &&
	       driver_slot_read(&stage.rig.driver, stage.stop.slot, 0,
				stage.saved, sizeof(stage.saved));
}

void stage_fill(void *data, size_t len)
{
	uint8_t *byte = data;

	while (len--)
		*byte++ = (uint8_t)(rand() >> 8);
}

void stage_shuffle(void)
{
	uint64_t area = stage.rig.driver.area + SCRATCH, at;

	stage_fill(stage.saved, STAGE_REGISTERS * 32);
	stage_fill(stage.saved + GTDBG_SIP_SLOT_ADDRESS, 32);
	stage_fill(stage.saved + GTDBG_SIP_SLOT_FLAG, 8);
	stage_fill(stage.saved + GTDBG_SIP_SLOT_ACC, 64);
	for (uint32_t i = 0; i < STAGE_REGISTERS * 32; i += 8) {
		at = area + 1024 + (uint64_t)(rand() % (SCRATCH_BYTES - 2048));
		memcpy(stage.saved + i, &at, sizeof(at));
	}
	/* A few small numbers, which comparisons meet. */
	for (uint32_t i = 0; i < 512; i++)
		stage.scratch[rand() % SCRATCH_BYTES] = 0;
	stage_area_write(SCRATCH, stage.scratch, SCRATCH_BYTES);
}

static uint64_t executed(void)
{
	return rig_executed(&stage.rig, &stage.stop);
}

uint32_t stage_go(uint64_t *spent)
{
	uint64_t before = executed();
	uint32_t n;

	if (!rig_go(&stage.rig, &stage.stop, 1, false) ||
	    !rig_stops(&stage.rig, 1, stops, &n))
		return 0;
	*spent = executed() - before;
	return stops[0].ip;
}

uint32_t stage_run(uint64_t *spent)
{
	uint32_t ip = code.ip[stage.first];

	memcpy(stage.saved + GTDBG_SIP_SLOT_CR + 8, &ip, sizeof(ip));
	driver_slot_write(&stage.rig.driver, stage.stop.slot, 0, stage.saved,
			  sizeof(stage.saved));
	return stage_go(spent);
}

void stage_bind(const struct program *program)
{
	binding_set(&stage.rig.driver, code.ip[stage.first + 1], NUMBER,
		    program ? program->op : NULL);
}
