// SPDX-License-Identifier: MIT
#include "view.h"

#include <errno.h>
#include <string.h>

#include "device.h"
#include "eu.h"
#include "group.h"
#include "message.h"
#include "surface.h"
#include "walker.h"

#define NO_PAGE UINT64_MAX

static void view_init(struct vgt_view *view, struct vgt_eu_thread *thread,
		      enum vgt_access access)
{
	/* Field by field: this is part of every message. */
	view->len_bytes = 0;
	view->first = 0;
	view->thread = thread;
	view->base = 0;
	view->mask = VGT_VIEW_VA_MASK;
	view->bad_page = NO_PAGE;
	view->access = access;
	view->local = false;
	view->stopped = false;
}

void vgt_view_flat(struct vgt_view *view, struct vgt_eu_thread *thread,
		   enum vgt_access access)
{
	view_init(view, thread, access);
	view->size_bytes = VGT_VIEW_VA_MASK + 1;
}

static void view_local(struct vgt_view *view)
{
	view->local = true;
	view->mask = VGT_VIEW_SLM_MASK;
	view->host = view->thread->group->slm;
	view->size_bytes = view->host ? VGT_SLM_BYTES : 0;
	view->len_bytes = view->size_bytes;
}

void vgt_view_surface(struct vgt_view *view, struct vgt_eu_thread *thread,
		      const struct vgt_surface *surface,
		      enum vgt_access access)
{
	view_init(view, thread, access);
	view->base = surface->base;
	view->size_bytes = VGT_VIEW_VA_MASK + 1;
	if (surface->type == VGT_SURFACE_BUFFER)
		view->size_bytes = surface->size_bytes;
	if (surface->type == VGT_SURFACE_NULL)
		view->size_bytes = 0;
}

int vgt_view_table(struct vgt_view *view, struct vgt_eu_thread *thread,
		   const struct vgt_message *message, enum vgt_access access)
{
	uint32_t bti = message->desc & 0xff;
	const struct vgt_surface *surface;

	switch (bti) {
	case VGT_BTI_SLM:
		view_init(view, thread, access);
		view_local(view);
		return 0;
	case VGT_BTI_STATELESS:
	case VGT_BTI_STATELESS_NC:
		vgt_view_flat(view, thread, access);
		view->base = thread->group->walker->state.general_base;
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
	vgt_view_surface(view, thread, surface, access);
	return 0;
}

int vgt_view_close(struct vgt_view *view)
{
	if (!view->stopped)
		return 0;
	vgt_eu_fail(view->thread, "page fault at 0x%llx",
		    (unsigned long long)view->bad_page);
	return -EFAULT;
}

static void view_fault(struct vgt_view *view, uint64_t va)
{
	uint64_t page = va & ~(VGT_PAGE_BYTES - 1);

	if (view->bad_page == page)
		return;
	view->bad_page = page;
	if (vgt_device_fault(view->thread->group->walker->device, view->thread,
			     va, view->access))
		view->stopped = true;
}

uint8_t *vgt_view_move(struct vgt_view *view, uint64_t offset,
		       size_t len_bytes)
{
	uint64_t va, in_page, left;
	uint8_t *host;

	offset &= view->mask;
	if (offset >= view->size_bytes ||
	    view->size_bytes - offset < len_bytes)
		return NULL;
	if (view->local)
		return view->host + offset;

	va = (view->base + offset) & VGT_VIEW_VA_MASK;
	in_page = va & (VGT_PAGE_BYTES - 1);
	host = vgt_tlb_host(&view->thread->worker->tlb, va - in_page,
			    view->access);
	if (!host) {
		view_fault(view, va);
		return NULL;
	}
	left = view->size_bytes - offset + in_page;
	view->first = offset - in_page;
	view->len_bytes = left < VGT_PAGE_BYTES ? left : VGT_PAGE_BYTES;
	view->host = host;
	return view->len_bytes - in_page < len_bytes ? NULL : host + in_page;
}

/* The offset as it counts, or false if the element is out of bounds. */
static bool view_clip(const struct vgt_view *view, uint64_t *offset,
		      size_t len_bytes)
{
	*offset &= view->mask;
	if (view->local)
		return view->size_bytes;
	return *offset < view->size_bytes &&
	       view->size_bytes - *offset >= len_bytes;
}

/* Elements that lie in two pages come here, as do those that lie nowhere. */
static void read_bytes(struct vgt_view *view, uint64_t offset, uint8_t *out,
		       size_t len_bytes)
{
	bool inside = view_clip(view, &offset, len_bytes);

	for (size_t i = 0; i < len_bytes; i++) {
		const uint8_t *p = NULL;

		if (inside)
			p = vgt_view_at(view, (offset + i) & view->mask, 1);
		out[i] = p ? *p : 0;
	}
}

static void write_bytes(struct vgt_view *view, uint64_t offset,
			const uint8_t *in, size_t len_bytes)
{
	if (!view_clip(view, &offset, len_bytes))
		return;
	for (size_t i = 0; i < len_bytes; i++) {
		uint8_t *p = vgt_view_at(view, (offset + i) & view->mask, 1);

		if (p)
			*p = in[i];
	}
}

void vgt_view_read(struct vgt_view *view, uint64_t offset, void *out,
		   size_t len_bytes)
{
	const uint8_t *p = vgt_view_at(view, offset, len_bytes);

	if (p)
		memcpy(out, p, len_bytes);
	else
		read_bytes(view, offset, out, len_bytes);
}

void vgt_view_write(struct vgt_view *view, uint64_t offset, const void *in,
		    size_t len_bytes)
{
	uint8_t *p = vgt_view_at(view, offset, len_bytes);

	if (p)
		memcpy(p, in, len_bytes);
	else
		write_bytes(view, offset, in, len_bytes);
}

void vgt_view_read_run(struct vgt_view *view, uint64_t offset, void *out,
		       size_t len_bytes)
{
	const uint8_t *p = vgt_view_at(view, offset, len_bytes);

	if (p) {
		memcpy(out, p, len_bytes);
		return;
	}
	for (size_t i = 0; i < len_bytes; i += 4)
		vgt_view_read(view, offset + i, (uint8_t *)out + i, 4);
}

void vgt_view_write_run(struct vgt_view *view, uint64_t offset,
			const void *in, size_t len_bytes)
{
	uint8_t *p = vgt_view_at(view, offset, len_bytes);

	if (p) {
		memcpy(p, in, len_bytes);
		return;
	}
	for (size_t i = 0; i < len_bytes; i += 4)
		vgt_view_write(view, offset + i, (const uint8_t *)in + i, 4);
}
