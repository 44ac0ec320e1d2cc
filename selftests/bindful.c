// SPDX-License-Identifier: GPL-2.0-only
/*
 * The SIP that the runtime installs by itself: its code is Intel's, taken from
 * the compiler's library. The peer plays what it does, as its disassembly has
 * it: thread state lies in the surface at the start of the surface heap, and
 * r0.4 in a slot is 0x00ffffff from the beginning of a stop until a command.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/gtdbg_sip.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

#include "target.h"

#define LIBRARY "/usr/lib/x86_64-linux-gnu/libigc.so.1"
#define SIP_BYTES 12608

/* GPU addresses, and physical ones. */
#define SIP 0x10100000ULL
#define SIP_PHYS 0x600000
#define HEAP 0x40000000ULL
#define HEAP_PHYS 0x610000
#define AREA 0x50000000ULL
#define AREA_PHYS 0x1000000
#define SLOT_BYTES 0x1800
#define PML4 0x300000 /* the peer's own */
#define OTHER_PML4 0x3000000 /* room for more */
#define IMAGE_PML4 0x2010cc /* where the context image names it */
#define CONTEXTS_MANY 280
#define CONTEXTS_MAX "/sys/module/gtdbg/parameters/contexts_max"
#define LONG_NS 9000000000ULL /* of an interrupt, unless something ends it */
#define AREA_BYTES (PEER_SLOTS * SLOT_BYTES)
#define OLD_AREA_PHYS 0x800000 /* peer's own, with a header */

/* The batch of the peer: after 28 bytes the command that sets the bases. */
#define BATCH_SURFACE_BASE (28 + 16)
#define BATCH_SIP (28 + 88)

/* In a slot. */
#define R0_4 0x10
#define EMASK 0x103c
#define SR0 0x1040
#define SR0_2 0x1048
#define CR0_1 0x1064
#define CR0_2 0x1068
#define SAVED_LAST 0x12b8

#define WAITS 0x00ffffffU
#define IP 0x10040U /* in the peer's kernel, not its first instruction */

static uint8_t sip_code[SIP_BYTES];

/* The code begins with "mov null, 0x1243". */
static bool sip_load(void)
{
	static const uint8_t first[16] = {
		0x61, 0x00, 0x00, 0x80, 0x20, 0x42, 0x01, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x43, 0x12, 0x00, 0x00,
	};
	int fd = open(LIBRARY, O_RDONLY | O_CLOEXEC);
	const uint8_t *library, *at = NULL;
	struct stat stat;

	if (fd < 0 || fstat(fd, &stat))
		return false;
	library = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (library == MAP_FAILED)
		return false;
	at = memmem(library, stat.st_size, first, sizeof(first));
	if (at)
		memcpy(sip_code, at, SIP_BYTES);
	munmap((void *)library, stat.st_size);
	return at;
}

static void map(struct peer *peer, uint64_t va, uint64_t phys, uint64_t bytes)
{
	for (uint64_t at = 0; at < bytes; at += 4096)
		peer_map(peer, va + at, phys + at);
}

static void batch_set(struct peer *peer, uint32_t at, uint64_t value)
{
	memcpy((uint8_t *)peer_at(peer, PEER_BATCH) + at, &value, 8);
}

/* A raw buffer, among other bits that mean nothing. */
static void surface_set(struct peer *peer, uint64_t address, uint64_t bytes)
{
	uint32_t state[16] = { 0x8ffd43eb, 0x84a95c83 };

	bytes--;
	state[2] = 0xc0008000 | (bytes & 0x7f) | (bytes >> 7 & 0x3fff) << 16;
	state[3] = 0x001a4fe9 | bytes >> 21 << 21;
	state[8] = (uint32_t)address;
	state[9] = address >> 32;
	memcpy(peer->memory + HEAP_PHYS, state, sizeof(state));
}

