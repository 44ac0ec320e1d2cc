// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory by GPU address. Data goes through a bounce buffer, piece by piece, so
 * that no lock is held while the caller's pages are touched.
 */
#include "memory.h"

#include <linux/anon_inodes.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "context.h"
#include "gt.h"
#include "ppgtt.h"
#include "session.h"
#include "site.h"
#include "trace.h"

#define MEMORY_CHUNK_BYTES 65536
#define MEMORY_MAPPINGS_MAX 1024 /* of one call */

struct memory_file {
	struct gtdbg_session *session;
	u32 device, context;
};

/* One access under way. */
struct memory_access {
	struct gtdbg_session *session;
	u32 device, context;
	bool write;
	u8 *chunk;
	u32 chunk_bytes;
};

/* For pieces of @len_bytes at most, or parts of them: most are variables. */
static int memory_access_init(struct memory_access *access, u64 len_bytes)
{
	access->chunk_bytes = min_t(u64, len_bytes, MEMORY_CHUNK_BYTES);
	access->chunk = kvmalloc(access->chunk_bytes, GFP_KERNEL);
	return access->chunk ? 0 : -ENOMEM;
}

/* Copy between the chunk and the target; bytes done, or an error if none. */
static ssize_t memory_piece(const struct memory_access *access, u64 address,
			    u32 len_bytes)
{
	struct gtdbg_context *context;
	struct gtdbg_gt *gt;
	ssize_t done;

	gt = gtdbg_session_gt_lock(access->session, access->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	context = gtdbg_context_find(gt, access->context);
	if (!context)
		done = -ENOENT;
	else if (access->write)
		done = gtdbg_ppgtt_copy(gt, context, address, access->chunk,
					len_bytes, true);
	else
		done = gtdbg_ppgtt_fetch(gt, context, address, access->chunk,
					 len_bytes);
	/* It may have been code. */
	if (access->write && done > 0) {
		gtdbg_sites_written(gt, context, address, done);
		gt->code_dirty = true;
	} else if (done > 0) {
		gtdbg_sites_hide(gt, context, address, access->chunk, done);
	}
	if (done > 0)
		gtdbg_gt_count(gt, memory_bytes, done);
	gtdbg_session_gt_unlock(gt);
	return done;
}

/* One chunk, between the caller and the target: bytes done, or an error. */
static ssize_t memory_copy_chunk(const struct memory_access *access,
				 u64 address, char __user *buf, u32 len_bytes)
{
	ssize_t done;

	if (fatal_signal_pending(current))
		return -EINTR;
	if (access->write && copy_from_user(access->chunk, buf, len_bytes))
		return -EFAULT;
	done = memory_piece(access, address, len_bytes);
	if (done > 0 && !access->write &&
	    copy_to_user(buf, access->chunk, done))
		return -EFAULT;
	return done;
}

/*
 * As much as there is from @address on, to the end of the address space at most;
 * an error only if that is nothing.
 */
static ssize_t memory_copy(const struct memory_access *access, u64 address,
			   char __user *buf, u64 len_bytes)
{
	u64 total = 0;
	ssize_t done = 0;

	if (address > GTDBG_ADDRESS_MASK + 1)
		return -EINVAL;
	len_bytes = min(len_bytes, GTDBG_ADDRESS_MASK + 1 - address);
	while (total < len_bytes) {
		u32 bytes = min_t(u64, len_bytes - total,
				  access->chunk_bytes);

		done = memory_copy_chunk(access, address + total, buf + total,
					 bytes);
		if (done > 0)
			total += done;
		if (done < (ssize_t)bytes)
			break;
	}
	if (!total)
		return done;
	trace_gtdbg_memory(access->device, access->context, address, total,
			   access->write);
	return total;
}

/*
 * Descriptors
 */

static ssize_t memory_file_copy(struct file *filp, char __user *buf, size_t len,
				loff_t *pos, bool write)
{
	struct memory_file *file = filp->private_data;
	struct memory_access access = {
		.session = file->session,
		.device = file->device,
		.context = file->context,
		.write = write,
	};
	ssize_t ret;

	len = min_t(size_t, len, GTDBG_MEMORY_BYTES_MAX);
	ret = memory_access_init(&access, len);
	if (ret)
		return ret;
	ret = memory_copy(&access, *pos, buf, len);
	kvfree(access.chunk);
	if (ret > 0)
		*pos += ret;
	/* The device was there when the descriptor was made. */
	return ret == -ENOENT || ret == -ESRCH ? -ENODEV : ret;
}

static ssize_t memory_file_read(struct file *filp, char __user *buf, size_t len,
				loff_t *pos)
{
	return memory_file_copy(filp, buf, len, pos, false);
}

static ssize_t memory_file_write(struct file *filp, const char __user *buf,
				 size_t len, loff_t *pos)
{
	return memory_file_copy(filp, (char __user *)buf, len, pos, true);
}

static loff_t memory_file_llseek(struct file *filp, loff_t offset, int whence)
{
	return no_seek_end_llseek_size(filp, offset, whence,
				       GTDBG_ADDRESS_MASK);
}

static int memory_file_release(struct inode *inode, struct file *filp)
{
	struct memory_file *file = filp->private_data;

	gtdbg_session_put(file->session);
	kfree(file);
	return 0;
}

static const struct file_operations memory_fops = {
	.owner = THIS_MODULE,
	.release = memory_file_release,
	.read = memory_file_read,
	.write = memory_file_write,
	.llseek = memory_file_llseek,
};

static int memory_file_install(struct memory_file *file, int flags)
{
	struct file *filp;
	int fd = get_unused_fd_flags(O_CLOEXEC);

	if (fd < 0)
		return fd;
	filp = anon_inode_getfile("[gtdbg-memory]", &memory_fops, file, flags);
	if (IS_ERR(filp)) {
		put_unused_fd(fd);
		return PTR_ERR(filp);
	}
	filp->f_mode |= FMODE_LSEEK | FMODE_PREAD | FMODE_PWRITE;
	fd_install(fd, filp);
	return fd;
}

static int memory_check_context(struct gtdbg_session *session, u32 device,
				u32 context)
{
	struct gtdbg_gt *gt = gtdbg_session_gt_lock(session, device);
	bool found;

	if (IS_ERR(gt))
		return PTR_ERR(gt);
	found = gtdbg_context_find(gt, context);
	gtdbg_session_gt_unlock(gt);
	return found ? 0 : -ENOENT;
}

int gtdbg_ioctl_memory_open(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_memory_open *request = arg;
	struct memory_file *file;
	int ret;

	if (request->__reserved ||
	    (request->flags != O_RDONLY && request->flags != O_RDWR))
		return -EINVAL;
	if (request->flags == O_RDWR && session->observer)
		return -EPERM;
	ret = memory_check_context(session, request->device, request->context);
	if (ret)
		return ret;
	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return -ENOMEM;
	file->session = gtdbg_session_get(session);
	file->device = request->device;
	file->context = request->context;
	ret = memory_file_install(file, request->flags);
	if (ret < 0) {
		gtdbg_session_put(session);
		kfree(file);
	}
	return ret;
}

/*
 * Vectored access
 */

/* How long the longest is, or -EINVAL. */
static ssize_t memory_ranges_check(const struct gtdbg_memory_range *ranges,
				   u32 count)
{
	u64 total = 0, longest = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		if (ranges[i].len_bytes > GTDBG_MEMORY_BYTES_MAX ||
		    ranges[i].address > GTDBG_ADDRESS_MASK)
			return -EINVAL;
		total += ranges[i].len_bytes;
		longest = max_t(u64, longest, ranges[i].len_bytes);
	}
	return total && total <= GTDBG_MEMORY_BYTES_MAX ? longest : -EINVAL;
}

