// SPDX-License-Identifier: GPL-2.0-only
#include "account.h"

#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>

#include "gtdbg.h"

#define ACCOUNT_HASH_BITS 8

static const u64 account_limit[GTDBG_ACCOUNT_KINDS] = {
	[GTDBG_ACCOUNT_BYTES] = GTDBG_CLIENT_BYTES_MAX,
	[GTDBG_ACCOUNT_EVENT_BYTES] = GTDBG_EVENT_BYTES_MAX,
	[GTDBG_ACCOUNT_CLIENTS] = GTDBG_CLIENTS_MAX,
	[GTDBG_ACCOUNT_DEVICES] = GTDBG_DEVICES_MAX,
};

static DEFINE_SPINLOCK(account_lock);
/* By user, whose sessions may be with many others; protected by account_lock. */
static DEFINE_HASHTABLE(accounts, ACCOUNT_HASH_BITS);

struct gtdbg_account {
	kuid_t user;
	kuid_t debugged; /* who causes the costs; invalid: the user */

	/* Protected by account_lock. */
	struct hlist_node node;
	u32 references;
	u64 used[GTDBG_ACCOUNT_KINDS];
};

static u32 account_key(kuid_t user, kuid_t debugged)
{
	return __kuid_val(user) * 31 + __kuid_val(debugged);
}

static struct gtdbg_account *account_find(kuid_t user, kuid_t debugged)
{
	struct gtdbg_account *account;

	lockdep_assert_held(&account_lock);
	hash_for_each_possible(accounts, account, node,
			       account_key(user, debugged))
		if (uid_eq(account->user, user) &&
		    uid_eq(account->debugged, debugged))
			return account;
	return NULL;
}

static struct gtdbg_account *account_get(kuid_t user, kuid_t debugged)
{
	struct gtdbg_account *fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
	struct gtdbg_account *account;

	if (!fresh)
		return NULL;
	fresh->user = user;
	fresh->debugged = debugged;
	spin_lock(&account_lock);
	account = account_find(user, debugged);
	if (!account) {
		account = fresh;
		hash_add(accounts, &account->node,
			 account_key(user, debugged));
		fresh = NULL;
	}
	account->references++;
	spin_unlock(&account_lock);
	kfree(fresh);
	return account;
}

struct gtdbg_account *gtdbg_account_share(struct gtdbg_account *account)
{
	spin_lock(&account_lock);
	account->references++;
	spin_unlock(&account_lock);
	return account;
}

struct gtdbg_account *gtdbg_account_get(void)
{
	return account_get(current_uid(), INVALID_UID);
}

struct gtdbg_account *
gtdbg_account_get_for(const struct gtdbg_account *debugged)
{
	return account_get(current_uid(), debugged->user);
}

void gtdbg_account_put(struct gtdbg_account *account)
{
	if (!account)
		return;
	spin_lock(&account_lock);
	if (--account->references)
		account = NULL;
	else
		hash_del(&account->node);
	spin_unlock(&account_lock);
	kfree(account);
}

int gtdbg_account_charge(struct gtdbg_account *account,
			 enum gtdbg_account_kind kind, u64 amount)
{
	int ret = -EDQUOT;

	spin_lock(&account_lock);
	if (amount <= account_limit[kind] - account->used[kind]) {
		account->used[kind] += amount;
		ret = 0;
	}
	spin_unlock(&account_lock);
	return ret;
}

void gtdbg_account_uncharge(struct gtdbg_account *account,
			    enum gtdbg_account_kind kind, u64 amount)
{
	spin_lock(&account_lock);
	account->used[kind] -= amount;
	spin_unlock(&account_lock);
}
