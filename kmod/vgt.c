// SPDX-License-Identifier: GPL-2.0-only
/*
 * The virtual GT's backend. Reads come from the window and never wait for the
 * server; writes are queued for it, and a flush waits, for a bounded time, until
 * it says that they are done.
 */
#include "vgt.h"

#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "backend.h"

#define VGT_GGTT_ENTRIES_MAX (1U << 20)
#define VGT_WAIT_USUAL_NS (500 * NSEC_PER_MSEC) /* a busy machine is no delay */
#define VGT_CREDIT_PART 8 /* of the time that passes */
#define VGT_OFFER_SMALLEST 56 /* size of its first release */

static_assert(sizeof(struct gtdbg_vgt_offer) == 56);
static_assert(sizeof(struct gtdbg_vgt_request) == 24);
static_assert(sizeof(struct gtdbg_vgt_ack) == 8);

/* Place of a register in the window, in dwords; negative: there is none. */
static int vgt_window_index(const struct gtdbg_steer *steer, u32 offset)
{
	if (offset % sizeof(u32))
		return -EINVAL;
	if (!steer)
		return offset < GTDBG_VGT_WINDOW_REGISTERS_END ?
			       offset / sizeof(u32) : -EINVAL;
	if (offset < GTDBG_VGT_WINDOW_STEERED_FIRST ||
	    offset >= GTDBG_VGT_WINDOW_STEERED_END || steer->all ||
	    steer->slice >= GTDBG_VGT_WINDOW_SLICES ||
	    steer->subslice >= GTDBG_VGT_WINDOW_SUBSLICES)
		return -EINVAL;
	return (GTDBG_VGT_WINDOW_BANK(steer->slice, steer->subslice) + offset -
		GTDBG_VGT_WINDOW_STEERED_FIRST) / sizeof(u32);
}

static int vgt_reg_read(void *backend, const struct gtdbg_steer *steer,
			u32 offset, u32 *value_out)
{
	struct gtdbg_vgt *vgt = backend;
	int index = vgt_window_index(steer, offset);

	if (index < 0)
		return index;
	*value_out = READ_ONCE(vgt->window[index]);
	return 0;
}

static bool vgt_acked(struct gtdbg_vgt *vgt, u64 seqno)
{
	bool acked;

	spin_lock(&vgt->lock);
	acked = vgt->dead || vgt->acked >= seqno;
	spin_unlock(&vgt->lock);
	return acked;
}

/*
 * What a server makes the module wait in all is limited, not only each wait: the
 * part of each that is longer than usual is taken from a credit, which grows
 * again with time.
 */
static long vgt_wait_begin(struct gtdbg_vgt *vgt, ktime_t now)
{
	u64 passed = ktime_to_ns(ktime_sub(now, vgt->credited));

	vgt->credited = now;
	vgt->credit_ns = min(vgt->credit_ns + passed / VGT_CREDIT_PART,
			     GTDBG_VGT_TIMEOUT_NS - VGT_WAIT_USUAL_NS);
	return nsecs_to_jiffies(VGT_WAIT_USUAL_NS + vgt->credit_ns) + 1;
}

static void vgt_wait_end(struct gtdbg_vgt *vgt, ktime_t begin)
{
	u64 took = ktime_to_ns(ktime_sub(ktime_get(), begin));

	if (took > VGT_WAIT_USUAL_NS)
		vgt->credit_ns -= min(vgt->credit_ns, took - VGT_WAIT_USUAL_NS);
}

/*
 * Wait until all requests up to @seqno are carried out. If the caller is killed
 * meanwhile they are carried out all the same.
 */
static int vgt_wait(struct gtdbg_vgt *vgt, u64 seqno)
{
	ktime_t begin = ktime_get();
	long left;

	if (vgt_acked(vgt, seqno))
		return READ_ONCE(vgt->dead) ? -ENODEV : 0;
	left = wait_event_killable_timeout(vgt->waiters, vgt_acked(vgt, seqno),
					   vgt_wait_begin(vgt, begin));
	vgt_wait_end(vgt, begin);
	if (left < 0)
		return -EINTR;
	if (!left)
		return -ETIMEDOUT;
	return READ_ONCE(vgt->dead) ? -ENODEV : 0;
}

