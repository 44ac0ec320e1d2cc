/* SPDX-License-Identifier: MIT */
/*
 * What the driver needs of libgtdbg, as a script: a test says which events come
 * and which calls fail, and sees what the driver has asked for. So an order of
 * events that no program can be made to produce is there each time.
 */
#ifndef LIBGTDBG_LEVEL_ZERO_TESTS_FAKE_H
#define LIBGTDBG_LEVEL_ZERO_TESTS_FAKE_H

#include "gtdbg.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_DEVICE 1
#define FAKE_CONTEXT 2
#define FAKE_KERNEL 3
#define FAKE_ADDRESS 0x10000ull
#define FAKE_ELF_BYTES 64
#define FAKE_ACKS_MAX 16

struct fake {
	int open_ret;		/* of gtdbg_open() */
	int find_ret;		/* of gtdbg_client_find() */
	int pidfd;		/* whose client was looked for last */
	int session_ret;	/* of gtdbg_session_open() */
	int ack_ret;
	int resume_ret;
	int memory_ret;		/* 0: the whole length */
	int snapshot_ret;
	unsigned int signals;	/* that interrupt waits for events to come */
	uint32_t lacks_set;	/* GTDBG_REGISTER_*: is not saved */
	uint32_t cuts_set;	/* likewise: has only its first register */
	bool has_ended;		/* no more events, ever */
	uint64_t first_seqno;	/* of the next replay */
	uint64_t acks[FAKE_ACKS_MAX];
	unsigned int ack_count;
	unsigned int steps, runs;	/* threads resumed */
	uint32_t resumed;		/* the device of the last ones */
	uint32_t cause;			/* cr0.1 that was written */
	unsigned int opened, closed;	/* sessions */
	unsigned int breakpoints;	/* that are set */
	unsigned int polls;		/* how often the driver has waited */
	bool is_shared;			/* the device is the machine's */
	atomic_uint arms;		/* looks at save areas in its program */
	atomic_bool is_wanted;		/* at the last one */
	atomic_int armed_pidfd;		/* likewise */
	/* Called within each of them. */
	void (*arming)(void);
	uint8_t code[64];		/* at FAKE_ADDRESS */
	/* Called when all threads are interrupted, NULL: nothing stops. */
	void (*interrupted)(void);
	/* Called when the driver asks for a replay. */
	void (*replay)(void);
	/* Called within each read of registers. */
	void (*registers)(void);
	/* Called before a session is opened. */
	void (*opening)(void);
	/* Called before one is closed. */
	void (*closing)(void);
};

extern struct fake fake;

/* Everything as at the start, and no event. */
void fake_init(void);

/* Queues an event; returns its number. */
uint64_t fake_event(uint16_t kind, uint16_t flags, const void *payload,
		    size_t len_bytes);

/* Of the device, its context and its kernel, whatever is attached to them. */
void fake_device(uint32_t subslices);
uint64_t fake_submit(void);
/* One whose number of threads is known. */
uint64_t fake_submit_sized(uint32_t threads);
void fake_unload(void);
/* The same in another context. */
uint64_t fake_submit_in(uint32_t context);
void fake_unload_in(uint32_t context);
void fake_stop(uint32_t slot, uint64_t generation, uint32_t reasons,
	       uint32_t exceptions);
void fake_synced(void);

#endif
