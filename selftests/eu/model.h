/* SPDX-License-Identifier: MIT */
/* A program that the SIP carries out, and what that comes to, computed in C. */
#ifndef EU_MODEL_H
#define EU_MODEL_H

#include <linux/gtdbg_sip.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The thread. */
struct model {
	const uint8_t *registers;
	const uint8_t *memory;
	uint64_t address; /* of that memory, of which there is @len */
	size_t len;
	const uint8_t *local; /* GTDBG_SIP_SLM_END bytes; NULL: all of it is zero */
};

uint32_t model_dword(const struct model *model, uint32_t byte);
/* Zero where there is none. */
uint32_t model_memory(const struct model *model, uint64_t address);
/* Of the channel @lane, as GTDBG_SIP_OP_ITEM has it. */
uint32_t model_item(const struct model *model, const struct gtdbg_sip_op *op,
		    uint32_t lane);

/* The value after @count operations that do not compare. */
uint32_t model_value(const struct model *model, const struct gtdbg_sip_op *op,
		     uint32_t count, uint32_t lane);

/*
 * Does a program stop for the channel @lane, or write a record of it? @op: its operations
 * up to END. @captured: what it has captured; the rest is left alone.
 */
bool model_stops(const struct model *model, const struct gtdbg_sip_op *op,
		 uint32_t lane, uint32_t captured[GTDBG_SIP_CAPTURES_MAX]);

#endif
