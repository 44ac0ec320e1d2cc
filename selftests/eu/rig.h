/* SPDX-License-Identifier: MIT */
/*
 * A program on a virtual GT in this process, and the driver that watches it:
 * launch.c under Intel's runtime, with EU debugging on.
 */
#ifndef EU_RIG_H
#define EU_RIG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "driver.h"
#include "gate.h"

struct vgt_server;

struct rig_options {
	enum sip sip;
	const char *kernel;
	uint32_t items, local, times;
	bool inactive; /* no session: our SIP returns at once */
	bool optimise; /* keep the compiler's optimisation on */
	bool gated; /* rig.gate stands before each launch */
	const char *sip_file; /* instead of ours */
	const char *source; /* instead of kernels.cl */
	const char *compiler; /* its options */
	uint32_t watchdog_s;
};

struct rig {
	const struct rig_options *options;
	struct vgt_server *server;
	struct driver driver;
	struct driver_table table[DRIVER_LEVELS];
	struct gate gate;
	pid_t pid; /* 0: has ended */
	int status; /* of the program, once it has ended */
	char folder[64];
};

/* The folder that holds launch, its kernels and the SIPs. */
void rig_init(const char *build_folder);

/* All of these return false after tap_expect(). */
bool rig_start(struct rig *rig, const struct rig_options *options);
/* Wait until @count threads have stopped; -1: at least one. */
bool rig_stops(struct rig *rig, int count, struct stop *out, uint32_t *n_out);
/* All stops there are; 0 is no failure. */
uint32_t rig_look(struct rig *rig, struct stop *out);
/* Take the breakpoint out of the kernel that @stop has stopped at its entry. */
bool rig_lift(struct rig *rig, const struct stop *stop);
/* Wait until the only thread has stopped, for nothing but a step or breakpoint. */
bool rig_stopped(struct rig *rig, struct stop *out);
/* Instructions that a thread has executed, the system routine's as well: that it runs shows. */
uint64_t rig_executed_so_far(struct rig *rig, const struct stop *stop);
/* Those up to this stop, all of them. It has to be stopped: this waits for its worker. */
uint64_t rig_executed(struct rig *rig, const struct stop *stop);
/* The registers in its slot, without the clock, which no two stops have in common. */
bool rig_registers(struct rig *rig, const struct stop *stop, uint8_t *out);
/* Let @stops go, with or without a step. */
bool rig_go(struct rig *rig, const struct stop *stops, uint32_t count,
	    bool step);
/* Resume whatever stops until the program ends, and expect status @status. */
bool rig_end(struct rig *rig, int status);
bool rig_ended_now(struct rig *rig);
/* Wait until the program has ended by itself, whoever stops. */
bool rig_ended(struct rig *rig, int timeout_ms);
/* Wait until any attention bit is up. */
bool rig_attention(struct rig *rig);
/* Wait until threads were in the SIP @count times, and none is any more. */
bool rig_left(struct rig *rig, uint64_t count);
/* Let an endless kernel end: it watches the first word of its input. */
bool rig_loop_end(struct rig *rig);
/* What the program wrote: its output buffer. */
bool rig_result(struct rig *rig, int32_t *out, uint32_t items);
void rig_stop(struct rig *rig);

uint64_t rig_now_ms(void);
void rig_wait_ms(int ms); /* less than a second */

#endif
