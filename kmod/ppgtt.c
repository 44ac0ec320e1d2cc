// SPDX-License-Identifier: GPL-2.0-only
#include "ppgtt.h"

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/gtdbg.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "context.h"
#include "gt.h"
#include "hw.h"

#define WALK_PAGE_BYTES 4096
#define WALK_ENTRIES 512
#define WALK_LEVELS 4
#define WALK_PRESENT BIT_ULL(0)
#define WALK_WRITABLE BIT_ULL(1)
#define WALK_LARGE BIT_ULL(7) /* 1 GiB in level 2, 2 MiB in level 1 */
#define WALK_64K BIT_ULL(11) /* in level 1: 16 entries make one page */
#define WALK_ADDRESS GENMASK_ULL(45, 12)

/*
 * One piece of a search. Garbage may make a tree of tables that has no end, so
 * only time bounds it; how often the clock is looked at, pages and tables do.
 */
#define WALK_SEARCH_MS 10
#define WALK_LOOKS 256
#define WALK_TABLE_LOOKS 16 /* what a table takes, in pages */
#define WALK_LIST_TABLES 64 /* of one call of a list */
#define FETCH_PAGES 17 /* 64 KiB that begin within the first one */

/* Level 3 is the top. */
static u32 walk_shift(u32 level)
{
	return 12 + 9 * level;
}

static int walk_entry(struct gtdbg_gt *gt, u64 table, u32 index, u64 *entry_out)
{
	return gtdbg_hw_memory_read(gt, table + index * 8, entry_out,
				    sizeof(*entry_out));
}

/* The last-level table of @address, or, with a large page, its physical page. */
static int walk_to_table(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address, u64 *table_out, u32 *page_shift_out)
{
	u64 table = context->pml4, entry;
	u32 level;
	int ret;

	context->walk_writable = true;
	for (level = WALK_LEVELS - 1; level > 0; level--) {
		u32 index = address >> walk_shift(level) & (WALK_ENTRIES - 1);

		ret = walk_entry(gt, table, index, &entry);
		if (ret)
			return ret;
		if (!(entry & WALK_PRESENT))
			return -EFAULT;
		if (!(entry & WALK_WRITABLE))
			context->walk_writable = false;
		table = entry & WALK_ADDRESS;
		if (level < WALK_LEVELS - 1 && entry & WALK_LARGE) {
			*page_shift_out = walk_shift(level);
			*table_out = table;
			return 0;
		}
	}
	*page_shift_out = entry & WALK_64K ? 16 : 12;
	*table_out = table;
	return 0;
}

static int walk_to_page(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address, u64 *phys_out)
{
	u64 tag, table, entry;
	u32 shift = 12, index;
	int ret;

	tag = address >> walk_shift(1) << 1 | 1;
	if (context->walk_tag == tag) {
		table = context->walk_table;
	} else {
		ret = walk_to_table(gt, context, address, &table, &shift);
		if (ret)
			return ret;
		if (shift > 16) {
			u64 mask = BIT_ULL(shift) - 1;

			context->page_writable = context->walk_writable;
			*phys_out = (table & ~mask) | (address & mask);
			return 0;
		}
	}
	index = address >> 12 & (WALK_ENTRIES - 1);
	if (shift == 16)
		index &= ~15U;
	ret = walk_entry(gt, table, index, &entry);
	if (ret)
		return ret;
	if (!(entry & WALK_PRESENT))
		return -EFAULT;
	context->page_writable = context->walk_writable &&
				 entry & WALK_WRITABLE;
	if (shift == 12) {
		context->walk_tag = tag;
		context->walk_table = table;
	}
	*phys_out = (entry & WALK_ADDRESS & ~(BIT_ULL(shift) - 1)) |
		    (address & (BIT_ULL(shift) - 1));
	return 0;
}

