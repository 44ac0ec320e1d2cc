// SPDX-License-Identifier: MIT
#include "node.h"

#include "drm/wire.h"
#include "launch.h"

#include <errno.h>
#include <i915_drm.h>
#include <string.h>
#include <sys/ioctl.h>

#define NUMBER(name) (DRM_COMMAND_BASE + DRM_I915_##name)
#define EXTENSIONS 16

static void *pointer(uint64_t value)
{
	return (void *)(uintptr_t)value;
}

static int forward(unsigned long request, void *argument)
{
	struct vgt_node_call call = {
		.number = _IOC_NR(request),
		.argument = argument,
		.argument_bytes = _IOC_SIZE(request),
	};

	if (call.argument_bytes > VGT_DRM_ARGUMENT_MAX)
		return -EINVAL;
	return vgt_node_call(&call);
}

static void text_give(char *to, __kernel_size_t *len, const char *text)
{
	size_t n = strlen(text);

	if (to && *len)
		memcpy(to, text, n < *len ? n : *len);
	*len = n;
}

static int version(void *argument)
{
	struct drm_version *version = argument;

	version->version_major = 1;
	version->version_minor = 6;
	version->version_patchlevel = 0;
	text_give(version->name, &version->name_len, "i915");
	text_give(version->date, &version->date_len, "20201103");
	text_give(version->desc, &version->desc_len, "vgt");
	return 0;
}

static int get_param(unsigned long request, void *argument)
{
	struct drm_i915_getparam *param = argument;
	struct vgt_node_call call = {
		.number = _IOC_NR(request),
		.argument = argument,
		.argument_bytes = sizeof(*param),
		.answer = param->value,
		.extra_bytes = sizeof(*param->value),
	};

	return param->value ? vgt_node_call(&call) : -EFAULT;
}

/* Each item is a question of its own, with an error of its own. */
static int query(unsigned long request, void *argument)
{
	const struct drm_i915_query *query = argument;
	struct drm_i915_query_item *item = pointer(query->items_ptr);
	int ret;

	if (query->flags)
		return -EINVAL;
	for (uint32_t i = 0; i < query->num_items; i++) {
		struct vgt_node_call call = {
			.number = _IOC_NR(request),
			.argument = &item[i],
			.argument_bytes = sizeof(item[i]),
			.answer = pointer(item[i].data_ptr),
			.extra_bytes = item[i].length > 0 ? item[i].length : 0,
		};

		if (call.extra_bytes > VGT_DRM_EXTRA_MAX)
			return -EINVAL;
		if (call.extra_bytes && !call.answer) {
			item[i].length = -EFAULT;
			continue;
		}
		ret = vgt_node_call(&call);
		if (ret)
			return ret;
	}
	return 0;
}

static int context_set(unsigned long request, void *argument)
{
	struct drm_i915_gem_context_param *param = argument;
	struct vgt_node_call call = {
		.number = _IOC_NR(request),
		.argument = argument,
		.argument_bytes = sizeof(*param),
	};

	if (param->param == I915_CONTEXT_PARAM_ENGINES && param->size) {
		call.extra = pointer(param->value);
		call.extra_bytes = param->size;
		if (call.extra_bytes > VGT_DRM_EXTRA_MAX)
			return -EINVAL;
	}
	return vgt_launch_context_change(param->ctx_id, &call);
}

static int context_destroy(void *argument)
{
	struct drm_i915_gem_context_destroy *destroy = argument;
	struct vgt_node_call call = {
		.number = NUMBER(GEM_CONTEXT_DESTROY),
		.argument = argument,
		.argument_bytes = sizeof(*destroy),
	};

	return vgt_launch_context_change(destroy->ctx_id, &call);
}

static int context_extend(uint32_t context, uint64_t extensions)
{
	struct drm_i915_gem_context_create_ext_setparam *ext;
	int ret = 0;

	for (int i = 0; extensions && !ret; i++) {
		ext = pointer(extensions);
		if (i == EXTENSIONS ||
		    ext->base.name != I915_CONTEXT_CREATE_EXT_SETPARAM ||
		    ext->param.ctx_id)
			return -EINVAL;
		ext->param.ctx_id = context;
		ret = context_set(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
				  &ext->param);
		ext->param.ctx_id = 0;
		extensions = ext->base.next_extension;
	}
	return ret;
}

