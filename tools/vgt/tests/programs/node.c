// SPDX-License-Identifier: MIT
/*
 * node CASE: asks the render node for what a runtime does not, or seldom. Its
 * batches write words by a command, so no compiler and no EU is needed.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL
#define BATCH_VA 0x10000000ULL
#define DATA_VA 0x20000000ULL
#define STORE 0x10000002U
#define SEMAPHORE_EQUAL (0x1cU << 23 | 1U << 15 | 4U << 12 | 3)
#define END 0x05000000U
#define YIELDS 2000
#define CALLER_PAGES 256UL
#define CALLS 1000
#define HANG_S 300 /* only a hang reaches it */
#define PIECES 1200UL /* more than the library looks at in one go */

static int fd;
static uint32_t batch_handle, data_handle;
static uint32_t *batch, *data;

static void need(bool holds, const char *what)
{
	if (holds)
		return;
	printf("failed: %s (%s)\n", what, strerror(errno));
	exit(1);
}

static uint32_t *object_make(uint32_t *handle)
{
	struct drm_i915_gem_create create = { .size = PAGE };
	struct drm_i915_gem_mmap_offset where = {
		.flags = I915_MMAP_OFFSET_WB,
	};
	void *at;

	need(!ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create), "a buffer");
	where.handle = create.handle;
	need(!ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &where), "an offset");
	at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  (off_t)where.offset);
	need(at != MAP_FAILED, "mapping a buffer");
	*handle = create.handle;
	return at;
}

static void node_open(void)
{
	fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	need(fd >= 0, "opening the node");
	batch = object_make(&batch_handle);
	data = object_make(&data_handle);
}

static int launch(struct drm_i915_gem_execbuffer2 *exec)
{
	return ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, exec) ? errno : 0;
}

static int buffer_wait(uint32_t handle)
{
	/* The longest that has an end; runtimes wait without one. */
	struct drm_i915_gem_wait wait = {
		.bo_handle = handle, .timeout_ns = INT64_MAX,
	};

	return ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait) ? errno : 0;
}

/* Launch what is in the batch, with buffer @handle at DATA_VA. */
static void batch_launch(uint32_t handle)
{
	struct drm_i915_gem_exec_object2 object[] = {
		{ .handle = handle, .offset = DATA_VA,
		  .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE },
		{ .handle = batch_handle, .offset = BATCH_VA,
		  .flags = EXEC_OBJECT_PINNED },
	};
	struct drm_i915_gem_execbuffer2 exec = {
		.buffers_ptr = (uintptr_t)object, .buffer_count = 2,
	};

	need(!launch(&exec), "a launch");
}

/* The device writes @value @offset bytes into buffer @handle. */
static void device_write(uint32_t handle, uint64_t offset, uint32_t value)
{
	batch[0] = STORE;
	batch[1] = (uint32_t)(DATA_VA + offset);
	batch[2] = 0;
	batch[3] = value;
	batch[4] = END;
	batch_launch(handle);
	need(!buffer_wait(batch_handle), "the end of a launch");
}

/* Returns the handle, or 0 with errno. */
static uint32_t pointer_take(void *at, size_t bytes)
{
	struct drm_i915_gem_userptr user = {
		.user_ptr = (uintptr_t)at, .user_size = bytes,
	};

	return ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user) ? 0 : user.handle;
}

static int handle_close(uint32_t handle)
{
	struct drm_gem_close close = { .handle = handle };

	return ioctl(fd, DRM_IOCTL_GEM_CLOSE, &close) ? errno : 0;
}