/* Each range ends where it has to; the others are done nevertheless. */
static ssize_t memory_ranges_copy(const struct memory_access *access,
				  struct gtdbg_memory_range *ranges, u32 count)
{
	ssize_t total = 0, done, ret = -EFAULT;
	u32 i;

	for (i = 0; i < count; i++)
		ranges[i].done_bytes = 0;
	for (i = 0; i < count; i++) {
		done = memory_copy(access, ranges[i].address,
				   u64_to_user_ptr(ranges[i].buf),
				   ranges[i].len_bytes);
		ranges[i].done_bytes = max_t(ssize_t, done, 0);
		total += ranges[i].done_bytes;
		if (done < 0)
			ret = done;
		if (done < 0 && done != -EFAULT)
			break;
	}
	return total ?: ret;
}

static ssize_t memory_ranges(struct memory_access *access,
			     struct gtdbg_memory_range *ranges,
			     const struct gtdbg_memory_access *request)
{
	size_t bytes = request->count * sizeof(*ranges);
	ssize_t longest = memory_ranges_check(ranges, request->count), ret;

	if (longest < 0)
		return longest;
	ret = memory_check_context(access->session, access->device,
				   access->context);
	if (ret)
		return ret;
	ret = memory_access_init(access, longest);
	if (ret)
		return ret;
	ret = memory_ranges_copy(access, ranges, request->count);
	kvfree(access->chunk);
	if (ret >= 0 && copy_to_user(u64_to_user_ptr(request->ranges), ranges,
				     bytes))
		ret = -EFAULT;
	return ret;
}

