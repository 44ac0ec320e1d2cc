// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the area's memory holds is not believed: the program under the debugger can
 * write there. A copy of the tags says which bucket is whose.
 *
 * Threads look the table up at any time, so each change is one dword that takes
 * effect at once: a program is written before the bucket that leads to it, and a
 * bucket's value before its tag. The place of a program that is replaced may still be
 * read by a thread; places are taken in turn, so that it is not given away soon, and
 * a program that is mixed up with another one has a wrong checksum, which stops.
 */
#include "table.h"

#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "context.h"
#include "front.h"
#include "gt.h"
#include "ignore.h"
#include "load.h"
#include "ppgtt.h"
#include "program.h"
#include "record.h"
#include "savearea.h"
#include "trace.h"
#include "window.h"

#define BUCKETS (GTDBG_SIP_TABLE_BYTES / sizeof(struct gtdbg_sip_bucket))
#define TALLY_MS 10
#define TAG_KINDS 7 /* instructions begin at multiples of 8 */
#define PROBES_MAX 64 /* from its home: what a thread may have to read */

/*
 * In the copy: a thread may still be about to take a ticket there, which would
 * change the number of a program. Only another launch gets it, and that begins when
 * there is no such thread any more.
 */
#define TAG_LAUNCH_GONE (GTDBG_SIP_TABLE_GONE | GTDBG_SIP_TABLE_LAUNCH)

struct gtdbg_table {
	u64 base; /* of instructions: tags are relative to it */
	u32 tag[BUCKETS];
	u16 program[BUCKETS];
	u64 serial[BUCKETS]; /* of that program */
	u32 count[BUCKETS]; /* that was reported of it */
	u32 read[GTDBG_SIP_PROGRAMS_MAX]; /* the counters, as they are looked at */
	ktime_t tallied;
	DECLARE_BITMAP(used, GTDBG_SIP_PROGRAMS_MAX); /* places */
	u16 more[GTDBG_SIP_PROGRAMS_MAX]; /* the place of the next part, or MAX */
	u32 next; /* place to take next */
	struct gtdbg_windows windows;
	u16 ignore[BUCKETS]; /* of that program; 0: none, or another place's */
	struct gtdbg_ignores ignores;
};

/* Can the context's SIP decide anything, and where? */
static bool table_possible(const struct gtdbg_context *context)
{
	return context->savearea.address &&
	       context->savearea.sip == GTDBG_SIP_OWN &&
	       context->savearea.sip_minor >= GTDBG_SIP_MINOR_PROGRAM &&
	       context->savearea.slots_offset >= GTDBG_SIP_PROGRAM_OFFSET +
			GTDBG_SIP_PROGRAMS_MAX * GTDBG_SIP_PROGRAM_BYTES &&
	       context->bases.instruction;
}

bool gtdbg_table_usable(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	return table_possible(context) && gtdbg_front_usable(gt, context);
}

static bool table_is_current(const struct gtdbg_context *context)
{
	return context->table && table_possible(context) &&
	       context->table->base == context->bases.instruction;
}

/* 0, which is no tag: nothing can be decided at @address. */
static u32 tag_of(const struct gtdbg_context *context, u64 address, u32 kind)
{
	u64 ip = (address - context->bases.instruction) & GTDBG_ADDRESS_MASK;

	return ip > U32_MAX ? 0 : (u32)ip | kind;
}

static u64 tag_address(const struct gtdbg_table *table, u32 tag)
{
	return (table->base + (tag & ~TAG_KINDS)) & GTDBG_ADDRESS_MASK;
}

static u32 bucket_at(u32 bucket)
{
	return GTDBG_SIP_TABLE_OFFSET + bucket * sizeof(struct gtdbg_sip_bucket);
}

static u32 bucket_home(u32 tag)
{
	return (tag & GTDBG_SIP_TABLE_MASK) / sizeof(struct gtdbg_sip_bucket);
}

static int bucket_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 bucket, u32 offset, u32 value)
{
	return gtdbg_front_write(gt, context, bucket_at(bucket) + offset, &value,
				 sizeof(value));
}

/* The bucket with @tag, or BUCKETS. */
static u32 bucket_find(const struct gtdbg_table *table, u32 tag)
{
	u32 home = bucket_home(tag), i;

	for (i = home; i < min_t(u32, home + PROBES_MAX, BUCKETS); i++) {
		if (!table->tag[i])
			break;
		if (table->tag[i] == tag)
			return i;
	}
	return BUCKETS;
}