/* What is wrong with a launch is its own error, and the device goes on. */
static void refused(void)
{
	struct drm_i915_gem_exec_object2 good = {
		.handle = batch_handle, .offset = BATCH_VA,
		.flags = EXEC_OBJECT_PINNED,
	}, object = good;
	const struct drm_i915_gem_execbuffer2 right = {
		.buffers_ptr = (uintptr_t)&object, .buffer_count = 1,
	};
	struct drm_i915_gem_execbuffer2 exec = right;

	exec.rsvd1 = 77;
	need(launch(&exec) == ENOENT, "no such context");
	exec = right;
	exec.flags = 5;
	need(launch(&exec) == EINVAL, "no such engine");
	exec.flags = I915_EXEC_FENCE_IN;
	need(launch(&exec) == EINVAL, "fences");
	exec = right;
	exec.buffer_count = 0;
	need(launch(&exec) == EINVAL, "a launch of nothing");
	exec = right;
	exec.batch_start_offset = 4;
	need(launch(&exec) == EINVAL, "a start between commands");
	exec = right;
	object.handle = 4711;
	need(launch(&exec) == ENOENT, "no such buffer");
	object = good;
	object.flags = 0;
	need(launch(&exec) == EINVAL, "a buffer that may be anywhere");
	object = good;
	object.offset = BATCH_VA + 8;
	need(launch(&exec) == EINVAL, "a buffer between pages");
	object = good;
	object.relocation_count = 1;
	need(launch(&exec) == EINVAL, "relocations");
	need(buffer_wait(4711) == ENOENT, "waiting for no buffer");
	device_write(data_handle, 64, 0x600d);
	need(data[16] == 0x600d, "what is right");
}

/* What a driver without a feature says of it. */
static void features(void)
{
	struct drm_get_cap cap = { .capability = DRM_CAP_PRIME, .value = 9 };
	struct drm_prime_handle prime = { .handle = batch_handle };
	struct drm_syncobj_create sync = { 0 };
	struct drm_i915_gem_set_domain domain = {
		.handle = batch_handle, .read_domains = I915_GEM_DOMAIN_CPU,
	};
	struct drm_i915_gem_context_param param = {
		.param = I915_CONTEXT_PARAM_VM,
	};

	need(!ioctl(fd, DRM_IOCTL_GET_CAP, &cap) && !cap.value, "capabilities");
	need(ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) &&
	     errno == ENOSYS, "PRIME");
	need(ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync) &&
	     errno == EOPNOTSUPP, "syncobj");
	need(ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param) &&
	     errno == ENODEV, "a context's address space");
	need(!ioctl(fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain), "a domain");
	domain.read_domains = I915_GEM_DOMAIN_RENDER;
	need(ioctl(fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain) &&
	     errno == EINVAL, "a GPU's domain");
}

/* As realloc() does it with what a buffer is made of. */
static void grows(void)
{
	uint32_t *at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t handle, other_handle, *other;

	at[0] = 1;
	handle = pointer_take(at, 4 * PAGE);
	need(handle, "anonymous memory");
	at = mremap(at, 4 * PAGE, 8 * PAGE, MREMAP_MAYMOVE);
	need(at != MAP_FAILED, "growing");
	device_write(handle, 4 * PAGE - 4, 2);
	need(at[0] == 1 && at[PAGE - 1] == 2, "what was there before");
	other = object_make(&other_handle);
	for (uint32_t *word = at + PAGE; word < at + 2 * PAGE; word++)
		*word = 3;
	need(!other[0], "another buffer");
	other[0] = 4;
	device_write(handle, 0, 5);
	need(at[0] == 5, "what the device has behind it");
	at[0] = 1;
	need(!handle_close(handle), "closing");
	need(at[0] == 1 && at[PAGE - 1] == 2 && at[2 * PAGE - 1] == 3,
	     "what is there after");
}

/* Buffers that are made now get what is free: that is none of @at's. */
static void is_own(const uint32_t *at, uint32_t value)
{
	uint32_t handle;

	for (int i = 0; i < 16; i++)
		*object_make(&handle) = ~value;
	need(*at == value, "the program's memory stays its own");
}

/* Below the memory of a buffer, a file whose name is in no ASCII. */
static void named(void)
{
	char path[] = "/tmp/vgt-gr\303\274n-XXXXXX";
	int file = mkstemp(path);
	char *first = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t *at = (uint32_t *)(first + 4 * PAGE), handle;

	need(file >= 0 && !ftruncate(file, PAGE) && first != MAP_FAILED,
	     "a file");
	at[0] = 1;
	handle = pointer_take(at, 4 * PAGE);
	need(handle, "a host pointer");
	need(mmap(first, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) ==
	     first, "mapping it");
	unlink(path);
	need(!handle_close(handle), "closing");
	is_own(at, 1);
	handle = pointer_take(at, 4 * PAGE);
	need(handle, "a host pointer above the file");
	device_write(handle, 0, 2);
	need(at[0] == 2 && !handle_close(handle), "the device's write");
	is_own(at, 2);
}

