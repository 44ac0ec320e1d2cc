// SPDX-License-Identifier: MIT
/*
 * Each function that the loader has, called with nothing: those that a debugger needs miss
 * their handle or pointer, and all others say that they are not supported. Prints TAP.
 * usage: entries DRIVER <NAMES
 */
#include "../../tests/support/tap.h"

#include <level_zero/ze_api.h>
#include <level_zero/zet_api.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 128
/* Those of the loader 1.8; later ones have more. */
#define FUNCTIONS_MIN 250

/* As many as any of them takes; the caller cleans up. */
typedef ze_result_t (*function_t)(uintptr_t a, uintptr_t b, uintptr_t c,
				  uintptr_t d, uintptr_t e, uintptr_t f,
				  uintptr_t g, uintptr_t h, uintptr_t i,
				  uintptr_t j);

/* What they say when they are given nothing. */
static const struct {
	const char *name;
	ze_result_t expected;
} supported[] = {
	{ "zeInit", ZE_RESULT_SUCCESS },
	{ "zeDriverGet", ZE_RESULT_ERROR_INVALID_NULL_POINTER },
	{ "zeDriverGetApiVersion", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zeDriverGetProperties", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zeDriverGetExtensionProperties",
	  ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zeDriverGetExtensionFunctionAddress",
	  ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zeDeviceGet", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zeDeviceGetSubDevices", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zeDeviceGetProperties", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zeDeviceGetStatus", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zeDevicePciGetPropertiesExt", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDeviceGetDebugProperties", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugAttach", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugDetach", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugReadEvent", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugAcknowledgeEvent", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugInterrupt", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugResume", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugReadMemory", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugWriteMemory", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugReadRegisters", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugWriteRegisters", ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
	{ "zetDebugGetRegisterSetProperties",
	  ZE_RESULT_ERROR_INVALID_NULL_HANDLE },
};

#define SUPPORTED (sizeof(supported) / sizeof(supported[0]))

static ze_result_t expected_of(const char *name, unsigned int *found)
{
	size_t i;

	for (i = 0; i < SUPPORTED; i++) {
		if (strcmp(supported[i].name, name) == 0) {
			++*found;
			return supported[i].expected;
		}
	}
	return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

/* Those of the above that this loader has: an older one lacks some. */
static unsigned int known_count(void)
{
	unsigned int count = 0;

	for (size_t i = 0; i < SUPPORTED; i++)
		count += dlsym(RTLD_DEFAULT, supported[i].name) != NULL;
	return count;
}

static bool answers(function_t function, const char *name, unsigned int *found)
{
	ze_result_t expected = expected_of(name, found);
	ze_result_t result = function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

	if (result == expected)
		return true;
	printf("# %s: 0x%x instead of 0x%x\n", name, result, expected);
	return false;
}

int main(int argc, char **argv)
{
	unsigned int count = 0, right = 0, found = 0;
	char name[NAME_MAX_BYTES];
	function_t function;

	if (argc < 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("ZE_ENABLE_ALT_DRIVERS", argv[1], 1);
	tap_check(!zeInit(0), "the driver alone");
	while (scanf("%127s", name) == 1) {
		function = (function_t)dlsym(RTLD_DEFAULT, name);
		if (!function)
			continue;
		count++;
		right += answers(function, name, &found);
	}
	printf("# %u functions\n", count);
	tap_check(count >= FUNCTIONS_MIN, "the loader's functions are called");
	tap_check(right == count, "each has the result that is specified");
	tap_check(found && found == known_count(), "and those for debuggers are among them");
	return tap_end();
}
