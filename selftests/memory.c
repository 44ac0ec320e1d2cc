// SPDX-License-Identifier: GPL-2.0-only
/* Memory by GPU address: pages of all sizes, ends of all kinds. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

#include "target.h"

#define PML4 0x300000
#define PHYS 0x3000000 /* free memory of the peer, 16 MiB */
#define PHYS_BYTES 0x1000000
#define VA 0x4000000000ULL
#define PRESENT 3
#define LARGE 0x80
#define PAGE_64K 0x800
#define RECLAIMED_BYTES 0x10000
#define RECLAIMED_PAGES 2000UL /* so often one of them, or a table, was gone */
#define RECLAIM_ROUNDS_MAX 20000
#define BATCH_SURFACE_BASE (28 + 16) /* in the peer's batch */

/* The entry of @va in the table of @level, 3 being the top. */
static uint64_t *entry_at(struct peer *peer, uint64_t va, int level)
{
	uint64_t *table = (uint64_t *)(peer->memory + PML4);

	for (int at = 3; at > level; at--)
		table = (uint64_t *)(peer->memory +
				     (table[va >> (12 + 9 * at) & 511] &
				      ~0xfffULL));
	return &table[va >> (12 + 9 * level) & 511];
}

FIXTURE(memory)
{
	struct target target;
	uint32_t context;
};

FIXTURE_SETUP(memory)
{
	struct target *target = &self->target;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_context(target, &self->context));
	/* Every dword holds its own address. */
	for (uint32_t at = PHYS; at < PHYS + PHYS_BYTES; at += 4)
		memcpy(target->peer.memory + at, &at, 4);
	peer_map(&target->peer, VA, PHYS);
}

FIXTURE_TEARDOWN(memory)
{
	target_stop(&self->target);
}

static int get(struct target *target, uint32_t context, uint64_t va, void *buf,
	       size_t len)
{
	return rig_memory(target->rig.session, false, target->peer.device,
			  context, va, buf, len);
}

/*
 * Is what lies at VA the @len bytes at @phys, and nothing behind? Looked at in
 * odd pieces and across the end.
 */
static bool maps_exactly(struct target *target, uint32_t context,
			 uint64_t phys, size_t len)
{
	static const size_t offsets[] = { 0, 1, 0xffe, 0x1003, 0xfffd };
	static uint8_t buf[0x3000];
	uint8_t *there = target->peer.memory + phys;
	size_t i;

	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		size_t at = offsets[i], bytes = sizeof(buf);

		if (at >= len)
			continue;
		if (bytes > len - at)
			bytes = len - at;
		if (get(target, context, VA + at, buf, sizeof(buf)) !=
			    (int)bytes || memcmp(buf, there + at, bytes))
			return false;
	}
	return get(target, context, VA + len - 5, buf, 64) == 5 &&
	       !memcmp(buf, there + len - 5, 5) &&
	       get(target, context, VA + len, buf, 1) == -EFAULT;
}

TEST_F(memory, page_of_4_kib)
{
	EXPECT_TRUE(maps_exactly(&self->target, self->context, PHYS, 0x1000));
}

TEST_F(memory, page_of_64_kib)
{
	struct peer *peer = &self->target.peer;

	/* One entry in 16 counts, and only the bits from 16 on. */
	*entry_at(peer, VA, 1) |= PAGE_64K;
	*entry_at(peer, VA, 0) = (PHYS + 0x10000) | 0x3000 | PRESENT;
	*entry_at(peer, VA + 0x1000, 0) = PHYS | PRESENT;
	EXPECT_TRUE(maps_exactly(&self->target, self->context, PHYS + 0x10000,
				 0x10000));
}

TEST_F(memory, page_of_2_mib)
{
	*entry_at(&self->target.peer, VA, 1) =
		(PHYS + 0x200000) | LARGE | PRESENT;
	EXPECT_TRUE(maps_exactly(&self->target, self->context, PHYS + 0x200000,
				 0x200000));
}

