// SPDX-License-Identifier: MIT
/*
 * What debugging needs on this machine, as a table of checks. Each prints one
 * line, a failed one with its remedy.
 */
#include "cmd.h"

#include "debugger.h"
#include "gpu.h"
#include "hang.h"
#include "trace.h"
#include "trial.h"

#include <gtdbg.h>
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct check {
	const char *what;
	bool (*passes)(void);
	const char *remedy;
	bool (*applies)(void); /* else it says nothing; NULL: always */
	bool (*is_spared)(void); /* debugging works without it */
};

static int open_module(void)
{
	struct gtdbg *gtdbg;
	int ret;

	ret = gtdbg_open(NULL, &gtdbg);
	if (ret < 0)
		return ret;
	gtdbg_close(gtdbg);
	return 0;
}

static bool has_module(void)
{
	return access("/dev/gtdbg", F_OK) == 0;
}

static bool may_open(void)
{
	int ret = open_module();

	return ret != -EACCES && ret != -EPERM && ret != -ENOENT;
}

static bool speaks_version(void)
{
	return open_module() == 0;
}

static bool has_features(void)
{
	const __u64 needed = GTDBG_FEATURE_CLIENT | GTDBG_FEATURE_SESSION |
			     GTDBG_FEATURE_THREAD | GTDBG_FEATURE_REGISTER |
			     GTDBG_FEATURE_MEMORY | GTDBG_FEATURE_BREAKPOINT;
	struct gtdbg_info info = { 0 };
	struct gtdbg *gtdbg;

	if (gtdbg_open(NULL, &gtdbg) < 0)
		return false;
	gtdbg_info(gtdbg, &info);
	gtdbg_close(gtdbg);
	return (info.features & needed) == needed;
}

static bool has_backend(void)
{
	return access("/dev/gtdbg-vgt", F_OK) == 0;
}

static bool may_offer(void)
{
	return access("/dev/gtdbg-vgt", R_OK | W_OK) == 0;
}

static bool has_gpu_module(void)
{
	return access(GPU_MODULE, F_OK) == 0;
}

static bool binds(void)
{
	return gpu_is_known() && has_gpu_module();
}

static bool has_runtime(void)
{
	return access("/etc/OpenCL/vendors/intel.icd", R_OK) == 0;
}

static bool has_library(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return false;
	dlclose(library);
	return true;
}

static bool has_compiler(void)
{
	return has_library("libigdfcl.so.1");
}

static bool has_disassembler(void)
{
	return has_library("libiga64.so.1") || has_library("libiga64.so");
}

static bool matches(const char *pattern)
{
	glob_t found;
	int ret = glob(pattern, 0, NULL, &found);

	globfree(&found);
	return ret == 0;
}

/* "run" starts the vgtd that belongs to this tool, wherever PATH leads. */
static bool has_gpu(void)
{
	return gpu_is_known() || launch_has_vgtd();
}

/* Attaching takes the descriptor out of another process: Yama may forbid. */
static bool may_trace(void)
{
	FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "r");
	int scope = 0;

	if (!file)
		return true;
	if (fscanf(file, "%d", &scope) != 1)
		scope = 0;
	fclose(file);
	return scope == 0 || (scope < 3 && geteuid() == 0);
}

/* The module's type information names them, if the kernel has any. */
static bool has_bpf_functions(void)
{
	static const char name[] = "gtdbg_stop_memory";
	static char types[1 << 20];
	FILE *file;
	size_t len;

	file = fopen("/sys/kernel/btf/gtdbg", "r");
	if (!file)
		return false;
	len = fread(types, 1, sizeof(types), file);
	fclose(file);
	return memmem(types, len, name, sizeof(name));
}

static bool has_frequency(void)
{
	return matches("/sys/class/drm/card[0-9]*/gt_act_freq_mhz");
}

static bool has_power(void)
{
	return access("/sys/class/powercap/intel-rapl:0/energy_uj", R_OK) == 0;
}

