// SPDX-License-Identifier: MIT
#include "driver.h"

#include <string.h>

#include <linux/gtdbg_sip.h>

#include "gt/device.h"
#include "gt/memory.h"

#define FORCEWAKE_RENDER 0xa278
#define FORCEWAKE_ACK 0x0d84
#define MCR_SELECTOR 0x0fdc
#define MCR_MULTICAST 0x80000000U
#define CURRENT_LRCA 0x2240
#define DEBUG_MODE2 0x20d8
#define DEBUG_MODE2_INVALIDATE 0x00400040U
#define DEBUG_MODE2_ON 0x00200020U
#define DEBUG_MODE2_OFF 0x00200000U
#define TLB_INVALIDATE 0xced8
#define TD_CTL 0xe400
#define TD_ATT 0xe470
#define TD_CLR 0xe490

/* The context image: page-directory pointer 0 of its register state. */
#define IMAGE_PDP0_HIGH 0x10c4
#define IMAGE_PDP0_LOW 0x10cc

#define ENTRY_PRESENT 1ULL
#define ENTRY_ADDRESS 0x0000fffffffff000ULL
#define ENTRY_HUGE 0x80ULL

#define HALF_SLOTS 56
#define ROW_SLOTS 28
#define COLUMN_SLOTS 7

#define SLOT_SR GTDBG_SIP_SLOT_SR
#define SLOT_CR GTDBG_SIP_SLOT_CR
#define SLOT_R0_4 (GTDBG_SIP_SLOT_GRF + 16)

/* Intel's bindful SIP: the command is what it finds in the saved r0.4. */
#define BINDFUL_WAITS 0x00ffffffU
#define BINDFUL_RESUME 0x40ffffffU
#define BINDFUL_STEP 0x80ffffffU
/* Put in place of the saved ce, which is not restored. */
#define CE_MARK 0xdeadbeefU
/* Bits of sr0.0 that say where a thread runs. */
#define SR_PLACE 0xfffU

static uint32_t reg_read(const struct driver *driver, uint32_t offset)
{
	return vgt_device_reg_read(driver->device, offset);
}

static void reg_write(const struct driver *driver, uint32_t offset,
		      uint32_t value)
{
	vgt_device_reg_write(driver->device, offset, value);
}

static bool phys_read(const struct driver *driver, uint64_t phys, void *out,
		      size_t len)
{
	return !vgt_memory_read(vgt_device_memory(driver->device), phys, out,
				len);
}

static bool phys_write(const struct driver *driver, uint64_t phys,
		       const void *data, size_t len)
{
	void *host = vgt_memory_at(vgt_device_memory(driver->device), phys,
				   len);

	if (host)
		memcpy(host, data, len);
	return host;
}

/* An entry of a table. The last table of each level stays at hand. */
static uint64_t entry_read(const struct driver *driver, uint64_t table,
			   uint64_t va, int shift)
{
	struct driver_table *last = &driver->table[(shift - 12) / 9];

	if (!last->valid || last->phys != table) {
		last->valid = phys_read(driver, table, last->entry, 4096);
		last->phys = table;
	}
	return last->valid ? last->entry[va >> shift & 511] : 0;
}

/* The lowest address at or above @va that is mapped, and its page. */
static bool walk(const struct driver *driver, uint64_t va, bool next,
		 uint64_t *va_out, uint64_t *phys_out)
{
	while (va < 1ULL << 48) {
		uint64_t table = driver->tables, entry;
		int shift = 39;

		for (; shift >= 12; shift -= 9) {
			entry = entry_read(driver, table, va, shift);
			if (!(entry & ENTRY_PRESENT))
				break;
			table = entry & ENTRY_ADDRESS;
			if (shift > 12 && shift < 39 && (entry & ENTRY_HUGE))
				return false;
		}
		if (shift < 12) {
			*va_out = va;
			*phys_out = table | (va & 4095);
			return true;
		}
		if (!next)
			return false;
		va = ((va >> shift) + 1) << shift;
	}
	return false;
}

bool driver_next_page(const struct driver *driver, uint64_t va,
		      uint64_t *page_out)
{
	uint64_t phys;

	return walk(driver, va & ~4095ULL, true, page_out, &phys);
}

bool driver_read(const struct driver *driver, uint64_t va, void *out,
		 size_t len)
{
	uint8_t *to = out;
	uint64_t at, phys;
	size_t n;

	for (; len; len -= n, va += n, to += n) {
		n = 4096 - va % 4096 < len ? 4096 - va % 4096 : len;
		if (!walk(driver, va, false, &at, &phys) ||
		    !phys_read(driver, phys, to, n))
			return false;
	}
	return true;
}

