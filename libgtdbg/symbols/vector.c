// SPDX-License-Identifier: MIT
/* Elements of vectors by their names, as OpenCL C has them. */
#include "gtdbg_symbols.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* A half or every other one, of as many as there is room for. */
static const struct {
	const char *name;
	bool is_second, is_every_other;
} halves[] = {
	{ "lo", false, false }, { "hi", true, false },
	{ "even", false, true }, { "odd", true, true },
};

static int half_pick(const char *name, uint64_t count,
		     uint8_t out[GTDBG_VECTOR_MAX])
{
	uint8_t half = (uint8_t)((count == 3 ? 4 : count) / 2);

	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		if (strcmp(halves[i].name, name) != 0)
			continue;
		for (uint8_t k = 0; k < half; k++)
			out[k] = halves[i].is_every_other ?
				 2 * k + halves[i].is_second :
				 k + half * halves[i].is_second;
		return half ? half : -ENOENT;
	}
	return -ENOENT;
}

/* Each letter of @name is one of @letters, and says the element that has its place. */
static int letters_pick(const char *name, const char *letters, uint64_t count,
			uint8_t out[GTDBG_VECTOR_MAX])
{
	size_t len = strlen(name);

	if (!len || len > GTDBG_VECTOR_MAX || (len > 4 && len != 8 && len != 16))
		return -ENOENT;
	for (size_t i = 0; i < len; i++) {
		const char *found = strchr(letters, name[i]);

		if (!found || (uint64_t)(found - letters) >= count)
			return -ENOENT;
		out[i] = (uint8_t)(found - letters);
	}
	return (int)len;
}

int gtdbg_vector_components(const struct gtdbg_type *type, const char *name,
			    uint8_t out[GTDBG_VECTOR_MAX])
{
	char digits[GTDBG_VECTOR_MAX + 1];
	size_t i;
	int ret;

	if (type->kind != GTDBG_TYPE_VECTOR || type->count > GTDBG_VECTOR_MAX)
		return -ENOENT;
	ret = half_pick(name, type->count, out);
	if (ret < 0)
		ret = letters_pick(name, "xyzw", type->count, out);
	if (ret < 0)
		ret = letters_pick(name, "rgba", type->count, out);
	if (ret >= 0 || (name[0] != 's' && name[0] != 'S') ||
	    strlen(name) > GTDBG_VECTOR_MAX + 1)
		return ret;
	for (i = 0; name[i + 1]; i++)
		digits[i] = name[i + 1] >= 'A' && name[i + 1] <= 'F' ?
			    (char)(name[i + 1] - 'A' + 'a') : name[i + 1];
	digits[i] = 0;
	return letters_pick(digits, "0123456789abcdef", type->count, out);
}
