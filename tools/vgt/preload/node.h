/* SPDX-License-Identifier: MIT */
/*
 * The library that makes a render node out of a vgtd. It is loaded into programs that know nothing of it, before their own
 * libraries: it exports what it stands in for and nothing else, and prints only
 * what ends in an error for the program.
 */
#ifndef VGT_NODE_H
#define VGT_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The device's memory: its descriptor, and a word of it. */
int vgt_node_memory(void);
uint64_t vgt_node_word(uint64_t phys);

/* Is the vgtd still there? */
bool vgt_node_alive(void);

/* Carries out an ioctl on the node; returns 0 or a negative errno. */
int vgt_node_ioctl(unsigned long request, void *argument);

/*
 * Make @len_bytes bytes at @address those of the device at @phys. Returns 0 or a
 * negative errno; then they are as before.
 */
int vgt_user_take(uintptr_t address, size_t len_bytes, uint64_t phys);

#endif
