// SPDX-License-Identifier: MIT
/*
 * Core files that are compressed: the whole file, in frames of zstd. One is looked at
 * by way of a file without a name, in which pages of zeroes are holes. Where it is cut
 * off or damaged, what stands before that is looked at. A small file may stand for
 * a huge one, so there is a limit.
 */
#include "core.h"

#include "debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#define PAGE_BYTES	4096
#define CHUNK_BYTES	(64 * PAGE_BYTES)
#define LEVEL		3

static ssize_t chunk_read(int fd, void *bytes, size_t len)
{
	ssize_t got;

	do
		got = read(fd, bytes, len);
	while (got < 0 && errno == EINTR && !wait_is_interrupted);
	return got < 0 ? -errno : got;
}

static int bytes_write(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t done = write(fd, bytes, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -ENOSPC;
		bytes += done;
		len -= done;
	}
	return 0;
}

/* @len 0: that was all. */
static int chunk_compress(ZSTD_CCtx *zstd, const void *bytes, size_t len,
			  void *room, int to)
{
	ZSTD_inBuffer in = { .src = bytes, .size = len };
	size_t left;
	int ret;

	do {
		ZSTD_outBuffer out = { .dst = room, .size = CHUNK_BYTES };

		left = ZSTD_compressStream2(zstd, &out, &in,
					    len ? ZSTD_e_continue : ZSTD_e_end);
		if (ZSTD_isError(left))
			return -EIO;
		ret = bytes_write(to, room, out.pos);
	} while (!ret && (len ? in.pos < in.size : left));
	return ret;
}

int core_compress(int from, int to)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	char *bytes = malloc(2 * CHUNK_BYTES);
	ssize_t got = 1;
	int ret = 0;

	if (!zstd || !bytes)
		ret = -ENOMEM;
	if (!ret && (ZSTD_isError(ZSTD_CCtx_setParameter(zstd,
					ZSTD_c_compressionLevel, LEVEL)) ||
		     ZSTD_isError(ZSTD_CCtx_setParameter(zstd,
					ZSTD_c_checksumFlag, 1))))
		ret = -EIO;
	if (!ret && lseek(from, 0, SEEK_SET))
		ret = -errno;
	while (!ret && got) {
		got = chunk_read(from, bytes, CHUNK_BYTES);
		ret = got < 0 ? got : chunk_compress(zstd, bytes, got,
						     bytes + CHUNK_BYTES, to);
		if (wait_is_interrupted)
			ret = -EINTR;
	}
	ZSTD_freeCCtx(zstd);
	free(bytes);
	return ret;
}

/* What is decompressed, up to @limit_bytes. */
struct plain {
	int fd;
	uint64_t len_bytes;
	uint64_t limit_bytes;
	bool is_full;
};

static int plain_open(void)
{
	const char *folder = getenv("TMPDIR");
	int fd = open(folder && *folder ? folder : "/tmp",
		      O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : memfd_create("gtdbg", MFD_CLOEXEC);
}

static bool is_zero(const char *bytes, size_t len)
{
	return !bytes[0] && memcmp(bytes, bytes + 1, len - 1) == 0;
}

static int plain_add(struct plain *plain, const char *bytes, size_t len)
{
	ssize_t done;

	while (len) {
		size_t part = PAGE_BYTES - plain->len_bytes % PAGE_BYTES;

		part = part < len ? part : len;
		if (plain->limit_bytes - plain->len_bytes < part) {
			plain->is_full = true;
			return 0;
		}
		done = is_zero(bytes, part) ? (ssize_t)part :
		       pwrite(plain->fd, bytes, part, (off_t)plain->len_bytes);
		if (done != (ssize_t)part)
			return done < 0 ? -errno : -ENOSPC;
		plain->len_bytes += part;
		bytes += part;
		len -= part;
	}
	return 0;
}

/* Returns what is left of the frame (0: it is whole), or an error of zstd's. */
static size_t chunk_decompress(ZSTD_DCtx *zstd, ZSTD_inBuffer *in, char *room,
			       struct plain *plain, int *error)
{
	ZSTD_outBuffer out;
	size_t left;

	do {
		out = (ZSTD_outBuffer){ .dst = room, .size = CHUNK_BYTES };
		left = ZSTD_decompressStream(zstd, &out, in);
		*error = plain_add(plain, room, out.pos);
		/* Behind the end of a frame only what was read begins another one. */
	} while (!ZSTD_isError(left) && !*error && !plain->is_full &&
		 (in->pos < in->size || (left && out.pos == out.size)));
	return left;
}

/* Up to its end, or to where it says why it goes no further. */
static int decompress(int from, struct plain *plain, ZSTD_DCtx *zstd,
		      char *bytes, const char *path)
{
	size_t left = 0;
	uint64_t at = 0;
	ssize_t got = 1;
	int error = 0;

	while (got > 0 && !error && !plain->is_full && !ZSTD_isError(left)) {
		ZSTD_inBuffer in = { .src = bytes };

		got = chunk_read(from, bytes, CHUNK_BYTES);
		if (got <= 0)
			break;
		in.size = got;
		left = chunk_decompress(zstd, &in, bytes + CHUNK_BYTES, plain,
					&error);
		at += in.pos;
	}
	if (got < 0 || error)
		return got < 0 ? got : error;
	if (plain->is_full)
		printf("warning: %s: it has more than %llu bytes: what follows is missing\n",
		       path, (unsigned long long)plain->limit_bytes);
	else if (ZSTD_isError(left))
		printf("warning: %s: it is damaged near byte %llu: what follows is missing\n",
		       path, (unsigned long long)at);
	else if (left)
		printf("warning: %s: it is cut off at byte %llu: what follows is missing\n",
		       path, (unsigned long long)at);
	return 0;
}

bool core_is_compressed(int fd)
{
	uint32_t magic = 0;

	return pread(fd, &magic, sizeof(magic), 0) == sizeof(magic) &&
	       magic == ZSTD_MAGICNUMBER;
}

int core_decompress(int from, uint64_t limit_bytes, const char *path)
{
	struct plain plain = {
		.fd = plain_open(), .limit_bytes = limit_bytes,
	};
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	char *bytes = malloc(2 * CHUNK_BYTES);
	int ret = plain.fd < 0 ? -errno : 0;

	if (!zstd || !bytes)
		ret = -ENOMEM;
	if (!ret)
		ret = decompress(from, &plain, zstd, bytes, path);
	if (!ret && ftruncate(plain.fd, (off_t)plain.len_bytes))
		ret = -errno;
	ZSTD_freeDCtx(zstd);
	free(bytes);
	if (ret && plain.fd >= 0)
		close(plain.fd);
	return ret ? ret : plain.fd;
}