/* May @tag have a bucket whose tag is @other? */
static bool bucket_is_free(u32 other, u32 tag)
{
	return !other || other == GTDBG_SIP_TABLE_GONE ||
	       (other == TAG_LAUNCH_GONE && tag & GTDBG_SIP_TABLE_LAUNCH);
}

/* The bucket for @tag, or BUCKETS if there is no room. */
static u32 bucket_get(const struct gtdbg_table *table, u32 tag)
{
	u32 home = bucket_home(tag), i = bucket_find(table, tag);

	if (i != BUCKETS)
		return i;
	for (i = home; i < min_t(u32, home + PROBES_MAX, BUCKETS); i++)
		if (bucket_is_free(table->tag[i], tag))
			return i;
	return BUCKETS;
}

/* The context's table, made if there is none, empty if bases have changed. */
static struct gtdbg_table *table_get(struct gtdbg_gt *gt,
				     struct gtdbg_context *context)
{
	struct gtdbg_table *table;

	if (!gtdbg_table_usable(gt, context))
		return NULL;
	if (table_is_current(context))
		return context->table;
	gtdbg_table_clear(gt, context);
	if (gtdbg_context_charge(context, sizeof(*table)))
		return NULL;
	table = kvzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	if (!table) {
		gtdbg_context_uncharge(context, sizeof(*table));
		return NULL;
	}
	table->base = context->bases.instruction;
	context->table = table;
	return table;
}

/* Under an older SIP there are slots instead. */
static bool table_has_counts(const struct gtdbg_context *context)
{
	return context->savearea.sip_minor >= GTDBG_SIP_MINOR_COUNT &&
	       context->savearea.slots_offset >= GTDBG_SIP_COUNT_OFFSET +
			GTDBG_SIP_PROGRAMS_MAX * sizeof(u32);
}

static u32 count_at(u32 number)
{
	return GTDBG_SIP_COUNT_OFFSET + number * sizeof(u32);
}

static int count_clear(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u32 number)
{
	const u32 none = 0;

	return gtdbg_front_write(gt, context, count_at(number), &none,
				 sizeof(none));
}

static void count_report(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 bucket, u32 count)
{
	struct gtdbg_table *table = context->table;
	u64 address = tag_address(table, table->tag[bucket]);
	struct gtdbg_load *load = gtdbg_load_known(context, address);
	u32 passed = count - table->count[bucket];

	table->count[bucket] = count;
	if (passed)
		trace_gtdbg_decision(gt->id, context->id,
				     load ? load->kernel : 0, address, passed);
}

static bool bucket_has_program(const struct gtdbg_table *table, u32 bucket)
{
	u32 tag = table->tag[bucket];

	return tag && tag != GTDBG_SIP_TABLE_GONE &&
	       (tag & TAG_KINDS) == GTDBG_SIP_TABLE_PROGRAM;
}

/* Before the program of @bucket goes, or another one takes its place. */
static void bucket_tally(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 bucket)
{
	u32 count;

	if (!trace_gtdbg_decision_enabled() || !table_has_counts(context) ||
	    !bucket_has_program(context->table, bucket) ||
	    gtdbg_front_read(gt, context,
			     count_at(context->table->program[bucket]), &count,
			     sizeof(count)))
		return;
	count_report(gt, context, bucket, count);
}

/* Its threads take from no count any more. */
static void bucket_ignore_end(struct gtdbg_gt *gt,
			      struct gtdbg_context *context, u32 bucket)
{
	gtdbg_ignore_end(gt, context, context->table->ignore[bucket]);
	context->table->ignore[bucket] = 0;
}

/* All of them at once: they lie in one page, most of the time. */
static void table_tally(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_table *table = context->table;
	u32 i, number;

	if (!table_has_counts(context) || !gtdbg_table_usable(gt, context) ||
	    !table_is_current(context) ||
	    gtdbg_front_read(gt, context, count_at(0), table->read,
			     sizeof(table->read)))
		return;
	for (i = 0; i < BUCKETS; i++) {
		number = table->program[i];
		if (bucket_has_program(table, i) &&
		    table->read[number] != table->count[i])
			count_report(gt, context, i, table->read[number]);
	}
}

