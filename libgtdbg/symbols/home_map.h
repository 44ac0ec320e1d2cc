/* SPDX-License-Identifier: MIT */
/* What a pass along the code leaves behind; see home.h. */
#ifndef LIBGTDBG_HOME_MAP_H
#define LIBGTDBG_HOME_MAP_H

#include "gtdbg_symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILE_BYTES	(128 * GTDBG_GRF_BYTES)

enum value_kind {
	VALUE_UNKNOWN = 0,
	VALUE_LINEAR = 1,	/* constant + thread * factor */
	VALUE_PAYLOAD = 2,	/* dword as launched, at byte @payload */
	VALUE_ADDRESS = 3,	/* low half of payload + constant + thread */
};

struct value {
	uint8_t kind;
	uint8_t size;
	uint16_t payload;
	int32_t constant;
	int32_t factor;
};

/* A write of one element, or of the answer to a message. */
struct write {
	uint32_t pc;
	uint16_t byte;
	uint16_t len_bytes;
	uint16_t lane;
	bool is_update;		/* the instruction reads what it overwrites */
	struct value value;
};

/* A message that took its addresses from a register. */
struct use {
	uint32_t pc;
	uint16_t byte;
	uint16_t len_bytes;
};

struct loop {
	uint32_t target;
	uint32_t source;
};

struct home_map {
	struct write *writes;
	size_t write_count;
	size_t write_capacity;
	struct use *uses;
	size_t use_count;
	struct loop *loops;
	size_t loop_count;
	uint32_t first_branch;	/* every lane executes what lies before */
	uint32_t first_call;
	/* Dwords that the code reads before it writes them. */
	bool is_payload[FILE_BYTES / 4];
};

#endif
