// SPDX-License-Identifier: MIT
/* The parser of the simulator protocol, on byte streams made here. */
#include "host/tbx.h"
#include "tap.h"
#include "wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The head of a stream, in memory that ends where the stream does. */
static ssize_t parse(const uint8_t *bytes, size_t len,
		     struct vgt_tbx_message *out, char error[128])
{
	uint8_t *exact = malloc(len ? len : 1);
	ssize_t ret;

	if (!exact)
		abort();
	memcpy(exact, bytes, len);
	error[0] = 0;
	ret = vgt_tbx_parse(exact, len, out, error);
	free(exact);
	return ret;
}

static size_t one_of_each(uint8_t *out, unsigned int kind)
{
	static const uint8_t data[37] = { 1, 2, 3 };

	switch (kind) {
	case 0:
		return wire_mmio(out, 7, true, 0x2510, 0x6119);
	case 1:
		return wire_mmio(out, 8, false, 0x2234, 0);
	case 2:
		return wire_gtt(out, 9, 0x16, 0x123456789001);
	case 3:
		return wire_write(out, 10, 0x8123456789, data, sizeof(data));
	case 4:
		return wire_read(out, 11, 0x3000, 4096);
	default:
		return wire_control(out, 12);
	}
}

static void test_fields(void)
{
	struct vgt_tbx_message message;
	uint8_t bytes[256];
	char error[128];
	size_t len;

	len = one_of_each(bytes, 0);
	tap_result(parse(bytes, len, &message, error) == (ssize_t)len &&
		   message.type == VGT_TBX_MMIO && message.write &&
		   message.trans_id == 7 && message.offset == 0x2510 &&
		   message.value == 0x6119, "register write", error);
	len = one_of_each(bytes, 2);
	tap_result(parse(bytes, len, &message, error) == (ssize_t)len &&
		   message.type == VGT_TBX_GTT && message.offset == 0x16 &&
		   message.value == 0x123456789001, "GTT entry", error);
	len = one_of_each(bytes, 4);
	tap_result(parse(bytes, len, &message, error) == (ssize_t)len &&
		   message.type == VGT_TBX_READ && message.phys == 0x3000 &&
		   message.len_bytes == 4096, "read", error);
	len = one_of_each(bytes, 3);
	error[0] = 0;
	tap_result(vgt_tbx_parse(bytes, len, &message, error) ==
		   (ssize_t)len && message.phys == 0x8123456789 &&
		   message.len_bytes == 37 && message.payload == bytes + 24,
		   "write with its payload", error);
}

static void test_truncated(void)
{
	struct vgt_tbx_message message;
	uint8_t bytes[256];
	char error[128], why[64] = "";
	unsigned int kind;
	size_t len, cut;

	for (kind = 0; kind < 6; kind++) {
		len = one_of_each(bytes, kind);
		for (cut = 0; cut < len; cut++)
			if (parse(bytes, cut, &message, error))
				snprintf(why, sizeof(why),
					 "message %u cut to %zu bytes", kind,
					 cut);
	}
	tap_result(!why[0], "a message cut anywhere is not there yet", why);
}

static void test_sequence(void)
{
	struct vgt_tbx_message message;
	uint8_t bytes[4096];
	size_t ends[2 * 6 * 6], total = 0, at = 0;
	char error[128];
	ssize_t len;
	int i;

	/* Each behind each. */
	for (i = 0; i < 2 * 6 * 6; i++) {
		total += one_of_each(bytes + total, i % 2 ? i / 12 : i / 2 % 6);
		ends[i] = total;
	}
	for (i = 0; at < total; i++) {
		len = vgt_tbx_parse(bytes + at, total - at, &message, error);
		if (len <= 0)
			break;
		at += len;
		if (at != ends[i])
			break;
	}
	tap_result(at == total, "messages of all kinds one after the other",
		   NULL);
}

/* Each is valid in all but dword @index. */
static void refuse(const char *name, unsigned int kind, unsigned int index,
		   uint32_t value, const char *expected)
{
	struct vgt_tbx_message message;
	uint8_t bytes[256];
	char error[128];
	size_t len = one_of_each(bytes, kind);
	ssize_t ret;

	memcpy(bytes + 4 * index, &value, 4);
	ret = parse(bytes, len, &message, error);
	tap_result(ret == -EPROTO && strstr(error, expected), name, error);
}

static void test_refused(void)
{
	refuse("unknown message", 0, 0, 3, "type 3");
	refuse("a response instead of a request", 0, 0, 6, "type 6");
	refuse("message type with its top bit", 0, 0, 0x80000000, "type");
	refuse("body too short", 2, 2, 12, "12 bytes");
	refuse("body too long", 5, 2, 0xffffffff, "CONTROL");
	refuse("register of eight bytes", 0, 3, 0x11, "MMIO");
	refuse("address space that is none", 1, 3, 0x48, "MMIO");
	refuse("write of too many bytes", 3, 5, 0x7fffffff, "too many");
	refuse("read of too many bytes", 4, 5, 0xffffffff, "too many");
	refuse("write with a byte mask", 3, 3, 2, "flags");
	refuse("virtual address", 4, 3, 1, "flags");
}

int main(void)
{
	test_fields();
	test_truncated();
	test_sequence();
	test_refused();
	return tap_finish();
}
