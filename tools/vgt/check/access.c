// SPDX-License-Identifier: MIT
#include "check/access.h"

#include "port/message.h"
#include "port/surface.h"

#include <string.h>

#define ATOMIC_EXCHANGE 4

enum form {
	FORM_NONE,
	FORM_BYTE, /* an element of up to four bytes */
	FORM_UNTYPED, /* dwords x to w */
	FORM_A64,
	FORM_A64_UNTYPED,
	FORM_ATOMIC,
	FORM_A64_ATOMIC,
	FORM_OWORD,
	FORM_A64_OWORD,
};

#define DC0_FENCE 0x07

struct kind {
	enum form form;
	bool write;
};

static const struct kind dc0[32] = {
	[0x00] = { FORM_OWORD, false },
	[0x01] = { FORM_OWORD, false },
	[0x04] = { FORM_BYTE, false },
	[0x08] = { FORM_OWORD, true },
	[0x0c] = { FORM_BYTE, true },
};

static const struct kind dc1[32] = {
	[0x01] = { FORM_UNTYPED, false },
	[0x02] = { FORM_ATOMIC, true },
	[0x09] = { FORM_UNTYPED, true },
	[0x10] = { FORM_A64, false },
	[0x11] = { FORM_A64_UNTYPED, false },
	[0x12] = { FORM_A64_ATOMIC, true },
	[0x14] = { FORM_A64_OWORD, false },
	[0x15] = { FORM_A64_OWORD, true },
	[0x19] = { FORM_A64_UNTYPED, true },
	[0x1a] = { FORM_A64, true },
	[0x1b] = { FORM_ATOMIC, true },
	[0x1d] = { FORM_A64_ATOMIC, true },
};

static uint32_t header_dword(const struct vgt_message *message, uint32_t n)
{
	uint32_t value;

	memcpy(&value, vgt_message_grf(message, 0) + 4 * n, sizeof(value));
	return value;
}

/* One element for the thread as a whole. */
static bool oword_get(const struct vgt_message *message, bool a64,
		      struct vgt_check_access *out)
{
	uint32_t code = (message->desc >> 8) & 7, bti = message->desc & 0xff;
	uint64_t offset;

	if (code > 5 || !(message->desc & VGT_MESSAGE_HEADER) ||
	    message->mlen + message->exlen < 1U + out->write)
		return false;
	offset = header_dword(message, 2);
	/* In the thread's scratch space. */
	if (!a64 && (bti == VGT_BTI_STATELESS || bti == VGT_BTI_STATELESS_NC))
		return false;
	if (a64)
		offset = (header_dword(message, 0) |
			  (uint64_t)header_dword(message, 1) << 32) &
			 VGT_SPACE_VA_MASK;
	else if (((message->desc >> 14) & 31) != 1)
		offset *= 16;
	out->layout = (struct vgt_layout){
		.count = 1, .element_bytes = code < 2 ? 16 : 16U << (code - 1),
		.a64 = a64,
	};
	out->layout.span_bytes = out->layout.element_bytes;
	out->block = true;
	out->lanes = 1;
	out->offset[0] = offset;
	return true;
}

static void atomic_layout(const struct vgt_message *message, bool a64,
			  struct vgt_layout *out)
{
	bool wide = message->desc & 0x1000;
	bool is_float = ((message->desc >> 14) & 31) == 0x1d;

	*out = (struct vgt_layout){
		.lanes = a64 || wide ? 8 : 16,
		.element_bytes = a64 && wide && !is_float ? 8 : 4,
		.count = 1,
		.a64 = a64,
	};
	out->lane_bytes = out->element_bytes;
	out->span_bytes = out->element_bytes;
}

