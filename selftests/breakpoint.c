// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breakpoints in number, in code that cannot be written, and seen by who reads
 * and writes memory.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "target.h"

#define PLAIN 0x61
#define BREAK 0x40000000
#define PLANTED 64
#define CROWD 64 /* threads that stop at once */
#define ROUNDS 100
#define LIMIT_S 60 /* what takes minutes if each one looks at all others */

FIXTURE(breakpoint)
{
	struct target target;
	uint32_t context;
};

FIXTURE_SETUP(breakpoint)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_context(&self->target, &self->context));
}

FIXTURE_TEARDOWN(breakpoint)
{
	target_stop(&self->target);
}

static uint32_t dword_at(struct target *target, uint64_t offset)
{
	uint32_t dword;

	memcpy(&dword, peer_at(&target->peer, PEER_CODE + offset), 4);
	return dword;
}

static int set(struct target *target, struct gtdbg_breakpoint_set *request)
{
	int ret = ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_SET, request);

	return ret < 0 ? -errno : ret;
}

static int set_many(struct target *target, struct gtdbg_breakpoint_place *places,
		    uint32_t count)
{
	struct gtdbg_breakpoint_set_many request = {
		.places = (uintptr_t)places, .count = count,
	};
	int ret = ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_SET_MANY,
			&request);

	return ret < 0 ? -errno : ret;
}

static int clear_many(struct target *target, const uint32_t *ids,
		      uint32_t count)
{
	struct gtdbg_breakpoint_clear_many request = {
		.breakpoints = (uintptr_t)ids, .count = count,
	};
	int ret = ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_CLEAR_MANY,
			&request);

	return ret < 0 ? -errno : ret;
}

static int clear(struct target *target, uint32_t id)
{
	struct gtdbg_breakpoint_clear request = { .breakpoint = id };

	return ioctl(target->rig.session, GTDBG_IOC_BREAKPOINT_CLEAR, &request);
}

static int kernel_add(struct target *target, const char *name, uint32_t cookie,
		      const void *isa, uint64_t len_bytes)
{
	struct gtdbg_kernel_add add = {
		.cookie = cookie,
		.name = (uintptr_t)name,
		.name_len_bytes = strlen(name),
		.isa = (uintptr_t)isa,
		.isa_len_bytes = len_bytes,
	};
	int ret = ioctl(target->client, GTDBG_IOC_KERNEL_ADD, &add);

	return ret < 0 ? -errno : ret;
}

static int kernel_remove(struct target *target, uint32_t kernel)
{
	struct gtdbg_kernel_remove request = { .kernel = kernel };

	return ioctl(target->client, GTDBG_IOC_KERNEL_REMOVE, &request);
}

/* The kernel is seen to be where it is. */
static int load(struct target *target)
{
	struct rig_event event;

	return target_submit(target, 0, &event) ?:
	       !peer_wait_resumes(&target->peer, 1);
}

TEST_F(breakpoint, each_of_many_has_its_result)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_place places[] = {
		{ .kernel = target->kernel, .offset = 32 },
		{ .kernel = target->kernel, .offset = 24 },
		{ .kernel = 12345, .offset = 32 },
		{ .device = target->peer.device, .context = self->context,
		  .offset = PEER_CODE + 64 },
		{ .kernel = target->kernel, .offset = 48, .breakpoint = 99,
		  .planted = 99, .failed = 99 },
	};

	ASSERT_EQ(0, load(target));
	EXPECT_EQ(3, set_many(target, places, 5));
	EXPECT_LT(0, places[0].breakpoint);
	EXPECT_EQ(-EINVAL, places[1].breakpoint);
	EXPECT_EQ(-ENOENT, places[2].breakpoint);
	EXPECT_LT(0, places[3].breakpoint);
	EXPECT_LT(places[3].breakpoint, places[4].breakpoint);
	EXPECT_EQ(1, places[0].planted);
	EXPECT_EQ(0, places[1].planted);
	EXPECT_EQ(1, places[3].planted);
	EXPECT_EQ(1, places[4].planted);
	EXPECT_EQ(0, places[4].failed);
	for (uint64_t at = 16; at < 96; at += 16)
		EXPECT_EQ(at == 16 || at == 80 ? PLAIN : PLAIN | BREAK,
			  dword_at(target, at));
	EXPECT_EQ(-EINVAL, set_many(target, places + 1, 1));
	EXPECT_EQ(-EINVAL, set_many(target, places, 0));
	EXPECT_EQ(-EINVAL, set_many(target, places,
				    GTDBG_BREAKPOINT_PLACES_MAX + 1));
	EXPECT_EQ(-EFAULT, set_many(target, (void *)8, 1));
}

