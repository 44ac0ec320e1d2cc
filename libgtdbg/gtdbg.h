/* SPDX-License-Identifier: MIT */
/*
 * libgtdbg: debugging the threads of an Intel GPU.
 *
 * Calls return 0 or a count on success and a negative errno on failure; errno
 * itself means nothing. Results come back through trailing pointers, which a
 * failure leaves untouched. Every freeing call accepts NULL. No call prints,
 * exits or installs a signal handler. An object belongs to one thread at a
 * time, but for descriptors that were taken out of it; different objects share
 * nothing. Other pointers must not be NULL where nothing is said of it.
 *
 * The errors of a call stand beside it. In addition, each call on a session may
 * fail with ENODEV when the debuggee or the device is gone, with EPERM when a
 * session that only observes asks for more, and with ENOMEM. What a call hands
 * over in a struct of linux/gtdbg.h is described there, units included.
 *
 * This part needs libc alone. Symbols and disassembly are a library of their
 * own, libgtdbg-symbols; see gtdbg_symbols.h.
 */
#ifndef GTDBG_H
#define GTDBG_H

#include <linux/gtdbg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef GTDBG_API
#define GTDBG_API __attribute__((visibility("default")))
#endif

struct gtdbg;

/**
 * gtdbg_version() - version of this library
 *
 * Returns the number in the file VERSION, as a string of three numbers.
 */
GTDBG_API const char *gtdbg_version(void);

/**
 * gtdbg_open() - open the kernel module's device
 * @path: the device, or NULL for /dev/gtdbg
 * @out: the handle, to be closed with gtdbg_close()
 *
 * Fails with ENOENT if the module is not loaded, EACCES without permission,
 * ENOTTY if @path is another kind of file, and EPROTONOSUPPORT if the module
 * speaks another version of the interface.
 */
GTDBG_API int gtdbg_open(const char *path, struct gtdbg **out);

/**
 * gtdbg_close() - close the device; NULL is accepted
 * @gtdbg: the device
 */
GTDBG_API void gtdbg_close(struct gtdbg *gtdbg);

/**
 * gtdbg_info() - ask what the module can do
 * @gtdbg: the device
 * @out: version, features and limits
 *
 * Does not fail on a device that gtdbg_open() has opened.
 */
GTDBG_API int gtdbg_info(struct gtdbg *gtdbg, struct gtdbg_info *out);

/**
 * gtdbg_fd() - descriptor of the device
 * @gtdbg: the device
 *
 * It stays the handle's: the caller must not close it, and it is valid until
 * gtdbg_close().
 */
GTDBG_API int gtdbg_fd(struct gtdbg *gtdbg);

/**
 * gtdbg_client_find() - take a debuggee's descriptor out of its process
 * @pid: the process
 * @fd_out: a copy of its descriptor of /dev/gtdbg, to be closed by the caller
 *
 * The core kernel decides who may do this, as for ptrace. Fails with ESRCH if
 * there is no such process, ENOENT if it has no such descriptor (it does not
 * use the GPU under gtdbg) or there is no /dev/gtdbg, EPERM or EACCES if it may
 * not be traced. Needs /proc. Other descriptors of the device that the process
 * may have, as copies of another client's, are passed over.
 */
GTDBG_API int gtdbg_client_find(int pid, int *fd_out);

/**
 * gtdbg_client_find_pidfd() - the same, of the process behind a pidfd
 * @pidfd: the process; never another one that has got its number
 * @fd_out: as above
 *
 * Fails with EBADF if @pidfd is no pidfd, ESRCH if its process has ended or is
 * in no namespace that /proc shows, and else as above.
 */
GTDBG_API int gtdbg_client_find_pidfd(int pidfd, int *fd_out);

/**
 * struct gtdbg_savearea_target - for gtdbg_savearea_arm()
 * @pid: a process that the caller has a session on
 * @pidfd: the same process, as its number may become another one's
 * @holds_launches: threads are to stop at the entries of kernels, too
 * @is_wanted: asked right before something is written, false: nothing is; and right behind it,
 *	false: it is taken back. Its answer has to become no before the session is closed
 * @argument: what it is given
 */
struct gtdbg_savearea_target {
	int pid;
	int pidfd;
	bool holds_launches;
	bool (*is_wanted)(void *argument);
	void *argument;
};