static u64 vgt_queued(struct gtdbg_vgt *vgt)
{
	u64 queued;

	spin_lock(&vgt->lock);
	queued = vgt->queued;
	spin_unlock(&vgt->lock);
	return queued;
}

static int vgt_flush(void *backend)
{
	struct gtdbg_vgt *vgt = backend;

	return vgt_wait(vgt, vgt_queued(vgt));
}

static int vgt_settled(void *backend)
{
	struct gtdbg_vgt *vgt = backend;

	if (READ_ONCE(vgt->dead))
		return -ENODEV;
	return vgt_acked(vgt, vgt_queued(vgt));
}

static void vgt_hangup(void *backend)
{
	struct gtdbg_vgt *vgt = backend;

	spin_lock(&vgt->lock);
	vgt->hung_up = true;
	spin_unlock(&vgt->lock);
	wake_up_interruptible(&vgt->server);
}

static void vgt_fill_request(struct gtdbg_vgt_request *request,
			     const struct gtdbg_steer *steer, u32 offset,
			     u32 value)
{
	*request = (struct gtdbg_vgt_request){
		.offset = offset,
		.value = value,
	};
	if (!steer)
		return;
	request->flags = GTDBG_VGT_REQUEST_F_STEERED;
	if (steer->all)
		request->flags |= GTDBG_VGT_REQUEST_F_MULTICAST;
	request->slice = steer->slice;
	request->subslice = steer->subslice;
}

/* Writers are serialized by the GT's lock, so the room stays. */
static int vgt_reg_write(void *backend, const struct gtdbg_steer *steer,
			 u32 offset, u32 value)
{
	struct gtdbg_vgt *vgt = backend;
	struct gtdbg_vgt_request request;
	u64 queued = vgt_queued(vgt);
	int ret = 0;

	if (queued >= GTDBG_VGT_REQUESTS)
		ret = vgt_wait(vgt, queued - GTDBG_VGT_REQUESTS + 1);
	if (ret)
		return ret;
	vgt_fill_request(&request, steer, offset, value);
	spin_lock(&vgt->lock);
	if (vgt->dead) {
		ret = -ENODEV;
	} else {
		request.seqno = ++vgt->queued;
		vgt->request[request.seqno % GTDBG_VGT_REQUESTS] = request;
	}
	spin_unlock(&vgt->lock);
	wake_up_interruptible(&vgt->server);
	return ret;
}

static int vgt_ggtt_read(void *backend, u32 index, u64 *entry_out)
{
	struct gtdbg_vgt *vgt = backend;

	if (index >= vgt->ggtt_entries)
		return -EFAULT;
	return gtdbg_vgt_memory_read(vgt, vgt->ggtt_address + 8ULL * index,
				     entry_out, sizeof(*entry_out));
}

static const struct gtdbg_backend_ops vgt_ops = {
	.owner = THIS_MODULE,
	.is_virtual = true,
	.settled = vgt_settled,
	.hangup = vgt_hangup,
	.reg_read = vgt_reg_read,
	.reg_write = vgt_reg_write,
	.flush = vgt_flush,
	.ggtt_read = vgt_ggtt_read,
	.memory_read = gtdbg_vgt_memory_read,
	.memory_write = gtdbg_vgt_memory_write,
	.memory_peek = gtdbg_vgt_memory_peek,
};

/*
 * The server
 */

static int vgt_open(struct inode *inode, struct file *filp)
{
	struct gtdbg_vgt *vgt = kvzalloc(sizeof(*vgt), GFP_KERNEL_ACCOUNT);

	if (!vgt)
		return -ENOMEM;
	mutex_init(&vgt->offer_lock);
	init_waitqueue_head(&vgt->server);
	init_waitqueue_head(&vgt->waiters);
	spin_lock_init(&vgt->lock);
	filp->private_data = vgt;
	return nonseekable_open(inode, filp);
}

static void vgt_offer_fini(struct gtdbg_vgt *vgt)
{
	gtdbg_vgt_memory_fini(vgt);
	vfree(vgt->window);
	vgt->window = NULL;
}

