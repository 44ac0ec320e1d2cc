/* SPDX-License-Identifier: MIT */
/*
 * The driver's side of EU debugging, by registers and physical memory alone:
 * what a kernel module can do. Page tables, save area and registers are read
 * by code of its own, so that it and the device cannot be wrong together.
 */
#ifndef EU_DRIVER_H
#define EU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gtdbg_sip_step_range;
struct vgt_device;

#define DRIVER_SUBSLICES 6
#define DRIVER_THREADS 672

/* Which system routine the program runs under. */
enum sip {
	SIP_OURS = 1,
	SIP_BINDLESS = 2, /* Intel's, UseBindlessDebugSip=1 */
	SIP_BINDFUL = 3, /* Intel's, what the runtime takes by itself */
};

/* Bits of cr0.1. */
#define CAUSE_BREAKPOINT 0x80000000U
#define CAUSE_HALT 0x40000000U
#define CAUSE_ILLEGAL 0x10000000U
#define CAUSE_FORCED 0x04000000U

#define DRIVER_LEVELS 4

/* A page table as it was when it was read. */
struct driver_table {
	uint64_t phys;
	uint64_t entry[512];
	bool valid;
};

struct driver {
	struct vgt_device *device;
	enum sip sip;
	uint64_t tables; /* physical address of the context's PML4 */
	uint64_t area; /* GPU address of the save area; 0: not found */
	uint32_t slot_offset; /* of slot 0 in the area */
	uint64_t base; /* instruction base, once a kernel stopped at entry */
	struct driver_table *table; /* DRIVER_LEVELS; until the next look */
	uint32_t ce_mark[DRIVER_THREADS]; /* what ce is not once it is saved */
};

/* What a slot says about its thread. */
struct stop {
	uint32_t slot;
	uint32_t ip; /* from instruction base */
	uint32_t cause; /* cr0.1[31:26] */
	uint32_t enabled; /* channels */
	uint32_t sr0;
};

/* Find what runs. False: nothing does, or its image makes no sense. */
bool driver_context(struct driver *driver);

/* GPU memory. False if a page is not mapped. */
bool driver_read(const struct driver *driver, uint64_t va, void *out,
		 size_t len);
bool driver_write(const struct driver *driver, uint64_t va, const void *data,
		  size_t len);
/* Take the page of @va out of the page tables, and out of the TLBs. */
bool driver_unmap(const struct driver *driver, uint64_t va);
/* The lowest mapped page at or above @va. */
bool driver_next_page(const struct driver *driver, uint64_t va,
		      uint64_t *page_out);

uint32_t driver_attention(const struct driver *driver, uint32_t dss,
			  uint32_t half);
/* Is any attention bit up? */
bool driver_waits(const struct driver *driver);
/* TD_CTL of all sub-slices. */
void driver_control(const struct driver *driver, uint32_t value);
void driver_invalidate(const struct driver *driver);
/* EU debugging as a whole. */
void driver_debug(const struct driver *driver, bool on);

/*
 * Threads whose bit is up and whose slot says that they are stopped. Wakes
 * those again that have a command already.
 */
uint32_t driver_stops(struct driver *driver, struct stop *out, uint32_t max);

bool driver_slot_read(const struct driver *driver, uint32_t slot,
		      uint32_t offset, void *out, size_t len);
bool driver_slot_write(const struct driver *driver, uint32_t slot,
		       uint32_t offset, const void *data, size_t len);

/* Say what a stopped thread is to do, then let it. */
bool driver_command(struct driver *driver, uint32_t slot, bool step);
/*
 * The same, with our SIP: to step until it is outside of [@first, @end), and @steps
 * times at most, 0: as often as that takes.
 */
bool driver_range(const struct driver *driver, uint32_t slot, uint32_t first,
		  uint32_t end, uint32_t steps);
/* Any such command, but for the base. */
bool driver_step_range(const struct driver *driver, uint32_t slot,
		       struct gtdbg_sip_step_range *range);
void driver_release(const struct driver *driver, const struct stop *stops,
		    uint32_t count);

/* The breakpoint bit of the instruction at @va, native or compact. */
bool driver_breakpoint(const struct driver *driver, uint64_t va, bool set);

#endif
