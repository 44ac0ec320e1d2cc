// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event stream of a session. Whoever has news never waits for the reader:
 * when the queue is full, or memory is short, records are counted as lost until
 * the reader has emptied the queue, and it then reads how many there were. The
 * overflow and exit records are made up while reading, so they need no memory
 * and always arrive.
 */
#include "event_queue.h"

#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "account.h"
#include "gtdbg.h"
#include "trace.h"

struct event_record {
	struct list_head node;
	u64 *seqno_out; /* until it is queued */
	struct gtdbg_event event;
	/* Payload and text follow. */
};

int gtdbg_event_queue_init(struct gtdbg_event_queue *queue,
			   const struct gtdbg_account *debugged)
{
	queue->account = gtdbg_account_get_for(debugged);
	if (!queue->account)
		return -ENOMEM;
	mutex_init(&queue->read_lock);
	init_waitqueue_head(&queue->wait);
	spin_lock_init(&queue->lock);
	INIT_LIST_HEAD(&queue->pending);
	INIT_LIST_HEAD(&queue->staged);
	queue->count = 0;
	queue->next_seqno = 1;
	memset(&queue->made, 0, sizeof(queue->made));
	queue->lost = 0;
	queue->lost_total = 0;
	queue->exit_reason = 0;
	queue->exit_read = false;
	return 0;
}

static size_t event_cost(const struct event_record *record)
{
	return offsetof(struct event_record, event) + record->event.len_bytes;
}

static void event_destroy(struct gtdbg_event_queue *queue,
			  struct event_record *record)
{
	if (IS_ERR_OR_NULL(record))
		return;
	gtdbg_account_uncharge(queue->account, GTDBG_ACCOUNT_EVENT_BYTES,
			       event_cost(record));
	kfree(record);
}

void gtdbg_event_queue_fini(struct gtdbg_event_queue *queue)
{
	struct event_record *record, *next;

	gtdbg_event_queue_drop(queue);
	list_for_each_entry_safe(record, next, &queue->pending, node)
		event_destroy(queue, record);
	gtdbg_account_put(queue->account);
}

static struct event_record *event_alloc(const struct gtdbg_event_parts *parts)
{
	size_t text_bytes = parts->text ? parts->text_bytes + 1 : 0;
	size_t len = ALIGN(sizeof(struct gtdbg_event) + parts->payload_bytes +
			   text_bytes, 8);
	struct event_record *record;
	u8 *tail;

	record = kzalloc(offsetof(struct event_record, event) + len,
			 GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!record)
		return NULL;
	record->event.len_bytes = len;
	record->event.kind = parts->kind;
	record->event.flags = parts->flags;
	record->event.gpu_time = parts->gpu_time;
	tail = (u8 *)record + sizeof(*record);
	if (parts->payload_bytes)
		memcpy(tail, parts->payload, parts->payload_bytes);
	if (parts->text)
		memcpy(tail + parts->payload_bytes, parts->text,
		       parts->text_bytes);
	return record;
}

static struct event_record *event_create(struct gtdbg_event_queue *queue,
					 const struct gtdbg_event_parts *parts)
{
	struct event_record *record = event_alloc(parts);

	if (!record)
		return ERR_PTR(-ENOMEM);
	if (gtdbg_account_charge(queue->account, GTDBG_ACCOUNT_EVENT_BYTES,
				 event_cost(record))) {
		kfree(record);
		return ERR_PTR(-EDQUOT);
	}
	return record;
}

static u64 event_append(struct gtdbg_event_queue *queue,
			struct event_record *record)
{
	lockdep_assert_held(&queue->lock);
	record->event.seqno = queue->next_seqno++;
	record->event.time_ns = ktime_get_ns();
	list_add_tail(&record->node, &queue->pending);
	queue->count++;
	return record->event.seqno;
}

static u64 event_count_lost(struct gtdbg_event_queue *queue)
{
	lockdep_assert_held(&queue->lock);
	queue->lost++;
	queue->lost_total++;
	return 0;
}

u64 gtdbg_event_queue_push(struct gtdbg_event_queue *queue,
			   const struct gtdbg_event_parts *parts)
{
	struct event_record *record = event_create(queue, parts);
	u64 seqno = 0;

	spin_lock(&queue->lock);
	if (queue->exit_reason) {
		/* Nothing follows the exit. */
	} else if (IS_ERR(record) || queue->lost ||
		   queue->count >= GTDBG_EVENTS_MAX) {
		seqno = event_count_lost(queue);
	} else {
		seqno = event_append(queue, record);
		record = NULL;
	}
	spin_unlock(&queue->lock);
	event_destroy(queue, record);
	if (!seqno)
		trace_gtdbg_event_lost(parts->kind);
	wake_up_interruptible(&queue->wait);
	return seqno;
}

bool gtdbg_event_queue_has_room(struct gtdbg_event_queue *queue, u32 count)
{
	bool has_room;

	spin_lock(&queue->lock);
	has_room = !queue->lost && queue->count + count <= GTDBG_EVENTS_MAX;
	spin_unlock(&queue->lock);
	return has_room;
}

int gtdbg_event_queue_stage(struct gtdbg_event_queue *queue,
			    const struct gtdbg_event_parts *parts)
{
	struct event_record *record = event_create(queue, parts);

	if (IS_ERR(record))
		return PTR_ERR(record);
	record->seqno_out = parts->seqno_out;
	list_add_tail(&record->node, &queue->staged);
	return 0;
}

