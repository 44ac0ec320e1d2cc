// SPDX-License-Identifier: MIT
#include "drm/ioctl.h"

#include "check/check.h"
#include "drm/drm.h"
#include "drm/object.h"
#include "drm/query.h"
#include "drm/ring.h"
#include "drm/vm.h"
#include "drm/wire.h"
#include "gt/device.h"
#include "gt/mmio.h"
#include "host/log.h"

#include <errno.h>
#include <i915_drm.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#define RENDER_TIMESTAMP 0x2358
#define GTT_BYTES (1ULL << 48)
#define SYNCOBJ_FIRST _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE)
#define SYNCOBJ_LAST 0xcf

static struct vgt_vm *vm_find(struct vgt_drm *drm, uint32_t id)
{
	struct vgt_vm *vm = drm->vms;

	while (vm && (!id || vm->id != id))
		vm = vm->next;
	return vm;
}

static int get_param(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	const struct drm_i915_getparam *argument = call->argument;
	int value, ret;

	ret = vgt_query_param(drm->device, argument->param, &value);
	if (ret || call->room < sizeof(value))
		return ret ? ret : -EFAULT;
	memcpy(call->extra, &value, sizeof(value));
	call->answer_bytes = sizeof(value);
	return 0;
}

/* One item at a time. */
static int query(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_query_item *item = call->argument;
	int ret = item->flags ? -EINVAL :
		  vgt_query(drm->device, item->query_id, call->extra,
			    call->room);

	if (ret > 0 && (uint32_t)ret <= call->room)
		call->answer_bytes = ret;
	else if (ret > 0 && call->room)
		ret = -EINVAL;
	item->length = ret;
	return 0;
}

static int vm_create(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_vm_control *argument = call->argument;
	struct vgt_vm *vm;
	uint32_t count = 0;
	int ret;

	if (argument->flags || argument->extensions)
		return -EINVAL;
	for (vm = drm->vms; vm; vm = vm->next)
		count++;
	if (count >= VGT_DRM_VMS)
		return -ENOMEM;
	ret = vgt_vm_create(drm, &vm);
	if (ret)
		return ret;
	vm->id = ++drm->last_id;
	argument->vm_id = vm->id;
	return 0;
}

/* Contexts keep it. */
static int vm_destroy(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	const struct drm_i915_gem_vm_control *argument = call->argument;
	struct vgt_vm *vm = vm_find(drm, argument->vm_id);

	if (argument->flags || argument->extensions)
		return -EINVAL;
	if (!vm)
		return -ENOENT;
	vm->id = 0;
	vgt_vm_put(drm, vm);
	return 0;
}

/* Extensions come as calls of their own. */
static int context_create(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_context_create_ext *argument = call->argument;
	struct vgt_vm *vm;
	int ret;

	ret = vgt_vm_create(drm, &vm);
	if (ret)
		return ret;
	ret = vgt_ring_create(drm, vm, ++drm->last_id, NULL);
	vgt_vm_put(drm, vm);
	if (!ret)
		argument->ctx_id = drm->last_id;
	return ret;
}

static int context_destroy(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	const struct drm_i915_gem_context_destroy *argument = call->argument;
	struct vgt_ring *ring = vgt_ring_find(drm, argument->ctx_id);

	if (!ring || !argument->ctx_id)
		return -ENOENT;
	vgt_ring_close(drm, ring);
	return 0;
}

static int context_get(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_context_param *argument = call->argument;
	struct vgt_ring *ring = vgt_ring_find(drm, argument->ctx_id);

	if (!ring)
		return -ENOENT;
	switch (argument->param) {
	case I915_CONTEXT_PARAM_GTT_SIZE:
		argument->value = GTT_BYTES;
		argument->size = 0;
		return 0;
	case I915_CONTEXT_PARAM_VM:
		return -ENODEV;
	case I915_CONTEXT_PARAM_SSEU:
	case I915_CONTEXT_PARAM_PRIORITY:
	case I915_CONTEXT_PARAM_RECOVERABLE:
	case I915_CONTEXT_PARAM_PERSISTENCE:
	case I915_CONTEXT_PARAM_BANNABLE:
		argument->value = argument->param ==
			I915_CONTEXT_PARAM_SSEU ? argument->value :
			argument->param != I915_CONTEXT_PARAM_PRIORITY;
		return 0;
	default:
		return -EINVAL;
	}
}

