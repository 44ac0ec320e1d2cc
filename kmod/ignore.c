// SPDX-License-Identifier: GPL-2.0-only
/*
 * A count belongs to a breakpoint's program, in client->lock. Threads can take from it in
 * one area at one instruction only: whose program is bound first holds what is left,
 * until it is bound no more. Each thread takes a number, looks at the limit, and gives
 * back what is not below it. So what was taken in the area is what has passed, but for
 * threads that are about to stop there, which are seen then.
 *
 * To take one for a stop the limit is lowered first, and what was taken read behind
 * that: a thread that has found the old limit has taken its number before. What
 * the area's memory says is not believed: no more pass than the limit lets.
 */
#include "ignore.h"

#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/mutex.h>

#include "breakpoint.h"
#include "client.h"
#include "context.h"
#include "front.h"
#include "gt.h"
#include "program.h"
#include "session.h"
#include "table.h"

static_assert(GTDBG_SIP_IGNORE_OFFSET ==
	      GTDBG_SIP_TABLE_OFFSET + GTDBG_SIP_TABLE_BYTES);
static_assert(GTDBG_SIP_IGNORE_OFFSET +
	      GTDBG_SIP_IGNORES_MAX * GTDBG_SIP_IGNORE_BYTES ==
	      GTDBG_SIP_PROGRAM_OFFSET);
static_assert(sizeof(struct gtdbg_sip_ignore) == GTDBG_SIP_IGNORE_BYTES);

static u32 ignore_at(u32 number)
{
	return GTDBG_SIP_IGNORE_OFFSET + number * GTDBG_SIP_IGNORE_BYTES;
}

static int limit_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u32 number, u32 limit)
{
	int ret = gtdbg_front_write(gt, context, ignore_at(number) +
				    GTDBG_SIP_IGNORE_LIMIT, &limit,
				    sizeof(limit));

	/* What was taken is read behind that. */
	smp_mb();
	return ret;
}

/* How many have passed so far; true: their program is the breakpoint's still. */
static bool ignore_count(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 number, bool leaves)
{
	struct gtdbg_ignore *ignore =
		&gtdbg_table_ignores(context)->ignore[number];
	u32 taken, before = ignore->passed;

	if (!gtdbg_front_read(gt, context, ignore_at(number), &taken,
			      sizeof(taken)))
		ignore->passed = min(taken, ignore->limit);
	return gt->client &&
	       gtdbg_breakpoint_ignore_pass(gt->client, ignore->breakpoint,
					    ignore->serial,
					    (s32)(ignore->passed - before),
					    leaves);
}

static u32 number_get(struct gtdbg_ignores *ignores)
{
	u32 number = find_next_zero_bit(ignores->used, GTDBG_SIP_IGNORES_MAX,
					max(ignores->next, 1));

	if (number >= GTDBG_SIP_IGNORES_MAX)
		number = find_next_zero_bit(ignores->used,
					    GTDBG_SIP_IGNORES_MAX, 1);
	return number < GTDBG_SIP_IGNORES_MAX ? number : 0;
}

u32 gtdbg_ignore_begin(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       const struct gtdbg_program *program)
{
	struct gtdbg_ignores *ignores = gtdbg_table_ignores(context);
	struct gtdbg_sip_ignore image = { .taken = 0 };
	u32 number = number_get(ignores);

	lockdep_assert_held(&gt->lock);
	if (number)
		image.limit = gtdbg_breakpoint_ignore_hold(gt->client,
							   program->breakpoint,
							   program->serial);
	if (!image.limit)
		number = 0;
	/* Where that fails the program is not bound either. */
	if (gtdbg_front_write(gt, context, ignore_at(number), &image,
			      sizeof(image)))
		image.limit = 0;
	if (!number)
		return 0;
	ignores->ignore[number] = (struct gtdbg_ignore){
		.breakpoint = program->breakpoint,
		.serial = program->serial,
		.limit = image.limit,
	};
	ignores->next = (number + 1) % GTDBG_SIP_IGNORES_MAX;
	__set_bit(number, ignores->used);
	return number;
}

