/* SPDX-License-Identifier: MIT */
/*
 * A Level Zero driver for debuggers, on top of libgtdbg alone; bottom up:
 *
 * result.c	errors as Level Zero names them
 * device.c	devices, and their register sets
 * driver.c	initialisation, and the driver
 * savearea.c	having threads stop of programs that run already
 * process.c	who is debugged, and its GPUs
 * session.c	handles of sessions, attach and detach
 * module.c	ELF files of what is loaded, and breakpoints in it
 * stop.c	reported stops, and resuming
 * interrupt.c	stopping threads
 * event.c	libgtdbg's events as those of Level Zero
 * register.c	registers of reported threads
 * memory.c	memory, and the ELF files as memory
 * table.c	what the loader asks for: tables of the calls
 */
/*
 * Level Zero's debugger sees a thread stop when it has read the event, and not
 * before: only a reported thread has registers, and only it is resumed. Threads
 * that wait at the entry of a kernel are not stopped in this sense.
 *
 * Every call on a session holds its process's lock but for zetDebugInterrupt(), which a
 * signal handler may call: that one only sets bits, for the next
 * zetDebugReadEvent() to serve.
 */
#ifndef LIBGTDBG_LEVEL_ZERO_H
#define LIBGTDBG_LEVEL_ZERO_H

#include "gtdbg.h"

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zet_api.h>
#include <level_zero/zet_ddi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A debugger asks for these before it says which process it means. */
#define ZE_SLICES 1
#define ZE_SUBSLICES 6
#define ZE_EUS 16
#define ZE_THREADS 7
#define ZE_PLACES (ZE_SLICES * ZE_SUBSLICES * ZE_EUS * ZE_THREADS)
#define ZE_WORDS ((ZE_PLACES + 63) / 64)
/* Of a process, at most. */
#define ZE_DEVICES_MAX 4

/* Before gdbserver has a gdb, an event that needs an answer confuses it. */
#define ZE_WITHHELD_POLLS 8

/* ELF files are read as memory from here on: GPU addresses have 48 bits. */
#define ZE_WINDOW_TAG 0xe1ull
#define ZE_WINDOW_TAG_SHIFT 48
#define ZE_WINDOW_SHIFT 28

/* cr0.1: bits that the host decides about, by command or by clearing them. */
#define ZE_CAUSE_MASK 0xfc010000u
#define ZE_CAUSE_BREAK (1u << 31)
#define ZE_CAUSE_FORCED (1u << 26)
/* Not the hardware's: drivers show it, by convention, where a page fault stops a thread. */
#define ZE_CAUSE_FAULT (1u << 16)

/* A hardware thread, by its place in the device that is announced. */
struct ze_thread {
	bool is_reported;
	bool has_causes; /* the debugger has written them in this stop */
	uint32_t causes; /* of cr0.1, as the debugger sees them */
	struct gtdbg_thread_info info;
};

struct ze_context {
	struct ze_context *next;
	bool is_doubtful; /* until a replay has it */
	struct gtdbg_event_context_add info;
};

/* The module plants it in each context that has the kernel. */
struct ze_breakpoint {
	struct ze_breakpoint *next;
	uint32_t kernel;
	uint64_t base; /* of the kernel, where the debugger has set it */
	uint64_t address; /* of the byte that holds the bit */
	uint8_t mask;
	uint32_t id;
};

/* A kernel at an address of a context. */
struct ze_module {
	struct ze_module *next;
	uint32_t kernel;
	uint32_t context;
	uint64_t address;
	uint64_t isa_len_bytes;
	uint64_t begin; /* of its window */
	uint64_t ack_seqno; /* 0: nothing waits for it */
	bool is_announced;
	bool is_doubtful; /* until a replay has it */
	void *elf;
	size_t elf_len_bytes;
};

struct ze_kernel {
	struct ze_kernel *next;
	uint32_t kernel;
	uint64_t isa_len_bytes;
};

struct ze_event {
	struct ze_event *next;
	zet_debug_event_t event;
	struct gtdbg_thread_info info; /* of a stop */
	bool is_fault; /* the thread was made to stop for one */
};

/* What sessions on devices of one process share. */
struct ze_process {
	int pid;
	int pidfd; /* from before its session on */
	atomic_bool has_ended;
	atomic_bool is_left; /* its session is being closed */
	pthread_mutex_t lock;

	/* Protected by that of all processes. */
	struct ze_process *next;
	unsigned int users;
	bool is_unsettled; /* its session is being opened or closed */

	/* Protected by @lock. */
	struct gtdbg_session *session;
	struct ze_session *sessions;
	uint32_t devices[ZE_DEVICES_MAX]; /* that fit into what is announced */
	uint32_t slots[ZE_DEVICES_MAX];
	uint32_t device_count;
	struct {
		bool is_running;
		pthread_t thread;
		sem_t left; /* posted with is_left */
	} look;		     /* also of the last user, who has no lock */
	bool is_too_large;   /* one that was passed over */
	bool is_synced;      /* what was there first was read */
	bool wants_replay;   /* events were lost, and not asked for yet */
	uint64_t skip_seqno; /* events before it are out of date */
};

