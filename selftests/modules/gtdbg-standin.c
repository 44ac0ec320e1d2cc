// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for a graphics driver: it takes a device of the machine, calls itself
 * and the device what it is told to, and has a render node that does nothing. So it
 * shows what becomes of drivers and GPUs that are not at hand. It goes only where no
 * graphics driver is, as it takes the name and the numbers of DRM's nodes.
 */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/module.h>
#include <linux/pci.h>

#define NODE MKDEV(226, 128)

static char *name = "i915";
module_param(name, charp, 0);
MODULE_PARM_DESC(name, "what the driver is called");

static ushort device;
module_param(device, ushort, 0);
MODULE_PARM_DESC(device, "id of the Intel device that it takes");

static ushort as;
module_param(as, ushort, 0);
MODULE_PARM_DESC(as, "id that the device has meanwhile; 0: its own");

static struct class node_class = { .name = "drm" };

static const struct file_operations node_fops = { .owner = THIS_MODULE };

static struct cdev node_cdev;

static int standin_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct device *node = device_create(&node_class, &pdev->dev, NODE,
					    NULL, "dri/renderD128");

	if (IS_ERR(node))
		return PTR_ERR(node);
	if (as)
		pdev->device = as;
	return 0;
}

static void standin_remove(struct pci_dev *pdev)
{
	pdev->device = device;
	device_destroy(&node_class, NODE);
}

static struct pci_device_id standin_ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_INTEL, 0) },
	{},
};

static struct pci_driver standin = {
	.id_table = standin_ids,
	.probe = standin_probe,
	.remove = standin_remove,
};

static int __init standin_init(void)
{
	int ret = class_register(&node_class);

	if (ret)
		return ret;
	ret = register_chrdev_region(NODE, 1, "drm");
	if (ret)
		goto err_unregister_class;
	cdev_init(&node_cdev, &node_fops);
	ret = cdev_add(&node_cdev, NODE, 1);
	if (ret)
		goto err_unregister_region;
	standin.name = name;
	standin_ids[0].device = device;
	ret = pci_register_driver(&standin);
	if (ret)
		goto err_del_cdev;
	return 0;

err_del_cdev:
	cdev_del(&node_cdev);
err_unregister_region:
	unregister_chrdev_region(NODE, 1);
err_unregister_class:
	class_unregister(&node_class);
	return ret;
}

static void __exit standin_exit(void)
{
	pci_unregister_driver(&standin);
	cdev_del(&node_cdev);
	unregister_chrdev_region(NODE, 1);
	class_unregister(&node_class);
}

module_init(standin_init);
module_exit(standin_exit);

MODULE_AUTHOR("gtdbg authors");
MODULE_DESCRIPTION("Stand-in for a graphics driver, for gtdbg's tests");
MODULE_LICENSE("GPL");
