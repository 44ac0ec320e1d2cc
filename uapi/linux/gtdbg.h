/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * gtdbg: debugging the threads of an Intel GPU.
 *
 * A process that can be debugged (a client) opens /dev/gtdbg, registers, and
 * describes the code that its runtime loads. A debugger attaches a session to
 * a client and gets a descriptor of its own: read() streams events, ioctls
 * work on threads, registers, memory and breakpoints.
 *
 * Conventions. A call that creates something returns its id (1 or more) or
 * descriptor as the ioctl's value, everything else returns 0 or a count.
 * Output fields are written on success only, unless a field says otherwise.
 * Flags without a name and reserved fields must be zero, else EINVAL. Structs
 * grow at their end: a shorter one is filled with zeroes, a longer one is
 * refused with E2BIG if what the module does not know is not zero. A command
 * on the wrong kind of descriptor is ENOTTY.
 *
 * Promise. Nothing is released yet, and until then this may change, as version
 * 1. From the first release on, numbers of commands, layouts of structs, values
 * of constants and the errno of a failure stay as they are; what a call accepts
 * goes on to mean the same. Structs, kinds of events and flags are only added
 * to, and a new field that is zero means what its absence meant. What a module
 * can do is shown by the bits of gtdbg_info.features and event_kinds, which a
 * program asks before it uses what the first release did not have.
 * GTDBG_UAPI_VERSION rises only if this promise has to be broken.
 *
 * Words. A device is a GT (a GPU tile), a context is an address space on it,
 * a module is what a program builds from one source text, a kernel is an entry
 * point with its code, a slot is the place of a hardware thread, from 0 to
 * slots - 1.
 */
#ifndef _UAPI_LINUX_GTDBG_H
#define _UAPI_LINUX_GTDBG_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define GTDBG_UAPI_VERSION 1
#define GTDBG_IOC_TYPE 0xe7

/* What a module can do: struct gtdbg_info.features. */
#define GTDBG_FEATURE_CLIENT (1ULL << 0) /* clients, modules, kernels */
#define GTDBG_FEATURE_SESSION (1ULL << 1) /* sessions and events */
#define GTDBG_FEATURE_THREAD (1ULL << 2) /* list, resume, step */
#define GTDBG_FEATURE_REGISTER (1ULL << 3)
#define GTDBG_FEATURE_MEMORY (1ULL << 4)
#define GTDBG_FEATURE_BREAKPOINT (1ULL << 5)
#define GTDBG_FEATURE_INTERRUPT (1ULL << 6)
#define GTDBG_FEATURE_STEP_RANGE (1ULL << 8) /* GTDBG_RESUME_STEP_RANGE */
#define GTDBG_FEATURE_SLM (1ULL << 9) /* shared local memory */
#define GTDBG_FEATURE_SNAPSHOT (1ULL << 10) /* GTDBG_IOC_EVENT_SNAPSHOT */
#define GTDBG_FEATURE_MEMORY_LIST (1ULL << 11) /* GTDBG_IOC_MEMORY_LIST */
#define GTDBG_FEATURE_CLOCK (1ULL << 12) /* GTDBG_IOC_DEVICE_CLOCK */
#define GTDBG_FEATURE_CLEAR_MANY (1ULL << 13) /* GTDBG_IOC_BREAKPOINT_CLEAR_MANY */
#define GTDBG_FEATURE_PROGRAM (1ULL << 14) /* GTDBG_IOC_BREAKPOINT_PROGRAM */
#define GTDBG_FEATURE_STEP_EU (1ULL << 16) /* GTDBG_RESUME_F_EU, and .steps */
#define GTDBG_FEATURE_STEP_OVER (1ULL << 17) /* GTDBG_RESUME_F_OVER */
#define GTDBG_FEATURE_STEP_LANES (1ULL << 20) /* gtdbg_thread_resume.lanes */
#define GTDBG_FEATURE_STEP_WATCH (1ULL << 22) /* gtdbg_thread_resume.watch */
#define GTDBG_FEATURE_ASSERT (1ULL << 21) /* GTDBG_SESSION_F_ASSERTS */

#define GTDBG_ENGINE_RENDER 1 /* classes of engines */
#define GTDBG_PCI_NONE 0xffffffffU /* no PCI device */

/* Platforms: struct gtdbg_event_device_add.platform. */
#define GTDBG_PLATFORM_GEN9 1
#define GTDBG_PLATFORM_GEN11 2
#define GTDBG_PLATFORM_GEN12LP 3

/**
 * struct gtdbg_info - argument of GTDBG_IOC_INFO
 * @flags: in: must be zero
 * @uapi_version: out: GTDBG_UAPI_VERSION of the module
 * @features: out: GTDBG_FEATURE_* that the module carries out
 * @build_id: out: hash of the module's sources, a string
 * @client_bytes_max: out: most bytes of sources, ELF files, code and names that
 *                    one user's clients may register, and of what the virtual
 *                    devices take that this user has offered
 * @kernels_max: out: most kernels, and most modules, of one client
 * @events_max: out: most events that wait in one session
 * @event_kinds: out: bit 1 << kind for each kind of event that the module knows
 *
 * Works on /dev/gtdbg and on a session.
 */
struct gtdbg_info {
	__u32 flags;
	__u32 uapi_version;
	__u64 features;
	char build_id[32];
	__u64 client_bytes_max;
	__u32 kernels_max;
	__u32 events_max;
	__u64 event_kinds;
};
#define GTDBG_IOC_INFO _IOWR(GTDBG_IOC_TYPE, 0x01, struct gtdbg_info)

/*
 * Clients: commands on /dev/gtdbg
 */

/*
 * The save areas of this client start with the session-active flag set, so
 * its first kernel stops even if no one has found its context yet. If there is
 * no session then, the module clears the flag and lets the threads go. Under a
 * SIP without that flag threads stop whenever they like; then the module lets
 * them go for as long as there is no session.
 */
#define GTDBG_CLIENT_F_ARMED (1U << 0)

/**
 * struct gtdbg_client_register - argument of GTDBG_IOC_CLIENT_REGISTER
 * @flags: in: GTDBG_CLIENT_F_*
 * @__reserved: in: must be zero
 * @token: out: random number, never 0, that the runtime's save areas carry
 *         (linux/gtdbg_sip.h), so that no context is taken for another's
 *
 * Makes the calling process a client, with this descriptor. The client ends
 * when this process closes the descriptor, at the latest when it exits or
 * executes another program. Copies in other processes (fork, SCM_RIGHTS,
 * pidfd_getfd()) can be used to attach, and neither keep the client alive nor
 * end it. Until it ends, /proc/PID/fdinfo/FD of each copy has a line
 * "gtdbg-client:" with the client's process id. EBUSY: the descriptor or the
 * process is a client already. EDQUOT: too many clients of this user.
 */
struct gtdbg_client_register {
	__u32 flags;
	__u32 __reserved;
	__u64 token;
};
#define GTDBG_IOC_CLIENT_REGISTER \
	_IOWR(GTDBG_IOC_TYPE, 0x10, struct gtdbg_client_register)

/**
 * struct gtdbg_module_add - argument of GTDBG_IOC_MODULE_ADD
 * @flags: in: must be zero
 * @__reserved: in: must be zero
 * @handle: in: the runtime's own name for the program, reported as it is
 * @name: in: pointer to the name, usually the path given to the compiler
 * @name_len_bytes: in: 0 to 4096, no terminating NUL
 * @source: in: pointer to the source text; may be NULL if its length is 0
 * @source_len_bytes: in: length of the source text
 * @elf: in: pointer to an ELF file that holds all kernels of the module, or NULL
 * @elf_len_bytes: in: length of the ELF file
 *
 * Returns the id of a new module. Only the client process itself may call
 * this (EPERM). EDQUOT: limit of gtdbg_info.client_bytes_max or kernels_max.
 * EINVAL also: not registered.
 */
struct gtdbg_module_add {
	__u32 flags;
	__u32 __reserved;
	__u64 handle;
	__u64 name;
	__u64 name_len_bytes;
	__u64 source;
	__u64 source_len_bytes;
	__u64 elf;
	__u64 elf_len_bytes;
};
#define GTDBG_IOC_MODULE_ADD \
	_IOW(GTDBG_IOC_TYPE, 0x11, struct gtdbg_module_add)

/**
 * struct gtdbg_module_remove - argument of GTDBG_IOC_MODULE_REMOVE
 * @module: in: id
 * @flags: in: must be zero
 *
 * Removes the module and its kernels. ENOENT: no such module.
 */
struct gtdbg_module_remove {
	__u32 module;
	__u32 flags;
};
#define GTDBG_IOC_MODULE_REMOVE \
	_IOW(GTDBG_IOC_TYPE, 0x12, struct gtdbg_module_remove)

