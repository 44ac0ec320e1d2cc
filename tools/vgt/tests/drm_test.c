// SPDX-License-Identifier: MIT
/*
 * The render node's door: a server in this process, and programs that ask it for
 * what no library would. After each the server must serve the next one.
 */
#include "check/check.h"
#include "drm/door.h"
#include "drm/drm.h"
#include "drm/wire.h"
#include "gt/device.h"
#include "host/log.h"
#include "host/server.h"
#include "linger.h"
#include "node.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 3000
#define CONTEXTS 200
#define REPLACED_MS 200
#define HANGUP_S 30
#define ANSWER_MS 60000
#define PROGRAMS 16
#define FULL_US 100000
#define OTHER_USER 65534
#define LARGE_BYTES (1ULL << 30)
#define LARGE_COUNT 60000
#define LARGE_S 30
#define MANY 60000

static void test_launch(void)
{
	struct node node;
	bool ok = true;

	node_open(&node);
	for (uint32_t i = 1; i < 100 && ok; i++)
		ok = node_runs(&node, i);
	tap_result(ok, "batches run", NULL);
	tap_result(ftruncate(node.memory, 0) && errno == EPERM,
		   "nobody takes memory away", NULL);
	node_close(&node);
}

static void test_greeting(void)
{
	struct drm_i915_gem_create create = { .size = 4096 };
	struct vgt_drm_head head = {
		.number = NODE_NUMBER(GEM_CREATE),
		.argument_bytes = VGT_DRM_ARGUMENT_MAX + 1,
	};
	struct node node;

	node_connect(&node);
	tap_result(NODE_ASK(&node, GEM_CREATE, &create) == -EPIPE && node_serves(),
		   "who does not greet is not served", NULL);
	node_close(&node);
	node_open(&node);
	send(node.socket, &head, sizeof(head), MSG_NOSIGNAL);
	tap_result(node_is_closed(&node) && node_serves(),
		   "an argument of too many bytes", NULL);
	node_close(&node);
	node_open(&node);
	send(node.socket, &head, 7, MSG_NOSIGNAL);
	node_close(&node);
	tap_result(node_serves(), "half a request", NULL);
}

static void test_refused(void)
{
	struct drm_i915_gem_create create = { .size = 0 };
	struct vgt_drm_ring ring = { .context = 99 };
	struct drm_i915_gem_vm_control vm = { .vm_id = 99 };
	struct drm_i915_gem_context_destroy context = { .ctx_id = 0 };
	struct drm_i915_gem_userptr user = { .user_size = 4096 };
	struct vgt_drm_user_piece piece = { ~4095ULL, 4096 };
	struct node node;
	int vms = 0;

	node_open(&node);
	tap_result(NODE_ASK(&node, GEM_CREATE, &create) == -EINVAL &&
		   (create.size = ~0ULL, NODE_ASK(&node, GEM_CREATE, &create)),
		   "buffers of no bytes, and of too many", NULL);
	tap_result(node_ask(&node, VGT_DRM_RING, &ring, sizeof(ring), NULL, 0, 0) ==
			   -ENOENT &&
		   NODE_ASK(&node, GEM_VM_DESTROY, &vm) == -ENOENT &&
		   NODE_ASK(&node, GEM_CONTEXT_DESTROY, &context) == -ENOENT,
		   "what there is none of", NULL);
	tap_result(node_ask(&node, NODE_NUMBER(GEM_USERPTR), &user, sizeof(user),
			    &piece, sizeof(piece), 0) == -EFAULT,
		   "memory that is no object's", NULL);
	tap_result(node_ask(&node, 0xdeadbeef, NULL, 0, NULL, 0, 0) == -EINVAL,
		   "an ioctl that is not served", NULL);
	memset(&vm, 0, sizeof(vm));
	while (vms < 10000 && !NODE_ASK(&node, GEM_VM_CREATE, &vm))
		vms++;
	tap_result(vms && vms <= VGT_DRM_VMS && node_runs(&node, 1),
		   "address spaces without end", NULL);
	node_close(&node);
}