static int context_vm_set(struct vgt_drm *drm, struct vgt_ring *ring,
			  uint64_t id)
{
	struct vgt_vm *vm = id >> 32 ? NULL : vm_find(drm, (uint32_t)id);

	if (!vm)
		return -ENOENT;
	if (ring->seqno != ring->first)
		return -EINVAL;
	vgt_ring_vm_set(drm, ring, vm);
	return 0;
}

/* Render engines only, in any number of places. */
static int context_engines_set(struct vgt_ring *ring,
			       const struct vgt_drm_call *call)
{
	struct i915_engine_class_instance engine;
	size_t head = offsetof(struct i915_context_param_engines, engines);
	uint64_t extensions;
	uint32_t count;

	if (!call->extra_bytes) {
		ring->engines = 0;
		return 0;
	}
	if (call->extra_bytes < head ||
	    (call->extra_bytes - head) % sizeof(engine))
		return -EINVAL;
	memcpy(&extensions, call->extra, sizeof(extensions));
	count = (call->extra_bytes - head) / sizeof(engine);
	if (extensions || !count || count > I915_EXEC_RING_MASK + 1)
		return -EINVAL;
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&engine, call->extra + head + i * sizeof(engine),
		       sizeof(engine));
		if (engine.engine_class != I915_ENGINE_CLASS_RENDER ||
		    engine.engine_instance)
			return -ENOENT;
	}
	ring->engines = count;
	return 0;
}

static int context_set(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_context_param *argument = call->argument;
	struct vgt_ring *ring = vgt_ring_find(drm, argument->ctx_id);

	if (!ring)
		return -ENOENT;
	switch (argument->param) {
	case I915_CONTEXT_PARAM_VM:
		return context_vm_set(drm, ring, argument->value);
	case I915_CONTEXT_PARAM_ENGINES:
		return context_engines_set(ring, call);
	case I915_CONTEXT_PARAM_PRIORITY:
	case I915_CONTEXT_PARAM_SSEU:
	case I915_CONTEXT_PARAM_RECOVERABLE:
	case I915_CONTEXT_PARAM_PERSISTENCE:
	case I915_CONTEXT_PARAM_BANNABLE:
		return 0;
	default:
		return -EINVAL;
	}
}

static int object_create(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_create *argument = call->argument;
	struct vgt_object *object;
	int ret;

	vgt_objects_retire(drm);
	ret = vgt_object_create(drm, argument->size, &object);
	if (ret)
		return ret;
	argument->handle = object->handle;
	argument->size = object->bytes;
	return 0;
}

static int object_offset(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_mmap_offset *argument = call->argument;
	struct vgt_object *object = vgt_object_find(drm, argument->handle);

	if (!object)
		return -ENOENT;
	if (object->piece)
		return -ENODEV;
	argument->offset = object->phys;
	return 0;
}

static int object_close(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	const struct drm_gem_close *argument = call->argument;
	struct vgt_object *object = vgt_object_find(drm, argument->handle);

	if (!object)
		return -EINVAL;
	vgt_object_close(drm, object);
	vgt_objects_retire(drm);
	return 0;
}

static int piece_find(struct vgt_drm *drm,
		      const struct vgt_drm_user_piece *wanted,
		      struct vgt_piece *out)
{
	out->object = vgt_object_at(drm, wanted->phys);
	if (!out->object)
		return -EFAULT;
	out->offset = wanted->phys - out->object->phys;
	out->bytes = wanted->bytes;
	if ((wanted->phys | wanted->bytes) % VGT_PAGE_BYTES ||
	    !wanted->bytes || wanted->bytes > out->object->bytes - out->offset)
		return -EFAULT;
	return 0;
}

/* The library has put the pages of the program where it says. */
static int object_user(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_userptr *argument = call->argument;
	const struct vgt_drm_user_piece *wanted = (void *)call->extra;
	uint32_t count = call->extra_bytes / sizeof(*wanted);
	struct vgt_piece piece[VGT_DRM_USER_PIECES];
	struct vgt_object *object;
	int ret = 0;

	if (argument->flags & ~I915_USERPTR_PROBE || !count ||
	    count > VGT_DRM_USER_PIECES)
		return -EINVAL;
	vgt_objects_retire(drm);
	for (uint32_t i = 0; i < count && !ret; i++)
		ret = piece_find(drm, &wanted[i], &piece[i]);
	if (!ret)
		ret = vgt_object_join(drm, piece, count, &object);
	if (!ret)
		argument->handle = object->handle;
	return ret;
}