/**
 * struct gtdbg_kernel_add - argument of GTDBG_IOC_KERNEL_ADD
 * @flags: in: must be zero
 * @module: in: id of its module, or 0
 * @cookie: in: constant in the kernel's first instruction (dword 3 of the
 *          code); 0: the kernel has no entry breakpoint
 * @__reserved: in: must be zero
 * @name: in: pointer to the name
 * @name_len_bytes: in: 1 to 4096, no terminating NUL
 * @elf: in: pointer to the kernel's ELF file with debug information, or NULL
 * @elf_len_bytes: in: length of the ELF file
 * @isa: in: pointer to the code as it will be loaded, or NULL
 * @isa_len_bytes: in: length of the code, padding included
 *
 * Returns the id of a new kernel. If a kernel of the same name and code length
 * was removed before, breakpoints set on that one apply to this. Only the
 * client process itself may call this (EPERM). ENOENT: no such module.
 * EDQUOT: as GTDBG_IOC_MODULE_ADD. EINVAL also: not registered.
 */
struct gtdbg_kernel_add {
	__u32 flags;
	__u32 module;
	__u32 cookie;
	__u32 __reserved;
	__u64 name;
	__u64 name_len_bytes;
	__u64 elf;
	__u64 elf_len_bytes;
	__u64 isa;
	__u64 isa_len_bytes;
};
#define GTDBG_IOC_KERNEL_ADD \
	_IOW(GTDBG_IOC_TYPE, 0x13, struct gtdbg_kernel_add)

/**
 * struct gtdbg_kernel_remove - argument of GTDBG_IOC_KERNEL_REMOVE
 * @kernel: in: id
 * @flags: in: must be zero
 *
 * ENOENT: no such kernel.
 */
struct gtdbg_kernel_remove {
	__u32 kernel;
	__u32 flags;
};
#define GTDBG_IOC_KERNEL_REMOVE \
	_IOW(GTDBG_IOC_TYPE, 0x14, struct gtdbg_kernel_remove)

/**
 * struct gtdbg_client_wait - argument of GTDBG_IOC_CLIENT_WAIT
 * @flags: in: must be zero
 * @__reserved: in: must be zero
 * @timeout_ns: in: longest wait; 0 only asks
 *
 * Waits until a controlling session is attached to this client, or has been: one
 * that came and went is not waited for again. ETIMEDOUT: none came. EINTR: a
 * signal came. ESRCH: the client has ended. EINVAL also: not registered.
 */
struct gtdbg_client_wait {
	__u32 flags;
	__u32 __reserved;
	__u64 timeout_ns;
};
#define GTDBG_IOC_CLIENT_WAIT \
	_IOW(GTDBG_IOC_TYPE, 0x15, struct gtdbg_client_wait)

/*
 * Sessions
 */

/*
 * Look only: no breakpoints, writes, interrupts, resumes or acknowledgements
 * (EPERM). Any number of these, beside at most one that controls.
 */
#define GTDBG_SESSION_F_OBSERVER (1U << 0)
/*
 * Threads stop where an assertion fails (GTDBG_STOP_ASSERT): in kernels that are
 * there and in those that come, from their first launch on. Not with OBSERVER
 * (EINVAL). Takes a breakpoint of the client's limit for each such place.
 */
#define GTDBG_SESSION_F_ASSERTS (1U << 1)

/*
 * What marks a failed assertion in code (gtdbg_assert.h): a "mov" of 16 bytes of
 * this constant, which is executed only where one has failed. The enabled lanes
 * are those for which it has.
 */
#define GTDBG_ASSERT_MARK 0x67746173U

/* Why GTDBG_IOC_SESSION_ATTACH refused. */
#define GTDBG_REFUSAL_NONE 0
#define GTDBG_REFUSAL_BAD_FD 1 /* client_fd is no open /dev/gtdbg */
#define GTDBG_REFUSAL_NOT_CLIENT 2 /* open, but nothing registered on it */
#define GTDBG_REFUSAL_CLIENT_GONE 3 /* the process has ended */
#define GTDBG_REFUSAL_NO_PROCESS 4 /* no process of that pid */
#define GTDBG_REFUSAL_NO_CLIENT 5 /* that process is no client */
#define GTDBG_REFUSAL_NOT_TRACER 6 /* does not trace that process */
#define GTDBG_REFUSAL_CONTROLLED 7 /* holder_pid controls it already */

/**
 * struct gtdbg_session_attach - argument of GTDBG_IOC_SESSION_ATTACH
 * @client_fd: in: the client's /dev/gtdbg descriptor, obtained with
 *             pidfd_getfd() or passed on by the client; -1: use @pid
 * @pid: in: process id; 0 with a client_fd
 * @flags: in: GTDBG_SESSION_F_*
 * @refusal: out, on failure as well: GTDBG_REFUSAL_*
 * @event_mask: in: as in struct gtdbg_event_mask
 * @ack_mask: in: as in struct gtdbg_event_mask
 * @holder_pid: out, on failure as well: with GTDBG_REFUSAL_CONTROLLED the
 *              process that attached the controlling session
 * @__reserved: in: must be zero
 *
 * A command on /dev/gtdbg. Returns the descriptor of a new session (O_CLOEXEC),
 * on which read() and poll() give events, and the commands below work. By
 * @client_fd, having the descriptor is the right to attach: the core kernel
 * decided about it. By @pid, the caller must be the process's ptrace tracer
 * (EPERM), whatever its privileges: these count for pidfd_getfd(). What exists
 * already is replayed as GTDBG_IOC_EVENT_SNAPSHOT does it. Closing the descriptor
 * lifts all breakpoints, lets all threads run and ends the session; the last
 * close does, even if the debugger was killed.
 *
 * Devices are looked at only while a controlling session is there: without one
 * an observer has news of the client, its modules and kernels, but neither of
 * contexts, loads and submits nor of threads.
 *
 * EBADF, EINVAL (not registered), ESRCH, ENOENT, EPERM, EBUSY as @refusal says.
 * EDQUOT: too many sessions of this client, or too many bytes of events that
 * wait in the sessions of this user.
 */
struct gtdbg_session_attach {
	__s32 client_fd;
	__s32 pid;
	__u32 flags;
	__u32 refusal;
	__u64 event_mask;
	__u64 ack_mask;
	__s32 holder_pid;
	__u32 __reserved;
};
#define GTDBG_IOC_SESSION_ATTACH \
	_IOWR(GTDBG_IOC_TYPE, 0x20, struct gtdbg_session_attach)

#define GTDBG_STATS_BUCKETS 24

/**
 * struct gtdbg_session_stats - argument of GTDBG_IOC_SESSION_STATS
 * @flags: in: must be zero
 * @__reserved: in: must be zero
 * @events: out: events queued
 * @events_lost: out: events that overflow events counted, or will
 * @stops: out: thread stops seen, kernel entries included
 * @resumes: out: threads resumed
 * @stale: out: attention bits without a new stop, dropped
 * @scans: out: scans of the attention bits
 * @memory_bytes: out: bytes of GPU memory read and written
 * @cache_invalidates: out: instruction cache invalidations
 * @latency: out: time between two scans in which a stop was first seen, an
 *           upper bound of the time from attention to event: bucket i counts
 *           times from 2^i to 2^(i+1) microseconds (bucket 0 from 0)
 */
struct gtdbg_session_stats {
	__u32 flags;
	__u32 __reserved;
	__u64 events;
	__u64 events_lost;
	__u64 stops;
	__u64 resumes;
	__u64 stale;
	__u64 scans;
	__u64 memory_bytes;
	__u64 cache_invalidates;
	__u64 latency[GTDBG_STATS_BUCKETS];
};
#define GTDBG_IOC_SESSION_STATS \
	_IOWR(GTDBG_IOC_TYPE, 0x21, struct gtdbg_session_stats)

/*
 * Events
 */

#define GTDBG_EVENT_SYNCED 1 /* end of the replay; no payload */
#define GTDBG_EVENT_CLIENT_ADD 2
#define GTDBG_EVENT_DEVICE_ADD 3
#define GTDBG_EVENT_DEVICE_LOST 4
#define GTDBG_EVENT_CONTEXT_ADD 5
#define GTDBG_EVENT_CONTEXT_UPDATE 6 /* same payload: save area now known */
#define GTDBG_EVENT_MODULE_ADD 7
#define GTDBG_EVENT_MODULE_REMOVE 8
#define GTDBG_EVENT_KERNEL_ADD 9
#define GTDBG_EVENT_KERNEL_REMOVE 10
#define GTDBG_EVENT_KERNEL_SUBMIT 11
#define GTDBG_EVENT_THREAD_STOP 12
#define GTDBG_EVENT_THREAD_UNAVAILABLE 13
#define GTDBG_EVENT_PAGE_FAULT 14
#define GTDBG_EVENT_OVERFLOW 15
#define GTDBG_EVENT_EXIT 16 /* exactly once, and the last one */
#define GTDBG_EVENT_CONTEXT_REMOVE 17
#define GTDBG_EVENT_KERNEL_LOAD 18
#define GTDBG_EVENT_KERNEL_UNLOAD 19
#define GTDBG_EVENT_THREAD_RECORD 20

