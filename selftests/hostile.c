// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server of /dev/gtdbg-vgt that lies: random registers, page tables that loop
 * or lead out of memory, broken save areas, requests that are never answered,
 * death at any time. The module must stay sane and must not make pages.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>
#include <linux/gtdbg_vgt.h>

#include "harness.h"

#include "target.h"

#define PML4 0x300000
#define ROUNDS 30
#define SILENT 3

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

/* A device whose acknowledgement does not come is lost, and rightly so. */
static bool is_forcewake_ack(uint32_t offset)
{
	return offset == 0x0d84 || offset == 0x130044;
}

TEST_F(hostile, random_window)
{
	struct target *target = &self->target;
	uint32_t offset;

	srandom(1);
	for (int round = 0; round < ROUNDS; round++) {
		for (offset = 0; offset < GTDBG_VGT_WINDOW_BYTES; offset += 4)
			if (!is_forcewake_ack(offset))
				memcpy(target->peer.window + offset,
				       &(uint32_t){ random32() }, 4);
		/* Sometimes the context is the right one, with wrong bits. */
		if (round % 2)
			peer_busy(&target->peer, true);
		usleep(5000);
		EXPECT_EQ(0, alive(target));
	}
}

TEST_F(hostile, random_memory)
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

TEST_F(hostile, page_tables_in_a_loop)
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

#define CHANGING 0x3800000ULL /* a table of each level, and a page behind them */
#define CHANGING_PLACE 5 /* in the top table */
#define CHANGING_VA ((uint64_t)CHANGING_PLACE << 39)
#define CHANGING_OFFSET 4032 /* in a page; nothing uses these entries of a table */
#define CHANGING_CALLS 4000

struct changer {
	struct target *target;
	volatile bool ending;
};

/* Of the table of level @level, 3 being the top one. */
static void *changing_entry(struct target *target, int level)
{
	uint64_t at = PML4 + 8 * CHANGING_PLACE;

	if (level < 3)
		at = CHANGING + 4096ULL * (2 - level);
	return target->peer.memory + at;
}

static uint64_t changing_right(int level)
{
	return (CHANGING + 4096ULL * (3 - level)) | 3;
}