/*
 * Nobody waits here: the library looks at the word. All that was launched before
 * is in the ring already.
 */
static int ring_get(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct vgt_drm_ring *argument = call->argument;
	const struct vgt_ring *ring = vgt_ring_find(drm, argument->context);

	if (!ring)
		return -ENOENT;
	argument->engines = vgt_ring_engines(ring);
	argument->word = vgt_ring_word(ring);
	argument->seqno = ring->seqno;
	return 0;
}

static int note_buffer(struct vgt_drm *drm, const struct vgt_drm_note *note,
		       const struct vgt_drm_call *call)
{
	uint32_t count = call->extra_bytes / sizeof(struct vgt_drm_note_piece);
	struct vgt_check_piece piece = {
		.whole_bytes = note->bytes,
		.number = note->number,
		.svm = note->flags & VGT_DRM_NOTE_F_SVM,
		.fresh = note->flags & VGT_DRM_NOTE_F_FRESH,
	};
	int ret = 0;

	for (uint32_t i = 0; i < count && !ret; i++) {
		struct vgt_drm_note_piece part;

		memcpy(&part, (const uint8_t *)call->extra + i * sizeof(part),
		       sizeof(part));
		piece.phys = part.phys;
		piece.bytes = part.bytes;
		piece.padded = i + 1 == count &&
			       note->flags & VGT_DRM_NOTE_F_PADDED;
		ret = vgt_check_buffer_add(drm->device->check, &piece);
		piece.offset += part.bytes;
	}
	return ret;
}

static int note_kernel(struct vgt_drm *drm, const struct vgt_drm_note *note,
		       const struct vgt_drm_call *call)
{
	const char *name = (const char *)call->extra;
	const char *name_end = call->extra_bytes ?
			       memchr(name, 0, call->extra_bytes) : NULL;
	struct vgt_check_source source = {
		.name = name, .code_bytes = note->bytes, .lines = note->number,
		.locals = note->locals, .own_bytes = note->offset,
	};
	uint64_t line_bytes = sizeof(struct vgt_check_line) *
			      (uint64_t)note->number;
	uint64_t local_bytes = sizeof(struct vgt_check_local) *
			       (uint64_t)note->locals;
	size_t left;

	if (!name_end)
		return -EINVAL;
	source.code = name_end + 1;
	left = name + call->extra_bytes - (name_end + 1);
	if (source.code_bytes > left ||
	    line_bytes + local_bytes > left - source.code_bytes)
		return -EINVAL;
	source.line = name_end + 1 + source.code_bytes;
	source.local = (const char *)source.line + line_bytes;
	source.names = (const char *)source.local + local_bytes;
	source.names_bytes = left - source.code_bytes - line_bytes -
			     local_bytes;
	return vgt_check_kernel_add(drm->device->check, &source);
}

static int note_argument(struct vgt_drm *drm, const struct vgt_drm_note *note,
			 const struct vgt_drm_call *call)
{
	const char *kernel = (const char *)call->extra;
	size_t bytes = call->extra_bytes;
	size_t len = bytes ? strnlen(kernel, bytes) : 0;

	if (len + 2 > bytes || kernel[bytes - 1])
		return -EINVAL;
	return vgt_check_argument_add(drm->device->check, kernel,
				      kernel + len + 1,
				      note->flags & VGT_DRM_NOTE_F_SVM,
				      note->number);
}

static int note(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	const struct vgt_drm_note *argument = call->argument;

	switch (argument->what) {
	case VGT_DRM_NOTE_BUFFER:
		return note_buffer(drm, argument, call);
	case VGT_DRM_NOTE_GONE:
		vgt_check_buffer_remove(drm->device->check,
					argument->flags & VGT_DRM_NOTE_F_SVM,
					argument->number);
		return 0;
	case VGT_DRM_NOTE_WRITTEN:
		vgt_check_buffer_written(drm->device->check, argument->number,
					 argument->offset, argument->bytes);
		return 0;
	case VGT_DRM_NOTE_KERNEL:
		return note_kernel(drm, argument, call);
	case VGT_DRM_NOTE_ARGUMENT:
		return note_argument(drm, argument, call);
	default:
		return -EINVAL;
	}
}