void gtdbg_tables_tally(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry(context, &gt->contexts, node) {
		if (context->table)
			gtdbg_ignores_count(gt, context);
		if (!context->table || !trace_gtdbg_decision_enabled() ||
		    ktime_ms_delta(ktime_get(), context->table->tallied) <
			    TALLY_MS)
			continue;
		context->table->tallied = ktime_get();
		table_tally(gt, context);
	}
}

/* A place, as long after its last use as can be; MAX: there is none. */
static u32 place_take(struct gtdbg_table *table)
{
	u32 number = find_next_zero_bit(table->used, GTDBG_SIP_PROGRAMS_MAX,
					table->next);

	if (number >= GTDBG_SIP_PROGRAMS_MAX)
		number = find_first_zero_bit(table->used,
					     GTDBG_SIP_PROGRAMS_MAX);
	if (number >= GTDBG_SIP_PROGRAMS_MAX)
		return GTDBG_SIP_PROGRAMS_MAX;
	table->next = (number + 1) % GTDBG_SIP_PROGRAMS_MAX;
	table->more[number] = GTDBG_SIP_PROGRAMS_MAX;
	__set_bit(number, table->used);
	return number;
}

/* All parts of the program whose first one is there. */
static void program_leave(struct gtdbg_table *table, u32 number)
{
	for (; number < GTDBG_SIP_PROGRAMS_MAX; number = table->more[number])
		__clear_bit(number, table->used);
}

/*
 * Places for the program of @bucket: the first one, or MAX: there are none. If all are
 * in use the one that it has is written over: a thread that reads it meanwhile finds
 * a wrong checksum.
 */
static u32 program_take(struct gtdbg_table *table, u32 bucket, u32 tag,
			u32 parts)
{
	u32 first = GTDBG_SIP_PROGRAMS_MAX, number, i;

	for (i = 0; i < parts; i++) {
		number = place_take(table);
		if (number == GTDBG_SIP_PROGRAMS_MAX)
			break;
		table->more[number] = first;
		first = number;
	}
	if (i == parts)
		return first;
	program_leave(table, first);
	if (parts > 1 || table->tag[bucket] != tag ||
	    table->more[table->program[bucket]] < GTDBG_SIP_PROGRAMS_MAX)
		return GTDBG_SIP_PROGRAMS_MAX;
	return table->program[bucket];
}

static u32 program_parts(const struct gtdbg_program *program)
{
	return program->count <= GTDBG_SIP_OPS_MAX ? 1 :
	       DIV_ROUND_UP(program->count - 1, GTDBG_SIP_OPS_MAX - 1);
}

/* The operations of a part; behind each but the last one stands where it goes on. */
static void part_fill(struct gtdbg_sip_program *image,
		      const struct gtdbg_program *program, u32 part, u32 more)
{
	u32 start = part * (GTDBG_SIP_OPS_MAX - 1);
	u32 count = min_t(u32, program->count - start, GTDBG_SIP_OPS_MAX);

	if (more < GTDBG_SIP_PROGRAMS_MAX) {
		count = GTDBG_SIP_OPS_MAX - 1;
		image->op[count].op = GTDBG_SIP_OP_MORE;
		image->op[count].a = more;
	}
	memcpy(image->op, program->op + start, count * sizeof(image->op[0]));
}

/* Its windows are those from @window on, and its count is @ignore. */
static void part_lead(struct gtdbg_sip_program *image, u32 window, u32 ignore)
{
	u32 i;

	for (i = 0; i < GTDBG_SIP_OPS_MAX; i++) {
		if (image->op[i].op == GTDBG_SIP_OP_GLOBAL &&
		    !(image->op[i].c & GTDBG_SIP_GLOBAL_OWN))
			image->op[i].a += window;
		else if (image->op[i].op == GTDBG_SIP_OP_IGNORE)
			image->op[i].a = ignore * GTDBG_SIP_IGNORE_BYTES;
	}
}

static int part_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 number, u32 tag,
		      const struct gtdbg_sip_program *image)
{
	u32 dword[sizeof(*image) / sizeof(u32)], i;

	memcpy(dword, image, sizeof(dword));
	dword[0] = GTDBG_SIP_PROGRAM_MAGIC ^ tag;
	for (i = 1; i < ARRAY_SIZE(dword); i++)
		dword[0] ^= dword[i];
	return gtdbg_front_write(gt, context, GTDBG_SIP_PROGRAM_OFFSET +
				 number * GTDBG_SIP_PROGRAM_BYTES, dword,
				 sizeof(dword));
}

