// SPDX-License-Identifier: MIT
/*
 * Batches on each engine of the GPU at /dev/dri/renderD128, through i915's own
 * calls. Prints a line and exits with 1 if something is wrong.
 *
 * usage: engines each       a word from each engine
 *        engines chain      each engine after the one before it, by fences
 *        engines many N     as "each", in N processes at once, twenty times
 *        engines hang       a batch without end; others go on, i915 ends it
 *        engines semaphore  a batch that waits for another engine
 *        engines blit       the copy engine fills a row of words and copies it
 *        engines tiles      the copy engine copies into tiles and out of them
 *        engines latency CLASS N  N small batches on an engine of this class
 *                           ("render", "copy"), a thousand a second: median and
 *                           99th percentile from submission to end, in us
 *        engines urgent     keeps the render engine for itself for 100 ms, and again 100 ms
 *                           later, until it is asked to end (SIGTERM)
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <i915_drm.h>

#define ENGINES_MAX 8
#define OBJECT_BYTES 4096
#define SURFACE_BYTES 16384
#define RESULT_VA 0x100000ULL
#define BATCHES_VA 0x200000ULL
#define WAIT_NS 60000000000LL
#define PAUSE_US 100000

#define MI_STORE_DWORD (0x20U << 23 | 2)
#define MI_BATCH_END (0x0aU << 23)
#define MI_BATCH_START (0x31U << 23 | 1U << 8 | 1)
#define MI_SEMAPHORE_WAIT_EQUAL (0x1cU << 23 | 1U << 15 | 4U << 12 | 2)
#define XY_COLOR_BLT (2U << 29 | 0x50U << 22 | 3U << 20 | 5)
#define XY_FAST_COPY_BLT (2U << 29 | 0x42U << 22 | 8)
#define BLT_DEPTH_32 (3U << 24)
#define BLT_PATTERN (0xf0U << 16)

struct object {
	uint32_t handle;
	uint32_t *words;
};

struct gpu {
	int fd;
	uint32_t context;
	uint32_t engines;
	struct i915_engine_class_instance engine[ENGINES_MAX];
	struct object result;
};

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

static struct object object_create_sized(const struct gpu *gpu, uint64_t bytes)
{
	struct drm_i915_gem_create create = { .size = bytes };
	struct drm_i915_gem_mmap_offset offset = {
		.flags = I915_MMAP_OFFSET_WB,
	};
	struct object object;

	if (call(gpu->fd, DRM_IOCTL_I915_GEM_CREATE, &create))
		die("GEM_CREATE");
	object.handle = offset.handle = create.handle;
	if (call(gpu->fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset))
		die("GEM_MMAP_OFFSET");
	object.words = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED, gpu->fd, (off_t)offset.offset);
	if (object.words == MAP_FAILED)
		die("mmap");
	return object;
}

static struct object object_create(const struct gpu *gpu)
{
	return object_create_sized(gpu, OBJECT_BYTES);
}

/* Each has a place of its own: i915 waits for what it has to move away. */
static uint64_t batch_va(const struct object *batch)
{
	return BATCHES_VA + (uint64_t)OBJECT_BYTES * batch->handle;
}

static int object_wait(const struct gpu *gpu, const struct object *object)
{
	struct drm_i915_gem_wait wait = {
		.bo_handle = object->handle,
		.timeout_ns = WAIT_NS,
	};

	return call(gpu->fd, DRM_IOCTL_I915_GEM_WAIT, &wait);
}

static void engines_find(struct gpu *gpu)
{
	union {
		struct drm_i915_query_engine_info info;
		uint8_t bytes[4096];
	} room = { 0 };
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_ENGINE_INFO,
		.length = sizeof(room),
		.data_ptr = (uintptr_t)&room,
	};
	struct drm_i915_query query = {
		.num_items = 1,
		.items_ptr = (uintptr_t)&item,
	};

	if (call(gpu->fd, DRM_IOCTL_I915_QUERY, &query) || item.length < 0)
		die("QUERY engines");
	for (uint32_t i = 0; i < room.info.num_engines && i < ENGINES_MAX; i++)
		gpu->engine[gpu->engines++] = room.info.engines[i].engine;
}