/* Bit 1 << kind for each of these: all events that this header knows. */
#define GTDBG_EVENTS_ALL ((1ULL << 21) - 2)

/* The event waits for GTDBG_IOC_EVENT_ACK. */
#define GTDBG_EVENT_F_ACK (1U << 0)
/* Describes what is there, as part of a replay. */
#define GTDBG_EVENT_F_REPLAY (1U << 1)
/* More thread stops of the same scan follow. */
#define GTDBG_EVENT_F_MORE (1U << 2)

/**
 * struct gtdbg_event - head of each record that read() gives on a session
 * @len_bytes: length of the record with its payload, a multiple of 8
 * @kind: GTDBG_EVENT_*; skip unknown kinds by length
 * @flags: GTDBG_EVENT_F_*
 * @seqno: 1 for the first event queued, then rising by one for each
 * @time_ns: CLOCK_MONOTONIC when the event was queued
 * @gpu_time: time stamp counter of the device, 0 if the event has no device;
 *            see GTDBG_IOC_DEVICE_CLOCK
 *
 * The payload struct follows. A read() returns whole records only, as many as
 * fit: EMSGSIZE, and nothing is lost, if not even the next one does. It waits
 * for at least one, or returns EAGAIN with O_NONBLOCK. After GTDBG_EVENT_EXIT
 * it returns 0, and poll() gives POLLHUP.
 */
struct gtdbg_event {
	__u32 len_bytes;
	__u16 kind;
	__u16 flags;
	__u64 seqno;
	__u64 time_ns;
	__u64 gpu_time;
};

/**
 * struct gtdbg_event_client_add - payload of GTDBG_EVENT_CLIENT_ADD
 * @pid: process id of the client in the reader's pid namespace at attach
 * @flags: GTDBG_CLIENT_F_* of the client
 * @token: token of the client
 * @comm: name of the process when it registered, a string
 */
struct gtdbg_event_client_add {
	__s32 pid;
	__u32 flags;
	__u64 token;
	char comm[16];
};

/**
 * struct gtdbg_event_device_add - payload of GTDBG_EVENT_DEVICE_ADD
 * @device: id of the device
 * @platform: GTDBG_PLATFORM_*
 * @slices: number of slices
 * @subslices: number of sub-slices (of dual sub-slices where there are) of a slice
 * @eus: number of EUs of a sub-slice
 * @threads: number of threads of an EU
 * @slots: product of these four
 * @is_virtual: 1 for a device offered through /dev/gtdbg-vgt
 * @subslice_mask: bit slice * subslices + subslice: not fused off
 * @timestamp_hz: frequency of the time stamp counter, 0 if not known
 * @slice_mask: bit slice: not fused off
 * @eu_mask: bit eu, in each sub-slice: not fused off
 * @engine_class: GTDBG_ENGINE_* of the engine whose threads are debugged
 * @pci_address: domain << 16 | bus << 8 | device << 3 | function, or
 *               GTDBG_PCI_NONE
 * @drm_minor: minor number of the render node of the graphics driver, -1: none
 * @__reserved: 0
 *
 * Thread (slice, subslice, eu, thread) has slot
 * ((slice * subslices + subslice) * eus + eu) * threads + thread.
 */
struct gtdbg_event_device_add {
	__u32 device;
	__u32 platform;
	__u32 slices;
	__u32 subslices;
	__u32 eus;
	__u32 threads;
	__u32 slots;
	__u32 is_virtual;
	__u64 subslice_mask;
	__u64 timestamp_hz;
	__u32 slice_mask;
	__u32 eu_mask;
	__u32 engine_class;
	__u32 pci_address;
	__s32 drm_minor;
	__u32 __reserved;
};

#define GTDBG_LOSS_GONE 1 /* the device or its server went away */
#define GTDBG_LOSS_TIMEOUT 2 /* it did not answer in time */

/**
 * struct gtdbg_event_device_lost - payload of GTDBG_EVENT_DEVICE_LOST
 * @device: id of the device, invalid from here on, with its contexts
 * @reason: GTDBG_LOSS_*
 *
 * After GTDBG_LOSS_TIMEOUT it may come back: GTDBG_EVENT_DEVICE_ADD with the same
 * id means that, and its contexts follow, each with the kernels that are loaded
 * there. What had stopped has been resumed. Or the event comes once more, with
 * GTDBG_LOSS_GONE: then it does not.
 */
struct gtdbg_event_device_lost {
	__u32 device;
	__u32 reason;
};

#define GTDBG_SIP_UNKNOWN 0 /* no save area found: threads cannot be served */
#define GTDBG_SIP_OWN 1 /* gtdbg's SIP, with the client's token */
#define GTDBG_SIP_TSSAREA 2 /* another SIP with the public header */
#define GTDBG_SIP_BINDFUL 3 /* Intel's default SIP, which has no header */

/**
 * struct gtdbg_event_context_add - payload of GTDBG_EVENT_CONTEXT_ADD and _UPDATE
 * @device: id of the device
 * @context: id of the context on it
 * @sip: GTDBG_SIP_*
 * @__reserved: 0
 * @save_area: GPU address of the save area, 0 if unknown
 * @instruction_base: GPU address that instruction pointers count from, 0 if
 *                    unknown yet
 * @general_base: GPU address that a thread's scratch offset (r0.5) counts from,
 *                0 if unknown yet or not set
 */
struct gtdbg_event_context_add {
	__u32 device;
	__u32 context;
	__u32 sip;
	__u32 __reserved;
	__u64 save_area;
	__u64 instruction_base;
	__u64 general_base;
};

/**
 * struct gtdbg_event_context_remove - payload of GTDBG_EVENT_CONTEXT_REMOVE
 * @device: id of the device
 * @context: id of the context
 *
 * The module no longer follows the context, nor what is loaded in it: it made
 * room for another one, and ran longest ago. If it runs again it is added
 * anew, with another id.
 */
struct gtdbg_event_context_remove {
	__u32 device;
	__u32 context;
};

/**
 * struct gtdbg_event_module_add - payload of GTDBG_EVENT_MODULE_ADD
 * @module: id
 * @name_len_bytes: length of the name that follows the struct, NUL included;
 *                  the record is padded with zeroes
 * @handle: the runtime's own name for the module
 * @source_len_bytes: length of the source text, 0 if none
 * @elf_len_bytes: length of the ELF file, 0 if none
 */
struct gtdbg_event_module_add {
	__u32 module;
	__u32 name_len_bytes;
	__u64 handle;
	__u64 source_len_bytes;
	__u64 elf_len_bytes;
};

/**
 * struct gtdbg_event_module_remove - payload of GTDBG_EVENT_MODULE_REMOVE
 * @module: id
 * @__reserved: 0
 */
struct gtdbg_event_module_remove {
	__u32 module;
	__u32 __reserved;
};

/**
 * struct gtdbg_event_kernel_add - payload of GTDBG_EVENT_KERNEL_ADD
 * @kernel: id
 * @module: id of its module, or 0
 * @cookie: constant in its first instruction
 * @name_len_bytes: length of the name that follows the struct, NUL included;
 *                  the record is padded with zeroes
 * @elf_len_bytes: length of the ELF file, 0 if none
 * @isa_len_bytes: length of the code, 0 if not given
 */
struct gtdbg_event_kernel_add {
	__u32 kernel;
	__u32 module;
	__u32 cookie;
	__u32 name_len_bytes;
	__u64 elf_len_bytes;
	__u64 isa_len_bytes;
};

/**
 * struct gtdbg_event_kernel_remove - payload of GTDBG_EVENT_KERNEL_REMOVE
 * @kernel: id
 * @__reserved: 0
 */
struct gtdbg_event_kernel_remove {
	__u32 kernel;
	__u32 __reserved;
};

/**
 * struct gtdbg_event_kernel_load - payload of GTDBG_EVENT_KERNEL_LOAD and _UNLOAD
 * @device: id of the device
 * @context: id of the context
 * @kernel: id of the kernel, 0 if its cookie is not registered
 * @cookie: constant in its first instruction
 * @address: GPU address of its first instruction
 *
 * A kernel was found in memory, where its first thread reached it; or is no
 * longer there. A load of the same @address replaces the one before, as when the
 * kernel was registered after it was found. What was loaded in a context goes
 * with GTDBG_EVENT_CONTEXT_REMOVE, without events of its own. Memory is looked
 * at when something is done about the kernel, so an unload may be seen late.
 */
struct gtdbg_event_kernel_load {
	__u32 device;
	__u32 context;
	__u32 kernel;
	__u32 cookie;
	__u64 address;
};

