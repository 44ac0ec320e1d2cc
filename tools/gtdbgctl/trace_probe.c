// SPDX-License-Identifier: MIT
/*
 * Where a trace looks. OpenCL calls all go through the loader that programs link
 * with, so its entry points see those of every process. Their first instruction has
 * to be executed elsewhere when there is a probe on it, for several times the cost of
 * one that the kernel emulates, which mostly follows soon: then the probe is there.
 */
#include "trace.h"

#include "cmd.h"
#include "trace.skel.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TAKE_MAX (1u << 16) /* records at once, which bounds what waits to be written */
#define NS_PER_S 1000000000ull
#define RING_PARTS 8 /* after each of which the reader is woken */
#define KERNEL_TYPES "/sys/kernel/btf/vmlinux"
#define REFUSED_LINES 12 /* of what the verifier says */

static const struct trace_function functions[] = {
	{ "clEnqueueNDRangeKernel", TRACE_SORT_LAUNCH, TRACE_CALL_SIZE },
	{ "clCreateKernel", TRACE_SORT_KERNEL,
	  TRACE_CALL_NAME | TRACE_CALL_POINTER },
	{ "clFinish", TRACE_SORT_FINISH, 0 },
	{ "clFlush", TRACE_SORT_OTHER, 0 },
	{ "clWaitForEvents", TRACE_SORT_OTHER, 0 },
	{ "clEnqueueReadBuffer", TRACE_SORT_TRANSFER, 0 },
	{ "clEnqueueWriteBuffer", TRACE_SORT_TRANSFER, 0 },
	{ "clEnqueueMapBuffer", TRACE_SORT_OTHER, TRACE_CALL_POINTER },
	{ "clEnqueueUnmapMemObject", TRACE_SORT_OTHER, 0 },
	{ "clEnqueueCopyBuffer", TRACE_SORT_OTHER, 0 },
	{ "clEnqueueSVMMemcpy", TRACE_SORT_OTHER, 0 },
	{ "clBuildProgram", TRACE_SORT_OTHER, 0 },
};

#define FUNCTION_COUNT (sizeof(functions) / sizeof(functions[0]))

struct trace_probe {
	struct trace_bpf *bpf;
	struct ring_buffer *ring;
	struct bpf_link *links[2 * FUNCTION_COUNT];
	struct trace_probe_options options;
	uint32_t taken;
	const uint64_t *positions;	/* in the ring, of who takes and who puts */
	size_t positions_bytes;
	/* Who puts was at mark_position after mark_ns. */
	uint64_t mark_ns, mark_position;
	uint64_t complete_ns;
	struct trace_lost lost;
};

const struct trace_function *trace_function_at(uint32_t place)
{
	return place < FUNCTION_COUNT ? &functions[place] : NULL;
}

/* The loader, as this program would get it, and where it is mapped. */
static int loader_open(void **loader, char path[PATH_MAX])
{
	struct link_map *map;

	*loader = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (!*loader)
		return -ENOENT;
	if (dlinfo(*loader, RTLD_DI_LINKMAP, &map) ||
	    !realpath(map->l_name, path)) {
		dlclose(*loader);
		return -ENOENT;
	}
	return 0;
}

/*
 * Behind "mov GLOBAL(%rip), %rax" there is "push", or "test %rax, %rax" and a jump.
 * Arguments and stack are there as they were at the beginning.
 */
static size_t emulated_at(const uint8_t *code)
{
	static const uint8_t load[] = { 0x48, 0x8b, 0x05 };
	static const uint8_t test[] = { 0x48, 0x85, 0xc0 };

	if (memcmp(code, load, sizeof(load)))
		return 0;
	if (code[7] >= 0x50 && code[7] <= 0x57)
		return 7;
	if (!memcmp(code + 7, test, sizeof(test)) &&
	    (code[10] == 0x74 || code[10] == 0x75))
		return 10;
	return 0;
}

static struct bpf_link *function_attach(const struct bpf_program *program,
					const char *path, size_t offset,
					uint32_t place, bool is_return)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts,
		.bpf_cookie = place | (uint64_t)functions[place].flags << 32,
		.retprobe = is_return);

	return bpf_program__attach_uprobe_opts(program, -1, path, offset, &opts);
}

