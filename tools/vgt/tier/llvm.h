/* SPDX-License-Identifier: MIT */
/*
 * LLVM, through what vgt uses of its C API. It is found at run time, so that a
 * vgtd which compiles nothing does not load it, and none is needed for the build.
 * The prototypes and numbers are those of LLVM 14 (llvm-c/).
 */
#ifndef VGT_LLVM_H
#define VGT_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llvm_attribute;
struct llvm_block;
struct llvm_buffer;
struct llvm_builder;
struct llvm_context;
struct llvm_error;
struct llvm_layout;
struct llvm_machine;
struct llvm_metadata;
struct llvm_module;
struct llvm_pass_options;
struct llvm_target;
struct llvm_type;
struct llvm_value;

enum {
	LLVM_ORDER_RELAXED = 2,
	LLVM_INDEX_FUNCTION = -1,
	LLVM_VERIFY_STATUS = 2,
	LLVM_RELOCATION_PIC = 2,
	LLVM_CODE_MODEL_SMALL = 3,
	LLVM_OBJECT_FILE = 1,
};

/* LLVMIntPredicate */
enum llvm_predicate {
	LLVM_EQ = 32,
	LLVM_NE = 33,
	LLVM_UGT = 34,
	LLVM_UGE = 35,
	LLVM_ULT = 36,
	LLVM_ULE = 37,
	LLVM_SGT = 38,
	LLVM_SGE = 39,
	LLVM_SLT = 40,
	LLVM_SLE = 41,
};

/* LLVMCodeGenOptLevel */
enum llvm_level {
	LLVM_LEVEL_NONE = 0,
	LLVM_LEVEL_LESS = 1,
	LLVM_LEVELS = 2,
};

struct vgt_llvm {
#define CALL(result, name, arguments) __typeof__(result(*)arguments) name
#include "tier/llvm_calls.h"
#undef CALL
	const char *cpu, *features; /* that code is made for */
	/* LLVM's own, which nobody reads again: they are not lost when @cpu changes. */
	char *host_cpu, *host_features;
	char *triple;
	struct llvm_machine *machine[LLVM_LEVELS]; /* for one thread at a time */
	struct llvm_layout *layout; /* of all of them */
};

/*
 * Would vgt_llvm_get() find it? A child looks: the library takes 40 MiB, which this
 * process may never need. Before there are threads; false if in doubt.
 */
bool vgt_llvm_is_there(void);

/*
 * The library, loaded at the first call; NULL, with the reason in @why_out, if
 * there is none or this machine lacks what the code needs.
 */
const struct vgt_llvm *vgt_llvm_get(const char **why_out);

/* Tests: make code as for a processor that has AVX2 and no more, from here on. */
void vgt_llvm_narrow(void);
bool vgt_llvm_is_narrow(void);

/*
 * Let @work use the library: false if it gave up, as it does for want of memory by
 * ending the process, or if its stack has come to an end. What it was at stays as it is, its locks too: nobody may use
 * the library from then on, and vgt_llvm_is_broken().
 */
bool vgt_llvm_try(void (*work)(void *arg), void *arg);
bool vgt_llvm_is_broken(void);

#endif
