/* SPDX-License-Identifier: MIT */
/*
 * Perfetto's trace format: a protobuf message of packets, none of which lies in two pages
 * of the file. The kernel writes what is in one page as a whole or not at all, so the file
 * can be read at any time, whatever ends its writer. Times are CLOCK_MONOTONIC, ns, and
 * need not come in order.
 */
#ifndef GTDBGCTL_PERFETTO_H
#define GTDBGCTL_PERFETTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERFETTO_PAGE 4096
#define PERFETTO_PADDING 8	/* what follows a packet in its page, at least, or nothing */

struct perfetto {
	bool is_open;		/* else nothing is written */
	int fd;
	uint8_t page[PERFETTO_PAGE];	/* of the file, as far as it has come */
	size_t page_len, page_written;
	uint64_t file_len;	/* of whole packets */
	uint8_t buf[PERFETTO_PAGE - PERFETTO_PADDING];	/* the packet */
	size_t len;
	size_t open[8];		/* messages in it, the lengths of which are to come */
	int depth;
	bool has_overrun;	/* it is too long, and will not be written */
	uint64_t packets;
	int error;		/* the first one in writing, negative */
};

/* The first packet: CLOCK_MONOTONIC beside the clock that others have. */
void perfetto_begin(struct perfetto *perfetto, int fd);

/*
 * Rows. A process or a thread with its number, or, where that is 0, any row that
 * has a name, below @parent.
 */
void perfetto_process(struct perfetto *perfetto, uint64_t row, int pid,
		      const char *name);
void perfetto_thread(struct perfetto *perfetto, uint64_t row, int pid, int tid,
		     const char *name);
void perfetto_row(struct perfetto *perfetto, uint64_t row, uint64_t parent,
		  const char *name);
void perfetto_counter(struct perfetto *perfetto, uint64_t row, uint64_t parent,
		      const char *name);

enum perfetto_type {
	PERFETTO_BEGIN = 1,
	PERFETTO_END = 2,
	PERFETTO_INSTANT = 3,
	PERFETTO_COUNTER = 4,
};

/* An event: what it has is put between its begin and its end. */
void perfetto_event(struct perfetto *perfetto, enum perfetto_type type,
		    uint64_t row, uint64_t time_ns, const char *name);
void perfetto_flow(struct perfetto *perfetto, uint64_t flow, bool is_last);
void perfetto_number(struct perfetto *perfetto, const char *name,
		     uint64_t value);
void perfetto_address(struct perfetto *perfetto, const char *name,
		      uint64_t value);
void perfetto_text(struct perfetto *perfetto, const char *name,
		   const char *value);
void perfetto_event_end(struct perfetto *perfetto);

/* An event of its own. */
void perfetto_count(struct perfetto *perfetto, uint64_t row, uint64_t time_ns,
		    int64_t value);

/* Now it is all in the file: 0, or a negative errno if it is not. */
int perfetto_flush(struct perfetto *perfetto);

#endif
