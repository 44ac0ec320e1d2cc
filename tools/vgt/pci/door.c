// SPDX-License-Identifier: MIT
/*
 * The reader answers the machine's accesses, one after the other; a CPU of it waits
 * for each. It never waits for an engine, but for the end of one that is reset.
 * Engines run in threads of their own, in memory of the machine.
 *
 * Whatever the machine says is checked. What no machine would say ends the device
 * with a line in the log; the machine then reads all ones, as of hardware that is
 * gone.
 */
#include "pci/door.h"

#include "gt/attention.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/execlist.h"
#include "gt/ggtt.h"
#include "gt/interrupt.h"
#include "gt/mmio.h"
#include "host/connection.h"
#include "host/log.h"
#include "pci/config.h"
#include "pci/msi.h"
#include "pci/proxy.h"
#include "pci/uncore.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOT_THERE UINT64_MAX

struct function {
	struct vgt_device *device;
	int socket;
	struct vgt_msi *msi;

	pthread_mutex_t lock;
	/* Protected by @lock; written by the reader alone. */
	struct vgt_config config;
};

/* Any thread: an engine has something to report. */
static void interrupt_send(void *context)
{
	struct function *function = context;
	uint64_t address;
	uint32_t data;
	bool wanted;

	pthread_mutex_lock(&function->lock);
	wanted = vgt_config_msi(&function->config, &address, &data);
	pthread_mutex_unlock(&function->lock);
	if (wanted)
		vgt_msi_send(function->msi, address, data);
}

static void __attribute__((format(printf, 2, 3)))
complain(const struct function *function, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	vgt_log(VGT_LOG_ERROR, "device %u: the machine's end: %s",
		function->device->number, line);
}

static int memory_set(struct function *function,
		      const struct vgt_proxy_message *message)
{
	const struct vgt_proxy_sysmem *sysmem = &message->sysmem;
	struct vgt_memory_part part[VGT_PROXY_REGIONS];
	int ret;

	for (uint32_t i = 0; i < message->fds; i++)
		part[i] = (struct vgt_memory_part){
			.phys = sysmem->phys[i],
			.len_bytes = sysmem->len_bytes[i],
			.offset = sysmem->offset[i],
			.fd = message->fd[i],
		};
	ret = vgt_memory_share(&function->device->memory, part, message->fds);
	if (ret == -EPERM)
		complain(function, "SYNC_SYSMEM: memory that can be made shorter");
	else if (ret)
		complain(function, "SYNC_SYSMEM: bad memory: %s",
			 strerror(-ret));
	vgt_device_remapped(function->device);
	return ret;
}

/* Halves of an entry, since not every driver writes it whole. */
static uint64_t ggtt_read(struct vgt_device *device, uint64_t offset,
			  uint32_t len_bytes)
{
	uint64_t entry = vgt_ggtt_get(&device->memory, (uint32_t)(offset / 8));

	entry >>= 8 * (offset % 8);
	return len_bytes == 8 ? entry : entry & ((1ULL << 8 * len_bytes) - 1);
}

static void ggtt_write(struct vgt_device *device, uint64_t offset,
		       uint32_t len_bytes, uint64_t value)
{
	uint32_t index = (uint32_t)(offset / 8);
	uint64_t entry = vgt_ggtt_get(&device->memory, index);
	uint32_t shift = 8 * (offset % 8);
	uint64_t mask = len_bytes == 8 ? UINT64_MAX :
			((1ULL << 8 * len_bytes) - 1) << shift;

	vgt_ggtt_set(&device->memory, index,
		     (entry & ~mask) | (value << shift & mask));
}

static uint64_t register_read(struct vgt_device *device, uint32_t offset,
			      uint32_t len_bytes)
{
	uint32_t word = offset & ~3U;
	uint64_t value = vgt_device_reg_read(device, word);

	if (len_bytes == 8)
		return value |
		       (uint64_t)vgt_device_reg_read(device, word + 4) << 32;
	value >>= 8 * (offset % 4);
	return value & ((1ULL << 8 * len_bytes) - 1);
}

