// SPDX-License-Identifier: GPL-2.0-only
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/gtdbg.h>
#include <linux/gtdbg_sip.h>
#include <linux/gtdbg_vgt.h>

#include "rig.h"

/* Physical addresses. */
#define GGTT 0x100000
#define GGTT_ENTRIES 64
#define IMAGE 0x200000 /* GGTT address 0x6000 */
#define RING 0x210000 /* GGTT address 0x2000 */
#define PML4 0x300000
#define TABLES 0x301000
#define CODE 0x500000
#define BATCH PEER_BATCH_PHYS
#define DYNAMIC 0x520000
#define SAVE_AREA 0x800000

/* It has no programs, and counts no threads. */
#define PEER_SIP_VERSION \
	((GTDBG_SIP_VERSION & 0xffff0000) | GTDBG_SIP_MINOR_SLM)

#define WAIT_NS (RIG_TIMEOUT_MS * 1000000ULL) /* for what has to come */

#define LRCA 0x6000
#define SAVE_AREA_BYTES \
	(GTDBG_SIP_SLOT_OFFSET + PEER_SLOTS * GTDBG_SIP_SLOT_BYTES)

#define REG_LRCA 0x2240
#define REG_RING_HEAD 0x2034
#define REG_ACTHD 0x2074
#define REG_ACTHD_HIGH 0x205c
#define REG_INSTDONE 0x206c
#define REG_TIMESTAMP 0x2358
#define REG_TIMESTAMP_HIGH 0x235c
#define REG_TD_CTL 0xe400
#define REG_TD_CLR 0xe490
#define REG_TD_ATT 0xe470
#define REG_ICACHE 0x20d8
#define REG_FAULT 0xcec4

static void put32(struct peer *peer, uint64_t phys, uint32_t value)
{
	memcpy(peer->memory + phys, &value, sizeof(value));
}

static void put64(struct peer *peer, uint64_t phys, uint64_t value)
{
	memcpy(peer->memory + phys, &value, sizeof(value));
}

static uint64_t get64(struct peer *peer, uint64_t phys)
{
	uint64_t value;

	memcpy(&value, peer->memory + phys, sizeof(value));
	return value;
}

void peer_map(struct peer *peer, uint64_t va, uint64_t phys)
{
	uint64_t table = PML4;

	for (int level = 3; level > 0; level--) {
		uint64_t at = table + (va >> (12 + 9 * level) & 511) * 8;

		if (!get64(peer, at))
			put64(peer, at,
			      (TABLES + 4096ULL * peer->next_table++) | 3);
		table = get64(peer, at) & ~0xfffULL;
	}
	put64(peer, table + (va >> 12 & 511) * 8, phys | 3);
}

void *peer_at(struct peer *peer, uint64_t va)
{
	if (va >= PEER_SAVE_AREA)
		return peer->memory + SAVE_AREA + (va - PEER_SAVE_AREA);
	if (va >= PEER_DYNAMIC)
		return peer->memory + DYNAMIC + (va - PEER_DYNAMIC);
	if (va >= PEER_BATCH)
		return peer->memory + BATCH + (va - PEER_BATCH);
	return peer->memory + CODE + (va - PEER_CODE);
}

static void fill_image(struct peer *peer)
{
	for (int page = 1; page < 8; page++)
		put64(peer, GGTT + 8 * page,
		      page < 6 ? (RING + 4096ULL * (page - 2)) | 1 :
				 (IMAGE + 4096ULL * (page - 6)) | 1);
	put32(peer, IMAGE + 0x101c, 12); /* tail */
	put32(peer, IMAGE + 0x1024, 0x2000);
	put32(peer, IMAGE + 0x102c, 0x3001);
	put32(peer, IMAGE + 0x10c4, 0);
	put32(peer, IMAGE + 0x10cc, PML4);
	peer_ring_start(peer, 0, PEER_BATCH);
}

