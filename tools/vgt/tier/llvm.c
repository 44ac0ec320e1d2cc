// SPDX-License-Identifier: MIT
#include "tier/llvm.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define NARROW_CPU "haswell"
#define STACK_BYTES 65536 /* of the handler; and so far from its end a stack has ended */

static struct vgt_llvm llvm;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool is_broken;
static bool is_narrow;
static _Thread_local sigjmp_buf *way_out; /* of who uses the library */
static void (*terminate_before)(void);
static struct sigaction fault_before;
static uintptr_t libc_first, libc_end; /* its code */

static bool find(void *library, const char *name, void *slot)
{
	void *function = dlsym(library, name);

	memcpy(slot, &function, sizeof(function));
	return function;
}

static bool find_calls(void *library)
{
	bool all = true;

#define CALL(result, name, arguments) \
	(all &= find(library, "LLVM" #name, &llvm.name))
#include "tier/llvm_calls.h"
#undef CALL
	return all;
}

static void give_up(const char *why)
{
	(void)why;
	if (way_out)
		siglongjmp(*way_out, 1);
}

static void no_memory(void *data, const char *why, bool report)
{
	(void)data;
	(void)report;
	give_up(why);
	/* LLVM does not expect this to return, and would write where there is nothing. */
	abort();
}

/* Nobody catches what LLVM's allocations throw. */
static void terminated(void)
{
	give_up(NULL);
	terminate_before();
}

/* Is this the object that has malloc()? */
static int libc_find(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t first, address = (uintptr_t)malloc;

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type != PT_LOAD ||
		    address - first >= info->dlpi_phdr[i].p_memsz)
			continue;
		libc_first = first;
		libc_end = first + info->dlpi_phdr[i].p_memsz;
		return 1;
	}
	return 0;
}

/*
 * LLVM goes as deep as the code has it, and where it is wrong, for ever. Any other
 * fault is somebody's mistake, and is met again without this handler; so is one in
 * malloc(), whose lock nobody could have any more.
 */
static void faulted(int number, siginfo_t *info, void *context)
{
	const ucontext_t *user = context;
	uintptr_t stack = user->uc_mcontext.gregs[REG_RSP];
	uintptr_t ip = user->uc_mcontext.gregs[REG_RIP];

	if ((uintptr_t)info->si_addr - stack + STACK_BYTES < 2 * STACK_BYTES &&
	    (ip < libc_first || ip >= libc_end))
		give_up(NULL);
	sigaction(number, &fault_before, NULL);
}

static bool watch_stack(void)
{
	struct sigaction action = {
		.sa_sigaction = faulted,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};

	dl_iterate_phdr(libc_find, NULL);
	return !sigaction(SIGSEGV, &action, &fault_before);
}

/*
 * What ends a process for want of memory. Not a handler of SIGABRT: a heap that was
 * found broken has to end it. These two are no part of the C API.
 */
static bool watch(void *library)
{
	void (*on_no_memory)(void (*call)(void *data, const char *why,
					  bool report), void *data);
	void (*(*on_terminate)(void (*call)(void)))(void);

	if (!watch_stack() ||
	    !find(library, "_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_",
		  &on_no_memory) ||
	    !find(library, "_ZSt13set_terminatePFvvE", &on_terminate))
		return false;
	llvm.InstallFatalErrorHandler(give_up);
	on_no_memory(no_memory, NULL);
	terminate_before = on_terminate(terminated);
	return true;
}

/* Code that may lie anywhere, and whose parts are near to each other. */
static bool create_machines(void)
{
	struct llvm_target *target;
	char *message;

	if (llvm.GetTargetFromTriple(llvm.triple, &target, &message)) {
		llvm.DisposeMessage(message);
		return false;
	}
	for (int level = 0; level < LLVM_LEVELS; level++) {
		llvm.machine[level] =
			llvm.CreateTargetMachine(target, llvm.triple, llvm.cpu,
						 llvm.features, level,
						 LLVM_RELOCATION_PIC,
						 LLVM_CODE_MODEL_SMALL);
		if (!llvm.machine[level])
			return false;
	}
	llvm.layout = llvm.CreateTargetDataLayout(llvm.machine[LLVM_LEVEL_NONE]);
	return true;
}

static void load(void)
{
	void *library;

	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
		failure = "this processor has no AVX2";
		return;
	}
	library = dlopen("libLLVM-14.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		failure = "libLLVM-14.so.1 (package libllvm14) is not there";
		return;
	}
	if (!find_calls(library) || !watch(library)) {
		failure = "libLLVM-14.so.1 lacks a function";
		return;
	}
	llvm.InitializeX86TargetInfo();
	llvm.InitializeX86Target();
	llvm.InitializeX86TargetMC();
	llvm.InitializeX86AsmPrinter();
	llvm.host_cpu = llvm.GetHostCPUName();
	llvm.host_features = llvm.GetHostCPUFeatures();
	llvm.cpu = is_narrow ? NARROW_CPU : llvm.host_cpu;
	llvm.features = is_narrow ? "" : llvm.host_features;
	llvm.triple = llvm.GetDefaultTargetTriple();
	if (!create_machines())
		failure = "libLLVM-14.so.1 makes no code for this machine";
}

bool vgt_llvm_is_there(void)
{
	int status = -1;
	pid_t child = fork();

	if (!child)
		_exit(!vgt_llvm_get(NULL));
	if (child < 0)
		return false;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

const struct vgt_llvm *vgt_llvm_get(const char **why_out)
{
	pthread_once(&once, load);
	if (!failure)
		return &llvm;
	if (why_out)
		*why_out = failure;
	return NULL;
}

void vgt_llvm_narrow(void)
{
	is_narrow = true;
	llvm.cpu = NARROW_CPU;
	llvm.features = "";
}

bool vgt_llvm_is_narrow(void)
{
	return is_narrow;
}

bool vgt_llvm_try(void (*work)(void *arg), void *arg)
{
	stack_t before, stack = {
		.ss_sp = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		.ss_size = STACK_BYTES,
	};
	sigjmp_buf here;
	bool done = false;

	if (stack.ss_sp == MAP_FAILED)
		return false;
	if (!sigaltstack(&stack, &before)) {
		if (!sigsetjmp(here, 1)) {
			way_out = &here;
			work(arg);
			done = true;
		} else {
			atomic_store(&is_broken, true);
		}
		way_out = NULL;
		sigaltstack(&before, NULL);
	}
	munmap(stack.ss_sp, STACK_BYTES);
	return done;
}

bool vgt_llvm_is_broken(void)
{
	return atomic_load(&is_broken);
}
