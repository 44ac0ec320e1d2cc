// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver neither knows of this nor is it asked: registers are mapped a second
 * time, and what is shared with it is used such that it does not notice. It has a
 * bit of its own among those that keep the device awake; the selector of
 * sub-slices is put back to what it was; a device that it has sent to sleep stays
 * asleep and is not touched.
 */
#include "gpu.h"

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/iommu.h>
#include <linux/ktime.h>
#include <linux/memory_hotplug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>

#include <linux/gtdbg.h>

#define GPU_BAR 0
#define GPU_BAR_BYTES (16U << 20)
#define GPU_REGISTERS_END 0x200000U /* what lies behind is reserved */
#define GPU_GGTT_FIRST (8U << 20)
#define GPU_GGTT_ENTRIES ((GPU_BAR_BYTES - GPU_GGTT_FIRST) / sizeof(u64))

/* Registers that the core does not know of, or leaves to its backend. */
#define GPU_STEER 0xfdc
#define STEER_ALL BIT(31)
#define STEER_SLICE_SHIFT 27
#define STEER_SUBSLICE_SHIFT 24
#define GPU_FUSE_EUS 0x9134 /* bit: a pair of EUs in each sub-slice is off */
#define FUSE_EUS GENMASK(7, 0)
#define GPU_FUSE_SLICES 0x9138
#define FUSE_SLICES GENMASK(1, 0)
#define GPU_FUSE_SUBSLICES 0x913c
#define GPU_DEAD_VALUE 0xffffffffU /* what a bus without a device gives */

/* Of bits 15:0 the driver has bit 0; firmware uses others from the top. */
#define WAKE_OURS BIT(1)
#define WAKE_MS 50
#define DEAF_MS 100 /* until it is asked again, and twice as long each time */
#define DEAF_MS_MAX 3200

/* Those of a Tiger Lake: all sub-slices that it may have. */
#define TGL_SLICES 1
#define TGL_SUBSLICES 6
#define TGL_EUS 16
#define TGL_THREADS 7

#define NODE_MAJOR 226
#define NODE_RENDER_FIRST 128

static const struct gtdbg_gpu_model models[] = {
	{ 0x9a40, GTDBG_PLATFORM_GEN12LP },
	{ 0x9a49, GTDBG_PLATFORM_GEN12LP },
	{ 0x9a59, GTDBG_PLATFORM_GEN12LP },
	{ 0x9a60, GTDBG_PLATFORM_GEN12LP },
	{ 0x9a68, GTDBG_PLATFORM_GEN12LP },
	{ 0x9a70, GTDBG_PLATFORM_GEN12LP },
	{ 0x9a78, GTDBG_PLATFORM_GEN12LP },
	{ 0x9ac0, GTDBG_PLATFORM_GEN12LP },
	{ 0x9ac9, GTDBG_PLATFORM_GEN12LP },
	{ 0x9ad9, GTDBG_PLATFORM_GEN12LP },
	{ 0x9af8, GTDBG_PLATFORM_GEN12LP },
};

static const struct {
	u32 request, ack;
} wells[] = { { 0xa278, 0xd84 }, { 0xa188, 0x130044 } };

static DEFINE_MUTEX(gpus_lock);
static LIST_HEAD(gpus); /* protected by gpus_lock */

/*
 * Finding it
 */

static int node_match(struct device *dev, void *data)
{
	return dev->devt == *(dev_t *)data && dev->class &&
	       !strcmp(dev->class->name, "drm");
}

/* The number of the render node behind @drm_fd. */
static int node_number(int drm_fd, dev_t *out)
{
	struct file *file = fget(drm_fd);
	struct inode *inode;
	int ret = -EINVAL;

	if (!file)
		return -EBADF;
	inode = file_inode(file);
	if (S_ISCHR(inode->i_mode) && imajor(inode) == NODE_MAJOR &&
	    iminor(inode) >= NODE_RENDER_FIRST) {
		*out = inode->i_rdev;
		ret = 0;
	}
	fput(file);
	return ret;
}

/* The driver makes its nodes children of the device. */
static struct pci_dev *node_device(dev_t number)
{
	struct pci_dev *pdev = NULL;
	struct device *node;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, PCI_ANY_ID, pdev))) {
		node = device_find_child(&pdev->dev, &number, node_match);
		if (node) {
			put_device(node);
			return pdev;
		}
	}
	return NULL;
}

