/* SPDX-License-Identifier: MIT */
/*
 * A trace as CTF. Streams: "calls", OpenCL calls of all threads; "events", what the
 * module saw by the host's clock; "gpu-N", launches and switches of a device at the
 * device's own time, which is known late, and by estimates that get better.
 */
#ifndef GTDBGCTL_TRACE_CTF_H
#define GTDBGCTL_TRACE_CTF_H

#include "trace_record.h"

#include <stdint.h>

struct trace_ctf;
struct trace_enqueued;

/* Makes the folder. Nothing of the trace is before @begin_ns. 0 or a negative errno. */
int trace_ctf_create(const char *folder, uint64_t begin_ns,
		     struct trace_ctf **out);
void trace_ctf_destroy(struct trace_ctf *trace);

/* @enqueued: what the call has enqueued, or NULL. */
void trace_ctf_call(struct trace_ctf *trace, const struct trace_call *call,
		    const struct trace_enqueued *enqueued);
void trace_ctf_return(struct trace_ctf *trace, const struct trace_call *call,
		      const struct trace_return *record);
void trace_ctf_event(struct trace_ctf *trace, const struct trace_event *record);
void trace_ctf_print(struct trace_ctf *trace, const struct trace_print *print,
		     const char *values);

void trace_ctf_sched(struct trace_ctf *trace, const struct trace_sched *record);

void trace_ctf_request(struct trace_ctf *trace, const struct trace_request *record);
void trace_ctf_level(struct trace_ctf *trace, const struct trace_level *level);
/* So many records in all found no room on a processor. */
void trace_ctf_lost(struct trace_ctf *trace, uint32_t cpu, uint64_t count,
		    uint64_t time_ns);

/* When it was, by the device's clock, and how wrong that may be. */
struct trace_time {
	uint64_t time_ns, error_ns;
};

void trace_ctf_launch(struct trace_ctf *trace, const struct trace_launch *record,
		      const struct trace_time *time,
		      const struct trace_enqueued *enqueued);
void trace_ctf_switch(struct trace_ctf *trace, const struct trace_switch *record,
		      const struct trace_time *time);

/*
 * Writes what is before @complete_ns, as no record from before that may follow, and
 * how many were lost so far. 0, or the first negative errno in writing.
 */
int trace_ctf_write(struct trace_ctf *trace, uint64_t complete_ns, uint64_t lost);

#endif
