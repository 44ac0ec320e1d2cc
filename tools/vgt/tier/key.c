// SPDX-License-Identifier: MIT
#include "tier/key.h"

#include "host/hash.h"
#include "tier/content.h"
#include "tier/llvm.h"

#include <cpuid.h>
#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_BYTES 20
#define CPU_WORDS 12
#define WORDS 64 /* of a key that have one word before them, with a bit for each */

/* What decides which code is made of the same instructions. */
struct maker {
	uint8_t build[BUILD_BYTES]; /* ID of this program, of its text and its structures */
	uint32_t cpu[CPU_WORDS];
	uint32_t narrow; /* vgt_llvm_is_narrow() */
	uint32_t masks, level;
};

static struct maker maker;
static uintptr_t program; /* where this one is loaded */

static bool take_build(const uint8_t *note, size_t bytes)
{
	const Elf64_Nhdr *header;
	size_t name, value;

	while (bytes >= sizeof(*header)) {
		header = (const void *)note;
		name = (header->n_namesz + 3UL) & ~3UL;
		value = (header->n_descsz + 3UL) & ~3UL;
		if (name + value > bytes - sizeof(*header))
			return false;
		note += sizeof(*header);
		if (header->n_type == NT_GNU_BUILD_ID &&
		    header->n_descsz == BUILD_BYTES) {
			memcpy(maker.build, note + name, BUILD_BYTES);
			return true;
		}
		note += name + value;
		bytes -= sizeof(*header) + name + value;
	}
	return false;
}

/* The first object is the program itself. */
static int find_build(struct dl_phdr_info *info, size_t size, void *found)
{
	(void)size;
	program = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE &&
		    take_build((const uint8_t *)info->dlpi_addr +
			       info->dlpi_phdr[i].p_vaddr,
			       info->dlpi_phdr[i].p_filesz))
			*(bool *)found = true;
	return 1;
}

/* All that LLVM could choose instructions by; not which of the CPUs this one is. */
static void find_cpu(void)
{
	uint32_t a, b, c, d, *out = maker.cpu;

	if (__get_cpuid(1, &a, &b, &c, &d)) {
		*out++ = a;
		*out++ = c;
		*out++ = d;
		if (c & bit_OSXSAVE) {
			__asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
			*out++ = a;
		}
	}
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
		*out++ = b;
		*out++ = c;
		*out++ = d;
	}
	if (__get_cpuid_count(7, 1, &a, &b, &c, &d))
		*out++ = a;
	if (__get_cpuid_count(0xd, 1, &a, &b, &c, &d))
		*out++ = a;
	if (__get_cpuid(0x80000001, &a, &b, &c, &d)) {
		*out++ = c;
		*out++ = d;
	}
}

bool vgt_key_start(void)
{
	bool found = false;

	dl_iterate_phdr(find_build, &found);
	find_cpu();
	return found;
}

/* Handlers are where they are in this program, wherever it is loaded. */
static void settle(struct vgt_graph *graph)
{
	for (uint32_t i = 0; i < graph->count; i++) {
		struct vgt_inst *inst = &graph->node[i].inst;

		inst->exec = (vgt_exec)((uintptr_t)inst->exec - program);
		if (inst->plain)
			inst->plain = (vgt_exec)((uintptr_t)inst->plain - program);
	}
}

/*
 * Each word that is not zero, and before each WORDS of them which ones these are: two keys
 * are the same if these are. @out has room for all of them.
 */
static size_t pack(const uint8_t *plain, size_t words, uint8_t *out)
{
	uint64_t word, which = 0;
	size_t at = 0, head = 0;

	for (size_t i = 0; i < words; i++) {
		if (i % WORDS == 0) {
			which = 0;
			head = at;
			at += sizeof(which);
			memset(out + head, 0, sizeof(which));
		}
		memcpy(&word, plain + i * sizeof(word), sizeof(word));
		if (!word)
			continue;
		which |= 1ULL << i % WORDS;
		memcpy(out + head, &which, sizeof(which));
		memcpy(out + at, &word, sizeof(word));
		at += sizeof(word);
	}
	return at;
}

bool vgt_key_init(struct vgt_key *key, const struct vgt_content *content)
{
	struct maker own = maker;
	struct vgt_graph *graph;
	size_t bytes, words;
	uint8_t *plain;

	graph = vgt_graph_copy(content->graph, &bytes);
	words = (sizeof(own) + bytes + 7) / 8;
	plain = graph ? calloc(words, 8) : NULL;
	key->bytes = plain ? calloc(words + words / WORDS + 1, 8) : NULL;
	if (key->bytes) {
		own.narrow = vgt_llvm_is_narrow();
		own.masks = content->masks;
		own.level = content->level;
		settle(graph);
		memcpy(plain, &own, sizeof(own));
		memcpy(plain + sizeof(own), graph, bytes);
		key->count = pack(plain, words, key->bytes);
		snprintf(key->name, sizeof(key->name), "%016" PRIx64 VGT_KEY_SUFFIX,
			 vgt_hash(VGT_HASH_START, key->bytes, key->count));
	}
	vgt_graph_destroy(graph);
	free(plain);
	return key->bytes;
}

void vgt_key_fini(struct vgt_key *key)
{
	free(key->bytes);
}

bool vgt_key_has_name(const char *name)
{
	return strspn(name, "0123456789abcdef") == 16 &&
	       !strcmp(name + 16, VGT_KEY_SUFFIX);
}
