/* SPDX-License-Identifier: MIT */
/*
 * A small core file, made byte by byte from what gtdbg_core.h says, without the
 * tool that writes them. In it are a device of seven threads (1), two contexts on
 * it (1 and 2), a module and a kernel (1), and
 *
 * slot 0	stopped, generation 5, registers, group with local memory
 * slot 2	stopped, generation 6, registers
 * slot 4	unavailable
 *
 * Notes come first, those of threads before the rest, then the program headers.
 *
 * Context 1 has three pages at 0x10000, of which two are zeroes, two at 0x20000,
 * and one at 0x30000 that was left out; context 2 has one at 0x10000.
 */
#ifndef LIBGTDBG_TESTS_CORE_FILE_H
#define LIBGTDBG_TESTS_CORE_FILE_H

#include <stddef.h>
#include <stdint.h>

#define CORE_FILE_GRF		128
#define CORE_FILE_SLM		64
#define CORE_FILE_PAGE		4096
#define CORE_FILE_PATH		"/src/k.h"
#define CORE_FILE_HEADER	"int k;\n"
#define CORE_FILE_SOURCE	"kernel void k() {}\n"

#define CORE_FILE_NOTES		24

/* A note, and where its descriptor ends. */
struct core_file_note {
	uint32_t type;
	size_t end;
};

/* Where what is; to be damaged. */
struct core_file {
	char *bytes;
	size_t len;
	size_t headers;
	size_t header_count;
	size_t notes;
	size_t notes_end;
	size_t device;		/* payload of its event */
	size_t thread;		/* descriptor of the first one */
	size_t source;		/* descriptor of the file of source */
	size_t memory;
	struct core_file_note note[CORE_FILE_NOTES];
	size_t note_count;
};

/* To be released with free(out->bytes). */
void core_file_make(struct core_file *out);
/* Byte @at of a thread's registers, of local memory, and of a page. */
uint8_t core_file_register(uint32_t slot, size_t at);
uint8_t core_file_slm(size_t at);
uint8_t core_file_memory(uint32_t context, uint64_t address);
/* The bytes as an open file. */
int core_file_open(const void *bytes, size_t len);

#endif