/**
 * gtdbg_savearea_arm() - have threads of a program stop that runs already
 * @target: of which process, and until when
 *
 * For a GPU that a driver of the machine shares out (a device whose is_virtual is 0):
 * there the module can tell the system routine of a session only while a context is on
 * the engine, which short kernels leave too soon. This writes it into the save areas
 * that the process has mapped now, whichever of the machine's GPUs they are for. The
 * runtime makes some later, so it has to be called again and again, some times a second,
 * as long as the session lasts. It waits for the process where that unmaps what a stopped
 * kernel uses, so it wants a thread that does nothing else.
 *
 * Returns how many save areas were changed. Fails with ESRCH if there is no such process
 * or it has ended, EPERM or EACCES if it may not be traced, EBADF if @pidfd is no
 * descriptor, and EMFILE, ENFILE or ENOMEM if its memory cannot be opened for want of
 * those. Needs /proc.
 */
GTDBG_API int gtdbg_savearea_arm(const struct gtdbg_savearea_target *target);

/*
 * The other side: what the debuggee registers. A runtime, or a library in
 * its process, makes these calls; a debugger needs none of them. The process is
 * a client until it closes the device, or ends.
 */

/**
 * gtdbg_client_register() - make this process one that can be debugged
 * @client: the device
 * @flags: GTDBG_CLIENT_F_*
 * @token_out: what the runtime's save areas have to carry (linux/gtdbg_sip.h)
 *
 * Fails with EBUSY if the process is a client already, EDQUOT if the user has
 * too many, EINVAL for unknown flags.
 */
GTDBG_API int gtdbg_client_register(struct gtdbg *client, uint32_t flags,
				    uint64_t *token_out);

/**
 * gtdbg_client_wait() - wait for a debugger
 * @client: the device, registered
 * @timeout_ms: longest wait in milliseconds; 0 only asks
 *
 * Returns 0 if one has attached, now or earlier. Fails with ETIMEDOUT if none
 * came, EINTR if a signal did, EINVAL without gtdbg_client_register().
 */
GTDBG_API int gtdbg_client_wait(struct gtdbg *client, uint32_t timeout_ms);

/**
 * gtdbg_module_add() - register a program for the GPU
 * @client: the device, registered
 * @module: its name, source and ELF, which are copied
 *
 * Returns the module's id. Fails with EPERM in another process than the
 * client's, EDQUOT beyond the limits that gtdbg_info() returns, EINVAL without
 * gtdbg_client_register().
 */
GTDBG_API int gtdbg_module_add(struct gtdbg *client,
			       const struct gtdbg_module_add *module);

/**
 * gtdbg_module_remove() - take a module and its kernels back; ENOENT
 * @client: the device, registered
 * @module: its id
 */
GTDBG_API int gtdbg_module_remove(struct gtdbg *client, uint32_t module);

/**
 * gtdbg_kernel_add() - register a kernel
 * @client: the device, registered
 * @kernel: its name, module, code and ELF, which are copied
 *
 * Returns the kernel's id. Fails as gtdbg_module_add(), and with ENOENT if
 * there is no such module.
 */
GTDBG_API int gtdbg_kernel_add(struct gtdbg *client,
			       const struct gtdbg_kernel_add *kernel);

/**
 * gtdbg_kernel_remove() - take a kernel back; ENOENT
 * @client: the device, registered
 * @kernel: its id
 */
GTDBG_API int gtdbg_kernel_remove(struct gtdbg *client, uint32_t kernel);

struct gtdbg_session;

/**
 * gtdbg_session_open() - attach to a debuggee
 * @gtdbg: the device
 * @attach: who and how; the refusal and its details come back in it, also on
 *	failure
 * @out: the session, to be closed with gtdbg_session_close()
 *
 * @attach.client_fd stays the caller's, who may close it at once. Fails as
 * GTDBG_IOC_SESSION_ATTACH does; gtdbg_refusal_text() says why in words.
 */
GTDBG_API int gtdbg_session_open(struct gtdbg *gtdbg,
				 struct gtdbg_session_attach *attach,
				 struct gtdbg_session **out);

/**
 * gtdbg_session_close() - detach; NULL is accepted
 * @session: the session
 *
 * Lifts all breakpoints and lets all threads run.
 */
