/* SPDX-License-Identifier: MIT */
/*
 * How a driver gives work to an engine: a list of two contexts. The first one runs
 * up to its ring's tail, then the second; a new list replaces the old one where
 * the running context lets it. Each change stands in the context status buffer, in
 * memory of the driver, with an interrupt.
 */
#ifndef VGT_EXECLIST_H
#define VGT_EXECLIST_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_context;
struct vgt_device;
struct vgt_engine;

enum {
	VGT_GDRST = 0x941c, /* resets engines, by bit */
};

/*
 * Lists for all engines of a device that has not started. vgt_execlists_start()
 * starts their threads, but for the render engine's: that is the device's own,
 * which has to call vgt_execlists_serve().
 */
int vgt_execlists_create(struct vgt_device *device);
int vgt_execlists_start(struct vgt_device *device);
void vgt_execlists_serve(struct vgt_device *device);
/* Everything that runs ends; serve() returns. */
void vgt_execlists_stop(struct vgt_device *device);
void vgt_execlists_destroy(struct vgt_device *device);

/*
 * Take all contexts off the engines that have a bit in @domains, as GDRST has
 * them, also those that hang. Returns when nothing of them runs any more.
 */
void vgt_execlists_reset(struct vgt_device *device, uint32_t domains);
#define VGT_RESET_ALL 1U

/*
 * The running @context is at its ring's tail: 0 if the driver has moved that since, 1 if the
 * context is done (a list waits from then on until it has gone), -EAGAIN if it goes on later, or
 * another errno after vgt_engine_fail(). In the engine's thread.
 */
int vgt_execlist_follow(struct vgt_engine *engine, struct vgt_context *context);

/* Return false if @offset is no register of these. */
bool vgt_execlist_reg_read(struct vgt_device *device, uint32_t offset,
			   uint32_t *value_out);
bool vgt_execlist_reg_write(struct vgt_device *device, uint32_t offset,
			    uint32_t value);

#endif
