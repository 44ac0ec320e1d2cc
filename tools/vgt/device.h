/* SPDX-License-Identifier: MIT */
/*
 * One virtual GT: memory, registers, contexts, EU threads. Each runtime
 * connection has one of its own. What a driver can do to it goes through
 * vgt_device_reg_read(), vgt_device_reg_write() and its memory, nothing else.
 *
 * Host threads: the connection's reader (connection.c), which applies what the
 * runtime sends; the device's own (device.c), which runs command streams and
 * is worker 0 of the pool; the pool's other workers (pool.c), which exist
 * while there is work for them.
 */
#ifndef VGT_DEVICE_H
#define VGT_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "icache.h"
#include "memory.h"
#include "surface.h"
#include "tlb.h"

struct vgt_attention;
struct vgt_context;
struct vgt_eu_thread;
struct vgt_offer;
struct vgt_pool;
struct vgt_register_file;

#define VGT_DSS 6 /* dual sub-slices */
#define VGT_DSS_THREADS 112 /* 16 EUs of 7 threads each */
#define VGT_THREADS (VGT_DSS * VGT_DSS_THREADS)

#define VGT_CONTEXTS 64
#define VGT_SUBMISSIONS 64

/* How a device behaves; the same for all devices of a server. */
struct vgt_options {
	uint32_t threads; /* workers of a device; 0: one per CPU */
	uint32_t watchdog_s; /* longest run of a kernel; 0: for ever */
	bool no_eu; /* walkers complete without running anything */
	bool fault_stop; /* a GPU page fault stops the device */
	bool slow_engine; /* reference paths of the EU engine only */
	bool offer; /* devices to the kernel module */
};

/* A host thread that runs EU threads, and what it keeps from one to the next. */
struct vgt_worker {
	struct vgt_device *device;
	struct vgt_eu_thread *current;
	struct vgt_icache_reader reader;
	struct vgt_tlb tlb;
	struct vgt_surface_cache surfaces;
};

/* What a device tells the connection that it serves. */
struct vgt_device_listener {
	/* A command wrote to physical memory: someone may be polling there. */
	void (*written)(void *context, uint64_t phys);
	/* Nothing will ever run again: the reason is in the log. */
	void (*failed)(void *context);
	void *context;
};

struct vgt_device {
	const struct vgt_options *options;
	struct vgt_device_listener listener;
	uint32_t number; /* in log lines */
	int socket; /* of the runtime's connection, or -1 */

	struct vgt_memory memory; /* once @started */
	_Atomic bool started;
	struct vgt_register_file *registers;
	struct vgt_attention *attention;
	struct vgt_icache *icache;
	struct vgt_pool *pool;
	struct vgt_offer *offer; /* to the kernel module; NULL: none */

	/* Moves when a present page-table entry changed. */
	_Atomic uint64_t generation;
	_Atomic uint32_t faults;
	_Atomic bool dead; /* failed or being destroyed */
	_Atomic uint32_t submitted; /* and not yet complete */
	uint64_t uploaded_bytes; /* data; the reader's own */
	/* Held while an upload is copied, and while pages change owners. */
	pthread_mutex_t upload_lock;

	/* Only the device's own thread uses these. */
	struct vgt_worker *worker;
	struct vgt_context *context[VGT_CONTEXTS];

	pthread_mutex_t lock;
	pthread_cond_t work;
	pthread_t thread;

	/* Protected by @lock. */
	uint64_t submission[VGT_SUBMISSIONS]; /* context descriptors */
	uint32_t first, count;
};

int vgt_device_create(const struct vgt_options *options, uint32_t number,
		      int socket, const struct vgt_device_listener *listener,
		      struct vgt_device **device_out);
void vgt_device_destroy(struct vgt_device *device);

/*
 * Give @device its memory and its threads, unless it has them: a runtime opens
 * connections that it never uses.
 */
int vgt_device_start(struct vgt_device *device);

/* Run the context that @descriptor names up to its ring's tail. */
void vgt_device_submit(struct vgt_device *device, uint64_t descriptor);

/*
 * 32-bit registers. A steered register (0xE400 to 0xE49F) goes to the sub-slice
 * that MCR selector 0xFDC names; a multicast write goes to all.
 */
uint32_t vgt_device_reg_read(struct vgt_device *device, uint32_t offset);
void vgt_device_reg_write(struct vgt_device *device, uint32_t offset,
			  uint32_t value);

struct vgt_memory *vgt_device_memory(struct vgt_device *device);

/*
 * Report a GPU page fault of @thread (NULL: of a command). Returns true if the
 * device stops on faults, so that the thread must not go on.
 */
bool vgt_device_fault(struct vgt_device *device, struct vgt_eu_thread *thread,
		      uint64_t va, enum vgt_access access);

/* A page-table entry that was present has changed. */
void vgt_device_remapped(struct vgt_device *device);

/* The host wrote other bytes into a page that instructions came from. */
void vgt_device_recoded(struct vgt_device *device);

/* A command wrote to physical memory. */
void vgt_device_written(struct vgt_device *device, uint64_t phys);

/* Log a line, then stop for good; the connection will be closed. */
void __attribute__((format(printf, 2, 3)))
vgt_device_fail(struct vgt_device *device, const char *format, ...);

#endif