#define GTDBG_SLOT_NONE 0xffffffffU /* no thread */

/**
 * struct gtdbg_event_kernel_submit - payload of GTDBG_EVENT_KERNEL_SUBMIT
 * @device: id of the device
 * @context: id of the context
 * @kernel: id of the kernel, 0 if its cookie is not registered
 * @cookie: constant in its first instruction
 * @slot: the thread that was seen first; GTDBG_SLOT_NONE: none was, but the
 *        device was seen to run the launch
 * @simd: work-items of a thread, 0 if not known
 * @address: GPU address of the kernel's first instruction
 * @groups: launch size in groups, three dimensions, 0 if not known
 * @threads: hardware threads of a group, 0 if not known
 * @first_group: id of the first group, three dimensions, 0 if not known
 * @items: work-items of a full group, 0 if not known
 *
 * The first threads of a launch have reached the kernel. If the session asks for
 * acknowledgements of this kind, they and those that come after wait for it
 * (state stopped, reason GTDBG_STOP_ENTRY), otherwise they run on at once. Then
 * the entry breakpoint is lifted, so the rest of the launch does not stop; it
 * is armed again when the device was seen idle. A launch that follows another
 * one of its kernel before that is reported when it is seen to run, without @slot:
 * those of its threads that had not started by then wait.
 *
 * Sizes are those of the command that started the launch. They are not known if
 * it was not found in the batch that the device executes, or takes the number
 * of groups from registers (@groups and @first_group only).
 */
struct gtdbg_event_kernel_submit {
	__u32 device;
	__u32 context;
	__u32 kernel;
	__u32 cookie;
	__u32 slot;
	__u32 simd;
	__u64 address;
	__u32 groups[3];
	__u32 threads;
	__u32 first_group[3];
	__u32 items;
};

/* Why a thread stopped; several may hold. */
#define GTDBG_STOP_ENTRY (1U << 0) /* first instruction of a kernel */
#define GTDBG_STOP_BREAKPOINT (1U << 1)
#define GTDBG_STOP_STEP (1U << 2)
#define GTDBG_STOP_INTERRUPT (1U << 3) /* GTDBG_IOC_THREAD_INTERRUPT */
#define GTDBG_STOP_ILLEGAL (1U << 4) /* illegal instruction */
#define GTDBG_STOP_SOFTWARE (1U << 5) /* software exception, failed assertion */
#define GTDBG_STOP_MASK_STACK (1U << 6) /* mask stack overflow or underflow */
#define GTDBG_STOP_UNKNOWN (1U << 7)
#define GTDBG_STOP_ASSERT (1U << 8) /* with BREAKPOINT: GTDBG_ASSERT_MARK */

#define GTDBG_THREAD_RUNNING 1 /* or not in use: hardware does not show */
#define GTDBG_THREAD_STOPPED 2
#define GTDBG_THREAD_UNAVAILABLE 3

/* Why a thread is unavailable. */
#define GTDBG_UNAVAILABLE_NO_SAVE_AREA 1 /* unknown SIP, or none */
#define GTDBG_UNAVAILABLE_NOT_SAVED 2 /* waits, but its slot is not filled */
#define GTDBG_UNAVAILABLE_OTHER_CLIENT 3 /* save area has another token */
#define GTDBG_UNAVAILABLE_RESET 4 /* the GPU's driver has ended it, and others */

/**
 * struct gtdbg_thread_info - a thread, in events and in GTDBG_IOC_THREAD_LIST
 * @device: id of the device
 * @slot: place of the thread
 * @context: id of the context, 0 if not known
 * @kernel: id of the kernel, 0 if not known
 * @state: GTDBG_THREAD_*
 * @reasons: GTDBG_STOP_* of a stopped thread; GTDBG_UNAVAILABLE_* of an
 *           unavailable one
 * @slice: where the thread is
 * @subslice: where the thread is
 * @eu: where the thread is
 * @thread: where the thread is
 * @generation: number of this stop, rising over the whole device; pass it on to
 *              be sure to work on this stop and no later one
 * @ip: instruction pointer as the hardware has it, from the instruction base
 * @address: GPU address of the instruction to be executed next, 0 if not known
 * @exec_mask: channels enabled at the stop
 * @dispatch_mask: channels the thread was started with
 * @exceptions: the cause bits of cr0.1 as they were saved
 * @breakpoint: id of the breakpoint that was hit, or 0
 */
struct gtdbg_thread_info {
	__u32 device;
	__u32 slot;
	__u32 context;
	__u32 kernel;
	__u32 state;
	__u32 reasons;
	__u16 slice;
	__u16 subslice;
	__u16 eu;
	__u16 thread;
	__u64 generation;
	__u64 ip;
	__u64 address;
	__u32 exec_mask;
	__u32 dispatch_mask;
	__u32 exceptions;
	__u32 breakpoint;
};

/**
 * struct gtdbg_event_thread_stop - payload of GTDBG_EVENT_THREAD_STOP
 * @thread: the thread
 *
 * One for each thread, one for each stop. Threads that only wait at their
 * kernel's entry have none, see struct gtdbg_event_kernel_submit.
 */
struct gtdbg_event_thread_stop {
	struct gtdbg_thread_info thread;
};

#define GTDBG_RECORD_VALUES 3

/**
 * struct gtdbg_thread_record - what up to eight lanes of a thread held somewhere
 * @time: the thread's own clock (tm0), as GTDBG_REGISTER_TM has it
 * @address: of the breakpoint's instruction
 * @slot: of the thread
 * @kernel: id of the kernel around @address, or 0
 * @tag: of the operation that wrote it
 * @lanes: bit i: it is of lane @first + i
 * @first: 0, 8, 16 or 24
 * @turn: records that the thread wrote at the same pass before this one: a pass
 *        gives one for each eight lanes of which there is one in it, or one for
 *        each RECORD of the program, in their order
 * @value: for each of up to three captured values that of each lane; what the
 *         program did not capture, and lanes that are not in @lanes, are anything
 */
struct gtdbg_thread_record {
	__u64 time;
	__u64 address;
	__u32 slot;
	__u32 kernel;
	__u32 tag;
	__u8 lanes;
	__u8 first;
	__u16 turn;
	__u32 value[GTDBG_RECORD_VALUES][8];
};

/**
 * struct gtdbg_event_thread_record - payload of GTDBG_EVENT_THREAD_RECORD
 * @device: id of the device
 * @context: id of the context
 * @count: how many records follow, 0 if this is only about lost ones
 * @record_len_bytes: distance from one to the next
 * @lost: how many more there should be since the last event of this context
 *
 * struct gtdbg_thread_record follows, @count times. Records are written by
 * threads that did not stop, see GTDBG_IOC_BREAKPOINT_PROGRAM. They wait in the
 * context's memory while this session's controller does not read, and when there is
 * no room any more, what follows is lost, and counted in @lost. What they hold is
 * the program's memory: it may have written there itself.
 */
struct gtdbg_event_thread_record {
	__u32 device;
	__u32 context;
	__u32 count;
	__u32 record_len_bytes;
	__u64 lost;
};

#define GTDBG_VERDICT_REPORT 0 /* the sessions are to know of the stop */
#define GTDBG_VERDICT_RUN 1 /* the thread runs on, and nobody knows */

/**
 * struct gtdbg_stop_verdict - argument of the tracepoint gtdbg_stop_verdict
 * @thread: the thread, stopped at a breakpoint and for no other reason
 * @pid: process id of its client, in the initial namespace
 * @verdict: in and out: GTDBG_VERDICT_*. Anything else is a report
 * @name: of its kernel, cut off at the end; empty if not known
 * @grf_len_bytes: how much of @grf there is, 0 if it could not be read
 * @__reserved: 0
 * @grf: its general registers, r0.0 first. Under GTDBG_SIP_BINDFUL r0.4 is not
 *       the thread's
 *
 * A BPF program of type raw tracepoint, writable ("raw_tp.w" for libbpf), may
 * answer for the debugger before a session knows of the stop; of what it writes
 * nothing but @verdict counts. It sees all clients: @pid says which one. Steps,
 * interrupts, exceptions and threads at a kernel's entry are not asked about, and
 * without such a program nothing is.
 */
struct gtdbg_stop_verdict {
	struct gtdbg_thread_info thread;
	__s32 pid;
	__u32 verdict;
	char name[64];
	__u32 grf_len_bytes;
	__u32 __reserved;
	__u32 grf[1024];
};

/**
 * struct gtdbg_watch_stamp - when the module saw something on a device
 * @gpu_time: the device's time stamp counter, as in &struct gtdbg_event
 * @timestamp_hz: its frequency; 0: neither is known, as the device has gone
 * @time_ns: CLOCK_MONOTONIC before the counter was read
 * @span_ns: that much later it had been
 * @since_ns: so long before that it was not so yet, which is how far the time of what
 *            is stamped is open; all ones if it was so at the first look
 */
