// SPDX-License-Identifier: MIT
/*
 * The driver's rules where a real program keeps them only by chance: in which
 * order events come, what fails, and who calls meanwhile. Prints TAP.
 */
#include "../level_zero.h"

#include "../../tests/support/tap.h"
#include "fake.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REGISTERS_GRF 1
#define REGISTERS_CR 6
#define REGISTERS_ACC 8
#define REGISTERS_DBG 12
#define FIRST 3		/* slots of two threads */
#define SECOND 9
#define HANG_S 600

static zet_debug_session_handle_t session;
static zet_debug_event_t event;

static ze_device_handle_t device_get(uint32_t index)
{
	ze_device_handle_t devices[ZE_DEVICES_MAX] = { NULL };
	ze_device_dditable_t table = { 0 };
	uint32_t count = ZE_DEVICES_MAX;

	gtdbg_ze_device_table(&table);
	table.pfnGet(gtdbg_ze_driver_handle(), &count, devices);
	return devices[index];
}

static ze_result_t attach_to(uint32_t index)
{
	const zet_debug_config_t config = { .pid = getpid() };

	session = NULL;
	return gtdbg_ze_debug_attach(device_get(index), &config, &session);
}

static ze_result_t attach(void)
{
	return attach_to(0);
}

static ze_result_t next(void)
{
	memset(&event, 0xee, sizeof(event));
	return gtdbg_ze_debug_event_read(session, 0, &event);
}

static bool next_is(zet_debug_event_type_t type)
{
	return next() == ZE_RESULT_SUCCESS && event.type == type;
}

static bool next_is_thread(zet_debug_event_type_t type, uint32_t slot)
{
	const ze_device_thread_t thread = gtdbg_ze_thread_id(slot);

	return next_is(type) &&
	       !memcmp(&event.info.thread.thread, &thread, sizeof(thread));
}

static bool is_stopped(uint32_t slot)
{
	char bytes[32];

	return !gtdbg_ze_debug_registers_read(session, gtdbg_ze_thread_id(slot),
					      REGISTERS_GRF, 0, 1, bytes);
}

/* Attached to a process with a GPU; what it says first has been read. */
static void start(void)
{
	fake_init();
	fake_device(ZE_SUBSLICES);
	fake_synced();
	attach();
	next();
}

static bool detach(void)
{
	return gtdbg_ze_debug_detach(session) == ZE_RESULT_SUCCESS;
}

/* A load that waits for an answer, in event. */
static uint64_t load(void)
{
	uint64_t seqno = fake_submit();
	int polls = 0;

	while (next() == ZE_RESULT_NOT_READY && polls < 2 * ZE_WITHHELD_POLLS)
		polls++;
	return seqno;
}

static void check_attach(void)
{
	fake_init();
	fake.find_ret = -ENOENT;
	tap_check(attach() == ZE_RESULT_NOT_READY,
		  "a process that does not use the GPU yet: not ready");
	fake_init();
	fake.open_ret = -ENOENT;
	tap_check(attach() == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE,
		  "a module that has gone is not mistaken for that");
	fake_init();
	fake_device(ZE_SUBSLICES + 1);
	fake_synced();
	tap_check(attach() == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE && !session,
		  "a GPU larger than the one announced is refused");
	tap_check(fake.closed == 1, "and its session is closed");
	fake_init();
	fake.signals = 2;
	fake_device(ZE_SUBSLICES + 1);
	fake_synced();
	tap_check(attach() == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE && !session,
		  "also if signals interrupt the wait for it");
}

static void check_register_sets(void)
{
	zet_debug_regset_properties_t set = { .count = 77 };
	uint32_t count = 0;

	gtdbg_ze_debug_register_sets(device_get(0), &count, &set);
	tap_check(count > 1 && set.count == 77,
		  "an array of no elements is not written to");
}

