// SPDX-License-Identifier: MIT
#include "tier/store.h"

#include "host/hash.h"
#include "host/log.h"
#include "tier/content.h"
#include "tier/key.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "vgtcode1"
#define NAME_BYTES 64 /* also of one that is being written */
#define FILE_MAX (4U << 20) /* of a region of 256 instructions it is 200 KiB */
#define SUM_MAX (256ULL << 20)
#define SUM_LEFT (SUM_MAX / 4 * 3) /* where there was more */
#define TRIM_AFTER (16U << 20) /* that were written */

struct header {
	char magic[8];
	uint64_t sum; /* of all that follows */
	uint32_t key_bytes, code_bytes;
	uint32_t entry, reserved;
	/* a key, code */
};

static int folder = -1;
static bool has_any; /* when it was opened */

/* Since somebody looked whether there is too much; SIZE_MAX: nobody has. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t added = SIZE_MAX;

/* NULL, or what is wrong with it: who can write it can have us execute anything. */
static const char *objection(const struct stat *is)
{
	if (is->st_uid != geteuid())
		return "it is another user's";
	return is->st_mode & 0022 ? "others may write it" : NULL;
}

/* With all that is above it. */
static int make_folder(const char *path)
{
	char *part = strdup(path), *at = part, end;
	int ret = 0;

	if (!part)
		return -ENOMEM;
	do {
		at = strchrnul(at + 1, '/');
		end = *at;
		*at = 0;
		ret = mkdir(part, 0700) && errno != EEXIST ? -errno : 0;
		*at = end;
	} while (!ret && end);
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

/* Written, or being written, which may have been left behind by one that was killed. */
static bool is_ours(const char *name)
{
	if (*name == '.') {
		name += 1 + strspn(name + 1, "0123456789");
		if (*name++ != '-')
			return false;
	}
	return vgt_key_has_name(name);
}

static bool find_any(void)
{
	DIR *dir = list();
	struct dirent *entry;
	bool any = false;

	while (dir && !any && (entry = readdir(dir)))
		any = vgt_key_has_name(entry->d_name);
	if (dir)
		closedir(dir);
	return any;
}

static int open_folder(const char *path, const char **why_out)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat is;
	int ret;

	if (fd < 0 || fstat(fd, &is)) {
		ret = -errno;
		*why_out = strerror(errno);
	} else {
		*why_out = objection(&is);
		ret = *why_out ? -EPERM : 0;
	}
	if (!ret)
		return fd;
	if (fd >= 0)
		close(fd);
	return ret;
}

int vgt_store_open(const char *path, const char **why_out)
{
	int ret = vgt_key_start() ? make_folder(path) : -ENOTSUP;

	if (ret) {
		*why_out = ret == -ENOTSUP ? "this program has no build ID" :
			   strerror(-ret);
		return ret;
	}
	ret = open_folder(path, why_out);
	if (ret < 0)
		return ret;
	folder = ret;
	has_any = find_any();
	return 0;
}

bool vgt_store_has_any(void)
{
	return has_any;
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

	return vgt_hash(VGT_HASH_START, file + from, count - from);
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

static bool has_key(const uint8_t *file, const struct vgt_key *key)
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
	if (!fstat(fd, &is) && S_ISREG(is.st_mode) && !objection(&is) &&
	    is.st_size > 0 && is.st_size <= FILE_MAX)
		file = malloc(is.st_size);
	if (file && !read_all(fd, file, is.st_size)) {
		free(file);
		file = NULL;
	}
	*count_out = file ? is.st_size : 0;
	/* It was used now: trim() goes by that. */
	if (file)
		futimens(fd, NULL);
	close(fd);
	return file;
}

bool vgt_store_find(struct vgt_content *content)
{
	const struct header *header;
	struct vgt_key key;
	uint8_t *file;
	size_t count;
	bool done = false;

	if (folder < 0 || !vgt_key_init(&key, content))
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
	vgt_key_fini(&key);
	return done;
}

struct file {
	char name[NAME_BYTES];
	struct timespec used;
	uint64_t bytes;
};

static int compare(const void *a, const void *b)
{
	const struct timespec *one = &((const struct file *)a)->used;
	const struct timespec *two = &((const struct file *)b)->used;

	if (one->tv_sec != two->tv_sec)
		return one->tv_sec < two->tv_sec ? -1 : 1;
	return one->tv_nsec < two->tv_nsec ? -1 : one->tv_nsec > two->tv_nsec;
}

static struct file *list_files(size_t *count_out, uint64_t *bytes_out)
{
	struct file *all = NULL, *larger;
	struct dirent *entry;
	DIR *dir = list();
	size_t count = 0;
	struct stat is;

	*bytes_out = 0;
	while (dir && (entry = readdir(dir))) {
		if (!is_ours(entry->d_name) ||
		    strlen(entry->d_name) >= NAME_BYTES ||
		    fstatat(folder, entry->d_name, &is, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(is.st_mode))
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
	struct file *all;
	bool due, too_much;

	pthread_mutex_lock(&lock);
	due = added >= TRIM_AFTER;
	added = due ? bytes : added + bytes;
	pthread_mutex_unlock(&lock);
	if (!due)
		return;
	all = list_files(&count, &sum);
	too_much = sum > SUM_MAX;
	if (too_much)
		qsort(all, count, sizeof(*all), compare);
	for (size_t i = 0; i < count && too_much; i++) {
		/* Another process may be at it as well. */
		if (!unlinkat(folder, all[i].name, 0) || errno == ENOENT)
			sum -= all[i].bytes;
		too_much = sum > SUM_LEFT;
	}
	free(all);
}

static void save(const char *name, const uint8_t *file, size_t count)
{
	const int how = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	char own[NAME_BYTES];
	bool written;
	int fd;

	snprintf(own, sizeof(own), ".%ld-%s", (long)getpid(), name);
	fd = openat(folder, own, how, 0600);
	/* One with the same number was killed; or is there, and somebody else's loss. */
	if (fd < 0 && errno == EEXIST && !unlinkat(folder, own, 0))
		fd = openat(folder, own, how, 0600);
	if (fd < 0)
		return;
	written = write_all(fd, file, count);
	if (close(fd) || !written || renameat(folder, own, folder, name))
		unlinkat(folder, own, 0);
}

void vgt_store_add(const struct vgt_content *content)
{
	const struct vgt_image *image = &content->image;
	struct header *header;
	struct vgt_key key;
	uint8_t *file;
	size_t count;

	if (folder < 0 || !vgt_key_init(&key, content))
		return;
	count = sizeof(*header) + key.count + image->bytes;
	file = count <= FILE_MAX ? malloc(count) : NULL;
	if (file) {
		header = (struct header *)file;
		*header = (struct header){
			.key_bytes = key.count,
			.code_bytes = image->bytes,
			.entry = image->entry,
		};
		memcpy(header->magic, MAGIC, sizeof(header->magic));
		memcpy(file + sizeof(*header), key.bytes, key.count);
		memcpy(file + sizeof(*header) + key.count, image->code,
		       image->bytes);
		header->sum = sum_of(file, count);
		save(key.name, file, count);
		trim(count);
	}
	free(file);
	vgt_key_fini(&key);
}
