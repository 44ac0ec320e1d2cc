// SPDX-License-Identifier: GPL-2.0-only
#include "coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <linux/kcov.h>

#define WORDS (256 << 10)
#define COUNTERS (1 << 16)
#define HANDLE 0x67 /* whichever: the guest is ours */

/*
 * libFuzzer looks at this section as if it were counters of its own. Nothing
 * here reads them, so the compiler has to be kept from leaving them out.
 */
static volatile uint8_t counters[COUNTERS]
	__attribute__((section("__libfuzzer_extra_counters"), used));

/* The first word counts the others, each an address that was executed. */
static volatile uint64_t *own, *remote;

static int buffer_open(volatile uint64_t **area_out)
{
	int fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	void *area;

	if (fd < 0 || ioctl(fd, KCOV_INIT_TRACE, WORDS))
		return -errno;
	area = mmap(NULL, WORDS * 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (area == MAP_FAILED)
		return -errno;
	*area_out = area;
	return fd;
}

int coverage_start_remote(void)
{
	struct kcov_remote_arg arg = {
		.trace_mode = KCOV_TRACE_PC,
		.area_size = 64 << 10,
		.common_handle = HANDLE,
	};
	int fd = buffer_open(&remote);

	if (fd < 0)
		return fd;
	return ioctl(fd, KCOV_REMOTE_ENABLE, &arg) ? -errno : 0;
}

int coverage_start(void)
{
	int fd = buffer_open(&own);

	if (fd < 0)
		return fd;
	return ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC) ? -errno : 0;
}

void coverage_begin(void)
{
	own[0] = 0;
	remote[0] = 0;
}

/* Reached or not: how often depends on time, with a poller. */
static void area_count(const volatile uint64_t *area)
{
	uint64_t count = area[0] < WORDS ? area[0] : WORDS - 1;

	for (uint64_t i = 1; i <= count; i++)
		counters[(area[i] * 0x9e3779b97f4a7c15ULL) >> 48] = 1;
}

void coverage_end(void)
{
	area_count(own);
	area_count(remote);
}
