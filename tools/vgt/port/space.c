// SPDX-License-Identifier: MIT
#include "port/space.h"

#include "eu/eu.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/message.h"
#include "port/surface.h"

#include <errno.h>
#include <string.h>

#define NO_PAGE UINT64_MAX

static void space_init(struct vgt_space *space, struct vgt_eu_thread *thread,
		       enum vgt_access access)
{
	/* Field by field: this is part of every message. */
	space->len_bytes = 0;
	space->first = 0;
	space->thread = thread;
	space->base = 0;
	space->mask = VGT_SPACE_VA_MASK;
	space->bad_page = NO_PAGE;
	space->access = access;
	space->local = false;
	space->stopped = false;
}

void vgt_space_flat(struct vgt_space *space, struct vgt_eu_thread *thread,
		    enum vgt_access access)
{
	space_init(space, thread, access);
	space->size_bytes = VGT_SPACE_VA_MASK + 1;
}

static void space_local(struct vgt_space *space)
{
	space->local = true;
	space->mask = VGT_SPACE_SLM_MASK;
	space->host = space->thread->group->slm;
	space->size_bytes = space->host ? VGT_SLM_BYTES : 0;
	space->len_bytes = space->size_bytes;
}

void vgt_space_surface(struct vgt_space *space, struct vgt_eu_thread *thread,
		       const struct vgt_surface *surface,
		       enum vgt_access access)
{
	space_init(space, thread, access);
	space->base = surface->base;
	space->size_bytes = VGT_SPACE_VA_MASK + 1;
	if (surface->type == VGT_SURFACE_BUFFER)
		space->size_bytes = surface->size_bytes;
	if (surface->type == VGT_SURFACE_NULL)
		space->size_bytes = 0;
}

int vgt_space_table(struct vgt_space *space, struct vgt_eu_thread *thread,
		    const struct vgt_message *message, enum vgt_access access)
{
	uint32_t bti = message->desc & 0xff;
	const struct vgt_surface *surface;

	switch (bti) {
	case VGT_BTI_SLM:
		space_init(space, thread, access);
		space_local(space);
		return 0;
	case VGT_BTI_STATELESS:
	case VGT_BTI_STATELESS_NC:
		vgt_space_flat(space, thread, access);
		space->base = thread->group->walker->state.general_base;
		return 0;
	}
	if (bti > VGT_BTI_TABLE_LAST && bti != VGT_BTI_BINDLESS) {
		vgt_eu_fail(thread, "binding table index %u", bti);
		return -ENOSYS;
	}
	surface = vgt_surface_get(thread, bti, message->exdesc);
	if (surface->type != VGT_SURFACE_BUFFER &&
	    surface->type != VGT_SURFACE_NULL) {
		vgt_eu_fail(thread, "raw access to a surface of type %u",
			    surface->type);
		return -ENOSYS;
	}
	vgt_space_surface(space, thread, surface, access);
	return 0;
}

int vgt_space_close(struct vgt_space *space)
{
	if (!space->stopped)
		return 0;
	vgt_eu_fail(space->thread, "page fault at 0x%llx",
		    (unsigned long long)space->bad_page);
	return -EFAULT;
}

static void space_fault(struct vgt_space *space, uint64_t va)
{
	uint64_t page = va & ~(VGT_PAGE_BYTES - 1);

	if (space->bad_page == page)
		return;
	space->bad_page = page;
	if (vgt_device_fault(space->thread->group->walker->device, space->thread,
			     va, space->access))
		space->stopped = true;
}

uint8_t *vgt_space_move(struct vgt_space *space, uint64_t offset,
			size_t len_bytes)
{
	uint64_t va, in_page, left;
	uint8_t *host;

	offset &= space->mask;
	if (offset >= space->size_bytes ||
	    space->size_bytes - offset < len_bytes)
		return NULL;
	if (space->local)
		return space->host + offset;

	va = (space->base + offset) & VGT_SPACE_VA_MASK;
	in_page = va & (VGT_PAGE_BYTES - 1);
	host = vgt_tlb_host(&space->thread->worker->tlb, va - in_page,
			    space->access);
	if (!host) {
		space_fault(space, va);
		return NULL;
	}
	left = space->size_bytes - offset + in_page;
	space->first = offset - in_page;
	space->len_bytes = left < VGT_PAGE_BYTES ? left : VGT_PAGE_BYTES;
	space->host = host;
	return space->len_bytes - in_page < len_bytes ? NULL : host + in_page;
}

/* The offset as it counts, or false if the element is out of bounds. */
static bool space_clip(const struct vgt_space *space, uint64_t *offset,
		       size_t len_bytes)
{
	*offset &= space->mask;
	if (space->local)
		return space->size_bytes;
	return *offset < space->size_bytes &&
	       space->size_bytes - *offset >= len_bytes;
}

/* Elements that lie in two pages come here, as do those that lie nowhere. */
static void read_bytes(struct vgt_space *space, uint64_t offset, uint8_t *out,
		       size_t len_bytes)
{
	bool inside = space_clip(space, &offset, len_bytes);

	for (size_t i = 0; i < len_bytes; i++) {
		const uint8_t *p = NULL;

		if (inside)
			p = vgt_space_at(space, (offset + i) & space->mask, 1);
		out[i] = p ? *p : 0;
	}
}

static void write_bytes(struct vgt_space *space, uint64_t offset,
			const uint8_t *in, size_t len_bytes)
{
	if (!space_clip(space, &offset, len_bytes))
		return;
	for (size_t i = 0; i < len_bytes; i++) {
		uint8_t *p = vgt_space_at(space, (offset + i) & space->mask, 1);

		if (p)
			*p = in[i];
	}
}

void vgt_space_read(struct vgt_space *space, uint64_t offset, void *out,
		    size_t len_bytes)
{
	const uint8_t *p = vgt_space_at(space, offset, len_bytes);

	if (p)
		memcpy(out, p, len_bytes);
	else
		read_bytes(space, offset, out, len_bytes);
}

void vgt_space_write(struct vgt_space *space, uint64_t offset, const void *in,
		     size_t len_bytes)
{
	uint8_t *p = vgt_space_at(space, offset, len_bytes);

	if (p)
		memcpy(p, in, len_bytes);
	else
		write_bytes(space, offset, in, len_bytes);
}

void vgt_space_read_run(struct vgt_space *space, uint64_t offset, void *out,
			size_t len_bytes)
{
	const uint8_t *p = vgt_space_at(space, offset, len_bytes);

	if (p) {
		memcpy(out, p, len_bytes);
		return;
	}
	for (size_t i = 0; i < len_bytes; i += 4)
		vgt_space_read(space, offset + i, (uint8_t *)out + i, 4);
}

void vgt_space_write_run(struct vgt_space *space, uint64_t offset,
			 const void *in, size_t len_bytes)
{
	uint8_t *p = vgt_space_at(space, offset, len_bytes);

	if (p) {
		memcpy(p, in, len_bytes);
		return;
	}
	for (size_t i = 0; i < len_bytes; i += 4)
		vgt_space_write(space, offset + i, (const uint8_t *)in + i, 4);
}
