// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads take numbers from a counter in the save area and write each record to the
 * place of its number; when too many wait they count one as lost instead. One
 * dword shows them what has been read. As long as the controller does not read, the
 * records stay where they are.
 *
 * The program under the debugger can write all of this. So a record is copied before it
 * is looked at, and taken if its checksum, number and thread are right; what is not whole
 * for a while never will be, and counts as lost. The work of one look is bounded.
 */
#include "record.h"

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/slab.h>

#include "client.h"
#include "context.h"
#include "front.h"
#include "gt.h"
#include "gtdbg.h"
#include "load.h"
#include "ppgtt.h"
#include "savearea.h"
#include "session.h"
#include "trace.h"

#define TORN_MS 500 /* a thread that took a number writes its record within this */
#define BATCH 30 /* records of one event */
#define BATCHES_MAX 64 /* of one look */
#define EVENTS_SPARED (GTDBG_EVENTS_MAX / 2) /* for all that is no record */
#define OWORD 16

struct gtdbg_ring {
	u64 base; /* of instructions: what records say is relative to it */
	u32 read; /* records before this one were reported */
	u32 lost; /* what the area said of that */
	u64 missed; /* not reported yet */
	ktime_t torn; /* not 0: since then the next one is not whole */
	struct gtdbg_sip_record image[BATCH];
	struct {
		struct gtdbg_event_thread_record head;
		struct gtdbg_thread_record record[BATCH];
	} event;
};

static_assert(sizeof(struct gtdbg_sip_record) == GTDBG_SIP_RECORD_BYTES);
static_assert(GTDBG_RECORD_VALUES == GTDBG_SIP_CAPTURES_MAX);

static int header_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct gtdbg_sip_ring *header)
{
	return gtdbg_front_read(gt, context, GTDBG_SIP_RING_OFFSET, header,
				sizeof(*header));
}

/* Records before this one may be written over. */
static int read_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 read)
{
	return gtdbg_front_write(gt, context, GTDBG_SIP_RING_OFFSET +
				 offsetof(struct gtdbg_sip_ring, read), &read,
				 sizeof(read));
}

/* A look at the area as it was when the ring began, or -ENOENT. */
static int area_check(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (!gtdbg_front_usable(gt, context))
		return -ENOENT;
	if (context->savearea.sip != GTDBG_SIP_OWN ||
	    context->savearea.sip_minor < GTDBG_SIP_MINOR_RECORD ||
	    context->savearea.slots_offset < GTDBG_SIP_RECORD_OFFSET +
		    GTDBG_SIP_RECORDS_MAX * GTDBG_SIP_RECORD_BYTES)
		return -EOPNOTSUPP;
	return 0;
}

/* Is it a whole one, with the number @number? */
static bool image_valid(const struct gtdbg_gt *gt,
			const struct gtdbg_context *context,
			const struct gtdbg_sip_record *image, u32 number,
			u32 *slot_out)
{
	u64 at = (u64)image->slot * OWORD - context->savearea.slots_offset;
	const u32 *dword = (const u32 *)image;
	u32 sum = 0, i;

	for (i = 0; i < sizeof(*image) / sizeof(*dword); i++)
		sum ^= dword[i];
	*slot_out = at / context->savearea.slot_bytes;
	return sum == GTDBG_SIP_RECORD_MAGIC && image->number == number &&
	       at < (u64)gt->topology.slots * context->savearea.slot_bytes &&
	       !(at % context->savearea.slot_bytes) && image->lanes &&
	       image->first <= 24 && !(image->first % 8);
}

static void record_add(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       const struct gtdbg_sip_record *image, u32 slot)
{
	struct gtdbg_ring *ring = context->ring;
	struct gtdbg_thread_record *record =
		&ring->event.record[ring->event.head.count++];
	struct gtdbg_load *load;

	*record = (struct gtdbg_thread_record){
		.time = image->time,
		.address = (ring->base + image->ip) &
			   GTDBG_ADDRESS_MASK,
		.slot = slot,
		.tag = image->tag,
		.lanes = image->lanes,
		.first = image->first,
		.turn = image->turn,
	};
	memcpy(record->value, image->value, sizeof(record->value));
	load = gtdbg_load_known(context, record->address);
	record->kernel = load ? load->kernel : 0;
	trace_gtdbg_thread_record(gt->id, context->id, record);
}

/* The next one is not whole. Returns whether it is given up. */
static bool record_skip(struct gtdbg_ring *ring, bool is_last)
{
	if (!ring->torn)
		ring->torn = ktime_get();
	if (!is_last && ktime_ms_delta(ktime_get(), ring->torn) < TORN_MS)
		return false;
	ring->missed++;
	return true;
}

