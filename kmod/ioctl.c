// SPDX-License-Identifier: GPL-2.0-only
/*
 * One table for all commands. The caller's struct may be older (shorter) or
 * newer (longer) than the module's: copy_struct_from_user() fills up with
 * zeroes, or refuses what the module does not know.
 */
#include "ioctl.h"

#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>

#include "file.h"
#include "gtdbg.h"

#define IOCTL_SIZE_MAX 256

struct ioctl_entry {
	unsigned int cmd;
	unsigned int smallest; /* size in the first release of the command */
	int (*control)(struct gtdbg_file *file, void *arg);
};

#define IOCTL_CONTROL(name, last, handler)                                \
	[_IOC_NR(GTDBG_IOC_##name)] = {                                   \
		.cmd = GTDBG_IOC_##name, .smallest = last, .control = handler \
	}

static const struct ioctl_entry ioctl_table[] = {
	IOCTL_CONTROL(INFO, 64, gtdbg_ioctl_info),
};

static_assert(sizeof(struct gtdbg_info) == 64);

static const struct ioctl_entry *ioctl_find(unsigned int cmd)
{
	unsigned int nr = _IOC_NR(cmd);
	const struct ioctl_entry *entry;

	if (_IOC_TYPE(cmd) != GTDBG_IOC_TYPE || nr >= ARRAY_SIZE(ioctl_table))
		return NULL;
	entry = &ioctl_table[array_index_nospec(nr, ARRAY_SIZE(ioctl_table))];
	if (!entry->cmd || _IOC_DIR(entry->cmd) != _IOC_DIR(cmd))
		return NULL;
	return entry;
}

static int ioctl_copy_in(const struct ioctl_entry *entry, void *arg,
			 unsigned int size, void __user *user)
{
	if (size < entry->smallest)
		return -EINVAL;
	return copy_struct_from_user(arg, _IOC_SIZE(entry->cmd), user, size);
}

static int ioctl_copy_out(const struct ioctl_entry *entry, const void *arg,
			  unsigned int size, void __user *user)
{
	if (!(_IOC_DIR(entry->cmd) & _IOC_READ))
		return 0;
	size = min(size, _IOC_SIZE(entry->cmd));
	return copy_to_user(user, arg, size) ? -EFAULT : 0;
}

long gtdbg_ioctl_control(struct gtdbg_file *file, unsigned int cmd,
			 void __user *user)
{
	const struct ioctl_entry *entry = ioctl_find(cmd);
	u64 arg[IOCTL_SIZE_MAX / sizeof(u64)];
	int ret, err;

	if (!entry || !entry->control)
		return -ENOTTY;
	ret = ioctl_copy_in(entry, arg, _IOC_SIZE(cmd), user);
	if (ret)
		return ret;
	ret = entry->control(file, arg);
	if (ret < 0)
		return ret;
	err = ioctl_copy_out(entry, arg, _IOC_SIZE(cmd), user);
	return err ?: ret;
}