int gtdbg_ppgtt_walk(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, u64 *phys_out)
{
	u64 tag, in_page = address % WALK_PAGE_BYTES;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (!gtdbg_context_reachable(gt, context, false))
		return -EAGAIN;
	gtdbg_context_refresh(gt, context);
	address &= GTDBG_ADDRESS_MASK;
	tag = (address - in_page) | 1;
	if (context->page_tag != tag) {
		ret = walk_to_page(gt, context, address - in_page,
				   &context->page_phys);
		context->page_tag = ret ? 0 : tag;
		if (ret)
			return ret;
	}
	*phys_out = context->page_phys | in_page;
	return 0;
}

void gtdbg_ppgtt_forget(struct gtdbg_context *context)
{
	context->walk_tag = 0;
	context->page_tag = 0;
}

static int walk_anew(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, u64 *phys_out)
{
	gtdbg_ppgtt_forget(context);
	return gtdbg_ppgtt_walk(gt, context, address, phys_out);
}

/*
 * The page of the top table of @context, which is on the engine; NULL: it is not. The
 * page cannot become anything else before it is let go of: if it is on the engine again
 * then, it has been the same address space all the time, and what was walked in between
 * were its tables.
 */
static void *top_hold(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	void *top = gtdbg_hw_memory_hold(gt, context->pml4);

	if (!top)
		return NULL;
	/* What was seen before it was held may have gone by then. */
	gtdbg_ppgtt_forget(context);
	if (gtdbg_context_on_engine(gt, context))
		return top;
	gtdbg_hw_memory_release(gt, top);
	return NULL;
}

/* Is it there again, and the client's? */
static int top_confirm(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       void *top)
{
	return gtdbg_hw_memory_is(gt, context->pml4, top) &&
	       gtdbg_context_reachable(gt, context, true) ? 0 : -EAGAIN;
}

/*
 * Is @address at @phys, is what is held there still, is it the client's, and may it be
 * written? The driver maps what a program may only read, as a file's pages may be, so
 * that the GPU cannot write it either.
 */
static int walk_confirm(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address, u64 phys, void *held)
{
	void *top = top_hold(gt, context);
	u64 now;
	int ret;

	if (!top)
		return -EAGAIN;
	ret = gtdbg_ppgtt_walk(gt, context, address, &now);
	if (!ret && !context->page_writable)
		ret = -EFAULT;
	if (!ret && (now != phys || !gtdbg_hw_memory_is(gt, phys, held)))
		ret = -EAGAIN;
	if (!ret)
		ret = top_confirm(gt, context, top);
	gtdbg_hw_memory_release(gt, top);
	return ret;
}

/*
 * What is shared with others is looked at anew: a context may have left the engine and
 * be back, and what it had mapped may be someone else's memory. A page that is held
 * and still the context's then does not become anyone's before it is written.
 */
static int write_shared(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address, const void *buf, u32 len_bytes)
{
	void *held;
	u64 phys;
	int ret;

	ret = walk_anew(gt, context, address, &phys);
	if (ret)
		return ret;
	held = gtdbg_hw_memory_hold(gt, phys);
	if (!held)
		return -EFAULT;
	ret = walk_confirm(gt, context, address, phys, held);
	/* An IOMMU may have another page at @phys by now. */
	if (!ret)
		gt->ops->kept_copy(held, phys % WALK_PAGE_BYTES, (void *)buf,
				   len_bytes, true);
	gtdbg_hw_memory_release(gt, held);
	return ret;
}

static int keep_page(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, void **page_out)
{
	u64 phys;
	int ret = gtdbg_ppgtt_walk(gt, context, address, &phys);

	if (ret)
		return ret;
	*page_out = context->page_writable ? gtdbg_hw_memory_keep(gt, phys) :
					     NULL;
	return *page_out ? 0 : -EFAULT;
}

/* Are @pages what is mapped there now? */
static int keep_compare(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address, void *const *pages, u32 count)
{
	void *page;
	u32 i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = keep_page(gt, context, address + i * WALK_PAGE_BYTES,
				&page);
		if (ret)
			return ret;
		gt->ops->memory_unkeep(page);
		if (page != pages[i])
			return -EAGAIN;
	}
	return 0;
}

