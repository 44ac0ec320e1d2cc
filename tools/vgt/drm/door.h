/* SPDX-License-Identifier: MIT */
/*
 * The door of the preloaded library: a render node in user space. The library
 * passes on what the program asks of /dev/dri/renderD128 (wire.h).
 */
#ifndef VGT_DRM_DOOR_H
#define VGT_DRM_DOOR_H

#include "host/connection.h"

extern const struct vgt_door vgt_drm_door;

/* A socket for the libraries of programs that are to use the vgtd at @port. */
int vgt_drm_listen(uint16_t port);

/* The next connection at @listener that may be served, or a negative errno. */
int vgt_drm_accept(int listener);

#endif
