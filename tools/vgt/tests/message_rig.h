/* SPDX-License-Identifier: MIT */
/*
 * What a message needs around it: a device with memory, page tables that
 * scatter a few virtual pages, one worker, one thread, and a model of memory
 * that the tests keep by themselves.
 */
#ifndef VGT_TESTS_MESSAGE_RIG_H
#define VGT_TESTS_MESSAGE_RIG_H

#include "eu/eu.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIG_PAGES 16
#define RIG_BYTES (RIG_PAGES * 4096)
/* The page behind the last one is not mapped. */
#define RIG_VA 0x12345000ULL
#define RIG_HEAP_VA 0x7f0012340000ULL
#define RIG_HEAP_BYTES 16384
#define RIG_BINDING_TABLE 0x40 /* in the heap; states follow from 0x400 */
#define RIG_SAMPLERS 0x2000
/* The longest answer has 31 GRFs, and so has each source. */
#define RIG_MESSAGE_GRFS 48

/* A buffer that begins and ends within the memory, at any dword. */
#define RIG_BUFFER_BTI 3
#define RIG_BUFFER_OFFSET 0x24
#define RIG_BUFFER_BYTES 0x3454

/* Where a message goes: the buffer by either way to it, or without a surface. */
enum rig_target { RIG_TABLE, RIG_BINDLESS, RIG_LOCAL, RIG_STATELESS, RIG_FLAT };

/* As a surface state has it. */
enum rig_tile { RIG_LINEAR = 0, RIG_TILE_X = 2, RIG_TILE_Y = 3 };

struct rig {
	struct vgt_device *device;
	struct vgt_worker *worker;
	struct vgt_eu_thread *thread;
	struct vgt_walker walker;
	struct vgt_group group;
	uint8_t slm[VGT_SLM_BYTES];

	uint8_t model[RIG_BYTES];
	uint8_t slm_model[VGT_SLM_BYTES];

	uint32_t exdesc; /* of the next messages, but for the length */
	uint8_t payload[RIG_MESSAGE_GRFS * VGT_GRF_BYTES];
	uint8_t answer[RIG_MESSAGE_GRFS * VGT_GRF_BYTES];
};

/* NULL, after a message, if there is no memory. */
struct rig *rig_create(void);
void rig_destroy(struct rig *rig);

/* Fill memory and model with the same random bytes; answer with poison. */
void rig_fill(struct rig *rig);
/* Does memory hold what the model says? */
bool rig_memory_matches(struct rig *rig);

/* Host address of a mapped GPU address, by the rig's own book-keeping. */
uint8_t *rig_at(struct rig *rig, uint64_t va);

/* Binding table entry @bti gets @state; what workers have cached is stale. */
void rig_surface(struct rig *rig, uint32_t bti, const uint32_t state[16]);
void rig_buffer(struct rig *rig, uint32_t bti, uint64_t va,
		uint64_t size_bytes);

/*
 * Send the first @mlen + @exlen GRFs of the payload, split as said; rlen and
 * mlen come from @desc. No answer: dst is the null register. rig_send() has an
 * instruction do it, by its own handler or the one for all messages, and returns
 * -EIO if the thread fails; rig_message() asks the shared function.
 */
int rig_message(struct rig *rig, uint32_t sfid, uint32_t desc, uint32_t exlen,
		uint32_t lanes);
int rig_send(struct rig *rig, uint32_t sfid, uint32_t desc, uint32_t exlen,
	     uint32_t lanes);

/* The table index for @target; rig->exdesc becomes what goes with it. */
uint32_t rig_index(struct rig *rig, enum rig_target target);
/* What a message says for byte @in_model of the memory, buffer or SLM. */
uint64_t rig_offset(enum rig_target target, uint64_t in_model);
/* The model's byte at what a message says, or NULL where there is nothing. */
uint8_t *rig_model_at(struct rig *rig, enum rig_target target, uint64_t offset);
/* Is an element in bounds? Where there are none, it is. */
bool rig_inside(enum rig_target target, uint64_t offset, uint32_t bytes);
/* Where byte @x of row @y of an image is, by the address bits of its tiling. */
uint32_t rig_tile_offset(enum rig_tile tile, uint32_t pitch, uint32_t x,
			 uint32_t y);
/* Random payload, poison in the answer. */
void rig_garble(struct rig *rig);

/* Dword @lane of payload or answer GRF @grf. */
void rig_put(struct rig *rig, uint32_t grf, uint32_t lane, uint32_t value);
uint32_t rig_get(const struct rig *rig, uint32_t grf, uint32_t lane);

uint32_t rig_random(void);
uint32_t rig_below(uint32_t end);

/* A test's result, for which its name says enough. */
void rig_ok(bool ok, const char *name);

#endif