GTDBG_API void gtdbg_session_close(struct gtdbg_session *session);

/**
 * gtdbg_session_fd() - the session's descriptor, for poll()
 * @session: the session
 *
 * It stays the session's. Events that were read together wait in the session,
 * so ask gtdbg_event_next() with timeout 0 until it fails before polling.
 */
GTDBG_API int gtdbg_session_fd(struct gtdbg_session *session);

/**
 * gtdbg_session_stats() - what the module has counted since the attachment
 * @session: the session
 * @out: the result
 */
GTDBG_API int gtdbg_session_stats(struct gtdbg_session *session,
				  struct gtdbg_session_stats *out);

/**
 * gtdbg_refusal_text() - a refusal to attach (GTDBG_REFUSAL_*) in words
 * @refusal: the reason, GTDBG_REFUSAL_*
 *
 * The text is constant, and never NULL.
 */
GTDBG_API const char *gtdbg_refusal_text(uint32_t refusal);

/**
 * gtdbg_event_next() - the next event
 * @session: the session
 * @timeout_ms: longest wait in milliseconds; 0: do not wait, -1: without end
 * @out: the event with its payload behind it, valid until the next call
 *
 * Returns 1 for an event, and 0 after the last one (GTDBG_EVENT_EXIT). Fails
 * with EAGAIN when the time is over, EINTR when a signal came.
 */
GTDBG_API int gtdbg_event_next(struct gtdbg_session *session, int timeout_ms,
			       const struct gtdbg_event **out);

/**
 * gtdbg_event_payload() - the struct behind an event's head
 * @event: the event
 * @len_bytes: size of the struct
 *
 * Returns NULL if the event is too short for it.
 */
GTDBG_API const void *gtdbg_event_payload(const struct gtdbg_event *event,
					  size_t len_bytes);

/**
 * gtdbg_event_string() - the name that follows some payloads
 * @event: the event
 * @payload_len_bytes: size of its payload struct
 * @len_bytes: length of the name as the payload says
 *
 * Returns an empty string if the record does not hold one.
 */
GTDBG_API const char *gtdbg_event_string(const struct gtdbg_event *event,
					 size_t payload_len_bytes,
					 size_t len_bytes);

/**
 * gtdbg_event_name() - "thread_stop" for GTDBG_EVENT_THREAD_STOP, and so on
 * @kind: GTDBG_EVENT_*
 *
 * The text is constant, and never NULL.
 */
GTDBG_API const char *gtdbg_event_name(uint32_t kind);

/**
 * gtdbg_event_mask() - choose kinds of events
 * @session: the session
 * @event_mask: bit 1 << kind: deliver events of this kind
 * @ack_mask: the same: hold the target until gtdbg_event_ack()
 *
 * Holds for events from now on. Fails with EINVAL for a kind that cannot be
 * held.
 */
GTDBG_API int gtdbg_event_mask(struct gtdbg_session *session,
			       uint64_t event_mask, uint64_t ack_mask);

/**
 * gtdbg_event_ack() - let the target continue past an event
 * @session: the session
 * @seqno: the event's number
 *
 * Fails with ENOENT if no such event waits; nothing happens then.
 */
GTDBG_API int gtdbg_event_ack(struct gtdbg_session *session, uint64_t seqno);

/**
 * gtdbg_event_snapshot() - have everything reported again
 * @session: the session
 * @out: which events it consists of, by number
 *
 * Queues what a session gets when it attaches, behind the events that wait.
 * After GTDBG_EVENT_OVERFLOW this makes up for what was lost: whatever is not
 * among these events is no longer there. Fails with EDQUOT if too many events
 * wait in the sessions of this user, ESRCH if the debuggee has ended.
 */
GTDBG_API int gtdbg_event_snapshot(struct gtdbg_session *session,
				   struct gtdbg_event_snapshot *out);

/**
 * gtdbg_device_clock() - a device's time stamp counter beside CLOCK_MONOTONIC
 * @session: the session
 * @device: id of the device
 * @out: both, and the frequency of the counter
 *
 * When the gpu_time of an event was, follows from that; see struct
 * gtdbg_device_clock. Fails with ENOENT if there is no such device, ENODEV if it is gone.
 */
