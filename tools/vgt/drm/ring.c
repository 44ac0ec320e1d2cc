// SPDX-License-Identifier: MIT
#include "drm/ring.h"

#include "drm/drm.h"
#include "drm/vm.h"
#include "gt/device.h"
#include "gt/ggtt.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * What a context has in the GGTT: the image, whose second page has the
 * registers; the ring; the page of the word.
 */
#define IMAGE_BYTES 0x4000U
#define RING_OFFSET IMAGE_BYTES
#define RING_BYTES 0x10000U /* as much as the module looks at */
#define WORD_OFFSET (RING_OFFSET + RING_BYTES)
#define CONTEXT_BYTES (WORD_OFFSET + 0x1000U)
#define GGTT_FIRST 0x100000U
#define GGTT_STEP 0x20000U
#define GGTT_LAST (0U - GGTT_STEP)
#define REGISTERS 0x1000U

#define RENDER_BASE 0x2000U
#define LRI(count) (0x11001000U | (2 * (count) - 1))
#define RING_CTL_VALID 1U

#define REQUEST_DWORDS 20U
#define REQUESTS (RING_BYTES / (4 * REQUEST_DWORDS) - 1)
#define PIPE_CONTROL 0x7a000004U
#define CONTROL_INVALIDATE 0x00000c1cU /* code, constants, state, VF, textures */
#define CONTROL_STALL (1U << 20)
#define CONTROL_FLUSH 0x00001021U /* data, depth and render caches */
#define CONTROL_WRITE (1U << 14)
#define CONTROL_GGTT (1U << 24)
#define ARB_ON 0x04000001U
#define ARB_OFF 0x04000000U
#define BATCH_START 0x18800101U /* in the context's address space */
#define USER_INTERRUPT 0x01000000U

#define ENGINES_DEFAULT 2 /* the default one, and the render engine */

#define DESCRIPTOR 0x229U /* valid, 48-bit addresses, privileged */

static void *at(const struct vgt_drm *drm, const struct vgt_ring *ring,
		uint32_t offset)
{
	return vgt_memory_at(&drm->device->memory, ring->phys + offset, 8);
}

static uint32_t *registers_pair(uint32_t *dw, uint32_t offset, uint32_t value)
{
	dw[0] = RENDER_BASE + offset;
	dw[1] = value;
	return dw + 2;
}

/* The order of the registers is the hardware's: debuggers count on it. */
static void image_fill(const struct vgt_drm *drm, const struct vgt_ring *ring)
{
	static const uint16_t zero[] = { 0x168, 0x140, 0x110, 0x1c0, 0x1c4,
					 0x1c8, 0x180, 0x2b4 };
	static const uint16_t pdp[] = { 0x28c, 0x288, 0x284, 0x280, 0x27c,
					0x278 };
	uint32_t *dw = at(drm, ring, REGISTERS);

	dw[1] = LRI(13);
	dw += 2;
	dw = registers_pair(dw, 0x244, 0x00090008);
	dw = registers_pair(dw, 0x034, ring->tail);
	dw = registers_pair(dw, 0x030, ring->tail);
	dw = registers_pair(dw, 0x038, ring->ggtt + RING_OFFSET);
	dw = registers_pair(dw, 0x03c, (RING_BYTES - 0x1000) | RING_CTL_VALID);
	for (size_t i = 0; i < sizeof(zero) / sizeof(zero[0]); i++)
		dw = registers_pair(dw, zero[i], 0);
	dw += 5;
	*dw++ = LRI(9);
	dw = registers_pair(dw, 0x3a8, 0);
	for (size_t i = 0; i < sizeof(pdp) / sizeof(pdp[0]); i++)
		dw = registers_pair(dw, pdp[i], 0);
	dw = registers_pair(dw, 0x274, (uint32_t)(ring->vm->top->phys >> 32));
	registers_pair(dw, 0x270, (uint32_t)ring->vm->top->phys);
}

/* A ring in a place of the GGTT that no other has. */
static struct vgt_ring *ring_new(struct vgt_drm *drm)
{
	struct vgt_ring *ring = calloc(1, sizeof(*ring));
	uint32_t ggtt = drm->rings ? drm->rings->ggtt + GGTT_STEP : GGTT_FIRST;

	if (!ring)
		return NULL;
	if ((drm->rings && drm->rings->ggtt >= GGTT_LAST) ||
	    vgt_drm_memory_take(drm, CONTEXT_BYTES, &ring->phys)) {
		free(ring);
		return NULL;
	}
	ring->ggtt = ggtt;
	for (uint32_t i = 0; i < CONTEXT_BYTES; i += VGT_PAGE_BYTES)
		vgt_ggtt_set(&drm->device->memory, (ggtt + i) / VGT_PAGE_BYTES,
			     (ring->phys + i) | 1);
	ring->next = drm->rings;
	drm->rings = ring;
	return ring;
}

