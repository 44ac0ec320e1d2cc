// SPDX-License-Identifier: GPL-2.0-only
/*
 * Very many stops, of an OpenCL program on vgtd: what vgtd has counted, the
 * module has reported, no stop twice. And launches that follow each other.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness.h"

#include "rig.h"

#define SECOND_INSTRUCTION 16 /* behind the one with the cookie */
#define SLOTS 672
#define SIMD 8 /* of unoptimised code */

#define STOPS 8000
#define STOPS_SOAK 100000
#define LAUNCHES 4
#define QUEUED 1000
#define QUEUED_SOCKET 20 /* more than a second each, under emulation */
#define QUEUED_SOAK 10000

struct counts {
	uint64_t stops, submits;
	uint64_t generation[SLOTS]; /* of each slot's last stop */
	uint32_t breakpoint;
	bool rising; /* so they did */
};

/* Every thread stops behind the entry. */
static int submitted(struct rig *rig, struct counts *counts,
		     const struct rig_event *event)
{
	const struct gtdbg_event_kernel_submit *submit = event->payload;
	int id;

	if (!counts->submits++) {
		id = rig_breakpoint(rig->session, submit->kernel,
				    SECOND_INSTRUCTION);
		if (id < 0)
			return id;
		counts->breakpoint = id;
	}
	return rig_ack(rig, event);
}

/* All that stopped in one scan go on together. */
static int stopped(struct rig *rig, struct counts *counts,
		   const struct rig_event *event)
{
	const struct gtdbg_event_thread_stop *stop = event->payload;
	int ret = 0;

	counts->stops += stop->thread.breakpoint == counts->breakpoint;
	counts->rising &= stop->thread.generation >
			  counts->generation[stop->thread.slot];
	counts->generation[stop->thread.slot] = stop->thread.generation;
	if (!(event->head->flags & GTDBG_EVENT_F_MORE))
		ret = rig_resume(rig->session, stop->thread.device, 0, SLOTS,
				 GTDBG_RESUME_RUN);
	return ret < 0 ? ret : 0;
}

/* Until the program has ended. */
static int follow(struct rig *rig, struct counts *counts)
{
	struct rig_event event;
	int ret;

	*counts = (struct counts){ .rising = true };
	do {
		ret = rig_any(rig, &event, RIG_TIMEOUT_MS);
		if (!ret && event.head->kind == GTDBG_EVENT_KERNEL_SUBMIT)
			ret = submitted(rig, counts, &event);
		else if (!ret && event.head->kind == GTDBG_EVENT_THREAD_STOP)
			ret = stopped(rig, counts, &event);
	} while (!ret && event.head->kind != GTDBG_EVENT_EXIT);
	return ret;
}

/* What vgtd says of stops when the program's connection has closed, or -1. */
static long long vgtd_stops(const char *path)
{
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;
	long long stops = -1;
	char line[512], *at;
	FILE *log;

	do {
		usleep(10000);
		log = fopen(path, "r");
		while (log && fgets(line, sizeof(line), log)) {
			at = strstr(line, " SIP entries, ");
			if (at && strtoll(at + 14, NULL, 10) > 0)
				stops = strtoll(at + 14, NULL, 10);
		}
		if (log)
			fclose(log);
	} while (stops < 0 && rig_now_ns() < end);
	return stops;
}

FIXTURE(stops)
{
	struct rig rig;
	char log[32];
};

FIXTURE_SETUP(stops)
{
	int fd;

	if (rig_missing(RIG_SIP_OWN))
		SKIP(return, "%s", rig_missing(RIG_SIP_OWN));
	strcpy(self->log, "/tmp/gtdbg-stops-XXXXXX");
	fd = mkstemp(self->log);
	ASSERT_LE(0, fd);
	close(fd);
	self->rig.vgtd_log = self->log;
}

FIXTURE_TEARDOWN(stops)
{
	rig_stop(&self->rig);
	unlink(self->log);
}

TEST_F(stops, as_many_as_vgtd_has_counted)
{
	struct gtdbg_session_stats stats = { 0 };
	struct rig *rig = &self->rig;
	int stops = rig_is_soak() ? STOPS_SOAK : STOPS;
	struct counts counts;
	uint64_t start;
	char items[16];

	snprintf(items, sizeof(items), "%d", stops / LAUNCHES * SIMD);
	ASSERT_EQ(0, rig_start(rig, "sample", items, "64", "4"));
	start = rig_now_ns();
	ASSERT_EQ(0, follow(rig, &counts));
	TH_LOG("%d stops in %llu ms", stops,
	       (unsigned long long)(rig_now_ns() - start) / 1000000);
	EXPECT_EQ(0, rig_wait(rig));
	EXPECT_EQ(stops, counts.stops);
	EXPECT_EQ(LAUNCHES, counts.submits);
	EXPECT_TRUE(counts.rising);
	ASSERT_EQ(0, ioctl(rig->session, GTDBG_IOC_SESSION_STATS, &stats));
	EXPECT_EQ(0, stats.events_lost);
	/* Entries included. */
	EXPECT_LE(stops + LAUNCHES, stats.stops);
	EXPECT_EQ(vgtd_stops(self->log), (long long)stats.stops);
}