/*
 * Waits of the module are ended first, then the GT is withdrawn: no operation of
 * the backend runs, or will run, when its memory goes.
 */
static int vgt_release(struct inode *inode, struct file *filp)
{
	struct gtdbg_vgt *vgt = filp->private_data;

	spin_lock(&vgt->lock);
	vgt->dead = true;
	spin_unlock(&vgt->lock);
	wake_up_all(&vgt->waiters);
	if (vgt->gt) {
		gtdbg_registry_withdraw(vgt->gt);
		gtdbg_gt_put(vgt->gt);
	}
	vgt_offer_fini(vgt);
	kvfree(vgt);
	return 0;
}

static bool vgt_fetch(struct gtdbg_vgt *vgt, struct gtdbg_vgt_request *request)
{
	bool there;

	spin_lock(&vgt->lock);
	there = vgt->fetched < vgt->queued;
	if (there) {
		vgt->fetched++;
		*request = vgt->request[vgt->fetched % GTDBG_VGT_REQUESTS];
	}
	spin_unlock(&vgt->lock);
	return there;
}

static bool vgt_readable(struct gtdbg_vgt *vgt)
{
	bool there;

	spin_lock(&vgt->lock);
	there = vgt->fetched < vgt->queued;
	spin_unlock(&vgt->lock);
	return there;
}

static ssize_t vgt_read(struct file *filp, char __user *buf, size_t len,
			loff_t *pos)
{
	struct gtdbg_vgt *vgt = filp->private_data;
	struct gtdbg_vgt_request request;
	ssize_t done = 0;
	int ret;

	if (len < sizeof(request))
		return -EINVAL;
	while (!vgt_readable(vgt)) {
		if (filp->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(vgt->server, vgt_readable(vgt));
		if (ret)
			return ret;
	}
	while (len - done >= sizeof(request) && vgt_fetch(vgt, &request)) {
		/* A server with a bad buffer has lost what it asked for. */
		if (copy_to_user(buf + done, &request, sizeof(request)))
			return -EFAULT;
		done += sizeof(request);
	}
	return done;
}

static ssize_t vgt_write(struct file *filp, const char __user *buf, size_t len,
			 loff_t *pos)
{
	struct gtdbg_vgt *vgt = filp->private_data;
	struct gtdbg_vgt_ack ack;
	bool valid;

	if (len != sizeof(ack))
		return -EINVAL;
	if (copy_from_user(&ack, buf, sizeof(ack)))
		return -EFAULT;
	spin_lock(&vgt->lock);
	valid = ack.seqno && ack.seqno <= vgt->fetched;
	if (valid)
		vgt->acked = max(vgt->acked, ack.seqno);
	spin_unlock(&vgt->lock);
	if (!valid)
		return -EINVAL;
	wake_up_all(&vgt->waiters);
	return len;
}

static __poll_t vgt_poll(struct file *filp, poll_table *table)
{
	struct gtdbg_vgt *vgt = filp->private_data;

	poll_wait(filp, &vgt->server, table);
	return (vgt_readable(vgt) ? EPOLLIN | EPOLLRDNORM : 0) |
	       (READ_ONCE(vgt->hung_up) ? EPOLLHUP : 0);
}

static int vgt_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct gtdbg_vgt *vgt = filp->private_data;

	/* Without the lock: an offer maps memory with it held. */
	if (!smp_load_acquire(&vgt->gt))
		return -ENODEV;
	if (!(vma->vm_flags & VM_SHARED) || vma->vm_pgoff ||
	    vma->vm_end - vma->vm_start != PAGE_ALIGN(GTDBG_VGT_WINDOW_BYTES))
		return -EINVAL;
	return remap_vmalloc_range(vma, vgt->window, 0);
}