/* What a context looks like that runs this SIP. */
static void context_make(struct peer *peer)
{
	memset(peer->memory + OLD_AREA_PHYS, 0, 8);
	map(peer, SIP, SIP_PHYS, SIP_BYTES);
	memcpy(peer->memory + SIP_PHYS, sip_code, SIP_BYTES);
	map(peer, HEAP, HEAP_PHYS, 4096);
	map(peer, AREA, AREA_PHYS, AREA_BYTES);
	surface_set(peer, AREA, 0x1800000);
	batch_set(peer, BATCH_SURFACE_BASE, HEAP | 1);
	batch_set(peer, BATCH_SIP, (SIP - PEER_BASE) << 32 | 0x61020001);
	batch_set(peer, BATCH_SIP + 8, 0x05000000ULL << 32);
}

static void slot_set(struct peer *peer, uint32_t slot, uint32_t at,
		     uint32_t value)
{
	memcpy(peer->memory + AREA_PHYS + slot * SLOT_BYTES + at, &value, 4);
}

static uint32_t slot_get(struct peer *peer, uint32_t slot, uint32_t at)
{
	uint32_t value;

	memcpy(&value, peer->memory + AREA_PHYS + slot * SLOT_BYTES + at, 4);
	return value;
}

/* All that the SIP saves behind r0. */
static void slot_fill(struct peer *peer, uint32_t slot, uint32_t ip,
		      uint32_t cause)
{
	uint32_t place = slot % 7 | slot % 28 / 7 << 4 | slot / 28 << 7;

	slot_set(peer, slot, EMASK, 0x0f);
	slot_set(peer, slot, SR0, 0x07000000 | place);
	slot_set(peer, slot, SR0_2, 0xff);
	slot_set(peer, slot, CR0_1, cause);
	slot_set(peer, slot, CR0_2, ip);
	slot_set(peer, slot, SAVED_LAST, 0);
	slot_set(peer, slot, SAVED_LAST + 4, 0);
}

static void stop(struct peer *peer, uint32_t slot, uint32_t ip, uint32_t cause)
{
	slot_fill(peer, slot, ip, cause);
	slot_set(peer, slot, R0_4, WAITS);
	peer_raise(peer, slot);
}

static int next_stop(struct target *target, struct gtdbg_thread_info *thread)
{
	const struct gtdbg_event_thread_stop *payload;
	struct rig_event event;
	int ret = rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);

	payload = event.payload;
	if (!ret)
		*thread = payload->thread;
	return ret;
}

static bool is_quiet(struct target *target, int timeout_ms)
{
	struct rig_event event;
	int ret;

	do {
		ret = rig_any(&target->rig, &event, timeout_ms);
	} while (!ret && event.head->kind != GTDBG_EVENT_THREAD_STOP);
	return ret == -ETIMEDOUT;
}

FIXTURE(bindful)
{
	struct target target;
	uint32_t device;
};

FIXTURE_SETUP(bindful)
{
	struct target *target = &self->target;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	if (!sip_load())
		SKIP(return, "no SIP that is known in " LIBRARY);
	ASSERT_EQ(0, target_init(target));
	context_make(&target->peer);
	ASSERT_EQ(0, target_offer(target, RIG_ALL_EVENTS, 0));
	self->device = target->peer.device;
}

FIXTURE_TEARDOWN(bindful)
{
	target_stop(&self->target);
}

TEST_F(bindful, area_is_found_by_hardware_state)
{
	const struct gtdbg_event_context_add *context;
	struct rig_event event;

	do {
		ASSERT_EQ(0, rig_next(&self->target.rig,
				      GTDBG_EVENT_CONTEXT_UPDATE, &event));
		context = event.payload;
	} while (!context->save_area);
	EXPECT_EQ(GTDBG_SIP_BINDFUL, context->sip);
	EXPECT_EQ(AREA, context->save_area);
	EXPECT_EQ(PEER_BASE, context->instruction_base);
}

TEST_F(bindful, stop_is_read_from_its_slot)
{
	struct gtdbg_thread_info thread;

	stop(&self->target.peer, 671, IP, PEER_HALT);
	ASSERT_EQ(0, next_stop(&self->target, &thread));
	EXPECT_EQ(671, thread.slot);
	EXPECT_EQ(GTDBG_STOP_INTERRUPT, thread.reasons);
	EXPECT_EQ(IP, thread.ip);
	EXPECT_EQ(PEER_BASE + IP, thread.address);
	EXPECT_EQ(0x0f, thread.exec_mask);
	EXPECT_EQ(0xff, thread.dispatch_mask);
}

