/* SPDX-License-Identifier: MIT */
/*
 * An address space of a program: which object lies where, and the page tables in
 * physical memory that say so. The tables are a copy of what stands here: the
 * program can write them, since it has all of its device's memory, and harms
 * nobody but itself by that.
 */
#ifndef VGT_DRM_VM_H
#define VGT_DRM_VM_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_drm;
struct vgt_object;

/* A table of any level; those of the last one have no children. */
struct vgt_table {
	uint64_t phys;
	struct vgt_table **child;
};

struct vgt_binding {
	uint64_t first, end;
	struct vgt_object *object;
};

struct vgt_vm {
	struct vgt_vm *next;
	uint32_t id;
	uint32_t users; /* the id itself, and contexts */
	struct vgt_table *top;

	/* In the order of their addresses. */
	struct vgt_binding *binding;
	uint32_t count, capacity;
};

int vgt_vm_create(struct vgt_drm *drm, struct vgt_vm **vm_out);
void vgt_vm_put(struct vgt_drm *drm, struct vgt_vm *vm);

/*
 * Have @object at @va, and what was there nowhere. Returns 0, -EAGAIN while what
 * would go away is in use, or a negative errno.
 */
int vgt_vm_bind(struct vgt_drm *drm, struct vgt_vm *vm,
		struct vgt_object *object, uint64_t va);

/* @object is nowhere in @vm. */
void vgt_vm_unbind(struct vgt_drm *drm, struct vgt_vm *vm,
		   struct vgt_object *object);

#endif
