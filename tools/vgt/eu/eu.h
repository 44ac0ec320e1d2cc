/* SPDX-License-Identifier: MIT */
/*
 * An EU thread: the architectural state of one hardware thread and the engine
 * that runs it. See Documentation/vgt.rst, "The engine".
 *
 * All register files lie in one array, GRF first, so that an operand is a byte
 * offset. Branching follows the per-channel IP model: each channel has an IP
 * of its own and runs when it equals the thread's, its dispatch-mask bit is
 * set and its call-mask bit is set.
 */
#ifndef VGT_EU_H
#define VGT_EU_H

#include "gt/ppgtt.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_group;
struct vgt_inst;
struct vgt_worker;

/* Byte offsets into vgt_eu_thread.reg. */
enum {
	VGT_REG_GRF = 0,
	VGT_REG_A0 = 128 * 32, /* 16 x :uw */
	VGT_REG_ACC = VGT_REG_A0 + 32, /* acc0..acc7, low 32 bits per lane */
	VGT_REG_MME = VGT_REG_ACC + 8 * 32,
	VGT_REG_F = VGT_REG_MME + 8 * 32, /* f0, f1 */
	VGT_REG_CE = VGT_REG_F + 32,
	VGT_REG_MSG = VGT_REG_CE + 32,
	VGT_REG_SP = VGT_REG_MSG + 32,
	VGT_REG_SR = VGT_REG_SP + 32, /* sr0, then sr1 */
	VGT_REG_CR = VGT_REG_SR + 32,
	VGT_REG_N = VGT_REG_CR + 32,
	VGT_REG_IP = VGT_REG_N + 32,
	VGT_REG_TDR = VGT_REG_IP + 32,
	VGT_REG_TM = VGT_REG_TDR + 32,
	VGT_REG_FC = VGT_REG_TM + 32, /* fc0.0-31, then fc1, fc2, fc3 */
	VGT_REG_DBG = VGT_REG_FC + 5 * 32,
	VGT_REG_NULL = VGT_REG_DBG + 32, /* 4 GRFs: always 0 */
	VGT_REG_SINK = VGT_REG_NULL + 4 * 32, /* 4 GRFs: where writes to null go */
	VGT_REG_BYTES = VGT_REG_SINK + 4 * 32,
};

#define VGT_IP_NONE UINT32_MAX

/* Why vgt_eu_run() returned. */
enum vgt_eu_status {
	VGT_EU_YIELD = 1, /* budget used up; run it again */
	VGT_EU_BARRIER = 2, /* in sync.bar, notification not there yet */
	VGT_EU_HOST = 3, /* in sync.host: attention is up */
	VGT_EU_END = 4, /* end of thread */
	VGT_EU_ERROR = 5, /* not implemented or broken: error holds the line */
};

/* What makes the run loop look up before the next instruction. */
enum {
	VGT_EU_PENDING_HALT = 1 << 0, /* TD_CTL force external halt */
	VGT_EU_PENDING_EXCEPTION = 1 << 1, /* TD_CTL force exception */
	VGT_EU_PENDING_STEP = 1 << 2, /* cr0.1[31] was left set by the SIP */
	VGT_EU_PENDING_STOP = 1 << 3, /* the device is being torn down */
	VGT_EU_PENDING_SUPPRESS = 1 << 4, /* cr0.0[15]: let one pass */
	VGT_EU_PENDING_FETCH = 1 << 5, /* the code may be another one now */
	VGT_EU_PENDING_FOUND = 1 << 6, /* a checker has reported the message */
};

struct vgt_eu_thread {
	_Alignas(64) uint8_t reg[VGT_REG_BYTES];

	/*
	 * Bits 63:32 of the integer space of acc0 and acc1: of the elements in
	 * @acc_wide they are in @acc_hi, those of the others follow from the
	 * lower half, as a signed number for the elements in @acc_signed.
	 */
	int32_t acc_hi[16];
	uint32_t acc_wide, acc_signed;

	/*
	 * A channel's IP is the thread's while its bit in @enabled is set; the
	 * others wait in groups, each channel in at most one of them. @ip is
	 * not kept up to date while straight code runs: handlers that others
	 * may look at set it.
	 */
	uint32_t ip; /* from instruction base */
	uint32_t enabled; /* channels enabled at ip; frozen inside the SIP */
	uint32_t waits;
	struct vgt_eu_wait {
		uint32_t channels, ip;
	} wait[32];
	uint32_t dispatch_mask, call_mask;
	uint32_t launch_mask; /* dispatch mask at thread start */
	uint32_t mxcsr; /* host's float control word for this cr0.0 */
	uint32_t kernel_cr2; /* cr0.2 before the SIP was entered */
	uint32_t barriers; /* that opened while the thread was in the SIP */
	bool in_sip;
	bool stopped; /* has waited for the host since it is in the SIP */
	bool breakpoints; /* breakpoint exceptions are allowed */

	uint16_t slot; /* dss*112 + half*56 + row*28 + eu*7 + tid */
	uint16_t fftid; /* r0.5[9:0] */

	struct vgt_group *group;
	struct vgt_worker *worker; /* set by whoever runs it */

	uint64_t instructions; /* executed so far */
	enum vgt_eu_status status;
	char error[256];

	/* Written by other host threads as well. */
	_Atomic uint32_t pending; /* VGT_EU_PENDING_* */
	_Atomic uint32_t attention; /* 1: waiting for the host in sync.host */
	_Atomic uint32_t notified; /* host cleared the attention bit */
};

/*
 * Run until something needs the caller, @budget instructions at most. A thread
 * that waits resumes behind its sync instruction when its notification is
 * there, else the same status comes back at once.
 */
enum vgt_eu_status vgt_eu_run(struct vgt_eu_thread *thread, uint64_t budget);

/* Stop with VGT_EU_ERROR: names kernel, address, instruction and what is missing. */
void __attribute__((format(printf, 2, 3)))
vgt_eu_fail(struct vgt_eu_thread *thread, const char *what, ...);

/*
 * Before @inst runs: true if an exception was taken and ip is in the SIP now, or the
 * thread has failed as there is none.
 */
bool vgt_exception_check(struct vgt_eu_thread *thread,
			 const struct vgt_inst *inst);

/* After a write to cr0: leaves the SIP when cr0.0[31] was cleared. */
void vgt_exception_cr_written(struct vgt_eu_thread *thread, uint32_t old_cr0);

/* An illegal opcode was reached: true if an exception was taken. */
bool vgt_exception_illegal(struct vgt_eu_thread *thread);

/*
 * A message is about to be sent: true if a checker has reported it, and an exception was
 * taken for a debugger, or the thread has failed. It is sent after that.
 */
bool vgt_exception_found(struct vgt_eu_thread *thread);

#endif