static void *changer_run(void *argument)
{
	static const uint64_t wrong[] = {
		0, PML4 | 3, 0x3ffffffff000 | 3, CHANGING | 0x83, ~0ULL,
	};
	const size_t count = sizeof(wrong) / sizeof(wrong[0]);
	struct changer *changer = argument;
	uint64_t right;

	for (unsigned int i = 0; !changer->ending; i++) {
		right = changing_right(i % 4);
		__atomic_store_n((uint64_t *)changing_entry(changer->target,
							    i % 4),
				 wrong[i % count], __ATOMIC_RELAXED);
		__atomic_store_n((uint64_t *)changing_entry(changer->target,
							    i % 4),
				 right, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* What is done goes to where some of them led, or fails; then all is as it was. */
TEST_F(hostile, page_tables_change_while_they_are_used)
{
	struct changer changer = { .target = &self->target };
	struct target *target = &self->target;
	uint8_t buf[64], page[64];
	uint32_t context;
	pthread_t thread;

	memset(page, 0x5a, sizeof(page));
	for (int level = 3; level >= 0; level--)
		*(uint64_t *)changing_entry(target, level) =
			changing_right(level);
	memset(target->peer.memory + CHANGING + 3 * 4096, 1, 4096);
	ASSERT_EQ(0, target_context(target, &context));
	ASSERT_EQ(0, pthread_create(&thread, NULL, changer_run, &changer));
	for (int i = 0; i < CHANGING_CALLS; i++) {
		bool write = i % 2;
		int ret;

		memcpy(buf, page, sizeof(buf));
		ret = rig_memory(target->rig.session, write,
				 target->peer.device, context,
				 CHANGING_VA + CHANGING_OFFSET, buf, sizeof(buf));
		EXPECT_TRUE(ret == sizeof(buf) || ret == -EFAULT)
			TH_LOG("%d", ret);
	}
	changer.ending = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, alive(target));
	EXPECT_EQ(sizeof(buf), rig_memory(target->rig.session, true,
					  target->peer.device, context,
					  CHANGING_VA + CHANGING_OFFSET, page,
					  sizeof(page)));
	EXPECT_EQ(0, memcmp(target->peer.memory + CHANGING + 3 * 4096 +
			    CHANGING_OFFSET, page, sizeof(page)));
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

TEST_F(hostile, broken_headers_of_the_save_area)
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
	    peer_serve(&target->peer, target->client) < 0)
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

TEST_F(hostile, death_at_any_request)
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

TEST_F_TIMEOUT(hostile, silence_is_device_loss_in_bounded_time, 600)
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
		.client_fd = self->target.client,
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
	wrong.client_fd = -1;
	EXPECT_EQ(-EBADF, offer(&wrong));
	wrong.client_fd = self->target.peer.memory_fd;
	EXPECT_EQ(-EBADF, offer(&wrong));
	wrong.client_fd = self->target.rig.control;
	EXPECT_EQ(-EINVAL, offer(&wrong));
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

/*
 * Such a seal lets nobody write who has not mapped the file before: a server
 * that was given it must not be able to write through the module.
 */
TEST_F(hostile, sealed_memory_is_refused)
{
	struct gtdbg_vgt_offer request = {
		.platform = GTDBG_PLATFORM_GEN12LP,
		.client_fd = self->target.client,
		.memory_fd = memfd_create("sealed", MFD_ALLOW_SEALING),
		.memory_bytes = 4096,
		.slices = 1,
		.subslices = 6,
		.eus = 16,
		.threads = 7,
	};

	ASSERT_EQ(0, ftruncate(request.memory_fd, 4096));
	EXPECT_EQ(0, offer(&request));
	ASSERT_EQ(0, fcntl(request.memory_fd, F_ADD_SEALS,
			   F_SEAL_FUTURE_WRITE));
	EXPECT_EQ(-EPERM, offer(&request));
	ASSERT_EQ(0, fcntl(request.memory_fd, F_ADD_SEALS, F_SEAL_WRITE));
	EXPECT_EQ(-EPERM, offer(&request));
	close(request.memory_fd);
}

/* What the server takes away while the module uses it reads as zero. */
TEST_F(hostile, memory_is_cut_short_under_the_module)
{
	struct target *target = &self->target;
	uint32_t context, word = 1;

	ASSERT_EQ(0, target_context(target, &context));
	ASSERT_EQ(0, ftruncate(target->peer.memory_fd, 0x500000));
	EXPECT_EQ(4, rig_memory(target->rig.session, false,
				target->peer.device, context, PEER_CODE, &word,
				4));
	EXPECT_EQ(0, word);
	EXPECT_EQ(-EFAULT, rig_memory(target->rig.session, true,
				      target->peer.device, context, PEER_CODE,
				      &word, 4));
	ASSERT_EQ(0, ftruncate(target->peer.memory_fd, 0));
	EXPECT_EQ(-EFAULT, rig_memory(target->rig.session, false,
				      target->peer.device, context, PEER_CODE,
				      &word, 4));
	usleep(20000);
	EXPECT_EQ(0, alive(target));
}

/* A process whose devices all fall silent, with a thread to be woken on each. */
static void silent_client(int ready, int go)
{
	static struct target target;
	static struct peer peer[SILENT];
	uint32_t context;
	char byte;

	if (target_start(&target, RIG_ALL_EVENTS, 0) ||
	    target_context(&target, &context))
		_exit(1);
	for (int i = 0; i < SILENT; i++) {
		if (peer_init(&peer[i], target.token) ||
		    peer_serve(&peer[i], target.client) < 0)
			_exit(1);
		peer_stop(&peer[i], 0, 0x20000, PEER_HALT);
		usleep(50000);
		peer[i].ending = true;
		pthread_join(peer[i].thread, NULL);
	}
	if (write(ready, "", 1) != 1 || read(go, &byte, 1) != 1)
		_exit(1);
	/* All have to be quiesced, one after the other. */
	close(target.client);
	_exit(0);
}

/* Of its end nobody else notices anything. */
TEST_F_TIMEOUT(hostile, silent_devices_hold_up_their_own_process_only, 1200)
{
	struct target *target = &self->target;
	int ready[2], go[2], session;
	char byte;
	pid_t child;

	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(go));
	child = fork();
	if (!child) {
		close(target->rig.session);
		silent_client(ready[1], go[0]);
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	close(target->rig.session);
	ASSERT_EQ(1, write(go[1], "", 1));
	for (int i = 0; i < 10; i++) {
		usleep(10000);
		session = target_attach(target, 0, 0);
		EXPECT_LT(0, session);
		close(session);
	}
	/* None of them has waited for its end. */
	EXPECT_EQ(0, waitpid(child, NULL, WNOHANG));
	target->rig.session = -1;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void *session_close(void *data)
{
	struct target *target = data;

	close(target->rig.session);
	target->rig.session = -1;
	return NULL;
}

/* It takes the debugger seconds to leave a device that does not answer. */
TEST_F_TIMEOUT(hostile, device_that_comes_as_the_debugger_goes, 600)
{
	struct target *target = &self->target;
	struct rig_event event;
	struct peer late;
	pthread_t closer;

	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	ASSERT_EQ(0, rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event));
	target->peer.ending = true;
	pthread_join(target->peer.thread, NULL);
	target->peer.running = false;
	ASSERT_EQ(0, pthread_create(&closer, NULL, session_close, target));
	usleep(500000);
	ASSERT_EQ(0, peer_init(&late, target->token));
	ASSERT_LT(0, peer_serve(&late, target->client));
	/* Nobody will be there to resume what stops on it. */
	pthread_join(closer, NULL);
	EXPECT_FALSE(peer_active(&late));
	peer_fini(&late);
}

TEST_HARNESS_MAIN