void gtdbg_ignore_end(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 number)
{
	struct gtdbg_ignores *ignores = gtdbg_table_ignores(context);

	if (!number || !test_bit(number, ignores->used))
		return;
	limit_write(gt, context, number, 0);
	ignore_count(gt, context, number, true);
	__clear_bit(number, ignores->used);
}

void gtdbg_ignores_end(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       bool readable)
{
	struct gtdbg_ignores *ignores = gtdbg_table_ignores(context);
	u32 number;

	for_each_set_bit(number, ignores->used, GTDBG_SIP_IGNORES_MAX) {
		struct gtdbg_ignore *ignore = &ignores->ignore[number];

		if (readable) {
			gtdbg_ignore_end(gt, context, number);
			continue;
		}
		if (gt->client)
			gtdbg_breakpoint_ignore_pass(gt->client,
						     ignore->breakpoint,
						     ignore->serial, 0, true);
		__clear_bit(number, ignores->used);
	}
}

void gtdbg_ignores_count(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_ignores *ignores = gtdbg_table_ignores(context);
	u32 number;

	if (bitmap_empty(ignores->used, GTDBG_SIP_IGNORES_MAX) ||
	    !gtdbg_table_usable(gt, context))
		return;
	for_each_set_bit(number, ignores->used, GTDBG_SIP_IGNORES_MAX)
		ignore_count(gt, context, number, false);
}

/* One less for threads, if one is left. */
static bool limit_lower(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 number)
{
	struct gtdbg_ignore *ignore =
		&gtdbg_table_ignores(context)->ignore[number];
	u32 taken;

	if (!ignore->limit ||
	    limit_write(gt, context, number, ignore->limit - 1))
		return false;
	if (gtdbg_front_read(gt, context, ignore_at(number), &taken,
			     sizeof(taken)) || taken >= ignore->limit) {
		limit_write(gt, context, number, ignore->limit);
		return false;
	}
	ignore->limit--;
	return true;
}

/* Counts what threads of the area have taken; true: one more was, if @take asks for it. */
static bool context_take(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 id, bool take)
{
	struct gtdbg_ignores *ignores = gtdbg_table_ignores(context);
	bool taken = false;
	u32 number;

	if (!ignores || !gtdbg_table_usable(gt, context))
		return false;
	for_each_set_bit(number, ignores->used, GTDBG_SIP_IGNORES_MAX) {
		struct gtdbg_ignore *ignore = &ignores->ignore[number];

		if (ignore->breakpoint != id ||
		    !ignore_count(gt, context, number, false) || !take ||
		    taken || !limit_lower(gt, context, number))
			continue;
		taken = gtdbg_breakpoint_ignore_pass(gt->client, id,
						     ignore->serial, 1, false);
	}
	return taken;
}

static bool gt_take(struct gtdbg_gt *gt, u32 id, bool take)
{
	struct gtdbg_context *context;
	bool taken = false;

	gtdbg_gt_begin(gt);
	list_for_each_entry(context, &gt->contexts, node)
		taken |= context_take(gt, context, id, take && !taken);
	return taken;
}

int gtdbg_ignore_take(struct gtdbg_session *session, u32 id, bool take)
{
	struct gtdbg_session_gts gts;
	bool taken = false;
	int ret = 0;
	u32 i;

	gtdbg_session_gts_get(session, &gts);
	for (i = 0; i < gts.count && !ret; i++) {
		ret = mutex_lock_killable(&gts.gt[i]->lock);
		if (ret)
			break;
		if (gtdbg_session_holds(session, gts.gt[i]))
			taken |= gt_take(gts.gt[i], id, take && !taken);
		mutex_unlock(&gts.gt[i]->lock);
	}
	gtdbg_session_gts_put(&gts);
	if (!ret && take && !taken)
		return gtdbg_breakpoint_ignore_take(session->client, id);
	/* What was taken counts, whatever followed. */
	return taken ? 1 : ret;
}
