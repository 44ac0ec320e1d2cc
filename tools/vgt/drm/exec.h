/* SPDX-License-Identifier: MIT */
/* EXECBUFFER2: what a batch needs is bound, then it is submitted. */
#ifndef VGT_DRM_EXEC_H
#define VGT_DRM_EXEC_H

struct vgt_drm;
struct vgt_drm_exec;
struct vgt_drm_exec_object;

/* Returns 0, -EAGAIN if there is no room in the ring now, or a negative errno. */
int vgt_drm_exec(struct vgt_drm *drm, const struct vgt_drm_exec *exec,
		 const struct vgt_drm_exec_object *object);

#endif