GTDBG_API int gtdbg_device_clock(struct gtdbg_session *session, uint32_t device,
				 struct gtdbg_device_clock *out);

struct gtdbg_clock;

/**
 * gtdbg_clock_create() - a device's time, from pairs of readings
 * @timestamp_hz: frequency of its counter, 1 to 10^11
 * @out: the clock, without a pair yet; gtdbg_clock_destroy() frees it
 *
 * One pair alone is as good as its span. With more of them, some seconds apart, the
 * clock knows how much faster or slower the device's runs, and how wrong it may be.
 * The device's clock must run evenly; a session of hours may add a pair a second.
 * Fails with EINVAL for another frequency, ENOMEM.
 */
GTDBG_API int gtdbg_clock_create(uint64_t timestamp_hz,
				 struct gtdbg_clock **out);
GTDBG_API void gtdbg_clock_destroy(struct gtdbg_clock *clock);

/**
 * gtdbg_clock_add() - one more pair of readings
 * @clock: the clock
 * @pair: from gtdbg_device_clock(), not earlier than the last one and not a day
 *	later. Spans may be unequal, and the reading may lie anywhere in them
 *
 * Returns 0, or 1 if the pair does not fit: one of the clocks was set or has stood
 * still, as in a suspend or a reset, and only this pair counts from now on. Fails
 * with EINVAL if it is earlier, or its span is more than a minute.
 */
GTDBG_API int gtdbg_clock_add(struct gtdbg_clock *clock,
			      const struct gtdbg_device_clock *pair);

/**
 * gtdbg_clock_time() - when a time stamp was taken
 * @clock: the clock
 * @gpu_time: the time stamp
 * @near_ns: any CLOCK_MONOTONIC within 20 minutes of it, since the counter begins
 *	anew after 2^36: gtdbg_event.time_ns of its event
 * @time_ns_out: CLOCK_MONOTONIC of it, ns
 * @error_ns_out: how wrong that may be at most, ns
 *
 * Best between pairs, or not long after the last one. Fails with ENODATA if there
 * is no pair.
 */
GTDBG_API int gtdbg_clock_time(const struct gtdbg_clock *clock,
			       uint64_t gpu_time, uint64_t near_ns,
			       uint64_t *time_ns_out, uint64_t *error_ns_out);

/**
 * gtdbg_blob_open() - source, ELF or code of a module or kernel, as a file
 * @session: the session
 * @kind: GTDBG_BLOB_*
 * @id: id of the module or kernel
 * @fd_out: a read-only descriptor of memory that never changes, to be closed by
 *	the caller; it outlives the session and the debuggee
 *
 * Fails with ENOENT if there is none, EOPNOTSUPP for an unknown kind.
 */
GTDBG_API int gtdbg_blob_open(struct gtdbg_session *session, uint32_t kind,
			      uint32_t id, int *fd_out);

/**
 * gtdbg_blob_read() - source, ELF or code of a module or kernel
 * @session: the session
 * @kind: GTDBG_BLOB_*
 * @id: id of the module or kernel
 * @bytes_out: its bytes with a NUL behind them, to be released with free()
 * @len_bytes_out: their number, without that NUL
 *
 * Fails as gtdbg_blob_open().
 */
GTDBG_API int gtdbg_blob_read(struct gtdbg_session *session, uint32_t kind,
			      uint32_t id, void **bytes_out,
			      size_t *len_bytes_out);

/**
 * gtdbg_thread_list() - threads that are stopped or unavailable
 * @session: the session
 * @device: id of the device
 * @infos: the threads, by slot
 * @capacity: room in @infos
 *
 * Returns how many were written; as many as @capacity may mean that there are
 * more. Fails with ENOENT if there is no such device.
 */
GTDBG_API int gtdbg_thread_list(struct gtdbg_session *session, uint32_t device,
				struct gtdbg_thread_info *infos,
				size_t capacity);

/**
 * gtdbg_thread_interrupt() - stop the threads that run
 * @session: the session
 * @device: id of the device
 * @timeout_ms: longest wait in milliseconds, 1 to 10000
 * @refusal_out: why it failed with EAGAIN, GTDBG_INTERRUPT_*; may be NULL
 *
 * Returns the number of threads that stopped; each has an event, too. Fails
 * with EAGAIN if nothing could be stopped now, ENOENT if there is no such
 * device, EINVAL for another timeout.
 */
