/* SPDX-License-Identifier: MIT */
/*
 * A program's connection: a socket, the thread that serves it, and a device of
 * its own. What is said over the socket is the door's matter.
 */
#ifndef VGT_CONNECTION_H
#define VGT_CONNECTION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_connection;
struct vgt_device;
struct vgt_options;

/* A way by which programs reach devices. */
struct vgt_door {
	/* Make what it keeps of a connection. Returns 0 or a negative errno. */
	int (*open)(struct vgt_connection *connection);
	/* Serve until the other side is gone. In a thread of its own. */
	void (*serve)(struct vgt_connection *connection);
	/* A command wrote to physical memory; may be NULL. Any thread. */
	void (*written)(struct vgt_connection *connection, uint64_t phys);
	/*
	 * The device's thread has nothing to do: submit something, or wait until
	 * there may be something or until stop() was called, and come back. Both
	 * may be NULL.
	 */
	void (*idle)(struct vgt_connection *connection);
	void (*stop)(struct vgt_connection *connection);
	/* The device is dead; NULL: the connection ends. Any thread. */
	void (*failed)(struct vgt_connection *connection);
	/* Nothing runs any more; the device's memory is still there. */
	void (*close)(struct vgt_connection *connection);
};

struct vgt_connection {
	const struct vgt_door *door;
	struct vgt_device *device;
	void *state; /* the door's */
	int socket;
	int changed; /* eventfd of the server */
	pthread_t thread;
	_Atomic bool ended; /* the thread has left: destroying will not wait */
};

/*
 * Takes @socket, also on failure. When the connection ends, the eventfd
 * @changed counts.
 */
int vgt_connection_create(const struct vgt_door *door,
			  const struct vgt_options *options, uint32_t number,
			  int socket, int changed,
			  struct vgt_connection **out);
/* Ends the connection if it has not ended by itself, and waits. */
void vgt_connection_destroy(struct vgt_connection *connection);

bool vgt_connection_ended(const struct vgt_connection *connection);

#endif