TEST_F(bindful, command_takes_the_place_of_r0_4)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	struct gtdbg_thread_info thread;

	stop(peer, 5, IP, PEER_HALT | 0x1000);
	ASSERT_EQ(0, next_stop(target, &thread));
	EXPECT_EQ(1, rig_resume(target->rig.session, self->device, 5, 1,
				GTDBG_RESUME_STEP));
	EXPECT_EQ(0x80ffffff, slot_get(peer, 5, R0_4));
	EXPECT_EQ(0x80001000, slot_get(peer, 5, CR0_1));
	stop(peer, 5, IP + 16, PEER_BREAK | 0x1000);
	ASSERT_EQ(0, next_stop(target, &thread));
	EXPECT_EQ(GTDBG_STOP_STEP, thread.reasons);
	EXPECT_EQ(IP + 16, thread.ip);
	EXPECT_EQ(1, rig_resume(target->rig.session, self->device, 5, 1,
				GTDBG_RESUME_RUN));
	EXPECT_EQ(0x40ffffff, slot_get(peer, 5, R0_4));
	EXPECT_EQ(0x1000, slot_get(peer, 5, CR0_1));
}

/* r0 is saved early, the rest later: a neighbour's bit may be up meanwhile. */
TEST_F(bindful, registers_still_being_saved_are_no_stop)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	struct gtdbg_thread_info thread;

	stop(peer, 5, IP, PEER_HALT);
	ASSERT_EQ(0, next_stop(target, &thread));
	EXPECT_EQ(1, rig_resume(target->rig.session, self->device, 5, 1,
				GTDBG_RESUME_RUN));
	slot_set(peer, 5, R0_4, WAITS);
	peer_raise(peer, 5);
	EXPECT_TRUE(is_quiet(target, 200));
	slot_fill(peer, 5, IP + 32, PEER_HALT);
	ASSERT_EQ(0, next_stop(target, &thread));
	EXPECT_EQ(IP + 32, thread.ip);
}

/* Slots 5 and 33 share a bit. */
TEST_F(bindful, neighbour_of_a_stopped_thread_is_left_alone)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	struct gtdbg_thread_info thread;

	stop(peer, 5, IP, PEER_HALT);
	ASSERT_EQ(0, next_stop(target, &thread));
	EXPECT_EQ(5, thread.slot);
	EXPECT_EQ(1, rig_resume(target->rig.session, self->device, 5, 1,
				GTDBG_RESUME_RUN));
	stop(peer, 33, IP, PEER_HALT);
	ASSERT_EQ(0, next_stop(target, &thread));
	EXPECT_EQ(33, thread.slot);
	EXPECT_TRUE(is_quiet(target, 200));
	/* What another thread has saved is not this one's. */
	memcpy(peer->memory + AREA_PHYS + 28 * SLOT_BYTES,
	       peer->memory + AREA_PHYS + 33 * SLOT_BYTES, SLOT_BYTES);
	peer_raise(peer, 28);
	EXPECT_TRUE(is_quiet(target, 200));
}

TEST_F(bindful, the_place_of_the_command_is_not_for_writing)
{
	struct target *target = &self->target;
	struct gtdbg_thread_info thread;
	int session = target->rig.session;
	uint32_t r[16] = { 0 }, seen[8];

	stop(&target->peer, 5, IP, PEER_HALT);
	ASSERT_EQ(0, next_stop(target, &thread));
	r[4] = 0x40000000;
	EXPECT_EQ(-EPERM, rig_registers(session, true, &thread,
					GTDBG_REGISTER_GRF, 0, 1, r, 32));
	EXPECT_EQ(-EPERM, rig_registers(session, true, &thread,
					GTDBG_REGISTER_GRF, 0, 2, r, 64));
	EXPECT_EQ(WAITS, slot_get(&target->peer, 5, R0_4));
	r[4] = WAITS;
	r[5] = 0x12345678;
	ASSERT_EQ(0, rig_registers(session, true, &thread,
				   GTDBG_REGISTER_GRF, 0, 1, r, 32));
	ASSERT_EQ(0, rig_registers(session, false, &thread,
				   GTDBG_REGISTER_GRF, 0, 1, seen, 32));
	EXPECT_EQ(0, memcmp(r, seen, 32));
}