/* As above, but for the client's area. */
static int keep_confirm(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address, void *const *pages, u32 count)
{
	void *top = top_hold(gt, context);
	int ret;

	if (!top)
		return -EAGAIN;
	ret = keep_compare(gt, context, address, pages, count) ?:
	      top_confirm(gt, context, top);
	gtdbg_hw_memory_release(gt, top);
	return ret;
}

int gtdbg_ppgtt_keep(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, void **pages, u32 count)
{
	u32 done;
	int ret = 0;

	lockdep_assert_held(&gt->lock);
	gtdbg_ppgtt_forget(context);
	for (done = 0; done < count && !ret; done++)
		ret = keep_page(gt, context, address + done * WALK_PAGE_BYTES,
				&pages[done]);
	if (!ret)
		ret = keep_confirm(gt, context, address, pages, count);
	else
		done--;
	while (ret && done)
		gt->ops->memory_unkeep(pages[--done]);
	return ret;
}

/* Within one page of 4 KiB. */
static int copy_piece(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, void *buf, u32 len_bytes, bool write)
{
	u64 phys;
	int ret;

	if (write && gt->ops->is_shared)
		return write_shared(gt, context, address, buf, len_bytes);
	ret = gtdbg_ppgtt_walk(gt, context, address, &phys);
	if (ret)
		return ret;
	return write ? gtdbg_hw_memory_write(gt, phys, buf, len_bytes) :
		       gtdbg_hw_memory_read(gt, phys, buf, len_bytes);
}

ssize_t gtdbg_ppgtt_copy(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address, void *buf, u32 len_bytes, bool write)
{
	u32 done = 0;
	int ret = 0;

	while (done < len_bytes) {
		u64 at = (address + done) & GTDBG_ADDRESS_MASK;
		u32 bytes = min_t(u32, len_bytes - done,
				  WALK_PAGE_BYTES - at % WALK_PAGE_BYTES);

		ret = copy_piece(gt, context, at, buf + done, bytes, write);
		if (ret)
			break;
		done += bytes;
	}
	return done ? (ssize_t)done : ret;
}

/* Pages that are read at once. */
struct fetch {
	void *held[FETCH_PAGES];
	u64 phys[FETCH_PAGES];
	u32 count;
};

/* Within one page. */
static u32 fetch_bytes(u64 address, u32 len_bytes)
{
	return min_t(u64, len_bytes,
		     WALK_PAGE_BYTES - address % WALK_PAGE_BYTES);
}

static int fetch_hold(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      struct fetch *fetch, u64 address)
{
	u64 phys;
	void *held;
	int ret;

	ret = gtdbg_ppgtt_walk(gt, context, address, &phys);
	if (ret)
		return ret;
	held = gtdbg_hw_memory_hold(gt, phys);
	if (!held)
		return -EFAULT;
	fetch->phys[fetch->count] = phys;
	fetch->held[fetch->count++] = held;
	return 0;
}

static bool fetch_compare(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  const struct fetch *fetch, u64 address)
{
	u64 phys, at;
	u32 i;

	for (i = 0; i < fetch->count; i++) {
		/* Of the first page it may be the middle. */
		at = i ? (address & ~(WALK_PAGE_BYTES - 1ULL)) +
			 (u64)i * WALK_PAGE_BYTES : address;
		if (gtdbg_ppgtt_walk(gt, context, at, &phys) ||
		    phys != fetch->phys[i] ||
		    !gtdbg_hw_memory_is(gt, phys, fetch->held[i]))
			return false;
	}
	return true;
}

/* As for writes: they are the context's, who is on the engine, while they are held. */
static bool fetch_confirm(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  const struct fetch *fetch, u64 address)
{
	void *top = top_hold(gt, context);
	bool same;

	if (!top)
		return false;
	same = fetch_compare(gt, context, fetch, address) &&
	       !top_confirm(gt, context, top);
	gtdbg_hw_memory_release(gt, top);
	return same;
}