GTDBG_API int gtdbg_thread_interrupt(struct gtdbg_session *session,
				     uint32_t device, uint32_t timeout_ms,
				     uint32_t *refusal_out);

/**
 * gtdbg_interrupt_text() - a refused interrupt (GTDBG_INTERRUPT_*) in words
 * @refusal: GTDBG_INTERRUPT_*
 *
 * The text is constant, and never NULL.
 */
GTDBG_API const char *gtdbg_interrupt_text(uint32_t refusal);

/**
 * gtdbg_thread_resume() - let stopped threads go on
 * @session: the session
 * @resume: which, and how
 *
 * Returns the number of threads resumed, and fails as GTDBG_IOC_THREAD_RESUME.
 */
GTDBG_API int gtdbg_thread_resume(struct gtdbg_session *session,
				  struct gtdbg_thread_resume *resume);

/**
 * gtdbg_thread_step_range() - step a stopped thread until it leaves a range of code
 * @session: the session
 * @thread: which, as its stop was reported
 * @ip_first: start of the range, an instruction pointer as gtdbg_thread_info.ip
 * @ip_end: end of the range, exclusive
 * @steps: most instructions to step, 0: any number
 * @flags: GTDBG_RESUME_F_*
 *
 * One event is all that comes of it, when the thread is outside, has made its steps,
 * or was stopped by something else, as a breakpoint in the range. With gtdbg's
 * system routine the GPU does that alone. A thread that ends in the range is not
 * reported. Returns 1, 0 if it is not stopped there any more, and fails as
 * GTDBG_IOC_THREAD_RESUME: with EOPNOTSUPP where the GPU cannot and @flags has
 * GTDBG_RESUME_F_EU. Of a module without GTDBG_FEATURE_STEP_EU @steps and @flags must
 * not be asked.
 */
GTDBG_API int gtdbg_thread_step_range(struct gtdbg_session *session,
				      const struct gtdbg_thread_info *thread,
				      uint64_t ip_first, uint64_t ip_end,
				      uint32_t steps, uint32_t flags);

/**
 * struct gtdbg_register_name - a register as a user names it
 * @set: GTDBG_REGISTER_*
 * @index: number in the set
 */
struct gtdbg_register_name {
	uint32_t set;
	uint32_t index;
};

/**
 * gtdbg_register_find_name() - what "r10", "acc0", "cr0" and so on mean
 * @name: its name
 * @out: the result
 *
 * A set of one register needs no number: "emask". Fails with ENOENT for what is no
 * register's name. That it has a name does not say that a thread's system routine
 * saves it.
 */
GTDBG_API int gtdbg_register_find_name(const char *name,
				       struct gtdbg_register_name *out);

/**
 * gtdbg_register_set_name() - prefix of a set's registers, "r", "acc" ...
 * @set: GTDBG_REGISTER_*
 *
 * Returns NULL for an unknown set.
 */
GTDBG_API const char *gtdbg_register_set_name(uint32_t set);

/**
 * gtdbg_register_list() - the register sets of a context's threads
 *
 * @session: the session
 * @device: id of the device
 * @context: id of the context, whose system routine decides
 * @sets: the sets
 * @capacity: room in @sets
 *
 * Returns how many were written. Fails with ENOENT if there is no such device
 * or context, or its save area is not known yet.
 */
GTDBG_API int gtdbg_register_list(struct gtdbg_session *session,
				  uint32_t device, uint32_t context,
				  struct gtdbg_register_set *sets,
				  size_t capacity);

/**
 * gtdbg_register_read() - registers of a stopped thread
 * @session: the session
 * @thread: the thread and the stop that is meant
 * @set: GTDBG_REGISTER_*
 * @first: number of the first one
 * @count: how many
 * @buf: their values, one behind the other
 * @len_bytes: size of @buf, exactly @count times that of one
 *
 * Fails with ESRCH if the thread is not in that stop any more, EOPNOTSUPP if
 * its system routine saves no such set, EINVAL for registers that the set
 * lacks.
 */
GTDBG_API int gtdbg_register_read(struct gtdbg_session *session,
				  const struct gtdbg_thread_info *thread,
				  uint32_t set, uint32_t first, uint32_t count,
				  void *buf, size_t len_bytes);

