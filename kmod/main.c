// SPDX-License-Identifier: GPL-2.0-only
#include "gtdbg.h"

#include <linux/module.h>

#include "breakpoint.h"
#include "client.h"
#include "debugfs.h"
#include "file.h"
#include "kfunc.h"

static int __init gtdbg_init(void)
{
	int ret;

	ret = gtdbg_breakpoint_init();
	if (ret)
		return ret;
	ret = gtdbg_client_init();
	if (ret)
		goto err_breakpoint;
	gtdbg_debugfs_init();
	gtdbg_kfunc_init();
	/* Userspace can reach the module from here on. */
	ret = gtdbg_file_init();
	if (ret)
		goto err_debugfs;
	return 0;

err_debugfs:
	gtdbg_debugfs_fini();
	gtdbg_client_fini();
err_breakpoint:
	gtdbg_breakpoint_fini();
	return ret;
}
module_init(gtdbg_init);

static void __exit gtdbg_exit(void)
{
	gtdbg_file_fini();
	gtdbg_debugfs_fini();
	gtdbg_client_fini();
	gtdbg_breakpoint_fini();
}
module_exit(gtdbg_exit);

MODULE_AUTHOR("gtdbg authors");
MODULE_DESCRIPTION("Debugger access to the threads of Intel GPUs");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
