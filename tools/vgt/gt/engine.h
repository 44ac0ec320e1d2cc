/* SPDX-License-Identifier: MIT */
/*
 * The engines of a device: a command streamer each, with registers of its own. The
 * runtime's doors have the render engine alone; under a driver each of them runs by
 * itself (execlist.c).
 */
#ifndef VGT_ENGINE_H
#define VGT_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_device;
struct vgt_execlist;
struct vgt_worker;

enum vgt_engine_id {
	VGT_RCS = 0,
	VGT_BCS = 1,
	VGT_VCS0 = 2,
	VGT_VCS2 = 3,
	VGT_VECS = 4,
	VGT_ENGINES = 5,
};

/* Registers, from the engine's base. */
enum {
	VGT_ENGINE_TAIL = 0x030,
	VGT_ENGINE_HEAD = 0x034,
	VGT_ENGINE_START = 0x038,
	VGT_ENGINE_CTL = 0x03c,
	VGT_ENGINE_HWSP = 0x080,
	VGT_ENGINE_MI_MODE = 0x09c,
	VGT_ENGINE_RESET_CTL = 0x0d0,
	VGT_ENGINE_CCID = 0x180,
	VGT_ENGINE_STATUS = 0x234,
	VGT_ENGINE_STATUS_HIGH = 0x238,
	VGT_ENGINE_TIMESTAMP = 0x358,
	VGT_ENGINE_TIMESTAMP_HIGH = 0x35c,
	VGT_ENGINE_CSB_POINTER = 0x3a0,
	VGT_ENGINE_CTX_TIMESTAMP = 0x3a8,
	VGT_ENGINE_PREDICATE = 0x400, /* 0x20 bytes */
	VGT_ENGINE_DISPATCH = 0x500, /* sizes of an indirect walker: 12 bytes */
	VGT_ENGINE_SQ = 0x510, /* contexts to run, 8 bytes each */
	VGT_ENGINE_SQ_CONTROL = 0x550,
	VGT_ENGINE_CS_CHICKEN = 0x580,
	VGT_ENGINE_GPR = 0x600, /* 16 of 64 bits */
	VGT_ENGINE_BYTES = 0x1000,
};

/* What an engine is, the same in all devices. */
struct vgt_engine_kind {
	const char *name;
	uint32_t base; /* of its registers */
	uint32_t reset; /* its bit in GDRST */
	/* Of its interrupts: where they are pending, and their identity. */
	uint32_t bank, bit;
	uint32_t class, instance;
	/* Which register enables them, and which half of it. */
	uint32_t enable, enable_shift;
};

struct vgt_engine {
	struct vgt_device *device;
	const struct vgt_engine_kind *kind;
	struct vgt_worker *worker; /* has the TLB of its command streamer */
	struct vgt_execlist *list; /* under a driver; NULL: the device's queue */

	/* What runs is to stop: for a reset, or for good. */
	_Atomic bool halt;
	/* Other contexts are to run: this one may be taken off. */
	_Atomic bool preempt;
};

void vgt_engines_init(struct vgt_device *device);

/* The engine that has the register at @offset, or NULL. */
struct vgt_engine *vgt_engine_find(struct vgt_device *device, uint32_t offset);

/* The one with the EUs behind it. */
bool vgt_engine_is_render(const struct vgt_engine *engine);
bool vgt_engine_is_copy(const struct vgt_engine *engine);

/* Nothing is to go on, be it of this engine or of the whole device. */
bool vgt_engine_stopped(const struct vgt_engine *engine);

/*
 * What was asked of the engine cannot be done: a line in the log. Under a driver the
 * engine then hangs until it is reset, else the device fails.
 */
void __attribute__((format(printf, 2, 3)))
vgt_engine_fail(struct vgt_engine *engine, const char *format, ...);

uint32_t vgt_engine_get(const struct vgt_engine *engine, uint32_t offset);
void vgt_engine_set(const struct vgt_engine *engine, uint32_t offset,
		    uint32_t value);

#endif
