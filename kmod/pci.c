// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backend of GPUs that stock i915 drives. A descriptor of /dev/gtdbg-pci is one
 * client's view of one of them. It ends when the descriptor is closed, or earlier:
 * when the driver lets go of the device the GT is withdrawn before that happens, and
 * nothing is touched afterwards.
 */
#include "gpu.h"

#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/suspend.h>
#include <linux/uaccess.h>

#include <linux/gtdbg_pci.h>

#include "backend.h"

#define PCI_BIND_SMALLEST 16 /* size of its first release */
#define PCI_DRAIN_MS 5000 /* that unbinding the driver waits for kernels to end */
#define PCI_ADDRESS(pdev) \
	(pci_domain_nr((pdev)->bus) << 16 | pci_dev_id(pdev))

static_assert(sizeof(struct gtdbg_pci_bind) == 16);

/* A descriptor. */
struct pci_view {
	struct mutex bind_lock; /* one at a time, and only the first one succeeds */
	bool bound; /* at any time; protected by @bind_lock */
	struct gtdbg_gpu *gpu; /* from the bind to the end */
	bool awake; /* protected by the GT's lock */

	/* Protected by the views_lock of @gpu. */
	struct list_head node; /* in its views */
	struct gtdbg_gt *gt; /* NULL: not bound, or withdrawn */
};

/*
 * The operations
 */

static int pci_reg_read(void *backend, const struct gtdbg_steer *steer,
			u32 offset, u32 *value_out)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_read(view->gpu, steer, offset, value_out);
}

static int pci_rows_read(void *backend, const struct gtdbg_rows *rows,
			 u32 *values_out)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_rows_read(view->gpu, rows, values_out);
}

static int pci_reg_write(void *backend, const struct gtdbg_steer *steer,
			 u32 offset, u32 value)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_write(view->gpu, steer, offset, value);
}

static int pci_flush(void *backend)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_flush(view->gpu);
}

static int pci_wake(void *backend, bool awake)
{
	struct pci_view *view = backend;
	int ret = 0;

	if (view->awake == awake)
		return 0;
	if (awake)
		ret = gtdbg_gpu_wake(view->gpu);
	else
		gtdbg_gpu_sleep(view->gpu);
	if (!ret)
		view->awake = awake;
	return ret;
}

static int pci_ggtt_read(void *backend, u32 index, u64 *entry_out)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_ggtt_read(view->gpu, index, entry_out);
}

static int pci_memory_read(void *backend, u64 phys, void *buf, u32 len_bytes)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_memory_copy(view->gpu, phys, buf, len_bytes, false);
}

static int pci_memory_write(void *backend, u64 phys, const void *buf,
			    u32 len_bytes)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_memory_copy(view->gpu, phys, (void *)buf, len_bytes,
				     true);
}

static void *pci_memory_hold(void *backend, u64 phys)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_memory_hold(view->gpu, phys);
}

static void pci_memory_release(void *backend, void *held)
{
	gtdbg_gpu_memory_release(held);
}

static void *pci_memory_keep(void *backend, u64 phys)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_memory_keep(view->gpu, phys);
}

static bool pci_memory_is(void *backend, u64 phys, const void *kept)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_memory_is(view->gpu, phys, kept);
}

static u64 pci_kept_bytes(void *const *kept, u32 count)
{
	return gtdbg_gpu_kept_bytes((struct page *const *)kept, count);
}

static void pci_kept_copy(void *kept, u32 offset, void *buf, u32 len_bytes,
			  bool write)
{
	gtdbg_gpu_kept_copy(kept, offset, buf, len_bytes, write);
}

static void pci_memory_unkeep(void *kept)
{
	gtdbg_gpu_memory_unkeep(kept);
}

/* Registers do what they do at once, but it may have been deaf to forcewake. */
static int pci_settled(void *backend)
{
	struct pci_view *view = backend;

	return gtdbg_gpu_answers(view->gpu);
}

static void pci_hangup(void *backend)
{
}

static const struct gtdbg_backend_ops pci_ops = {
	.owner = THIS_MODULE,
	.is_shared = true,
	.settled = pci_settled,
	.hangup = pci_hangup,
	.reg_read = pci_reg_read,
	.rows_read = pci_rows_read,
	.reg_write = pci_reg_write,
	.flush = pci_flush,
	.wake = pci_wake,
	.ggtt_read = pci_ggtt_read,
	.memory_read = pci_memory_read,
	.memory_write = pci_memory_write,
	.memory_peek = pci_memory_read,
	.memory_hold = pci_memory_hold,
	.memory_release = pci_memory_release,
	.memory_keep = pci_memory_keep,
	.memory_is = pci_memory_is,
	.kept_bytes = pci_kept_bytes,
	.kept_copy = pci_kept_copy,
	.memory_unkeep = pci_memory_unkeep,
};

