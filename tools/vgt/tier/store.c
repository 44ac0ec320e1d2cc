// SPDX-License-Identifier: MIT
#include "tier/store.h"

#include "host/log.h"
#include "tier/content.h"
#include "tier/llvm.h"

#include <cpuid.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "vgtcode1"
#define SUFFIX ".code"
#define NAME_BYTES 64
#define FILE_MAX (4U << 20) /* of a region of 256 instructions it is 200 KiB */
#define KEPT_MAX (256ULL << 20)
#define KEPT_AFTER (KEPT_MAX / 4 * 3) /* that are left when there were more */
#define LOOK_AFTER (16U << 20) /* that were written */
#define WORDS 64 /* of a key that have one word before them, with a bit for each */
#define BUILD_BYTES 20
#define CPU_WORDS 12

/* What decides which code is made of the same instructions. */
struct maker {
	uint8_t build[BUILD_BYTES]; /* ID of this program, of its text and its structures */
	uint32_t cpu[CPU_WORDS];
	uint32_t narrow; /* vgt_llvm_narrow() */
	uint32_t masks, level;
};

struct header {
	char magic[8];
	uint64_t sum; /* of all that follows */
	uint32_t key_bytes, code_bytes;
	uint32_t entry, reserved;
	/* a key, code */
};

/* A maker and its graph without most of what is zero, of which a graph has much. */
struct key {
	uint8_t *bytes;
	size_t count;
	char name[NAME_BYTES];
};

static int folder = -1;
static atomic_bool has_any;
static struct maker maker;
static uintptr_t program; /* where this one is loaded */

/* Since somebody looked whether there is too much; SIZE_MAX: nobody has. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t added = SIZE_MAX;

static bool take_build(const uint8_t *note, size_t bytes)
{
	const ElfW(Nhdr) *header;
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

static bool is_private(const struct stat *is)
{
	return is->st_uid == geteuid() && !(is->st_mode & (S_IWGRP | S_IWOTH));
}

/* With all that is above it. */
static int make_folder(const char *path)
{
	char *part = strdup(path);
	int ret = 0;

	if (!part)
		return -ENOMEM;
	for (char *at = part + 1; !ret && *at; at++) {
		if (*at != '/')
			continue;
		*at = 0;
		ret = mkdir(part, 0700) && errno != EEXIST ? -errno : 0;
		*at = '/';
	}
	if (!ret)
		ret = mkdir(part, 0700) && errno != EEXIST ? -errno : 0;
	free(part);
	return ret;
}

static DIR *list(void)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static bool is_ours(const char *name)
{
	size_t count = strlen(name);

	return count > strlen(SUFFIX) &&
	       !strcmp(name + count - strlen(SUFFIX), SUFFIX);
}

static void look(void)
{
	DIR *dir = list();
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_ours(entry->d_name))
			atomic_store(&has_any, true);
	if (dir)
		closedir(dir);
}

int vgt_store_open(const char *path, const char **why_out)
{
	bool found = false;
	struct stat is;
	int ret;

	dl_iterate_phdr(find_build, &found);
	if (!found) {
		*why_out = "this program has no build ID";
		return -ENOTSUP;
	}
	find_cpu();
	ret = make_folder(path);
	if (ret) {
		*why_out = strerror(-ret);
		return ret;
	}
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0 || fstat(folder, &is)) {
		ret = -errno;
		*why_out = strerror(errno);
	} else if (!is_private(&is)) {
		ret = -EPERM;
		*why_out = "others could write to it";
	}
	if (ret && folder >= 0) {
		close(folder);
		folder = -1;
	}
	if (!ret)
		look();
	return ret;
}

bool vgt_store_has_any(void)
{
	return atomic_load_explicit(&has_any, memory_order_relaxed);
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

static bool key_create(struct key *key, const struct vgt_content *content)
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
		snprintf(key->name, sizeof(key->name), "%016" PRIx64 SUFFIX,
			 vgt_content_hash(key->bytes, key->count));
	}
	vgt_graph_destroy(graph);
	free(plain);
	return key->bytes;
}

static bool read_all(int fd, uint8_t *bytes, size_t count)
{
	ssize_t n;

	while (count) {
		n = read(fd, bytes, count);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		count -= n;
	}
	return true;
}

static bool write_all(int fd, const uint8_t *bytes, size_t count)
{
	ssize_t n;

	while (count) {
		n = write(fd, bytes, count);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		count -= n;
	}
	return true;
}

static uint64_t sum_of(const uint8_t *file, size_t count)
{
	size_t from = offsetof(struct header, sum) + sizeof(uint64_t);

	return vgt_content_hash(file + from, count - from);
}

/* All that it says about itself is so; is it also what is looked for? */
static bool is_whole(const uint8_t *file, size_t count)
{
	const struct header *header = (const void *)file;

	return count >= sizeof(*header) &&
	       !memcmp(header->magic, MAGIC, sizeof(header->magic)) &&
	       header->key_bytes <= count && header->code_bytes <= count &&
	       sizeof(*header) + header->key_bytes + header->code_bytes == count &&
	       header->sum == sum_of(file, count);
}