struct gtdbg_watch_stamp {
	__u64 gpu_time;
	__u64 timestamp_hz;
	__u64 time_ns;
	__u64 span_ns;
	__u64 since_ns;
};

/**
 * struct gtdbg_watch_launch - argument of the tracepoints gtdbg_launch_begin and
 * gtdbg_launch_end
 * @stamp: when it was seen to run, or not to run any more
 * @serial: of the device's launches, the same at begin and end, and when one goes on
 *          that was taken off the engine before it was done
 * @address: GPU address of the kernel's first instruction, 0 if not known
 * @pid: process id of the client, in the initial namespace
 * @device: id of the device
 * @context: id of the context
 * @kernel: id of the kernel, 0 if not known
 * @groups: how many in each direction, 0 if not known
 * @simd: its width, 0 if not known
 * @threads: of a group, 0 if not known
 * @items: of a group, 0 if not known
 * @name: of the kernel, cut off at the end; empty if not known
 *
 * They come from looks at where the command streamer is, 200 us apart, and up to a
 * millisecond where nothing changes: a launch that is shorter may be missed. Nobody
 * looks unless somebody listens.
 */
struct gtdbg_watch_launch {
	struct gtdbg_watch_stamp stamp;
	__u64 serial;
	__u64 address;
	__s32 pid;
	__u32 device;
	__u32 context;
	__u32 kernel;
	__u32 groups[3];
	__u32 simd;
	__u32 threads;
	__u32 items;
	char name[64];
};

/**
 * struct gtdbg_watch_switch - argument of the tracepoint gtdbg_context_switch
 * @stamp: when it was seen
 * @pid: process id of the client, in the initial namespace
 * @device: id of the device
 * @context: id of the context that is on the engine, 0: none of the client's
 * @previous: that of the one that was there before
 */
struct gtdbg_watch_switch {
	struct gtdbg_watch_stamp stamp;
	__s32 pid;
	__u32 device;
	__u32 context;
	__u32 previous;
};

/**
 * struct gtdbg_event_thread_unavailable - payload of GTDBG_EVENT_THREAD_UNAVAILABLE
 * @thread: the thread; its @reasons say why it cannot be served
 *
 * Its attention bit is up, but nothing can be done about it safely; or, with
 * GTDBG_UNAVAILABLE_RESET, it was stopped and is no more. Reported once for each
 * context and reason, for the first thread found so.
 */
struct gtdbg_event_thread_unavailable {
	struct gtdbg_thread_info thread;
};

/**
 * struct gtdbg_event_page_fault - payload of GTDBG_EVENT_PAGE_FAULT
 * @device: id of the device
 * @context: id of the context that ran, 0 if not known
 * @address: GPU address of the page
 * @type: fault type of the hardware's fault register
 * @source: source unit of the hardware's fault register
 *
 * Which thread it was, and whether it read or wrote, the hardware does not say.
 * If the session asks for acknowledgements of this kind, all threads of the
 * device are made to stop (GTDBG_STOP_INTERRUPT, each with an event of its own),
 * and until it comes those that start or are resumed. Under GTDBG_SIP_BINDFUL they
 * run on. Other faults are not seen until then.
 */
struct gtdbg_event_page_fault {
	__u32 device;
	__u32 context;
	__u64 address;
	__u32 type;
	__u32 source;
};

/**
 * struct gtdbg_event_overflow - payload of GTDBG_EVENT_OVERFLOW
 * @lost: number of events that found no room, at this place in the order
 *
 * What the session knows may be out of date: GTDBG_IOC_EVENT_SNAPSHOT lists all
 * of it again.
 */
struct gtdbg_event_overflow {
	__u64 lost;
};

#define GTDBG_EXIT_CLOSED 1 /* the client closed its descriptor, or executed */
#define GTDBG_EXIT_EXITED 2 /* the client process ended */

/**
 * struct gtdbg_event_exit - payload of GTDBG_EVENT_EXIT
 * @reason: GTDBG_EXIT_*
 * @__reserved: 0
 */
struct gtdbg_event_exit {
	__u32 reason;
	__u32 __reserved;
};

/**
 * struct gtdbg_event_mask - argument of GTDBG_IOC_EVENT_MASK
 * @event_mask: in: bit 1 << kind set: queue events of this kind. SYNCED,
 *              OVERFLOW and EXIT come in any case. EINVAL: a bit that is not in
 *              gtdbg_info.event_kinds
 * @ack_mask: in: kinds to hold until acknowledged; must be 0 for an observer.
 *            Possible: GTDBG_EVENT_KERNEL_SUBMIT, GTDBG_EVENT_PAGE_FAULT. EINVAL
 *            for any other
 *
 * Holds for events queued from now on.
 */
struct gtdbg_event_mask {
	__u64 event_mask;
	__u64 ack_mask;
};
#define GTDBG_IOC_EVENT_MASK \
	_IOW(GTDBG_IOC_TYPE, 0x22, struct gtdbg_event_mask)

/**
 * struct gtdbg_event_ack - argument of GTDBG_IOC_EVENT_ACK
 * @seqno: in: event to acknowledge
 * @flags: in: must be zero
 * @__reserved: in: must be zero
 *
 * Lets the target continue past event @seqno. ENOENT: no such event waits, so
 * a repeated acknowledgement does no harm. EPERM: observer. ESRCH: the client has
 * ended.
 */
struct gtdbg_event_ack {
	__u64 seqno;
	__u32 flags;
	__u32 __reserved;
};
#define GTDBG_IOC_EVENT_ACK _IOW(GTDBG_IOC_TYPE, 0x23, struct gtdbg_event_ack)

/**
 * struct gtdbg_event_snapshot - argument of GTDBG_IOC_EVENT_SNAPSHOT
 * @flags: in: must be zero
 * @__reserved: in: must be zero
 * @first_seqno: out: number of the first record of the replay
 * @last_seqno: out: number of its last one, GTDBG_EVENT_SYNCED
 *
 * Queues a replay of all that there is, behind the events that wait already and
 * however many there are: records of the kinds in the session's mask, with
 * GTDBG_EVENT_F_REPLAY, as they are when the session attaches. These are
 * CLIENT_ADD, DEVICE_ADD, CONTEXT_ADD, MODULE_ADD, KERNEL_ADD, KERNEL_LOAD,
 * KERNEL_SUBMIT and PAGE_FAULT that wait to be acknowledged, THREAD_STOP and
 * THREAD_UNAVAILABLE; what is not among them is not there any more. SYNCED ends
 * them. They are of one moment: nothing that happens before it is reported
 * after them, and nothing after it before. For a controlling session what threads
 * have written until then is read first, as far as one look goes and its queue has
 * room, so THREAD_RECORDs of it come before them.
 *
 * So whoever reads GTDBG_EVENT_OVERFLOW calls this, skips what is numbered below
 * @first_seqno, and forgets what it knew. If another overflow follows, it does so
 * again. A submit that is reported again may be acknowledged by either number.
 *
 * EDQUOT: too many bytes of events wait in the sessions of this user. ESRCH: the
 * client has ended. In both cases nothing is queued.
 */
struct gtdbg_event_snapshot {
	__u32 flags;
	__u32 __reserved;
	__u64 first_seqno;
	__u64 last_seqno;
};
#define GTDBG_IOC_EVENT_SNAPSHOT \
	_IOWR(GTDBG_IOC_TYPE, 0x25, struct gtdbg_event_snapshot)

/*
 * Devices
 */

/**
 * struct gtdbg_device_clock - argument of GTDBG_IOC_DEVICE_CLOCK
 * @device: in: id of the device
 * @flags: in: must be zero
 * @gpu_time: out: its time stamp counter
 * @time_ns: out: CLOCK_MONOTONIC before that was read
 * @span_ns: out: how much later it was read, at most
 * @timestamp_hz: out: frequency of the counter, 0 if not known
 *
 * Reads two clocks at one moment, which gives the CLOCK_MONOTONIC that
 * belongs to the gtdbg_event.gpu_time of an event:
 * time_ns + (gpu_time of the event - gpu_time) * 10^9 / timestamp_hz, later by
 * up to @span_ns. The counter has 36 bits and begins anew after 2^36. The two
 * clocks drift apart, so long sessions read them now and then. ENOENT: no such
 * device. ENODEV: it is gone, or does not answer.
 */
struct gtdbg_device_clock {
	__u32 device;
	__u32 flags;
	__u64 gpu_time;
	__u64 time_ns;
	__u64 span_ns;
	__u64 timestamp_hz;
};
#define GTDBG_IOC_DEVICE_CLOCK \
	_IOWR(GTDBG_IOC_TYPE, 0x26, struct gtdbg_device_clock)

