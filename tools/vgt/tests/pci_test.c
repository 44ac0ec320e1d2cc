// SPDX-License-Identifier: MIT
/*
 * The PCI door from a machine's side: configuration space, BARs, memory, and what no
 * machine would say. After that the device must have ended, with a line that says
 * why; the next one must work.
 */
#include "gt/attention.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/execlist.h"
#include "gt/mmio.h"
#include "host/log.h"
#include "machine.h"
#include "pci/config.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define GGTT (MACHINE_BAR0 + VGT_BAR0_GGTT)
#define LOW 0ULL
#define ABOVE_4G 0x140000000ULL

static FILE *log_file;

/* Standard error goes to a file, so that log lines can be looked at. */
static bool logged(const char *text)
{
	static char lines[65536];
	size_t len;

	rewind(log_file);
	len = fread(lines, 1, sizeof(lines) - 1, log_file);
	lines[len] = 0;
	return strstr(lines, text);
}

static void forget_log(void)
{
	if (ftruncate(fileno(log_file), 0))
		abort();
	lseek(STDERR_FILENO, 0, SEEK_SET);
}

static void start(struct machine *machine)
{
	forget_log();
	if (machine_open(machine, LOW))
		return;
	tap_result(false, "a machine with a function", NULL);
	exit(tap_finish());
}

/* Size of a BAR, as firmware finds it. */
static uint32_t bar_probe(struct machine *machine, uint32_t offset)
{
	uint32_t old, value;

	machine_config_read(machine, offset, 4, &old);
	machine_config_write(machine, offset, 4, UINT32_MAX);
	machine_config_read(machine, offset, 4, &value);
	machine_config_write(machine, offset, 4, old);
	return value;
}

static void test_config(struct machine *machine)
{
	uint32_t id, class, gtt, upper, beyond;

	machine_config_read(machine, 0x00, 4, &id);
	machine_config_read(machine, 0x08, 4, &class);
	machine_config_read(machine, 0x50, 2, &gtt);
	tap_result(id == 0x9a498086 && class == 0x03800003 && gtt == 0xc0,
		   "a Tiger Lake of revision 3, 8 MiB of GGTT entries", NULL);
	tap_result(bar_probe(machine, 0x10) == 0xff000004,
		   "BAR 0 has 16 MiB", NULL);
	tap_result(bar_probe(machine, 0x18) == 0xf000000c,
		   "BAR 2 has 256 MiB, prefetchable", NULL);
	upper = bar_probe(machine, 0x14) | bar_probe(machine, 0x1c);
	beyond = bar_probe(machine, 0x20) | bar_probe(machine, 0x28);
	tap_result(!upper && !beyond, "upper halves and other BARs read as 0",
		   NULL);
	machine_config_write(machine, 0x00, 4, 0);
	machine_config_read(machine, 0x00, 4, &id);
	tap_result(id == 0x9a498086, "what it is cannot be written", NULL);
}

static void test_bars(struct machine *machine)
{
	machine_reg_write(machine, 0x4f100, 0x12345678);
	tap_result(machine_reg_read(machine, 0x4f100) == 0x12345678 &&
		   machine_read(machine, MACHINE_BAR0 + 0x4f102, 2) == 0x1234,
		   "a register keeps what was written", NULL);
	machine_write(machine, GGTT + 8 * 5, 8, 0x123456789001);
	machine_write(machine, GGTT + 8 * 5 + 4, 4, 0x4321);
	tap_result(machine_read(machine, GGTT + 8 * 5, 8) == 0x432156789001,
		   "so does an entry of the GGTT, whole or half", NULL);
	machine_map(machine, 3, 0x7000);
	machine_dwords(machine, 0x7010)[0] = 0xabcdef01;
	machine_write(machine, MACHINE_BAR2 + 0x3014, 4, 77);
	tap_result(machine_read(machine, MACHINE_BAR2 + 0x3010, 8) ==
		   (77ULL << 32 | 0xabcdef01),
		   "BAR 2 is what the GGTT says", NULL);
	machine_write(machine, GGTT + 8 * 4, 8, 0x7fffff000001);
	tap_result(!machine_read(machine, MACHINE_BAR2 + 0x4000, 8),
		   "what the machine has no memory for reads as 0", NULL);
	machine_reg_write(machine, 0x1ffff8, 0x1000000);
	tap_result(!machine_read(machine, MACHINE_BAR2 + 0x3010, 8),
		   "with an IOMMU its addresses are no memory", NULL);
	machine_write(machine, GGTT + 3 * 8, 8, 0x1000007001);
	tap_result(machine_read(machine, MACHINE_BAR2 + 0x3010, 8) ==
		   (77ULL << 32 | 0xabcdef01),
		   "but those that this makes of them", NULL);
	machine_reg_write(machine, 0x1ffff8, 0);
	tap_result(machine_read(machine, MACHINE_BAR0 + 0x7ffff8, 8) == 0,
		   "the last register is there", NULL);
}