struct ze_session {
	struct ze_process *process;
	uint32_t index; /* of the device among those of the process */

	/* Set by a signal handler, too. */
	atomic_bool wants_all;
	atomic_ullong wants[ZE_WORDS];
	atomic_ullong reported[ZE_WORDS]; /* threads[].is_reported */
	atomic_bool is_closing;

	/* Protected by the lock of @process. */
	struct ze_session *next; /* of the same process */
	struct gtdbg_session *session; /* that of @process */
	uint32_t device; /* 0: none yet */
	uint32_t slots;
	uint64_t launched; /* threads of the last launch, 0: not known */
	bool has_ended;
	bool is_doubtful; /* until a replay has its device */
	unsigned int withheld; /* polls until loads are reported */
	unsigned int asks_at_once; /* for events, that are not to wait */
	bool was_interrupted;
	bool is_faulting; /* what is interrupted now is for a page fault */
	uint64_t windows;
	struct ze_event *first;
	struct ze_event **last;
	struct ze_context *contexts;
	struct ze_kernel *kernels;
	struct ze_module *modules;
	struct ze_breakpoint *breakpoints;
	struct ze_thread threads[ZE_PLACES];
};

/* result.c */
ze_result_t gtdbg_ze_result(int ret);

/* device.c */
struct ze_register_set {
	uint32_t type;
	uint32_t set; /* GTDBG_REGISTER_*, 0: made up here */
	bool is_writable;
	uint32_t count;
	uint32_t bits;
};

#define ZE_REGISTER_SBA 11

const struct ze_register_set *gtdbg_ze_register_set_find(uint32_t type);
/* Which device it is of a process, -1: none. */
int gtdbg_ze_device_index(ze_device_handle_t handle);
/* So many of a process are known: whoever asks is told of no fewer from now on. */
void gtdbg_ze_devices_announce(unsigned int count);
/* Into what is announced. */
bool gtdbg_ze_device_fits(const struct gtdbg_event_device_add *info);
void gtdbg_ze_device_table(ze_device_dditable_t *table);

/* driver.c */
bool gtdbg_ze_driver_is(ze_driver_handle_t handle);
ze_driver_handle_t gtdbg_ze_driver_handle(void);
void gtdbg_ze_driver_table(ze_driver_dditable_t *table);
void gtdbg_ze_global_table(ze_global_dditable_t *table);

/*
 * savearea.c: from gtdbg_ze_savearea_look() on, with the process's lock held, until
 * gtdbg_ze_savearea_leave(), which comes before its session is closed. Behind that
 * gtdbg_ze_savearea_fini() waits for the process, if that lets nobody look just then.
 */
void gtdbg_ze_savearea_look(struct ze_process *process);
void gtdbg_ze_savearea_leave(struct ze_process *process);
void gtdbg_ze_savearea_fini(struct ze_process *process);

/*
 * process.c: all but the first two with the process's lock held. Its session is there
 * from gtdbg_ze_process_get() on, whose first user has events to read up to SYNCED;
 * others have to ask for them again.
 */
int gtdbg_ze_process_get(int pid, struct ze_process **out);
void gtdbg_ze_process_put(struct ze_process *process);
/* EBUSY: another session is for that device. */
int gtdbg_ze_process_join(struct ze_process *process,
			  struct ze_session *session);
void gtdbg_ze_process_leave(struct ze_session *session);
/* The session's device, if it is known by now. */
void gtdbg_ze_process_bind(const struct ze_process *process,
			   struct ze_session *session);
void gtdbg_ze_process_device_add(struct ze_process *process,
				 const struct gtdbg_event *event);
/* Lets go what waits for a debugger of a device that has none. */
void gtdbg_ze_process_unclaimed(struct ze_process *process,
				const struct gtdbg_event *event);

/*
 * session.c: a handle is a number that is not used again. gtdbg_ze_session_get()
 * returns NULL for one that is no session's; safe in a signal handler.
 */
struct ze_session *gtdbg_ze_session_get(zet_debug_session_handle_t handle);
void gtdbg_ze_session_put(zet_debug_session_handle_t handle);
struct ze_session *gtdbg_ze_session_lock(zet_debug_session_handle_t handle);
void gtdbg_ze_session_unlock(zet_debug_session_handle_t handle,
			     struct ze_session *session);
ze_result_t gtdbg_ze_debug_attach(zet_device_handle_t device,
				  const zet_debug_config_t *config,
				  zet_debug_session_handle_t *out);
ze_result_t gtdbg_ze_debug_detach(zet_debug_session_handle_t handle);

/* module.c */
struct ze_module *gtdbg_ze_module_create(struct ze_session *session,
					 uint32_t kernel, uint32_t context,
					 uint64_t address);
struct ze_module *gtdbg_ze_module_find(struct ze_session *session,
				       uint32_t context, uint64_t address);
