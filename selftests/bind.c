// SPDX-License-Identifier: GPL-2.0-only
/*
 * Binding a client to a GPU of the machine: what is refused without one, with one that
 * its driver has, and with a stand-in for drivers and GPUs that are not at hand.
 * UNBINDER: file that will have the process that unbinds the driver of another GPU, on
 * which a kernel runs (selftests/guest/gpu.sh)
 * REBIND: name of that GPU's place on the bus, if it may be taken from its driver
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_pci.h>

#include "harness.h"

#include "debuggee.h"
#include "descriptor.h"
#include "klog.h"
#include "rig.h"

#define NODE "/dev/dri/renderD128"
#define NODE_BESIDE "/dev/dri/renderD200"
#define POWER_OFFSET 0xd4 /* of the virtual function, in its configuration */

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

/* In its folder in sysfs, which it stays awake for. */
static bool device_write(int node, const char *name, off_t offset,
			 const char *value)
{
	char path[128];
	struct stat stat;
	ssize_t len;
	int fd;

	if (fstat(node, &stat))
		return false;
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/%s",
		 major(stat.st_rdev), minor(stat.st_rdev), name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	len = pwrite(fd, value, strlen(value) ?: 1, offset);
	close(fd);
	return len > 0;
}

/* In power state 3 all that is read of it is ones. */
static bool device_power(int node, char state)
{
	const char value[] = { state, 0 };

	return device_write(node, "config", POWER_OFFSET, value);
}

static bool is_virtual_machine(void)
{
	FILE *file = fopen("/sys/class/dmi/id/sys_vendor", "r");
	char vendor[32] = "";

	if (!file)
		return false;
	if (!fgets(vendor, sizeof(vendor), file))
		vendor[0] = 0;
	fclose(file);
	return !strncmp(vendor, "QEMU", 4);
}

TEST_F(bind, device_that_reads_as_ones_is_refused_until_it_does_not)
{
	if (self->node < 0)
		SKIP(return, "no " NODE);
	if (!is_virtual_machine())
		SKIP(return, "it takes the power from a GPU that is not virtual");
	ASSERT_TRUE(device_write(self->node, "power/control", 0, "on"));
	ASSERT_TRUE(device_power(self->node, 3));
	EXPECT_EQ(-ENODEV, bind_to(self->fd, self->client, self->node));
	ASSERT_TRUE(device_power(self->node, 0));
	EXPECT_EQ(0, bind_to(self->fd, self->client, self->node));
	EXPECT_TRUE(device_write(self->node, "power/control", 0, "auto"));
}

/* Of those that were built for the guest's kernel. */
static int load_module(const char *path, const char *parameters)
{
	const char *build = getenv("BUILD"), *kernel = getenv("KERNEL");
	char name[4096];
	int fd, ret;

	if (!build || !kernel)
		return -ENOENT;
	snprintf(name, sizeof(name), "%s/kmod-%s/%s", build, kernel, path);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
	close(fd);
	return ret;
}

TEST_F(bind, second_module_for_the_same_gpus_is_refused)
{
	int ret = load_module("gtdbg-pci.ko", "");

	if (ret == -ENOENT)
		SKIP(return, "no module of the guest's kernel");
	EXPECT_EQ(-EEXIST, ret);
	EXPECT_EQ(-EBADF, bind_to(self->fd, self->client, -1));
}

FIXTURE(standin)
{
	struct debuggee debuggee;
	struct klog log;
	int fd;
	bool loaded;
};

/* The device is the bridge of the guest, which has no BAR and no driver. */
FIXTURE_VARIANT(standin)
{
	const char *parameters, *reason;
};

FIXTURE_VARIANT_ADD(standin, other_driver)
{
	.parameters = "device=0x7000 as=0x9a49 name=xe",
	.reason = "gtdbg-pci: driver xe is not supported",
};

FIXTURE_VARIANT_ADD(standin, unknown_platform)
{
	.parameters = "device=0x7000 as=0x56a0",
	.reason = "gtdbg-pci: GPU 8086:56a0 is not supported",
};

FIXTURE_VARIANT_ADD(standin, small_bar)
{
	.parameters = "device=0x7000 as=0x9a49",
	.reason = "gtdbg-pci: BAR 0 is too small",
};

FIXTURE_SETUP(standin)
{
	int ret;

	self->debuggee = (struct debuggee){ .pid = -1, .wake = -1 };
	self->fd = -1;
	self->log.fd = -1;
	if (!access(NODE, F_OK))
		SKIP(return, NODE " is a graphics driver's");
	ret = load_module("tests/gtdbg-standin.ko", variant->parameters);
	if (ret == -ENOENT)
		SKIP(return, "no module of the guest's kernel");
	ASSERT_EQ(0, ret);
	self->loaded = true;
	self->fd = open("/dev/gtdbg-pci", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, debuggee_start(&self->debuggee, 0, become_user));
	ASSERT_EQ(0, klog_open(&self->log));
}

FIXTURE_TEARDOWN(standin)
{
	debuggee_stop(&self->debuggee);
	klog_close(&self->log);
	close(self->fd);
	if (self->loaded)
		EXPECT_EQ(0, syscall(SYS_delete_module, "gtdbg_standin", 0));
}

