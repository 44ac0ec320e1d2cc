// SPDX-License-Identifier: MIT
/*
 * Reads or writes one register of a GPU beside its driver.
 * usage: register DEVICE OFFSET [VALUE]
 *        DEVICE: its folder in sysfs
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define REGISTERS_BYTES 0x200000

int main(int argc, char **argv)
{
	volatile uint32_t *file;
	unsigned long offset;
	char path[4096];
	int fd;

	if (argc != 3 && argc != 4)
		return 2;
	offset = strtoul(argv[2], NULL, 0);
	if (offset % 4 || offset >= REGISTERS_BYTES)
		return 2;
	snprintf(path, sizeof(path), "%s/resource0", argv[1]);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		perror(path);
		return 1;
	}
	file = mmap(NULL, REGISTERS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	if (file == MAP_FAILED) {
		perror(path);
		return 1;
	}
	if (argc == 4)
		file[offset / 4] = (uint32_t)strtoul(argv[3], NULL, 0);
	printf("0x%08x\n", file[offset / 4]);
	return 0;
}