/* If it is written over its counter was tallied before, and begins anew. */
static int program_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 bucket, u32 first, u32 tag,
			 const struct gtdbg_program *program)
{
	struct gtdbg_table *table = context->table;
	u32 number = first, part, window;
	int ret = 0;

	if (!gtdbg_windows_take(gt, context, tag_address(table, tag),
				program->windows, &window))
		return -ENOSPC;

	table->ignore[bucket] = program->ignore ?
		gtdbg_ignore_begin(gt, context, program) : 0;
	if (table_has_counts(context)) {
		ret = count_clear(gt, context, first);
		if (table->program[bucket] == first)
			table->count[bucket] = 0;
	}
	for (part = 0; !ret && number < GTDBG_SIP_PROGRAMS_MAX; part++) {
		struct gtdbg_sip_program image = {
			.count = table_has_counts(context) ?
				 first * sizeof(u32) : 0,
		};

		/* An older SIP knows no parts, and has none. */
		if (program->count > GTDBG_SIP_OPS_MAX) {
			image.part = ((u32)program->serial *
				      GTDBG_SIP_PARTS_MAX | part) &
				     ~GTDBG_SIP_PROGRAM_FLAGS;
			image.first = first;
		}
		if (program->sure)
			image.part |= GTDBG_SIP_PROGRAM_SURE;
		part_fill(&image, program, part, table->more[number]);
		part_lead(&image, window, table->ignore[bucket]);
		ret = part_write(gt, context, number, tag, &image);
		number = table->more[number];
	}
	return ret;
}

/* The bucket leads to the program @number, and to no other one. */
static int bucket_lead(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u32 bucket, u32 tag, u32 number)
{
	struct gtdbg_table *table = context->table;
	int ret;

	ret = bucket_write(gt, context, bucket, GTDBG_SIP_TABLE_VALUE, number);
	if (!ret)
		ret = bucket_write(gt, context, bucket, 0, tag);
	if (ret)
		return ret;
	if (table->tag[bucket] == tag)
		program_leave(table, table->program[bucket]);
	table->tag[bucket] = tag;
	table->count[bucket] = 0;
	table->program[bucket] = number;
	for (; number < GTDBG_SIP_PROGRAMS_MAX; number = table->more[number])
		__set_bit(number, table->used);
	return 0;
}

int gtdbg_table_bind(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, const struct gtdbg_program *program)
{
	struct gtdbg_table *table = table_get(gt, context);
	u32 tag = tag_of(context, address, GTDBG_SIP_TABLE_PROGRAM);
	u32 bucket, number;
	int ret = -ENOSPC;

	lockdep_assert_held(&gt->lock);
	if (!table || !tag)
		return -EOPNOTSUPP;
	if (context->savearea.sip_minor < program->sip_minor) {
		gtdbg_table_unbind(gt, context, address);
		return -EOPNOTSUPP;
	}
	bucket = bucket_get(table, tag);
	if (bucket == BUCKETS)
		return -ENOSPC;
	if (table->tag[bucket] == tag &&
	    table->serial[bucket] == program->serial)
		return 0;
	bucket_tally(gt, context, bucket);
	bucket_ignore_end(gt, context, bucket);
	number = program_take(table, bucket, tag, program_parts(program));
	if (number < GTDBG_SIP_PROGRAMS_MAX)
		ret = program->records ? gtdbg_ring_begin(gt, context) : 0;
	if (!ret)
		ret = program_write(gt, context, bucket, number, tag,
				    program);
	if (!ret)
		ret = bucket_lead(gt, context, bucket, tag, number);
	if (!ret) {
		table->serial[bucket] = program->serial;
		return 0;
	}
	/* Whatever decided there before is to decide no more. */
	program_leave(table, number);
	bucket_ignore_end(gt, context, bucket);
	gtdbg_windows_leave(gt, context, tag_address(table, tag));
	gtdbg_table_unbind(gt, context, address);
	return ret;
}

