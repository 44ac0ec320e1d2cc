/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_EVENT_QUEUE_H
#define GTDBG_EVENT_QUEUE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include <linux/gtdbg.h>

struct gtdbg_account;

/* A record that no one has queued: kind 0 if there is none. */
union gtdbg_event_made {
	struct gtdbg_event event;
	struct {
		struct gtdbg_event event;
		struct gtdbg_event_overflow overflow;
	} overflow;
	struct {
		struct gtdbg_event event;
		struct gtdbg_event_exit exit;
	} exit;
};

struct gtdbg_event_queue {
	struct gtdbg_account *account; /* who pays for the records */
	struct mutex read_lock;
	wait_queue_head_t wait;
	spinlock_t lock;

	/* Protected by @lock. */
	struct list_head pending;
	u32 count;
	struct list_head staged; /* protected by the client's lock instead */
	u64 next_seqno;
	union gtdbg_event_made made; /* numbered, and read before @pending */
	u64 lost; /* since the last overflow record was made */
	u64 lost_total;
	u32 exit_reason; /* not 0: the exit record is due after all others */
	bool exit_read;
};

/* What a record is made of: a fixed payload, then a text with its NUL. */
struct gtdbg_event_parts {
	u16 kind;
	u16 flags;
	u64 gpu_time;
	const void *payload;
	size_t payload_bytes;
	const char *text;
	size_t text_bytes;
	u64 *seqno_out; /* of a staged record: receives its number; or NULL */
};

/* For events of a client of @debugged. -ENOMEM, with nothing to be undone. */
int gtdbg_event_queue_init(struct gtdbg_event_queue *queue,
			   const struct gtdbg_account *debugged);
void gtdbg_event_queue_fini(struct gtdbg_event_queue *queue);

/*
 * Queue a record. Returns its number, or 0 if it was lost: there was no room,
 * or no memory.
 */
u64 gtdbg_event_queue_push(struct gtdbg_event_queue *queue,
			   const struct gtdbg_event_parts *parts);

/* Is there room for @count more, and none is lost? */
bool gtdbg_event_queue_has_room(struct gtdbg_event_queue *queue, u32 count);

/*
 * Records of a replay are staged one by one, with the client's lock held: 0,
 * -EDQUOT or -ENOMEM. Then they are queued together, however many there are, or
 * dropped. The first one's number and the last one's come back.
 */
int gtdbg_event_queue_stage(struct gtdbg_event_queue *queue,
			    const struct gtdbg_event_parts *parts);
void gtdbg_event_queue_commit(struct gtdbg_event_queue *queue, u64 *first_out,
			      u64 *last_out);
void gtdbg_event_queue_drop(struct gtdbg_event_queue *queue);

/* Nothing comes after this; only the first call counts. Cannot fail. */
void gtdbg_event_queue_exit(struct gtdbg_event_queue *queue, u32 reason);

ssize_t gtdbg_event_queue_read(struct gtdbg_event_queue *queue,
			       char __user *buf, size_t len, bool nonblock);
__poll_t gtdbg_event_queue_poll(struct gtdbg_event_queue *queue,
				struct file *filp, poll_table *table);

#endif
