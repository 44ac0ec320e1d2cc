/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_FILE_H
#define GTDBG_FILE_H

struct gtdbg_info;

/* An open /dev/gtdbg. */
struct gtdbg_file {
	int __unused;
};

int gtdbg_file_init(void);
void gtdbg_file_fini(void);

int gtdbg_ioctl_info(struct gtdbg_file *file, void *arg);

#endif
