/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each user has registered, so that one cannot use up the machine.
 */
#ifndef GTDBG_ACCOUNT_H
#define GTDBG_ACCOUNT_H

#include <linux/types.h>

struct gtdbg_account;

enum gtdbg_account_kind {
	GTDBG_ACCOUNT_BYTES, /* registered */
	GTDBG_ACCOUNT_EVENT_BYTES, /* queued */
	GTDBG_ACCOUNT_CLIENTS,
	GTDBG_ACCOUNT_DEVICES,
	GTDBG_ACCOUNT_KINDS,
};

/* The account of the calling user, or NULL if there is no memory for it. */
struct gtdbg_account *gtdbg_account_get(void);
/* Another reference to @account. */
struct gtdbg_account *gtdbg_account_share(struct gtdbg_account *account);

/*
 * That of the calling user for what the processes of @debugged's user cause: they
 * cannot use up what there is for others'. NULL: no memory.
 */
struct gtdbg_account *
gtdbg_account_get_for(const struct gtdbg_account *debugged);
void gtdbg_account_put(struct gtdbg_account *account);

/* Returns 0, or -EDQUOT with nothing charged. */
int gtdbg_account_charge(struct gtdbg_account *account,
			 enum gtdbg_account_kind kind, u64 amount);
void gtdbg_account_uncharge(struct gtdbg_account *account,
			    enum gtdbg_account_kind kind, u64 amount);

#endif
