/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command buffers: what the program that runs has given to the engine is still
 * in them, and part of it is in no register. They are data of the target and
 * not trusted: every way through them is bounded.
 */
#ifndef GTDBG_BATCH_H
#define GTDBG_BATCH_H

#include <linux/bits.h>
#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

/* Dword 0: which command it is, unless it is one for the memory interface. */
#define GTDBG_BATCH_OPCODE GENMASK(31, 16)

#define GTDBG_BATCH_LEVELS 3 /* of batches that call each other */

/* A command on the way through a batch and those that it goes on to. */
struct gtdbg_batch {
	u64 address;
	u32 dword0;
	u32 dwords; /* its length */

	u32 left; /* how many may follow */
	u32 noops; /* in a row, up to this one */
	u32 level;
	u64 back[GTDBG_BATCH_LEVELS]; /* where each level's caller goes on */
};

/* The way of @commands commands at most that starts at @address. */
void gtdbg_batch_init(struct gtdbg_batch *batch, u64 address, u32 commands);

/* Its first or next command, flow of control apart. -ENOENT: it ends here. */
int gtdbg_batch_next(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     struct gtdbg_batch *batch);

/* Read @dwords dwords of the command from dword @first on. */
int gtdbg_batch_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     const struct gtdbg_batch *batch, u32 first, void *dword,
		     u32 dwords);

/* Where a STATE_BASE_ADDRESS command puts these. */
#define GTDBG_BATCH_BASE_GENERAL 1
#define GTDBG_BATCH_BASE_SURFACE 4
#define GTDBG_BATCH_BASE_DYNAMIC 6
#define GTDBG_BATCH_BASE_INSTRUCTION 10

/*
 * Does the command set the base at its dword @which? If so it is put into
 * @base.
 */
bool gtdbg_batch_base(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      const struct gtdbg_batch *batch, u32 which, u64 *base);

/*
 * Call @visit with the address of each batch that was started by the ring of
 * @context before its byte @end, the last first, until it returns 0. The GT's
 * lock is held. -ENOENT: it never did, or there is none.
 */
typedef int (*gtdbg_batch_visit)(void *data, u64 address);
int gtdbg_batch_each(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u32 end, gtdbg_batch_visit visit, void *data);

/*
 * A hash of what the ring has from byte @at on, where a batch was started: with the
 * number that i915 has given to the request, so that another request at the same place
 * has another hash. The GT's lock is held. -ENOENT: it cannot be read.
 */
int gtdbg_batch_request_hash(struct gtdbg_gt *gt, struct gtdbg_context *context,
			     u32 at, u32 *hash_out);

struct gtdbg_batch_bases {
	u64 instruction; /* instruction pointers count from here */
	u64 general; /* threads' scratch memory does from here */
	u64 surface; /* surface states do from here, 0: not known */
	u64 sip; /* no base, but where the SIP is, 0: not known */
};

/*
 * The GT's lock is held. A base that the command leaves as it was is not
 * touched in @bases. -ENOENT: no such command was found.
 */
int gtdbg_batch_find_bases(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   struct gtdbg_batch_bases *bases);

#endif