/* A context whose map has all engines. */
static void context_create(struct gpu *gpu)
{
	I915_DEFINE_CONTEXT_PARAM_ENGINES(map, ENGINES_MAX) = { 0 };
	struct drm_i915_gem_context_create_ext_setparam engines = {
		.base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
		.param.param = I915_CONTEXT_PARAM_ENGINES,
		.param.value = (uintptr_t)&map,
		.param.size = sizeof(map.extensions) +
			      gpu->engines * sizeof(gpu->engine[0]),
	};
	struct drm_i915_gem_context_create_ext create = {
		.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
		.extensions = (uintptr_t)&engines,
	};

	memcpy(map.engines, gpu->engine, sizeof(gpu->engine));
	if (call(gpu->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create))
		die("GEM_CONTEXT_CREATE_EXT");
	gpu->context = create.ctx_id;
}

static void gpu_open(struct gpu *gpu)
{
	memset(gpu, 0, sizeof(*gpu));
	gpu->fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	if (gpu->fd < 0)
		die("/dev/dri/renderD128");
	engines_find(gpu);
	context_create(gpu);
	gpu->result = object_create_sized(gpu, 3 * SURFACE_BYTES);
}

/* Run @batch on engine @index, after the fence @after (-1: none). */
static int submit(const struct gpu *gpu, uint32_t index,
		  const struct object *batch, int after, bool shares)
{
	struct drm_i915_gem_exec_object2 object[] = {
		{ .handle = gpu->result.handle, .offset = RESULT_VA,
		  .flags = EXEC_OBJECT_PINNED | (shares ? EXEC_OBJECT_ASYNC :
						 EXEC_OBJECT_WRITE) },
		{ .handle = batch->handle, .offset = batch_va(batch),
		  .flags = EXEC_OBJECT_PINNED },
	};
	struct drm_i915_gem_execbuffer2 exec = {
		.buffers_ptr = (uintptr_t)object,
		.buffer_count = 2,
		.flags = index | I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT |
			 (after >= 0 ? I915_EXEC_FENCE_IN : 0),
		.rsvd1 = gpu->context,
		.rsvd2 = (uint32_t)after,
	};

	if (call(gpu->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec))
		die("GEM_EXECBUFFER2");
	if (after >= 0)
		close(after);
	return (int)(exec.rsvd2 >> 32);
}

static void store_put(struct object *batch, uint32_t word, uint32_t value)
{
	const uint32_t commands[] = {
		MI_STORE_DWORD, RESULT_VA + 4 * word, 0, value, MI_BATCH_END,
	};

	memcpy(batch->words, commands, sizeof(commands));
}

static void expect(const struct gpu *gpu, uint32_t word, uint32_t value)
{
	uint32_t seen = gpu->result.words[word];

	if (seen == value)
		return;
	printf("engine %u: 0x%x instead of 0x%x\n", word, seen, value);
	exit(1);
}

static void each(uint32_t salt)
{
	struct object batch;
	struct gpu gpu;

	gpu_open(&gpu);
	for (uint32_t i = 0; i < gpu.engines; i++) {
		batch = object_create(&gpu);
		store_put(&batch, i, 0xfeed0000 + salt + i);
		close(submit(&gpu, i, &batch, -1, false));
		if (object_wait(&gpu, &batch))
			die("GEM_WAIT");
		expect(&gpu, i, 0xfeed0000 + salt + i);
	}
	printf("%u engines\n", gpu.engines);
	close(gpu.fd);
}

/* All write the same word: the last one's value must stay. */
static void chain(void)
{
	struct object batch = { 0 };
	struct gpu gpu;
	int fence = -1;

	gpu_open(&gpu);
	for (uint32_t i = 0; i < 10 * gpu.engines; i++) {
		batch = object_create(&gpu);
		store_put(&batch, 0, i);
		fence = submit(&gpu, i % gpu.engines, &batch, fence, true);
	}
	if (object_wait(&gpu, &batch))
		die("GEM_WAIT");
	expect(&gpu, 0, 10 * gpu.engines - 1);
}

static void many(uint32_t count)
{
	int status, failed = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (fork())
			continue;
		if (!freopen("/dev/null", "w", stdout))
			exit(1);
		for (uint32_t k = 0; k < 20; k++)
			each(i << 8 | k);
		exit(0);
	}
	for (uint32_t i = 0; i < count; i++) {
		wait(&status);
		failed += status != 0;
	}
	printf("%d of %u failed\n", failed, count);
	exit(failed != 0);
}

static uint32_t engine_find(const struct gpu *gpu, uint16_t class)
{
	uint32_t i = 0;

	while (i + 1 < gpu->engines && gpu->engine[i].engine_class != class)
		i++;
	return i;
}

