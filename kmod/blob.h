/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes that a client registers (source text, ELF file, code): a sealed memory
 * file, charged to the user, that sessions can open for reading.
 */
#ifndef GTDBG_BLOB_H
#define GTDBG_BLOB_H

#include <linux/types.h>

struct file;
struct gtdbg_account;
struct gtdbg_session;

struct gtdbg_blob {
	struct gtdbg_account *account; /* borrowed: outlives the blob */
	struct file *file; /* NULL: empty */
	u64 len_bytes;
};

/* Copy @len_bytes from the caller's @address. */
int gtdbg_blob_init(struct gtdbg_blob *blob, struct gtdbg_account *account,
		    u64 address, u64 len_bytes);
void gtdbg_blob_fini(struct gtdbg_blob *blob);

/* Returns the bytes that are there, up to @len_bytes, or a negative error. */
ssize_t gtdbg_blob_read(const struct gtdbg_blob *blob, loff_t offset, void *out,
			size_t len_bytes);

/* A new read-only file of the same bytes. -ENOENT: empty. */
struct file *gtdbg_blob_file(const struct gtdbg_blob *blob);

int gtdbg_ioctl_blob_open(struct gtdbg_session *session, void *arg);

#endif