TEST_F(bindful, sets_that_it_does_not_save_are_refused)
{
	struct gtdbg_thread_info thread;
	int session = self->target.rig.session;
	uint8_t buf[320];

	stop(&self->target.peer, 5, IP, PEER_HALT);
	ASSERT_EQ(0, next_stop(&self->target, &thread));
	EXPECT_EQ(0, rig_registers(session, false, &thread, GTDBG_REGISTER_ACC,
				   0, 2, buf, 64));
	EXPECT_EQ(-EINVAL, rig_registers(session, false, &thread,
					 GTDBG_REGISTER_ACC, 0, 3, buf, 96));
	EXPECT_EQ(-EOPNOTSUPP, rig_registers(session, false, &thread,
					     GTDBG_REGISTER_DBG, 0, 1, buf, 4));
	EXPECT_EQ(-EOPNOTSUPP, rig_registers(session, false, &thread,
					     GTDBG_REGISTER_IDENTITY, 0, 1,
					     buf, sizeof(buf)));
	EXPECT_EQ(-EOPNOTSUPP, rig_registers(session, false, &thread, 13, 0, 1,
					     buf, 128));
}

TEST_F(bindful, thread_is_lost_with_the_memory_of_the_area)
{
	struct target *target = &self->target;
	struct gtdbg_thread_info thread;
	uint32_t r0[8];

	stop(&target->peer, 5, IP, PEER_HALT);
	ASSERT_EQ(0, next_stop(target, &thread));
	surface_set(&target->peer, AREA + 4096, 0x1800000);
	peer_map(&target->peer, AREA, AREA_PHYS + 0x800000);
	usleep(100000);
	EXPECT_EQ(-ESRCH, rig_registers(target->rig.session, false, &thread,
					GTDBG_REGISTER_GRF, 0, 1, r0, 32));
	EXPECT_EQ(WAITS, slot_get(&target->peer, 5, R0_4));
}

/* A top table of its own for the context that runs from here on. */
static void context_enter(struct peer *peer, int number)
{
	uint32_t pml4 = OTHER_PML4 + 4096 * number;

	memcpy(peer->memory + pml4, peer->memory + PML4, 4096);
	memcpy(peer->memory + IMAGE_PML4, &pml4, 4);
}

/* Wait until the dword at @at is @value. */
static bool becomes(const void *at, uint32_t value)
{
	uint32_t now;

	for (int tries = RIG_TIMEOUT_MS; tries; tries--) {
		memcpy(&now, at, 4);
		if (now == value)
			return true;
		usleep(500);
	}
	return false;
}

/* A kernel of two pages, of which one is mapped. */
static int long_kernel(struct target *target)
{
	static uint8_t isa[2 * PEER_KERNEL_BYTES];
	struct gtdbg_kernel_remove remove = { .kernel = target->kernel };
	struct gtdbg_kernel_add add = {
		.cookie = PEER_COOKIE,
		.name = (uintptr_t)"long",
		.name_len_bytes = 4,
		.isa = (uintptr_t)isa,
		.isa_len_bytes = sizeof(isa),
	};

	peer_code(isa, PEER_COOKIE);
	if (ioctl(target->client, GTDBG_IOC_KERNEL_REMOVE, &remove))
		return -errno;
	return ioctl(target->client, GTDBG_IOC_KERNEL_ADD, &add);
}

/* Has the kernel's second instruction been made a breakpoint? */
static bool is_trapped(struct peer *peer)
{
	uint32_t dword0;

	memcpy(&dword0, (uint8_t *)peer_at(peer, PEER_CODE) + 16, 4);
	return dword0 >> 30 & 1;
}

/* The thread stops when the code has been made breakpoints, again and again. */
static void stop_until_seen(struct peer *peer, uint32_t slot, uint32_t ip,
			    struct rig_interrupt *interrupt)
{
	while (!rig_interrupt_has_ended(interrupt)) {
		if (is_trapped(peer))
			stop(peer, slot, ip, PEER_BREAK);
		usleep(100000);
	}
}

