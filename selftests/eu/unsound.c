// SPDX-License-Identifier: MIT
/* Programs that are not as the module makes them: each stops the thread. */
#include "binding.h"
#include "stage.h"
#include "test.h"

#include <linux/gtdbg_sip.h>

#include "code.h"

/* In two parts. */
static const struct program in_parts = {
	.op = {
		{ GTDBG_SIP_OP_FETCH, 4 << 16 | 32 * 34, 0, 0 },
		{ GTDBG_SIP_OP_EQUAL, 1234567, 0, 0 },
		{ GTDBG_SIP_OP_OR, 0, 0, 0 },
		{ GTDBG_SIP_OP_FETCH, 4 << 16 | 32 * 38, 0, 0 },
		{ GTDBG_SIP_OP_EQUAL, 1234567, 0, 0 },
		{ GTDBG_SIP_OP_OR, 0, 0, 0 },
		{ GTDBG_SIP_OP_FETCH, 4 << 16 | 32 * 42, 0, 0 },
		{ GTDBG_SIP_OP_EQUAL, 1234567, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	},
};

/* What the area has as its program @number. */
static struct gtdbg_sip_program image_read(uint32_t number)
{
	struct gtdbg_sip_program image;

	stage_area_read(GTDBG_SIP_PROGRAM_OFFSET + number * GTDBG_SIP_PROGRAM_BYTES,
			&image, sizeof(image));
	return image;
}

/* Sound, and as it is; true if the thread stops. */
static bool image_stops(struct gtdbg_sip_program *image, uint32_t number)
{
	uint64_t spent;

	binding_write(&stage.rig.driver, image, code.ip[stage.first + 1],
		      number);
	return stage_run(&spent) == code.ip[stage.first + 1];
}

/* Each bit of a program that changes makes it stop, whichever part it is of. */
static void damaged(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct gtdbg_sip_program image, bad;
	uint64_t spent;
	bool ok = stage_start(&options);

	stage_shuffle();
	for (uint32_t part = 0; ok && part < 2; part++) {
		stage_bind(&in_parts);
		ok = tap_expect(stage_run(&spent) == code.ip[stage.first + 2],
				"it stopped undamaged");
		image = image_read(NUMBER + part);
		for (uint32_t bit = 0; ok && bit < 8 * sizeof(bad); bit += 5) {
			bad = image;
			((uint8_t *)&bad)[bit / 8] ^= (uint8_t)(1U << bit % 8);
			stage_area_write(GTDBG_SIP_PROGRAM_OFFSET + (NUMBER + part) *
				   GTDBG_SIP_PROGRAM_BYTES, &bad, sizeof(bad));
			ok = tap_expect(stage_run(&spent) ==
					code.ip[stage.first + 1],
					"it did not stop with bit %u changed",
					bit);
		}
	}
	rig_stop(&stage.rig);
}

/* Sound parts that do not belong together, or do not end. */
static void strays(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct gtdbg_sip_program first, second;
	uint64_t spent;

	if (stage_start(&options)) {
		stage_shuffle();
		stage_bind(&in_parts);
		first = image_read(NUMBER);
		second = image_read(NUMBER + 1);
		second.part += GTDBG_SIP_PARTS_MAX;
		tap_expect(image_stops(&second, NUMBER + 1),
			   "another program's part was taken");
		second.part = first.part;
		tap_expect(image_stops(&second, NUMBER + 1),
			   "a first part was taken for the second one");
		first.op[GTDBG_SIP_OPS_MAX - 1].a = NUMBER;
		tap_expect(image_stops(&first, NUMBER), "it led to itself");
		first.op[GTDBG_SIP_OPS_MAX - 1].a = NUMBER + 1;
		for (uint32_t i = 0; i <= GTDBG_SIP_PARTS_MAX; i++) {
			binding_write(&stage.rig.driver, &first,
				      code.ip[stage.first + 1], NUMBER + i);
			first.part++;
			first.op[GTDBG_SIP_OPS_MAX - 1].a++;
		}
		tap_expect(stage_run(&spent) == code.ip[stage.first + 1],
			   "more than four parts were taken");
	}
	rig_stop(&stage.rig);
}

/* Sound by its checksum, and of operations that do not exist or never end. */
static void unknown(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct gtdbg_sip_program endless = { 0 };
	struct program program = stage_false;
	uint64_t spent;
	bool ok = stage_start(&options);

	stage_shuffle();
	/* Nothing else in it stops a thread. */
	program.op[4].op = GTDBG_SIP_OP_END;
	for (uint32_t op = 0; ok && op < 300; op++) {
		if (op >= GTDBG_SIP_OP_END && op <= GTDBG_SIP_OP_LOAD_LONG)
			continue;
		program.op[3].op = op;
		stage_bind(&program);
		ok = tap_expect(stage_run(&spent) == code.ip[stage.first + 1],
				"it did not stop with operation %u", op);
	}
	for (uint32_t kind = 0; ok && kind < 40; kind++) {
		if (kind && kind <= GTDBG_SIP_COMPUTE_LAST)
			continue;
		program.op[3].op = GTDBG_SIP_OP_COMPUTE;
		program.op[3].b = kind;
		stage_bind(&program);
		ok = tap_expect(stage_run(&spent) == code.ip[stage.first + 1],
				"it did not stop with computation %u", kind);
	}
	for (uint32_t i = 0; i < GTDBG_SIP_OPS_MAX; i++)
		endless.op[i] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_REGISTER,
						       64, 0, 0 };
	tap_expect(!ok || image_stops(&endless, NUMBER),
		   "a program without end ran on");
	rig_stop(&stage.rig);
}

const struct test unsound_tests[] = {
	{ "a damaged program stops", damaged, TEST_OURS },
	{ "parts that do not belong together stop", strays, TEST_OURS },
	{ "an unknown operation stops, and so does a program without end",
	  unknown, TEST_OURS },
	{ 0 },
};
