// SPDX-License-Identifier: MIT
/*
 * Three threads meet here: the one that accepts, the caller that reaps and lists,
 * and readers, which only raise the event. A connection is destroyed under the
 * lock, so that none that vgt_server_devices() returns can go while it looks; the
 * caller of that must not reap at the same time.
 */
#include "host/server.h"

#include "drm/door.h"
#include "eu/handler.h"
#include "gt/device.h"
#include "host/client.h"
#include "host/connection.h"
#include "host/log.h"
#include "host/peer.h"
#include "host/simulator.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 64

struct vgt_server {
	struct vgt_options options;
	int socket;
	uint16_t port;
	int changed; /* eventfd: a connection came or went */
	int stop; /* eventfd: the acceptor is to leave */
	int clients; /* where they are handed over; -1: none are */
	int nodes; /* where libraries come that make render nodes */
	pthread_t thread;
	bool was_full; /* the acceptor's own: that was said */

	pthread_mutex_t lock;
	/* Protected by @lock. */
	struct vgt_connection **connection;
	uint32_t count;
	uint32_t accepted;
	_Atomic bool used;
};

static void notify(int event)
{
	uint64_t one = 1;

	if (write(event, &one, sizeof(one)) < 0)
		vgt_log(VGT_LOG_ERROR, "eventfd does not take a count");
}

static void connection_add(struct vgt_server *server,
			   const struct vgt_door *door, int socket)
{
	struct vgt_connection **array;
	int ret;

	pthread_mutex_lock(&server->lock);
	array = realloc(server->connection,
			(server->count + 1) * sizeof(*array));
	if (array) {
		server->connection = array;
		ret = vgt_connection_create(door, &server->options,
					    ++server->accepted, socket,
					    server->changed,
					    &array[server->count]);
		if (!ret)
			server->count++;
	} else {
		ret = -ENOMEM;
		vgt_peer_close(socket);
	}
	pthread_mutex_unlock(&server->lock);
	if (ret)
		vgt_log(VGT_LOG_ERROR, "cannot serve a connection: error %d",
			-ret);
	notify(server->changed);
}

/* Who waits in a queue of ours stays there: poll() would return at once. */
static bool is_full(struct vgt_server *server, int error)
{
	if (error != -EMFILE && error != -ENFILE && error != -ENOMEM) {
		server->was_full = false;
		return false;
	}
	if (!server->was_full)
		vgt_log(VGT_LOG_ERROR, "too many connections: %s",
			strerror(-error));
	server->was_full = true;
	poll(&(struct pollfd){ .fd = server->stop, .events = POLLIN }, 1, 100);
	return true;
}

static void node_add(struct vgt_server *server)
{
	int socket = vgt_drm_accept(server->nodes);

	if (is_full(server, socket))
		return;
	if (socket >= 0)
		connection_add(server, &vgt_drm_door, socket);
	else if (socket != -EAGAIN)
		vgt_log(VGT_LOG_WARN, "a program is not served: %s",
			strerror(-socket));
}

/*
 * Root's programs, too, as setuid programs are. Other machines come only where somebody
 * has it listen for them.
 */
static bool may_connect(int socket)
{
	uid_t user;
	int ret;

	if (!geteuid())
		return true;
	ret = vgt_peer_user(socket, &user);
	return ret == -EREMOTE || (!ret && (!user || vgt_peer_is_served(user)));
}

static void program_add(struct vgt_server *server)
{
	int socket = accept4(server->socket, NULL, NULL, SOCK_CLOEXEC);

	if (is_full(server, socket < 0 ? -errno : 0) || socket < 0)
		return;
	if (may_connect(socket)) {
		connection_add(server, &vgt_simulator_door, socket);
	} else {
		vgt_log(VGT_LOG_WARN, "another user's program is not served");
		close(socket);
	}
}

static void *accept_thread(void *argument)
{
	struct vgt_server *server = argument;
	struct pollfd wait[] = {
		{ .fd = server->socket, .events = POLLIN },
		{ .fd = server->stop, .events = POLLIN },
		{ .fd = server->clients, .events = POLLIN },
		{ .fd = server->nodes, .events = POLLIN },
		{ .fd = server->clients < 0 ? -1 : vgt_client_ended(),
		  .events = POLLIN },
	};

	for (;;) {
		if (poll(wait, sizeof(wait) / sizeof(*wait), -1) < 0 && errno != EINTR) {
			vgt_log(VGT_LOG_ERROR, "nobody is let in any more: poll: %s",
				strerror(errno));
			break;
		}
		if (wait[1].revents)
			break;
		if (wait[2].revents)
			is_full(server, vgt_client_take(server->clients));
		if (wait[4].revents)
			vgt_client_reap();
		if (wait[3].revents)
			node_add(server);
		if (wait[0].revents)
			program_add(server);
	}
	return NULL;
}

