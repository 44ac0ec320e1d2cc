// SPDX-License-Identifier: MIT
#include "record.h"

#include "debugger.h"
#include "message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS_MAX	(GTDBG_CAPTURES_MAX / GTDBG_RECORD_VALUES)
#define PARTIAL_BUCKETS	64

/* The records of a thread's pass, as far as they have come. */
struct partial {
	struct partial *next;
	uint32_t device, context, slot;
	uint32_t count;
	struct gtdbg_thread_record record[RECORDS_MAX];
};

/* Where the values of one program are. Kernels and their types go before records do. */
struct layout {
	struct layout *next;
	uint32_t tag;		/* of the first record */
	uint32_t records;	/* of a pass, for each eight lanes */
	struct partial *partial[PARTIAL_BUCKETS]; /* by slot, if there are several */
	struct {
		uint32_t first;
		uint32_t size;	/* in bytes */
		bool is_float;
		bool is_signed;
		bool is_address;
	} arg[GTDBG_CAPTURES_MAX];
};

static int layout_add(struct debugger *debugger, struct breakpoint *breakpoint,
		      const struct gtdbg_capture *captures)
{
	struct layout *layout = calloc(1, sizeof(*layout));

	if (!layout)
		return -ENOMEM;
	layout->tag = debugger->next_tag + 1;
	layout->records = 1;
	for (size_t i = 0; i < breakpoint->message->count; i++) {
		const struct gtdbg_type *type = captures[i].type;
		uint32_t last = captures[i].first + captures[i].count - 1;

		layout->arg[i].first = captures[i].first;
		layout->arg[i].size = 4;
		layout->arg[i].is_signed = !captures[i].is_unsigned;
		/* In whatever order they are captured. */
		if (last / GTDBG_RECORD_VALUES >= layout->records)
			layout->records = 1 + last / GTDBG_RECORD_VALUES;
		if (!type)
			continue;
		layout->arg[i].size = (uint32_t)type->size_bytes;
		layout->arg[i].is_float = type->kind == GTDBG_TYPE_FLOAT;
		layout->arg[i].is_signed =
			(type->kind == GTDBG_TYPE_ENUM ? type->target : type)->kind ==
			GTDBG_TYPE_INTEGER;
		layout->arg[i].is_address = type->kind == GTDBG_TYPE_POINTER;
	}
	debugger->next_tag += layout->records;
	layout->next = breakpoint->layouts;
	breakpoint->layouts = layout;
	return 0;
}

/* A log point says of values what the prompt does, which has more to say of others. */
static int log_check(struct breakpoint *breakpoint,
		     const struct gtdbg_capture *captures)
{
	for (size_t i = 0; i < breakpoint->message->count; i++) {
		if (!captures[i].type ||
		    captures[i].type->kind == GTDBG_TYPE_INTEGER ||
		    captures[i].type->kind == GTDBG_TYPE_UNSIGNED ||
		    captures[i].type->kind == GTDBG_TYPE_FLOAT)
			continue;
		snprintf(breakpoint->why_host, sizeof(breakpoint->why_host),
			 "%.60s is no plain number", captures[i].name);
		return -EOPNOTSUPP;
	}
	return 0;
}

int record_compile(struct debugger *debugger, struct breakpoint *breakpoint,
		   struct gtdbg_symbols *symbols, uint64_t pc, void *program,
		   size_t capacity)
{
	struct gtdbg_capture captures[GTDBG_CAPTURES_MAX] = { { 0 } };
	const struct message *message = breakpoint->message;
	int len, ret;

	if (message->count > GTDBG_CAPTURES_MAX) {
		snprintf(breakpoint->why_host, sizeof(breakpoint->why_host),
			 "it has more than %d arguments", GTDBG_CAPTURES_MAX);
		return -EOPNOTSUPP;
	}
	for (size_t i = 0; i < message->count; i++)
		captures[i].name = message->args[i];
	len = gtdbg_record_compile(symbols, pc, captures, message->count,
				   breakpoint->condition, debugger->next_tag + 1,
				   program, capacity, breakpoint->why_host,
				   sizeof(breakpoint->why_host));
	ret = len > 0 && breakpoint->log ? log_check(breakpoint, captures) : 0;
	if (!ret)
		ret = len > 0 ? layout_add(debugger, breakpoint, captures) : len;
	return ret ? ret : len;
}