static int functions_attach(struct trace_probe *probe, void *loader,
			    const char *path)
{
	struct bpf_link **link = probe->links;
	struct link_map *map;
	uint32_t i;

	dlinfo(loader, RTLD_DI_LINKMAP, &map);
	for (i = 0; i < FUNCTION_COUNT; i++) {
		const uint8_t *code = dlsym(loader, functions[i].name);
		size_t offset;

		if (!code)
			continue;
		/* What is in the file at an address lies at the same offset. */
		offset = (uintptr_t)code - map->l_addr + emulated_at(code);
		*link = function_attach(probe->bpf->progs.call, path, offset, i,
					false);
		if (!*link++)
			return -errno;
		*link = function_attach(probe->bpf->progs.call_return, path,
					offset, i, true);
		if (!*link++)
			return -errno;
	}
	return 0;
}

static int calls_attach(struct trace_probe *probe)
{
	char path[PATH_MAX];
	void *loader;
	int ret;

	ret = loader_open(&loader, path);
	if (ret) {
		fputs("gtdbgctl: there is no libOpenCL.so.1, so no OpenCL calls are traced\n",
		      stderr);
		return CMD_OK;
	}
	ret = functions_attach(probe, loader, path);
	dlclose(loader);
	return ret ? cmd_fail(ret, "cannot probe %s", path) : CMD_OK;
}

static char *verifier_words; /* of the program that was refused last, or NULL */

/* What the kernel's verifier says is kept, and nothing else that the library says. */
static int print_keep(enum libbpf_print_level level, const char *format,
		      va_list args)
{
	char *words;

	if (level != LIBBPF_WARN || !strstr(format, "PROG LOAD LOG") ||
	    vasprintf(&words, format, args) < 0)
		return 0;
	free(verifier_words);
	verifier_words = words;
	return 0;
}

/* The end has the reason, and may be far from the begin. */
static int fail_refused(int ret)
{
	const char *from = verifier_words + strlen(verifier_words);
	int lines = 0;

	cmd_fail(ret, "the kernel does not take the BPF programs");
	while (from > verifier_words && (from[-1] != '\n' || lines++ < REFUSED_LINES))
		from--;
	fputs(from, stderr);
	return CMD_FAILED;
}

static int fail_load(int ret)
{
	if (verifier_words)
		return fail_refused(ret);
	if (ret == -EPERM || ret == -EACCES) {
		fputs("gtdbgctl: you may not trace: it takes CAP_BPF and CAP_PERFMON (sudo has them)\n",
		      stderr);
		return CMD_FAILED;
	}
	return cmd_fail(ret, "the kernel does not take the BPF programs");
}

static int programs_attach(struct trace_probe *probe)
{
	int ret = trace_bpf__attach(probe->bpf);

	if (ret == -ENOENT || ret == -EINVAL) {
		fputs("gtdbgctl: the kernel module is not loaded, or too old for that: try \"modprobe gtdbg\"\n",
		      stderr);
		return CMD_FAILED;
	}
	return ret ? fail_load(ret) : CMD_OK;
}

static int process_add(struct trace_probe *probe, uint32_t pid)
{
	uint8_t one = 1;

	return bpf_map__update_elem(probe->bpf->maps.processes, &pid,
				    sizeof(pid), &one, sizeof(one), BPF_ANY);
}

static int ring_take(void *context, void *data, size_t bytes)
{
	struct trace_probe *probe = context;

	(void)bytes;
	probe->options.put(probe->options.data, data);
	/* They may come as fast as they are taken, and without end. */
	return ++probe->taken == TAKE_MAX ? -EINTR : 0;
}

/* Two pages of the ring's, each with a position at its begin. */
static int positions_map(struct trace_probe *probe)
{
	size_t bytes = 2 * sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED,
			 bpf_map__fd(probe->bpf->maps.ring), 0);

	if (map == MAP_FAILED)
		return -errno;
	probe->positions = map;
	probe->positions_bytes = bytes;
	return 0;
}

/* They look into the kernel by the types that this says. */
bool trace_kernel_is_known(void)
{
	return !access(KERNEL_TYPES, R_OK);
}

/* Its requests are looked into by the types that this says. */
bool trace_driver_is_known(void)
{
	return !access("/sys/kernel/btf/i915", R_OK);
}

static void driver_leave(struct trace_bpf *bpf)
{
	struct bpf_program *const programs[] = {
		bpf->progs.request_add, bpf->progs.request_done,
		bpf->progs.request_retire, bpf->progs.request_wait_begin,
		bpf->progs.request_wait_end,
	};
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		bpf_program__set_autoload(programs[i], false);
}

static void sched_leave(struct trace_bpf *bpf)
{
	bpf_program__set_autoload(bpf->progs.sched_switch, false);
	bpf_program__set_autoload(bpf->progs.sched_waking, false);
}

