// SPDX-License-Identifier: MIT
/*
 * Launches go into the queue, and what there is to wait for stands in the device's
 * memory: neither needs an answer from vgtd. So the library keeps what it takes to
 * refuse what i915 refuses, and to know when a buffer is idle: its buffers, the
 * contexts that something was launched in, and how many requests each context has
 * had. vgtd counts them in the order of the queue, as is done here, and a context's
 * word has the number of the last one that is done.
 */
#include "launch.h"

#include "drm/wire.h"
#include "node.h"

#include <errno.h>
#include <i915_drm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096ULL
#define ADDRESS_MASK ((1ULL << 48) - 1)
#define WAIT_US 100
#define WAITS_ALIVE 100 /* look for vgtd after so many */
#define NAP_MIN_NS 20000
#define NAP_MAX_NS 2000000
#define NAP_PART 16 /* of what was waited for */

struct object {
	uint64_t bytes; /* 0: there is none of this handle */
	uint64_t word, seqno; /* of its last use; 0: it has had none */
};

struct context {
	struct context *next;
	struct vgt_drm_ring ring; /* .seqno: of its last request */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Protected by lock, as is the end of the queue. */
static struct object *objects; /* by handle */
static uint32_t room;
static struct context *contexts;

/* Written under lock, read without: whoever reads an old one looks again. */
static _Atomic uint64_t launches, last_word, last_seqno;

int vgt_launch_object_add(uint32_t handle, uint64_t bytes)
{
	uint32_t wanted = room ? room : 64;
	struct object *array;
	int ret = 0;

	pthread_mutex_lock(&lock);
	while (wanted <= handle)
		wanted *= 2;
	if (wanted > room) {
		array = realloc(objects, wanted * sizeof(*array));
		if (array) {
			memset(array + room, 0,
			       (wanted - room) * sizeof(*array));
			objects = array;
			room = wanted;
		} else {
			ret = -ENOMEM;
		}
	}
	if (!ret)
		objects[handle] = (struct object){ .bytes = bytes };
	pthread_mutex_unlock(&lock);
	return ret;
}

static struct object *object_find_locked(uint32_t handle)
{
	return handle < room && objects[handle].bytes ? &objects[handle] : NULL;
}

void vgt_launch_object_remove(uint32_t handle)
{
	struct object *object;

	pthread_mutex_lock(&lock);
	object = object_find_locked(handle);
	if (object)
		object->bytes = 0;
	pthread_mutex_unlock(&lock);
}

static void context_forget_locked(uint32_t id)
{
	struct context **link = &contexts, *context;

	while (*link && (*link)->ring.context != id)
		link = &(*link)->next;
	context = *link;
	if (!context)
		return;
	*link = context->next;
	if (atomic_load(&last_word) == context->ring.word)
		atomic_store(&last_seqno, 0);
	free(context);
}

/* Nothing is launched meanwhile: it comes before or after the change. */
int vgt_launch_context_change(uint32_t id, struct vgt_node_call *call)
{
	int ret;

	pthread_mutex_lock(&lock);
	ret = vgt_node_call(call);
	if (!ret)
		context_forget_locked(id);
	pthread_mutex_unlock(&lock);
	return ret;
}

/* vgtd has taken all that was launched before it answers. */
static int context_get_locked(uint32_t id, struct context **out)
{
	struct vgt_drm_ring ring = { .context = id };
	struct vgt_node_call call = {
		.number = VGT_DRM_RING,
		.argument = &ring,
		.argument_bytes = sizeof(ring),
	};
	struct context *context = contexts;
	int ret;

	while (context && context->ring.context != id)
		context = context->next;
	*out = context;
	if (context)
		return 0;
	ret = vgt_node_call(&call);
	if (ret)
		return ret;
	context = malloc(sizeof(*context));
	if (!context)
		return -ENOMEM;
	context->ring = ring;
	context->next = contexts;
	contexts = context;
	*out = context;
	return 0;
}

static int object_check_locked(const struct drm_i915_gem_exec_object2 *from)
{
	const struct object *object = object_find_locked(from->handle);
	uint64_t address = from->offset & ADDRESS_MASK;

	if (!object)
		return -ENOENT;
	if (from->relocation_count || !(from->flags & EXEC_OBJECT_PINNED) ||
	    address % PAGE || object->bytes > ADDRESS_MASK - address)
		return -EINVAL;
	return 0;
}

/* What vgtd would end the device for. */
static int check_locked(const struct vgt_drm_exec *exec,
			const struct drm_i915_gem_exec_object2 *object,
			struct context **context_out)
{
	int ret;

