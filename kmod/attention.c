// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that waits for the host raises its attention bit. The bit says little:
 * fused EUs share one, it goes down for a moment when a neighbour is resumed,
 * and it may still be up for a thread that was resumed just now. So it only
 * points at slots of the save area, which distinguish new stops from old: most
 * SIPs count there, odd while a thread is stopped and different for each stop.
 */
#include "attention.h"

#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/log2.h>

#include "breakpoint.h"
#include "client.h"
#include "context.h"
#include "control.h"
#include "fault.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "launch.h"
#include "load.h"
#include "platform.h"
#include "ppgtt.h"
#include "queue.h"
#include "session.h"
#include "site.h"
#include "submit.h"
#include "table.h"
#include "thread.h"
#include "trace.h"
#include "verdict.h"
#include "watch.h"
#include "window.h"

#define EU_COLUMNS 4
#define BITS_OF_EU 8
#define AWAIT_NS (2 * NSEC_PER_MSEC)
#define ROWS_NS (4 * NSEC_PER_MSEC)
#define PAUSE_MS 16 /* what begins after a longer one is new */

enum verdict {
	VERDICT_REPORT, /* report to the sessions */
	VERDICT_WAIT, /* stay stopped until an event is acknowledged */
	VERDICT_RUN, /* nothing of interest */
	VERDICT_LATER, /* look again in the next scan */
	VERDICT_STEP, /* not out of the range yet */
};

struct scan {
	struct gtdbg_gt *gt;
	struct gtdbg_context *context; /* that runs, or NULL */
	u32 stops, reports;
	bool rebased, launched; /* looked for once */
};

static u32 reasons_of(u32 exceptions)
{
	u32 reasons = 0;

	if (exceptions & (GTDBG_CAUSE_HALT | GTDBG_CAUSE_FORCED))
		reasons |= GTDBG_STOP_INTERRUPT;
	if (exceptions & GTDBG_CAUSE_SOFTWARE)
		reasons |= GTDBG_STOP_SOFTWARE;
	if (exceptions & GTDBG_CAUSE_ILLEGAL)
		reasons |= GTDBG_STOP_ILLEGAL;
	if (exceptions & GTDBG_CAUSE_MASK_STACK)
		reasons |= GTDBG_STOP_MASK_STACK;
	return reasons;
}

/*
 * Does the instruction itself ask for the stop? A breakpoint that has been cleared
 * still is in the code until whoever clears it has this GT's lock.
 */
static bool break_in_code(const struct scan *scan, u64 address)
{
	u32 dword0;

	return !gtdbg_site_is_planted(scan->context, address) &&
	       !gtdbg_ppgtt_read(scan->gt, scan->context, address, &dword0,
				 sizeof(dword0)) &&
	       dword0 & gtdbg_inst_break_bit(dword0);
}

/*
 * One that no thread was seen to enter: it ran already, or its entry is passed. The
 * command that has launched it says where it begins.
 */
static struct gtdbg_load *stop_load_launched(struct scan *scan,
					     const struct gtdbg_thread *thread)
{
	struct gtdbg_context *context = scan->context;
	struct gtdbg_gt *gt = scan->gt;
	struct gtdbg_launch launch;

	if (scan->launched || !gt->ops->is_shared)
		return NULL;
	scan->launched = true;
	if (gtdbg_launch_find(gt, context, 0, &launch) || !launch.kernel ||
	    gtdbg_load_find(gt, context, launch.kernel))
		return NULL;
	if (!gtdbg_load_learn(gt, context, launch.kernel))
		return NULL;
	return gtdbg_load_find(gt, context, thread->address);
}

/* The kernel around the thread, learned about if need be. */
static struct gtdbg_load *stop_load(struct scan *scan,
				    struct gtdbg_thread *thread)
{
	struct gtdbg_context *context = scan->context;
	struct gtdbg_load *load = NULL;

	if (context->bases.instruction) {
		thread->address = (context->bases.instruction + thread->ip) &
				  GTDBG_ADDRESS_MASK;
		load = gtdbg_load_find(scan->gt, context, thread->address);
	}
	if (load)
		return load;
	/*
	 * The bases may be unknown, or have changed with a kernel that is seen
	 * for the first time: look again, once a scan.
	 */
	if (!scan->rebased) {
		scan->rebased = true;
		gtdbg_context_rebase(scan->gt, context);
		return stop_load(scan, thread);
	}
	if (!context->bases.instruction)
		return NULL;
	return gtdbg_load_learn(scan->gt, context, thread->address) ?:
	       stop_load_launched(scan, thread);
}