static void check_answers(void)
{
	zet_debug_event_t copy;
	uint64_t seqno;

	start();
	seqno = load();
	copy = event;
	tap_check(copy.type == ZET_DEBUG_EVENT_TYPE_MODULE_LOAD,
		  "a load comes once the debugger can take it");
	tap_check(!fake.ack_count, "and waits");
	gtdbg_ze_debug_event_ack(session, &copy);
	tap_check(fake.ack_count == 1 && fake.acks[0] == seqno,
		  "until it is answered");
	tap_check(gtdbg_ze_debug_event_ack(session, &copy) ==
		  ZE_RESULT_ERROR_INVALID_ARGUMENT && fake.ack_count == 1,
		  "a second answer is an error");
	seqno = fake_submit();
	tap_check(next() == ZE_RESULT_NOT_READY && fake.acks[1] == seqno,
		  "later launches do not wait");
	detach();

	start();
	load();
	copy = event;
	fake_unload();
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD) &&
		  fake.ack_count == 1, "what is unloaded waits no more");
	tap_check(!gtdbg_ze_debug_event_ack(session, &copy),
		  "the answer that comes too late is none too many");
	copy.info.module.moduleBegin += 1ull << ZE_WINDOW_SHIFT; /* next one's */
	tap_check(gtdbg_ze_debug_event_ack(session, &copy) ==
		  ZE_RESULT_ERROR_INVALID_ARGUMENT,
		  "one to a load that never was is an error");
	detach();

	start();
	load();
	tap_check(detach() && fake.closed == 1,
		  "who never answers may detach");
}

static void check_end(void)
{
	zet_debug_event_t copy;

	start();
	load();
	copy = event;
	fake.has_ended = true;
	fake.ack_ret = -ESRCH;
	tap_check(!gtdbg_ze_debug_event_ack(session, &copy),
		  "an answer to a process that has died");
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE) &&
		  next_is(ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT) &&
		  next_is(ZET_DEBUG_EVENT_TYPE_DETACHED) &&
		  event.info.detached.reason ==
			ZET_DEBUG_DETACH_REASON_HOST_EXIT,
		  "its end is reported");
	tap_check(next() == ZE_RESULT_NOT_READY, "once");
	alarm(HANG_S);
	tap_check(gtdbg_ze_debug_event_read(session, UINT64_MAX, &event) ==
		  ZE_RESULT_NOT_READY, "nobody waits for more");
	alarm(0);
	tap_check(detach(), "and it is left");
}

static void replay_stop(void)
{
	fake_device(ZE_SUBSLICES);
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	fake_synced();
}

static void overflow(void)
{
	const struct gtdbg_event_overflow lost = { .lost = 5 };

	fake_event(GTDBG_EVENT_OVERFLOW, 0, &lost, sizeof(lost));
}

static void check_overflow(void)
{
	zet_debug_event_t copy;

	start();
	load();
	copy = event;
	gtdbg_ze_debug_event_ack(session, &copy);
	fake.replay = replay_stop;
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	overflow();
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST),
		  "a stop before events were lost");
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD) &&
		  event.info.module.moduleBegin == copy.info.module.moduleBegin,
		  "an unload among the lost ones is reported");
	tap_check(next() == ZE_RESULT_NOT_READY,
		  "the stop that is reported again is not");
	detach();
}

/* Memory for the list of what is there comes back later. */
static void check_overflow_again(void)
{
	start();
	load();
	gtdbg_ze_debug_event_ack(session, &event);
	fake.replay = replay_stop;
	fake.snapshot_ret = -EDQUOT;
	overflow();
	tap_check(next() == ZE_RESULT_NOT_READY,
		  "what is there cannot be listed after a loss");
	fake.snapshot_ret = 0;
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST) &&
		  next_is(ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD),
		  "but as soon as it can");
	detach();
}