static void test_registers(struct machine *machine)
{
	machine_reg_write(machine, 0xa278, 0x00010001);
	machine_reg_write(machine, 0xa278, 0x00020002);
	tap_result(machine_reg_read(machine, 0xd84) == 3,
		   "forcewake is acknowledged, bit by bit", NULL);
	machine_reg_write(machine, 0x1ffffc, 4);
	machine_reg_write(machine, 0xa278, 0x000c000c);
	tap_result(machine_reg_read(machine, 0xd84) == 0xb,
		   "or a bit is not, as it was asked for", NULL);
	machine_reg_write(machine, 0x1ffffc, 0);
	machine_reg_write(machine, 0xa540 + 8, 0x00010001);
	machine_reg_write(machine, 0xa560, 0x00010001);
	tap_result(machine_reg_read(machine, 0xd58) == 1 &&
		   machine_reg_read(machine, 0xd70) == 1,
		   "so are the media engines' wells", NULL);
	machine_reg_write(machine, 0x220d0, 0x00010001);
	tap_result(machine_reg_read(machine, 0x220d0) == 3,
		   "an engine is ready for its reset", NULL);
	machine_reg_write(machine, VGT_GDRST, 1);
	tap_result(!machine_reg_read(machine, VGT_GDRST) &&
		   !machine_reg_read(machine, 0x220d0),
		   "a reset is over when it returns", NULL);
	machine_reg_write(machine, 0x138124, 0x80000005);
	tap_result(!machine_reg_read(machine, 0x138124),
		   "the power controller has answered", NULL);
}

static void test_power(struct machine *machine)
{
	uint32_t state;

	machine_reg_write(machine, 0x4f104, 5);
	machine_config_write(machine, 0xd4, 2, 3);
	machine_config_read(machine, 0xd4, 2, &state);
	tap_result(state == 0xb &&
		   machine_reg_read(machine, 0x4f104) == UINT32_MAX,
		   "a function that sleeps reads as all ones", NULL);
	machine_config_write(machine, 0xd4, 2, 0);
	tap_result(machine_reg_read(machine, 0x4f104) == 5,
		   "and wakes up with its registers", NULL);
}

/* All threads are forced into a system routine, for whoever starts next. */
static void test_function_reset(struct machine *machine)
{
	machine_reg_write(machine, VGT_MCR_SELECTOR, 1U << 31);
	machine_reg_write(machine, VGT_TD_CTL, 0xd8);
	machine_reg_write(machine, VGT_CS_DEBUG_MODE2, 0x00200020);
	machine_reg_write(machine, VGT_FORCEWAKE_GT, 0x00010001);
	tap_result(machine_reg_read(machine, VGT_FORCEWAKE_ACK_GT) == 1 &&
		   machine_reg_read(machine, VGT_CS_DEBUG_MODE2) == 0x20,
		   "registers that are set", NULL);
	tap_result(machine_send(machine, VGT_PROXY_DEVICE_RESET, NULL, 0, NULL,
				0) &&
		   machine_answer(machine, &(uint64_t){ 0 }),
		   "a descriptor for interrupts is ignored, a reset answered",
		   NULL);
	machine_bars_set(machine);
	machine_reg_write(machine, VGT_MCR_SELECTOR, 0);
	tap_result(!machine_reg_read(machine, VGT_TD_CTL) &&
		   !machine_reg_read(machine, VGT_FORCEWAKE_ACK_GT) &&
		   !machine_reg_read(machine, VGT_CS_DEBUG_MODE2) &&
		   machine_reg_read(machine, 0x9138) == 1,
		   "behind it they are as after power-on", NULL);
}

