// SPDX-License-Identifier: MIT
/*
 * Preloaded into a debugger's server: how long Level Zero's debug calls take. Writes a
 * line for each to the file ZET_TIME: when it began, by CLOCK_MONOTONIC, and how long it
 * took, in ns; its name; the processor time that the server and the process ZET_PEER, which
 * is gdb, had used at its end, in ns.
 */
#include <dlfcn.h>
#include <level_zero/zet_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static FILE *file;
static clockid_t peer;

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("ZET_TIME"), *pid = getenv("ZET_PEER");

	if (path && pid && !clock_getcpuclockid(atoi(pid), &peer))
		file = fopen(path, "w");
}

__attribute__((destructor)) static void end(void)
{
	if (file)
		fclose(file);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void took(const char *name, uint64_t begin)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC);

	if (file)
		fprintf(file, "%llu %llu %s %llu %llu\n",
			(unsigned long long)begin,
			(unsigned long long)(end - begin), name,
			(unsigned long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID),
			(unsigned long long)clock_ns(peer));
}

/* zetDebugInterrupt() is left out: it only sets a bit, in a signal handler. */
#define TIMED(call, parameters, ...)					\
ze_result_t call parameters						\
{									\
	static ze_result_t (*next) parameters;				\
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);			\
	ze_result_t ret;						\
									\
	if (!next)							\
		next = dlsym(RTLD_NEXT, #call);				\
	ret = next(__VA_ARGS__);					\
	took(#call, begin);						\
	return ret;							\
}

TIMED(zetDebugReadEvent,
	(zet_debug_session_handle_t session, uint64_t timeout, zet_debug_event_t *event),
	session, timeout, event)
TIMED(zetDebugAcknowledgeEvent,
	(zet_debug_session_handle_t session, const zet_debug_event_t *event),
	session, event)
TIMED(zetDebugResume,
	(zet_debug_session_handle_t session, ze_device_thread_t thread),
	session, thread)
TIMED(zetDebugReadMemory,
	(zet_debug_session_handle_t session, ze_device_thread_t thread,
	 const zet_debug_memory_space_desc_t *space, size_t len, void *out),
	session, thread, space, len, out)
TIMED(zetDebugWriteMemory,
	(zet_debug_session_handle_t session, ze_device_thread_t thread,
	 const zet_debug_memory_space_desc_t *space, size_t len, const void *in),
	session, thread, space, len, in)
TIMED(zetDebugReadRegisters,
	(zet_debug_session_handle_t session, ze_device_thread_t thread, uint32_t type,
	 uint32_t first, uint32_t count, void *out),
	session, thread, type, first, count, out)
TIMED(zetDebugWriteRegisters,
	(zet_debug_session_handle_t session, ze_device_thread_t thread, uint32_t type,
	 uint32_t first, uint32_t count, void *in),
	session, thread, type, first, count, in)
