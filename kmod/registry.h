/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GTs that there are, and whose client's work they run.
 */
#ifndef GTDBG_REGISTRY_H
#define GTDBG_REGISTRY_H

struct gtdbg_client;
struct gtdbg_gt;
struct seq_file;

/* Let sessions see it; returns its id. -EDQUOT: its process has too many. */
int gtdbg_registry_publish(struct gtdbg_gt *gt);

/*
 * The backend is gone, and its operations return -ENODEV from now on. After
 * this call they are not called any more.
 */
void gtdbg_registry_withdraw(struct gtdbg_gt *gt);

/* GTs of the process of a new @client, and the end. Registry lock held. */
void gtdbg_registry_adopt(struct gtdbg_client *client);
void gtdbg_registry_disown(struct gtdbg_client *client);

/*
 * A session came or went: start and stop pollers. Registry lock held. Fails only
 * where one could not be started.
 */
int gtdbg_registry_update(struct gtdbg_client *client);

/* Write down all GTs, for people. Registry lock held. */
void gtdbg_registry_show(struct seq_file *out);

#endif