/* What the core does not know of: how the offer lies in the window. */
static int vgt_offer_check(const struct gtdbg_vgt_offer *offer)
{
	if (offer->flags || offer->__reserved ||
	    offer->slices > GTDBG_VGT_WINDOW_SLICES ||
	    offer->subslices > GTDBG_VGT_WINDOW_SUBSLICES)
		return -EINVAL;
	if (offer->ggtt_entries > VGT_GGTT_ENTRIES_MAX ||
	    offer->ggtt_address % sizeof(u64) ||
	    offer->ggtt_address > offer->memory_bytes ||
	    offer->memory_bytes - offer->ggtt_address <
		    offer->ggtt_entries * sizeof(u64))
		return -EINVAL;
	return 0;
}

static int vgt_offer_init(struct gtdbg_vgt *vgt,
			  const struct gtdbg_vgt_offer *offer)
{
	int ret = gtdbg_vgt_memory_init(vgt, offer->memory_fd,
					offer->memory_bytes);

	if (ret)
		return ret;
	vgt->ggtt_address = offer->ggtt_address;
	vgt->ggtt_entries = offer->ggtt_entries;
	vgt->window = vmalloc_user(PAGE_ALIGN(GTDBG_VGT_WINDOW_BYTES));
	return vgt->window ? 0 : -ENOMEM;
}

/* The GT is used as soon as it is published, so what it uses comes first. */
static int vgt_publish(struct gtdbg_vgt *vgt,
		       const struct gtdbg_vgt_offer *offer)
{
	const struct gtdbg_backend backend = {
		.ops = &vgt_ops,
		.data = vgt,
		.platform = offer->platform,
		.topology = {
			.slices = offer->slices,
			.subslices = offer->subslices,
			.eus = offer->eus,
			.threads = offer->threads,
		},
		.bytes = PAGE_ALIGN(GTDBG_VGT_WINDOW_BYTES) + sizeof(*vgt),
	};
	struct gtdbg_gt *gt = gtdbg_gt_create(&backend);
	int ret;

	if (IS_ERR(gt))
		return PTR_ERR(gt);
	ret = vgt_offer_init(vgt, offer);
	if (!ret)
		ret = gtdbg_registry_publish(gt, offer->client_fd);
	if (ret < 0) {
		gtdbg_gt_put(gt);
		vgt_offer_fini(vgt);
	} else {
		/* Its window can be mapped from now on. */
		smp_store_release(&vgt->gt, gt);
	}
	return ret;
}

static int vgt_offer(struct gtdbg_vgt *vgt, const struct gtdbg_vgt_offer *offer)
{
	int ret = vgt_offer_check(offer);

	if (ret)
		return ret;
	mutex_lock(&vgt->offer_lock);
	ret = vgt->gt ? -EBUSY : vgt_publish(vgt, offer);
	mutex_unlock(&vgt->offer_lock);
	return ret;
}

/* The one command; its struct may be older or newer than ours. */
static long vgt_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct gtdbg_vgt_offer offer;
	int ret;

	if (_IOC_TYPE(cmd) != _IOC_TYPE(GTDBG_VGT_IOC_OFFER) ||
	    _IOC_NR(cmd) != _IOC_NR(GTDBG_VGT_IOC_OFFER) ||
	    _IOC_DIR(cmd) != _IOC_DIR(GTDBG_VGT_IOC_OFFER))
		return -ENOTTY;
	if (_IOC_SIZE(cmd) < VGT_OFFER_SMALLEST)
		return -EINVAL;
	ret = copy_struct_from_user(&offer, sizeof(offer), (void __user *)arg,
				    _IOC_SIZE(cmd));
	return ret ?: vgt_offer(filp->private_data, &offer);
}

static const struct file_operations vgt_fops = {
	.owner = THIS_MODULE,
	.open = vgt_open,
	.release = vgt_release,
	.read = vgt_read,
	.write = vgt_write,
	.poll = vgt_poll,
	.mmap = vgt_mmap,
	.unlocked_ioctl = vgt_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice vgt_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gtdbg-vgt",
	.fops = &vgt_fops,
	/* Others get in by a rule of udev, if the administrator wants them to. */
	.mode = 0600,
};

module_misc_device(vgt_device);

MODULE_AUTHOR("gtdbg authors");
MODULE_DESCRIPTION("Virtual GPUs for gtdbg, served by processes");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
MODULE_IMPORT_NS(GTDBG);