/* Whether an ELF file was at this address once. */
bool gtdbg_ze_module_was(const struct ze_session *session, uint64_t begin);
void gtdbg_ze_module_destroy(struct ze_session *session,
			     struct ze_module *module);
/* The one whose code has this address; any context's if @context is 0. */
struct ze_module *gtdbg_ze_module_at(struct ze_session *session,
				     uint32_t context, uint64_t address);
void gtdbg_ze_module_info(const struct ze_module *module,
			  zet_debug_event_info_module_t *out);
/* Adds the debugger's breakpoints to code that was read in a context. */
void gtdbg_ze_module_show(const struct ze_session *session, uint32_t context,
			  uint64_t address, uint8_t *bytes, size_t len_bytes);
/*
 * 1: the write was only a breakpoint's, and is done. 0: it is something else.
 * A negative errno otherwise.
 */
int gtdbg_ze_module_write(struct ze_session *session, struct ze_module *module,
			  uint64_t address, const uint8_t *bytes,
			  size_t len_bytes);

/* stop.c */
extern const ze_device_thread_t gtdbg_ze_thread_all;

ze_device_thread_t gtdbg_ze_thread_id(size_t place);
bool gtdbg_ze_thread_is_all(const ze_device_thread_t *thread);
/* Each of its numbers is in the device, or is "all". */
bool gtdbg_ze_thread_is_valid(const ze_device_thread_t *name);
bool gtdbg_ze_thread_is_named(const ze_device_thread_t *name, size_t place);
/* The reported thread of that name, NULL: none, or not one thread. */
struct ze_thread *gtdbg_ze_thread_find(struct ze_session *session,
				       const ze_device_thread_t *thread);
void gtdbg_ze_thread_report(struct ze_session *session,
			    const struct gtdbg_thread_info *info,
			    bool is_fault);
/* The place of a thread, or -1 if the device that is announced lacks it. */
int gtdbg_ze_thread_place(const struct gtdbg_thread_info *info);
ze_result_t gtdbg_ze_debug_resume(zet_debug_session_handle_t handle,
				  ze_device_thread_t thread);
/* Lets a thread run on whose stop was not reported. */
void gtdbg_ze_thread_release(struct ze_session *session,
			     const struct gtdbg_thread_info *info);
/* All of the device, whatever was reported. */
void gtdbg_ze_threads_release(struct ze_session *session);

/* interrupt.c */
ze_result_t gtdbg_ze_debug_interrupt(zet_debug_session_handle_t handle,
				     ze_device_thread_t thread);
/* Stops the threads that were asked for, and queues what they say. */
void gtdbg_ze_interrupt_serve(struct ze_session *session);
/* What runs on the device is made to stop, if it does within a while. */
void gtdbg_ze_threads_interrupt(struct ze_session *session);

/* event.c */
void gtdbg_ze_event_add(struct ze_session *session, zet_debug_event_type_t type,
			const struct gtdbg_thread_info *info,
			const struct ze_module *module);
/* That a thread, or all of them, have nothing to report. */
void gtdbg_ze_event_add_unavailable(struct ze_session *session,
				    ze_device_thread_t thread);
/* A context that was reported; NULL: there is none of that number. */
struct ze_context *gtdbg_ze_context_find(const struct ze_session *session,
					 uint32_t id);
/* Unloads what is loaded, and answers for it. */
void gtdbg_ze_event_fini(struct ze_session *session);
/* Takes all that is there, for all sessions; 0, or a negative errno. */
int gtdbg_ze_event_drain(struct ze_process *process, int timeout_ms,
			 bool to_synced);
/* Has all that there is reported again; 0, or a negative errno. */
int gtdbg_ze_event_replay(struct ze_process *process);
ze_result_t gtdbg_ze_debug_event_read(zet_debug_session_handle_t handle,
				      uint64_t timeout_ms,
				      zet_debug_event_t *out);
ze_result_t gtdbg_ze_debug_event_ack(zet_debug_session_handle_t handle,
				     const zet_debug_event_t *event);

/* register.c */
ze_result_t gtdbg_ze_debug_registers_read(zet_debug_session_handle_t handle,
					  ze_device_thread_t thread,
					  uint32_t type, uint32_t start,
					  uint32_t count, void *out);
ze_result_t gtdbg_ze_debug_registers_write(zet_debug_session_handle_t handle,
					   ze_device_thread_t thread,
					   uint32_t type, uint32_t start,
					   uint32_t count, void *in);
ze_result_t gtdbg_ze_debug_register_sets(zet_device_handle_t device,
					 uint32_t *count,
					 zet_debug_regset_properties_t *out);

/* memory.c */
ze_result_t
gtdbg_ze_debug_memory_read(zet_debug_session_handle_t handle,
			   ze_device_thread_t thread,
			   const zet_debug_memory_space_desc_t *space,
			   size_t len_bytes, void *out);
ze_result_t
gtdbg_ze_debug_memory_write(zet_debug_session_handle_t handle,
			    ze_device_thread_t thread,
			    const zet_debug_memory_space_desc_t *space,
			    size_t len_bytes, const void *in);

#endif