/* Two of them are at one instruction, which is restored with the second. */
TEST_F(breakpoint, many_are_cleared_at_once)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_place places[] = {
		{ .kernel = target->kernel, .offset = 32 },
		{ .kernel = target->kernel, .offset = 48 },
		{ .kernel = target->kernel, .offset = 48 },
		{ .kernel = target->kernel, .offset = 64 },
	};
	uint32_t ids[4];

	ASSERT_EQ(0, load(target));
	ASSERT_EQ(4, set_many(target, places, 4));
	for (int i = 0; i < 4; i++)
		ids[i] = places[i].breakpoint;
	EXPECT_EQ(-EINVAL, clear_many(target, ids, 0));
	EXPECT_EQ(-EINVAL, clear_many(target, ids,
				      GTDBG_BREAKPOINT_PLACES_MAX + 1));
	EXPECT_EQ(-EFAULT, clear_many(target, (void *)8, 1));
	EXPECT_EQ(2, clear_many(target, ids, 2));
	EXPECT_EQ(PLAIN, dword_at(target, 32));
	EXPECT_EQ(PLAIN | BREAK, dword_at(target, 48));
	/* What is gone does not keep the others. */
	EXPECT_EQ(2, clear_many(target, ids, 4));
	EXPECT_EQ(PLAIN, dword_at(target, 48));
	EXPECT_EQ(PLAIN, dword_at(target, 64));
	EXPECT_EQ(-ENOENT, clear_many(target, ids, 4));
}

struct clearing {
	struct target *target;
	uint32_t id;
};

static void *clear_it(void *data)
{
	struct clearing *clearing = data;

	return (void *)(long)clear(clearing->target, clearing->id);
}

/* How many threads of the slots from 1 on still wait? */
static uint32_t waiting(struct target *target)
{
	uint32_t count = 0;

	for (uint32_t slot = 1; slot <= CROWD; slot++)
		count += ((volatile bool *)target->peer.waiting)[slot];
	return count;
}

/* Those that are reported go on, until none waits; false: one has no breakpoint. */
static bool crowd_goes_on(struct target *target)
{
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	bool named = true;

	while (waiting(target)) {
		if (rig_any(&target->rig, &event, 1) ||
		    event.head->kind != GTDBG_EVENT_THREAD_STOP)
			continue;
		stop = event.payload;
		named = named && stop->thread.breakpoint;
		rig_resume(target->rig.session, target->peer.device,
			   stop->thread.slot, 1, GTDBG_RESUME_RUN);
	}
	return named;
}

/*
 * The program has no breakpoint of its own: a thread either came before it was cleared,
 * and is reported for it, or goes on.
 */
TEST_F(breakpoint, one_that_is_cleared_meanwhile_stops_for_nobody)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_set request = {
		.kernel = target->kernel, .offset = 32,
	};
	struct clearing clearing = { .target = target };
	pthread_t thread;
	void *failed;
	int id;

	ASSERT_EQ(0, load(target));
	for (int round = 0; round < ROUNDS; round++) {
		id = set(target, &request);
		ASSERT_LT(0, id);
		clearing.id = (uint32_t)id;
		pthread_mutex_lock(&target->peer.lock);
		for (uint32_t slot = 1; slot <= CROWD; slot++)
			peer_stop_locked(&target->peer, slot,
					 PEER_KERNEL_IP + 32, PEER_BREAK);
		pthread_mutex_unlock(&target->peer.lock);
		ASSERT_EQ(0, pthread_create(&thread, NULL, clear_it, &clearing));
		EXPECT_TRUE(crowd_goes_on(target));
		pthread_join(thread, &failed);
		EXPECT_EQ(NULL, failed);
	}
}

static uint64_t invalidates(struct target *target)
{
	uint64_t count;

	pthread_mutex_lock(&target->peer.lock);
	count = target->peer.invalidates;
	pthread_mutex_unlock(&target->peer.lock);
	return count;
}