void peer_ring_start(struct peer *peer, uint32_t offset, uint64_t batch)
{
	put32(peer, RING + offset, 0x18800101);
	put64(peer, RING + offset + 4, batch);
}

/*
 * Some commands to skip, then those that set the bases and load a descriptor,
 * then walkers, each with the command that waits for it.
 */
#define BATCH_BASES 28
#define BATCH_LOAD (BATCH_BASES + 4 * 22)
#define BATCH_WALKERS (BATCH_LOAD + 4 * 4)
#define BATCH_WALKER_BYTES (4 * (15 + 6))
#define BATCH_END (BATCH_WALKERS + PEER_WALKERS * BATCH_WALKER_BYTES)
#define DESCRIPTORS 0x100

static void fill_batch(struct peer *peer)
{
	put32(peer, BATCH, 0x7a000004);
	put32(peer, BATCH + 24, 0x69041312);
	put32(peer, BATCH + BATCH_BASES, 0x61010014);
	put64(peer, BATCH + BATCH_BASES + 4, PEER_GENERAL | 0x41);
	put64(peer, BATCH + BATCH_BASES + 24, PEER_DYNAMIC | 1);
	put64(peer, BATCH + BATCH_BASES + 40, PEER_BASE | 0x41);
	put32(peer, BATCH + BATCH_LOAD, 0x70020002);
	put32(peer, BATCH + BATCH_LOAD + 8, 32);
	put32(peer, BATCH + BATCH_LOAD + 12, DESCRIPTORS);
	put32(peer, BATCH + BATCH_END, 0x05000000);
	put32(peer, DYNAMIC + DESCRIPTORS, PEER_KERNEL_IP);
}

uint64_t peer_walker_address(uint32_t index)
{
	return PEER_BATCH + BATCH_WALKERS + index * BATCH_WALKER_BYTES;
}

void peer_walker(struct peer *peer, uint32_t index,
		 const struct peer_walker *walker)
{
	uint64_t at = BATCH + peer_walker_address(index) - PEER_BATCH;
	uint32_t dword[21] = {
		0x7105000d | walker->flags, 0, 64, 0,
		(walker->simd / 16) << 30 | (walker->threads - 1),
		walker->first[0], 0, walker->end[0],
		walker->first[1], 0, walker->end[1],
		walker->first[2], walker->end[2],
		walker->right_mask, 0xffffffff,
		0x7a000004, 0x00100000,
	};

	memcpy(peer->memory + at, dword, sizeof(dword));
}

void peer_walker_slm(struct peer *peer, uint32_t code)
{
	put32(peer, DYNAMIC + DESCRIPTORS + 24, code << 16);
}

void peer_position(struct peer *peer, uint32_t ring, uint64_t address)
{
	peer_register(peer, REG_RING_HEAD, ring);
	peer_register(peer, REG_ACTHD_HIGH, address >> 32);
	peer_register(peer, REG_ACTHD, (uint32_t)address);
}

void peer_code(uint8_t *code, uint32_t cookie)
{
	const uint32_t first = 0x40000061, other = 0x61;

	for (int at = 16; at < PEER_KERNEL_BYTES; at += 16)
		memcpy(code + at, &other, 4);
	memcpy(code, &first, 4);
	memcpy(code + 12, &cookie, 4);
}

static void fill_regsets(struct gtdbg_sip_header *header)
{
	static const struct gtdbg_sip_regset regset[GTDBG_SIP_REGSETS] = {
		{ 0x0000, 128, 256, 32, { 0 } }, { 0x1000, 1, 256, 32, { 0 } },
		{ 0x1020, 2, 32, 4, { 0 } },	 { 0x103c, 1, 32, 4, { 0 } },
		{ 0x1040, 2, 128, 16, { 0 } },	 { 0x1060, 1, 128, 16, { 0 } },
		{ 0x10a0, 1, 96, 12, { 0 } },	 { 0x10c0, 1, 128, 16, { 0 } },
		{ 0x10e0, 10, 256, 32, { 0 } },	 { 0, 0, 0, 0, { 0 } },
		{ 0x1240, 1, 32, 4, { 0 } },	 { 0x1260, 1, 128, 16, { 0 } },
		{ 0x12a0, 1, 1024, 128, { 0 } }, { 0x1220, 1, 128, 16, { 0 } },
		{ 0, 0, 0, 0, { 0 } },		 { 0x1280, 1, 32, 4, { 0 } },
	};

	memcpy(header->regset, regset, sizeof(regset));
}