static enum verdict judge_break(struct scan *scan, struct gtdbg_thread *thread,
				struct gtdbg_load *load, u32 slot)
{
	bool at_entry = load && load->address == thread->address;
	enum gtdbg_submit submit = GTDBG_SUBMIT_PASSES;

	thread->breakpoint = gtdbg_site_breakpoint(scan->gt, scan->context,
						   thread->address);
	if (thread->breakpoint)
		thread->reasons |= GTDBG_STOP_BREAKPOINT;
	if (thread->breakpoint && !at_entry &&
	    gtdbg_breakpoint_asserts(scan->gt->client, thread->breakpoint))
		thread->reasons |= GTDBG_STOP_ASSERT;
	if (at_entry) {
		/*
		 * Even if a step was asked for: no step ends here, but one of a
		 * thread's last instruction makes room for another thread.
		 */
		thread->reasons |= GTDBG_STOP_ENTRY;
		submit = gtdbg_submit_reached(scan->gt, scan->context, load,
					      slot);
		/* A session may just have been given the kernel's address. */
	} else if (thread->stepping) {
		thread->reasons |= GTDBG_STOP_STEP;
	} else if (!thread->reasons && scan->gt->patched) {
		thread->reasons |= GTDBG_STOP_INTERRUPT;
	} else if (!thread->reasons) {
		/* The breakpoint may be gone since the thread has hit it. */
		if (thread->address && !break_in_code(scan, thread->address))
			return VERDICT_RUN;
		thread->reasons |= GTDBG_STOP_BREAKPOINT;
	}
	if (thread->reasons != GTDBG_STOP_ENTRY)
		return VERDICT_REPORT;
	if (submit == GTDBG_SUBMIT_EARLY)
		return VERDICT_LATER;
	return submit == GTDBG_SUBMIT_WAITS ? VERDICT_WAIT : VERDICT_RUN;
}

static enum verdict judge(struct scan *scan, struct gtdbg_thread *thread,
			  u32 slot)
{
	struct gtdbg_load *load = stop_load(scan, thread);
	enum verdict verdict = VERDICT_REPORT;

	thread->kernel = load ? load->kernel : 0;
	thread->reasons = reasons_of(thread->exceptions);
	/* Entries stay armed for the session that may come. */
	if (!scan->gt->active)
		return VERDICT_RUN;
	if (thread->exceptions & GTDBG_CAUSE_BREAK)
		verdict = judge_break(scan, thread, load, slot);
	if (!thread->reasons)
		thread->reasons = GTDBG_STOP_UNKNOWN;
	return gtdbg_thread_goes_on(scan->gt, slot) ? VERDICT_STEP : verdict;
}

static void stop_fill(struct scan *scan, struct gtdbg_thread *thread,
		      const struct gtdbg_savearea_stop *stop)
{
	struct gtdbg_gt *gt = scan->gt;

	gt->stopped++;
	thread->state = GTDBG_THREAD_STOPPED;
	thread->context = scan->context;
	thread->count = stop->count;
	thread->released = false;
	thread->unsettled = false;
	thread->slm_until = 0;
	thread->slm_known = false;
	thread->exceptions = stop->exceptions & GTDBG_CAUSES;
	thread->ip = stop->ip;
	thread->exec_mask = stop->exec_mask;
	thread->dispatch_mask = stop->dispatch_mask;
	thread->generation = ++gt->generation;
	thread->address = 0;
	thread->breakpoint = 0;
	thread->entry = NULL;
	thread->admit = 0;
	thread->report = false;
}

