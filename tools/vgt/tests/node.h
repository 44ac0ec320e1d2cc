/* SPDX-License-Identifier: MIT */
/*
 * The library's side of the render node, made by hand: a program that asks for what no
 * library would, and puts into the queue what it likes.
 */
#ifndef VGT_TESTS_NODE_H
#define VGT_TESTS_NODE_H

#include "drm/wire.h"

#include <i915_drm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#define NODE_ADDRESS 0x123456000ULL /* where a batch is */

#define NODE_NUMBER(name) (DRM_COMMAND_BASE + DRM_I915_##name)

struct vgt_server;

/* Whose node it is. */
extern struct vgt_server *node_server;

struct node {
	int socket, memory, queue_fd, doorbell;
	struct vgt_drm_queue *queue;
};

/* Of the node beside @port; returns how long it is. */
socklen_t node_address(struct sockaddr_un *address, uint16_t port);
bool node_connect(struct node *node);
bool node_greet(struct node *node);
/* Both; the test ends if that fails. */
void node_open(struct node *node);
void node_close(struct node *node);
/* Waits until the server has closed the connection. */
bool node_is_closed(struct node *node);

/* Returns the answer, or -EPIPE. @extra is for both ways. */
int node_ask(struct node *node, uint32_t number, void *argument, uint32_t bytes,
	     void *extra, int sent, uint32_t room);

#define NODE_ASK(node, name, argument) \
	node_ask(node, NODE_NUMBER(name), argument, sizeof(*(argument)), NULL, 0, 0)

/* Returns the handle, or 0. */
uint32_t node_object(struct node *node, uint64_t bytes, uint64_t *phys);

/* Says @count, and has @objects. */
void node_launch(struct node *node, uint32_t count, uint32_t context,
		 const struct vgt_drm_exec_object *object, uint32_t objects);
/* Is there @wanted at @phys, within some minutes? */
bool node_appears(struct node *node, uint64_t phys, uint32_t wanted);

/* A batch in @context is to write @value behind itself; 0: none could be made. */
uint64_t node_batch(struct node *node, uint32_t context, uint32_t value);
/* It does. */
bool node_runs_in(struct node *node, uint32_t context, uint32_t value);
bool node_runs(struct node *node, uint32_t value);
/* Another program's does. */
bool node_serves(void);

/* It only goes forward. */
time_t node_now_s(void);
/* Within @seconds, all connections have ended. */
bool node_are_gone(time_t seconds);

#endif
