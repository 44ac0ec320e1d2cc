// SPDX-License-Identifier: MIT
/*
 * The reader thread serves the door and sets @ended as the last thing that it
 * does; who reaps the connection (server.c) joins it, then ends the device.
 */
#include "host/connection.h"

#include "gt/attention.h"
#include "gt/device.h"
#include "gt/pool.h"
#include "host/log.h"
#include "host/peer.h"
#include "tier/tier.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void log_compiled(const struct vgt_device *device)
{
	const struct vgt_tier_spent *spent = vgt_tier_spent();
	uint32_t regions = atomic_load(&spent->regions);
	uint32_t stored = atomic_load(&spent->stored);

	if (stored)
		vgt_log(VGT_LOG_INFO, "device %u: %u regions from the code cache",
			device->number, stored);
	if (regions)
		vgt_log(VGT_LOG_INFO, "device %u: %u regions compiled, %.3f ms per 16 channels",
			device->number, regions,
			atomic_load(&spent->ns) / 1e6 /
			(atomic_load(&spent->lanes) / 16.0));
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

	connection->door->serve(connection);
	log_totals(connection->device);
	log_compiled(connection->device);
	shutdown(connection->socket, SHUT_RDWR);
	atomic_store(&connection->ended, true);
	if (write(connection->changed, &one, sizeof(one)) < 0)
		vgt_log(VGT_LOG_ERROR, "eventfd does not take a count");
	return NULL;
}

static void on_written(void *context, uint64_t phys)
{
	struct vgt_connection *connection = context;

	if (connection->door->written)
		connection->door->written(connection, phys);
}

static void on_idle(void *context)
{
	struct vgt_connection *connection = context;

	connection->door->idle(connection);
}

static void on_stop(void *context)
{
	struct vgt_connection *connection = context;

	connection->door->stop(connection);
}

/* The device is dead: let the program end instead of polling for ever. */
static void on_failed(void *context)
{
	struct vgt_connection *connection = context;

	if (connection->door->failed)
		connection->door->failed(connection);
	else
		shutdown(connection->socket, SHUT_RDWR);
}

int vgt_connection_create(const struct vgt_door *door,
			  const struct vgt_options *options, uint32_t number,
			  int socket, int changed,
			  struct vgt_connection **out)
{
	struct vgt_connection *connection = calloc(1, sizeof(*connection));
	struct vgt_device_listener listener = {
		.written = on_written,
		.failed = on_failed,
		.idle = door->idle ? on_idle : NULL,
		.stop = door->stop ? on_stop : NULL,
		.context = connection,
	};
	int ret = -ENOMEM;

	if (!connection)
		goto err_close;
	connection->door = door;
	connection->socket = socket;
	connection->changed = changed;
	ret = door->open(connection);
	if (ret)
		goto err_free;
	ret = vgt_device_create(options, number, socket, &listener,
				&connection->device);
	if (ret)
		goto err_door;
	ret = -pthread_create(&connection->thread, NULL, reader_thread,
			      connection);
	if (ret)
		goto err_device;
	*out = connection;
	return 0;

err_device:
	vgt_device_destroy(connection->device);
err_door:
	door->close(connection);
err_free:
	free(connection);
err_close:
	vgt_peer_close(socket);
	return ret;
}

void vgt_connection_destroy(struct vgt_connection *connection)
{
	if (!connection)
		return;
	shutdown(connection->socket, SHUT_RDWR);
	/* Its reader may wait for room behind a kernel without end. */
	vgt_device_abandon(connection->device);
	pthread_join(connection->thread, NULL);
	vgt_device_stop(connection->device);
	connection->door->close(connection);
	vgt_device_destroy(connection->device);
	vgt_peer_close(connection->socket);
	free(connection);
}

bool vgt_connection_ended(const struct vgt_connection *connection)
{
	return atomic_load(&connection->ended);
}
