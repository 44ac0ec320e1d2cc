// SPDX-License-Identifier: MIT
/*
 * Memory of the program becomes memory of its device, in place, and the program's
 * own again when the last buffer that was made of it is closed. What has become
 * the device's in one piece is a segment: an object of vgtd whose pages stand in
 * for the program's. Buffers may overlap, so each counts for all segments that it
 * has a part of.
 */
#include "node.h"

#include "drm/wire.h"
#include "launch.h"
#include "maps.h"

#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NUMBER(name) (DRM_COMMAND_BASE + DRM_I915_##name)
#define MAPS 512

struct segment {
	struct segment *next;
	uint64_t phys, bytes;
	uint32_t handle;
	uint32_t users;
};

struct user {
	struct user *next;
	uint32_t handle;
	uint32_t count;
	struct vgt_drm_user_piece piece[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Protected by lock. */
static struct segment *segments;
static struct user *users;
static struct vgt_map maps[MAPS];

static int ask(uint32_t number, void *argument, uint32_t len_bytes)
{
	struct vgt_node_call call = {
		.number = number,
		.argument = argument,
		.argument_bytes = len_bytes,
	};

	return vgt_node_call(&call);
}

static int handle_close(uint32_t handle)
{
	struct drm_gem_close close = { .handle = handle };

	return ask(_IOC_NR(DRM_IOCTL_GEM_CLOSE), &close, sizeof(close));
}

/*
 * mremap() lets a mapping grow into what comes behind it in its file: so that this
 * is nobody else's, a segment is twice as long as what is in it.
 */
static int segment_create(uint64_t bytes, struct segment **out)
{
	struct drm_i915_gem_create create = { .size = 2 * bytes };
	struct drm_i915_gem_mmap_offset where = { 0 };
	struct segment *segment = calloc(1, sizeof(*segment));
	int ret = -ENOMEM;

	if (!segment)
		return ret;
	ret = ask(NUMBER(GEM_CREATE), &create, sizeof(create));
	if (ret)
		goto err_free;
	where.handle = create.handle;
	ret = ask(NUMBER(GEM_MMAP_GTT), &where, sizeof(where));
	if (ret)
		goto err_close;
	segment->handle = create.handle;
	segment->phys = where.offset;
	segment->bytes = create.size;
	segment->next = segments;
	segments = segment;
	*out = segment;
	return 0;

err_close:
	handle_close(create.handle);
err_free:
	free(segment);
	return ret;
}

/* Its pages are nowhere any more. */
static void segment_destroy(struct segment *segment)
{
	struct segment **link = &segments;

	while (*link != segment)
		link = &(*link)->next;
	*link = segment->next;
	handle_close(segment->handle);
	free(segment);
}

/* All that is left of it in this process, which may have moved its pages. */
static int segment_swap(const struct segment *segment,
			int (*swap)(uintptr_t first, uintptr_t end, int prot,
				    uint64_t phys))
{
	uintptr_t from = 0;
	int count, ret;

	do {
		count = vgt_maps_node(segment->phys,
				      segment->phys + segment->bytes, from,
				      maps, MAPS);
		ret = count < 0 ? count : 0;
		for (int i = 0; i < count && !ret; i++) {
			ret = swap(maps[i].first, maps[i].end, maps[i].prot,
				   maps[i].offset);
			from = maps[i].end;
		}
	} while (count == MAPS && !ret);
	return ret;
}

static void segment_give(struct segment *segment)
{
	int ret = segment_swap(segment, vgt_swap_out);

	/* Else they stay the device's: better a leak than lost data. */
	if (!ret)
		segment_destroy(segment);
}

static bool overlaps(const struct segment *segment,
		     const struct vgt_drm_user_piece *piece)
{
	return segment->phys < piece->phys + piece->bytes &&
	       piece->phys < segment->phys + segment->bytes;
}

static void pieces_get(const struct user *user)
{
	for (uint32_t i = 0; i < user->count; i++)
		for (struct segment *at = segments; at; at = at->next)
			at->users += overlaps(at, &user->piece[i]);
}

static void pieces_put(const struct user *user)
{
	struct segment *at, *next;

	for (uint32_t i = 0; i < user->count; i++) {
		for (at = segments; at; at = next) {
			next = at->next;
			if (overlaps(at, &user->piece[i]) && !--at->users)
				segment_give(at);
		}
	}
}

static void segments_sweep(void)
{
	struct segment *at, *next;

	for (at = segments; at; at = next) {
		next = at->next;
		if (!at->users)
			segment_give(at);
	}
}

/* One part of the program's memory: the device's, or to become so. */
static int piece_make(const struct vgt_map *map,
		      struct vgt_drm_user_piece *out)
{
	uint64_t bytes = map->end - map->first;
	struct segment *segment;
	int ret;

	out->bytes = bytes;
	out->phys = map->offset;
	if (map->is_node)
		return 0;
	if (map->is_shared) {
		fprintf(stderr, "vgt: memory at 0x%lx is shared with others: a buffer cannot be made of it\n",
			(unsigned long)map->first);
		return -EFAULT;
	}
	if (!(map->prot & PROT_READ))
		return -EFAULT;
	ret = segment_create(bytes, &segment);
	if (ret)
		return ret;
	out->phys = segment->phys;
	ret = vgt_swap_in(map->first, map->end, map->prot, segment->phys);
	if (ret)
		segment_destroy(segment);
	return ret;
}

static int user_register(struct user *user, unsigned long request,
			 struct drm_i915_gem_userptr *argument)
{
	struct vgt_node_call call = {
		.number = _IOC_NR(request),
		.argument = argument,
		.argument_bytes = sizeof(*argument),
		.extra = user->piece,
		.extra_bytes = user->count * sizeof(user->piece[0]),
	};
	int ret = vgt_node_call(&call);

	if (ret)
		return ret;
	ret = vgt_launch_object_add(argument->handle, argument->user_size);
	if (ret) {
		handle_close(argument->handle);
		return ret;
	}
	user->handle = argument->handle;
	user->next = users;
	users = user;
	pieces_get(user);
	return 0;
}

static int user_create_locked(unsigned long request,
			      struct drm_i915_gem_userptr *argument)
{
	struct user *user;
	int count, ret = 0;

	/* Before the maps are read, since it may change them. */
	user = malloc(sizeof(*user) + MAPS * sizeof(user->piece[0]));
	if (!user)
		return -ENOMEM;
	count = vgt_maps_find(argument->user_ptr,
			      argument->user_ptr + argument->user_size, maps,
			      MAPS);
	if (count < 0)
		ret = count;
	user->count = 0;
	for (int i = 0; i < count && !ret; i++)
		ret = piece_make(&maps[i], &user->piece[user->count++]);
	if (!ret)
		ret = user_register(user, request, argument);
	if (ret) {
		segments_sweep();
		free(user);
	}
	return ret;
}

int vgt_user_create(unsigned long request, void *argument)
{
	struct drm_i915_gem_userptr *user = argument;
	int ret;

	if (!user->user_size || user->user_ptr + user->user_size <
				user->user_ptr)
		return -EINVAL;
	pthread_mutex_lock(&lock);
	ret = user_create_locked(request, user);
	pthread_mutex_unlock(&lock);
	return ret;
}

static struct user *user_take_locked(uint32_t handle)
{
	struct user **link = &users, *user;

	while (*link && (*link)->handle != handle)
		link = &(*link)->next;
	user = *link;
	if (user)
		*link = user->next;
	return user;
}

int vgt_user_close(unsigned long request, void *argument)
{
	struct drm_gem_close *close = argument;
	struct user *user;
	int64_t for_ever = -1;
	int ret;

	pthread_mutex_lock(&lock);
	user = user_take_locked(close->handle);
	pthread_mutex_unlock(&lock);
	/* Its pages are the device's until nothing runs that uses them. */
	if (user)
		vgt_launch_wait(user->handle, &for_ever);
	/* First: the next buffer may get the handle. */
	vgt_launch_object_remove(close->handle);
	ret = ask(_IOC_NR(request), argument, sizeof(*close));
	if (!user)
		return ret;
	pthread_mutex_lock(&lock);
	pieces_put(user);
	pthread_mutex_unlock(&lock);
	free(user);
	return ret;
}

/*
 * fork(): the child gets pages of its own for those that are the device's, as it
 * gets copies of all other memory; the parent goes on when it has them. What other
 * threads of the parent write there meanwhile is in the copies or not.
 */
static int fork_pipe[2] = { -1, -1 };
static int fork_cancel; /* as it was: no thread is cancelled meanwhile */

static void fork_prepare(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&lock);
	fork_cancel = state;
	vgt_launch_fork_prepare();
	vgt_node_fork_prepare();
	fork_pipe[0] = -1;
	if (segments && pipe2(fork_pipe, O_CLOEXEC)) {
		fork_pipe[0] = -1;
		fork_pipe[1] = -1;
	}
}

static void fork_unlock(void)
{
	int state = fork_cancel;

	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, NULL);
}

