/* SPDX-License-Identifier: MIT */
/*
 * Scattered data-port messages: every lane has an address of its own. The data
 * are planes, one per component, with a dword (or qword) per lane.
 */
#ifndef VGT_DATAPORT_H
#define VGT_DATAPORT_H

#include <stdint.h>

#include "message.h"

struct vgt_view;

#define VGT_DATAPORT_LANES 16

/* Messages: byte and dword elements through a table index, or A64. */
vgt_message_fn vgt_dataport_byte_read;
vgt_message_fn vgt_dataport_byte_write;
vgt_message_fn vgt_dataport_untyped_read;
vgt_message_fn vgt_dataport_untyped_write;
vgt_message_fn vgt_dataport_a64_read;
vgt_message_fn vgt_dataport_a64_write;
vgt_message_fn vgt_dataport_a64_untyped_read;
vgt_message_fn vgt_dataport_a64_untyped_write;

/* Offsets of @lanes lanes, from 32-bit (A32) or 64-bit (A64) payload. */
void vgt_dataport_a32(const struct vgt_view *view,
		      const struct vgt_message *message, uint32_t lanes,
		      uint64_t offset_out[VGT_DATAPORT_LANES]);
void vgt_dataport_a64(const struct vgt_view *view,
		      const struct vgt_message *message, uint32_t lanes,
		      uint64_t offset_out[VGT_DATAPORT_LANES]);

#endif