static void word_write(struct vgt_device *device, uint32_t offset,
		       uint32_t value)
{
	if (!vgt_uncore_write(device, offset, value))
		vgt_device_reg_write(device, offset, value);
}

/* Registers are written as words: no driver does otherwise. */
static void register_write(struct vgt_device *device, uint32_t offset,
			   uint32_t len_bytes, uint64_t value)
{
	if (len_bytes < 4)
		return;
	word_write(device, offset, (uint32_t)value);
	if (len_bytes == 8)
		word_write(device, offset + 4, (uint32_t)(value >> 32));
}

static uint64_t window_read(struct vgt_device *device, uint64_t offset,
			    uint32_t len_bytes)
{
	void *at = vgt_ggtt_host(&device->memory, (uint32_t)offset);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, len_bytes);
	return value;
}

static void window_write(struct vgt_device *device, uint64_t offset,
			 uint32_t len_bytes, uint64_t value)
{
	void *at = vgt_ggtt_host(&device->memory, (uint32_t)offset);

	if (at)
		memcpy(at, &value, len_bytes);
}

static bool access_valid(const struct vgt_proxy_bar *bar)
{
	return bar->memory &&
	       (bar->len_bytes == 1 || bar->len_bytes == 2 ||
		bar->len_bytes == 4 || bar->len_bytes == 8) &&
	       !(bar->address % bar->len_bytes);
}

static uint64_t bar_access(struct vgt_device *device, int number,
			   uint64_t offset, const struct vgt_proxy_bar *bar,
			   bool write)
{
	uint32_t len = bar->len_bytes;

	if (number == 2 && write)
		window_write(device, offset, len, bar->value);
	else if (number == 2)
		return window_read(device, offset, len);
	else if (offset >= VGT_BAR0_GGTT && write)
		ggtt_write(device, offset - VGT_BAR0_GGTT, len, bar->value);
	else if (offset >= VGT_BAR0_GGTT)
		return ggtt_read(device, offset - VGT_BAR0_GGTT, len);
	else if (write)
		register_write(device, (uint32_t)offset, len, bar->value);
	else
		return register_read(device, (uint32_t)offset, len);
	return 0;
}

static int bar_message(struct function *function,
		       const struct vgt_proxy_message *message,
		       uint64_t *value_out)
{
	const struct vgt_proxy_bar *bar = &message->bar;
	bool write = message->command == VGT_PROXY_BAR_WRITE;
	uint64_t offset;
	int number = -1;

	if (access_valid(bar))
		number = vgt_config_bar(&function->config, bar->address,
					bar->len_bytes, &offset);
	if (number < 0) {
		complain(function, "%u bytes at 0x%llx: in no BAR",
			 bar->len_bytes, (unsigned long long)bar->address);
		return -EPROTO;
	}
	if (vgt_config_awake(&function->config))
		*value_out = bar_access(function->device, number, offset, bar,
					write);
	else if (!write)
		*value_out = NOT_THERE;
	return 0;
}

static int config_message(struct function *function,
			  const struct vgt_proxy_message *message,
			  uint64_t *value_out)
{
	const struct vgt_proxy_config *access = &message->config;
	uint32_t value = 0;
	int ret;

	pthread_mutex_lock(&function->lock);
	if (message->command == VGT_PROXY_CONFIG_READ)
		ret = vgt_config_read(&function->config, access->offset,
				      access->len_bytes, &value);
	else
		ret = vgt_config_write(&function->config, access->offset,
				       access->len_bytes, access->value);
	pthread_mutex_unlock(&function->lock);
	if (ret)
		complain(function, "%d bytes at 0x%x of the configuration",
			 access->len_bytes, access->offset);
	*value_out = value;
	return ret;
}

