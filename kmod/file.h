/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An open /dev/gtdbg: by it a process becomes a client, or attaches to one.
 */
#ifndef GTDBG_FILE_H
#define GTDBG_FILE_H

struct file;
struct gtdbg_client;
struct gtdbg_info;

struct gtdbg_file {
	/* Set once, with gtdbg_registry_lock held; then constant. */
	struct gtdbg_client *client;
};

/* The client that has registered with @file, or NULL. Lives as long as @file. */
struct gtdbg_client *gtdbg_file_client(const struct gtdbg_file *file);

/*
 * The client behind descriptor @fd, referenced; it may have ended. -EBADF: that
 * is no open /dev/gtdbg; -EINVAL: no client has registered with it.
 */
struct gtdbg_client *gtdbg_file_client_get(int fd);

int gtdbg_file_init(void);
void gtdbg_file_fini(void);

/* The open /dev/gtdbg behind @filp, or NULL if it is something else. */
struct gtdbg_file *gtdbg_file_of(struct file *filp);

int gtdbg_info_fill(struct gtdbg_info *info);
int gtdbg_ioctl_info(struct gtdbg_file *file, void *arg);

#endif
