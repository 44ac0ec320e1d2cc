// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for a graphics driver: it takes a device of the machine, calls itself
 * and the device what it is told to, and has a render node that does nothing. So it
 * shows what becomes of drivers and GPUs that are not at hand. It takes the name and the
 * numbers of DRM's nodes, so it goes only where no graphics driver is; or beside one,
 * of whose nodes it takes the class, and a number that no driver has.
 */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/module.h>
#include <linux/pci.h>

#define NODE_MAJOR 226
#define NODE MKDEV(NODE_MAJOR, 128)
#define NODE_BESIDE MKDEV(NODE_MAJOR, 200)

static char *name = "i915";
module_param(name, charp, 0);
MODULE_PARM_DESC(name, "what the driver is called");

static ushort device;
module_param(device, ushort, 0);
MODULE_PARM_DESC(device, "id of the Intel device that it takes");

static ushort as;
module_param(as, ushort, 0);
MODULE_PARM_DESC(as, "id that the device has meanwhile; 0: its own");

static bool beside;
module_param(beside, bool, 0);
MODULE_PARM_DESC(beside, "there is a GPU with its driver");

static struct class node_class = { .name = "drm" };

/* The nodes' class and number. */
static typeof_member(struct device, class) class = &node_class;
static dev_t number = NODE;

static const struct file_operations node_fops = { .owner = THIS_MODULE };

static struct cdev node_cdev;

static int standin_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct device *node;

	/* DRM's class puts its nodes into a folder. */
	node = device_create(class, &pdev->dev, number, NULL,
			     beside ? "renderD%u" : "dri/renderD%u",
			     MINOR(number));
	if (IS_ERR(node))
		return PTR_ERR(node);
	if (as)
		pdev->device = as;
	return 0;
}

static void standin_remove(struct pci_dev *pdev)
{
	pdev->device = device;
	device_destroy(class, number);
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

static int is_node(struct device *dev, void *data)
{
	return MAJOR(dev->devt) == NODE_MAJOR;
}

/* Of the nodes that a driver has. */
static int class_find(void)
{
	struct pci_dev *pdev = NULL;
	struct device *node;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, PCI_ANY_ID, pdev))) {
		node = device_find_child(&pdev->dev, NULL, is_node);
		if (!node)
			continue;
		class = node->class;
		put_device(node);
		pci_dev_put(pdev);
		return 0;
	}
	return -ENODEV;
}

/* DRM has all numbers; one that is another device's as well is that one's. */
static int class_get(void)
{
	int ret;

	if (beside) {
		number = NODE_BESIDE;
		return class_find();
	}
	ret = class_register(&node_class);
	if (ret)
		return ret;
	ret = register_chrdev_region(NODE, 1, "drm");
	if (ret)
		class_unregister(&node_class);
	return ret;
}

static void class_put(void)
{
	if (beside)
		return;
	unregister_chrdev_region(NODE, 1);
	class_unregister(&node_class);
}

static int __init standin_init(void)
{
	int ret = class_get();

	if (ret)
		return ret;
	cdev_init(&node_cdev, &node_fops);
	ret = cdev_add(&node_cdev, number, 1);
	if (ret)
		goto err_put_class;
	standin.name = name;
	standin_ids[0].device = device;
	ret = pci_register_driver(&standin);
	if (ret)
		goto err_del_cdev;
	return 0;

err_del_cdev:
	cdev_del(&node_cdev);
err_put_class:
	class_put();
	return ret;
}

static void __exit standin_exit(void)
{
	pci_unregister_driver(&standin);
	cdev_del(&node_cdev);
	class_put();
}

module_init(standin_init);
module_exit(standin_exit);

MODULE_AUTHOR("gtdbg authors");
MODULE_DESCRIPTION("Stand-in for a graphics driver, for gtdbg's tests");
MODULE_LICENSE("GPL");