/* Each second page has a protection of its own. */
static void pieces(void)
{
	uint32_t *at = mmap(NULL, 2 * PIECES * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t *last = at + (2 * PIECES - 1) * PAGE / sizeof(*at);
	uint32_t handle = pointer_take(at, 2 * PIECES * PAGE);
	int status = -1;
	pid_t pid;

	need(handle, "a host pointer");
	for (size_t i = 0; i < PIECES; i++)
		need(!mprotect(at + 2 * i * PAGE / sizeof(*at), PAGE,
			       PROT_READ), "protecting a page");
	*last = 7;
	pid = fork();
	if (!pid) {
		*last = 99;
		_exit(0);
	}
	need(waitpid(pid, &status, 0) == pid && !status, "a child");
	need(*last == 7, "what a child writes is its own");
	device_write(handle, (2 * PIECES - 1) * PAGE, 8);
	need(*last == 8 && !handle_close(handle), "the device's write");
	is_own(last, 8);
}

static int file_make(void)
{
	char path[] = "/tmp/vgt-node-XXXXXX";
	int file = mkstemp(path);
	uint32_t word = 41;

	need(file >= 0 && !unlink(path) && !ftruncate(file, 2 * PAGE) &&
	     pwrite(file, &word, sizeof(word), 0) == sizeof(word), "a file");
	return file;
}

static void file_private(void)
{
	int file = file_make();
	uint32_t *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE,
			    file, 0), word;
	uint32_t handle = pointer_take(at, 2 * PAGE);

	need(handle && at[0] == 41, "a private mapping");
	device_write(handle, 4, 42);
	need(at[0] == 41 && at[1] == 42, "the device's write");
	need(!handle_close(handle) && at[1] == 42, "after it");
	need(pread(file, &word, sizeof(word), 4) == sizeof(word) && !word,
	     "the file stays as it was");
}

static void shared(void)
{
	uint32_t *file = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
			      file_make(), 0);
	uint32_t *anonymous = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t *none = mmap(NULL, PAGE, PROT_NONE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(!pointer_take(file, PAGE) && errno == EFAULT, "a shared file");
	need(!pointer_take(anonymous, PAGE) && errno == EFAULT,
	     "memory that a child would share");
	need(!pointer_take(none, PAGE) && errno == EFAULT,
	     "memory that nobody may read");
	need(file[0] == 41 && !anonymous[0], "what was refused stays");
}

/* The old descriptor is the parent's; a child that opens the node has its own. */
static void child(void)
{
	struct drm_i915_gem_create create = { .size = PAGE };
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		need(ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create) &&
		     errno == ENODEV, "the parent's node");
		node_open();
		device_write(data_handle, 0, 1);
		exit(data[0] != 1);
	}
	waitpid(pid, &status, 0);
	need(!status, "a child");
	need(!data[0], "another's memory");
	device_write(data_handle, 0, 2);
	need(data[0] == 2, "the parent's own");
}

/* Both open the node after it: a device each. */
static void before(void)
{
	pid_t pid = fork();
	int status = -1;

	node_open();
	device_write(data_handle, 0, pid ? 1 : 2);
	if (!pid)
		exit(data[0] != 2);
	waitpid(pid, &status, 0);
	need(!status && data[0] == 1, "a device each");
}

/* How programs end that release nothing. */
static void leaves(void)
{
	void *at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	device_write(pointer_take(at, 4 * PAGE), 0, 1);
}

static void crashes(void)
{
	leaves();
	kill(getpid(), SIGKILL);
}

/* How often has this thread slept? To yield is not to sleep. */
static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static long yield(int times)
{
	long before = sleeps();

	while (times--)
		sched_yield();
	return sleeps() - before;
}

/* As a runtime waits: for a launch that ends when the program says so. */
static void yields(void)
{
	long before;

	need(yield(YIELDS) < YIELDS / 10, "yields before anything was launched");
	batch[0] = SEMAPHORE_EQUAL;
	batch[1] = 1;
	batch[2] = (uint32_t)DATA_VA;
	batch[3] = 0;
	batch[4] = 0;
	batch[5] = END;
	batch_launch(data_handle);
	before = sleeps();
	while (sleeps() < before + 100)
		sched_yield();
	*(volatile uint32_t *)data = 1;
	need(!buffer_wait(batch_handle), "the end of a launch");
	need(yield(YIELDS) < YIELDS / 10, "yields when it is done");
}