/*
 * Views
 */

/* Its operations are not called any more, and it was awake at the end. */
static void view_settle(struct pci_view *view)
{
	if (view->awake)
		gtdbg_gpu_sleep(view->gpu);
	view->awake = false;
}

static int view_create(struct pci_view *view, int client_fd, s32 drm_minor)
{
	struct gtdbg_backend backend = {
		.ops = &pci_ops,
		.data = view,
		.platform = view->gpu->model->platform,
		.bytes = sizeof(*view),
		.pci_address = PCI_ADDRESS(view->gpu->pdev),
		.drm_minor = drm_minor,
	};
	struct gtdbg_gt *gt;
	int ret;

	ret = gtdbg_gpu_topology(view->gpu, &backend.topology);
	if (ret)
		return ret;
	gt = gtdbg_gt_create(&backend);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	ret = gtdbg_registry_publish(gt, client_fd);
	if (ret < 0) {
		gtdbg_gt_put(gt);
		view_settle(view);
	} else {
		view->gt = gt;
	}
	return ret;
}

/* Awake while it is described: a device that sleeps says nothing of itself. */
static int view_publish(struct pci_view *view, int client_fd, s32 drm_minor)
{
	int ret = gtdbg_gpu_wake(view->gpu);

	if (ret)
		return ret;
	ret = view_create(view, client_fd, drm_minor);
	gtdbg_gpu_sleep(view->gpu);
	return ret;
}

/* Its operations are not called any more afterwards, nor in an interrupt. */
static void view_withdraw(struct pci_view *view)
{
	lockdep_assert_held(&view->gpu->views_lock);
	if (!view->gt)
		return;
	list_del(&view->node);
	gtdbg_registry_withdraw(view->gt);
	gtdbg_gt_put(view->gt);
	view->gt = NULL;
	view_settle(view);
}

/* What is stopped there goes on, and ends if it can do so soon. */
static void views_drain(struct gtdbg_gpu *gpu)
{
	ktime_t end = ktime_add_ms(ktime_get(), PCI_DRAIN_MS);
	struct pci_view *view;

	lockdep_assert_held(&gpu->views_lock);
	list_for_each_entry(view, &gpu->views, node)
		gtdbg_registry_drain(view->gt, end);
}

/*
 * All views of @pdev. If it is still there, what runs is left in order. Who comes next
 * looks at it anew: it may have another driver by then.
 */
static void views_withdraw(const struct pci_dev *pdev, bool is_there)
{
	struct gtdbg_gpu *gpu = NULL;
	struct pci_view *view, *next;

	while ((gpu = gtdbg_gpu_next(pdev, gpu))) {
		mutex_lock(&gpu->views_lock);
		if (is_there)
			views_drain(gpu);
		else
			gtdbg_gpu_kill(gpu);
		list_for_each_entry_safe(view, next, &gpu->views, node)
			view_withdraw(view);
		gtdbg_gpu_kill(gpu);
		mutex_unlock(&gpu->views_lock);
	}
}

static int view_bind_gpu(struct pci_view *view, struct gtdbg_gpu *gpu,
			 int client_fd, s32 drm_minor)
{
	int ret;

	lockdep_assert_held(&view->bind_lock);
	view->gpu = gpu;
	mutex_lock(&gpu->views_lock);
	ret = view_publish(view, client_fd, drm_minor);
	if (ret >= 0)
		list_add_tail(&view->node, &gpu->views);
	mutex_unlock(&gpu->views_lock);
	if (ret < 0)
		view->gpu = NULL;
	else
		view->bound = true;
	return ret;
}

static int view_bind_locked(struct pci_view *view, struct pci_dev *pdev,
			    int client_fd, s32 drm_minor)
{
	struct gtdbg_gpu *gpu;
	int ret;

	lockdep_assert_held(&view->bind_lock);
	if (view->bound)
		return -EBUSY;
	gpu = gtdbg_gpu_get(pdev);
	if (IS_ERR(gpu))
		return PTR_ERR(gpu);
	ret = view_bind_gpu(view, gpu, client_fd, drm_minor);
	if (ret < 0)
		gtdbg_gpu_put(gpu);
	return ret;
}

