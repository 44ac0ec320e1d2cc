// SPDX-License-Identifier: MIT
#include "machine.h"

#include "gt/device.h"
#include "host/connection.h"
#include "pci/config.h"
#include "pci/door.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define FDS_MAX 16
#define RING_BYTES 0x1000U

/* Registers of an engine, and of its context's image. */
enum {
	HWSP = 0x80,
	MODE = 0x29c,
	SQ = 0x510,
	SQ_CONTROL = 0x550,
	IMAGE_REGISTERS = 0x1000 / 4,
	IMAGE_HEAD = IMAGE_REGISTERS + 5,
	IMAGE_TAIL = IMAGE_REGISTERS + 7,
};

#define CONTEXT_ID(context) ((context) + 1U)
#define CONTEXT_ID_SHIFT (37 - 32)
#define CONTEXT_VALID 1U

const char *machine_qtest;

static struct vgt_options options = { .threads = 2 };

static bool machine_start(struct machine *machine)
{
	int socket[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket))
		return false;
	machine->socket = socket[0];
	options.qtest = machine_qtest;
	machine->ended = eventfd(0, EFD_CLOEXEC);
	return !vgt_connection_create(&vgt_pci_door, &options, 1, socket[1],
				      machine->ended, &machine->connection);
}

static bool memory_create(struct machine *machine)
{
	machine->memory = memfd_create("machine",
				       MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (machine->memory < 0 || ftruncate(machine->memory, MACHINE_BYTES) ||
	    fcntl(machine->memory, F_ADD_SEALS, F_SEAL_SHRINK))
		return false;
	machine->at = mmap(NULL, MACHINE_BYTES, PROT_READ | PROT_WRITE,
			   MAP_SHARED, machine->memory, 0);
	return machine->at != MAP_FAILED;
}

bool machine_bars_set(struct machine *machine)
{
	return machine_config_write(machine, 0x10, 4, MACHINE_BAR0) &&
	       machine_config_write(machine, 0x18, 4, MACHINE_BAR2) &&
	       machine_config_write(machine, 0x04, 2, 6);
}

bool machine_open(struct machine *machine, uint64_t phys)
{
	struct vgt_proxy_sysmem sysmem = {
		.phys[0] = phys,
		.len_bytes[0] = MACHINE_BYTES,
	};

	memset(machine, 0, sizeof(*machine));
	machine->phys = phys;
	return machine_start(machine) && memory_create(machine) &&
	       machine_send(machine, VGT_PROXY_SYNC_SYSMEM, &sysmem,
			    sizeof(sysmem), &machine->memory, 1) &&
	       machine_bars_set(machine);
}

void machine_close(struct machine *machine)
{
	if (machine->connection)
		vgt_connection_destroy(machine->connection);
	munmap(machine->at, MACHINE_BYTES);
	close(machine->memory);
	close(machine->ended);
	close(machine->socket);
}

bool machine_send(struct machine *machine, int32_t command,
		  const void *payload, uint64_t len_bytes, const int *fd,
		  uint32_t fds)
{
	uint8_t control[CMSG_SPACE(FDS_MAX * sizeof(int))] = { 0 };
	struct {
		int32_t command, reserved;
		uint64_t len_bytes;
	} head = { command, 0, len_bytes };
	struct iovec part[2] = {
		{ &head, sizeof(head) },
		{ (void *)payload, payload ? len_bytes : 0 },
	};
	struct msghdr message = { .msg_iov = part, .msg_iovlen = 2 };
	struct cmsghdr *rights;

	if (fds) {
		message.msg_control = control;
		message.msg_controllen = CMSG_SPACE(fds * sizeof(int));
		rights = CMSG_FIRSTHDR(&message);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(fds * sizeof(int));
		memcpy(CMSG_DATA(rights), fd, fds * sizeof(int));
	}
	return sendmsg(machine->socket, &message, MSG_NOSIGNAL) ==
	       (ssize_t)(part[0].iov_len + part[1].iov_len);
}

bool machine_answer(struct machine *machine, uint64_t *value_out)
{
	struct pollfd wait = { .fd = machine->socket, .events = POLLIN };
	uint64_t answer[3];

	if (poll(&wait, 1, MACHINE_PATIENCE_MS) != 1 ||
	    recv(machine->socket, answer, sizeof(answer), MSG_WAITALL) !=
	    sizeof(answer))
		return false;
	*value_out = answer[2];
	return (int32_t)answer[0] == VGT_PROXY_RET && answer[1] == 8;
}

bool machine_ended(struct machine *machine)
{
	struct pollfd wait = { .fd = machine->ended, .events = POLLIN };

	return poll(&wait, 1, MACHINE_PATIENCE_MS) == 1;
}

bool machine_config_read(struct machine *machine, uint32_t offset,
			 int32_t len_bytes, uint32_t *value_out)
{
	struct vgt_proxy_config access = { offset, 0, len_bytes };
	uint64_t value;

	if (!machine_send(machine, VGT_PROXY_CONFIG_READ, &access,
			  sizeof(access), NULL, 0) ||
	    !machine_answer(machine, &value))
		return false;
	*value_out = (uint32_t)value;
	return true;
}

bool machine_config_write(struct machine *machine, uint32_t offset,
			  int32_t len_bytes, uint32_t value)
{
	struct vgt_proxy_config access = { offset, value, len_bytes };
	uint64_t none;

	return machine_send(machine, VGT_PROXY_CONFIG_WRITE, &access,
			    sizeof(access), NULL, 0) &&
	       machine_answer(machine, &none);
}

static uint64_t bar_access(struct machine *machine, int32_t command,
			   uint64_t address, uint32_t len_bytes, uint64_t value)
{
	struct vgt_proxy_bar access = {
		.address = address, .value = value,
		.len_bytes = len_bytes, .memory = 1,
	};

	machine_send(machine, command, &access, sizeof(access), NULL, 0);
	return machine_answer(machine, &value) ? value : 0;
}

uint64_t machine_read(struct machine *machine, uint64_t address,
		      uint32_t len_bytes)
{
	return bar_access(machine, VGT_PROXY_BAR_READ, address, len_bytes, 0);
}

void machine_write(struct machine *machine, uint64_t address,
		   uint32_t len_bytes, uint64_t value)
{
	bar_access(machine, VGT_PROXY_BAR_WRITE, address, len_bytes, value);
}

uint32_t machine_reg_read(struct machine *machine, uint32_t offset)
{
	return (uint32_t)machine_read(machine, MACHINE_BAR0 + offset, 4);
}

void machine_reg_write(struct machine *machine, uint32_t offset,
		       uint32_t value)
{
	machine_write(machine, MACHINE_BAR0 + offset, 4, value);
}

bool machine_reg_wait(struct machine *machine, uint32_t offset,
		      uint32_t value)
{
	struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < MACHINE_PATIENCE_MS; i++) {
		if (machine_reg_read(machine, offset) == value)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

void machine_map(struct machine *machine, uint32_t page, uint64_t offset)
{
	machine_write(machine, MACHINE_BAR0 + VGT_BAR0_GGTT + 8ULL * page, 8,
		      (machine->phys + offset) | 1);
}

void machine_tables(struct machine *machine)
{
	uint64_t *entry = (uint64_t *)(machine->at + MACHINE_TABLES);
	uint64_t phys = machine->phys + MACHINE_TABLES;

	for (uint32_t level = 0; level < 3; level++)
		entry[512 * level] = (phys + 4096 * (level + 1)) | 3;
	for (uint32_t i = 0; i < 512; i++)
		entry[512 * 3 + i] =
			(machine->phys + MACHINE_IMAGE(0) + 4096 * i) | 3;
}

uint32_t *machine_dwords(struct machine *machine, uint32_t offset)
{
	return (uint32_t *)(machine->at + offset);
}

void machine_engine(struct machine *machine, uint32_t base, uint32_t number)
{
	machine_map(machine, MACHINE_STATUS(number) / 4096,
		    MACHINE_STATUS(number));
	machine_reg_write(machine, base + HWSP, MACHINE_STATUS(number));
	machine_reg_write(machine, base + MODE, 0x00080008);
}

void machine_context(struct machine *machine, uint32_t context)
{
	const uint32_t registers[] = {
		0, 0x11081017, 0x244, 0x00090008, 0x34, 0, 0x30, 0,
		0x38, MACHINE_RING(context), 0x3c, (RING_BYTES - 0x1000) | 1,
		0x274, (uint32_t)((machine->phys + MACHINE_TABLES) >> 32),
		0x270, (uint32_t)(machine->phys + MACHINE_TABLES),
		0x3a8, 0, 0x1c0, 0, 0x1c4, 0, 0x600, 0, 0x604, 0,
	};

	for (uint32_t i = 0; i < 16; i++)
		machine_map(machine, MACHINE_IMAGE(context) / 4096 + i,
			    MACHINE_IMAGE(context) + 0x1000 * i);
	memset(machine->at + MACHINE_IMAGE(context), 0, 0x10000);
	memcpy(machine_dwords(machine, MACHINE_IMAGE(context) + 0x1000),
	       registers, sizeof(registers));
}

void machine_ring(struct machine *machine, uint32_t context,
		  const uint32_t *command, uint32_t count)
{
	uint32_t *image = machine_dwords(machine, MACHINE_IMAGE(context));
	uint32_t *ring = machine_dwords(machine, MACHINE_RING(context));
	uint32_t tail = image[IMAGE_TAIL];

	for (uint32_t i = 0; i < count; i++, tail = (tail + 4) % RING_BYTES)
		ring[tail / 4] = command[i];
	__atomic_store_n(&image[IMAGE_TAIL], tail, __ATOMIC_RELEASE);
}

void machine_submit(struct machine *machine, uint32_t base, int first,
		    int second)
{
	const int context[] = { first, second };

	for (uint32_t i = 0; i < 2; i++) {
		machine_reg_write(machine, base + SQ + 8 * i, context[i] < 0 ?
				  0 : MACHINE_IMAGE(context[i]) | CONTEXT_VALID);
		machine_reg_write(machine, base + SQ + 8 * i + 4,
				  context[i] < 0 ? 0 :
				  CONTEXT_ID(context[i]) << CONTEXT_ID_SHIFT);
	}
	machine_reg_write(machine, base + SQ_CONTROL, 1);
}

bool machine_wait(struct machine *machine, uint32_t offset, uint32_t value)
{
	uint32_t *at = machine_dwords(machine, offset);
	struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < MACHINE_PATIENCE_MS; i++) {
		if (__atomic_load_n(at, __ATOMIC_ACQUIRE) == value)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}
