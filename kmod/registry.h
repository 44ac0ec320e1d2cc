/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GTs that there are, and whose client's work they run. How they come and
 * go is in backend.h.
 */
#ifndef GTDBG_REGISTRY_H
#define GTDBG_REGISTRY_H

struct gtdbg_client;
struct gtdbg_gt;
struct seq_file;

/* The GTs of @client run no one's work any more. No lock is held. */
void gtdbg_registry_disown(struct gtdbg_client *client);

/* What pollers are to look for has changed: wake all. */
void gtdbg_registry_wake(void);

/* Write down all GTs that are not busy, for people. Registry lock held. */
void gtdbg_registry_show(struct seq_file *out);

#endif
