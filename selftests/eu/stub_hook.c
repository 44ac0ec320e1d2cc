// SPDX-License-Identifier: MIT
/*
 * A libigfxdbgxchg64.so that says that a debugger is active and nothing else:
 * the runtime then compiles with debug information and sets the EUs up.
 * EU_TEST_OPTIMISE=1 keeps the compiler's optimisation on, and EU_TEST_ELF is where
 * the last kernel's debug information goes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HOOK __attribute__((visibility("default")))

struct option {
	uint32_t version, name, length;
	uint32_t padding;
	char *value;
};

struct kernel {
	uint64_t version, device, program;
	const char *name;
	const void *isa;
	uint64_t isa_len_bytes;
	const void *elf;
	uint32_t elf_len_bytes;
};

HOOK int isDebuggerActive(void)
{
	return 1;
}

HOOK int init(void *caps)
{
	(void)caps;
	return 0;
}

HOOK int notifyNewDevice(void *device)
{
	(void)device;
	return 0;
}

HOOK int notifyDeviceDestruction(void *device)
{
	(void)device;
	return 0;
}

HOOK int notifySourceCode(void *source)
{
	(void)source;
	return -1;
}

/* The only option there is: is optimisation disabled? */
HOOK int getDebuggerOption(struct option *option)
{
	const char *optimise = getenv("EU_TEST_OPTIMISE");

	if (option->value && option->length)
		option->value[0] = optimise && *optimise == '1' ? '0' : '1';
	return 1;
}

HOOK int notifyKernelDebugData(struct kernel *kernel)
{
	const char *path = getenv("EU_TEST_ELF");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		return 0;
	fwrite(kernel->elf, 1, kernel->elf_len_bytes, file);
	fclose(file);
	return 0;
}