static void stop_new(struct scan *scan, u32 slot,
		     const struct gtdbg_savearea_stop *stop)
{
	struct gtdbg_gt *gt = scan->gt;
	struct gtdbg_thread *thread = &gt->threads[slot];
	enum verdict verdict;

	stop_fill(scan, thread, stop);
	verdict = judge(scan, thread, slot);
	if (verdict == VERDICT_LATER) {
		gtdbg_thread_forget(gt, slot);
		return;
	}
	if (thread->breakpoint)
		gtdbg_window_open(gt, slot);
	if (verdict == VERDICT_REPORT &&
	    thread->reasons == GTDBG_STOP_BREAKPOINT && thread->breakpoint &&
	    gtdbg_verdict_run(gt, slot))
		verdict = VERDICT_RUN;
	trace_gtdbg_thread_stop(gt->id, slot, thread->generation,
				thread->reasons, thread->ip);
	scan->stops++;
	if ((verdict == VERDICT_RUN || verdict == VERDICT_STEP) &&
	    gtdbg_thread_resume(gt, slot, verdict == VERDICT_STEP) &&
	    !gt->active) {
		/* There is nobody to whom to report it: it is tried again. */
		gtdbg_thread_forget(gt, slot);
		return;
	}
	/* One that cannot be resumed is reported, whatever it stopped for. */
	if (verdict == VERDICT_WAIT || thread->state != GTDBG_THREAD_STOPPED)
		return;
	thread->report = true;
	scan->reports++;
}

/* The thread's bit is up, but nothing can be done: say so once. */
static void unavailable(struct scan *scan, u32 slot, u32 why)
{
	struct gtdbg_event_thread_unavailable payload;
	struct gtdbg_gt *gt = scan->gt;
	struct gtdbg_thread *thread = &gt->threads[slot];

	if (thread->state == GTDBG_THREAD_STOPPED)
		return;
	/* What is known of another context's thread there is not known of this one. */
	if (scan->context && thread->context != scan->context)
		gtdbg_thread_forget(gt, slot);
	gt->unavailable = true;
	thread->state = GTDBG_THREAD_UNAVAILABLE;
	thread->reasons = why;
	thread->context = scan->context;
	if (!scan->context || scan->context->unavailable_reported & 1U << why)
		return;
	scan->context->unavailable_reported |= 1U << why;
	gtdbg_thread_describe(gt, slot, &payload.thread);
	gtdbg_gt_emit(gt, GTDBG_EVENT_THREAD_UNAVAILABLE, 0, &payload,
		      sizeof(payload));
}

/* The next scan decides again which threads cannot be served. */
static void forget_unavailable(struct gtdbg_gt *gt)
{
	u32 slot;

	if (!gt->unavailable)
		return;
	gt->unavailable = false;
	for (slot = 0; slot < gt->topology.slots; slot++)
		if (gt->threads[slot].state == GTDBG_THREAD_UNAVAILABLE)
			gt->threads[slot].state = GTDBG_THREAD_RUNNING;
}

/*
 * A thread may have gone back to sleep before it saw its command. Where its
 * slot does not show whether it has left, or it may have been reset, it is woken less
 * and less often: its neighbour may be the one that waits, for as long as its debugger
 * likes.
 */
static void nudge(struct scan *scan, u32 slot)
{
	struct gtdbg_thread *thread = &scan->gt->threads[slot];

	if ((scan->context->savearea.sip == GTDBG_SIP_BINDFUL ||
	     thread->unsettled) &&
	    !is_power_of_2(++thread->looks))
		return;
	gtdbg_gt_count(scan->gt, stale, 1);
	gtdbg_thread_remind(scan->gt, slot);
}

static void check_slot(struct scan *scan, u32 slot)
{
	struct gtdbg_gt *gt = scan->gt;
	struct gtdbg_thread *thread = &gt->threads[slot];
	/* What is known of the slot may be of another context's thread. */
	bool same = !scan->context || thread->context == scan->context;
	struct gtdbg_savearea_stop stop;
	int look;

	if (thread->state == GTDBG_THREAD_STOPPED && same)
		return;
	/* The search for what it says is still under way. */
	if (scan->context && !scan->context->savearea.address &&
	    !scan->context->searched)
		return;
	if (!scan->context || !scan->context->savearea.address) {
		unavailable(scan, slot,
			    scan->context && scan->context->savearea.foreign ?
				    GTDBG_UNAVAILABLE_OTHER_CLIENT :
				    GTDBG_UNAVAILABLE_NO_SAVE_AREA);
		return;
	}
	look = gtdbg_savearea_look(gt, scan->context, slot,
				   thread->released && same ? thread->count : 0);
	if (look < 0) {
		unavailable(scan, slot, GTDBG_UNAVAILABLE_NOT_SAVED);
		return;
	}
	switch (look) {
	case GTDBG_LOOK_STOPPED:
		if (gtdbg_savearea_stop(gt, scan->context, slot, &stop))
			break;
		gtdbg_thread_forget(gt, slot);
		stop_new(scan, slot, &stop);
		break;
	case GTDBG_LOOK_COMMANDED:
		nudge(scan, slot);
		break;
	case GTDBG_LOOK_UNREADY:
		/*
		 * Mostly its registers are still being saved, its neighbour's
		 * bit is up, and waking either does no harm. But it may sleep
		 * with a command that it was given before it was known here.
		 */
		gtdbg_thread_nudge(gt, slot);
		break;
	case GTDBG_LOOK_RUNNING:
		/* Its neighbour is meant. */
		break;
	}
}