static void fill_save_area(struct peer *peer, uint64_t token)
{
	struct gtdbg_sip_header header = {
		.magic = "tssarea",
		.version_major = 2,
		.size = sizeof(header) / 8,
		.slices = 1,
		.subslices_per_slice = 6,
		.eus_per_subslice = 16,
		.threads_per_eu = 7,
		.state_area_offset = GTDBG_SIP_SLOT_OFFSET - sizeof(header),
		.slot_bytes = GTDBG_SIP_SLOT_BYTES,
		.slot_magic_offset = GTDBG_SIP_SLOT_MAGIC,
	};
	struct gtdbg_sip_control control = {
		.magic = GTDBG_SIP_CONTROL_MAGIC,
		.version = PEER_SIP_VERSION,
		.token = token,
		.generation = GTDBG_SIP_GENERATION_GEN12LP,
	};

	fill_regsets(&header);
	memset(peer->memory + SAVE_AREA, 0, SAVE_AREA_BYTES);
	memcpy(peer->memory + SAVE_AREA, &header, sizeof(header));
	memcpy(peer->memory + SAVE_AREA + GTDBG_SIP_CONTROL_OFFSET, &control,
	       sizeof(control));
}

int peer_init(struct peer *peer, uint64_t token)
{
	memset(peer, 0, sizeof(*peer));
	peer->fd = -1;
	peer->memory_fd = memfd_create("peer", MFD_CLOEXEC);
	if (peer->memory_fd < 0 ||
	    ftruncate(peer->memory_fd, PEER_MEMORY_BYTES))
		return -errno;
	peer->memory = mmap(NULL, PEER_MEMORY_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED, peer->memory_fd, 0);
	if (peer->memory == MAP_FAILED)
		return -errno;
	pthread_mutex_init(&peer->lock, NULL);
	fill_image(peer);
	fill_batch(peer);
	peer_code(peer->memory + CODE, PEER_COOKIE);
	fill_save_area(peer, token);
	peer_map(peer, PEER_CODE, CODE);
	peer_map(peer, PEER_BATCH, BATCH);
	peer_map(peer, PEER_DYNAMIC, DYNAMIC);
	for (uint64_t at = 0; at < SAVE_AREA_BYTES; at += 4096)
		peer_map(peer, PEER_SAVE_AREA + at, SAVE_AREA + at);
	return 0;
}

static volatile uint32_t *window_at(struct peer *peer, uint64_t at)
{
	return (volatile uint32_t *)(peer->window + at);
}

void peer_register(struct peer *peer, uint32_t offset, uint32_t value)
{
	*window_at(peer, offset) = value;
}

static volatile uint32_t *attention(struct peer *peer, uint32_t subslice,
				    uint32_t dword)
{
	return window_at(peer, GTDBG_VGT_WINDOW_BANK(0, subslice) + REG_TD_ATT +
				       4 * dword - 0xe400);
}

/* Slot of one of the two rows that share an attention bit. */
static uint32_t slot_of(uint32_t subslice, uint32_t dword, uint32_t bit,
			uint32_t row)
{
	return subslice * 112 + dword * 56 + row * 28 + bit / 8 * 7 + bit % 8;
}

static uint8_t *slot_at(struct peer *peer, uint32_t slot)
{
	return peer->memory + SAVE_AREA + GTDBG_SIP_SLOT_OFFSET +
	       slot * GTDBG_SIP_SLOT_BYTES;
}

