// SPDX-License-Identifier: MIT
#include "drm/drm.h"

#include "drm/object.h"
#include "drm/ring.h"
#include "drm/vm.h"
#include "gt/device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* Nothing lies at 0, so that a zero entry stays conspicuous. */
#define MEMORY_FIRST 0x100000ULL

int vgt_drm_create(struct vgt_device *device, struct vgt_drm **drm_out)
{
	struct vgt_drm *drm = calloc(1, sizeof(*drm));
	struct vgt_vm *vm;
	int ret = -ENOMEM;

	if (!drm)
		return ret;
	drm->device = device;
	ret = vgt_ranges_init(&drm->memory, MEMORY_FIRST, VGT_GGTT_BASE);
	if (ret)
		goto err_free;
	/* Number 0 is the context that a file has from the start. */
	ret = vgt_vm_create(drm, &vm);
	if (ret)
		goto err_ranges;
	ret = vgt_ring_create(drm, vm, 0, NULL);
	vgt_vm_put(drm, vm);
	if (ret)
		goto err_ranges;
	*drm_out = drm;
	return 0;

err_ranges:
	vgt_ranges_fini(&drm->memory);
err_free:
	free(drm);
	return ret;
}

void vgt_drm_destroy(struct vgt_drm *drm)
{
	struct vgt_vm *vm;

	if (!drm)
		return;
	drm->ending = true;
	vgt_objects_fini(drm);
	while (drm->rings)
		vgt_ring_destroy(drm, drm->rings);
	while ((vm = drm->vms)) {
		vm->users = 1;
		vgt_vm_put(drm, vm);
	}
	vgt_ranges_fini(&drm->memory);
	free(drm);
}

int vgt_drm_memory_take(struct vgt_drm *drm, uint64_t len_bytes,
			uint64_t *phys_out)
{
	int ret;

	if (len_bytes > VGT_DRM_BYTES - drm->taken_bytes)
		return -ENOMEM;
	ret = vgt_ranges_take(&drm->memory, len_bytes, phys_out);
	if (!ret)
		drm->taken_bytes += len_bytes;
	return ret == -ENOSPC ? -ENOMEM : ret;
}

void vgt_drm_memory_give(struct vgt_drm *drm, uint64_t phys,
			 uint64_t len_bytes)
{
	if (drm->ending)
		return;
	vgt_memory_forget(&drm->device->memory, phys, len_bytes);
	vgt_ranges_give(&drm->memory, phys, len_bytes);
	drm->taken_bytes -= len_bytes;
}