/* Others run, and are not to get past a new one until that thread is resumed. */
TEST_F(breakpoint, is_new_for_all_threads_though_one_is_stopped)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_set first = {
		.kernel = target->kernel, .offset = 32,
	};
	struct gtdbg_breakpoint_set second = {
		.kernel = target->kernel, .offset = 48,
	};
	struct rig_event event;
	uint64_t before;

	ASSERT_EQ(0, load(target));
	ASSERT_LT(0, set(target, &first));
	peer_stop(&target->peer, 1, PEER_KERNEL_IP + 32, PEER_BREAK);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	before = invalidates(target);
	ASSERT_LT(0, set(target, &second));
	EXPECT_LT(before, invalidates(target));
	EXPECT_EQ(1, rig_resume(target->rig.session, target->peer.device, 1, 1,
				GTDBG_RESUME_RUN));
}

/* The kernel is longer than what of it is mapped. */
TEST_F(breakpoint, place_that_is_not_mapped_is_counted)
{
	static uint8_t isa[2 * PEER_KERNEL_BYTES];
	struct gtdbg_breakpoint_set request = { .offset = PEER_KERNEL_BYTES };
	struct target *target = &self->target;
	int kernel;

	peer_code(isa, PEER_COOKIE);
	peer_code(isa + PEER_KERNEL_BYTES, 0);
	ASSERT_EQ(0, kernel_remove(target, target->kernel));
	kernel = kernel_add(target, "long", PEER_COOKIE, isa, sizeof(isa));
	ASSERT_LT(0, kernel);
	ASSERT_EQ(0, load(target));
	request.kernel = kernel;
	EXPECT_LT(0, set(target, &request));
	EXPECT_EQ(0, request.planted);
	EXPECT_EQ(1, request.failed);
	request.offset = 32;
	EXPECT_LT(0, set(target, &request));
	EXPECT_EQ(1, request.planted);
	EXPECT_EQ(0, request.failed);
}

/* By address there is no other place where it might be hit. */
TEST_F(breakpoint, address_that_cannot_be_planted_is_refused)
{
	struct gtdbg_breakpoint_set request = {
		.device = self->target.peer.device,
		.context = self->context,
		.offset = PEER_CODE + 0x100000,
	};

	EXPECT_EQ(-EFAULT, set(&self->target, &request));
}

TEST_F(breakpoint, code_that_is_put_there_anew_has_them_again)
{
	struct target *target = &self->target;

	ASSERT_EQ(0, load(target));
	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel, 32));
	EXPECT_EQ(PLAIN | BREAK, dword_at(target, 32));
	peer_code(peer_at(&target->peer, PEER_CODE), PEER_COOKIE);
	EXPECT_EQ(PLAIN, dword_at(target, 32));
	peer_stop(&target->peer, 1, PEER_KERNEL_IP, PEER_BREAK);
	ASSERT_TRUE(peer_wait_resumes(&target->peer, 2));
	EXPECT_EQ(PLAIN | BREAK, dword_at(target, 32));
}

static int memory(struct target *target, uint32_t context, bool write,
		  uint64_t offset, void *buf, size_t len_bytes)
{
	return rig_memory(target->rig.session, write, target->peer.device,
			  context, PEER_CODE + offset, buf, len_bytes);
}

/* What is read is the program: of the entry, with the compiler's own bit. */
TEST_F(breakpoint, bits_are_not_seen_in_memory)
{
	uint8_t code[PEER_KERNEL_BYTES], seen[PEER_KERNEL_BYTES], byte;
	struct target *target = &self->target;

	peer_code(memset(code, 0, sizeof(code)), PEER_COOKIE);
	ASSERT_EQ(0, load(target));
	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel, 32));
	ASSERT_LT(0, rig_breakpoint(target->rig.session, target->kernel, 64));
	EXPECT_EQ(PLAIN | BREAK, dword_at(target, 32));
	EXPECT_EQ(PLAIN, dword_at(target, 0));
	ASSERT_EQ((int)sizeof(seen), memory(target, self->context, false, 0,
					    seen, sizeof(seen)));
	EXPECT_EQ(0, memcmp(code, seen, sizeof(seen)));
	/* The byte with the bit alone. */
	ASSERT_EQ(1, memory(target, self->context, false, 35, &byte, 1));
	EXPECT_EQ(0, byte);
	ASSERT_EQ(3, memory(target, self->context, false, 32, seen, 3));
	EXPECT_EQ(0, memcmp(code + 32, seen, 3));
}