/* As far as it is known and mapped, all of the kernel is a breakpoint. */
TEST_F(bindful, interrupt_reaches_what_is_mapped_of_a_kernel)
{
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	uint8_t *second = (uint8_t *)peer_at(peer, PEER_CODE) + 16;
	struct rig_interrupt interrupt;

	ASSERT_LT(0, long_kernel(target));
	stop(peer, 5, PEER_KERNEL_IP, PEER_BREAK);
	ASSERT_TRUE(becomes(peer->memory + AREA_PHYS + 5 * SLOT_BYTES + R0_4,
			    0x40ffffff));
	ASSERT_TRUE(rig_interrupt_start(&interrupt, target->rig.session,
					self->device, LONG_NS));
	EXPECT_TRUE(becomes(second, 0x40000061));
	stop_until_seen(peer, 7, PEER_KERNEL_IP + 16, &interrupt);
	EXPECT_EQ(0, rig_interrupt_join(&interrupt));
	EXPECT_EQ(1, interrupt.request.stopped);
	EXPECT_TRUE(becomes(second, 0x61));
	for (uint32_t at = 16; at < PEER_KERNEL_BYTES; at += 16)
		ASSERT_TRUE(becomes(second + at - 16, 0x61));
}

static unsigned int contexts_added(struct target *target)
{
	struct rig_event event;
	unsigned int count = 0;

	while (!rig_any(&target->rig, &event, 0))
		count += event.head->kind == GTDBG_EVENT_CONTEXT_ADD;
	return count;
}

static bool contexts_max_set(const char *max)
{
	int fd = open(CONTEXTS_MAX, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, max, strlen(max)) > 0;

	close(fd);
	return done;
}

/*
 * More contexts run than are kept, while one of them has all of its kernels
 * made of breakpoints: they must be taken back there in the end. Two are kept, so
 * that a slow kernel comes to more while the breakpoints are there.
 */
TEST_F(bindful, contexts_come_and_go_during_an_interrupt)
{
	struct target *target = &self->target;
	struct rig_interrupt interrupt;
	struct rig_event event;

	if (getuid())
		SKIP(return, "needs root");
	ASSERT_TRUE(contexts_max_set("2"));
	stop(&target->peer, 5, PEER_KERNEL_IP, PEER_BREAK);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	ASSERT_TRUE(rig_interrupt_start(&interrupt, target->rig.session,
					self->device, LONG_NS));
	while (!is_trapped(&target->peer))
		usleep(100);
	for (int i = 0; is_trapped(&target->peer); i++) {
		context_enter(&target->peer, i % CONTEXTS_MANY);
		usleep(50);
	}
	rig_interrupt_join(&interrupt);
	EXPECT_TRUE(contexts_max_set("256"));
	EXPECT_FALSE(is_trapped(&target->peer));
	EXPECT_LE(2, contexts_added(target));
}

/* The code is all breakpoints, which is not for others to see. */
TEST_F(bindful, others_need_not_wait_for_an_interrupt)
{
	struct gtdbg_thread_list list = { .device = self->device };
	struct target *target = &self->target;
	struct rig_interrupt interrupt;
	struct rig_event event;
	uint64_t start;
	int observer;

	stop(&target->peer, 5, PEER_KERNEL_IP, PEER_BREAK);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	start = rig_now_ns();
	ASSERT_TRUE(rig_interrupt_start(&interrupt, target->rig.session,
					self->device, LONG_NS));
	while (!is_trapped(&target->peer))
		usleep(100);
	EXPECT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list));
	EXPECT_FALSE(rig_interrupt_has_ended(&interrupt));
	observer = target_attach(target, GTDBG_SESSION_F_OBSERVER, 0);
	EXPECT_LT(0, observer);
	close(observer);
	EXPECT_FALSE(rig_interrupt_has_ended(&interrupt));
	close(target->client);
	target->client = -1;
	EXPECT_EQ(-ENODEV, rig_interrupt_join(&interrupt));
	EXPECT_GT(LONG_NS, rig_now_ns() - start);
	EXPECT_FALSE(is_trapped(&target->peer));
}

