/* SPDX-License-Identifier: MIT */
/* Files of source, whose paths are a program's word. Texts are to be freed. */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* To show it; NULL: there is none. */
char *source_file_read(const char *path);

/*
 * To give it to others: only such a file that a program of @owner could have read itself,
 * as its owner or because all may, of text. NULL: there is none, or none of up to @len_max
 * bytes.
 */
char *source_file_take(const char *path, uid_t owner, size_t len_max);

#endif