static int context_create(unsigned long request, void *argument)
{
	struct drm_i915_gem_context_create_ext *create = argument;
	struct drm_i915_gem_context_destroy destroy = { 0 };
	uint64_t extensions = 0;
	int ret;

	if (_IOC_SIZE(request) >= sizeof(*create)) {
		if (create->flags & ~(I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS |
				      I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE))
			return -EINVAL;
		if (create->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS)
			extensions = create->extensions;
	}
	ret = forward(request, argument);
	if (ret)
		return ret;
	ret = context_extend(create->ctx_id, extensions);
	if (ret) {
		destroy.ctx_id = create->ctx_id;
		context_destroy(&destroy);
	}
	return ret;
}

static int object_create(unsigned long request, void *argument)
{
	struct drm_i915_gem_create *create = argument;
	struct drm_gem_close close = { 0 };
	int ret = forward(request, argument);

	if (ret)
		return ret;
	ret = vgt_launch_object_add(create->handle, create->size);
	if (ret) {
		close.handle = create->handle;
		forward(DRM_IOCTL_GEM_CLOSE, &close);
	}
	return ret;
}

/* There is one memory, so it does not matter which is asked for. */
static int object_create_ext(unsigned long request, void *argument)
{
	struct drm_i915_gem_create_ext *create = argument;
	const struct i915_user_extension *ext;
	uint64_t extensions = create->extensions;

	for (int i = 0; extensions; i++) {
		ext = pointer(extensions);
		if (i == EXTENSIONS || ext->name != I915_GEM_CREATE_EXT_MEMORY_REGIONS)
			return -EINVAL;
		extensions = ext->next_extension;
	}
	return object_create(request, argument);
}

static int exec(void *argument)
{
	const struct drm_i915_gem_execbuffer2 *from = argument;
	const struct vgt_drm_exec exec = {
		.count = from->buffer_count,
		.context = (uint32_t)from->rsvd1,
		.flags = (uint32_t)from->flags,
		.start = from->batch_start_offset,
	};

	if (from->flags >> 32 || from->num_cliprects)
		return -EINVAL;
	return vgt_launch(&exec, pointer(from->buffers_ptr));
}

static int object_wait(void *argument)
{
	struct drm_i915_gem_wait *wait = argument;
	int64_t timeout_ns = wait->timeout_ns;
	int ret;

	if (wait->flags)
		return -EINVAL;
	ret = vgt_launch_wait(wait->bo_handle, &timeout_ns);
	wait->timeout_ns = timeout_ns;
	return ret;
}

/* Memory is coherent: what is left of it is the wait. */
static int object_domain(void *argument)
{
	const struct drm_i915_gem_set_domain *domain = argument;
	const uint32_t cpu = I915_GEM_DOMAIN_CPU | I915_GEM_DOMAIN_GTT |
			     I915_GEM_DOMAIN_WC;
	int64_t for_ever = -1;

	if ((domain->read_domains | domain->write_domain) & ~cpu ||
	    (domain->write_domain &&
	     domain->read_domains != domain->write_domain))
		return -EINVAL;
	return vgt_launch_wait(domain->handle, &for_ever);
}

int vgt_node_ioctl(unsigned long request, void *argument)
{
	switch (_IOC_NR(request)) {
	case 0x00:
		return version(argument);
	case NUMBER(GETPARAM):
		return get_param(request, argument);
	case NUMBER(QUERY):
		return query(request, argument);
	case NUMBER(GEM_CONTEXT_CREATE):
		return context_create(request, argument);
	case NUMBER(GEM_CONTEXT_SETPARAM):
		return context_set(request, argument);
	case NUMBER(GEM_CONTEXT_DESTROY):
		return context_destroy(argument);
	case NUMBER(GEM_CREATE):
		return object_create(request, argument);
	case NUMBER(GEM_CREATE_EXT):
		return object_create_ext(request, argument);
	case NUMBER(GEM_USERPTR):
		return vgt_user_create(request, argument);
	case 0x09:
		return vgt_user_close(request, argument);
	case NUMBER(GEM_EXECBUFFER2):
		return exec(argument);
	case NUMBER(GEM_SET_DOMAIN):
		return object_domain(argument);
	case NUMBER(GEM_WAIT):
		return object_wait(argument);
	default:
		return forward(request, argument);
	}
}