static void test_works(void)
{
	struct machine machine;

	start(&machine);
	test_config(&machine);
	test_bars(&machine);
	test_registers(&machine);
	test_power(&machine);
	machine_send(&machine, VGT_PROXY_SET_IRQFD, NULL, 0, &machine.memory, 1);
	test_function_reset(&machine);
	machine_close(&machine);
}

/* The device must have ended, and the log must have @line. */
static void expect_end(struct machine *machine, const char *line,
		       const char *name)
{
	bool ended = machine_ended(machine);

	tap_result(ended && logged(line), name, ended ? line : "still there");
	machine_close(machine);
}

static void test_message(int32_t command, uint64_t len_bytes,
			 uint64_t sent_bytes, const char *line,
			 const char *name)
{
	uint8_t payload[4096] = { 0 };
	struct {
		int32_t command, reserved;
		uint64_t len_bytes;
	} head = { command, 0, len_bytes };
	struct machine machine;

	start(&machine);
	send(machine.socket, &head, sizeof(head), MSG_NOSIGNAL);
	send(machine.socket, payload, sent_bytes, MSG_NOSIGNAL);
	shutdown(machine.socket, SHUT_WR);
	expect_end(&machine, line, name);
}

static void test_messages(void)
{
	struct machine machine;

	test_message(8, 0, 0, "unknown message 8", "an unknown message");
	test_message(-1, 0, 0, "unknown message -1", "a negative message");
	test_message(VGT_PROXY_RET, 8, 8, "unknown message 1",
		     "an answer that nobody asked for");
	test_message(VGT_PROXY_CONFIG_READ, 4, 4, "payload of 4 bytes",
		     "a payload that is too short");
	test_message(VGT_PROXY_SYNC_SYSMEM, 1ULL << 60, 4096,
		     "payload of 1152921504606846976 bytes",
		     "a payload without end");
	test_message(VGT_PROXY_BAR_READ, 24, 10, "the payload is cut off",
		     "a payload that is cut off");
	start(&machine);
	send(machine.socket, "short", 5, MSG_NOSIGNAL);
	shutdown(machine.socket, SHUT_WR);
	expect_end(&machine, "ends in its head", "a head that is cut off");
	start(&machine);
	shutdown(machine.socket, SHUT_WR);
	tap_result(machine_ended(&machine) && !logged("error"),
		   "a machine that goes is no error", NULL);
	machine_close(&machine);
}

static void test_place(int32_t command, uint64_t address, uint32_t len_bytes,
		       uint8_t memory, const char *name)
{
	struct vgt_proxy_bar access = {
		.address = address, .len_bytes = len_bytes, .memory = memory,
	};
	struct machine machine;

	start(&machine);
	machine_send(&machine, command, &access, sizeof(access), NULL, 0);
	expect_end(&machine, "in no BAR", name);
}

static void test_places(void)
{
	struct vgt_proxy_config access = { 254, 0, 4 };
	struct machine machine;

	test_place(VGT_PROXY_BAR_READ, MACHINE_BAR0 - 4, 4, 1,
		   "a read below the BAR");
	test_place(VGT_PROXY_BAR_WRITE, MACHINE_BAR0 + VGT_BAR0_BYTES, 4, 1,
		   "a write behind the BAR");
	test_place(VGT_PROXY_BAR_READ, UINT64_MAX - 3, 4, 1,
		   "a read at the end of all addresses");
	test_place(VGT_PROXY_BAR_READ, MACHINE_BAR0 + 2, 4, 1,
		   "a read that is not aligned");
	test_place(VGT_PROXY_BAR_WRITE, MACHINE_BAR0, 3, 1,
		   "a write of three bytes");
	test_place(VGT_PROXY_BAR_READ, MACHINE_BAR0, 0, 1,
		   "a read of no bytes");
	test_place(VGT_PROXY_BAR_READ, MACHINE_BAR0, UINT32_MAX, 1,
		   "a read of four gigabytes");
	test_place(VGT_PROXY_BAR_READ, MACHINE_BAR0, 4, 0, "a port");
	start(&machine);
	machine_send(&machine, VGT_PROXY_CONFIG_READ, &access, sizeof(access),
		     NULL, 0);
	expect_end(&machine, "of the configuration",
		   "a read over the end of the configuration");
	access = (struct vgt_proxy_config){ 0, 0, -1 };
	start(&machine);
	machine_send(&machine, VGT_PROXY_CONFIG_WRITE, &access, sizeof(access),
		     NULL, 0);
	expect_end(&machine, "of the configuration",
		   "a write of minus one byte to the configuration");
}