static int probe_load(struct trace_probe *probe)
{
	pid_t pid = probe->options.pid;
	int ret;

	probe->bpf->rodata->is_all = !pid;
	probe->bpf->rodata->part_bytes = probe->options.ring_bytes / RING_PARTS;
	bpf_map__set_max_entries(probe->bpf->maps.ring,
				 probe->options.ring_bytes);
	if (!probe->options.has_calls) {
		sched_leave(probe->bpf);
		bpf_program__set_autoload(probe->bpf->progs.decision, false);
		bpf_program__set_autoload(probe->bpf->progs.thread_record, false);
	}
	if (!probe->options.has_calls || !trace_driver_is_known())
		driver_leave(probe->bpf);
	ret = trace_bpf__load(probe->bpf);
	if (!ret && pid)
		ret = process_add(probe, pid);
	if (ret)
		return fail_load(ret);
	probe->ring = ring_buffer__new(bpf_map__fd(probe->bpf->maps.ring),
				       ring_take, probe, NULL);
	if (!probe->ring || positions_map(probe))
		return cmd_fail(-errno, "cannot map the ring");
	return CMD_OK;
}

int trace_probe_create(const struct trace_probe_options *options,
		       struct trace_probe **out)
{
	struct trace_probe *probe;
	int ret;

	if (!trace_kernel_is_known()) {
		fputs("gtdbgctl: this kernel cannot be traced: it does not say its types in "
		      KERNEL_TYPES " (CONFIG_DEBUG_INFO_BTF)\n", stderr);
		return CMD_FAILED;
	}
	probe = calloc(1, sizeof(*probe));
	if (!probe)
		return cmd_fail(-ENOMEM, "trace");
	probe->options = *options;
	libbpf_set_print(print_keep);
	probe->bpf = trace_bpf__open();
	ret = probe->bpf ? probe_load(probe) :
			   cmd_fail(-errno, "cannot open the BPF programs");
	if (!ret)
		ret = programs_attach(probe);
	if (!ret && options->has_calls)
		ret = calls_attach(probe);
	if (ret) {
		trace_probe_destroy(probe);
		return ret;
	}
	*out = probe;
	return CMD_OK;
}

void trace_probe_destroy(struct trace_probe *probe)
{
	size_t i;

	if (!probe)
		return;
	for (i = 0; i < 2 * FUNCTION_COUNT; i++)
		bpf_link__destroy(probe->links[i]);
	if (probe->positions)
		munmap((void *)probe->positions, probe->positions_bytes);
	ring_buffer__free(probe->ring);
	trace_bpf__destroy(probe->bpf);
	free(verifier_words);
	verifier_words = NULL;
	free(probe);
}

/*
 * A record has the time at which it had its place already. So when all up to the place
 * at which the next one was put after some time are taken, none from before is left.
 */
static void mark(struct trace_probe *probe)
{
	const uint64_t *taker = probe->positions;
	const uint64_t *putter = taker + probe->positions_bytes / 2 / sizeof(*taker);
	struct timespec now;

	if (__atomic_load_n(taker, __ATOMIC_ACQUIRE) < probe->mark_position)
		return;
	probe->complete_ns = probe->mark_ns;
	clock_gettime(CLOCK_MONOTONIC, &now);
	probe->mark_ns = now.tv_sec * NS_PER_S + now.tv_nsec;
	probe->mark_position = __atomic_load_n(putter, __ATOMIC_ACQUIRE);
}

int trace_probe_take(struct trace_probe *probe, int timeout_ms)
{
	int ret;

	probe->taken = 0;
	ret = ring_buffer__poll(probe->ring, timeout_ms);
	/* Few records wake nobody. */
	if (!ret)
		ret = ring_buffer__consume(probe->ring);
	mark(probe);
	return ret == -EINTR ? 0 : ret;
}

uint64_t trace_probe_complete_ns(const struct trace_probe *probe)
{
	return probe->complete_ns;
}

const struct trace_lost *trace_probe_lost(struct trace_probe *probe)
{
	struct trace_lost *lost = &probe->lost;
	int cpus = libbpf_num_possible_cpus();
	uint32_t zero = 0, i;

	if (cpus < 1 || cpus > TRACE_CPUS_MAX ||
	    bpf_map_lookup_elem(bpf_map__fd(probe->bpf->maps.lost), &zero,
				lost->on))
		return lost;
	lost->cpus = (uint32_t)cpus;
	lost->sum = 0;
	for (i = 0; i < lost->cpus; i++)
		lost->sum += lost->on[i];
	return lost;
}
