/* SPDX-License-Identifier: MIT */
/*
 * The library that makes a render node out of a vgtd. It is loaded into programs
 * that know nothing of it, before their own libraries: it exports what it stands
 * in for and nothing else, and prints only what ends in an error for the program.
 */
#ifndef VGT_NODE_H
#define VGT_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct vgt_drm_queue;

#define VGT_EXPORT __attribute__((visibility("default")))

/* A new descriptor of the node, or -1 with errno. */
int vgt_node_open(int flags);

/* Is @fd a node that this process has opened? */
bool vgt_node_is(int fd);

struct vgt_node_call {
	uint32_t number;
	void *argument; /* in and out */
	uint32_t argument_bytes;
	const void *extra; /* in; NULL: nothing */
	void *answer; /* out */
	uint32_t extra_bytes; /* of both */
	uint32_t answer_bytes; /* out: as many came */
};

/* Ask vgtd. Returns 0 or a negative errno; -ENODEV if it is gone. */
int vgt_node_call(struct vgt_node_call *call);

/* Where launches go, NULL if there is no connection; and its doorbell. */
struct vgt_drm_queue *vgt_node_queue(void);
void vgt_node_ring(void);

/* The device's memory: its descriptor, and a word of it. */
int vgt_node_memory(void);
uint64_t vgt_node_word(uint64_t phys);

/* Is the vgtd still there? */
bool vgt_node_alive(void);

/* Carries out an ioctl on the node; returns 0 or a negative errno. */
int vgt_node_ioctl(unsigned long request, void *argument);

/* Is this file the device's memory? */
bool vgt_node_has(dev_t device, ino_t inode);

/* USERPTR: memory of the program becomes an object. */
int vgt_user_create(unsigned long request, void *argument);

/* GEM_CLOSE, of any object. */
int vgt_user_close(unsigned long request, void *argument);

/* Is any memory of the program the device's? */
bool vgt_user_has_any(void);

/*
 * Replace the pages from @first to @end by the device's at @phys, or those by
 * pages of the program's own, with what they contain: other threads that write
 * there at this moment wait. Returns 0 or a negative errno.
 */
int vgt_swap_in(uintptr_t first, uintptr_t end, int prot, uint64_t phys);
int vgt_swap_out(uintptr_t first, uintptr_t end, int prot, uint64_t phys);

/* The same, where there are no other threads. */
int vgt_swap_out_alone(uintptr_t first, uintptr_t end, int prot, uint64_t phys);

/* Around fork(): no other thread is in a call meanwhile; a child has no node. */
void vgt_node_fork_prepare(void);
void vgt_node_fork_parent(void);
void vgt_node_fork_child(void);

#endif
