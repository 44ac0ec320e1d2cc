// SPDX-License-Identifier: MIT
/* libFuzzer target for everything that reads a kernel's file. */
#include "exercise.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	exercise_symbols(data, size);
	return 0;
}