static void check_resume(void)
{
	const ze_device_thread_t first = gtdbg_ze_thread_id(FIRST);
	uint32_t cr[4] = { 0 };

	start();
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 1u << 31);
	fake_stop(SECOND, 1, GTDBG_STOP_BREAKPOINT, 1u << 31);
	next();
	next();
	fake.resume_ret = -EFAULT;
	tap_check(gtdbg_ze_debug_resume(session, first) ==
		  ZE_RESULT_ERROR_NOT_AVAILABLE && is_stopped(FIRST),
		  "a thread that could not be resumed is still stopped");
	fake.resume_ret = 0;
	gtdbg_ze_debug_registers_read(session, first, REGISTERS_CR, 0, 1, cr);
	tap_check(cr[1] == 1u << 31, "its cause is shown");
	gtdbg_ze_debug_registers_write(session, first, REGISTERS_CR, 0, 1, cr);
	gtdbg_ze_debug_resume(session, gtdbg_ze_thread_all);
	tap_check(fake.steps == 1 && fake.runs == 1,
		  "whose cause is written again makes a step, the other runs");
	tap_check(!is_stopped(FIRST) && !is_stopped(SECOND),
		  "neither is stopped");
	detach();
}

/* Intel's system routines save less than ours. */
static void check_registers(void)
{
	const ze_device_thread_t first = gtdbg_ze_thread_id(FIRST);
	static const uint8_t zeros[64];
	uint8_t bytes[64], saved[32];

	memset(saved, 0x5a, sizeof(saved));
	start();
	fake.lacks_set = GTDBG_REGISTER_DBG;
	fake.cuts_set = GTDBG_REGISTER_ACC;
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	next();
	memset(bytes, 0xee, sizeof(bytes));
	tap_check(!gtdbg_ze_debug_registers_read(session, first, REGISTERS_DBG,
						 0, 1, bytes) &&
		  !memcmp(bytes, zeros, 4), "a set that is not saved is 0");
	tap_check(!gtdbg_ze_debug_registers_read(session, first, REGISTERS_ACC,
						 0, 2, bytes) &&
		  !memcmp(bytes, saved, 32) && !memcmp(bytes + 32, zeros, 32),
		  "registers that are not saved are, and others are not");
	tap_check(gtdbg_ze_debug_registers_read(session, first, REGISTERS_ACC,
						9, 1, bytes) == 0 &&
		  !memcmp(bytes, zeros, 32), "nor is one alone an error");
	detach();
}

static void stop_both(void)
{
	fake_stop(FIRST, 2, GTDBG_STOP_INTERRUPT, 1u << 26);
	/* Just as its kernel began. */
	fake_stop(SECOND, 2, GTDBG_STOP_INTERRUPT | GTDBG_STOP_ENTRY, 1u << 26);
}

static void check_interrupt(void)
{
	const ze_device_thread_t first = gtdbg_ze_thread_id(FIRST);

	start();
	fake.interrupted = stop_both;
	gtdbg_ze_debug_interrupt(session, first);
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST),
		  "one thread is interrupted");
	tap_check(next() == ZE_RESULT_NOT_READY && fake.runs == 1,
		  "the others go on");
	detach();

	start();
	load();
	fake.interrupted = stop_both;
	gtdbg_ze_debug_interrupt(session, first);
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST) &&
		  next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, SECOND) &&
		  !fake.runs, "but for one that waits for its kernel's load");
	detach();

	start();
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	gtdbg_ze_debug_interrupt(session, first);
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST) &&
		  next() == ZE_RESULT_NOT_READY,
		  "one that stops just then is not unavailable as well");
	detach();

	start();
	fake.interrupted = stop_both;
	fake_stop(SECOND, 1, GTDBG_STOP_BREAKPOINT, 0);
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	next();
	gtdbg_ze_debug_interrupt(session, first);
	next();
	gtdbg_ze_debug_resume(session, first);
	tap_check(next() == ZE_RESULT_NOT_READY,
		  "nor stopped again for the same wish");
	detach();

	start();
	gtdbg_ze_debug_interrupt(session, gtdbg_ze_thread_all);
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE) &&
		  gtdbg_ze_thread_is_all(&event.info.thread.thread),
		  "an idle GPU answers, too");
	detach();
}

