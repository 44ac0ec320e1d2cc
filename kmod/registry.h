/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GTs that there are, and whose client's work they run.
 */
#ifndef GTDBG_REGISTRY_H
#define GTDBG_REGISTRY_H

struct gtdbg_client;
struct gtdbg_gt;
struct seq_file;

/*
 * Let sessions see it; returns its id. -EDQUOT: its process has too many. After
 * another error it has been withdrawn.
 */
int gtdbg_registry_publish(struct gtdbg_gt *gt);

/*
 * The backend is gone, and its operations return -ENODEV from now on. After
 * this call they are not called any more.
 */
void gtdbg_registry_withdraw(struct gtdbg_gt *gt);

/* GTs of the process of a new @client, and the end. No lock is held. */
void gtdbg_registry_adopt(struct gtdbg_client *client);
void gtdbg_registry_disown(struct gtdbg_client *client);

/* Write down all GTs that are not busy, for people. Registry lock held. */
void gtdbg_registry_show(struct seq_file *out);

#endif