static void peer_raise_locked(struct peer *peer, uint32_t slot)
{
	__sync_synchronize();
	*attention(peer, slot / 112, slot % 112 / 56) |=
		1U << (slot % 28 / 7 * 8 + slot % 7);
}

void peer_stop_locked(struct peer *peer, uint32_t slot, uint32_t ip,
		      uint32_t cause)
{
	uint32_t ready = GTDBG_SIP_COMMAND_READY, all = 0xff;
	uint8_t *at = slot_at(peer, slot);

	memcpy(at + GTDBG_SIP_SLOT_CR + 4, &cause, 4);
	memcpy(at + GTDBG_SIP_SLOT_CR + 8, &ip, 4);
	memcpy(at + GTDBG_SIP_SLOT_EMASK, &all, 4);
	memcpy(at + GTDBG_SIP_SLOT_SR + 8, &all, 4);
	memcpy(at + GTDBG_SIP_SLOT_COMMAND, &ready, 4);
	at[GTDBG_SIP_SLOT_COUNT] |= 1;
	peer->waiting[slot] = true;
	peer->stops++;
	peer_raise_locked(peer, slot);
}

void peer_raise(struct peer *peer, uint32_t slot)
{
	pthread_mutex_lock(&peer->lock);
	peer_raise_locked(peer, slot);
	pthread_mutex_unlock(&peer->lock);
}

void peer_stop(struct peer *peer, uint32_t slot, uint32_t ip, uint32_t cause)
{
	pthread_mutex_lock(&peer->lock);
	peer_stop_locked(peer, slot, ip, cause);
	pthread_mutex_unlock(&peer->lock);
}

void peer_sip(struct peer *peer, uint32_t version)
{
	memcpy(peer_at(peer, PEER_SAVE_AREA + GTDBG_SIP_CONTROL_OFFSET +
		       offsetof(struct gtdbg_sip_control, version)),
	       &version, sizeof(version));
}

void peer_record_seal(struct gtdbg_sip_record *record)
{
	uint32_t dword[sizeof(*record) / 4];

	record->check = GTDBG_SIP_RECORD_MAGIC;
	memcpy(dword, record, sizeof(dword));
	for (size_t i = 1; i < sizeof(dword) / sizeof(dword[0]); i++)
		record->check ^= dword[i];
}

/* What is left of an SLM command when it is done: READY, and how much it did. */
static void slm_done(uint8_t *at, uint32_t size_bytes)
{
	const uint32_t head[2] = { GTDBG_SIP_COMMAND_READY, size_bytes };

	memcpy(at + GTDBG_SIP_SLOT_COMMAND, head, sizeof(head));
}

static void slm_copy(struct peer *peer, uint8_t *at)
{
	struct gtdbg_sip_command block;
	uint8_t *buffer = at + GTDBG_SIP_SLOT_COMMAND +
			  offsetof(struct gtdbg_sip_command, buffer);

	memcpy(&block, at + GTDBG_SIP_SLOT_COMMAND, sizeof(block));
	peer->slm_commands++;
	if (!block.size_bytes || block.size_bytes > sizeof(block.buffer) ||
	    block.offset > PEER_SLM_BYTES - block.size_bytes)
		block.size_bytes = 0;
	else if (block.command == GTDBG_SIP_COMMAND_SLM_READ)
		memcpy(buffer, peer->slm + block.offset, block.size_bytes);
	else
		memcpy(peer->slm + block.offset, buffer, block.size_bytes);
	slm_done(at, block.size_bytes);
}

