// SPDX-License-Identifier: MIT
/*
 * A core file from end to end. The heads are written last, into room that was
 * left for them: as long as they are missing, it is no ELF file. The notes follow
 * the first one at once, so that a file of which only the beginning is left has them.
 */
#include "core.h"

#include "debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <gtdbg_core.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_DEFAULT_MAX 32
#define PAGE_BYTES	4096

bool core_size_parse(const char *text, uint64_t *out)
{
	static const char units[] = "KMG";
	const char *unit;
	unsigned long long number;
	unsigned int shift = 0;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		shift = 10 * (unit - units + 1);
		end++;
	}
	if (errno || *end || !number || number > UINT64_MAX >> shift)
		return false;
	*out = (uint64_t)number << shift;
	return true;
}

static bool memory_parse(const char *text, enum core_memory *out)
{
	static const char *const names[] = {
		[CORE_MEMORY_ALL] = "all",
		[CORE_MEMORY_WRITABLE] = "writable",
		[CORE_MEMORY_NONE] = "none",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			*out = i;
			return true;
		}
	}
	return false;
}

int core_options_parse(int argc, char **argv, int *at,
		       struct core_options *options)
{
	const char *word = argv[*at];

	if (strcmp(word, "-o") == 0 && *at + 1 < argc) {
		options->path = argv[*at + 1];
		*at += 2;
		return 1;
	}
	if ((strncmp(word, "--memory=", 9) == 0 &&
	     memory_parse(word + 9, &options->memory)) ||
	    (strncmp(word, "--limit=", 8) == 0 &&
	     core_size_parse(word + 8, &options->limit_bytes))) {
		(*at)++;
		return 1;
	}
	if (strcmp(word, "--compress=zstd") == 0) {
		options->is_compressed = true;
		(*at)++;
		return 1;
	}
	return 0;
}

/* Behind the file's head. */
static void notes_write(struct core_notes *parts, Elf64_Phdr *header,
			struct core_output *output)
{
	size_t i;

	output->at = sizeof(Elf64_Ehdr);
	for (i = 0; i < CORE_PARTS; i++) {
		if (!output->error)
			output->error = parts[i].error;
		core_output_write(output, parts[i].bytes, parts[i].len);
		free(parts[i].bytes);
	}
	*header = (Elf64_Phdr){
		.p_type = PT_NOTE, .p_flags = PF_R,
		.p_offset = sizeof(Elf64_Ehdr),
		.p_filesz = output->at - sizeof(Elf64_Ehdr), .p_align = 4,
	};
}

/* Everything but the heads. */
static int parts_write(struct debugger *debugger,
		       const struct core_options *options,
		       struct core_memories *memories,
		       struct core_output *output)
{
	struct core_notes parts[CORE_PARTS] = { 0 };
	int threads = core_notes_threads(debugger, parts);

	if (threads < 0)
		output->error = threads;
	core_notes_target(debugger, threads, parts);
	core_notes_sources(debugger, &parts[CORE_PART_SOURCE]);
	core_notes_memories(memories, &parts[CORE_PART_MEMORY]);
	notes_write(parts, memories->headers, output);
	core_output_align(output, sizeof(uint64_t));
	output->headers_at = output->at;
	output->at += memories->header_room * sizeof(*memories->headers);
	/* So that pieces of memory can be mapped. */
	core_output_align(output, PAGE_BYTES);
	if (!output->error)
		core_memories_write(debugger, options, memories, output);
	return threads;
}

static void report(const char *path, int threads,
		   const struct core_memories *memories)
{
	printf("Saved core file %s: %d thread%s, %llu bytes of memory",
	       path, threads, threads == 1 ? "" : "s",
	       (unsigned long long)memories->taken);
	if (memories->held < memories->mapped)
		printf("; %llu of %llu mapped bytes left out",
		       (unsigned long long)(memories->mapped - memories->held),
		       (unsigned long long)memories->mapped);
	puts(".");
}

static const char *error_text(int error)
{
	switch (error) {
	case -ELOOP:
		return "it is a link";
	case -EEXIST:
		return "there is something that is no file";
	case -EINTR:
		return "interrupted";
	case -ESRCH:
		return "the process has ended";
	default:
		return strerror(-error);
	}
}

/* What it was is gone then, or goes while it is read. */
static bool has_ended(const struct debugger *debugger)
{
	struct pollfd process = { .fd = debugger->pidfd, .events = POLLIN };

	return debugger->pidfd > 0 && poll(&process, 1, 0) > 0;
}

int core_write(struct debugger *debugger, const struct core_options *options)
{
	char path_default[PATH_DEFAULT_MAX];
	const char *path = options->path;
	struct core_memories memories;
	struct core_output output;
	int threads = 0, ret;

	if (!path) {
		snprintf(path_default, sizeof(path_default), "gtcore.%d",
			 debugger->pid);
		path = path_default;
	}
	ret = core_output_open(&output, path);
	if (ret)
		return fail(debugger, "Cannot write core file %s: %s.", path,
			    error_text(ret));
	output.is_compressed = options->is_compressed;
	output.error = core_memories_list(debugger, options, &memories);
	if (!output.error)
		threads = parts_write(debugger, options, &memories, &output);
	if (!output.error && wait_is_interrupted)
		output.error = -EINTR;
	if (!output.error && has_ended(debugger))
		output.error = -ESRCH;
	if (!output.error)
		core_output_head(&output, memories.headers,
				 memories.header_count);
	ret = core_output_close(&output);
	if (!ret)
		report(path, threads, &memories);
	core_memories_fini(&memories);
	if (ret)
		return fail(debugger, "Cannot write core file %s: %s.", path,
			    error_text(ret));
	return 0;
}

static void damages_print(struct debugger *debugger, const char *path)
{
	const char *text;
	uint64_t absent, mapped;
	size_t i;

	for (i = 0; (text = gtdbg_core_damage(debugger->session, i)); i++)
		printf("warning: %s: %s\n", path, text);
	absent = gtdbg_core_absent(debugger->session, &mapped);
	if (absent)
		printf("%llu of %llu bytes that were mapped are not in the file.\n",
		       (unsigned long long)absent, (unsigned long long)mapped);
}

static int file_open(const char *path, uint64_t limit_bytes)
{
	/* Not to wait for whoever may write to a pipe. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int plain;

	if (fd < 0)
		return -errno;
	if (!core_is_compressed(fd))
		return fd;
	plain = core_decompress(fd, limit_bytes, path);
	close(fd);
	return plain;
}

int core_open(struct debugger *debugger, const char *path,
	      uint64_t limit_bytes)
{
	int fd = file_open(path, limit_bytes);
	int ret = fd < 0 ? fd : gtdbg_core_open(fd, &debugger->session);

	if (fd >= 0)
		close(fd);
	if (ret)
		return fail(debugger, "gtdbgctl: cannot open core file %s: %s",
			    path, ret == -EINVAL ? "it is none of gtdbg's" :
			    ret == -EPROTONOSUPPORT ?
			    "it is of a later version" : strerror(-ret));
	ret = debugger_replay(debugger);
	if (ret < 0)
		return fail(debugger, "gtdbgctl: cannot read core file %s: %s",
			    path, strerror(-ret));
	debugger->is_observer = true;
	debugger->is_core = true;
	damages_print(debugger, path);
	return 0;
}
