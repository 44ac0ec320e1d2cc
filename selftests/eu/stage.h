/* SPDX-License-Identifier: MIT */
/*
 * One thread stands between two instructions that do not jump and send nothing: at a stop
 * before the first one its registers can be changed, and programs are bound to the second
 * one. It stops there, or before the third one.
 */
#ifndef EU_STAGE_H
#define EU_STAGE_H

#include "code.h"
#include "rig.h"

#include <linux/gtdbg_sip.h>
#include <stddef.h>
#include <stdint.h>

#define STAGE_REGISTERS 128
#define NUMBER 7 /* of the program in the area, and far from the scratch */
#define SCRATCH (GTDBG_SIP_PROGRAM_OFFSET + 512 * GTDBG_SIP_PROGRAM_BYTES)
#define SCRATCH_BYTES 4096

struct program {
	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
};

struct stage {
	struct rig rig;
	struct stop stop;
	uint32_t first; /* index in code of the first of the three */
	uint32_t lanes; /* enabled */
	uint8_t saved[GTDBG_SIP_SLOT_DBG]; /* registers at the first one */
	uint8_t seen[GTDBG_SIP_SLOT_DBG]; /* at the second one */
	uint8_t scratch[SCRATCH_BYTES];
};

extern struct stage stage;
extern struct code code;

/* A condition that does not hold, on a variable in memory. */
extern const struct program stage_false;

/* Stop the one thread before the first of three plain instructions. */
bool stage_start(const struct rig_options *options);

/* Random registers; each qword of them may be an address in the scratch. */
void stage_shuffle(void);

/*
 * Let the thread go on to its next stop, which is returned, 0 if there is none.
 * @spent: what it has executed meanwhile.
 */
uint32_t stage_go(uint64_t *spent);

/* The same from the first instruction on, with the registers above. */
uint32_t stage_run(uint64_t *spent);

/* Bind @program to the second instruction; NULL: nothing is bound. */
void stage_bind(const struct program *program);

uint32_t stage_area_write(uint32_t offset, const void *data, size_t len);
bool stage_area_read(uint32_t offset, void *data, size_t len);

void stage_fill(void *data, size_t len);

#endif
