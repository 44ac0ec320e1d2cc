// SPDX-License-Identifier: MIT
/*
 * Another program that needs memory beside the GPU's: it has the driver take pages
 * from what nobody uses just now, and the kernel move them, unmaps and discards memory
 * that the GPU may use, and keeps pages that nobody may change, often such that were
 * the GPU's just before. Ends with its input, says how often it went round, and exits
 * with 1 if a page was changed, or if it never went round.
 *
 * usage: pressure DROP_CACHES    the driver's file of that name in debugfs
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <i915_drm.h>

#define OBJECTS 48
#define OBJECT_BYTES (512UL << 10)
#define KEPT_BYTES (16UL << 20)
#define OBJECTS_VA 0x100000000ULL
#define WAIT_NS 60000000000LL
#define MI_BATCH_END (0x0aU << 23)

/* Unbound, bound and freed objects, and all again; nothing that waits for an engine. */
#define DROP "0x33"

#define COMPACT "/proc/sys/vm/compact_memory"

struct object {
	uint32_t handle;
	uint64_t *words;
	bool is_user; /* memory of ours, instead of the driver's */
};

static uint32_t errors;

static void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static int call(int fd, unsigned long request, void *argument)
{
	int ret;

	do {
		ret = ioctl(fd, request, argument);
	} while (ret && (errno == EINTR || errno == EAGAIN));
	return ret;
}

static uint64_t *memory_get(size_t bytes)
{
	uint64_t *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("mmap");
	return at;
}

static void fill(uint64_t *at, size_t bytes, uint64_t salt)
{
	for (size_t i = 0; i < bytes / 8; i++)
		at[i] = salt * 0x9e3779b97f4a7c15 + i;
}

static void verify(const char *what, const uint64_t *at, size_t bytes,
		   uint64_t salt)
{
	for (size_t i = 0; i < bytes / 8; i++) {
		if (at[i] == salt * 0x9e3779b97f4a7c15 + i)
			continue;
		printf("%s: 0x%llx at 0x%zx\n", what, (unsigned long long)at[i],
		       8 * i);
		errors++;
		return;
	}
}

static struct object object_create(int fd)
{
	struct drm_i915_gem_create create = { .size = OBJECT_BYTES };
	struct drm_i915_gem_mmap_offset offset = {
		.flags = I915_MMAP_OFFSET_WB,
	};
	struct object object = { 0 };

	if (call(fd, DRM_IOCTL_I915_GEM_CREATE, &create))
		die("GEM_CREATE");
	object.handle = offset.handle = create.handle;
	if (call(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset))
		die("GEM_MMAP_OFFSET");
	object.words = mmap(NULL, OBJECT_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, (off_t)offset.offset);
	if (object.words == MAP_FAILED)
		die("mmap");
	return object;
}

static struct object object_of_ours(int fd)
{
	struct object object = { .is_user = true };
	struct drm_i915_gem_userptr user = { .user_size = OBJECT_BYTES };

	object.words = memory_get(OBJECT_BYTES);
	user.user_ptr = (uintptr_t)object.words;
	if (call(fd, DRM_IOCTL_I915_GEM_USERPTR, &user))
		die("GEM_USERPTR");
	object.handle = user.handle;
	return object;
}

static void object_close(int fd, struct object *object)
{
	struct drm_gem_close gem = { .handle = object->handle };

	munmap(object->words, OBJECT_BYTES);
	if (call(fd, DRM_IOCTL_GEM_CLOSE, &gem))
		die("GEM_CLOSE");
}

/* All of them are the GPU's for as long as an empty batch takes. */
static void use(int fd, const struct object *objects, uint32_t batch)
{
	struct drm_i915_gem_exec_object2 object[OBJECTS + 1] = { 0 };
	struct drm_i915_gem_execbuffer2 exec = {
		.buffers_ptr = (uintptr_t)object,
		.buffer_count = OBJECTS + 1,
		.batch_len = 8,
		.flags = I915_EXEC_BLT | I915_EXEC_NO_RELOC,
	};
	struct drm_i915_gem_wait wait = {
		.bo_handle = batch,
		.timeout_ns = WAIT_NS,
	};

	for (uint32_t i = 0; i <= OBJECTS; i++) {
		object[i].handle = i < OBJECTS ? objects[i].handle : batch;
		object[i].offset = OBJECTS_VA + i * OBJECT_BYTES;
		object[i].flags = EXEC_OBJECT_PINNED |
				  EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
	}
	if (call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec))
		die("GEM_EXECBUFFER2");
	if (call(fd, DRM_IOCTL_I915_GEM_WAIT, &wait))
		die("GEM_WAIT");
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

static void squeeze(const char *drop_caches)
{
	put(drop_caches, DROP);
	put("/proc/sys/vm/drop_caches", "3");
	/* Not all kernels can move pages. */
	if (!access(COMPACT, F_OK))
		put(COMPACT, "1");
}

/* Each eighth object is our own memory, a half of which we discard meanwhile. */
static void go_round(int fd, uint32_t batch, const char *drop_caches,
		     uint64_t salt)
{
	struct object object[OBJECTS];

	for (uint32_t i = 0; i < OBJECTS; i++) {
		object[i] = i % 8 ? object_create(fd) : object_of_ours(fd);
		fill(object[i].words, OBJECT_BYTES, salt + i);
	}
	use(fd, object, batch);
	squeeze(drop_caches);
	for (uint32_t i = 0; i < OBJECTS; i++) {
		verify("object", object[i].words, OBJECT_BYTES, salt + i);
		if (object[i].is_user)
			madvise(object[i].words, OBJECT_BYTES / 2,
				MADV_DONTNEED);
	}
	use(fd, object, batch);
	for (uint32_t i = 0; i < OBJECTS; i++)
		object_close(fd, &object[i]);
}

static bool has_ended(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&input, 1, 0) > 0;
}

int main(int argc, char **argv)
{
	uint64_t round, *kept, *next;
	struct object batch;
	int fd;

	if (argc != 2)
		return 2;
	fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die("/dev/dri/renderD128");
	put("/proc/sys/vm/drop_caches", "4"); /* no line in the log for each */
	batch = object_create(fd);
	batch.words[0] = MI_BATCH_END;
	kept = memory_get(KEPT_BYTES);
	fill(kept, KEPT_BYTES, 0);
	for (round = 0; !has_ended(); round++) {
		go_round(fd, batch.handle, argv[1], round * OBJECTS);
		/* Of pages that were objects', the GPU's or the program's own. */
		next = memory_get(KEPT_BYTES);
		fill(next, KEPT_BYTES, round + 1);
		verify("kept page", kept, KEPT_BYTES, round);
		munmap(kept, KEPT_BYTES);
		kept = next;
	}
	verify("kept page", kept, KEPT_BYTES, round);
	printf("%llu rounds\n", (unsigned long long)round);
	return errors || !round;
}
