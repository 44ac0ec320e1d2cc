// SPDX-License-Identifier: MIT
/*
 * Files of every format that the library reads, damaged at random, but each
 * time in the same way: a run is identified by its first number. They come from
 * other processes, so nothing in them may harm the debugger.
 * usage: mutation [ROUNDS [FIRST]]
 *	mutation --seeds FOLDER, to write the undamaged files
 *	mutation --replay FOLDER, to read all that are there
 */
#include "../support/core_file.h"
#include "../support/cuda_file.h"
#include "../support/kernel_file.h"
#include "../support/tap.h"
#include "exercise.h"

#include <dirent.h>
#include <elf.h>
#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS		400
#define SEEDS_MAX	8
#define ROUND_SECONDS	200
#define EM_CUDA_NUMBER	190

struct seed {
	const char *name;
	char *bytes;
	size_t len;
};

static struct seed seeds[SEEDS_MAX];
static int seed_count;
static uint64_t random_state;
static const char *seed_name = "none";
static unsigned long round_number;

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "max_allocation_size_mb=256:malloc_context_size=12";
}

static void say_where(void)
{
	fprintf(stderr, "file %s, round %lu\n", seed_name, round_number);
}

static void on_alarm(int number)
{
	(void)number;
	fprintf(stderr, "no end after %d s\n", ROUND_SECONDS);
	abort();
}

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static size_t below(size_t limit)
{
	return limit ? next_random() % limit : 0;
}

static void seed_add(const char *name, char *bytes, size_t len)
{
	seeds[seed_count++] = (struct seed){ name, bytes, len };
}

static void seed_add_kernel(const char *source, unsigned int flags,
			    const char *kernel)
{
	size_t len;
	char *bytes = kernel_file_elf(source, flags, kernel, &len);

	seed_add(source, bytes, len);
}

static void seeds_make(void)
{
	struct core_file core;
	size_t len;
	char *bytes;

	seed_add_kernel("compute.cl", 0, "compute");
	seed_add_kernel("call.cl", 0, "call");
	seed_add_kernel("shapes.cl", 0, "shapes");
	seed_add_kernel("inlined.cl", KERNEL_FILE_OPTIMIZED, "inlined");
	seed_add_kernel("compute.cl", KERNEL_FILE_ZEBIN, "compute");
	bytes = cuda_file_run("f=$(mktemp) && as -o $f '" GTDBG_TESTS "/cuda.s' && "
			      "cat $f; "
			      "rm -f $f", &len);
	if (bytes)
		((Elf64_Ehdr *)bytes)->e_machine = EM_CUDA_NUMBER;
	seed_add("cuda.s", bytes, len);
	bytes = cuda_file_run("clang-14 --target=nvptx64-nvidia-cuda "
			      "-cl-std=CL2.0 -g -O0 -S -o - '" GTDBG_TESTS
			      "/cuda.cl' 2>/dev/null", &len);
	seed_add("cuda.cl", bytes, len);
	core_file_make(&core);
	seed_add("core", core.bytes, core.len);
}

/* A section of debug information, if the file has any; else all of it. */
static void choose_range(const char *bytes, size_t len, size_t *start,
			 size_t *size)
{
	const Elf64_Ehdr *file = (const Elf64_Ehdr *)bytes;
	Elf64_Shdr section;
	uint64_t at;

	*start = 0;
	*size = len;
	if (len < sizeof(*file) || memcmp(bytes, ELFMAG, SELFMAG) ||
	    !file->e_shnum || !below(8))
		return;
	at = file->e_shoff + below(file->e_shnum) * sizeof(section);
	if (at > len || len - at < sizeof(section))
		return;
	memcpy(&section, bytes + at, sizeof(section));
	if (section.sh_offset < len && section.sh_size &&
	    section.sh_size <= len - section.sh_offset) {
		*start = section.sh_offset;
		*size = section.sh_size;
	}
}