/*
 * They run without a pause between them that the module could see. No thread
 * passes the entry before its launch is acknowledged, and each one stops at the
 * breakpoint behind it.
 */
TEST_F(stops, each_thread_of_queued_launches_stops)
{
	struct rig *rig = &self->rig;
	struct counts counts;

	ASSERT_EQ(0, rig_start(rig, "sample", "512", "64", "8q"));
	ASSERT_EQ(0, follow(rig, &counts));
	EXPECT_EQ(0, rig_wait(rig));
	EXPECT_EQ(8, counts.submits);
	EXPECT_EQ(8 * 512 / SIMD, counts.stops);
}

/* How many threads stand at their entry, and how many anywhere else? */
static int standing(const struct rig *rig, uint32_t device, uint32_t *at_entry,
		    uint32_t *behind)
{
	static struct gtdbg_thread_info infos[SLOTS];
	struct gtdbg_thread_list list = {
		.device = device,
		.count = SLOTS,
		.infos = (uintptr_t)infos,
	};
	int i, count = ioctl(rig->session, GTDBG_IOC_THREAD_LIST, &list);

	*at_entry = *behind = 0;
	for (i = 0; i < count; i++) {
		if (infos[i].state != GTDBG_THREAD_STOPPED)
			continue;
		if (infos[i].reasons == GTDBG_STOP_ENTRY)
			++*at_entry;
		else
			++*behind;
	}
	return count < 0 ? -errno : 0;
}

/*
 * Whichever of them is seen first: all wait at the entry until their launch is
 * acknowledged.
 */
TEST_F(stops, no_thread_passes_before_its_launch_is_acknowledged)
{
	const int launches = rig_is_socket() ? QUEUED_SOCKET : 30;
	const uint32_t threads = 512 / SIMD;
	struct rig *rig = &self->rig;
	struct counts counts = { .rising = true };
	uint32_t at_entry, behind;
	struct rig_event event;
	char times[16];
	int ret;

	snprintf(times, sizeof(times), "%dq", launches);
	ASSERT_EQ(0, rig_start(rig, "sample", "512", "64", times));
	do {
		ret = rig_any(rig, &event, RIG_TIMEOUT_MS);
		if (!ret && event.head->kind == GTDBG_EVENT_KERNEL_SUBMIT) {
			uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;
			const struct gtdbg_event_kernel_submit *submit =
				event.payload;

			do {
				usleep(1000);
				ASSERT_EQ(0, standing(rig, submit->device,
						      &at_entry, &behind));
			} while (at_entry + behind < threads &&
				 rig_now_ns() < end);
			ASSERT_EQ(0, behind);
			ASSERT_EQ(threads, at_entry);
			ret = submitted(rig, &counts, &event);
		} else if (!ret && event.head->kind == GTDBG_EVENT_THREAD_STOP) {
			const struct gtdbg_event_thread_stop *stop =
				event.payload;

			counts.stops++;
			ret = rig_resume(rig->session, stop->thread.device,
					 stop->thread.slot, 1,
					 GTDBG_RESUME_RUN) < 0;
		}
	} while (!ret && event.head->kind != GTDBG_EVENT_EXIT);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, rig_wait(rig));
	EXPECT_EQ(launches, counts.submits);
	EXPECT_EQ(launches * threads, counts.stops);
}

/* However short: not one is missed, and none is reported twice. */
TEST_F(stops, each_queued_launch_is_reported)
{
	int launches = rig_is_soak() ? QUEUED_SOAK :
		       rig_is_socket() ? QUEUED_SOCKET : QUEUED;
	struct gtdbg_session_stats stats = { 0 };
	struct rig *rig = &self->rig;
	uint64_t submits = 0, start;
	struct rig_event event;
	char times[16];
	int ret;

	snprintf(times, sizeof(times), "%dq", launches);
	ASSERT_EQ(0, rig_start(rig, "sample", "1", "1", times));
	start = rig_now_ns();
	do {
		ret = rig_any(rig, &event, RIG_TIMEOUT_MS);
		if (!ret && event.head->kind == GTDBG_EVENT_KERNEL_SUBMIT) {
			const struct gtdbg_event_kernel_submit *submit =
				event.payload;

			submits++;
			EXPECT_GT(SLOTS, submit->slot);
			EXPECT_EQ(1, submit->items);
			rig_ack(rig, &event);
		}
	} while (!ret && event.head->kind != GTDBG_EVENT_EXIT);
	TH_LOG("%llu launches in %llu ms", (unsigned long long)submits,
	       (unsigned long long)(rig_now_ns() - start) / 1000000);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, rig_wait(rig));
	EXPECT_EQ((uint64_t)launches, submits);
	ASSERT_EQ(0, ioctl(rig->session, GTDBG_IOC_SESSION_STATS, &stats));
	EXPECT_EQ(0, stats.events_lost);
	EXPECT_EQ(launches, vgtd_stops(self->log));
}

TEST_HARNESS_MAIN