bool driver_write(const struct driver *driver, uint64_t va, const void *data,
		  size_t len)
{
	const uint8_t *from = data;
	uint64_t at, phys;
	size_t n;

	for (; len; len -= n, va += n, from += n) {
		n = 4096 - va % 4096 < len ? 4096 - va % 4096 : len;
		if (!walk(driver, va, false, &at, &phys) ||
		    !phys_write(driver, phys, from, n))
			return false;
	}
	return true;
}

bool driver_unmap(const struct driver *driver, uint64_t va)
{
	static const uint64_t none;
	uint64_t table = driver->tables;

	for (int shift = 39; shift > 12; shift -= 9)
		table = entry_read(driver, table, va, shift) & ENTRY_ADDRESS;
	if (!phys_write(driver, table + (va >> 12 & 511) * 8, &none, 8))
		return false;
	reg_write(driver, TLB_INVALIDATE, 1);
	return true;
}

static bool ggtt_read32(const struct driver *driver, uint32_t address,
			uint32_t *out)
{
	uint64_t entry;

	return phys_read(driver, VGT_GGTT_BASE + (address >> 12) * 8ULL,
			 &entry, 8) &&
	       (entry & ENTRY_PRESENT) &&
	       phys_read(driver, (entry & ENTRY_ADDRESS) | (address & 4095),
			 out, 4);
}

bool driver_context(struct driver *driver)
{
	uint32_t lrca, high, low;

	reg_write(driver, FORCEWAKE_RENDER, 0x00010001);
	if (!(reg_read(driver, FORCEWAKE_ACK) & 1))
		return false;
	lrca = reg_read(driver, CURRENT_LRCA);
	if (!(lrca & 1))
		return false;
	lrca &= ~4095U;
	if (!ggtt_read32(driver, lrca + IMAGE_PDP0_HIGH, &high) ||
	    !ggtt_read32(driver, lrca + IMAGE_PDP0_LOW, &low))
		return false;
	driver->tables = (uint64_t)high << 32 | low;
	for (int level = 0; level < DRIVER_LEVELS; level++)
		driver->table[level].valid = false;
	return true;
}

static void steer(const struct driver *driver, uint32_t dss)
{
	reg_write(driver, MCR_SELECTOR, dss << 24);
}

uint32_t driver_attention(const struct driver *driver, uint32_t dss,
			  uint32_t half)
{
	steer(driver, dss);
	return reg_read(driver, TD_ATT + 4 * half);
}

bool driver_waits(const struct driver *driver)
{
	for (uint32_t half = 0; half < 2 * DRIVER_SUBSLICES; half++)
		if (driver_attention(driver, half / 2, half % 2))
			return true;
	return false;
}

void driver_control(const struct driver *driver, uint32_t value)
{
	reg_write(driver, MCR_SELECTOR, MCR_MULTICAST);
	reg_write(driver, TD_CTL, value);
}

void driver_invalidate(const struct driver *driver)
{
	reg_write(driver, DEBUG_MODE2, DEBUG_MODE2_INVALIDATE);
}

void driver_debug(const struct driver *driver, bool on)
{
	reg_write(driver, DEBUG_MODE2, on ? DEBUG_MODE2_ON : DEBUG_MODE2_OFF);
}

static uint64_t slot_address(const struct driver *driver, uint32_t slot)
{
	return driver->area + driver->slot_offset +
	       (uint64_t)slot * GTDBG_SIP_SLOT_BYTES;
}

bool driver_slot_read(const struct driver *driver, uint32_t slot,
		      uint32_t offset, void *out, size_t len)
{
	return driver_read(driver, slot_address(driver, slot) + offset, out,
			   len);
}

bool driver_slot_write(const struct driver *driver, uint32_t slot,
		       uint32_t offset, const void *data, size_t len)
{
	return driver_write(driver, slot_address(driver, slot) + offset, data,
			    len);
}

/* sr0.0[11:0] of the thread in @slot. */
static uint32_t slot_place(uint32_t slot)
{
	uint32_t tid = slot % COLUMN_SLOTS;
	uint32_t column = slot % ROW_SLOTS / COLUMN_SLOTS;

	return tid | column << 4 | slot / ROW_SLOTS << 7;
}

