/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_DEBUGFS_H
#define GTDBG_DEBUGFS_H

void gtdbg_debugfs_init(void);
void gtdbg_debugfs_fini(void);

#endif
