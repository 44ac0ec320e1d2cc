/* SPDX-License-Identifier: MIT */
/*
 * A runtime's connection: a socket, the thread that reads it, and a device of
 * its own. The socket is drained whatever the device does. A READ of a page
 * that the runtime polls is answered when a command writes there, or after a
 * short time: the runtime has nothing to send in between.
 */
#ifndef VGT_CONNECTION_H
#define VGT_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_connection;
struct vgt_device;
struct vgt_options;

/*
 * Takes @socket, also on failure. When the connection ends, the eventfd
 * @changed counts.
 */
int vgt_connection_create(const struct vgt_options *options, uint32_t number,
			  int socket, int changed,
			  struct vgt_connection **out);
/* Ends the connection if it has not ended by itself, and waits. */
void vgt_connection_destroy(struct vgt_connection *connection);

/* The reader has left: destroying will not wait. */
bool vgt_connection_ended(const struct vgt_connection *connection);

struct vgt_device *vgt_connection_device(struct vgt_connection *connection);

#endif
