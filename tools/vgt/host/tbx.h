/* SPDX-License-Identifier: MIT */
/*
 * The runtime's simulator protocol (TBX), as bytes: finds one message at the
 * head of a stream. It keeps no state and touches no device, so that it can be
 * tested and fuzzed by itself.
 */
#ifndef VGT_TBX_H
#define VGT_TBX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum vgt_tbx_type {
	VGT_TBX_MMIO = 0,
	VGT_TBX_MMIO_RESPONSE = 1,
	VGT_TBX_GTT = 2,
	VGT_TBX_WRITE = 4,
	VGT_TBX_READ = 5,
	VGT_TBX_READ_RESPONSE = 6,
	VGT_TBX_CONTROL = 11,
};

/* Longest payload of a WRITE or READ; the runtime stays below a quarter. */
#define VGT_TBX_PAYLOAD_MAX (1U << 20)
#define VGT_TBX_MESSAGE_MAX (VGT_TBX_PAYLOAD_MAX + 256)
#define VGT_TBX_READ_HEADER 24 /* bytes in front of a READ response's data */

struct vgt_tbx_message {
	enum vgt_tbx_type type;
	uint32_t trans_id;
	bool write; /* MMIO: a write */
	uint32_t offset; /* MMIO: register; GTT: index of the entry */
	uint64_t value; /* MMIO, GTT, CONTROL: what is written */
	uint64_t phys; /* WRITE, READ */
	uint32_t len_bytes; /* WRITE, READ: payload */
	const uint8_t *payload; /* WRITE; inside the stream */
};

/*
 * Parse the message at the head of @len bytes of stream. Returns its length,
 * 0 if it is not there as a whole yet, or -EPROTO with a line in @error.
 */
ssize_t vgt_tbx_parse(const uint8_t *stream, size_t len,
		      struct vgt_tbx_message *out, char error[128]);

/* Build responses. Return their length without the data of a READ. */
size_t vgt_tbx_mmio_response(uint8_t *out, uint32_t trans_id, uint32_t value);
size_t vgt_tbx_read_response(uint8_t *out,
			     const struct vgt_tbx_message *request);

#endif
