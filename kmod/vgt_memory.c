// SPDX-License-Identifier: GPL-2.0-only
/*
 * Physical memory of a virtual GT is the page cache of the server's memfd. It is
 * huge and sparse, and addresses in it come from page tables that anyone may
 * have written, so pages that are not there are never made: a hole reads as
 * zero, and a write to it fails.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/shmem_fs.h>

#include <uapi/linux/fcntl.h>

#include "vgt.h"

/* What the server may write itself, and nothing else, is taken. */
static int memory_check(struct file *file, u64 len_bytes)
{
	if (file_inode(file)->i_sb->s_magic != TMPFS_MAGIC ||
	    !S_ISREG(file_inode(file)->i_mode))
		return -EBADF;
	if ((file->f_mode & (FMODE_READ | FMODE_WRITE)) !=
	    (FMODE_READ | FMODE_WRITE))
		return -EBADF;
	/* Pages are written past all checks of the file system. */
	if (SHMEM_I(file_inode(file))->seals &
	    (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE))
		return -EPERM;
	if (!len_bytes || len_bytes % PAGE_SIZE ||
	    len_bytes > i_size_read(file_inode(file)))
		return -EINVAL;
	return 0;
}

int gtdbg_vgt_memory_init(struct gtdbg_vgt *vgt, int fd, u64 len_bytes)
{
	struct file *file = fget(fd);
	int ret;

	if (!file)
		return -EBADF;
	ret = memory_check(file, len_bytes);
	/* Counts like a writable mapping: it cannot be sealed from now on. */
	if (!ret)
		ret = mapping_map_writable(file->f_mapping);
	if (ret) {
		fput(file);
		return ret;
	}
	vgt->memory = file;
	vgt->memory_bytes = len_bytes;
	return 0;
}

void gtdbg_vgt_memory_fini(struct gtdbg_vgt *vgt)
{
	if (!vgt->memory)
		return;
	mapping_unmap_writable(vgt->memory->f_mapping);
	fput(vgt->memory);
	vgt->memory = NULL;
}

/* The page at @phys if it exists; one that was swapped out is read first. */
static struct page *memory_page(struct gtdbg_vgt *vgt, u64 phys)
{
	struct address_space *mapping = vgt->memory->f_mapping;
	pgoff_t index = phys >> PAGE_SHIFT;
	loff_t pos = (loff_t)index << PAGE_SHIFT;
	struct page *page = find_get_page(mapping, index);
	u8 byte;

	if (!page && !mapping_empty(mapping) &&
	    kernel_read(vgt->memory, &byte, 1, &pos) == 1)
		page = find_get_page(mapping, index);
	if (page && !PageUptodate(page)) {
		put_page(page);
		page = NULL;
	}
	return page;
}

static bool memory_valid(const struct gtdbg_vgt *vgt, u64 phys, u32 len_bytes)
{
	return len_bytes <= PAGE_SIZE && phys < vgt->memory_bytes &&
	       offset_in_page(phys) + len_bytes <= PAGE_SIZE;
}

int gtdbg_vgt_memory_read(void *backend, u64 phys, void *buf, u32 len_bytes)
{
	struct gtdbg_vgt *vgt = backend;
	struct page *page;

	if (!memory_valid(vgt, phys, len_bytes))
		return -EFAULT;
	page = memory_page(vgt, phys);
	if (!page) {
		memset(buf, 0, len_bytes);
		return 0;
	}
	memcpy_from_page(buf, page, offset_in_page(phys), len_bytes);
	put_page(page);
	return 0;
}

int gtdbg_vgt_memory_write(void *backend, u64 phys, const void *buf,
			   u32 len_bytes)
{
	struct gtdbg_vgt *vgt = backend;
	struct page *page;

	if (!memory_valid(vgt, phys, len_bytes))
		return -EFAULT;
	page = memory_page(vgt, phys);
	if (!page)
		return -EFAULT;
	memcpy_to_page(page, offset_in_page(phys), buf, len_bytes);
	set_page_dirty(page);
	put_page(page);
	return 0;
}
