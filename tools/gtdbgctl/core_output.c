// SPDX-License-Identifier: MIT
/*
 * A core file holds what the program had in its memory, so it is for its owner
 * alone, and nobody else decides where it goes: the file is made new, beside the
 * place that it gets, and takes that place when it is complete. A link there is
 * refused, and so is all that is no file. Where the file system has files without
 * names it has none until then, so nothing is left of it if the tool is killed.
 */
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MAX	100

/* Is there nothing at that name, or a file that can be replaced? */
static int name_check(const struct core_output *output)
{
	struct stat info;

	if (fstatat(output->folder, output->name, &info, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISLNK(info.st_mode))
		return -ELOOP;
	return S_ISREG(info.st_mode) ? 0 : -EEXIST;
}

static int file_create_named(struct core_output *output)
{
	int i;

	for (i = 0; i < NAMES_MAX; i++) {
		snprintf(output->temporary, sizeof(output->temporary),
			 ".gtcore.%d.%d", getpid(), i);
		output->fd = openat(output->folder, output->temporary,
				    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
				    O_CLOEXEC, 0600);
		if (output->fd >= 0)
			return 0;
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

static int file_create(struct core_output *output)
{
	output->temporary[0] = 0;
	output->fd = openat(output->folder, ".",
			    O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (output->fd >= 0)
		return 0;
	return errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL ?
	       file_create_named(output) : -errno;
}

static int file_link(const struct core_output *output, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", output->fd);
	return linkat(AT_FDCWD, path, output->folder, name,
		      AT_SYMLINK_FOLLOW) ? -errno : 0;
}

/* A link replaces nothing, so the file gets another name first. */
static int file_link_over(struct core_output *output)
{
	int ret = -EEXIST, i;

	for (i = 0; i < NAMES_MAX && ret == -EEXIST; i++) {
		snprintf(output->temporary, sizeof(output->temporary),
			 ".gtcore.%d.%d", getpid(), i);
		ret = file_link(output, output->temporary);
	}
	if (ret)
		output->temporary[0] = 0;
	return ret;
}

static int file_name(struct core_output *output)
{
	int ret = -EEXIST;

	if (!output->temporary[0])
		ret = file_link(output, output->name);
	if (ret != -EEXIST)
		return ret;
	ret = name_check(output);
	if (!ret && !output->temporary[0])
		ret = file_link_over(output);
	if (ret || !renameat(output->folder, output->temporary,
			     output->folder, output->name))
		return ret;
	return -errno;
}

static void file_remove(const struct core_output *output)
{
	if (output->temporary[0])
		unlinkat(output->folder, output->temporary, 0);
}

int core_output_open(struct core_output *output, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int ret;

	memset(output, 0, sizeof(*output));
	output->name = slash ? slash + 1 : path;
	if (!*output->name)
		return -EISDIR;
	folder = slash ? strndup(path, slash - path + 1) : strdup(".");
	if (!folder)
		return -ENOMEM;
	output->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ret = output->folder < 0 ? -errno : 0;
	free(folder);
	if (ret)
		return ret;
	ret = name_check(output);
	if (!ret)
		ret = file_create(output);
	if (ret)
		close(output->folder);
	return ret;
}

static void write_at(struct core_output *output, uint64_t at,
		     const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len && !output->error) {
		ssize_t done = pwrite(output->fd, from, len, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			output->error = done ? -errno : -ENOSPC;
			return;
		}
		from += done;
		at += done;
		len -= done;
	}
}

void core_output_write(struct core_output *output, const void *bytes,
		       size_t len)
{
	write_at(output, output->at, bytes, len);
	output->at += len;
}

void core_output_align(struct core_output *output, uint64_t bytes)
{
	output->at = (output->at + bytes - 1) / bytes * bytes;
}

static void head_fill(Elf64_Ehdr *head, uint64_t headers_at, size_t count)
{
	memset(head, 0, sizeof(*head));
	memcpy(head->e_ident, ELFMAG, SELFMAG);
	head->e_ident[EI_CLASS] = ELFCLASS64;
	head->e_ident[EI_DATA] = ELFDATA2LSB;
	head->e_ident[EI_VERSION] = EV_CURRENT;
	head->e_type = ET_CORE;
	head->e_machine = EM_INTELGT;
	head->e_version = EV_CURRENT;
	head->e_phoff = headers_at;
	head->e_ehsize = sizeof(*head);
	head->e_phentsize = sizeof(Elf64_Phdr);
	head->e_phnum = count;
}

/* Into the file's order of bytes, and there. */
static void part_write(struct core_output *output, uint64_t at, Elf_Type type,
		       void *bytes, size_t len)
{
	Elf_Data data = {
		.d_buf = bytes, .d_size = len, .d_type = type,
		.d_version = EV_CURRENT,
	};

	elf_version(EV_CURRENT);
	if (!elf64_xlatetof(&data, &data, ELFDATA2LSB))
		output->error = output->error ? output->error : -EINVAL;
	write_at(output, at, bytes, len);
}

void core_output_head(struct core_output *output, Elf64_Phdr *headers,
		      size_t count)
{
	Elf64_Ehdr head;

	/* Zeroes at its end were left out. */
	if (!output->error && ftruncate(output->fd, (off_t)output->at))
		output->error = -errno;
	head_fill(&head, output->headers_at, count);
	part_write(output, output->headers_at, ELF_T_PHDR, headers,
		   count * sizeof(*headers));
	part_write(output, 0, ELF_T_EHDR, &head, sizeof(head));
}

/* Into another file, which takes the place of the first. */
static void compress(struct core_output *output)
{
	struct core_output plain = *output;
	int ret = file_create(output);

	if (ret) {
		*output = plain;
		output->error = ret;
		return;
	}
	output->error = core_compress(plain.fd, output->fd);
	close(plain.fd);
	file_remove(&plain);
}

int core_output_close(struct core_output *output)
{
	if (!output->error && output->is_compressed)
		compress(output);
	/* A full disk may say so only now. */
	if (!output->error && fsync(output->fd))
		output->error = -errno;
	if (!output->error)
		output->error = file_name(output);
	if (output->error)
		file_remove(output);
	close(output->fd);
	close(output->folder);
	return output->error;
}