static int note_argument(struct node *node, const char *names, uint32_t bytes)
{
	struct vgt_drm_note note = { .what = VGT_DRM_NOTE_ARGUMENT, .number = 1 };

	return node_ask(node, VGT_DRM_NOTE, &note, sizeof(note), (void *)names,
			bytes, 0);
}

static int note(struct node *node, uint32_t what, uint64_t bytes, uint64_t phys,
		uint64_t piece_bytes)
{
	struct vgt_drm_note_piece piece = { phys, piece_bytes };
	struct vgt_drm_note note = { .what = what, .number = 1, .bytes = bytes };

	return node_ask(node, VGT_DRM_NOTE, &note, sizeof(note), &piece,
			sizeof(piece), 0);
}

/* What a program says for checkers of its buffers and kernels. */
static void test_notes(void)
{
	const uint32_t buffer = VGT_DRM_NOTE_BUFFER;
	struct node node;

	node_open(&node);
	tap_result(!note(&node, buffer, 4096, 8192, 4096) &&
		   !note(&node, VGT_DRM_NOTE_GONE, 0, 0, 0) &&
		   !note(&node, VGT_DRM_NOTE_KERNEL, 0, 'k', 0),
		   "a buffer, and a kernel", NULL);
	tap_result(note(&node, buffer, 4096, VGT_MEMORY_BYTES - 8, 16) ==
			   -EINVAL &&
		   note(&node, buffer, ~0ULL, 4096, ~0ULL) == -EINVAL &&
		   note(&node, buffer, ~0ULL, ~0ULL, 2) == -EINVAL,
		   "a buffer that is not in memory", NULL);
	tap_result(note(&node, buffer, 16, 4096, 17) == -EINVAL &&
		   note(&node, buffer, 16, 4096, 0) == -EINVAL,
		   "a part of a buffer that is larger, or empty", NULL);
	tap_result(note(&node, VGT_DRM_NOTE_KERNEL, 0, ~0ULL, ~0ULL) ==
			   -EINVAL &&
		   note(&node, 99, 0, 0, 0) == -EINVAL,
		   "a name without end, and what is no note", NULL);
	/* Behind the name, 14 bytes are left; a line takes 12. */
	tap_result(note(&node, VGT_DRM_NOTE_KERNEL, 3, 'k', 0) == -EINVAL &&
		   note(&node, VGT_DRM_NOTE_KERNEL, ~0ULL, 'k', 0) == -EINVAL &&
		   note(&node, VGT_DRM_NOTE_KERNEL, 0, 'k', 1ULL << 56) ==
			   -EINVAL,
		   "a kernel of more code and lines than there are", NULL);
	tap_result(!note_argument(&node, "k\0out", 6) &&
		   note_argument(&node, "k\0out", 5) == -EINVAL &&
		   note_argument(&node, "k\0", 2) == -EINVAL &&
		   note_argument(&node, "", 0) == -EINVAL,
		   "an argument, and names that are not whole", NULL);
	tap_result(!note(&node, VGT_DRM_NOTE_WRITTEN, ~0ULL, 0, 0),
		   "more is written than a buffer has", NULL);
	tap_result(node_serves(), "the device serves after that", NULL);
	node_close(&node);
}