/**
 * gtdbg_register_write() - change registers of a stopped thread
 * @session: the session
 * @thread: the stopped thread
 * @set: GTDBG_REGISTER_*
 * @first: the first register
 * @count: how many
 * @buf: the bytes
 * @len_bytes: their number
 *
 * As gtdbg_register_read(), the other way. What was written is read back; fails
 * also with EIO if it did not take, EPERM if the set cannot be written.
 */
GTDBG_API int gtdbg_register_write(struct gtdbg_session *session,
				   const struct gtdbg_thread_info *thread,
				   uint32_t set, uint32_t first,
				   uint32_t count, const void *buf,
				   size_t len_bytes);

/**
 * gtdbg_memory_read() - GPU memory by address
 * @session: the session
 * @device: id of the device
 * @context: id of the context whose addresses are meant
 * @address: the address, of 48 bits; upper bits may repeat bit 47, as those of
 *	pointers in programs do
 * @buf: what is there
 * @len_bytes: how much, at most GTDBG_MEMORY_BYTES_MAX
 *
 * Returns the number of bytes up to the first unmapped page. Fails with EFAULT
 * if there are none, ENOENT if there is no such device or context, EINVAL for
 * too many bytes or an address of more bits.
 */
GTDBG_API int gtdbg_memory_read(struct gtdbg_session *session, uint32_t device,
				uint32_t context, uint64_t address, void *buf,
				size_t len_bytes);

/**
 * gtdbg_memory_write() - change GPU memory by address
 * @session: the session
 * @device: the device
 * @context: the context
 * @address: the GPU address
 * @buf: the bytes
 * @len_bytes: their number
 *
 * As gtdbg_memory_read(), the other way. Changed code takes effect with the
 * next resume.
 */
GTDBG_API int gtdbg_memory_write(struct gtdbg_session *session,
				 uint32_t device, uint32_t context,
				 uint64_t address, const void *buf,
				 size_t len_bytes);

/**
 * gtdbg_memory_read_ranges() - several pieces of GPU memory in one call
 * @session: the session
 * @device: id of the device
 * @context: id of the context
 * @ranges: the pieces; each returns how far it was read
 * @count: their number, 1 to GTDBG_MEMORY_RANGES_MAX
 *
 * Returns the bytes in all, which is not more than GTDBG_MEMORY_BYTES_MAX.
 * Fails as gtdbg_memory_read(), with EFAULT only if nothing could be read.
 */
GTDBG_API int gtdbg_memory_read_ranges(struct gtdbg_session *session,
				       uint32_t device, uint32_t context,
				       struct gtdbg_memory_range *ranges,
				       uint32_t count);

/**
 * gtdbg_memory_write_ranges() - the same, the other way
 * @session: the session
 * @device: the device
 * @context: the context
 * @ranges: the ranges; the bytes of each are its buffer's
 * @count: how many
 */
GTDBG_API int gtdbg_memory_write_ranges(struct gtdbg_session *session,
					uint32_t device, uint32_t context,
					struct gtdbg_memory_range *ranges,
					uint32_t count);

/**
 * gtdbg_memory_list() - what is mapped
 * @session: the session
 * @device: id of the device
 * @context: id of the context
 * @address: where to begin, a multiple of 4096; then where to go on, 2^48 being
 *	the end
 * @mappings: the ranges, by address
 * @capacity: room in @mappings, at least 1
 *
 * Returns how many were written: fewer than there is room for, even none, does
 * not mean that this was all. Fails with ENOENT if there is no such device or
 * context, EINVAL for another address.
 */
GTDBG_API int gtdbg_memory_list(struct gtdbg_session *session, uint32_t device,
				uint32_t context, uint64_t *address,
				struct gtdbg_memory_mapping *mappings,
				uint32_t capacity);

/**
 * gtdbg_memory_open() - GPU memory as a file
 * @session: the session
 * @device: id of the device
 * @context: id of the context
 * @flags: O_RDONLY or O_RDWR
 * @fd_out: a descriptor for pread() and pwrite(), whose offsets are GPU
 *	addresses; to be closed by the caller
 *
 * Accesses stop short at an unmapped page, and fail with EFAULT at one. Once
 * the session is closed or the device is gone, they fail with ENODEV. Fails
 * with ENOENT if there is no such device or context, EPERM for an observer's
 * O_RDWR.
 */
