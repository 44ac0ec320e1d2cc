/* SPDX-License-Identifier: MIT */
/* Evaluation of DWARF location expressions for one lane of a thread. */
#ifndef LIBGTDBG_LOCATION_H
#define LIBGTDBG_LOCATION_H

#include "gtdbg_symbols.h"

#define LOCATION_NO_BYTE UINT32_MAX
#define LOCATION_READS_MAX 16

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
 * @is_caller: the frame has called another function, which has used registers
 *	for itself
 */
struct location_request {
	const uint8_t *bytes;
	size_t len_bytes;
	const struct gtdbg_machine *machine;
	uint32_t lane;
	uint64_t frame_base;
	uint32_t frame_register;
	uint64_t call_frame;
	bool is_caller;
};

/* Bytes of the register file. */
struct location_read {
	uint32_t byte;
	uint32_t len_bytes;
};

/**
 * struct location_trace - what a location was made of
 * @home_byte: where in the register file the per-lane address lay that the
 *	location consists of, LOCATION_NO_BYTE if it was made in another way
 * @reads: what was read of the register file, but for the frame pointer
 * @read_count: their number
 * @has_frame: the frame pointer was read from its register
 */
struct location_trace {
	uint32_t home_byte;
	struct location_read reads[LOCATION_READS_MAX];
	int read_count;
	bool has_frame;
};

/*
 * Fails with ENODATA for an empty expression, EOPNOTSUPP for operators that are
 * unknown, EBADMSG for malformed ones, ESTALE for a register of a caller.
 */
int gtdbg_location_evaluate(const struct location_request *request,
			    struct gtdbg_location *out,
			    struct location_trace *trace_out);

#endif
