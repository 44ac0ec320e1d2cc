// SPDX-License-Identifier: MIT
/* libFuzzer target for the reader of core files. */
#include "exercise.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	exercise_core(data, size);
	return 0;
}