static void damage(char *bytes, size_t *len)
{
	static const uint64_t values[] = {
		0, 1, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, UINT32_MAX,
		INT64_MAX, UINT64_MAX, 0x1000000,
	};
	size_t start, size, at, width;
	uint64_t value;

	choose_range(bytes, *len, &start, &size);
	at = start + below(size);
	width = 1u << below(4);
	if (width > *len - at)
		width = *len - at;
	switch (below(8)) {
	case 0:
		bytes[at] ^= 1u << below(8);
		break;
	case 1:
		bytes[at] += below(2) ? 1 : -1;
		break;
	case 2:
		memmove(bytes + at, bytes + start + below(size - width + 1),
			width);
		break;
	case 3:
		if (!below(16))
			*len = at + 1;
		break;
	case 4:
		value = values[below(sizeof(values) / sizeof(values[0]))];
		memcpy(bytes + at, &value, width);
		break;
	default:
		bytes[at] = next_random();
	}
}

/* Each kind of file to its reader; the other one only sees that it is none. */
static void exercise(const void *bytes, size_t len)
{
	exercise_symbols(bytes, len);
	exercise_core(bytes, len);
}

static void run_round(const struct seed *seed, unsigned long number)
{
	size_t len = seed->len, count;
	char *bytes = malloc(len);

	memcpy(bytes, seed->bytes, len);
	round_number = number;
	seed_name = seed->name;
	random_state = (number + 1) * 0x9e3779b97f4a7c15ull;
	count = 1 + below(6);
	while (count--)
		damage(bytes, &len);
	alarm(ROUND_SECONDS);
	exercise(bytes, len);
	alarm(0);
	free(bytes);
}

static int seeds_write(const char *folder)
{
	char path[512];
	FILE *file;
	int i;

	for (i = 0; i < seed_count; i++) {
		if (!seeds[i].bytes)
			continue;
		snprintf(path, sizeof(path), "%s/%d-%s", folder, i,
			 seeds[i].name);
		file = fopen(path, "w");
		if (!file || !fwrite(seeds[i].bytes, seeds[i].len, 1, file) ||
		    fclose(file))
			return 1;
		free(seeds[i].bytes);
	}
	return 0;
}

static bool file_run(const char *path)
{
	FILE *file = fopen(path, "r");
	long len;
	char *bytes;

	if (!file || fseek(file, 0, SEEK_END)) {
		perror(path);
		return false;
	}
	/* No longer than the file, so that reads behind its end are seen. */
	len = ftell(file);
	bytes = malloc(len);
	rewind(file);
	len = bytes ? fread(bytes, 1, len, file) : 0;
	fclose(file);
	seed_name = path;
	alarm(ROUND_SECONDS);
	exercise(bytes, len);
	alarm(0);
	free(bytes);
	return bytes;
}

static int replay(const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort), read = 0, i;
	char path[512];

	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && file_run(path))
			read++;
		free(entries[i]);
	}
	free(entries);
	printf("%d files\n", read);
	return !read;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : ROUNDS;
	unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 0) : 0, i;
	int which;

	if (argc > 2 && strcmp(argv[1], "--seeds") == 0) {
		seeds_make();
		return seeds_write(argv[2]);
	}
	signal(SIGALRM, on_alarm);
	__asan_set_death_callback(say_where);
	if (argc > 2 && strcmp(argv[1], "--replay") == 0)
		return replay(argv[2]);
	puts("TAP version 13");
	seeds_make();
	for (which = 0; which < seed_count; which++) {
		if (!seeds[which].bytes) {
			printf("ok %d - %s # SKIP nothing here makes it\n",
			       ++tap_count, seeds[which].name);
			continue;
		}
		for (i = first; i < first + rounds; i++)
			run_round(&seeds[which], i);
		exercise(seeds[which].bytes, seeds[which].len);
		tap_check(true, seeds[which].name);
		fflush(stdout);
		free(seeds[which].bytes);
	}
	return tap_end();
}
