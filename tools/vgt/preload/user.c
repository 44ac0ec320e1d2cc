// SPDX-License-Identifier: MIT
#include "node.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096UL

/* Pages of zeros stay out of the device's memory until somebody writes. */
static int pages_copy(const uint8_t *from, size_t len_bytes, uint64_t phys)
{
	for (size_t at = 0; at < len_bytes; at += PAGE) {
		if (!from[at] && !memcmp(from + at, from + at + 1, PAGE - 1))
			continue;
		if (pwrite(vgt_node_memory(), from + at, PAGE,
			   (off_t)(phys + at)) != (ssize_t)PAGE)
			return -EFAULT;
	}
	return 0;
}

int vgt_user_take(uintptr_t address, size_t len_bytes, uint64_t phys)
{
	int ret = pages_copy((const uint8_t *)address, len_bytes, phys);

	if (ret)
		return ret;
	if (mmap((void *)address, len_bytes, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED, vgt_node_memory(), (off_t)phys) ==
	    MAP_FAILED)
		return -errno;
	return 0;
}