/* Memory that @sysmem describes, of @count files that are @fd. */
static void test_sysmem(const struct vgt_proxy_sysmem *sysmem, int fd,
			uint32_t count, const char *line, const char *name)
{
	struct machine machine;
	int fds[16];

	start(&machine);
	for (uint32_t i = 0; i < count; i++)
		fds[i] = fd < 0 ? machine.memory : fd;
	machine_send(&machine, VGT_PROXY_SYNC_SYSMEM, sysmem, sizeof(*sysmem),
		     fds, count);
	expect_end(&machine, line, name);
}

static void test_memory_refused(void)
{
	struct vgt_proxy_sysmem good = { .len_bytes = { 4096, 4096 } }, bad;
	int soft = memfd_create("soft", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int pipes[2];

	if (ftruncate(soft, 4096) || pipe(pipes))
		abort();
	test_sysmem(&good, soft, 1, "can be made shorter",
		    "memory that could be taken away");
	test_sysmem(&good, pipes[0], 1, "bad memory", "a pipe as memory");
	test_sysmem(&good, -1, 2, "bad memory", "two memories in one place");
	test_sysmem(&good, -1, 9, "too many descriptors",
		    "more memories than there can be");
	bad = good;
	bad.len_bytes[0] = MACHINE_BYTES + 4096;
	test_sysmem(&bad, -1, 1, "bad memory", "memory behind its file's end");
	bad = good;
	bad.offset[0] = UINT64_MAX - 4095;
	test_sysmem(&bad, -1, 1, "bad memory", "an offset that wraps around");
	bad = good;
	bad.phys[0] = 0x8000;
	bad.len_bytes[0] = 100;
	test_sysmem(&bad, -1, 1, "bad memory", "memory of half a page");
	bad = good;
	bad.phys[0] = VGT_GGTT_BASE;
	test_sysmem(&bad, -1, 1, "bad memory", "memory where the GGTT is");
	bad = good;
	bad.phys[0] = UINT64_MAX - 4095;
	test_sysmem(&bad, -1, 1, "bad memory",
		    "memory at the end of all addresses");
	close(soft);
	close(pipes[0]);
	close(pipes[1]);
}

/* Two regions of one file, one of them above 4 GiB. */
static void test_regions(void)
{
	struct vgt_proxy_sysmem sysmem = {
		.phys = { LOW, ABOVE_4G },
		.len_bytes = { MACHINE_BYTES / 2, MACHINE_BYTES / 2 },
		.offset = { 0, MACHINE_BYTES / 2 },
	};
	struct machine machine;
	int fds[2];

	start(&machine);
	fds[0] = fds[1] = machine.memory;
	for (int i = 0; i < 100; i++)
		machine_send(&machine, VGT_PROXY_SYNC_SYSMEM, &sysmem,
			     sizeof(sysmem), fds, 2);
	machine_write(&machine, GGTT, 8, ABOVE_4G | 0x2001);
	machine_write(&machine, MACHINE_BAR2 + 8, 8, 0x1122334455667788);
	tap_result(*(uint64_t *)(machine.at + MACHINE_BYTES / 2 + 0x2008) ==
		   0x1122334455667788,
		   "memory above 4 GiB is used in place", NULL);
	machine_write(&machine, GGTT, 8, MACHINE_BYTES / 2 | 1);
	machine_write(&machine, MACHINE_BAR2, 8, 1);
	tap_result(!machine_read(&machine, MACHINE_BAR2, 8),
		   "and what lay in its place is none any more", NULL);
	machine_send(&machine, VGT_PROXY_SYNC_SYSMEM, &sysmem, sizeof(sysmem),
		     NULL, 0);
	machine_write(&machine, GGTT, 8, ABOVE_4G | 0x2001);
	tap_result(!machine_read(&machine, MACHINE_BAR2 + 8, 8),
		   "a machine without memory", NULL);
	machine_close(&machine);
}

int main(void)
{
	log_file = tmpfile();
	if (!log_file || dup2(fileno(log_file), STDERR_FILENO) < 0)
		return 1;
	test_works();
	test_messages();
	test_places();
	test_memory_refused();
	test_regions();
	return tap_finish();
}