void gtdbg_event_queue_commit(struct gtdbg_event_queue *queue, u64 *first_out,
			      u64 *last_out)
{
	struct event_record *record, *next;
	u64 seqno;

	spin_lock(&queue->lock);
	*first_out = queue->next_seqno;
	list_for_each_entry_safe(record, next, &queue->staged, node) {
		list_del(&record->node);
		seqno = event_append(queue, record);
		if (record->seqno_out)
			*record->seqno_out = seqno;
	}
	*last_out = queue->next_seqno - 1;
	spin_unlock(&queue->lock);
	wake_up_interruptible(&queue->wait);
}

void gtdbg_event_queue_drop(struct gtdbg_event_queue *queue)
{
	struct event_record *record, *next;

	list_for_each_entry_safe(record, next, &queue->staged, node) {
		list_del(&record->node);
		event_destroy(queue, record);
	}
}

void gtdbg_event_queue_exit(struct gtdbg_event_queue *queue, u32 reason)
{
	spin_lock(&queue->lock);
	if (!queue->exit_reason)
		queue->exit_reason = reason;
	spin_unlock(&queue->lock);
	wake_up_interruptible(&queue->wait);
}

static bool event_ready(struct gtdbg_event_queue *queue)
{
	bool ready;

	spin_lock(&queue->lock);
	ready = queue->count || queue->lost || queue->made.event.kind ||
		queue->exit_reason;
	spin_unlock(&queue->lock);
	return ready;
}

/*
 * Make up the record that is due when no queued one is left. Whatever is queued, or lost,
 * before it has been read comes after it.
 */
static void event_make(struct gtdbg_event_queue *queue)
{
	union gtdbg_event_made *made = &queue->made;

	lockdep_assert_held(&queue->lock);
	if (queue->lost) {
		made->event.kind = GTDBG_EVENT_OVERFLOW;
		made->event.len_bytes = sizeof(made->overflow);
		made->overflow.overflow.lost = queue->lost;
		queue->lost = 0;
	} else if (queue->exit_reason && !queue->exit_read) {
		made->event.kind = GTDBG_EVENT_EXIT;
		made->event.len_bytes = sizeof(made->exit);
		made->exit.exit.reason = queue->exit_reason;
	} else {
		return;
	}
	made->event.seqno = queue->next_seqno++;
	made->event.time_ns = ktime_get_ns();
}

/* The next record; it stays where it is until event_consume(). */
static const struct gtdbg_event *event_peek(struct gtdbg_event_queue *queue)
{
	const struct gtdbg_event *event = NULL;

	lockdep_assert_held(&queue->read_lock);
	spin_lock(&queue->lock);
	if (!queue->count && !queue->made.event.kind)
		event_make(queue);
	if (queue->made.event.kind)
		event = &queue->made.event;
	else if (queue->count)
		event = &list_first_entry(&queue->pending, struct event_record,
					  node)->event;
	spin_unlock(&queue->lock);
	return event;
}

static void event_consume(struct gtdbg_event_queue *queue,
			  const struct gtdbg_event *event)
{
	struct event_record *record = NULL;

	spin_lock(&queue->lock);
	if (event != &queue->made.event) {
		record = container_of(event, struct event_record, event);
		list_del(&record->node);
		queue->count--;
	} else {
		if (event->kind == GTDBG_EVENT_EXIT)
			queue->exit_read = true;
		memset(&queue->made, 0, sizeof(queue->made));
	}
	spin_unlock(&queue->lock);
	event_destroy(queue, record);
}

/* Copy whole records until the next one does not fit. */
static ssize_t event_copy(struct gtdbg_event_queue *queue, char __user *buf,
			  size_t len)
{
	const struct gtdbg_event *event;
	ssize_t done = 0;

	lockdep_assert_held(&queue->read_lock);
	while ((event = event_peek(queue))) {
		size_t bytes = event->len_bytes;

		if (bytes > len - done)
			return done ?: -EMSGSIZE;
		if (copy_to_user(buf + done, event, bytes))
			return done ?: -EFAULT;
		event_consume(queue, event);
		done += bytes;
	}
	return done;
}

ssize_t gtdbg_event_queue_read(struct gtdbg_event_queue *queue,
			       char __user *buf, size_t len, bool nonblock)
{
	ssize_t ret;

	for (;;) {
		ret = mutex_lock_interruptible(&queue->read_lock);
		if (ret)
			return ret;
		ret = event_copy(queue, buf, len);
		mutex_unlock(&queue->read_lock);
		if (ret || READ_ONCE(queue->exit_read))
			return ret;
		if (nonblock)
			return -EAGAIN;
		ret = wait_event_interruptible(queue->wait, event_ready(queue));
		if (ret)
			return ret;
	}
}

__poll_t gtdbg_event_queue_poll(struct gtdbg_event_queue *queue,
				struct file *filp, poll_table *table)
{
	__poll_t mask = 0;

	poll_wait(filp, &queue->wait, table);
	if (READ_ONCE(queue->exit_read))
		return EPOLLHUP;
	if (event_ready(queue))
		mask = EPOLLIN | EPOLLRDNORM;
	return mask;
}