/* Of which only the beginning is memory. */
TEST_F(memory, page_of_1_gib)
{
	*entry_at(&self->target.peer, VA, 2) = LARGE | PRESENT;
	EXPECT_TRUE(maps_exactly(&self->target, self->context, 0,
				 PEER_MEMORY_BYTES));
}

TEST_F(memory, addresses_end_at_48_bits)
{
	struct target *target = &self->target;
	uint64_t last = (1ULL << 48) - 0x1000;
	uint32_t word = 0;
	uint8_t buf[64];

	peer_map(&target->peer, last, PHYS + 0x1000);
	peer_map(&target->peer, 0, PHYS + 0x2000);
	/* What comes behind is not the first page. */
	EXPECT_EQ(8, get(target, self->context, last + 0xff8, buf, 64));
	EXPECT_EQ(4, get(target, self->context, 0, &word, 4));
	EXPECT_EQ(PHYS + 0x2000, word);
	/* What lies above means nothing yet. */
	EXPECT_EQ(-EINVAL, get(target, self->context, 1ULL << 48, &word, 4));
	EXPECT_EQ(-EINVAL, get(target, self->context, 0xffffULL << 48 | last,
			       &word, 4));
	EXPECT_EQ(-EINVAL, get(target, self->context, UINT64_MAX - 7, buf, 64));
}

/* What is mapped from VA on, read with calls that have room for @room ranges. */
static int list_at_va(struct target *target, uint32_t context, uint32_t room,
		      struct gtdbg_memory_mapping *out, int most)
{
	struct gtdbg_memory_mapping part[8];
	struct gtdbg_memory_list list = {
		.device = target->peer.device,
		.context = context,
		.address = VA,
		.mappings = (uintptr_t)part,
		.count = room,
	};
	int count = 0, got, i;

	while (list.address < 1ULL << 48) {
		got = ioctl(target->rig.session, GTDBG_IOC_MEMORY_LIST, &list);
		if (got < 0)
			return -errno;
		for (i = 0; i < got && count < most; i++)
			out[count++] = part[i];
	}
	return count;
}

TEST_F(memory, list_has_what_is_mapped)
{
	struct target *target = &self->target;
	struct gtdbg_memory_mapping all[8], one[8];

	peer_map(&target->peer, VA + 0x1000, PHYS + 0x5000);
	peer_map(&target->peer, VA + 0x3000, PHYS);
	*entry_at(&target->peer, VA + 0x3000, 0) &= ~2ULL;
	*entry_at(&target->peer, VA + 0x200000, 1) = PHYS | LARGE | PRESENT;
	*entry_at(&target->peer, VA + 0x40000000, 2) = LARGE | PRESENT;
	ASSERT_EQ(4, list_at_va(target, self->context, 8, all, 8));
	EXPECT_EQ(VA, all[0].address);
	EXPECT_EQ(0x2000, all[0].len_bytes);
	EXPECT_EQ(GTDBG_MAPPING_F_WRITABLE, all[0].flags);
	EXPECT_EQ(0x1000, all[0].page_bytes);
	EXPECT_EQ(VA + 0x3000, all[1].address);
	EXPECT_EQ(0, all[1].flags);
	EXPECT_EQ(VA + 0x200000, all[2].address);
	EXPECT_EQ(0x200000, all[2].len_bytes);
	EXPECT_EQ(0x200000, all[2].page_bytes);
	EXPECT_EQ(0x40000000, all[3].len_bytes);
	/* With less room there are more calls. */
	EXPECT_EQ(4, list_at_va(target, self->context, 1, one, 8));
	EXPECT_EQ(0, memcmp(all, one, 4 * sizeof(all[0])));
}

