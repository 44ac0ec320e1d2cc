// SPDX-License-Identifier: MIT
/*
 * What the program writes into buffers that begin with nothing, by any call: vgtd is
 * told of it before it is done. Where it is not plain what is written, all of the
 * buffer is taken for it. What kernels write vgtd sees itself.
 */
#include "layer.h"

#include "drm/wire.h"
#include "node.h"

#define ALL SIZE_MAX

static const cl_icd_dispatch *next;

static void written(cl_mem memory, size_t offset, size_t bytes)
{
	struct vgt_drm_note note = {
		.what = VGT_DRM_NOTE_WRITTEN, .number = vgt_buffer_number(memory),
		.offset = offset, .bytes = bytes,
	};
	struct vgt_node_call call = {
		.number = VGT_DRM_NOTE,
		.argument = &note,
		.argument_bytes = sizeof(note),
	};

	if (!vgt_buffer_is_fresh(memory))
		return;
	vgt_node_call(&call);
	/* No more need be said. */
	if (bytes == ALL)
		vgt_buffer_filled(memory);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem memory,
				       cl_bool blocking, size_t offset,
				       size_t bytes, const void *from,
				       cl_uint count, const cl_event *waits,
				       cl_event *event)
{
	written(memory, offset, bytes);
	return next->clEnqueueWriteBuffer(queue, memory, blocking, offset,
					  bytes, from, count, waits, event);
}

static cl_int CL_API_CALL
write_rect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
	   const size_t *origin, const size_t *host_origin,
	   const size_t *region, size_t row, size_t slice, size_t host_row,
	   size_t host_slice, const void *from, cl_uint count,
	   const cl_event *waits, cl_event *event)
{
	written(memory, 0, ALL);
	return next->clEnqueueWriteBufferRect(queue, memory, blocking, origin,
					      host_origin, region, row, slice,
					      host_row, host_slice, from,
					      count, waits, event);
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem memory,
			       const void *pattern, size_t pattern_bytes,
			       size_t offset, size_t bytes, cl_uint count,
			       const cl_event *waits, cl_event *event)
{
	written(memory, offset, bytes);
	return next->clEnqueueFillBuffer(queue, memory, pattern, pattern_bytes,
					 offset, bytes, count, waits, event);
}

static cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from,
			       cl_mem memory, size_t from_offset,
			       size_t offset, size_t bytes, cl_uint count,
			       const cl_event *waits, cl_event *event)
{
	written(memory, offset, bytes);
	return next->clEnqueueCopyBuffer(queue, from, memory, from_offset,
					 offset, bytes, count, waits, event);
}

static cl_int CL_API_CALL
copy_rect(cl_command_queue queue, cl_mem from, cl_mem memory,
	  const size_t *from_origin, const size_t *origin,
	  const size_t *region, size_t from_row, size_t from_slice, size_t row,
	  size_t slice, cl_uint count, const cl_event *waits, cl_event *event)
{
	written(memory, 0, ALL);
	return next->clEnqueueCopyBufferRect(queue, from, memory, from_origin,
					     origin, region, from_row,
					     from_slice, row, slice, count,
					     waits, event);
}

static cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem from,
				     cl_mem memory, const size_t *origin,
				     const size_t *region, size_t offset,
				     cl_uint count, const cl_event *waits,
				     cl_event *event)
{
	written(memory, 0, ALL);
	return next->clEnqueueCopyImageToBuffer(queue, from, memory, origin,
						region, offset, count, waits,
						event);
}

static void *CL_API_CALL map(cl_command_queue queue, cl_mem memory,
			     cl_bool blocking, cl_map_flags flags,
			     size_t offset, size_t bytes, cl_uint count,
			     const cl_event *waits, cl_event *event,
			     cl_int *status)
{
	if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
		written(memory, offset, bytes);
	return next->clEnqueueMapBuffer(queue, memory, blocking, flags, offset,
					bytes, count, waits, event, status);
}

/* Who writes through others of its memory objects is not seen. */
static cl_mem CL_API_CALL sub_create(cl_mem memory, cl_mem_flags flags,
				     cl_buffer_create_type type,
				     const void *info, cl_int *status)
{
	written(memory, 0, ALL);
	return next->clCreateSubBuffer(memory, flags, type, info, status);
}

static cl_mem CL_API_CALL image_create(cl_context context, cl_mem_flags flags,
				       const cl_image_format *format,
				       const cl_image_desc *image, void *host,
				       cl_int *status)
{
	if (image && image->mem_object)
		written(image->mem_object, 0, ALL);
	return next->clCreateImage(context, flags, format, image, host, status);
}

static cl_mem CL_API_CALL
image_create_with(cl_context context, const cl_mem_properties *properties,
		  cl_mem_flags flags, const cl_image_format *format,
		  const cl_image_desc *image, void *host, cl_int *status)
{
	if (image && image->mem_object)
		written(image->mem_object, 0, ALL);
	return next->clCreateImageWithProperties(context, properties, flags,
						 format, image, host, status);
}

void vgt_layer_written(const cl_icd_dispatch *target, cl_icd_dispatch *layer,
		       size_t bytes)
{
	next = target;
	layer->clEnqueueWriteBuffer = write_buffer;
	layer->clEnqueueWriteBufferRect = write_rect;
	layer->clEnqueueFillBuffer = fill;
	layer->clEnqueueCopyBuffer = copy;
	layer->clEnqueueCopyBufferRect = copy_rect;
	layer->clEnqueueCopyImageToBuffer = copy_image;
	layer->clEnqueueMapBuffer = map;
	layer->clCreateSubBuffer = sub_create;
	layer->clCreateImage = image_create;
	/* Older loaders end before it. */
	if (bytes > offsetof(cl_icd_dispatch, clCreateImageWithProperties))
		layer->clCreateImageWithProperties = image_create_with;
}