/* What a slot says when the attention bit of its thread is up. */
enum slot_state {
	SLOT_BUSY = 1, /* not in the SIP, or registers are still being saved */
	SLOT_STOPPED = 2,
	SLOT_COMMANDED = 3, /* has a command that it has not read yet */
};

/* The count turns odd before the SIP asks for a command. */
static enum slot_state headed_state(const struct driver *driver, uint32_t slot)
{
	uint32_t command;
	uint8_t count;

	if (!driver_slot_read(driver, slot, GTDBG_SIP_SLOT_COUNT, &count, 1) ||
	    !(count & 1) ||
	    !driver_slot_read(driver, slot, GTDBG_SIP_SLOT_COMMAND, &command,
			      4))
		return SLOT_BUSY;
	return command == GTDBG_SIP_COMMAND_READY ? SLOT_STOPPED : SLOT_COMMANDED;
}

/* This SIP asks for a command first and saves ce last. */
static enum slot_state bindful_state(const struct driver *driver, uint32_t slot)
{
	uint32_t command, ce;

	if (!driver_slot_read(driver, slot, SLOT_R0_4, &command, 4) ||
	    !driver_slot_read(driver, slot, GTDBG_SIP_SLOT_CE, &ce, 4))
		return SLOT_BUSY;
	if (command == BINDFUL_WAITS)
		return ce == driver->ce_mark[slot] ? SLOT_BUSY : SLOT_STOPPED;
	return command == BINDFUL_RESUME || command == BINDFUL_STEP ?
	       SLOT_COMMANDED : SLOT_BUSY;
}

static enum slot_state slot_state(const struct driver *driver, uint32_t slot)
{
	uint32_t place;

	if (!driver_slot_read(driver, slot, SLOT_SR, &place, 4) ||
	    (place & SR_PLACE) != slot_place(slot))
		return SLOT_BUSY;
	return driver->sip == SIP_BINDFUL ? bindful_state(driver, slot) :
	       headed_state(driver, slot);
}

/* Does the area that starts at @va hold the stop of the thread in @slot? */
static bool bindful_here(struct driver *driver, uint64_t va, uint32_t slot)
{
	driver->area = va;
	return slot_state(driver, slot) == SLOT_STOPPED;
}

/* A copy of the header alone has no slots behind it. */
static bool headed_here(struct driver *driver, uint64_t va)
{
	struct gtdbg_sip_header header;
	uint32_t last;

	if (!driver_read(driver, va, &header, sizeof(header)) ||
	    memcmp(header.magic, "tssarea", 8))
		return false;
	driver->area = va;
	driver->slot_offset = header.size * 8 + header.state_area_offset;
	return driver_slot_read(driver, DRIVER_THREADS - 1, 0, &last, 4);
}

/* The save area, which has a header or else is known by what is in @slot. */
static bool area_find(struct driver *driver, uint32_t slot)
{
	uint64_t va = 0;

	for (; driver_next_page(driver, va, &va); va += 4096)
		if (driver->sip == SIP_BINDFUL ?
		    bindful_here(driver, va, slot) : headed_here(driver, va))
			return true;
	driver->area = 0;
	return false;
}

static void stop_fill(const struct driver *driver, uint32_t slot,
		      struct stop *out)
{
	uint32_t control[3];

	driver_slot_read(driver, slot, SLOT_CR, control, sizeof(control));
	driver_slot_read(driver, slot, SLOT_SR, &out->sr0, 4);
	driver_slot_read(driver, slot, GTDBG_SIP_SLOT_EMASK, &out->enabled, 4);
	out->slot = slot;
	out->cause = control[1] & 0xfc000000;
	out->ip = control[2];
}

/*
 * A bit stands for both rows; which of them stopped the slots say. One that
 * has its command was cleared before it slept, for its neighbour's bit: the
 * wake-up was lost and is made up for. To all others it means nothing.
 */
static uint32_t bit_stops(struct driver *driver, uint32_t half, uint32_t bit,
			  struct stop *out, uint32_t max)
{
	uint32_t slot = half * HALF_SLOTS + bit / 8 * COLUMN_SLOTS + bit % 8;
	enum slot_state state;
	bool commanded = false;
	uint32_t n = 0;

	for (uint32_t row = 0; row < 2; row++, slot += ROW_SLOTS) {
		if (!driver->area && !area_find(driver, slot))
			continue;
		state = slot_state(driver, slot);
		if (state == SLOT_STOPPED && n < max)
			stop_fill(driver, slot, &out[n++]);
		commanded |= state == SLOT_COMMANDED;
	}
	if (commanded)
		reg_write(driver, TD_CLR + 4 * (half % 2), 1U << bit);
	return n;
}