/* As in a container. */
static void faults_forbid(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		sizeof(filter) / sizeof(filter[0]), filter,
	};

	need(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	     !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program),
	     "no userfaultfd");
}

/* The caller's own stack, where nothing holds writes off; much of it takes long. */
static void caller(void)
{
	uint32_t above[CALLER_PAGES * PAGE / sizeof(uint32_t)];
	uintptr_t at = (uintptr_t)above & ~(PAGE - 1);
	uint32_t handle;

	faults_forbid();
	memset(above, 1, sizeof(above));
	for (int i = 0; i < CALLS; i++) {
		handle = pointer_take((void *)(at - PAGE),
				      CALLER_PAGES * PAGE);
		need(handle, "the caller's stack");
		need(!handle_close(handle), "closing");
	}
	for (size_t i = 0; i < sizeof(above) / sizeof(above[0]); i++)
		need(above[i] == 0x01010101, "what lies there");
}

/* Nobody may read it when it becomes the program's again. */
static void guarded(void)
{
	uint32_t *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t handle = pointer_take(at, 2 * PAGE);

	need(handle, "a host pointer");
	device_write(handle, 0, 1);
	need(!mprotect(at, 2 * PAGE, PROT_NONE) && !handle_close(handle) &&
	     !mprotect(at, 2 * PAGE, PROT_READ | PROT_WRITE), "a guard");
	is_own(at, 1);
}

/* Answers that have no place. */
static void nowhere(void)
{
	struct drm_i915_getparam param = { .param = I915_PARAM_CHIPSET_ID };
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_TOPOLOGY_INFO,
	};
	struct drm_i915_query query = {
		.num_items = 1, .items_ptr = (uintptr_t)&item,
	};

	need(ioctl(fd, DRM_IOCTL_I915_GETPARAM, &param) && errno == EFAULT,
	     "a parameter to nowhere");
	need(!ioctl(fd, DRM_IOCTL_I915_QUERY, &query) && item.length > 0,
	     "a question for the length");
	need(!ioctl(fd, DRM_IOCTL_I915_QUERY, &query) &&
	     item.length == -EFAULT, "a question to nowhere");
	device_write(data_handle, 0, 1);
	need(data[0] == 1, "what is right");
}

/* A thread that is cancelled stays in the call, and leaves nothing locked. */
static void *cancelled_thread(void *argument)
{
	struct drm_i915_gem_create create = { .size = PAGE };

	pthread_cancel(pthread_self());
	need(!ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create), "a buffer");
	if (!fork())
		_exit(0);
	*(uint32_t *)argument = create.handle;
	pthread_testcancel();
	return NULL;
}

static void cancelled(void)
{
	uint32_t handle = 0;
	pthread_t thread;
	void *result;

	alarm(HANG_S);
	need(pointer_take(mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), PAGE),
	     "a host pointer");
	need(!pthread_create(&thread, NULL, cancelled_thread, &handle) &&
	     !pthread_join(thread, &result), "a thread");
	device_write(data_handle, 0, 1);
	need(data[0] == 1 && handle && result == PTHREAD_CANCELED,
	     "a call goes on to its end");
}

/* What a program wants to know of the dynamic linker is its own. */
static void linker(void)
{
	const char *error;

	need(!dlopen("no-such-library.so", RTLD_NOW), "a library");
	close(open("/dev/null", O_RDONLY | O_CLOEXEC));
	error = dlerror();
	need(error && strstr(error, "no-such-library"), "what was wrong");
}

/* Of the pages that the fork itself uses. */
static void stack(void)
{
	volatile uint32_t mine = 1;
	uintptr_t at = (uintptr_t)&mine & ~(PAGE - 1);
	uint32_t handle = pointer_take((void *)(at - 2 * PAGE), 3 * PAGE);
	int status = -1;
	pid_t pid;

	need(handle, "the stack");
	pid = fork();
	if (!pid) {
		mine = 2;
		_exit(mine != 2);
	}
	need(waitpid(pid, &status, 0) == pid && !status, "a child");
	need(mine == 1, "the parent's own");
	device_write(handle, 2 * PAGE + (uintptr_t)&mine - at, 3);
	need(mine == 3 && !handle_close(handle), "the device's write");
}