/* As after power-on, but for the machine's memory and the GGTT. */
static void function_reset(struct function *function)
{
	pthread_mutex_lock(&function->lock);
	vgt_config_init(&function->config);
	pthread_mutex_unlock(&function->lock);
	vgt_execlists_reset(function->device, VGT_RESET_ALL);
	vgt_interrupts_reset(function->device);
	vgt_device_reg_write(function->device, VGT_IOMMU_SHIFT, 0);
	vgt_mmio_reset(function->device->mmio);
	vgt_attention_reset(function->device);
	vgt_uncore_init(function->device);
}

static int handle(struct function *function,
		  const struct vgt_proxy_message *message, uint64_t *value_out)
{
	switch (message->command) {
	case VGT_PROXY_SYNC_SYSMEM:
		return memory_set(function, message);
	case VGT_PROXY_CONFIG_READ:
	case VGT_PROXY_CONFIG_WRITE:
		return config_message(function, message, value_out);
	case VGT_PROXY_BAR_READ:
	case VGT_PROXY_BAR_WRITE:
		return bar_message(function, message, value_out);
	case VGT_PROXY_DEVICE_RESET:
		function_reset(function);
		return 0;
	default:
		return 0;
	}
}

/* One message; false: the end. */
static bool serve_one(struct function *function)
{
	struct vgt_proxy_message message;
	uint64_t value = 0;
	char error[128];
	int ret = vgt_proxy_receive(function->socket, &message, error);

	if (ret < 0)
		complain(function, "%s", error);
	if (ret <= 0)
		return false;
	ret = handle(function, &message, &value);
	vgt_proxy_message_fini(&message);
	if (!ret && vgt_proxy_answered(&message))
		ret = vgt_proxy_answer(function->socket, value);
	return !ret;
}

static int start(struct function *function)
{
	struct vgt_device *device = function->device;
	int ret = vgt_msi_create(device->options->qtest, &function->msi);

	if (!ret)
		ret = vgt_interrupts_create(device, interrupt_send, function);
	if (!ret)
		ret = vgt_execlists_create(device);
	if (!ret)
		ret = vgt_device_start(device);
	if (ret)
		return ret;
	vgt_uncore_init(device);
	ret = vgt_memory_share(&device->memory, NULL, 0);
	return ret ? ret : vgt_execlists_start(device);
}

static void function_serve(struct vgt_connection *connection)
{
	struct function *function = connection->state;
	int ret;

	function->device = connection->device;
	ret = start(function);
	if (ret)
		vgt_log(VGT_LOG_ERROR, "device %u: cannot start: %s",
			function->device->number, strerror(-ret));
	while (!ret && serve_one(function))
		;
}

/* The device's own thread is the render engine's. */
static void function_idle(struct vgt_connection *connection)
{
	vgt_execlists_serve(connection->device);
}

static void function_stop(struct vgt_connection *connection)
{
	vgt_execlists_stop(connection->device);
}

/* EUs failed: the render engine hangs, and the driver sees to it. */
static void function_failed(struct vgt_connection *connection)
{
	vgt_log(VGT_LOG_INFO, "device %u: its driver may reset it",
		connection->device->number);
}

static void function_close(struct vgt_connection *connection)
{
	struct function *function = connection->state;

	if (function->device) {
		vgt_execlists_destroy(function->device);
		vgt_interrupts_destroy(function->device);
	}
	vgt_msi_destroy(function->msi);
	pthread_mutex_destroy(&function->lock);
	free(function);
}

static int function_open(struct vgt_connection *connection)
{
	struct function *function = calloc(1, sizeof(*function));

	if (!function)
		return -ENOMEM;
	function->socket = connection->socket;
	pthread_mutex_init(&function->lock, NULL);
	vgt_config_init(&function->config);
	connection->state = function;
	return 0;
}

const struct vgt_door vgt_pci_door = {
	.open = function_open,
	.serve = function_serve,
	.idle = function_idle,
	.stop = function_stop,
	.failed = function_failed,
	.close = function_close,
};