uint32_t driver_stops(struct driver *driver, struct stop *out, uint32_t max)
{
	uint32_t n = 0;

	if (!driver_context(driver))
		return 0;
	for (uint32_t half = 0; half < 2 * DRIVER_SUBSLICES; half++) {
		uint32_t bits = driver_attention(driver, half / 2, half % 2);

		for (; bits; bits &= bits - 1) {
			uint32_t bit = (uint32_t)__builtin_ctz(bits);

			n += bit_stops(driver, half, bit, out + n, max - n);
		}
	}
	return n;
}

/* No channel mask of our kernels, so that the next stop can be recognised. */
static bool bindful_command(struct driver *driver, uint32_t slot, bool step)
{
	uint32_t command = step ? BINDFUL_STEP : BINDFUL_RESUME;

	driver->ce_mark[slot] = CE_MARK;
	return driver_slot_write(driver, slot, GTDBG_SIP_SLOT_CE,
				 &driver->ce_mark[slot], 4) &&
	       driver_slot_write(driver, slot, SLOT_R0_4, &command, 4);
}

bool driver_command(struct driver *driver, uint32_t slot, bool step)
{
	uint32_t command = GTDBG_SIP_COMMAND_RESUME, control;

	if (driver->sip == SIP_OURS) {
		command = step ? GTDBG_SIP_COMMAND_STEP : command;
		return driver_slot_write(driver, slot, GTDBG_SIP_SLOT_COMMAND,
					 &command, 4);
	}
	if (!driver_slot_read(driver, slot, SLOT_CR + 4, &control, 4))
		return false;
	control &= ~0xfc000000U;
	control |= step ? CAUSE_BREAKPOINT : 0;
	if (!driver_slot_write(driver, slot, SLOT_CR + 4, &control, 4))
		return false;
	if (driver->sip == SIP_BINDLESS)
		return driver_slot_write(driver, slot, GTDBG_SIP_SLOT_COMMAND,
					 &command, 4);
	return bindful_command(driver, slot, step);
}

bool driver_range(const struct driver *driver, uint32_t slot, uint32_t first,
		  uint32_t end, uint32_t steps)
{
	struct gtdbg_sip_step_range range = {
		.ip_first = first,
		.bytes = end - first,
		.steps = steps,
	};

	return driver_step_range(driver, slot, &range);
}

bool driver_step_range(const struct driver *driver, uint32_t slot,
		       struct gtdbg_sip_step_range *range)
{
	range->command = range->frame_register ? GTDBG_SIP_COMMAND_STEP_OVER :
			 GTDBG_SIP_COMMAND_STEP_RANGE;
	/* An address in its canonical form repeats bit 47 above it. */
	range->base = (uint64_t)((int64_t)(driver->base << 16) >> 16);
	return driver_slot_write(driver, slot, GTDBG_SIP_SLOT_COMMAND + 4,
				 &range->ip_first, sizeof(*range) - 4) &&
	       driver_slot_write(driver, slot, GTDBG_SIP_SLOT_COMMAND, range,
				 4);
}

void driver_release(const struct driver *driver, const struct stop *stops,
		    uint32_t count)
{
	uint32_t bits[DRIVER_SUBSLICES][2] = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		uint32_t slot = stops[i].slot, half = slot / HALF_SLOTS;
		uint32_t column = slot % ROW_SLOTS / COLUMN_SLOTS;

		bits[half / 2][half % 2] |=
			1U << (column * 8 + slot % COLUMN_SLOTS);
	}
	for (uint32_t dss = 0; dss < DRIVER_SUBSLICES; dss++) {
		uint32_t both = bits[dss][0] | bits[dss][1];

		if (!both)
			continue;
		/* Gen12LP releases the halves of a sub-slice together. */
		steer(driver, dss);
		reg_write(driver, TD_CLR, both);
		reg_write(driver, TD_CLR + 4, both);
	}
}

bool driver_breakpoint(const struct driver *driver, uint64_t va, bool set)
{
	uint32_t dword, bit;

	if (!driver_read(driver, va, &dword, 4))
		return false;
	bit = dword >> 29 & 1 ? 0x80 : 0x40000000;
	dword = set ? dword | bit : dword & ~bit;
	return driver_write(driver, va, &dword, 4);
}
