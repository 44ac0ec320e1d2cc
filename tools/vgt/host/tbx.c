// SPDX-License-Identifier: MIT
#include "host/tbx.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define HEADER_BYTES 12

/* First dword of bodies. */
#define MMIO_WRITE (1U << 0)
#define MMIO_SIZE(dw) ((dw) >> 1 & 7)
#define MMIO_SPACE(dw) ((dw) >> 6 & 7)
#define DATA_VIRTUAL (1U << 0) /* address is not physical */
#define DATA_MASKED (1U << 1) /* WRITE: a byte mask follows */
#define DATA_HIGH(dw) ((uint64_t)((dw) >> 24) << 32)

static const struct {
	const char *name;
	uint32_t body_bytes;
} known[] = {
	[VGT_TBX_MMIO] = { "MMIO", 12 },
	[VGT_TBX_GTT] = { "GTT", 16 },
	[VGT_TBX_WRITE] = { "WRITE", 12 },
	[VGT_TBX_READ] = { "READ", 12 },
	[VGT_TBX_CONTROL] = { "CONTROL", 4 },
};

static int parse_mmio(const uint32_t *body, struct vgt_tbx_message *out,
		      char error[128])
{
	out->write = body[0] & MMIO_WRITE;
	out->offset = body[1];
	out->value = body[2];
	if (MMIO_SIZE(body[0]) == 4 && !MMIO_SPACE(body[0]))
		return 0;
	snprintf(error, 128, "MMIO message %08x: not a 32-bit register",
		 body[0]);
	return -EPROTO;
}

static int parse_data(const uint32_t *body, struct vgt_tbx_message *out,
		      char error[128])
{
	uint32_t refused = DATA_VIRTUAL;

	if (out->type == VGT_TBX_WRITE)
		refused |= DATA_MASKED;
	out->phys = DATA_HIGH(body[0]) | body[1];
	out->len_bytes = body[2];
	if (body[0] & refused) {
		snprintf(error, 128, "%s message: flags %08x not supported",
			 known[out->type].name, body[0]);
		return -EPROTO;
	}
	if (out->len_bytes <= VGT_TBX_PAYLOAD_MAX)
		return 0;
	snprintf(error, 128, "%s message: %u bytes at 0x%llx are too many",
		 known[out->type].name, out->len_bytes,
		 (unsigned long long)out->phys);
	return -EPROTO;
}

static int parse_header(const uint32_t *header, char error[128])
{
	uint32_t type = header[0];

	if (type >= sizeof(known) / sizeof(known[0]) || !known[type].name) {
		snprintf(error, 128, "unknown message type %u (size %u)", type,
			 header[2]);
		return -EPROTO;
	}
	if (header[2] == known[type].body_bytes)
		return 0;
	snprintf(error, 128, "%s message: body of %u bytes, expected %u",
		 known[type].name, header[2], known[type].body_bytes);
	return -EPROTO;
}

ssize_t vgt_tbx_parse(const uint8_t *stream, size_t len,
		      struct vgt_tbx_message *out, char error[128])
{
	uint32_t header[3], body[4] = { 0 };
	size_t total;
	int ret = 0;

	if (len < HEADER_BYTES)
		return 0;
	memcpy(header, stream, HEADER_BYTES);
	if (parse_header(header, error))
		return -EPROTO;
	total = HEADER_BYTES + header[2];
	if (len < total)
		return 0;
	memcpy(body, stream + HEADER_BYTES, header[2]);
	memset(out, 0, sizeof(*out));
	out->type = header[0];
	out->trans_id = header[1];

	if (out->type == VGT_TBX_MMIO) {
		ret = parse_mmio(body, out, error);
	} else if (out->type == VGT_TBX_GTT) {
		out->offset = body[1];
		out->value = body[2] | (uint64_t)body[3] << 32;
	} else if (out->type == VGT_TBX_CONTROL) {
		out->value = body[0];
	} else {
		ret = parse_data(body, out, error);
	}
	if (ret)
		return ret;
	if (out->type == VGT_TBX_WRITE) {
		out->payload = stream + total;
		total += out->len_bytes;
	}
	return len < total ? 0 : (ssize_t)total;
}

static void put(uint8_t *out, uint32_t index, uint32_t value)
{
	memcpy(out + 4 * index, &value, 4);
}

size_t vgt_tbx_mmio_response(uint8_t *out, uint32_t trans_id, uint32_t value)
{
	put(out, 0, VGT_TBX_MMIO_RESPONSE);
	put(out, 1, trans_id);
	put(out, 2, 4);
	put(out, 3, value);
	return 16;
}

size_t vgt_tbx_read_response(uint8_t *out,
			     const struct vgt_tbx_message *request)
{
	put(out, 0, VGT_TBX_READ_RESPONSE);
	put(out, 1, request->trans_id);
	put(out, 2, 12);
	put(out, 3, (uint32_t)(request->phys >> 32) << 24);
	put(out, 4, (uint32_t)request->phys);
	put(out, 5, request->len_bytes);
	return VGT_TBX_READ_HEADER;
}