static bool has_key(const uint8_t *file, const struct key *key)
{
	const struct header *header = (const void *)file;

	return header->key_bytes == key->count &&
	       !memcmp(file + sizeof(*header), key->bytes, key->count);
}

/* What the file has, which the caller frees; NULL: it is no file of ours. */
static uint8_t *load(const char *name, size_t *count_out)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint8_t *file = NULL;
	struct stat is;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &is) && S_ISREG(is.st_mode) && is_private(&is) &&
	    is.st_size > 0 && is.st_size <= FILE_MAX)
		file = malloc(is.st_size);
	if (file && !read_all(fd, file, is.st_size)) {
		free(file);
		file = NULL;
	}
	*count_out = file ? is.st_size : 0;
	if (file)
		futimens(fd, NULL);
	close(fd);
	return file;
}

bool vgt_store_get(struct vgt_content *content)
{
	const struct header *header;
	struct key key;
	uint8_t *file;
	size_t count;
	bool done = false;

	if (!vgt_store_has_any() || !key_create(&key, content))
		return false;
	file = load(key.name, &count);
	header = (const void *)file;
	if (file && !is_whole(file, count)) {
		vgt_log(VGT_LOG_INFO, "%s: damaged, so it is deleted", key.name);
		unlinkat(folder, key.name, 0);
	} else if (file && has_key(file, &key)) {
		done = vgt_image_copy(&content->image,
				      file + sizeof(*header) + key.count,
				      header->code_bytes, header->entry);
	}
	free(file);
	free(key.bytes);
	return done;
}

struct kept {
	char name[NAME_BYTES];
	struct timespec used;
	uint64_t bytes;
};

static int compare(const void *a, const void *b)
{
	const struct timespec *one = &((const struct kept *)a)->used;
	const struct timespec *two = &((const struct kept *)b)->used;

	if (one->tv_sec != two->tv_sec)
		return one->tv_sec < two->tv_sec ? -1 : 1;
	return one->tv_nsec < two->tv_nsec ? -1 : one->tv_nsec > two->tv_nsec;
}

/* Those that are left behind by who was killed while it wrote have the suffix, too. */
static struct kept *kept_list(size_t *count_out, uint64_t *bytes_out)
{
	struct kept *all = NULL, *larger;
	struct dirent *entry;
	DIR *dir = list();
	size_t count = 0;
	struct stat is;

	*bytes_out = 0;
	while (dir && (entry = readdir(dir))) {
		if (!is_ours(entry->d_name) ||
		    strlen(entry->d_name) >= NAME_BYTES ||
		    fstatat(folder, entry->d_name, &is, AT_SYMLINK_NOFOLLOW))
			continue;
		larger = realloc(all, (count + 1) * sizeof(*all));
		if (!larger)
			break;
		all = larger;
		strcpy(all[count].name, entry->d_name);
		all[count].used = is.st_mtim;
		all[count++].bytes = is.st_size;
		*bytes_out += is.st_size;
	}
	if (dir)
		closedir(dir);
	*count_out = count;
	return all;
}

/* Now and then, as so much was written, and by this process for the first time. */
static void trim(size_t bytes)
{
	uint64_t sum;
	size_t count;
	struct kept *all;
	bool due, too_much;

	pthread_mutex_lock(&lock);
	due = added >= LOOK_AFTER;
	added = due ? bytes : added + bytes;
	pthread_mutex_unlock(&lock);
	if (!due)
		return;
	all = kept_list(&count, &sum);
	too_much = sum > KEPT_MAX;
	if (too_much)
		qsort(all, count, sizeof(*all), compare);
	for (size_t i = 0; i < count && too_much; i++) {
		if (!unlinkat(folder, all[i].name, 0))
			sum -= all[i].bytes;
		too_much = sum > KEPT_AFTER;
	}
	free(all);
}

static void save(const char *name, const uint8_t *file, size_t count)
{
	char own[2 * NAME_BYTES];
	int fd;

	snprintf(own, sizeof(own), ".%ld-%s", (long)getpid(), name);
	fd = openat(folder, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return;
	if (!write_all(fd, file, count) || renameat(folder, own, folder, name))
		unlinkat(folder, own, 0);
	else
		atomic_store(&has_any, true);
	close(fd);
}

void vgt_store_put(const struct vgt_content *content)
{
	const struct vgt_image *image = &content->image;
	struct header *header;
	struct key key;
	uint8_t *file;
	size_t count;

	if (folder < 0 || !key_create(&key, content))
		return;
	count = sizeof(*header) + key.count + image->count;
	file = count <= FILE_MAX ? malloc(count) : NULL;
	if (file) {
		header = (struct header *)file;
		*header = (struct header){
			.key_bytes = key.count,
			.code_bytes = image->count,
			.entry = image->entry,
		};
		memcpy(header->magic, MAGIC, sizeof(header->magic));
		memcpy(file + sizeof(*header), key.bytes, key.count);
		memcpy(file + sizeof(*header) + key.count, image->bytes,
		       image->count);
		header->sum = sum_of(file, count);
		trim(count);
		save(key.name, file, count);
	}
	free(file);
	free(key.bytes);
}
