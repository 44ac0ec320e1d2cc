/* SPDX-License-Identifier: MIT */
/*
 * Listens for runtimes and keeps their connections. It runs beside its caller:
 * a test can have a server in its own process, start a program against it, and
 * play the driver on its devices.
 */
#ifndef VGT_SERVER_H
#define VGT_SERVER_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_device;
struct vgt_options;
struct vgt_server;

/*
 * Listen on @address (IPv4, NULL: 127.0.0.1) and @port (0: a free one).
 * @options are copied.
 */
int vgt_server_create(const struct vgt_options *options, const char *address,
		      uint16_t port, struct vgt_server **out);
/* Ends all connections and waits for them. */
void vgt_server_destroy(struct vgt_server *server);

uint16_t vgt_server_port(const struct vgt_server *server);

/*
 * Devices that have started, oldest first. Returns how many were stored. They
 * stay until vgt_server_destroy() or, once their runtime has gone, until
 * vgt_server_reap().
 */
uint32_t vgt_server_devices(struct vgt_server *server,
			    struct vgt_device **device_out, uint32_t max);

/* Free connections that have ended. Returns how many are left. */
uint32_t vgt_server_reap(struct vgt_server *server);

/*
 * Has a connection said anything, as far as vgt_server_reap() has seen? Who only
 * looks whether someone listens says nothing.
 */
bool vgt_server_used(const struct vgt_server *server);

/* Descriptor that is readable when vgt_server_wait() would not wait. */
int vgt_server_event(const struct vgt_server *server);

/*
 * Wait until something changed: a connection came or went. Returns false if
 * @timeout_ms passed first (-1: no limit).
 */
bool vgt_server_wait(struct vgt_server *server, int timeout_ms);

#endif
