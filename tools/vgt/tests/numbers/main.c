// SPDX-License-Identifier: MIT
/* usage: numbers [VALUES [BUILD-OPTIONS]] */
#include "numbers.h"
#include "tap.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
	struct numbers *numbers = numbers_create();

	if (argc > 1)
		value_samples = strtoul(argv[1], NULL, 0) & ~15UL;
	if (argc > 2)
		numbers_options = argv[2];
	convert_run(numbers);
	math_run(numbers);
	numbers_destroy(numbers);
	return tap_finish();
}
