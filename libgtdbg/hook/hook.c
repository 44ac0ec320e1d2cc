// SPDX-License-Identifier: MIT
/*
 * The calls of the runtime, in its interface's own names and layouts (version
 * 4). Its pointers are valid during a call only, and each may be NULL.
 */
#include "hook.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define HOOK_API __attribute__((visibility("default")))

#define STATUS_SUCCESS		0
#define STATUS_FAILURE		(-1)
#define OPTION_IS_OPTIMIZATION_DISABLED 1

struct version {
	uint32_t number;
	uint32_t padding;
};

struct device {
	struct version version;
	uint64_t handle;
	uint64_t unified_handle;
};

struct source_code {
	struct version version;
	uint64_t device;
	const char *source;
	uint32_t source_len_bytes;
	uint32_t name_capacity;
	char *name;
};

struct option {
	uint32_t version;
	uint32_t name;
	uint32_t value_len_bytes;
	uint32_t padding;
	char *value;
};

struct kernel {
	struct version version;
	uint64_t device;
	uint64_t program;
	const char *name;
	const void *isa;
	uint32_t isa_len_bytes;
	uint32_t padding0;
	const void *visa;
	uint32_t visa_len_bytes;
	uint32_t padding1;
	const void *gen;
	uint32_t gen_len_bytes;
	uint32_t padding2;
};

_Static_assert(sizeof(struct source_code) == 40, "interface");
_Static_assert(sizeof(struct option) == 24, "interface");
_Static_assert(sizeof(struct kernel) == 80, "interface");

HOOK_API int isDebuggerActive(void);
HOOK_API int init(void *capabilities);
HOOK_API int notifyNewDevice(struct device *device);
HOOK_API int notifyDeviceDestruction(struct device *device);
HOOK_API int notifySourceCode(struct source_code *code);
HOOK_API int getDebuggerOption(struct option *option);
HOOK_API int notifyKernelDebugData(struct kernel *kernel);

int isDebuggerActive(void)
{
	const struct gtdbg_hook_config *config = gtdbg_hook_config_get();
	char where[64];
	int ret;

	if (config->bad_line) {
		snprintf(where, sizeof(where), "line %u of %s",
			 config->bad_line, GTDBG_HOOK_CONFIG_FILE);
		gtdbg_hook_complain(-EINVAL, where);
		return 0;
	}
	if (!config->is_active)
		return 0;
	ret = gtdbg_hook_vgtd_start(config);
	if (ret) {
		gtdbg_hook_complain(ret, config->vgtd);
		return 0;
	}
	ret = gtdbg_hook_client_open(config);
	if (ret) {
		gtdbg_hook_complain(ret, GTDBG_HOOK_DEVICE);
		return 0;
	}
	return 1;
}

int init(void *capabilities)
{
	(void)capabilities;
	return STATUS_SUCCESS;
}

int notifyNewDevice(struct device *device)
{
	(void)device;
	gtdbg_hook_client_device();
	return STATUS_SUCCESS;
}

int notifyDeviceDestruction(struct device *device)
{
	(void)device;
	return STATUS_SUCCESS;
}

int notifySourceCode(struct source_code *code)
{
	if (!code)
		return STATUS_FAILURE;
	gtdbg_hook_client_source(code->source,
				 code->source ? code->source_len_bytes : 0,
				 code->name, code->name_capacity);
	return STATUS_SUCCESS;
}

/* Returns 1 for "the option is set"; anything else means that it is not. */
int getDebuggerOption(struct option *option)
{
	if (!option || option->name != OPTION_IS_OPTIMIZATION_DISABLED ||
	    gtdbg_hook_config_get()->optimize)
		return 0;
	if (!option->value || !option->value_len_bytes)
		return 0;
	option->value[0] = '1';
	return 1;
}

int notifyKernelDebugData(struct kernel *kernel)
{
	struct gtdbg_hook_kernel out = { 0 };

	if (!kernel)
		return STATUS_FAILURE;
	out.name = kernel->name && kernel->name[0] ? kernel->name : "unnamed";
	out.isa = kernel->isa_len_bytes ? kernel->isa : NULL;
	out.isa_len_bytes = out.isa ? kernel->isa_len_bytes : 0;
	out.elf = kernel->visa_len_bytes ? kernel->visa : NULL;
	out.elf_len_bytes = out.elf ? kernel->visa_len_bytes : 0;
	gtdbg_hook_client_kernel(&out);
	return STATUS_SUCCESS;
}
