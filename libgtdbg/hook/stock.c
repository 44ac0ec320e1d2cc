// SPDX-License-Identifier: MIT
/*
 * Intel's system routines. The runtime gets them from the compiler, which has them
 * among its constants; there they are looked for, so that the very same code can be
 * loaded by way of a file, with a header of ours.
 */
#include "hook.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#define COMPILER "libigc.so.1"
#define CRC32_POLYNOMIAL 0xedb88320u

struct stock {
	uint32_t first[4]; /* its first instruction: a constant says which one it is */
	size_t len_bytes;
	uint32_t crc;
};

/* Those for Gen12LP of IGC 1.0.12504.6; the module knows the first one by its code. */
static const struct stock stocks[] = {
	[GTDBG_HOOK_STOCK_BINDFUL] = {
		{ 0x80000061, 0x00014220, 0, 0x1243 }, 12608, 0x6c23ed4e,
	},
	[GTDBG_HOOK_STOCK_BINDLESS] = {
		{ 0x80000061, 0x00014220, 0, 0x1247 }, 13120, 0x3a8f8b5f,
	},
};

struct search {
	const struct stock *stock;
	const uint8_t *found;
};

static uint32_t crc32(const uint8_t *bytes, size_t len)
{
	uint32_t crc = ~0u;
	int bit;

	while (len--) {
		crc ^= *bytes++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? CRC32_POLYNOMIAL : 0);
	}
	return ~crc;
}

static bool segment_search(struct search *search, const uint8_t *at, size_t len)
{
	const struct stock *stock = search->stock;
	const uint8_t *end = at + len;

	while ((at = memmem(at, end - at, stock->first, sizeof(stock->first)))) {
		if ((size_t)(end - at) < stock->len_bytes)
			return false;
		if (crc32(at, stock->len_bytes) == stock->crc) {
			search->found = at;
			return true;
		}
		at++;
	}
	return false;
}

/* Constants are what may be read and nothing else. */
static int library_search(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *name = strrchr(info->dlpi_name, '/');
	const Elf64_Phdr *segment;
	int i;

	(void)size;
	if (strcmp(name ? name + 1 : info->dlpi_name, COMPILER) != 0)
		return 0;
	for (i = 0; i < info->dlpi_phnum; i++) {
		segment = &info->dlpi_phdr[i];
		if (segment->p_type == PT_LOAD && segment->p_flags == PF_R &&
		    segment_search(data, (const uint8_t *)info->dlpi_addr +
				   segment->p_vaddr, segment->p_filesz))
			return 1;
	}
	return 0;
}

/* The compiler stays loaded: as the runtime does it, that soon wants it. */
int gtdbg_hook_stock_find(enum gtdbg_hook_stock stock, const void **code_out,
			  size_t *len_bytes_out)
{
	struct search search = { .stock = &stocks[stock] };

	if (!dlopen(COMPILER, RTLD_LAZY | RTLD_DEEPBIND))
		return -ENOENT;
	dl_iterate_phdr(library_search, &search);
	if (!search.found)
		return -EOPNOTSUPP;
	*code_out = search.found;
	*len_bytes_out = search.stock->len_bytes;
	return 0;
}