/* With the device locked, as it is while a driver is bound to it or unbound. */
static int view_bind(struct pci_view *view, const struct gtdbg_pci_bind *bind)
{
	struct pci_dev *pdev;
	s32 drm_minor;
	int ret;

	if (bind->flags || bind->__reserved)
		return -EINVAL;
	pdev = gtdbg_gpu_find(bind->drm_fd, &drm_minor);
	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	ret = device_lock_interruptible(&pdev->dev);
	if (!ret) {
		mutex_lock(&view->bind_lock);
		ret = view_bind_locked(view, pdev, bind->client_fd, drm_minor);
		mutex_unlock(&view->bind_lock);
		device_unlock(&pdev->dev);
	}
	pci_dev_put(pdev);
	return ret;
}

/*
 * Descriptors
 */

static int pci_open(struct inode *inode, struct file *filp)
{
	struct pci_view *view = kzalloc(sizeof(*view), GFP_KERNEL_ACCOUNT);

	if (!view)
		return -ENOMEM;
	mutex_init(&view->bind_lock);
	filp->private_data = view;
	return nonseekable_open(inode, filp);
}

static int pci_release(struct inode *inode, struct file *filp)
{
	struct pci_view *view = filp->private_data;

	if (view->gpu) {
		mutex_lock(&view->gpu->views_lock);
		view_withdraw(view);
		mutex_unlock(&view->gpu->views_lock);
		gtdbg_gpu_put(view->gpu);
	}
	kfree(view);
	return 0;
}

/* The one command; its struct may be older or newer than ours. */
static long pci_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct gtdbg_pci_bind bind;
	int ret;

	if (_IOC_TYPE(cmd) != _IOC_TYPE(GTDBG_PCI_IOC_BIND) ||
	    _IOC_NR(cmd) != _IOC_NR(GTDBG_PCI_IOC_BIND) ||
	    _IOC_DIR(cmd) != _IOC_DIR(GTDBG_PCI_IOC_BIND))
		return -ENOTTY;
	if (_IOC_SIZE(cmd) < PCI_BIND_SMALLEST)
		return -EINVAL;
	ret = copy_struct_from_user(&bind, sizeof(bind), (void __user *)arg,
				    _IOC_SIZE(cmd));
	return ret ?: view_bind(filp->private_data, &bind);
}

static const struct file_operations pci_fops = {
	.owner = THIS_MODULE,
	.open = pci_open,
	.release = pci_release,
	.unlocked_ioctl = pci_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice pci_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gtdbg-pci",
	.fops = &pci_fops,
	/* Who may use GPUs gets in by a rule of udev. */
	.mode = 0600,
};

/*
 * What happens to devices
 */

static int pci_bus_notify(struct notifier_block *block, unsigned long action,
			  void *data)
{
	if (action == BUS_NOTIFY_UNBIND_DRIVER)
		views_withdraw(to_pci_dev(data), true);
	if (action == BUS_NOTIFY_DEL_DEVICE)
		views_withdraw(to_pci_dev(data), false);
	return NOTIFY_DONE;
}

static struct notifier_block bus_block = { .notifier_call = pci_bus_notify };

/*
 * While the machine sleeps neither pollers nor processes run, so nothing is touched.
 * The driver has ended what was on the engine; whose it was finds out.
 */
static int pci_sleep_notify(struct notifier_block *block, unsigned long action,
			    void *data)
{
	struct gtdbg_gpu *gpu = NULL;

	if (action != PM_POST_SUSPEND && action != PM_POST_HIBERNATION)
		return NOTIFY_DONE;
	while ((gpu = gtdbg_gpu_next(NULL, gpu)))
		gtdbg_gpu_remind(gpu);
	return NOTIFY_DONE;
}

static struct notifier_block sleep_block = {
	.notifier_call = pci_sleep_notify,
};

static int __init pci_init(void)
{
	int ret;

	ret = bus_register_notifier(&pci_bus_type, &bus_block);
	if (ret)
		return ret;
	ret = register_pm_notifier(&sleep_block);
	if (ret)
		goto err_unregister_bus;
	ret = misc_register(&pci_device);
	if (ret)
		goto err_unregister_sleep;
	return 0;

err_unregister_sleep:
	unregister_pm_notifier(&sleep_block);
err_unregister_bus:
	bus_unregister_notifier(&pci_bus_type, &bus_block);
	return ret;
}

/* No descriptor is open any more, so nothing is left to be withdrawn. */
static void __exit pci_exit(void)
{
	misc_deregister(&pci_device);
	unregister_pm_notifier(&sleep_block);
	bus_unregister_notifier(&pci_bus_type, &bus_block);
}

module_init(pci_init);
module_exit(pci_exit);

MODULE_AUTHOR("gtdbg authors");
MODULE_DESCRIPTION("GPUs of the machine for gtdbg, beside their driver");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
MODULE_IMPORT_NS(GTDBG);
