// SPDX-License-Identifier: MIT
#include "pci/msi.h"

#include "host/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Where messages to interrupt controllers go; other writes are no interrupts. */
#define MSI_FIRST 0xfee00000ULL
#define MSI_LAST 0xfeefffffULL

#define PATIENCE_MS 100

struct vgt_msi {
	char *path;
	int socket; /* the thread's own; -1: not open */
	int wake; /* eventfd */
	pthread_t thread;
	bool lost; /* said so */

	pthread_mutex_t lock;
	/* Protected by @lock. */
	uint64_t address;
	uint32_t data;
	bool pending, ending;
};

static void wake(struct vgt_msi *msi)
{
	uint64_t one = 1;

	if (write(msi->wake, &one, sizeof(one)) < 0)
		vgt_log(VGT_LOG_ERROR, "eventfd does not take a count");
}

static int socket_open(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int ret, fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

static bool is_ending(struct vgt_msi *msi)
{
	bool ending;

	pthread_mutex_lock(&msi->lock);
	ending = msi->ending;
	pthread_mutex_unlock(&msi->lock);
	return ending;
}

/* An answer says that the write was done: until then QEMU takes no other. */
static bool answer_wait(struct vgt_msi *msi)
{
	struct pollfd wait = { .fd = msi->socket, .events = POLLIN };
	char text[64];
	ssize_t n;

	while (!is_ending(msi)) {
		if (poll(&wait, 1, PATIENCE_MS) <= 0)
			continue;
		n = recv(msi->socket, text, sizeof(text), 0);
		if (n <= 0)
			return false;
		if (memchr(text, '\n', n))
			return true;
	}
	return true;
}

static bool transmit(struct vgt_msi *msi, uint64_t address, uint32_t data)
{
	char line[64];
	int len = snprintf(line, sizeof(line), "writel 0x%llx 0x%x\n",
			   (unsigned long long)address, data);

	if (msi->socket < 0)
		msi->socket = socket_open(msi->path);
	if (msi->socket < 0)
		return false;
	return send(msi->socket, line, len, MSG_NOSIGNAL) == len &&
	       answer_wait(msi);
}

static void deliver(struct vgt_msi *msi, uint64_t address, uint32_t data)
{
	if (transmit(msi, address, data))
		return;
	if (msi->socket >= 0)
		close(msi->socket);
	msi->socket = -1;
	if (!msi->lost)
		vgt_log(VGT_LOG_WARN, "no interrupts: the socket %s of QEMU's is gone",
			msi->path);
	msi->lost = true;
}

static void *msi_thread(void *argument)
{
	struct vgt_msi *msi = argument;
	bool pending, ending;
	uint64_t count, address;
	uint32_t data;

	for (;;) {
		if (read(msi->wake, &count, sizeof(count)) < 0 && errno != EINTR)
			break;
		pthread_mutex_lock(&msi->lock);
		pending = msi->pending;
		ending = msi->ending;
		address = msi->address;
		data = msi->data;
		msi->pending = false;
		pthread_mutex_unlock(&msi->lock);
		if (ending)
			break;
		if (pending)
			deliver(msi, address, data);
	}
	return NULL;
}

int vgt_msi_create(const char *path, struct vgt_msi **msi_out)
{
	struct vgt_msi *msi = calloc(1, sizeof(*msi));
	int ret = -ENOMEM;

	if (!msi)
		return ret;
	msi->socket = -1;
	msi->path = strdup(path ? path : "");
	if (!msi->path)
		goto err_free;
	msi->wake = eventfd(0, EFD_CLOEXEC);
	ret = -errno;
	if (msi->wake < 0)
		goto err_path;
	pthread_mutex_init(&msi->lock, NULL);
	ret = -pthread_create(&msi->thread, NULL, msi_thread, msi);
	if (ret)
		goto err_lock;
	*msi_out = msi;
	return 0;

err_lock:
	pthread_mutex_destroy(&msi->lock);
	close(msi->wake);
err_path:
	free(msi->path);
err_free:
	free(msi);
	return ret;
}

void vgt_msi_destroy(struct vgt_msi *msi)
{
	if (!msi)
		return;
	pthread_mutex_lock(&msi->lock);
	msi->ending = true;
	pthread_mutex_unlock(&msi->lock);
	wake(msi);
	pthread_join(msi->thread, NULL);
	if (msi->socket >= 0)
		close(msi->socket);
	pthread_mutex_destroy(&msi->lock);
	close(msi->wake);
	free(msi->path);
	free(msi);
}

void vgt_msi_send(struct vgt_msi *msi, uint64_t address, uint32_t data)
{
	if (address < MSI_FIRST || address > MSI_LAST)
		return;
	pthread_mutex_lock(&msi->lock);
	msi->address = address;
	msi->data = data;
	msi->pending = true;
	pthread_mutex_unlock(&msi->lock);
	wake(msi);
}