/* What a driver says of features that it has not. */
static void test_features(void)
{
	struct drm_get_cap cap = { DRM_CAP_SYNCOBJ, 1 };
	struct drm_prime_handle prime = { 0 };
	struct drm_syncobj_create sync = { 0 };
	struct drm_i915_reset_stats stats = { .reset_count = 9 };
	struct drm_i915_gem_context_param param = {
		.param = I915_CONTEXT_PARAM_VM,
	};
	struct node node;

	node_open(&node);
	tap_result(!node_ask(&node, 0x0c, &cap, sizeof(cap), NULL, 0, 0) &&
		   !cap.value, "capabilities", NULL);
	tap_result(node_ask(&node, 0x2d, &prime, sizeof(prime), NULL, 0, 0) ==
			   -ENOSYS &&
		   node_ask(&node, 0x2e, &prime, sizeof(prime), NULL, 0, 0) ==
			   -ENOSYS, "PRIME", NULL);
	tap_result(node_ask(&node, 0xbf, &sync, sizeof(sync), NULL, 0, 0) ==
			   -EOPNOTSUPP &&
		   node_ask(&node, 0xcb, &sync, sizeof(sync), NULL, 0, 0) ==
			   -EOPNOTSUPP, "syncobj", NULL);
	tap_result(NODE_ASK(&node, GEM_CONTEXT_GETPARAM, &param) == -ENODEV &&
		   (param.param = 0x7f, NODE_ASK(&node, GEM_CONTEXT_GETPARAM,
						 &param)) == -EINVAL &&
		   NODE_ASK(&node, GEM_CONTEXT_SETPARAM, &param) == -EINVAL,
		   "parameters of contexts", NULL);
	tap_result(!NODE_ASK(&node, GET_RESET_STATS, &stats) && !stats.reset_count &&
		   (stats.ctx_id = 99, NODE_ASK(&node, GET_RESET_STATS, &stats)) ==
			   -ENOENT, "resets", NULL);
	node_close(&node);
}

/* Returns what the node says to a map of @count engines of @class. */
static int engines_set(struct node *node, uint16_t class, uint32_t count)
{
	struct drm_i915_gem_context_param param = {
		.param = I915_CONTEXT_PARAM_ENGINES,
	};
	struct {
		uint64_t extensions;
		struct i915_engine_class_instance engine[8];
	} map = { 0 };

	for (uint32_t i = 0; i < count; i++)
		map.engine[i].engine_class = class;
	return node_ask(node, NODE_NUMBER(GEM_CONTEXT_SETPARAM), &param,
			sizeof(param), &map, 8 + 4 * (int)count, 0);
}

static void test_engines(void)
{
	struct vgt_drm_ring ring = { 0 };
	struct node node;

	node_open(&node);
	tap_result(engines_set(&node, I915_ENGINE_CLASS_COPY, 2) == -ENOENT &&
		   engines_set(&node, I915_ENGINE_CLASS_RENDER, 0) == -EINVAL,
		   "engines that there are none of", NULL);
	tap_result(!engines_set(&node, I915_ENGINE_CLASS_RENDER, 5) &&
		   !node_ask(&node, VGT_DRM_RING, &ring, sizeof(ring), NULL, 0, 0) &&
		   ring.engines == 5 && node_runs(&node, 7),
		   "several engines", NULL);
	tap_result(!node_ask(&node, VGT_DRM_RING, &ring, sizeof(ring), NULL, 0, 0) &&
		   ring.seqno == 1, "requests are counted", NULL);
	node_close(&node);
}

static bool context_ends(struct node *node, uint32_t id)
{
	struct drm_i915_gem_context_destroy context = { .ctx_id = id };

	return !NODE_ASK(node, GEM_CONTEXT_DESTROY, &context);
}

/* Possible until something was launched in it. */
static bool context_takes_vm(struct node *node, uint32_t id, uint32_t vm)
{
	struct drm_i915_gem_context_param param = {
		.ctx_id = id,
		.param = I915_CONTEXT_PARAM_VM,
		.value = vm,
	};

	return !NODE_ASK(node, GEM_CONTEXT_SETPARAM, &param);
}

