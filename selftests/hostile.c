// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server of /dev/gtdbg-vgt that lies: random registers, page tables that loop
 * or lead out of memory, broken save areas, requests that are never answered,
 * death at any time. The module must stay sane and must not make pages.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>
#include <linux/gtdbg_vgt.h>

#include "kselftest_harness.h"

#include "target.h"

#define PML4 0x300000
#define ROUNDS 30

FIXTURE(hostile)
{
	struct target target;
};

FIXTURE_SETUP(hostile)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS, 0));
}

FIXTURE_TEARDOWN(hostile)
{
	target_stop(&self->target);
}

/* Does the module still answer for this device? */
static int alive(struct target *target)
{
	struct gtdbg_thread_list list = { .device = target->peer.device };

	return ioctl(target->rig.session, GTDBG_IOC_THREAD_LIST, &list) ?
		       -errno : 0;
}

static uint32_t random32(void)
{
	return (uint32_t)random() << 16 ^ (uint32_t)random();
}

TEST_F_TIMEOUT(hostile, random_window, 500)
{
	struct target *target = &self->target;
	uint32_t offset;

	srandom(1);
	for (int round = 0; round < ROUNDS; round++) {
		for (offset = 0; offset < GTDBG_VGT_WINDOW_BYTES; offset += 4)
			memcpy(target->peer.window + offset,
			       &(uint32_t){ random32() }, 4);
		/* Sometimes the context is the right one, with wrong bits. */
		if (round % 2)
			peer_busy(&target->peer, true);
		usleep(5000);
		EXPECT_EQ(0, alive(target));
	}
}

TEST_F_TIMEOUT(hostile, random_memory, 500)
{
	struct target *target = &self->target;
	uint32_t context = 0;

	ASSERT_EQ(0, target_context(target, &context));
	srandom(2);
	for (int round = 0; round < ROUNDS; round++) {
		uint8_t buf[64];

		/* Tables, batch, ring, save area: wherever it hits. */
		for (int i = 0; i < 200; i++) {
			uint64_t at = 0x100000 + random32() % 0xb00000 / 8 * 8;
			uint64_t value = (uint64_t)random32() << 32 |
					 random32();

			if (i % 3 == 0)
				value = (value & 0x3ff000) | 0x300003;
			memcpy(target->peer.memory + at, &value, 8);
		}
		peer_stop(&target->peer, random32() % PEER_SLOTS,
			  random32(), random32());
		rig_memory(target->rig.session, round % 2,
			   target->peer.device, context,
			   PEER_CODE + random32() % 4096, buf, sizeof(buf));
		usleep(2000);
		EXPECT_EQ(0, alive(target));
	}
}

TEST_F_TIMEOUT(hostile, page_tables_in_a_loop, 500)
{
	struct target *target = &self->target;
	uint64_t entry = PML4 | 3;
	uint32_t context, word;

	ASSERT_EQ(0, target_context(target, &context));
	for (int i = 0; i < 512; i++)
		memcpy(target->peer.memory + PML4 + 8 * i, &entry, 8);
	/* Every address now leads to the table itself. */
	EXPECT_EQ(4, rig_memory(target->rig.session, false,
				target->peer.device, context, 0x123456789000,
				&word, 4));
	EXPECT_EQ(PML4 | 3, word);
	peer_stop(&target->peer, 0, 0, PEER_BREAK);
	usleep(100000);
	EXPECT_EQ(0, alive(target));
}

TEST_F(hostile, tables_out_of_memory)
{
	struct target *target = &self->target;
	uint64_t entry = 0x3ffffffff000 | 3;
	uint32_t context, word;

	ASSERT_EQ(0, target_context(target, &context));
	memcpy(target->peer.memory + PML4 + 8 * 5, &entry, 8);
	EXPECT_EQ(-EFAULT, rig_memory(target->rig.session, false,
				      target->peer.device, context,
				      5ULL << 39, &word, 4));
	EXPECT_EQ(-EFAULT, rig_memory(target->rig.session, true,
				      target->peer.device, context,
				      5ULL << 39, &word, 4));
}

TEST_F(hostile, holes_are_read_as_zero_and_never_filled)
{
	struct target *target = &self->target;
	struct stat before, after;
	uint32_t context, word = 1;

	ASSERT_EQ(0, target_context(target, &context));
	peer_map(&target->peer, 0x50000000, 0x3000000);
	ASSERT_EQ(0, fstat(target->peer.memory_fd, &before));
	EXPECT_EQ(4, rig_memory(target->rig.session, false,
				target->peer.device, context, 0x50000000,
				&word, 4));
	EXPECT_EQ(0, word);
	EXPECT_EQ(-EFAULT, rig_memory(target->rig.session, true,
				      target->peer.device, context, 0x50000000,
				      &word, 4));
	ASSERT_EQ(0, fstat(target->peer.memory_fd, &after));
	EXPECT_EQ(before.st_blocks, after.st_blocks);
}

