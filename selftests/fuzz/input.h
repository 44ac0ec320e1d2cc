/* SPDX-License-Identifier: GPL-2.0-only */
/* The bytes of one input, taken one after the other; zeroes behind its end. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct input {
	const uint8_t *at;
	size_t left;
};

static inline uint64_t input_take(struct input *input, size_t bytes)
{
	uint64_t value = 0;

	if (bytes > input->left)
		bytes = input->left;
	memcpy(&value, input->at, bytes);
	input->at += bytes;
	input->left -= bytes;
	return value;
}

#endif