/* Is it a command to stay? Then it is done, or put off. */
static bool thread_stays(struct peer *peer, uint8_t *at, uint32_t command)
{
	if (command == GTDBG_SIP_COMMAND_READY)
		return true;
	if (peer->slm_busy) {
		peer->slm_busy = peer->slm_slow &&
				 command == GTDBG_SIP_COMMAND_SLM_READ;
		if (!peer->slm_busy && command == GTDBG_SIP_COMMAND_SLM_READ)
			slm_copy(peer, at);
		else if (!peer->slm_busy)
			slm_done(at, 1);
		return true;
	}
	if (command != GTDBG_SIP_COMMAND_SLM_READ &&
	    command != GTDBG_SIP_COMMAND_SLM_WRITE)
		return false;
	peer->slm_busy = peer->slm_slow;
	if (!peer->slm_busy)
		slm_copy(peer, at);
	return true;
}

/* A woken thread looks at its command: does it leave? */
static bool thread_wake(struct peer *peer, uint32_t slot)
{
	uint8_t *at = slot_at(peer, slot);
	uint32_t command;

	memcpy(&command, at + GTDBG_SIP_SLOT_COMMAND, 4);
	if (thread_stays(peer, at, command))
		return false;
	peer->stepped[slot] = command == GTDBG_SIP_COMMAND_STEP;
	peer->waiting[slot] = false;
	at[GTDBG_SIP_SLOT_COUNT]++;
	peer->resumes++;
	return true;
}

static void clear_bit(struct peer *peer, uint32_t subslice, uint32_t dword,
		      uint32_t bit)
{
	volatile uint32_t *bits = attention(peer, subslice, dword);
	uint32_t slot[2];
	bool left[2];

	*bits &= ~(1U << bit);
	for (uint32_t row = 0; row < 2; row++) {
		slot[row] = slot_of(subslice, dword, bit, row);
		left[row] = peer->waiting[slot[row]] &&
			    thread_wake(peer, slot[row]);
	}
	if (peer->waiting[slot[0]] || peer->waiting[slot[1]])
		*bits |= 1U << bit;
	for (uint32_t row = 0; row < 2; row++)
		if (left[row] && peer->left)
			peer->left(peer, slot[row]);
}

static void attention_clear(struct peer *peer,
			    const struct gtdbg_vgt_request *request)
{
	uint32_t dword = (request->offset - REG_TD_CLR) / 4;

	for (uint32_t bit = 0; bit < 32; bit++)
		if (request->value >> bit & 1 && bit % 8 < 7)
			clear_bit(peer, request->subslice, dword, bit);
}

static void request_run(struct peer *peer,
			const struct gtdbg_vgt_request *request)
{
	switch (request->offset) {
	case 0xa278:
		if (peer->starting)
			peer_busy(peer, true);
		peer_register(peer, 0x0d84, request->value & !peer->asleep);
		break;
	case 0xa188:
		peer_register(peer, 0x130044, request->value & !peer->asleep);
		break;
	case REG_TD_CTL:
		peer->control = request->value;
		break;
	case REG_TD_CLR:
	case REG_TD_CLR + 4:
		attention_clear(peer, request);
		break;
	case REG_ICACHE:
		peer->invalidates++;
		break;
	case REG_FAULT:
		peer_register(peer, REG_FAULT, request->value);
		break;
	}
}

uint64_t peer_ticks(uint64_t time_ns)
{
	return (time_ns * 12 / 1000) & PEER_TICKS_MASK;
}

static void time_show(struct peer *peer)
{
	uint64_t ticks = peer_ticks(rig_now_ns());

	peer_register(peer, REG_TIMESTAMP, (uint32_t)ticks);
	peer_register(peer, REG_TIMESTAMP_HIGH, ticks >> 32);
}

static void be_slow(struct peer *peer)
{
	if (peer->delay_ms)
		usleep(1000 * peer->delay_ms);
	while (peer->hold && !peer->ending) {
		peer->holding = true;
		usleep(1000);
	}
	peer->holding = false;
}

