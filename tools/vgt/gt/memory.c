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

static bool inside(uint64_t phys, size_t len_bytes)
{
	return phys < VGT_MEMORY_BYTES && len_bytes <= VGT_MEMORY_BYTES - phys;
}

void *vgt_memory_at(const struct vgt_memory *memory, uint64_t phys,
		    size_t len_bytes)
{
	return inside(phys, len_bytes) ? memory->base + phys : NULL;
}

int vgt_memory_read(const struct vgt_memory *memory, uint64_t phys, void *out,
		    size_t len_bytes)
{
	uint8_t *at = out;
	ssize_t n;

	if (!inside(phys, len_bytes))
		return -EFAULT;
	while (len_bytes) {
		n = pread(memory->fd, at, len_bytes, (off_t)phys);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		at += n;
		phys += n;
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