TEST_F(breakpoint, bits_are_kept_over_writes)
{
	const uint32_t other = 0x40, compact = 0x20000040;
	struct target *target = &self->target;
	uint32_t seen;
	uint8_t byte = 0x65;
	int id;

	ASSERT_EQ(0, load(target));
	id = rig_breakpoint(target->rig.session, target->kernel, 32);
	ASSERT_LT(0, id);
	ASSERT_EQ(4, memory(target, self->context, true, 32, (void *)&other, 4));
	EXPECT_EQ(other | BREAK, dword_at(target, 32));
	ASSERT_EQ(4, memory(target, self->context, false, 32, &seen, 4));
	EXPECT_EQ(other, seen);
	/* A part of it; then one whose bit is at another place. */
	ASSERT_EQ(1, memory(target, self->context, true, 32, &byte, 1));
	EXPECT_EQ(0x65 | BREAK, dword_at(target, 32));
	ASSERT_EQ(4, memory(target, self->context, true, 32, (void *)&compact,
			    4));
	EXPECT_EQ(compact | 0x80, dword_at(target, 32));
	EXPECT_EQ(0, clear(target, id));
	EXPECT_EQ(compact, dword_at(target, 32));
}

static uint64_t scans(struct target *target)
{
	struct gtdbg_session_stats stats = { .flags = 0 };

	return ioctl(target->rig.session, GTDBG_IOC_SESSION_STATS, &stats) ?
		       0 : stats.scans;
}

/* Without anyone who wants to know of launches, there is nothing to stop for. */
/*
 * Two at each instruction but one, in no order, among places that are refused. Each
 * is found again by its number and by its place.
 */
#define MIXED_PLACES (PEER_KERNEL_BYTES / 16 - 1)

TEST_F(breakpoint, many_in_any_order_are_found_again)
{
	static struct gtdbg_breakpoint_place places[3 * MIXED_PLACES];
	static uint32_t first[MIXED_PLACES], second[MIXED_PLACES];
	struct target *target = &self->target;

	ASSERT_EQ(0, load(target));
	/* 101 has no divisor in common with their number, so each comes by. */
	for (int i = 0; i < 3 * MIXED_PLACES; i++) {
		places[i].kernel = i % 3 == 1 ? 12345 : target->kernel;
		places[i].offset = 16 + 16 * (i / 3 * 101 % MIXED_PLACES);
	}
	/* One is alone at its instruction. */
	places[2].offset = 8;
	ASSERT_EQ(2 * MIXED_PLACES - 1,
		  set_many(target, places, 3 * MIXED_PLACES));
	for (int i = 0; i < MIXED_PLACES; i++) {
		EXPECT_EQ(1, places[3 * i].planted);
		EXPECT_EQ(-ENOENT, places[3 * i + 1].breakpoint);
		EXPECT_EQ(i ? 1 : 0, places[3 * i + 2].planted);
		first[i] = places[3 * i].breakpoint;
		second[i] = places[3 * i + 2].breakpoint;
	}
	EXPECT_EQ(-EINVAL, places[2].breakpoint);
	EXPECT_EQ(MIXED_PLACES, clear_many(target, first, MIXED_PLACES));
	EXPECT_EQ(PLAIN, dword_at(target, 16));
	for (uint64_t at = 32; at < PEER_KERNEL_BYTES; at += 16)
		EXPECT_EQ(PLAIN | BREAK, dword_at(target, at));
	EXPECT_EQ(MIXED_PLACES - 1,
		  clear_many(target, second + 1, MIXED_PLACES - 1));
	for (uint64_t at = 16; at < PEER_KERNEL_BYTES; at += 16)
		EXPECT_EQ(PLAIN, dword_at(target, at));
}

TEST_F(breakpoint, kernel_without_them_is_left_alone)
{
	struct gtdbg_event_mask masks = {
		RIG_ALL_EVENTS & ~(1ULL << GTDBG_EVENT_KERNEL_SUBMIT), 0,
	};
	struct target *target = &self->target;
	uint64_t before;

	ASSERT_EQ(0, load(target));
	ASSERT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_EVENT_MASK, &masks));
	for (int round = 0; round < 3; round++) {
		peer_busy(&target->peer, round % 2);
		before = scans(target);
		while (scans(target) < before + 2)
			usleep(1000);
		EXPECT_EQ(PLAIN, dword_at(target, 0));
	}
}

