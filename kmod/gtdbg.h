/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every part of the module needs: the map, the lock order, the limits.
 *
 * Files, bottom up:
 *
 * platform.c	what differs between generations: offsets, layouts, encodings
 * trace.c	tracepoints
 * account.c	what each user has registered, and the limits of it
 * event_queue.c	records that wait for the reader of a session
 * backend.h	what a device must offer: registers and physical memory
 *
 * gt.c		a GT, and how it describes itself
 * hw.c		accesses to its registers and its memory
 * ggtt.c	the page table of all contexts
 * ppgtt.c	the page tables of one
 *
 * context.c	an address space and the engine's state of it
 * savearea.c	where the SIP keeps threads' registers
 * front.c	what lies there before the slots, which threads that run look at
 * table.c	instructions at which the SIP decides itself
 * ignore.c	what does not stop though it would, as often as was said
 * record.c	what threads write there and run on
 * queue.c	the same of queues that do not run, in one address space
 * surface.c	buffers that its kernels use
 * bindful.c	the same as savearea.c under Intel's own SIP
 * batch.c	reading commands, as the streamer does
 * launch.c	which launch runs
 * window.c	which of its memory programs in the table may load
 * load.c	where kernels lie in a context
 * site.c	instructions whose breakpoint bit is set
 * thread.c	threads that are stopped, and resuming them
 * submit.c	reporting that a kernel was launched
 * fault.c	page faults, and stopping at them
 * verdict.c	whether a BPF program lets a stopped thread run on
 * kfunc.c	what such a program may call
 * watch.c	what runs, for who listens to the tracepoints of that
 * attention.c	which threads have stopped, and why
 * poller.c	the thread that looks for them
 *
 * client.c	a debuggee
 * blob.c	bytes that it has registered
 * module.c	its program builds
 * code.c	code of a kernel: where its instructions begin
 * kernel.c	its kernels
 * breakpoint.c	what is asked to stop it
 * place.c	setting and clearing that, many at a time
 * program.c	and what decides on the EU whether it does
 *
 * access.c	who may debug whom
 * session.c	a debugger's descriptor
 * snapshot.c	replaying to a session all that there is
 * attach.c	how a session joins its client, and leaves it
 * event.c	which events it wants, and acknowledging them
 * clock.c	a device's time beside ours
 * register.c	registers of stopped threads
 * memory.c	memory of a context
 * slm.c	local memory of a work-group
 * interrupt.c	stopping what runs
 *
 * control.c	what a controller begins on a GT, and what ends with it
 * registry.c	all GTs, and whose work they run
 *
 * file.c	an open /dev/gtdbg
 * ioctl.c	the table of all ioctls
 * debugfs.c	what there is, for people
 * main.c	the module's beginning and end
 *
 * Modules of their own, above backend.h alone:
 * vgt.c	the virtual GT's server
 * vgt_memory.c	its physical memory
 * pci.c	whose work runs on a GPU of the machine
 * gpu.c	such a GPU, beside its driver
 *
 * Locks, outermost first. Documentation/locking.rst has the teardown proof.
 *
 * gtdbg_vgt.offer_lock (mutex): whether a descriptor has offered a GT.
 * pci_view.bind_lock (mutex): whether a descriptor is bound to a GPU of the machine,
 *	whose device is locked.
 * gtdbg_gpu.views_lock (mutex): which descriptors are views of that GPU. Held while
 *	such a GT is published or withdrawn; never that of two GPUs.
 * gtdbg_gt.lock (mutex): a GT's contexts, threads, planted breakpoints, and the
 *	order of what is done to the hardware. Held across accesses to it, which
 *	are bounded in time; so nobody takes it who uses another user's device.
 *	All of a client's may be taken for a snapshot, but then nobody waits for
 *	one with another one held: what is not free is tried again.
 * gtdbg_gpu.wake_lock (mutex): how many GTs keep a GPU awake. Held while it wakes up,
 *	which takes what its driver needs for that.
 * gtdbg_client.lock (mutex): a client's GTs, sessions, modules, kernels and
 *	breakpoints. Held while a GT reads the client's own code, and so across what
 *	brings that memory back from disk: only who debugs the client waits for it.
 * gtdbg_registry_lock (mutex): the lists of all clients and of all GTs. Only what
 *	walks the lists is done with it, and only locks that are free are taken.
 *	The kernel's lock of tracepoints is held around it when watching begins.
 * gtdbg_event_queue.read_lock (mutex): one reader at a time. Held across the
 *	copy to the reader; taken with none of the above.
 * gtdbg_event_queue.lock (spin): the records that wait.
 * gtdbg_vgt.lock (spin): requests to a virtual GT's server.
 * gtdbg_gpu.steer_lock (spin): the selector of a GPU's sub-slices.
 * gpus_lock (mutex): the list of GPUs. Taken below bind_lock, and with nothing else.
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
	 GTDBG_FEATURE_INTERRUPT | GTDBG_FEATURE_STEP_RANGE |              \
	 GTDBG_FEATURE_STEP_EU | GTDBG_FEATURE_STEP_OVER |                 \
	 GTDBG_FEATURE_SLM | GTDBG_FEATURE_SNAPSHOT |                      \
	 GTDBG_FEATURE_MEMORY_LIST | GTDBG_FEATURE_CLOCK |                \
	 GTDBG_FEATURE_CLEAR_MANY | GTDBG_FEATURE_PROGRAM |                \
	 GTDBG_FEATURE_STEP_LANES | GTDBG_FEATURE_STEP_WATCH |           \
	 GTDBG_FEATURE_ASSERT)

#define GTDBG_NAME_BYTES_MAX 4096
#define GTDBG_CLIENT_BYTES_MAX (512ULL << 20) /* of all clients of a user */
/* Of all sessions of a user with the clients of a user. */
#define GTDBG_EVENT_BYTES_MAX (64ULL << 20)
#define GTDBG_CLIENTS_MAX 1024 /* of a user */
#define GTDBG_DEVICES_MAX 64 /* of a user */
#define GTDBG_DEVICES_OF_CLIENT_MAX 16
#define GTDBG_KERNELS_MAX 16384 /* of a client; modules likewise */
#define GTDBG_SESSIONS_MAX 64 /* of a client */
#define GTDBG_EVENTS_MAX 4096 /* of a session */
#define GTDBG_BREAKPOINTS_MAX 4096 /* of a client */
#define GTDBG_CONTEXTS_MAX 256 /* of a GT, if its parameter is not set */
#define GTDBG_SLOTS_MAX 4096 /* of a GT */

extern struct mutex gtdbg_registry_lock;

#endif