/* They are held, so whose they were found to be they still are. */
static void fetch_copy(struct gtdbg_gt *gt, const struct fetch *fetch, void *buf,
		       u32 len_bytes)
{
	u32 done = 0, bytes, i;

	for (i = 0; i < fetch->count; i++) {
		bytes = fetch_bytes(fetch->phys[i], len_bytes - done);
		gt->ops->kept_copy(fetch->held[i],
				   fetch->phys[i] % WALK_PAGE_BYTES, buf + done,
				   bytes, false);
		done += bytes;
	}
}

ssize_t gtdbg_ppgtt_fetch(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 address, void *buf, u32 len_bytes)
{
	struct fetch fetch = { .count = 0 };
	u32 done = 0;
	int ret = 0;

	lockdep_assert_held(&gt->lock);
	if (!gt->ops->is_shared)
		return gtdbg_ppgtt_copy(gt, context, address, buf, len_bytes,
					false);
	gtdbg_ppgtt_forget(context);
	while (done < len_bytes && fetch.count < FETCH_PAGES) {
		ret = fetch_hold(gt, context, &fetch, address + done);
		if (ret)
			break;
		done += fetch_bytes(address + done, len_bytes - done);
	}
	if (fetch_confirm(gt, context, &fetch, address))
		fetch_copy(gt, &fetch, buf, done);
	else
		ret = -EAGAIN;
	while (fetch.count)
		gtdbg_hw_memory_release(gt, fetch.held[--fetch.count]);
	return ret == -EAGAIN || !done ? ret : (ssize_t)done;
}

int gtdbg_ppgtt_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, void *buf, u32 len_bytes)
{
	ssize_t done = gtdbg_ppgtt_copy(gt, context, address, buf, len_bytes,
					false);

	if (done < 0)
		return done;
	return done == len_bytes ? 0 : -EFAULT;
}

int gtdbg_ppgtt_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, const void *buf, u32 len_bytes)
{
	ssize_t done = gtdbg_ppgtt_copy(gt, context, address, (void *)buf,
					len_bytes, true);

	if (done < 0)
		return done;
	return done == len_bytes ? 0 : -EFAULT;
}

struct walk_search {
	struct gtdbg_gt *gt;
	struct gtdbg_context *context;
	gtdbg_ppgtt_visit visit;
	void *data;
	u64 at; /* all below has been looked at */
	u32 looks; /* at pages and tables, until the next look at the clock */
	ktime_t end;
	u32 step; /* entries of the lowest level that make one page */
	u64 *table[WALK_LEVELS]; /* one page for each level */
	u64 phys[WALK_LEVELS]; /* where they are */
};

/* Is it someone else's turn? The search goes on later, where it is. */
static bool walk_search_over(struct walk_search *search, u32 looks)
{
	if (search->looks > looks) {
		search->looks -= looks;
		return false;
	}
	search->looks = WALK_LOOKS;
	cond_resched();
	return ktime_after(ktime_get(), search->end) ||
	       !gtdbg_context_reachable(search->gt, search->context, true);
}

/* A page at @phys: what is looked for may lie at any 4 KiB of a larger one. */
static int walk_search_page(struct walk_search *search, u64 address, u64 phys,
			    u64 len_bytes)
{
	u64 at = search->at > address ? search->at - address : 0, qword0;
	int ret;

	phys &= ~(len_bytes - 1);
	for (; at < len_bytes; at += WALK_PAGE_BYTES) {
		search->at = address + at;
		if (walk_search_over(search, 1))
			return -EAGAIN;
		ret = gtdbg_hw_memory_read(search->gt, phys + at, &qword0,
					   sizeof(qword0));
		/* Behind the end of memory there is nothing to come. */
		if (ret)
			return ret == -EFAULT ? 0 : ret;
		ret = search->visit(search->data, address + at, qword0);
		if (ret)
			return ret;
	}
	return 0;
}

