// SPDX-License-Identifier: MIT
/*
 * The reader thread owns the buffer and feeds the device. The device writes to the
 * socket as well, when a command writes to a page whose READ is held: answers are
 * sent under the lock, each whole. The reader sets @ended as the last thing that
 * it does; who reaps the connection (server.c) joins it, then ends the device.
 */
#include "host/connection.h"

#include "gt/attention.h"
#include "gt/device.h"
#include "gt/ggtt.h"
#include "gt/pool.h"
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

struct vgt_connection {
	struct vgt_device *device;
	int socket;
	int changed; /* eventfd of the server */
	pthread_t thread;
	_Atomic bool ended;

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

static int send_all(struct vgt_connection *connection, const uint8_t *data,
		    size_t len_bytes)
{
	ssize_t n;

	while (len_bytes) {
		n = send(connection->socket, data, len_bytes, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EPIPE;
		data += n;
		len_bytes -= n;
	}
	return 0;
}

static int reply_locked(struct vgt_connection *connection,
			const struct vgt_tbx_message *message)
{
	size_t header = vgt_tbx_read_response(connection->reply, message);
	uint64_t phys = vgt_upload_address(message->phys);

	if (vgt_memory_read(&connection->device->memory, phys,
			    connection->reply + header, message->len_bytes)) {
		vgt_log(VGT_LOG_ERROR,
			"device %u: READ of %u bytes at 0x%llx: outside of memory",
			connection->device->number, message->len_bytes,
			(unsigned long long)message->phys);
		return -EPROTO;
	}
	return send_all(connection, connection->reply,
			header + message->len_bytes);
}

static int release_locked(struct vgt_connection *connection)
{
	if (!connection->holding)
		return 0;
	connection->holding = false;
	return reply_locked(connection, &connection->held);
}

static int release(struct vgt_connection *connection)
{
	int ret;

	pthread_mutex_lock(&connection->lock);
	ret = release_locked(connection);
	pthread_mutex_unlock(&connection->lock);
	return ret;
}

/* A command wrote at @phys: answer who polls there. Device's thread. */
static void on_written(void *context, uint64_t phys)
{
	struct vgt_connection *connection = context;
	uint64_t page = phys / VGT_PAGE_BYTES;

	pthread_mutex_lock(&connection->lock);
	connection->polled_page = page;
	if (connection->holding &&
	    vgt_upload_address(connection->held.phys) / VGT_PAGE_BYTES == page)
		release_locked(connection);
	pthread_mutex_unlock(&connection->lock);
}

/* The device is dead: let the program end instead of polling for ever. */
static void on_failed(void *context)
{
	struct vgt_connection *connection = context;

	shutdown(connection->socket, SHUT_RDWR);
}

static int on_read(struct vgt_connection *connection,
		   const struct vgt_tbx_message *message)
{
	uint64_t page = vgt_upload_address(message->phys) / VGT_PAGE_BYTES;
	bool busy;
	int ret = 0;

	pthread_mutex_lock(&connection->lock);
	ret = release_locked(connection);
	/* The order matters: a write after this look finds @holding set. */
	busy = atomic_load(&connection->device->submitted);
	if (!ret && busy && page == connection->polled_page) {
		connection->held = *message;
		connection->holding = true;
	} else if (!ret) {
		ret = reply_locked(connection, message);
	}
	pthread_mutex_unlock(&connection->lock);
	return ret;
}

static int on_mmio(struct vgt_connection *connection,
		   const struct vgt_tbx_message *message)
{
	uint8_t reply[16];
	uint32_t value;

	if (message->write) {
		vgt_device_reg_write(connection->device, message->offset,
				     (uint32_t)message->value);
		return 0;
	}
	value = vgt_device_reg_read(connection->device, message->offset);
	return send_all(connection, reply,
			vgt_tbx_mmio_response(reply, message->trans_id, value));
}

static int handle(struct vgt_connection *connection,
		  const struct vgt_tbx_message *message)
{
	struct vgt_device *device = connection->device;
	int ret;

	if (message->type == VGT_TBX_CONTROL)
		return 0;
	ret = vgt_device_start(device);
	if (ret) {
		vgt_log(VGT_LOG_ERROR, "device %u: cannot start: %s",
			device->number, strerror(-ret));
		return ret;
	}
	switch (message->type) {
	case VGT_TBX_MMIO:
		return on_mmio(connection, message);
	case VGT_TBX_GTT:
		ret = vgt_ggtt_set(&device->memory, message->offset,
				   message->value);
		break;
	case VGT_TBX_READ:
		return on_read(connection, message);
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
static int drain(struct vgt_connection *connection)
{
	struct vgt_tbx_message message;
	size_t done = 0;
	char error[128];
	ssize_t n;

	for (;;) {
		n = vgt_tbx_parse(connection->buffer + done,
				  connection->filled - done, &message, error);
		if (n < 0) {
			vgt_log(VGT_LOG_ERROR, "device %u: %s",
				connection->device->number, error);
			return -EPROTO;
		}
		if (!n)
			break;
		if (handle(connection, &message))
			return -EPROTO;
		done += n;
	}
	connection->filled -= done;
	memmove(connection->buffer, connection->buffer + done,
		connection->filled);
	return 0;
}

/* Returns false when the other side has closed or the socket failed. */
static bool receive(struct vgt_connection *connection)
{
	struct pollfd wait = { .fd = connection->socket, .events = POLLIN };
	int on = 1;
	ssize_t n;

	if (connection->holding && !poll(&wait, 1, HOLD_MS) &&
	    release(connection))
		return false;
	/*
	 * The client leaves Nagle's algorithm on: its last small piece waits
	 * for our acknowledgement. The kernel forgets this option in time.
	 */
	setsockopt(connection->socket, IPPROTO_TCP, TCP_QUICKACK, &on,
		   sizeof(on));
	do {
		n = recv(connection->socket,
			 connection->buffer + connection->filled,
			 BUFFER_BYTES - connection->filled, 0);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	connection->filled += n;
	return true;
}

static void log_totals(struct vgt_device *device)
{
	struct vgt_attention_totals debug;
	struct vgt_pool_totals totals;

	if (!device->pool)
		return;
	vgt_pool_totals(device->pool, &totals);
	vgt_attention_totals(device, &debug);
	vgt_log(VGT_LOG_INFO,
		"device %u: closed: %llu walkers, %llu.%06llu s on the EUs, %llu instructions, %llu SIP entries, %llu stops, %llu KiB uploaded, %llu KiB in memory",
		device->number, (unsigned long long)totals.walkers,
		(unsigned long long)(totals.run_ns / 1000000000),
		(unsigned long long)(totals.run_ns / 1000 % 1000000),
		(unsigned long long)totals.instructions,
		(unsigned long long)debug.entries,
		(unsigned long long)debug.stops,
		(unsigned long long)(device->uploaded_bytes / 1024),
		(unsigned long long)(vgt_memory_used(&device->memory) / 1024));
}

static void *reader_thread(void *argument)
{
	struct vgt_connection *connection = argument;
	uint64_t one = 1;
	int ret = 0;

	while (!ret && receive(connection))
		ret = drain(connection);
	if (!ret && connection->filled)
		vgt_log(VGT_LOG_WARN,
			"device %u: connection ends inside a message",
			connection->device->number);
	log_totals(connection->device);
	shutdown(connection->socket, SHUT_RDWR);
	atomic_store(&connection->ended, true);
	if (write(connection->changed, &one, sizeof(one)) < 0)
		vgt_log(VGT_LOG_ERROR, "eventfd does not take a count");
	return NULL;
}

static void socket_tune(int socket)
{
	int on = 1, bytes = SOCKET_BYTES;

	setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

int vgt_connection_create(const struct vgt_options *options, uint32_t number,
			  int socket, int changed,
			  struct vgt_connection **out)
{
	struct vgt_connection *connection = calloc(1, sizeof(*connection));
	struct vgt_device_listener listener = {
		.written = on_written,
		.failed = on_failed,
		.context = connection,
	};
	int ret = -ENOMEM;

	if (!connection)
		goto err_close;
	connection->socket = socket;
	connection->changed = changed;
	connection->polled_page = UINT64_MAX;
	connection->buffer = malloc(BUFFER_BYTES);
	connection->reply = malloc(VGT_TBX_MESSAGE_MAX);
	pthread_mutex_init(&connection->lock, NULL);
	if (!connection->buffer || !connection->reply)
		goto err_free;
	socket_tune(socket);
	ret = vgt_device_create(options, number, socket, &listener,
				&connection->device);
	if (ret)
		goto err_free;
	ret = -pthread_create(&connection->thread, NULL, reader_thread,
			      connection);
	if (ret)
		goto err_device;
	*out = connection;
	return 0;

err_device:
	vgt_device_destroy(connection->device);
err_free:
	pthread_mutex_destroy(&connection->lock);
	free(connection->reply);
	free(connection->buffer);
	free(connection);
err_close:
	close(socket);
	return ret;
}

void vgt_connection_destroy(struct vgt_connection *connection)
{
	if (!connection)
		return;
	shutdown(connection->socket, SHUT_RDWR);
	pthread_join(connection->thread, NULL);
	vgt_device_destroy(connection->device);
	close(connection->socket);
	pthread_mutex_destroy(&connection->lock);
	free(connection->reply);
	free(connection->buffer);
	free(connection);
}

bool vgt_connection_ended(const struct vgt_connection *connection)
{
	return atomic_load(&connection->ended);
}

struct vgt_device *vgt_connection_device(struct vgt_connection *connection)
{
	return connection->device;
}