GTDBG_API int gtdbg_memory_open(struct gtdbg_session *session,
				uint32_t device, uint32_t context, int flags,
				int *fd_out);

/**
 * gtdbg_slm_read() - shared local memory of a stopped thread's work-group
 * @session: the session
 * @thread: the thread, which has to be in this stop
 * @offset: first byte, from the start of the group's memory
 * @buf: the bytes
 * @len_bytes: their number
 *
 * The thread itself copies, and stays stopped; other threads of the group may
 * run and change the memory meanwhile. Returns the number of bytes, fewer than
 * asked if the memory ends before. Fails as GTDBG_IOC_SLM_READ does, with
 * EOPNOTSUPP under a system routine that cannot do this, as Intel's.
 */
GTDBG_API int gtdbg_slm_read(struct gtdbg_session *session,
			     const struct gtdbg_thread_info *thread,
			     uint64_t offset, void *buf, size_t len_bytes);

/**
 * gtdbg_slm_write() - the same, the other way; bytes beside are not touched
 * @session: the session
 * @thread: the stopped thread
 * @offset: where in the work-group's memory
 * @buf: the bytes
 * @len_bytes: their number
 */
GTDBG_API int gtdbg_slm_write(struct gtdbg_session *session,
			      const struct gtdbg_thread_info *thread,
			      uint64_t offset, const void *buf,
			      size_t len_bytes);

/**
 * gtdbg_breakpoint_set() - stop threads at an instruction
 * @session: the session
 * @kernel: id of the kernel
 * @offset: offset of the instruction in it, in bytes
 *
 * Returns the breakpoint's id. It holds wherever the kernel is loaded, until it
 * is cleared or the session closed. Fails with ENOENT if there is no such
 * kernel, EINVAL for an offset that is not in it, EDQUOT for too many.
 */
GTDBG_API int gtdbg_breakpoint_set(struct gtdbg_session *session,
				   uint32_t kernel, uint64_t offset);

/**
 * gtdbg_breakpoint_set_address() - stop threads at an instruction in memory
 * @session: the session
 * @device: the device
 * @context: the context
 * @address: the GPU address
 *
 * As gtdbg_breakpoint_set(), by GPU address. Fails with EFAULT if nothing is
 * mapped there.
 */
GTDBG_API int gtdbg_breakpoint_set_address(struct gtdbg_session *session,
					   uint32_t device, uint32_t context,
					   uint64_t address);

/**
 * gtdbg_breakpoint_set_many() - stop threads at many instructions
 * @session: the session
 * @places: where; each is given its id, or a negative errno
 * @count: their number; any, they are set 4096 at a time
 *
 * As gtdbg_breakpoint_set() for each place, one of which may fail without the
 * others. Much faster than as many calls. Returns how many were set; the first
 * error if none was.
 */
GTDBG_API int gtdbg_breakpoint_set_many(struct gtdbg_session *session,
					struct gtdbg_breakpoint_place *places,
					size_t count);

/**
 * gtdbg_breakpoint_clear() - remove a breakpoint; ENOENT
 * @session: the session
 * @breakpoint: its id
 */
GTDBG_API int gtdbg_breakpoint_clear(struct gtdbg_session *session,
				     uint32_t breakpoint);

/**
 * gtdbg_breakpoint_clear_many() - remove many breakpoints
 * @session: the session
 * @breakpoints: their ids; what is not there any more is skipped
 * @count: how many
 *
 * Returns how many were removed, or the first error if none was.
 */
GTDBG_API int gtdbg_breakpoint_clear_many(struct gtdbg_session *session,
					  const uint32_t *breakpoints,
					  size_t count);

/**
 * gtdbg_breakpoint_program() - let the GPU decide at a breakpoint
 * @session: the session
 * @breakpoint: its id
 * @program: what decides, as gtdbg_condition_compile() makes it
 * @len_bytes: its length; 0: the breakpoint is to have none
 * @ignore: of the threads that would stop then, so many run on first, INT32_MAX at most
 * @planted_out: in how many places the breakpoint is in the code, or NULL
 * @decided_out: in how many of those the GPU decides, or NULL
 *
 * Threads for which it does not say "stop" run on. Takes the place of the program
 * before at once. Where the GPU cannot decide, threads stop as without one, and who is
 * told of them asks gtdbg_breakpoint_ignore(). Fails with
 * ENOENT, EPERM in an observer, EINVAL, EMSGSIZE if the program leaves no room for
 * @ignore, EOPNOTSUPP, and ENOTTY under an older module.
 */