/*
 * A context's ring becomes another's, and its count goes on: who waits for a
 * request or names it as an object's last user needs not know. That its last
 * request is done is not enough: the engine saves its image after that.
 */
static void rings_retire(struct vgt_drm *drm)
{
	uint64_t completed = atomic_load(&drm->device->completed);

	for (struct vgt_ring *ring = drm->rings; ring; ring = ring->next) {
		if (!ring->closed || !ring->vm || ring->submission > completed)
			continue;
		vgt_vm_put(drm, ring->vm);
		ring->vm = NULL;
	}
}

int vgt_ring_create(struct vgt_drm *drm, struct vgt_vm *vm, uint32_t id,
		    struct vgt_ring **ring_out)
{
	struct vgt_ring *ring = drm->rings;

	rings_retire(drm);
	while (ring && ring->vm)
		ring = ring->next;
	if (!ring)
		ring = ring_new(drm);
	if (!ring)
		return -ENOMEM;
	ring->id = id;
	ring->closed = false;
	ring->first = ring->seqno;
	ring->engines = 0;
	ring->vm = vm;
	vm->users++;
	image_fill(drm, ring);
	if (ring_out)
		*ring_out = ring;
	return 0;
}

struct vgt_ring *vgt_ring_find(const struct vgt_drm *drm, uint32_t id)
{
	struct vgt_ring *ring = drm->rings;

	while (ring && (ring->id != id || ring->closed))
		ring = ring->next;
	return ring;
}

void vgt_ring_destroy(struct vgt_drm *drm, struct vgt_ring *ring)
{
	struct vgt_ring **link = &drm->rings;

	while (*link != ring)
		link = &(*link)->next;
	*link = ring->next;
	for (uint32_t i = 0; i < CONTEXT_BYTES; i += VGT_PAGE_BYTES)
		vgt_ggtt_set(&drm->device->memory,
			     (ring->ggtt + i) / VGT_PAGE_BYTES, 0);
	vgt_drm_memory_give(drm, ring->phys, CONTEXT_BYTES);
	vgt_vm_put(drm, ring->vm);
	free(ring);
}

uint32_t vgt_ring_engines(const struct vgt_ring *ring)
{
	return ring->engines ? ring->engines : ENGINES_DEFAULT;
}

uint64_t vgt_ring_word(const struct vgt_ring *ring)
{
	return ring->phys + WORD_OFFSET;
}

uint64_t vgt_ring_done(const struct vgt_drm *drm, const struct vgt_ring *ring)
{
	return atomic_load((_Atomic uint64_t *)at(drm, ring, WORD_OFFSET));
}

static void put(const struct vgt_drm *drm, struct vgt_ring *ring,
		uint32_t value)
{
	uint32_t *dw = at(drm, ring, RING_OFFSET + ring->tail);

	*dw = value;
	ring->tail = (ring->tail + 4) % RING_BYTES;
}

/* A request: the batch between two flushes, then its number. */
static void request_put(const struct vgt_drm *drm, struct vgt_ring *ring,
			uint64_t address)
{
	uint32_t word = ring->ggtt + WORD_OFFSET;
	const uint32_t dw[REQUEST_DWORDS] = {
		PIPE_CONTROL, CONTROL_INVALIDATE | CONTROL_STALL, 0, 0, 0, 0,
		ARB_ON,
		BATCH_START, (uint32_t)address, (uint32_t)(address >> 32),
		ARB_OFF,
		PIPE_CONTROL,
		CONTROL_FLUSH | CONTROL_STALL | CONTROL_WRITE | CONTROL_GGTT,
		word, 0, (uint32_t)ring->seqno, (uint32_t)(ring->seqno >> 32),
		USER_INTERRUPT,
	};

	for (uint32_t i = 0; i < REQUEST_DWORDS; i++)
		put(drm, ring, dw[i]);
}

bool vgt_ring_has_room(const struct vgt_drm *drm, const struct vgt_ring *ring)
{
	return ring->seqno - vgt_ring_done(drm, ring) < REQUESTS;
}

void vgt_ring_submit(struct vgt_drm *drm, struct vgt_ring *ring,
		     uint64_t address)
{
	struct vgt_submission submission = {
		.descriptor = (uint64_t)ring->id << 32 | ring->ggtt |
			      DESCRIPTOR,
	};

	ring->seqno++;
	request_put(drm, ring, address);
	submission.tail = ring->tail;
	ring->submission = vgt_device_submit(drm->device, &submission);
}

void vgt_ring_vm_set(struct vgt_drm *drm, struct vgt_ring *ring,
		     struct vgt_vm *vm)
{
	struct vgt_vm *old = ring->vm;

	vm->users++;
	ring->vm = vm;
	image_fill(drm, ring);
	vgt_vm_put(drm, old);
}

void vgt_ring_close(struct vgt_drm *drm, struct vgt_ring *ring)
{
	ring->closed = true;
	rings_retire(drm);
}