static const struct gtdbg_gpu_model *model_find(struct pci_dev *pdev)
{
	const char *driver = dev_driver_string(&pdev->dev);
	u32 i;

	if (strcmp(driver, "i915")) {
		pci_info_ratelimited(pdev, "gtdbg-pci: driver %s is not supported\n",
				     driver);
		return NULL;
	}
	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].device == pdev->device)
			return &models[i];
	pci_info_ratelimited(pdev, "gtdbg-pci: GPU %04x:%04x is not supported\n",
			     pdev->vendor, pdev->device);
	return NULL;
}

static struct gtdbg_gpu *gpu_create(struct pci_dev *pdev)
{
	const struct gtdbg_gpu_model *model = model_find(pdev);
	struct gtdbg_gpu *gpu;

	if (!model)
		return ERR_PTR(-EOPNOTSUPP);
	if (pci_resource_len(pdev, GPU_BAR) < GPU_BAR_BYTES) {
		pci_info_ratelimited(pdev, "gtdbg-pci: BAR 0 is too small\n");
		return ERR_PTR(-EOPNOTSUPP);
	}
	gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	if (!gpu)
		return ERR_PTR(-ENOMEM);
	gpu->bar = ioremap(pci_resource_start(pdev, GPU_BAR), GPU_BAR_BYTES);
	if (!gpu->bar) {
		kfree(gpu);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&gpu->ref);
	gpu->pdev = pci_dev_get(pdev);
	gpu->model = model;
	mutex_init(&gpu->views_lock);
	INIT_LIST_HEAD(&gpu->views);
	spin_lock_init(&gpu->steer_lock);
	mutex_init(&gpu->wake_lock);
	return gpu;
}

struct pci_dev *gtdbg_gpu_find(int drm_fd, s32 *minor_out)
{
	struct pci_dev *pdev;
	dev_t number;
	int ret;

	ret = node_number(drm_fd, &number);
	if (ret)
		return ERR_PTR(ret);
	pdev = node_device(number);
	*minor_out = MINOR(number);
	return pdev ?: ERR_PTR(-EOPNOTSUPP);
}

/*
 * The one of @pdev, or a new one: views of one GPU share what they do to it. One that
 * its driver has let go of is dead, so the driver of one that is not is known.
 */
static struct gtdbg_gpu *gpu_get(struct pci_dev *pdev)
{
	struct gtdbg_gpu *gpu;

	lockdep_assert_held(&gpus_lock);
	list_for_each_entry(gpu, &gpus, node) {
		if (gpu->pdev == pdev && !READ_ONCE(gpu->dead)) {
			kref_get(&gpu->ref);
			return gpu;
		}
	}
	gpu = gpu_create(pdev);
	if (!IS_ERR(gpu))
		list_add_tail(&gpu->node, &gpus);
	return gpu;
}

struct gtdbg_gpu *gtdbg_gpu_get(struct pci_dev *pdev)
{
	struct gtdbg_gpu *gpu;

	/* Its driver neither comes nor goes. */
	device_lock_assert(&pdev->dev);
	mutex_lock(&gpus_lock);
	gpu = gpu_get(pdev);
	mutex_unlock(&gpus_lock);
	return gpu;
}

/* Called with gpus_lock held, and lets go of it. */
static void gpu_free(struct kref *ref)
{
	struct gtdbg_gpu *gpu = container_of(ref, struct gtdbg_gpu, ref);

	list_del(&gpu->node);
	mutex_unlock(&gpus_lock);
	iounmap(gpu->bar);
	pci_dev_put(gpu->pdev);
	kfree(gpu);
}

void gtdbg_gpu_put(struct gtdbg_gpu *gpu)
{
	if (gpu)
		kref_put_mutex(&gpu->ref, gpu_free, &gpus_lock);
}

/* Its reference is what keeps @from in the list; who drops the last one has the lock. */
struct gtdbg_gpu *gtdbg_gpu_next(const struct pci_dev *pdev,
				 struct gtdbg_gpu *from)
{
	struct gtdbg_gpu *gpu, *found = NULL;

	mutex_lock(&gpus_lock);
	gpu = list_prepare_entry(from, &gpus, node);
	list_for_each_entry_continue(gpu, &gpus, node) {
		if (!pdev || gpu->pdev == pdev) {
			kref_get(&gpu->ref);
			found = gpu;
			break;
		}
	}
	mutex_unlock(&gpus_lock);
	gtdbg_gpu_put(from);
	return found;
}

