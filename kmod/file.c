// SPDX-License-Identifier: GPL-2.0-only
#include "file.h"

#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "client.h"
#include "gtdbg.h"
#include "ioctl.h"

int gtdbg_info_fill(struct gtdbg_info *info)
{
	if (info->flags)
		return -EINVAL;
	info->uapi_version = GTDBG_UAPI_VERSION;
	info->features = GTDBG_FEATURES;
	memset(info->build_id, 0, sizeof(info->build_id));
	strscpy(info->build_id, THIS_MODULE->srcversion ?: "",
		sizeof(info->build_id));
	info->client_bytes_max = GTDBG_CLIENT_BYTES_MAX;
	info->kernels_max = GTDBG_KERNELS_MAX;
	info->events_max = GTDBG_EVENTS_MAX;
	info->event_kinds = GTDBG_EVENTS_ALL;
	return 0;
}

int gtdbg_ioctl_info(struct gtdbg_file *file, void *arg)
{
	return gtdbg_info_fill(arg);
}

struct gtdbg_client *gtdbg_file_client(const struct gtdbg_file *file)
{
	/* Pairs with its publication in gtdbg_ioctl_client_register(). */
	return smp_load_acquire(&file->client);
}

static int file_open(struct inode *inode, struct file *filp)
{
	struct gtdbg_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

static int file_flush(struct file *filp, fl_owner_t owner)
{
	struct gtdbg_file *file = filp->private_data;
	struct gtdbg_client *client = gtdbg_file_client(file);

	if (client)
		gtdbg_client_closed(client, current);
	return 0;
}

static int file_release(struct inode *inode, struct file *filp)
{
	struct gtdbg_file *file = filp->private_data;

	if (file->client) {
		gtdbg_client_end(file->client, GTDBG_EXIT_CLOSED);
		gtdbg_client_put(file->client);
	}
	kfree(file);
	return 0;
}

static long file_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	return gtdbg_ioctl_control(filp->private_data, cmd, (void __user *)arg);
}

/* Whose client it is, for who looks through a process's descriptors. */
static void file_show_fdinfo(struct seq_file *out, struct file *filp)
{
	struct pid_namespace *namespace =
		proc_pid_ns(file_inode(out->file)->i_sb);
	struct gtdbg_client *client = gtdbg_file_client(filp->private_data);

	if (client && !READ_ONCE(client->gone))
		seq_printf(out, "gtdbg-client:\t%d\n",
			   pid_nr_ns(client->pid, namespace));
}

static const struct file_operations file_fops = {
	.owner = THIS_MODULE,
	.open = file_open,
	.flush = file_flush,
	.release = file_release,
	.unlocked_ioctl = file_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.show_fdinfo = file_show_fdinfo,
	.llseek = noop_llseek,
};

struct gtdbg_file *gtdbg_file_of(struct file *filp)
{
	return filp->f_op == &file_fops ? filp->private_data : NULL;
}

struct gtdbg_client *gtdbg_file_client_get(int fd)
{
	struct file *filp = fget(fd);
	struct gtdbg_file *file = filp ? gtdbg_file_of(filp) : NULL;
	struct gtdbg_client *client = file ? gtdbg_file_client(file) : NULL;

	if (client)
		gtdbg_client_get(client);
	if (filp)
		fput(filp);
	if (!file)
		return ERR_PTR(-EBADF);
	return client ?: ERR_PTR(-EINVAL);
}

static struct miscdevice file_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gtdbg",
	.fops = &file_fops,
	.mode = 0666,
};

int gtdbg_file_init(void)
{
	return misc_register(&file_device);
}

void gtdbg_file_fini(void)
{
	misc_deregister(&file_device);
}
