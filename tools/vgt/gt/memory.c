// SPDX-License-Identifier: MIT
#include "gt/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLAGS_BYTES (VGT_MEMORY_BYTES / VGT_PAGE_BYTES)

static void *map(int fd, size_t len_bytes, int flags)
{
	void *at = mmap(NULL, len_bytes, PROT_READ | PROT_WRITE,
			flags | MAP_NORESERVE, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

int vgt_memory_init(struct vgt_memory *memory)
{
	int ret;

	memory->fd = memfd_create("vgt-memory",
				  MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (memory->fd < 0)
		return -errno;
	/* Who is given it cannot take it away from under us. */
	if (ftruncate(memory->fd, VGT_MEMORY_BYTES) ||
	    fcntl(memory->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
		  F_SEAL_SEAL)) {
		ret = -errno;
		goto err_close;
	}
	memory->base = map(memory->fd, VGT_MEMORY_BYTES, MAP_SHARED);
	if (!memory->base) {
		ret = -errno;
		goto err_close;
	}
	memory->flags = map(-1, FLAGS_BYTES, MAP_PRIVATE | MAP_ANONYMOUS);
	if (!memory->flags) {
		ret = -errno;
		goto err_unmap;
	}
	/* A core of a sparse terabyte helps nobody. */
	madvise(memory->base, VGT_MEMORY_BYTES, MADV_DONTDUMP);
	return 0;

err_unmap:
	munmap(memory->base, VGT_MEMORY_BYTES);
err_close:
	close(memory->fd);
	memory->base = NULL;
	return ret;
}

void vgt_memory_fini(struct vgt_memory *memory)
{
	if (!memory || !memory->base)
		return;
	munmap((void *)memory->flags, FLAGS_BYTES);
	munmap(memory->base, VGT_MEMORY_BYTES);
	close(memory->fd);
	memory->base = NULL;
}

static bool within(uint64_t phys, size_t len_bytes, uint64_t first,
		   uint64_t end)
{
	return phys >= first && phys < end && len_bytes <= end - phys;
}

/*
 * Where @len_bytes bytes at @phys are. @shift is read once, as it may change; what is
 * less than it is nowhere.
 */
static bool place_find(const struct vgt_memory *memory, uint64_t phys,
		       size_t len_bytes, uint64_t *place_out)
{
	uint64_t place = phys;

	if (!within(phys, len_bytes, 0, VGT_MEMORY_BYTES))
		return false;
	*place_out = phys;
	if (!memory->shared)
		return true;
	place -= atomic_load_explicit(&memory->shift, memory_order_relaxed);
	*place_out = place;
	for (uint32_t i = 0; i < VGT_MEMORY_PARTS; i++)
		if (within(place, len_bytes,
			   atomic_load_explicit(&memory->range[i].first,
						memory_order_relaxed),
			   atomic_load_explicit(&memory->range[i].end,
						memory_order_relaxed)))
			return true;
	return false;
}

void *vgt_memory_at(const struct vgt_memory *memory, uint64_t phys,
		    size_t len_bytes)
{
	uint64_t place;

	if (!place_find(memory, phys, len_bytes, &place))
		return NULL;
	return memory->base + place;
}

int vgt_memory_read(const struct vgt_memory *memory, uint64_t phys, void *out,
		    size_t len_bytes)
{
	uint8_t *at = out;
	uint64_t place;
	ssize_t n;

	if (!place_find(memory, phys, len_bytes, &place))
		return -EFAULT;
	while (len_bytes) {
		n = pread(memory->fd, at, len_bytes, (off_t)place);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		at += n;
		place += n;
		len_bytes -= n;
	}
	return 0;
}

uint64_t vgt_memory_used(const struct vgt_memory *memory)
{
	struct stat status;

	if (fstat(memory->fd, &status))
		return 0;
	return (uint64_t)status.st_blocks * 512;
}

void vgt_memory_flag(const struct vgt_memory *memory, uint64_t phys,
		     uint8_t flags)
{
	if ((vgt_memory_flags(memory, phys) & flags) != flags)
		atomic_fetch_or(&memory->flags[phys / VGT_PAGE_BYTES], flags);
}

void vgt_memory_forget(const struct vgt_memory *memory, uint64_t phys,
		       uint64_t len_bytes)
{
	if (fallocate(memory->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		      (off_t)phys, (off_t)len_bytes))
		memset(memory->base + phys, 0, len_bytes);
	for (uint64_t page = phys / VGT_PAGE_BYTES;
	     page < (phys + len_bytes) / VGT_PAGE_BYTES; page++)
		atomic_store_explicit(&memory->flags[page], 0,
				      memory_order_relaxed);
}

/* A file that cannot become shorter: what is mapped of it stays readable. */
static int part_check(struct vgt_memory_part *part)
{
	struct stat status;
	uint64_t end;
	int seals;

	if ((part->phys | part->len_bytes | part->offset) % VGT_PAGE_BYTES ||
	    !part->len_bytes ||
	    !within(part->phys, part->len_bytes, 0, VGT_GGTT_BASE) ||
	    __builtin_add_overflow(part->offset, part->len_bytes, &end))
		return -EINVAL;
	if (fstat(part->fd, &status))
		return -errno;
	if (status.st_size < 0 || end > (uint64_t)status.st_size)
		return -EINVAL;
	seals = fcntl(part->fd, F_GET_SEALS);
	if (seals < 0 || !(seals & F_SEAL_SHRINK))
		return -EPERM;
	part->device = status.st_dev;
	part->inode = status.st_ino;
	return 0;
}

static int parts_check(struct vgt_memory_part *part, uint32_t count)
{
	int ret;

	if (count > VGT_MEMORY_PARTS)
		return -EINVAL;
	for (uint32_t i = 0; i < count; i++) {
		ret = part_check(&part[i]);
		if (ret)
			return ret;
		for (uint32_t k = 0; k < i; k++)
			if (part[i].phys < part[k].phys + part[k].len_bytes &&
			    part[k].phys < part[i].phys + part[i].len_bytes)
				return -EINVAL;
	}
	return 0;
}

static bool part_equal(const struct vgt_memory_part *a,
		       const struct vgt_memory_part *b)
{
	return a->phys == b->phys && a->len_bytes == b->len_bytes &&
	       a->offset == b->offset && a->device == b->device &&
	       a->inode == b->inode;
}

static int map_fixed(struct vgt_memory *memory, uint64_t phys,
		     uint64_t len_bytes, int fd, uint64_t offset)
{
	void *at = mmap(memory->base + phys, len_bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd,
			(off_t)offset);

	if (at == MAP_FAILED)
		return -errno;
	madvise(at, len_bytes, MADV_DONTDUMP);
	return 0;
}

/* The memfd's own pages are there again, so that a late access finds some. */
static int range_close(struct vgt_memory *memory, uint32_t index)
{
	struct vgt_memory_part *part = &memory->part[index];
	int ret;

	if (!part->len_bytes)
		return 0;
	atomic_store(&memory->range[index].first, 0);
	atomic_store(&memory->range[index].end, 0);
	ret = map_fixed(memory, part->phys, part->len_bytes, memory->fd,
			part->phys);
	part->len_bytes = 0;
	return ret;
}

static int range_open(struct vgt_memory *memory, uint32_t index,
		      const struct vgt_memory_part *part)
{
	int ret = map_fixed(memory, part->phys, part->len_bytes, part->fd,
			    part->offset);

	if (ret) {
		map_fixed(memory, part->phys, part->len_bytes, memory->fd,
			  part->phys);
		return ret;
	}
	memory->part[index] = *part;
	atomic_store(&memory->range[index].first, part->phys);
	atomic_store(&memory->range[index].end, part->phys + part->len_bytes);
	return 0;
}

/* The index of @part among @parts, or -1. */
static int part_find(const struct vgt_memory_part *parts, uint32_t count,
		     const struct vgt_memory_part *part)
{
	for (uint32_t i = 0; i < count; i++)
		if (parts[i].len_bytes && part_equal(&parts[i], part))
			return (int)i;
	return -1;
}

int vgt_memory_share(struct vgt_memory *memory, struct vgt_memory_part *part,
		     uint32_t count)
{
	uint32_t free_index = 0;
	int ret = parts_check(part, count);

	memory->shared = true;
	for (uint32_t i = 0; !ret && i < VGT_MEMORY_PARTS; i++)
		if (part_find(part, count, &memory->part[i]) < 0)
			ret = range_close(memory, i);
	for (uint32_t i = 0; !ret && i < count; i++) {
		if (part_find(memory->part, VGT_MEMORY_PARTS, &part[i]) >= 0)
			continue;
		while (memory->part[free_index].len_bytes)
			free_index++;
		ret = range_open(memory, free_index, &part[i]);
	}
	return ret;
}