static void fork_parent(void)
{
	char mark;

	if (fork_pipe[0] >= 0) {
		close(fork_pipe[1]);
		/* Ends with its own end of the pipe, whatever it does. */
		while (read(fork_pipe[0], &mark, 1) < 0 && errno == EINTR)
			;
		close(fork_pipe[0]);
	}
	vgt_node_fork_parent();
	vgt_launch_fork_parent();
	fork_unlock();
}

static void fork_child(void)
{
	struct segment *segment;
	int ret;

	for (segment = segments; segment; segment = segment->next) {
		ret = segment_swap(segment, vgt_swap_out_alone);
		if (ret)
			dprintf(STDERR_FILENO,
				"vgt: memory of buffers is shared with a child of fork(): %s\n",
				strerror(-ret));
	}
	segments = NULL;
	users = NULL;
	if (fork_pipe[0] >= 0) {
		close(fork_pipe[0]);
		close(fork_pipe[1]);
	}
	vgt_node_fork_child();
	vgt_launch_fork_child();
	fork_unlock();
}

bool vgt_user_has_any(void)
{
	bool any;

	pthread_mutex_lock(&lock);
	any = segments;
	pthread_mutex_unlock(&lock);
	return any;
}

static void __attribute__((constructor)) fork_watch(void)
{
	pthread_atfork(fork_prepare, fork_parent, fork_child);
}
