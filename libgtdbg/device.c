// SPDX-License-Identifier: MIT
/*
 * The handle of /dev/gtdbg. It is needed to attach sessions, and not after
 * that: a session lives on without it. The version of the interface is
 * compared once: an open descriptor keeps the module loaded, so it cannot
 * become another one.
 */
#include "gtdbg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct gtdbg {
	int fd;
};

const char *gtdbg_version(void)
{
	return GTDBG_VERSION;
}

static int device_check(struct gtdbg *gtdbg)
{
	struct gtdbg_info info;
	int ret;

	ret = gtdbg_info(gtdbg, &info);
	if (ret < 0)
		return ret;
	return info.uapi_version == GTDBG_UAPI_VERSION ? 0 : -EPROTONOSUPPORT;
}

int gtdbg_open(const char *path, struct gtdbg **out)
{
	struct gtdbg *gtdbg;
	int ret;

	gtdbg = malloc(sizeof(*gtdbg));
	if (!gtdbg)
		return -ENOMEM;
	gtdbg->fd = open(path ? path : "/dev/gtdbg", O_RDWR | O_CLOEXEC);
	if (gtdbg->fd < 0) {
		ret = -errno;
		goto err_free;
	}
	ret = device_check(gtdbg);
	if (ret < 0)
		goto err_close;

	*out = gtdbg;
	return 0;

err_close:
	close(gtdbg->fd);
err_free:
	free(gtdbg);
	return ret;
}

void gtdbg_close(struct gtdbg *gtdbg)
{
	if (!gtdbg)
		return;
	close(gtdbg->fd);
	free(gtdbg);
}

int gtdbg_info(struct gtdbg *gtdbg, struct gtdbg_info *out)
{
	struct gtdbg_info info = { 0 };

	if (ioctl(gtdbg->fd, GTDBG_IOC_INFO, &info) < 0)
		return -errno;
	*out = info;
	return 0;
}

int gtdbg_fd(struct gtdbg *gtdbg)
{
	return gtdbg->fd;
}
