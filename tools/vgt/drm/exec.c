// SPDX-License-Identifier: MIT
#include "drm/exec.h"

#include "drm/drm.h"
#include "drm/object.h"
#include "drm/ring.h"
#include "drm/vm.h"
#include "drm/wire.h"
#include "gt/device.h"

#include <errno.h>
#include <i915_drm.h>
#include <stdatomic.h>
#include <stddef.h>

static int objects_bind(struct vgt_drm *drm, struct vgt_ring *ring,
			const struct vgt_drm_exec_object *entry, uint32_t count)
{
	struct vgt_object *object;
	int ret;

	for (uint32_t i = 0; i < count; i++) {
		/* Its program has gone, and who ends it waits for this thread. */
		if (atomic_load(&drm->device->dead))
			return -EIO;
		object = vgt_object_find(drm, entry[i].handle);
		if (!object)
			return -ENOENT;
		if (!(entry[i].flags & EXEC_OBJECT_PINNED))
			return -EINVAL;
		ret = vgt_vm_bind(drm, ring->vm, object, entry[i].address);
		if (ret)
			return ret;
	}
	return 0;
}

int vgt_drm_exec(struct vgt_drm *drm, const struct vgt_drm_exec *exec,
		 const struct vgt_drm_exec_object *entry)
{
	struct vgt_ring *ring = vgt_ring_find(drm, exec->context);
	struct vgt_object *object;
	uint32_t batch;
	int ret;

	if (!ring)
		return -ENOENT;
	if (exec->flags & ~(uint32_t)VGT_DRM_EXEC_FLAGS ||
	    (exec->flags & I915_EXEC_RING_MASK) >= vgt_ring_engines(ring))
		return -EINVAL;
	if (!vgt_ring_has_room(drm, ring) ||
	    vgt_device_pending(drm->device) >= VGT_SUBMISSIONS)
		return -EAGAIN;
	ret = objects_bind(drm, ring, entry, exec->count);
	if (ret)
		return ret;
	batch = exec->flags & I915_EXEC_BATCH_FIRST ? 0 : exec->count - 1;
	vgt_ring_submit(drm, ring, entry[batch].address + exec->start);
	for (uint32_t i = 0; i < exec->count; i++) {
		object = vgt_object_find(drm, entry[i].handle);
		object->ring = ring;
		object->seqno = ring->seqno;
	}
	return 0;
}