/* Is the table at @phys one of those above? Right tables have no loops. */
static bool walk_search_loops(const struct walk_search *search, u32 level,
			      u64 phys)
{
	while (level < WALK_LEVELS)
		if (search->phys[level++] == phys)
			return true;
	return false;
}

static int walk_search_table(struct walk_search *search, u32 level, u64 phys,
			     u64 base);

/* What one entry of a table at @level leads to. */
static int walk_search_entry(struct walk_search *search, u32 level, u64 entry,
			     u64 address)
{
	u64 next = entry & WALK_ADDRESS;

	if (!(entry & WALK_PRESENT))
		return 0;
	if (!level)
		return walk_search_page(search, address, next,
					search->step * WALK_PAGE_BYTES);
	if (level < WALK_LEVELS - 1 && entry & WALK_LARGE)
		return walk_search_page(search, address, next,
					BIT_ULL(walk_shift(level)));
	if (walk_search_loops(search, level, next))
		return 0;
	search->step = level == 1 && entry & WALK_64K ? 16 : 1;
	return walk_search_table(search, level - 1, next, address);
}

/* Depth is WALK_LEVELS at most: each call goes one level down. */
static int walk_search_table(struct walk_search *search, u32 level, u64 phys,
			     u64 base)
{
	u32 step = level ? 1 : search->step, shift = walk_shift(level), i = 0;
	u64 *table = search->table[level];
	int ret;

	if (search->at > base)
		i = round_down((search->at - base) >> shift, step);
	search->at = max(search->at, base);
	if (walk_search_over(search, WALK_TABLE_LOOKS))
		return -EAGAIN;
	search->phys[level] = phys;
	ret = gtdbg_hw_memory_read(search->gt, phys, table, WALK_PAGE_BYTES);
	if (ret)
		return ret == -EFAULT ? 0 : ret;
	for (; i < WALK_ENTRIES && !ret; i += step)
		ret = walk_search_entry(search, level, table[i],
					base + ((u64)i << shift));
	return ret;
}

int gtdbg_ppgtt_pages(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 *cursor, gtdbg_ppgtt_visit visit, void *data)
{
	struct walk_search search = {
		.gt = gt,
		.context = context,
		.visit = visit,
		.data = data,
		.at = *cursor,
		.looks = WALK_LOOKS,
		.end = ktime_add_ms(ktime_get(), WALK_SEARCH_MS),
	};
	u64 *tables = kmalloc_array(WALK_LEVELS, WALK_PAGE_BYTES, GFP_KERNEL);
	u32 i;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (!tables)
		return -ENOMEM;
	for (i = 0; i < WALK_LEVELS; i++)
		search.table[i] = tables + i * WALK_ENTRIES;
	ret = walk_search_table(&search, WALK_LEVELS - 1, context->pml4, 0);
	kfree(tables);
	*cursor = ret == -EAGAIN ? search.at : 0;
	return ret;
}

struct walk_list {
	struct gtdbg_gt *gt;
	struct gtdbg_ppgtt_list *list;
	u64 start;
	u32 tables; /* left */
	u64 *table[WALK_LEVELS]; /* one page for each level */
	u64 nowhere[WALK_LEVELS]; /* where entries of a level lead; 0: none does */
};

/*
 * i915 has all that is not mapped lead to the same page, by a table of each level whose
 * entries are all alike. Other tables are nowhere twice, so in the top one, little of
 * which is in use, that table is the one which comes twice in a row.
 */
static void walk_list_nowhere(struct walk_list *walk, u64 pml4)
{
	u32 level = WALK_LEVELS - 1, i;
	u64 *table = walk->table[level];

	if (gtdbg_hw_memory_read(walk->gt, pml4, table, WALK_PAGE_BYTES))
		return;
	for (i = 1; i < WALK_ENTRIES; i++)
		if (table[i] == table[i - 1] && table[i] & WALK_PRESENT)
			walk->nowhere[level] = table[i] & WALK_ADDRESS;
	for (; level && walk->nowhere[level]; level--) {
		table = walk->table[level - 1];
		if (gtdbg_hw_memory_read(walk->gt, walk->nowhere[level], table,
					 WALK_PAGE_BYTES))
			return;
		if (table[0] == table[WALK_ENTRIES - 1] &&
		    table[0] & WALK_PRESENT)
			walk->nowhere[level - 1] = table[0] & WALK_ADDRESS;
	}
}

