/* SPDX-License-Identifier: MIT */
/*
 * LLVM, through what vgt uses of its C API. It is found at run time, so that a
 * vgtd which compiles nothing does not load it, and none is needed for the build.
 * The prototypes and numbers are those of LLVM 14 (llvm-c/).
 */
#ifndef VGT_LLVM_H
#define VGT_LLVM_H

#include <stddef.h>
#include <stdint.h>

struct llvm_attribute;
struct llvm_block;
struct llvm_builder;
struct llvm_context;
struct llvm_engine;
struct llvm_error;
struct llvm_metadata;
struct llvm_module;
struct llvm_pass_options;
struct llvm_type;
struct llvm_value;

enum {
	LLVM_ORDER_RELAXED = 2,
	LLVM_INDEX_FUNCTION = -1,
	LLVM_VERIFY_STATUS = 2,
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

/* LLVMMCJITCompilerOptions */
struct llvm_jit_options {
	unsigned int level;
	int code_model;
	int no_frame_pointer, fast_selection;
	void *memory;
};

#define VGT_LLVM_BINARY(X, name)					\
	X(struct llvm_value *, Build##name,				\
	  (struct llvm_builder *, struct llvm_value *,			\
	   struct llvm_value *, const char *))

#define VGT_LLVM_CAST(X, name)						\
	X(struct llvm_value *, Build##name,				\
	  (struct llvm_builder *, struct llvm_value *,			\
	   struct llvm_type *, const char *))

/* X(result, name without "LLVM", arguments) */
#define VGT_LLVM_CALLS(X)						\
	X(struct llvm_context *, ContextCreate, (void))			\
	X(void, ContextDispose, (struct llvm_context *))		\
	X(struct llvm_module *, ModuleCreateWithNameInContext,		\
	  (const char *, struct llvm_context *))			\
	X(void, DisposeModule, (struct llvm_module *))			\
	X(struct llvm_builder *, CreateBuilderInContext,		\
	  (struct llvm_context *))					\
	X(void, DisposeBuilder, (struct llvm_builder *))		\
	X(struct llvm_type *, IntTypeInContext,				\
	  (struct llvm_context *, unsigned int))			\
	X(struct llvm_type *, FloatTypeInContext,			\
	  (struct llvm_context *))					\
	X(struct llvm_type *, VectorType,				\
	  (struct llvm_type *, unsigned int))				\
	X(struct llvm_type *, PointerType,				\
	  (struct llvm_type *, unsigned int))				\
	X(struct llvm_type *, FunctionType,				\
	  (struct llvm_type *, struct llvm_type **, unsigned int, int))	\
	X(struct llvm_type *, TypeOf, (struct llvm_value *))		\
	X(struct llvm_value *, AddFunction,				\
	  (struct llvm_module *, const char *, struct llvm_type *))	\
	X(struct llvm_value *, GetParam,				\
	  (struct llvm_value *, unsigned int))				\
	X(struct llvm_block *, AppendBasicBlockInContext,		\
	  (struct llvm_context *, struct llvm_value *, const char *))	\
	X(void, PositionBuilderAtEnd,					\
	  (struct llvm_builder *, struct llvm_block *))			\
	X(struct llvm_value *, ConstInt,				\
	  (struct llvm_type *, unsigned long long, int))		\
	X(struct llvm_value *, ConstVector,				\
	  (struct llvm_value **, unsigned int))				\
	X(struct llvm_value *, ConstNull, (struct llvm_type *))		\
	X(struct llvm_value *, ConstAllOnes, (struct llvm_type *))	\
	X(struct llvm_value *, ConstIntToPtr,				\
	  (struct llvm_value *, struct llvm_type *))			\
	X(struct llvm_value *, GetUndef, (struct llvm_type *))		\
	X(struct llvm_value *, BuildAlloca,				\
	  (struct llvm_builder *, struct llvm_type *, const char *))	\
	X(struct llvm_value *, BuildLoad2,				\
	  (struct llvm_builder *, struct llvm_type *,			\
	   struct llvm_value *, const char *))				\
	X(struct llvm_value *, BuildStore,				\
	  (struct llvm_builder *, struct llvm_value *,			\
	   struct llvm_value *))					\
	X(struct llvm_value *, BuildGEP2,				\
	  (struct llvm_builder *, struct llvm_type *,			\
	   struct llvm_value *, struct llvm_value **, unsigned int,	\
	   const char *))						\
	X(void, SetAlignment, (struct llvm_value *, unsigned int))	\
	X(void, SetOrdering, (struct llvm_value *, int))		\
	VGT_LLVM_BINARY(X, Add)						\
	VGT_LLVM_BINARY(X, Sub)						\
	VGT_LLVM_BINARY(X, Mul)						\
	VGT_LLVM_BINARY(X, And)						\
	VGT_LLVM_BINARY(X, Or)						\
	VGT_LLVM_BINARY(X, Xor)						\
	VGT_LLVM_BINARY(X, Shl)						\
	VGT_LLVM_BINARY(X, LShr)					\
	VGT_LLVM_BINARY(X, AShr)					\
	VGT_LLVM_CAST(X, Trunc)						\
	VGT_LLVM_CAST(X, ZExt)						\
	VGT_LLVM_CAST(X, SExt)						\
	VGT_LLVM_CAST(X, BitCast)					\
	X(struct llvm_value *, BuildICmp,				\
	  (struct llvm_builder *, int, struct llvm_value *,		\
	   struct llvm_value *, const char *))				\
	X(struct llvm_value *, BuildSelect,				\
	  (struct llvm_builder *, struct llvm_value *,			\
	   struct llvm_value *, struct llvm_value *, const char *))	\
	X(struct llvm_value *, BuildExtractElement,			\
	  (struct llvm_builder *, struct llvm_value *,			\
	   struct llvm_value *, const char *))				\
	X(struct llvm_value *, BuildInsertElement,			\
	  (struct llvm_builder *, struct llvm_value *,			\
	   struct llvm_value *, struct llvm_value *, const char *))	\
	X(struct llvm_value *, BuildShuffleVector,			\
	  (struct llvm_builder *, struct llvm_value *,			\
	   struct llvm_value *, struct llvm_value *, const char *))	\
	X(struct llvm_value *, BuildCall2,				\
	  (struct llvm_builder *, struct llvm_type *,			\
	   struct llvm_value *, struct llvm_value **, unsigned int,	\
	   const char *))						\
	X(struct llvm_value *, BuildBr,					\
	  (struct llvm_builder *, struct llvm_block *))			\
	X(struct llvm_value *, BuildCondBr,				\
	  (struct llvm_builder *, struct llvm_value *,			\
	   struct llvm_block *, struct llvm_block *))			\
	X(struct llvm_value *, BuildRet,				\
	  (struct llvm_builder *, struct llvm_value *))			\
	X(unsigned int, LookupIntrinsicID, (const char *, size_t))	\
	X(struct llvm_value *, GetIntrinsicDeclaration,			\
	  (struct llvm_module *, unsigned int, struct llvm_type **,	\
	   size_t))							\
	X(struct llvm_type *, IntrinsicGetType,				\
	  (struct llvm_context *, unsigned int, struct llvm_type **,	\
	   size_t))							\
	X(struct llvm_metadata *, MDStringInContext2,			\
	  (struct llvm_context *, const char *, size_t))		\
	X(struct llvm_value *, MetadataAsValue,				\
	  (struct llvm_context *, struct llvm_metadata *))		\
	X(struct llvm_attribute *, CreateStringAttribute,		\
	  (struct llvm_context *, const char *, unsigned int,		\
	   const char *, unsigned int))					\
	X(struct llvm_attribute *, CreateEnumAttribute,			\
	  (struct llvm_context *, unsigned int, uint64_t))		\
	X(unsigned int, GetEnumAttributeKindForName,			\
	  (const char *, size_t))					\
	X(void, AddAttributeAtIndex,					\
	  (struct llvm_value *, unsigned int, struct llvm_attribute *))	\
	X(int, VerifyModule, (struct llvm_module *, int, char **))	\
	X(char *, PrintModuleToString, (struct llvm_module *))		\
	X(struct llvm_pass_options *, CreatePassBuilderOptions, (void))	\
	X(void, DisposePassBuilderOptions, (struct llvm_pass_options *))\
	X(struct llvm_error *, RunPasses,				\
	  (struct llvm_module *, const char *, void *,			\
	   struct llvm_pass_options *))					\
	X(void, ConsumeError, (struct llvm_error *))			\
	X(void, LinkInMCJIT, (void))					\
	X(void, InitializeX86TargetInfo, (void))			\
	X(void, InitializeX86Target, (void))				\
	X(void, InitializeX86TargetMC, (void))				\
	X(void, InitializeX86AsmPrinter, (void))			\
	X(void, InitializeMCJITCompilerOptions,				\
	  (struct llvm_jit_options *, size_t))				\
	X(int, CreateMCJITCompilerForModule,				\
	  (struct llvm_engine **, struct llvm_module *,			\
	   struct llvm_jit_options *, size_t, char **))			\
	X(uint64_t, GetFunctionAddress,					\
	  (struct llvm_engine *, const char *))				\
	X(int, RemoveModule,						\
	  (struct llvm_engine *, struct llvm_module *,			\
	   struct llvm_module **, char **))				\
	X(void, DisposeExecutionEngine, (struct llvm_engine *))		\
	X(char *, GetHostCPUName, (void))				\
	X(char *, GetHostCPUFeatures, (void))				\
	X(void, DisposeMessage, (char *))

struct vgt_llvm {
#define VGT_LLVM_MEMBER(result, name, arguments) result (*name) arguments;
	VGT_LLVM_CALLS(VGT_LLVM_MEMBER)
#undef VGT_LLVM_MEMBER
	const char *cpu, *features; /* of the host */
};

/*
 * The library, loaded at the first call; NULL, with the reason in @why_out, if
 * there is none or this machine lacks what the code needs.
 */
const struct vgt_llvm *vgt_llvm_get(const char **why_out);

#endif