TEST_F(memory, list_ends_in_tables_without_end)
{
	struct gtdbg_memory_mapping part[8];
	struct gtdbg_memory_list list = {
		.device = self->target.peer.device,
		.context = self->context,
		.address = 1,
		.mappings = (uintptr_t)part,
		.count = 8,
	};
	int session = self->target.rig.session;

	EXPECT_EQ(-1, ioctl(session, GTDBG_IOC_MEMORY_LIST, &list));
	EXPECT_EQ(EINVAL, errno);
	/* Each entry of the top leads to the top. */
	for (int i = 0; i < 512; i++)
		((uint64_t *)(self->target.peer.memory + PML4))[i] =
			PML4 | PRESENT;
	list.address = VA;
	ASSERT_LE(0, ioctl(session, GTDBG_IOC_MEMORY_LIST, &list));
	EXPECT_LT(VA, list.address);
	list.address = 1ULL << 48;
	EXPECT_EQ(0, ioctl(session, GTDBG_IOC_MEMORY_LIST, &list));
}

/* A save area need not lie at the start of a large page. */
TEST_F(memory, save_area_is_found_inside_of_a_large_page)
{
	struct target *target = &self->target;
	const struct gtdbg_event_context_add *context;
	uint8_t *memory = target->peer.memory;
	struct rig_event event;

	memcpy(memory + PHYS + 0x13000, memory + 0x800000, 0x3f1000);
	for (uint64_t at = 0; at < 0x600000; at += 0x200000) {
		peer_map(&target->peer, PEER_SAVE_AREA + at, 0);
		*entry_at(&target->peer, PEER_SAVE_AREA + at, 1) =
			(PHYS + at) | LARGE | PRESENT;
	}
	do {
		ASSERT_EQ(0, rig_any(&target->rig, &event, RIG_TIMEOUT_MS));
		context = event.payload;
	} while (event.head->kind != GTDBG_EVENT_CONTEXT_UPDATE);
	EXPECT_EQ(GTDBG_SIP_OWN, context->sip);
	EXPECT_EQ(PEER_SAVE_AREA + 0x13000, context->save_area);
}

/* Tables in the peer's memory, and the place that the save area moves to. */
#define TABLES PHYS
#define AREA (PHYS + 0x10000)
#define AREA_BYTES 0x3f1000ULL
#define AREA_VA 0x7f0000000000ULL

static void table_fill(struct peer *peer, uint32_t table, uint32_t count,
		       uint64_t entry)
{
	for (uint32_t i = 0; i < count; i++)
		memcpy(peer->memory + table + 8 * i, &entry, 8);
	memset(peer->memory + table + 8 * count, 0, 8 * (512 - count));
}

/*
 * The save area is in the last part of the address space. In front of it there
 * are tables for @areas of 1 GiB, each table with @pages, all of them the same.
 */
static void area_move(struct peer *peer, uint32_t areas, uint32_t pages)
{
	uint64_t top = (TABLES + 0x2000) | PRESENT;
	uint8_t *memory = peer->memory;

	memcpy(memory + AREA, memory + 0x800000, AREA_BYTES);
	table_fill(peer, TABLES, pages, (PHYS + 0x8000) | PRESENT);
	table_fill(peer, TABLES + 0x1000, 512, TABLES | PRESENT);
	table_fill(peer, TABLES + 0x2000, areas, (TABLES + 0x1000) | PRESENT);
	memcpy(memory + PML4 + 8, &top, 8);
	for (uint64_t at = 0; at < AREA_BYTES; at += 4096)
		peer_map(peer, AREA_VA + at, AREA + at);
	__sync_synchronize();
	memset(memory + 0x800000, 0, 4096);
}

static uint64_t area_found(struct target *target)
{
	const struct gtdbg_event_context_add *context;
	struct rig_event event;

	do {
		if (rig_next(&target->rig, GTDBG_EVENT_CONTEXT_UPDATE, &event))
			return 0;
		context = event.payload;
	} while (context->sip != GTDBG_SIP_OWN);
	return context->save_area;
}

/*
 * Many times what is looked at in one piece. A search that takes long pauses for
 * ten times as long, which adds up on the sanitised kernel: a table takes it
 * milliseconds there.
 */
