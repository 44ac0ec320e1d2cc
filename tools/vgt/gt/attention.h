/* SPDX-License-Identifier: MIT */
/*
 * The registers by which a driver takes part in what EU threads do: TD_CTL,
 * TD_ATT and TD_CLR of each dual sub-slice, and their steering.
 */
#ifndef VGT_ATTENTION_H
#define VGT_ATTENTION_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_device;
struct vgt_eu_thread;

/* Registers by their hardware offsets. */
enum {
	VGT_MCR_SELECTOR = 0x0fdc,
	VGT_STEERED_FIRST = 0xe400,
	VGT_TD_CTL = 0xe400,
	VGT_TD_ATT = 0xe470, /* one per half of a sub-slice */
	VGT_TD_CLR = 0xe490,
	VGT_STEERED_END = 0xe500,
};

/* Bits of TD_CTL. */
enum {
	VGT_TD_CTL_FORCE_EXCEPTION = 1 << 3,
	VGT_TD_CTL_BREAKPOINTS = 1 << 4,
	VGT_TD_CTL_FORCE_HALT = 1 << 6,
	VGT_TD_CTL_FORCE_ENABLE = 1 << 7,
};

/* Sub-slices that a steered access means; reads take the lowest. */
#define VGT_SUBSLICES_ALL ((1U << 6) - 1)

int vgt_attention_create(struct vgt_device *device);
void vgt_attention_destroy(struct vgt_device *device);

/* Nothing is forced, as after power-on. Who waits goes on to do so. */
void vgt_attention_reset(struct vgt_device *device);

/* Return false if @offset is no register of these. */
bool vgt_attention_reg_read(struct vgt_device *device, uint32_t offset,
			    uint32_t *value_out);
bool vgt_attention_reg_write(struct vgt_device *device, uint32_t offset,
			     uint32_t value);

/* Write a steered register of the sub-slices in mask @subslices. */
void vgt_attention_steered_write(struct vgt_device *device, uint32_t offset,
				 uint32_t value, uint32_t subslices);

/* Threads in the middle of their code fetch it anew, each before its next instruction. */
void vgt_attention_refetch(struct vgt_device *device);

/* @thread was put into its initial state and has not run yet. */
void vgt_attention_thread_start(struct vgt_eu_thread *thread);

/*
 * @thread executed sync.host: true if the host has cleared its attention since,
 * so that it goes on. Else its attention bit is up.
 */
bool vgt_attention_wait(struct vgt_eu_thread *thread);

/* @thread is taken off the EUs, wherever it stands: it waits for nobody. */
void vgt_attention_drop(struct vgt_eu_thread *thread);

/* TD_CTL of the sub-slice that @thread runs on; 0 without a device. */
uint32_t vgt_attention_control(const struct vgt_eu_thread *thread);

/* What that forces on it now, as bits of its @pending. */
uint32_t vgt_attention_forced(const struct vgt_eu_thread *thread);

/* @thread enters the SIP, and leaves it. */
void vgt_attention_enter(struct vgt_eu_thread *thread);
void vgt_attention_leave(struct vgt_eu_thread *thread);

/* What EU threads did so far. */
struct vgt_attention_totals {
	uint64_t entries, exits; /* into the SIP and out of it */
	uint64_t stops; /* of these, how many waited for the host */
};

void vgt_attention_totals(struct vgt_device *device,
			  struct vgt_attention_totals *out);

/*
 * Keep a copy of the registers above and of mmio's in @window from now on, laid out as
 * linux/gtdbg_vgt.h says; NULL: no longer.
 */
void vgt_attention_publish(struct vgt_device *device,
			   volatile uint32_t *window);

#endif
