// SPDX-License-Identifier: MIT
#include "tier/image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGN_MAX 4096
#define NOWHERE SIZE_MAX /* of a section that is not loaded */

struct object {
	const uint8_t *bytes;
	size_t count;
	const Elf64_Shdr *section;
	size_t sections;
	size_t *place; /* of each section in the image */
};

static bool refuse(const char *why)
{
	fprintf(stderr, "vgtd: a region is not compiled: its code has %s\n", why);
	return false;
}

static bool is_within(const struct object *object, const Elf64_Shdr *section)
{
	return section->sh_offset <= object->count &&
	       section->sh_size <= object->count - section->sh_offset;
}

/* What a section has, as an array of things of @size bytes; NULL if it is not there. */
static const void *contents(const struct object *object, const Elf64_Shdr *section,
			    size_t size)
{
	if (!is_within(object, section) ||
	    section->sh_offset % _Alignof(uint64_t) || section->sh_size % size)
		return NULL;
	return object->bytes + section->sh_offset;
}

static bool object_check(struct object *object)
{
	const Elf64_Ehdr *header = (const void *)object->bytes;

	if (object->count < sizeof(*header) ||
	    memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_machine != EM_X86_64 || header->e_type != ET_REL ||
	    header->e_shentsize != sizeof(Elf64_Shdr) ||
	    header->e_shoff % _Alignof(Elf64_Shdr) ||
	    header->e_shoff > object->count ||
	    header->e_shnum > (object->count - header->e_shoff) / sizeof(Elf64_Shdr))
		return refuse("another format");
	object->section = (const void *)(object->bytes + header->e_shoff);
	object->sections = header->e_shnum;
	return true;
}

static const Elf64_Shdr *section_get(const struct object *object, size_t number)
{
	return number < object->sections ? &object->section[number] : NULL;
}

/* Nobody looks for a way out of it by its tables, and what is empty needs no place. */
static bool is_loaded(const Elf64_Shdr *section)
{
	return section->sh_flags & SHF_ALLOC && section->sh_size &&
	       section->sh_type != SHT_X86_64_UNWIND;
}

/* Where each section goes; *@count_out is how many bytes that makes. */
static bool place_sections(struct object *object, size_t *count_out)
{
	size_t end = 0;

	for (size_t i = 0; i < object->sections; i++) {
		const Elf64_Shdr *section = &object->section[i];
		size_t align = section->sh_addralign ? section->sh_addralign : 1;

		object->place[i] = NOWHERE;
		if (!is_loaded(section))
			continue;
		if (section->sh_type != SHT_PROGBITS || section->sh_flags & SHF_WRITE)
			return refuse("data to be written");
		if (align > ALIGN_MAX || align & (align - 1) ||
		    !is_within(object, section))
			return refuse("a section that is not there");
		end = (end + align - 1) & ~(align - 1);
		object->place[i] = end;
		end += section->sh_size;
	}
	*count_out = end;
	return true;
}

/* Place of a symbol in the image; false if it is another object's. */
static bool symbol_place(const struct object *object, const Elf64_Sym *symbol,
			 size_t *out)
{
	if (!section_get(object, symbol->st_shndx) ||
	    object->place[symbol->st_shndx] == NOWHERE)
		return false;
	*out = object->place[symbol->st_shndx] + symbol->st_value;
	return true;
}

static bool relocate_one(const struct object *object, struct vgt_image *image,
			 const Elf64_Shdr *target, const Elf64_Rela *rela,
			 const Elf64_Sym *symbol)
{
	const uint32_t type = ELF64_R_TYPE(rela->r_info);
	size_t from = object->place[target - object->section] + rela->r_offset;
	size_t to;
	int32_t distance;

	if (type != R_X86_64_PC32 && type != R_X86_64_PLT32)
		return refuse("an address");
	if (!symbol_place(object, symbol, &to))
		return refuse("a name that is elsewhere");
	if (target->sh_size < sizeof(distance) ||
	    rela->r_offset > target->sh_size - sizeof(distance))
		return refuse("a relocation of nothing");
	distance = (int32_t)(to + rela->r_addend - from);
	memcpy(image->code + from, &distance, sizeof(distance));
	return true;
}