/* Word 1 is written once word 0 is what is waited for. */
static void wait_put(struct object *batch, uint32_t awaited, uint32_t value)
{
	const uint32_t commands[] = {
		MI_SEMAPHORE_WAIT_EQUAL, awaited, RESULT_VA, 0,
		MI_STORE_DWORD, RESULT_VA + 4, 0, value, MI_BATCH_END,
	};

	memcpy(batch->words, commands, sizeof(commands));
}

/* The copy engine waits for a word that the render engine writes later. */
static void semaphore(void)
{
	struct object waits, stores;
	struct gpu gpu;
	uint32_t copy;

	gpu_open(&gpu);
	copy = engine_find(&gpu, I915_ENGINE_CLASS_COPY);
	waits = object_create(&gpu);
	stores = object_create(&gpu);
	wait_put(&waits, 7, 2);
	store_put(&stores, 0, 7);
	close(submit(&gpu, copy, &waits, -1, true));
	close(submit(&gpu, engine_find(&gpu, I915_ENGINE_CLASS_RENDER), &stores,
		     -1, true));
	if (object_wait(&gpu, &waits))
		die("GEM_WAIT");
	expect(&gpu, 1, 2);
}

static void blit(void)
{
	const uint32_t commands[] = {
		XY_COLOR_BLT, BLT_DEPTH_32 | BLT_PATTERN | OBJECT_BYTES,
		0, 1U << 16 | 8, RESULT_VA, 0, 0xfeedb117,
		XY_FAST_COPY_BLT, BLT_DEPTH_32 | OBJECT_BYTES, 16, 1U << 16 | 24,
		RESULT_VA, 0, 1, OBJECT_BYTES, RESULT_VA, 0,
		MI_BATCH_END,
	};
	struct object batch;
	struct gpu gpu;

	gpu_open(&gpu);
	batch = object_create(&gpu);
	memcpy(batch.words, commands, sizeof(commands));
	close(submit(&gpu, engine_find(&gpu, I915_ENGINE_CLASS_COPY), &batch,
		     -1, false));
	if (object_wait(&gpu, &batch))
		die("GEM_WAIT");
	for (uint32_t i = 0; i < 32; i++)
		expect(&gpu, i, i < 8 || (i >= 16 && i < 23) ? 0xfeedb117 : 0);
}

/* Of a tile: its width in words, its height, and its number in a fast copy. */
struct tiling {
	uint32_t width, height, number;
};

/*
 * The word at (@x, @y) of a surface that is two tiles wide, by the manuals' bits of an
 * address: in an X tile row and byte of the row, in a Y tile column, row and byte.
 */
static uint32_t tiled_word(const struct tiling *tiling, uint32_t x, uint32_t y)
{
	uint32_t tile = y / tiling->height << 1 | x / tiling->width;
	uint32_t byte = x % tiling->width * 4, row = y % tiling->height;

	if (tiling->number == 1)
		return (tile << 12 | row << 9 | byte) / 4;
	return (tile << 12 | byte >> 4 << 9 | row << 4 | (byte & 15)) / 4;
}

/* Linear words become tiled ones at another place, and these linear again. */
static void tiles_put(struct object *batch, const struct tiling *tiling)
{
	const uint32_t width = 2 * tiling->width, height = 2 * tiling->height;
	const uint32_t tiled = RESULT_VA + SURFACE_BYTES;
	const uint32_t commands[] = {
		XY_FAST_COPY_BLT | tiling->number << 13, BLT_DEPTH_32 | width,
		5 << 16 | 3, (height - 1) << 16 | (width - 2), tiled, 0,
		1 << 16 | 2, 4 * width, RESULT_VA, 0,
		XY_FAST_COPY_BLT | tiling->number << 20, BLT_DEPTH_32 | 4 * width,
		0, height << 16 | width, tiled + SURFACE_BYTES, 0,
		0, width, tiled, 0,
		MI_BATCH_END,
	};

	memcpy(batch->words, commands, sizeof(commands));
}

static void tiles_run(const struct tiling *tiling)
{
	const uint32_t width = 2 * tiling->width, height = 2 * tiling->height;
	const uint32_t count = SURFACE_BYTES / 4;
	struct object batch;
	struct gpu gpu;

	gpu_open(&gpu);
	batch = object_create(&gpu);
	for (uint32_t i = 0; i < count; i++)
		gpu.result.words[i] = 0xb1000000 + i;
	tiles_put(&batch, tiling);
	close(submit(&gpu, engine_find(&gpu, I915_ENGINE_CLASS_COPY), &batch,
		     -1, false));
	if (object_wait(&gpu, &batch))
		die("GEM_WAIT");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t x = i % width, y = i / width, want = 0;

		if (x >= 3 && x < width - 2 && y >= 5 && y < height - 1)
			want = 0xb1000000 + (y - 4) * width + x - 1;
		expect(&gpu, count + tiled_word(tiling, x, y), want);
		expect(&gpu, 2 * count + i, want);
	}
	close(gpu.fd);
}

