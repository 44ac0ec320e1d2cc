/* SPDX-License-Identifier: MIT */
/*
 * The door of the runtime's simulator socket. It is drained whatever the device
 * does. A READ of a page that the runtime polls is answered when a command writes
 * there, or after a short time: the runtime has nothing to send in between.
 */
#ifndef VGT_SIMULATOR_H
#define VGT_SIMULATOR_H

#include "host/connection.h"

extern const struct vgt_door vgt_simulator_door;

#endif