void gtdbg_gpu_kill(struct gtdbg_gpu *gpu)
{
	WRITE_ONCE(gpu->dead, true);
}

/*
 * Registers
 */

/*
 * A GPU that nobody uses may fall asleep at any time: it is neither kept from that
 * nor touched. Works in an interrupt. 1: it is awake, and to be let go of.
 */
static int gpu_enter(struct gtdbg_gpu *gpu)
{
	if (READ_ONCE(gpu->dead))
		return -ENODEV;
	/* Where nothing ever sleeps nobody counts users. */
	return !IS_ENABLED(CONFIG_PM) ||
	       pm_runtime_get_if_in_use(&gpu->pdev->dev) > 0;
}

static void gpu_leave(struct gtdbg_gpu *gpu)
{
	pm_runtime_put_autosuspend(&gpu->pdev->dev);
}

/* Each costs time of the bus: selftests/speed/registers counts the calls. */
static noinline u32 gpu_readl(struct gtdbg_gpu *gpu, u32 offset)
{
	return readl(gpu->bar + offset);
}

static noinline u64 gpu_readq(struct gtdbg_gpu *gpu, u32 offset)
{
	return readq(gpu->bar + offset);
}

/* All bits are set where there is no device; this register has never all. */
static bool gpu_is_gone(struct gtdbg_gpu *gpu)
{
	if (gpu_readl(gpu, GPU_FUSE_SLICES) != GPU_DEAD_VALUE)
		return false;
	gtdbg_gpu_kill(gpu);
	return true;
}

static bool offset_valid(u32 offset)
{
	return offset < GPU_REGISTERS_END && offset % sizeof(u32) == 0;
}

static u32 steer_value(const struct gtdbg_steer *steer)
{
	return steer->all ? STEER_ALL :
			    (u32)steer->slice << STEER_SLICE_SHIFT |
			    (u32)steer->subslice << STEER_SUBSLICE_SHIFT;
}

/*
 * The driver steers under a lock of its own, mostly when it looks at an engine that
 * hangs; it sets the selector anew each time.
 */
static u32 gpu_steered(struct gtdbg_gpu *gpu, const struct gtdbg_steer *steer,
		       u32 offset, const u32 *write)
{
	u32 before, value = 0;

	spin_lock(&gpu->steer_lock);
	before = gpu_readl(gpu, GPU_STEER);
	writel(steer_value(steer), gpu->bar + GPU_STEER);
	if (write)
		writel(*write, gpu->bar + offset);
	else
		value = gpu_readl(gpu, offset);
	writel(before, gpu->bar + GPU_STEER);
	spin_unlock(&gpu->steer_lock);
	return value;
}

int gtdbg_gpu_read(struct gtdbg_gpu *gpu, const struct gtdbg_steer *steer,
		   u32 offset, u32 *value_out)
{
	int ret;

	if (!offset_valid(offset))
		return -EINVAL;
	*value_out = 0;
	ret = gpu_enter(gpu);
	if (ret <= 0)
		return ret;
	*value_out = steer ? gpu_steered(gpu, steer, offset, NULL) :
			     gpu_readl(gpu, offset);
	ret = *value_out == GPU_DEAD_VALUE && gpu_is_gone(gpu) ? -ENODEV : 0;
	gpu_leave(gpu);
	return ret;
}

/* Of all sub-slices; true: one has given what a dead device gives. */
static bool gpu_rows(struct gtdbg_gpu *gpu, const struct gtdbg_rows *rows,
		     u32 *values)
{
	u32 before = gpu_readl(gpu, GPU_STEER), subslice, i, *value;
	bool dead = false;

	lockdep_assert_held(&gpu->steer_lock);
	for (subslice = 0; rows->subslice_mask >> subslice; subslice++) {
		struct gtdbg_steer steer = {
			.slice = subslice / rows->subslices,
			.subslice = subslice % rows->subslices,
		};

		if (!(rows->subslice_mask & BIT_ULL(subslice)))
			continue;
		writel(steer_value(&steer), gpu->bar + GPU_STEER);
		for (i = 0; i < rows->count; i++) {
			value = &values[subslice * rows->count + i];
			*value = gpu_readl(gpu, rows->offset + 4 * i);
			dead |= *value == GPU_DEAD_VALUE;
		}
	}
	writel(before, gpu->bar + GPU_STEER);
	return dead;
}