#define GTDBG_BLOB_MODULE_SOURCE 1
#define GTDBG_BLOB_MODULE_ELF 2
#define GTDBG_BLOB_KERNEL_ELF 3
#define GTDBG_BLOB_KERNEL_ISA 4

/**
 * struct gtdbg_blob_open - argument of GTDBG_IOC_BLOB_OPEN
 * @kind: in: GTDBG_BLOB_*
 * @id: in: id of the module or kernel
 * @flags: in: must be zero
 * @__reserved: in: must be zero
 *
 * Returns a descriptor of memory (O_CLOEXEC) that nobody can change, which stays
 * valid when the client is gone. ENOENT: no such object, or it has none of this.
 * EOPNOTSUPP: unknown kind.
 */
struct gtdbg_blob_open {
	__u32 kind;
	__u32 id;
	__u32 flags;
	__u32 __reserved;
};
#define GTDBG_IOC_BLOB_OPEN _IOW(GTDBG_IOC_TYPE, 0x24, struct gtdbg_blob_open)

/*
 * Threads
 */

/**
 * struct gtdbg_thread_list - argument of GTDBG_IOC_THREAD_LIST
 * @device: in: id of the device
 * @flags: in: must be zero
 * @infos: in: pointer to an array of struct gtdbg_thread_info
 * @count: in: its length; out: number of threads that are not running
 * @__reserved: in: must be zero
 *
 * Lists stopped and unavailable threads by slot; returns how many entries were
 * written, at most @count. ENOENT: no such device.
 */
struct gtdbg_thread_list {
	__u32 device;
	__u32 flags;
	__u64 infos;
	__u32 count;
	__u32 __reserved;
};
#define GTDBG_IOC_THREAD_LIST \
	_IOWR(GTDBG_IOC_TYPE, 0x30, struct gtdbg_thread_list)

/* Why GTDBG_IOC_THREAD_INTERRUPT failed with EAGAIN. */
#define GTDBG_INTERRUPT_DONE 0
#define GTDBG_INTERRUPT_IDLE 1 /* no context of the client runs */
#define GTDBG_INTERRUPT_NO_SAVE_AREA 2 /* not known: none could be let go */
#define GTDBG_INTERRUPT_SWITCHED 3 /* another context came in between */
#define GTDBG_INTERRUPT_BUSY 4 /* another call like this is under way */

/**
 * struct gtdbg_thread_interrupt - argument of GTDBG_IOC_THREAD_INTERRUPT
 * @device: in: id of the device
 * @flags: in: must be zero
 * @timeout_ns: in: longest wait for threads to stop, 1 to 10^10
 * @stopped: out: threads of the client that stopped because of this
 * @context: out: context that was running
 * @refusal: out, on failure as well: GTDBG_INTERRUPT_*
 * @__reserved: in: must be zero
 *
 * Asks all threads that run to stop, waits until no more do so, and takes the
 * request back. Each stop is an event. It ends early when the device has nothing
 * left to run, no launch of it has threads, all its threads are stopped, or some
 * were stopped before and no other one follows for a tenth of a second. The
 * running context is compared before and after; threads of another client that
 * were hit are let go. Under
 * GTDBG_SIP_BINDFUL only threads of registered kernels stop. EAGAIN: nothing is
 * stopped, as @refusal says; try again. With GTDBG_INTERRUPT_SWITCHED stops that
 * were reported meanwhile may be of threads that run again. ENODEV: the device or
 * the client ended meanwhile. EPERM: observer. ENOENT: no such device. ETIMEDOUT is
 * no error of this call: see @stopped.
 */
struct gtdbg_thread_interrupt {
	__u32 device;
	__u32 flags;
	__u64 timeout_ns;
	__u32 stopped;
	__u32 context;
	__u32 refusal;
	__u32 __reserved;
};
#define GTDBG_IOC_THREAD_INTERRUPT \
	_IOWR(GTDBG_IOC_TYPE, 0x31, struct gtdbg_thread_interrupt)

#define GTDBG_RESUME_RUN 1
#define GTDBG_RESUME_STEP 2 /* one instruction, then stop again */
#define GTDBG_RESUME_STEP_RANGE 3 /* step until outside [ip_first, ip_end) */
#define GTDBG_RESUME_F_EU (1U << 0) /* a range: if threads make the steps themselves */
#define GTDBG_RESUME_F_OVER (1U << 1) /* and go on in functions that it calls */

/* gtdbg_thread_resume.watch: before which messages a thread stops */
#define GTDBG_RESUME_WATCH_READS (1U << 0) /* those that read, or both */
#define GTDBG_RESUME_WATCH_WRITES (1U << 1) /* those that write, or both */

/* Entries of gtdbg_thread_resume.results; a negative errno otherwise. */
#define GTDBG_RESUME_DONE 0
#define GTDBG_RESUME_NOT_STOPPED 1 /* ran already */
#define GTDBG_RESUME_STALE 2 /* stopped again after the given generation */
#define GTDBG_RESUME_NOT_ASKED 3 /* bit not set in the mask */

/**
 * struct gtdbg_thread_resume - argument of GTDBG_IOC_THREAD_RESUME
 * @device: in: id of the device
 * @flags: in: GTDBG_RESUME_F_*
 * @command: in: GTDBG_RESUME_*
 * @slots: in: length of the mask in bits, at most the device's slots
 * @mask: in: pointer to the mask, slot i is bit i % 8 of byte i / 8
 * @results: in: pointer to @slots __s32 that receive a result each, or NULL
 * @generation: in: resume only stops up to this generation; 0: any
 * @ip_first: in: with GTDBG_RESUME_STEP_RANGE, first instruction pointer, as
 *            gtdbg_thread_info.ip
 * @ip_end: in: with GTDBG_RESUME_STEP_RANGE, end of the range, exclusive
 * @steps: in: with GTDBG_RESUME_STEP_RANGE, most instructions to step, less than
 *         2^32; 0: any number
 * @function_first: in: with GTDBG_RESUME_F_OVER, first instruction of the function
 *                  that the threads are in, as gtdbg_thread_info.ip
 * @function_end: in: with GTDBG_RESUME_F_OVER, end of that function, exclusive
 * @frame_register: in: with GTDBG_RESUME_F_OVER, number of the general register in
 *                  which functions keep where they return to: 125 or 127
 * @lanes: in: with GTDBG_RESUME_F_EU, channels that step; 0: all of them do
 * @watch_first: in: with @watch, first address, below 2^48
 * @watch_bytes: in: with @watch, addresses from there on, at least 1
 * @watch: in: with GTDBG_RESUME_F_EU, GTDBG_RESUME_WATCH_*
 *
 * GTDBG_RESUME_STEP_RANGE makes one step, and others while the thread is in the
 * range: one event at the end. Whatever else stops the thread ends it, too. gtdbg's
 * SIP from minor version 5 on makes the steps itself, in kernels that are known; else
 * the module resumes the thread for each. @steps needs GTDBG_FEATURE_STEP_EU.
 *
 * GTDBG_RESUME_F_OVER, which needs GTDBG_FEATURE_STEP_OVER and GTDBG_RESUME_F_EU,
 * steps over calls from within the range as well, in the system routine from minor
 * version 12 on: a thread goes on outside of its function as long as its stack, whose
 * pointer is dword 2 of the frame register, is higher than where it stands now, or as
 * high with an address to return to (dword 0) in the range or at its end.
 *
 * With @lanes, which needs GTDBG_FEATURE_STEP_LANES and the system routine's minor version
 * 15, a thread that has left the range goes on, wherever it is, while none of them is
 * enabled: it is where others have gone.
 *
 * With @watch, which needs GTDBG_FEATURE_STEP_WATCH and the system routine's minor version
 * 16, and goes neither with GTDBG_RESUME_F_OVER nor with @lanes, a thread also stops before
 * a message in the range, but at its beginning, if that is one by 64-bit addresses and one of
 * its channels' lies there, up to 16 bits that say which memory it is. So @watch_first is
 * where the bytes of interest begin, less what a channel of a message in the range accesses.
 * Channels that are off count as well. Other messages are not looked at: those to surfaces and
 * to shared local memory, and the rest of the addresses of a block.
 *
 * Returns the number of threads resumed. Naming a thread that runs is no
 * error, so repeating the call does no harm. If code was written since the
 * last call, the instruction cache is invalidated first. EPERM: observer.
 * ENOENT: no such device. EOPNOTSUPP: unknown command, or one that the SIP of
 * a named thread lacks: nothing was resumed.
 */
struct gtdbg_thread_resume {
	__u32 device;
	__u32 flags;
	__u32 command;
	__u32 slots;
	__u64 mask;
	__u64 results;
	__u64 generation;
	__u64 ip_first;
	__u64 ip_end;
	__u64 steps;
	__u64 function_first;
	__u64 function_end;
	__u32 frame_register;
	__u32 lanes;
	__u64 watch_first;
	__u32 watch_bytes;
	__u32 watch;
};
#define GTDBG_IOC_THREAD_RESUME \
	_IOW(GTDBG_IOC_TYPE, 0x32, struct gtdbg_thread_resume)