/* All threads that dword @dword of a sub-slice's attention may mean. */
static void check_dword(struct scan *scan, u32 subslice, u32 dword, u32 bits)
{
	const struct gtdbg_topology *topology = &scan->gt->topology;
	u32 rows = scan->gt->platform->att_rows, bit, row, eu;

	for (bit = 0; bits; bit++, bits >>= 1) {
		if (!(bits & 1) || bit % BITS_OF_EU >= topology->threads)
			continue;
		for (row = 0; row < rows; row++) {
			eu = (dword * rows + row) * EU_COLUMNS +
			     bit / BITS_OF_EU;
			if (eu < topology->eus)
				check_slot(scan,
					   (subslice * topology->eus + eu) *
						   topology->threads +
						   bit % BITS_OF_EU);
		}
	}
}

/* All, or that of who was awaited and has come, if all were looked at a moment ago. */
static u64 check_where(struct gtdbg_gt *gt)
{
	ktime_t now = ktime_get();
	struct gtdbg_place place;

	if (gt->awaited_seen && !gt->awaited_since &&
	    ktime_to_ns(ktime_sub(now, gt->last_rows)) < ROWS_NS) {
		gtdbg_thread_place(gt, gt->awaited, &place);
		return BIT_ULL(place.slice * gt->topology.subslices +
			       place.subslice);
	}
	gt->last_rows = now;
	return ~0ULL;
}

static void check_all(struct scan *scan)
{
	struct gtdbg_gt *gt = scan->gt;
	u32 dwords = gt->platform->att_dwords, rows[GTDBG_ROWS_MAX], i;

	gtdbg_hw_rows_read(gt, check_where(gt), gt->platform->td_att, dwords,
			   rows);
	for (i = 0; i < gt->topology.slices * gt->topology.subslices * dwords; i++)
		if (rows[i])
			check_dword(scan, i / dwords, i % dwords, rows[i]);
}

static void report_all(struct scan *scan)
{
	struct gtdbg_event_thread_stop payload;
	struct gtdbg_gt *gt = scan->gt;
	u32 slot, left = scan->reports;

	for (slot = 0; slot < gt->topology.slots && left; slot++) {
		if (!gt->threads[slot].report)
			continue;
		gt->threads[slot].report = false;
		left--;
		gtdbg_thread_describe(gt, slot, &payload.thread);
		gtdbg_gt_emit(gt, GTDBG_EVENT_THREAD_STOP,
			      left ? GTDBG_EVENT_F_MORE : 0, &payload,
			      sizeof(payload));
	}
}

/* That it is gone, once for all of its context. */
static void drop_report(struct gtdbg_gt *gt, u32 slot)
{
	struct gtdbg_event_thread_unavailable payload;
	struct gtdbg_thread *thread = &gt->threads[slot];
	u32 reported = 1U << GTDBG_UNAVAILABLE_RESET;

	trace_gtdbg_reset(gt->id, thread->context ? thread->context->id : 0,
			  slot);
	if (!thread->context || thread->context->unavailable_reported & reported)
		return;
	thread->context->unavailable_reported |= reported;
	gtdbg_thread_describe(gt, slot, &payload.thread);
	payload.thread.state = GTDBG_THREAD_UNAVAILABLE;
	payload.thread.reasons = GTDBG_UNAVAILABLE_RESET;
	gtdbg_gt_emit(gt, GTDBG_EVENT_THREAD_UNAVAILABLE, 0, &payload,
		      sizeof(payload));
}