GTDBG_API int gtdbg_breakpoint_program(struct gtdbg_session *session,
				       uint32_t breakpoint,
				       const void *program, size_t len_bytes,
				       uint32_t ignore, uint32_t *planted_out,
				       uint32_t *decided_out);

/**
 * gtdbg_breakpoint_decided() - where the GPU decides at a breakpoint; ENOENT
 * @session: the session
 * @breakpoint: its id
 * @planted_out: in how many places the breakpoint is in the code, or NULL
 * @decided_out: in how many of those the GPU decides, or NULL
 * @ignored_out: how many threads that would have stopped have run on so far, or NULL
 */
GTDBG_API int gtdbg_breakpoint_decided(struct gtdbg_session *session,
				       uint32_t breakpoint,
				       uint32_t *planted_out,
				       uint32_t *decided_out,
				       uint64_t *ignored_out);

/**
 * gtdbg_breakpoint_ignore() - is a thread that has stopped there one to be ignored?
 * @session: the session
 * @breakpoint: its id
 * @ignored_out: how many have been so far, this one included, by its programs' counts, or NULL
 *
 * Threads that run take from the same count, so this is asked once for each stop whose
 * condition holds, and not answered by whoever gave the count. Returns 1 or 0, and fails
 * with ENOENT, and EPERM in an observer.
 */
GTDBG_API int gtdbg_breakpoint_ignore(struct gtdbg_session *session,
				      uint32_t breakpoint,
				      uint64_t *ignored_out);

struct gtdbg_machine;
struct gtdbg_stop;

/**
 * gtdbg_stop_create() - look at a stopped thread
 * @session: the session, which has to outlive this
 * @thread: the thread, as an event or gtdbg_thread_list() gave it
 * @out: the stop; its registers are read once and kept
 *
 * Where the thread's scratch memory lies is known from events of its context
 * that gtdbg_event_next() has given; without them its call stack may be cut.
 *
 * Fails with ESRCH if the thread is not in this stop any more.
 */
GTDBG_API int gtdbg_stop_create(struct gtdbg_session *session,
				const struct gtdbg_thread_info *thread,
				struct gtdbg_stop **out);

/**
 * gtdbg_stop_destroy() - forget a stop; NULL is accepted
 * @stop: the stop
 */
GTDBG_API void gtdbg_stop_destroy(struct gtdbg_stop *stop);

/**
 * gtdbg_stop_machine() - the thread's state, for frames and variables
 * @stop: the stop
 *
 * It is what the calls of gtdbg_symbols.h read from. The machine is part of the
 * stop and lives as long.
 */
GTDBG_API const struct gtdbg_machine *
gtdbg_stop_machine(struct gtdbg_stop *stop);

/**
 * gtdbg_stop_register_write() - change bytes of the register file
 * @stop: the stop
 * @offset_bytes: place in the register file, register N at 32 * N
 * @buf: the new bytes
 * @len_bytes: their number
 *
 * Fails with ERANGE outside of the register file, and as
 * gtdbg_register_write().
 */
GTDBG_API int gtdbg_stop_register_write(struct gtdbg_stop *stop,
					uint32_t offset_bytes,
					const void *buf, size_t len_bytes);

/**
 * gtdbg_stop_memory_write() - change memory as the thread sees it
 *
 * @stop: the stop
 * @address: the address, which may be tagged, see &struct gtdbg_machine
 * @buf: the new bytes
 * @len_bytes: their number
 *
 * Fails with EFAULT if not all of it is mapped; what is has been written then.
 * Fails with EOPNOTSUPP for local memory that the thread's system routine cannot
 * reach, ENXIO if its work-group has none, ETIMEDOUT if the thread did not
 * answer.
 */
GTDBG_API int gtdbg_stop_memory_write(struct gtdbg_stop *stop,
				      uint64_t address, const void *buf,
				      size_t len_bytes);

#ifdef __cplusplus
}
#endif

#endif