/*
 * Registers of stopped threads
 */

#define GTDBG_REGISTER_GRF 1
#define GTDBG_REGISTER_ADDR 2
#define GTDBG_REGISTER_FLAG 3
#define GTDBG_REGISTER_EMASK 4
#define GTDBG_REGISTER_SR 5
#define GTDBG_REGISTER_CR 6
#define GTDBG_REGISTER_N 7
#define GTDBG_REGISTER_TDR 8
#define GTDBG_REGISTER_ACC 9
#define GTDBG_REGISTER_MME 10
#define GTDBG_REGISTER_CE 11
#define GTDBG_REGISTER_SP 12
#define GTDBG_REGISTER_TM 14
#define GTDBG_REGISTER_FC 15
#define GTDBG_REGISTER_DBG 16
#define GTDBG_REGISTER_IDENTITY 17 /* gtdbg's SIP only: r0 to r3 at entry */

#define GTDBG_REGISTER_F_WRITABLE (1U << 0)

/**
 * struct gtdbg_register_set - a set of equal registers
 * @set: GTDBG_REGISTER_*
 * @flags: GTDBG_REGISTER_F_*
 * @count: number of registers
 * @bits: meaningful bits of each
 * @bytes: bytes of each
 */
struct gtdbg_register_set {
	__u32 set;
	__u32 flags;
	__u16 count;
	__u16 bits;
	__u32 bytes;
};

/**
 * struct gtdbg_register_list - argument of GTDBG_IOC_REGISTER_LIST
 * @device: in: id of the device
 * @context: in: id of the context; its SIP decides
 * @sets: in: pointer to an array of struct gtdbg_register_set
 * @count: in: its length; out: number of sets there are
 * @flags: in: must be zero
 *
 * Returns how many entries were written. ENOENT: no such device or context,
 * or no save area known.
 */
struct gtdbg_register_list {
	__u32 device;
	__u32 context;
	__u64 sets;
	__u32 count;
	__u32 flags;
};
#define GTDBG_IOC_REGISTER_LIST \
	_IOWR(GTDBG_IOC_TYPE, 0x38, struct gtdbg_register_list)

/**
 * struct gtdbg_register_access - argument of GTDBG_IOC_REGISTER_READ and _WRITE
 * @device: in: id of the device
 * @slot: in: the thread
 * @generation: in: stop that is meant, or 0 for whichever it is
 * @set: in: GTDBG_REGISTER_*
 * @first: in: first register of the set
 * @count: in: number of registers, at least 1
 * @flags: in: must be zero
 * @buf: in: pointer to the values, packed as they lie in the save area
 * @len_bytes: in: length of the buffer, exactly count * bytes of the set
 *
 * A write is read back; EIO if it did not take. ESRCH: the thread is not
 * stopped, or by now in another stop. EPERM (write): observer, or the set is
 * not writable, or r0.4 would change under GTDBG_SIP_BINDFUL. ENOENT: no such device. EOPNOTSUPP: the SIP saves no such set.
 * EINVAL: out of the set's range.
 */
struct gtdbg_register_access {
	__u32 device;
	__u32 slot;
	__u64 generation;
	__u32 set;
	__u32 first;
	__u32 count;
	__u32 flags;
	__u64 buf;
	__u64 len_bytes;
};
#define GTDBG_IOC_REGISTER_READ \
	_IOW(GTDBG_IOC_TYPE, 0x39, struct gtdbg_register_access)
#define GTDBG_IOC_REGISTER_WRITE \
	_IOW(GTDBG_IOC_TYPE, 0x3a, struct gtdbg_register_access)

/*
 * Memory by GPU virtual address. Addresses have 48 bits: the ones above must be
 * zero (EINVAL), so canonical ones, whose upper bits repeat bit 47, have to be
 * cut first.
 */

/**
 * struct gtdbg_memory_open - argument of GTDBG_IOC_MEMORY_OPEN
 * @device: in: id of the device
 * @context: in: id of the context
 * @flags: in: O_RDONLY or O_RDWR
 * @__reserved: in: must be zero
 *
 * Returns a descriptor (O_CLOEXEC) whose file offset is the GPU address. Reads
 * and writes stop short at an unmapped page, and are EFAULT if they start at
 * one. ENODEV there: the device is gone, or the session is. ENOENT: no such
 * device or context. EPERM: observer and O_RDWR.
 */
struct gtdbg_memory_open {
	__u32 device;
	__u32 context;
	__u32 flags;
	__u32 __reserved;
};
#define GTDBG_IOC_MEMORY_OPEN \
	_IOW(GTDBG_IOC_TYPE, 0x40, struct gtdbg_memory_open)

/**
 * struct gtdbg_memory_range - one piece of a vectored access
 * @address: in: GPU address
 * @buf: in: pointer to the data
 * @len_bytes: in: length
 * @done_bytes: out: bytes copied, up to the first unmapped page
 */
struct gtdbg_memory_range {
	__u64 address;
	__u64 buf;
	__u64 len_bytes;
	__u64 done_bytes;
};

#define GTDBG_MEMORY_RANGES_MAX 64
#define GTDBG_MEMORY_BYTES_MAX (64U << 20)

/**
 * struct gtdbg_memory_access - argument of GTDBG_IOC_MEMORY_READ and _WRITE
 * @device: in: id of the device
 * @context: in: id of the context
 * @ranges: in: pointer to an array of struct gtdbg_memory_range
 * @count: in: its length, 1 to GTDBG_MEMORY_RANGES_MAX
 * @flags: in: must be zero
 *
 * Goes on behind a range that ends short. Returns the bytes copied in all;
 * EFAULT if that would be 0. EINVAL: no byte or more than GTDBG_MEMORY_BYTES_MAX in
 * all, or an address of more than 48 bits.
 * EPERM (write): observer. ENOENT: no such device or context. What was written
 * to code takes effect with the next resume.
 */
struct gtdbg_memory_access {
	__u32 device;
	__u32 context;
	__u64 ranges;
	__u32 count;
	__u32 flags;
};
#define GTDBG_IOC_MEMORY_READ \
	_IOW(GTDBG_IOC_TYPE, 0x41, struct gtdbg_memory_access)
#define GTDBG_IOC_MEMORY_WRITE \
	_IOW(GTDBG_IOC_TYPE, 0x42, struct gtdbg_memory_access)

/* Pages may be written. */
#define GTDBG_MAPPING_F_WRITABLE (1U << 0)

/**
 * struct gtdbg_memory_mapping - a range of mapped addresses
 * @address: first GPU address
 * @len_bytes: length
 * @flags: GTDBG_MAPPING_F_*, the same for all of it
 * @page_bytes: size of its pages
 */
struct gtdbg_memory_mapping {
	__u64 address;
	__u64 len_bytes;
	__u32 flags;
	__u32 page_bytes;
};

/**
 * struct gtdbg_memory_list - argument of GTDBG_IOC_MEMORY_LIST
 * @device: in: id of the device
 * @context: in: id of the context
 * @address: in: where to begin, a multiple of 4096; out: where to go on, 2^48 if
 *           that was all
 * @mappings: in: pointer to an array of struct gtdbg_memory_mapping
 * @count: in: its length, at least 1
 * @flags: in: must be zero
 *
 * Lists what is mapped, by address; returns how many entries were written. Pages
 * that are neighbours and alike are one range, unless a call ends between them:
 * one call looks at a bounded number of tables, so it may return fewer entries
 * than there is room for, even none, with more to come. ENOENT: no such device
 * or context.
 */
struct gtdbg_memory_list {
	__u32 device;
	__u32 context;
	__u64 address;
	__u64 mappings;
	__u32 count;
	__u32 flags;
};
#define GTDBG_IOC_MEMORY_LIST \
	_IOWR(GTDBG_IOC_TYPE, 0x45, struct gtdbg_memory_list)

/*
 * Shared local memory of a work-group
 */

/**
 * struct gtdbg_slm_access - argument of GTDBG_IOC_SLM_READ and _WRITE
 * @device: in: id of the device
 * @slot: in: a stopped thread of the work-group
 * @generation: in: stop that is meant, or 0 for whichever it is
 * @offset: in: first byte, from the start of the group's memory
 * @buf: in: pointer to the data
 * @len_bytes: in: length, at least 1
 * @flags: in: must be zero
 *
 * Only threads of the group reach this memory, so the stopped one copies it: its
 * SIP is woken for a moment and waits on. The thread stays in this stop, its
 * registers as they are, and nothing is queued. Threads of the group that run
 * may change the memory meanwhile. Bytes beside those named are not touched.
 *
 * Returns the bytes copied: fewer than asked if the memory ends before, if the
 * thread was resumed by another call, or if five seconds are over. ESRCH: the
 * thread is not stopped, or by now in another stop. EOPNOTSUPP: its SIP cannot
 * do this: it is another's, or too old. ENXIO: the group has no such memory.
 * EFAULT also: @offset is not in it. ETIMEDOUT: the thread did not answer; it
 * is not asked again in this stop. EIO: it refused. EPERM (write): observer.
 * ENOENT: no such device.
 */