/* More at once than are submitted at once, and more than there is memory for. */
static void test_contexts(void)
{
	struct drm_i915_gem_context_create_ext context = { 0 };
	struct drm_i915_gem_vm_control vm = { 0 };
	uint64_t place[CONTEXTS];
	uint32_t id[CONTEXTS];
	struct node node;
	bool ok = true;

	node_open(&node);
	for (uint32_t i = 0; i < CONTEXTS && ok; i++) {
		ok = !NODE_ASK(&node, GEM_CONTEXT_CREATE, &context);
		id[i] = context.ctx_id;
	}
	for (uint32_t i = 0; i < CONTEXTS && ok; i++)
		place[i] = node_batch(&node, id[i], i + 1);
	for (uint32_t i = 0; i < CONTEXTS && ok; i++)
		ok = node_appears(&node, place[i], i + 1);
	tap_result(ok, "contexts that have something to run all at once", NULL);
	for (uint32_t i = 0; i < CONTEXTS && ok; i++)
		ok = context_ends(&node, id[i]);
	ok = ok && !NODE_ASK(&node, GEM_VM_CREATE, &vm);
	for (uint32_t i = 0; i < 33000 && ok; i++) {
		ok = !NODE_ASK(&node, GEM_CONTEXT_CREATE, &context) &&
		     context_takes_vm(&node, context.ctx_id, vm.vm_id) &&
		     (i % 1024 ||
		      (node_runs_in(&node, context.ctx_id, i + 1) &&
		       !context_takes_vm(&node, context.ctx_id, vm.vm_id))) &&
		     context_ends(&node, context.ctx_id);
	}
	tap_result(ok && !context_ends(&node, context.ctx_id),
		   "contexts that come and go without end", NULL);
	node_close(&node);
}

/* Launches that share a buffer; each one's batch is a buffer of its own behind it. */
struct shared {
	struct node node;
	struct vgt_drm_exec_object object;
	uint64_t phys;
	uint32_t batches;
};

#define SIGNAL 512U
#define FIRST 256U
#define SECOND 260U

static bool shared_open(struct shared *shared)
{
	node_open(&shared->node);
	shared->batches = 0;
	shared->object = (struct vgt_drm_exec_object){
		.address = NODE_ADDRESS,
		.handle = node_object(&shared->node, 4096, &shared->phys),
		.flags = EXEC_OBJECT_PINNED,
	};
	return shared->object.handle;
}

static uint32_t context_make(struct shared *shared)
{
	struct drm_i915_gem_context_create_ext context = { 0 };

	return NODE_ASK(&shared->node, GEM_CONTEXT_CREATE, &context) ? 0 :
	       context.ctx_id;
}

/* In @context: wait for the signal (if @wait), then store @value at @offset. */
static void shared_launch(struct shared *shared, uint32_t context, bool wait,
			  uint32_t offset, uint32_t value)
{
	const uint32_t low = (uint32_t)NODE_ADDRESS, high = NODE_ADDRESS >> 32;
	const uint32_t batch[] = {
		0x0e00c003, 1, low + SIGNAL, high, 0, /* until it is 1 */
		0x10000002, low + offset, high, value,
		0x05000000,
	};
	struct vgt_drm_exec_object object[] = {
		shared->object,
		{ NODE_ADDRESS + 4096 * ++shared->batches, 0, EXEC_OBJECT_PINNED },
	};
	const uint32_t skip = wait ? 0 : 5;
	uint64_t phys = 0;

	object[1].handle = node_object(&shared->node, 4096, &phys);
	if (pwrite(shared->node.memory, batch + skip,
		   sizeof(batch) - 4 * skip, (off_t)phys) < 0)
		tap_note("no batch: %s", strerror(errno));
	node_launch(&shared->node, 2, context, object, 2);
}

static void shared_signal(struct shared *shared)
{
	const uint32_t one = 1;

	if (pwrite(shared->node.memory, &one, sizeof(one),
		   (off_t)(shared->phys + SIGNAL)) < 0)
		tap_note("no signal: %s", strerror(errno));
}

