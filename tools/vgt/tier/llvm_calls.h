/* SPDX-License-Identifier: MIT */
/*
 * The functions of LLVM's C API that vgt uses: CALL(result, name without
 * "LLVM", arguments). Whoever includes this says what to do with each.
 */
CALL(struct llvm_context *, ContextCreate, (void));
CALL(void, ContextDispose, (struct llvm_context *));
CALL(struct llvm_module *, ModuleCreateWithNameInContext,
	(const char *, struct llvm_context *));
CALL(void, DisposeModule, (struct llvm_module *));
CALL(struct llvm_builder *, CreateBuilderInContext,
	(struct llvm_context *));
CALL(void, DisposeBuilder, (struct llvm_builder *));
CALL(struct llvm_type *, IntTypeInContext,
	(struct llvm_context *, unsigned int));
CALL(struct llvm_type *, HalfTypeInContext,
	(struct llvm_context *));
CALL(struct llvm_type *, FloatTypeInContext,
	(struct llvm_context *));
CALL(struct llvm_type *, DoubleTypeInContext,
	(struct llvm_context *));
CALL(struct llvm_type *, VectorType,
	(struct llvm_type *, unsigned int));
CALL(struct llvm_type *, PointerType,
	(struct llvm_type *, unsigned int));
CALL(struct llvm_type *, FunctionType,
	(struct llvm_type *, struct llvm_type **, unsigned int, int));
CALL(struct llvm_type *, TypeOf, (struct llvm_value *));
CALL(struct llvm_value *, AddFunction,
	(struct llvm_module *, const char *, struct llvm_type *));
CALL(struct llvm_value *, GetParam,
	(struct llvm_value *, unsigned int));
CALL(struct llvm_block *, AppendBasicBlockInContext,
	(struct llvm_context *, struct llvm_value *, const char *));
CALL(void, PositionBuilderAtEnd,
	(struct llvm_builder *, struct llvm_block *));
CALL(struct llvm_value *, ConstInt,
	(struct llvm_type *, unsigned long long, int));
CALL(struct llvm_value *, ConstVector,
	(struct llvm_value **, unsigned int));
CALL(struct llvm_value *, ConstNull, (struct llvm_type *));
CALL(struct llvm_value *, ConstAllOnes, (struct llvm_type *));
CALL(struct llvm_value *, GetUndef, (struct llvm_type *));
CALL(struct llvm_value *, BuildAlloca,
	(struct llvm_builder *, struct llvm_type *, const char *));
CALL(struct llvm_value *, BuildLoad2,
	(struct llvm_builder *, struct llvm_type *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildStore,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *));
CALL(struct llvm_value *, BuildGEP2,
	(struct llvm_builder *, struct llvm_type *,
	struct llvm_value *, struct llvm_value **, unsigned int,
	const char *));
CALL(void, SetAlignment, (struct llvm_value *, unsigned int));
CALL(void, SetOrdering, (struct llvm_value *, int));
CALL(void, SetVolatile, (struct llvm_value *, int));
CALL(struct llvm_value *, BuildAdd,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildSub,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildMul,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildAnd,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildOr,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildXor,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildShl,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildLShr,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildAShr,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildTrunc,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_type *, const char *));
CALL(struct llvm_value *, BuildZExt,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_type *, const char *));
CALL(struct llvm_value *, BuildSExt,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_type *, const char *));
CALL(struct llvm_value *, BuildBitCast,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_type *, const char *));
CALL(struct llvm_value *, BuildICmp,
	(struct llvm_builder *, int, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildSelect,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildExtractElement,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildInsertElement,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildShuffleVector,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_value *, struct llvm_value *, const char *));
CALL(struct llvm_value *, BuildCall2,
	(struct llvm_builder *, struct llvm_type *,
	struct llvm_value *, struct llvm_value **, unsigned int,
	const char *));
CALL(struct llvm_value *, BuildBr,
	(struct llvm_builder *, struct llvm_block *));
CALL(struct llvm_value *, BuildCondBr,
	(struct llvm_builder *, struct llvm_value *,
	struct llvm_block *, struct llvm_block *));
CALL(struct llvm_value *, BuildRet,
	(struct llvm_builder *, struct llvm_value *));
CALL(unsigned int, LookupIntrinsicID, (const char *, size_t));
CALL(struct llvm_value *, GetIntrinsicDeclaration,
	(struct llvm_module *, unsigned int, struct llvm_type **,
	size_t));
CALL(struct llvm_type *, IntrinsicGetType,
	(struct llvm_context *, unsigned int, struct llvm_type **,
	size_t));
CALL(struct llvm_metadata *, MDStringInContext2,
	(struct llvm_context *, const char *, size_t));
CALL(struct llvm_value *, MetadataAsValue,
	(struct llvm_context *, struct llvm_metadata *));
CALL(struct llvm_attribute *, CreateStringAttribute,
	(struct llvm_context *, const char *, unsigned int,
	const char *, unsigned int));
CALL(struct llvm_attribute *, CreateEnumAttribute,
	(struct llvm_context *, unsigned int, uint64_t));
CALL(unsigned int, GetEnumAttributeKindForName,
	(const char *, size_t));
CALL(void, AddAttributeAtIndex,
	(struct llvm_value *, unsigned int, struct llvm_attribute *));
CALL(int, VerifyModule, (struct llvm_module *, int, char **));
CALL(struct llvm_pass_options *, CreatePassBuilderOptions, (void));
CALL(void, DisposePassBuilderOptions, (struct llvm_pass_options *));
CALL(struct llvm_error *, RunPasses,
	(struct llvm_module *, const char *, void *,
	struct llvm_pass_options *));
CALL(void, ConsumeError, (struct llvm_error *));
CALL(void, InitializeX86TargetInfo, (void));
CALL(void, InitializeX86Target, (void));
CALL(void, InitializeX86TargetMC, (void));
CALL(void, InitializeX86AsmPrinter, (void));
CALL(char *, GetDefaultTargetTriple, (void));
CALL(int, GetTargetFromTriple,
	(const char *, struct llvm_target **, char **));
CALL(struct llvm_machine *, CreateTargetMachine,
	(struct llvm_target *, const char *, const char *, const char *,
	int, int, int));
CALL(struct llvm_layout *, CreateTargetDataLayout,
	(struct llvm_machine *));
CALL(void, SetTarget, (struct llvm_module *, const char *));
CALL(void, SetModuleDataLayout,
	(struct llvm_module *, struct llvm_layout *));
CALL(int, TargetMachineEmitToMemoryBuffer,
	(struct llvm_machine *, struct llvm_module *, int, char **,
	struct llvm_buffer **));
CALL(const char *, GetBufferStart, (struct llvm_buffer *));
CALL(size_t, GetBufferSize, (struct llvm_buffer *));
CALL(void, DisposeMemoryBuffer, (struct llvm_buffer *));
CALL(char *, GetHostCPUName, (void));
CALL(char *, GetHostCPUFeatures, (void));
CALL(void, DisposeMessage, (char *));
CALL(void, InstallFatalErrorHandler, (void (*)(const char *)));
