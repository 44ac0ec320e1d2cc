// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for an IOMMU that translates: all addresses that one device uses are those
 * of the machine, and SHIFT. It has its domain from the kernel, and its driver such
 * addresses from the next time on that it is bound. The device has to take them so
 * itself. Stays loaded, as the kernel holds an IOMMU for each of its devices.
 */
#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/dma-direct.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/iommu.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>

static ushort device;
module_param(device, ushort, 0);
MODULE_PARM_DESC(device, "id of the Intel device behind it");

static ulong shift;
module_param(shift, ulong, 0);
MODULE_PARM_DESC(shift, "what is added to addresses of memory, in bytes");

/*
 * Of a page that begins so every second translation, from the first or the second one
 * on, is a page of ours, as if the driver moved something there and back again.
 */
static ulong begins;
module_param(begins, ulong, 0600);
MODULE_PARM_DESC(begins, "what the page that is moved begins with");

static uint moves;
module_param(moves, uint, 0600);
MODULE_PARM_DESC(moves, "the first translation that is moved, 1 or 2; 0: none");

static atomic_t translations;

#define OURS 0x47
static u8 *ours;

static int ours_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%s\n", ours && !memchr_inv(ours, OURS,
							    PAGE_SIZE) ?
				       "untouched" : "written");
}

static const struct kernel_param_ops ours_ops = { .get = ours_get };
module_param_cb(ours, &ours_ops, NULL, 0400);
MODULE_PARM_DESC(ours, "\"written\" if the page that is ours was");

static int domain_attach(struct iommu_domain *domain, struct device *dev)
{
	return 0;
}

static phys_addr_t domain_translate(struct iommu_domain *domain,
				    dma_addr_t address)
{
	phys_addr_t phys = address < shift ? 0 : address - shift;
	struct page *page = pfn_to_online_page(PHYS_PFN(phys));

	if (!moves || !phys || !page ||
	    *(ulong *)page_address(page) != begins ||
	    (atomic_inc_return(&translations) ^ moves) & 1)
		return phys;
	return page_to_phys(virt_to_page(ours)) + offset_in_page(phys);
}

static const struct iommu_domain_ops domain_ops = {
	.attach_dev = domain_attach,
	.iova_to_phys = domain_translate,
};

/* Of the type whose addresses the core does not give out itself. */
static struct iommu_domain domain = {
	.type = IOMMU_DOMAIN_PLATFORM,
	.ops = &domain_ops,
};

static struct iommu_device iommu;

static struct iommu_device *iommu_probe(struct device *dev)
{
	if (!dev_is_pci(dev) || to_pci_dev(dev)->device != device ||
	    to_pci_dev(dev)->vendor != PCI_VENDOR_ID_INTEL)
		return ERR_PTR(-ENODEV);
	return &iommu;
}

static const struct iommu_ops iommu_ops = {
	.owner = THIS_MODULE,
	.probe_device = iommu_probe,
	.device_group = generic_device_group,
	.default_domain = &domain,
};

/* The driver core frees it when the driver is unbound. */
static int range_set(struct device *dev)
{
	struct bus_dma_region *range = kcalloc(2, sizeof(*range), GFP_KERNEL);

	if (!range)
		return -ENOMEM;
	range->dma_start = shift;
	range->size = SZ_64G;
	device_lock(dev);
	kfree(dev->dma_range_map);
	dev->dma_range_map = range;
	device_unlock(dev);
	return 0;
}

static int __init iommu_init(void)
{
	struct pci_dev *pdev = pci_get_device(PCI_VENDOR_ID_INTEL, device, NULL);
	int ret;

	if (!pdev)
		return -ENODEV;
	/* Not of the slab: gtdbg takes such a page for a device's. */
	ours = (u8 *)__get_free_page(GFP_KERNEL);
	ret = -ENOMEM;
	if (!ours)
		goto err_put_device;
	memset(ours, OURS, PAGE_SIZE);
	ret = iommu_device_sysfs_add(&iommu, NULL, NULL, "gtdbg-iommu");
	if (ret)
		goto err_free_page;
	ret = iommu_device_register(&iommu, &iommu_ops, NULL);
	if (ret)
		goto err_remove_sysfs;
	ret = range_set(&pdev->dev);
	if (ret)
		goto err_unregister;
	pci_dev_put(pdev);
	return 0;

err_unregister:
	iommu_device_unregister(&iommu);
err_remove_sysfs:
	iommu_device_sysfs_remove(&iommu);
err_free_page:
	free_page((ulong)ours);
err_put_device:
	pci_dev_put(pdev);
	return ret;
}

module_init(iommu_init);

MODULE_AUTHOR("gtdbg authors");
MODULE_DESCRIPTION("Stand-in for an IOMMU, for gtdbg's tests");
MODULE_LICENSE("GPL");
