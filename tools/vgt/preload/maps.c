// SPDX-License-Identifier: MIT
/* No stdio and no malloc: the memory that is looked at may be theirs. */
#include "maps.h"

#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct reader {
	int fd;
	size_t at, filled;
	char buffer[4096];
};

/* The next byte, or -1 at the end. */
static int next(struct reader *reader)
{
	ssize_t n;

	if (reader->at == reader->filled) {
		n = read(reader->fd, reader->buffer, sizeof(reader->buffer));
		if (n <= 0)
			return -1;
		reader->filled = n;
		reader->at = 0;
	}
	return (unsigned char)reader->buffer[reader->at++];
}

/* A number up to the character after it, which is lost. */
static uint64_t number(struct reader *reader, unsigned int base, int *last)
{
	uint64_t value = 0;
	int c, digit;

	for (;;) {
		c = next(reader);
		digit = c >= '0' && c <= '9' ? c - '0' :
			c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
		if (digit >= (int)base)
			break;
		value = value * base + digit;
	}
	*last = c;
	return value;
}

/*
 * "first-end rwxp offset major:minor inode path". Returns 1, 0 at the end, or -EIO
 * if it is none.
 */
static int line_read(struct reader *reader, struct vgt_map *map)
{
	unsigned int major, minor;
	uint64_t inode;
	int c;

	memset(map, 0, sizeof(*map));
	map->first = number(reader, 16, &c);
	if (c != '-')
		return c < 0 && !map->first ? 0 : -EIO;
	map->end = number(reader, 16, &c);
	map->prot = next(reader) == 'r' ? PROT_READ : 0;
	map->prot |= next(reader) == 'w' ? PROT_WRITE : 0;
	map->prot |= next(reader) == 'x' ? PROT_EXEC : 0;
	map->is_shared = next(reader) == 's';
	next(reader);
	map->offset = number(reader, 16, &c);
	major = number(reader, 16, &c);
	minor = number(reader, 16, &c);
	inode = number(reader, 10, &c);
	map->is_file = inode;
	map->is_node = inode && map->is_shared &&
		       vgt_node_has(makedev(major, minor), inode);
	while (c >= 0 && c != '\n')
		c = next(reader);
	return c == '\n' ? 1 : -EIO;
}

static void cut(struct vgt_map *map, uintptr_t first, uintptr_t end)
{
	if (map->first < first) {
		map->offset += first - map->first;
		map->first = first;
	}
	if (map->end > end)
		map->end = end;
}

int vgt_maps_find(uintptr_t first, uintptr_t end, struct vgt_map *out, int max)
{
	struct reader reader = {
		.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC),
	};
	uintptr_t at = first;
	struct vgt_map map;
	int count = 0, ret = 1;

	if (reader.fd < 0)
		return -errno;
	while (at < end && count >= 0) {
		ret = line_read(&reader, &map);
		if (ret <= 0)
			break;
		if (map.end <= at)
			continue;
		if (map.first > at)
			break;
		cut(&map, at, end);
		at = map.end;
		if (count == max)
			count = -E2BIG;
		else
			out[count++] = map;
	}
	close(reader.fd);
	return ret < 0 ? ret : count < 0 ? count : at < end ? -EFAULT : count;
}

int vgt_maps_node(uint64_t phys, uint64_t end, uintptr_t from,
		  struct vgt_map *out, int max)
{
	struct reader reader = {
		.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC),
	};
	struct vgt_map map;
	int count = 0, ret = 1;

	if (reader.fd < 0)
		return -errno;
	while (count < max) {
		ret = line_read(&reader, &map);
		if (ret <= 0)
			break;
		if (!map.is_node || map.first < from || map.offset >= end ||
		    map.offset + (map.end - map.first) <= phys)
			continue;
		if (map.offset < phys) {
			map.first += phys - map.offset;
			map.offset = phys;
		}
		if (map.end - map.first > end - map.offset)
			map.end = map.first + (end - map.offset);
		out[count++] = map;
	}
	close(reader.fd);
	return ret < 0 ? ret : count;
}
