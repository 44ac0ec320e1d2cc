/* SPDX-License-Identifier: MIT */
/*
 * The machine's side of the PCI door, made by hand: QEMU's messages as bytes, memory
 * that both have, and contexts as a driver makes them.
 */
#ifndef VGT_TESTS_MACHINE_H
#define VGT_TESTS_MACHINE_H

#include "pci/proxy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For what would not come at all. */
#define MACHINE_PATIENCE_MS 300000

#define MACHINE_BYTES (16ULL << 20)
#define MACHINE_BAR0 0xe0000000ULL
#define MACHINE_BAR2 0xc0000000ULL

struct vgt_connection;

/* Path of the socket for interrupts of machines that are opened from now on. */
extern const char *machine_qtest;

struct machine {
	struct vgt_connection *connection;
	int socket;
	int ended; /* eventfd: the device has ended */
	int memory; /* memfd */
	uint8_t *at; /* of the memory */
	uint64_t phys; /* where the device has it */
};

/* A function with its BARs in place and memory from @phys on. */
bool machine_open(struct machine *machine, uint64_t phys);
void machine_close(struct machine *machine);

/* As machine_open() leaves them: a reset takes them away. */
bool machine_bars_set(struct machine *machine);

/* A message with @payload; @fds of them come along. */
bool machine_send(struct machine *machine, int32_t command,
		  const void *payload, uint64_t len_bytes, const int *fd,
		  uint32_t fds);
/* Its answer; false if there is none, and will be none. */
bool machine_answer(struct machine *machine, uint64_t *value_out);
/* Has the device ended, within some seconds? */
bool machine_ended(struct machine *machine);

bool machine_config_read(struct machine *machine, uint32_t offset,
			 int32_t len_bytes, uint32_t *value_out);
bool machine_config_write(struct machine *machine, uint32_t offset,
			  int32_t len_bytes, uint32_t value);
uint64_t machine_read(struct machine *machine, uint64_t address,
		      uint32_t len_bytes);
void machine_write(struct machine *machine, uint64_t address,
		   uint32_t len_bytes, uint64_t value);

/* 32-bit registers of BAR 0. */
uint32_t machine_reg_read(struct machine *machine, uint32_t offset);
void machine_reg_write(struct machine *machine, uint32_t offset,
		       uint32_t value);

/* Wait until it is @value. */
bool machine_reg_wait(struct machine *machine, uint32_t offset,
		      uint32_t value);

/* The GGTT's page @page is the memory's. */
void machine_map(struct machine *machine, uint32_t page, uint64_t offset);

/*
 * What the tests put where, in memory and, at the same addresses, in the GGTT: an
 * engine has a status page; a context has an image, a ring and a page of results.
 */
#define MACHINE_STATUS(engine) (0x100000U + 0x1000U * (engine))
#define MACHINE_IMAGE(context) (0x200000U + 0x10000U * (context))
#define MACHINE_RING(context) (MACHINE_IMAGE(context) + 0x4000U)
#define MACHINE_RESULT(context) (MACHINE_IMAGE(context) + 0x5000U)

/* An address space of all contexts: 2 MiB from 0 on, which begin with context 0. */
#define MACHINE_TABLES 0x800000U
#define MACHINE_VA(offset) ((offset) - MACHINE_IMAGE(0))

void machine_tables(struct machine *machine);

uint32_t *machine_dwords(struct machine *machine, uint32_t offset);

/* The driver's part at the start of an engine. */
void machine_engine(struct machine *machine, uint32_t base, uint32_t number);
/* A context with an empty ring. */
void machine_context(struct machine *machine, uint32_t context);
/* Add commands to its ring; the engine does not know yet. */
void machine_ring(struct machine *machine, uint32_t context,
		  const uint32_t *command, uint32_t count);
/* Give the engine contexts to run; -1: none. */
void machine_submit(struct machine *machine, uint32_t base, int first,
		    int second);
/* Wait until the dword at @offset of memory is @value. */
bool machine_wait(struct machine *machine, uint32_t offset, uint32_t value);

#endif
