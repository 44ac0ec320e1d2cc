// SPDX-License-Identifier: MIT
#include "gtdbg.h"

#include <errno.h>
#include <sys/ioctl.h>

static int client_call(struct gtdbg *client, unsigned long command,
		       const void *argument)
{
	int ret = ioctl(gtdbg_fd(client), command, argument);

	return ret < 0 ? -errno : ret;
}

int gtdbg_module_add(struct gtdbg *client,
		     const struct gtdbg_module_add *module)
{
	return client_call(client, GTDBG_IOC_MODULE_ADD, module);
}

int gtdbg_module_remove(struct gtdbg *client, uint32_t module)
{
	const struct gtdbg_module_remove request = { .module = module };

	return client_call(client, GTDBG_IOC_MODULE_REMOVE, &request);
}

int gtdbg_kernel_add(struct gtdbg *client,
		     const struct gtdbg_kernel_add *kernel)
{
	return client_call(client, GTDBG_IOC_KERNEL_ADD, kernel);
}

int gtdbg_kernel_remove(struct gtdbg *client, uint32_t kernel)
{
	const struct gtdbg_kernel_remove request = { .kernel = kernel };

	return client_call(client, GTDBG_IOC_KERNEL_REMOVE, &request);
}
