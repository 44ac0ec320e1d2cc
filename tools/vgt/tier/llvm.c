// SPDX-License-Identifier: MIT
#include "tier/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static struct vgt_llvm llvm;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
	const char *name;
	size_t offset;
} calls[] = {
#define ENTRY(result, name, arguments) \
	{ "LLVM" #name, offsetof(struct vgt_llvm, name) },
	VGT_LLVM_CALLS(ENTRY)
};

static bool find_calls(void *library)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		void **slot = (void **)((char *)&llvm + calls[i].offset);

		*slot = dlsym(library, calls[i].name);
		if (!*slot)
			return false;
	}
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