static unsigned int interrupts;

static void count_interrupt(void)
{
	interrupts++;
}

/* A debugger that sees one thread stop interrupts all, which takes a while. */
static void check_settled(void)
{
	start();
	fake.interrupted = count_interrupt;
	fake_submit_sized(2);
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	next();
	gtdbg_ze_debug_interrupt(session, gtdbg_ze_thread_all);
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE) &&
		  interrupts == 1, "the other thread of two is interrupted");
	fake_stop(SECOND, 1, GTDBG_STOP_BREAKPOINT, 0);
	gtdbg_ze_debug_interrupt(session, gtdbg_ze_thread_all);
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, SECOND) &&
		  next_is(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE) &&
		  interrupts == 1, "none is where both have stopped");
	gtdbg_ze_debug_resume(session, gtdbg_ze_thread_id(SECOND));
	gtdbg_ze_debug_interrupt(session, gtdbg_ze_thread_all);
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE) &&
		  interrupts == 2, "but is when one runs again");
	detach();
}

static void check_breakpoints(void)
{
	zet_debug_memory_space_desc_t space = { .address = FAKE_ADDRESS + 16 };
	const ze_device_thread_t all = gtdbg_ze_thread_all;
	uint8_t code[16] = { 0 }, before[16] = { 0 };

	start();
	load();
	code[3] ^= 0x40;
	gtdbg_ze_debug_memory_write(session, all, &space, sizeof(code), code);
	tap_check(fake.breakpoints == 1 && !fake.code[16 + 3],
		  "a breakpoint is the module's");
	gtdbg_ze_debug_memory_write(session, all, &space, sizeof(code), code);
	tap_check(fake.breakpoints == 1, "once");
	gtdbg_ze_debug_memory_write(session, all, &space, sizeof(code),
				    before);
	tap_check(!fake.breakpoints, "and is cleared");
	gtdbg_ze_debug_memory_write(session, all, &space, sizeof(code), code);
	fake_unload();
	next();
	tap_check(!fake.breakpoints, "also with its kernel");
	fake.memory_ret = 8;
	tap_check(gtdbg_ze_debug_memory_read(session, all, &space,
					     (1ull << 32) + 8, code) ==
		  ZE_RESULT_ERROR_NOT_AVAILABLE,
		  "a length beyond 32 bits is not cut");
	detach();
}

/* Of a kernel that is at one address in two contexts; the debugger writes it once. */
static void check_contexts(void)
{
	const zet_debug_memory_space_desc_t space = {
		.address = FAKE_ADDRESS + 16,
	};
	const ze_device_thread_t all = gtdbg_ze_thread_all;
	uint8_t code[16] = { 0 }, now[16] = { 0 }, before[16] = { 0 };
	uint32_t gone;

	for (gone = FAKE_CONTEXT; gone < FAKE_CONTEXT + 2; gone++) {
		start();
		load();
		fake_submit_in(FAKE_CONTEXT + 1);
		next();
		code[3] = 0x40;
		gtdbg_ze_debug_memory_write(session, all, &space, sizeof(code),
					    code);
		fake_unload_in(gone);
		tap_check(next_is(ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD) &&
			  fake.breakpoints == 1,
			  "a breakpoint stays where one context has gone");
		gtdbg_ze_debug_memory_read(session, all, &space, sizeof(now),
					   now);
		tap_check(!memcmp(code, now, sizeof(code)),
			  "and is shown in the other one");
		gtdbg_ze_debug_memory_write(session, all, &space,
					    sizeof(before), before);
		tap_check(!fake.breakpoints, "where it is cleared");
		gtdbg_ze_debug_memory_write(session, all, &space, sizeof(code),
					    code);
		fake_unload_in(2 * FAKE_CONTEXT + 1 - gone);
		next();
		tap_check(!fake.breakpoints, "or ends with it");
		detach();
	}
}

