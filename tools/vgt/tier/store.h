/* SPDX-License-Identifier: MIT */
/*
 * What earlier processes have compiled, in a folder: a file for each content, with all
 * that its code depends on, which is compared to the last byte. Code is executed, so the
 * folder and its files have to be this user's alone.
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

/* Was there anything in it? */
bool vgt_store_has_any(void);

/*
 * Code for @content, which has none: false if it is not there. What is damaged is
 * deleted.
 */
bool vgt_store_get(struct vgt_content *content);

/*
 * For others to find. It may not be kept, as where there is no space, or if it is too
 * much: of 256 MiB the files that were used least of late are deleted.
 */
void vgt_store_put(const struct vgt_content *content);

#endif
