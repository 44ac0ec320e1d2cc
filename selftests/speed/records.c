// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that threads write and run on: how many a second reach one reader while the
 * writer waits for room, and how many are lost at a fixed rate without that.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "bench.h"
#include "target.h"

#define SECOND_INSTRUCTION 16
#define RECORDS 400000
#define BURST 100 /* each millisecond */

struct writer {
	struct target *target;
	bool waits;
	uint32_t lost;
};

static volatile struct gtdbg_sip_ring *ring_of(struct target *target)
{
	return (volatile void *)peer_at(&target->peer, PEER_SAVE_AREA +
					GTDBG_SIP_RING_OFFSET);
}

static void record_write(struct target *target, uint32_t number)
{
	struct gtdbg_sip_record record = {
		.ip = PEER_KERNEL_IP + SECOND_INSTRUCTION,
		.slot = GTDBG_SIP_SLOT_OFFSET / 16,
		.lanes = 0xff,
		.number = number,
	};

	peer_record_seal(&record);
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_RECORD_OFFSET +
		       number % GTDBG_SIP_RECORDS_MAX * GTDBG_SIP_RECORD_BYTES),
	       &record, sizeof(record));
}

static void *writer_run(void *data)
{
	struct writer *writer = data;
	volatile struct gtdbg_sip_ring *ring = ring_of(writer->target);
	uint64_t start = rig_now_ns();

	for (uint32_t i = 0; i < RECORDS; i++) {
		while (!writer->waits &&
		       rig_now_ns() - start < i / BURST * 1000000ULL)
			sched_yield();
		while (writer->waits && ring->written - ring->read >=
		       GTDBG_SIP_RECORDS_LIMIT)
			sched_yield();
		if (ring->written - ring->read >= GTDBG_SIP_RECORDS_LIMIT) {
			ring->lost = ++writer->lost;
			continue;
		}
		record_write(writer->target, ring->written);
		__atomic_fetch_add(&ring->written, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* Until all were read or reported lost: seconds, or 0. */
static double read_all(struct target *target)
{
	const struct gtdbg_event_thread_record *head;
	uint64_t start = rig_now_ns(), count = 0;
	struct rig_event event;

	while (count < RECORDS) {
		if (rig_next(&target->rig, GTDBG_EVENT_THREAD_RECORD, &event))
			return 0;
		head = event.payload;
		count += head->count + head->lost;
	}
	return (double)(rig_now_ns() - start) / 1e9;
}

static double run(struct target *target, struct writer *writer)
{
	pthread_t thread;
	double seconds;

	writer->target = target;
	if (pthread_create(&thread, NULL, writer_run, writer))
		return 0;
	seconds = read_all(target);
	pthread_join(thread, NULL);
	return seconds;
}

static bool program_set(struct target *target)
{
	const struct gtdbg_sip_op op[] = {
		{ GTDBG_SIP_OP_RECORD, 0, 0, 0 },
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	};
	struct gtdbg_breakpoint_set set = {
		.kernel = target->kernel, .offset = SECOND_INSTRUCTION,
	};
	struct gtdbg_breakpoint_program request = {
		.program = (uintptr_t)op, .len_bytes = sizeof(op),
		.version = GTDBG_PROGRAM_VERSION,
	};

	request.breakpoint = ioctl(target->rig.session,
				   GTDBG_IOC_BREAKPOINT_SET, &set);
	return !ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_PROGRAM,
		      &request) && request.decided;
}

/* The SIP of the peer can do it, as that says. */
static bool target_begin(struct target *target)
{
	uint32_t version = GTDBG_SIP_VERSION, context;
	struct rig_event event;

	if (target_init(target))
		return false;
	memcpy(peer_at(&target->peer, PEER_SAVE_AREA +
		       GTDBG_SIP_CONTROL_OFFSET +
		       offsetof(struct gtdbg_sip_control, version)),
	       &version, sizeof(version));
	return !target_offer(target, RIG_ALL_EVENTS, 0) &&
	       !target_context(target, &context) &&
	       !target_submit(target, 3, &event) && program_set(target);
}

void bench_records(void)
{
	struct writer fast = { .waits = true }, steady = { .waits = false };
	struct target target;
	double seconds = 0;

	if (target_begin(&target)) {
		seconds = run(&target, &fast);
		if (seconds > 0)
			line("records_to_one_reader", RECORDS / seconds, "1/s",
			     "100000");
		seconds = run(&target, &steady);
	}
	if (seconds > 0)
		line("records_lost_of_400000_at_100000_a_second", steady.lost,
		     "count", "0");
	else
		fprintf(stderr, "kmod_bench: no records\n");
	target_stop(&target);
}