/* Its user waits until a debugger has all events; nobody while it only asks. */
static void check_waits(void)
{
	unsigned int polls;

	start();
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	next();
	polls = fake.polls;
	tap_check(next() == ZE_RESULT_NOT_READY && fake.polls == polls,
		  "that there is no second event is said at once");
	tap_check(next() == ZE_RESULT_NOT_READY && fake.polls == polls,
		  "and once more");
	tap_check(next() == ZE_RESULT_NOT_READY && fake.polls == polls + 1,
		  "who asks a third time waits");
	fake_stop(SECOND, 1, GTDBG_STOP_BREAKPOINT, 0);
	next();
	tap_check(gtdbg_ze_debug_event_read(session, 1, &event) ==
		  ZE_RESULT_NOT_READY && fake.polls > polls + 1,
		  "and so does who wants to");
	detach();
}

#define OTHER_DEVICE (FAKE_DEVICE + 1)

static void second_device(void)
{
	const struct gtdbg_event_device_add other = {
		.device = OTHER_DEVICE, .slices = 1, .subslices = 1,
		.eus = 8, .threads = 7, .slots = 56, .is_virtual = 1,
	};

	fake_event(GTDBG_EVENT_DEVICE_ADD, 0, &other, sizeof(other));
	fake_synced();
}

static void two_devices(void)
{
	fake_device(ZE_SUBSLICES);
	second_device();
}

static void stop_on(uint32_t device, uint32_t slot)
{
	const struct gtdbg_event_thread_stop stop = {
		.thread = {
			.device = device, .slot = slot, .thread = slot,
			.state = GTDBG_THREAD_STOPPED, .generation = 1,
			.reasons = GTDBG_STOP_BREAKPOINT,
		},
	};

	fake_event(GTDBG_EVENT_THREAD_STOP, 0, &stop, sizeof(stop));
}

static void check_device_count(void)
{
	ze_device_dditable_t table = { 0 };
	uint32_t count = 0;
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", getpid());
	setenv("GTDBG_ZE_PROCESS", pid, 1);
	fake_init();
	two_devices();
	gtdbg_ze_device_table(&table);
	table.pfnGet(gtdbg_ze_driver_handle(), &count, NULL);
	tap_check(count == 2 && device_get(1), "a process has two devices");
	tap_check(fake.opened == 1 && fake.closed == 1, "which is looked at");
	fake_init();
	fake_device(ZE_SUBSLICES);
	fake_synced();
	tap_check(attach_to(1) == ZE_RESULT_SUCCESS,
		  "one that has only one may get a second one");
	stop_on(FAKE_DEVICE, FIRST);
	next();
	tap_check(next() == ZE_RESULT_NOT_READY && fake.runs == 1,
		  "the first one is not mistaken for it");
	two_devices();
	stop_on(OTHER_DEVICE, FIRST);
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST),
		  "which is debugged when it comes");
	detach();
	setenv("GTDBG_ZE_DEVICES", "-1", 1);
	count = 0;
	table.pfnGet(gtdbg_ze_driver_handle(), &count, NULL);
	tap_check(count == 2, "a number that is none announces no device");
	setenv("GTDBG_ZE_DEVICES", "3", 1);
	count = 0;
	table.pfnGet(gtdbg_ze_driver_handle(), &count, NULL);
	tap_check(count == 3 && device_get(2) && !device_get(3),
		  "more may be asked for than there are");
	unsetenv("GTDBG_ZE_DEVICES");
}