static bool relocate(const struct object *object, struct vgt_image *image,
		     const Elf64_Shdr *section)
{
	const Elf64_Shdr *target = section_get(object, section->sh_info);
	const Elf64_Shdr *table = section_get(object, section->sh_link);
	const Elf64_Rela *rela = contents(object, section, sizeof(*rela));
	const Elf64_Sym *symbol;

	if (!target || object->place[section->sh_info] == NOWHERE)
		return true;
	symbol = table ? contents(object, table, sizeof(*symbol)) : NULL;
	if (!rela || !symbol)
		return refuse("a section that is not there");
	for (size_t i = 0; i < section->sh_size / sizeof(*rela); i++) {
		size_t number = ELF64_R_SYM(rela[i].r_info);

		if (number >= table->sh_size / sizeof(*symbol))
			return refuse("a name that is not there");
		if (!relocate_one(object, image, target, &rela[i], &symbol[number]))
			return false;
	}
	return true;
}

static bool find_entry(const struct object *object, struct vgt_image *image,
		       const Elf64_Shdr *section, const char *name)
{
	const Elf64_Sym *symbol = contents(object, section, sizeof(*symbol));
	const Elf64_Shdr *names = section_get(object, section->sh_link);
	const size_t bytes = strlen(name) + 1;
	size_t place;

	if (!symbol || !names || !is_within(object, names))
		return false;
	for (size_t i = 0; i < section->sh_size / sizeof(*symbol); i++) {
		if (symbol[i].st_name > names->sh_size ||
		    bytes > names->sh_size - symbol[i].st_name ||
		    memcmp(object->bytes + names->sh_offset + symbol[i].st_name, name,
			   bytes) ||
		    !symbol_place(object, &symbol[i], &place) || place >= image->bytes)
			continue;
		image->entry = place;
		return true;
	}
	return false;
}

static bool image_init(struct vgt_image *image, size_t bytes)
{
	void *code = bytes ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;

	*image = (struct vgt_image){ 0 };
	if (code == MAP_FAILED)
		return false;
	image->code = code;
	image->bytes = bytes;
	return true;
}

/* From here on it is code. */
static bool image_seal(struct vgt_image *image)
{
	return !mprotect(image->code, image->bytes, PROT_READ | PROT_EXEC);
}

static bool fill(const struct object *object, struct vgt_image *image,
		 const char *name)
{
	bool has_entry = false;

	for (size_t i = 0; i < object->sections; i++)
		if (object->place[i] != NOWHERE)
			memcpy(image->code + object->place[i],
			       object->bytes + object->section[i].sh_offset,
			       object->section[i].sh_size);
	for (size_t i = 0; i < object->sections; i++) {
		const Elf64_Shdr *section = &object->section[i];

		if (section->sh_type == SHT_RELA && !relocate(object, image, section))
			return false;
		if (section->sh_type == SHT_SYMTAB)
			has_entry = find_entry(object, image, section, name);
	}
	if (!has_entry)
		return refuse("no entry");
	return image_seal(image);
}

bool vgt_image_link(struct vgt_image *image, const void *bytes, size_t count,
		    const char *name)
{
	struct object object = { .bytes = bytes, .count = count };
	bool done = false;
	size_t end = 0;

	*image = (struct vgt_image){ 0 };
	if (!object_check(&object))
		return false;
	object.place = calloc(object.sections, sizeof(*object.place));
	if (object.place && place_sections(&object, &end) && image_init(image, end))
		done = fill(&object, image, name);
	if (!done)
		vgt_image_fini(image);
	free(object.place);
	return done;
}

bool vgt_image_copy(struct vgt_image *image, const void *code, size_t bytes,
		    uint32_t entry)
{
	*image = (struct vgt_image){ 0 };
	if (entry >= bytes || !image_init(image, bytes))
		return false;
	memcpy(image->code, code, bytes);
	image->entry = entry;
	if (image_seal(image))
		return true;
	vgt_image_fini(image);
	return false;
}

void vgt_image_fini(struct vgt_image *image)
{
	if (image->code)
		munmap(image->code, image->bytes);
	*image = (struct vgt_image){ 0 };
}