/* There are no fences: who tiles a buffer reads it as it is. */
static int tiling_set(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_set_tiling *argument = call->argument;
	struct vgt_object *object = vgt_object_find(drm, argument->handle);

	if (!object)
		return -ENOENT;
	if (argument->tiling_mode > I915_TILING_Y)
		return -EINVAL;
	object->tiling = argument->tiling_mode;
	argument->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
	return 0;
}

static int tiling_get(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_gem_get_tiling *argument = call->argument;
	struct vgt_object *object = vgt_object_find(drm, argument->handle);

	if (!object)
		return -ENOENT;
	argument->tiling_mode = object->tiling;
	argument->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
	argument->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
	return 0;
}

static int register_read(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_reg_read *argument = call->argument;

	(void)drm;
	if ((argument->offset & ~1ULL) != RENDER_TIMESTAMP)
		return -EINVAL;
	argument->val = vgt_mmio_timestamp();
	return 0;
}

static int reset_stats(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_i915_reset_stats *argument = call->argument;

	if (argument->flags || argument->pad)
		return -EINVAL;
	if (!vgt_ring_find(drm, argument->ctx_id))
		return -ENOENT;
	argument->reset_count = 0;
	argument->batch_active = 0;
	argument->batch_pending = 0;
	return 0;
}

/* Of the capabilities that DRM has, a render node of this kind has none. */
static int capability_get(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	struct drm_get_cap *argument = call->argument;

	(void)drm;
	argument->value = 0;
	return 0;
}

/* Buffers are not shared with others: what DRM says without a driver's part. */
static int prime(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	(void)drm;
	(void)call;
	return -ENOSYS;
}

static int syncobj(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	(void)drm;
	(void)call;
	return -EOPNOTSUPP;
}

static const struct {
	uint16_t bytes; /* of the argument, at least */
	int (*run)(struct vgt_drm *drm, struct vgt_drm_call *call);
} table[] = {
#define ROW(number, type, function) \
	[number] = { sizeof(struct type), function }
	ROW(0x09, drm_gem_close, object_close),
	ROW(VGT_DRM_RING, vgt_drm_ring, ring_get),
	ROW(VGT_DRM_NOTE, vgt_drm_note, note),
	ROW(_IOC_NR(DRM_IOCTL_GET_CAP), drm_get_cap, capability_get),
	ROW(_IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD), drm_prime_handle, prime),
	ROW(_IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE), drm_prime_handle, prime),
	[SYNCOBJ_FIRST ... SYNCOBJ_LAST] = { 0, syncobj },
#define I915(name, type, function) \
	ROW(DRM_COMMAND_BASE + DRM_I915_##name, type, function)
	I915(GETPARAM, drm_i915_getparam, get_param),
	I915(GEM_CREATE, drm_i915_gem_create, object_create),
	I915(GEM_CREATE_EXT, drm_i915_gem_create, object_create),
	I915(GEM_MMAP_GTT, drm_i915_gem_mmap_offset, object_offset),
	I915(GEM_SET_TILING, drm_i915_gem_set_tiling, tiling_set),
	I915(GEM_GET_TILING, drm_i915_gem_get_tiling, tiling_get),
	I915(GEM_USERPTR, drm_i915_gem_userptr, object_user),
	I915(GEM_CONTEXT_CREATE, drm_i915_gem_context_create_ext,
	     context_create),
	I915(GEM_CONTEXT_DESTROY, drm_i915_gem_context_destroy,
	     context_destroy),
	I915(GEM_CONTEXT_GETPARAM, drm_i915_gem_context_param, context_get),
	I915(GEM_CONTEXT_SETPARAM, drm_i915_gem_context_param, context_set),
	I915(GEM_VM_CREATE, drm_i915_gem_vm_control, vm_create),
	I915(GEM_VM_DESTROY, drm_i915_gem_vm_control, vm_destroy),
	I915(REG_READ, drm_i915_reg_read, register_read),
	I915(GET_RESET_STATS, drm_i915_reset_stats, reset_stats),
	I915(QUERY, drm_i915_query_item, query),
};

int vgt_drm_ioctl(struct vgt_drm *drm, struct vgt_drm_call *call)
{
	uint32_t number = call->number;

	if (number >= sizeof(table) / sizeof(table[0]) || !table[number].run) {
		vgt_log(VGT_LOG_WARN, "device %u: DRM ioctl 0x%02x: not served",
			drm->device->number, number);
		return -EINVAL;
	}
	if (call->argument_bytes < table[number].bytes)
		return -EINVAL;
	return table[number].run(drm, call);
}