static bool walk_list_leads(const struct walk_list *walk, u32 level, u64 entry)
{
	return entry & WALK_PRESENT &&
	       (!walk->nowhere[level] ||
		walk->nowhere[level] != (entry & WALK_ADDRESS));
}

/* Pages of one size and kind, from @address on. 1: no room. */
static int walk_list_add(struct walk_list *walk, u64 address, u64 end,
			 u64 entry, u32 page_bytes)
{
	struct gtdbg_ppgtt_list *list = walk->list;
	struct gtdbg_memory_mapping *last;
	u32 flags = entry & WALK_WRITABLE ? GTDBG_MAPPING_F_WRITABLE : 0;

	address = max(address, walk->start);
	last = list->count ? &list->mappings[list->count - 1] : NULL;
	if (last && last->address + last->len_bytes == address &&
	    last->flags == flags && last->page_bytes == page_bytes) {
		last->len_bytes = end - last->address;
		return 0;
	}
	if (list->count == list->room) {
		list->address = address;
		return 1;
	}
	list->mappings[list->count++] = (struct gtdbg_memory_mapping){
		.address = address,
		.len_bytes = end - address,
		.flags = flags,
		.page_bytes = page_bytes,
	};
	return 0;
}

/* As walk_search_table(); 1: go on at the list's address. */
static int walk_list_table(struct walk_list *walk, u32 level, u64 phys,
			   u64 base, u32 step)
{
	u32 shift = walk_shift(level), i = 0;
	u64 *table = walk->table[level];
	int ret;

	if (!walk->tables--) {
		walk->list->address = max(base, walk->start);
		return 1;
	}
	ret = gtdbg_hw_memory_read(walk->gt, phys, table, WALK_PAGE_BYTES);
	if (ret)
		return ret == -EFAULT ? 0 : ret;
	cond_resched();
	if (walk->start > base)
		i = round_down((walk->start - base) >> shift, step);
	for (; i < WALK_ENTRIES && !ret; i += step) {
		u64 at = base + ((u64)i << shift), entry = table[i];
		bool large = level && level < WALK_LEVELS - 1 &&
			     entry & WALK_LARGE;

		if (!walk_list_leads(walk, level, entry))
			continue;
		if (level && !large)
			ret = walk_list_table(walk, level - 1,
					      entry & WALK_ADDRESS, at,
					      level == 1 && entry & WALK_64K ?
						      16 : 1);
		else
			ret = walk_list_add(walk, at,
					    at + ((u64)step << shift), entry,
					    step << shift);
	}
	return ret;
}

int gtdbg_ppgtt_list(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     struct gtdbg_ppgtt_list *list)
{
	struct walk_list walk = {
		.gt = gt,
		.list = list,
		.start = list->address,
		.tables = WALK_LIST_TABLES,
	};
	u64 *tables = kmalloc_array(WALK_LEVELS, WALK_PAGE_BYTES, GFP_KERNEL);
	u32 i;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (!tables)
		return -ENOMEM;
	for (i = 0; i < WALK_LEVELS; i++)
		walk.table[i] = tables + i * WALK_ENTRIES;
	ret = -EAGAIN;
	if (gtdbg_context_reachable(gt, context, false)) {
		if (gt->ops->is_shared)
			walk_list_nowhere(&walk, context->pml4);
		ret = walk_list_table(&walk, WALK_LEVELS - 1, context->pml4, 0,
				      1);
	}
	kfree(tables);
	if (!ret)
		list->address = GTDBG_ADDRESS_MASK + 1;
	return min(ret, 0);
}