static void count_latency_of(struct gtdbg_gt *gt, s64 us, u32 stops)
{
	u32 bucket = us ? min_t(u32, ilog2(us), GTDBG_STATS_BUCKETS - 1) : 0;

	gtdbg_gt_count_at(gt, offsetof(struct gtdbg_session_stats,
				       latency[bucket]), stops);
}

/* How long the stops may have waited to be seen. */
static void count_latency(struct scan *scan, ktime_t now)
{
	struct gtdbg_gt *gt = scan->gt;
	u32 others = scan->stops;

	if (gt->awaited_seen &&
	    gt->threads[gt->awaited].state == GTDBG_THREAD_STOPPED) {
		count_latency_of(gt, ktime_us_delta(now, gt->awaited_seen), 1);
		others--;
	}
	count_latency_of(gt, ktime_us_delta(now, gt->last_scan), others);
	gtdbg_gt_count(gt, stops, scan->stops);
}

/*
 * Threads of a shared GPU whose context is not on the engine any more, which it
 * cannot leave while they wait: the driver has reset it. They are no more.
 */
static void scan_drop(struct scan *scan)
{
	struct gtdbg_gt *gt = scan->gt;
	struct gtdbg_context *cut = NULL;
	struct gtdbg_thread *thread;
	u32 slot;

	for (slot = 0; slot < gt->topology.slots && gt->stopped; slot++) {
		thread = &gt->threads[slot];
		if (thread->state != GTDBG_THREAD_STOPPED ||
		    thread->context == scan->context)
			continue;
		drop_report(gt, slot);
		/* Those of a context stand together: one is on an engine at a time. */
		if (thread->context && thread->context != cut) {
			cut = thread->context;
			gtdbg_submits_cut(gt, cut);
		}
		gtdbg_thread_drop(gt, slot);
	}
}

/* The context that the engine is at, or was at last if no other can use it. */
static struct gtdbg_context *scan_current(struct gtdbg_gt *gt, u32 lrca)
{
	if (gt->ops->is_shared && !(lrca & GTDBG_LRCA_VALID))
		return NULL;
	return gtdbg_context_current(gt, lrca);
}

/* Is all known that can be, while the engine idles at what it ran last? */
static bool scan_is_complete(const struct scan *scan)
{
	return scan->gt->ops->is_shared ||
	       (scan->context && scan->context->savearea.address);
}

/* Small launches are no activity each: their threads would have stopped before. */
static void scan_busy(struct gtdbg_gt *gt, bool busy)
{
	ktime_t now = ktime_get();

	if (busy && !gt->was_busy && !gt->calm &&
	    ktime_ms_delta(now, gt->last_busy) >= PAUSE_MS)
		WRITE_ONCE(gt->last_activity, now);
	if (busy)
		WRITE_ONCE(gt->last_busy, now);
	gt->was_busy = busy;
}

/*
 * Which context runs? False: none did since the last scan, and all is known that
 * can be, so there is nothing to be seen; or it is not the client's.
 */
static bool scan_context(struct scan *scan)
{
	struct gtdbg_gt *gt = scan->gt;
	u32 lrca = gtdbg_hw_read(gt, gt->platform->current_lrca);
	bool busy = lrca & GTDBG_LRCA_VALID;

	gt->seen_lrca = lrca;
	if (!busy && !gt->stopped)
		gt->counting = gt->active;
	if (!busy && !gt->was_busy && !gt->stopped && gt->idle_lrca == lrca)
		return false;
	scan->context = scan_current(gt, lrca);
	if (gt->ops->is_shared)
		scan_drop(scan);
	if (scan->context) {
		gtdbg_context_search(gt, scan->context);
		gtdbg_context_catch_up(gt, scan->context);
		if (gtdbg_sites_due(gt, scan->context))
			gtdbg_sites_sync(gt, scan->context);
	}
	if (gt->was_busy && !busy && !gt->stopped)
		gtdbg_submits_rearm(gt);
	scan_busy(gt, busy);
	gt->idle_lrca = !busy && scan_is_complete(scan) ? lrca : 0;
	return !gt->ops->is_shared ||
	       (scan->context && scan->context->savearea.address);
}

/*
 * A GPU that sleeps when nothing runs is not woken up to see that, and may sleep
 * again. False: there is nothing to look at.
 */