static void tiles(void)
{
	static const struct tiling x = { 128, 8, 1 }, y = { 32, 32, 2 };

	tiles_run(&x);
	tiles_run(&y);
}

static void hang(void)
{
	struct drm_i915_reset_stats stats = { 0 };
	struct object batch;
	struct gpu gpu;

	gpu_open(&gpu);
	batch = object_create(&gpu);
	batch.words[0] = MI_BATCH_START;
	batch.words[1] = (uint32_t)batch_va(&batch);
	close(submit(&gpu, engine_find(&gpu, I915_ENGINE_CLASS_COPY), &batch,
		     -1, true));
	each(0x100);
	if (object_wait(&gpu, &batch))
		die("GEM_WAIT");
	stats.ctx_id = gpu.context;
	if (call(gpu.fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats))
		die("GET_RESET_STATS");
	if (!stats.batch_active) {
		printf("the driver knows of no hang\n");
		exit(1);
	}
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1000000000ULL * (uint64_t)now.tv_sec + (uint64_t)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return (first > second) - (first < second);
}

/* Each batch writes its number: none is lost. */
static void latency(const char *class, uint32_t count)
{
	const uint16_t engine_class = strcmp(class, "copy") ?
		I915_ENGINE_CLASS_RENDER : I915_ENGINE_CLASS_COPY;
	uint64_t *took = calloc(count, sizeof(*took));
	struct object batch;
	struct gpu gpu;
	uint64_t begin;

	gpu_open(&gpu);
	batch = object_create(&gpu);
	for (uint32_t i = 0; i < count; i++) {
		store_put(&batch, 0, i);
		begin = now_ns();
		close(submit(&gpu, engine_find(&gpu, engine_class), &batch, -1,
			     false));
		if (object_wait(&gpu, &batch))
			die("GEM_WAIT");
		took[i] = now_ns() - begin;
		expect(&gpu, 0, i);
		if (took[i] < 1000000)
			usleep((useconds_t)(1000000 - took[i]) / 1000);
	}
	qsort(took, count, sizeof(*took), compare);
	printf("%lu %lu\n", (unsigned long)took[count / 2] / 1000,
	       (unsigned long)took[count * 99 / 100] / 1000);
}

static volatile sig_atomic_t asked_to_end;

static void end(int signal)
{
	(void)signal;
	asked_to_end = 1;
}

static void urgent(void)
{
	struct drm_i915_gem_context_param param = {
		.param = I915_CONTEXT_PARAM_PRIORITY,
		.value = I915_CONTEXT_MAX_USER_PRIORITY,
	};
	struct object batch;
	struct gpu gpu;

	signal(SIGTERM, end);
	gpu_open(&gpu);
	param.ctx_id = gpu.context;
	if (call(gpu.fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param))
		die("GEM_CONTEXT_SETPARAM");
	batch = object_create(&gpu);
	for (uint32_t i = 1; !asked_to_end; i++) {
		wait_put(&batch, i, i);
		close(submit(&gpu, engine_find(&gpu, I915_ENGINE_CLASS_RENDER),
			     &batch, -1, false));
		usleep(PAUSE_US);
		gpu.result.words[0] = i;
		if (object_wait(&gpu, &batch))
			die("GEM_WAIT");
		expect(&gpu, 1, i);
		usleep(PAUSE_US);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "each";

	if (!strcmp(what, "each"))
		each(0);
	else if (!strcmp(what, "chain"))
		chain();
	else if (!strcmp(what, "many") && argc > 2)
		many(atoi(argv[2]));
	else if (!strcmp(what, "semaphore"))
		semaphore();
	else if (!strcmp(what, "blit"))
		blit();
	else if (!strcmp(what, "tiles"))
		tiles();
	else if (!strcmp(what, "hang"))
		hang();
	else if (!strcmp(what, "latency") && argc > 3 && atoi(argv[3]) > 0)
		latency(argv[2], (uint32_t)atoi(argv[3]));
	else if (!strcmp(what, "urgent"))
		urgent();
	else
		return 2;
	return 0;
}