/* Each time anew, and nothing is held by it: the driver can be unloaded. */
TEST_F(standin, is_refused_by_name)
{
	int client, node;

	client = descriptor_copy(self->debuggee.pid, self->debuggee.fd);
	ASSERT_LE(0, client);
	node = open(NODE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, node);
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(-EOPNOTSUPP, bind_to(self->fd, client, node));
		EXPECT_TRUE(klog_has(&self->log, variant->reason));
	}
	close(node);
	close(client);
}

FIXTURE(beside)
{
	struct debuggee debuggee;
	const char *unbinder;
	int client, node, fd;
	bool loaded;
};

FIXTURE_SETUP(beside)
{
	self->debuggee = (struct debuggee){ .pid = -1, .wake = -1 };
	self->client = -1;
	self->node = -1;
	self->fd = -1;
	self->unbinder = getenv("UNBINDER");
	if (!self->unbinder)
		SKIP(return, "nobody unbinds another GPU: selftests/guest/gpu.sh");
	self->fd = open("/dev/gtdbg-pci", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, debuggee_start(&self->debuggee, 0, become_user));
	self->client = descriptor_copy(self->debuggee.pid, self->debuggee.fd);
	ASSERT_LE(0, self->client);
	ASSERT_EQ(0, load_module("tests/gtdbg-standin.ko",
				 "device=0x7000 as=0x9a49 name=xe beside=1"));
	self->loaded = true;
	self->node = open(NODE_BESIDE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->node);
}

FIXTURE_TEARDOWN(beside)
{
	debuggee_stop(&self->debuggee);
	close(self->client);
	close(self->node);
	close(self->fd);
	if (self->loaded)
		EXPECT_EQ(0, syscall(SYS_delete_module, "gtdbg_standin", 0));
}

/* The process that unbinds, as soon as it has said which one that is; or 0. */
static int unbinder_pid(const char *unbinder)
{
	FILE *file = fopen(unbinder, "r");
	int pid = 0;

	if (file && fscanf(file, "%d", &pid) != 1)
		pid = 0;
	if (file)
		fclose(file);
	return pid;
}

/* Is it at where it waits for kernels to end? Of who runs just now nothing is said. */
static bool is_draining(int pid)
{
	char text[4096] = "", path[64];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%d/stack", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = 0;
	fclose(file);
	return strstr(text, "gtdbg_registry_drain");
}

/* From now on: is it seen there before it has come to its end? */
static bool still_drains(int pid)
{
	bool drains = false;

	while (!drains && !kill(pid, 0)) {
		drains = is_draining(pid);
		usleep(1000);
	}
	return drains;
}

TEST_F(beside, another_gpu_that_is_unbound_is_not_waited_for)
{
	int unbinder;

	while (!(unbinder = unbinder_pid(self->unbinder)))
		usleep(10000);
	ASSERT_TRUE(still_drains(unbinder));
	EXPECT_EQ(-EOPNOTSUPP, bind_to(self->fd, self->client, self->node));
	EXPECT_EQ(0, close(self->fd));
	self->fd = -1;
	EXPECT_TRUE(still_drains(unbinder));
}

FIXTURE(rebind)
{
	struct debuggee debuggee;
	const char *slot;
	int client, node, fd, other;
	bool loaded, unbound;
};

FIXTURE_SETUP(rebind)
{
	self->debuggee = (struct debuggee){ .pid = -1, .wake = -1 };
	self->client = -1;
	self->node = -1;
	self->fd = -1;
	self->other = -1;
	self->slot = getenv("REBIND");
	if (!self->slot)
		SKIP(return, "no GPU may be taken: selftests/guest/gpu.sh");
	self->fd = open("/dev/gtdbg-pci", O_RDWR | O_CLOEXEC);
	self->other = open("/dev/gtdbg-pci", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->other);
	ASSERT_EQ(0, debuggee_start(&self->debuggee, 0, become_user));
	self->client = descriptor_copy(self->debuggee.pid, self->debuggee.fd);
	ASSERT_LE(0, self->client);
	self->node = open(NODE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->node);
	ASSERT_EQ(0, load_module("tests/gtdbg-standin.ko",
				 "device=0x9a49 name=xe beside=1"));
	self->loaded = true;
}

/* In the folder of driver @driver, for that device. */
static int driver_write(const char *driver, const char *name, const char *slot)
{
	char path[128];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/%s/%s", driver,
		 name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, slot, strlen(slot)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

FIXTURE_TEARDOWN(rebind)
{
	debuggee_stop(&self->debuggee);
	close(self->client);
	close(self->node);
	close(self->fd);
	close(self->other);
	if (self->loaded)
		EXPECT_EQ(0, syscall(SYS_delete_module, "gtdbg_standin", 0));
	if (self->unbound)
		EXPECT_EQ(0, driver_write("i915", "bind", self->slot));
}

/* Who knew it under the one before is still there. */
TEST_F(rebind, driver_is_looked_at_anew)
{
	ASSERT_EQ(0, bind_to(self->fd, self->client, self->node));
	ASSERT_EQ(0, close(self->node));
	ASSERT_EQ(0, driver_write("i915", "unbind", self->slot));
	self->unbound = true;
	ASSERT_EQ(0, driver_write("xe", "bind", self->slot));
	self->node = open(NODE_BESIDE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->node);
	EXPECT_EQ(-EOPNOTSUPP, bind_to(self->other, self->client, self->node));
	ASSERT_EQ(0, close(self->node));
	self->node = -1;
}

TEST_HARNESS_MAIN