/* Who serves the node. */
static pid_t server(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			   "vgtd-drm-%s", getenv("TbxPort"));
	int line = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct ucred peer = { 0 };
	socklen_t bytes = sizeof(peer);

	need(!connect(line, (struct sockaddr *)&address,
		      offsetof(struct sockaddr_un, sun_path) + 1 + len) &&
	     !getsockopt(line, SOL_SOCKET, SO_PEERCRED, &peer, &bytes),
	     "the server");
	close(line);
	return peer.pid;
}

/* Has thread @name of @pid stopped, or gone? */
static bool has_stopped(pid_t pid, const char *name)
{
	char path[300], state = 'T';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", pid, name);
	file = fopen(path, "r");
	if (!file)
		return true;
	need(fscanf(file, "%*d (%*[^)]) %c", &state) == 1, "a thread's state");
	fclose(file);
	return state == 'T';
}

/* A signal stops a thread some time after it was sent: until then it may answer. */
static void server_stop(pid_t pid)
{
	const struct dirent *entry;
	char path[64];
	bool has_all;
	DIR *folder;

	need(!kill(pid, SIGSTOP), "stopping the server");
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	do {
		has_all = true;
		folder = opendir(path);
		need(folder, "the server's threads");
		while ((entry = readdir(folder)))
			if (*entry->d_name != '.' && !has_stopped(pid, entry->d_name))
				has_all = false;
		closedir(folder);
	} while (!has_all);
}

/* What it answers after it was given up is an answer to nothing. */
static void late(void)
{
	struct drm_i915_gem_create create = { .size = PAGE };
	pid_t pid = server();
	bool is_refused;

	server_stop(pid);
	is_refused = ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create) &&
		     errno == ENODEV;
	/* Whatever it was: who is stopped does not end. */
	need(!kill(pid, SIGCONT), "letting it go on");
	need(is_refused, "a server that is stopped");
	create.size = 2 * PAGE;
	need(ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create) && errno == ENODEV,
	     "a server that was given up");
}

static unsigned int descriptors(void)
{
	unsigned int count = 0;

	for (int i = 0; i < 100; i++)
		count += fcntl(i, F_GETFD) >= 0;
	return count;
}

/* The node takes several descriptors: with ever more, until there are enough. */
static void few(void)
{
	unsigned int before = descriptors();
	struct rlimit limit, low;
	int node = -1;

	need(!getrlimit(RLIMIT_NOFILE, &limit), "a limit");
	for (low = limit, low.rlim_cur = 3; node < 0; low.rlim_cur++) {
		need(!setrlimit(RLIMIT_NOFILE, &low), "a limit");
		node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
		need(!setrlimit(RLIMIT_NOFILE, &limit), "a limit");
		need(node >= 0 || descriptors() == before,
		     "none is left behind");
	}
	node_open();
	device_write(data_handle, 0, 1);
	need(data[0] == 1, "the node");
}

static void execs(void)
{
	leaves();
	execl("/proc/self/exe", "node", "leaves", NULL);
	need(false, "another program");
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "refused", refused },
	{ "features", features },
	{ "grows", grows },
	{ "named", named },
	{ "pieces", pieces },
	{ "private", file_private },
	{ "shared", shared },
	{ "child", child },
	{ "before", before },
	{ "yields", yields },
	{ "late", late },
	{ "few", few },
	{ "caller", caller },
	{ "guarded", guarded },
	{ "nowhere", nowhere },
	{ "cancelled", cancelled },
	{ "linker", linker },
	{ "stack", stack },
	{ "leaves", leaves },
	{ "crashes", crashes },
	{ "execs", execs },
};

int main(int argc, char **argv)
{
	size_t i = 0;

	while (i < sizeof(cases) / sizeof(cases[0]) &&
	       (argc != 2 || strcmp(argv[1], cases[i].name)))
		i++;
	if (i == sizeof(cases) / sizeof(cases[0]))
		return 2;
	if (cases[i].run != before && cases[i].run != few)
		node_open();
	cases[i].run();
	printf("done\n");
	return 0;
}
