/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A whole debug session for tests: vgtd, an OpenCL program under the hook
 * library (selftests/eu/launch.c), and a session on it, used through the uapi
 * alone. Every wait has a deadline; where a step fails, rig_error says which.
 */
#ifndef RIG_H
#define RIG_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/gtdbg.h>

#define RIG_TIMEOUT_MS 240000
#define RIG_ALL_EVENTS GTDBG_EVENTS_ALL
#define RIG_ACK_SUBMIT (1ULL << GTDBG_EVENT_KERNEL_SUBMIT)

enum rig_sip {
	RIG_SIP_OWN,
	RIG_SIP_DEFAULT, /* what the runtime installs by itself */
	RIG_SIP_BINDLESS, /* the other one that it has */
};

struct rig {
	pid_t vgtd, program;
	int control; /* /dev/gtdbg, never a client */
	int session;
	char port[16], folder[64];
	bool reaped;
	enum rig_sip sip; /* set before the start */
	const char *vgtd_log; /* likewise: file for vgtd's log; or NULL */
	/* Called in each new process before its program begins; may be NULL. */
	void (*starting)(void *data);
	void *starting_data;

	/* Events that were read and not taken yet. */
	uint8_t buf[65536];
	size_t fill, at;
};

/* An event, valid until the next one is taken. */
struct rig_event {
	const struct gtdbg_event *head;
	const void *payload;
};

/* Is this the kernel on which everything takes many times as long? */
bool rig_is_sanitised(void);

/* Do tests go through all that they sample otherwise? */
bool rig_is_soak(void);

/*
 * Is there time for programs beyond the first of their kind? On 6.12 and in the
 * soak: what a program shows of the module, one of them shows on other kernels.
 */
bool rig_is_patient(void);

/* Do programs come by the door of vgtd at which a launch takes 0.1 s and more? */
bool rig_is_socket(void);
/* Programs are on the GPU of this machine (VGT_DOOR=gpu), and no vgtd is started. */
bool rig_is_gpu(void);

/* Can a rig with this SIP run here? NULL, or why not. */
const char *rig_missing(enum rig_sip sip);

int rig_vgtd_start(struct rig *rig);

/* Start launch with these arguments; it waits for a controller first. */
int rig_program_start(struct rig *rig, const char *kernel, const char *items,
		      const char *local, const char *times);

/*
 * Attach as soon as the program is a client: a descriptor or -errno, -ESRCH if
 * it has ended.
 */
int rig_attach(struct rig *rig, uint32_t flags, uint64_t event_mask,
	       uint64_t ack_mask);

/*
 * All three at once: 0 or -errno; the session acknowledges submits. The rig is
 * zeroed before, but for sip and vgtd_log.
 */
int rig_start(struct rig *rig, const char *kernel, const char *items,
	      const char *local, const char *times);
void rig_stop(struct rig *rig);

/* The next event of @kind, those of others being skipped; -ETIMEDOUT. */
int rig_next(struct rig *rig, uint16_t kind, struct rig_event *event);

/* Whatever comes next. */
int rig_any(struct rig *rig, struct rig_event *event, int timeout_ms);

int rig_ack(struct rig *rig, const struct rig_event *event);

/* Resume all slots of the mask given by first and count, by @command. */
int rig_resume(int session, uint32_t device, uint32_t first, uint32_t count,
	       uint32_t command);

int rig_registers(int session, bool write, const struct gtdbg_thread_info *thread,
		  uint32_t set, uint32_t first, uint32_t count, void *buf,
		  size_t len_bytes);

int rig_memory(int session, bool write, uint32_t device, uint32_t context,
	       uint64_t address, void *buf, size_t len_bytes);

int rig_breakpoint(int session, uint32_t kernel, uint64_t offset);

/*
 * Let the next launch that begins go on with a breakpoint behind its entry, until a thread
 * is there: the breakpoint's id or -errno.
 */
int rig_stop_at_second(struct rig *rig, struct gtdbg_thread_info *thread);

/* A call of GTDBG_IOC_THREAD_INTERRUPT that a thread makes. */
struct rig_interrupt {
	pthread_t thread;
	bool joined;
	int session, ret; /* 0 or -errno, once it is joined */
	struct gtdbg_thread_interrupt request;
};

bool rig_interrupt_start(struct rig_interrupt *interrupt, int session,
			 uint32_t device, uint64_t timeout_ns);
bool rig_interrupt_has_ended(struct rig_interrupt *interrupt);
/* Waits until it has ended; as often as you like. */
int rig_interrupt_join(struct rig_interrupt *interrupt);

/* After its end, so that another one can be started. */
void rig_program_forget(struct rig *rig);

/* Has it ended? Its exit status is for rig_wait(). */
bool rig_has_ended(const struct rig *rig);

/* The program's exit status, 128 + signal, or -ETIMEDOUT. */
int rig_wait(struct rig *rig);

uint64_t rig_now_ns(void);

#endif