/* Each place once, in kernels that are removed and made again. */
#define MANY_KERNELS 64
#define MANY_INSTRUCTIONS (GTDBG_BREAKPOINT_PLACES_MAX / MANY_KERNELS)

TEST_F(breakpoint, as_many_as_there_may_be)
{
	static struct gtdbg_breakpoint_place places[GTDBG_BREAKPOINT_PLACES_MAX];
	static uint32_t ids[GTDBG_BREAKPOINT_PLACES_MAX];
	static uint8_t isa[PEER_KERNEL_BYTES];
	struct target *target = &self->target;
	struct gtdbg_breakpoint_set more = { .offset = 16 };
	int kernel = 0;

	peer_code(isa, 1);
	for (int i = 0; i < GTDBG_BREAKPOINT_PLACES_MAX; i++) {
		if (i % MANY_INSTRUCTIONS == 0)
			kernel = kernel_add(target, "many", 0x100 + i, isa,
					    sizeof(isa));
		ASSERT_LT(0, kernel);
		places[i].kernel = kernel;
		places[i].offset = 16 + i % MANY_INSTRUCTIONS * 16;
	}
	ASSERT_EQ(GTDBG_BREAKPOINT_PLACES_MAX,
		  set_many(target, places, GTDBG_BREAKPOINT_PLACES_MAX));
	more.kernel = kernel;
	EXPECT_EQ(-EDQUOT, set(target, &more));
	EXPECT_EQ(0, clear(target, places[7].breakpoint));
	EXPECT_LT(0, set(target, &more));
	for (int i = 0; i < GTDBG_BREAKPOINT_PLACES_MAX; i++)
		ids[i] = places[i].breakpoint;
	EXPECT_EQ(GTDBG_BREAKPOINT_PLACES_MAX - 1,
		  clear_many(target, ids, GTDBG_BREAKPOINT_PLACES_MAX));
}

/* EFAULT: they were charged, and then there is no source to be read. */
static bool has_room(struct target *target, uint64_t bytes)
{
	struct gtdbg_module_add add = {
		.source = 8, .source_len_bytes = bytes,
	};

	return ioctl(target->client, GTDBG_IOC_MODULE_ADD, &add) < 0 &&
	       errno == EFAULT;
}

/* How many bytes the user may still register. */
static uint64_t room(struct target *target)
{
	uint64_t low = 0, high = 1ULL << 40;

	while (high - low > 1) {
		if (has_room(target, (low + high) / 2))
			low = (low + high) / 2;
		else
			high = (low + high) / 2;
	}
	return low;
}

/* To put one back takes its address and the instruction at least. */
TEST_F(breakpoint, planted_ones_count_as_bytes_of_a_user)
{
	struct gtdbg_breakpoint_place places[PLANTED];
	struct target *target = &self->target;
	uint32_t ids[PLANTED];
	uint64_t before;

	ASSERT_EQ(0, load(target));
	for (int i = 0; i < PLANTED; i++)
		places[i] = (struct gtdbg_breakpoint_place){
			.kernel = target->kernel, .offset = 16 * (i + 1),
		};
	before = room(target);
	ASSERT_EQ(PLANTED, set_many(target, places, PLANTED));
	EXPECT_GE(before, room(target) + PLANTED * 12);
	for (int i = 0; i < PLANTED; i++) {
		EXPECT_EQ(1, places[i].planted);
		ids[i] = places[i].breakpoint;
	}
	ASSERT_EQ(PLANTED, clear_many(target, ids, PLANTED));
	EXPECT_EQ(before, room(target));
}

/*
 * All breakpoints wait for a kernel of 16 MiB that comes again: to look for each
 * place from the start of the code takes minutes.
 */
