/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Modules of a client: program builds. All functions but the
 * handlers need the client's lock, where not said otherwise.
 */
#ifndef GTDBG_MODULE_H
#define GTDBG_MODULE_H

#include <linux/types.h>

#include "blob.h"

struct gtdbg_client;
struct gtdbg_file;
struct gtdbg_account;
struct gtdbg_session;

struct gtdbg_module {
	struct gtdbg_account *account; /* that has paid for the name; borrowed */
	u32 id;
	u64 handle;
	char *name;
	u32 name_len_bytes;
	struct gtdbg_blob source, elf;
};

/* No lock needed: no one else has the client yet, or any more. */
void gtdbg_modules_init(struct gtdbg_client *client);
void gtdbg_modules_fini(struct gtdbg_client *client);

/*
 * Copy a name from the caller; at least @shortest bytes, none of them NUL. No
 * lock is held.
 */
int gtdbg_module_copy_name(u64 address, u64 len_bytes, u64 shortest,
			   char **name_out);

/* What registering costs beside blobs: the objects are small, but many. */
int gtdbg_module_charge(struct gtdbg_account *account, u64 object_bytes,
			u64 name_len_bytes);
void gtdbg_module_uncharge(struct gtdbg_account *account, u64 object_bytes,
			   u64 name_len_bytes);

/* Replay all that there is to @session. */
int gtdbg_modules_replay(struct gtdbg_client *client,
			 struct gtdbg_session *session);

int gtdbg_ioctl_module_add(struct gtdbg_file *file, void *arg);
int gtdbg_ioctl_module_remove(struct gtdbg_file *file, void *arg);

#endif