TEST_F(memory, save_area_is_found_however_much_is_before_it)
{
	area_move(&self->target.peer, rig_is_sanitised() ? 1 : 40, 1);
	EXPECT_EQ(AREA_VA, area_found(&self->target));
}

/* To look at all that is mapped here takes hours. */
TEST_F(memory, save_area_is_found_by_its_surface)
{
	uint64_t base = (PHYS + 0x9000) | 1, bytes = 0x1800000 - 1;
	struct peer *peer = &self->target.peer;
	uint32_t state[16] = { 0x8ffd43eb };

	state[2] = (bytes & 0x7f) | (bytes >> 7 & 0x3fff) << 16;
	state[3] = bytes >> 21 << 21;
	state[8] = (uint32_t)AREA_VA;
	state[9] = AREA_VA >> 32;
	memcpy(peer->memory + PHYS + 0x9000, state, sizeof(state));
	peer_map(peer, base & ~0xfffULL, PHYS + 0x9000);
	memcpy((uint8_t *)peer_at(peer, PEER_BATCH) + BATCH_SURFACE_BASE,
	       &base, 8);
	area_move(peer, 512, 512);
	EXPECT_EQ(AREA_VA, area_found(&self->target));
}

static int ranges_read(struct target *target, uint32_t context,
		       struct gtdbg_memory_range *ranges, uint32_t count)
{
	struct gtdbg_memory_access access = {
		.device = target->peer.device,
		.context = context,
		.ranges = (uintptr_t)ranges,
		.count = count,
	};
	int ret = ioctl(target->rig.session, GTDBG_IOC_MEMORY_READ, &access);

	return ret < 0 ? -errno : ret;
}

TEST_F(memory, ranges_are_each_done_as_far_as_they_go)
{
	struct target *target = &self->target;
	uint8_t buf[3][64];
	struct gtdbg_memory_range ranges[] = {
		{ VA + 0xff0, (uintptr_t)buf[0], 64, 99 },
		{ VA + 0x5000, (uintptr_t)buf[1], 64, 99 },
		{ VA + 0x100, (uintptr_t)buf[2], 64, 99 },
	};

	EXPECT_EQ(16 + 64, ranges_read(target, self->context, ranges, 3));
	EXPECT_EQ(16, ranges[0].done_bytes);
	EXPECT_EQ(0, ranges[1].done_bytes);
	EXPECT_EQ(64, ranges[2].done_bytes);
	EXPECT_EQ(0, memcmp(buf[2], target->peer.memory + PHYS + 0x100, 64));
}

TEST_F(memory, ranges_have_limits)
{
	static struct gtdbg_memory_range ranges[GTDBG_MEMORY_RANGES_MAX + 1];
	struct target *target = &self->target;
	uint32_t context = self->context;
	uint8_t byte;

	for (int i = 0; i <= GTDBG_MEMORY_RANGES_MAX; i++)
		ranges[i] = (struct gtdbg_memory_range){ VA, (uintptr_t)&byte,
							 1, 0 };
	EXPECT_EQ(-EINVAL, ranges_read(target, context, ranges, 0));
	EXPECT_EQ(-EINVAL, ranges_read(target, context, ranges,
				       GTDBG_MEMORY_RANGES_MAX + 1));
	EXPECT_EQ(GTDBG_MEMORY_RANGES_MAX,
		  ranges_read(target, context, ranges,
			      GTDBG_MEMORY_RANGES_MAX));
	/* Sums that overflow are no way around. */
	ranges[0].len_bytes = UINT64_MAX;
	EXPECT_EQ(-EINVAL, ranges_read(target, context, ranges, 2));
	ranges[0].len_bytes = GTDBG_MEMORY_BYTES_MAX;
	EXPECT_EQ(-EINVAL, ranges_read(target, context, ranges, 2));
	ranges[0].len_bytes = 0;
	EXPECT_EQ(-EINVAL, ranges_read(target, context, ranges, 1));
	EXPECT_EQ(1, ranges_read(target, context, ranges, 2));
}