TEST_F(breakpoint, long_kernel_is_decoded_once)
{
	static struct gtdbg_breakpoint_place places[GTDBG_BREAKPOINT_PLACES_MAX];
	const uint64_t len_bytes = 16 << 20;
	struct target *target = &self->target;
	uint8_t *isa = calloc(1, len_bytes);
	uint64_t start = rig_now_ns();
	int kernel;

	ASSERT_NE(NULL, isa);
	kernel = kernel_add(target, "long", 7, isa, len_bytes);
	ASSERT_LT(0, kernel);
	for (int i = 0; i < GTDBG_BREAKPOINT_PLACES_MAX; i++) {
		places[i].kernel = kernel;
		places[i].offset = len_bytes - 16 * (i + 1);
	}
	ASSERT_EQ(GTDBG_BREAKPOINT_PLACES_MAX,
		  set_many(target, places, GTDBG_BREAKPOINT_PLACES_MAX));
	ASSERT_EQ(0, kernel_remove(target, kernel));
	EXPECT_EQ(0, clear(target, places[0].breakpoint));
	EXPECT_LT(0, kernel_add(target, "long", 7, isa, len_bytes));
	EXPECT_GT(LIMIT_S * 1000000000ULL, rig_now_ns() - start);
	free(isa);
}

/* As one whose page was away when it was to be cleared: the code came without it. */
TEST_F(breakpoint, one_that_was_left_behind_is_none_of_the_codes)
{
	struct target *target = &self->target;
	struct gtdbg_breakpoint_set at = { .offset = 32 };
	uint32_t *dword0 = peer_at(&target->peer, PEER_CODE + 32);
	int id;

	*dword0 |= BREAK;
	ASSERT_EQ(0, load(target));
	at.kernel = target->kernel;
	id = set(target, &at);
	ASSERT_LT(0, id);
	EXPECT_EQ(PLAIN | BREAK, *dword0);
	EXPECT_EQ(0, clear(target, id));
	EXPECT_EQ(PLAIN, *dword0);
}

struct setter {
	struct target *target;
	struct gtdbg_breakpoint_place *places;
	int ret;
	bool done;
};

static void *set_all(void *arg)
{
	struct setter *setter = arg;

	setter->ret = set_many(setter->target, setter->places,
			       GTDBG_BREAKPOINT_PLACES_MAX);
	__atomic_store_n(&setter->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void clear_all(struct setter *setter)
{
	static uint32_t ids[GTDBG_BREAKPOINT_PLACES_MAX];

	for (int i = 0; i < GTDBG_BREAKPOINT_PLACES_MAX; i++) {
		ids[i] = setter->places[i].breakpoint;
		setter->places[i].breakpoint = 0;
	}
	clear_many(setter->target, ids, GTDBG_BREAKPOINT_PLACES_MAX);
}

/* Begun, they leave no room for another one. */
static void set_all_until_there(struct setter *setter)
{
	struct gtdbg_breakpoint_set more = {
		.kernel = setter->target->kernel, .offset = 16,
	};
	int ret;

	do {
		ret = set(setter->target, &more);
		if (ret > 0)
			clear(setter->target, ret);
	} while (ret > 0 && !__atomic_load_n(&setter->done, __ATOMIC_ACQUIRE));
}

/* The results cannot be written: until that is met, which is a matter of time. */
TEST_F(breakpoint, results_that_cannot_be_written_leave_none)
{
	const size_t bytes = GTDBG_BREAKPOINT_PLACES_MAX *
			     sizeof(struct gtdbg_breakpoint_place);
	struct setter setter = { .target = &self->target };
	uint64_t end = rig_now_ns() + LIMIT_S * 1000000000ULL;
	pthread_t thread;

	ASSERT_EQ(0, load(setter.target));
	setter.places = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, setter.places);
	for (int i = 0; i < GTDBG_BREAKPOINT_PLACES_MAX; i++) {
		setter.places[i].kernel = setter.target->kernel;
		setter.places[i].offset = 16;
	}
	do {
		setter.done = false;
		ASSERT_EQ(0, pthread_create(&thread, NULL, set_all, &setter));
		set_all_until_there(&setter);
		mprotect(setter.places, bytes, PROT_READ);
		pthread_join(thread, NULL);
		mprotect(setter.places, bytes, PROT_READ | PROT_WRITE);
		if (setter.ret > 0)
			clear_all(&setter);
	} while (setter.ret > 0 && rig_now_ns() < end);
	if (setter.ret > 0)
		SKIP(return, "the results were written each time");
	EXPECT_EQ(-EFAULT, setter.ret);
	EXPECT_EQ(GTDBG_BREAKPOINT_PLACES_MAX,
		  set_many(setter.target, setter.places,
			   GTDBG_BREAKPOINT_PLACES_MAX));
	clear_all(&setter);
	EXPECT_EQ(PLAIN, dword_at(setter.target, 16));
	munmap(setter.places, bytes);
}

TEST_HARNESS_MAIN
