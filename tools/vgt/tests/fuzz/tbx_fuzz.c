// SPDX-License-Identifier: MIT
/*
 * libFuzzer target for the parser of the simulator protocol. A stream is taken
 * apart as the connection does it; what the parser says about each message has
 * to fit the bytes.
 */
#include "host/tbx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void check_message(const struct vgt_tbx_message *message,
			  const uint8_t *stream, size_t len)
{
	uint8_t response[64];

	switch (message->type) {
	case VGT_TBX_WRITE:
		require(message->payload >= stream + 24);
		require(message->payload + message->len_bytes == stream + len);
		break;
	case VGT_TBX_READ:
		require(message->len_bytes <= VGT_TBX_PAYLOAD_MAX);
		require(vgt_tbx_read_response(response, message) ==
			VGT_TBX_READ_HEADER);
		break;
	case VGT_TBX_MMIO:
		require(vgt_tbx_mmio_response(response, message->trans_id,
					      message->value) == 16);
		break;
	case VGT_TBX_GTT:
	case VGT_TBX_CONTROL:
		break;
	default:
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vgt_tbx_message message;
	char error[128];
	ssize_t len;

	while (size) {
		memset(error, 1, sizeof(error));
		len = vgt_tbx_parse(data, size, &message, error);
		if (len < 0) {
			require(len == -EPROTO && error[0] > 1);
			require(memchr(error, 0, sizeof(error)));
		}
		if (len <= 0)
			break;
		require((size_t)len <= size);
		check_message(&message, data, len);
		data += len;
		size -= len;
	}
	return 0;
}
