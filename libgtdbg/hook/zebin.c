// SPDX-License-Identifier: MIT
/* Kernels of a module's ELF: each has its code in a section .text.NAME. */
#include "hook.h"

#include <elf.h>
#include <string.h>

#define CONTAINER "Intel_Symbol_Table_Void_Program"

static bool in_file(uint64_t offset, uint64_t len, size_t file_len)
{
	return offset <= file_len && len <= file_len - offset;
}

static bool file_is_sane(const char *elf, size_t len, Elf64_Ehdr *header)
{
	if (len < sizeof(*header) || memcmp(elf, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(header, elf, sizeof(*header));
	return header->e_shentsize == sizeof(Elf64_Shdr) &&
	       header->e_shstrndx < header->e_shnum &&
	       in_file(header->e_shoff,
		       (uint64_t)header->e_shnum * sizeof(Elf64_Shdr), len);
}

static const char *section_name(const char *elf, size_t len,
				const Elf64_Shdr *names,
				const Elf64_Shdr *section)
{
	uint64_t at = names->sh_offset + section->sh_name;

	if (!in_file(names->sh_offset, names->sh_size, len) ||
	    section->sh_name >= names->sh_size ||
	    !memchr(elf + at, 0, names->sh_size - section->sh_name))
		return "";
	return elf + at;
}

bool gtdbg_hook_zebin_kernels(const struct gtdbg_hook_kernel *module,
			      void (*add)(const struct gtdbg_hook_kernel *))
{
	struct gtdbg_hook_kernel kernel = *module;
	const char *elf = module->elf;
	size_t len = module->elf_len_bytes;
	Elf64_Shdr section, names;
	Elf64_Ehdr header;
	bool found = false;
	int i;

	if (!elf || !file_is_sane(elf, len, &header))
		return false;
	memcpy(&names, elf + header.e_shoff +
	       header.e_shstrndx * sizeof(names), sizeof(names));
	for (i = 0; i < header.e_shnum; i++) {
		const char *name;

		memcpy(&section, elf + header.e_shoff + i * sizeof(section),
		       sizeof(section));
		name = section_name(elf, len, &names, &section);
		if (strncmp(name, ".text.", 6) != 0 ||
		    strcmp(name + 6, CONTAINER) == 0 ||
		    !in_file(section.sh_offset, section.sh_size, len))
			continue;
		kernel.name = name + 6;
		kernel.isa = elf + section.sh_offset;
		kernel.isa_len_bytes = section.sh_size;
		add(&kernel);
		found = true;
	}
	return found;
}