/* Only registered code can be made breakpoints. */
TEST_F(bindful, interrupt_ends_where_no_kernel_is_loaded)
{
	const struct gtdbg_event_context_add *context;
	struct rig_interrupt interrupt;
	struct rig_event event;
	uint64_t start;

	do {
		ASSERT_EQ(0, rig_next(&self->target.rig,
				      GTDBG_EVENT_CONTEXT_UPDATE, &event));
		context = event.payload;
	} while (!context->save_area);
	start = rig_now_ns();
	ASSERT_TRUE(rig_interrupt_start(&interrupt, self->target.rig.session,
					self->device, LONG_NS));
	EXPECT_EQ(0, rig_interrupt_join(&interrupt));
	EXPECT_EQ(0, interrupt.request.stopped);
	EXPECT_GT(LONG_NS, rig_now_ns() - start);
}

/*
 * A thread is given a command under one SIP, loses its save area, and comes back
 * under another SIP as one that was given a command.
 */
TEST_F(bindful, area_changes_under_a_command)
{
	const struct gtdbg_event_context_add *update;
	struct target *target = &self->target;
	struct peer *peer = &target->peer;
	struct gtdbg_thread_list list = { .flags = 0 };
	struct gtdbg_slm_access access = { .slot = 5, .len_bytes = 4 };
	struct gtdbg_thread_info thread;
	struct rig_event event;
	uint32_t context, word;

	target_stop(target);
	ASSERT_EQ(0, target_start(target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_context(target, &context));
	peer->slm_slow = true;
	peer_stop(peer, 5, 0x20000, PEER_HALT);
	ASSERT_EQ(0, next_stop(target, &thread));
	access.device = peer->device;
	access.buf = (uintptr_t)&word;
	list.device = peer->device;
	EXPECT_EQ(-1, ioctl(target->rig.session, GTDBG_IOC_SLM_READ, &access));
	EXPECT_EQ(ETIMEDOUT, errno);
	slot_fill(peer, 5, IP, PEER_HALT);
	slot_set(peer, 5, R0_4, 0x40ffffff);
	context_make(peer);
	rig_resume(target->rig.session, peer->device, 5, 1, GTDBG_RESUME_RUN);
	do {
		ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_CONTEXT_UPDATE,
				      &event));
		update = event.payload;
	} while (update->sip != GTDBG_SIP_BINDFUL);
	peer_raise(peer, 5);
	usleep(100000);
	EXPECT_EQ(0, ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list));
}

/* Each is wrong in one respect. */
static void code_differs(struct peer *peer)
{
	peer->memory[SIP_PHYS + SIP_BYTES - 1] ^= 1;
}

static void code_is_cut_off(struct peer *peer)
{
	peer_map(peer, SIP + 0x3000, 0xfff0000000);
}

static void sip_is_not_set(struct peer *peer)
{
	batch_set(peer, BATCH_SIP, 0x05000000);
}

static void sip_is_nowhere(struct peer *peer)
{
	batch_set(peer, BATCH_SIP, 0x0bad00000000 << 16 | 0x61020001);
}

static void heap_is_not_set(struct peer *peer)
{
	batch_set(peer, BATCH_SURFACE_BASE, HEAP);
}

static void heap_is_nowhere(struct peer *peer)
{
	batch_set(peer, BATCH_SURFACE_BASE, 0x7ffffffff001);
}

static void surface_is_an_image(struct peer *peer)
{
	peer->memory[HEAP_PHYS + 3] = 0x2f;
}

static void surface_has_a_format(struct peer *peer)
{
	peer->memory[HEAP_PHYS + 3] &= ~4;
}

static void area_is_too_small(struct peer *peer)
{
	surface_set(peer, AREA, AREA_BYTES - 1);
}

static void area_is_too_large(struct peer *peer)
{
	surface_set(peer, AREA, (64 << 20) + 1);
}

static void area_is_not_aligned(struct peer *peer)
{
	surface_set(peer, AREA + 16, 0x1800000);
}

static void area_ends_early(struct peer *peer)
{
	surface_set(peer, AREA + 4096, 0x1800000);
}

static void area_is_nowhere(struct peer *peer)
{
	surface_set(peer, 0xfffffffff000, 0x1800000);
}