static const struct check checks[] = {
	{ "kernel module", has_module,
	  .remedy = "load it: insmod gtdbg.ko, or modprobe gtdbg" },
	{ "access to /dev/gtdbg", may_open,
	  .remedy = "give your user read and write permission on it",
	  .applies = has_module },
	{ "interface version", speaks_version,
	  .remedy = "install module and library of the same release",
	  .applies = may_open },
	{ "module features", has_features,
	  .remedy = "load a module that has them all",
	  .applies = speaks_version },
	{ "module for virtual GPUs", has_backend,
	  .remedy = "load it: modprobe gtdbg-vgt (the packages gtdbg-dkms and gtdbg-vgt)",
	  .is_spared = gpu_is_debuggable },
	{ "access to /dev/gtdbg-vgt", may_offer,
	  .remedy = "join the group gtdbg (adduser USER gtdbg) and log in again",
	  .applies = has_backend, .is_spared = gpu_is_debuggable },
	{ "module for the machine's GPU", has_gpu_module,
	  .remedy = "load it: modprobe gtdbg-pci (the package gtdbg-dkms)",
	  .applies = gpu_is_known },
	{ "access to the machine's GPU and " GPU_MODULE, gpu_is_debuggable,
	  .remedy = "join the group render (adduser USER render) and log in again",
	  .applies = binds },
	{ "OpenCL runtime", has_runtime,
	  .remedy = "install the package intel-opencl-icd" },
	{ "GPU compiler", has_compiler,
	  .remedy = "install the package libigc1" },
	{ "disassembler", has_disassembler,
	  .remedy = "install the package libigc1" },
	{ "a GPU, real or virtual", has_gpu,
	  .remedy = "install gtdbg's vgtd for a virtual one" },
	{ "permission to attach", may_trace,
	  .remedy = "run as root, or set kernel.yama.ptrace_scope to 0" },
};

/* Debugging works without these. */
static const struct check extras[] = {
	{ "the machine's GPU", gpu_is_known,
	  .remedy = "none that gtdbg-pci knows (Tiger Lake under i915)" },
	{ "switching the driver's hang detection off", hang_is_ours,
	  .remedy = "i915 ends what is stopped for more than 14 to 20 seconds, unless gtdbgctl runs as root with debugfs mounted and not locked",
	  .applies = gpu_is_known },
	{ "functions for BPF programs", has_bpf_functions,
	  .remedy = "reading more of a stopped thread than tracepoints show takes Linux 6.9, and a module with type information",
	  .applies = has_module },
	{ "traces, and top", trace_kernel_is_known,
	  .remedy = "they take type information of the kernel, /sys/kernel/btf/vmlinux" },
	{ "frequency in traces", has_frequency,
	  .remedy = "no driver of a GPU says it (gt_act_freq_mhz in /sys/class/drm)" },
	{ "power in traces", has_power,
	  .remedy = "the processor does not count energy, or only for root (RAPL)" },
	{ "i915's requests in traces", trace_driver_is_known,
	  .remedy = "they take type information of the driver, /sys/kernel/btf/i915",
	  .applies = gpu_is_known },
};

/* False: it does not pass. */
static bool check_run(const struct check *check, const char *otherwise)
{
	bool passes;

	if (check->applies && !check->applies())
		return true;
	passes = check->passes();
	if (passes)
		printf("ok       %s\n", check->what);
	else
		printf("%s  %s: %s\n", otherwise, check->what, check->remedy);
	return passes;
}

static bool checks_run(void)
{
	bool is_ready = true, is_spared;
	size_t i;

	for (i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		is_spared = checks[i].is_spared && checks[i].is_spared();
		if (!check_run(&checks[i], is_spared ? "without" : "missing"))
			is_ready = is_ready && is_spared;
	}
	for (i = 0; i < sizeof(extras) / sizeof(extras[0]); i++)
		check_run(&extras[i], "without");
	return is_ready;
}

int cmd_doctor(int argc, char **argv)
{
	const bool tries = argc > 1 && strcmp(argv[1], "--try") == 0;
	struct launch_options launch = { 0 };
	const char *door = NULL;
	bool is_ready;

	if (tries && argc == 3 && strncmp(argv[2], "--door=", 7) == 0 &&
	    cmd_launch_parse(argv[2], &launch))
		door = argv[2];
	if (argc > 1 + tries + !!door)
		return cmd_usage("doctor", argv[1 + tries + !!door]);
	is_ready = checks_run();
	if (tries)
		is_ready = trial_all(door);
	return is_ready ? CMD_OK : CMD_FAILED;
}
