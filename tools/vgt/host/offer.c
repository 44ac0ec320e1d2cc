// SPDX-License-Identifier: MIT
/*
 * One thread per offer carries out the module's requests. It never waits for
 * an EU thread: a request ends in a store, a flag and a wake-up.
 */
#include "host/offer.h"

#include "gt/attention.h"
#include "gt/device.h"
#include "gt/mmio.h"
#include "host/client.h"
#include "host/log.h"
#include "host/peer.h"
#include <linux/gtdbg.h>
#include <linux/gtdbg_vgt.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MODULE_PATH "/dev/gtdbg-vgt"
#define REQUESTS 32

struct vgt_offer {
	struct vgt_device *device;
	int fd;
	int end; /* eventfd */
	void *window;
	pthread_t thread;
};

bool vgt_offer_possible(void)
{
	if (!access(MODULE_PATH, R_OK | W_OK))
		return true;
	if (errno != ENOENT)
		vgt_log(VGT_LOG_WARN, "programs cannot be debugged: %s: %s",
			MODULE_PATH, strerror(errno));
	return false;
}

static void request_run(struct vgt_device *device,
			const struct gtdbg_vgt_request *request)
{
	uint32_t subslices = 0;

	if (!(request->flags & GTDBG_VGT_REQUEST_F_STEERED)) {
		vgt_device_reg_write(device, request->offset, request->value);
		return;
	}
	if (request->flags & GTDBG_VGT_REQUEST_F_MULTICAST)
		subslices = VGT_SUBSLICES_ALL;
	else if (!request->slice && request->subslice < VGT_DSS)
		subslices = 1U << request->subslice;
	vgt_attention_steered_write(device, request->offset, request->value,
				    subslices);
}

/* Returns false if the module is gone. */
static bool requests_run(struct vgt_offer *offer)
{
	struct gtdbg_vgt_request request[REQUESTS];
	struct gtdbg_vgt_ack ack;
	ssize_t len = read(offer->fd, request, sizeof(request));
	size_t count;

	if (len < 0)
		return errno == EAGAIN || errno == EINTR;
	count = (size_t)len / sizeof(request[0]);
	if (!count)
		return false;
	for (size_t i = 0; i < count; i++)
		request_run(offer->device, &request[i]);
	vgt_mmio_publish_time(offer->device->mmio);
	ack.seqno = request[count - 1].seqno;
	return write(offer->fd, &ack, sizeof(ack)) == sizeof(ack);
}

static void *offer_thread(void *argument)
{
	struct vgt_offer *offer = argument;
	struct pollfd wait[2] = {
		{ .fd = offer->fd, .events = POLLIN },
		{ .fd = offer->end, .events = POLLIN },
	};

	for (;;) {
		if (poll(wait, 2, -1) < 0 && errno != EINTR)
			break;
		if (wait[1].revents)
			return NULL;
		/* The last requests leave the device in order. */
		if (wait[0].revents & POLLIN ?
			    !requests_run(offer) :
			    wait[0].revents & (POLLERR | POLLHUP | POLLNVAL))
			break;
	}
	vgt_log(VGT_LOG_WARN, "device %u: the kernel module takes no more offers: %s",
		offer->device->number, strerror(errno));
	return NULL;
}

/* The client whose runtime is at the other end of @device's connection. */
static int client_find(const struct vgt_device *device, pid_t *pid_out)
{
	int ret = vgt_peer_process(device->socket, pid_out);

	return ret ? ret : vgt_client_get(*pid_out);
}

static int offer_make(struct vgt_offer *offer)
{
	struct vgt_device *device = offer->device;
	struct gtdbg_vgt_offer argument = {
		.platform = GTDBG_PLATFORM_GEN12LP,
		.memory_fd = device->memory.fd,
		.memory_bytes = VGT_MEMORY_BYTES,
		.ggtt_address = VGT_GGTT_BASE,
		.ggtt_entries = VGT_GGTT_BYTES / 8,
		.slices = 1,
		.subslices = VGT_DSS,
		.eus = 16,
		.threads = 7,
	};
	pid_t pid;
	int ret;

	argument.client_fd = client_find(device, &pid);
	if (argument.client_fd < 0)
		return argument.client_fd;
	ret = ioctl(offer->fd, GTDBG_VGT_IOC_OFFER, &argument);
	if (ret < 0)
		ret = -errno;
	close(argument.client_fd);
	if (ret < 0)
		return ret;
	vgt_log(VGT_LOG_INFO, "device %u: offered as device %d, of process %d",
		device->number, ret, pid);
	return 0;
}

static int window_map(struct vgt_offer *offer)
{
	offer->window = mmap(NULL, GTDBG_VGT_WINDOW_BYTES,
			     PROT_READ | PROT_WRITE, MAP_SHARED, offer->fd, 0);
	if (offer->window == MAP_FAILED)
		return -errno;
	vgt_attention_publish(offer->device, offer->window);
	return 0;
}

int vgt_offer_create(struct vgt_device *device, struct vgt_offer **offer_out)
{
	struct vgt_offer *offer = calloc(1, sizeof(*offer));
	int ret = -ENOMEM;

	if (!offer)
		return ret;
	offer->device = device;
	offer->fd = open(MODULE_PATH, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (offer->fd < 0) {
		ret = -errno;
		goto err_free;
	}
	offer->end = eventfd(0, EFD_CLOEXEC);
	if (offer->end < 0) {
		ret = -errno;
		goto err_close;
	}
	ret = offer_make(offer);
	if (ret)
		goto err_end;
	/* Until it is filled the window says that nothing runs. */
	ret = window_map(offer);
	if (ret)
		goto err_end;
	ret = -pthread_create(&offer->thread, NULL, offer_thread, offer);
	if (ret)
		goto err_window;
	*offer_out = offer;
	return 0;

err_window:
	vgt_attention_publish(device, NULL);
	munmap(offer->window, GTDBG_VGT_WINDOW_BYTES);
err_end:
	close(offer->end);
err_close:
	close(offer->fd);
err_free:
	free(offer);
	return ret;
}

void vgt_offer_destroy(struct vgt_offer *offer)
{
	uint64_t one = 1;

	if (!offer)
		return;
	if (write(offer->end, &one, sizeof(one)) == sizeof(one))
		pthread_join(offer->thread, NULL);
	vgt_attention_publish(offer->device, NULL);
	munmap(offer->window, GTDBG_VGT_WINDOW_BYTES);
	close(offer->end);
	close(offer->fd);
	free(offer);
}
