/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every part of the module needs: the limits, and the lock order.
 *
 * Locks, outermost first. Documentation/locking.rst has the teardown proof.
 *
 * gtdbg_vgt.offer_lock (mutex): whether a descriptor has offered a GT.
 * gtdbg_registry_lock (mutex): the lists of clients and GTs, which client
 *	belongs to which GT, when pollers start and stop, a client's controller.
 *	Never taken by a poller. Holding it, the locks of several GTs may be
 *	taken at once.
 * gtdbg_gt.lock (mutex): a GT's contexts, threads, planted breakpoints, and the
 *	order of what is done to the hardware. Held across accesses to it, each
 *	of which is bounded in time.
 * gtdbg_client.lock (mutex): a client's modules, kernels, breakpoints and list
 *	of sessions.
 * gtdbg_event_queue.read_lock (mutex): one reader at a time. Held across the
 *	copy to the reader; taken with none of the above.
 * gtdbg_event_queue.lock (spin): the records that wait.
 * gtdbg_vgt.lock (spin): requests to a virtual GT's server.
 * account_lock (spin): what each user has registered.
 */
#ifndef GTDBG_H
#define GTDBG_H

#ifdef pr_fmt
#undef pr_fmt
#endif
#define pr_fmt(fmt) "gtdbg: " fmt

#include <linux/gtdbg.h>
#include <linux/mutex.h>

/* GTDBG_FEATURE_* that this build carries out. */
#define GTDBG_FEATURES                                                    \
	(GTDBG_FEATURE_CLIENT | GTDBG_FEATURE_SESSION |                   \
	 GTDBG_FEATURE_THREAD | GTDBG_FEATURE_REGISTER |                  \
	 GTDBG_FEATURE_MEMORY | GTDBG_FEATURE_BREAKPOINT |                \
	 GTDBG_FEATURE_INTERRUPT | GTDBG_FEATURE_VGT |                    \
	 GTDBG_FEATURE_STEP_RANGE | GTDBG_FEATURE_SLM)

#define GTDBG_NAME_BYTES_MAX 4096
#define GTDBG_CLIENT_BYTES_MAX (512ULL << 20) /* of all clients of a user */
#define GTDBG_EVENT_BYTES_MAX (64ULL << 20) /* of all sessions of a user */
#define GTDBG_CLIENTS_MAX 1024 /* of a user */
#define GTDBG_DEVICES_MAX 64 /* of a user */
#define GTDBG_DEVICES_OF_CLIENT_MAX 16
#define GTDBG_KERNELS_MAX 16384 /* of a client; modules likewise */
#define GTDBG_SESSIONS_MAX 64 /* of a client */
#define GTDBG_EVENTS_MAX 4096 /* of a session */
#define GTDBG_BREAKPOINTS_MAX 4096 /* of a client */
#define GTDBG_CONTEXTS_MAX 64 /* of a GT */
#define GTDBG_SLOTS_MAX 4096 /* of a GT */

extern struct mutex gtdbg_registry_lock;

#endif