static void test_order(void)
{
	struct shared shared;
	uint32_t held, a, b;
	bool ok = shared_open(&shared);

	held = context_make(&shared);
	a = context_make(&shared);
	b = context_make(&shared);
	shared_launch(&shared, held, true, SECOND, 1);
	shared_launch(&shared, a, false, FIRST, 1);
	shared_launch(&shared, b, false, FIRST, 2);
	shared_launch(&shared, a, false, FIRST, 3);
	shared_launch(&shared, b, false, SECOND, 4);
	shared_signal(&shared);
	ok = ok && node_appears(&shared.node, shared.phys + SECOND, 4);
	tap_result(ok && node_appears(&shared.node, shared.phys + FIRST, 3),
		   "launches of two contexts end in their order", NULL);
	node_close(&shared.node);
}

/* Its page tables may not become others'. */
static void test_destroyed(void)
{
	struct drm_i915_gem_vm_control vm = { 0 };
	struct shared shared;
	uint32_t a, b;
	bool ok = shared_open(&shared);

	a = context_make(&shared);
	b = context_make(&shared);
	shared_launch(&shared, a, true, FIRST, 1);
	for (uint32_t i = 0; i < 4; i++)
		shared_launch(&shared, b, false, SECOND, i + 1);
	ok = ok && context_ends(&shared.node, a);
	for (int i = 0; i < 64 && ok; i++)
		ok = !NODE_ASK(&shared.node, GEM_VM_CREATE, &vm);
	shared_signal(&shared);
	tap_result(ok && node_appears(&shared.node, shared.phys + FIRST, 1) &&
		   node_appears(&shared.node, shared.phys + SECOND, 4),
		   "a context that is destroyed while it runs", NULL);
	node_close(&shared.node);
}

/* It asks for something. Does the answer come in time? */
static bool asks(struct node *node, int ms)
{
	struct pollfd answer = { .fd = node->socket, .events = POLLIN };
	struct drm_i915_gem_create create = { .size = 4096 };
	struct vgt_drm_head head = {
		.number = NODE_NUMBER(GEM_CREATE), .argument_bytes = sizeof(create),
	};

	send(node->socket, &head, sizeof(head), MSG_NOSIGNAL);
	send(node->socket, &create, sizeof(create), MSG_NOSIGNAL);
	return poll(&answer, 1, ms) == 1;
}

/* What is launched there next waits, and so does who asks for something behind it. */
static bool replaced_open(struct shared *shared)
{
	bool ok = shared_open(shared);
	uint32_t a = context_make(shared);

	shared_launch(shared, a, true, FIRST, 1);
	shared->batches--;
	shared_launch(shared, a, false, SECOND, 2);
	asks(&shared->node, REPLACED_MS);
	return ok;
}

static void test_replaced(void)
{
	struct shared shared;
	bool ok = replaced_open(&shared);

	shared_signal(&shared);
	tap_result(ok && node_appears(&shared.node, shared.phys + FIRST, 1) &&
		   node_appears(&shared.node, shared.phys + SECOND, 2),
		   "a batch at the place of one that runs", NULL);
	node_close(&shared.node);
}

/* It leaves another question behind; the kernel that it waits for has no end. */
static void test_hangup(void)
{
	struct shared shared;
	bool ok = replaced_open(&shared);

	asks(&shared.node, 0);
	node_close(&shared.node);
	tap_result(ok && node_are_gone(HANGUP_S) && node_serves(),
		   "a program that ends while it waits", NULL);
}

/* The program fills it, and has writes wait, while the device does not look. */
static void test_doorbell(void)
{
	uint64_t count, full = UINT64_MAX - 1;
	struct shared shared;
	bool ok = shared_open(&shared);
	const int fd = shared.node.doorbell;

	shared_launch(&shared, 0, true, FIRST, 1);
	while (ok && atomic_load(&shared.node.queue->head) !=
		     atomic_load(&shared.node.queue->tail))
		usleep(100);
	shared_launch(&shared, 0, false, SECOND, 2);
	ok = ok && read(fd, &count, sizeof(count)) > 0 &&
	     !fcntl(fd, F_SETFL, 0) && write(fd, &full, sizeof(full)) > 0 &&
	     asks(&shared.node, ANSWER_MS);
	ok = read(fd, &count, sizeof(count)) > 0 && ok;
	shared_signal(&shared);
	tap_result(ok && node_appears(&shared.node, shared.phys + SECOND, 2) &&
		   node_serves(), "a doorbell that takes nothing", NULL);
	node_close(&shared.node);
}

