/* SPDX-License-Identifier: MIT */
/*
 * Scattered data-port messages: every lane has an address of its own. The data
 * are planes, one per component, with a dword (or qword) per lane.
 */
#ifndef VGT_SCATTERED_H
#define VGT_SCATTERED_H

#include "port/message.h"

#include <stdint.h>

struct vgt_space;

#define VGT_SCATTERED_LANES 16

/* Messages: byte and dword elements through a table index, or A64. */
vgt_message_fn vgt_scattered_byte_read;
vgt_message_fn vgt_scattered_byte_write;
vgt_message_fn vgt_scattered_untyped_read;
vgt_message_fn vgt_scattered_untyped_write;
vgt_message_fn vgt_scattered_a64_read;
vgt_message_fn vgt_scattered_a64_write;
vgt_message_fn vgt_scattered_a64_untyped_read;
vgt_message_fn vgt_scattered_a64_untyped_write;

/* Offsets of @lanes lanes, from 32-bit (A32) or 64-bit (A64) payload. */
void vgt_scattered_a32(const struct vgt_space *space,
		       const struct vgt_message *message, uint32_t lanes,
		       uint64_t offset_out[VGT_SCATTERED_LANES]);
void vgt_scattered_a64(const struct vgt_space *space,
		       const struct vgt_message *message, uint32_t lanes,
		       uint64_t offset_out[VGT_SCATTERED_LANES]);

#endif
