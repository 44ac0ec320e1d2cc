/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_KFUNC_H
#define GTDBG_KFUNC_H

#include <linux/types.h>

struct gtdbg_stop;

/* Let BPF programs call them, where the kernel can. The module's end undoes it. */
void gtdbg_kfunc_init(void);

/* These are theirs; nobody else calls them. */
int gtdbg_stop_registers(const struct gtdbg_stop *stop, u32 set,
			 u32 offset_bytes, void *to, u32 to__sz);
int gtdbg_stop_memory(const struct gtdbg_stop *stop, u64 address, void *to,
		      u32 to__sz);
int gtdbg_stop_kernel(const struct gtdbg_stop *stop, char *to, u32 to__sz);
void gtdbg_stop_decide(struct gtdbg_stop *stop, u32 verdict);

#endif
