/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A debug session without any GPU program: the test process is the client, the
 * peer is its GT, and a session of the same process controls it.
 */
#ifndef TARGET_H
#define TARGET_H

#include "peer.h"
#include "rig.h"

struct gtdbg_sip_op;

struct target {
	struct rig rig; /* its session and events; no processes */
	int client;
	uint64_t token;
	uint32_t kernel, module;
	struct peer peer;
};

/* Client with a module and kernel, and a peer that is not offered yet. */
int target_init(struct target *target);
/* Only the client, anew, with its module and kernel. */
int target_register(struct target *target);
/* Offer it, and attach the controller. */
int target_offer(struct target *target, uint64_t event_mask, uint64_t ack_mask);

/* Both at once: 0 or -errno. */
int target_start(struct target *target, uint64_t event_mask, uint64_t ack_mask);
void target_stop(struct target *target);

/* Another session on it: a descriptor or -errno. */
int target_attach(struct target *target, uint32_t flags, uint64_t event_mask);

/*
 * A breakpoint's program, of @count operations; none: it has none. Returns in how many
 * places it decides, or -errno.
 */
int target_program(struct target *target, uint32_t breakpoint,
		   const struct gtdbg_sip_op *op, uint32_t count);

int target_kernel_add(struct target *target, const char *name, uint32_t cookie);

/*
 * A client whose SIP is of version @sip, with a controller that has all events, and whose
 * kernel a first thread has reached. 0 or -errno.
 */
int target_enter(struct target *target, uint32_t sip, uint32_t *context);

/* The number of the program at @offset of the kernel, as the SIP finds it. */
#define TARGET_NOT_FOUND 0xffffffffu
uint32_t target_look_up(struct target *target, uint64_t offset);

/* The program @number of the save area, which is below GTDBG_SIP_PROGRAMS_MAX. */
const struct gtdbg_sip_program *target_program_at(struct target *target,
						  uint32_t number);

/* The first thread reaches the kernel: its submit event. */
int target_submit(struct target *target, uint32_t slot,
		  struct rig_event *event);

/*
 * A breakpoint is set on the second instruction and two threads are stopped: 1
 * at the entry, 2 there.
 */
int target_engage(struct target *target);

/* The context's id, once it was found. */
int target_context(struct target *target, uint32_t *context_out);

#endif
