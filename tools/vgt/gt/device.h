/* SPDX-License-Identifier: MIT */
/*
 * The map of the virtual GT, bottom up. A file uses those above it, and those of
 * its own folder. Headers stand with their .c file.
 *
 * gt/, the device without its EUs:
 *   memory      physical memory: one sparse memfd
 *   ggtt        the global page table
 *   ppgtt       the page tables of a process
 *   tlb         what a worker remembers of them
 *   slots       which hardware threads are free
 *   mmio        the register file, and the window on it
 *   field       fields of registers and commands
 *   driver      registers of drivers: forcewake, invalidation, faults
 *   interrupt   what engines report to a driver
 *   engine      the engines, each a command streamer
 *   attention   the registers of debugging: threads and a driver wait here
 *   group       a thread group: its turns, its barrier, its end
 *   pool        hardware threads, and the host threads that run them
 *   walker      GPGPU_WALKER: a launch
 *   savearea    the SIP's save area becomes the device's
 *   mi          commands of the command streamer itself
 *   pipeline    commands that set up the compute pipeline
 *   blit        the copy engine's commands
 *   command     the command streamer: rings and batch buffers
 *   lrc         a context's registers and state in memory
 *   context     a logical ring context
 *   execlist    a driver's work for an engine
 *   device      all of it in one object, and the thread that runs it
 *
 * drm/, i915's part of a render node:
 *   wire        requests of the preloaded library
 *   range       free ranges of physical memory
 *   object      buffers
 *   vm          address spaces and their page tables
 *   ring        contexts, and requests in their rings
 *   queue       launches on their way from the library
 *   exec        a launch: what it needs is bound, then it is submitted
 *   query       what i915 says of the device
 *   drm         all that a program has of it
 *   ioctl       i915's calls
 *   door        the door of the preloaded library
 *
 * pci/, a device in the PCI slot of a machine that QEMU emulates:
 *   proxy       QEMU's messages
 *   config      configuration space
 *   uncore      registers around the engines: fuses, power, self-clearing ones
 *   msi         interrupts, which travel by a socket of QEMU's
 *   door        the door of QEMU
 *
 * eu/, the engine that executes a hardware thread:
 *   inst           a decoded instruction
 *   kv             Intel's decoder
 *   decode         from Intel's decoder to an instruction
 *   code           a page of code, and what was decoded from it
 *   icache         which of these pages are current, and who reads them
 *   half           half floats in software
 *   operand        any operand, lane by lane
 *   region         any region, to and from rows of 32-bit lanes
 *   arf            architecture registers that are more than storage
 *   acc            the accumulator
 *   alu            all arithmetic, the general path
 *   int64          the few instructions with 64-bit results
 *   math           the math instruction
 *   vector         the fast path: which instructions it takes
 *   vector_types   its vectors of 8, 16 and 32 lanes
 *   vector_lanes   what it computes, for one width
 *   vector_body    its handlers, for one instruction set
 *   vector_sse2    the handlers for any x86-64
 *   vector_avx2    the handlers for AVX2 with FMA
 *   vector_half    the handlers of half floats, for those that have F16C
 *   flow           control flow, by channel
 *   send           send, barriers, end of thread
 *   exception      into the system routine and out of it
 *   handler        which function executes an instruction
 *   turns          those of a division that have to be run
 *   loop           what a loop's instructions read before they write it
 *   origin         what each bit of a turn was computed of
 *   trial          whether a loop divides, found by running its turns
 *   division       64-bit divisions, taken at once
 *   dispatch       what a thread finds in its registers when it starts
 *   eu             a thread's state, and the loop that runs it
 *
 * tier/, regions of a thread's code as code of the host; the run loop (eu) and
 * the cache (code, icache) use it as well:
 *   llvm      the compiler's library
 *   llvm_calls  its functions that are used
 *   graph     the instructions of a region
 *   emit      variables, calls and exits of a region in LLVM's terms
 *   kept      loops that keep registers of the thread in those of the host
 *   operand   operands
 *   compute   what instructions compute
 *   half      half floats among it
 *   wide      and what they do with the accumulator
 *   branch    edges, and channels that part
 *   unit      a region that is compiled
 *   image     its code, which may lie anywhere, of an object that the library makes
 *   content   what was compiled, by what it was compiled of
 *   store     what earlier processes have compiled, in a folder
 *   key       what code depends on
 *   job       a region on its way to code that threads find
 *   tier      which regions are compiled, and when a thread runs them
 *
 * port/, the shared functions that messages go to:
 *   message     a message, and which function carries it out
 *   surface     surface states
 *   space       the memory that a message may touch
 *   layout      what a scattered message moves for each lane
 *   dword       the most frequent messages: dwords of buffers, and of local memory
 *   scattered   an address for each lane
 *   block       one address, contiguous bytes
 *   atomic      atomic operations
 *   format      texel formats
 *   image       texels by level and coordinates
 *   filter      what a sampler makes of texels
 *   sampler     sampling, and typed reads and writes
 *   media       rectangles of an image's bytes
 *
 * check/, what looks at accesses to memory before they are done; send (eu) and
 * ioctl (drm) use it:
 *   access    what a message will touch
 *   place     which work-item that is
 *   live      which bytes of registers the code reads
 *   answer    what of a message's answer is read
 *   table     the program's buffers
 *   kernel    its kernels, and their lines of source
 *   argument  which buffers these were given, and as what
 *   report    what is said, once for each place
 *   bounds    accesses outside of buffers
 *   shadow    who has touched memory last
 *   written   which memory was ever written
 *   order     what orders the accesses of a launch
 *   races     accesses that nothing orders
 *   merge     what becomes of bytes that were loaded and never written
 *   uninit    loads of what was never written
 *   writes    a log of what is written
 *   check     which checkers there are
 *
 * host/, what the device is served through:
 *   log          lines on standard error
 *   hash         numbers for bytes
 *   tbx          the simulator protocol's bytes
 *   upload       what the host writes into physical memory
 *   simulator    the door of the runtime's simulator socket
 *   peer         which process is at the other end
 *   client       descriptors of clients, as their hooks hand them over
 *   offer        a device's offer to the kernel module
 *   connection   what all doors share: a socket, its thread and device
 *   server       listens, and keeps connections
 *   main         vgtd
 *
 * preload/, the library that makes a render node in a program:
 *   node         its connection to vgtd
 *   launch       launches, and what there is to wait for
 *   yield        who waits for long leaves the CPU to the device
 *   open         calls by which a program finds the node
 *   ioctl        what pointers lead to, there and back
 *   maps         what is mapped where
 *   swap         pages are replaced by others in place
 *   user         memory of the program becomes the device's
 *   fork         fork() is on a stack that no child shares
 *   stack        a call that leaves the caller's stack alone
 *   layer        it is a layer of OpenCL's loader as well, for checkers
 *   buffer       the program's buffers
 *   shared       what it shares by address: SVM and USM
 *   written      what the program writes into them
 *   kernel       its kernels: their code and names
 *   argument     what these call the memory that they are given
 *   lines        their lines of source
 *   locals       their variables in local memory
 *   cursor       what is left to read of some bytes
 */
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