/* Nobody is there who would let its threads go. */
static void check_other_device(void)
{
	const struct gtdbg_event_kernel_submit submit = {
		.device = OTHER_DEVICE, .kernel = FAKE_KERNEL,
	};
	uint64_t seqno;

	stop_on(OTHER_DEVICE, FIRST);
	tap_check(next() == ZE_RESULT_NOT_READY && fake.runs == 1 &&
		  fake.resumed == OTHER_DEVICE,
		  "a thread of a device without a session runs on");
	seqno = fake_event(GTDBG_EVENT_KERNEL_SUBMIT, GTDBG_EVENT_F_ACK,
			   &submit, sizeof(submit));
	tap_check(next() == ZE_RESULT_NOT_READY && fake.ack_count == 1 &&
		  fake.acks[0] == seqno, "and a launch does not wait");
}

/* Sessions on both devices of a process, which the module knows as one. */
static void check_devices(void)
{
	zet_debug_session_handle_t a, b;

	fake_init();
	two_devices();
	attach();
	a = session;
	next();
	check_other_device();
	fake.replay = two_devices;
	fake.snapshot_ret = -EDQUOT;
	tap_check(attach_to(1) == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY &&
		  !fake.closed, "what is there cannot be listed: no session");
	fake.snapshot_ret = 0;
	tap_check(attach_to(1) == ZE_RESULT_SUCCESS && fake.opened == 1,
		  "a second device of a process that is debugged");
	b = session;
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY),
		  "begins as the first one");
	tap_check(attach_to(1) == ZE_RESULT_ERROR_NOT_AVAILABLE,
		  "but not twice");
	tap_check(attach_to(3) == ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
		  "nor one that was not announced");
	stop_on(OTHER_DEVICE, FIRST);
	session = a;
	tap_check(next() == ZE_RESULT_NOT_READY && !is_stopped(FIRST),
		  "its stops are not the other device's");
	session = b;
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST) &&
		  is_stopped(FIRST), "also if that one's debugger reads first");
	gtdbg_ze_debug_resume(b, gtdbg_ze_thread_all);
	tap_check(fake.resumed == OTHER_DEVICE, "it is resumed");
	stop_on(FAKE_DEVICE, FIRST);
	session = a;
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST),
		  "so is it with the first one");
	tap_check(detach() && !fake.closed && fake.resumed == FAKE_DEVICE,
		  "whose threads go on when it is left");
	stop_on(OTHER_DEVICE, FIRST);
	session = b;
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED),
		  "the other one is still debugged");
	tap_check(detach() && fake.closed == 1, "and ends the session");
}

/* Its loss waits to be read when a second session has all reported again. */
static void check_lost_device(void)
{
	const struct gtdbg_event_device_lost lost = { .device = FAKE_DEVICE };
	zet_debug_session_handle_t a, b;

	fake_init();
	two_devices();
	attach();
	a = session;
	next();
	fake_event(GTDBG_EVENT_DEVICE_LOST, 0, &lost, sizeof(lost));
	fake.replay = second_device;
	attach_to(1);
	b = session;
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY) &&
		  next() == ZE_RESULT_NOT_READY,
		  "a device that is lost is no matter of the other one");
	session = a;
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE) &&
		  next_is(ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT) &&
		  next_is(ZET_DEBUG_EVENT_TYPE_DETACHED),
		  "but the end of its own session");
	detach();
	session = b;
	detach();
}

