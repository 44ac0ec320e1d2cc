// SPDX-License-Identifier: MIT
/*
 * The reader thread owns the buffer and feeds the device. The device writes to the
 * socket as well, when a command writes to a page whose READ is held: answers are
 * sent under the lock, each whole.
 */
#include "host/simulator.h"

#include "gt/device.h"
#include "gt/ggtt.h"
#include "host/connection.h"
#include "host/log.h"
#include "host/tbx.h"
#include "host/upload.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_BYTES (2U * VGT_TBX_MESSAGE_MAX)
#define SOCKET_BYTES (4 << 20)
#define HOLD_MS 2

struct simulator {
	struct vgt_device *device;
	int socket;

	/* The reader's own. */
	uint8_t *buffer;
	size_t filled;

	pthread_mutex_t lock;
	/* Protected by @lock. */
	struct vgt_tbx_message held; /* a READ without an answer yet */
	_Atomic bool holding;
	uint64_t polled_page; /* where the last post-sync write went */
	uint8_t *reply;
};

static int send_all(struct simulator *simulator, const uint8_t *data,
		    size_t len_bytes)
{
	ssize_t n;

	while (len_bytes) {
		n = send(simulator->socket, data, len_bytes, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EPIPE;
		data += n;
		len_bytes -= n;
	}
	return 0;
}

static int reply_locked(struct simulator *simulator,
			const struct vgt_tbx_message *message)
{
	size_t header = vgt_tbx_read_response(simulator->reply, message);
	uint64_t phys = vgt_upload_address(message->phys);

	if (vgt_memory_read(&simulator->device->memory, phys,
			    simulator->reply + header, message->len_bytes)) {
		vgt_log(VGT_LOG_ERROR,
			"device %u: READ of %u bytes at 0x%llx: outside of memory",
			simulator->device->number, message->len_bytes,
			(unsigned long long)message->phys);
		return -EPROTO;
	}
	return send_all(simulator, simulator->reply,
			header + message->len_bytes);
}

static int release_locked(struct simulator *simulator)
{
	if (!simulator->holding)
		return 0;
	simulator->holding = false;
	return reply_locked(simulator, &simulator->held);
}

static int release(struct simulator *simulator)
{
	int ret;

	pthread_mutex_lock(&simulator->lock);
	ret = release_locked(simulator);
	pthread_mutex_unlock(&simulator->lock);
	return ret;
}

/* A command wrote at @phys: answer who polls there. Device's thread. */
static void simulator_written(struct vgt_connection *served, uint64_t phys)
{
	struct simulator *simulator = served->state;
	uint64_t page = phys / VGT_PAGE_BYTES;

	pthread_mutex_lock(&simulator->lock);
	simulator->polled_page = page;
	if (simulator->holding &&
	    vgt_upload_address(simulator->held.phys) / VGT_PAGE_BYTES == page)
		release_locked(simulator);
	pthread_mutex_unlock(&simulator->lock);
}

static int on_read(struct simulator *simulator,
		   const struct vgt_tbx_message *message)
{
	uint64_t page = vgt_upload_address(message->phys) / VGT_PAGE_BYTES;
	bool busy;
	int ret = 0;

	pthread_mutex_lock(&simulator->lock);
	ret = release_locked(simulator);
	/* The order matters: a write after this look finds @holding set. */
	busy = vgt_device_pending(simulator->device);
	if (!ret && busy && page == simulator->polled_page) {
		simulator->held = *message;
		simulator->holding = true;
	} else if (!ret) {
		ret = reply_locked(simulator, message);
	}
	pthread_mutex_unlock(&simulator->lock);
	return ret;
}

static int on_mmio(struct simulator *simulator,
		   const struct vgt_tbx_message *message)
{
	uint8_t reply[16];
	uint32_t value;

	if (message->write) {
		vgt_device_reg_write(simulator->device, message->offset,
				     (uint32_t)message->value);
		return 0;
	}
	value = vgt_device_reg_read(simulator->device, message->offset);
	return send_all(simulator, reply,
			vgt_tbx_mmio_response(reply, message->trans_id, value));
}

static int device_start(struct vgt_device *device)
{
	int ret;

	if (atomic_load(&device->started))
		return 0;
	ret = vgt_device_start(device);
	if (ret)
		vgt_log(VGT_LOG_ERROR, "device %u: cannot start: %s",
			device->number, strerror(-ret));
	else
		vgt_device_offer(device);
	return ret;
}

static int handle(struct simulator *simulator,
		  const struct vgt_tbx_message *message)
{
	struct vgt_device *device = simulator->device;
	int ret;

	if (message->type == VGT_TBX_CONTROL)
		return 0;
	ret = device_start(device);
	if (ret)
		return ret;
	switch (message->type) {
	case VGT_TBX_MMIO:
		return on_mmio(simulator, message);
	case VGT_TBX_GTT:
		ret = vgt_ggtt_set(&device->memory, message->offset,
				   message->value);
		break;
	case VGT_TBX_READ:
		return on_read(simulator, message);
	default:
		ret = vgt_upload(device, message->phys, message->payload,
				 message->len_bytes);
	}
	if (ret)
		vgt_log(VGT_LOG_ERROR, "device %u: %s 0x%llx: outside of memory",
			device->number,
			message->type == VGT_TBX_GTT ? "GTT entry" :
			"WRITE of data at", message->type == VGT_TBX_GTT ?
			(unsigned long long)message->offset :
			(unsigned long long)message->phys);
	return ret;
}

/* Handle all whole messages in the buffer. */
static int drain(struct simulator *simulator)
{
	struct vgt_tbx_message message;
	size_t done = 0;
	char error[128];
	ssize_t n;

	for (;;) {
		n = vgt_tbx_parse(simulator->buffer + done,
				  simulator->filled - done, &message, error);
		if (n < 0) {
			vgt_log(VGT_LOG_ERROR, "device %u: %s",
				simulator->device->number, error);
			return -EPROTO;
		}
		if (!n)
			break;
		if (handle(simulator, &message))
			return -EPROTO;
		done += n;
	}
	simulator->filled -= done;
	memmove(simulator->buffer, simulator->buffer + done,
		simulator->filled);
	return 0;
}

/* Returns false when the other side has closed or the socket failed. */
static bool receive(struct simulator *simulator)
{
	struct pollfd wait = { .fd = simulator->socket, .events = POLLIN };
	int on = 1;
	ssize_t n;

	if (simulator->holding && !poll(&wait, 1, HOLD_MS) &&
	    release(simulator))
		return false;
	/*
	 * The client leaves Nagle's algorithm on: its last small piece waits
	 * for our acknowledgement. The kernel forgets this option in time.
	 */
	setsockopt(simulator->socket, IPPROTO_TCP, TCP_QUICKACK, &on,
		   sizeof(on));
	do {
		n = recv(simulator->socket,
			 simulator->buffer + simulator->filled,
			 BUFFER_BYTES - simulator->filled, 0);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	simulator->filled += n;
	return true;
}

static void simulator_serve(struct vgt_connection *connection)
{
	struct simulator *simulator = connection->state;
	int ret = 0;

	simulator->device = connection->device;
	while (!ret && receive(simulator))
		ret = drain(simulator);
	if (!ret && simulator->filled)
		vgt_log(VGT_LOG_WARN,
			"device %u: connection ends inside a message",
			simulator->device->number);
}

static void socket_tune(int socket)
{
	int on = 1, bytes = SOCKET_BYTES;

	setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

static void simulator_close(struct vgt_connection *connection)
{
	struct simulator *simulator = connection->state;

	pthread_mutex_destroy(&simulator->lock);
	free(simulator->reply);
	free(simulator->buffer);
	free(simulator);
}

static int simulator_open(struct vgt_connection *connection)
{
	struct simulator *simulator = calloc(1, sizeof(*simulator));

	if (!simulator)
		return -ENOMEM;
	simulator->socket = connection->socket;
	simulator->polled_page = UINT64_MAX;
	simulator->buffer = malloc(BUFFER_BYTES);
	simulator->reply = malloc(VGT_TBX_MESSAGE_MAX);
	pthread_mutex_init(&simulator->lock, NULL);
	connection->state = simulator;
	if (!simulator->buffer || !simulator->reply) {
		simulator_close(connection);
		return -ENOMEM;
	}
	socket_tune(simulator->socket);
	return 0;
}

const struct vgt_door vgt_simulator_door = {
	.open = simulator_open,
	.serve = simulator_serve,
	.written = simulator_written,
	.close = simulator_close,
};