/* @name: what is wrong with the entry. */
static void test_entry(const char *name, uint32_t count, uint32_t context,
		       uint32_t flags)
{
	struct vgt_drm_exec_object object = { NODE_ADDRESS, 1, flags };
	struct node node;
	uint64_t phys;

	node_open(&node);
	node_object(&node, 4096, &phys);
	node_launch(&node, count, context, &object, 1);
	tap_result(node_is_closed(&node) && atomic_load(&node.queue->error) &&
		   node_serves(), name, NULL);
	node_close(&node);
}

/* The program can write all of its device's memory. */
static void test_memory(void)
{
	uint8_t page[4096];
	struct node node;

	memset(page, 0xa5, sizeof(page));
	node_open(&node);
	node_runs(&node, 1);
	for (uint64_t phys = 0; phys < 0x200000; phys += sizeof(page))
		if (pwrite(node.memory, page, sizeof(page), (off_t)phys) < 0)
			break;
	for (uint32_t i = 0; i < 20; i++)
		node_object(&node, 4096 * i, &(uint64_t){ 0 });
	node_close(&node);
	tap_result(node_serves(), "tables and rings that the program wrote", NULL);
}

/* What @file has so far. */
static int lines_count(int file)
{
	char text[4096];
	off_t at = 0;
	ssize_t n;
	int count = 0;

	while ((n = pread(file, text, sizeof(text), at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			count += text[i] == '\n';
		at += n;
	}
	return count;
}

/* Programs that connect when the server can open no more: it says so, and waits. */
static void test_full(void)
{
	int program[PROGRAMS], other[PROGRAMS], taken = 0, lines;
	int log = memfd_create("log", MFD_CLOEXEC), was_log = dup(STDERR_FILENO);
	struct rlimit limit, low;
	struct sockaddr_un address;
	socklen_t len = node_address(&address, vgt_server_port(node_server));

	for (int i = 0; i < PROGRAMS; i++)
		program[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	getrlimit(RLIMIT_NOFILE, &limit);
	low = (struct rlimit){ program[PROGRAMS - 1] + 3, limit.rlim_max };
	vgt_log_level_set(VGT_LOG_WARN);
	dup2(log, STDERR_FILENO);
	setrlimit(RLIMIT_NOFILE, &low);
	while (taken < PROGRAMS && (other[taken] = dup(log)) >= 0)
		taken++;
	for (int i = 0; i < PROGRAMS; i++)
		if (connect(program[i], (struct sockaddr *)&address, len))
			tap_note("program %d: %s", i, strerror(errno));
	usleep(FULL_US);
	setrlimit(RLIMIT_NOFILE, &limit);
	while (taken)
		close(other[--taken]);
	for (int i = 0; i < PROGRAMS; i++)
		close(program[i]);
	lines = lines_count(log);
	dup2(was_log, STDERR_FILENO);
	vgt_log_level_set(VGT_LOG_ERROR);
	close(was_log);
	close(log);
	if (!lines || lines > 2 * PROGRAMS)
		tap_note("%d lines in the log", lines);
	tap_result(lines && lines <= 2 * PROGRAMS && node_serves(),
		   "more programs than the server has descriptors for", NULL);
}

/* A launch that has one buffer at two places, again and again, and takes minutes. */
static void test_large(void)
{
	static struct vgt_drm_exec_object object[LARGE_COUNT];
	struct node node;
	uint32_t handle;
	uint64_t phys;

	node_open(&node);
	handle = node_object(&node, LARGE_BYTES, &phys);
	for (uint32_t i = 0; i < LARGE_COUNT; i++)
		object[i] = (struct vgt_drm_exec_object){
			NODE_ADDRESS + i % 2 * LARGE_BYTES, handle,
			EXEC_OBJECT_PINNED,
		};
	node_launch(&node, LARGE_COUNT, 0, object, LARGE_COUNT);
	usleep(FULL_US);
	node_close(&node);
	tap_result(handle && node_are_gone(LARGE_S) && node_serves(),
		   "a program that ends while much is bound", NULL);
}

/* All that is launched is bound before the answer comes. */
static bool binds(struct node *node, const struct vgt_drm_exec_object *object,
		  uint32_t count)
{
	struct vgt_drm_ring ring = { 0 };

	node_launch(node, count, 0, object, count);
	return !node_ask(node, VGT_DRM_RING, &ring, sizeof(ring), NULL, 0, 0);
}

/* One buffer takes the place of many; the last one is the batch. */
static void test_many(void)
{
	static struct vgt_drm_exec_object object[MANY + 1];
	const uint32_t batch = 0x05000000;
	struct drm_i915_gem_create create = { .size = 4096 };
	struct node node;
	clock_t begin = clock(), made;
	uint64_t phys;
	bool ok;

	node_open(&node);
	object[MANY] = (struct vgt_drm_exec_object){
		1ULL << 40, node_object(&node, 4096, &phys), EXEC_OBJECT_PINNED,
	};
	ok = pwrite(node.memory, &batch, sizeof(batch), (off_t)phys) > 0;
	for (uint32_t i = 0; i < 2 * MANY && ok; i++) {
		ok = !NODE_ASK(&node, GEM_CREATE, &create);
		object[i % MANY] = (struct vgt_drm_exec_object){
			NODE_ADDRESS + 4096ULL * i, create.handle,
			EXEC_OBJECT_PINNED,
		};
		if (ok && !((i + 1) % MANY))
			ok = binds(&node, object, MANY + 1);
	}
	object[MANY - 1].address = NODE_ADDRESS;
	object[MANY - 1].handle = node_object(&node, 2 * MANY * 4096ULL, &phys);
	made = clock();
	ok = ok && binds(&node, &object[MANY - 1], 2) && node_runs(&node, 1);
	/* To make them took a request each: it may take a small part of that. */
	tap_result(ok && clock() - made < (made - begin) / 4,
		   "a buffer at the place of many", NULL);
	node_close(&node);
}

/* What ends the connection, and behind it what nobody reads any more. */
static void test_linger(void)
{
	struct vgt_drm_head head = {
		.number = NODE_NUMBER(GEM_CREATE),
		.argument_bytes = VGT_DRM_ARGUMENT_MAX + 1,
	};
	bool sent = false;
	struct node node;
	int fd;

	/* The server may have been faster. */
	for (int i = 0; i < 100 && !sent; i++) {
		fd = linger_open();
		node_connect(&node);
		send(node.socket, &head, sizeof(head), MSG_NOSIGNAL);
		sent = linger_hand(node.socket, fd, 1);
		close(fd);
		node_close(&node);
	}
	tap_result(sent && node_are_gone(LINGER_S) && node_serves(),
		   "a program that leaves what is slow to close", NULL);
}

/* With the beginning of a greeting, which is no place for it. */
static void test_brought_linger(void)
{
	struct node node;
	int fd = linger_open();

	node_connect(&node);
	linger_hand(node.socket, fd, 1);
	close(fd);
	node_close(&node);
	tap_result(node_are_gone(LINGER_S / 2) && node_serves(),
		   "a request that brings what is slow to close", NULL);
}

/* Of another user; it is root's here, as there is no one else. */
static void test_refused_linger(void)
{
	struct sockaddr_un address;
	uint16_t port = getpid() % 50000 + 1000;
	int listener = vgt_drm_listen(port), fd = linger_open();
	int program = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), ret = 0;
	socklen_t len = node_address(&address, port);
	time_t begin = node_now_s();
	bool root = !geteuid();

	if (!connect(program, (struct sockaddr *)&address, len))
		linger_hand(program, fd, 1);
	close(fd);
	if (root && !seteuid(OTHER_USER)) {
		ret = vgt_drm_accept(listener);
		root = !seteuid(0);
	}
	tap_result(!root || (ret == -EPERM && node_now_s() - begin < LINGER_S),
		   root ? "who is not served does not hold up others" :
			  "who is not served # SKIP it takes root", NULL);
	close(program);
	close(listener);
}

/* It waits in the queue of a server that can open no more, and ends. */
static void test_backlog(void)
{
	struct vgt_options options = { .threads = 1 };
	int program = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int fd = linger_open();
	struct sockaddr_un address;
	struct vgt_server *server;
	struct rlimit limit, low;
	bool sent = false;
	time_t begin;
	int free_fd;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (!vgt_server_create(&options, NULL, 0, &server)) {
		/* No lower than that: nobody can poll() more descriptors than this limit. */
		free_fd = dup(fd);
		close(free_fd);
		low = (struct rlimit){ free_fd, limit.rlim_max };
		setrlimit(RLIMIT_NOFILE, &low);
		sent = !connect(program, (struct sockaddr *)&address,
				node_address(&address, vgt_server_port(server))) &&
		       linger_hand(program, fd, 1);
		close(fd);
		begin = node_now_s();
		vgt_server_destroy(server);
		sent = sent && node_now_s() - begin < LINGER_S / 2;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	tap_result(sent, "a server that ends with a program in its queue", NULL);
	close(program);
}

/* Numbers as they come, most of them small: ids and handles that exist. */
static void test_random(void)
{
	uint8_t argument[96], extra[256];
	struct node node;
	bool ok = true;

	srandom(1);
	node_open(&node);
	for (int i = 0; i < ROUNDS && ok; i++) {
		uint32_t number = 0x40 + random() % 0x40;

		for (size_t at = 0; at < sizeof(argument); at++)
			argument[at] = random() % 4 ? 0 : random() % 8;
		for (size_t at = 0; at < sizeof(extra); at++)
			extra[at] = random() % 4 ? 0 : random();
		ok = node_ask(&node, random() % 16 ? number : 0x09, argument,
			      sizeof(argument), extra, random() % 2 * 64, 64) !=
		     -EPIPE;
	}
	tap_result(ok && node_serves(), "calls of random bytes", NULL);
	node_close(&node);
}

int main(void)
{
	struct vgt_options options = { .threads = 1 };

	/* What is refused is said; here it is asked for. */
	vgt_log_level_set(VGT_LOG_ERROR);
	if (!freopen("/dev/null", "w", stderr) ||
	    vgt_check_start(VGT_CHECK_BOUNDS, NULL) ||
	    vgt_server_create(&options, NULL, 0, &node_server)) {
		tap_result(false, "start a server", strerror(errno));
		return tap_finish();
	}
	test_launch();
	test_greeting();
	test_refused();
	test_notes();
	test_features();
	test_engines();
	test_contexts();
	test_order();
	test_destroyed();
	test_replaced();
	test_hangup();
	test_doorbell();
	test_entry("a launch of nothing", 0, 0, EXEC_OBJECT_PINNED);
	test_entry("a launch longer than the queue", 0xffffffff, 0,
		   EXEC_OBJECT_PINNED);
	test_entry("a launch without its objects", 2, 0, EXEC_OBJECT_PINNED);
	test_entry("a launch in no context", 1, 77, EXEC_OBJECT_PINNED);
	test_entry("a launch with an object that may be anywhere", 1, 0, 0);
	test_memory();
	test_full();
	test_large();
	test_many();
	test_linger();
	test_brought_linger();
	test_refused_linger();
	test_backlog();
	test_random();
	vgt_server_destroy(node_server);
	return tap_finish();
}