TEST_F(memory, descriptor_ends_with_its_session)
{
	struct gtdbg_memory_open request = {
		.device = self->target.peer.device,
		.context = self->context,
		.flags = O_RDWR,
	};
	struct target *target = &self->target;
	uint32_t word = 0;
	int fd;

	fd = ioctl(target->rig.session, GTDBG_IOC_MEMORY_OPEN, &request);
	ASSERT_LE(0, fd);
	EXPECT_EQ(4, pread(fd, &word, 4, VA));
	EXPECT_EQ(PHYS, word);
	word = 7;
	EXPECT_EQ(4, pwrite(fd, &word, 4, VA));
	close(target->rig.session);
	target->rig.session = -1;
	word = 8;
	EXPECT_EQ(-1, pwrite(fd, &word, 4, VA));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(7, target->peer.memory[PHYS]);
	close(fd);
}

/* Pages that went to swap since boot; 0 as well where there is no swap. */
static unsigned long swapped_out(void)
{
	FILE *file = fopen("/proc/vmstat", "r");
	unsigned long count = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "pswpout %lu", &count) == 1)
			break;
	if (file)
		fclose(file);
	return count;
}

static bool has_swap(void)
{
	FILE *file = fopen("/proc/swaps", "r");
	int lines = 0, c;

	while (file && (c = getc(file)) != EOF)
		lines += c == '\n';
	if (file)
		fclose(file);
	return lines > 1;
}

struct reclaim {
	struct peer *peer;
	atomic_bool end;
};

/* Only what the process has in its own page table is taken away. */
static void range_reclaim(uint8_t *memory, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += 0x1000)
		(void)*(volatile uint8_t *)(memory + at);
	madvise(memory, bytes, MADV_PAGEOUT);
}

/* Takes the peer's page tables and data out of memory, again and again. */
static void *reclaim_run(void *data)
{
	struct reclaim *reclaim = data;
	uint8_t *memory = reclaim->peer->memory;

	while (!reclaim->end) {
		range_reclaim(memory + PML4, 0x9000);
		range_reclaim(memory + PHYS, RECLAIMED_BYTES);
	}
	return NULL;
}

/* Write, then read, each page, with a word that no page had before. */
static bool pages_keep(struct target *target, uint32_t context, uint32_t round)
{
	for (uint64_t at = 0; at < RECLAIMED_BYTES; at += 0x1000) {
		uint32_t word = round << 16 | at >> 12, rest[2] = { 0, 0 };
		uint32_t behind = PHYS + at + 12;

		if (rig_memory(target->rig.session, true, target->peer.device,
			       context, VA + at + 8, &word, 4) != 4 ||
		    get(target, context, VA + at + 8, rest, 8) != 8 ||
		    rest[0] != word || rest[1] != behind)
			return false;
	}
	return true;
}

TEST_F(memory, comes_back_where_reclaim_took_it)
{
	struct reclaim reclaim = { .peer = &self->target.peer };
	unsigned long before = swapped_out();
	uint32_t round = 1;
	pthread_t thread;

	if (!has_swap())
		SKIP(return, "no swap space");
	for (uint64_t at = 0x1000; at < RECLAIMED_BYTES; at += 0x1000)
		peer_map(reclaim.peer, VA + at, PHYS + at);
	ASSERT_EQ(0, pthread_create(&thread, NULL, reclaim_run, &reclaim));
	while (round < RECLAIM_ROUNDS_MAX &&
	       swapped_out() - before < RECLAIMED_PAGES) {
		EXPECT_TRUE(pages_keep(&self->target, self->context, round)) {
			break;
		}
		round++;
	}
	reclaim.end = true;
	pthread_join(thread, NULL);
	EXPECT_LE(RECLAIMED_PAGES, swapped_out() - before);
}

TEST_HARNESS_MAIN
