// SPDX-License-Identifier: GPL-2.0-only
#include "debugfs.h"

#include <linux/debugfs.h>

static struct dentry *root;

/* Debugfs is for people: the module works the same where it is missing. */
void gtdbg_debugfs_init(void)
{
	root = debugfs_create_dir("gtdbg", NULL);
}

void gtdbg_debugfs_fini(void)
{
	debugfs_remove_recursive(root);
}