static void layout_free(struct layout *layout)
{
	for (uint32_t i = 0; i < PARTIAL_BUCKETS; i++) {
		while (layout->partial[i]) {
			struct partial *partial = layout->partial[i];

			layout->partial[i] = partial->next;
			free(partial);
		}
	}
	free(layout);
}

void record_forget(struct breakpoint *breakpoint)
{
	while (breakpoint->layouts) {
		struct layout *layout = breakpoint->layouts;

		breakpoint->layouts = layout->next;
		layout_free(layout);
	}
}

static struct layout *layout_find(struct debugger *debugger, uint32_t tag,
				  struct breakpoint **out)
{
	struct layout *layout;

	for (*out = debugger->breakpoints; *out; *out = (*out)->next)
		for (layout = (*out)->layouts; layout; layout = layout->next)
			if (tag - layout->tag < layout->records)
				return layout;
	return NULL;
}

/*
 * Of the slot's thread, in its context: each has a ring of its own, and what one
 * has of a slot may be read before the rest of another's. NULL: there is no memory.
 */
static struct partial *
partial_get(struct layout *layout,
	    const struct gtdbg_event_thread_record *head, uint32_t slot)
{
	struct partial **bucket = &layout->partial[slot % PARTIAL_BUCKETS];
	struct partial *partial = *bucket;

	while (partial && (partial->device != head->device ||
			   partial->context != head->context ||
			   partial->slot != slot))
		partial = partial->next;
	if (partial)
		return partial;
	partial = calloc(1, sizeof(*partial));
	if (!partial)
		return NULL;
	partial->device = head->device;
	partial->context = head->context;
	partial->slot = slot;
	partial->next = *bucket;
	*bucket = partial;
	return partial;
}

/* The others of its pass will not come any more; how many records that leaves. */
static uint32_t partial_drop(const struct layout *layout,
			     struct partial *partial)
{
	uint32_t left = partial->count < layout->records ? partial->count : 0;

	partial->count = 0;
	return left;
}

static uint32_t layout_drop(struct layout *layout)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < PARTIAL_BUCKETS; i++)
		for (struct partial *partial = layout->partial[i]; partial;
		     partial = partial->next)
			left += partial_drop(layout, partial);
	return left;
}

/* Does the record go on with the pass? */
static bool partial_fits(const struct partial *partial, uint32_t index,
			 const struct gtdbg_thread_record *record)
{
	const struct gtdbg_thread_record *first = &partial->record[0];

	return index && index == partial->count &&
	       record->turn == (uint16_t)(first->turn + index) &&
	       record->first == first->first &&
	       record->lanes == first->lanes &&
	       record->address == first->address;
}

/*
 * All records of the pass, once the last one has come: those of other threads come
 * between them. Where one is missing, the others are only counted.
 */
static const struct gtdbg_thread_record *
records_join(struct debugger *debugger, struct layout *layout,
	     const struct gtdbg_event_thread_record *head,
	     const struct gtdbg_thread_record *record)
{
	uint32_t index = record->tag - layout->tag;
	struct partial *partial;

	if (layout->records == 1)
		return record;
	partial = partial_get(layout, head, record->slot);
	if (!partial) {
		fprintf(stderr, "gtdbgctl: a record is lost: %s\n",
			strerror(ENOMEM));
		return NULL;
	}
	if (!partial_fits(partial, index, record)) {
		debugger->records_left += partial_drop(layout, partial);
		debugger->records_left += !!index;
		if (index)
			return NULL;
	}
	partial->record[index] = *record;
	partial->count = index + 1;
	return partial->count == layout->records ? partial->record : NULL;
}

/* One of the values, in lane @lane of the record's eight. */
static uint32_t value_of(const struct gtdbg_thread_record *records,
			 uint32_t index, uint32_t lane)
{
	return records[index / GTDBG_RECORD_VALUES]
		.value[index % GTDBG_RECORD_VALUES][lane];
}

static struct operand operand_of(const struct layout *layout, size_t arg,
				 const struct gtdbg_thread_record *records,
				 uint32_t lane)
{
	uint32_t first = layout->arg[arg].first;
	struct operand operand = {
		.is_float = layout->arg[arg].is_float,
		.is_signed = layout->arg[arg].is_signed,
		.is_address = layout->arg[arg].is_address,
		.size = layout->arg[arg].size,
		.bits = value_of(records, first, lane),
	};
	uint32_t low = (uint32_t)operand.bits;
	float number;

	if (operand.size == 8)
		operand.bits |= (uint64_t)value_of(records, first + 1, lane) <<
				32;
	if (operand.is_float && operand.size == 4) {
		memcpy(&number, &low, sizeof(number));
		operand.number = number;
	} else if (operand.is_float) {
		memcpy(&operand.number, &operand.bits, sizeof(operand.bits));
	}
	return operand;
}