/* The selector is set once for each sub-slice, and put back at the end. */
int gtdbg_gpu_rows_read(struct gtdbg_gpu *gpu, const struct gtdbg_rows *rows,
			u32 *values_out)
{
	bool dead;
	int ret;

	if (!offset_valid(rows->offset) ||
	    !offset_valid(rows->offset + 4 * (rows->count - 1)))
		return -EINVAL;
	ret = gpu_enter(gpu);
	if (ret <= 0)
		return ret;
	spin_lock(&gpu->steer_lock);
	dead = gpu_rows(gpu, rows, values_out);
	spin_unlock(&gpu->steer_lock);
	ret = dead && gpu_is_gone(gpu) ? -ENODEV : 0;
	gpu_leave(gpu);
	return ret;
}

int gtdbg_gpu_write(struct gtdbg_gpu *gpu, const struct gtdbg_steer *steer,
		    u32 offset, u32 value)
{
	int ret;

	if (!offset_valid(offset))
		return -EINVAL;
	ret = gpu_enter(gpu);
	/* Nothing runs on one that sleeps, so there is nothing to be asked of it. */
	if (ret <= 0)
		return ret;
	if (steer)
		gpu_steered(gpu, steer, offset, &value);
	else
		writel(value, gpu->bar + offset);
	gpu_leave(gpu);
	return 0;
}

/* A read comes back only after all that was written before it has arrived. */
int gtdbg_gpu_flush(struct gtdbg_gpu *gpu)
{
	u32 value;

	return gtdbg_gpu_read(gpu, NULL, GPU_FUSE_SLICES, &value);
}

int gtdbg_gpu_ggtt_read(struct gtdbg_gpu *gpu, u32 index, u64 *entry_out)
{
	int ret;

	if (index >= GPU_GGTT_ENTRIES)
		return -EFAULT;
	*entry_out = 0;
	ret = gpu_enter(gpu);
	if (ret <= 0)
		return ret;
	*entry_out = gpu_readq(gpu, GPU_GGTT_FIRST + index * sizeof(u64));
	ret = *entry_out == ~0ULL && gpu_is_gone(gpu) ? -ENODEV : 0;
	gpu_leave(gpu);
	return ret;
}

int gtdbg_gpu_topology(struct gtdbg_gpu *gpu, struct gtdbg_topology *out)
{
	u32 slices = 0, subslices = 0, eus = 0;
	int ret;

	ret = gtdbg_gpu_read(gpu, NULL, GPU_FUSE_SLICES, &slices) ?:
	      gtdbg_gpu_read(gpu, NULL, GPU_FUSE_SUBSLICES, &subslices) ?:
	      gtdbg_gpu_read(gpu, NULL, GPU_FUSE_EUS, &eus);
	if (ret)
		return ret;
	subslices &= GENMASK(TGL_SUBSLICES - 1, 0);
	if (!(slices & FUSE_SLICES) || !subslices)
		return -ENODEV;
	/* Numbers are those of the whole part, as threads give themselves. */
	*out = (struct gtdbg_topology){
		.slices = TGL_SLICES,
		.subslices = TGL_SUBSLICES,
		.eus = TGL_EUS,
		.threads = TGL_THREADS,
		.subslice_mask = subslices,
	};
	if (eus & FUSE_EUS)
		pci_info_ratelimited(gpu->pdev,
				     "gtdbg-pci: pairs of EUs %#lx are fused off\n",
				     eus & FUSE_EUS);
	return 0;
}

/*
 * Staying awake
 */

static int well_wait(struct gtdbg_gpu *gpu, u32 ack, bool awake)
{
	ktime_t end = ktime_add_ms(ktime_get(), WAKE_MS);
	bool late;

	for (;;) {
		late = ktime_after(ktime_get(), end);
		if (!!(gpu_readl(gpu, ack) & WAKE_OURS) == awake)
			return gpu_is_gone(gpu) ? -ENODEV : 0;
		if (late)
			return gpu_is_gone(gpu) ? -ENODEV : -ETIMEDOUT;
		usleep_range(10, 50);
	}
}

static void wells_write(struct gtdbg_gpu *gpu, bool awake)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wells); i++)
		writel(WAKE_OURS << 16 | (awake ? WAKE_OURS : 0),
		       gpu->bar + wells[i].request);
}