static int listen_on(struct vgt_server *server, const char *address,
		     uint16_t port)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
	};
	socklen_t len = sizeof(sin);
	int on = 1;

	if (inet_pton(AF_INET, address ? address : "127.0.0.1",
		      &sin.sin_addr) != 1)
		return -EINVAL;
	server->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server->socket < 0)
		return -errno;
	setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(server->socket, (struct sockaddr *)&sin, sizeof(sin)) ||
	    listen(server->socket, BACKLOG) ||
	    getsockname(server->socket, (struct sockaddr *)&sin, &len))
		return -errno;
	server->port = ntohs(sin.sin_port);
	return 0;
}

/* Without it programs run as well, and are not debugged. */
static void clients_listen(struct vgt_server *server)
{
	if (!server->options.offer)
		return;
	server->clients = vgt_client_ended();
	if (server->clients >= 0)
		server->clients = vgt_client_listen(server->port);
	if (server->clients < 0)
		vgt_log(VGT_LOG_WARN, "programs cannot be debugged: error %d",
			-server->clients);
}

static void server_free(struct vgt_server *server)
{
	if (server->socket >= 0)
		close(server->socket);
	if (server->changed >= 0)
		close(server->changed);
	if (server->stop >= 0)
		close(server->stop);
	/* Programs may wait in these queues, with what is slow to close. */
	if (server->clients >= 0)
		vgt_peer_close(server->clients);
	if (server->nodes >= 0)
		vgt_peer_close(server->nodes);
	pthread_mutex_destroy(&server->lock);
	free(server->connection);
	free(server);
}

int vgt_server_create(const struct vgt_options *options, const char *address,
		      uint16_t port, struct vgt_server **out)
{
	struct vgt_server *server = calloc(1, sizeof(*server));
	int ret;

	if (!server)
		return -ENOMEM;
	server->options = *options;
	vgt_handler_slow(options->slow_engine);
	server->socket = -1;
	server->clients = -1;
	server->nodes = -1;
	pthread_mutex_init(&server->lock, NULL);
	server->changed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	server->stop = eventfd(0, EFD_CLOEXEC);
	if (server->changed < 0 || server->stop < 0)
		ret = -errno;
	else
		ret = listen_on(server, address, port);
	if (!ret)
		clients_listen(server);
	if (!ret) {
		server->nodes = vgt_drm_listen(server->port);
		ret = server->nodes < 0 ? server->nodes : 0;
	}
	if (!ret)
		ret = -pthread_create(&server->thread, NULL, accept_thread,
				      server);
	if (ret) {
		server_free(server);
		return ret;
	}
	*out = server;
	return 0;
}

void vgt_server_destroy(struct vgt_server *server)
{
	if (!server)
		return;
	notify(server->stop);
	pthread_join(server->thread, NULL);
	for (uint32_t i = 0; i < server->count; i++)
		vgt_connection_destroy(server->connection[i]);
	server_free(server);
}

uint16_t vgt_server_port(const struct vgt_server *server)
{
	return server->port;
}

int vgt_server_event(const struct vgt_server *server)
{
	return server->changed;
}

uint32_t vgt_server_devices(struct vgt_server *server,
			    struct vgt_device **device_out, uint32_t max)
{
	struct vgt_device *device;
	uint32_t n = 0;

	pthread_mutex_lock(&server->lock);
	for (uint32_t i = 0; i < server->count && n < max; i++) {
		device = server->connection[i]->device;
		if (atomic_load(&device->started))
			device_out[n++] = device;
	}
	pthread_mutex_unlock(&server->lock);
	return n;
}

uint32_t vgt_server_reap(struct vgt_server *server)
{
	struct vgt_device *device;
	uint32_t kept = 0;

	pthread_mutex_lock(&server->lock);
	for (uint32_t i = 0; i < server->count; i++) {
		device = server->connection[i]->device;
		if (atomic_load(&device->started))
			server->used = true;
		if (vgt_connection_ended(server->connection[i]))
			vgt_connection_destroy(server->connection[i]);
		else
			server->connection[kept++] = server->connection[i];
	}
	server->count = kept;
	pthread_mutex_unlock(&server->lock);
	return kept;
}

bool vgt_server_used(const struct vgt_server *server)
{
	return server->used;
}

bool vgt_server_wait(struct vgt_server *server, int timeout_ms)
{
	struct pollfd wait = { .fd = server->changed, .events = POLLIN };
	uint64_t count;

	if (poll(&wait, 1, timeout_ms) <= 0)
		return false;
	return read(server->changed, &count, sizeof(count)) > 0;
}