static bool scan_begin(struct gtdbg_gt *gt)
{
	u32 lrca;

	if (!gt->ops->wake)
		return !gtdbg_hw_wake(gt, true);
	lrca = gtdbg_hw_read(gt, gt->platform->current_lrca);
	/* What is asked of it is taken back from one that is awake. */
	if (lrca & GTDBG_LRCA_VALID || gt->was_busy || gt->stopped ||
	    gt->halted)
		return !gtdbg_hw_wake(gt, true);
	gt->seen_lrca = lrca;
	gt->idle_lrca = lrca;
	gt->last_scan = ktime_get();
	gtdbg_hw_wake(gt, false);
	/* What a launch has left that nobody has seen on the engine. */
	gtdbg_gt_begin(gt);
	gtdbg_queues_drain(gt);
	gtdbg_tables_tally(gt);
	gtdbg_control_linger_check(gt, false);
	return false;
}

void gtdbg_attention_await(struct gtdbg_gt *gt, u32 slot)
{
	lockdep_assert_held(&gt->lock);
	gt->awaited = slot;
	gt->awaited_since = ktime_get();
	gt->awaited_seen = gt->awaited_since;
}

/* Is nothing else to be looked at, and has not what runs come to its end? */
static bool await_goes_on(struct gtdbg_gt *gt)
{
	s64 ns = ktime_to_ns(ktime_sub(ktime_get(), gt->awaited_since));

	return ns < AWAIT_NS && !gt->interrupting && !gtdbg_watch_is_on() &&
	       gtdbg_hw_read(gt, gt->platform->current_lrca) &
		       GTDBG_LRCA_VALID &&
	       !gtdbg_fault_is_due(gt) && !gt->lost;
}

enum gtdbg_awaited gtdbg_attention_awaited(struct gtdbg_gt *gt)
{
	ktime_t now = ktime_get();
	struct gtdbg_place place;
	bool has_come;
	u32 bits;

	lockdep_assert_held(&gt->lock);
	if (!gt->awaited_since)
		return GTDBG_AWAITED_NONE;
	gtdbg_thread_place(gt, gt->awaited, &place);
	/* If the device sleeps by now, no bit is set. */
	bits = gtdbg_hw_read_steered(gt, place.slice, place.subslice,
				     gt->platform->td_att + 4 * place.dword);
	has_come = bits & BIT(place.bit);
	if (!has_come && await_goes_on(gt)) {
		gt->awaited_seen = now;
		return GTDBG_AWAITED_STILL;
	}
	gt->awaited_since = 0;
	if (has_come)
		return GTDBG_AWAITED_CAME;
	gt->awaited_seen = 0;
	return GTDBG_AWAITED_NONE;
}

u32 gtdbg_attention_scan(struct gtdbg_gt *gt)
{
	struct scan scan = { .gt = gt };
	ktime_t now = ktime_get();
	bool is_worth;

	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return 0;
	if (!gtdbg_control_looks(gt)) {
		/* Who listened to what runs has gone. */
		gtdbg_watch_look(gt, NULL);
		gtdbg_hw_wake(gt, false);
		return 0;
	}
	if (!scan_begin(gt)) {
		gtdbg_watch_look(gt, NULL);
		return 0;
	}
	gt->scans++;
	gtdbg_gt_count(gt, scans, 1);
	gtdbg_gt_begin(gt);
	forget_unavailable(gt);
	is_worth = scan_context(&scan);
	gtdbg_watch_look(gt, gt->was_busy ? scan.context : NULL);
	if (is_worth && (gt->active || gtdbg_control_lingers(gt))) {
		/* First, so that a launch is reported before its stops are. */
		if (gt->was_busy && scan.context)
			gtdbg_submits_follow(gt, scan.context);
		check_all(&scan);
	}
	if (scan.stops) {
		WRITE_ONCE(gt->last_activity, now);
		count_latency(&scan, now);
		trace_gtdbg_attention(gt->id, scan.stops, scan.reports);
	}
	/* What threads wrote before they stopped comes first. */
	gtdbg_queues_drain(gt);
	gtdbg_tables_tally(gt);
	/* Known before the threads that stop for it. */
	gtdbg_fault_check(gt, scan.context);
	if (!gt->lost)
		report_all(&scan);
	gtdbg_threads_flush(gt);
	gtdbg_control_linger_check(gt, gt->was_busy);
	gt->last_scan = now;
	return scan.stops;
}
