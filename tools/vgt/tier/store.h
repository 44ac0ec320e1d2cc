/* SPDX-License-Identifier: MIT */
/*
 * What earlier processes have compiled, in a folder: a file for each content, with all
 * that its code depends on (key.h), which is compared to the last byte. Code is executed,
 * so the folder and its files have to be this user's, and nobody else may write them. All
 * but vgt_store_open() may be called by any thread.
 */
#ifndef VGT_TIER_STORE_H
#define VGT_TIER_STORE_H

#include <stdbool.h>

struct vgt_content;

/*
 * Once, before threads run: 0, or a negative errno and the reason. The folder is made if
 * it is not there, and those above it, with mode 0700.
 */
int vgt_store_open(const char *folder, const char **why_out);

/*
 * Was there anything in it when it was opened, be it of another build? Who may wait for
 * what is compiled need not look if not.
 */
bool vgt_store_has_any(void);

/*
 * Code for @content, which has none: false if it is not there, or for want of memory.
 * What is damaged is deleted.
 */
bool vgt_store_find(struct vgt_content *content);

/*
 * For others to find, if there is space for it. Once in each process, and whenever it has
 * written 16 MiB, files of more than 256 MiB are looked for: those that were not used for
 * the longest time are deleted until 192 MiB are left.
 */
void vgt_store_add(const struct vgt_content *content);

#endif