#include "eu/icache.h"
#include "gt/engine.h"
#include "gt/memory.h"
#include "gt/tlb.h"
#include "port/surface.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_attention;
struct vgt_check;
struct vgt_check_table;
struct vgt_context;
struct vgt_eu_thread;
struct vgt_interrupts;
struct vgt_offer;
struct vgt_pool;
struct vgt_mmio;

#define VGT_DSS 6 /* dual sub-slices */
#define VGT_DSS_THREADS 112 /* 16 EUs of 7 threads each */
#define VGT_THREADS (VGT_DSS * VGT_DSS_THREADS)

#define VGT_CONTEXTS (1U << 16)
#define VGT_SUBMISSIONS 64

#define VGT_TAIL_OF_IMAGE UINT32_MAX

/* A context to run, */
struct vgt_submission {
	uint64_t descriptor;
	/* up to there, or to what its image has when it is its turn. */
	uint32_t tail;
};

/* How a device behaves; the same for all devices of a server. */
struct vgt_options {
	uint32_t threads; /* workers of a device; 0: one per CPU */
	uint32_t subslices; /* that are not fused off, from the first; 0: all */
	uint32_t watchdog_s; /* longest run of a kernel; 0: for ever */
	bool no_eu; /* walkers complete without running anything */
	bool fault_stop; /* a GPU page fault stops the device */
	bool slow_engine; /* reference paths of the EU engine only */
	bool offer; /* devices to the kernel module */
	bool fault_halt; /* a page fault sends its thread to the system routine */
	const char *qtest; /* QEMU's socket for interrupts of a PCI function */
};

