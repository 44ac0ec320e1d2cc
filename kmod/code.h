/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code of a kernel, as its client has registered it, and where instructions begin
 * in it. Nothing of it changes, so no lock is needed.
 */
#ifndef GTDBG_CODE_H
#define GTDBG_CODE_H

#include <linux/kref.h>
#include <linux/types.h>

#include "blob.h"

struct gtdbg_account;

struct gtdbg_code {
	struct kref ref;
	struct gtdbg_account *account; /* borrowed, as in a blob */
	struct gtdbg_blob isa;
	unsigned long *starts; /* a bit for each 8 bytes; NULL: no code */
	unsigned long *asserts; /* where GTDBG_ASSERT_MARK is; NULL: nowhere */
	u64 bits_bytes;
};

/* Copied from the caller's @address, and decoded. An error, -EINTR if killed. */
struct gtdbg_code *gtdbg_code_create(struct gtdbg_account *account, u64 address,
				     u64 len_bytes);
struct gtdbg_code *gtdbg_code_get(struct gtdbg_code *code);
void gtdbg_code_put(struct gtdbg_code *code);

/*
 * Does an instruction begin at @offset? 0 or -EINVAL. Where no code was
 * registered nothing is known: 0.
 */
int gtdbg_code_check_offset(const struct gtdbg_code *code, u64 offset);

/* Where the first instruction begins that is not before @offset; else the end. */
u64 gtdbg_code_next(const struct gtdbg_code *code, u64 offset);

/* Likewise, the first one that marks a failed assertion. */
u64 gtdbg_code_next_assert(const struct gtdbg_code *code, u64 offset);

#endif
