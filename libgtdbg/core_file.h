/* SPDX-License-Identifier: MIT */
/*
 * What is in a core file: a table of contents, made once. Registers, memory and
 * whole files stay where they are until they are asked for. Each entry has been
 * checked: what it names lies within the file as it was then.
 */
#ifndef LIBGTDBG_CORE_FILE_H
#define LIBGTDBG_CORE_FILE_H

#include "gtdbg_core.h"

#include <stddef.h>
#include <stdint.h>

#define CORE_SETS_MAX		32
#define CORE_DAMAGES_MAX	16
#define CORE_PATH_MAX		4096

/* Bytes of the file. */
struct core_range {
	uint64_t offset;
	uint64_t len;
};

struct core_blob {
	uint32_t kind;
	uint32_t id;
	struct core_range bytes;
};

struct core_thread {
	struct gtdbg_thread_info info;
	uint32_t slm;
	uint32_t set_count;
	uint64_t sets;		/* where they are */
	struct core_range registers;
};

struct core_slm {
	uint32_t slm;
	struct core_range bytes;
};

struct core_source {
	struct core_range path;
	struct core_range text;
};

struct core_mappings {
	uint32_t device;
	uint32_t context;
	struct core_range bytes;
};

/* Where a list of mappings goes on: at @address, with what the file has at @offset. */
struct core_listed {
	const struct core_mappings *mappings;
	uint64_t address;
	uint64_t offset;
};

/* Memory of a context; behind the file's bytes there are zeroes up to @end. */
struct core_load {
	uint64_t space;		/* device << 32 | context */
	uint64_t address;
	uint64_t end;
	struct core_range bytes;
};

/* Grows by doubling. */
struct core_array {
	void *items;
	size_t count;
	size_t room;
};

struct core {
	int fd;
	uint64_t size;
	struct core_array devices;	/* struct gtdbg_event_device_add */
	struct core_array blobs;	/* struct core_blob */
	struct core_array threads;	/* struct core_thread, by device and slot */
	struct core_array slms;		/* struct core_slm */
	struct core_array mappings;	/* struct core_mappings */
	struct core_array sources;	/* struct core_source */
	struct core_range buffers;	/* struct gtdbg_core_buffer */
	struct core_array loads;	/* struct core_load, by space and address */
	/* Records, SYNCED being the last; and how far they were read. */
	struct core_array events;	/* bytes */
	size_t events_at;
	struct core_listed listed; /* who lists all of them reads each once */
	uint64_t seqno;
	uint64_t mapped;
	uint64_t loaded;
	/* What there was when it was written, as far as it says so. */
	uint32_t threads_meant;
	uint32_t contexts_meant;
	uint32_t slms_meant;
	uint64_t blobs_meant;
	char damages[CORE_DAMAGES_MAX][160];
	size_t damage_count;
};

/* Reads the table of contents; what is wrong with it is in its damages. */
int gtdbg_core_file_init(struct core *core, int fd);
void gtdbg_core_file_fini(struct core *core);
/* As pread(), but all of it: 0 or a negative errno. */
int gtdbg_core_file_read(const struct core *core, uint64_t offset, void *buf,
			 size_t len);
const struct gtdbg_event_device_add *
gtdbg_core_file_device(const struct core *core, uint32_t id);

#endif
