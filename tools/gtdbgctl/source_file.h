/* SPDX-License-Identifier: MIT */
/* Files of source, whose paths are a program's word. Texts are to be freed. */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* To show it; NULL: there is none. */
char *source_file_read(const char *path);

/* A process that could read files: below its own root, and as whom. */
struct source_reader {
	pid_t pid;
	uid_t uid;
	gid_t gid;
};

/* -1: it is not known as whom. */
int source_reader_find(pid_t pid, struct source_reader *out);

/*
 * To give it to others: only such a file that @reader could have read itself, as its owner
 * or because all may, without a link on the way to it, of text. NULL: there is none, or
 * none of up to @len_max bytes.
 */
char *source_file_take(const char *path, const struct source_reader *reader,
		       size_t len_max);

#endif