/* Returns the bucket that was left, or BUCKETS. */
static u32 bucket_leave(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address, u32 kind)
{
	u32 bucket;

	lockdep_assert_held(&gt->lock);
	if (!context->table || !gtdbg_table_usable(gt, context) ||
	    !table_is_current(context))
		return BUCKETS;
	bucket = bucket_find(context->table, tag_of(context, address, kind));
	if (bucket == BUCKETS)
		return BUCKETS;
	bucket_tally(gt, context, bucket);
	bucket_ignore_end(gt, context, bucket);
	bucket_write(gt, context, bucket, 0, GTDBG_SIP_TABLE_GONE);
	context->table->tag[bucket] = GTDBG_SIP_TABLE_GONE | kind;
	return bucket;
}

void gtdbg_table_unbind(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address)
{
	u32 bucket = bucket_leave(gt, context, address,
				  GTDBG_SIP_TABLE_PROGRAM);

	if (bucket == BUCKETS)
		return;
	program_leave(context->table, context->table->program[bucket]);
	gtdbg_windows_leave(gt, context, address & GTDBG_ADDRESS_MASK);
}

struct gtdbg_windows *gtdbg_table_windows(const struct gtdbg_context *context)
{
	return context->table ? &context->table->windows : NULL;
}

struct gtdbg_ignores *gtdbg_table_ignores(const struct gtdbg_context *context)
{
	return context->table ? &context->table->ignores : NULL;
}

/*
 * Launches
 */

int gtdbg_table_count(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, u32 count)
{
	struct gtdbg_table *table = table_get(gt, context);
	u32 tag = tag_of(context, address, GTDBG_SIP_TABLE_LAUNCH), bucket;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (!table || !tag)
		return -EOPNOTSUPP;
	bucket = bucket_get(table, tag);
	if (bucket == BUCKETS)
		return -ENOSPC;
	ret = bucket_write(gt, context, bucket, GTDBG_SIP_TABLE_VALUE, count);
	if (!ret)
		ret = bucket_write(gt, context, bucket, 0, tag);
	if (!ret)
		table->tag[bucket] = tag;
	return ret;
}

void gtdbg_table_uncount(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address)
{
	/* The next launch may come without being seen. */
	gtdbg_windows_close(gt, context);
	bucket_leave(gt, context, address, GTDBG_SIP_TABLE_LAUNCH);
}

bool gtdbg_table_left(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, s32 *left_out)
{
	u32 bucket;

	return gtdbg_table_counts(context, address, &bucket) &&
	       !gtdbg_front_read(gt, context, GTDBG_SIP_TABLE_OFFSET +
				 GTDBG_SIP_TABLE_VALUE + bucket, left_out,
				 sizeof(*left_out));
}

bool gtdbg_table_counts(const struct gtdbg_context *context, u64 address,
			u32 *bucket_out)
{
	u32 bucket = BUCKETS;

	if (table_is_current(context))
		bucket = bucket_find(context->table,
				     tag_of(context, address,
					    GTDBG_SIP_TABLE_LAUNCH));
	*bucket_out = bucket * sizeof(struct gtdbg_sip_bucket);
	return bucket != BUCKETS;
}

bool gtdbg_table_decides(const struct gtdbg_context *context,
			 const struct gtdbg_load *load, u64 address)
{
	u32 bucket;

	return table_is_current(context) &&
	       bucket_find(context->table,
			   tag_of(context, address,
				  GTDBG_SIP_TABLE_PROGRAM)) != BUCKETS &&
	       (!gtdbg_windows_has(context, address) ||
		(load && gtdbg_table_counts(context, load->address, &bucket)));
}

void gtdbg_table_clear(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	static const u8 zero[GTDBG_SIP_TABLE_BYTES];

	lockdep_assert_held(&gt->lock);
	if (context->table && trace_gtdbg_decision_enabled())
		table_tally(gt, context);
	if (gtdbg_table_usable(gt, context)) {
		if (context->table)
			gtdbg_ignores_end(gt, context, true);
		gtdbg_windows_clear(gt, context);
		gtdbg_front_write(gt, context, bucket_at(0), zero, sizeof(zero));
	}
	gtdbg_table_destroy(gt, context);
}

void gtdbg_table_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (!context->table)
		return;
	gtdbg_ignores_end(gt, context, false);
	gtdbg_context_uncharge(context, sizeof(*context->table));
	kvfree(context->table);
	context->table = NULL;
}
