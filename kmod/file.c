// SPDX-License-Identifier: GPL-2.0-only
#include "file.h"

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "gtdbg.h"
#include "ioctl.h"
#include "trace.h"

int gtdbg_ioctl_info(struct gtdbg_file *file, void *arg)
{
	struct gtdbg_info *info = arg;

	if (info->flags || info->__reserved[0] || info->__reserved[1])
		return -EINVAL;
	info->uapi_version = GTDBG_UAPI_VERSION;
	info->features = GTDBG_FEATURES;
	strscpy(info->build_id, THIS_MODULE->srcversion ?: "",
		sizeof(info->build_id));
	return 0;
}

static int file_open(struct inode *inode, struct file *filp)
{
	struct gtdbg_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

static int file_release(struct inode *inode, struct file *filp)
{
	kfree(filp->private_data);
	return 0;
}

static long file_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	return gtdbg_ioctl_control(filp->private_data, cmd, (void __user *)arg);
}

static const struct file_operations file_fops = {
	.owner = THIS_MODULE,
	.open = file_open,
	.release = file_release,
	.unlocked_ioctl = file_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

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
