/* SPDX-License-Identifier: MIT */
/*
 * Assertions in kernels, OpenCL C 1.2 and later, any compiler of Intel's GPUs:
 *
 *	#include "gtdbg_assert.h"
 *
 *	assert(point > 0);
 *	gtdbg_assert_msg(point > 0, "no point on the other side");
 *
 * With NDEBUG defined there is nothing of them, not even the evaluation. As with
 * C's assert.h this may be included again where NDEBUG has changed.
 *
 * One that holds costs a comparison and a branch. Where one fails, its lanes put
 * down who they are, and execute an instruction that a debugger knows: GTDBG_ASSERT_MARK
 * of <linux/gtdbg.h>. It stops them there ("gtdbgctl run"). Without one they print
 * a line, which the runtime shows when the host waits for the kernel to finish, and
 * go on. Built with -DGTDBG_ASSERT_RECORDS, which takes OpenCL C 2.0 or later, they put
 * down a record instead, and the host asks with gtdbg_assert_check() of gtdbg_assert_host.h.
 *
 * Documentation/assert.rst says why it is done so.
 */
#undef assert
#undef gtdbg_assert_msg

#ifdef NDEBUG
#define assert(e) ((void)0)
#define gtdbg_assert_msg(e, text) ((void)0)
#else
#define assert(e) \
	((e) ? (void)0 : __gtdbg_assert_fail("'" #e "' failed."))
#define gtdbg_assert_msg(e, text) \
	((e) ? (void)0 : __gtdbg_assert_fail("'" #e "' failed: " text "."))
#endif

#ifndef GTDBG_ASSERT_H
#define GTDBG_ASSERT_H

/*
 * Who starts the program under a debugger defines GTDBG_ASSERT_SESSION: the
 * runtime waits after each launch of a kernel that can print.
 */
#ifdef GTDBG_ASSERT_SESSION
#define __gtdbg_assert_print(what) ((void)0)
#elif defined(GTDBG_ASSERT_RECORDS)
#if __OPENCL_C_VERSION__ < 200 || (__OPENCL_C_VERSION__ >= 300 && \
	!defined(__opencl_c_program_scope_global_variables))
#error "GTDBG_ASSERT_RECORDS needs variables of the program: -cl-std=CL2.0 or later"
#endif
/* Variables of the program are what its kernels share without an argument. */
#define __GTDBG_RECORDS_MAX 64u
#define __GTDBG_STRING_OF(line) #line
#define __GTDBG_STRING(line) __GTDBG_STRING_OF(line)

global uint __gtdbg_failed;
global ulong __gtdbg_records[__GTDBG_RECORDS_MAX][9];

/*
 * Ids as they are printed, then the texts: file and line, function, expression. One by
 * one, as a vector of them would take the registers of half the lanes.
 */
#define __gtdbg_assert_print(what) \
	({ \
		uint __gtdbg_at = atomic_inc(&__gtdbg_failed); \
		global ulong *__gtdbg_line = __gtdbg_records[__gtdbg_at]; \
		if (__gtdbg_at < __GTDBG_RECORDS_MAX) { \
			__gtdbg_line[0] = get_global_id(0); \
			__gtdbg_line[1] = get_global_id(1); \
			__gtdbg_line[2] = get_global_id(2); \
			__gtdbg_line[3] = get_local_id(0); \
			__gtdbg_line[4] = get_local_id(1); \
			__gtdbg_line[5] = get_local_id(2); \
			__gtdbg_line[6] = (ulong)(__constant char *)(__FILE__ \
				":" __GTDBG_STRING(__LINE__) ": void "); \
			__gtdbg_line[7] = (ulong)(__constant char *)__func__; \
			__gtdbg_line[8] = (ulong)(__constant char *)what; \
		} \
		(void)0; \
	})

static global char *__gtdbg_append(global char *to, global char *end,
				   ulong address)
{
	__constant char *from = (__constant char *)address;

	while (*from && to + 1 < end)
		*to++ = *from++;
	*to = 0;
	return to;
}

/*
 * What gtdbg_assert_check() launches, one work-item: @out is a struct
 * gtdbg_assert_report of gtdbg_assert_host.h.
 */
kernel void gtdbg_assert_report(global ulong *out)
{
	uint count = min(__gtdbg_failed, __GTDBG_RECORDS_MAX), i, id;

	out[0] = __gtdbg_failed;
	for (i = 0; i < count; i++) {
		global ulong *line = out + 64 * (i + 1);
		global char *where = (global char *)(line + 6);
		global char *text = (global char *)(line + 32);
		global ulong *record = __gtdbg_records[i];

		for (id = 0; id < 6; id++)
			line[id] = record[id];
		where = __gtdbg_append(where, text, record[6]);
		__gtdbg_append(where, text, record[7]);
		__gtdbg_append(text, text + 256, record[8]);
	}
	__gtdbg_failed = 0;
}
#else
#define __gtdbg_assert_print(what) \
	printf("%s:%d: void %s(...): global id: [%lu,%lu,%lu], local id: [%lu,%lu,%lu] Assertion %s\n", \
	       __FILE__, __LINE__, __func__, \
	       (ulong)get_global_id(0), (ulong)get_global_id(1), \
	       (ulong)get_global_id(2), (ulong)get_local_id(0), \
	       (ulong)get_local_id(1), (ulong)get_local_id(2), what)
#endif

/* The fences are no instructions; they keep the compiler from moving the mark. */
#define __gtdbg_assert_mark() \
	({ \
		uint __gtdbg_mark; \
		__asm__ volatile( \
			"fence_sw\nmov (M1_NM, 1) %0(0,0)<1> 0x67746173:ud\nfence_sw" \
			: "=rw"(__gtdbg_mark) : : "memory"); \
	})

#ifdef __OPTIMIZE__
/*
 * Nothing would say where a record is, and private memory for it would halve the
 * lanes that the compiler puts into a thread.
 */
#define __gtdbg_assert_fail(what) \
	({ \
		__gtdbg_assert_mark(); \
		__gtdbg_assert_print(what); \
		(void)0; \
	})
#else
/*
 * A debugger finds the record by name, each failed lane's own: the text, which it
 * sets to 0 once it has reported that, global ids, and local ones. It is volatile,
 * and so there when the mark is, and needed behind it.
 */
#define __gtdbg_assert_fail(what) \
	({ \
		volatile ulong8 __gtdbg_record = (ulong8)( \
			(ulong)(__constant char *)what, get_global_id(0), \
			get_global_id(1), get_global_id(2), get_local_id(0), \
			get_local_id(1), get_local_id(2), 0); \
		__gtdbg_assert_mark(); \
		if (__gtdbg_record.s0) \
			__gtdbg_assert_print(what); \
		(void)0; \
	})
#endif

#endif
