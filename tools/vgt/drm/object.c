// SPDX-License-Identifier: MIT
#include "drm/object.h"

#include "drm/drm.h"
#include "drm/ring.h"
#include "drm/vm.h"
#include "gt/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Handles start at 1. */
static int handle_find(struct vgt_drm *drm, uint32_t *handle_out)
{
	struct vgt_object **array;
	uint32_t room = drm->objects ? 2 * drm->objects : 64;

	for (uint32_t i = drm->free_from ? drm->free_from : 1;
	     i < drm->objects; i++) {
		if (!drm->object[i]) {
			*handle_out = i;
			drm->free_from = i + 1;
			return 0;
		}
	}
	if (room > VGT_DRM_OBJECTS)
		return -ENOMEM;
	array = realloc(drm->object, room * sizeof(*array));
	if (!array)
		return -ENOMEM;
	memset(array + drm->objects, 0, (room - drm->objects) * sizeof(*array));
	*handle_out = drm->objects ? drm->objects : 1;
	drm->free_from = *handle_out + 1;
	drm->object = array;
	drm->objects = room;
	return 0;
}

/* An object with a handle and no memory. */
static int object_add(struct vgt_drm *drm, uint64_t bytes,
		      struct vgt_object **object_out)
{
	struct vgt_object *object;
	uint32_t handle;
	int ret;

	if (!bytes || bytes > VGT_DRM_BYTES)
		return -EINVAL;
	ret = handle_find(drm, &handle);
	if (ret)
		return ret;
	object = calloc(1, sizeof(*object));
	if (!object)
		return -ENOMEM;
	object->bytes = (bytes + VGT_PAGE_BYTES - 1) & ~(VGT_PAGE_BYTES - 1);
	object->handle = handle;
	object->users = 1;
	drm->object[handle] = object;
	*object_out = object;
	return 0;
}

static void object_remove(struct vgt_drm *drm, struct vgt_object *object)
{
	drm->object[object->handle] = NULL;
	if (object->handle < drm->free_from)
		drm->free_from = object->handle;
}

int vgt_object_create(struct vgt_drm *drm, uint64_t bytes,
		      struct vgt_object **object_out)
{
	int ret = object_add(drm, bytes, object_out);

	if (ret)
		return ret;
	ret = vgt_drm_memory_take(drm, (*object_out)->bytes,
				  &(*object_out)->phys);
	if (ret) {
		object_remove(drm, *object_out);
		free(*object_out);
	}
	return ret;
}

int vgt_object_join(struct vgt_drm *drm, const struct vgt_piece *piece,
		    uint32_t count, struct vgt_object **object_out)
{
	struct vgt_piece *copy = malloc(count * sizeof(*copy));
	uint64_t bytes = 0;
	int ret;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, piece, count * sizeof(*copy));
	for (uint32_t i = 0; i < count; i++)
		bytes += piece[i].bytes;
	ret = object_add(drm, bytes, object_out);
	if (ret) {
		free(copy);
		return ret;
	}
	for (uint32_t i = 0; i < count; i++)
		piece[i].object->users++;
	(*object_out)->piece = copy;
	(*object_out)->pieces = count;
	return 0;
}

struct vgt_object *vgt_object_at(struct vgt_drm *drm, uint64_t phys)
{
	struct vgt_object *object;

	for (uint32_t i = 0; i < drm->objects; i++) {
		object = drm->object[i];
		if (object && !object->piece && phys >= object->phys &&
		    phys - object->phys < object->bytes)
			return object;
	}
	return NULL;
}

struct vgt_object *vgt_object_find(struct vgt_drm *drm, uint32_t handle)
{
	return handle < drm->objects ? drm->object[handle] : NULL;
}

static void object_put(struct vgt_drm *drm, struct vgt_object *object)
{
	if (--object->users)
		return;
	for (struct vgt_vm *vm = drm->vms;
	     vm && object->bound && !drm->ending; vm = vm->next)
		vgt_vm_unbind(drm, vm, object);
	if (!object->piece)
		vgt_drm_memory_give(drm, object->phys, object->bytes);
	/* Of one level: a piece is of an object that has a range. */
	for (uint32_t i = 0; i < object->pieces; i++)
		object_put(drm, object->piece[i].object);
	free(object->piece);
	free(object);
}

bool vgt_object_is_idle(const struct vgt_drm *drm,
			const struct vgt_object *object)
{
	return !object->ring || vgt_ring_done(drm, object->ring) >= object->seqno;
}

void vgt_object_close(struct vgt_drm *drm, struct vgt_object *object)
{
	object_remove(drm, object);
	if (vgt_object_is_idle(drm, object)) {
		object_put(drm, object);
		return;
	}
	object->next = drm->closed;
	drm->closed = object;
}

void vgt_objects_retire(struct vgt_drm *drm)
{
	struct vgt_object **link = &drm->closed, *object;

	while ((object = *link)) {
		if (!vgt_object_is_idle(drm, object)) {
			link = &object->next;
			continue;
		}
		*link = object->next;
		object_put(drm, object);
	}
}

void vgt_objects_fini(struct vgt_drm *drm)
{
	struct vgt_object *object;

	for (uint32_t i = 0; i < drm->objects; i++)
		if (drm->object[i])
			object_put(drm, drm->object[i]);
	while ((object = drm->closed)) {
		drm->closed = object->next;
		object_put(drm, object);
	}
	free(drm->object);
}