struct gtdbg_slm_access {
	__u32 device;
	__u32 slot;
	__u64 generation;
	__u64 offset;
	__u64 buf;
	__u32 len_bytes;
	__u32 flags;
};
#define GTDBG_IOC_SLM_READ _IOW(GTDBG_IOC_TYPE, 0x43, struct gtdbg_slm_access)
#define GTDBG_IOC_SLM_WRITE _IOW(GTDBG_IOC_TYPE, 0x44, struct gtdbg_slm_access)

/*
 * Breakpoints
 */

/**
 * struct gtdbg_breakpoint_set - argument of GTDBG_IOC_BREAKPOINT_SET
 * @kernel: in: id of the kernel; 0: by address
 * @device: in: id of the device; 0 with a kernel
 * @context: in: id of the context; 0 with a kernel
 * @flags: in: must be zero
 * @offset: in: offset of an instruction from the kernel's start, or the GPU
 *          address of an instruction; a multiple of 8
 * @planted: out: in how many places it is in the code by now
 * @failed: out: in how many places the kernel is loaded, but the code is not
 *          mapped or not what it was, or there was no memory. They are tried
 *          again, at the kernel's next launch at the latest
 *
 * Returns the id of a new breakpoint. On a kernel, it is planted wherever that
 * kernel is loaded, now or at its next entry. Several breakpoints at one
 * instruction are independent. A breakpoint bit that is there already and that the
 * registered code lacks is taken for one of the module's that was left, whoever wrote
 * it, and goes with the last breakpoint. EPERM: observer. ENOENT: no such object. EINVAL
 * also: no instruction of the kernel begins there. EFAULT: the address is not
 * mapped. EDQUOT: too many. One by address that cannot be planted is not set: the
 * error says why.
 */
struct gtdbg_breakpoint_set {
	__u32 kernel;
	__u32 device;
	__u32 context;
	__u32 flags;
	__u64 offset;
	__u32 planted;
	__u32 failed;
};
#define GTDBG_IOC_BREAKPOINT_SET \
	_IOWR(GTDBG_IOC_TYPE, 0x48, struct gtdbg_breakpoint_set)

/**
 * struct gtdbg_breakpoint_place - one breakpoint of GTDBG_IOC_BREAKPOINT_SET_MANY
 * @kernel: in: as in struct gtdbg_breakpoint_set
 * @device: in: likewise
 * @context: in: likewise
 * @breakpoint: out: id of the new breakpoint, or a negative errno
 * @offset: in: as in struct gtdbg_breakpoint_set
 * @planted: out: likewise
 * @failed: out: likewise
 */
struct gtdbg_breakpoint_place {
	__u32 kernel;
	__u32 device;
	__u32 context;
	__s32 breakpoint;
	__u64 offset;
	__u32 planted;
	__u32 failed;
};

#define GTDBG_BREAKPOINT_PLACES_MAX 4096

/**
 * struct gtdbg_breakpoint_set_many - argument of GTDBG_IOC_BREAKPOINT_SET_MANY
 * @places: in: pointer to an array of struct gtdbg_breakpoint_place
 * @count: in: its length, 1 to GTDBG_BREAKPOINT_PLACES_MAX
 * @flags: in: must be zero
 *
 * Sets each of them as GTDBG_IOC_BREAKPOINT_SET does, and goes on behind one that
 * fails. Returns how many were set; the first error if none was. EPERM:
 * observer.
 */
struct gtdbg_breakpoint_set_many {
	__u64 places;
	__u32 count;
	__u32 flags;
};
#define GTDBG_IOC_BREAKPOINT_SET_MANY \
	_IOW(GTDBG_IOC_TYPE, 0x4a, struct gtdbg_breakpoint_set_many)

/**
 * struct gtdbg_breakpoint_clear - argument of GTDBG_IOC_BREAKPOINT_CLEAR
 * @breakpoint: in: id
 * @flags: in: must be zero
 *
 * The instruction is restored when its last breakpoint goes. EPERM: observer.
 * ENOENT: no such breakpoint.
 */
struct gtdbg_breakpoint_clear {
	__u32 breakpoint;
	__u32 flags;
};
#define GTDBG_IOC_BREAKPOINT_CLEAR \
	_IOW(GTDBG_IOC_TYPE, 0x49, struct gtdbg_breakpoint_clear)

/**
 * struct gtdbg_breakpoint_clear_many - argument of GTDBG_IOC_BREAKPOINT_CLEAR_MANY
 * @breakpoints: in: pointer to an array of __u32, ids
 * @count: in: its length, 1 to GTDBG_BREAKPOINT_PLACES_MAX
 * @flags: in: must be zero
 *
 * Clears each of them as GTDBG_IOC_BREAKPOINT_CLEAR does, and goes on behind one
 * that is not there. Returns how many were cleared. EPERM: observer. ENOENT: none
 * of them is there.
 */
struct gtdbg_breakpoint_clear_many {
	__u64 breakpoints;
	__u32 count;
	__u32 flags;
};
#define GTDBG_IOC_BREAKPOINT_CLEAR_MANY \
	_IOW(GTDBG_IOC_TYPE, 0x4b, struct gtdbg_breakpoint_clear_many)

/* Of the bytes of programs. */
#define GTDBG_PROGRAM_VERSION 1

/* Flags of gtdbg_breakpoint_program. Only what is out is asked for. */
#define GTDBG_BREAKPOINT_PROGRAM_F_QUERY 0x1
/* A thread that has stopped there is to be ignored, if one may be. */
#define GTDBG_BREAKPOINT_PROGRAM_F_TAKE 0x2

/**
 * struct gtdbg_breakpoint_program - argument of GTDBG_IOC_BREAKPOINT_PROGRAM
 * @breakpoint: in: id
 * @flags: in: one of GTDBG_BREAKPOINT_PROGRAM_F_*, or zero
 * @program: in: pointer to the program; zero with a flag
 * @len_bytes: in: its length; 0: the breakpoint is to have none, or a flag is set
 * @version: in: GTDBG_PROGRAM_VERSION; zero without a program
 * @planted: out: in how many places the breakpoint is in the code; 0 with TAKE
 * @decided: out: in how many of those its program decides; 0 with TAKE
 * @ignore: in: of the threads that would stop there so many run on, INT32_MAX at most;
 *	zero with a flag. Without a program all would stop
 * @taken: out: 1 if the caller may ignore a thread that has stopped (TAKE), else 0
 * @ignored: out: how many have run on, or were taken, since the breakpoint was set, by
 *	all of its programs
 *
 * Gives a breakpoint a program that the system routine carries out on the GPU when
 * a thread comes there: unless it says "stop" the thread runs on, and nobody hears of
 * it. The program takes the place of the one before at once, while threads run. It is
 * an array of struct gtdbg_sip_op of gtdbg_sip.h, GTDBG_SIP_PROGRAM_OPS_MAX at most, the
 * last one GTDBG_SIP_OP_END, and without GTDBG_SIP_OP_MORE, which is the module's. What it loads must be mapped: it faults as the program under
 * the debugger does.
 *
 * It decides only where the system routine is gtdbg's and knows programs, where there
 * is room, at an instruction that is no kernel's first one, and where no other
 * breakpoint is at the same instruction. Else threads stop, and so they do while they
 * are stepped. Whoever reads a stop decides anew: that it is reported does not
 * mean that the condition held.
 *
 * Threads count as well, but in one place of the breakpoint only, the first one whose
 * program decides; all others, and those that stop for another reason, are who reads the stop's to
 * count: it asks with TAKE whether that thread is one of those that run on. So it is
 * exact, whoever counts. What is left goes with the program, and an array of the most
 * operations leaves no room for it (EMSGSIZE). EPERM: observer. ENOENT: no such breakpoint. EOPNOTSUPP:
 * another version, or an unknown operation. EINVAL: it is too long, has no end or an
 * operand out of range, or uses what it has not loaded.
 */
struct gtdbg_breakpoint_program {
	__u32 breakpoint;
	__u32 flags;
	__u64 program;
	__u32 len_bytes;
	__u32 version;
	__u32 planted;
	__u32 decided;
	__u32 ignore;
	__u32 taken;
	__u64 ignored;
};
#define GTDBG_IOC_BREAKPOINT_PROGRAM \
	_IOWR(GTDBG_IOC_TYPE, 0x4c, struct gtdbg_breakpoint_program)

#endif