/* A host thread that runs EU threads, and what it keeps from one to the next. */
struct vgt_worker {
	struct vgt_device *device;
	struct vgt_eu_thread *current;
	struct vgt_icache_reader reader;
	struct vgt_tlb tlb;
	struct vgt_surface_cache surfaces;
	struct vgt_check_table *check; /* NULL: nothing yet */
};

/* What a device reports to the connection that it serves. */
struct vgt_device_listener {
	/* A command wrote to physical memory: someone may be polling there. */
	void (*written)(void *context, uint64_t phys);
	/* Nothing will ever run again: the reason is in the log. */
	void (*failed)(void *context);
	/*
	 * The device's thread has nothing to do: wait until there may be a
	 * submission, or until stop() was called. NULL: it waits by itself.
	 */
	void (*idle)(void *context);
	void (*stop)(void *context);
	void *context;
};

struct vgt_device {
	const struct vgt_options *options;
	struct vgt_device_listener listener;
	uint32_t number; /* in log lines */
	int socket; /* of the runtime's connection, or -1 */

	struct vgt_memory memory; /* once @started */
	_Atomic bool started;
	struct vgt_mmio *mmio;
	struct vgt_attention *attention;
	struct vgt_icache *icache;
	struct vgt_pool *pool;
	struct vgt_check *check; /* NULL: nothing is checked */
	struct vgt_offer *_Atomic offer; /* to the kernel module; NULL: none */
	struct vgt_engine engine[VGT_ENGINES];
	struct vgt_interrupts *interrupts; /* NULL: nobody waits for any */

	/* Moves when a present page-table entry changed. */
	_Atomic uint64_t generation;
	_Atomic uint32_t faults;
	/* Failed or being destroyed; under a driver also until the next reset. */
	_Atomic bool dead;
	_Atomic uint64_t accepted, completed; /* submissions so far */
	uint64_t uploaded_bytes; /* data; the reader's own */
	/* Held while an upload is copied, and while pages change owners. */
	pthread_mutex_t upload_lock;

	/* Only the device's own thread uses these. */
	struct vgt_context **context;
	uint32_t contexts, contexts_room;

	pthread_mutex_t lock;
	pthread_cond_t work;
	pthread_t thread;

	/* Protected by @lock. */
	struct vgt_submission submission[VGT_SUBMISSIONS];
	uint32_t first, count;
};

int vgt_device_create(const struct vgt_options *options, uint32_t number,
		      int socket, const struct vgt_device_listener *listener,
		      struct vgt_device **device_out);
void vgt_device_destroy(struct vgt_device *device);

/* What runs ends, and nobody waits for room any more; stop it soon. */
void vgt_device_abandon(struct vgt_device *device);
/* Nothing runs any more; memory stays until the device is destroyed. */
void vgt_device_stop(struct vgt_device *device);

/*
 * Give @device its memory and its threads, unless it has them: a runtime opens
 * connections that it never uses.
 */
int vgt_device_start(struct vgt_device *device);

/*
 * Once it has started, and its program is a client of the kernel module if it
 * wants to be one: offer the device there. Only once.
 */
void vgt_device_offer(struct vgt_device *device);

/*
 * Run a context once what was submitted before is complete. Returns the number of
 * this submission, which is the last one's if that is not yet running and of the
 * same context. If there are too many the device fails.
 */
uint64_t vgt_device_submit(struct vgt_device *device,
			   const struct vgt_submission *submission);

/* How many submissions are not complete. */
uint64_t vgt_device_pending(const struct vgt_device *device);

/*
 * 32-bit registers. A steered register (0xe400 to 0xe49f) goes to the sub-slice
 * that MCR selector 0xfdc names; a multicast write goes to all.
 */
uint32_t vgt_device_reg_read(struct vgt_device *device, uint32_t offset);
void vgt_device_reg_write(struct vgt_device *device, uint32_t offset,
			  uint32_t value);

/* The same for a command: what is MMIO's alone (execlists, resets) is storage. */
void vgt_device_reg_store(struct vgt_device *device, uint32_t offset,
			  uint32_t value);

struct vgt_memory *vgt_device_memory(struct vgt_device *device);

/* A bit for each dual sub-slice that is not fused off. */
uint32_t vgt_device_subslices(const struct vgt_device *device);

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
