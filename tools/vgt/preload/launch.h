/* SPDX-License-Identifier: MIT */
#ifndef VGT_LAUNCH_H
#define VGT_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

struct drm_i915_gem_exec_object2;
struct vgt_drm_exec;
struct vgt_node_call;

/* Launch a batch. Returns 0, or what i915 refuses it with. */
int vgt_launch(const struct vgt_drm_exec *exec,
	       const struct drm_i915_gem_exec_object2 *object);

/* The program has a buffer of this handle, and has it no more. */
int vgt_launch_object_add(uint32_t handle, uint64_t bytes);
void vgt_launch_object_remove(uint32_t handle);

/* Wait until @handle is idle, like GEM_WAIT. */
int vgt_launch_wait(uint32_t handle, int64_t *timeout_ns);

/* How many launches there have been, and is the last one done? Both without a lock. */
uint64_t vgt_launch_count(void);
bool vgt_launch_done(void);

/* CLOCK_MONOTONIC. */
int64_t vgt_now_ns(void);

/*
 * Sleep before one looks again whether a launch is done: the longer it was waited for,
 * and the less is lost by that, the longer.
 */
void vgt_nap(int64_t waited_ns);

/* A call that ends context @id, or changes what may be launched in it. */
int vgt_launch_context_change(uint32_t id, struct vgt_node_call *call);

/* Around fork(); a child has neither buffers nor contexts. */
void vgt_launch_fork_prepare(void);
void vgt_launch_fork_parent(void);
void vgt_launch_fork_child(void);

#endif