/* Take up to @count records; returns how many, those that are given up included. */
static u32 records_take(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 count, bool is_last)
{
	struct gtdbg_ring *ring = context->ring;
	u32 place = ring->read % GTDBG_SIP_RECORDS_MAX, i, slot;

	count = min3(count, (u32)BATCH, GTDBG_SIP_RECORDS_MAX - place);
	if (gtdbg_front_read(gt, context, GTDBG_SIP_RECORD_OFFSET +
			     place * GTDBG_SIP_RECORD_BYTES, ring->image,
			     count * GTDBG_SIP_RECORD_BYTES))
		return 0;
	for (i = 0; i < count; i++, ring->read++) {
		if (image_valid(gt, context, &ring->image[i], ring->read,
				&slot)) {
			ring->torn = 0;
			record_add(gt, context, &ring->image[i], slot);
		} else if (!record_skip(ring, is_last)) {
			break;
		}
	}
	return i;
}

static void records_emit(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_ring *ring = context->ring;
	struct gtdbg_event_thread_record *head = &ring->event.head;

	if (!head->count && !ring->missed)
		return;
	head->device = gt->id;
	head->context = context->id;
	head->record_len_bytes = sizeof(ring->event.record[0]);
	head->lost = ring->missed;
	gtdbg_gt_emit(gt, GTDBG_EVENT_THREAD_RECORD, 0, &ring->event,
		      sizeof(*head) + head->count * head->record_len_bytes);
	head->count = 0;
	ring->missed = 0;
	WRITE_ONCE(gt->last_activity, ktime_get());
}

/* The others lose events if they do not keep up, and know. */
static bool controller_has_room(struct gtdbg_gt *gt)
{
	struct gtdbg_client *client = gt->client;
	bool has_room = true;

	if (!client)
		return true;
	mutex_lock(&client->lock);
	if (client->controller)
		has_room = gtdbg_event_queue_has_room(
			&client->controller->events, EVENTS_SPARED);
	mutex_unlock(&client->lock);
	return has_room;
}

static void ring_drain(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       bool is_last)
{
	struct gtdbg_ring *ring = context->ring;
	struct gtdbg_sip_ring header;
	u32 before = ring->read, left, taken, i;

	if (area_check(gt, context) || header_read(gt, context, &header)) {
		records_emit(gt, context);
		return;
	}
	ring->missed += header.lost - ring->lost;
	ring->lost = header.lost;
	left = header.written - ring->read;
	/* No thread has done that. */
	if (left > GTDBG_SIP_RECORDS_MAX) {
		ring->missed += left;
		ring->read = header.written;
		left = 0;
	}
	for (i = 0; i < BATCHES_MAX || is_last; i++) {
		if (!is_last && !controller_has_room(gt))
			break;
		taken = records_take(gt, context, left, is_last);
		records_emit(gt, context);
		left -= taken;
		if (!taken)
			break;
	}
	/* They could not be read. */
	if (is_last && left) {
		ring->missed += left;
		ring->read += left;
		records_emit(gt, context);
	}
	/* Whatever comes next has its own time. */
	if (!left)
		ring->torn = 0;
	if (ring->read != before)
		read_write(gt, context, ring->read);
}

/* Records so far are relative to the base that was. None is left out between the two. */
static void ring_rebase(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (context->ring->base == context->bases.instruction)
		return;
	ring_drain(gt, context, true);
	context->ring->base = context->bases.instruction;
}

int gtdbg_ring_begin(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_sip_ring header;
	struct gtdbg_ring *ring;
	int ret;

	lockdep_assert_held(&gt->lock);
	ret = area_check(gt, context);
	if (ret)
		return ret;
	if (context->ring) {
		ring_rebase(gt, context);
		return 0;
	}
	ret = gtdbg_context_charge(context, sizeof(*ring));
	if (ret)
		return ret;
	ret = -ENOMEM;
	ring = kzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);
	if (!ring)
		goto err_uncharge;
	ret = header_read(gt, context, &header);
	if (!ret)
		ret = read_write(gt, context, header.written);
	if (ret)
		goto err_free;
	ring->base = context->bases.instruction;
	ring->read = header.written;
	ring->lost = header.lost;
	context->ring = ring;
	return 0;

err_free:
	kfree(ring);
err_uncharge:
	gtdbg_context_uncharge(context, sizeof(*ring));
	return ret;
}

void gtdbg_ring_drain(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	lockdep_assert_held(&gt->lock);
	if (context->ring)
		ring_drain(gt, context, false);
}

void gtdbg_ring_end(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	lockdep_assert_held(&gt->lock);
	if (context->ring)
		ring_drain(gt, context, true);
	gtdbg_ring_destroy(context);
}

void gtdbg_ring_destroy(struct gtdbg_context *context)
{
	if (!context->ring)
		return;
	gtdbg_context_uncharge(context, sizeof(*context->ring));
	kfree(context->ring);
	context->ring = NULL;
}
