// SPDX-License-Identifier: GPL-2.0-only
/* gtdbg/state: what there is, for people. Not an interface. */
#include "debugfs.h"

#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "client.h"
#include "gt.h"
#include "gtdbg.h"
#include "registry.h"

static struct dentry *root;

static int state_show(struct seq_file *file, void *data)
{
	int ret = mutex_lock_killable(&gtdbg_registry_lock);

	if (ret)
		return ret;
	gtdbg_clients_show(file);
	gtdbg_registry_show(file);
	mutex_unlock(&gtdbg_registry_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(state);

/* Debugfs is for people: the module works the same where it is missing. */
void gtdbg_debugfs_init(void)
{
	root = debugfs_create_dir("gtdbg", NULL);
	debugfs_create_file("state", 0400, root, NULL, &state_fops);
}

void gtdbg_debugfs_fini(void)
{
	debugfs_remove_recursive(root);
}
