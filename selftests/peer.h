/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A virtual GT for tests, at the other end of /dev/gtdbg-vgt: it has memory,
 * page tables, a ring with a batch, a save area and slots, and threads that stop
 * when the test says so. It executes nothing. What vgtd never does (wrong
 * tables, random registers, sudden death) it does at will.
 */
#ifndef PEER_H
#define PEER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PEER_SLOTS 672
#define PEER_MEMORY_BYTES (64ULL << 20)
#define PEER_SLM_BYTES 65536

/* GPU addresses. */
#define PEER_BASE 0x10000000ULL /* instruction base */
#define PEER_GENERAL 0x18000000ULL /* general state base */
#define PEER_CODE 0x10010000ULL /* a kernel of a page */
#define PEER_BATCH 0x20000000ULL
#define PEER_BATCH_PHYS 0x510000 /* its physical address */
#define PEER_DYNAMIC 0x28000000ULL /* dynamic state base */
#define PEER_SAVE_AREA 0x30000000ULL
#define PEER_KERNEL_IP ((uint32_t)(PEER_CODE - PEER_BASE))
#define PEER_KERNEL_BYTES 0x1000
#define PEER_COOKIE 0x1badcafe

/* cr0.1 of a stop. */
#define PEER_BREAK 0x80000000U
#define PEER_HALT 0x40000000U

struct gtdbg_sip_record;

struct peer {
	int fd, memory_fd, device;
	uint8_t *memory, *window;
	pthread_t thread;
	pthread_mutex_t lock;
	volatile bool ending;
	bool running;
	uint32_t next_table; /* pages given to page tables */

	/* Protected by lock. */
	bool waiting[PEER_SLOTS];
	bool stepped[PEER_SLOTS]; /* last command was a step */
	uint64_t stops, resumes, invalidates;
	uint64_t slm_commands;
	/*
	 * An SLM command is not done while @slm_slow is set; one that comes
	 * meanwhile is spoilt when it ends.
	 */
	volatile bool slm_slow, slm_busy;
	uint8_t slm[PEER_SLM_BYTES]; /* of all threads */
	volatile uint32_t control; /* TD_CTL as written last */

	/* A server that is slow, or as slow as it likes; set at any time. */
	volatile uint32_t delay_ms; /* before each acknowledgement */
	volatile bool hold; /* acknowledges nothing while this is set */
	volatile bool holding; /* something waits for that */
	volatile bool asleep; /* forcewake is acknowledged, not granted */
	volatile bool starting; /* it is idle until forcewake is asked for */
	volatile uint32_t acks;

	/* Called when a thread has left, with the lock held; may be NULL. */
	void (*left)(struct peer *peer, uint32_t slot);
	void *left_data;
};

/* Memory and window contents, but no offer yet. */
int peer_init(struct peer *peer, uint64_t token);
/* Offer it as the GT of a client and serve it: its device id or -errno. */
int peer_serve(struct peer *peer, int client_fd);
/* Take the offer back: memory stays, and can be offered again. */
void peer_withdraw(struct peer *peer);
void peer_fini(struct peer *peer);

/* The code of a kernel: PEER_KERNEL_BYTES, 16 for each instruction. */
void peer_code(uint8_t *code, uint32_t cookie);

void peer_map(struct peer *peer, uint64_t va, uint64_t phys);
/* Where a mapped address lies in the test's own view. */
void *peer_at(struct peer *peer, uint64_t va);

/* Thread @slot enters the SIP at @ip for @cause and waits for the host. */
void peer_stop(struct peer *peer, uint32_t slot, uint32_t ip, uint32_t cause);
/* The same, for callers that hold the lock. */
void peer_stop_locked(struct peer *peer, uint32_t slot, uint32_t ip,
		      uint32_t cause);

/* Only its attention bit: what it says lies elsewhere. */
void peer_raise(struct peer *peer, uint32_t slot);

/* Does the engine run something? */
void peer_busy(struct peer *peer, bool busy);

/* Has a launch threads, or may it start some? It does, until this says no. */
void peer_spawning(struct peer *peer, bool spawning);

/* The SIP is of @version. It is read when the area is found, so it stands there before. */
void peer_sip(struct peer *peer, uint32_t version);
/* All of a record but its check is there. */
void peer_record_seal(struct gtdbg_sip_record *record);

/* Is the session-active flag set? */
bool peer_active(struct peer *peer);
/* Wait until it is not: false if it stays. */
bool peer_wait_inactive(struct peer *peer);

void peer_register(struct peer *peer, uint32_t offset, uint32_t value);

/* Its time stamp at a CLOCK_MONOTONIC; it shows the time of its last answer. */
#define PEER_TICKS_MASK ((1ULL << 36) - 1)
uint64_t peer_ticks(uint64_t time_ns);

/* A page fault, which the module takes back with a request of its own. */
void peer_fault(struct peer *peer);

/*
 * The batch has room for PEER_WALKERS launches of the kernel. Nothing is there
 * until it is put there.
 */
#define PEER_WALKERS 4

struct peer_walker {
	uint32_t first[3], end[3]; /* groups */
	uint32_t simd; /* 8, 16 or 32 */
	uint32_t threads; /* of a group */
	uint32_t right_mask; /* lanes of its last thread */
	uint32_t flags; /* for dword 0 */
};

void peer_walker(struct peer *peer, uint32_t index,
		 const struct peer_walker *walker);

/* Their groups get no shared local memory, or 512 << @code bytes. */
void peer_walker_slm(struct peer *peer, uint32_t code);

/* GPU address of the command. */
uint64_t peer_walker_address(uint32_t index);

/* The ring starts @batch at byte @offset, as it does PEER_BATCH at 0. */
void peer_ring_start(struct peer *peer, uint32_t offset, uint64_t batch);

/* The command streamer is at @address of a batch; the ring goes on at @ring. */
void peer_position(struct peer *peer, uint32_t ring, uint64_t address);

/* Wait until @count threads have been resumed in all: false if not in time. */
bool peer_wait_resumes(struct peer *peer, uint64_t count);

#endif
