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
#include <linux/mman.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/xarray.h>

#include "vgt.h"

#define MEMORY_TRIES 100 /* to hold a page that reclaim wants, too */

static int memory_check(struct file *file, u64 len_bytes)
{
	if (file_inode(file)->i_sb->s_magic != TMPFS_MAGIC ||
	    !S_ISREG(file_inode(file)->i_mode))
		return -EBADF;
	if ((file->f_mode & (FMODE_READ | FMODE_WRITE)) !=
	    (FMODE_READ | FMODE_WRITE))
		return -EBADF;
	if (!len_bytes || len_bytes % PAGE_SIZE ||
	    len_bytes > i_size_read(file_inode(file)))
		return -EINVAL;
	return 0;
}

/*
 * Pages are written past all checks of the file system, so only what the server
 * may write itself is taken. Seals and security modules decide about that where
 * a file is mapped: so map it, as the server would.
 */
static int memory_ask(struct file *file)
{
	unsigned long address = vm_mmap(file, 0, PAGE_SIZE,
					PROT_READ | PROT_WRITE, MAP_SHARED, 0);

	if (IS_ERR_VALUE(address))
		return address;
	return vm_munmap(address, PAGE_SIZE);
}

int gtdbg_vgt_memory_init(struct gtdbg_vgt *vgt, int fd, u64 len_bytes)
{
	struct file *file = fget(fd);
	int ret;

	if (!file)
		return -EBADF;
	ret = memory_check(file, len_bytes) ?: memory_ask(file);
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

/* The page at @phys if it is in memory. */
static struct page *memory_page(struct gtdbg_vgt *vgt, u64 phys)
{
	struct page *page = find_get_page(vgt->memory->f_mapping,
					  phys >> PAGE_SHIFT);

	if (page && !PageUptodate(page)) {
		put_page(page);
		page = NULL;
	}
	return page;
}

/* Read as read() does: a hole is zeroes, what was swapped out comes back. */
static int memory_fetch(struct gtdbg_vgt *vgt, u64 phys, void *buf,
			u32 len_bytes)
{
	loff_t pos = phys;
	ssize_t done = kernel_read(vgt->memory, buf, len_bytes, &pos);

	if (done < 0)
		return done == -EINTR ? -EINTR : -EFAULT;
	memset(buf + done, 0, len_bytes - done);
	return 0;
}

/* Is it still at its place, and was it ever written? */
static bool memory_page_stays(struct gtdbg_vgt *vgt, struct page *page)
{
	return page_folio(page)->mapping == vgt->memory->f_mapping &&
	       PageUptodate(page);
}

/*
 * The page at @phys, locked: reclaim does not take it away, nor has it begun
 * to. NULL: it is a hole. In the file's index what was swapped out is a value.
 */
static struct page *memory_page_lock(struct gtdbg_vgt *vgt, u64 phys)
{
	struct address_space *mapping = vgt->memory->f_mapping;
	pgoff_t index = phys >> PAGE_SHIFT;
	struct page *page;
	u32 tries;
	u8 byte;
	int ret;

	for (tries = 0; tries < MEMORY_TRIES; tries++) {
		page = find_get_page(mapping, index);
		if (page) {
			lock_page(page);
			if (memory_page_stays(vgt, page))
				return page;
			unlock_page(page);
			put_page(page);
		} else if (!xa_load(&mapping->i_pages, index)) {
			return NULL;
		}
		ret = memory_fetch(vgt, phys, &byte, sizeof(byte));
		if (ret)
			return ERR_PTR(ret);
	}
	return NULL;
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
	if (!page)
		return memory_fetch(vgt, phys, buf, len_bytes);
	memcpy_from_page(buf, page, offset_in_page(phys), len_bytes);
	put_page(page);
	return 0;
}

/* What was swapped out would have to be waited for. */
int gtdbg_vgt_memory_peek(void *backend, u64 phys, void *buf, u32 len_bytes)
{
	struct gtdbg_vgt *vgt = backend;
	struct page *page;

	if (!memory_valid(vgt, phys, len_bytes))
		return -EFAULT;
	page = memory_page(vgt, phys);
	if (page) {
		memcpy_from_page(buf, page, offset_in_page(phys), len_bytes);
		put_page(page);
		return 0;
	}
	if (xa_load(&vgt->memory->f_mapping->i_pages, phys >> PAGE_SHIFT))
		return -EAGAIN;
	memset(buf, 0, len_bytes);
	return 0;
}

int gtdbg_vgt_memory_write(void *backend, u64 phys, const void *buf,
			   u32 len_bytes)
{
	struct gtdbg_vgt *vgt = backend;
	struct page *page;

	if (!memory_valid(vgt, phys, len_bytes))
		return -EFAULT;
	page = memory_page_lock(vgt, phys);
	if (IS_ERR_OR_NULL(page))
		return page ? PTR_ERR(page) : -EFAULT;
	memcpy_to_page(page, offset_in_page(phys), buf, len_bytes);
	set_page_dirty(page);
	unlock_page(page);
	put_page(page);
	return 0;
}