/* All that run then are stopped, and say why. */
static void check_page_fault(void)
{
	const struct gtdbg_event_page_fault fault = {
		.device = FAKE_DEVICE, .context = FAKE_CONTEXT,
		.address = 0x7000,
	};
	const ze_device_thread_t first = gtdbg_ze_thread_id(FIRST);
	uint32_t cr[4] = { 0 };
	uint64_t seqno;

	start();
	fake.interrupted = stop_both;
	seqno = fake_event(GTDBG_EVENT_PAGE_FAULT, GTDBG_EVENT_F_ACK, &fault,
			   sizeof(fault));
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_PAGE_FAULT) && !event.flags &&
		  event.info.page_fault.address == 0x7000 &&
		  event.info.page_fault.mask == ~0xfffull &&
		  event.info.page_fault.reason ==
			ZET_DEBUG_PAGE_FAULT_REASON_MAPPING_ERROR,
		  "a page fault is reported");
	tap_check(fake.ack_count == 1 && fake.acks[0] == seqno,
		  "the module may see the next one");
	tap_check(next_is_thread(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, FIRST),
		  "who runs stops");
	gtdbg_ze_debug_registers_read(session, first, REGISTERS_CR, 0, 1, cr);
	tap_check(cr[1] == ZE_CAUSE_FAULT, "for that");
	gtdbg_ze_debug_registers_write(session, first, REGISTERS_CR, 0, 1, cr);
	tap_check(!fake.cause, "which no register has in truth");
	next();
	gtdbg_ze_debug_resume(session, gtdbg_ze_thread_all);
	fake_stop(FIRST, 3, GTDBG_STOP_INTERRUPT, 1u << 26);
	next();
	gtdbg_ze_debug_registers_read(session, first, REGISTERS_CR, 0, 1, cr);
	tap_check(cr[1] == ZE_CAUSE_FORCED, "later stops are others");
	detach();
}

static void on_signal(int number)
{
	(void)number;
	gtdbg_ze_debug_interrupt(session, gtdbg_ze_thread_all);
}

static void interrupt_self(void)
{
	raise(SIGIO);
}

/* The session's lock is held then, by the thread that has the signal. */
static void check_signal(void)
{
	start();
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	next();
	signal(SIGIO, on_signal);
	fake.registers = interrupt_self;
	alarm(HANG_S);
	tap_check(is_stopped(FIRST),
		  "a signal handler interrupts within a call");
	alarm(0);
	tap_check(next_is(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE),
		  "which is answered later");
	detach();
}

static sem_t is_reading, may_read;

static void read_slowly(void)
{
	sem_post(&is_reading);
	sem_wait(&may_read);
}

static void *detacher(void *argument)
{
	*(bool *)argument = detach();
	return NULL;
}

static void *reader(void *argument)
{
	*(bool *)argument = is_stopped(FIRST);
	return NULL;
}

/* Detaching is under way as soon as the handle is no good any more. */
static void check_detach(void)
{
	const zet_debug_session_handle_t old = session;
	bool has_read = false, has_detached = false;
	pthread_t threads[2];

	start();
	fake_stop(FIRST, 1, GTDBG_STOP_BREAKPOINT, 0);
	next();
	sem_init(&is_reading, 0, 0);
	sem_init(&may_read, 0, 0);
	fake.registers = read_slowly;
	pthread_create(&threads[0], NULL, reader, &has_read);
	sem_wait(&is_reading);
	pthread_create(&threads[1], NULL, detacher, &has_detached);
	while (gtdbg_ze_debug_interrupt(session, gtdbg_ze_thread_all) !=
	       ZE_RESULT_ERROR_INVALID_NULL_HANDLE)
		usleep(1000);
	tap_check(!fake.closed, "detaching waits for a call");
	tap_check(!detach(), "a second time is an error");
	sem_post(&may_read);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	tap_check(has_read && has_detached && fake.closed == 1,
		  "and both come to their end");
	tap_check(gtdbg_ze_debug_resume(old, gtdbg_ze_thread_all) ==
		  ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "an old handle");
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("TAP version 13");
	check_attach();
	check_register_sets();
	check_answers();
	check_end();
	check_overflow();
	check_overflow_again();
	check_resume();
	check_registers();
	check_interrupt();
	check_settled();
	check_breakpoints();
	check_contexts();
	check_waits();
	check_device_count();
	check_devices();
	check_lost_device();
	check_page_fault();
	check_signal();
	check_detach();
	return tap_end();
}