/*
 * The acknowledgement of one that was let go of just now may still be up, and
 * would be taken for the next one's: so it is waited for first, as the driver does.
 * A device that was gone for a while could not be told that it is let go of.
 */
static int wells_wake(struct gtdbg_gpu *gpu)
{
	int ret = 0;
	u32 i;

	if (!gpu->was_awake)
		wells_write(gpu, false);
	gpu->was_awake = true;
	for (i = 0; i < ARRAY_SIZE(wells) && !ret; i++)
		ret = well_wait(gpu, wells[i].ack, false);
	if (ret)
		return ret;
	wells_write(gpu, true);
	for (i = 0; i < ARRAY_SIZE(wells) && !ret; i++)
		ret = well_wait(gpu, wells[i].ack, true);
	if (ret)
		wells_write(gpu, false);
	return ret;
}

static int gpu_wake_first(struct gtdbg_gpu *gpu)
{
	int ret;

	if (READ_ONCE(gpu->dead))
		return -ENODEV;
	ret = pm_runtime_resume_and_get(&gpu->pdev->dev);
	if (ret < 0)
		return ret == -EINTR ? ret : -ENODEV;
	ret = wells_wake(gpu);
	if (ret)
		gpu_leave(gpu);
	return ret;
}

static void gpu_note_answer(struct gtdbg_gpu *gpu, int ret)
{
	lockdep_assert_held(&gpu->wake_lock);
	if (ret == -ETIMEDOUT) {
		gpu->deaf_ms = clamp_t(u32, 2 * gpu->deaf_ms, DEAF_MS,
				       DEAF_MS_MAX);
		WRITE_ONCE(gpu->deaf_end,
			   ktime_add_ms(ktime_get(), gpu->deaf_ms));
		WRITE_ONCE(gpu->refusals, gpu->refusals + 1);
	} else {
		gpu->deaf_ms = 0;
		WRITE_ONCE(gpu->deaf_end, 0);
	}
}

static int gpu_wake_locked(struct gtdbg_gpu *gpu)
{
	int ret = 0;

	lockdep_assert_held(&gpu->wake_lock);
	if (!gpu->wakes) {
		ret = gpu_wake_first(gpu);
		gpu_note_answer(gpu, ret);
	}
	if (!ret)
		gpu->wakes++;
	return ret;
}

/*
 * Who has waited while another one has asked in vain does not ask again, so nobody
 * waits for the others' questions and its own.
 */
int gtdbg_gpu_wake(struct gtdbg_gpu *gpu)
{
	u32 refusals = READ_ONCE(gpu->refusals);
	int ret = -ETIMEDOUT;

	mutex_lock(&gpu->wake_lock);
	if (gpu->wakes || gpu->refusals == refusals)
		ret = gpu_wake_locked(gpu);
	mutex_unlock(&gpu->wake_lock);
	return ret;
}

void gtdbg_gpu_sleep(struct gtdbg_gpu *gpu)
{
	mutex_lock(&gpu->wake_lock);
	if (!--gpu->wakes) {
		if (!READ_ONCE(gpu->dead))
			wells_write(gpu, false);
		gpu_leave(gpu);
	}
	mutex_unlock(&gpu->wake_lock);
}

/*
 * One that has fallen asleep is woken up for it: what it runs next would not stop
 * before it has been found again.
 */
int gtdbg_gpu_answers(struct gtdbg_gpu *gpu)
{
	int ret;

	if (ktime_before(ktime_get(), READ_ONCE(gpu->deaf_end)))
		return READ_ONCE(gpu->dead) ? -ENODEV : 0;
	ret = gtdbg_gpu_wake(gpu);
	/* What else fails may pass: that it could not be resumed just now, say. */
	if (ret)
		return READ_ONCE(gpu->dead) ? -ENODEV : 0;
	gtdbg_gpu_sleep(gpu);
	return 1;
}

void gtdbg_gpu_remind(struct gtdbg_gpu *gpu)
{
	mutex_lock(&gpu->wake_lock);
	if (gpu->wakes && !READ_ONCE(gpu->dead))
		wells_write(gpu, true);
	mutex_unlock(&gpu->wake_lock);
}

/*
 * Memory
 */

/*
 * What a page table holds is an address as the device uses it. Devices of the
 * machine may be given another memory than it has.
 */