	if (!exec->count || exec->count >= VGT_DRM_QUEUE_UNITS ||
	    exec->flags & ~(uint32_t)VGT_DRM_EXEC_FLAGS || exec->start % 8)
		return -EINVAL;
	ret = context_get_locked(exec->context, context_out);
	if (!ret && (exec->flags & I915_EXEC_RING_MASK) >=
		    (*context_out)->ring.engines)
		ret = -EINVAL;
	for (uint32_t i = 0; i < exec->count && !ret; i++)
		ret = object_check_locked(&object[i]);
	return ret;
}

/* Room for @units in the queue: 0, -EAGAIN if there is none now, or -EIO. */
static int queue_room_locked(const struct vgt_drm_queue *queue, uint32_t units)
{
	uint32_t tail = atomic_load(&queue->tail);

	if (atomic_load(&queue->error))
		return -EIO;
	return VGT_DRM_QUEUE_UNITS - (tail - atomic_load(&queue->head)) >=
	       units ? 0 : -EAGAIN;
}

static void queue_put_locked(struct vgt_drm_queue *queue,
			     const struct vgt_drm_exec *exec,
			     const struct drm_i915_gem_exec_object2 *object)
{
	uint32_t tail = atomic_load(&queue->tail);

	queue->unit[tail++ % VGT_DRM_QUEUE_UNITS].exec = *exec;
	for (uint32_t i = 0; i < exec->count; i++)
		queue->unit[tail++ % VGT_DRM_QUEUE_UNITS].object =
			(struct vgt_drm_exec_object){
				.address = object[i].offset,
				.handle = object[i].handle,
				.flags = (uint32_t)object[i].flags,
			};
	atomic_store(&queue->tail, tail);
	/* The order matters: who falls asleep after this look sees the tail. */
	if (atomic_load(&queue->asleep))
		vgt_node_ring();
}

static void uses_note_locked(struct context *context, uint32_t count,
			     const struct drm_i915_gem_exec_object2 *object)
{
	struct object *used;

	context->ring.seqno++;
	for (uint32_t i = 0; i < count; i++) {
		used = object_find_locked(object[i].handle);
		used->word = context->ring.word;
		used->seqno = context->ring.seqno;
	}
	atomic_store(&last_word, context->ring.word);
	atomic_store(&last_seqno, context->ring.seqno);
	atomic_fetch_add(&launches, 1);
}

uint64_t vgt_launch_count(void)
{
	return atomic_load(&launches);
}

bool vgt_launch_done(void)
{
	return vgt_node_word(atomic_load(&last_word)) >=
	       atomic_load(&last_seqno);
}

/* -EAGAIN: there is no room in the queue now. */
static int launch_try(struct vgt_drm_queue *queue,
		      const struct vgt_drm_exec *exec,
		      const struct drm_i915_gem_exec_object2 *object)
{
	struct context *context;
	int ret;

	pthread_mutex_lock(&lock);
	ret = check_locked(exec, object, &context);
	if (!ret)
		ret = queue_room_locked(queue, 1 + exec->count);
	if (!ret) {
		queue_put_locked(queue, exec, object);
		uses_note_locked(context, exec->count, object);
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

/* Who waits for room keeps nobody from looking at what is done. */
int vgt_launch(const struct vgt_drm_exec *exec,
	       const struct drm_i915_gem_exec_object2 *object)
{
	struct vgt_drm_queue *queue = vgt_node_queue();
	int ret;

	if (!queue)
		return -ENODEV;
	for (uint32_t i = 1;; i++) {
		ret = launch_try(queue, exec, object);
		if (ret != -EAGAIN)
			return ret;
		if (i % WAITS_ALIVE == 0 && !vgt_node_alive())
			return -EIO;
		usleep(WAIT_US);
	}
}

int64_t vgt_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void vgt_nap(int64_t waited_ns)
{
	struct timespec time = { 0, waited_ns / NAP_PART };

	if (time.tv_nsec < NAP_MIN_NS)
		time.tv_nsec = NAP_MIN_NS;
	else if (time.tv_nsec > NAP_MAX_NS)
		time.tv_nsec = NAP_MAX_NS;
	/* Not libc's, where a thread may be cancelled. */
	syscall(SYS_nanosleep, &time, NULL);
}

/* What it was used for by now; what comes later is not waited for. */
static int use_get(uint32_t handle, struct object *out)
{
	const struct object *object;

	pthread_mutex_lock(&lock);
	object = object_find_locked(handle);
	if (object)
		*out = *object;
	pthread_mutex_unlock(&lock);
	return object ? 0 : -ENOENT;
}

int vgt_launch_wait(uint32_t handle, int64_t *timeout_ns)
{
	int64_t begin = vgt_now_ns(), end;
	struct object use;
	int ret = use_get(handle, &use);

	if (__builtin_add_overflow(begin, *timeout_ns, &end))
		end = INT64_MAX;
	for (uint32_t i = 1; !ret && vgt_node_word(use.word) < use.seqno; i++) {
		if (*timeout_ns >= 0 && vgt_now_ns() >= end)
			ret = -ETIME;
		else if (i % WAITS_ALIVE == 0 && !vgt_node_alive())
			ret = -EIO;
		else
			vgt_nap(vgt_now_ns() - begin);
	}
	if (*timeout_ns > 0) {
		*timeout_ns = end - vgt_now_ns();
		if (*timeout_ns < 0 || ret == -ETIME)
			*timeout_ns = 0;
	}
	return ret;
}

void vgt_launch_fork_prepare(void)
{
	pthread_mutex_lock(&lock);
}

void vgt_launch_fork_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/* Handles and contexts are the parent's. */
void vgt_launch_fork_child(void)
{
	while (contexts)
		context_forget_locked(contexts->ring.context);
	free(objects);
	objects = NULL;
	room = 0;
	pthread_mutex_unlock(&lock);
}
