// SPDX-License-Identifier: MIT
/*
 * A libigfxdbgxchg64.so that says that a debugger is active and nothing else:
 * the runtime then compiles with debug information and sets the EUs up.
 * EU_TEST_OPTIMISE=1 keeps the compiler's optimisation on.
 */
#include <stdint.h>
#include <stdlib.h>

#define HOOK __attribute__((visibility("default")))

struct option {
	uint32_t version, name, length;
	uint32_t padding;
	char *value;
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

HOOK int notifyKernelDebugData(void *kernel)
{
	(void)kernel;
	return 0;
}