static phys_addr_t memory_translate(struct gtdbg_gpu *gpu, u64 address)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(&gpu->pdev->dev);

	return domain ? iommu_iova_to_phys(domain, address) : address;
}

/*
 * What the kernel has for its objects or page tables, or has not given out, is no
 * device's. Pages without a reference may be: those behind the first of several that
 * a driver has allocated at once.
 */
static bool page_may_be_device(struct page *page)
{
	return !PageReserved(page) && !PageSlab(compound_head(page)) &&
	       !PageTable(page) && !PageBuddy(page);
}

static struct page *memory_page(struct gtdbg_gpu *gpu, u64 address)
{
	phys_addr_t phys = memory_translate(gpu, address);
	struct page *page = phys ? pfn_to_online_page(PHYS_PFN(phys)) : NULL;

	return page && page_may_be_device(page) ? page : NULL;
}

/*
 * One without a reference of its own cannot be held: programs are given none. What is
 * held is all of its folio; the page is the one at @address.
 */
struct page *gtdbg_gpu_memory_hold(struct gtdbg_gpu *gpu, u64 address)
{
	struct page *page = READ_ONCE(gpu->dead) ? NULL :
						   memory_page(gpu, address);
	struct page *head;

	if (!page)
		return NULL;
	head = compound_head(page);
	if (!get_page_unless_zero(head))
		return NULL;
	/* It may have become another one's before. */
	if (compound_head(page) == head && page_may_be_device(page))
		return page;
	put_page(head);
	return NULL;
}

void gtdbg_gpu_memory_release(struct page *page)
{
	put_page(page);
}

/*
 * Shared memory that is swapped out while others have a reference is found again by
 * whoever wants it back; of other memory that is not so, or it is a file's.
 */
struct page *gtdbg_gpu_memory_keep(struct gtdbg_gpu *gpu, u64 address)
{
	struct page *page = gtdbg_gpu_memory_hold(gpu, address);
	struct folio *folio;

	if (!page)
		return NULL;
	folio = page_folio(page);
	if (folio_test_swapbacked(folio) && !folio_test_anon(folio))
		return page;
	folio_put(folio);
	return NULL;
}

bool gtdbg_gpu_memory_is(struct gtdbg_gpu *gpu, u64 address,
			 const struct page *page)
{
	return !READ_ONCE(gpu->dead) &&
	       PHYS_PFN(memory_translate(gpu, address)) == page_to_pfn(page);
}

/* Mostly the next page's is the last one's. */
static bool folio_is_new(struct page *const *pages, u32 at)
{
	u32 i;

	for (i = at; i > 0; i--)
		if (page_folio(pages[i - 1]) == page_folio(pages[at]))
			return false;
	return true;
}

/* All of a folio stays as long as one of its pages is kept. */
u64 gtdbg_gpu_kept_bytes(struct page *const *pages, u32 count)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < count; i++)
		if (folio_is_new(pages, i))
			bytes += folio_size(page_folio(pages[i]));
	return bytes;
}

static void page_copy(struct page *page, u32 offset, void *buf, u32 len_bytes,
		      bool write)
{
	u8 *at = kmap_local_page(page);

	if (write)
		memcpy(at + offset, buf, len_bytes);
	else
		memcpy(buf, at + offset, len_bytes);
	kunmap_local(at);
}

void gtdbg_gpu_kept_copy(struct page *page, u32 offset, void *buf,
			 u32 len_bytes, bool write)
{
	page_copy(page, offset, buf, len_bytes, write);
}

/*
 * What was written is to be kept. The flag is all that marking it dirty sets for shared
 * memory, so there is no mapping to be looked at that may be on its way out, and no lock
 * to be waited for. Reclaim looks for it only when nobody has a reference any more.
 */
void gtdbg_gpu_memory_unkeep(struct page *page)
{
	struct folio *folio = page_folio(page);

	folio_set_dirty(folio);
	folio_put(folio);
}

int gtdbg_gpu_memory_copy(struct gtdbg_gpu *gpu, u64 address, void *buf,
			  u32 len_bytes, bool write)
{
	u32 offset = offset_in_page(address);
	struct page *page;

	if (READ_ONCE(gpu->dead))
		return -ENODEV;
	if (len_bytes > PAGE_SIZE - offset)
		return -EFAULT;
	page = memory_page(gpu, address);
	if (!page)
		return -EFAULT;
	page_copy(page, offset, buf, len_bytes, write);
	return 0;
}
