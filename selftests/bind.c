// SPDX-License-Identifier: GPL-2.0-only
/*
 * Binding a client to a GPU of the machine: what is refused without one, and with
 * one that its driver has.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_pci.h>

#include "harness.h"

#include "debuggee.h"
#include "descriptor.h"
#include "rig.h"

#define NODE "/dev/dri/renderD128"

FIXTURE(bind)
{
	struct debuggee debuggee;
	int client; /* a copy of its descriptor */
	int fd;
	int node; /* -1: there is none */
	int null;
};

FIXTURE_SETUP(bind)
{
	self->debuggee = (struct debuggee){ .pid = -1, .wake = -1 };
	self->client = -1;
	self->node = open(NODE, O_RDWR | O_CLOEXEC);
	self->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	self->fd = open("/dev/gtdbg-pci", O_RDWR | O_CLOEXEC);
	if (self->fd < 0)
		SKIP(return, "no /dev/gtdbg-pci: load the modules, as root");
	ASSERT_EQ(0, debuggee_start(&self->debuggee, 0, become_user));
	self->client = descriptor_copy(self->debuggee.pid, self->debuggee.fd);
	ASSERT_LE(0, self->client);
}

FIXTURE_TEARDOWN(bind)
{
	debuggee_stop(&self->debuggee);
	close(self->client);
	close(self->fd);
	close(self->node);
	close(self->null);
}

static int bind_to(int fd, int client, int node)
{
	struct gtdbg_pci_bind bind = { .client_fd = client, .drm_fd = node };

	return ioctl(fd, GTDBG_PCI_IOC_BIND, &bind) < 0 ? -errno : 0;
}

TEST_F(bind, sizes_and_flags_are_checked)
{
	struct {
		struct gtdbg_pci_bind bind;
		uint64_t tail;
	} longer = { .bind = { .client_fd = -1, .drm_fd = -1 } };
	const unsigned int cmd = GTDBG_PCI_IOC_BIND;

	EXPECT_EQ(-1, ioctl(self->fd, cmd - (8 << _IOC_SIZESHIFT), &longer));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, cmd + (8 << _IOC_SIZESHIFT), &longer));
	EXPECT_EQ(EBADF, errno);
	longer.tail = 1;
	EXPECT_EQ(-1, ioctl(self->fd, cmd + (8 << _IOC_SIZESHIFT), &longer));
	EXPECT_EQ(E2BIG, errno);
	EXPECT_EQ(-1, ioctl(self->fd, cmd, (void *)8));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, ioctl(self->fd, cmd + 1, &longer));
	EXPECT_EQ(ENOTTY, errno);
	longer.bind.flags = 1;
	EXPECT_EQ(-1, ioctl(self->fd, cmd, &longer.bind));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(bind, only_a_render_node_is_a_gpu)
{
	EXPECT_EQ(-EBADF, bind_to(self->fd, self->client, -1));
	EXPECT_EQ(-EINVAL, bind_to(self->fd, self->client, self->null));
	EXPECT_EQ(-EINVAL, bind_to(self->fd, self->client, self->client));
}

TEST_F(bind, only_a_client_can_be_bound)
{
	int other = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);

	if (self->node < 0)
		SKIP(return, "no " NODE);
	EXPECT_EQ(-EBADF, bind_to(self->fd, -1, self->node));
	EXPECT_EQ(-EBADF, bind_to(self->fd, self->node, self->node));
	EXPECT_EQ(-EINVAL, bind_to(self->fd, other, self->node));
	close(other);
	debuggee_stop(&self->debuggee);
	EXPECT_EQ(-ESRCH, bind_to(self->fd, self->client, self->node));
}

TEST_F(bind, each_descriptor_binds_once)
{
	int second = open("/dev/gtdbg-pci", O_RDWR | O_CLOEXEC);

	if (self->node < 0)
		SKIP(return, "no " NODE);
	EXPECT_EQ(0, bind_to(self->fd, self->client, self->node));
	EXPECT_EQ(-EBUSY, bind_to(self->fd, self->client, self->node));
	EXPECT_EQ(0, bind_to(second, self->client, self->node));
	close(second);
}

/* As the driver core names them, for the node that is bound. */
static bool node_identity(int node, uint32_t *pci_address, int32_t *drm_minor)
{
	uint32_t domain, bus, slot, function;
	char link[64], place[256];
	struct stat stat;
	const char *name;
	ssize_t length;

	if (fstat(node, &stat))
		return false;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device",
		 major(stat.st_rdev), minor(stat.st_rdev));
	length = readlink(link, place, sizeof(place) - 1);
	if (length < 0)
		return false;
	place[length] = 0;
	name = strrchr(place, '/');
	if (!name || sscanf(name, "/%x:%x:%x.%x", &domain, &bus, &slot,
			    &function) != 4)
		return false;
	*pci_address = domain << 16 | bus << 8 | slot << 3 | function;
	*drm_minor = (int32_t)minor(stat.st_rdev);
	return true;
}

TEST_F(bind, device_says_which_gpu_it_is)
{
	struct gtdbg_session_attach request = {
		.client_fd = self->client,
		.event_mask = 1ULL << GTDBG_EVENT_DEVICE_ADD,
	};
	int control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	const struct gtdbg_event_device_add *device;
	uint32_t pci_address = 0;
	int32_t drm_minor = -1;
	struct rig_event event;
	struct rig rig = { .control = -1 };

	if (self->node < 0)
		SKIP(return, "no " NODE);
	rig.session = ioctl(control, GTDBG_IOC_SESSION_ATTACH, &request);
	ASSERT_LE(0, rig.session);
	ASSERT_EQ(0, bind_to(self->fd, self->client, self->node));
	ASSERT_EQ(0, rig_next(&rig, GTDBG_EVENT_DEVICE_ADD, &event));
	device = event.payload;
	ASSERT_TRUE(node_identity(self->node, &pci_address, &drm_minor));
	EXPECT_EQ(pci_address, device->pci_address);
	EXPECT_EQ(drm_minor, device->drm_minor);
	EXPECT_EQ(0, device->is_virtual);
	close(rig.session);
	close(control);
}

TEST_HARNESS_MAIN