static int memory_vectored(struct gtdbg_session *session,
			   const struct gtdbg_memory_access *request, bool write)
{
	struct memory_access access = {
		.session = session,
		.device = request->device,
		.context = request->context,
		.write = write,
	};
	struct gtdbg_memory_range *ranges;
	ssize_t ret;

	if (request->flags || !request->count ||
	    request->count > GTDBG_MEMORY_RANGES_MAX)
		return -EINVAL;
	if (write && session->observer)
		return -EPERM;
	ranges = memdup_user(u64_to_user_ptr(request->ranges),
			     request->count * sizeof(*ranges));
	if (IS_ERR(ranges))
		return PTR_ERR(ranges);
	ret = memory_ranges(&access, ranges, request);
	kfree(ranges);
	return ret;
}

int gtdbg_ioctl_memory_read(struct gtdbg_session *session, void *arg)
{
	return memory_vectored(session, arg, false);
}

int gtdbg_ioctl_memory_write(struct gtdbg_session *session, void *arg)
{
	return memory_vectored(session, arg, true);
}

/*
 * What is mapped
 */

static int memory_list(struct gtdbg_session *session,
		       const struct gtdbg_memory_list *request,
		       struct gtdbg_ppgtt_list *list)
{
	struct gtdbg_gt *gt = gtdbg_session_gt_lock(session, request->device);
	struct gtdbg_context *context;
	int ret = -ENOENT;

	if (IS_ERR(gt))
		return PTR_ERR(gt);
	context = gtdbg_context_find(gt, request->context);
	if (context)
		ret = gtdbg_ppgtt_list(gt, context, list);
	/* Tables may have become others' memory while they were read. */
	if (!ret && !gtdbg_context_reachable(gt, context, true))
		ret = -EAGAIN;
	gtdbg_session_gt_unlock(gt);
	return ret;
}

int gtdbg_ioctl_memory_list(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_memory_list *request = arg;
	struct gtdbg_ppgtt_list list = { .address = request->address };
	int ret;

	if (request->flags || !request->count || request->address % 4096 ||
	    request->address > GTDBG_ADDRESS_MASK + 1)
		return -EINVAL;
	list.room = min_t(u32, request->count, MEMORY_MAPPINGS_MAX);
	list.mappings = kvmalloc_array(list.room, sizeof(*list.mappings),
				       GFP_KERNEL);
	if (!list.mappings)
		return -ENOMEM;
	ret = memory_list(session, request, &list);
	if (!ret && copy_to_user(u64_to_user_ptr(request->mappings),
				 list.mappings,
				 list.count * sizeof(*list.mappings)))
		ret = -EFAULT;
	kvfree(list.mappings);
	if (ret)
		return ret;
	request->address = list.address;
	return list.count;
}
