// SPDX-License-Identifier: MIT
/*
 * libFuzzer target for the calls at the render node's door. An input is a program's
 * calls, one after the other: a number, and the bytes of argument and what its
 * pointers lead to; among them launches, and writes to the device's memory, by
 * which launches are done, too: nothing runs here. Sanitizers are in drm/ alone.
 */
#include "drm/drm.h"
#include "drm/exec.h"
#include "drm/ioctl.h"
#include "drm/wire.h"
#include "gt/device.h"
#include "host/log.h"

#include <i915_drm.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OBJECTS 8U
#define EXTRA_BYTES 256U
#define LAUNCH 0xff /* for a call's number */
#define WRITE 0xfe
#define WRITE_MAX (1U << 24) /* all books are there */

struct input {
	const uint8_t *data;
	size_t size;
};

static void require(bool condition)
{
	if (!condition)
		abort();
}

/* What is not there is zero. */
static void take(struct input *input, void *out, size_t bytes)
{
	size_t n = bytes < input->size ? bytes : input->size;

	memset(out, 0, bytes);
	memcpy(out, input->data, n);
	input->data += n;
	input->size -= n;
}

static void launch(struct vgt_drm *drm, struct input *input)
{
	struct vgt_drm_exec_object object[OBJECTS];
	struct vgt_drm_exec exec;
	int ret;

	take(input, &exec, sizeof(exec));
	/* The queue sees to that. */
	exec.count = exec.count % OBJECTS + 1;
	take(input, object, exec.count * sizeof(object[0]));
	ret = vgt_drm_exec(drm, &exec, object);
	require(ret <= 0);
}

static void memory_write(struct vgt_drm *drm, struct input *input)
{
	uint64_t value;
	uint32_t phys;

	take(input, &phys, sizeof(phys));
	take(input, &value, sizeof(value));
	*(uint64_t *)vgt_memory_at(&drm->device->memory,
				   phys % WRITE_MAX & ~7U, 8) = value;
}

static void call_make(struct vgt_drm *drm, struct input *input, uint8_t number)
{
	uint8_t argument[VGT_DRM_ARGUMENT_MAX], extra[EXTRA_BYTES], bytes[3];
	struct vgt_drm_call call = { .number = number, .argument = argument };
	int ret;

	take(input, bytes, sizeof(bytes));
	call.argument_bytes = bytes[0];
	call.extra_bytes = bytes[1];
	call.room = bytes[2];
	call.extra = extra;
	memset(argument, 0, sizeof(argument));
	memset(extra, 0, sizeof(extra));
	take(input, argument, call.argument_bytes);
	take(input, extra, call.extra_bytes);
	ret = vgt_drm_ioctl(drm, &call);
	require(ret <= 0 && call.answer_bytes <= call.room);
}

/* Of a device that has memory and runs nothing. */
static struct vgt_device *device_create(void)
{
	static const struct vgt_options options = { .threads = 1 };
	const struct vgt_device_listener listener = { 0 };
	struct vgt_device *device;

	vgt_log_level_set(0);
	require(!vgt_device_create(&options, 1, -1, &listener, &device) &&
		!vgt_memory_init(&device->memory));
	return device;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct vgt_device *device;
	struct input input = { data, size };
	struct vgt_drm *drm;
	uint8_t number;

	if (!device)
		device = device_create();
	require(!vgt_drm_create(device, &drm));
	while (input.size) {
		take(&input, &number, 1);
		if (number == LAUNCH)
			launch(drm, &input);
		else if (number == WRITE)
			memory_write(drm, &input);
		else
			call_make(drm, &input, number);
	}
	vgt_drm_destroy(drm);
	device->count = 0;
	atomic_store(&device->completed, atomic_load(&device->accepted));
	vgt_memory_forget(&device->memory, 0, WRITE_MAX);
	return 0;
}
