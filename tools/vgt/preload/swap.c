// SPDX-License-Identifier: MIT
/*
 * Pages are replaced in place: copied, then mapped over. A write by another thread
 * between the two would be lost, so the old pages are write-protected meanwhile
 * by a userfaultfd: who writes sleeps in the page fault, is woken when the new
 * pages are there, and writes to them. Reads go on.
 *
 * A thread of its own does it with all signals blocked, and the caller waits on another
 * stack, since the pages may be those of his own. Where the kernel has no userfaultfd for us, and
 * for pages of files, the pages are replaced all the same: then a program must
 * not write there at this moment.
 */
#include "node.h"
#include "stack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096UL

struct swap {
	uintptr_t first, end;
	uint64_t phys;
	int prot;
	int fault; /* the userfaultfd, or -1 */
	int (*run)(struct swap *swap);
	int ret;
};

static int fault_open(void)
{
	struct uffdio_api api = {
		.api = UFFD_API,
		.features = UFFD_FEATURE_PAGEFAULT_FLAG_WP |
			    UFFD_FEATURE_WP_HUGETLBFS_SHMEM,
	};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);

	if (fd >= 0 && ioctl(fd, UFFDIO_API, &api)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool protect(struct swap *swap)
{
	struct uffdio_register area = {
		.range = { swap->first, swap->end - swap->first },
		.mode = UFFDIO_REGISTER_MODE_WP,
	};
	struct uffdio_writeprotect writes = {
		.range = area.range,
		.mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};

	/* Where nobody may write it may be that nobody may read, either. */
	if (swap->fault < 0 || !(swap->prot & PROT_WRITE) ||
	    ioctl(swap->fault, UFFDIO_REGISTER, &area))
		return false;
	/* What is not there yet cannot be protected. */
	for (uintptr_t at = swap->first; at < swap->end; at += PAGE)
		*(volatile const char *)at;
	return !ioctl(swap->fault, UFFDIO_WRITEPROTECT, &writes);
}

static void wake(const struct swap *swap)
{
	struct uffdio_range range = { swap->first, swap->end - swap->first };

	if (swap->fault >= 0)
		ioctl(swap->fault, UFFDIO_WAKE, &range);
}

static bool is_zero(const uint8_t *page)
{
	return !page[0] && !memcmp(page, page + 1, PAGE - 1);
}

/* The kernel moves no more than 2 GiB at once. */
static int all_write(const uint8_t *from, size_t len_bytes, off_t at)
{
	ssize_t done;

	for (; len_bytes; from += done, at += done, len_bytes -= (size_t)done) {
		done = pwrite(vgt_node_memory(), from, len_bytes, at);
		if (done <= 0)
			return -EFAULT;
	}
	return 0;
}

static int all_read(uint8_t *to, size_t len_bytes, off_t at)
{
	ssize_t done;

	for (; len_bytes; to += done, at += done, len_bytes -= (size_t)done) {
		done = pread(vgt_node_memory(), to, len_bytes, at);
		if (done <= 0)
			return -EFAULT;
	}
	return 0;
}

/* Pages of zeros stay out of the device's memory until somebody writes. */
static int pages_write(const struct swap *swap)
{
	const uint8_t *from = (const uint8_t *)swap->first;
	size_t len_bytes = swap->end - swap->first, at = 0, n;

	while (at < len_bytes) {
		n = at;
		while (n < len_bytes && !is_zero(from + n))
			n += PAGE;
		if (n > at && all_write(from + at, n - at,
					(off_t)(swap->phys + at)))
			return -EFAULT;
		at = n > at ? n : at + PAGE;
	}
	return 0;
}

static int swap_in(struct swap *swap)
{
	size_t len_bytes = swap->end - swap->first;
	int ret;

	protect(swap);
	ret = pages_write(swap);
	if (!ret && mmap((void *)swap->first, len_bytes, swap->prot,
			 MAP_SHARED | MAP_FIXED, vgt_node_memory(),
			 (off_t)swap->phys) == MAP_FAILED)
		ret = -errno;
	return ret;
}

static int pages_read(const struct swap *swap, uint8_t *to)
{
	off_t phys = (off_t)swap->phys;
	off_t end = phys + (off_t)(swap->end - swap->first), at, hole;

	for (at = phys; at < end; at = hole) {
		at = lseek(vgt_node_memory(), at, SEEK_DATA);
		if (at < 0 || at >= end)
			break;
		hole = lseek(vgt_node_memory(), at, SEEK_HOLE);
		if (hole < 0 || hole > end)
			hole = end;
		if (all_read(to + (at - phys), (size_t)(hole - at), at))
			return -EFAULT;
	}
	return 0;
}

static int swap_out(struct swap *swap)
{
	size_t len_bytes = swap->end - swap->first;
	uint8_t *own = mmap(NULL, len_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret;

	if (own == MAP_FAILED)
		return -ENOMEM;
	protect(swap);
	ret = pages_read(swap, own);
	if (!ret && mprotect(own, len_bytes, swap->prot))
		ret = -errno;
	if (!ret && mremap(own, len_bytes, len_bytes,
			   MREMAP_MAYMOVE | MREMAP_FIXED,
			   (void *)swap->first) == MAP_FAILED)
		ret = -errno;
	if (ret)
		munmap(own, len_bytes);
	return ret;
}

static void *swap_thread(void *argument)
{
	struct swap *swap = argument;

	swap->fault = fault_open();
	swap->ret = swap->run(swap);
	wake(swap);
	if (swap->fault >= 0)
		close(swap->fault);
	return NULL;
}

static long swap_wait(void *swap)
{
	pthread_t thread;
	int ret = -pthread_create(&thread, NULL, swap_thread, swap);

	if (!ret)
		pthread_join(thread, NULL);
	return ret;
}

static int swap_run(struct swap *swap)
{
	sigset_t all, old;
	long ret = -ENOMEM;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	vgt_stack_call(swap_wait, swap, &ret);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret ? (int)ret : swap->ret;
}

/* Of the heap, not of the caller's stack, which may be what is replaced. */
int vgt_swap_in(uintptr_t first, uintptr_t end, int prot, uint64_t phys)
{
	static struct swap swap;

	swap = (struct swap){ first, end, phys, prot, -1, swap_in, 0 };
	return swap_run(&swap);
}

int vgt_swap_out(uintptr_t first, uintptr_t end, int prot, uint64_t phys)
{
	static struct swap swap;

	swap = (struct swap){ first, end, phys, prot, -1, swap_out, 0 };
	return swap_run(&swap);
}

int vgt_swap_out_alone(uintptr_t first, uintptr_t end, int prot, uint64_t phys)
{
	static struct swap swap;

	swap = (struct swap){ first, end, phys, prot, -1, swap_out, 0 };
	return swap_out(&swap);
}
