// SPDX-License-Identifier: MIT
#include "kernel_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SKIP 4
#define BYTES_MAX (1 << 24)

/* Head of the compiler's container of debug files. */
struct container {
	uint32_t magic, version, size, family, stepping, pointer_size;
	uint32_t kernel_count;
};

struct entry {
	uint32_t name_len_bytes, visa_len_bytes, gen_len_bytes;
};

static char *compile(const char *source, unsigned int flags, size_t *len_out)
{
	const char *optimize = flags & KERNEL_FILE_OPTIMIZED ?
			       "" : "-cl-opt-disable";
	bool is_zebin = flags & KERNEL_FILE_ZEBIN;
	char directory[] = "/tmp/gtdbg-test-XXXXXX";
	char command[2048], *bytes;
	FILE *file;

	if (!mkdtemp(directory))
		return NULL;
	snprintf(command, sizeof(command),
		 "ocloc compile -q -file '" GTDBG_TESTS "/%s' -device tgllp "
		 "-options '-g -cl-std=CL2.0 %s' "
		 "-internal_options '-cl-kernel-debug-enable %s' "
		 "-output kernel -out_dir %s >/dev/null 2>&1 && "
		 "cat %s/*.%s; rm -r %s", source, optimize,
		 is_zebin ? "-cl-intel-allow-zebin" : "", directory,
		 directory, is_zebin ? "bin" : "dbg", directory);
	file = popen(command, "r");
	bytes = malloc(BYTES_MAX);
	*len_out = file && bytes ? fread(bytes, 1, BYTES_MAX, file) : 0;
	if (file)
		pclose(file);
	return bytes;
}

/* Finds the ELF of @kernel in the compiler's container, NULL if it has none. */
static const char *find(const char *bytes, size_t len, const char *kernel,
			size_t *elf_len_out)
{
	size_t at = sizeof(struct container), elf;
	struct entry entry;

	while (at + sizeof(entry) < len) {
		memcpy(&entry, bytes + at, sizeof(entry));
		at += sizeof(entry);
		elf = at + entry.name_len_bytes;
		*elf_len_out = entry.visa_len_bytes;
		if (strncmp(bytes + at, kernel, entry.name_len_bytes) == 0)
			return bytes + elf;
		at = elf + entry.visa_len_bytes + entry.gen_len_bytes;
	}
	return NULL;
}

char *kernel_file_elf(const char *source, unsigned int flags,
		      const char *kernel, size_t *len_bytes_out)
{
	const char *elf;
	size_t len;
	char *bytes = compile(source, flags, &len);

	if (!len && system("command -v ocloc >/dev/null")) {
		puts("1..0 # SKIP no ocloc, the offline compiler");
		exit(SKIP);
	}
	if (!len) {
		printf("Bail out! ocloc does not compile %s\n", source);
		exit(1);
	}
	*len_bytes_out = len;
	if (flags & KERNEL_FILE_ZEBIN)
		return bytes;
	elf = find(bytes, len, kernel, len_bytes_out);
	if (!elf) {
		printf("Bail out! no kernel %s in %s\n", kernel, source);
		exit(1);
	}
	memmove(bytes, elf, *len_bytes_out);
	return bytes;
}

struct gtdbg_symbols *kernel_file_symbols(const char *source,
					  unsigned int flags,
					  const char *kernel)
{
	struct gtdbg_symbols *symbols;
	size_t len;
	char *elf = kernel_file_elf(source, flags, kernel, &len);

	if (gtdbg_symbols_create(elf, len, &symbols)) {
		printf("Bail out! no symbols in %s\n", source);
		exit(1);
	}
	free(elf);
	return symbols;
}

static int state_register_read(void *context, uint32_t offset, void *buf,
			       size_t len)
{
	struct kernel_file_state *state = context;
	size_t i;

	for (i = 0; i < len; i++, offset++) {
		uint64_t value = state->base + state->stride * (offset / 8);

		((uint8_t *)buf)[i] = value >> (offset % 8 * 8);
	}
	return 0;
}

static int state_memory_read(void *context, uint64_t address, void *buf,
			     size_t len)
{
	(void)context;
	memset(buf, 0, len);
	memcpy(buf, &address, len < 8 ? len : 8);
	return 0;
}

struct gtdbg_machine kernel_file_machine(struct kernel_file_state *state)
{
	struct gtdbg_machine machine = {
		.context = state,
		.register_read = state_register_read,
		.memory_read = state_memory_read,
	};

	return machine;
}

int kernel_file_locate(struct gtdbg_symbols *symbols,
		       struct kernel_file_state *state, uint64_t pc,
		       const char *name, uint32_t lane,
		       struct gtdbg_location *out)
{
	struct gtdbg_machine machine = kernel_file_machine(state);
	struct gtdbg_variable variable;
	struct gtdbg_frame frame;
	int ret;

	gtdbg_frame_unwind(symbols, &machine, pc, 0xff, 0, &frame, 1);
	ret = gtdbg_variable_find(symbols, &frame, name, &variable);
	if (ret)
		return ret;
	return gtdbg_variable_locate(symbols, &frame, &variable, &machine,
				     lane, out);
}
