/* SPDX-License-Identifier: MIT */
/*
 * Ownership of the SIP's save area. The runtime sends its own copy of it again
 * with every submission, which on hardware cannot happen: there the copy and
 * the area are one memory. So once EU debugging is on, the area that the
 * surface state at the bindless base names belongs to the device, and what the
 * host sends to its pages is dropped.
 */
#ifndef VGT_SAVEAREA_H
#define VGT_SAVEAREA_H

struct vgt_command_stream;

/* Before a walker runs. */
void vgt_save_area_own(struct vgt_command_stream *stream);

#endif