/* As gtdbg's library marks it, but by another client. */
static void area_is_anothers(struct peer *peer)
{
	struct gtdbg_sip_owner owner = {
		.magic = GTDBG_SIP_CONTROL_MAGIC,
		.token = 0x1234567812345678,
	};

	memcpy(peer->memory + AREA_PHYS + GTDBG_SIP_SLOT_OWNER, &owner,
	       sizeof(owner));
}

static void (*const wrong[])(struct peer *peer) = {
	code_differs, code_is_cut_off, sip_is_not_set, sip_is_nowhere,
	heap_is_not_set, heap_is_nowhere, surface_is_an_image,
	surface_has_a_format, area_is_too_small, area_is_too_large,
	area_is_not_aligned, area_ends_early, area_is_nowhere,
	area_is_anothers,
};

FIXTURE(guess)
{
	struct target target;
};

FIXTURE_SETUP(guess)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	if (!sip_load())
		SKIP(return, "no SIP that is known in " LIBRARY);
}

FIXTURE_TEARDOWN(guess)
{
}

TEST_F(guess, what_is_not_sure_is_unavailable)
{
	const struct gtdbg_event_thread_unavailable *payload;
	struct target *target = &self->target;
	struct rig_event event;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		ASSERT_EQ(0, target_init(target));
		context_make(&target->peer);
		wrong[i](&target->peer);
		ASSERT_EQ(0, target_offer(target, RIG_ALL_EVENTS, 0));
		stop(&target->peer, 5, IP, PEER_HALT);
		ASSERT_EQ(0, rig_next(&target->rig,
				      GTDBG_EVENT_THREAD_UNAVAILABLE, &event));
		payload = event.payload;
		EXPECT_EQ(GTDBG_UNAVAILABLE_NO_SAVE_AREA,
			  payload->thread.reasons);
		usleep(20000);
		EXPECT_EQ(WAITS, slot_get(&target->peer, 5, R0_4)) {
			TH_LOG("wrong[%zu]", i);
		}
		target_stop(target);
	}
}

FIXTURE(program)
{
	struct rig rig;
};

FIXTURE_SETUP(program)
{
	if (rig_missing(RIG_SIP_DEFAULT))
		SKIP(return, "%s", rig_missing(RIG_SIP_DEFAULT));
	self->rig = (struct rig){ .sip = RIG_SIP_DEFAULT, .session = -1 };
}

FIXTURE_TEARDOWN(program)
{
	rig_stop(&self->rig);
}

/* This SIP stops threads whether or not there is a session. */
TEST_F(program, runs_on_when_its_debugger_leaves)
{
	struct rig *rig = &self->rig;
	struct rig_event event;

	ASSERT_EQ(0, rig_start(rig, "sample", "32", "8", "3"));
	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	close(rig->session);
	rig->session = -1;
	EXPECT_EQ(0, rig_wait(rig));
}

/* Lane 0 gets the local id of lane 1, so item 0 has no result. */
TEST_F(program, feels_a_register_that_was_written)
{
	const struct gtdbg_event_kernel_submit *submit;
	struct rig *rig = &self->rig;
	struct gtdbg_thread_info thread = { 0 };
	uint16_t r0[16], ids[16];
	struct rig_event event;

	ASSERT_EQ(0, rig_start(rig, "sample", "32", "8", "1"));
	ASSERT_EQ(0, rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, &event));
	submit = event.payload;
	thread.device = submit->device;
	thread.slot = submit->slot;
	ASSERT_EQ(0, rig_registers(rig->session, false, &thread,
				   GTDBG_REGISTER_GRF, 0, 1, r0, 32));
	ASSERT_EQ(0, rig_registers(rig->session, false, &thread,
				   GTDBG_REGISTER_GRF, 1, 1, ids, 32));
	for (int i = 0; i < 8; i++)
		ASSERT_EQ(i, ids[i]);
	ids[0] = 1;
	ASSERT_EQ(0, rig_registers(rig->session, true, &thread,
				   GTDBG_REGISTER_GRF, 1, 1, ids, 32));
	close(rig->session);
	rig->session = -1;
	EXPECT_EQ(1, rig_wait(rig));
}

TEST_HARNESS_MAIN