static void *serve(void *data)
{
	struct gtdbg_vgt_request request[64];
	struct peer *peer = data;
	struct pollfd wait = { .fd = peer->fd, .events = POLLIN };
	struct gtdbg_vgt_ack ack;

	while (!peer->ending) {
		ssize_t len;

		if (poll(&wait, 1, 5) <= 0)
			continue;
		len = read(peer->fd, request, sizeof(request));
		if (len <= 0)
			continue;
		pthread_mutex_lock(&peer->lock);
		for (size_t i = 0; i < len / sizeof(*request); i++)
			request_run(peer, &request[i]);
		pthread_mutex_unlock(&peer->lock);
		be_slow(peer);
		time_show(peer);
		peer->acks++;
		ack.seqno = request[len / sizeof(*request) - 1].seqno;
		if (write(peer->fd, &ack, sizeof(ack)) != sizeof(ack))
			break;
	}
	return NULL;
}

int peer_serve(struct peer *peer, int client_fd)
{
	struct gtdbg_vgt_offer offer = {
		.platform = GTDBG_PLATFORM_GEN12LP,
		.client_fd = client_fd,
		.memory_fd = peer->memory_fd,
		.memory_bytes = PEER_MEMORY_BYTES,
		.ggtt_address = GGTT,
		.ggtt_entries = GGTT_ENTRIES,
		.slices = 1,
		.subslices = 6,
		.eus = 16,
		.threads = 7,
	};

	peer->fd = open("/dev/gtdbg-vgt", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (peer->fd < 0)
		return -errno;
	peer->device = ioctl(peer->fd, GTDBG_VGT_IOC_OFFER, &offer);
	if (peer->device < 0)
		return -errno;
	peer->window = mmap(NULL, GTDBG_VGT_WINDOW_BYTES,
			    PROT_READ | PROT_WRITE, MAP_SHARED, peer->fd, 0);
	if (peer->window == MAP_FAILED)
		return -errno;
	peer_busy(peer, true);
	if (pthread_create(&peer->thread, NULL, serve, peer))
		return -EAGAIN;
	peer->running = true;
	return peer->device;
}

void peer_withdraw(struct peer *peer)
{
	peer->ending = true;
	if (peer->running)
		pthread_join(peer->thread, NULL);
	peer->running = false;
	peer->ending = false;
	if (peer->window && peer->window != MAP_FAILED)
		munmap(peer->window, GTDBG_VGT_WINDOW_BYTES);
	peer->window = NULL;
	if (peer->fd >= 0)
		close(peer->fd);
	peer->fd = -1;
}

void peer_fini(struct peer *peer)
{
	peer_withdraw(peer);
	if (peer->memory && peer->memory != MAP_FAILED)
		munmap(peer->memory, PEER_MEMORY_BYTES);
	if (peer->memory_fd >= 0)
		close(peer->memory_fd);
	memset(peer, 0, sizeof(*peer));
	peer->fd = -1;
	peer->memory_fd = -1;
}

void peer_busy(struct peer *peer, bool busy)
{
	peer_register(peer, REG_LRCA, LRCA | busy);
}

void peer_spawning(struct peer *peer, bool spawning)
{
	peer_register(peer, REG_INSTDONE, spawning ? 0 : 3 << 16);
}

void peer_fault(struct peer *peer)
{
	peer_register(peer, REG_FAULT, 1);
}

bool peer_active(struct peer *peer)
{
	uint32_t flags;

	memcpy(&flags, peer->memory + SAVE_AREA + GTDBG_SIP_CONTROL_FLAGS, 4);
	return flags & GTDBG_SIP_CONTROL_F_ACTIVE;
}

bool peer_wait_inactive(struct peer *peer)
{
	uint64_t end = rig_now_ns() + WAIT_NS;

	while (peer_active(peer) && rig_now_ns() < end)
		usleep(200);
	return !peer_active(peer);
}

bool peer_wait_resumes(struct peer *peer, uint64_t count)
{
	uint64_t end = rig_now_ns() + WAIT_NS, seen;

	do {
		pthread_mutex_lock(&peer->lock);
		seen = peer->resumes;
		pthread_mutex_unlock(&peer->lock);
		if (seen >= count)
			return true;
		usleep(200);
	} while (rig_now_ns() < end);
	return false;
}