TEST_F_TIMEOUT(hostile, broken_headers_of_the_save_area, 500)
{
	struct target *target = &self->target;
	struct gtdbg_sip_header *header =
		peer_at(&target->peer, PEER_SAVE_AREA);
	struct gtdbg_sip_header right = *header;
	uint32_t context;

	ASSERT_EQ(0, target_context(target, &context));
	srandom(3);
	for (int round = 0; round < ROUNDS; round++) {
		uint8_t *bytes = (uint8_t *)header;

		*header = right;
		bytes[8 + random32() % (sizeof(*header) - 8)] = random32();
		/* Makes the module look for the area again. */
		header->magic[0] = 0;
		peer_stop(&target->peer, round, 0x20000, PEER_HALT);
		usleep(3000);
		header->magic[0] = 't';
		usleep(3000);
		EXPECT_EQ(0, alive(target));
	}
}

/* A server that dies at once, or after some requests. */
static void death(struct target *target, int after)
{
	struct gtdbg_vgt_request request;
	struct gtdbg_vgt_ack ack;

	peer_fini(&target->peer);
	if (peer_init(&target->peer, target->token) ||
	    peer_offer(&target->peer, getpid()) < 0)
		return;
	target->peer.ending = true;
	pthread_join(target->peer.thread, NULL);
	target->peer.running = false;
	while (after--) {
		if (read(target->peer.fd, &request, sizeof(request)) !=
		    sizeof(request))
			break;
		ack.seqno = request.seqno;
		if (after && write(target->peer.fd, &ack, sizeof(ack)) < 0)
			break;
	}
}

TEST_F_TIMEOUT(hostile, death_at_any_request, 500)
{
	const struct gtdbg_event_device_lost *lost;
	struct target *target = &self->target;
	struct rig_event event;

	for (int after = 0; after < 6; after++) {
		death(target, after);
		usleep(2000);
		peer_fini(&target->peer);
		ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_DEVICE_LOST,
				      &event));
		lost = event.payload;
		/* It did answer, but the device did not wake up. */
		EXPECT_NE(0, lost->reason);
		EXPECT_GE(GTDBG_LOSS_TIMEOUT, lost->reason);
	}
}

TEST_F_TIMEOUT(hostile, silence_is_device_loss_in_bounded_time, 60)
{
	const struct gtdbg_event_device_lost *lost;
	struct target *target = &self->target;
	struct rig_event event;

	/* One is lost as it goes, the other because it does not answer. */
	death(target, 0);
	peer_stop(&target->peer, 0, 0, PEER_BREAK);
	do {
		ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_DEVICE_LOST,
				      &event));
		lost = event.payload;
	} while (lost->reason != GTDBG_LOSS_TIMEOUT);
	EXPECT_EQ((uint32_t)target->peer.device, lost->device);
}

static int offer(const struct gtdbg_vgt_offer *request)
{
	int fd = open("/dev/gtdbg-vgt", O_RDWR | O_CLOEXEC);
	int ret = ioctl(fd, GTDBG_VGT_IOC_OFFER, request);

	ret = ret < 0 ? -errno : 0;
	close(fd);
	return ret;
}

TEST_F(hostile, offers_are_checked)
{
	const struct gtdbg_vgt_offer right = {
		.platform = GTDBG_PLATFORM_GEN12LP,
		.pid = getpid(),
		.memory_fd = self->target.peer.memory_fd,
		.memory_bytes = PEER_MEMORY_BYTES,
		.ggtt_entries = 64,
		.slices = 1,
		.subslices = 6,
		.eus = 16,
		.threads = 7,
	};
	struct gtdbg_vgt_offer wrong = right;

	EXPECT_EQ(0, offer(&right));
	wrong.platform = 99;
	EXPECT_EQ(-EOPNOTSUPP, offer(&wrong));
	wrong = right;
	wrong.subslices = 7;
	EXPECT_EQ(-EINVAL, offer(&wrong));
	wrong = right;
	wrong.memory_bytes = PEER_MEMORY_BYTES + 4096;
	EXPECT_EQ(-EINVAL, offer(&wrong));
	wrong = right;
	wrong.ggtt_address = PEER_MEMORY_BYTES - 8;
	EXPECT_EQ(-EINVAL, offer(&wrong));
	wrong = right;
	wrong.pid = 0x7ffffff;
	EXPECT_EQ(-ESRCH, offer(&wrong));
	wrong = right;
	wrong.memory_fd = open("/proc/self/exe", O_RDONLY);
	EXPECT_EQ(-EBADF, offer(&wrong));
	close(wrong.memory_fd);
	wrong.memory_fd = -1;
	EXPECT_EQ(-EBADF, offer(&wrong));
}

TEST_F(hostile, memory_cannot_be_sealed_under_the_module)
{
	struct target *target = &self->target;

	EXPECT_EQ(-1, fcntl(target->peer.memory_fd, F_ADD_SEALS,
			    F_SEAL_WRITE));
}

TEST_HARNESS_MAIN
