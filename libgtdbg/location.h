/* SPDX-License-Identifier: MIT */
/* Evaluation of DWARF location expressions for one lane of a thread. */
#ifndef LIBGTDBG_LOCATION_H
#define LIBGTDBG_LOCATION_H

#include "gtdbg_symbols.h"

#define LOCATION_NO_BYTE UINT32_MAX

/**
 * struct location_request - an expression and what it is evaluated for
 * @bytes: the expression
 * @len_bytes: its length
 * @machine: state of the thread
 * @lane: the lane
 * @frame_base: front-end frame pointer of an outer frame, 0 for the innermost
 * @frame_register: byte offset of the register that holds the frame pointer,
 *	replaced by @frame_base when that is not 0
 * @call_frame: call frame address, 0 if unknown
 */
struct location_request {
	const uint8_t *bytes;
	size_t len_bytes;
	const struct gtdbg_machine *machine;
	uint32_t lane;
	uint64_t frame_base;
	uint32_t frame_register;
	uint64_t call_frame;
};

/*
 * @slot_byte_out: where in the register file the per-lane address lay that the
 * location consists of, LOCATION_NO_BYTE if it was made in another way.
 */
int gtdbg_location_evaluate(const struct location_request *request,
			    struct gtdbg_location *out,
			    uint32_t *slot_byte_out);

#endif