static void print_lane(struct debugger *debugger, const struct message *message,
		       const struct layout *layout, uint32_t device,
		       const struct gtdbg_thread_record *records, uint32_t lane)
{
	struct gtdbg_thread_info thread = {
		.device = device, .slot = records->slot,
	};
	struct operand operands[GTDBG_CAPTURES_MAX];

	for (size_t i = 0; i < message->count; i++)
		operands[i] = operand_of(layout, i, records, lane);
	if (message->has_name) {
		thread_print_name(debugger, &thread,
				  (int)(records->first + lane));
		putchar(' ');
	}
	message_print_operands(message, operands);
}

static void record_print(struct debugger *debugger,
			 const struct gtdbg_event_thread_record *head,
			 const struct gtdbg_thread_record *record)
{
	const struct gtdbg_thread_record *records;
	struct breakpoint *breakpoint;
	struct layout *layout = layout_find(debugger, record->tag, &breakpoint);

	/* Of one that was deleted meanwhile. */
	if (!layout)
		return;
	breakpoint->hits += !record->turn;
	breakpoint->was_recorded = true;
	records = records_join(debugger, layout, head, record);
	/* A log point speaks once for a thread. */
	if (!records || (breakpoint->log && records->turn))
		return;
	for (uint32_t lane = 0; lane < 8; lane++) {
		if (!(records->lanes >> lane & 1))
			continue;
		print_lane(debugger, breakpoint->message, layout,
			   head->device, records, lane);
		if (breakpoint->log)
			break;
	}
}

static void left_print(struct debugger *debugger)
{
	unsigned long long left = debugger->records_left;

	debugger->records_left = 0;
	if (left)
		fprintf(stderr, "gtdbgctl: %llu record%s not printed: there are no others of the same pass\n",
			left, left == 1 ? " is" : "s are");
}

void records_print(struct debugger *debugger, const struct gtdbg_event *event)
{
	const struct gtdbg_event_thread_record *head;
	const char *at;
	size_t len;

	head = gtdbg_event_payload(event, sizeof(*head));
	if (!head || head->record_len_bytes < sizeof(struct gtdbg_thread_record))
		return;
	len = event->len_bytes - sizeof(*event) - sizeof(*head);
	at = (const char *)(head + 1);
	for (uint32_t i = 0; i < head->count &&
	     len >= head->record_len_bytes; i++) {
		record_print(debugger, head, (const void *)at);
		at += head->record_len_bytes;
		len -= head->record_len_bytes;
	}
	fflush(stdout);
	if (head->lost)
		fprintf(stderr, "gtdbgctl: %llu records are lost: they came faster than they were read\n",
			(unsigned long long)head->lost);
	left_print(debugger);
}

/* Up to that number; 0, or a negative errno where the session has nothing more to say. */
static int records_read(struct debugger *debugger, uint64_t last_seqno)
{
	const struct gtdbg_event *event;
	int ret;

	do {
		ret = gtdbg_event_next(debugger->session, 0, &event);
		if (ret != 1)
			return ret < 0 ? ret : -ENODATA;
		if (event->kind == GTDBG_EVENT_THREAD_RECORD)
			records_print(debugger, event);
	} while (event->seqno < last_seqno);
	return 0;
}

void records_finish(struct debugger *debugger)
{
	struct gtdbg_event_snapshot snapshot;

	/* One look reads two thirds of what there is room for, and what waits goes first. */
	for (unsigned int look = 0; look < 2; look++)
		if (gtdbg_event_snapshot(debugger->session, &snapshot) < 0 ||
		    records_read(debugger, snapshot.last_seqno) < 0)
			break;
}

void records_end(struct debugger *debugger)
{
	struct breakpoint *breakpoint = debugger->breakpoints;

	for (; breakpoint; breakpoint = breakpoint->next)
		for (struct layout *layout = breakpoint->layouts; layout;
		     layout = layout->next)
			debugger->records_left += layout_drop(layout);
	left_print(debugger);
}
