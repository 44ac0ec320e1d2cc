// SPDX-License-Identifier: MIT
#include "tier/llvm.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct vgt_llvm llvm;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool is_broken;
static _Thread_local sigjmp_buf *way_out; /* of who uses the library */

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

/* An allocation that fails ends in abort(), be it by an exception that nobody catches. */
static void aborted(int signal_number)
{
	give_up(NULL);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void watch(void)
{
	struct sigaction action = { .sa_handler = aborted };

	sigemptyset(&action.sa_mask);
	sigaction(SIGABRT, &action, NULL);
	llvm.InstallFatalErrorHandler(give_up);
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
	if (!find_calls(library)) {
		failure = "libLLVM-14.so.1 lacks a function";
		return;
	}
	llvm.LinkInMCJIT();
	llvm.InitializeX86TargetInfo();
	llvm.InitializeX86Target();
	llvm.InitializeX86TargetMC();
	llvm.InitializeX86AsmPrinter();
	llvm.cpu = llvm.GetHostCPUName();
	llvm.features = llvm.GetHostCPUFeatures();
	watch();
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

bool vgt_llvm_try(void (*work)(void *arg), void *arg)
{
	sigjmp_buf here;

	if (sigsetjmp(here, 1)) {
		way_out = NULL;
		atomic_store(&is_broken, true);
		return false;
	}
	way_out = &here;
	work(arg);
	way_out = NULL;
	return true;
}

bool vgt_llvm_is_broken(void)
{
	return atomic_load(&is_broken);
}