static bool layout_get(struct vgt_eu_thread *thread, enum form form,
		       const struct vgt_message *message,
		       struct vgt_layout *out)
{
	switch (form) {
	case FORM_BYTE:
		return !vgt_layout_byte(thread, message->desc, out);
	case FORM_UNTYPED:
	case FORM_A64_UNTYPED:
		return !vgt_layout_untyped(thread, message->desc,
					   form == FORM_A64_UNTYPED, out);
	case FORM_A64:
		return !vgt_layout_a64(thread, message->desc, out);
	default:
		atomic_layout(message, form == FORM_A64_ATOMIC, out);
		return true;
	}
}

/* Planes are whole in one of the two sources, behind the addresses. */
static bool payload_is_whole(const struct vgt_message *message,
			     const struct vgt_check_access *access)
{
	uint32_t address = vgt_layout_address_grfs(&access->layout);
	uint32_t plane = vgt_layout_plane_grfs(&access->layout);

	if (message->mlen < address)
		return false;
	return !access->write || access->atomic ||
	       (!((message->mlen - address) & (plane - 1)) &&
		message->mlen + message->exlen >=
			address + access->layout.count * plane);
}

static bool lanes_get(struct vgt_eu_thread *thread, enum form form,
		      const struct vgt_message *message,
		      struct vgt_check_access *out)
{
	if (message->desc & VGT_MESSAGE_HEADER ||
	    !layout_get(thread, form, message, &out->layout) ||
	    !payload_is_whole(message, out))
		return false;
	out->lanes = message->lanes & ((1U << out->layout.lanes) - 1);
	out->space.mask = VGT_SPACE_VA_MASK;
	if (out->layout.a64)
		vgt_scattered_a64(&out->space, message, out->layout.lanes,
				  out->offset);
	else
		vgt_scattered_a32(&out->space, message, out->layout.lanes,
				  out->offset);
	return out->lanes;
}

bool vgt_check_is_fence(const struct vgt_message *message)
{
	return message->sfid == VGT_SFID_DC0 &&
	       ((message->desc >> 14) & 31) == DC0_FENCE;
}

static struct kind kind_get(const struct vgt_message *message)
{
	uint32_t type = (message->desc >> 14) & 31;

	if (message->sfid == VGT_SFID_DC1)
		return dc1[type];
	if (message->sfid == VGT_SFID_DC0)
		return dc0[type];
	return (struct kind){ FORM_NONE, false };
}

bool vgt_check_is_atomic(const struct vgt_message *message)
{
	enum form form = kind_get(message).form;

	return form == FORM_ATOMIC || form == FORM_A64_ATOMIC;
}

/* Whatever was there, it is another value then. */
static bool is_exchange(const struct vgt_message *message)
{
	uint32_t type = (message->desc >> 14) & 31;
	bool is_float = type == 0x1b || type == 0x1d;

	return vgt_check_is_atomic(message) && !is_float &&
	       ((message->desc >> 8) & 15) == ATOMIC_EXCHANGE;
}

bool vgt_check_access_get(struct vgt_eu_thread *thread,
			  const struct vgt_message *message,
			  struct vgt_check_access *out)
{
	struct kind kind = kind_get(message);
	uint32_t bti = message->desc & 0xff;
	enum vgt_access access;

	if (!kind.form)
		return false;
	out->write = kind.write;
	out->atomic = vgt_check_is_atomic(message);
	out->exchange = is_exchange(message);
	out->block = false;
	if (kind.form == FORM_OWORD || kind.form == FORM_A64_OWORD ?
	    !oword_get(message, kind.form == FORM_A64_OWORD, out) :
	    !lanes_get(thread, kind.form, message, out))
		return false;
	access = kind.write ? VGT_ACCESS_WRITE : VGT_ACCESS_READ;
	out->flat = out->layout.a64 || bti == VGT_BTI_STATELESS ||
		    bti == VGT_BTI_STATELESS_NC;
	if (out->layout.a64)
		vgt_space_flat(&out->space, thread, access);
	else if (vgt_space_table(&out->space, thread, message, access))
		return false;
	return true;
}
