/* SPDX-License-Identifier: MIT */
/* Core files: writing one, and looking at one. */
#ifndef GTDBGCTL_CORE_H
#define GTDBGCTL_CORE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debugger;
struct gtdbg_memory_mapping;

/* Which memory is taken. */
enum core_memory {
	CORE_MEMORY_ALL,
	CORE_MEMORY_WRITABLE,
	CORE_MEMORY_NONE,
};

struct core_options {
	const char *path;	/* NULL: "gtcore." and the process id */
	enum core_memory memory;
	uint64_t limit_bytes;	/* of memory in the file; 0: none */
	bool is_compressed;
};

#define CORE_OPTIONS \
	"  -o FILE               the file's name (default gtcore.PID)\n" \
	"  --memory=all          take all memory that is mapped (default)\n" \
	"  --memory=writable     only what the GPU may write\n" \
	"  --memory=none         none\n" \
	"  --limit=SIZE          at most so many bytes of memory; K, M or G\n" \
	"  --compress=zstd       compress the file\n"

/* Of a compressed core file, how much is looked at. */
#define CORE_PLAIN_MAX (4ull << 30)

/* Takes what it knows off the front of the words; 1 if it did. */
int core_options_parse(int argc, char **argv, int *at,
		       struct core_options *options);
/* Writes what is stopped now, and says so. 0 if there is a file, else -1. */
int core_write(struct debugger *debugger, const struct core_options *options);
/*
 * A session on a core file; says what is missing. 0, or -1 after saying why. What
 * is compressed is decompressed up to @limit_bytes.
 */
int core_open(struct debugger *debugger, const char *path,
	      uint64_t limit_bytes);
/* "512", "64K", "2G"; false if it is no number of bytes. */
bool core_size_parse(const char *text, uint64_t *out);

/*
 * core_output.c: the file. It has another name or none until it is complete. What goes
 * wrong is kept in @error, so that only the end has to look at it.
 */
struct core_output {
	int folder;
	int fd;
	const char *name;
	char temporary[64];	/* "": it has no name yet */
	uint64_t at;		/* where the next bytes go */
	uint64_t headers_at;	/* where there is room for the program headers */
	bool is_compressed;	/* it becomes so when it is closed */
	int error;		/* a negative errno, the first one */
};

int core_output_open(struct core_output *output, const char *path);
void core_output_align(struct core_output *output, uint64_t bytes);
void core_output_write(struct core_output *output, const void *bytes,
		       size_t len);
/* Writes the heads before the rest of the file. */
void core_output_head(struct core_output *output, Elf64_Phdr *headers,
		      size_t count);
/* Gives the file its name, or removes it; returns its error. */
int core_output_close(struct core_output *output);

/* core_zstd.c */
bool core_is_compressed(int fd);
/* All of a file, to where the other one is; 0 or a negative errno. */
int core_compress(int from, int to);
/* A file without a name that has what @from stands for; or a negative errno. */
int core_decompress(int from, uint64_t limit_bytes, const char *path);

/*
 * core_note.c: notes, gathered in memory. They are parts of the file in this order:
 * one that is cut off keeps what is small, and what says most.
 */
enum core_part {
	CORE_PART_TARGET,
	CORE_PART_THREADS,
	CORE_PART_MEMORY,
	CORE_PART_SLM,
	CORE_PART_SOURCE,
	CORE_PART_KERNELS,
	CORE_PART_MODULES,
	CORE_PARTS,
};

struct core_notes {
	char *bytes;
	size_t len;
	size_t room;
	size_t head;		/* of the note that is being added */
	int error;
};

void core_note_begin(struct core_notes *notes, uint32_t type);
void core_note_add(struct core_notes *notes, const void *bytes, size_t len);
void core_note_end(struct core_notes *notes);

/* core_target.c: devices, contexts, modules and kernels, as events and files */
void core_notes_target(struct debugger *debugger, int threads,
		       struct core_notes *parts);

/* core_thread.c: threads, with their registers and local memory; how many */
int core_notes_threads(struct debugger *debugger, struct core_notes *parts);

/* core_source.c: files that no module has brought */
void core_notes_sources(struct debugger *debugger, struct core_notes *notes);

/* core_memory.c: memory of all contexts */
struct core_space;

struct core_memories {
	struct core_space *spaces;
	size_t space_count;
	size_t mapping_count;
	Elf64_Phdr *headers;	/* the first one is for the notes */
	size_t header_count;
	size_t header_room;
	uint64_t taken;		/* bytes in the file */
	uint64_t mapped;
	uint64_t held;		/* bytes that the file answers for */
};

int core_memories_list(struct debugger *debugger,
		       const struct core_options *options,
		       struct core_memories *memories);
void core_notes_memories(const struct core_memories *memories,
			 struct core_notes *notes);
void core_memories_write(struct debugger *debugger,
			 const struct core_options *options,
			 struct core_memories *memories,
			 struct core_output *output);
void core_memories_fini(struct core_memories *memories);

#endif
